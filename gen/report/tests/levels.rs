//! Levels and names over small netlists whose longest path is known.

use rdma_rtl_report::hierarchy::instances;
use rdma_rtl_report::levels::{Depth, depth};
use rdma_rtl_report::netlist::{read, read_top};
use rdma_rtl_report::signals::Names;
use serde_json::{Value, json};
use std::path::PathBuf;

struct Netlist {
    cells: serde_json::Map<String, Value>,
    nets: serde_json::Map<String, Value>,
}

impl Netlist {
    fn new() -> Netlist {
        Netlist { cells: Default::default(), nets: Default::default() }
    }

    /// Ports as `name direction nets`.
    fn cell(mut self, name: &str, kind: &str, ports: &[(&str, &str, &[u32])]) -> Netlist {
        let directions: serde_json::Map<String, Value> = ports.iter().map(|(p, d, _)| (p.to_string(), json!(d))).collect();
        let connections: serde_json::Map<String, Value> = ports.iter().map(|(p, _, n)| (p.to_string(), json!(n))).collect();
        let source = format!("{name}.v:12.5-13.8|/usr/bin/../share/yosys/xilinx/ff_map.v:68.41");
        let cell = json!({ "type": kind, "attributes": { "src": source }, "port_directions": directions, "connections": connections });
        self.cells.insert(name.into(), cell);
        self
    }

    fn lut(self, name: &str, from: &[u32], to: u32) -> Netlist {
        self.cell(name, "LUT6", &[("I", "input", from), ("O", "output", &[to])])
    }

    fn ff(self, name: &str, d: u32, q: u32) -> Netlist {
        self.cell(name, "FDRE", &[("D", "input", &[d]), ("Q", "output", &[q])])
    }

    fn net(mut self, name: &str, bits: &[u32]) -> Netlist {
        self.nets.insert(name.into(), json!({ "hide_name": u8::from(name.starts_with('$')), "bits": bits, "attributes": {} }));
        self
    }

    fn depth(self, names: &str) -> Depth {
        let folder = tempfile::tempdir().unwrap();
        let ports = json!({ "a": { "direction": "input", "bits": [2] }, "y": { "direction": "output", "bits": [90] } });
        let text = json!({ "creator": "test", "modules": {
            "LUT6": { "attributes": { "whitebox": "1" }, "ports": {}, "cells": {}, "netnames": {} },
            "top": { "ports": ports, "cells": self.cells, "netnames": self.nets },
        } });
        let path: PathBuf = folder.path().join("n.json");
        std::fs::write(&path, text.to_string()).unwrap();
        depth(&read_top(&path, "top").unwrap(), &Names::parse(names).unwrap())
    }
}

