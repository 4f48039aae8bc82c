//! A top as a system: what frames, memory, a CDMA and software see of it, through its buses alone.

pub mod both_ways;

use rdma_rtl_golden::memory::{ENTRY, entry_address};
use rdma_rtl_golden::send::splitter::Command;
use rdma_rtl_golden::wire::{Frame, Opcode, Reader, parse_judged};
use rdma_rtl_hdl::csr::RegisterMap;
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::{
    Agent, AxiCheck, AxiLiteCheck, AxiLiteMaster, AxiMemory, Beat, Joined, MemoryOptions, Stalls, StreamCheck, StreamSink, StreamSource,
    Violation, step,
};
use rdma_rtl_sim::cdma::{Cdma, Data, Options};

/// Where the completion ring lies, and log2 of its entries.
pub const RING: u64 = 0x7_0000_1000;
pub const RING_LOG2: u32 = 4;
/// Our queue pair; nodes have theirs from `NODE_QP` on.
pub const QP: u32 = 0x11;
pub const NODE_QP: u32 = 0x100;
/// MAC and IPv4 addresses of control packets: ours, and the last byte of a node's is its number.
const OUR_MAC: u64 = 0x0200_0000_0002;
const NODE_MAC: u64 = 0x0200_0000_0100;
const OUR_IP: u32 = 0x0a00_0002;
const NODE_IP: u32 = 0x0a00_0100;
/// Where the CDMA sees the send buffer and the ring of its descriptors.
const BUFFER: u64 = 0x80_0000_0000;
const DESCRIPTORS: u64 = 0x81_0000_0000;
/// Clocks after which a wait for the hardware is given up.
pub const PATIENCE: u64 = 40_000;

/// How the buses behave.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub seed: u64,
    pub stalls: Stalls,
    pub memory: MemoryOptions,
}

impl Pace {
    /// Nobody waits for anybody.
    pub fn full(seed: u64) -> Self {
        Pace { seed, stalls: Stalls::NONE, memory: MemoryOptions { seed, outstanding: 1000, ..Default::default() } }
    }

    /// Every bus stalls at random, memory answers late and out of order.
    pub fn random(seed: u64, percent: u32) -> Self {
        let stalls = Stalls::all(percent);
        Pace { seed, stalls, memory: MemoryOptions { seed, stalls, latency: (1, 60), reorder: true, errors: 0, outstanding: 24 } }
    }
}

/// A top between models of its buses. Everything is done through them, register by register.
pub struct Endpoint<'a> {
    model: &'a mut dyn Model,
    map: RegisterMap,
    pub frames: StreamSource,
    control: StreamSink,
    pub memory: AxiMemory,
    software: AxiLiteMaster,
    frames_check: StreamCheck,
    control_check: StreamCheck,
    memory_check: AxiCheck,
    software_check: AxiLiteCheck,
    /// the stream of commands, of a top that has one
    pub commands: Option<StreamSource>,
    /// the CDMA, whose memory is the host's as far as it reads it
    pub cdma: Option<Joined<Cdma>>,
    /// rules of the buses that only some tops have
    other_checks: Vec<Box<dyn Agent>>,
    violations: Vec<Violation>,
    /// base and log2 of the entries of the completion ring
    ring: (u64, u32),
    /// entries that software has taken, and those that the endpoint was told of
    taken: u32,
    given_back: u32,
}

