//! Constraint files of a project.

use crate::board::Board;
use crate::verilog::Netlist;
use std::fmt::Write;

/// Pins, the clock and the bitstream of a board; with the reference clock of its MAC, if that is in the design.
pub fn board(board: &Board, with_mac: bool) -> String {
    let clock = &board.clock[0];
    let mut out = format!(
        "# {}: pins and clock of the block design. Facts: fpga-projects/boards of rdma-rtl.\n\n# {}\n\
         set_property -dict {{PACKAGE_PIN {} IOSTANDARD {io}}} [get_ports sysclk_clk_p]\n\
         set_property -dict {{PACKAGE_PIN {} IOSTANDARD {io}}} [get_ports sysclk_clk_n]\n\
         create_clock -period {:.3} -name sysclk [get_ports sysclk_clk_p]\n",
        board.title,
        clock.name,
        clock.p,
        clock.n,
        1000.0 / clock.mhz,
        io = clock.iostandard,
    );
    if let Some(mac) = board.mac.as_ref().filter(|_| with_mac) {
        let _ = write!(
            out,
            "\n# Reference clock of the transceivers at {}; their own pins follow from their sites.\n\
             set_property PACKAGE_PIN {} [get_ports mac_refclk_clk_p]\n\
             set_property PACKAGE_PIN {} [get_ports mac_refclk_clk_n]\n\
             create_clock -period {:.3} -name mac_refclk [get_ports mac_refclk_clk_p]\n",
            mac.cage,
            mac.refclk_p,
            mac.refclk_n,
            1000.0 / mac.refclk_mhz,
        );
    }
    for tie in board.ties(with_mac) {
        let _ = write!(
            out,
            "\n# Held at {}: {}.\n\
             set_property -dict {{PACKAGE_PIN {} IOSTANDARD {}}} [get_ports {port}]\n\
             # It never changes: no time matters.\n\
             set_false_path -to [get_ports {port}]\n",
            tie.value,
            tie.why,
            tie.pin,
            tie.iostandard,
            port = tie.port,
        );
    }
    out.push_str("\nset_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]\n");
    out.push_str("set_property BITSTREAM.CONFIG.OVERTEMPSHUTDOWN ENABLE [current_design]\n");
    if let Some(volts) = &board.config_voltage {
        let _ = writeln!(out, "set_property CONFIG_VOLTAGE {volts} [current_design]");
    }
    out
}

/// The clock of a block that is built alone, and which ports have no time.
pub fn out_of_context(netlist: &Netlist, top: &str, period: f64) -> String {
    let ports = netlist.modules.get(top).map(|m| m.ports.as_slice()).unwrap_or_default();
    let clocks: Vec<&str> = ports.iter().filter(|p| p.clock).map(|p| p.name.as_str()).collect();
    let mut out = format!("# {top} out of context: only synthesis and implementation of the block alone read this.\n\n");
    if clocks.is_empty() {
        let _ = write!(
            out,
            "# No clock: the way through it counts, from any input to any output.\n\
             create_clock -period {period:.3} -name through\n\
             set_input_delay -clock through 0 [all_inputs]\n\
             set_output_delay -clock through 0 [all_outputs]\n"
        );
        return out;
    }
    for clock in &clocks {
        let _ = writeln!(out, "create_clock -period {period:.3} -name {clock} [get_ports {clock}]");
    }
    out.push_str(
        "\n# Where the clock comes from, once you know the place of its buffer in your device; without it skew is not counted.\n\
         # set_property HD.CLK_SRC BUFGCE_X0Y0 [get_ports aclk]\n\n",
    );
    out.push_str("# What is around the block is not there, and its own context decides about its ports:\n");
    let others: Vec<&str> = ports.iter().filter(|p| !p.clock).map(|p| p.name.as_str()).collect();
    for line in others.chunks(6) {
        let _ = writeln!(out, "# not constrained: {}", line.join(", "));
    }
    out
}

/// A place for the endpoint in the board's design; nothing reads it until it is added.
pub fn pblock_example(top: &str) -> String {
    format!(
        "# An example, which no script reads: the endpoint and the CDMA kept in one die of a device that has several, so that no path\n\
         # between them crosses. Add it to the constraint set once the reports show such paths. Pblocks are soft unless IS_SOFT is FALSE.\n\n\
         create_pblock endpoint\n\
         add_cells_to_pblock [get_pblocks endpoint] [get_cells system_i/{top}_0]\n\
         resize_pblock [get_pblocks endpoint] -add {{SLR0}}\n\
         # By clock regions, where there is one die:\n\
         # resize_pblock [get_pblocks endpoint] -add {{CLOCKREGION_X0Y0:CLOCKREGION_X3Y2}}\n"
    )
}
