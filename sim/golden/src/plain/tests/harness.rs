//! Two ends over a network, at least one of them plain: memory byte by byte, every message once and in order at both ends.
//!
//! Everything that crosses is bytes: each packet and each answer is built, sealed, and read again.

use super::*;
use crate::wire::{Reader, parse};
use crate::wqe::tests::memory::Memory;
use crate::wqe::tests::network::{Network, Way};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Who sends to whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    PeerToOurs,
    OursToPeer,
    PeerToPeer,
}

/// What is run.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub direction: Direction,
    pub way: Way,
    /// bytes and immediates of the messages or commands
    pub messages: Vec<(u32, Option<u32>)>,
    pub segment: u32,
    pub open: Open,
    pub window: u32,
    pub ack_every: u32,
    pub depth: u32,
    /// receives that are posted ahead, of an RDMA WRITE with immediate
    pub receives: usize,
    pub seed: u64,
    pub fault: Option<Fault>,
}

/// What it cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    pub ticks: u64,
    /// packets, not answers
    pub lost: u64,
    pub counters: Counters,
    pub rnr_naks: u64,
}

/// A mixture of short and long messages.
pub fn mixture(count: usize, mtu: u32, seed: u64) -> Vec<(u32, Option<u32>)> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut message = || {
        let bytes = match random.random_range(0..10) {
            0 => 0,
            1 => mtu * random.random_range(1..4),
            2..=5 => random.random_range(1..=mtu),
            6..=8 => random.random_range(1..5 * mtu),
            _ => random.random_range(1..30 * mtu),
        };
        (bytes, random.random_bool(0.3).then(|| random.random()))
    };
    (0..count).map(|_| message()).collect()
}

impl Scenario {
    /// Messages over ways that lose `lost` of 10 000 frames and repeat 50, whose four paths are up to `skew` ticks apart.
    pub fn new(direction: Direction, messages: Vec<(u32, Option<u32>)>, lost: u32, skew: u64, seed: u64) -> Scenario {
        let open = Open { psn: psn::SPACE - 40, msn: psn::SPACE - 10, ..OPEN };
        let way = Way::new(lost, 50, skew);
        let depth = if skew == 0 { 0 } else { 16 };
        Scenario {
            direction,
            way,
            messages,
            segment: 16 * MTU,
            open,
            window: 256,
            ack_every: 16,
            depth,
            receives: usize::MAX,
            seed,
            fault: None,
        }
    }

    fn round(&self) -> u32 {
        2 * self.way.longest() as u32 + 20
    }
}

enum Asking {
    Peer(Requester),
    Ours(Sender),
}

enum Answering {
    Peer(Responder),
    Ours(Receiver),
}

/// A message of the wire, as the receiving end must complete it.
struct Expected {
    bytes: u32,
    imm: Option<u32>,
    /// of the last message of a work request or command: where that is, its name, and its bytes
    whole: Option<(u64, u64, u32)>,
}

struct Run {
    asking: Asking,
    answering: Answering,
    memory: Memory,
    onward: Network,
    back: Network,
    now: u64,
    /// of every message or command: its place
    places: Vec<u64>,
    expected: VecDeque<Expected>,
    complete: u32,
    /// messages or commands that the receiving end has, and that are done at the sending one
    told: u64,
    done: u64,
    /// of receives that the peer has: posted, and taken
    receives: (u64, u64),
}

