//! What still counts of what the op table asks for, in the transport profile *combined*.
//!
//! Spec: overview, "Who acknowledges what": the send bitmap alone decides retransmission; when all PSNs of an op are acknowledged and its
//! 0xc1 has not come within the op timeout, its start is sent again with its old PSN. Send path: a slot is freed only when no packet of it
//! can be asked for; a 0xc1 `overlap` is retried after back-off.
//!
//! Decided: the op timeout counts from the acknowledgement of the last number. A timer that has run out before begins anew then, as the
//! same try.

use std::collections::BTreeMap;

/// What goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goes {
    /// the start is sent again
    Again { op: u32, attempt: u8 },
    /// the timer of the start begins anew
    Restart { op: u32, attempt: u8 },
    /// the packet engine forgets the operation
    Close { op: u32 },
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    acknowledged: bool,
    /// the try that the op table has asked for and that waits
    kept: Option<u8>,
    refused: bool,
    closes: bool,
}

/// The model. Operations go by their number; an index has one at a time.
#[derive(Clone, Debug)]
pub struct Gate {
    index_bits: u32,
    states: BTreeMap<u32, State>,
}

impl Gate {
    pub fn new(index_bits: u32) -> Gate {
        Gate { index_bits, states: BTreeMap::new() }
    }

    fn at(&mut self, op: u32) -> &mut State {
        self.states.entry(op & ((1 << self.index_bits) - 1)).or_default()
    }

    /// An operation goes to the packet engine; a data arrival has no PSN.
    pub fn begin(&mut self, op: u32, is_arrival: bool) {
        *self.at(op) = State { acknowledged: is_arrival, ..State::default() };
    }

    /// All its numbers are acknowledged.
    pub fn acknowledged(&mut self, op: u32) -> Vec<Goes> {
        let at = self.at(op);
        let restart = at.kept.take().map(|attempt| Goes::Restart { op, attempt });
        let close = at.closes.then_some(Goes::Close { op });
        *at = State { acknowledged: true, ..State::default() };
        restart.into_iter().chain(close).collect()
    }

    /// Its start was refused as `overlap`.
    pub fn refused(&mut self, op: u32) -> Vec<Goes> {
        let at = self.at(op);
        let again = at.kept.take().map(|attempt| Goes::Again { op, attempt });
        at.refused = again.is_none();
        again.into_iter().collect()
    }

    /// The op table wants `packet` to be sent again.
    pub fn wanted(&mut self, op: u32, packet: u16, attempt: u8) -> Vec<Goes> {
        if packet != 0 {
            return Vec::new();
        }
        let at = self.at(op);
        let goes = at.acknowledged || at.refused;
        at.refused = false;
        at.kept = (!goes).then_some(attempt);
        if goes { vec![Goes::Again { op, attempt }] } else { Vec::new() }
    }

    /// Nothing new is asked of it.
    pub fn close(&mut self, op: u32) -> Vec<Goes> {
        let at = self.at(op);
        at.closes = true;
        if at.acknowledged { vec![Goes::Close { op }] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_goes_again_when_all_is_acknowledged_and_not_before() {
        let mut gate = Gate::new(6);
        gate.begin(0x41, false);
        assert!(gate.wanted(0x41, 3, 1).is_empty());
        assert!(gate.wanted(0x41, 0, 1).is_empty());
        assert_eq!(gate.acknowledged(0x41), [Goes::Restart { op: 0x41, attempt: 1 }]);
        assert!(gate.wanted(0x41, 3, 1).is_empty());
        assert_eq!(gate.wanted(0x41, 0, 2), [Goes::Again { op: 0x41, attempt: 2 }]);
        assert_eq!(gate.close(0x41), [Goes::Close { op: 0x41 }]);
    }

    #[test]
    fn a_close_waits_for_the_numbers() {
        let mut gate = Gate::new(6);
        gate.begin(5, false);
        assert!(gate.close(5).is_empty());
        assert_eq!(gate.acknowledged(5), [Goes::Close { op: 5 }]);
        gate.begin(0x105, false);
        assert!(gate.close(0x105).is_empty());
    }

    #[test]
    fn a_refused_start_goes_with_the_next_try() {
        let mut gate = Gate::new(6);
        gate.begin(5, false);
        assert!(gate.refused(5).is_empty());
        assert_eq!(gate.wanted(5, 0, 1), [Goes::Again { op: 5, attempt: 1 }]);
        assert!(gate.wanted(5, 0, 2).is_empty());
        assert_eq!(gate.refused(5), [Goes::Again { op: 5, attempt: 2 }]);
    }

    #[test]
    fn a_data_arrival_has_nothing_to_wait_for() {
        let mut gate = Gate::new(6);
        gate.begin(9, true);
        assert_eq!(gate.wanted(9, 0, 1), [Goes::Again { op: 9, attempt: 1 }]);
        assert_eq!(gate.close(9), [Goes::Close { op: 9 }]);
    }
}
