//! Blocks that are one module for all their sizes: memories, queues, buffers of a stream.
//!
//! The module is what the block is at sizes that nothing else in it is near to, written with the parameter's name wherever such a size
//! stands. An instance refers to it if the block at the instance's own sizes is that module with those sizes put in, expression by
//! expression; else it keeps a module of its own. So nobody has to believe that a block is regular: where it is not, it is not written so.

use super::sizes::Sizes;
use crate::identifier::snake_case;
use crate::ir::{Connected, Design, Expr, ExprKind, Memory, Module, Origin, Process, Statement, ones};
use crate::lower::{Options, elaborate};
use num_bigint::BigUint;
use rdma_rtl_hdl::describe::{Described, Node};
use rdma_rtl_hdl::memory::SlotPool;
use rdma_rtl_hdl::primitives::{
    BlockRam, ClearedRam, FifoBlock, FifoLut, LutRam, QueueRam, Register, SkidBuffer, Subtract, ThermometerMask,
};
use rust_hdl::prelude::Block;
use std::collections::HashMap;
use std::sync::LazyLock;

const WIDTH: usize = 61;
const ADDRESS: usize = 11;
const HALF: usize = 31;
const WORDS: usize = 1 << ADDRESS;
const COUNT: usize = ADDRESS + 1;
const COUNTED: usize = usize::BITS as usize - WIDTH.leading_zeros() as usize;

/// A parameter in Verilog: the const generic that it is, the size that stands for it, its comment.
pub type Parameter = (&'static str, usize, &'static str);

const WORD: Parameter = ("WIDTH", WIDTH, "bits of a word");
const EVEN: Parameter = ("WIDTH", 2 * HALF, "bits of a number");
const HALVED: Parameter = ("HALF", HALF, "half of them");
const MASK: Parameter = ("MASK_BITS", WIDTH, "bits of the mask");
const COUNTS: Parameter = ("COUNT_BITS", COUNTED, "bits that number 0 to MASK_BITS");
const WORDS_LOG2: Parameter = ("ADDRESS_BITS", ADDRESS, "2^ADDRESS_BITS words");

/// A module with parameters.
#[derive(Debug)]
pub struct Primitive {
    pub name: String,
    pub parameters: &'static [Parameter],
    /// At the sizes that stand for the parameters. Its instances are of other primitives.
    pub module: Module,
    /// Modules of its instances.
    inside: Vec<Module>,
    /// Const generics that have no parameter, and their values.
    fixed: Vec<(String, u64)>,
    pub sizes: Sizes,
}

/// What a module of the design is written as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// Position in [`all`].
    pub primitive: usize,
    /// What goes before the names of the design's modules.
    prefix: String,
    word: &'static str,
    /// In the order of the parameters.
    pub values: Vec<usize>,
}

/// Behind the name of a primitive if a top of the same call has it.
const SIZED: &str = "_sized";

fn primitive<B: Block + Described>(mut block: B, parameters: &'static [Parameter], word: &str) -> Primitive {
    block.connect_all();
    let node = block.describe();
    let mut inside = elaborate(&node, &Options::default()).map(|design| design.modules).unwrap_or_default();
    let (Some(module), Node::Block(block)) = (inside.pop(), &node) else { unreachable!("a primitive is a block that can be emitted") };
    let derived = |name: &str| parameters.iter().any(|p| p.0 == name) || ["COUNT_BITS", "SLOTS"].contains(&name);
    let fixed = block.params.iter().filter(|(name, _)| !derived(name)).map(|(name, value)| (name.to_string(), *value)).collect();
    let sizes: Vec<(&str, usize)> = parameters.iter().map(|p| (p.0, p.1)).collect();
    let name = format!("{}{word}", snake_case(block.type_name));
    Primitive { name, parameters, module, inside, fixed, sizes: Sizes::of(&sizes) }
}

