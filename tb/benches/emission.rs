//! `cargo bench -p rdma-rtl-tests --bench emission`: our Verilog of the registry beside rust-hdl's own of the same design, as a table.
//!
//! The kernels are written by rust-hdl, registers and memories as its own `DFF` and `RAM` write themselves. Its generator is given each
//! const generic as a loop of one pass, and fields that are keywords get an underscore: without that it writes nothing that can be read.

#[path = "../tests/emitted/rust_hdl.rs"]
mod rust_hdl;

use rdma_rtl_hdl::describe::Node;
use rdma_rtl_sim::Error;
use rdma_rtl_sim::speed::{Stimulus, drive};
use rdma_rtl_sim::verilated::{Design, Library, Optimize, Options, Source, Tools};
use rdma_rtl_tb::catalogue;
use std::process::ExitCode;
use std::time::Instant;

const RUNS: usize = 5;
const CYCLES: u64 = 200_000;
/// A native design lives on the stack while it is described.
const STACK: usize = 1 << 30;

/// What can be counted in a text without reading it.
struct Count {
    lines: usize,
    modules: usize,
    always: usize,
    longest: usize,
}

fn count(design: &Design) -> Count {
    let code = || design.sources.iter().flat_map(|s| s.text.lines()).map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//"));
    Count {
        lines: code().count(),
        modules: code().filter(|l| l.starts_with("module ")).count(),
        always: code().filter(|l| l.starts_with("always")).count(),
        longest: code().map(str::len).max().unwrap_or(0),
    }
}

/// Seconds of each run, and what came out.
fn run(library: &Library, stimulus: &Stimulus) -> Result<(f64, u64), Error> {
    let mut model = library.instance()?;
    let start = Instant::now();
    let sum = drive(&mut model, stimulus, CYCLES);
    Ok((start.elapsed().as_secs_f64(), sum))
}

fn table(profile: &str) -> Result<(), Error> {
    let Ok(entry) = catalogue::find("receive_registry", profile) else { return Ok(()) };
    let Node::Block(block) = entry.describe()? else { return Ok(()) };
    let ours = catalogue::sources(&entry.elaborate()?);
    let theirs = Design { sources: vec![Source::new("top.v", rust_hdl::whole(&block))], top: "top".into(), ..ours.clone() };
    let counts = [count(&ours), count(&theirs)];

    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32
    };
    let stimulus = Stimulus::new(&ours.ports, 4096, |cycle, port, words| match port.name.as_str() {
        "rst" => words[0] = u32::from(cycle == 0),
        name if name.ends_with("_ready") => words[0] = 1,
        _ => words.fill_with(&mut random),
    });
    let options = Options { optimize: Optimize::Full, ..Options::default() };
    let mut builds = Vec::new();
    let mut libraries = Vec::new();
    for design in [&ours, &theirs] {
        let start = Instant::now();
        libraries.push(Library::build(design, &options)?);
        let cached = libraries.last().is_some_and(Library::was_cached);
        builds.push(if cached { "from the cache".to_string() } else { format!("{:.0} s", start.elapsed().as_secs_f64()) });
    }
    let (mut seconds, mut sums) = ([Vec::new(), Vec::new()], [0, 0]);
    for _ in 0..RUNS {
        for (i, library) in libraries.iter().enumerate() {
            let (time, sum) = run(library, &stimulus)?;
            seconds[i].push(time);
            sums[i] = sum;
        }
    }
    let speed = seconds.map(|mut s| {
        s.sort_by(f64::total_cmp);
        CYCLES as f64 / s[RUNS / 2]
    });
    println!("`receive_registry` at `{profile}`:\n\n| | ours | rust-hdl's | ratio |\n| --- | ---: | ---: | ---: |");
    type Get = fn(&Count) -> usize;
    let rows: [(&str, Get); 4] = [
        ("lines of code", |c| c.lines),
        ("modules", |c| c.modules),
        ("`always` blocks", |c| c.always),
        ("longest line, characters", |c| c.longest),
    ];
    for (name, get) in rows {
        let [a, b] = [get(&counts[0]), get(&counts[1])];
        println!("| {name} | {a} | {b} | {:.1} |", b as f64 / a as f64);
    }
    println!("| clocks per second under Verilator | {:.0} | {:.0} | {:.2} |", speed[0], speed[1], speed[1] / speed[0]);
    println!("| first build | {} | {} | |", builds[0], builds[1]);
    println!("\nOutputs in {CYCLES} clocks: {}.\n", if sums[0] == sums[1] { "equal" } else { "different" });
    Ok(())
}

fn main() -> ExitCode {
    let all = || -> Result<(), Error> {
        let tools = Tools::find(None, None)?;
        println!("Verilator {}, {}\n", tools.verilator_version, tools.compiler_version);
        table("small")?;
        table("default")
    };
    match std::thread::Builder::new().stack_size(STACK).spawn(all).map(|thread| thread.join()) {
        Ok(Ok(Ok(()))) => return ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => eprintln!("{error}"),
        Ok(Err(_)) => eprintln!("the measurement has panicked"),
        Err(error) => eprintln!("cannot start a thread: {error}"),
    }
    ExitCode::FAILURE
}
