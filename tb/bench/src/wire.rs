//! Benches of the frame side: parser and builder.

pub mod control_builder;
pub mod expect;
pub mod feedback_builder;
pub mod feedback_intake;
pub mod frame_parser;
pub mod frames;
pub mod icrc;
pub(crate) mod outlet;
