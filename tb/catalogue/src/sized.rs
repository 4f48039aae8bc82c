//! Blocks whose sizes are constants, compiled when they are asked for: to describe themselves, or as code that runs.

use crate::native::{ROOT, artifacts, folder, let_go, load, same_sources};
use crate::{Design, SCHEMA};
use rdma_rtl_hdl::csr::RegisterMap;
use rdma_rtl_hdl::describe::Node;
use rdma_rtl_profile::Block;
use rdma_rtl_profile::unit::{Constant, Root, Unit, unit};
use rdma_rtl_sim::{Error, Model};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a library is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum For {
    /// The emitter. Nothing of it runs but once, so it is compiled as fast as can be.
    Description,
    /// The native driver.
    Running,
}

impl For {
    fn word(self) -> &'static str {
        match self {
            For::Description => "described",
            For::Running => "runs",
        }
    }
}

type Describe = fn(&str) -> Node;
type Registers = fn(&str) -> Option<RegisterMap>;
type Make = fn(&str, Option<&Path>) -> Result<Box<dyn Model>, Error>;

/// A block with the values of its parameters.
type Valued<'a> = (&'a Block, Vec<(String, u64)>);

/// Blocks of one profile.
struct Group<'a> {
    profile: &'a str,
    blocks: Vec<Valued<'a>>,
}

impl<'a> Group<'a> {
    /// The design alone.
    fn one(design: &Design) -> Group<'static> {
        Group { profile: design.profile, blocks: vec![with_values(design)] }
    }

    /// The blocks of the profile that one library can describe beside this one: they share most of what they are made of.
    /// With `RDMA_RTL_ALONE` set it is described alone: who works on a block waits for that one.
    fn around(design: &Design) -> Group<'static> {
        if std::env::var_os("RDMA_RTL_ALONE").is_some() {
            return Self::one(design);
        }
        let mut groups: Vec<Vec<Valued<'static>>> = Vec::new();
        for other in crate::designs().iter().filter(|d| d.profile == design.profile && d.describe.is_none()) {
            let own = with_values(other);
            let root = Root { block: own.0, values: &own.1 };
            let fits = |(block, values): &Valued| root.fits(&Root { block, values });
            match groups.iter_mut().find(|group| group.iter().all(fits)) {
                Some(group) => group.push(own),
                None => groups.push(vec![own]),
            }
        }
        let own = groups.into_iter().find(|group| group.contains(&with_values(design)));
        own.map_or_else(|| Self::one(design), |blocks| Group { profile: design.profile, blocks })
    }

    fn fails(&self, detail: impl std::fmt::Display) -> Error {
        Error::NotCompiled { block: self.blocks[0].0.name.clone(), profile: self.profile.into(), detail: detail.to_string() }
    }
}

/// The facts of a profile: those of its endpoint, and what other blocks have beside them.
fn facts(profile: &str) -> BTreeMap<String, u64> {
    let mut designs: Vec<_> = crate::designs().iter().filter(|design| design.profile == profile).collect();
    designs.sort_by_key(|design| design.block != "endpoint");
    let mut facts = BTreeMap::new();
    for (block, values) in designs.into_iter().map(with_values) {
        for (name, value) in (Root { block, values: &values }).facts() {
            facts.entry(name).or_insert(value);
        }
    }
    facts
}

fn with_values(design: &Design) -> Valued<'static> {
    (design.schematic(), design.parameters.iter().map(|(name, value)| (name.to_string(), *value)).collect())
}

/// What the block says of itself.
///
/// # Errors
/// The sources or cargo are not there, they do not compile, the library cannot be loaded.
pub fn describe(design: &Design) -> Result<Node, Error> {
    described(&Group::around(design), &[], design.block)
}

/// What a block says of itself that need not be in the schema, at sizes that no profile has: `path` is its type below `hdl/src`, `make` how
/// it is made, `sizes` are facts and constants of `hdl/src/sizes.rs` by their names, which hold whatever they follow from.
///
/// # Errors
/// As [`describe`]; sizes that do not fit each other do not compile.
pub fn describe_at(path: &str, make: &str, sizes: &[Constant]) -> Result<Node, Error> {
    let name = path.rsplit("::").next().unwrap_or(path);
    let none = String::new;
    let block = Block {
        name: name.into(),
        path: path.into(),
        about: none(),
        latency: none(),
        throughput: none(),
        parameters: Vec::new(),
        generics: Vec::new(),
        sized: Some(Vec::new()),
        make: make.into(),
        registers: Vec::new(),
        register_map: None,
    };
    described(&Group { profile: "test", blocks: vec![(&block, Vec::new())] }, sizes, name)
}

fn described(group: &Group, constants: &[Constant], block: &str) -> Result<Node, Error> {
    let library = library(group, constants, For::Description)?;
    // SAFETY: the unit exports it with this type, compiled by the same compiler against the same crates.
    let describe = unsafe { library.get::<Describe>(b"rdma_rtl_describe") }.map_err(|e| group.fails(e))?;
    Ok(describe(block))
}

/// The registers of a block that has some.
///
/// # Errors
/// As [`describe`].
pub fn registers(design: &Design) -> Result<RegisterMap, Error> {
    let group = Group::around(design);
    let library = library(&group, &[], For::Description)?;
    // SAFETY: as above.
    let registers = unsafe { library.get::<Registers>(b"rdma_rtl_registers") }.map_err(|e| group.fails(e))?;
    registers(design.block).ok_or_else(|| group.fails("its library has no register map"))
}

