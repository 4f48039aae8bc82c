//! What becomes of frames that pass: verilated at several beat widths, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, missed_values, one, zero};
use rdma_rtl_tb::lr2::lr2_frames::{Pace, Seen, edit};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

const FULL: Pace = Pace { order: 100, offer: 100, out: 100 };
const PACES: [Pace; 5] =
    [FULL, Pace { order: 30, ..FULL }, Pace { offer: 30, ..FULL }, Pace { out: 40, ..FULL }, Pace { order: 50, offer: 70, out: 60 }];

fn run(model: &mut dyn Model, count: usize, pace: Pace, seed: u64) -> Seen {
    edit(model, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, RDMA_RTL_SEED={seed})"))
}

#[test]
fn naks_become_acknowledgements_and_others_pass() {
    for width in [64, 256, 512, 2048] {
        let mut model = verilated(&design_at("lr2_frame_edit", &[("data_width", width)]));
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, 600, pace, seed);
            assert!(seen.frames > 300, "{seen:?}");
            assert!(pace.order + pace.offer + pace.out < 300 || seen.clocks <= seen.beats + 20, "{width}: {seen:?}");
        }
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["small", "default"] {
        let block = catalogue::find("lr2_frame_edit", profile).unwrap();
        let mut model = Lockstep::new(("native", block.native().unwrap()), ("verilated", verilated(&block.elaborate().unwrap()))).unwrap();
        for (seed, pace) in (seed()..).zip(PACES) {
            run(&mut model, 40, pace, seed);
        }
    }
}

const FAULTS: &[Fault] = &[
    fault("nothing is dropped", "lr2_frame_edit", "drops", zero),
    fault("everything is dropped", "lr2_frame_edit", "drops", one),
    fault("an order is not waited for", "lr2_frame_edit", "armed", one),
    fault("an order is for all that comes", "lr2_frame_edit", "ends", zero),
    fault("nothing is written over", "lr2_frame_edit", "lanes", zero),
    fault("the place is the first", "lr2_frame_edit", "place", zero),
    fault("bytes are where they begin", "lr2_frame_edit", "shift", zero),
    fault("nothing is said", "lr2_frame_edit", "said", zero),
    fault("what was there stays", "lr2_frame_edit", "kept", |value| zero(value).complement()),
    fault("a beat is written over as the first was", "lr2_frame_edit", "moves", zero),
    fault("who has no order says that there is one", "lr2_frame_edit", "order_ready", one),
];

#[test]
fn every_fault_is_found() {
    let good = design_at("lr2_frame_edit", &[("data_width", 512)]);
    let hold = |model: &mut dyn Model| PACES.iter().zip(1..).try_for_each(|(&pace, seed)| edit(model, 200, pace, seed).map(|_| ()));
    let values = missed_values(&good, FAULTS, |make| hold(&mut make()));
    assert!(values.is_empty(), "not found: {values:?}");
}
