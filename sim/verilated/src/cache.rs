//! Built models by content. An entry appears complete, by a rename, or not at all, and is checked before it is loaded.

use crate::Error;
use rdma_rtl_process::kept::{self, Kept};
use rdma_rtl_process::{Folder, write_whole};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// File of an entry that holds the checksum of `MODEL`.
const CHECKSUM: &str = "checksum";
/// File of an entry that holds how many bytes the others have.
const SIZE: &str = "size";
/// The loadable file of an entry.
pub(crate) const MODEL: &str = "model.so";
/// Entries beyond this number are removed, the least recently used first.
pub const KEEP: usize = 512;
/// How the name of a build that has not ended begins.
const BEGUN: &str = "building-";
/// An unfinished build older than this was killed.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// The cache directory, made if it is not there: as asked, else from the environment.
pub(crate) fn directory(asked: Option<&Path>) -> Result<PathBuf, Error> {
    let directory = match asked {
        Some(path) => path.to_path_buf(),
        None => kept::root().ok_or(Error::NoCacheDirectory)?,
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
pub(crate) fn workspace(directory: &Path) -> Result<Folder, Error> {
    Folder::made(directory, BEGUN).map_err(|e| Error::cache(directory, e))
}

/// Writes a file of the cache whole or not at all.
pub(crate) fn write_atomically(directory: &Path, file: &Path, text: &[u8]) -> Result<(), Error> {
    write_whole(file, text).map_err(|e| Error::cache(directory, e))
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
pub(crate) fn publish(directory: &Path, key: &str, work: Folder) -> Result<PathBuf, Error> {
    let failed = |e| Error::cache(directory, e);
    let sum = checksum(&work.path().join(MODEL)).map_err(failed)?;
    fs::write(work.path().join(SIZE), kept::bytes(work.path()).to_string()).map_err(failed)?;
    fs::write(work.path().join(CHECKSUM), sum).map_err(failed)?;
    let entry = directory.join(key);
    if fs::rename(work.path(), &entry).is_err() {
        if let Some(model) = lookup(directory, key) {
            return Ok(model);
        }
        fs::rename(work.path(), &entry).map_err(failed)?;
    }
    // The directory has a new name: there is nothing left to delete under the old one.
    work.keep();
    prune(directory);
    Ok(entry.join(MODEL))
}

/// An entry that is complete: when it was used last, its bytes, its path.
type Entry = (SystemTime, u64, PathBuf);

/// What is complete, and what was begun and is not.
fn list(directory: &Path) -> (Vec<Entry>, Vec<PathBuf>) {
    let (mut entries, mut begun) = (Vec::new(), Vec::new());
    for item in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = item.path();
        if item.file_name().to_string_lossy().starts_with(BEGUN) {
            begun.push(path);
        } else if let Ok(used) = path.join(CHECKSUM).metadata().and_then(|m| m.modified()) {
            let size = fs::read_to_string(path.join(SIZE)).ok().and_then(|text| text.parse().ok());
            entries.push((used, size.unwrap_or_else(|| kept::bytes(&path)), path));
        }
    }
    (entries, begun)
}

fn abandoned(path: &Path) -> bool {
    let age = path.metadata().and_then(|m| m.modified()).ok().and_then(|t| SystemTime::now().duration_since(t).ok());
    age.is_some_and(|age| age > ABANDONED)
}

/// Removes abandoned builds, and the least recently used entries beyond number and size. Failures leave more behind, nothing else.
fn prune(directory: &Path) {
    let (entries, begun) = list(directory);
    for path in begun.iter().filter(|path| abandoned(path)) {
        let _ = fs::remove_dir_all(path);
    }
    kept::beyond(entries, KEEP, kept::limit()).iter().for_each(|entry| discard(directory, entry));
}

/// The models in a cache directory, and the builds that were begun and did not end, or run.
pub fn kept_in(directory: &Path) -> (Kept, Kept) {
    let (entries, begun) = list(directory);
    let (mut models, mut unfinished) = (Kept::default(), Kept::default());
    entries.iter().for_each(|(_, bytes, _)| models.add(*bytes));
    begun.iter().for_each(|path| unfinished.add(kept::bytes(path)));
    (models, unfinished)
}

/// Removes every model, what is known of the tools, and abandoned builds; a build that may still run stays.
pub fn clear(directory: &Path) {
    let (entries, begun) = list(directory);
    entries.iter().for_each(|(_, _, entry)| discard(directory, entry));
    for path in begun.iter().filter(|path| abandoned(path)) {
        let _ = fs::remove_dir_all(path);
    }
    for item in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = item.file_name().to_string_lossy().into_owned();
        if name.starts_with("tools-") && name.ends_with(".json") {
            let _ = fs::remove_file(item.path());
        }
    }
}
