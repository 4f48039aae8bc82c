//! The hardware of a register map, as the source of a rust-hdl block.
//!
//! Kernels know no names but their own fields, so a block that has a port for each register is text of its own.

#[path = "register_kernel.rs"]
mod kernel;

use crate::bundles::Bundle;
use crate::description::{Access, Field, Register, RegisterMap};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// `receive_endpoint` to `ReceiveEndpoint`.
fn camel(name: &str) -> String {
    let upper = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').filter(|w| !w.is_empty()).map(upper).collect()
}

/// One part of a field: what lies in one 32-bit word, kept in one register of the hardware.
struct Part<'m> {
    register: &'m Register,
    field: &'m Field,
    /// name in the block
    name: String,
    /// byte address of the word
    offset: u32,
    /// bits in the word
    low: u32,
    bits: u32,
    /// lowest bit in the field
    from: u32,
}

fn base(register: &Register, field: &Field) -> String {
    if field.name == "value" { register.name.clone() } else { format!("{}_{}", register.name, field.name) }
}

fn parts(map: &RegisterMap) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for register in map.registers.iter().filter(|r| !r.is_counter()) {
        for field in &register.fields {
            let name = base(register, field);
            if register.width == 32 {
                parts.push(Part { register, field, name, offset: register.offset, low: field.low, bits: field.bits, from: 0 });
            } else {
                let offset = register.offset;
                parts.push(Part { register, field, name: format!("{name}_low"), offset, low: 0, bits: field.bits.min(32), from: 0 });
                let bits = field.bits.saturating_sub(32);
                if bits > 0 {
                    parts.push(Part { register, field, name: format!("{name}_high"), offset: offset + 4, low: 0, bits, from: 32 });
                }
            }
        }
    }
    parts
}

fn kind(bits: u32) -> String {
    if bits == 1 { "Bit".into() } else { format!("Bits<{bits}>") }
}

/// Writes the block.
///
/// It has const generics although its map fixes them: a generic block becomes code where it is used, its kernel where simulations are made
/// and its syntax tree, a megabyte of code that runs once, where nothing is optimised.
struct Writer<'m> {
    map: &'m RegisterMap,
    parts: Vec<Part<'m>>,
    /// field, type, doc; ports first
    fields: Vec<(String, String, String)>,
    /// fields whose start value comes from the map: name, expression
    made: BTreeMap<String, String>,
    kernel: String,
    /// bundles that the map has all of
    bundles: Vec<&'m Bundle>,
}

/// The source file of the map's block.
pub fn source<'m>(map: &'m RegisterMap, bundles: &'m [Bundle]) -> String {
    let mut writer =
        Writer { map, parts: parts(map), fields: Vec::new(), made: BTreeMap::new(), kernel: String::new(), bundles: Vec::new() };
    writer.ports();
    writer.state();
    writer.write_kernel();
    writer.bundle(bundles);
    writer.text()
}

impl<'m> Writer<'m> {
    /// Ports that are a bundle become one field.
    fn bundle(&mut self, bundles: &'m [Bundle]) {
        for bundle in bundles {
            let ports: BTreeSet<String> = bundle.signals.iter().map(|signal| format!("{}_{}", bundle.port, signal.name)).collect();
            if !ports.iter().all(|port| self.fields.iter().any(|(name, _, _)| name == port)) {
                continue;
            }
            for signal in &bundle.signals {
                let (flat, inside) = (format!("self.{}_{}.", bundle.port, signal.name), format!("self.{}.{}.", bundle.field, signal.name));
                self.kernel = self.kernel.replace(&flat, &inside);
            }
            let first = self.fields.iter().position(|(name, _, _)| ports.contains(name)).unwrap_or_default();
            self.fields.retain(|(name, _, _)| !ports.contains(name));
            self.fields.insert(first, (bundle.field.into(), bundle.mirror.into(), String::new()));
            self.bundles.push(bundle);
        }
    }

