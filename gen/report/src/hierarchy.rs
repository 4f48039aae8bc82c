//! Resources of each instance, from a netlist whose modules were kept apart.
//!
//! Nothing is optimised across the border of a module there, so the sum is not that of the flattened block: it says who is large, not how
//! large.

use crate::Error;
use crate::cells::Figures;
use crate::netlist::Module;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Instances may nest this deep; more is a circle.
const DEEPEST: usize = 64;

/// One instance, with all that is under it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    /// Instance names joined by dots; empty for the top
    pub path: String,
    pub module: String,
    pub depth: usize,
    pub total: Figures,
}

/// The tree in the order of the instances' names, a parent before its children.
/// # Errors
/// A top that is not there, or modules that contain themselves.
pub fn instances(modules: &BTreeMap<String, Module>, top: &str) -> Result<Vec<Instance>, Error> {
    let mut found = Vec::new();
    visit(modules, top, String::new(), 0, &mut found)?;
    Ok(found)
}

fn visit(
    modules: &BTreeMap<String, Module>,
    name: &str,
    path: String,
    depth: usize,
    found: &mut Vec<Instance>,
) -> Result<BTreeMap<String, u64>, Error> {
    let module = modules.get(name).ok_or_else(|| Error::Tool(format!("the netlist has no module `{name}`")))?;
    if depth > DEEPEST {
        return Err(Error::Tool(format!("`{path}`: modules nest deeper than {DEEPEST}")));
    }
    let place = found.len();
    found.push(Instance { path: path.clone(), module: name.to_string(), depth, total: Figures::default() });
    let mut cells: BTreeMap<String, u64> = BTreeMap::new();
    for (instance, cell) in &module.cells {
        if modules.get(&cell.kind).is_some_and(|m| !m.is_library()) {
            let below = if path.is_empty() { instance.clone() } else { format!("{path}.{instance}") };
            for (kind, n) in visit(modules, &cell.kind, below, depth + 1, found)? {
                *cells.entry(kind).or_insert(0) += n;
            }
        } else {
            *cells.entry(cell.kind.clone()).or_insert(0) += 1;
        }
    }
    found[place].total = Figures::of_counts(cells.clone());
    Ok(cells)
}
