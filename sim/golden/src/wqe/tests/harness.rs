//! Both ends over a network: memory byte by byte, every work request once and in order at both ends, nothing left behind.
//!
//! Everything that crosses is bytes: each packet and each message is built, sealed, and read again.

use super::memory::{Memory, pattern};
use super::network::{Network, Way};
use super::*;
use crate::wire::{Control, Frame, Opcode, Reader, WqeEth, parse};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What is run.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub onward: Way,
    pub back: Way,
    pub receiver: ReceiverParams,
    pub config: ReceiverConfig,
    pub sender: SenderConfig,
    pub mtu: u32,
    /// first PSN and first WQE of every queue pair
    pub first: (u32, u32),
    /// work requests of each queue pair: addresses of RDMA WRITEs are set by the run
    pub works: Vec<Vec<Work>>,
    /// receives that the host has posted for WQEs to come, at most
    pub ahead: usize,
    /// pages copied in a tick, of 100 ticks
    pub copies: u32,
    pub seed: u64,
    pub limit: u64,
    /// every second work request is a flag: it may be seen only when the one before is there
    pub flags: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub ticks: u64,
    /// data packets that the network lost
    pub lost: u64,
    pub sender: SenderCounters,
    pub receiver: ReceiverCounters,
}

/// One queue pair of a run.
struct Flow {
    works: Vec<Work>,
    /// address of the data of each work request
    places: Vec<u64>,
    posted: usize,
    /// work requests whose receive was posted, and receives
    received: usize,
    receives: u64,
    /// work requests that the receiver's host was told of
    told: usize,
    /// receives that it was told of
    taken: u64,
    done: usize,
    sequence: u32,
}

/// Mixture of `count` work requests: mostly small, of every kind.
pub fn mixture(count: usize, mtu: u32, seed: u64) -> Vec<Work> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut work = |id: u64| {
        let bytes = match random.random_range(0..20) {
            0 => 0,
            1 => mtu * random.random_range(1..4),
            2..=9 => random.random_range(1..=mtu),
            10..=16 => random.random_range(1..4 * mtu),
            17 | 18 => random.random_range(1..20 * mtu),
            _ => random.random_range(1..60 * mtu),
        };
        let kind = match random.random_range(0..20) {
            0 => WorkKind::Read { address: 0x5000, rkey: 9 },
            1 => WorkKind::FetchAdd { address: 0x6000, rkey: 9, add: id },
            2..=10 => WorkKind::Send,
            _ => WorkKind::Write { address: 0, rkey: 9 },
        };
        let work = Work { id, kind, bytes, imm: None, fence: false };
        if !work.is_data() {
            return work;
        }
        Work { imm: random.random_bool(0.3).then(|| random.random()), fence: random.random_bool(0.05), ..work }
    };
    (0..count as u64).map(&mut work).collect()
}

impl Scenario {
    /// One queue pair with a mixture over ways that lose `lost` of 10 000 each and are up to `skew` ticks apart.
    pub fn new(count: usize, mtu: u32, lost: u32, skew: u64, seed: u64) -> Scenario {
        let way = Way::new(lost, 50, skew);
        Scenario { works: vec![mixture(count, mtu, seed)], ahead: 24, copies: 100, seed, mtu, limit: 4_000_000, ..Scenario::quiet(way) }
    }

    /// Timers that suit the way.
    pub fn quiet(way: Way) -> Scenario {
        let round = 2 * way.longest() as u32 + 20;
        let config = ReceiverConfig { t_fail: way.longest() as u32 + 20, refeedback: 2 * round + 20, ..ReceiverConfig::default() };
        let sender = SenderConfig { dedup: round, rto: 6 * round, rto_cap: 12 * round, retry_limit: 40, ..SenderConfig::default() };
        Scenario {
            onward: way,
            back: way,
            receiver: ReceiverParams::default(),
            config,
            sender,
            mtu: 1024,
            first: (psn::SPACE - 5, u32::MAX - 3),
            works: Vec::new(),
            ahead: 24,
            copies: 100,
            seed: 0,
            limit: 100_000,
            flags: false,
        }
    }

