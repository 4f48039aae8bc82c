//! A scenario of packets from its first to its last.

use super::baseline::{GoBackNReceiver, GoBackNSender, TimersReceiver, TimersSender};
use super::ends::{Receiver, Sender, Told};
use super::file::{Scenario, Scheme};
use super::golden::{GoldenReceiver, GoldenSender};
use super::report::Report;
use super::verilated::{VerilatedReceiver, VerilatedSender};
use super::watch::Watch;
use super::{Packet, Thing};
use crate::bitmap::registers::Registers as ReceiverRegisters;
use crate::catalogue::{self, Design};
use crate::scenario::Engine;
use crate::scenario::file::Error;
use crate::send_bitmap::{Registers, Shape};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::baseline;
use rdma_rtl_golden::bitmap::sender::Bucket;
use rdma_rtl_golden::bitmap::{self, Params};
use rdma_rtl_sim::Model;
use rdma_rtl_sim::network::{Carried, Network, Side};
use std::collections::VecDeque;

/// Bytes beside a frame that it occupies a wire for: preamble, check sequence, gap.
const OVERHEAD: u64 = 24;

/// Clocks for which hardware has the time to take in the last message.
const QUIET: u64 = 2000;

/// Says of everything that leaves a side, with its number from 0 on, whether it is lost besides.
pub type Drop<'a> = &'a mut dyn FnMut(Side, u64, &Thing) -> bool;

/// What the ends of a scenario are made of.
#[derive(Clone, Copy)]
pub struct Parts {
    pub sending: Design,
    pub receiving: Design,
    pub shape: Shape,
    pub params: Params,
    pub registers: ReceiverRegisters,
}

impl Parts {
    /// # Errors
    /// The profile is unknown, or a value does not go with it.
    pub fn new(scenario: &Scenario) -> Result<Parts, Error> {
        let find = |block| catalogue::find(block, &scenario.profile).map_err(|e| Error(format!("`profile`: {e}")));
        let (sending, receiving) = (find("send_bitmap")?, find("receive_bitmap")?);
        let of = |design: &Design, name| design.parameter(name).unwrap_or(0) as u32;
        let queue_pairs = of(&sending, "queue_pairs").min(of(&receiving, "queue_pairs"));
        let window = scenario.sizes.window.unwrap_or(of(&sending, "window"));
        let golden = scenario.all_golden();
        if !golden && scenario.traffic.queue_pairs > queue_pairs {
            return Err(Error(format!(
                "`traffic.queue_pairs` is {}; the profile `{}` has {queue_pairs}",
                scenario.traffic.queue_pairs, scenario.profile
            )));
        }
        let granularity = of(&receiving, "granularity").max(1);
        if !golden && of(&receiving, "window") * granularity < window {
            return Err(Error(format!("`profile`: in `{}` the sender's window is longer than the receiver's", scenario.profile)));
        }
        let queue_pairs = if golden { scenario.traffic.queue_pairs } else { of(&receiving, "queue_pairs") };
        let bits = if golden { window } else { of(&receiving, "window") };
        let segment = of(&receiving, "segment") / granularity;
        let mut params = Params { segment, granularity, ..Params::new(queue_pairs as usize, bits) };
        params.records = scenario.sizes.records.unwrap_or(of(&receiving, "records") as usize);
        params.pool = queue_pairs * params.segments();
        let mut registers = scenario.receiver_registers().map_err(Error)?;
        registers.config.slide_step = registers.config.slide_step.max(granularity);
        if !golden {
            registers.check(&params).map_err(Error)?;
        }
        let shape = Shape { queue_pairs: of(&sending, "queue_pairs"), window, segment: of(&sending, "segment") };
        Ok(Parts { sending, receiving, shape, params, registers })
    }

