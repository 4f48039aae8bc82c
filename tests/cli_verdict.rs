//! Exit code, text, JSON and JUnit say the same, whatever a run comes to.

use quick_junit::Report;
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// Runs a call with all outputs and holds them to one verdict. `env`: variables of the call.
fn holds(call: &[&str], env: &[(&str, &str)], code: i32, word: &str) -> (String, Report) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (junit, json) = (path("junit.xml"), path("result.json"));
    let output = Command::new(env!("CARGO_BIN_EXE_rdma-rtl"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(call)
        .args(["--junit", &junit, "--json", &json])
        .envs(env.iter().copied())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{call:?}: {said}");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains(&format!("verdict: {word}")) || text.is_empty() && word == "wrong call", "{call:?}: {text}");
    let json: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!((&json["verdict"], &json["exit_code"]), (&word.into(), &code.into()), "{json}");
    for name in ["agrees", "as_expected"] {
        assert!(json[name].is_null() || json[name] == (code == 0), "{json}");
    }
    let report = Report::deserialize_from_str(&std::fs::read_to_string(junit).unwrap()).unwrap();
    let bad = (report.failures > 0, report.errors > 0);
    assert_eq!(bad, (word == "failed", ["error", "nothing tested", "wrong call"].contains(&word)), "{call:?}");
    (said, report)
}

/// A Verilator that changes one line of the Verilog before it reads it.
fn faulty_verilator(folder: &Path) -> String {
    let path = folder.join("verilator");
    let real = std::env::split_paths(&std::env::var_os("PATH").unwrap()).map(|d| d.join("verilator")).find(|p| p.exists());
    let Some(real) = real else { panic!("no Verilator on PATH: call through `make test`") };
    let change = "s/assign verdict_reason = v_out/assign verdict_reason = ~v_out/";
    let text = format!("#!/bin/sh\ncase \"$*\" in *--cc*) sed -i '{change}' src/*.v;; esac\nexec {} \"$@\"\n", real.display());
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_string()
}

/// Wave, save files and decisions of the failure, each named by the message and shown beside the case.
fn shown(found: &Path, said: &str, report: &Report) {
    let text = |end: &str| {
        std::fs::read_to_string(found.join(format!("receive_registry_small_seed3{end}"))).unwrap_or_else(|e| panic!("{end}: {e}; {said}"))
    };
    let at: u64 = said.split_once("up to the failing one at ").unwrap().1.split(' ').next().unwrap().parse().unwrap();
    let wave = text(".vcd");
    let times: Vec<u64> = wave.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok()).collect();
    assert!(times.first().is_some_and(|first| at - first > 900 && at - first < 1010), "100 clocks of 10 ns: {at} {times:?}");
    assert!(times.contains(&at) && times.iter().all(|time| *time <= at + 10), "{at}: {times:?}");
    let decisions = text(".decisions.jsonl");
    assert!(decisions.lines().all(|line| serde_json::from_str::<Value>(line).unwrap()["cycle"].is_u64()) && !decisions.is_empty());
    assert!(text(".gtkw").contains(&format!(" {at} {at} -1")) && text(".gtkw").contains("verdict_reason[7:0]"), "{}", text(".gtkw"));
    assert!(text(".sucl").contains(&format!("cursor_set {at}\nmarker_set failing_clock")) && text(".sucl").contains(".verdict_reason\n"));
    let case = &report.test_suites[0].test_cases[0];
    let out = case.system_out.as_ref().unwrap().as_str();
    assert!([".vcd", ".gtkw", ".sucl", ".decisions.jsonl"].iter().all(|end| out.contains(end)), "{out}");
}

