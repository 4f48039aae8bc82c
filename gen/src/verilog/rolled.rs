//! What an array of signals, registers and children repeats for each element, as one `generate` loop.
//!
//! The elaborated module says everything once per element. Parts of it (a register or net, a child, the bits of a vector that element by element
//! is put together) that differ in the element alone are found by comparing them, expression by expression: every reference to an
//! element must be to the pass's own, or to the same in each pass, and every number must grow by the same step. What is not so stays as it is.
//!
//! An element that only its own pass refers to is declared in the loop. The others are a vector, of which each has its bits. A vector is one
//! net to a simulator that orders what it evaluates: where it would depend on itself, its elements stay signals of their own.

use super::paths::Paths;
use super::unused::Unused;
use crate::identifier::{flat, safe};
use crate::ir::{Arm, Connected, Expr, ExprKind, Instance, Kind, Module, Process, Signal, SignalId, Statement};
use crate::lower::slice;
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Fewer passes are no shorter as a loop.
const FEWEST: usize = 3;

/// A module with its loops.
pub struct Rolled {
    /// What is outside of them. Signals keep their positions; vectors follow.
    pub module: Module,
    /// Declared ahead of everything, driven in loops: net or register, and the signal.
    pub vectors: Vec<(bool, SignalId)>,
    pub loops: Vec<Loop>,
    /// Names of the signals and instances that have others than their own: selections, and paths into loops.
    pub signals: HashMap<SignalId, String>,
    pub instances: HashMap<usize, String>,
    /// What nothing reads outside of the loops.
    pub unused: Vec<Unused>,
}

/// `for (index = 0; index < count; index = index + 1) begin : label`
pub struct Loop {
    pub label: String,
    pub count: usize,
    /// Name of the `genvar`.
    pub index: String,
    /// Width, name and value of each number that depends on the pass.
    pub numbers: Vec<(usize, String, String)>,
    /// One pass. Signals that belong elsewhere are outputs, some by a name that is a selection.
    pub body: Module,
    pub unused: Vec<Unused>,
}

/// Elements of an array that have all their properties in common.
struct Family {
    width: usize,
    /// By index
    members: Vec<SignalId>,
}

/// A part of a module that belongs to one element.
#[derive(Clone)]
struct Part {
    index: usize,
    what: What,
}

#[derive(Clone)]
enum What {
    /// Position of the process, and what it does to these of its targets.
    Process(usize, Vec<SignalId>, Process),
    /// Position of the process, bits of its target from a position, and their value.
    Bits(usize, SignalId, usize, Expr),
    Instance(usize),
}

/// A part without its index, and its numbers.
#[derive(Default)]
struct Form {
    text: String,
    numbers: Vec<BigUint>,
}

struct Search<'m> {
    module: &'m Module,
    families: Vec<Family>,
    /// Family and index of an element.
    elements: HashMap<SignalId, (usize, usize)>,
    /// Families that a loop may drive.
    active: Vec<bool>,
}

/// The module with loops, if it has any.
pub fn roll(module: &Module, paths: &Paths) -> Option<Rolled> {
    if module.memory.is_some() {
        return None;
    }
    let mut search = Search::new(module);
    if search.families.is_empty() {
        return None;
    }
    loop {
        let groups = search.settle();
        if groups.is_empty() {
            return None;
        }
        let vectors = search.vectors(&groups);
        match search.depends_on_itself(&groups, &vectors, paths) {
            Some(family) => search.active[family] = false,
            None => return Some(Builder::new(&search, &vectors).build(&groups)),
        }
    }
}

/// Parts that are alike, one for each pass, and the step of each number.
struct Group {
    passes: Vec<What>,
    steps: Vec<BigUint>,
}

