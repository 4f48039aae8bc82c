//! A netlist as Yosys writes it (`write_json`).

use crate::Error;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// A net's number, or a constant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Bit {
    Net(u32),
    Constant(String),
}

impl Bit {
    pub fn net(&self) -> Option<u32> {
        match self {
            Bit::Net(n) => Some(*n),
            Bit::Constant(_) => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    Input,
    Output,
    Inout,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Port {
    pub direction: Direction,
    pub bits: Vec<Bit>,
}

/// Ports in the order of the module's header.
#[derive(Clone, Debug, Default)]
pub struct Ports(pub Vec<(String, Port)>);

impl Ports {
    pub fn get(&self, name: &str) -> Option<&Port> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, p)| p)
    }
}

impl<'de> Deserialize<'de> for Ports {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Ports, D::Error> {
        struct Ordered;
        impl<'de> Visitor<'de> for Ordered {
            type Value = Ports;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object of ports")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Ports, A::Error> {
                let mut ports = Vec::new();
                while let Some(port) = map.next_entry()? {
                    ports.push(port);
                }
                Ok(Ports(ports))
            }
        }
        input.deserialize_map(Ordered)
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Cell {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub attributes: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    pub port_directions: BTreeMap<String, Direction>,
    #[serde(default)]
    pub connections: BTreeMap<String, Vec<Bit>>,
}

impl Cell {
    /// Nets on the ports of one direction, with the port.
    pub fn nets(&self, direction: Direction) -> impl Iterator<Item = (&str, u32)> {
        self.connections
            .iter()
            .filter(move |(port, _)| self.port_directions.get(port.as_str()) == Some(&direction))
            .flat_map(|(port, bits)| bits.iter().filter_map(|b| Some((port.as_str(), b.net()?))))
    }
}

#[derive(Clone, Debug, Deserialize)]
pub struct Net {
    #[serde(default)]
    pub hide_name: u8,
    pub bits: Vec<Bit>,
    #[serde(default)]
    pub offset: i64,
    #[serde(default)]
    pub upto: u8,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct Module {
    #[serde(default)]
    pub attributes: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    pub ports: Ports,
    #[serde(default)]
    pub cells: BTreeMap<String, Cell>,
    #[serde(default)]
    pub netnames: BTreeMap<String, Net>,
}

impl Module {
    /// A cell of the library, which has ports and no contents of interest.
    pub fn is_library(&self) -> bool {
        ["blackbox", "whitebox"].iter().any(|a| self.attributes.contains_key(*a))
    }
}

/// The modules of a netlist whose name passes. Those of the library make up most of the file and are skipped without being built.
pub fn read(path: &Path, keep: &dyn Fn(&str) -> bool) -> Result<BTreeMap<String, Module>, Error> {
    let file = File::open(path).map_err(|e| Error::io("cannot read netlist", path, e))?;
    let mut input = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 20, file));
    let modules = Whole { keep }
        .deserialize(&mut input)
        .and_then(|modules| input.end().map(|()| modules))
        .map_err(|e| Error::io("not a whole netlist of Yosys:", path, e))?;
    Ok(modules)
}

/// The module of that name.
pub fn read_top(path: &Path, top: &str) -> Result<Module, Error> {
    read(path, &|name| name == top)?
        .remove(top)
        .ok_or_else(|| Error::io("netlist", path, format_args!("has no module `{top}`; the tool ended before it was made")))
}

struct Whole<'a> {
    keep: &'a dyn Fn(&str) -> bool,
}

impl<'de> DeserializeSeed<'de> for Whole<'_> {
    type Value = BTreeMap<String, Module>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Self::Value, D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Whole<'_> {
    type Value = BTreeMap<String, Module>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object with `modules`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<String>()? {
            if key == "modules" {
                found = Some(map.next_value_seed(Modules { keep: self.keep })?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        found.ok_or_else(|| serde::de::Error::missing_field("modules"))
    }
}

struct Modules<'a> {
    keep: &'a dyn Fn(&str) -> bool,
}

impl<'de> DeserializeSeed<'de> for Modules<'_> {
    type Value = BTreeMap<String, Module>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Self::Value, D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Modules<'_> {
    type Value = BTreeMap<String, Module>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object of modules")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut modules = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            if (self.keep)(&name) {
                modules.insert(name, map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(modules)
    }
}
