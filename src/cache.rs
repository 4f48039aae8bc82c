//! `cache`

use crate::fail::Fail;
use crate::output::{Json, print, table};
use rdma_rtl_process::kept::{self, Kept};
use rdma_rtl_report::cache::{self as results, Cache};
use rdma_rtl_sim::verilated::cache as models;
use rdma_rtl_tb::catalogue::native;
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
#[command(after_help = "Examples:
  rdma-rtl cache
  rdma-rtl cache --clear
  rdma-rtl cache --clear lint,native

The folder is RDMA_RTL_CACHE, else XDG_CACHE_HOME/rdma-rtl, else HOME/.cache/rdma-rtl; native libraries lie beside the program. Models, and native libraries,
have 4096 MiB each at most, or as many as RDMA_RTL_CACHE_MIB says: what was not used the longest goes first. Nothing is lost by clearing but time.")]
pub struct Args {
    /// Removes what is kept: all of it, or of these kinds
    #[arg(long, value_name = "KIND,...", value_delimiter = ',', num_args = 0..)]
    clear: Option<Vec<Kind>>,
    #[command(flatten)]
    json: Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Verilog under Verilator, compiled
    Models,
    /// What lint found clean
    Lint,
    /// What report measured
    Report,
    /// Rust blocks, compiled
    Native,
    /// What tools said when they failed
    Logs,
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Models, Kind::Lint, Kind::Report, Kind::Native, Kind::Logs];

    fn name(self) -> &'static str {
        match self {
            Kind::Models => "models",
            Kind::Lint => "lint",
            Kind::Report => "report",
            Kind::Native => "native",
            Kind::Logs => "logs",
        }
    }

    /// Where it lies.
    fn folder(self, root: &Path) -> PathBuf {
        match self {
            Kind::Models => root.to_path_buf(),
            Kind::Native => native::folder(),
            other => root.join(other.name()),
        }
    }

    fn kept(self, root: &Path) -> Kept {
        let folder = self.folder(root);
        match self {
            Kind::Models => models::kept_in(&folder).0,
            Kind::Native => {
                let mut kept = Kept::default();
                native::libraries().iter().for_each(|(_, bytes, _)| kept.add(*bytes));
                kept
            }
            _ if folder.is_dir() => Cache::in_folder(&folder).kept(),
            _ => Kept::default(),
        }
    }

    fn bound(self) -> String {
        match self {
            Kind::Models => format!("{} entries, {}", models::KEEP, size(kept::limit())),
            Kind::Native => format!("{} entries, {}", native::KEEP, size(kept::limit())),
            Kind::Lint | Kind::Report => format!("{} entries", results::KEEP),
            Kind::Logs => "the last one of each".into(),
        }
    }

    fn clear(self, root: &Path) {
        let folder = self.folder(root);
        match self {
            Kind::Models => models::clear(&folder),
            Kind::Native => native::libraries().iter().for_each(|(.., path)| _ = std::fs::remove_file(path)),
            _ if folder.is_dir() => Cache::in_folder(&folder).clear(),
            _ => {}
        }
    }
}

pub fn run(args: &Args) -> Result<(), Fail> {
    let Some(root) = kept::root() else {
        return Err(Fail::Tool("no place for the cache: set RDMA_RTL_CACHE to a folder (neither XDG_CACHE_HOME nor HOME is set)".into()));
    };
    let root = std::path::absolute(&root).map_err(|e| Fail::Tool(format!("{}: {e}", root.display())))?;
    let asked = args.clear.as_ref().map(|kinds| if kinds.is_empty() { Kind::ALL.to_vec() } else { kinds.clone() });
    for kind in asked.iter().flatten() {
        kind.clear(&root);
        let left = kind.kept(&root);
        if left.entries > 0 {
            let (folder, left) = (kind.folder(&root), left.entries);
            return Err(Fail::Tool(format!("{left} entries of `{}` in {} cannot be removed", kind.name(), folder.display())));
        }
    }
    let rows: Vec<(Kind, Kept)> = Kind::ALL.into_iter().map(|kind| (kind, kind.kept(&root))).collect();
    let unfinished = models::kept_in(&root).1;
    let value = |(kind, kept): &(Kind, Kept)| json!({ "kind": kind.name(), "entries": kept.entries, "bytes": kept.bytes, "bound": kind.bound(), "folder": kind.folder(&root) });
    args.json.write(&json!({
        "kinds": rows.iter().map(value).collect::<Vec<_>>(),
        "limit_bytes": kept::limit(),
        "unfinished": { "entries": unfinished.entries, "bytes": unfinished.bytes },
    }))?;
    if args.json.on_stdout() {
        return Ok(());
    }
    let mut text = vec![["kind", "entries", "size", "at most", "folder"].map(String::from).to_vec()];
    for (kind, kept) in &rows {
        let cells =
            [kind.name().into(), kept.entries.to_string(), size(kept.bytes), kind.bound(), kind.folder(&root).display().to_string()];
        text.push(cells.to_vec());
    }
    let mut text = table(&text);
    if unfinished.entries > 0 {
        let Kept { entries, bytes } = unfinished;
        text += &format!("{entries} builds that run or were killed: {}; those of yesterday go with the next one that ends\n", size(bytes));
    }
    print(&text)
}

/// Bytes, as people read them.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.0} KiB", bytes as f64 / 1024.0),
        1_048_576..1_073_741_824 => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
        _ => format!("{:.1} GiB", bytes as f64 / 1_073_741_824.0),
    }
}
