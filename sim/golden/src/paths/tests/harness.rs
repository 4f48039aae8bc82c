//! Both ends over a network of several paths. Everything that crosses is bytes: each packet and each message is built, sealed, and read
//! again.

use super::network::{Network, Way};
use super::*;
use crate::bitmap::{Message, Params, psn};
use crate::wire::{Reader, parse};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Ticks of a microsecond from the receiver back, and onward on the fastest path.
pub const BACK: u64 = 10;

/// Skew of the four paths, in ticks.
pub const SKEW: [u64; 4] = [0, 5, 20, 80];

#[derive(Clone, Debug)]
pub struct Scenario {
    /// of each queue pair
    pub spreads: Vec<Spread>,
    /// packets of each queue pair
    pub packets: u32,
    pub ways: Vec<Way>,
    pub back: Way,
    /// packets per tick
    pub rate: usize,
    pub params: Params,
    pub receiver: ReceiverConfig,
    pub sender: SenderConfig,
    pub first: u32,
    pub seed: u64,
    pub limit: u64,
}

/// What came of it.
#[derive(Debug)]
pub struct Report {
    pub ticks: u64,
    pub sender: Sender,
    pub receiver: Receiver,
    pub onward: Network<Vec<u8>>,
    pub events: Vec<Event>,
    /// paths that messages named for a loss: 0 none, else path + 1
    pub named: Vec<u64>,
}

impl Report {
    pub fn lost(&self) -> u64 {
        self.onward.sum().lost
    }

    pub fn repeated(&self) -> u64 {
        self.sender.counters().retransmitted
    }

    pub fn misjudged(&self) -> u64 {
        self.receiver.statistics().all().get(Count::Misjudged)
    }

    /// Packets sent again per packet that the network lost.
    pub fn waste(&self) -> f64 {
        self.repeated() as f64 / self.lost().max(1) as f64
    }
}

impl Scenario {
    /// One queue pair over four paths, settings as the page says for them. `bad`: a path, and its loss of 10 000.
    pub fn four(spread: Spread, packets: u32, bad: Option<(usize, u32)>, seed: u64) -> Scenario {
        let way = |(path, &skew): (usize, &u64)| {
            let lost = bad.filter(|&(at, _)| at == path).map_or(0, |(_, lost)| lost);
            Way { delay: BACK + skew, jitter: 3, lost, repeated: 50 }
        };
        let params = Params { paths: 4, records: 64, ..Params::new(1, 1024) };
        let mut receiver = ReceiverConfig::new(&params);
        (receiver.bitmap.wait, receiver.bitmap.stall) = (200, 250);
        (receiver.bitmap.path_idle, receiver.bitmap.refeedback) = (2500, 300);
        let mut sender = SenderConfig { path_bad: 1, path_rest: 2000, ..SenderConfig::new(4, 1024) };
        (sender.sender.dedup, sender.sender.rto, sender.sender.rto_cap, sender.sender.retry_limit) = (150, 1000, 4000, 40);
        Scenario {
            spreads: vec![spread],
            packets,
            ways: SKEW.iter().enumerate().map(way).collect(),
            back: Way { delay: BACK, ..Way::default() },
            rate: 1,
            params,
            receiver,
            sender,
            first: psn::SPACE - 1000,
            seed,
            limit: 40 * u64::from(packets) + 100_000,
        }
    }

    pub fn with(mut self, fault: Option<Fault>) -> Scenario {
        (self.sender.fault, self.receiver.fault) = (fault, fault);
        self
    }

    fn fault(&self) -> Option<Fault> {
        self.sender.fault
    }

    fn is_untagged(&self, qp: u32) -> bool {
        matches!(self.spreads[qp as usize], Spread::Untagged(_))
    }

    /// Path that the number of a packet says, worked out anew.
    fn home(&self, number: u32) -> u8 {
        (number / self.receiver.bitmap.stripe % self.ways.len() as u32) as u8
    }
}

struct Run<'a> {
    scenario: &'a Scenario,
    sender: Sender,
    receiver: Receiver,
    onward: Network<Vec<u8>>,
    back: Network<Vec<u8>>,
    queue: VecDeque<Packet>,
    unsent: Vec<u32>,
    random: ChaCha8Rng,
    events: Vec<Event>,
    named: Vec<u64>,
    now: u64,
}

/// Runs it to its end.
/// # Errors
/// The first thing that is wrong.
pub fn run(scenario: &Scenario) -> Result<Report, String> {
    let mut run = Run::new(scenario).map_err(|refused| refused.to_string())?;
    while !run.is_over() {
        run.now += 1;
        if run.now > scenario.limit {
            let bases: Vec<_> = (0..scenario.spreads.len() as u32).map(|qp| run.sender.bitmap().base(qp)).take(4).collect();
            return Err(format!("not at its end after {} ticks: {bases:x?}, unsent {:?}", scenario.limit, &run.unsent[..1]));
        }
        run.step().map_err(|wrong| format!("tick {}: {wrong}", run.now))?;
    }
    let report = run.report();
    settled(scenario, &report)?;
    Ok(report)
}

