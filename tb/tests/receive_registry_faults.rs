//! The checker is alive: deliberate faults in the elaborated registry, each of which the bench must find.

use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, Version, fault, missed_values, more, not, one, zero};
use rdma_rtl_tb::receive_registry::layouts::Layout;
use rdma_rtl_tb::receive_registry::{Bench, Failure, Options, Params, Random, random_options, scenario};

const FAULTS: &[Fault] = &[
    fault("a duplicate passes for new", "registry_table", "duplicate", zero),
    fault("every packet is the last", "registry_table", "last", one),
    fault("no packet is the last", "registry_table", "last", zero),
    fault("bits are lost", "mask_unit", "with_arrival", zero),
    fault("the range has no end", "registry_table", "a_fits", one),
    fault("lengths are not looked at", "position_check", "length_ok", one),
    fault("positions are off by one", "position_check", "position", more),
    fault("generations are not compared", "registry_table", "generation_equal", one),
    fault("sources are not compared", "registry_row", "src_equal", one),
    fault("overlap is not seen", "registry_table", "overlap", zero),
    fault("the packet in front is not seen to register", "registry_table", "registered", zero),
    fault("the packet before the one in front is not seen to register", "registry_table", "take_2", zero),
    fault("a copy right behind its original passes for new", "registry_table", "b_block", zero),
    fault("the registry is never full", "registry_table", "full", zero),
    fault("no entry quota", "commit_logic", "at_quota", zero),
    fault("the done word is not written", "done_table", "w1", zero),
    fault("a word just written is not seen", "done_table", "q3_meets_1", zero),
    fault("the sender may be notified any time", "done_table", "renotify_due", one),
    fault("entries never time out", "entry_timer", "found", zero),
    fault("waiting packets are not woken", "escape_queue", "wake", zero),
    fault("a packet that was replayed and stays is forgotten", "escape_queue", "settle_stays", zero),
    fault("nobody's turn comes", "escape_queue", "taken_turn", zero),
    // A copy of a start is tried in front of the body that its start woke, or in front of the start itself.
    fault("the pass goes on while a settled packet wakes others", "escape_queue", "pauses", zero),
    fault("whose turn came is tried whoever was left behind", "escape_queue", "withdraws", zero),
    fault("the kind of a packet that was left behind is not put off", "escape_queue", "demote", zero),
    fault("who was put off lets those behind it go first", "escape_queue", "deferring", zero),
    fault("waiting packets never time out", "escape_channel", "overdue", zero),
    fault("waiting packets time out at once", "escape_channel", "overdue", one),
    fault("the escape quota is not kept", "commit_logic", "at_escape_quota", zero),
    fault("a completion does not wait for its writes", "told_ring", "answered", one),
    fault("a failed write is not told", "told_ring", "out_error", zero),
    fault("a check of starts is skipped", "start_check", "q_oversize", zero),
    fault("alignment is not looked at", "receive_registry", "misaligned2", zero),
    fault("unknown sources are let in", "receive_registry", "unknown2", zero),
    fault("a verdict is given the wrong tag", "receive_registry", "verdict_tag", more),
    fault("acknowledgements name the wrong packet", "ack_merge", "bit_", not),
];

fn hold(make: &dyn Fn() -> Version) -> Result<(), String> {
    let params = Params::SMALL;
    let said = |failure: Failure| format!("clock {}: {}", failure.cycle, failure.text);
    for scenario in scenario::all(&params).iter().filter(|s| s.params(&params) == params) {
        let report = Bench::run(&mut make(), &params, scenario.options(&params), &mut scenario.offers()).map_err(said)?;
        scenario.check(|event| report.event(event)).map_err(|difference| format!("{}: counters: {difference:?}", scenario.name))?;
    }
    for layout in Layout::all(1, 0..=12).iter().chain(&Layout::all(2, 3..=3)) {
        let report = Bench::run(&mut make(), &params, layout.options(&params), &mut layout.offers(&params)).map_err(said)?;
        layout.check(&params, &report)?;
    }
    for seed in 0..4 {
        let options: Options = random_options(&params, seed);
        let mut offers = Random::new(&params, &options, 4_000, seed);
        Bench::run(&mut make(), &params, options, &mut offers).map_err(said)?;
    }
    Ok(())
}

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("receive_registry", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, hold);
    assert!(missed.is_empty(), "not found: {missed:?}");
}