/// Those that stand in others before them.
pub fn all() -> &'static [Primitive] {
    static ALL: LazyLock<Vec<Primitive>> = LazyLock::new(|| {
        vec![
            primitive(LutRam::<WIDTH, ADDRESS>::default(), &[WORD, WORDS_LOG2], ""),
            primitive(BlockRam::<WIDTH, ADDRESS, 0>::default(), &[WORD, WORDS_LOG2], ""),
            primitive(BlockRam::<WIDTH, ADDRESS, 1>::default(), &[WORD, WORDS_LOG2], "_registered"),
            primitive(QueueRam::<WIDTH, ADDRESS>::default(), &[WORD, WORDS_LOG2], ""),
            primitive(FifoLut::<WIDTH, ADDRESS, COUNT>::default(), &[WORD, WORDS_LOG2], ""),
            primitive(FifoBlock::<WIDTH, ADDRESS, COUNT>::default(), &[WORD, WORDS_LOG2], ""),
            primitive(ClearedRam::<WIDTH, ADDRESS, 0>::default(), &[WORD, WORDS_LOG2], ""),
            primitive(ClearedRam::<WIDTH, ADDRESS, 1>::default(), &[WORD, WORDS_LOG2], "_registered"),
            primitive(Register::<WIDTH>::default(), &[WORD], ""),
            primitive(SkidBuffer::<WIDTH>::default(), &[WORD], ""),
            primitive(Subtract::<{ 2 * HALF }, HALF>::default(), &[EVEN, HALVED], ""),
            primitive(ThermometerMask::<WIDTH, COUNTED, 0>::default(), &[MASK, COUNTS], "_shift"),
            primitive(SlotPool::<WORDS, ADDRESS, COUNT>::default(), &[WORDS_LOG2], ""),
        ]
    });
    &ALL
}

/// The primitive of each module that is one, by the module's name.
///
/// The top is none: it has the sizes that were asked for. `taken` are names that other modules of the same call have.
pub fn uses(design: &Design, taken: &[String]) -> HashMap<String, Use> {
    let mut found: HashMap<String, Use> = HashMap::new();
    for module in design.modules.iter().filter(|m| m.name != design.top) {
        if let Some(used) = use_of(module, taken, &found) {
            found.insert(module.name.clone(), used);
        }
    }
    found
}

fn use_of(module: &Module, taken: &[String], found: &HashMap<String, Use>) -> Option<Use> {
    let (at, values) = by_type(&module.origin)?;
    let primitive = &all()[at];
    // What precedes the name that an elaboration gives it.
    let own = module.origin.params.iter().fold(snake_case(&module.origin.type_name), |n, (p, v)| format!("{n}_{}{v}", p.to_lowercase()));
    let prefix = module.name.strip_suffix(&own)?.to_string();
    let word = if taken.contains(&format!("{prefix}{}", primitive.name)) { SIZED } else { "" };
    Sized { primitive, values: &values, found }.is(module).then_some(Use { primitive: at, prefix, word, values })
}

impl Primitive {
    pub fn doc(&self) -> String {
        self.in_words(&self.module.origin.doc)
    }

    /// A comment without the const generics that follow from the parameters.
    pub fn in_words(&self, doc: &str) -> String {
        let derived = [
            ("\n`COUNT_BITS` is `ADDRESS_BITS + 1`.", ""),
            ("\n\nParameters: `SLOTS` slots, `ADDRESS_BITS` bits of a number, `COUNT_BITS` = `ADDRESS_BITS + 1`.", ""),
            ("`SLOTS`", "`2^ADDRESS_BITS`"),
        ];
        derived.iter().fold(doc.to_string(), |doc, (derived, instead)| doc.replace(derived, instead))
    }
}

impl Use {
    /// Name of the module in the Verilog.
    pub fn name(&self) -> String {
        self.named(self.primitive)
    }

    /// Name of a primitive inside of it.
    pub fn named(&self, primitive: usize) -> String {
        format!("{}{}{}", self.prefix, all()[primitive].name, self.word)
    }
}

