//! What a run is reported as.

use super::{Engine, Outcome};
use crate::output::table;
use crate::verdict::Verdict;
use rdma_rtl_tb::receive_registry::expected_events;
use serde_json::{Value, json};
use std::path::Path;

const COMMITS: [&str; 8] = [
    "header, final verdict",
    "header, escaped",
    "replay, final verdict",
    "replay, stays",
    "op timeout",
    "swept",
    "write error",
    "no effect",
];

/// What ran, in words.
pub fn engine(engine: Engine, verilator: &Option<String>) -> String {
    match (engine, verilator) {
        (Engine::Native, _) | (_, None) => "native".into(),
        (Engine::Verilator, Some(version)) => format!("Verilator {version}"),
        (Engine::Both, Some(version)) => format!("native and Verilator {version} in lockstep"),
    }
}

/// For people.
pub fn text(outcome: &Outcome, wave: Option<&Path>) -> String {
    let mut rows = vec![vec![outcome.design.block.to_string(), format!("profile {}", outcome.design.profile)]];
    let mut row = |name: &str, value: String| rows.push(vec![name.to_string(), value]);
    row("stimulus", outcome.stimulus.clone());
    row("engine", engine(outcome.engine, &outcome.verilator));
    let cached = outcome.cached.map_or("", |c| if c { ", from the cache" } else { ", built" });
    row("build", format!("{:.2} s{cached}", outcome.build.as_secs_f64()));
    if let Ok(report) = &outcome.result {
        row("headers", report.headers.to_string());
        let seconds = outcome.run.as_secs_f64();
        row("clocks", format!("{} in {seconds:.2} s, {:.0} a second", report.cycles, report.cycles as f64 / seconds.max(1e-9)));
        if let Some((low, high)) = report.latency {
            row("latency", format!("{low} to {high} clocks from header to verdict"));
        }
        row("stalls", format!("{} clocks that the block itself held a header up", report.stalls));
        for (name, count) in COMMITS.iter().zip(report.commits).filter(|(_, n)| *n > 0) {
            row(name, count.to_string());
        }
        for event in expected_events(&outcome.params).into_iter().filter(|&event| outcome.cover || report.event(event) > 0) {
            row(event.name(), report.event(event).to_string());
        }
        row("most entries live", report.high_water.0.to_string());
        row("most packets waiting", report.high_water.1.to_string());
        row("golden model", "agrees with every decision".into());
    }
    if let Some(wave) = wave {
        row("wave", wave.display().to_string());
    }
    table(&rows)
}

pub fn json(outcome: &Outcome, verdict: &Verdict) -> Value {
    let mut value = json!({
        "block": outcome.design.block,
        "profile": outcome.design.profile,
        "engine": engine(outcome.engine, &outcome.verilator),
        "stimulus": outcome.stimulus,
        "build_seconds": outcome.build.as_secs_f64(),
        "cached": outcome.cached,
        "run_seconds": outcome.run.as_secs_f64(),
        "agrees": verdict.passed(),
    });
    match &outcome.result {
        Ok(report) => {
            value["headers"] = json!(report.headers);
            value["cycles"] = json!(report.cycles);
            value["stalls"] = json!(report.stalls);
            value["no_slot"] = json!(report.no_slot);
            value["latency"] = json!(report.latency.map(|(low, high)| [low, high]));
            value["events"] = json!(report.events);
        }
        Err(failure) => {
            value["difference"] =
                json!({ "cycle": failure.cycle, "text": failure.text, "recent": failure.recent, "replay": failure.replay });
        }
    }
    value
}
