//! Built models by content. An entry appears complete, by a rename, or not at all, and is checked before it is loaded.

use crate::Error;
use sha2::{Digest, Sha256};
use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// File of an entry that holds the checksum of `MODEL`.
const CHECKSUM: &str = "checksum";
/// The loadable file of an entry.
pub(crate) const MODEL: &str = "model.so";
/// Entries beyond this number are removed, the least recently used first.
const KEEP: usize = 512;
/// An unfinished build older than this was killed.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// The cache directory, made if it is not there: as asked, else from the environment.
pub(crate) fn directory(asked: Option<&Path>) -> Result<PathBuf, Error> {
    let set = |name: &str| env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let directory = match asked {
        Some(path) => path.to_path_buf(),
        None => set("RDMA_RTL_CACHE")
            .or_else(|| set("XDG_CACHE_HOME").map(|d| d.join("rdma-rtl")))
            .or_else(|| set("HOME").map(|d| d.join(".cache/rdma-rtl")))
            .ok_or(Error::NoCacheDirectory)?,
    };
    // The tools run in other directories.
    let directory = std::path::absolute(&directory).map_err(|e| Error::cache(&directory, e))?;
    fs::create_dir_all(&directory).map_err(|e| Error::cache(&directory, e))?;
    Ok(directory)
}

/// A key from parts; no two lists of parts give the same bytes to hash.
pub(crate) fn key(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())[..40].to_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A directory on the cache's own disk that vanishes unless it is published.
pub(crate) fn workspace(directory: &Path) -> Result<TempDir, Error> {
    tempfile::Builder::new().prefix("building-").tempdir_in(directory).map_err(|e| Error::cache(directory, e))
}

/// Writes `file` whole or not at all.
pub(crate) fn write_atomically(directory: &Path, file: &Path, text: &[u8]) -> Result<(), Error> {
    let mut temporary = tempfile::NamedTempFile::new_in(directory).map_err(|e| Error::cache(directory, e))?;
    temporary.write_all(text).map_err(|e| Error::cache(directory, e))?;
    temporary.persist(file).map_err(|e| Error::cache(directory, e.error))?;
    Ok(())
}

/// Holds other processes back from the same build. Only saves work: where the disk knows no locks, both build and one wins.
pub(crate) fn lock(directory: &Path, name: &str) -> Option<File> {
    let file = File::create(directory.join(format!("lock-{name}"))).ok()?;
    file.lock().ok()?;
    Some(file)
}

fn checksum(model: &Path) -> io::Result<String> {
    Ok(hex(&Sha256::digest(fs::read(model)?)))
}

/// The model of a complete and undamaged entry. A damaged one is removed, so that it is built again.
pub(crate) fn lookup(directory: &Path, key: &str) -> Option<PathBuf> {
    let entry = directory.join(key);
    let stored = fs::read_to_string(entry.join(CHECKSUM));
    let model = entry.join(MODEL);
    match (stored, checksum(&model)) {
        (Ok(stored), Ok(actual)) if stored == actual => {
            // Marks the entry as used; a cache that cannot be written is still good to read.
            let _ = File::options().append(true).open(entry.join(CHECKSUM)).and_then(|f| f.set_modified(SystemTime::now()));
            Some(model)
        }
        _ => {
            discard(directory, &entry);
            None
        }
    }
}

/// Takes an entry out of sight before it is deleted: nobody sees half of it.
fn discard(directory: &Path, entry: &Path) {
    if entry.exists()
        && let Ok(aside) = workspace(directory)
    {
        let _ = fs::rename(entry, aside.path().join("removed"));
    }
}

/// Makes `work` the entry `key`. If another process was first and its entry is good, that one stays.
pub(crate) fn publish(directory: &Path, key: &str, work: TempDir) -> Result<PathBuf, Error> {
    let failed = |e| Error::cache(directory, e);
    let sum = checksum(&work.path().join(MODEL)).map_err(failed)?;
    fs::write(work.path().join(CHECKSUM), sum).map_err(failed)?;
    let entry = directory.join(key);
    if fs::rename(work.path(), &entry).is_err() {
        if let Some(model) = lookup(directory, key) {
            return Ok(model);
        }
        fs::rename(work.path(), &entry).map_err(failed)?;
    }
    // The directory has a new name: there is nothing left to delete under the old one.
    let _ = work.keep();
    prune(directory);
    Ok(entry.join(MODEL))
}

/// Removes abandoned builds, and the least recently used entries beyond `KEEP`. Failures leave more behind, nothing else.
fn prune(directory: &Path) {
    let Ok(list) = fs::read_dir(directory) else { return };
    let now = SystemTime::now();
    let mut entries = Vec::new();
    for item in list.flatten() {
        let path = item.path();
        let name = item.file_name().to_string_lossy().into_owned();
        if name.starts_with("building-") {
            let age = item.metadata().and_then(|m| m.modified()).ok().and_then(|t| now.duration_since(t).ok());
            if age.is_some_and(|a| a > ABANDONED) {
                let _ = fs::remove_dir_all(&path);
            }
        } else if let Ok(used) = path.join(CHECKSUM).metadata().and_then(|m| m.modified()) {
            entries.push((used, path));
        }
    }
    if entries.len() > KEEP {
        entries.sort();
        for (_, path) in &entries[..entries.len() - KEEP] {
            discard(directory, path);
        }
    }
}