impl<'m> Search<'m> {
    fn new(module: &'m Module) -> Self {
        let mut found: BTreeMap<(String, usize), BTreeMap<usize, SignalId>> = BTreeMap::new();
        for (i, signal) in module.signals.iter().enumerate() {
            if let Some((stem, index)) = signal.rust.first().and_then(|path| element(path))
                && signal.kind == Kind::Net
                && !signal.clock
                && !signal.crossing
            {
                found.entry((stem, signal.width)).or_default().insert(index, SignalId(i));
            }
        }
        let whole = |members: &BTreeMap<usize, SignalId>| members.len() >= FEWEST && members.keys().copied().eq(0..members.len());
        let mut families: Vec<Family> = found
            .into_iter()
            .filter(|(_, members)| whole(members))
            .map(|((_, width), members)| Family { width, members: members.into_values().collect() })
            .collect();
        families.sort_by_key(|f| f.members[0]);
        let elements = families
            .iter()
            .enumerate()
            .flat_map(|(f, family)| family.members.iter().enumerate().map(move |(i, id)| (*id, (f, i))))
            .collect();
        let active = vec![true; families.len()];
        Self { module, families, elements, active }
    }

    fn element(&self, id: SignalId) -> Option<(usize, usize)> {
        self.elements.get(&id).copied().filter(|(family, _)| self.active[*family])
    }

    /// Groups that hold, after families that none of them drives have been left out.
    fn settle(&mut self) -> Vec<Group> {
        loop {
            let groups = self.groups();
            let mut driven = vec![false; self.families.len()];
            for group in &groups {
                for target in self.targets(&group.passes[0]) {
                    if let Some((family, _)) = self.element(target) {
                        driven[family] = true;
                    }
                }
            }
            let before = self.active.clone();
            self.active.iter_mut().zip(driven).for_each(|(active, driven)| *active &= driven);
            if self.active == before {
                return groups;
            }
        }
    }

