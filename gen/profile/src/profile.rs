//! One profile: a value for every parameter of the blocks that it names.

use crate::{Error, Schema, Source, shown};
use std::path::Path;

/// A valid profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// file name without `.toml`
    pub name: String,
    pub file: String,
    /// block, and its parameters in the order of the schema
    pub blocks: Vec<(String, Vec<(String, u64)>)>,
}

/// Reads and checks one profile.
/// # Errors
/// Not TOML, an unknown block or key, a key missing, a value of the wrong type or one that is not allowed, no block at all.
pub fn parse_profile(name: &str, file: &str, text: &str, schema: &Schema) -> Result<Profile, Error> {
    let source = Source { file, text };
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
        return Err(source.error(None, format!("profile name `{name}`: lower-case letters, digits and `_` are allowed; rename the file")));
    }
    let document = source.parse()?;
    let mut blocks = Vec::new();
    for (block_name, item) in document.as_table() {
        let span = document.as_table().key(block_name).and_then(|key| key.span()).or(item.span());
        let Some(block) = schema.block(block_name) else {
            let known = schema.blocks.iter().map(|b| b.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(source.error(span, format!("unknown block `{block_name}`; blocks are {known}")));
        };
        let table = source.table(block_name, item)?;
        let known = || block.parameters.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
        for (key, value) in table.iter() {
            if !block.parameters.iter().any(|p| p.name == key) {
                return Err(source.error(value.span(), format!("unknown key `{key}` of `{block_name}`; its keys are {}", known())));
            }
        }
        let mut values = Vec::new();
        for parameter in &block.parameters {
            let (key, allowed) = (&parameter.name, parameter.allowed_text());
            let Some(value) = table.get(key) else {
                return Err(source.error(span, format!("`{block_name}` lacks the key `{key}`; allowed values are {allowed}")));
            };
            let Some(number) = value.as_integer() else {
                let text =
                    format!("`{block_name}.{key}` = {} is {}, not a number; allowed values are {allowed}", shown(value), value.type_name());
                return Err(source.error(value.span(), text));
            };
            match u64::try_from(number) {
                Ok(number) if parameter.allowed.contains(&number) => values.push((key.clone(), number)),
                _ => {
                    return Err(
                        source.error(value.span(), format!("`{block_name}.{key}` = {number} is not allowed; allowed values are {allowed}"))
                    );
                }
            }
        }
        blocks.push((block_name.to_string(), values));
    }
    if blocks.is_empty() {
        let known = schema.blocks.iter().map(|b| b.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(source.error(None, format!("the profile names no block; blocks are {known}")));
    }
    Ok(Profile { name: name.to_string(), file: file.to_string(), blocks })
}

/// Every `*.toml` of a folder, by name.
/// # Errors
/// A folder or file that cannot be read, or a profile that is refused.
pub fn load_folder(folder: &Path, schema: &Schema) -> Result<Vec<Profile>, Error> {
    let cannot = |path: &Path, e: std::io::Error| Error::new(&path.display().to_string(), 1, format!("cannot be read: {e}"));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| cannot(folder, e))? {
        let path = entry.map_err(|e| cannot(folder, e))?.path();
        if path.extension().is_some_and(|e| e == "toml") {
            files.push(path);
        }
    }
    files.sort();
    let mut profiles = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).map_err(|e| cannot(&path, e))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        profiles.push(parse_profile(&name, &path.display().to_string(), &text, schema)?);
    }
    Ok(profiles)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r#"
[fifo]
type = "primitives::Fifo"
about = "a queue"
latency = "1"
throughput = "1"
make = "default()"
generics = ["WIDTH"]
[fifo.parameters]
width = { allowed = [8, 16], default = 8, about = "bits" }
depth = { allowed = [4], default = 4, about = "words" }
"#;

    fn refused(text: &str) -> String {
        let schema = crate::parse_schema("schema.toml", SCHEMA).unwrap();
        parse_profile("mine", "mine.toml", text, &schema).unwrap_err().to_string()
    }

    #[test]
    fn a_good_profile() {
        let schema = crate::parse_schema("schema.toml", SCHEMA).unwrap();
        let profile = parse_profile("mine", "mine.toml", "[fifo]\ndepth = 4\nwidth = 16\n", &schema).unwrap();
        assert_eq!(profile.blocks, [("fifo".to_string(), vec![("width".to_string(), 16), ("depth".to_string(), 4)])]);
    }

    #[test]
    fn bad_profiles_name_file_line_key_value_and_what_is_allowed() {
        let cases = [
            ("[fifo]\nwidth = 9\ndepth = 4\n", "mine.toml:2: `fifo.width` = 9 is not allowed; allowed values are 8, 16"),
            ("[fifo]\nwidth = -8\ndepth = 4\n", "mine.toml:2: `fifo.width` = -8 is not allowed; allowed values are 8, 16"),
            ("[fifo]\nwidth = 8\ndepth = 4\nspeed = 1\n", "mine.toml:4: unknown key `speed` of `fifo`; its keys are width, depth"),
            ("\n[fifo]\nwidth = 8\n", "mine.toml:2: `fifo` lacks the key `depth`; allowed values are 4"),
            ("[fifo]\nwidth = \"8\"\ndepth = 4\n", "mine.toml:2: `fifo.width` = \"8\" is string, not a number; allowed values are 8, 16"),
            ("[fofi]\nwidth = 8\n", "mine.toml:1: unknown block `fofi`; blocks are fifo"),
            ("fifo = 3\n", "mine.toml:1: `fifo` is integer, a table `[fifo]` is needed"),
            ("", "mine.toml:1: the profile names no block; blocks are fifo"),
        ];
        for (text, message) in cases {
            assert_eq!(refused(text), message);
        }
        assert!(refused("[fifo]\nwidth = \n").starts_with("mine.toml:2: "));
        assert!(refused("[fifo\n").starts_with("mine.toml:1: "));
        assert!(refused("\u{0}\u{1}").starts_with("mine.toml:1: "));
    }

    #[test]
    fn a_name_that_is_no_identifier_is_refused() {
        let schema = crate::parse_schema("schema.toml", SCHEMA).unwrap();
        assert!(parse_profile("my-own", "my-own.toml", "", &schema).unwrap_err().text.contains("rename the file"));
    }
}
