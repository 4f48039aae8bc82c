//! Many broken versions of a design as one model.
//!
//! To see that a bench is alive, a design is broken in one place and the bench must find it. To build a model for each place is what such a
//! test would spend its time with; so all of them become one text, in which an input of the top, [`SELECT`], says which is in force: an
//! assignment `x = good` becomes `x = fault_select == 3 ? broken : good`, a process two processes in one. What cannot be said so (a
//! declaration, a port, an output of an instance) is built alone.

use crate::catalogue;
use rdma_rtl_gen::ir::{self, Binary, Connected, Expr};
use rdma_rtl_sim::verilated::{Design, Library, Optimize, Options, Source, Verilated};
use rdma_rtl_sim::{Direction, Model, Port};
use std::collections::{BTreeMap, HashMap};

/// Input of the top that says which fault is in force, 0: none.
const SELECT: &str = "fault_select";
/// Its bits.
const WIDTH: usize = 8;

/// One model for all versions of a design, and one for each version that could not be part of it.
pub struct Faults {
    all: Library,
    alone: BTreeMap<usize, Library>,
}

impl Faults {
    /// Builds them.
    /// # Panics
    /// Verilator or the compiler fails, or a version is the good design.
    pub fn new(good: &Design, faulty: &[Design], optimize: Optimize) -> Faults {
        let build = |design: &Design| Library::build(design, &Options { optimize, ..Default::default() }).unwrap_or_else(|e| panic!("{e}"));
        let (design, alone) = combine(good, faulty);
        println!("{} versions in one model, {} alone", faulty.len() - alone.len(), alone.len());
        Faults { all: build(&design), alone: alone.into_iter().map(|fault| (fault, build(&faulty[fault]))).collect() }
    }

    /// The good design.
    pub fn good(&self) -> Version {
        self.selected(0)
    }

    /// The version of that position.
    pub fn faulty(&self, fault: usize) -> Version {
        match self.alone.get(&fault) {
            Some(library) => Version::new(library, library.ports().len()),
            None => self.selected(fault + 1),
        }
    }

    fn selected(&self, value: usize) -> Version {
        let select = self.all.ports().len() - 1;
        let mut version = Version::new(&self.all, select);
        version.model.poke_u64(select, value as u64);
        version
    }
}

/// A model of one version. A bench sees the ports of the design and no other, for it may set all of them.
pub struct Version {
    model: Verilated,
    ports: Vec<Port>,
}

impl Version {
    fn new(library: &Library, ports: usize) -> Version {
        let model = library.instance().unwrap_or_else(|e| panic!("{e}"));
        Version { model, ports: library.ports()[..ports].to_vec() }
    }
}

impl Model for Version {
    fn ports(&self) -> &[Port] {
        &self.ports
    }
    fn poke(&mut self, port: usize, words: &[u32]) {
        self.model.poke(port, words);
    }
    fn peek(&self, port: usize, words: &mut [u32]) {
        self.model.peek(port, words);
    }
    fn eval(&mut self) {
        self.model.eval();
    }
    fn clock(&mut self) {
        self.model.clock();
    }
    fn cycle(&self) -> u64 {
        self.model.cycle()
    }
    fn failure(&self) -> Option<&str> {
        self.model.failure()
    }
}