/// Runs it to its end.
/// # Errors
/// The first thing that is wrong.
pub fn run(scenario: &Scenario) -> Result<Report, String> {
    let mut run = Run::new(scenario)?;
    let limit = 1_000_000;
    while run.done < scenario.messages.len() as u64 || !run.onward.is_empty() || !run.back.is_empty() {
        run.now += 1;
        if run.now > limit {
            return Err(format!("{} of {} are told and {} done after {limit} ticks", run.told, scenario.messages.len(), run.done));
        }
        run.step(scenario).map_err(|wrong| format!("tick {}: {wrong}", run.now))?;
    }
    if run.told != run.done || !run.expected.is_empty() {
        return Err(format!("{} are told, {} are done", run.told, run.done));
    }
    let (counters, idle) = match &run.asking {
        Asking::Peer(end) => (*end.counters(), end.is_idle()),
        Asking::Ours(end) => (*end.counters(), end.is_idle()),
    };
    let (rnr_naks, open) = match &run.answering {
        Answering::Peer(end) => (end.counters().rnr_naks, 0),
        Answering::Ours(end) => (0, end.messages_open()),
    };
    same!((idle, open, counters.bad_answer, counters.bad_syndrome), (true, 0, 0, 0));
    Ok(Report { ticks: run.now, lost: run.onward.lost, counters, rnr_naks })
}

impl Run {
    fn new(scenario: &Scenario) -> Result<Run, String> {
        let (open, round, fault) = (scenario.open, scenario.round(), scenario.fault);
        let (window, ack_every) = (scenario.window, scenario.ack_every);
        let asks = Open { peer: open.qp, qp: open.peer, ..open };
        let asking = if scenario.direction == Direction::OursToPeer {
            let config = SenderConfig {
                segment: scenario.segment,
                window,
                ack_every,
                rto: 4 * round,
                rto_cap: 8 * round,
                retry_count: 20,
                fault,
                ..SenderConfig::default()
            };
            Asking::Ours(Sender::new(config, asks)?)
        } else {
            let timeout = 4 * round;
            let config = RequesterConfig { window, ack_every, timeout, retry_count: 20, fault, ..RequesterConfig::default() };
            Asking::Peer(Requester::new(config, asks)?)
        };
        let region = Region { rkey: 9, base: 1 << 32, bytes: 1 << 40, write: true };
        let answering = if scenario.direction == Direction::PeerToOurs {
            let config = ReceiverConfig { depth: scenario.depth, wait: round, stall: round, refeedback: round + 20 };
            let mut end = Receiver::new(ReceiverParams { fault, ..ReceiverParams::default() }, config)?;
            end.open(open)?;
            end.add_region(region);
            Answering::Ours(end)
        } else {
            let mut end = Responder::new(ResponderConfig { coalesce: 2, fault, ..ResponderConfig::default() }, open)?;
            end.add_region(region);
            end.without_receives();
            Answering::Peer(end)
        };
        let mut run = Run {
            asking,
            answering,
            memory: Memory::default(),
            onward: Network::new(scenario.way, scenario.seed),
            back: Network::new(scenario.way, !scenario.seed),
            now: 0,
            places: Vec::new(),
            expected: VecDeque::new(),
            complete: 0,
            told: 0,
            done: 0,
            receives: (0, 0),
        };
        scenario.messages.iter().try_for_each(|&(bytes, imm)| run.post(scenario, bytes, imm))?;
        Ok(run)
    }

    fn post(&mut self, scenario: &Scenario, bytes: u32, imm: Option<u32>) -> Result<(), String> {
        let (id, address, rkey) = (self.places.len() as u64, self.memory.allocate(bytes), 9);
        self.places.push(address);
        let posted = match &mut self.asking {
            Asking::Peer(end) => {
                self.expected.push_back(Expected { bytes, imm, whole: Some((address, id, bytes)) });
                end.post(Work { id, message: Message { kind: Kind::Write { address, rkey }, bytes, imm } })
            }
            Asking::Ours(end) => {
                let mut left = bytes;
                while left > scenario.segment {
                    self.expected.push_back(Expected { bytes: scenario.segment, imm: None, whole: None });
                    left -= scenario.segment;
                }
                self.expected.push_back(Expected { bytes: left, imm, whole: Some((address, id, bytes)) });
                end.post(Command { id, address, rkey, bytes: bytes.into(), imm })
            }
        };
        posted.map_err(|refusal| refusal.to_string())
    }

