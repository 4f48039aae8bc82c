//! `project`

use crate::emit::{prefixed_texts, texts};
use crate::fail::Fail;
use crate::output::{Json, print, progress, shell, table};
use crate::profiles;
use rdma_rtl_project::{Bridge, Error, Kind, Report, Request, board, boards, check, tclsh, write};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rdma-rtl project --boards\n  rdma-rtl project --board u250 --out out/u250\n  rdma-rtl project --board u280 --mac --clock-mhz 250 --out out/u280\n  rdma-rtl project --board vcu118 --block receive_endpoint --clock-mhz 200 --out out/vcu118\n  rdma-rtl project --ooc --block receive_registry --part xcku3p-ffva676-2-e --out out/registry\n  rdma-rtl project --check out/u250"
)]
pub struct Args {
    /// Block design for this board: a name of --boards, or a TOML file of your own
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,
    /// One block alone, out of context, for --part or for the part of --board
    #[arg(long)]
    ooc: bool,
    /// Part of an out-of-context project, with package and speed
    #[arg(long, value_name = "PART", requires = "ooc", conflicts_with = "board")]
    part: Option<String>,
    /// Clock period of an out-of-context project, ns
    #[arg(long, value_name = "NS", default_value_t = 3.103, requires = "ooc")]
    period: f64,
    /// Clock of the endpoint in a block design, MHz
    #[arg(long, value_name = "MHZ", default_value_t = 100.0, conflicts_with = "ooc")]
    clock_mhz: f64,
    /// The board's MAC in the place of the loop: 100G (CMAC) or 10G/25G, see --boards
    #[arg(long, requires = "board", conflicts_with = "ooc")]
    mac: bool,
    /// Block, see `rdma-rtl list`; for a board receive_endpoint, send_endpoint or endpoint
    #[arg(long, default_value = "endpoint")]
    block: String,
    /// Profile: small, default, or a file of your own in the folder RDMA_RTL_PROFILES
    #[arg(long, default_value = "default")]
    profile: String,
    /// Folder of the project: a new one, or one of ours
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Checks scripts and constraints of a project without Vivado; needs tclsh
    #[arg(long, value_name = "DIR", conflicts_with_all = ["board", "ooc", "out"])]
    check: Option<PathBuf>,
    /// The boards that are known
    #[arg(long, conflicts_with_all = ["board", "ooc", "out", "check"])]
    boards: bool,
    #[command(flatten)]
    json: Json,
}

impl From<Error> for Fail {
    fn from(error: Error) -> Fail {
        if error.is_call() { Fail::call(error) } else { Fail::tool(error) }
    }
}

pub fn run(args: &Args) -> Result<(), Fail> {
    if args.boards {
        return list_boards(args);
    }
    if let Some(folder) = &args.check {
        return run_check(args, folder);
    }
    let Some(out) = &args.out else {
        return Err(Fail::Call("--out DIR is missing: the folder of the project (or --check DIR, or --boards)".into()));
    };
    let named = args.board.as_deref().map(board).transpose()?;
    let kind = match (named, args.ooc) {
        (Some(board), false) => {
            let bridge = if args.mac { Some(Box::new(bridge(args, &board)?)) } else { None };
            Kind::System { board: Box::new(board), clock_mhz: args.clock_mhz, bridge }
        }
        (board, true) => {
            let Some(part) = board.map(|b| b.part).or_else(|| args.part.clone()) else {
                return Err(Fail::Call("--ooc wants a part: --part PART, or the one of --board BOARD".into()));
            };
            Kind::OutOfContext { part, period: args.period }
        }
        (None, false) => return Err(Fail::Call("--board BOARD is missing (--boards lists them), or --ooc for a block alone".into())),
    };
    let bar = progress(format!("{} at {}", args.block, args.profile));
    let design = profiles::find(&args.block, &args.profile)?;
    let texts = texts(&design)?;
    let registers =
        design.register_map().map_err(Fail::tool)?.map(|map| map.registers.iter().map(|r| (r.name.to_string(), r.offset as u64)).collect());
    let request = Request {
        top: texts.top,
        profile: args.profile.clone(),
        sources: texts.files.into_iter().map(|f| (f.name, f.text)).collect(),
        parameters: design.parameters.iter().map(|(key, value)| (key.to_string(), *value)).collect(),
        registers: registers.unwrap_or_default(),
        kind,
    };
    let (files, about) = rdma_rtl_project::project(&request)?;
    write(out, &files, &about)?;
    bar.finish_and_clear();
    args.json.write(&json!({ "folder": out, "project": about, "files": files.iter().map(|f| &f.path).collect::<Vec<_>>() }))?;
    if args.json.on_stdout() {
        return Ok(());
    }
    let step = if args.ooc { "make ooc" } else { "make bit" };
    print(&format!("{}: {} files in {}\n", request.top, files.len(), out.display()))?;
    if let Kind::System { board, .. } = &request.kind {
        print(&format!("{}, {}\n", board.title, board.part))?;
        board.note.iter().try_for_each(|note| print(&format!("note: {}\n", note.text)))?;
    }
    print(&format!("next: rdma-rtl project --check {0}, then with Vivado in PATH: cd {0} && {step}\n", shell(out)))
}

