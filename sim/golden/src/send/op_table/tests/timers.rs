//! Timers, negative acknowledgements, failures.

use super::*;

#[test]
fn a_timer_runs_for_its_ticks_and_not_much_longer() {
    let mut run = Run::new();
    run.table.advance(7, false);
    let op = run.sent(2);
    let entry = Retransmit { op, packet: 1, tries: 1 };
    run.table.advance(99, false);
    wrong(run.table.clone().retransmit(entry), "its timer runs since clock 7 until clock 107 at least");
    run.table.advance(1, false);
    run.table.clone().retransmit(entry).unwrap();
    wrong(run.table.clone().retransmit(Retransmit { tries: 2, ..entry }), "sent 0 times again");
    wrong(run.table.clone().retransmit(Retransmit { packet: 2, ..entry }), "was not sent yet");
    wrong(run.table.clone().retransmit(Retransmit { op: op + 1, ..entry }), "is free");
    // one tick, a scan, and the way to the port
    let bound = 10 + Params::DEFAULT.scan_period() + LATENCY;
    run.table.advance(bound, false);
    run.table.overdue().unwrap();
    // clocks in which the consumer stalls do not count
    run.table.advance(1000, true);
    run.table.overdue().unwrap();
    run.table.advance(1, false);
    wrong(run.table.overdue(), "a retransmission of packet 0");
    run.table.retransmit(Retransmit { packet: 0, ..entry }).unwrap();
    run.table.retransmit(entry).unwrap();
    wrong(run.table.clone().retransmit(entry), "asked for already");
    run.table.overdue().unwrap();
    assert_eq!(run.table.counters().timeouts, 2);
    wrong(run.table.sent(op, 2, true), "nobody asked for it");
    wrong(run.table.sent(op, 2, false), "2 of 2 have been");
}

#[test]
fn the_patience_doubles_up_to_the_cap_and_the_retry_limit_ends_it() {
    let mut run = Run::new();
    let op = run.sent(1);
    run.pass(100 + 200 + 350 - 1);
    assert_eq!(run.again, [(op, 0, 1), (op, 0, 2)]);
    run.pass(1);
    assert_eq!(run.again, [(op, 0, 1), (op, 0, 2), (op, 0, 3)]);
    run.pass(349);
    assert!(run.ended.is_empty());
    run.pass(1);
    assert_eq!((run.ended.as_slice(), run.aborts.as_slice()), (&[(op, 32)][..], &[op][..]));
    assert_eq!(run.done(op), Effect::Stale);
    wrong(run.table.clone().abort(op), "whose abort was told before");
    run.table.release(op).unwrap();
    run.table.finish().unwrap();
    let Counters { packets, retransmissions, timeouts, failures, .. } = *run.table.counters();
    assert_eq!([packets, retransmissions, timeouts, failures], [4, 3, 3, 1]);
    // huge numbers of tries do not overflow
    let config = Config { timeout: u32::MAX, backoff_cap: u32::MAX, ..CONFIG };
    assert_eq!([config.patience(0), config.patience(200)], [u64::from(u32::MAX); 2]);
}

#[test]
fn tries_beyond_the_cap_wait_as_long_as_the_cap_up_to_the_limit() {
    let config = Config { timeout: 3, backoff_cap: 1000, retry_limit: 31, ..CONFIG };
    let waits: Vec<u64> = (0..=31).map(|tries| config.patience(tries)).collect();
    assert_eq!(waits[..10], [3, 6, 12, 24, 48, 96, 192, 384, 768, 1000]);
    assert!(waits[9..].iter().all(|wait| *wait == 1000), "{waits:?}");
    let mut run = Run::with(Params::DEFAULT, config);
    let op = run.sent(1);
    run.pass(10 * waits[..31].iter().sum::<u64>());
    assert_eq!(run.again, (1..=31).map(|tries| (op, 0, tries)).collect::<Vec<_>>());
    run.pass(9999);
    assert!(run.ended.is_empty());
    run.pass(1);
    assert_eq!(run.ended, [(op, 32)]);
    assert_eq!(run.table.counters().retransmissions, 31);
}

