//! Where the frames of a Depot lie: verilated, in lockstep with the Rust, and with faults.

use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, less, missed_values, not, one, zero};
use rdma_rtl_tb::lr2::depot_frames::{Mix, Seen, bench};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

/// Bytes of a slot: those of a packet and of its headers.
fn slot(profile: &str) -> usize {
    if profile == "small" { 512 } else { 4352 }
}

/// A slow output, slow steps, slow places, all of it fast; idle clocks; frames of one length.
const MIXES: [Mix; 7] = [
    Mix::PLAIN,
    Mix { take: 20, ..Mix::PLAIN },
    Mix { steps: 5, offer: 100, ..Mix::PLAIN },
    Mix { places: 5, ..Mix::PLAIN },
    Mix { offer: 100, take: 100, steps: 100, places: 100, ..Mix::PLAIN },
    Mix { offer: 15, ..Mix::PLAIN },
    Mix { offer: 100, take: 60, steps: 100, places: 100, pass: 60, stored: 8, bytes: 60, ..Mix::PLAIN },
];

fn run(model: &mut dyn Model, slot: usize, count: usize, mix: Mix, seed: u64) -> Seen {
    bench(model, slot, count, mix, seed).unwrap_or_else(|difference| panic!("{difference} ({mix:?}, RDMA_RTL_SEED={seed})"))
}

#[test]
fn what_leaves_is_what_was_sent() {
    for profile in ["small", "default"] {
        let mut model = verilated(&catalogue::find("depot_frames", profile).unwrap().elaborate().unwrap());
        for (seed, mix) in (seed()..).zip(MIXES) {
            let seen = run(&mut model, slot(profile), 2000, mix, seed);
            println!("{profile}: {seen:?}");
            let often = [seen.sent, seen.dropped, seen.held, seen.copied, seen.uncopied, seen.replayed, seen.flushed, seen.bad];
            assert!(often.iter().all(|&count| count >= 5), "{profile}: {seen:?}");
            assert!(mix.bytes != 0 || seen.long > 10, "{profile}: {seen:?}");
            // Where nobody takes what is stored as fast as it comes, it waits.
            assert!(mix.stored < 50 || seen.stored == Some(STORED), "{profile}: {seen:?}");
            assert!(seen.first.is_some_and(|first| first >= FIRST), "{profile}: {seen:?}");
        }
    }
}

/// Clocks from the last beat of a frame to `stored`, and from a step to the first beat.
const STORED: u64 = 1;
const FIRST: u64 = 6;

/// Frames that go on as they come leave as fast as they come, and in the clock that the block promises.
#[test]
fn frames_pass_at_line_rate() {
    let mut model = verilated(&catalogue::find("depot_frames", "default").unwrap().elaborate().unwrap());
    for bytes in [64, 128, 1086, 4352] {
        let mix = Mix { offer: 100, take: 100, steps: 100, places: 100, bad: 0, pass: 100, stored: 80, bytes };
        let seen = run(&mut model, 4352, 500, mix, seed());
        println!("{bytes}: {seen:?}");
        assert_eq!((seen.first, seen.sent), (Some(FIRST), 500), "{seen:?}");
        // A frame of one beat is more than twice as long on the wire; two of three clocks have a step that takes it.
        assert!(seen.clocks <= seen.beats * if bytes > 64 { 103 } else { 150 } / 100 + 100, "{bytes}: {seen:?}");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    let frames = catalogue::find("depot_frames", "small").unwrap();
    let mut model = Lockstep::new(("native", frames.native().unwrap()), ("verilated", verilated(&frames.elaborate().unwrap()))).unwrap();
    for (seed, mix) in (seed()..).zip(MIXES) {
        run(&mut model, slot("small"), 60, mix, seed);
    }
}

/// Beats of 128 to 2048 bits, and packets of one beat.
#[test]
fn frames_of_other_beats() {
    for (width, packet) in [(128, 256), (256, 512), (1024, 1024), (2048, 256), (2048, 4096)] {
        let mut model = verilated(&design_at("depot_frames", &[("data_width", width), ("packet_size", packet)]));
        let rest = if width == 2048 { 512 } else { 256 };
        let body = (packet as usize).max(width as usize / 4);
        run(&mut model, body + rest, 500, Mix::PLAIN, seed());
    }
}

const FAULTS: &[Fault] = &[
    fault("a bad frame has a slot", "depot_frames", "bad", zero),
    fault("a long frame is cut", "depot_frames", "long", zero),
    fault("frames have bytes that they do not have", "depot_frames", "keep", not),
    fault("room is always there", "depot_frames", "room", one),
    fault("frames that come find always room", "depot_frames", "has_room", one),
    fault("beats are read without space", "depot_frames", "space", one),
    fault("a slot is given back that a copy needs", "depot_frames", "frees1", one),
    fault("slots do not come back", "depot_frames", "frees1", zero),
    fault("what a place had stays", "depot_frames", "given_held_in_valid", zero),
    fault("what a copy's place had stays", "depot_frames", "given_copy_in_valid", zero),
    fault("the slot of a frame without a copy stays", "depot_frames", "copy_refused", zero),
    fault("places are read beside a step", "depot_frames", "reads_held", zero),
    fault("places of copies are read beside a step", "depot_frames", "reads_copy", zero),
    fault("what was held comes from somewhere else", "depot_frames", "held_slots_read_address", zero),
    fault("copies come from somewhere else", "depot_frames", "copy_slots_read_address", zero),
    fault("a frame that leaves keeps its place", "depot_frames", "held_slots_write_data", one),
    fault("what is told is a beat less", "depot_frames", "told_bytes", less),
    fault("whatever is in front is sent", "depot_frames", "sends", one),
    fault("frames end early", "depot_frames", "at_end", one),
    fault("copies are always refused", "depot_frames", "copy_placed", zero),
    fault("the end of a frame lies elsewhere", "depot_memory", "writes_rest", zero),
    fault("frames that come and go lie with the others", "depot_memory", "from_spare", zero),
];

#[test]
fn every_fault_is_found() {
    let good = catalogue::find("depot_frames", "small").unwrap().elaborate().unwrap();
    let hold = |model: &mut dyn Model| MIXES.iter().zip(1..).try_for_each(|(&mix, seed)| bench(model, 512, 600, mix, seed).map(|_| ()));
    let missed = missed_values(&good, FAULTS, |make| hold(&mut make()));
    assert!(missed.is_empty(), "not found: {missed:?}");
}
