//! Sections with tables in frames of `+`, `-` and `|`, as utilization reports have them.

use super::header::is_rule;
use super::slack::number;
use super::{Refused, Source};

pub(super) struct Table<'a> {
    /// Title of the section, without its number
    pub section: &'a str,
    /// Line of the head, from 0
    pub line: usize,
    pub columns: Vec<&'a str>,
    pub rows: Vec<(usize, Vec<&'a str>)>,
}

impl<'a> Table<'a> {
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| *c == name)
    }

    /// A count in a cell; none where the cell is empty or says that it does not apply. A percentage or `(Lost)` may follow it.
    pub fn count(&self, source: &Source, line: usize, column: usize, cells: &[&str]) -> Result<Option<f64>, Refused> {
        let text = cells[column].trim();
        match text {
            "" | "-" | "NA" | "N/A" => return Ok(None),
            _ => {}
        }
        match number(text.strip_suffix("(Lost)").unwrap_or(without_percentage(text))) {
            Some(n) if n >= 0.0 && (n * 2.0).fract() == 0.0 => Ok(Some(n)),
            _ => Err(source.error(line, format!("`{}` is `{text}`; a count is expected", self.columns[column]))),
        }
    }
}

/// `1250(6.01%)` of `-hierarchical_percentages`, `<0.01%` as well.
fn without_percentage(text: &str) -> &str {
    let parts = text.split_once('(').and_then(|(count, rest)| Some((count.trim_end(), rest.strip_suffix("%)")?)));
    match parts {
        Some((count, percent)) if number(percent.strip_prefix('<').unwrap_or(percent)).is_some_and(|p| p >= 0.0) => count,
        _ => text,
    }
}

/// Sections whose tables are known, over all releases and families. Any other one may have tables of any form.
const KNOWN: [&str; 24] = [
    "ADVANCED",
    "ARITHMETIC",
    "BLOCKRAM",
    "Black Boxes",
    "CLB Distribution",
    "CLB Logic",
    "CLB Logic Distribution",
    "CLOCK",
    "CONFIGURATION",
    "Clocking",
    "DSP",
    "I/O",
    "IO and GT Specific",
    "IO and GTX Specific",
    "Instantiated Netlists",
    "Memory",
    "Netlist Logic",
    "Primitives",
    "Slice Logic",
    "Slice Logic Distribution",
    "Specific Feature",
    "Summary of Registers by Type",
    "Utilization Design Information",
    "Utilization by Hierarchy",
];

pub(super) struct Tables<'a> {
    pub known: Vec<Table<'a>>,
    /// Tables of sections that are not known, if they have the form of one
    pub others: Vec<Table<'a>>,
    /// Titles of those sections, if a table is in them
    pub skipped: Vec<&'a str>,
}

/// Every table from `body` on, and every section that the table of contents names is there.
pub(super) fn tables<'a>(source: &Source<'a>, body: usize) -> Result<Tables<'a>, Refused> {
    let lines = source.lines;
    let mut tables = Tables { known: Vec::new(), others: Vec::new(), skipped: Vec::new() };
    let (mut section, mut has_table) = ("", false);
    let mut titles: Vec<&str> = Vec::new();
    let contents = contents(source, body)?;
    let mut i = contents.1;
    while i < lines.len() {
        let line = lines[i];
        let known = KNOWN.contains(&title(section));
        if lines.get(i + 1).is_some_and(|l| is_rule(l)) && contents.0.contains(&line.trim()) {
            section = line.trim();
            has_table = false;
            titles.push(section);
            i += 2;
        } else if known && is_frame(line) {
            let (table, behind) = table(source, i, title(section))?;
            tables.known.push(table);
            (i, has_table) = (behind, true);
        } else if known && line.starts_with('|') {
            return Err(source.error(i, "a row outside of a table"));
        } else if line.starts_with(['+', '|']) {
            let end = (i..lines.len()).find(|i| !lines[*i].starts_with(['+', '|'])).unwrap_or(lines.len());
            // Whatever stands in a table, a frame is its last line.
            if !is_frame(lines[end - 1]) {
                return Err(source.cut(format!("the table in section `{section}` is not closed")));
            }
            if tables.skipped.last() != Some(&title(section)) {
                tables.skipped.push(title(section));
            }
            tables.others.extend(table(source, i, title(section)).ok().map(|t| t.0));
            (i, has_table) = (end, true);
        } else {
            i += 1;
        }
    }
    if let Some(missing) = contents.0.iter().find(|t| !titles.contains(t)) {
        return Err(source.cut(format!("section `{missing}` of its table of contents is missing")));
    }
    if !has_table {
        return Err(source.cut(format!("section `{section}` has no table")));
    }
    if source.empty_at_end() == 0 {
        return Err(source.cut("no empty line follows its last table"));
    }
    Ok(tables)
}

