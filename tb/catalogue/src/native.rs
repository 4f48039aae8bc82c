//! Blocks as code that runs, compiled when they are asked for.

use rdma_rtl_process::kept as keeping;
use rdma_rtl_profile::unit::{files, foundation};
use rdma_rtl_sim::{Error, Model};
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// What makes the model, with every signal in a VCD file if one is named.
type Make = fn(Option<&Path>) -> Result<Box<dyn Model>, Error>;

/// Name of [`Make`] in the library: `tb/native` has it.
const SYMBOL: &[u8] = b"rdma_rtl_native";

/// Where this program's sources are: those that the block is compiled from.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// What a library of one block with const generics is made of besides what every library stands on.
const SOURCES: [&str; 4] = ["gen/profile/src", "hdl/parameters.toml", "tb/catalogue/types.rs", "tb/native/src"];

/// Where cargo puts this program, and the libraries lie beside it: `target/debug`.
pub fn folder() -> PathBuf {
    Path::new(env!("OUT_DIR")).ancestors().nth(3).unwrap_or(Path::new(".")).join("native")
}

/// Libraries beyond this number are removed, the least recently used first: each change of the sources makes new ones.
pub const KEEP: usize = 256;

/// The libraries that are kept: when each was used last, its bytes, its path.
pub fn libraries() -> Vec<(SystemTime, u64, PathBuf)> {
    let entries = fs::read_dir(folder()).into_iter().flatten().flatten().map(|entry| entry.path());
    let libraries = entries.filter(|path| path.extension().is_some_and(|end| end == "so"));
    libraries.filter_map(|path| path.metadata().ok().and_then(|meta| Some((meta.modified().ok()?, meta.len(), path)))).collect()
}

fn fails(block: &str, profile: &str, detail: impl std::fmt::Display) -> Error {
    Error::NoNative { block: block.into(), profile: profile.into(), detail: detail.to_string() }
}

/// The model of a block at a profile.
///
/// Its library is kept, by the content of the sources: as long as they stay, nothing is compiled again.
///
/// # Errors
/// The sources or cargo are not there, they do not compile, the library cannot be loaded; those of the model.
pub fn make(block: &str, profile: &str, parameters: &[(&str, u64)], wave: Option<&Path>) -> Result<Box<dyn Model>, Error> {
    let key = key(block, profile, parameters).map_err(|e| fails(block, profile, format!("the sources in {ROOT} cannot be read ({e})")))?;
    let folder = folder();
    let kept = folder.join(format!("{block}-{profile}-{key}.so"));
    if !kept.is_file() {
        fs::create_dir_all(&folder).map_err(|e| fails(block, profile, format!("{}: {e}", folder.display())))?;
        // One at a time: what cargo leaves is copied before another asks for another block.
        let lock = File::create(folder.join("lock")).and_then(|file| file.lock().map(|()| file));
        if !kept.is_file() {
            let library = compile(block, profile).map_err(|detail| fails(block, profile, detail))?;
            fs::read(&library)
                .and_then(|bytes| rdma_rtl_process::write_whole(&kept, &bytes))
                .map_err(|e| fails(block, profile, format!("{}: {e}", kept.display())))?;
            let_go(&kept);
        }
        drop(lock);
    }
    // SAFETY: `tb/native` exports it with this type, compiled by the same compiler.
    let make = load(&kept).map_err(|detail| fails(block, profile, detail))?;
    let make = unsafe { make.get::<Make>(SYMBOL) }.map_err(|e| fails(block, profile, e))?;
    make(wave)
}

/// A library that is kept, marked as used. It stays loaded: what it gives has names and doc comments that lie in it, and models live as
/// long as they like.
pub(crate) fn load(kept: &Path) -> Result<&'static libloading::Library, String> {
    let _ = File::options().append(true).open(kept).and_then(|file| file.set_modified(SystemTime::now()));
    // SAFETY: the library has no constructors of its own, and was compiled from the sources that its name is of.
    let library = unsafe { libloading::Library::new(kept) };
    library.map(|library| &*Box::leak(Box::new(library))).map_err(|e| format!("{} cannot be loaded: {e}", kept.display()))
}

/// Removes what is beyond the bound, but not the newest one.
pub(crate) fn let_go(newest: &Path) {
    let old = keeping::beyond(libraries(), KEEP, keeping::limit());
    old.iter().filter(|path| **path != newest).for_each(|path| _ = fs::remove_file(path));
}

/// What is compiled now stands on the sources as they are now: they must be those of this program, or it and the library would not mean the
/// same by a block.
pub(crate) fn same_sources() -> Result<PathBuf, String> {
    let cannot = |e: io::Error| format!("the sources in {ROOT} cannot be read ({e})");
    let root = fs::canonicalize(ROOT).map_err(cannot)?;
    match foundation(&root).map_err(cannot)?.to_string() == env!("RDMA_RTL_FOUNDATION") {
        true => Ok(root),
        false => {
            Err(format!("the sources in {} are not those that this program was built from: build it again (`make build`)", root.display()))
        }
    }
}

fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// The library that cargo leaves.
fn compile(block: &str, profile: &str) -> Result<PathBuf, String> {
    same_sources()?;
    let artifacts = artifacts(Some(&format!("{block}@{profile}")))?;
    let mine = artifacts.into_iter().filter(|(name, _)| name == "rdma_rtl_native");
    mine.map(|(_, path)| path).next_back().ok_or_else(|| "cargo build made no library".into())
}

/// Every library that the one block as code stands on, and itself: names and files.
pub(crate) fn artifacts(native: Option<&str>) -> Result<Vec<(String, PathBuf)>, String> {
    let mut command = Command::new(cargo());
    // The program's own package with it: cargo chooses the features of what both stand on by the packages that it is asked for, and would
    // compile all of that once more for this one alone.
    command.args(["build", "--quiet", "--lib", "--package", "rdma-rtl-native", "--package", "rdma-rtl"]);
    command.args(["--message-format", "json-render-diagnostics"]);
    if !cfg!(debug_assertions) {
        command.arg("--release");
    }
    command.env("RDMA_RTL_NATIVE", native.unwrap_or_default()).current_dir(ROOT);
    let output = rdma_rtl_process::output(&mut command).map_err(|e| format!("cargo cannot be started: {e}"))?;
    if !output.status.success() {
        return Err(format!("cargo build ended with {}:\n{}", output.status, String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let artifacts = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let libraries = artifacts.filter(|a| a["reason"] == "compiler-artifact");
    let named = libraries.filter_map(|a| {
        let file = a["filenames"].as_array()?.iter().filter_map(|file| file.as_str()).find(|file| !file.ends_with(".rmeta"))?;
        Some((a["target"]["name"].as_str()?.replace('-', "_"), PathBuf::from(file)))
    });
    Ok(named.collect())
}

fn key(block: &str, profile: &str, parameters: &[(&str, u64)]) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(env!("RDMA_RTL_RUSTC").as_bytes());
    part(env!("RDMA_RTL_FOUNDATION").as_bytes());
    part(format!("{block} {profile} {parameters:?}").as_bytes());
    for name in SOURCES {
        for file in files(&Path::new(ROOT).join(name))? {
            part(file.strip_prefix(ROOT).unwrap_or(&file).as_os_str().as_encoded_bytes());
            part(&fs::read(&file)?);
        }
    }
    Ok(hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}
