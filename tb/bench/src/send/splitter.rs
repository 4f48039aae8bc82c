//! Bench of `Splitter`: every segment and every completion against the golden model, in the clock in which it is offered first; streams
//! that keep what they offer; counters at the end.
//!
//! The operations are played: each segment that is taken ends some time later, in any order, well or not.

use crate::memory::Ports;
use crate::pins::chance;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::send::OpKind;
use rdma_rtl_golden::send::splitter::{Block, Command, Completion, Config, Params, Refusal, Segment, Splitter};
use rdma_rtl_sim::bus::{Channel, ChannelCheck};
use rdma_rtl_sim::{Direction, Model};

/// How a run goes. Percent of clocks, where nothing else is said.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a command is offered
    pub offer: u32,
    /// a segment is taken
    pub take: u32,
    /// the end of an operation is offered, if there is one
    pub end: u32,
    /// a completion is taken
    pub host: u32,
    /// percent of operations that fail
    pub fail: u32,
    /// the configuration is set anew, one time in four to a bad one
    pub change: u32,
    /// operations end in the order of their segments
    pub in_order: bool,
}

impl Pace {
    /// Never a pause, nothing fails.
    pub const FULL: Pace = Pace { offer: 100, take: 100, end: 100, host: 100, fail: 0, change: 0, in_order: true };
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub clocks: u64,
    pub segments: u64,
    pub arrivals: u64,
    pub completed: u64,
    pub failed: u64,
    pub refused: u64,
    /// failed commands of which something was never cut
    pub discarded: u64,
    pub arrivals_failed: u64,
    /// most commands under way
    pub most: u64,
    /// clocks in which a command was not taken
    pub waited: u64,
    /// from the first command to the first segment, and from the first end to the first completion
    pub segment_latency: u64,
    pub completion_latency: u64,
    /// from the first segment to the last, both included
    pub segment_clocks: u64,
    /// from the first completion to the last, both included
    pub completion_clocks: u64,
}

/// A reason for an operation to fail: what the wire and the op table may say.
const REASONS: [u8; 8] = [3, 7, 11, 14, 15, 32, 33, 34];

struct Hardware<'a> {
    golden: Splitter,
    params: Params,
    config: Config,
    rng: ChaCha8Rng,
    pace: Pace,
    commands: &'a [Command],
    next: usize,
    offered: Option<rdma_rtl_golden::send::Moment>,
    /// segments that were taken and have not ended
    open: Vec<(u16, OpKind)>,
    ending: Option<(u16, OpKind, u8)>,
    segment_waits: bool,
    completion_waits: bool,
    first_command: Option<u64>,
    first_end: Option<u64>,
    first_segment: Option<u64>,
    first_completion: Option<u64>,
    counted: Vec<u64>,
    seen: Seen,
}

/// Event ports, in the order of what [`Hardware::counters`] expects.
const EVENTS: [&str; 10] = [
    "evt_commands",
    "evt_segments",
    "evt_failures",
    "evt_arrival_failed",
    "evt_refused_bytes_zero",
    "evt_refused_misaligned_target",
    "evt_refused_wraps",
    "evt_refused_misaligned_source",
    "evt_refused_bad_configuration",
    "evt_refused_too_long",
];

fn offer<'a, M: std::ops::DerefMut<Target = dyn Model + 'a>>(p: &mut Ports<M>, command: &Command, rng: &mut ChaCha8Rng) {
    p.set("command_id", command.id.into());
    p.set("command_target", command.target);
    p.set("command_node", command.node.into());
    p.set("command_qp", command.qp.into());
    p.set("command_rkey", command.rkey.into());
    p.set("command_imm_valid", command.imm.is_some().into());
    p.set("command_imm", command.imm.unwrap_or_else(|| rng.random()).into());
    p.set("command_arrival", command.arrival.into());
    p.set("command_blocks", command.blocks.len() as u64);
    // What is behind the last block means nothing.
    let blocks: Vec<Block> =
        (0..4).map(|i| command.blocks.get(i).copied().unwrap_or_else(|| Block { source: rng.random(), bytes: rng.random() })).collect();
    let sources: Vec<u8> = blocks.iter().flat_map(|b| b.source.to_le_bytes()).collect();
    let lengths: Vec<u8> = blocks.iter().flat_map(|b| b.bytes.to_le_bytes()).collect();
    p.set_bytes("command_sources", &sources);
    p.set_bytes("command_lengths", &lengths);
}

fn kind(bit: u64) -> OpKind {
    if bit == 1 { OpKind::Arrival } else { OpKind::Data }
}

