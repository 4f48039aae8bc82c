//! Tops whose packets have sequence numbers, in the transport profiles *combined* and *bitmap*, over networks that lose, repeat and
//! reorder: with a golden model at the other end, and with each other; in lockstep with the Rust; with faults.

use crate::ends::{self, BOTH, ENGINES, ROUGH, judged, library, verilated};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::faults::Edit;
use rdma_rtl_tb::scenario::{Engine, Parts, Scenario, Top};

const TRANSPORTS: [&str; 2] = ["combined", "bitmap"];

/// Losses at random, one packet in ten.
const LOSSY: &str = "[network]\nseed = 12\n[[network.both.path]]\nloss = 0.1";
/// Nothing arrives, and every command fails.
const DEAD: &str = "[network]\nboth.path = [{ loss = 1 }]\n[expect]\noutcome = \"all_fail\"\nstatus = 32";
/// A write of the receiver fails, and with it its queue pair.
const BAD: &str = "[network.both]\npath = [{}]\n[faults]\nbad_places = 1\n[expect]\noutcome = \"all_fail\"\nstatus = 32";

fn rough(transport: &str, engines: (Engine, Engine), profile: &str, count: u32, seed: u32) -> Scenario {
    ends::scenario(transport, engines, profile, count, &format!("[network]\nseed = {seed}\n[network.both]\n{ROUGH}"))
}

/// Nothing is sent again where nothing is lost; where something is, everything arrives all the same, and it is asked for by its number.
#[test]
fn everything_arrives_at_any_loss() {
    let asked = std::env::var("RDMA_RTL_COMMANDS").ok().and_then(|s| s.parse().ok());
    for (transport, count) in [("combined", 25), ("bitmap", 12)] {
        let count = asked.unwrap_or(count);
        for engines in ENGINES {
            for loss in [0.0, 0.01, 0.05, 0.2] {
                let rest = format!("[network]\nseed = 3\n[[network.both.path]]\nloss = {loss}");
                let report = verilated(&ends::scenario(transport, engines, "worked", count, &rest));
                let (again, lost) = (report.number("selective_retransmissions"), report.number("lost"));
                let at = format!("{transport}, {engines:?}, loss {loss}");
                println!("{at}: {:.1} Gb/s, {} frames, {again} again", report.goodput_gbps, report.forward.sent);
                assert_eq!((report.completed, report.failed), (u64::from(count), 0), "{at}");
                // Of a few frames none may be lost.
                assert!(again > 0.0 || lost == 0.0, "{at}: {:?}", report.sender_counters);
                assert!(again == 0.0 || loss > 0.0, "{at}: {:?}", report.sender_counters);
                // Without a registry nothing is sent again but by its number.
                assert!(transport != "bitmap" || report.number("retransmissions") == 0.0, "{at}: {:?}", report.sender_counters);
            }
        }
    }
}

#[test]
fn everything_arrives_over_paths_that_overtake_and_repeat() {
    for (transport, profile) in [("combined", "small"), ("combined", "worked"), ("bitmap", "small")] {
        for engines in ENGINES {
            let mut rough = rough(transport, engines, profile, 25, 5);
            rough.receiver.range_acknowledgements = engines.1 == Engine::Verilator;
            if rough.receiver.range_acknowledgements {
                rough.receiver.registers.insert("ack_hold".into(), 2);
            }
            let report = verilated(&rough);
            let ranges = report.receiver_counters.get("psn_range").is_some_and(|n| *n > 0);
            assert_eq!(ranges, rough.receiver.range_acknowledgements, "{transport}, {profile}, {engines:?}");
            assert!(report.number("selective_retransmissions") > 0.0, "{transport}, {profile}, {engines:?}: {:?}", report.sender_counters);
        }
    }
}

/// Each end is half of a top with both directions.
#[test]
fn everything_arrives_between_tops_with_both_directions() {
    for transport in TRANSPORTS {
        for engines in ENGINES {
            let mut both = rough(transport, engines, "small", 25, 5);
            both.top = Top::Endpoint;
            let report = verilated(&both);
            assert!(report.number("selective_retransmissions") > 0.0, "{transport}, {engines:?}: {:?}", report.sender_counters);
        }
    }
}

#[test]
fn windows_have_any_length() {
    TRANSPORTS.into_iter().for_each(ends::windows_have_any_length);
}

#[test]
fn windows_move_in_steps() {
    TRANSPORTS.into_iter().for_each(ends::windows_move_in_steps);
}

