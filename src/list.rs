//! `list`

use crate::fail::Fail;
use crate::output::{Json, print, table};
use crate::profiles;
use rdma_rtl_profile::{Block as Schematic, Parameter};
use rdma_rtl_tb::catalogue::{self, BASES, Design, SCHEMA};
use serde_json::{Map, Value, json};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rdma-rtl list\n  rdma-rtl list --block receive_registry --profile default\n  rdma-rtl list --facts\n  rdma-rtl list --json blocks.json"
)]
pub struct Args {
    /// Only this block, with its parameters, ports and registers
    #[arg(long)]
    block: Option<String>,
    /// Profile whose ports are shown, default if not given; without --block, only the blocks that have it
    #[arg(long)]
    profile: Option<String>,
    /// What a profile decides, with the values of the shipped ones
    #[arg(long, conflicts_with_all = ["block", "profile"])]
    facts: bool,
    #[command(flatten)]
    json: Json,
}

pub fn run(args: &Args) -> Result<(), Fail> {
    match &args.block {
        _ if args.facts => facts(args),
        Some(block) => one(args, profiles::find(block, args.profile.as_deref().unwrap_or("default"))?),
        None => all(args),
    }
}

/// The modules of the hardware that blocks come from, and what they are called here, the largest first.
const SECTIONS: [(&str, &str); 10] = [
    ("top", "tops"),
    ("receive", "receive side"),
    ("send", "send side"),
    ("bitmap", "bitmaps of sequence numbers"),
    ("memory", "memory and completions"),
    ("congestion", "congestion and rates"),
    ("lr2", "selective repeat between data centres"),
    ("wire", "frames"),
    ("csr", "registers"),
    ("primitives", "primitives"),
];

/// The section of a block: a place in [`SECTIONS`], or behind them all.
fn section(block: &Schematic) -> usize {
    let module = block.path.split("::").next().unwrap_or_default();
    SECTIONS.iter().position(|(name, _)| *name == module).unwrap_or(SECTIONS.len())
}

fn all(args: &Args) -> Result<(), Fail> {
    let profiles = |name: &str| catalogue::designs().iter().filter(|d| d.block == name).map(|d| d.profile).collect::<Vec<_>>();
    let mut blocks: Vec<&Schematic> = SCHEMA.blocks.iter().collect();
    if let Some(profile) = &args.profile {
        let designs = profiles::all(profile)?;
        blocks.retain(|b| designs.iter().any(|d| d.block == b.name));
    }
    blocks.sort_by_key(|b| section(b));
    let title = |block: &Schematic| SECTIONS.get(section(block)).map_or("others", |(_, title)| title);
    let value = |b: &&Schematic| {
        json!({
            "block": b.name, "section": title(b), "about": b.about, "latency": b.latency, "throughput": b.throughput,
            "profiles": profiles(&b.name),
        })
    };
    args.json.write(&json!({ "blocks": blocks.iter().map(value).collect::<Vec<Value>>() }))?;
    if args.json.on_stdout() {
        return Ok(());
    }
    let mut text = String::new();
    let name_width = blocks.iter().map(|b| b.name.len()).max().unwrap_or(0);
    let room = width().saturating_sub(name_width + 4).max(20);
    for section in blocks.chunk_by(|a, b| self::section(a) == self::section(b)) {
        text += &format!("{}\n", title(section[0]));
        for block in section {
            let mut name = block.name.as_str();
            for line in wrapped(&block.about, room) {
                text += &format!("  {name:name_width$}  {line}\n");
                name = "";
            }
        }
        text.push('\n');
    }
    text += &wrapped("latency, throughput, profiles, ports and registers of one: rdma-rtl list --block BLOCK; of all: --json", width())
        .join("\n");
    print(&(text + "\n"))
}

