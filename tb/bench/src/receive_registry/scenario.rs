//! The situations of the receive registry, one by one: stimulus for the bench and content of the vectors.

use super::{Config, Memory, Offer, Options, Params, Region, What, When};
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::registry::{Event, Header, Kind};

/// One situation.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// snake case; the name of its files
    pub name: &'static str,
    pub about: &'static str,
    /// runtime registers that differ from their defaults
    pub set: Vec<(&'static str, u64)>,
    /// static memory regions that it needs, and their contents
    pub regions: Vec<Region>,
    /// clock and header of each frame
    pub frames: Vec<(u64, Header)>,
    /// frames whose payload write the memory refuses
    pub failing: Vec<u64>,
    /// events that must happen, and how often; those not named must not
    pub expects: Vec<(Event, u64)>,
}

impl Scenario {
    /// The parameters that it needs: those given, with memory regions if it uses any.
    pub fn params(&self, params: &Params) -> Params {
        Params { regions: self.regions.len().max(params.regions), ..*params }
    }

    /// The runtime registers.
    pub fn config(&self, params: &Params) -> Config {
        let mut config = Config::defaults(params);
        for &(name, value) in &self.set {
            // names and values are those written below
            let _ = config.set(name, value);
        }
        config
    }

    /// The run: nothing stalls, frames at their clocks.
    pub fn options(&self, params: &Params) -> Options {
        Options {
            config: self.config(params),
            regions: self.regions.clone(),
            memory: Memory { failing: self.failing.clone(), ..Memory::default() },
            log: true,
            ..Options::new(params)
        }
    }

    /// The stimulus.
    pub fn offers(&self) -> impl Iterator<Item = Offer> {
        self.frames.iter().enumerate().map(|(frame, &(clock, header))| Offer {
            frame: frame as u64,
            when: When::At(clock),
            what: What::Header(header),
        })
    }

    /// Whether `counts` are the expected ones; the first difference as text.
    /// # Errors
    /// The first event that happened another number of times.
    pub fn check(&self, counts: impl Fn(Event) -> u64) -> Result<(), String> {
        for &event in Event::ALL {
            let due = self.expects.iter().find(|(expected, _)| *expected == event).map_or(0, |&(_, count)| count);
            if counts(event) != due {
                return Err(format!("scenario {}: {} happened {} times, {due} are due", self.name, event.name(), counts(event)));
            }
        }
        Ok(())
    }
}

/// Clocks in which replays settle.
const SETTLE: u64 = 600;

/// Builds one scenario.
struct Script {
    params: Params,
    clock: u64,
    src: u16,
    scenario: Scenario,
}

impl Script {
    fn size(&self) -> u64 {
        self.params.packet_size.into()
    }

    /// Clocks between frames: enough for the longest frame on a stream of 512 bits, so that captures of this pace are no faster than the
    /// stream.
    fn step(&self) -> u64 {
        const HEADERS: u64 = 106;
        12.max((self.size() + HEADERS).div_ceil(64) + 2)
    }

    /// Op number of a generation and an index.
    fn op(&self, generation: u32, index: u32) -> u32 {
        generation << self.params.index_bits | index
    }

    fn set(&mut self, name: &'static str, value: u64) {
        self.scenario.set.push((name, value));
    }

    fn pause(&mut self, clocks: u64) {
        self.clock += clocks;
    }

    fn push(&mut self, header: Header) {
        self.scenario.frames.push((self.clock, header));
        self.clock += self.step();
    }

    /// Start of an operation of `packets` full packets.
    fn start(&self, op: u32, addr: u64, packets: u16) -> Header {
        let op_bytes = u32::from(packets) * self.params.packet_size;
        let bytes = self.params.packet_size as u16;
        Header { kind: Kind::Start, src: self.src, op, addr, bytes, op_bytes, count: packets, rkey: 0x77, imm: None }
    }

    /// Body number `position` of the operation at `base`.
    fn body(&self, op: u32, base: u64, position: u16) -> Header {
        let bytes = self.params.packet_size as u16;
        let addr = base + u64::from(position) * self.size();
        Header { kind: Kind::Body, src: self.src, op, addr, bytes, op_bytes: bytes.into(), count: 0, rkey: 0x77, imm: None }
    }

