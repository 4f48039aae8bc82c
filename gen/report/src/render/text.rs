//! For a person at a terminal.

use super::{block_ram, count, lut_ram, maybe, number};
use crate::baseline::Growth;
use crate::budget::{Judged, Outcome};
use crate::ecp5::PART;
use crate::levels::{End, Path};
use crate::model::Report;
use crate::vivado::Met;

/// Rows of growth that are shown; the JSON has all.
const MOST_CHANGES: usize = 30;

pub fn text(report: &Report) -> String {
    let mut out = format!("profile {}\n", report.profile);
    for tool in &report.tools {
        out += &format!("{}: {}\n", tool.name, tool.version);
    }
    if let Some(which) = report.without_abc9() {
        out += &format!(
            "Yosys did not finish inside -abc9: the figures of {which} are those of the older mapper, and no others compare with them.\n"
        );
    }
    for family in report.families() {
        out += &format!("\nYosys, {} ({}), mapped, not placed: no frequency\n", family.name(), family.parts());
        let head = ["block", "LUT", "FF", "LUT RAM: LUTs (cells)", "RAMB36 + 18", "URAM", "DSP", "SRL", "carry", "LUT levels"];
        let mut rows = vec![head.map(String::from).to_vec()];
        for block in &report.blocks {
            let Some(m) = block.families.get(&family) else { continue };
            let f = &m.figures;
            let levels = if m.depth.comb_loop { format!("{} (loop)", m.depth.lut_levels) } else { m.depth.lut_levels.to_string() };
            let counts = [f.uram, f.dsp, f.srl, f.carry].map(count);
            let mut row = vec![block.block.clone(), count(f.lut), count(f.ff), lut_ram(f), block_ram(f)];
            row.extend(counts);
            row.push(levels);
            rows.push(row);
        }
        out += &table(&rows);
        for block in &report.blocks {
            if let Some(path) = block.families.get(&family).and_then(|m| m.depth.path.as_ref()) {
                out += &format!("{}: {}\n", block.block, path_line(path));
            }
        }
    }
    out += &by_module(report);
    out += &ecp5(report);
    out += &vivado(report);
    if let Some(growth) = &report.baseline {
        out += &grown(growth);
    }
    if let Some(judged) = report.budget.as_ref().filter(|j| !(j.checks.is_empty() && j.without.is_empty())) {
        out += &budget(judged);
    }
    out + &verdict(report)
}

fn verdict(report: &Report) -> String {
    let verdict = &report.verdict;
    let failures = verdict.failures();
    let mut out = match (verdict.exit_code, verdict.judged()) {
        (3, _) => "\nVerdict: a tool failed\n".to_string(),
        (0, 0) => "\nVerdict: nothing was judged\n".to_string(),
        (0, n) => format!("\nVerdict: pass, {n} {} pass\n", checks(n)),
        (_, n) => format!("\nVerdict: fail, {} of {n} {} fail\n", failures.len(), checks(n)),
    };
    failures.iter().for_each(|f| out += &format!("FAIL  {f}\n"));
    out
}

fn checks(n: usize) -> &'static str {
    if n == 1 { "check" } else { "checks" }
}

fn by_module(report: &Report) -> String {
    let Some(first) = report.blocks.iter().find_map(|b| b.by_module.as_ref()) else { return String::new() };
    let head = ["block", "LUT", "FF", "LUT RAM: LUTs (cells)", "RAMB36 + 18", "URAM", "DSP", "SRL", "modules", "LUT levels", "of"];
    let mut rows = vec![head.map(String::from).to_vec()];
    for block in &report.blocks {
        let Some(m) = &block.by_module else { continue };
        let f = &m.total;
        let mut row = vec![block.block.clone(), count(f.lut), count(f.ff), lut_ram(f), block_ram(f)];
        row.extend([f.uram, f.dsp, f.srl, m.modules.len() as u64].map(count));
        row.extend(m.deepest().map(|d| [d.lut_levels.to_string(), d.module.clone()]).into_iter().flatten());
        rows.push(row);
    }
    format!(
        "\nYosys, {} ({}), sums over modules that were each mapped alone: nothing is optimised across them, so a flattened block is smaller;\nlevels are those of the deepest module alone\n{}",
        first.family.name(),
        first.family.parts(),
        table(&rows)
    )
}

