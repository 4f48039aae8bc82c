//! The bench of the receive bitmaps is alive: deliberate faults in the elaborated pipeline, each of which it must find.

use rdma_rtl_golden::bitmap::Params;
use rdma_rtl_tb::bitmap::mixture::{Mix, run};
use rdma_rtl_tb::bitmap::{directed, pooled};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, Version, fault, less, missed_values, one, ones, zero};

const FAULTS: &[Fault] = &[
    fault("a packet right behind another one of its segment does not see it", "segment_bits", "same6", zero),
    fault("nor one two clocks behind", "segment_bits", "same7", zero),
    fault("nor one three clocks behind", "segment_bits", "same8", zero),
    fault("bits are not written", "segment_bits", "write", zero),
    fault("every bit was set", "segment_bits", "s6_was_set", one),
    fault("a bit means the same in every round", "segment_bits", "lap6", zero),
    fault("segments are cleared for one round only", "segment_bits", "write_word", zero),
    fault("the highest number of the packet in front is not seen", "highest_psn", "same6", zero),
    fault("nor that of the one before", "highest_psn", "same7", zero),
    fault("nor that of the one before that", "highest_psn", "same8", zero),
    fault("the last number is the highest", "highest_psn", "beyond", ones),
    fault("the engine's base never counts", "base_pair", "second_counts", zero),
    fault("the pipeline's base never counts", "base_pair", "second_counts", one),
    fault("every packet lies in the window", "bitmap_pipeline", "inside5", one),
    fault("what lies below the window is beyond it", "bitmap_pipeline", "below5", zero),
    fault("any segment is that of the base", "bitmap_pipeline", "head5", one),
    fault("no packet moves the base", "bitmap_pipeline", "head5", zero),
    fault("nobody asks for the engine", "bitmap_pipeline", "ask9", zero),
    fault("the next segment is the same again", "bitmap_pipeline", "next_segment8", less),
    fault("a window moves in steps of one", "window_steps", "mask", zero),
    fault("steps are counted from zero", "window_steps", "phase3", zero),
    fault("a base that the engine has written is taken to begin its step", "window_steps", "done_second4", zero),
    fault("closed queue pairs receive", "bitmap_pipeline", "open4", one),
    fault("bits below the base stop it", "head_run", "lower", zero),
    fault("nothing is ever missing", "head_run", "missing", zero),
    fault("the engine makes one pass", "advance_engine", "differs", zero),
    fault("the engine trusts the base that came along", "advance_engine", "is_direct", zero),
    fault("the engine reads the same segment again", "advance_engine", "reading", less),
    fault("the engine does not notice that its queue pair is opened again", "advance_engine", "ours", zero),
    fault("requests that wait are lost", "advance_requests", "enter", zero),
    fault("who has asked once waits for ever", "advance_requests", "waits1", one),
    fault("a new window has its highest number wrong", "window_opener", "below", less),
    fault("one segment of a new window is cleared", "window_opener", "left", zero),
];

/// Of groups of packets.
const GROUP_FAULTS: &[Fault] = &[
    fault("every group is complete", "group_check", "complete", one),
    fault("no group is", "group_check", "complete", zero),
    fault("bits mean the same in every round", "group_check", "arrived", ones),
    fault("a window begins anywhere", "bitmap_pipeline", "start_first3_0", less),
    fault("or when its base was moved by the engine", "bitmap_pipeline", "start_second3_0", less),
    fault("a queue pair begins where its phase does not count", "bitmap_pipeline", "aligned_0", less),
    fault("numbers are those of outside", "header_stages", "wide2_0", zero),
    fault("or become so on the way out", "header_stages", "wide8_0", zero),
    fault("a base that the engine moves stays inside", "bitmap_pipeline", "move_wide_0", zero),
    fault("a packet's own number is the last of its group", "bitmap_pipeline", "group_last7_0", less),
    fault("the group before is the highest", "bitmap_pipeline", "verdict_edge", less),
    fault("what was before is forgotten", "bitmap_pipeline", "verdict_prior", ones),
];

fn hold(make: &dyn Fn() -> Version) -> Result<(), String> {
    hold_with(make, Params::new(16, 128))
}

fn hold_groups(make: &dyn Fn() -> Version) -> Result<(), String> {
    hold_with(make, Params { granularity: 4, segment: 16, pool: 16 * 8, ..Params::new(16, 128) })
}

fn hold_with(make: &dyn Fn() -> Version, params: Params) -> Result<(), String> {
    let mut model = make();
    for (what, situation) in directed::ALL {
        situation(&mut model, params).map_err(|difference| format!("{what}: {difference}"))?;
    }
    (1..20).try_for_each(|seed| run(&mut model, params, Mix::random(params, 4000, seed), seed).map(|_| ()))
}

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("bitmap_pipeline", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, hold);
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn every_fault_of_groups_is_found() {
    let good = catalogue::find("bitmap_pipeline", "group4").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, GROUP_FAULTS, hold_groups);
    assert!(missed.is_empty(), "not found: {missed:?}");
}

const FAULTS_OF_POOLS: &[Fault] = &[
    fault("segments that are given back are not cleared", "bitmap_pipeline", "cleared1_0", zero),
    fault("the first segment of a window is cleared whole", "bitmap_pipeline", "cleared1_0", one),
    fault("every packet lies below the edge", "bitmap_pipeline", "below_edge4_0", one),
    fault("bits of a segment mean the same in every window", "bitmap_pipeline", "flip4_0", zero),
    fault("the engine takes them so", "bitmap_pipeline", "read_flip4_0", zero),
    fault("places without a segment are read", "bitmap_pipeline", "mapped4_0", one),
    fault("places with one are not", "bitmap_pipeline", "mapped4_0", zero),
    fault("headers fill the pool's clocks", "bitmap_pipeline", "slot_0", one),
    fault("the engine does not wait for the place", "advance_engine", "held_0", zero),
    fault("the engine takes the lap of another segment", "advance_engine", "lap8_0", zero),
    fault("lengths are not limited", "segment_pool", "limit1", zero),
    fault("a window may be longer than the longest", "segment_pool", "capped", ones),
    fault("no window is too short", "segment_pool", "short", zero),
    fault("no window is to keep its length", "segment_pool", "keeps", zero),
    fault("every window is", "segment_pool", "keeps", one),
    fault("no base is seen to have passed a segment", "segment_pool", "passed", zero),
    fault("segments that come back have the wrong value", "segment_pool", "value", zero),
    fault("no edge moves", "segment_pool", "edge_write", zero),
    fault("no place is told", "segment_pool", "write", zero),
    fault("places with a segment are not", "segment_pool", "write_mapped", zero),
    fault("a segment that joins a window means what it did", "segment_pool", "write_flip", zero),
    fault("the pool does not notice that a queue pair is opened", "segment_pool", "barred", zero),
    fault("nothing is ever refused", "segment_pool", "refused", zero),
];

fn hold_pools(make: &dyn Fn() -> Version) -> Result<(), String> {
    let mut params = Params::new(16, 256);
    (params.segment, params.pool) = (16, 32);
    let mut model = make();
    for (what, situation) in pooled::ALL {
        situation(&mut model, params).map_err(|difference| format!("{what}: {difference}"))?;
    }
    (1..16).try_for_each(|seed| run(&mut model, params, Mix::random(params, 10_000, seed), seed).map(|_| ()))
}

#[test]
fn every_fault_of_pools_is_found() {
    let good = catalogue::find("bitmap_pipeline", "pool").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS_OF_POOLS, hold_pools);
    assert!(missed.is_empty(), "not found: {missed:?}");
}
