//! Captures: pcap and pcapng files to frames, frames to what a bench offers.

mod file;
mod kind;

use crate::receive_registry::{Offer, What, When};
use rdma_rtl_golden::decision::Decision;
use rdma_rtl_golden::wire::{self, Frame, FrameError, Reader};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Link type of Ethernet frames, as pcap files number them.
pub const ETHERNET: u16 = 1;

/// One captured frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedFrame {
    /// nanoseconds, from any epoch
    pub time_ns: u64,
    /// fewer bytes were kept than were on the wire
    pub cut: bool,
    /// what the bytes begin with: [`ETHERNET`], or another of the link types of pcap files
    pub link: u16,
    /// without preamble and FCS
    pub bytes: Vec<u8>,
}

/// Why a frame of a capture is dropped. The text is the name in decision files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum Reason {
    /// the interface that it was captured at is none of Ethernet
    #[error("not_ethernet")]
    NotEthernet,
    #[error(transparent)]
    Frame(#[from] FrameError),
}

impl CapturedFrame {
    /// A whole Ethernet frame.
    pub fn ethernet(time_ns: u64, bytes: Vec<u8>) -> Self {
        Self { time_ns, cut: false, link: ETHERNET, bytes }
    }

    /// The golden reader's word on it.
    /// # Errors
    /// The first reason to drop it.
    pub fn parse(&self, reader: &Reader) -> Result<Frame, Reason> {
        match self.link {
            ETHERNET => Ok(wire::parse(&self.bytes, self.cut, reader)?),
            _ => Err(Reason::NotEthernet),
        }
    }
}

/// Why a capture cannot be read, or is of no use.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    #[error("cannot read capture {path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("capture {path} is an empty file; a pcap or pcapng file is needed")]
    Empty { path: PathBuf },
    #[error("capture {path} holds no frames; is the capture filter `udp port 4791`, and was there traffic?")]
    NoFrames { path: PathBuf },
    #[error("{path} is no capture: it begins with {begins}, not with the magic number of pcap or pcapng; {advice}")]
    NotACapture { path: PathBuf, begins: String, advice: &'static str },
    #[error(
        "capture {path} is truncated: it ends inside frame {frame} (0-based), after {bytes} bytes, where {needs}; record it again or cut it with `editcap`"
    )]
    Truncated { path: PathBuf, frame: usize, bytes: usize, needs: String },
    #[error("capture {path} is damaged at frame {frame} (0-based): {text}; write it anew with `editcap`, or record it again")]
    Damaged { path: PathBuf, frame: usize, text: String },
    #[error(
        "capture {path} has no Ethernet frame (link type 1): {what}; record at the Ethernet device itself, not at `any`, a tunnel or a loopback"
    )]
    NoEthernet { path: PathBuf, what: String },
    #[error("capture {path}: none of its {frames} frames is RoCEv2 (UDP port 4791 in Ethernet with at most one VLAN tag): {what}{advice}")]
    NoRoce { path: PathBuf, frames: usize, what: String, advice: &'static str },
    #[error(
        "capture {path} has nothing for {block}, which decides about RDMA WRITE ONLY with OpETH and about data arrivals: its {frames} frames are {what}"
    )]
    NothingFor { path: PathBuf, block: String, frames: usize, what: String },
}

/// How frames are spaced on the way into the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// back to back on a stream of this many bytes per clock
    LineRate { bytes_per_clock: u64 },
    /// by their time stamps, at this clock
    Capture { clock_hz: u64 },
    /// this many idle clocks between headers
    Idle(u64),
}

impl Timing {
    /// 100G on a 512-bit stream.
    pub const CLOCK_HZ: u64 = 322_265_625;
}

/// Reads a capture file that some block can be offered.
/// # Errors
/// The file cannot be read, is empty, cut off, damaged or no capture at all; none of its frames is RoCEv2.
pub fn read(path: &Path) -> Result<Vec<CapturedFrame>, CaptureError> {
    let bytes = std::fs::read(path).map_err(|source| CaptureError::Io { path: path.into(), source })?;
    let frames = parse(&bytes, path)?;
    let others = others(&frames);
    if frames.iter().all(|frame| frame.link != ETHERNET) {
        return Err(CaptureError::NoEthernet { path: path.into(), what: listed(&others) });
    }
    let roce = frames.len() as u64 - others.values().sum::<u64>();
    if roce > 0 {
        return Ok(frames);
    }
    let (counts, _) = reasons(&frames);
    let counts: Vec<String> = counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    let what = format!("{} ({})", counts.join(", "), listed(&others));
    let advice = kind::advice(&frames);
    Err(CaptureError::NoRoce { path: path.into(), frames: frames.len(), what, advice })
}

