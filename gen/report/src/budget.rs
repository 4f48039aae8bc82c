//! Budgets: what blocks may cost at a profile, as TOML.
//!
//! ```toml
//! profile = "default"
//! yosys = "Yosys 0.23 (git sha1 7ce5011c24b)"     # the release whose figures the limits are
//! nextpnr = "nextpnr-ecp5 0.8"                    # only beside limits for ECP5
//!
//! [xcup.receive_registry]                         # or xc7
//! lut = 10020                                     # at most
//! levels = 6
//!
//! [ecp5.receive_registry]
//! least_mhz = 120.0
//!
//! [vivado.receive_registry]                       # `Design` in the report, or a module in a hierarchical one
//! lut = 8000
//! bram_tile = 29.5
//! least_wns_ns = 0.0
//! ```
//!
//! Figures of another release of a tool differ by more than a budget's margin, both ways. They are shown beside the limit and *not judged*,
//! and that is said; whoever wants that to fail is strict.

use crate::Error;
use crate::cells::Figures;
use crate::model::Report;
use crate::vivado::Met;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// Keys of a block on a Xilinx family under Yosys.
pub const OPEN_KEYS: [&str; 9] = ["lut", "ff", "lutram_lut", "srl", "bram36", "bram18", "uram", "dsp", "levels"];
const ECP5_KEYS: [&str; 2] = ["lut", "least_mhz"];
const VIVADO_KEYS: [&str; 8] = ["lut", "ff", "bram_tile", "uram", "dsp", "least_wns_ns", "least_whs_ns", "no_clock"];
const TABLES: [(&str, &[&str]); 4] = [("xcup", &OPEN_KEYS), ("xc7", &OPEN_KEYS), ("ecp5", &ECP5_KEYS), ("vivado", &VIVADO_KEYS)];
/// More than any part has.
const MOST: f64 = 100_000_000.0;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Budget {
    pub file: String,
    pub profile: String,
    pub yosys: Option<String>,
    pub nextpnr: Option<String>,
    pub limits: Vec<Limit>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// `xcup`, `xc7`, `ecp5` or `vivado`
    pub flow: String,
    pub block: String,
    pub key: String,
    pub value: f64,
}

/// How a figure stands against its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Within,
    Over,
    /// Vivado's reports were given, and this figure is not in them.
    Missing,
    /// Measured with another release or mapper than the limit.
    NotJudged,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BudgetCheck {
    pub flow: String,
    pub block: String,
    pub key: String,
    pub limit: f64,
    pub value: Option<f64>,
    pub outcome: Outcome,
    /// Why it is not judged
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl BudgetCheck {
    pub fn failed(&self) -> bool {
        matches!(self.outcome, Outcome::Over | Outcome::Missing)
    }

    /// Whether the limit is the least that is allowed.
    pub fn is_least(&self) -> bool {
        self.key.starts_with("least_")
    }
}

impl fmt::Display for BudgetCheck {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let bound = if self.is_least() { "at least" } else { "at most" };
        let value = self.value.map_or("not in the reports".to_string(), |v| v.to_string());
        write!(f, "{} on {}: {} is {value}, the budget is {bound} {}", self.block, self.flow, self.key, self.limit)
    }
}

/// The budget of a report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    pub file: String,
    /// Limits in the file, judged or not
    #[serde(default)]
    pub limits: usize,
    pub checks: Vec<BudgetCheck>,
    /// Why some checks are not judged
    pub not_judged: Vec<String>,
    /// Measured blocks, by flow, for which there is no limit
    pub without: Vec<String>,
}

impl Judged {
    pub fn count(&self, outcome: Outcome) -> usize {
        self.checks.iter().filter(|c| c.outcome == outcome).count()
    }
}

