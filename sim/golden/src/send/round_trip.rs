//! How long a packet's acknowledgement is waited for: the round trip of each node is measured, and the timeout follows it.
//!
//! Spec: RFC 6298, section 2 (smoothed round trip, deviation, timeout), section 3 (Karn: no sample of a packet that was sent again), 5.5
//! and 5.7 (a timeout that was too short is doubled, until there is a sample).
//!
//! Decided: one packet of a node is timed at a time, as BSD did. It is given up when it has been timed for two caps and another one is
//! sent. The smoothed round trip is in eighths of a tick and the deviation in quarters, rounded up; the distance of a sample is that from
//! the whole ticks of the smoothed one. A sample is 2^24 - 1 ticks at most. A node rests behind a sample, for that clock and six more:
//! nothing that is sent then is timed, and then the sample counts. A timeout is doubled seven times at most, and only where the packet was
//! sent again because its time was over. Before the first sample the timeout is the initial one, without limits; they hold once it was
//! doubled. A cap below the floor is the timeout.

/// The longest sample, in ticks.
pub const LONGEST: u32 = (1 << 24) - 1;
/// Clocks behind a sample in which its node rests.
pub const REST: u32 = 6;
/// A timeout is doubled as often at most.
pub const DOUBLINGS: u32 = 7;

/// In ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    pub initial: u32,
    pub floor: u32,
    pub cap: u32,
}

/// A packet is sent for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub node: usize,
    pub key: u32,
}

/// A packet is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Again {
    pub node: usize,
    pub key: u32,
    /// because its time was over
    pub expired: bool,
}

/// A packet is acknowledged, or all below a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acked {
    pub node: usize,
    pub key: u32,
    pub edge: bool,
}

/// What happens in one clock, in the order in which it counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    pub again: Option<Again>,
    pub acked: Option<Acked>,
    pub sent: Option<Sent>,
    /// a node is as after reset
    pub forget: Option<usize>,
}