    pub fn with(mut self, fault: Option<Fault>) -> Scenario {
        (self.sender.fault, self.receiver.fault) = (fault, fault);
        self
    }
}

/// The run itself.
struct Run {
    sender: Sender,
    receiver: Receiver,
    memory: Memory,
    onward: Network,
    back: Network,
    flows: Vec<Flow>,
    random: ChaCha8Rng,
    now: u64,
    fault: Option<Fault>,
}

/// Runs it to its end.
/// # Errors
/// The first thing that is wrong.
pub fn run(scenario: &Scenario) -> Result<Report, String> {
    let mut run = Run::new(scenario)?;
    while !run.is_over() {
        run.now += 1;
        if run.now > scenario.limit {
            let told: Vec<(usize, usize, usize)> = run.flows.iter().map(|flow| (flow.told, flow.done, flow.works.len())).collect();
            return Err(format!("not at its end after {} ticks: {told:?}", scenario.limit));
        }
        run.step(scenario).map_err(|wrong| format!("tick {}: {wrong}", run.now))?;
    }
    run.settled(scenario)
}

impl Run {
    fn new(scenario: &Scenario) -> Result<Run, String> {
        let mut run = Run {
            sender: Sender::new(scenario.sender)?,
            receiver: Receiver::new(scenario.receiver, scenario.config)?,
            memory: Memory::default(),
            onward: Network::new(scenario.onward, scenario.seed),
            back: Network::new(scenario.back, !scenario.seed),
            flows: Vec::new(),
            random: ChaCha8Rng::seed_from_u64(scenario.seed ^ 0x5555),
            now: 0,
            fault: scenario.sender.fault,
        };
        for (number, works) in scenario.works.iter().enumerate() {
            let open = Open { qp: number as u32, psn: scenario.first.0, sequence: scenario.first.1, mtu: scenario.mtu };
            run.sender.open(open)?;
            run.receiver.open(open)?;
            run.flows.push(Flow {
                works: works.clone(),
                places: Vec::new(),
                posted: 0,
                received: 0,
                receives: 0,
                told: 0,
                taken: 0,
                done: 0,
                sequence: scenario.first.1,
            });
        }
        Ok(run)
    }

    fn is_over(&self) -> bool {
        let quiet = self.onward.is_empty() && self.back.is_empty();
        quiet && self.flows.iter().all(|flow| flow.done == flow.works.len() && flow.told == flow.works.len())
    }

    fn step(&mut self, scenario: &Scenario) -> Result<(), String> {
        self.sender.tick(self.now);
        self.receiver.tick(self.now);
        for number in 0..self.flows.len() {
            self.post(number)?;
            self.receive(number, scenario.ahead);
        }
        if let Some(handed) = self.sender.hand() {
            let payload = pattern(handed.id, handed.offset, handed.packet.bytes as usize);
            let mut frame = handed.packet.frame(&payload);
            mangle(&mut frame, self.fault);
            self.onward.send(self.now, frame.to_bytes());
        }
        while let Some(bytes) = self.onward.arrive(self.now) {
            let frame = parse(&bytes, false, &Reader::wqe()).map_err(|reason| format!("a frame is {reason}"))?;
            let packet = Packet::from_frame(&frame).ok_or("a frame is no packet")?;
            if let Verdict::Direct { address } = self.receiver.arrive(&packet, &frame.payload) {
                self.memory.write(address, &frame.payload)?;
            }
            if scenario.flags {
                self.flags()?;
            }
            self.events()?;
        }
        if self.random.random_range(0..100) < scenario.copies
            && let Some(copy) = self.receiver.copy()
        {
            copy.pieces.iter().try_for_each(|(address, bytes)| self.memory.write(*address, bytes))?;
        }
        if scenario.flags {
            self.flags()?;
        }
        self.events()?;
        for number in 0..self.flows.len() as u32 {
            let (held, quota) = (self.receiver.held_pages(number), scenario.config.quota);
            if quota > 0 && held > quota {
                return Err(format!("queue pair {number} holds {held} pages of {quota}"));
            }
        }
        self.messages()
    }

