//! Bars as inline SVG. Lengths are percentages and text has the size of the page, so that a chart is as readable on a telephone as on a
//! desk; colours are the page's own, in both of its themes. A library for charts draws to a fixed width in fixed colours.

use super::number;
use maud::{Markup, html};

pub struct Bar {
    pub label: String,
    pub value: f64,
    /// A limit, drawn as a line across the bar
    pub limit: Option<f64>,
    pub over: bool,
}

/// Horizontal bars, one below the other; `unit` stands behind each value. Names are text of the page, so that a long one breaks.
pub fn bars(title: &str, unit: &str, bars: &[Bar]) -> Markup {
    let most = bars.iter().flat_map(|b| [Some(b.value), b.limit]).flatten().fold(0.0, f64::max);
    let share = |v: f64| if most > 0.0 { format!("{:.2}%", 100.0 * (v / most).clamp(0.0, 1.0)) } else { "0%".to_string() };
    html! {
        figure class="chart" {
            figcaption { (title) }
            @for bar in bars {
                p class="row" {
                    span class="label" { (bar.label) }
                    span class=(if bar.over { "value over" } else { "value" }) {
                        (number(bar.value)) " " (unit)
                        @if let Some(limit) = bar.limit { " / " (number(limit)) }
                    }
                }
                svg role="img" width="100%" height="18" aria-label=(format!("{}: {} {unit}", bar.label, number(bar.value))) {
                    rect class="track" x="0" y="3" width="100%" height="12" rx="3" {}
                    rect class=(if bar.over { "bar over" } else { "bar" }) x="0" y="3" width=(share(bar.value)) height="12" rx="3" {}
                    @if let Some(limit) = bar.limit { line class="limit" x1=(share(limit)) x2=(share(limit)) y1="0" y2="18" {} }
                }
            }
        }
    }
}
