//! The congestion-constrained state: less for what is sent again, more patience, shorter windows.

use crate::bitmap::Demand;

/// Factor of the aggregation time while constrained.
pub const AGGREGATE: u32 = 4;

/// The one rate of all queue pairs, in bytes per tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    pub present: u64,
    /// what it is without congestion
    pub preset: u64,
}

impl Default for Rate {
    /// No limit.
    fn default() -> Rate {
        Rate { present: u64::MAX, preset: u64::MAX }
    }
}

impl Rate {
    /// Every queue pair is constrained.
    pub fn is_below(&self) -> bool {
        self.present < self.preset
    }
}

/// A demand whose load counts in the state alone; `load` is in sixteenths.
pub fn demand(demand: Demand, is_constrained: bool, load: u32) -> Demand {
    Demand { load: if is_constrained { load } else { 16 }, ..demand }
}

/// Packets that a queue pair has sent since it became constrained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    all: u64,
    again: u64,
}

impl Share {
    /// So many went out, of which all or none had been sent before.
    pub fn count(&mut self, packets: u64, is_again: bool) {
        self.all += packets;
        self.again += if is_again { packets } else { 0 };
    }

    /// Packets that may be sent again now, so that they are never more than `share` of 256 of all.
    pub fn room(&self, share: u16) -> u32 {
        let share = u64::from(share.min(255));
        let room = (share * self.all).saturating_sub(256 * self.again) / (256 - share);
        room.min(u32::MAX.into()) as u32
    }
}