impl<'a> Endpoint<'a> {
    /// Around a model with the registers of `map`, reset, nothing set up.
    /// # Errors
    /// A port is missing.
    pub fn new(model: &'a mut dyn Model, map: RegisterMap, pace: Pace) -> Result<Self, String> {
        let text = |e: rdma_rtl_sim::Error| e.to_string();
        let mut endpoint = Endpoint {
            frames: StreamSource::new(model, "s_axis_rx_", pace.seed, pace.stalls).map_err(text)?,
            control: StreamSink::new(model, "m_axis_tx_", pace.seed + 1, pace.stalls).map_err(text)?,
            memory: AxiMemory::new(model, "m_axi_", pace.memory).map_err(text)?,
            software: AxiLiteMaster::new(model, "s_axi_ctrl_", pace.seed + 2, pace.stalls).map_err(text)?,
            frames_check: StreamCheck::new(model, "s_axis_rx_").map_err(text)?,
            control_check: StreamCheck::new(model, "m_axis_tx_").map_err(text)?,
            memory_check: AxiCheck::new(model, "m_axi_").map_err(text)?,
            software_check: AxiLiteCheck::new(model, "s_axi_ctrl_").map_err(text)?,
            commands: None,
            cdma: None,
            other_checks: Vec::new(),
            violations: Vec::new(),
            ring: (RING, RING_LOG2),
            taken: 0,
            given_back: 0,
            map,
            model,
        };
        endpoint.memory.region(RING, ENTRY << RING_LOG2);
        if endpoint.has("threshold") {
            endpoint.sends(pace).map_err(text)?;
        }
        endpoint.reset();
        Ok(endpoint)
    }

    /// What stands at the buses that only a top with a send side has.
    fn sends(&mut self, pace: Pace) -> Result<(), rdma_rtl_sim::Error> {
        let model = &*self.model;
        let width = |port: &str| model.port(port).map_or(512, |i| model.ports()[i].width);
        let cdma = Cdma::new(Options {
            address_bits: 64,
            length_bits: self.map.reset_bits("capability_send_dma", 16, 8) as u32,
            data_width: width("s_axi_buffer_wdata"),
            data: Data::Written { latency: 16 },
            prefetch: 4,
            seed: pace.seed + 3,
            stalls: pace.stalls,
            ..Options::default()
        });
        let pairs = [
            ("s_axi_lite_", "m_axi_cdma_"),
            ("m_axi_sg_", "s_axi_sg_"),
            ("m_axi_aw", "s_axi_buffer_aw"),
            ("m_axi_w", "s_axi_buffer_w"),
            ("m_axi_b", "s_axi_buffer_b"),
            // it reads nothing there
            ("m_axi_ar", "s_axi_buffer_ar"),
            ("m_axi_r", "s_axi_buffer_r"),
        ];
        self.cdma = Some(Joined::new(cdma, model, &pairs)?);
        self.commands = Some(StreamSource::new(model, "s_axis_command_", pace.seed + 4, pace.stalls)?);
        self.other_checks = vec![
            Box::new(AxiCheck::new(model, "s_axi_buffer_")?),
            Box::new(AxiCheck::new(model, "s_axi_sg_")?),
            Box::new(AxiLiteCheck::new(model, "m_axi_cdma_")?),
            Box::new(StreamCheck::new(model, "s_axis_command_")?),
        ];
        Ok(())
    }

    /// There is a register of that name.
    pub fn has(&self, register: &str) -> bool {
        self.map.find(register).is_some()
    }

    /// Eight clocks of `aresetn`, in whatever is going on. What the bus models had under way is forgotten; memory stays.
    pub fn reset(&mut self) {
        self.aresetn(0);
        for _ in 0..8 {
            self.clock();
        }
        self.frames.forget();
        self.software.forget();
        self.software.answers();
        self.memory.forget();
        self.control.beats();
        if let Some(commands) = &mut self.commands {
            commands.forget();
        }
        self.aresetn(1);
        (self.taken, self.given_back) = (0, 0);
    }

    /// Another completion ring, from the next [`Endpoint::set_up`] on.
    pub fn ring(&mut self, base: u64, log2: u32) {
        self.memory.region(base, ENTRY << log2);
        self.ring = (base, log2);
    }

    /// Zeros in the completion ring, as software that waits for the phase of its entries must write them before each use.
    pub fn clear_ring(&mut self) {
        let (base, log2) = self.ring;
        self.memory.put(base, &vec![0; ENTRY << log2]);
    }

