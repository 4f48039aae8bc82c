//! The port list: interfaces apart, comments behind.

use super::{interface, range};
use crate::ir::{Kind, Module, Signal, SignalId};

struct Row {
    heading: Option<String>,
    attributes: Vec<String>,
    declaration: String,
    doc: String,
}

/// ANSI ports. `variables` are the outputs that a procedure assigns; a `packaged` top has attributes.
pub fn text(module: &Module, variables: &[SignalId], packaged: bool) -> String {
    let ports: Vec<(SignalId, &Signal)> =
        module.signals.iter().enumerate().map(|(i, s)| (SignalId(i), s)).filter(|(_, s)| s.kind != Kind::Net).collect();
    if ports.is_empty() {
        return "();\n".to_string();
    }
    let interfaces = interfaces(&ports, packaged);
    let range_width = ports.iter().map(|(_, s)| range(s.width).len()).max().unwrap_or_default();
    let mut rows = Vec::new();
    let mut current: Option<&str> = None;
    for (i, (id, signal)) in ports.iter().enumerate() {
        let interface = interfaces.iter().find(|p| belongs(&signal.name, p)).map(String::as_str);
        let heading = (i > 0 && interface != current).then(|| interface.unwrap_or_default().to_string());
        current = interface;
        let direction = if signal.kind == Kind::Input { "input " } else { "output" };
        let net = if variables.contains(id) { "reg " } else { "wire" };
        let range = range(signal.width);
        let comma = if i + 1 < ports.len() { "," } else { "" };
        let declaration = match range_width {
            0 => format!("{direction} {net} {}{comma}", signal.name),
            _ => format!("{direction} {net} {range:range_width$} {}{comma}", signal.name),
        };
        let mut attributes = if packaged { interface::attributes(module, &signal.name) } else { Vec::new() };
        if signal.crossing {
            attributes.push(super::ASYNC_REG.to_string());
        }
        rows.push(Row { heading, attributes, declaration, doc: signal.doc.replace('\n', " ") });
    }
    let column = rows.iter().map(|r| r.declaration.len()).max().unwrap_or_default();
    let mut out = String::from("(\n");
    for row in rows {
        if let Some(heading) = row.heading {
            out.push('\n');
            if !heading.is_empty() {
                out.push_str(&format!("    // {heading}\n"));
            }
        }
        for attribute in row.attributes {
            out.push_str(&format!("    {attribute}\n"));
        }
        if row.doc.is_empty() {
            out.push_str(&format!("    {}\n", row.declaration));
        } else {
            out.push_str(&format!("    {:column$}  // {}\n", row.declaration, row.doc));
        }
    }
    out.push_str(");\n");
    out
}

/// Prefixes that a `_valid` or `_ready` port has in common with another port, and the buses of a packaged top.
fn interfaces(ports: &[(SignalId, &Signal)], packaged: bool) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for bus in ports.iter().filter(|_| packaged).filter_map(|(_, s)| interface::bus(&s.name)) {
        if !found.iter().any(|p| p == bus) {
            found.push(bus.to_string());
        }
    }
    for (_, signal) in ports {
        let prefix = signal.name.strip_suffix("_valid").or_else(|| signal.name.strip_suffix("_ready"));
        if let Some(prefix) = prefix
            && ports.iter().filter(|(_, s)| belongs(&s.name, prefix)).count() > 1
            && !found.iter().any(|p| p == prefix)
        {
            found.push(prefix.to_string());
        }
    }
    // The longest prefix that fits is the interface.
    found.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    found
}

fn belongs(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'))
}
