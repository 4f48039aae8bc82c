//! The C++ bench: what somebody without this crate would write, built by Verilator's own makefile.

use super::Stimulus;
use crate::Error;
use crate::model::Direction;
use crate::verilated::{Design, Tools};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A built bench with its stimulus beside it.
pub(super) struct Program {
    directory: TempDir,
}

impl Program {
    pub(super) fn build(tools: &Tools, design: &Design, stimulus: &Stimulus) -> Result<Self, Error> {
        let directory = TempDir::new().map_err(|source| Error::Write { path: std::env::temp_dir(), source })?;
        let write = |name: &str, contents: &[u8]| {
            let path = directory.path().join(name);
            std::fs::write(&path, contents).map_err(|source| Error::Write { path, source })
        };
        let mut command = tools.verilator_command();
        command.current_dir(directory.path());
        command.args([
            "--cc",
            "--exe",
            "--build",
            "-O3",
            "-Wno-fatal",
            "--x-assign",
            "0",
            "--assert",
            "--prefix",
            "Vbench",
            "--Mdir",
            "obj",
        ]);
        command.args([
            "-CFLAGS",
            "-O3 -std=gnu++17",
            "-MAKEFLAGS",
            "OPT_FAST=-O3",
            "--top-module",
            &design.top,
            "-o",
            "bench",
            "bench.cpp",
        ]);
        for source in &design.sources {
            write(&source.name, source.text.as_bytes())?;
            command.arg(&source.name);
        }
        write("bench.cpp", text(design, stimulus).as_bytes())?;
        let bytes: Vec<u8> = stimulus.rows.iter().flat_map(|w| w.to_le_bytes()).collect();
        write("stimulus.bin", &bytes)?;
        finished(command.output(), "verilator --exe --build", directory.path())?;
        Ok(Program { directory })
    }

    /// Seconds and checksum of a run.
    pub(super) fn run(&self, cycles: u64) -> Result<(f64, u64), Error> {
        let path = self.directory.path().join("obj/bench");
        let output = Command::new(&path).arg(self.directory.path().join("stimulus.bin")).arg(cycles.to_string()).output();
        let text = finished(output, "the C++ bench", self.directory.path())?;
        let mut words = text.split_whitespace();
        let pair = words.next().and_then(|s| s.parse().ok()).zip(words.next().and_then(|s| s.parse().ok()));
        pair.ok_or_else(|| Error::CppBench { step: "the C++ bench".into(), detail: format!("it printed `{}`", text.trim()) })
    }
}

fn finished(output: std::io::Result<Output>, step: &str, directory: &Path) -> Result<String, Error> {
    let failed = |detail: String| Error::CppBench { step: step.to_string(), detail };
    let output = output.map_err(|e| failed(format!("{e} in {}", directory.display())))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(failed(text.lines().take(8).collect::<Vec<_>>().join("\n")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The bench's source: the same loop as `drive`, with the ports written out.
fn text(design: &Design, stimulus: &Stimulus) -> String {
    let (mut pokes, mut peeks, mut at) = (String::new(), String::new(), 0);
    for port in &design.ports {
        let name = port.name.replace("__", "___05F");
        match (port.direction, port.words()) {
            (Direction::Input, 1) => _ = writeln!(pokes, "        top.{name} = row[{at}];"),
            (Direction::Input, 2) => _ = writeln!(pokes, "        top.{name} = row[{at}] | uint64_t(row[{}]) << 32;", at + 1),
            (Direction::Input, n) => _ = writeln!(pokes, "        for (int i = 0; i < {n}; ++i) top.{name}[i] = row[{at} + i];"),
            (Direction::Output, 1) => _ = writeln!(peeks, "        sum = mix(sum, top.{name});"),
            (Direction::Output, 2) => _ = writeln!(peeks, "        sum = mix(mix(sum, uint32_t(top.{name})), uint32_t(top.{name} >> 32));"),
            (Direction::Output, n) => _ = writeln!(peeks, "        for (int i = 0; i < {n}; ++i) sum = mix(sum, top.{name}[i]);"),
        }
        if port.direction == Direction::Input {
            at += port.words();
        }
    }
    let clock = |level| design.clock.as_ref().map_or(String::new(), |c| format!("        top.{c} = {level}; top.eval();\n"));
    let settle = if design.clock.is_none() { "        top.eval();\n" } else { "" };
    format!(
        r#"#include "Vbench.h"
#include "verilated.h"
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
double sc_time_stamp() {{ return 0; }}
static inline uint64_t mix(uint64_t sum, uint32_t word) {{ return (sum ^ word) * 0x00000100000001b3ULL; }}
int main(int argc, char** argv) {{
    if (argc != 3) return 2;
    std::vector<uint32_t> rows({words});
    FILE* file = fopen(argv[1], "rb");
    if (!file || fread(rows.data(), 4, rows.size(), file) != rows.size()) return 3;
    fclose(file);
    const uint64_t cycles = strtoull(argv[2], nullptr, 10);
    VerilatedContext context;
    Vbench top{{&context}};
    top.eval();
    uint64_t sum = 0;
    size_t at = 0;
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t n = 0; n < cycles; ++n) {{
        const uint32_t* row = rows.data() + at;
{pokes}{high}{low}{settle}{peeks}        at += {width};
        if (at == rows.size()) at = 0;
    }}
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    printf("%.9f %llu\n", seconds.count(), (unsigned long long)sum);
}}
"#,
        words = stimulus.words(),
        width = stimulus.width,
        high = clock(1),
        low = clock(0),
    )
}