#[test]
fn a_difference() {
    let folder = tempfile::tempdir().unwrap();
    let (verilator, cache) = (faulty_verilator(folder.path()), folder.path().join("cache"));
    let env = [("RDMA_RTL_VERILATOR", verilator.as_str()), ("RDMA_RTL_CACHE", cache.to_str().unwrap())];
    let call = ["cosim", "--block", "receive_registry", "--profile", "small", "--packets", "50", "--seed", "3", "--runs", "2"];
    let found = folder.path().join("found");
    let call = [&call[..], &["--stall", "40", "--set", "prescale=3", "--memory-latency", "17", "--last", "100"]].concat();
    let (said, report) = holds(&[&call[..], &["--failure", found.to_str().unwrap()]].concat(), &env, 1, "failed");
    let clock = |said: &str| said.lines().find(|line| line.starts_with("clock ")).map(String::from);
    assert!(clock(&said).is_some(), "{said}");
    let cases: Vec<&str> = report.test_suites[0].test_cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(cases, ["seed 3: agreement", "seeds 4 to 4"]);
    shown(&found, &said, &report);
    // What it prints meets the same clock.
    let printed = said.lines().find_map(|line| line.trim().strip_prefix("run it again: rdma-rtl ")).unwrap_or_else(|| panic!("{said}"));
    let mut command = Command::new("sh");
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["-c", &format!("\"$0\" {printed} --failure '{}'", found.display()), env!("CARGO_BIN_EXE_rdma-rtl")])
        .envs(env);
    let output = command.output().unwrap();
    let again = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), clock(&again)), (Some(1), clock(&said)), "{printed}\n{again}");
}

const NO_TOOL: [(&str, &str); 1] = [("RDMA_RTL_VERILATOR", "/no/such/verilator")];
const REGISTRY: [&str; 7] = ["cosim", "--block", "receive_registry", "--profile", "small", "--engine", "native"];

#[test]
fn packets() {
    let (_, report) = holds(&[&REGISTRY[..], &["--packets", "2", "--runs", "2"]].concat(), &[], 0, "passed");
    assert_eq!(report.tests, 2, "one case a seed");
    let short = [&REGISTRY[..], &["--packets", "3", "--cover", "--stall", "30", "--set", "prescale=7", "--memory-latency", "9"]].concat();
    let (said, report) = holds(&short, &[], 1, "failed");
    assert!(said.contains("--cover: never seen") && report.tests == 2, "{said}");
    same_clocks(&said, &short);
    holds(&[&REGISTRY[..], &["--packets", "0"]].concat(), &[], 2, "nothing tested");
    holds(&["cosim", "--block", "receive_registry", "--profile", "small", "--packets", "3"], &NO_TOOL, 3, "error");
}

/// What a failure prints comes to the same clocks as the call that failed.
fn same_clocks(said: &str, call: &[&str]) {
    let printed = said.lines().find_map(|line| line.strip_prefix("run it again: rdma-rtl ")).unwrap();
    let run = |script: &str, arguments: &[&str]| -> Value {
        let mut command = Command::new("sh");
        command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["-c", script, env!("CARGO_BIN_EXE_rdma-rtl")]).args(arguments);
        serde_json::from_slice(&command.output().unwrap().stdout).unwrap()
    };
    let again = run(&format!("\"$0\" {printed} --json"), &[]);
    let first = run("\"$0\" \"$@\" --json", call);
    assert_eq!((&again["cycles"], &again["checks"][1]["message"]), (&first["cycles"], &first["checks"][1]["message"]), "{printed}");
    let bare = run("\"$0\" \"$@\" --json", &call[..call.len() - 6]);
    assert_ne!(bare["cycles"], first["cycles"], "the options that are repeated must matter to this run");
}

