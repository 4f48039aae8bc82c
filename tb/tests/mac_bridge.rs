//! `MacBridge` and its parts: widths, padding and store in lockstep with the Rust, the whole with two clocks under Verilator.

use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_gen::ir;
use rdma_rtl_sim::verilated::Design;
use rdma_rtl_sim::{Direction, Lockstep, Model, Port};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::never_full::guarded;
use rdma_rtl_tb::under_test::{design_at, seed, sized, soon, verilated};
use rdma_rtl_tb::wire::mac_bridge::{Plan, Seen, bench};
use rdma_rtl_tb::wire::{frame_store, frame_width, icrc};

fn store(model: &mut dyn Model, beats: usize, waits: bool, clocks: u64) -> frame_store::Seen {
    frame_store::bench(model, beats, waits, seed(), clocks).unwrap_or_else(|difference| panic!("{difference} (seed {})", seed()))
}

/// A store of `2^bits` beats of 64 bits.
fn small_store(bits: u64) -> ir::Design {
    let node = sized("wire::FrameStore", "new()", &[("MAC_WIDTH", 64), ("MAC_STORE_BITS", bits)]);
    rdma_rtl_gen::elaborate(&node, &Default::default()).unwrap()
}

#[test]
fn a_store_of_few_beats() {
    for bits in [2, 4, 6] {
        let mut model = verilated(&small_store(bits));
        let lost = store(&mut model, 1 << bits, false, 60_000);
        assert!(lost.lost > 100 && lost.kept > 1000 && lost.dropped > 100 && lost.cut > 100 && lost.waited == 0, "{lost:?}");
        let waits = store(&mut model, 1 << bits, true, 60_000);
        assert!(waits.lost > 10 && waits.kept > 1000 && waits.waited > 1000, "{waits:?}");
    }
}

#[test]
fn the_store_and_its_verilog_agree() {
    let block = catalogue::find("frame_store", "small").unwrap();
    let mut model = Lockstep::new(("native", block.native().unwrap()), ("verilated", verilated(&block.elaborate().unwrap()))).unwrap();
    let seen = store(&mut model, 4096, false, 40_000);
    assert!(seen.kept > 20, "{seen:?}");
}

fn width(from: u64, to: u64, clocks: u64) {
    let block = format!("wire::FrameWidth::<{from}, {}, {to}, {}>", from / 8, to / 8);
    let wide = from.max(to);
    let node = sized(&block, "default()", &[("MAC_WIDE", wide), ("MAC_WIDE_BYTES", wide / 8)]);
    let mut model = soon(&catalogue::sources(&rdma_rtl_gen::elaborate(&node, &Default::default()).unwrap()));
    let seen = frame_width::bench(&mut model, false, seed(), clocks).unwrap_or_else(|d| panic!("{from} to {to}: {d} (seed {})", seed()));
    assert!(seen.frames > clocks / 100, "{seen:?}");
}

#[test]
fn beats_of_another_width() {
    for (from, to) in [(64, 64), (64, 512), (512, 64), (256, 512), (512, 256)] {
        width(from, to, 20_000);
    }
    for (from, to) in [(1024, 512), (512, 1024), (2048, 64), (64, 2048)] {
        width(from, to, 8_000);
    }
}

#[test]
fn the_widths_of_a_profile_and_their_verilog_agree() {
    for profile in ["small", "default"] {
        let block = catalogue::find("frame_width", profile).unwrap();
        let mut model = Lockstep::new(("native", block.native().unwrap()), ("verilated", verilated(&block.elaborate().unwrap()))).unwrap();
        let seen = frame_width::bench(&mut model, false, seed(), 20_000).unwrap_or_else(|d| panic!("{profile}: {d} (seed {})", seed()));
        assert!(seen.frames > 200, "{seen:?}");
    }
}

#[test]
fn short_frames_grow() {
    for profile in ["small", "default"] {
        let block = catalogue::find("frame_pad", profile).unwrap();
        let mut model = Lockstep::new(("native", block.native().unwrap()), ("verilated", verilated(&block.elaborate().unwrap()))).unwrap();
        let seen = frame_width::bench(&mut model, true, seed(), 20_000).unwrap_or_else(|d| panic!("{profile}: {d} (seed {})", seed()));
        assert!(seen.frames > 1000, "{seen:?}");
    }
}