fn segment(p: &Ports<&dyn Model>) -> Segment {
    let kind = kind(p.get("segment_kind"));
    let (sources, lengths) = (p.get_bytes("segment_sources"), p.get_bytes("segment_lengths"));
    let pieces = (0..4)
        .map(|i| Block {
            source: u64::from_le_bytes(sources[8 * i..8 * i + 8].try_into().unwrap_or_default()),
            bytes: u32::from_le_bytes(lengths[4 * i..4 * i + 4].try_into().unwrap_or_default()),
        })
        .filter(|piece| piece.bytes > 0)
        .collect();
    Segment {
        command: p.get("segment_command") as u16,
        kind,
        last: p.get("segment_last") == 1,
        large: p.get("segment_large") == 1,
        target: p.get("segment_target"),
        node: p.get("segment_node") as u16,
        qp: p.get("segment_qp") as u32,
        rkey: p.get("segment_rkey") as u32,
        imm: (p.get("segment_imm_valid") == 1).then(|| p.get("segment_imm") as u32),
        bytes: p.get("segment_bytes") as u32,
        count: p.get("segment_count") as u16,
        pieces,
    }
}

impl Hardware<'_> {
    fn drive(&mut self, model: &mut dyn Model) {
        let now = self.golden.now();
        let mut p = Ports(model);
        if chance(&mut self.rng, self.pace.change) {
            self.config = random_config(&mut self.rng, &self.params);
            self.golden.set_config(self.config);
            p.set("cfg_threshold", self.config.threshold.into());
            p.set("cfg_segment", self.config.segment.into());
        }
        if self.offered.is_none() && self.next < self.commands.len() && chance(&mut self.rng, self.pace.offer) {
            self.offered = Some(now);
            offer(&mut p, &self.commands[self.next], &mut self.rng);
        }
        p.set("command_valid", self.offered.is_some().into());
        if self.ending.is_none() && !self.open.is_empty() && chance(&mut self.rng, self.pace.end) {
            let at = if self.pace.in_order { 0 } else { self.rng.random_range(0..self.open.len()) };
            let (index, kind) = self.open.remove(at);
            let fails = chance(&mut self.rng, self.pace.fail);
            let status = if fails { REASONS.choose(&mut self.rng).copied().unwrap_or(32) } else { 0 };
            self.ending = Some((index, kind, status));
        }
        p.set("ended_valid", self.ending.is_some().into());
        if let Some((index, kind, status)) = self.ending {
            p.set("ended_command", index.into());
            p.set("ended_kind", kind as u64);
            p.set("ended_status", status.into());
        }
        p.set("segment_ready", chance(&mut self.rng, self.pace.take).into());
        p.set("completion_ready", chance(&mut self.rng, self.pace.host).into());
    }

    fn look(&mut self, p: &Ports<&dyn Model>) -> Result<(), String> {
        let now = p.0.cycle();
        let fires = |name: &str| p.get(&format!("{name}_valid")) == 1 && p.get(&format!("{name}_ready")) == 1;
        let say = |e: rdma_rtl_golden::registry::Mismatch| e.to_string();
        for (count, name) in self.counted.iter_mut().zip(EVENTS) {
            *count += p.get(name);
        }
        if p.get("segment_valid") == 1 {
            let seen = segment(p);
            if !self.segment_waits {
                self.golden.segment(&seen).map_err(say)?;
                self.seen.segments += 1;
                self.seen.arrivals += u64::from(seen.kind == OpKind::Arrival);
                let first = *self.first_segment.get_or_insert(now);
                self.seen.segment_clocks = now + 1 - first;
            }
            self.segment_waits = !fires("segment");
            if fires("segment") {
                self.open.push((seen.command, seen.kind));
            }
        }
        if p.get("completion_valid") == 1 {
            if !self.completion_waits {
                let [id, status, bytes] = ["id", "status", "bytes"].map(|name| p.get(&format!("completion_{name}")));
                self.golden.completion(Completion { id: id as u16, status: status as u8, bytes: bytes as u32 }).map_err(say)?;
                let first = *self.first_completion.get_or_insert(now);
                self.seen.completion_clocks = now + 1 - first;
            }
            self.completion_waits = !fires("completion");
        }
        if let (Some((index, kind, status)), true) = (self.ending, fires("ended")) {
            self.golden.ended(index, kind, status).map_err(say)?;
            self.ending = None;
            self.first_end.get_or_insert(now);
        }
        if let Some(since) = self.offered {
            if fires("command") {
                self.seen.refused += u64::from(self.golden.command(&self.commands[self.next]).map_err(say)?.is_some());
                self.next += 1;
                self.offered = None;
                self.first_command.get_or_insert(now);
            } else {
                self.seen.waited += 1;
                self.golden.overdue_command(since).map_err(say)?;
            }
        }
        self.golden.overdue().map_err(say)?;
        self.seen.most = self.seen.most.max(p.get("status_commands"));
        let stalled = self.segment_waits || self.completion_waits;
        self.golden.advance(1, stalled);
        Ok(())
    }

    fn done(&self) -> bool {
        self.next == self.commands.len() && self.golden.finish().is_ok() && self.ending.is_none() && self.open.is_empty()
    }

    fn counters(&mut self) -> Result<(), String> {
        let golden = self.golden.counters();
        let expected = [vec![golden.commands, golden.segments, golden.failed, golden.arrivals_failed], golden.refused.to_vec()].concat();
        self.seen.completed = golden.completed;
        self.seen.failed = golden.failed;
        self.seen.discarded = golden.discarded;
        self.seen.arrivals_failed = golden.arrivals_failed;
        for ((name, found), expected) in EVENTS.into_iter().zip(&self.counted).zip(expected) {
            if *found != expected {
                return Err(format!("`{name}` counted {found}, expected {expected}"));
            }
        }
        Ok(())
    }
}

