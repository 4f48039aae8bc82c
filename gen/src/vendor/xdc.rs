//! Constraints: the clock where the block stands alone, and what it needs where it is used.

use super::PERIOD_NS;
use super::bundle::{Interface, Shape};
use super::crossing::scoped;
use crate::ir::Design;
use std::fmt::Write;

fn clocks<'a>(interfaces: &'a [Interface]) -> Vec<&'a str> {
    interfaces.iter().filter(|i| i.shape == Shape::Clock).map(|i| i.name.as_str()).collect()
}

/// Out of context: the clock that arrives at the boundary.
pub fn out_of_context(name: &str, interfaces: &[Interface]) -> String {
    let mut out = format!(
        "# {name} on its own: synth_design -mode out_of_context, or a block design that synthesises each block by itself.\n\
         # {PERIOD_NS} ns is 322.27 MHz, the clock of a 100G MAC. Another clock: change the period here.\n\n"
    );
    let clocks = clocks(interfaces);
    for clock in &clocks {
        let _ = writeln!(out, "create_clock -period {PERIOD_NS} -name {clock} [get_ports {clock}]");
        out.push_str("# To place and route it alone, say where its clock comes from: a BUFGCE or BUFGCTRL of the part.\n");
        let _ = writeln!(out, "# set_property HD.CLK_SRC BUFGCTRL_X0Y2 [get_ports {clock}]");
    }
    if clocks.is_empty() {
        let _ = writeln!(out, "# The block has no clock: the time through it is what there is to constrain.");
        let _ = writeln!(out, "set_max_delay {PERIOD_NS} -from [all_inputs] -to [all_outputs]");
    }
    out
}

/// In context: what a design that has the block in it must say of it.
pub fn in_context(design: &Design, interfaces: &[Interface]) -> String {
    let name = design.top.as_str();
    let scoped = scoped(design);
    // A block that is a crossing itself: its own constraints are those of its module.
    if let Some((_, text)) = scoped.iter().find(|(module, _)| module.name == name) {
        return text.to_string();
    }
    let mut out = format!(
        "# {name} in a design: {}.\n",
        if scoped.is_empty() { "no constraint is needed" } else { "what crosses clocks in it needs its own" }
    );
    let clocks = clocks(interfaces);
    match clocks.as_slice() {
        [] => out.push_str("# It has no clock and no register.\n"),
        [clock] if scoped.is_empty() => {
            let _ = writeln!(
                out,
                "# Everything in it runs on {clock}, whose clock the design defines. No signal crosses to another clock, so there is no exception\n\
                 # to declare: every port is timed against {clock}. What comes from another clock is synchronised outside."
            );
        }
        [clock] => {
            let _ = writeln!(out, "# Everything in it runs on {clock}, whose clock the design defines.");
        }
        several => {
            let _ = writeln!(out, "# Its clocks are {}, which the design defines.", several.join(", "));
        }
    }
    for reset in interfaces.iter().filter(|i| matches!(i.shape, Shape::Reset { .. })) {
        let _ = writeln!(
            out,
            "# {} is synchronous: give it from a register of the same clock; it is a timed path, not a false one.",
            reset.name
        );
    }
    if !scoped.is_empty() {
        out.push_str("# Every instance of these modules, at any depth, by the file of its name:\n");
        for (module, _) in &scoped {
            let _ = writeln!(out, "#   read_xdc -ref {0} {0}.xdc", module.name);
        }
    }
    out
}