/// Every clock is an input of the model: it has two.
fn two_clocks(design: &ir::Design) -> Design {
    let mut text = catalogue::sources(design);
    text.clock = None;
    let clocks = design.ports().into_iter().filter(|port| port.clock);
    text.ports.splice(0..0, clocks.map(|port| Port { name: port.name, width: 1, direction: Direction::Input }));
    text
}

fn bridge(name: &str, data_width: u64) -> Design {
    two_clocks(&design_at(name, &[("data_width", data_width)]))
}

fn frames(count: usize, seed: u64) -> [Vec<Vec<u8>>; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Frames of RoCEv2, and others that are shorter than Ethernet allows.
    let mut all = |count| {
        let mut frames = icrc::mixture(&mut rng, 64, count);
        for frame in frames.iter_mut().step_by(7) {
            *frame = vec![0; rng.random_range(14..64)];
            rng.fill_bytes(frame);
        }
        frames
    };
    [all(count), all(count)]
}

fn run(model: &mut dyn Model, count: usize, plan: Plan) -> Seen {
    bench(model, frames(count, seed()), 20, plan, seed()).unwrap_or_else(|d| panic!("{plan:?}: {d} (seed {})", seed()))
}

/// Of the clocks of a CMAC, of a 25G and of a 10G MAC, ps.
const MACS: [u64; 3] = [3103, 2560, 6400];

/// All of it at one pair of widths.
fn everything(name: &str, data_width: u64, mac: u64) {
    let mut model = soon(&guarded(bridge(name, data_width)));
    // Slower, faster and just beside the MAC's; one that is far from it.
    for aclk in [mac, mac + 3, mac - 3, mac * 13 / 10, mac * 7 / 10, mac / 4] {
        let seen = run(&mut model, 120, Plan { mac_begin: 20, ..Plan::plain([aclk, mac]) });
        assert!(seen.sent == 120 && seen.short > 5 && seen.wrong > 5 && seen.damaged > 0, "{seen:?}");
    }
    // Idle and backpressure on all sides.
    for (offer, take, mac_take, mac_begin) in [(100, 60, 100, 10), (50, 100, 60, 10), (100, 30, 30, 5), (10, 100, 100, 10)] {
        run(&mut model, 120, Plan { offer, take, mac_take, mac_begin, ..Plan::plain([mac + 900, mac]) });
    }
    let periods = [mac * 9 / 10, mac];
    let pauses = Plan { offer: 80, take: 80, mac_take: 80, mac_begin: 20, ..Plan::plain(periods) };
    for plan in [
        Plan { reset_every: 300, ..pauses },
        Plan { mac_reset_every: 300, ..pauses },
        Plan { line_every: 500, ..pauses },
        Plan { reset_every: 400, mac_reset_every: 400, line_every: 900, ..pauses },
    ] {
        let seen = run(&mut model, 200, plan);
        assert!(seen.sent >= 20 && seen.received >= 20 && seen.not_sent + seen.not_received > 5, "{plan:?}: {seen:?}");
    }
}

#[test]
fn a_cmac_at_512_bits() {
    everything("mac_bridge", 512, MACS[0]);
}

#[test]
fn a_cmac_at_256_bits() {
    everything("mac_bridge", 256, MACS[0]);
}

#[test]
fn a_cmac_at_1024_bits() {
    everything("mac_bridge", 1024, MACS[0]);
}

#[test]
fn a_cmac_at_64_bits() {
    everything("mac_bridge", 64, MACS[0]);
}

#[test]
fn a_25g_mac_at_64_bits() {
    everything("mac_bridge_25g", 64, MACS[1]);
}

#[test]
fn a_10g_mac_at_512_bits() {
    everything("mac_bridge_25g", 512, MACS[2]);
}

/// The endpoint takes less than the MAC gives, or nothing for a while: frames are lost as wholes, and each is counted.
#[test]
fn what_finds_no_room_is_lost_as_a_whole_and_counted() {
    let mut model = soon(&guarded(bridge("mac_bridge", 512)));
    let mut lost = 0;
    for take in [5, 20, 50] {
        let mut all = frames(400, seed());
        all[1].iter_mut().step_by(2).for_each(|frame| frame.resize(4000, 0x5a));
        let plan = Plan { take, ..Plan::plain([9000, MACS[0]]) };
        let seen = bench(&mut model, all, 20, plan, seed()).unwrap_or_else(|d| panic!("{plan:?}: {d} (seed {})", seed()));
        lost += seen.not_received;
        assert!(seen.received > 20, "{seen:?}");
    }
    assert!(lost > 200, "{lost}");
}

