//! What is written of a register map: the texts that software and documentation are made of.
//!
//! Hardware, texts and tests come from the same [`RegisterMap`], so an offset is a number in one place.

mod c;
mod json;
mod markdown;
mod rust;
mod system_rdl;

use crate::SourceFile;
use rdma_rtl_hdl::csr::{Invalid, RegisterMap};

/// Every text of a register map: `<top>_registers.rdl`, `.h`, `.rs`, `.md`, `.json`.
/// # Errors
/// A map that no hardware can be made of.
pub fn texts(map: &RegisterMap) -> Result<Vec<SourceFile>, Invalid> {
    map.check()?;
    let file = |suffix: &str, text: String| SourceFile { name: format!("{}_registers.{suffix}", map.name), text };
    Ok(vec![
        file("rdl", system_rdl::text(map)),
        file("h", c::text(map)),
        file("rs", rust::text(map)),
        file("md", markdown::text(map)),
        file("json", json::text(map)),
    ])
}

/// The field's bits: `7:0`, or `3` for one.
fn bits(low: u32, bits: u32) -> String {
    if bits == 1 { low.to_string() } else { format!("{}:{low}", low + bits - 1) }
}
