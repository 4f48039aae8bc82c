//! The golden receive registry as an end: payload slots without number, and a memory that answers at once.

use super::combined::ReceiverNumbers;
use super::ends::{End, Frames, Receiver, Told};
use super::golden_memory::Memory;
use crate::endpoint::NODE_QP;
use rdma_rtl_golden::registry::{self, CompletionRepeat, Notify, REPEAT_RESET, Registry, Seen};
use rdma_rtl_golden::wire::{Bth, Control, Frame, Opcode, Reader, parse};
use std::collections::BTreeMap;
use std::ops::Range;

/// Queue pair of the control packets: that of the sender's node.
const QP: u32 = NODE_QP + 1;

/// A receiver that does everything at its earliest moment.
pub struct GoldenReceiver {
    registry: Registry,
    /// the transport profile is *combined*
    numbers: Option<ReceiverNumbers>,
    completions: CompletionRepeat,
    prescale: u64,
    now: u64,
    changed: bool,
    frames: u64,
    payloads: BTreeMap<u32, Vec<u8>>,
    memory: Memory,
    sent: Frames,
    told: Vec<Told>,
    counters: BTreeMap<String, u64>,
}

impl GoldenReceiver {
    pub fn new(params: registry::Params, config: registry::Config) -> GoldenReceiver {
        GoldenReceiver {
            prescale: u64::from(config.prescale.max(1)),
            registry: Registry::new(params, config),
            numbers: None,
            completions: CompletionRepeat::new(REPEAT_RESET),
            now: 0,
            changed: false,
            frames: 0,
            payloads: BTreeMap::new(),
            memory: Memory::new(),
            sent: Vec::new(),
            told: Vec::new(),
            counters: BTreeMap::new(),
        }
    }

    /// One that acknowledges by packet sequence numbers.
    /// # Errors
    /// The model of the bitmap cannot be made.
    pub fn combined(params: registry::Params, config: registry::Config) -> Result<GoldenReceiver, String> {
        let numbers = ReceiverNumbers::new(config.prescale)?;
        Ok(GoldenReceiver { numbers: Some(numbers), ..GoldenReceiver::new(params, config) })
    }

    /// The model, for what has no place in the contract of an end, such as regions.
    pub fn registry(&mut self) -> &mut Registry {
        &mut self.registry
    }

    fn advance(&mut self, clock: u64) {
        let clocks = clock.saturating_sub(self.now);
        self.now += clocks;
        self.registry.advance(clocks, false);
    }

    fn count(&mut self, name: &str) {
        *self.counters.entry(name.to_string()).or_default() += 1;
    }

    fn events(&mut self, events: &[registry::Event]) {
        events.iter().for_each(|event| self.count(event.name()));
    }

    fn act(&mut self) -> Result<(), String> {
        loop {
            while let Some(beat) = self.registry.verdict_due() {
                self.registry.verdict(beat).map_err(text)?;
                if let Some(numbers) = &mut self.numbers {
                    numbers.verdict(beat.tag, beat.verdict);
                }
            }
            self.writes()?;
            if let Some(numbers) = &mut self.numbers {
                let frames = numbers.frames(self.now, QP);
                self.sent.extend(frames.iter().map(|frame| (self.now, frame.to_bytes())));
            }
            while let Some(complete) = self.registry.complete_due().cloned() {
                self.registry.complete(&complete).map_err(text)?;
                let registry::Complete { arrival, base, bytes, status, imm, .. } = complete;
                self.told.push(Told { arrival, base, bytes, status, imm });
            }
            while let Some(notify) = self.registry.notify_due() {
                self.registry.notify(&notify).map_err(text)?;
                self.completions.tell(self.now / self.prescale, &notify);
                // Of a single packet the bitmap tells.
                if self.numbers.is_none() || notify.kind != 0xc3 || notify.status != 0 {
                    self.sent.push((self.now, control(&notify).to_bytes()));
                }
            }
            while let Some(notify) = self.completions.again(self.now / self.prescale) {
                self.sent.push((self.now, control(&notify).to_bytes()));
            }
            match self.registry.due().filter(|&(at, _)| at <= self.now) {
                Some((_, due)) => {
                    let commit = self.registry.perform(due).map_err(text)?;
                    self.events(&commit.events);
                }
                None => break,
            }
        }
        self.changed = false;
        Ok(())
    }