    fn groups(&self) -> Vec<Group> {
        let mut by_form: BTreeMap<String, (usize, BTreeMap<usize, Vec<(What, Vec<BigUint>)>>)> = BTreeMap::new();
        for (order, part) in self.parts().into_iter().enumerate() {
            let form = self.form(&part);
            let (_, passes) = by_form.entry(form.text).or_insert((order, BTreeMap::new()));
            passes.entry(part.index).or_default().push((part.what, form.numbers));
        }
        let mut groups: Vec<(usize, Group)> = Vec::new();
        for (_, (order, passes)) in by_form {
            let count = passes.len();
            if count < FEWEST || !passes.keys().copied().eq(0..count) || passes.values().any(|p| p.len() != 1) {
                continue;
            }
            let passes: Vec<(What, Vec<BigUint>)> = passes.into_values().flatten().collect();
            let complete =
                self.targets(&passes[0].0).iter().all(|t| self.element(*t).is_none_or(|(f, _)| self.families[f].members.len() == count));
            let Some(steps) = grows(&passes).filter(|_| complete) else { continue };
            let passes: Vec<What> = passes.into_iter().map(|(what, _)| what).collect();
            let whole = match &passes[0] {
                What::Bits(process, ..) => bits(self.module, *process).is_some_and(|parts| parts.len() == count),
                _ => true,
            };
            let group = Group { passes, steps };
            if whole && self.writable(&group) {
                groups.push((order, group));
            }
        }
        groups.sort_by_key(|(order, _)| *order);
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// A number that grows and is a position must be one in a signal by its name.
    fn writable(&self, group: &Group) -> bool {
        let mut number = 0;
        let mut fits = true;
        self.visit_numbers(&group.passes[0], &mut |base| {
            let grows = group.steps[number] != BigUint::ZERO;
            number += 1;
            if grows && let Some(base) = base {
                fits &= base.as_signal().is_some_and(|id| self.element(id).is_none());
            }
        });
        fits
    }

    /// In the order of [`Form::numbers`]; a position in an expression comes with that.
    fn visit_numbers(&self, what: &What, f: &mut dyn FnMut(Option<&Expr>)) {
        fn in_expr(e: &Expr, f: &mut dyn FnMut(Option<&Expr>)) {
            match &e.kind {
                ExprKind::Literal(_) => f(None),
                ExprKind::Slice(base, _) => f(Some(base)),
                _ => {}
            }
            e.operands().into_iter().for_each(|o| in_expr(o, f));
        }
        fn in_block(block: &[Statement], f: &mut dyn FnMut(Option<&Expr>)) {
            for statement in block {
                if let Statement::Assign { low, .. } = statement
                    && low.is_some()
                {
                    f(Some(&Expr::bit(false)));
                }
                in_expr(statement.expression(), f);
                if let Statement::Case { arms, .. } = statement {
                    arms.iter().for_each(|a| in_expr(&a.pattern, f));
                }
                statement.blocks().into_iter().for_each(|b| in_block(b, f));
            }
        }
        match what {
            What::Process(_, _, Process::Assign { value, .. }) => in_expr(value, f),
            What::Process(_, _, Process::Combinational { body, .. }) => in_block(body, f),
            What::Process(_, _, Process::Clocked { reset, body, .. }) => {
                if let Some((condition, values)) = reset {
                    in_expr(condition, f);
                    in_block(values, f);
                }
                in_block(body, f);
            }
            What::Bits(_, _, _, value) => {
                f(None);
                in_expr(value, f);
            }
            What::Instance(at) => {
                for connection in &self.module.instances[*at].connections {
                    if let Connected::Input(value) = &connection.value {
                        in_expr(value, f);
                    }
                }
            }
        }
    }

    fn targets(&self, what: &What) -> Vec<SignalId> {
        match what {
            What::Process(_, targets, _) => targets.clone(),
            What::Bits(_, target, ..) => vec![*target],
            What::Instance(at) => outputs(&self.module.instances[*at]),
        }
    }

    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for (at, process) in self.module.processes.iter().enumerate() {
            let mut by_index: BTreeMap<usize, Vec<SignalId>> = BTreeMap::new();
            for target in process.targets() {
                if let Some((_, index)) = self.element(target) {
                    by_index.entry(index).or_default().push(target);
                }
            }
            for (index, targets) in by_index {
                let own = of(process, &targets);
                parts.push(Part { index, what: What::Process(at, targets, own) });
            }
            let pieces = bits(self.module, at).unwrap_or_default();
            for (index, (target, low, value)) in pieces.into_iter().enumerate() {
                parts.push(Part { index, what: What::Bits(at, target, low, value) });
            }
        }
        for (at, instance) in self.module.instances.iter().enumerate() {
            let own = outputs(instance).iter().all(|t| self.element(*t).is_some());
            if let Some((_, index)) = element(&instance.rust).filter(|_| own) {
                parts.push(Part { index, what: What::Instance(at) });
            }
        }
        parts
    }

    fn form(&self, part: &Part) -> Form {
        let mut form = Form::default();
        match &part.what {
            What::Process(_, targets, process) => {
                for target in targets {
                    self.signal(*target, part.index, &mut form);
                }
                match process {
                    Process::Assign { value, .. } => {
                        form.text += "assign";
                        self.expression(value, part.index, &mut form);
                    }
                    Process::Combinational { body, .. } => {
                        form.text += "always";
                        self.block(body, part.index, &mut form);
                    }
                    Process::Clocked { clock, reset, body, .. } => {
                        form.text += &format!("clocked{}", clock.0);
                        if let Some((condition, values)) = reset {
                            form.text += "reset";
                            self.expression(condition, part.index, &mut form);
                            self.block(values, part.index, &mut form);
                        }
                        self.block(body, part.index, &mut form);
                    }
                }
            }
            What::Bits(process, target, low, value) => {
                form.text += &format!("bits{process} of {} {}", target.0, value.width);
                form.numbers.push((*low).into());
                self.expression(value, part.index, &mut form);
            }
            What::Instance(at) => {
                let instance = &self.module.instances[*at];
                let stem = element(&instance.rust).map(|(stem, _)| stem).unwrap_or_default();
                form.text += &format!("instance {stem} {} {}", instance.module, instance.doc);
                for connection in &instance.connections {
                    form.text += &format!(".{}", connection.port);
                    match &connection.value {
                        Connected::Input(value) => self.expression(value, part.index, &mut form),
                        Connected::Output(id) => self.signal(*id, part.index, &mut form),
                    }
                }
            }
        }
        form
    }

