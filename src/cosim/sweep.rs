//! `cosim --scenario` several times, one value of it changed, side by side.

use super::late::Window;
use super::scenario::{judge, look, named, simulate, time, write_svg};
use super::{Args, Carries, plot};
use crate::fail::Fail;
use crate::output::table;
use crate::verdict::{Done, Verdict};
use rdma_rtl_tb::scenario::{Parts, Report, Scenario};
use serde_json::{Value, json};
use std::path::Path;

/// What changes from run to run.
pub enum Sweep {
    /// Bytes: larger commands are cut into segments of so many.
    Segments(Vec<u32>),
    /// Part of the frames that every path of both ways loses.
    Losses(Vec<f64>),
    /// Transport profiles, queue pairs, times there and back, losses: each with each.
    Cells(Vec<Cell>),
}

/// A cell of a table; what it does not say is as the scenario has it.
#[derive(Clone, Copy)]
pub struct Cell {
    transport: Option<Carries>,
    queue_pairs: Option<u16>,
    round_trip: Option<f64>,
    loss: Option<f64>,
}

/// A run to make: a value, the scenario that has it, and the call that makes this run alone.
struct Setting {
    value: Value,
    label: String,
    scenario: Scenario,
    alone: Args,
}

/// One run of a sweep.
struct Point {
    value: Value,
    label: String,
    report: Report,
}

impl Cell {
    fn label(&self) -> String {
        let of = [
            self.transport.map(|transport| transport.name().to_string()),
            self.queue_pairs.map(|pairs| format!("{pairs} queue pair{}", if pairs == 1 { "" } else { "s" })),
            self.round_trip.map(|ns| format!("round trip {}", time(ns))),
            self.loss.map(|loss| format!("loss {loss}")),
        ];
        of.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    fn change(&self, scenario: &mut Scenario) {
        if let Some(transport) = self.transport {
            scenario.transport = transport.transport();
        }
        if let Some(queue_pairs) = self.queue_pairs {
            scenario.queue_pairs = queue_pairs;
        }
        if let Some(round_trip) = self.round_trip {
            scenario.network.set_round_trip(round_trip);
        }
        if let Some(loss) = self.loss {
            scenario.network.set_loss(loss);
        }
    }
}

fn cells(args: &Args) -> Vec<Cell> {
    fn or_none<T: Copy>(values: &[T]) -> Vec<Option<T>> {
        if values.is_empty() { vec![None] } else { values.iter().copied().map(Some).collect() }
    }
    let mut cells = Vec::new();
    for transport in or_none(&args.transport) {
        for queue_pairs in or_none(&args.queue_pairs) {
            for round_trip in or_none(&args.round_trip) {
                cells.extend(or_none(&args.loss).into_iter().map(|loss| Cell { transport, queue_pairs, round_trip, loss }));
            }
        }
    }
    cells
}

fn rows_of_cells(points: &[Point]) -> Vec<Vec<String>> {
    let head =
        ["cell", "steady", "of the wire", "first to last", "packets", "lost", "sent again", "per lost", "acknowledgements", "fairness"];
    let row = |Point { label, report, .. }: &Point| {
        let lost = report.number("lost");
        let again = report.number("retransmissions") + report.number("selective_retransmissions");
        vec![
            label.clone(),
            format!("{:.2} Gb/s", report.steady_gbps),
            format!("{:.1} %", 100.0 * report.number("steady_of_wire")),
            format!("{:.2} Gb/s", report.goodput_gbps),
            report.forward.sent.to_string(),
            format!("{lost:.0}"),
            format!("{again:.0}"),
            if lost > 0.0 { format!("{:.2}", again / lost) } else { "-".into() },
            report.backward.sent.to_string(),
            if report.queue_pairs > 1 { format!("{:.4}", report.fairness) } else { "-".into() },
        ]
    };
    std::iter::once(head.map(String::from).to_vec()).chain(points.iter().map(row)).collect()
}

impl Sweep {
    /// # Errors
    /// A loss that is none.
    pub fn of(args: &Args) -> Result<Option<Sweep>, Fail> {
        if let Some(wrong) = args.loss.iter().find(|loss| !(0.0..=1.0).contains(*loss)) {
            return Err(Fail::Call(format!("--loss: `{wrong}` is no part of the frames; 0 to 1 is allowed")));
        }
        if let Some(wrong) = args.round_trip.iter().find(|ns| !(0.0..=1e9).contains(*ns)) {
            return Err(Fail::Call(format!("--round-trip: `{wrong}` is no time there and back; 0 to 1000000000 nanoseconds are allowed")));
        }
        if let Some(wrong) = args.queue_pairs.iter().find(|pairs| !(1..=64).contains(*pairs)) {
            return Err(Fail::Call(format!("--queue-pairs: `{wrong}` is no number of queue pairs between two ends; 1 to 64 are allowed")));
        }
        if !args.round_trip.is_empty() || !args.transport.is_empty() || !args.queue_pairs.is_empty() {
            return Ok(Some(Sweep::Cells(cells(args))));
        }
        Ok(match (args.segments.is_empty(), args.loss.is_empty()) {
            (false, _) => Some(Sweep::Segments(args.segments.clone())),
            (true, false) => Some(Sweep::Losses(args.loss.clone())),
            (true, true) => None,
        })
    }

    /// Of one value, and of all of them.
    fn names(&self) -> [&'static str; 2] {
        match self {
            Sweep::Segments(_) => ["segment", "segments"],
            Sweep::Losses(_) => ["loss", "losses"],
            Sweep::Cells(_) => ["cell", "cells"],
        }
    }

