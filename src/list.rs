//! `list`

use crate::fail::Fail;
use crate::output::{Json, print, table};
use crate::profiles;
use rdma_rtl_tb::catalogue::{self, Design, SCHEMA};
use serde_json::{Map, Value, json};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rdma-rtl list\n  rdma-rtl list --block receive_registry --profile default\n  rdma-rtl list --json blocks.json"
)]
pub struct Args {
    /// Only this block, with its parameters, ports and registers
    #[arg(long)]
    block: Option<String>,
    /// Profile whose ports are shown
    #[arg(long, default_value = "default")]
    profile: String,
    #[command(flatten)]
    json: Json,
}

pub fn run(args: &Args) -> Result<(), Fail> {
    match &args.block {
        Some(block) => one(args, profiles::find(block, &args.profile)?),
        None => all(args),
    }
}

fn all(args: &Args) -> Result<(), Fail> {
    let profiles = |name: &str| catalogue::designs().iter().filter(|d| d.block == name).map(|d| d.profile).collect::<Vec<_>>();
    let values: Vec<Value> = SCHEMA
        .blocks
        .iter()
        .map(|b| json!({ "block": b.name, "about": b.about, "latency": b.latency, "throughput": b.throughput, "profiles": profiles(&b.name) }))
        .collect();
    args.json.write(&json!({ "blocks": values }))?;
    if args.json.on_stdout() {
        return Ok(());
    }
    let mut rows = vec![["block", "what", "latency", "throughput", "profiles"].map(String::from).to_vec()];
    rows.extend(
        SCHEMA
            .blocks
            .iter()
            .map(|b| vec![b.name.clone(), b.about.clone(), b.latency.clone(), b.throughput.clone(), profiles(&b.name).join(" ")]),
    );
    print(&table(&rows))
}

fn one(args: &Args, design: Design) -> Result<(), Fail> {
    let block = design.schematic();
    let ports = design.elaborate().map_err(Fail::check)?.ports();
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
    let mut text = format!("{}: {}\nlatency {}; {}\n\n", block.name, block.about, block.latency, block.throughput);
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
