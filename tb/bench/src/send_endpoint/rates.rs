//! Latency and throughput, clock by clock at the ports, of an endpoint whose buses never wait.

use super::directed::{SOURCE, command};
use super::peer::{Address, Message};
use super::{Endpoint, PATIENCE};
use rdma_rtl_golden::registry::Kind;
use rdma_rtl_golden::send::splitter::Command;
use rdma_rtl_golden::send::status;
use rdma_rtl_golden::wire::{Control, Reader, parse_judged};
use rdma_rtl_sim::Model;
use std::collections::BTreeMap;

/// Offset of TAILDESC in the CDMA.
const TAIL: u64 = 0x10;

/// A port of the CDMA as it is before the next clock.
fn cdma_pin(endpoint: &Endpoint, name: &str) -> u64 {
    let Some(cdma) = endpoint.cdma.as_ref().map(|cdma| cdma.inner()) else { return 0 };
    cdma.port(name).map_or(0, |port| cdma.peek_u64(port))
}

/// Receivers that answer an operation when its last packet has left, and lose nothing.
#[derive(Default)]
struct Receivers {
    left: BTreeMap<u32, u16>,
}

impl Receivers {
    fn answer(&mut self, endpoint: &mut Endpoint) -> Result<(), String> {
        for bytes in endpoint.transmitted() {
            let frame = parse_judged(&bytes, true, &Reader::registry()).map_err(|e| format!("{bytes:02x?}: {e}"))?;
            let header = frame.header().ok_or("no packet of an operation")?;
            let left = self.left.entry(header.op).or_insert(if header.kind == Kind::Start { header.count } else { 1 });
            *left -= 1;
            if *left == 0 {
                self.left.remove(&header.op);
                let control = Control::Completion { op: header.op, status: 0, packets: 0 };
                let (bytes, user) = Message { due: 0, control, address: Address::Ours }.frame();
                endpoint.frames.packet(&bytes, user);
            }
        }
        Ok(())
    }
}

/// Clocks on the way of a command through an idle endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Latency {
    /// from the command to the access of the CDMA's tail
    pub to_tail: u64,
    /// from the CDMA's status write to the first beat of the frame
    pub to_frame: u64,
}

/// That of a command of one packet, the CDMA in its stride.
/// # Errors
/// It does not come to its end.
pub fn latency(endpoint: &mut Endpoint) -> Result<Latency, String> {
    let mut receivers = Receivers::default();
    let mut found = Latency { to_tail: u64::MAX, to_frame: u64::MAX };
    // The driver reads a register of the CDMA every 64 clocks, and the access of the tail may wait for that.
    for id in 0..6 {
        endpoint.command(&command(id, 0, 64));
        let sent = |endpoint: &Endpoint| endpoint.commands.as_ref().map_or(0, |stream| stream.sent());
        let before = sent(endpoint);
        let (mut taken, mut tail, mut status, mut frame) = (None, None, None, None);
        let limit = endpoint.now() + PATIENCE;
        while frame.is_none() {
            endpoint.clock();
            let now = endpoint.now();
            if now > limit {
                return Err(format!("no frame in {PATIENCE} clocks"));
            }
            if sent(endpoint) > before {
                taken.get_or_insert(now - 1);
            }
            if endpoint.pin("m_axi_cdma_awvalid") == 1 && endpoint.pin("m_axi_cdma_awaddr") == TAIL {
                tail.get_or_insert(now);
            }
            if cdma_pin(endpoint, "m_axi_sg_wvalid") == 1 && endpoint.pin("s_axi_sg_wready") == 1 {
                status.get_or_insert(now);
            }
            if endpoint.pin("m_axis_tx_tvalid") == 1 {
                frame.get_or_insert(now);
            }
        }
        let between = |from: Option<u64>, to: Option<u64>| to.zip(from).map_or(0, |(to, from)| to.saturating_sub(from));
        found.to_tail = found.to_tail.min(between(taken, tail));
        found.to_frame = found.to_frame.min(between(status, frame));
        let mut told = Vec::new();
        while told.is_empty() {
            endpoint.clock();
            receivers.answer(endpoint)?;
            told.extend(endpoint.poll()?);
            if endpoint.now() > limit {
                return Err(format!("no completion in {PATIENCE} clocks"));
            }
        }
        endpoint.settle()?;
    }
    Ok(found)
}

