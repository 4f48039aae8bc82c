//! `cosim --scenario`: commands from host to host, and what came of them.

use super::late::Window;
use super::sweep::Sweep;
use super::{Args, BackEnd, Engine, again, failure, plot, report, wave_folder};
use crate::fail::Fail;
use crate::output::{progress, table, write_file};
use crate::profiles;
use crate::verdict::{Done, Verdict};
use rdma_rtl_sim::Model;
use rdma_rtl_tb::scenario::{self, Parts, Report, Scenario};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// Commands from which a slower compile of a faster model pays.
const LONG_RUN: u64 = 2000;

/// The options that mean nothing here, so that nobody believes that they did something.
fn refuse(args: &Args) -> Result<(), Fail> {
    let given = [
        ("--runs", args.runs > 1),
        ("--decisions", args.decisions.is_some()),
        ("--set", !args.set.is_empty()),
        ("--stall", args.stall.is_some()),
        ("--memory-latency", args.memory_latency.is_some()),
        ("--timing", args.timing != "line-rate"),
        ("--engine", args.engine != Engine::Verilator),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Fail::Call(format!("{flag}: a scenario says this in its file, or does without"))),
        None => Ok(()),
    }
}

/// The file, with what the call changes.
fn read(args: &Args, path: &Path) -> Result<Scenario, Fail> {
    let mut scenario = Scenario::load(path).map_err(Fail::call)?;
    if let Some(count) = args.commands {
        scenario.set_count(count).map_err(Fail::Call)?;
    }
    if let Some(seed) = args.seed {
        (scenario.seed, scenario.network.seed) = (seed, seed);
    }
    if let Some(profile) = &args.profile {
        scenario.profile.clone_from(profile);
    }
    Ok(scenario)
}

/// What a run of a scenario gave: its report, or why there is none.
pub(super) struct Run {
    pub result: Result<Report, String>,
    pub engine: Option<String>,
    pub seconds: f64,
    /// Of the hardware at both ends, 0 without it
    pub clocks: [u64; 2],
}

impl Run {
    /// What is not as the scenario expects.
    pub fn unexpected(&self, scenario: &Scenario) -> Vec<String> {
        match &self.result {
            Ok(report) => scenario.expect.judge(report),
            Err(text) => vec![text.clone()],
        }
    }
}

pub fn run(args: &Args, path: &Path, verdict: &mut Verdict) -> Result<Done, Fail> {
    refuse(args)?;
    if rdma_rtl_tb::pair::Scenario::is_one(path) {
        return super::packets::run(args, path, verdict);
    }
    let of_packets =
        [("--packets", args.packets.is_some()), ("--compare", !args.compare.is_empty()), ("--jitter", !args.jitter.is_empty())];
    if let Some((flag, _)) = of_packets.iter().find(|(_, given)| *given) {
        return Err(Fail::Call(format!("{flag} belongs to a scenario of packets; {} has commands", path.display())));
    }
    let scenario = read(args, path)?;
    if scenario.count() == 0 {
        return Err(Fail::Nothing(format!("{}: the scenario has no commands", path.display())));
    }
    wave_folder(args)?;
    match Sweep::of(args)? {
        None => once(args, path, &scenario, verdict),
        Some(sweep) => sweep.run(args, path, &scenario, verdict),
    }
}

/// The call as it is for one end, which has a wave of its own.
pub(super) fn of_end(args: &Args, end: &str) -> Args {
    let wave = args.wave.as_ref().map(|wave| match (wave.file_stem(), wave.extension()) {
        (Some(stem), Some(format)) => wave.with_file_name(format!("{}.{end}.{}", stem.display(), format.display())),
        _ => wave.clone(),
    });
    Args { wave, ..args.clone() }
}