/// Timers alone find what a cut has taken with it.
#[test]
fn everything_arrives_after_the_network_was_cut() {
    let rest = "[network.both]\npath = [{ loss = 0.01 }]\n[faults]\nblackout = [{ from_us = 10, for_us = 60 }]";
    for engines in ENGINES {
        verilated(&ends::scenario("combined", engines, "worked", 25, rest));
    }
    verilated(&ends::scenario("bitmap", BOTH, "small", 12, rest));
}

/// The queue pair fails, and with it every command once.
#[test]
fn every_command_fails_once_where_nothing_arrives() {
    for transport in TRANSPORTS {
        let mut scenario = ends::scenario(transport, (Engine::Verilator, Engine::Golden), "small", 40, DEAD);
        scenario.sender.retry_limit = 3;
        let report = verilated(&scenario);
        assert_eq!(report.number("queue_pair_errors"), 1.0, "{transport}: {:?}", report.sender_counters);
        assert!(report.number("void") > 0.0, "{transport}: {:?}", report.sender_counters);
    }
}

/// A write that fails closes the queue pair: no packet is acknowledged any more, and what is not acknowledged fails.
#[test]
fn a_write_that_fails_ends_the_queue_pair() {
    for engines in [ENGINES[0], BOTH] {
        let mut scenario = ends::scenario("bitmap", engines, "small", 12, BAD);
        scenario.sender.retry_limit = 3;
        let report = verilated(&scenario);
        assert!(report.failed > 0, "{engines:?}: {report:?}");
        assert!(report.receiver_counters["memory_errors"] > 0, "{engines:?}: {:?}", report.receiver_counters);
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (transport, engines) in TRANSPORTS.into_iter().flat_map(|transport| [(transport, ENGINES[0]), (transport, ENGINES[1])]) {
        let scenario = rough(transport, engines, "small", 2, 7);
        let parts = Parts::new(&scenario).unwrap();
        let sends = scenario.sender.engine == Engine::Verilator;
        let design = if sends { parts.sending } else { parts.design };
        let verilated = library(design).instance().unwrap();
        let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap();
        let (sending, receiving): (Option<&mut dyn Model>, _) =
            if sends { (Some(&mut model), None) } else { (None, Some(&mut model as _)) };
        judged(&scenario, sending, receiving).unwrap_or_else(|e| panic!("{}: {e}", design.block));
    }
}

/// Each fault shows in one of three scenarios: over rough paths; where nothing overtakes or is repeated, so that what fills a gap has
/// been sent again; and where commands fail.
fn noticed(transport: &str, engines: (Engine, Engine), edits: &[Edit]) {
    let registry = transport == "combined";
    let sends = engines.0 == Engine::Verilator;
    let lossy_count = if registry { 60 } else { 12 };
    let mut scenarios = vec![rough(transport, engines, "small", 12, 11), ends::scenario(transport, engines, "small", lossy_count, LOSSY)];
    if registry {
        // Every operation is a single packet, so that none waits for its start.
        scenarios[1].commands[0].most = 256;
    }
    if sends || !registry {
        let mut failing = ends::scenario(transport, engines, "small", 12, if sends { DEAD } else { BAD });
        failing.sender.retry_limit = 3;
        if !registry {
            // The first packet is a whole command.
            failing.commands[0].most = 256;
        }
        scenarios.push(failing);
    }
    for scenario in &mut scenarios {
        scenario.sender.retry_limit = scenario.sender.retry_limit.min(12);
        scenario.sender.backoff_cap = 300;
    }
    let never = |number: usize| match (registry, number) {
        (true, _) => {
            let always =
                ["nacks", "number_unknown_qp", "number_malformed", "number_negative", "bad_ack", "psn_out_of_window", "psn_closed"];
            always.into_iter().chain((number == 1).then_some("psn_misjudged")).collect()
        }
        (false, 0) => {
            vec!["number_unknown_qp", "number_malformed", "number_negative", "bad_ack", "psn_closed", "failures", "retransmissions"]
        }
        (false, 1) => vec!["psn_misjudged", "bad_ack", "failures"],
        (false, _) => vec!["bad_ack"],
    };
    ends::noticed(&scenarios, 2, never, edits);
}

#[test]
fn faults_of_the_receiver_with_a_registry_are_noticed() {
    noticed(
        "combined",
        ENGINES[0],
        &[
            ("combined_receive_path", "feedback_packet_psn = packets_out_data[258:235]", "feedback_packet_psn = 24'd0"),
            ("combined_receive_path", "feedback_packet_qp = packets_out_data[3:2]", "feedback_packet_qp = 2'd0"),
            ("combined_receive_path", "feedback_packet_slot = packets_out_data[268:264]", "feedback_packet_slot = 5'd0"),
            ("combined_receive_path", "feedback_packet_retransmission = packets_out_data[263]", "feedback_packet_retransmission = 1'b0"),
            ("combined_receive_path", "feedback_packet_counts = !packets_out_data[1] && ", "feedback_packet_counts = "),
            // The registry's own acknowledgement of each packet.
            ("combined_receive_path", "positive = registry_notify_kind[1] && !(|registry_notify_status)", "positive = 1'b0"),
            // A remote completion is one of them.
            ("combined_receive_path", "positive = registry_notify_kind[1] && ", "positive = "),
            (
                "combined_receive_endpoint.v",
                "receive_header_retransmission = parser_header_reserved6[0]",
                "receive_header_retransmission = parser_header_reserved6[1]",
            ),
        ],
    );
}

#[test]
fn faults_of_the_sender_with_a_registry_are_noticed() {
    noticed(
        "combined",
        ENGINES[1],
        &[
            // Retransmissions by number as tries of the op table, and counted there.
            ("combined_send_path", "engine_retransmit_try = 5'd31", "engine_retransmit_try = 5'd30"),
            ("combined_send_path", "gate_acked_valid = sent_acked_valid || window_acked_valid", "gate_acked_valid = window_acked_valid"),
            ("combined_send_path", "gate_acked_op = sent_acked_valid ? sent_acked_op : window_acked_op", "gate_acked_op = window_acked_op"),
            (
                "combined_send_path",
                "is_completion = header_valid && (header_opcode == 8'd193)",
                "is_completion = header_valid && (header_opcode == 8'd195)",
            ),
            ("combined_send_path", "timeout_in_valid = counts || gate_restart_valid", "timeout_in_valid = counts"),
            // Opening: in none of the four places may it be forgotten.
            ("combined_send_path", "sent_open_valid = step == 3'd1", "sent_open_valid = 1'b0"),
            ("combined_send_path", "intake_open_valid = step == 3'd2", "intake_open_valid = 1'b0"),
            ("combined_send_path", "engine_number_valid = step == 3'd3", "engine_number_valid = 1'b0"),
            ("combined_send_path", "bitmap_command_valid = step == 3'd4", "bitmap_command_valid = 1'b0"),
            // A queue pair that has failed.
            (
                "combined_send_path",
                "sent_moved_valid = (bitmap_done_valid && bitmap_done_moved) || moves",
                "sent_moved_valid = bitmap_done_valid && bitmap_done_moved",
            ),
            ("combined_send_path", "sent_moved_base = nexts_read_data", "sent_moved_base = bitmap_done_base"),
            ("combined_send_path", "table_fail_valid = loader_fail_valid || window_fail_valid", "table_fail_valid = loader_fail_valid"),
            ("combined_send_path", "table_fail_status = 8'd32", "table_fail_status = 8'd0"),
        ],
    );
}

#[test]
fn faults_of_the_receiver_without_a_registry_are_noticed() {
    noticed(
        "bitmap",
        ENGINES[0],
        &[
            // What came before is written again: a late copy, where another command is by then.
            ("arrival_gate", "is_new = !(|codes_out_data)", "is_new = !codes_out_data[1]"),
            // An error is an answer like any other, or none at all.
            ("arrival_gate", "fails_now = write_done_valid && !write_done_ok", "fails_now = 1'b0"),
            ("arrival_gate", "done_valid = (write_done_valid && write_done_ok) || tells", "done_valid = write_done_valid || tells"),
            ("arrival_gate", "owners_write_data = item[6:5]", "owners_write_data = 2'd0"),
            // Only one of the two bitmaps is opened and closed, or only one is closed.
            ("arrival_gate", "feedback_valid = offers_other", "feedback_valid = offers_other && feedback_open"),
            ("arrival_gate", ".command_valid          (offers_own)", ".command_valid          (1'b0)"),
            ("bitmap_receive_path", "immediates_in_valid = gate_imm_valid && gate_imm_new", "immediates_in_valid = gate_imm_valid"),
            // Immediates before their time.
            ("immediate_list", "is_due = is_open && !behind[23]", "is_due = is_open"),
            (
                "bitmap_receive_endpoint.v",
                "receive_header_retransmission = parser_header_reserved6[0]",
                "receive_header_retransmission = parser_header_reserved6[1]",
            ),
        ],
    );
}

#[test]
fn faults_of_the_sender_without_a_registry_are_noticed() {
    noticed(
        "bitmap",
        ENGINES[1],
        &[
            // What was given up has ended well, and the other way round.
            ("sent_packets", ".in_data   (ended_0_read_data)", ".in_data   (1'b0)"),
            ("sent_packets", "ended_0_write_data = 1'b0", "ended_0_write_data = 1'b1"),
            ("combined_send_path", "table_ack_valid = acknowledged_0 && gate_acked_ready", "table_ack_valid = 1'b0"),
            ("combined_send_path", ": (acknowledged_0 || (fails_up_0 && table_fail_ready))", ": acknowledged_0"),
            ("combined_send_path", "table_fail_valid = fails_up_0 ? gate_acked_ready : (", "table_fail_valid = ("),
            // What receivers cannot read.
            ("packet_headers", ": (padded + 16'd40)", ": (padded + 16'd48)"),
            ("packet_headers", "? (padded + 16'd44)", "? (padded + 16'd40)"),
        ],
    );
}

/// The same of a top with both directions. Without a registry nothing but its numbers shows what is sent again.
fn noticed_in_both(transport: &str, engines: (Engine, Engine), edits: &[Edit]) {
    let mut scenarios = vec![rough(transport, engines, "small", 12, 11)];
    if transport == "bitmap" {
        scenarios.push(ends::scenario(transport, engines, "small", 12, LOSSY));
    }
    for scenario in &mut scenarios {
        scenario.top = Top::Endpoint;
        scenario.sender.retry_limit = 12;
        scenario.sender.backoff_cap = 300;
    }
    let never = |number: usize| match (transport, number) {
        ("combined", _) => vec!["nacks", "bad_ack", "psn_closed", "frame_foreign"],
        (_, 0) => vec!["number_unknown_qp", "bad_ack", "psn_closed", "frame_foreign"],
        _ => vec!["psn_misjudged", "bad_ack"],
    };
    ends::noticed(&scenarios, scenarios.len(), never, edits);
}

#[test]
fn faults_of_the_top_with_both_directions_are_noticed() {
    noticed_in_both(
        "combined",
        ENGINES[0],
        &[
            (
                "combined_endpoint.v",
                "receive_header_valid = parser_header_valid && !acknowledges",
                "receive_header_valid = parser_header_valid && acknowledges",
            ),
            ("combined_endpoint.v", "receive_offered <= 1'b1", "receive_offered <= 1'b0"),
        ],
    );
    noticed_in_both(
        "combined",
        ENGINES[1],
        &[
            ("combined_endpoint.v", "acknowledges = ack || remote", "acknowledges = ack"),
            ("combined_endpoint.v", "send_header_valid = parser_header_valid && remote", "send_header_valid = parser_header_valid && ack"),
            ("combined_endpoint.v", "send_offered <= 1'b1", "send_offered <= 1'b0"),
        ],
    );
    noticed_in_both(
        "bitmap",
        ENGINES[0],
        &[
            (
                "bitmap_endpoint.v",
                "receive_header_valid = parser_header_valid && !remote",
                "receive_header_valid = parser_header_valid && remote",
            ),
            ("bitmap_endpoint.v", "receive_offered <= 1'b1", "receive_offered <= 1'b0"),
            (
                "bitmap_endpoint.v",
                "receive_header_retransmission = parser_header_reserved6[0]",
                "receive_header_retransmission = parser_header_reserved6[1]",
            ),
            ("bitmap_endpoint.v", ".receive_imm_valid  (1'b1)", ".receive_imm_valid  (1'b0)"),
        ],
    );
    noticed_in_both(
        "bitmap",
        ENGINES[1],
        &[
            (
                "bitmap_endpoint.v",
                "send_header_valid = parser_header_valid && remote",
                "send_header_valid = parser_header_valid && !remote",
            ),
            ("bitmap_endpoint.v", "send_offered <= 1'b1", "send_offered <= 1'b0"),
            // A feedback message is no packet.
            ("bitmap_endpoint.v", "parser_header_opcode == 8'd192", "parser_header_opcode == 8'd193"),
        ],
    );
}