    /// The host of the sender posts what it may.
    fn post(&mut self, number: usize) -> Result<(), String> {
        let flow = &mut self.flows[number];
        while flow.posted < flow.works.len() && flow.posted < flow.done + 64 {
            let mut work = flow.works[flow.posted];
            let mut place = 0;
            if let WorkKind::Write { rkey, .. } = work.kind {
                place = self.memory.allocate(work.bytes);
                work.kind = WorkKind::Write { address: place, rkey };
            } else if work.kind == WorkKind::Send {
                place = self.memory.allocate(work.bytes + 24);
            }
            flow.works[flow.posted] = work;
            flow.places.push(place);
            flow.posted += 1;
            self.sender.post(number as u32, work).map_err(|refusal| refusal.to_string())?;
        }
        Ok(())
    }

    /// The host of the receiver posts receives for what is to come.
    fn receive(&mut self, number: usize, ahead: usize) {
        let flow = &mut self.flows[number];
        while flow.received < flow.posted && flow.receives < flow.taken + ahead as u64 {
            let work = flow.works[flow.received];
            let address = flow.places[flow.received];
            flow.received += 1;
            let receive = match (work.kind, work.imm) {
                (WorkKind::Send, _) => Receive { id: flow.receives, address, bytes: work.bytes + 24 },
                (WorkKind::Write { .. }, Some(_)) => Receive { id: flow.receives, address: 0, bytes: 0 },
                _ => continue,
            };
            flow.receives += 1;
            self.receiver.post_receive(number as u32, receive);
        }
    }

    /// What the host of the receiver is told is what comes next.
    fn events(&mut self) -> Result<(), String> {
        while let Some(event) = self.receiver.event() {
            let qp = match event {
                Event::Completion(completion) => completion.qp,
                Event::Request(request) => request.packet.qp,
            };
            let flow = &mut self.flows[qp as usize];
            let Some(work) = flow.works.get(flow.told).copied() else { return Err(format!("{event:?} after the last work request")) };
            match event {
                Event::Completion(completion) => {
                    let consumes = work.kind == WorkKind::Send || work.imm.is_some();
                    let receive = consumes.then_some(flow.taken);
                    let Work { bytes, imm, .. } = work;
                    let want = Completion { qp, sequence: flow.sequence, is_send: work.kind == WorkKind::Send, bytes, imm, receive };
                    if completion != want || !work.is_data() {
                        return Err(format!("the host was told {completion:?}, not {want:?} for {work:?}"));
                    }
                    flow.taken += u64::from(consumes);
                    flow.sequence = flow.sequence.wrapping_add(1);
                    self.memory.complete(flow.places[flow.told], work.id, bytes)?;
                }
                Event::Request(request) => {
                    let Packet { reth, atomic, .. } = request.packet;
                    let right = match work.kind {
                        WorkKind::Read { address, rkey } => {
                            reth.is_some_and(|reth| (reth.address, reth.rkey, reth.length) == (address, rkey, work.bytes))
                        }
                        WorkKind::FetchAdd { address, rkey, add } => {
                            atomic.is_some_and(|atomic| (atomic.address, atomic.rkey, atomic.swap_or_add) == (address, rkey, add))
                        }
                        _ => false,
                    };
                    if !right {
                        return Err(format!("the host was told {request:?} for {work:?}"));
                    }
                }
            }
            flow.told += 1;
        }
        Ok(())
    }

    /// No flag is seen before its data.
    fn flags(&mut self) -> Result<(), String> {
        for flow in &self.flows {
            for at in (flow.told..flow.posted).filter(|at| at % 2 == 1 && *at > flow.told) {
                let (data, bytes) = (flow.places[at - 1], u64::from(flow.works[at - 1].bytes));
                if self.memory.written(flow.places[at])? > 0 && self.memory.written(data)? < bytes {
                    return Err(format!("flag {at} is seen before its data"));
                }
            }
        }
        Ok(())
    }

