//! `cosim` of the receive bitmaps: plain RoCEv2 requests of a capture, or random ones, beside the golden receiver.

use super::late::Window;
use super::{Args, BackEnd, again, failure, not_run, report, settings, timing, unreadable, wave_folder};
use crate::fail::Fail;
use crate::output::{progress, table};
use crate::verdict::{Done, Verdict};
use rdma_rtl_golden::bitmap::Params;
use rdma_rtl_sim::Model;
use rdma_rtl_tb::bitmap::follow::Counts;
use rdma_rtl_tb::bitmap::mixture::Mix;
use rdma_rtl_tb::bitmap::registers::Registers;
use rdma_rtl_tb::bitmap::replay::{QueuePair, Replayed, Stopped, replay};
use rdma_rtl_tb::bitmap::requests::{Requests, RequestsError};
use rdma_rtl_tb::bitmap::situations;
use rdma_rtl_tb::capture;
use rdma_rtl_tb::catalogue::Design;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Instant;

/// The options that mean nothing here, so that nobody believes that they did something.
fn refuse(args: &Args) -> Result<(), Fail> {
    let given = [("--cover", args.cover), ("--memory-latency", args.memory_latency.is_some())];
    if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
        return Err(Fail::Call(format!("{flag} belongs to receive_registry; leave it out")));
    }
    let with_packets = [
        ("--set", !args.set.is_empty(), "the random packets choose the registers themselves"),
        ("--stall", args.stall.is_some(), "the random packets choose the stalls themselves"),
        ("--decisions", args.decisions.is_some(), "it belongs to --input"),
    ];
    match with_packets.iter().find(|(_, given, _)| args.packets.is_some() && *given) {
        Some((flag, _, why)) => Err(Fail::Call(format!("{flag} with --packets: {why}; leave it out"))),
        None if args.input.is_some() && args.runs > 1 => Err(Fail::Call(format!("--runs {}: it belongs to --packets", args.runs))),
        None => Ok(()),
    }
}

fn params(design: &Design) -> Params {
    let number = |name: &str| design.parameter(name).unwrap_or(1);
    let mut params = Params::new(number("queue_pairs") as usize, number("window") as u32);
    params.granularity = number("granularity") as u32;
    params.segment = number("segment") as u32 / params.granularity;
    params.records = number("records") as usize;
    params.pool = params.queue_pairs as u32 * params.segments();
    params
}

pub fn run(args: &Args, design: &Design, verdict: &mut Verdict) -> Result<Done, Fail> {
    refuse(args)?;
    let params = params(design);
    match (&args.input, args.packets) {
        (Some(path), _) => capture_run(args, design, params, path, verdict),
        (None, packets) => random_run(args, design, params, packets.unwrap_or(0), verdict),
    }
}

fn build(args: &Args, design: &Design) -> Result<BackEnd, Fail> {
    wave_folder(args)?;
    let bar = progress(format!("build {} at {}", design.block, design.profile));
    let back = BackEnd::new(args, design);
    bar.finish_and_clear();
    back
}

