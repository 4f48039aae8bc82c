//! The bench of the receive bitmaps with gaps is alive: deliberate faults in the elaborated block, each of which it must find.

use rdma_rtl_golden::bitmap::{DepthMode, Params};
use rdma_rtl_tb::bitmap::mixture::Mix;
use rdma_rtl_tb::bitmap::situations::{self, run};
use rdma_rtl_tb::bitmap::{crossing, deep, grouped};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, Version, fault, less, missed_values, more, one, ones, zero};

const FAULTS: &[Fault] = &[
    fault("no gap is seen", "gap_events", "jump2", zero),
    fault("every packet shows a gap", "gap_events", "jump2", one),
    fault("packets below the highest are nothing", "gap_events", "top2", one),
    fault("no depth is ever reached", "gap_events", "deep3", zero),
    fault("who was judged once is never again", "gap_events", "judge_asked_write_data", one),
    fault("what is dropped is forgotten", "gap_events", "lag_set_seen_write_enable", zero),
    fault("events are dropped although there is room", "gap_events", "drop4", one),
    fault("a packet right behind another one is not counted", "gap_events", "same3", zero),
    fault("nor one two clocks behind", "gap_events", "same4", zero),
    fault("nor one three clocks behind", "gap_events", "same5", zero),
    fault("who lags is told as another", "gap_events", "dropped_qp", zero),
    fault("who lags again is not told", "gap_events", "falls_behind", zero),
    fault("who is closed leaves its records", "gap_records", "s1_clear", zero),
    fault("a record has room always", "gap_records", "room", one),
    fault("no record is split", "gap_records", "splits", zero),
    fault("a record that is filled stays", "gap_records", "ends", zero),
    fault("ends are not searched", "gap_records", "search", zero),
    fault("a record that has nothing missing stays", "gap_scan", "found", one),
    fault("a packet is compared before its records are there", "gap_engine", "compares", one),
    fault("all records above change places", "gap_records", "under", ones),
    fault("what is lost is told at once, enough or not", "gap_records", "tell", one),
    fault("of gaps that are lost at once one counts", "gap_records", "lost_count", one),
    fault("what has become enough is not told", "gap_records", "s4_held", zero),
    fault("what else is to be told waits for the scan", "gap_records", "s4_more", zero),
    fault("all gaps that wait are watched as one", "gap_records", "first_waiting", ones),
    fault("a packet does not count for the gaps above it", "gap_cell", "lower1", zero),
    fault("one packet later", "gap_cell", "deeper", less),
    fault("no gap is too old", "gap_cell", "old", zero),
    fault("a gap that was told is not told again", "gap_cell", "reported", zero),
    fault("a gap is told as often as it is seen", "gap_cell", "again", zero),
    fault("the scan sees no age", "gap_cell", "overdue", zero),
    fault("the scan sees nothing that is to be told", "gap_cell", "pending", zero),
    fault("another queue pair's records are taken for one's own", "gap_engine", "same", one),
    fault("only one queue pair is looked at", "gap_patrol", "read_qp", zero),
    fault("an event does not wait for what has been read", "gap_engine", "here", one),
    fault("nor until enough is found to be lost", "gap_engine", "weighs", zero),
    fault("a packet right behind one that falls behind does not see it", "gap_events", "near4", zero),
    fault("a look knows less than the event before it", "gap_engine", "is_older", zero),
    fault("a stall is no reason", "gap_engine", "stalled", zero),
    fault("stalls are not counted in packets", "gap_engine", "packets_on", zero),
    fault("misjudgements are not counted", "gap_engine", "evt_misjudged", zero),
    fault("a message has another length", "feedback_queue", "length5", less),
    fault("a message has another base", "feedback_queue", "base5", less),
    fault("there is always room for a message", "feedback_queue", "room", one),
    fault("who lagged is not looked at", "gap_patrol", "scan_lag", zero),
    fault("who lags does so for ever", "gap_engine", "lag_done", zero),
    fault("who lags is read again and again while it waits to be", "gap_patrol", "begins", zero),
    fault("what came while the trigger was written is not seen", "trigger_check", "deeper", zero),
    fault("an acknowledgement that waits is not seen", "ack_stream", "any", zero),
    fault("it does not wait", "hold_gate", "waited", ones),
    fault("it waits for ever", "hold_gate", "waited", zero),
    fault("the first missing packet is one before", "gap_scan", "found_first", less),
    fault("bits outside of the range count", "gap_scan", "inside_", ones),
    fault("packets are not acknowledged", "ack_stream", "ask1", zero),
    fault("nor what a packet moves that lies above", "ack_stream", "moved", zero),
    fault("nor what the engine moves", "ack_stream", "takes_advance", zero),
    fault("the first missing packet is acknowledged", "ack_stream", "ack_psn", more),
    fault("what arrives above the base is not told", "range_stream", "ask1", zero),
    fault("what has come again is told as if it lay below", "range_stream", "above", zero),
    fault("what comes while a queue pair waits is not told", "range_requests", "joins", zero),
    fault("nor what comes right behind another packet", "range_requests", "behind1", zero),
    fault("what comes from a life long ago counts", "range_requests", "joins", one),
    fault("a range begins a packet before", "range_stream", "range_start", less),
    fault("a range is longer", "range_stream", "range_length", more),
    fault("a range is shorter", "range_stream", "range_length", less),
    fault("a range has another base", "range_stream", "range_base", more),
    fault("what the base has passed is told", "range_stream", "start_ahead", ones),
    fault("a run ends with its segment", "range_stream", "in_run", zero),
    fault("slots before the base are of this round", "range_stream", "beyond", zero),
    fault("the last segment is not told", "range_stream", "is_last", one),
    fault("a queue pair that is opened again is told of its old life", "range_stream", "busy", zero),
    fault("no record gives way", "gap_records", "spills", zero),
    fault("a record that was not told gives way", "gap_records", "reported", ones),
    fault("the edge of what has no record is one before", "gap_engine", "region_edge_0", less),
    fault("a walk follows the one before at once", "gap_engine", "region_since_0", zero),
    fault("what has no record is never told again", "gap_patrol", "region_old3_0", zero),
    fault("a walk does not see where the base is", "gap_walk", "to_first", zero),
    fault("nor what it has passed", "gap_walk", "to_last", zero),
    fault("a walk goes on behind its edge", "gap_walk", "is_last", zero),
    fault("a walk has one run of each segment", "gap_walk", "wanted", ones),
    fault("a walk does not wait for room", "gap_walk", "room", one),
    fault("a walk goes on when its queue pair is closed", "gap_walk", "ends", zero),
    fault("who is opened again has what had no record before", "gap_engine", "forgets_0", zero),
    fault("what has no record is left by nobody", "gap_engine", "past_region_0", zero),
    fault("the scan does not see that it is left", "gap_patrol", "region3_0", zero),
    fault("a packet that has no record is no misjudgement", "gap_engine", "hits_region_0", zero),
    fault("a range does not wait for the one before", "range_stream", "room", one),
    fault("ranges follow each other at once", "range_stream", "pace", zero),
];

