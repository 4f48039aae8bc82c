//! One page that needs nothing but itself: no script, no font, no picture, no address that is loaded.

use super::chart::{Bar, bars};
use super::text::{change, path_line};
use super::{block_ram, count, lut_ram, number};
use super::{html_modules, html_vivado};
use crate::budget::{BudgetCheck, Outcome};
use crate::ecp5::PART;
use crate::flow::Family;
use crate::hierarchy::Instance;
use crate::levels::{Depth, Path};
use crate::model::{Block, Report};
use crate::verdict::Ends;
use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("style.css");
/// Instances that are shown per block, the deepest first to go; the JSON has all.
const MOST_INSTANCES: usize = 80;

pub fn html(report: &Report) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "rdma-rtl report: " (report.profile) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (header(report))
                main {
                    (summary(report))
                    @if let Some(growth) = &report.baseline { (baseline(growth)) }
                    @for family in report.families() { (open(report, family)) }
                    @if report.blocks.iter().any(|b| b.by_module.is_some()) { (html_modules::section(report)) }
                    @if report.blocks.iter().any(|b| b.ecp5.is_some()) { (ecp5(report)) }
                    @if !report.vivado.is_empty() || !report.vivado_refused.is_empty() { (html_vivado::section(report)) }
                    @if !report.blocks.is_empty() { (details(report)) }
                    (method(report))
                }
            }
        }
    };
    page.into_string()
}

fn verdict(report: &Report) -> (&'static str, &'static str, String) {
    let verdict = &report.verdict;
    let (failures, unjudged, kept) = (verdict.failures().len(), verdict.count(Ends::NotJudged), verdict.kept());
    let checks = |n: usize| if n == 1 { "check" } else { "checks" };
    match (verdict.exit_code, unjudged, kept) {
        (3, _, _) => ("bad", "ERROR", "a tool failed".into()),
        (1.., _, _) => ("bad", "FAIL", format!("{failures} {} not met", checks(failures))),
        (0, 1.., _) => ("unsure", "NOT JUDGED", format!("{unjudged} {} cannot be judged, {kept} met", checks(unjudged))),
        (0, 0, 1..) => ("good", "PASS", format!("{kept} {} met", checks(kept))),
        _ => ("unsure", "NO BUDGET", "nothing was held against a limit".into()),
    }
}

fn header(report: &Report) -> Markup {
    let (class, word, why) = verdict(report);
    html! {
        header {
            div class="inner" {
                div {
                    h1 { "Area, depth and timing" }
                    p class="sub" { "Profile " strong { (report.profile) } ", " (report.blocks.len()) " blocks" }
                }
                p class=(format!("verdict {class}")) { strong { (word) } span { (why) } }
            }
        }
    }
}

fn card(number: &str, unit: &str, about: &str) -> Markup {
    html! { div class="card" { p class="figure" { (number) " " small { (unit) } } p { (about) } } }
}

fn summary(report: &Report) -> Markup {
    let failures = report.verdict.failures();
    let family = report.families().first().copied();
    let of = |b: &Block| family.and_then(|f| Some((b.families.get(&f)?.figures.lut, b.families.get(&f)?.depth.lut_levels)));
    let largest = report.blocks.iter().filter_map(|b| Some((of(b)?.0, &b.block))).max_by_key(|(n, _)| *n);
    let deepest = report.blocks.iter().filter_map(|b| Some((of(b)?.1, &b.block))).max_by_key(|(n, _)| *n);
    let slowest = report.blocks.iter().filter_map(|b| Some((b.ecp5.as_ref()?.median_mhz, &b.block))).min_by(|a, b| a.0.total_cmp(&b.0));
    let timings = report.vivado.iter().filter_map(|v| v.timing());
    let worst = timings.filter_map(|t| t.setup.worst.ns()).reduce(f64::min);
    html! {
        section {
            h2 { "Summary" }
            div class="cards" {
                @if let Some(b) = &report.budget {
                    (card(&format!("{} / {}", b.count(Outcome::Within), b.checks.len()), "limits kept", &b.file))
                }
                @if let (Some((n, block)), Some(f)) = (largest, family) {
                    (card(&count(n), "LUT", &format!("largest block, {block} on {}", f.name())))
                }
                @if let (Some((n, block)), Some(f)) = (deepest, family) {
                    (card(&n.to_string(), "LUT levels", &format!("deepest block, {block} on {}", f.name())))
                }
                @if let Some((mhz, block)) = slowest {
                    (card(&format!("{mhz:.0}"), "MHz on ECP5", &format!("slowest block, {block}, median of seeds")))
                }
                @if let Some(ns) = worst { (card(&format!("{ns:.3}"), "ns WNS", "worst in Vivado's files")) }
            }
            @if !failures.is_empty() {
                h3 { "What fails" }
                ul class="failures" { @for f in &failures { li { (f) } } }
            }
            @if let Some(b) = &report.budget {
                @for why in &b.not_judged { p class="note warn" { (why) "." } }
                @if !b.without.is_empty() { p class="note" { "Measured, and without a limit: " (b.without.join(", ")) "." } }
            }
            @if let Some(which) = report.without_abc9() {
                p class="note warn" { "Yosys did not finish inside " code { "-abc9" } ". The figures of " (which) " are those of the older mapper; none from elsewhere compares with them." }
            }
            (sources(report))
        }
    }
}

