//! The life of operations around their slots: every pause against every other, failures, aborts; latencies and rates; verilated, and in
//! lockstep with the Rust.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::loader::Params;
use rdma_rtl_golden::send::splitter::Segment;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::send::op_loader::{Pace, Seen, bench, mixture};
use rdma_rtl_tb::under_test::{seed, verilated};

fn find(profile: &str) -> (Design, Params, u32, u16) {
    let design = catalogue::find("op_loader", profile).unwrap();
    let parameter = |name| design.parameter(name).unwrap();
    let (packets, slot) = (parameter("mask_bits"), parameter("packet_size") * parameter("mask_bits"));
    let params =
        Params { ops: parameter("ops") as usize, slots: parameter("slots") as usize, slot_bytes: slot, refetch: parameter("refetch") == 1 };
    (design, params, slot as u32, packets as u16)
}

fn segments(profile: &str, count: usize, arrivals: u32) -> Vec<Segment> {
    let (_, _, largest, packets) = find(profile);
    mixture(&mut ChaCha8Rng::seed_from_u64(seed()), count, arrivals, largest, packets)
}

fn run(model: &mut dyn Model, profile: &str, count: usize, pace: Pace) -> Seen {
    let (_, params, ..) = find(profile);
    let segments = segments(profile, count, pace.arrivals);
    bench(model, params, &segments, pace, seed())
        .unwrap_or_else(|difference| panic!("{profile}, {pace:?}: {difference}\nagain with RDMA_RTL_SEED={}", seed()))
}

/// Pauses and troubles that a mixture has.
fn paces() -> Vec<Pace> {
    let mut paces = Vec::new();
    for offer in [100, 30] {
        for take in [100, 60, 15] {
            for (fail, abort, arrivals, batch) in [(0, 0, 0, 1), (30, 0, 20, 1), (0, 40, 50, 3), (20, 30, 30, 1), (60, 20, 10, 4)] {
                paces.push(Pace { offer, take, fail, abort, arrivals, batch });
            }
        }
    }
    paces
}

#[test]
fn a_mixture_at_every_pace() {
    for (profile, count) in [("small", 400), ("worked", 400), ("large", 300), ("refetch", 400)] {
        let mut model = verilated(&find(profile).0.elaborate().unwrap());
        let seen: Vec<Seen> = paces().into_iter().map(|pace| run(&mut model, profile, count, pace)).collect();
        // Every trouble must have been there.
        let some = |what: &str, of: &dyn Fn(&Seen) -> u64| assert!(seen.iter().any(|s| of(s) > 0), "{profile}: {what} never came");
        some("a failure", &|s| s.failed);
        some("an abort", &|s| s.aborts);
        some("a data arrival", &|s| s.arrivals);
        // More slots than operations are under way at these paces are never all given out.
        if profile == "small" {
            some("a segment without a slot", &|s| s.no_slot);
        }
        some("a close behind the abort of another op", &|s| s.behind_abort);
        some("a close that was there before an abort", &|s| s.before_abort);
        some("an op behind a data arrival", &|s| s.behind_arrival);
        some("an op that was never sent behind the answer of a close", &|s| s.behind_closed);
        // With `refetch` none is told as it comes.
        if profile != "refetch" {
            some("a failure before an end that is well", &|s| s.failure_first);
            some("an end that is well before a failure", &|s| s.end_first);
        }
        assert!(seen.iter().all(|s| s.released == count as u64 && s.sent + s.failed + s.arrivals == s.released), "{seen:?}");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, count) in [("small", 120), ("worked", 120), ("large", 60), ("refetch", 120)] {
        let design = find(profile).0;
        let verilated = verilated(&design.elaborate().unwrap());
        let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap();
        for pace in [Pace::FULL, Pace { offer: 60, take: 50, fail: 20, abort: 30, arrivals: 30, batch: 2 }] {
            run(&mut model, profile, count, pace);
        }
    }
}

/// What the documentation of the block says.
#[test]
fn latencies_and_rates() {
    for profile in ["small", "worked", "large"] {
        let slots = find(profile).1.slots;
        let mut model = verilated(&find(profile).0.elaborate().unwrap());
        let seen = run(&mut model, profile, 2000, Pace::FULL);
        // The clock from a segment to its load is the op table's.
        assert_eq!(seen.latency[..3], [Some(1), Some(0), Some(1)], "{profile}: {seen:?}");
        // Four slots are not enough for the way of an operation.
        assert!(seen.load_clocks == 2 * (seen.loads - 1) || slots == 4, "{profile}: {seen:?}");
        let seen = run(&mut model, profile, 2000, Pace { batch: slots, ..Pace::FULL });
        assert!(seen.run.iter().all(|&clocks| clocks >= slots as u64), "{profile}: {seen:?}");
        // A slot is offered 4 clocks after it came back, and loaded in the next.
        assert_eq!(seen.latency[3], Some(5), "{profile}: {seen:?}");
        let seen = run(&mut model, profile, 500, Pace { fail: 50, ..Pace::FULL });
        assert_eq!(seen.latency[4], Some(2), "{profile}: {seen:?}");
        println!("{profile}: {seen:?}");
    }
}

