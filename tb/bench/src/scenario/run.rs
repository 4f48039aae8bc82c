//! A scenario from its first command to its last.

use super::ends::{Ends, Receiver, Sender};
use super::file::{Engine, Error, Numbers, Scenario, SetUp, Transport};
use super::golden_bitmap_receiver::GoldenBitmapReceiver;
use super::golden_receiver::GoldenReceiver;
use super::golden_sender::{GoldenSender, SenderParams};
use super::hosts::Hosts;
use super::report::Report;
use super::verilated_receiver::{Registers, VerilatedReceiver};
use super::verilated_sender::VerilatedSender;
use crate::catalogue::{self, Design};
use crate::endpoint::Pace;
use rdma_rtl_golden::registry::{Config, Params};
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::{MemoryOptions, Stalls};
use rdma_rtl_sim::network::{Network, Side};

/// Number of the sending node.
const NODE: u16 = 1;
/// Clocks without a completion, beyond the longest that a sender waits for one, after which nothing is thought to come.
const PATIENCE: u64 = 1_000_000;

/// `backoff_cap` and `prescale` after a reset.
const RESET_CAP: (u32, u16) = (10_000, 322);

/// What the ends of a scenario are made of.
#[derive(Clone, Copy)]
pub struct Parts {
    /// the receiver's top
    pub design: Design,
    /// the sender's
    pub sending: Design,
    pub params: Params,
    pub transport: Transport,
    pub range_acknowledgements: bool,
    pub numbers: Numbers,
    pub sender: SenderParams,
    pub registers: Config,
    pub pace: Pace,
    pub set_up: SetUp,
}

impl Parts {
    /// # Errors
    /// The profile is unknown, or a value does not go with it.
    pub fn new(scenario: &Scenario) -> Result<Parts, Error> {
        let [sending, design] = scenario.top.blocks(scenario.transport);
        let design = catalogue::find(design, &scenario.profile).map_err(|e| Error(format!("`profile`: {e}")))?;
        let sending = catalogue::find(sending, &scenario.profile).map_err(|e| Error(format!("`profile`: {e}")))?;
        // Without a registry only what both ends have in common counts.
        let params = design.registry_params().or_else(|| common_params(&sending));
        let params = params.ok_or_else(|| Error(format!("`profile`: `{}` has no registry", design.profile)))?;
        let nodes = |design: &Design| design.parameter("nodes").or_else(|| design.parameter("sources")).unwrap_or(0);
        let places = nodes(&design).min(nodes(&sending));
        if places < u64::from(scenario.queue_pairs) {
            let pairs = scenario.queue_pairs;
            return Err(Error(format!(
                "`queue_pairs` is {pairs}; 1 to {places} are allowed: each is a node, and profile `{}` has no more",
                design.profile
            )));
        }
        let width = design.parameter("data_width").unwrap_or(512);
        let side = &scenario.receiver;
        let latency = (side.memory_latency[0], side.memory_latency[1]);
        let memory = MemoryOptions {
            seed: scenario.seed,
            stalls: Stalls::all(side.stalls),
            latency,
            reorder: latency.0 != latency.1,
            errors: 0,
            outstanding: 1000,
        };
        Ok(Parts {
            design,
            sending,
            params,
            transport: scenario.transport,
            range_acknowledgements: side.range_acknowledgements,
            numbers: scenario.numbers(),
            sender: scenario.golden_sender(&params, width, NODE).map_err(Error)?,
            registers: scenario.registers(&params).map_err(Error)?,
            pace: Pace { seed: scenario.seed, stalls: Stalls::all(side.stalls), memory },
            set_up: if scenario.reset_values { SetUp::Addresses } else { SetUp::All },
        })
    }

    /// The sender that the scenario asks for; `model` is its top, of which a golden one has no need.
    /// # Errors
    /// The hardware has other ports or registers, or there is none.
    pub fn sender<'a>(&self, engine: Engine, model: Option<&'a mut dyn Model>) -> Result<Box<dyn Sender + 'a>, String> {
        match (engine, model) {
            (Engine::Golden, _) => Ok(match self.transport {
                Transport::Registry => Box::new(GoldenSender::new(self.sender)),
                Transport::Combined => Box::new(GoldenSender::combined(self.sender)),
                Transport::Bitmap => Box::new(GoldenSender::bitmap(self.sender)),
            }),
            (Engine::Verilator, Some(model)) => {
                let map = self.sending.register_map().map_err(|e| e.to_string())?.ok_or("send_endpoint has no register map")?;
                Ok(Box::new(VerilatedSender::new(model, map, self.pace, self.sender, self.transport, self.set_up)?))
            }
            (Engine::Verilator, None) => Err("the verilated sender needs its model".into()),
        }
    }

    /// The receiver that the scenario asks for; `model` is its top, of which a golden one has no need.
    /// # Errors
    /// The hardware has other ports or registers, or there is none.
    pub fn receiver<'a>(&self, engine: Engine, model: Option<&'a mut dyn Model>) -> Result<Box<dyn Receiver + 'a>, String> {
        match (engine, model) {
            (Engine::Golden, _) => Ok(match self.transport {
                Transport::Registry => Box::new(GoldenReceiver::new(self.params, self.registers)),
                Transport::Combined => Box::new(GoldenReceiver::combined(self.params, self.registers)?),
                Transport::Bitmap => Box::new(GoldenBitmapReceiver::new(self.registers.prescale, self.params.packet_size)?),
            }),
            (Engine::Verilator, Some(model)) => {
                let map = self.design.register_map().map_err(|e| e.to_string())?.ok_or("the receiver's top has no register map")?;
                let queue_pairs = self.sender.queue_pairs;
                let registers = Registers { config: self.registers, numbers: self.numbers, set_up: self.set_up, queue_pairs };
                let mut receiver = VerilatedReceiver::new(model, map, self.pace, registers, NODE, self.transport)?;
                if self.range_acknowledgements {
                    receiver.range_acknowledgements()?;
                }
                Ok(Box::new(receiver))
            }
            (Engine::Verilator, None) => Err("the verilated receiver needs its model".into()),
        }
    }
}

