//! `component.xml`: the IP-XACT description (IEEE 1685-2009) that Vivado's IP catalogue reads.
//!
//! The elements and their order are those of the standard's schema; names of views, bus types, bus parameters and of everything in the name
//! space `xilinx` are those that Vivado's packager writes. Its checksums and its time of creation are left out: the first are Vivado's own
//! business, and the second would make two equal runs differ.

mod bus;
mod memory;

pub use memory::slave_range;

use super::About;
use super::bundle::{Interface, Port};
use super::escape::comment;
use super::xml::Xml;
use rdma_rtl_hdl::csr::RegisterMap;

/// Where Vivado's catalogue shows the block.
pub const TAXONOMY: &str = "/Communication_&_Networking/Ethernet";

/// Families whose primitives the Verilog is written for, as Vivado spells them. No claim of having been run there: `Pre-Production`.
pub const FAMILIES: [&str; 13] = [
    "artix7",
    "artixuplus",
    "kintex7",
    "kintexu",
    "kintexuplus",
    "spartan7",
    "versal",
    "virtex7",
    "virtexu",
    "virtexuplus",
    "virtexuplusHBM",
    "zynq",
    "zynquplus",
];

const SYNTHESIS: &str = "xilinx_anylanguagesynthesis";
const SIMULATION: &str = "xilinx_anylanguagebehavioralsimulation";
const DOCUMENTATION: &str = "xilinx_documentation";
const PAGE: &str = "xilinx_xpgui";

/// The first two numbers: Vivado's versions have no third.
pub fn ip_version(version: &str) -> String {
    version.split('.').take(2).collect::<Vec<_>>().join(".")
}

/// What the catalogue calls the block.
pub fn display_name(top: &str, about: &About) -> String {
    format!("{top} ({})", about.profile)
}

/// The page of the customisation dialog, beside `component.xml`.
pub fn page_file(top: &str, about: &About) -> String {
    format!("xgui/{top}_v{}.tcl", ip_version(about.version).replace('.', "_"))
}

/// `component.xml` of a packaged top.
pub fn component(top: &str, about: &About, sources: &[String], interfaces: &[Interface], map: Option<&RegisterMap>) -> String {
    let mut xml = Xml::new();
    let spaces = [
        ("xmlns:xilinx", "http://www.xilinx.com"),
        ("xmlns:spirit", "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"),
        ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
    ];
    xml.element("spirit:component", &spaces, |xml| {
        xml.text("spirit:vendor", &[], super::VENDOR);
        xml.text("spirit:library", &[], about.profile);
        xml.text("spirit:name", &[], top);
        xml.text("spirit:version", &[], &ip_version(about.version));
        bus::interfaces(xml, interfaces);
        memory::address_spaces(xml, interfaces);
        memory::memory_maps(xml, interfaces, about, map);
        xml.element("spirit:model", &[], |xml| {
            views(xml, top);
            // The Verilog has no parameters, so there is no model parameter that Vivado could set.
            let ports = interfaces.iter().flat_map(|i| &i.ports);
            xml.element("spirit:ports", &[], |xml| ports.for_each(|p| port(xml, p)));
        });
        file_sets(xml, top, about, sources);
        xml.text("spirit:description", &[], &comment(about.about));
        parameters(xml, top, about);
        vendor_extensions(xml, top, about);
    });
    xml.finish()
}

fn views(xml: &mut Xml, top: &str) {
    let of = [
        (SYNTHESIS, "Synthesis", ":vivado.xilinx.com:synthesis", true),
        (SIMULATION, "Simulation", ":vivado.xilinx.com:simulation", true),
        (DOCUMENTATION, "Documentation", ":vivado.xilinx.com:docs.all", false),
        (PAGE, "UI Layout", ":vivado.xilinx.com:xgui.ui", false),
    ];
    xml.element("spirit:views", &[], |xml| {
        for (name, shown, environment, model) in of {
            xml.element("spirit:view", &[], |xml| {
                xml.text("spirit:name", &[], name);
                xml.text("spirit:displayName", &[], shown);
                xml.text("spirit:envIdentifier", &[], environment);
                if model {
                    xml.text("spirit:language", &[], "Verilog");
                    xml.text("spirit:modelName", &[], top);
                }
                xml.element("spirit:fileSetRef", &[], |xml| xml.text("spirit:localName", &[], &file_set(name)));
            });
        }
    });
}

fn file_set(view: &str) -> String {
    format!("{view}_view_fileset")
}

