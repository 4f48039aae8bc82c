//! The requests of a capture, as receive bitmaps are offered them: plain RoCEv2 RC traffic, in which destination and queue pair name the
//! connection.

use crate::capture::{CapturedFrame, Reason, Schedule, Timing};
use crate::receive_registry::When;
use rdma_rtl_golden::bitmap::psn;
use rdma_rtl_golden::decision::Decision;
use rdma_rtl_golden::wire::{Frame, FrameError, Ip, Opcode, Reader};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// A queue pair: the host that requests go to, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Connection {
    pub host: IpAddr,
    pub qp: u32,
}

impl fmt::Display for Connection {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{:#x}", self.host, self.qp)
    }
}

/// Which queue pairs are wanted: `0x11` or `17` on any host, `10.9.0.2/0x11` on that one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub host: Option<IpAddr>,
    pub qp: u32,
}

impl Choice {
    fn takes(&self, connection: &Connection) -> bool {
        self.qp == connection.qp && self.host.is_none_or(|host| host == connection.host)
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.host {
            Some(host) => write!(f, "{}", Connection { host, qp: self.qp }),
            None => write!(f, "{:#x}", self.qp),
        }
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (host, number) = match text.rsplit_once('/') {
            Some((host, number)) => (Some(host), number),
            None => (None, text),
        };
        let wrong = |what: &str| format!("`{text}`: {what}; a number up to 0xffffff is needed, alone or as in 10.9.0.2/0x11");
        let host = host.map(|host| host.parse().map_err(|_| wrong(&format!("`{host}` is no IP address")))).transpose()?;
        let parsed = number.strip_prefix("0x").map_or_else(|| number.parse(), |hex| u32::from_str_radix(hex, 16));
        let qp = parsed.ok().filter(|&qp| qp < 1 << 24).ok_or_else(|| wrong(&format!("`{number}` is no queue pair number")))?;
        Ok(Self { host, qp })
    }
}

/// A connection of the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opened {
    pub connection: Connection,
    /// the packet sequence number that it is opened with
    pub initial: u32,
    /// request frames
    pub frames: u64,
}

/// A frame's headers: `count` numbers from `psn` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// index of the connection
    pub index: usize,
    pub psn: u32,
    pub count: u32,
    pub path: u8,
    pub retransmission: bool,
}

/// What a frame comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Request(Request),
    /// none of the block's business
    Line(Decision),
}

/// One frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub frame: u64,
    pub when: When,
    pub what: What,
}

/// All of a capture.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// by appearance; their places are the block's queue pairs
    pub connections: Vec<Opened>,
    pub offers: Vec<Offer>,
    /// frames that were dropped, by reason; and those of a reserved opcode, whose numbers count all the same
    pub errors: BTreeMap<Reason, u64>,
    /// good frames that are no requests
    pub ignored: u64,
}

/// Why nothing can be offered.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RequestsError {
    #[error("none of its {frames} frames is RoCEv2 (UDP port 4791): {reasons}")]
    NoRoce { frames: usize, reasons: String },
    #[error("it has no request of an RC queue pair (SEND, RDMA WRITE, READ, atomic or FLUSH): {ignored} other RoCEv2 frames{reasons}")]
    NoRequests { ignored: u64, reasons: String },
    #[error("--qp {choice} is not in it; there are {there}")]
    NotThere { choice: Choice, there: String },
    #[error("it has requests of {there} queue pairs, the block holds {holds}; choose with --qp, or take a profile with more: {names}")]
    TooMany { there: usize, holds: usize, names: String },
}

/// Numbers that a request consumes: those of its responses for a READ, else one. `None`: more than can be told apart.
fn numbers(frame: &Frame, mtu: u32) -> Option<u32> {
    match frame.reth.filter(|_| frame.bth.opcode == Opcode::READ_REQUEST) {
        Some(reth) => Some(reth.length.div_ceil(mtu).max(1)).filter(|&count| count < psn::HALF),
        None => Some(1),
    }
}

fn destination(ip: Ip) -> IpAddr {
    match ip {
        Ip::V4 { destination, .. } => destination.into(),
        Ip::V6 { destination, .. } => destination.into(),
    }
}

