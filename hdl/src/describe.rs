//! What the emitter is given: a tree of blocks with names, parameters, doc comments, signals and statements.
//!
//! rust-hdl publishes the statements of a block (`Logic::hdl`) and its signals (`Atom`), but no type names, parameters or doc
//! comments. [`Described`] joins both. It is derived for blocks and implemented by hand for the primitives that the emitter
//! writes from a template: the register and the memories.

use rust_hdl::prelude::*;
use std::collections::HashMap;

/// A part of a design that can describe itself to the emitter.
pub trait Described {
    /// The whole subtree. Call after `connect_all()`.
    fn describe(&self) -> Node;

    /// What it is in its owner: one field, or each signal of a bundle. `port` is what hardware calls it.
    fn fields(&self, name: &str, port: &str, doc: &'static str) -> Vec<Field> {
        vec![Field { name: name.to_string(), port: port.to_string(), doc: doc.to_string(), node: self.describe() }]
    }
}

/// The signals of a bundle, as fields of its owner. What the bundle is for stands before what its first signal is.
pub fn bundled(name: &str, port: &str, doc: &str, signals: Vec<(&str, &str, &str, Node)>) -> Vec<Field> {
    let about = |i: usize, own: &str| if i == 0 && !doc.is_empty() { format!("{doc}: {own}") } else { own.to_string() };
    let field = |(i, (signal, word, own, node)): (usize, (&str, &str, &str, Node))| Field {
        name: format!("{name}${signal}"),
        port: format!("{port}_{word}"),
        doc: about(i, own),
        node,
    };
    signals.into_iter().enumerate().map(field).collect()
}

/// What a block that is not connected yet says of itself.
pub fn of<B: Block + Described>(mut block: B) -> Node {
    block.connect_all();
    block.describe()
}

/// How blocks of one set of facts are called.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// Types whose sizes are constants, and what stands behind the name: the facts that make them another block than the profile's own.
    pub sized: &'static [(&'static str, &'static str)],
    /// Constants that the profile has as well. A parameter that is called as one of them, and is equal to it, is not said.
    pub sizes: &'static [(&'static str, usize)],
}

/// Blocks that are one module for all their sizes: their Verilog has the parameters.
const PARAMETRIC: [&str; 10] =
    ["BlockRam", "ClearedRam", "FifoBlock", "FifoLut", "LutRam", "QueueRam", "Register", "SkidBuffer", "SlotPool", "Subtract"];

fn parametric(block: &BlockDescription) -> bool {
    // As a thermometer it has a constant per bit of the count.
    let shift = block.type_name == "ThermometerMask" && block.params.contains(&("FORM", 0));
    let value = |name| block.params.iter().find(|(param, _)| *param == name).map_or(0, |(_, value)| *value);
    let whole = block.type_name != "SlotPool" || value("SLOTS") == 1 << value("ADDRESS_BITS");
    shift || (whole && PARAMETRIC.contains(&block.type_name))
}

/// The same with what stands behind the name of each block's module.
///
/// A name is a content among the blocks of one profile: whoever needs a block at the profile's own sizes calls it by its type alone. A
/// block that has sizes of its own is called after the block that needs it so, `find_first_slot_pool`, if its type is not already:
/// `endpoint_registers`.
pub fn named(mut node: Node, names: &Names) -> Node {
    if let Node::Block(block) = &mut node {
        name(block, names, None);
    }
    node
}

/// A block of a known size, which others are called after.
struct Owner<'a> {
    word: String,
    facts: &'a str,
    /// Those that are called after it, by type.
    called: HashMap<&'static str, Vec<Called>>,
}

