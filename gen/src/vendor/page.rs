//! The page of documentation: what the block is, its interfaces with every port, and the files of its folder.

use super::About;
use super::bundle::{Interface, Shape};
use super::escape::{cell, markdown};
use super::fields::fields;
use crate::ir::Design;
use rdma_rtl_hdl::csr::RegisterMap;
use std::fmt::Write;

/// Everything that the page speaks of. Files are named as seen from the folder of the block.
pub struct Page<'a> {
    pub design: &'a Design,
    pub about: &'a About<'a>,
    pub interfaces: &'a [Interface<'a>],
    pub map: Option<&'a RegisterMap>,
    /// name and what it is
    pub files: Vec<(String, &'static str)>,
}

pub fn text(page: &Page) -> String {
    let (about, top) = (page.about, page.design.top());
    let mut out = format!("# {}\n\n{}\n\n", top.name, markdown(about.about));
    let _ = writeln!(out, "| profile | latency | throughput |\n| --- | --- | --- |");
    let _ = writeln!(out, "| `{}` | {} | {} |\n", about.profile, cell(about.latency), cell(about.throughput));
    let _ = writeln!(out, "![{} and its ports](block_diagram.svg)\n", top.name);
    description(&mut out, &top.origin.doc);
    if !about.parameters.is_empty() {
        out.push_str(
            "## Sizes\n\nFixed in the Verilog; another profile gives others.\n\n| parameter | value | meaning |\n| --- | --- | --- |\n",
        );
        for parameter in about.parameters {
            let _ = writeln!(out, "| `{}` | {} | {} |", parameter.name, parameter.value, cell(&parameter.about));
        }
        out.push('\n');
    }
    out.push_str("## Interfaces\n\n");
    let waves = page.interfaces.iter().any(|i| super::has_wave(i));
    if waves {
        out.push_str("The waveforms show the order of handshakes, not how many clocks lie between them; bursts of AXI4 have four beats in them, and what a port takes\n\
             or gives is in its table.\n\n",);
    }
    for interface in page.interfaces {
        section(&mut out, page, interface);
    }
    if let Some(map) = page.map {
        let _ = writeln!(out, "## Registers\n\nAll of them: [{name}_registers.md](../{name}_registers.md).\n", name = map.name);
    }
    out.push_str("## Files\n\n| file | what |\n| --- | --- |\n");
    for (name, what) in &page.files {
        let _ = writeln!(out, "| [`{name}`](../{name}) | {what} |");
    }
    out
}

/// How the paragraphs of a block's comment begin that are not one with the one before.
const PARAGRAPHS: [&str; 6] = ["Latency:", "Throughput:", "Reset:", "Rules ", "Parameter", "Spec:"];

/// Those of them that speak of the Rust alone.
const INNER: [&str; 2] = ["Parameter", "Spec:"];

/// The comment of the block: Markdown of its own, of which no HTML may come.
fn description(page: &mut String, doc: &str) {
    let mut text = String::new();
    let out = &mut text;
    let (mut fenced, mut inner, mut table) = (false, false, false);
    // The first line is what stands above already.
    for line in doc.lines().skip(1) {
        let fence = line.trim_start().starts_with("```");
        let row = line.starts_with('|');
        let begins = PARAGRAPHS.iter().any(|p| line.starts_with(p));
        if !fenced {
            inner = INNER.iter().any(|p| line.starts_with(p)) || inner && !begins && !fence;
            if begins || fence || row != table {
                out.push('\n');
            }
        }
        table = row;
        if inner {
            continue;
        }
        out.push_str(&if fence || fenced { line.to_string() } else { markdown(line) });
        out.push('\n');
        if fence && fenced {
            out.push('\n');
        }
        fenced ^= fence;
    }
    if fenced {
        out.push_str("```\n");
    }
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    if !text.trim().is_empty() {
        page.push_str(text.trim());
        page.push_str("\n\n");
    }
}

fn section(out: &mut String, page: &Page, interface: &Interface) {
    let (name, kind) = (&interface.name, interface.kind());
    let _ = writeln!(out, "### {name}\n");
    if !kind.is_empty() {
        let _ = writeln!(out, "{}{}.\n", kind[..1].to_uppercase(), &kind[1..]);
    }
    out.push_str("| port | direction | bits | meaning |\n| --- | --- | --- | --- |\n");
    for port in &interface.ports {
        let direction = if port.is_input() { "in" } else { "out" };
        let _ = writeln!(out, "| `{}` | {direction} | {} | {} |", port.signal.name, port.signal.width, cell(&port.signal.doc));
    }
    out.push('\n');
    for port in &interface.ports {
        let fields = fields(page.design, port.signal);
        if !fields.is_empty() {
            let _ = writeln!(
                out,
                "Fields of `{}`, the first one in the lowest bits:\n\n| bits | width | field |\n| --- | --- | --- |",
                port.signal.name
            );
            for field in &fields {
                let range = if field.bits == 1 { field.low.to_string() } else { format!("{}:{}", field.low + field.bits - 1, field.low) };
                let _ = writeln!(out, "| {range} | {} | {} |", field.bits, cell(&field.doc));
            }
            out.push('\n');
        }
    }
    if let (Shape::Axi { lite: true, .. }, false, Some(map)) = (interface.shape, interface.master, page.map) {
        let _ = writeln!(out, "{} bytes of registers, accessed by 32-bit words.\n", map.size());
    }
    if super::has_wave(interface) {
        let _ = writeln!(out, "![handshakes of {name}](wave_{name}.svg)\n\nThe same as [WaveDrom JSON](wave_{name}.json).\n");
    }
}
