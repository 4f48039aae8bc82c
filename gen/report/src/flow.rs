//! Yosys on a block: elaborated once, then mapped to a family of parts.
//!
//! Every step is a process of its own on files, so that a result does not depend on what ran before it, and no exit code is believed alone:
//! a run counts when its log says that the script ended and its netlist can be read to the end.

use crate::Error;
use crate::cache::{Cache, key};
use crate::cells::Figures;
use crate::hierarchy::{Instance, instances};
use crate::levels::{Depth, depth};
use crate::netlist::{Direction, Module, read, read_top};
use crate::signals::Names;
use crate::tools::Tool;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// What the top is called while it is measured.
pub(crate) const TOP: &str = "qor_dut";

/// A folder of Verilog as `rdma-rtl gen` writes it.
#[derive(Clone, Debug)]
pub struct Input {
    pub block: String,
    pub top: String,
    pub folder: PathBuf,
    /// Verilog files in the order in which they are read, without folder
    pub files: Vec<String>,
}

impl Input {
    /// What `TOP.f` in the folder lists.
    /// # Errors
    /// No such list, an empty one, or a name in it that leaves the folder.
    pub fn read(block: &str, top: &str, folder: &Path) -> Result<Input, Error> {
        let list = folder.join(format!("{top}.f"));
        let text = std::fs::read_to_string(&list).map_err(|e| Error::io("cannot read", &list, e))?;
        let files: Vec<String> = text.lines().map(str::trim).filter(|l| !l.is_empty()).map(String::from).collect();
        if files.is_empty() {
            return Err(Error::io("file list", &list, "names no file"));
        }
        // They become words of a script.
        let plain = |f: &String| !f.starts_with('-') && f.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if let Some(bad) = files.iter().find(|f| !plain(f)) {
            return Err(Error::io("file list", &list, format_args!("`{bad}`: letters, digits, `_`, `-` and `.` are allowed in a name")));
        }
        Ok(Input { block: block.to_string(), top: top.to_string(), folder: folder.to_path_buf(), files })
    }

    /// Content of everything that a result depends on.
    pub(crate) fn content(&self) -> Result<Vec<u8>, Error> {
        let mut all = self.top.clone().into_bytes();
        for file in self.files.iter().map(String::as_str).chain(["names.json"]) {
            let path = self.folder.join(file);
            let bytes = std::fs::read(&path).map_err(|e| Error::io("cannot read", &path, e))?;
            all.extend_from_slice(file.as_bytes());
            all.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            all.extend_from_slice(&bytes);
        }
        Ok(all)
    }
}

/// A family of Xilinx parts, as `synth_xilinx -family` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    Xcup,
    Xc7,
}

impl Family {
    pub const ALL: [Family; 2] = [Family::Xcup, Family::Xc7];

    pub fn name(self) -> &'static str {
        match self {
            Family::Xcup => "xcup",
            Family::Xc7 => "xc7",
        }
    }

    pub fn parts(self) -> &'static str {
        match self {
            Family::Xcup => "UltraScale+",
            Family::Xc7 => "7 series",
        }
    }
}

/// One block on one family.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapped {
    /// The command that mapped it
    pub command: String,
    /// false: this Yosys could not run its newer mapper, and the figures are those of the older one
    pub abc9: bool,
    pub figures: Figures,
    pub depth: Depth,
}

/// One block with its modules kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hierarchy {
    pub command: String,
    pub abc9: bool,
    pub instances: Vec<Instance>,
}

/// Yosys with what is known about it.
pub struct Yosys {
    pub tool: Tool,
    abc9: AtomicBool,
}

impl Yosys {
    pub fn new(tool: Tool) -> Yosys {
        Yosys { tool, abc9: AtomicBool::new(true) }
    }

    /// false once a run with `-abc9` ended in the middle.
    pub fn has_abc9(&self) -> bool {
        self.abc9.load(Ordering::Relaxed)
    }

    fn script(&self, folder: &Path, script: &str, log: &str) -> Result<bool, Error> {
        let said = self.tool.run(folder, &["-Q", "-p", script], log)?;
        Ok(said.lines().rev().take(12).any(|l| l.starts_with("End of script.")))
    }

    fn whole(&self, folder: &Path, script: &str, log: &str) -> Result<(), Error> {
        if self.script(folder, script, log)? {
            return Ok(());
        }
        let advice = "`scripts/tools.sh report` installs one that finishes, or set RDMA_RTL_YOSYS to another";
        Err(Error::Tool(format!("{} ended in the middle with exit code 0; {advice}", self.tool.version)))
    }

    /// Runs `script(" -abc9")`; where this Yosys ends silently inside of it or crashes, `script("")`. Says which.
    ///
    /// One that ends silently does so with every block. A crash is that of a block in a flow: 0.23 has one with the registry on 7 series.
    pub(crate) fn mapped(&self, folder: &Path, log: &str, script: impl Fn(&str) -> String) -> Result<bool, Error> {
        if self.has_abc9() {
            match self.script(folder, &script(" -abc9"), log) {
                Ok(true) => return Ok(true),
                Ok(false) => self.abc9.store(false, Ordering::Relaxed),
                Err(Error::Crash(_)) => {}
                Err(other) => return Err(other),
            }
        }
        self.whole(folder, &script(""), log)?;
        Ok(false)
    }
}

