//! Seeded stimulus: a mixture of everything that can happen to a receive registry.

use super::{Config, Memory, Offer, Options, Params, Region, Stall, What, When};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::registry::{Event, Header, Kind};
use std::collections::{HashMap, VecDeque};

/// Places in memory that the operations of one source choose from: few, so that they meet.
const PLACES: u64 = 24;
/// Op indices in use per source: few, so that generations follow each other.
const INDICES: u32 = 40;
/// Packets of the past that may come again.
const PAST: usize = 400;

/// An operation whose packets are being sent.
#[derive(Debug)]
struct Sending {
    start: Header,
    left: VecDeque<Header>,
}

/// What the traffic is like for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// operations find entries
    Plain,
    /// more operations than entries
    Crowd,
    /// as many, and their starts come last: packets wait until no more can
    Late,
}

/// What must happen in a long run of the mixture at `params`: every counter event that is possible.
pub fn expected_events(params: &Params) -> Vec<Event> {
    // what wraps is in no region: with regions it is refused for that before
    let impossible = if params.regions > 0 { Event::RejectWraps } else { Event::RejectAccess };
    Event::ALL.iter().copied().filter(|&event| event != impossible).collect()
}

/// An endless mixture of packets, cut to a number.
///
/// Operations of 1 to all packets, in order, reordered or with the start last, with packets lost and repeated; late copies of
/// anything; reused buffers and op indices; every reason to refuse; data arrivals and aborts; pauses in which timers run out.
#[derive(Debug)]
pub struct Random {
    params: Params,
    rng: ChaCha8Rng,
    regions: Vec<Region>,
    frame: u64,
    packets: u64,
    sending: Vec<Sending>,
    past: VecDeque<Header>,
    generations: HashMap<(u16, u32), u32>,
    /// the operation that the last packet was of
    last: usize,
    /// percent of frames that follow without a gap
    dense: u32,
}

/// Registers, stalls and memory that go with the random mixture: short timers, and everything stalls half of the time.
pub fn random_options(params: &Params, seed: u64) -> Options {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x0b5e_55ed);
    // writes that the memory may hold without ever holding the block up
    let latency = *[4, 16, 40, 200].choose(&mut rng).unwrap_or(&16);
    let region = |at: u64| Region { rkey: 0x70, base: at << 36, length: 1 << 36 };
    let percent = *[0, 5, 20, 50].choose(&mut rng).unwrap_or(&5);
    // with more operations under way each of them takes longer
    let pace = 1 + params.entries as u32 / 16;
    Options {
        config: Config {
            prescale: rng.random_range(4..=20),
            op_timeout: pace * rng.random_range(60..300),
            escape_timeout: pace * rng.random_range(8..60),
            t_life: rng.random_range(300..3000),
            renotify: rng.random_range(0..30),
            ack_wait: *[0, 0, 1, 5].choose(&mut rng).unwrap_or(&0),
            entry_quota: if rng.random_bool(0.5) { params.entries as u8 } else { (params.entries / 2) as u8 },
            escape_quota: if rng.random_bool(0.5) { params.escape_slots as u16 } else { (params.escape_slots / 3) as u16 },
        },
        regions: (0..params.regions as u64).map(region).collect(),
        seed,
        stall: Stall { breathe: rng.random_range(500..5000), ..Stall::all(percent) },
        memory: Memory { latency: 1..=latency, fail_permille: *[0, 0, 3, 30].choose(&mut rng).unwrap_or(&0), failing: Vec::new() },
        ..Options::new(params)
    }
}

