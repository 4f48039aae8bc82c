//! Small designs for the tests: ports and nothing else.

use crate::ir::{Design, Kind, Module, Origin, Signal};

/// A module with these ports: name, bits, whether it is an input.
pub fn module(name: &str, ports: &[(&str, usize, bool)]) -> Module {
    let origin = Origin { type_name: "Sample".into(), params: Vec::new(), doc: "A sample.".into(), file: "sample.rs".into(), line: 1 };
    let signal = |(name, width, input): &(&str, usize, bool)| Signal {
        name: name.to_string(),
        rust: vec![name.to_string()],
        width: *width,
        kind: if *input { Kind::Input } else { Kind::Output },
        clock: ["aclk", "clk"].contains(name),
        crossing: false,
        doc: format!("port {name}"),
    };
    let signals = ports.iter().map(signal).collect();
    Module { name: name.into(), origin, signals, constants: vec![], processes: vec![], instances: vec![], memory: None }
}

pub fn design(ports: &[(&str, usize, bool)]) -> Design {
    Design { modules: vec![module("top", ports)], top: "top".into() }
}
