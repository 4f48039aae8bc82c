//! `cosim` of the receive endpoint: frames in, memory, ring, control packets and counters as software finds them.

use super::late::Window;
use super::{Args, BackEnd, again, failure, report, timing, unreadable, wave_folder};
use crate::fail::Fail;
use crate::output::{progress, table};
use crate::verdict::{Done, Verdict};
use rdma_rtl_golden::wire::Control;
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::MemoryOptions;
use rdma_rtl_tb::capture::{self, Timing};
use rdma_rtl_tb::catalogue::Design;
use rdma_rtl_tb::receive_endpoint::replay::{Entry, Replay, replay};
use rdma_rtl_tb::receive_endpoint::{Endpoint, Pace};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// The options that mean nothing here, so that nobody believes that they did something.
fn refuse(args: &Args) -> Result<(), Fail> {
    let given = [
        ("--packets", args.packets.is_some()),
        ("--runs", args.runs > 1),
        ("--cover", args.cover),
        ("--decisions", args.decisions.is_some()),
        ("--set", !args.set.is_empty()),
    ];
    match given.iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Fail::Call(format!("{flag} belongs to receive_registry; receive_endpoint takes --input with a capture"))),
        None => Ok(()),
    }
}

pub fn run(args: &Args, design: &Design, verdict: &mut Verdict) -> Result<Done, Fail> {
    refuse(args)?;
    let Some(path) = &args.input else {
        return Err(Fail::Call("receive_endpoint needs --input with a capture".into()));
    };
    let frames = capture::read_headers(path, design.block).map_err(unreadable)?;
    let timing = timing(&args.timing, design)?;
    let number = |name: &str| design.parameter(name).unwrap_or(0);
    let at: Vec<u64> = match timing {
        // The bus itself takes them as fast as it can.
        Timing::LineRate { .. } => vec![0; frames.len()],
        Timing::Idle(clocks) => (0..frames.len() as u64).map(|i| i * clocks).collect(),
        Timing::Capture { clock_hz } => {
            let first = frames.first().map_or(0, |f| f.time_ns);
            frames.iter().map(|f| capture::clocks(f.time_ns.saturating_sub(first), clock_hz)).collect()
        }
    };
    wave_folder(args)?;
    let bar = progress(format!("build {} at {}", design.block, design.profile));
    let back = BackEnd::new(args, design)?;
    bar.finish_and_clear();
    let stimulus = capture::stimulus(&frames, path);
    let bar = progress(format!("run {stimulus}"));
    let began = Instant::now();
    let mut pace = args.stall.map_or(Pace::full(args.seed()), |percent| Pace::random(args.seed(), percent.into()));
    if let Some(clocks) = args.memory_latency {
        pace.memory = MemoryOptions { latency: (clocks, clocks), ..pace.memory };
    }
    let packet_size = number("packet_size") as usize;
    let map = design.register_map().map_err(Fail::tool)?.ok_or_else(|| Fail::Tool("receive_endpoint has no register map".into()))?;
    let once = |model: &mut dyn Model| {
        let mut endpoint = Endpoint::new(model, map.clone(), pace)?;
        endpoint.set_up_for_all(number("sources") as u16)?;
        replay(&mut endpoint, &frames, &at, packet_size)
    };
    let mut model = back.model(args, args.seed(), Window::ALL)?;
    let result = failure::or_stopped(once(&mut *model), &*model);
    let clocks = model.cycle();
    drop(model);
    bar.finish_and_clear();
    let engine = report::engine(args.engine, &back.version);
    let said = |text: &String| {
        let again = again::again(args, Some(design.profile), None);
        let mut second = |args: &Args, windows: &[Window]| {
            let mut model = BackEnd::new(args, design)?.model(args, args.seed(), windows[0])?;
            let _ = once(&mut *model);
            Ok(failure::Second { clocks: vec![model.cycle()], lines: Vec::new() })
        };
        let name = format!("{}_{}", design.block, design.profile);
        let found = failure::look(args, &name, &[failure::End::new("", clocks, text)], &mut second);
        verdict.files.extend(found.files);
        format!("{stimulus} through {}: {text}\nrun it again: {again}{}", design.block, found.text)
    };
    let seconds = began.elapsed().as_secs_f64();
    let said = result.as_ref().map(|_| ()).map_err(said);
    let nothing = result.as_ref().ok().and_then(|done| done.nothing(packet_size));
    match &nothing {
        None => verdict.check("memory, completions, counters and buses", seconds, said),
        Some(why) => {
            verdict.check("completions, counters and buses", seconds, said);
            verdict.nothing("memory", format!("{stimulus} through {} at {}: {why}", design.block, design.profile));
        }
    }
    let json = json!({
        "block": design.block,
        "profile": design.profile,
        "engine": engine,
        "stimulus": stimulus,
        "cached": back.cached(),
        "run_seconds": seconds,
        "agrees": verdict.passed(),
        "difference": result.as_ref().err(),
        "clocks": result.as_ref().ok().map(|r| r.clocks),
        "bytes_compared": result.as_ref().ok().map(|r| r.compared),
        "bytes_compared_beside": result.as_ref().ok().map(|r| r.beside),
        "arrivals_compared": result.as_ref().ok().map(|r| r.arrivals),
        "counters": result.as_ref().ok().map(|r| &r.counters),
        "completions": result.as_ref().ok().map(|r| {
            let entry = |e: &Entry| {
                json!({ "src": e.src, "op": e.op, "base": e.base, "bytes": e.bytes, "status": e.status, "arrival": e.arrival })
            };
            r.completions.iter().map(entry).collect::<Vec<_>>()
        }),
    });
    let text = match &result {
        Ok(done) => text(design, &stimulus, &engine, done, nothing.is_some(), args.wave.as_deref()),
        Err(_) => String::new(),
    };
    Ok(Done { json, text })
}

