//! One block to one module.

use super::connect::Parts;
use super::expr::Expressions;
use super::name::Environment;
use super::scope::{Part, Scope};
use super::{group, names, order, process, slice};
use crate::error::What;
use crate::ir::{
    Connected, Connection, Constant, Expr, ExprKind, Instance, Kind, Memory, Module, Origin, Process, Signal, SignalId, Statement, ones,
};
use rdma_rtl_hdl::describe::{BlockDescription, Role};
use rust_hdl::prelude::Verilog;
use std::collections::{HashMap, HashSet};

/// `children` are the names of the children's modules, found in `done`.
pub fn build(block: &BlockDescription, children: &[String], done: &[Module]) -> Result<Module, What> {
    let mut scope = Scope::new(block)?;
    let origin = Origin {
        type_name: block.type_name.to_string(),
        params: block.params.iter().map(|(n, v)| (n.to_string(), *v)).collect(),
        doc: block.doc.to_string(),
        file: block.file.replace('\\', "/"),
        line: block.line,
    };
    if let Role::Memory(style) = block.role {
        return memory(&scope, origin, style);
    }
    let kernel = match &block.hdl {
        Verilog::Combinatorial(kernel) => kernel.as_slice(),
        Verilog::Empty => &[],
        _ => {
            let what = "a block with Verilog of its own".to_string();
            return Err(What::Unsupported { what, instead: "Write its behaviour in a kernel with #[kernel]" });
        }
    };
    let mut program = Vec::new();
    Expressions { scope: &scope, env: Environment::new(&block.params) }.block(kernel, &mut program)?;
    let snapshots = order::separate(&mut program, &mut scope)?;
    check_driven(&scope, &program)?;

    let signal = |id: &SignalId| &scope.entries[id.0];
    let controls = group::controls(&program);
    let mut processes = Vec::new();
    // In the order of the first assignment, which is the order of the source.
    let mut targets = Vec::new();
    program.iter().for_each(|s| s.targets(&mut targets));
    let mut seen = HashSet::new();
    targets.retain(|t| seen.insert(*t));
    let read: HashSet<SignalId> = expressions(&program).into_iter().flat_map(Expr::signals).collect();
    let is_net = |id: &SignalId| match signal(id).part {
        Part::Local | Part::Output | Part::ChildInput { .. } => true,
        Part::RegisterNext { .. } => read.contains(id),
        _ => false,
    };
    let nets: Vec<SignalId> = targets.iter().copied().filter(is_net).collect();
    let mut reads: HashMap<SignalId, Vec<SignalId>> = HashMap::new();
    for net in &nets {
        let body = slice::slice(&program, &[*net]);
        if slice::covered(&body, *net, signal(net).ty.width) != ones(signal(net).ty.width) {
            return Err(What::Latch { signal: signal(net).rust.clone() });
        }
        let mut found: Vec<SignalId> = expressions(&body).into_iter().flat_map(Expr::signals).collect();
        // A process may read its own signal where it has assigned it; what it reads through a snapshot is that as well.
        found.retain(|r| r != net && snapshots.iter().all(|s| s.net != *r || s.of != *net));
        reads.insert(*net, found);
    }
    for snapshot in &snapshots {
        let found = expressions(&snapshot.body).into_iter().flat_map(Expr::signals).filter(|r| *r != snapshot.of).collect();
        reads.insert(snapshot.net, found);
    }
    let mut groups: Vec<Vec<SignalId>> = Vec::new();
    for net in &nets {
        let alone = snapshots.iter().any(|s| s.of == *net) || controls[net].is_empty();
        let fits = |g: &&mut Vec<SignalId>| controls[&g[0]] == controls[net] && !snapshots.iter().any(|s| s.of == g[0]);
        match groups.iter_mut().find(fits).filter(|_| !alone) {
            Some(group) => group.push(*net),
            None => groups.push(vec![*net]),
        }
    }
    groups.extend(snapshots.iter().map(|s| vec![s.net]));
    let groups = group::break_loops(groups, &reads);
    let stuck = group::stuck(&groups, &reads);
    if !stuck.is_empty() {
        let signals = stuck.iter().flat_map(|g| &groups[*g]).map(|s| signal(s).rust.clone()).collect();
        return Err(What::Loop { signals });
    }
    for group in &groups {
        processes.push(match snapshots.iter().find(|s| s.net == group[0]) {
            Some(snapshot) => process::snapshot(snapshot),
            None => process::combinational(&program, group, &snapshots),
        });
    }
    processes.extend(registers(&scope, &program, &targets, &controls, &read)?);
    prune_snapshots(&mut processes, &snapshots);

    let modules: Vec<&Module> = children.iter().filter_map(|name| done.iter().find(|m| m.name == *name)).collect();
    let names = names::assign(&scope, &modules)?;
    let mut parts = Parts { signals: signals(&scope, &names), processes, instances: instances(&scope, &names, &modules) };
    let of = |wanted: &dyn Fn(Part) -> bool| -> Vec<SignalId> {
        (0..scope.entries.len()).filter(|i| wanted(scope.entries[*i].part)).map(SignalId).collect()
    };
    parts.connect_inputs(&of(&|p| matches!(p, Part::ChildInput { .. })));
    parts.connect_outputs(&of(&|p| matches!(p, Part::ChildOutput { .. })));
    parts.merge_registers(&of(&|p| p == Part::RegisterValue));
    let constants = scope
        .constants
        .iter()
        .zip(names.constants)
        .map(|(c, name)| Constant { name, width: c.ty.width, value: c.value.clone(), doc: c.doc.clone() })
        .collect();
    let mut module = Module {
        name: String::new(),
        origin,
        signals: parts.signals,
        constants,
        processes: parts.processes,
        instances: parts.instances,
        memory: None,
    };
    compact(&mut module);
    check_intermediates(&module)?;
    Ok(module)
}

