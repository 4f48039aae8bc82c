use super::*;
use crate::congestion::rate::{Rate, Window};
use crate::congestion::rules::{DelayRule, DepthRule, LevelRule, Rules};
use crate::congestion::sender::{Recovery, Sender, Settings};
use crate::congestion::{Level, Notice, Signal, Word};

pub const ALL: &[(&str, Trace)] = &[
    ("levels", levels),
    ("within a window", within),
    ("ends of windows", ends),
    ("present rate", present),
    ("point and depth", depths),
    ("delay", delays),
    ("smallest of three", smallest),
    ("plain notifications", plain),
    ("notification and notice in one window", once),
    ("hold", hold),
    ("nobody acknowledges", unacknowledged),
];

const WINDOW: u32 = 1000;
/// 1024 steps, so that 1/256 of it is 4.
const PRESET: u64 = 1024;

fn settings(fault: Option<Fault>) -> Settings {
    Settings {
        rules: Rules::default(),
        window: Window::new(WINDOW),
        preset: Rate::from_steps(PRESET),
        recovery: Recovery::Preset,
        unacknowledged: false,
        fault,
    }
}

fn said(level: Level) -> Signal {
    noticed(Notice { level, ..Notice::default() })
}

fn noticed(notice: Notice) -> Signal {
    Signal { word: Word::Notice(notice), acknowledges: true }
}

const CLEAR: Signal = Signal { word: Word::Clear, acknowledges: true };
const CNP: Signal = Signal { word: Word::Plain, acknowledges: false };

/// The rate in steps after `signal` at `now`.
fn after(sender: &mut Sender, now: u64, signal: &Signal) -> u32 {
    sender.heard(now, signal);
    sender.rate(now).steps()
}

fn levels(fault: Option<Fault>) -> Result<(), String> {
    let rule = LevelRule { factors: [0, 200, 100, 50], of_present: false };
    let rules = Rules { level: Some(rule), ..Rules::default() };
    for (level, rate) in [(Level::None, 800), (Level::Light, 800), (Level::Medium, 400), (Level::Heavy, 200)] {
        let mut sender = Sender::new(Settings { rules, ..settings(fault) }, 0);
        same!(after(&mut sender, 10, &said(level)), rate);
    }
    // nobody stops for ever
    let rule = LevelRule { factors: [0; 4], of_present: false };
    let rules = Rules { level: Some(rule), floor: Rate::from_steps(3), ..Rules::default() };
    let mut sender = Sender::new(Settings { rules, ..settings(fault) }, 0);
    same!(after(&mut sender, 10, &said(Level::Heavy)), 3);
    Ok(())
}

fn within(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = Sender::new(settings(fault), 0);
    same!(after(&mut sender, 10, &CLEAR), 1024);
    same!(after(&mut sender, 20, &said(Level::Medium)), 512);
    // less is not asked for
    same!(after(&mut sender, 30, &said(Level::Light)), 512);
    same!(after(&mut sender, 40, &said(Level::Medium)), 512);
    same!(after(&mut sender, 50, &CLEAR), 512);
    same!(after(&mut sender, 60, &said(Level::Heavy)), 256);
    same!(after(&mut sender, 70, &said(Level::Medium)), 256);
    same!((sender.counters.slowed, sender.counters.without_effect), (2, 3));
    Ok(())
}

fn ends(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = Sender::new(settings(fault), 0);
    same!(after(&mut sender, 10, &said(Level::Heavy)), 256);
    same!(after(&mut sender, 990, &CLEAR), 256);
    // marked: it stays
    same!(sender.rate(1000).steps(), 256);
    // no acknowledgement at all: it stays
    same!(sender.rate(2000).steps(), 256);
    same!(after(&mut sender, 2500, &CLEAR), 256);
    same!(sender.rate(2999).steps(), 256);
    same!(sender.rate(3000).steps(), 1024);
    same!(sender.window_end(), 4000);
    // many windows of silence
    same!(after(&mut sender, 3500, &said(Level::Light)), 768);
    same!(sender.rate(1_000_500).steps(), 768);
    same!(sender.window_end(), 1_001_000);
    same!(after(&mut sender, 1_000_999, &CLEAR), 768);
    same!(sender.rate(1_001_000).steps(), 1024);
    same!((sender.counters.recovered, sender.counters.silent), (2, 1 + 996));
    Ok(())
}

