//! Tables of a timing summary: a head, dashes below it, values; columns known by where the dashes stand.
//!
//! Numbers end where the dashes of their column end; names begin where theirs begin. A cell may be blank, so words cannot be counted.

use super::header::is_rule;
use super::slack::Slack;
use super::{Refused, Source};

/// A section `| Title` and what stands below it: lines from..to.
pub(super) fn section(source: &Source, body: usize, title: &str) -> Option<(usize, usize)> {
    let lines = source.lines;
    let head = (body..lines.len()).find(|i| {
        lines[*i].strip_prefix("| ").is_some_and(|t| t.trim() == title)
            && lines.get(i + 1).is_some_and(|l| l.strip_prefix("| ").is_some_and(is_rule))
            && lines.get(i + 2).is_some_and(|l| is_rule(l))
    })?;
    let from = head + 3;
    let to =
        (from..lines.len()).find(|i| is_rule(lines[*i]) && lines.get(i + 1).is_some_and(|l| l.starts_with("| "))).unwrap_or(lines.len());
    Some((from, to))
}

pub(super) struct Aligned<'a> {
    /// Begin and end of the dashes of each column, in bytes
    columns: Vec<(usize, usize)>,
    pub rows: Vec<(usize, &'a str)>,
}

/// The head that begins with `first`, and the rows below it up to an empty line.
/// # Errors
/// No such head, or no dashes below it.
pub(super) fn aligned<'a>(source: &Source<'a>, range: (usize, usize), first: &str) -> Result<Aligned<'a>, Refused> {
    let lines = source.lines;
    let head = (range.0..range.1).find(|i| lines[*i].trim_start().starts_with(first));
    let Some(head) = head else {
        return Err(source.error(range.0.min(lines.len()) - 1, format!("a table with the column `{first}` is expected below")));
    };
    let dashes = lines.get(head + 1).copied().unwrap_or_default();
    if head + 1 >= range.1 || dashes.trim().is_empty() || !dashes.bytes().all(|b| b == b'-' || b == b' ') {
        return Err(source.error(head, "the head of a table without dashes below it"));
    }
    let columns = words(dashes).map(|(begin, word)| (begin, begin + word.len())).collect();
    let rows = (head + 2..range.1).map(|i| (i, lines[i])).take_while(|(_, l)| !l.trim().is_empty()).collect();
    Ok(Aligned { columns, rows })
}

impl Aligned<'_> {
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// `names` columns of text, then numbers. A name may hold blanks or be longer than its column, as long as the numbers stay where they
    /// are.
    /// # Errors
    /// A word in the place of a number that is none.
    pub fn row<'a>(&self, source: &Source, line: usize, text: &'a str, names: usize) -> Result<(Vec<&'a str>, Vec<Slack>), Refused> {
        let found: Vec<(usize, &str)> = words(text).collect();
        let numbers = &self.columns[names.min(self.columns.len())..];
        let bad = |word: &str| source.error(line, format!("`{word}` stands where a number, `inf`, `NA` or nothing is expected"));
        let mut values = Vec::new();
        // A row that has every value needs no alignment, and one with a number that is too long for its column has none.
        if names == 0 && found.len() == numbers.len() {
            for (_, word) in &found {
                values.push(Slack::parse(word).ok_or_else(|| bad(word))?);
            }
            return Ok((Vec::new(), values));
        }
        let mut first = text.len();
        for (_, end) in numbers {
            match found.iter().find(|(begin, word)| begin + word.len() == *end) {
                Some((begin, word)) => {
                    values.push(Slack::parse(word).ok_or_else(|| bad(word))?);
                    first = first.min(*begin);
                }
                None => values.push(Slack::Blank),
            }
        }
        // No word may stand between the numbers without being one of them.
        let names_end = numbers.first().map_or(text.len(), |(begin, _)| *begin).min(first);
        for (begin, word) in found.iter().filter(|(begin, _)| *begin >= names_end) {
            if !numbers.iter().any(|(_, end)| begin + word.len() == *end) {
                return Err(bad(word));
            }
        }
        let mut parts = Vec::new();
        for i in 0..names {
            let begin = self.columns[i].0;
            let end = if i + 1 < names { self.columns[i + 1].0 } else { names_end };
            parts.push(text.get(begin.min(end)..end.min(text.len())).unwrap_or_default().trim_end());
        }
        Ok((parts, values))
    }
}

/// Words with the byte at which they begin.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(move |w| (w.as_ptr() as usize - line.as_ptr() as usize, w))
}
