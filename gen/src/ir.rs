//! The elaborated design: modules of signals, processes and instances, with a width on every expression.
//!
//! [`crate::elaborate`] makes it, [`crate::emit`] writes it. Between the two it may be edited: the helpers in [`edit`] find an
//! assignment or a condition by the name of its signal.

mod check;
mod edit;
mod evaluate;
mod expr;
mod fields;
mod fingerprint;
mod statement;

pub use expr::{Binary, Compare, Expr, ExprKind, Reduce, Shift, ones};
pub use fingerprint::{Fingerprint, Fingerprints, fingerprints};
pub use statement::{Arm, Statement};
pub(crate) use statement::{expressions, for_each_expression_mut};

/// Position of a signal in [`Module::signals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SignalId(pub usize);

/// Modules, children before their owners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    pub modules: Vec<Module>,
    /// Name of the module that was asked for; it is the last one.
    pub top: String,
}

impl Design {
    /// Longest prefix: with it no name is too long for Verilator, which knows no file by one of more than 127 characters.
    const LONGEST_PREFIX: usize = 24;

    /// Puts `prefix` and a `_` before the name of every module, the top included: for two profiles in one design.
    /// # Errors
    /// What no prefix can be; it says what one is.
    pub fn prefix(&mut self, prefix: &str) -> Result<(), String> {
        let letters =
            prefix.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && prefix.starts_with(|c: char| c.is_ascii_alphabetic());
        if !letters || prefix.ends_with('_') || prefix.contains("__") || prefix.len() > Self::LONGEST_PREFIX {
            let most = Self::LONGEST_PREFIX;
            return Err(format!(
                "`{prefix}`: a prefix is a letter, then letters, digits and single underscores, none at its end, at most {most} of all"
            ));
        }
        let with = |name: &str| format!("{prefix}_{name}");
        for module in &mut self.modules {
            module.name = with(&module.name);
            module.instances.iter_mut().for_each(|i| i.module = with(&i.module));
        }
        self.top = with(&self.top);
        Ok(())
    }

    /// The module that was asked for.
    pub fn top_module(&self) -> Option<&Module> {
        self.modules.iter().find(|m| m.name == self.top)
    }

    /// Children that are called like one of `tops` and are another module are called `NAME_inner`: a top alone may have other sizes than
    /// the same block inside of another.
    pub fn give_way(&mut self, tops: &[&Module]) {
        let other = |m: &Module| m.name != self.top && tops.iter().any(|top| top.name == m.name && *top != m);
        let names: Vec<String> = self.modules.iter().filter(|m| other(m)).map(|m| m.name.clone()).collect();
        let renamed = |name: &mut String| {
            if names.contains(name) {
                name.push_str("_inner");
            }
        };
        for module in &mut self.modules {
            renamed(&mut module.name);
            module.instances.iter_mut().for_each(|i| renamed(&mut i.module));
        }
    }
}

/// One port of the top module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Name in the Verilog.
    pub name: String,
    /// Field path in the Rust.
    pub rust: String,
    /// Bits.
    pub width: usize,
    pub direction: Direction,
    /// Driven by a clock; its value is never data.
    pub clock: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Input,
    Output,
}

/// One Verilog module: a block type with one set of parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub name: String,
    pub origin: Origin,
    pub signals: Vec<Signal>,
    pub constants: Vec<Constant>,
    pub processes: Vec<Process>,
    pub instances: Vec<Instance>,
    /// A memory from the template instead of processes.
    pub memory: Option<Memory>,
}

/// Where a module comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub type_name: String,
    pub params: Vec<(String, u64)>,
    pub doc: String,
    pub file: String,
    pub line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    pub name: String,
    /// Field paths of the Rust that this signal carries; the first one named it.
    pub rust: Vec<String>,
    pub width: usize,
    pub kind: Kind,
    pub clock: bool,
    /// A register that takes values of another clock: written with `async_reg`.
    pub crossing: bool,
    pub doc: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Input,
    Output,
    /// Inside the module: a wire, or a register if a clocked process drives it.
    Net,
}