#[test]
fn the_longest_path_by_luts_with_its_fields() {
    let d = Netlist::new()
        .ff("q0", 50, 10)
        .lut("l1", &[10, 2], 11)
        .lut("l2", &[11], 12)
        .cell("m", "MUXF7", &[("I0", "input", &[12]), ("O", "output", &[13])])
        .lut("l3", &[13], 50)
        .lut("short", &[2], 90)
        .net("state", &[9, 10])
        .net("inner.state_in", &[10])
        .net("inner.hit", &[12])
        .net("$abc$1", &[11])
        .net("next", &[50])
        .net("a", &[2])
        .depth(r#"{ "state": ["state.q", "out"], "inner.hit": "block.hit" }"#);
    assert_eq!((d.lut_levels, d.wide_mux_on_path, d.carry_on_path, d.longest_cells, d.comb_loop), (3, 1, 0, 4, false));
    let path = d.path.unwrap();
    assert_eq!((path.from.what.as_str(), path.from.source.as_deref()), ("FDRE.Q", Some("q0.v:12")));
    let from = path.from.signal.unwrap();
    assert_eq!((from.verilog.as_str(), from.rust), ("state[1]", vec!["state.q[1]".to_string(), "out[1]".to_string()]));
    let steps: Vec<_> = path.steps.iter().map(|s| (s.cell.as_str(), s.level, s.signal.as_ref().map(|x| x.verilog.as_str()))).collect();
    assert_eq!(steps, [("LUT6", 1, None), ("LUT6", 2, Some("inner.hit")), ("MUXF7", 2, None), ("LUT6", 3, Some("next"))]);
    assert_eq!(path.steps[1].signal.as_ref().unwrap().rust, ["block.hit"]);
    assert_eq!((path.to.what.as_str(), path.to.signal.unwrap().verilog.as_str()), ("FDRE.D", "state[1]"));
}

#[test]
fn a_memory_is_a_level_by_its_address_and_an_end_by_its_data() {
    let memory = |address: u32, data: u32| {
        let ports: [(&str, &str, &[u32]); 4] =
            [("ADDRA", "input", &[address]), ("DIA", "input", &[data]), ("WCLK", "input", &[3]), ("DOA", "output", &[20])];
        Netlist::new().lut("l1", &[2], 10).lut("l2", &[10], 11).cell("m", "RAM32M", &ports).lut("l3", &[20], 90).depth("{}")
    };
    let read = memory(11, 2);
    assert_eq!(read.lut_levels, 4, "two, the read, one");
    assert_eq!(read.path.unwrap().to.what, "output");
    let written = memory(2, 11);
    assert_eq!(written.lut_levels, 2, "a write goes no further; the read is two as well");
    let block = [("ADDR", "input", &[11][..]), ("DO", "output", &[20])];
    let d = Netlist::new().lut("l1", &[2], 10).lut("l2", &[10], 11).cell("m", "RAMB36E2", &block).lut("l3", &[20], 90).depth("{}");
    assert_eq!((d.lut_levels, d.path.unwrap().to.what.as_str()), (2, "RAMB36E2.ADDR"));
}

#[test]
fn loops_and_nothing_at_all() {
    let d = Netlist::new().lut("l1", &[11], 10).lut("l2", &[10], 11).lut("l3", &[2], 90).depth("{}");
    assert!(d.comb_loop);
    assert_eq!(d.lut_levels, 1, "what is behind the loop has no level");
    assert_eq!(Netlist::new().ff("q", 2, 90).depth("{}"), Depth::default());
}

#[test]
fn instances_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("n.json");
    let cell = |kind: &str| json!({ "type": kind });
    let module = |cells: Value| json!({ "cells": cells });
    let text = json!({ "modules": {
        "FDRE": { "attributes": { "blackbox": "1" } },
        "leaf": module(json!({ "l": cell("LUT6"), "q": cell("FDRE") })),
        "mid": module(json!({ "a": cell("leaf"), "b": cell("leaf"), "l": cell("LUT2") })),
        "top": module(json!({ "m": cell("mid"), "n": cell("leaf"), "q": cell("FDRE") })),
        "circle": module(json!({ "c": cell("circle") })),
    } });
    std::fs::write(&path, text.to_string()).unwrap();
    let modules = read(&path, &|_| true).unwrap();
    let all: Vec<_> = instances(&modules, "top").unwrap().into_iter().map(|i| (i.path, i.depth, i.total.lut, i.total.ff)).collect();
    let row = |p: &str, d: usize, lut: u64, ff: u64| (p.to_string(), d, lut, ff);
    assert_eq!(all, [row("", 0, 4, 4), row("m", 1, 3, 2), row("m.a", 2, 1, 1), row("m.b", 2, 1, 1), row("n", 1, 1, 1)]);
    assert!(instances(&modules, "circle").unwrap_err().to_string().contains("nest deeper"));
    assert!(instances(&modules, "none").unwrap_err().to_string().contains("no module `none`"));
}

#[test]
fn a_netlist_that_is_cut_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("n.json");
    let whole = json!({ "modules": { "top": { "ports": {}, "cells": {}, "netnames": {} } } }).to_string();
    for n in 0..whole.len() {
        std::fs::write(&path, &whole[..n]).unwrap();
        assert!(read_top(&path, "top").is_err(), "{n} bytes");
    }
    std::fs::write(&path, &whole).unwrap();
    assert!(read_top(&path, "top").is_ok());
    assert!(read_top(&path, "other").unwrap_err().to_string().contains("no module `other`"));
    assert!(read_top(&folder.path().join("none"), "top").unwrap_err().to_string().contains("cannot read"));
}