/// What a sender's operations are like, as parameters of a registry.
fn common_params(sending: &Design) -> Option<Params> {
    Some(Params {
        mask_bits: sending.parameter("mask_bits")? as usize,
        packet_size: sending.parameter("packet_size")? as u32,
        index_bits: sending.parameter("ops")?.trailing_zeros(),
        ..Params::DEFAULT
    })
}

/// Runs every command through both ends. `progress` is told how many commands of how many have ended.
/// # Errors
/// Anything that no scenario may show, with its clock: wrong bytes in memory, a command that ends twice or never, a table that is not
/// empty in the end, a rule of a bus that was broken. What this scenario alone expects is for [`Expect`](super::Expect) to judge.
pub fn run(
    scenario: &Scenario,
    sender: &mut dyn Sender,
    receiver: &mut dyn Receiver,
    params: &SenderParams,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Report, String> {
    let mut hosts = Hosts::new(scenario, params.splitter.packet_size, NODE)?;
    hosts.furnish(receiver, scenario.faults.bad_places);
    let network = Network::new(&scenario.network).map_err(|e| e.to_string())?;
    let clock = scenario.clock();
    let microseconds = |clocks: u64| clocks as f64 * clock as f64 / 1e6;
    let cut = |side: Side, at: u64| scenario.faults.blackout.iter().any(|blackout| blackout.cuts(side, microseconds(at)));
    let side = &scenario.sender;
    let (cap, prescale) = if scenario.reset_values { RESET_CAP } else { (side.backoff_cap, side.prescale) };
    let patience = u64::from(cap) * u64::from(prescale) * (u64::from(side.retry_limit) + 2) + PATIENCE;
    let mut blackout = 0;
    let mut moved = 0;
    let mut ends = Ends::new(sender, receiver, network, clock);
    loop {
        let now = ends.now();
        let at = |e: String| format!("clock {now}: {e}");
        hosts.post(now, ends.sender).map_err(at)?;
        let mut late = Ok(());
        let mut leaves = |side: Side, at: u64, frame: &[u8]| {
            if side == Side::A && late.is_ok() {
                late = hosts.leaves(at, frame);
            }
            let dropped = cut(side, at);
            blackout += u64::from(dropped);
            dropped
        };
        ends.step(&mut leaves).map_err(at)?;
        late.map_err(at)?;
        if hosts.take(now, ends.sender, ends.receiver).map_err(at)? {
            let (ended, all) = hosts.progress();
            progress(ended, all);
            moved = now;
            // there may be room for another
            hosts.post(now, ends.sender).map_err(at)?;
        }
        if hosts.waits_for_arrival()
            && ends.idle()
            && let Some(count) = ends.sender.given_up().map_err(at)?
        {
            hosts.give_up(count, ends.receiver).map_err(at)?;
            moved = now;
            hosts.post(now, ends.sender).map_err(at)?;
        }
        if hosts.done() && ends.idle() {
            break;
        }
        let next = hosts.next(now);
        if now > moved + patience && next.is_none() {
            return Err(format!("clock {now}: nothing has completed for {} clocks: {}", now - moved, hosts.waiting()));
        }
        if !ends.advance(next) {
            return Err(format!("clock {now}: nothing is left to happen: {}", hosts.waiting()));
        }
    }
    let end = |e: String| format!("at the end: {e}");
    ends.sender.finish().map_err(end)?;
    ends.receiver.finish().map_err(end)?;
    hosts.take(ends.now(), ends.sender, ends.receiver).map_err(end)?;
    hosts.finish(ends.receiver).map_err(end)?;
    let stats = [ends.network.stats(Side::A), ends.network.stats(Side::B)];
    let (sender_counters, receiver_counters) = (ends.sender.counters()?, ends.receiver.counters()?);
    let report = Report::new(scenario, &hosts, stats, blackout, params);
    Ok(Report { sender_counters, receiver_counters, ..report })
}
