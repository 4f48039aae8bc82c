//! What can go wrong when a model is made.

use std::path::PathBuf;

/// Why a model could not be made, or a wave not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error(transparent)]
    Verilated(#[from] rdma_rtl_verilated::Error),

    #[error(transparent)]
    Emitter(#[from] rdma_rtl_gen::Error),

    #[error("`{block}` has {count} clock inputs ({names}), a model has one: drive it through a wrapper with one clock")]
    Clocks { block: String, count: usize, names: String },

    #[error(
        "`{block}` at profile `{profile}` as Rust is compiled when it is run, and was not: {detail}\nRun it by `--engine verilator`, or where the \
         sources and cargo are"
    )]
    NoNative { block: String, profile: String, detail: String },

    #[error(
        "`{block}` at profile `{profile}` is compiled when it is asked for, and was not: {detail}\nIt needs the project's sources and the Rust toolchain \
         that this program was built from and with"
    )]
    NotCompiled { block: String, profile: String, detail: String },

    #[error("the models do not have the same ports: {detail}")]
    DifferentPorts { detail: String },

    #[error("no bus at the ports `{bus}..`: {detail}")]
    Bus { bus: String, detail: String },

    #[error("cannot write {path}: {source}", path = .path.display())]
    Write { path: PathBuf, source: std::io::Error },

    #[error("{subject}: {back_end} and Verilator from Rust do not give the same outputs in {cycles} cycles")]
    Unequal { subject: String, back_end: String, cycles: u64 },

    #[error("{step} failed: {detail}")]
    CppBench { step: String, detail: String },

    #[error("rust-hdl's Simulation ended with {detail}")]
    Simulation { detail: String },
}
