//! Ports, instances and registers of emitted Verilog, as constraints name them.
//!
//! It reads what the emitter writes, one declaration a line; other people's Verilog it refuses rather than guesses at.

use crate::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Modules by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Netlist {
    pub modules: BTreeMap<String, Module>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    pub ports: Vec<Port>,
    /// Name and module.
    pub instances: Vec<(String, String)>,
    /// Name and width of what a clocked process assigns.
    pub registers: Vec<(String, usize)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Port {
    pub name: String,
    pub input: bool,
    pub width: usize,
    /// A clock of this module, or of one below it.
    pub clock: bool,
    /// Value of `X_INTERFACE_INFO`, empty without one.
    pub info: String,
    /// Value of `X_INTERFACE_PARAMETER`, empty without one.
    pub parameter: String,
}

/// What the reader is in.
enum In {
    File,
    Parameters,
    Ports,
    Body,
    Connections,
}

impl Netlist {
    /// Reads files, each given by its name and text.
    /// # Errors
    /// A line that is not the emitter's; a module twice; no module at all.
    pub fn read<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Netlist, Error> {
        let mut netlist = Netlist::default();
        // Connections of instances, to follow clocks: module, instance, port there, signal here.
        let mut connections: Vec<(String, String, String, String)> = Vec::new();
        let mut clocks: BTreeSet<(String, String)> = BTreeSet::new();
        for (file, text) in files {
            netlist.file(file, text, &mut connections, &mut clocks)?;
        }
        netlist.follow(&connections, clocks);
        Ok(netlist)
    }

    fn file(
        &mut self,
        file: &str,
        text: &str,
        connections: &mut Vec<(String, String, String, String)>,
        clocks: &mut BTreeSet<(String, String)>,
    ) -> Result<(), Error> {
        let (mut place, mut name, mut module, mut widths) = (In::File, String::new(), Module::default(), BTreeMap::new());
        let (mut info, mut parameter, mut instance) = (String::new(), String::new(), String::new());
        let mut parameters: Vec<(String, usize)> = Vec::new();
        // A `generate` loop, and the names of what its passes have.
        let mut passes: Vec<String> = vec![String::new()];
        for (number, line) in text.lines().enumerate() {
            let wrong = |what: String| Error::Verilog { file: file.to_string(), line: number + 1, what };
            let code = without_comment(line).trim();
            let words: Vec<&str> = code.split_whitespace().collect();
            match place {
                In::File => {
                    if words.first() == Some(&"module") {
                        name = identifier(words.get(1).unwrap_or(&"")).ok_or_else(|| wrong("a module without a name".into()))?.to_string();
                        (module, widths) = (Module::default(), BTreeMap::new());
                        parameters.clear();
                        place = match code {
                            _ if code.ends_with("();") => In::Body,
                            _ if code.ends_with("#(") => In::Parameters,
                            _ => In::Ports,
                        };
                    }
                }
                In::Parameters if code == ") (" => place = In::Ports,
                In::Parameters => match words.as_slice() {
                    ["parameter", name, "=", value] => {
                        let value = value.trim_end_matches(',').parse().map_err(|_| wrong(format!("`{code}` has no number")))?;
                        parameters.push((name.to_string(), value));
                    }
                    _ => return Err(wrong(format!("`{code}` is no parameter of emitted Verilog"))),
                },
                In::Ports if code == ");" => place = In::Body,
                In::Ports if code.is_empty() => {}
                In::Ports if code.starts_with("(*") => {
                    if let Some(value) = attribute(code, "X_INTERFACE_INFO") {
                        info = value;
                    } else if let Some(value) = attribute(code, "X_INTERFACE_PARAMETER") {
                        parameter = value;
                    }
                }
                In::Ports => {
                    let (input, rest) = match words.first() {
                        Some(&"input") => (true, &words[1..]),
                        Some(&"output") => (false, &words[1..]),
                        _ => return Err(wrong(format!("`{code}` is no port of emitted Verilog"))),
                    };
                    let (width, port) =
                        declared(rest, &parameters).ok_or_else(|| wrong(format!("`{code}` is no port of emitted Verilog")))?;
                    widths.insert(port.clone(), width);
                    module.ports.push(Port {
                        name: port,
                        input,
                        width,
                        clock: false,
                        info: std::mem::take(&mut info),
                        parameter: std::mem::take(&mut parameter),
                    });
                }
                In::Body => match words.as_slice() {
                    ["endmodule", ..] => {
                        let before = self.modules.insert(std::mem::take(&mut name), std::mem::take(&mut module));
                        if before.is_some() {
                            return Err(wrong("a module of this name was read already".into()));
                        }
                        place = In::File;
                    }
                    ["reg" | "wire", rest @ ..] => {
                        if let Some((width, signal)) = declared(rest, &parameters) {
                            widths.insert(signal, width);
                        }
                    }
                    ["for", .., "begin", ":", label] if line.starts_with("        for ") => {
                        let count: usize = code
                            .split(" < ")
                            .nth(1)
                            .and_then(|rest| rest.split(';').next()?.parse().ok())
                            .ok_or_else(|| wrong(format!("`{code}` is no loop of emitted Verilog")))?;
                        passes = (0..count).map(|i| format!("{label}[{i}].")).collect();
                    }
                    ["end"] if line == "        end" => passes = vec![String::new()],
                    [child, values @ .., cell, "("]
                        if identifier(child).is_some()
                            && identifier(cell).is_some()
                            && *child != "module"
                            && (values.is_empty() || values[0].starts_with("#(")) =>
                    {
                        instance = format!("{}{cell}", passes[0]);
                        module.instances.extend(passes.iter().map(|pass| (format!("{pass}{cell}"), child.to_string())));
                        place = In::Connections;
                    }
                    _ => {
                        if let Some(signal) = registered(code)
                            && let Some(width) = widths.get(signal)
                            && !module.registers.iter().any(|(r, _)| r == signal)
                        {
                            module.registers.push((signal.to_string(), *width));
                        }
                        if let Some(rest) = code.split("@(posedge ").nth(1) {
                            let clock: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                            clocks.insert((name.clone(), clock));
                        }
                    }
                },
                In::Connections => {
                    if code.starts_with(");") {
                        place = In::Body;
                    } else if let Some((port, signal)) = connection(code) {
                        connections.push((name.clone(), instance.clone(), port, signal));
                    }
                }
            }
        }
        match place {
            In::File => Ok(()),
            _ => Err(Error::Verilog {
                file: file.to_string(),
                line: text.lines().count(),
                what: format!("the file ends inside of module `{name}`"),
            }),
        }
    }

    /// A port is a clock if it is one of the module's own, or becomes one below.
    fn follow(&mut self, connections: &[(String, String, String, String)], mut clocks: BTreeSet<(String, String)>) {
        loop {
            let mut found = Vec::new();
            for (owner, instance, port, signal) in connections {
                let child = self.modules.get(owner).and_then(|m| m.instances.iter().find(|(i, _)| i == instance)).map(|(_, child)| child);
                if let Some(child) = child
                    && clocks.contains(&(child.clone(), port.clone()))
                    && !clocks.contains(&(owner.clone(), signal.clone()))
                {
                    found.push((owner.clone(), signal.clone()));
                }
            }
            if found.is_empty() {
                break;
            }
            clocks.extend(found);
        }
        for (name, module) in &mut self.modules {
            for port in &mut module.ports {
                port.clock = port.input && clocks.contains(&(name.clone(), port.name.clone()));
            }
        }
    }

    /// The port of a module.
    pub fn port(&self, module: &str, port: &str) -> Option<&Port> {
        self.modules.get(module)?.ports.iter().find(|p| p.name == port)
    }

    /// As Tcl, for the harness: see `fpga-projects/harness/netlist.tcl`.
    pub fn facts(&self) -> String {
        let mut out = String::new();
        for (name, module) in &self.modules {
            let _ = writeln!(out, "module {name}");
            for p in &module.ports {
                let direction = if p.input { "in" } else { "out" };
                let _ = writeln!(out, "port {} {direction} {} {} {{{}}} {{{}}}", p.name, p.width, u8::from(p.clock), p.info, p.parameter);
            }
            for (instance, child) in &module.instances {
                let _ = writeln!(out, "instance {{{instance}}} {child}");
            }
            for (register, width) in &module.registers {
                let _ = writeln!(out, "register {register} {width}");
            }
        }
        out
    }
}

/// The register that a line of a clocked block assigns, behind the condition or the values of a `case` that may stand before it.
fn registered(code: &str) -> Option<&str> {
    let mut rest = code.strip_prefix("end ").unwrap_or(code);
    rest = rest.strip_prefix("else ").unwrap_or(rest);
    if let Some(condition) = rest.strip_prefix("if ") {
        let mut depth = 0;
        let end = condition.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        })?;
        rest = condition[end + 1..].trim_start();
    }
    let (target, _) = rest.split_once(" <= ")?;
    let target = target.rsplit(": ").next()?.split('[').next()?;
    identifier(target)
}

