//! What the names of a kernel stand for.

use crate::error::What;
use num_bigint::BigUint;
use rdma_rtl_hdl::describe::{BlockDescription, Node, Role, SignalDescription};
use rust_hdl::prelude::{AtomKind, TypeDescriptor, TypeKind};
use std::collections::HashMap;

/// Type of a value, as far as Verilog cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub width: usize,
    pub signed: bool,
}

impl Type {
    pub fn bits(width: usize) -> Self {
        Self { width, signed: false }
    }
}

/// Part that a signal plays in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Input,
    Output,
    Local,
    /// Input of a child: this block assigns it.
    ChildInput {
        child: usize,
    },
    ChildOutput {
        child: usize,
    },
    RegisterValue,
    RegisterNext {
        register: usize,
    },
    RegisterClock {
        register: usize,
    },
    /// Value of another signal at some point of the kernel.
    Snapshot,
}

/// A signal as the kernel knows it; its position is its [`crate::ir::SignalId`] while the block is lowered.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Field path with dots: `row[3].take`.
    pub rust: String,
    /// The same as hardware has it: a signal of a bundle may have another name there.
    pub label: String,
    /// Path of a child's port in the child; empty otherwise.
    pub port: String,
    pub ty: Type,
    pub part: Part,
    pub clock: bool,
    /// Value of a register that takes values of another clock.
    pub crossing: bool,
    pub doc: String,
}

#[derive(Clone, Debug)]
pub struct ConstantEntry {
    pub rust: String,
    pub ty: Type,
    pub value: BigUint,
    pub doc: String,
}

#[derive(Clone, Copy, Debug)]
pub enum Item {
    Signal(usize),
    Constant(usize),
}

#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub entries: Vec<Entry>,
    pub constants: Vec<ConstantEntry>,
    /// Position of the value of each `Reg` field.
    pub registers: Vec<usize>,
    /// Field path and doc comment.
    pub children: Vec<(String, String)>,
    names: HashMap<String, Item>,
    /// `State$Idle` to the constant that holds its value.
    variants: HashMap<String, usize>,
}

impl Scope {
    pub fn new(block: &BlockDescription) -> Result<Self, What> {
        let mut scope = Self::default();
        for field in &block.fields {
            scope.add(field.name.clone(), &field.port, &field.doc, &field.node)?;
        }
        Ok(scope)
    }

    fn add(&mut self, path: String, label: &str, doc: &str, node: &Node) -> Result<(), What> {
        match node {
            Node::Array(elements) => elements
                .iter()
                .enumerate()
                .try_for_each(|(i, element)| self.add(format!("{path}[{i}]"), &format!("{label}[{i}]"), doc, element)),
            Node::Signal(signal) if signal.kind == AtomKind::Constant => {
                let (ty, value) = (self.type_of(&path, signal)?, literal_value(&signal.value));
                self.names.insert(path.clone(), Item::Constant(self.constants.len()));
                self.constants.push(ConstantEntry { rust: path, ty, value, doc: doc.to_string() });
                Ok(())
            }
            Node::Signal(signal) => {
                let part = match signal.kind {
                    AtomKind::InputParameter => Part::Input,
                    AtomKind::OutputParameter => Part::Output,
                    AtomKind::LocalSignal => Part::Local,
                    _ => {
                        let what = format!("{path}, a bidirectional signal,");
                        return Err(What::Unsupported { what, instead: "Use an input, an output and an enable" });
                    }
                };
                let rust = path.replace('$', ".");
                self.signal(path, rust, label.into(), String::new(), doc, signal, part)
            }
            Node::Block(block) if matches!(block.role, Role::Register | Role::Crossing) => self.register(path, doc, block),
            Node::Block(block) => {
                let child = self.children.len();
                self.children.push((path.clone(), doc.to_string()));
                block.fields.iter().try_for_each(|field| self.port(&path, child, field.name.clone(), &field.port, &field.node))
            }
        }
    }