/// One in four is bad.
pub fn random_config(rng: &mut ChaCha8Rng, params: &Params) -> Config {
    let largest = params.operation_bytes() as u32;
    let segment = params.packet_size * rng.random_range(1..=params.mask_bits);
    let threshold = rng.random_range(0..=largest);
    match rng.random_range(0..20) {
        0 => Config { threshold, segment: 0 },
        1 => Config { threshold, segment: segment | 1 << rng.random_range(0..params.packet_size.ilog2()) },
        2 => Config { threshold, segment: largest + params.packet_size },
        3 => Config { threshold: largest + 1, segment },
        4 => Config { threshold: rng.random::<u32>() | 1 << 31, segment: rng.random() },
        5..7 => Config { threshold: largest, segment: params.packet_size },
        7..9 => Config { threshold: 0, segment: largest },
        _ => Config { threshold, segment },
    }
}

fn reset(model: &mut dyn Model) {
    for port in 0..model.ports().len() {
        if model.ports()[port].direction == Direction::Input {
            let zero = vec![0; model.ports()[port].words()];
            model.poke(port, &zero);
        }
    }
    let mut p = Ports(model);
    p.set("rst", 1);
    p.0.clock();
    p.set("rst", 0);
    p.0.eval();
}

/// After a reset, all `commands` to their end.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, params: Params, config: Config, commands: &[Command], pace: Pace, seed: u64) -> Result<Seen, String> {
    reset(model);
    let find = |name: &str| Channel::find(model, name).map_err(|e| e.to_string());
    let channels = ["command_", "segment_", "ended_", "completion_"].map(find);
    let mut checks = Vec::new();
    for channel in channels {
        checks.push(ChannelCheck::new(model, channel?));
    }
    let mut p = Ports(&mut *model);
    p.set("cfg_threshold", config.threshold.into());
    p.set("cfg_segment", config.segment.into());
    let mut hardware = Hardware {
        golden: Splitter::new(params, config),
        params,
        config,
        rng: ChaCha8Rng::seed_from_u64(seed),
        pace,
        commands,
        next: 0,
        offered: None,
        open: Vec::new(),
        ending: None,
        segment_waits: false,
        completion_waits: false,
        first_command: None,
        first_end: None,
        first_segment: None,
        first_completion: None,
        counted: vec![0; EVENTS.len()],
        seen: Seen::default(),
    };
    let (mut violations, mut quiet, mut rest) = (Vec::new(), 0, 20);
    let start = model.cycle();
    while rest > 0 {
        rest = if hardware.done() { rest - 1 } else { 20 };
        let before = (hardware.next, hardware.seen, hardware.open.len());
        hardware.drive(model);
        model.eval();
        let was_bad = hardware.config.is_bad(&params);
        hardware.look(&Ports(&*model)).map_err(|e| format!("cycle {}: {e}", model.cycle()))?;
        for check in &mut checks {
            check.observe(model, &mut violations);
        }
        model.clock();
        if let Some(violation) = violations.first() {
            return Err(violation.to_string());
        }
        if let Some(reason) = model.failure() {
            return Err(reason.to_string());
        }
        if (Ports(&*model).get("config_error") == 1) != was_bad {
            return Err(format!("cycle {}: `config_error` is {}, with {:?}", model.cycle(), !was_bad, hardware.config));
        }
        quiet = if before == (hardware.next, hardware.seen, hardware.open.len()) { quiet + 1 } else { 0 };
        if quiet > 4000 {
            return Err(format!("nothing moves any more, at command {}: {:?}", hardware.next, hardware.golden.finish()));
        }
    }
    hardware.counters()?;
    if Ports(&*model).get("status_commands") != 0 {
        return Err("commands are under way at the end".to_string());
    }
    let mut seen = hardware.seen;
    seen.clocks = model.cycle() - start;
    let from = |first: Option<u64>, to: Option<u64>| to.unwrap_or(0).saturating_sub(first.unwrap_or(0));
    seen.segment_latency = from(hardware.first_command, hardware.first_segment);
    seen.completion_latency = from(hardware.first_end, hardware.first_completion);
    Ok(seen)
}