impl Random {
    /// `packets` packets from `seed`; `options` are those of the run.
    pub fn new(params: &Params, options: &Options, packets: u64, seed: u64) -> Random {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let dense = *[50, 80, 95].choose(&mut rng).unwrap_or(&80);
        Random {
            params: *params,
            rng,
            regions: options.regions.clone(),
            frame: 0,
            packets,
            sending: Vec::new(),
            past: VecDeque::new(),
            generations: HashMap::new(),
            last: 0,
            dense,
        }
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    /// The next op number of a random index, mostly one that is not in use: mostly the next generation, sometimes a jump.
    fn next_op(&mut self, src: u16) -> u32 {
        let mask = (1u32 << self.params.index_bits) - 1;
        let mut index = 0;
        for _ in 0..4 {
            index = self.rng.random_range(0..INDICES.min(1 << self.params.index_bits));
            let used = self.sending.iter().any(|sending| sending.start.src == src && sending.start.op & mask == index);
            if !used || self.percent(2) {
                break;
            }
        }
        let space = 1u32 << (OP_BITS - self.params.index_bits);
        // some begin where generations wrap
        let first = if self.percent(30) { space - self.rng.random_range(1..4) } else { self.rng.random_range(0..space) };
        let jump = if self.percent(92) { 1 } else { self.rng.random_range(1..space / 2) };
        let generation = self.generations.entry((src, index)).or_insert(first);
        *generation = (*generation + jump).rem_euclid(space);
        *generation << self.params.index_bits | index
    }

    /// The start of a new operation.
    fn new_start(&mut self) -> Header {
        let src = self.rng.random_range(0..self.params.sources.min(6)) as u16;
        let op = self.next_op(src);
        let size = u64::from(self.params.packet_size);
        let most = self.params.mask_bits as u32;
        let count = match self.rng.random_range(0..100) {
            0..20 => 1,
            20..70 => self.rng.random_range(2..=5),
            70..95 => self.rng.random_range(2..=16),
            95..99 => self.rng.random_range(2..=most),
            _ => most,
        };
        let last = if self.percent(60) { size } else { self.rng.random_range(1..=size) };
        let op_bytes = ((u64::from(count) - 1) * size + last) as u32;
        let span = if self.percent(70) { most.min(16) } else { 3 };
        let place = self.rng.random_range(0..PLACES) * u64::from(span) * size;
        // the two ends of the address space are places too
        let addr = match self.rng.random_range(0..50) {
            0 => 0,
            1 => (u64::MAX - u64::from(op_bytes) + 1) & !(size - 1),
            _ => (1 << 36) * u64::from(src % 3) + place,
        };
        let rkey = if self.regions.is_empty() || self.percent(95) { 0x70 } else { 0x71 };
        let imm = self.percent(10).then(|| self.rng.random());
        Header { kind: Kind::Start, src, op, addr, bytes: op_bytes.min(size as u32) as u16, op_bytes, count: count as u16, rkey, imm }
    }

    /// Body `position` of the operation that `start` begins.
    fn body(&mut self, start: &Header, position: u16) -> Header {
        let size = self.params.packet_size;
        let offset = u32::from(position) * size;
        let bytes = start.op_bytes.saturating_sub(offset).min(size) as u16;
        let imm = (self.percent(3)).then(|| self.rng.random());
        let addr = start.addr.wrapping_add(offset.into());
        Header { kind: Kind::Body, addr, bytes, op_bytes: bytes.into(), count: 0, imm, ..*start }
    }

    /// What the traffic is like now.
    fn phase(&self) -> Phase {
        // long enough for more operations than there are entries, and more packets than can wait
        let length = 512 + 8 * self.params.entries as u64 + 2 * self.params.escape_slots as u64;
        match self.frame / length % 5 {
            2 => Phase::Crowd,
            4 => Phase::Late,
            _ => Phase::Plain,
        }
    }

    fn begin(&mut self) {
        let start = self.new_start();
        let mut left: VecDeque<Header> = (1..start.count).map(|position| self.body(&start, position)).collect();
        let order = if self.phase() == Phase::Late { 9 } else { self.rng.random_range(0..10) };
        match order {
            0..4 => left.push_front(start),
            // displaced by a few places, as paths of different length do
            4..7 => {
                left.push_front(start);
                for at in 0..left.len() {
                    let to = (at + self.rng.random_range(0..4)).min(left.len() - 1);
                    left.swap(at, to);
                }
            }
            7..9 => {
                left.push_front(start);
                left.make_contiguous().shuffle(&mut self.rng);
            }
            // the start last
            _ => left.push_back(start),
        }
        if self.percent(6) {
            let lost = self.rng.random_range(0..left.len());
            left.remove(lost);
        }
        if self.percent(1) {
            left.retain(|header| header.kind != Kind::Start);
        }
        self.sending.push(Sending { start, left });
    }

    /// A start or a body that is wrong in one way.
    fn broken(&mut self) -> Header {
        let mut header = if self.percent(50) || self.sending.is_empty() {
            self.new_start()
        } else {
            let at = self.rng.random_range(0..self.sending.len());
            self.sending[at].start
        };
        let size = self.params.packet_size;
        let most = self.params.mask_bits as u16;
        match self.rng.random_range(0..14) {
            0 => header.count = 0,
            1 => header.op_bytes = 0,
            2 => header.count = header.count.wrapping_add(1),
            3 => (header.count, header.op_bytes) = (most + 1, (u32::from(most) + 1) * size),
            4 => header.addr += self.rng.random_range(1..u64::from(size)),
            5 => (header.addr, header.bytes) = (u64::MAX - u64::from(size - 1), size.min(header.op_bytes) as u16),
            6 => header.bytes ^= 1,
            7 => header.src = self.rng.random_range(self.params.sources..=0xffff) as u16,
            8 => header.addr = header.addr.wrapping_add(size.into()),
            at @ 9..12 => {
                let position = self.rng.random_range(0..=header.count);
                header = self.body(&header, position);
                match at {
                    9 => header.addr = header.addr.wrapping_add(self.rng.random_range(1..u64::from(size))),
                    10 => header.bytes = self.rng.random_range(0..=size) as u16,
                    _ => {}
                }
            }
            12 => header.op_bytes = self.rng.random(),
            _ => {
                header.op_bytes = header.op_bytes.wrapping_add(size);
                header.count = header.count.wrapping_add(1);
            }
        }
        header
    }

    /// A data arrival or an abort, of an operation under way, of one past, or of one never seen.
    fn control(&mut self) -> Header {
        let kind = if self.percent(50) { Kind::Arrival } else { Kind::Abort };
        let from = match self.rng.random_range(0..4) {
            0 => self.sending.choose(&mut self.rng).map(|sending| sending.start),
            1 => self.past.iter().copied().collect::<Vec<_>>().choose(&mut self.rng).copied(),
            _ => None,
        };
        let of = from.unwrap_or_else(|| self.new_start());
        Header { kind, bytes: 0, op_bytes: self.rng.random(), count: 0, imm: None, ..of }
    }

    fn header(&mut self) -> Header {
        match self.rng.random_range(0..100) {
            0..4 => return self.broken(),
            4..6 => return self.control(),
            6..13 if !self.past.is_empty() => {
                // recent packets more often than old ones
                let back = self.rng.random_range(0..self.past.len());
                let back = if self.percent(50) { back % 8 } else { back }.min(self.past.len() - 1);
                return self.past[self.past.len() - 1 - back];
            }
            _ => {}
        }
        let entries = self.params.entries;
        let (most, begin) = match self.phase() {
            Phase::Plain => (entries / 2 + 1, 30),
            Phase::Crowd | Phase::Late => (2 * entries, 60),
        };
        if self.sending.is_empty() || (self.sending.len() < most && self.percent(begin)) {
            self.begin();
        }
        // often one operation's packets follow each other
        let stay = self.last < self.sending.len() && self.percent(40);
        let at = if stay { self.last } else { self.rng.random_range(0..self.sending.len()) };
        self.last = at;
        let header = self.sending[at].left.pop_front();
        if self.sending[at].left.is_empty() {
            self.sending.swap_remove(at);
        }
        header.unwrap_or_else(|| self.new_start())
    }

    fn gap(&mut self) -> u64 {
        if self.percent(self.dense) {
            return 0;
        }
        match self.rng.random_range(0..10_000) {
            0..7000 => self.rng.random_range(1..4),
            7000..9900 => self.rng.random_range(4..40),
            // an escape time-out
            9900..9990 => self.rng.random_range(40..3000),
            // an op time-out
            9990..9999 => self.rng.random_range(3000..12_000),
            // a sweep
            _ => self.rng.random_range(12_000..120_000),
        }
    }
}

impl Iterator for Random {
    type Item = Offer;