/// `windows`: of the waves of both ends.
pub(super) fn simulate(args: &Args, path: &Path, scenario: &Scenario, windows: [Window; 2]) -> Result<Run, Fail> {
    for block in scenario.top.blocks(scenario.transport) {
        profiles::find(block, &scenario.profile)?;
    }
    let parts = Parts::new(scenario).map_err(|e| Fail::Call(format!("{}: {e}", path.display())))?;
    let ends = [(parts.sending, scenario.sender.engine), (parts.design, scenario.receiver.engine)];
    if args.wave.is_some() && ends.iter().all(|(_, engine)| *engine == scenario::Engine::Golden) {
        return Err(Fail::Call("--wave: no end of this scenario is hardware".into()));
    }
    let mut backs = Vec::new();
    for (design, engine) in &ends {
        let bar = progress(format!("build {} at {}", design.block, design.profile));
        let verilated = *engine == scenario::Engine::Verilator;
        backs.push(if verilated { Some(BackEnd::with(args, design, scenario.count() >= LONG_RUN)?) } else { None });
        bar.finish_and_clear();
    }
    let began = Instant::now();
    let mut models = Vec::new();
    for ((back, end), window) in backs.iter().zip(ENDS).zip(windows) {
        let args = of_end(args, end);
        models.push(match back {
            Some(back) => Some(back.model(&args, scenario.seed, window)?),
            None => None,
        });
    }
    let name = path.display();
    let bar = progress(format!("run {name}"));
    let result = (|| {
        let [sending, receiving] = &mut models[..] else { return Err("a scenario has two ends".into()) };
        let mut sender = parts.sender(scenario.sender.engine, sending.as_mut().map(|model| &mut **model as _))?;
        let mut receiver = parts.receiver(scenario.receiver.engine, receiving.as_mut().map(|model| &mut **model as _))?;
        let mut tell = |ended: u64, all: u64| bar.set_message(format!("run {name}: {ended} of {all} commands"));
        scenario::run(scenario, &mut *sender, &mut *receiver, &parts.sender, &mut tell)
    })();
    bar.finish_and_clear();
    let version = backs.iter().flatten().find_map(|back| back.version.clone());
    let engine = version.is_some().then(|| report::engine(args.engine, &version));
    let clocks = clocks_of(&models);
    let result = models.iter().flatten().fold(result, |result, model| failure::or_stopped(result, &**model));
    Ok(Run { result, engine, seconds: began.elapsed().as_secs_f64(), clocks })
}

fn once(args: &Args, path: &Path, scenario: &Scenario, verdict: &mut Verdict) -> Result<Done, Fail> {
    let run = simulate(args, path, scenario, [Window::ALL; 2])?;
    let mut wrong = run.unexpected(scenario);
    if run.result.is_err() {
        let second = &mut |args: &Args, windows: [Window; 2]| Ok(simulate(args, path, scenario, windows)?.clocks);
        look(args, &named(path, "", scenario.seed), run.clocks, &mut wrong, verdict, second);
    }
    let bounds: Vec<&str> = scenario.expect.bounds.keys().map(String::as_str).collect();
    judge(verdict, args, path, "", (&run.result.is_ok(), run.seconds), &wrong, &bounds);
    let json = json!({
        "scenario": path,
        "engine": run.engine,
        "run_seconds": run.seconds,
        "as_expected": verdict.passed(),
        "unexpected": wrong,
        "report": run.result.as_ref().ok(),
    });
    let mut shown = String::new();
    if let Ok(report) = &run.result {
        let lines: Vec<_> = report.latency.iter().map(|latency| (latency.name.clone(), latency)).collect();
        write_svg(args, || plot::latencies(&report.title, &lines))?;
        shown = text(report, path, run.engine.as_deref());
    }
    Ok(Done { json, text: shown })
}

/// What the two ends are called, in the names of their waves too.
pub(super) const ENDS: [&str; 2] = ["sender", "receiver"];

pub(super) fn clocks_of(models: &[Option<Box<dyn Model>>]) -> [u64; 2] {
    [0, 1].map(|at| models.get(at).and_then(Option::as_ref).map_or(0, |model| model.cycle()))
}

/// Runs both ends with waves, and gives their clocks.
pub(super) type Again<'a> = dyn FnMut(&Args, [Window; 2]) -> Result<[u64; 2], Fail> + 'a;

/// What the files about a failure are called. `point`: which of several runs it was, as in `loss 0.02, `.
pub(super) fn named(path: &Path, point: &str, seed: u64) -> String {
    let point = point.trim_end_matches(", ").replace(", ", "_").replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "_");
    let before = if point.is_empty() { "" } else { "_" };
    format!("{}{before}{point}_seed{seed}", path.file_stem().unwrap_or_default().display())
}

/// Runs a scenario that stopped again, with waves; what is found stands behind why it stopped.
pub(super) fn look(args: &Args, name: &str, clocks: [u64; 2], wrong: &mut [String], verdict: &mut Verdict, run: &mut Again) {
    let mut second = |args: &Args, windows: &[Window]| {
        let clocks = run(args, [0, 1].map(|at| windows.get(at).copied().unwrap_or(Window::ALL)))?;
        Ok(failure::Second { clocks: clocks.to_vec(), lines: Vec::new() })
    };
    let said = wrong.first().map_or("", String::as_str);
    let ends = [0, 1].map(|at| failure::End::new(ENDS[at], clocks[at], said));
    let found = failure::look(args, name, &ends, &mut second);
    verdict.files.extend(found.files);
    wrong.iter_mut().take(1).for_each(|text| text.push_str(&found.text));
}

