//! The send endpoint's top as an end, behind models of its buses: CDMA and host memory, MAC and software around the Verilog.

use super::combined::FIRST;
use super::ends::{End, Frames, Sender};
use super::file::{SetUp, Transport};
use super::golden_sender::{OVERHEAD, SenderParams};
use super::traffic::{SOURCES, source};
use crate::endpoint::{Endpoint, NODE_QP, Pace, RING};
use rdma_rtl_golden::send::splitter::{Command, Completion};
use rdma_rtl_golden::wire::{FrameError, Reader, parse, parse_judged};
use rdma_rtl_hdl::csr::RegisterMap;
use rdma_rtl_sim::Model;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// log2 of the entries of the completion ring.
const RING_LOG2: u32 = 10;
/// Clocks from the reset in which tables may be cleared.
const READY: u64 = 1 << 20;
/// Clocks without a frame or a completion after which nothing is under way, but what waits for a timer.
const QUIET: u64 = 1000;
/// Clocks in which everything must have come to its end when the last frame has.
const PATIENCE: u64 = 1 << 22;

/// A send endpoint, clock by clock.
pub struct VerilatedSender<'a> {
    endpoint: Endpoint<'a>,
    /// cycle of the model at which the scenario begins
    begin: u64,
    /// clock of the last frame or completion
    busy: u64,
    /// clock at which its state was read last
    asked: u64,
    params: SenderParams,
    /// how its frames are read
    reader: Reader,
    stalls: rdma_rtl_sim::bus::Stalls,
    /// clock at which the wire is free, a part of one too
    free: f64,
    /// bytes of a beat
    beat: usize,
    open: u64,
    sent: Frames,
    told: Vec<Completion>,
    corrupted: u64,
}

impl<'a> VerilatedSender<'a> {
    /// Around a model with the registers of `map`: reset, and set up by software. Its memory holds [`source`] wherever commands may read.
    /// # Errors
    /// A port is missing, or a register does not answer.
    pub fn new(
        model: &'a mut dyn Model,
        map: RegisterMap,
        pace: Pace,
        params: SenderParams,
        transport: Transport,
        set_up: SetUp,
    ) -> Result<Self, String> {
        let stalls = pace.stalls;
        let beat = model.port("m_axis_tx_tdata").map_or(1, |port| model.ports()[port].width / 8);
        let mut endpoint = Endpoint::new(model, map, pace)?;
        let limit = endpoint.now() + READY;
        while endpoint.read("state")? & 2 == 0 {
            if endpoint.now() > limit {
                return Err(format!("sender: `state.ready` is not set {READY} clocks after the reset"));
            }
        }
        let cdma = endpoint.cdma.as_mut().ok_or("sender: the top has no CDMA")?.inner_mut();
        cdma.memory().region(SOURCES.start, (SOURCES.end - SOURCES.start) as usize);
        static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| SOURCES.map(source).collect());
        cdma.memory().put(SOURCES.start, &BYTES);
        endpoint.ring(RING + (1 << 24), RING_LOG2);
        let connected = endpoint.has("connection");
        let nodes = if params.queue_pairs > 1 { 0..params.queue_pairs } else { params.src..params.src + 1 };
        if set_up == SetUp::Addresses {
            endpoint.write("source_node", params.src.into())?;
            endpoint.set_up_addresses(nodes.end)?;
            if connected {
                endpoint.write("feedback_qp", NODE_QP.into())?;
            }
        } else {
            write_registers(&mut endpoint, &params)?;
        }
        if params.queue_pairs > 1 {
            endpoint.write("source_node", 0)?;
            endpoint.write("source_each", 1)?;
        }
        for node in nodes.filter(|_| connected) {
            endpoint.connect(node.into(), FIRST)?;
        }
        let begin = endpoint.now();
        let (reader, sent, told) = (transport.reader(), Vec::new(), Vec::new());
        Ok(VerilatedSender {
            endpoint,
            begin,
            busy: 0,
            asked: 0,
            params,
            reader,
            stalls,
            free: 0.0,
            beat,
            open: 0,
            sent,
            told,
            corrupted: 0,
        })
    }

    fn now(&self) -> u64 {
        self.endpoint.now() - self.begin
    }

    fn clock(&mut self) -> Result<(), String> {
        self.endpoint.wire(self.free <= self.now() as f64, self.stalls);
        self.endpoint.clock();
        let now = self.now();
        for bytes in self.endpoint.transmitted() {
            // with the ICRC that the MAC side writes
            let frame = parse_judged(&bytes, true, &self.reader)
                .map_err(|e| format!("sender: clock {now}: what it sends is no frame: {e}: {bytes:02x?}"))?;
            let time = (bytes.len() + OVERHEAD) as f64 * self.params.byte / self.params.clock as f64;
            let beats = bytes.len().div_ceil(self.beat) as u64;
            self.free = self.free.max((now + 1).saturating_sub(beats) as f64) + time;
            self.sent.push((now, frame.to_bytes()));
            self.busy = now;
        }
        for e in self.endpoint.poll().map_err(|e| format!("sender: clock {now}: {e}"))? {
            if e[23] != 4 {
                return Err(format!("sender: clock {now}: flags {:#04x} in the ring, 0x04 is a command", e[23]));
            }
            let bytes = u32::from_le_bytes([e[8], e[9], e[10], e[11]]);
            self.told.push(Completion { id: u16::from_le_bytes([e[20], e[21]]), status: e[60], bytes });
            self.open = self.open.saturating_sub(1);
            self.busy = now;
        }
        Ok(())
    }
}

