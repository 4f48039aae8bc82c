//! The packet buffer at every beat width, verilated; at the profiles in lockstep with the Rust.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_gen::ir;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::missed;
use rdma_rtl_tb::memory::packet_buffer::{Case, Pace, Seen, bench, leave_in_the_middle, mixture, steady};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

/// So many slots of `packet_size` bytes.
fn buffer(data_width: u64, slots: u64, packet_size: u64) -> ir::Design {
    design_at("packet_buffer", &[("data_width", data_width), ("packet_size", packet_size), ("escape_slots", slots - 16), ("writes", 16)])
}

fn run(model: &mut dyn Model, slots: usize, bytes: usize, cases: &[Case], pace: Pace) -> Seen {
    bench(model, slots, bytes, cases, pace, seed())
        .unwrap_or_else(|difference| panic!("{difference}\n{pace:?}; again with RDMA_RTL_SEED={}", seed()))
}

fn everything(model: &mut dyn Model, slots: usize, bytes: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let cases = mixture(&mut rng, bytes, 1200);
    // Plenty of slots: no frame is lost. Short of slots: some are, and nothing else happens.
    let plenty = run(model, slots, bytes, &cases[..400], Pace { payload: 30, header: 100, packet: 100, hold: 0 });
    assert_eq!(plenty.no_slot, 0);
    assert!(plenty.foreign > 20 && plenty.packets > 200, "{plenty:?}");
    // Long enough for all slots to be held.
    let beat = model.ports()[model.port("payload_data").unwrap()].width / 8;
    let long = (4 * slots * (bytes / beat + 2)) as u64;
    for (payload, header, packet, hold) in
        [(100, 100, 100, 40), (100, 100, 30, 10), (100, 30, 100, 10), (50, 50, 50, 300), (100, 100, 100, long), (10, 100, 100, 20)]
    {
        let seen = run(model, slots, bytes, &cases, Pace { payload, header, packet, hold });
        assert!(hold < long || (seen.no_slot > 0 && seen.held == slots), "{slots} slots: {seen:?}");
    }
    // Saturated: every beat is taken as it comes, whatever the size, and every packet is there in time.
    for size in [1, 60, bytes / 2, bytes - 1, bytes] {
        let seen = run(model, slots, bytes, &steady(size, 300), Pace { hold: 0, ..Pace::FULL });
        assert_eq!(seen.stalled, u64::from(seen.beats > 0), "only in the first clock after reset: {seen:?}");
        assert!(seen.latency.unwrap().1 <= 3 || seen.no_slot > 0, "{seen:?}");
    }
    for clocks in [1, 2, 3, 5, 8, 13, 21, 34, 55, 200] {
        leave_in_the_middle(model, &cases, clocks, clocks);
        run(model, slots, bytes, &cases[..60], Pace::FULL);
    }
}

#[test]
fn beats_of_64_bits() {
    everything(&mut verilated(&buffer(64, 32, 256)), 32, 256);
}

#[test]
fn beats_of_128_bits() {
    everything(&mut verilated(&buffer(128, 80, 1024)), 80, 1024);
}

#[test]
fn beats_of_256_bits() {
    everything(&mut verilated(&buffer(256, 32, 4096)), 32, 4096);
}

#[test]
fn beats_of_512_bits() {
    everything(&mut verilated(&buffer(512, 128, 512)), 128, 512);
}

#[test]
fn beats_of_2048_bits() {
    everything(&mut verilated(&buffer(2048, 80, 4096)), 80, 4096);
}

/// A slot of one beat.
#[test]
fn beats_as_long_as_a_packet() {
    everything(&mut verilated(&buffer(2048, 32, 256)), 32, 256);
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, frames) in [("small", 150), ("worked", 60), ("large", 20)] {
        let buffer = catalogue::find("packet_buffer", profile).unwrap();
        let parameter = |name| buffer.parameter(name).unwrap() as usize;
        let design = buffer.elaborate().unwrap();
        let mut model = Lockstep::new(("native", buffer.native().unwrap()), ("verilated", verilated(&design))).unwrap();
        let (slots, bytes) = (parameter("escape_slots") + parameter("writes"), parameter("packet_size"));
        let cases = mixture(&mut ChaCha8Rng::seed_from_u64(seed()), bytes, frames);
        run(&mut model, slots, bytes, &cases, Pace { payload: 80, header: 80, packet: 80, hold: 200 });
    }
}

/// The bench sees what is wrong: each of these edits of the design is one wrong bit or one forgotten condition.
#[test]
fn the_bench_notices() {
    let cases = mixture(&mut ChaCha8Rng::seed_from_u64(seed()), 256, 1000);
    let texts = catalogue::sources(&buffer(64, 32, 256));
    let edits = [
        // A dropped payload meets the next header; a slot is given twice; a payload gets a slot in its middle; one is written beyond its
        // slot.
        ("packet_buffer", "beat_last && !beat_drop", "beat_last"),
        ("packet_buffer", "refill = !hand_valid || (lands && has_slot)", "refill = !hand_valid"),
        ("packet_buffer", "inside_ ? stored : hand_valid", "hand_valid"),
        ("packet_buffer", "has_slot && !place[5]", "has_slot"),
        // A packet without a slot goes on; a slot that nobody has is lost; a slot is given to payload and header.
        ("packet_buffer", "ours && (found || !keeps)", "ours"),
        ("packet_buffer", "!empty && found && !keeps", "1'b0"),
        ("packet_buffer", "!(keeps && refill)", "1'b1"),
        // Of two slots that come back one is lost; the last slot is never used; a number beyond it is.
        ("slot_pool", "!(turn && second_valid)", "1'b1"),
        ("slot_pool", "never_used == {ADDRESS_BITS{1'b1}}", "never_used == {ADDRESS_BITS{1'b1}} - 1'b1"),
        ("slot_pool", "all_used <= 1'b0", "all_used <= all_used"),
    ];
    let missed = missed(&texts, &edits, |model| {
        [1, 40, 4000]
            .iter()
            .try_for_each(|&hold| bench(model, 32, 256, &cases, Pace { payload: 100, header: 90, packet: 90, hold }, seed()).map(|_| ()))
    });
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
