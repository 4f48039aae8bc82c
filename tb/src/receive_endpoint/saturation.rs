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

/// `operations` of `packets` packets with `payload` bytes each, in order, with no idle beat; memory, network and software always ready. `packets` of more
/// than one have the endpoint's packet size.
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
                op: (number / 4) as u16,
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
    if completed != operations {
        return Err(format!("{completed} completions of {operations} operations; counters are {:?}", endpoint.counters()?));
    }
    let (from, begin) = first.ok_or("too few frames to measure")?;
    Ok(Rate { beats: last.0 - from, clocks: last.1 - begin })
}
