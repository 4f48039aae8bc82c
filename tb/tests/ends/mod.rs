//! What the benches of ends have in common that number their packets: scenarios between models and tops, and faults that they show.

use rdma_rtl_sim::verilated::{Library, Optimize, Options};
use rdma_rtl_sim::{Model, Port};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::faults::{Edit, missed};
use rdma_rtl_tb::scenario::{Engine, Parts, Report, Scenario, run};
use std::collections::BTreeMap;
use std::sync::Mutex;

pub const ENGINES: [(Engine, Engine); 3] = [(Engine::Golden, Engine::Verilator), (Engine::Verilator, Engine::Golden), BOTH];
/// Both ends are hardware.
pub const BOTH: (Engine, Engine) = (Engine::Verilator, Engine::Verilator);
/// Four paths that lose, repeat, damage and overtake.
pub const ROUGH: &str = "spread = \"random\"\npath = [{ count = 4, loss = 0.05, duplicate = 0.05, corrupt = 0.001, jitter_ns = 500 }]";

/// Commands between these ends; `rest` is of the network and what follows.
pub fn scenario(transport: &str, (sender, receiver): (Engine, Engine), profile: &str, count: u32, rest: &str) -> Scenario {
    let arrivals = if transport == "bitmap" { 0.0 } else { 0.3 };
    let text = format!(
        "title = \"test\"\ntransport = \"{transport}\"\nprofile = \"{profile}\"\n[[commands]]\ncount = {count}\nmost = 32768\narrivals = {arrivals}\n[sender]\nengine = \"{}\"\n\
         retry_limit = 30\n[receiver]\nengine = \"{}\"\nstalls = 10\nmemory_latency = [1, 200]\n{rest}",
        sender.name(),
        receiver.name()
    );
    Scenario::read("test", &text).unwrap_or_else(|e| panic!("{e}"))
}

pub fn library(design: Design) -> &'static Library {
    static LIBRARIES: Mutex<BTreeMap<String, &Library>> = Mutex::new(BTreeMap::new());
    LIBRARIES.lock().unwrap().entry(format!("{} {}", design.block, design.profile)).or_insert_with(|| {
        let elaborated = design.elaborate().unwrap_or_else(|e| panic!("{e}"));
        let options = Options { optimize: Optimize::Quick, ..Default::default() };
        Box::leak(Box::new(Library::build(&catalogue::sources(&elaborated), &options).unwrap_or_else(|e| panic!("{e}"))))
    })
}

/// The scenario with these models, where an end is hardware; what it must come to is judged.
pub fn judged(scenario: &Scenario, sending: Option<&mut dyn Model>, receiving: Option<&mut dyn Model>) -> Result<Report, String> {
    let parts = Parts::new(scenario).map_err(|e| e.to_string())?;
    let mut sender = parts.sender(scenario.sender.engine, sending)?;
    let mut receiver = parts.receiver(scenario.receiver.engine, receiving)?;
    let report = run(scenario, &mut *sender, &mut *receiver, &parts.sender, &mut |_, _| {})?;
    match scenario.expect.judge(&report) {
        wrong if wrong.is_empty() => Ok(report),
        wrong => Err(wrong.join(", ")),
    }
}

pub fn verilated(scenario: &Scenario) -> Report {
    let parts = Parts::new(scenario).unwrap_or_else(|e| panic!("{e}"));
    let model = |engine: Engine, design: Design| (engine == Engine::Verilator).then(|| library(design).instance().unwrap());
    let (mut sending, mut receiving) = (model(scenario.sender.engine, parts.sending), model(scenario.receiver.engine, parts.design));
    judged(scenario, sending.as_mut().map(|m| m as _), receiving.as_mut().map(|m| m as _))
        .unwrap_or_else(|e| panic!("{} to {}: {e}", scenario.sender.engine.name(), scenario.receiver.engine.name()))
}

