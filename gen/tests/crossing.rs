//! Blocks between two clocks: their text, and the FIFO run with both clocks under Icarus Verilog.

mod common;

use common::design;
use rdma_rtl_gen::{SourceFile, emit};
use rdma_rtl_hdl::primitives::{FifoAsync, Synchronizer};
use std::path::Path;
use std::process::Command;

fn fifo() -> Vec<SourceFile> {
    emit(&design(FifoAsync::<8, 3, 4, 2>::default()))
}

#[test]
fn a_synchronizer() {
    insta::assert_snapshot!(emit(&design(Synchronizer::<1, 3>::default()))[0].text);
}

#[test]
fn flip_flops_that_cross_carry_async_reg_and_no_others_do() {
    for file in fifo() {
        let lines: Vec<&str> = file.text.lines().collect();
        let marked = lines.windows(2).filter(|w| w[0].trim() == "(* async_reg = \"true\" *)" && w[1].contains("reg ")).count();
        assert_eq!(marked, if file.name.starts_with("synchronizer") { 2 } else { 0 }, "{}", file.text);
        assert_eq!(file.text.matches("async_reg").count(), marked);
    }
    let top = &fifo().pop().unwrap().text;
    assert!(top.contains("always @(posedge write_clk)") && top.contains("always @(posedge read_clk)"), "{top}");
    // What constraints/fifo_async.xdc names.
    for name in ["write_gray", "read_gray", "out_data"] {
        assert!(top.lines().any(|l| l.contains("reg ") && l.contains(name)), "{name}: {top}");
    }
    for name in [" write_seen (", " read_seen (", " memory ("] {
        assert!(top.contains(name), "{name}");
    }
}

/// Two clocks, a writer and a reader that pause at random, every word compared. `#1` after an edge is when registers have changed.
const BENCH: &str = r#"
`timescale 1ps/1ps
module bench;
    parameter integer WRITE = 1000, READ = 1000, PHASE = 0, SEED = 1, WORDS = 1500;
    reg write_clk = 0, read_clk = 0, write_rst = 1, read_rst = 1, in_valid = 0, out_ready = 0;
    reg [7:0] in_data = 0, held = 0;
    reg waiting = 0;
    wire in_ready, out_valid;
    wire [7:0] out_data;
    integer sent = 0, got = 0, seed = SEED, fullest = 0;
    fifo_async dut (
        .write_clk(write_clk), .write_rst(write_rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .read_clk(read_clk), .read_rst(read_rst), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data));
    always #(WRITE / 2) write_clk = !write_clk;
    initial begin #(PHASE) forever #(READ / 2) read_clk = !read_clk; end
    initial begin
        #(20 * (WRITE + READ));
        @(posedge write_clk) #1 write_rst = 0;
        @(posedge read_clk) #1 read_rst = 0;
    end
    always @(posedge write_clk) if (!write_rst) begin
        if (in_valid && in_ready) sent = sent + 1;
        #1 in_valid = ($random(seed) & 7) != 0 && sent < WORDS;
        in_data = sent;
    end
    always @(posedge read_clk) if (!read_rst) begin
        if (waiting && (!out_valid || out_data !== held)) begin $display("FAIL: a word that waits changes"); $finish; end
        waiting = out_valid && !out_ready;
        held = out_data;
        if (out_valid && out_ready) begin
            if (out_data !== (got & 255)) begin $display("FAIL: word %0d is %h", got, out_data); $finish; end
            got = got + 1;
            if (got == WORDS) begin
                if (fullest < 8) begin $display("FAIL: never more than %0d words", fullest); $finish; end
                $display("PASS"); $finish;
            end
        end
        // Long pauses too, so that it fills.
        #1 out_ready = ((got / 64) & 1) ? ($random(seed) & 7) == 0 : ($random(seed) & 7) != 0;
    end
    always @(sent or got) if (sent - got > fullest) fullest = sent - got;
    initial begin #(20 * WORDS * (WRITE + READ)); $display("FAIL: it stands still at %0d of %0d", got, sent); $finish; end
endmodule
"#;

/// The first flip-flop takes each bit that changed within the last `skew` ps as it was or as it is, as a real one may.
fn undecided(files: &mut [SourceFile], skew: u32) {
    for file in files.iter_mut().filter(|f| f.name.starts_with("synchronizer")) {
        let from = "stage_0 <= d;";
        assert!(file.text.contains(from), "{}", file.text);
        let late = format!("    reg [3:0] late = 0;\n    reg [3:0] choice;\n    always @(d) late <= #({skew}) d;\n\n    initial begin");
        file.text = file
            .text
            .replacen("    initial begin", &late, 1)
            .replace(from, "choice = $random;\n        stage_0 <= (d & choice) | (late & ~choice);");
    }
}

fn runs(files: &[SourceFile], clocks: [u32; 2], phase: u32, seed: u32) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "crossing_{}_{}_{phase}_{seed}_{:x}",
        clocks[0],
        clocks[1],
        std::process::id()
    ));
    let folder = folder.join(format!("{:?}", std::thread::current().id()).replace(['(', ')'], ""));
    std::fs::create_dir_all(&folder).unwrap();
    let text: String = files.iter().map(|f| f.text.as_str()).collect();
    std::fs::write(folder.join("fifo.v"), format!("`timescale 1ps/1ps\n{text}")).unwrap();
    std::fs::write(folder.join("bench.v"), BENCH).unwrap();
    let mut compile = Command::new("iverilog");
    compile.args(["-g2005", "-o", "bench.vvp", "-s", "bench"]);
    for (name, value) in [("WRITE", clocks[0]), ("READ", clocks[1]), ("PHASE", phase), ("SEED", seed)] {
        compile.arg(format!("-Pbench.{name}={value}"));
    }
    let output = compile.args(["fifo.v", "bench.v"]).current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new("vvp").args(["-n", "bench.vvp"]).current_dir(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).trim().to_string();
    std::fs::remove_dir_all(&folder).unwrap();
    if said.ends_with("PASS") { Ok(()) } else { Err(said) }
}