    /// log2 of the entries of the completion ring.
    pub fn ring_log2(&self) -> u32 {
        self.ring.1
    }

    fn aresetn(&mut self, level: u64) {
        if let Some(port) = self.model.port("aresetn") {
            self.model.poke_u64(port, level);
        }
        if let Some(cdma) = self.cdma.as_mut().map(Joined::inner_mut)
            && let Some(port) = cdma.port("s_axi_lite_aresetn")
        {
            cdma.poke_u64(port, level);
        }
    }

    /// One clock of everything.
    pub fn clock(&mut self) {
        let mut agents: Vec<&mut dyn Agent> = vec![
            &mut self.frames,
            &mut self.control,
            &mut self.memory,
            &mut self.software,
            &mut self.frames_check,
            &mut self.control_check,
            &mut self.memory_check,
            &mut self.software_check,
        ];
        if let Some(commands) = &mut self.commands {
            agents.push(commands);
        }
        if let Some(cdma) = &mut self.cdma {
            agents.push(cdma);
        }
        for check in &mut self.other_checks {
            agents.push(&mut **check);
        }
        step(self.model, &mut agents, &mut self.violations);
    }

    pub fn now(&self) -> u64 {
        self.model.cycle()
    }

    /// Value of a port of up to 64 bits as it is before the next clock; 0 if there is none of that name.
    pub fn pin(&self, name: &str) -> u64 {
        self.model.port(name).map_or(0, |port| self.model.peek_u64(port))
    }

    /// Bits of a port.
    pub fn bits(&self, name: &str) -> usize {
        self.model.port(name).map_or(0, |port| self.model.ports()[port].width)
    }

    /// Level of the interrupt.
    pub fn interrupt(&self) -> bool {
        self.model.port("irq").is_some_and(|port| self.model.peek_u64(port) == 1)
    }

    /// Rules of the buses that were broken so far.
    /// # Errors
    /// The first of them.
    pub fn sound(&self) -> Result<(), String> {
        if let Some(failure) = self.model.failure() {
            return Err(failure.to_string());
        }
        match self.violations.first() {
            Some(first) => Err(format!("{} rules broken, the first: {first}", self.violations.len())),
            None => Ok(()),
        }
    }

    fn offset(&self, register: &str) -> Result<(u64, u32), String> {
        let found = self.map.find(register).ok_or_else(|| format!("there is no register `{register}`"))?;
        Ok((found.offset.into(), found.width))
    }

    fn answers(&mut self, what: &str) -> Result<Vec<u32>, String> {
        let limit = self.now() + PATIENCE;
        while !self.software.idle() {
            if self.now() > limit {
                return Err(format!("{what}: no answer in {PATIENCE} clocks"));
            }
            self.clock();
        }
        let answers = self.software.answers();
        match answers.iter().find(|a| !a.ok()) {
            Some(refused) => Err(format!("{what}: address 0x{:x} was answered by {}", refused.address, refused.response)),
            None => Ok(answers.iter().map(|a| a.data).collect()),
        }
    }

    /// Writes a register.
    /// # Errors
    /// There is none of that name, or the answer is an error.
    pub fn write(&mut self, register: &str, value: u64) -> Result<(), String> {
        let (offset, width) = self.offset(register)?;
        self.software.write(offset, value as u32);
        self.answers(register)?;
        if width > 32 {
            self.software.write(offset + 4, (value >> 32) as u32);
            self.answers(register)?;
        }
        Ok(())
    }

    /// Reads a register, of a wide one the low word first.
    /// # Errors
    /// There is none of that name, or the answer is an error.
    pub fn read(&mut self, register: &str) -> Result<u64, String> {
        let (offset, width) = self.offset(register)?;
        // a write that `poll` has left may be answered at any time
        self.answers("ring_consumer")?;
        self.software.read(offset);
        let low = self.answers(register)?.first().copied().unwrap_or_default();
        if width <= 32 {
            return Ok(low.into());
        }
        self.software.read(offset + 4);
        let high = self.answers(register)?.first().copied().unwrap_or_default();
        Ok(u64::from(low) | u64::from(high) << 32)
    }

