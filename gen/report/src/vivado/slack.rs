//! A figure of a timing report, which is not always a number.

use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Slack {
    Ns(f64),
    Word(Word),
    /// Nothing was printed.
    #[default]
    Blank,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Word {
    /// No constraint applies.
    #[serde(rename = "inf")]
    Infinite,
    #[serde(rename = "NA")]
    NotAvailable,
}

impl Slack {
    /// None if it is nothing that Vivado prints there.
    pub fn parse(text: &str) -> Option<Slack> {
        match text.trim() {
            "" => Some(Slack::Blank),
            "inf" | "-inf" | "INF" => Some(Slack::Word(Word::Infinite)),
            "NA" | "N/A" | "n/a" => Some(Slack::Word(Word::NotAvailable)),
            text => number(text.strip_suffix("ns").unwrap_or(text)).map(Slack::Ns),
        }
    }

    pub fn ns(self) -> Option<f64> {
        match self {
            Slack::Ns(ns) => Some(ns),
            _ => None,
        }
    }

    /// Below zero; so is `-0.000`, of which only the last digits are not shown.
    pub fn is_negative(self) -> bool {
        self.ns().is_some_and(f64::is_sign_negative)
    }
}

impl fmt::Display for Slack {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Slack::Ns(ns) => write!(f, "{ns:.3}"),
            Slack::Word(Word::Infinite) => f.write_str("inf"),
            Slack::Word(Word::NotAvailable) => f.write_str("NA"),
            Slack::Blank => f.write_str("blank"),
        }
    }
}

/// Digits with a sign and a point: what Rust reads as a number beyond that (`nan`, `inf`, `1e9`) is none here.
pub(super) fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.starts_with(|c: char| c.is_ascii_digit()) && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    if plain && text.len() <= 24 { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_are_a_number() {
        assert_eq!(Slack::parse(" 0.184"), Some(Slack::Ns(0.184)));
        assert_eq!(Slack::parse("-21.592ns"), Some(Slack::Ns(-21.592)));
        assert_eq!(Slack::parse("inf"), Some(Slack::Word(Word::Infinite)));
        assert_eq!(Slack::parse("NA"), Some(Slack::Word(Word::NotAvailable)));
        assert_eq!(Slack::parse("  "), Some(Slack::Blank));
        for bad in ["nan", "NaN", "infinity", "1e9", "0x1", "1,5", "--1", "+1", ".", "1.2.3", "0.1.", "met", "99999999999999999999999999"] {
            assert_eq!(Slack::parse(bad), None, "{bad}");
        }
        assert!(Slack::parse("-0.000").unwrap().is_negative());
        assert!(!Slack::parse("0.000").unwrap().is_negative());
        assert!(!Slack::parse("inf").unwrap().is_negative());
    }
}