const FAULTS: &[Edit] = &[
    // A close comes before its abort.
    ("op_loader", "!never_sent && (!abort_valid || closing)", "!never_sent"),
    // A close of an op that was never sent.
    ("op_loader", "over_out_valid && !never_sent && (", "over_out_valid && ("),
    // A slot that is given out again is still failed.
    ("op_loader", "(failed & ~given) | fails", "failed | fails"),
    // What was not fetched is sent.
    ("op_loader", "loaded_valid && !(|loaded_status) && ", "loaded_valid && "),
    // Two numbers for one segment.
    ("op_loader", "segment_valid && may && !asked", "segment_valid && may"),
    // A number without a slot.
    ("op_loader", "!data || slots_out_valid", "1'b1"),
    // A close that is offered is taken back.
    ("op_loader", "(!abort_valid || closing)", "!abort_valid"),
    // A data arrival that is offered is taken back.
    ("op_loader", "!(|loaded_status) && !arriving", "!(|loaded_status)"),
    // Of two releases in a clock one is lost.
    ("op_loader", "never_sent && !closed_valid", "never_sent"),
    // The slot of another op comes back.
    ("op_loader", "closed_valid ? closed_slot[1:0] : over_slot[1:0]", "closed_slot[1:0]"),
    // A data arrival gives back a slot.
    ("op_loader", "(closed_valid && closed_slot[2])", "closed_valid"),
    // The slot of what was never sent is lost.
    ("op_loader", "(closed_valid && closed_slot[2]) || forgets", "(closed_valid && closed_slot[2])"),
    // An end that nobody was told counts.
    ("op_loader", "over_in_valid = takes || (good && told_ready)", "over_in_valid = takes || good"),
    // A failure is told with its end, not when nothing of its op can follow any more.
    ("op_loader", "good = ended_valid && well && !failure", "good = ended_valid && !failure"),
    // What ended well is told again when it is released.
    ("op_loader", "failures_in_valid = released && (|ends_read_data[7:0])", "failures_in_valid = released"),
    // A failure takes the place of an end that is offered.
    ("op_loader", "failure = failures_out_valid && !telling", "failure = failures_out_valid"),
    // It is told of another command, or as another kind.
    ("op_loader", "ends_write_address = ended_op[5:0]", "ends_write_address = ended_op[6:1]"),
    // The immediate is always there.
    ("op_loader", "segment_large, segment_imm_valid", "segment_large, 1'b1"),
    // A load goes to another address.
    ("op_loader", "load_destination = cfg_buffer_base +", "load_destination ="),
    // A failure has another status.
    ("op_loader", "fail_status = loaded_status", "fail_status = 8'd34"),
];

const REFETCH_FAULTS: &[Edit] = &[
    // A slot comes back when its op is closed, too.
    ("op_loader", "(first_done_valid && closed_slot[2]) ||", "((first_done_valid || closed_valid) && closed_slot[2]) ||"),
    // The slot of a data arrival comes back.
    ("op_loader", "internal_valid = (first_done_valid && closed_slot[2])", "internal_valid = first_done_valid"),
    // Of two slots that come back in a clock one is lost.
    ("op_loader", "!closed_valid && !first_done_valid", "!closed_valid"),
    // Whether an op was sent is asked of its slot, which is another one's by then.
    ("op_loader", "never_sent = over_slot[2] && failed_op_0_read_data", "never_sent = over_slot[2] && failed_here[0]"),
    // What ended well is told while a pull of it may be under way.
    ("op_loader", "wire well = 1'b0", "wire well = !(|ended_status)"),
    // It is not told at all.
    ("op_loader", "failures_in_valid = released", "failures_in_valid = released && (|ends_read_data[7:0])"),
];

#[test]
fn the_bench_notices_with_refetch() {
    let (design, params, ..) = find("refetch");
    let text = catalogue::sources(&design.elaborate().unwrap());
    let missed = missed(&text, REFETCH_FAULTS, |model| {
        paces().into_iter().try_for_each(|pace| bench(model, params, &segments("refetch", 200, pace.arrivals), pace, seed()).map(|_| ()))
    });
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

#[test]
fn the_bench_notices() {
    let (design, params, ..) = find("small");
    let text = catalogue::sources(&design.elaborate().unwrap());
    let missed = missed(&text, FAULTS, |model| {
        paces().into_iter().try_for_each(|pace| bench(model, params, &segments("small", 200, pace.arrivals), pace, seed()).map(|_| ()))
    });
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}
