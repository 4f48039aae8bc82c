//! Defects that are planted into a design of three modules: each is found, and named with its module. The design as it is, is clean.

use rdma_rtl_lint::{Error, Input, Said, Tool, lint, modules};
use rdma_rtl_report::cache::Cache;
use std::path::PathBuf;

/// Half of a handshake: `ready` depends on `ready` behind it, `valid` on `valid` before it.
const STAGE: &str = "module stage (
    input  wire       clk,
    input  wire       in_valid,
    output wire       in_ready,
    input  wire [7:0] in_data,
    output wire       out_valid,
    input  wire       out_ready,
    output wire [7:0] out_data
);

    reg  [7:0] held;
    wire [7:0] words_out;
    reg  [7:0] words [0:3];

    assign words_out = words[in_data[1:0]];
    assign in_ready = out_ready;
    assign out_valid = in_valid;
    assign out_data = held ^ words_out;

    always @(posedge clk) begin
        if (in_valid)
            words[in_data[1:0]] <= in_data;
        held <= in_data;
    end

endmodule
";
const CHAIN: &str = "module chain (
    input  wire       clk,
    input  wire       in_valid,
    output wire       in_ready,
    input  wire [7:0] in_data,
    output wire       out_valid,
    input  wire       out_ready,
    output wire [7:0] out_data
);

    wire       middle_valid;
    wire       middle_ready;
    wire [7:0] middle_data;

    stage first (
        .clk       (clk),
        .in_valid  (in_valid),
        .in_ready  (in_ready),
        .in_data   (in_data),
        .out_valid (middle_valid),
        .out_ready (middle_ready),
        .out_data  (middle_data)
    );

    stage second (
        .clk       (clk),
        .in_valid  (middle_valid),
        .in_ready  (middle_ready),
        .in_data   (middle_data),
        .out_valid (out_valid),
        .out_ready (out_ready),
        .out_data  (out_data)
    );

endmodule
";
const TOP: &str = "module top (
    input  wire       clk,
    input  wire       in_valid,
    output wire       in_ready,
    input  wire [7:0] in_data,
    output wire       out_valid,
    input  wire       out_ready,
    output wire [7:0] out_data
);

    // Bits of one bus, the one made of the other, which is no loop.
    wire [1:0] bits;
    assign bits[0] = in_valid;
    assign bits[1] = bits[0] & in_data[0];

    chain words (
        .clk       (clk),
        .in_valid  (bits[1]),
        .in_ready  (in_ready),
        .in_data   (in_data),
        .out_valid (out_valid),
        .out_ready (out_ready),
        .out_data  (out_data)
    );

endmodule
";

/// The program on PATH, or a line that says why nothing was tried.
fn tool(name: &str, version: &str) -> Option<Tool> {
    let found: Option<PathBuf> =
        std::env::var_os("PATH").and_then(|p| std::env::split_paths(&p).map(|d| d.join(name)).find(|f| f.is_file()));
    if found.is_none() {
        println!("skipped: no {name}");
    }
    Some(Tool { program: found?, version: version.into() })
}

fn tools() -> Option<[Tool; 2]> {
    Some([tool("verilator", "1")?, tool("yosys", "1")?])
}

fn input(block: &str, top: &str, texts: &[&str]) -> Input {
    let files = texts.iter().map(|t| (format!("{}.v", t.split_whitespace().nth(1).unwrap()), t.to_string())).collect();
    Input { block: block.into(), top: top.into(), files }
}

fn said(input: &Input, tools: &[Tool; 2], cache: &Cache) -> Said {
    lint(std::slice::from_ref(input), &tools[0], &tools[1], cache, &|_, _| ()).unwrap().remove(0)
}