fn capture_run(args: &Args, design: &Design, params: Params, path: &Path, verdict: &mut Verdict) -> Result<Done, Fail> {
    let mut registers = Registers::default();
    for (setting, name, value) in settings(args)? {
        registers.set(&name, value).map_err(|text| Fail::Call(format!("--set {setting}: {text}")))?;
    }
    registers.check(&params).map_err(|text| Fail::Call(format!("--set: {text}")))?;
    let frames = capture::read(path).map_err(unreadable)?;
    let timing = timing(&args.timing, design)?;
    let requests = Requests::of(&frames, timing, registers.mtu, &args.qp, params.packets(), params.queue_pairs).map_err(|e| match e {
        RequestsError::TooMany { .. } => Fail::Call(format!("capture {}: {e}", path.display())),
        nothing => Fail::Nothing(format!("capture {}: {nothing}", path.display())),
    })?;
    let back = build(args, design)?;
    let stimulus = capture::stimulus(&frames, path);
    let bar = progress(format!("run {stimulus}"));
    let began = Instant::now();
    let once = |model: &mut dyn Model, log: bool| replay(model, params, &registers, &requests, args.stall.unwrap_or(0), log);
    let mut model = back.model(args, args.seed(), Window::ALL)?;
    let result = once(&mut *model, args.decisions.is_some());
    let result = match failure::or_stopped(result.as_ref().map(|_| ()).map_err(|stopped| stopped.text.clone()), &*model) {
        Ok(()) => result,
        Err(text) => Err(Stopped { text, lines: result.map_or_else(|stopped| stopped.lines, |done| done.lines) }),
    };
    let clocks = model.cycle();
    drop(model);
    bar.finish_and_clear();
    let engine = report::engine(args.engine, &back.version);
    if let Some(path) = &args.decisions {
        failure::written(path, result.as_ref().map_or_else(|stopped| &stopped.lines, |done| &done.lines))?;
    }
    let errors: serde_json::Map<String, Value> = requests.errors.iter().map(|(reason, n)| (reason.to_string(), json!(n))).collect();
    let said = |stopped: &Stopped| {
        let mut second = |args: &Args, windows: &[Window]| {
            let mut model = BackEnd::new(args, design)?.model(args, args.seed(), windows[0])?;
            let lines = once(&mut *model, true).map_or_else(|stopped| stopped.lines, |done| done.lines);
            Ok(failure::Second { clocks: vec![model.cycle()], lines })
        };
        let name = format!("{}_{}", design.block, design.profile);
        let found = failure::look(args, &name, &[failure::End::new("", clocks, "")], &mut second);
        verdict.files.extend(found.files);
        let again = again::again(args, Some(design.profile), None);
        format!("hardware and golden model differ\n{stimulus}: {stopped}\nrun it again: {again}{}", found.text)
    };
    let seconds = began.elapsed().as_secs_f64();
    let said = result.as_ref().map(|_| ()).map_err(said);
    verdict.check(format!("seed {}: agreement", args.seed()), seconds, said);
    let json = json!({
        "block": design.block,
        "profile": design.profile,
        "engine": engine,
        "stimulus": stimulus,
        "cached": back.cached(),
        "run_seconds": seconds,
        "agrees": verdict.passed(),
        "difference": result.as_ref().err().map(ToString::to_string),
        "clocks": result.as_ref().ok().map(|done| done.clocks),
        "frame_errors": errors,
        "ignored": requests.ignored,
        "events": result.as_ref().ok().map(|done| events(&done.counts)),
        "queue_pairs": result.as_ref().ok().map(|done| done.queue_pairs.iter().map(entry).collect::<Vec<_>>()),
    });
    let text = match &result {
        Ok(done) => text(args, design, &stimulus, &engine, &requests, done),
        Err(_) => table(&heading(design, &stimulus, &engine)),
    };
    Ok(Done { json, text })
}

fn events(counts: &Counts) -> Value {
    json!({
        "acknowledgements": counts.acks,
        "gaps": counts.gaps,
        "lost": counts.lost,
        "messages": counts.reports,
        "repeated": counts.repeats,
        "misjudged": counts.misjudged,
        "folded": counts.folded,
        "dropped": counts.dropped,
        "rebuilt": counts.rebuilt,
        "for_depth": counts.causes[0],
        "for_age": counts.causes[1],
        "for_stall": counts.causes[2],
    })
}

fn entry(at: &QueuePair) -> Value {
    let statistics = &at.statistics;
    json!({
        "host": at.connection.host.to_string(),
        "qp": at.connection.qp,
        "initial_psn": at.initial,
        "base": at.base,
        "max": at.max,
        "packets": statistics.arrivals,
        "new": statistics.accepted,
        "duplicate": statistics.duplicates,
        "out_of_window": statistics.out_of_window,
        "gaps": statistics.gaps,
        "lost": statistics.losses,
        "messages": statistics.reports,
        "misjudged": statistics.misjudged,
        "folded": statistics.folded,
    })
}

fn heading(design: &Design, stimulus: &str, engine: &str) -> Vec<Vec<String>> {
    let row = |name: &str, value: String| vec![name.to_string(), value];
    vec![row(design.block, format!("profile {}", design.profile)), row("stimulus", stimulus.to_string()), row("engine", engine.to_string())]
}

/// Events that there were.
fn counted(counts: &Counts, rows: &mut Vec<Vec<String>>) {
    let Value::Object(events) = events(counts) else { return };
    for (name, count) in events.iter().filter(|(_, count)| count.as_u64() != Some(0)) {
        rows.push(vec![name.replace('_', " "), count.to_string()]);
    }
}

