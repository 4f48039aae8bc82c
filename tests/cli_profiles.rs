//! Profiles of a user's own at the command line: what is wrong with one is one line and exit code 2.

use std::path::Path;
use std::process::{Command, Output};

fn gen_with(folder: &Path, profile: &str) -> Output {
    let out = folder.join("out");
    Command::new(env!("CARGO_BIN_EXE_rdma-rtl"))
        .env("RDMA_RTL_PROFILES", folder)
        .args(["gen", "--block", "find_first", "--profile", profile, "--out", out.to_str().unwrap()])
        .output()
        .unwrap()
}

/// The profile `mine` with this text, and what is said about it.
fn refused(text: &str, parts: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.toml"), text).unwrap();
    says(folder.path(), &gen_with(folder.path(), "mine"), parts);
}

fn says(folder: &Path, output: &Output, parts: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
    assert!(!folder.join("out").exists(), "something was written");
}

#[test]
fn each_fault_is_named_with_file_and_line() {
    refused("[find_first]\nwidth = 64\nspeed = 9\n", &["mine.toml:3: ", "unknown key `speed` of `find_first`", "width"]);
    refused("[find_first]\nwidth = 63\n", &["mine.toml:2: ", "`find_first.width` = 63 is not allowed; allowed values are "]);
    refused("[find_first]\nwidth = -1\n", &["mine.toml:2: ", "`find_first.width` = -1 is not allowed"]);
    refused("\n[find_first]\n", &["mine.toml:2: ", "`find_first` lacks the key `width`; allowed values are "]);
    refused("[find_first]\nwidth = \"64\"\n", &["mine.toml:2: ", "`find_first.width` = \"64\" is string, not a number"]);
    refused("find_first = 64\n", &["mine.toml:1: ", "`find_first` is integer, a table `[find_first]` is needed"]);
    refused("[find_last]\nwidth = 64\n", &["mine.toml:1: ", "unknown block `find_last`; blocks are "]);
    refused("[find_first\nwidth = 64\n", &["mine.toml:1: "]);
    refused("", &["mine.toml:1: ", "the profile names no block"]);
    refused("base = \"defualt\"\n", &["mine.toml:1: ", "`base` = \"defualt\" is no profile", "small, default, large"]);
    refused("base = \"default\"\nblocks = [\"find_first\"]\nwidht = 64\n", &["mine.toml:3: ", "unknown key `widht`", "width"]);
    refused(
        "base = \"default\"\nblocks = [\"find_first\"]\nwidth = 63\n",
        &["mine.toml:3: ", "`width` = 63 is not allowed for `find_first`"],
    );
    refused(
        "base = \"default\"\nblocks = [\"find_first\"]\nnodes = 4\n",
        &["mine.toml:3: ", "no block of this profile has a parameter `nodes`"],
    );
}

#[test]
fn what_is_valid_and_not_built_in_says_how_to_build_it() {
    let parts = ["mine.toml: the profile is valid", "`cargo build` with RDMA_RTL_PROFILES"];
    refused("[find_first]\nwidth = 64\n", &parts);
    refused("base = \"default\"\nblocks = [\"find_first\"]\nwidth = 64\n", &parts);
}

#[test]
fn a_folder_that_cannot_be_read_and_a_name_that_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    says(&nowhere, &gen_with(&nowhere, "mine"), &["nowhere", "cannot be read"]);
    std::fs::write(folder.path().join("small.toml"), "[find_first]\nwidth = 64\n").unwrap();
    says(folder.path(), &gen_with(folder.path(), "default"), &["small.toml", "`small` is shipped already; rename the file"]);
    std::fs::rename(folder.path().join("small.toml"), folder.path().join("My-Own.toml")).unwrap();
    says(folder.path(), &gen_with(folder.path(), "default"), &["My-Own.toml", "rename the file"]);
}

#[test]
fn an_empty_folder_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    assert!(gen_with(folder.path(), "small").status.success());
}
