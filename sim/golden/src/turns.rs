//! Two streams as one: whose turn it is.
//!
//! A turn is a frame of beats, or one beat where there are no frames. Whoever had a turn lets the other side go first; what is offered
//! stays until it is taken.

use crate::registry::{Mismatch, mismatch};

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    A = 0,
    B = 1,
}

impl Side {
    fn other(self) -> Side {
        if self == Side::A { Side::B } else { Side::A }
    }
}

/// The model.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turns {
    /// who is in the middle of a turn, or is offered and was not taken
    holds: Option<Side>,
    /// who had the turn before
    last: Option<Side>,
}

impl Turns {
    /// Whose beat is on the output of a clock in which `offers` are there; `None` in the answer: nobody's. After a reset either may be
    /// first, so then `shown` decides.
    /// # Errors
    /// It is not the turn of `shown`.
    pub fn shows(&mut self, offers: [bool; 2], shown: Option<Side>) -> Result<(), Mismatch> {
        let expected = match (self.holds, offers) {
            (Some(side), _) => Some(side).filter(|side| offers[*side as usize]),
            (None, [true, true]) => self.last.map(Side::other).or(shown),
            (None, [a, b]) => {
                if a {
                    Some(Side::A)
                } else if b {
                    Some(Side::B)
                } else {
                    None
                }
            }
        };
        if shown != expected || (shown.is_none() && self.holds.is_none() && offers != [false; 2]) {
            return mismatch!(
                "the output shows {shown:?}, expected {expected:?}: offered are {offers:?}, the turn is {:?}, before {:?}",
                self.holds,
                self.last
            );
        }
        self.holds = self.holds.or(shown);
        Ok(())
    }

    /// A beat of `side` was taken. `ends`: its turn is over.
    pub fn taken(&mut self, side: Side, ends: bool) {
        self.last = Some(side);
        self.holds = (!ends).then_some(side);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{A, B};

    #[test]
    fn whole_turns_in_turn() {
        let mut turns = Turns::default();
        assert!(turns.shows([true, true], None).is_err(), "somebody must go");
        turns.shows([true, true], Some(B)).unwrap();
        assert!(turns.shows([true, true], Some(A)).is_err(), "what is offered stays");
        turns.taken(B, false);
        assert!(turns.shows([true, false], Some(A)).is_err(), "a turn is not interrupted");
        turns.shows([true, false], None).unwrap();
        turns.shows([true, true], Some(B)).unwrap();
        turns.taken(B, true);
        assert!(turns.shows([true, true], Some(B)).is_err(), "the other one is next");
        turns.shows([false, true], Some(B)).unwrap();
        turns.taken(B, true);
        turns.shows([true, true], Some(A)).unwrap();
        turns.taken(A, true);
        turns.shows([false, false], None).unwrap();
        assert!(turns.shows([true, false], None).is_err(), "nobody waits without need");
    }
}
