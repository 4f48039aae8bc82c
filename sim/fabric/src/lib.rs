//! Data centres and the long haul between them, packet by packet.
//!
//! Hosts with cards, switches with a shared buffer and ECN, links with delay and loss, and two boxes in the way, which are golden models or
//! anything else with their interface ([`rdma_rtl_golden::lr2::Gate`]). Time is in picoseconds. The same seed gives the same bytes.

pub mod boxes;
pub mod cell;
pub mod congestion;
pub mod flows;
pub mod host;
pub mod link;
pub mod matrix;
pub mod net;
pub mod stats;
pub mod store;

/// Picoseconds in a second.
pub const SECOND: u64 = 1_000_000_000_000;
/// Picoseconds in a microsecond.
pub const MICRO: u64 = 1_000_000;

/// Picoseconds that a byte takes at `rate` bits a second.
pub fn per_byte(rate: u64) -> u64 {
    8 * SECOND / rate
}
