//! What a person copies from: the black box, the instantiation in Verilog, the component in VHDL.

use super::About;
use super::escape::comment;
use crate::identifier::is_vhdl_keyword;
use crate::ir::{Kind, Module, Signal};
use std::fmt::Write;

fn ports(top: &Module) -> impl Iterator<Item = &Signal> {
    top.signals.iter().filter(|s| s.kind != Kind::Net)
}

/// The module without its content, for a netlist that comes later.
pub fn stub(top: &Module, about: &About) -> String {
    let mut out = format!("// {}: {}\n// Ports only: for a design that takes this block as a netlist.\n", top.name, comment(about.about));
    // A black box reads and drives nothing, which is what these two warn of.
    let quiet = ["UNUSEDSIGNAL", "UNDRIVEN"];
    let each = |switch: &str| quiet.map(|w| format!("/* verilator {switch} {w} */\n")).concat();
    let _ = write!(
        out,
        "\n`default_nettype none\n\n{}(* black_box, blackbox *)\nmodule {} {}endmodule\n{}\n`default_nettype wire\n",
        each("lint_off"),
        top.name,
        crate::verilog::port_list(top),
        each("lint_on")
    );
    out
}

/// An instance with every port named, connected to a wire of the same name.
pub fn verilog(top: &Module, about: &About) -> String {
    let mut out = format!("// {}: {}\n", top.name, comment(about.about));
    let wide = ports(top).map(|s| s.name.len()).max().unwrap_or_default();
    let rows: Vec<(String, String)> = ports(top)
        .map(|s| {
            let direction = if s.kind == Kind::Input { "input " } else { "output" };
            (format!("    .{:wide$} ({})", s.name, s.name), format!("{direction} {}", crate::verilog::range(s.width)))
        })
        .collect();
    let _ = writeln!(out, "\n{} {}_0 (", top.name, top.name.trim_end_matches('_'));
    let column = rows.iter().map(|(connection, _)| connection.len()).max().unwrap_or_default() + 1;
    for (i, (connection, what)) in rows.iter().enumerate() {
        let comma = if i + 1 < rows.len() { "," } else { "" };
        let connection = format!("{connection}{comma}");
        let _ = writeln!(out, "{}", format!("{connection:column$} // {what}").trim_end());
    }
    out.push_str(");\n");
    out
}

/// A name that VHDL takes: an extended identifier where a plain one may not be.
fn vhdl_name(name: &str) -> String {
    let plain =
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.ends_with('_') && !name.contains("__") && !is_vhdl_keyword(name);
    if plain { name.to_string() } else { format!("\\{name}\\") }
}

/// The component declaration and an instance of it.
pub fn vhdl(top: &Module, about: &About) -> String {
    let name = vhdl_name(&top.name);
    let wide = ports(top).map(|s| vhdl_name(&s.name).len()).max().unwrap_or_default();
    let mut out = format!("-- {}: {}\n\ncomponent {name}\n", top.name, comment(about.about));
    let declarations: Vec<String> = ports(top)
        .map(|s| {
            let direction = if s.kind == Kind::Input { "in " } else { "out" };
            let ty = match s.width {
                1 => "std_logic".to_string(),
                width => format!("std_logic_vector({} downto 0)", width - 1),
            };
            format!("    {:wide$} : {direction} {ty}", vhdl_name(&s.name))
        })
        .collect();
    let connections: Vec<String> = ports(top).map(|s| format!("    {:wide$} => {}", vhdl_name(&s.name), vhdl_name(&s.name))).collect();
    if !declarations.is_empty() {
        let _ = writeln!(out, "  port (\n{}\n  );", declarations.join(";\n"));
    }
    let _ = writeln!(out, "end component;\n\n{} : {name}", vhdl_name(&format!("{}_0", top.name.trim_end_matches('_'))));
    if !connections.is_empty() {
        let _ = writeln!(out, "  port map (\n{}\n  )", connections.join(",\n"));
    }
    out.push_str(";\n");
    out
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    const ABOUT: About =
        About { profile: "small", about: "", latency: "", throughput: "", parameters: &[], version: "0.1.0", slave_bytes: &[] };

    /// What Verilog takes as a name and VHDL does not: reserved words in any case, underscores in the wrong places.
    #[test]
    fn names_that_vhdl_reserves_are_extended_identifiers() {
        let ports = [("label", 1, true), ("Range", 4, true), ("a__b", 1, true), ("if_", 1, true), ("vunit", 2, false), ("psn", 24, false)];
        let text = vhdl(&sample::module("process", &ports), &ABOUT);
        for name in ["label", "Range", "a__b", "if_", "vunit"] {
            assert_eq!(text.matches(&format!("\\{name}\\")).count(), 3, "{name}: {text}");
        }
        assert!(text.contains("component \\process\\\n") && text.contains("\nprocess_0 : \\process\\\n"), "{text}");
        assert!(text.contains("    psn     : out std_logic_vector(23 downto 0)"), "{text}");
    }
}
