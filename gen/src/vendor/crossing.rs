//! Constraints of the blocks that stand between two clocks, each scoped to its module, so that they find every instance at any depth.

use crate::ir::{Design, Module};

/// Type of the block, and what has to be said of it.
const FILES: [(&str, &str); 2] =
    [(FIFO, include_str!("../../../constraints/fifo_async.xdc")), ("Synchronizer", include_str!("../../../constraints/synchronizer.xdc"))];
const FIFO: &str = "FifoAsync";

/// Modules that need constraints of their own, with the text; a synchronizer inside of a FIFO is the FIFO's business, because a false path
/// would take the bounds away that its Gray codes need.
pub fn scoped(design: &Design) -> Vec<(&Module, &'static str)> {
    let owned =
        |module: &Module| design.modules.iter().any(|m| m.origin.type_name == FIFO && m.instances.iter().any(|i| i.module == module.name));
    let text = |module: &Module| FILES.iter().find(|(ty, _)| *ty == module.origin.type_name).map(|(_, text)| *text);
    design.modules.iter().filter(|m| !owned(m)).filter_map(|m| Some((m, text(m)?))).collect()
}
