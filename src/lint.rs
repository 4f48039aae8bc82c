//! `lint`

use crate::emit::{Which, texts};
use crate::fail::{Fail, tools};
use crate::output::{Json, progress, table};
use crate::verdict::{Done, Verdict};
use rdma_rtl_lint::{Input, Tool};
use rdma_rtl_report::cache::Cache;
use rdma_rtl_tb::catalogue::Design;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rdma-rtl lint --block receive_registry --profile default\n  rdma-rtl lint --all --profile small --json lint.json"
)]
pub struct Args {
    #[command(flatten)]
    which: Which,
    /// Looks again at what is in the cache as clean
    #[arg(long)]
    no_cache: bool,
    /// Verdict as a JUnit file, one case a block and a tool
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

pub fn run(args: &Args) -> Result<(), Fail> {
    Verdict::new("lint", format!("lint.{}", args.which.profile)).of(args.junit.as_deref(), &args.json, |verdict| look(args, verdict))
}

fn look(args: &Args, verdict: &mut Verdict) -> Result<Done, Fail> {
    let designs = args.which.designs()?;
    let verilator = tools()?;
    let yosys = rdma_rtl_report::tools::Tool::yosys_of_lint().map_err(Fail::tool)?;
    let bar = progress(format!("lint {} blocks", designs.len()));
    let inputs = at_once(&designs, input).into_iter().collect::<Result<Vec<_>, Fail>>()?;
    let cache = if args.no_cache { Cache::none() } else { Cache::find_in("lint") };
    let tools = [
        Tool { program: verilator.verilator.clone(), version: verilator.verilator_version.clone() },
        Tool { program: yosys.program, version: yosys.version },
    ];
    let step = |done: usize, steps: usize| bar.set_message(format!("lint: {done} of {steps} runs"));
    let said = rdma_rtl_lint::lint(&inputs, &tools[0], &tools[1], &cache, &step);
    bar.finish_and_clear();
    let said = said.map_err(Fail::tool)?;
    let (mut rows, mut values) = (vec![["block", "profile", "verilator", "yosys"].map(String::from).to_vec()], Vec::new());
    for (design, said) in designs.iter().zip(said) {
        let word = |says: &str| if says.is_empty() { "clean".to_string() } else { "complains".to_string() };
        rows.push(vec![design.block.into(), design.profile.into(), word(&said.verilator), word(&said.yosys)]);
        values.push(json!({ "block": design.block, "profile": design.profile, "verilator": said.verilator, "yosys": said.yosys }));
        for (tool, says) in [("Verilator", said.verilator), ("Yosys", said.yosys)] {
            let clean = if says.is_empty() { Ok(()) } else { Err(format!("{} at {}:\n{says}", design.block, design.profile)) };
            verdict.check(format!("{}: {tool}", design.block), 0.0, clean);
        }
    }
    let text = format!("{}Verilator {}, {}\n", table(&rows), tools[0].version, tools[1].version);
    Ok(Done { json: json!({ "verilator": tools[0].version, "yosys": tools[1].version, "results": Value::Array(values) }), text })
}

/// The Verilog of a block, and nothing else that `gen` writes.
fn input(design: &Design) -> Result<Input, Fail> {
    let texts = texts(design)?;
    let files = texts.files.into_iter().filter(|f| texts.sources.contains(&f.name)).map(|f| (f.name, f.text)).collect();
    Ok(Input { block: design.block.into(), top: texts.top, files })
}

/// `job` for each item, as many at once as there are cores; results in the order of the items.
fn at_once<T: Sync, R: Send>(items: &[T], job: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(i) else { return done };
                done.push((i, job(item)));
            }
        };
        let start = || std::thread::Builder::new().stack_size(crate::STACK).spawn_scoped(scope, work);
        let workers: Vec<_> = (0..cores.min(items.len())).filter_map(|_| start().ok()).collect();
        let mut done: Vec<(usize, R)> = if workers.is_empty() { work() } else { Vec::new() };
        for worker in workers {
            done.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}
