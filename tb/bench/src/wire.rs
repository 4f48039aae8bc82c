//! Benches of the frame side: parser and builder.

pub mod control_builder;
pub mod expect;
pub mod frame_parser;
pub mod frames;
