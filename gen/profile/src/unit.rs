//! The sources of blocks whose sizes are constants, as one crate: the facts of a profile, what follows from them (`hdl/src/sizes.rs`, `sizes/`), and
//! the files that the blocks reach.
//!
//! A block of a fixed size is not compiled with the others: it is compiled for the facts that a design is asked for at. Which file is such
//! a block's: every file of `hdl/src/FOLDER` that `hdl/src/FOLDER.rs` does not name. Files of `hdl/src/FOLDER/BLOCK` are modules of
//! `BLOCK.rs`: parts of its kernel.

use crate::{Block, Schema};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

/// Folders of `hdl/src` with such blocks, each a module.
const FOLDERS: [&str; 8] = ["bitmap", "congestion", "lr2", "memory", "receive", "send", "top", "wire"];
/// What every such crate stands on, and what passes between it and the program that loads it, from the project's root.
const FOUNDATION: [&str; 10] = [
    "Cargo.lock",
    "Cargo.toml",
    "gen/src",
    "hdl/build",
    "hdl/build.rs",
    "hdl/derive/src",
    "hdl/src",
    "sim/process/src",
    "sim/src",
    "sim/verilated/src",
];
/// Facts that no profile states: a block's section in the schema may, and where none does they follow from others.
const FOLLOWING: [(&str, &str); 3] =
    [("payload_slots", "ESCAPE_SLOTS + WRITES"), ("completion_mask_bits", "MASK_BITS"), ("transport", "0")];
/// Modules of the crate of the other blocks that are the same here.
const SHARED: [&str; 5] = ["bus", "csr", "describe", "primitives", "signals"];

/// A crate's text, and the files that it takes in.
#[derive(Clone, Debug)]
pub struct Unit {
    pub text: String,
    pub files: Vec<PathBuf>,
}

impl Unit {
    fn of(text: String, files: &[&Source]) -> Unit {
        Unit { text, files: files.iter().flat_map(|file| file.files()).cloned().collect() }
    }
}

/// A block at values of its parameters.
pub struct Root<'a> {
    pub block: &'a Block,
    pub values: &'a [(String, u64)],
}

/// A size by its name in `hdl/src/sizes.rs`, or a fact in capitals, and a value that it has whatever it follows from: for a proof, which
/// wants a block as small as no profile has it.
pub type Constant<'a> = (&'a str, u64);

impl Root<'_> {
    /// The facts that it is compiled for: its parameters, and those that it calls otherwise.
    pub fn facts(&self) -> BTreeMap<String, u64> {
        let own: BTreeMap<String, u64> = self.values.iter().cloned().collect();
        let others = self.block.sized.iter().flatten().filter_map(|(name, expression)| Some((name.clone(), value(&own, expression)?)));
        let others: BTreeMap<String, u64> = others.collect();
        let mut facts: BTreeMap<String, u64> = own.into_iter().chain(others).collect();
        follow(&mut facts);
        facts
    }

    /// One crate can hold both.
    pub fn fits(&self, other: &Root) -> bool {
        let theirs = other.facts();
        self.facts().iter().all(|(name, value)| theirs.get(name).is_none_or(|their| their == value))
    }
}

/// Adds the facts that follow from those that are there.
fn follow(facts: &mut BTreeMap<String, u64>) {
    for (name, expression) in FOLLOWING {
        if !facts.contains_key(name) {
            facts.extend(value(facts, expression).map(|value| (name.to_string(), value)));
        }
    }
}

/// A number, a parameter in capitals, its logarithm, a sum or a shift; none for anything else.
pub(crate) fn value(facts: &BTreeMap<String, u64>, expression: &str) -> Option<u64> {
    let known = |text: &str| facts.get(&text.to_lowercase()).copied();
    let term = |text: &str| match text.trim().strip_prefix("log2(").and_then(|text| text.strip_suffix(')')) {
        Some(of) => Some(u64::from(known(of)?.checked_ilog2()?)),
        None => text.trim().parse().ok().or_else(|| known(text.trim())),
    };
    match expression.split_once("<<") {
        Some((left, right)) => term(left)?.checked_shl(u32::try_from(term(right)?).ok()?),
        None => expression.split('+').map(term).sum(),
    }
}

