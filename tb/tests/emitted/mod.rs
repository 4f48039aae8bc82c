//! The Verilog of every block.

mod blocks;
#[path = "../../../gen/tests/common/mod.rs"]
mod common;
mod equivalence;
mod lint;
mod names;
mod rust_hdl;
mod text;
