//! Names of nets, and the fields of the Rust source behind them.

use crate::Error;
use crate::netlist::Module;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// `names.json`: from the path of a signal in the Verilog to its fields in Rust.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(BTreeMap<String, Vec<String>>);

impl Names {
    /// # Errors
    /// A file that cannot be read, or that does not map names to names.
    pub fn read(path: &Path) -> Result<Names, Error> {
        let text = std::fs::read_to_string(path).map_err(|e| Error::io("cannot read", path, e))?;
        Names::parse(&text).map_err(|e| Error::io("not a table of names:", path, e))
    }

    pub fn parse(text: &str) -> Result<Names, serde_json::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Fields {
            One(String),
            Several(Vec<String>),
        }
        let map: BTreeMap<String, Fields> = serde_json::from_str(text)?;
        let fields = |f| match f {
            Fields::One(one) => vec![one],
            Fields::Several(several) => several,
        };
        Ok(Names(map.into_iter().map(|(k, v)| (k, fields(v))).collect()))
    }

    pub fn rust(&self, verilog: &str) -> &[String] {
        self.0.get(verilog).map_or(&[], Vec::as_slice)
    }
}

/// One bit of a signal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    /// Path in the Verilog, instances joined by dots, with the bit if there are several.
    pub verilog: String,
    /// Field paths in Rust with the bit; empty if no field stands behind it.
    pub rust: Vec<String>,
}

/// What each net is called.
pub struct Signals<'a> {
    names: &'a Names,
    best: HashMap<u32, (&'a str, Option<i64>)>,
}

impl<'a> Signals<'a> {
    /// A net has as many names as ports it passes. The best is one with a Rust field, then the one highest in the hierarchy, then the
    /// shortest.
    pub fn of(module: &'a Module, names: &'a Names) -> Signals<'a> {
        let rank = |name: &str| (names.rust(name).is_empty(), name.matches('.').count(), name.len());
        let mut best: HashMap<u32, (&str, Option<i64>)> = HashMap::new();
        // In the order of the names, so that equals are settled the same way each time.
        for (name, net) in module.netnames.iter().filter(|(_, n)| n.hide_name == 0) {
            let width = net.bits.len() as i64;
            for (i, bit) in net.bits.iter().enumerate() {
                let Some(number) = bit.net() else { continue };
                let index = net.offset + if net.upto != 0 { width - 1 - i as i64 } else { i as i64 };
                let here = (name.as_str(), (width > 1 || net.offset != 0).then_some(index));
                match best.get(&number) {
                    Some((other, _)) if rank(other) <= rank(name) => {}
                    _ => drop(best.insert(number, here)),
                }
            }
        }
        Signals { names, best }
    }

    pub fn name(&self, net: u32) -> Option<Signal> {
        let (name, index) = self.best.get(&net)?;
        let bit = index.map_or(String::new(), |i| format!("[{i}]"));
        Some(Signal { verilog: format!("{name}{bit}"), rust: self.names.rust(name).iter().map(|f| format!("{f}{bit}")).collect() })
    }
}