fn port(xml: &mut Xml, port: &Port) {
    xml.element("spirit:port", &[], |xml| {
        xml.text("spirit:name", &[], &port.signal.name);
        if !port.signal.doc.is_empty() {
            xml.text("spirit:description", &[], &comment(&port.signal.doc));
        }
        xml.element("spirit:wire", &[], |xml| {
            xml.text("spirit:direction", &[], if port.is_input() { "in" } else { "out" });
            let long = [("spirit:format", "long")];
            let width = port.signal.width;
            if width > 1 {
                xml.element("spirit:vector", &[], |xml| {
                    xml.text("spirit:left", &long, &(width - 1).to_string());
                    xml.text("spirit:right", &long, "0");
                });
            }
            xml.element("spirit:wireTypeDefs", &[], |xml| {
                xml.element("spirit:wireTypeDef", &[], |xml| {
                    xml.text("spirit:typeName", &[], if width > 1 { "std_logic_vector" } else { "std_logic" });
                    xml.text("spirit:viewNameRef", &[], SYNTHESIS);
                    xml.text("spirit:viewNameRef", &[], SIMULATION);
                });
            });
        });
    });
}

fn file_sets(xml: &mut Xml, top: &str, about: &About, sources: &[String]) {
    let verilog = |xml: &mut Xml| {
        for name in sources {
            xml.element("spirit:file", &[], |xml| {
                xml.text("spirit:name", &[], name);
                xml.text("spirit:fileType", &[], "verilogSource");
            });
        }
    };
    let other = |xml: &mut Xml, name: &str, types: &[&str]| {
        xml.element("spirit:file", &[], |xml| {
            xml.text("spirit:name", &[], name);
            for ty in types {
                let tag = if *ty == "tclSource" { "spirit:fileType" } else { "spirit:userFileType" };
                xml.text(tag, &[], ty);
            }
        });
    };
    let set = |xml: &mut Xml, view: &str, files: &dyn Fn(&mut Xml)| {
        xml.element("spirit:fileSet", &[], |xml| {
            xml.text("spirit:name", &[], &file_set(view));
            files(xml);
        });
    };
    xml.element("spirit:fileSets", &[], |xml| {
        set(xml, SYNTHESIS, &|xml| {
            other(xml, &format!("{top}_ooc.xdc"), &["xdc", "USED_IN_synthesis", "USED_IN_out_of_context"]);
            verilog(xml);
        });
        set(xml, SIMULATION, &verilog);
        set(xml, DOCUMENTATION, &|xml| other(xml, &super::page_name(top), &["text"]));
        set(xml, PAGE, &|xml| other(xml, &page_file(top, about), &["tclSource", "XGUI_VERSION_2"]));
    });
}

/// The profile's sizes, to be read as `CONFIG.NAME` of a cell; nothing that could be set.
fn parameters(xml: &mut Xml, top: &str, about: &About) {
    xml.element("spirit:parameters", &[], |xml| {
        for parameter in about.parameters {
            let name = parameter.name.to_uppercase();
            let id = format!("PARAM_VALUE.{name}");
            xml.element("spirit:parameter", &[], |xml| {
                xml.text("spirit:name", &[], &name);
                xml.text("spirit:displayName", &[], &parameter.name);
                xml.text("spirit:description", &[], &comment(&parameter.about));
                let of = [("spirit:format", "long"), ("spirit:resolve", "immediate"), ("spirit:id", id.as_str())];
                xml.text("spirit:value", &of, &parameter.value.to_string());
            });
        }
        xml.element("spirit:parameter", &[], |xml| {
            xml.text("spirit:name", &[], "Component_Name");
            let of = [("spirit:resolve", "user"), ("spirit:id", "PARAM_VALUE.Component_Name"), ("spirit:order", "1")];
            xml.text("spirit:value", &of, &format!("{top}_v{}", ip_version(about.version).replace('.', "_")));
        });
    });
}

fn vendor_extensions(xml: &mut Xml, top: &str, about: &About) {
    xml.element("spirit:vendorExtensions", &[], |xml| {
        xml.element("xilinx:coreExtensions", &[], |xml| {
            xml.element("xilinx:supportedFamilies", &[], |xml| {
                for family in FAMILIES {
                    xml.text("xilinx:family", &[("xilinx:lifeCycle", "Pre-Production")], family);
                }
            });
            xml.element("xilinx:taxonomies", &[], |xml| xml.text("xilinx:taxonomy", &[], TAXONOMY));
            xml.text("xilinx:displayName", &[], &display_name(top, about));
            xml.text("xilinx:coreRevision", &[], about.version.split('.').nth(2).unwrap_or("0"));
        });
    });
}
