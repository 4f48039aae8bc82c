//! Emitted Verilog module by module: each with its children as black boxes, known by content.

use crate::Error;
use crate::cache::key;
use rdma_rtl_project::Netlist;
use std::collections::BTreeMap;

/// A module with its children as black boxes.
#[derive(Clone, Debug)]
pub struct Module {
    pub name: String,
    pub text: String,
    /// Names of its children, each once, and their ports as Verilog
    pub children: Vec<String>,
    pub black_boxes: String,
    /// Instance and module
    pub instances: Vec<(String, String)>,
}

/// Modules by content: the text of each and the ports of its children. `names` says which content each name has.
#[derive(Clone, Debug, Default)]
pub struct Split {
    pub modules: BTreeMap<String, Module>,
    pub names: BTreeMap<String, String>,
}

/// `files`: name and text, one module each, in any order. A module with parameters is one for each set of values that it is used with.
/// # Errors
/// Verilog that is not the emitter's: another number of modules in a file, one module in two files.
pub fn split<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Split, Error> {
    let files = rdma_rtl_project::without_parameters(files).map_err(|e| Error::Tool(e.to_string()))?;
    let mut read: BTreeMap<String, (&str, rdma_rtl_project::Module)> = BTreeMap::new();
    for (file, text) in files.iter().map(|(file, text)| (file.as_str(), text.as_str())) {
        let wrong = |what: String| Error::Tool(format!("{file}: {what}"));
        let modules = Netlist::read([(file, text)]).map_err(|e| Error::Tool(e.to_string()))?.modules;
        let count = modules.len();
        let Some((name, module)) = modules.into_iter().next().filter(|_| count == 1) else {
            return Err(wrong(format!("{count} modules; the emitter writes one to a file")));
        };
        if read.contains_key(&name) {
            return Err(wrong(format!("the module `{name}` is in another file too")));
        }
        read.insert(name, (text, module));
    }
    let mut found = Split::default();
    for (name, (text, module)) in &read {
        let (mut children, mut black_boxes): (Vec<String>, String) = Default::default();
        for (_, child) in &module.instances {
            if let Some((_, child_module)) = read.get(child)
                && !children.contains(child)
            {
                children.push(child.clone());
                black_boxes += &black_box(child, child_module);
            }
        }
        let content = key(&[b"module", text.as_bytes(), black_boxes.as_bytes()]);
        found.names.insert(name.clone(), content.clone());
        let (text, instances) = (text.to_string(), module.instances.clone());
        found.modules.insert(content, Module { name: name.clone(), text, children, black_boxes, instances });
    }
    Ok(found)
}

fn black_box(name: &str, module: &rdma_rtl_project::Module) -> String {
    let port = |p: &rdma_rtl_project::Port| {
        let range = if p.width > 1 { format!("[{}:0] ", p.width - 1) } else { String::new() };
        format!("    {} wire {range}{}", if p.input { "input" } else { "output" }, p.name)
    };
    format!("module {name} (\n{}\n);\nendmodule\n", module.ports.iter().map(port).collect::<Vec<_>>().join(",\n"))
}

impl Split {
    /// How often each module stands under `top`, itself once.
    /// # Errors
    /// A module that contains itself.
    pub fn instances(&self, top: &str) -> Result<BTreeMap<String, u64>, Error> {
        let mut found = BTreeMap::new();
        self.count(top, 1, &mut Vec::new(), &mut found)?;
        Ok(found)
    }

    fn count(&self, name: &str, times: u64, above: &mut Vec<String>, found: &mut BTreeMap<String, u64>) -> Result<(), Error> {
        let Some(module) = self.names.get(name).and_then(|content| self.modules.get(content)) else { return Ok(()) };
        if above.iter().any(|a| a == name) {
            return Err(Error::Tool(format!("the module `{name}` contains itself")));
        }
        *found.entry(name.to_string()).or_insert(0) += times;
        above.push(name.to_string());
        for child in &module.children {
            let here = module.instances.iter().filter(|(_, m)| m == child).count() as u64;
            self.count(child, times * here, above, found)?;
        }
        above.pop();
        Ok(())
    }
}