    /// The sender that the scenario asks for; `model` is its block, of which a golden one has no need.
    /// # Errors
    /// The hardware does not get ready, or there is none.
    pub fn sender<'a>(&self, scenario: &Scenario, model: Option<&'a mut dyn Model>) -> Result<Box<dyn Sender + 'a>, String> {
        let (count, first, prescale) = (scenario.traffic.queue_pairs, scenario.traffic.first, u64::from(scenario.sender.prescale));
        let config = scenario.sender_registers();
        let plain = baseline::Config { window: self.shape.window, rto: config.rto, rto_cap: config.rto_cap };
        Ok(match (scenario.scheme, scenario.sender.engine, model) {
            (Scheme::GoBackN, ..) => Box::new(GoBackNSender::new(plain, count, prescale, first)),
            (Scheme::Timers, ..) => Box::new(TimersSender::new(plain, count, prescale, first)),
            (Scheme::Bitmap, Engine::Golden, _) => {
                let mut golden = bitmap::Sender::new(self.shape.window, config);
                if let Some((rate, burst)) = scenario.bucket() {
                    golden.set_bucket(Bucket::new(rate.into(), u64::from(burst) * u64::from(config.mtu)));
                }
                Box::new(GoldenSender::new(golden, count, prescale, first))
            }
            (Scheme::Bitmap, Engine::Verilator, Some(model)) => {
                let registers = Registers { config, rate: scenario.bucket(), prescale };
                Box::new(VerilatedSender::new(model, self.shape, registers, count, first)?)
            }
            (Scheme::Bitmap, Engine::Verilator, None) => return Err("the verilated sender needs its model".into()),
        })
    }

    /// The receiver that the scenario asks for; `model` is its block, of which a golden one has no need.
    /// # Errors
    /// The hardware does not get ready, or there is none.
    pub fn receiver<'a>(&self, scenario: &Scenario, model: Option<&'a mut dyn Model>) -> Result<Box<dyn Receiver + 'a>, String> {
        let (count, first, prescale) = (scenario.traffic.queue_pairs, scenario.traffic.first, u64::from(scenario.sender.prescale));
        let config = self.registers.config;
        Ok(match (scenario.scheme, scenario.receiver.engine, model) {
            (Scheme::GoBackN, ..) => Box::new(GoBackNReceiver::new(count, first)),
            (Scheme::Timers, ..) => Box::new(TimersReceiver::new(count, first)),
            (Scheme::Bitmap, Engine::Golden, _) => {
                Box::new(GoldenReceiver::new(bitmap::Receiver::new(self.params, config)?, count, prescale, first)?)
            }
            (Scheme::Bitmap, Engine::Verilator, Some(model)) => {
                Box::new(VerilatedReceiver::new(model, self.params, config, prescale, count, first)?)
            }
            (Scheme::Bitmap, Engine::Verilator, None) => return Err("the verilated receiver needs its model".into()),
        })
    }
}

/// Flows that are to be posted, of each queue pair.
fn flows(scenario: &Scenario) -> Vec<VecDeque<u64>> {
    let traffic = &scenario.traffic;
    let mut rng = ChaCha8Rng::seed_from_u64(scenario.seed);
    let mut one = || {
        let powers = (traffic.most as f64 / traffic.least as f64).log2() * rng.random::<f64>();
        ((traffic.least as f64 * powers.exp2()).round() as u64).clamp(traffic.least, traffic.most)
    };
    (0..traffic.queue_pairs).map(|_| (0..traffic.flows).map(|_| one()).collect()).collect()
}

/// The sender's wire: packets one after the other.
struct Wire {
    queue: VecDeque<Packet>,
    /// picoseconds
    free: u64,
    byte: f64,
}

