//! Profiles of the user's own, in the folder that `RDMA_RTL_PROFILES` names.
//!
//! They become types when the program is built, and may have changed since. So every start reads them again, and what is wrong with
//! one is an answer of the command line.

use crate::fail::Fail;
use crate::suggest;
use rdma_rtl_profile::{Profile, load_folder};
use rdma_rtl_tb::catalogue::{self, BASES, Design, SCHEMA, SHIPPED};
use std::path::PathBuf;

const FOLDER: &str = "RDMA_RTL_PROFILES";

/// The user's profiles, none if no folder is named.
///
/// Errors: a folder that cannot be read, a profile that is refused, a name that a shipped profile has.
pub fn load() -> Result<Vec<Profile>, Fail> {
    let Some(folder) = std::env::var_os(FOLDER).filter(|f| !f.is_empty()) else { return Ok(Vec::new()) };
    let profiles = load_folder(&PathBuf::from(folder), &SCHEMA, &BASES).map_err(Fail::call)?;
    match profiles.iter().find(|p| SHIPPED.contains(&p.name.as_str())) {
        Some(p) => Err(Fail::Call(format!("{}: a profile `{}` is shipped already; rename the file", p.file, p.name))),
        None => Ok(profiles),
    }
}

/// The block at the profile.
pub fn find(block: &str, profile: &str) -> Result<Design, Fail> {
    up_to_date(profile)?;
    catalogue::find(block, profile).map_err(|text| {
        let names = SCHEMA.blocks.iter().map(|b| b.name.as_str());
        let meant = match SCHEMA.block(block) {
            None => suggest::question(block, names),
            Some(_) => suggest::question(profile, catalogue::designs().iter().filter(|d| d.block == block).map(|d| d.profile)),
        };
        Fail::Call(text + &meant)
    })
}

/// Every block at the profile.
pub fn all(profile: &str) -> Result<Vec<Design>, Fail> {
    up_to_date(profile)?;
    let designs: Vec<_> = catalogue::designs().iter().filter(|d| d.profile == profile).copied().collect();
    if designs.is_empty() {
        let mut names: Vec<&str> = catalogue::designs().iter().map(|d| d.profile).collect();
        names.sort_unstable();
        names.dedup();
        let meant = suggest::question(profile, names.iter().copied());
        return Err(Fail::Call(format!(
            "no block has a profile `{profile}`; profiles are {} ({FOLDER} names a folder of your own){meant}",
            names.join(", ")
        )));
    }
    Ok(designs)
}

/// Whether a profile of the user's own is what the program was built with.
fn up_to_date(profile: &str) -> Result<(), Fail> {
    let profiles = load()?;
    let Some(own) = profiles.iter().find(|p| p.name == profile) else { return Ok(()) };
    let built = |(block, values): &(String, Vec<(String, u64)>)| {
        let values = values.iter().map(|(key, value)| (key.as_str(), *value));
        catalogue::find(block, profile).is_ok_and(|d| d.parameters.iter().copied().eq(values))
    };
    if own.blocks.iter().all(built) {
        return Ok(());
    }
    Err(Fail::Call(format!(
        "{}: the profile is valid, but this program was built without it or before its last change; sizes are types, so build it: `cargo build` with {FOLDER} set as it is now",
        own.file
    )))
}
