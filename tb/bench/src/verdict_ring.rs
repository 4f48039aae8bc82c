//! `VerdictRing` between a registry that is played and the golden model's order of reports.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::registry::{Drop, Report, Reports, Status, Verdict};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// Clocks from a verdict to its report, and from the answer of its write.
pub const LATENCY: [u64; 2] = [5, 3];

/// How a run goes: percent of the clocks.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a packet is given, while there is room
    pub offer: u32,
    /// one of the packets without verdict gets it
    pub judge: u32,
    /// a write is taken
    pub write: u32,
    /// a write is answered
    pub answer: u32,
    /// packets that are written, of those that have a verdict
    pub written: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub reports: u64,
    /// packets that stay missing
    pub dropped: u64,
    /// packets without a sequence number
    pub foreign: u64,
    /// clocks without room
    pub stalled: u64,
    /// most under way
    pub held: u64,
    pub clocks: u64,
}

/// A write: its slot, tag, and the clock from which it may be taken, or was.
type Write = (u32, u32, u64);

/// A verdict that is to be reported.
struct Judged {
    clock: u64,
    slot: u32,
    /// the clock in which its write was answered, if it has one
    answered: Option<u64>,
}

/// `count` packets. Every report is the one whose turn it is by the golden model, in the very clock that `LATENCY` and one report per clock
/// make the earliest. What is dropped is told a clock after its verdict.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let (slots, tags) = (1u32 << pins.width("packet_slot"), 1u32 << pins.width("write_tag"));
    let (queue_pairs, words) = (1u32 << pins.width("packet_qp"), 1u64 << (pins.width("held") - 1));
    pins.reset(2);
    pins.until_ready(words + 2)?;
    let mut golden = Reports::default();
    let mut free: Vec<u32> = (0..slots).collect();
    let mut free_tags: Vec<u32> = (0..tags).collect();
    // Slots whose packet has no verdict; with a bit: it has a sequence number.
    let mut unjudged: Vec<(u32, bool)> = Vec::new();
    let (mut writes, mut taken): (VecDeque<Write>, Vec<Write>) = (VecDeque::new(), Vec::new());
    let mut freed: Vec<(u64, u32)> = Vec::new();
    let mut judged: VecDeque<Judged> = VecDeque::new();
    let mut reported = 0;
    let mut answers: Vec<(u32, u32)> = Vec::new();
    let mut seen = Seen::default();
    // What was dropped in the clock before.
    let mut lost: Option<Report> = None;
    let (mut given, mut quiet) = (0, 0);
    // Packets go where they went before: a duplicate has the number of its original.
    let mut recent: Vec<Report> = Vec::new();
    let start = pins.cycle();
    while quiet < 20 {
        let now = pins.cycle();
        freed.retain(|&(from, slot)| {
            if from <= now {
                free.push(slot);
            }
            from > now
        });
        pins.set("packet_valid", 0);
        pins.set("verdict_valid", 0);
        pins.set("write_valid", 0);
        pins.set("write_done_valid", 0);
        pins.eval();

        pins.check("dropped_valid", lost.is_some().into())?;
        if let Some(report) = lost.take() {
            pins.check("dropped_qp", report.qp.into())?;
            pins.check("dropped_psn", report.psn.into())?;
        }
        let due = golden.peek().and(judged.front()).map(|front| {
            let answered = front.answered.map_or(0, |clock| clock + LATENCY[1]);
            (front.clock + LATENCY[0]).max(answered).max(reported + 1)
        });
        if (pins.get("report_valid") == 1) != (due == Some(now)) {
            return Err(format!("cycle {now}: `report_valid` is {}, {:?} is due in {due:?}", pins.get("report_valid"), golden.peek()));
        }
        if due == Some(now) {
            let report = Report {
                qp: pins.get("report_qp") as u32,
                psn: pins.get("report_psn") as u32,
                path: pins.get("report_path") as u8,
                retransmission: pins.get("report_retransmission") == 1,
            };
            let expected = golden.pop();
            if expected != Some(report) {
                return Err(format!("cycle {now}: reported {report:?}, expected {expected:?}"));
            }
            judged.pop_front();
            reported = now;
            seen.reports += 1;
            quiet = 0;
        }
        let room = pins.get("room") == 1;
        seen.stalled += u64::from(!room);
        seen.held = seen.held.max(pins.get("held"));

        // The memory answers in any order.
        let old: Vec<usize> = (0..taken.len()).filter(|&at| taken[at].2 + 2 <= now).collect();
        if !old.is_empty() && chance(&mut rng, pace.answer) {
            let (slot, tag, _) = taken.swap_remove(old[rng.random_range(0..old.len())]);
            pins.set("write_done_valid", 1);
            pins.set("write_done_tag", tag.into());
            answers.push((slot, tag));
            free_tags.push(tag);
            freed.push((now + 1, slot));
        }
        // Writes are taken in the order of their verdicts.
        if let Some(&(slot, tag, _)) = writes.front().filter(|write| write.2 < now)
            && chance(&mut rng, pace.write)
        {
            writes.pop_front();
            pins.set("write_valid", 1);
            pins.set("write_slot", slot.into());
            pins.set("write_tag", tag.into());
            golden.write(slot, tag);
            taken.push((slot, tag, now));
        }
        // A packet gets its verdict, in any order.
        if !unjudged.is_empty() && chance(&mut rng, pace.judge) {
            let at = rng.random_range(0..unjudged.len());
            let wants_write = chance(&mut rng, pace.written);
            let verdict = match rng.random_range(0..8) {
                _ if wants_write && !free_tags.is_empty() => Verdict::Written,
                0..3 => Verdict::Duplicate,
                3..5 => Verdict::Stale,
                5 => Verdict::Rejected(Status::Overlap),
                6 => Verdict::Rejected(Status::WrongLength),
                _ => Verdict::Dropped(Drop::EscapeTimeout),
            };
            let (slot, counts) = unjudged.swap_remove(at);
            let verdict = if counts || verdict != Verdict::Written { verdict } else { Verdict::Stale };
            pins.set("verdict_valid", 1);
            // Bits that no slot has may be anything, but for the one that says that it counts.
            pins.set("verdict_tag", u64::from(slot) | u64::from(counts) << 15);
            pins.set("verdict_code", verdict.code().into());
            let reason = match verdict {
                Verdict::Rejected(status) => status as u64,
                Verdict::Dropped(why) => why as u64,
                // It says nothing of the others.
                _ => rng.random_range(0..16),
            };
            pins.set("verdict_reason", reason);
            if verdict == Verdict::Written {
                let tag = free_tags.swap_remove(rng.random_range(0..free_tags.len()));
                writes.push_back((slot, tag, now));
            } else {
                freed.push((now + 1, slot));
            }
            if counts {
                lost = golden.verdict(slot, verdict);
                if matches!(verdict, Verdict::Dropped(_) | Verdict::Rejected(Status::Overlap)) {
                    seen.dropped += 1;
                } else {
                    judged.push_back(Judged { clock: now, slot, answered: None });
                }
            }
            quiet = 0;
        }
        // The registry takes a packet.
        if given < count && room && !free.is_empty() && chance(&mut rng, pace.offer) {
            given += 1;
            let slot = free.swap_remove(rng.random_range(0..free.len()));
            let counts = rng.random_bool(0.9);
            let again = recent.get(rng.random_range(0..20)).copied();
            let report = again.unwrap_or_else(|| Report {
                qp: rng.random_range(0..queue_pairs),
                psn: rng.random_range(0..1 << 24),
                path: rng.random_range(0..16),
                retransmission: rng.random(),
            });
            recent.insert(0, report);
            recent.truncate(10);
            pins.set("packet_valid", 1);
            pins.set("packet_counts", counts.into());
            pins.set("packet_slot", slot.into());
            pins.set("packet_qp", report.qp.into());
            pins.set("packet_psn", report.psn.into());
            pins.set("packet_path", report.path.into());
            pins.set("packet_retransmission", report.retransmission.into());
            pins.eval();
            pins.check("packet_tag", u64::from(slot) | u64::from(counts) << 15)?;
            if counts {
                golden.packet(slot, report);
            } else {
                seen.foreign += 1;
            }
            unjudged.push((slot, counts));
            quiet = 0;
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        for (slot, tag) in answers.drain(..) {
            golden.answer(tag);
            // The newest that had the slot.
            if let Some(verdict) = judged.iter_mut().rev().find(|verdict| verdict.slot == slot) {
                verdict.answered = Some(now);
            }
        }
        if golden.held() == 0 && given == count {
            quiet += 1;
        }
        if now - start > 400 * (count + 100) {
            return Err(format!("cycle {now}: nothing moves any more"));
        }
    }
    pins.eval();
    pins.check("held", 0)?;
    pins.check("room", 1)?;
    seen.clocks = pins.cycle() - start;
    Ok(seen)
}
