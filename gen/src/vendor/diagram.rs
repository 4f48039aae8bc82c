//! The block as a box with its ports, interface by interface.

use super::About;
use super::bundle::{Interface, Port};
use super::escape::xml;
use std::fmt::Write;

const ROW: usize = 17;
const HEADING: usize = 22;
const GAP: usize = 12;
/// Length of a pin outside of the box.
const PIN: usize = 54;
const LETTER: f64 = 7.3;

fn pixels(letters: usize) -> usize {
    (letters as f64 * LETTER).ceil() as usize
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

/// Letters of the widest line of a side.
fn widest(side: &[&Interface]) -> usize {
    let of = |i: &&Interface| {
        let heading = letters(&i.name) + 2 + letters(&i.kind());
        i.ports.iter().map(|p| letters(&p.with_range())).max().unwrap_or_default().max(heading)
    };
    side.iter().map(of).max().unwrap_or_default()
}

fn tall(side: &[&Interface]) -> usize {
    side.iter().map(|i| HEADING + i.ports.len() * ROW + GAP).sum()
}

/// Lines of at most so many letters.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if letters(line) + 1 + letters(word) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// What is given to the block on the left, what it gives on the right.
pub fn svg(top: &str, about: &About, interfaces: &[Interface]) -> String {
    let (right, left): (Vec<&Interface>, Vec<&Interface>) = interfaces.iter().partition(|i| i.master);
    let inside = pixels(widest(&left) + widest(&right)) + 60;
    let inside = inside.max(pixels(letters(top)) + 40);
    let lines = wrapped(about.about, (inside as f64 / LETTER) as usize - 4);
    let (box_x, box_y) = (PIN + 10, 10);
    let head = 34 + lines.len() * 16 + 10;
    let inner = tall(&left).max(tall(&right)).max(ROW);
    let (width, height) = (inside + 2 * box_x, box_y + head + inner + 10);

    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"12\">\n\
         <title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <rect x=\"{box_x}\" y=\"{box_y}\" width=\"{inside}\" height=\"{}\" rx=\"4\" fill=\"#f8f9fa\" stroke=\"#1f2933\" stroke-width=\"1.6\"/>\n",
        xml(top),
        height - 2 * box_y
    );
    let middle = box_x + inside / 2;
    let _ = writeln!(
        out,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\" font-size=\"15\" fill=\"#1f2933\">{}</text>",
        box_y + 24,
        xml(top)
    );
    for (i, line) in lines.iter().enumerate() {
        let y = box_y + 42 + i * 16;
        let _ =
            writeln!(out, "<text x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"11\" fill=\"#68737f\">{}</text>", xml(line));
    }
    for (side, is_left) in [(&left, true), (&right, false)] {
        let edge = if is_left { box_x } else { box_x + inside };
        let mut y = box_y + head;
        for interface in side {
            group(&mut out, interface, Side { edge, is_left }, y);
            y += HEADING + interface.ports.len() * ROW + GAP;
        }
    }
    out.push_str("</svg>\n");
    out
}

#[derive(Clone, Copy)]
struct Side {
    edge: usize,
    is_left: bool,
}

impl Side {
    /// So far into the box.
    fn inside(self, by: usize) -> usize {
        if self.is_left { self.edge + by } else { self.edge - by }
    }

    fn outside(self, by: usize) -> usize {
        if self.is_left { self.edge - by } else { self.edge + by }
    }

    fn anchor(self) -> &'static str {
        if self.is_left { "start" } else { "end" }
    }
}

fn group(out: &mut String, interface: &Interface, side: Side, y: usize) {
    let (x, anchor) = (side.inside(8), side.anchor());
    let (name, kind) = (xml(&interface.name), xml(&interface.kind()));
    let name = format!("<tspan font-weight=\"bold\" fill=\"#1864ab\">{name}</tspan>");
    let kind = format!("<tspan font-size=\"11\" fill=\"#68737f\">{kind}</tspan>");
    let (first, second) = if side.is_left { (name, kind) } else { (kind, name) };
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\">{first}&#160; {second}</text>", y + 13);
    for (i, port) in interface.ports.iter().enumerate() {
        pin(out, port, side, y + HEADING + i * ROW + 5);
    }
    // What belongs together outside of the box.
    if interface.is_group() {
        let x = side.outside(PIN);
        let (from, to) = (y + HEADING - 2, y + HEADING + interface.ports.len() * ROW - 7);
        let _ = writeln!(out, "<path d=\"M{x},{from} V{to}\" stroke=\"#1864ab\" stroke-width=\"1.4\"/>");
    }
}

fn pin(out: &mut String, port: &Port, side: Side, y: usize) {
    let wide = port.signal.width > 1;
    let (near, far) = (side.edge, side.outside(PIN - 4));
    // The head of the arrow is at the box for an input.
    let (from, to) = if port.is_input() { (far, near) } else { (near, far) };
    let back = if to > from { to - 7 } else { to + 7 };
    let _ = writeln!(
        out,
        "<path d=\"M{from},{y} H{back}\" stroke=\"#1f2933\" stroke-width=\"{}\"/><polygon points=\"{to},{y} {back},{} {back},{}\" fill=\"#1f2933\"/>",
        if wide { "2.6" } else { "1.1" },
        y - 4,
        y + 4
    );
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" fill=\"#1f2933\">{}</text>",
        side.inside(8),
        y + 4,
        side.anchor(),
        xml(&port.with_range())
    );
}
