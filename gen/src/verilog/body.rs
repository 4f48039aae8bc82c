//! Declarations, processes and instances.

use super::expr::{Writer, intermediates};
use super::fold::{Folded, fold};
use super::rolled::{Loop, Rolled};
use super::sizes::Sizes;
use super::unused::Unused;
use super::{ASYNC_REG, Style, order, unused};
use crate::ir::{Arm, Connected, Expr, Instance, Kind, Module, Process, SignalId, Statement};
use num_bigint::BigUint;
use std::collections::{HashMap, HashSet};

/// Columns that a line should not pass.
const COLUMNS: usize = 110;

pub struct Body<'a> {
    writer: Writer<'a>,
    module: &'a Module,
    style: &'a Style<'a>,
    names: HashSet<String>,
    /// What stands instead of `if` and these conditions.
    heads: HashMap<SignalId, String>,
    out: String,
}

impl<'a> Body<'a> {
    pub fn new(module: &'a Module, style: &'a Style<'a>) -> Self {
        let signals = module.signals.iter().map(|s| &s.name);
        let others = module.constants.iter().map(|c| &c.name).chain(module.instances.iter().map(|i| &i.name));
        let names = signals.chain(others).cloned().collect();
        Self {
            writer: Writer { module, sizes: style.sizes(), named: Vec::new() },
            module,
            style,
            names,
            heads: HashMap::new(),
            out: String::new(),
        }
    }

    pub fn text(mut self) -> String {
        let unused = unused::find(self.module);
        self.constants();
        self.parts(&[], &[], unused)
    }

    /// As [`text`](Self::text), with loops.
    pub fn rolled(mut self, rolled: &Rolled) -> String {
        self.constants();
        self.parts(&rolled.vectors, &rolled.loops, rolled.unused.clone())
    }

    fn parts(mut self, vectors: &[(bool, SignalId)], loops: &[Loop], unused: Vec<Unused>) -> String {
        let registers = self.module.registers();
        self.registers(&registers);
        let (variables, nets): (Vec<_>, Vec<_>) = vectors.iter().partition(|(variable, _)| *variable);
        for (keyword, vectors) in [("reg ", variables), ("wire", nets)] {
            self.declarations(keyword, &vectors.into_iter().map(|(_, id)| id).collect::<Vec<_>>());
        }
        let (items, early) = order::declare_before_use(self.module);
        self.instance_outputs(&early);
        let mut first = true;
        for process in items {
            self.combinational(process, &early, &mut first);
        }
        for instance in &self.module.instances {
            self.instance(instance);
        }
        self.power_up(&registers);
        for process in &self.module.processes {
            if let Process::Clocked { clock, reset, body, .. } = process {
                self.clocked(*clock, reset.as_ref(), body);
            }
        }
        self.loops(loops);
        self.sinks(unused);
        self.out
    }

    fn loops(&mut self, loops: &[Loop]) {
        let Some(first) = loops.first() else { return };
        let i = &first.index;
        self.out.push_str(&format!("\n    genvar {i};\n    generate\n"));
        for one in loops {
            self.out.push_str(&format!("        for ({i} = 0; {i} < {}; {i} = {i} + 1) begin : {}\n", one.count, one.label));
            let numbers = one
                .numbers
                .iter()
                .map(|(width, name, value)| format!("    localparam {}{name} = {value};\n", spaced(self.sizes().range(*width))));
            let mut text: String = numbers.collect();
            let body = Body::new(&one.body, self.style).parts(&[], &[], one.unused.clone());
            text.push_str(if text.is_empty() { body.trim_start_matches('\n') } else { &body });
            for line in text.lines() {
                let indent = if line.is_empty() { "" } else { "        " };
                self.out.push_str(&format!("{indent}{line}\n"));
            }
            self.out.push_str("        end\n");
        }
        self.out.push_str("    endgenerate\n");
    }

