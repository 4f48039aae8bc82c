//! Which blocks there are, and what may be chosen about them.

use crate::unit::value;
use crate::{Error, Source, shown};
use toml_edit::{Item, TableLike};

/// Every block that profiles may name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// what a profile decides: a block has those that it names
    pub facts: Vec<Parameter>,
    pub blocks: Vec<Block>,
}

/// One block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// name of block, file and module
    pub name: String,
    /// Rust path of the type, below the crate of the blocks
    pub path: String,
    /// one line
    pub about: String,
    pub latency: String,
    pub throughput: String,
    pub parameters: Vec<Parameter>,
    /// const generics in order: Rust expressions over the parameters in capitals
    pub generics: Vec<String>,
    /// for a block whose sizes are constants, which has no generics: facts that are not its parameters, as a number, a parameter
    /// in capitals, or a sum or shift of these
    pub sized: Option<Vec<(String, String)>>,
    /// how the block is made: `default()` or `new(...)`
    pub make: String,
    pub registers: Vec<Register>,
    /// Rust expression for the block's register map, over `make()`, if software sees it through one
    pub register_map: Option<String>,
}

/// A static parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub allowed: Vec<u64>,
    pub default: u64,
    pub about: String,
}

/// A runtime register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    pub name: String,
    pub bits: u64,
    /// a number, or the name of the static parameter whose value it takes
    pub default: String,
    pub about: String,
}

impl Schema {
    /// The fact of that name.
    pub fn fact(&self, name: &str) -> Option<&Parameter> {
        self.facts.iter().find(|f| f.name == name)
    }

    /// The block of that name.
    pub fn block(&self, name: &str) -> Option<&Block> {
        self.blocks.iter().find(|b| b.name == name)
    }
}