impl Budget {
    /// # Errors
    /// A file that cannot be read, or one that is refused.
    pub fn read(path: &Path, blocks: &[&str]) -> Result<Budget, Error> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::Call(format!("cannot read budget {}: {e}", path.display())))?;
        Budget::parse(&path.display().to_string(), &text, blocks)
    }

    /// `blocks` are those that limits can be about.
    /// # Errors
    /// No TOML, an unknown table, block or key, a value that no figure can have: with file, line and key.
    pub fn parse(file: &str, text: &str, blocks: &[&str]) -> Result<Budget, Error> {
        let refuse = |span: Option<Range<usize>>, what: String| {
            let line = span.map_or(1, |s| text[..s.start.min(text.len())].matches('\n').count() + 1);
            Error::Call(format!("{file}:{line}: {what}"))
        };
        let document = toml_edit::Document::parse(text).map_err(|e| refuse(e.span(), e.message().to_string()))?;
        let mut budget = Budget { file: file.to_string(), ..Budget::default() };
        for (name, item) in document.as_table() {
            let span = document.as_table().key(name).and_then(|k| k.span()).or(item.span());
            if let Some(field) = match name {
                "profile" => Some(&mut budget.profile),
                "yosys" => Some(budget.yosys.insert(String::new())),
                "nextpnr" => Some(budget.nextpnr.insert(String::new())),
                _ => None,
            } {
                let value = item.as_str().filter(|s| !s.is_empty());
                *field = value.ok_or_else(|| refuse(span, format!("`{name}` needs a text in quotes")))?.to_string();
                continue;
            }
            let Some((_, keys)) = TABLES.iter().find(|(table, _)| *table == name) else {
                return Err(refuse(span, format!("unknown key `{name}`; profile, yosys, nextpnr, xcup, xc7, ecp5 and vivado are known")));
            };
            let table = item.as_table_like().ok_or_else(|| refuse(span.clone(), format!("`{name}` is a table: [{name}.BLOCK]")))?;
            for (block, item) in table.iter() {
                let span = table.key(block).and_then(|k| k.span()).or(item.span());
                if name != "vivado" && !blocks.contains(&block) {
                    return Err(refuse(span, format!("`{name}.{block}`: there is no block `{block}`; see `rdma-rtl list`")));
                }
                let limits = item.as_table_like().ok_or_else(|| refuse(span.clone(), format!("`{name}.{block}` is a table of limits")))?;
                if limits.is_empty() {
                    return Err(refuse(span, format!("`{name}.{block}` has no limit; {} are known", keys.join(", "))));
                }
                for (key, item) in limits.iter() {
                    let path = format!("{name}.{block}.{key}");
                    let span = limits.key(key).and_then(|k| k.span()).or(item.span());
                    if !keys.contains(&key) {
                        return Err(refuse(span, format!("unknown key `{path}`; {} are known", keys.join(", "))));
                    }
                    let value = limit(key, item).map_err(|what| refuse(item.span().or(span), format!("`{path}` {what}")))?;
                    budget.limits.push(Limit { flow: name.to_string(), block: block.to_string(), key: key.to_string(), value });
                }
            }
        }
        if budget.profile.is_empty() {
            return Err(refuse(None, "the key `profile` is missing: limits are those of one profile".into()));
        }
        if budget.limits.is_empty() {
            return Err(refuse(None, "there is no limit in it, so nothing could fail".into()));
        }
        for (flow, key, set) in [("xcup", "yosys", &budget.yosys), ("xc7", "yosys", &budget.yosys), ("ecp5", "nextpnr", &budget.nextpnr)] {
            if set.is_none() && budget.limits.iter().any(|l| l.flow == flow) {
                return Err(refuse(None, format!("the key `{key}` is missing: limits of {flow} are figures of one release of it")));
            }
        }
        Ok(budget)
    }

    /// Holds a report against the limits of what was measured in it.
    pub fn judge(&self, report: &Report) -> Judged {
        let mut judged = Judged { file: self.file.clone(), limits: self.limits.len(), ..Judged::default() };
        let mut why: BTreeMap<String, usize> = BTreeMap::new();
        for limit in &self.limits {
            let Some((value, other)) = self.figure(limit, report) else { continue };
            let fits = |v: f64| if limit.key.starts_with("least_") { v >= limit.value } else { v <= limit.value };
            let outcome = match (value, &other) {
                (_, Some(reason)) => {
                    *why.entry(reason.clone()).or_insert(0) += 1;
                    Outcome::NotJudged
                }
                (None, None) => Outcome::Missing,
                (Some(v), None) if fits(v) => Outcome::Within,
                (Some(_), None) => Outcome::Over,
            };
            let Limit { flow, block, key, value: limit } = limit.clone();
            judged.checks.push(BudgetCheck { flow, block, key, limit, value, outcome, why: other });
        }
        judged.not_judged = why.into_iter().map(|(reason, n)| format!("{n} limits are not judged: {reason}")).collect();
        let limited = |flow: &str, block: &str| self.limits.iter().any(|l| l.flow == flow && l.block == block);
        for block in &report.blocks {
            let flows = block.families.keys().map(|f| f.name()).chain(block.ecp5.iter().map(|_| "ecp5"));
            judged.without.extend(flows.filter(|f| !limited(f, &block.block)).map(|f| format!("{} on {f}", block.block)));
        }
        judged
    }

    /// None if it was not measured; else the figure, and why it cannot be compared with the limit.
    fn figure(&self, limit: &Limit, report: &Report) -> Option<(Option<f64>, Option<String>)> {
        if limit.flow == "vivado" {
            let given = !report.vivado.is_empty() || !report.vivado_refused.is_empty();
            return given.then(|| (vivado_figure(limit, report), None));
        }
        let block = report.blocks.iter().find(|b| b.block == limit.block)?;
        let differs = |name: &str, set: &Option<String>| {
            let used = &report.tool(name)?.version;
            (set.as_ref() != Some(used)).then(|| format!("they are of {}, this is {used}", set.as_deref().unwrap_or("another tool")))
        };
        let mapper = |abc9: bool| (!abc9).then(|| "this Yosys cannot run -abc9, which the limits were measured with".to_string());
        if limit.flow == "ecp5" {
            let ecp5 = block.ecp5.as_ref()?;
            let value = if limit.key == "lut" { ecp5.figures.lut as f64 } else { ecp5.median_mhz };
            return Some((Some(value), differs("Yosys", &self.yosys).or(differs("nextpnr-ecp5", &self.nextpnr)).or(mapper(ecp5.abc9))));
        }
        let (_, mapped) = block.families.iter().find(|(f, _)| f.name() == limit.flow)?;
        Some((Some(open_figure(mapped, &limit.key) as f64), differs("Yosys", &self.yosys).or(mapper(mapped.abc9))))
    }
}

