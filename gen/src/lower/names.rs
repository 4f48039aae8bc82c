//! Names of a module: C identifiers, no two alike.

use super::scope::{Part, Scope};
use crate::error::What;
use crate::identifier::{flat, safe, screaming_snake_case};
use crate::ir::Module;
use std::collections::HashSet;

/// Verilog names of everything in a scope.
pub struct Names {
    pub signals: Vec<String>,
    pub constants: Vec<String>,
    pub children: Vec<String>,
}

/// Ports keep their field's name; what is inside gives way to them, and gets a number.
///
/// `modules` are those of the children: an instance whose module has something of the same name inside gets a longer name, because
/// the inner name would hide the instance from its own contents.
pub fn assign(scope: &Scope, modules: &[&Module]) -> Result<Names, What> {
    let mut taken = HashSet::new();
    let mut signals = vec![String::new(); scope.entries.len()];
    let ports = |part| matches!(part, Part::Input | Part::Output);
    for (i, entry) in scope.entries.iter().enumerate().filter(|(_, e)| ports(e.part)) {
        // A port that is there or not is a list of one or none, and needs no number.
        let alone = entry.label.strip_suffix("[0]").filter(|list| scope.entries.iter().all(|e| e.label != format!("{list}[1]")));
        let name = safe(&flat(alone.unwrap_or(&entry.label)));
        if !taken.insert(name.clone()) {
            return Err(What::DuplicateName { name });
        }
        signals[i] = name;
    }
    let mut free = |wanted: String| {
        let mut name = wanted.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    };
    let mut inside = |wanted: &dyn Fn(Part) -> bool, name: &dyn Fn(&str) -> String, signals: &mut Vec<String>| {
        for (i, entry) in scope.entries.iter().enumerate().filter(|(_, e)| wanted(e.part)) {
            signals[i] = free(name(&entry.label));
        }
    };
    let field = |rust: &str| safe(&flat(rust));
    let register = |rust: &str| safe(&flat(rust.rsplit_once('.').map_or(rust, |(path, _)| path)));
    inside(&|p| p == Part::Local, &field, &mut signals);
    inside(&|p| p == Part::RegisterValue, &register, &mut signals);
    inside(&|p| matches!(p, Part::RegisterNext { .. }), &|r| format!("{}_next", register(r)), &mut signals);
    inside(&|p| matches!(p, Part::RegisterClock { .. }), &|r| format!("{}_clock", register(r)), &mut signals);
    inside(&|p| matches!(p, Part::ChildInput { .. } | Part::ChildOutput { .. }), &field, &mut signals);
    inside(&|p| p == Part::Snapshot, &|r| format!("{}_early", field(r)), &mut signals);
    let child = |(i, (rust, _)): (usize, &(String, String))| {
        let name = safe(&flat(rust));
        let hidden = modules.get(i).is_some_and(|m| m.find(&name).is_some() || m.instances.iter().any(|i| i.name == name));
        free(if hidden { format!("{name}_block") } else { name })
    };
    let children = scope.children.iter().enumerate().map(child).collect();
    let constants = scope.constants.iter().map(|c| free(safe(&screaming_snake_case(&c.rust)))).collect();
    Ok(Names { signals, constants, children })
}
