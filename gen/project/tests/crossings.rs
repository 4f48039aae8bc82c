//! Constraints of the modules between clocks: found in any hierarchy, scoped, and held against the Verilog.

mod common;

use common::crossing::{FIFO, LEVEL, MEMORY, SYNCHRONIZER};
use common::{Project, has_tclsh, request};
use rdma_rtl_project::{Kind, Request, check_with, tclsh};

const OWNER: &str = "module bridge (\n    input  wire       fast_clk,\n    input  wire       slow_clk,\n    input  wire [7:0] in_data,\n    output wire [7:0] out_data,\n    input  wire       button,\n    output wire       pressed\n);\n\n    fifo_async_width8_address_bits3_count_bits4_stages2 words (\n        .write_clk (fast_clk),\n        .in_data   (in_data),\n        .read_clk  (slow_clk),\n        .out_data  (out_data)\n    );\n\n    synchronizer_width1_stages3 level (\n        .clk (fast_clk),\n        .d   (button),\n        .q   (pressed)\n    );\n\nendmodule\n";

/// Modules that stand between clocks, each with the file that it is constrained by; the synchronizers in the FIFO are the FIFO's.
const SCOPED: [(&str, &str); 2] =
    [("fifo_async_width8_address_bits3_count_bits4_stages2", "fifo_async"), ("synchronizer_width1_stages3", "synchronizer")];

fn bridge(top: &str, texts: &[&str]) -> Request {
    let mut request = request("endpoint", 512, Kind::OutOfContext { part: "xcku3p-ffva676-2-e".into(), period: 3.103 });
    request.top = top.into();
    request.sources = texts.iter().map(|t| (format!("{}.v", t.split_whitespace().nth(1).unwrap()), t.to_string())).collect();
    let list: String = request.sources.iter().map(|(name, _)| format!("{name}\n")).collect();
    request.sources.push((format!("{top}.f"), list));
    // As the generator writes them: by the names of the modules.
    let read = |name: &str| std::fs::read_to_string(format!("{}/../../constraints/{name}.xdc", env!("CARGO_MANIFEST_DIR"))).unwrap();
    for (module, file) in SCOPED.into_iter().chain([("fifo_async", "fifo_async")]) {
        if request.sources.iter().any(|(name, _)| *name == format!("{module}.v")) {
            request.sources.push((format!("{module}.xdc"), read(file)));
        }
    }
    request
}

fn whole() -> Project {
    Project::new(&bridge("bridge", &[SYNCHRONIZER, MEMORY, FIFO, OWNER, LEVEL]))
}

#[test]
fn each_module_gets_its_file() {
    let project = whole();
    let settings = std::fs::read_to_string(project.path.join("settings.tcl")).unwrap();
    assert!(
        settings.contains("set scoped {fifo_async_width8_address_bits3_count_bits4_stages2 synchronizer_width1_stages3}"),
        "{settings}"
    );
    if has_tclsh() {
        let report = project.check();
        assert!(report.ok(), "{:#?}", report.faults());
    }
}

#[test]
fn a_fifo_that_is_the_top() {
    if !has_tclsh() {
        return;
    }
    let fifo = FIFO.replace("fifo_async_width8_address_bits3_count_bits4_stages2", "fifo_async");
    let report = Project::new(&bridge("fifo_async", &[SYNCHRONIZER, MEMORY, &fifo])).check();
    assert!(report.ok(), "{:#?}", report.faults());
}

const FIFO_XDC: &str = "rtl/bridge/fifo_async_width8_address_bits3_count_bits4_stages2.xdc";

#[test]
fn what_no_longer_fits_is_noticed() {
    if !has_tclsh() {
        return;
    }
    let cases = [
        (
            "rtl/bridge/fifo_async_width8_address_bits3_count_bits4_stages2.v",
            "synchronizer_width4_stages2 write_seen (",
            "synchronizer_width4_stages2 write_sync (",
            FIFO_XDC,
            "no cell `write_seen/stage_0_reg[*]`; near it: write_sync",
        ),
        (
            "rtl/bridge/fifo_async_width8_address_bits3_count_bits4_stages2.v",
            "write_gray <=",
            "write_grey <=",
            FIFO_XDC,
            "no cell `write_gray_reg[*]`",
        ),
        ("rtl/bridge/lut_ram_width8_address_bits3.v", "reg [7:0] words", "reg [7:0] bytes", FIFO_XDC, "no cell `memory/words_reg*`"),
        (
            "rtl/bridge/synchronizer_width1_stages3.v",
            "stage_0 <= d;",
            "// gone",
            "rtl/bridge/synchronizer_width1_stages3.xdc",
            "no pin `stage_0_reg*/D`",
        ),
        (FIFO_XDC, "[get_ports write_clk]", "[get_ports in_data]", FIFO_XDC, "no clock at"),
        (FIFO_XDC, "-datapath_only -from", "-datapath_only -to", FIFO_XDC, "-to twice"),
        (FIFO_XDC, "set_bus_skew -from", "set_busskew -from", FIFO_XDC, "unknown command `set_busskew`"),
        (
            "constraints/bridge_ooc.xdc",
            "create_clock -period 3.103 -name slow_clk [get_ports slow_clk]\n",
            "",
            "ooc.tcl",
            "port slow_clk is a clock, and no create_clock is for it",
        ),
        (
            "settings.tcl",
            "{fifo_async_width8_address_bits3_count_bits4_stages2 ",
            "{lut_ram_width8_address_bits4 ",
            "ooc.tcl",
            "no such file: rtl/bridge/lut_ram_width8_address_bits4.xdc",
        ),
        (
            "ooc.tcl",
            "read_xdc -ref $module [list $file]",
            "read_xdc -ref fifo_async_width8 $file",
            "ooc.tcl",
            "is scoped to `fifo_async_width8`, which is no module of the design",
        ),
    ];
    for (file, from, to, at, says) in cases {
        let project = whole();
        project.change(file, from, to);
        let report = check_with(&project.path, &tclsh().unwrap(), &[&["ooc.tcl", "impl"]]).unwrap();
        let found = report.faults().iter().any(|f| f.file == at && f.text.contains(says));
        assert!(found, "{to}: wanted {at}: {says}\n got {:#?}", report.faults());
    }
}