/// Titles in the table of contents, and the line behind it.
fn contents<'a>(source: &Source<'a>, body: usize) -> Result<(Vec<&'a str>, usize), Refused> {
    let begin = source.lines.iter().enumerate().skip(body).find(|(_, l)| l.trim() == "Table of Contents").map(|(i, _)| i);
    let Some(begin) = begin else { return Err(source.cut("it has no `Table of Contents`")) };
    let mut titles = Vec::new();
    for (i, line) in source.lines.iter().enumerate().skip(begin + 2) {
        if line.trim().is_empty() {
            return if titles.is_empty() { Err(source.error(i, "the table of contents is empty")) } else { Ok((titles, i)) };
        }
        titles.push(line.trim());
    }
    Err(source.cut("it ends inside its table of contents"))
}

/// Without the number before it: `1. CLB Logic`, `1.1 Summary of Registers by Type`.
fn title(section: &str) -> &str {
    section.split_once(' ').map_or(section, |(_, title)| title)
}

fn is_frame(line: &str) -> bool {
    let line = line.trim_end();
    line.len() >= 3 && line.starts_with('+') && line.ends_with('+') && line.bytes().all(|b| b == b'+' || b == b'-')
}

/// A frame, a head, a frame; then rows and frames, the last of which closes it, or nothing if the table is empty.
fn table<'a>(source: &Source<'a>, first: usize, section: &'a str) -> Result<(Table<'a>, usize), Refused> {
    let lines = source.lines;
    let line = |i: usize| lines.get(i).copied().unwrap_or_default();
    if !line(first + 1).starts_with('|') || !is_frame(line(first + 2)) {
        return Err(source.error(first, format!("the table in section `{section}` has no head")));
    }
    let columns: Vec<&str> = cells(line(first + 1)).into_iter().map(str::trim).collect();
    let mut table = Table { section, line: first + 1, columns, rows: Vec::new() };
    let mut at = first + 3;
    loop {
        let rows = at;
        while line(at).starts_with('|') {
            let cells = cells(line(at));
            if cells.len() != table.columns.len() || !line(at).trim_end().ends_with('|') {
                return Err(source.error(at, format!("a row of {} columns in a table of {}", cells.len(), table.columns.len())));
            }
            table.rows.push((at, cells));
            at += 1;
        }
        // Sums stand below a frame of their own.
        if rows == at {
            return Ok((table, at));
        }
        if !is_frame(line(at)) {
            return Err(
                source.error(at.min(lines.len() - 1), format!("the table in section `{section}` is not closed: the report is cut short"))
            );
        }
        at += 1;
    }
}

/// Between the bars, blanks kept.
fn cells(line: &str) -> Vec<&str> {
    let line = line.trim_end();
    let inner = line.strip_prefix('|').unwrap_or(line);
    inner.strip_suffix('|').unwrap_or(inner).split('|').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentage_behind_a_count_is_no_part_of_it() {
        for (text, count) in [
            ("1250(6.01%)", "1250"),
            ("0(0.00%)", "0"),
            ("1(<0.01%)", "1"),
            ("1.5 (12%)", "1.5"),
            ("1250", "1250"),
            ("1250(6.01)", "1250(6.01)"),
            ("1250(x%)", "1250(x%)"),
            ("1250(-1%)", "1250(-1%)"),
            ("(6.01%)", ""),
            ("1(2%)(3%)", "1(2%)(3%)"),
        ] {
            assert_eq!(without_percentage(text), count, "{text}");
        }
    }
}
