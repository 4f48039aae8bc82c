//! One bottleneck, many senders: what congestion state on the acknowledgement does to rates and queues, beside DCQCN.
//!
//! The ends are golden models: cards that go back, receivers and senders of `rdma_rtl_golden::congestion`, and a token bucket for each
//! sender. The bottleneck marks by RED and drops what its buffer cannot hold.

pub mod cell;
pub mod ends;
pub mod network;
pub mod table;

/// Picoseconds of a clock of the golden models: 322.27 MHz.
pub const CLOCK: u64 = 3103;

/// Clocks a second.
pub const HERTZ: u64 = super::SECOND / CLOCK;
