//! What bitmaps are compared with, as ends.

use super::ends::{Decision, NEW, Receiver, Sender, Told, Verdict};
use super::golden::Turns;
use super::{Note, Packet};
use rdma_rtl_golden::baseline::{Config, go_back_n, timers};
use rdma_rtl_golden::bitmap::psn;
use std::collections::BTreeMap;

/// What all senders here have in common.
struct Side {
    queue_pairs: u32,
    prescale: u64,
    clock: u64,
    tick: u64,
    waiting: Vec<Note>,
    turns: Turns,
    /// first packet that has never been sent, of each queue pair
    next: Vec<u32>,
    live: bool,
}

impl Side {
    fn new(queue_pairs: u32, prescale: u64, first: u32) -> Side {
        let (turns, next) = (Turns::of(queue_pairs), vec![first; queue_pairs as usize]);
        Side { queue_pairs, prescale, clock: 0, tick: 0, waiting: Vec::new(), turns, next, live: false }
    }

    /// The tick, if it is a new one.
    fn time(&mut self, clock: u64) -> Option<u64> {
        self.clock = clock;
        let tick = clock / self.prescale;
        (std::mem::replace(&mut self.tick, tick) != tick).then_some(tick)
    }

    fn note(&mut self, sent: Decision) -> Decision {
        if let Decision::Send { qp, psn } = sent {
            self.next[qp as usize] = psn::add(psn, 1);
        }
        sent
    }

    fn wake(&self) -> Option<u64> {
        self.live.then(|| (self.clock / self.prescale + 1) * self.prescale)
    }
}

/// Go-Back-N.
pub struct GoBackNSender {
    golden: go_back_n::Sender,
    side: Side,
    /// whose turn it is to send again
    again: u32,
}

impl GoBackNSender {
    pub fn new(config: Config, queue_pairs: u32, prescale: u64, first: u32) -> GoBackNSender {
        let mut golden = go_back_n::Sender::new(config);
        (0..queue_pairs).for_each(|qp| golden.open(qp, first));
        GoBackNSender { golden, side: Side::new(queue_pairs, prescale, first), again: 0 }
    }
}

impl Sender for GoBackNSender {
    fn offer(&mut self, qp: u32, packets: u64) {
        self.side.turns.offer(qp, packets);
    }

    fn receive(&mut self, note: Note) {
        self.side.waiting.push(note);
    }

    fn step(&mut self, clock: u64, queued: u64) -> Result<Vec<Decision>, String> {
        let mut decisions = Vec::new();
        if let Some(tick) = self.side.time(clock) {
            self.golden.tick(tick);
        }
        for note in self.side.waiting.drain(..) {
            match note {
                Note::Ack { qp, psn, .. } => self.golden.ack(qp, psn),
                Note::Nak { qp, psn } => self.golden.nak(qp, psn),
                _ => return Err(format!("{note:?} is nothing that a Go-Back-N receiver says")),
            }
            decisions.push(Decision::Applied { note, pending: 0 });
        }
        let count = self.side.queue_pairs;
        for _ in queued..NEW {
            let found = (0..count).map(|at| (self.again + at) % count).find_map(|qp| Some((qp, self.golden.again(qp)?)));
            if let Some((qp, start)) = found {
                self.again = qp + 1;
                decisions.push(Decision::Again { qp, start, length: 1 });
            } else if let Some(sent) = self.side.turns.next(|qp| self.golden.send(qp)) {
                decisions.push(self.side.note(sent));
            } else {
                break;
            }
        }
        self.side.live = self.side.turns.any() || (0..count).any(|qp| self.golden.base(qp) != Some(self.side.next[qp as usize]));
        Ok(decisions)
    }

    fn next(&self) -> Option<u64> {
        self.side.wake()
    }

    fn window(&self, qp: u32) -> Option<(u32, u32)> {
        Some((self.golden.base(qp)?, *self.side.next.get(qp as usize)?))
    }

    fn finish(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        BTreeMap::from([("timeouts".into(), self.golden.timeouts), ("naks".into(), self.golden.naks)])
    }
}

/// Go-Back-N.
pub struct GoBackNReceiver {
    golden: go_back_n::Receiver,
    waiting: Vec<Packet>,
}

impl GoBackNReceiver {
    pub fn new(queue_pairs: u32, first: u32) -> GoBackNReceiver {
        let mut golden = go_back_n::Receiver::default();
        (0..queue_pairs).for_each(|qp| golden.open(qp, first));
        GoBackNReceiver { golden, waiting: Vec::new() }
    }
}

