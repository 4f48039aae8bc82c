//! The bench of the send endpoint is alive: each of these edits of the emitted text is one wrong wire or one forgotten condition, and is
//! noticed.

use crate::send_endpoint_plan::{endpoint, find, plan};
use rdma_rtl_sim::Model;
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::send_endpoint::peer::Mix;
use rdma_rtl_tb::send_endpoint::traffic::Traffic;
use rdma_rtl_tb::send_endpoint::{Pace, directed};
use rdma_rtl_tb::under_test::seed;

/// Everything in short: posts, refusals, configurations, resets in the middle, random commands.
fn hold(model: &mut dyn Model) -> Result<(), String> {
    let design = find("small");
    let mut plan = plan(&design, 0, Mix::CLEAN);
    plan.patience = 60_000;
    let mut endpoint = endpoint(model, &design, Pace::random(seed(), 20));
    directed::furnish(&mut endpoint);
    let mut traffic = Traffic::new(&mut endpoint, &plan);
    traffic.set_up(&mut endpoint)?;
    directed::posts(&mut endpoint)?;
    directed::refusals(&mut endpoint, &plan)?;
    directed::configurations(&mut endpoint, &plan)?;
    for _ in 0..4 {
        traffic.post_by_registers(&mut endpoint)?;
    }
    traffic.run(&mut endpoint, None)?;
    traffic.change(&mut endpoint, 1000, Mix::BAD);
    for round in 0..12 {
        traffic.run(&mut endpoint, Some(400 + 317 * round))?;
        endpoint.soft_reset()?;
        traffic.forget(&endpoint);
        traffic.set_up(&mut endpoint)?;
    }
    endpoint.reset();
    traffic.forget(&endpoint);
    traffic.set_up(&mut endpoint)?;
    endpoint.write("control", 1 << 9 | 1)?;
    // more loads that fail than there are op numbers, and as many in a row as there come
    endpoint.write("cdma_error_limit", 255)?;
    traffic.change(&mut endpoint, 120, Mix { broken: 70, lost: 5, ..Mix::CLEAN });
    traffic.run(&mut endpoint, None)?;
    endpoint.write("cdma_error_limit", 8)?;
    traffic.change(&mut endpoint, 150, Mix { dead: 2, ..Mix::BAD });
    traffic.run(&mut endpoint, None)
}

fn noticed(edits: &[Edit]) {
    let good = catalogue::sources(&find("small").elaborate().unwrap());
    let missed = missed(&good, edits, |model| hold(model));
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}

#[test]
fn faults_of_what_comes_in() {
    noticed(&[
        // A wrong ICRC, the status, the first packet, the remote completions of an acknowledgement.
        ("send_endpoint.v", "parser_in_crc_ok = !(|s_axis_rx_tuser)", "parser_in_crc_ok = 1'b1"),
        ("send_endpoint.v", "send_ack_status = parser_header_body[199:192]", "send_ack_status = 8'd0"),
        ("send_endpoint.v", "send_ack_first = parser_header_body[191:176]", "send_ack_first = 16'd0"),
        ("send_endpoint.v", "send_ack_valid = parser_header_valid && (ack || remote)", "send_ack_valid = parser_header_valid && ack"),
        // Commands before `enable`; a field of a post.
        ("send_endpoint.v", "opens = registers_cfg_control_enable && !drain_draining", "opens = !drain_draining"),
        ("send_endpoint.v", "intake_command_ready = send_command_ready && opens", "intake_command_ready = send_command_ready"),
        (
            "send_endpoint.v",
            "registers_cfg_command_source_1, registers_cfg_command_source_0",
            "registers_cfg_command_source_0, registers_cfg_command_source_1",
        ),
        ("send_endpoint.v", "6'd0, registers_cfg_command_options_arrival,", "6'd0, registers_cfg_command_options_imm_valid,"),
    ]);
}

#[test]
fn faults_of_resets_and_registers() {
    noticed(&[
        // A reset in the middle of the CDMA's work.
        ("send_endpoint.v", "drain_hold = !send_bus_idle", "drain_hold = 1'b0"),
        // What software sets and sees.
        ("send_endpoint.v", "send_config_error || send_status_cdma_config_error", "send_config_error"),
        ("send_endpoint.v", "registers_status_state_idle = send_idle && !intake_busy", "registers_status_state_idle = send_idle"),
        ("send_endpoint.v", ".cfg_timeout                   (registers_cfg_timeout)", ".cfg_timeout (32'd100)"),
        ("send_endpoint.v", ".cfg_src                       (registers_cfg_source_node)", ".cfg_src (16'd1)"),
    ]);
}

#[test]
fn faults_of_what_goes_out() {
    noticed(&[
        // Completions: status, bytes, size of a beat; addresses.
        ("send_endpoint.v", "queue_complete_status = commands_out_data[23:16]", "queue_complete_status = 8'd0"),
        ("send_endpoint.v", "queue_complete_bytes = commands_out_data[55:24]", "queue_complete_bytes = {commands_out_data[54:24], 1'b0}"),
        ("send_endpoint.v", "m_axi_awsize = 3'd3", "m_axi_awsize = 3'd2"),
        ("send_endpoint.v", "{registers_cfg_local_ip_0, registers_cfg_local_ip_1", "{registers_cfg_local_ip_1, registers_cfg_local_ip_0"),
        ("send_endpoint.v", "{registers_cfg_node_ip_0, registers_cfg_node_ip_1", "{registers_cfg_node_ip_1, registers_cfg_node_ip_0"),
        ("send_path", ".ended_status                  (loader_told_status)", ".ended_status (8'd0)"),
        ("send_path", ".sent_packet         (timeout_out_packet)", ".sent_packet (timeout_out_packet & 5'd1)"),
        ("send_path", ".segment_rkey      (splitter_segment_rkey)", ".segment_rkey (32'd0)"),
    ]);
}

#[test]
fn faults_of_the_loader() {
    noticed(&[
        // Numbers of what was not fetched are lost; the slot of another one comes back; two numbers for one segment.
        ("op_loader", "release_valid = closed_valid || forgets", "release_valid = closed_valid"),
        ("op_loader", "closed_valid ? closed_slot[1:0] : over_slot[1:0]", "closed_slot[1:0]"),
        ("op_loader", "segment_valid && may && !asked", "segment_valid && may"),
    ]);
}

/// A command whose packets nobody acknowledges is tried as often as software says, and then fails.
#[test]
fn faults_of_the_retry_limit() {
    let edits = [
        ("send_endpoint.v", ".cfg_retry_limit               (registers_cfg_retry_limit)", ".cfg_retry_limit (5'd31)"),
        ("send_path", ".cfg_retry_limit     (cfg_retry_limit)", ".cfg_retry_limit (5'd7)"),
    ];
    let design = find("small");
    let missed = missed(&catalogue::sources(&design.elaborate().unwrap()), &edits, |model| {
        let plan = plan(&design, 0, Mix::CLEAN);
        let mut endpoint = endpoint(model, &design, Pace::full(seed()));
        directed::furnish(&mut endpoint);
        Traffic::new(&mut endpoint, &plan).set_up(&mut endpoint)?;
        directed::retries(&mut endpoint, &plan)
    });
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}
