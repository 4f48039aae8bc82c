//! Frames as fast as the bus takes them: how many of the beats that could come do come.

use super::{Endpoint, QP};
use rdma_rtl_golden::registry::{Header, Kind};
use rdma_rtl_golden::wire::Frame;

const BASE: u64 = 0x77_0000_0000;

/// What saturation gave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// beats that were taken in a number of clocks
    pub beats: u64,
    pub clocks: u64,
}

impl Rate {
    /// Share of the clocks that brought a beat.
    pub fn share(&self) -> f64 {
        self.beats as f64 / self.clocks as f64
    }
}

/// `operations` of `packets` packets with `payload` bytes each, in order, with no idle beat; memory, network and software always ready.
/// `packets` of more than one have the endpoint's packet size.
///
/// `beat` is the bytes of a beat. The first operations fill what stands empty and are not measured.
/// # Errors
/// What breaks a rule, or an operation that does not complete.
pub fn saturate(endpoint: &mut Endpoint, beat: usize, payload: usize, packets: usize, operations: usize) -> Result<Rate, String> {
    let places = 64;
    for place in 0..places {
        endpoint.memory.region(BASE + ((place as u64) << 20), payload * packets);
    }
    let mut frames = Vec::new();
    for number in 0..operations {
        let base = BASE + (((number % places) as u64) << 20);
        for packet in 0..packets {
            let header = Header {
                kind: if packet == 0 { Kind::Start } else { Kind::Body },
                src: (number % 4) as u16,
                op: (number / 4) as u32,
                addr: base + (packet * payload) as u64,
                bytes: payload as u16,
                op_bytes: (payload * packets) as u32,
                count: if packet == 0 { packets as u16 } else { 0 },
                rkey: 0,
                imm: None,
            };
            let mut frame = Frame::carrying(&header, 0);
            frame.bth.destination_qp = QP;
            frame.payload = vec![number as u8; payload];
            frames.push(frame.to_bytes());
        }
    }
    let (rate, completed) = measure(endpoint, beat, &frames)?;
    if completed != operations {
        return Err(format!("{completed} completions of {operations} operations; counters are {:?}", endpoint.counters()?));
    }
    Ok(rate)
}

/// Copies of one packet of 64 bytes, the last of a live operation whose middle is missing: the smallest frames that a registry sees many
/// of.
/// # Errors
/// As [`saturate`]; a copy that is not counted as a duplicate.
pub fn saturate_by_copies(endpoint: &mut Endpoint, beat: usize, packet_size: usize, copies: usize) -> Result<Rate, String> {
    endpoint.memory.region(BASE, 3 * packet_size);
    let op_bytes = 2 * packet_size + 64;
    let packet = |index: usize, bytes: usize| {
        let kind = if index == 0 { Kind::Start } else { Kind::Body };
        let (addr, count) = (BASE + (index * packet_size) as u64, if index == 0 { 3 } else { 0 });
        let header = Header { kind, src: 1, op: 1, addr, bytes: bytes as u16, op_bytes: op_bytes as u32, count, rkey: 0, imm: None };
        let mut frame = Frame::carrying(&header, 0);
        frame.bth.destination_qp = QP;
        frame.payload = vec![0x5a; bytes];
        frame.to_bytes()
    };
    let mut frames = vec![packet(0, packet_size)];
    frames.resize(copies + 1, packet(2, 64));
    let (rate, completed) = measure(endpoint, beat, &frames)?;
    let counters = endpoint.counters()?;
    if completed != 0 || counters.get("count_duplicate") != Some(&(copies as u64 - 1)) {
        return Err(format!("{completed} completions; counters are {counters:?}"));
    }
    Ok(rate)
}

/// Offers the frames without a pause while software takes completions; how fast they were taken, and the number of completions.
fn measure(endpoint: &mut Endpoint, beat: usize, frames: &[Vec<u8>]) -> Result<(Rate, usize), String> {
    let beats: u64 = frames.iter().map(|f| f.len().div_ceil(beat) as u64).sum();
    frames.iter().for_each(|frame| endpoint.frames.packet(frame, 0));
    let (before, limit) = (endpoint.frames.sent(), endpoint.now() + 20 * beats + 40_000);
    let (mut first, mut last, mut completed) = (None, (0, 0), 0);
    while endpoint.frames.waiting() > 0 {
        for _ in 0..20 {
            endpoint.clock();
        }
        let point = (endpoint.frames.sent() - before, endpoint.now());
        if first.is_none() && point.0 >= beats / 8 {
            first = Some(point);
        }
        if endpoint.frames.waiting() > 0 {
            last = point;
        }
        completed += endpoint.completions()?.len();
        if endpoint.now() > limit {
            return Err(format!(
                "{} of {beats} beats still wait at clock {limit}; counters are {:?}",
                endpoint.frames.waiting(),
                endpoint.counters()?
            ));
        }
    }
    endpoint.settle()?;
    completed += endpoint.completions()?.len();
    endpoint.sound()?;
    let (from, begin) = first.ok_or("too few frames to measure")?;
    Ok((Rate { beats: last.0 - from, clocks: last.1 - begin }, completed))
}
