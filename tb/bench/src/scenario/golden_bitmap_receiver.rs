//! The golden receive bitmap as an end, without a registry: every packet is a message of its own, written where it says.

use super::combined::ReceiverNumbers;
use super::ends::{End, Frames, Receiver, Told};
use super::golden_memory::Memory;
use crate::endpoint::NODE_QP;
use rdma_rtl_golden::bitmap::{Verdict, psn};
use rdma_rtl_golden::wire::{Frame, Reader, parse};
use std::collections::BTreeMap;
use std::ops::Range;

/// Queue pair of what the sender is told: that of its node.
const QP: u32 = NODE_QP + 1;

/// A receiver that does everything at its earliest moment.
///
/// Decided, where the spec says "works with plain RoCEv2 RC traffic" and no more: RDMA WRITE ONLY of at most a packet, whose length field
/// is its payload, is written. Every other request has a number as well, and is no gap; but it cannot be served, and a responder that
/// cannot serve a request puts its queue pair into error. An immediate is told when everything before it has arrived. A write that fails,
/// or a request that cannot be served, closes the queue pair, so that nothing of it is acknowledged any more.
pub struct GoldenBitmapReceiver {
    numbers: ReceiverNumbers,
    packet_size: u32,
    now: u64,
    memory: Memory,
    /// immediates that wait for what is before them, by number
    immediates: Vec<(u32, Told)>,
    sent: Frames,
    told: Vec<Told>,
    counters: BTreeMap<String, u64>,
}

impl GoldenBitmapReceiver {
    /// For packets of at most `packet_size` bytes.
    /// # Errors
    /// The model of the bitmap cannot be made.
    pub fn new(prescale: u16, packet_size: u32) -> Result<GoldenBitmapReceiver, String> {
        Ok(GoldenBitmapReceiver {
            numbers: ReceiverNumbers::new(prescale)?,
            packet_size,
            now: 0,
            memory: Memory::new(),
            immediates: Vec::new(),
            sent: Vec::new(),
            told: Vec::new(),
            counters: BTreeMap::new(),
        })
    }

    fn count(&mut self, name: &str) {
        *self.counters.entry(name.to_string()).or_default() += 1;
    }

    fn packet(&mut self, frame: &Frame) -> Result<(), String> {
        let bytes = frame.payload.len() as u32;
        let reth = frame.reth.filter(|reth| frame.bth.opcode.is_write_only() && reth.length == bytes && bytes <= self.packet_size);
        if !frame.bth.opcode.is_request() {
            self.count("frame_foreign");
            return Ok(());
        }
        match self.numbers.arrives(self.now, frame) {
            Verdict::New if reth.is_none() => self.count("frame_foreign"),
            Verdict::New => self.count("accepted"),
            Verdict::Duplicate => {
                self.count("duplicate");
                return Ok(());
            }
            Verdict::OutOfWindow => {
                self.count("out_of_window");
                return Ok(());
            }
            Verdict::UnknownQp => {
                self.count("closed");
                return Ok(());
            }
        }
        let Some(reth) = reth else {
            self.numbers.close();
            self.immediates.clear();
            return Ok(());
        };
        match self.memory.write(reth.address, &frame.payload) {
            None => return Err(format!("receiver: {bytes} bytes at {:#x} are outside of memory", reth.address)),
            Some(true) => {}
            Some(false) => {
                self.count("write_error");
                self.numbers.close();
                self.immediates.clear();
            }
        }
        if let Some(imm) = frame.imm.filter(|_| self.numbers.base().is_some()) {
            let told = Told { arrival: false, base: reth.address, bytes, status: 0, imm: Some(imm) };
            self.immediates.push((frame.bth.psn, told));
        }
        let base = self.numbers.base();
        let is_next = |number: u32| base.is_some_and(|base| psn::before(number, base));
        let (over, waiting) = self.immediates.iter().copied().partition(|&(number, _)| is_next(number));
        self.immediates = waiting;
        let mut over: Vec<(u32, Told)> = over;
        over.sort_by_key(|&(number, _)| base.map(|base| psn::HALF - psn::ahead(number, base)));
        self.told.extend(over.into_iter().map(|(_, told)| told));
        Ok(())
    }

    fn act(&mut self) {
        let frames = self.numbers.frames(self.now, QP);
        self.sent.extend(frames.iter().map(|frame| (self.now, frame.to_bytes())));
    }
}

impl End for GoldenBitmapReceiver {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        while let Some(next) = self.next().filter(|&next| next <= clock) {
            self.now = next;
            self.act();
        }
        self.now = self.now.max(clock);
        Ok(())
    }

    fn next(&self) -> Option<u64> {
        self.numbers.next(self.now)
    }

    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        self.now = self.now.max(clock);
        let frame = match parse(&frame, false, &Reader::default()) {
            Ok(frame) => frame,
            Err(_) if corrupted => {
                self.count("frame_dropped");
                return Ok(());
            }
            Err(error) => return Err(format!("receiver: a frame that nobody has touched is dropped: {error}")),
        };
        self.count("frames");
        self.packet(&frame)?;
        self.act();
        Ok(())
    }

    fn transmit(&mut self) -> Frames {
        std::mem::take(&mut self.sent)
    }

    fn idle(&self) -> bool {
        self.numbers.held() == 0
    }

    fn finish(&mut self) -> Result<(), String> {
        match self.memory.is_guarded() {
            true => Ok(()),
            false => Err("receiver: a guard byte was written".into()),
        }
    }

    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        let numbers = self.numbers.counters().into_iter().filter(|counter| counter.1 > 0);
        Ok(self.counters.clone().into_iter().chain(numbers.map(|(name, value)| (name.to_string(), value))).collect())
    }
}

impl Receiver for GoldenBitmapReceiver {
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
