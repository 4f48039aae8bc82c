//! The lines before a report: which tool wrote it, of which design on which part.

use super::several::TITLES;
use super::{Refused, Source};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// `2019.2`
    pub version: String,
    pub date: String,
    pub command: String,
    pub design: String,
    pub device: String,
    /// In timing reports, and in utilization since 2021.2
    pub speed_file: Option<String>,
    /// In utilization reports, and in timing since 2023
    pub design_state: Option<String>,
}

/// Releases whose files the parsers were tested with, first and last.
const TESTED: std::ops::RangeInclusive<(u32, u32)> = (2015, 4)..=(2025, 2);

impl Header {
    /// Year and number of the release.
    pub(super) fn release(&self) -> Option<(u32, u32)> {
        let mut parts = self.version.split('.').map(|p| p.parse::<u32>().ok());
        Some((parts.next()??, parts.next()??))
    }

    /// Whether the release lies within those that were tested.
    pub fn is_tested(&self) -> bool {
        self.release().is_some_and(|r| TESTED.contains(&r))
    }
}

/// The header, and the line behind it.
/// # Errors
/// No header of Vivado at the beginning, or one that does not end.
pub(super) fn header(source: &Source) -> Result<(Header, usize), Refused> {
    let filled = source.lines.iter().enumerate().filter(|(_, l)| !l.trim().is_empty());
    let Some((begin, _)) = filled.clone().next() else { return Err(source.error(0, "the file is empty, and no report of Vivado")) };
    if filled.clone().next().is_some_and(|(_, l)| TITLES.contains(&l.trim_end())) {
        return Err(source.error(begin, "a report without a header does not say of which design it is: write it without -no_header"));
    }
    let foreign = |line| source.error(line, "no report of Vivado: `| Tool Version : Vivado v...` is expected at the beginning");
    // The copyright, a rule, then the first key; logs and other tools' files look otherwise.
    let first = filled.take(4).find(|(_, l)| l.starts_with("| Tool Version")).ok_or_else(|| foreign(begin))?.0;
    let mut header = Header::default();
    for (line, text) in source.lines.iter().enumerate().skip(first) {
        let Some(entry) = text.strip_prefix('|') else {
            if !is_rule(text) {
                return Err(source.error(line, "the header of the report ends without a rule of dashes"));
            }
            return Ok((header, line + 1));
        };
        let Some((key, value)) = entry.split_once(':') else {
            return Err(source.error(line, "`| Key : value` is expected in the header of the report"));
        };
        let value = value.trim().to_string();
        match key.trim() {
            "Tool Version" => {
                let version = value.strip_prefix("Vivado v.").and_then(|v| v.split_whitespace().next()).ok_or_else(|| foreign(line))?;
                header.version = version.to_string();
            }
            "Date" => header.date = value,
            "Command" => header.command = value,
            "Design" => header.design = value,
            "Device" => header.device = value,
            "Speed File" => header.speed_file = Some(value),
            "Design State" => header.design_state = Some(value),
            _ => {}
        }
    }
    Err(source.cut("it ends inside its header"))
}

impl Header {
    /// What a report that is read must say of itself; those of other commands leave some of it out.
    /// # Errors
    /// No design, device or command. `body` is the line behind the header.
    pub(super) fn complete(&self, source: &Source, body: usize) -> Result<(), Refused> {
        for (key, value) in [("Command", &self.command), ("Design", &self.design), ("Device", &self.device)] {
            if value.is_empty() {
                return Err(source.error(body - 1, format!("the header of the report has no `| {key} :`")));
            }
        }
        Ok(())
    }
}

pub(super) fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() >= 3 && line.bytes().all(|b| b == b'-')
}
