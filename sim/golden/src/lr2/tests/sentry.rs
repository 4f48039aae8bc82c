//! Traces of the Sentry alone, packet by packet.

use super::*;
use crate::lr2::packet::{ACK_BYTES, Gap, Key, Kind, LR2_BYTES, Origin, Packet};
use crate::lr2::table::{Entry, Mode};
use crate::lr2::{Emit, Gate, Verdict};
use Verdict::{Asked, Filtered, Forwarded, Noted, Passed, Replayed, Stale};

const KEY: Key = Key { source: 1, destination: 2, qp: 3 };
const REVERSE: Key = Key { source: 2, destination: 1, qp: 9 };

/// A Sentry with one flow, and what it has sent in the last step.
struct Rig {
    sentry: Sentry,
    now: u64,
    out: Vec<Emit>,
}

impl Rig {
    fn new(fault: Option<Fault>, config: SentryConfig, mode: Mode) -> Result<Rig, String> {
        let mut sentry = Sentry::new(SentryParams { fault, ..SentryParams::default() }, config)?;
        sentry.open(&Entry { key: KEY, peer_qp: 9, mode, initial: Some(0) })?;
        Ok(Rig { sentry, now: 0, out: Vec::new() })
    }

    fn simple(fault: Option<Fault>, sent: u32) -> Result<Rig, String> {
        let config = SentryConfig { local: 100, filter: 1000, renack: 50, ..SentryConfig::default() };
        let mut rig = Rig::new(fault, config, Mode::Standard)?;
        rig.send(0..sent);
        Ok(rig)
    }

    fn put(&mut self, packet: Packet) -> Verdict {
        self.out.clear();
        self.sentry.onward(self.now, packet, true, &mut self.out)
    }

    fn data(&mut self, psn: u32) -> Verdict {
        self.put(Packet::data(KEY, psn, 1024))
    }

    fn send(&mut self, psns: std::ops::Range<u32>) -> Vec<Verdict> {
        psns.map(|psn| self.data(psn)).collect()
    }

    fn back(&mut self, packet: Packet) -> Verdict {
        self.out.clear();
        self.sentry.back(self.now, packet, true, &mut self.out)
    }

    /// A Depot-NACK of a flow whose acknowledged end is `una`.
    fn nack(&mut self, una: u32, start: u32, length: u32) -> Verdict {
        let gap = Gap { start, length, edge: start + length + 1 };
        self.back(Packet { origin: Origin::Depot, gap, bytes: ACK_BYTES + LR2_BYTES, ..Packet::nak(REVERSE, una, 4) })
    }

    /// What went to the card, and whether something did.
    fn told(&self) -> Option<(Kind, Origin, u32)> {
        self.out.iter().find(|emit| !emit.onward).map(|emit| (emit.packet.kind, emit.packet.origin, emit.packet.psn))
    }
}

fn a_pass_is_filtered_and_the_next_is_not(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault, 8)?;
    same!((rig.nack(1, 3, 2), rig.told()), (Passed, Some((Kind::Nak, Origin::Depot, 1))));
    same!((rig.out[0].packet.gap, rig.out[0].packet.bytes, rig.out[0].packet.msn), (Gap::default(), ACK_BYTES, 4));
    same!(rig.send(1..3), vec![Filtered; 2]);
    same!((rig.data(3), rig.out.first().map(|emit| emit.priority), rig.data(4)), (Asked, Some(true), Asked));
    same!((rig.send(5..8), rig.sentry.episode(&KEY)), (vec![Filtered; 3], None));
    same!((rig.data(8), rig.out[0].priority), (Forwarded, false));
    // nobody asked: the card's own time-out
    same!((rig.send(1..9), rig.sentry.stats.timeout_replays), (vec![Replayed; 8], 8));
    Ok(())
}

/// A bit that was asked for is asked for once.
fn a_retransmission_lost_is_asked_for_by_the_next_nack_alone(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault, 8)?;
    rig.nack(0, 3, 1);
    rig.send(0..8);
    same!(rig.nack(0, 5, 1), Passed);
    same!(rig.send(0..8), vec![Filtered, Filtered, Filtered, Filtered, Filtered, Asked, Filtered, Filtered]);
    Ok(())
}

