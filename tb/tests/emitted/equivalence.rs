//! The emitted Verilog and rust-hdl's own say the same, block by block, proven by Yosys.
//!
//! Each block stands alone: its children and registers are cut off on both sides, so that their inputs become outputs of the block and
//! their outputs inputs. What is left is combinational, and a solver compares it for every value.
//!
//! `proven.txt` keeps the hash of both texts and of the proof for each block that was compared before: the same texts are not compared
//! again. With `RDMA_RTL_PROVE=all` every block is compared, and the file written anew.

use super::blocks::{self, Sample};
use super::common::{folder, run, run_within};
use super::rust_hdl;
use rdma_rtl_gen::ir::{Connected, Design, Expr, Kind, Module, Process, Signal, SignalId, Statement};
use rdma_rtl_gen::{Options, elaborate, emit};
use rdma_rtl_hdl::describe::{BlockDescription, Node, Role};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// Blocks whose Verilog from rust-hdl is not what the Rust says, with what it gets wrong.
const RUST_HDL_IS_WRONG: &[(&str, &str)] = &[
    (
        "BthDecode",
        "bth_decode.rs, `before8`: `(rest7 - pad - 1).get_bits(0)` becomes `(...)[0 +: 16]`, a select of an expression, which is no Verilog",
    ),
    (
        "PayloadAlign",
        "payload_align.rs, `first0`: `bit_cast(in_start).get_bits(LB)` becomes `((in_start) & ...)[6 +: 11]`, no Verilog either",
    ),
    ("FrameVerdict", "frame_verdict.rs, `header1`: `(record0 >> 75).get_bits(0)` becomes `(record0__q >> 75)[0 +: ..]`, no Verilog either"),
    ("HeaderWindow", "header_window.rs, `joined`: `slots[0].get_bits::<WX>(0)` with more bits than the slot has reads x, not 0"),
    ("DescriptorWriter", "descriptor_writer.rs, `next_address`: `!bits::<BA>(0)` becomes the complement of 32 bits"),
    ("CdmaControl", "cdma_control.rs, `is_current`: the same"),
];

/// The same of a block in one form alone: that of a profile, or that which has an array of that name.
const WRONG_IN_ONE_FORM: &[(&str, &str, &str)] = &[
    (
        "GapRecords",
        "paths4_q256",
        "gap_records.rs: `paths[w].memory_first[i]` becomes `paths__0__memory_first[i]`, with an `i` that nobody has declared",
    ),
    ("ReceiveBitmap", "paths4_q256", "receive_bitmap.rs, `tracker[w].live_edges[k]`: the same"),
    ("ReceiveBitmap", "settled", "receive_bitmap.rs, `settled[s].slide_step[w]`: the same"),
];

/// What was found before: `same` or `differs`, the hash of [`hash`], block, profile.
const PROVEN: &str = include_str!("proven.txt");

/// Of what a comparison depends on.
fn hash(gold: &str, gate: &str, steps: &[&str]) -> String {
    crate::hash_of([gold, gate].iter().chain(steps))
}

