//! Blocks as sums of their modules.

use super::{block_ram, count, lut_ram};
use crate::by_module::{ByModule, Share};
use crate::model::Report;
use maud::{Markup, html};

/// Modules that are shown per block; the JSON has all.
const MOST: usize = 40;

pub fn section(report: &Report) -> Markup {
    let ours: Vec<_> = report.blocks.iter().filter_map(|b| Some((b, b.by_module.as_ref()?))).collect();
    html! {
        section {
            h2 { "Sums over modules " span class="flow" { "by module" } }
            p class="sub" { "Each distinct module mapped alone, and added up over its instances. Nothing is optimised across modules, so the block as one piece is smaller; levels are those of the deepest module alone." }
            div class="scroll" tabindex="0" role="region" aria-label="table" { table {
                thead { tr {
                    th { "block" } th class="n" { "LUT" } th class="n" { "FF" } th class="n" { "LUT RAM" br; small { "LUTs (cells)" } }
                    th class="n" { "block RAM" br; small { "36 + 18 Kbit" } } th class="n" { "URAM" } th class="n" { "SRL" } th class="n" { "modules" } th class="n" { "LUT levels" }
                } }
                tbody { @for (b, m) in &ours {
                    @let f = &m.total;
                    tr {
                        th scope="row" { a href=(format!("#{}", b.block)) { (b.block) } }
                        td class="n" { (count(f.lut)) } td class="n" { (count(f.ff)) } td class="n" { (lut_ram(f)) } td class="n" { (block_ram(f)) }
                        td class="n" { (count(f.uram)) } td class="n" { (count(f.srl)) } td class="n" { (m.modules.len()) }
                        td class="n" { (m.deepest().map_or(0, |d| d.lut_levels)) }
                    }
                } }
            } }
        }
    }
}

fn weight(share: &Share) -> u64 {
    share.instances * (share.figures.lut + share.figures.lutram_lut + share.figures.srl)
}

/// Who is large.
pub fn modules(m: &ByModule) -> Markup {
    let all = m.modules.iter().map(weight).sum::<u64>().max(1);
    html! {
        h3 { "Modules, " (m.family.name()) }
        p class="note" { "Each mapped alone (" code { (m.command) } "); figures of one instance without its children, the largest share first." }
        div class="scroll" tabindex="0" role="region" aria-label="table" { table {
            thead { tr { th { "module" } th class="n" { "instances" } th class="n" { "LUT" } th class="n" { "FF" } th class="n" { "LUT RAM" } th class="n" { "block RAM" } th class="n" { "LUT levels" } th class="n" { "share of LUTs" } } }
            tbody { @for s in m.modules.iter().take(MOST) { tr {
                th scope="row" { code { (s.module) } } td class="n" { (s.instances) } td class="n" { (count(s.figures.lut)) } td class="n" { (count(s.figures.ff)) }
                td class="n" { (lut_ram(&s.figures)) } td class="n" { (block_ram(&s.figures)) } td class="n" { (s.lut_levels) }
                td class="n" { (format!("{:.1} %", 100.0 * weight(s) as f64 / all as f64)) }
            } } }
        } }
    }
}
