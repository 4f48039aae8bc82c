use super::*;

#[test]
fn below_inside_and_above_the_window() {
    let mut receiver = small();
    let mut verdict = |number| receiver.arrive(5, number, 0, false).verdict;
    assert_eq!(verdict(999), Verdict::Duplicate);
    assert_eq!(verdict(1000 + 128), Verdict::OutOfWindow);
    assert_eq!(verdict(1000 + psn::HALF), Verdict::OutOfWindow);
    assert_eq!(verdict(1000 + psn::HALF + 1), Verdict::Duplicate);
    assert_eq!(verdict(1000 + 127), Verdict::New);
    assert_eq!(verdict(1000 + 127), Verdict::Duplicate);
    assert_eq!(verdict(1000), Verdict::New);
    assert_eq!(verdict(1000 + 128), Verdict::New);
    assert_eq!(receiver.arrive(6, 1000, 0, false).verdict, Verdict::UnknownQp);
    assert_eq!((receiver.unknown_qp(), receiver.statistics(5).unwrap().out_of_window), (1, 2));
    assert_eq!(receiver.last_duplicate(), Some((5, 1127, 0, 0)));
}

#[test]
fn a_duplicate_below_the_base_brings_the_acknowledgement_again() {
    let mut receiver = small();
    arrive(&mut receiver, [1000, 1001]);
    let ack = Message::Ack(Ack { qp: 5, psn: 1001, credits: 31 });
    assert_eq!(messages(&mut receiver), [ack]);
    receiver.arrive(5, 1000, 0, true);
    assert_eq!(messages(&mut receiver), [ack]);
    arrive(&mut receiver, [1003]);
    messages(&mut receiver);
    receiver.arrive(5, 1003, 0, true);
    assert_eq!(messages(&mut receiver), []);
}

#[test]
fn acknowledgements_that_wait_merge_into_the_newest() {
    let mut receiver = small();
    arrive(&mut receiver, 1000..1010);
    assert_eq!(messages(&mut receiver), [Message::Ack(Ack { qp: 5, psn: 1009, credits: 31 })]);
    arrive(&mut receiver, [1012, 1013, 1015]);
    assert_eq!(messages(&mut receiver), [Message::Range(RangeAck { qp: 5, base: 1010, start: 1015, length: 1 })]);
}

#[test]
fn what_a_reopened_queue_pair_had_is_forgotten() {
    let mut receiver = small();
    arrive(&mut receiver, [1001, 1020]);
    assert_eq!(receiver.gaps(5).len(), 2);
    receiver.open(5, 1000, PathMode::Off);
    assert_eq!((receiver.gaps(5), receiver.window(5).unwrap().max()), (&[][..], 999));
    arrive(&mut receiver, [1001, 1020]);
    assert!(receiver.close(5) && !receiver.close(5));
    assert_eq!(receiver.arrive(5, 1000, 0, false).verdict, Verdict::UnknownQp);
    assert_eq!(messages(&mut receiver), []);
    assert_eq!(receiver.free_segments(), 8);
}

#[test]
fn the_start_moves_in_multiples_and_the_base_is_exact() {
    let params = Params { granularity: 4, ..Params::new(1, 128) };
    let mut receiver = receiver(params, Config { slide_step: 8, ..Config::defaults(4) }, 1000);
    arrive(&mut receiver, 1000..1007);
    let window = receiver.window(5).unwrap();
    assert_eq!((window.start(), window.base(), window.size()), (1000, 1007, 512));
    arrive(&mut receiver, [1007]);
    assert_eq!((receiver.window(5).unwrap().start(), receiver.window(5).unwrap().base()), (1008, 1008));
}