    fn field(&mut self, name: impl Into<String>, kind: impl Into<String>, doc: &str) {
        self.fields.push((name.into(), kind.into(), doc.to_string()));
    }

    fn line(&mut self, depth: usize, text: impl AsRef<str>) {
        let _ = writeln!(self.kernel, "{:width$}{}", "", text.as_ref(), width = 8 + 4 * depth);
    }

    fn word_bits(&self) -> u32 {
        self.map.address_bits - 2
    }

    /// Number of counters and the bits that number them.
    fn counters(&self) -> Option<(u32, u32)> {
        let n = self.map.counters().count() as u32;
        (n > 0).then(|| (n, n.next_power_of_two().trailing_zeros().max(2)))
    }

    /// The number of a counter is a part of its address.
    fn counters_in_line(&self) -> bool {
        let space = self.counters().map_or(1, |(_, s)| 8 << s);
        let first = self.map.counters().next().map_or(0, |r| r.offset);
        first.is_multiple_of(space) && self.map.counters().enumerate().all(|(i, r)| r.offset == first + 8 * i as u32)
    }

    fn ports(&mut self) {
        self.field("clk", "Signal<In, Clock>", "clock");
        self.field("rst", "Signal<In, Bit>", "synchronous, active high");
        self.field("s_axi", "RegisterBus<ADDRESS_BITS>", "the bus of the software");
        if self.map.interrupt.is_some() {
            self.field("irq", "Signal<Out, Bit>", "an interrupt is set and enabled");
        }
        let registers = &self.map.registers;
        let mut found = Vec::new();
        for register in registers {
            for field in &register.fields {
                let Some(port) = register.port(field) else { continue };
                let direction = match field.access {
                    Access::ReadWrite | Access::Pulse => "Out",
                    _ => "In",
                };
                let bits = if field.access == Access::Counter { 1 } else { field.bits };
                let doc = if field.name == "value" { register.doc.clone() } else { format!("{}: {}", register.doc, field.doc) };
                found.push((port, format!("Signal<{direction}, {}>", kind(bits)), doc));
            }
        }
        self.fields.extend(found);
    }

    fn state(&mut self) {
        let wa = self.word_bits();
        self.field("slave", "AxiLiteSlave<ADDRESS_BITS, WORD_ADDRESS_BITS>", "");
        if let Some((n, s)) = self.counters() {
            self.field("counters", format!("CounterBank<{n}, {s}, {k}, {k}>", k = s + 1), "");
            self.field("events", format!("Signal<Local, Bits<{n}>>"), "");
            self.field("in_counters", "Signal<Local, Bit>", "");
            if !self.counters_in_line() {
                self.field("pair_of_words", format!("Signal<Local, Bits<{}>>", wa - 1), "");
                self.field("counter_number", format!("Signal<Local, Bits<{s}>>"), "");
            }
        }
        let mut fields = Vec::new();
        let mut made = Vec::new();
        for part in &self.parts {
            match part.field.access {
                Access::ReadWrite => {
                    fields.push((part.name.clone(), format!("Reg<{}>", kind(part.bits))));
                    let reset = format!("{}_reset", part.name);
                    let value = format!("map.reset_bits({:?}, {}, {})", part.register.name, part.field.low + part.from, part.bits);
                    let value = if part.bits == 1 { format!("{value} == 1") } else { format!("{value}.to_bits()") };
                    fields.push((reset.clone(), format!("Constant<{}>", kind(part.bits))));
                    made.push((reset, format!("Constant::new({value})")));
                }
                Access::WriteOneToClear | Access::Pulse => fields.push((part.name.clone(), format!("Reg<{}>", kind(part.bits)))),
                _ => {}
            }
        }
        for word in self.words() {
            if word.constant {
                fields.push((format!("{}_constant", word.name), "Constant<Bits<32>>".into()));
                let value = format!("map.constant_word({:#x}).to_bits()", word.offset);
                made.push((format!("{}_constant", word.name), format!("Constant::new({value})")));
            }
            if word.direct.is_none() {
                fields.push((format!("{}_word", word.name), "Signal<Local, Bits<32>>".into()));
            }
        }
        for (name, kind) in fields {
            self.field(name, kind, "");
        }
        self.made.extend(made);
        self.field("row", format!("Signal<Local, Bits<{}>>", wa - 4), "");
        self.field("column", "Signal<Local, Bits<4>>", "");
        for row in self.rows().keys() {
            self.field(format!("row_{row}"), "Reg<Bits<32>>", "");
        }
        for (name, kind) in [
            ("valid_1", "Bit".to_string()),
            ("write_1", "Bit".into()),
            ("allowed_1", "Bit".into()),
            ("word_1", "Bits<WORD_ADDRESS_BITS>".into()),
            ("data_1", "Bits<32>".into()),
            ("mask_1", "Bits<32>".into()),
            ("valid_2", "Bit".into()),
            ("write_2", "Bit".into()),
            ("error_2", "Bit".into()),
            ("data_2", "Bits<32>".into()),
        ] {
            self.field(name, format!("Reg<{kind}>"), "");
        }
        self.field("keep", "Signal<Local, Bits<32>>", "");
        self.field("row_of_1", format!("Signal<Local, Bits<{}>>", wa - 4), "");
        if self.map.interrupt.is_some() {
            self.field("irq_now", "Reg<Bit>", "");
        }
    }

