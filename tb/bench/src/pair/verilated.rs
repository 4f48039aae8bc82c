//! The hardware of the bitmaps as ends, each beside its golden model: every decision is held against it, as in the bench of the block.

use super::ends::{AGAIN, Decision, NEW, Receiver, Sender, Told, Verdict};
use super::golden::{counters, statistics};
use super::{Note, Packet};
use crate::bitmap::follow::{self, Follow};
use crate::bitmap::{Command, Header};
use crate::send_bitmap::{Ask, Bench, Feedback, Inputs, Registers, Shape};
use rdma_rtl_golden::bitmap::{self, Config, Params, psn};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, VecDeque};

/// Clocks after which a queue pair that got no number asks again.
const ASK_AGAIN: u64 = 48;

/// `SendBitmap`.
pub struct VerilatedSender<'a> {
    bench: Bench<'a>,
    begin: u64,
    left: Vec<u64>,
    /// queue pairs that have packets to send, and from which clock on they ask
    asking: VecDeque<(u64, u32)>,
    /// requests without an answer yet
    asked: u64,
    waiting: VecDeque<Note>,
    under_way: VecDeque<Note>,
    timed_out: u32,
}

impl<'a> VerilatedSender<'a> {
    /// Around a model: reset, its queue pairs from 0 on opened at `first`.
    /// # Errors
    /// It does not get ready, or the model differs.
    pub fn new(
        model: &'a mut dyn Model,
        shape: Shape,
        registers: Registers,
        queue_pairs: u32,
        first: u32,
    ) -> Result<VerilatedSender<'a>, String> {
        let mut bench = Bench::new(model, shape, registers)?;
        for qp in 0..queue_pairs {
            bench.run(Ask::Open { qp, psn: first })?;
        }
        let (begin, left) = (bench.clocks(), vec![0; queue_pairs as usize]);
        let (waiting, under_way) = (VecDeque::new(), VecDeque::new());
        Ok(VerilatedSender { bench, begin, left, asking: VecDeque::new(), asked: 0, waiting, under_way, timed_out: 0 })
    }

    fn now(&self) -> u64 {
        self.bench.clocks() - self.begin
    }

    /// The queue pair whose turn it is to ask for a number.
    fn ask(&mut self) -> Option<u32> {
        let now = self.now();
        let at = self.asking.iter().position(|&(from, _)| from <= now)?;
        self.asking.remove(at).map(|(_, qp)| qp)
    }

    fn clock(&mut self, queued: u64, decisions: &mut Vec<Decision>) -> Result<(), String> {
        let send = if queued + self.asked < NEW { self.ask() } else { None };
        let feedback = match self.waiting.front() {
            None => None,
            Some(&note) => Some((
                note.qp(),
                match note {
                    Note::Ack { psn, credits, .. } => Feedback::Ack { psn, credits },
                    Note::Range { base, start, length, .. } => Feedback::Range { base, start, length },
                    Note::Feedback { base, start, length, .. } => Feedback::Message { base, start, length },
                    Note::Single { .. } | Note::Nak { .. } => return Err(format!("{note:?} is nothing that a receive bitmap says")),
                },
            )),
        };
        let errors = self.bench.counts.errors;
        // a request that is refused is asked anew, and one that is offered is always taken
        let seen = self.bench.step(Inputs { send, feedback, command: None, stall: queued >= AGAIN })?;
        self.asked += u64::from(send.is_some());
        if seen.feedback_taken {
            self.under_way.extend(self.waiting.pop_front());
        }
        if let Some(answer) = seen.answer {
            self.asked -= 1;
            let (qp, now) = (answer.qp, self.now());
            if answer.reason == 0 {
                self.left[qp as usize] -= 1;
                decisions.push(Decision::Send { qp, psn: answer.psn });
                if self.left[qp as usize] > 0 {
                    self.asking.push_back((now, qp));
                }
            } else {
                self.asking.push_back((now + ASK_AGAIN, qp));
            }
        }
        if let Some(done) = seen.done {
            match done.kind {
                0..=4 => {
                    let note = self.under_way.pop_front().ok_or("feedback is done that was not taken")?;
                    decisions.push(Decision::Applied { note, pending: done.count });
                }
                7 if done.accepted => {
                    self.timed_out = done.qp;
                    decisions.push(Decision::Timeout { qp: done.qp });
                }
                8 => decisions.push(Decision::Again { qp: done.qp, start: done.start, length: done.count }),
                _ => {}
            }
        }
        if self.bench.counts.errors > errors {
            decisions.push(Decision::Error { qp: self.timed_out });
        }
        self.bench.sent_again.clear();
        Ok(())
    }
}

