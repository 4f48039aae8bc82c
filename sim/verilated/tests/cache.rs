//! The cache under everything that goes wrong: failing and concurrent builds, damaged entries, no room, no tools.

mod common;

use common::{counter, entries, options, script};
use rdma_rtl_verilated::{Design, Error, Library, Options, Tools};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::tempdir;

fn count_to_three(library: &Library) {
    let mut model = library.instance().unwrap();
    model.poke_u64(1, 1);
    model.clocks(3);
    assert_eq!(model.peek_u64(2), 3);
}

/// Nothing of an unfinished build is left.
fn clean(cache: &Path) {
    assert_eq!(entries(cache, "building-"), Vec::<PathBuf>::new());
}

/// The entry of a library.
fn entry(library: &Library) -> &Path {
    library.path().parent().unwrap()
}

#[test]
fn second_build_comes_from_the_cache_and_a_change_does_not() {
    let cache = tempdir().unwrap();
    let options = options(cache.path());
    let first = Library::build(&counter(0), &options).unwrap();
    assert!(!first.was_cached());
    let again = Library::build(&counter(0), &options).unwrap();
    assert!(again.was_cached());
    assert_eq!(first.path(), again.path());
    count_to_three(&again);
    let changed = Library::build(&counter(1), &options).unwrap();
    assert!(!changed.was_cached());
    let renamed = Design { sources: vec![rdma_rtl_verilated::Source::new("c.v", counter(0).sources[0].text.clone())], ..counter(0) };
    assert!(!Library::build(&renamed, &options).unwrap().was_cached());
    assert!(entry(&first).join("src/counter.v").exists());
    clean(cache.path());
}

#[test]
fn concurrent_builds_give_one_good_entry() {
    let cache = tempdir().unwrap();
    let options = options(cache.path());
    std::thread::scope(|scope| {
        let builds: Vec<_> = (0..6).map(|_| scope.spawn(|| Library::build(&counter(0), &options).unwrap())).collect();
        let libraries: Vec<_> = builds.into_iter().map(|b| b.join().unwrap()).collect();
        assert_eq!(libraries.iter().filter(|l| !l.was_cached()).count(), 1, "one builds, the others wait");
        libraries.iter().for_each(count_to_three);
    });
    clean(cache.path());
}

#[test]
fn a_failed_build_leaves_nothing_and_does_not_stay() {
    let cache = tempdir().unwrap();
    let options = options(cache.path());
    let mut broken = counter(0);
    broken.sources[0].text = broken.sources[0].text.replace("count + 8'd1", "count + + ;");
    for _ in 0..2 {
        let error = Library::build(&broken, &options).err().unwrap();
        assert!(matches!(error, Error::Verilator { .. }));
        let text = error.to_string();
        let log = cache.path().join("logs/verilator-counter.log");
        let words = format!("Verilator refused `counter`; all of it: {}:\n  %Error: src/counter.v:3:", log.display());
        assert!(text.starts_with(&words) && text.contains("syntax error"), "{text}");
        assert!(std::fs::read_to_string(log).unwrap().contains("Exiting due to 1 error"));
    }
    clean(cache.path());
    count_to_three(&Library::build(&counter(0), &options).unwrap());
}

#[test]
fn a_damaged_library_is_built_again() {
    let cache = tempdir().unwrap();
    let options = options(cache.path());
    let path = Library::build(&counter(0), &options).unwrap().path().to_path_buf();
    let whole = std::fs::read(&path).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    // A new file each time: the loaded one is mapped, and is not ours to cut.
    let replace = |contents: Option<&[u8]>| {
        std::fs::remove_file(&path).unwrap();
        if let Some(contents) = contents {
            std::fs::write(&path, contents).unwrap();
        }
    };
    for damage in [Some(&whole[..whole.len() / 2]), Some(&whole[..0]), Some(&flipped[..]), None] {
        replace(damage);
        let library = Library::build(&counter(0), &options).unwrap();
        assert!(!library.was_cached());
        count_to_three(&library);
    }
    std::fs::remove_file(path.with_file_name("checksum")).unwrap();
    assert!(!Library::build(&counter(0), &options).unwrap().was_cached());
    clean(cache.path());
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    for place in [file.clone(), file.join("below")] {
        let error = Library::build(&counter(0), &options(&place)).err().unwrap();
        let text = error.to_string();
        assert!(matches!(error, Error::Cache { .. }), "{text}");
        assert!(text.contains("file") && text.contains("RDMA_RTL_CACHE") && !text.contains('\n'), "{text}");
    }
}