    /// Every value as a run of its own.
    fn settings(&self, args: &Args, scenario: &Scenario) -> Vec<Setting> {
        let with = |change: &dyn Fn(&mut Scenario)| {
            let mut scenario = scenario.clone();
            change(&mut scenario);
            scenario
        };
        match self {
            Sweep::Segments(sizes) => {
                let of = |&bytes: &u32| Setting {
                    value: json!(bytes),
                    label: format!("segments of {bytes}"),
                    scenario: with(&|s| (s.sender.threshold, s.sender.segment) = (Some(bytes), Some(bytes))),
                    alone: Args { segments: vec![bytes], ..args.clone() },
                };
                sizes.iter().map(of).collect()
            }
            Sweep::Losses(rates) => {
                let of = |&rate: &f64| Setting {
                    value: json!(rate),
                    label: format!("loss {rate}"),
                    scenario: with(&|s| s.network.set_loss(rate)),
                    alone: Args { loss: vec![rate], ..args.clone() },
                };
                rates.iter().map(of).collect()
            }
            Sweep::Cells(cells) => {
                let of = |cell: &Cell| Setting {
                    value: json!({
                        "transport": cell.transport.map(Carries::name),
                        "queue_pairs": cell.queue_pairs,
                        "round_trip_ns": cell.round_trip,
                        "loss": cell.loss,
                    }),
                    label: cell.label(),
                    scenario: with(&|s| cell.change(s)),
                    alone: Args {
                        transport: cell.transport.into_iter().collect(),
                        queue_pairs: cell.queue_pairs.into_iter().collect(),
                        round_trip: cell.round_trip.into_iter().collect(),
                        loss: cell.loss.into_iter().collect(),
                        ..args.clone()
                    },
                };
                cells.iter().map(of).collect()
            }
        }
    }

    /// # Errors
    /// A run that could not be made.
    pub fn run(&self, args: &Args, path: &Path, scenario: &Scenario, verdict: &mut Verdict) -> Result<Done, Fail> {
        if args.wave.is_some() {
            return Err(Fail::Call("--wave belongs to one run; leave out --segments and --loss".into()));
        }
        let (mut points, mut looked) = (Vec::new(), false);
        let mut engine = None;
        let settings = self.settings(args, scenario);
        // Before the first runs: some take minutes.
        for Setting { label, scenario, .. } in &settings {
            let wrong = scenario.check().err().or_else(|| Parts::new(scenario).err().map(|e| e.to_string()));
            if let Some(wrong) = wrong {
                return Err(Fail::Call(format!("{}, {label}: {wrong}", path.display())));
            }
        }
        for Setting { value, label, scenario, alone } in settings {
            let (args, scenario) = (&alone, &scenario);
            let run = simulate(args, path, scenario, [Window::ALL; 2])?;
            let mut wrong = run.unexpected(scenario);
            if run.result.is_err() && !looked {
                looked = true;
                let second = &mut |args: &Args, windows: [Window; 2]| Ok(simulate(args, path, scenario, windows)?.clocks);
                look(args, &named(path, &label, scenario.seed), run.clocks, &mut wrong, verdict, second);
            }
            let bounds: Vec<&str> = scenario.expect.bounds.keys().map(String::as_str).collect();
            judge(verdict, args, path, &format!("{label}, "), (&run.result.is_ok(), run.seconds), &wrong, &bounds);
            engine = run.engine;
            points.extend(run.result.ok().map(|report| Point { value, label, report }));
        }
        let [name, names] = self.names();
        let of_point = |point: &Point| json!({ name: point.value, "report": point.report });
        if verdict.passed() {
            write_svg(args, || self.picture(scenario, &points))?;
        }
        let json = json!({ "scenario": path, "engine": engine, names: points.iter().map(of_point).collect::<Vec<_>>() });
        Ok(Done { json, text: table(&self.rows(&points)) })
    }

    /// The distribution of the latencies; of segments and a scenario of more than two sizes, the medians over them.
    fn picture(&self, scenario: &Scenario, points: &[Point]) -> Result<String, String> {
        let groups = &scenario.commands;
        if matches!(self, Sweep::Segments(_)) && groups.len() > 2 && groups.iter().all(|group| group.least == group.most) {
            let medians = |report: &Report| groups.iter().zip(&report.latency).map(|(group, latency)| (group.most, latency.p50)).collect();
            let lines: Vec<_> = points.iter().map(|point| (point.label.clone(), medians(&point.report))).collect();
            return plot::sizes(&scenario.title, &lines);
        }
        let mut lines = Vec::new();
        for Point { label, report, .. } in points {
            lines.extend(report.latency.iter().map(|latency| (format!("{}, {label}", latency.name), latency)));
        }
        plot::latencies(&scenario.title, &lines)
    }

    fn rows(&self, points: &[Point]) -> Vec<Vec<String>> {
        if matches!(self, Sweep::Cells(_)) {
            return rows_of_cells(points);
        }
        let losses = matches!(self, Sweep::Losses(_));
        let mut head = vec![self.names()[0], "goodput"];
        if losses {
            head.extend(["lost", "sent again"]);
        }
        head.extend(["commands", "median", "90 %", "99 %", "most"]);
        let mut rows = vec![head.into_iter().map(String::from).collect::<Vec<_>>()];
        for Point { value, report, .. } in points {
            for l in &report.latency {
                let mut row = vec![value.to_string(), format!("{:.2} Gb/s", report.goodput_gbps)];
                if losses {
                    row.extend([format!("{:.0}", report.number("lost")), format!("{:.0}", report.number("retransmissions"))]);
                }
                row.extend([format!("{} {}", l.commands, l.name), time(l.p50), time(l.p90), time(l.p99), time(l.most)]);
                rows.push(row);
            }
        }
        rows
    }
}