#[test]
fn rust_hdl_says_the_same() {
    let folder = folder("equivalence");
    // The first call of a WebAssembly build compiles it, for longer than a block may take.
    run("yosys", &["-V"], &folder).unwrap_or_else(|e| panic!("{e}"));
    let mut different = Vec::new();
    let (mut proven, mut known) = (0, 0);
    let all = std::env::var("RDMA_RTL_PROVE").is_ok_and(|which| which == "all");
    let before: BTreeSet<&str> = PROVEN.lines().collect();
    let mut found = BTreeSet::new();
    for sample in blocks::all() {
        let Node::Block(block) = &sample.node else { continue };
        if block.role != Role::Block {
            // A memory is a template: it has no kernel that rust-hdl could write.
            continue;
        }
        let name = sample.name;
        let (gold, gate) = (gold(block), gate(&sample));
        std::fs::write(folder.join(format!("{name}_gold.v")), &gold).expect("a writable folder");
        std::fs::write(folder.join(format!("{name}_gate.v")), &gate).expect("a writable folder");
        // A choice of constants stays one: the solver knows no memory.
        let sides = format!(
            "read_verilog {name}_gold.v {name}_gate.v; proc -norom; opt_clean; miter -equiv -flatten gold gate miter; hierarchy -top miter"
        );
        let prove = "sat -verify -prove trigger 0 -show-inputs -show-outputs miter";
        let simplify = "techmap; abc -g AND -script +strash;ifraig;fraig; ; opt_clean";
        // Yosys's own `-timeout` is nothing in a WebAssembly build.
        let yosys = |seconds, steps: &str| {
            run_within(Duration::from_secs(seconds), "yosys", &["-Q", "-T", "-p", &format!("{sides}; {steps}")], &folder)
        };
        let excused = RUST_HDL_IS_WRONG.iter().any(|(n, _)| *n == name)
            || WRONG_IN_ONE_FORM.iter().any(|(n, form, _)| *n == name && (*form == sample.profile || has(block, form)));
        let line = |verdict: &str| format!("{verdict} {} {name} {}", hash(&gold, &gate, &[&sides, prove, simplify]), sample.profile);
        let line = line(if excused { "differs" } else { "same" });
        if !all && before.contains(line.as_str()) {
            known += 1;
            continue;
        }
        // An unknown value is a zero to ABC, which excuses what reads one.
        let result = match yosys(if excused { 300 } else { 4 }, &format!("opt -full; {prove}")) {
            // Arithmetic and wide choices: ABC finds what is alike in both and leaves the solver next to nothing.
            None if !excused => yosys(600, &format!("{simplify}; {prove}")),
            result => result,
        };
        let result = result.unwrap_or_else(|| Err("no answer in time".to_string()));
        let proof = matches!(&result, Ok(text) if text.contains("SAT proof finished - no model found: SUCCESS!"));
        match (proof, excused) {
            (true, false) => {
                proven += 1;
                found.insert(line);
            }
            (false, true) => {
                found.insert(line);
            }
            (true, true) => different.push(format!("{name} is the same in both: it need not be on the list")),
            (false, false) => {
                let text = result.unwrap_or_else(|e| e);
                let tail: Vec<&str> = text.lines().rev().take(60).collect();
                different.push(format!("{name}:\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n")));
            }
        }
    }
    if all {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emitted/proven.txt");
        std::fs::write(file, found.iter().map(|line| format!("{line}\n")).collect::<String>()).expect("a writable file");
    }
    println!("{proven} blocks proven equal now, {known} compared before; not the same:");
    RUST_HDL_IS_WRONG.iter().for_each(|(block, why)| println!("{block}: {why}"));
    WRONG_IN_ONE_FORM.iter().for_each(|(block, form, why)| println!("{block} of {form}: {why}"));
    assert!(different.is_empty(), "{}", different.join("\n\n"));
}

/// Whether a block has an array of that name with something in it.
fn has(block: &BlockDescription, array: &str) -> bool {
    block.fields.iter().any(|field| field.name == array && matches!(&field.node, Node::Array(elements) if !elements.is_empty()))
}

/// A field path as one identifier, the same on both sides.
fn identifier(path: &str) -> String {
    path.replace('[', "__").replace(']', "").replace(['.', '$'], "__")
}

/// rust-hdl's module without its instances; their ports are its own.
///
/// A child's port that is joined with one of the module has no signal for rust-hdl: the instance names the module's.
fn gold(block: &BlockDescription) -> String {
    let text = rust_hdl::text(block);
    let text = &text[text.find("module top(").expect("rust-hdl writes every block")..];
    let text = &text[..text.find("endmodule").expect("a module ends")];
    let mut ports = Vec::new();
    let mut body = String::new();
    let mut arguments = Vec::new();
    let mut section = "";
    let mut child = None;
    for line in text.lines().skip(1) {
        let code = line.trim();
        if code.starts_with("//") || code.is_empty() {
            section = if code.is_empty() && child.is_some() { section } else { code };
            continue;
        }
        match section {
            "// Sub module instances" => match (code.strip_prefix('.'), child) {
                (Some(connection), Some(instance)) => {
                    let (port, value) = connection.trim_end_matches(',').split_once('(').expect("a port has a value");
                    let (stub, argument) = (format!("{instance}${port}"), value.trim_end_matches(')'));
                    if argument != stub {
                        body.push_str(&joined(&stub, argument, &arguments));
                        ports.push(identifier(&stub));
                    }
                }
                _ if code == ");" => child = None,
                _ => child = code.trim_end_matches('(').rsplit(' ').next(),
            },
            "// Stub signals" | "// Module arguments" => {
                let name = code.trim_end_matches(';').rsplit(' ').next().unwrap_or_default();
                ports.push(identifier(name));
                let code = match section {
                    "// Stub signals" if code.starts_with("reg") => format!("output {code}"),
                    "// Stub signals" => format!("input {code}"),
                    _ => {
                        arguments.push((name, code));
                        code.to_string()
                    }
                };
                body.push_str(&format!("    {}\n", escape(&code)));
            }
            _ => body.push_str(&format!("    {}\n", escape(code))),
        }
    }
    format!("module gold({});\n{body}endmodule\n", ports.join(", "))
}

