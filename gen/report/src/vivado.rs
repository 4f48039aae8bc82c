//! Vivado's report files: utilization, flat and by hierarchy, and timing summaries.
//!
//! Formats: UG906 and the files that releases 2015.4 to 2025.2 write, 7 series and UltraScale+. A file is read whole or refused with its
//! line: what is cut short, is no report, or contradicts itself never becomes a figure, and never "met". A file can hold several reports,
//! one behind the other (`-append`); if one of them is refused, the file is.

mod command;
mod folder;
mod header;
mod hierarchical;
mod several;
mod slack;
mod table;
mod timing;
mod timing_table;
mod utilization;

pub use folder::{Files, read_folder};
pub use header::Header;
pub use hierarchical::{Hierarchical, Row};
pub use slack::Slack;
pub use timing::{Check, Clock, Group, Met, PathEnd, Statement, Timing};
pub use utilization::{Site, Utilization};

use serde::{Deserialize, Serialize};
use std::fmt;

/// One report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vivado {
    /// With the number of the report, if there are several in the file
    pub file: String,
    pub header: Header,
    /// The options of its command that make it one of a part of the design; its figures are not the design's then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// Sections with tables that are not known and not read
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
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

/// A report that is not read, by the command that wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    pub file: String,
    pub command: String,
}

/// A file that cannot be read or believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub file: String,
    /// From 1
    pub line: Option<usize>,
    pub why: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.why),
            None => write!(f, "{}: {}", self.file, self.why),
        }
    }
}

impl Vivado {
    /// The design, and which part of it.
    pub fn subject(&self) -> String {
        match &self.part {
            Some(part) => format!("{} ({part})", self.header.design),
            None => self.header.design.clone(),
        }
    }

    /// One line if timing is violated, or of the whole design and not known to be met.
    pub fn failure(&self) -> Option<String> {
        let (file, subject) = (&self.file, self.subject());
        match (&self.timing()?.met, &self.part) {
            (Met::Violated(why), _) => Some(format!("{file}: timing of {subject} is violated: {}", why.join("; "))),
            (Met::Unknown(why), None) => Some(format!("{file}: timing of {subject} cannot be called met: {}", why.join("; "))),
            (Met::Met, _) | (Met::Unknown(_), Some(_)) => None,
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

/// What a report is.
#[derive(Clone, Debug, PartialEq)]
pub enum Parsed {
    Report(Box<Vivado>),
    Other(Other),
}

/// Every report in a file, in their order.
/// # Errors
/// File and line of what is not as Vivado writes it.
pub fn parse(file: &str, text: &str) -> Result<Vec<Parsed>, Refused> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> = text.split('\n').map(|l| l.trim_end_matches('\r')).collect();
    let begins = several::begins(&lines);
    let mut found = Vec::new();
    for (n, &first) in begins.iter().enumerate() {
        let end = begins.get(n + 1).copied();
        // What follows the last line break is no line; what stands before the next report is one.
        let source = Source { file, first, lines: &lines[first..end.unwrap_or(lines.len())], last: end.is_none() };
        let name = if begins.len() > 1 { format!("{file} (report {})", n + 1) } else { file.to_string() };
        found.push(one(&source, name)?);
    }
    Ok(found)
}

fn one(source: &Source, file: String) -> Result<Parsed, Refused> {
    if let Some(command) = several::without_header(source.lines) {
        return Ok(Parsed::Other(Other { file, command }));
    }
    let (header, body) = header::header(source)?;
    let command = command::Command::of(&header.command);
    let other = |command: String| Ok(Parsed::Other(Other { file: file.clone(), command }));
    let title = source.lines[body..].iter().map(|l| l.trim()).find(|l| !l.is_empty());
    match title {
        // Reports of power before 2016 name no command.
        Some(title) if command.name.is_empty() && !several::TITLES.contains(&title) => return other(title.to_string()),
        _ if matches!(command.name.as_str(), "" | "report_utilization" | "report_timing_summary") => header.complete(source, body)?,
        _ => {}
    }
    let has = |title: &str| source.lines[body..].iter().any(|l| l.trim() == title);
    let mut skipped = Vec::new();
    let read = match command.name.as_str() {
        // Sections about the dies alone.
        "report_utilization" if command.has("slr", 3) => return other("report_utilization -slr".into()),
        "report_utilization" if has("1. Utilization by Hierarchy") => hierarchical::hierarchical(source, body).map(Contents::Hierarchical),
        "report_utilization" => utilization::utilization(source, body, &mut skipped).map(Contents::Utilization),
        "report_timing_summary" => timing::timing(source, body, &header, &command).map(|t| Contents::Timing(Box::new(t))),
        _ => return other(command.name),
    };
    let part = command.part();
    match (read, part) {
        (Ok(contents), part) => Ok(Parsed::Report(Box::new(Vivado { file, header, part, skipped, contents }))),
        // Tables of an area have columns of their own, and nothing is judged by them.
        (Err(_), Some(part)) if command.name == "report_utilization" => other(format!("report_utilization {part}")),
        (Err(refused), _) => Err(refused),
    }
}

/// A report as lines, for messages.
pub(crate) struct Source<'a> {
    pub file: &'a str,
    /// Its first line in the file, from 0
    pub first: usize,
    pub lines: &'a [&'a str],
    /// The last report in the file
    pub last: bool,
}

impl Source<'_> {
    /// `line` counts from 0 in the report.
    pub fn error(&self, line: usize, text: impl fmt::Display) -> Refused {
        Refused { file: self.file.to_string(), line: Some(self.first + line + 1), why: text.to_string() }
    }

    pub fn cut(&self, text: impl fmt::Display) -> Refused {
        let last = self.lines.iter().rposition(|l| !l.trim().is_empty()).unwrap_or(0);
        self.error(last, format!("the report is cut short: {text}; write it again"))
    }

    /// Empty lines at the end; a file that ends with its last line break has one less than it has lines.
    pub fn empty_at_end(&self) -> usize {
        let empty = self.lines.iter().rev().take_while(|l| l.trim().is_empty()).count();
        empty.saturating_sub(usize::from(self.last))
    }
}
