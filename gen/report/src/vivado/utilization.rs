//! `report_utilization`: what the whole design uses.

use super::Source;
use super::table::tables;
use crate::Error;
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
        self.used(&["LUT as Memory"])
    }

    pub fn ff(&self) -> Option<f64> {
        self.used(&REGISTERS)
    }

    /// In halves: a RAMB18 is half a tile.
    pub fn bram_tile(&self) -> Option<f64> {
        self.used(&["Block RAM Tile"])
    }

    /// None on parts that have none
    pub fn uram(&self) -> Option<f64> {
        self.used(&["URAM"])
    }

    pub fn dsp(&self) -> Option<f64> {
        self.used(&["DSPs"])
    }
}

pub(super) fn utilization(source: &Source, body: usize) -> Result<Utilization, Error> {
    let mut found = Utilization::default();
    for table in tables(source, body)? {
        if table.section.starts_with("SLR ") {
            slr(&table, source, &mut found)?;
            continue;
        }
        let (Some(site), Some(used)) = (table.column("Site Type"), table.column("Used")) else { continue };
        let available = table.column("Available");
        for (line, cells) in &table.rows {
            let text = cells[site];
            let label = text.trim();
            let used = table.count(source, *line, used, cells)?;
            let available = available.map_or(Ok(None), |column| table.count(source, *line, column, cells))?;
            let name = label.trim_end_matches('*').trim_end();
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

/// One column per SLR, one row per kind of site; the columns of percentages end with `%`.
fn slr(table: &super::table::Table, source: &Source, found: &mut Utilization) -> Result<(), Error> {
    let Some(site) = table.column("Site Type") else { return Ok(()) };
    for (line, cells) in table.rows.iter().filter(|(_, cells)| LUTS.contains(&cells[site].trim().trim_end_matches('*'))) {
        for (column, name) in table.columns.iter().enumerate().filter(|(_, n)| n.starts_with("SLR") && !n.contains('%')) {
            found.slr_luts.push((name.to_string(), table.count(source, *line, column, cells)?));
        }
    }
    Ok(())
}
