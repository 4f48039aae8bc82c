//! The hardware blocks of rdma-rtl, described in rust-hdl.
//!
//! One block per file; file, type and Verilog module carry the same name. `describe` is how the emitter sees a block, `primitives` is what
//! blocks are made of, `receive` the receive side, `bitmap` its loss detection, `send` the send side, `congestion` the rate of each queue
//! pair, `lr2` the boxes of a long haul, `wire` the frames, `memory` the way to memory, `csr` the registers, `bus` the bundles of signals
//! between them, `top` what is packaged.
//!
//! This crate has what every design is made of: the primitives, and blocks of which one design may have several sizes, with const generics.
//! The other files of these folders are blocks whose sizes are constants of a profile (`sizes.rs`): they are compiled for a design, and for
//! the linter in `hdl/sized`.
//!
//! rust-hdl's kernels are a subset of Rust with no `let`, no helper functions and no arithmetic on const generics: of a block with
//! generics, a width that follows from others is one of its own, checked by `new()`.

// Kernels say what the hardware does; a shorter Boolean form is the synthesizer's business.
#![allow(clippy::nonminimal_bool)]

// The derive names this crate by its name, so that blocks can be described in tests and other crates too.
extern crate self as rdma_rtl_hdl;

pub mod bitmap;
pub mod bus;
pub mod congestion;
pub mod csr;
pub mod describe;
pub mod kernel;
pub mod lr2;
pub mod memory;
pub mod ports;
pub mod primitives;
pub mod receive;
pub mod send;
pub mod settle;
pub mod signals;
pub mod top;
pub mod wire;
pub mod wiring;

pub use rdma_rtl_derive::{Bundle, Described, given, kernel};
