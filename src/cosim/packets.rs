//! `cosim --scenario` of packets: bitmaps at both ends, or what they are compared with, and what came of it.

use super::late::Window;
use super::scenario::{ENDS, clocks_of, judge, look, named, of_end, time, write_svg};
use super::{Args, BackEnd, Engine, failure, plot, report, wave_folder};
use crate::fail::Fail;
use crate::output::{progress, table};
use crate::profiles;
use crate::verdict::{Done, Verdict};
use rdma_rtl_tb::pair::{self, Parts, Report, Scenario, Scheme};
use rdma_rtl_tb::scenario;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

/// Packets from which a slower compile of a faster model pays.
const LONG_RUN: u64 = 2_000_000;

/// The options that mean nothing here, so that nobody believes that they did something.
fn refuse(args: &Args) -> Result<(), Fail> {
    let given = [
        ("--commands", args.commands.is_some(), "this scenario has packets; --packets N"),
        ("--segments", !args.segments.is_empty(), "this scenario has packets, which nobody cuts"),
    ];
    match given.iter().find(|(_, given, _)| *given) {
        Some((flag, _, why)) => Err(Fail::Call(format!("{flag}: {why}"))),
        None => Ok(()),
    }
}

/// What a run of a scenario gave: its report, or why there is none.
struct Run {
    result: Result<Report, String>,
    engine: Option<String>,
    seconds: f64,
    /// Of the hardware at both ends, 0 without it
    clocks: [u64; 2],
}

impl Run {
    /// What is not as the scenario expects.
    fn unexpected(&self, scenario: &Scenario) -> Vec<String> {
        match &self.result {
            Ok(report) => report.judge(&scenario.expect),
            Err(text) => vec![text.clone()],
        }
    }
}

pub fn run(args: &Args, path: &Path, verdict: &mut Verdict) -> Result<Done, Fail> {
    refuse(args)?;
    let mut scenario = Scenario::load(path).map_err(Fail::call)?;
    if let Some(packets) = args.packets {
        scenario.set_packets(packets).map_err(Fail::Call)?;
    }
    if let Some(seed) = args.seed {
        (scenario.seed, scenario.network.seed) = (seed, seed);
    }
    if let Some(profile) = &args.profile {
        scenario.profile.clone_from(profile);
    }
    if args.wave.is_some() && scenario.all_golden() {
        return Err(Fail::Call("--wave: no end of this scenario is hardware".into()));
    }
    wave_folder(args)?;
    match args.compare.is_empty() && args.loss.is_empty() && args.jitter.is_empty() {
        true => once(args, path, &scenario, verdict),
        false => compare(args, path, &scenario, verdict),
    }
}

/// What both ends are made of, nothing for one that is golden.
type Backs = [Option<BackEnd>; 2];

/// `windows`: of the waves of both ends.
fn simulate(args: &Args, path: &Path, scenario: &Scenario, backs: &mut Option<Backs>, windows: [Window; 2]) -> Result<Run, Fail> {
    for block in ["send_bitmap", "receive_bitmap"] {
        profiles::find(block, &scenario.profile)?;
    }
    let parts = Parts::new(scenario).map_err(|e| Fail::Call(format!("{}: {e}", path.display())))?;
    if backs.is_none() && !scenario.all_golden() {
        let bar = progress(format!("build the hardware at {}", parts.sending.profile));
        let traffic = &scenario.traffic;
        let long = u64::from(traffic.queue_pairs) * traffic.flows * traffic.most >= LONG_RUN;
        let built = |design, engine| (engine == scenario::Engine::Verilator).then(|| BackEnd::with(args, design, long)).transpose();
        *backs = Some([built(&parts.sending, scenario.sender.engine)?, built(&parts.receiving, scenario.receiver.engine)?]);
        bar.finish_and_clear();
    }
    let began = Instant::now();
    let hardware = scenario.scheme == Scheme::Bitmap;
    let engines = [scenario.sender.engine, scenario.receiver.engine];
    let mut models = Vec::new();
    for (at, engine) in engines.into_iter().enumerate() {
        let back = backs.as_ref().filter(|_| hardware && engine == scenario::Engine::Verilator).and_then(|backs| backs[at].as_ref());
        let args = of_end(args, ENDS[at]);
        models.push(back.map(|back| back.model(&args, scenario.seed, windows[at])).transpose()?);
    }
    let name = format!("run {}, {}", path.display(), scenario.scheme.name());
    let bar = progress(name.clone());
    let result = (|| {
        let [sending, receiving] = &mut models[..] else { return Err("a scenario has two ends".into()) };
        let mut sender = parts.sender(scenario, sending.as_mut().map(|model| &mut **model as _))?;
        let mut receiver = parts.receiver(scenario, receiving.as_mut().map(|model| &mut **model as _))?;
        let mut tell = |arrived: u64, all: u64| bar.set_message(format!("{name}: {arrived} of {all} packets"));
        pair::run(scenario, &parts, &mut *sender, &mut *receiver, &mut |_, _, _| false, &mut tell)
    })();
    bar.finish_and_clear();
    let version =
        backs.as_ref().filter(|_| models.iter().any(Option::is_some)).and_then(|backs| backs.iter().flatten().next()?.version.clone());
    let engine = version.is_some().then(|| report::engine(Engine::Verilator, &version));
    let clocks = clocks_of(&models);
    let result = models.iter().flatten().fold(result, |result, model| failure::or_stopped(result, &**model));
    Ok(Run { result, engine, seconds: began.elapsed().as_secs_f64(), clocks })
}

