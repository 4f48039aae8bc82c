//! The groups as loops: what is declared ahead of them, one pass of each, and names from outside.

use super::{Group, Loop, Rolled, Search, What, element};
use crate::identifier::{flat, safe};
use crate::ir::{Arm, Connected, Expr, ExprKind, Kind, Module, Process, Signal, SignalId, Statement};
use crate::verilog::unused::{self, Unused};
use num_bigint::BigUint;
use std::collections::{HashMap, HashSet};

/// Puts the texts' modules together.
pub(super) struct Builder<'s, 'm> {
    search: &'s Search<'m>,
    vectors: &'s [bool],
    taken: HashSet<String>,
    /// Name of each family, and the signal that it is if it is a vector.
    names: Vec<(String, Option<SignalId>)>,
    module: Module,
    index: String,
    /// Of the instances in loops, by that of the first pass.
    instances: HashMap<usize, String>,
}

impl<'s, 'm> Builder<'s, 'm> {
    pub(super) fn new(search: &'s Search<'m>, vectors: &'s [bool]) -> Self {
        let module = search.module.clone();
        let signals = module.signals.iter().map(|s| s.name.clone());
        let others = module.constants.iter().map(|c| c.name.clone()).chain(module.instances.iter().map(|i| i.name.clone()));
        let taken = signals.chain(others).collect();
        let mut builder = Self { search, vectors, taken, names: Vec::new(), module, index: String::new(), instances: HashMap::new() };
        builder.index = builder.free("i");
        for (at, family) in search.families.iter().enumerate() {
            let first = search.module.signal(family.members[0]);
            let name = match search.active[at] {
                true => builder.free(&without_index(&first.name, first.rust.first().map_or("", String::as_str))),
                false => String::new(),
            };
            let vector = (search.active[at] && vectors[at]).then(|| {
                let width = family.width * family.members.len();
                let (rust, doc) = (Vec::new(), first.doc.clone());
                builder.module.signals.push(Signal { name: name.clone(), rust, width, kind: Kind::Net, doc, ..first.clone() });
                SignalId(builder.module.signals.len() - 1)
            });
            builder.names.push((name, vector));
        }
        builder
    }

    fn free(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_string();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }

    pub(super) fn build(mut self, groups: &[Group]) -> Rolled {
        let search = self.search;
        for group in groups {
            if let What::Instance(at) = group.passes[0] {
                let instance = &search.module.instances[at];
                let name = self.free(&without_index(&instance.name, &instance.rust));
                self.instances.insert(at, name);
            }
        }
        let rolled = search.rolled(groups);
        let rest = |(at, process): (usize, &Process)| rolled.rest(at, process);
        self.module.processes = search.module.processes.iter().enumerate().filter_map(rest).collect();
        self.module.instances =
            search.module.instances.iter().enumerate().filter(|(at, _)| !rolled.instances.contains(at)).map(|(_, i)| i.clone()).collect();
        let mut processes = std::mem::take(&mut self.module.processes);
        processes.iter_mut().for_each(|p| p.for_each_expression_mut(&mut |e| *e = self.outside(e)));
        self.module.processes = processes;
        let mut instances = std::mem::take(&mut self.module.instances);
        for connection in instances.iter_mut().flat_map(|i| &mut i.connections) {
            if let Connected::Input(value) = &mut connection.value {
                *value = self.outside(value);
            }
        }
        self.module.instances = instances;

        let mut declared = Vec::new();
        let mut by_count: Vec<(usize, Vec<&Group>)> = Vec::new();
        for group in groups {
            let count = group.passes.len();
            match by_count.iter_mut().find(|(c, _)| *c == count) {
                Some((_, list)) => list.push(group),
                None => by_count.push((count, vec![group])),
            }
            for target in search.targets(&group.passes[0]) {
                let variable = matches!(group.passes[0], What::Process(_, _, Process::Combinational { .. } | Process::Clocked { .. }));
                match search.element(target) {
                    Some((family, _)) => declared.extend(self.names[family].1.map(|vector| (variable, vector))),
                    None if search.module.signal(target).kind == Kind::Net => declared.push((false, target)),
                    None => {}
                }
            }
        }
        let one = by_count.len() == 1;
        let (mut signals, mut instances) = (HashMap::new(), HashMap::new());
        let mut loops = Vec::new();
        for (count, groups) in by_count {
            let label = self.free(&if one { "each".to_string() } else { format!("each_{count}") });
            for group in &groups {
                for (pass, what) in group.passes.iter().enumerate() {
                    for target in search.targets(what) {
                        let Some((family, index)) = search.element(target) else { continue };
                        let (name, vector) = &self.names[family];
                        let place = match vector {
                            Some(_) => format!("{name}{}", bits_text(index * search.families[family].width, search.families[family].width)),
                            None => format!("{label}[{index}].{name}"),
                        };
                        signals.insert(target, place);
                    }
                    if let (What::Instance(at), What::Instance(first)) = (what, &group.passes[0]) {
                        instances.insert(*at, format!("{label}[{pass}].{}", self.instances[first]));
                    }
                }
            }
            loops.push(self.pass(label, count, &groups));
        }
        let mut outside = Vec::new();
        for sink in unused::find(search.module) {
            let Some((family, index)) = search.element(sink.signal) else {
                outside.push(sink);
                continue;
            };
            let width = search.families[family].width;
            match self.names[family].1 {
                Some(vector) => {
                    let ranges = sink.ranges.iter().map(|(low, w)| (index * width + low, *w));
                    match outside.iter_mut().find(|s: &&mut Unused| s.signal == vector) {
                        Some(known) => known.ranges.extend(ranges),
                        None => outside.push(Unused { signal: vector, ranges: ranges.collect(), ..sink }),
                    }
                }
                None if index == 0 => {
                    let name = &self.names[family].0;
                    for pass in &mut loops {
                        let local = |s: &Signal| s.kind == Kind::Net && s.name == *name;
                        if let Some(at) = pass.body.signals.iter().position(local) {
                            pass.unused.push(Unused {
                                signal: SignalId(at),
                                ranges: sink.ranges.clone(),
                                reason: self.reason(&sink.reason),
                            });
                        }
                    }
                }
                None => {}
            }
        }
        for sink in &mut outside {
            join(&mut sink.ranges);
        }
        Rolled { module: self.module, vectors: declared, loops, signals, instances, unused: outside }
    }