/// The beginning of a file's name, what stands in it, what stands there instead.
pub type Edit = (&'static str, &'static str, &'static str);

/// The edits of a text that a bench does not notice: those with which `hold` finds nothing wrong. Without one it must find nothing wrong.
/// # Panics
/// An edit of what is not there; the good design does not hold.
pub fn missed(good: &Design, edits: &[Edit], mut hold: impl FnMut(&mut Version) -> Result<(), String>) -> Vec<String> {
    let absent: Vec<_> = edits.iter().filter(|edit| source_with(good, edit).is_none()).map(|edit| (edit.0, edit.1)).collect();
    assert!(absent.is_empty(), "texts that the design does not have (file, text): {absent:#?}");
    let versions = edits.iter().map(|edit| (format!("{}: `{}` for `{}`", edit.0, edit.2, edit.1), edited(good, edit))).collect();
    not_noticed(good, versions, |make| hold(&mut make()))
}

/// A value that is assigned to a signal, and what replaces it.
pub struct Fault {
    about: &'static str,
    /// prefix of the module's name: parameters follow
    module: &'static str,
    signal: &'static str,
    change: fn(&Expr) -> Expr,
}

/// What it is about; the block; its signal; the value instead of the one that it is assigned.
pub const fn fault(about: &'static str, module: &'static str, signal: &'static str, change: fn(&Expr) -> Expr) -> Fault {
    Fault { about, module, signal, change }
}

/// As [`missed`], for values in an elaborated design; `hold` makes as many models as it needs.
/// # Panics
/// A signal that has no value; the good design does not hold.
pub fn missed_values(good: &ir::Design, faults: &[Fault], hold: impl FnMut(&dyn Fn() -> Version) -> Result<(), String>) -> Vec<String> {
    let text = |design: &ir::Design| catalogue::sources(design);
    let versions = faults.iter().map(|fault| (fault.about.to_string(), text(&fault.in_a(good)))).collect();
    not_noticed(&text(good), versions, hold)
}

fn not_noticed(
    good: &Design,
    versions: Vec<(String, Design)>,
    mut hold: impl FnMut(&dyn Fn() -> Version) -> Result<(), String>,
) -> Vec<String> {
    let (names, designs): (Vec<String>, Vec<Design>) = versions.into_iter().unzip();
    let faults = Faults::new(good, &designs, Optimize::Quick);
    hold(&|| faults.good()).unwrap_or_else(|difference| panic!("without a fault: {difference}"));
    let mut missed = Vec::new();
    for (number, name) in names.into_iter().enumerate() {
        match hold(&|| faults.faulty(number)) {
            Err(difference) => println!("{name}: {:.200}", difference.lines().next().unwrap_or_default()),
            Ok(()) => missed.push(name),
        }
    }
    missed
}

impl Fault {
    /// A design with the fault: in its module, or where an input of the module is driven.
    fn in_a(&self, good: &ir::Design) -> ir::Design {
        let mut design = good.clone();
        let mut changed = 0;
        let mut change = |value: &mut Expr| {
            *value = (self.change)(value);
            changed += 1;
        };
        for module in design.modules.iter_mut().filter(|m| m.name.starts_with(self.module)) {
            module.values_mut(self.signal).into_iter().for_each(&mut change);
        }
        if changed == 0 {
            let instances = design.modules.iter_mut().flat_map(|m| &mut m.instances).filter(|i| i.module.starts_with(self.module));
            for connection in instances.flat_map(|i| &mut i.connections).filter(|c| c.port == self.signal) {
                if let Connected::Input(value) = &mut connection.value {
                    *value = (self.change)(value);
                    changed += 1;
                }
            }
        }
        assert!(changed > 0, "{}: {} has no value for `{}`", self.about, self.module, self.signal);
        design
    }
}

/// Always 0.
pub fn zero(value: &Expr) -> Expr {
    Expr::literal(value.width, 0u32)
}

/// Always 1.
pub fn one(value: &Expr) -> Expr {
    Expr::literal(value.width, 1u32)
}

/// Every bit set.
pub fn ones(value: &Expr) -> Expr {
    zero(value).complement()
}

/// Every bit the other way.
pub fn not(value: &Expr) -> Expr {
    value.clone().complement()
}

/// One more.
pub fn more(value: &Expr) -> Expr {
    Expr::binary(Binary::Add, value.clone(), one(value))
}

/// One less.
pub fn less(value: &Expr) -> Expr {
    Expr::binary(Binary::Sub, value.clone(), one(value))
}

/// Index of the source that an edit changes.
fn source_with(good: &Design, (file, from, _): &Edit) -> Option<usize> {
    good.sources.iter().position(|s| s.name.starts_with(file) && s.text.contains(from))
}

fn edited(good: &Design, edit: &Edit) -> Design {
    let (_, from, to) = edit;
    let mut faulty = good.clone();
    let source = &mut faulty.sources[source_with(good, edit).expect("its text is there")];
    source.text = source.text.replace(from, to);
    faulty
}

/// All versions as one text, and the positions of those that are not in it.
fn combine(good: &Design, faulty: &[Design]) -> (Design, Vec<usize>) {
    assert!(faulty.len() < 1 << WIDTH, "{} faults, at most {} have a number", faulty.len(), (1 << WIDTH) - 1);
    let mut modules: Vec<Module> = good.sources.iter().map(|source| Module::read(&source.text)).collect();
    let inputs: HashMap<String, Vec<String>> = modules.iter().map(|m| (m.name.clone(), m.inputs())).collect();
    let mut alone = Vec::new();
    for (number, version) in faulty.iter().enumerate() {
        assert!(version.sources != good.sources, "fault {number} changes nothing");
        let same_files =
            version.sources.len() == good.sources.len() && version.sources.iter().zip(&good.sources).all(|(a, b)| a.name == b.name);
        let mut changed = modules.clone();
        let merged = same_files
            && (0..changed.len()).all(|i| {
                version.sources[i].text == good.sources[i].text
                    || changed[i].add(number + 1, &Module::read(&version.sources[i].text), &inputs).is_some()
            });
        if merged {
            modules = changed;
        } else {
            alone.push(number);
        }
    }
    let mut design = good.clone();
    for (source, module) in design.sources.iter_mut().zip(&modules) {
        *source = Source::new(source.name.clone(), module.text(&good.top));
    }
    design.ports.push(Port { name: SELECT.into(), width: WIDTH, direction: Direction::Input });
    (design, alone)
}

/// What stands in a module: text, and what stands there instead under which fault.
#[derive(Clone)]
struct Item {
    key: String,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    /// `wire x = value;`, `assign x = value;`: all before the value, values.
    Value(String, Choice),
    /// `always ...`: its first line, its statements.
    Process(String, Choice),
    /// An instance: its first line, and each port with what is connected.
    Instance(String, Vec<(String, Choice)>),
    Other(String),
}

impl Kind {
    /// What it declares or assigns.
    fn name(&self) -> Option<&str> {
        match self {
            Kind::Value(head, _) => head.split_whitespace().last(),
            Kind::Other(text) => text.split([';', '=']).next()?.split_whitespace().last(),
            Kind::Process(..) | Kind::Instance(..) => None,
        }
    }
}

/// What stands there without a fault, and under each fault that changes it.
#[derive(Clone)]
struct Choice {
    good: String,
    under: Vec<(usize, String)>,
}

impl Choice {
    fn new(good: &str) -> Choice {
        Choice { good: good.trim().to_string(), under: Vec::new() }
    }

    fn add(&mut self, fault: usize, other: &Choice) {
        if other.good != self.good {
            self.under.push((fault, other.good.clone()));
        }
    }

    fn expression(&self, select: &str) -> String {
        let mut text: String = self.under.iter().map(|(fault, value)| format!("({select} == {WIDTH}'d{fault}) ? ({value}) : ")).collect();
        text += &if self.under.is_empty() { self.good.clone() } else { format!("({})", self.good) };
        text
    }

    fn statements(&self, select: &str) -> String {
        let mut text: String =
            self.under.iter().map(|(fault, body)| format!("if ({select} == {WIDTH}'d{fault}) begin\n{body}\nend else ")).collect();
        text += &format!("begin\n{}\nend\n", self.good);
        text
    }
}

#[derive(Clone)]
struct Module {
    name: String,
    /// Up to the end of the ports.
    head: String,
    items: Vec<Item>,
}

impl Module {
    /// Reads what the emitter has written: an item begins with four blanks, and its further lines with more, or with what ends it.
    fn read(text: &str) -> Module {
        let (head, body) = text.split_once("\n);\n").unwrap_or_else(|| panic!("a module without ports:\n{text}"));
        let name = head.lines().find_map(|l| l.strip_prefix("module ")).unwrap_or_default();
        let name = name.split_whitespace().next().unwrap_or_default().to_string();
        let mut pieces: Vec<String> = Vec::new();
        for line in body.lines().take_while(|l| !l.starts_with("endmodule")) {
            let inner = line.strip_prefix("    ").unwrap_or_default();
            if inner.is_empty() || inner.starts_with("//") {
                continue;
            }
            let begins = !inner.starts_with([' ', ')']) && !inner.starts_with("end");
            if begins || pieces.is_empty() {
                pieces.push(line.to_string());
            } else if let Some(piece) = pieces.last_mut() {
                *piece += "\n";
                *piece += line;
            }
        }
        let mut processes = 0;
        let items = pieces.iter().map(|piece| Item::read(piece, &mut processes)).collect();
        Module { name, head: head.to_string(), items }
    }

    /// Names of its inputs.
    fn inputs(&self) -> Vec<String> {
        let lines = self.head.lines().filter(|l| l.trim_start().starts_with("input "));
        lines.filter_map(|l| l.split("//").next()?.trim().trim_end_matches(',').split_whitespace().last().map(String::from)).collect()
    }

    /// Takes in another version; `None` if it differs in a way that has no place here.
    fn add(&mut self, fault: usize, other: &Module, inputs: &HashMap<String, Vec<String>>) -> Option<()> {
        let without_comments = |m: &Module| m.head.lines().filter(|l| !l.starts_with("//")).map(String::from).collect::<Vec<_>>();
        if without_comments(self) != without_comments(other) {
            return None;
        }
        let mut new = Vec::new();
        for item in other.items.iter().rev() {
            match self.items.iter().position(|i| i.key == item.key) {
                Some(at) => self.items[at].add(fault, item, inputs)?,
                None => new.push(item),
            }
        }
        // What only the other one has is an intermediate value, and stands before all that may need it.
        for item in new {
            let Kind::Value(head, _) = &item.kind else { return None };
            let declared = |i: &Item| i.kind.name() == item.kind.name();
            if !head.trim_start().starts_with("wire ") || self.items.iter().any(declared) {
                return None;
            }
            let follows =
                other.items.iter().skip_while(|i| i.key != item.key).find_map(|i| self.items.iter().position(|own| own.key == i.key));
            self.items.insert(follows.unwrap_or(self.items.len()), item.clone());
        }
        // What it lacks must be what nobody misses: a declaration, or a value that is not read there.
        let missing = |own: &&Item| !other.items.iter().any(|i| i.key == own.key);
        let harmless = |own: &Item| match &own.kind {
            Kind::Value(head, _) => head.trim_start().starts_with("wire "),
            Kind::Other(text) => text.trim_start().starts_with("wire "),
            _ => false,
        };
        self.items.iter().filter(missing).all(harmless).then_some(())
    }

    fn text(&self, top: &str) -> String {
        let (select, port) = if self.name == top {
            (SELECT.to_string(), format!("\n    input wire [{}:0] {SELECT},", WIDTH - 1))
        } else {
            (format!("{top}.{SELECT}"), String::new())
        };
        let opening = format!("module {} (", self.name);
        let head = self.head.replacen(&opening, &format!("{opening}{port}"), 1);
        let items: String = self.items.iter().map(|i| i.text(&select)).collect();
        format!("{head}\n);\n{items}endmodule\n\n`default_nettype wire\n")
    }
}

impl Item {
    fn read(piece: &str, processes: &mut usize) -> Item {
        let first = piece.lines().next().unwrap_or_default();
        let text = first.trim_start();
        if text.starts_with("always ") && first.ends_with(" begin") {
            *processes += 1;
            let body = piece.strip_prefix(first).unwrap_or_default().trim_end().trim_end_matches("end");
            return Item { key: format!("process {processes}"), kind: Kind::Process(first.into(), Choice::new(body)) };
        }
        if first.ends_with(" (") && !text.starts_with("initial") {
            let ports = piece.lines().skip(1).filter_map(|line| {
                let (port, rest) = line.trim().strip_prefix('.')?.split_once('(')?;
                Some((port.trim().to_string(), Choice::new(rest.rsplit_once(')')?.0)))
            });
            return Item { key: text.into(), kind: Kind::Instance(first.into(), ports.collect()) };
        }
        let value = piece.split_once(" = ").filter(|_| text.starts_with("wire ") || text.starts_with("assign "));
        match value.and_then(|(head, rest)| Some((head, rest.split_once(';')?.0))) {
            Some((head, value)) => Item { key: head.trim().into(), kind: Kind::Value(head.into(), Choice::new(value)) },
            None => Item { key: piece.into(), kind: Kind::Other(piece.into()) },
        }
    }

    fn add(&mut self, fault: usize, other: &Item, inputs: &HashMap<String, Vec<String>>) -> Option<()> {
        match (&mut self.kind, &other.kind) {
            // A sink of what is not read.
            (Kind::Value(head, _), Kind::Value(..)) if head.contains(" unused_") => {}
            (Kind::Value(_, own), Kind::Value(_, other)) => own.add(fault, other),
            (Kind::Process(head, own), Kind::Process(theirs, other)) if head == theirs => own.add(fault, other),
            (Kind::Instance(head, own), Kind::Instance(_, other)) => {
                let module = head.split_whitespace().next().unwrap_or_default();
                for ((port, own), (theirs, other)) in own.iter_mut().zip(other) {
                    let is_input = inputs.get(module).is_some_and(|names| names.contains(port));
                    if port != theirs || (own.good != other.good && !is_input) {
                        return None;
                    }
                    own.add(fault, other);
                }
            }
            (Kind::Other(own), Kind::Other(other)) if own == other => {}
            _ => return None,
        }
        Some(())
    }

    fn text(&self, select: &str) -> String {
        match &self.kind {
            Kind::Value(head, choice) => format!("{head} = {};\n", choice.expression(select)),
            Kind::Process(head, choice) => format!("{head}\n{}    end\n", choice.statements(select)),
            Kind::Instance(head, ports) => {
                let ports: Vec<String> =
                    ports.iter().map(|(port, choice)| format!("        .{port} ({})", choice.expression(select))).collect();
                format!("{head}\n{}\n    );\n", ports.join(",\n"))
            }
            Kind::Other(text) => format!("{text}\n"),
        }
    }
}