fn present(fault: Option<Fault>) -> Result<(), String> {
    let rule = LevelRule { factors: [0, 128, 128, 128], of_present: true };
    let rules = Rules { level: Some(rule), ..Rules::default() };
    let mut sender = Sender::new(Settings { rules, ..settings(fault) }, 0);
    for (window, rate) in [512, 256, 128].into_iter().enumerate() {
        for now in [1, 2, 3, 4] {
            same!(after(&mut sender, 1000 * window as u64 + now, &said(Level::Light)), rate);
        }
    }
    Ok(())
}

fn depths(fault: Option<Fault>) -> Result<(), String> {
    let mut limits = [64 * 1024; 16];
    (limits[3], limits[15]) = (32 * 1024, 16 * 1024);
    let rule = DepthRule { limits, packet_bits: 10, least: 2, most: 48 };
    let rules = Rules { level: None, depth: Some(rule), ..Rules::default() };
    let window = Window::new(WINDOW);
    let cases = [
        // most, of 64 packets
        (Some(4), None, 48),
        (Some(3), None, 32),
        // the point's low four bits
        (Some(0x1003), Some(16), 28),
        (Some(3), Some(17), 27),
        (None, Some(4), 15),
        (None, Some(0), 16),
        (Some(3), Some(127), 2),
        (Some(3), Some(0xfffe), 2),
    ];
    for (point, depth, packets) in cases {
        let preset = Rate::from_steps(1 << 27);
        let mut sender = Sender::new(Settings { rules, preset, ..settings(fault) }, 0);
        let rate = after(&mut sender, 10, &noticed(Notice { level: Level::Heavy, point, depth, ..Notice::default() }));
        same!(rate, window.rate(packets * 1024).steps());
        // what the window lets through is no packet more, and less than one fewer
        let bytes = Rate::from_steps(rate.into()).over(WINDOW) >> 20;
        same!(((packets - 1) * 1024 < bytes as u32, bytes as u32 <= packets * 1024), (true, true));
    }
    // neither: the rule is off, and the notice says what a CNP says
    let mut sender = Sender::new(Settings { rules, ..settings(fault) }, 0);
    same!(after(&mut sender, 10, &noticed(Notice { level: Level::Heavy, delay: Some(1), ..Notice::default() })), 512);
    same!(sender.counters.stepped, 1);
    Ok(())
}

fn delays(fault: Option<Fault>) -> Result<(), String> {
    let rule = DelayRule { base: 1000, factors: [240, 224, 192, 128, 64, 32, 16, 8], of_present: false };
    let rules = Rules { level: None, delay: Some(rule), ..Rules::default() };
    let edges = [(0, 0), (999, 0), (1000, 0), (1999, 0), (2000, 1), (3999, 1), (4000, 2), (8000, 3), (127_999, 6), (128_000, 7)];
    for (delay, index) in edges.into_iter().chain([(u32::MAX - 1, 7)]) {
        let mut sender = Sender::new(Settings { rules, ..settings(fault) }, 0);
        let rate = after(&mut sender, 10, &noticed(Notice { delay: Some(delay), ..Notice::default() }));
        same!(rate, u32::from(rule.factors[index]) * 4);
    }
    let off = Rules { delay: Some(DelayRule { base: 0, ..rule }), ..rules };
    let mut sender = Sender::new(Settings { rules: off, ..settings(fault) }, 0);
    same!(after(&mut sender, 10, &noticed(Notice { delay: Some(9), ..Notice::default() })), 512);
    Ok(())
}

