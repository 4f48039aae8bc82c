//! `FeedbackPath` between a registry, a memory and a network that are played: what senders hear, and that they need no more to get
//! everything there.

use crate::pins::chance;
use crate::wire::control_builder::{Node, Template, configure, poke};
use crate::wire::outlet::{Came, Outlet};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn;
use rdma_rtl_golden::bitmap::{Cause, Ffm, Message, RangeAck, credits};
use rdma_rtl_golden::registry::{Drop, Report, Reports, Status, Verdict};
use rdma_rtl_golden::wire::{Reader, parse_judged};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, VecDeque};

/// Ticks; `PRESCALE` clocks each.
const PRESCALE: u32 = 4;
const WAIT: u32 = 100;
/// A gap is told again after as long; 64 clocks per queue pair at least.
const REFEEDBACK: u32 = 1100;
/// Clocks after which a sender that hears nothing sends all that is open again.
const PATIENCE: u64 = 12_000;
/// Clocks that a message may wait for the wire.
const QUEUE: u64 = 3000;
/// Longer than a gap may be open.
const ESCAPED: u64 = 4 * (PRESCALE * WAIT) as u64;

/// How a run goes, in percent.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// clocks in which a packet is given to the registry
    pub offer: u32,
    /// packets that are lost on the way
    pub loss: u32,
    /// packets that wait at a time, of which any comes next; 1: in order
    pub reorder: usize,
    /// packets that the registry drops, or refuses as overlapping
    pub dropped: u32,
    /// packets that wait for `ESCAPED` clocks in the escape channel before their verdict
    pub escaped: u32,
    /// clocks in which the memory answers
    pub answer: u32,
    /// clocks in which a beat is taken
    pub take: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub packets: u64,
    pub acks: u64,
    pub ffms: u64,
    pub ranges: u64,
    /// packets that were sent again because they were named
    pub again: u64,
    /// ... although they had come
    pub needless: u64,
    /// packets that were asked for because they were dropped
    pub dropped: u64,
    /// times that a sender ran out of patience
    pub timeouts: u64,
    /// packets that the longest and the shortest window told had
    pub longest: u32,
    pub shortest: u32,
    /// with a pool: segments that were missing, and that were given back
    pub exhausted: u64,
    pub shrunk: u64,
    pub clocks: u64,
}

/// A sender, and what is known of it here.
struct Sender {
    first: u32,
    next: u32,
    /// heard of
    base: u32,
    left: u32,
    /// first packet that it may not send
    edge: u32,
    /// clock in which the base moved
    since: u64,
    /// numbers that can have been reported, with the clock
    reported: BTreeMap<u32, u64>,
    /// numbers that the registry was given, with the clock
    present: BTreeMap<u32, u64>,
    /// how often each was dropped and not yet asked for
    dropped: BTreeMap<u32, u32>,
    /// first one that cannot have been
    limit: u32,
}

impl Sender {
    fn open(&self) -> u32 {
        psn::ahead(self.base, self.next)
    }
}

struct Bench<'a> {
    model: &'a mut dyn Model,
    rng: ChaCha8Rng,
    pace: Pace,
    window: u32,
    /// packets of a step; with a pool, windows have their own
    slide: Option<u32>,
    senders: Vec<Sender>,
    nodes: Vec<Option<Node>>,
    template: Template,
    golden: Reports,
    /// packets on the way: queue pair, number, sent before
    pool: VecDeque<(u32, u32, bool)>,
    /// slots without verdict, with the clock from which it may come
    unjudged: Vec<(u32, u64)>,
    writes: VecDeque<(u32, u32, u64)>,
    taken: Vec<(u32, u32, u64)>,
    free: Vec<(u64, u32)>,
    tags: Vec<u32>,
    slots: BTreeMap<u32, Report>,
    /// dropped packets that nobody has asked for, and the most of them at a time
    lacking: u32,
    most_lacking: u32,
    outlet: Outlet,
    seen: Seen,
    counted: BTreeMap<&'static str, u64>,
    reports: u64,
    distinct: u64,
}

const EVENTS: [&str; 7] = ["new", "duplicate", "out_of_window", "closed", "ack", "range", "ffm"];