fn ecp5(report: &Report) -> String {
    let mut rows = vec![["block", "LUT4", "FF", "block RAM", "MHz, median (range)", "worst path ns"].map(String::from).to_vec()];
    for block in &report.blocks {
        let Some(e) = &block.ecp5 else { continue };
        let least = if e.path.as_ref().is_some_and(|p| p.in_harness) { ">= " } else { "" };
        let range = |f: fn(f64, f64) -> f64| e.mhz.values().copied().reduce(f).map_or(String::new(), |v| format!("{v:.1}"));
        let path = e.path.as_ref().map_or("-".to_string(), |p| format!("{:.2} logic + {:.2} routing", p.logic_ns, p.routing_ns));
        rows.push(vec![
            block.block.clone(),
            count(e.figures.lut),
            count(e.figures.ff),
            block_ram(&e.figures),
            format!("{least}{:.1} ({}-{})", e.median_mhz, range(f64::min), range(f64::max)),
            path,
        ]);
    }
    if rows.len() == 1 {
        return String::new();
    }
    format!("\nnextpnr, Lattice ECP5 ({PART}), in a harness of registers: says nothing about a Xilinx part\n{}", table(&rows))
}

fn vivado(report: &Report) -> String {
    if report.vivado.is_empty() && report.vivado_refused.is_empty() {
        return String::new();
    }
    let mut out = String::from("\nVivado, from its files\n");
    let mut rows = vec![["file", "design", "device", "state", "LUT", "FF", "BRAM tile", "URAM", "DSP"].map(String::from).to_vec()];
    let mut timing = vec![["file", "design", "device", "WNS ns", "WHS ns", "WPWS ns", "verdict"].map(String::from).to_vec()];
    for v in &report.vivado {
        let state = v.header.design_state.clone().unwrap_or("-".into());
        let first = [v.file.clone(), v.subject(), v.header.device.clone()];
        if let Some(u) = v.utilization() {
            let star = if u.estimate { "*" } else { "" };
            let figures = [format!("{}{star}", maybe(u.lut())), maybe(u.ff()), maybe(u.bram_tile()), maybe(u.uram()), maybe(u.dsp())];
            rows.push(first.iter().cloned().chain([state]).chain(figures).collect());
        } else if let Some(r) = v.hierarchical().and_then(|h| h.top()) {
            let figures = [maybe(r.lut), maybe(r.ff), maybe(r.bram_tile()), maybe(r.uram), maybe(r.dsp)];
            rows.push(first.iter().cloned().chain([state]).chain(figures).collect());
        } else if let Some(t) = v.timing() {
            let verdict = match &t.met {
                Met::Met if v.part.is_some() => "met in this part; the design is not judged by it".to_string(),
                Met::Met => "met".to_string(),
                Met::Violated(why) => format!("VIOLATED: {}", why.join("; ")),
                Met::Unknown(why) => format!("NOT KNOWN TO BE MET: {}", why.join("; ")),
            };
            let slacks = [&t.setup, &t.hold, &t.pulse_width].map(|c| c.worst.to_string());
            timing.push(first.iter().cloned().chain(slacks).chain([verdict]).collect());
        }
    }
    for rows in [rows, timing] {
        if rows.len() > 1 {
            out += &table(&rows);
        }
    }
    if out.contains('*') {
        out += "*: an estimate after synthesis, which optimisation lowers\n";
    }
    for v in report.vivado.iter().filter(|v| !v.skipped.is_empty()) {
        out += &format!("{}: not read: {}\n", v.file, v.skipped.join(", "));
    }
    for other in &report.vivado_left {
        out += &format!("{}: a report of {}, not read\n", other.file, other.command);
    }
    report.vivado_refused.iter().for_each(|r| out += &format!("REFUSED  {r}\n"));
    out
}

