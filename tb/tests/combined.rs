//! The tops of the transport profile *combined* over networks that lose, repeat and reorder: with a golden model at the other end, and with each other; in lockstep with the Rust; with faults.

use crate::ends::{self, ENGINES, ROUGH, judged, library, verilated};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::faults::Edit;
use rdma_rtl_tb::scenario::{Engine, Parts, Scenario, Top};

fn scenario(engines: (Engine, Engine), profile: &str, count: u32, rest: &str) -> Scenario {
    ends::scenario("combined", engines, profile, count, rest)
}

/// Nothing is sent again where nothing is lost; where something is, everything arrives all the same, and it is asked for by its number.
#[test]
fn everything_arrives_at_any_loss() {
    let count = std::env::var("RDMA_RTL_COMMANDS").ok().and_then(|s| s.parse().ok()).unwrap_or(25);
    for engines in ENGINES {
        for loss in [0.0, 0.01, 0.05, 0.2] {
            let report =
                verilated(&scenario(engines, "worked", count, &format!("[network]\nseed = 3\n[[network.both.path]]\nloss = {loss}")));
            let again = report.number("selective_retransmissions");
            println!("{engines:?}, loss {loss}: {:.1} Gb/s, {} frames, {again} again", report.goodput_gbps, report.forward.sent);
            assert_eq!((report.completed, report.failed), (u64::from(count), 0), "{engines:?}, loss {loss}");
            assert_eq!(again > 0.0, loss > 0.0, "{engines:?}, loss {loss}: {:?}", report.sender_counters);
        }
    }
}

#[test]
fn everything_arrives_over_paths_that_overtake_and_repeat() {
    for profile in ["small", "worked"] {
        for engines in ENGINES {
            let mut rough = scenario(engines, profile, 25, &format!("[network]\nseed = 5\n[network.both]\n{ROUGH}"));
            rough.receiver.range_acknowledgements = engines.1 == Engine::Verilator;
            let report = verilated(&rough);
            assert_eq!(
                report.receiver_counters.get("psn_range").is_some_and(|n| *n > 0),
                rough.receiver.range_acknowledgements,
                "{profile}, {engines:?}"
            );
            assert!(report.number("selective_retransmissions") > 0.0, "{profile}, {engines:?}: {:?}", report.sender_counters);
        }
    }
}

/// Each end is half of a top with both directions.
#[test]
fn everything_arrives_between_tops_with_both_directions() {
    for engines in ENGINES {
        let mut both = scenario(engines, "small", 25, &format!("[network]\nseed = 5\n[network.both]\n{ROUGH}"));
        both.top = Top::Endpoint;
        let report = verilated(&both);
        assert!(report.number("selective_retransmissions") > 0.0, "{engines:?}: {:?}", report.sender_counters);
    }
}

#[test]
fn windows_have_any_length() {
    ends::windows_have_any_length("combined");
}

#[test]
fn windows_move_in_steps() {
    ends::windows_move_in_steps("combined");
}

/// Timers alone find what a cut has taken with it.
#[test]
fn everything_arrives_after_the_network_was_cut() {
    let rest = "[network.both]\npath = [{ loss = 0.01 }]\n[faults]\nblackout = [{ from_us = 10, for_us = 60 }]";
    for engines in ENGINES {
        verilated(&scenario(engines, "worked", 25, rest));
    }
}

/// The queue pair fails, and with it every command once.
#[test]
fn every_command_fails_once_where_nothing_arrives() {
    let rest = "[network]\nboth.path = [{ loss = 1 }]\n[expect]\noutcome = \"all_fail\"\nstatus = 32";
    let mut scenario = scenario((Engine::Verilator, Engine::Golden), "small", 40, rest);
    scenario.sender.retry_limit = 3;
    let report = verilated(&scenario);
    assert_eq!(report.number("queue_pair_errors"), 1.0, "{:?}", report.sender_counters);
    assert!(report.number("void") > 0.0, "{:?}", report.sender_counters);
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for engines in [ENGINES[0], ENGINES[1]] {
        let scenario = scenario(engines, "small", 2, &format!("[network]\nseed = 7\n[network.both]\n{ROUGH}"));
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

fn noticed(engines: (Engine, Engine), edits: &[Edit]) {
    let rough = scenario(engines, "small", 12, &format!("[network]\nseed = 11\n[network.both]\n{ROUGH}"));
    // Nothing overtakes or is repeated, and every operation is a single packet, so that none waits for its start.
    let mut single = scenario(engines, "small", 60, "[network]\nseed = 12\n[[network.both.path]]\nloss = 0.1");
    single.commands[0].most = 256;
    let mut scenarios = vec![rough, single];
    if engines.0 == Engine::Verilator {
        let mut dead =
            scenario(engines, "small", 12, "[network]\nboth.path = [{ loss = 1 }]\n[expect]\noutcome = \"all_fail\"\nstatus = 32");
        dead.sender.retry_limit = 3;
        scenarios.push(dead);
    }
    for scenario in &mut scenarios {
        scenario.sender.retry_limit = scenario.sender.retry_limit.min(12);
        scenario.sender.backoff_cap = 300;
    }
    let never = |number: usize| {
        let never = ["nacks", "number_unknown_qp", "number_malformed", "number_negative", "bad_ack", "psn_out_of_window", "psn_closed"];
        never.into_iter().chain(["psn_misjudged"].into_iter().filter(|_| number == 1)).collect()
    };
    ends::noticed(&scenarios, 2, never, edits);
}

#[test]
fn faults_of_the_receiver_are_noticed() {
    noticed(
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
                "path_header_retransmission = parser_header_reserved6[0]",
                "path_header_retransmission = parser_header_reserved6[1]",
            ),
        ],
    );
}

#[test]
fn faults_of_the_sender_are_noticed() {
    noticed(
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
fn faults_of_the_top_with_both_directions_are_noticed() {
    let of = |engines: (Engine, Engine), edits: &[Edit]| {
        let mut rough = scenario(engines, "small", 12, &format!("[network]\nseed = 11\n[network.both]\n{ROUGH}"));
        rough.top = Top::Endpoint;
        rough.sender.retry_limit = 12;
        rough.sender.backoff_cap = 300;
        ends::noticed(&[rough], 1, |_| vec!["nacks", "bad_ack", "psn_closed", "frame_foreign"], edits);
    };
    of(
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
    of(
        ENGINES[1],
        &[
            ("combined_endpoint.v", "acknowledges = ack || remote", "acknowledges = ack"),
            ("combined_endpoint.v", "send_header_valid = parser_header_valid && remote", "send_header_valid = parser_header_valid && ack"),
            ("combined_endpoint.v", "send_offered <= 1'b1", "send_offered <= 1'b0"),
        ],
    );
}
