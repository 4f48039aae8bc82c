//! The core matrix, cell by cell. What is done is kept and not done again.

use clap::Parser;
use rdma_rtl_fabric::cell::{Cell, Outcome, Variant};
use rdma_rtl_fabric::stats::{interval, quantile};
use rdma_rtl_fabric::store::Store;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs the core matrix of LR2: one line of JSON a cell, with the mean over seeds and half of the 95 % interval.
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
    /// the Sentry as the contract has it, without what the page calls additions
    #[arg(long)]
    literal: bool,
}

fn mean(values: &[Option<f64>]) -> f64 {
    let known: Vec<f64> = values.iter().flatten().copied().collect();
    known.iter().sum::<f64>() / known.len() as f64
}

fn job(store: &Store, cell: &Cell, seed: u64) -> Result<Outcome, String> {
    if let Some(outcome) = store.find(cell, seed)? {
        return Ok(outcome);
    }
    let outcome = cell.run(seed)?;
    store.keep(&outcome)?;
    Ok(outcome)
}

fn run(call: &Call) -> Result<(), String> {
    let store = Store::open(&call.out)?;
    let figure = |values: &[f64]| {
        let (mean, half) = interval(values);
        serde_json::json!({ "mean": mean, "half": half })
    };
    for &load in &call.load {
        for &delay in &call.delay {
            for &loss in &call.loss {
                let count = if delay == 400 && loss == 0.01 { Variant::ALL.len() } else { 5 };
                let cell = |variant| Cell { flows: call.flows, literal: call.literal, ..Cell::core(variant, delay, loss, load) };
                let jobs = |variant| (1..=call.seeds).map(|seed| job(&store, &cell(variant), seed)).collect::<Result<Vec<_>, _>>();
                let (base, ideal) = (jobs(Variant::GoBackN)?, jobs(Variant::Ideal)?);
                for &variant in &Variant::ALL[..count] {
                    let outcomes = jobs(variant)?;
                    let means: Vec<[f64; 3]> = outcomes
                        .iter()
                        .zip(&base)
                        .zip(&ideal)
                        .map(|((one, base), ideal)| [mean(&one.received), mean(&base.received), mean(&ideal.received)])
                        .collect();
                    let reduction: Vec<f64> = means.iter().map(|[one, base, _]| 1.0 - one / base).collect();
                    let share: Vec<f64> = means.iter().map(|[one, base, ideal]| (base - one) / (base - ideal)).collect();
                    let efficiency: Vec<f64> = outcomes.iter().map(|one| one.efficiency).collect();
                    let mut all: Vec<f64> = outcomes.iter().flat_map(|one| one.received.iter().flatten().copied()).collect();
                    let base_efficiency = interval(&base.iter().map(|one| one.efficiency).collect::<Vec<_>>()).0;
                    let row = serde_json::json!({
                        "variant": variant.name(), "delay_us": delay, "loss": loss, "load": load, "seeds": outcomes.len(),
                        "mean_us": figure(&means.iter().map(|means| means[0]).collect::<Vec<_>>()),
                        "reduction": figure(&reduction), "share_of_ideal": (loss > 0.0).then(|| figure(&share)),
                        "efficiency": figure(&efficiency),
                        "utilisation": figure(&outcomes.iter().map(|one| one.utilisation).collect::<Vec<_>>()),
                        "p50_us": quantile(&mut all, 0.5), "p99_us": quantile(&mut all, 0.99), "p999_us": quantile(&mut all, 0.999),
                        "unfinished": outcomes.iter().map(|one| one.unfinished).sum::<u64>(),
                        "timeouts": outcomes.iter().map(|one| one.timeouts).sum::<u64>(),
                        "card_naks": outcomes.iter().map(|one| one.card_naks).sum::<u64>(),
                        "packets": outcomes.iter().map(|one| one.packets).sum::<u64>(),
                        "peak_pool_bytes": outcomes.iter().filter_map(|one| one.far.get("peak_bytes")).max(),
                        "peak_backup_bytes": outcomes.iter().filter_map(|one| one.far.get("peak_backup_bytes")).max(),
                        "saturated": load / base_efficiency > 0.95,
                    });
                    println!("{row}");
                }
            }
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match run(&Call::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(wrong) => {
            eprintln!("lr2_matrix: {wrong}");
            ExitCode::from(1)
        }
    }
}
