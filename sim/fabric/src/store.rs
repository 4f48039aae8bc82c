//! Results, kept by the content of what decides them.

use super::cell::{Cell, Outcome};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Changes when the models do, so that results of older ones are not taken for theirs.
const MODELS: &str = "3";

/// A folder of results: a file a job, written aside and renamed, so that an interrupted run leaves whole files only.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// # Errors
    /// The folder cannot be made.
    pub fn open(folder: &Path) -> Result<Store, String> {
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}; name a folder that can be written", folder.display()))?;
        Ok(Store { folder: folder.to_path_buf() })
    }

    fn path(&self, cell: &Cell, seed: u64) -> Result<PathBuf, String> {
        let text = serde_json::to_string(cell).map_err(|e| format!("cell {cell:?}: {e}"))?;
        let digest = Sha256::digest(format!("{MODELS} {} {seed} {text}", env!("CARGO_PKG_VERSION")));
        let name: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        Ok(self.folder.join(format!("{name}.json")))
    }

    /// The result, if it is there.
    /// # Errors
    /// A file that cannot be read as one.
    pub fn find(&self, cell: &Cell, seed: u64) -> Result<Option<Outcome>, String> {
        let path = self.path(cell, seed)?;
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(format!("{}: {e}", path.display())),
        };
        serde_json::from_str(&text).map(Some).map_err(|e| format!("{}: {e}; delete it, it will be made anew", path.display()))
    }

    /// # Errors
    /// The file cannot be written.
    pub fn keep(&self, outcome: &Outcome) -> Result<(), String> {
        let path = self.path(&outcome.cell, outcome.seed)?;
        let aside = path.with_extension(format!("{}.part", std::process::id()));
        let text = serde_json::to_string(outcome).map_err(|e| format!("{}: {e}", path.display()))?;
        fs::write(&aside, text).and_then(|()| fs::rename(&aside, &path)).map_err(|e| format!("{}: {e}", path.display()))
    }
}
