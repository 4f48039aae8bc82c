//! Which inputs each output of a module depends on within a clock.

use crate::ir::{Connected, Design, Expr, Instance, Kind, Module, Process, SignalId};
use rdma_rtl_hdl::describe::MemoryStyle;
use std::collections::{HashMap, HashSet};

/// By module and output: inputs.
#[derive(Default)]
pub struct Paths {
    modules: HashMap<String, HashMap<String, HashSet<String>>>,
}

impl Paths {
    pub fn new(design: &Design) -> Self {
        let mut paths = Self::default();
        // Children come before their owners.
        for module in &design.modules {
            let own = paths.outputs(module);
            paths.modules.insert(module.name.clone(), own);
        }
        paths
    }

    /// Ways through an instance: a value that goes in, a signal that comes out.
    pub fn of<'i>(&self, instance: &'i Instance) -> Vec<(&'i Expr, SignalId)> {
        let mut found = Vec::new();
        let Some(outputs) = self.modules.get(&instance.module) else { return found };
        for to in &instance.connections {
            let (Connected::Output(id), Some(inputs)) = (&to.value, outputs.get(&to.port)) else { continue };
            for from in &instance.connections {
                if let Connected::Input(value) = &from.value
                    && inputs.contains(&from.port)
                {
                    found.push((value, *id));
                }
            }
        }
        found
    }

    fn outputs(&self, module: &Module) -> HashMap<String, HashSet<String>> {
        if let Some(memory) = &module.memory {
            let combinational = memory.style == MemoryStyle::Distributed;
            return combinational.then(|| ("read_data".to_string(), HashSet::from(["read_address".to_string()]))).into_iter().collect();
        }
        let mut next: HashMap<SignalId, Vec<SignalId>> = HashMap::new();
        for process in module.processes.iter().filter(|p| !matches!(p, Process::Clocked { .. })) {
            let targets = process.targets();
            for from in process.expressions().into_iter().flat_map(Expr::signals) {
                next.entry(from).or_default().extend(&targets);
            }
        }
        for (value, output) in module.instances.iter().flat_map(|i| self.of(i)) {
            value.signals().into_iter().for_each(|from| next.entry(from).or_default().push(output));
        }
        let mut found: HashMap<String, HashSet<String>> = HashMap::new();
        for (at, input) in module.signals.iter().enumerate().filter(|(_, s)| s.kind == Kind::Input) {
            let (mut open, mut seen) = (vec![SignalId(at)], HashSet::new());
            while let Some(id) = open.pop() {
                for to in next.get(&id).into_iter().flatten().filter(|to| seen.insert(**to)) {
                    open.push(*to);
                    if module.signal(*to).kind == Kind::Output {
                        found.entry(module.signal(*to).name.clone()).or_default().insert(input.name.clone());
                    }
                }
            }
        }
        found
    }
}