    fn signal(&self, id: SignalId, index: usize, form: &mut Form) {
        form.text += &match self.element(id) {
            Some((family, own)) if own == index => format!("F{family} "),
            _ => format!("S{} ", id.0),
        };
    }

    fn expression(&self, e: &Expr, index: usize, form: &mut Form) {
        let kind = match &e.kind {
            ExprKind::Literal(value) => {
                form.numbers.push(value.clone());
                "literal".to_string()
            }
            ExprKind::Constant(i) => format!("constant{i}"),
            ExprKind::Signal(id) => {
                self.signal(*id, index, form);
                return;
            }
            ExprKind::Not(_) => "not".into(),
            ExprKind::Negate(_) => "negate".into(),
            ExprKind::Reduce(op, _) => format!("{op:?}"),
            ExprKind::Binary(op, ..) => format!("{op:?}"),
            ExprKind::Compare(op, ..) => format!("{op:?}"),
            ExprKind::Shift(op, ..) => format!("{op:?}"),
            ExprKind::Slice(_, low) => {
                form.numbers.push((*low).into());
                "slice".into()
            }
            ExprKind::SliceAt(..) => "at".into(),
            ExprKind::Bit(..) => "bit".into(),
            ExprKind::ReplaceBit(..) => "replace".into(),
            ExprKind::Concat(parts) => format!("concat{}", parts.len()),
            ExprKind::ZeroExtend(_) => "zero".into(),
            ExprKind::SignExtend(_) => "sign".into(),
            ExprKind::Mux(..) => "mux".into(),
        };
        form.text += &format!("({kind}:{} ", e.width);
        e.operands().into_iter().for_each(|o| self.expression(o, index, form));
        form.text += ")";
    }

    fn block(&self, block: &[Statement], index: usize, form: &mut Form) {
        form.text += "{";
        for statement in block {
            match statement {
                Statement::Assign { target, low, value } => {
                    self.signal(*target, index, form);
                    form.text += if low.is_some() { "[]=" } else { "=" };
                    form.numbers.extend(low.map(BigUint::from));
                    self.expression(value, index, form);
                    form.text += ";";
                }
                Statement::If { condition, then, otherwise } => {
                    form.text += "if";
                    self.expression(condition, index, form);
                    self.block(then, index, form);
                    self.block(otherwise, index, form);
                }
                Statement::Case { value, arms, default } => {
                    form.text += &format!("case{}", arms.len());
                    self.expression(value, index, form);
                    for arm in arms {
                        self.expression(&arm.pattern, index, form);
                        self.block(&arm.body, index, form);
                    }
                    self.block(default, index, form);
                }
            }
        }
        form.text += "}";
    }

    /// Families of which something outside of the loop, or another pass, reads an element.
    fn vectors(&self, groups: &[Group]) -> Vec<bool> {
        let mut vectors = vec![false; self.families.len()];
        let rolled = self.rolled(groups);
        let mut outside = |e: &Expr| {
            for id in e.signals() {
                if let Some((family, _)) = self.element(id) {
                    vectors[family] = true;
                }
            }
        };
        for (at, process) in self.module.processes.iter().enumerate() {
            if let Some(rest) = rolled.rest(at, process) {
                rest.expressions().into_iter().for_each(&mut outside);
            }
        }
        for (at, instance) in self.module.instances.iter().enumerate().filter(|(at, _)| !rolled.instances.contains(at)) {
            let _ = at;
            for connection in &instance.connections {
                if let Connected::Input(value) = &connection.value {
                    outside(value);
                }
            }
        }
        for group in groups {
            let count = group.passes.len();
            for (index, what) in group.passes.iter().enumerate() {
                for id in self.reads(what) {
                    if let Some((family, own)) = self.element(id)
                        && (own != index || self.families[family].members.len() != count)
                    {
                        vectors[family] = true;
                    }
                }
            }
        }
        vectors
    }

