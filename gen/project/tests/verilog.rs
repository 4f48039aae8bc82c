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
    assert_eq!(top.instances, [("drain".to_string(), "bus_drain_count_bits10".to_string())]);
    assert_eq!(top.registers, [("reset".to_string(), 1), ("quiet".to_string(), 6)]);
    let data = netlist.port("endpoint", "s_axis_rx_tdata").unwrap();
    let info = "xilinx.com:interface:axis:1.0 s_axis_rx TDATA".to_string();
    assert_eq!(*data, Port { name: "s_axis_rx_tdata".into(), input: true, width: 512, clock: false, info, parameter: String::new() });
    assert!(netlist.port("endpoint", "aclk").unwrap().clock && netlist.port("bus_drain_count_bits10", "clk").unwrap().clock);
    // A comparison is no assignment.
    assert_eq!(netlist.modules["bus_drain_count_bits10"].registers, [("count".to_string(), 10), ("done".to_string(), 1)]);
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

const SIZED: &str = "module kept #(
    parameter WIDTH        = 8,  // bits
    parameter ADDRESS_BITS = 4   // words
) (
    input  wire                  clk,
    input  wire [WIDTH-1:0]      word,  // WIDTH of them
    output reg  [ADDRESS_BITS:0] count
);

    reg  [WIDTH-1:0] held;

    inner #(.WIDTH(ADDRESS_BITS)) below (
        .clk (clk)
    );

    always @(posedge clk) begin
        held <= word;
        count <= {{(ADDRESS_BITS-1){1'b0}}, 2'd1};
    end

endmodule
";
const INNER: &str = "module inner #(\n    parameter WIDTH = 8   // bits\n) (\n    input  wire clk\n);\n\nendmodule\n";
const OWNER: &str = "module owner (
    input  wire clk
);

    kept #(.WIDTH(3), .ADDRESS_BITS(1)) small (
        .clk (clk)
    );

    genvar i;
    generate
        for (i = 0; i < 3; i = i + 1) begin : each
            kept #(.WIDTH(64), .ADDRESS_BITS(5)) large (
                .clk (clk)
            );
        end
    endgenerate

    kept #(.WIDTH(3), .ADDRESS_BITS(1)) again (
        .clk (clk)
    );

endmodule
";

#[test]
fn parameters_and_loops_are_read() {
    let netlist = Netlist::read([("kept.v", SIZED), ("inner.v", INNER), ("owner.v", OWNER)]).unwrap();
    let widths: Vec<usize> = netlist.modules["kept"].ports.iter().map(|p| p.width).collect();
    assert_eq!(widths, [1, 8, 5]);
    let instances: Vec<(&str, &str)> = netlist.modules["owner"].instances.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(
        instances,
        [("small", "kept"), ("each[0].large", "kept"), ("each[1].large", "kept"), ("each[2].large", "kept"), ("again", "kept")]
    );
    assert!(netlist.port("owner", "clk").unwrap().clock);
}

#[test]
fn each_set_of_values_is_a_module() {
    let files = [("kept.v", SIZED), ("inner.v", INNER), ("owner.v", OWNER)];
    let found = rdma_rtl_project::without_parameters(files).unwrap();
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["owner.v", "kept_3_1.v", "kept_64_5.v", "inner_1.v", "inner_5.v"]);
    let text = |name: &str| found.iter().find(|(n, _)| n == name).map_or("", |(_, text)| text.as_str());
    assert!(text("owner.v").contains("kept_3_1 small (") && text("owner.v").contains("kept_64_5 large ("), "{}", text("owner.v"));
    for line in ["module kept_64_5 (", "[63:0]      word,  // WIDTH of them", "[5:0] count", "inner_5 below (", "{{(4){1'b0}}, 2'd1}"] {
        assert!(text("kept_64_5.v").contains(line), "{line} in {}", text("kept_64_5.v"));
    }
    let netlist = Netlist::read(found.iter().map(|(name, text)| (name.as_str(), text.as_str()))).unwrap();
    assert_eq!(netlist.modules["kept_3_1"].ports.iter().map(|p| p.width).collect::<Vec<_>>(), [1, 3, 2]);
    let wrong = OWNER.replacen(".WIDTH(3)", ".WIDTH(X)", 1);
    let error = rdma_rtl_project::without_parameters([("kept.v", SIZED), ("owner.v", &wrong)]).unwrap_err().to_string();
    assert!(error.contains("owner.v, line 5") && error.contains("gives a parameter no number"), "{error}");
}
