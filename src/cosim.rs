//! `cosim`

mod again;
mod bitmap;
mod endpoint;
mod failure;
mod late;
mod packets;
mod plot;
mod report;
mod scenario;
mod sweep;

use crate::fail::{Fail, tools};
use crate::output::{Json, progress};
use crate::profiles;
use crate::verdict::{Done, Verdict};
use late::Window;
use rdma_rtl_sim::verilated::{Initial, Library, Optimize, Options as Build, Trace};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::bitmap::requests::Choice;
use rdma_rtl_tb::capture::{self, CaptureError, Timing};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::pair::Scheme;
use rdma_rtl_tb::receive_registry::{Bench, Failure, Memory, Offer, Options, Params, Random, Report, Stall, random_options};
use rdma_rtl_tb::scenario::Transport;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Packets from which a slower compile of a faster model pays.
const LONG_RUN: u64 = 500_000;
/// Clocks of a failure's wave.
const LAST: u64 = 2000;

#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:
  rdma-rtl cosim --block receive_registry --profile default --input tb/vectors/reordered.pcap --engine both
  rdma-rtl cosim --block receive_endpoint --input tb/vectors/tour.pcap --timing capture
  rdma-rtl cosim --block receive_bitmap --input tb/vectors/soft_roce/loss5-send.b.pcap --qp 0x11
  rdma-rtl cosim --block receive_registry --profile small --packets 10000 --seed 7 --stall 30 --wave out/run.vcd
  rdma-rtl cosim --block receive_registry --profile large --packets 20000 --runs 5 --cover
  rdma-rtl cosim --block receive_registry --input trace.pcapng --decisions out/decisions.jsonl --set escape_timeout=50 --timing idle:4
  rdma-rtl cosim --scenario tb/scenarios/loss_2.toml --svg out/latency.svg
  rdma-rtl cosim --scenario tb/scenarios/loss_20_percent.toml --commands 10000 --seed 7 --json out/loss.json
  rdma-rtl cosim --scenario tb/scenarios/bitmap/loss_20_percent.toml --packets 100000 --seed 7
  rdma-rtl cosim --scenario tb/scenarios/compare/one_long.toml --compare bitmap,go_back_n,timers --loss 0,0.001,0.01 --svg out/goodput.svg