/// Which tool and part each figure is from.
fn sources(report: &Report) -> Markup {
    let yosys = report.tool("Yosys").map_or("Yosys".to_string(), |t| t.version.clone());
    let nextpnr = report.tool("nextpnr-ecp5").map_or(String::new(), |t| t.version.clone());
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="table" { table class="sources" {
            caption { "Where the figures are from" }
            thead { tr { th { "figures" } th { "tool" } th { "part" } th { "stage" } } }
            tbody {
                @for family in report.families() {
                    tr { td { (family.name()) } td { (yosys) } td { "any " (family.parts()) } td { "mapped to cells, not placed: no frequency" } }
                }
                @if let Some(m) = report.blocks.iter().find_map(|b| b.by_module.as_ref()) {
                    tr { td { (m.family.name()) " by module" } td { (yosys) } td { "any " (m.family.parts()) } td { "modules mapped one by one and added up, not placed: no frequency" } }
                }
                @if report.blocks.iter().any(|b| b.ecp5.is_some()) {
                    tr { td { "ecp5" } td { (yosys) ", " (nextpnr) } td { "Lattice " (PART) } td { "placed and routed inside a harness of registers" } }
                }
                @for (version, device) in vivado_sources(report) {
                    tr { td { "vivado" } td { "Vivado " (version) } td { (device) } td { "as its files say" } }
                }
            }
        } }
        p class="note" { "No frequency of an UltraScale+ or 7 series part is known without Vivado. A figure of one tool is never set beside one of another." }
    }
}

fn vivado_sources(report: &Report) -> Vec<(String, String)> {
    let mut all: Vec<_> = report.vivado.iter().map(|v| (v.header.version.clone(), v.header.device.clone())).collect();
    all.sort();
    all.dedup();
    all
}

fn check_of<'a>(report: &'a Report, flow: &str, block: &str, key: &str) -> Option<&'a BudgetCheck> {
    report.budget.as_ref()?.checks.iter().find(|c| c.flow == flow && c.block == block && c.key == key)
}

fn open(report: &Report, family: Family) -> Markup {
    let name = family.name();
    let ours: Vec<_> = report.blocks.iter().filter_map(|b| Some((b, b.families.get(&family)?))).collect();
    let bar = |block: &Block, key: &str, value: u64| {
        let check = check_of(report, name, &block.block, key).filter(|c| c.outcome != Outcome::NotJudged);
        Bar { label: block.block.clone(), value: value as f64, limit: check.map(|c| c.limit), over: check.is_some_and(|c| c.failed()) }
    };
    let luts = sorted(ours.iter().map(|(b, m)| bar(b, "lut", m.figures.lut)).collect());
    let levels = sorted(ours.iter().map(|(b, m)| bar(b, "levels", m.depth.lut_levels)).collect());
    let cell = |block: &Block, key: &str, shown: String| {
        let failed = check_of(report, name, &block.block, key).is_some_and(|c| c.failed());
        html! { td class=(if failed { "n over" } else { "n" }) { (shown) @if failed { " " span class="tag" { "over" } } } }
    };
    html! {
        section {
            h2 { (family.parts()) ", mapped by Yosys " span class="flow" { (name) } }
            p class="sub" { "Cells and logic levels of each block alone. A line across a bar is its budget." }
            div class="charts" { (bars("LUTs", "LUT", &luts)) (bars("Logic levels between registers", "levels", &levels)) }
            div class="scroll" tabindex="0" role="region" aria-label="table" { table {
                thead { tr {
                    th { "block" } th class="n" { "LUT" } th class="n" { "FF" } th class="n" { "LUT RAM" br; small { "LUTs (cells)" } }
                    th class="n" { "block RAM" br; small { "36 + 18 Kbit" } } th class="n" { "URAM" } th class="n" { "DSP" } th class="n" { "SRL" } th class="n" { "carry" }
                    th class="n" { "LUT levels" }
                } }
                tbody { @for (b, m) in &ours {
                    @let f = &m.figures;
                    tr {
                        th scope="row" { a href=(format!("#{}", b.block)) { (b.block) } }
                        (cell(b, "lut", count(f.lut))) (cell(b, "ff", count(f.ff))) (cell(b, "lutram_lut", lut_ram(f)))
                        (cell(b, "bram36", block_ram(f))) (cell(b, "uram", count(f.uram))) (cell(b, "dsp", count(f.dsp)))
                        (cell(b, "srl", count(f.srl))) td class="n" { (count(f.carry)) }
                        (cell(b, "levels", m.depth.lut_levels.to_string()))
                    }
                } }
            } }
        }
    }
}

