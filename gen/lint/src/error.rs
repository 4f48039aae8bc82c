use std::path::PathBuf;

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{file}: {what}")]
    File { file: String, what: String },
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: std::io::Error },
    #[error("cannot run {}: {error}", program.display())]
    Run { program: PathBuf, error: std::io::Error },
    #[error("{} ended with {status}", program.display())]
    Ended { program: PathBuf, status: std::process::ExitStatus },
    /// Verilog that is not the emitter's
    #[error("{0}")]
    Verilog(#[from] rdma_rtl_report::Error),
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |error| Error::Io { path, error }
    }
}
