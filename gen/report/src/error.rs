//! How a report ends when there is none.

use std::fmt;
use std::path::Path;

/// What went wrong, and whose fault it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// An argument or a file that the caller wrote (budget, baseline) is wrong: exit code 2.
    #[error("{0}")]
    Call(String),
    /// A tool is missing or failed, or what it wrote cannot be read: exit code 3.
    #[error("{0}")]
    Tool(String),
    /// A tool was ended by a signal. As bad, where nothing else can be tried.
    #[error("{0}")]
    Crash(String),
}

impl Error {
    pub(crate) fn io(what: &str, path: &Path, error: impl fmt::Display) -> Error {
        Error::Tool(format!("{what} {}: {error}", path.display()))
    }
}
