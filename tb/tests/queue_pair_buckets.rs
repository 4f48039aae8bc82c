//! A token bucket for each queue pair: verilated at each profile, in lockstep with the Rust, with faults in the hardware and in the golden
//! model, and as the limiter of a port.

use rdma_rtl_gen::{Options, elaborate, ir};
use rdma_rtl_golden::congestion::fault::Fault as Golden;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::congestion::queue_pair_buckets::{Pace, Seen, bench, port};
use rdma_rtl_tb::congestion::token_gain;
use rdma_rtl_tb::faults::{Edit, Fault, fault, missed, missed_values, one, ones, zero};
use rdma_rtl_tb::under_test::{seed, sized, verilated};

const PACES: [Pace; 7] = [
    Pace { ask: 100, set: 0, back: 0, pairs: 1, phase: 0, burst: 8192, idle: 0, fault: None },
    Pace { ask: 100, set: 10, back: 10, pairs: 3, phase: 0, burst: 8192, idle: 50, fault: None },
    Pace { ask: 60, set: 30, back: 30, pairs: 2, phase: 0, burst: 4096, idle: 500, fault: None },
    Pace { ask: 30, set: 1, back: 5, pairs: 16, phase: 0, burst: 65535, idle: 5000, fault: None },
    Pace { ask: 100, set: 80, back: 5, pairs: 2, phase: 0, burst: 1500, idle: 5, fault: None },
    Pace { ask: 5, set: 2, back: 1, pairs: 4, phase: 0, burst: 1, idle: 2000, fault: None },
    // Always somebody asks, and each is silent for longer than a time of 12 bits.
    Pace { ask: 100, set: 5, back: 1, pairs: 4, phase: 3000, burst: 8192, idle: 0, fault: None },
];

