//! What a Depot is told of frames: verilated, in lockstep with the Rust, and with faults.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, missed_values, one, zero};
use rdma_rtl_tb::lr2::depot_heads::{PASSING, Pace, Seen, TELLING, bench};
use rdma_rtl_tb::lr2::lr2_flow_table::network;
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

const FULL: Pace = Pace { offer: 100, head: 100, event: 100, answer: 100, order: 100 };
const PACES: [Pace; 7] = [
    FULL,
    Pace { offer: 20, ..FULL },
    Pace { head: 20, ..FULL },
    Pace { event: 20, ..FULL },
    Pace { answer: 10, ..FULL },
    Pace { order: 10, ..FULL },
    Pace { offer: 70, head: 60, event: 60, answer: 50, order: 50 },
];

fn run(model: &mut dyn Model, flows: usize, count: u64, pace: Pace, seed: u64) -> Seen {
    let pool = network(&mut ChaCha8Rng::seed_from_u64(seed), 5, flows + 2);
    bench(model, &pool, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, RDMA_RTL_SEED={seed})"))
}

#[test]
fn heads_come_with_their_flows() {
    for flows in [4, 64] {
        let mut model = verilated(&design_at("depot_heads", &[("flows", flows)]));
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, flows as usize, 2000, pace, seed);
            println!("{flows} flows: {seen:?}");
            assert!(seen.known > 500 && seen.unknown > 300 && seen.events > 500 && seen.acks > 30 && seen.drops > 100, "{seen:?}");
            let idle = pace.offer == 20;
            assert!(!idle || (seen.latency, seen.passing) == (Some(TELLING), Some(PASSING)), "{seen:?}");
            // One head per clock in each direction.
            let full = pace.offer + pace.head + pace.event + pace.answer + pace.order == 500;
            assert!(!full || seen.clocks < 2000 + 40, "{seen:?}");
        }
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let heads = catalogue::find("depot_heads", "small").unwrap();
    let mut model = Lockstep::new(("native", heads.native().unwrap()), ("verilated", verilated(&heads.elaborate().unwrap()))).unwrap();
    for (seed, pace) in (seed()..).zip(PACES) {
        run(&mut model, 4, 100, pace, seed);
    }
}

const FAULTS: &[Fault] = &[
    fault("all onward packets are told", "depot_heads", "onward_ours", one),
    fault("none is told", "depot_heads", "onward_ours", zero),
    fault("all of the back side are told", "depot_heads", "back_ours", one),
    fault("none of the back side is told", "depot_heads", "back_ours", zero),
    fault("nobody is of a flow", "depot_heads", "known", zero),
    fault("a frame does not wait for its event", "depot_heads", "goes", one),
    fault("no answer is waited for", "depot_heads", "asked", zero),
    fault("an answer is never taken", "depot_heads", "answer_ready", zero),
    fault("an answer is taken without an order", "depot_heads", "answer_ready", one),
    fault("a bad frame goes on", "depot_heads", "order_drop", zero),
    fault("no NAK becomes an acknowledgement", "depot_heads", "order_ack", zero),
    fault("UDP is elsewhere", "depot_heads", "order_offset", zero),
    fault("the PSN is lost", "depot_heads", "head_psn", zero),
    fault("one PSN each", "depot_heads", "head_span", one),
    fault("nothing asks", "depot_heads", "head_asks", zero),
    fault("always flow 0", "depot_heads", "event_flow", zero),
    fault("no credits", "depot_heads", "event_credits", zero),
    fault("no MSN", "depot_heads", "event_msn", zero),
];

#[test]
fn every_fault_is_found() {
    let good = design_at("depot_heads", &[("flows", 4)]);
    let hold = |model: &mut dyn Model| {
        PACES.iter().zip(1..).try_for_each(|(&pace, seed)| {
            let pool = network(&mut ChaCha8Rng::seed_from_u64(seed), 5, 6);
            bench(model, &pool, 300, pace, seed).map(|_| ())
        })
    };
    let values = missed_values(&good, FAULTS, |make| hold(&mut make()));
    assert!(values.is_empty(), "not found: {values:?}");
}
