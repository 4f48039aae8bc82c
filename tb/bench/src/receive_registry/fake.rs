//! A stand-in for the hardware: the golden model behind the block's ports, with one fault if asked for.
//!
//! It shows that the bench drives and reads every port as it should, and that a wrong model is found.

use super::{Config, Model, Params, Region};
use rdma_rtl_golden::registry::{Commit, Complete, Due, Event, Header, Kind, Notify, Registry, Seen, Trace, VerdictBeat, Write};
use rdma_rtl_sim::{Direction, Port};
use std::collections::VecDeque;

/// What is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    /// every 50th written packet is called a duplicate
    Verdict,
    /// the escaped flag is missing
    EscapedFlag,
    /// a slot is not given back
    KeepsSlot,
    /// a write goes one byte too far
    WriteAddress,
    /// a write is not made
    LosesWrite,
    /// an acknowledgement is not sent
    LosesNotify,
    /// an acknowledgement is sent before its write is answered
    TellsEarly,
    /// the host gets a wrong mask
    CompleteMask,
    /// the host is told twice
    CompleteTwice,
    /// notify changes while it is not taken
    UnstableNotify,
    /// a packet in the escape channel is forgotten
    LosesReplay,
    /// op time-outs never fire
    NoTimeout,
    /// everything timed is early
    Early,
    /// a completion is repeated too eagerly
    Renotifies,
    /// commits come a clock too late
    Slow,
    /// two stalls close together
    Stalls,
    /// a counter counts twice
    Counter,
    /// a counter counts without a commit
    StrayEvent,
    /// `entries_live` is one too many
    Level,
    /// headers are taken and nothing follows
    Dead,
}

impl Fault {
    pub const ALL: [Fault; 20] = [
        Fault::Verdict,
        Fault::EscapedFlag,
        Fault::KeepsSlot,
        Fault::WriteAddress,
        Fault::LosesWrite,
        Fault::LosesNotify,
        Fault::TellsEarly,
        Fault::CompleteMask,
        Fault::CompleteTwice,
        Fault::UnstableNotify,
        Fault::LosesReplay,
        Fault::NoTimeout,
        Fault::Early,
        Fault::Renotifies,
        Fault::Slow,
        Fault::Stalls,
        Fault::Counter,
        Fault::StrayEvent,
        Fault::Level,
        Fault::Dead,
    ];
}

const INPUTS: &str = "rst:1 header_valid:1 header_kind:2 header_src:16 header_op:16 header_addr:64 header_bytes:16 header_op_bytes:32 \
    header_count:16 header_rkey:32 header_imm_valid:1 header_imm:32 header_slot:9 header_tag:16 write_ready:1 write_done_valid:1 \
    write_done_tag:10 write_done_ok:1 slot_free_ready:1 complete_ready:1 notify_ready:1 verdict_ready:1 cfg_prescale:16 \
    cfg_op_timeout:32 cfg_escape_timeout:32 cfg_t_life:32 cfg_renotify:32 cfg_ack_wait:32 cfg_entry_quota:8 cfg_escape_quota:16 \
    cfg_region_write:1 cfg_region_index:4 cfg_region_rkey:32 cfg_region_base:64 cfg_region_length:64";
const OUTPUTS: &str = "header_ready:1 write_valid:1 write_tag:10 write_slot:9 write_addr:64 write_bytes:16 slot_free_valid:1 \
    slot_free_slot:9 complete_valid:1 complete_kind:1 complete_src:16 complete_op:16 complete_base:64 complete_bytes:32 \
    complete_packets:16 complete_status:8 complete_imm_valid:1 complete_imm:32 complete_mask:MASK notify_valid:1 notify_kind:8 \
    notify_src:16 notify_op:16 notify_index:16 notify_status:8 notify_mask:64 notify_packets:16 verdict_valid:1 verdict_tag:16 \
    verdict_code:3 verdict_reason:8 verdict_escaped:1 trace_valid:1 trace_kind:3 trace_src:16 trace_op:16 trace_tag:16 \
    high_water_entries:8 high_water_escape:10 entries_live:8 escape_used:10 idle:1";

