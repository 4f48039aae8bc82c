//! What a module is, whatever it and its parts are called.

use super::{Connected, Design, Direction, Expr, ExprKind, Instance, Kind, Module, Process, SignalId, Statement};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Bits that say what something is; equal for things that differ in names, comments, parameters and order alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 16]);

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Fingerprints of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// Name and fingerprint of each module, children before their owners; the last one is the top.
    pub modules: Vec<(String, Fingerprint)>,
    /// Names, widths and directions of the top's ports, and what each of them is in the logic: where two ports change places, this one
    /// differs.
    pub ports: Fingerprint,
}

/// Fingerprints of every module of a design.
///
/// A signal begins as its width and direction and becomes, round by round, what drives it, in terms of what its operands have become; an
/// input also becomes what it is used for. The rounds end when no two signals are told apart that were not before. A module is the multiset
/// of its signals and instances.
///
/// Names of modules, signals, instances and constants, comments, parameters, the order of declarations and the grouping of assignments into
/// processes do not count. The form of an expression and the hierarchy do: where those change, equivalence is for a prover to say.
pub fn fingerprints(design: &Design) -> Fingerprints {
    let mut known: HashMap<&str, Known> = HashMap::new();
    let mut modules = Vec::new();
    for module in &design.modules {
        let found = Classes::new(module, &known).settled();
        modules.push((module.name.clone(), found.module));
        known.insert(&module.name, found);
    }
    let top = &known[design.top.as_str()];
    let mut bytes = Bytes::of("ports");
    let sorted: BTreeMap<String, (usize, bool)> =
        design.ports().into_iter().map(|p| (p.name, (p.width, p.direction == Direction::Input))).collect();
    for (name, (width, input)) in sorted {
        bytes.number(name.len()).text(&name).number(width).number(usize::from(input)).print(top.ports[&name]);
    }
    Fingerprints { modules, ports: bytes.done() }
}

/// A module whose signals have been told apart.
struct Known {
    module: Fingerprint,
    ports: HashMap<String, Fingerprint>,
}

/// What is hashed.
struct Bytes(Sha256);

impl Bytes {
    fn of(what: &str) -> Self {
        let mut bytes = Self(Sha256::new());
        bytes.number(what.len()).text(what);
        bytes
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.0.update(text.as_bytes());
        self
    }

    fn number(&mut self, number: usize) -> &mut Self {
        self.0.update((number as u64).to_le_bytes());
        self
    }

    fn print(&mut self, print: Fingerprint) -> &mut Self {
        self.0.update(print.0);
        self
    }

    fn done(&mut self) -> Fingerprint {
        let mut print = [0; 16];
        print.copy_from_slice(&self.0.finalize_reset()[..16]);
        Fingerprint(print)
    }
}

/// An expression or a statement without its signals, and the signals in the order in which they stand in it.
struct Form {
    shape: Fingerprint,
    signals: Vec<SignalId>,
}

impl Form {
    fn new(module: &Module, what: &str, write: impl FnOnce(&mut Former)) -> Self {
        let mut former = Former { module, bytes: Bytes::of(what), signals: Vec::new() };
        write(&mut former);
        Self { shape: former.bytes.done(), signals: former.signals }
    }

    /// The form with what its signals are; `marked` stands for itself.
    fn value(&self, classes: &[Fingerprint], marked: Option<SignalId>) -> Fingerprint {
        let mut bytes = Bytes::of("form");
        bytes.print(self.shape);
        for id in &self.signals {
            if marked == Some(*id) {
                bytes.text("the marked signal");
            } else {
                bytes.print(classes[id.0]);
            }
        }
        bytes.done()
    }
}

struct Former<'m> {
    module: &'m Module,
    bytes: Bytes,
    signals: Vec<SignalId>,
}

