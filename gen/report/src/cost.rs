//! The table of what each block costs, in Markdown, kept between two marks of a page: rows of blocks that were measured now are made anew,
//! others stay.

use crate::Error;
use crate::cells::Figures;
use crate::flow::{Family, command};
use crate::model::{Block, Report};
use crate::render::{block_ram, count, lut_ram};
use std::collections::BTreeMap;

/// The family whose figures the table has.
pub const FAMILY: Family = Family::Xcup;
const END: &str = "<!-- end of the table -->";
const HEAD: &str = "| block | LUT | FF | LUT RAM: LUTs (cells) | RAMB36 + 18 | URAM | SRL | LUT levels |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
const NOT_MEASURED: &str = "*not measured*";

/// How a page stands against what was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stale {
    /// One line each
    pub rows: Vec<String>,
    /// Why nothing was compared
    pub not_judged: Option<String>,
}

fn begin(profile: &str) -> String {
    format!("<!-- rdma-rtl report --all --profile {profile} --write-cost: this table, by the tool named below -->")
}

/// Whether the table is in a page: asked before anything is measured.
/// # Errors
/// A page without the marks.
pub fn sound(page: &str, file: &str, profile: &str) -> Result<(), Error> {
    parts(page, file, profile).map(|_| ())
}

/// The page with the table as it is now; a page that is not there yet is the table alone. `blocks` are those that a row is for, in their
/// order.
/// # Errors
/// A page without the marks; a report without the family.
pub fn written(page: Option<&str>, file: &str, report: &Report, blocks: &[&str]) -> Result<String, Error> {
    let tool = tool_line(report)?;
    let (before, table, after) = match page {
        None => ("", "", ""),
        Some(page) => parts(page, file, &report.profile)?,
    };
    // Figures of another tool do not stand beside ours.
    let old = if table.contains(&tool) { rows(table) } else { BTreeMap::new() };
    let mut out = format!("{before}{}\n{tool}\n{HEAD}", begin(&report.profile));
    for name in blocks {
        let now = report.blocks.iter().find(|b| b.block == *name).and_then(row);
        let old = || old.get(name).map(|row| row.to_string());
        out += &now.or_else(old).unwrap_or_else(|| format!("| `{name}` | {NOT_MEASURED} | | | | | | |"));
        out.push('\n');
    }
    out += END;
    out += if page.is_none() { "\n" } else { after };
    Ok(out)
}

/// Rows of the page that differ from what was measured, and blocks that have none.
/// # Errors
/// As [`written`].
pub fn stale(page: &str, file: &str, report: &Report, blocks: &[&str]) -> Result<Stale, Error> {
    let tool = tool_line(report)?;
    let (_, table, _) = parts(page, file, &report.profile)?;
    let rows = rows(table);
    let advice = "write it anew with --write-cost";
    let mut stale = Stale::default();
    stale.rows.extend(blocks.iter().filter(|b| !rows.contains_key(**b)).map(|b| format!("{file}: no row for `{b}`; {advice}")));
    stale.rows.extend(rows.keys().filter(|b| !blocks.contains(b)).map(|b| format!("{file}: a row for `{b}`, which is no block; {advice}")));
    if !table.contains(&tool) {
        let theirs = table.lines().nth(1).unwrap_or_default();
        stale.not_judged = Some(format!("the table in {file} is not judged: it is of {theirs} This is {tool}").replace('\n', " "));
        return Ok(stale);
    }
    for block in &report.blocks {
        let (Some(now), Some(then)) = (row(block), rows.get(block.block.as_str())) else { continue };
        if now != **then {
            stale.rows.push(format!("{file}: the row of `{}` is stale; it is now {now}; {advice}", block.block));
        }
    }
    Ok(stale)
}

/// Two lines and an empty one.
fn tool_line(report: &Report) -> Result<String, Error> {
    let abc9 = |b: &Block| {
        let sum = || b.by_module.as_ref().filter(|m| m.family == FAMILY).map(|m| m.abc9);
        b.families.get(&FAMILY).map(|m| m.abc9).or_else(sum)
    };
    let Some(abc9) = report.blocks.iter().find_map(abc9) else {
        return Err(Error::Call(format!("the table of costs has figures of {0}, and none was measured: --flow {0}", FAMILY.name())));
    };
    let command = command(FAMILY, true, if abc9 { " -abc9" } else { "" });
    let tool = report.tool("Yosys").map_or("Yosys", |t| t.version.as_str());
    Ok(format!("{tool}, `{command}`, profile `{}`.\n", report.profile))
}

/// What comes before the table, the table from its first mark to its last, what comes after.
fn parts<'a>(page: &'a str, file: &str, profile: &str) -> Result<(&'a str, &'a str, &'a str), Error> {
    let begin = begin(profile);
    let found = page.find(&begin).and_then(|from| Some((from, from + page[from..].find(END)?)));
    let Some((from, to)) = found else {
        return Err(Error::Call(format!("{file} has no table of ours: put these two lines where it is to be\n{begin}\n{END}")));
    };
    Ok((&page[..from], &page[from..to], &page[to + END.len()..]))
}

