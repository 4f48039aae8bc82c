//! One box, packet by packet.

use super::*;
use crate::lr2::packet::{Key, Kind, Origin, Packet};
use crate::lr2::table::{Entry, Mode};
use crate::lr2::{Emit, Gate, Verdict};

const KEY: Key = Key { source: 1, destination: 2, qp: 3 };

fn entry(initial: u32, mode: Mode) -> Entry {
    Entry { key: KEY, peer_qp: 9, mode, initial: Some(initial) }
}

fn at(initial: u32, on: u32) -> u32 {
    (initial + on) & 0xff_ffff
}

fn numbers(out: &[Emit]) -> Vec<u32> {
    out.iter().filter(|emit| emit.onward).map(|emit| emit.packet.psn).collect()
}

#[test]
fn depot_holds_asks_and_lets_go_in_order_at_every_wrap() {
    for initial in [0, 0xff_fffd, 0xff_fffe, 0xff_ffff, 0x7f_ffff] {
        let mut depot = Depot::new(DepotParams::default(), DepotConfig::default()).unwrap();
        depot.open(&entry(initial, Mode::Standard)).unwrap();
        let mut out = Vec::new();
        let put = |depot: &mut Depot, on: u32, out: &mut Vec<Emit>| {
            out.clear();
            depot.onward(0, Packet::data(KEY, at(initial, on), 1024), true, out)
        };
        assert_eq!(put(&mut depot, 0, &mut out), Verdict::Forwarded);
        assert_eq!(put(&mut depot, 2, &mut out), Verdict::Held);
        let nack = out[0].packet;
        assert_eq!((nack.kind, nack.origin, nack.psn), (Kind::Nak, Origin::Depot, initial));
        assert_eq!((nack.gap.start, nack.gap.length), (at(initial, 1), 1));
        assert_eq!((put(&mut depot, 2, &mut out), put(&mut depot, 3, &mut out)), (Verdict::Duplicate, Verdict::Held));
        assert_eq!(put(&mut depot, 1, &mut out), Verdict::Forwarded);
        assert_eq!(numbers(&out), [at(initial, 1), at(initial, 2), at(initial, 3)]);
        assert_eq!(depot.registers(&KEY), Some((initial, at(initial, 4), at(initial, 4))));
        // the receiving data centre loses the second: everything from there on again, and the NAK is an acknowledgement
        out.clear();
        let reverse = Key { source: 2, destination: 1, qp: 9 };
        let nak = Packet { echo: true, ..Packet::nak(reverse, at(initial, 1), 5) };
        assert_eq!(depot.back(0, nak, true, &mut out), Verdict::Intercepted);
        assert_eq!(numbers(&out), [at(initial, 1), at(initial, 2), at(initial, 3)]);
        assert_eq!((out[0].packet.kind, out[0].packet.psn, out[0].packet.msn, out[0].packet.echo), (Kind::Ack, initial, 5, true));
    }
}

#[test]
fn sentry_tells_a_standard_card_no_more_than_una_and_filters_its_replay() {
    for mode in [Mode::Standard, Mode::Aware] {
        let config = SentryConfig { local: 100, filter: 10_000, renack: 50, ..SentryConfig::default() };
        let mut sentry = Sentry::new(SentryParams::default(), config).unwrap();
        sentry.open(&entry(0, mode)).unwrap();
        let mut out = Vec::new();
        for psn in 0..8 {
            sentry.onward(0, Packet::data(KEY, psn, 1024), true, &mut out);
        }
        out.clear();
        let gap = crate::lr2::packet::Gap { start: 3, length: 2, edge: 8 };
        let reverse = Key { source: 2, destination: 1, qp: 9 };
        let nack = Packet { origin: Origin::Depot, gap, bytes: 98, ..Packet::nak(reverse, if mode == Mode::Aware { 3 } else { 1 }, 0) };
        assert_eq!(sentry.back(1, nack, true, &mut out), Verdict::Passed);
        assert_eq!((out[0].packet.psn, out[0].packet.bytes, out[0].packet.gap.length), (if mode == Mode::Aware { 3 } else { 1 }, 86, 0));
        out.clear();
        let from = if mode == Mode::Aware { 3 } else { 1 };
        let verdicts: Vec<Verdict> = (from..8).map(|psn| sentry.onward(2, Packet::data(KEY, psn, 1024), true, &mut out)).collect();
        let want: Vec<Verdict> = (from..8).map(|psn| if (3..5).contains(&psn) { Verdict::Asked } else { Verdict::Filtered }).collect();
        assert_eq!(verdicts, want);
        assert!(out.iter().all(|emit| emit.priority) && numbers(&out) == [3, 4]);
        assert_eq!(sentry.episode(&KEY), None);
    }
}

/// Bytes that wait, at most, before the last hop of 25 Gb/s, when a hole before 12 MB at 100 Gb/s is filled after 1 ms. Ticks are
/// picoseconds.
fn queue_behind(pace: u64) -> u64 {
    let params = DepotParams { slots: 16384, reach: 16384, segments: 16384, ..DepotParams::default() };
    let config = DepotConfig { pace: pace << 16, flow_pace: pace << 16, line: 80 << 16, ..DepotConfig::default() };
    let mut depot = Depot::new(params, config).unwrap();
    depot.open(&entry(0, Mode::Standard)).unwrap();
    let (mut out, mut now) = (Vec::new(), 0);
    let packets = 12_000_000 / 1106;
    for psn in 1..=packets {
        now += 1106 * 80;
        depot.onward(now, Packet::data(KEY, psn, 1024), true, &mut out);
    }
    out.clear();
    now = now.max(1_000_000_000);
    depot.onward(now, Packet::data(KEY, 0, 1024), true, &mut out);
    let (mut free, mut line, mut most, mut gone) = (0_u64, now, 0, 0);
    loop {
        for emit in out.drain(..).filter(|emit| emit.onward) {
            let bytes = u64::from(emit.packet.bytes);
            line = line.max(now) + bytes * 80;
            free = free.max(line) + bytes * 320;
            most = most.max((free - line) / 320);
            gone += 1;
        }
        let Some(at) = depot.wake() else { break };
        now = at;
        depot.tick(now, &mut out);
    }
    assert_eq!(gone, packets + 1);
    most
}

#[test]
fn a_paced_drain_needs_little_of_the_switch_behind() {
    let (paced, unpaced) = (queue_behind(320), queue_behind(0));
    println!("queue of the switch behind: {paced} bytes paced, {unpaced} unpaced");
    assert!(paced <= 200_000 && unpaced > 8_000_000, "{paced} {unpaced}");
}
