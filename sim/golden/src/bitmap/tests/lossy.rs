//! Sender and receiver over a network that loses, delays and repeats in both directions.

use super::sender::{Mode, State};
use super::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Ticks from one end to the other.
const DELAY: u64 = 10;

enum Thing {
    Packet { number: u32, path: u8, again: bool },
    Message(Message),
}

struct Network {
    rng: ChaCha8Rng,
    under_way: BTreeMap<(u64, u64), Thing>,
    things: u64,
    /// of 1000
    loss: u32,
    /// ticks that a thing may be late
    late: u64,
}

impl Network {
    fn put(&mut self, now: u64, thing: impl Fn() -> Thing) {
        for _ in 0..1 + u32::from(self.loss > 0 && self.rng.random_range(0..50) == 0) {
            if self.rng.random_range(0..1000) >= self.loss {
                let late = if self.rng.random_range(0..4) == 0 { self.rng.random_range(0..=self.late) } else { 0 };
                self.things += 1;
                self.under_way.insert((now + DELAY + late, self.things), thing());
            }
        }
    }
}

/// `packets` packets: what was sent again, and the ticks it took.
fn transfer(seed: u64, packets: u32, loss: u32, late: u64, mode: Mode, granularity: u32) -> (Sender, Receiver, u64) {
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let mut network = Network { rng, under_way: BTreeMap::new(), things: 0, loss, late };
    let params = Params { granularity, paths: 4, ..Params::new(1, 256) };
    let receiver_config = Config { depth: 16, refeedback: 90, advertise: seed.is_multiple_of(2), ..Config::defaults(granularity) };
    let mut receiver = Receiver::new(params, receiver_config).unwrap();
    let first = psn::SPACE - 300;
    receiver.open(5, first, [PathMode::Off, PathMode::Striped, PathMode::Tagged][seed as usize % 3]);
    let mut sender = Sender::new(256 * granularity, sender::Config { mode, retry_limit: 1000, ..sender::Config::DEFAULT });
    sender.open(5, first);
    let mut sent = 0;
    for now in 1..1_000_000 {
        assert!(sender.tick(now).is_empty());
        receiver.tick(now);
        while let Some(entry) = network.under_way.first_entry().filter(|entry| entry.key().0 <= now) {
            match entry.remove() {
                Thing::Packet { number, path, again } => drop(receiver.arrive(5, number, path, again)),
                Thing::Message(Message::Ack(ack)) => drop(sender.ack(ack)),
                Thing::Message(Message::Range(range)) => drop(sender.range_ack(range)),
                Thing::Message(Message::Ffm(ffm)) => drop(sender.feedback(&ffm)),
            }
        }
        if sender.base(5) == Some(psn::add(first, packets)) {
            assert_eq!(receiver.window(5).unwrap().base(), psn::add(first, packets));
            return (sender, receiver, now);
        }
        for _ in 0..2 {
            let path = (now % 4) as u8;
            if let Some(again) = sender.retransmit() {
                for number in (0..again.length).map(|at| psn::add(again.start, at)) {
                    assert_eq!(sender.state(5, number), Some(State::Retransmitted));
                    network.put(now, || Thing::Packet { number, path, again: true });
                }
            } else if sent < packets
                && let Some(number) = sender.send(5)
            {
                assert_eq!(number, psn::add(first, sent));
                sent += 1;
                network.put(now, || Thing::Packet { number, path, again: false });
            }
            if let Some(message) = receiver.message() {
                network.put(now, || Thing::Message(message));
            }
        }
        // What the sender takes for arrived has arrived.
        let acknowledged = (0..sent).map(|at| psn::add(first, at)).filter(|&at| sender.state(5, at) == Some(State::Acknowledged));
        assert!(now % 64 != 0 || acknowledged.into_iter().all(|at| receiver.window(5).unwrap().has(at)));
    }
    panic!("seed {seed}: not done; base {:?} of {sent}, {:?}", sender.base(5), sender.counters());
}

#[test]
fn everything_arrives_at_any_loss() {
    for (seed, loss) in [(0, 10), (1, 50), (2, 200), (3, 200), (4, 200), (5, 400)] {
        for mode in [Mode::Single, Mode::Interval, Mode::Aggregated] {
            let (sender, receiver, _) = transfer(seed, 3000, loss, 15, mode, 1 << (seed % 3));
            assert!(sender.counters().retransmitted > 0 && receiver.statistics(5).unwrap().reports > 0);
        }
    }
}

#[test]
fn reordering_within_the_tolerance_is_no_loss() {
    for seed in 0..6 {
        // Two packets per tick: at most 14 come before one that is 7 ticks late.
        let (sender, receiver, _) = transfer(seed, 2000, 0, 7, Mode::Single, 1);
        let statistics = receiver.statistics(5).unwrap();
        assert!(statistics.gaps > 100, "{statistics:?}");
        if receiver.path_statistics(5).iter().all(|path| path.losses == 0) {
            assert_eq!(sender.counters().retransmitted, 0);
        }
        // Striped and tagged packets that are late overtake each other on their paths.
        assert!(seed % 3 != 0 || statistics.losses == 0);
    }
}

#[test]
fn little_is_sent_twice() {
    let (sender, _, _) = transfer(0, 20_000, 10, 0, Mode::Interval, 1);
    let again = sender.counters().retransmitted;
    // 1 % of the packets and 1 % of those again; a twentieth more is allowed, and as much for chance.
    assert!((150..=260).contains(&again), "{again}");
}
