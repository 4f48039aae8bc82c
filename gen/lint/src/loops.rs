//! Combinational loops that run through several modules.

use crate::paths::Paths;
use rdma_rtl_report::split::Module;
use std::collections::{BTreeMap, BTreeSet};

/// Outputs that depend on inputs, by the module's ports.
type Arcs = BTreeMap<String, BTreeSet<String>>;

/// One line for each module in which a way through its instances comes back to where it began. Modules by name; those that are missing are
/// taken as if nothing went through them.
pub fn find(modules: &BTreeMap<&str, (&Module, &Paths)>) -> Vec<String> {
    let (mut arcs, mut found) = (BTreeMap::new(), Vec::new());
    for name in modules.keys() {
        visit(name, modules, &mut arcs, &mut found);
    }
    found
}

fn visit<'a>(
    name: &'a str,
    modules: &BTreeMap<&'a str, (&'a Module, &'a Paths)>,
    arcs: &mut BTreeMap<&'a str, Arcs>,
    found: &mut Vec<String>,
) {
    let Some((module, paths)) = modules.get(name) else { return };
    if arcs.contains_key(name) {
        return;
    }
    // A module that contains itself is no hardware; Yosys has said so.
    arcs.insert(name, Arcs::new());
    let mut next: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (from, to) in &paths.edges {
        next.entry(from).or_default().push(to.clone());
    }
    let mut through: Vec<(String, String)> = Vec::new();
    for (instance, child) in &module.instances {
        visit(child, modules, arcs, found);
        for (input, outputs) in arcs.get(child.as_str()).into_iter().flatten() {
            through.extend(outputs.iter().map(|output| (format!("{instance}.{input}"), format!("{instance}.{output}"))));
        }
    }
    for (from, to) in &through {
        next.entry(from).or_default().push(to.clone());
    }
    if let Some(way) = round(&next) {
        found.push(format!("module {name}: combinational loop through its instances: {}", way.join(" -> ")));
    }
    let mut own = Arcs::new();
    for start in next.keys().filter(|n| !n.contains('.')) {
        let (mut seen, mut open) = (BTreeSet::new(), vec![*start]);
        while let Some(node) = open.pop() {
            for to in next.get(node).into_iter().flatten() {
                if seen.insert(to.as_str()) {
                    open.push(to);
                }
            }
        }
        let outputs: BTreeSet<String> = seen.into_iter().filter(|n| !n.contains('.')).map(String::from).collect();
        if !outputs.is_empty() {
            own.insert(start.to_string(), outputs);
        }
    }
    arcs.insert(name, own);
}

/// Nodes of a loop, the first one again at the end.
fn round<'a>(next: &'a BTreeMap<&'a str, Vec<String>>) -> Option<Vec<&'a str>> {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for start in next.keys() {
        // The way to where we are, each node with how many of its followers were looked at.
        let mut way: Vec<(&str, usize)> = vec![(start, 0)];
        let mut on: BTreeSet<&str> = BTreeSet::from([*start]);
        while let Some((node, at)) = way.last_mut() {
            let node = *node;
            let follower = next.get(node).and_then(|to| to.get(*at));
            *at += 1;
            match follower {
                Some(to) if on.contains(to.as_str()) => {
                    let begin = way.iter().position(|(n, _)| n == to)?;
                    return Some(way[begin..].iter().map(|(n, _)| *n).chain([to.as_str()]).collect());
                }
                Some(to) if !done.contains(to.as_str()) => {
                    on.insert(to);
                    way.push((to, 0));
                }
                Some(_) => {}
                None => {
                    on.remove(node);
                    done.insert(node);
                    way.pop();
                }
            }
        }
    }
    None
}