fn facts(args: &Args) -> Result<(), Fail> {
    let shipped = |fact: &str| BASES.iter().filter_map(|p| Some((p.name.clone(), json!(p.fact(fact)?)))).collect::<Map<_, _>>();
    let value = |f: &Parameter| json!({ "fact": f.name, "about": f.about, "allowed": f.allowed, "profiles": shipped(&f.name) });
    args.json.write(&json!({ "facts": SCHEMA.facts.iter().map(value).collect::<Vec<Value>>() }))?;
    if args.json.on_stdout() {
        return Ok(());
    }
    let name_width = SCHEMA.facts.iter().map(|f| f.name.len()).max().unwrap_or(0);
    let value_width = BASES.iter().map(|p| p.name.len()).max().unwrap_or(0).max(6) + 2;
    let columns = |name: &str, values: &[String]| {
        let values: String = values.iter().map(|value| format!("{value:>value_width$}")).collect();
        format!("{name:name_width$}{values}  ")
    };
    let mut text = columns("fact", &BASES.iter().map(|p| p.name.clone()).collect::<Vec<_>>()) + "meaning\n";
    let indent = text.len() - "meaning\n".len();
    for fact in &SCHEMA.facts {
        let values: Vec<String> = BASES.iter().map(|p| p.fact(&fact.name).map_or(String::new(), |v| v.to_string())).collect();
        let mut before = columns(&fact.name, &values);
        for line in wrapped(&format!("{}; allowed: {}", fact.about, fact.allowed_text()), width().saturating_sub(indent).max(20)) {
            text += &format!("{before}{line}\n");
            before = " ".repeat(indent);
        }
    }
    print(&text)
}

/// Columns to write in: those of the terminal, of COLUMNS, or 100.
fn width() -> usize {
    let given = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    given.or_else(terminal).unwrap_or(100).clamp(60, 140)
}

/// Lines of at most `room` characters, but for a word that is longer.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last] = word.into();
        } else if lines[last].chars().count() + 1 + word.chars().count() <= room {
            lines[last] += &format!(" {word}");
        } else {
            lines.push(word.into());
        }
    }
    lines
}

fn one(args: &Args, design: Design) -> Result<(), Fail> {
    let block = design.schematic();
    let ports = design.elaborate().map_err(Fail::tool)?.ports();
    let direction = |d| if d == rdma_rtl_gen::ir::Direction::Input { "input" } else { "output" };
    let default = |name: &str| design.parameter(name).map_or(name.to_string(), |v| v.to_string());
    let parameters: Map<String, Value> = design.parameters.iter().map(|(k, v)| (k.to_string(), json!(v))).collect();
    args.json.write(&json!({
        "block": block.name, "about": block.about, "latency": block.latency, "throughput": block.throughput, "profile": design.profile,
        "parameters": parameters,
        "registers": block.registers.iter().map(|r| json!({ "name": r.name, "bits": r.bits, "default": default(&r.default).parse::<u64>().ok(), "about": r.about })).collect::<Vec<_>>(),
        "ports": ports.iter().map(|p| json!({ "name": p.name, "direction": direction(p.direction), "width": p.width, "clock": p.clock })).collect::<Vec<_>>(),
    }))?;
    if args.json.on_stdout() {
        return Ok(());
    }
    let profiles: Vec<&str> = catalogue::designs().iter().filter(|d| d.block == block.name).map(|d| d.profile).collect();
    let mut text =
        format!("{}: {}\nlatency {}; {}; profiles {}\n\n", block.name, block.about, block.latency, block.throughput, profiles.join(", "));
    let mut rows = vec![["parameter", design.profile, "allowed", "meaning"].map(String::from).to_vec()];
    for p in &block.parameters {
        rows.push(vec![p.name.clone(), default(&p.name), p.allowed_text(), p.about.clone()]);
    }
    text += &table(&rows);
    if !block.registers.is_empty() {
        let mut rows = vec![["register", "bits", "default", "meaning"].map(String::from).to_vec()];
        rows.extend(block.registers.iter().map(|r| vec![r.name.clone(), r.bits.to_string(), default(&r.default), r.about.clone()]));
        text = text + "\n" + &table(&rows);
    }
    let mut rows = vec![["port", "direction", "width"].map(String::from).to_vec()];
    rows.extend(ports.iter().map(|p| vec![p.name.clone(), direction(p.direction).to_string(), p.width.to_string()]));
    print(&(text + "\n" + &table(&rows)))
}
