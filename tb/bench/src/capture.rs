//! Captures: pcap and pcapng files to frames, frames to what a bench offers.

use crate::receive_registry::{Offer, What, When};
use pcap_file::pcap::{PcapParser, RawPcapPacket};
use pcap_file::pcapng::blocks::interface_description::InterfaceDescriptionOption;
use pcap_file::pcapng::{Block, PcapNgParser};
use pcap_file::{DataLink, PcapError, TsResolution};
use rdma_rtl_golden::decision::Decision;
use rdma_rtl_golden::wire::{self, Reader};
use std::path::{Path, PathBuf};

/// One captured frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedFrame {
    /// nanoseconds, from any epoch
    pub time_ns: u64,
    /// fewer bytes were kept than were on the wire
    pub cut: bool,
    pub bytes: Vec<u8>,
}

/// Why a capture cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    #[error("cannot read capture {path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error("capture {path} is an empty file; a pcap or pcapng file is needed")]
    Empty { path: PathBuf },
    #[error("capture {path} holds no frames; is the capture filter `udp port 4791`, and was there traffic?")]
    NoFrames { path: PathBuf },
    #[error("{path} is no capture: it begins with {begins}, not with the magic number of pcap or pcapng")]
    NotACapture { path: PathBuf, begins: String },
    #[error(
        "capture {path} is truncated: it ends inside frame {frame} (0-based), after {bytes} bytes; record it again or cut it with `editcap`"
    )]
    Truncated { path: PathBuf, frame: usize, bytes: usize },
    #[error("capture {path} has link type {link}; only Ethernet (1) is read")]
    LinkType { path: PathBuf, link: u32 },
    #[error("capture {path} is damaged at frame {frame} (0-based): {text}")]
    Damaged { path: PathBuf, frame: usize, text: String },
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

/// Reads a capture file.
/// # Errors
/// The file cannot be read, is empty, cut off, damaged, of another link type or no capture at all.
pub fn read(path: &Path) -> Result<Vec<CapturedFrame>, CaptureError> {
    let bytes = std::fs::read(path).map_err(|source| CaptureError::Io { path: path.into(), source })?;
    parse(&bytes, path)
}

/// Reads a capture from memory; `path` is what errors call it.
/// # Errors
/// As [`read`].
pub fn parse(bytes: &[u8], path: &Path) -> Result<Vec<CapturedFrame>, CaptureError> {
    let path = path.to_path_buf();
    let frames = match bytes.first_chunk::<4>() {
        None if bytes.is_empty() => return Err(CaptureError::Empty { path }),
        Some([0x0a, 0x0d, 0x0d, 0x0a]) => parse_pcapng(bytes, &path)?,
        Some([0xa1, 0xb2, 0xc3, 0xd4] | [0xa1, 0xb2, 0x3c, 0x4d] | [0xd4, 0xc3, 0xb2, 0xa1] | [0x4d, 0x3c, 0xb2, 0xa1]) => {
            parse_pcap(bytes, &path)?
        }
        _ => {
            let head = &bytes[..bytes.len().min(12)];
            let printable = head.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
            let begins = if printable { format!("the text {:?}", String::from_utf8_lossy(head)) } else { format!("bytes {head:02x?}") };
            return Err(CaptureError::NotACapture { path, begins });
        }
    };
    if frames.is_empty() { Err(CaptureError::NoFrames { path }) } else { Ok(frames) }
}

fn error(path: &Path, frame: usize, bytes: usize, error: PcapError) -> CaptureError {
    let path = path.to_path_buf();
    match error {
        PcapError::IncompleteBuffer => CaptureError::Truncated { path, frame, bytes },
        other => CaptureError::Damaged { path, frame, text: other.to_string() },
    }
}

fn link(path: &Path, link: DataLink) -> Result<(), CaptureError> {
    match link {
        DataLink::ETHERNET => Ok(()),
        other => Err(CaptureError::LinkType { path: path.into(), link: other.into() }),
    }
}

fn parse_pcap(bytes: &[u8], path: &Path) -> Result<Vec<CapturedFrame>, CaptureError> {
    let (mut rest, parser) = PcapParser::new(bytes).map_err(|e| error(path, 0, bytes.len(), e))?;
    let header = parser.header();
    link(path, header.datalink)?;
    let unit = if header.ts_resolution == TsResolution::NanoSecond { 1 } else { 1000 };
    let mut frames = Vec::new();
    while !rest.is_empty() {
        // the raw form: the checked one refuses frames longer on the wire than the snap length, which is what a cut frame is
        let (after, packet) = parser.next_raw_packet(rest).map_err(|e| error(path, frames.len(), bytes.len(), e))?;
        let RawPcapPacket { ts_sec, ts_frac, orig_len, data, .. } = packet;
        frames.push(CapturedFrame {
            time_ns: u64::from(ts_sec) * 1_000_000_000 + u64::from(ts_frac) * unit,
            cut: (orig_len as usize) > data.len(),
            bytes: data.into_owned(),
        });
        rest = after;
    }
    Ok(frames)
}

fn parse_pcapng(bytes: &[u8], path: &Path) -> Result<Vec<CapturedFrame>, CaptureError> {
    let (mut rest, mut parser) = PcapNgParser::new(bytes).map_err(|e| error(path, 0, bytes.len(), e))?;
    let mut frames: Vec<CapturedFrame> = Vec::new();
    while !rest.is_empty() {
        let (after, block) = parser.next_block(rest).map_err(|e| error(path, frames.len(), bytes.len(), e))?;
        let damaged = |frame: usize, text: &str| CaptureError::Damaged { path: path.into(), frame, text: text.into() };
        let (interface, units, original, data) = match block {
            Block::EnhancedPacket(packet) => (packet.interface_id, packet.timestamp.as_nanos(), packet.original_len, packet.data),
            Block::Packet(packet) => (packet.interface_id.into(), packet.timestamp.into(), packet.original_len, packet.data),
            // has no time: as late as the one before
            Block::SimplePacket(packet) => (0, 0, packet.original_len, packet.data),
            _ => {
                rest = after;
                continue;
            }
        };
        let description = parser.interfaces().get(interface as usize);
        let description = description.ok_or_else(|| damaged(frames.len(), "it names an interface that is not described"))?;
        link(path, description.linktype)?;
        let resolution = description.options.iter().find_map(|option| match option {
            InterfaceDescriptionOption::IfTsResol(code) => Some(*code),
            _ => None,
        });
        // the library hands over the units of the file, whatever they are
        let before = frames.last().map_or(0, |frame| frame.time_ns);
        let time_ns = nanoseconds(units, resolution.unwrap_or(6)).max(before);
        frames.push(CapturedFrame { time_ns, cut: original as usize > data.len(), bytes: data.into_owned() });
        rest = after;
    }
    Ok(frames)
}

/// Nanoseconds of `units`, whose size is a negative power of ten, or of two if the top bit is set.
fn nanoseconds(units: u128, resolution: u8) -> u64 {
    let power = u32::from(resolution & 0x7f);
    let per_second = if resolution & 0x80 == 0 { 10u128.checked_pow(power) } else { 2u128.checked_pow(power) };
    per_second.map_or(0, |per_second| (units * 1_000_000_000 / per_second.max(1)) as u64)
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
        let what = match wire::parse(&frame.bytes, frame.cut, reader) {
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