Exit code 0: hardware and golden model agree, or the scenario came to what it expects; 1: not so; 2: the call was wrong, the capture or scenario
cannot be read, or nothing was tested; 3: a tool is missing or failed.")]
pub struct Args {
    /// Block, see `rdma-rtl list`; benches exist for receive_registry, receive_endpoint and receive_bitmap
    #[arg(long, required_unless_present = "scenario", conflicts_with = "scenario")]
    block: Option<String>,
    /// Profile: small, default, large, or a file of your own in the folder RDMA_RTL_PROFILES; without it default, or what the scenario says
    #[arg(long)]
    profile: Option<String>,
    /// Scenario, TOML: commands, or packets alone, from a sender through a network to a receiver, and what should come of it
    #[arg(long, value_name = "FILE", conflicts_with = "input")]
    scenario: Option<PathBuf>,
    /// So many commands instead of the scenario's
    #[arg(long, value_name = "N", requires = "scenario")]
    commands: Option<u64>,
    /// Runs the scenario with each of these segment sizes in bytes, which is the threshold too, and shows them side by side
    #[arg(long, value_name = "BYTES,...", value_delimiter = ',', requires = "scenario")]
    segments: Vec<u32>,
    /// Runs the scenario with each of these losses, 0 to 1, on every path both ways, and shows them side by side
    #[arg(long, value_name = "RATE,...", value_delimiter = ',', requires = "scenario", conflicts_with = "segments")]
    loss: Vec<f64>,
    /// Runs the scenario with each of these times there and back in nanoseconds, on every path
    #[arg(long, value_name = "NS,...", value_delimiter = ',', requires = "scenario", conflicts_with = "segments")]
    round_trip: Vec<f64>,
    /// Runs the scenario with each of these numbers of queue pairs between its ends, each with queues of commands of its own
    #[arg(long, value_name = "N,...", value_delimiter = ',', requires = "scenario", conflicts_with = "segments")]
    queue_pairs: Vec<u16>,
    /// Runs the scenario with each of these transport profiles: registry, combined, bitmap
    #[arg(long, value_name = "TRANSPORT,...", value_delimiter = ',', requires = "scenario", conflicts_with = "segments")]
    transport: Vec<Carries>,
    /// Runs a scenario of packets with each of these ways to find what is lost, and shows them side by side: bitmap, go_back_n, timers
    #[arg(long, value_name = "SCHEME,...", value_delimiter = ',', requires = "scenario")]
    compare: Vec<Choose>,
    /// Runs a scenario of packets with each of these jitters in nanoseconds, on every path both ways
    #[arg(long, value_name = "NS,...", value_delimiter = ',', requires = "scenario")]
    jitter: Vec<f64>,
    /// Distribution of the latency of the scenario's commands, as SVG; with --segments and more than two sizes of commands, the
    /// medians over them; of a folder: FOLDER/latency.svg
    #[arg(long, value_name = "FILE", requires = "scenario")]
    svg: Option<PathBuf>,
    /// Capture, pcap or pcapng
    #[arg(long, value_name = "CAPTURE", required_unless_present_any = ["packets", "scenario"], conflicts_with = "packets")]
    input: Option<PathBuf>,
    /// Queue pair of the capture, as in 0x11 or 10.9.0.2/0x11; may be repeated. Without it all; receive_bitmap only
    #[arg(long, value_name = "QP", requires = "input")]
    qp: Vec<Choice>,
    /// Random packets of every kind of trouble; of a scenario of packets, about so many instead of its own
    #[arg(long, value_name = "N")]
    packets: Option<u64>,
    /// Seed of everything random, 1 if not given; of a scenario, network included, instead of its own
    #[arg(long)]
    seed: Option<u64>,
    /// So many runs, each from reset with N packets and a seed of its own: SEED, SEED + 1, ...
    #[arg(long, value_name = "RUNS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    runs: u64,
    /// Fail if a counter event that the random packets should cause was never seen; 100000 packets in all are enough
    #[arg(long, requires = "packets")]
    cover: bool,
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
    /// Clocks of the wave of a run that failed, for which it is run again by itself; 0: it is not
    #[arg(long, value_name = "CLOCKS", default_value_t = LAST)]
    last: u64,
    /// Folder for what is found about a failure: the wave of its last clocks, save files for GTKWave and Surfer, decisions
    #[arg(long, value_name = "DIR", default_value = "out/failure")]
    failure: PathBuf,
    #[command(flatten)]
    json: Json,
}

/// A transport profile, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Carries {
    Registry,
    Combined,
    Bitmap,
}

impl Carries {
    fn name(self) -> &'static str {
        match self {
            Carries::Registry => "registry",
            Carries::Combined => "combined",
            Carries::Bitmap => "bitmap",
        }
    }

    fn transport(self) -> Transport {
        match self {
            Carries::Registry => Transport::Registry,
            Carries::Combined => Transport::Combined,
            Carries::Bitmap => Transport::Bitmap,
        }
    }
}

/// One of the schemes, by its name.
#[derive(Clone, Copy, Debug)]
struct Choose(Scheme);

impl std::str::FromStr for Choose {
    type Err = String;

    fn from_str(text: &str) -> Result<Choose, String> {
        let found = Scheme::ALL.into_iter().find(|scheme| scheme.name() == text);
        found.map(Choose).ok_or_else(|| format!("`{text}` is none of {}", Scheme::ALL.map(Scheme::name).join(", ")))
    }
}

impl Args {
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }
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
    params: Params,
    cover: bool,
    result: Result<Report, Failure>,
    build: Duration,
    cached: Option<bool>,
    run: Duration,
    verilator: Option<String>,
}

pub fn run(args: &Args) -> Result<(), Fail> {
    let under_test = match (&args.scenario, &args.block) {
        (Some(path), _) => format!("scenario.{}", path.file_stem().unwrap_or_default().display()),
        (None, block) => format!("{}.{}", block.as_deref().unwrap_or_default(), args.profile.as_deref().unwrap_or("default")),
    };
    Verdict::new("cosim", under_test).of(args.junit.as_deref(), &args.json, |verdict| {
        let args = &with_wave_that_can_be_written(args)?;
        let ended = test(args, verdict);
        verdict.files.extend([&args.wave, &args.decisions, &args.svg].into_iter().flatten().filter(|f| f.is_file()).cloned());
        ended
    })
}

