//! Modules of many blocks, each distinct one once, under Yosys.

use crate::paths::{Paths, paths};
use crate::{Error, Tool, loops};
use rdma_rtl_report::cache::{Cache, key};
use rdma_rtl_report::netlist;
use rdma_rtl_report::split::{Module, split};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Modules that one run of Yosys reads: a run of the WebAssembly build takes a second to begin.
const BATCH: usize = 16;

/// A block: Verilog files with one module each, in any order.
#[derive(Clone, Debug)]
pub struct Input {
    pub block: String,
    pub top: String,
    /// Name and text
    pub files: Vec<(String, String)>,
}

/// What is known of a module.
#[derive(Clone, Debug)]
pub enum Outcome {
    Clean(Paths),
    Complaint(String),
}

/// Distinct modules, and which of them each block has.
pub struct Modules {
    /// By content
    modules: BTreeMap<String, Module>,
    /// By block: name of the module to content
    blocks: BTreeMap<String, BTreeMap<String, String>>,
}

/// # Errors
/// Verilog that is not the emitter's: another number of modules in a file, one module in two files.
pub fn read(inputs: &[Input]) -> Result<Modules, Error> {
    let mut all = Modules { modules: BTreeMap::new(), blocks: BTreeMap::new() };
    for input in inputs {
        let split = split(input.files.iter().map(|(name, text)| (name.as_str(), text.as_str())))?;
        all.modules.extend(split.modules);
        all.blocks.insert(input.block.clone(), split.names);
    }
    Ok(all)
}

impl Modules {
    /// How many distinct modules there are.
    pub fn len(&self) -> usize {
        self.modules.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    fn cache_key(content: &str, yosys: &Tool) -> String {
        key(&[b"lint yosys", yosys.version.as_bytes(), content.as_bytes()])
    }

    /// Modules that are in the cache as clean.
    pub fn known(&self, yosys: &Tool, cache: &Cache) -> BTreeMap<String, Outcome> {
        let known = |content: &String| Some((content.clone(), Outcome::Clean(cache.get(&Modules::cache_key(content, yosys))?)));
        self.modules.keys().filter_map(known).collect()
    }

    /// Contents of the others, as many together as one run reads; the long ones first, so that no core has one before it at the end.
    pub fn batches(&self, known: &BTreeMap<String, Outcome>) -> Vec<Vec<String>> {
        let mut open: Vec<(&String, usize)> =
            self.modules.iter().filter(|(content, _)| !known.contains_key(*content)).map(|(c, m)| (c, m.text.len())).collect();
        open.sort_by_key(|(content, length)| (std::cmp::Reverse(*length), (*content).clone()));
        let count = open.len().div_ceil(BATCH);
        // Dealt out like cards, so that each run has a long one and many short ones.
        (0..count).map(|i| open.iter().skip(i).step_by(count).map(|(content, _)| (*content).clone()).collect()).collect()
    }

    /// Yosys on the modules of a batch: one run, and if that has anything to say, one for each of them.
    /// # Errors
    /// A file that cannot be written; a Yosys that does not run.
    pub fn check(&self, batch: &[String], yosys: &Tool, cache: &Cache) -> Result<Vec<(String, Outcome)>, Error> {
        let folder = rdma_rtl_process::Folder::new().map_err(Error::io("temporary folder"))?;
        let mut scripts = Vec::new();
        for (i, content) in batch.iter().enumerate() {
            let module = &self.modules[content];
            for (name, text) in [(format!("m{i}.v"), &module.text), (format!("m{i}_children.v"), &module.black_boxes)] {
                let path = folder.path().join(name);
                std::fs::write(&path, text).map_err(Error::io(path))?;
            }
            let name = &module.name;
            scripts.push(format!(
                "design -reset; read_verilog m{i}.v; read_verilog -lib m{i}_children.v; hierarchy -check -top {name}; proc; check -assert; write_json m{i}.json"
            ));
        }
        let whole = yosys.said(&["-q", "-p", &scripts.join("; ")], folder.path())?;
        let mut found = Vec::new();
        for (i, content) in batch.iter().enumerate() {
            let json = folder.path().join(format!("m{i}.json"));
            let mut said = String::new();
            if !whole.is_empty() || !json.is_file() {
                let _ = std::fs::remove_file(&json);
                said = yosys.said(&["-q", "-p", &scripts[i]], folder.path())?;
            }
            let name = &self.modules[content].name;
            let outcome = match self.outcome(&json, name, &said) {
                Ok(paths) => {
                    cache.put(&Modules::cache_key(content, yosys), &paths);
                    Outcome::Clean(paths)
                }
                Err(text) => Outcome::Complaint(text),
            };
            found.push((content.clone(), outcome));
        }
        Ok(found)
    }

    /// No exit code is believed alone: a clean run has said nothing and left its netlist.
    fn outcome(&self, json: &Path, name: &str, said: &str) -> Result<Paths, String> {
        if !said.is_empty() {
            return Err(said.to_string());
        }
        let module = netlist::read_top(json, name).map_err(|e| format!("Yosys ended without a word and without its netlist: {e}"))?;
        paths(&module)
    }

    /// What there is to say of a block: complaints about each of its modules, then loops through several of them.
    /// # Errors
    /// A block that was not read.
    pub fn verdict(&self, input: &Input, outcomes: &BTreeMap<String, Outcome>) -> Result<String, Error> {
        let names = self.blocks.get(&input.block).ok_or_else(|| Error::File { file: input.block.clone(), what: "was not read".into() })?;
        let mut said = String::new();
        let mut clean = BTreeMap::new();
        for (name, content) in names {
            match outcomes.get(content) {
                Some(Outcome::Clean(paths)) => drop(clean.insert(name.as_str(), (&self.modules[content], paths))),
                Some(Outcome::Complaint(text)) => {
                    let _ = writeln!(said, "module {name}: {text}");
                }
                None => {
                    let _ = writeln!(said, "module {name}: was not checked");
                }
            }
        }
        if !names.contains_key(&input.top) {
            let _ = writeln!(said, "there is no module `{}`, which is to be the top", input.top);
        }
        for text in loops::find(&clean) {
            let _ = writeln!(said, "{text}");
        }
        Ok(said.trim_end().to_string())
    }
}