/// A snapshot that only the signal's own process would read is not needed.
fn prune_snapshots(processes: &mut Vec<Process>, snapshots: &[order::Snapshot]) {
    loop {
        let read: HashSet<SignalId> = processes
            .iter()
            .flat_map(|p| {
                let own = p.targets();
                p.expressions().into_iter().flat_map(Expr::signals).filter(move |s| !own.contains(s))
            })
            .collect();
        let before = processes.len();
        processes.retain(|p| {
            let targets = p.targets();
            !snapshots.iter().any(|s| targets.contains(&s.net) && !read.contains(&s.net))
        });
        if processes.len() == before {
            return;
        }
    }
}

fn expressions(block: &[Statement]) -> Vec<&Expr> {
    let mut found = Vec::new();
    crate::ir::expressions(block, &mut found);
    found
}

/// Outputs, locals that are read, and children's inputs are assigned somewhere.
fn check_driven(scope: &Scope, program: &[Statement]) -> Result<(), What> {
    let mut targets = Vec::new();
    program.iter().for_each(|s| s.targets(&mut targets));
    let targets: HashSet<SignalId> = targets.into_iter().collect();
    for (i, entry) in scope.entries.iter().enumerate() {
        let needed = matches!(
            entry.part,
            Part::Output | Part::Local | Part::ChildInput { .. } | Part::RegisterNext { .. } | Part::RegisterClock { .. }
        );
        if needed && !targets.contains(&SignalId(i)) {
            return Err(What::Unassigned { signal: entry.rust.clone() });
        }
    }
    Ok(())
}