    /// A reason that names the instance of a loop as the loop does.
    fn reason(&self, reason: &str) -> String {
        let own = |(at, name): (&usize, &String)| {
            let old = &self.search.module.instances[*at].name;
            reason.split(' ').any(|word| word == old).then(|| reason.replace(old.as_str(), name))
        };
        self.instances.iter().find_map(own).unwrap_or_else(|| reason.to_string())
    }

    /// An expression where the families that are vectors have no other name.
    fn outside(&self, e: &Expr) -> Expr {
        let slice_of = |id: SignalId, low: usize, width: usize| {
            let (family, index) = self.search.element(id)?;
            let vector =
                Expr::signal(self.names[family].1?, self.search.families[family].width * self.search.families[family].members.len());
            Some(vector.slice(index * self.search.families[family].width + low, width))
        };
        match &e.kind {
            ExprKind::Signal(id) => slice_of(*id, 0, e.width).unwrap_or_else(|| e.clone()),
            ExprKind::Slice(base, low) if base.as_signal().is_some_and(|id| self.search.element(id).is_some()) => {
                base.as_signal().and_then(|id| slice_of(id, *low, e.width)).unwrap_or_else(|| e.clone())
            }
            _ => {
                let mut e = e.clone();
                e.operands_mut().into_iter().for_each(|o| *o = self.outside(o));
                e
            }
        }
    }

    /// One pass of a loop.
    fn pass(&self, label: String, count: usize, groups: &[&Group]) -> Loop {
        let body = Module { processes: Vec::new(), instances: Vec::new(), constants: self.module.constants.clone(), ..self.module.clone() };
        let mut pass = Pass { builder: self, body, texts: HashMap::new(), locals: HashMap::new(), numbers: Vec::new() };
        for signal in &mut pass.body.signals {
            // Nothing of what is outside is declared or driven here.
            signal.kind = Kind::Output;
        }
        for group in groups {
            pass.group(group);
        }
        Loop { label, count, index: self.index.clone(), numbers: pass.numbers, body: pass.body, unused: Vec::new() }
    }
}

struct Pass<'b, 's, 'm> {
    builder: &'b Builder<'s, 'm>,
    body: Module,
    /// Signals that are known by a text.
    texts: HashMap<String, SignalId>,
    /// Signals of the families that are declared in the loop.
    locals: HashMap<usize, SignalId>,
    numbers: Vec<(usize, String, String)>,
}

