//! Protocol checkers: they drive nothing, and say which rule was broken, when and how.

use super::{Agent, Channel, ChannelCheck, Reset, Violation};
use crate::{Error, Model};
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// A burst as its address channel asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    pub id: u64,
    pub address: u64,
    pub beats: u64,
    /// bytes of a beat
    pub size: u64,
    /// 0 FIXED, 1 INCR, 2 WRAP
    pub kind: u64,
}

impl Burst {
    /// As the channel says now. A bus without `len` has one beat, without `size` whole beats, without `burst` INCR. The largest size of
    /// AXI4 is 128 bytes; on a wider bus it stands for whole beats.
    pub fn of(channel: &Channel, model: &dyn Model, width: u64) -> Self {
        Burst {
            id: channel.get(model, "id").unwrap_or(0),
            address: channel.get(model, "addr").unwrap_or(0),
            beats: channel.get(model, "len").unwrap_or(0) + 1,
            size: channel.get(model, "size").map_or(width, |s| if s == 7 { width.max(128) } else { 1 << s }),
            kind: channel.get(model, "burst").unwrap_or(1),
        }
    }

    /// Lowest byte address of a beat; only the first may be unaligned.
    pub fn address_of(&self, beat: u64) -> u64 {
        let aligned = self.address / self.size * self.size;
        match self.kind {
            0 => self.address,
            2 => {
                let block = self.size * self.beats;
                let base = self.address / block * block;
                base + (self.address - base + beat * self.size) % block
            }
            _ if beat == 0 => self.address,
            _ => aligned.wrapping_add(beat * self.size),
        }
    }

    /// The byte addresses that a beat may touch, the last one among them: a burst may end with the last byte of memory.
    pub fn lanes(&self, beat: u64) -> RangeInclusive<u64> {
        let address = self.address_of(beat);
        address..=(address / self.size * self.size).wrapping_add(self.size - 1)
    }

    /// The byte addresses of the burst, whole beats.
    pub fn span(&self, width: u64) -> RangeInclusive<u64> {
        let all = || (0..self.beats).map(|beat| self.lanes(beat));
        let first = all().map(|lanes| *lanes.start()).min().unwrap_or(self.address);
        let last = all().map(|lanes| *lanes.end()).max().unwrap_or(self.address.wrapping_add(width - 1));
        first..=last
    }

    /// What is wrong with it.
    fn broken(&self, width: u64) -> Vec<(&'static str, String)> {
        let mut found = Vec::new();
        if self.size > width {
            found.push(("burst size", format!("beats of {} bytes on a bus of {width}", self.size)));
        }
        match self.kind {
            1 => {
                let last = *self.lanes(self.beats - 1).end();
                if self.address >> 12 != last >> 12 {
                    found.push(("4 KB boundary", format!("{} beats of {} bytes from {:#x} on", self.beats, self.size, self.address)));
                }
            }
            0 if self.beats > 16 => found.push(("burst length", format!("FIXED of {} beats, 16 are allowed", self.beats))),
            2 if ![2, 4, 8, 16].contains(&self.beats) || !self.address.is_multiple_of(self.size) => {
                found.push(("burst length", format!("WRAP of {} beats from {:#x} on", self.beats, self.address)));
            }
            0 | 2 => {}
            kind => found.push(("burst kind", format!("{kind} is reserved"))),
        }
        found
    }
}

struct Report<'a> {
    cycle: u64,
    violations: &'a mut Vec<Violation>,
}

impl Report<'_> {
    fn add(&mut self, channel: &ChannelCheck, rule: &'static str, detail: String) {
        self.violations.push(Violation { cycle: self.cycle, bus: channel.channel().prefix.clone(), rule, detail });
    }
}

/// AXI4-Lite: the rules of every channel, and one answer for each request, after it.
pub struct AxiLiteCheck {
    aw: ChannelCheck,
    w: ChannelCheck,
    b: ChannelCheck,
    ar: ChannelCheck,
    r: ChannelCheck,
    reset: Reset,
    counts: [u64; 5],
}

