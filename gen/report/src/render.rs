//! A report as text, JSON, JUnit and HTML.

mod chart;
mod html;
mod html_modules;
mod html_vivado;
mod junit;
mod text;

pub use html::html;
pub use junit::junit;
pub use text::text;

use crate::model::Report;

/// The same report gives the same bytes; it is what `--baseline` reads.
pub fn json(report: &Report) -> String {
    serde_json::to_string_pretty(report).unwrap_or_default() + "\n"
}

/// Thousands apart, halves where there are some.
pub(crate) fn number(value: f64) -> String {
    let text = if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value}") };
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), String::new()), |(w, r)| (w, format!(".{r}")));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |d| ("-", d));
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    format!("{sign}{out}{rest}")
}

pub(crate) fn count(value: u64) -> String {
    number(value as f64)
}

pub(crate) fn maybe(value: Option<f64>) -> String {
    value.map_or("-".to_string(), number)
}

/// `9 + 7`: RAMB36 and RAMB18.
pub(crate) fn block_ram(figures: &crate::cells::Figures) -> String {
    match (figures.bram36, figures.bram18, figures.bram) {
        (0, 0, 0) => "-".to_string(),
        (0, 0, n) => count(n),
        (a, b, _) => format!("{a} + {b}"),
    }
}

/// `LUTs (cells)`, or a dash.
pub(crate) fn lut_ram(figures: &crate::cells::Figures) -> String {
    if figures.lutram == 0 { "-".to_string() } else { format!("{} ({})", count(figures.lutram_lut), figures.lutram) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_have_their_thousands_apart() {
        let shown = [0.0, 7.0, 999.0, 1000.0, 1234567.0, 29.5, -21.592, 1115.5].map(super::number);
        assert_eq!(shown, ["0", "7", "999", "1,000", "1,234,567", "29.5", "-21.592", "1,115.5"]);
    }
}
