//! Nets that only carry another signal's value go away: instances connect to what they mean.

use super::process::retarget;
use crate::ir::{Connected, Expr, ExprKind, Instance, Kind, Process, Signal, SignalId};

/// The parts of a module while it is put together.
pub struct Parts {
    pub signals: Vec<Signal>,
    pub processes: Vec<Process>,
    pub instances: Vec<Instance>,
}

impl Parts {
    /// A child's input that is a signal, a constant or a literal is connected to it.
    pub fn connect_inputs(&mut self, inputs: &[SignalId]) {
        for input in inputs {
            let source = self.processes.iter().position(|p| {
                matches!(p, Process::Assign { target, value } if target == input
                    && matches!(value.kind, ExprKind::Signal(_) | ExprKind::Literal(_) | ExprKind::Constant(_)))
            });
            if let Some(at) = source
                && let Process::Assign { value, .. } = self.processes.remove(at)
            {
                self.replace(*input, &value);
            }
        }
    }

    /// A child's output that one of our signals is assigned drives that signal.
    pub fn connect_outputs(&mut self, outputs: &[SignalId]) {
        for output in outputs {
            self.merge(*output, &|_| true);
        }
    }

    /// A register that an output is assigned is that output.
    pub fn merge_registers(&mut self, registers: &[SignalId]) {
        for register in registers {
            self.merge(*register, &|s| s.kind == Kind::Output);
        }
    }

    /// The first signal that is assigned `from`, and that `fits`, takes its place.
    fn merge(&mut self, from: SignalId, fits: &dyn Fn(&Signal) -> bool) {
        let at = self.processes.iter().position(
            |p| matches!(p, Process::Assign { target, value } if value.as_signal() == Some(from) && fits(&self.signals[target.0])),
        );
        let Some(at) = at else { return };
        let Process::Assign { target, value } = self.processes.remove(at) else { return };
        let merged = std::mem::take(&mut self.signals[from.0].rust);
        self.signals[target.0].rust.extend(merged);
        self.signals[target.0].crossing |= self.signals[from.0].crossing;
        let inner_doc = std::mem::take(&mut self.signals[from.0].doc);
        if self.signals[target.0].doc.is_empty() {
            self.signals[target.0].doc = inner_doc;
        }
        for process in &mut self.processes {
            match process {
                Process::Assign { .. } => {}
                Process::Combinational { targets, body } => {
                    retarget(body, from, target);
                    targets.iter_mut().filter(|t| **t == from).for_each(|t| *t = target);
                }
                Process::Clocked { targets, reset, body, .. } => {
                    retarget(body, from, target);
                    if let Some((_, values)) = reset {
                        retarget(values, from, target);
                    }
                    targets.iter_mut().filter(|t| **t == from).for_each(|t| *t = target);
                }
            }
        }
        for connection in self.instances.iter_mut().flat_map(|i| &mut i.connections) {
            if let Connected::Output(id) = &mut connection.value
                && *id == from
            {
                *id = target;
            }
        }
        self.replace(from, &Expr::signal(target, value.width));
    }

    /// Every read of `from` becomes `to`.
    fn replace(&mut self, from: SignalId, to: &Expr) {
        let mut substitute = |e: &mut Expr| {
            e.walk_mut(&mut |e| {
                if e.kind == ExprKind::Signal(from) {
                    *e = to.clone();
                }
            });
        };
        for process in &mut self.processes {
            process.for_each_expression_mut(&mut substitute);
        }
        for connection in self.instances.iter_mut().flat_map(|i| &mut i.connections) {
            if let Connected::Input(value) = &mut connection.value {
                substitute(value);
            }
        }
    }
}
