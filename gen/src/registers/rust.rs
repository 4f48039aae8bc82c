//! Rust constants.

use rdma_rtl_hdl::csr::{Access, RegisterMap};
use std::fmt::Write;

/// Digits in groups of four.
fn hex(value: u64, width: u32) -> String {
    let digits = format!("{value:0w$x}", w = if width == 64 { 16 } else { 8 });
    let groups: Vec<&str> = digits.as_bytes().chunks(4).filter_map(|c| std::str::from_utf8(c).ok()).collect();
    format!("0x{}", groups.join("_"))
}

pub fn text(map: &RegisterMap) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "//! {} Registers of `{}`.\n//!", map.doc, map.name);
    out.push_str(
        "//! `OFFSET` is a byte address. Read the low word of a counter first: it keeps the high word of the same moment.\n\
         //! `SHIFT`, `BITS` and `MASK` say where a field lies in its register, `RESET` is the register's value after reset.\n\n",
    );
    let _ = writeln!(out, "/// Bytes that the bus can address.\npub const SIZE: u32 = {};", hex(map.size().into(), 32));
    for register in &map.registers {
        let ty = format!("u{}", register.width);
        let _ = writeln!(out, "\n/// {}\npub mod {} {{", register.doc, register.name);
        let _ = writeln!(out, "    pub const OFFSET: u32 = {};", hex(register.offset.into(), 32));
        if register.fields.iter().any(|f| matches!(f.access, Access::ReadWrite | Access::Constant)) {
            let _ = writeln!(out, "    pub const RESET: {ty} = {};", hex(register.reset(), register.width));
        }
        for field in register.fields.iter().filter(|_| !register.is_counter()) {
            let own = field.name != "value";
            let pad = if own { "        " } else { "    " };
            if own {
                let _ = writeln!(out, "\n    /// {}: {}\n    pub mod {} {{", field.access.short(), field.doc, field.name);
            }
            let _ = writeln!(out, "{pad}pub const SHIFT: u32 = {};", field.low);
            let _ = writeln!(out, "{pad}pub const BITS: u32 = {};", field.bits);
            let _ = writeln!(out, "{pad}pub const MASK: {ty} = {};", hex(field.mask(), register.width));
            if own {
                out.push_str("    }\n");
            }
        }
        out.push_str("}\n");
    }
    out
}
