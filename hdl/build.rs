//! Stops the build where `#[hdl_gen]` would silently make other hardware than the Rust says.

#[path = "build/kernel_check.rs"]
mod kernel_check;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=build");
    match kernel_check::in_folder(Path::new("src")) {
        Ok(traps) if traps.is_empty() => ExitCode::SUCCESS,
        Ok(traps) => {
            for trap in traps {
                println!("cargo::error={trap}");
            }
            ExitCode::FAILURE
        }
        Err(e) => {
            println!("cargo::error=hdl/src cannot be read: {e}");
            ExitCode::FAILURE
        }
    }
}
