//! Against an earlier report: what grew.

use crate::Error;
use crate::budget::{OPEN_KEYS, open_figure};
use crate::model::{Report, SCHEMA};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// One figure that is another than before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    pub flow: String,
    pub block: String,
    pub key: String,
    pub before: f64,
    pub now: f64,
}

impl Change {
    pub fn difference(&self) -> f64 {
        self.now - self.before
    }

    /// None if there was nothing before
    pub fn percent(&self) -> Option<f64> {
        (self.before != 0.0).then(|| 100.0 * self.difference() / self.before)
    }

    /// More area or depth, less frequency or slack.
    pub fn is_worse(&self) -> bool {
        if matches!(self.key.as_str(), "median_mhz" | "wns_ns" | "whs_ns") { self.difference() < 0.0 } else { self.difference() > 0.0 }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    pub file: String,
    /// Figures that are in both
    pub compared: usize,
    /// The most grown first
    pub changes: Vec<Change>,
    /// Blocks by flow in only one of both
    pub only_now: Vec<String>,
    pub only_before: Vec<String>,
    /// Tools of another release: what changed may be theirs
    pub tools: Vec<String>,
}

/// An earlier `--json`.
/// # Errors
/// A file that cannot be read, is none of these or of another version, or is of another profile.
pub fn read(path: &Path, profile: &str) -> Result<Report, Error> {
    let call = |text: String| Error::Call(format!("baseline {}: {text}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| call(format!("cannot be read: {e}")))?;
    #[derive(Deserialize)]
    struct Version {
        schema: Option<String>,
    }
    let version: Version = serde_json::from_str(&text).map_err(|e| call(format!("no JSON of `rdma-rtl report --json`: {e}")))?;
    match version.schema.as_deref() {
        Some(SCHEMA) => {}
        Some(other) => return Err(call(format!("has schema `{other}`, this program reads `{SCHEMA}`; make the baseline anew"))),
        None => return Err(call("has no `schema`; give a file that `rdma-rtl report --json FILE` wrote".into())),
    }
    let report: Report = serde_json::from_str(&text).map_err(|e| call(format!("not as `rdma-rtl report --json` writes it: {e}")))?;
    if report.profile != profile {
        return Err(call(format!("is of profile `{}`, this report is of `{profile}`", report.profile)));
    }
    Ok(report)
}

/// Every figure by flow, block and key.
fn figures(report: &Report) -> Vec<(String, String, &'static str, f64)> {
    let mut all = Vec::new();
    for block in &report.blocks {
        for (family, mapped) in &block.families {
            all.extend(OPEN_KEYS.map(|key| (family.name().to_string(), block.block.clone(), key, open_figure(mapped, key) as f64)));
        }
        if let Some(ecp5) = &block.ecp5 {
            let of = |key, value| ("ecp5".to_string(), block.block.clone(), key, value);
            all.extend([of("lut", ecp5.figures.lut as f64), of("ff", ecp5.figures.ff as f64), of("median_mhz", ecp5.median_mhz)]);
        }
    }
    for file in &report.vivado {
        // Stages of one design are files of their own.
        let name = format!("{} ({})", file.header.design, file.file);
        let mut add = |key, value: Option<f64>| all.extend(value.map(|v| ("vivado".to_string(), name.clone(), key, v)));
        if let Some(u) = file.utilization() {
            let values = [("lut", u.lut()), ("ff", u.ff()), ("bram_tile", u.bram_tile()), ("uram", u.uram()), ("dsp", u.dsp())];
            values.into_iter().for_each(|(key, value)| add(key, value));
        }
        if let Some(row) = file.hierarchical().and_then(|h| h.top()) {
            let values = [("lut", row.lut), ("ff", row.ff), ("bram_tile", row.bram_tile()), ("uram", row.uram), ("dsp", row.dsp)];
            values.into_iter().for_each(|(key, value)| add(key, value));
        }
        if let Some(t) = file.timing() {
            add("wns_ns", t.setup.worst.ns());
            add("whs_ns", t.hold.worst.ns());
        }
    }
    all
}

pub fn growth(file: &str, before: &Report, now: &Report) -> Growth {
    let (old, new) = (figures(before), figures(now));
    let mut growth = Growth { file: file.to_string(), ..Growth::default() };
    for (flow, block, key, value) in &new {
        match old.iter().find(|o| (&o.0, &o.1, o.2) == (flow, block, *key)) {
            Some((_, _, _, was)) => {
                growth.compared += 1;
                if was != value {
                    growth.changes.push(Change {
                        flow: flow.clone(),
                        block: block.clone(),
                        key: key.to_string(),
                        before: *was,
                        now: *value,
                    });
                }
            }
            None => growth.only_now.push(format!("{block} on {flow}")),
        }
    }
    let gone = old.iter().filter(|(flow, block, key, _)| !new.iter().any(|n| (&n.0, &n.1, n.2) == (flow, block, *key)));
    growth.only_before = gone.map(|(flow, block, _, _)| format!("{block} on {flow}")).collect();
    growth.only_now.dedup();
    growth.only_before.dedup();
    let much = |c: &Change| c.percent().unwrap_or(f64::INFINITY).abs();
    growth.changes.sort_by(|a, b| (b.is_worse(), much(b)).partial_cmp(&(a.is_worse(), much(a))).unwrap_or(std::cmp::Ordering::Equal));
    for tool in &now.tools {
        if let Some(was) = before.tool(&tool.name).filter(|t| t.version != tool.version) {
            growth.tools.push(format!("{} was {}, is {}: what changed may be the tool's work", tool.name, was.version, tool.version));
        }
    }
    growth
}
