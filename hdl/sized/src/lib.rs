//! Every block of `hdl/src` whose sizes are constants, at the schema's own values.
//!
//! Nothing but a measurement depends on it: a design is compiled for the facts that it is asked for at, from the same files. Here
//! `cargo clippy`, `cargo doc` and an editor see them.

// Kernels say what the hardware does; a shorter Boolean form is the synthesizer's business.
#![allow(clippy::nonminimal_bool)]
// What is never true, empty or the same at this size is not so at another.
#![allow(clippy::absurd_extreme_comparisons, clippy::reversed_empty_ranges, clippy::assertions_on_constants)]
// A branch of a fact that is absent here reads fields where there are none; it is never elaborated.
#![allow(arithmetic_overflow, unconditional_panic)]

include!(concat!(env!("OUT_DIR"), "/unit.rs"));
