//! Test vectors: captures, and what a receive registry must decide about them, written by the golden model alone.
//!
//! `NAME.pcap` and `NAME.expected.jsonl` for each situation, and `index.json`, which says under what conditions they hold:
//! static parameters, runtime registers, timing, and which writes the memory refuses.

use crate::capture::{self, CaptureError, CapturedFrame, ETHERNET, Timing};
use crate::receive_registry::scenario::{self, Scenario};
use crate::receive_registry::{Config, Memory, Offer, Options, Params, Region, What, When};
use pcap_parser::{LegacyPcapBlock, Linktype, PcapHeader, ToVec};
use rdma_rtl_golden::decision::Line;
use rdma_rtl_golden::registry::{Alone, Header, Kind};
use rdma_rtl_golden::wire::{Aeth, AtomicEth, Bth, Control, Feth, Frame, Ip, Opcode, Reader, Reth};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One vector.
#[derive(Clone, Debug)]
pub struct Vector {
    pub name: String,
    pub about: String,
    pub params: Params,
    pub set: Vec<(&'static str, u64)>,
    pub regions: Vec<Region>,
    /// frames whose write the memory refuses
    pub failing: Vec<u64>,
    /// the capture
    pub pcap: Vec<u8>,
    /// expected decisions, one JSON object per line
    pub expected: String,
}

impl Vector {
    /// The runtime registers.
    pub fn config(&self) -> Config {
        let mut config = Config::defaults(&self.params);
        for &(name, value) in &self.set {
            // names and values come from a scenario, whose own tests use them
            let _ = config.set(name, value);
        }
        config
    }

    /// How a bench runs it: as `index.json` says, nothing stalls, memory answers after 16 clocks.
    pub fn options(&self) -> Options {
        Options {
            config: self.config(),
            regions: self.regions.clone(),
            memory: Memory { failing: self.failing.clone(), ..Memory::default() },
            drop_without_slot: true,
            log: true,
            ..Options::new(&self.params)
        }
    }

    /// What a bench offers: the capture's frames at their times.
    /// # Errors
    /// The capture cannot be read.
    pub fn offers(&self) -> Result<Vec<Offer>, CaptureError> {
        let frames = capture::parse(&self.pcap, Path::new(&self.name))?;
        Ok(capture::offers(&frames, &Reader::registry(), Timing::Capture { clock_hz: Timing::CLOCK_HZ }))
    }
}

/// Why vectors cannot be made or written.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
    #[error("vector {name}: {text}")]
    Make { name: String, text: String },
}

/// Every vector, for the parameters of the profile `default`.
/// # Errors
/// A vector that contradicts itself: a fault of this crate.
pub fn all() -> Result<Vec<Vector>, VectorError> {
    let mut vectors = Vec::new();
    for scenario in scenario::all(&Params::DEFAULT) {
        let frames = scenario.frames.iter().enumerate();
        let frames: Vec<_> =
            frames.map(|(psn, (clock, header))| captured(*clock, Frame::carrying(header, psn as u32).to_bytes())).collect();
        vectors.push(make(&scenario, &frames)?);
    }
    let blank = Scenario {
        name: "frame_errors",
        about: "frames that do not fit, frames for others, and good ones with VLAN tag, IPv4 options and IPv6 between them",
        set: Vec::new(),
        regions: Vec::new(),
        frames: Vec::new(),
        failing: Vec::new(),
        expects: Vec::new(),
    };
    vectors.push(make(&blank, &frame_errors())?);
    let about = "a packet with each opcode of RC, 0x00 to 0x1f: 0x0a and 0x0b are operations, the others are not for a registry, those that the standard reserves among them";
    vectors.push(make(&Scenario { name: "rc_opcodes", about, ..blank }, &rc_opcodes())?);
    Ok(vectors)
}

/// A frame at a clock: the earliest nanosecond that is not before it, so that reading it gives the same clock.
fn captured(clock: u64, bytes: Vec<u8>) -> CapturedFrame {
    let time_ns = (u128::from(clock) * 1_000_000_000).div_ceil(u128::from(Timing::CLOCK_HZ)) as u64;
    CapturedFrame::ethernet(time_ns, bytes)
}

