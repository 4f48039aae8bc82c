//! `gen`

use crate::fail::Fail;
use crate::folder::{self, Done};
use crate::output::{Json, print, write_file};
use crate::profiles;
use rdma_rtl_gen::SourceFile;
use rdma_rtl_gen::ir::Module;
use rdma_rtl_gen::vendor::{About, Parameter};
use rdma_rtl_tb::catalogue::Design;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which block at which profile.
#[derive(clap::Args, Clone)]
pub struct Which {
    /// Block, see `rdma-rtl list`; several with commas between them
    #[arg(long, required_unless_present = "all", conflicts_with = "all", value_delimiter = ',')]
    pub block: Vec<String>,
    /// Every block
    #[arg(long)]
    pub all: bool,
    /// Profile: small, default, large, or a file of your own in the folder RDMA_RTL_PROFILES
    #[arg(long, default_value = "default")]
    pub profile: String,
}

impl Which {
    pub fn designs(&self) -> Result<Vec<Design>, Fail> {
        if self.all {
            return profiles::all(&self.profile);
        }
        if let Some((_, twice)) = self.block.iter().enumerate().find(|(i, block)| self.block[..*i].contains(block)) {
            return Err(Fail::Call(format!("--block: `{twice}` is given twice")));
        }
        self.block.iter().map(|block| profiles::find(block, &self.profile)).collect()
    }
}

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  rdma-rtl gen --block receive_registry --profile default --out out/verilog\n  rdma-rtl gen --block send_endpoint,receive_endpoint --out out/verilog\n  rdma-rtl gen --all --profile small --prefix small --out out/small"
)]
pub struct Args {
    #[command(flatten)]
    which: Which,
    /// Folder; each block gets one of its own in it, and several at once a list modules.f of all their files, each module once
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Puts files that are in the way and were not written by an earlier call aside, as NAME.kept
    #[arg(long)]
    force: bool,
    /// Goes before the names of all modules, as NAME_: two profiles in one design need it
    #[arg(long, value_name = "NAME")]
    prefix: Option<String>,
    #[command(flatten)]
    json: Json,
}

pub fn run(args: &Args) -> Result<(), Fail> {
    let designs = args.which.designs()?;
    let prefix = args.prefix.as_deref();
    let mut elaborated = designs.iter().map(|design| elaborated(design, prefix)).collect::<Result<Vec<_>, _>>()?;
    let tops: Vec<Module> = elaborated.iter().filter_map(|design| design.top_module().cloned()).collect();
    let tops: Vec<&Module> = tops.iter().collect();
    let (mut written, mut together) = (Vec::new(), Together::default());
    for (design, elaborated) in designs.iter().zip(&mut elaborated) {
        elaborated.give_way(&tops);
        let texts = texts_of(design, elaborated, &tops)?;
        let name = args.prefix.as_ref().map_or(design.block.to_string(), |prefix| format!("{prefix}_{}", design.block));
        let folder = args.out.join(&name);
        let done = folder::write(&folder, &texts.files, args.force)?;
        together.add(&name, &texts)?;
        let files: Vec<String> = texts.files.into_iter().map(|f| f.name).chain([folder::MANIFEST.to_string()]).collect();
        if !args.json.on_stdout() {
            print(&format!("{}: {} files in {}\n{}", design.block, files.len(), folder.display(), found(&done)))?;
        }
        let moved: BTreeMap<&String, &String> = done.moved.iter().map(|(from, to)| (from, to)).collect();
        written.push(json!({
            "block": design.block, "profile": design.profile, "top": texts.top, "folder": folder, "files": files,
            "removed": done.removed, "kept": done.kept, "moved": moved,
        }));
    }
    if designs.len() > 1 {
        let list = args.out.join("modules.f");
        write_file(&list, together.list.as_bytes())?;
        if !args.json.on_stdout() {
            print(&format!("{} modules of them all in {}\n", together.modules.len(), list.display()))?;
        }
    }
    args.json.write(&Value::Array(written))
}

/// Lines about what lay in the folder.
fn found(done: &Done) -> String {
    let mut lines = String::new();
    let mut line = |what: &str, names: &[String]| {
        const SHOWN: usize = 8;
        let more = names.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        if !names.is_empty() {
            lines += &format!("  {what}: {}{more}\n", names[..names.len().min(SHOWN)].join(", "));
        }
    };
    line("removed, of an earlier call", &done.removed);
    line("kept, not of this call", &done.kept);
    line("put aside", &done.moved.iter().map(|(from, to)| format!("{from} as {to}")).collect::<Vec<_>>());
    lines
}

