//! What a fingerprint tells apart, and what it does not.

mod common;

use common::design;
use rdma_rtl_gen::ir::{Binary, Connected, Design, Expr, ExprKind, Fingerprint, Process, SignalId, fingerprints};
use rdma_rtl_hdl::primitives::{FifoLut, SkidBuffer};

fn fifo() -> Design {
    design(FifoLut::<8, 4, 5>::default())
}

fn logic(design: &Design) -> Fingerprint {
    fingerprints(design).modules.last().expect("a design has a top").1
}

/// Names of modules, signals and instances are changed, those of the template's ports excepted.
fn renamed(mut design: Design) -> Design {
    for (number, module) in design.modules.iter_mut().enumerate() {
        if module.memory.is_none() {
            for signal in &mut module.signals {
                signal.name = format!("{}_{number}", signal.name);
                signal.doc.clear();
            }
        }
        module.name = format!("m{number}");
        module.origin.params.clear();
        module.origin.doc = "another".into();
    }
    let names: Vec<(String, bool)> = fifo().modules.iter().map(|m| (m.name.clone(), m.memory.is_some())).collect();
    for module in &mut design.modules {
        for instance in &mut module.instances {
            let number = names.iter().position(|(name, _)| *name == instance.module).expect("children are modules");
            instance.module = format!("m{number}");
            instance.name = format!("i_{}", instance.name);
            if !names[number].1 {
                instance.connections.iter_mut().for_each(|c| c.port = format!("{}_{number}", c.port));
            }
        }
    }
    design.top = design.modules.last().expect("a design has a top").name.clone();
    design
}

#[test]
fn names_comments_and_parameters_do_not_count() {
    assert_eq!(logic(&fifo()), logic(&renamed(fifo())));
    assert_ne!(fingerprints(&fifo()).ports, fingerprints(&renamed(fifo())).ports, "the names of the top's ports do");
}

/// The signals of every module in the other order.
fn reversed(mut design: Design) -> Design {
    for module in design.modules.iter_mut().filter(|m| m.memory.is_none()) {
        let last = module.signals.len() - 1;
        let other = |id: &mut SignalId| id.0 = last - id.0;
        let reads = &mut |e: &mut Expr| {
            e.walk_mut(&mut |e| {
                if let ExprKind::Signal(id) = &mut e.kind {
                    other(id);
                }
            });
        };
        module.signals.reverse();
        module.processes.reverse();
        module.instances.reverse();
        for process in &mut module.processes {
            process.for_each_expression_mut(reads);
            match process {
                Process::Assign { target, .. } => other(target),
                Process::Combinational { targets, body } => {
                    targets.iter_mut().for_each(other);
                    targets_mut(body, &other);
                }
                Process::Clocked { clock, targets, reset, body } => {
                    other(clock);
                    targets.iter_mut().for_each(other);
                    targets_mut(body, &other);
                    reset.iter_mut().for_each(|(_, values)| targets_mut(values, &other));
                }
            }
        }
        for connection in module.instances.iter_mut().flat_map(|i| &mut i.connections) {
            match &mut connection.value {
                Connected::Input(value) => reads(value),
                Connected::Output(id) => other(id),
            }
        }
    }
    design
}

fn targets_mut(block: &mut [rdma_rtl_gen::ir::Statement], other: &dyn Fn(&mut SignalId)) {
    for statement in block {
        if let rdma_rtl_gen::ir::Statement::Assign { target, .. } = statement {
            other(target);
        }
        statement.blocks_mut().into_iter().for_each(|inner| targets_mut(inner, other));
    }
}

#[test]
fn order_does_not_count() {
    assert_eq!(fingerprints(&fifo()).ports, fingerprints(&reversed(fifo())).ports);
    assert_eq!(logic(&fifo()), logic(&reversed(fifo())));
}

/// Every module of the FIFO, each of its expressions: a change of any one changes the whole.
#[test]
fn every_expression_counts() {
    let before = logic(&fifo());
    let mut changed = 0;
    for module in 0..fifo().modules.len() {
        let mut places = 0;
        for process in &mut fifo().modules[module].processes {
            process.for_each_expression_mut(&mut |e| e.walk_mut(&mut |_| places += 1));
        }
        for place in 0..places {
            let mut design = fifo();
            let mut at = 0;
            for process in &mut design.modules[module].processes {
                process.for_each_expression_mut(&mut |e| {
                    e.walk_mut(&mut |e| {
                        if at == place {
                            *e = match &e.kind {
                                ExprKind::Binary(Binary::Add, l, r) => Expr::binary(Binary::Sub, *l.clone(), *r.clone()),
                                ExprKind::Literal(v) => Expr::literal(e.width, v + 1u8),
                                _ => Expr { width: e.width, kind: ExprKind::Not(Box::new(e.clone())) },
                            };
                        }
                        at += 1;
                    });
                });
            }
            assert_ne!(logic(&design), before, "expression {place} of {}", design.modules[module].name);
            changed += 1;
        }
    }
    assert!(changed > 20, "only {changed} expressions were tried");
}

#[test]
fn ports_that_change_places_count() {
    let buffer = || design(SkidBuffer::<1>::default());
    let mut crossed = buffer();
    let top = crossed.modules.last_mut().expect("a design has a top");
    let (data, valid) = (top.find("in_data").expect("a port"), top.find("in_valid").expect("a port"));
    let name = top.signals[data.0].name.clone();
    top.signals[data.0].name = std::mem::replace(&mut top.signals[valid.0].name, name);
    assert_eq!(logic(&buffer()), logic(&crossed));
    assert_ne!(fingerprints(&buffer()).ports, fingerprints(&crossed).ports);
}

#[test]
fn widths_count() {
    assert_ne!(logic(&design(FifoLut::<8, 4, 5>::default())), logic(&design(FifoLut::<9, 4, 5>::default())));
}
