//! Designs and tools for the tests.
#![allow(dead_code, reason = "each test file uses a part")]

use rdma_rtl_verilated::{Design, Options, Port, Source};
use std::path::{Path, PathBuf};

/// Widths around every change of Verilator's storage type.
pub const WIDTHS: [usize; 13] = [1, 7, 8, 9, 16, 17, 31, 32, 33, 64, 65, 128, 512];

/// Each input comes out combinationally (`y`) and one clock later (`q`).
pub fn echo() -> Design {
    let mut text = String::from("module echo (\n    input wire clk");
    let mut body = String::new();
    let mut ports = Vec::new();
    for w in WIDTHS {
        let m = w - 1;
        text += &format!(",\n    input wire [{m}:0] a{w}, output wire [{m}:0] y{w}, output reg [{m}:0] q{w}");
        body += &format!("    assign y{w} = a{w};\n    always @(posedge clk) q{w} <= a{w};\n");
        ports.extend([Port::input(format!("a{w}"), w), Port::output(format!("y{w}"), w), Port::output(format!("q{w}"), w)]);
    }
    let text = text + "\n);\n" + &body + "endmodule\n";
    Design { sources: vec![Source::new("echo.v", text)], top: "echo".into(), clock: Some("clk".into()), ports }
}

/// An 8-bit counter with enable; `seed` makes each design different from every other.
pub fn counter(seed: u32) -> Design {
    let text = format!(
        "module counter (input wire clk, input wire rst, input wire enable, output reg [7:0] count);\n\
         // {seed}\n\
         always @(posedge clk) if (rst) count <= 8'd0; else if (enable) count <= count + 8'd1;\n\
         endmodule\n"
    );
    Design {
        sources: vec![Source::new("counter.v", text)],
        top: "counter".into(),
        clock: Some("clk".into()),
        ports: vec![Port::input("rst", 1), Port::input("enable", 1), Port::output("count", 8)],
    }
}

/// Options with a cache of their own.
pub fn options(cache: &Path) -> Options {
    Options { cache: Some(cache.to_path_buf()), ..Options::default() }
}

/// Names of what is in a cache, without the lock files.
pub fn entries(cache: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut list: Vec<_> = std::fs::read_dir(cache).unwrap().map(|e| e.unwrap().path()).collect();
    list.retain(|p| p.file_name().unwrap().to_string_lossy().starts_with(prefix));
    list
}

/// A program that runs `script` under sh.
pub fn script(directory: &Path, name: &str, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}
