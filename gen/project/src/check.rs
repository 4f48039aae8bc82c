//! The scripts and constraints of a project under the Tcl harness.

use crate::Error;
use crate::folder::{MARK, mark};
use crate::verilog::Netlist;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const HARNESS: [(&str, &str); 13] = [
    ("run.tcl", include_str!("../../../fpga-projects/harness/run.tcl")),
    ("arguments.tcl", include_str!("../../../fpga-projects/harness/arguments.tcl")),
    ("objects.tcl", include_str!("../../../fpga-projects/harness/objects.tcl")),
    ("netlist.tcl", include_str!("../../../fpga-projects/harness/netlist.tcl")),
    ("catalogue.tcl", include_str!("../../../fpga-projects/harness/catalogue.tcl")),
    ("macs.tcl", include_str!("../../../fpga-projects/harness/macs.tcl")),
    ("system.tcl", include_str!("../../../fpga-projects/harness/system.tcl")),
    ("validate.tcl", include_str!("../../../fpga-projects/harness/validate.tcl")),
    ("project.tcl", include_str!("../../../fpga-projects/harness/project.tcl")),
    ("flow.tcl", include_str!("../../../fpga-projects/harness/flow.tcl")),
    ("constraints.tcl", include_str!("../../../fpga-projects/harness/constraints.tcl")),
    ("ip.tcl", include_str!("../../../fpga-projects/harness/ip.tcl")),
    ("hardware.tcl", include_str!("../../../fpga-projects/harness/hardware.tcl")),
];

/// `TOP` stands for the name of the block.
const SYSTEM: [&[&str]; 9] = [
    &["rtl/TOP/package_ip.tcl", "build/ip/TOP"],
    &["project.tcl", "create"],
    &["project.tcl", "synth"],
    &["project.tcl", "reports"],
    &["project.tcl", "bit"],
    &["nonproject.tcl", "synth"],
    &["nonproject.tcl", "bit"],
    &["ooc.tcl", "impl"],
    &["selftest.tcl"],
];
const OUT_OF_CONTEXT: [&[&str]; 2] = [&["ooc.tcl", "synth"], &["ooc.tcl", "impl"]];

/// What was run, and what it had to say.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub block: String,
    pub profile: String,
    pub runs: Vec<Run>,
}

/// One script.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// With its arguments.
    pub script: String,
    /// What it came to, in a few words; empty where it failed.
    pub done: String,
    pub faults: Vec<Fault>,
}

#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Fault {
    /// Path in the project.
    pub file: String,
    pub line: usize,
    pub text: String,
}

impl Report {
    /// Nothing was wrong.
    pub fn ok(&self) -> bool {
        self.runs.iter().all(|r| r.faults.is_empty())
    }

    /// Faults, each once: scripts share files.
    pub fn faults(&self) -> Vec<&Fault> {
        let mut found: Vec<&Fault> = Vec::new();
        for fault in self.runs.iter().flat_map(|r| &r.faults) {
            if !found.contains(&fault) {
                found.push(fault);
            }
        }
        found
    }
}

/// The Tcl shell: `RDMA_RTL_TCLSH`, else `tclsh` or `tclsh8.6` in `PATH`.
/// # Errors
/// There is none.
pub fn tclsh() -> Result<PathBuf, Error> {
    if let Some(path) = std::env::var_os("RDMA_RTL_TCLSH").filter(|p| !p.is_empty()) {
        return Ok(PathBuf::from(path));
    }
    let folders: Vec<PathBuf> = std::env::var_os("PATH").map(|p| std::env::split_paths(&p).collect()).unwrap_or_default();
    ["tclsh", "tclsh8.6"].iter().find_map(|name| folders.iter().map(|f| f.join(name)).find(|f| f.is_file())).ok_or_else(|| {
        Error::Tool("no tclsh: install Tcl 8.6 (package `tcl` of Debian and Ubuntu), or set RDMA_RTL_TCLSH to the program".into())
    })
}

/// Runs every script of the project in `folder`, and with them its constraints.
/// # Errors
/// A folder that is no project of ours; Verilog in it that cannot be read; a tclsh that does not run. What is wrong with the scripts is in
/// the report.
pub fn check(folder: &Path, tclsh: &Path) -> Result<Report, Error> {
    let about = mark(folder)?;
    let system = about.as_ref().and_then(|a| a.get("kind")).and_then(Value::as_str) == Some("system");
    check_with(folder, tclsh, if system { &SYSTEM } else { &OUT_OF_CONTEXT })
}