/// VCD in place of FST where the C++ compiler does not find what Verilator's FST writer includes.
fn with_wave_that_can_be_written(args: &Args) -> Result<Args, Fail> {
    let mut args = args.clone();
    let Some(wave) = args.wave.as_mut().filter(|wave| wave.extension().is_some_and(|format| format == "fst")) else { return Ok(args) };
    if args.engine != Engine::Native
        && let Err(missing) = &tools()?.fst
    {
        wave.set_extension("vcd");
        eprintln!("rdma-rtl: FST waves need the header {missing}, which the C++ compiler does not find: VCD instead, {}", wave.display());
    }
    Ok(args)
}

fn test(args: &Args, verdict: &mut Verdict) -> Result<Done, Fail> {
    if let Some(path) = &args.scenario {
        return scenario::run(args, path, verdict);
    }
    let block = args.block.as_deref().unwrap_or_default();
    if args.packets == Some(0) {
        return Err(Fail::Nothing("--packets 0: 1 or more are needed".into()));
    }
    let design = profiles::find(block, args.profile.as_deref().unwrap_or("default"))?;
    if design.block == "receive_bitmap" {
        return bitmap::run(args, &design, verdict);
    }
    if let Some(choice) = args.qp.first() {
        return Err(Fail::Call(format!("--qp {choice} belongs to receive_bitmap; {} takes every frame of the capture", design.block)));
    }
    if design.block == "receive_endpoint" {
        return endpoint::run(args, &design, verdict);
    }
    let Some(params) = design.registry_params().filter(|_| design.block == "receive_registry") else {
        return Err(Fail::Call(format!(
            "block `{}` has no packet bench; `cosim` runs receive_registry, receive_endpoint and receive_bitmap",
            design.block
        )));
    };
    if args.runs > 1 {
        let single = [("--wave", args.wave.is_some()), ("--decisions", args.decisions.is_some()), ("--input", args.input.is_some())];
        if let Some((flag, _)) = single.iter().find(|(_, given)| *given) {
            return Err(Fail::Call(format!(
                "--runs {}: {flag} belongs to one run; leave it out, or run once with the seed of interest",
                args.runs
            )));
        }
    }
    let (mut options, mut offers, mut stimulus) = stimulus(args, &design, &params, args.seed())?;
    wave_folder(args)?;
    let began = Instant::now();
    let bar = progress(format!("build {} at {}", design.block, design.profile));
    let back = BackEnd::new(args, &design)?;
    bar.finish_and_clear();
    let build = began.elapsed();
    let began = Instant::now();
    let mut result = Ok(Report::default());
    for run in 0..args.runs {
        let seed = args.seed().wrapping_add(run);
        if run > 0 {
            (options, offers, _) = self::stimulus(args, &design, &params, seed)?;
        }
        let bar = progress(format!("run {stimulus}"));
        let started = Instant::now();
        let mut model = back.model(args, seed, Window::ALL)?;
        let one = Bench::run(&mut *model, &params, options.clone(), &mut offers);
        let clocks = model.cycle();
        let one = match failure::or_stopped(one.as_ref().map(|_| ()).map_err(|failure| failure.text.clone()), &*model) {
            Ok(()) => one,
            Err(text) => {
                let stopped =
                    Failure { cycle: clocks, text: text.clone(), recent: Vec::new(), replay: options.replay.clone(), lines: Vec::new() };
                Err(Failure { text, ..one.err().unwrap_or(stopped) })
            }
        };
        drop(model);
        bar.finish_and_clear();
        if args.runs > 1 {
            let end = match &one {
                Ok(report) => format!("{} packets, {} clocks", report.headers, report.cycles),
                Err(failure) => format!("differs in clock {}", failure.cycle),
            };
            eprintln!(
                "{} run {} of {}: seed {seed}: {end} in {:.1} s",
                design.profile,
                run + 1,
                args.runs,
                started.elapsed().as_secs_f64()
            );
        }
        let said = one.as_ref().map(|_| ()).map_err(|failure| {
            let mut second = |args: &Args, windows: &[Window]| {
                let (mut options, mut offers, _) = self::stimulus(args, &design, &params, seed)?;
                options.log = true;
                let mut model = BackEnd::new(args, &design)?.model(args, seed, windows[0])?;
                let lines = match Bench::run(&mut *model, &params, options, &mut offers) {
                    Ok(report) => report.lines,
                    Err(failure) => failure.lines,
                };
                Ok(failure::Second { clocks: vec![model.cycle()], lines })
            };
            let name = format!("{}_{}_seed{seed}", design.block, design.profile);
            let found = failure::look(args, &name, &[failure::End::new("", clocks, "")], &mut second);
            verdict.files.extend(found.files);
            format!("hardware and golden model differ\n{failure}{}", found.text)
        });
        verdict.check(format!("seed {seed}: agreement"), started.elapsed().as_secs_f64(), said);
        match (one, &mut result) {
            (Ok(report), _) if run == 0 => result = Ok(report),
            (Ok(report), Ok(sum)) => sum.add(&report),
            (one, _) => {
                result = one;
                not_run(args, run, verdict);
                break;
            }
        }
    }
    if args.runs > 1 {
        let last = args.seed().wrapping_add(args.runs - 1);
        stimulus = format!("{} runs of {} random packets, seeds {} to {last}", args.runs, args.packets.unwrap_or(0), args.seed());
    }
    let (cached, verilator) = (back.cached(), back.version.clone());
    let outcome = Outcome {
        design,
        engine: args.engine,
        stimulus,
        params,
        cover: args.cover,
        result,
        build,
        cached,
        run: began.elapsed(),
        verilator,
    };
    if let Some(path) = &args.decisions {
        failure::written(path, outcome.result.as_ref().map_or_else(|failure| &failure.lines, |report| &report.lines))?;
    }
    match &outcome.result {
        Ok(report) if args.cover => {
            let unseen = report.unseen(&params);
            let seen = if unseen.is_empty() {
                Ok(())
            } else {
                let advice = "more packets or another seed may bring them";
                let again = again::again(args, Some(outcome.design.profile), None);
                Err(format!("--cover: never seen: {}; {advice}\nrun it again: {again}", unseen.join(", ")))
            };
            verdict.check("coverage", 0.0, seen);
        }
        Err(_) if args.cover => verdict.not_run("coverage", "the run ended before"),
        _ => {}
    }
    Ok(Done { json: report::json(&outcome, verdict), text: report::text(&outcome, args.wave.as_deref()) })
}