/// The largest first.
fn sorted(mut bars: Vec<Bar>) -> Vec<Bar> {
    bars.sort_by(|a, b| b.value.total_cmp(&a.value));
    bars
}

fn ecp5(report: &Report) -> Markup {
    let ours: Vec<_> = report.blocks.iter().filter_map(|b| Some((b, b.ecp5.as_ref()?))).collect();
    let bar = |(b, e): &(&Block, &crate::ecp5::Ecp5)| {
        let check = check_of(report, "ecp5", &b.block, "least_mhz").filter(|c| c.outcome != Outcome::NotJudged);
        Bar { label: b.block.clone(), value: e.median_mhz, limit: check.map(|c| c.limit), over: check.is_some_and(|c| c.failed()) }
    };
    html! {
        section {
            h2 { "Lattice ECP5, placed by nextpnr " span class="flow" { "ecp5" } }
            p class="sub" { "The frequency of an ECP5 (" (PART) "), for comparing blocks and seeing regressions. It says nothing about a Xilinx part; differences below 10 % say nothing." }
            (bars("Frequency, median of the seeds", "MHz", &sorted(ours.iter().map(bar).collect())))
            div class="scroll" tabindex="0" role="region" aria-label="table" { table {
                thead { tr { th { "block" } th class="n" { "LUT4" } th class="n" { "FF" } th class="n" { "block RAM" } th class="n" { "MHz" br; small { "median" } } th { "MHz by seed" } th class="n" { "logic + routing" br; small { "ns" } } } }
                tbody { @for (b, e) in &ours { tr {
                    th scope="row" { (b.block) }
                    td class="n" { (count(e.figures.lut)) } td class="n" { (count(e.figures.ff)) } td class="n" { (block_ram(&e.figures)) }
                    td class="n" { @if e.path.as_ref().is_some_and(|p| p.in_harness) { "≥ " } (format!("{:.1}", e.median_mhz)) }
                    td class="nowrap" { (e.mhz.iter().map(|(s, v)| format!("{s}: {v:.1}")).collect::<Vec<_>>().join(", ")) }
                    td class="n" { @if let Some(p) = &e.path { (format!("{:.2} + {:.2}", p.logic_ns, p.routing_ns)) } }
                } } }
            } }
        }
    }
}

fn baseline(growth: &crate::baseline::Growth) -> Markup {
    html! {
        section {
            h2 { "What changed" }
            p class="sub" { "Against " code { (growth.file) } ": " (growth.compared) " figures compared, " (growth.changes.len()) " differ." }
            @for t in &growth.tools { p class="note warn" { (t) "." } }
            @if !growth.changes.is_empty() { div class="scroll" tabindex="0" role="region" aria-label="table" { table {
                thead { tr { th { "block" } th class="n" { "change" } th { "flow" } th { "figure" } th class="n" { "before" } th class="n" { "now" } } }
                tbody { @for c in &growth.changes { tr {
                    th scope="row" { (c.block) }
                    td class=(if c.is_worse() { "n worse" } else { "n better" }) { (if c.is_worse() { "▲ " } else { "▼ " }) (change(c)) }
                    td { (c.flow) } td { (c.key) } td class="n" { (number(c.before)) } td class="n" { (number(c.now)) }
                } } }
            } } }
            @if !growth.only_now.is_empty() { p class="note" { "Only in this report: " (growth.only_now.join(", ")) "." } }
            @if !growth.only_before.is_empty() { p class="note" { "Only in the baseline: " (growth.only_before.join(", ")) "." } }
        }
    }
}

fn details(report: &Report) -> Markup {
    html! {
        section {
            h2 { "Blocks" }
            p class="sub" { "The deepest path of each, with its fields in the Rust source, and what its instances cost." }
            @for block in &report.blocks {
                details id=(block.block) {
                    summary { span class="name" { (block.block) } @if let Some(line) = first_path(block) { span class="hint" { (line) } } }
                    @if let Some(m) = &block.by_module { (html_modules::modules(m)) }
                    @for (family, m) in &block.families {
                        h3 { "Deepest path, " (family.name()) }
                        (path(&m.depth))
                    }
                    @if let Some((family, h)) = &block.hierarchy { @if h.instances.len() > 1 {
                        h3 { "Instances, " (family.name()) }
                        p class="note" { "Each module mapped on its own (" code { (h.command) } "): the sum is not that of the flattened block above. Smaller instances in the JSON." }
                        (instances(&h.instances))
                    } }
                }
            }
        }
    }
}

