//! Against an earlier report: what grew.

use crate::Error;
use crate::budget::{OPEN_KEYS, Outcome, figure, open_figure};
use crate::model::{Report, SCHEMA};
use serde::{Deserialize, Serialize};
use std::fmt;
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
    /// What a figure may grow by, in percent; then it is judged
    #[serde(default)]
    pub most_percent: Option<f64>,
    /// One for each figure that is in both, if there is a limit. Slack is none: a budget has limits for it.
    #[serde(default)]
    pub checks: Vec<GrowthCheck>,
}

/// How a figure stands against the earlier one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrowthCheck {
    pub change: Change,
    pub outcome: Outcome,
    /// Why it is not judged
    #[serde(default)]
    pub why: Option<String>,
}

impl fmt::Display for GrowthCheck {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Change { flow, block, key, before, now } = &self.change;
        let percent = self.change.percent().map_or("from nothing".to_string(), |p| format!("{p:+.1} %"));
        write!(f, "{block} on {flow}: {key} was {before}, is {now} ({percent})")
    }
}

/// Percent, with or without its sign.
/// # Errors
/// No number, or one that no growth is held against.
pub fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim_end();
    let plain = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    match number.parse::<f64>() {
        Ok(n) if plain && n <= 1000.0 => Ok(n),
        _ => Err("a percentage from 0 to 1000 is expected, as `5%`".into()),
    }
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
        if let Some(sum) = &block.by_module {
            let flow = format!("{} by module", sum.family.name());
            let of = |key| if key == "levels" { sum.deepest().map_or(0, |d| d.lut_levels) } else { figure(&sum.total, key) };
            all.extend(OPEN_KEYS.map(|key| (flow.clone(), block.block.clone(), key, of(key) as f64)));
        }
        if let Some(ecp5) = &block.ecp5 {
            let of = |key, value| ("ecp5".to_string(), block.block.clone(), key, value);
            all.extend([of("lut", ecp5.figures.lut as f64), of("ff", ecp5.figures.ff as f64), of("median_mhz", ecp5.median_mhz)]);
        }
    }
    for file in &report.vivado {
        // Stages of one design are files of their own.
        let name = format!("{} ({})", file.subject(), file.file);
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

/// `most_percent`: what a figure may grow by.
pub fn growth(file: &str, before: &Report, now: &Report, most_percent: Option<f64>) -> Growth {
    let (old, new) = (figures(before), figures(now));
    let mut growth = Growth { file: file.to_string(), most_percent, ..Growth::default() };
    for (flow, block, key, value) in &new {
        match old.iter().find(|o| (&o.0, &o.1, o.2) == (flow, block, *key)) {
            Some((_, _, _, was)) => {
                growth.compared += 1;
                let change = Change { flow: flow.clone(), block: block.clone(), key: key.to_string(), before: *was, now: *value };
                if let Some(most) = most_percent.filter(|_| !matches!(*key, "wns_ns" | "whs_ns")) {
                    growth.checks.push(judged(change.clone(), most, before, now));
                }
                if was != value {
                    growth.changes.push(change);
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

fn judged(change: Change, most: f64, before: &Report, now: &Report) -> GrowthCheck {
    let why = other_tool(&change, before, now);
    let grown = change.is_worse() && change.percent().is_none_or(|p| p.abs() > most);
    let outcome = match (&why, grown) {
        (Some(_), _) => Outcome::NotJudged,
        (None, true) => Outcome::Over,
        (None, false) => Outcome::Within,
    };
    GrowthCheck { change, outcome, why }
}

/// Why a figure does not compare with the earlier one: another release, or another mapper of it.
fn other_tool(change: &Change, before: &Report, now: &Report) -> Option<String> {
    let release = |report: &Report, tool: &str| report.tool(tool).map(|t| t.version.clone());
    let used: &[&str] = match change.flow.as_str() {
        "vivado" => {
            let release = |report: &Report| {
                let file = report.vivado.iter().find(|v| format!("{} ({})", v.subject(), v.file) == change.block);
                file.map(|v| v.header.version.clone())
            };
            let (was, is) = (release(before)?, release(now)?);
            return (was != is).then(|| format!("it was of Vivado {was}, this is {is}"));
        }
        "ecp5" => &["Yosys", "nextpnr-ecp5"],
        _ => &["Yosys"],
    };
    let mapper = |report: &Report| {
        let block = report.blocks.iter().find(|b| b.block == change.block)?;
        let sum = block.by_module.as_ref().filter(|s| change.flow == format!("{} by module", s.family.name())).map(|s| s.abc9);
        let ecp5 = block.ecp5.as_ref().filter(|_| change.flow == "ecp5").map(|e| e.abc9);
        block.families.iter().find(|(f, _)| f.name() == change.flow).map(|(_, m)| m.abc9).or(ecp5).or(sum)
    };
    let differs = used.iter().find_map(|tool| {
        let (was, is) = (release(before, tool)?, release(now, tool)?);
        (was != is).then(|| format!("it was of {was}, this is {is}"))
    });
    differs.or_else(|| (mapper(before) != mapper(now)).then(|| "one of both is of the mapper without -abc9".to_string()))
}