fn has_icarus() -> bool {
    let found = Command::new("iverilog").arg("-V").output().is_ok();
    if !found {
        println!("skipped: no iverilog");
    }
    found
}

/// Periods in ps: the same, near each other, and far apart both ways; each with phases of all kinds.
const CLOCKS: [[u32; 2]; 7] = [[1000, 1000], [1000, 1002], [1002, 1000], [3102, 4000], [4000, 3102], [1000, 7302], [7302, 1000]];

#[test]
fn words_cross_between_any_clocks() {
    if !has_icarus() {
        return;
    }
    for (i, clocks) in CLOCKS.into_iter().enumerate() {
        for phase in [0, 1, 499, 731] {
            let seed = 1 + i as u32 * 16 + phase;
            runs(&fifo(), clocks, phase, seed).unwrap_or_else(|said| panic!("{clocks:?}, phase {phase}: {said}"));
            let mut files = fifo();
            undecided(&mut files, clocks[0].min(clocks[1]) * 9 / 10);
            runs(&files, clocks, phase, seed).unwrap_or_else(|said| panic!("undecided, {clocks:?}, phase {phase}: {said}"));
        }
    }
}

#[test]
fn the_bench_notices() {
    if !has_icarus() {
        return;
    }
    let top = fifo().pop().unwrap().text;
    let gray = |name: &str| {
        let line =
            top.lines().find(|l| l.contains(&format!("{name}_gray <= ")) && l.contains('^')).unwrap_or_else(|| panic!("{name}: {top}"));
        let line = line.trim().to_string();
        // The position itself where its Gray code was.
        (line.clone(), line.split(" ^ ").next().unwrap().to_string() + ";")
    };
    let half_way = top.lines().find(|l| l.contains("HALF_WAY") && l.contains("localparam")).unwrap_or_else(|| panic!("{top}")).to_string();
    let breakages = [
        (gray("write").0, gray("write").1),
        (gray("read").0, gray("read").1),
        (half_way.clone(), half_way.replace("4'd12", "4'd8")),
        (".d   (write_gray)".to_string(), ".d   (write)".to_string()),
        ("out_ready".to_string(), "out_valid".to_string()),
    ];
    for (from, to) in breakages {
        let at = if from == "out_ready" { top.rfind(&from) } else { top.find(&from) };
        let at = at.unwrap_or_else(|| panic!("`{from}` is not in\n{top}"));
        assert_ne!(from, to, "{top}");
        let noticed = CLOCKS.iter().any(|clocks| {
            let mut files = fifo();
            undecided(&mut files, clocks[0].min(clocks[1]) * 9 / 10);
            files.last_mut().unwrap().text = format!("{}{to}{}", &top[..at], &top[at + from.len()..]);
            runs(&files, *clocks, 499, 7).is_err()
        });
        assert!(noticed, "`{from}` -> `{to}`");
    }
}
