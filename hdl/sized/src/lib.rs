//! Every block of `hdl/src` whose sizes are constants, at the schema's own values.
//!
//! Nothing depends on it: a design is compiled for the facts that it is asked for at, from the same files. Here `cargo clippy`, `cargo doc` and an editor
//! see them.

// Kernels say what the hardware does; a shorter Boolean form is the synthesizer's business.
#![allow(clippy::nonminimal_bool)]

include!(concat!(env!("OUT_DIR"), "/unit.rs"));
