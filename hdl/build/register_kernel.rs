//! What the block of a register map does in each clock.

use super::{Word, Writer, base};
use crate::description::Access;
use std::collections::BTreeMap;

impl Writer<'_> {
    pub fn write_kernel(&mut self) {
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
        self.line(0, "RegisterBus::link(&mut self.s_axi, &mut self.slave.s_axi);");
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
            self.line(
                0,
                "self.counters.read.next = self.slave.command_valid.val() && !self.slave.command_write.val() && self.in_counters.val();",
            );
            self.read_word(s);
            self.line(0, format!("self.events.next = bits::<{n}>(0);"));
            let names: Vec<String> = self.map.counters().filter_map(|r| r.port(r.fields.first()?)).collect();
            for (i, name) in names.iter().enumerate() {
                self.line(0, format!("self.events.next = self.events.val().replace_bit({i}, self.{name}.val());"));
            }
            self.line(0, "self.counters.events.next = self.events.val();");
        }
        self.kernel.push('\n');
    }

    /// Which word of the counters is meant.
    fn read_word(&mut self, s: u32) {
        let (k, pairs) = (s + 1, self.word_bits() - 1);
        if self.counters_in_line() {
            self.line(0, format!("self.counters.read_word.next = self.slave.command_word.val().get_bits::<{k}>(0);"));
            return;
        }
        self.line(0, format!("self.pair_of_words.next = self.slave.command_word.val().get_bits::<{pairs}>(1);"));
        self.line(0, format!("self.counter_number.next = bits::<{s}>(0);"));
        self.line(0, "match self.pair_of_words.val().index() {");
        let offsets: Vec<u32> = self.map.counters().map(|r| r.offset).collect();
        for (i, offset) in offsets.iter().enumerate() {
            self.line(1, format!("{} => {{", offset / 8));
            self.line(2, format!("self.counter_number.next = bits::<{s}>({i});"));
            self.line(1, "}");
        }
        self.line(1, "_ => {}");
        self.line(0, "}");
        self.line(
            0,
            format!(
                "self.counters.read_word.next = (bit_cast::<{k}, {s}>(self.counter_number.val()) << 1) | bit_cast::<{k}, 1>(self.slave.command_word.val().get_bits::<1>(0));"
            ),
        );
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
        let terms = match terms.as_slice() {
            [] => "bits::<32>(0)".to_string(),
            [one] => one.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(one).to_string(),
            several => several.join(" | "),
        };
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
}
