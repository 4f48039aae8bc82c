//! The description that FuseSoC takes, CAPI2.

use super::About;
use super::escape::json;
use std::fmt::Write;

/// `TOP.core`: targets `default` for cores that depend on it, and `lint`.
pub fn core(top: &str, about: &About, sources: &[String]) -> String {
    let mut out = String::from("CAPI=2:\n");
    let vlnv = format!("{}:{}:{top}:{}", super::VENDOR, about.profile, about.version);
    let _ = writeln!(out, "name: {}\ndescription: {}\n", json(&vlnv), json(about.about));
    out.push_str("filesets:\n  rtl:\n    files:\n");
    for file in sources {
        let _ = writeln!(out, "      - {}", json(file));
    }
    out.push_str("    file_type: verilogSource-2005\n\n");
    let _ = writeln!(out, "targets:\n  default:\n    filesets: [rtl]\n    toplevel: {}", json(top));
    let _ = writeln!(out, "  lint:\n    description: \"Verilator, every warning\"\n    filesets: [rtl]\n    toplevel: {}", json(top));
    out.push_str("    flow: lint\n    flow_options:\n      tool: verilator\n      verilator_options: [\"-Wall\"]\n");
    out
}
