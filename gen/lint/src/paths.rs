//! What depends on what inside of a module, with no register between.
//!
//! From the netlist after `proc`, in which flip-flops are cells of their own. Bits of the module's own logic are told apart; ports are not,
//! a bus is one thing to whoever looks from outside.

use rdma_rtl_report::netlist::{Cell, Direction, Module};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// From a source (input port, or output of an instance) to a sink (output port, or input of an instance). Ports are `name`, those of
/// instances `instance.name`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paths {
    pub edges: Vec<(String, String)>,
}

/// # Errors
/// A loop in the module's own logic, through what Yosys does not look through: memories that are read without a clock.
pub fn paths(module: &Module) -> Result<Paths, String> {
    let mut graph = Graph::default();
    let mut sources: Vec<String> = Vec::new();
    let mut sinks: Vec<(String, Vec<u32>)> = Vec::new();
    let mut begins: Vec<(usize, u32)> = Vec::new();
    for (name, port) in &module.ports.0 {
        let nets: Vec<u32> = port.bits.iter().filter_map(|b| b.net()).collect();
        if port.direction == Direction::Input {
            begins.extend(nets.iter().map(|n| (sources.len(), *n)));
            sources.push(name.clone());
        } else {
            sinks.push((name.clone(), nets));
        }
    }
    for (instance, cell) in module.cells.iter().filter(|(_, c)| !c.kind.starts_with('$')) {
        for (port, bits) in &cell.connections {
            let nets: Vec<u32> = bits.iter().filter_map(|b| b.net()).collect();
            let name = format!("{instance}.{port}");
            if cell.port_directions.get(port) == Some(&Direction::Output) {
                begins.extend(nets.iter().map(|n| (sources.len(), *n)));
                sources.push(name);
            } else {
                sinks.push((name, nets));
            }
        }
    }
    for cell in module.cells.values().filter(|c| c.kind.starts_with('$') && !is_clocked(&c.kind)) {
        graph.add(cell);
    }
    let reached = graph.spread(&begins, sources.len()).map_err(|net| {
        let named = module.netnames.iter().filter(|(_, n)| n.bits.iter().any(|b| b.net() == Some(net)));
        let name = named.min_by_key(|(_, n)| n.hide_name).map_or("?", |(name, _)| name.as_str());
        format!("combinational loop through `{name}`")
    })?;
    let mut edges = Vec::new();
    for (sink, nets) in sinks {
        let mut from = vec![0u64; sources.len().div_ceil(64)];
        for net in nets {
            if let Some(set) = reached.get(&net) {
                from.iter_mut().zip(set).for_each(|(a, b)| *a |= b);
            }
        }
        edges.extend(sources.iter().enumerate().filter(|(i, _)| from[i / 64] >> (i % 64) & 1 == 1).map(|(_, s)| (s.clone(), sink.clone())));
    }
    Ok(Paths { edges })
}

/// Flip-flops; what a memory is written with comes out of it no sooner than at an edge, and has no output of its own.
fn is_clocked(kind: &str) -> bool {
    kind.contains("dff")
}

/// Nets and cells; a cell whose outputs each depend on every input is a node, others are edges between nets.
#[derive(Default)]
struct Graph {
    /// Nodes that follow, by node
    next: BTreeMap<u32, Vec<u32>>,
    before: BTreeMap<u32, u32>,
    cells: u32,
}

/// Nodes from here on are cells.
const CELLS: u32 = 1 << 31;

impl Graph {
    fn edge(&mut self, from: u32, to: u32) {
        self.next.entry(from).or_default().push(to);
        *self.before.entry(to).or_insert(0) += 1;
    }

    fn add(&mut self, cell: &Cell) {
        let port = |name: &str| cell.connections.get(name).map(Vec::as_slice).unwrap_or_default();
        let bitwise: Option<&[&str]> = match cell.kind.as_str() {
            "$not" | "$pos" => Some(&["A"]),
            "$and" | "$or" | "$xor" | "$xnor" | "$mux" | "$pmux" => Some(&["A", "B"]),
            _ => None,
        };
        let Some(words) = bitwise else {
            let node = CELLS + self.cells;
            self.cells += 1;
            cell.nets(Direction::Input).for_each(|(_, net)| self.edge(net, node));
            cell.nets(Direction::Output).for_each(|(_, net)| self.edge(node, net));
            return;
        };
        let out = port("Y");
        for (i, to) in out.iter().enumerate() {
            let Some(to) = to.net() else { continue };
            for word in words {
                let bits = port(word);
                // B of a `$pmux` is one word behind the other; a word that is too short goes on with its last bit, if it is signed.
                let each = bits.iter().skip(i).step_by(out.len().max(1));
                let last = bits.last().filter(|_| i >= bits.len());
                each.chain(last).filter_map(|b| b.net()).for_each(|from| self.edge(from, to));
            }
            port("S").iter().filter_map(|b| b.net()).for_each(|from| self.edge(from, to));
        }
    }

    /// Sources of every net that has some, as bits; a net of a loop, if there is one.
    fn spread(mut self, begins: &[(usize, u32)], sources: usize) -> Result<BTreeMap<u32, Vec<u64>>, u32> {
        let mut reached: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        let words = sources.div_ceil(64);
        for (source, net) in begins {
            reached.entry(*net).or_insert_with(|| vec![0; words])[source / 64] |= 1 << (source % 64);
        }
        let mut ready: Vec<u32> = self.next.keys().filter(|n| !self.before.contains_key(n)).copied().collect();
        while let Some(node) = ready.pop() {
            let set = reached.get(&node).cloned();
            for next in self.next.remove(&node).unwrap_or_default() {
                if let Some(set) = &set {
                    let to = reached.entry(next).or_insert_with(|| vec![0; words]);
                    to.iter_mut().zip(set).for_each(|(a, b)| *a |= b);
                }
                let left = self.before.get_mut(&next).expect("every edge was counted");
                *left -= 1;
                if *left == 0 {
                    self.before.remove(&next);
                    ready.push(next);
                }
            }
            if node >= CELLS {
                reached.remove(&node);
            }
        }
        // What is left waits for itself, or stands behind what does.
        match self.before.keys().find(|n| **n < CELLS && self.next.contains_key(n)) {
            Some(net) => Err(*net),
            None => Ok(reached),
        }
    }
}