/// The seeds behind the one that failed, as one case.
fn not_run(args: &Args, run: u64, verdict: &mut Verdict) {
    let seed = |run: u64| args.seed().wrapping_add(run);
    if run + 1 < args.runs {
        verdict.not_run(format!("seeds {} to {}", seed(run + 1), seed(args.runs - 1)), format!("seed {} failed", seed(run)));
    }
}

/// A capture without a frame for the block is nothing to test; any other that cannot be read is a wrong call.
fn unreadable(error: CaptureError) -> Fail {
    match error {
        CaptureError::NoFrames { .. } | CaptureError::NoRoce { .. } | CaptureError::NothingFor { .. } => Fail::Nothing(error.to_string()),
        other => Fail::call(other),
    }
}

type Stimulus = (Options, Box<dyn Iterator<Item = Offer>>, String);

fn stimulus(args: &Args, design: &Design, params: &Params, seed: u64) -> Result<Stimulus, Fail> {
    let mut options = match args.packets {
        Some(_) => random_options(params, seed),
        None => Options { drop_without_slot: true, seed: args.seed(), ..Options::new(params) },
    };
    for (setting, name, number) in settings(args)? {
        options.config.set(&name, number).map_err(|text| Fail::Call(format!("--set {setting}: {text}")))?;
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
            let frames = capture::read_headers(path, design.block).map_err(unreadable)?;
            let timing = timing(&args.timing, design)?;
            let offers = capture::offers(&frames, &rdma_rtl_golden::wire::Reader::registry(), timing);
            options.replay = again::again(args, Some(design.profile), None);
            Ok((options, Box::new(offers.into_iter()), capture::stimulus(&frames, path)))
        }
        (None, packets) => {
            let packets = packets.unwrap_or(0);
            options.replay = again::again(args, Some(design.profile), Some(seed));
            let random = Random::new(params, &options, packets, seed);
            Ok((options, Box::new(random), format!("{packets} random packets, seed {seed}")))
        }
    }
}