    fn words(&self) -> Vec<Word> {
        let mut words: Vec<Word> = Vec::new();
        for register in self.map.registers.iter().filter(|r| !r.is_counter()) {
            for half in 0..register.width / 32 {
                let offset = register.offset + 4 * half;
                let suffix = ["_low", "_high"][half as usize];
                let name = if register.width == 32 { register.name.clone() } else { format!("{}{suffix}", register.name) };
                let mine: Vec<&Part> = self.parts.iter().filter(|p| p.offset == offset).collect();
                let constant = mine.iter().any(|p| p.field.access == Access::Constant);
                let direct = match mine.as_slice() {
                    _ if constant && mine.iter().all(|p| p.field.access == Access::Constant) => Some(format!("self.{name}_constant.val()")),
                    [one] if one.bits == 32 => match one.field.access {
                        Access::ReadWrite | Access::WriteOneToClear => Some(format!("self.{}.q.val()", one.name)),
                        Access::ReadOnly => one.register.port(one.field).map(|p| format!("self.{p}.val()")),
                        _ => None,
                    },
                    _ => None,
                };
                words.push(Word { name, offset, constant, direct, writable: mine.iter().any(|p| p.field.access.writable()) });
            }
        }
        words
    }

    /// Words by the upper part of their address.
    fn rows(&self) -> BTreeMap<u32, Vec<Word>> {
        let mut rows: BTreeMap<u32, Vec<Word>> = BTreeMap::new();
        for word in self.words() {
            rows.entry(word.offset / 64).or_default().push(word);
        }
        rows
    }

