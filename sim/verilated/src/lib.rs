//! Verilator as a Rust library: generate, compile, cache, load, drive.

pub mod port;

pub use port::{Direction, Port};
