//! Which Rust field each emitted signal is.

use crate::ir::{Design, Module};

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
    visit(design, design.top(), "", "", &mut found);
    found
}

fn visit(design: &Design, module: &Module, verilog: &str, rust: &str, found: &mut Vec<Name>) {
    let registers = module.registers();
    for (i, signal) in module.signals.iter().enumerate() {
        if signal.rust.is_empty() {
            continue;
        }
        found.push(Name {
            verilog: format!("{verilog}{}", signal.name),
            rust: signal.rust.iter().map(|path| format!("{rust}{path}")).collect(),
            width: signal.width,
            register: registers.contains(&crate::ir::SignalId(i)),
        });
    }
    for instance in &module.instances {
        if let Some(child) = design.module(&instance.module) {
            visit(design, child, &format!("{verilog}{}.", instance.name), &format!("{rust}{}.", instance.rust), found);
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
