//! The command line when the tools or the disk fail, and when the cache is damaged.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Once;
use std::time::Duration;

const COSIM: [&str; 7] = ["cosim", "--block", "receive_registry", "--profile", "small", "--packets", "3"];

fn rtl() -> Command {
    described();
    Command::new(env!("CARGO_BIN_EXE_rdma-rtl"))
}

/// The block is compiled before anything is missing: what fails then is what the test takes away.
fn described() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let hash = ["hash", "--block", "receive_registry", "--profile", "small"];
        let output = Command::new(env!("CARGO_BIN_EXE_rdma-rtl")).args(hash).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    });
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
    let log = cache.join("logs/verilator-receive_registry.log");
    assert!(text.contains(&format!("all of it: {}", log.display())), "{text}");
    assert!(std::fs::read_to_string(log).unwrap().contains("out of ideas"));
    assert_eq!(in_folder(&cache, "building-"), Vec::<PathBuf>::new());
}

#[test]
fn no_place_for_the_cache() {
    let bare = || {
        let mut command = rtl();
        ["RDMA_RTL_CACHE", "XDG_CACHE_HOME", "HOME"].iter().for_each(|name| _ = command.env_remove(name));
        command
    };
    fails(&bare().args(COSIM).output().unwrap(), &["RDMA_RTL_CACHE", "HOME"]);
    fails(&bare().arg("cache").output().unwrap(), &["RDMA_RTL_CACHE", "HOME"]);
}

fn script(path: &Path, text: &str) {
    std::fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn verilator() -> PathBuf {
    let real = std::env::split_paths(&std::env::var_os("PATH").unwrap()).map(|d| d.join("verilator")).find(|p| p.exists());
    real.unwrap_or_else(|| panic!("no Verilator on PATH: call through `make test`"))
}

/// A call whose Verilator starts a program and waits for it gets a signal. It ends by that signal, the program ends with it, and nothing is
/// left in cache and temporary folder.
fn interrupted(call: &[&str], work: &str, signal: (&str, i32)) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (program, cache, temporary, pid) = (at("verilator"), at("cache"), at("tmp"), at("pid"));
    std::fs::create_dir(&temporary).unwrap();
    let waits = format!("sleep 1000 & echo $! > '{0}.part'; mv '{0}.part' '{0}'; wait", pid.display());
    script(&program, &format!("case \"$*\" in *{work}*) {waits};; esac\nexec {} \"$@\"", verilator().display()));
    let mut command = rtl();
    command.args(call).env("RDMA_RTL_VERILATOR", &program).env("RDMA_RTL_CACHE", &cache).env("TMPDIR", &temporary);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let patience = |done: &mut dyn FnMut() -> bool| (0..3000).any(|_| done() || (std::thread::sleep(Duration::from_millis(20)), false).1);
    assert!(patience(&mut || pid.exists()), "the tool was not started");
    let sleeper = std::fs::read_to_string(&pid).unwrap().trim().to_string();
    assert!(Command::new("kill").args([signal.0, &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(signal.1));
    let stat = format!("/proc/{sleeper}/stat");
    assert!(patience(&mut || !std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z "))), "{sleeper} still runs");
    assert_eq!((in_folder(&cache, "building-"), in_folder(&temporary, "")), (Vec::new(), Vec::new()));
}

#[test]
fn an_interrupt_ends_what_was_started_and_leaves_nothing() {
    interrupted(&COSIM, "--cc", ("-TERM", 15));
    interrupted(&COSIM, "--cc", ("-INT", 2));
    interrupted(&["lint", "--block", "fifo_lut", "--profile", "small"], "--lint-only", ("-HUP", 1));
}

#[test]
fn a_signal_that_the_caller_ignores_is_ignored() {
    // The shell that runs it ignores INT, as for what it runs in the background.
    let script = "trap '' INT; \"$0\" list --json /dev/null & wait $!; trap '' INT; \"$0\" hash --all & kill -INT $!; wait $!";
    let output = Command::new("sh").args(["-c", script, env!("CARGO_BIN_EXE_rdma-rtl")]).output().unwrap();
    assert!(output.status.success(), "{:?} {}", output.status, String::from_utf8_lossy(&output.stderr));
}

#[test]
fn what_is_kept_is_shown_bounded_and_cleared() {
    let cache = tempfile::tempdir().unwrap();
    let call = |args: &[&str], limit: &str| {
        let output = rtl().env("RDMA_RTL_CACHE", cache.path()).env("RDMA_RTL_CACHE_MIB", limit).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let models = |limit: &str| {
        let value: serde_json::Value = serde_json::from_str(&call(&["cache", "--json"], limit)).unwrap();
        let of = |kind: &str| value["kinds"].as_array().unwrap().iter().find(|row| row["kind"] == kind).unwrap().clone();
        assert_eq!(value["limit_bytes"].as_u64(), limit.parse().ok().map(|mib: u64| mib << 20));
        (of("models")["entries"].as_u64().unwrap(), of("models")["bytes"].as_u64().unwrap(), of("lint")["entries"].as_u64().unwrap())
    };
    call(&COSIM, "100");
    call(&["lint", "--block", "fifo_lut", "--profile", "small"], "100");
    let (entries, bytes, lint) = models("100");
    assert!(entries == 2 && bytes > 100_000 && lint >= 2, "a model and Verilator's runtime: {entries} {bytes} {lint}");
    assert!(call(&["cache"], "100").contains("512 entries, 100.0 MiB"));
    // Nothing fits: what was made last stays all the same.
    call(&[&COSIM[..], &["--wave", cache.path().join("w.vcd").to_str().unwrap()]].concat(), "0");
    assert_eq!(models("0").0, 1);
    call(&["cache", "--clear", "lint"], "100");
    assert_eq!((models("100").0, models("100").2), (1, 0));
    call(&["cache", "--clear", "models,report,lint,logs"], "100");
    assert_eq!(models("100"), (0, 0, 0));
    let wrong = rtl().args(["cache", "--clear", "everything"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_wave_without_the_header_of_fst_is_vcd() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let none = "echo 'w.cpp:18:10: fatal error: lz4.h: No such file or directory' >&2; exit 1";
    script(
        &at("c++"),
        &format!("for a; do case $a in *probe.cpp) grep -q verilated_fst_c \"$a\" && {{ {none}; }};; esac; done\nexec c++ \"$@\""),
    );
    let mut command = rtl();
    command.args(COSIM).args(["--wave", at("w.fst").to_str().unwrap(), "--junit", at("r.xml").to_str().unwrap()]);
    let output = command.env("CXX", at("c++")).env("RDMA_RTL_CACHE", at("cache")).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.matches("lz4.h").count() == 1 && said.contains("VCD instead"), "{said}");
    assert!(std::fs::read_to_string(at("w.vcd")).unwrap().contains("$enddefinitions") && !at("w.fst").exists());
    assert!(std::fs::read_to_string(at("r.xml")).unwrap().contains("w.vcd"));
}

#[test]
fn a_full_disk_for_the_cache() {
    described();
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
