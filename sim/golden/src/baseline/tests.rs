use super::*;
use crate::bitmap::psn::SPACE;
use go_back_n::{Answer, Verdict};

const CONFIG: Config = Config { window: 8, rto: 10, rto_cap: 30 };

#[test]
fn go_back_n_asks_once_and_goes_back() {
    let mut receiver = go_back_n::Receiver::default();
    let mut sender = go_back_n::Sender::new(CONFIG);
    let first = SPACE - 2;
    receiver.open(3, first);
    sender.open(3, first);
    let sent: Vec<u32> = std::iter::from_fn(|| sender.send(3)).collect();
    assert_eq!(sent, [first, first + 1, 0, 1, 2, 3, 4, 5]);
    assert_eq!(receiver.arrive(3, first), Some((Verdict::New, Some(Answer::Ack { psn: first }))));
    // one is lost, and three more arrive for nothing
    assert_eq!(receiver.arrive(3, 0), Some((Verdict::OutOfOrder, Some(Answer::Nak { psn: first + 1 }))));
    assert_eq!(receiver.arrive(3, 1), Some((Verdict::OutOfOrder, None)));
    assert_eq!(receiver.arrive(3, first), Some((Verdict::Duplicate, Some(Answer::Ack { psn: first }))));
    sender.nak(3, first + 1);
    assert_eq!((sender.base(3), sender.naks, sender.send(3)), (Some(first + 1), 1, None));
    let again: Vec<u32> = std::iter::from_fn(|| sender.again(3)).collect();
    assert_eq!(again, [first + 1, 0, 1, 2, 3, 4, 5]);
    for number in again {
        assert_eq!(receiver.arrive(3, number), Some((Verdict::New, Some(Answer::Ack { psn: number }))));
        sender.ack(3, number);
    }
    assert_eq!((sender.base(3), receiver.base(3), sender.again(3)), (Some(6), Some(6), None));
    sender.tick(1000);
    assert_eq!(sender.timeouts, 0);
}

#[test]
fn go_back_n_finds_the_end_by_its_timer_alone() {
    let mut sender = go_back_n::Sender::new(CONFIG);
    sender.open(0, 0);
    for number in 0..3 {
        assert_eq!(sender.send(0), Some(number));
    }
    sender.ack(0, 0);
    // 10 ticks, then 20, then 30 and no more
    for (tick, again) in [(10, false), (11, true), (31, false), (32, true), (62, false), (63, true), (93, false), (94, true)] {
        sender.tick(tick);
        let found: Vec<u32> = std::iter::from_fn(|| sender.again(0)).collect();
        assert_eq!(found, if again { vec![1, 2] } else { vec![] }, "tick {tick}");
    }
    // what it cannot know changes nothing
    sender.nak(0, 7);
    sender.ack(0, 3);
    sender.ack(0, SPACE - 1);
    assert_eq!((sender.base(0), sender.again(0), sender.timeouts), (Some(1), None, 4));
}

#[test]
fn each_packet_has_a_timer_of_its_own() {
    let mut receiver = timers::Receiver::default();
    let mut sender = timers::Sender::new(CONFIG);
    receiver.open(1, SPACE - 1);
    sender.open(1, SPACE - 1);
    assert_eq!(std::iter::from_fn(|| sender.send(1)).count(), 8);
    for number in [SPACE - 1, 1, 2, 4, 5, 6] {
        assert_eq!(receiver.arrive(1, number), Some(true));
        sender.ack(1, number);
    }
    assert_eq!((receiver.arrive(1, 2), receiver.base(1), sender.base(1), sender.send(1)), (Some(false), Some(0), Some(0), Some(7)));
    sender.tick(10);
    assert_eq!(sender.again(), None);
    sender.tick(11);
    // what is acknowledged while it waits for its turn is not sent again
    sender.ack(1, 3);
    assert_eq!((sender.again(), sender.again(), sender.timeouts), (Some((1, 0)), Some((1, 7)), 3));
    sender.tick(31);
    assert_eq!(sender.again(), None);
    sender.tick(32);
    assert_eq!(sender.again(), Some((1, 0)));
    sender.ack(1, 0);
    assert_eq!(
        (sender.base(1), receiver.arrive(1, 0), receiver.arrive(1, 3), receiver.base(1)),
        (Some(7), Some(true), Some(true), Some(7))
    );
}
