//! `CdmaDriver` at the ports of the CDMA model: every load answered once, in order, with the status that follows from the faults that were
//! planted; the bytes of a load that succeeded at its destination when it is answered; never too many descriptors out; nothing left over at
//! the end.

mod expected;

pub use expected::{Expected, expect};

use crate::pins::chance;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::{Agent, AxiCheck, AxiLiteCheck, Joined, Violation, step};
use rdma_rtl_sim::cdma::{Cdma, Data, Fault, Options};
use std::collections::VecDeque;

/// Bytes that may be fetched.
pub const SOURCE: u64 = 0x1000_0000;
pub const SOURCE_BYTES: usize = 1 << 16;
/// With addresses of more than 32 bits they lie here a second time.
const ABOVE: u64 = 1 << 40;
/// Where they go.
pub const TARGET: u64 = 0x4000_0000;

/// A load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// address and bytes; a piece without bytes is not used
    pub pieces: [(u64, u32); 4],
    pub destination: u64,
}

impl Load {
    pub fn bytes(&self) -> usize {
        self.pieces.iter().map(|p| p.1 as usize).sum()
    }

    /// Descriptors that it takes.
    pub fn descriptors(&self) -> usize {
        self.pieces.iter().filter(|p| p.1 != 0).count()
    }
}

/// What happens to the engine at some clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// soft resets do not end any more
    HangsInReset,
    /// register accesses are not answered any more
    Deaf,
    /// register accesses are answered with this code
    Responds(u8),
}

/// How a run goes.
#[derive(Clone, Debug)]
pub struct Run {
    pub loads: Vec<Load>,
    /// descriptor, counted as the engine begins them, and how it fails
    pub faults: Vec<(u64, Fault)>,
    pub trouble: Option<(u64, Trouble)>,
    pub cdma: Options,
    /// percent of clocks in which a load is offered, and in which an answer is taken
    pub offer: u32,
    pub take: u32,
    pub ring_base: u64,
    pub wide: bool,
    /// descriptors, delay
    pub interrupt: (u64, u64),
    pub reset_timeout: u64,
    /// ticks
    pub load_timeout: u64,
    pub error_limit: u64,
    /// clocks of a tick
    pub prescale: u64,
    pub seed: u64,
}

impl Default for Run {
    fn default() -> Self {
        Run {
            loads: Vec::new(),
            faults: Vec::new(),
            trouble: None,
            cdma: Options { data: Data::Inside { latency: 4, rate: 64 }, ..Options::default() },
            offer: 100,
            take: 100,
            ring_base: 0x8000_0000,
            wide: false,
            interrupt: (1, 0),
            reset_timeout: 100,
            load_timeout: 0,
            error_limit: 8,
            prescale: 4,
            seed: 1,
        }
    }
}

/// What a run saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// statuses, by load
    pub statuses: Vec<u64>,
    pub descriptors: u64,
    pub errors: u64,
    pub resets: u64,
    pub refused: u64,
    pub interrupts: u64,
    pub dead: bool,
    /// most descriptors out
    pub most: u64,
    /// clocks from the first load taken to the last answer
    pub clocks: u64,
    /// from the first load to the tail of it
    pub tail_latency: u64,
    /// writes of the tail
    pub tails: u64,
}

struct Bench<'a> {
    run: &'a Run,
    ports: Ports,
    rng: ChaCha8Rng,
    offered: bool,
    next: usize,
    /// loads that are to be answered in this order, then those that were refused
    waiting: VecDeque<usize>,
    refused: Vec<usize>,
    length_mask: u64,
    answered: Vec<(usize, u64)>,
    seen: Seen,
    first: Option<u64>,
    outstanding_most: u64,
    quiet: u64,
    difference: Option<String>,
}