/// A primitive with numbers for its parameters.
struct Sized<'a> {
    primitive: &'a Primitive,
    values: &'a [usize],
    found: &'a HashMap<String, Use>,
}

impl Sized<'_> {
    /// Whether `module` is that.
    fn is(&self, module: &Module) -> bool {
        let mut own = self.primitive.module.clone();
        if own.instances.len() != module.instances.len() {
            return false;
        }
        for signal in &mut own.signals {
            signal.width = self.size(signal.width);
        }
        for constant in &mut own.constants {
            constant.value = self.literal(&constant.value, constant.width);
            constant.width = self.size(constant.width);
        }
        for process in &mut own.processes {
            process.for_each_expression_mut(&mut |e| self.expression(e));
            match process {
                Process::Assign { .. } => {}
                Process::Combinational { body, .. } => self.positions(body),
                Process::Clocked { reset, body, .. } => {
                    self.positions(body);
                    if let Some((_, values)) = reset {
                        self.positions(values);
                    }
                }
            }
        }
        for (instance, theirs) in own.instances.iter_mut().zip(&module.instances) {
            for connection in &mut instance.connections {
                if let Connected::Input(value) = &mut connection.value {
                    self.expression(value);
                }
            }
            let Some(child) = inner(self.primitive, &instance.module) else { return false };
            let values: Vec<usize> = child.1.iter().map(|v| self.size(*v)).collect();
            let same = self.found.get(&theirs.module).is_some_and(|u| u.primitive == child.0 && u.values == values);
            if !same {
                return false;
            }
            instance.module.clone_from(&theirs.module);
        }
        own.memory = own.memory.map(|m| Memory { width: self.size(m.width), address: self.size(m.address), ..m });
        own.name.clone_from(&module.name);
        own.origin.params.clone_from(&module.origin.params);
        own == *module
    }

    fn size(&self, size: usize) -> usize {
        let near = |(p, value): (&Parameter, &usize)| match size {
            s if s + 1 == p.1 => value.checked_sub(1),
            s if s == p.1 => Some(*value),
            s if s == p.1 + 1 => Some(value + 1),
            _ => None,
        };
        self.primitive.parameters.iter().zip(self.values).find_map(near).unwrap_or(size)
    }

    /// Ones stay ones; every other number keeps its value.
    fn literal(&self, value: &BigUint, width: usize) -> BigUint {
        if width > 1 && *value == ones(width) { ones(self.size(width)) } else { value.clone() }
    }

    fn expression(&self, expr: &mut Expr) {
        expr.walk_mut(&mut |e| {
            match &mut e.kind {
                ExprKind::Literal(value) => *value = self.literal(value, e.width),
                ExprKind::Slice(_, low) => *low = self.size(*low),
                _ => {}
            }
            e.width = self.size(e.width);
        });
    }

    fn positions(&self, block: &mut [Statement]) {
        for statement in block {
            if let Statement::Assign { low: Some(low), .. } = statement {
                *low = self.size(*low);
            }
            statement.blocks_mut().into_iter().for_each(|b| self.positions(b));
        }
    }
}

/// The primitive that a block is by its type, and its values; whether its content is the primitive's is another question.
fn by_type(origin: &Origin) -> Option<(usize, Vec<usize>)> {
    let value = |name: &str| origin.params.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
    let is =
        |p: &Primitive| p.module.origin.type_name == origin.type_name && p.fixed.iter().all(|(name, fixed)| value(name) == Some(*fixed));
    let at = all().iter().position(is)?;
    let values = all()[at].parameters.iter().map(|p| value(p.0).and_then(|v| usize::try_from(v).ok())).collect::<Option<_>>()?;
    Some((at, values))
}

/// The primitive that a module inside of `owner` is, and its values in terms of the sizes that stand for the owner's parameters.
pub fn inner(owner: &Primitive, module: &str) -> Option<(usize, Vec<usize>)> {
    by_type(&owner.inside.iter().find(|m| m.name == module)?.origin)
}