/// The port of a child and what joins it with the module's, which goes the other way.
fn joined(stub: &str, argument: &str, arguments: &[(&str, &str)]) -> String {
    let (_, declaration) = arguments.iter().find(|(name, _)| *name == argument).unwrap_or_else(|| panic!("{stub}: no port {argument}"));
    let range = declaration.find('[').map_or("", |at| &declaration[at..=declaration.find(']').expect("a range ends")]);
    let (direction, to, from) = match declaration.starts_with("input") {
        true => ("output", stub, argument),
        false => ("input", argument, stub),
    };
    escape(&format!("    {direction} wire {range} {stub};\n    assign {to} = {from};\n"))
}

/// `$` stays only in front of Verilog's own functions.
fn escape(code: &str) -> String {
    code.replace('$', "__").replace("__signed(", "$signed(").replace("__unsigned(", "$unsigned(")
}

/// Our module, cut the same way.
fn gate(sample: &Sample) -> String {
    let design = elaborate(&sample.node, &Options::default()).unwrap_or_else(|e| panic!("{}: {e}", sample.name));
    let mut module = design.top().clone();
    cut_children(&design, &mut module);
    cut_registers(&mut module);
    for signal in module.signals.iter_mut().filter(|s| s.kind != Kind::Net) {
        if let [path, ..] = signal.rust.as_slice() {
            signal.name = identifier(path);
        }
    }
    module.name = "gate".to_string();
    let cut = Design { modules: vec![module], top: "gate".to_string() };
    cut.check().unwrap_or_else(|e| panic!("{}: {e}", sample.name));
    // Without comments: what they say changes no proof.
    let text = emit(&cut)[0].text.clone();
    let code = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code).trim_end());
    code.filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

fn add(module: &mut Module, path: &str, width: usize, kind: Kind) -> SignalId {
    let name = identifier(path);
    module.signals.push(Signal { name, rust: Vec::new(), width, kind, clock: false, crossing: false, doc: String::new() });
    SignalId(module.signals.len() - 1)
}

fn cut_children(design: &Design, module: &mut Module) {
    for instance in std::mem::take(&mut module.instances) {
        let child = design.module(&instance.module).expect("a child has a module");
        for connection in instance.connections {
            let port = child.find(&connection.port).map(|id| child.signal(id)).expect("a connection has a port");
            let path = format!("{}.{}", instance.rust, port.rust[0]);
            let process = match connection.value {
                Connected::Input(value) => Process::Assign { target: add(module, &path, port.width, Kind::Output), value },
                Connected::Output(target) => {
                    let source = add(module, &path, port.width, Kind::Input);
                    Process::Assign { target, value: Expr::signal(source, port.width) }
                }
            };
            module.processes.push(process);
        }
    }
}

fn cut_registers(module: &mut Module) {
    for process in std::mem::take(&mut module.processes) {
        let Process::Clocked { clock, targets, reset, body } = process else {
            module.processes.push(process);
            continue;
        };
        let mut nexts = Vec::new();
        let mut held = Vec::new();
        for target in targets {
            let width = module.signal(target).width;
            let path = module.signal(target).rust.iter().find_map(|p| p.strip_suffix(".q")).expect("a register has a field").to_string();
            let value = add(module, &format!("{path}.q"), width, Kind::Input);
            let next = add(module, &format!("{path}.d"), width, Kind::Output);
            let clock_out = add(module, &format!("{path}.clock"), 1, Kind::Output);
            module.processes.push(Process::Assign { target, value: Expr::signal(value, width) });
            module.processes.push(Process::Assign { target: clock_out, value: Expr::signal(clock, 1) });
            held.push(Statement::Assign { target: next, low: None, value: Expr::signal(value, width) });
            nexts.push((target, next));
        }
        let mut body = body;
        if let Some((condition, then)) = reset {
            body = vec![Statement::If { condition, then, otherwise: body }];
        }
        retarget(&mut body, &nexts);
        held.extend(body);
        let targets = nexts.into_iter().map(|(_, next)| next).collect();
        module.processes.push(Process::Combinational { targets, body: held });
    }
}

fn retarget(block: &mut [Statement], to: &[(SignalId, SignalId)]) {
    for statement in block {
        if let Statement::Assign { target, .. } = statement
            && let Some((_, next)) = to.iter().find(|(from, _)| from == target)
        {
            *target = *next;
        }
        statement.blocks_mut().into_iter().for_each(|b| retarget(b, to));
    }
}