/// The stand-in.
pub struct Fake {
    params: Params,
    fault: Fault,
    ports: Vec<Port>,
    values: Vec<Vec<u32>>,
    cycle: u64,
    golden: Option<Registry>,
    regions: Vec<Region>,
    pipe: VecDeque<(u64, Header, u32, u16)>,
    writes: VecDeque<(u16, Write)>,
    frees: VecDeque<u32>,
    completes: VecDeque<Complete>,
    notifies: VecDeque<Notify>,
    verdicts: VecDeque<VerdictBeat>,
    next_tag: u16,
    commits: u64,
    high: (usize, usize),
}

impl Fake {
    pub fn new(params: &Params, fault: Fault) -> Fake {
        let port = |direction, text: &str| {
            let (name, width) = text.split_once(':').unwrap();
            let width = if width == "MASK" { params.mask_bits } else { width.parse().unwrap() };
            Port { name: name.into(), width, direction }
        };
        let mut ports: Vec<Port> = INPUTS.split_whitespace().map(|text| port(Direction::Input, text)).collect();
        ports.extend(OUTPUTS.split_whitespace().map(|text| port(Direction::Output, text)));
        ports.extend(Event::ALL.iter().map(|event| port(Direction::Output, &format!("evt_{}:1", event.name()))));
        Fake {
            params: *params,
            fault,
            values: ports.iter().map(|port| vec![0; port.width.div_ceil(32)]).collect(),
            ports,
            cycle: 0,
            golden: None,
            regions: vec![Region::default(); params.regions],
            pipe: VecDeque::new(),
            writes: VecDeque::new(),
            frees: VecDeque::new(),
            completes: VecDeque::new(),
            notifies: VecDeque::new(),
            verdicts: VecDeque::new(),
            next_tag: 0,
            commits: 0,
            high: (0, 0),
        }
    }

    fn get(&self, name: &str) -> u64 {
        self.peek_u64(self.port(name).unwrap())
    }

    fn set(&mut self, name: &str, value: u64) {
        let port = self.port(name).unwrap();
        self.poke_u64(port, value);
    }

    fn config(&self) -> Config {
        Config {
            prescale: self.get("cfg_prescale") as u16,
            op_timeout: self.get("cfg_op_timeout") as u32,
            escape_timeout: self.get("cfg_escape_timeout") as u32,
            t_life: self.get("cfg_t_life") as u32,
            renotify: self.get("cfg_renotify") as u32,
            ack_wait: self.get("cfg_ack_wait") as u32,
            entry_quota: self.get("cfg_entry_quota") as u8,
            escape_quota: self.get("cfg_escape_quota") as u16,
        }
    }

    fn header(&self) -> Header {
        let kind = [Kind::Body, Kind::Start, Kind::Arrival, Kind::Abort][self.get("header_kind") as usize];
        let imm = self.get("header_imm") as u32;
        Header {
            kind,
            src: self.get("header_src") as u16,
            op: self.get("header_op") as u32,
            addr: self.get("header_addr"),
            bytes: self.get("header_bytes") as u16,
            op_bytes: self.get("header_op_bytes") as u32,
            count: self.get("header_count") as u16,
            rkey: self.get("header_rkey") as u32,
            imm: (self.get("header_imm_valid") == 1).then_some(imm),
        }
    }

    /// What is committed in this clock.
    fn commit(&mut self) -> Option<Commit> {
        let golden = self.golden.as_mut().unwrap();
        let fault = self.fault;
        let pipe_head = self.pipe.front().is_some_and(|&(due, ..)| due <= self.cycle);
        if pipe_head {
            let (_, header, slot, tag) = self.pipe.pop_front().unwrap();
            let before = golden.clone();
            let commit = golden.header(tag.into(), slot, &header, Seen::default()).unwrap();
            let stale = commit.events == [Event::Stale] && before.done_status(header.src, header.op).is_some();
            if fault == Fault::Renotifies && stale {
                // it believes that more time has passed
                *golden = before;
                golden.advance(1 << 40, false);
                return golden.header(tag.into(), slot, &header, Seen::default()).ok();
            }
            return Some(commit);
        }
        let ahead = if fault == Fault::Early { 400 } else { 0 };
        let (_, due) = golden.due().filter(|&(at, _)| at <= self.cycle + ahead)?;
        match (fault, due) {
            (Fault::NoTimeout, Due::OpTimeout { .. }) | (Fault::LosesReplay, Due::Replay { .. }) => None,
            (Fault::Early, due) => {
                let mut early = golden.clone();
                early.advance(ahead, false);
                let commit = early.perform(due).ok();
                *golden = early;
                commit
            }
            (_, due) => golden.perform(due).ok(),
        }
    }

