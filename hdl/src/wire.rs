//! Frames: what comes by the wire, as headers and payload, and what goes back.

pub mod crc_advance;
pub mod frame_merge;
pub mod frame_verdict;
pub mod ip_udp_check;
pub mod network_header;
pub mod node_table;
pub mod opcode_shape;
pub mod queue_pair_list;

/// Bits of an op number: its generation above, its index below.
pub const OP_BITS: usize = 24;

pub use crc_advance::CrcAdvance;
pub use frame_merge::FrameMerge;
pub use frame_verdict::FrameVerdict;
pub use ip_udp_check::IpUdpCheck;
pub use network_header::NetworkHeader;
pub use node_table::NodeTable;
pub use opcode_shape::OpcodeShape;
pub use queue_pair_list::QueuePairList;
