//! Every profile becomes a list of designs, with Rust types for the blocks that have const generics: one module per profile and block. The
//! build script of two crates: of the one that describes all blocks, and of the one in which a single block becomes code that runs
//! (`tb/native`).

use rdma_rtl_profile::{Block, Profile, Schema, load_folder, parse_schema};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    if let Err(text) = run() {
        // one line, without the backtrace of a panic
        println!("cargo::error={text}");
        std::process::exit(1);
    }
}

fn run() -> Result<(), String> {
    // As cargo says it now: a build script that was compiled in another folder may be used again.
    let root = std::env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo sets CARGO_MANIFEST_DIR")?;
    let root = Path::new(&root).join("../..");
    let schema_file = root.join("hdl/parameters.toml");
    println!("cargo::rerun-if-env-changed=RDMA_RTL_PROFILES");
    println!("cargo::rerun-if-changed={}", schema_file.display());
    let text = std::fs::read_to_string(&schema_file).map_err(|e| format!("{}: {e}", schema_file.display()))?;
    let schema = parse_schema("hdl/parameters.toml", &text).map_err(|e| e.to_string())?;
    let mut folders = vec![root.join("gen/profiles"), root.join("tb/profiles"), root.join("tb/profiles/verilated")];
    let native = std::env::var_os("CARGO_PKG_NAME").is_some_and(|name| name == "rdma-rtl-native");
    if native || std::env::var_os("CARGO_FEATURE_SWEEP").is_some() {
        folders.push(root.join("tb/profiles/sweep"));
    }
    println!("cargo::rustc-env=RDMA_RTL_RUSTC={}", compiler()?);
    let foundation = rdma_rtl_profile::unit::foundation(&root).map_err(|e| format!("{}: {e}", root.display()))?;
    println!("cargo::rustc-env=RDMA_RTL_FOUNDATION={foundation}");
    // File by file: a change of a block that is compiled when it is asked for does not build this program again.
    for file in rdma_rtl_profile::unit::foundation_files(&root).map_err(|e| format!("{}: {e}", root.display()))? {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    let mut profiles: Vec<Profile> = Vec::new();
    for folder in folders {
        println!("cargo::rerun-if-changed={}", folder.display());
        let own = load_folder(&folder, &schema, &shipped_bases(&profiles)).map_err(|e| e.to_string())?;
        profiles.extend(own);
    }
    let shipped: Vec<String> = profiles.iter().map(|p| p.name.clone()).collect();
    if let Some(folder) = std::env::var_os("RDMA_RTL_PROFILES").filter(|f| !f.is_empty()) {
        // From the workspace's root, as the user sees it; an absolute path stays.
        let folder = root.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        match load_folder(&folder, &schema, &shipped_bases(&profiles)) {
            Ok(own) => profiles.extend(own.into_iter().filter(|p| !shipped.contains(&p.name))),
            // The command line reads the folder at each start and refuses with its exit code what is wrong with it.
            Err(e) => println!("cargo::warning=no profile of RDMA_RTL_PROFILES is built in: {e}"),
        }
    }
    // The one that is to become code.
    if native {
        println!("cargo::rerun-if-env-changed=RDMA_RTL_NATIVE");
        let one = std::env::var("RDMA_RTL_NATIVE").unwrap_or_default();
        let wanted = |block: &str, profile: &str| one.split_once('@') == Some((block, profile));
        profiles.iter_mut().for_each(|p| p.blocks.retain(|(block, _)| wanted(block, &p.name)));
        return write(&schema, &profiles, &shipped);
    }
    // For a short loop on a few blocks: what is not made into types is not compiled.
    println!("cargo::rerun-if-env-changed=RDMA_RTL_BLOCKS");
    if let Some(only) = std::env::var("RDMA_RTL_BLOCKS").ok().filter(|only| !only.is_empty()) {
        let only: Vec<&str> = only.split(',').map(str::trim).collect();
        if let Some(unknown) = only.iter().find(|name| schema.block(name).is_none()) {
            return Err(format!(
                "RDMA_RTL_BLOCKS: `{unknown}` is no block of hdl/parameters.toml; give names separated by commas, or unset it"
            ));
        }
        println!("cargo::warning=only the blocks of RDMA_RTL_BLOCKS are built in");
        profiles.iter_mut().for_each(|p| p.blocks.retain(|(name, _)| only.contains(&name.as_str())));
    }
    write(&schema, &profiles, &shipped)
}

/// The profiles that others may have as their base: those that come with the project for its users.
fn shipped_bases(profiles: &[Profile]) -> Vec<Profile> {
    profiles.iter().filter(|p| Path::new(&p.file).parent().is_some_and(|folder| folder.ends_with("gen/profiles"))).cloned().collect()
}

/// The compiler's version: a library by another one cannot be loaded.
fn compiler() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").ok_or("cargo sets RUSTC")?;
    let output = std::process::Command::new(&rustc).arg("-V").output().map_err(|e| format!("{}: {e}", rustc.display()))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

fn write(schema: &Schema, profiles: &[Profile], shipped: &[String]) -> Result<(), String> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?).join("catalogue.rs");
    std::fs::write(&out, catalogue(schema, profiles, shipped)).map_err(|e| format!("{}: {e}", out.display()))
}

/// The list is a call of the macro `designs`, which each of the crates has its own of.
fn catalogue(schema: &Schema, profiles: &[Profile], shipped: &[String]) -> String {
    let (mut types, mut list) = (String::new(), String::new());
    for profile in profiles {
        for (name, values) in &profile.blocks {
            let Some(block) = schema.block(name) else { continue };
            let module = format!("{}_{name}", profile.name);
            types.push_str(&block_module(&profile.name, &module, block, values));
            let parameters: Vec<_> = values.iter().map(|(key, value)| format!("({key:?}, {value})")).collect();
            let kind = if block.sized.is_some() { "sized" } else { "compiled" };
            let _ = writeln!(list, "    {kind} {module} {{ {name:?}, {:?}, [{}] }}", profile.name, parameters.join(", "));
        }
    }
    format!(
        "{types}\ndesigns! {{\n{list}}}\n\n\
         /// Names of the profiles that come with the project; others are a user's own.\npub static SHIPPED: &[&str] = &{shipped:?};\n"
    )
}

fn block_module(profile: &str, module: &str, block: &Block, values: &[(String, u64)]) -> String {
    let mut constants = String::new();
    for (key, value) in values {
        let _ = writeln!(constants, "    const {}: usize = {value};", key.to_uppercase());
    }
    let generics: Vec<_> = block.generics.iter().map(|g| format!("{{ {g} }}")).collect();
    let generics = if generics.is_empty() { String::new() } else { format!("<{}>", generics.join(", ")) };
    let own = if block.sized.is_some() {
        String::new()
    } else {
        format!(
            "    /// The block with this profile's sizes.\n    pub type T = rdma_rtl_hdl::{}{generics};\n    \
             /// A new one.\n    pub fn make() -> T {{ T::{} }}\n",
            block.path, block.make
        )
    };
    let map = block.register_map.as_ref().filter(|_| block.sized.is_none()).map_or("None".to_string(), |map| format!("Some({map})"));
    format!(
        "#[allow(dead_code, unused_imports, unused_braces, clippy::redundant_closure, clippy::manual_div_ceil)]\npub mod {module} {{\n    //! `{name}` at the profile `{profile}`.\n    use super::*;\n{constants}{own}    \
         /// The registers that software sees, if it has any.\n    pub fn register_map() -> Option<RegisterMap> {{ {map} }}\n}}\n",
        name = block.name,
    )
}