/// One case for the run, one for the outcome, one for each bound. `before`: what names the run where there are several.
pub(super) fn judge(
    verdict: &mut Verdict,
    args: &Args,
    path: &Path,
    before: &str,
    (ended, seconds): (&bool, f64),
    wrong: &[String],
    bounds: &[&str],
) {
    let again = again::again(args, None, None);
    let said = |texts: Vec<&str>| match texts.is_empty() {
        true => Ok(()),
        false => Err(format!("{}: {before}{}\nrun it again: {again}", path.display(), texts.join("; "))),
    };
    if !ended {
        verdict.check(format!("{before}agreement"), seconds, said(wrong.iter().map(String::as_str).collect()));
        verdict.not_run(format!("{before}expectations"), "the run ended before");
        return;
    }
    let of = |text: &str, name: &str| text.strip_prefix(name).is_some_and(|rest| rest.starts_with(" is "));
    verdict.check(format!("{before}agreement"), seconds, Ok(()));
    let outcome = wrong.iter().map(String::as_str).filter(|text| !bounds.iter().any(|name| of(text, name)));
    verdict.check(format!("{before}expected outcome"), 0.0, said(outcome.collect()));
    for name in bounds {
        let texts = wrong.iter().map(String::as_str).filter(|text| of(text, name));
        verdict.check(format!("{before}bound of {name}"), 0.0, said(texts.collect()));
    }
}

pub(super) fn write_svg(args: &Args, draw: impl FnOnce() -> Result<String, String>) -> Result<(), Fail> {
    let Some(target) = &args.svg else { return Ok(()) };
    let target = if target.is_dir() { target.join("latency.svg") } else { target.clone() };
    write_file(&target, draw().map_err(Fail::Tool)?.as_bytes())
}

fn text(report: &Report, path: &Path, engine: Option<&str>) -> String {
    let mut rows = vec![vec![path.display().to_string(), report.title.clone()]];
    let mut row = |name: &str, value: String| rows.push(vec![name.to_string(), value]);
    let count = |name: &str| report.number(name) as u64;
    row("ends", format!("sender {}, receiver {}, profile {}, seed {}", report.sender, report.receiver, report.profile, report.seed));
    if let Some(engine) = engine {
        row("engine", engine.to_string());
    }
    let failed: Vec<String> = report.statuses.iter().map(|(status, count)| format!(", {count} failed with status {status}")).collect();
    row("commands", format!("{}: {} completed{}", report.commands, report.completed, failed.concat()));
    row("bytes", report.bytes.to_string());
    row("time", format!("{} clocks, {:.1} us", report.clocks, report.clocks as f64 * report.clock as f64 / 1e6));
    row("goodput", format!("{:.2} Gb/s", report.goodput_gbps));
    row(
        "steady",
        format!(
            "{:.2} Gb/s between the first and the last tenth of the commands, {:.1} % of {:.2} Gb/s that the wire leaves: {} of {} bytes are payload",
            report.steady_gbps,
            100.0 * report.steady_gbps / report.wire_gbps,
            report.wire_gbps,
            report.packet_bytes,
            report.frame_bytes
        ),
    );
    if report.queue_pairs > 1 {
        row("fairness", format!("{:.4} of {} queue pairs (Jain's index: 1 if all have as much)", report.fairness, report.queue_pairs));
    }
    for (name, way, lost) in
        [("frames", &report.forward, count("lost")), ("acknowledgements", &report.backward, count("acknowledgements_lost"))]
    {
        row(
            name,
            format!(
                "{} sent, {lost} lost, {} duplicated, {} out of order, {} corrupted, {} marked",
                way.sent, way.duplicated, way.reordered, way.corrupted, way.marked
            ),
        );
    }
    if report.blackout > 0 {
        row("blackout", format!("{} frames", report.blackout));
    }
    row("retransmissions", format!("{} after {} timeouts and {} nacks", count("retransmissions"), count("timeouts"), count("nacks")));
    if report.number("selective_retransmissions") > 0.0 {
        row("sent again by number", format!("{} after {} timeouts", count("selective_retransmissions"), count("bitmap_timeouts")));
    }
    if report.number("arrivals_failed") > 0.0 {
        row("data arrivals", format!("{} given up", count("arrivals_failed")));
    }
    row("escape", format!("{} packets waited, {} of them went on", count("escaped"), count("replayed")));
    for l in &report.latency {
        row(
            &format!("latency, {}", l.name),
            format!(
                "least {}, median {}, 90 % {}, 99 % {}, 99.9 % {}, most {}",
                time(l.least),
                time(l.p50),
                time(l.p90),
                time(l.p99),
                time(l.p999),
                time(l.most)
            ),
        );
    }
    let memory = match report.completed {
        0 => "no command completed: what of them was written is what was sent, nothing beside it was written",
        _ => "equal byte by byte, nothing beside it was written",
    };
    row("memory", memory.into());
    row("tables", "empty at the end".into());
    table(&rows)
}

/// Nanoseconds, as people read them.
pub fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.2} us", n / 1e3),
        n => format!("{:.2} ms", n / 1e6),
    }
}
