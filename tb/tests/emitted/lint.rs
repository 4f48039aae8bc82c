//! What is emitted is free of warnings in every Verilator and in Yosys, and is the same every time.

use crate::blocks::{self, Sample};
use crate::common::{folder, run, verilators, write_design};
use rdma_rtl_gen::{Options, elaborate, emit};

#[test]
fn no_tool_has_anything_to_say() {
    let folder = folder("lint");
    let mut said = Vec::new();
    for Sample { name, node, .. } in blocks::all() {
        let design = elaborate(&node, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let files: Vec<String> = write_design(&folder, &design).iter().map(|p| p.display().to_string()).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        for verilator in verilators() {
            let arguments = [&["--lint-only", "-Wall", "--top-module", &design.top], files.as_slice()].concat();
            match run(&verilator, &arguments, &folder) {
                Ok(text) if text.lines().all(|l| l.starts_with("- ")) => {}
                Ok(text) | Err(text) => said.push(format!("{name}: {text}")),
            }
        }
        let script = format!("read_verilog {}; hierarchy -check -top {}; proc; check -assert", files.join(" "), design.top);
        match run("yosys", &["-q", "-p", &script], &folder) {
            Ok(text) if text.is_empty() => {}
            Ok(text) | Err(text) => said.push(format!("{name}: {text}")),
        }
    }
    assert!(said.is_empty(), "{}", said.join("\n"));
}

#[test]
fn same_input_same_text() {
    for (first, second) in blocks::all().into_iter().zip(blocks::all()) {
        let texts = [first.node, second.node].map(|node| elaborate(&node, &Options::default()).map(|d| emit(&d)));
        assert_eq!(texts[0], texts[1], "{}", first.name);
    }
}

#[test]
fn no_dollar_in_any_identifier() {
    for Sample { name, node, .. } in blocks::all() {
        let design = elaborate(&node, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        for file in emit(&design) {
            let code = file.text.lines().map(|l| l.split("//").next().unwrap_or_default());
            for line in code {
                assert!(!line.replace("$signed(", "").contains('$'), "{name}: {line}");
            }
        }
    }
}
