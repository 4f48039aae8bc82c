//! One profile: the facts that a user decides, and the blocks that they are for.

use crate::{Block, Error, Parameter, Schema, Source, shown};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use toml_edit::{Item, Table};

/// A valid profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// file name without `.toml`
    pub name: String,
    pub file: String,
    /// block, and its parameters in the order of the schema
    pub blocks: Vec<(String, Vec<(String, u64)>)>,
    /// what the file and its base say, for those that have it as their base
    stated: Stated,
}

/// The facts of a file, those of its base among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Stated {
    /// of every block
    facts: BTreeMap<String, u64>,
    /// of one block alone
    sections: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Profile {
    /// A fact that holds for every block of the profile which does not say otherwise.
    pub fn fact(&self, name: &str) -> Option<u64> {
        self.stated.facts.get(name).copied()
    }
}

impl Stated {
    fn value(&self, block: &str, key: &str) -> Option<u64> {
        self.sections.get(block).and_then(|section| section.get(key)).or_else(|| self.facts.get(key)).copied()
    }

    /// What `self` does not say stays as it is in `base`. A fact of `self` goes before what `base` says of one block.
    fn over(mut self, base: &Stated) -> Stated {
        for (block, section) in &base.sections {
            let kept = section.iter().filter(|(key, _)| !self.facts.contains_key(*key)).map(|(key, value)| (key.clone(), *value));
            let mut merged: BTreeMap<_, _> = kept.collect();
            merged.extend(self.sections.remove(block).unwrap_or_default());
            self.sections.insert(block.clone(), merged);
        }
        let mut facts = base.facts.clone();
        facts.append(&mut self.facts);
        Stated { facts, sections: self.sections }
    }
}

/// A file as it is read: what it says, and where.
struct File<'a> {
    source: Source<'a>,
    stated: Stated,
    /// where each fact and each section's key stands; a fact has no block
    places: BTreeMap<(Option<String>, String), Option<Range<usize>>>,
    sections: Vec<(String, Option<Range<usize>>)>,
}

/// Reads and checks one profile.
///
/// A key at the top is a fact of every block that has such a parameter, a key of a section `[block]` is one of this block alone. `base`
/// names a profile among `known` whose facts hold where the file has none. The blocks are those of `blocks`, a list of names or `"all"`;
/// without it those that have a section; without a section those of the base.
///
/// # Errors
/// Not TOML, an unknown block, key or base, a key missing or used by no block, a value of the wrong type or one that is not allowed, no
/// block at all.
pub fn parse_profile(name: &str, file: &str, text: &str, schema: &Schema, known: &[Profile]) -> Result<Profile, Error> {
    let source = Source { file, text };
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
        return Err(source.error(None, format!("profile name `{name}`: lower-case letters, digits and `_` are allowed; rename the file")));
    }
    let document = source.parse()?;
    let table = document.as_table();
    let base = base(&source, table, known)?;
    let read = File::read(source, table, schema)?;
    let wanted = read.wanted(table, schema, base)?;
    read.check_used(&wanted)?;
    let stated = match base {
        Some(base) => read.stated.clone().over(&base.stated),
        None => read.stated.clone(),
    };
    let blocks = wanted.iter().map(|block| Ok((block.name.clone(), read.values(block, &stated, base)?))).collect::<Result<_, Error>>()?;
    Ok(Profile { name: name.to_string(), file: file.to_string(), blocks, stated })
}

fn base<'k>(source: &Source, table: &Table, known: &'k [Profile]) -> Result<Option<&'k Profile>, Error> {
    let Some(item) = table.get("base") else { return Ok(None) };
    let names = || known.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
    let name = item.as_str().ok_or_else(|| {
        source.error(
            item.span(),
            format!("`base` = {} is {}, not the name of a profile; profiles are {}", shown(item), item.type_name(), names()),
        )
    })?;
    let found = known.iter().find(|p| p.name == name);
    found
        .map(Some)
        .ok_or_else(|| source.error(item.span(), format!("`base` = \"{name}\" is no profile that is known here; profiles are {}", names())))
}

