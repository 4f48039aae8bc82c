//! How long each packet waits for its acknowledgement, by the measured round trip of the node of its operation.
//!
//! Spec: send path, "DMA operation table"; RFC 6298.
//!
//! Decided: what is timed is the first packet of an operation, whose key is the op number. Its answer is an op acknowledgement that names
//! it, or a remote completion, whatever either says. Whatever is sent again of the operation meanwhile, there is no sample. A try waits
//! twice as long as the one before, seven times and up to the cap; that holds from the second try on, for before a node has answered the
//! first one waits the initial timeout, without limits. Every try waits `delay` ticks more: for so long the receiver may hold an answer
//! back, as RFC 9002 (6.2.1) has it.

use super::op_table::Ack;
use super::round_trip::{Acked, Again, Effect, Events, Limits, RoundTrips, Sent};

/// A try is doubled as often at most.
const DOUBLINGS: u8 = 7;

/// What happens in one clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Happens {
    /// the wire took a packet: op, packet, try
    pub sent: Option<(u32, u16, u8)>,
    /// a packet of an op is to be sent again; because its time was over
    pub again: Option<(u32, bool)>,
    pub ack: Option<Ack>,
    /// an op goes to the packet engine: its node
    pub open: Option<(u32, usize)>,
    /// a node is as after reset
    pub forget: Option<usize>,
}

/// The model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketTimeouts {
    /// by index of the op
    nodes: Vec<usize>,
    trips: RoundTrips,
}

impl PacketTimeouts {
    /// `ops` is a power of two.
    pub fn new(ops: usize, nodes: usize) -> PacketTimeouts {
        PacketTimeouts { nodes: vec![0; ops], trips: RoundTrips::new(nodes) }
    }

    /// The node of an op.
    pub fn node(&self, op: u32) -> usize {
        self.nodes[op as usize % self.nodes.len()]
    }

    /// One clock.
    pub fn step(&mut self, now: u32, happens: &Happens, cap: u32) -> Vec<Effect> {
        let answered = happens.ack.and_then(|ack| match ack {
            Ack::Packets { op, first: 0, mask, .. } if mask & 1 == 1 => Some(op),
            Ack::Packets { .. } => None,
            Ack::Completion { op, .. } => Some(op),
        });
        let events = Events {
            again: happens.again.map(|(op, expired)| Again { node: self.node(op), key: op, expired }),
            acked: answered.map(|op| Acked { node: self.node(op), key: op, edge: false }),
            sent: happens
                .sent
                .filter(|&(_, packet, tries)| packet == 0 && tries == 0)
                .map(|(op, ..)| Sent { node: self.node(op), key: op }),
            forget: happens.forget,
        };
        let effects = self.trips.step(now, &events, cap);
        if let Some((op, node)) = happens.open {
            let index = op as usize % self.nodes.len();
            self.nodes[index] = node;
        }
        effects
    }

    /// The op that is timed at a node.
    pub fn timed(&self, node: usize) -> Option<u32> {
        self.trips.timed(node)
    }

    /// Ticks that a packet of `op` waits.
    pub fn ticks(&self, op: u32, tries: u8, limits: &Limits, delay: u16) -> u32 {
        self.ticks_at(self.node(op), tries, limits, delay)
    }

    /// The same of a packet to `node`.
    pub fn ticks_at(&self, node: usize, tries: u8, limits: &Limits, delay: u16) -> u32 {
        let first = self.trips.timeout(node, limits);
        let doubled = u64::from(first) << tries.min(DOUBLINGS);
        let capped = if tries == 0 { first } else { u32::try_from(doubled.min(limits.cap.into())).unwrap_or(limits.cap) };
        capped.saturating_add(delay.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { initial: 100, floor: 10, cap: 1000 };

    fn sent(op: u32, packet: u16) -> Happens {
        Happens { sent: Some((op, packet, 0)), ..Default::default() }
    }

    fn named(op: u32, first: u16, mask: u64) -> Happens {
        Happens { ack: Some(Ack::Packets { op, first, status: 0, mask }), ..Default::default() }
    }

    fn opened(op: u32, node: usize) -> PacketTimeouts {
        let mut model = PacketTimeouts::new(64, 4);
        model.step(0, &Happens { open: Some((op, node)), ..Default::default() }, LIMITS.cap);
        model
    }

    fn rest(model: &mut PacketTimeouts, now: u32) {
        (0..10).for_each(|_| drop(model.step(now, &Happens::default(), LIMITS.cap)));
    }

    #[test]
    fn the_first_packet_and_its_answer_are_a_sample() {
        let op = 0x12_3401;
        for answer in [named(op, 0, 3), Happens { ack: Some(Ack::Completion { op, status: 7 }), ..Default::default() }] {
            let mut model = opened(op, 2);
            model.step(5, &sent(op, 0), LIMITS.cap);
            model.step(6, &sent(op, 1), LIMITS.cap);
            assert_eq!(model.step(9, &named(op, 0, 2), LIMITS.cap), []);
            assert_eq!(model.step(9, &named(op, 1, 1), LIMITS.cap), []);
            assert_eq!(model.step(9, &named(op ^ 0x100, 0, 1), LIMITS.cap), []);
            assert_eq!(model.step(25, &answer, LIMITS.cap), [Effect::Sampled { node: 2, key: op, ticks: 20 }]);
            rest(&mut model, 25);
            assert_eq!([0, 1, 2, 5, 6, 31].map(|tries| model.ticks(op, tries, &LIMITS, 0)), [60, 120, 240, 1000, 1000, 1000]);
            assert_eq!([0, 5].map(|tries| model.ticks(op, tries, &LIMITS, 16)), [76, 1016]);
            // Of another node nothing is known.
            assert_eq!([0, 1, 4].map(|tries| model.ticks(2, tries, &LIMITS, 0)), [100, 200, 1000]);
        }
    }

    #[test]
    fn what_was_sent_again_is_no_sample() {
        let mut model = opened(1, 0);
        model.step(5, &sent(1, 0), LIMITS.cap);
        let again = Happens { again: Some((1, true)), ..Default::default() };
        assert_eq!(model.step(9, &again, LIMITS.cap), [Effect::Cancelled { node: 0, key: 1 }]);
        assert_eq!(model.step(25, &named(1, 0, 1), LIMITS.cap), []);
        assert_eq!(model.ticks(1, 0, &LIMITS, 0), 200);
        let second = Happens { sent: Some((1, 0, 1)), ..Default::default() };
        assert_eq!(model.step(30, &second, LIMITS.cap), []);
    }

    #[test]
    fn a_first_try_without_a_sample_has_no_limits() {
        let model = opened(1, 0);
        let wide = Limits { initial: 5000, ..LIMITS };
        assert_eq!([0, 1].map(|tries| model.ticks(1, tries, &wide, 0)), [5000, 1000]);
        let most = Limits { initial: u32::MAX, floor: 0, cap: u32::MAX };
        assert_eq!([0, 7].map(|tries| model.ticks(1, tries, &most, 0)), [u32::MAX, u32::MAX]);
    }
}