impl Former<'_> {
    fn signal(&mut self, id: SignalId) {
        self.bytes.text("signal");
        self.signals.push(id);
    }

    fn expression(&mut self, e: &Expr) {
        self.bytes.number(e.width);
        match &e.kind {
            ExprKind::Literal(value) => _ = self.bytes.text("literal").text(&value.to_string()).text(";"),
            ExprKind::Constant(index) => {
                _ = self.bytes.text("literal").text(&self.module.constants[*index].value.to_string()).text(";");
            }
            ExprKind::Signal(id) => self.signal(*id),
            ExprKind::Not(_) => _ = self.bytes.text("not"),
            ExprKind::Negate(_) => _ = self.bytes.text("negate"),
            ExprKind::Reduce(op, _) => _ = self.bytes.text(&format!("reduce {op:?};")),
            ExprKind::Binary(op, ..) => _ = self.bytes.text(&format!("binary {op:?};")),
            ExprKind::Compare(op, ..) => _ = self.bytes.text(&format!("compare {op:?};")),
            ExprKind::Shift(op, ..) => _ = self.bytes.text(&format!("shift {op:?};")),
            ExprKind::Slice(_, low) => _ = self.bytes.text("slice").number(*low),
            ExprKind::SliceAt(..) => _ = self.bytes.text("slice at"),
            ExprKind::Bit(..) => _ = self.bytes.text("bit"),
            ExprKind::ReplaceBit(..) => _ = self.bytes.text("replace bit"),
            ExprKind::Concat(parts) => _ = self.bytes.text("concat").number(parts.len()),
            ExprKind::ZeroExtend(_) => _ = self.bytes.text("zero extend"),
            ExprKind::SignExtend(_) => _ = self.bytes.text("sign extend"),
            ExprKind::Mux(..) => _ = self.bytes.text("mux"),
        }
        for operand in e.operands() {
            self.expression(operand);
        }
    }

    /// What a block does to one of its targets.
    fn block(&mut self, block: &[Statement], target: SignalId) {
        self.bytes.text("{");
        for statement in block {
            match statement {
                Statement::Assign { target: assigned, low, value } if *assigned == target => {
                    self.bytes.text("assign").number(low.map_or(usize::MAX, |low| low));
                    self.expression(value);
                }
                Statement::Assign { .. } => {}
                _ if !assigns(statement, target) => {}
                Statement::If { condition, then, otherwise } => {
                    self.bytes.text("if");
                    self.expression(condition);
                    self.block(then, target);
                    self.block(otherwise, target);
                }
                Statement::Case { value, arms, default } => {
                    self.bytes.text("case").number(arms.len());
                    self.expression(value);
                    for arm in arms {
                        self.expression(&arm.pattern);
                        self.block(&arm.body, target);
                    }
                    self.block(default, target);
                }
            }
        }
        self.bytes.text("}");
    }
}

fn assigns(statement: &Statement, target: SignalId) -> bool {
    match statement {
        Statement::Assign { target: assigned, .. } => *assigned == target,
        _ => statement.blocks().into_iter().flatten().any(|inner| assigns(inner, target)),
    }
}

/// What drives a signal.
enum Driver {
    Form(Form),
    /// Instance, and what its port is in its module.
    Instance(usize, Fingerprint),
}

/// An instance: its module, and what its inputs are connected to.
struct Child {
    module: Fingerprint,
    inputs: Vec<(Fingerprint, Form)>,
}

/// The signals of a module, as far as they have been told apart.
struct Classes<'m> {
    module: &'m Module,
    drivers: Vec<(SignalId, Driver)>,
    children: Vec<Child>,
    now: Vec<Fingerprint>,
    instances: Vec<Fingerprint>,
}

impl<'m> Classes<'m> {
    fn new(module: &'m Module, known: &HashMap<&str, Known>) -> Self {
        let begin = |s: &super::Signal| {
            let mut bytes = Bytes::of("signal");
            let kind = match s.kind {
                Kind::Input => 0,
                Kind::Output => 1,
                Kind::Net => 2,
            };
            bytes.number(s.width).number(kind).number(usize::from(s.clock)).number(usize::from(s.crossing)).done()
        };
        let now: Vec<_> = match &module.memory {
            // A template: its ports are known by their names, which the template uses.
            Some(_) => module.signals.iter().map(|s| Bytes::of("port").text(&s.name).print(begin(s)).done()).collect(),
            None => module.signals.iter().map(begin).collect(),
        };
        let mut drivers: Vec<(SignalId, Driver)> = module.processes.iter().flat_map(|p| drivers(module, p)).collect();
        let mut children = Vec::new();
        for (number, instance) in module.instances.iter().enumerate() {
            let child = &known[instance.module.as_str()];
            let input = |form, port: &str| (child.ports[port], form);
            children.push(Child { module: child.module, inputs: inputs(module, instance).map(|(port, form)| input(form, port)).collect() });
            for connection in &instance.connections {
                if let Connected::Output(id) = &connection.value {
                    drivers.push((*id, Driver::Instance(number, child.ports[&connection.port])));
                }
            }
        }
        let instances = children.iter().map(|c| c.module).collect();
        Self { module, drivers, children, now, instances }
    }

