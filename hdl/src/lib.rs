//! The hardware blocks of rdma-rtl, described in rust-hdl.
//!
//! One block per file; file, type and Verilog module carry the same name. `describe` is how the emitter sees a block,
//! `primitives` is what blocks are made of, `receive` the receive side.
//!
//! rust-hdl's kernels are a subset of Rust with no `let`, no helper functions and no arithmetic on const generics: widths that
//! follow from others are parameters of their own, checked by `new()`.

pub mod describe;
pub mod primitives;
pub mod receive;

pub use rdma_rtl_derive::Described;
