//! Writes down which files the crate has.

use std::path::Path;

fn main() {
    if let Err(text) = run() {
        println!("cargo::error={text}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), String> {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?;
    let hdl = Path::new(&here).parent().ok_or("this package is in a folder")?.to_path_buf();
    let (sources, schema) = (hdl.join("src"), hdl.join("parameters.toml"));
    println!("cargo::rerun-if-changed={}", sources.display());
    println!("cargo::rerun-if-changed={}", schema.display());
    let text = std::fs::read_to_string(&schema).map_err(|e| format!("{}: {e}", schema.display()))?;
    let schema = rdma_rtl_profile::parse_schema("hdl/parameters.toml", &text).map_err(|e| e.to_string())?;
    let unit = rdma_rtl_profile::unit::all(&sources, &schema).map_err(|e| format!("{}: {e}", sources.display()))?;
    let out = Path::new(&std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?).join("unit.rs");
    std::fs::write(&out, unit.text).map_err(|e| format!("{}: {e}", out.display()))
}