fn once(args: &Args, path: &Path, scenario: &Scenario, verdict: &mut Verdict) -> Result<Done, Fail> {
    let run = simulate(args, path, scenario, &mut None, [Window::ALL; 2])?;
    let mut wrong = run.unexpected(scenario);
    if run.result.is_err() {
        let second = &mut |args: &Args, windows: [Window; 2]| Ok(simulate(args, path, scenario, &mut None, windows)?.clocks);
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
        write_svg(args, || plot::latencies(&report.title, &[("flows".into(), &report.latency)]))?;
        shown = text(report, path, run.engine.as_deref());
    }
    Ok(Done { json, text: shown })
}

fn text(report: &Report, path: &Path, engine: Option<&str>) -> String {
    let mut rows = vec![vec![path.display().to_string(), report.title.clone()]];
    let mut row = |name: &str, value: String| rows.push(vec![name.to_string(), value]);
    let Report { sender, receiver, profile, seed, queue_pairs, window, .. } = report;
    row("ends", format!("{}, sender {sender}, receiver {receiver}, profile {profile}, seed {seed}", report.scheme.name()));
    if let Some(engine) = engine {
        row("engine", engine.to_string());
    }
    row("packets", format!("{} of {queue_pairs} queue pairs, windows of {window}", report.packets));
    row("time", format!("{} clocks, {:.1} us", report.clocks, report.clocks as f64 * report.clock as f64 / 1e6));
    row("goodput", format!("{:.2} Gb/s", report.goodput_gbps));
    for (name, way) in [("there", &report.forward), ("back", &report.backward)] {
        let lost = scenario::lost(way);
        row(name, format!("{} sent, {lost} lost, {} duplicated, {} out of order", way.sent, way.duplicated, way.reordered));
    }
    row(
        "sent again",
        format!("{}, {:.3} for each that was lost, {} for nothing", report.retransmissions, report.per_lost, report.redundant),
    );
    row("because of", format!("{} feedback messages, {} timeouts", report.feedback, report.timeouts));
    row("arrived", format!("{} for the first time, {} again, {} of no use", report.packets, report.duplicates, report.dropped));
    let l = &report.latency;
    row("flows", format!("{}: median {}, 99 % {}, most {}", l.commands, time(l.p50), time(l.p99), time(l.most)));
    row("windows", "empty at the end; every packet was new once".into());
    table(&rows)
}

/// One run of a comparison.
struct Point {
    loss: Option<f64>,
    jitter: Option<f64>,
    report: Report,
}

impl Point {
    fn value(&self) -> f64 {
        self.jitter.or(self.loss).unwrap_or(0.0)
    }
}

