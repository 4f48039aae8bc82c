//! Finding parts of a design by name, to change them.

use super::{Connected, Design, Expr, Module, Process, SignalId, Statement};

impl Design {
    /// Every value that is assigned to `signal` of `module`, in textual order; `instance.port` names an instance's input.
    pub fn values_mut(&mut self, module: &str, signal: &str) -> Vec<&mut Expr> {
        self.module_mut(module).map(|m| m.values_mut(signal)).unwrap_or_default()
    }

    /// Every `if` condition and `case` value that decides over an assignment to `signal` of `module`, outermost first.
    pub fn conditions_mut(&mut self, module: &str, signal: &str) -> Vec<&mut Expr> {
        self.module_mut(module).map(|m| m.conditions_mut(signal)).unwrap_or_default()
    }
}

impl Module {
    /// As [`Design::values_mut`].
    pub fn values_mut(&mut self, signal: &str) -> Vec<&mut Expr> {
        if let Some((instance, port)) = signal.split_once('.') {
            return self
                .instances
                .iter_mut()
                .filter(|i| i.name == instance)
                .flat_map(|i| &mut i.connections)
                .filter(|c| c.port == port)
                .filter_map(|c| match &mut c.value {
                    Connected::Input(value) => Some(value),
                    Connected::Output(_) => None,
                })
                .collect();
        }
        let Some(id) = self.find(signal) else { return Vec::new() };
        let mut found = Vec::new();
        for process in &mut self.processes {
            match process {
                Process::Assign { target, value } if *target == id => found.push(value),
                Process::Assign { .. } => {}
                Process::Combinational { body, .. } => values_in(body, id, &mut found),
                Process::Clocked { reset, body, .. } => {
                    if let Some((_, values)) = reset {
                        values_in(values, id, &mut found);
                    }
                    values_in(body, id, &mut found);
                }
            }
        }
        found
    }

    /// As [`Design::conditions_mut`].
    pub fn conditions_mut(&mut self, signal: &str) -> Vec<&mut Expr> {
        let Some(id) = self.find(signal) else { return Vec::new() };
        let mut found = Vec::new();
        for process in &mut self.processes {
            match process {
                Process::Assign { .. } => {}
                Process::Combinational { body, .. } => conditions_in(body, id, &mut found),
                Process::Clocked { targets, reset, body, .. } => {
                    if let Some((condition, _)) = reset
                        && targets.contains(&id)
                    {
                        found.push(condition);
                    }
                    conditions_in(body, id, &mut found);
                }
            }
        }
        found
    }

    /// The statements that assign `signal`, with everything around them removed from or added to as the caller likes: the body
    /// of the process that drives it.
    pub fn body_mut(&mut self, signal: &str) -> Option<&mut Vec<Statement>> {
        let id = self.find(signal)?;
        self.processes.iter_mut().find_map(|p| match p {
            Process::Combinational { targets, body } | Process::Clocked { targets, body, .. } if targets.contains(&id) => Some(body),
            _ => None,
        })
    }
}

fn values_in<'a>(block: &'a mut [Statement], id: SignalId, found: &mut Vec<&'a mut Expr>) {
    for statement in block {
        match statement {
            Statement::Assign { target, value, .. } => {
                if *target == id {
                    found.push(value);
                }
            }
            Statement::If { then, otherwise, .. } => {
                values_in(then, id, found);
                values_in(otherwise, id, found);
            }
            Statement::Case { arms, default, .. } => {
                for arm in arms {
                    values_in(&mut arm.body, id, found);
                }
                values_in(default, id, found);
            }
        }
    }
}

fn conditions_in<'a>(block: &'a mut [Statement], id: SignalId, found: &mut Vec<&'a mut Expr>) {
    for statement in block {
        let mut targets = Vec::new();
        statement.targets(&mut targets);
        if !targets.contains(&id) {
            continue;
        }
        match statement {
            Statement::Assign { .. } => {}
            Statement::If { condition, then, otherwise } => {
                found.push(condition);
                conditions_in(then, id, found);
                conditions_in(otherwise, id, found);
            }
            Statement::Case { value, arms, default } => {
                found.push(value);
                for arm in arms {
                    conditions_in(&mut arm.body, id, found);
                }
                conditions_in(default, id, found);
            }
        }
    }
}
