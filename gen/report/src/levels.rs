//! The longest path between registers, by LUTs, over a mapped and flattened netlist.
//!
//! A LUT, an inverter or an asynchronous read of LUT RAM is one level. A carry cell or a wide multiplexer is none and is counted beside it.
//! Flip-flops, block RAM, DSPs and the writes of LUT RAM cut the path; ports begin and end one. Nothing is placed: this is no delay.

use crate::cells::{Kind, is_read_address, kind};
use crate::netlist::{Cell, Direction, Module};
use crate::signals::{Names, Signal, Signals};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// LUTs, carry cells, wide multiplexers: compared in this order.
type Weight = (u64, u64, u64);

/// Depth of a netlist.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Depth {
    pub lut_levels: u64,
    pub carry_on_path: u64,
    pub wide_mux_on_path: u64,
    /// Most cells of any kind one after the other; not always the same path.
    pub longest_cells: u64,
    /// Logic that feeds itself without a register: what hangs behind it has no level.
    pub comb_loop: bool,
    /// The worst path; none where there is no logic.
    pub path: Option<Path>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    pub from: End,
    pub steps: Vec<Step>,
    pub to: End,
}

/// Where a path begins or ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Cell type and its port, `FDRE.Q`; or `input`, `output`
    pub what: String,
    pub signal: Option<Signal>,
    /// Place in the Verilog, of a register
    pub source: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub cell: String,
    /// LUT levels up to here, this cell included
    pub level: u64,
    /// What it drives, if that has a name that survived mapping
    pub signal: Option<Signal>,
}

struct Node<'a> {
    cell: &'a Cell,
    weight: Weight,
    reads: BTreeSet<u32>,
}

fn node(cell: &Cell) -> Option<Node<'_>> {
    let kind = kind(&cell.kind);
    let weight = match kind {
        Kind::Lut | Kind::LutRam | Kind::ShiftRegister => (1, 0, 0),
        Kind::Carry => (0, 1, 0),
        Kind::WideMux => (0, 0, 1),
        _ => return None,
    };
    let memory = matches!(kind, Kind::LutRam | Kind::ShiftRegister);
    let reads = cell.nets(Direction::Input).chain(cell.nets(Direction::Inout));
    let reads = reads.filter(|(port, _)| !memory || is_read_address(port)).map(|(_, net)| net).collect();
    Some(Node { cell, weight, reads })
}

pub fn depth(module: &Module, names: &Names) -> Depth {
    let nodes: BTreeMap<&str, Node> = module.cells.iter().filter_map(|(name, cell)| Some((name.as_str(), node(cell)?))).collect();
    let driver: HashMap<u32, &str> =
        nodes.iter().flat_map(|(name, n)| n.cell.nets(Direction::Output).map(|(_, net)| (net, *name))).collect();
    let before: BTreeMap<&str, BTreeSet<&str>> =
        nodes.iter().map(|(name, n)| (*name, n.reads.iter().filter_map(|net| driver.get(net).copied()).collect())).collect();
    let mut behind: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, sources) in &before {
        for source in sources {
            behind.entry(source).or_default().push(name);
        }
    }
    let mut left: HashMap<&str, usize> = before.iter().map(|(name, sources)| (*name, sources.len())).collect();
    let mut ready: Vec<&str> = before.iter().filter(|(_, sources)| sources.is_empty()).map(|(name, _)| *name).collect();
    let mut best: HashMap<&str, Weight> = HashMap::new();
    let mut cells: HashMap<&str, u64> = HashMap::new();
    while let Some(name) = ready.pop() {
        let deepest = before[name].iter().map(|p| best[p]).max().unwrap_or_default();
        let own = nodes[name].weight;
        best.insert(name, (deepest.0 + own.0, deepest.1 + own.1, deepest.2 + own.2));
        cells.insert(name, 1 + before[name].iter().map(|p| cells[p]).max().unwrap_or(0));
        for user in behind.get(name).into_iter().flatten() {
            let open = left.get_mut(user).expect("each node is counted");
            *open -= 1;
            if *open == 0 {
                ready.push(user);
            }
        }
    }
    // Of equals the first by name, so that the path does not depend on the order of a hash.
    let worst = before.keys().filter_map(|n| Some((*n, *best.get(n)?))).reduce(|a, b| if b.1 > a.1 { b } else { a });
    let (lut_levels, carry_on_path, wide_mux_on_path) = worst.map(|(_, w)| w).unwrap_or_default();
    Depth {
        lut_levels,
        carry_on_path,
        wide_mux_on_path,
        longest_cells: cells.values().copied().max().unwrap_or(0),
        comb_loop: best.len() < before.len(),
        path: worst.map(|(last, _)| trace(module, names, &nodes, &before, &best, last)),
    }
}