/// Parameters of a block, and its word.
type Called = (Vec<(&'static str, u64)>, String);

fn name(block: &mut BlockDescription, names: &Names, field: Option<(&str, &mut Owner)>) {
    let facts = names.sized.iter().find(|(name, _)| *name == block.type_name).map_or("", |(_, facts)| facts);
    let known = |(param, value): &(&str, u64)| names.sizes.iter().any(|(size, known)| size == param && *known as u64 == *value);
    match field {
        Some(_) if parametric(block) => {}
        Some((field, owner)) if !block.params.iter().all(known) && !snake_case(block.type_name).starts_with(&owner.word) => {
            block.suffix = Some(format!("{}{}", owner.word_of(block, field), owner.facts));
            children(block, names, owner);
        }
        _ => {
            block.suffix = Some(facts.to_string());
            children(block, names, &mut Owner { word: snake_case(block.type_name), facts, called: HashMap::new() });
        }
    }
}

fn children(block: &mut BlockDescription, names: &Names, owner: &mut Owner) {
    fn visit(field: &str, node: &mut Node, names: &Names, owner: &mut Owner) {
        match node {
            Node::Signal(_) => {}
            Node::Array(elements) => elements.iter_mut().for_each(|element| visit(field, element, names, owner)),
            Node::Block(block) => name(block, names, Some((field, owner))),
        }
    }
    block.fields.iter_mut().for_each(|f| visit(&f.name, &mut f.node, names, owner));
}

impl Owner<'_> {
    /// Its own name, that of the field as well where it has the block at several sizes, and a number where that is not enough.
    fn word_of(&mut self, block: &BlockDescription, field: &str) -> String {
        let called = self.called.entry(block.type_name).or_default();
        if let Some((_, word)) = called.iter().find(|(params, _)| *params == block.params) {
            return word.clone();
        }
        let (own, field) = (format!("_{}", self.word), field.replace('$', "_"));
        let words = [own.clone(), format!("{own}_{field}")].into_iter().chain((2..).map(|number| format!("{own}_{field}_{number}")));
        let word = words.into_iter().find(|word| called.iter().all(|(_, known)| known != word)).unwrap_or_default();
        called.push((block.params.clone(), word.clone()));
        word
    }
}

/// `FindFirst`: `find_first`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// One field of a block.
#[derive(Clone, Debug)]
pub struct Field {
    /// As a kernel writes it: `limit`, or `s_axi$awvalid` for a signal of a bundle.
    pub name: String,
    /// As hardware has it: `limit`, `s_axi_awvalid`.
    pub port: String,
    /// Doc comment, lines joined by newlines; empty if there is none.
    pub doc: String,
    pub node: Node,
}

impl Field {
    /// A field of a block that describes itself by hand.
    pub fn plain(name: &str, of: &impl Described) -> Field {
        Field { name: name.into(), port: name.into(), doc: String::new(), node: of.describe() }
    }
}

#[derive(Clone, Debug)]
pub enum Node {
    Signal(SignalDescription),
    Block(Box<BlockDescription>),
    /// `Vec` or array; in the kernel its elements are `name[index]`.
    Array(Vec<Node>),
}

/// A signal or a constant.
#[derive(Clone, Debug)]
pub struct SignalDescription {
    /// Direction, or `AtomKind::Constant`.
    pub kind: AtomKind,
    /// Width in bits.
    pub bits: usize,
    /// Kernel type: bits, signed, enum with its variants, or struct.
    pub descriptor: TypeDescriptor,
    /// True for `Signal<_, Clock>`.
    pub clock: bool,
    /// Value of a constant; power-up value of a signal.
    pub value: VerilogLiteral,
}

#[derive(Clone, Debug)]
pub struct BlockDescription {
    /// Rust type name without its parameters: `MaskUnit`.
    pub type_name: &'static str,
    /// Const generics in declaration order.
    pub params: Vec<(&'static str, u64)>,
    /// What the parameters do not tell: a word for each field with `#[variant]` that says one. They are a part of the module's name.
    pub variants: Vec<String>,
    /// What its module's name has behind the type's; none if that is its parameters. See [`named`].
    pub suffix: Option<String>,
    pub doc: &'static str,
    /// Source file as rustc names it, and line of the type.
    pub file: &'static str,
    pub line: u32,
    pub role: Role,
    pub fields: Vec<Field>,
    /// Statements of the kernel; `Verilog::Empty` for a template primitive.
    pub hdl: Verilog,
}

/// A field with `#[variant]`: a choice that a block is made with and that is no parameter.
///
/// Blocks of one type with the same parameters and the same words have the same content.
pub trait Variant {
    /// The word for this choice, or none for the usual one. `field` is the field's name without its leading underscore.
    fn word(&self, field: &str) -> Option<String>;
}

impl Variant for usize {
    fn word(&self, field: &str) -> Option<String> {
        match self {
            0 => None,
            1 => Some(field.to_string()),
            number => Some(format!("{field}{number}")),
        }
    }
}

impl Variant for crate::csr::RegisterMap {
    fn word(&self, _: &str) -> Option<String> {
        self.variant.map(str::to_string)
    }
}

/// How the emitter treats a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A module of its own.
    Block,
    /// Ports `clock`, `d`, `q`: becomes a `reg` of the module that owns it. Power-up value zero.
    Register,
    /// A `Register` that takes values of another clock: its `reg` carries `async_reg`, by which Vivado keeps the flip-flops of a chain
    /// together and lets nothing come between them.
    Crossing,
    /// A memory module from the template. Ports as in `primitives::block_ram`, `primitives::lut_ram` and `primitives::byte_ram`.
    Memory(MemoryStyle),
}

/// Which template, and the `ram_style` attribute that goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryStyle {
    /// Registered read, old data on a collision; `output_register` adds a second read register.
    Block { output_register: bool },
    /// Registered read; nothing depends on what a read returns that meets a write, and the tools are told so.
    Queue,
    /// As `Queue`, with a write enable for each byte.
    Bytes,
    /// Combinational read.
    Distributed,
}

fn of_atom(atom: &dyn Atom) -> Node {
    let descriptor = atom.descriptor();
    Node::Signal(SignalDescription {
        kind: atom.kind(),
        bits: atom.bits(),
        clock: descriptor.name == "clock",
        descriptor,
        value: atom.verilog(),
    })
}

impl<D: Direction, T: Synth> Described for Signal<D, T> {
    fn describe(&self) -> Node {
        of_atom(self)
    }
}

impl<T: Synth> Described for Constant<T> {
    fn describe(&self) -> Node {
        of_atom(self)
    }
}

impl<T: Described> Described for Vec<T> {
    fn describe(&self) -> Node {
        Node::Array(self.iter().map(Described::describe).collect())
    }
}

impl<T: Described, const LENGTH: usize> Described for [T; LENGTH] {
    fn describe(&self) -> Node {
        Node::Array(self.iter().map(Described::describe).collect())
    }
}
