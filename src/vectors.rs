//! `vectors`

use crate::fail::Fail;
use crate::output::{Json, print};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "Example:\n  rdma-rtl vectors --out tb/vectors")]
pub struct Args {
    /// Folder for NAME.pcap, NAME.expected.jsonl and index.json
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    json: Json,
}

pub fn run(args: &Args) -> Result<(), Fail> {
    std::fs::create_dir_all(&args.out).map_err(|e| Fail::Tool(format!("cannot make the folder {}: {e}", args.out.display())))?;
    let files = rdma_rtl_tb::vectors::write(&args.out).map_err(Fail::tool)?;
    args.json.write(&files)?;
    if args.json.on_stdout() { Ok(()) } else { print(&format!("{} files in {}\n", files.len(), args.out.display())) }
}
