//! SystemRDL 2.0.

use rdma_rtl_hdl::csr::{Access, RegisterMap};
use std::fmt::Write;

/// A text between quotation marks.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Words that a name must not be: those of SystemRDL 2.0 that a register could be called.
const KEYWORDS: &[&str] = &[
    "abstract",
    "accesstype",
    "addressingtype",
    "addrmap",
    "alias",
    "all",
    "bit",
    "boolean",
    "bothedge",
    "component",
    "componentwidth",
    "constraint",
    "counter",
    "default",
    "encode",
    "enum",
    "external",
    "false",
    "field",
    "fullalign",
    "hw",
    "inside",
    "internal",
    "level",
    "longint",
    "mem",
    "na",
    "negedge",
    "nonsticky",
    "number",
    "onreadtype",
    "onwritetype",
    "posedge",
    "precedencetype",
    "property",
    "r",
    "rclr",
    "ref",
    "reg",
    "regalign",
    "regfile",
    "rset",
    "ruser",
    "rw",
    "rw1",
    "signal",
    "signaltype",
    "string",
    "struct",
    "sw",
    "this",
    "true",
    "type",
    "unsigned",
    "w",
    "w1",
    "wclr",
    "woclr",
    "woset",
    "wot",
    "wr",
    "wset",
    "wuser",
    "wzc",
    "wzs",
    "wzt",
];

/// A name, escaped if it is a word of the language.
fn name(text: &str) -> String {
    if KEYWORDS.contains(&text) { format!("\\{text}") } else { text.to_string() }
}

pub fn text(map: &RegisterMap) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "// Registers of {}. Made from the description that the hardware is made of.", map.name);
    let _ = writeln!(out, "addrmap {} {{", map.name);
    let _ = writeln!(out, "    name = {};\n    desc = {};", quoted(&map.name), quoted(&map.doc));
    out.push_str("    default regwidth = 32;\n    default accesswidth = 32;\n    littleendian;\n    lsb0;\n");
    for register in &map.registers {
        let _ = writeln!(out, "\n    reg {{\n        name = {};\n        desc = {};", quoted(&register.name), quoted(&register.doc));
        if register.width != 32 {
            let _ = writeln!(out, "        regwidth = {};", register.width);
        }
        for field in &register.fields {
            // `sw` is what the bus may do, `hw` what the logic behind it may.
            let access = match field.access {
                Access::ReadOnly => "sw = r; hw = w;",
                Access::ReadWrite => "sw = rw; hw = r;",
                Access::WriteOneToClear => "sw = rw; onwrite = woclr; hw = r; hwset;",
                Access::Pulse => "sw = w; hw = r; singlepulse;",
                Access::Constant => "sw = r; hw = na;",
                Access::Counter => "sw = r; hw = r; counter;",
            };
            let _ = writeln!(out, "        field {{\n            desc = {};\n            {access}", quoted(&field.doc));
            let high = field.low + field.bits - 1;
            let reset = match field.access {
                Access::ReadOnly => String::new(),
                _ => format!(" = {:#x}", field.reset),
            };
            let _ = writeln!(out, "        }} {}[{high}:{}]{reset};", name(&field.name), field.low);
        }
        let _ = writeln!(out, "    }} {} @ {:#x};", name(&register.name), register.offset);
    }
    out.push_str("};\n");
    out
}
