//! Runs designs: native, verilated, in lockstep.
//!
//! A bench is written once against [`Model`]. [`Native`] runs the rust-hdl block itself, [`Verilated`] its Verilog through Verilator,
//! [`Lockstep`] two models side by side. [`bus`] has what stands at AXI ports, [`cdma`] a whole AXI CDMA, [`network`] what lies between two
//! ends.

mod error;
mod lockstep;
mod native;
mod wave;

pub mod bus;
pub mod cdma;
pub mod model;
pub mod network;
pub mod speed;
pub mod verilated;

pub use error::Error;
pub use lockstep::{Difference, Lockstep};
pub use model::{Direction, Model, Port};
pub use native::Native;
pub use verilated::{Verilated, verilate};
