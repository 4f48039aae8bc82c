//! The emitted Verilog as constraints see it.

mod common;

use rdma_rtl_project::{Netlist, Port};

fn read(text: &str) -> Result<Netlist, String> {
    Netlist::read([("a.v", text)]).map_err(|e| e.to_string())
}

#[test]
fn a_top_with_a_block() {
    let files = common::verilog("endpoint", 512);
    let netlist = Netlist::read(files[..2].iter().map(|(n, t)| (n.as_str(), t.as_str()))).unwrap();
    let top = &netlist.modules["endpoint"];
    assert_eq!(top.instances, [("drain".to_string(), "bus_drain_c10".to_string())]);
    assert_eq!(top.registers, [("reset".to_string(), 1), ("quiet".to_string(), 6)]);
    let data = netlist.port("endpoint", "s_axis_rx_tdata").unwrap();
    let info = "xilinx.com:interface:axis:1.0 s_axis_rx TDATA".to_string();
    assert_eq!(*data, Port { name: "s_axis_rx_tdata".into(), input: true, width: 512, clock: false, info, parameter: String::new() });
    assert!(netlist.port("endpoint", "aclk").unwrap().clock && netlist.port("bus_drain_c10", "clk").unwrap().clock);
    // A comparison is no assignment.
    assert_eq!(netlist.modules["bus_drain_c10"].registers, [("count".to_string(), 10), ("done".to_string(), 1)]);
    assert!(!netlist.port("endpoint", "aresetn").unwrap().clock);
}

#[test]
fn a_clock_that_only_a_grandchild_uses() {
    let text = "module c (\n    input  wire k\n);\n    reg q;\n    always @(posedge k) begin\n        q <= 1'b1;\n    end\nendmodule\nmodule b (\n    input  wire j\n);\n    c one (\n        .k (j)\n    );\nendmodule\nmodule a (\n    input  wire first,\n    input  wire other\n);\n    b two (\n        .j (first)\n    );\nendmodule\n";
    let netlist = read(text).unwrap();
    assert!(netlist.port("a", "first").unwrap().clock && !netlist.port("a", "other").unwrap().clock);
}

#[test]
fn what_is_not_the_emitters() {
    for (text, says) in [
        ("module a (\n    input  wire b\n", "ends inside of module `a`"),
        ("module a (\n    inout  wire b\n);\nendmodule\n", "a.v, line 2: `inout  wire b` is no port"),
        ("module a (\n    input  wire [W-1:0] b\n);\nendmodule\n", "line 2"),
        ("module a (\n    input  wire [7:1] b\n);\nendmodule\n", "line 2"),
        ("module a (\n    input  wire [99999999999999999999:0] b\n);\nendmodule\n", "line 2"),
        ("module a (\n    input  wire [exec] b\n);\nendmodule\n", "line 2"),
        ("module a ();\nendmodule\nmodule a ();\nendmodule\n", "line 4: a module of this name was read already"),
        ("module $x ();\nendmodule\n", "line 1: a module without a name"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(says), "{text}: {error}");
    }
    assert!(read("").unwrap().modules.is_empty());
}

#[test]
fn a_file_that_is_cut_anywhere_does_no_harm() {
    let text = &common::verilog("receive_endpoint", 64)[0].1;
    for cut in (0..text.len()).step_by(7) {
        let _ = read(&text[..cut]);
    }
}

#[test]
fn attributes_cannot_reach_the_tcl() {
    let text = "module a (\n    (* X_INTERFACE_INFO = \"x} [exit 0] {\" *)\n    input  wire b\n);\nendmodule\n";
    let facts = read(text).unwrap().facts();
    assert!(!facts.contains("exit"), "{facts}");
}
