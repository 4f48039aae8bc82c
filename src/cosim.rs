//! `cosim`

mod report;

use crate::fail::{Fail, tools};
use crate::output::{Json, progress, write_file};
use crate::profiles;
use rdma_rtl_sim::verilated::{Library, Optimize, Options as Build, Trace};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::capture::{self, Timing};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::receive_registry::{Bench, Failure, Memory, Offer, Options, Params, Random, Report, Stall, random_options};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Packets from which a slower compile of a faster model pays.
const LONG_RUN: u64 = 50_000;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  rdma-rtl cosim --block receive_registry --profile default --input tb/vectors/reordered.pcap --engine both
  rdma-rtl cosim --block receive_registry --profile small --packets 10000 --seed 7 --stall 30 --wave out/run.vcd
  rdma-rtl cosim --block receive_registry --input trace.pcapng --decisions out/decisions.jsonl --set escape_timeout=50 --timing idle:4

Exit code 0: hardware and golden model agree; 1: they differ; 2: the call was wrong or the capture cannot be read.")]
pub struct Args {
    /// Block, see `rdma-rtl list`; benches exist for receive_registry
    #[arg(long)]
    block: String,
    /// Profile: small, default, large, or a file of your own in the folder RDMA_RTL_PROFILES
    #[arg(long, default_value = "default")]
    profile: String,
    /// Capture, pcap or pcapng
    #[arg(long, value_name = "CAPTURE", required_unless_present = "packets", conflicts_with = "packets")]
    input: Option<PathBuf>,
    /// Random packets of every kind of trouble
    #[arg(long, value_name = "N")]
    packets: Option<u64>,
    /// Seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What runs: the Rust block, its Verilog under Verilator, or both in lockstep
    #[arg(long, value_enum, default_value_t = Engine::Verilator)]
    engine: Engine,
    /// Wave file, .vcd or .fst
    #[arg(long, value_name = "FILE")]
    wave: Option<PathBuf>,
    /// Result as a JUnit file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// What the hardware decided, one JSON object per line
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Pace of a capture: line-rate, capture, or idle:N clocks between frames
    #[arg(long, default_value = "line-rate", conflicts_with = "packets")]
    timing: String,
    /// Runtime register, before the first frame; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Percent of clocks in which outputs are not ready
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..=99))]
    stall: Option<u8>,
    /// Clocks from a write to its answer
    #[arg(long, value_name = "CLOCKS", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    memory_latency: Option<u64>,
    #[command(flatten)]
    json: Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Engine {
    Native,
    Verilator,
    Both,
}

/// What a run came to.
struct Outcome {
    design: Design,
    engine: Engine,
    stimulus: String,
    result: Result<Report, Failure>,
    build: Duration,
    cached: Option<bool>,
    run: Duration,
    verilator: Option<String>,
}

pub fn run(args: &Args) -> Result<(), Fail> {
    let design = profiles::find(&args.block, &args.profile)?;
    if design.block != "receive_registry" {
        return Err(Fail::Call(format!("block `{}` has no packet bench; `cosim` runs receive_registry", design.block)));
    }
    let params = params(&design);
    let (options, mut offers, stimulus) = stimulus(args, &design, &params)?;
    if let Some(wave) = &args.wave {
        let folder = wave.parent().filter(|p| !p.as_os_str().is_empty());
        folder
            .map_or(Ok(()), std::fs::create_dir_all)
            .map_err(|e| Fail::Check(format!("cannot make the folder of {}: {e}", wave.display())))?;
    }
    let began = Instant::now();
    let bar = progress(format!("build {} at {}", design.block, design.profile));
    let (mut model, cached, verilator) = model(args, &design, args.packets.unwrap_or(0) >= LONG_RUN)?;
    bar.finish_and_clear();
    let build = began.elapsed();
    let began = Instant::now();
    let bar = progress(format!("run {stimulus}"));
    let result = Bench::run(&mut *model, &params, options, &mut offers);
    bar.finish_and_clear();
    let outcome = Outcome { design, engine: args.engine, stimulus, result, build, cached, run: began.elapsed(), verilator };
    drop(model);
    if let (Some(path), Ok(report)) = (&args.decisions, &outcome.result) {
        let text: String = report.lines.iter().map(|l| l.to_json() + "\n").collect();
        write_file(path, text.as_bytes())?;
    }
    if let Some(path) = &args.junit {
        write_file(path, report::junit(&outcome).as_bytes())?;
    }
    args.json.write(&report::json(&outcome))?;
    if !args.json.on_stdout() {
        crate::output::print(&report::text(&outcome, args.wave.as_deref()))?;
    }
    match outcome.result {
        Ok(_) => Ok(()),
        Err(failure) => Err(Fail::Check(format!("hardware and golden model differ\n{failure}"))),
    }
}