    /// What software does first: timers, queue pair `QP`, nodes, template, ring, then `enable`. Ticks are 4 clocks.
    /// # Errors
    /// As [`Endpoint::write`].
    pub fn set_up(&mut self, nodes: u16) -> Result<(), String> {
        self.set_up_queue_pair()?;
        self.set_up_for_all(nodes)
    }

    /// The queue pair that is ours.
    /// # Errors
    /// As [`Endpoint::write`].
    pub fn set_up_queue_pair(&mut self) -> Result<(), String> {
        for (register, value) in [("qp_index", 2), ("qp_entry", u64::from(QP) | 1 << 31), ("qp", 1)] {
            self.write(register, value)?;
        }
        Ok(())
    }

    /// The same without a queue pair: all are ours.
    /// # Errors
    /// As [`Endpoint::write`].
    pub fn set_up_for_all(&mut self, nodes: u16) -> Result<(), String> {
        self.write("prescale", 4)?;
        if self.has("t_life") {
            self.write("t_life", 1 << 26)?;
        }
        if self.has("renotify") {
            for (register, value) in [("renotify", 20), ("escape_timeout", 2000), ("op_timeout", 1 << 24)] {
                self.write(register, value)?;
            }
        }
        self.set_up_addresses(nodes)
    }

    /// Addresses, nodes, the ring and the enable alone: every other register keeps its reset value.
    /// # Errors
    /// As [`Endpoint::write`].
    pub fn set_up_addresses(&mut self, nodes: u16) -> Result<(), String> {
        if self.has("threshold") {
            for (register, value) in [("buffer_base", BUFFER), ("sg_base", DESCRIPTORS)] {
                self.write(register, value)?;
            }
        }
        for (register, value) in [("local_mac", OUR_MAC), ("local_ip_3", OUR_IP.into()), ("local_udp", 0x0a20_c123), ("local_pkey", 0x8001)]
        {
            self.write(register, value)?;
        }
        for node in 0..u64::from(nodes) {
            for (register, value) in [
                ("node_index", node),
                ("node_mac", NODE_MAC + node),
                ("node_ip_3", u64::from(NODE_IP) + node),
                ("node_qp", (u64::from(NODE_QP) + node) | 1 << 31),
                ("node", 1),
            ] {
                self.write(register, value)?;
            }
        }
        for (register, value) in
            [("ring_base", self.ring.0), ("ring_size_log2", self.ring.1.into()), ("ring_consumer", 0), ("interrupt_enable", 1)]
        {
            self.write(register, value)?;
        }
        self.write("control", 1)
    }

    /// Opens the queue pair of a node, of a top that has some; in an earlier life it had other numbers.
    /// # Errors
    /// As [`Endpoint::write`], or it does not come to that.
    pub fn connect(&mut self, node: u64, first: u32) -> Result<(), String> {
        for (first, command) in [(first ^ 0x12_3456, 1), (0, 2), (first, 1)] {
            for (register, value) in [("connection_index", node), ("connection_psn", first.into()), ("connection", command)] {
                self.write(register, value)?;
            }
            self.connected(node)?;
        }
        Ok(())
    }

    fn connected(&mut self, node: u64) -> Result<(), String> {
        let limit = self.now() + PATIENCE;
        while self.read("connection_state")? != 0 {
            if self.now() > limit {
                return Err(format!("the queue pair of node {node} is not open or closed {PATIENCE} clocks after it was to be"));
            }
        }
        Ok(())
    }