/// Indices of the ports.
struct Ports {
    tick: usize,
    load_valid: usize,
    load_ready: usize,
    load_tag: usize,
    load_sources: usize,
    load_lengths: usize,
    load_destination: usize,
    loaded_valid: usize,
    loaded_ready: usize,
    loaded_tag: usize,
    loaded_status: usize,
    outstanding: usize,
    dead: usize,
    descriptors: usize,
    errors: usize,
    resets: usize,
    refused: usize,
    interrupt: usize,
}

fn port(model: &dyn Model, name: &str) -> usize {
    model.port(name).unwrap_or_else(|| panic!("the bench drives port `{name}`, which the design does not have"))
}

impl Ports {
    fn new(model: &dyn Model) -> Self {
        let p = |name: &str| port(model, name);
        Ports {
            tick: p("tick"),
            load_valid: p("load_valid"),
            load_ready: p("load_ready"),
            load_tag: p("load_tag"),
            load_sources: p("load_sources"),
            load_lengths: p("load_lengths"),
            load_destination: p("load_destination"),
            loaded_valid: p("loaded_valid"),
            loaded_ready: p("loaded_ready"),
            loaded_tag: p("loaded_tag"),
            loaded_status: p("loaded_status"),
            outstanding: p("status_outstanding"),
            dead: p("status_dead"),
            descriptors: p("evt_descriptors"),
            errors: p("evt_cdma_errors"),
            resets: p("evt_cdma_resets"),
            refused: p("evt_refused_loads"),
            interrupt: p("set_interrupt_status_loaded"),
        }
    }
}

/// What the engine cannot do at all.
pub fn is_refused(load: &Load, length_mask: u64, wide: bool) -> bool {
    let far = |address: u64| !wide && address >> 32 != 0;
    load.descriptors() == 0
        || far(load.destination)
        || load.pieces.iter().any(|(source, bytes)| u64::from(*bytes) & !length_mask != 0 || (*bytes != 0 && far(*source)))
}

impl Agent for Bench<'_> {
    fn drive(&mut self, model: &mut dyn Model) {
        let p = &self.ports;
        model.poke_u64(p.tick, u64::from(model.cycle().is_multiple_of(self.run.prescale)));
        if !self.offered && self.next < self.run.loads.len() && chance(&mut self.rng, self.run.offer) {
            self.offered = true;
        }
        model.poke_u64(p.load_valid, self.offered.into());
        if self.offered {
            let load = &self.run.loads[self.next];
            let sources: Vec<u32> = load.pieces.iter().flat_map(|(at, _)| [*at as u32, (*at >> 32) as u32]).collect();
            let lengths: Vec<u32> = load.pieces.iter().map(|(_, bytes)| *bytes).collect();
            model.poke_u64(p.load_tag, tag(self.next));
            model.poke(p.load_sources, &sources);
            model.poke(p.load_lengths, &lengths);
            model.poke_u64(p.load_destination, load.destination);
        } else {
            let noise: Vec<u32> = (0..8).map(|_| self.rng.random()).collect();
            model.poke(p.load_sources, &noise);
            model.poke(p.load_lengths, &noise[..4]);
        }
        let take = chance(&mut self.rng, self.run.take);
        model.poke_u64(p.loaded_ready, take.into());
    }

    fn observe(&mut self, model: &dyn Model, _: &mut Vec<Violation>) {
        let p = &self.ports;
        let get = |port: usize| model.peek_u64(port);
        self.seen.descriptors += get(p.descriptors);
        self.seen.errors += get(p.errors);
        self.seen.resets += get(p.resets);
        self.seen.refused += get(p.refused);
        self.seen.interrupts += get(p.interrupt);
        self.seen.dead |= get(p.dead) == 1;
        self.seen.most = self.seen.most.max(get(p.outstanding));
        self.quiet += 1;
        if get(p.load_valid) == 1 && get(p.load_ready) == 1 {
            self.first.get_or_insert(model.cycle());
            if is_refused(&self.run.loads[self.next], self.length_mask, self.run.wide) {
                self.refused.push(self.next);
            } else {
                self.waiting.push_back(self.next);
            }
            self.next += 1;
            self.offered = false;
            self.quiet = 0;
        }
        if get(p.loaded_valid) == 1 && get(p.loaded_ready) == 1 {
            self.quiet = 0;
            let (found, status) = (get(p.loaded_tag), get(p.loaded_status));
            let load = if status == 35 {
                let place = self.refused.iter().position(|load| tag(*load) == found);
                place.map(|place| self.refused.remove(place))
            } else {
                let next = self.waiting.front().is_some_and(|load| tag(*load) == found);
                next.then(|| self.waiting.pop_front()).flatten()
            };
            match load {
                Some(load) => self.answered.push((load, status)),
                None => {
                    let text = format!("cycle {}: tag {found:#x} has status {status}, next are {:?}", model.cycle(), self.waiting);
                    self.difference.get_or_insert(text);
                }
            }
            self.seen.clocks = model.cycle() - self.first.unwrap_or(0);
        }
        let limit = self.outstanding_most;
        if get(p.outstanding) > limit {
            self.difference.get_or_insert(format!("cycle {}: {} descriptors are out, {limit} may be", model.cycle(), get(p.outstanding)));
        }
        if self.quiet > 30_000 {
            let text = format!("nothing moves any more: load {} of {}, {} wait", self.next, self.run.loads.len(), self.waiting.len());
            self.difference.get_or_insert(text);
        }
    }
}

