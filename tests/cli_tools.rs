//! The command line when the tools or the disk fail, and when the cache is damaged.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const COSIM: [&str; 7] = ["cosim", "--block", "receive_registry", "--profile", "small", "--packets", "3"];

fn rtl() -> Command {
    Command::new(env!("CARGO_BIN_EXE_rdma-rtl"))
}

/// Exit code 3 and one line that has the parts.
fn fails(output: &Output, parts: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
    assert!(!text.contains("internal error"), "{text}");
}

fn in_folder(folder: &Path, start: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).map(|entries| entries.map(|e| e.unwrap().path()).collect::<Vec<_>>()).unwrap_or_default();
    entries.into_iter().filter(|p| p.file_name().unwrap().to_string_lossy().starts_with(start)).collect()
}

#[test]
fn no_verilator() {
    let folder = tempfile::tempdir().unwrap();
    for program in ["/bin/false", "/no/such/verilator"] {
        fails(&rtl().env("RDMA_RTL_VERILATOR", program).args(COSIM).output().unwrap(), &[program]);
    }
    // An empty tools folder and an empty PATH: nothing to be found anywhere.
    let nothing = rtl().env_remove("RDMA_RTL_VERILATOR").env("RDMA_RTL_TOOLS", folder.path()).env("PATH", "").args(COSIM).output().unwrap();
    fails(&nothing, &["Verilator", "make tools"]);
}

#[test]
fn a_verilator_that_fails_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (program, cache) = (folder.path().join("verilator"), folder.path().join("cache"));
    let real = std::env::split_paths(&std::env::var_os("PATH").unwrap()).map(|d| d.join("verilator")).find(|p| p.exists());
    let Some(real) = real else { panic!("no Verilator on PATH: call through `make test`") };
    // It answers what it is asked, and fails when there is work.
    let text =
        format!("#!/bin/sh\ncase \"$*\" in *--cc*) echo '%Error: out of ideas' >&2; exit 3;; esac\nexec {} \"$@\"\n", real.display());
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = rtl().env("RDMA_RTL_VERILATOR", &program).env("RDMA_RTL_CACHE", &cache).args(COSIM).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("receive_registry") && text.contains("out of ideas") && !text.contains("internal error"), "{text}");
    assert_eq!(in_folder(&cache, "building-"), Vec::<PathBuf>::new());
}

#[test]
fn a_full_disk_for_the_cache() {
    let cache = tempfile::tempdir().unwrap();
    // A write beyond the limit fails like one on a full disk once the signal is ignored.
    let command = "trap '' XFSZ; ulimit -f 64; exec \"$0\" \"$@\"";
    let mut limited = Command::new("sh");
    limited.args(["-c", command, env!("CARGO_BIN_EXE_rdma-rtl")]).args(COSIM).env("RDMA_RTL_CACHE", cache.path());
    fails(&limited.output().unwrap(), &["no space left for the cache in ", "RDMA_RTL_CACHE"]);
    assert_eq!(in_folder(cache.path(), "building-"), Vec::<PathBuf>::new());
}

#[test]
fn a_broken_cached_library_is_built_again() {
    let cache = tempfile::tempdir().unwrap();
    let run = || rtl().env("RDMA_RTL_CACHE", cache.path()).args(COSIM).output().unwrap();
    let said = |output: &Output| {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).lines().find(|l| l.starts_with("build ")).unwrap_or_default().to_string()
    };
    assert!(said(&run()).ends_with("built"));
    assert!(said(&run()).ends_with("from the cache"));
    let models: Vec<PathBuf> = in_folder(cache.path(), "").iter().map(|d| d.join("model.so")).filter(|p| p.exists()).collect();
    assert!(!models.is_empty());
    for model in models {
        let whole = std::fs::read(&model).unwrap();
        std::fs::write(&model, &whole[..whole.len() / 2]).unwrap();
    }
    assert!(said(&run()).ends_with("built"));
}

#[test]
fn a_full_disk_for_a_result() {
    let output = rtl().args(["list", "--json", "/dev/full"]).output().unwrap();
    fails(&output, &["cannot write /dev/full", "No space left"]);
    assert!(!Path::new("/dev/full").metadata().unwrap().is_file(), "a device was replaced by a file");
}
