//! The golden models of the bitmaps as ends: everything at its earliest moment.

use super::ends::{AGAIN, Decision, NEW, Receiver, Sender, Told, Verdict};
use super::{Note, Packet};
use rdma_rtl_golden::bitmap::{self, Ack, Cause, Ffm, Message, RangeAck, psn, sender};
use std::collections::BTreeMap;

/// Packets that queue pairs have to send, each with its turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns {
    left: Vec<u64>,
    turn: usize,
}

impl Turns {
    pub(super) fn of(queue_pairs: u32) -> Turns {
        Turns { left: vec![0; queue_pairs as usize], turn: 0 }
    }

    pub(super) fn offer(&mut self, qp: u32, packets: u64) {
        self.left[qp as usize] += packets;
    }

    pub(super) fn any(&self) -> bool {
        self.left.iter().any(|&left| left > 0)
    }

    /// A packet of the first queue pair after the last one that has some and that `send` gives a number.
    pub(super) fn next(&mut self, mut send: impl FnMut(u32) -> Option<u32>) -> Option<Decision> {
        let count = self.left.len();
        for qp in (0..count).map(|at| (self.turn + at) % count) {
            if self.left[qp] > 0
                && let Some(psn) = send(qp as u32)
            {
                self.left[qp] -= 1;
                self.turn = qp + 1;
                return Some(Decision::Send { qp: qp as u32, psn });
            }
        }
        None
    }
}

/// The sender.
pub struct GoldenSender {
    golden: bitmap::Sender,
    queue_pairs: u32,
    prescale: u64,
    clock: u64,
    tick: u64,
    waiting: Vec<Note>,
    turns: Turns,
    live: bool,
}

impl GoldenSender {
    /// Around a model, whose queue pairs from 0 on begin at `first`.
    pub fn new(mut golden: bitmap::Sender, queue_pairs: u32, prescale: u64, first: u32) -> GoldenSender {
        (0..queue_pairs).for_each(|qp| golden.open(qp, first));
        let turns = Turns::of(queue_pairs);
        GoldenSender { golden, queue_pairs, prescale, clock: 0, tick: 0, waiting: Vec::new(), turns, live: false }
    }
}

/// A feedback message as the model of the sender takes it.
pub(super) fn message(qp: u32, base: u32, start: u32, length: u32) -> Ffm {
    Ffm { qp, start, length, base, edge: 0, timestamp: 0, path: 0, status: Cause::Depth, depth: 0, repeat: 0, misjudged: 0 }
}

impl Sender for GoldenSender {
    fn offer(&mut self, qp: u32, packets: u64) {
        self.turns.offer(qp, packets);
    }

    fn receive(&mut self, note: Note) {
        self.waiting.push(note);
    }

    fn step(&mut self, clock: u64, queued: u64) -> Result<Vec<Decision>, String> {
        let mut decisions = Vec::new();
        self.clock = clock;
        let tick = clock / self.prescale;
        if tick > self.tick {
            self.golden.fill(tick - self.tick);
            self.golden.pass(tick);
            self.tick = tick;
            for qp in 0..self.queue_pairs {
                match self.golden.run_out(qp) {
                    Some(true) => decisions.push(Decision::Error { qp }),
                    Some(false) => decisions.push(Decision::Timeout { qp }),
                    None => {}
                }
            }
        }
        for note in self.waiting.drain(..) {
            let mut pending = 0;
            match note {
                // what comes late is counted as bad, and changes nothing
                Note::Ack { qp, psn, credits } => drop(self.golden.ack(Ack { qp, psn, credits })),
                Note::Range { qp, base, start, length } => drop(self.golden.range_ack(RangeAck { qp, base, start, length })),
                Note::Feedback { qp, base, start, length, .. } => pending = self.golden.feedback(&message(qp, base, start, length)),
                Note::Single { .. } | Note::Nak { .. } => return Err(format!("{note:?} is nothing that a receive bitmap says")),
            }
            decisions.push(Decision::Applied { note, pending });
        }
        let mut queued = queued;
        while queued < AGAIN {
            if let Some(again) = self.golden.retransmit() {
                decisions.push(Decision::Again { qp: again.qp, start: again.start, length: again.length });
                queued += u64::from(again.length);
            } else if queued < NEW
                && let Some(sent) = self.turns.next(|qp| self.golden.send(qp))
            {
                decisions.push(sent);
                queued += 1;
            } else {
                break;
            }
        }
        self.live = self.turns.any() || (0..self.queue_pairs).any(|qp| self.golden.base(qp) != self.golden.next(qp));
        Ok(decisions)
    }

    fn next(&self) -> Option<u64> {
        self.live.then(|| (self.clock / self.prescale + 1) * self.prescale)
    }

    fn window(&self, qp: u32) -> Option<(u32, u32)> {
        self.golden.base(qp).zip(self.golden.next(qp))
    }

