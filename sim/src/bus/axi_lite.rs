//! AXI4-Lite master.

use super::{Agent, Channel, Dice, Reset, Stalls, Violation};
use crate::{Error, Model};
use std::collections::VecDeque;

/// What became of a read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    pub address: u64,
    pub write: bool,
    /// value read, or value written
    pub data: u32,
    /// 0 OKAY, 2 SLVERR, 3 DECERR
    pub response: u8,
    /// of the clock in which the answer came
    pub cycle: u64,
}

impl Answer {
    /// Answered OKAY.
    pub fn ok(&self) -> bool {
        self.response == 0
    }
}

/// AXI4-Lite master: reads and writes from a queue, address and data of a write independent of each other, random stalls.
///
/// Reads and writes have no order between each other: wait for [`idle`](AxiLiteMaster::idle) where it matters. In reset it offers
/// nothing and hears nothing; what was under way has then no answer, see [`forget`](AxiLiteMaster::forget).
pub struct AxiLiteMaster {
    aw: Channel,
    w: Channel,
    b: Channel,
    ar: Channel,
    r: Channel,
    reset: Reset,
    stalls: Stalls,
    dice: Dice,
    addresses: VecDeque<u64>,
    data: VecDeque<(u32, u8)>,
    reads: VecDeque<u64>,
    /// answers to come
    written: VecDeque<(u64, u32)>,
    read: VecDeque<u64>,
    offered: [bool; 3],
    answers: Vec<Answer>,
}

impl AxiLiteMaster {
    /// At the ports that begin with `prefix`, for example `s_axi_`.
    /// # Errors
    /// A channel's ports are missing.
    pub fn new(model: &dyn Model, prefix: &str, seed: u64, stalls: Stalls) -> Result<Self, Error> {
        let channel = |name: &str| Channel::find(model, &format!("{prefix}{name}"));
        Ok(AxiLiteMaster {
            aw: channel("aw")?,
            w: channel("w")?,
            b: channel("b")?,
            ar: channel("ar")?,
            r: channel("r")?,
            reset: Reset::find(model),
            stalls,
            dice: Dice::new(seed),
            addresses: VecDeque::new(),
            data: VecDeque::new(),
            reads: VecDeque::new(),
            written: VecDeque::new(),
            read: VecDeque::new(),
            offered: [false; 3],
            answers: Vec::new(),
        })
    }

    /// From now on.
    pub fn set_stalls(&mut self, stalls: Stalls) {
        self.stalls = stalls;
    }

    /// Queues a write of all four bytes.
    pub fn write(&mut self, address: u64, data: u32) {
        self.write_bytes(address, data, 0xf);
    }

    /// Queues a write of the bytes whose strobe is set.
    pub fn write_bytes(&mut self, address: u64, data: u32, strobe: u8) {
        self.addresses.push_back(address);
        self.data.push_back((data, strobe));
        self.written.push_back((address, data));
    }

    /// Queues a read.
    pub fn read(&mut self, address: u64) {
        self.reads.push_back(address);
        self.read.push_back(address);
    }

    /// Everything queued has been answered.
    pub fn idle(&self) -> bool {
        self.written.is_empty() && self.read.is_empty()
    }

    /// Answers since the last call, in the order in which they came.
    pub fn answers(&mut self) -> Vec<Answer> {
        std::mem::take(&mut self.answers)
    }

    /// Forgets what is queued and under way, as after a reset.
    pub fn forget(&mut self) {
        self.addresses.clear();
        self.data.clear();
        self.reads.clear();
        self.written.clear();
        self.read.clear();
        self.offered = [false; 3];
    }
}

impl Agent for AxiLiteMaster {
    fn drive(&mut self, model: &mut dyn Model) {
        if self.reset.active(model) {
            self.offered = [false; 3];
            for channel in [&self.aw, &self.w, &self.ar] {
                channel.set_valid(model, false);
            }
            return;
        }
        let there = [!self.addresses.is_empty(), !self.data.is_empty(), !self.reads.is_empty()];
        for (i, channel) in [&self.aw, &self.w, &self.ar].into_iter().enumerate() {
            if self.offered[i] {
                continue;
            }
            self.offered[i] = there[i] && !self.dice.chance(self.stalls.idle);
            channel.set_valid(model, self.offered[i]);
            channel.garble(model, &mut self.dice);
            if !self.offered[i] {
                continue;
            }
            match i {
                0 => channel.set(model, "addr", self.addresses[0]),
                1 => {
                    channel.set(model, "data", u64::from(self.data[0].0));
                    channel.set(model, "strb", u64::from(self.data[0].1));
                }
                _ => channel.set(model, "addr", self.reads[0]),
            }
        }
        for channel in [&self.b, &self.r] {
            let ready = !self.dice.chance(self.stalls.backpressure);
            channel.set_ready(model, ready);
        }
    }

    fn observe(&mut self, model: &dyn Model, violations: &mut Vec<Violation>) {
        if self.reset.active(model) {
            return;
        }
        let fires = [self.aw.fires(model), self.w.fires(model), self.ar.fires(model)];
        for (offered, fires) in self.offered.iter_mut().zip(fires) {
            *offered &= !fires;
        }
        if fires[0] {
            self.addresses.pop_front();
        }
        if fires[1] {
            self.data.pop_front();
        }
        if fires[2] {
            self.reads.pop_front();
        }
        let cycle = model.cycle();
        let mut surprise = |bus: &Channel| {
            let detail = "an answer came and nothing had been asked".to_string();
            violations.push(Violation { cycle, bus: bus.prefix.clone(), rule: "answer without request", detail });
        };
        if self.b.fires(model) {
            let response = self.b.get(model, "resp").unwrap_or(0) as u8;
            match self.written.pop_front() {
                Some((address, data)) => self.answers.push(Answer { address, write: true, data, response, cycle }),
                None => surprise(&self.b),
            }
        }
        if self.r.fires(model) {
            let response = self.r.get(model, "resp").unwrap_or(0) as u8;
            let data = self.r.get(model, "data").unwrap_or(0) as u32;
            match self.read.pop_front() {
                Some(address) => self.answers.push(Answer { address, write: false, data, response, cycle }),
                None => surprise(&self.r),
            }
        }
    }
}