/// Commands for some clocks, of which nothing ends: for what a reset must forget.
pub fn leave_in_the_middle(model: &mut dyn Model, commands: &[Command], clocks: usize, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut p = Ports(model);
    for clock in 0..clocks {
        offer(&mut p, &commands[clock % commands.len()], &mut rng);
        p.set("command_valid", 1);
        p.set("ended_valid", 0);
        p.set("segment_ready", chance(&mut rng, 30).into());
        p.set("completion_ready", chance(&mut rng, 30).into());
        p.0.clock();
    }
}

/// A command of `bytes`, in one block, at any aligned place.
pub fn plain(id: u16, bytes: u32, params: &Params) -> Command {
    let source = 0x1000_0000 + u64::from(id) * 0x10_0000;
    let target = u64::from(id + 1) * u64::from(params.packet_size) * 4096;
    Command {
        id,
        target,
        node: id ^ 0x5a,
        qp: 0x12_3456 ^ u32::from(id),
        rkey: 0x89ab_cdef ^ u32::from(id),
        imm: id.is_multiple_of(3).then_some(0xfeed_0000 | u32::from(id)),
        arrival: false,
        blocks: vec![Block { source, bytes }],
    }
}

/// A number near a border: a multiple of a packet, a segment, the threshold, and one more or less.
fn near(rng: &mut ChaCha8Rng, params: &Params, config: &Config) -> u32 {
    let base = match rng.random_range(0..6) {
        0 => 1,
        1 => params.packet_size * rng.random_range(1..8),
        2 => config.segment.wrapping_mul(rng.random_range(1..6)),
        3 => config.threshold,
        4 => params.operation_bytes() as u32,
        _ => rng.random_range(1..4 * params.operation_bytes() as u32),
    };
    (base & 0xff_ffff).saturating_add_signed(rng.random_range(-1..=1)).max(1)
}

/// Anything the host may post; some of it is to be refused.
pub fn mixture(rng: &mut ChaCha8Rng, params: &Params, config: &Config, number: usize) -> Vec<Command> {
    let mut commands = Vec::new();
    for id in 0..number as u16 {
        let mut command = plain(id, 1, params);
        command.target = rng.random::<u64>() & !u64::from(params.packet_size - 1) & (u64::MAX >> 1);
        command.node = rng.random();
        command.qp = rng.random_range(0..1 << 24);
        command.rkey = rng.random();
        command.imm = rng.random::<bool>().then(|| rng.random());
        command.arrival = rng.random();
        let align = params.alignment;
        let blocks = rng.random_range(1..=params.sgl);
        command.blocks = (0..blocks)
            .map(|i| {
                let source = rng.random::<u64>() >> 1 & !u64::from(align - 1);
                let bytes = if rng.random::<bool>() { near(rng, params, config) } else { rng.random_range(1..3 * params.packet_size) };
                let inner = i + 1 < blocks;
                Block { source, bytes: if inner { bytes.next_multiple_of(align) } else { bytes } }
            })
            .collect();
        // One of seven is wrong in some way, or nearly.
        let some = rng.random_range(0..blocks);
        let bytes = command.bytes();
        match rng.random_range(0..70) {
            0 => command.blocks[some].bytes = 0,
            1 => command.blocks.clear(),
            2 => command.target |= 1 << rng.random_range(0..params.packet_size.ilog2()),
            3 => command.target = bytes.wrapping_neg() & !u64::from(params.packet_size - 1),
            4 => command.target = !u64::from(params.packet_size - 1),
            5 => command.blocks[some].source = u64::from(command.blocks[some].bytes).wrapping_neg() & !u64::from(align - 1),
            6 => command.blocks[some].source = !u64::from(align - 1),
            7 => command.blocks[some].source |= rng.random_range(0..u64::from(align)),
            8 => command.blocks[some].bytes += rng.random_range(0..align),
            9 => command.blocks[some].bytes = u32::MAX - rng.random_range(0..2),
            _ => {}
        }
        // What takes long to be cut is refused for its target.
        if (1 << 24..1 << 32).contains(&command.bytes()) {
            command.target |= 1;
        }
        commands.push(command);
    }
    commands
}

/// Number of reasons among the refusals of `commands`.
pub fn reasons(commands: &[Command], params: &Params, config: &Config) -> usize {
    let mut found: Vec<Refusal> = commands.iter().filter_map(|command| Refusal::of(command, params, config)).collect();
    found.sort();
    found.dedup();
    found.len()
}
