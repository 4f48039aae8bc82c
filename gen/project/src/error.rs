use std::path::PathBuf;

/// What can be wrong with a project, and whose fault it is.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("unknown board `{name}`; boards are {known}, or give a TOML file of your own (NAME.toml)")]
    UnknownBoard { name: String, known: String },
    #[error("{file}: {what}")]
    Board { file: String, what: String },
    #[error("`{block}` has no `{port}` and is no top; for a board take {tops}, or build it alone with --ooc")]
    NoTop { block: String, port: &'static str, tops: &'static str },
    #[error("`{block}`: {what}")]
    Unsuitable { block: String, what: String },
    #[error("{board} has no [mac]: say in a board file of your own where its transceivers are, or leave --mac out")]
    NoMac { board: String },
    #[error("{what} is {value}; allowed is {allowed}")]
    Value { what: &'static str, value: String, allowed: &'static str },
    #[error("{}: {what}", folder.display())]
    Folder { folder: PathBuf, what: String },
    #[error("{file}, line {line}: {what}")]
    Verilog { file: String, line: usize, what: String },
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: std::io::Error },
    #[error("{0}")]
    Tool(String),
}

impl Error {
    /// The call was wrong, not what it asked for.
    pub fn is_call(&self) -> bool {
        !matches!(self, Error::Io { .. } | Error::Tool(_) | Error::Verilog { .. })
    }

    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |error| Error::Io { path, error }
    }
}