    fn control(&self, kind: Kind, op: u32) -> Header {
        Header { kind, src: self.src, op, addr: 0x8_0000, bytes: 0, op_bytes: 0x1_2345, count: 0, rkey: 0, imm: None }
    }

    fn start_and(&mut self, op: u32, base: u64, packets: u16, positions: impl IntoIterator<Item = u16>) {
        self.push(self.start(op, base, packets));
        for position in positions {
            self.push(self.body(op, base, position));
        }
    }

    fn expect(&mut self, expects: &[(Event, u64)]) {
        self.scenario.expects = expects.to_vec();
    }

    /// Short ticks, so that timers run out within a few thousand clocks.
    fn short_ticks(&mut self) {
        self.set("prescale", 10);
    }
}

use Event::*;
const BASE: u64 = 0x10_0000;

/// Every situation, for a block with `params`.
pub fn all(params: &Params) -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    let mut add = |name, about, script: &dyn Fn(&mut Script)| {
        let scenario =
            Scenario { name, about, set: Vec::new(), regions: Vec::new(), frames: Vec::new(), failing: Vec::new(), expects: Vec::new() };
        let mut building = Script { params: *params, clock: 0, src: 1, scenario };
        script(&mut building);
        scenarios.push(building.scenario);
    };
    orders(&mut add);
    copies(&mut add);
    timers_and_bounds(&mut add);
    rejects(&mut add);
    others(&mut add);
    scenarios
}

type Add<'a> = dyn FnMut(&'static str, &'static str, &dyn Fn(&mut Script)) + 'a;

fn orders(add: &mut Add) {
    add("in_order", "two operations of four packets, one after the other, the second with a short last packet and an immediate", &|s| {
        s.start_and(s.op(0, 1), BASE, 4, 1..4);
        let (op, tail) = (s.op(0, 2), 5);
        let short = (3 * s.size() + tail) as u32;
        s.push(Header { op_bytes: short, ..s.start(op, BASE, 4) });
        s.push(s.body(op, BASE, 1));
        s.push(s.body(op, BASE, 2));
        s.push(Header { bytes: tail as u16, op_bytes: tail as u32, imm: Some(0xcafe), ..s.body(op, BASE, 3) });
        s.expect(&[(Accepted, 8), (Registered, 2), (Completed, 2)]);
    });
    add("reordered", "the start first, the bodies in any order, two operations interleaved", &|s| {
        let (a, b, far) = (s.op(3, 1), s.op(9, 2), BASE + 64 * s.size());
        s.start_and(a, BASE, 6, [5, 2]);
        s.start_and(b, far, 4, [3]);
        for (op, base, position) in [(a, BASE, 4), (b, far, 1), (a, BASE, 1), (a, BASE, 3), (b, far, 2)] {
            s.push(s.body(op, base, position));
        }
        s.expect(&[(Accepted, 10), (Registered, 2), (Completed, 2)]);
    });
    add("body_before_start", "bodies wait in the escape channel, one of them twice, until their start comes", &|s| {
        let op = s.op(0, 7);
        for position in [2, 1, 2] {
            s.push(s.body(op, BASE, position));
        }
        s.push(s.start(op, BASE, 4));
        s.pause(SETTLE);
        s.push(s.body(op, BASE, 3));
        s.expect(&[(Escaped, 3), (Replayed, 3), (Accepted, 4), (Duplicate, 1), (Registered, 1), (Completed, 1)]);
    });
    add("two_sources", "two sources write to the same addresses with the same op number", &|s| {
        let op = s.op(0, 1);
        for header in [s.start(op, BASE, 3), s.body(op, BASE, 1), s.body(op, BASE, 2)] {
            s.push(header);
            s.push(Header { src: 2, ..header });
        }
        s.expect(&[(Accepted, 6), (Registered, 2), (Completed, 2)]);
    });
    add("count_one", "operations of one packet need no entry, even when all are taken", &|s| {
        let entries = s.params.entries as u32;
        for at in 0..entries {
            s.push(s.start(s.op(0, at), BASE + u64::from(at) * 2 * s.size(), 2));
        }
        s.push(Header { imm: Some(1), ..s.start(s.op(0, entries), 0, 1) });
        s.push(Header { bytes: 1, op_bytes: 1, ..s.start(s.op(1, entries), 0, 1) });
        for at in 0..entries {
            s.push(s.body(s.op(0, at), BASE + u64::from(at) * 2 * s.size(), 1));
        }
        let entries = u64::from(entries);
        s.expect(&[(Accepted, 2 * entries + 2), (Registered, entries), (Completed, entries + 2)]);
    });
    add("count_max", "an operation of as many packets as the mask has bits", &|s| {
        let bits = s.params.mask_bits as u16;
        s.start_and(s.op(0, 1), BASE, bits, (1..bits).rev());
        s.expect(&[(Accepted, bits.into()), (Registered, 1), (Completed, 1)]);
    });
}

