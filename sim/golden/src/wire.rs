//! The bytes on the wire: RoCEv2 frames with this project's extension headers, read and written.
//!
//! Spec: wire format. Reading applies its checks in its order, so that the first that fails names the reason.

mod build;
mod frame;
mod icrc;
mod icrc_stream;
mod mac;
mod message;
mod opcode;
mod parse;
#[cfg(test)]
mod tests;

pub use frame::{Aeth, AtomicEth, Bth, Ceth, Control, Feth, Frame, Ip, Lr2Eth, OpEth, Reth, WqeEth};
pub use icrc::icrc;
pub use icrc_stream::{IcrcVerdict, icrc_inserted, icrc_verdict};
pub use mac::{FrameStore, SHORTEST, padded};
pub use opcode::{Opcode, Shape};
pub use parse::{FrameError, Reader, parse, parse_judged};

/// UDP destination port of RoCEv2.
pub const ROCE_PORT: u16 = 4791;