/// Module names of the bridge begin with this: no endpoint has such.
const BRIDGE: &str = "line";

/// What stands between the endpoint and the board's MAC.
fn bridge(args: &Args, board: &rdma_rtl_project::Board) -> Result<Bridge, Fail> {
    let mac = board.mac.as_ref().ok_or_else(|| Error::NoMac { board: board.name.clone() })?;
    let texts = prefixed_texts(&profiles::find(mac.kind.bridge(), &args.profile)?, BRIDGE)?;
    Ok(Bridge { top: texts.top, sources: texts.files.into_iter().map(|f| (f.name, f.text)).collect() })
}

fn list_boards(args: &Args) -> Result<(), Fail> {
    let values: Vec<Value> = boards()
        .iter()
        .map(|b| {
            let clock =
                |c: &rdma_rtl_project::Clock| json!({ "name": c.name, "mhz": c.mhz, "p": c.p, "n": c.n, "iostandard": c.iostandard });
            let mac = b.mac.as_ref().map(|mac| json!({ "block": mac.kind.bridge(), "cage": mac.cage, "gbps": mac.gbps * mac.lanes.len() as u64, "refclk_mhz": mac.refclk_mhz }));
            json!({ "board": b.name, "title": b.title, "part": b.part, "mac": mac, "clocks": b.clock.iter().map(clock).collect::<Vec<_>>() })
        })
        .collect();
    args.json.write(&json!({ "boards": values }))?;
    if args.json.on_stdout() {
        return Ok(());
    }
    let mut rows = vec![["board", "what", "part", "clock, MHz", "pin", "MAC"].map(String::from).to_vec()];
    rows.extend(boards().iter().map(|b| {
        let mac = b.mac.as_ref().map_or("-".to_string(), |mac| format!("{}G, {}", mac.gbps * mac.lanes.len() as u64, mac.cage));
        vec![b.name.clone(), b.title.clone(), b.part.clone(), b.clock[0].mhz.to_string(), b.clock[0].p.clone(), mac]
    }));
    print(&table(&rows))
}

fn run_check(args: &Args, folder: &Path) -> Result<(), Fail> {
    let bar = progress(format!("check {}", folder.display()));
    let report: Report = check(folder, &tclsh()?)?;
    bar.finish_and_clear();
    args.json.write(&report)?;
    if !args.json.on_stdout() {
        let mut rows = vec![["script", "result", "what it came to"].map(String::from).to_vec()];
        rows.extend(
            report
                .runs
                .iter()
                .map(|r| vec![r.script.clone(), if r.faults.is_empty() { "ok" } else { "faults" }.to_string(), r.done.clone()]),
        );
        print(&table(&rows))?;
    }
    if report.ok() {
        return Ok(());
    }
    let lines: Vec<String> = report.faults().iter().map(|f| format!("{}:{}: {}", folder.join(&f.file).display(), f.line, f.text)).collect();
    Err(Fail::Check(format!("{} faults\n{}", lines.len(), lines.join("\n"))))
}
