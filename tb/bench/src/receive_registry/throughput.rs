//! Streams of one header per clock that the block must keep up with.

use super::{Memory, Offer, Options, Params, Region, Report, What, When};
use rdma_rtl_golden::decision::Decision;
use rdma_rtl_golden::registry::{Config, Header, Kind};

/// What the stream consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// one operation at a time, every body twice: all to one entry
    OneEntry,
    /// operations of one packet
    Singles,
    /// two operations at a time, their packets alternating, a start every other clock
    TwoEntries,
}

impl Pattern {
    pub const ALL: [Pattern; 3] = [Pattern::OneEntry, Pattern::Singles, Pattern::TwoEntries];

    /// `packets` headers, one in every clock.
    pub fn offers(self, params: &Params, packets: u64) -> impl Iterator<Item = Offer> {
        let params = *params;
        let op = move |number: u64, half: u64| {
            // half of the indices for each of two operations; generations follow each other, however often they wrap
            let indices = 1u64 << (params.index_bits - 1);
            let generation = number / indices;
            (generation << params.index_bits | (number % indices) << 1 | half) as u32
        };
        (0..packets).map(move |frame| {
            let bits = params.mask_bits as u64;
            let (op, count, position) = match self {
                Pattern::OneEntry => {
                    // the start, then every body twice, but for the last, which ends it
                    let length = 2 * (bits - 1);
                    (op(frame / length, 0), bits, (frame % length).div_ceil(2))
                }
                Pattern::Singles => (op(frame / 2, frame % 2), 1, 0),
                Pattern::TwoEntries => (op(frame / 4, frame % 2), 2, frame / 2 % 2),
            };
            let size = params.packet_size;
            let base = (u64::from(op) & 1) << 32;
            let start = position == 0;
            let header = Header {
                kind: if start { Kind::Start } else { Kind::Body },
                src: 1,
                op,
                addr: base + position * u64::from(size),
                bytes: size as u16,
                op_bytes: if start { count as u32 * size } else { size },
                count: if start { count as u16 } else { 0 },
                rkey: 0,
                imm: None,
            };
            Offer { frame, when: When::After(0), what: What::Header(header) }
        })
    }

    /// The run: nothing stalls, and the memory answers before too many of its writes are under way.
    pub fn options(self, params: &Params) -> Options {
        let latency = (params.writes.saturating_sub(super::bench::TOLD_PATH + 5) as u64).clamp(1, 16);
        let memory = Memory { latency: latency..=latency, ..Memory::default() };
        // an operation may be left open at the end
        // with memory regions one that holds every address in use
        let regions = if params.regions > 0 { vec![Region { rkey: 0, base: 0, length: 1 << 34 }] } else { Vec::new() };
        Options { memory, regions, strict: true, drain: 2000, ..Options::new(params) }
    }

    /// Whether `packets` headers went in at one per clock, with at most one stall in eight, and latency was held to its bound.
    /// # Errors
    /// What was too slow.
    pub fn check(self, packets: u64, report: &Report) -> Result<(), String> {
        let allowed = packets + packets / 7 + 1;
        if report.headers != packets || report.header_span > allowed {
            let (headers, span) = (report.headers, report.header_span);
            return Err(format!("{self:?}: {headers} headers took {span} clocks; {packets} in {allowed} are due"));
        }
        if report.latency_checked < packets {
            return Err(format!("{self:?}: latency was checked for {} of {packets} headers", report.latency_checked));
        }
        Ok(())
    }
}

/// A full escape channel of which every packet must be tried, under one header per clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backlog {
    /// the time of all is up
    TimesOut,
    /// the operation of all ends, and its sender is told so again as often as it may be
    Ends,
}

impl Backlog {
    pub const ALL: [Backlog; 2] = [Backlog::TimesOut, Backlog::Ends];

    /// Clocks per packet that waits.
    pub const PACE: u64 = 8;

    /// Clocks after which the time of the first packet is up.
    fn wait(params: &Params) -> u64 {
        2 * params.escape_slots as u64 + 64
    }

    /// As many bodies as there are escape slots, what happens to them, and headers for as long as their tries may take.
    pub fn offers(self, params: &Params) -> impl Iterator<Item = Offer> {
        let slots = params.escape_slots as u64;
        let size = params.packet_size;
        let body =
            Header { kind: Kind::Body, src: 2, op: 5, addr: 1 << 33, bytes: size as u16, op_bytes: size, count: 0, rkey: 0, imm: None };
        let waiting = (0..slots).map(move |_| body);
        let end = (self == Backlog::Ends).then_some(Header { kind: Kind::Arrival, addr: 0, bytes: 0, ..body });
        let load = Self::wait(params) + (Self::PACE + 2) * slots + 200;
        let headers = Pattern::OneEntry.offers(params, load).filter_map(|offer| match offer.what {
            What::Header(header) => Some(header),
            What::Line(_) => None,
        });
        let all = waiting.chain(end).chain(headers).enumerate();
        all.map(|(frame, header)| Offer { frame: frame as u64, when: When::After(0), what: What::Header(header) })
    }

    /// The run: nothing stalls.
    pub fn options(self, params: &Params) -> Options {
        let config = Config { prescale: 8, renotify: 1, ..Config::defaults(params) };
        let config = match self {
            Backlog::TimesOut => Config { escape_timeout: (Self::wait(params) / 8) as u32, ..config },
            Backlog::Ends => config,
        };
        Options { config, log: true, ..Pattern::OneEntry.options(params) }
    }

    /// Whether each packet that waited was tried at most `PACE` clocks after the one before. The clocks from the first to the last.
    /// # Errors
    /// The first one that took longer, or how many were tried.
    pub fn check(self, params: &Params, report: &Report) -> Result<u64, String> {
        let tried = |decision: &Decision| matches!(decision, Decision::Packet { escaped: true, .. });
        let clocks: Vec<u64> = report.lines.iter().filter(|line| tried(&line.decision)).filter_map(|line| line.cycle).collect();
        if let Some(pair) = clocks.windows(2).find(|pair| pair[1] - pair[0] > Self::PACE) {
            let (clock, pace) = (pair[1], Self::PACE);
            return Err(format!("{self:?}: a packet was tried at clock {clock}, {} after the one before; {pace} are due", clock - pair[0]));
        }
        match clocks.as_slice() {
            [first, .., last] if clocks.len() == params.escape_slots => Ok(last - first),
            _ => Err(format!("{self:?}: {} packets were tried, {} are due", clocks.len(), params.escape_slots)),
        }
    }
}
