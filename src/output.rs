//! Where results go: text for people, JSON for machines, files that appear whole or not at all.

use crate::fail::Fail;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// `--json [FILE]`
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Json {
    /// Result as JSON: on standard output, or in FILE
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    json: Option<Option<PathBuf>>,
}

impl Json {
    /// Whether standard output belongs to the JSON.
    pub fn on_stdout(&self) -> bool {
        matches!(self.json, Some(None))
    }

    /// The file that it goes to.
    pub fn file(&self) -> Option<&PathBuf> {
        self.json.as_ref()?.as_ref()
    }

    pub fn write(&self, value: &impl Serialize) -> Result<(), Fail> {
        let Some(target) = &self.json else { return Ok(()) };
        let mut text = serde_json::to_string_pretty(value).map_err(Fail::tool)?;
        text.push('\n');
        match target {
            Some(path) => write_file(path, text.as_bytes()),
            None => print(&text),
        }
    }
}

/// Standard output; a reader that has gone away (`| head`) is no error.
pub fn print(text: &str) -> Result<(), Fail> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(Fail::Tool(format!("standard output: {e}"))),
        _ => Ok(()),
    }
}

/// Writes a file whole: beside its place first, then renamed. What is no file, like `/dev/stdout`, is written to.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Fail> {
    let cannot = |e: &dyn std::fmt::Display| Fail::Tool(format!("cannot write {}: {e}", path.display()));
    if std::fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        return std::fs::OpenOptions::new().write(true).open(path).and_then(|mut f| f.write_all(bytes)).map_err(|e| cannot(&e));
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(|e| cannot(&e))?;
    rdma_rtl_process::write_whole(path, bytes).map_err(|e| cannot(&e))
}

/// Removes a file that is about to be written; what is no file stays.
pub fn forget(path: &Path) {
    if std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
        let _ = std::fs::remove_file(path);
    }
}

/// A path as a shell takes it.
pub fn shell(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:@,%".contains(c);
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// Progress of long work, on a terminal only.
pub fn progress(text: impl Into<String>) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {msg} ({elapsed})").expect("the template is a constant"));
    bar.set_message(text.into());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

/// A table with aligned columns, the first row its heading.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width: Vec<usize> =
        (0..columns).map(|c| rows.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().enumerate().map(|(c, text)| format!("{text:<w$}", w = width[c])).collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
        if number == 0 {
            out.push_str(&width.iter().map(|w| "-".repeat(*w)).collect::<Vec<_>>().join("  "));
            out.push('\n');
        }
    }
    out
}
