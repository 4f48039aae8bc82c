use super::sender::{Bucket, Config, Mode, Retransmit, State};
use super::*;

fn sender(config: Config, sent: u32) -> Sender {
    let mut sender = Sender::new(128, config);
    sender.open(5, 0);
    (0..sent).for_each(|number| assert_eq!(sender.send(5), Some(number)));
    sender
}

fn ffm(start: u32, length: u32) -> Ffm {
    let (edge, status) = (start + length, Cause::Depth);
    Ffm { qp: 5, start, length, edge, base: 0, timestamp: 0, path: 0, status, depth: 0, repeat: 0, misjudged: 0 }
}

fn operations(sender: &mut Sender) -> Vec<(u32, u32)> {
    std::iter::from_fn(|| sender.retransmit()).map(|Retransmit { start, length, .. }| (start, length)).collect()
}

fn range(start: u32, length: u32) -> RangeAck {
    RangeAck { qp: 5, base: 0, start, length }
}

#[test]
fn single_interval_and_aggregated() {
    let mixed = |mode| {
        let mut sender = sender(Config { mode, ..Config::DEFAULT }, 32);
        assert!(sender.range_ack(range(14, 1)));
        assert_eq!(sender.feedback(&ffm(3, 2)) + sender.feedback(&ffm(8, 1)) + sender.feedback(&ffm(13, 3)), 5);
        let at_once = operations(&mut sender);
        sender.tick(3);
        (at_once, operations(&mut sender))
    };
    assert_eq!(mixed(Mode::Single), (vec![(3, 1), (4, 1), (8, 1), (13, 1), (15, 1)], vec![]));
    assert_eq!(mixed(Mode::Interval), (vec![(3, 2), (8, 1), (13, 1), (15, 1)], vec![]));
    // Three between 4 and 8, four between 8 and 13; 14 has arrived and is not sent again.
    assert_eq!(mixed(Mode::Aggregated), (vec![], vec![(3, 11), (15, 1)]));
}

#[test]
fn one_retransmission_per_time_window() {
    let mut sender = sender(Config::DEFAULT, 8);
    assert_eq!((sender.feedback(&ffm(2, 1)), sender.feedback(&ffm(2, 1))), (1, 0));
    assert_eq!(operations(&mut sender), [(2, 1)]);
    sender.tick(50);
    assert_eq!(sender.feedback(&ffm(2, 1)), 0);
    assert_eq!(sender.manage(5, 2, 1), 1);
    assert_eq!(operations(&mut sender), [(2, 1)]);
    sender.tick(101);
    assert_eq!(sender.feedback(&ffm(2, 1)), 1);
    assert_eq!(sender.counters().suppressed, 2);
}

#[test]
fn what_was_never_sent_or_has_arrived_is_not_sent_again() {
    let mut sender = sender(Config::DEFAULT, 8);
    assert!(sender.range_ack(range(4, 2)));
    assert_eq!(sender.feedback(&ffm(4, 10)), 2);
    assert_eq!(operations(&mut sender), [(6, 1), (7, 1)]);
    assert_eq!(sender.feedback(&ffm(0, 0)) + sender.feedback(&ffm(0, u32::MAX)), 0);
    assert_eq!(sender.feedback(&Ffm { qp: 6, ..ffm(0, 1) }), 0);
    assert_eq!([0, 4, 6, 8].map(|at| sender.state(5, at).unwrap()), [State::Sent, State::Acknowledged, State::Retransmitted, State::Free]);
}

#[test]
fn an_acknowledgement_takes_packets_out_of_the_queue() {
    let mut sender = sender(Config::DEFAULT, 8);
    assert_eq!(sender.feedback(&ffm(1, 4)), 4);
    assert!(sender.range_ack(range(2, 1)));
    assert!(sender.ack(Ack { qp: 5, psn: 1, credits: 31 }));
    assert_eq!((operations(&mut sender), sender.base(5)), (vec![(3, 1), (4, 1)], Some(3)));
}

#[test]
fn impossible_acknowledgements_change_nothing() {
    let mut sender = sender(Config::DEFAULT, 8);
    let ack = |psn| Ack { qp: 5, psn, credits: 31 };
    assert!(sender.ack(ack(3)));
    for bad in [ack(2), ack(8), ack(psn::HALF), Ack { qp: 9, ..ack(5) }] {
        assert!(!sender.ack(bad), "{bad:?}");
    }
    for bad in [range(4, 0), range(4, 5), range(3, 1), RangeAck { base: 9, ..range(5, 1) }, range(5, u32::MAX)] {
        assert!(!sender.range_ack(RangeAck { base: bad.base.max(4), ..bad }), "{bad:?}");
    }
    assert_eq!((sender.counters().bad_ack, sender.base(5), sender.next(5)), (9, Some(4), Some(8)));
}