fn copies(add: &mut Add) {
    add("duplicate_body", "a body comes three times", &|s| {
        s.start_and(s.op(0, 1), BASE, 3, [1, 1, 1, 2]);
        s.expect(&[(Accepted, 3), (Duplicate, 2), (Registered, 1), (Completed, 1)]);
    });
    add("duplicate_start", "a start comes again while its operation is live", &|s| {
        let op = s.op(0, 1);
        s.push(s.start(op, BASE, 3));
        s.start_and(op, BASE, 3, [1]);
        s.start_and(op, BASE, 3, [2]);
        s.expect(&[(Accepted, 3), (Duplicate, 2), (Registered, 1), (Completed, 1)]);
    });
    add("late_copies", "start and bodies after the end: stale; the completion is sent again, but not too often", &|s| {
        s.short_ticks();
        s.set("renotify", 20);
        let op = s.op(0, 1);
        s.start_and(op, BASE, 3, [1, 2, 2]);
        s.pause(400);
        s.push(s.start(op, BASE, 3));
        s.push(s.body(op, BASE, 1));
        s.pause(400);
        s.push(s.body(op, BASE, 2));
        s.expect(&[(Accepted, 3), (Stale, 4), (Renotified, 2), (Registered, 1), (Completed, 1)]);
    });
    add("reused_buffer", "a late copy of an old operation while a new one writes to the same buffer", &|s| {
        let (old, new) = (s.op(0, 1), s.op(0, 2));
        s.start_and(old, BASE, 3, [1, 2]);
        s.push(s.start(new, BASE, 3));
        s.push(s.body(old, BASE, 1));
        s.push(s.start(old, BASE, 3));
        s.push(s.body(new, BASE, 1));
        s.push(s.body(new, BASE, 2));
        s.expect(&[(Accepted, 6), (Stale, 2), (Registered, 2), (Completed, 2)]);
    });
    add("superseded", "a start with a later generation ends the live operation of the same index", &|s| {
        let (old, new) = (s.op(4, 1), s.op(5, 1));
        s.start_and(old, BASE, 4, [2]);
        s.push(s.body(new, BASE, 1));
        s.push(s.start(new, BASE, 2));
        s.pause(SETTLE);
        s.push(s.body(old, BASE, 1));
        s.start_and(old, BASE, 3, []);
        s.expect(&[(Accepted, 4), (Escaped, 1), (Replayed, 1), (Superseded, 1), (Stale, 2), (Registered, 2), (Completed, 1)]);
    });
    add("superseded_reference", "right behind a start that supersedes, the superseded generation counts as much as the new one", &|s| {
        let half = 1 << (OP_BITS - s.params.index_bits - 1);
        let new = s.op(half - 2, 1);
        s.start_and(s.op(0, 1), BASE, 4, []);
        s.pause(SETTLE);
        s.push(s.start(new, BASE, 2));
        // newer than the new one, but behind the one before: the first two meet it on its way to the done table
        for _ in 0..6 {
            s.push(s.start(s.op(half + 1, 1), BASE, 2));
        }
        s.push(s.body(new, BASE, 1));
        s.expect(&[(Accepted, 3), (Registered, 2), (Superseded, 1), (Stale, 6), (Completed, 1)]);
    });
    add("generation_wrap", "generations around zero and half their space", &|s| {
        let top = (1 << (OP_BITS - s.params.index_bits)) - 1;
        let half = top / 2 + 1;
        for generation in [top - 1, top, 0, 1] {
            s.start_and(s.op(generation, 1), BASE, 2, [1]);
        }
        // all behind: late, no answer
        for generation in [0, top, half + 1] {
            s.push(s.start(s.op(generation, 1), BASE, 2));
            s.push(s.body(s.op(generation, 1), BASE, 1));
        }
        s.start_and(s.op(half, 1), BASE, 2, [1]);
        s.expect(&[(Accepted, 10), (Stale, 6), (Registered, 5), (Completed, 5)]);
    });
}