/// What the parts and the bench of the whole find.
fn not_noticed(edits: &[Edit]) -> Vec<String> {
    let plan = Plan { offer: 90, take: 60, mac_take: 80, mac_begin: 40, ..Plan::plain([3300, MACS[0]]) };
    let resets = Plan { reset_every: 250, mac_reset_every: 250, line_every: 700, ..plan };
    missed(&bridge("mac_bridge", 256), edits, |model| {
        bench(model, frames(150, seed()), 20, plan, seed())?;
        let long = |count, way: usize, every, bytes| {
            let mut all = frames(count, seed());
            all[way].iter_mut().skip(3).step_by(every).for_each(|frame| frame.resize(bytes, 1));
            all
        };
        bench(model, long(300, 1, 3, 6000), 20, resets, seed())?;
        // More than the MAC takes waits, and nothing of it is lost.
        bench(model, long(150, 0, 2, 4000), 20, Plan { mac_take: 10, ..plan }, seed())?;
        // More than the endpoint takes is lost, frame by frame, and what is longer than the store, and it is counted.
        bench(model, long(300, 1, 2, 4000), 20, Plan { take: 20, mac_begin: 100, ..plan }, seed())?;
        bench(model, long(60, 1, 9, 40_000), 20, Plan { take: 20, ..plan }, seed()).map(|_| ())
    })
}

#[test]
fn faults_of_the_bridge_are_noticed() {
    let missed = not_noticed(&[
        ("mac_bridge", "{577'd0, cut} << MARK_PLACE", "{577'd0, 1'b0} << MARK_PLACE"),
        ("mac_bridge", "cut <= inside_", "cut <= 1'b0"),
        ("mac_bridge", "{check_out_user, marks_out_data && m_axis_rx_tlast}", "{marks_out_data && m_axis_rx_tlast, check_out_user}"),
        ("mac_bridge", "m_axis_rx_tready && m_axis_rx_tlast", "m_axis_rx_tready"),
        ("mac_bridge", "from_mac_out_valid && check_in_ready && from_mac_out_last", "from_mac_out_valid && from_mac_out_last"),
        ("mac_bridge", ".cut       (reset)", ".cut       (1'b0)"),
        ("mac_bridge", "receive_lost <= receive_lost + 32'd1", "receive_lost <= receive_lost + 32'd2"),
        ("mac_side", "line <= line_up && !line_reset", "line <= !line_reset"),
        ("mac_side", "receive_cut = !line", "receive_cut = 1'b0"),
        ("mac_side", "heard_cut = !line", "heard_cut = 1'b0"),
        ("mac_side", "transmit_in_drop = in_word[577]", "transmit_in_drop = 1'b0"),
        ("mac_side", "(event_ready && (|receive_lost)) ? (receive_lost - 8'd1) : receive_lost", "receive_lost"),
        ("frame_store", "!full || !in_waits || (whole == read)", "1'b1"),
        ("frame_store", "fails = full || lost", "fails = full"),
        ("frame_store", "next_read != whole", "next_read != write"),
        ("frame_gate", "if (cut)", "if (1'b0)"),
    ]);
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}

#[test]
fn faults_of_the_store_are_noticed() {
    let edits: [Edit; 13] = [
        ("frame_store", "!full || !in_waits || (whole == read)", "!full || !in_waits"),
        ("frame_store", "!full || !in_waits || (whole == read)", "!full || (whole == read)"),
        ("frame_store", "fails = full || lost", "fails = full"),
        ("frame_store", "fails = full || lost", "fails = lost"),
        ("frame_store", "== 5'd16", "== 5'd15"),
        ("frame_store", "takes && !fails", "takes"),
        ("frame_store", "fails || in_drop", "fails"),
        ("frame_store", "evt_lost <= !in_drop", "evt_lost <= 1'b1"),
        ("frame_store", "whole <= whole", "whole <= write"),
        ("frame_store", "next_read != whole", "next_read != write"),
        ("frame_store", "next_read != whole", "read != whole"),
        ("frame_store", "out_ready || !out_valid", "1'b1"),
        ("frame_store", "write <= whole;\n                whole", "whole"),
    ];
    let missed = missed(&catalogue::sources(&small_store(4)), &edits, |model| {
        for waits in [false, true] {
            frame_store::bench(model, 16, waits, seed(), 20_000)?;
        }
        Ok(())
    });
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}