/// Tag of a load: not its number, so that a mistake shows.
fn tag(load: usize) -> u64 {
    (load as u64 * 40_503 + 77) & 0xffff
}

/// Configures and resets the driver.
fn prepare(model: &mut dyn Model, run: &Run) {
    for (name, value) in [
        ("cfg_ring_base", run.ring_base),
        ("cfg_wide", run.wide.into()),
        ("cfg_irq_threshold", run.interrupt.0),
        ("cfg_irq_delay", run.interrupt.1),
        ("cfg_reset_timeout", run.reset_timeout),
        ("cfg_load_timeout", run.load_timeout),
        ("cfg_cdma_error_limit", run.error_limit),
        ("rst", 1),
    ] {
        let at = port(model, name);
        model.poke_u64(at, value);
    }
    model.clock();
    let at = port(model, "rst");
    model.poke_u64(at, 0);
}

/// After a reset, all loads of the run.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, run: &Run) -> Result<Seen, String> {
    go(model, run, u64::MAX).map(|seen| seen.unwrap_or_default())
}

/// The run, held to what the specification says of its faults. Where the moment of an error decides whether it is tried again, each must
/// have been one error; where the engine goes away, [`bench`] alone checks.
/// # Errors
/// The first difference.
pub fn hold(model: &mut dyn Model, run: &Run) -> Result<Seen, String> {
    let seen = bench(model, run)?;
    if run.cdma.early_error != 0 && seen.errors != run.faults.len() as u64 {
        return Err(format!("{} errors of {} faults", seen.errors, run.faults.len()));
    }
    if run.trouble.is_none() && run.cdma.early_error == 0 {
        let expected = expect(run);
        let found = Expected { statuses: seen.statuses.clone(), errors: seen.errors, descriptors: seen.descriptors, dead: seen.dead };
        if found != expected {
            return Err(format!("at the end {found:?}, expected {expected:?}"));
        }
        if seen.resets != expected.errors + u64::from(!run.loads.is_empty() && seen.most > 0) - u64::from(expected.dead) {
            return Err(format!("{} resets after {} errors", seen.resets, expected.errors));
        }
    }
    Ok(seen)
}

/// The run for so many clocks, for what a reset must forget.
/// # Errors
/// The first difference.
pub fn leave_in_the_middle(model: &mut dyn Model, run: &Run, clocks: u64) -> Result<(), String> {
    go(model, run, clocks).map(|_| ())
}