impl AxiLiteCheck {
    /// # Errors
    /// A channel's ports are missing.
    pub fn new(model: &dyn Model, prefix: &str) -> Result<Self, Error> {
        let check = |name: &str| Ok::<_, Error>(ChannelCheck::new(model, Channel::find(model, &format!("{prefix}{name}"))?));
        let (aw, w, b, ar, r) = (check("aw")?, check("w")?, check("b")?, check("ar")?, check("r")?);
        Ok(AxiLiteCheck { aw, w, b, ar, r, reset: Reset::find(model), counts: [0; 5] })
    }
}

impl Agent for AxiLiteCheck {
    fn drive(&mut self, _: &mut dyn Model) {}

    fn observe(&mut self, model: &dyn Model, violations: &mut Vec<Violation>) {
        let resetting = self.reset.clocks(model) > 0;
        let [aw, w, b, ar, r] = self.counts;
        let fires = [&mut self.aw, &mut self.w, &mut self.b, &mut self.ar, &mut self.r].map(|c| c.observe(model, violations));
        if resetting {
            self.counts = [0; 5];
            return;
        }
        let mut report = Report { cycle: model.cycle(), violations };
        // An answer is for what has passed in a clock before.
        for (check, asked, answered) in [(&self.b, aw.min(w), b), (&self.r, ar, r)] {
            if check.channel().valid(model) && answered >= asked {
                report.add(check, "answer without request", format!("{asked} requests have passed, {answered} answers before"));
            }
            if check.channel().valid(model) && check.channel().get(model, "resp") == Some(1) {
                report.add(check, "response", "EXOKAY is for exclusive accesses, which AXI4-Lite does not have".into());
            }
        }
        for (count, fires) in self.counts.iter_mut().zip(fires) {
            *count += u64::from(fires);
        }
    }
}

/// AXI4-Stream: the rules of a channel, and bytes that lie together: all of a beat but in the last one, there from byte 0 on.
pub struct StreamCheck {
    channel: ChannelCheck,
}

impl StreamCheck {
    /// # Errors
    /// The stream's ports are missing.
    pub fn new(model: &dyn Model, prefix: &str) -> Result<Self, Error> {
        Ok(StreamCheck { channel: ChannelCheck::new(model, Channel::find(model, &format!("{prefix}t"))?) })
    }
}

impl Agent for StreamCheck {
    fn drive(&mut self, _: &mut dyn Model) {}

    fn observe(&mut self, model: &dyn Model, violations: &mut Vec<Violation>) {
        if !self.channel.observe(model, violations) {
            return;
        }
        let channel = self.channel.channel();
        let Some((_, bits)) = channel.field("keep") else { return };
        let keep = super::stream::unpack(channel.get_bytes(model, "keep"), bits);
        let count = keep.iter().filter(|k| **k).count();
        let last = channel.get(model, "last") != Some(0);
        let mut report = Report { cycle: model.cycle(), violations };
        if keep[count..].iter().any(|k| *k) {
            report.add(&self.channel, "keep", "the bytes that count do not lie together from byte 0 on".into());
        } else if !last && count < bits {
            report.add(&self.channel, "keep", format!("{count} of {bits} bytes in a beat that is not the last"));
        }
    }
}

/// AXI4: the rules of every channel, of bursts, of their beats and of their answers. The read channels may be missing.
pub struct AxiCheck {
    aw: ChannelCheck,
    w: ChannelCheck,
    b: ChannelCheck,
    read: Option<(ChannelCheck, ChannelCheck)>,
    width: u64,
    reset: Reset,
    /// bursts whose data has not all come
    addresses: VecDeque<Burst>,
    /// beats whose address has not come: strobe, last
    beats: VecDeque<(Vec<bool>, bool)>,
    beat: u64,
    /// IDs of writes that wait for their answer
    open: Vec<u64>,
    /// reads that wait for data, with the beats that have come
    reads: Vec<(Burst, u64)>,
}

impl AxiCheck {
    /// # Errors
    /// A channel's ports are missing.
    pub fn new(model: &dyn Model, prefix: &str) -> Result<Self, Error> {
        let check = |name: &str| Ok::<_, Error>(ChannelCheck::new(model, Channel::find(model, &format!("{prefix}{name}"))?));
        let w = check("w")?;
        let Some((_, bits)) = w.channel().field("data") else {
            return Err(Error::Bus { bus: prefix.to_string(), detail: format!("there is no port `{prefix}wdata`") });
        };
        let read = match check("ar") {
            Ok(ar) => Some((ar, check("r")?)),
            Err(_) => None,
        };
        let (aw, b, reset) = (check("aw")?, check("b")?, Reset::find(model));
        let (addresses, beats) = (VecDeque::new(), VecDeque::new());
        Ok(AxiCheck { aw, w, b, read, width: bits as u64 / 8, reset, addresses, beats, beat: 0, open: Vec::new(), reads: Vec::new() })
    }

