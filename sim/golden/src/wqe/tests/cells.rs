//! Random work requests over bad networks: loss of packets, acknowledgements and indications, repetition, four paths that reorder far
//! beyond a WQE.

use super::harness::{Report, Scenario, mixture, run};
use super::network::Way;
use super::*;

fn go(name: &str, scenario: &Scenario) -> Report {
    let report = run(scenario).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    let Report { ticks, lost, sender, receiver } = &report;
    println!(
        "{name}: {ticks} ticks, {} new packets, {lost} lost, {} sent again, {} time-outs",
        sender.sent, sender.retransmitted, sender.timeouts
    );
    println!(
        "    direct {}, buffered {}, deferred {}, duplicates {}, {} pages copied, {} times idle, dropped {:?}",
        receiver.direct, receiver.buffered, receiver.deferred, receiver.duplicates, receiver.copied, receiver.idled, receiver.dropped
    );
    report
}

#[test]
fn every_loss_rate() {
    for lost in [0, 100, 500, 2000] {
        for seed in 0..3 {
            let report = go(&format!("{lost} of 10 000, seed {seed}"), &Scenario::new(120, 256, lost, 200, seed));
            assert!(report.sender.retransmitted >= report.lost);
            assert!(report.receiver.direct > 50 && report.receiver.buffered > 50, "packets come in and out of order");
        }
    }
}

#[test]
fn pools_of_every_size() {
    let mut deferred = Vec::new();
    for pages in (0..20).chain([33, 64, 100]) {
        let mut scenario = Scenario::new(60, 256, 500, 200, u64::from(pages));
        scenario.receiver = ReceiverParams { pages, page_bytes: if pages % 2 == 0 { 512 } else { 4096 }, ..scenario.receiver };
        scenario.copies = 20;
        let report = go(&format!("{pages} pages"), &scenario);
        assert!(pages > 0 || report.receiver.copied == 0);
        deferred.push(report.receiver.deferred + report.receiver.dropped.values().sum::<u64>());
    }
    assert!(deferred[0] > 20 && deferred[22] < deferred[0] / 4, "{deferred:?}");
}

#[test]
fn every_kind_of_receiver() {
    type Change = fn(&mut Scenario);
    let kinds: [(&str, Change); 8] = [
        ("strict", |scenario| scenario.config.strict = true),
        ("one WQE open", |scenario| (scenario.receiver.open, scenario.sender.open) = (1, 1)),
        ("256 WQEs open", |scenario| (scenario.receiver.open, scenario.sender.open) = (256, 256)),
        ("more WQEs than the receiver opens", |scenario| (scenario.receiver.open, scenario.sender.open) = (3, 16)),
        ("short bitmaps", |scenario| scenario.receiver.bitmap = 7),
        ("pages that are soon idle", |scenario| scenario.config.wqe_idle = 150),
        ("one receive at a time", |scenario| scenario.ahead = 1),
        ("one request", |scenario| scenario.receiver.requests = 1),
    ];
    for (name, change) in kinds {
        for seed in 0..3 {
            let mut scenario = Scenario::new(100, 256, 300, 200, seed);
            scenario.receiver.pages = 32;
            change(&mut scenario);
            let report = go(&format!("{name}, seed {seed}"), &scenario);
            let Report { receiver, .. } = &report;
            let shows = match name {
                "more WQEs than the receiver opens" => receiver.dropped.contains_key(&Reason::BeyondOpen),
                "short bitmaps" => receiver.dropped.contains_key(&Reason::BeyondBitmap),
                "pages that are soon idle" => receiver.idled > 0,
                _ => true,
            };
            assert!(shows, "{name}");
        }
    }
}

#[test]
fn several_queue_pairs_share_the_pool() {
    for quota in [0, 4, 40] {
        let mut scenario = Scenario::new(0, 256, 500, 300, 5);
        scenario.works = (0..4).map(|qp| mixture(50, 256, 70 + qp)).collect();
        scenario.receiver.pages = 48;
        scenario.config.quota = quota;
        go(&format!("4 queue pairs, quota {quota}"), &scenario);
    }
}

#[test]
fn numbers_wrap_anywhere() {
    for back in 0..12 {
        let mut scenario = Scenario::new(20, 256, 500, 100, u64::from(back));
        scenario.first = (psn::SPACE - 1 - 7 * back, u32::MAX - back);
        go(&format!("{back} before the wrap"), &scenario);
        scenario.first = (psn::HALF - 1 - 7 * back, (1 << 31) - 1 - back);
        go(&format!("{back} before half"), &scenario);
    }
}

/// Pairs of a WRITE of `bytes` and a flag.
fn flags(bytes: u32, fence: bool, lost: u32, seed: u64) -> Scenario {
    let work = |id: u64| {
        let bytes = if id.is_multiple_of(2) { bytes } else { 8 };
        Work { id, kind: WorkKind::Write { address: 0, rkey: 9 }, bytes, imm: None, fence: fence && !id.is_multiple_of(2) }
    };
    let way = Way::new(lost, 50, 400);
    Scenario { works: vec![(0..40).map(work).collect()], mtu: 4096, seed, flags: true, limit: 1_000_000, ..Scenario::quiet(way) }
}

#[test]
fn a_flag_behind_a_fence_is_never_seen_before_its_data() {
    for (lost, pages) in [(0, 8192), (100, 8192), (2000, 8192), (100, 256)] {
        let ticks = [true, false].map(|fence| {
            let mut scenario = Scenario { flags: fence, ..flags(1 << 20, fence, lost, 3) };
            scenario.receiver.pages = pages;
            go(&format!("{lost} of 10 000, {pages} pages, fence {fence}"), &scenario).ticks
        });
        println!("{lost} of 10 000, {pages} pages: {} ticks with a fence, {} without", ticks[0], ticks[1]);
        // The sender does not wait for a fence: only the flag itself may be late. At a fifth of loss chance alone makes more of a
        // difference.
        assert!(lost == 2000 || ticks[0] < ticks[1] + ticks[1] / 4, "{ticks:?}");
    }
    // Without it the same check finds a flag that is seen too early.
    assert!(run(&flags(1 << 20, false, 100, 3)).is_err());
}

/// 10 000 work requests with 20 of 1 MB and 2 of 16 MB among them.
fn whole(lost: u32, seed: u64) -> Scenario {
    let mut scenario = Scenario::new(10_000, 4096, lost, 600, seed);
    let works = &mut scenario.works[0];
    for at in 0..22 {
        let bytes = if at % 11 == 10 { 16 << 20 } else { 1 << 20 };
        let kind = if at % 3 == 0 { WorkKind::Send } else { WorkKind::Write { address: 0, rkey: 9 } };
        let work = &mut works[400 * at + 300];
        *work = Work { bytes, kind, imm: (at % 2 == 0).then_some(at as u32), fence: at % 7 == 6, ..*work };
    }
    scenario.limit = 40_000_000;
    scenario
}

#[test]
fn ten_thousand_work_requests_at_every_loss_rate() {
    for lost in [0, 100, 500, 2000] {
        for (open, pages) in [(16, 256), (256, 8192)] {
            let mut scenario = whole(lost, u64::from(lost + open));
            (scenario.receiver.open, scenario.sender.open, scenario.receiver.pages) = (open, open, pages);
            (scenario.sender.window, scenario.receiver.window) = (16 * 4096, 16 * 4096);
            let report = go(&format!("{lost} of 10 000, {open} open, {pages} pages"), &scenario);
            assert!(report.sender.sent > 40_000);
        }
    }
}
