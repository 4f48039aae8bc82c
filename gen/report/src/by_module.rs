//! A block as the sum of its modules, each mapped once with its children as black boxes.
//!
//! For blocks that take too long as one piece. Nothing is optimised across the border of a module: what is constant or unused for one of
//! its owners stays, so the sum is more than the flattened block would be, and the longest path of a module ends at its ports, so levels
//! are those of the deepest module alone. What a module costs is kept by content: after a change only what changed is mapped again,
//! whatever it is part of.

use crate::Error;
use crate::cache::{Cache, key};
use crate::cells::Figures;
use crate::flow::{Family, Input, TOP, Yosys, command};
use crate::levels::depth;
use crate::netlist::read;
use crate::signals::Names;
use crate::split::{Module, Split, split};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Modules that one run maps.
const BATCH: usize = 24;
/// What modules and children are called in a run.
const MODULE: &str = "qor_module_";
const CHILD: &str = "qor_child_";

/// One block as a sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByModule {
    pub family: Family,
    pub command: String,
    pub abc9: bool,
    pub total: Figures,
    /// The largest share first
    pub modules: Vec<Share>,
}

/// A module of the block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    pub module: String,
    /// How often it stands in the block
    pub instances: u64,
    /// Of one instance, without its children
    pub figures: Figures,
    pub lut_levels: u64,
}

/// What mapping one module says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapped {
    pub abc9: bool,
    pub figures: Figures,
    pub lut_levels: u64,
}

impl ByModule {
    /// The deepest module, the first by name of equals.
    pub fn deepest(&self) -> Option<&Share> {
        self.modules.iter().min_by_key(|m| (std::cmp::Reverse(m.lut_levels), &m.module))
    }
}

/// Modules of some blocks, each distinct one once.
pub struct Modules {
    family: Family,
    splits: Vec<Split>,
    all: BTreeMap<String, Module>,
}

/// # Errors
/// Files that cannot be read, Verilog that is not the emitter's.
pub fn modules(inputs: &[Input], family: Family) -> Result<Modules, Error> {
    let mut found = Modules { family, splits: Vec::new(), all: BTreeMap::new() };
    for input in inputs {
        let mut texts = Vec::new();
        for file in &input.files {
            let path = input.folder.join(file);
            texts.push((file.as_str(), std::fs::read_to_string(&path).map_err(|e| Error::io("cannot read", &path, e))?));
        }
        let split = split(texts.iter().map(|(name, text)| (*name, text.as_str())))?;
        found.all.extend(split.modules.iter().map(|(content, module)| (content.clone(), module.clone())));
        found.splits.push(split);
    }
    Ok(found)
}

impl Modules {
    fn key(&self, content: &str, yosys: &Yosys) -> String {
        key(&[b"by module", yosys.tool.version.as_bytes(), self.family.name().as_bytes(), content.as_bytes()])
    }

    /// What is in the cache, by content.
    pub fn known(&self, yosys: &Yosys, cache: &Cache) -> BTreeMap<String, Mapped> {
        self.all.keys().filter_map(|content| Some((content.clone(), cache.get(&self.key(content, yosys))?))).collect()
    }

    /// Contents of the others, as many together as one run maps: most of a run on a small module is reading the library.
    pub fn batches(&self, known: &BTreeMap<String, Mapped>) -> Vec<Vec<String>> {
        let mut open: Vec<(&String, usize)> =
            self.all.iter().filter(|(content, _)| !known.contains_key(*content)).map(|(c, m)| (c, m.text.len())).collect();
        open.sort_by_key(|(content, length)| (std::cmp::Reverse(*length), (*content).clone()));
        let count = open.len().div_ceil(BATCH);
        // Dealt out like cards, so that each run has a long one and many short ones.
        (0..count).map(|i| open.iter().skip(i).step_by(count).map(|(content, _)| (*content).clone()).collect()).collect()
    }