    /// Takes from the model what it has to say.
    fn collect(&mut self) {
        let golden = self.golden.as_mut().unwrap();
        while let Some(verdict) = golden.verdict_due() {
            golden.verdict(verdict).unwrap();
            self.verdicts.push_back(verdict);
        }
        while let Some(slot) = golden.slot_due() {
            golden.slot_free(slot).unwrap();
            self.frees.push_back(slot);
        }
        while let Some(write) = golden.write_due() {
            golden.write(self.next_tag, write).unwrap();
            self.writes.push_back((self.next_tag, write));
            if self.fault == Fault::TellsEarly {
                golden.write_done(self.next_tag, true).unwrap();
            }
            self.next_tag = (self.next_tag + 1) % 1024;
        }
        while let Some(complete) = golden.complete_due().cloned() {
            golden.complete(&complete).unwrap();
            self.completes.push_back(complete);
        }
        while let Some(notify) = golden.notify_due() {
            golden.notify(&notify).unwrap();
            self.notifies.push_back(notify);
        }
        let hit = self.commits % 50 == 49;
        match self.fault {
            Fault::Verdict if hit => {
                if let Some(beat) = self.verdicts.back_mut().filter(|beat| beat.verdict == rdma_rtl_golden::registry::Verdict::Written) {
                    beat.verdict = rdma_rtl_golden::registry::Verdict::Duplicate;
                }
            }
            Fault::EscapedFlag => self.verdicts.iter_mut().for_each(|beat| beat.escaped = false),
            Fault::KeepsSlot if hit => drop(self.frees.pop_back()),
            Fault::WriteAddress if hit => self.writes.iter_mut().for_each(|(_, write)| write.addr += 1),
            Fault::LosesWrite if hit => drop(self.writes.pop_back()),
            Fault::LosesNotify if hit => drop(self.notifies.pop_back()),
            Fault::CompleteMask => self.completes.iter_mut().for_each(|complete| complete.mask[0] &= !2),
            Fault::CompleteTwice if hit => self.completes.extend(self.completes.back().cloned()),
            _ => {}
        }
    }

    fn show(&mut self, commit: Option<&Commit>) {
        self.set("trace_valid", commit.is_some().into());
        for &event in Event::ALL {
            let extra = self.fault == Fault::Counter && event == Event::Accepted;
            let pulse = commit.is_some_and(|commit| commit.events.contains(&event) || (extra && commit.events.contains(&Event::Duplicate)));
            let stray = self.fault == Fault::StrayEvent && commit.is_none() && event == Event::Stale;
            self.set(&format!("evt_{}", event.name()), (pulse || stray).into());
        }
        if let Some(commit) = commit {
            self.set("trace_kind", commit.trace as u64);
            self.set("trace_src", commit.src.into());
            self.set("trace_op", commit.op.into());
            let packet = matches!(commit.trace, Trace::Header | Trace::Escaped | Trace::Replay | Trace::Stays);
            self.set("trace_tag", if packet { commit.frame & 0xffff } else { 0 });
        }
        self.set("verdict_valid", (!self.verdicts.is_empty()).into());
        if let Some(beat) = self.verdicts.front().copied() {
            self.set("verdict_tag", beat.tag.into());
            self.set("verdict_code", beat.verdict.code().into());
            self.set("verdict_reason", beat.verdict.reason().into());
            self.set("verdict_escaped", beat.escaped.into());
        }
        self.set("slot_free_valid", (!self.frees.is_empty()).into());
        self.set("slot_free_slot", self.frees.front().copied().unwrap_or(0).into());
        self.set("write_valid", (!self.writes.is_empty()).into());
        if let Some((tag, write)) = self.writes.front().copied() {
            self.set("write_tag", tag.into());
            self.set("write_slot", write.slot.into());
            self.set("write_addr", write.addr);
            self.set("write_bytes", write.bytes.into());
        }
        self.set("notify_valid", (!self.notifies.is_empty()).into());
        if let Some(notify) = self.notifies.front().copied() {
            let wobble = u64::from(self.fault == Fault::UnstableNotify && self.cycle.is_multiple_of(2));
            self.set("notify_kind", notify.kind.into());
            self.set("notify_src", notify.src.into());
            self.set("notify_op", notify.op.into());
            self.set("notify_index", u64::from(notify.index) ^ wobble);
            self.set("notify_status", notify.status.into());
            self.set("notify_mask", notify.mask);
            self.set("notify_packets", notify.packets.into());
        }
        self.set("complete_valid", (!self.completes.is_empty()).into());
        if let Some(complete) = self.completes.front().cloned() {
            self.set("complete_kind", complete.arrival.into());
            self.set("complete_src", complete.src.into());
            self.set("complete_op", complete.op.into());
            self.set("complete_base", complete.base);
            self.set("complete_bytes", complete.bytes.into());
            self.set("complete_packets", complete.packets.into());
            self.set("complete_status", complete.status.into());
            self.set("complete_imm_valid", complete.imm.is_some().into());
            self.set("complete_imm", complete.imm.unwrap_or(0).into());
            let words: Vec<u32> = complete.mask.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
            let port = self.port("complete_mask").unwrap();
            self.poke(port, &words[..self.params.mask_bits / 32]);
        }
    }
}