    fn reads(&self, what: &What) -> Vec<SignalId> {
        let of = |e: &Expr| e.signals();
        match what {
            What::Process(_, _, process) => process.expressions().into_iter().flat_map(of).collect(),
            What::Bits(_, _, _, value) => of(value),
            What::Instance(at) => self.module.instances[*at]
                .connections
                .iter()
                .filter_map(|c| match &c.value {
                    Connected::Input(value) => Some(of(value)),
                    Connected::Output(_) => None,
                })
                .flatten()
                .collect(),
        }
    }

    fn rolled(&self, groups: &[Group]) -> Taken {
        let mut taken = Taken::default();
        for what in groups.iter().flat_map(|g| &g.passes) {
            match what {
                What::Process(at, targets, _) => taken.targets.entry(*at).or_default().extend(targets),
                What::Bits(at, target, ..) => _ = taken.targets.entry(*at).or_default().insert(*target),
                What::Instance(at) => _ = taken.instances.insert(*at),
            }
        }
        taken
    }

    /// A family whose vector would depend on itself where its elements do not.
    fn depends_on_itself(&self, groups: &[Group], vectors: &[bool], paths: &Paths) -> Option<usize> {
        // Nodes: signals, and behind them one for each family that is a vector.
        let node = |id: SignalId| match self.element(id) {
            Some((family, _)) if vectors[family] => self.module.signals.len() + family,
            _ => id.0,
        };
        let mut next: HashMap<usize, HashSet<usize>> = HashMap::new();
        let mut edge = |from: SignalId, to: SignalId| {
            let (from, to) = (node(from), node(to));
            if from != to || from >= self.module.signals.len() {
                next.entry(from).or_default().insert(to);
            }
        };
        let rolled = self.rolled(groups);
        let mut process = |process: &Process| {
            if !matches!(process, Process::Clocked { .. }) {
                let own = process.targets();
                for from in process.expressions().into_iter().flat_map(Expr::signals).filter(|id| !own.contains(id)) {
                    own.iter().for_each(|to| edge(from, *to));
                }
            }
        };
        for (at, whole) in self.module.processes.iter().enumerate() {
            rolled.rest(at, whole).iter().for_each(&mut process);
        }
        for what in groups.iter().flat_map(|g| &g.passes) {
            match what {
                What::Process(_, _, own) => process(own),
                What::Bits(_, target, _, value) => process(&Process::Assign { target: *target, value: value.clone() }),
                What::Instance(_) => {}
            }
        }
        for instance in &self.module.instances {
            for (input, output) in paths.of(instance) {
                input.signals().into_iter().for_each(|from| edge(from, output));
            }
        }
        let families = (0..self.families.len()).filter(|f| self.active[*f] && vectors[*f]);
        let first = |family: usize| self.module.signals.len() + family;
        families.into_iter().find(|family| {
            let (mut open, mut seen) = (vec![first(*family)], HashSet::new());
            while let Some(at) = open.pop() {
                for to in next.get(&at).into_iter().flatten() {
                    if *to == first(*family) {
                        return true;
                    }
                    if seen.insert(*to) {
                        open.push(*to);
                    }
                }
            }
            false
        })
    }
}

/// What the loops take out of the module.
#[derive(Default)]
struct Taken {
    /// Targets by process
    targets: HashMap<usize, HashSet<SignalId>>,
    instances: HashSet<usize>,
}

impl Taken {
    /// What stays of a process.
    fn rest(&self, at: usize, process: &Process) -> Option<Process> {
        let Some(taken) = self.targets.get(&at) else { return Some(process.clone()) };
        let left: Vec<SignalId> = process.targets().into_iter().filter(|t| !taken.contains(t)).collect();
        (!left.is_empty()).then(|| of(process, &left))
    }
}