    /// Name of the longest module of a batch.
    pub fn name(&self, batch: &[String]) -> &str {
        batch.first().and_then(|content| self.all.get(content)).map_or("", |m| m.name.as_str())
    }

    /// Maps the modules of a batch.
    /// # Errors
    /// A tool that fails; a module that it lost.
    pub fn map(&self, batch: &[String], yosys: &Yosys, cache: &Cache) -> Result<Vec<(String, Mapped)>, Error> {
        let modules: Vec<&Module> = batch.iter().filter_map(|content| self.all.get(content)).collect();
        let mapped = map(&modules, self.family, yosys)?;
        let found: Vec<(String, Mapped)> = batch.iter().cloned().zip(mapped).collect();
        found.iter().for_each(|(content, mapped)| cache.put(&self.key(content, yosys), mapped));
        Ok(found)
    }

    /// The sum of a block, the `at`-th of those that were read.
    /// # Errors
    /// A module that contains itself, or that was not mapped.
    pub fn sum(&self, at: usize, top: &str, mapped: &BTreeMap<String, Mapped>) -> Result<ByModule, Error> {
        let split = &self.splits[at];
        let (mut cells, mut shares, mut abc9): (BTreeMap<String, u64>, Vec<Share>, bool) = (BTreeMap::new(), Vec::new(), true);
        for (module, instances) in split.instances(top)? {
            let Some(one) = split.names.get(&module).and_then(|content| mapped.get(content)) else {
                return Err(Error::Tool(format!("module {module}: was not mapped")));
            };
            for (cell, n) in &one.figures.cells {
                *cells.entry(cell.clone()).or_insert(0) += n * instances;
            }
            abc9 &= one.abc9;
            shares.push(Share { module, instances, figures: one.figures.clone(), lut_levels: one.lut_levels });
        }
        let weight = |s: &Share| s.instances * (s.figures.lut + s.figures.lutram_lut + s.figures.srl);
        shares.sort_by(|a, b| weight(b).cmp(&weight(a)).then(a.module.cmp(&b.module)));
        let command = command(self.family, false, if abc9 { " -abc9" } else { "" });
        Ok(ByModule { family: self.family, command, abc9, total: Figures::of_counts(cells), modules: shares })
    }
}

/// Several modules in one run, each with names of its own for itself and its children, under a top that only holds them.
fn map(modules: &[&Module], family: Family, yosys: &Yosys) -> Result<Vec<Mapped>, Error> {
    let folder = rdma_rtl_process::Folder::new();
    let folder = folder.map_err(|e| Error::Tool(format!("cannot make a temporary folder: {e}")))?;
    let (mut texts, mut boxes, mut top) = (String::new(), String::new(), format!("module {TOP};\n"));
    for (i, module) in modules.iter().enumerate() {
        let (text, black_boxes) = renamed(module, i);
        texts += &text;
        boxes += &black_boxes;
        top += &format!("    (* keep *) {MODULE}{i} u{i} ();\n");
    }
    for (name, text) in [("modules.v", texts + &top + "endmodule\n"), ("children.v", boxes)] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(|e| Error::io("cannot write", &path, e))?;
    }
    let script = |abc9: &str| {
        format!(
            "read_verilog -sv modules.v; read_verilog -sv -lib children.v; hierarchy -check -top {TOP}; proc; opt_clean; chformal -remove; \
             delete t:$print; {} -top {TOP}; write_json modules.json",
            command(family, false, abc9)
        )
    };
    let abc9 = yosys.mapped(folder.path(), "modules.log", script)?;
    let netlist = read(&folder.path().join("modules.json"), &|name| name.starts_with(MODULE))?;
    let one = |i: usize| {
        let lost = || Error::Tool(format!("module {}: Yosys left no netlist of it", modules[i].name));
        let module = netlist.get(&format!("{MODULE}{i}")).ok_or_else(lost)?;
        let own = module.cells.values().map(|c| c.kind.as_str()).filter(|kind| !kind.starts_with(CHILD));
        Ok(Mapped { abc9, figures: Figures::of(own), lut_levels: depth(module, &Names::default()).lut_levels })
    };
    (0..modules.len()).map(one).collect()
}

