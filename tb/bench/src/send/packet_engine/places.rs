//! Places of the send buffer's last slot: each belongs to a packet that is sent again, from its retransmission to the moment at which the
//! engine gives it back.

use super::follow::Told;
use crate::pins::Pins;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// How many there are.
const PLACES: usize = 32;

#[derive(Default)]
pub struct Places {
    held: [Option<Told>; PLACES],
    last: usize,
}

impl Places {
    pub fn is_free(&self) -> bool {
        self.held.contains(&None)
    }

    /// Any free one for this packet.
    pub fn take(&mut self, rng: &mut ChaCha8Rng, told: Told) -> usize {
        self.last = rng.random_range(0..PLACES);
        while self.held[self.last].is_some() {
            self.last = (self.last + 1) % PLACES;
        }
        self.held[self.last] = Some(told);
        self.last
    }

    /// That of the packet which is offered.
    pub fn last(&self) -> usize {
        self.last
    }

    /// Those that come back in this clock: of the packet that is told as sent, and of one that was thrown away.
    pub fn back(&mut self, pins: &Pins, told: Option<Told>) -> Result<[Option<usize>; 2], String> {
        let place = |name: &str| (pins.get(&format!("{name}_valid")) == 1).then(|| pins.get(&format!("{name}_place")) as usize);
        let (done, dropped) = (place("done"), place("dropped"));
        let expected = told.filter(|told| told.2 > 0);
        let of = done.and_then(|place| self.held[place]);
        if of != expected || done.is_some() != expected.is_some() {
            return Err(format!("cycle {}: place {done:?} of {of:x?} comes back, sent is {expected:x?}", pins.cycle()));
        }
        for place in [done, dropped].into_iter().flatten() {
            if self.held[place].take().is_none() {
                return Err(format!("cycle {}: place {place} comes back, which is free", pins.cycle()));
            }
        }
        Ok([done, dropped])
    }

    /// Each has come back.
    pub fn finish(&self) -> Result<(), String> {
        match self.held.iter().flatten().next() {
            None => Ok(()),
            Some(told) => Err(format!("the place of {told:x?} never came back")),
        }
    }
}
