//! The folder in which results are kept from call to call.

use crate::write_whole;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::SystemTime;

/// Bytes that models may have together, unless `RDMA_RTL_CACHE_MIB` says otherwise.
const LIMIT: u64 = 4096 << 20;

/// `RDMA_RTL_CACHE`, else `XDG_CACHE_HOME/rdma-rtl`, else `HOME/.cache/rdma-rtl`; nothing where none of them is set.
pub fn root() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("RDMA_RTL_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|folder| folder.join("rdma-rtl")))
        .or_else(|| set("HOME").map(|folder| folder.join(".cache/rdma-rtl")))
}

/// Bytes that what is kept may have, of models and of native libraries each: `RDMA_RTL_CACHE_MIB`, in MiB, if it is a number.
pub fn limit() -> u64 {
    let asked = env::var("RDMA_RTL_CACHE_MIB").ok().and_then(|text| text.trim().parse::<u64>().ok());
    asked.map_or(LIMIT, |mib| mib.saturating_mul(1 << 20))
}

/// What there is of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    pub entries: u64,
    pub bytes: u64,
}

impl Kept {
    pub fn add(&mut self, bytes: u64) {
        self.entries += 1;
        self.bytes += bytes;
    }
}

/// Bytes of a file, or of all files below a folder; links are not followed.
pub fn bytes(path: &Path) -> u64 {
    let Ok(meta) = fs::symlink_metadata(path) else { return 0 };
    if !meta.is_dir() {
        return meta.len();
    }
    fs::read_dir(path).into_iter().flatten().flatten().map(|entry| bytes(&entry.path())).sum()
}

/// Which of the entries have to go so that there are at most `count` of at most `limit` bytes in all: those first that were not used the
/// longest. The one that was used last stays, however large it is.
pub fn beyond(mut entries: Vec<(SystemTime, u64, PathBuf)>, count: usize, limit: u64) -> Vec<PathBuf> {
    entries.sort();
    let mut all: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
    let (mut left, mut gone) = (entries.len(), Vec::new());
    for (_, bytes, path) in entries {
        if left <= 1 || (left <= count && all <= limit) {
            break;
        }
        (left, all) = (left - 1, all - bytes);
        gone.push(path);
    }
    gone
}

/// Keeps all that a tool said, in `logs/NAME.log` of the cache; the next one of the name replaces it. Gives words that name the file, to
/// stand behind a message, or nothing if it cannot be written.
pub fn log(cache: &Path, name: &str, output: &Output) -> String {
    let mut text = output.stderr.clone();
    text.extend(&output.stdout);
    log_text(cache, name, &text)
}

/// The same of a text.
pub fn log_text(cache: &Path, name: &str, text: &[u8]) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    let folder = cache.join("logs");
    let path = folder.join(format!("{name}.log"));
    match fs::create_dir_all(&folder).and_then(|()| write_whole(&path, text)) {
        Ok(()) => format!("; all of it: {}", path.display()),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_was_used_last_stays_within_number_and_size() {
        let at = |age: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(1000 - age);
        let entries = || vec![(at(1), 10, PathBuf::from("new")), (at(9), 10, PathBuf::from("old")), (at(5), 10, PathBuf::from("mid"))];
        assert!(beyond(entries(), 3, 30).is_empty());
        assert_eq!(beyond(entries(), 2, 30), [PathBuf::from("old")]);
        assert_eq!(beyond(entries(), 3, 19), [PathBuf::from("old"), PathBuf::from("mid")]);
        assert_eq!(beyond(entries(), 0, 0).len(), 2, "what was just made is not removed");
    }
}
