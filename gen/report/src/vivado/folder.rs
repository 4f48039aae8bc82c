//! A folder of reports.

use super::{Other, Parsed, Refused, Vivado, parse};
use crate::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Larger files are no reports; one with 20 paths for each of 50 clocks has 4 MB.
const LARGEST: u64 = 256 << 20;
/// No project nests its folders this deep.
const DEEPEST: usize = 64;

/// What stands in a folder.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Files {
    pub reports: Vec<Vivado>,
    /// Reports of other commands, which are not read
    pub others: Vec<Other>,
    /// Files that cannot be read; nothing of them is in `reports`.
    pub refused: Vec<Refused>,
}

/// Every `*.rpt` in a folder and those in it, in the order of their paths, but nothing that is hidden; or the one file.
/// # Errors
/// A path that is not there, or that has nothing in it to be read or refused (`Call`).
pub fn read_folder(path: &Path) -> Result<Files, Error> {
    let call = |text: String| Error::Call(format!("{}: {text}", path.display()));
    let about =
        std::fs::metadata(path).map_err(|e| call(format!("cannot be read: {e}; give the folder that Vivado wrote its reports to")))?;
    let (mut paths, mut files) = (Vec::new(), Files::default());
    let base = if about.is_dir() {
        collect(path, path, 0, &mut paths, &mut files.refused);
        path
    } else {
        paths.push(path.to_path_buf());
        path.parent().unwrap_or(path)
    };
    paths.sort();
    for path in &paths {
        let file = shown(path, base);
        match text(path).map_err(|why| Refused { file: file.clone(), line: None, why }).and_then(|t| parse(&file, &t)) {
            Ok(parsed) => {
                for parsed in parsed {
                    match parsed {
                        Parsed::Report(report) => files.reports.push(*report),
                        Parsed::Other(other) => files.others.push(other),
                    }
                }
            }
            Err(refused) => files.refused.push(refused),
        }
    }
    if files.reports.is_empty() && files.refused.is_empty() {
        let found = match files.others.len() {
            0 => "no *.rpt file in it".to_string(),
            n => format!("{n} reports in it, none of report_utilization or report_timing_summary"),
        };
        return Err(call(format!("{found}; write them with `report_utilization -file X.rpt`, `report_timing_summary -file Y.rpt`")));
    }
    Ok(files)
}

fn shown(path: &Path, base: &Path) -> String {
    path.strip_prefix(base).unwrap_or(path).display().to_string()
}

/// The whole file, or why not.
fn text(path: &Path) -> Result<String, String> {
    let size = std::fs::metadata(path).map_err(|e| format!("cannot be read: {e}"))?.len();
    if size > LARGEST {
        return Err(format!("{} MB is more than a report has", size >> 20));
    }
    Ok(decoded(&std::fs::read(path).map_err(|e| format!("cannot be read: {e}"))?))
}

/// Paths and host names in a header may have any encoding; a shell of Windows writes UTF-16.
fn decoded(bytes: &[u8]) -> String {
    let wide = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes[2..].as_chunks::<2>().0.iter().map(|pair| unit(*pair)).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Vivado keeps scratch folders `.Xil` with files `*.rpt` that are no reports.
fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

fn collect(base: &Path, folder: &Path, depth: usize, paths: &mut Vec<PathBuf>, refused: &mut Vec<Refused>) {
    let mut refuse = |why: String| refused.push(Refused { file: shown(folder, base), line: None, why });
    if depth > DEEPEST {
        return refuse(format!("folders nest deeper than {DEEPEST}"));
    }
    let entries = match std::fs::read_dir(folder).and_then(|all| all.collect::<Result<Vec<_>, _>>()) {
        Ok(entries) => entries,
        Err(e) => return refuse(format!("the folder cannot be read: {e}")),
    };
    for entry in entries.into_iter().filter(|e| !is_hidden(&e.file_name())) {
        let path = entry.path();
        // Links to folders can lead in circles; links to files are files.
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(base, &path, depth + 1, paths, refused);
        } else if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("rpt")) && !path.is_dir() {
            paths.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_are_read() {
        let wide = |order: fn(u16) -> [u8; 2]| "\u{feff}Wörter\n".encode_utf16().flat_map(order).collect::<Vec<u8>>();
        assert_eq!(decoded(&wide(u16::to_le_bytes)), "Wörter\n");
        assert_eq!(decoded(&wide(u16::to_be_bytes)), "Wörter\n");
        assert_eq!(decoded(b"\xff\xfe"), "");
        assert_eq!(decoded(b"\xff\xfe\x00"), "", "half a character");
        assert_eq!(decoded(b""), "");
        assert_eq!(decoded(b"a\xe9b"), "a\u{fffd}b");
    }
}
