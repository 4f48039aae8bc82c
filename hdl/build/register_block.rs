//! The hardware of a register map, as the source of a rust-hdl block.
//!
//! Kernels know no names but their own fields and no numbers but literals, so a block that has a port for each register must be text
//! of its own. It is written from the description and kept in the source tree, where a person can read it; the build stops if it is
//! not what the description gives.

use crate::description::{Access, Field, Register, RegisterMap};
use std::collections::BTreeMap;
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
struct Writer<'m> {
    map: &'m RegisterMap,
    parts: Vec<Part<'m>>,
    /// field, type, doc; ports first
    fields: Vec<(String, String, String)>,
    /// fields whose start value comes from the map: name, expression
    made: BTreeMap<String, String>,
    kernel: String,
}

/// The source file of the map's block.
pub fn source(map: &RegisterMap) -> String {
    let mut writer = Writer { map, parts: parts(map), fields: Vec::new(), made: BTreeMap::new(), kernel: String::new() };
    writer.ports();
    writer.state();
    writer.write_kernel();
    writer.text()
}

impl Writer<'_> {
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

    fn ports(&mut self) {
        let a = self.map.address_bits;
        self.field("clk", "Signal<In, Clock>", "clock");
        self.field("rst", "Signal<In, Bit>", "synchronous, active high");
        for (name, direction, bits, doc) in [
            ("awvalid", "In", 1, "write address is there"),
            ("awready", "Out", 1, "it is taken"),
            ("awaddr", "In", a, "byte address"),
            ("awprot", "In", 3, "not looked at"),
            ("wvalid", "In", 1, "write data is there"),
            ("wready", "Out", 1, "it is taken"),
            ("wdata", "In", 32, "value"),
            ("wstrb", "In", 4, "which bytes count"),
            ("bvalid", "Out", 1, "a write is done"),
            ("bready", "In", 1, "that is taken"),
            ("bresp", "Out", 2, "0 OKAY, 2 SLVERR"),
            ("arvalid", "In", 1, "read address is there"),
            ("arready", "Out", 1, "it is taken"),
            ("araddr", "In", a, "byte address"),
            ("arprot", "In", 3, "not looked at"),
            ("rvalid", "Out", 1, "a value is there"),
            ("rready", "In", 1, "it is taken"),
            ("rdata", "Out", 32, "the value"),
            ("rresp", "Out", 2, "0 OKAY, 2 SLVERR"),
        ] {
            self.field(format!("s_axi_{name}"), format!("Signal<{direction}, {}>", kind(bits)), doc);
        }
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
        let (a, wa) = (self.map.address_bits, self.word_bits());
        self.field("slave", format!("AxiLiteSlave<{a}, {wa}>"), "");
        if let Some((n, s)) = self.counters() {
            self.field("counters", format!("CounterBank<{n}, {s}, {k}, {k}>", k = s + 1), "");
            self.field("events", format!("Signal<Local, Bits<{n}>>"), "");
            self.field("in_counters", "Signal<Local, Bit>", "");
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
            ("word_1", format!("Bits<{wa}>")),
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

    fn write_kernel(&mut self) {
        self.registers_of_the_block();
        self.slave();
        self.stage_0();
        self.stage_1();
        self.outputs();
        self.reset();
    }

    fn registers_of_the_block(&mut self) {
        let names: Vec<String> = self.fields.iter().filter(|f| f.1.starts_with("Reg<")).map(|f| f.0.clone()).collect();
        for some in names.chunks(8) {
            self.line(0, format!("dff_setup!(self, clk, {});", some.join(", ")));
        }
        self.kernel.push('\n');
    }

    fn slave(&mut self) {
        self.line(0, "self.slave.clk.next = self.clk.val();");
        self.line(0, "self.slave.rst.next = self.rst.val();");
        let ports: Vec<(String, String)> = self.fields.iter().filter(|f| f.0.starts_with("s_axi_")).map(|f| (f.0.clone(), f.1.clone())).collect();
        for (name, kind) in ports {
            if kind.starts_with("Signal<In") {
                self.line(0, format!("self.slave.{name}.next = self.{name}.val();"));
            } else {
                self.line(0, format!("self.{name}.next = self.slave.{name}.val();"));
            }
        }
        for name in ["valid", "write", "error", "data"] {
            self.line(0, format!("self.slave.answer_{name}.next = self.{name}_2.q.val();"));
        }
        self.kernel.push('\n');
    }

    fn stage_0(&mut self) {
        let wa = self.word_bits();
        self.line(0, "// What each word reads as.");
        for word in self.words().iter().filter(|w| w.direct.is_none()) {
            self.assemble(word);
        }
        self.kernel.push('\n');
        self.line(0, "// Stage 0: one register for each row of 16 words, and whether the command may be.");
        self.line(0, format!("self.row.next = self.slave.command_word.val().get_bits::<{}>(4);", wa - 4));
        self.line(0, "self.column.next = self.slave.command_word.val().get_bits::<4>(0);");
        for (row, words) in self.rows() {
            self.line(0, format!("self.row_{row}.d.next = bits::<32>(0);"));
            self.line(0, "match self.column.val().index() {");
            for word in words {
                let value = word.direct.clone().unwrap_or_else(|| format!("self.{}_word.val()", word.name));
                self.line(1, format!("{} => {{", word.offset / 4 % 16));
                self.line(2, format!("self.row_{row}.d.next = {value};"));
                self.line(1, "}");
            }
            self.line(1, "_ => {}");
            self.line(0, "}");
        }
        self.line(0, "self.valid_1.d.next = self.slave.command_valid.val();");
        for name in ["write", "word", "data", "mask"] {
            self.line(0, format!("self.{name}_1.d.next = self.slave.command_{name}.val();"));
        }
        self.line(0, "self.allowed_1.d.next = false;");
        let readable: Vec<u32> = self.map.registers.iter().flat_map(|r| (0..r.width / 32).map(|h| r.offset / 4 + h)).collect();
        let writable: Vec<u32> = self.words().iter().filter(|w| w.writable).map(|w| w.offset / 4).collect();
        self.line(0, "match self.slave.command_word.val().index() {");
        for word in readable {
            self.line(1, format!("{word} => {{"));
            let value = if writable.contains(&word) { "true" } else { "!self.slave.command_write.val()" };
            self.line(2, format!("self.allowed_1.d.next = {value};"));
            self.line(1, "}");
        }
        self.line(1, "_ => {}");
        self.line(0, "}");
        if let Some((n, s)) = self.counters() {
            self.line(0, "self.in_counters.next = false;");
            self.line(0, "match self.row.val().index() {");
            for row in self.counter_rows() {
                self.line(1, format!("{row} => {{"));
                self.line(2, "self.in_counters.next = true;");
                self.line(1, "}");
            }
            self.line(1, "_ => {}");
            self.line(0, "}");
            self.line(0, "self.counters.clk.next = self.clk.val();");
            self.line(0, "self.counters.rst.next = self.rst.val();");
            let clear = match &self.map.clear_counters {
                Some((register, field)) => format!("self.{register}_{field}.q.val()"),
                None => "false".into(),
            };
            self.line(0, format!("self.counters.clear.next = {clear};"));
            self.line(0, "self.counters.read.next = self.slave.command_valid.val() && !self.slave.command_write.val() && self.in_counters.val();");
            self.line(0, format!("self.counters.read_word.next = self.slave.command_word.val().get_bits::<{}>(0);", s + 1));
            self.line(0, format!("self.events.next = bits::<{n}>(0);"));
            let names: Vec<String> = self.map.counters().filter_map(|r| r.port(r.fields.first()?)).collect();
            for (i, name) in names.iter().enumerate() {
                self.line(0, format!("self.events.next = self.events.val().replace_bit({i}, self.{name}.val());"));
            }
            self.line(0, "self.counters.events.next = self.events.val();");
        }
        self.kernel.push('\n');
    }

    fn counter_rows(&self) -> Vec<u32> {
        let rows: std::collections::BTreeSet<u32> = self.map.counters().map(|r| r.offset / 64).collect();
        rows.into_iter().collect()
    }

    /// The word from its parts.
    fn assemble(&mut self, word: &Word) {
        let mut terms = Vec::new();
        let mut single = Vec::new();
        if word.constant {
            terms.push(format!("self.{}_constant.val()", word.name));
        }
        for part in self.parts.iter().filter(|p| p.offset == word.offset) {
            let value = match part.field.access {
                Access::ReadWrite | Access::WriteOneToClear => format!("self.{}.q.val()", part.name),
                Access::ReadOnly => format!("self.{}.val()", part.register.port(part.field).unwrap_or_default()),
                _ => continue,
            };
            if part.bits == 1 {
                single.push((part.low, value));
            } else if part.low == 0 {
                terms.push(format!("bit_cast::<32, {}>({value})", part.bits));
            } else {
                terms.push(format!("(bit_cast::<32, {}>({value}) << {})", part.bits, part.low));
            }
        }
        let name = format!("{}_word", word.name);
        let terms = if terms.is_empty() { "bits::<32>(0)".to_string() } else { terms.join(" | ") };
        self.line(0, format!("self.{name}.next = {terms};"));
        for (low, value) in single {
            self.line(0, format!("self.{name}.next = self.{name}.val().replace_bit({low}, {value});"));
        }
    }

    fn stage_1(&mut self) {
        let wa = self.word_bits();
        self.line(0, "// Stage 1: the row that was meant; writes.");
        self.line(0, format!("self.row_of_1.next = self.word_1.q.val().get_bits::<{}>(4);", wa - 4));
        self.line(0, "self.valid_2.d.next = self.valid_1.q.val();");
        self.line(0, "self.write_2.d.next = self.write_1.q.val();");
        self.line(0, "self.error_2.d.next = !self.allowed_1.q.val();");
        self.line(0, "self.data_2.d.next = bits::<32>(0);");
        self.line(0, "if self.allowed_1.q.val() {");
        self.line(1, "match self.row_of_1.val().index() {");
        for row in self.rows().into_keys() {
            self.line(2, format!("{row} => {{"));
            self.line(3, format!("self.data_2.d.next = self.row_{row}.q.val();"));
            self.line(2, "}");
        }
        for row in self.counter_rows() {
            self.line(2, format!("{row} => {{"));
            self.line(3, "self.data_2.d.next = self.counters.read_data.val();");
            self.line(2, "}");
        }
        self.line(2, "_ => {}");
        self.line(1, "}");
        self.line(0, "}");
        self.line(0, "self.keep.next = !self.mask_1.q.val();");
        let mut before = Vec::new();
        let mut arms: BTreeMap<u32, Vec<String>> = BTreeMap::new();
        for part in &self.parts {
            let (name, low, bits) = (&part.name, part.low, part.bits);
            let arm = arms.entry(part.offset / 4).or_default();
            let slice = |signal: &str| match bits {
                1 => format!("self.{signal}.get_bit({low})"),
                32 => format!("self.{signal}"),
                _ => format!("self.{signal}.get_bits::<{bits}>({low})"),
            };
            let (data, keep) = (slice("data_1.q.val()"), slice("keep.val()"));
            match part.field.access {
                Access::ReadWrite => arm.push(format!("self.{name}.d.next = (self.{name}.q.val() & {keep}) | {data};")),
                Access::WriteOneToClear => {
                    let port = part.register.port(part.field).unwrap_or_default();
                    before.push(format!("self.{name}.d.next = self.{name}.q.val() | self.{port}.val();"));
                    arm.push(format!("self.{name}.d.next = (self.{name}.q.val() & !{data}) | self.{port}.val();"));
                }
                Access::Pulse => {
                    let zero = if bits == 1 { "false".to_string() } else { format!("bits::<{bits}>(0)") };
                    before.push(format!("self.{name}.d.next = {zero};"));
                    arm.push(format!("self.{name}.d.next = {data};"));
                }
                _ => {}
            }
        }
        for text in before {
            self.line(0, text);
        }
        self.line(0, "if self.valid_1.q.val() && self.write_1.q.val() {");
        self.line(1, "match self.word_1.q.val().index() {");
        for (word, lines) in arms.into_iter().filter(|(_, lines)| !lines.is_empty()) {
            self.line(2, format!("{word} => {{"));
            for text in lines {
                self.line(3, text);
            }
            self.line(2, "}");
        }
        self.line(2, "_ => {}");
        self.line(1, "}");
        self.line(0, "}");
        self.kernel.push('\n');
    }

    fn outputs(&mut self) {
        let mut lines = Vec::new();
        for register in &self.map.registers {
            for field in &register.fields {
                if !matches!(field.access, Access::ReadWrite | Access::Pulse) {
                    continue;
                }
                let (port, name) = (register.port(field).unwrap_or_default(), base(register, field));
                if field.bits > 32 {
                    let (bits, high) = (field.bits, field.bits - 32);
                    lines.push(format!(
                        "self.{port}.next = bit_cast::<{bits}, 32>(self.{name}_low.q.val()) | (bit_cast::<{bits}, {high}>(self.{name}_high.q.val()) << 32);"
                    ));
                } else {
                    lines.push(format!("self.{port}.next = self.{name}.q.val();"));
                }
            }
        }
        if let Some((status, enable)) = &self.map.interrupt {
            let (status, enable) = (self.map.find(status), self.map.find(enable));
            if let (Some(status), Some(enable)) = (status, enable) {
                let both: Vec<String> = status
                    .fields
                    .iter()
                    .filter_map(|s| enable.fields.iter().find(|e| e.low == s.low).map(|e| (base(status, s), base(enable, e))))
                    .map(|(s, e)| format!("(self.{s}.q.val() && self.{e}.q.val())"))
                    .collect();
                lines.push(format!("self.irq_now.d.next = {};", both.join(" || ")));
                lines.push("self.irq.next = self.irq_now.q.val();".into());
            }
        }
        for text in lines {
            self.line(0, text);
        }
        self.kernel.push('\n');
    }

    fn reset(&mut self) {
        self.line(0, "if self.rst.val() {");
        self.line(1, "self.valid_1.d.next = false;");
        self.line(1, "self.valid_2.d.next = false;");
        let mut lines = Vec::new();
        for part in &self.parts {
            let name = &part.name;
            match part.field.access {
                Access::ReadWrite => lines.push(format!("self.{name}.d.next = self.{name}_reset.val();")),
                Access::WriteOneToClear | Access::Pulse if part.bits == 1 => lines.push(format!("self.{name}.d.next = false;")),
                Access::WriteOneToClear | Access::Pulse => lines.push(format!("self.{name}.d.next = bits::<{}>(0);", part.bits)),
                _ => {}
            }
        }
        if self.map.interrupt.is_some() {
            lines.push("self.irq_now.d.next = false;".into());
        }
        for text in lines {
            self.line(1, text);
        }
        self.line(0, "}");
    }

    fn text(&self) -> String {
        let (name, ty) = (&self.map.name, camel(&self.map.name));
        let mut out = format!(
            "// Made from the description in `hdl/src/csr/{name}.rs`: change that, and run `make registers`.\n\n\
             use super::{name}::{{Parameters, registers}};\n"
        );
        out.push_str("use crate::Described;\n");
        out.push_str(if self.counters().is_some() { "use crate::csr::{AxiLiteSlave, CounterBank, RegisterMap};\n" } else { "use crate::csr::{AxiLiteSlave, RegisterMap};\n" });
        out.push_str("use crate::primitives::Reg;\nuse rust_hdl::prelude::*;\n\n");
        let _ = write!(
            out,
            "/// Registers of `{name}` behind an AXI4-Lite slave; the map is in the documentation that is made from the same description.\n///\n\
             /// `cfg_` is a value that software writes, `status_` one that it reads as it is, `set_` sets a bit that it clears, `do_` is one clock\n\
             /// high after a one was written, `evt_` counts its clocks. Holes and writes to what is only read are answered by SLVERR.\n\
             /// Latency: 5 clocks from address to answer, 4 from write address and data to `cfg_`. Throughput: one read per 2 clocks and one write per\n\
             /// 2 clocks at the same time. Reset: every register has its reset value, every counter is zero.\n\
             #[derive(Clone, Debug, Described, LogicBlock)]\npub struct {ty}Registers {{\n"
        );
        for (name, kind, doc) in &self.fields {
            if doc.is_empty() {
                let _ = writeln!(out, "    {name}: {kind},");
            } else {
                let _ = writeln!(out, "    /// {doc}\n    pub {name}: {kind},");
            }
        }
        let _ = write!(
            out,
            "    _map: RegisterMap,\n}}\n\nimpl {ty}Registers {{\n    /// The registers with the constants and reset values that these parameters give.\n    \
             pub fn new(parameters: &Parameters) -> Self {{\n        let map = registers(parameters);\n        Self {{\n"
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
             pub fn map(&self) -> &RegisterMap {{\n        &self._map\n    }}\n}}\n\nimpl Logic for {ty}Registers {{\n    #[hdl_gen]\n    fn update(&mut self) {{\n"
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