#[test]
fn a_failure_may_not_come_early_and_must_come() {
    let mut run = Run::with(Params::DEFAULT, Config { retry_limit: 0, ..CONFIG });
    let op = run.sent(1);
    let ended = Ended { op, command: 5, kind: OpKind::Data, status: 32 };
    run.table.advance(99, false);
    wrong(run.table.clone().ended(ended), "is live");
    wrong(run.table.clone().abort(op), "the retry limit did not end");
    run.table.advance(1, false);
    wrong(run.table.clone().retransmit(Retransmit { op, packet: 0, tries: 1 }), "0 times again, of 0");
    wrong(run.table.clone().ended(Ended { status: 0, ..ended }), "is live");
    // the two may come in any order
    let mut other = run.table.clone();
    other.abort(op).unwrap();
    other.ended(ended).unwrap();
    run.table.ended(ended).unwrap();
    run.table.abort(op).unwrap();
    run.table.ended_taken(op).unwrap();
    assert_eq!((run.table.live(), other.live()), (0, 0));
    other.advance(10_000, false);
    other.overdue().unwrap();
}

#[test]
fn an_acknowledgement_in_the_clock_of_the_timeout_wins() {
    let mut run = Run::new();
    let op = run.sent(2);
    run.table.advance(100, false);
    assert_eq!(run.ack(op, 0, 1), acknowledged(1, false));
    // packet 0 is not due, packet 1 is
    run.pass(0);
    assert_eq!(run.again, [(op, 1, 1)]);
    // hardware may have had the entry of packet 0 on its way, but not for long
    run.table.advance(IN_FLIGHT, false);
    run.table.clone().retransmit(Retransmit { op, packet: 0, tries: 1 }).unwrap();
    run.table.advance(1, false);
    wrong(run.table.retransmit(Retransmit { op, packet: 0, tries: 1 }), "acknowledged since clock 100");
    assert_eq!((run.table.counters().timeouts, run.table.uncertain_timeouts()), (1, 1));
}

#[test]
fn an_acknowledgement_beside_the_last_timeout_may_lose_if_hardware_was_first() {
    let mut run = Run::with(Params::DEFAULT, Config { retry_limit: 0, ..CONFIG });
    let op = run.sent(1);
    run.table.advance(100, false);
    assert_eq!(run.done(op), acknowledged(1, true));
    assert_eq!(run.table.uncertain_acks(), 1);
    let ended = Ended { op, command: 5, kind: OpKind::Data, status: 0 };
    let mut won = run.table.clone();
    won.ended(ended).unwrap();
    wrong(won.abort(op), "did not end");
    let mut lost = run.table.clone();
    lost.ended(Ended { status: 32, ..ended }).unwrap();
    wrong(lost.clone().finish(), "not released");
    lost.ended_taken(op).unwrap();
    lost.release(op).unwrap();
    wrong(lost.clone().finish(), "the abort of op 0x0000 missing");
    lost.abort(op).unwrap();
    lost.finish().unwrap();
    assert_eq!((lost.counters().completed, lost.counters().failures), (0, 1));
    // but not much later
    run.table.advance(LATENCY + 1 + EACH, false);
    wrong(run.table.ended(Ended { status: 32, ..ended }), "ends with status 0");
}

#[test]
fn a_retransmission_that_waits_is_dropped_when_its_packet_is_acknowledged() {
    let mut run = Run::new();
    let op = run.sent(2);
    run.table.advance(500, true);
    run.ack(op, 0, 2);
    run.table.advance(IN_FLIGHT + 1, true);
    wrong(run.table.clone().retransmit(Retransmit { op, packet: 1, tries: 1 }), "acknowledged since");
    run.table.retransmit(Retransmit { op, packet: 0, tries: 1 }).unwrap();
    run.done(op);
    // it is on its way in the engine, and may be sent still
    run.table.sent(op, 0, true).unwrap();
    run.settle();
    assert_eq!(run.ended, [(op, 0)]);
    assert_eq!(run.table.counters().packets, 3);
}

#[test]
fn a_negative_acknowledgement_repeats_its_packets_at_once() {
    let mut run = Run::new();
    let op = run.sent(4);
    run.ack(op, 0, 1);
    let nack = |mask| Ack::Packets { op, first: 0, status: 8, mask };
    assert_eq!(run.table.ack(nack(1)), Effect::Duplicate);
    assert_eq!(run.table.ack(nack(0b1_0000)), Effect::Stale);
    assert_eq!(run.table.ack(nack(0b111)), Effect::Negative);
    let mut idle = run.table.clone();
    idle.advance(LATENCY + 1, false);
    wrong(idle.overdue(), "a retransmission of packet 1 of op 0x0000 is overdue: negative since clock 0");
    run.pass(0);
    assert_eq!(run.again, [(op, 1, 1), (op, 2, 1)]);
    // the repetition was the first try, so it waits twice as long
    run.pass(100);
    assert_eq!(run.again[2..], [(op, 3, 1)]);
    run.pass(99);
    assert_eq!(run.again.len(), 3);
    run.pass(1);
    assert_eq!(run.again[3..], [(op, 1, 2), (op, 2, 2)]);
    // the last try: another negative one ends the operation
    run.table.ack(nack(2));
    run.pass(0);
    assert_eq!(run.again[5..], [(op, 1, 3)]);
    run.table.ack(nack(2));
    run.pass(0);
    assert_eq!((run.ended.as_slice(), run.aborts.as_slice()), (&[(op, 32)][..], &[op][..]));
    assert_eq!(run.table.counters().nacks, 3);
}