/// What passed while commands waited all the time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// of the clocks from the first beat of a frame to the last one
    pub clocks: u64,
    pub beats: u64,
    /// bytes of payload among them
    pub payload: u64,
    /// beats per clock of the CDMA's data bus while every slot was free: what it can do by itself
    pub alone: f64,
    /// bytes of a beat
    pub width: u64,
}

impl Rate {
    /// Part of the clocks in which a beat left.
    pub fn share(&self) -> f64 {
        self.beats as f64 / self.clocks as f64
    }

    /// Payload in beats per clock.
    pub fn goodput(&self) -> f64 {
        self.payload as f64 / (self.clocks * self.width) as f64
    }
}

/// So many commands of `bytes`, which are cut as the registers say; `slots` and bytes of a segment as the endpoint has them.
/// # Errors
/// They do not come to their end, or one fails.
pub fn saturate(endpoint: &mut Endpoint, commands: u16, bytes: u32, segment: u32, slots: u64) -> Result<Rate, String> {
    let width = endpoint.bits("m_axis_tx_tdata") as u64 / 8;
    let mut receivers = Receivers::default();
    let list = |id: u16| Command { target: 0x50_0000_0000 + (u64::from(id) << 24), ..command(id, 0, bytes) };
    (0..commands).for_each(|id| endpoint.command(&list(id)));
    let mut rate = Rate { width, ..Rate::default() };
    // beats that fill the slots once
    let fill = slots * u64::from(segment.min(bytes)) / width;
    let (mut in_beats, mut in_first, mut first, mut told) = (0, 0, None, 0);
    let limit = endpoint.now() + u64::from(commands) * u64::from(bytes) + PATIENCE;
    while told < commands {
        endpoint.clock();
        let now = endpoint.now();
        if cdma_pin(endpoint, "m_axi_wvalid") == 1 && endpoint.pin("s_axi_buffer_wready") == 1 {
            if in_beats == 0 {
                in_first = now;
            }
            in_beats += 1;
            if in_beats == fill {
                rate.alone = fill as f64 / (now + 1 - in_first) as f64;
            }
        }
        if endpoint.pin("m_axis_tx_tvalid") == 1 {
            rate.beats += 1;
            rate.clocks = now + 1 - *first.get_or_insert(now);
        }
        receivers.answer(endpoint)?;
        for entry in endpoint.poll()? {
            if entry[60] != status::DONE {
                return Err(format!("a command ends with {}", entry[60]));
            }
            told += 1;
        }
        if now > limit {
            return Err(format!("{told} of {commands} commands are told"));
        }
    }
    rate.payload = u64::from(commands) * u64::from(bytes);
    endpoint.settle()?;
    endpoint.sound()?;
    Ok(rate)
}

/// A soft reset while the wire is held back, with more fetched than the packet engine has room for: it ends none the less.
/// # Errors
/// It does not.
pub fn reset_behind_the_wire(endpoint: &mut Endpoint, slots: u16, arrivals: u16) -> Result<(), String> {
    let stalls = |percent| rdma_rtl_sim::bus::Stalls { idle: 0, backpressure: percent };
    let mut ops = Vec::new();
    (0..arrivals).for_each(|id| endpoint.command(&Command { arrival: true, ..command(id, 0, 64) }));
    while ops.len() < usize::from(arrivals) {
        endpoint.clock();
        for bytes in endpoint.transmitted() {
            let frame = parse_judged(&bytes, true, &Reader::registry()).map_err(|e| e.to_string())?;
            ops.extend(frame.header().map(|header| header.op));
        }
    }
    endpoint.wire(false, stalls(0));
    // headers of more packets than it has room for stand before them
    (0..2).for_each(|id| endpoint.command(&command(0x100 + id, 0, 1 << 14)));
    for _ in 0..3000 {
        endpoint.clock();
    }
    for op in ops {
        let control = Control::Completion { op, status: 0, packets: 1 };
        endpoint.frames.packet(&Message { due: 0, control, address: Address::Ours }.frame().0, 0);
    }
    // loads are under way while the data arrivals go to the packet engine
    (0..slots).for_each(|id| endpoint.command(&command(id, 0, 64)));
    for _ in 0..3000 {
        endpoint.clock();
    }
    endpoint.write("control", 1 << 8)?;
    endpoint.wire(true, stalls(0));
    endpoint.soft_reset()
}

/// Memory for `bytes` from [`SOURCE`] on.
pub fn furnish(endpoint: &mut Endpoint, bytes: usize) {
    if let Some(cdma) = &mut endpoint.cdma {
        cdma.inner_mut().memory().region(SOURCE, bytes);
    }
}
