//! Profiles: the facts that a user decides, in TOML, and the one validator that the command line and the build script share.
//!
//! A schema (`hdl/parameters.toml`) says which facts and blocks there are, which facts are parameters of a block and which values are
//! allowed. A profile states each fact once, for all blocks that have it. A profile that does not fit is refused with file, line, key,
//! value and what is allowed.

mod error;
mod profile;
mod schema;
pub mod unit;

pub use error::Error;
pub use profile::{Profile, load_folder, parse_profile};
pub use schema::{Block, Parameter, Register, Schema, parse_schema};

use std::ops::Range;
use toml_edit::{Document, Item, TableLike};

/// A parsed file: errors point into its text.
pub(crate) struct Source<'a> {
    file: &'a str,
    text: &'a str,
}

impl<'a> Source<'a> {
    fn parse(&self) -> Result<Document<&'a str>, Error> {
        Document::parse(self.text).map_err(|e| {
            let line = e.span().map_or(1, |span| self.line(&span));
            Error::new(self.file, line, e.message().lines().next().unwrap_or("not TOML").to_string())
        })
    }

    fn line(&self, span: &Range<usize>) -> usize {
        1 + self.text.as_bytes()[..span.start.min(self.text.len())].iter().filter(|&&b| b == b'\n').count()
    }

    fn error(&self, span: Option<Range<usize>>, text: impl Into<String>) -> Error {
        Error::new(self.file, span.map_or(1, |span| self.line(&span)), text.into())
    }

    fn table<'t>(&self, key: &str, item: &'t Item) -> Result<&'t dyn TableLike, Error> {
        item.as_table_like().ok_or_else(|| self.error(item.span(), format!("`{key}` is {}, a table `[{key}]` is needed", item.type_name())))
    }
}

/// The value as it stands in the file, for messages.
pub(crate) fn shown(item: &Item) -> String {
    let text = item.to_string();
    let text = text.trim();
    if text.len() > 40 { format!("{}...", text.chars().take(40).collect::<String>()) } else { text.to_string() }
}
