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

/// A Verilator that changes one line of the Verilog before it reads it. `change`: for `sed`.
fn faulty_verilator(folder: &Path, change: &str) -> String {
    let path = folder.join("verilator");
    let real = std::env::split_paths(&std::env::var_os("PATH").unwrap()).map(|d| d.join("verilator")).find(|p| p.exists());
    let Some(real) = real else { panic!("no Verilator on PATH: call through `make test`") };
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
    // Some clocks behind it, so that a viewer has room on the right.
    assert!(times.contains(&at) && times.last().is_some_and(|last| (at + 400..at + 510).contains(last)), "{at}: {times:?}");
    let decisions = text(".decisions.jsonl");
    assert!(decisions.lines().all(|line| serde_json::from_str::<Value>(line).unwrap()["cycle"].is_u64()) && !decisions.is_empty());
    assert!(text(".gtkw").contains(&format!(" {at} {at} -1")) && text(".gtkw").contains("verdict_reason[7:0]"), "{}", text(".gtkw"));
    assert!(
        text(".sucl").contains(&format!("cursor_set {at}\nmarker_set failing_clock {at}\n")) && text(".sucl").contains(".verdict_reason\n")
    );
    let case = &report.test_suites[0].test_cases[0];
    let out = case.system_out.as_ref().unwrap().as_str();
    assert!([".vcd", ".gtkw", ".sucl", ".decisions.jsonl"].iter().all(|end| out.contains(end)), "{out}");
}

#[test]
fn a_difference() {
    let folder = tempfile::tempdir().unwrap();
    let (verilator, cache) =
        (faulty_verilator(folder.path(), "s/assign verdict_reason = v_out/assign verdict_reason = ~v_out/"), folder.path().join("cache"));
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

/// A sweep over a scenario through hardware with a fault. The first point that fails is run again with waves, the others are not; what each
/// prints is that point alone. `text`: the scenario without its title; `alone`: in what is printed first.
fn a_point_differs(text: &str, change: &str, sweep: &[&str], point: &str, alone: &str) {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (scenario, found) = (at("s.toml"), at("found"));
    std::fs::write(&scenario, format!("title = \"x\"\n{text}")).unwrap();
    let verilator = faulty_verilator(folder.path(), change);
    let env = [("RDMA_RTL_VERILATOR", verilator.as_str()), ("RDMA_RTL_CACHE", &at("cache"))];
    let call = [&["cosim", "--scenario", &scenario, "--last", "100", "--failure", &found, "--seed", "4"][..], sweep].concat();
    let (said, report) = holds(&call, &env, 1, "failed");
    assert!(report.failures >= 2, "{said}");
    let mut files: Vec<String> =
        std::fs::read_dir(&found).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    files.sort();
    assert_eq!(files, ["gtkw", "sucl", "vcd"].map(|kind| format!("s_{point}_seed4.receiver.{kind}")), "{said}");
    let lines: Vec<&str> = said.lines().filter(|line| line.contains("up to the failing one at ")).collect();
    assert_eq!(lines.len(), 1, "{said}");
    let case = report.test_suites[0].test_cases.iter().find(|case| case.system_out.is_some()).unwrap();
    let out = case.system_out.as_ref().map_or("", |out| out.as_str());
    assert!(files.iter().all(|file| out.contains(file)), "{out}");
    // What it prints is one run, which differs in the same clock.
    let printed = said.lines().find_map(|line| line.strip_prefix("run it again: rdma-rtl ")).unwrap();
    assert!(format!("{printed} ").contains(alone), "{printed}");
    let script = format!("\"$0\" {printed} --failure '{found}'");
    let mut command = Command::new("sh");
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["-c", &script, env!("CARGO_BIN_EXE_rdma-rtl")]).envs(env);
    let output = command.output().unwrap();
    let again = String::from_utf8_lossy(&output.stderr);
    let first = |said: &str| said.lines().find(|line| line.contains("s.toml: ")).map(String::from);
    assert_eq!((output.status.code(), first(&again)), (Some(1), first(&said)), "{printed}\n{again}");
}

#[test]
fn a_point_of_packets_that_differs() {
    let scenario = "ends = \"bitmap\"\nprofile = \"small\"\n[sender]\nengine = \"golden\"\n[traffic]\nqueue_pairs = 1\nleast = 20\nmost = 20\n\
                    [[network.both.path]]\ndelay_ns = 1000\n";
    a_point_differs(
        scenario,
        "s/verdict_code <= code8;/verdict_code <= 2'\\''d1;/",
        &["--loss", "0,0.01", "--jitter", "10", "--compare", "go_back_n,bitmap"],
        "bitmap_loss_0_jitter_10",
        "--loss 0 --jitter 10 --compare bitmap ",
    );
}

#[test]
fn a_point_of_commands_that_differs() {
    a_point_differs(
        "profile = \"small\"\n[sender]\nengine = \"golden\"\n[[commands]]\ncount = 3\nmost = 1000\narrivals = 0.0\n",
        "/^module memory_writer/,$ s/assign m_axi_wdata = w\\[/assign m_axi_wdata = ~w[/",
        &["--loss", "0,0.25"],
        "loss_0",
        "--loss 0 ",
    );
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
    // Packets of another size: each start is refused, and no byte of memory is compared.
    let endpoint = |profile, capture| {
        let call = ["cosim", "--block", "receive_endpoint", "--profile", profile, "--input", capture];
        if profile == "small" { holds(&call, &[], 2, "nothing tested") } else { holds(&call, &[], 0, "passed") }
    };
    let (said, report) = endpoint("small", "tb/vectors/tour.pcap");
    assert!(said.contains("none of the 13 packets with payload was written") && said.contains("3 reject_count_mismatch"), "{said}");
    assert!(said.contains("4096 bytes and this profile's packets have 256"), "{said}");
    assert_eq!((report.tests, report.errors), (2, 1));
    endpoint("default", "tb/vectors/tour.pcap");
    // Data arrivals alone bring no payload and are compared; packets whose operations do not complete are.
    endpoint("default", "tb/vectors/data_arrival.pcap");
    endpoint("default", "tb/vectors/op_timeout.pcap");
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
    // Of several runs each says what repeats it alone.
    let (said, report) = holds(&["cosim", "--scenario", &bound, "--segments", "4096,8192"], &[], 1, "failed");
    assert_eq!(report.failures, 2);
    assert!(said.contains("--segments 4096\n") && said.trim_end().ends_with("--segments 8192"), "{said}");
    holds(&["cosim", "--scenario", &bound, "--segments", "4096", "--wave", "out/run.vcd"], &[], 2, "wrong call");
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