impl<'a> File<'a> {
    fn read(source: Source<'a>, table: &Table, schema: &Schema) -> Result<File<'a>, Error> {
        let mut file = File { source, stated: Stated::default(), places: BTreeMap::new(), sections: Vec::new() };
        for (key, item) in table {
            let span = table.key(key).and_then(|key| key.span()).or(item.span());
            match schema.block(key) {
                _ if key == "base" || key == "blocks" => {}
                // A fact may be called as a block is.
                Some(block) if item.is_table_like() || schema.fact(key).is_none() => file.section(block, item, span)?,
                _ if item.is_table_like() => {
                    let text = format!("unknown block `{key}`; blocks are {}", names(schema));
                    return Err(file.source.error(span, text));
                }
                _ => file.fact(schema, key, item)?,
            }
        }
        Ok(file)
    }

    fn section(&mut self, block: &Block, item: &Item, span: Option<Range<usize>>) -> Result<(), Error> {
        let section = self.source.table(&block.name, item)?;
        let mut values = BTreeMap::new();
        for (key, item) in section.iter() {
            let Some(parameter) = block.parameters.iter().find(|p| p.name == key) else {
                let known = block.parameters.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
                return Err(self.source.error(item.span(), format!("unknown key `{key}` of `{}`; its keys are {known}", block.name)));
            };
            let value = number(&self.source, &format!("{}.{key}", block.name), item, parameter)?;
            values.insert(key.to_string(), value);
            self.places.insert((Some(block.name.clone()), key.to_string()), item.span());
        }
        self.stated.sections.insert(block.name.clone(), values);
        self.sections.push((block.name.clone(), span));
        Ok(())
    }

    fn fact(&mut self, schema: &Schema, key: &str, item: &Item) -> Result<(), Error> {
        let Some(fact) = schema.fact(key) else {
            let facts: Vec<&str> = schema.facts.iter().map(|f| f.name.as_str()).collect();
            let text = format!("unknown key `{key}`; facts of a profile are {}", facts.join(", "));
            return Err(self.source.error(item.span(), text));
        };
        let value = whole(&self.source, key, item, &fact.allowed_text())?;
        self.stated.facts.insert(key.to_string(), value);
        self.places.insert((None, key.to_string()), item.span());
        Ok(())
    }

    /// The blocks that the profile is for, in the order of the schema.
    fn wanted<'s>(&self, table: &Table, schema: &'s Schema, base: Option<&Profile>) -> Result<Vec<&'s Block>, Error> {
        let in_base = |name: &str| base.is_none_or(|base| base.blocks.iter().any(|(block, _)| block == name));
        let has_section = |name: &str| self.sections.iter().any(|(block, _)| block == name);
        let blocks = |wanted: &dyn Fn(&str) -> bool| schema.blocks.iter().filter(|b| wanted(&b.name)).collect::<Vec<_>>();
        let found = match table.get("blocks") {
            Some(item) if item.as_str() == Some("all") => blocks(&|name| in_base(name) || has_section(name)),
            Some(item) => {
                let wrong = |text: String| self.source.error(item.span(), format!("{text}; it is \"all\" or a list of {}", names(schema)));
                let array = item.as_array().ok_or_else(|| wrong(format!("`blocks` = {}", shown(item))))?;
                let mut listed = Vec::new();
                for value in array {
                    let name = value.as_str().ok_or_else(|| wrong(format!("`blocks` holds {}", value.to_string().trim())))?;
                    if schema.block(name).is_none() {
                        return Err(wrong(format!("`blocks` names `{name}`, which is no block")));
                    }
                    listed.push(name.to_string());
                }
                if let Some((name, span)) = self.sections.iter().find(|(name, _)| !listed.contains(name)) {
                    let text = format!("`{name}` has a section, and `blocks` does not name it; add it there, or delete the section");
                    return Err(self.source.error(span.clone(), text));
                }
                blocks(&|name| listed.iter().any(|l| l == name))
            }
            None if !self.sections.is_empty() => blocks(&has_section),
            None if base.is_some() => blocks(&in_base),
            None => Vec::new(),
        };
        if found.is_empty() {
            return Err(self.source.error(None, format!("the profile names no block; blocks are {}", names(schema))));
        }
        Ok(found)
    }

    /// A fact that no block of the profile looks at is a mistake.
    fn check_used(&self, wanted: &[&Block]) -> Result<(), Error> {
        for key in self.stated.facts.keys() {
            if !wanted.iter().any(|block| block.parameters.iter().any(|p| p.name == *key)) {
                let place = self.places.get(&(None, key.clone())).cloned().flatten();
                let text = format!("no block of this profile has a parameter `{key}`; delete the key, or add to `blocks` one that has it");
                return Err(self.source.error(place, text));
            }
        }
        Ok(())
    }

    fn values(&self, block: &Block, stated: &Stated, base: Option<&Profile>) -> Result<Vec<(String, u64)>, Error> {
        let place = |key: &str| {
            let own = self.places.get(&(Some(block.name.clone()), key.to_string()));
            own.or_else(|| self.places.get(&(None, key.to_string()))).cloned().flatten()
        };
        let section = || self.sections.iter().find(|(name, _)| *name == block.name).and_then(|(_, span)| span.clone());
        let value = |parameter: &Parameter| {
            let (key, allowed) = (&parameter.name, parameter.allowed_text());
            let Some(value) = stated.value(&block.name, key) else {
                let base = base.map(|base| format!(", and its base `{}` too", base.name)).unwrap_or_default();
                return Err(self
                    .source
                    .error(section(), format!("`{}` lacks the key `{key}`{base}; allowed values are {allowed}", block.name)));
            };
            if !parameter.allowed.contains(&value) {
                let text = format!(
                    "`{key}` = {value} is not allowed for `{}`; allowed values are {allowed}; give the block a section of its own",
                    block.name
                );
                return Err(self.source.error(place(key), text));
            }
            Ok((key.clone(), value))
        };
        block.parameters.iter().map(value).collect()
    }
}