/// A capture of two frames behind two VLAN tags.
fn two_tags(path: &Path) {
    let mut bytes = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 1, 0, 0, 0];
    for _ in 0..2 {
        let mut frame = vec![2; 12];
        frame.extend([0x88, 0xa8, 0, 5, 0x81, 0x00, 0, 6, 0x08, 0x00]);
        frame.resize(64, 0);
        bytes.extend([[0; 8].as_slice(), &[64, 0, 0, 0, 64, 0, 0, 0], &frame].concat());
    }
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn captures() {
    let folder = tempfile::tempdir().unwrap();
    let tagged = folder.path().join("tagged.pcap");
    two_tags(&tagged);
    for block in ["receive_registry", "receive_bitmap", "receive_endpoint"] {
        let call = ["cosim", "--block", block, "--profile", "small", "--input"];
        let (said, _) = holds(&[&call[..], &[tagged.to_str().unwrap()]].concat(), &[], 2, "nothing tested");
        assert!(said.contains("two VLAN tags") && said.lines().count() == 1, "{block}: {said}");
    }
    holds(&[&REGISTRY[..], &["--input", "tb/vectors/reordered.pcap"]].concat(), &[], 0, "passed");
    holds(&[&REGISTRY[..], &["--input", "no/such.pcap"]].concat(), &[], 2, "wrong call");
    let verilated = ["cosim", "--block", "receive_registry", "--profile", "small", "--input", "tb/vectors/reordered.pcap"];
    holds(&verilated, &NO_TOOL, 3, "error");
}

#[test]
fn scenarios() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, more: &str| {
        let ends = "[sender]\nengine = \"golden\"\n[receiver]\nengine = \"golden\"\n";
        let path = folder.path().join(name);
        std::fs::write(&path, format!("title = \"x\"\n{ends}[[commands]]\ncount = 10\nmost = 5000\n{more}")).unwrap();
        path.to_str().unwrap().to_string()
    };
    holds(&["cosim", "--scenario", &file("sound.toml", "")], &[], 0, "passed");
    let bound = file("bound.toml", "[expect.bounds]\nretransmissions = { least = 1 }");
    let (said, report) = holds(&["cosim", "--scenario", &bound, "--seed", "3"], &[], 1, "failed");
    let names: Vec<&str> = report.test_suites[0].test_cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["agreement", "expected outcome", "bound of retransmissions"]);
    assert!(said.contains("--seed 3"), "{said}");
}

#[test]
fn lint() {
    holds(&["lint", "--block", "fifo_lut", "--profile", "small"], &[], 0, "passed");
    holds(&["lint", "--block", "fifo_lut", "--profile", "small"], &NO_TOOL, 3, "error");
}

/// The same of `report`, whose verdict is an object with every case.
#[test]
fn report() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (junit, json, budget) = (path("r.xml"), path("r.json"), path("b.toml"));
    let fixture = |name: &str| format!("gen/report/tests/fixtures/{name}");
    let holds = |call: &[&str], env: &[(&str, &str)], code: u8, [failures, errors]: [usize; 2]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rdma-rtl"));
        command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("report").args(call).args(["--junit", &junit, "--json", &json]);
        let output = command.envs(env.iter().copied()).output().unwrap();
        assert_eq!(output.status.code(), Some(code.into()), "{call:?}: {}", String::from_utf8_lossy(&output.stderr));
        let read = Report::deserialize_from_str(&std::fs::read_to_string(&junit).unwrap()).unwrap();
        assert_eq!([read.failures, read.errors], [failures, errors], "{call:?}");
        if code != 2 {
            let json: Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
            assert_eq!(json["verdict"]["exit_code"], code, "{json}");
            assert!(String::from_utf8_lossy(&output.stdout).contains("Verdict: "));
        }
    };
    holds(&["--vivado", &fixture("timing_2018.3_artix7_met.rpt")], &[], 0, [0, 0]);
    holds(&["--vivado", &fixture("timing_2022.2_violated.rpt")], &[], 1, [1, 0]);
    let utilization = fixture("utilization_2022.2_u55c_prohibited.rpt");
    holds(&["--vivado", &utilization, "--strict"], &[], 1, [1, 0]);
    holds(&["--block", "fifo_lut"], &[("RDMA_RTL_YOSYS", "/no/such/yosys")], 3, [0, 1]);
    std::fs::write(&budget, "profile = \"small\"\n").unwrap();
    holds(&["--vivado", &utilization, "--budget", &budget], &[], 2, [0, 1]);
}
