//! The receive endpoint's top as an end, behind models of its buses: MAC, memory and software around the Verilog.

use super::combined::FIRST;
use super::ends::{End, Frames, Receiver, Told};
use super::file::{NUMBERS, Numbers, SetUp, Transport};
use super::traffic::data_qp;
use crate::endpoint::{Endpoint, Pace, RING};
use rdma_rtl_golden::registry::Config;
use rdma_rtl_golden::wire::{Control, FrameError, parse};
use rdma_rtl_hdl::csr::RegisterMap;
use rdma_rtl_sim::Model;
use std::collections::BTreeMap;

/// log2 of the entries of the completion ring.
const RING_LOG2: u32 = 10;
/// Clocks from the reset in which tables may be cleared.
const READY: u64 = 1 << 20;
/// Clocks without a frame or a completion after which nothing is under way, but what waits for a timer.
const QUIET: u64 = 1000;

/// What software writes of a receiver's registers.
#[derive(Clone, Copy)]
pub struct Registers {
    pub config: Config,
    pub numbers: Numbers,
    pub set_up: SetUp,
    /// of packets of `node` alone, or of so many nodes, from 0 on
    pub queue_pairs: u16,
}

/// A receive endpoint, clock by clock.
pub struct VerilatedReceiver<'a> {
    endpoint: Endpoint<'a>,
    /// cycle of the model at which the scenario begins
    begin: u64,
    /// clock of the last frame or completion
    busy: u64,
    config: Config,
    transport: Transport,
    /// nodes that control packets must go to
    nodes: std::ops::Range<u16>,
    sent: Frames,
    told: Vec<Told>,
    corrupted: u64,
}

impl<'a> VerilatedReceiver<'a> {
    /// Around a model with the registers of `map`: reset, and set up by software for packets of `node`.
    /// # Errors
    /// A port is missing, or a register does not answer.
    pub fn new(
        model: &'a mut dyn Model,
        map: RegisterMap,
        pace: Pace,
        registers: Registers,
        node: u16,
        transport: Transport,
    ) -> Result<Self, String> {
        let Registers { config, numbers, set_up, queue_pairs } = registers;
        let nodes = if queue_pairs > 1 { 0..queue_pairs } else { node..node + 1 };
        let mut endpoint = Endpoint::new(model, map, pace)?;
        let limit = endpoint.now() + READY;
        while endpoint.read("state")? & 2 == 0 {
            if endpoint.now() > limit {
                return Err(format!("receiver: `state.ready` is not set {READY} clocks after the reset"));
            }
        }
        endpoint.ring(RING + (1 << 24), RING_LOG2);
        // Many of them need not find room in the table of ours: without an entry all are.
        if queue_pairs == 1 {
            endpoint.set_up_queue_pair()?;
        }
        if set_up == SetUp::Addresses {
            endpoint.set_up_addresses(nodes.end)?;
        } else {
            endpoint.set_up_for_all(nodes.end)?;
            endpoint.write("prescale", config.prescale.into())?;
        }
        let registers = [
            ("op_timeout", config.op_timeout.into()),
            ("escape_timeout", config.escape_timeout.into()),
            ("t_life", config.t_life.into()),
            ("renotify", config.renotify.into()),
            ("ack_wait", config.ack_wait.into()),
            ("entry_quota", config.entry_quota.into()),
            ("escape_quota", config.escape_quota.into()),
        ];
        // Without a registry there is none of them.
        for (register, value) in registers {
            if transport != Transport::Bitmap && set_up == SetUp::All {
                endpoint.write(register, value)?;
            }
        }
        if transport == Transport::Bitmap {
            endpoint.write("data_qp", data_qp(queue_pairs).into())?;
        }
        if transport != Transport::Registry {
            if set_up == SetUp::All {
                endpoint.write("range_ack", 0)?;
                endpoint.write("ack_hold", 0)?;
            }
            for (register, value) in NUMBERS.into_iter().zip(numbers) {
                value.map_or(Ok(()), |value| endpoint.write(register, value))?;
            }
            for node in nodes.clone() {
                endpoint.connect(node.into(), FIRST)?;
            }
        }
        let begin = endpoint.now();
        Ok(VerilatedReceiver { endpoint, begin, busy: 0, transport, config, nodes, sent: Vec::new(), told: Vec::new(), corrupted: 0 })
    }

    /// What has arrived above a gap is told from now on.
    /// # Errors
    /// The top has no such register.
    pub fn range_acknowledgements(&mut self) -> Result<(), String> {
        self.endpoint.write("range_ack", 1)
    }

