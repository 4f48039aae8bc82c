//! `verilator --lint-only -Wall` on a block and all below it.

use crate::{Error, Input, Tool};
use rdma_rtl_report::cache::{Cache, key};

/// What Verilator says of the block; a clean verdict is kept by content.
/// # Errors
/// A file that cannot be written; a Verilator that does not run.
pub fn lint(input: &Input, verilator: &Tool, cache: &Cache) -> Result<String, Error> {
    let texts = input.files.iter().flat_map(|(name, text)| [name.as_bytes(), text.as_bytes()]);
    let parts: Vec<&[u8]> =
        [b"lint verilator".as_slice(), verilator.version.as_bytes(), input.top.as_bytes()].into_iter().chain(texts).collect();
    let key = key(&parts);
    if cache.get::<bool>(&key) == Some(true) {
        return Ok(String::new());
    }
    let folder = rdma_rtl_process::Folder::new().map_err(Error::io("temporary folder"))?;
    for (name, text) in &input.files {
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(Error::io(path))?;
    }
    let names = input.files.iter().map(|(name, _)| name.as_str());
    let arguments: Vec<&str> = ["--lint-only", "-Wall", "--top-module", &input.top].into_iter().chain(names).collect();
    let said = verilator.said(&arguments, folder.path())?;
    if said.is_empty() {
        cache.put(&key, &true);
    }
    Ok(said)
}