    fn text(&self) -> String {
        let (name, ty, a, wa) = (&self.map.name, camel(&self.map.name), self.map.address_bits, self.word_bits());
        let mut out = String::from(
            "// Made from the description in `hdl/src/csr/endpoint.rs`.\n\n\
             use super::endpoint::{Parameters, Top, registers};\n",
        );
        out.push_str("use crate::{Described, kernel};\n");
        out.push_str(if self.counters().is_some() {
            "use crate::csr::{AxiLiteSlave, CounterBank, RegisterMap};\n"
        } else {
            "use crate::csr::{AxiLiteSlave, RegisterMap};\n"
        });
        let bundles: Vec<&str> = self.bundles.iter().map(|bundle| bundle.mirror).collect();
        if !bundles.is_empty() {
            let _ = writeln!(out, "use crate::csr::bundles::{{{}}};", bundles.join(", "));
        }
        out.push_str("use crate::bus::RegisterBus;\nuse crate::primitives::Reg;\nuse rust_hdl::prelude::*;\n\n");
        let _ = write!(
            out,
            "/// Registers of `{name}` behind an AXI4-Lite slave; the map is in the documentation that is made from the same description.\n///\n\
             /// `cfg_` is a value that software writes, `status_` one that it reads as it is, `set_` sets a bit that it clears, `do_` is one clock\n\
             /// high after a one was written, `evt_` counts its clocks. Holes and writes to what is only read are answered by SLVERR.\n\
             /// Latency: 5 clocks from address to answer, 4 from write address and data to `cfg_`. Throughput: one read per 2 clocks and one write per\n\
             /// 2 clocks at the same time. Reset: every register has its reset value, every counter is zero.\n"
        );
        let _ = writeln!(
            out,
            "/// `ADDRESS_BITS` = {a} bits of an address, `WORD_ADDRESS_BITS` = `ADDRESS_BITS` - 2 of a word's: what the map needs."
        );
        if let Some((n, s)) = self.counters() {
            let late = (1 << s) + 4;
            let _ = writeln!(out, "/// What is read of one of the {n} counters lacks at most the events of the last {late} clocks.");
        }
        let _ = write!(
            out,
            "#[derive(Clone, Debug, Described, LogicBlock)]\n#[described(file = \"hdl/src/csr/endpoint.rs\")]\n\
             pub struct {ty}Registers<const ADDRESS_BITS: usize = {a}, const WORD_ADDRESS_BITS: usize = {wa}> {{\n"
        );
        for (name, kind, doc) in &self.fields {
            if let Some(bundle) = self.bundles.iter().find(|bundle| bundle.field == name) {
                let _ = writeln!(out, "    #[port = {:?}]\n    pub {name}: {kind},", bundle.port);
            } else if doc.is_empty() {
                let _ = writeln!(out, "    {name}: {kind},");
            } else {
                let _ = writeln!(out, "    /// {doc}\n    pub {name}: {kind},");
            }
        }
        let sizes = "const ADDRESS_BITS: usize, const WORD_ADDRESS_BITS: usize";
        let sized = format!("{ty}Registers<ADDRESS_BITS, WORD_ADDRESS_BITS>");
        let _ = write!(
            out,
            "    #[variant]\n    _map: RegisterMap,\n}}\n\n\
             impl<{sizes}> Default for {sized} {{\n    /// As the profile `default`.\n    fn default() -> Self {{\n        \
             Self::new(registers(Top::{ty}, &Parameters::default()))\n    }}\n}}\n\n\
             impl<{sizes}> {sized} {{\n    /// The registers with the constants and reset values of a map of this top.\n    \
             pub fn new(map: RegisterMap) -> Self {{\n        \
             assert!(\n            ADDRESS_BITS == {a} && WORD_ADDRESS_BITS == {wa},\n            \
             \"{ty}Registers: ADDRESS_BITS = {{ADDRESS_BITS}}, WORD_ADDRESS_BITS = {{WORD_ADDRESS_BITS}}; the map needs {a} and {wa}\"\n        \
             );\n        Self {{\n"
        );
        for (name, _, _) in &self.fields {
            match self.made.get(name) {
                Some(value) => {
                    let _ = writeln!(out, "            {name}: {value},");
                }
                None => {
                    let _ = writeln!(out, "            {name}: Default::default(),");
                }
            }
        }
        let _ = write!(
            out,
            "            _map: map,\n        }}\n    }}\n\n    /// The description that the block was made from, with its constants and reset values.\n    \
             pub fn map(&self) -> &RegisterMap {{\n        &self._map\n    }}\n}}\n\n\
             impl<{sizes}> Logic for {sized} {{\n    #[kernel]\n    fn update(&mut self) {{\n"
        );
        out.push_str(&self.kernel);
        out.push_str("    }\n}\n");
        out
    }
}

/// A 32-bit word of the map, as it is read.
struct Word {
    name: String,
    offset: u32,
    /// some of it is constant
    constant: bool,
    /// a signal that is the whole word
    direct: Option<String>,
    writable: bool,
}