impl Bench<'_> {
    fn get(&self, name: &str) -> u64 {
        self.model.peek_u64(self.model.port(name).unwrap_or_else(|| panic!("no port `{name}`")))
    }

    fn set(&mut self, name: &str, value: u32) {
        poke(self.model, name, value.into());
    }

    fn is_mute(&self, qp: u32) -> bool {
        self.nodes[qp as usize].is_none()
    }

    /// A packet goes on its way, if it is not lost.
    fn send(&mut self, qp: u32, number: u32, again: bool) {
        if !chance(&mut self.rng, self.pace.loss) {
            self.pool.push_back((qp, number, again));
        }
    }

    /// What senders do in a clock: new packets within their windows, and what has been open for too long.
    fn senders(&mut self, now: u64) {
        let qp = self.rng.random_range(0..self.senders.len()) as u32;
        let at = &mut self.senders[qp as usize];
        if self.pool.len() < self.pace.reorder && at.left > 0 && psn::before(at.next, at.edge) {
            let number = at.next;
            at.next = psn::add(number, 1);
            at.left -= 1;
            self.seen.packets += 1;
            self.send(qp, number, false);
        }
        let is_mute = self.is_mute(qp);
        let at = &self.senders[qp as usize];
        if at.open() > 0 && now - at.since > PATIENCE && !is_mute {
            let open: Vec<u32> = (0..at.open()).map(|offset| psn::add(at.base, offset)).collect();
            self.seen.timeouts += 1;
            self.senders[qp as usize].since = now;
            for number in open {
                self.send(qp, number, true);
            }
        }
    }

    /// The registry and the memory.
    fn registry(&mut self, now: u64) {
        for name in ["packet_valid", "verdict_valid", "write_valid", "write_done_valid"] {
            self.set(name, 0);
        }
        let old: Vec<usize> = (0..self.taken.len()).filter(|&at| self.taken[at].2 + 2 <= now).collect();
        if !old.is_empty() && chance(&mut self.rng, self.pace.answer) {
            let (slot, tag, _) = self.taken.swap_remove(old[self.rng.random_range(0..old.len())]);
            self.set("write_done_valid", 1);
            self.set("write_done_tag", tag);
            self.golden.answer(tag);
            self.tags.push(tag);
            self.free.push((now + 1, slot));
        }
        if let Some((slot, tag, _)) = self.writes.front().copied().filter(|write| write.2 < now) {
            self.writes.pop_front();
            self.set("write_valid", 1);
            self.set("write_slot", slot);
            self.set("write_tag", tag);
            self.golden.write(slot, tag);
            self.taken.push((slot, tag, now));
        }
        let mut judged: Vec<usize> = (0..self.unjudged.len()).filter(|&at| self.unjudged[at].1 <= now).collect();
        if !judged.is_empty() && (self.rng.random_bool(0.8) || judged.len() > 10) {
            // Most in order.
            judged.truncate(if self.pace.reorder == 1 { 1 } else { 4 });
            let at = judged[self.rng.random_range(0..judged.len())];
            let (slot, _) = self.unjudged.remove(at);
            let report = self.slots[&slot];
            let sender = &self.senders[report.qp as usize];
            let came = sender.reported.contains_key(&report.psn) || psn::before(report.psn, sender.limit);
            let verdict = match self.rng.random_range(0..20) {
                _ if chance(&mut self.rng, self.pace.dropped) => {
                    if self.rng.random() {
                        Verdict::Dropped(Drop::EscapeTimeout)
                    } else {
                        Verdict::Rejected(Status::Overlap)
                    }
                }
                0 => Verdict::Stale,
                1 => Verdict::Rejected(Status::WrongLength),
                _ if came || self.tags.is_empty() => Verdict::Duplicate,
                _ => Verdict::Written,
            };
            let reason = if let Verdict::Rejected(status) = verdict { status as u32 } else { 0 };
            self.set("verdict_valid", 1);
            self.set("verdict_tag", slot | 1 << 15);
            self.set("verdict_code", verdict.code().into());
            self.set("verdict_reason", reason);
            if self.golden.verdict(slot, verdict).is_some() {
                if !self.is_mute(report.qp) {
                    self.lacking += 1;
                    self.most_lacking = self.most_lacking.max(self.lacking);
                }
                *self.senders[report.qp as usize].dropped.entry(report.psn).or_default() += 1;
            }
            match self.tags.pop().filter(|_| verdict == Verdict::Written) {
                Some(tag) => self.writes.push_back((slot, tag, now)),
                None => self.free.push((now + 1, slot)),
            }
        }
        while let Some(report) = self.golden.pop() {
            self.reports += 1;
            let at = &mut self.senders[report.qp as usize];
            if !psn::before(report.psn, at.limit) && !at.reported.contains_key(&report.psn) {
                self.distinct += 1;
                at.reported.insert(report.psn, now);
                while at.reported.contains_key(&at.limit) {
                    at.limit = psn::add(at.limit, 1);
                }
            }
        }
        let room = self.get("room") == 1;
        let place = self.free.iter().position(|&(from, _)| from <= now);
        if room
            && let Some(place) = place
            && !self.pool.is_empty()
            && chance(&mut self.rng, self.pace.offer)
        {
            let (_, slot) = self.free.swap_remove(place);
            let at = if self.pace.reorder == 1 { 0 } else { self.rng.random_range(0..self.pool.len().min(self.pace.reorder)) };
            if let Some((qp, number, retransmission)) = self.pool.remove(at) {
                let report = Report { qp, psn: number, path: 0, retransmission };
                self.set("packet_valid", 1);
                self.set("packet_counts", 1);
                self.set("packet_slot", slot);
                self.set("packet_qp", qp);
                self.set("packet_psn", number);
                self.set("packet_retransmission", retransmission.into());
                self.golden.packet(slot, report);
                self.slots.insert(slot, report);
                self.senders[qp as usize].present.entry(number).or_insert(now);
                let escaped = chance(&mut self.rng, self.pace.escaped);
                self.unjudged.push((slot, if escaped { now + ESCAPED } else { now }));
            }
        }
    }

    /// Other lengths, with a pool.
    fn change(&mut self) {
        let values = [
            ("base_length", self.rng.random_range(0..3)),
            ("max_length", self.rng.random_range(0..16)),
            ("bandwidth", self.rng.random_range(0..1 << 12)),
            ("rtt", self.rng.random_range(0..60)),
            ("congestion", self.rng.random_range(0..20)),
            ("qp_limit", [0, 0, 3][self.rng.random_range(0..3)]),
        ];
        for (name, value) in values {
            self.set(&format!("cfg_{name}"), value);
        }
    }

    /// A frame has come out.
    fn frame(&mut self, bytes: &[u8]) -> Result<(), String> {
        let now = self.model.cycle();
        let frame =
            parse_judged(bytes, true, &Reader::registry()).map_err(|reason| format!("cycle {now}: {bytes:02x?} reads as {reason}"))?;
        let qp = self.nodes.iter().position(|node| node.is_some_and(|node| node.qp == frame.bth.destination_qp));
        let qp = qp.ok_or_else(|| format!("cycle {now}: a frame for queue pair {:#x}", frame.bth.destination_qp))? as u32;
        let Some((message, node)) = frame.message(qp).zip(self.nodes[qp as usize]) else {
            return Err(format!("cycle {now}: a frame that says nothing: {bytes:02x?}"));
        };
        let at = &self.senders[qp as usize];
        let msn = if let Message::Ack(ack) = message { psn::ahead(at.first, psn::add(ack.psn, 1)) } else { 0 };
        let expected = self.template.bytes(message.frame(node.qp, msn), &node);
        if bytes != expected {
            return Err(format!("cycle {now}: frame {bytes:02x?}, expected {expected:02x?}"));
        }
        let (base, limit) = (at.base, at.limit);
        match message {
            Message::Ack(ack) => {
                let edge = psn::add(ack.psn, 1);
                if psn::before(edge, base) || psn::before(limit, edge) {
                    return Err(format!("cycle {now}: {qp} acknowledges up to {edge:#x}, before that {base:#x}, has {limit:#x}"));
                }
                let told = 1 << ack.credits;
                let expected = self.slide.map_or(told, |slide| 1 << credits(self.window - psn::ahead(at.first, edge) % slide));
                if told != expected || told > self.window {
                    return Err(format!("cycle {now}: {} credits", ack.credits));
                }
                self.seen.acks += 1;
                self.seen.longest = self.seen.longest.max(told);
                self.seen.shortest = self.seen.shortest.min(told);
                let reach = psn::add(edge, told);
                if psn::before(at.edge, reach) {
                    self.senders[qp as usize].edge = reach;
                }
                if edge != base {
                    self.senders[qp as usize].base = edge;
                    self.senders[qp as usize].since = now;
                }
            }
            Message::Ffm(Ffm { start, length, edge, base: tells, status: Cause::Dropped, .. }) => {
                self.seen.ffms += 1;
                self.seen.dropped += 1;
                let at = &mut self.senders[qp as usize];
                let open = at.dropped.get_mut(&start).filter(|count| **count > 0);
                let Some(open) = open.filter(|_| self.slide.is_some() && (length, edge) == (1, start) && !psn::before(limit, tells)) else {
                    return Err(format!("cycle {now}: {qp} tells {message:?}, has {limit:#x}"));
                };
                *open -= 1;
                self.lacking -= 1;
                if !psn::before(start, base) {
                    self.seen.again += 1;
                    self.send(qp, start, true);
                }
            }
            Message::Ffm(Ffm { start, length, edge, base: tells, .. }) => {
                self.seen.ffms += 1;
                // What has come is no gap, whatever becomes of it; with a pool it is known when it is reported.
                let came = if self.slide.is_some() { &at.present } else { &at.reported };
                let known = |number: u32| came.get(&number).is_some_and(|&since| now - since > QUEUE);
                let end = psn::add(start, length - 1);
                if psn::before(limit, tells)
                    || psn::before(start, tells)
                    || psn::before(edge, end)
                    || !came.contains_key(&edge)
                    || known(start)
                {
                    return Err(format!("cycle {now}: {qp} tells {message:?}, has {limit:#x}"));
                }
                let named: Vec<u32> =
                    (0..length).map(|offset| psn::add(start, offset)).filter(|&number| !psn::before(number, base)).collect();
                self.seen.needless += named.iter().filter(|number| came.contains_key(number)).count() as u64;
                self.seen.again += named.len() as u64;
                for number in named {
                    self.send(qp, number, true);
                }
            }
            Message::Range(RangeAck { base: tells, start, length, .. }) => {
                self.seen.ranges += 1;
                let mut numbers = (0..length).map(|offset| psn::add(start, offset));
                let unheard = |number: u32| !psn::before(number, limit) && !at.reported.contains_key(&number);
                if length == 0 || length > self.window || psn::before(limit, tells) || !psn::before(tells, start) || numbers.any(unheard) {
                    return Err(format!("cycle {now}: {qp} tells {message:?}, has {limit:#x}"));
                }
            }
        }
        Ok(())
    }
}