fn params(design: &Design) -> Params {
    let value = |name: &str| design.parameter(name).expect("the schema has every parameter of the bench");
    Params {
        entries: value("entries") as usize,
        mask_bits: value("mask_bits") as usize,
        packet_size: value("packet_size") as u32,
        sources: value("sources") as usize,
        index_bits: value("index_bits") as u32,
        escape_slots: value("escape_slots") as usize,
        writes: value("writes") as usize,
        regions: value("regions") as usize,
    }
}

type Stimulus = (Options, Box<dyn Iterator<Item = Offer>>, String);

fn stimulus(args: &Args, design: &Design, params: &Params) -> Result<Stimulus, Fail> {
    let mut options = match args.packets {
        Some(_) => random_options(params, args.seed),
        None => Options { drop_without_slot: true, seed: args.seed, ..Options::new(params) },
    };
    for setting in &args.set {
        let Some((name, value)) = setting.split_once('=') else {
            return Err(Fail::Call(format!("--set {setting}: NAME=VALUE is needed, as in escape_timeout=50")));
        };
        let number = value.strip_prefix("0x").map_or_else(|| value.parse(), |hex| u64::from_str_radix(hex, 16));
        let number = number.map_err(|_| Fail::Call(format!("--set {setting}: `{value}` is not a number")))?;
        options.config.set(name, number).map_err(|text| Fail::Call(format!("--set {setting}: {text}")))?;
    }
    if let Some(percent) = args.stall {
        options.stall = Stall::all(percent);
    }
    if let Some(clocks) = args.memory_latency {
        options.memory = Memory { latency: clocks..=clocks, ..options.memory };
    }
    options.log = args.decisions.is_some();
    match (&args.input, args.packets) {
        (Some(path), _) => {
            let frames = capture::read(path).map_err(Fail::call)?;
            let timing = timing(&args.timing, design)?;
            let offers = capture::offers(&frames, &rdma_rtl_golden::wire::Reader::registry(), timing);
            Ok((options, Box::new(offers.into_iter()), format!("{} frames of {}", frames.len(), path.display())))
        }
        (None, packets) => {
            let packets = packets.unwrap_or(0);
            options.replay =
                format!("rdma-rtl cosim --block {} --profile {} --packets {packets} --seed {}", design.block, design.profile, args.seed);
            let random = Random::new(params, &options, packets, args.seed);
            Ok((options, Box::new(random), format!("{packets} random packets, seed {}", args.seed)))
        }
    }
}

fn timing(text: &str, design: &Design) -> Result<Timing, Fail> {
    match text {
        "line-rate" => Ok(Timing::LineRate { bytes_per_clock: design.parameter("data_width").unwrap_or(512) / 8 }),
        "capture" => Ok(Timing::Capture { clock_hz: Timing::CLOCK_HZ }),
        _ => match text.strip_prefix("idle:").and_then(|n| n.parse().ok()) {
            Some(clocks) => Ok(Timing::Idle(clocks)),
            None => Err(Fail::Call(format!("--timing {text}: line-rate, capture or idle:N is needed"))),
        },
    }
}

type Built = (Box<dyn Model>, Option<bool>, Option<String>);

fn model(args: &Args, design: &Design, long: bool) -> Result<Built, Fail> {
    let native = |wave: Option<&PathBuf>| match wave {
        Some(path) => design.native_with_wave(path).map_err(Fail::check),
        None => design.native().map_err(Fail::check),
    };
    if args.engine == Engine::Native {
        if args.wave.as_ref().is_some_and(|w| w.extension().is_none_or(|e| e != "vcd")) {
            return Err(Fail::Call("--wave: the native engine writes .vcd files".into()));
        }
        return Ok((native(args.wave.as_ref())?, None, None));
    }
    let trace = match args.wave.as_ref().map(|w| w.extension().and_then(|e| e.to_str()).unwrap_or("")) {
        None => Trace::None,
        Some("vcd") => Trace::Vcd,
        Some("fst") => Trace::Fst,
        Some(other) => return Err(Fail::Call(format!("--wave: `.{other}` is not a wave format; .vcd and .fst are"))),
    };
    let tools = tools()?;
    let elaborated = design.elaborate().map_err(Fail::check)?;
    let optimize = if long { Optimize::Full } else { Optimize::Quick };
    let library = Library::build(&catalogue::sources(&elaborated), &Build { optimize, trace, ..Build::default() }).map_err(Fail::check)?;
    let mut instance = library.instance().map_err(Fail::check)?;
    if let Some(path) = &args.wave {
        instance.open_wave(path).map_err(Fail::check)?;
    }
    let cached = Some(library.was_cached());
    let version = Some(tools.verilator_version.clone());
    if args.engine == Engine::Verilator {
        return Ok((Box::new(instance), cached, version));
    }
    let lockstep = Lockstep::new(("native", native(None)?), ("verilated", instance)).map_err(Fail::check)?;
    Ok((Box::new(lockstep), cached, version))
}
