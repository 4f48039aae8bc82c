//! The packet engine at every beat width, verilated; at the profiles in lockstep with the Rust; with deliberate faults.

use rdma_rtl_gen::ir::{self, Expr};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, Fault, fault, less, missed, missed_values, more, not, one, zero};
use rdma_rtl_tb::send::packet_engine::{Pace, Params, Seen, Sizes, bench, without_a_frame};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

/// The block from what the profiles say.
fn engine(data_width: u64, packet_size: u64, mask_bits: u64, index_bits: u64, slots: u64, nodes: u64) -> ir::Design {
    design_at(
        "packet_engine",
        &[
            ("data_width", data_width),
            ("packet_size", packet_size),
            ("mask_bits", mask_bits),
            ("index_bits", index_bits),
            ("slots", slots),
            ("nodes", nodes),
        ],
    )
}

fn params(packet_size: usize, mask_bits: usize, index_bits: usize, slots: usize) -> Params {
    Params { packet_size, mask_bits, index_bits, slots, refetch: false }
}

fn run(model: &mut dyn Model, params: &Params, operations: usize, sizes: Sizes, pace: Pace, seed: u64) -> Seen {
    bench(model, params, operations, sizes, pace, seed).unwrap_or_else(|difference| {
        panic!("{difference}\n{params:?}, {operations} operations, {sizes:?}, {pace:?}; again with RDMA_RTL_SEED={seed}")
    })
}

const PACES: [Pace; 6] = [
    Pace { offer: 100, payload: 100, take: 100, again: 30, abort: 10, early: 10 },
    Pace { offer: 100, payload: 40, take: 100, again: 50, abort: 5, early: 0 },
    Pace { offer: 100, payload: 100, take: 30, again: 100, abort: 5, early: 30 },
    Pace { offer: 10, payload: 60, take: 60, again: 20, abort: 20, early: 50 },
    Pace { offer: 50, payload: 20, take: 20, again: 10, abort: 0, early: 0 },
    Pace { offer: 100, payload: 100, take: 100, again: 100, abort: 10, early: 20 },
];

/// Every pace with every size; then saturated, with frames of all lengths: no clock without a beat.
fn everything(model: &mut dyn Model, params: Params) {
    let mut all = Seen::default();
    for (pace, seed) in PACES.into_iter().zip(seed()..) {
        let seen = run(model, &params, 150, Sizes::Any, pace, seed);
        all.aborts += seen.aborts;
        all.again += seen.again;
        all.arrivals += seen.arrivals;
        all.unknown += seen.unknown;
        all.stale += seen.stale;
        // As many may be on their way when one of the other kind comes.
        assert!(seen.longest_again <= 48 && seen.longest_first <= 48, "{seen:?}");
    }
    assert!([all.aborts, all.again, all.arrivals, all.unknown, all.stale].iter().all(|&n| n > 0), "{all:?}");
    let largest = params.packet_size * params.mask_bits;
    for bytes in [1, 2, 63, 64, 65, params.packet_size - 1, params.packet_size, params.packet_size + 1, largest - 1, largest] {
        let operations = if bytes > 2 * params.packet_size { 6 } else { 200 };
        let pace = Pace { again: 0, ..Pace::FULL };
        let seen = run(model, &params, operations, Sizes::Fixed(bytes), pace, seed());
        println!("{bytes} bytes: {seen:?}");
        assert_eq!(seen.latency, LATENCY, "{bytes} bytes: {seen:?}");
    }
}

/// From an operation to the first beat of its first frame.
const LATENCY: u64 = 13;

/// Frames back to back: slots that come back in time, and packets sent again between those that are new.
fn saturated(model: &mut dyn Model, params: Params) {
    let largest = params.packet_size * params.mask_bits;
    for again in [0, 100] {
        let seen = run(model, &params, 8, Sizes::Fixed(largest), Pace { again, ..Pace::FULL }, seed());
        println!("again {again}: {seen:?}");
        assert!(seen.frames >= 8 * params.mask_bits as u64, "{seen:?}");
        // What is closed already is thrown away in a clock of its own.
        assert!(seen.idle == 0 || again > 0, "{seen:?}");
    }
}

macro_rules! width {
    ($name:ident, $w:literal, $p:literal, $m:literal, $ix:literal, $slots:literal, $nodes:literal) => {
        #[test]
        fn $name() {
            let mut model = verilated(&engine($w, $p, $m, $ix, $slots, $nodes));
            everything(&mut model, params($p, $m, $ix, $slots));
            saturated(&mut model, params($p, $m, $ix, $slots));
        }
    };
}

width!(beats_of_64_bits, 64, 256, 32, 6, 4, 4);
width!(beats_of_128_bits, 128, 1024, 32, 6, 4, 16);
width!(beats_of_256_bits, 256, 256, 64, 6, 16, 16);
width!(beats_of_512_bits, 512, 512, 32, 8, 16, 16);
width!(beats_of_1024_bits, 1024, 2048, 32, 8, 16, 16);
width!(beats_of_2048_bits, 2048, 4096, 256, 10, 4, 64);

#[test]
fn what_is_sent_again_is_read_from_its_place() {
    for (width, packet, bits, slots) in [(64, 256, 6, 4), (512, 512, 8, 16), (2048, 1024, 6, 4)] {
        let sizes = [("data_width", width), ("packet_size", packet), ("index_bits", bits), ("slots", slots), ("refetch", 1)];
        let mut model = verilated(&design_at("packet_engine", &sizes));
        let params = Params { refetch: true, ..params(packet as usize, 32, bits as usize, slots as usize) };
        everything(&mut model, params);
        saturated(&mut model, params);
        without_a_frame(&mut model, &params, seed()).unwrap();
    }
}