/// `row[3].take`: `row[].take` and 3.
fn element(path: &str) -> Option<(String, usize)> {
    let (before, rest) = path.split_once('[')?;
    let (index, after) = rest.split_once(']')?;
    Some((format!("{before}[]{after}"), index.parse().ok()?))
}

fn outputs(instance: &Instance) -> Vec<SignalId> {
    let output = |c: &crate::ir::Connection| match c.value {
        Connected::Output(id) => Some(id),
        Connected::Input(_) => None,
    };
    instance.connections.iter().filter_map(output).collect()
}

/// A process with these of its targets.
fn of(process: &Process, targets: &[SignalId]) -> Process {
    if process.targets() == targets {
        return process.clone();
    }
    match process {
        Process::Assign { .. } => process.clone(),
        Process::Combinational { body, .. } => Process::Combinational { targets: targets.to_vec(), body: slice(body, targets) },
        Process::Clocked { clock, reset, body, .. } => {
            let body = slice(body, targets);
            let (reset, body) = match reset {
                None => (None, body),
                Some((condition, values)) => match slice(values, targets) {
                    // What the reset does not assign holds its value in it.
                    values if values.is_empty() => {
                        let held = Statement::If { condition: condition.clone().complement(), then: body, otherwise: Vec::new() };
                        (None, vec![held])
                    }
                    values => (Some((condition.clone(), values)), body),
                },
            };
            Process::Clocked { clock: *clock, targets: targets.to_vec(), reset, body }
        }
    }
}

/// The pieces of a vector that a process puts together of equal ones, lowest first: target, position, value.
pub fn bits(module: &Module, at: usize) -> Option<Vec<(SignalId, usize, Expr)>> {
    let Process::Combinational { targets, body } = &module.processes[at] else { return None };
    let [target] = targets[..] else { return None };
    let width = module.signal(target).width;
    let pieces = match body.as_slice() {
        [Statement::Assign { low: None, value, .. }, rest @ ..] if value.as_literal().is_some() => rest,
        all => all,
    };
    let mut found = Vec::new();
    for statement in pieces {
        let Statement::Assign { low: Some(low), value, .. } = statement else { return None };
        if *low != found.len() * value.width || value.signals().contains(&target) {
            return None;
        }
        found.push((target, *low, value.clone()));
    }
    let same = found.iter().all(|(_, _, value)| value.width == found[0].2.width);
    (found.len() >= FEWEST && same && found.len() * found[0].2.width == width).then_some(found)
}

/// How much each number grows from pass to pass, if each grows by the same.
pub fn grows<T>(passes: &[(T, Vec<BigUint>)]) -> Option<Vec<BigUint>> {
    let (first, second) = (&passes[0].1, &passes[1].1);
    let mut steps = Vec::new();
    for (at, start) in first.iter().enumerate() {
        let next = second.get(at)?;
        if next < start {
            return None;
        }
        let step = next - start;
        let even = passes.iter().enumerate().all(|(i, (_, numbers))| numbers.get(at) == Some(&(start + &step * i)));
        // A genvar has 32 bits.
        if !even || (step != BigUint::ZERO && (start + &step * passes.len()).bits() > 30) {
            return None;
        }
        steps.push(step);
    }
    passes.iter().all(|(_, numbers)| numbers.len() == first.len()).then_some(steps)
}

/// A statement without its numbers, and those in the order in which they stand in it.
pub fn shape(module: &Module, statement: &Statement) -> (String, Vec<BigUint>) {
    let search = Search { module, families: Vec::new(), elements: HashMap::new(), active: Vec::new() };
    let mut form = Form::default();
    search.block(std::slice::from_ref(statement), 0, &mut form);
    (form.text, form.numbers)
}

/// Puts the texts' modules together.
struct Builder<'s, 'm> {
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
    fn new(search: &'s Search<'m>, vectors: &'s [bool]) -> Self {
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

    fn build(mut self, groups: &[Group]) -> Rolled {
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
        for sink in super::unused::find(search.module) {
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
