use super::*;

fn ranges(receiver: &Receiver) -> Vec<(u32, u32)> {
    receiver.gaps(5).iter().map(|gap| (gap.start, gap.end)).collect()
}

#[test]
fn gaps_split_shrink_and_vanish() {
    let mut receiver = small();
    arrive(&mut receiver, [1010]);
    assert_eq!(ranges(&receiver), [(1000, 1009)]);
    arrive(&mut receiver, [1004]);
    assert_eq!(ranges(&receiver), [(1000, 1003), (1005, 1009)]);
    arrive(&mut receiver, [1000, 1003, 1009]);
    assert_eq!(ranges(&receiver), [(1001, 1002), (1005, 1008)]);
    receiver.take_events();
    arrive(&mut receiver, [1001, 1002]);
    assert_eq!(ranges(&receiver), [(1005, 1008)]);
    assert_eq!(receiver.take_events(), [GapEvent { qp: 5, start: 1002, length: 1, state: None }]);
}

#[test]
fn both_parts_of_a_split_keep_what_was_known() {
    let mut receiver = small();
    arrive(&mut receiver, [1010]);
    receiver.tick(30);
    arrive(&mut receiver, [1005]);
    let [left, right] = receiver.gaps(5) else { panic!() };
    assert_eq!((left.first_seen, right.first_seen), (0, 0));
    // Later for the left part only.
    assert_eq!((left.later, right.later), (2, 1));
}

#[test]
fn without_a_record_the_last_one_covers_more() {
    let mut receiver = receiver(Params { records: 2, ..Params::new(1, 128) }, Config { depth: 100, ..Config::defaults(1) }, 0);
    arrive(&mut receiver, [1, 3]);
    receiver.tick(40);
    arrive(&mut receiver, [5, 7]);
    receiver.tick(51);
    let [first, second] = feedback(&mut receiver)[..] else { panic!() };
    assert_eq!([(first.start, first.length), (second.start, second.length)], [(0, 1), (2, 5)]);
    assert_eq!((ranges(&receiver), receiver.statistics(5).unwrap().folded), (vec![(0, 0), (2, 6)], 2));
    assert_eq!(receiver.gaps(5)[1].first_seen, 0);
    // No record for a split: it stays whole, and ends when nothing in it is missing.
    arrive(&mut receiver, [4]);
    assert_eq!(ranges(&receiver), [(0, 0), (2, 6)]);
    arrive(&mut receiver, [6]);
    assert_eq!(ranges(&receiver), [(0, 0), (2, 2)]);
    arrive(&mut receiver, [2, 0]);
    assert_eq!((ranges(&receiver), receiver.window(5).unwrap().base()), (vec![], 8));
    assert_eq!(receiver.statistics(5).unwrap().misjudged, 4);
}

/// With several paths the message of a gap names its path, which needs its record.
#[test]
fn with_several_paths_a_reported_record_covers_more() {
    let params = Params { records: 2, paths: 2, ..Params::new(1, 128) };
    let mut receiver = receiver(params, Config { depth: 100, ..Config::defaults(1) }, 0);
    arrive(&mut receiver, [1, 3]);
    receiver.tick(51);
    assert_eq!(feedback(&mut receiver).len(), 2);
    arrive(&mut receiver, [5, 7]);
    assert_eq!((ranges(&receiver), receiver.statistics(5).unwrap().folded), (vec![(0, 0), (2, 6)], 2));
    // Told again, with its new range and its old age.
    assert_eq!((receiver.gaps(5)[1].state, receiver.gaps(5)[1].first_seen), (GapState::Lost, 0));
    let [ffm] = feedback(&mut receiver)[..] else { panic!() };
    assert_eq!((ffm.start, ffm.length), (2, 5));
}

fn told(receiver: &mut Receiver) -> Vec<(u32, u32, Cause)> {
    feedback(receiver).iter().map(|ffm| (ffm.start, ffm.length, ffm.status)).collect()
}

