//! Frequency on a Lattice ECP5 (LFE5U-85F, CABGA381, speed grade 8): Yosys `synth_ecp5 -abc9`, nextpnr-ecp5, one run per seed.
//!
//! It is the only frequency that open tools can give, and it is that of an ECP5: it ranks blocks and shows regressions, and says nothing
//! about how fast they are on a Xilinx part. Two thirds of a path are routing and seeds differ by 5 %: below 10 % nothing is different.

use crate::Error;
use crate::cells::Figures;
use crate::flow::{Elaborated, TOP, Yosys};
use crate::harness::{HARNESS, harness};
use crate::netlist::read_top;
use crate::signals::{Names, Signal};
use crate::tools::Tool;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// MHz asked of the placer.
pub const ASKED_MHZ: u32 = 300;
pub const PART: &str = "LFE5U-85F, CABGA381, speed grade 8";

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ecp5 {
    pub command: String,
    pub abc9: bool,
    /// Of the bare block
    pub figures: Figures,
    /// Flip-flops of the harness around it
    pub harness_ff: u64,
    pub mhz: BTreeMap<u32, f64>,
    /// The lower of the two in the middle, if they are even in number
    pub median_mhz: f64,
    /// Worst path of the median seed
    pub path: Option<Critical>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Critical {
    pub from: String,
    pub to: String,
    pub logic_ns: f64,
    pub routing_ns: f64,
    /// The path is the harness's own: the frequency of the block is at least this.
    pub in_harness: bool,
    /// Signals on the way that have names in the block
    pub signals: Vec<Signal>,
}

#[derive(Deserialize)]
struct Report {
    fmax: BTreeMap<String, Fmax>,
    critical_paths: Vec<CriticalPath>,
}

#[derive(Deserialize)]
struct Fmax {
    achieved: f64,
}

#[derive(Deserialize)]
struct CriticalPath {
    from: String,
    to: String,
    path: Vec<Segment>,
}

#[derive(Deserialize)]
struct Segment {
    delay: f64,
    #[serde(rename = "type")]
    kind: String,
    from: Pin,
    to: Pin,
    #[serde(default)]
    net: String,
}

#[derive(Deserialize)]
struct Pin {
    cell: String,
}

/// # Errors
/// No clock to be found, a tool that fails or ends in the middle.
pub fn measure(yosys: &Yosys, nextpnr: &Tool, block: &Elaborated, names: &Names, seeds: &[u32]) -> Result<Ecp5, Error> {
    let folder = block.folder.path();
    let map =
        |abc9: &str| format!("read_rtlil dut.il; synth_ecp5{abc9} -top {TOP} -json ecp5.json; select {TOP}; write_rtlil -selected ecp5.il");
    let abc9 = yosys.mapped(folder, "ecp5.log", map)?;
    let bare = read_top(&folder.join("ecp5.json"), TOP)?;
    let (text, harness_ff) = harness(TOP, &block.ports, block.clock()?)?;
    std::fs::write(folder.join("harness.v"), text).map_err(|e| Error::io("cannot write", &folder.join("harness.v"), e))?;
    // The block is a black box while the harness is mapped, so that no register moves across the border.
    let around = |abc9: &str| {
        format!(
            "read_verilog harness.v; synth_ecp5{abc9} -top {HARNESS}; delete ={TOP}; read_rtlil ecp5.il; hierarchy -top {HARNESS}; flatten; clean; write_json harness.json"
        )
    };
    yosys.mapped(folder, "harness.log", around)?;
    let mut runs = Vec::new();
    for &seed in seeds {
        runs.push((seed, place(nextpnr, block, names, seed)?));
    }
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by(|a, b| runs[*a].1.0.total_cmp(&runs[*b].1.0));
    let median = order.get((order.len().max(1) - 1) / 2).copied().ok_or_else(|| Error::Call("no seed was given".into()))?;
    Ok(Ecp5 {
        command: format!("synth_ecp5{}", if abc9 { " -abc9" } else { "" }),
        abc9,
        figures: Figures::of(bare.cells.values().map(|c| c.kind.as_str())),
        harness_ff,
        mhz: runs.iter().map(|(seed, (mhz, _))| (*seed, tenth(*mhz))).collect(),
        median_mhz: tenth(runs[median].1.0),
        path: runs.swap_remove(median).1.1,
    })
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn place(nextpnr: &Tool, block: &Elaborated, names: &Names, seed: u32) -> Result<(f64, Option<Critical>), Error> {
    let folder = block.folder.path();
    let (seed, report, freq) = (seed.to_string(), format!("report{seed}.json"), ASKED_MHZ.to_string());
    let arguments = ["--85k", "--package", "CABGA381", "--speed", "8", "--freq", &freq, "--seed", &seed].into_iter().chain([
        "--lpf-allow-unconstrained",
        "--timing-allow-fail",
        "--json",
        "harness.json",
        "--report",
        &report,
    ]);
    nextpnr.run(folder, &arguments.collect::<Vec<_>>(), &format!("nextpnr{seed}.log"))?;
    let path = folder.join(&report);
    let text = std::fs::read_to_string(&path).map_err(|e| Error::io("nextpnr left no report:", &path, e))?;
    read_report(&text, names).map_err(|e| Error::io("nextpnr's report", &path, e))
}

fn read_report(text: &str, names: &Names) -> Result<(f64, Option<Critical>), String> {
    let report: Report = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let slowest = report.fmax.values().map(|f| f.achieved).reduce(f64::min).ok_or("has no frequency: nothing is clocked")?;
    if !slowest.is_finite() || slowest <= 0.0 {
        return Err(format!("has the frequency {slowest}"));
    }
    let own = |name: &str| name.strip_prefix('x').is_some_and(|rest| rest.starts_with(|c: char| ('1'..='9').contains(&c)));
    let worst = report.critical_paths.into_iter().find(|p| p.from == p.to && !p.from.contains("<async>"));
    let critical = worst.and_then(|p| {
        let sum = |routing: bool| p.path.iter().filter(|s| (s.kind == "routing") == routing).map(|s| s.delay).sum::<f64>();
        let (first, last) = (p.path.first()?.from.cell.clone(), p.path.last()?.to.cell.clone());
        let mut signals: Vec<Signal> = Vec::new();
        for net in p.path.iter().filter_map(|s| s.net.strip_prefix("dut.")) {
            let (base, bit) = net.split_once('[').map_or((net, ""), |(base, rest)| (base, &net[net.len() - rest.len() - 1..]));
            let rust: Vec<String> = names.rust(base).iter().map(|f| format!("{f}{bit}")).collect();
            if !rust.is_empty() && signals.last().is_none_or(|s| s.verilog != net) {
                signals.push(Signal { verilog: net.to_string(), rust });
            }
        }
        Some(Critical {
            in_harness: own(&last) || (first.starts_with("in_q") && last.starts_with("in_q")),
            from: first,
            to: last,
            logic_ns: (sum(false) * 100.0).round() / 100.0,
            routing_ns: (sum(true) * 100.0).round() / 100.0,
            signals,
        })
    });
    Ok((slowest, critical))
}