fn make(scenario: &Scenario, frames: &[CapturedFrame]) -> Result<Vector, VectorError> {
    let name = scenario.name.to_owned();
    let fault = |text: String| VectorError::Make { name: name.clone(), text };
    let pcap = pcap(frames).map_err(fault)?;
    let params = scenario.params(&Params::DEFAULT);
    let read = capture::parse(&pcap, Path::new(&name)).map_err(|e| fault(e.to_string()))?;
    let config = scenario.config(&params);
    let lines = decide(&read, &params, config, &scenario.regions, &scenario.failing).map_err(|e| fault(e.to_string()))?;
    let expected = lines.iter().map(|line| line.to_json() + "\n").collect();
    Ok(Vector {
        about: scenario.about.to_owned(),
        params,
        set: scenario.set.clone(),
        regions: scenario.regions.clone(),
        failing: scenario.failing.clone(),
        pcap,
        expected,
        name,
    })
}

/// What the golden model alone decides about a capture.
/// # Errors
/// As [`Alone::header`].
pub fn decide(
    frames: &[CapturedFrame],
    params: &Params,
    config: Config,
    regions: &[Region],
    failing: &[u64],
) -> Result<Vec<Line>, rdma_rtl_golden::registry::Mismatch> {
    let mut alone = Alone::new(*params, config, failing.to_vec());
    regions.iter().enumerate().for_each(|(at, region)| alone.registry().set_region(at, *region));
    let timing = Timing::Capture { clock_hz: Timing::CLOCK_HZ };
    for offer in capture::offers(frames, &Reader::registry(), timing) {
        let When::At(clock) = offer.when else { continue };
        match offer.what {
            What::Header(header) => alone.header(clock, offer.frame, &header)?,
            What::Line(decision) => {
                alone.run_until(clock)?;
                alone.line(decision);
            }
        }
    }
    alone.run_dry()
}

/// A pcap file with nanosecond stamps.
fn pcap(frames: &[CapturedFrame]) -> Result<Vec<u8>, String> {
    const NANOSECONDS: u32 = 0xa1b2_3c4d;
    let header = PcapHeader { magic_number: NANOSECONDS, snaplen: 65_535, network: Linktype(ETHERNET.into()), ..PcapHeader::new() };
    let mut bytes = header.to_vec_raw().map_err(|e| e.to_string())?;
    for frame in frames {
        let captured = frame.bytes.len() as u32;
        let block = LegacyPcapBlock {
            ts_sec: (frame.time_ns / 1_000_000_000) as u32,
            ts_usec: (frame.time_ns % 1_000_000_000) as u32,
            caplen: captured,
            origlen: captured + u32::from(frame.cut),
            data: &frame.bytes,
        };
        bytes.extend(block.to_vec_raw().map_err(|e| e.to_string())?);
    }
    Ok(bytes)
}

