//! Writing a project into a folder, and knowing it again.

use crate::Error;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::path::{Component, Path};

/// A file of a project, by its path in the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    pub path: String,
    pub text: String,
}

/// The file that says what a folder is, and what was written into it.
pub const MARK: &str = "rdma-rtl-project.json";

fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// What the mark of a folder says; nothing if there is none.
pub(crate) fn mark(folder: &Path) -> Result<Option<Map<String, Value>>, Error> {
    let path = folder.join(MARK);
    let text = match std::fs::read_to_string(&path) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(Error::Folder { folder: path, what: format!("cannot be read: {e}") }),
        Ok(text) => text,
    };
    match serde_json::from_str(&text) {
        Ok(Value::Object(map)) => Ok(Some(map)),
        Ok(_) => Err(Error::Folder { folder: path, what: "is no JSON object".into() }),
        Err(e) => Err(Error::Folder { folder: path, what: format!("is no JSON: {e}") }),
    }
}

/// Files of an earlier call, each with its sum. Paths that would leave the folder are not believed.
fn earlier(mark: &Map<String, Value>) -> Vec<(String, String)> {
    let files = mark.get("files").and_then(Value::as_object);
    let inside = |path: &str| Path::new(path).components().all(|c| matches!(c, Component::Normal(_)));
    files
        .into_iter()
        .flatten()
        .filter_map(|(path, sum)| Some((path.clone(), sum.as_str()?.to_string())))
        .filter(|(path, _)| inside(path))
        .collect()
}

/// Writes a project. A folder that has one already is written anew, and what the new one lacks goes.
/// # Errors
/// A folder with something else in it; a file that was changed by hand since it was written; the file system.
pub fn write(folder: &Path, files: &[File], about: &Value) -> Result<(), Error> {
    let refuse = |what: String| Err(Error::Folder { folder: folder.to_path_buf(), what });
    if folder.exists() && !folder.is_dir() {
        return refuse("is a file; --out wants a folder".into());
    }
    let before = mark(folder)?;
    let empty = std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    if before.is_none() && !empty {
        return refuse("is not empty and no project of ours; give another folder".into());
    }
    let old = before.as_ref().map(earlier).unwrap_or_default();
    for (path, was) in &old {
        if let Ok(bytes) = std::fs::read(folder.join(path))
            && sum(&bytes) != *was
        {
            return refuse(format!(
                "{path} was changed by hand since it was written; keep it elsewhere and delete it, or give another folder"
            ));
        }
    }
    for (path, _) in old.iter().filter(|(path, _)| !files.iter().any(|f| f.path == *path)) {
        let path = folder.join(path);
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(Error::Io { path, error: e }),
            _ => {}
        }
    }
    let mut whole = about.as_object().cloned().unwrap_or_default();
    whole.insert(
        "files".into(),
        json!(files.iter().map(|f| (f.path.clone(), sum(f.text.as_bytes()))).collect::<std::collections::BTreeMap<_, _>>()),
    );
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    // The mark first: a folder that a full disk has left half written is still known as ours.
    put(&folder.join(MARK), &text)?;
    files.iter().try_for_each(|f| put(&folder.join(&f.path), &f.text))
}

fn put(path: &Path, text: &str) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    std::fs::write(path, text).map_err(Error::io(path))
}