    fn finish(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        counters(self.golden.counters())
    }
}

pub(super) fn counters(counters: &sender::Counters) -> BTreeMap<String, u64> {
    let &sender::Counters { sent, retransmitted, operations, feedback, suppressed, bad_ack, timeouts, errors } = counters;
    let named = [
        ("sent", sent),
        ("retransmitted", retransmitted),
        ("operations", operations),
        ("feedback", feedback),
        ("suppressed", suppressed),
        ("bad_ack", bad_ack),
        ("timeouts", timeouts),
        ("errors", errors),
    ];
    named.into_iter().map(|(name, count)| (name.to_string(), count)).collect()
}

/// The receiver.
pub struct GoldenReceiver {
    golden: bitmap::Receiver,
    queue_pairs: u32,
    prescale: u64,
    clock: u64,
    waiting: Vec<Packet>,
    open: bool,
}

impl GoldenReceiver {
    /// Around a model, whose queue pairs from 0 on begin at `first`.
    /// # Errors
    /// It has fewer.
    pub fn new(mut golden: bitmap::Receiver, queue_pairs: u32, prescale: u64, first: u32) -> Result<GoldenReceiver, String> {
        for qp in 0..queue_pairs {
            if !golden.open(qp, first, bitmap::PathMode::Off) {
                return Err(format!("there is no place for queue pair {qp}"));
            }
        }
        Ok(GoldenReceiver { golden, queue_pairs, prescale, clock: 0, waiting: Vec::new(), open: false })
    }

    /// Everything that is to be said of a queue pair now.
    fn say(&mut self, qp: u32, told: &mut Vec<Told>) {
        while let Some(message) = self.golden.message_of(qp) {
            told.push(Told::Note(match message {
                Message::Ack(Ack { qp, psn, credits }) => Note::Ack { qp, psn, credits },
                Message::Range(RangeAck { qp, base, start, length }) => Note::Range { qp, base, start, length },
                Message::Ffm(Ffm { qp, base, start, length, edge, status, repeat, .. }) => {
                    Note::Feedback { qp, base, start, length, edge, status: status as u8, repeat }
                }
            }));
        }
    }
}

impl Receiver for GoldenReceiver {
    fn receive(&mut self, packet: Packet) {
        self.waiting.push(packet);
    }

    fn step(&mut self, clock: u64) -> Result<Vec<Told>, String> {
        self.clock = clock;
        let mut told = Vec::new();
        let tick = clock / self.prescale;
        if tick > self.golden.now() && (self.open || !self.waiting.is_empty()) {
            self.golden.tick(tick);
            for qp in 0..self.queue_pairs {
                self.say(qp, &mut told);
            }
        }
        for packet in std::mem::take(&mut self.waiting) {
            let verdict = match self.golden.arrive(packet.qp, packet.psn, 0, packet.again).verdict {
                bitmap::Verdict::New => Verdict::New,
                bitmap::Verdict::Duplicate => Verdict::Duplicate,
                bitmap::Verdict::OutOfWindow => Verdict::Dropped,
                bitmap::Verdict::UnknownQp => return Err(format!("{packet:?} is of no queue pair")),
            };
            told.push(Told::Verdict(packet, verdict));
            self.say(packet.qp, &mut told);
        }
        self.golden.take_events();
        self.open = (0..self.queue_pairs).any(|qp| !self.golden.gaps(qp).is_empty());
        Ok(told)
    }

    fn next(&self) -> Option<u64> {
        self.open.then(|| (self.clock / self.prescale + 1) * self.prescale)
    }

    fn base(&self, qp: u32) -> Option<u32> {
        self.golden.window(qp).map(|window| window.base())
    }

    fn finish(&mut self) -> Result<(), String> {
        match (0..self.queue_pairs).find(|&qp| self.golden.window(qp).is_some_and(|at| psn::before(at.base(), at.max()))) {
            Some(qp) => Err(format!("receiver: queue pair {qp} has gaps: {:?}", self.golden.gaps(qp))),
            None => Ok(()),
        }
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        statistics(&self.golden, self.queue_pairs)
    }
}

/// Of all queue pairs together.
pub(super) fn statistics(golden: &bitmap::Receiver, queue_pairs: u32) -> BTreeMap<String, u64> {
    let mut sums = BTreeMap::new();
    for at in (0..queue_pairs).filter_map(|qp| golden.statistics(qp)) {
        let named = [
            ("arrivals", at.arrivals),
            ("accepted", at.accepted),
            ("duplicates", at.duplicates),
            ("out_of_window", at.out_of_window),
            ("gaps", at.gaps),
            ("losses", at.losses),
            ("reports", at.reports),
            ("repeats", at.repeats),
            ("misjudged", at.misjudged),
            ("folded", at.folded),
        ];
        for (name, count) in named {
            *sums.entry(name.to_string()).or_default() += count;
        }
    }
    sums
}