fn timers_and_bounds(add: &mut Add) {
    add("op_timeout", "an operation that loses a packet ends by its time-out; a duplicate does not keep it alive", &|s| {
        s.short_ticks();
        s.set("op_timeout", 100);
        s.start_and(s.op(0, 1), BASE, 4, [2]);
        s.pause(500);
        s.push(s.body(s.op(0, 1), BASE, 2));
        s.pause(3000);
        s.push(s.body(s.op(0, 1), BASE, 1));
        s.expect(&[(Accepted, 2), (Duplicate, 1), (OpTimeout, 1), (Stale, 1), (Registered, 1), (Renotified, 1)]);
        s.set("renotify", 10);
    });
    add("lost_start", "bodies whose start never comes", &|s| {
        s.short_ticks();
        s.set("escape_timeout", 100);
        for position in [1, 2, 3] {
            s.push(s.body(s.op(0, 1), BASE, position));
        }
        s.expect(&[(Escaped, 3), (EscapeTimeout, 3)]);
    });
    add("registry_full", "starts wait for an entry, oldest first; another source's goes behind them", &|s| {
        let entries = s.params.entries as u32;
        let base = |s: &Script, at: u32| BASE + u64::from(at) * 2 * s.size();
        for at in 0..entries + 2 {
            s.push(s.start(s.op(0, at), base(s, at), 2));
        }
        s.push(Header { src: 2, ..s.start(s.op(0, 1), BASE, 2) });
        for at in 0..entries {
            s.push(s.body(s.op(0, at), base(s, at), 1));
        }
        s.pause(SETTLE);
        for at in entries..entries + 2 {
            s.push(s.body(s.op(0, at), base(s, at), 1));
        }
        s.push(Header { src: 2, ..s.body(s.op(0, 1), BASE, 1) });
        let all = u64::from(entries) + 3;
        s.expect(&[(Accepted, 2 * all), (Escaped, 3), (Replayed, 3), (Registered, all), (Completed, all)]);
    });
    add("escape_full", "more homeless bodies than the escape channel holds", &|s| {
        s.short_ticks();
        let slots = s.params.escape_slots as u64;
        // long enough that none has gone when the last comes
        s.set("escape_timeout", slots * s.step() / 10 + 100);
        for at in 0..slots + 2 {
            let body = s.body(s.op(0, 1), BASE, 1 + (at % 3) as u16);
            s.push(Header { src: (at % 3) as u16, bytes: 4, op_bytes: 4, ..body });
        }
        s.expect(&[(Escaped, slots), (EscapeTimeout, slots), (EscapeFull, 2)]);
    });
    add("quota", "a source at its quota of escape slots, and one at its quota of entries, hold up only themselves", &|s| {
        s.short_ticks();
        s.set("escape_timeout", 200);
        s.set("escape_quota", 3);
        s.set("entry_quota", 2);
        for position in 1..6 {
            s.push(Header { src: 3, ..s.body(s.op(0, 1), BASE, position) });
        }
        for at in 0..3 {
            s.push(s.start(s.op(0, at), BASE + 0x1_0000 * u64::from(at), 2));
        }
        s.push(Header { src: 2, ..s.start(s.op(0, 1), BASE, 2) });
        s.pause(SETTLE);
        s.push(s.body(s.op(0, 0), BASE, 1));
        s.pause(SETTLE);
        for at in 1..3 {
            s.push(s.body(s.op(0, at), BASE + 0x1_0000 * u64::from(at), 1));
        }
        s.push(Header { src: 2, ..s.body(s.op(0, 1), BASE, 1) });
        s.expect(&[(Escaped, 4), (EscapeTimeout, 3), (Quota, 2), (Replayed, 1), (Accepted, 8), (Registered, 4), (Completed, 4)]);
    });
}