#[test]
fn planted_defects_are_found() {
    let Some(tools) = tools() else { return };
    let whole = [STAGE, CHAIN, TOP];
    assert_eq!(said(&input("top", "top", &whole), &tools, &Cache::none()).yosys, "");
    let cases: &[(usize, &str, &str, &[&str])] = &[
        // More than one driver
        (
            0,
            "    assign in_ready = out_ready;\n",
            "    assign in_ready = out_ready;\n    assign in_ready = in_valid;\n",
            &["module stage", "multiple conflicting drivers"],
        ),
        (1, "        .in_ready  (middle_ready),", "        .in_ready  (middle_valid),", &["module chain", "middle_valid"]),
        // None
        (0, "    assign out_valid = in_valid;\n", "", &["module stage", "out_valid"]),
        (
            0,
            "    assign out_valid = in_valid;\n",
            "    wire gone;\n    assign out_valid = in_valid & gone;\n",
            &["module stage", "gone", "driver"],
        ),
        (1, "        .out_valid (middle_valid),\n", "", &["module chain", "middle_valid", "driver"]),
        // A loop in one module: through gates, and through a memory, which older releases of Yosys do not look through
        (
            0,
            "    assign in_ready = out_ready;\n",
            "    wire a;\n    wire b;\n    assign a = b | in_valid;\n    assign b = a & out_ready;\n    assign in_ready = b;\n",
            &["module stage", "loop"],
        ),
        (0, "assign words_out = words[in_data[1:0]];", "assign words_out = words[words_out[1:0]];", &["module stage", "loop"]),
        // Loops through two modules and through three, none of which is one in any module
        (
            1,
            "        .in_valid  (in_valid),\n",
            "        .in_valid  (middle_valid),\n",
            &["module chain: combinational loop through its instances: first.in_valid -> first.out_valid -> first.in_valid"],
        ),
        (
            2,
            ".in_valid  (bits[1]),",
            ".in_valid  (out_valid & bits[1]),",
            &["module top: combinational loop through its instances: words.in_valid -> words.out_valid -> words.in_valid"],
        ),
        // Ports and modules that are not there
        (2, ".in_data   (in_data),", ".in_word   (in_data),", &["module top", "in_word"]),
        (2, "    chain words (", "    chains words (", &["module top", "chains"]),
    ];
    let mut missed = Vec::new();
    for (at, from, to, says) in cases {
        let mut texts = whole.map(String::from);
        assert!(texts[*at].contains(from), "{from}");
        texts[*at] = texts[*at].replacen(from, to, 1);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = said(&input("top", "top", &texts), &tools, &Cache::none());
        for part in *says {
            if !found.yosys.contains(part) {
                missed.push(format!("{to}: `{part}` is not in {found:?}"));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n\n"));
}

#[test]
fn what_is_clean_is_kept_by_content_and_what_is_not_is_looked_at_again() {
    let Some(mut tools) = tools() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::in_folder(folder.path());
    let clean = [input("chain", "chain", &[STAGE, CHAIN]), input("top", "top", &[STAGE, CHAIN, TOP])];
    let modules = modules::read(&clean).unwrap();
    assert_eq!((modules.len(), modules.batches(&modules.known(&tools[1], &cache)).concat().len()), (3, 3), "shared modules are one");
    let expected = |said: &Said| said.yosys.is_empty();
    assert!(lint(&clean, &tools[0], &tools[1], &cache, &|_, _| ()).unwrap().iter().all(expected));
    assert!(modules.batches(&modules.known(&tools[1], &cache)).is_empty());
    // The body of a child changes: its owners are not looked at again.
    let changed = [STAGE.replace("held ^ words_out", "held & words_out"), CHAIN.into(), TOP.into()];
    let changed = input("top", "top", &changed.iter().map(String::as_str).collect::<Vec<_>>());
    let open = |input: &Input| {
        let modules = modules::read(std::slice::from_ref(input)).unwrap();
        modules.batches(&modules.known(&tools[1], &cache)).concat().len()
    };
    assert_eq!(open(&changed), 1);
    // Its port does: they are.
    let wider = [STAGE.replace("input  wire       clk,", "input  wire       clk,\n    input  wire       spare,"), CHAIN.into(), TOP.into()];
    let wider = input("top", "top", &wider.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(open(&wider), 2);
    // A defect is found as often as it is looked for, with the rest of its block in the cache.
    let broken = [STAGE.into(), CHAIN.replace("        .in_valid  (in_valid),", "        .in_valid  (middle_valid),"), TOP.into()];
    let broken = input("top", "top", &broken.iter().map(String::as_str).collect::<Vec<_>>());
    for _ in 0..2 {
        assert!(said(&broken, &tools, &cache).yosys.contains("combinational loop through its instances"));
    }
    // Another release of the tool knows nothing of what this one has found.
    tools[1].version = "2".into();
    assert_eq!(modules.batches(&modules.known(&tools[1], &cache)).concat().len(), 3);
}

#[test]
fn an_entry_that_leaves_the_cache_under_the_run_is_still_known() {
    let Some(tools) = tools() else { return };
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::in_folder(folder.path());
    let stage = [input("stage", "stage", &[STAGE])];
    lint(&stage, &tools[0], &tools[1], &cache, &|_, _| ()).unwrap();
    let emptied = |_, _| std::fs::read_dir(folder.path()).unwrap().flatten().for_each(|e| std::fs::remove_file(e.path()).unwrap_or(()));
    let both = [stage[0].clone(), input("chain", "chain", &[STAGE, CHAIN])];
    let said = lint(&both, &tools[0], &tools[1], &cache, &emptied).unwrap();
    assert!(said.iter().all(|said| said.yosys.is_empty()), "{said:?}");
}

#[test]
fn a_tool_that_says_nothing_and_leaves_nothing_is_not_believed() {
    let Some(tools) = tools() else { return };
    let silent = Tool { program: "true".into(), version: "1".into() };
    let found = lint(&[input("stage", "stage", &[STAGE])], &tools[0], &silent, &Cache::none(), &|_, _| ()).unwrap();
    assert!(found[0].yosys.contains("without a word and without its netlist"), "{found:?}");
    let none = Tool { program: "no/such/yosys".into(), version: "1".into() };
    let error = lint(&[input("stage", "stage", &[STAGE])], &tools[0], &none, &Cache::none(), &|_, _| ()).unwrap_err();
    assert!(error.to_string().contains("cannot run no/such/yosys"), "{error}");
}

#[test]
fn verilog_that_is_not_the_emitters_is_refused() {
    let says = |texts: &[(&str, &str)]| {
        let files = texts.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        modules::read(&[Input { block: "b".into(), top: "stage".into(), files }]).err().map(|e: Error| e.to_string()).unwrap_or_default()
    };
    let two = format!("{STAGE}{CHAIN}");
    assert!(says(&[("a.v", &two)]).contains("a.v: 2 modules; the emitter writes one to a file"));
    assert!(says(&[("a.v", "")]).contains("a.v: 0 modules"));
    assert!(says(&[("a.v", STAGE), ("b.v", STAGE)]).contains("b.v: the module `stage` is in another file too"));
    assert!(says(&[("a.v", &STAGE[..STAGE.len() / 2])]).contains("a.v"));
    assert_eq!(says(&[("a.v", STAGE)]), "");
}