type Steps<'g> = std::slice::Iter<'g, BigUint>;

impl Pass<'_, '_, '_> {
    fn group(&mut self, group: &Group) {
        let search = self.builder.search;
        let steps = &mut group.steps.iter();
        match &group.passes[0] {
            What::Process(_, targets, process) => {
                let new: Vec<SignalId> = targets.iter().map(|t| self.target(*t)).collect();
                let process = match process {
                    Process::Assign { value, .. } => Process::Assign { target: new[0], value: self.expression(value, steps) },
                    Process::Combinational { body, .. } => Process::Combinational { targets: new, body: self.block(body, steps) },
                    Process::Clocked { clock, reset, body, .. } => {
                        let reset = reset.as_ref().map(|(c, values)| (self.expression(c, steps), self.block(values, steps)));
                        Process::Clocked { clock: *clock, targets: new, reset, body: self.block(body, steps) }
                    }
                };
                self.body.processes.push(process);
            }
            What::Bits(_, target, low, value) => {
                let step = steps.next().cloned().unwrap_or_default();
                let name = &search.module.signal(*target).name;
                let text = format!("{name}{}", self.selection(&(*low).into(), &step, value.width));
                let target = self.text(text, value.width);
                let value = self.expression(value, steps);
                self.body.processes.push(Process::Assign { target, value });
            }
            What::Instance(at) => {
                let instance = &search.module.instances[*at];
                let mut own = instance.clone();
                own.name.clone_from(&self.builder.instances[at]);
                for connection in &mut own.connections {
                    connection.value = match &connection.value {
                        Connected::Input(value) => Connected::Input(self.expression(value, steps)),
                        Connected::Output(id) => Connected::Output(self.target(*id)),
                    };
                }
                self.body.instances.push(own);
            }
        }
    }

    fn text(&mut self, text: String, width: usize) -> SignalId {
        if let Some(known) = self.texts.get(&text) {
            return *known;
        }
        let new = SignalId(self.body.signals.len());
        let (rust, doc) = (Vec::new(), String::new());
        self.body.signals.push(Signal { name: text.clone(), rust, width, kind: Kind::Output, clock: false, crossing: false, doc });
        self.texts.insert(text, new);
        new
    }

    /// `[3 * i + 1]`, `[8 * i +: 8]`
    fn selection(&self, start: &BigUint, step: &BigUint, width: usize) -> String {
        let at = affine(start, step, &self.builder.index);
        if width == 1 { format!("[{at}]") } else { format!("[{at} +: {width}]") }
    }

    /// The signal of an element of this pass, or bits of it.
    fn own(&mut self, family: usize, low: usize, width: usize) -> SignalId {
        let search = self.builder.search;
        let whole = search.families[family].width;
        let (name, vector) = &self.builder.names[family];
        if vector.is_some() {
            let text = format!("{name}{}", self.selection(&low.into(), &whole.into(), width));
            return self.text(text, width);
        }
        if let Some(known) = self.locals.get(&family) {
            return *known;
        }
        let first = search.module.signal(search.families[family].members[0]);
        let new = SignalId(self.body.signals.len());
        self.body.signals.push(Signal { name: name.clone(), kind: Kind::Net, ..first.clone() });
        self.locals.insert(family, new);
        new
    }

    fn target(&mut self, id: SignalId) -> SignalId {
        match self.builder.search.element(id) {
            Some((family, _)) => self.own(family, 0, self.builder.search.families[family].width),
            None => id,
        }
    }

    fn is_vector(&self, family: usize) -> bool {
        self.builder.vectors[family]
    }

    fn expression(&mut self, e: &Expr, steps: &mut Steps) -> Expr {
        let search = self.builder.search;
        let element = |id: SignalId| search.element(id);
        match &e.kind {
            ExprKind::Literal(value) => {
                let step = steps.next().cloned().unwrap_or_default();
                if step == BigUint::ZERO {
                    return e.clone();
                }
                let id = self.number(e.width, value, &step);
                Expr::signal(id, e.width)
            }
            ExprKind::Signal(id) => match element(*id) {
                Some((family, 0)) => Expr::signal(self.own(family, 0, e.width), e.width),
                Some((family, index)) => self.fixed(family, index * search.families[family].width, e.width),
                None => e.clone(),
            },
            ExprKind::Slice(base, low) => {
                let step = steps.next().cloned().unwrap_or_default();
                if step != BigUint::ZERO {
                    let name = base.as_signal().map(|id| search.module.signal(id).name.clone()).unwrap_or_default();
                    let text = format!("{name}{}", self.selection(&(*low).into(), &step, e.width));
                    return Expr::signal(self.text(text, e.width), e.width);
                }
                match base.as_signal().and_then(element) {
                    Some((family, 0)) if self.is_vector(family) => Expr::signal(self.own(family, *low, e.width), e.width),
                    Some((family, index)) if index > 0 => self.fixed(family, index * search.families[family].width + low, e.width),
                    _ => Expr { width: e.width, kind: ExprKind::Slice(Box::new(self.expression(base, steps)), *low) },
                }
            }
            _ => {
                let mut e = e.clone();
                for operand in e.operands_mut() {
                    *operand = self.expression(operand, steps);
                }
                e
            }
        }
    }

    /// Bits of a vector that are the same in every pass.
    fn fixed(&mut self, family: usize, low: usize, width: usize) -> Expr {
        let text = format!("{}{}", self.builder.names[family].0, bits_text(low, width));
        Expr::signal(self.text(text, width), width)
    }

    /// A `localparam` that depends on the pass.
    fn number(&mut self, width: usize, start: &BigUint, step: &BigUint) -> SignalId {
        let value = affine(start, step, &self.builder.index);
        let known = self.numbers.iter().find(|(w, _, v)| *w == width && *v == value).map(|(_, name, _)| name.clone());
        let name = known.unwrap_or_else(|| {
            let mut name = "INDEX".to_string();
            let mut number = 2;
            while self.builder.taken.contains(&name) || self.numbers.iter().any(|(_, n, _)| *n == name) {
                name = format!("INDEX_{number}");
                number += 1;
            }
            self.numbers.push((width, name.clone(), value));
            name
        });
        self.text(name, width)
    }

    fn block(&mut self, block: &[Statement], steps: &mut Steps) -> Vec<Statement> {
        let mut out = Vec::new();
        for statement in block {
            out.push(match statement {
                Statement::Assign { target, low, value } => {
                    let vector = self.builder.search.element(*target).filter(|(family, _)| self.is_vector(*family));
                    if low.is_some() {
                        steps.next();
                    }
                    let (target, low) = match (vector, low) {
                        (Some((family, _)), Some(low)) => (self.own(family, *low, value.width), None),
                        _ => (self.target(*target), *low),
                    };
                    Statement::Assign { target, low, value: self.expression(value, steps) }
                }
                Statement::If { condition, then, otherwise } => Statement::If {
                    condition: self.expression(condition, steps),
                    then: self.block(then, steps),
                    otherwise: self.block(otherwise, steps),
                },
                Statement::Case { value, arms, default } => Statement::Case {
                    value: self.expression(value, steps),
                    arms: arms
                        .iter()
                        .map(|a| Arm { pattern: self.expression(&a.pattern, steps), body: self.block(&a.body, steps) })
                        .collect(),
                    default: self.block(default, steps),
                },
            });
        }
        out
    }
}