/// `count` packets of each queue pair. Senders send again what they are told, and everything when they hear nothing for `PATIENCE` clocks.
///
/// No acknowledgement says more than what has its verdict and whose write is answered, none says less than one before; each has its bytes
/// by the golden model. In the end every sender has heard that all of it is there. Senders send what the windows have that they are told,
/// and nothing of it is refused. Windows move in steps, or have lengths that change all the time.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, window: u32, count: u32, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for port in 0..model.ports().len() {
        if model.ports()[port].direction == rdma_rtl_sim::Direction::Input {
            let zero = vec![0; model.ports()[port].words()];
            model.poke(port, &zero);
        }
    }
    poke(model, "rst", 1);
    model.clock();
    poke(model, "rst", 0);
    let settings =
        [("prescale", PRESCALE), ("depth", 8), ("wait", WAIT), ("stall", 4 * WAIT), ("feedback_threshold", 1), ("feedback_wait", 1)];
    for (name, value) in settings.into_iter().chain([("refeedback", REFEEDBACK), ("range_ack", 1)]) {
        poke(model, &format!("cfg_{name}"), value.into());
    }
    let slide = model.port("cfg_slide_step").is_some().then(|| [1, 1, 4, 16][rng.random_range(0..4)]);
    // Two segments for each, and what it is told.
    let (first_window, pooled) = match slide {
        Some(step) => {
            poke(model, "cfg_slide_step", step.into());
            (window, false)
        }
        None => {
            for (name, value) in [("base_length", 1), ("max_length", 1), ("packet_bits", 9), ("headroom", 16), ("load", 16)] {
                poke(model, &format!("cfg_{name}"), value);
            }
            (16, true)
        }
    };
    let (template, nodes) = configure(model, &mut rng);
    let width = |model: &dyn Model, name: &str| model.ports()[model.port(name).unwrap_or_else(|| panic!("no port `{name}`"))].width;
    let (slots, tags) = (1u32 << width(model, "packet_slot"), 1u32 << width(model, "write_tag"));
    let outlet = Outlet::new(model);
    let senders = (0..nodes.len()).map(|_| {
        let first = psn::sub(0, rng.random_range(0..2 * count));
        Sender {
            first,
            next: first,
            base: first,
            left: count,
            edge: psn::add(first, first_window),
            since: 0,
            reported: BTreeMap::new(),
            present: BTreeMap::new(),
            dropped: BTreeMap::new(),
            limit: first,
        }
    });
    let senders: Vec<Sender> = senders.collect();
    let mut bench = Bench {
        model,
        rng,
        pace,
        window,
        slide,
        senders,
        nodes,
        template,
        golden: Reports::default(),
        pool: VecDeque::new(),
        unjudged: Vec::new(),
        writes: VecDeque::new(),
        taken: Vec::new(),
        free: (0..slots).map(|slot| (0, slot)).collect(),
        tags: (0..tags).collect(),
        slots: BTreeMap::new(),
        lacking: 0,
        most_lacking: 0,
        outlet,
        seen: Seen { shortest: window, ..Seen::default() },
        counted: EVENTS.map(|event| (event, 0)).into(),
        reports: 0,
        distinct: 0,
    };
    let begin = bench.model.cycle();
    for qp in 0..bench.senders.len() as u32 {
        let first = bench.senders[qp as usize].first;
        bench.set("command_valid", 1);
        bench.set("command_open", 1);
        bench.set("command_qp", qp);
        bench.set("command_psn", first);
        for (step, port) in ["command_ready", "command_done"].into_iter().enumerate() {
            if step == 1 {
                bench.set("command_valid", 0);
            }
            bench.model.eval();
            while bench.get(port) == 0 {
                bench.model.clock();
                bench.model.eval();
                if bench.model.cycle() - begin > 20_000 {
                    return Err(format!("`{port}` does not come"));
                }
            }
            bench.model.clock();
        }
    }
    let start = bench.model.cycle();
    for qp in 0..bench.senders.len() {
        let is_mute = bench.is_mute(qp as u32);
        let at = &mut bench.senders[qp];
        at.since = start;
        // Who hears nothing gets no further than his window.
        if is_mute {
            at.left = at.left.min(first_window);
        }
    }
    let mut quiet = 0;
    while quiet < 100 {
        let now = bench.model.cycle();
        bench.senders(now);
        if pooled && bench.rng.random_range(0..500) == 0 {
            bench.change();
        }
        // Ready is looked at before the registry gives a packet.
        bench.model.eval();
        bench.registry(now);
        let takes = chance(&mut bench.rng, pace.take);
        bench.set("out_ready", takes.into());
        bench.model.eval();
        for event in EVENTS {
            let value = bench.get(&format!("evt_{event}"));
            *bench.counted.entry(event).or_default() += value;
        }
        if bench.get("evt_out_of_window") == 1 {
            let told: Vec<String> = bench.senders.iter().map(|at| format!("{:#x}..{:#x}", at.base, at.edge)).collect();
            return Err(format!("cycle {now}: a packet is out of its window; senders were told {told:?}"));
        }
        if pooled {
            bench.seen.exhausted += bench.get("evt_exhausted");
            bench.seen.shrunk += bench.get("evt_shrunk");
        }
        let came = {
            let Bench { outlet, model, .. } = &mut bench;
            outlet.look(*model, takes)?
        };
        if let Came::Frame { bytes, .. } = came {
            bench.frame(&bytes)?;
        }
        bench.model.clock();
        if let Some(reason) = bench.model.failure() {
            return Err(reason.to_string());
        }
        let is_over = |qp: usize| {
            let at = &bench.senders[qp];
            at.left == 0 && (at.open() == 0 || bench.is_mute(qp as u32))
        };
        let all = (0..bench.senders.len()).all(is_over);
        let is_empty = bench.pool.is_empty() && bench.golden.held() == 0;
        quiet = if all && is_empty && bench.get("idle") == 1 { quiet + 1 } else { 0 };
        if now - start > 400 * u64::from(count) * bench.senders.len() as u64 + 20 * PATIENCE {
            let open: Vec<u32> = bench.senders.iter().map(Sender::open).collect();
            return Err(format!("cycle {now}: it does not end; open are {open:?}, {} on the way", bench.pool.len()));
        }
    }
    let counted = |event: &str| bench.counted[event];
    let expected = [("new", bench.distinct), ("duplicate", bench.reports - bench.distinct), ("out_of_window", 0), ("closed", 0)];
    for (event, expected) in expected.into_iter().chain([("ack", bench.seen.acks), ("range", bench.seen.ranges), ("ffm", bench.seen.ffms)])
    {
        if counted(event) != expected {
            return Err(format!("evt_{event} counts {}, expected {expected}", counted(event)));
        }
    }
    // As many can wait as there are slots.
    if !pooled && bench.lacking > 0 && bench.most_lacking <= slots {
        return Err(format!("{} dropped packets were not asked for", bench.lacking));
    }
    bench.seen.clocks = bench.model.cycle() - start;
    Ok(bench.seen)
}
