//! WaveDrom JSON to SVG, as far as the waves here go: groups, `p`, `0`, `1`, `x`, `=`, `2` to `9`, `.`, head and foot.

use super::escape::xml;
use serde_json::Value;
use std::fmt::Write;

const CELL: usize = 46;
const LANE: usize = 28;
/// Height of a signal in its lane.
const HIGH: usize = 18;
const GROUP: usize = 24;
/// Half of the width of an edge.
const EDGE: usize = 3;
/// Width of a letter at 12 pixels, a bit more than most fixed-width fonts have.
const LETTER: f64 = 7.3;

struct Row<'a> {
    signal: &'a Value,
    y: usize,
}

struct Title<'a> {
    text: &'a str,
    from: usize,
    to: usize,
}

/// The drawing; a signal that is no object, or whose wave has other letters, is drawn as far as it goes.
pub fn svg(wave: &Value) -> String {
    let text_of = |key: &str| wave[key]["text"].as_str().unwrap_or_default();
    let (head, foot) = (text_of("head"), text_of("foot"));
    let top = if head.is_empty() { 8 } else { 34 };
    let (mut rows, mut titles, mut y) = (Vec::new(), Vec::new(), top);
    for signal in wave["signal"].as_array().into_iter().flatten() {
        match signal.as_array().map(Vec::as_slice) {
            None => {
                let blank = signal["wave"].is_null();
                rows.push(Row { signal, y });
                y += if blank { LANE / 2 } else { LANE };
            }
            Some([title, lanes @ ..]) => {
                let from = y;
                for signal in lanes {
                    rows.push(Row { signal, y });
                    y += LANE;
                }
                if from < y {
                    titles.push(Title { text: title.as_str().unwrap_or_default(), from, to: y });
                }
            }
            Some([]) => {}
        }
    }
    let longest = rows.iter().filter_map(|r| r.signal["name"].as_str()).map(|n| n.chars().count()).max().unwrap_or_default();
    let groups = if titles.is_empty() { 0 } else { GROUP };
    let left = groups + 12 + (longest as f64 * LETTER).ceil() as usize + 8;
    let clocks = rows.iter().filter_map(|r| r.signal["wave"].as_str()).map(|w| w.chars().count()).max().unwrap_or_default();
    let width = (left + clocks * CELL + 10).max(16 + (head.chars().count().max(foot.chars().count()) as f64 * LETTER).ceil() as usize);
    let height = y + if foot.is_empty() { 8 } else { 28 };

    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"12\">\n\
         <title>{}</title>\n\
         <defs><pattern id=\"any\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <rect width=\"6\" height=\"6\" fill=\"#f4f4f4\"/><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke=\"#c4c4c4\" stroke-width=\"2\"/></pattern></defs>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        xml(head)
    );
    if !head.is_empty() {
        let _ = writeln!(out, "<text x=\"8\" y=\"20\" font-weight=\"bold\" fill=\"#1f2933\">{}</text>", xml(head));
    }
    for clock in 0..=clocks {
        let x = left + clock * CELL;
        let _ = writeln!(out, "<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{y}\" stroke=\"#d9dee5\" stroke-dasharray=\"2,3\"/>");
    }
    for title in &titles {
        group(&mut out, title);
    }
    for row in &rows {
        lane(&mut out, row, left);
    }
    if !foot.is_empty() {
        let _ = writeln!(out, "<text x=\"8\" y=\"{}\" font-size=\"11\" fill=\"#68737f\">{}</text>", y + 18, xml(foot));
    }
    out.push_str("</svg>\n");
    out
}

/// A bracket beside the lanes of a group, its title along it.
fn group(out: &mut String, title: &Title) {
    let (from, to) = (title.from + 2, title.to - 6);
    let x = GROUP - 2;
    let _ = writeln!(out, "<path d=\"M{},{from} H{x} V{to} H{}\" fill=\"none\" stroke=\"#1864ab\"/>", x + 5, x + 5);
    let middle = from.midpoint(to);
    // A title that is longer than its bracket is left out of the picture before it runs into the next one.
    let fits = (title.text.chars().count() as f64 * LETTER * 0.86) as usize <= to - from + LANE;
    if fits {
        let _ = writeln!(
            out,
            "<text transform=\"translate(14,{middle}) rotate(-90)\" text-anchor=\"middle\" font-size=\"10\" fill=\"#1864ab\">{}</text>",
            xml(title.text)
        );
    }
}

/// A run of clocks with one letter.
struct Run<'a> {
    letter: char,
    from: usize,
    to: usize,
    label: Option<&'a str>,
}