/// 30 gaps of one packet, every other number from `first` on, each of them told by the time the next one is seen but two.
fn thirty_gaps(first: u32) -> Receiver {
    let config = Config { depth: 3, wait: 10_000, refeedback: 400, ..Config::defaults(1) };
    let mut receiver = receiver(Params::new(1, 128), config, first);
    let gaps: Vec<u32> = (0..30).map(|at| psn::add(first, 2 * at)).collect();
    let mut messages = Vec::new();
    for &gap in &gaps {
        arrive(&mut receiver, [psn::add(gap, 1)]);
        messages.extend(told(&mut receiver));
    }
    arrive(&mut receiver, (60..64).map(|at| psn::add(first, at)));
    messages.extend(told(&mut receiver));
    // Each of them once, and none with what has arrived.
    assert_eq!(messages, gaps.iter().map(|&gap| (gap, 1, Cause::Depth)).collect::<Vec<_>>());
    let statistics = receiver.statistics(5).unwrap();
    assert_eq!((statistics.folded, statistics.spilled, receiver.gaps(5).len()), (0, 22, 8));
    assert_eq!(receiver.region(5).map(|region| region.edge), Some(gaps[21]));
    receiver
}

#[test]
fn more_gaps_than_records_are_told_one_by_one_and_told_again() {
    for first in [0, psn::SPACE - 20] {
        let mut receiver = thirty_gaps(first);
        receiver.tick(100);
        assert_eq!(told(&mut receiver), []);
        receiver.tick(101);
        let mut again = told(&mut receiver);
        again.sort_by_key(|&(start, ..)| psn::ahead(first, start));
        assert_eq!(again, (0..22).map(|at| (psn::add(first, 2 * at), 1, Cause::Repeated)).collect::<Vec<_>>());
        receiver.tick(201);
        assert_eq!(told(&mut receiver), []);
        // What has come meanwhile is not asked for.
        let at = |number| psn::add(first, number);
        for number in [at(0), at(10), at(42)] {
            receiver.arrive(5, number, 0, true);
        }
        receiver.tick(202);
        let again: Vec<u32> = told(&mut receiver).iter().map(|&(start, ..)| psn::ahead(first, start)).collect();
        assert_eq!(again, (1..21).filter(|&at| at != 5).map(|at| 2 * at).collect::<Vec<_>>());
        assert_eq!(receiver.statistics(5).unwrap().misjudged, 0);
        // Those with records later.
        receiver.tick(401);
        assert_eq!(told(&mut receiver).iter().filter(|&&(start, ..)| psn::ahead(first, start) > 42).count(), 8);
    }
}

#[test]
fn a_run_of_told_packets_is_one_message() {
    let config = Config { depth: 1, refeedback: 400, ..Config::defaults(1) };
    let mut receiver = receiver(Params { records: 1, ..Params::new(1, 128) }, config, 0);
    arrive(&mut receiver, [0, 5]);
    assert_eq!(told(&mut receiver), [(1, 4, Cause::Depth)]);
    arrive(&mut receiver, [7]);
    assert_eq!((receiver.region(5).map(|region| region.edge), ranges(&receiver)), (Some(4), vec![(6, 6)]));
    arrive(&mut receiver, [3]);
    receiver.tick(101);
    assert_eq!(told(&mut receiver), [(6, 1, Cause::Age), (1, 2, Cause::Repeated), (4, 1, Cause::Repeated)]);
}

#[test]
fn a_late_packet_of_the_region_is_a_misjudgement() {
    let mut receiver = thirty_gaps(psn::SPACE - 20);
    receiver.arrive(5, 2, 0, false);
    receiver.arrive(5, 4, 0, true);
    assert_eq!(receiver.statistics(5).unwrap().misjudged, 1);
}

#[test]
fn the_region_ends_when_the_base_has_passed_it() {
    let mut receiver = thirty_gaps(0);
    receiver.tick(70);
    for gap in 0..21 {
        receiver.arrive(5, 2 * gap, 0, true);
    }
    assert_eq!(receiver.region(5).map(|region| region.edge), Some(42));
    receiver.arrive(5, 42, 0, true);
    assert_eq!((receiver.region(5), receiver.window(5).unwrap().base()), (None, 44));
    // A queue pair that is opened again has none either.
    let mut receiver = thirty_gaps(0);
    receiver.open(5, 0, PathMode::Off);
    receiver.tick(200);
    assert_eq!((receiver.region(5), told(&mut receiver)), (None, vec![]));
}

