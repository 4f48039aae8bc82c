//! `report`

use crate::emit::{Which, write_design};
use crate::fail::Fail;
use crate::output::{Json, forget, print, progress, write_file};
use crate::verdict::junit_of_end;
use rdma_rtl_report::budget::{self, Budget};
use rdma_rtl_report::cache::Cache;
use rdma_rtl_report::cost::{self, Stale};
use rdma_rtl_report::verdict::{Ends, Terms, Verdict};
use rdma_rtl_report::{Error, Family, Input, Options, Report, baseline, measure, render, vivado};
use rdma_rtl_tb::catalogue::SCHEMA;
use std::path::{Path, PathBuf};

/// Limits of the profiles that are shipped with some.
const BUDGETS: [(&str, &str); 1] = [("default", include_str!("../gen/budgets/default.toml"))];
/// Percent that a written budget leaves.
const MARGIN: f64 = 5.0;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  rdma-rtl report --block receive_registry
  rdma-rtl report --block fifo_lut,skid_buffer --flow xcup --json out/report.json --html out/report.html
  rdma-rtl report --block fifo_lut --ecp5 --seeds 1,2,3
  rdma-rtl report --block endpoint --by-module --flow xcup
  rdma-rtl report --vivado out/vivado --budget my_budget.toml --junit out/report.xml
  rdma-rtl report --block fifo_lut --baseline main.json --fail-on-growth 5%

