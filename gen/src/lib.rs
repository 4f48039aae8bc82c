//! Elaborated design to text: the project's own Verilog emitter.
//!
//! [`elaborate`] reads the description of a block (`rdma_rtl_hdl::describe`) into the IR of [`ir`], where every expression has a
//! width and the meaning that the Rust has; [`emit`] writes it as Verilog-2005. Between the two a design may be edited.
//! [`registers`] writes what software needs to know of a register map, [`vendor`] what tools and people need beside the Verilog.

mod error;
mod identifier;
mod interface;
pub mod ir;
mod lower;
mod names;
pub mod registers;
pub mod vendor;
mod verilog;

pub use error::{Error, What};
pub use lower::{Options, elaborate};
pub use names::{Name, names, names_json};
pub use verilog::{SourceFile, emit, emit_beside, emit_guarded};
