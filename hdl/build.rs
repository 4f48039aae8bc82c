//! Makes the block of each register map from its description, into the build folder.

#[path = "build/bundles.rs"]
mod bundles;
#[path = "src/csr/description.rs"]
#[allow(dead_code)]
mod description;
#[path = "src/csr/endpoint.rs"]
#[allow(dead_code)]
mod endpoint;
#[path = "build/register_block.rs"]
mod register_block;
#[path = "src/csr/sections.rs"]
#[allow(dead_code)]
mod sections;
#[path = "src/csr/send_sections.rs"]
#[allow(dead_code)]
mod send_sections;

use std::path::PathBuf;
use std::process::ExitCode;

/// A folder for copies of what is made, for whoever wants to read it.
const COPIES: &str = "RDMA_RTL_REGISTERS";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=src/csr");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed={COPIES}");
    match register_blocks() {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            println!("cargo::error={text}");
            ExitCode::FAILURE
        }
    }
}

fn register_blocks() -> Result<(), String> {
    let mut folders = vec![PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?)];
    folders.extend(std::env::var_os(COPIES).filter(|folder| !folder.is_empty()).map(PathBuf::from));
    for folder in &folders {
        std::fs::create_dir_all(folder).map_err(|e| format!("{} cannot be made: {e}", folder.display()))?;
    }
    let parameters = endpoint::Parameters::default();
    let bundles = bundles::bundles(&endpoint::registers(endpoint::Top::CombinedEndpoint, &parameters));
    let mut files = vec![("bundles.rs".to_string(), bundles::source(&bundles))];
    for top in endpoint::TOPS {
        let map = endpoint::registers(top, &parameters);
        map.check().map_err(|e| e.to_string())?;
        files.push((format!("{}_registers.rs", map.name), register_block::source(&map, &bundles)));
    }
    for (name, source) in files {
        for folder in &folders {
            let path = folder.join(&name);
            std::fs::write(&path, &source).map_err(|e| format!("{} cannot be written: {e}", path.display()))?;
        }
    }
    Ok(())
}
