//! What Vivado's files say, in sections of their own.

use super::maybe;
use crate::model::Report;
use crate::vivado::{Check, Met, Row, Vivado};
use maud::{Markup, html};

/// Rows of a hierarchical report that are shown; the JSON has all.
const MOST_ROWS: usize = 60;

pub fn section(report: &Report) -> Markup {
    html! {
        section {
            h2 { "Vivado " span class="flow" { "vivado" } }
            p class="sub" { "From the files that were given. \"Met\" is said only if every check has endpoints and a slack that is a number and not negative, and no register is without a clock." }
            (timing(report))
            (utilization(report))
            @for file in &report.vivado { @if let Some(h) = file.hierarchical() {
                details { summary { span class="name" { (file.subject()) } span class="hint" { "by hierarchy, " (file.file) } }
                    (rows(file, &h.rows))
                }
            } }
            @for refused in &report.vivado_refused { p class="note warn" { strong { "Not read: " } (refused) } }
            @for file in report.vivado.iter().filter(|v| !v.skipped.is_empty()) { p class="note" { (file.file) ", sections not read: " (file.skipped.join(", ")) "." } }
            @for other in &report.vivado_left { p class="note" { (other.file) ": a report of " code { (other.command) } ", not read." } }
        }
    }
}

fn timing(report: &Report) -> Markup {
    let files: Vec<_> = report.vivado.iter().filter_map(|v| Some((v, v.timing()?))).collect();
    html! { @if !files.is_empty() {
        h3 { "Timing" }
        div class="scroll" tabindex="0" role="region" aria-label="table" { table {
            thead { tr { th { "design" } th { "verdict" } th class="n" { "WNS" br; small { "ns" } } th class="n" { "WHS" br; small { "ns" } } th class="n" { "WPWS" br; small { "ns" } } th class="n" { "failing" br; small { "endpoints" } } th { "clocks" } th { "file" } } }
            tbody { @for (v, t) in &files {
                @let (class, word) = match &t.met { Met::Met if v.part.is_some() => ("unsure", "met in this part"), Met::Met => ("good", "met"), Met::Violated(_) => ("bad", "violated"), Met::Unknown(_) => ("unsure", "not known to be met") };
                tr {
                    th scope="row" { (v.subject()) br; small { (v.header.device) } }
                    td { span class=(format!("tag {class}")) { (word) } }
                    (slack(&t.setup)) (slack(&t.hold)) (slack(&t.pulse_width))
                    td class="n" { (failing(&[&t.setup, &t.hold, &t.pulse_width])) }
                    td { @for c in t.clocks.iter().take(6) { div class="clock" { (c.name) " " small { (c.period_ns) " ns" } } } @if t.clocks.len() > 6 { small { "and " (t.clocks.len() - 6) " more" } } }
                    td { (v.file) br; small { "Vivado " (v.header.version) @if !v.header.is_tested() { ", a release not tested" } } }
                }
            } }
        } }
        @for (v, t) in &files { @if let Met::Violated(why) | Met::Unknown(why) = &t.met {
            p class="note warn" { strong { (v.subject()) } ": " (why.join("; ")) "." }
        } }
        @for (v, t) in &files { @if let Some(p) = &t.worst_setup {
            p class="path" { (v.subject()) ", worst setup path: " (p.source) " → " (p.destination) ", slack " (p.slack) " ns, logic levels " (p.levels) }
        } }
    } }
}

fn slack(check: &Check) -> Markup {
    html! { td class=(if check.worst.is_negative() { "n over" } else { "n" }) { (check.worst) } }
}

fn failing(checks: &[&Check]) -> String {
    let all: Option<Vec<u64>> = checks.iter().map(|c| c.failing).collect();
    all.map_or("not known".to_string(), |n| super::count(n.iter().sum()))
}

fn utilization(report: &Report) -> Markup {
    let flat: Vec<_> = report.vivado.iter().filter_map(|v| Some((v, v.utilization()?))).collect();
    html! { @if !flat.is_empty() {
        h3 { "Utilization" }
        div class="scroll" tabindex="0" role="region" aria-label="table" { table {
            thead { tr { th { "design" } th { "state" } th class="n" { "LUT" } th class="n" { "of" } th class="n" { "FF" } th class="n" { "block RAM" br; small { "tiles" } } th class="n" { "URAM" } th class="n" { "DSP" } th { "file" } } }
            tbody { @for (v, u) in &flat { tr {
                th scope="row" { (v.subject()) br; small { (v.header.device) } }
                td { (v.header.design_state.clone().unwrap_or("-".into())) }
                td class="n" { (maybe(u.lut())) @if u.estimate { "*" } } td class="n" { (maybe(u.lut_available())) }
                td class="n" { (maybe(u.ff())) } td class="n" { (maybe(u.bram_tile())) } td class="n" { (maybe(u.uram())) } td class="n" { (maybe(u.dsp())) }
                td { (v.file) br; small { "Vivado " (v.header.version) @if !v.header.is_tested() { ", a release not tested" } } }
            } } }
        } }
        @for (v, u) in &flat { @if !u.slr_luts.is_empty() {
            p class="note" { (v.header.design) ", LUTs by SLR: " (u.slr_luts.iter().map(|(n, l)| format!("{n} {}", maybe(*l))).collect::<Vec<_>>().join(", ")) "." }
        } }
        @if flat.iter().any(|(_, u)| u.estimate) { p class="note" { "*: Vivado's estimate after synthesis, which optimisation lowers." } }
    } }
}

fn rows(file: &Vivado, rows: &[Row]) -> Markup {
    let shown: Vec<&Row> = rows.iter().filter(|r| !r.own).take(MOST_ROWS).collect();
    html! {
        p class="note" { (file.header.device) ", Vivado " (file.header.version) @if let Some(s) = &file.header.design_state { ", " (s) } ". Instances that share logic can add up to more than their parent." }
        div class="scroll" tabindex="0" role="region" aria-label="table" { table {
            thead { tr { th { "instance" } th { "module" } th class="n" { "LUT" } th class="n" { "LUT RAM" } th class="n" { "SRL" } th class="n" { "FF" } th class="n" { "RAMB36" } th class="n" { "RAMB18" } th class="n" { "URAM" } th class="n" { "DSP" } } }
            tbody { @for r in &shown { tr {
                th scope="row" class=(format!("in{}", r.depth.min(6))) { (r.instance) } td { code { (r.module) } }
                td class="n" { (maybe(r.lut)) } td class="n" { (maybe(r.lutram)) } td class="n" { (maybe(r.srl)) } td class="n" { (maybe(r.ff)) }
                td class="n" { (maybe(r.ramb36)) } td class="n" { (maybe(r.ramb18)) } td class="n" { (maybe(r.uram)) } td class="n" { (maybe(r.dsp)) }
            } } }
        } }
        @if rows.iter().filter(|r| !r.own).count() > MOST_ROWS { p class="note" { "The first " (MOST_ROWS) " instances; the JSON has all." } }
    }
}
