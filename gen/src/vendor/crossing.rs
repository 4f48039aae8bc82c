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

#[cfg(test)]
mod tests {
    use super::super::xdc::in_context;
    use super::super::{bundle, sample};
    use super::*;
    use crate::ir::Instance;

    fn module(name: &str, ty: &str, children: &[&str]) -> Module {
        let mut module = sample::module(name, &[("clk", 1, true)]);
        module.origin.type_name = ty.into();
        let instance = |child: &&str| Instance {
            name: format!("u_{child}"),
            rust: format!("u_{child}"),
            module: child.to_string(),
            doc: String::new(),
            connections: Vec::new(),
        };
        module.instances = children.iter().map(instance).collect();
        module
    }

    fn constraints(modules: Vec<Module>) -> (Vec<String>, String) {
        let top = modules.last().map(|m| m.name.clone()).unwrap_or_default();
        let design = Design { modules, top };
        let names = scoped(&design).iter().map(|(m, _)| m.name.clone()).collect();
        let interfaces = bundle::interfaces(design.top());
        (names, in_context(&design, &interfaces))
    }

    #[test]
    fn each_crossing_has_its_file_and_a_fifo_speaks_for_what_is_in_it() {
        let inside = || {
            vec![
                module("synchronizer_width4_stages2", "Synchronizer", &[]),
                module("fifo_async_width8", "FifoAsync", &["synchronizer_width4_stages2"]),
            ]
        };
        let mut all = inside();
        all.push(module("synchronizer_width1_stages3", "Synchronizer", &[]));
        all.push(module("bridge", "Bridge", &["fifo_async_width8", "synchronizer_width1_stages3"]));
        let (names, text) = constraints(all);
        assert_eq!(names, ["fifo_async_width8", "synchronizer_width1_stages3"]);
        for name in names {
            assert!(text.contains(&format!("read_xdc -ref {name} {name}.xdc")), "{text}");
        }
        assert!(!text.contains("no constraint is needed") && !text.contains("No signal crosses"), "{text}");
        // Alone it is its own file; without any, nothing is needed.
        assert!(constraints(inside()).1.contains("set_bus_skew"));
        let (names, text) = constraints(vec![module("plain", "Plain", &[])]);
        assert!(names.is_empty() && text.contains("no constraint is needed") && text.contains("No signal crosses"), "{text}");
    }
}
