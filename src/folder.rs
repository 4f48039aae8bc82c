//! A folder that `gen` writes into more than once: what it has written there it knows again, and nothing else is touched.

use crate::fail::Fail;
use crate::output::write_file;
use rdma_rtl_gen::SourceFile;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The file that says what was written into a folder.
pub const MANIFEST: &str = "rdma-rtl-gen.json";

/// What became of what lay in the folder.
#[derive(Debug, Default)]
pub struct Done {
    /// files of an earlier call that this one does not write
    pub removed: Vec<String>,
    /// files that are none of this call's: strangers, and what was changed by hand since it was written
    pub kept: Vec<String>,
    /// files that were in the way, and where they are now
    pub moved: Vec<(String, String)>,
}

/// Sums that a file may have to be ours: one, and two while a call is under way.
type Sums = BTreeMap<String, BTreeSet<String>>;

fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// What the manifest of a folder says; nothing without one. Paths that would leave the folder are not believed.
fn earlier(folder: &Path) -> Result<Sums, Fail> {
    let path = folder.join(MANIFEST);
    let unknown = |what: String| Fail::Check(format!("{}: {what}; delete it, then only files that differ are asked about", path.display()));
    let text = match std::fs::read_to_string(&path) {
        Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => return Ok(Sums::new()),
        Err(e) => return Err(unknown(format!("cannot be read: {e}"))),
        Ok(text) => text,
    };
    let value: Value = serde_json::from_str(&text).map_err(|e| unknown(format!("is no JSON: {e}")))?;
    let Some(files) = value.get("files").and_then(Value::as_object) else { return Err(unknown("has no `files`".into())) };
    let inside = |path: &str| Path::new(path).components().all(|c| matches!(c, Component::Normal(_)));
    let sums = |value: &Value| value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect();
    Ok(files.iter().filter(|(name, _)| inside(name)).map(|(name, value)| (name.clone(), sums(value))).collect())
}

fn write_manifest(folder: &Path, sums: &Sums) -> Result<(), Fail> {
    let value = json!({ "about": "written by `rdma-rtl gen`, with the SHA-256 of each file", "files": sums });
    let mut text = serde_json::to_string_pretty(&value).map_err(Fail::tool)?;
    text.push('\n');
    write_file(&folder.join(MANIFEST), text.as_bytes())
}

/// What lies at a path: nothing, or its sum. What is no file has a sum that nothing has.
fn there(path: &Path) -> Result<Option<String>, Fail> {
    match std::fs::symlink_metadata(path) {
        Err(e) if matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => Ok(None),
        Err(e) => Err(Fail::Tool(format!("cannot read {}: {e}", path.display()))),
        Ok(meta) if !meta.is_file() => Ok(Some(String::new())),
        Ok(_) => match std::fs::read(path) {
            Ok(bytes) => Ok(Some(sum(&bytes))),
            Err(e) => Err(Fail::Tool(format!("cannot read {}: {e}", path.display()))),
        },
    }
}

/// A name beside `path` that nothing has.
fn beside(path: &Path) -> PathBuf {
    let name = |number: u32| {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(if number == 0 { ".kept".to_string() } else { format!(".kept{number}") });
        path.with_file_name(name)
    };
    (0..).map(name).find(|path| std::fs::symlink_metadata(path).is_err()).unwrap_or_else(|| path.to_path_buf())
}

/// Files in the folders that files were or are written into, by their names in `folder`.
fn lying(folder: &Path, ours: &BTreeSet<&str>) -> Vec<String> {
    let parents: BTreeSet<&Path> = ours.iter().filter_map(|name| Path::new(name).parent()).collect();
    let mut found = Vec::new();
    for parent in parents.into_iter().chain([Path::new("")]).collect::<BTreeSet<_>>() {
        let entries = std::fs::read_dir(folder.join(parent)).into_iter().flatten().flatten();
        let names = entries.map(|entry| (parent.join(entry.file_name()), entry.path().is_dir()));
        let holds = |path: &Path| ours.iter().any(|name| Path::new(name).starts_with(path));
        found.extend(names.filter(|(path, is_dir)| !is_dir || !holds(path)).map(|(path, _)| path.display().to_string()));
    }
    found.sort();
    found
}

