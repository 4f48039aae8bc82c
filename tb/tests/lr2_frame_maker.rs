//! Frames that a box makes itself: verilated at several beat widths, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, missed, missed_values, one, zero};
use rdma_rtl_tb::lr2::lr2_frames::{MAKING, Pace, Seen, make};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

const FULL: Pace = Pace { order: 100, offer: 100, out: 100 };
const PACES: [Pace; 4] = [FULL, Pace { order: 5, ..FULL }, Pace { out: 40, ..FULL }, Pace { order: 50, offer: 100, out: 60 }];

fn run(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Seen {
    make(model, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, RDMA_RTL_SEED={seed})"))
}

#[test]
fn frames_are_those_of_the_golden_builder() {
    for width in [64, 256, 512, 1024] {
        let mut model = verilated(&design_at("lr2_frame_maker", &[("data_width", width)]));
        for (seed, pace) in (seed()..).zip(PACES) {
            for seed in [seed, seed + 10, seed + 20] {
                let seen = run(&mut model, 400, pace, seed);
                assert!(pace.order > 5 || seen.latency.is_some_and(|(least, _)| least == MAKING), "{width}: {seen:?}");
                assert!(pace.order < 100 || pace.out < 100 || seen.clocks <= seen.beats + 40, "{width}: {seen:?}");
            }
        }
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["small", "default"] {
        let maker = catalogue::find("lr2_frame_maker", profile).unwrap();
        let mut model = Lockstep::new(("native", maker.native().unwrap()), ("verilated", verilated(&maker.elaborate().unwrap()))).unwrap();
        for (seed, pace) in (seed()..).zip(PACES) {
            run(&mut model, 40, pace, seed);
        }
    }
}

const FAULTS: &[Fault] = &[
    fault("there is always room", "lr2_frame_maker", "order_ready", one),
    fault("no frame is long", "lr2_frame_maker", "long", zero),
    fault("every frame is long", "lr2_frame_maker", "long", one),
    fault("the checksum knows no long frame", "lr2_frame_maker", "long2", zero),
    fault("all are IPv4", "lr2_frame_maker", "six", zero),
    fault("nobody says who made a NACK", "lr2_frame_maker", "marks", zero),
    fault("everything is a NACK with all credits", "lr2_frame_maker", "syndrome", zero),
    fault("no gap", "lr2_frame_maker", "gap", zero),
    fault("no MSN", "lr2_frame_maker", "msn", zero),
    fault("no PSN", "lr2_frame_maker", "psn", zero),
    fault("the checksum without its template", "lr2_frame_maker", "own_class", zero),
    fault("the sum of the source is not there", "lr2_frame_maker", "source3", zero),
    fault("the sum of the destination is not there", "lr2_frame_maker", "destination3", zero),
    fault("a checksum of zero", "lr2_frame_maker", "checksum", zero),
    fault("always flow 0", "lr2_frame_maker", "read_flow", zero),
    fault("frames are not counted", "lr2_frame_maker", "evt_frame", zero),
    fault("IPv4's type", "lr2_frame_maker", "ether_type", zero),
];

/// Carries of the checksum that are lost.
const EDITS: &[(&str, &str, &str)] =
    &[("lr2_frame_maker", "{13'd0, sum4[19:16]}", "17'd0"), ("lr2_frame_maker", "{15'd0, fold5[16]}", "16'd0")];

#[test]
fn every_fault_is_found() {
    let good = design_at("lr2_frame_maker", &[("data_width", 512)]);
    let hold = |model: &mut dyn Model| {
        PACES.iter().zip(1..).try_for_each(|(&pace, seed)| {
            [seed, seed + 10, seed + 20].iter().try_for_each(|&seed| make(model, 150, pace, seed).map(|_| ()))
        })
    };
    let values = missed_values(&good, FAULTS, |make| hold(&mut make()));
    let edits = missed(&catalogue::sources(&good), EDITS, |version| hold(version));
    assert!(values.is_empty() && edits.is_empty(), "not found: {values:?} {edits:?}");
}