/// Runs the test `name` of this file in a shell that limits the size of files, with `RDMA_RTL_TEST_LIMITED` as its cache.
fn limited(name: &str, blocks: u32, cache: &Path) -> String {
    // A write beyond the limit fails like one on a full disk once the signal is ignored.
    let command = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" --exact {name} --ignored --nocapture");
    let output = Command::new("sh")
        .args(["-c", &command])
        .arg(std::env::current_exe().unwrap())
        .env("RDMA_RTL_TEST_LIMITED", cache)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
#[ignore = "run by a_full_disk_is_one_clear_line"]
fn build_in_the_limited_cache() {
    let cache = std::env::var("RDMA_RTL_TEST_LIMITED").unwrap();
    match Library::build(&counter(0), &options(Path::new(&cache))) {
        Ok(_) => println!("RESULT built"),
        Err(error) => println!("RESULT {error}"),
    }
}

#[test]
fn a_full_disk_is_one_clear_line() {
    // From "no room for the first file" to "no room for the last": sizes are 512-byte blocks.
    let cache = tempdir().unwrap();
    let options = options(cache.path());
    for blocks in [0, 8, 64, 400] {
        let said = limited("build_in_the_limited_cache", blocks, cache.path());
        let result = said.lines().find_map(|l| l.split_once("RESULT ").map(|r| r.1)).unwrap_or_else(|| panic!("{blocks}: {said}"));
        assert!(result.starts_with("no space left for the cache in ") && result.contains("RDMA_RTL_CACHE"), "{blocks} blocks: {said}");
        clean(cache.path());
    }
    // The rest of the cache is good: with room again the same call works.
    count_to_three(&Library::build(&counter(0), &options).unwrap());
}

#[test]
fn tools_that_do_not_work_are_named() {
    let directory = tempdir().unwrap();
    let cache = directory.path().join("cache");
    let real = Tools::find(None, None).unwrap();
    let refuse = |body: &str| {
        let program = script(directory.path(), "verilator", body);
        let options = Options { verilator: Some(program), ..options(&cache) };
        Library::build(&counter(0), &options).err().expect("refused").to_string()
    };
    let root = real.root.display();
    let version = |v: &str| format!("case \"$1\" in --getenv) echo {root};; --version) echo 'Verilator {v}';; ");
    let text = refuse("echo cannot start >&2; exit 3");
    assert!(text.contains("does not work") && text.contains("cannot start"), "{text}");
    let text = refuse("exit 0");
    assert!(text.contains("no include/verilated.h"), "{text}");
    let text = refuse(&(version("4.228 2022-10-01") + "esac"));
    assert!(text.contains("is Verilator 4.228, but 5.006 or newer is needed"), "{text}");
    let text = refuse(&(version("5.010 x") + "*) echo '%Error: broken inside' >&2; exit 1;; esac"));
    assert!(text.starts_with("Verilator refused `counter`; all of it: ") && text.ends_with(":\n  %Error: broken inside"), "{text}");
    let text = refuse(&(version("5.011 x") + "*) kill -9 $$;; esac"));
    assert!(text.contains("no message; it ended with signal: 9"), "{text}");
    let text = refuse(&(version("5.012 x") + "*) exit 0;; esac"));
    assert!(text.contains("ended without an error and without a result"), "{text}");
    clean(&cache);
    let missing = Options { verilator: Some(directory.path().join("none")), ..options(&cache) };
    let text = Library::build(&counter(0), &missing).err().unwrap().to_string();
    assert!(text.contains("Verilator not found") && text.contains("make tools") && text.contains("RDMA_RTL_VERILATOR"), "{text}");
}

/// Runs the ignored test `print_tools` with an environment of its own.
fn tools_with(variables: &[(&str, &Path)], cache: &Path) -> String {
    said_by("print_tools", variables, cache)
}