/// Some of them, with their frames.
fn named(connections: &[Opened]) -> String {
    const SHOWN: usize = 16;
    let some: Vec<String> = connections.iter().take(SHOWN).map(|at| format!("{} ({} requests)", at.connection, at.frames)).collect();
    let more = connections.len().saturating_sub(SHOWN);
    some.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

/// A connection's first number: its first packet's, or less if one from less than a window before follows within as many packets: then the
/// network has lost or overtaken the first.
fn initial(numbers: &[u32], window: u32) -> u32 {
    let Some(&first) = numbers.first() else { return 0 };
    let before = numbers.iter().take(window as usize).map(|&number| psn::ahead(number, first)).filter(|&before| before < window);
    psn::sub(first, before.max().unwrap_or(0))
}

impl Requests {
    /// Of `frames`, those that go to one of `choices`, or all if there are none. `window` packets and `holds` queue pairs are what the
    /// block has.
    /// # Errors
    /// There are none, or too many.
    pub fn of(
        frames: &[CapturedFrame],
        timing: Timing,
        mtu: u32,
        choices: &[Choice],
        window: u32,
        holds: usize,
    ) -> Result<Self, RequestsError> {
        let mut all = Self::default();
        let mut index: HashMap<Connection, usize> = HashMap::new();
        let mut seen: Vec<Vec<u32>> = Vec::new();
        let mut schedule = Schedule::new(timing);
        for (number, frame) in (0..).zip(frames) {
            let when = schedule.next(frame);
            let parsed = frame.parse(&Reader::default());
            let parsed = parsed.and_then(|parsed| Ok((numbers(&parsed, mtu).ok_or(FrameError::BadLength)?, parsed)));
            let what = match parsed {
                Err(reason) => {
                    *all.errors.entry(reason).or_default() += 1;
                    What::Line(Decision::FrameError { frame: number, reason: reason.to_string() })
                }
                Ok((_, parsed)) if !parsed.bth.opcode.is_request() => {
                    all.ignored += 1;
                    What::Line(Decision::Ignored { frame: number, opcode: parsed.bth.opcode.0 })
                }
                Ok((count, parsed)) => {
                    let bth = parsed.bth;
                    if bth.opcode.is_reserved() {
                        *all.errors.entry(FrameError::ReservedOpcode.into()).or_default() += 1;
                    }
                    let connection = Connection { host: destination(parsed.ip), qp: bth.destination_qp };
                    let index = *index.entry(connection).or_insert_with(|| {
                        all.connections.push(Opened { connection, initial: 0, frames: 0 });
                        seen.push(Vec::new());
                        seen.len() - 1
                    });
                    all.connections[index].frames += 1;
                    seen[index].push(bth.psn);
                    let (path, retransmission) = (bth.reserved7 & 0xf, bth.reserved6 & 1 == 1);
                    What::Request(Request { index, psn: bth.psn, count, path, retransmission })
                }
            };
            all.offers.push(Offer { frame: number, when, what });
        }
        if all.connections.is_empty() {
            return Err(all.nothing(frames.len()));
        }
        for (opened, seen) in all.connections.iter_mut().zip(&seen) {
            opened.initial = initial(seen, window);
        }
        all.choose(choices)?;
        if all.connections.len() > holds {
            let (there, names) = (all.connections.len(), named(&all.connections));
            return Err(RequestsError::TooMany { there, holds, names });
        }
        Ok(all)
    }

    fn nothing(&self, frames: usize) -> RequestsError {
        let reasons: Vec<String> = self.errors.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        let mut reasons = reasons.join(", ");
        if self.errors.contains_key(&FrameError::Truncated.into()) {
            reasons += "; frames that the capture cut cannot be checked: record them whole (tcpdump -s 0)";
        }
        let other = [Reason::NotEthernet, FrameError::NotRocev2.into()].iter().filter_map(|reason| self.errors.get(reason)).sum::<u64>();
        if other == frames as u64 {
            return RequestsError::NoRoce { frames, reasons };
        }
        if !reasons.is_empty() {
            reasons.insert_str(0, "; dropped: ");
        }
        RequestsError::NoRequests { ignored: self.ignored, reasons }
    }

    /// Those of `choices` alone; the others become frames of queue pairs that are not known.
    fn choose(&mut self, choices: &[Choice]) -> Result<(), RequestsError> {
        if choices.is_empty() {
            return Ok(());
        }
        let absent = |choice: &&Choice| !self.connections.iter().any(|at| choice.takes(&at.connection));
        if let Some(&choice) = choices.iter().find(absent) {
            return Err(RequestsError::NotThere { choice, there: named(&self.connections) });
        }
        let mut kept = Vec::new();
        let places: Vec<Option<usize>> = self
            .connections
            .iter()
            .map(|at| {
                let place = choices.iter().any(|choice| choice.takes(&at.connection)).then_some(kept.len());
                kept.extend(place.map(|_| *at));
                place
            })
            .collect();
        self.connections = kept;
        for Offer { frame, what, .. } in &mut self.offers {
            let What::Request(request) = what else { continue };
            match places[request.index] {
                Some(place) => request.index = place,
                None => {
                    *self.errors.entry(FrameError::UnknownQp.into()).or_default() += 1;
                    *what = What::Line(Decision::FrameError { frame: *frame, reason: FrameError::UnknownQp.to_string() });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
