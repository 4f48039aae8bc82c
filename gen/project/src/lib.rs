//! Vivado projects: a block design around an endpoint for a board, or one block out of context.
//!
//! The scripts are Tcl that a person reads (`fpga-projects/*.tcl`), parametrised by a small `settings.tcl`; boards are data
//! (`fpga-projects/boards/*.toml`). [`check()`] runs the scripts and constraints of a project in a plain `tclsh`, with every Vivado
//! command defined to check what it is told, against the Verilog that lies in the project.
//!
//! This crate knows no block: it reads the emitted Verilog, and is told names and numbers.

mod board;
mod check;
mod constraints;
mod error;
mod folder;
mod settings;
mod verilog;

pub use board::{Board, Clock, Mac, MacKind, Tie, boards, find as board, parse as parse_board};
pub use check::{Fault, Report, Run, check, check_with, tclsh};
pub use error::Error;
pub use folder::{File, MARK, write};
pub use settings::{Bridge, Kind, Request, TOPS, project};
pub use verilog::{Module, Netlist, Port, without_parameters};
