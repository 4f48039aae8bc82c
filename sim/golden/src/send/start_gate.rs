//! Which timers count while an operation's start may not have arrived.
//!
//! Spec: receive registry, "What is sent, and when": nothing of an operation is acknowledged before its start has come, for its other
//! packets wait in the escape channel. Decided here: until the first positive acknowledgement of an operation only its start goes again for
//! its timer; other timers begin anew, each as a try.

use std::collections::BTreeMap;

/// What becomes of a packet that the op table wants to be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goes {
    Again,
    /// its timer begins anew
    Restart,
}

/// The model.
#[derive(Clone, Debug)]
pub struct StartGate {
    index_bits: u32,
    /// by index: the operation of which something was acknowledged last
    known: BTreeMap<u32, u32>,
}

impl StartGate {
    pub fn new(index_bits: u32) -> StartGate {
        StartGate { index_bits, known: BTreeMap::new() }
    }

    fn index(&self, op: u32) -> u32 {
        op & ((1 << self.index_bits) - 1)
    }

    /// A packet of the operation is acknowledged, by an op acknowledgement that is positive.
    pub fn acknowledged(&mut self, op: u32) {
        self.known.insert(self.index(op), op);
    }

    /// A packet is wanted again; `expired`: because its time was over, and for nothing else.
    pub fn wanted(&self, op: u32, packet: u16, expired: bool) -> Goes {
        match expired && packet > 0 && self.known.get(&self.index(op)) != Some(&op) {
            true => Goes::Restart,
            false => Goes::Again,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_counts_when_the_start_is_known_to_be_there() {
        let mut gate = StartGate::new(6);
        assert_eq!(gate.wanted(0x41, 0, true), Goes::Again);
        assert_eq!(gate.wanted(0x41, 3, true), Goes::Restart);
        assert_eq!(gate.wanted(0x41, 3, false), Goes::Again);
        gate.acknowledged(0x41);
        assert_eq!(gate.wanted(0x41, 3, true), Goes::Again);
        // The same index in another life, and another index.
        assert_eq!(gate.wanted(0x81, 3, true), Goes::Restart);
        assert_eq!(gate.wanted(0x42, 3, true), Goes::Restart);
    }
}
