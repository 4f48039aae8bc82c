//! Stops the build where the block of a register map is not the one that its description gives.

#[path = "src/csr/bitmap_endpoint.rs"]
#[allow(dead_code)]
mod bitmap_endpoint;
#[path = "src/csr/bitmap_receive_endpoint.rs"]
#[allow(dead_code)]
mod bitmap_receive_endpoint;
#[path = "src/csr/combined_endpoint.rs"]
#[allow(dead_code)]
mod combined_endpoint;
#[path = "src/csr/combined_receive_endpoint.rs"]
#[allow(dead_code)]
mod combined_receive_endpoint;
#[path = "src/csr/combined_send_endpoint.rs"]
#[allow(dead_code)]
mod combined_send_endpoint;
#[path = "src/csr/description.rs"]
#[allow(dead_code)]
mod description;
#[path = "src/csr/endpoint.rs"]
#[allow(dead_code)]
mod endpoint;
#[path = "src/csr/receive_endpoint.rs"]
#[allow(dead_code)]
mod receive_endpoint;
#[path = "build/register_block.rs"]
mod register_block;
#[path = "src/csr/sections.rs"]
#[allow(dead_code)]
mod sections;
#[path = "src/csr/send_endpoint.rs"]
#[allow(dead_code)]
mod send_endpoint;
#[path = "src/csr/send_sections.rs"]
#[allow(dead_code)]
mod send_sections;

use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=RDMA_RTL_REGISTERS");
    if let Err(text) = register_blocks() {
        println!("cargo::error={text}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Compares the block of each register map with its source file, or writes it if `RDMA_RTL_REGISTERS` is `write`.
fn register_blocks() -> Result<(), String> {
    let write = std::env::var("RDMA_RTL_REGISTERS").is_ok_and(|v| v == "write");
    for map in [
        receive_endpoint::registers(&receive_endpoint::Parameters::default()),
        combined_receive_endpoint::registers(&combined_receive_endpoint::Parameters::default()),
        send_endpoint::registers(&send_endpoint::Parameters::default()),
        combined_send_endpoint::registers(&combined_send_endpoint::Parameters::default()),
        endpoint::registers(&endpoint::Parameters::default()),
        bitmap_receive_endpoint::registers(&bitmap_receive_endpoint::Parameters::default()),
        bitmap_endpoint::registers(&bitmap_endpoint::Parameters::default()),
        combined_endpoint::registers(&combined_endpoint::Parameters::default()),
    ] {
        map.check().map_err(|e| e.to_string())?;
        let path = format!("src/csr/{}_registers.rs", map.name);
        let made = register_block::source(&map);
        // A checkout may have other line ends.
        let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        if kept == made {
            continue;
        }
        if !write {
            return Err(format!("hdl/{path} is not what the description in hdl/src/csr/{}.rs gives: run `make registers`", map.name));
        }
        std::fs::write(&path, made).map_err(|e| format!("hdl/{path} cannot be written: {e}"))?;
    }
    Ok(())
}