/// Of several paths.
const PATH_FAULTS: &[Fault] = &[
    fault("no gap is crossed", "gap_paths", "crossing", zero),
    fault("every gap is", "path_rule", "crossed", one),
    fault("no gap is overtaken", "path_rule", "overtaken", zero),
    fault("a gap covers the path of its first packet alone", "path_rule", "span", zero),
    fault("a gap is never so long that it covers all", "path_rule", "wide", zero),
    fault("no path is active, or was", "path_rule", "live", zero),
    fault("a packet right behind another one is not seen", "path_tracker", "same3", zero),
    fault("nor one two clocks behind", "path_tracker", "same4", zero),
    fault("nor one three clocks behind", "path_tracker", "same5", zero),
    fault("who begins has what another life has delivered", "path_arrivals", "clears", zero),
    fault("numbers are kept in the order in which they come", "path_arrivals", "after2", ones),
    fault("a path stays active", "path_arrivals", "live_elapsed", zero),
    fault("the highest number counts, whatever is to be overtaken", "path_arrivals", "overtake", zero),
    fault("the paths of a record that moves stay", "gap_paths", "s1_down", zero),
    fault("what was overtaken is told as a stall", "gap_paths", "early", zero),
    fault("the scan sees nothing of paths", "gap_paths", "overdue1", zero),
    fault("the scan does not see that a gap is not crossed any more", "gap_paths", "relaxed_next", zero),
    fault("a gap is on the path of the packet that showed it", "gap_paths", "s1_gap_path", zero),
    fault("limits are not relaxed enough", "relaxed_limits", "wait_next", zero),
    fault("the first gap alone is watched", "gap_engine", "trigger_any", zero),
];

