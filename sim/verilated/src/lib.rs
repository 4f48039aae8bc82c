//! Verilator as a Rust library: generate, compile, cache, load, drive.
//!
//! A [`Design`] is Verilog text with its ports; [`Library::build`] runs Verilator (5.006 or newer) and the C++ compiler on it, or takes
//! the result from the cache; [`Library::instance`] makes models. Ports are read and written in Verilator's own memory and a clock
//! cycle is one foreign call, so a bench in Rust costs what one in C++ costs.
//!
//! The crate knows nothing of how the Verilog came about.

pub mod cache;
mod compile;
mod error;
mod instance;
mod library;
mod options;
mod port;
mod process;
mod shim;
mod tools;

pub use error::Error;
pub use instance::Instance;
pub use library::Library;
pub use options::{Design, Initial, Optimize, Options, Source, Trace};
pub use port::{Direction, Port};
pub use tools::Tools;