fn rejects(add: &mut Add) {
    // a start that is refused, its resend, and a body of it: both stale
    fn refused(s: &mut Script, bad: impl Fn(&Script, Header) -> Header, reason: Event) {
        let op = s.op(0, 1);
        let header = bad(s, s.start(op, BASE, 2));
        s.push(header);
        s.push(header);
        s.push(s.body(op, BASE, 1));
        s.expect(&[(reason, 1), (Stale, 2)]);
    }
    let over = |s: &Script| (s.params.mask_bits as u16 + 1, (s.params.mask_bits as u32 + 1) * s.params.packet_size);
    add("reject_count_zero", "a start with no packets", &|s| refused(s, |_, h| Header { count: 0, ..h }, RejectCountZero));
    add("reject_bytes_zero", "a start with no bytes", &|s| refused(s, |_, h| Header { op_bytes: 0, bytes: 0, ..h }, RejectBytesZero));
    add("reject_count_mismatch", "a start whose packets and bytes do not agree", &|s| {
        refused(s, |_, h| Header { op_bytes: h.op_bytes + 1, ..h }, RejectCountMismatch);
    });
    add("reject_oversize", "a start with more packets than the mask has bits", &|s| {
        refused(s, |s, h| Header { count: over(s).0, op_bytes: over(s).1, ..h }, RejectOversize);
    });
    add("reject_misaligned_base", "a start whose address is no multiple of the packet size", &|s| {
        refused(s, |_, h| Header { addr: BASE + 4, ..h }, RejectMisalignedBase);
    });
    add("reject_wraps", "a start past the end of the address space; one that just fits", &|s| {
        let last = u64::MAX - (s.size() - 1);
        refused(s, |_, h| Header { addr: last, ..h }, RejectWraps);
        let op = s.op(0, 2);
        s.push(s.start(op, last - s.size(), 2));
        s.push(s.body(op, last - s.size(), 1));
        s.scenario.expects.extend([(Accepted, 2), (Registered, 1), (Completed, 1)]);
    });
    add("reject_wrong_length", "a start, a body in the middle and a last body of the wrong length", &|s| {
        refused(s, |_, h| Header { bytes: h.bytes - 4, ..h }, RejectWrongLength);
        let (op, tail) = (s.op(0, 2), 8);
        let op_bytes = (2 * s.size() + tail) as u32;
        s.push(Header { op_bytes, ..s.start(op, BASE, 3) });
        s.push(Header { bytes: 8, op_bytes: 8, ..s.body(op, BASE, 1) });
        s.push(s.body(op, BASE, 2));
        s.push(s.body(op, BASE, 1));
        s.push(Header { bytes: 8, op_bytes: 8, ..s.body(op, BASE, 2) });
        s.expect(&[(RejectWrongLength, 3), (Stale, 2), (Accepted, 3), (Registered, 1), (Completed, 1)]);
    });
    add("reject_misaligned_offset", "a body between two places", &|s| {
        let op = s.op(0, 1);
        s.push(s.start(op, BASE, 2));
        s.push(Header { addr: BASE + s.size() + 1, ..s.body(op, BASE, 1) });
        s.push(s.body(op, BASE, 1));
        s.expect(&[(RejectMisalignedOffset, 1), (Accepted, 2), (Registered, 1), (Completed, 1)]);
    });
    add("reject_conflict", "a start that contradicts its live operation; a data arrival with its op number", &|s| {
        let op = s.op(0, 1);
        s.push(s.start(op, BASE, 2));
        s.push(s.start(op, BASE, 3));
        s.push(s.start(op, BASE + s.size(), 2));
        s.push(s.control(Kind::Arrival, op));
        s.push(s.body(op, BASE, 1));
        s.expect(&[(RejectConflict, 3), (Accepted, 2), (Registered, 1), (Completed, 1)]);
    });
    add("reject_overlap", "a start that meets a live operation of its source; later it may come", &|s| {
        let (live, new) = (s.op(0, 1), s.op(0, 2));
        s.push(s.start(live, BASE, 2));
        s.push(s.start(new, BASE + s.size(), 2));
        s.push(Header { bytes: 1, op_bytes: 1, ..s.start(new, BASE + s.size(), 1) });
        s.push(s.body(live, BASE, 1));
        s.start_and(new, BASE + s.size(), 2, [1]);
        s.expect(&[(RejectOverlap, 2), (Accepted, 4), (Registered, 2), (Completed, 2)]);
    });
    add("reject_unknown_source", "packets of a source that the block does not have", &|s| {
        s.src = s.params.sources as u16;
        let op = s.op(0, 1);
        let headers = [s.start(op, BASE, 2), s.body(op, BASE, 1), s.control(Kind::Arrival, op), s.control(Kind::Abort, op)];
        headers.into_iter().for_each(|header| s.push(header));
        s.expect(&[(RejectUnknownSource, 4)]);
    });
    add("reject_access", "starts outside of the memory regions", &|s| {
        let region = Region { rkey: 0x77, base: BASE, length: 4 * s.size() };
        s.scenario.regions = vec![region, Region::default(), Region::default(), Region::default()];
        refused(s, |s, h| Header { addr: BASE + 3 * s.size(), ..h }, RejectAccess);
        s.push(Header { rkey: 0x78, ..s.start(s.op(0, 2), BASE, 2) });
        s.start_and(s.op(0, 3), BASE + 2 * s.size(), 2, [1]);
        s.expect(&[(RejectAccess, 2), (Stale, 2), (Accepted, 2), (Registered, 1), (Completed, 1)]);
    });
}