/// As [`read`], for a block that decides about the headers of operations.
/// # Errors
/// As there; no frame carries such a header.
pub fn read_headers(path: &Path, block: &str) -> Result<Vec<CapturedFrame>, CaptureError> {
    let frames = read(path)?;
    let (counts, headers) = reasons(&frames);
    if headers > 0 {
        return Ok(frames);
    }
    let mut parts: Vec<String> = counts.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    let rest = frames.len() as u64 - counts.values().sum::<u64>();
    if rest > 0 {
        parts.push(format!("{rest} of other opcodes"));
    }
    Err(CaptureError::NothingFor { path: path.into(), block: block.into(), frames: frames.len(), what: parts.join(", ") })
}

/// What a run is offered, in words: how many frames of which file, and what those are that are not RoCEv2.
pub fn stimulus(frames: &[CapturedFrame], path: &Path) -> String {
    let others = others(frames);
    let beside = if others.is_empty() { String::new() } else { format!(", of them not RoCEv2: {}", listed(&others)) };
    format!("{} frames of {}{beside}", frames.len(), path.display())
}

/// Frames that are not RoCEv2, by what they are.
fn others(frames: &[CapturedFrame]) -> BTreeMap<String, u64> {
    let mut others = BTreeMap::new();
    for frame in frames {
        if let Err(Reason::NotEthernet | Reason::Frame(FrameError::NotRocev2)) = frame.parse(&Reader::registry()) {
            *others.entry(kind::name(frame)).or_default() += 1;
        }
    }
    others
}

/// The most frequent kinds, and how many more there are.
fn listed(kinds: &BTreeMap<String, u64>) -> String {
    const SHOWN: usize = 5;
    let mut kinds: Vec<_> = kinds.iter().collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let mut parts: Vec<String> = kinds.iter().take(SHOWN).map(|(kind, count)| format!("{count} {kind}")).collect();
    let more: u64 = kinds.iter().skip(SHOWN).map(|(_, count)| **count).sum();
    if more > 0 {
        parts.push(format!("{more} others"));
    }
    parts.join(", ")
}

/// Frames that the reader of headers drops, by reason, and those that carry a header.
fn reasons(frames: &[CapturedFrame]) -> (BTreeMap<Reason, u64>, u64) {
    let (mut reasons, mut headers) = (BTreeMap::new(), 0);
    for frame in frames {
        match frame.parse(&Reader::registry()) {
            Err(reason) => *reasons.entry(reason).or_default() += 1,
            Ok(parsed) => headers += u64::from(parsed.header().is_some()),
        }
    }
    (reasons, headers)
}

/// Reads a capture from memory; `path` is what errors call it.
/// # Errors
/// It is empty, cut off, damaged, without frames or no capture at all.
pub fn parse(bytes: &[u8], path: &Path) -> Result<Vec<CapturedFrame>, CaptureError> {
    let frames = file::frames(bytes, path)?;
    if frames.is_empty() { Err(CaptureError::NoFrames { path: path.into() }) } else { Ok(frames) }
}

/// Whole clocks in so many nanoseconds.
pub fn clocks(nanoseconds: u64, clock_hz: u64) -> u64 {
    (u128::from(nanoseconds) * u128::from(clock_hz) / 1_000_000_000) as u64
}

/// When the frames of a capture are offered, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    timing: Timing,
    /// stamp of the first frame
    first: Option<u64>,
    clock: u64,
}

impl Schedule {
    pub fn new(timing: Timing) -> Self {
        Self { timing, first: None, clock: 0 }
    }

    /// The moment of the next frame.
    pub fn next(&mut self, frame: &CapturedFrame) -> When {
        let first = *self.first.get_or_insert(frame.time_ns);
        match self.timing {
            Timing::LineRate { bytes_per_clock } => {
                let now = self.clock;
                self.clock += (frame.bytes.len() as u64).div_ceil(bytes_per_clock.max(1));
                When::At(now)
            }
            Timing::Capture { clock_hz } => {
                // a frame never comes before the one in front of it, whatever the stamps say
                self.clock = self.clock.max(clocks(frame.time_ns.saturating_sub(first), clock_hz));
                When::At(self.clock)
            }
            Timing::Idle(clocks) => When::After(clocks),
        }
    }
}

/// What a receive registry is offered for `frames`: headers, and in their place the lines for frames that are none of its
/// business.
pub fn offers(frames: &[CapturedFrame], reader: &Reader, timing: Timing) -> Vec<Offer> {
    let mut schedule = Schedule::new(timing);
    let offer = |(number, frame): (usize, &CapturedFrame)| {
        let when = schedule.next(frame);
        let frame_number = number as u64;
        let what = match frame.parse(reader) {
            Err(reason) => What::Line(Decision::FrameError { frame: frame_number, reason: reason.to_string() }),
            Ok(parsed) => match parsed.header() {
                Some(header) => What::Header(header),
                None => What::Line(Decision::Ignored { frame: frame_number, opcode: parsed.bth.opcode.0 }),
            },
        };
        Offer { frame: frame_number, when, what }
    };
    frames.iter().enumerate().map(offer).collect()
}

#[cfg(test)]
mod tests;
