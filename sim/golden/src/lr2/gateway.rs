//! A box for both directions: Sentry of the flows that leave its data centre, Depot of those that come in.
//!
//! No packet concerns both. From its own data centre data and requests are the Sentry's, answers the Depot's; from the long haul it is the
//! other way round. What the one sends does not pass the other. The outputs are shared: what the Depot lets go and what the Sentry tells a
//! card leave on the same side.

use super::depot::Depot;
use super::packet::{Key, Kind, Packet};
use super::sentry::Sentry;
use super::table::Entry;
use super::{Emit, Gate, Verdict};

/// Which way a packet leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// to the data centre of the box
    Local,
    Haul,
}

/// A packet that a gateway sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leave {
    pub packet: Packet,
    pub side: Side,
    pub priority: bool,
}

/// Sentry and Depot in one box.
#[derive(Clone, Debug)]
pub struct Gateway {
    pub sentry: Sentry,
    pub depot: Depot,
    emits: Vec<Emit>,
}

/// Of a sending card; all else is an answer.
fn asks(packet: &Packet) -> bool {
    matches!(packet.kind, Kind::Data | Kind::Request | Kind::Probe | Kind::Parity)
}

impl Gateway {
    pub fn new(sentry: Sentry, depot: Depot) -> Gateway {
        Gateway { sentry, depot, emits: Vec::new() }
    }

    /// Writes the entry of a flow whose sending card is in the data centre of the box (`outgoing`), or whose receiving card is.
    /// # Errors
    /// The table is full, or the entry cannot be.
    pub fn open(&mut self, entry: &Entry, outgoing: bool) -> Result<(), String> {
        if outgoing { self.sentry.open(entry) } else { self.depot.open(entry) }
    }

    /// Clears an entry of either role.
    pub fn close(&mut self, key: Key, outgoing: bool) {
        if outgoing { self.sentry.close(key) } else { self.depot.close(key) }
    }

    /// What was sent by the Depot (`depot`), or the Sentry, leaves.
    fn leave(&mut self, depot: bool, out: &mut Vec<Leave>) {
        let leave = |Emit { packet, onward, priority }: Emit| Leave {
            packet,
            side: if onward == depot { Side::Local } else { Side::Haul },
            priority,
        };
        out.extend(self.emits.drain(..).map(leave));
    }

    /// A packet from the data centre of the box. `sound`: its last beat says so.
    pub fn local(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Leave>) -> Verdict {
        let depot = !asks(&packet);
        let verdict = if depot {
            self.depot.back(now, packet, sound, &mut self.emits)
        } else {
            self.sentry.onward(now, packet, sound, &mut self.emits)
        };
        self.leave(depot, out);
        verdict
    }

    /// A packet from the long haul.
    pub fn haul(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Leave>) -> Verdict {
        let depot = asks(&packet);
        let verdict = if depot {
            self.depot.onward(now, packet, sound, &mut self.emits)
        } else {
            self.sentry.back(now, packet, sound, &mut self.emits)
        };
        self.leave(depot, out);
        verdict
    }

    /// Time is `now`.
    pub fn tick(&mut self, now: u64, out: &mut Vec<Leave>) {
        self.depot.tick(now, &mut self.emits);
        self.leave(true, out);
        self.sentry.tick(now, &mut self.emits);
        self.leave(false, out);
    }

    /// When `tick` is next needed, if nothing arrives before.
    pub fn wake(&self) -> Option<u64> {
        [self.depot.wake(), self.sentry.wake()].into_iter().flatten().min()
    }
}
