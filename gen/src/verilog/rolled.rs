//! What an array of signals, registers and children repeats for each element, as one `generate` loop.
//!
//! The elaborated module says everything once per element. Parts of it (a register or net, a child, the bits of a vector that element by
//! element is put together) that differ in the element alone are found by comparing them, expression by expression: every reference to an
//! element must be to the pass's own, or to the same in each pass, and every number must grow by the same step. What is not so stays as it
//! is.
//!
//! An element that only its own pass refers to is declared in the loop. The others are a vector, of which each has its bits. A vector is
//! one net to a simulator that orders what it evaluates: where it would depend on itself, its elements stay signals of their own.

mod build;
mod form;

use super::paths::Paths;
use super::unused::Unused;
use crate::ir::{Connected, Expr, ExprKind, Instance, Kind, Module, Process, SignalId, Statement};
use crate::lower::slice;
use build::Builder;
pub use build::affine;
pub use form::{grows, shape};
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

/// Parts of one form by the element that they belong to, each with its numbers.
type Passes = BTreeMap<usize, Vec<(What, Vec<BigUint>)>>;

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
        let mut by_form: BTreeMap<String, (usize, Passes)> = BTreeMap::new();
        for (order, part) in self.parts().into_iter().enumerate() {
            let form = self.form(&part);
            let (_, passes) = by_form.entry(form.text).or_insert((order, Passes::new()));
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
