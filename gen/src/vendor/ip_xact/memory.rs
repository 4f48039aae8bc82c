//! What a slave answers to, and what a master can reach.

use crate::vendor::About;
use crate::vendor::bundle::{Interface, Shape};
use crate::vendor::escape::comment;
use crate::vendor::xml::{Attributes, Xml};
use rdma_rtl_hdl::csr::{Access, Field, Register, RegisterMap};

const LONG: Attributes = &[("spirit:format", "long")];

fn address_bits(interface: &Interface) -> usize {
    interface.width("AWADDR").max(interface.width("ARADDR"))
}

fn axi<'a>(interfaces: &'a [Interface<'a>], master: bool) -> impl Iterator<Item = &'a Interface<'a>> {
    interfaces.iter().filter(move |i| matches!(i.shape, Shape::Axi { .. }) && i.master == master)
}

/// Bytes that a slave answers to: what is known of it, else what its address can name, up to 4 GiB.
pub fn slave_range(interface: &Interface, about: &About) -> u64 {
    let known = about.slave_bytes.iter().find(|(bus, _)| *bus == interface.name).map(|(_, bytes)| *bytes);
    known.unwrap_or(1 << address_bits(interface).clamp(1, 32))
}

pub fn address_spaces(xml: &mut Xml, interfaces: &[Interface]) {
    if axi(interfaces, true).next().is_none() {
        return;
    }
    xml.element("spirit:addressSpaces", &[], |xml| {
        for interface in axi(interfaces, true) {
            let bits = address_bits(interface);
            // 2^64 does not fit into 64 bits; Vivado writes it with a suffix.
            let range = if bits >= 64 { "16E".to_string() } else { (1u64 << bits).to_string() };
            xml.element("spirit:addressSpace", &[], |xml| {
                xml.text("spirit:name", &[], &interface.name);
                xml.text("spirit:range", &[], &range);
                xml.text("spirit:width", LONG, &bits.to_string());
            });
        }
    });
}

pub fn memory_maps(xml: &mut Xml, interfaces: &[Interface], about: &About, map: Option<&RegisterMap>) {
    if axi(interfaces, false).next().is_none() {
        return;
    }
    xml.element("spirit:memoryMaps", &[], |xml| {
        for interface in axi(interfaces, false) {
            let lite = matches!(interface.shape, Shape::Axi { lite: true, .. });
            let map = map.filter(|map| lite && map.address_bits as usize == address_bits(interface));
            xml.element("spirit:memoryMap", &[], |xml| {
                xml.text("spirit:name", &[], &interface.name);
                xml.element("spirit:addressBlock", &[], |xml| {
                    xml.text("spirit:name", &[], if map.is_some() { "reg0" } else { "mem0" });
                    xml.text("spirit:baseAddress", LONG, "0");
                    let range = map.map_or_else(|| slave_range(interface, about), |m| u64::from(m.size()));
                    xml.text("spirit:range", LONG, &range.to_string());
                    xml.text("spirit:width", LONG, &interface.width("WDATA").max(interface.width("RDATA")).to_string());
                    xml.text("spirit:usage", &[], if map.is_some() { "register" } else { "memory" });
                    xml.text("spirit:access", &[], "read-write");
                    map.iter().flat_map(|m| &m.registers).for_each(|r| register(xml, r));
                });
            });
        }
    });
}

/// A register of 64 bits is two words of the bus, the low one first.
fn register(xml: &mut Xml, register: &Register) {
    for (i, suffix) in ["", "_high"].iter().enumerate().take(register.width as usize / 32) {
        let first = 32 * i as u32;
        let fields: Vec<Field> = register.fields.iter().filter_map(|f| part(f, first)).collect();
        let name = format!("{}{suffix}", register.name);
        let doc = match (register.width, i) {
            (32, _) => register.doc.clone(),
            (_, 0) => format!("{} (bits 31:0)", register.doc),
            _ => format!("{} (bits 63:32)", register.doc),
        };
        xml.element("spirit:register", &[], |xml| {
            xml.text("spirit:name", &[], &name);
            xml.text("spirit:displayName", &[], &name);
            xml.text("spirit:description", &[], &comment(&doc));
            xml.text("spirit:addressOffset", &[], &format!("{:#x}", register.offset + 4 * i as u32));
            xml.text("spirit:size", LONG, "32");
            xml.text("spirit:volatile", &[], if register.fields.iter().any(volatile) { "true" } else { "false" });
            xml.text("spirit:access", &[], whole_access(&register.fields));
            xml.element("spirit:reset", &[], |xml| {
                let value = register.reset() >> first & 0xffff_ffff;
                xml.text("spirit:value", LONG, &format!("{value:#x}"));
            });
            fields.iter().for_each(|f| field(xml, f));
        });
    }
}

/// The part of a field that lies in the word from bit `first` on.
fn part(field: &Field, first: u32) -> Option<Field> {
    let (low, end) = (field.low.max(first), (field.low + field.bits).min(first + 32));
    (low < end).then(|| Field { low: low - first, bits: end - low, ..field.clone() })
}

/// Reading twice may give two values though nothing was written.
fn volatile(field: &Field) -> bool {
    matches!(field.access, Access::ReadOnly | Access::WriteOneToClear | Access::Counter)
}

fn access(access: Access) -> &'static str {
    match access {
        Access::ReadOnly | Access::Constant | Access::Counter => "read-only",
        Access::ReadWrite | Access::WriteOneToClear => "read-write",
        Access::Pulse => "write-only",
    }
}

fn whole_access(fields: &[Field]) -> &'static str {
    let found: Vec<&str> = fields.iter().map(|f| access(f.access)).collect();
    match found.as_slice() {
        [first, rest @ ..] if rest.iter().all(|a| a == first) => first,
        _ => "read-write",
    }
}

fn field(xml: &mut Xml, field: &Field) {
    xml.element("spirit:field", &[], |xml| {
        xml.text("spirit:name", &[], &field.name);
        xml.text("spirit:description", &[], &comment(&field.doc));
        xml.text("spirit:bitOffset", &[], &field.low.to_string());
        xml.text("spirit:bitWidth", LONG, &field.bits.to_string());
        xml.text("spirit:volatile", &[], if volatile(field) { "true" } else { "false" });
        xml.text("spirit:access", &[], access(field.access));
        if field.access == Access::WriteOneToClear {
            xml.text("spirit:modifiedWriteValue", &[], "oneToClear");
        }
    });
}