fn smallest(fault: Option<Fault>) -> Result<(), String> {
    let level = LevelRule { factors: [0, 200, 100, 50], of_present: false };
    let depth = DepthRule { limits: [1 << 16; 16], packet_bits: 10, least: 1, most: 64 };
    let delay = DelayRule { base: 1000, factors: [150; 8], of_present: false };
    let rules = Rules { level: Some(level), depth: Some(depth), delay: Some(delay), ..Rules::default() };
    // 256 steps are 1/256 byte: packets of 1024 bytes in 1000 clocks are 1.024 bytes a clock
    let preset = Rate::from_steps(64 << 20);
    let by = |factor: u16| preset.scaled(factor).steps();
    let packets = |count: u32| Window::new(WINDOW).rate(1024 * count).steps();
    let notice = |level, depth, delay| Notice { level, depth, delay, ..Notice::default() };
    let cases = [
        (notice(Level::Heavy, Some(0), Some(0)), by(50)),
        (notice(Level::Light, Some(0), Some(0)), by(150)),
        (notice(Level::Light, Some(0), None), packets(64).min(by(200))),
        (notice(Level::Light, Some(240), Some(0)), packets(4)),
        (notice(Level::Light, None, None), by(200)),
        (notice(Level::Medium, Some(0), Some(0)), by(100)),
    ];
    for (notice, rate) in cases {
        let mut sender = Sender::new(Settings { rules, preset, ..settings(fault) }, 0);
        same!(after(&mut sender, 10, &noticed(notice)), rate);
    }
    Ok(())
}

fn plain(fault: Option<Fault>) -> Result<(), String> {
    for acknowledges in [false, true] {
        let mut sender = Sender::new(settings(fault), 0);
        let signal = Signal { word: Word::Plain, acknowledges };
        same!(after(&mut sender, 10, &signal), 512);
        same!(after(&mut sender, 20, &signal), 512);
        same!(after(&mut sender, 1000, &signal), 256);
        same!(sender.rate(2000).steps(), 256);
        same!(sender.counters.stepped, 2);
    }
    Ok(())
}

fn once(fault: Option<Fault>) -> Result<(), String> {
    // the notice knows more
    let mut sender = Sender::new(settings(fault), 0);
    same!(after(&mut sender, 10, &said(Level::Light)), 768);
    same!(after(&mut sender, 20, &CNP), 768);
    // the other way round the lower of both counts, and not their product
    let mut sender = Sender::new(settings(fault), 0);
    same!(after(&mut sender, 10, &CNP), 512);
    same!(after(&mut sender, 20, &said(Level::Light)), 512);
    same!(after(&mut sender, 30, &said(Level::Heavy)), 256);
    same!(after(&mut sender, 40, &CNP), 256);
    // a new window
    same!(after(&mut sender, 1040, &CNP), 128);
    Ok(())
}

fn hold(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = Sender::new(Settings { recovery: Recovery::Hold, ..settings(fault) }, 0);
    same!(after(&mut sender, 10, &said(Level::Heavy)), 256);
    for now in [1500, 2500, 3500] {
        same!(after(&mut sender, now, &CLEAR), 256);
    }
    sender.set_preset(4200, Rate::from_steps(2048));
    same!(sender.rate(4200).steps(), 2048);
    Ok(())
}

fn unacknowledged(fault: Option<Fault>) -> Result<(), String> {
    let mut sender = Sender::new(Settings { unacknowledged: true, ..settings(fault) }, 0);
    sender.sent(5);
    let signal = Signal { word: Word::Notice(Notice { level: Level::Heavy, ..Notice::default() }), acknowledges: false };
    same!(after(&mut sender, 1500, &signal), 256);
    sender.sent(1600);
    same!(sender.rate(2000).steps(), 256);
    same!(sender.rate(2999).steps(), 256);
    same!(sender.rate(3000).steps(), 1024);
    // nothing was sent, so silence says nothing
    same!(after(&mut sender, 3500, &signal), 256);
    same!(sender.rate(9000).steps(), 256);
    Ok(())
}

#[test]
fn an_acknowledging_sender_does_not_rise_by_what_it_has_sent() {
    let mut sender = Sender::new(settings(None), 0);
    assert_eq!(after(&mut sender, 10, &said(Level::Heavy)), 256);
    for now in 11..9000 {
        sender.sent(now);
    }
    assert_eq!(sender.rate(9000).steps(), 256);
}