/// By a key of [`OPEN_KEYS`].
pub fn open_figure(mapped: &crate::flow::Mapped, key: &str) -> u64 {
    if key == "levels" { mapped.depth.lut_levels } else { figure(&mapped.figures, key) }
}

/// By a key of [`OPEN_KEYS`] but `levels`; 0 for any other.
pub(crate) fn figure(f: &Figures, key: &str) -> u64 {
    match key {
        "lut" => f.lut,
        "ff" => f.ff,
        "lutram_lut" => f.lutram_lut,
        "srl" => f.srl,
        "bram36" => f.bram36,
        "bram18" => f.bram18,
        "uram" => f.uram,
        "dsp" => f.dsp,
        _ => 0,
    }
}

/// Of the design of that name; a resource that no report of it has, of the largest instance of a module of that name.
fn vivado_figure(limit: &Limit, report: &Report) -> Option<f64> {
    // Figures of a part of the design are not the design's.
    let whole = || report.vivado.iter().filter(|v| v.part.is_none());
    let ours = || whole().filter(|v| v.header.design == limit.block);
    let key = limit.key.as_str();
    // Several reports of one design: the worst of them counts.
    let worst = |values: Vec<f64>| values.into_iter().reduce(if key.starts_with("least_") { f64::min } else { f64::max });
    if matches!(key, "least_wns_ns" | "least_whs_ns" | "no_clock") {
        let timings: Vec<_> = ours().filter_map(|v| v.timing()).collect();
        let value = |t: &&crate::vivado::Timing| match key {
            "least_wns_ns" => t.setup.worst.ns(),
            "least_whs_ns" => t.hold.worst.ns(),
            _ => t.check("no_clock").map(|n| n as f64),
        };
        // One that is not a number hides the others: nothing is known then.
        return timings.iter().map(value).collect::<Option<Vec<_>>>().and_then(worst);
    }
    let flat = ours().filter_map(|v| v.utilization()).filter_map(|u| match key {
        "lut" => u.lut(),
        "ff" => u.ff(),
        "bram_tile" => u.bram_tile(),
        "uram" => u.uram(),
        _ => u.dsp(),
    });
    let rows = whole().filter_map(|v| v.hierarchical()).flat_map(|h| h.of_module(&limit.block)).filter_map(|r| match key {
        "lut" => r.lut,
        "ff" => r.ff,
        "bram_tile" => r.bram_tile(),
        "uram" => r.uram,
        _ => r.dsp,
    });
    worst(flat.collect()).or_else(|| worst(rows.collect()))
}

