//! Numbers of bits in the text: as they are, or in terms of the parameters of the module.

use crate::ir::ones;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// How sizes are written. Without parameters: as numbers.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// What stands for a number of bits.
    symbols: BTreeMap<usize, String>,
}

/// Above this width a run of ones is written as a replication.
const LONG: usize = 64;

impl Sizes {
    /// `parameters`: each by name, with a number that no other size of the module is near to.
    pub fn of(parameters: &[(&str, usize)]) -> Self {
        let mut symbols = BTreeMap::new();
        for (name, value) in parameters {
            symbols.insert(value - 1, format!("{name}-1"));
            symbols.insert(*value, (*name).to_string());
            symbols.insert(value + 1, format!("{name}+1"));
        }
        Self { symbols }
    }

    pub fn number(&self, number: usize) -> String {
        self.symbols.get(&number).cloned().unwrap_or_else(|| number.to_string())
    }

    /// `[7:0]`, or nothing for one bit.
    pub fn range(&self, width: usize) -> String {
        if width == 1 { String::new() } else { format!("[{}:0]", self.number(width - 1)) }
    }

    /// The last word that `address` bits number.
    pub fn last_word(&self, address: usize) -> String {
        match self.symbols.get(&address) {
            Some(symbol) => format!("(1 << {symbol}) - 1"),
            None => ((1usize << address) - 1).to_string(),
        }
    }

    /// How often something is repeated.
    pub fn times(&self, count: usize) -> String {
        match self.symbols.get(&count) {
            Some(symbol) if symbol.contains(['+', '-']) => format!("({symbol})"),
            Some(symbol) => symbol.clone(),
            None => count.to_string(),
        }
    }

    /// A sized literal: binary for one bit, decimal while that is short, hexadecimal with separators beyond.
    pub fn literal(&self, value: &BigUint, width: usize) -> String {
        if self.symbols.contains_key(&width) {
            return self.replicated(value, width);
        }
        if width == 1 {
            return format!("1'b{value}");
        }
        if *value < BigUint::from(1000u32) {
            return format!("{width}'d{value}");
        }
        if width > LONG && *value == ones(width) {
            return format!("{{{width}{{1'b1}}}}");
        }
        let digits = format!("{value:0>count$x}", count = width.div_ceil(4));
        let mut text = String::new();
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i) % 4 == 0 {
                text.push('_');
            }
            text.push(digit);
        }
        format!("{width}'h{text}")
    }

    /// A literal of a width that is not known: zeros, ones, or a short number with zeros above.
    fn replicated(&self, value: &BigUint, width: usize) -> String {
        let fill = |bit: u8, count: usize| format!("{{{}{{1'b{bit}}}}}", self.times(count));
        if *value == BigUint::ZERO {
            return fill(0, width);
        }
        if *value == ones(width) {
            return fill(1, width);
        }
        // A width that is one, two ... bits below a symbol has no symbol of its own.
        let bits = usize::try_from(value.bits()).unwrap_or(width);
        let low = match bits {
            1 => "1'b1".to_string(),
            _ => format!("{bits}'d{value}"),
        };
        let above = match self.symbols.get(&(width - bits)) {
            Some(_) => self.times(width - bits),
            None => format!("({}-{bits})", self.number(width)),
        };
        format!("{{{{{above}{{1'b0}}}}, {low}}}")
    }
}
