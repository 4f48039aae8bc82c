//! What blocks cost.
//!
//! A folder of Verilog goes in ([`Input`]); Yosys maps it to Xilinx families ([`flow`]), and nextpnr places it on an ECP5 ([`ecp5`]); the
//! files of Vivado are read where there are some ([`vivado`]). Figures of open tools and of Vivado stay apart throughout. The [`Report`] is
//! held against a [`budget`] and an earlier report ([`baseline`]), and written as text, JSON, JUnit or one HTML page ([`render`]), or as a
//! table in a page of documentation ([`cost`]).

pub mod baseline;
pub mod budget;
pub mod by_module;
pub mod cache;
pub mod cells;
pub mod cost;
pub mod ecp5;
mod error;
pub mod flow;
mod harness;
pub mod hierarchy;
pub mod junit;
pub mod levels;
pub mod measure;
pub mod model;
pub mod netlist;
pub mod render;
pub mod signals;
pub mod split;
pub mod tools;
pub mod verdict;
pub mod vivado;

pub use error::Error;
pub use flow::{Family, Input};
pub use measure::{Options, Progress, measure};
pub use model::{Block, Report};