/// What has not counted is not there.
fn none_out_of_window(report: &Report) {
    let counters = &report.receiver_counters;
    assert!(counters.contains_key("psn_new") && !counters.contains_key("psn_out_of_window"), "{counters:?}");
}

/// Windows as long as four nodes leave them, or as the registers make them; senders send what they are told, and nothing that arrives is
/// beyond a window.
pub fn windows_have_any_length(transport: &str) {
    for (window_length, bandwidth, qp_limit) in [(0x000f_0001, 0, 0), (0x0004_0000, 0, 2), (0x0006_0001, 1 << 10, 0)] {
        for engines in [(Engine::Golden, Engine::Verilator), BOTH] {
            let mut scenario = scenario(transport, engines, "pool", 12, &format!("[network]\nseed = 5\n[network.both]\n{ROUGH}"));
            scenario.sender.untold_window = 1;
            let registers = [("window_length", window_length), ("bandwidth", bandwidth), ("round_trip", 4), ("qp_limit", qp_limit)];
            scenario.receiver.registers = registers.map(|(name, value)| (name.to_string(), value)).into();
            let report = verilated(&scenario);
            none_out_of_window(&report);
        }
    }
}

/// Windows move in steps, and senders are told what they then have.
pub fn windows_move_in_steps(transport: &str) {
    for slide_step in [16, 64] {
        let mut scenario = scenario(transport, BOTH, "small", 12, &format!("[network]\nseed = 5\n[network.both]\n{ROUGH}"));
        scenario.receiver.registers = [("slide_step".to_string(), slide_step)].into();
        let report = verilated(&scenario);
        none_out_of_window(&report);
    }
}

/// Clocks in which each scenario of `noticed` is over where nothing is wrong.
const LONG: u64 = 300_000;

/// A model that fails when it has run for too long.
struct Bounded<'a> {
    model: &'a mut dyn Model,
    end: u64,
}

impl Model for Bounded<'_> {
    fn ports(&self) -> &[Port] {
        self.model.ports()
    }
    fn poke(&mut self, port: usize, words: &[u32]) {
        self.model.poke(port, words);
    }
    fn peek(&self, port: usize, words: &mut [u32]) {
        self.model.peek(port, words);
    }
    fn eval(&mut self) {
        self.model.eval();
    }
    fn clock(&mut self) {
        self.model.clock();
    }
    fn cycle(&self) -> u64 {
        self.model.cycle()
    }
    fn failure(&self) -> Option<&str> {
        if self.cycle() > self.end { Some("it does not end") } else { self.model.failure() }
    }
}

/// Runs each fault through all scenarios: `never` are counters that stay zero where nothing is wrong, for whoever is asked for in another
/// way too, or waits for timers, gets there in the end. Something is sent again by its number in the first `losing` of them.
/// # Panics
/// A fault is not noticed.
pub fn noticed(scenarios: &[Scenario], losing: usize, never: impl Fn(usize) -> Vec<&'static str>, edits: &[Edit]) {
    let sends = scenarios[0].sender.engine == Engine::Verilator;
    let parts = Parts::new(&scenarios[0]).unwrap();
    let good = catalogue::sources(&if sends { parts.sending } else { parts.design }.elaborate().unwrap());
    let hold = |number: usize, model: &mut dyn Model| {
        let scenario = &scenarios[number];
        let end = model.cycle() + LONG;
        let model = &mut Bounded { model, end };
        let report = if sends { judged(scenario, Some(model), None) } else { judged(scenario, None, Some(model)) }?;
        let count = |name: &str| report.sender_counters.get(name).or(report.receiver_counters.get(name)).copied().unwrap_or(0);
        if let Some(counter) = never(number).into_iter().find(|counter| count(counter) > 0) {
            return Err(format!("{counter}: {}", count(counter)));
        }
        match number < losing && count("selective_retransmissions") == 0 {
            true => Err("nothing was sent again by its number".into()),
            false => Ok(()),
        }
    };
    let missed = missed(&good, edits, |model| (0..scenarios.len()).try_for_each(|number| hold(number, model)));
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}