fn a_loss_before_the_sentry_is_told_at_once_and_seldom_again(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault, 4)?;
    rig.back(Packet::ack(REVERSE, 1, 1));
    same!((rig.data(5), rig.told()), (Verdict::Gap, Some((Kind::Nak, Origin::Sentry, 2))));
    same!((rig.out.len(), rig.out[0].priority), (1, true));
    same!((rig.data(6), rig.told()), (Verdict::Gap, None));
    rig.now = 49;
    same!((rig.data(7), rig.told()), (Verdict::Gap, None));
    rig.now = 50;
    same!((rig.data(8), rig.told()), (Verdict::Gap, Some((Kind::Nak, Origin::Sentry, 2))));
    same!(rig.send(2..5), vec![Filtered, Filtered, Forwarded]);
    Ok(())
}

fn nacks_before_and_after_an_answer(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault, 10)?;
    same!((rig.nack(2, 4, 1), rig.nack(2, 6, 1)), (Passed, Noted));
    same!(rig.send(2..5), vec![Filtered, Filtered, Asked]);
    // the pass will still come to the eighth, the third is past
    same!((rig.nack(2, 8, 1), rig.nack(2, 3, 1)), (Noted, Passed));
    same!(rig.send(2..10), vec![Filtered, Asked, Filtered, Filtered, Asked, Filtered, Asked, Filtered]);
    // an answer that does not come is waited for so long and no longer
    same!((rig.nack(2, 3, 1), rig.nack(2, 4, 1)), (Passed, Noted));
    rig.now = 100;
    same!(rig.nack(2, 5, 1), Passed);
    Ok(())
}

fn gaps_that_are_past_or_half_past(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault, 10)?;
    rig.back(Packet::ack(REVERSE, 3, 1));
    same!((rig.nack(4, 1, 3), rig.out.len(), rig.nack(4, 10, 2), rig.out.len()), (Stale, 0, Stale, 0));
    same!((rig.nack(4, 2, 4), rig.sentry.registers(&KEY).map(|r| r.0), rig.told()), (Passed, Some(4), Some((Kind::Nak, Origin::Depot, 4))));
    same!(rig.send(4..8), vec![Asked, Asked, Filtered, Filtered]);
    same!((rig.nack(4, 8, 9), rig.sentry.stats.clipped), (Noted, 2));
    same!(rig.send(8..11), vec![Asked, Asked, Forwarded]);
    Ok(())
}

/// `t_filter`: from the NACK, or, when the episode follows the card, from the last packet of the pass.
fn an_episode_lapses(fault: Option<Fault>) -> Result<(), String> {
    for (follow, want) in [(false, Replayed), (true, Filtered)] {
        let config = SentryConfig { local: 100, filter: 100, follow, ..SentryConfig::default() };
        let mut rig = Rig::new(fault, config, Mode::Standard)?;
        rig.send(0..8);
        same!(rig.nack(0, 1, 1), Passed);
        rig.now = 60;
        same!(rig.data(0), Filtered);
        rig.now = 99;
        same!(rig.data(1), Asked);
        rig.now = 120;
        same!((follow, rig.data(2)), (follow, want));
        rig.now = 219;
        same!((follow, rig.data(3)), (follow, want));
        rig.now = 319;
        same!((rig.data(4), rig.sentry.episode(&KEY)), (Replayed, None));
    }
    Ok(())
}

/// Following the card, what it has sent before it has heard is repeated, too.
fn an_episode_that_follows_covers_what_was_sent_meanwhile(fault: Option<Fault>) -> Result<(), String> {
    let config = SentryConfig { local: 100, filter: 1000, follow: true, ..SentryConfig::default() };
    let mut rig = Rig::new(fault, config, Mode::Standard)?;
    rig.send(0..4);
    same!((rig.nack(0, 1, 1), rig.send(4..6)), (Passed, vec![Forwarded; 2]));
    same!(rig.send(0..6), vec![Filtered, Asked, Filtered, Filtered, Filtered, Filtered]);
    same!(rig.send(0..2), vec![Replayed; 2]);
    Ok(())
}

fn receiver_not_ready_and_refusal(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault, 8)?;
    rig.nack(0, 3, 1);
    same!(
        (rig.back(Packet { kind: Kind::Rnr, ..Packet::ack(REVERSE, 2, 1) }), rig.told().map(|told| told.0)),
        (Verdict::Untouched, Some(Kind::Rnr))
    );
    same!((rig.send(2..8), rig.sentry.stats.timeout_replays), (vec![Replayed; 6], 0));
    rig.back(Packet { kind: Kind::Refusal, ..Packet::ack(REVERSE, 2, 1) });
    same!((rig.data(9), rig.out.len()), (Verdict::Untouched, 1));
    Ok(())
}