impl Model for Fake {
    fn ports(&self) -> &[Port] {
        &self.ports
    }

    fn poke(&mut self, port: usize, words: &[u32]) {
        self.values[port].copy_from_slice(words);
    }

    fn peek(&self, port: usize, words: &mut [u32]) {
        words.copy_from_slice(&self.values[port]);
    }

    fn eval(&mut self) {}

    fn clock(&mut self) {
        self.cycle += 1;
        if self.get("rst") == 1 {
            self.golden = Some(Registry::new(self.params, self.config()));
            self.set("header_ready", 0);
            self.cycle = 0;
            return;
        }
        if self.get("cfg_region_write") == 1 {
            let region = Region {
                rkey: self.get("cfg_region_rkey") as u32,
                base: self.get("cfg_region_base"),
                length: self.get("cfg_region_length"),
            };
            let at = self.get("cfg_region_index") as usize;
            self.regions[at] = region;
            self.golden.as_mut().unwrap().set_region(at, region);
        }
        let taken = |name: &str| self.get(&format!("{name}_valid")) == 1 && self.get(&format!("{name}_ready")) == 1;
        let [verdict, free, write, complete, notify] = ["verdict", "slot_free", "write", "complete", "notify"].map(taken);
        let header = taken("header").then(|| (self.header(), self.get("header_slot") as u32, self.get("header_tag") as u16));
        verdict.then(|| self.verdicts.pop_front());
        free.then(|| self.frees.pop_front());
        write.then(|| self.writes.pop_front());
        complete.then(|| self.completes.pop_front());
        notify.then(|| self.notifies.pop_front());
        let done = (self.get("write_done_valid") == 1).then(|| (self.get("write_done_tag") as u16, self.get("write_done_ok") == 1));
        if let Some((tag, ok)) = done.filter(|_| self.fault != Fault::TellsEarly) {
            self.golden.as_mut().unwrap().write_done(tag, ok).unwrap();
        }
        if let Some((header, slot, tag)) = header.filter(|_| self.fault != Fault::Dead) {
            let latency = if self.fault == Fault::Slow { 4 } else { 3 };
            self.pipe.push_back((self.cycle + latency, header, slot, tag));
        }
        let commit = self.commit();
        self.commits += u64::from(commit.is_some());
        self.collect();
        let golden = self.golden.as_mut().unwrap();
        golden.advance(1, false);
        let (live, used, settled) = (golden.entries_live(), golden.escape_used(), golden.settled());
        self.high = (self.high.0.max(live), self.high.1.max(used));
        // one clock in eight is free for what does not come as a header
        let stall = self.cycle.is_multiple_of(8) || (self.fault == Fault::Stalls && self.cycle % 64 == 1);
        self.set("header_ready", u64::from(!stall));
        self.set("entries_live", live as u64 + u64::from(self.fault == Fault::Level));
        self.set("escape_used", used as u64);
        self.set("high_water_entries", self.high.0 as u64);
        self.set("high_water_escape", self.high.1 as u64);
        self.set("idle", settled.into());
        self.show(commit.as_ref());
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }
}