/// The crate in which `roots` are, with a function that describes one by its name and one that makes it run.
///
/// `sources` is `hdl/src`. Facts that no root has are those of the schema. `profile` are the facts of the profile itself, where they are
/// known: a block that is compiled for others says so in its module's name.
///
/// # Errors
/// A file cannot be read, or a root's is not there.
pub fn unit(sources: &Path, schema: &Schema, roots: &[Root], constants: &[Constant], profile: &BTreeMap<String, u64>) -> io::Result<Unit> {
    let sized = sized(sources)?;
    let mut wanted: Vec<&Source> = Vec::new();
    for root in roots {
        let (folder, name) = root.block.path.split_once("::").unwrap_or_default();
        let name = name.split("::").next().unwrap_or_default();
        let own = sized.iter().find(|file| file.folder == folder && file.types.contains(name));
        let own = own
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, format!("no file in {} has {}", sources.display(), root.block.path)))?;
        reach(own, &sized, &mut wanted);
    }
    let facts = facts(schema, roots);
    let sizes = follows(sources)?;
    let mut text = head(&sizes, &facts, constants, &wanted);
    modules(&mut text, &wanted);
    names(&mut text, &Changed::new(schema, profile, &facts, &sizes), &sized, &wanted);
    exports(&mut text, roots);
    Ok(Unit::of(text, &wanted))
}

/// All of these blocks as one crate, at the schema's own values: for the compiler's and the linter's eyes.
///
/// # Errors
/// A file cannot be read.
pub fn all(sources: &Path, schema: &Schema) -> io::Result<Unit> {
    let sized = sized(sources)?;
    let wanted: Vec<&Source> = sized.iter().collect();
    // Inside of a send endpoint a load's tag is its slot.
    let tag_bits = schema.fact("slots").map_or(0, |slots| u64::from(slots.default.ilog2()));
    let sizes = follows(sources)?;
    let mut text = head(&sizes, &facts(schema, &[]), &[("TAG_BITS", tag_bits)], &wanted);
    modules(&mut text, &wanted);
    Ok(Unit::of(text, &wanted))
}

/// A number made from everything that such a crate stands on. Two programs pass blocks to each other only where it is the same.
///
/// # Errors
/// A file cannot be read.
pub fn foundation(root: &Path) -> io::Result<u64> {
    let mut hash = DefaultHasher::new();
    for file in foundation_files(root)? {
        file.strip_prefix(root).unwrap_or(&file).hash(&mut hash);
        std::fs::read(&file)?.hash(&mut hash);
    }
    Ok(hash.finish())
}

/// The files that it is made from.
///
/// # Errors
/// A folder cannot be read.
pub fn foundation_files(root: &Path) -> io::Result<Vec<PathBuf>> {
    let blocks: Vec<PathBuf> = sized(&root.join("hdl/src"))?.iter().flat_map(|file| file.files()).cloned().collect();
    let parts = FOUNDATION.iter().map(|name| files(&root.join(name))).collect::<io::Result<Vec<_>>>()?;
    Ok(parts.concat().into_iter().filter(|file| !blocks.contains(file)).collect())
}

/// Every file under a path, in order.
///
/// # Errors
/// A folder cannot be read.
pub fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut entries = std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    let parts = entries.iter().map(|entry| files(entry)).collect::<io::Result<Vec<_>>>()?;
    Ok(parts.concat())
}

struct Source {
    folder: &'static str,
    module: String,
    path: PathBuf,
    /// its own modules
    parts: Vec<PathBuf>,
    /// public types
    types: BTreeSet<String>,
    /// every word of its code that begins with a capital: types that it may use
    words: BTreeSet<String>,
    /// macros that it has
    macros: BTreeSet<String>,
    /// every word before a `!`: macros that it may use
    calls: BTreeSet<String>,
}