    /// Beats meet the burst that they belong to.
    fn pair(&mut self, report: &mut Report) {
        while !self.addresses.is_empty() && !self.beats.is_empty() {
            let (burst, Some((strobe, last))) = (self.addresses[0], self.beats.pop_front()) else { return };
            let lanes = burst.lanes(self.beat);
            let base = lanes.start() / self.width * self.width;
            let outside = (0..self.width).find(|lane| strobe[*lane as usize] && !lanes.contains(&(base + lane)));
            if let Some(lane) = outside {
                let detail = format!("byte {lane} of beat {} from {:#x} on: it may touch {lanes:#x?}", self.beat, burst.address);
                report.add(&self.w, "strobe", detail);
            }
            self.beat += 1;
            let ends = self.beat == burst.beats;
            if last != ends {
                let detail = format!("`last` is {} in beat {} of {}", u8::from(last), self.beat, burst.beats);
                report.add(&self.w, "last", detail);
            }
            if last || ends {
                self.addresses.pop_front();
                self.open.push(burst.id);
                self.beat = 0;
            }
        }
    }

    fn observe_reads(&mut self, model: &dyn Model, report: &mut Report) {
        let Some((ar, r)) = &mut self.read else { return };
        let asked = ar.observe(model, report.violations);
        let came = r.observe(model, report.violations);
        if came {
            let id = r.channel().get(model, "id").unwrap_or(0);
            match self.reads.iter().position(|(burst, _)| burst.id == id) {
                None => report.add(r, "answer without request", format!("data of ID {id}, of which no read waits")),
                Some(i) => {
                    let (burst, beats) = &mut self.reads[i];
                    *beats += 1;
                    let (last, ends) = (r.channel().get(model, "last") == Some(1), *beats == burst.beats);
                    if last != ends {
                        report.add(r, "last", format!("`last` is {} in beat {beats} of {}", u8::from(last), burst.beats));
                    }
                    if last || ends {
                        self.reads.remove(i);
                    }
                }
            }
        }
        if asked {
            let burst = Burst::of(ar.channel(), model, self.width);
            for (rule, detail) in burst.broken(self.width) {
                report.add(ar, rule, detail);
            }
            self.reads.push((burst, 0));
        }
    }
}

impl Agent for AxiCheck {
    fn drive(&mut self, _: &mut dyn Model) {}

    fn observe(&mut self, model: &dyn Model, violations: &mut Vec<Violation>) {
        let resetting = self.reset.clocks(model) > 0;
        let [aw, w, b] = [&mut self.aw, &mut self.w, &mut self.b].map(|c| c.observe(model, violations));
        let mut report = Report { cycle: model.cycle(), violations };
        if resetting {
            self.addresses.clear();
            self.beats.clear();
            self.open.clear();
            self.reads.clear();
            self.beat = 0;
        } else if self.b.channel().valid(model) {
            // An answer is for what has passed in a clock before.
            let id = self.b.channel().get(model, "id").unwrap_or(0);
            match self.open.iter().position(|open| *open == id) {
                None => report.add(&self.b, "answer without request", format!("ID {id}, of which no whole write waits")),
                Some(i) if b => {
                    self.open.remove(i);
                }
                Some(_) => {}
            }
        }
        if aw {
            let burst = Burst::of(self.aw.channel(), model, self.width);
            for (rule, detail) in burst.broken(self.width) {
                report.add(&self.aw, rule, detail);
            }
            self.addresses.push_back(burst);
        }
        if w {
            let strobe = super::stream::unpack(self.w.channel().get_bytes(model, "strb"), self.width as usize);
            self.beats.push_back((strobe, self.w.channel().get(model, "last") == Some(1)));
        }
        self.pair(&mut report);
        self.observe_reads(model, &mut report);
    }
}
