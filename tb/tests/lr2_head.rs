//! The heads of frames: verilated at every beat width, in lockstep with the Rust, and with faults.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::wire::Reader;
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Fault, fault, missed, missed_values, not, one, zero};
use rdma_rtl_tb::lr2::lr2_head::{ELSE, Pace, Seen, bench, edges, leave_in_the_middle, mixture};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};
use rdma_rtl_tb::wire::frames::{Case, OPCODES, cut_at_every_byte, every_header_bit, foreign_and_cut, well_formed};

/// Paces that a stream knows, besides the full one.
const PACES: [Pace; 6] = [
    Pace { offer: 50, out: 100, head: 100 },
    Pace { offer: 100, out: 50, head: 100 },
    Pace { offer: 100, out: 100, head: 1 },
    Pace { offer: 100, out: 60, head: 20 },
    Pace { offer: 60, out: 60, head: 60 },
    Pace { offer: 10, out: 100, head: 100 },
];

fn run(model: &mut dyn Model, cases: &[Case], pace: Pace) -> Seen {
    bench(model, cases, pace, seed()).unwrap_or_else(|difference| panic!("{difference} (RDMA_RTL_SEED={})", seed()))
}

/// All of it at one width of a beat.
fn everything(width: u64, frames: usize) {
    let mut model = verilated(&design_at("lr2_head", &[("data_width", width)]));
    let beat = width as usize / 8;
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let good = mixture(&mut rng, beat, frames, 0);
    let seen = run(&mut model, &good, Pace::FULL);
    println!("{width}: {seen:?}");
    assert_eq!(seen.latency, Some((11, 11)));
    assert!((0..=11).filter(|kind| ![7, 9].contains(kind)).all(|kind| seen.kinds.contains_key(&kind)), "{:?}", seen.kinds);
    let bad = mixture(&mut rng, beat, frames, 60);
    let seen = run(&mut model, &bad, Pace::FULL);
    assert!(seen.kinds[&ELSE] > frames as u64 / 4, "{:?}", seen.kinds);
    run(&mut model, &edges(&mut rng, frames / 10), Pace::FULL);
    for clocks in [1, 2, 3, 5, 8, 13, 21, 34] {
        leave_in_the_middle(&mut model, clocks, seed());
        run(&mut model, &good[..20], Pace::FULL);
    }
    for pace in PACES {
        let seen = run(&mut model, &bad[..frames / 3], pace);
        assert!(pace.head > 10 || seen.held_up > 0, "{pace:?}: {seen:?}");
    }
}

#[test]
fn beats_of_64_bits() {
    everything(64, 1000);
}

#[test]
fn beats_of_256_bits() {
    everything(256, 1500);
}

#[test]
fn beats_of_512_bits() {
    everything(512, 3000);
}

#[test]
fn beats_of_2048_bits() {
    everything(2048, 1000);
}

#[test]
fn every_cut_and_every_bit_of_every_opcode() {
    let mut model = verilated(&design_at("lr2_head", &[("data_width", 512)]));
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    for opcode in OPCODES {
        let frame = well_formed(&mut rng, &Reader::default(), opcode, 9);
        for cases in [cut_at_every_byte(&frame), every_header_bit(&frame), foreign_and_cut(&frame)] {
            run(&mut model, &cases, Pace::FULL);
        }
    }
}

/// Frames of one beat, one each clock, and of any other size.
#[test]
fn one_head_per_clock() {
    let mut model = verilated(&design_at("lr2_head", &[("data_width", 512)]));
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    for payload in [0, 5, 6, 70, 1024, 4096] {
        let mut frame = well_formed(&mut rng, &Reader::default(), 0x04, payload);
        (frame.vlan, frame.ip_options) = (None, Vec::new());
        frame.ip = rdma_rtl_golden::wire::Frame::new(frame.bth).ip;
        let cases = vec![Case::good(frame.to_bytes()); 300];
        let seen = run(&mut model, &cases, Pace { offer: 100, out: 100, head: 100 });
        assert!(seen.clocks <= seen.beats + 60, "payload {payload}: {seen:?}");
        assert!(payload > 5 || seen.beats <= 600, "payload {payload}: {seen:?}");
    }
}