impl Source {
    fn new(folder: &'static str, module: &str, path: PathBuf) -> io::Result<Self> {
        let parts = path.with_extension("");
        let parts = if parts.is_dir() { files(&parts)? } else { Vec::new() };
        let [types, words, macros, calls] = std::array::from_fn(|_| BTreeSet::new());
        let mut source = Self { folder, module: module.to_string(), path, parts, types, words, macros, calls };
        let texts = source.files().map(std::fs::read_to_string).collect::<io::Result<Vec<_>>>()?;
        texts.iter().for_each(|text| source.read(text));
        Ok(source)
    }

    fn files(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.path).chain(&self.parts)
    }

    fn read(&mut self, text: &str) {
        for line in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
            // A macro that makes one is told its name in the same words.
            if let Some(rest) = line.trim_start().strip_prefix("pub struct ") {
                self.types.extend(rest.split(|c: char| !c.is_alphanumeric()).next().filter(|name| !name.is_empty()).map(str::to_string));
            }
            if let Some(rest) = line.strip_prefix("macro_rules! ") {
                self.macros.extend(rest.split_whitespace().next().map(str::to_string));
            }
            let called = line.split('!').filter_map(|text| text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next());
            self.calls.extend(called.filter(|word| !word.is_empty()).map(str::to_string));
            // A bundle comes with the same seen from the other side.
            if let Some(rest) = line.strip_prefix("#[join = \"") {
                self.types.extend(rest.split('"').next().map(str::to_string));
            }
            let line = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            self.words.extend(line.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())).map(str::to_string));
        }
    }
}

fn sized(sources: &Path) -> io::Result<Vec<Source>> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let list = std::fs::read_to_string(sources.join(format!("{folder}.rs")))?;
        let home = sources.join(folder);
        for path in files(&home)?.into_iter().filter(|path| path.parent() == Some(&home)) {
            let Some(module) = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".rs")) else { continue };
            if !list.contains(&format!("mod {module};")) {
                found.push(Source::new(folder, module, path.clone())?);
            }
        }
    }
    Ok(found)
}

fn reach<'a>(file: &'a Source, all: &'a [Source], wanted: &mut Vec<&'a Source>) {
    if wanted.iter().any(|known| known.path == file.path) {
        return;
    }
    wanted.push(file);
    for other in all.iter().filter(|other| !other.types.is_disjoint(&file.words) || !other.macros.is_disjoint(&file.calls)) {
        reach(other, all, wanted);
    }
}

/// What follows from facts: `sizes.rs`, and what stands in a file of its own in `sizes`.
fn follows(sources: &Path) -> io::Result<String> {
    let mut files = std::fs::read_dir(sources.join("sizes"))?.map(|file| Ok(file?.path())).collect::<io::Result<Vec<_>>>()?;
    files.sort();
    files.insert(0, sources.join("sizes.rs"));
    files.iter().map(std::fs::read_to_string).collect()
}

/// What a crate with these blocks is compiled for.
fn facts(schema: &Schema, roots: &[Root]) -> BTreeMap<String, u64> {
    let mut facts: BTreeMap<String, u64> = schema.facts.iter().map(|fact| (fact.name.clone(), fact.default)).collect();
    facts.extend(roots.iter().flat_map(Root::facts));
    follow(&mut facts);
    facts
}

fn head(follows: &str, facts: &BTreeMap<String, u64>, constants: &[Constant], wanted: &[&Source]) -> String {
    let mut text = String::from("pub use rdma_rtl_hdl::{Bundle, Described, given, kernel};\n");
    let _ = writeln!(text, "pub use rdma_rtl_hdl::{{{}}};\n", SHARED.join(", "));
    text.push_str("pub mod sizes {\n    //! The facts, and what follows from them.\n    #![allow(dead_code, missing_docs)]\n    use rust_hdl::prelude::clog2;\n\n");
    for (name, value) in facts {
        let name = name.to_uppercase();
        let value = constants.iter().find(|(known, _)| *known == name).map_or(*value, |(_, value)| *value);
        let _ = writeln!(text, "    pub const {name}: usize = {value};");
    }
    text.push_str(&sizes(follows, constants, wanted));
    text.push_str("}\n\n");
    text
}