fn trace(
    module: &Module,
    names: &Names,
    nodes: &BTreeMap<&str, Node>,
    before: &BTreeMap<&str, BTreeSet<&str>>,
    best: &HashMap<&str, Weight>,
    last: &str,
) -> Path {
    let mut chain = vec![last];
    let mut at = last;
    while let Some(previous) = before[at].iter().copied().reduce(|a, b| if best[b] > best[a] { b } else { a }) {
        chain.push(previous);
        at = previous;
    }
    chain.reverse();
    let signals = Signals::of(module, names);
    let drives = |name: &str| nodes[name].cell.nets(Direction::Output).map(|(_, net)| net).collect::<BTreeSet<_>>();
    let sinks = sinks(module, nodes);
    let mut steps = Vec::new();
    let mut end = End::default();
    for (i, name) in chain.iter().enumerate() {
        let outputs = drives(name);
        let net = match chain.get(i + 1) {
            Some(next) => nodes[next].reads.iter().find(|net| outputs.contains(net)).copied(),
            None => outputs.iter().find(|net| sinks.contains_key(net)).or(outputs.first()).copied(),
        };
        let signal = net.and_then(|n| signals.name(n));
        if i + 1 == chain.len() {
            end = net.and_then(|n| sinks.get(&n)).map(|sink| sink.end(&signals, net)).unwrap_or_default();
        }
        steps.push(Step { cell: nodes[name].cell.kind.clone(), level: best[name].0, signal });
    }
    Path { from: start(module, nodes, chain[0], &signals), steps, to: end }
}

/// What takes a net without being logic.
enum Sink<'a> {
    Port,
    Cell(&'a Cell, &'a str),
}

impl Sink<'_> {
    fn end(&self, signals: &Signals, net: Option<u32>) -> End {
        match self {
            Sink::Port => End { what: "output".into(), signal: net.and_then(|n| signals.name(n)), source: None },
            // A register is known by what it drives.
            Sink::Cell(cell, port) => End {
                what: format!("{}.{port}", cell.kind),
                signal: cell.nets(Direction::Output).find_map(|(_, n)| signals.name(n)),
                source: source(cell),
            },
        }
    }
}

/// The first of each net, ports before cells.
fn sinks<'a>(module: &'a Module, nodes: &BTreeMap<&str, Node>) -> HashMap<u32, Sink<'a>> {
    let mut sinks = HashMap::new();
    for port in module.ports.0.iter().map(|(_, p)| p).filter(|p| p.direction != Direction::Input) {
        for net in port.bits.iter().filter_map(|b| b.net()) {
            sinks.insert(net, Sink::Port);
        }
    }
    for (name, cell) in &module.cells {
        for (port, net) in cell.nets(Direction::Input) {
            let logic = nodes.get(name.as_str()).is_some_and(|n| n.reads.contains(&net));
            if !logic {
                sinks.entry(net).or_insert(Sink::Cell(cell, port));
            }
        }
    }
    sinks
}

fn start(module: &Module, nodes: &BTreeMap<&str, Node>, first: &str, signals: &Signals) -> End {
    let reads = &nodes[first].reads;
    let mut found: Vec<End> = Vec::new();
    for cell in module.cells.iter().filter(|(name, _)| !nodes.contains_key(name.as_str())).map(|(_, cell)| cell) {
        for (port, net) in cell.nets(Direction::Output).filter(|(_, net)| reads.contains(net)) {
            found.push(End { what: format!("{}.{port}", cell.kind), signal: signals.name(net), source: source(cell) });
        }
    }
    for port in module.ports.0.iter().map(|(_, p)| p).filter(|p| p.direction != Direction::Output) {
        for net in port.bits.iter().filter_map(|b| b.net()).filter(|net| reads.contains(net)) {
            found.push(End { what: "input".into(), signal: signals.name(net), source: None });
        }
    }
    // All are as far from the end; the one that says most is shown.
    let says = |e: &End| (e.signal.as_ref().is_some_and(|s| !s.rust.is_empty()), e.signal.is_some());
    let none = || End { what: "memory".into(), signal: None, source: source(nodes[first].cell) };
    found.into_iter().reduce(|a, b| if says(&b) > says(&a) { b } else { a }).unwrap_or_else(none)
}

/// File and line of ours among the places that a cell has passed; the library's own are not of interest.
fn source(cell: &Cell) -> Option<String> {
    let places = cell.attributes.get("src")?.as_str()?;
    let place = places.split('|').rfind(|p| !p.contains("share/yosys") && !p.contains("/share/"))?;
    let (file, position) = place.rsplit_once(':')?;
    let line = position.split(['.', '-']).next()?;
    Some(format!("{}:{line}", file.rsplit('/').next().unwrap_or(file)))
}
