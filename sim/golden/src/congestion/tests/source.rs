//! The source's example: when the packets after a marked one go, with separate notifications and with CETH.
//!
//! Packets of one size, one a slot at the target rate. The first of a congestion is marked, and the two behind it. The sender's bucket
//! holds one packet, so that the time from one packet to the next is that of its rate.

use crate::congestion::bucket::Bucket;
use crate::congestion::dcqcn::NotificationPoint;
use crate::congestion::degree::DegreeConfig;
use crate::congestion::rate::{Rate, Window};
use crate::congestion::receiver::{Answer, Arrival, Receiver, ReceiverConfig};
use crate::congestion::rules::{LevelRule, Rules};
use crate::congestion::sender::{Recovery, Sender, Settings};
use crate::congestion::{Form, Heard, Scene, listen, notification, tell};
use crate::wire::{Aeth, Bth, Frame, Opcode, Reader, parse};

/// Clocks of a slot: a packet of `BYTES` at the target rate.
const SLOT: u64 = 1000;
const BYTES: u32 = 1000;
/// One way, clocks.
const WAY: u64 = 1100;
/// First three packets are marked.
const MARKED: usize = 3;

/// Packets that the sender sends, 12 of them: the clock of each.
fn departures(separate: bool) -> Vec<u64> {
    let window = Window::new(2 * WAY as u32 + 200);
    // three quarters of the rate for every level and for every notification
    let level = LevelRule { factors: [192; 4], of_present: false };
    let rules = Rules { level: Some(level), step: 192, ..Rules::default() };
    let form = if separate { Form::None } else { Form::Extension };
    let settings =
        Settings { rules, window, preset: Rate::from_steps(1 << 20), recovery: Recovery::Preset, unacknowledged: false, fault: None };
    let mut sender = Sender::new(settings, 0);
    let mut bucket = Bucket::new(sender.rate(0), BYTES, 0, None);
    let degree = DegreeConfig::default();
    let mut receiver = Receiver::new(ReceiverConfig { degree, gap: 0 }).expect("the window can be");
    // A card's limit is one for all of its queue pairs: another one has just sent a notification.
    let mut point = NotificationPoint::new(2400);
    point.hold_until(WAY + SLOT);
    let (mut sent, mut answers): (Vec<u64>, Vec<(u64, Vec<u8>)>) = (Vec::new(), Vec::new());
    let (reader, mut heard) = (Reader { congestion: true, ..Reader::default() }, Heard::default());
    for now in 0..16 * SLOT {
        for (_, bytes) in answers.extract_if(.., |(at, _)| *at == now) {
            let frame = parse(&bytes, false, &reader).expect("what we build is sound");
            if let Some(signal) = listen(&frame, form, &mut heard) {
                sender.heard(now, &signal);
            }
        }
        let rate = sender.rate(now);
        if rate != bucket.rate() {
            bucket.set_rate(now, rate);
        }
        if sent.len() < 12 && bucket.take(now, BYTES) {
            sent.push(now);
            sender.sent(now);
        }
        let mut notify = point.tick(now);
        if let Some(number) = sent.iter().position(|at| at + WAY == now) {
            let marked = number < MARKED;
            let mut frame = Frame::new(Bth::new(Opcode::ACKNOWLEDGE, 1, number as u32));
            frame.aeth = Some(Aeth { syndrome: 0x1f, msn: 0 });
            if separate {
                notify |= point.arrive(now, marked);
            } else {
                let answer = receiver.arrive(now, &Arrival { scene: Scene::Message, marked, telemetry: None });
                assert_eq!(answer, if marked { Answer::Acknowledge } else { Answer::None });
                tell(&mut frame, receiver.acknowledge(now).as_ref(), form);
            }
            answers.push((now + WAY, frame.to_bytes()));
        }
        if notify {
            answers.push((now + WAY, notification(1, None).to_bytes()));
        }
    }
    sent
}

/// Clocks from the packet before to packet `number`, counted from 1 as the source does.
fn spacing(sent: &[u64], number: usize) -> u64 {
    sent[number - 1] - sent[number - 2]
}

#[test]
fn with_ceth_packets_are_slower_from_4_and_at_target_from_8() {
    let sent = departures(false);
    assert!((2..=3).all(|number| spacing(&sent, number) == SLOT));
    assert!((4..=7).all(|number| spacing(&sent, number) > SLOT));
    assert!((8..=12).all(|number| spacing(&sent, number) == SLOT));
}

#[test]
fn with_notifications_packets_are_slower_from_5_slow_until_7_and_are_at_target_from_10() {
    let sent = departures(true);
    assert!((2..=4).all(|number| spacing(&sent, number) == SLOT));
    assert!((5..=7).all(|number| spacing(&sent, number) > spacing(&sent, number - 1)));
    assert!(spacing(&sent, 8) <= spacing(&sent, 7) && spacing(&sent, 9) < spacing(&sent, 8) && spacing(&sent, 9) > SLOT);
    assert!((10..=12).all(|number| spacing(&sent, number) == SLOT));
}
