//! A capture through `ReceiveBitmap`, beside the golden receiver.

use super::follow::{Counts, Follow, Told};
use super::registers::Registers;
use super::requests::{Connection, Offer, Request, Requests, What};
use super::{Command, Header};
use crate::receive_registry::When;
use rdma_rtl_golden::bitmap::{Params, Statistics, Verdict, psn};
use rdma_rtl_golden::decision::{Decision, Line};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// What became of a queue pair.
#[derive(Clone, Copy, Debug)]
pub struct QueuePair {
    pub connection: Connection,
    pub initial: u32,
    /// first packet that is missing, and the highest that came
    pub base: u32,
    pub max: u32,
    pub statistics: Statistics,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct Replayed {
    pub clocks: u64,
    pub verdicts: [u64; 4],
    pub counts: Counts,
    pub queue_pairs: Vec<QueuePair>,
    /// decisions of the hardware, if they were wanted
    pub lines: Vec<Line>,
}

/// Hardware and golden model differ.
#[derive(Clone, Debug)]
pub struct Stopped {
    /// where, with the frame that was offered last
    pub text: String,
    /// decisions up to it, if they were wanted
    pub lines: Vec<Line>,
}

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// Runs what a capture holds: each queue pair is opened when its first request comes. Of 100 clocks, outputs are not ready in `stall`.
/// # Errors
/// The first difference between hardware and golden model.
pub fn replay(
    model: &mut dyn Model,
    params: Params,
    registers: &Registers,
    requests: &Requests,
    stall: u8,
    log: bool,
) -> Result<Replayed, Stopped> {
    let follow = Follow::new(model, params, registers.config, registers.prescale.into());
    let mut follow = follow.map_err(|text| Stopped { text, lines: Vec::new() })?;
    follow.wire = 100 - u32::from(stall.min(99));
    follow.log = log.then(Vec::new);
    let mut run = Run { follow, lines: Vec::new(), frames: VecDeque::new(), open: vec![false; requests.connections.len()] };
    let offer = |offer: &Offer| {
        let offered = run.offer(requests, offer.frame, offer.when, &offer.what);
        offered.map_err(|e| format!("{e}; frame {} was offered last", offer.frame))
    };
    let offered = requests.offers.iter().try_for_each(offer);
    let ended = offered.and_then(|()| run.follow.settle(registers.prescale.into()).map_err(|e| format!("{e}; after the last frame")));
    let done = run.end(requests);
    match ended {
        Ok(()) => Ok(done),
        Err(text) => Err(Stopped { text, lines: done.lines }),
    }
}

struct Run<'a> {
    follow: Follow<'a>,
    /// in the places of frames that are not offered
    lines: Vec<Line>,
    /// frames of the headers, in order
    frames: VecDeque<u64>,
    open: Vec<bool>,
}

impl Run<'_> {
    fn offer(&mut self, requests: &Requests, frame: u64, when: When, what: &What) -> Result<(), String> {
        let until = match when {
            When::At(clock) => clock,
            When::After(clocks) => self.follow.bench.clocks() + clocks,
        };
        while self.follow.bench.clocks() < until {
            self.follow.step(None, None)?;
        }
        let Request { index, psn, count, path, retransmission } = match what {
            What::Request(request) => *request,
            What::Line(decision) => {
                if self.follow.log.is_some() {
                    self.lines.push(Line::new(Some(self.follow.bench.clocks()), decision.clone()));
                }
                return Ok(());
            }
        };
        let qp = index as u32;
        if !std::mem::replace(&mut self.open[index], true) {
            self.follow.run(Command::Open { qp, psn: requests.connections[index].initial })?;
        }
        for at in 0..count {
            if self.follow.log.is_some() {
                self.frames.push_back(frame);
            }
            self.follow.step(Some(Header { qp, psn: psn::add(psn, at), path, retransmission }), None)?;
        }
        Ok(())
    }

    fn end(mut self, requests: &Requests) -> Replayed {
        let golden = &self.follow.bench.golden;
        let queue_pair = |(qp, opened): (u32, &super::requests::Opened)| {
            let (window, statistics) = (golden.window(qp)?, *golden.statistics(qp)?);
            let (base, max) = (window.base(), window.max());
            Some(QueuePair { connection: opened.connection, initial: opened.initial, base, max, statistics })
        };
        let queue_pairs = (0..).zip(&requests.connections).filter_map(queue_pair).collect();
        let mut lines = self.lines;
        for (clock, told) in self.follow.log.take().unwrap_or_default() {
            lines.extend(decision(requests, &mut self.frames, told).map(|decision| Line::new(Some(clock), decision)));
        }
        lines.sort_by_key(|line| line.cycle);
        Replayed {
            clocks: self.follow.bench.clocks(),
            verdicts: self.follow.bench.verdicts,
            counts: self.follow.counts,
            queue_pairs,
            lines,
        }
    }
}

/// The line of what was told; ranges have none.
fn decision(requests: &Requests, frames: &mut VecDeque<u64>, told: Told) -> Option<Decision> {
    let named = |qp: u32| {
        let connection = requests.connections[qp as usize].connection;
        (connection.host.to_string(), connection.qp)
    };
    Some(match told {
        Told::Range(_) => return None,
        Told::Verdict(Header { qp, psn, path, .. }, verdict) => {
            let (host, qp) = named(qp);
            let verdict = match verdict {
                Verdict::New => "new",
                Verdict::Duplicate => "duplicate",
                Verdict::OutOfWindow => "out_of_window",
                Verdict::UnknownQp => "unknown_qp",
            };
            Decision::BitmapPacket { block: "bitmap", frame: frames.pop_front().unwrap_or_default(), host, qp, psn, path, verdict }
        }
        Told::Ack(qp, base) => {
            let (host, qp) = named(qp);
            Decision::Ack { host, qp, base }
        }
        Told::Gap(qp, start, end) => {
            let (host, qp) = named(qp);
            Decision::Gap { host, qp, start, length: psn::ahead(start, end) + 1, state: "reported" }
        }
        Told::Message(message) => {
            let (host, qp) = named(message.qp);
            let super::follow::Message { start, length, edge, base, depth, status, repeat, .. } = message;
            Decision::Ffm { host, qp, start, length, edge, base, path: None, depth, status, repeat }
        }
    })
}