    fn settled(mut self) -> Known {
        let mut told_apart = 0;
        loop {
            let classes: BTreeSet<_> = self.now.iter().chain(&self.instances).collect();
            if classes.len() <= told_apart {
                break;
            }
            told_apart = classes.len();
            self.round();
        }
        let mut bytes = Bytes::of("module");
        if let Some(memory) = &self.module.memory {
            bytes.text(&format!("{:?};", memory.style)).number(memory.width).number(memory.address);
        }
        for mut part in [self.now.clone(), self.instances.clone()] {
            part.sort_unstable();
            bytes.number(part.len());
            part.into_iter().for_each(|print| _ = bytes.print(print));
        }
        let port = |(s, print): (&super::Signal, &Fingerprint)| (s.kind != Kind::Net).then(|| (s.name.clone(), *print));
        Known { module: bytes.done(), ports: self.module.signals.iter().zip(&self.now).filter_map(port).collect() }
    }

    fn round(&mut self) {
        let mut seen: Vec<Vec<Fingerprint>> = vec![Vec::new(); self.now.len()];
        let input = |id: &SignalId| self.module.signal(*id).kind == Kind::Input;
        let mut uses = |form: &Form, user: Fingerprint| {
            for id in form.signals.iter().filter(|id| input(id)).collect::<BTreeSet<_>>() {
                seen[id.0].push(Bytes::of("use").print(user).print(form.value(&self.now, Some(*id))).done());
            }
        };
        for (target, driver) in &self.drivers {
            if let Driver::Form(form) = driver {
                uses(form, self.now[target.0]);
            }
        }
        for (child, instance) in self.children.iter().zip(&self.instances) {
            for (port, form) in &child.inputs {
                uses(form, Bytes::of("input").print(*instance).print(*port).done());
            }
        }
        for (target, driver) in &self.drivers {
            seen[target.0].push(match driver {
                Driver::Form(form) => form.value(&self.now, None),
                Driver::Instance(number, port) => Bytes::of("output").print(self.instances[*number]).print(*port).done(),
            });
        }
        let instance = |child: &Child| {
            let mut inputs: Vec<_> = child.inputs.iter().map(|(port, form)| (*port, form.value(&self.now, None))).collect();
            inputs.sort_unstable();
            let mut bytes = Bytes::of("instance");
            bytes.print(child.module);
            inputs.into_iter().for_each(|(port, value)| _ = bytes.print(port).print(value));
            bytes.done()
        };
        let instances = self.children.iter().map(instance).collect();
        let refined = |(mut seen, now): (Vec<Fingerprint>, &Fingerprint)| {
            seen.sort_unstable();
            let mut bytes = Bytes::of("class");
            bytes.print(*now).number(seen.len());
            seen.into_iter().for_each(|print| _ = bytes.print(print));
            bytes.done()
        };
        self.now = seen.into_iter().zip(&self.now).map(refined).collect();
        self.instances = instances;
    }
}

/// What a process drives each of its targets with: signals that share an `always` are told apart.
fn drivers(module: &Module, process: &Process) -> Vec<(SignalId, Driver)> {
    let form = |what, target, write: &dyn Fn(&mut Former)| (target, Driver::Form(Form::new(module, what, write)));
    match process {
        Process::Assign { target, value } => vec![form("assign", *target, &|f| f.expression(value))],
        Process::Combinational { targets, body } => {
            targets.iter().map(|t| form("combinational", *t, &|f: &mut Former| f.block(body, *t))).collect()
        }
        Process::Clocked { clock, targets, reset, body } => {
            let clocked = |target: SignalId, f: &mut Former| {
                f.signal(*clock);
                // A register that the reset does not assign holds its value in it.
                if let Some((condition, values)) = reset {
                    f.expression(condition);
                    f.block(values, target);
                }
                f.block(body, target);
            };
            targets.iter().map(|t| form("clocked", *t, &|f: &mut Former| clocked(*t, f))).collect()
        }
    }
}

fn inputs<'m>(module: &'m Module, instance: &'m Instance) -> impl Iterator<Item = (&'m str, Form)> {
    instance.connections.iter().filter_map(|connection| match &connection.value {
        Connected::Input(value) => Some((connection.port.as_str(), Form::new(module, "input", |f| f.expression(value)))),
        Connected::Output(_) => None,
    })
}