impl Sender for VerilatedSender<'_> {
    fn offer(&mut self, qp: u32, packets: u64) {
        let left = &mut self.left[qp as usize];
        let idle = std::mem::replace(left, *left + packets) == 0;
        if idle && packets > 0 {
            self.asking.push_back((0, qp));
        }
    }

    fn receive(&mut self, note: Note) {
        self.waiting.push_back(note);
    }

    fn step(&mut self, clock: u64, queued: u64) -> Result<Vec<Decision>, String> {
        let mut decisions = Vec::new();
        while self.now() <= clock {
            self.clock(queued + decisions.len() as u64, &mut decisions).map_err(|e| format!("sender: {e}"))?;
        }
        Ok(decisions)
    }

    fn next(&self) -> Option<u64> {
        Some(self.now())
    }

    fn window(&self, qp: u32) -> Option<(u32, u32)> {
        self.bench.golden.base(qp).zip(self.bench.golden.next(qp))
    }

    fn finish(&mut self) -> Result<(), String> {
        if let Some(note) = self.waiting.front().or(self.under_way.front()) {
            return Err(format!("sender: {note:?} has not taken effect"));
        }
        self.bench.finish().map_err(|e| format!("sender: {e}"))
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        counters(self.bench.golden.counters())
    }
}

/// `ReceiveBitmap`.
pub struct VerilatedReceiver<'a> {
    follow: Follow<'a>,
    begin: u64,
    queue_pairs: u32,
    prescale: u64,
    waiting: VecDeque<Packet>,
    under_way: VecDeque<Packet>,
}

impl<'a> VerilatedReceiver<'a> {
    /// Around a model: reset, its queue pairs from 0 on opened at `first`.
    /// # Errors
    /// It does not get ready, or the model differs.
    pub fn new(
        model: &'a mut dyn Model,
        params: Params,
        config: Config,
        prescale: u64,
        queue_pairs: u32,
        first: u32,
    ) -> Result<VerilatedReceiver<'a>, String> {
        let mut follow = Follow::new(model, params, config, prescale)?;
        for qp in 0..queue_pairs {
            follow.run(Command::Open { qp, psn: first })?;
        }
        follow.log = Some(Vec::new());
        let (waiting, under_way, begin) = (VecDeque::new(), VecDeque::new(), follow.bench.clocks());
        Ok(VerilatedReceiver { follow, begin, queue_pairs, prescale, waiting, under_way })
    }

    fn now(&self) -> u64 {
        self.follow.bench.clocks() - self.begin
    }

    fn clock(&mut self, told: &mut Vec<Told>) -> Result<(), String> {
        let packet = self.waiting.pop_front();
        self.under_way.extend(packet);
        let header = packet.map(|packet| Header { qp: packet.qp, psn: packet.psn, path: 0, retransmission: packet.again });
        self.follow.step(header, None)?;
        for (_, said) in self.follow.log.replace(Vec::new()).unwrap_or_default() {
            match said {
                follow::Told::Verdict(_, verdict) => {
                    let packet = self.under_way.pop_front().ok_or("a verdict on nothing")?;
                    let verdict = match verdict {
                        bitmap::Verdict::New => Verdict::New,
                        bitmap::Verdict::Duplicate => Verdict::Duplicate,
                        bitmap::Verdict::OutOfWindow => Verdict::Dropped,
                        bitmap::Verdict::UnknownQp => return Err(format!("{packet:?} is of no queue pair")),
                    };
                    told.push(Told::Verdict(packet, verdict));
                }
                follow::Told::Ack(qp, base) => told.push(Told::Note(Note::Ack { qp, psn: psn::sub(base, 1), credits: 31 })),
                follow::Told::Message(message) => {
                    let follow::Message { qp, base, start, length, edge, status, repeat, .. } = message;
                    let (status, repeat) = (status as u8, repeat as u8);
                    told.push(Told::Note(Note::Feedback { qp, base, start, length, edge, status, repeat }));
                }
                follow::Told::Range(follow::Range { qp, base, start, length }) => {
                    told.push(Told::Note(Note::Range { qp, base, start, length }))
                }
                follow::Told::Gap(..) => {}
            }
        }
        Ok(())
    }
}

impl Receiver for VerilatedReceiver<'_> {
    fn receive(&mut self, packet: Packet) {
        self.waiting.push_back(packet);
    }

    fn step(&mut self, clock: u64) -> Result<Vec<Told>, String> {
        let mut told = Vec::new();
        while self.now() <= clock {
            self.clock(&mut told).map_err(|e| format!("receiver: {e}"))?;
        }
        Ok(told)
    }

    fn next(&self) -> Option<u64> {
        Some(self.now())
    }

    fn base(&self, qp: u32) -> Option<u32> {
        self.follow.bench.golden.window(qp).map(|window| window.base())
    }

    fn finish(&mut self) -> Result<(), String> {
        self.follow.settle(self.prescale).map_err(|e| format!("receiver: {e}"))
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        statistics(&self.follow.bench.golden, self.queue_pairs)
    }
}