    fn writes(&mut self) -> Result<(), String> {
        while let Some(write) = self.registry.write_due() {
            let payload = self.payloads.remove(&write.slot).unwrap_or_default();
            let whole = payload.len() == usize::from(write.bytes);
            let written = if whole { self.memory.write(write.addr, &payload) } else { None };
            let written =
                written.ok_or_else(|| format!("receiver: {write:?} with {} bytes of payload is outside of memory", payload.len()))?;
            self.registry.write(0, write).map_err(text)?;
            self.registry.write_done(0, written).map_err(text)?;
            if let Some(numbers) = &mut self.numbers {
                numbers.written(write.slot);
            }
        }
        while let Some(slot) = self.registry.slot_due() {
            self.registry.slot_free(slot).map_err(text)?;
            self.payloads.remove(&slot);
        }
        Ok(())
    }
}

fn text(error: impl std::fmt::Display) -> String {
    format!("receiver: {error}")
}

fn control(notify: &Notify) -> Frame {
    let &Notify { kind, op, index, status, mask, packets, .. } = notify;
    let (opcode, body) = match kind {
        0xc3 => (Opcode(0xc3), Control::OpAck { op, index, status, mask }),
        _ => (Opcode(0xc1), Control::Completion { op, status, packets: packets.into() }),
    };
    let mut frame = Frame::new(Bth::new(opcode, QP, 0));
    frame.control = Some(body);
    frame
}

impl End for GoldenReceiver {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        while let Some(next) = self.next().filter(|&next| next <= clock) {
            self.advance(next);
            self.act()?;
        }
        self.advance(clock);
        Ok(())
    }

    fn next(&self) -> Option<u64> {
        let due = self.registry.due().map(|(at, _)| at);
        let numbers = self.numbers.as_ref().and_then(|numbers| numbers.next(self.now));
        let again = self.completions.next().map(|tick| tick * self.prescale);
        let due = due.into_iter().chain(numbers).chain(again).min();
        if self.changed { Some(self.now) } else { due.map(|at| at.max(self.now)) }
    }

    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        self.advance(clock);
        let frame = match parse(&frame, false, &Reader::registry()) {
            Ok(frame) => frame,
            Err(_) if corrupted => {
                self.count("frame_dropped");
                return Ok(());
            }
            Err(error) => return Err(format!("receiver: a frame that nobody has touched is dropped: {error}")),
        };
        let Some(header) = frame.header() else { return Ok(()) };
        let slot = self.frames as u32;
        if header.kind.has_payload() {
            if let Some(numbers) = &mut self.numbers {
                numbers.packet(self.now, self.frames as u16, slot, &frame);
            }
            self.payloads.insert(slot, frame.payload);
        }
        let commit = self.registry.header(self.frames, slot, &header, Seen::default()).map_err(text)?;
        self.events(&commit.events);
        self.frames += 1;
        self.count("frames");
        self.changed = true;
        // one header after the other, as the hardware does
        self.act()
    }

    fn transmit(&mut self) -> Frames {
        std::mem::take(&mut self.sent)
    }

    fn idle(&self) -> bool {
        let held = self.numbers.as_ref().map_or(0, ReceiverNumbers::held);
        self.registry.entries_live() + self.registry.escape_used() + held == 0 && self.registry.settled()
    }

    fn finish(&mut self) -> Result<(), String> {
        self.registry.finish().map_err(text)?;
        if !self.idle() || !self.payloads.is_empty() {
            let (entries, escape) = (self.registry.entries_live(), self.registry.escape_used());
            return Err(format!("receiver: {entries} operations live, {escape} packets wait, {} slots in use", self.payloads.len()));
        }
        match self.memory.is_guarded() {
            true => Ok(()),
            false => Err("receiver: a guard byte was written".into()),
        }
    }

    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        let numbers = self.numbers.iter().flat_map(ReceiverNumbers::counters).filter(|counter| counter.1 > 0);
        Ok(self.counters.clone().into_iter().chain(numbers.map(|(name, value)| (name.to_string(), value))).collect())
    }
}

impl Receiver for GoldenReceiver {
    fn furnish(&mut self, base: u64, bytes: usize) {
        self.memory.furnish(base, bytes);
    }

    fn fail(&mut self, addresses: Range<u64>) {
        self.memory.fail(addresses);
    }

    fn memory(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        self.memory.bytes(address, bytes)
    }

    fn put(&mut self, address: u64, bytes: &[u8]) {
        self.memory.put(address, bytes);
    }

    fn completions(&mut self) -> Result<Vec<Told>, String> {
        Ok(std::mem::take(&mut self.told))
    }
}
