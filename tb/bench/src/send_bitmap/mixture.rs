//! Peers of many kinds, a network that loses, keeps back and repeats, management, forgers, and queue pairs that come and go, from a seed.

use super::{Answer, Ask, Bench, Counts, Feedback, Inputs, Registers, Shape};
use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn;
use rdma_rtl_golden::bitmap::sender::{Config, Mode};
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// How a run goes. Rates are in percent.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    pub registers: Registers,
    pub clocks: u64,
    /// queue pairs that are used
    pub used: u32,
    /// clocks with a request
    pub rate: u32,
    /// packets that the network loses
    pub loss: u32,
    /// clocks in which feedback begins to be offered
    pub feedback: u32,
    /// acknowledgements that the network loses
    pub ack_loss: u32,
    /// feedback that comes later, or twice
    pub late: u32,
    /// feedback that nobody has sent
    pub forged: u32,
    /// of 10,000 clocks in which no command is under way, those in which one comes
    pub commands: u32,
    /// clocks in which operations are not taken
    pub stall: u32,
}

impl Mix {
    /// Some of everything, from a seed.
    pub fn random(shape: Shape, clocks: u64, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x5e4d);
        let mut pick = |from: &[u32]| from[rng.random_range(0..from.len())];
        let config = Config {
            dedup: pick(&[4, 10, 50]),
            aggregate: pick(&[0, 2, 5]),
            merge: pick(&[0, 1, 4, 20]),
            mode: [Mode::Single, Mode::Interval, Mode::Aggregated][seed as usize % 3],
            rtx_window: pick(&[1, 3, 64, 1000]),
            base_length: [0, 0, 0, 1, 30, 127, 65535][seed as usize / 3 % 7],
            rto: pick(&[20, 60, 200, 10_000]),
            rto_cap: pick(&[50, 150, 10_000]),
            retry_limit: pick(&[2, 7, 200]),
            mtu: pick(&[256, 1000, 1024]),
        };
        let rate = [None, None, Some((pick(&[300, 3000, 30_000]), pick(&[1, 5, 100]) as u16))][pick(&[0, 1, 2]) as usize];
        let used = [1, 2, 5, 16, shape.queue_pairs][seed as usize % 5].min(shape.queue_pairs);
        Self {
            registers: Registers { config, rate, prescale: pick(&[32, 40, 80]).into() },
            clocks,
            used,
            rate: pick(&[5, 50, 100]),
            loss: pick(&[0, 2, 20, 50]),
            feedback: pick(&[3, 30, 100]),
            ack_loss: pick(&[0, 20, 80]),
            late: pick(&[0, 5, 30]),
            forged: pick(&[0, 2, 20]),
            commands: pick(&[0, 5, 40]),
            stall: pick(&[0, 0, 10, 90]),
        }
    }
}

/// What a run has seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    pub clocks: u64,
    pub counts: Counts,
    pub opened: u64,
    pub closed: u64,
    /// windows that have passed the end of the numbers
    pub wraps: u64,
}

/// The other end of a queue pair: what has arrived of the packets from `base` on.
#[derive(Clone, Debug, Default)]
struct Peer {
    base: u32,
    arrived: VecDeque<bool>,
    old: VecDeque<Feedback>,
}

impl Peer {
    fn arrive(&mut self, number: u32) {
        let offset = psn::ahead(self.base, number) as usize;
        if offset < 1 << 15 {
            if self.arrived.len() <= offset {
                self.arrived.resize(offset + 1, false);
            }
            self.arrived[offset] = true;
        }
        while self.arrived.front() == Some(&true) {
            self.arrived.pop_front();
            self.base = psn::add(self.base, 1);
        }
    }

    /// A run of packets that have arrived, or not.
    fn run(&self, arrived: bool, rng: &mut ChaCha8Rng) -> Option<(u32, u32)> {
        let from = rng.random_range(0..self.arrived.len().max(1));
        let start = (from..self.arrived.len()).find(|&at| self.arrived[at] == arrived)?;
        let length = self.arrived.iter().skip(start).take_while(|&&one| one == arrived).count();
        Some((psn::add(self.base, start as u32), length as u32))
    }
}