/// `7`, `i`, `8 * i`, `8 * i + 7`
pub fn affine(start: &BigUint, step: &BigUint, index: &str) -> String {
    let one = BigUint::from(1u8);
    let times = match step {
        s if *s == BigUint::ZERO => return start.to_string(),
        s if *s == one => index.to_string(),
        s => format!("{s} * {index}"),
    };
    if *start == BigUint::ZERO { times } else { format!("{times} + {start}") }
}

fn bits_text(low: usize, width: usize) -> String {
    if width == 1 { format!("[{low}]") } else { format!("[{}:{low}]", low + width - 1) }
}

/// `row_3_take` for `row[3].take`: `row_take`.
fn without_index(name: &str, rust: &str) -> String {
    let array = flat(rust.split('[').next().unwrap_or_default());
    let index = element(rust).map_or(0, |(_, index)| index);
    match name.strip_prefix(&array).and_then(|rest| rest.strip_prefix(&format!("_{index}"))) {
        Some(rest) => safe(&format!("{array}{rest}")),
        None => name.to_string(),
    }
}

/// Ranges as (low, width), the highest first, neighbours joined.
fn join(ranges: &mut Vec<(usize, usize)>) {
    ranges.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (low, width) in ranges.drain(..) {
        match joined.last_mut() {
            Some((start, length)) if *start + *length == low => *length += width,
            _ => joined.push((low, width)),
        }
    }
    joined.reverse();
    *ranges = joined;
}