fn grown(growth: &Growth) -> String {
    let mut out = format!("\nAgainst {}: {} figures compared, {} differ\n", growth.file, growth.compared, growth.changes.len());
    if let Some(most) = growth.most_percent {
        let of = |outcome: Outcome| growth.checks.iter().filter(|c| c.outcome == outcome).count();
        let counts = [Outcome::Within, Outcome::Over, Outcome::NotJudged].map(of);
        out += &format!("at most {most} %: {} within, {} over, {} not judged\n", counts[0], counts[1], counts[2]);
    }
    if !growth.changes.is_empty() {
        let mut rows = vec![["flow", "block", "figure", "before", "now", "change"].map(String::from).to_vec()];
        for c in growth.changes.iter().take(MOST_CHANGES) {
            rows.push(vec![c.flow.clone(), c.block.clone(), c.key.clone(), number(c.before), number(c.now), change(c)]);
        }
        out += &table(&rows);
    }
    for (what, list) in [("only in this report", &growth.only_now), ("only in the baseline", &growth.only_before)] {
        if !list.is_empty() {
            out += &format!("{what}: {}\n", list.join(", "));
        }
    }
    growth.tools.iter().for_each(|t| out += &format!("{t}\n"));
    out
}

pub(super) fn change(c: &crate::baseline::Change) -> String {
    let percent = c.percent().map_or(String::new(), |p| format!(" ({p:+.1} %)"));
    let sign = if c.difference() > 0.0 { "+" } else { "" };
    format!("{sign}{}{percent}", number((c.difference() * 1000.0).round() / 1000.0))
}

fn budget(judged: &Judged) -> String {
    let counts = [Outcome::Within, Outcome::Over, Outcome::Missing, Outcome::NotJudged].map(|o| judged.count(o));
    let mut out =
        format!("\nBudget {}: {} within, {} over, {} missing, {} not judged\n", judged.file, counts[0], counts[1], counts[2], counts[3]);
    judged.not_judged.iter().for_each(|why| out += &format!("{why}\n"));
    if !judged.without.is_empty() {
        out += &format!("no limit for: {}\n", judged.without.join(", "));
    }
    out
}

/// Ends and named signals of a path.
pub(super) fn path_line(path: &Path) -> String {
    let mut names: Vec<String> = vec![end_name(&path.from)];
    names.extend(path.steps.iter().filter_map(|s| s.signal.as_ref()).map(|s| s.rust.first().unwrap_or(&s.verilog).clone()));
    names.push(end_name(&path.to));
    names.dedup();
    names.join(" -> ")
}

/// The Rust field, else the Verilog, else where it stands, else what it is.
fn end_name(end: &End) -> String {
    let signal = end.signal.as_ref().map(|s| s.rust.first().unwrap_or(&s.verilog).clone());
    signal.or_else(|| end.source.clone()).unwrap_or_else(|| if end.what.is_empty() { "?".into() } else { end.what.clone() })
}

/// Columns aligned, the first row the head, numbers to the right.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width: Vec<usize> =
        (0..columns).map(|c| rows.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0)).collect();
    let numeric = |c: usize| {
        rows.iter()
            .skip(1)
            .filter_map(|r| r.get(c))
            .all(|t| t == "-" || t.starts_with(|x: char| x.is_ascii_digit() || x == '-' || x == '>'))
    };
    let right: Vec<bool> = (0..columns).map(numeric).collect();
    let mut out = String::new();
    for (n, row) in rows.iter().enumerate() {
        let cells =
            row.iter().enumerate().map(|(c, t)| if right[c] { format!("{t:>w$}", w = width[c]) } else { format!("{t:<w$}", w = width[c]) });
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
        if n == 0 {
            out += &width.iter().map(|w| "-".repeat(*w)).collect::<Vec<_>>().join("  ");
            out.push('\n');
        }
    }
    out
}
