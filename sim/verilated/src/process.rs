//! Running the tools.

use crate::Error;
use std::io;
use std::path::Path;
use std::process::{Command, Output};

/// Runs to the end with its output captured; a program that cannot be started is an error that names it.
pub(crate) fn run(command: &mut Command) -> Result<Output, Error> {
    rdma_rtl_process::output(command)
        .map_err(|e| Error::Tool { program: command.get_program().to_string_lossy().into_owned(), reason: e.to_string() })
}

/// Both streams as text, standard error first.
pub(crate) fn text_of(output: &Output) -> String {
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stdout));
    text
}

/// The lines that say what is wrong: those that contain "error" first, else the first ones, else how the program ended.
pub(crate) fn first_errors(output: &Output) -> String {
    const LINES: usize = 8;
    let text = text_of(output);
    let lines = || text.lines().map(str::trim_end).filter(|l| !l.is_empty());
    let mut picked: Vec<&str> = Vec::new();
    if let Some(first) = lines().position(|l| l.to_ascii_lowercase().contains("error")) {
        picked.extend(lines().skip(first).take(LINES));
    } else {
        picked.extend(lines().take(LINES));
    }
    if picked.is_empty() {
        format!("  no message; it ended with {}", output.status)
    } else {
        picked.iter().map(|l| format!("  {l}")).collect::<Vec<_>>().join("\n")
    }
}

/// Whether a tool failed in `directory` because nothing more can be written there: by its words, and by trying.
pub(crate) fn disk_full(output: &Output, directory: &Path) -> bool {
    let text = text_of(output);
    if ["No space left on device", "Disk quota exceeded", "File too large", "File size limit exceeded"].iter().any(|s| text.contains(s)) {
        return true;
    }
    let probe = directory.join("space-probe");
    let full = match std::fs::write(&probe, vec![0u8; 1 << 16]) {
        Ok(()) => false,
        Err(e) => matches!(e.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge),
    };
    let _ = std::fs::remove_file(&probe);
    full
}