/// The block under the native driver.
///
/// # Errors
/// As [`describe`]; those of the model.
pub fn make(design: &Design, wave: Option<&Path>) -> Result<Box<dyn Model>, Error> {
    let group = Group::one(design);
    let library = library(&group, &[], For::Running)?;
    // SAFETY: as above.
    let make = unsafe { library.get::<Make>(b"rdma_rtl_native") }.map_err(|e| group.fails(e))?;
    make(design.block, wave)
}

/// The library of these blocks, from the folder where they are kept by content, or compiled.
fn library(group: &Group, constants: &[Constant], purpose: For) -> Result<&'static libloading::Library, Error> {
    let unreadable = |e: std::io::Error| group.fails(format!("the sources in {ROOT} cannot be read ({e})"));
    let sources = fs::canonicalize(Path::new(ROOT).join("hdl/src")).map_err(unreadable)?;
    let roots: Vec<_> = group.blocks.iter().map(|(block, values)| Root { block, values }).collect();
    let unit = unit(&sources, &SCHEMA, &roots, constants, &facts(group.profile)).map_err(unreadable)?;
    let key = key(&unit, purpose).map_err(unreadable)?;
    let name = format!("{}-{}-{}-{key}", group.blocks[0].0.name, group.profile, purpose.word());
    let kept = folder().join(format!("{name}.so"));
    if !kept.is_file() {
        compile(&unit, &name, &kept, purpose).map_err(|detail| group.fails(detail))?;
    }
    load(&kept).map_err(|detail| group.fails(detail))
}

fn compile(unit: &Unit, name: &str, kept: &Path, purpose: For) -> Result<(), String> {
    let cannot = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let folder = folder();
    fs::create_dir_all(&folder).map_err(|e| cannot(&folder, e))?;
    // Who asks for the same waits; others compile theirs.
    let lock = folder.join(format!("{name}.lock"));
    let locked = File::create(&lock).and_then(|file| file.lock().map(|()| file)).map_err(|e| cannot(&lock, e))?;
    if kept.is_file() {
        return Ok(());
    }
    let root = same_sources()?;
    let work = tempfile::Builder::new().prefix(&format!("{name}.")).tempdir_in(&folder).map_err(|e| cannot(&folder, e))?;
    let source = work.path().join("unit.rs");
    fs::write(&source, &unit.text).map_err(|e| cannot(&source, e))?;
    let made = work.path().join("unit.so");
    let libraries = crates(&folder)?;
    let library = |name: &str| {
        let found = libraries.iter().rfind(|(known, _)| known == name);
        found.map(|(_, path)| path.clone()).ok_or_else(|| format!("cargo build made no library `{name}`"))
    };
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--edition", "2024", "--crate-type", "cdylib", "--crate-name", "unit", "--cap-lints", "allow", "-C", "strip=symbols"]);
    command.arg("--remap-path-prefix").arg(format!("{}/=", root.display()));
    match purpose {
        For::Description => command.args(["-C", "opt-level=0", "--cfg", "rdma_rtl_describe"]),
        // Optimisation across code units would take longer than all the rest, and a run gains a tenth.
        For::Running => command.args(["-C", "opt-level=2", "-C", "codegen-units=4", "-C", "lto=off", "-C", "debug-assertions=on"]),
    };
    for name in ["rust_hdl", "rdma_rtl_hdl", "rdma_rtl_sim"] {
        if name == "rdma_rtl_sim" && purpose == For::Description {
            continue;
        }
        command.arg("--extern").arg(format!("{name}={}", library(name)?.display()));
    }
    let deps = library("rdma_rtl_hdl")?;
    let deps = deps.parent().map(|folder| if folder.ends_with("deps") { folder.to_path_buf() } else { folder.join("deps") });
    command.arg("-L").arg(format!("dependency={}", deps.unwrap_or_default().display())).arg("-o").arg(&made).arg(&source);
    let output = rdma_rtl_process::output(&mut command).map_err(|e| format!("rustc cannot be started: {e}"))?;
    if !output.status.success() {
        return Err(format!("rustc ended with {}:\n{}", output.status, String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    fs::rename(&made, kept).map_err(|e| cannot(kept, e))?;
    let_go(kept);
    let _ = fs::remove_file(&lock);
    drop(locked);
    Ok(())
}

/// The crates that a unit stands on: what cargo says of them, asked once. It waits for whoever builds in the same folder.
fn crates(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let known = folder.join(concat!("crates-", env!("RDMA_RTL_FOUNDATION"), ".json"));
    let read: Option<Vec<(String, PathBuf)>> = fs::read(&known).ok().and_then(|text| serde_json::from_slice(&text).ok());
    if let Some(read) = read.filter(|read| read.iter().all(|(_, path)| path.is_file())) {
        return Ok(read);
    }
    let asked = artifacts(None)?;
    let text = serde_json::to_vec(&asked).map_err(|e| e.to_string())?;
    rdma_rtl_process::write_whole(&known, &text).map_err(|e| format!("{}: {e}", known.display()))?;
    Ok(asked)
}

/// Of the files that the unit takes in, and of what it stands on: a change of another block does not compile this one again.
fn key(unit: &Unit, purpose: For) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(env!("RDMA_RTL_RUSTC").as_bytes());
    part(env!("RDMA_RTL_FOUNDATION").as_bytes());
    part(purpose.word().as_bytes());
    part(unit.text.as_bytes());
    for path in &unit.files {
        part(&fs::read(path)?);
    }
    Ok(hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}