    /// The completions that memory shows by their phase, as software finds them that does not wait for a register; no clock passes. The
    /// consumer index is written when the bus is free.
    /// # Errors
    /// An entry whose number is not that of its place, or the answer to a write is an error.
    pub fn poll(&mut self) -> Result<Vec<[u8; ENTRY]>, String> {
        let (base, log2) = self.ring;
        let mut found = Vec::new();
        loop {
            let address = entry_address(base, self.taken, log2);
            let bytes = self.memory.bytes(address, ENTRY).and_then(|b| <[u8; ENTRY]>::try_from(b).ok());
            let entry = bytes.ok_or_else(|| format!("no memory at 0x{address:x}"))?;
            if (entry[63] >> 7 == 1) != (self.taken >> log2 & 1 == 0) {
                break;
            }
            let number = u32::from_le_bytes([entry[56], entry[57], entry[58], entry[59]]);
            if number != self.taken {
                return Err(format!("entry {} of the ring has number {number}", self.taken));
            }
            found.push(entry);
            self.taken = self.taken.wrapping_add(1);
        }
        if self.taken != self.given_back && self.software.idle() {
            if let Some(refused) = self.software.answers().iter().find(|a| !a.ok()) {
                return Err(format!("ring_consumer: address 0x{:x} was answered by {}", refused.address, refused.response));
            }
            self.software.write(self.offset("ring_consumer")?.0, self.taken);
            self.given_back = self.taken;
        }
        Ok(found)
    }

    /// The consumer index says that all completions found are taken.
    pub fn gave_back(&self) -> bool {
        self.taken == self.given_back
    }

    /// The completions that the ring has, as software takes them: up to the producer index, then the consumer index is written.
    /// # Errors
    /// An entry whose number or phase is not that of its place.
    pub fn completions(&mut self) -> Result<Vec<[u8; ENTRY]>, String> {
        let producer = self.read("ring_producer")? as u32;
        let (base, log2) = self.ring;
        let mut found = Vec::new();
        while self.taken != producer {
            let address = entry_address(base, self.taken, log2);
            let bytes = self.memory.bytes(address, ENTRY).and_then(|b| <[u8; ENTRY]>::try_from(b).ok());
            let entry = bytes.ok_or_else(|| format!("no memory at 0x{address:x}"))?;
            let number = u32::from_le_bytes([entry[56], entry[57], entry[58], entry[59]]);
            let phase = entry[63] >> 7 == 1;
            if number != self.taken || phase != (self.taken >> log2 & 1 == 0) {
                return Err(format!("entry {} of the ring has number {number} and phase {phase}", self.taken));
            }
            found.push(entry);
            self.taken = self.taken.wrapping_add(1);
        }
        if !found.is_empty() {
            self.write("ring_consumer", self.taken.into())?;
            self.given_back = self.taken;
        }
        Ok(found)
    }

    /// Whole frames since the last call, without what the MAC side writes.
    pub fn transmitted(&mut self) -> Vec<Vec<u8>> {
        self.control.packets()
    }

    /// Whether the MAC takes beats from now on.
    pub fn wire(&mut self, free: bool, stalls: Stalls) {
        self.control.set_stalls(if free { stalls } else { Stalls { idle: 0, backpressure: 100 } });
    }

    /// Queues a command for the stream.
    /// # Panics
    /// The top has no send side, or the command has more than four blocks.
    pub fn command(&mut self, command: &Command) {
        let stream = self.commands.as_mut().expect("a top with a send side");
        assert!(command.blocks.len() <= 4, "{} source blocks, at most 4 are allowed", command.blocks.len());
        let mut bytes = Vec::with_capacity(76);
        bytes.extend(command.id.to_le_bytes());
        bytes.extend(command.node.to_le_bytes());
        bytes.extend(command.qp.to_le_bytes());
        bytes.extend(command.rkey.to_le_bytes());
        bytes.extend(command.target.to_le_bytes());
        bytes.extend(command.imm.unwrap_or(0).to_le_bytes());
        let options = u32::from(command.imm.is_some()) | u32::from(command.arrival) << 1 | (command.blocks.len() as u32) << 8;
        bytes.extend(options.to_le_bytes());
        (0..4).for_each(|i| bytes.extend(command.blocks.get(i).map_or(0, |block| block.source).to_le_bytes()));
        (0..4).for_each(|i| bytes.extend(command.blocks.get(i).map_or(0, |block| block.bytes).to_le_bytes()));
        stream.beat(Beat { keep: vec![true; bytes.len()], data: bytes, last: true, ..Beat::default() });
    }