/// Runs every packet through both ends. `progress` is told how many have arrived of how many that were offered.
/// # Errors
/// Anything that no scenario may show, with its clock: a packet that arrives twice or never, one that is sent again though it is
/// acknowledged, a window or a rate that is not kept, hardware that differs from its model.
pub fn run(
    scenario: &Scenario,
    parts: &Parts,
    sender: &mut dyn Sender,
    receiver: &mut dyn Receiver,
    drop: Drop,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report, String> {
    let traffic = &scenario.traffic;
    let (clock, is_bitmap) = (scenario.clock(), scenario.scheme == Scheme::Bitmap);
    let limit = scenario.bucket().filter(|_| is_bitmap);
    let limit = limit.map(|(rate, burst)| (rate, burst, traffic.payload, u64::from(scenario.sender.prescale)));
    let mut watch = Watch::new(traffic.queue_pairs, traffic.first, parts.shape.window, is_bitmap, limit);
    let mut network = Network::new(&scenario.network).map_err(|e| e.to_string())?;
    let mut wire = Wire { queue: VecDeque::new(), free: 0, byte: 8000.0 / scenario.sender.rate_gbps };
    let patience = 4 * u64::from(scenario.sender.rto_cap.max(scenario.sender.rto)) * u64::from(scenario.sender.prescale) + 2_000_000;
    let mut flows = flows(scenario);
    let mut numbers = [0, 0];
    let (mut now, mut ended, mut shown) = (0, None, 0);
    loop {
        let at = |e: String| format!("clock {now}: {e}");
        for arrival in network.poll(now * clock) {
            match arrival.frame {
                Thing::Packet(packet) => {
                    watch.arrived(packet, !arrival.corrupted);
                    if !arrival.corrupted {
                        receiver.receive(packet);
                    }
                }
                Thing::Note(note) if !arrival.corrupted => sender.receive(note),
                Thing::Note(_) => {}
            }
        }
        for (qp, flows) in (0..).zip(&mut flows) {
            while !flows.is_empty() && (!traffic.one_by_one || watch.idle(qp)) {
                let packets = flows.pop_front().unwrap_or_default();
                watch.post(now, qp, packets);
                sender.offer(qp, packets);
            }
        }
        for decision in sender.step(now, wire.queue.len() as u64).map_err(at)? {
            wire.queue.extend(watch.decided(now, decision, traffic.payload).map_err(at)?);
        }
        while wire.free < (now + 1) * clock
            && let Some(packet) = wire.queue.pop_front()
        {
            let thing = Thing::Packet(packet);
            let leaves = wire.free.max(now * clock);
            wire.free = leaves + ((thing.bytes() + OVERHEAD) as f64 * wire.byte).round() as u64;
            let lost = drop(Side::A, numbers[0], &thing);
            numbers[0] += 1;
            let before = network.in_flight();
            if !lost {
                network.send(leaves, Side::A, thing);
            }
            watch.left(packet, network.in_flight() - before);
        }
        for told in receiver.step(now).map_err(at)? {
            watch.told(now, told).map_err(at)?;
            if let Told::Note(note) = told {
                let thing = Thing::Note(note);
                if !drop(Side::B, numbers[1], &thing) {
                    network.send(now * clock, Side::B, thing);
                }
                numbers[1] += 1;
            }
        }
        if watch.counts.verdicts[0] >= shown + 1024 {
            shown = watch.counts.verdicts[0];
            let (arrived, all) = watch.progress();
            progress(arrived, all);
        }
        let posted = flows.iter().all(VecDeque::is_empty);
        if posted && watch.done() && wire.queue.is_empty() && network.in_flight() == 0 {
            if now >= *ended.get_or_insert(now) + QUIET {
                break;
            }
        } else {
            ended = None;
            if now > watch.moved + patience {
                return Err(at(format!("nothing has moved for {} clocks: {}", now - watch.moved, watch.waiting())));
            }
        }
        let arrival = network.next_arrival().map(|at| at.div_ceil(clock));
        let wired = (!wire.queue.is_empty()).then_some(wire.free / clock);
        let quiet = ended.map(|at| at + QUIET);
        let post = (0..).zip(&flows).any(|(qp, flows)| !flows.is_empty() && watch.idle(qp)).then_some(now);
        match [sender.next(), receiver.next(), arrival, wired, quiet, post].into_iter().flatten().min() {
            Some(next) => now = next.max(now + 1),
            None => return Err(at(format!("nothing is left to happen: {}", watch.waiting()))),
        }
    }
    let end = |e: String| format!("at the end: {e}");
    watch.finish(|qp| sender.window(qp), |qp| receiver.base(qp)).map_err(end)?;
    sender.finish().map_err(end)?;
    receiver.finish().map_err(end)?;
    let clocks = ended.unwrap_or(now);
    let stats = [network.stats(Side::A), network.stats(Side::B)];
    let report = Report::new(scenario, (parts.shape.window, parts.params.records), clocks, &watch, stats);
    Ok(Report { sender_counters: sender.counters(), receiver_counters: receiver.counters(), ..report })
}