    fn port(&mut self, path: &str, child: usize, port: String, label: &str, node: &Node) -> Result<(), What> {
        match node {
            Node::Array(elements) => elements
                .iter()
                .enumerate()
                .try_for_each(|(i, element)| self.port(path, child, format!("{port}[{i}]"), &format!("{label}[{i}]"), element)),
            Node::Signal(signal) => {
                let part = match signal.kind {
                    AtomKind::InputParameter => Part::ChildInput { child },
                    AtomKind::OutputParameter => Part::ChildOutput { child },
                    _ => return Ok(()),
                };
                // What a port means to the child says little about the net outside.
                let inner = port.replace('$', ".");
                self.signal(format!("{path}${port}"), format!("{path}.{inner}"), format!("{path}.{label}"), inner, "", signal, part)
            }
            Node::Block(_) => Ok(()),
        }
    }

    fn register(&mut self, path: String, doc: &str, block: &BlockDescription) -> Result<(), What> {
        let register = self.registers.len();
        let start = self.entries.len();
        for (field, part) in
            [("q", Part::RegisterValue), ("d", Part::RegisterNext { register }), ("clock", Part::RegisterClock { register })]
        {
            let Some(Node::Signal(signal)) = block.fields.iter().find(|f| f.name == field).map(|f| &f.node) else {
                return Err(What::Internal { detail: format!("register {path} without {field}") });
            };
            let rust = format!("{path}.{field}");
            self.signal(format!("{path}${field}"), rust.clone(), rust, String::new(), doc, signal, part)?;
        }
        self.entries[start].crossing = block.role == Role::Crossing;
        self.registers.push(start);
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn signal(
        &mut self,
        name: String,
        rust: String,
        label: String,
        port: String,
        doc: &str,
        signal: &SignalDescription,
        part: Part,
    ) -> Result<(), What> {
        let ty = self.type_of(&rust, signal)?;
        self.names.insert(name, Item::Signal(self.entries.len()));
        self.entries.push(Entry { rust, label, port, ty, part, clock: signal.clock, crossing: false, doc: doc.to_string() });
        Ok(())
    }

    fn type_of(&mut self, path: &str, signal: &SignalDescription) -> Result<Type, What> {
        self.add_variants(&signal.descriptor);
        match signal.bits {
            0 => Err(What::NoBits { signal: path.to_string() }),
            width => Ok(Type { width, signed: matches!(signal.descriptor.kind, TypeKind::Signed(_)) }),
        }
    }

    fn add_variants(&mut self, descriptor: &TypeDescriptor) {
        match &descriptor.kind {
            TypeKind::Enum(variants) => {
                let width = (usize::BITS - (variants.len() - 1).leading_zeros()) as usize;
                for (value, variant) in variants.iter().enumerate() {
                    let name = variant.replace("::", "$");
                    if width > 0 && !self.variants.contains_key(&name) {
                        self.variants.insert(name, self.constants.len());
                        let rust = variant.clone();
                        self.constants.push(ConstantEntry { rust, ty: Type::bits(width), value: value.into(), doc: String::new() });
                    }
                }
            }
            TypeKind::Composite(fields) => fields.iter().for_each(|f| self.add_variants(&f.kind)),
            TypeKind::Bits(_) | TypeKind::Signed(_) => {}
        }
    }

    /// `name` as the kernel writes it, indices evaluated.
    pub fn find(&self, name: &str) -> Option<Item> {
        self.names.get(name).copied().or_else(|| self.variants.get(name).map(|c| Item::Constant(*c)))
    }

    /// A variant by its last component, for patterns of imported variants.
    pub fn variant(&self, name: &str, width: usize) -> Option<usize> {
        self.variants.get(name).copied().or_else(|| {
            let mut found =
                self.variants.iter().filter(|(n, c)| n.rsplit('$').next() == Some(name) && self.constants[**c].ty.width == width);
            let first = found.next().map(|(_, c)| *c);
            first.filter(|_| found.next().is_none())
        })
    }

    pub fn is_field(&self, name: &str) -> bool {
        let starts = |n: &String| n.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['$', '[']));
        self.names.keys().any(starts)
    }
}

/// rust-hdl keeps a literal's value private; its hexadecimal text is `32'h1f`.
pub fn literal_value(literal: &rust_hdl::prelude::VerilogLiteral) -> BigUint {
    let text = format!("{literal:x}");
    let digits = text.rsplit('h').next().unwrap_or_default();
    BigUint::parse_bytes(digits.as_bytes(), 16).unwrap_or_default()
}

/// Bits that rust-hdl gives a literal: 1 for `bool`, the integer type's otherwise.
pub fn literal_is_bool(literal: &rust_hdl::prelude::VerilogLiteral) -> bool {
    format!("{literal:x}").starts_with("1'")
}