/// A record that nobody has been told of stays: then the last one covers more.
#[test]
fn an_untold_record_does_not_give_way() {
    let config = Config { depth: 100, ..Config::defaults(1) };
    let mut receiver = receiver(Params::new(1, 128), config, 0);
    arrive(&mut receiver, (0..10).map(|at| 2 * at + 1));
    assert_eq!((receiver.region(5), receiver.statistics(5).unwrap().folded), (None, 2));
}

#[test]
fn a_group_counts_when_all_of_it_has_arrived() {
    let mut receiver = receiver(Params { granularity: 4, ..Params::new(1, 128) }, Config::defaults(4), 0);
    arrive(&mut receiver, [1, 8, 9, 10]);
    assert_eq!(ranges(&receiver), []);
    arrive(&mut receiver, [11]);
    assert_eq!(ranges(&receiver), [(0, 7)]);
    assert_eq!(receiver.window(5).unwrap().max(), 11);
    arrive(&mut receiver, [0, 7]);
    assert_eq!(ranges(&receiver), [(2, 6)]);
    arrive(&mut receiver, [2, 3]);
    assert_eq!((ranges(&receiver), receiver.window(5).unwrap().base()), (vec![(4, 6)], 4));
}

#[test]
fn feedback_waits_for_enough_or_long_enough() {
    let config = Config { feedback_threshold: 3, feedback_wait: 10, depth: 2, ..Config::defaults(1) };
    let mut first = receiver(Params::new(1, 128), config, 0);
    arrive(&mut first, [1, 2, 3]);
    assert_eq!((first.gaps(5)[0].state, feedback(&mut first).len()), (GapState::Lost, 0));
    arrive(&mut first, [6, 7]);
    assert_eq!(feedback(&mut first).iter().map(|ffm| (ffm.start, ffm.length)).collect::<Vec<_>>(), [(0, 1), (4, 2)]);
    let mut second = receiver(Params::new(1, 128), config, 0);
    arrive(&mut second, [1, 2, 3]);
    second.tick(10);
    assert_eq!(feedback(&mut second).len(), 0);
    second.tick(11);
    assert_eq!(feedback(&mut second).len(), 1);
}

#[test]
fn what_was_told_is_told_again() {
    let mut receiver = small();
    arrive(&mut receiver, [1001]);
    receiver.tick(51);
    assert_eq!(feedback(&mut receiver)[0].status, Cause::Age);
    receiver.tick(151);
    assert_eq!(feedback(&mut receiver).len(), 0);
    receiver.tick(152);
    let [ffm] = feedback(&mut receiver)[..] else { panic!() };
    assert_eq!((ffm.status, ffm.repeat, ffm.timestamp), (Cause::Repeated, 1, 152));
    receiver.arrive(5, 1000, 0, true);
    assert_eq!((receiver.gaps(5).len(), receiver.statistics(5).unwrap().misjudged), (0, 0));
}

#[test]
fn a_stall_by_packets() {
    let config = Config { depth: 100, stall_packets: 5, ..Config::defaults(1) };
    let mut receiver = receiver(Params::new(1, 128), config, 0);
    arrive(&mut receiver, [1, 3, 4, 5, 6]);
    // Five since the first gap was seen; the second gap is not at the base.
    assert!(receiver.gaps(5).iter().all(|gap| gap.state == GapState::Waiting));
    arrive(&mut receiver, [7, 8, 9, 10]);
    let states: Vec<GapState> = receiver.gaps(5).iter().map(|gap| gap.state).collect();
    assert_eq!(states, [GapState::Lost, GapState::Waiting]);
    assert_eq!(receiver.gaps(5)[0].cause, Cause::Stall);
}

fn paths(mode: PathMode, config: Config) -> Receiver {
    let mut receiver = Receiver::new(Params { paths: 4, ..Params::new(1, 128) }, config).unwrap();
    receiver.open(5, 0, mode);
    receiver
}