fn first_path(block: &Block) -> Option<String> {
    let (family, m) = block.families.iter().next()?;
    Some(format!("{} levels on {}", m.depth.lut_levels, family.name()))
}

fn path(depth: &Depth) -> Markup {
    let Some(path) = &depth.path else { return html! { p class="note" { "No logic between its ports and registers." } } };
    html! {
        @if depth.comb_loop { p class="note warn" { "There is logic that feeds itself without a register; what hangs behind it has no level." } }
        p class="path" { (path_line(path)) }
        div class="scroll" tabindex="0" role="region" aria-label="table" { table class="steps" {
            thead { tr { th class="n" { "level" } th { "cell" } th { "Verilog" } th { "Rust field" } } }
            tbody {
                (end_row("0", &path.from))
                @for s in &path.steps { tr {
                    td class="n" { (s.level) } td { code { (s.cell) } }
                    td { @if let Some(x) = &s.signal { code { (x.verilog) } } @else { span class="none" { "no name left" } } }
                    td { @if let Some(x) = &s.signal { (fields(&x.rust)) } }
                } }
                (end_row("", &path.to))
            }
        } }
        (weight(depth, path))
    }
}

fn weight(depth: &Depth, path: &Path) -> Markup {
    html! { p class="note" {
        (depth.lut_levels) " LUT levels, " (depth.carry_on_path) " carry cells and " (depth.wide_mux_on_path) " wide multiplexers on " (path.steps.len()) " cells."
    } }
}

fn end_row(level: &str, end: &crate::levels::End) -> Markup {
    html! { tr class="end" {
        td class="n" { (level) } td { code { (end.what) } }
        td { @if let Some(s) = &end.signal { code { (s.verilog) } " " } @if let Some(at) = &end.source { small { (at) } } }
        td { @if let Some(s) = &end.signal { (fields(&s.rust)) } }
    } }
}

fn fields(rust: &[String]) -> Markup {
    html! { @for (i, f) in rust.iter().enumerate() { @if i > 0 { ", " } code { (f) } } }
}

fn instances(all: &[Instance]) -> Markup {
    let deepest = (0..8).rev().find(|d| all.iter().filter(|i| i.depth <= *d).count() <= MOST_INSTANCES).unwrap_or(1);
    let most = all.first().map_or(1, |i| i.total.lut + i.total.lutram_lut + i.total.srl).max(1);
    html! { div class="scroll" tabindex="0" role="region" aria-label="table" { table {
        thead { tr { th { "instance" } th { "module" } th class="n" { "LUT" } th class="n" { "FF" } th class="n" { "LUT RAM" } th class="n" { "block RAM" } th { "share of LUTs" } } }
        tbody { @for i in all.iter().filter(|i| i.depth <= deepest) {
            @let own = i.total.lut + i.total.lutram_lut + i.total.srl;
            tr {
                th scope="row" class=(format!("in{}", i.depth.min(6))) { (if i.path.is_empty() { "(top)" } else { i.path.rsplit('.').next().unwrap_or(&i.path) }) }
                td { code { (i.module) } } td class="n" { (count(i.total.lut)) } td class="n" { (count(i.total.ff)) }
                td class="n" { (lut_ram(&i.total)) } td class="n" { (block_ram(&i.total)) }
                td { svg class="share" role="img" aria-label=(format!("{} %", 100 * own / most)) width="100%" height="12" {
                    rect class="track" width="100%" height="12" rx="3" {} rect class="bar" width=(format!("{}%", (100 * own / most).min(100))) height="12" rx="3" {}
                } }
            }
        } }
    } } }
}

fn method(report: &Report) -> Markup {
    let commands: Vec<String> = {
        let flat = report.blocks.iter().flat_map(|b| b.families.values().map(|m| m.command.clone()));
        let sums = report.blocks.iter().filter_map(|b| Some(b.by_module.as_ref()?.command.clone()));
        let mut all: Vec<String> =
            flat.chain(sums).chain(report.blocks.iter().filter_map(|b| Some(b.ecp5.as_ref()?.command.clone()))).collect();
        all.sort();
        all.dedup();
        all
    };
    html! {
        section class="method" {
            h2 { "How it is measured" }
            ul {
                @for c in &commands { li { code { (c) } } }
                li { "LUT: cells LUT1 to LUT6 and inverters. Two small ones are never packed into one, so Vivado's count is lower." }
                li { "LUT levels: the longest path between flip-flops, memories and ports. A LUT, an inverter or a read of LUT RAM is one level; carry cells and wide multiplexers are none." }
                li { "Nothing is placed on a Xilinx part, so nothing here is a delay on one." }
            }
        }
    }
}
