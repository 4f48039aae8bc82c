//! A report with something of everything, so that what shows it has something to show.
// Each program of tests has its own copy, and none uses all of it.
#![allow(dead_code)]

pub mod vivado;

use rdma_rtl_report::by_module::{ByModule, Share};
use rdma_rtl_report::cells::Figures;
use rdma_rtl_report::ecp5::{Critical, Ecp5};
use rdma_rtl_report::flow::{Hierarchy, Mapped};
use rdma_rtl_report::hierarchy::Instance;
use rdma_rtl_report::levels::{Depth, End, Path, Step};
use rdma_rtl_report::signals::Signal;
use rdma_rtl_report::tools::Tool;
use rdma_rtl_report::verdict::{Terms, Verdict};
use rdma_rtl_report::{Block, Family, Report};
use std::collections::BTreeMap;

pub const YOSYS: &str = "Yosys 0.23 (git sha1 7ce5011c24b)";

pub fn figures(lut: u64, ff: u64) -> Figures {
    let cells =
        [("LUT6", lut), ("FDRE", ff), ("RAM64M8", lut / 100), ("RAMB36E2", lut / 1000), ("RAMB18E2", lut / 500), ("CARRY4", lut / 40)];
    Figures::of_counts(cells.into_iter().map(|(c, n)| (c.to_string(), n)).collect())
}

fn signal(verilog: &str, rust: &[&str]) -> Signal {
    Signal { verilog: verilog.into(), rust: rust.iter().map(|r| r.to_string()).collect() }
}

pub fn mapped(lut: u64, ff: u64, levels: u64) -> Mapped {
    let step = |level: u64| Step {
        cell: "LUT6".into(),
        level,
        signal: level
            .is_multiple_of(2)
            .then(|| signal("lookup.compare.a_long_name_of_a_signal_in_an_inner_block[17]", &["lookup.compare.hit.q[17]"])),
    };
    let path = Path {
        from: End {
            what: "FDRE.Q".into(),
            signal: Some(signal("table.row[3]", &["table.row.q[3]", "table.out[3]"])),
            source: Some("registry_table.v:152".into()),
        },
        steps: (1..=levels).map(step).collect(),
        to: End { what: "FDRE.D".into(), signal: None, source: Some("commit_logic.v:77".into()) },
    };
    let depth = Depth { lut_levels: levels, carry_on_path: 1, longest_cells: levels + 1, path: Some(path), ..Depth::default() };
    Mapped { command: "synth_xilinx -family xcup -noiopad -noclkbuf -flatten -abc9".into(), abc9: true, figures: figures(lut, ff), depth }
}

pub fn block(name: &str, lut: u64, ff: u64, levels: u64) -> Block {
    let families = BTreeMap::from([(Family::Xcup, mapped(lut, ff, levels)), (Family::Xc7, mapped(lut + 40, ff, levels + 1))]);
    let instance = |path: &str, module: &str, depth: usize, share: u64| Instance {
        path: path.into(),
        module: module.into(),
        depth,
        total: figures(lut / share, ff / share),
    };
    let instances = vec![
        instance("", name, 0, 1),
        instance("lookup", "registry_row_e16_m128", 1, 2),
        instance("lookup.compare", "position_check_with_a_long_parameter_suffix_m128_n16", 2, 4),
        instance("queue", "fifo_lut_w64_a5_c6", 1, 20),
    ];
    let ecp5 = Ecp5 {
        command: "synth_ecp5 -abc9".into(),
        abc9: true,
        figures: figures(lut * 2, ff),
        harness_ff: 300,
        mhz: BTreeMap::from([(1, 184.2), (2, 190.0), (3, 177.7)]),
        median_mhz: 184.2,
        path: Some(Critical { from: "a".into(), to: "b".into(), logic_ns: 1.5, routing_ns: 3.9, in_harness: lut < 100, signals: vec![] }),
    };
    let hierarchy = Hierarchy { command: "synth_xilinx -family xcup -noiopad -noclkbuf -abc9".into(), abc9: true, instances };
    let share =
        |module: &str, instances: u64| Share { module: module.into(), instances, figures: figures(lut / 4, ff / 4), lut_levels: levels };
    let by_module = ByModule {
        family: Family::Xcup,
        command: "synth_xilinx -family xcup -noiopad -noclkbuf -abc9".into(),
        abc9: true,
        total: figures(lut + lut / 8, ff),
        modules: vec![share("position_check_with_a_long_parameter_suffix_m128_n16", 16), share("fifo_lut_w64_a5_c6", 3)],
    };
    Block {
        block: name.into(),
        top: name.into(),
        families,
        hierarchy: Some((Family::Xcup, hierarchy)),
        ecp5: Some(ecp5),
        by_module: Some(by_module),
    }
}

pub fn report() -> Report {
    let tool = |name: &str, version: &str| Tool { program: Default::default(), name: name.into(), version: version.into() };
    Report {
        tools: vec![tool("Yosys", YOSYS), tool("nextpnr-ecp5", "nextpnr-ecp5 0.8")],
        blocks: vec![block("receive_registry", 9543, 9382, 6), block("frame_parser", 4283, 7776, 5), block("skid_buffer", 68, 130, 1)],
        ..Report::new("default")
    }
}

/// With the verdict that it gets by itself.
pub fn judged(mut report: Report) -> Report {
    report.verdict = Verdict::of(&report, &Terms::default());
    report
}
