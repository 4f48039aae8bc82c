//! Congestion state on the acknowledgement: a receiver that tells how congested the way is, a sender that sets its rate from it, and DCQCN
//! beside them.
//!
//! Follows the contract, "Congestion state on the acknowledgement (CETH)". Time is a number of clocks; rates are bytes per clock in fixed
//! point ([`rate::Rate`]), as a block would hold them. Everything is per queue pair; in the registry transport it is per node.

pub mod bucket;
pub mod dcqcn;
pub mod degree;
pub mod fault;
pub mod header;
pub mod meter;
pub mod rate;
pub mod receiver;
pub mod rules;
pub mod sender;
pub mod shaper;
pub mod signal;

#[cfg(test)]
mod tests;

pub use header::{Header, HeaderError, Level, Notice, Scene};
pub use signal::{Form, Heard, Signal, Word, carries, listen, notification, tell};