fn names(schema: &Schema) -> String {
    schema.blocks.iter().map(|b| b.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn whole(source: &Source, key: &str, item: &Item, allowed: &str) -> Result<u64, Error> {
    let Some(number) = item.as_integer() else {
        let text = format!("`{key}` = {} is {}, not a number; allowed values are {allowed}", shown(item), item.type_name());
        return Err(source.error(item.span(), text));
    };
    u64::try_from(number).map_err(|_| source.error(item.span(), format!("`{key}` = {number} is not allowed; allowed values are {allowed}")))
}

fn number(source: &Source, key: &str, item: &Item, parameter: &Parameter) -> Result<u64, Error> {
    let allowed = parameter.allowed_text();
    let number = whole(source, key, item, &allowed)?;
    if !parameter.allowed.contains(&number) {
        return Err(source.error(item.span(), format!("`{key}` = {number} is not allowed; allowed values are {allowed}")));
    }
    Ok(number)
}

/// Every `*.toml` of a folder, by name. A base is a profile of the same folder or one of `known`.
/// # Errors
/// A folder or file that cannot be read, or a profile that is refused; profiles that are each other's base.
pub fn load_folder(folder: &Path, schema: &Schema, known: &[Profile]) -> Result<Vec<Profile>, Error> {
    let cannot = |path: &Path, e: std::io::Error| Error::new(&path.display().to_string(), 1, format!("cannot be read: {e}"));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| cannot(folder, e))? {
        let path = entry.map_err(|e| cannot(folder, e))?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            files.push(path);
        }
    }
    files.sort();
    let mut waiting = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).map_err(|e| cannot(&path, e))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().to_string();
        waiting.push((name, path.display().to_string(), text));
    }
    let mut profiles = Vec::new();
    while !waiting.is_empty() {
        let names: Vec<String> = waiting.iter().map(|(name, ..)| name.clone()).collect();
        let base = |text: &str| {
            text.parse::<toml_edit::DocumentMut>().ok().and_then(|d| d.get("base").and_then(|i| i.as_str().map(str::to_string)))
        };
        let (later, now): (Vec<_>, Vec<_>) =
            waiting.into_iter().partition(|(_, _, text)| base(text).is_some_and(|base| names.contains(&base)));
        if now.is_empty() {
            let (_, file, _) = &later[0];
            return Err(Error::new(file, 1, format!("the profiles {} are each other's base; one of them needs none", names.join(", "))));
        }
        for (name, file, text) in now {
            let known: Vec<Profile> = profiles.iter().chain(known).cloned().collect();
            profiles.push(parse_profile(&name, &file, &text, schema, &known)?);
        }
        waiting = later;
    }
    profiles.sort_by(|a: &Profile, b| a.name.cmp(&b.name));
    Ok(profiles)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"
