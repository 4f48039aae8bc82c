//! What to build and how.

use crate::Port;
use std::path::PathBuf;

/// One Verilog file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Plain file name, with suffix: it selects the language (`.v`, `.sv`, `.vlt`) and appears in messages and coverage.
    pub name: String,
    /// Contents.
    pub text: String,
}

impl Source {
    /// A file `name` with contents `text`.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source { name: name.into(), text: text.into() }
    }
}

/// A design to be made into a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    /// Every file of the design.
    pub sources: Vec<Source>,
    /// Module to make a model of.
    pub top: String,
    /// Its clock input; `None` for a purely combinational design, where a clock cycle only settles it.
    pub clock: Option<String>,
    /// Its other ports, in the order that the model presents them. Checked against the Verilog.
    pub ports: Vec<Port>,
}

/// How much the C++ compiler optimises: what a long run gains, every first build pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Optimize {
    /// `-O0`
    None,
    /// `-O1`: for tests.
    #[default]
    Quick,
    /// `-O3`: for long runs.
    Full,
}

impl Optimize {
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Optimize::None => "-O0",
            Optimize::Quick => "-O1",
            Optimize::Full => "-O3",
        }
    }
}

/// Which wave format the model can write. A model that can trace is slower, also while no wave is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Trace {
    #[default]
    None,
    /// Value change dump: text, needs no library.
    Vcd,
    /// Compressed: needs zlib, of newer releases lz4 too.
    Fst,
}

/// How a model is built.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Options {
    pub optimize: Optimize,
    pub trace: Trace,
    /// Count lines, branches and toggles.
    pub coverage: bool,
    /// Directory of built models; `None`: `$RDMA_RTL_CACHE`, else `$XDG_CACHE_HOME/rdma-rtl`, else `$HOME/.cache/rdma-rtl`.
    pub cache: Option<PathBuf>,
    /// The Verilator program; `None`: see [`Tools::find`](crate::Tools::find).
    pub verilator: Option<PathBuf>,
}

/// Contents of registers and memories before the first reset or write. Inputs and the clock begin low in either case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Initial {
    #[default]
    Zero,
    /// Random but reproducible: shows what depends on an unwritten value. The seed must not be 0; 0 is taken as 1.
    Random(u32),
}
