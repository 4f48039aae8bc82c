//! What can go wrong between Verilog text and a loaded model, each with what to do next.

use std::io;
use std::path::PathBuf;

/// Why a model could not be built, loaded or traced. One line each, apart from the tools' own first error lines. `log`: words that name the
/// file with all that a tool said.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(
        "Verilator not found (looked at {searched}): install the package `verilator` (5.006 or newer), run `make tools`, or set \
         RDMA_RTL_VERILATOR to the program"
    )]
    NoVerilator { searched: String },

    #[error("{path} is Verilator {version}, but 5.006 or newer is needed: install a newer one, or set RDMA_RTL_VERILATOR to it", path = .path.display())]
    VerilatorTooOld { path: PathBuf, version: String },

    #[error("no C++ compiler found (looked for {searched}): install g++ or clang++, or set CXX to the program")]
    NoCompiler { searched: String },

    #[error("{program} does not work: {reason}")]
    Tool { program: String, reason: String },

    #[error("Verilator refused `{top}`{log}:\n{lines}")]
    Verilator { top: String, lines: String, log: String },

    #[error("the C++ compiler {program} failed on `{top}`{log}:\n{lines}")]
    Compiler { program: String, top: String, lines: String, log: String },

    #[error("`{top}` has no port `{port}`; it has {present}")]
    NoPort { top: String, port: String, present: String },

    #[error("port `{port}` of `{top}` is {actual} bits wide in the Verilog, {expected} were declared")]
    PortWidth { top: String, port: String, actual: usize, expected: usize },

    #[error("port `{port}` of `{top}` is an {actual} in the Verilog, declared as {expected}")]
    PortDirection { top: String, port: String, actual: &'static str, expected: &'static str },

    #[error("source name `{name}` is not a plain file name (letters, digits, `_`, `-`, `.`; at least one; not beginning with `.` or `-`)")]
    SourceName { name: String },

    #[error("`{name}` cannot be a top module or port: a Verilog identifier (letters, digits, `_`) is needed")]
    Identifier { name: String },

    #[error("no place for the cache: set RDMA_RTL_CACHE to a directory (neither XDG_CACHE_HOME nor HOME is set)")]
    NoCacheDirectory,

    #[error("cache directory {path} cannot be used: {source}; make it writable or set RDMA_RTL_CACHE to another", path = .path.display())]
    Cache { path: PathBuf, source: io::Error },

    #[error("no space left for the cache in {path}: free some, or set RDMA_RTL_CACHE to a directory on another disk", path = .path.display())]
    CacheFull { path: PathBuf },

    #[error("the library {path} does not load: {reason}; delete its directory and run again", path = .path.display())]
    Load { path: PathBuf, reason: String },

    #[error("FST waves need the header {missing}, which the C++ compiler does not find: install its development package, or ask for VCD")]
    NoFst { missing: String },

    #[error("`{top}` was built without waves: build it with `Trace::Vcd` or `Trace::Fst`")]
    NoTrace { top: String },

    #[error("`{top}` was built without coverage: build it with `coverage: true`")]
    NoCoverage { top: String },

    #[error("cannot write {path}: {reason}", path = .path.display())]
    Write { path: PathBuf, reason: String },
}

impl Error {
    /// For I/O inside the cache directory: a full disk under its own name, everything else as it is.
    pub(crate) fn cache(path: impl Into<PathBuf>, source: io::Error) -> Self {
        let path = path.into();
        if is_full(&source) { Error::CacheFull { path } } else { Error::Cache { path, source } }
    }
}

/// No space, no quota, or a limit on file size.
fn is_full(e: &io::Error) -> bool {
    matches!(e.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
}