fn runs(signal: &Value) -> Vec<Run<'_>> {
    let mut labels = signal["data"].as_array().into_iter().flatten().map(|d| d.as_str().unwrap_or_default());
    let mut found: Vec<Run> = Vec::new();
    for (i, letter) in signal["wave"].as_str().unwrap_or_default().chars().enumerate() {
        match (letter, found.last_mut()) {
            ('.', Some(last)) => last.to = i + 1,
            _ => {
                let labelled = letter == '=' || ('2'..='9').contains(&letter);
                found.push(Run { letter, from: i, to: i + 1, label: if labelled { labels.next() } else { None } });
            }
        }
    }
    found
}

fn lane(out: &mut String, row: &Row, left: usize) {
    let (high, low) = (row.y + 4, row.y + 4 + HIGH);
    let base = high.midpoint(low) + 4;
    if let Some(name) = row.signal["name"].as_str() {
        let _ = writeln!(out, "<text x=\"{}\" y=\"{base}\" text-anchor=\"end\" fill=\"#1f2933\">{}</text>", left - 8, xml(name));
    }
    let mut line = String::new();
    let mut before: Option<usize> = None;
    let runs = runs(row.signal);
    for (i, run) in runs.iter().enumerate() {
        let (from, to) = (left + run.from * CELL, left + run.to * CELL);
        // Another level begins with its edge, which has half of its width here.
        let end = if runs.get(i + 1).is_some_and(|next| "01".contains(next.letter)) { to - EDGE } else { to };
        match run.letter {
            'p' => {
                for x in (from..to).step_by(CELL) {
                    let _ = write!(line, " M{x},{low} V{high} H{} V{low} H{}", x + CELL / 2, x + CELL);
                }
                before = Some(low);
            }
            '0' | '1' => {
                let y = if run.letter == '1' { high } else { low };
                match before {
                    Some(old) if old != y => {
                        let _ = write!(line, " M{},{old} L{},{y} H{end}", from - EDGE, from + EDGE);
                    }
                    Some(_) => {
                        let _ = write!(line, " M{},{y} H{end}", from - EDGE);
                    }
                    None => {
                        let _ = write!(line, " M{from},{y} H{end}");
                    }
                }
                before = Some(y);
            }
            letter => {
                boxed(out, letter, (from, to), (high, low), run.label);
                before = None;
            }
        }
    }
    if let Some(rest) = line.strip_prefix(' ') {
        let _ = writeln!(out, "<path d=\"{rest}\" fill=\"none\" stroke=\"#1f2933\" stroke-width=\"1.4\"/>");
    }
}

fn boxed(out: &mut String, letter: char, (from, to): (usize, usize), (high, low): (usize, usize), label: Option<&str>) {
    let fill = match letter {
        '3' => "#fff3bf",
        '4' => "#ffe0b9",
        '5' => "#d0ebff",
        '6' => "#d3f9d8",
        '7' => "#e5dbff",
        '8' => "#fcc2d7",
        '9' => "#ffd8d8",
        'x' => "url(#any)",
        _ => "#ffffff",
    };
    let middle = high.midpoint(low);
    let _ = writeln!(
        out,
        "<polygon points=\"{from},{middle} {},{high} {},{high} {to},{middle} {},{low} {},{low}\" fill=\"{fill}\" stroke=\"#1f2933\"/>",
        from + EDGE,
        to - EDGE,
        to - EDGE,
        from + EDGE
    );
    if let Some(label) = label {
        let x = from.midpoint(to);
        let _ = writeln!(
            out,
            "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-size=\"11\" fill=\"#1f2933\">{}</text>",
            middle + 4,
            xml(label)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lanes_groups_and_labels_are_drawn() {
        let wave = json!({ "signal": [
            { "name": "clk", "wave": "p.." }, {},
            ["bus", { "name": "a<b", "wave": "01." }, { "name": "data", "wave": "x3.", "data": ["D&0"] }],
        ]});
        let svg = svg(&wave);
        for part in ["a&lt;b", "D&amp;0", ">bus<", "url(#any)"] {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
        assert_eq!(svg.matches("<polygon").count(), 2);
    }

    #[test]
    fn what_is_no_wave_draws_nothing_and_breaks_nothing() {
        for odd in [json!(null), json!({ "signal": 3 }), json!({ "signal": [[], [1], "x", { "wave": 7 }, { "wave": "..=?|" }] })] {
            let svg = svg(&odd);
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{odd}: {svg}");
        }
    }
}
