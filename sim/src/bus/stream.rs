//! AXI4-Stream source and sink.

use super::{Agent, Channel, Dice, Reset, Stalls, Violation};
use crate::{Error, Model};
use std::collections::VecDeque;

/// One beat of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// as many as the bus is wide
    pub data: Vec<u8>,
    /// which bytes count, bit by bit; all where the bus has no `tkeep`
    pub keep: Vec<bool>,
    /// end of the packet
    pub last: bool,
    /// side-band, zero where the bus has no `tuser`
    pub user: u64,
    /// clock in which it passed, of a beat that was received
    pub cycle: u64,
}

fn width(channel: &Channel) -> Result<usize, Error> {
    let missing = || Error::Bus { bus: channel.prefix.clone(), detail: format!("there is no port `{}data`", channel.prefix) };
    channel.field("data").map(|(_, width)| width.div_ceil(8)).ok_or_else(missing)
}

/// Offers beats from a queue; nothing in reset.
pub struct StreamSource {
    channel: Channel,
    reset: Reset,
    width: usize,
    stalls: Stalls,
    dice: Dice,
    beats: VecDeque<Beat>,
    offered: bool,
    sent: u64,
}

impl StreamSource {
    /// At the ports that begin with `prefix`, for example `s_axis_frames_`.
    /// # Errors
    /// `tvalid`, `tready` or `tdata` is missing.
    pub fn new(model: &dyn Model, prefix: &str, seed: u64, stalls: Stalls) -> Result<Self, Error> {
        let channel = Channel::find(model, &format!("{prefix}t"))?;
        let width = width(&channel)?;
        Ok(StreamSource {
            channel,
            reset: Reset::find(model),
            width,
            stalls,
            dice: Dice::new(seed),
            beats: VecDeque::new(),
            offered: false,
            sent: 0,
        })
    }

    pub fn set_stalls(&mut self, stalls: Stalls) {
        self.stalls = stalls;
    }

    /// Queues a packet: beats full of bytes, what is left over in the last; `user` goes with its last beat.
    pub fn packet(&mut self, bytes: &[u8], user: u64) {
        let count = bytes.len().div_ceil(self.width).max(1);
        for i in 0..count {
            let chunk = &bytes[(i * self.width).min(bytes.len())..((i + 1) * self.width).min(bytes.len())];
            let mut data = chunk.to_vec();
            let keep = (0..self.width).map(|b| b < data.len()).collect();
            data.resize(self.width, 0);
            let last = i + 1 == count;
            self.beats.push_back(Beat { data, keep, last, user: if last { user } else { 0 }, cycle: 0 });
        }
    }

    /// Queues one beat as it is.
    pub fn beat(&mut self, beat: Beat) {
        self.beats.push_back(beat);
    }

    /// Beats that wait.
    pub fn waiting(&self) -> usize {
        self.beats.len()
    }

    /// Beats that have passed.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Forgets what waits, as after a reset.
    pub fn forget(&mut self) {
        self.beats.clear();
        self.offered = false;
    }
}

impl Agent for StreamSource {
    fn drive(&mut self, model: &mut dyn Model) {
        if self.reset.active(model) {
            self.offered = false;
            self.channel.set_valid(model, false);
            return;
        }
        if self.offered {
            return;
        }
        self.offered = !self.beats.is_empty() && !self.dice.chance(self.stalls.idle);
        self.channel.set_valid(model, self.offered);
        self.channel.garble(model, &mut self.dice);
        if self.offered {
            let beat = &self.beats[0];
            // Bytes that do not count are anything.
            let noise = self.dice.words(self.width.div_ceil(4));
            let noise = noise.iter().flat_map(|w| w.to_le_bytes());
            let data: Vec<u8> = beat.data.iter().zip(noise).enumerate().map(|(i, (d, n))| if beat.keep[i] { *d } else { n }).collect();
            self.channel.set_bytes(model, "data", &data);
            self.channel.set_bytes(model, "keep", &pack(&beat.keep));
            self.channel.set(model, "last", u64::from(beat.last));
            self.channel.set(model, "user", beat.user);
        }
    }

    fn observe(&mut self, model: &dyn Model, _: &mut Vec<Violation>) {
        if self.offered && self.channel.fires(model) {
            self.beats.pop_front();
            self.offered = false;
            self.sent += 1;
        }
    }
}

/// Takes beats.
pub struct StreamSink {
    channel: Channel,
    reset: Reset,
    stalls: Stalls,
    dice: Dice,
    beats: Vec<Beat>,
}

impl StreamSink {
    /// At the ports that begin with `prefix`, for example `m_axis_control_`.
    /// # Errors
    /// `tvalid`, `tready` or `tdata` is missing.
    pub fn new(model: &dyn Model, prefix: &str, seed: u64, stalls: Stalls) -> Result<Self, Error> {
        let channel = Channel::find(model, &format!("{prefix}t"))?;
        width(&channel)?;
        Ok(StreamSink { channel, reset: Reset::find(model), stalls, dice: Dice::new(seed), beats: Vec::new() })
    }

    pub fn set_stalls(&mut self, stalls: Stalls) {
        self.stalls = stalls;
    }

    /// Beats since the last call.
    pub fn beats(&mut self) -> Vec<Beat> {
        std::mem::take(&mut self.beats)
    }

    /// Whole packets since the last call, their bytes that count; an unfinished one stays.
    pub fn packets(&mut self) -> Vec<Vec<u8>> {
        let end = self.beats.iter().rposition(|b| b.last).map_or(0, |i| i + 1);
        let mut packets = vec![Vec::new()];
        for beat in self.beats.drain(..end) {
            if let Some(packet) = packets.last_mut() {
                packet.extend(beat.data.iter().zip(&beat.keep).filter(|(_, keep)| **keep).map(|(byte, _)| *byte));
            }
            if beat.last {
                packets.push(Vec::new());
            }
        }
        packets.pop();
        packets
    }
}

impl Agent for StreamSink {
    fn drive(&mut self, model: &mut dyn Model) {
        let ready = !self.dice.chance(self.stalls.backpressure);
        self.channel.set_ready(model, ready);
    }

    fn observe(&mut self, model: &dyn Model, _: &mut Vec<Violation>) {
        if self.channel.fires(model) && !self.reset.active(model) {
            let data = self.channel.get_bytes(model, "data").unwrap_or_default();
            let keep = unpack(self.channel.get_bytes(model, "keep"), data.len());
            let last = self.channel.get(model, "last") != Some(0);
            let user = self.channel.field("user").filter(|(_, w)| *w <= 64).map_or(0, |(port, _)| model.peek_u64(port));
            self.beats.push(Beat { data, keep, last, user, cycle: model.cycle() });
        }
    }
}

/// Bits to bytes.
fn pack(bits: &[bool]) -> Vec<u8> {
    let byte = |chunk: &[bool]| chunk.iter().enumerate().map(|(i, b)| u8::from(*b) << i).sum();
    bits.chunks(8).map(byte).collect()
}

/// Bits of a port; all set if there is none.
pub(super) fn unpack(bytes: Option<Vec<u8>>, bits: usize) -> Vec<bool> {
    match bytes {
        Some(bytes) => (0..bits).map(|i| bytes.get(i / 8).is_some_and(|b| b >> (i % 8) & 1 == 1)).collect(),
        None => vec![true; bits],
    }
}
