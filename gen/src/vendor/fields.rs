//! The fields of a packed port.
//!
//! A port that carries several values says in its comment where they are described: ``see `CommandIntake` ``. The comment of that block has
//! a table whose columns are `bit` or `byte`, `bits`, and what it is. So the table stands beside the hardware that reads or makes the word.

use crate::ir::{Design, Signal};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// lowest bit in the port
    pub low: usize,
    pub bits: usize,
    pub doc: String,
}

/// The fields of a port, lowest first; none if its comment names no block with a table that fits.
pub fn fields(design: &Design, signal: &Signal) -> Vec<Field> {
    let named = signal.doc.split("see `").nth(1).and_then(|rest| rest.split('`').next());
    let block = named.and_then(|name| design.modules.iter().find(|m| m.origin.type_name == name));
    let found = block.map(|m| table(&m.origin.doc)).unwrap_or_default();
    let ends = found.windows(2).all(|pair| pair[0].low + pair[0].bits <= pair[1].low);
    let fits = ends && found.last().is_none_or(|last| last.low + last.bits <= signal.width);
    if fits { found } else { Vec::new() }
}

/// The rows below the first heading of `bit` or `byte`, and `bits`.
fn table(doc: &str) -> Vec<Field> {
    let mut rows = doc.lines().map(cells).skip_while(|c| unit(c).is_none());
    let Some(unit) = rows.next().as_deref().and_then(unit) else { return Vec::new() };
    rows.take_while(|c| c.len() >= 3)
        .filter_map(|c| Some(Field { low: unit * c[0].parse::<usize>().ok()?, bits: c[1].parse().ok()?, doc: c[2..].join(" | ") }))
        .collect()
}

fn unit(cells: &[String]) -> Option<usize> {
    match cells {
        [first, second, _, ..] if second == "bits" => match first.as_str() {
            "bit" => Some(1),
            "byte" => Some(8),
            _ => None,
        },
        _ => None,
    }
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().strip_prefix('|').and_then(|l| l.strip_suffix('|'));
    inner.map(|l| l.split('|').map(|c| c.trim().to_string()).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn of(doc: &str) -> Vec<Field> {
        let mut design = sample::design(&[("in_data", 32, true)]);
        design.modules[0].origin = crate::ir::Origin { doc: doc.into(), type_name: "Word".into(), ..design.modules[0].origin.clone() };
        design.modules[0].signals[0].doc = "its fields: see `Word`".into();
        fields(&design, &design.modules[0].signals[0])
    }

    #[test]
    fn a_table_in_bits_or_bytes() {
        let field = |low, bits, doc: &str| Field { low, bits, doc: doc.into() };
        assert_eq!(
            of("A word.\n\n| bit | bits | field |\n| --- | --- | --- |\n| 0 | 7 | a |\n| 16 | 16 | b |\n\nMore."),
            [field(0, 7, "a"), field(16, 16, "b")]
        );
        assert_eq!(of("| byte | bits | what |\n| --- | --- | --- |\n| 1 | 8 | a |"), [field(8, 8, "a")]);
    }

    #[test]
    fn a_table_that_does_not_fit_is_none() {
        let one = |row: &str| of(&format!("| bit | bits | field |\n| --- | --- | --- |\n{row}"));
        assert_eq!(one("| 0 | 33 | too wide |"), []);
        assert_eq!(one("| 0 | 8 | a |\n| 7 | 8 | on top |"), []);
        assert_eq!(one("| x | 8 | no number |"), []);
        assert_eq!(of("no table"), []);
    }
}
