//! Golden models: what the hardware must decide, written from the contract and never from the hardware.
//!
//! Transaction level: packets and commands in, decisions and messages out, no pipeline; time enters as a number.

pub mod baseline;
pub mod bitmap;
pub mod congestion;
pub mod decision;
mod fault;
pub mod lr2;
pub mod memory;
pub mod paths;
pub mod plain;
pub mod registry;
pub mod send;
pub mod turns;
pub mod wire;
pub mod wqe;

/// Bits of an op number: generation above, index below.
pub const OP_BITS: u32 = 24;
