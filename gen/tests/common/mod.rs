//! What the emitter's tests share: a folder, the tools.
#![allow(dead_code)]

use ::rust_hdl::prelude::*;
use rdma_rtl_gen::{Options, SourceFile, elaborate, emit, ir::Design};
use rdma_rtl_hdl::describe::{Described, Node};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The description of a block that is ready to be asked.
pub fn describe<B: Block + Described>(mut block: B) -> Node {
    block.connect_all();
    block.describe()
}

pub fn design<B: Block + Described>(block: B) -> Design {
    elaborate(&describe(block), &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// A fresh folder under cargo's own for this test run.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a writable target folder");
    path
}

pub fn write(folder: &Path, files: &[SourceFile]) -> Vec<PathBuf> {
    files
        .iter()
        .map(|file| {
            let path = folder.join(&file.name);
            std::fs::write(&path, &file.text).expect("a writable target folder");
            path
        })
        .collect()
}

pub fn write_design(folder: &Path, design: &Design) -> Vec<PathBuf> {
    write(folder, &emit(design))
}

/// Verilators to test with: the one on the path, and those that `RDMA_RTL_VERILATORS` names (separated by `:`).
pub fn verilators() -> Vec<String> {
    let more = std::env::var("RDMA_RTL_VERILATORS").unwrap_or_default();
    ["verilator"].into_iter().chain(more.split(':').filter(|v| !v.is_empty())).map(str::to_string).collect()
}

/// The program that `make tools` has installed, else the one on PATH.
fn tool(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let tools = std::env::var_os("RDMA_RTL_TOOLS").map_or(root.join(".tools"), PathBuf::from);
    Some(tools.join("bin").join(name)).filter(|p| p.is_file()).unwrap_or(PathBuf::from(name))
}

/// Whether a tool can be started at all.
pub fn present(program: &str) -> bool {
    Command::new(tool(program)).arg("-V").output().is_ok()
}

/// Runs a tool; what it says if it fails.
pub fn run(program: &str, arguments: &[&str], folder: &Path) -> Result<String, String> {
    let output = Command::new(tool(program)).args(arguments).current_dir(folder).output().map_err(|e| format!("{program}: {e}"))?;
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.success() { Ok(text) } else { Err(format!("{program} {arguments:?} in {}\n{text}", folder.display())) }
}

/// The same, for a tool that may take longer than anybody waits: `None` if it did, and was stopped.
pub fn run_within(limit: Duration, program: &str, arguments: &[&str], folder: &Path) -> Option<Result<String, String>> {
    let said = folder.join("said.txt");
    let file = std::fs::File::create(&said).expect("a writable target folder");
    let copy = file.try_clone().expect("a second handle");
    let mut command = Command::new(tool(program));
    let mut child = match command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(file).stderr(copy).spawn() {
        Ok(child) => child,
        Err(e) => return Some(Err(format!("{program}: {e}"))),
    };
    let began = Instant::now();
    let status = loop {
        match child.try_wait().expect("a child that we started") {
            Some(status) => break status,
            None if began.elapsed() < limit => std::thread::sleep(Duration::from_millis(10)),
            None => {
                child.kill().and_then(|()| child.wait()).expect("a child that we started");
                return None;
            }
        }
    };
    let text = String::from_utf8_lossy(&std::fs::read(&said).expect("what the tool said")).into_owned();
    Some(if status.success() { Ok(text) } else { Err(format!("{program} {arguments:?} in {}\n{text}", folder.display())) })
}