Figures of open tools and of Vivado are never set beside each other; no frequency on a Xilinx part is known without Vivado.
Exit code 0: within the budget, and timing in Vivado's files is met; 1: not so, nothing that --budget or --fail-on-growth could judge, or
a file of Vivado cannot be believed; 2: the call, the budget or the baseline was wrong; 3: a tool is missing or failed.")]
pub struct Args {
    /// Blocks, separated by commas; see `rdma-rtl list`
    #[arg(long, value_name = "BLOCK,...", value_delimiter = ',', required_unless_present_any = ["all", "vivado"], conflicts_with = "all")]
    block: Vec<String>,
    /// Every block; the large ones take many minutes each
    #[arg(long)]
    all: bool,
    /// Profile: small, default, large, or a file of your own in the folder RDMA_RTL_PROFILES
    #[arg(long, default_value = "default")]
    profile: String,
    /// Families that Yosys maps to: xcup (UltraScale+), xc7 (7 series)
    #[arg(long, value_name = "FAMILY,...", value_delimiter = ',', default_value = "xcup,xc7")]
    flow: Vec<Flow>,
    /// Resources of each instance too, on the first family of --flow
    #[arg(long)]
    hierarchy: bool,
    /// Not the block in one piece, but each of its modules once, summed over its instances, on the first family of --flow: minutes for what
    /// takes hours flattened, and more LUTs, because nothing is optimised across modules
    #[arg(long, conflicts_with_all = ["hierarchy", "write_budget"])]
    by_module: bool,
    /// Frequency on a Lattice ECP5 too, by nextpnr; minutes per block and seed
    #[arg(long)]
    ecp5: bool,
    /// Seeds of the placer, whose median counts
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1,2,3", requires = "ecp5")]
    seeds: Vec<u32>,
    /// Folder with the reports of Vivado (*.rpt), or one of them
    #[arg(long, value_name = "DIR")]
    vivado: Option<PathBuf>,
    /// Limits, TOML; without it those that are shipped with the profile, if there are any
    #[arg(long, value_name = "FILE")]
    budget: Option<PathBuf>,
    /// What cannot be judged fails: limits of another release of the tool, blocks without a limit, nothing that is judged at all
    #[arg(long)]
    strict: bool,
    /// Writes what was measured plus 5 % as a budget, and holds nothing against a limit
    #[arg(long, value_name = "FILE", conflicts_with_all = ["budget", "strict"])]
    write_budget: Option<PathBuf>,
    /// Writes what was measured into the table of this Markdown page; rows of other blocks stay
    #[arg(long, value_name = "FILE")]
    write_cost: Option<PathBuf>,
    /// Page whose table must say what was measured
    #[arg(long, value_name = "FILE", conflicts_with = "write_cost")]
    check_cost: Option<PathBuf>,
    /// Earlier result of --json: what grew
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// More growth than this fails
    #[arg(long, value_name = "PERCENT", requires = "baseline", value_parser = baseline::percent)]
    fail_on_growth: Option<f64>,
    /// One page with everything, which needs nothing but itself
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Result as a JUnit file: one case per limit, figure that may not grow, and timing report
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Measures again what is in the cache
    #[arg(long)]
    no_cache: bool,
    #[command(flatten)]
    json: Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Flow {
    Xcup,
    Xc7,
}

impl From<Error> for Fail {
    fn from(error: Error) -> Fail {
        match error {
            Error::Call(text) => Fail::Call(text),
            Error::Tool(text) | Error::Crash(text) => Fail::Tool(text),
        }
    }
}

pub fn run(args: &Args) -> Result<(), Fail> {
    args.junit.iter().for_each(|file| forget(file));
    let mut judged = false;
    let ended = judge(args, &mut judged);
    if let (Err(fail), Some(file), false) = (&ended, &args.junit, judged) {
        junit_of_end("report", &format!("report.{}", args.profile), fail, file)?;
    }
    ended
}

/// `judged`: the files that were asked for are the verdict's business from here on.
fn judge(args: &Args, judged: &mut bool) -> Result<(), Fail> {
    // What can be wrong with the call is found before anything is measured.
    let mut seeds = args.seeds.clone();
    seeds.sort_unstable();
    seeds.dedup();
    if seeds.len() != args.seeds.len() {
        return Err(Fail::Call("--seeds: a seed is given twice; the median needs different ones".into()));
    }
    let mut designs = Vec::new();
    let names = if args.all { vec![None] } else { args.block.iter().cloned().map(Some).collect() };
    for block in names {
        let which = Which { all: block.is_none(), block: block.into_iter().collect(), profile: args.profile.clone() };
        designs.extend(which.designs()?);
    }
    if let Some(twice) = designs.iter().enumerate().find(|(i, d)| designs[..*i].iter().any(|e| e.block == d.block)) {
        return Err(Fail::Call(format!("--block: `{}` is given twice", twice.1.block)));
    }
    if (args.write_cost.is_some() || args.check_cost.is_some()) && !args.flow.contains(&Flow::Xcup) {
        return Err(Fail::Call("--write-cost and --check-cost are of the figures on xcup: --flow xcup".into()));
    }
    let budget = limits(args)?;
    let page = args.write_cost.as_ref().filter(|f| f.exists()).or(args.check_cost.as_ref()).map(|file| page(args, file)).transpose()?;
    let before = args.baseline.as_deref().map(|file| baseline::read(file, &args.profile)).transpose()?;
    let files = args.vivado.as_deref().map(vivado::read_folder).transpose()?.unwrap_or_default();

    let folder = rdma_rtl_process::Folder::new().map_err(|e| Fail::Tool(format!("cannot make a temporary folder: {e}")))?;
    let mut inputs = Vec::new();
    for design in &designs {
        let folder = folder.path().join(design.block);
        let written = write_design(design, &folder)?;
        inputs.push(Input::read(design.block, &written.top, &folder)?);
    }
    let mut families: Vec<Family> = args.flow.iter().map(|f| if *f == Flow::Xcup { Family::Xcup } else { Family::Xc7 }).collect();
    families.dedup();
    let options = Options {
        hierarchy: families.first().copied().filter(|_| args.hierarchy),
        by_module: families.first().copied().filter(|_| args.by_module),
        families: if args.by_module { Vec::new() } else { families },
        seeds: if args.ecp5 { args.seeds.clone() } else { Vec::new() },
        cache: if args.no_cache { Cache::none() } else { Cache::find() },
    };
    let bar = progress(format!("report on {} blocks", inputs.len()));
    let step = |p: rdma_rtl_report::Progress| bar.set_message(format!("{} of {} measured: {} {}", p.done, p.steps, p.block, p.what));
    let measured = measure(&args.profile, &inputs, &options, &step);
    bar.finish_and_clear();
    // What is known without the tool is written all the same, and that it failed.
    let (mut report, tool) = match measured {
        Ok(report) => (report, None),
        Err(Error::Tool(why) | Error::Crash(why)) => (Report::new(&args.profile), Some(why)),
        Err(call) => return Err(call.into()),
    };
    report.vivado = files.reports;
    report.vivado_left = files.others;
    report.vivado_refused = files.refused;
    if let Some(budget) = &budget {
        budget::forgive_clocks(&mut report, budget);
        report.budget = Some(budget.judge(&report));
    }
    if let (Some(file), Some(before)) = (&args.baseline, &before) {
        report.baseline = Some(baseline::growth(&file.display().to_string(), before, &report, args.fail_on_growth));
    }
    let stale = if tool.is_some() { None } else { costs(args, page.as_deref(), &report)? };
    let terms = Terms { strict: args.strict, budget_given: args.budget.is_some(), cost: stale.as_ref(), tool: tool.as_deref() };
    report.verdict = Verdict::of(&report, &terms);
    *judged = true;
    write(args, &report, tool.is_none())?;
    said(&report, stale.as_ref());
    let failures = report.verdict.failures();
    match report.verdict.exit_code {
        0 => Ok(()),
        3 => Err(Fail::Tool(failures.join("\n"))),
        _ => Err(Fail::Check(format!("{} of the report's checks fail\n{}", failures.len(), failures.join("\n")))),
    }
}

fn page(args: &Args, file: &Path) -> Result<String, Fail> {
    let text = std::fs::read_to_string(file).map_err(|e| Fail::Call(format!("cannot read {}: {e}", file.display())))?;
    cost::sound(&text, &file.display().to_string(), &args.profile)?;
    Ok(text)
}

/// Writes the table of costs, or holds it against the report: then it says how it stands.
fn costs(args: &Args, page: Option<&str>, report: &Report) -> Result<Option<Stale>, Fail> {
    let blocks: Vec<&str> = SCHEMA.blocks.iter().map(|b| b.name.as_str()).collect();
    if let Some(file) = &args.write_cost {
        let text = cost::written(page, &file.display().to_string(), report, &blocks)?;
        write_file(file, text.as_bytes())?;
    }
    match (&args.check_cost, page) {
        (Some(file), Some(page)) => Ok(Some(cost::stale(page, &file.display().to_string(), report, &blocks)?)),
        _ => Ok(None),
    }
}

fn limits(args: &Args) -> Result<Option<Budget>, Fail> {
    let blocks: Vec<&str> = SCHEMA.blocks.iter().map(|b| b.name.as_str()).collect();
    let budget = match (&args.budget, BUDGETS.iter().find(|(profile, _)| *profile == args.profile)) {
        _ if args.write_budget.is_some() => return Ok(None),
        (Some(file), _) => Budget::read(file, &blocks)?,
        (None, Some((profile, text))) => Budget::parse(&format!("gen/budgets/{profile}.toml"), text, &blocks)?,
        (None, None) => return Ok(None),
    };
    if budget.profile != args.profile {
        let text = format!("{}: limits of profile `{}`, this report is of `{}`", budget.file, budget.profile, args.profile);
        return Err(Fail::Call(text));
    }
    Ok(Some(budget))
}

fn write(args: &Args, report: &Report, measured: bool) -> Result<(), Fail> {
    if let Some(file) = &args.html {
        write_file(file, render::html(report).as_bytes())?;
    }
    if let Some(file) = &args.junit {
        let beside = args.html.iter().chain(args.json.file());
        let attachments: Vec<String> = beside.map(|f| shown(f)).collect();
        write_file(file, render::junit(report, &attachments)?.as_bytes())?;
    }
    if let Some(file) = args.write_budget.as_ref().filter(|_| measured) {
        write_file(file, budget::written(report, MARGIN).as_bytes())?;
    }
    args.json.write(report)?;
    if args.json.on_stdout() { Ok(()) } else { print(&render::text(report)) }
}

/// Servers look for attachments from a folder of their own.
fn shown(file: &Path) -> String {
    std::path::absolute(file).unwrap_or(file.to_path_buf()).display().to_string()
}

/// What a reader of standard error is told beside the failures.
fn said(report: &Report, stale: Option<&Stale>) {
    for other in &report.vivado_left {
        eprintln!("rdma-rtl: {}: a report of {} is not read", other.file, other.command);
    }
    if report.verdict.count(Ends::NotJudged) > 0 {
        let limits = report.budget.iter().flat_map(|b| b.not_judged.iter().cloned());
        let growth = report
            .baseline
            .iter()
            .filter(|g| g.most_percent.is_some())
            .flat_map(|g| g.tools.iter().map(|t| format!("growth is not judged: {t}")));
        let timing = report.verdict.cases.iter().filter(|c| c.ends == Ends::NotJudged && c.suite == "vivado").filter_map(|c| c.why.clone());
        let cost = stale.iter().flat_map(|s| s.not_judged.iter().cloned());
        for why in limits.chain(growth).chain(timing).chain(cost) {
            eprintln!("rdma-rtl: {why}");
        }
    }
    if let Some(which) = report.without_abc9() {
        eprintln!("rdma-rtl: Yosys did not finish inside -abc9 with {which}; measured without it");
    }
}