impl Parameter {
    /// `4, 8, 16`
    pub fn allowed_text(&self) -> String {
        self.allowed.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// Reads a schema.
/// # Errors
/// Not TOML, a key missing or of the wrong type, a default that is not allowed, a parameter that is no fact.
pub fn parse_schema(file: &str, text: &str) -> Result<Schema, Error> {
    let source = Source { file, text };
    let document = source.parse()?;
    let mut facts = Vec::new();
    for (name, item) in children(&source, document.as_table(), "facts")? {
        facts.push(parameter(&source, name, item)?);
    }
    let mut blocks = Vec::new();
    for (name, item) in document.as_table().iter().filter(|(name, _)| *name != "facts") {
        let table = source.table(name, item)?;
        let text = |key: &str| string(&source, table, name, key);
        let mut block = Block {
            name: name.to_string(),
            path: text("type")?,
            about: text("about")?,
            latency: text("latency")?,
            throughput: text("throughput")?,
            make: text("make")?,
            parameters: Vec::new(),
            generics: if table.contains_key("sized") && !table.contains_key("generics") {
                Vec::new()
            } else {
                strings(&source, table, name, "generics")?
            },
            sized: None,
            registers: Vec::new(),
            register_map: table.get("register_map").map(|_| text("register_map")).transpose()?,
        };
        // What a block allows itself, where that is not what the fact allows.
        let own = children(&source, table, "own")?.into_iter().map(|(key, item)| parameter(&source, key, item));
        let own = own.collect::<Result<Vec<_>, _>>()?;
        for key in strings(&source, table, name, "parameters")? {
            let Some(fact) = own.iter().chain(&facts).find(|p| p.name == key) else {
                return Err(source.error(table.get("parameters").and_then(Item::span), format!("parameter `{key}` of `{name}` is no fact")));
            };
            block.parameters.push(fact.clone());
        }
        if let Some(item) = table.get("sized") {
            let known = block.parameters.iter().map(|p| (p.name.clone(), p.default)).collect();
            let sized = source.table("sized", item)?;
            let expressions = sized.iter().map(|(key, item)| {
                let text = string(&source, sized, "sized", key)?;
                match value(&known, &text) {
                    Some(_) => Ok((key.to_string(), text)),
                    None => Err(source.error(
                        item.span(),
                        format!("`sized.{key}` of `{name}` is \"{text}\"; it is a number, a parameter in capitals, its log2(), or a sum or shift of these"),
                    )),
                }
            });
            block.sized = Some(expressions.collect::<Result<_, Error>>()?);
        }
        if let Some(unused) = own.iter().find(|p| !block.parameters.iter().any(|known| known.name == p.name)) {
            return Err(source.error(item.span(), format!("`{name}` has `own.{}` and no such parameter", unused.name)));
        }
        for (key, item) in children(&source, table, "registers")? {
            let table = source.table(&key, item)?;
            let default = table.get("default").map(shown).unwrap_or_default().trim_matches('"').to_string();
            if default.parse::<u64>().is_err() && !block.parameters.iter().any(|p| p.name == default) {
                return Err(source.error(item.span(), format!("default `{default}` of register `{key}` is no number and no parameter")));
            }
            block.registers.push(Register {
                bits: number(&source, table, &key, "bits")?,
                about: string(&source, table, &key, "about")?,
                default,
                name: key,
            });
        }
        blocks.push(block);
    }
    Ok(Schema { facts, blocks })
}

fn parameter(source: &Source, name: String, item: &Item) -> Result<Parameter, Error> {
    let table = source.table(&name, item)?;
    let parameter = Parameter {
        allowed: numbers(source, table, &name)?,
        default: number(source, table, &name, "default")?,
        about: string(source, table, &name, "about")?,
        name,
    };
    if parameter.allowed.contains(&parameter.default) {
        return Ok(parameter);
    }
    let text = format!("default {} of `{}` is not among {}", parameter.default, parameter.name, parameter.allowed_text());
    Err(source.error(item.span(), text))
}

fn missing(source: &Source, table: &dyn TableLike, of: &str, key: &str, needed: &str) -> Error {
    let span = table.iter().find_map(|(_, item)| item.span());
    match table.get(key) {
        Some(item) => source.error(item.span(), format!("`{key}` of `{of}` is {}, {needed} is needed", shown(item))),
        None => source.error(span, format!("`{of}` has no `{key}`, {needed}")),
    }
}

fn string(source: &Source, table: &dyn TableLike, of: &str, key: &str) -> Result<String, Error> {
    let value = table.get(key).and_then(Item::as_str);
    value.map(str::to_string).ok_or_else(|| missing(source, table, of, key, "a string"))
}

fn number(source: &Source, table: &dyn TableLike, of: &str, key: &str) -> Result<u64, Error> {
    let value = table.get(key).and_then(Item::as_integer).and_then(|n| u64::try_from(n).ok());
    value.ok_or_else(|| missing(source, table, of, key, "a number from 0 on"))
}

fn numbers(source: &Source, table: &dyn TableLike, of: &str) -> Result<Vec<u64>, Error> {
    let array = table.get("allowed").and_then(Item::as_array);
    let values = array.and_then(|a| a.iter().map(|v| v.as_integer().and_then(|n| u64::try_from(n).ok())).collect::<Option<Vec<_>>>());
    values.filter(|v| !v.is_empty()).ok_or_else(|| missing(source, table, of, "allowed", "a list of numbers"))
}

fn strings(source: &Source, table: &dyn TableLike, of: &str, key: &str) -> Result<Vec<String>, Error> {
    let array = table.get(key).and_then(Item::as_array);
    let values = array.and_then(|a| a.iter().map(|v| v.as_str().map(str::to_string)).collect::<Option<Vec<_>>>());
    values.ok_or_else(|| missing(source, table, of, key, "a list of strings"))
}

fn children<'t>(source: &Source, table: &'t dyn TableLike, key: &str) -> Result<Vec<(String, &'t Item)>, Error> {
    match table.get(key) {
        None => Ok(Vec::new()),
        Some(item) => Ok(source.table(key, item)?.iter().map(|(k, v)| (k.to_string(), v)).collect()),
    }
}