fn registers(
    scope: &Scope,
    program: &[Statement],
    targets: &[SignalId],
    controls: &HashMap<SignalId, Vec<usize>>,
    read: &HashSet<SignalId>,
) -> Result<Vec<Process>, What> {
    let mut clocks = HashMap::new();
    for target in targets {
        if let Part::RegisterClock { register } = scope.entries[target.0].part {
            let body = slice::slice(program, &[*target]);
            let source = match body.as_slice() {
                [Statement::Assign { value, .. }] => value.as_signal().filter(|s| scope.entries[s.0].clock),
                _ => None,
            };
            let Some(source) = source else {
                let what = format!("{}: a clock that is not wired directly", scope.entries[target.0].rust);
                return Err(What::Unsupported { what, instead: "Assign it a clock once, outside of any `if`" });
            };
            clocks.insert(register, source);
        }
    }
    // Groups by clock and by what decides over them.
    let mut groups: Vec<(SignalId, Vec<process::Register>)> = Vec::new();
    let mut processes = Vec::new();
    for next in targets {
        let Part::RegisterNext { register } = scope.entries[next.0].part else { continue };
        let (value, width) = (SignalId(scope.registers[register]), scope.entries[next.0].ty.width);
        let clock = clocks[&register];
        if read.contains(next) {
            let body = vec![Statement::Assign { target: value, low: None, value: Expr::signal(*next, width) }];
            processes.push(Process::Clocked { clock, targets: vec![value], reset: None, body });
            continue;
        }
        let body = slice::slice(program, &[*next]);
        if slice::covered(&body, *next, width) != ones(width) {
            return Err(What::Latch { signal: scope.entries[next.0].rust.clone() });
        }
        match groups.iter_mut().find(|(c, g)| *c == clock && controls[&g[0].0] == controls[next]) {
            Some((_, group)) => group.push((*next, value, width)),
            None => groups.push((clock, vec![(*next, value, width)])),
        }
    }
    processes.extend(groups.iter().map(|(clock, group)| process::clocked(program, group, *clock)));
    Ok(processes)
}

fn signals(scope: &Scope, names: &names::Names) -> Vec<Signal> {
    scope
        .entries
        .iter()
        .zip(&names.signals)
        .map(|(entry, name)| Signal {
            name: name.clone(),
            rust: if entry.part == Part::Snapshot { Vec::new() } else { vec![entry.rust.clone()] },
            width: entry.ty.width,
            kind: match entry.part {
                Part::Input => Kind::Input,
                Part::Output => Kind::Output,
                _ => Kind::Net,
            },
            clock: entry.clock,
            crossing: entry.crossing,
            doc: entry.doc.clone(),
        })
        .collect()
}

fn instances(scope: &Scope, names: &names::Names, modules: &[&Module]) -> Vec<Instance> {
    let mut instances: Vec<Instance> = scope
        .children
        .iter()
        .zip(&names.children)
        .zip(modules)
        .map(|(((rust, doc), name), module)| Instance {
            name: name.clone(),
            rust: rust.clone(),
            module: module.name.clone(),
            doc: doc.to_string(),
            connections: Vec::new(),
        })
        .collect();
    for (i, entry) in scope.entries.iter().enumerate() {
        let (child, value) = match entry.part {
            Part::ChildInput { child } => (child, Connected::Input(Expr::signal(SignalId(i), entry.ty.width))),
            Part::ChildOutput { child } => (child, Connected::Output(SignalId(i))),
            _ => continue,
        };
        let port = modules.get(child).and_then(|m| m.signals.iter().find(|s| s.kind != Kind::Net && s.rust.contains(&entry.port)));
        let port = port.map_or_else(|| entry.port.clone(), |s| s.name.clone());
        instances[child].connections.push(Connection { port, value });
    }
    instances
}

fn memory(scope: &Scope, origin: Origin, style: rdma_rtl_hdl::describe::MemoryStyle) -> Result<Module, What> {
    let names = names::assign(scope, &[])?;
    let width_of = |name: &str| {
        let entry = scope.entries.iter().find(|e| e.rust == name).map(|e| e.ty.width);
        entry.ok_or_else(|| What::Internal { detail: format!("a memory without {name}") })
    };
    let memory = Memory { width: width_of("read_data")?, address: width_of("read_address")?, style };
    for needed in ["clk", "write_enable", "write_address", "write_data"] {
        width_of(needed)?;
    }
    Ok(Module {
        name: String::new(),
        origin,
        signals: signals(scope, &names),
        constants: Vec::new(),
        processes: Vec::new(),
        instances: Vec::new(),
        memory: Some(memory),
    })
}