#[test]
fn a_second_cause_for_the_same_retransmission_may_have_its_own_entry_but_need_not() {
    let mut run = Run::new();
    let op = run.sent(1);
    let nack = Ack::Packets { op, first: 0, status: 8, mask: 1 };
    run.table.ack(nack);
    run.table.ack(nack);
    let entry = Retransmit { op, packet: 0, tries: 1 };
    run.table.retransmit(entry).unwrap();
    run.table.clone().retransmit(entry).unwrap();
    // while the engine holds the entry, the timer that still runs is owed nothing
    let mut held = run.table.clone();
    held.advance(100_000, false);
    held.overdue().unwrap();
    run.table.sent(op, 0, true).unwrap();
    run.table.advance(LATENCY + 1, false);
    run.table.overdue().unwrap();
    run.table.retransmit(entry).unwrap();
    wrong(run.table.retransmit(entry), "its timer runs");
}

#[test]
fn overlap_waits_and_is_tried_again() {
    let mut run = Run::new();
    let op = run.sent(2);
    run.pass(60);
    let overlap = Ack::Completion { op, status: 7 };
    assert_eq!(run.table.ack(overlap), Effect::Negative);
    run.pass(39);
    assert!(run.again.is_empty());
    // each keeps its timer: that of the start is its back-off
    run.pass(1);
    assert_eq!(run.again, [(op, 0, 1), (op, 1, 1)]);
    // the second try backs off for longer
    run.table.ack(overlap);
    run.ack(op, 0, 2);
    run.pass(199);
    assert_eq!(run.again.len(), 2);
    run.pass(1);
    run.pass(350);
    assert_eq!(run.again[2..], [(op, 0, 2), (op, 0, 3)]);
    run.table.ack(overlap);
    run.pass(350);
    assert_eq!(run.ended, [(op, 32)]);
    // once the start is acknowledged it cannot overlap
    let op = run.sent(2);
    run.ack(op, 0, 1);
    assert_eq!(run.table.ack(Ack::Completion { op, status: 7 }), Effect::Duplicate);
    assert_eq!(run.table.counters().nacks, 3);
}

#[test]
fn every_other_reason_ends_it_at_once_and_without_an_abort() {
    let mut run = Run::new();
    for status in (1..=16).filter(|&status| status != 7) {
        let op = run.allocate(4);
        run.table.sent(op, 0, false).unwrap();
        assert_eq!(run.table.ack(Ack::Completion { op, status }), Effect::Failed);
        // the engine had begun already
        run.table.sent(op, 1, false).unwrap();
        run.pass(0);
        assert_eq!(run.ended.pop(), Some((op, status)));
        let entry = Retransmit { op, packet: 0, tries: 1 };
        run.table.advance(IN_FLIGHT + 200, false);
        wrong(run.table.clone().retransmit(entry), "ended at clock");
        wrong(run.table.clone().abort(op), "did not end");
        run.table.release(op).unwrap();
    }
    assert!(run.aborts.is_empty());
    run.table.finish().unwrap();
    assert_eq!(run.table.counters().failures, 15);
}

#[test]
fn an_operation_whose_payload_cannot_be_fetched_fails() {
    let mut run = Run::new();
    let op = run.allocate(4);
    run.table.load_failed(op, status::CDMA_ERROR);
    run.table.load_failed(op, status::CDMA_DEAD);
    let mut idle = run.table.clone();
    idle.advance(LATENCY + 1, false);
    wrong(idle.overdue(), "the end of op 0x0000 with status 34 is overdue");
    run.pass(0);
    assert_eq!(run.ended, [(op, 34)]);
    run.table.release(op).unwrap();
    run.table.finish().unwrap();
}