/// As [`check()`], with the scripts that are named, each with its arguments.
/// # Errors
/// As there.
pub fn check_with(folder: &Path, tclsh: &Path, scripts: &[&[&str]]) -> Result<Report, Error> {
    let no_project = |what: String| Error::Folder { folder: folder.to_path_buf(), what };
    let about = mark(folder)?.ok_or_else(|| no_project(format!("has no {MARK}: `rdma-rtl project --out` writes a project")))?;
    let text = |key: &str| about.get(key).and_then(Value::as_str).map(str::to_string);
    let (block, profile) =
        text("block").zip(text("profile")).ok_or_else(|| no_project(format!("{MARK} has no `block` or no `profile`")))?;
    let mut netlist = read_netlist(&folder.join("rtl").join(&block), &block)?;
    // Blocks that stand in the design with it.
    let beside: Vec<&str> = about.get("beside").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    for other in &beside {
        if !is_name(other) {
            return Err(no_project(format!("{MARK} has `{other}` beside its block, which is no name")));
        }
        netlist.modules.extend(read_netlist(&folder.join("rtl").join(other), other)?.modules);
    }
    let facts = facts(&about, &block, &netlist).map_err(no_project)?;

    let harness = rdma_rtl_process::Folder::new().map_err(Error::io("temporary folder"))?;
    let put = |name: &str, text: &str| std::fs::write(harness.path().join(name), text).map_err(Error::io(harness.path().join(name)));
    HARNESS.iter().try_for_each(|(name, text)| put(name, text))?;
    put("facts.tcl", &facts)?;

    let named = |script: &&[&str]| script.iter().map(|word| word.replace("TOP", &block)).collect::<Vec<_>>();
    let mut lines: Vec<Vec<String>> = scripts.iter().map(named).collect();
    if scripts.len() == SYSTEM.len() {
        let packaging = |other: &&str| SYSTEM[0].iter().map(|word| word.replace("TOP", other)).collect();
        lines.extend(beside.iter().map(packaging));
    }
    let runs = lines.iter().map(|line| run(tclsh, harness.path(), folder, line)).collect::<Result<_, _>>()?;
    Ok(Report { block, profile, runs })
}

fn read_netlist(folder: &Path, block: &str) -> Result<Netlist, Error> {
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).map_err(Error::io(folder.join(name)));
    let list = text(&format!("{block}.f"))?;
    let texts: Vec<(&str, String)> = list.lines().map(|name| Ok((name, text(name)?))).collect::<Result<_, Error>>()?;
    Netlist::read(texts.iter().map(|(name, text)| (*name, text.as_str())))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

/// What the harness is told: see `fpga-projects/harness/netlist.tcl`.
fn facts(about: &Map<String, Value>, block: &str, netlist: &Netlist) -> Result<String, String> {
    let parts: Vec<&str> = about.get("parts").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    if parts.is_empty() || !parts.iter().chain([&block]).all(|p| is_name(p)) {
        return Err(format!("{MARK} has no sound `parts`, or no sound `block`"));
    }
    let mut out = format!("parts {}\ntop {block}\n", parts.join(" "));
    for area in about.get("map").and_then(Value::as_array).into_iter().flatten() {
        let Some((base, bytes)) = area.get(0).and_then(Value::as_u64).zip(area.get(1).and_then(Value::as_u64)) else {
            return Err(format!("{MARK}: `map` is not a list of [base, bytes]"));
        };
        let _ = writeln!(out, "map {base} {bytes}");
    }
    for extra in about.get("extra").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if !extra.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c)) {
            return Err(format!("{MARK}: `extra` has `{extra}`, which is no path"));
        }
        let _ = writeln!(out, "extra {extra}");
    }
    out.push_str(&netlist.facts());
    Ok(out)
}

fn run(tclsh: &Path, harness: &Path, folder: &Path, script: &[String]) -> Result<Run, Error> {
    let mut command = Command::new(tclsh);
    command.arg(harness.join("run.tcl")).arg(harness.join("facts.tcl")).arg(folder).args(script);
    let output = rdma_rtl_process::output(&mut command).map_err(|e| Error::Tool(format!("cannot run {}: {e}", tclsh.display())))?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let mut run = Run { script: script.join(" "), done: String::new(), faults: Vec::new() };
    let mut ended = false;
    for line in out.lines() {
        match line.splitn(3, '\t').collect::<Vec<_>>().as_slice() {
            ["ok", commands, done] => {
                run.done = if done.is_empty() { commands.to_string() } else { format!("{commands}, {done}") };
                ended = true;
            }
            ["faults", _] => ended = true,
            [file, line, text] => {
                run.faults.push(Fault { file: file.to_string(), line: line.parse().unwrap_or(0), text: text.to_string() })
            }
            _ => {}
        }
    }
    if !ended {
        return Err(Error::Tool(format!(
            "{}: the harness ended early: {}",
            tclsh.display(),
            err.lines().next().unwrap_or("without a word")
        )));
    }
    Ok(run)
}