#[test]
fn hardware_may_be_behind_with_its_start() {
    let mut receiver = small();
    arrive(&mut receiver, 1001..1100);
    arrive(&mut receiver, [1000]);
    assert_eq!(receiver.arrive_within(5, 1190, 0, false, 1050).verdict, Verdict::OutOfWindow);
    assert_eq!(receiver.arrive_within(5, 1100, 0, false, 1050).verdict, Verdict::New);
    assert_eq!(receiver.arrive_within(5, 1060, 0, false, 1050).verdict, Verdict::Duplicate);
    assert_eq!(receiver.arrive_within(5, 1049, 0, false, 1050).verdict, Verdict::Duplicate);
    assert_eq!(receiver.arrive_within(5, 1190, 0, false, 1101).verdict, Verdict::New);
}

#[test]
fn the_right_edge_never_moves_back() {
    let params = Params { pool: 4, ..Params::new(2, 128) };
    let mut receiver = receiver(params, Config { advertise: true, ..Config::defaults(1) }, 0);
    assert_eq!((receiver.segments(5), receiver.free_segments()), (2, 2));
    receiver.set_target(5, 5);
    assert_eq!((receiver.segments(5), receiver.free_segments(), receiver.pool_exhausted()), (4, 0, 1));
    assert!(!receiver.open(6, 0, PathMode::Off));
    arrive(&mut receiver, [255]);
    receiver.set_target(5, 1);
    assert_eq!((receiver.window(5).unwrap().size(), receiver.segments(5)), (256, 4));
    arrive(&mut receiver, 0..64);
    assert_eq!((receiver.window(5).unwrap().size(), receiver.segments(5)), (192, 3));
    assert_eq!(receiver.arrive(5, 256, 0, false).verdict, Verdict::OutOfWindow);
    arrive(&mut receiver, 64..255);
    assert_eq!((receiver.window(5).unwrap().size(), receiver.segments(5), receiver.free_segments()), (64, 1, 3));
    let last = messages(&mut receiver).pop();
    assert_eq!(last, Some(Message::Ack(Ack { qp: 5, psn: 255, credits: 6 })));
}

#[test]
fn a_queue_pair_that_was_kept_short_grows_when_another_closes() {
    let params = Params { pool: 4, ..Params::new(2, 128) };
    let mut receiver = receiver(params, Config { qp_segments: 3, ..Config::defaults(1) }, 0);
    assert!(receiver.open(6, 0, PathMode::Off));
    receiver.set_target(5, 9);
    assert_eq!(receiver.segments(5), 2);
    receiver.close(6);
    arrive(&mut receiver, [0]);
    assert_eq!((receiver.segments(5), receiver.free_segments()), (3, 1));
}

#[test]
fn length_from_the_bandwidth_delay_product() {
    let demand = Demand { bandwidth: 12_500, rtt: 100, mtu: 1024, headroom: 16, load: 16, congestion: 0 };
    // 1221 packets
    assert_eq!(target_segments(&demand, 64, 2, 256), 20);
    assert_eq!(target_segments(&Demand { headroom: 20, ..demand }, 64, 2, 256), 24);
    assert_eq!(target_segments(&Demand { congestion: 8, ..demand }, 64, 2, 256), 10);
    assert_eq!(target_segments(&Demand { rtt: 0, ..demand }, 64, 2, 256), 2);
    assert_eq!(target_segments(&Demand { rtt: 1 << 30, ..demand }, 64, 2, 256), 256);
    assert_eq!((credits(1), credits(127), credits(128)), (0, 6, 7));
}

#[test]
fn impossible_parameters_are_refused() {
    let refused = |params, config| Receiver::new(params, config).unwrap_err();
    let params = Params::new(1, 128);
    assert!(refused(Params { bits: 100, ..params }, Config::defaults(1)).contains("not a multiple"));
    let wide = Params { bits: 1 << 20, granularity: 8, ..params };
    assert!(refused(wide, Config::defaults(8)).contains("less than 8388608 is possible"));
    assert!(refused(params, Config { slide_step: 65, ..Config::defaults(1) }).contains("up to 64"));
    assert!(refused(params, Config { relax: 17, ..Config::defaults(1) }).contains("relax 17"));
}