fn text(args: &Args, design: &Design, stimulus: &str, engine: &str, requests: &Requests, done: &Replayed) -> String {
    let mut rows = heading(design, stimulus, engine);
    let mut row = |name: &str, value: String| rows.push(vec![name.to_string(), value]);
    row("clocks", done.clocks.to_string());
    if requests.ignored > 0 {
        row("ignored", format!("{} frames that are no requests", requests.ignored));
    }
    for (reason, count) in &requests.errors {
        row(&reason.to_string(), format!("{count} frames"));
    }
    counted(&done.counts, &mut rows);
    rows.push(vec!["golden model".into(), "agrees with every decision".into()]);
    if let Some(wave) = &args.wave {
        rows.push(vec!["wave".into(), wave.display().to_string()]);
    }
    let titles = ["queue pair", "first", "base", "highest", "new", "duplicate", "out of window", "gaps", "lost", "messages", "misjudged"];
    let mut pairs = vec![titles.map(String::from).to_vec()];
    for at in &done.queue_pairs {
        let s = &at.statistics;
        let counts = [s.accepted, s.duplicates, s.out_of_window, s.gaps, s.losses, s.reports, s.misjudged];
        let numbers = [at.initial, at.base, at.max].map(|number| format!("{number:#08x}"));
        let cells = [at.connection.to_string()].into_iter().chain(numbers).chain(counts.map(|count| count.to_string()));
        pairs.push(cells.collect());
    }
    format!("{}\n{}", table(&rows), table(&pairs))
}

fn random_run(args: &Args, design: &Design, params: Params, packets: u64, verdict: &mut Verdict) -> Result<Done, Fail> {
    if !args.qp.is_empty() {
        return Err(Fail::Call("--qp belongs to --input with a capture".into()));
    }
    let back = build(args, design)?;
    let last = args.seed().wrapping_add(args.runs - 1);
    let stimulus = match args.runs {
        1 => format!("{packets} random packets, seed {last}"),
        runs => format!("{runs} runs of {packets} random packets, seeds {} to {last}", args.seed()),
    };
    let bar = progress(format!("run {stimulus}"));
    let began = Instant::now();
    let (mut counts, mut clocks, mut result) = (Counts::default(), 0, Ok(()));
    for seed in (0..args.runs).map(|run| args.seed().wrapping_add(run)) {
        let started = Instant::now();
        let mut model = back.model(args, seed, Window::ALL)?;
        let one = situations::run(&mut *model, params, Mix::random(params, packets, seed), seed);
        let one = failure::or_stopped(one, &*model);
        let clocks_of_it = model.cycle();
        drop(model);
        match one {
            Ok(report) => {
                verdict.check(format!("seed {seed}: agreement"), started.elapsed().as_secs_f64(), Ok(()));
                counts.add(&report.counts);
                clocks += report.clocks;
            }
            Err(text) => {
                let again = again::again(args, Some(design.profile), Some(seed));
                let mut second = |args: &Args, windows: &[Window]| {
                    let mut model = BackEnd::new(args, design)?.model(args, seed, windows[0])?;
                    let _ = situations::run(&mut *model, params, Mix::random(params, packets, seed), seed);
                    Ok(failure::Second { clocks: vec![model.cycle()], lines: Vec::new() })
                };
                let name = format!("{}_{}_seed{seed}", design.block, design.profile);
                let found = failure::look(args, &name, &[failure::End::new("", clocks_of_it, "")], &mut second);
                verdict.files.extend(found.files);
                let text = format!("{text}\nrun it again: {again}{}", found.text);
                let said = format!("hardware and golden model differ\n{text}");
                verdict.check(format!("seed {seed}: agreement"), started.elapsed().as_secs_f64(), Err(said));
                not_run(args, seed.wrapping_sub(args.seed()), verdict);
                result = Err(text);
                break;
            }
        }
    }
    bar.finish_and_clear();
    let engine = report::engine(args.engine, &back.version);
    let json = json!({
        "block": design.block,
        "profile": design.profile,
        "engine": engine,
        "stimulus": stimulus,
        "cached": back.cached(),
        "run_seconds": began.elapsed().as_secs_f64(),
        "agrees": verdict.passed(),
        "difference": result.as_ref().err(),
        "clocks": clocks,
        "events": events(&counts),
    });
    let mut rows = heading(design, &stimulus, &engine);
    rows.push(vec!["clocks".into(), clocks.to_string()]);
    counted(&counts, &mut rows);
    if result.is_ok() {
        rows.push(vec!["golden model".into(), "agrees with every decision".into()]);
    }
    Ok(Done { json, text: table(&rows) })
}
