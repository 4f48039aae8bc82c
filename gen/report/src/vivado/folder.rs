//! A folder of reports.

use super::{Parsed, Vivado, parse};
use crate::Error;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Larger files are no reports; one with 20 paths for each of 50 clocks has 4 MB.
const LARGEST: u64 = 256 << 20;
/// Folders this deep are looked into.
const DEEPEST: usize = 8;

/// A report of Vivado that says nothing about resources or timing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    pub file: String,
    pub command: String,
}

/// Every `*.rpt` in a folder and those in it, in the order of their paths; or the one file.
/// # Errors
/// A path that is not there or holds no report (`Call`); a file that cannot be read or is not what it should be (`Check`).
pub fn read_folder(path: &Path) -> Result<(Vec<Vivado>, Vec<Other>), Error> {
    let call = |text: String| Error::Call(format!("{}: {text}", path.display()));
    let about =
        std::fs::metadata(path).map_err(|e| call(format!("cannot be read: {e}; give the folder that Vivado wrote its reports to")))?;
    let mut files = Vec::new();
    if about.is_file() {
        files.push(path.to_path_buf());
    } else {
        collect(path, 0, &mut files)?;
    }
    files.sort();
    let (mut reports, mut others) = (Vec::new(), Vec::new());
    for file in &files {
        let shown = file.strip_prefix(path).ok().filter(|p| !p.as_os_str().is_empty()).unwrap_or(file).display().to_string();
        let size = std::fs::metadata(file).map_err(|e| Error::io("cannot read", file, e))?.len();
        if size > LARGEST {
            return Err(Error::io("cannot read", file, format_args!("{} MB is more than a report has", size >> 20)));
        }
        let bytes = std::fs::read(file).map_err(|e| Error::io("cannot read", file, e))?;
        // Paths and host names in a header may have any encoding.
        match parse(&file.display().to_string(), &String::from_utf8_lossy(&bytes))? {
            Parsed::Report(report) => reports.push(Vivado { file: shown, ..*report }),
            Parsed::Other(command) => others.push(Other { file: shown, command }),
        }
    }
    if reports.is_empty() {
        let found = match others.len() {
            0 => "no *.rpt file in it".to_string(),
            n => format!("{n} reports in it, none of report_utilization or report_timing_summary"),
        };
        return Err(call(format!("{found}; write them with `report_utilization -file X.rpt`, `report_timing_summary -file Y.rpt`")));
    }
    Ok((reports, others))
}

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Error> {
    let cannot = |e| Error::io("cannot read folder", folder, e);
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let (path, kind) = (entry.path(), entry.file_type().map_err(cannot)?);
        // Links to folders can lead in circles; links to files are files.
        if kind.is_dir() {
            if depth < DEEPEST {
                collect(&path, depth + 1, files)?;
            }
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("rpt")) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}
