//! The core matrix, cell by cell. What is done is kept and not done again.

use clap::Parser;
use rdma_rtl_fabric::cell::{Cell, Outcome};
use rdma_rtl_fabric::matrix::{HEAD, Plan, Row, checks};
use rdma_rtl_fabric::store::Store;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Runs the core matrix of LR2: a table with means over seeds and half of their 95 % intervals, then what must hold.
///
/// Exit code 0: everything that must hold and was judged does. 1: something does not. 2: a job could not be run, or nothing was judged.
#[derive(Parser)]
struct Call {
    /// folder of results, one file a job
    #[arg(long, default_value = "out/lr2_matrix")]
    out: PathBuf,
    /// seeds, from 1
    #[arg(long, default_value_t = 10)]
    seeds: u64,
    /// flows of a job
    #[arg(long, default_value_t = 2000)]
    flows: usize,
    /// one-way delays, microseconds
    #[arg(long, value_delimiter = ',', default_value = "400,600,800")]
    delay: Vec<u64>,
    /// loss rates
    #[arg(long, value_delimiter = ',', default_value = "0,0.001,0.003,0.01")]
    loss: Vec<f64>,
    /// loads of the long haul
    #[arg(long, value_delimiter = ',', default_value = "0.3,0.5")]
    load: Vec<f64>,
    /// jobs at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// one object of JSON with rows and checks in place of the table
    #[arg(long)]
    json: bool,
}

/// Runs what the store does not have, a few at a time.
fn work(store: &Store, jobs: &[(&'static str, Cell, u64)], threads: usize) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let worker = || -> Result<(), String> {
        while let Some((name, cell, seed)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begun = Instant::now();
            let outcome = cell.run(*seed).map_err(|wrong| format!("{name}, seed {seed}: {wrong}"))?;
            store.keep(&outcome)?;
            let (took, of) = (begun.elapsed().as_secs_f64(), jobs.len());
            let speed = outcome.events as f64 / took / 1e6;
            let number = next.load(Ordering::Relaxed).min(of);
            eprintln!(
                "{number}/{of} {name}, {} us, loss {}, load {}, seed {seed}: {took:.1} s, {speed:.1} M packets/s",
                cell.delay, cell.loss, cell.load
            );
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a job has broken down".to_string())?)
    })
}

/// `true`: everything that must hold and was judged does.
fn run(call: &Call) -> Result<bool, String> {
    if call.seeds == 0 || call.flows == 0 {
        return Err("--seeds and --flows: at least 1".to_string());
    }
    let store = Store::open(&call.out)?;
    let plan =
        Plan { delays: call.delay.clone(), losses: call.loss.clone(), loads: call.load.clone(), flows: call.flows, seeds: call.seeds };
    let groups = plan.groups();
    let mut jobs = Vec::new();
    for &(name, cell) in groups.iter().flatten() {
        for seed in 1..=call.seeds {
            if store.find(&cell, seed)?.is_none() {
                jobs.push((name, cell, seed));
            }
        }
    }
    work(&store, &jobs, call.jobs)?;
    let mut rows = Vec::new();
    for group in &groups {
        let outcomes = |cell: &Cell| -> Result<Vec<Outcome>, String> {
            (1..=call.seeds).map(|seed| store.find(cell, seed)?.ok_or_else(|| format!("seed {seed}: its result has gone"))).collect()
        };
        let (base, ideal) = (outcomes(&group[0].1)?, outcomes(&group[1].1)?);
        for (name, cell) in group {
            rows.push(Row::new(name, cell, &outcomes(cell)?, &base, &ideal));
        }
    }
    let checks = checks(&rows);
    if call.json {
        println!("{}", serde_json::json!({ "rows": rows, "checks": checks }));
    } else {
        println!("{HEAD}");
        rows.iter().for_each(|row| println!("{}", row.line()));
        println!();
        for check in &checks {
            let word = match check.holds {
                Some(true) => "holds",
                Some(false) => "FAILS",
                None => "not judged: one seed",
            };
            println!("{word}: {}: {:.3} (bound {:.3})", check.what, check.value, check.bound);
        }
    }
    let judged = checks.iter().filter(|check| check.holds.is_some()).count();
    let failed = checks.iter().filter(|check| check.holds == Some(false)).count();
    eprintln!("{judged} of {} checks were judged, {failed} fail", checks.len());
    if judged == 0 {
        return Err("nothing was judged; name cells of LR2".to_string());
    }
    Ok(failed == 0)
}

fn main() -> ExitCode {
    match run(&Call::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(wrong) => {
            eprintln!("lr2_matrix: {wrong}");
            ExitCode::from(2)
        }
    }
}