const REFETCH_FAULTS: &[Fault] = &[
    fault("what is sent again is read from the beginning of its slot", "packet_headers", "place5_0", zero),
    fault("a place does not come back from the wire", "packet_engine", "done_valid", zero),
    fault("a place of what is thrown away does not come back", "packet_engine", "dropped_valid", zero),
    fault("what is thrown away comes back from the wire too", "packet_engine", "dropped_valid", not),
];

#[test]
fn a_place_that_is_mistaken_is_found() {
    let good = catalogue::find("packet_engine", "refetch").unwrap().elaborate().unwrap();
    let params = Params { refetch: true, ..params(256, 32, 6, 4) };
    let missed = missed_values(&good, REFETCH_FAULTS, |make| {
        PACES.into_iter().try_for_each(|pace| bench(&mut make(), &params, 60, Sizes::Any, pace, seed()).map(|_| ()))
    });
    assert!(missed.is_empty(), "not found: {missed:#?}");
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, operations) in [("small", 25), ("worked", 15), ("large", 6), ("refetch", 25)] {
        let engine = catalogue::find("packet_engine", profile).unwrap();
        let parameter = |name| engine.parameter(name).unwrap() as usize;
        let params = params(parameter("packet_size"), parameter("mask_bits"), parameter("index_bits"), parameter("slots"));
        let params = Params { refetch: parameter("refetch") == 1, ..params };
        let design = engine.elaborate().unwrap();
        let mut model = Lockstep::new(("native", engine.native().unwrap()), ("verilated", verilated(&design))).unwrap();
        let sizes = if profile == "large" { Sizes::Fixed(300) } else { Sizes::Any };
        run(&mut model, &params, operations, sizes, Pace { offer: 100, payload: 80, take: 80, again: 20, abort: 10, early: 10 }, seed());
    }
}

const VOID_THAT_LEAVES: &[Edit] = &[
    // Of a first transmission, `void` counts until its operation is live, and no longer.
    ("op_records", "out_frame <= !void2;", "out_frame <= !void2 || (live && inside_);"),
    // What is sent again leaves whatever became of its operation.
    ("op_records", "!((kind2 == 2'd1) && state[", "!((kind2 == 2'd0) && state["),
];

#[test]
fn a_void_packet_that_leaves_is_found() {
    let good = catalogue::sources(&catalogue::find("packet_engine", "small").unwrap().elaborate().unwrap());
    let missed = missed(&good, VOID_THAT_LEAVES, |model| without_a_frame(model, &params(256, 32, 6, 4), seed()));
    assert!(missed.is_empty(), "not found: {missed:#?}");
}

#[test]
fn what_goes_without_a_frame_never_has_one() {
    let engine = catalogue::find("packet_engine", "small").unwrap();
    without_a_frame(&mut verilated(&engine.elaborate().unwrap()), &params(256, 32, 6, 4), seed()).unwrap();
}

const FAULTS: &[Fault] = &[
    fault("retransmissions never wait", "packet_scheduler", "turn", zero),
    fault("an operation has one packet more", "packet_scheduler", "following", less),
    fault("every job finds its operation", "op_records", "live", one),
    fault("no job finds its operation", "op_records", "live", zero),
    fault("a state written a clock ago is not seen", "op_records", "wrote", zero),
    fault("sequence numbers begin one later", "op_records", "base2", more),
    fault("a close does nothing", "op_records", "closes", zero),
    fault("stale ones are not counted", "op_records", "evt_stale", zero),
    fault("no packet is the last", "packet_headers", "final_packet", zero),
    fault("no pad", "packet_headers", "pad", zero),
    fault("every packet is a start", "packet_headers", "start4", one),
    fault("the flag of what is sent again is lost", "packet_headers", "again4", zero),
    fault("sequence numbers stand still", "packet_headers", "psn4", zero),
    fault("every node knows us by the same number", "packet_headers", "cfg_src_each", zero),
    fault("every node knows us by a number of its own", "packet_headers", "cfg_src_each", one),
    fault("the number by which a node knows us is another's", "packet_headers", "src4", more),
    fault("a control packet asks for payload", "packet_headers", "read_valid", not),
    fault("the frame is longer", "packet_headers", "total6", more),
    fault("checksum is wrong", "network_header", "sum2", more),
    fault("every node is there", "node_table", "found", one),
    fault("what was before the payload's end stays", "frame_join", "own1", |v| Expr::literal(v.width, 8u32)),
    fault("what came round is lost", "frame_join", "before2", zero),
    fault("a beat is shown while the wire waits", "frame_join", "moves", one),
    fault("sent is told too often", "frame_join", "sent_valid", one),
    fault("the end of a first transmission is not told", "frame_join", "op_done_valid", zero),
];

#[test]
fn every_fault_is_found() {
    let params = params(256, 32, 6, 4);
    let good = catalogue::find("packet_engine", "small").unwrap().elaborate().unwrap();
    let missed = missed_values(&good, FAULTS, |make| {
        let mut model = make();
        PACES.into_iter().zip(seed()..).try_for_each(|(pace, seed)| match bench(&mut model, &params, 60, Sizes::Any, pace, seed)? {
            seen if seen.longest_again > 48 || seen.longest_first > 48 => Err(format!("somebody starves: {seen:?}")),
            _ => Ok(()),
        })
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}