impl Receiver for GoBackNReceiver {
    fn receive(&mut self, packet: Packet) {
        self.waiting.push(packet);
    }

    fn step(&mut self, _: u64) -> Result<Vec<Told>, String> {
        let mut told = Vec::new();
        for packet in self.waiting.drain(..) {
            let qp = packet.qp;
            let (verdict, answer) = self.golden.arrive(qp, packet.psn).ok_or("a packet of no queue pair")?;
            let verdict = match verdict {
                go_back_n::Verdict::New => Verdict::New,
                go_back_n::Verdict::Duplicate => Verdict::Duplicate,
                go_back_n::Verdict::OutOfOrder => Verdict::Dropped,
            };
            told.push(Told::Verdict(packet, verdict));
            told.extend(answer.map(|answer| {
                Told::Note(match answer {
                    go_back_n::Answer::Ack { psn } => Note::Ack { qp, psn, credits: 31 },
                    go_back_n::Answer::Nak { psn } => Note::Nak { qp, psn },
                })
            }));
        }
        Ok(told)
    }

    fn next(&self) -> Option<u64> {
        None
    }

    fn base(&self, qp: u32) -> Option<u32> {
        self.golden.base(qp)
    }

    fn finish(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        BTreeMap::new()
    }
}

/// A timer per packet.
pub struct TimersSender {
    golden: timers::Sender,
    side: Side,
}

impl TimersSender {
    pub fn new(config: Config, queue_pairs: u32, prescale: u64, first: u32) -> TimersSender {
        let mut golden = timers::Sender::new(config);
        (0..queue_pairs).for_each(|qp| golden.open(qp, first));
        TimersSender { golden, side: Side::new(queue_pairs, prescale, first) }
    }
}

impl Sender for TimersSender {
    fn offer(&mut self, qp: u32, packets: u64) {
        self.side.turns.offer(qp, packets);
    }

    fn receive(&mut self, note: Note) {
        self.side.waiting.push(note);
    }

    fn step(&mut self, clock: u64, queued: u64) -> Result<Vec<Decision>, String> {
        let mut decisions = Vec::new();
        if let Some(tick) = self.side.time(clock) {
            self.golden.tick(tick);
        }
        for note in self.side.waiting.drain(..) {
            let Note::Single { qp, psn } = note else { return Err(format!("{note:?} does not acknowledge one packet")) };
            self.golden.ack(qp, psn);
            decisions.push(Decision::Applied { note, pending: 0 });
        }
        for _ in queued..NEW {
            if let Some((qp, start)) = self.golden.again() {
                decisions.push(Decision::Again { qp, start, length: 1 });
            } else if let Some(sent) = self.side.turns.next(|qp| self.golden.send(qp)) {
                decisions.push(self.side.note(sent));
            } else {
                break;
            }
        }
        let count = self.side.queue_pairs;
        self.side.live = self.side.turns.any() || (0..count).any(|qp| self.golden.base(qp) != Some(self.side.next[qp as usize]));
        Ok(decisions)
    }

    fn next(&self) -> Option<u64> {
        self.side.wake()
    }

    fn window(&self, qp: u32) -> Option<(u32, u32)> {
        Some((self.golden.base(qp)?, *self.side.next.get(qp as usize)?))
    }

    fn finish(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        BTreeMap::from([("timeouts".into(), self.golden.timeouts)])
    }
}

/// Acknowledges each packet by itself.
pub struct TimersReceiver {
    golden: timers::Receiver,
    waiting: Vec<Packet>,
}

impl TimersReceiver {
    pub fn new(queue_pairs: u32, first: u32) -> TimersReceiver {
        let mut golden = timers::Receiver::default();
        (0..queue_pairs).for_each(|qp| golden.open(qp, first));
        TimersReceiver { golden, waiting: Vec::new() }
    }
}

impl Receiver for TimersReceiver {
    fn receive(&mut self, packet: Packet) {
        self.waiting.push(packet);
    }

    fn step(&mut self, _: u64) -> Result<Vec<Told>, String> {
        let mut told = Vec::new();
        for packet in self.waiting.drain(..) {
            let new = self.golden.arrive(packet.qp, packet.psn).ok_or("a packet of no queue pair")?;
            told.push(Told::Verdict(packet, if new { Verdict::New } else { Verdict::Duplicate }));
            told.push(Told::Note(Note::Single { qp: packet.qp, psn: packet.psn }));
        }
        Ok(told)
    }

    fn next(&self) -> Option<u64> {
        None
    }

    fn base(&self, qp: u32) -> Option<u32> {
        self.golden.base(qp)
    }

    fn finish(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        BTreeMap::new()
    }
}