/// The same files with a module of its own for each set of values that a module with parameters is used with, called after it and the
/// values.
///
/// For tools that look at one module at a time. A module with parameters that nobody uses is not there any more.
/// # Errors
/// An instance that gives a parameter no number.
pub fn without_parameters<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Vec<(String, String)>, Error> {
    let opening = |text: &str| {
        let line = text.lines().find(|l| l.starts_with("module "))?;
        line.strip_prefix("module ")?.strip_suffix(" #(").map(str::to_string)
    };
    let (mut with, mut found): (BTreeMap<String, &str>, Vec<(String, String)>) = Default::default();
    for (file, text) in files {
        match opening(text) {
            Some(name) => drop(with.insert(name, text)),
            None => found.push((file.to_string(), text.to_string())),
        }
    }
    let mut made: BTreeSet<String> = BTreeSet::new();
    let mut at = 0;
    while at < found.len() {
        let (file, text) = found[at].clone();
        let mut lines: Vec<String> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let wrong = |what: String| Error::Verilog { file: file.clone(), line: number + 1, what };
            let code = without_comment(line).trim();
            let used = code.split_once(" #(").filter(|(name, _)| with.contains_key(*name));
            let Some((name, (values, rest))) = used.and_then(|(name, rest)| Some((name, rest.split_once(")) ")?))) else {
                lines.push(line.to_string());
                continue;
            };
            let values: Vec<(String, usize)> = values
                .split(", ")
                .map(|value| {
                    let (parameter, value) = value.strip_prefix('.')?.split_once('(')?;
                    Some((parameter.to_string(), value.trim_end_matches(')').parse().ok()?))
                })
                .collect::<Option<_>>()
                .ok_or_else(|| wrong(format!("`{code}` gives a parameter no number")))?;
            let own = values.iter().fold(name.to_string(), |own, (_, value)| format!("{own}_{value}"));
            lines.push(format!("    {own} {rest}"));
            if made.insert(own.clone()) {
                found.push((format!("{own}.v"), with_values(with[name], name, &own, &values)));
            }
        }
        found[at].1 = lines.join("\n") + "\n";
        at += 1;
    }
    Ok(found)
}