[facts]
width = { allowed = [8, 16], default = 8, about = "bits" }
depth = { allowed = [4, 8], default = 4, about = "words" }
ways = { allowed = [1, 2], default = 1, about = "ways" }

[fifo]
type = "primitives::Fifo"
about = "a queue"
latency = "1"
throughput = "1"
make = "default()"
generics = ["WIDTH"]
parameters = ["width", "depth"]

[ram]
type = "primitives::Ram"
about = "a memory"
latency = "1"
throughput = "1"
make = "default()"
generics = ["WIDTH"]
parameters = ["width", "depth"]
own.depth = { allowed = [4, 1024], default = 1024, about = "words" }

[cache]
type = "primitives::Cache"
about = "a memory with ways"
latency = "1"
throughput = "1"
make = "default()"
generics = []
parameters = ["ways"]
"#;

    fn schema() -> Schema {
        crate::parse_schema("schema.toml", SCHEMA).unwrap()
    }

    fn known() -> Vec<Profile> {
        let text = "blocks = \"all\"\nwidth = 8\ndepth = 4\nways = 1\n[ram]\ndepth = 1024\n";
        vec![parse_profile("full", "full.toml", text, &schema(), &[]).unwrap()]
    }

    fn read(text: &str) -> Result<Profile, Error> {
        parse_profile("mine", "mine.toml", text, &schema(), &known())
    }

    fn refused(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    /// `block width depth` of each block.
    fn values(text: &str) -> Vec<String> {
        let words = |(block, values): &(String, Vec<(String, u64)>)| {
            format!("{block}{}", values.iter().map(|(_, value)| format!(" {value}")).collect::<String>())
        };
        read(text).unwrap().blocks.iter().map(words).collect()
    }

    #[test]
    fn a_section_with_every_key_needs_nothing_else() {
        let profile = read("[fifo]\ndepth = 4\nwidth = 16\n").unwrap();
        assert_eq!(profile.blocks, [("fifo".to_string(), vec![("width".to_string(), 16), ("depth".to_string(), 4)])]);
    }

    #[test]
    fn a_fact_is_one_of_every_block_and_a_section_goes_before_it() {
        assert_eq!(values("blocks = [\"ram\", \"fifo\"]\nwidth = 16\ndepth = 4\n"), ["fifo 16 4", "ram 16 4"]);
        assert_eq!(
            values("blocks = \"all\"\nwidth = 16\ndepth = 4\nways = 2\n[ram]\ndepth = 1024\n"),
            ["fifo 16 4", "ram 16 1024", "cache 2"]
        );
    }

    #[test]
    fn a_base_says_what_the_file_does_not() {
        assert_eq!(values("base = \"full\"\n"), ["fifo 8 4", "ram 8 1024", "cache 1"]);
        assert_eq!(values("base = \"full\"\nwidth = 16\n"), ["fifo 16 4", "ram 16 1024", "cache 1"]);
        assert_eq!(
            values("base = \"full\"\ndepth = 4\n"),
            ["fifo 8 4", "ram 8 4", "cache 1"],
            "a fact of the file goes before a section of its base"
        );
        assert_eq!(values("base = \"full\"\nblocks = [\"fifo\"]\ndepth = 8\n"), ["fifo 8 8"]);
        assert_eq!(values("base = \"full\"\n[fifo]\ndepth = 8\n"), ["fifo 8 8"], "without `blocks` those with a section");
    }

    #[test]
    fn bad_profiles_name_file_line_key_value_and_what_is_allowed() {
        let facts = "facts of a profile are width, depth, ways";
        let cases = [
            ("[fifo]\nwidth = 9\ndepth = 4\n", "2: `fifo.width` = 9 is not allowed; allowed values are 8, 16".to_string()),
            ("[fifo]\nwidth = -8\ndepth = 4\n", "2: `fifo.width` = -8 is not allowed; allowed values are 8, 16".into()),
            ("[fifo]\nwidth = 8\ndepth = 4\nspeed = 1\n", "4: unknown key `speed` of `fifo`; its keys are width, depth".into()),
            ("\n[fifo]\nwidth = 8\n", "2: `fifo` lacks the key `depth`; allowed values are 4, 8".into()),
            ("[fifo]\nwidth = \"8\"\n", "2: `fifo.width` = \"8\" is string, not a number; allowed values are 8, 16".into()),
            ("[fofi]\nwidth = 8\n", "1: unknown block `fofi`; blocks are fifo, ram, cache".into()),
            ("fifo = 3\n", "1: `fifo` is integer, a table `[fifo]` is needed".into()),
            ("", "1: the profile names no block; blocks are fifo, ram, cache".into()),
            ("width = 8\n", "1: the profile names no block; blocks are fifo, ram, cache".into()),
            ("\nspeed = 3\n", format!("2: unknown key `speed`; {facts}")),
            ("base = \"fool\"\n", "1: `base` = \"fool\" is no profile that is known here; profiles are full".into()),
            ("base = 3\n", "1: `base` = 3 is integer, not the name of a profile; profiles are full".into()),
            ("base = \"full\"\nwidth = true\n", "2: `width` = true is boolean, not a number; allowed values are 8, 16".into()),
            (
                "base = \"full\"\ndepth = 8\n",
                "2: `depth` = 8 is not allowed for `ram`; allowed values are 4, 1024; give the block a section of its own".into(),
            ),
            (
                "blocks = [\"fifo\"]\nwidth = 8\ndepth = 4\nways = 1\n",
                "4: no block of this profile has a parameter `ways`; delete the key, or add to `blocks` one that has it".into(),
            ),
            ("blocks = [\"fofi\"]\n", "1: `blocks` names `fofi`, which is no block; it is \"all\" or a list of fifo, ram, cache".into()),
            ("blocks = \"fifo\"\n", "1: `blocks` = \"fifo\"; it is \"all\" or a list of fifo, ram, cache".into()),
            ("blocks = [1]\n", "1: `blocks` holds 1; it is \"all\" or a list of fifo, ram, cache".into()),
            (
                "blocks = [\"fifo\"]\n[ram]\nwidth = 8\n",
                "2: `ram` has a section, and `blocks` does not name it; add it there, or delete the section".into(),
            ),
            ("blocks = [\"ram\"]\nwidth = 8\n", "1: `ram` lacks the key `depth`; allowed values are 4, 1024".into()),
        ];
        for (text, message) in cases {
            assert_eq!(refused(text), format!("mine.toml:{message}"));
        }
        assert!(refused("[fifo]\nwidth = \n").starts_with("mine.toml:2: "));
        assert!(refused("[fifo\n").starts_with("mine.toml:1: "));
        assert!(refused("\u{0}\u{1}").starts_with("mine.toml:1: "));
    }

    #[test]
    fn what_sizes_are_called_is_checked_with_the_schema() {
        let sized =
            |text: &str| crate::parse_schema("schema.toml", &SCHEMA.replace("generics = []", &format!("sized = {{ depth = \"{text}\" }}")));
        for good in ["4", "WAYS", "log2(WAYS)", "WAYS + 3", "8 << WAYS"] {
            let schema = sized(good).unwrap();
            assert_eq!(schema.block("cache").unwrap().sized, Some(vec![("depth".to_string(), good.to_string())]));
        }
        for bad in ["", "WIDTH", "WAYS * 2", "log2(3)", "1 << 64"] {
            let text = sized(bad).unwrap_err().to_string();
            assert!(
                text.starts_with("schema.toml:") && text.contains(&format!("`sized.depth` of `cache` is \"{bad}\"; it is a number")),
                "{text}"
            );
        }
    }

    #[test]
    fn a_name_that_is_no_identifier_is_refused() {
        assert!(parse_profile("my-own", "my-own.toml", "", &schema(), &[]).unwrap_err().text.contains("rename the file"));
    }

    #[test]
    fn bases_of_one_folder_come_first_and_a_circle_is_refused() {
        let folder = std::env::temp_dir().join(format!("rdma-rtl-profiles-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("a.toml", "base = \"b\"\nwidth = 16\n");
        write("b.toml", "base = \"full\"\ndepth = 4\n");
        let names: Vec<String> =
            load_folder(&folder, &schema(), &known()).unwrap().into_iter().map(|p| format!("{} {:?}", p.name, p.blocks[0].1)).collect();
        assert_eq!(names, ["a [(\"width\", 16), (\"depth\", 4)]", "b [(\"width\", 8), (\"depth\", 4)]"]);
        write("b.toml", "base = \"a\"\n");
        let circle = load_folder(&folder, &schema(), &known()).unwrap_err().text;
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(circle, "the profiles a, b are each other's base; one of them needs none");
    }
}