/// Text and black boxes of a module, the module called by its number and its children with it in front of their names.
fn renamed(module: &Module, number: usize) -> (String, String) {
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["module", name, ..] if *name == module.name => line.replacen(name, &format!("{MODULE}{number}"), 1),
            ["module", name, ..] => line.replacen(name, &format!("{CHILD}{number}_{name}"), 1),
            [child, _, "("] if module.children.iter().any(|c| c == child) => line.replacen(child, &format!("{CHILD}{number}_{child}"), 1),
            _ => line.to_string(),
        }
    };
    let all = |text: &str| text.lines().map(|l| line(l) + "\n").collect();
    (all(&module.text), all(&module.black_boxes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAF: &str = "module leaf (\n    input  wire a,\n    output wire b\n);\n\n    assign b = !a;\n\nendmodule\n";
    const PAIR: &str = "module pair (\n    input  wire a,\n    output wire b\n);\n\n    wire c;\n\n    leaf one (\n        .a (a),\n        .b (c)\n    );\n\n    leaf two (\n        .a (c),\n        .b (b)\n    );\n\nendmodule\n";
    const TOP_TEXT: &str = "module top (\n    input  wire a,\n    output wire b\n);\n\n    wire c;\n\n    pair one (\n        .a (a),\n        .b (c)\n    );\n\n    leaf two (\n        .a (c),\n        .b (b)\n    );\n\nendmodule\n";

    #[test]
    fn modules_are_counted_through_the_tree() {
        let found = split([("leaf.v", LEAF), ("pair.v", PAIR), ("top.v", TOP_TEXT)]).unwrap();
        let count = |name: &str| found.instances("top").unwrap()[name];
        assert_eq!((count("leaf"), count("pair"), count("top")), (3, 1, 1));
        assert_eq!(found.modules[&found.names["pair"]].children, ["leaf"]);
        let circle = PAIR.replace("leaf one", "top one");
        let error = split([("leaf.v", LEAF), ("pair.v", &circle), ("top.v", TOP_TEXT)]).unwrap().instances("top").unwrap_err();
        assert!(error.to_string().contains("contains itself"), "{error}");
    }

    #[test]
    fn names_in_a_run_do_not_meet() {
        let found = split([("leaf.v", LEAF), ("pair.v", PAIR)]).unwrap();
        let (text, boxes) = renamed(&found.modules[&found.names["pair"]], 7);
        assert!(text.starts_with("module qor_module_7 (") && text.contains("    qor_child_7_leaf one ("), "{text}");
        assert!(boxes.starts_with("module qor_child_7_leaf ("), "{boxes}");
    }

    #[test]
    fn a_sum_is_that_of_the_instances() {
        let split = split([("leaf.v", LEAF), ("pair.v", PAIR), ("top.v", TOP_TEXT)]).unwrap();
        let mapped = |name: &str, luts: usize, levels: u64| {
            (split.names[name].clone(), Mapped { abc9: true, figures: Figures::of(vec!["LUT2"; luts]), lut_levels: levels })
        };
        let costs = BTreeMap::from([mapped("leaf", 5, 3), mapped("pair", 1, 1), mapped("top", 0, 0)]);
        let modules = Modules { family: Family::Xcup, all: split.modules.clone(), splits: vec![split] };
        let sum = modules.sum(0, "top", &costs).unwrap();
        assert_eq!((sum.total.lut, sum.modules[0].module.as_str(), sum.modules[0].instances), (16, "leaf", 3));
        assert_eq!(sum.deepest().map(|m| m.lut_levels), Some(3));
        assert!(modules.sum(0, "top", &BTreeMap::new()).unwrap_err().to_string().contains("was not mapped"));
    }
}