    fn sizes(&self) -> &'a Sizes {
        self.style.sizes()
    }

    fn name(&self, id: SignalId) -> &'a str {
        &self.module.signal(id).name
    }

    fn constants(&mut self) {
        if !self.module.constants.is_empty() {
            self.out.push('\n');
        }
        let ranges = self.module.constants.iter().map(|c| self.sizes().range(c.width).len()).max().unwrap_or_default();
        let names = self.module.constants.iter().map(|c| c.name.len()).max().unwrap_or_default();
        for c in &self.module.constants {
            let range = if ranges == 0 { String::new() } else { format!("{:ranges$} ", self.sizes().range(c.width)) };
            let value = self.sizes().literal(&c.value, c.width);
            self.out.push_str(&format!("    localparam {range}{:names$} = {value};{}\n", c.name, comment(&c.doc)));
        }
    }

    fn declarations(&mut self, keyword: &str, ids: &[SignalId]) {
        if ids.is_empty() {
            return;
        }
        self.out.push('\n');
        let ranges = ids.iter().map(|id| self.sizes().range(self.module.signal(*id).width).len()).max().unwrap_or_default();
        for id in ids {
            let signal = self.module.signal(*id);
            let range = if ranges == 0 { String::new() } else { format!("{:ranges$} ", self.sizes().range(signal.width)) };
            if signal.crossing {
                self.out.push_str(&format!("    {ASYNC_REG}\n"));
            }
            self.out.push_str(&format!("    {keyword} {range}{};{}\n", signal.name, comment(&signal.doc)));
        }
    }

    fn registers(&mut self, registers: &[SignalId]) {
        let inside: Vec<SignalId> = registers.iter().copied().filter(|id| self.module.signal(*id).kind == Kind::Net).collect();
        self.declarations("reg ", &inside);
    }

    /// Registers are zero before the first clock, as they are in the Rust.
    fn power_up(&mut self, registers: &[SignalId]) {
        let zero = |id: &SignalId| {
            let signal = self.module.signal(*id);
            format!("{} = {};", signal.name, self.sizes().literal(&BigUint::ZERO, signal.width))
        };
        let text = match registers {
            [] => return,
            [one] => format!("\n    initial {}\n", zero(one)),
            several => {
                // Zeros say little: as many as a line takes.
                let texts: Vec<String> = several.iter().map(zero).collect();
                format!("\n    initial begin\n        {}\n    end\n", filled(&texts, " ").join("\n        "))
            }
        };
        self.out.push_str(&text);
    }

    /// Nets that instances drive, and those that a loop through instances makes necessary before their process.
    fn instance_outputs(&mut self, early: &[SignalId]) {
        for instance in &self.module.instances {
            let driven: Vec<SignalId> = instance
                .connections
                .iter()
                .filter_map(|c| match c.value {
                    Connected::Output(id) if self.module.signal(id).kind == Kind::Net => Some(id),
                    _ => None,
                })
                .collect();
            self.declarations("wire", &driven);
        }
        let assigned = |id: &SignalId| self.module.processes.iter().any(|p| matches!(p, Process::Assign { target, .. } if target == id));
        let (wires, regs): (Vec<SignalId>, Vec<SignalId>) = early.iter().copied().partition(assigned);
        self.declarations("wire", &wires);
        self.declarations("reg ", &regs);
    }

    /// Declares the intermediates of `exprs`, named after `target`.
    fn intermediates(&mut self, exprs: &[&Expr], target: &str) {
        self.writer.named.clear();
        for expr in exprs {
            for inner in intermediates(self.module, expr) {
                if self.writer.named.iter().any(|(e, _)| e == inner) {
                    continue;
                }
                let value = self.writer.text(inner);
                // A target in a loop may be a selection.
                let target = target.split('[').next().unwrap_or_default();
                let mut name = format!("{target}_part");
                let mut number = 2;
                while !self.names.insert(name.clone()) {
                    name = format!("{target}_part_{number}");
                    number += 1;
                }
                let range = spaced(self.sizes().range(inner.width));
                self.out.push_str(&format!("    wire {range}{name} = {value};\n"));
                self.writer.named.push((inner.clone(), name));
            }
        }
    }

    fn combinational(&mut self, process: &Process, early: &[SignalId], first: &mut bool) {
        match process {
            Process::Assign { target, value } => {
                if std::mem::take(first) {
                    self.out.push('\n');
                }
                let signal = self.module.signal(*target);
                self.intermediates(&[value], &signal.name);
                if signal.kind == Kind::Net && !signal.doc.is_empty() {
                    self.out.push_str(&format!("    // {}\n", signal.doc.replace('\n', " ")));
                }
                let head = if signal.kind == Kind::Net && !early.contains(target) {
                    format!("    wire {}{} = ", spaced(self.sizes().range(signal.width)), signal.name)
                } else {
                    format!("    assign {} = ", signal.name)
                };
                self.assignment(&head, value);
            }
            Process::Combinational { targets, body } => {
                self.out.push('\n');
                for target in targets {
                    let signal = self.module.signal(*target);
                    if signal.kind == Kind::Net && !early.contains(target) {
                        let range = spaced(self.sizes().range(signal.width));
                        self.out.push_str(&format!("    reg  {range}{};{}\n", signal.name, comment(&signal.doc)));
                    }
                }
                let name = targets.first().map_or("", |t| self.name(*t));
                match fold(self.module, body, &self.names) {
                    Some(folded) => self.folded(&folded, name),
                    None => {
                        self.intermediates_of(body, name);
                        self.out.push_str("    always @* begin\n");
                        self.block(body, "=", 2);
                        self.out.push_str("    end\n");
                    }
                }
                *first = true;
            }
            Process::Clocked { .. } => {}
        }
    }

    fn intermediates_of(&mut self, body: &[Statement], name: &str) {
        let mut exprs = Vec::new();
        crate::ir::expressions(body, &mut exprs);
        self.intermediates(&exprs, name);
    }

    /// A process with loops.
    fn folded(&mut self, folded: &Folded, name: &str) {
        let mut inner = Body::new(&folded.module, self.style);
        inner.names = std::mem::take(&mut self.names);
        inner.heads = folded.heads.clone();
        inner.intermediates_of(&folded.body, name);
        let mut label = format!("of_{}", name.split('[').next().unwrap_or_default());
        while !inner.names.insert(label.clone()) {
            label.push('_');
        }
        inner.out.push_str(&format!("    always @* begin : {label}\n        integer {};\n", folded.variable));
        inner.block(&folded.body, "=", 2);
        inner.out.push_str("    end\n");
        self.out.push_str(&inner.out);
        self.names = inner.names;
    }

    fn assignment(&mut self, head: &str, value: &Expr) {
        let lines = self.writer.lines(value, COLUMNS.saturating_sub(head.len()));
        let indent = " ".repeat(head.len().min(COLUMNS / 3));
        self.out.push_str(head);
        self.out.push_str(&lines.join(&format!("\n{indent}")));
        self.out.push_str(";\n");
    }

    fn clocked(&mut self, clock: SignalId, reset: Option<&(Expr, Vec<Statement>)>, body: &[Statement]) {
        self.out.push('\n');
        let mut exprs = Vec::new();
        crate::ir::expressions(body, &mut exprs);
        let mut targets = Vec::new();
        body.iter().for_each(|s| s.targets(&mut targets));
        self.intermediates(&exprs, targets.first().map_or("", |t| self.name(*t)));
        self.out.push_str(&format!("    always @(posedge {}) begin\n", self.name(clock)));
        match reset {
            Some((condition, values)) => {
                let whole = Statement::If { condition: condition.clone(), then: values.clone(), otherwise: body.to_vec() };
                self.statement(&whole, "<=", 2);
            }
            None => self.block(body, "<=", 2),
        }
        self.out.push_str("    end\n");
    }

    fn block(&mut self, block: &[Statement], assign: &str, depth: usize) {
        block.iter().for_each(|statement| self.statement(statement, assign, depth));
    }

    /// `head`, then the block: one assignment behind it if there is room, else on a line of its own; more between `begin` and `end`.
    fn nested(&mut self, head: &str, block: &[Statement], assign: &str, depth: usize) {
        let indent = "    ".repeat(depth);
        match block {
            [] => self.out.push_str(&format!("{head};\n")),
            [Statement::Assign { .. }] => {
                let start = self.out.len();
                self.block(block, assign, depth + 1);
                let below = self.out.split_off(start);
                let assignment = below.trim();
                let last = head.rsplit('\n').next().unwrap_or_default();
                if !assignment.contains('\n') && last.len() + 1 + assignment.len() <= COLUMNS {
                    self.out.push_str(&format!("{head} {assignment}\n"));
                } else {
                    self.out.push_str(&format!("{head}\n{below}"));
                }
            }
            _ => {
                self.out.push_str(&format!("{head} begin\n"));
                self.block(block, assign, depth + 1);
                self.out.push_str(&format!("{indent}end\n"));
            }
        }
    }

    /// What goes before an `else`: the `end` of what precedes it is on its line.
    fn before_else(&mut self, indent: &str) -> String {
        let end = format!("{indent}end\n");
        if self.out.ends_with(&format!("\n{end}")) {
            self.out.truncate(self.out.len() - end.len());
            return format!("{indent}end ");
        }
        indent.to_string()
    }

    /// The values of arms with one body, as many on a line as there is room for.
    fn patterns(&self, arms: &[Arm], indent: &str) -> String {
        let (mut head, mut line) = (String::new(), indent.to_string());
        for (i, arm) in arms.iter().enumerate() {
            let end = if i + 1 < arms.len() { "," } else { ":" };
            let pattern = format!("{}{end}", self.writer.text(&arm.pattern));
            if i > 0 && line.len() + 1 + pattern.len() > COLUMNS {
                head += &format!("{line}\n");
                line = indent.to_string();
            } else if i > 0 {
                line.push(' ');
            }
            line += &pattern;
        }
        head + &line
    }

    fn statement(&mut self, statement: &Statement, assign: &str, depth: usize) {
        let indent = "    ".repeat(depth);
        match statement {
            Statement::Assign { target, low, value } => {
                let name = self.name(*target);
                let select = match low {
                    None => String::new(),
                    Some(_) if value.width == self.module.signal(*target).width => String::new(),
                    Some(low) if value.width == 1 => format!("[{}]", self.sizes().number(*low)),
                    Some(low) => format!("[{}:{}]", self.sizes().number(low + value.width - 1), self.sizes().number(*low)),
                };
                self.assignment(&format!("{indent}{name}{select} {assign} "), value);
            }
            Statement::If { condition, then, otherwise } => {
                let each = condition.as_signal().and_then(|id| self.heads.get(&id));
                let mut head = match each {
                    Some(each) => format!("{indent}{each}"),
                    None => format!("{indent}if ({})", self.writer.text(condition)),
                };
                let mut then = then;
                let mut rest = otherwise;
                loop {
                    self.nested(&head, then, assign, depth);
                    if rest.is_empty() {
                        break;
                    }
                    let before = self.before_else(&indent);
                    match rest.as_slice() {
                        [Statement::If { condition, then: next, otherwise }] => {
                            head = format!("{before}else if ({})", self.writer.text(condition));
                            (then, rest) = (next, otherwise);
                        }
                        _ => {
                            self.nested(&format!("{before}else"), rest, assign, depth);
                            break;
                        }
                    }
                }
            }
            Statement::Case { value, arms, default } => {
                self.out.push_str(&format!("{indent}case ({})\n", self.writer.text(value)));
                let inner = format!("{indent}    ");
                for same in arms.chunk_by(|a, b| a.body == b.body) {
                    let head = self.patterns(same, &inner);
                    self.nested(&head, &same[0].body, assign, depth + 1);
                }
                self.nested(&format!("{inner}default:"), default, assign, depth + 1);
                self.out.push_str(&format!("{indent}endcase\n"));
            }
        }
    }

    fn instance(&mut self, instance: &Instance) {
        self.out.push('\n');
        let inputs: Vec<&Expr> = instance
            .connections
            .iter()
            .filter_map(|c| match &c.value {
                Connected::Input(value) => Some(value),
                Connected::Output(_) => None,
            })
            .collect();
        self.intermediates(&inputs, &instance.name);
        if !instance.doc.is_empty() {
            self.out.push_str(&format!("    // {}\n", instance.doc.replace('\n', " ")));
        }
        self.out.push_str(&format!("    {} {} (\n", self.style.module_of(instance), instance.name));
        let column = instance.connections.iter().map(|c| c.port.len()).max().unwrap_or_default();
        for (i, connection) in instance.connections.iter().enumerate() {
            let value = match &connection.value {
                Connected::Input(value) => self.writer.text(value),
                Connected::Output(id) => self.name(*id).to_string(),
            };
            let comma = if i + 1 < instance.connections.len() { "," } else { "" };
            self.out.push_str(&format!("        .{:column$} ({value}){comma}\n", connection.port));
        }
        self.out.push_str("    );\n");
    }

    fn sinks(&mut self, unused: Vec<Unused>) {
        for (i, sink) in unused.into_iter().enumerate() {
            if i == 0 {
                self.out.push('\n');
            }
            let signal = self.module.signal(sink.signal);
            let parts: Vec<String> = sink
                .ranges
                .iter()
                .map(|(low, width)| match *width {
                    w if w == signal.width => signal.name.clone(),
                    1 => format!("{}[{low}]", signal.name),
                    w => format!("{}[{}:{low}]", signal.name, low + w - 1),
                })
                .collect();
            let mut name = format!("unused_{}", signal.name);
            while !self.names.insert(name.clone()) {
                name.push('_');
            }
            self.out.push_str(&format!("    wire {name} = &{{1'b0, {}}};  // {}\n", parts.join(", "), sink.reason));
        }
    }
}

/// Texts on as few lines as they fit, with `between` between them.
pub fn filled(texts: &[String], between: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        match lines.last_mut() {
            Some(line) if line.len() + between.len() + text.len() <= COLUMNS - 8 => *line += &format!("{between}{text}"),
            _ => lines.push(text.clone()),
        }
    }
    lines
}

fn comment(doc: &str) -> String {
    if doc.is_empty() { String::new() } else { format!("  // {}", doc.replace('\n', " ")) }
}

fn spaced(range: String) -> String {
    if range.is_empty() { range } else { format!("{range} ") }
}