fn go(model: &mut dyn Model, run: &Run, clocks: u64) -> Result<Option<Seen>, String> {
    let mut cdma = Cdma::new(Options { address_bits: if run.wide { 64 } else { 32 }, seed: run.seed, ..run.cdma.clone() });
    let mut rng = ChaCha8Rng::seed_from_u64(run.seed);
    let length_mask = (1u64 << run.cdma.length_bits) - 1;
    let done = || run.loads.iter().filter(|load| !is_refused(load, length_mask, run.wide));
    let longest = done().flat_map(|load| load.pieces).map(|piece| piece.1 as usize).max().unwrap_or(0);
    let mut noise = vec![0; SOURCE_BYTES.max(longest)];
    rng.fill(noise.as_mut_slice());
    let end = done().map(|load| load.destination + load.bytes() as u64).max().unwrap_or(TARGET);
    for above in [0, ABOVE].into_iter().take(if run.wide { 2 } else { 1 }) {
        cdma.memory().region(SOURCE + above, noise.len());
        cdma.memory().put(SOURCE + above, &noise);
    }
    cdma.memory().region(TARGET, (end - TARGET) as usize);
    for (after, fault) in &run.faults {
        cdma.inject(*after, *fault);
    }
    prepare(model, run);
    let ring = 1u64 << model.ports()[port(model, "status_outstanding")].width;
    let idle = port(model, "idle");
    let mut lite = AxiLiteCheck::new(model, "m_axi_lite_").map_err(|e| e.to_string())?;
    let mut sg = AxiCheck::new(model, "s_axi_sg_").map_err(|e| e.to_string())?;
    // The ring's port has no more bits of an address than it needs.
    let outside = ["ar", "aw"].map(|c| [format!("m_axi_sg_{c}valid"), format!("m_axi_sg_{c}addr")].map(|name| port(&cdma, &name)));
    let outside = outside.map(|[valid, address]| (valid, address));
    let pairs = [("s_axi_lite_", "m_axi_lite_"), ("m_axi_sg_", "s_axi_sg_")];
    let mut joined = Joined::new(cdma, model, &pairs).map_err(|e| e.to_string())?;
    let mut bench = Bench {
        run,
        ports: Ports::new(model),
        rng,
        offered: false,
        next: 0,
        waiting: VecDeque::new(),
        refused: Vec::new(),
        length_mask,
        answered: Vec::new(),
        seen: Seen::default(),
        first: None,
        outstanding_most: ring - 1,
        quiet: 0,
        difference: None,
    };
    let mut violations = Vec::new();
    let start = model.cycle();
    let (mut rest, mut checked) = (300, 0);
    while bench.answered.len() < run.loads.len() || rest > 0 {
        if bench.answered.len() == run.loads.len() {
            rest -= 1;
        }
        if model.cycle() - start >= clocks {
            return Ok(None);
        }
        if let Some((at, trouble)) = run.trouble
            && model.cycle() - start == at
        {
            match trouble {
                Trouble::HangsInReset => joined.inner_mut().hang_in_reset(true),
                Trouble::Deaf => joined.inner_mut().deafen(true),
                Trouble::Responds(code) => joined.inner_mut().respond(code),
            }
        }
        step(model, &mut [&mut bench, &mut joined, &mut lite, &mut sg], &mut violations);
        for (valid, address) in outside {
            let at = joined.inner().peek_u64(address);
            if joined.inner().peek_u64(valid) == 1 && at.wrapping_sub(run.ring_base) >= 64 * ring {
                return Err(format!("cycle {}: the engine looks for a descriptor at {at:#x}", model.cycle()));
            }
        }
        if bench.seen.tail_latency == 0 && !joined.inner().tails().is_empty() {
            bench.seen.tail_latency = model.cycle() - bench.first.unwrap_or(0);
        }
        if let Some(violation) = violations.first() {
            return Err(violation.to_string());
        }
        if let Some(difference) = bench.difference.take() {
            return Err(difference);
        }
        if let Some(reason) = model.failure() {
            return Err(reason.to_string());
        }
        if let Some(complaint) = joined.inner().complaints().first() {
            return Err(format!("cycle {}: the engine complains: {complaint}", model.cycle()));
        }
        // The bytes are there when the answer is.
        for (load, status) in &bench.answered[checked..] {
            if *status == 0 {
                arrived(joined.inner_mut(), &run.loads[*load]).map_err(|e| format!("cycle {}: load {load}: {e}", model.cycle()))?;
            }
        }
        checked = bench.answered.len();
    }
    let mut seen = bench.seen;
    seen.statuses = vec![u64::MAX; run.loads.len()];
    for (load, status) in &bench.answered {
        seen.statuses[*load] = *status;
    }
    seen.tails = joined.inner().tails().len() as u64;
    // A check of the registers may be under way.
    for _ in 0..100 {
        if model.peek_u64(idle) == 1 {
            break;
        }
        step(model, &mut [&mut joined], &mut violations);
    }
    if model.peek_u64(idle) != 1 || model.peek_u64(bench.ports.outstanding) != 0 {
        return Err(format!("not idle at the end, {} descriptors out", model.peek_u64(bench.ports.outstanding)));
    }
    let reset = run.trouble.is_some() || seen.resets == joined.inner().resets();
    if seen.descriptors > joined.inner().begun() || !reset {
        let cdma = joined.inner();
        return Err(format!("{seen:?}, but the engine began {} descriptors and was reset {} times", cdma.begun(), cdma.resets()));
    }
    Ok(Some(seen))
}

