//! Congestion state on the acknowledgement beside DCQCN, case by case.

use clap::Parser;
use rdma_rtl_fabric::congestion::cell::{Case, Cell, Outcome, RuleSet};
use rdma_rtl_fabric::congestion::table::{BURST_HEAD, INCAST_HEAD, Row};
use std::process::ExitCode;
use std::time::Instant;

/// Runs every rule set on one bottleneck of 100 Gb/s: a competing burst on short ways, an incast over 640 km.
///
/// Figures are means over seeds, with half of their 95 % intervals. The same seeds give the same figures. Exit code 2: a job could not be
/// run.
#[derive(Parser)]
struct Call {
    /// seeds, from 1
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// senders of a burst
    #[arg(long, value_delimiter = ',', default_value = "2,8,32")]
    senders: Vec<usize>,
    /// senders of an incast, 0: none is run
    #[arg(long, default_value_t = 8)]
    incast: usize,
    /// one object of JSON with rows and their settings in place of the tables
    #[arg(long)]
    json: bool,
}

fn rows(case: Case, seeds: u64) -> Result<Vec<Row>, String> {
    let row = |rules: RuleSet| -> Result<Row, String> {
        let (cell, begun) = (Cell::new(case, rules), Instant::now());
        let outcomes = (1..=seeds).map(|seed| cell.run(seed)).collect::<Result<Vec<Outcome>, _>>()?;
        let events: u64 = outcomes.iter().map(|one| one.events).sum();
        eprintln!("{case:?}, {}: {events} events, {:.1} s", rules.name(), begun.elapsed().as_secs_f64());
        Ok(Row::new(&cell, &outcomes))
    };
    RuleSet::ALL.into_iter().map(row).collect()
}

fn run(call: &Call) -> Result<(), String> {
    if call.seeds == 0 || call.senders.contains(&0) {
        return Err("--seeds and --senders: at least 1".to_string());
    }
    if let Some(many) = call.senders.iter().chain([&call.incast]).find(|&&count| count > 4096) {
        return Err(format!("{many} senders: at most 4096"));
    }
    let (mut burst, mut incast) = (Vec::new(), Vec::new());
    for &senders in &call.senders {
        burst.extend(rows(Case::Burst { senders }, call.seeds)?);
    }
    if call.incast != 0 {
        incast = rows(Case::Incast { senders: call.incast }, call.seeds)?;
    }
    if call.json {
        println!("{}", serde_json::json!({ "burst": burst, "incast": incast }));
        return Ok(());
    }
    for (head, rows) in [(BURST_HEAD, burst), (INCAST_HEAD, incast)] {
        if !rows.is_empty() {
            println!("{head}");
            rows.iter().for_each(|row| println!("{}", row.line()));
            println!();
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(&Call::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(wrong) => {
            eprintln!("congestion_matrix: {wrong}");
            ExitCode::from(2)
        }
    }
}