/// What a scenario says of times and sizes, and addresses.
fn write_registers(endpoint: &mut Endpoint, params: &SenderParams) -> Result<(), String> {
    let registers = [
        ("threshold", params.cut.threshold.into()),
        ("segment", params.cut.segment.into()),
        ("timeout", params.timers.timeout.into()),
        ("timeout_floor", params.timers.timeout.into()),
        ("ack_delay", 0),
        ("backoff_cap", params.timers.backoff_cap.into()),
        ("retry_limit", params.timers.retry_limit.into()),
        ("source_node", params.src.into()),
    ];
    for (register, value) in registers {
        endpoint.write(register, value)?;
    }
    endpoint.set_up_for_all(params.queue_pairs.max(params.src + 1))?;
    for (register, value) in [("prescale", params.timers.prescale.into()), ("t_life", params.timers.t_life.into())] {
        endpoint.write(register, value)?;
    }
    if endpoint.has("connection") {
        let registers = [
            ("rto", params.timers.timeout.into()),
            ("rto_cap", params.timers.backoff_cap.into()),
            ("rto_limit", params.timers.retry_limit.into()),
            ("feedback_qp", NODE_QP.into()),
            ("untold_window", params.untold_window.into()),
        ];
        for (register, value) in registers {
            endpoint.write(register, value)?;
        }
    }
    Ok(())
}

impl End for VerilatedSender<'_> {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        while self.now() < clock {
            self.clock()?;
        }
        self.endpoint.sound().map_err(|e| format!("sender: {e}"))
    }

    fn next(&self) -> Option<u64> {
        Some(self.now() + 1)
    }

    fn receive(&mut self, _: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        // the MAC side's word on the ICRC
        let wrong = corrupted && parse(&frame, false, &self.reader) == Err(FrameError::BadIcrc);
        self.endpoint.frames.packet(&frame, if wrong { 2 } else { 0 });
        self.corrupted += u64::from(corrupted);
        self.busy = self.now();
        Ok(())
    }

    fn transmit(&mut self) -> Frames {
        std::mem::take(&mut self.sent)
    }

    fn idle(&self) -> bool {
        self.open == 0 && self.endpoint.frames.waiting() == 0 && self.now() >= self.busy + QUIET
    }

    fn finish(&mut self) -> Result<(), String> {
        let at = |e: String| format!("sender: {e}");
        let limit = self.endpoint.now() + PATIENCE;
        while self.endpoint.read("state").map_err(at)? & 1 == 0 {
            if self.endpoint.now() > limit {
                let left = ["commands_live", "ops_live", "descriptors_out"].map(|name| (name, self.endpoint.read(name)));
                return Err(format!("sender: not idle {PATIENCE} clocks after the last frame: {left:?}"));
            }
            for _ in 0..100 {
                self.clock()?;
            }
        }
        for name in ["commands_live", "ops_live", "descriptors_out", "command_state", "send_state"] {
            let value = self.endpoint.read(name).map_err(at)?;
            if value != 0 {
                return Err(format!("sender: `{name}` is {value} in the end"));
            }
        }
        self.endpoint.settle().map_err(at)?;
        if let Some(address) = self.endpoint.memory.damaged().first() {
            return Err(format!("sender: the guard byte at {address:#x} was written"));
        }
        if let Some(complaint) = self.endpoint.cdma.as_ref().and_then(|cdma| cdma.inner().complaints().first()) {
            return Err(format!("sender: the CDMA complains: {complaint}"));
        }
        self.endpoint.sound().map_err(at)?;
        // what the parser drops can only be what the network has damaged
        let counters = self.endpoint.counters().map_err(at)?;
        let beside = ["count_frame_mac_error", "count_frame_foreign"];
        let dropped: u64 =
            counters.iter().filter(|(name, _)| name.starts_with("count_frame_") && !beside.contains(&name.as_str())).map(|(_, n)| n).sum();
        match dropped <= self.corrupted {
            true => Ok(()),
            false => Err(format!("sender: {dropped} frames were dropped, the network has damaged {}: {counters:?}", self.corrupted)),
        }
    }

    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        let counters = self.endpoint.counters()?;
        let mut named: BTreeMap<String, u64> =
            counters.into_iter().map(|(name, value)| (name.trim_start_matches("count_").to_string(), value)).collect();
        for (ours, theirs) in [("segments", "operations"), ("arrival_failed", "arrivals_failed")] {
            if let Some(value) = named.remove(ours) {
                named.insert(theirs.into(), value);
            }
        }
        named.insert("high_water".into(), self.endpoint.read("ops_live_max")?);
        Ok(named)
    }
}

impl Sender for VerilatedSender<'_> {
    fn post(&mut self, clock: u64, command: &Command) -> Result<bool, String> {
        self.run_to(clock)?;
        if self.endpoint.commands.as_ref().is_none_or(|commands| commands.waiting() > 0) {
            return Ok(false);
        }
        self.endpoint.command(command);
        self.open += 1;
        self.busy = self.now();
        Ok(true)
    }

    fn completions(&mut self) -> Result<Vec<Completion>, String> {
        Ok(std::mem::take(&mut self.told))
    }

    fn given_up(&mut self) -> Result<Option<u64>, String> {
        if !self.idle() || self.now() < self.asked + QUIET {
            return Ok(None);
        }
        self.asked = self.now();
        let at = |e: String| format!("sender: {e}");
        if self.endpoint.read("state").map_err(at)? & 1 == 0 {
            return Ok(None);
        }
        self.endpoint.read("count_arrival_failed").map_err(at).map(Some)
    }
}
