//! Which Rust field each emitted signal is.

use crate::ir::{Design, Module, SignalId};
use crate::verilog::Renamed;
use std::collections::HashMap;

/// One signal of the whole design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// Instance names and signal name, joined by dots, without the top.
    pub verilog: String,
    /// Field paths in the top's Rust type; more than one if one signal carries them all.
    pub rust: Vec<String>,
    pub width: usize,
    pub register: bool,
}

/// Every signal under the top that a field stands behind, in the order of the text.
pub fn names(design: &Design) -> Vec<Name> {
    let mut found = Vec::new();
    let places = crate::verilog::places(design);
    visit(design, design.top(), "", "", &places, &mut found);
    found
}

/// Names of signals and instances that are others in the text, by module.
type Places<'d> = HashMap<&'d str, Renamed>;

fn visit(design: &Design, module: &Module, verilog: &str, rust: &str, places: &Places, found: &mut Vec<Name>) {
    let registers = module.registers();
    let own = places.get(module.name.as_str());
    for (i, signal) in module.signals.iter().enumerate() {
        if signal.rust.is_empty() {
            continue;
        }
        found.push(Name {
            verilog: format!("{verilog}{}", own.and_then(|(signals, _)| signals.get(&SignalId(i))).unwrap_or(&signal.name)),
            rust: signal.rust.iter().map(|path| format!("{rust}{path}")).collect(),
            width: signal.width,
            register: registers.contains(&SignalId(i)),
        });
    }
    for (i, instance) in module.instances.iter().enumerate() {
        if let Some(child) = design.module(&instance.module) {
            let name = own.and_then(|(_, instances)| instances.get(&i)).unwrap_or(&instance.name);
            visit(design, child, &format!("{verilog}{name}."), &format!("{rust}{}.", instance.rust), places, found);
        }
    }
}

/// [`names`] as a JSON object from emitted path to field path (an array where there are several).
pub fn names_json(design: &Design) -> String {
    let map: serde_json::Map<String, serde_json::Value> = names(design)
        .into_iter()
        .map(|name| {
            let value = match name.rust.as_slice() {
                [one] => one.as_str().into(),
                several => several.into(),
            };
            (name.verilog, value)
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&map).unwrap_or_default();
    text.push('\n');
    text
}