fn run(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Seen {
    bench(model, true, count, pace, seed).unwrap_or_else(|difference| panic!("{difference} ({pace:?}, RDMA_RTL_SEED={seed})"))
}

/// 16 queue pairs whose time wraps every 4096 clocks: one visit in 128.
fn short_time() -> ir::Design {
    let sizes = [("RATES", 16), ("TOKEN_TIME_BITS", 12)];
    elaborate(&sized("congestion::QueuePairBuckets", "default()", &sizes), &Options::default()).unwrap()
}

#[test]
fn every_answer_is_the_golden_one() {
    for profile in ["small", "default", "large"] {
        let mut model = verilated(&catalogue::find("queue_pair_buckets", profile).unwrap().elaborate().unwrap());
        let (mut granted, mut refused) = (0, 0);
        for (seed, pace) in (seed()..).zip(PACES) {
            let seen = run(&mut model, 5000, pace, seed);
            (granted, refused) = (granted + seen.granted, refused + seen.refused);
            // One per clock; the answer to the last comes 9 clocks later.
            if (pace.ask, pace.set) == (100, 0) {
                assert_eq!(seen.clocks, 5009, "{profile}: {seen:?}");
            }
        }
        assert!(granted > 5000 && refused > 5000, "{profile}: {granted} granted, {refused} refused");
    }
}

#[test]
fn a_time_that_wraps_is_never_seen() {
    let mut model = verilated(&short_time());
    let (mut visits, mut clocks) = (0, 0);
    for (seed, pace) in (seed()..).zip(PACES) {
        let seen = run(&mut model, 20_000, pace, seed);
        (visits, clocks) = (visits + seen.visits, clocks + seen.clocks);
    }
    // Visits take a clock from nobody but where there is no other, and then one in 128.
    assert!(visits > 100 && visits <= clocks / 128 + PACES.len() as u64, "{visits} visits in {clocks} clocks");
}

#[test]
fn without_a_limit_everything_goes() {
    let mut model = verilated(&catalogue::find("queue_pair_buckets", "small").unwrap().elaborate().unwrap());
    let seen = bench(&mut model, false, 3000, PACES[1], seed()).unwrap();
    assert_eq!((seen.granted, seen.refused), (3000, 0));
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let buckets = catalogue::find("queue_pair_buckets", "small").unwrap();
    let models = (("native", buckets.native().unwrap()), ("verilated", verilated(&buckets.elaborate().unwrap())));
    let mut model = Lockstep::new(models.0, models.1).unwrap();
    for (seed, pace) in (seed()..).zip(PACES) {
        run(&mut model, 200, Pace { idle: pace.idle.min(100), ..pace }, seed);
    }
}

#[test]
fn what_comes_in_is_exact() {
    let gain = catalogue::find("token_gain", "default").unwrap();
    let models = (("native", gain.native().unwrap()), ("verilated", verilated(&gain.elaborate().unwrap())));
    let mut model = Lockstep::new(models.0, models.1).unwrap();
    let seen = token_gain::bench(&mut model, 20_000, seed()).unwrap_or_else(|e| panic!("{e} (RDMA_RTL_SEED={})", seed()));
    assert!(seen.iter().all(|&count| count > 500), "{seen:?}");
}

/// The port at four numbers of queue pairs, at the profile `large`.
fn ports(packets: u64) {
    let mut model = verilated(&catalogue::find("queue_pair_buckets", "large").unwrap().elaborate().unwrap());
    for pairs in [1, 16, 256, 1024] {
        let worst = port(&mut model, pairs, packets, seed()).unwrap_or_else(|e| panic!("{e} (RDMA_RTL_SEED={})", seed()));
        println!("{pairs} queue pairs: the worst window exceeds its rate by {worst} of 8192 bytes");
        // The bound is no wider than it need be.
        assert!(worst > 8192 - 64, "{pairs} queue pairs: {worst}");
    }
}

#[test]
fn no_window_exceeds_rate_and_burst_and_none_starves() {
    ports(40_000);
}

#[test]
fn no_window_of_a_million_packets_exceeds_rate_and_burst_and_none_starves() {
    ports(1_000_000);
}

const FAULTS: &[Fault] = &[
    fault("every packet goes", "queue_pair_buckets", "goes7", one),
    fault("none does", "queue_pair_buckets", "goes7", zero),
    fault("the one in front is not seen", "queue_pair_buckets", "same7", zero),
    fault("always the one in front is seen", "queue_pair_buckets", "same7", one),
    fault("fractions are lost", "queue_pair_buckets", "fraction7", zero),
    fault("a packet from a full bucket takes nothing", "queue_pair_buckets", "takes7", zero),
    fault("what comes back is lost", "queue_pair_buckets", "gives6", zero),
    fault("a packet takes nothing", "queue_pair_buckets", "change6", zero),
    fault("a packet goes into debt", "queue_pair_buckets", "room6", ones),
    fault("a packet waits for a full bucket", "queue_pair_buckets", "room6", zero),
    fault("no rate is set", "queue_pair_buckets", "sets", zero),
    fault("nobody is visited", "queue_pair_buckets", "visits", zero),
    fault("nobody is visited while packets come", "queue_pair_buckets", "late", zero),
    fault("always the same queue pair is visited", "queue_pair_buckets", "visited", zero),
    fault("the time stands still", "queue_pair_buckets", "now", zero),
    fault("the whole of what is left is not told", "queue_pair_buckets", "answer_left", zero),
    fault("an answer is another queue pair's", "queue_pair_buckets", "answer_qp", zero),
    fault("what was there at power-up stays", "cleared_ram", "ready", one),
];

const GAIN_FAULTS: &[Fault] = &[
    fault("the greatest times do not count", "token_gain", "high1", zero),
    fault("great times do not count", "token_gain", "crossed1", zero),
    fault("great rates do not count", "token_gain", "cross1", zero),
    fault("a product that is too great wraps", "token_gain", "over3", zero),
    fault("a product that is too great wraps before", "token_gain", "over2", zero),
];

const EDITS: &[Edit] = &[
    // A new rate counts for the time before it; tokens beyond the burst; a packet beyond the burst never goes.
    ("queue_pair_buckets.v", "rate3 <= old2", "rate3 <= written2[27:0]"),
    ("queue_pair_buckets.v", "if (without7[37])", "if (1'b0)"),
    ("queue_pair_buckets.v", "cfg_burst < want_0", "1'b0"),
    // What is missing, and rates, are forgotten, and are the first queue pair's.
    ("queue_pair_buckets.v", ".write_enable  (valid_7)", ".write_enable  (1'b0)"),
    ("queue_pair_buckets.v", ".write_address (qp_7)", ".write_address (4'd0)"),
    ("queue_pair_buckets.v", ".write_enable  (valid_1)", ".write_enable  (1'b0)"),
    ("queue_pair_buckets.v", ".write_address (qp_1)", ".write_address (4'd0)"),
];

#[test]
fn every_fault_is_found() {
    let good = short_time();
    let notices = |model: &mut dyn Model| {
        PACES
            .iter()
            .zip(1..)
            .try_for_each(|(&pace, seed)| bench(model, true, if pace.phase > 0 { 40_000 } else { 4000 }, pace, seed).map(|_| ()))
    };
    let mut missing = missed_values(&good, FAULTS, |make| notices(&mut make()));
    missing.extend(missed(&catalogue::sources(&good), EDITS, |model| notices(model)));
    let gain = catalogue::find("token_gain", "default").unwrap().elaborate().unwrap();
    missing.extend(missed_values(&gain, GAIN_FAULTS, |make| token_gain::bench(&mut make(), 5000, 1).map(|_| ())));
    assert!(missing.is_empty(), "not found: {missing:#?}");
}

#[test]
fn faults_of_the_golden_bucket_are_found() {
    let mut model = verilated(&catalogue::find("queue_pair_buckets", "small").unwrap().elaborate().unwrap());
    for fault in [Golden::TokensUnbounded, Golden::GoesIntoDebt, Golden::FractionLost, Golden::RateBackdated] {
        let found = PACES.iter().any(|&pace| bench(&mut model, true, 2000, Pace { fault: Some(fault), ..pace }, 1).is_err());
        assert!(found, "{fault:?}");
    }
}