/// Facts that are others than the profile's, and which constants follow from which facts.
struct Changed {
    facts: BTreeMap<String, u64>,
    /// Words of what each constant is made of
    follows: BTreeMap<String, BTreeSet<String>>,
}

/// What a transport is called in the name of a module.
const TRANSPORTS: [&str; 3] = ["registry", "bitmap", "combined"];

impl Changed {
    fn new(schema: &Schema, profile: &BTreeMap<String, u64>, facts: &BTreeMap<String, u64>, sizes: &str) -> Self {
        let mut own: BTreeMap<String, u64> = schema.facts.iter().map(|fact| (fact.name.clone(), fact.default)).collect();
        own.extend(profile.iter().map(|(name, value)| (name.clone(), *value)));
        follow(&mut own);
        let changed = facts.iter().filter(|(name, value)| !profile.is_empty() && own.get(*name) != Some(value));
        let changed = changed.map(|(name, value)| (name.to_uppercase(), *value)).collect();
        let lines = sizes.lines().filter_map(|line| line.strip_prefix("pub const ")?.strip_suffix(';')?.split_once(": usize = "));
        let words = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_string).collect();
        Self { facts: changed, follows: lines.map(|(name, value)| (name.to_string(), words(value))).collect() }
    }

    /// Those that one of these words follows from.
    fn of<'a>(&self, words: impl IntoIterator<Item = &'a String>) -> BTreeMap<&str, u64> {
        let (mut open, mut seen): (Vec<&String>, BTreeSet<&String>) = (words.into_iter().collect(), BTreeSet::new());
        let mut found = BTreeMap::new();
        while let Some(word) = open.pop() {
            if seen.insert(word) {
                found.extend(self.facts.get_key_value(word).map(|(name, value)| (name.as_str(), *value)));
                open.extend(self.follows.get(word).into_iter().flatten());
            }
        }
        found
    }
}

/// A word for each fact that is another one than the profile's. Where the transport is, that says which headers are ours as well.
fn fact_words(facts: &BTreeMap<&str, u64>) -> Vec<String> {
    let word = |(name, value): (&&str, &u64)| match (*name, value) {
        ("TRANSPORT", value) => usize::try_from(*value).ok().and_then(|at| TRANSPORTS.get(at)).map(|transport| format!("_{transport}")),
        ("OP_ETH", _) if facts.contains_key("TRANSPORT") => None,
        (header, 0) if header.ends_with("ETH") => Some(format!("_no_{}", header.to_lowercase())),
        (header, 1) if header.ends_with("ETH") => Some(format!("_{}", header.to_lowercase())),
        (name, value) => Some(format!("_{}{value}", name.to_lowercase())),
    };
    facts.iter().filter_map(word).collect()
}

/// What the modules of these blocks are called: see `rdma_rtl_hdl::describe::Names`.
fn names(text: &mut String, changed: &Changed, all: &[Source], wanted: &[&Source]) {
    let (mut types, mut constants) = (String::new(), BTreeSet::new());
    for file in wanted {
        let mut inside = Vec::new();
        reach(file, all, &mut inside);
        // A macro has words for all that it is used for: what is in a block, the files of its parts say.
        let facts = changed.of(inside.iter().filter(|file| file.macros.is_empty()).flat_map(|file| &file.words));
        for name in &file.types {
            let suffix: String = fact_words(&facts).into_iter().filter(|word| !name.to_lowercase().starts_with(&word[1..])).collect();
            let _ = write!(types, "({name:?}, {suffix:?}), ");
        }
        constants.extend(file.words.iter().filter(|word| changed.follows.contains_key(*word) && changed.of([*word]).is_empty()));
    }
    let constants: String = constants.into_iter().map(|name| format!("({name:?}, sizes::{name}), ")).collect();
    let _ = writeln!(
        text,
        "static NAMES: rdma_rtl_hdl::describe::Names = rdma_rtl_hdl::describe::Names {{ sized: &[{types}], sizes: &[{constants}] }};\n"
    );
}

