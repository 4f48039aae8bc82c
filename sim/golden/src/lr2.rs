//! Selective repeat between data centres for cards that can only go back: [`sentry::Sentry`] near the sender, [`depot::Depot`] near the
//! receiver, the cards at both ends, and what they are compared with.
//!
//! Packets in, packets and one verdict each out; time is a number of ticks of whatever length, the same for all who meet. A packet is one
//! word here, its payload a number: what the bytes are is the business of `wire`.

pub mod bits;
pub mod card;
pub mod code;
pub mod depot;
pub mod fault;
pub mod gateway;
pub mod head;
pub mod ideal;
pub mod packet;
pub mod params;
pub mod path;
pub mod sentry;
pub mod table;

use packet::Packet;

#[cfg(test)]
mod tests;

/// A packet that a box sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Emit {
    pub packet: Packet,
    /// towards the receiving card, else towards the sending one
    pub onward: bool,
    /// the `priority` bit of the output stream
    pub priority: bool,
}

impl Emit {
    pub fn onward(packet: Packet) -> Emit {
        Emit { packet, onward: true, priority: false }
    }

    pub fn back(packet: Packet) -> Emit {
        Emit { packet, onward: false, priority: false }
    }

    pub fn urgent(self) -> Emit {
        Emit { priority: true, ..self }
    }
}

/// What a box decided about a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// no entry, or bypassed, or of a kind that is not looked at: on as it came
    Untouched,
    /// its last beat said that it is not sound: it moves nothing
    Unsound,
    /// in order, or otherwise due: on
    Forwarded,
    /// a retransmission that was asked for: on, with priority
    Asked,
    /// a retransmission that nobody asked for, outside an episode: on
    Replayed,
    Held,
    /// no slot is free and one will be: it waits at the input, and everything behind it
    Waits,
    /// a copy is held, in the backup pool or with the receiver
    Duplicate,
    /// a retransmission that nobody asked for, inside an episode
    Filtered,
    /// lost before it: dropped and asked for again
    Gap,
    /// the pool or the flow's quota is full
    Full,
    /// below everything that the receiving card has acknowledged: dropped, perhaps acknowledged again
    Reacknowledged,
    /// for the box itself
    Consumed,
    /// a NAK of the receiving card became an acknowledgement
    Intercepted,
    /// a NAK became one that the sending card may have
    Passed,
    /// its gap was noted, nothing went on
    Noted,
    /// what it names is past
    Stale,
    /// so far from what is expected that it may be a new life of the queue pair; nothing moved
    Strange,
}

/// A box in the way, golden or not: what a network needs of it.
pub trait Gate {
    /// Writes an entry of the flow table.
    /// # Errors
    /// The table is full, or the entry cannot be.
    fn open(&mut self, entry: &table::Entry) -> Result<(), String>;

    /// Clears an entry: what it holds is gone.
    fn close(&mut self, key: packet::Key);

    /// A packet from the sending card's side. `sound`: its last beat says so.
    fn onward(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict;

    /// A packet from the receiving card's side.
    fn back(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict;

    /// Time is `now`: timers that have run out, and what is due from the pools.
    fn tick(&mut self, now: u64, out: &mut Vec<Emit>);

    /// When `tick` is next needed, if nothing arrives before.
    fn wake(&self) -> Option<u64>;

    /// Bytes in the reordering and in the backup pool.
    fn held(&self) -> (u64, u64) {
        (0, 0)
    }

    /// Counters by name.
    fn counters(&self) -> Vec<(&'static str, u64)>;
}
