//! The spec's examples, situations one by one, and random traffic beside a set of numbers and over a bad network.

mod beside;
mod gaps;
mod lossy;
mod sending;
mod windows;

use super::*;

/// A receiver with queue pair 5 open at `initial`.
fn receiver(params: Params, config: Config, initial: u32) -> Receiver {
    let mut receiver = Receiver::new(params, config).unwrap();
    assert!(receiver.open(5, initial, PathMode::Off));
    receiver
}

fn small() -> Receiver {
    receiver(Params::new(4, 128), Config::defaults(1), 1000)
}

/// `psns` arrive at queue pair 5, new all of them.
fn arrive(receiver: &mut Receiver, psns: impl IntoIterator<Item = u32>) {
    for number in psns {
        assert_eq!(receiver.arrive(5, number, 0, false).verdict, Verdict::New, "{number}");
    }
}

fn messages(receiver: &mut Receiver) -> Vec<Message> {
    std::iter::from_fn(|| receiver.message()).collect()
}

fn feedback(receiver: &mut Receiver) -> Vec<Ffm> {
    let ffm = |message| if let Message::Ffm(ffm) = message { Some(ffm) } else { None };
    messages(receiver).into_iter().filter_map(ffm).collect()
}

#[test]
fn worked_example_of_the_tolerance() {
    // D = 8 packets, T_wait = 50, T_stall = 80 ticks of a microsecond.
    let config = Config::defaults(1);
    assert_eq!((config.depth, config.wait, config.stall), (8, 50, 80));
    for depth_mode in [DepthMode::Distance, DepthMode::Arrivals] {
        let gap_at = |later: u32, ticks: u64| {
            let mut receiver = receiver(Params::new(1, 128), Config { depth_mode, ..config }, 1000);
            arrive(&mut receiver, 1001..=1000 + later);
            receiver.tick(ticks);
            (receiver.gaps(5)[0].state, receiver.gaps(5)[0].cause)
        };
        assert_eq!(gap_at(3, 20).0, GapState::Waiting);
        assert_eq!(gap_at(8, 20).0, GapState::Waiting);
        assert_eq!(gap_at(9, 20), (GapState::Lost, Cause::Depth));
        assert_eq!(gap_at(3, 50).0, GapState::Waiting);
        assert_eq!(gap_at(3, 51), (GapState::Lost, Cause::Age));
    }
    // The stall alone: the age has more patience.
    let config = Config { wait: 1000, ..config };
    for (ticks, state) in [(80, GapState::Waiting), (81, GapState::Lost)] {
        let mut receiver = receiver(Params::new(1, 128), config, 1000);
        arrive(&mut receiver, [1001, 1002, 1003]);
        receiver.tick(ticks);
        assert_eq!(receiver.gaps(5)[0].state, state, "{ticks}");
    }
}

#[test]
fn worked_example_of_the_sender() {
    let mut sender = Sender::new(128, sender::Config::DEFAULT);
    sender.open(5, 1000);
    assert_eq!((1000..=1015).map(|_| sender.send(5).unwrap()).collect::<Vec<_>>(), (1000..=1015).collect::<Vec<_>>());
    let mut receiver = small();
    arrive(&mut receiver, [1000, 1001, 1002, 1004, 1005]);
    let [gap] = receiver.gaps(5) else { panic!("{:?}", receiver.gaps(5)) };
    assert_eq!((gap.start, gap.length(), gap.state), (1003, 1, GapState::Waiting));
    for message in messages(&mut receiver) {
        assert!(match message {
            Message::Ack(ack) => sender.ack(ack),
            Message::Range(range) => range == RangeAck { qp: 5, base: 1003, start: 1004, length: 2 } && sender.range_ack(range),
            Message::Ffm(_) => false,
        });
    }
    assert_eq!((sender.base(5), sender.retransmit()), (Some(1003), None));

    receiver.tick(51);
    sender.tick(51);
    let told = messages(&mut receiver);
    let [Message::Ffm(ffm)] = told[..] else { panic!("{told:?}") };
    assert_eq!((ffm.start, ffm.length, ffm.edge, ffm.base, ffm.status), (1003, 1, 1005, 1003, Cause::Age));
    assert_eq!(receiver.gaps(5)[0].state, GapState::Reported);
    assert_eq!(sender.feedback(&ffm), 1);
    let again = sender.retransmit().unwrap();
    assert_eq!((again.start, again.length), (1003, 1));
    assert_eq!((sender.retransmit(), sender.state(5, 1003)), (None, Some(sender::State::Retransmitted)));

    let arrived = receiver.arrive(5, 1003, 0, true);
    assert_eq!(arrived, Arrived { verdict: Verdict::New, base: 1006, max: 1005 });
    let told = messages(&mut receiver);
    let [Message::Ack(ack)] = told[..] else { panic!("{told:?}") };
    assert!(sender.ack(ack));
    assert_eq!((ack.psn, sender.base(5), sender.next(5)), (1005, Some(1006), Some(1016)));
    assert_eq!(sender.state(5, 1003), Some(sender::State::Completed));
    assert_eq!(receiver.statistics(5).unwrap().misjudged, 0);
}