fn limit(key: &str, item: &toml_edit::Item) -> Result<f64, String> {
    let number = item.as_float().or(item.as_integer().map(|i| i as f64));
    let Some(n) = number else { return Err(format!("is {}; a number is needed", item.type_name())) };
    let whole = |n: f64| n.fract() == 0.0;
    let (fits, allowed) = match key {
        "least_wns_ns" | "least_whs_ns" => ((-1000.0..=1000.0).contains(&n), "-1000 to 1000 ns"),
        "least_mhz" => (n > 0.0 && n <= 2000.0, "more than 0 and at most 2000 MHz"),
        "levels" => ((0.0..=1000.0).contains(&n) && whole(n), "a whole number from 0 to 1000"),
        "bram_tile" => ((0.0..=MOST).contains(&n) && whole(n * 2.0), "a multiple of 0.5, not negative"),
        _ => ((0.0..=MOST).contains(&n) && whole(n), "a whole number from 0 to 100000000"),
    };
    if fits { Ok(n) } else { Err(format!("= {n} cannot be; allowed is {allowed}")) }
}

/// A budget of what was measured plus `percent`, as TOML; counts and levels are rounded down, so that a small one may not grow at all.
pub fn written(report: &Report, percent: f64) -> String {
    let more = |n: u64| (n as f64 * (1.0 + percent / 100.0) + 1e-9).floor() as u64;
    let mut out = format!(
        "# Limits at `{p}`: what was measured with the tools below plus {percent} %, rounded down. Figures of other releases are not judged.\n# Made anew by: rdma-rtl report ... --profile {p} --write-budget FILE\nprofile = \"{p}\"\n",
        p = report.profile
    );
    for (key, name) in [("yosys", "Yosys"), ("nextpnr", "nextpnr-ecp5")] {
        if let Some(tool) = report.tool(name) {
            out += &format!("{key} = {:?}\n", tool.version);
        }
    }
    for family in report.families() {
        for block in &report.blocks {
            let Some(mapped) = block.families.get(&family) else { continue };
            out += &format!("\n[{}.{}]\n", family.name(), block.block);
            for key in OPEN_KEYS {
                let n = open_figure(mapped, key);
                out += &format!("{key} = {}\n", more(n));
            }
        }
    }
    for block in &report.blocks {
        if let Some(ecp5) = &block.ecp5 {
            let least = (ecp5.median_mhz / (1.0 + percent / 100.0) * 10.0).floor() / 10.0;
            out += &format!("\n[ecp5.{}]\nlut = {}\nleast_mhz = {least:?}\n", block.block, more(ecp5.figures.lut));
        }
    }
    out
}

/// Timing that is only unknown because of registers without a clock is met if the budget allows for as many.
pub fn forgive_clocks(report: &mut Report, budget: &Budget) {
    for file in report.vivado.iter_mut().filter(|v| v.part.is_none()) {
        let allowed = budget.limits.iter().find(|l| l.flow == "vivado" && l.key == "no_clock" && l.block == file.header.design);
        let (Some(allowed), crate::vivado::Contents::Timing(timing)) = (allowed, &mut file.contents) else { continue };
        let pins = timing.check("no_clock");
        if let (Met::Unknown(why), Some(pins)) = (&timing.met, pins)
            && why.len() == 1
            && why[0].contains("no_clock")
            && pins as f64 <= allowed.value
        {
            timing.met = Met::Met;
        }
    }
}
