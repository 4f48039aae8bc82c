//! What is written beside the Verilog, so that a folder is complete: for Vivado the description that its IP catalogue reads, constraints
//! and Tcl; for FuseSoC its core file; for people a page with a block diagram and a waveform of each interface, a black box, and templates
//! to copy from.
//!
//! Everything follows from the ports and comments of the elaborated top, and from [`About`]. Same design, same text: no date, no path.

mod bundle;
mod crossing;
mod diagram;
mod escape;
mod fields;
mod fusesoc;
mod ip_xact;
mod package;
mod page;
#[cfg(test)]
mod sample;
mod templates;
mod wavedrom;
mod waves;
mod xdc;
mod xml;

use crate::SourceFile;
use crate::interface::{self, is_packaged};
use crate::ir::{Design, Module, Process};
use bundle::{Interface, Shape};
use rdma_rtl_hdl::csr::RegisterMap;

/// First part of the name that IP-XACT and FuseSoC give a block; the second one is its profile.
const VENDOR: &str = "rdma-rtl";

/// Period of the clock that out-of-context runs are constrained to, in nanoseconds: 322.265625 MHz, at which a 100G MAC gives 512 bits.
const PERIOD_NS: &str = "3.103";

/// What the elaborated design does not say of itself.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    pub profile: &'a str,
    /// one line
    pub about: &'a str,
    pub latency: &'a str,
    pub throughput: &'a str,
    /// the profile's sizes
    pub parameters: &'a [Parameter],
    /// three numbers with dots between them
    pub version: &'a str,
    /// Bytes that an AXI slave answers to, by the name of its bus, where its address is wider than that.
    pub slave_bytes: &'a [(&'a str, u64)],
}

/// A size that is fixed in the Verilog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub value: u64,
    pub about: String,
}

/// Every file beside the Verilog but the file list, `names.json` and those of the register map. Names have `/` where they lie in a folder.
///
/// `sources` are the names of the Verilog files. A top that is not packaged (its clock is not `aclk`) has no `component.xml`: nothing that
/// a block design could connect.
pub fn files(design: &Design, about: &About, sources: &[String], map: Option<&RegisterMap>) -> Vec<SourceFile> {
    let top = design.top();
    let name = top.name.as_str();
    let interfaces = bundle::interfaces(top);
    let crossings = crossing::scoped(design).into_iter().filter(|(module, _)| module.name != name);
    let mut described: Vec<(String, &'static str, String)> = vec![
        (format!("{name}_ooc.xdc"), "constraints of the block on its own", xdc::out_of_context(name, &interfaces)),
        (format!("{name}.xdc"), "constraints where it is used", xdc::in_context(design, &interfaces)),
        (format!("stub/{name}.v"), "the module as a black box", templates::stub(top, about)),
        (format!("{name}.veo"), "instantiation in Verilog", templates::verilog(top, about)),
        (format!("{name}.vho"), "component and instantiation in VHDL", templates::vhdl(top, about)),
        (format!("{name}.core"), "FuseSoC", fusesoc::core(name, about, sources)),
    ];
    described
        .extend(crossings.map(|(m, text)| (format!("{}.xdc", m.name), "constraints of each instance of that module", text.to_string())));
    if is_packaged(top) {
        described.extend([
            (
                "component.xml".into(),
                "IP-XACT: this folder is an IP repository",
                ip_xact::component(name, about, sources, &interfaces, map),
            ),
            (ip_xact::page_file(name, about), "its page in Vivado's dialog", package::page(name)),
            ("package_ip.tcl".into(), "packages it anew with Vivado's packager", package::script(name, about, sources, &interfaces)),
        ]);
    }
    let mut listed: Vec<(String, &'static str)> = vec![
        (format!("{name}.v"), "the top module"),
        (format!("{name}.f"), "file list, children before their owners"),
        ("names.json".into(), "the field in the Rust of each signal"),
    ];
    listed.extend(described.iter().map(|(name, what, _)| (name.clone(), *what)));
    let page = page::Page { design, about, interfaces: &interfaces, map, files: listed };
    let file = |name: String, text: String| SourceFile { name, text };
    let mut files =
        vec![file(page_name(name), page::text(&page)), file("doc/block_diagram.svg".into(), diagram::svg(name, about, &interfaces))];
    for interface in &interfaces {
        if let Some(wave) = waves::wave(interface, clock_of(top, &interfaces, interface), map) {
            let json = serde_json::to_string_pretty(&wave).unwrap_or_default() + "\n";
            files.push(file(format!("doc/wave_{}.svg", interface.name), wavedrom::svg(&wave)));
            files.push(file(format!("doc/wave_{}.json", interface.name), json));
        }
    }
    described.into_iter().map(|(name, _, text)| file(name, text)).chain(files).collect()
}

/// The clock by which an interface goes: the one of the registers that drive it, where there are several.
fn clock_of<'a>(top: &'a Module, interfaces: &'a [Interface], interface: &Interface) -> Option<&'a str> {
    let drives = |process: &'a Process| match process {
        Process::Clocked { clock, targets, .. } => {
            let port = |id| interface.ports.iter().any(|p| p.signal.name == top.signal(id).name);
            targets.iter().any(|id| port(*id)).then(|| top.signal(*clock).name.as_str())
        }
        _ => None,
    };
    let clocks = || interfaces.iter().filter(|i| i.shape == Shape::Clock).map(|i| i.name.as_str());
    if is_packaged(top) {
        return Some(interface::clock_of(&interface.name, clocks()));
    }
    let first = || clocks().next();
    top.processes.iter().find_map(drives).or_else(first)
}

fn page_name(top: &str) -> String {
    format!("doc/{top}.md")
}

fn has_wave(interface: &Interface) -> bool {
    !matches!(interface.shape, Shape::Clock | Shape::Reset { .. } | Shape::Loose)
}