/// What follows from the facts, as far as the files use it, with these constants instead.
fn sizes(text: &str, constants: &[Constant], wanted: &[&Source]) -> String {
    let lines = text.lines().filter_map(|line| line.strip_prefix("pub const ")?.strip_suffix(';')?.split_once(": usize = "));
    let all: Vec<(&str, String)> = lines
        .map(|(name, value)| {
            (name, constants.iter().find(|(known, _)| *known == name).map_or(value.to_string(), |(_, value)| value.to_string()))
        })
        .collect();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> =
        all.iter().map(|(name, _)| *name).filter(|name| wanted.iter().any(|file| file.words.contains(*name))).collect();
    while let Some(name) = open.pop() {
        if used.insert(name) {
            let value = all.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value);
            let words = value.split(|c: char| !c.is_alphanumeric() && c != '_');
            open.extend(words.filter_map(|word| all.iter().map(|(name, _)| *name).find(|name| *name == word)));
        }
    }
    all.iter().filter(|(name, _)| used.contains(name)).map(|(name, value)| format!("    pub const {name}: usize = {value};\n")).collect()
}

fn modules(text: &mut String, wanted: &[&Source]) {
    for folder in FOLDERS {
        let _ = writeln!(text, "pub mod {folder} {{\n    #[allow(unused_imports)]\n    pub use rdma_rtl_hdl::{folder}::*;");
        for file in wanted.iter().filter(|file| file.folder == folder) {
            let _ = writeln!(text, "    #[path = {:?}]\n    pub mod {};", file.path, file.module);
            for name in &file.types {
                let _ = writeln!(text, "    pub use {}::{name};", file.module);
            }
            for name in &file.macros {
                let _ = writeln!(text, "    pub(crate) use {}::{name};", file.module);
            }
        }
        text.push_str("}\n\n");
    }
}

fn exports(text: &mut String, roots: &[Root]) {
    let (mut describes, mut makes, mut maps) = (String::new(), String::new(), String::new());
    for Root { block, .. } in roots {
        let generics: Vec<String> = block.generics.iter().map(|generic| format!("{{ {generic} }}")).collect();
        let generics = if generics.is_empty() { String::new() } else { format!("::<{}>", generics.join(", ")) };
        let (name, make) = (&block.name, format!("{}{generics}::{}", block.path, block.make));
        let _ = writeln!(describes, "        {name:?} => rdma_rtl_hdl::describe::named(rdma_rtl_hdl::describe::of({make}), &NAMES),");
        if let Some(map) = &block.register_map {
            let _ = writeln!(maps, "        {name:?} => {{\n            let make = || {make};\n            Some({map})\n        }}");
        }
        let _ = writeln!(makes, "        {name:?} => rdma_rtl_sim::Native::boxed({make}, wave),");
    }
    let _ = write!(
        text,
        "#[allow(unused_imports)]\nuse rust_hdl::prelude::clog2;\n#[allow(unused_imports)]\nuse sizes::*;\n\n\
         /// What the block says of itself.\n#[cfg(rdma_rtl_describe)]\n#[unsafe(no_mangle)]\npub fn rdma_rtl_describe(block: &str) -> rdma_rtl_hdl::describe::Node {{\n    match block {{\n\
         {describes}        _ => unreachable!(\"no such block in this library\"),\n    }}\n}}\n\n\
         /// The registers that software sees, if it has any.\n#[cfg(rdma_rtl_describe)]\n#[unsafe(no_mangle)]\n\
         pub fn rdma_rtl_registers(block: &str) -> Option<rdma_rtl_hdl::csr::RegisterMap> {{\n    match block {{\n\
         {maps}        _ => None,\n    }}\n}}\n\n\
         /// The block under the native driver, with every signal in a VCD file if one is named.\n#[cfg(not(rdma_rtl_describe))]\n#[unsafe(no_mangle)]\n\
         pub fn rdma_rtl_native(block: &str, wave: Option<&std::path::Path>) -> Result<Box<dyn rdma_rtl_sim::Model>, rdma_rtl_sim::Error> {{\n    match block {{\n\
         {makes}        _ => unreachable!(\"no such block in this library\"),\n    }}\n}}\n"
    );
}