fn text(design: &Design, stimulus: &str, engine: &str, done: &Replay, nothing: bool, wave: Option<&Path>) -> String {
    let mut rows = vec![vec![design.block.to_string(), format!("profile {}", design.profile)]];
    let mut row = |name: &str, value: String| rows.push(vec![name.to_string(), value]);
    row("stimulus", stimulus.to_string());
    row("engine", engine.to_string());
    row("clocks", done.clocks.to_string());
    for entry in &done.completions {
        let what = if entry.arrival { "arrival" } else { "operation" };
        let end = if entry.status == 0 { String::new() } else { format!(", status {}", entry.status) };
        row("completion", format!("{what} {:#06x} of source {}: {} bytes at {:#x}{end}", entry.op, entry.src, entry.bytes, entry.base));
    }
    for (node, frame) in &done.control {
        let text = match &frame.control {
            Some(Control::Completion { op, status, packets }) => {
                format!("operation {op:#06x} complete, {packets} packets, status {status}")
            }
            Some(Control::OpAck { op, index, status: 0, mask }) => format!("operation {op:#06x} has packets {mask:#x} from {index} on"),
            Some(Control::OpAck { op, index, status, .. }) => format!("operation {op:#06x} packet {index}: status {status}"),
            other => format!("{other:?}"),
        };
        row("told", format!("source {node}: {text}"));
    }
    for (name, count) in &done.counters {
        row(name.trim_start_matches("count_"), count.to_string());
    }
    if done.arrivals > 0 {
        row("data arrivals", format!("{} are what was sent", done.arrivals));
    }
    row(
        "memory",
        match (nothing, done.with_payload, done.beside) {
            (true, ..) => "nothing was compared".into(),
            (false, 0, _) => "no frame brings payload, and nothing was written".into(),
            (false, _, 0) => format!("{} bytes of completed operations are what was sent, nothing beside them was written", done.compared),
            (false, _, beside) => format!(
                "{} bytes of completed operations and {beside} of operations that did not complete are what was sent, nothing beside them was written",
                done.compared
            ),
        },
    );
    row("buses", "every AXI rule was kept".into());
    if let Some(wave) = wave {
        row("wave", wave.display().to_string());
    }
    table(&rows)
}
