//! What a sender hears, from headers: verilated at each profile, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, one, ones, zero};
use rdma_rtl_tb::under_test::{seed, verilated};
use rdma_rtl_tb::wire::feedback_intake::{Pace, Seen, bench};

const PACES: [Pace; 7] = [
    Pace { offer: 100, acks: 60, ranges: 40, take: 100 },
    Pace { offer: 30, acks: 50, ranges: 40, take: 30 },
    // As the sender takes them: one in twenty clocks.
    Pace { offer: 40, acks: 95, ranges: 40, take: 5 },
    Pace { offer: 5, acks: 50, ranges: 40, take: 100 },
    Pace { offer: 100, acks: 100, ranges: 40, take: 60 },
    // More messages than are taken, of both kinds, and of ranges alone but for a few.
    Pace { offer: 100, acks: 20, ranges: 40, take: 10 },
    Pace { offer: 100, acks: 20, ranges: 95, take: 10 },
];

fn run(model: &mut dyn Model, count: usize, pace: Pace, seed: u64) -> Seen {
    bench(model, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, seed {seed})"))
}

#[test]
fn the_newest_of_what_a_receiver_tells() {
    for profile in ["small", "default", "large"] {
        let mut model = verilated(&catalogue::find("feedback_intake", profile).unwrap().elaborate().unwrap());
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, 5000, pace, seed);
            assert!(seen.negative > 10 && seen.told > 100 && seen.unknown > 10, "{profile}: {seen:?}");
            if pace.acks < 100 {
                assert!(seen.malformed > 5 && seen.others > 50, "{profile}: {seen:?}");
            }
            if pace.take == 5 {
                assert!(seen.told * 4 < seen.acks, "{profile}: nothing merges: {seen:?}");
            }
            if pace.offer == 5 {
                // An acknowledgement takes 8 clocks, and one each for what goes before it.
                assert!((8..=10).contains(&seen.latency[0]) && seen.latency[1] == 4, "{profile}: {seen:?}");
                assert_eq!(seen.dropped, 0, "{profile}");
            }
            if pace.take == 10 {
                assert!(seen.dropped > 100, "{profile}: {seen:?}");
            }
        }
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for profile in ["small", "default"] {
        let intake = catalogue::find("feedback_intake", profile).unwrap();
        let mut model =
            Lockstep::new(("native", intake.native().unwrap()), ("verilated", verilated(&intake.elaborate().unwrap()))).unwrap();
        for pace in PACES {
            run(&mut model, 300, pace, seed());
        }
    }
}

const FAULTS: &[Fault] = &[
    fault("what is negative counts", "feedback_intake", "negative1", zero),
    fault("what is another's is ours", "feedback_intake", "ours1", one),
    fault("every number is one", "feedback_intake", "bad1", zero),
    fault("the last one counts, not the newest", "feedback_intake", "is_newer", one),
    fault("an acknowledgement right behind another one does not see it", "feedback_intake", "qp2", zero),
    fault("what was heard before a queue pair was opened counts", "feedback_intake", "open1", zero),
    fault("nobody is told of an acknowledgement", "feedback_intake", "held", zero),
    fault("acknowledgements go first", "feedback_intake", "takes_other", zero),
    fault("feedback is overwritten", "feedback_intake", "free", one),
    fault("a gap is one packet shorter", "feedback_intake", "feedback_length", less),
    fault("a feedback message is a range", "feedback_intake", "feedback_kind", one),
    fault("messages tell a window", "feedback_intake", "feedback_credits", zero),
    fault("ranges leave no room for feedback messages", "feedback_intake", "few", one),
    fault("what finds no room is not counted", "feedback_intake", "evt_dropped", zero),
    fault("credits are not told", "feedback_intake", "heard2", ones),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("feedback_intake", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, |make| {
        let mut model = make();
        (1..4).try_for_each(|seed| PACES.iter().try_for_each(|&pace| bench(&mut model, 600, pace, seed).map(|_| ())))
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}
