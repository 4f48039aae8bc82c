//! Fixtures in the layout of Vivado's reports, and what is made from them.

use rdma_rtl_report::vivado::{Parsed, Vivado, parse};
use std::path::{Path, PathBuf};

pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

pub fn names() -> Vec<String> {
    let all = std::fs::read_dir(fixtures()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = all.filter(|n| n.ends_with(".rpt")).collect();
    names.sort();
    names
}

pub fn text(name: &str) -> String {
    std::fs::read_to_string(fixtures().join(name)).unwrap()
}

/// The one report in a file.
pub fn read(name: &str, text: &str) -> Result<Vivado, String> {
    match &parse(name, text).map_err(|e| e.to_string())?[..] {
        [Parsed::Report(report)] => Ok((**report).clone()),
        other => Err(format!("{name}: {other:?}")),
    }
}

pub fn fixture(name: &str) -> Vivado {
    read(name, &text(name)).unwrap()
}
