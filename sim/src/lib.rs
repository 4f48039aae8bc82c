//! Runs designs: native, verilated, in lockstep.

pub mod model;

pub use model::{Direction, Model, Port};