    /// What the ends tell each other, and the sender's host.
    fn messages(&mut self) -> Result<(), String> {
        while let Some((ack, msn)) = self.receiver.ack() {
            self.back.send(self.now, crate::bitmap::Message::Ack(ack).frame(ack.qp, msn).to_bytes());
        }
        if let Some(indication) = self.receiver.indication() {
            let mut frame = indication.frame(indication.qp);
            mangle(&mut frame, self.fault);
            self.back.send(self.now, frame.to_bytes());
        }
        while let Some(bytes) = self.back.arrive(self.now) {
            let frame = parse(&bytes, false, &Reader::wqe()).map_err(|reason| format!("a message is {reason}"))?;
            let qp = frame.bth.destination_qp;
            if frame.bth.opcode == Opcode::RETRANSMISSION {
                // One that says what it cannot is not heard.
                if let Some(indication) = Indication::from_frame(&frame, qp) {
                    self.sender.indication(&indication);
                }
            } else if let Some(crate::bitmap::Message::Ack(ack)) = frame.message(qp) {
                self.sender.ack(ack);
            }
        }
        while let Some(done) = self.sender.done() {
            let flow = &mut self.flows[done.qp as usize];
            let want = flow.works.get(flow.done).map(|work| Done { qp: done.qp, id: work.id, outcome: Outcome::Success });
            if want != Some(done) {
                return Err(format!("{done:?} at the sender, not {want:?}"));
            }
            flow.done += 1;
            if flow.done > flow.told {
                return Err(format!("{done:?} at the sender before the receiver has it"));
            }
        }
        Ok(())
    }

    /// Nothing is left behind.
    fn settled(&mut self, scenario: &Scenario) -> Result<Report, String> {
        same!(self.receiver.free_pages(), scenario.receiver.pages);
        for number in 0..self.flows.len() as u32 {
            same!((self.sender.in_flight(number), self.sender.pending(number), self.receiver.held_pages(number)), (0, 0, 0));
        }
        let (sender, receiver) = (*self.sender.counters(), self.receiver.counters().clone());
        same!((sender.bad_ack, sender.errors), (0, 0));
        same!(sender.bad_indication, 0);
        // Exactly what was lost or not kept is sent again, and two packets at most for each time-out.
        let refused = receiver.deferred + receiver.dropped.values().sum::<u64>();
        let most = self.onward.lost + refused + 2 * sender.timeouts;
        if receiver.idled == 0 && sender.retransmitted > most {
            return Err(format!(
                "{} packets were sent again; {} lost, {refused} not kept: {sender:?}",
                sender.retransmitted, self.onward.lost
            ));
        }
        Ok(Report { ticks: self.now, lost: self.onward.lost, sender, receiver })
    }
}

/// What a builder with a fault makes of a frame.
fn mangle(frame: &mut Frame, fault: Option<Fault>) {
    if let Some(eth) = &mut frame.wqe_eth {
        *eth = match fault {
            Some(Fault::FrameFieldsSwapped) => WqeEth { offset: eth.total, total: eth.offset, ..*eth },
            Some(Fault::FrameOffsetLittleEndian) => WqeEth { offset: eth.offset.swap_bytes(), ..*eth },
            Some(Fault::FrameFenceMoved) => WqeEth { total: eth.total & WqeEth::BYTES | u32::from(eth.fence()) << 30, ..*eth },
            _ => *eth,
        };
    }
    if let Some(Control::Retransmission { first, missing, .. }) = &mut frame.control {
        match fault {
            Some(Fault::FrameMaskReversed) => *missing = missing.reverse_bits(),
            Some(Fault::FrameUnknownLost) => *first &= psn::SPACE - 1,
            Some(Fault::FrameFirstByOne) => *first = first.wrapping_add(1),
            _ => {}
        }
    }
}