/// A frame for every reason to drop one, in the order of the checks, and good frames between them.
fn frame_errors() -> Vec<CapturedFrame> {
    let start = |op: u32| Header {
        kind: Kind::Start,
        src: 1,
        op,
        addr: 0x1000 * u64::from(op),
        bytes: 60,
        op_bytes: 60,
        count: 1,
        rkey: 1,
        imm: None,
    };
    let frame = |op: u32| Frame::carrying(&start(op), op);
    let good = || frame(1).to_bytes();
    let edited = |edit: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good();
        edit(&mut bytes);
        bytes
    };
    let with = |edit: &dyn Fn(&mut Frame)| {
        let mut frame = frame(1);
        edit(&mut frame);
        frame.to_bytes()
    };
    let mut acknowledgement = Frame::new(Bth::new(Opcode::ACKNOWLEDGE, 0x11, 5));
    acknowledgement.aeth = Some(Aeth { syndrome: 0x1f, msn: 1 });
    let mut op_ack = Frame::new(Bth::new(Opcode::OP_ACK, 0x11, 0));
    op_ack.control = Some(Control::OpAck { op: 1, index: 0, status: 0, mask: 1 });
    let mut six = frame(4);
    six.ip = Ip::V6 { source: std::net::Ipv6Addr::LOCALHOST, destination: std::net::Ipv6Addr::LOCALHOST };
    let frames = vec![
        edited(&|b| b[12..14].copy_from_slice(&[0x08, 0x06])),
        edited(&|b| b[23] = 6),
        edited(&|b| b[36..38].copy_from_slice(&[0x12, 0xb8])),
        edited(&|b| b.truncate(60)),
        edited(&|b| b[20] |= 0x20),
        frame(1).to_bytes(),
        with(&|f| f.vlan = Some(0x0123)).into_iter().chain([0; 6]).collect(),
        edited(&|b| b[43] |= 1),
        edited(&|b| b[42] = 0x24),
        edited(&|b| {
            b[43] |= 0x30;
            b.drain(78..b.len() - 4 - 2);
        }),
        edited(&|b| b[39] ^= 1),
        edited(&|b| b.truncate(b.len() - 1)),
        edited(&|b| b[90] ^= 0x80),
        with(&|f| f.op_eth = f.op_eth.map(|eth| rdma_rtl_golden::wire::OpEth { flags: 4, ..eth })),
        with(&|f| f.op_eth = f.op_eth.map(|eth| rdma_rtl_golden::wire::OpEth { flags: 0, ..eth })),
        with(&|f| {
            f.op_eth = f.op_eth.map(|eth| rdma_rtl_golden::wire::OpEth { flags: 0, count: 0, ..eth });
            f.payload.truncate(56);
        }),
        acknowledgement.to_bytes(),
        op_ack.to_bytes(),
        {
            let mut options = frame(3);
            options.ip_options = vec![1; 4];
            options.to_bytes()
        },
        six.to_bytes(),
    ];
    let mut frames: Vec<_> = frames.into_iter().enumerate().map(|(at, bytes)| captured(at as u64 * 12, bytes)).collect();
    let mut cut = captured(frames.len() as u64 * 12, good());
    cut.cut = true;
    frames.push(cut);
    frames
}

/// A packet with each opcode from 0x00 to 0x1f, in this order, with consecutive sequence numbers.
fn rc_opcodes() -> Vec<CapturedFrame> {
    let registered = |op: u32, imm: Option<u32>| Header {
        kind: Kind::Start,
        src: 1,
        op,
        addr: 0x1000 * u64::from(op),
        bytes: 60,
        op_bytes: 60,
        count: 1,
        rkey: 1,
        imm,
    };
    let frame = |opcode: u8| {
        let (code, psn) = (Opcode(opcode), 0x100 + u32::from(opcode));
        match code {
            Opcode::WRITE_ONLY => return Frame::carrying(&registered(1, None), psn).to_bytes(),
            Opcode::WRITE_ONLY_IMM => return Frame::carrying(&registered(2, Some(0x1234_5678)), psn).to_bytes(),
            _ => {}
        }
        let shape = code.shape().unwrap_or_default();
        let mut frame = Frame::new(Bth::new(code, 0x11, psn));
        frame.reth = shape.reth.then_some(Reth { address: 0x5000, rkey: 1, length: 64 });
        frame.feth = shape.feth.then_some(Feth { placement: 1, selectivity: 0, reserved: 0 });
        frame.aeth = shape.aeth.then_some(Aeth { syndrome: 0x1f, msn: 1 });
        frame.atomic = shape.atomic.then_some(AtomicEth { address: 0x5000, rkey: 1, swap_or_add: 2, compare: 3 });
        frame.atomic_ack = shape.atomic_ack.then_some(4);
        frame.imm = shape.imm.then_some(5);
        frame.ieth = shape.ieth.then_some(6);
        let bytes = if code == Opcode::ATOMIC_WRITE {
            8
        } else if shape.data || (0x0d..=0x10).contains(&opcode) {
            64
        } else {
            0
        };
        frame.payload = vec![opcode; bytes];
        frame.to_bytes()
    };
    (0..0x20u8).map(|opcode| captured(u64::from(opcode) * 12, frame(opcode))).collect()
}