/// By block.
fn rows(table: &str) -> BTreeMap<&str, &str> {
    table.lines().filter_map(|line| Some((line.strip_prefix("| `")?.split_once('`')?.0, line))).collect()
}

fn row(block: &Block) -> Option<String> {
    let (name, f, levels): (String, &Figures, String) = match (block.families.get(&FAMILY), &block.by_module) {
        (Some(mapped), _) => (format!("`{}`", block.block), &mapped.figures, mapped.depth.lut_levels.to_string()),
        (None, Some(sum)) if sum.family == FAMILY => {
            (format!("`{}`, by module", block.block), &sum.total, sum.deepest().map_or(0, |d| d.lut_levels).to_string())
        }
        _ => return None,
    };
    let cells = [count(f.lut), count(f.ff), lut_ram(f), block_ram(f), count(f.uram), count(f.srl), levels];
    Some(format!("| {name} | {} |", cells.join(" | ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::Mapped;
    use crate::tools::Tool;

    fn report(version: &str, blocks: &[(&str, u64)]) -> Report {
        let mapped = |lut: u64| Mapped {
            command: "synth".into(),
            abc9: true,
            figures: Figures::of(vec!["LUT6"; lut as usize]),
            ..Mapped::default()
        };
        let block = |(name, lut): &(&str, u64)| Block {
            block: name.to_string(),
            families: BTreeMap::from([(FAMILY, mapped(*lut))]),
            ..Block::default()
        };
        let tool = Tool { program: Default::default(), name: "Yosys".into(), version: version.into() };
        Report { tools: vec![tool], blocks: blocks.iter().map(block).collect(), ..Report::new("default") }
    }

    #[test]
    fn rows_that_were_measured_change_and_others_stay() {
        let all = ["a", "b", "c"];
        let first = written(None, "p.md", &report("Yosys 1", &[("a", 1), ("b", 2)]), &all).unwrap();
        assert!(first.contains("| `b` | 2 | 0 | - | - | 0 | 0 | 0 |\n| `c` | *not measured* |"), "{first}");
        let page = format!("# Cost\n\n{first}\nMore.\n");
        let second = written(Some(&page), "p.md", &report("Yosys 1", &[("b", 3)]), &all).unwrap();
        assert_eq!(second, page.replace("| `b` | 2 |", "| `b` | 3 |"));
        assert_eq!(written(Some(&second), "p.md", &report("Yosys 1", &[("b", 3)]), &all).unwrap(), second);
        // Another release: its figures alone.
        let third = written(Some(&page), "p.md", &report("Yosys 2", &[("b", 3)]), &all).unwrap();
        assert!(third.contains("Yosys 2, `synth_xilinx") && third.contains("| `a` | *not measured* |"), "{third}");
        assert!(third.starts_with("# Cost\n\n<!--") && third.ends_with("-->\n\nMore.\n"), "{third}");
    }

    #[test]
    fn a_stale_row_is_named() {
        let all = ["a", "b"];
        let page = written(None, "p.md", &report("Yosys 1", &[("a", 1), ("b", 2)]), &all).unwrap();
        let stale = |version: &str, blocks: &[(&str, u64)], all: &[&str]| stale(&page, "p.md", &report(version, blocks), all).unwrap();
        assert_eq!(stale("Yosys 1", &[("a", 1)], &all), Stale::default());
        let found = stale("Yosys 1", &[("a", 1), ("b", 3)], &all);
        assert!(found.rows.len() == 1 && found.rows[0].contains("p.md: the row of `b` is stale; it is now | `b` | 3 |"), "{found:?}");
        assert_eq!(stale("Yosys 1", &[("a", 1)], &["a", "b", "c"]).rows, ["p.md: no row for `c`; write it anew with --write-cost"]);
        assert_eq!(stale("Yosys 1", &[("a", 1)], &["a"]).rows, ["p.md: a row for `b`, which is no block; write it anew with --write-cost"]);
        let other = stale("Yosys 2", &[("a", 7)], &all);
        assert!(other.rows.is_empty() && other.not_judged.is_some_and(|w| w.contains("Yosys 1") && w.contains("Yosys 2")));
    }

    #[test]
    fn a_page_without_marks_and_a_report_without_figures_are_refused() {
        let one = report("Yosys 1", &[("a", 1)]);
        let large = Report { profile: "large".into(), ..one.clone() };
        let page = written(None, "p.md", &one, &["a"]).unwrap();
        for page in ["", "# Cost\n", &page[..page.len() / 2]] {
            let error = written(Some(page), "p.md", &one, &["a"]).unwrap_err().to_string();
            assert!(error.starts_with("p.md has no table of ours") && error.contains(END), "{error}");
        }
        assert!(written(Some(&page), "p.md", &large, &["a"]).is_err(), "a table of another profile");
        let error = stale(&page, "p.md", &Report::new("default"), &["a"]).unwrap_err().to_string();
        assert!(error.contains("--flow xcup"), "{error}");
    }
}