fn a_read_is_never_filtered(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault, 2)?;
    let read = Packet { kind: Kind::Request, span: 4, ..Packet::data(KEY, 2, 16) };
    same!((rig.put(read), rig.sentry.registers(&KEY)), (Forwarded, Some((0, 6, 6))));
    rig.data(6);
    rig.nack(0, 1, 1);
    same!((rig.send(0..2), rig.put(read), rig.data(6)), (vec![Filtered, Asked], Replayed, Filtered));
    Ok(())
}

fn what_is_not_sound_moves_nothing(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault, 4)?;
    rig.out.clear();
    same!(rig.sentry.onward(0, Packet::data(KEY, 4, 1024), false, &mut rig.out), Verdict::Unsound);
    same!(rig.sentry.back(0, Packet::ack(REVERSE, 2, 1), false, &mut rig.out), Verdict::Unsound);
    same!((rig.out.len(), rig.sentry.registers(&KEY)), (0, Some((0, 4, 4))));
    Ok(())
}

fn registers_wrap(fault: Option<Fault>) -> Result<(), String> {
    for initial in 0xff_fff8..=0xff_ffff_u32 {
        let at = |on: u32| (initial + on) & 0xff_ffff;
        let mut sentry = Sentry::new(
            SentryParams { fault, ..SentryParams::default() },
            SentryConfig { local: 9, filter: 99, ..SentryConfig::default() },
        )?;
        sentry.open(&Entry { key: KEY, peer_qp: 9, mode: Mode::Aware, initial: Some(initial) })?;
        let mut rig = Rig { sentry, now: 0, out: Vec::new() };
        for on in 0..8 {
            same!(rig.data(at(on)), Forwarded);
        }
        let gap = Gap { start: at(2), length: 4, edge: at(8) };
        let nack = Packet { origin: Origin::Depot, gap, bytes: ACK_BYTES + LR2_BYTES, ..Packet::nak(REVERSE, at(2), 4) };
        same!(rig.back(nack), Passed);
        let verdicts: Vec<Verdict> = (2..8).map(|on| rig.data(at(on))).collect();
        same!(verdicts, vec![Asked, Asked, Asked, Asked, Filtered, Filtered]);
        rig.back(Packet::ack(REVERSE, at(7), 1));
        same!(rig.sentry.registers(&KEY), Some((at(8), at(8), at(8))));
    }
    Ok(())
}

fn a_flow_that_is_unset_has_no_timers(fault: Option<Fault>) -> Result<(), String> {
    let config = SentryConfig { probe: 10, idle: 20, ..SentryConfig::default() };
    let mut rig = Rig::new(fault, config, Mode::Standard)?;
    rig.send(0..4);
    rig.back(Packet::ack(REVERSE, 99, 1));
    for now in [10, 20, 99] {
        rig.sentry.tick(now, &mut rig.out);
    }
    same!((rig.sentry.stats.lives, rig.sentry.stats.probes, rig.sentry.stats.flushed), (1, 0, 0));
    Ok(())
}

fn a_flow_that_is_bypassed_is_not_probed(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(fault, SentryConfig { probe: 10, ..SentryConfig::default() }, Mode::Standard)?;
    rig.send(0..4);
    rig.back(Packet { kind: Kind::Refusal, ..Packet::ack(REVERSE, 2, 1) });
    rig.sentry.tick(99, &mut rig.out);
    if fault != Some(Fault::SentryRefusalIgnored) {
        same!((rig.sentry.stats.probes, rig.sentry.wake()), (0, None));
    }
    Ok(())
}

pub(super) const ALL: &[(&str, Trace)] = &[
    ("a pass is filtered", a_pass_is_filtered_and_the_next_is_not),
    ("retransmission lost", a_retransmission_lost_is_asked_for_by_the_next_nack_alone),
    ("loss before the Sentry", a_loss_before_the_sentry_is_told_at_once_and_seldom_again),
    ("NACKs before and after an answer", nacks_before_and_after_an_answer),
    ("stale gaps", gaps_that_are_past_or_half_past),
    ("an episode lapses", an_episode_lapses),
    ("an episode follows", an_episode_that_follows_covers_what_was_sent_meanwhile),
    ("RNR, refusal", receiver_not_ready_and_refusal),
    ("a READ is never filtered", a_read_is_never_filtered),
    ("unsound frames", what_is_not_sound_moves_nothing),
    ("registers wrap", registers_wrap),
    ("a bypassed flow", a_flow_that_is_bypassed_is_not_probed),
    ("an unset flow", a_flow_that_is_unset_has_no_timers),
];