/// Every `--set` as it was given, its name and its value.
fn settings(args: &Args) -> Result<Vec<(String, String, u64)>, Fail> {
    let parse = |setting: &String| {
        let Some((name, value)) = setting.split_once('=') else {
            return Err(Fail::Call(format!("--set {setting}: NAME=VALUE is needed, as in prescale=50")));
        };
        let number = value.strip_prefix("0x").map_or_else(|| value.parse(), |hex| u64::from_str_radix(hex, 16));
        let number = number.map_err(|_| Fail::Call(format!("--set {setting}: `{value}` is not a number")))?;
        Ok((setting.clone(), name.to_string(), number))
    };
    args.set.iter().map(parse).collect()
}

/// Makes the folder that the wave goes to.
fn wave_folder(args: &Args) -> Result<(), Fail> {
    let Some(wave) = &args.wave else { return Ok(()) };
    match wave.parent().filter(|p| !p.as_os_str().is_empty()) {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|e| Fail::Tool(format!("cannot make the folder of {}: {e}", wave.display())))
        }
        None => Ok(()),
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

/// What models are made of.
struct BackEnd {
    design: Design,
    library: Option<Library>,
    version: Option<String>,
}

impl BackEnd {
    fn new(args: &Args, design: &Design) -> Result<BackEnd, Fail> {
        let long = args.engine == Engine::Verilator && args.packets.unwrap_or(0).saturating_mul(args.runs) >= LONG_RUN;
        BackEnd::with(args, design, long)
    }

    /// `long`: a slower compile of a faster model pays.
    fn with(args: &Args, design: &Design, long: bool) -> Result<BackEnd, Fail> {
        if args.engine == Engine::Native {
            if args.wave.as_ref().is_some_and(|w| w.extension().is_none_or(|e| e != "vcd")) {
                return Err(Fail::Call("--wave: the native engine writes .vcd files".into()));
            }
            return Ok(BackEnd { design: *design, library: None, version: None });
        }
        let trace = match args.wave.as_ref().map(|w| w.extension().and_then(|e| e.to_str()).unwrap_or("")) {
            None => Trace::None,
            Some("vcd") => Trace::Vcd,
            Some("fst") => Trace::Fst,
            Some(other) => return Err(Fail::Call(format!("--wave: `.{other}` is not a wave format; .vcd and .fst are"))),
        };
        let tools = tools()?;
        let elaborated = design.elaborate().map_err(Fail::tool)?;
        let build = Build { optimize: if long { Optimize::Full } else { Optimize::Quick }, trace, ..Build::default() };
        let library = Library::build(&catalogue::sources(&elaborated), &build).map_err(Fail::tool)?;
        Ok(BackEnd { design: *design, library: Some(library), version: Some(tools.verilator_version.clone()) })
    }

    fn cached(&self) -> Option<bool> {
        self.library.as_ref().map(Library::was_cached)
    }

    /// A model before its reset, with a wave of the window, if one is asked for; a native one has every clock in it. What is not reset
    /// starts random under Verilator, by the seed: nothing may depend on it. With a window it runs to its end, whatever the bench does.
    fn model(&self, args: &Args, seed: u64, window: Window) -> Result<Box<dyn Model>, Fail> {
        let model = self.model_of_a_bench(args, seed, window)?;
        Ok(if window == Window::ALL { model } else { Box::new(late::Beyond { model, until: window.until }) })
    }

    fn model_of_a_bench(&self, args: &Args, seed: u64, window: Window) -> Result<Box<dyn Model>, Fail> {
        let Some(library) = &self.library else {
            return match &args.wave {
                Some(path) => self.design.native_with_wave(path).map_err(Fail::tool),
                None => self.design.native().map_err(Fail::tool),
            };
        };
        if args.engine == Engine::Both {
            let native = self.design.native().map_err(Fail::tool)?;
            let instance = library.instance().map_err(Fail::tool)?;
            let both = Lockstep::new(("native", native), ("verilated", instance)).map_err(Fail::tool)?;
            return waved(both, args, window);
        }
        let initial = if args.packets.is_some() || args.scenario.is_some() { Initial::Random(seed as u32) } else { Initial::default() };
        waved(library.instance_with(initial).map_err(Fail::tool)?, args, window)
    }
}

fn waved(mut model: impl late::Opens + 'static, args: &Args, window: Window) -> Result<Box<dyn Model>, Fail> {
    let Some(path) = &args.wave else { return Ok(Box::new(model)) };
    if window != Window::ALL {
        return Ok(Box::new(late::Late { model, window, path: Some(path.clone()), failure: None }));
    }
    model.open(path).map_err(Fail::Tool)?;
    Ok(Box::new(model))
}