impl<'a> Run<'a> {
    fn new(scenario: &'a Scenario) -> Result<Run<'a>, Refused> {
        let queue_pairs = scenario.spreads.len();
        let mut sender = Sender::new(scenario.sender)?;
        let mut receiver = Receiver::new(scenario.params, scenario.receiver)?;
        for (&spread, qp) in scenario.spreads.iter().zip(0..) {
            sender.open(qp, scenario.first, spread)?;
            receiver.open(qp, scenario.first, spread.mode())?;
        }
        Ok(Run {
            scenario,
            sender,
            receiver,
            onward: Network::new(&scenario.ways, queue_pairs, scenario.seed),
            back: Network::new(&[scenario.back], queue_pairs, !scenario.seed),
            queue: VecDeque::new(),
            unsent: vec![scenario.packets; queue_pairs],
            random: ChaCha8Rng::seed_from_u64(scenario.seed ^ 0x5555),
            events: Vec::new(),
            named: vec![0; scenario.ways.len() + 1],
            now: 0,
        })
    }

    fn is_over(&self) -> bool {
        let end = psn::add(self.scenario.first, self.scenario.packets);
        let all = (0..self.unsent.len() as u32).all(|qp| self.sender.bitmap().base(qp) == Some(end));
        all && self.queue.is_empty() && self.onward.is_empty() && self.back.is_empty()
    }

    fn step(&mut self) -> Result<(), String> {
        if let Some(qp) = self.sender.tick(self.now).first() {
            return Err(format!("queue pair {qp} gives up"));
        }
        // Every gap is looked at when a packet of its queue pair comes; those that nothing follows wait for this.
        if self.now.is_multiple_of(8) {
            self.receiver.tick(self.now);
        } else {
            self.receiver.pass(self.now);
        }
        while let Some(bytes) = self.onward.arrive(self.now) {
            let frame = parse(&bytes, false, &Reader::default()).map_err(|error| error.to_string())?;
            let packet = Packet::from_frame(&frame, self.scenario.sender.udp_base).ok_or("a packet is none")?;
            self.receiver.arrive(&packet.into());
            self.tell(packet.qp);
        }
        // Feedback is due by time alone, too.
        for qp in (0..self.unsent.len() as u32).filter(|&qp| !self.receiver.bitmap().gaps(qp).is_empty()).collect::<Vec<_>>() {
            self.tell(qp);
        }
        self.receiver.take_gap_events();
        while let Some(bytes) = self.back.arrive(self.now) {
            let frame = parse(&bytes, false, &Reader::default()).map_err(|error| error.to_string())?;
            self.heard(read_message(&frame).ok_or("a message is none")?);
        }
        (0..self.scenario.rate).try_for_each(|_| self.send())?;
        self.events.extend(self.sender.take_events());
        Ok(())
    }

    /// All that the receiver has to say of a queue pair: the wire back has room.
    fn tell(&mut self, qp: u32) {
        while let Some(message) = self.receiver.message_of(qp) {
            let bytes = message_frame(&message, 0, self.scenario.fault()).to_bytes();
            self.back.send(self.now, qp, 0, &bytes);
        }
    }

    fn heard(&mut self, message: Message) {
        match message {
            Message::Ack(ack) => {
                self.sender.ack(ack);
            }
            Message::Range(range) => {
                self.sender.range_ack(range);
            }
            Message::Ffm(ffm) => {
                if let Some(named) = self.named.get_mut(usize::from(ffm.path)) {
                    *named += 1;
                }
                self.sender.feedback(&ffm);
            }
        }
    }

    /// One packet goes out, if one can.
    fn send(&mut self) -> Result<(), String> {
        let queue_pairs = self.unsent.len() as u32;
        let start = if queue_pairs > 1 { self.random.random_range(0..queue_pairs) } else { 0 };
        // Of many queue pairs a few are asked at a time.
        for qp in (0..queue_pairs.min(8)).map(|step| (start + step) % queue_pairs) {
            if !self.queue.is_empty() {
                break;
            }
            let (out, waiting) = (self.out(), self.unsent[qp as usize] > 0);
            for packet in self.sender.next(qp, waiting) {
                self.check(&packet, out)?;
                self.unsent[qp as usize] -= u32::from(!packet.retransmission);
                self.queue.push_back(packet);
            }
        }
        let Some(packet) = self.queue.pop_front() else { return Ok(()) };
        // The network knows of a path what it hashes: the port.
        let path = packet.udp_source.wrapping_sub(self.scenario.sender.udp_base) as u8;
        let payload = [packet.psn as u8; 8];
        let bytes = packet.frame(&payload, self.scenario.fault()).to_bytes();
        self.onward.send(self.now, packet.qp, path, &bytes);
        Ok(())
    }

    /// Paths that no packet may take: those that are out while another is in.
    fn out(&self) -> u16 {
        let states = self.sender.paths();
        let out = states.iter().zip(0..).filter(|(state, _)| state.is_out()).fold(0u16, |mask, (_, path)| mask | 1 << path);
        if out.count_ones() as usize == states.len() { 0 } else { out }
    }

    /// Port, tag and path of a packet agree, and the path is one that may be chosen.
    fn check(&self, packet: &Packet, out: u16) -> Result<(), String> {
        let &Packet { qp, psn, path, tag, .. } = packet;
        let scenario = self.scenario;
        let home = scenario.home(psn);
        let want = match scenario.spreads[qp as usize] {
            Spread::Untagged(_) => None,
            Spread::Tagged(_) => Some(path),
            Spread::Striped => Some(path).filter(|&path| path != home && path < 15),
        };
        if tag != want || packet.udp_source != scenario.sender.udp_base + u16::from(path) {
            return Err(format!("{packet:?}: not its tag {want:?} and port"));
        }
        if out >> path & 1 == 1 {
            return Err(format!("{packet:?} goes over a path that is out; {out:b} are"));
        }
        let is_home_in = out >> home & 1 == 0;
        if scenario.spreads[qp as usize] == Spread::Striped && !packet.retransmission && is_home_in && path != home {
            return Err(format!("{packet:?} leaves path {home}, which is in"));
        }
        Ok(())
    }

    fn report(self) -> Report {
        let Run { now, sender, receiver, onward, events, named, .. } = self;
        Report { ticks: now, sender, receiver, onward, events, named }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: T, want: T) -> Result<(), String> {
    if is == want { Ok(()) } else { Err(format!("{what}: {is:?}, not {want:?}")) }
}

/// Everything has arrived, nothing is left behind, and all counts agree.
fn settled(scenario: &Scenario, report: &Report) -> Result<(), String> {
    let Report { sender, receiver, onward, .. } = report;
    let end = psn::add(scenario.first, scenario.packets);
    let (sent, arrived) = (sender.statistics(), receiver.statistics());
    for qp in 0..scenario.spreads.len() as u32 {
        same("base", receiver.bitmap().window(qp).map(|window| window.base()), Some(end))?;
        let (is, want) = (sent.queue_pair(qp).copied().unwrap_or_default(), onward.of(qp));
        same("packets sent of a queue pair", is.get(Count::Packets), want.iter().map(|tally| tally.offered).sum())?;
        let is = arrived.queue_pair(qp).copied().unwrap_or_default();
        let delivered: u64 = want.iter().map(|tally| tally.delivered).sum();
        same("packets of a queue pair", is.get(Count::Packets), delivered)?;
        let model = *receiver.bitmap().statistics(qp).ok_or("closed")?;
        same("accepted", model.accepted, scenario.packets.into())?;
        let counts = [Count::Packets, Count::Duplicates, Count::Gaps, Count::Losses, Count::Messages, Count::Misjudged, Count::Folded];
        let want = [model.arrivals, model.duplicates, model.gaps, model.losses, model.reports, model.misjudged, model.folded];
        same("the bitmap's own counts", counts.map(|count| is.get(count)), want)?;
        same("duplicates", model.duplicates + model.out_of_window, delivered - u64::from(scenario.packets))?;
    }
    for path in 0..scenario.ways.len() as u8 {
        let tally = onward.on(path, |_| true);
        let state = sender.paths()[usize::from(path)];
        let row = sent.path(Some(path)).copied().unwrap_or_default();
        same("packets sent over a path", (row.get(Count::Packets), state.sent), (tally.offered, tally.offered))?;
        same("unacknowledged packets of a path", state.unacknowledged, 0)?;
        same("losses of a path", state.lost, row.get(Count::Losses))?;
        let named = onward.on(path, |qp| !scenario.is_untagged(qp));
        let row = arrived.path(Some(path)).copied().unwrap_or_default();
        same("packets that came over a path", row.get(Count::Packets), named.delivered)?;
        if named.lost == 0 && !(0..scenario.spreads.len() as u32).any(|qp| scenario.is_untagged(qp)) {
            same("losses of a path that loses nothing", (state.lost, row.get(Count::Losses)), (0, 0))?;
        }
    }
    for statistics in [sent, arrived] {
        same("sum of queue pairs", Row::sum(statistics.queue_pairs()), *statistics.all())?;
        same("sum of paths", Row::sum(statistics.paths().iter()), *statistics.all())?;
    }
    same("packets of the network", sent.all().get(Count::Packets), onward.sum().offered)?;
    let repeats = [Count::RepeatedSingle, Count::RepeatedInterval, Count::RepeatedAggregated].map(|count| sent.all().get(count));
    same("packets sent again", repeats.iter().sum::<u64>(), sender.counters().retransmitted)
}
