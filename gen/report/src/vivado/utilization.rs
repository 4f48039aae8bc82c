//! `report_utilization`: what the whole design uses.

use super::table::{Table, tables};
use super::{Refused, Source};
use serde::{Deserialize, Serialize};

/// One row of a table with `Used` and `Available`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Site {
    pub section: String,
    /// Without the `*` that points at a note
    pub site: String,
    /// Rows further in are part of the one above.
    pub depth: usize,
    /// None where the cell is blank
    pub used: Option<f64>,
    pub available: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Utilization {
    pub sites: Vec<Site>,
    /// A `*` stands at the LUTs: Vivado's estimate after synthesis, which optimisation lowers.
    pub estimate: bool,
    /// LUTs in each SLR, where the part has several and the report says so
    pub slr_luts: Vec<(String, Option<f64>)>,
}

const LUTS: [&str; 2] = ["CLB LUTs", "Slice LUTs"];
const REGISTERS: [&str; 2] = ["CLB Registers", "Slice Registers"];
const LUT_MEMORY: [&str; 1] = ["LUT as Memory"];
const BRAM_TILE: [&str; 1] = ["Block RAM Tile"];
const URAM: [&str; 1] = ["URAM"];
const DSP: [&str; 1] = ["DSPs"];
/// Rows that figures are taken from.
const FIGURES: [&[&str]; 6] = [&LUTS, &REGISTERS, &LUT_MEMORY, &BRAM_TILE, &URAM, &DSP];

impl Utilization {
    /// The first row with one of the labels: sections that follow break the same figures down.
    fn site(&self, labels: &[&str]) -> Option<&Site> {
        self.sites.iter().find(|s| labels.contains(&s.site.as_str()))
    }

    fn used(&self, labels: &[&str]) -> Option<f64> {
        self.site(labels)?.used
    }

    pub fn lut(&self) -> Option<f64> {
        self.used(&LUTS)
    }

    pub fn lut_available(&self) -> Option<f64> {
        self.site(&LUTS)?.available
    }

    pub fn lut_memory(&self) -> Option<f64> {
        self.used(&LUT_MEMORY)
    }

    pub fn ff(&self) -> Option<f64> {
        self.used(&REGISTERS)
    }

    /// In halves: a RAMB18 is half a tile.
    pub fn bram_tile(&self) -> Option<f64> {
        self.used(&BRAM_TILE)
    }

    /// None on parts that have none
    pub fn uram(&self) -> Option<f64> {
        self.used(&URAM)
    }

    pub fn dsp(&self) -> Option<f64> {
        self.used(&DSP)
    }
}

pub(super) fn utilization(source: &Source, body: usize, skipped: &mut Vec<String>) -> Result<Utilization, Refused> {
    let mut found = Utilization::default();
    let tables = tables(source, body)?;
    let mut dies = Vec::new();
    for table in &tables.others {
        // A table that is not as those that were seen is no reason to refuse the others.
        if let Some(luts) = slr(table, source) {
            found.slr_luts = luts;
            dies.push(table.section);
        }
    }
    skipped.extend(tables.skipped.iter().filter(|s| !dies.contains(s)).map(|s| s.to_string()));
    for table in &tables.known {
        let (Some(site), Some(used)) = (table.column("Site Type"), table.column("Used")) else { continue };
        let available = table.column("Available");
        for (line, cells) in &table.rows {
            let text = cells[site];
            let label = text.trim();
            let name = label.trim_end_matches('*').trim_end();
            // What nothing is held against is no reason to refuse the rest.
            let read = |column: usize| match table.count(source, *line, column, cells) {
                Err(refused) if FIGURES.iter().any(|labels| labels.contains(&name)) => Err(refused),
                count => Ok(count.unwrap_or_default()),
            };
            let used = read(used)?;
            let available = available.map_or(Ok(None), read)?;
            if label.ends_with('*') && LUTS.contains(&name) {
                found.estimate = true;
            }
            let depth = (text.len() - text.trim_start().len()).saturating_sub(1) / 2;
            found.sites.push(Site { section: table.section.to_string(), site: name.to_string(), depth, used, available });
        }
    }
    for labels in [&LUTS, &REGISTERS] {
        if found.site(labels).is_none() {
            return Err(source.error(
                body,
                format!("no row `{}` or `{}` in any table: is this a part of the 7 series or UltraScale?", labels[0], labels[1]),
            ));
        }
    }
    Ok(found)
}

/// LUTs in each SLR: one column per SLR, one row per kind of site; the columns of percentages end with `%`.
fn slr(table: &Table, source: &Source) -> Option<Vec<(String, Option<f64>)>> {
    let site = table.column("Site Type")?;
    let row = table.rows.iter().find(|(_, cells)| LUTS.contains(&cells[site].trim().trim_end_matches('*')));
    let (line, cells) = row.filter(|_| table.section.starts_with("SLR "))?;
    let columns = table.columns.iter().enumerate().filter(|(_, n)| n.starts_with("SLR") && !n.contains('%'));
    let counts = columns.map(|(column, name)| Some((name.to_string(), table.count(source, *line, column, cells).ok()?)));
    counts.collect()
}