    fn now(&self) -> u64 {
        self.endpoint.now() - self.begin
    }

    fn clock(&mut self) -> Result<(), String> {
        self.endpoint.clock();
        let now = self.now();
        for (node, frame) in self.endpoint.control_packets()? {
            if !self.nodes.contains(&node) {
                return Err(format!("receiver: clock {now}: a control packet goes to node {node}: {frame:?}"));
            }
            // Of a single packet its number tells.
            if self.transport != Transport::Registry && matches!(frame.control, Some(Control::OpAck { status: 0, .. })) {
                return Err(format!("receiver: clock {now}: {frame:?}"));
            }
            // with the ICRC that the MAC side writes
            self.sent.push((now, frame.to_bytes()));
            self.busy = now;
        }
        for e in self.endpoint.poll().map_err(|e| format!("receiver: clock {now}: {e}"))? {
            let word = |at: usize| u32::from_le_bytes([e[at], e[at + 1], e[at + 2], e[at + 3]]);
            self.told.push(Told {
                arrival: e[23] & 1 == 1,
                base: u64::from(word(0)) | u64::from(word(4)) << 32,
                bytes: word(8),
                status: e[60],
                imm: (e[23] & 2 == 2).then(|| word(12)),
            });
            self.busy = now;
        }
        Ok(())
    }
}

impl End for VerilatedReceiver<'_> {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        while self.now() < clock {
            self.clock()?;
        }
        self.endpoint.sound().map_err(|e| format!("receiver: {e}"))
    }

    fn next(&self) -> Option<u64> {
        Some(self.now() + 1)
    }

    fn receive(&mut self, _: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        // the MAC side's word on the ICRC
        let wrong = corrupted && parse(&frame, false, &self.transport.reader()) == Err(FrameError::BadIcrc);
        self.endpoint.frames.packet(&frame, if wrong { 2 } else { 0 });
        self.corrupted += u64::from(corrupted);
        self.busy = self.now();
        Ok(())
    }

    fn transmit(&mut self) -> Frames {
        std::mem::take(&mut self.sent)
    }

    fn idle(&self) -> bool {
        self.endpoint.frames.waiting() == 0 && self.now() >= self.busy + QUIET
    }

    fn finish(&mut self) -> Result<(), String> {
        let at = |e: String| format!("receiver: {e}");
        // an operation that nobody goes on with ends by its timer
        let limit = self.endpoint.now() + u64::from(self.config.prescale) * u64::from(self.config.op_timeout + 2) + 100_000;
        loop {
            if self.transport == Transport::Bitmap {
                break;
            }
            let (entries, escape) = (self.endpoint.read("entries_live").map_err(at)?, self.endpoint.read("escape_used").map_err(at)?);
            if entries + escape == 0 {
                break;
            }
            if self.endpoint.now() > limit {
                return Err(format!("receiver: {entries} operations live, {escape} packets wait, long after the last frame"));
            }
            for _ in 0..100 {
                self.clock()?;
            }
        }
        self.endpoint.settle().map_err(at)?;
        if let Some(address) = self.endpoint.memory.damaged().first() {
            return Err(format!("receiver: the guard byte at {address:#x} was written"));
        }
        self.clock()?;
        self.endpoint.sound().map_err(at)?;
        // what the parser drops can only be what the network has damaged
        let counters = self.endpoint.counters().map_err(at)?;
        let beside = ["count_frame_no_slot", "count_frame_mac_error"];
        let dropped: u64 =
            counters.iter().filter(|(name, _)| name.starts_with("count_frame_") && !beside.contains(&name.as_str())).map(|(_, n)| n).sum();
        match dropped <= self.corrupted {
            true => Ok(()),
            false => Err(format!("receiver: {dropped} frames were dropped, the network has damaged {}: {counters:?}", self.corrupted)),
        }
    }

    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        let counters = self.endpoint.counters()?;
        Ok(counters.into_iter().map(|(name, value)| (name.trim_start_matches("count_").to_string(), value)).collect())
    }
}

impl Receiver for VerilatedReceiver<'_> {
    fn furnish(&mut self, base: u64, bytes: usize) {
        self.endpoint.memory.region(base, bytes);
    }

    fn fail(&mut self, addresses: std::ops::Range<u64>) {
        self.endpoint.memory.fail(addresses);
    }

    fn memory(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        self.endpoint.memory.bytes(address, bytes)
    }

    fn put(&mut self, address: u64, bytes: &[u8]) {
        self.endpoint.memory.put(address, bytes);
    }

    fn completions(&mut self) -> Result<Vec<Told>, String> {
        Ok(std::mem::take(&mut self.told))
    }
}
