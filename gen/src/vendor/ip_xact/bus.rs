//! Bus interfaces: which ports they are made of, and what a connection has to know of them.

use crate::interface::{clock_of, reset_of};
use crate::vendor::bundle::{Interface, Shape};
use crate::vendor::xml::Xml;

/// Library and name of the bus, in Vivado's vocabulary; `None` for ports that are wires to it.
fn bus_type(shape: Shape) -> Option<(&'static str, &'static str)> {
    match shape {
        Shape::Clock => Some(("signal", "clock")),
        Shape::Reset { .. } => Some(("signal", "reset")),
        Shape::Interrupt => Some(("signal", "interrupt")),
        Shape::Stream => Some(("interface", "axis")),
        Shape::Axi { .. } => Some(("interface", "aximm")),
        Shape::Handshake | Shape::Loose => None,
    }
}

pub fn interfaces(xml: &mut Xml, interfaces: &[Interface]) {
    xml.element("spirit:busInterfaces", &[], |xml| {
        for interface in interfaces {
            if let Some(ty) = bus_type(interface.shape) {
                one(xml, interface, ty, &parameters(interface, interfaces));
            }
        }
    });
}

fn one(xml: &mut Xml, interface: &Interface, (library, name): (&str, &str), parameters: &[(&str, String)]) {
    let rtl = format!("{name}_rtl");
    let ty = |name| [("spirit:vendor", "xilinx.com"), ("spirit:library", library), ("spirit:name", name), ("spirit:version", "1.0")];
    xml.element("spirit:busInterface", &[], |xml| {
        xml.text("spirit:name", &[], &interface.name);
        xml.empty("spirit:busType", &ty(name));
        xml.empty("spirit:abstractionType", &ty(&rtl));
        match (interface.shape, interface.master) {
            (Shape::Axi { .. }, true) => xml.element("spirit:master", &[], |xml| {
                xml.empty("spirit:addressSpaceRef", &[("spirit:addressSpaceRef", &interface.name)]);
            }),
            (Shape::Axi { .. }, false) => xml.element("spirit:slave", &[], |xml| {
                xml.empty("spirit:memoryMapRef", &[("spirit:memoryMapRef", &interface.name)]);
            }),
            (_, true) => xml.empty("spirit:master", &[]),
            (_, false) => xml.empty("spirit:slave", &[]),
        }
        xml.element("spirit:portMaps", &[], |xml| {
            for port in &interface.ports {
                let logical = match interface.shape {
                    Shape::Clock => "CLK",
                    Shape::Reset { .. } => "RST",
                    Shape::Interrupt => "INTERRUPT",
                    _ => &port.logical,
                };
                xml.element("spirit:portMap", &[], |xml| {
                    xml.element("spirit:logicalPort", &[], |xml| xml.text("spirit:name", &[], logical));
                    xml.element("spirit:physicalPort", &[], |xml| xml.text("spirit:name", &[], &port.signal.name));
                });
            }
        });
        if !parameters.is_empty() {
            xml.element("spirit:parameters", &[], |xml| {
                for (parameter, value) in parameters {
                    let id = format!("BUSIFPARAM_VALUE.{}.{parameter}", interface.name.to_uppercase());
                    xml.element("spirit:parameter", &[], |xml| {
                        xml.text("spirit:name", &[], parameter);
                        xml.text("spirit:value", &[("spirit:id", &id)], value);
                    });
                }
            });
        }
    });
}

fn parameters(interface: &Interface, all: &[Interface]) -> Vec<(&'static str, String)> {
    let flag = |there: bool| if there { "1".to_string() } else { "0".to_string() };
    match interface.shape {
        Shape::Clock => {
            let clocks = || all.iter().filter(|i| i.shape == Shape::Clock).map(|i| i.name.as_str());
            let own = |bus: &&Interface| bus.is_bus() && clock_of(&bus.name, clocks()) == interface.name;
            let buses: Vec<&str> = all.iter().filter(own).map(|i| i.name.as_str()).collect();
            let reset = reset_of(&interface.name);
            let reset = all.iter().find(|i| matches!(i.shape, Shape::Reset { .. }) && i.name == reset);
            let mut found = Vec::new();
            if !buses.is_empty() {
                found.push(("ASSOCIATED_BUSIF", buses.join(":")));
            }
            found.extend(reset.map(|r| ("ASSOCIATED_RESET", r.name.clone())));
            found
        }
        Shape::Reset { active_low } => vec![("POLARITY", format!("ACTIVE_{}", if active_low { "LOW" } else { "HIGH" }))],
        Shape::Interrupt => vec![("SENSITIVITY", "LEVEL_HIGH".into())],
        Shape::Stream => vec![
            ("TDATA_NUM_BYTES", interface.width("TDATA").div_ceil(8).to_string()),
            ("TDEST_WIDTH", interface.width("TDEST").to_string()),
            ("TID_WIDTH", interface.width("TID").to_string()),
            ("TUSER_WIDTH", interface.width("TUSER").to_string()),
            ("HAS_TREADY", flag(interface.has("TREADY"))),
            ("HAS_TSTRB", flag(interface.has("TSTRB"))),
            ("HAS_TKEEP", flag(interface.has("TKEEP"))),
            ("HAS_TLAST", flag(interface.has("TLAST"))),
        ],
        Shape::Axi { lite, writes, reads } => {
            let either = |write: &str, read: &str| interface.width(write).max(interface.width(read)).to_string();
            let mode = match (reads, writes) {
                (true, true) => "READ_WRITE",
                (true, false) => "READ_ONLY",
                _ => "WRITE_ONLY",
            };
            let mut found = vec![
                ("ADDR_WIDTH", either("AWADDR", "ARADDR")),
                ("DATA_WIDTH", either("WDATA", "RDATA")),
                ("PROTOCOL", if lite { "AXI4LITE" } else { "AXI4" }.to_string()),
                ("READ_WRITE_MODE", mode.to_string()),
            ];
            if !lite {
                found.insert(2, ("ID_WIDTH", either("AWID", "ARID")));
            }
            found
        }
        Shape::Handshake | Shape::Loose => Vec::new(),
    }
}