/// A block that Yosys has read: RTLIL that every flow starts from.
pub struct Elaborated {
    pub(crate) folder: rdma_rtl_process::Folder,
    pub(crate) ports: Module,
    /// A register or a memory is in it
    pub(crate) clocked: bool,
    modules: usize,
}

/// # Errors
/// A file that cannot be copied, Verilog that Yosys refuses.
pub fn elaborate(yosys: &Yosys, input: &Input) -> Result<Elaborated, Error> {
    let folder = rdma_rtl_process::Folder::new();
    let folder = folder.map_err(|e| Error::Tool(format!("cannot make a temporary folder: {e}")))?;
    for file in &input.files {
        // The WebAssembly build sees only the folder that it runs in.
        std::fs::copy(input.folder.join(file), folder.path().join(file))
            .map_err(|e| Error::io("cannot copy", &input.folder.join(file), e))?;
    }
    let script = format!(
        "read_verilog -sv -defer {}; hierarchy -check -top {}; proc; opt_clean; chformal -remove; delete t:$print; rename -top {TOP}; write_rtlil dut.il; write_json dut.json",
        input.files.join(" "),
        input.top
    );
    let at = |e: Error| Error::Tool(format!("{}: {e}", input.block));
    yosys.whole(folder.path(), &script, "elaborate.log").map_err(at)?;
    let modules = read(&folder.path().join("dut.json"), &|_| true).map_err(at)?;
    let clocked = modules.values().flat_map(|m| m.cells.values()).any(|c| is_clocked(&c.kind));
    let count = modules.len();
    let ports = modules.into_iter().find(|(name, _)| name == TOP).map(|(_, m)| m);
    let ports = ports.ok_or_else(|| Error::Tool(format!("{}: Yosys left no top module `{}`", input.block, input.top)))?;
    Ok(Elaborated { folder, ports, clocked, modules: count })
}

fn is_clocked(kind: &str) -> bool {
    let Some(kind) = kind.strip_prefix('$') else { return false };
    kind.starts_with("mem") || kind.trim_start_matches("al").trim_start_matches(['a', 's']).starts_with("dff")
}

impl Elaborated {
    /// The clock: an input `clk` or `aclk` of one bit. None if nothing is clocked.
    pub(crate) fn clock(&self) -> Result<Option<&str>, Error> {
        let one_bit = |name: &&str| self.ports.ports.get(name).is_some_and(|p| p.direction == Direction::Input && p.bits.len() == 1);
        match ["clk", "aclk"].into_iter().find(one_bit) {
            None if self.clocked => Err(Error::Tool("has registers, but no input `clk` or `aclk` of one bit".into())),
            clock => Ok(clock),
        }
    }

    /// How many modules there are, the top among them.
    pub fn modules(&self) -> usize {
        self.modules
    }
}

pub(crate) fn command(family: Family, flatten: bool, abc9: &str) -> String {
    let flatten = if flatten { " -flatten" } else { "" };
    format!("synth_xilinx -family {} -noiopad -noclkbuf{flatten}{abc9}", family.name())
}

/// Flattened: the figures that budgets hold.
pub fn map(yosys: &Yosys, block: &Elaborated, family: Family, names: &Names) -> Result<Mapped, Error> {
    let netlist = format!("{}.json", family.name());
    let script = |abc9: &str| format!("read_rtlil dut.il; {} -top {TOP}; write_json {netlist}", command(family, true, abc9));
    let abc9 = yosys.mapped(block.folder.path(), &format!("{}.log", family.name()), script)?;
    let module = read_top(&block.folder.path().join(&netlist), TOP)?;
    Ok(Mapped {
        command: command(family, true, if abc9 { " -abc9" } else { "" }),
        abc9,
        figures: Figures::of(module.cells.values().map(|c| c.kind.as_str())),
        depth: depth(&module, names),
    })
}

/// Modules kept apart: who is large.
pub fn map_hierarchy(yosys: &Yosys, block: &Elaborated, family: Family, top: &str) -> Result<Hierarchy, Error> {
    let netlist = format!("{}_hierarchy.json", family.name());
    let script = |abc9: &str| format!("read_rtlil dut.il; {} -top {TOP}; write_json {netlist}", command(family, false, abc9));
    let abc9 = yosys.mapped(block.folder.path(), &format!("{}_hierarchy.log", family.name()), script)?;
    let modules = read(&block.folder.path().join(&netlist), &|_| true)?;
    let mut instances = instances(&modules, TOP)?;
    if let Some(first) = instances.first_mut() {
        first.module = top.to_string();
    }
    Ok(Hierarchy { command: command(family, false, if abc9 { " -abc9" } else { "" }), abc9, instances })
}

/// Looks the result up, or makes it.
pub(crate) fn cached<T: Serialize + serde::de::DeserializeOwned>(
    cache: &Cache,
    parts: &[&[u8]],
    make: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    let key = key(parts);
    if let Some(found) = cache.get(&key) {
        return Ok(found);
    }
    let made = make()?;
    cache.put(&key, &made);
    Ok(made)
}