/// The modules of several blocks, each once.
#[derive(Default)]
struct Together {
    /// text of each by its file's name
    modules: BTreeMap<String, String>,
    /// files, children before their owners
    list: String,
}

impl Together {
    fn add(&mut self, folder: &str, texts: &Texts) -> Result<(), Fail> {
        for file in texts.files.iter().filter(|f| texts.sources.contains(&f.name)) {
            match self.modules.get(&file.name) {
                None => {
                    self.modules.insert(file.name.clone(), file.text.clone());
                    self.list += &format!("{folder}/{}\n", file.name);
                }
                Some(text) if *text == file.text => {}
                Some(_) => {
                    return Err(Fail::Check(format!(
                        "{folder}/{}: another block has other content of this name; please report it",
                        file.name
                    )));
                }
            }
        }
        Ok(())
    }
}

/// All that is written for a block: Verilog, `TOP.f` and `names.json`; of a block with registers also what software needs to know of them;
/// and what tools and people need beside the Verilog.
pub struct Texts {
    /// The top module: the block's name, but for a block that is called like a keyword.
    pub top: String,
    /// Names of the Verilog files.
    pub sources: Vec<String>,
    /// Names with `/` where they lie in a folder below.
    pub files: Vec<SourceFile>,
}

/// Elaborates and emits a block.
pub fn texts(design: &Design) -> Result<Texts, Fail> {
    texts_of(design, &elaborated(design, None)?, &[])
}

/// The same with a prefix before the names of all modules.
pub fn prefixed_texts(design: &Design, prefix: &str) -> Result<Texts, Fail> {
    texts_of(design, &elaborated(design, Some(prefix))?, &[])
}

fn elaborated(design: &Design, prefix: Option<&str>) -> Result<rdma_rtl_gen::ir::Design, Fail> {
    let mut elaborated = design.elaborate().map_err(Fail::tool)?;
    if let Some(prefix) = prefix {
        elaborated.prefix(prefix).map_err(|text| Fail::Call(format!("--prefix {text}")))?;
    }
    Ok(elaborated)
}

/// `tops` are the tops of the call that it is part of.
fn texts_of(design: &Design, elaborated: &rdma_rtl_gen::ir::Design, tops: &[&Module]) -> Result<Texts, Fail> {
    let names: Vec<String> = tops.iter().map(|top| top.name.clone()).collect();
    let mut files = rdma_rtl_gen::emit_guarded(elaborated, &names);
    let sources: Vec<String> = files.iter().map(|f| f.name.clone()).collect();
    let list = sources.iter().map(|name| format!("{name}\n")).collect();
    files.push(SourceFile { name: format!("{}.f", elaborated.top), text: list });
    files.push(SourceFile { name: "names.json".into(), text: rdma_rtl_gen::names_json(elaborated) });
    let registers = design.register_map().map_err(Fail::tool)?;
    if let Some(map) = &registers {
        files.extend(rdma_rtl_gen::registers::texts(map).map_err(Fail::tool)?);
    }
    let block = design.schematic();
    let about = |name: &str| block.parameters.iter().find(|p| p.name == name).map_or(String::new(), |p| p.about.clone());
    let parameters: Vec<Parameter> =
        design.parameters.iter().map(|(name, value)| Parameter { name: name.to_string(), value: *value, about: about(name) }).collect();
    let about = About {
        profile: design.profile,
        about: &block.about,
        latency: &block.latency,
        throughput: &block.throughput,
        parameters: &parameters,
        version: env!("CARGO_PKG_VERSION"),
        slave_bytes: &slave_bytes(design),
    };
    files.extend(rdma_rtl_gen::vendor::files(elaborated, &about, &sources, registers.as_ref()));
    Ok(Texts { top: elaborated.top.clone(), sources, files })
}

/// Writes them into a folder.
pub fn write_design(design: &Design, folder: &Path) -> Result<Texts, Fail> {
    let texts = texts(design)?;
    texts.files.iter().try_for_each(|file| write_file(&folder.join(&file.name), file.text.as_bytes()))?;
    Ok(texts)
}

/// The send buffer decodes fewer address bits than it is given: its slots.
fn slave_bytes(design: &Design) -> Vec<(&'static str, u64)> {
    let sizes: Option<Vec<u64>> = ["slots", "mask_bits", "packet_size"].iter().map(|name| design.parameter(name)).collect();
    sizes.map(|sizes| ("s_axi_buffer", sizes.iter().product())).into_iter().collect()
}
