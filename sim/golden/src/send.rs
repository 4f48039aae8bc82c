//! The send path: what becomes of commands, operations and their packets.
//!
//! Spec: send path, wire format.

pub mod gate;
pub mod load_turns;
pub mod loader;
pub mod op_table;
pub mod packet_timeout;
pub mod packets;
pub mod refetch;
pub mod round_trip;
pub mod sent;
pub mod splitter;
pub mod start_gate;
mod time;

pub use time::Moment;

/// Ends of an operation beyond the status codes of the wire, told to the host only.
pub mod status {
    pub const DONE: u8 = 0;
    /// a packet was sent `retry_limit` times after the first without an acknowledgement
    pub const RETRY_LIMIT: u8 = 32;
    /// the CDMA did not come out of its reset, or fails again and again
    pub const CDMA_DEAD: u8 = 33;
    /// the CDMA could not fetch the payload
    pub const CDMA_ERROR: u8 = 34;
}

/// What an operation does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OpKind {
    /// moves one segment
    #[default]
    Data = 0,
    /// tells the receiver that a command's data has arrived
    Arrival = 1,
}