/// Runs the block beside the model.
/// # Errors
/// The first difference.
pub fn run(model: &mut dyn Model, shape: Shape, mix: Mix, seed: u64) -> Result<Report, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bench = Bench::new(model, shape, mix.registers)?;
    let mut report = Report::default();
    let mut peers = vec![Peer::default(); mix.used as usize];
    let open = |qp: u32, rng: &mut ChaCha8Rng, peers: &mut Vec<Peer>| {
        // Most wrap soon.
        let psn = if chance(rng, 80) { psn::sub(0, rng.random_range(0..200)) } else { rng.random_range(0..psn::SPACE) };
        peers[qp as usize] = Peer { base: psn, ..Peer::default() };
        Ask::Open { qp, psn }
    };
    for qp in 0..mix.used {
        let command = open(qp, &mut rng, &mut peers);
        bench.run(command)?;
        report.opened += 1;
    }
    let mut command: Option<Ask> = None;
    let mut feedback: Option<(u32, Feedback)> = None;
    let mut turn = 0;
    // Until the operation is told, what it names of packets that are being sent meanwhile would be a matter of clocks.
    let mut held: Option<u32> = None;
    for _ in 0..mix.clocks {
        if command.is_none() && bench.is_idle() && rng.random_range(0..10_000) < mix.commands {
            let qp = rng.random_range(0..mix.used);
            if feedback.is_none_or(|(other, _)| other != qp) {
                let closes = chance(&mut rng, 15);
                command = Some(if closes { Ask::Close { qp } } else { open(qp, &mut rng, &mut peers) });
                (report.opened, report.closed) = (report.opened + u64::from(!closes), report.closed + u64::from(closes));
            }
        }
        if feedback.is_none() && chance(&mut rng, mix.feedback) {
            let qp = rng.random_range(0..mix.used);
            let is_free = !bench.busy(qp) && command.is_none_or(|command| command.qp() != qp);
            if is_free && let Some(one) = say(qp, &mix, &bench, &mut peers[qp as usize], &mut rng) {
                feedback = Some((qp, one));
                held = matches!(one, Feedback::Message { .. } | Feedback::Manage { .. }).then_some(qp).or(held);
            }
        }
        turn += 1;
        let qp = if chance(&mut rng, 50) { turn % mix.used } else { rng.random_range(0..mix.used.min(3)) };
        let send = (chance(&mut rng, mix.rate) && held != Some(qp)).then_some(qp);
        let seen = bench.step(Inputs { send, feedback, command, stall: chance(&mut rng, mix.stall) })?;
        if seen.command_taken {
            command = None;
        }
        if seen.feedback_taken {
            feedback = None;
        }
        if let Some(done) = seen.done {
            if done.kind < 5 && held == Some(done.qp) {
                held = None;
            }
            if done.kind == 8 && (done.qp as usize) < peers.len() {
                for at in 0..done.count {
                    if !chance(&mut rng, mix.loss) {
                        peers[done.qp as usize].arrive(psn::add(done.start, at));
                    }
                }
            }
        }
        if let Some(Answer { qp, psn, reason: 0 }) = seen.answer {
            report.wraps += u64::from(psn == 0);
            if !chance(&mut rng, mix.loss) {
                peers[qp as usize].arrive(psn);
            }
        }
    }
    while let Some(one) = feedback {
        if bench.step(Inputs { feedback: Some(one), ..Inputs::default() })?.feedback_taken {
            feedback = None;
        }
    }
    while let Some(one) = command {
        if bench.step(Inputs { command: Some(one), ..Inputs::default() })?.command_taken {
            command = None;
        }
    }
    settle(&mut bench, mix.used)?;
    Ok(Report { clocks: bench.clocks(), counts: bench.counts, ..report })
}

