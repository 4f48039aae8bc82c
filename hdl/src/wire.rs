//! Frames: what comes by the wire, as headers and payload, and what goes back.

pub mod bth_decode;
pub mod control_builder;
pub mod feedback_builder;
pub mod frame_intake;
pub mod frame_parser;
pub mod frame_verdict;
pub mod header_fields;
pub mod header_window;
pub mod ip_udp_check;
pub mod network_header;
pub mod node_table;
pub mod opcode_shape;
pub mod payload_align;
pub mod queue_pair_list;

pub use bth_decode::BthDecode;
pub use control_builder::ControlBuilder;
pub use feedback_builder::FeedbackBuilder;
pub use frame_intake::FrameIntake;
pub use frame_parser::FrameParser;
pub use frame_verdict::FrameVerdict;
pub use header_fields::HeaderFields;
pub use header_window::HeaderWindow;
pub use ip_udp_check::IpUdpCheck;
pub use network_header::NetworkHeader;
pub use node_table::NodeTable;
pub use opcode_shape::OpcodeShape;
pub use payload_align::PayloadAlign;
pub use queue_pair_list::QueuePairList;