/// Signals and constants that nothing drives or reads any more go; the rest is ports, then nets.
fn compact(module: &mut Module) {
    let mut used: HashSet<SignalId> = HashSet::new();
    let mut constants: HashSet<usize> = HashSet::new();
    {
        let mut expressions: Vec<&Expr> = module.processes.iter().flat_map(Process::expressions).collect();
        for process in &module.processes {
            used.extend(process.targets());
            if let Process::Clocked { clock, .. } = process {
                used.insert(*clock);
            }
        }
        for connection in module.instances.iter().flat_map(|i| &i.connections) {
            match &connection.value {
                Connected::Input(value) => expressions.push(value),
                Connected::Output(id) => {
                    used.insert(*id);
                }
            }
        }
        for expr in expressions {
            used.extend(expr.signals());
            expr.walk(&mut |e| {
                if let ExprKind::Constant(i) = e.kind {
                    constants.insert(i);
                }
            });
        }
    }
    let port = |s: &Signal| s.kind != Kind::Net;
    let old: Vec<usize> = (0..module.signals.len())
        .filter(|i| port(&module.signals[*i]))
        .chain((0..module.signals.len()).filter(|i| !port(&module.signals[*i]) && used.contains(&SignalId(*i))))
        .collect();
    let new: HashMap<SignalId, SignalId> = old.iter().enumerate().map(|(n, o)| (SignalId(*o), SignalId(n))).collect();
    let mut kept: Vec<usize> = constants.into_iter().collect();
    kept.sort_unstable();
    module.signals = old.iter().map(|i| module.signals[*i].clone()).collect();
    module.constants = kept.iter().map(|i| module.constants[*i].clone()).collect();
    let mut renumber = |e: &mut Expr| {
        e.walk_mut(&mut |e| match &mut e.kind {
            ExprKind::Signal(id) => *id = new[id],
            ExprKind::Constant(i) => *i = kept.iter().position(|k| k == i).unwrap_or_default(),
            _ => {}
        });
    };
    fn targets(block: &mut [Statement], new: &HashMap<SignalId, SignalId>) {
        for statement in block {
            if let Statement::Assign { target, .. } = statement {
                *target = new[target];
            }
            statement.blocks_mut().into_iter().for_each(|b| targets(b, new));
        }
    }
    for process in &mut module.processes {
        process.for_each_expression_mut(&mut renumber);
        match process {
            Process::Assign { target, .. } => *target = new[target],
            Process::Combinational { targets: list, body } => {
                list.iter_mut().for_each(|t| *t = new[t]);
                targets(body, &new);
            }
            Process::Clocked { clock, targets: list, reset, body } => {
                *clock = new[clock];
                list.iter_mut().for_each(|t| *t = new[t]);
                targets(body, &new);
                if let Some((_, values)) = reset {
                    targets(values, &new);
                }
            }
        }
    }
    for connection in module.instances.iter_mut().flat_map(|i| &mut i.connections) {
        match &mut connection.value {
            Connected::Input(value) => renumber(value),
            Connected::Output(id) => *id = new[id],
        }
    }
}

/// A process cannot read an intermediate net that depends on what the process itself is about to assign.
fn check_intermediates(module: &Module) -> Result<(), What> {
    for process in &module.processes {
        let Process::Combinational { targets, body } = process else { continue };
        for expr in expressions(body) {
            for inner in crate::verilog::intermediates(module, expr) {
                if let Some(own) = inner.signals().iter().find(|s| targets.contains(s)) {
                    return Err(What::Intermediate { signal: module.signal(*own).name.clone() });
                }
            }
        }
    }
    Ok(())
}
