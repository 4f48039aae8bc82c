//! What is wrong with a schema or a profile.

/// A file that is refused: which one, where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {text}")]
pub struct Error {
    pub file: String,
    /// 1-based
    pub line: usize,
    pub text: String,
}

impl Error {
    pub(crate) fn new(file: &str, line: usize, text: String) -> Error {
        Error { file: file.to_string(), line, text }
    }
}
