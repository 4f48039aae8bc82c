//! Registers around a block, so that a place-and-route frequency is that of paths between registers.
//!
//! Three pins. Every input bit but the clock is one flip-flop of a shift register fed by `si`; every output bit goes to a flip-flop of its
//! own; those are XORed four at a time, a flip-flop behind each XOR, down to `so`. So a path of the harness has at most one LUT4, and a
//! block of logic alone is measured from flip-flop to flip-flop.

use crate::Error;
use crate::netlist::{Direction, Module};
use std::fmt::Write;

pub(crate) const HARNESS: &str = "qor_harness";

/// The Verilog of the harness with `top` as a black box, and how many flip-flops of its own it has.
/// # Errors
/// A port that is both input and output.
pub(crate) fn harness(top: &str, module: &Module, clock: Option<&str>) -> Result<(String, u64), Error> {
    if let Some((name, _)) = module.ports.0.iter().find(|(_, p)| p.direction == Direction::Inout) {
        return Err(Error::Tool(format!("port `{name}` is both input and output: split it into input, output and enable")));
    }
    let of = |direction| module.ports.0.iter().filter(move |(_, p)| p.direction == direction).map(|(n, p)| (n.as_str(), p.bits.len()));
    let mut pins: Vec<String> = clock.iter().map(|c| format!(".\\{c} (clk)")).collect();
    let (mut inputs, mut outputs) = (0, 0);
    for (name, width) in of(Direction::Input).filter(|(name, _)| Some(*name) != clock) {
        pins.push(format!(".\\{name} (in_q[{}:{inputs}])", inputs + width - 1));
        inputs += width;
    }
    for (name, width) in of(Direction::Output) {
        pins.push(format!(".\\{name} (out_d[{}:{outputs}])", outputs + width - 1));
        outputs += width;
    }
    let (inputs, outputs) = (inputs.max(1), outputs.max(1));
    let shifted = if inputs > 1 { format!("{{in_q[{}:0], si}}", inputs - 2) } else { "si".to_string() };
    let mut v = format!(
        "module {HARNESS}(input wire clk, input wire si, output wire so);\n  reg [{}:0] in_q;\n  wire [{o}:0] out_d;\n  reg [{o}:0] x0;\n  \
         always @(posedge clk) in_q <= {shifted};\n  always @(posedge clk) x0 <= out_d;\n  {top} dut({});\n",
        inputs - 1,
        pins.join(", "),
        o = outputs - 1,
    );
    let (mut width, mut stage, mut own) = (outputs, 0, inputs + outputs);
    while width > 1 {
        let next = width.div_ceil(4);
        let _ = writeln!(v, "  reg [{}:0] x{};", next - 1, stage + 1);
        for i in 0..next {
            let high = (4 * i + 3).min(width - 1);
            let _ = writeln!(v, "  always @(posedge clk) x{}[{i}] <= ^x{stage}[{high}:{}];", stage + 1, 4 * i);
        }
        (width, stage, own) = (next, stage + 1, own + next);
    }
    let ports: Vec<String> = module
        .ports
        .0
        .iter()
        .map(|(name, p)| {
            let direction = if p.direction == Direction::Input { "input" } else { "output" };
            let width = if p.bits.len() > 1 { format!("[{}:0] ", p.bits.len() - 1) } else { String::new() };
            format!("{direction} {width}\\{name} ")
        })
        .collect();
    let _ = write!(v, "  assign so = x{stage};\nendmodule\n(* blackbox *) module {top}({});\nendmodule\n", ports.join(", "));
    Ok((v, own as u64))
}
