//! The port list: interfaces apart, comments behind.

use super::interface;
use super::sizes::Sizes;
use crate::interface::{belongs, bus, handshakes, longest_first};
use crate::ir::{Kind, Module, Signal, SignalId};

struct Row {
    heading: Option<String>,
    attributes: Vec<String>,
    declaration: String,
    doc: String,
}

/// ANSI ports. `variables` are the outputs that a procedure assigns; a `packaged` top has attributes.
pub fn text(module: &Module, variables: &[SignalId], packaged: bool, sizes: &Sizes) -> String {
    let ports: Vec<(SignalId, &Signal)> =
        module.signals.iter().enumerate().map(|(i, s)| (SignalId(i), s)).filter(|(_, s)| s.kind != Kind::Net).collect();
    if ports.is_empty() {
        return "();\n".to_string();
    }
    let interfaces = interfaces(&ports, packaged);
    let range_width = ports.iter().map(|(_, s)| sizes.range(s.width).len()).max().unwrap_or_default();
    let mut rows = Vec::new();
    let mut current: Option<&str> = None;
    for (i, (id, signal)) in ports.iter().enumerate() {
        let interface = interfaces.iter().copied().find(|p| belongs(&signal.name, p));
        let heading = (i > 0 && interface != current).then(|| interface.unwrap_or_default().to_string());
        current = interface;
        let direction = if signal.kind == Kind::Input { "input " } else { "output" };
        let net = if variables.contains(id) { "reg " } else { "wire" };
        let range = sizes.range(signal.width);
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

/// Streams by `valid` and `ready`, and the buses of a packaged top.
fn interfaces<'a>(ports: &[(SignalId, &'a Signal)], packaged: bool) -> Vec<&'a str> {
    let signals: Vec<&Signal> = ports.iter().map(|(_, s)| *s).collect();
    let mut found = handshakes(&signals);
    for bus in signals.iter().filter(|_| packaged).filter_map(|s| bus(&s.name)) {
        if !found.contains(&bus) {
            found.push(bus);
        }
    }
    longest_first(&mut found);
    found
}