#[test]
fn striped_gaps_are_relaxed_until_their_path_has_gone_on() {
    // Paths of 0 to 7: 0 1 2 3 0 1 2 3.
    let mut receiver = paths(PathMode::Striped, Config::defaults(1));
    arrive(&mut receiver, [1, 2, 3]);
    receiver.tick(51);
    assert_eq!(receiver.gaps(5)[0].state, GapState::Waiting);
    arrive(&mut receiver, [4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(receiver.gaps(5)[0].state, GapState::Waiting);
    arrive(&mut receiver, [12]);
    assert_eq!((receiver.gaps(5)[0].state, receiver.gaps(5)[0].cause), (GapState::Lost, Cause::Overtaken));
    assert_eq!(
        receiver.path_statistics(5).iter().map(|path| (path.arrivals, path.losses)).collect::<Vec<_>>(),
        [(3, 1), (3, 0), (3, 0), (3, 0)]
    );
    // With a stripe of 64 the packet after the gap is on its path: as if there were one.
    let mut same = paths(PathMode::Striped, Config { stripe: 64, overtake: 100, ..Config::defaults(1) });
    arrive(&mut same, [1]);
    same.tick(51);
    assert_eq!(same.gaps(5)[0].cause, Cause::Age);
}

#[test]
fn tagged_gaps_wait_for_every_active_path() {
    let mut receiver = paths(PathMode::Tagged, Config::defaults(1));
    let mut over = |number, path| receiver.arrive(5, number, path, false).verdict;
    over(0, 0);
    over(1, 1);
    for number in [3, 4, 5, 6] {
        over(number, 0);
    }
    receiver.tick(60);
    assert_eq!(receiver.gaps(5)[0].state, GapState::Waiting);
    for number in [7, 8, 9] {
        assert_eq!(receiver.gaps(5)[0].state, GapState::Waiting);
        receiver.arrive(5, number, 1, false);
    }
    assert_eq!(receiver.gaps(5)[0].cause, Cause::Overtaken);
    // A path that was idle for long is no reason to wait.
    let mut idle = paths(PathMode::Tagged, Config::defaults(1));
    idle.arrive(5, 0, 1, false);
    idle.tick(101);
    for number in [2, 3, 4] {
        assert!(idle.gaps(5).iter().all(|gap| gap.state == GapState::Waiting));
        idle.arrive(5, number, 0, false);
    }
    assert_eq!(idle.gaps(5)[0].cause, Cause::Overtaken);
}

#[test]
fn records_that_hardware_has_read_anew_are_taken_over() {
    let mut receiver = Receiver::new(Params::new(1, 128), Config { range_ack: false, ..Config::defaults(1) }).unwrap();
    receiver.open(0, 0, PathMode::Off);
    for number in [2, 5, 6, 9] {
        receiver.arrive(0, number, 0, false);
    }
    let ranges = |receiver: &Receiver| receiver.gaps(0).iter().map(|gap| (gap.start, gap.end)).collect::<Vec<_>>();
    assert_eq!(ranges(&receiver), [(0, 1), (3, 4), (7, 8)]);
    receiver.merge(0, 0, 4);
    assert_eq!(ranges(&receiver), [(0, 4), (7, 8)]);
    // Between what has arrived only.
    receiver.part(0, 0, 0);
    receiver.part(0, 4, 4);
    assert_eq!(ranges(&receiver), [(0, 4), (7, 8)]);
    receiver.part(0, 3, 4);
    assert_eq!(ranges(&receiver), [(0, 1), (3, 4), (7, 8)]);
    receiver.merge(0, 0, 8);
    receiver.part(0, 3, 4);
    assert_eq!(ranges(&receiver), [(0, 1), (3, 4), (7, 8)]);
    // Nothing is there, or nobody.
    receiver.merge(0, 20, 30);
    receiver.merge(1, 0, 8);
    receiver.part(1, 0, 8);
    assert_eq!(ranges(&receiver), [(0, 1), (3, 4), (7, 8)]);
}
