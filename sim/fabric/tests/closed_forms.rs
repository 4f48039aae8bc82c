//! The simulator against what can be computed without it.

use rdma_rtl_fabric::cell::{Cell, Variant};
use rdma_rtl_fabric::flows::Spec;
use rdma_rtl_fabric::net::{Control, Net};
use rdma_rtl_fabric::per_byte;
use rdma_rtl_golden::lr2::packet::{BTH, FRAME};

/// A lone flow at line rate: packets, packets sent, packet times from first to last byte at the receiver.
fn lone(variant: Variant, loss: f64, packets: u64, seed: u64) -> (f64, f64) {
    let cell = Cell { dcqcn: false, ..Cell::core(variant, 400, loss, 0.3) };
    let mut net = Net::new(cell.shape(), seed);
    let spec = Spec { source: 0, destination: 4, bytes: packets * 1024, start: 0 };
    net.load(&[spec], cell.card(), variant == Variant::Ideal, Control::Fixed);
    assert_eq!(net.run(u64::MAX), Ok(true));
    let packet = (u64::from(FRAME + BTH) + 1024) * per_byte(cell.haul_rate);
    let received = net.flows[0].received.unwrap_or(u64::MAX);
    (net.flows[0].sender.sent().0 as f64, (received - cell.round_trip() / 2) as f64 / packet as f64)
}

#[test]
fn without_loss_every_packet_takes_its_time_and_no_more() {
    for variant in [Variant::GoBackN, Variant::Ideal] {
        let (sent, times) = lone(variant, 0.0, 50_000, 1);
        assert_eq!(sent, 50_000.0, "{variant:?}");
        assert!((times / 50_000.0 - 1.0).abs() < 0.001, "{variant:?}: {times} packet times");
    }
}

#[test]
fn at_one_in_a_thousand_they_are_within_two_percent_of_their_closed_forms() {
    let (packets, p) = (1_000_000, 1e-3);
    let (_, ideal) = lone(Variant::Ideal, p, packets, 2);
    let form = packets as f64 / (1.0 - p);
    assert!((ideal / form - 1.0).abs() < 0.02, "ideal: {ideal}, form {form}");
    // each loss costs what is sent in a round trip: N (1 - p + p W) / (1 - p)
    let window = Cell::core(Variant::GoBackN, 400, p, 0.3).round_trip() as f64 / (1106.0 * per_byte(10_000_000_000) as f64) + 4.0;
    let form = packets as f64 * (1.0 - p + p * window) / (1.0 - p);
    let runs: Vec<f64> = (0..6).map(|seed| lone(Variant::GoBackN, p, packets, seed).1).collect();
    let mean = runs.iter().sum::<f64>() / runs.len() as f64;
    assert!((mean / form - 1.0).abs() < 0.02, "Go-Back-N: {mean}, form {form}");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let cell = Cell { flows: 60, ..Cell::core(Variant::Lr2, 400, 1e-2, 0.3) };
    let text = |seed| serde_json::to_string(&cell.run(seed).expect("a cell runs")).expect("a result is text");
    assert_eq!(text(5), text(5));
    assert_ne!(text(5), text(6));
}