/// Each scheme with each loss and each jitter.
fn compare(args: &Args, path: &Path, scenario: &Scenario, verdict: &mut Verdict) -> Result<Done, Fail> {
    if let Some(wrong) = args.loss.iter().find(|loss| !(0.0..=1.0).contains(*loss)) {
        return Err(Fail::Call(format!("--loss: `{wrong}` is no part of the packets; 0 to 1 is allowed")));
    }
    if let Some(wrong) = args.jitter.iter().find(|jitter| !(0.0..=1e9).contains(*jitter)) {
        return Err(Fail::Call(format!("--jitter: `{wrong}` nanoseconds; 0 to 1000000000 is allowed")));
    }
    if args.wave.is_some() {
        return Err(Fail::Call("--wave belongs to one run; leave out --compare, --loss and --jitter".into()));
    }
    let schemes = if args.compare.is_empty() { vec![scenario.scheme] } else { args.compare.iter().map(|choice| choice.0).collect() };
    let all = |values: &[f64]| if values.is_empty() { vec![None] } else { values.iter().copied().map(Some).collect::<Vec<_>>() };
    let (mut points, mut backs, mut engine, mut looked) = (Vec::new(), None, None, false);
    for &scheme in &schemes {
        for loss in all(&args.loss) {
            for jitter in all(&args.jitter) {
                let mut scenario = scenario.clone();
                scenario.scheme = scheme;
                loss.into_iter().for_each(|loss| scenario.network.set_loss(loss));
                jitter.into_iter().for_each(|jitter| scenario.network.set_jitter(jitter));
                let run = simulate(args, path, &scenario, &mut backs, [Window::ALL; 2])?;
                engine = engine.or(run.engine);
                let part = |name: &str, value: Option<f64>| value.map_or(String::new(), |value| format!("{name} {value}, "));
                let before = format!("{}, {}{}", scheme.name(), part("loss", loss), part("jitter", jitter));
                let mut wrong: Vec<String> = run.result.as_ref().err().into_iter().cloned().collect();
                let alone = Args {
                    compare: args.compare.iter().copied().filter(|choice| choice.0 == scheme).take(1).collect(),
                    loss: loss.into_iter().collect(),
                    jitter: jitter.into_iter().collect(),
                    ..args.clone()
                };
                if !wrong.is_empty() && !looked && run.clocks != [0; 2] {
                    looked = true;
                    let second = &mut |args: &Args, windows: [Window; 2]| Ok(simulate(args, path, &scenario, &mut None, windows)?.clocks);
                    look(&alone, &named(path, &before, scenario.seed), run.clocks, &mut wrong, verdict, second);
                }
                judge(verdict, &alone, path, &before, (&run.result.is_ok(), run.seconds), &wrong, &[]);
                points.extend(run.result.ok().map(|report| Point { loss, jitter, report }));
            }
        }
    }
    let of_point = |point: &Point| json!({ "loss": point.loss, "jitter_ns": point.jitter, "report": point.report });
    let values: Vec<Value> = points.iter().map(of_point).collect();
    if verdict.passed() {
        write_svg(args, || picture(scenario, &schemes, &points))?;
    }
    Ok(Done { json: json!({ "scenario": path, "engine": engine, "points": values }), text: table(&rows(&points)) })
}

fn rows(points: &[Point]) -> Vec<Vec<String>> {
    let head = ["scheme", "ends", "loss", "jitter", "goodput", "lost", "sent again", "per lost", "for nothing", "flows", "median", "99 %"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for Point { loss, jitter, report } in points {
        let l = &report.latency;
        rows.push(vec![
            report.scheme.name().into(),
            report.sender.into(),
            loss.map_or("-".into(), |loss| loss.to_string()),
            jitter.map_or("-".into(), time),
            format!("{:.2} Gb/s", report.goodput_gbps),
            report.lost.to_string(),
            report.retransmissions.to_string(),
            format!("{:.3}", report.per_lost),
            report.redundant.to_string(),
            l.commands.to_string(),
            time(l.p50),
            time(l.p99),
        ]);
    }
    rows
}

/// Goodput of each scheme over what changes; of flows one after the other, the time that 99 of 100 of them stay below.
fn picture(scenario: &Scenario, schemes: &[Scheme], points: &[Point]) -> Result<String, String> {
    let flows = scenario.traffic.one_by_one;
    let y = |report: &Report| if flows { report.latency.p99 } else { report.goodput_gbps };
    let mut lines = Vec::new();
    for &scheme in schemes {
        let of_scheme = points.iter().filter(|point| point.report.scheme == scheme);
        let line: Vec<(f64, f64)> = of_scheme.clone().map(|point| (point.value(), y(&point.report))).collect();
        let engine = of_scheme.map(|point| point.report.sender).next().unwrap_or_default();
        lines.push((format!("{}, {engine}", scheme.name()), line));
    }
    let jitter = points.iter().any(|point| point.jitter.is_some());
    plot::schemes(&scenario.title, jitter, flows, &lines)
}