#[test]
fn the_rust_and_its_verilog_agree() {
    for (profile, frames) in [("small", 100), ("default", 150)] {
        let head = catalogue::find("lr2_head", profile).unwrap();
        let mut model = Lockstep::new(("native", head.native().unwrap()), ("verilated", verilated(&head.elaborate().unwrap()))).unwrap();
        let beat = head.parameter("data_width").unwrap() as usize / 8;
        let cases = mixture(&mut ChaCha8Rng::seed_from_u64(seed()), beat, frames, 30);
        run(&mut model, &cases, Pace { offer: 80, out: 80, head: 80 });
    }
}

const FAULTS: &[Fault] = &[
    fault("heads are never waited for", "lr2_head", "room", one),
    fault("a beat that was shown goes away", "lr2_head", "shown", zero),
    fault("a bad frame is sound", "frame_intake", "in_crc_ok", one),
    fault("nobody says that a frame is bad", "lr2_head", "out_bad", zero),
    fault("no head says that its frame is bad", "lr2_head_judge", "bad", zero),
    fault("a frame's length is not looked at", "lr2_head_judge", "whole", one),
    fault("headers are always sound", "lr2_head_read", "out_good", one),
    fault("lengths of IP and UDP may differ", "lr2_head_read", "even5", one),
    fault("any port will do", "lr2_head_read", "good5", one),
    fault("IPv4 has the addresses of IPv6", "lr2_head_read", "six1", one),
    fault("IPv6 has the addresses of IPv4", "lr2_head_read", "six1", zero),
    fault("all are IPv4", "lr2_head_read", "sixes_0", zero),
    fault("pad does not count", "lr2_head_read", "pad5", zero),
    fault("headers behind BTH do not count", "lr2_head_read", "words", zero),
    fault("LR2ETH does not count", "lr2_head_read", "marked5", zero),
    fault("no data", "lr2_head_read", "data5", zero),
    fault("no requests", "lr2_head_read", "request5", zero),
    fault("no READ says its length", "lr2_head_read", "read5", zero),
    fault("no responses", "lr2_head_read", "response5", zero),
    fault("no CNP", "lr2_head_read", "cnp5", zero),
    fault("no probe", "lr2_head_read", "probe5", zero),
    fault("no NAK", "lr2_head_read", "nak5", zero),
    fault("no acknowledgement", "lr2_head_read", "ack5", zero),
    fault("nothing asks", "lr2_head_read", "asks5", zero),
    fault("everything asks", "lr2_head_read", "asks5", one),
    fault("what is no data asks", "lr2_head_read", "asks6", one),
    fault("who made a NAK is not known", "lr2_head_read", "origin5", zero),
    fault("a READ of any length", "lr2_head_read", "over", zero),
    fault("a READ of 2^31 bytes is too long", "lr2_head_read", "over", not),
    fault("numbers of more than 24 bits", "lr2_head_read", "high", zero),
    fault("UDP is elsewhere", "lr2_head_read", "offset6", zero),
    fault("what was read does not stay", "lr2_head_read", "valid6", one),
    fault("a frame of no length is known", "lr2_head_read", "lacks", zero),
];

/// Wrong bits of constants.
const EDITS: &[(&str, &str, &str)] = &[
    ("lr2_head_read", "16'h12b7", "16'h12b6"),
    ("lr2_head_read", "8'd36", "8'd35"),
    ("lr2_head_read", "8'd36 : 8'd24", "8'd36 : 8'd23"),
    ("lr2_head_read", "8'd129", "8'd128"),
    ("lr2_head_read", "8'd224", "8'd225"),
    ("lr2_head_read", "8'd19", "8'd21"),
    ("lr2_head_read", "8'd20", "8'd21"),
    ("lr2_head_read", "8'd18", "8'd21"),
    ("lr2_head_read", "8'd16", "8'd17"),
];

#[test]
fn every_fault_is_found() {
    let good = design_at("lr2_head", &[("data_width", 512)]);
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut cases = mixture(&mut rng, 64, 1500, 10);
    cases.extend(edges(&mut rng, 60));
    let hold = |model: &mut dyn Model| {
        bench(model, &cases, Pace { offer: 100, out: 70, head: 40 }, 1)?;
        bench(model, &cases[..300], Pace { offer: 100, out: 60, head: 4 }, 1)?;
        bench(model, &cases[..300], Pace { offer: 30, out: 100, head: 100 }, 1).map(|_| ())
    };
    let values = missed_values(&good, FAULTS, |make| hold(&mut make()));
    let edits = missed(&catalogue::sources(&good), EDITS, |version| hold(version));
    assert!(values.is_empty() && edits.is_empty(), "not found: {values:?} {edits:?}");
}
