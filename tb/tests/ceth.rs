//! Congestion on acknowledgements, built and read: verilated, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::congestion::{ceth_builder, ceth_reader};
use rdma_rtl_tb::faults::{Edit, Fault, fault, missed, missed_values, one, zero};
use rdma_rtl_tb::under_test::{seed, verilated};

#[test]
fn every_version_length_and_end_is_read_as_the_golden_parser_does() {
    let mut model = verilated(&catalogue::find("ceth_reader", "default").unwrap().elaborate().unwrap());
    for (seed, pause) in (seed()..).zip([0, 20]) {
        let seen = ceth_reader::bench(&mut model, pause, seed).unwrap_or_else(|e| panic!("{e} (RDMA_RTL_SEED={seed})"));
        let heard = seen.heard;
        let least = [heard.clear, heard.plain, heard.notices, heard.unknown, heard.skipped].into_iter().chain(seen.dropped).min();
        assert!(least > Some(50), "{seen:?}");
        assert_eq!(seen.pauses > 0, pause > 0, "{seen:?}");
    }
}

#[test]
fn every_notice_is_built_as_the_golden_model_does() {
    let mut model = verilated(&catalogue::find("ceth_builder", "default").unwrap().elaborate().unwrap());
    for (seed, pause) in (seed()..).zip([0, 20]) {
        let seen = ceth_builder::bench(&mut model, 20_000, pause, seed).unwrap_or_else(|e| panic!("{e} (RDMA_RTL_SEED={seed})"));
        assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let lockstep = |name: &str| {
        let block = catalogue::find(name, "default").unwrap();
        let models = (("native", block.native().unwrap()), ("verilated", verilated(&block.elaborate().unwrap())));
        Lockstep::new(models.0, models.1).unwrap()
    };
    ceth_reader::bench(&mut lockstep("ceth_reader"), 10, seed()).unwrap_or_else(|e| panic!("{e} (RDMA_RTL_SEED={})", seed()));
    ceth_builder::bench(&mut lockstep("ceth_builder"), 2000, 10, seed()).unwrap_or_else(|e| panic!("{e} (RDMA_RTL_SEED={})", seed()));
}

const READER_FAULTS: &[Fault] = &[
    fault("a header is never there", "ceth_reader", "told", zero),
    fault("a header is always there", "ceth_reader", "told", one),
    fault("every length can be", "ceth_reader", "bad_length", zero),
    fault("a header may end behind its packet", "ceth_reader", "past", zero),
    fault("version 0 has any length", "ceth_reader", "bad_plain", zero),
    fault("reserved bits do not count", "ceth_reader", "bad_reserved", zero),
    fault("every version is ours", "ceth_reader", "ours", one),
    fault("no queue pair has the second form", "ceth_reader", "compact", zero),
    fault("every queue pair has it", "ceth_reader", "compact", one),
    fault("no queue pair has the first form", "ceth_reader", "notice", zero),
    fault("every header is a notice", "ceth_reader", "notice", one),
    fault("no version is unknown", "ceth_reader", "evt_unknown", zero),
    fault("nothing is behind a header", "ceth_reader", "evt_skipped", zero),
    fault("every depth is 0", "ceth_reader", "out_depth", zero),
];

const READER_EDITS: &[Edit] = &[("ceth_reader.v", "in_room >= 16'd4", "in_room >= 16'd1")];

const BUILDER_FAULTS: &[Fault] = &[
    fault("no depth and no point follows", "ceth_builder", "with_queue", zero),
    fault("depth and point always follow", "ceth_builder", "with_queue", one),
    fault("no delay follows", "ceth_builder", "with_delay", zero),
    fault("a delay always follows", "ceth_builder", "with_delay", one),
    fault("no level is in BTH", "ceth_builder", "out_level", zero),
    fault("no scene is in BTH", "ceth_builder", "out_scene", zero),
    fault("every acknowledgement has BECN", "ceth_builder", "out_becn", one),
];

#[test]
fn every_fault_is_found() {
    let reader = catalogue::find("ceth_reader", "default").unwrap().elaborate().unwrap();
    let reads = |model: &mut dyn Model| ceth_reader::bench(model, 10, 1).map(|_| ());
    let mut missing = missed_values(&reader, READER_FAULTS, |make| reads(&mut make()));
    missing.extend(missed(&catalogue::sources(&reader), READER_EDITS, |model| reads(model)));
    let builder = catalogue::find("ceth_builder", "default").unwrap().elaborate().unwrap();
    missing.extend(missed_values(&builder, BUILDER_FAULTS, |make| ceth_builder::bench(&mut make(), 2000, 10, 1).map(|_| ())));
    assert!(missing.is_empty(), "not found: {missing:#?}");
}