/// What an ignored test says behind `RESULT`, with an environment of its own.
fn said_by(test: &str, variables: &[(&str, &Path)], cache: &Path) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]).env("RDMA_RTL_CACHE", cache).current_dir("/");
    command.env_remove("RDMA_RTL_VERILATOR").env_remove("RDMA_RTL_TOOLS").env_remove("CXX");
    for (name, value) in variables {
        command.env(name, value);
    }
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.lines().find_map(|l| l.split_once("RESULT ").map(|r| r.1.to_string())).unwrap_or_else(|| panic!("{said}"))
}

#[test]
#[ignore = "run by the_environment_chooses_the_tools"]
fn print_tools() {
    match Tools::find(None, None) {
        Ok(tools) => println!("RESULT {} {}", tools.verilator.display(), tools.compiler.display()),
        Err(error) => println!("RESULT {error}"),
    }
}

#[test]
fn the_environment_chooses_the_tools() {
    let directory = tempdir().unwrap();
    let cache = directory.path().join("cache");
    let real = Tools::find(None, None).unwrap();
    let bin = directory.path().join("tools/bin");
    std::fs::create_dir_all(&bin).unwrap();
    let call = format!("exec {} \"$@\"", real.verilator.display());
    let own = script(&bin, "verilator", &call);
    let named = script(directory.path(), "other", &call);
    let tools = directory.path().join("tools");
    let compiler = script(directory.path(), "compiler", &format!("exec {} \"$@\"", real.compiler.display()));
    let found = |variables: &[(&str, &Path)]| tools_with(variables, &cache);
    assert!(found(&[("RDMA_RTL_TOOLS", &tools)]).starts_with(&own.display().to_string()));
    assert!(found(&[("RDMA_RTL_TOOLS", &tools), ("RDMA_RTL_VERILATOR", &named)]).starts_with(&named.display().to_string()));
    assert!(found(&[("RDMA_RTL_VERILATOR", &named), ("CXX", &compiler)]).ends_with(&compiler.display().to_string()));
    let nothing = directory.path().join("nothing");
    let text = found(&[("RDMA_RTL_VERILATOR", &nothing)]);
    assert!(text.starts_with("Verilator not found (looked at RDMA_RTL_VERILATOR="), "{text}");
    let text = found(&[("PATH", &nothing), ("RDMA_RTL_TOOLS", &nothing)]);
    assert!(text.starts_with("Verilator not found (looked at ") && text.contains("and PATH"), "{text}");
    let text = found(&[("PATH", &nothing), ("RDMA_RTL_VERILATOR", &named)]);
    assert!(text.starts_with("no C++ compiler found (looked for c++, g++, clang++ on PATH)"), "{text}");
}

/// Two models, the second with what is kept of the first: runtime and precompiled header.
#[test]
#[ignore = "run by every_compiler_that_is_here_makes_models"]
fn two_models() {
    for seed in 0..2 {
        count_to_three(&Library::build(&counter(seed), &Options::default()).unwrap());
    }
    println!("RESULT {}", Tools::find(None, None).unwrap().compiler_version);
}

#[test]
fn every_compiler_that_is_here_makes_models() {
    let paths: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect();
    let real = Tools::find(None, None).unwrap();
    for name in ["g++", "clang++"] {
        let Some(compiler) = paths.iter().map(|path| path.join(name)).find(|program| program.is_file()) else { continue };
        let cache = tempdir().unwrap();
        let said = said_by("two_models", &[("CXX", &compiler), ("RDMA_RTL_VERILATOR", &real.verilator)], cache.path());
        assert_eq!(said.contains("clang"), name == "clang++", "{said}");
    }
}

#[test]
fn a_failing_compiler_is_named() {
    let directory = tempdir().unwrap();
    let cache = directory.path().join("cache");
    let real = Tools::find(None, None).unwrap();
    let body = format!(
        "case \"$*\" in *unit0*) echo 'unit0.cpp:1: error: broken compiler' >&2; exit 1;; esac; exec {} \"$@\"",
        real.compiler.display()
    );
    let compiler = script(directory.path(), "compiler", &body);
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "build_in_the_limited_cache", "--ignored", "--nocapture"])
        .env("RDMA_RTL_TEST_LIMITED", &cache)
        .env("CXX", &compiler)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("the C++ compiler") && said.contains("failed on `counter`") && said.contains("error: broken compiler"), "{said}");
    clean(&cache);
}