/// Everything is acknowledged, and every window is whole again.
fn settle(bench: &mut Bench, used: u32) -> Result<(), String> {
    bench.idle(40 + bench.shape.segments())?;
    for qp in 0..used {
        let (Some(base), Some(next)) = (bench.golden.base(qp), bench.golden.next(qp)) else { continue };
        if base != next {
            bench.run(Ask::Feedback(qp, Feedback::Ack { psn: psn::sub(next, 1), credits: 31 }))?;
        }
    }
    bench.finish()
}

/// What a peer, somebody else or management says about a queue pair. What a number means that is being given out in these clocks is left
/// out.
fn say(qp: u32, mix: &Mix, bench: &Bench, peer: &mut Peer, rng: &mut ChaCha8Rng) -> Option<Feedback> {
    let window = bench.shape.window;
    let base = bench.golden.base(qp).unwrap_or(peer.base);
    let next = bench.golden.next(qp).unwrap_or(base);
    let sent = psn::ahead(base, next);
    let far = |rng: &mut ChaCha8Rng| psn::add(base, rng.random_range(3 * window..psn::SPACE - 3 * window));
    let one = if chance(rng, mix.forged) {
        match rng.random_range(0..9) {
            0 => Feedback::Ack { psn: far(rng), credits: 31 },
            8 => Feedback::Unknown { kind: rng.random_range(5..8) },
            1 => Feedback::Range { base, start: far(rng), length: rng.random_range(0..5) },
            2 => Feedback::Range { base: far(rng), start: base, length: 1 },
            3 => Feedback::Single { psn: far(rng) },
            4 => {
                Feedback::Message { base: far(rng), start: psn::sub(base, rng.random_range(0..50)), length: rng.random_range(0..50 + sent) }
            }
            5 => {
                Feedback::Message { base, start: psn::add(base, rng.random_range(0..2 * window)), length: rng.random_range(0..2 * window) }
            }
            6 => Feedback::Range { base, start: base, length: [0, 1 << 23, 1 << 24, u32::MAX][rng.random_range(0..4)] },
            _ => Feedback::Message { base, start: base, length: [0, 1 << 23, u32::MAX][rng.random_range(0..3)] },
        }
    } else if chance(rng, mix.late) && !peer.old.is_empty() {
        peer.old[rng.random_range(0..peer.old.len())]
    } else {
        let one = match rng.random_range(0..10) {
            0..4 => Feedback::Ack { psn: psn::sub(peer.base, 1), credits: 31 },
            4 => Feedback::Ack { psn: psn::sub(peer.base, 1), credits: [3, 6, 22, 30][rng.random_range(0..4)] },
            5 => {
                let (start, length) = peer.run(true, rng)?;
                Feedback::Range { base: peer.base, start, length }
            }
            6 => Feedback::Single { psn: peer.run(true, rng)?.0 },
            7..9 => {
                let (start, length) = peer.run(false, rng)?;
                Feedback::Message { base: peer.base, start, length }
            }
            _ if chance(rng, 10) => {
                Feedback::Manage { start: psn::add(base, rng.random_range(0..sent + 1)), length: rng.random_range(0..20) }
            }
            _ => Feedback::Ack { psn: psn::sub(peer.base, 1), credits: 31 },
        };
        peer.old.push_back(one);
        if peer.old.len() > 8 {
            peer.old.pop_front();
        }
        if chance(rng, mix.ack_loss) {
            return None;
        }
        one
    };
    // An edge between what the model has seen sent and what may have been sent by the time it counts.
    let unclear = |edge: u32| (sent + 1..sent + 3 * window).contains(&psn::ahead(base, edge));
    let is_unclear = match one {
        Feedback::Ack { psn, .. } => unclear(psn::add(psn, 1)),
        Feedback::Range { base, start, length } => unclear(base) || (length < psn::HALF && unclear(psn::add(start, length))),
        Feedback::Single { psn } => unclear(psn::add(psn, 1)),
        Feedback::Message { base, .. } => unclear(base),
        Feedback::Manage { .. } | Feedback::Unknown { .. } => false,
    };
    (!is_unclear).then_some(one)
}
