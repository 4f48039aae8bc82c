//! `lint`

use crate::emit::{Which, write_design};
use crate::fail::{Fail, tools};
use crate::output::{Json, print, progress, table};
use rdma_rtl_tb::catalogue::Design;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rdma-rtl lint --block receive_registry --profile default\n  rdma-rtl lint --all --profile small --json lint.json"
)]
pub struct Args {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    json: Json,
}

pub fn run(args: &Args) -> Result<(), Fail> {
    let designs = args.which.designs()?;
    let verilator = tools()?;
    let yosys = find_yosys()?;
    let bar = progress(format!("lint {} blocks", designs.len()));
    let results = at_once(&designs, |design| lint(design, &verilator.verilator, &yosys));
    bar.finish_and_clear();
    let (mut rows, mut values, mut complaints) =
        (vec![["block", "profile", "verilator", "yosys"].map(String::from).to_vec()], Vec::new(), String::new());
    for (design, result) in designs.iter().zip(results) {
        let [verilator_says, yosys_says] = result?;
        let word = |says: &str| if says.is_empty() { "clean".to_string() } else { "complains".to_string() };
        rows.push(vec![design.block.into(), design.profile.into(), word(&verilator_says), word(&yosys_says)]);
        values.push(json!({ "block": design.block, "profile": design.profile, "verilator": verilator_says, "yosys": yosys_says }));
        for says in [verilator_says, yosys_says] {
            if !says.is_empty() {
                complaints += &format!("{} at {}:\n{says}\n", design.block, design.profile);
            }
        }
    }
    args.json.write(&json!({ "verilator": verilator.verilator_version, "results": Value::Array(values) }))?;
    if !args.json.on_stdout() {
        print(&table(&rows))?;
        print(&format!("Verilator {}\n", verilator.verilator_version))?;
    }
    if complaints.is_empty() { Ok(()) } else { Err(Fail::Check(complaints)) }
}

/// What Verilator and Yosys have to say about the text of a block.
fn lint(design: &Design, verilator: &Path, yosys: &Path) -> Result<[String; 2], Fail> {
    let folder = tempfile::tempdir().map_err(|e| Fail::Check(format!("cannot make a temporary folder: {e}")))?;
    let written = write_design(design, folder.path())?;
    let files = written.sources;
    let mut first = Command::new(verilator);
    first.args(["--lint-only", "-Wall", "--top-module", written.top.as_str()]).args(&files);
    let script = format!("read_verilog {}; hierarchy -check -top {}; proc; check -assert", files.join(" "), written.top);
    let mut second = Command::new(yosys);
    second.args(["-q", "-p", &script]);
    Ok([said(first, folder.path())?, said(second, folder.path())?])
}

/// `job` for each item, as many at once as there are cores; results in the order of the items.
fn at_once<T: Sync, R: Send>(items: &[T], job: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(i) else { return done };
                done.push((i, job(item)));
            }
        };
        let start = || std::thread::Builder::new().stack_size(crate::STACK).spawn_scoped(scope, work);
        let workers: Vec<_> = (0..cores.min(items.len())).filter_map(|_| start().ok()).collect();
        let mut done: Vec<(usize, R)> = if workers.is_empty() { work() } else { Vec::new() };
        for worker in workers {
            done.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Everything that a tool prints; a clean run prints nothing.
fn said(mut command: Command, folder: &Path) -> Result<String, Fail> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.current_dir(folder).output().map_err(|e| Fail::Check(format!("cannot run {program}: {e}")))?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    // A report that newer releases print after every run, not a complaint.
    text = text
        .lines()
        .filter(|l| !l.starts_with("- V e r i l a t i o n") && !l.starts_with("- Verilator:") && !l.starts_with("- verilator:"))
        .collect::<Vec<_>>()
        .join("\n");
    if !output.status.success() && text.trim().is_empty() {
        text = format!("{program} ended with {}", output.status);
    }
    Ok(text.trim().to_string())
}

/// `RDMA_RTL_YOSYS`, else `bin/yosys` of the tools folder, else PATH.
fn find_yosys() -> Result<PathBuf, Fail> {
    if let Some(path) = std::env::var_os("RDMA_RTL_YOSYS") {
        return Ok(PathBuf::from(path));
    }
    let folder = std::env::var_os("RDMA_RTL_TOOLS").map(PathBuf::from).unwrap_or_else(|| PathBuf::from(".tools"));
    let local = folder.join("bin/yosys");
    if local.is_file() {
        return std::path::absolute(local).map_err(Fail::check);
    }
    let found = std::env::var_os("PATH").and_then(|p| std::env::split_paths(&p).map(|d| d.join("yosys")).find(|f| f.is_file()));
    found.ok_or_else(|| Fail::Check("no Yosys: `make tools` installs one in .tools, or set RDMA_RTL_YOSYS to the program".into()))
}
