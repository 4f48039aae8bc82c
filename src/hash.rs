//! `hash`

use crate::emit::Which;
use crate::fail::Fail;
use crate::output::{Json, print, progress, write_file};
use rdma_rtl_gen::ir::fingerprints;
use rdma_rtl_tb::catalogue::{Design, designs};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rdma-rtl hash --all --every-profile --out out/hashes.json\n  rdma-rtl hash --all --every-profile --against out/hashes.json\n\nEqual hashes: the same hardware, whatever its parts are called. Different ones: another form, or other hardware; a prover tells which."
)]
pub struct Args {
    #[command(flatten)]
    which: Which,
    /// At every profile that is built in, those of the tests too
    #[arg(long, conflicts_with = "profile")]
    every_profile: bool,
    /// Write the hashes into FILE
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Compare with the hashes in FILE; a block that is not the same ends with exit code 1
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// One block at one profile.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    block: String,
    profile: String,
    logic: String,
    ports: String,
}

/// What `--out` writes and `--against` reads.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Hashes {
    blocks: Vec<Entry>,
    /// Every module of theirs: hash, and one of its names.
    modules: BTreeMap<String, String>,
}

/// A block that is not what it was.
#[derive(Debug, PartialEq, Serialize)]
struct Difference {
    block: String,
    profile: String,
    what: &'static str,
    /// its modules that no block had before
    modules: Vec<String>,
}

pub fn run(args: &Args) -> Result<(), Fail> {
    let mut hashes = Hashes::default();
    let mut own = BTreeMap::new();
    let chosen = chosen(args)?;
    let bar = progress("");
    for (number, design) in chosen.iter().enumerate() {
        bar.set_message(format!("{} of {}: {} at {}", number + 1, chosen.len(), design.block, design.profile));
        let prints = fingerprints(&design.elaborate().map_err(Fail::tool)?);
        let logic = prints.modules.last().map(|(_, print)| print.to_string()).unwrap_or_default();
        let entry = Entry { block: design.block.into(), profile: design.profile.into(), logic, ports: prints.ports.to_string() };
        let modules: Vec<_> = prints.modules.into_iter().map(|(name, print)| (print.to_string(), name)).collect();
        own.insert((entry.block.clone(), entry.profile.clone()), modules.clone());
        hashes.modules.extend(modules);
        hashes.blocks.push(entry);
    }
    bar.finish_and_clear();
    if let Some(path) = &args.out {
        let mut text = serde_json::to_string_pretty(&hashes).map_err(Fail::tool)?;
        text.push('\n');
        write_file(path, text.as_bytes())?;
    }
    let Some(path) = &args.against else {
        if !args.json.on_stdout() {
            let line = |e: &Entry| format!("{}  {}  {} at {}\n", e.logic, e.ports, e.block, e.profile);
            print(&hashes.blocks.iter().map(line).collect::<String>())?;
        }
        return args.json.write(&hashes);
    };
    let text = std::fs::read_to_string(path).map_err(|e| Fail::Call(format!("--against {}: {e}", path.display())))?;
    let before: Hashes = serde_json::from_str(&text)
        .map_err(|e| Fail::Call(format!("--against {}: {e}; give a file that `rdma-rtl hash --out` wrote", path.display())))?;
    let differences = differences(&before, &hashes, &own, args.which.all && args.every_profile);
    args.json.write(&differences)?;
    if differences.is_empty() {
        if !args.json.on_stdout() {
            print(&format!("{} blocks at their profiles are what {} has\n", hashes.blocks.len(), path.display()))?;
        }
        return Ok(());
    }
    let line = |d: &Difference| {
        let modules = if d.modules.is_empty() { String::new() } else { format!(": {}", d.modules.join(", ")) };
        format!("{} at {}: {}{modules}", d.block, d.profile, d.what)
    };
    Err(Fail::Check(differences.iter().map(line).collect::<Vec<_>>().join("\n")))
}

fn chosen(args: &Args) -> Result<Vec<Design>, Fail> {
    if !args.every_profile {
        return args.which.designs();
    }
    if args.which.all {
        return Ok(designs().to_vec());
    }
    // A name that no block has is refused with those that there are.
    args.which.designs()?;
    Ok(designs().iter().filter(|d| args.which.block.iter().any(|block| block == d.block)).copied().collect())
}

/// `whole`: a block that is missing now is a difference too.
fn differences(before: &Hashes, now: &Hashes, own: &BTreeMap<(String, String), Vec<(String, String)>>, whole: bool) -> Vec<Difference> {
    let old: BTreeMap<_, _> = before.blocks.iter().map(|e| ((e.block.clone(), e.profile.clone()), e)).collect();
    let difference =
        |(block, profile): &(String, String), what, modules| Difference { block: block.clone(), profile: profile.clone(), what, modules };
    let mut found = Vec::new();
    for entry in &now.blocks {
        let key = (entry.block.clone(), entry.profile.clone());
        let Some(was) = old.get(&key) else {
            found.push(difference(&key, "was not there", Vec::new()));
            continue;
        };
        if was.logic != entry.logic {
            let new = own[&key].iter().filter(|(print, _)| !before.modules.contains_key(print)).map(|(_, name)| name.clone());
            found.push(difference(&key, "other modules", new.collect()));
        } else if was.ports != entry.ports {
            found.push(difference(&key, "other ports", Vec::new()));
        }
    }
    let there: BTreeSet<_> = own.keys().collect();
    if whole {
        found.extend(old.keys().filter(|key| !there.contains(key)).map(|key| difference(key, "is not there any more", Vec::new())));
    }
    found
}