    /// Control packets since the last call, each with the node that it is for. The ICRC is the MAC side's to write.
    /// # Errors
    /// A frame that is not as the template and the node table say.
    pub fn control_packets(&mut self) -> Result<Vec<(u16, Frame)>, String> {
        let mut found = Vec::new();
        for bytes in self.control.packets() {
            let frame = parse_judged(&bytes, true, &Reader::registry()).map_err(|e| format!("control packet {bytes:02x?}: {e}"))?;
            let node = frame.bth.destination_qp.wrapping_sub(NODE_QP);
            let mac = |address: u64| <[u8; 6]>::try_from(&address.to_be_bytes()[2..]).unwrap_or_default();
            let ip = rdma_rtl_golden::wire::Ip::V4 { source: OUR_IP.into(), destination: (NODE_IP + node).into() };
            let template = frame.source_mac == mac(OUR_MAC) && frame.bth.partition_key == 0x8001 && frame.udp_source == 0xc123;
            let hops = bytes.get(22) == Some(&0x20);
            let addressed = frame.destination_mac == mac(NODE_MAC + u64::from(node)) && frame.ip == ip && frame.traffic_class == 0x0a;
            // An acknowledgement alone has a number.
            let numbered = frame.bth.psn == 0 || frame.bth.opcode == Opcode(0x11);
            if !template || !hops || !addressed || !numbered {
                return Err(format!("control packet to node {node}: {frame:?}"));
            }
            found.push((node as u16, frame));
        }
        Ok(found)
    }

    /// Waits until nothing is under way.
    /// # Errors
    /// It does not come to that.
    pub fn settle(&mut self) -> Result<(), String> {
        let limit = self.now() + PATIENCE;
        while self.frames.waiting() > 0 || self.read("state")? & 1 == 0 {
            if self.now() > limit {
                return Err(format!("not idle after {PATIENCE} clocks, {} beats wait", self.frames.waiting()));
            }
            self.clock();
        }
        // A counter lacks the events of its last round.
        for _ in 0..80 {
            self.clock();
        }
        Ok(())
    }

    /// Resets all but registers and counters by software, in whatever is going on, and waits until that is over; frames that are still to
    /// be sent are thrown away. The tables are empty then, and `enable` is off.
    /// # Errors
    /// The buses do not come to rest.
    pub fn soft_reset(&mut self) -> Result<(), String> {
        self.write("control", 1 << 8)?;
        let limit = self.now() + PATIENCE;
        while self.read("state")? & 2 == 0 || self.frames.waiting() > 0 {
            if self.now() > limit {
                let state =
                    ["state", "send_state", "commands_live", "ops_live", "descriptors_out"].map(|name| (name, self.read(name).ok()));
                return Err(format!("no soft reset in {PATIENCE} clocks, {} beats wait: {state:?}", self.frames.waiting()));
            }
        }
        self.control.packets();
        (self.taken, self.given_back) = (0, 0);
        Ok(())
    }

    /// Counters that are not zero, by name.
    /// # Errors
    /// As [`Endpoint::read`].
    pub fn counters(&mut self) -> Result<std::collections::BTreeMap<String, u64>, String> {
        let names: Vec<String> = self.map.counters().map(|r| r.name.clone()).collect();
        let mut found = std::collections::BTreeMap::new();
        for name in names {
            let value = self.read(&name)?;
            if value > 0 {
                found.insert(name, value);
            }
        }
        Ok(found)
    }
}