fn others(add: &mut Add) {
    add("data_arrival", "a data arrival is told to the host once", &|s| {
        let op = s.op(0, 1);
        s.push(s.control(Kind::Arrival, op));
        s.push(s.control(Kind::Arrival, op));
        s.push(s.control(Kind::Arrival, s.op(1, 1)));
        s.push(s.control(Kind::Arrival, op));
        s.expect(&[(Arrivals, 2), (Stale, 2)]);
    });
    add("abort", "an abort ends a live operation, or forbids one that was never seen", &|s| {
        let (live, unseen) = (s.op(0, 1), s.op(0, 2));
        s.start_and(live, BASE, 4, [1]);
        s.push(s.control(Kind::Abort, live));
        s.push(s.body(unseen, BASE, 1));
        s.push(s.control(Kind::Abort, unseen));
        s.pause(SETTLE);
        s.push(s.control(Kind::Abort, live));
        s.push(s.body(live, BASE, 2));
        s.push(s.start(unseen, BASE, 2));
        s.expect(&[(Accepted, 2), (Registered, 1), (Aborted, 2), (Escaped, 1), (Replayed, 1), (Stale, 4)]);
    });
    add("write_error", "the memory refuses one write: the operation ends in write_error, the next one does not", &|s| {
        s.short_ticks();
        s.set("renotify", 10);
        s.start_and(s.op(0, 1), BASE, 3, [1, 2]);
        s.pause(SETTLE);
        s.push(s.body(s.op(0, 1), BASE, 1));
        s.start_and(s.op(1, 1), BASE, 2, [1]);
        s.scenario.failing = vec![1];
        s.expect(&[(Accepted, 5), (Registered, 2), (Completed, 2), (WriteError, 1), (Stale, 1), (Renotified, 1)]);
    });
    add("tour", "a little of everything: two senders, order, copies, a body before its start, a late start, a refused one", &|s| {
        let (a, b) = (s.op(0, 1), s.op(0, 2));
        s.start_and(a, BASE, 6, [5, 2]);
        s.src = 2;
        s.push(s.body(b, BASE, 2));
        s.push(s.body(b, BASE, 1));
        s.src = 1;
        s.push(s.body(a, BASE, 2));
        s.src = 2;
        s.push(s.start(b, BASE, 4));
        s.pause(SETTLE);
        s.push(s.body(b, BASE, 3));
        s.src = 3;
        s.push(s.control(Kind::Arrival, s.op(0, 1)));
        s.push(Header { op_bytes: 1, ..s.start(s.op(0, 2), BASE, 2) });
        s.src = 1;
        for position in [1, 4, 3] {
            s.push(s.body(a, BASE, position));
        }
        s.push(s.start(a, BASE, 6));
        s.expect(&[
            (Accepted, 10),
            (Duplicate, 1),
            (Escaped, 2),
            (Replayed, 2),
            (Registered, 2),
            (Completed, 2),
            (Stale, 1),
            (Arrivals, 1),
            (RejectCountMismatch, 1),
        ]);
    });
}

#[cfg(test)]
mod tests;
