//! Vivado's report files: utilization, flat and by hierarchy, and timing summaries.
//!
//! Formats: UG906 and the files that releases 2018.3 to 2025.2 write, 7 series and UltraScale+. A file is read whole or refused with its
//! line: what is cut short, is no report, or contradicts itself never becomes a figure, and never "met".

mod folder;
mod header;
mod hierarchical;
mod slack;
mod table;
mod timing;
mod timing_table;
mod utilization;

pub use folder::{Other, read_folder};
pub use header::Header;
pub use hierarchical::{Hierarchical, Row};
pub use slack::Slack;
pub use timing::{Check, Clock, Group, Met, PathEnd, Statement, Timing};
pub use utilization::{Site, Utilization};

use crate::Error;
use serde::{Deserialize, Serialize};

/// One file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vivado {
    pub file: String,
    pub header: Header,
    #[serde(flatten)]
    pub contents: Contents,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contents {
    Utilization(Utilization),
    Hierarchical(Hierarchical),
    Timing(Box<Timing>),
}

impl Vivado {
    /// One line if the file holds timing that is not met.
    pub fn failure(&self) -> Option<String> {
        let Contents::Timing(timing) = &self.contents else { return None };
        match &timing.met {
            Met::Met => None,
            Met::Violated(why) => Some(format!("{}: timing of {} is violated: {}", self.file, self.header.design, why.join("; "))),
            Met::Unknown(why) => Some(format!("{}: timing of {} cannot be called met: {}", self.file, self.header.design, why.join("; "))),
        }
    }

    pub fn timing(&self) -> Option<&Timing> {
        match &self.contents {
            Contents::Timing(t) => Some(t),
            _ => None,
        }
    }

    pub fn utilization(&self) -> Option<&Utilization> {
        match &self.contents {
            Contents::Utilization(u) => Some(u),
            _ => None,
        }
    }

    pub fn hierarchical(&self) -> Option<&Hierarchical> {
        match &self.contents {
            Contents::Hierarchical(h) => Some(h),
            _ => None,
        }
    }
}

/// What a file of Vivado holds.
pub enum Parsed {
    Report(Box<Vivado>),
    /// A report of another command, by that command; it is not read.
    Other(String),
}

/// # Errors
/// File and line of what is not as Vivado writes it.
pub fn parse(file: &str, text: &str) -> Result<Parsed, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> = text.split('\n').map(|l| l.strip_suffix('\r').unwrap_or(l)).collect();
    let source = Source { file, lines: &lines };
    let (header, body) = header::header(&source)?;
    let has = |title: &str| lines[body..].iter().any(|l| l.trim() == title);
    let command = header.command.split_whitespace().next().unwrap_or_default().to_string();
    let contents = match command.as_str() {
        "report_utilization" if has("1. Utilization by Hierarchy") => Contents::Hierarchical(hierarchical::hierarchical(&source, body)?),
        "report_utilization" => Contents::Utilization(utilization::utilization(&source, body)?),
        "report_timing_summary" => Contents::Timing(Box::new(timing::timing(&source, body, &header)?)),
        _ => return Ok(Parsed::Other(command)),
    };
    Ok(Parsed::Report(Box::new(Vivado { file: file.to_string(), header, contents })))
}

/// A file as lines, for messages.
pub(crate) struct Source<'a> {
    pub file: &'a str,
    pub lines: &'a [&'a str],
}

impl Source<'_> {
    /// `line` counts from 0.
    pub fn error(&self, line: usize, text: impl std::fmt::Display) -> Error {
        Error::at(self.file, line + 1, text)
    }

    pub fn cut(&self, text: impl std::fmt::Display) -> Error {
        let last = self.lines.iter().rposition(|l| !l.trim().is_empty()).unwrap_or(0);
        self.error(last, format!("the report is cut short: {text}; write it again"))
    }

    /// Empty lines at the end; a file that ends with its last line break has one less than it has lines.
    pub fn empty_at_end(&self) -> usize {
        let empty = self.lines.iter().rev().take_while(|l| l.trim().is_empty()).count();
        empty.saturating_sub(1)
    }
}