/// Of groups of packets.
const GROUP_FAULTS: &[Fault] = &[
    fault("a packet that completes no group shows a gap", "gap_events", "jump2", one),
    fault("no packet does", "gap_events", "jump2", zero),
    fault("the next group shows a gap", "gap_events", "next_edge1_0", less),
    fault("packets below the highest group are nothing", "gap_events", "down1_0", ones),
    fault("no group is complete", "gap_engine", "event_complete", zero),
    fault("every group is", "gap_engine", "event_complete", one),
    fault("no group is known to be complete where all is read anew", "gap_engine", "live_edge", zero),
    fault("a search has the numbers of outside", "gap_engine", "wide_0", zero),
    fault("it begins one packet later", "gap_engine", "scan_first_0", more),
    fault("it ends one packet sooner", "gap_engine", "scan_last_0", less),
    fault("what is found begins one packet sooner", "gap_engine", "found_first_0", less),
    fault("and ends one later", "gap_engine", "found_last_0", more),
    fault("gaps are not told when they are seen", "gap_records", "again_fresh_0", zero),
    fault("a record without groups is exact", "gap_records", "left", zero),
    fault("acknowledgements have the numbers of inside", "bitmap_pipeline", "peek_wide_0", zero),
    fault("and ranges", "range_stream", "wide_0", zero),
];

fn hold_groups(make: &dyn Fn() -> Version) -> Result<(), String> {
    let params = Params { granularity: 4, segment: 16, pool: 16 * 8, ..Params::new(16, 128) };
    let mut model = make();
    for (what, situation) in grouped::ALL {
        situation(&mut model, params).map_err(|difference| format!("{what}: {difference}"))?;
    }
    (0..10).try_for_each(|seed| run(&mut model, params, Mix::random(params, 3000, seed), seed).map(|_| ()))
}

#[test]
fn every_fault_of_groups_is_found() {
    let good = catalogue::find("receive_bitmap", "group4").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, GROUP_FAULTS, hold_groups);
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// A search that loses its first packet and has none of the round left is rare: one queue pair, and a seed that has it.
#[test]
fn a_range_that_ends_before_it_begins_is_found() {
    let hold = |make: &dyn Fn() -> Version| {
        let params = Params { granularity: 4, segment: 16, pool: 8, ..Params::new(1, 128) };
        let mut model = make();
        run(&mut model, params, Mix::random(params, 50_000, 3), 3).map(|_| ())
    };
    let good = catalogue::find("receive_bitmap", "group4_q1").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, &[fault("a range that ends before it begins is told", "gap_scan", "to_found", zero)], hold);
    assert!(missed.is_empty(), "not found: {missed:?}");
}

fn hold_paths(make: &dyn Fn() -> Version) -> Result<(), String> {
    let params = Params { paths: 4, ..Params::new(16, 128) };
    let mut model = make();
    for (what, situation) in crossing::ALL {
        situation(&mut model, params).map_err(|difference| format!("{what}: {difference}"))?;
    }
    (0..8).try_for_each(|seed| run(&mut model, params, Mix::random(params, 2000, seed), seed).map(|_| ()))
}

#[test]
fn every_fault_of_paths_is_found() {
    let good = catalogue::find("receive_bitmap", "paths4").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, PATH_FAULTS, hold_paths);
    assert!(missed.is_empty(), "not found: {missed:?}");
}

fn hold(make: &dyn Fn() -> Version) -> Result<(), String> {
    let params = Params::new(16, 128);
    let mut model = make();
    for (what, situation) in situations::ALL {
        situation(&mut model, params).map_err(|difference| format!("{what}: {difference}"))?;
    }
    let (clocks, messages) = deep::prompt(&mut model, params, 1, DepthMode::Distance)?;
    if clocks > 32 || messages < 240 {
        return Err(format!("{messages} messages, the latest after {clocks} clocks"));
    }
    (1..20).try_for_each(|seed| run(&mut model, params, Mix::random(params, 3000, seed), seed).map(|_| ()))?;
    let many_lag = 58;
    let report = run(&mut model, params, Mix::random(params, 10_000, many_lag), many_lag)?;
    // One rebuild of each takes that long, with a search for each record and the end.
    let rebuilds = params.queue_pairs as u64 * (params.records as u64 + 1) * 34;
    if report.counts.behind > rebuilds { Err(format!("{} clocks behind", report.counts.behind)) } else { Ok(()) }
}

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("receive_bitmap", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, hold);
    assert!(missed.is_empty(), "not found: {missed:?}");
}