/// A sized `localparam`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    pub name: String,
    pub width: usize,
    pub value: num_bigint::BigUint,
    pub doc: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Process {
    Assign {
        target: SignalId,
        value: Expr,
    },
    /// Every target is assigned on every path.
    Combinational {
        targets: Vec<SignalId>,
        body: Vec<Statement>,
    },
    /// Rising edge of `clock`; `reset` is a condition and what happens instead of `body`.
    Clocked {
        clock: SignalId,
        targets: Vec<SignalId>,
        reset: Option<(Expr, Vec<Statement>)>,
        body: Vec<Statement>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub name: String,
    /// Field path in the Rust.
    pub rust: String,
    pub module: String,
    pub doc: String,
    pub connections: Vec<Connection>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Port of the instantiated module.
    pub port: String,
    pub value: Connected,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Connected {
    Input(Expr),
    Output(SignalId),
}

/// One write and one read port on one clock. The module's signals have the names of the Rust block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Bits of a word.
    pub width: usize,
    /// Bits of an address; `2^address` words.
    pub address: usize,
    pub style: rdma_rtl_hdl::describe::MemoryStyle,
}

impl Design {
    pub fn module(&self, name: &str) -> Option<&Module> {
        self.modules.iter().find(|m| m.name == name)
    }

    pub fn module_mut(&mut self, name: &str) -> Option<&mut Module> {
        self.modules.iter_mut().find(|m| m.name == name)
    }

    /// The module that was asked for.
    pub fn top(&self) -> &Module {
        self.module(&self.top).expect("the top is one of the modules")
    }

    /// Ports of the top, in the order of the Rust fields.
    pub fn ports(&self) -> Vec<Port> {
        let port = |s: &Signal, direction| Port {
            name: s.name.clone(),
            rust: s.rust.first().cloned().unwrap_or_default(),
            width: s.width,
            direction,
            clock: s.clock,
        };
        let mut ports = Vec::new();
        for s in &self.top().signals {
            match s.kind {
                Kind::Input => ports.push(port(s, Direction::Input)),
                Kind::Output => ports.push(port(s, Direction::Output)),
                Kind::Net => {}
            }
        }
        ports
    }
}

impl Module {
    pub fn find(&self, name: &str) -> Option<SignalId> {
        self.signals.iter().position(|s| s.name == name).map(SignalId)
    }

    pub fn signal(&self, id: SignalId) -> &Signal {
        &self.signals[id.0]
    }

    /// A read of a signal, by name.
    pub fn read(&self, name: &str) -> Option<Expr> {
        self.find(name).map(|id| Expr::signal(id, self.signal(id).width))
    }

    /// Signals that a clocked process drives.
    pub fn registers(&self) -> Vec<SignalId> {
        self.processes
            .iter()
            .flat_map(|p| match p {
                Process::Clocked { targets, .. } => targets.as_slice(),
                _ => &[],
            })
            .copied()
            .collect()
    }
}

impl Process {
    pub fn targets(&self) -> Vec<SignalId> {
        match self {
            Self::Assign { target, .. } => vec![*target],
            Self::Combinational { targets, .. } | Self::Clocked { targets, .. } => targets.clone(),
        }
    }

    /// Every expression: values, conditions, the reset.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut found = Vec::new();
        match self {
            Self::Assign { value, .. } => found.push(value),
            Self::Combinational { body, .. } => statement::expressions(body, &mut found),
            Self::Clocked { reset, body, .. } => {
                if let Some((condition, values)) = reset {
                    found.push(condition);
                    statement::expressions(values, &mut found);
                }
                statement::expressions(body, &mut found);
            }
        }
        found
    }

    pub fn for_each_expression_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match self {
            Self::Assign { value, .. } => f(value),
            Self::Combinational { body, .. } => statement::for_each_expression_mut(body, f),
            Self::Clocked { reset, body, .. } => {
                if let Some((condition, values)) = reset {
                    f(condition);
                    statement::for_each_expression_mut(values, f);
                }
                statement::for_each_expression_mut(body, f);
            }
        }
    }
}
