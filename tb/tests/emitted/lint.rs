//! What is emitted is free of warnings in every Verilator and in Yosys, and is the same every time.

use super::blocks::{self, Sample};
use super::common::{folder, present, run, verilators, write};
use rdma_rtl_gen::{Options, elaborate, emit};
use rdma_rtl_lint::{Input, Tool};
use rdma_rtl_report::cache::Cache;
use rdma_rtl_sim::verilated::Tools;
use std::path::Path;

/// What the command `lint` does, on blocks inside of others too; it finds in its cache what was clean here.
#[test]
fn no_tool_has_anything_to_say() {
    let inputs: Vec<Input> = blocks::all().iter().enumerate().map(|(i, sample)| input(i, sample)).collect();
    let yosys = rdma_rtl_report::tools::Tool::yosys_of_lint().unwrap_or_else(|e| panic!("{e}"));
    let yosys = Tool { program: yosys.program, version: yosys.version };
    let mut said = Vec::new();
    for verilator in verilators() {
        let program = (verilator != "verilator").then_some(Path::new(&verilator));
        let tools = Tools::find(program, None).unwrap_or_else(|e| panic!("{e}"));
        let verilator = Tool { program: tools.verilator.clone(), version: tools.verilator_version.clone() };
        let each = rdma_rtl_lint::lint(&inputs, &verilator, &yosys, &Cache::find_in("lint"), &|_, _| ()).unwrap_or_else(|e| panic!("{e}"));
        for (input, said_of) in inputs.iter().zip(each) {
            said.extend(
                [said_of.verilator, said_of.yosys]
                    .into_iter()
                    .filter(|text| !text.is_empty())
                    .map(|text| format!("{}: {text}", input.block)),
            );
        }
    }
    assert!(said.is_empty(), "{}", said.join("\n"));
}

/// Icarus reads Verilog-2005 and nothing newer: what it takes without a word is no SystemVerilog.
#[test]
fn icarus_has_nothing_to_say() {
    if !present("iverilog") {
        println!("not run: there is no iverilog");
        return;
    }
    for (i, sample) in blocks::all().iter().enumerate() {
        let folder = folder(&format!("icarus_{i}"));
        let design = elaborate(&sample.node, &Options::default()).unwrap_or_else(|e| panic!("{}: {e}", sample.name));
        let files = emit(&design);
        write(&folder, &files);
        let names = files.iter().map(|f| f.name.as_str());
        let arguments: Vec<&str> = ["-g2005", "-Wall", "-o", "null.vvp", "-s", &design.top].into_iter().chain(names).collect();
        let said = run("iverilog", &arguments, &folder).unwrap_or_else(|e| panic!("{e}"));
        assert!(said.is_empty(), "{} of {}: {said}", sample.name, sample.profile);
    }
}

fn input(index: usize, Sample { name, profile, node }: &Sample) -> Input {
    let design = elaborate(node, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let files = emit(&design).into_iter().map(|file| (file.name, file.text)).collect();
    Input { block: format!("{name} of {profile}, {index}"), top: design.top, files }
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