/// What `index.json` says of a vector.
fn entry(vector: &Vector) -> Value {
    let Params { entries, mask_bits, packet_size, sources, index_bits, escape_slots, writes, regions } = vector.params;
    let set: Map<String, Value> = vector.set.iter().map(|&(name, value)| (name.to_owned(), json!(value))).collect();
    let memory: Vec<Value> = vector
        .regions
        .iter()
        .map(|region| json!({ "rkey": region.rkey, "base": format!("{:#x}", region.base), "length": region.length }))
        .collect();
    json!({
        "name": vector.name,
        "about": vector.about,
        "block": "receive_registry",
        "params": {
            "entries": entries, "mask_bits": mask_bits, "packet_size": packet_size, "sources": sources, "index_bits": index_bits,
            "escape_slots": escape_slots, "writes": writes, "regions": regions,
        },
        "timing": "capture",
        "clock_hz": Timing::CLOCK_HZ,
        "set": set,
        "regions": memory,
        "failing_writes": vector.failing,
    })
}

/// Writes every vector and `index.json` into `dir`, each file whole or not at all; says what it wrote.
/// # Errors
/// A file cannot be written.
pub fn write(dir: &Path) -> Result<Vec<PathBuf>, VectorError> {
    let mut written = Vec::new();
    for (name, bytes) in files()? {
        let path = dir.join(&name);
        let aside = dir.join(format!(".{name}.tmp"));
        let failed = |source| VectorError::Write { path: path.clone(), source };
        std::fs::create_dir_all(dir).map_err(failed)?;
        std::fs::write(&aside, bytes).and_then(|()| std::fs::rename(&aside, &path)).map_err(|source| {
            let _ = std::fs::remove_file(&aside);
            failed(source)
        })?;
        written.push(path);
    }
    Ok(written)
}

/// Name and content of every file.
/// # Errors
/// As [`all`].
pub fn files() -> Result<BTreeMap<String, Vec<u8>>, VectorError> {
    let vectors = all()?;
    let index: Vec<Value> = vectors.iter().map(entry).collect();
    let index = serde_json::to_string_pretty(&index).unwrap_or_default() + "\n";
    let mut files = BTreeMap::from([("index.json".to_owned(), index.into_bytes())]);
    for vector in vectors {
        files.insert(format!("{}.expected.jsonl", vector.name), vector.expected.into_bytes());
        files.insert(format!("{}.pcap", vector.name), vector.pcap);
    }
    Ok(files)
}

/// The first difference between two decision files, leaving the moments aside: for each frame, and for each operation and
/// kind of line, the same lines in the same order. `None`: they agree.
pub fn difference(expected: &str, got: &str) -> Option<String> {
    let (expected, got) = match (by_key(expected), by_key(got)) {
        (Ok(expected), Ok(got)) => (expected, got),
        (Err(text), _) => return Some(format!("expected decisions: {text}")),
        (_, Err(text)) => return Some(format!("decisions: {text}")),
    };
    let none = Vec::new();
    for key in expected.keys().chain(got.keys()) {
        let (expected, got) = (expected.get(key).unwrap_or(&none), got.get(key).unwrap_or(&none));
        if expected != got {
            let text = |lines: &[Value]| lines.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
            return Some(format!("{key}: [{}] is expected, [{}] was decided", text(expected), text(got)));
        }
    }
    None
}

fn by_key(text: &str) -> Result<BTreeMap<String, Vec<Value>>, String> {
    let mut lines: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let mut object: Map<String, Value> = serde_json::from_str(line).map_err(|e| format!("line {}: {e}", number + 1))?;
        for moment in ["cycle", "after", "not_before", "not_after"] {
            object.remove(moment);
        }
        let part = |name: &str| object.get(name).map_or(String::new(), |value| format!(" {name} {value}"));
        let whose = if object.contains_key("frame") { part("frame") } else { part("src") + &part("op") };
        let kind = object.get("kind").and_then(Value::as_str).unwrap_or("line without kind");
        lines.entry(format!("{kind}{whose}")).or_default().push(Value::Object(object));
    }
    Ok(lines)
}

#[cfg(test)]
mod tests;