    fn next(&mut self) -> Option<Offer> {
        if self.frame == self.packets {
            return None;
        }
        let header = self.header();
        self.past.push_back(header);
        if self.past.len() > PAST {
            self.past.pop_front();
        }
        let frame = self.frame;
        self.frame += 1;
        Some(Offer { frame, when: When::After(self.gap()), what: What::Header(header) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rdma_rtl_golden::registry::{Due, Registry, Seen};
    use std::collections::BTreeMap;

    /// A mixture in which something never happens tests nothing of it.
    #[test]
    fn the_mixture_holds_everything() {
        for params in [Params::SMALL, Params::DEFAULT] {
            let mut counts = BTreeMap::new();
            // without regions an address may wrap, with them it is refused for that before
            for seed in 0..24 {
                let params = Params { regions: if seed % 2 == 0 { 0 } else { 4 }, ..params };
                let options = random_options(&params, seed);
                let mut model = Registry::new(params, options.config);
                options.regions.iter().enumerate().for_each(|(at, region)| model.set_region(at, *region));
                for (number, offer) in Random::new(&params, &options, 3000, seed).enumerate() {
                    let (What::Header(header), When::After(gap)) = (offer.what, offer.when) else { unreachable!() };
                    let arrival = model.now().clock + gap + 1;
                    loop {
                        let due = model.due().filter(|(at, _)| *at <= arrival);
                        let is_sweep = due.is_some_and(|(_, due)| matches!(due, Due::Sweep { .. }));
                        let commit = match due {
                            Some((at, due)) => {
                                model.advance(at.saturating_sub(model.now().clock), false);
                                model.perform(due).unwrap()
                            }
                            None => {
                                model.advance(arrival - model.now().clock, false);
                                model.header(offer.frame, 0, &header, Seen::default()).unwrap()
                            }
                        };
                        *counts.entry("sweep").or_insert(0) += u32::from(is_sweep);
                        for event in &commit.events {
                            *counts.entry(event.name()).or_insert(0) += 1;
                        }
                        while let Some(write) = model.write_due() {
                            model.write(0, write).unwrap();
                            model.write_done(0, number % 50 != 0).unwrap();
                        }
                        while let Some(verdict) = model.verdict_due() {
                            model.verdict(verdict).unwrap();
                        }
                        if due.is_none() {
                            break;
                        }
                    }
                }
            }
            for name in Event::ALL.iter().map(|event| event.name()).chain(["sweep"]) {
                assert!(counts.get(name).is_some_and(|&count| count >= 5), "{name}: {counts:?}");
            }
        }
    }

    #[test]
    fn a_seed_gives_the_same_packets_again() {
        let options = random_options(&Params::DEFAULT, 3);
        let run = |seed| Random::new(&Params::DEFAULT, &options, 500, seed).collect::<Vec<_>>();
        assert_eq!(run(3), run(3));
        assert_ne!(run(3), run(4));
    }
}
