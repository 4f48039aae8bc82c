//! `report_utilization -hierarchical`: what each instance uses.

use super::table::tables;
use super::{Refused, Source};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub instance: String,
    pub module: String,
    pub depth: usize,
    /// A parent's own logic, which is in the parent's row already
    pub own: bool,
    pub lut: Option<f64>,
    pub logic_lut: Option<f64>,
    pub lutram: Option<f64>,
    pub srl: Option<f64>,
    pub ff: Option<f64>,
    pub ramb36: Option<f64>,
    pub ramb18: Option<f64>,
    /// None on parts that have none
    pub uram: Option<f64>,
    pub dsp: Option<f64>,
}

impl Row {
    /// In halves: a RAMB18 is half a tile.
    pub fn bram_tile(&self) -> Option<f64> {
        Some(self.ramb36? + self.ramb18? / 2.0)
    }
}

/// Rows in Vivado's order. Instances that share logic can add up to more than their parent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hierarchical {
    pub rows: Vec<Row>,
}

impl Hierarchical {
    pub fn top(&self) -> Option<&Row> {
        self.rows.first()
    }

    /// Rows of a module that was asked for, not those of a parent's own logic.
    pub fn of_module<'a>(&'a self, module: &'a str) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |r| !r.own && (r.module == module || (r.depth == 0 && r.instance == module)))
    }
}

pub(super) fn hierarchical(source: &Source, body: usize) -> Result<Hierarchical, Refused> {
    let tables = tables(source, body)?;
    let table = tables.known.iter().find(|t| t.column("Instance").is_some());
    let Some(table) = table else { return Err(source.error(body, "no table with a column `Instance`")) };
    let need = |name: &str| table.column(name).ok_or_else(|| source.error(table.line, format!("the table has no column `{name}`")));
    let (instance, module, lut, ff) = (need("Instance")?, need("Module")?, need("Total LUTs")?, need("FFs")?);
    let dsp = ["DSP Blocks", "DSP48 Blocks", "DSPs"].iter().find_map(|n| table.column(n));
    let mut rows: Vec<Row> = Vec::new();
    for (line, cells) in &table.rows {
        let count = |column: Option<usize>| column.map_or(Ok(None), |c| table.count(source, *line, c, cells));
        let text = cells[instance];
        let name = text.trim();
        let indent = text.len() - text.trim_start().len();
        if name.is_empty() || indent == 0 || indent % 2 == 0 {
            return Err(source.error(*line, "an instance stands one blank behind the bar, and two more for each level"));
        }
        let depth = indent / 2;
        let deepest = rows.last().map_or(0, |r| if r.own { r.depth } else { r.depth + 1 });
        if depth > deepest || (depth == 0) != rows.is_empty() {
            return Err(source.error(
                *line,
                format!("`{name}` is at level {depth}; at most {deepest} can follow the row above, and one top comes first"),
            ));
        }
        let own = name.starts_with('(') && name.ends_with(')');
        rows.push(Row {
            instance: name.trim_start_matches('(').trim_end_matches(')').to_string(),
            module: cells[module].trim().to_string(),
            depth,
            own,
            lut: count(Some(lut))?,
            logic_lut: count(table.column("Logic LUTs"))?,
            lutram: count(table.column("LUTRAMs"))?,
            srl: count(table.column("SRLs"))?,
            ff: count(Some(ff))?,
            ramb36: count(table.column("RAMB36"))?,
            ramb18: count(table.column("RAMB18"))?,
            uram: count(table.column("URAM"))?,
            dsp: count(dsp)?,
        });
    }
    if rows.is_empty() {
        return Err(source.error(table.line, "the table of instances is empty"));
    }
    Ok(Hierarchical { rows })
}
