//! `gen`

use crate::fail::Fail;
use crate::output::{Json, print, write_file};
use crate::profiles;
use rdma_rtl_tb::catalogue::Design;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Which block at which profile.
#[derive(clap::Args, Clone)]
pub struct Which {
    /// Block, see `rdma-rtl list`
    #[arg(long, required_unless_present = "all", conflicts_with = "all")]
    pub block: Option<String>,
    /// Every block
    #[arg(long)]
    pub all: bool,
    /// Profile: small, default, large, or a file of your own in the folder RDMA_RTL_PROFILES
    #[arg(long, default_value = "default")]
    pub profile: String,
}

impl Which {
    pub fn designs(&self) -> Result<Vec<Design>, Fail> {
        match &self.block {
            Some(block) => Ok(vec![profiles::find(block, &self.profile)?]),
            None => profiles::all(&self.profile),
        }
    }
}

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rdma-rtl gen --block receive_registry --profile default --out out/verilog\n  rdma-rtl gen --all --profile small --out out/small"
)]
pub struct Args {
    #[command(flatten)]
    which: Which,
    /// Folder; each block gets one of its own in it
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    json: Json,
}

pub fn run(args: &Args) -> Result<(), Fail> {
    let mut written = Vec::new();
    for design in args.which.designs()? {
        let folder = args.out.join(design.block);
        let files = write_design(&design, &folder)?.files;
        if !args.json.on_stdout() {
            print(&format!("{}: {} files in {}\n", design.block, files.len(), folder.display()))?;
        }
        written.push(json!({ "block": design.block, "profile": design.profile, "folder": folder, "files": files }));
    }
    args.json.write(&Value::Array(written))
}

/// What one block became.
pub struct Written {
    /// The top module: the block's name, but for a block that is called like a keyword.
    pub top: String,
    /// Names of the files, without folder.
    pub files: Vec<String>,
}

/// Verilog, `TOP.f` and `names.json`; of a block with registers also what software needs to know of them. With the top module's name.
pub fn texts(design: &Design) -> Result<(String, Vec<(String, String)>), Fail> {
    let elaborated = design.elaborate().map_err(Fail::check)?;
    let mut files: Vec<(String, String)> = rdma_rtl_gen::emit(&elaborated).into_iter().map(|f| (f.name, f.text)).collect();
    let list: String = files.iter().map(|(name, _)| format!("{name}\n")).collect();
    files.push((format!("{}.f", elaborated.top), list));
    files.push(("names.json".to_string(), rdma_rtl_gen::names_json(&elaborated)));
    if let Some(map) = design.register_map() {
        files.extend(rdma_rtl_gen::registers::texts(&map).map_err(Fail::check)?.into_iter().map(|f| (f.name, f.text)));
    }
    Ok((elaborated.top, files))
}

/// Writes [`texts`].
pub fn write_design(design: &Design, folder: &Path) -> Result<Written, Fail> {
    let (top, files) = texts(design)?;
    for (name, text) in &files {
        write_file(&folder.join(name), text.as_bytes())?;
    }
    Ok(Written { top, files: files.into_iter().map(|(name, _)| name).collect() })
}