/// Writes files into a folder. What an earlier call has written there and this one does not goes; what is there and is not ours stays.
///
/// Errors, before anything is written: a file of this call's would replace one that was changed by hand, or that nobody knows. With `force`
/// such a file gets another name.
pub fn write(folder: &Path, files: &[SourceFile], force: bool) -> Result<Done, Fail> {
    let before = earlier(folder)?;
    let mut done = Done::default();
    let (mut new, mut in_the_way) = (Vec::new(), Vec::new());
    for file in files {
        let path = folder.join(&file.name);
        let wanted = sum(file.text.as_bytes());
        let lies = there(&path)?;
        if lies.as_ref() == Some(&wanted) {
            continue;
        }
        new.push(file);
        if lies.is_some_and(|lies| before.get(&file.name).is_none_or(|sums| !sums.contains(&lies))) {
            in_the_way.push(file.name.clone());
        }
    }
    if !in_the_way.is_empty() && !force {
        return Err(Fail::Check(format!(
            "{}: {}: changed by hand or not written by this program; nothing was written. Give another --out, move what you need, or let --force put \
             each aside as NAME.kept",
            folder.display(),
            in_the_way.join(", ")
        )));
    }
    let mut stale = Vec::new();
    for (name, sums) in before.iter().filter(|(name, _)| !files.iter().any(|file| file.name == **name)) {
        match there(&folder.join(name))? {
            Some(lies) if sums.contains(&lies) => stale.push(name.clone()),
            _ => {}
        }
    }
    let wanted: Sums = files.iter().map(|file| (file.name.clone(), BTreeSet::from([sum(file.text.as_bytes())]))).collect();
    if !new.is_empty() || !stale.is_empty() || before != wanted {
        // First what may lie there until the end: a call that a full disk or a signal has ended half way leaves nothing that looks changed
        // by hand.
        let mut meanwhile = before.clone();
        wanted.iter().for_each(|(name, sums)| meanwhile.entry(name.clone()).or_default().extend(sums.iter().cloned()));
        write_manifest(folder, &meanwhile)?;
        for name in in_the_way {
            let path = folder.join(&name);
            let aside = beside(&path);
            std::fs::rename(&path, &aside)
                .map_err(|e| Fail::Tool(format!("cannot rename {} to {}: {e}", path.display(), aside.display())))?;
            done.moved.push((name, aside.file_name().unwrap_or_default().to_string_lossy().into_owned()));
        }
        for file in new {
            write_file(&folder.join(&file.name), file.text.as_bytes())?;
        }
        for name in stale {
            let path = folder.join(&name);
            std::fs::remove_file(&path).map_err(|e| Fail::Tool(format!("cannot remove {}: {e}", path.display())))?;
            // A folder that was made for it alone; one with anything in it stays.
            if let Some(parent) = Path::new(&name).parent().filter(|parent| !parent.as_os_str().is_empty()) {
                let _ = std::fs::remove_dir(folder.join(parent));
            }
            done.removed.push(name);
        }
        write_manifest(folder, &wanted)?;
    }
    let mut ours: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    ours.insert(MANIFEST);
    done.kept = lying(folder, &ours).into_iter().filter(|name| !ours.contains(name.as_str())).collect();
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[(&str, &str)]) -> Vec<SourceFile> {
        names.iter().map(|(name, text)| SourceFile { name: name.to_string(), text: text.to_string() }).collect()
    }

    fn text(folder: &Path, name: &str) -> Option<String> {
        std::fs::read_to_string(folder.join(name)).ok()
    }

    #[test]
    fn what_the_first_call_wrote_and_the_second_does_not_goes_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let first =
            files(&[("top.v", "one"), ("old.v", "old"), ("mine.v", "of ours"), ("doc/old.md", "old"), ("doc/a.md", "a"), ("gone/x", "x")]);
        write(at, &first, false).unwrap();
        std::fs::write(at.join("mine.v"), "changed").unwrap();
        std::fs::write(at.join("notes.txt"), "of a person").unwrap();
        std::fs::write(at.join("doc/notes.txt"), "of a person").unwrap();
        let done = write(at, &files(&[("top.v", "two"), ("doc/a.md", "a")]), false).unwrap();
        assert_eq!(done.removed, ["doc/old.md", "gone/x", "old.v"]);
        assert_eq!(done.kept, ["doc/notes.txt", "mine.v", "notes.txt"]);
        assert_eq!((text(at, "top.v").as_deref(), text(at, "mine.v").as_deref()), (Some("two"), Some("changed")));
        assert_eq!((text(at, "old.v"), text(at, "doc/notes.txt").as_deref()), (None, Some("of a person")));
        assert!(!at.join("gone").exists() && at.join("doc/a.md").exists());
    }

    #[test]
    fn a_file_that_is_not_ours_stops_the_call_before_it_writes_and_force_puts_it_aside() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        write(at, &files(&[("a.v", "1"), ("b.v", "1")]), false).unwrap();
        std::fs::write(at.join("a.v"), "changed").unwrap();
        std::fs::write(at.join("c.v"), "a stranger's").unwrap();
        let second = files(&[("b.v", "2"), ("a.v", "2"), ("c.v", "2")]);
        let refused = write(at, &second, false).unwrap_err();
        assert_eq!(refused.code(), 1);
        assert!(refused.to_string().contains("a.v, c.v: changed by hand or not written") && refused.to_string().contains("--force"));
        assert_eq!(text(at, "b.v").as_deref(), Some("1"));
        std::fs::write(at.join("a.v.kept"), "an earlier one").unwrap();
        let done = write(at, &second, true).unwrap();
        assert_eq!(done.moved, [("a.v".into(), "a.v.kept1".into()), ("c.v".into(), "c.v.kept".into())]);
        let texts = ["a.v", "a.v.kept", "a.v.kept1", "c.v.kept"].map(|name| text(at, name).unwrap());
        assert_eq!(texts, ["2", "an earlier one", "changed", "a stranger's"]);
    }

    #[test]
    fn a_call_that_ended_half_way_is_taken_up_again() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        write(at, &files(&[("a.v", "1"), ("b.v", "1")]), false).unwrap();
        let mut both = earlier(at).unwrap();
        both.get_mut("a.v").unwrap().insert(sum(b"2"));
        write_manifest(at, &both).unwrap();
        std::fs::write(at.join("a.v"), "2").unwrap();
        write(at, &files(&[("a.v", "3"), ("b.v", "3")]), false).unwrap();
        assert_eq!((text(at, "a.v").as_deref(), text(at, "b.v").as_deref()), (Some("3"), Some("3")));
        assert!(earlier(at).unwrap().values().all(|sums| sums.len() == 1));
    }

    #[test]
    fn a_manifest_cannot_name_what_lies_outside_and_a_damaged_one_removes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("out");
        std::fs::create_dir(&at).unwrap();
        std::fs::write(folder.path().join("precious"), "x").unwrap();
        let sums = json!([sum(b"x")]);
        let absolute = folder.path().join("precious").display().to_string();
        let manifest = json!({ "files": { "../precious": sums, absolute: sums } });
        std::fs::write(at.join(MANIFEST), manifest.to_string()).unwrap();
        assert!(write(&at, &files(&[("a.v", "1")]), false).unwrap().removed.is_empty());
        assert!(folder.path().join("precious").exists());
        for damaged in ["{", "[]", "{\"files\": 3}"] {
            std::fs::write(at.join(MANIFEST), damaged).unwrap();
            let text = write(&at, &files(&[("b.v", "1")]), true).unwrap_err().to_string();
            assert!(text.contains(MANIFEST) && text.contains("delete it") && at.join("a.v").exists(), "{text}");
        }
    }

    #[test]
    fn a_folder_or_a_link_in_the_place_of_a_file_is_nobody_s_to_replace() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        std::fs::create_dir_all(at.join("a.v/inside")).unwrap();
        assert!(write(at, &files(&[("a.v", "1")]), false).unwrap_err().to_string().contains("a.v: changed by hand or not written"));
        write(at, &files(&[("a.v", "1")]), true).unwrap();
        assert!(at.join("a.v.kept/inside").is_dir() && text(at, "a.v").as_deref() == Some("1"));
    }
}