/// Every piece lies where it should.
fn arrived(cdma: &mut Cdma, load: &Load) -> Result<(), String> {
    let mut at = load.destination;
    for (source, bytes) in load.pieces.into_iter().filter(|piece| piece.1 != 0) {
        let from = cdma.memory().bytes(source, bytes as usize).map(<[u8]>::to_vec);
        let to = cdma.memory().bytes(at, bytes as usize).map(<[u8]>::to_vec);
        if from.is_none() || from != to {
            return Err(format!("{bytes} bytes from {source:#x} are not at {at:#x}"));
        }
        at += u64::from(bytes);
    }
    Ok(())
}

/// Loads of one to four pieces, some places empty, up to `most` bytes each, one behind the other.
pub fn mixture(rng: &mut ChaCha8Rng, count: usize, most: u32, wide: bool) -> Vec<Load> {
    let mut destination = TARGET;
    let mut loads = Vec::new();
    for _ in 0..count {
        let mut pieces = [(0, 0); 4];
        let used = rng.random_range(1..16u32);
        for (i, piece) in pieces.iter_mut().enumerate() {
            let bytes = match rng.random_range(0..4) {
                0 => 1,
                1 => rng.random_range(1..=most),
                _ => rng.random_range(1..=most.min(64)),
            };
            let above = if wide && rng.random_range(0..2) == 0 { ABOVE } else { 0 };
            let source = SOURCE + above + rng.random_range(0..SOURCE_BYTES as u64 - u64::from(most));
            *piece = if used >> i & 1 == 1 { (source, bytes) } else { (rng.random(), 0) };
        }
        let load = Load { pieces, destination };
        destination += load.bytes() as u64 + rng.random_range(0..5);
        loads.push(load);
    }
    loads
}

/// A fault in so many of a thousand descriptors.
pub fn random_faults(rng: &mut ChaCha8Rng, descriptors: u64, permille: u32) -> Vec<(u64, Fault)> {
    let mut faults = Vec::new();
    for at in 0..descriptors {
        if rng.random_range(0..1000) < permille {
            faults.push((at, Fault::ERRORS[rng.random_range(0..Fault::ERRORS.len())]));
        }
    }
    faults
}
