//! Every form that a kernel accepts: the Rust and the emitted Verilog give the same values.
//!
//! Widths 1 to 6 with every pair of operands, 31 to 128 with corners and random ones. One simulation per block and tool.

#[path = "../common/mod.rs"]
mod common;
mod forms;
mod harness;
mod structure;

use forms::*;
use harness::Run;
use structure::*;

/// Calls a block with its width parameters: the width, the width of a position, twice the width, half of it.
macro_rules! at_every_width {
    ($run:expr, $block:ident) => {
        at_widths!($run, $block, (1, 1, 2, 1), (2, 1, 4, 1), (3, 2, 6, 1), (4, 2, 8, 2), (5, 3, 10, 2), (6, 3, 12, 3));
        at_widths!($run, $block, (31, 5, 62, 15), (32, 5, 64, 16), (33, 6, 66, 16), (63, 6, 126, 31));
        at_widths!($run, $block, (64, 6, 128, 32), (65, 7, 130, 32), (128, 7, 256, 64));
    };
}

macro_rules! at_widths {
    ($run:expr, $block:ident, $(($w:literal, $p:literal, $d:literal, $h:literal)),*) => {
        $( $run.block(concat!(stringify!($block), "_", stringify!($w)), $block::<$w, $p, $d, $h>::default()); )*
    };
}

#[test]
fn arithmetic() {
    let mut run = Run::new("arithmetic");
    at_every_width!(run, Arithmetic);
    run.compare();
}

#[test]
fn comparisons() {
    let mut run = Run::new("comparisons");
    at_every_width!(run, Comparisons);
    run.compare();
}

#[test]
fn shifts() {
    let mut run = Run::new("shifts");
    at_every_width!(run, Shifts);
    run.block("WideAmount", WideAmount::default());
    run.compare();
}

#[test]
fn selections() {
    let mut run = Run::new("selections");
    at_every_width!(run, Selections);
    run.compare();
}

#[test]
fn casts() {
    let mut run = Run::new("casts");
    at_every_width!(run, Casts);
    run.block("Products", Products::default());
    run.compare();
}

#[test]
fn control() {
    let mut run = Run::new("control");
    at_every_width!(run, Control);
    run.compare();
}

#[test]
fn structure() {
    let mut run = Run::new("structure");
    at_every_width!(run, Links);
    run.block("Fields", Fields::default());
    run.compare();
}
