//! Results by content of what they were made from.
//!
//! In `report` of the folder that the models of co-simulation have: `RDMA_RTL_CACHE`, else `XDG_CACHE_HOME/rdma-rtl`, else
//! `~/.cache/rdma-rtl`. An entry is one file with its own checksum; one that is damaged is measured again.

use rdma_rtl_process::kept::{self, Kept};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Part of every key: a change of the method makes old results unknown.
const METHOD: &str = "1";
/// Entries beyond this number are removed, those first that were not asked for the longest. Lint of every block at every profile with two
/// releases of Verilator makes up to 1,700, of 5 kilobytes each.
pub const KEEP: usize = 4000;

#[derive(Clone, Debug)]
pub struct Cache {
    /// None: nothing is kept.
    folder: Option<PathBuf>,
}

impl Cache {
    /// The folder of the environment. Where none can be made, nothing is kept: that costs time, and is no reason to stop.
    pub fn find() -> Cache {
        Cache::find_in("report")
    }

    /// The same with another folder than `report`.
    pub fn find_in(name: &str) -> Cache {
        kept::root().map_or(Cache::none(), |root| Cache::in_folder(&root.join(name)))
    }

    pub fn in_folder(folder: &Path) -> Cache {
        Cache { folder: fs::create_dir_all(folder).is_ok().then(|| folder.to_path_buf()) }
    }

    pub fn none() -> Cache {
        Cache { folder: None }
    }

    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        let path = self.folder.as_ref()?.join(key);
        let text = fs::read_to_string(&path).ok()?;
        let (sum, body) = text.split_once('\n')?;
        if sum != hex(&Sha256::digest(body.as_bytes())) {
            return None;
        }
        let value = serde_json::from_str(body).ok()?;
        // A folder that cannot be written to forgets in the order in which it was filled.
        let _ = fs::File::options().append(true).open(&path).and_then(|f| f.set_modified(SystemTime::now()));
        Some(value)
    }

    /// A disk that is full loses the entry, not the report.
    pub fn put<T: Serialize>(&self, key: &str, value: &T) {
        let Some(folder) = &self.folder else { return };
        let Ok(body) = serde_json::to_string(value) else { return };
        let text = format!("{}\n{body}", hex(&Sha256::digest(body.as_bytes())));
        if rdma_rtl_process::write_whole(&folder.join(key), text.as_bytes()).is_ok() {
            self.prune(KEEP);
        }
    }

    /// What is in it.
    pub fn kept(&self) -> Kept {
        let mut kept = Kept::default();
        let entries = self.folder.iter().flat_map(fs::read_dir).flatten().flatten();
        entries.for_each(|entry| kept.add(kept::bytes(&entry.path())));
        kept
    }

    /// Removes all of it.
    pub fn clear(&self) {
        for entry in self.folder.iter().flat_map(fs::read_dir).flatten().flatten() {
            let _ = fs::remove_file(entry.path());
        }
    }

    fn prune(&self, keep: usize) {
        let Some(Ok(list)) = self.folder.as_ref().map(fs::read_dir) else { return };
        let mut entries: Vec<_> = list.flatten().filter_map(|e| Some((e.metadata().ok()?.modified().ok()?, e.path()))).collect();
        if entries.len() > keep {
            entries.sort();
            for (_, path) in &entries[..entries.len() - keep] {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// A key from parts; no two lists of parts give the same bytes to hash.
pub fn key(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in [METHOD.as_bytes()].iter().chain(parts) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())[..40].to_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(folder.path());
        let key = key(&[b"a", b"bc"]);
        assert_ne!(key, super::key(&[b"ab", b"c"]));
        assert_eq!(cache.get::<Vec<u32>>(&key), None);
        cache.put(&key, &vec![1u32, 2]);
        assert_eq!(cache.get::<Vec<u32>>(&key), Some(vec![1, 2]));
        assert_eq!(cache.get::<String>(&key), None, "another type");
        let file = folder.path().join(&key);
        let text = fs::read_to_string(&file).unwrap();
        for damaged in [&text[..text.len() - 1], "", "\n[1,2]", &text.replace("[1,", "[7,")] {
            fs::write(&file, damaged).unwrap();
            assert_eq!(cache.get::<Vec<u32>>(&key), None, "{damaged:?}");
        }
        Cache::none().put(&key, &1u32);
        assert_eq!(Cache::none().get::<u32>(&key), None);
    }

    #[test]
    fn what_was_asked_for_last_stays_longest() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::in_folder(folder.path());
        let keys = ["a", "b", "c"];
        for (age, name) in keys.iter().enumerate() {
            cache.put(name, &1u32);
            let old = SystemTime::now() - std::time::Duration::from_secs(100 - age as u64);
            fs::File::options().append(true).open(folder.path().join(name)).unwrap().set_modified(old).unwrap();
        }
        assert_eq!(cache.get::<u32>("a"), Some(1));
        cache.prune(2);
        assert_eq!(keys.map(|k| cache.get::<u32>(k)), [Some(1), None, Some(1)]);
    }

    #[test]
    fn a_folder_that_cannot_be_made_keeps_nothing() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache::in_folder(&file.path().join("report"));
        cache.put("k", &1u32);
        assert_eq!(cache.get::<u32>("k"), None);
    }
}
