//! Benches of the frame side: parser and builder.

pub mod control_builder;
pub mod expect;
pub mod feedback_builder;
pub mod feedback_intake;
pub mod frame_parser;
pub mod frame_store;
pub mod frame_width;
pub mod frames;
pub mod icrc;
pub mod mac_bridge;
pub(crate) mod outlet;