/// A module with numbers for its parameters.
fn with_values(text: &str, name: &str, own: &str, values: &[(String, usize)]) -> String {
    let mut out = String::new();
    let mut in_parameters = false;
    for line in text.lines() {
        if line == format!("module {name} #(") {
            in_parameters = true;
        } else if in_parameters && line == ") (" {
            in_parameters = false;
            out += &format!("module {own} (\n");
        } else if !in_parameters {
            let (code, comment) = line.split_once("//").map_or((line, None), |(code, comment)| (code, Some(comment)));
            out += &with_numbers(code, values);
            out += &comment.map_or(String::new(), |comment| format!("//{comment}"));
            out.push('\n');
        }
    }
    out
}

/// Code with the number for each parameter; `WIDTH-1` is one number.
fn with_numbers(code: &str, values: &[(String, usize)]) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphabetic() || c == '_') {
        out += &rest[..start];
        let word = |text: &str| text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
        let end = start + word(&rest[start..]);
        let name = &rest[start..end];
        let after = &rest[end..];
        // The name of a port that is connected is none of the module's own.
        let value = values.iter().find(|(n, _)| n == name && !out.ends_with('.')).map(|(_, value)| *value);
        rest = after;
        let Some(value) = value else {
            out += name;
            continue;
        };
        let digits = after.get(1..).map_or("", |text| &text[..word(text)]);
        match (after.chars().next(), digits.parse::<usize>()) {
            (Some('-'), Ok(less)) => (out, rest) = (out + &value.saturating_sub(less).to_string(), &after[1 + digits.len()..]),
            (Some('+'), Ok(more)) => (out, rest) = (out + &(value + more).to_string(), &after[1 + digits.len()..]),
            _ => out += &value.to_string(),
        }
    }
    out + rest
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

fn identifier(word: &str) -> Option<&str> {
    let mut chars = word.chars();
    let first = chars.next()?;
    ((first.is_ascii_alphabetic() || first == '_') && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some(word)
}

/// `wire [7:0] name,` or `reg name;` or `name = ...`: width and name.
fn declared(words: &[&str], parameters: &[(String, usize)]) -> Option<(usize, String)> {
    let words = if matches!(words.first(), Some(&"wire" | &"reg")) { &words[1..] } else { words };
    let (width, name) = match words {
        [range, name, ..] if range.starts_with('[') => {
            (size(range.strip_prefix('[')?.strip_suffix(":0]")?, parameters)?.checked_add(1)?, *name)
        }
        [name, ..] => (1, *name),
        [] => return None,
    };
    let name = identifier(name.trim_end_matches([',', ';']))?;
    Some((width, name.to_string()))
}

/// `7`, `WIDTH`, `WIDTH-1`, `WIDTH+1`
fn size(text: &str, parameters: &[(String, usize)]) -> Option<usize> {
    let of = |name: &str| parameters.iter().find(|(n, _)| n == name).map(|(_, value)| *value);
    match (text.split_once('-'), text.split_once('+')) {
        (Some((name, less)), _) => of(name)?.checked_sub(less.parse().ok()?),
        (_, Some((name, more))) => of(name)?.checked_add(more.parse().ok()?),
        _ => of(text).or_else(|| text.parse().ok()),
    }
}

/// The value of `(* NAME = "value" *)`, where it is of letters that mean nothing in Tcl.
fn attribute(code: &str, name: &str) -> Option<String> {
    let value =
        code.strip_prefix("(*")?.trim().strip_prefix(name)?.trim().strip_prefix('=')?.trim().strip_prefix('"')?.split('"').next()?;
    (!value.contains(['{', '}', '\\', '[', ']', '$'])).then(|| value.to_string())
}

/// `.port (signal),`
fn connection(code: &str) -> Option<(String, String)> {
    let (port, rest) = code.strip_prefix('.')?.split_once('(')?;
    Some((identifier(port.trim())?.to_string(), rest.split(')').next()?.trim().to_string()))
}