    fn step(&mut self, scenario: &Scenario) -> Result<(), String> {
        let handed = match &mut self.asking {
            Asking::Peer(end) => {
                end.tick(self.now);
                end.take()
            }
            Asking::Ours(end) => {
                end.tick(self.now);
                end.take()
            }
        };
        if let Some(handed) = handed {
            self.onward.send(self.now, whole(handed).to_bytes());
        }
        while let Some(bytes) = self.onward.arrive(self.now) {
            let frame = parse(&bytes, false, &Reader::default()).map_err(|reason| format!("a frame is {reason}"))?;
            let verdict = match &mut self.answering {
                Answering::Peer(end) => {
                    // The host posts a receive now and then.
                    if self.receives.0 < self.receives.1.saturating_add(scenario.receives as u64) && self.now % 7 < 3 {
                        end.post_receive(Receive { id: self.receives.0, address: 0, bytes: 0 });
                        self.receives.0 += 1;
                    }
                    end.arrive(&frame)
                }
                Answering::Ours(end) => end.arrive(&frame),
            };
            if let Verdict::Placed { address } = verdict
                && !frame.payload.is_empty()
            {
                self.memory.write(address, &frame.payload)?;
            }
            self.completions(scenario)?;
        }
        self.answers()?;
        self.finish()
    }

    /// What the receiving end tells its host is what comes next.
    fn completions(&mut self, scenario: &Scenario) -> Result<(), String> {
        loop {
            let (told, receive) = match &mut self.answering {
                Answering::Peer(end) => match end.completion() {
                    Some(done) => ((done.msn, done.bytes, done.imm), done.receive),
                    None => return Ok(()),
                },
                Answering::Ours(end) => match end.written() {
                    Some(done) => ((done.msn, done.bytes, done.imm), None),
                    None => return Ok(()),
                },
            };
            let Some(expected) = self.expected.pop_front() else { return Err(format!("{told:x?} after the last message")) };
            self.complete += 1;
            same!(told, (psn::add(scenario.open.msn, self.complete), expected.bytes, expected.imm));
            if let Answering::Peer(_) = self.answering {
                same!(receive, expected.imm.map(|_| self.receives.1));
                self.receives.1 += u64::from(expected.imm.is_some());
            }
            if let Some((address, id, bytes)) = expected.whole {
                self.memory.complete(address, id, bytes)?;
                self.told += 1;
            }
        }
    }

    /// Answers go out, and those that have come are heard.
    fn answers(&mut self) -> Result<(), String> {
        loop {
            let answer = match &mut self.answering {
                Answering::Peer(end) => end.reply(),
                Answering::Ours(end) => {
                    end.tick(self.now);
                    end.reply()
                }
            };
            let Some(frame) = answer else { break };
            same!((frame.bth.reserved6, frame.bth.reserved7, frame.bth.destination_qp), (0, 0, OPEN.peer));
            self.back.send(self.now, frame.to_bytes());
        }
        while let Some(bytes) = self.back.arrive(self.now) {
            let frame = parse(&bytes, false, &Reader::default()).map_err(|reason| format!("an answer is {reason}"))?;
            match &mut self.asking {
                Asking::Peer(end) => end.receive(&frame),
                Asking::Ours(end) => end.receive(&frame),
            }
        }
        Ok(())
    }

    /// What is done at the sending end is done in order, with success, and not before the receiving end has it.
    fn finish(&mut self) -> Result<(), String> {
        loop {
            let done = match &mut self.asking {
                Asking::Peer(end) => end.done(),
                Asking::Ours(end) => end.done(),
            };
            let Some(done) = done else { return Ok(()) };
            same!(done, Done { id: self.done, outcome: Outcome::Success });
            self.done += 1;
            if self.done > self.told {
                return Err(format!("{done:?} before the receiving end has it"));
            }
        }
    }
}