#[test]
fn a_window_that_does_not_move() {
    let mut sender = sender(Config { retry_limit: 3, ..Config::DEFAULT }, 5);
    assert!(sender.range_ack(range(1, 1)));
    sender.tick(200);
    assert_eq!(sender.state(5, 0), Some(State::Sent));
    sender.tick(201);
    assert_eq!(
        [0, 1, 2, 4].map(|at| sender.state(5, at).unwrap()),
        [State::Pending, State::Acknowledged, State::Suspected, State::Pending]
    );
    assert_eq!(operations(&mut sender), [(0, 1), (4, 1)]);
    assert_eq!(sender.feedback(&ffm(2, 2)), 2);
    // Twice the time, then the end.
    assert_eq!((sender.tick(601), sender.counters().timeouts), (vec![], 1));
    assert_eq!((sender.tick(602), sender.counters().timeouts), (vec![], 2));
    assert_eq!(sender.tick(1403), [5]);
    assert!(sender.in_error(5) && sender.retransmit().is_none() && sender.send(5).is_none());
    assert_eq!(Config::DEFAULT.patience(40), 10_000);
}

#[test]
fn a_timer_leaves_alone_what_has_just_been_sent_again() {
    let mut sender = sender(Config::DEFAULT, 8);
    assert_eq!(sender.feedback(&ffm(2, 1)), 1);
    assert_eq!(operations(&mut sender), [(2, 1)]);
    sender.tick(160);
    assert_eq!(sender.feedback(&ffm(4, 2)) + sender.feedback(&ffm(0, 1)), 3);
    assert_eq!(operations(&mut sender), [(0, 1), (4, 1), (5, 1)]);
    sender.tick(201);
    // The base goes in any case; 4 and 5 may be on their way.
    assert_eq!(
        [0, 1, 2, 4, 5, 7].map(|at| sender.state(5, at).unwrap()),
        [State::Pending, State::Suspected, State::Suspected, State::Retransmitted, State::Retransmitted, State::Pending]
    );
    assert_eq!(operations(&mut sender), [(0, 1), (7, 1)]);
    assert_eq!(sender.feedback(&ffm(1, 6)), 4);
    sender.tick(211);
    assert_eq!(sender.feedback(&ffm(4, 2)), 2);
}

#[test]
fn an_advance_starts_the_timer_again() {
    let mut sender = sender(Config::DEFAULT, 5);
    sender.tick(201);
    assert!(sender.ack(Ack { qp: 5, psn: 0, credits: 31 }));
    sender.tick(401);
    assert_eq!(sender.counters().timeouts, 1);
    sender.tick(402);
    assert_eq!(sender.counters().timeouts, 2);
}

#[test]
fn recovery_keeps_to_the_rate_and_goes_first() {
    let mut sender = sender(Config::DEFAULT, 8);
    sender.set_bucket(Bucket::new(1024, 2048));
    assert_eq!(sender.feedback(&ffm(0, 4)), 4);
    assert_eq!(sender.send(5), None);
    assert_eq!(operations(&mut sender), [(0, 1), (1, 1)]);
    sender.tick(1);
    assert_eq!((sender.send(5), operations(&mut sender)), (None, vec![(2, 1)]));
    sender.tick(3);
    assert_eq!((operations(&mut sender), sender.send(5), sender.send(5)), (vec![(3, 1)], Some(8), None));
    // What is in flight counts for both windows.
    sender.set_bucket(Bucket::default());
    sender.set_congestion_window(5, 9);
    assert_eq!(sender.send(5), None);
    sender.set_congestion_window(5, 10);
    assert_eq!(sender.send(5), Some(9));
}

#[test]
fn few_retransmissions_at_a_time() {
    let mut sender = sender(Config { mode: Mode::Interval, rtx_window: 3, ..Config::DEFAULT }, 8);
    assert_eq!(sender.feedback(&ffm(0, 6)), 6);
    assert_eq!(operations(&mut sender), [(0, 3)]);
    assert!(sender.ack(Ack { qp: 5, psn: 1, credits: 31 }));
    assert_eq!(operations(&mut sender), [(3, 2)]);
}

#[test]
fn queue_pairs_take_turns() {
    let mut sender = sender(Config::DEFAULT, 4);
    sender.open(9, 100);
    (100..104).for_each(|number| assert_eq!(sender.send(9), Some(number)));
    sender.feedback(&ffm(0, 2));
    sender.feedback(&Ffm { qp: 9, ..ffm(100, 2) });
    assert_eq!(operations(&mut sender), [(0, 1), (100, 1), (1, 1), (101, 1)]);
    sender.feedback(&ffm(2, 1));
    assert!(sender.close(5));
    assert_eq!(operations(&mut sender), []);
}

#[test]
fn never_at_or_beyond_what_the_receiver_allows() {
    let mut sender = sender(Config::DEFAULT, 4);
    (4..128).for_each(|number| assert_eq!(sender.send(5), Some(number)));
    assert_eq!(sender.send(5), None);
    // 2^7 from 2 on.
    assert!(sender.ack(Ack { qp: 5, psn: 1, credits: 7 }));
    assert_eq!((sender.send(5), sender.send(5), sender.send(5)), (Some(128), Some(129), None));
    // Less does not move it back, and what was told goes before the base length.
    assert!(sender.ack(Ack { qp: 5, psn: 9, credits: 4 }));
    assert!(sender.range_ack(RangeAck { base: 11, ..range(20, 1) }));
    assert_eq!(sender.send(5), None);
}