/// What becomes of a packet that is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// nobody knows of which copy an acknowledgement will be
    Cancelled {
        node: usize,
        key: u32,
    },
    /// so many ticks
    Sampled {
        node: usize,
        key: u32,
        ticks: u32,
    },
    /// another one takes its place
    GivenUp {
        node: usize,
        key: u32,
    },
    Begun {
        node: usize,
        key: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Timed {
    key: u32,
    since: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Estimate {
    /// eighths of a tick
    smoothed: u64,
    /// quarters
    deviation: u64,
}

impl Estimate {
    fn first(ticks: u32) -> Self {
        Estimate { smoothed: 8 * u64::from(ticks), deviation: 2 * u64::from(ticks) }
    }

    fn with(self, ticks: u32) -> Self {
        let distance = (self.smoothed / 8).abs_diff(ticks.into());
        Estimate { smoothed: (7 * self.smoothed).div_ceil(8) + u64::from(ticks), deviation: (3 * self.deviation).div_ceil(4) + distance }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Node {
    timed: Option<Timed>,
    /// a sample that does not count yet, and for how many clocks
    resting: Option<(u32, u32)>,
    estimate: Option<Estimate>,
    doublings: u32,
}

/// The model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundTrips {
    nodes: Vec<Node>,
}

impl RoundTrips {
    pub fn new(nodes: usize) -> Self {
        RoundTrips { nodes: vec![Node::default(); nodes] }
    }

    /// The key that is timed.
    pub fn timed(&self, node: usize) -> Option<u32> {
        self.nodes[node].timed.map(|timed| timed.key)
    }

    /// One clock.
    pub fn step(&mut self, now: u32, events: &Events, cap: u32) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Some(Again { node, key, expired }) = events.again {
            let at = &mut self.nodes[node];
            if at.timed.is_some_and(|timed| timed.key == key) {
                at.timed = None;
                at.doublings = if expired { (at.doublings + 1).min(DOUBLINGS) } else { at.doublings };
                effects.push(Effect::Cancelled { node, key });
            }
        }
        if let Some(Acked { node, key, edge }) = events.acked {
            let at = &mut self.nodes[node];
            let covers = |timed: u32| if edge { (1..=1 << 23).contains(&(key.wrapping_sub(timed) & LONGEST)) } else { timed == key };
            if let Some(Timed { key, since }) = at.timed.filter(|timed| covers(timed.key)) {
                let ticks = now.wrapping_sub(since).min(LONGEST);
                at.timed = None;
                at.resting = Some((ticks, REST + 1));
                effects.push(Effect::Sampled { node, key, ticks });
            }
        }
        if let Some(Sent { node, key }) = events.sent {
            let at = &mut self.nodes[node];
            let over = at.timed.filter(|timed| u64::from(now.wrapping_sub(timed.since)) >= 2 * u64::from(cap));
            if let Some(Timed { key, .. }) = over {
                at.timed = None;
                effects.push(Effect::GivenUp { node, key });
            }
            if at.timed.is_none() && at.resting.is_none() {
                at.timed = Some(Timed { key, since: now });
                effects.push(Effect::Begun { node, key });
            }
        }
        if let Some(node) = events.forget {
            self.nodes[node] = Node::default();
        }
        for at in &mut self.nodes {
            match at.resting {
                Some((ticks, 1)) => {
                    at.resting = None;
                    at.doublings = 0;
                    at.estimate = Some(at.estimate.map_or(Estimate::first(ticks), |estimate| estimate.with(ticks)));
                }
                Some((ticks, clocks)) => at.resting = Some((ticks, clocks - 1)),
                None => {}
            }
        }
        effects
    }

    /// In ticks.
    pub fn timeout(&self, node: usize, limits: &Limits) -> u32 {
        let Limits { initial, floor, cap } = *limits;
        let at = &self.nodes[node];
        let wanted = match at.estimate {
            None if at.doublings == 0 => return initial,
            None => initial.into(),
            Some(Estimate { smoothed, deviation }) => smoothed / 8 + deviation.max(1),
        };
        let doubled = wanted.max(floor.into()) << at.doublings;
        u32::try_from(doubled.min(cap.into())).unwrap_or(cap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const WIDE: Limits = Limits { initial: 1000, floor: 0, cap: u32::MAX };

    fn sent(key: u32) -> Events {
        Events { sent: Some(Sent { node: 0, key }), ..Default::default() }
    }

    fn acked(key: u32, edge: bool) -> Events {
        Events { acked: Some(Acked { node: 0, key, edge }), ..Default::default() }
    }

    fn again(key: u32, expired: bool) -> Events {
        Events { again: Some(Again { node: 0, key, expired }), ..Default::default() }
    }

    fn rest(model: &mut RoundTrips, now: u32) {
        for _ in 0..REST {
            model.step(now, &Events::default(), WIDE.cap);
        }
    }

    /// A packet goes and comes back.
    fn sample(model: &mut RoundTrips, now: &mut u32, ticks: u32) {
        model.step(*now, &sent(7), WIDE.cap);
        *now = now.wrapping_add(ticks);
        assert_eq!(model.step(*now, &acked(7, false), WIDE.cap), [Effect::Sampled { node: 0, key: 7, ticks: ticks.min(LONGEST) }]);
        rest(model, *now);
    }

    #[test]
    fn the_first_sample_and_the_next() {
        let (mut model, mut now) = (RoundTrips::new(1), u32::MAX - 50);
        assert_eq!(model.timeout(0, &WIDE), 1000);
        sample(&mut model, &mut now, 100);
        assert_eq!(model.timeout(0, &WIDE), 100 + 4 * 50);
        // 7/8 of 100 and 1/8 of 180; 3/4 of 50 and 1/4 of 80.
        sample(&mut model, &mut now, 180);
        assert_eq!(model.timeout(0, &WIDE), 110 + 4 * 57 + 2);
        assert_eq!(model.timeout(0, &Limits { floor: 1000, ..WIDE }), 1000);
        assert_eq!(model.timeout(0, &Limits { cap: 200, ..WIDE }), 200);
        assert_eq!(model.timeout(0, &Limits { cap: 200, floor: 1000, ..WIDE }), 200);
        assert_eq!(RoundTrips::new(1).timeout(0, &Limits { initial: 1000, floor: 1, cap: 10 }), 1000);
    }

    #[test]
    fn it_is_what_the_document_says() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for scale in [10, 1000, 100_000, 1 << 26] {
            let (mut model, mut now) = (RoundTrips::new(1), 0);
            let (mut smoothed, mut deviation): (f64, f64) = (0.0, 0.0);
            for count in 0..500 {
                let ticks = rng.random_range(0..scale);
                sample(&mut model, &mut now, ticks);
                let ticks = f64::from(ticks.min(LONGEST));
                if count == 0 {
                    (smoothed, deviation) = (ticks, ticks / 2.0);
                } else {
                    deviation = 0.75 * deviation + 0.25 * (smoothed - ticks).abs();
                    smoothed = 0.875 * smoothed + 0.125 * ticks;
                }
                let (found, exact) = (f64::from(model.timeout(0, &WIDE)), smoothed + (4.0 * deviation).max(1.0));
                // What is rounded is an eighth and a quarter of a tick for each sample, of which it is eight and four that count.
                assert!((found - exact).abs() < 10.0, "{found} for {exact}");
            }
        }
    }

    #[test]
    fn a_steady_round_trip_is_followed_to_a_tick() {
        for ticks in [0, 1, 7, 50, 1000, LONGEST] {
            let (mut model, mut now) = (RoundTrips::new(1), 0);
            sample(&mut model, &mut now, 3000);
            (0..300).for_each(|_| sample(&mut model, &mut now, ticks));
            let timeout = model.timeout(0, &WIDE);
            assert!((ticks + 1..=ticks + 4).contains(&timeout), "{timeout} for {ticks}");
        }
    }

    #[test]
    fn what_was_sent_again_is_no_sample() {
        let mut model = RoundTrips::new(1);
        model.step(0, &sent(5), 100);
        assert_eq!(model.step(10, &again(6, true), 100), []);
        assert_eq!(model.step(10, &again(5, false), 100), [Effect::Cancelled { node: 0, key: 5 }]);
        assert_eq!(model.step(20, &acked(5, false), 100), []);
        assert_eq!(model.timeout(0, &WIDE), 1000);
        // In one clock it is sent again first.
        model.step(20, &sent(6), 100);
        let both = Events { acked: acked(6, false).acked, sent: sent(9).sent, ..again(6, true) };
        assert_eq!(model.step(30, &both, 100), [Effect::Cancelled { node: 0, key: 6 }, Effect::Begun { node: 0, key: 9 }]);
    }

    #[test]
    fn a_round_trip_that_becomes_longer_than_the_timeout_is_found() {
        let (mut model, mut now) = (RoundTrips::new(1), 0);
        (0..100).for_each(|_| sample(&mut model, &mut now, 5));
        let limits = Limits { floor: 10, cap: 10_000, ..WIDE };
        assert_eq!(model.timeout(0, &limits), 10);
        // From 5 to 500: each packet that is timed is sent again, until the timeout has reached it.
        for tries in 0..7 {
            let timeout = model.timeout(0, &limits);
            model.step(now, &sent(tries), limits.cap);
            if timeout > 500 {
                model.step(now + 500, &acked(tries, false), limits.cap);
                rest(&mut model, now + 500);
                assert_eq!(tries, 6);
                assert!((500..1000).contains(&model.timeout(0, &limits)));
                return;
            }
            model.step(now + timeout, &again(tries, true), limits.cap);
            now += 600;
            model.step(now, &acked(tries, false), limits.cap);
        }
        panic!("the timeout is {} still", model.timeout(0, &limits));
    }

    #[test]
    fn doubling_has_its_end() {
        let mut model = RoundTrips::new(1);
        for doubled in [2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 128_000] {
            model.step(0, &sent(0), 100);
            model.step(0, &again(0, true), 100);
            assert_eq!(model.timeout(0, &WIDE), doubled);
            assert_eq!(model.timeout(0, &Limits { cap: 3000, ..WIDE }), doubled.min(3000));
        }
    }

    #[test]
    fn edges_go_around() {
        for (timed, edge, covered) in
            [(5, 6, true), (5, 5, false), (6, 5, false), (LONGEST, 0, true), (0, LONGEST, false), (3, 3 + (1 << 23), true)]
        {
            let mut model = RoundTrips::new(1);
            model.step(0, &sent(timed), 100);
            assert_eq!(model.step(9, &acked(edge, true), 100).len(), usize::from(covered), "{timed} below {edge}");
        }
    }

    #[test]
    fn a_packet_without_an_end_is_given_up() {
        let mut model = RoundTrips::new(1);
        model.step(u32::MAX - 9, &sent(1), 100);
        assert_eq!(model.step(189, &sent(2), 100), []);
        assert_eq!(model.step(190, &sent(3), 100), [Effect::GivenUp { node: 0, key: 1 }, Effect::Begun { node: 0, key: 3 }]);
    }

    #[test]
    fn a_node_rests_behind_a_sample() {
        let mut model = RoundTrips::new(2);
        model.step(0, &sent(1), 100);
        let both = Events { sent: sent(2).sent, ..acked(1, false) };
        assert_eq!(model.step(8, &both, 100), [Effect::Sampled { node: 0, key: 1, ticks: 8 }]);
        for _ in 0..REST {
            assert_eq!(model.timeout(0, &WIDE), 1000);
            assert_eq!(model.step(8, &sent(3), 100), []);
        }
        assert_eq!(model.timeout(0, &WIDE), 8 + 16);
        assert_eq!(model.step(8, &sent(4), 100), [Effect::Begun { node: 0, key: 4 }]);
        // A sample that does not count yet is forgotten with all else.
        model.step(9, &acked(4, false), 100);
        assert_eq!(model.step(9, &Events { forget: Some(0), ..sent(5) }, 100), []);
        assert_eq!(model, RoundTrips::new(2));
    }
}
