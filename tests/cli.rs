//! The command line as a user calls it: results, exit codes and one clear line for what is wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn rtl(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rdma-rtl")).current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap()
}

fn refused(args: &[&str], code: i32, parts: &[&str]) {
    let output = rtl(args);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    for part in parts {
        assert!(text.contains(part), "{args:?}: `{part}` is not in: {text}");
    }
    assert!(!text.contains("panicked") && !text.contains("internal error"), "{text}");
}

#[test]
fn wrong_calls_exit_2_and_say_what_there_is() {
    refused(&["cosim", "--block", "nothing", "--packets", "1"], 2, &["unknown block `nothing`", "receive_registry"]);
    refused(&["cosim", "--block", "mask_unit", "--packets", "1"], 2, &["`mask_unit` has no packet bench"]);
    refused(&["cosim", "--block", "receive_endpoint", "--packets", "1"], 2, &["--packets", "receive_registry", "--input"]);
    refused(
        &["cosim", "--block", "receive_endpoint", "--input", "tb/vectors/tour.pcap", "--set", "prescale=1"],
        2,
        &["--set belongs to receive_registry"],
    );
    refused(&["cosim", "--block", "receive_registry", "--profile", "tiny", "--packets", "1"], 2, &["no profile `tiny`", "small"]);
    refused(&["cosim", "--block", "receive_registry", "--packets", "1", "--set", "speed=1"], 2, &["no register `speed`", "prescale"]);
    refused(&["cosim", "--block", "receive_registry", "--packets", "1", "--set", "prescale=0"], 2, &["prescale", "1 to 65535"]);
    refused(&["cosim", "--block", "receive_registry", "--packets", "1", "--set", "prescale"], 2, &["NAME=VALUE"]);
    refused(&["cosim", "--block", "receive_registry", "--packets", "1", "--wave", "out/wave.txt"], 2, &[".vcd and .fst"]);
    refused(
        &["cosim", "--block", "receive_registry", "--input", "tb/vectors/abort.pcap", "--timing", "slow"],
        2,
        &["line-rate, capture or idle:N"],
    );
    refused(&["cosim", "--block", "receive_registry"], 2, &["--input"]);
    refused(&["synthesize"], 2, &["synthesize"]);
    refused(&["list", "--block", "fifo"], 2, &["unknown block `fifo`"]);
}

#[test]
fn captures_that_cannot_be_read_exit_2() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    };
    let whole = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tb/vectors/in_order.pcap")).unwrap();
    let cosim = |path: &str, part: &str| refused(&["cosim", "--block", "receive_registry", "--input", path], 2, &[path, part]);
    cosim("no/such/file.pcap", "cannot read capture");
    cosim(&file("empty.pcap", b""), "empty file");
    cosim(&file("text.pcap", b"not a capture at all\n"), "no capture");
    cosim(&file("cut.pcap", &whole[..whole.len() - 7]), "truncated");
    cosim(&file("none.pcap", &whole[..24]), "no frames");
}

/// Files of a folder and of those in it.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    paths.flat_map(|p| if p.is_dir() { files_in(&p) } else { vec![p] }).collect()
}

#[test]
fn gen_writes_the_same_bytes_twice() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| {
        let out = folder.path().join(name);
        let output = rtl(&["gen", "--block", "receive_registry", "--profile", "small", "--out", out.to_str().unwrap()]);
        assert!(output.status.success());
        let folder = out.join("receive_registry");
        let mut files = files_in(&folder);
        files.sort();
        files.iter().map(|p| (p.strip_prefix(&folder).unwrap().to_owned(), std::fs::read(p).unwrap())).collect::<Vec<_>>()
    };
    let once = read("a");
    assert!(
        once.iter().any(|(name, _)| name == Path::new("receive_registry.v"))
            && once.iter().any(|(name, _)| name == Path::new("names.json"))
    );
    assert_eq!(once, read("b"));
    for (name, text) in once.iter().filter(|(name, _)| name.to_string_lossy().ends_with(".v")) {
        let text = String::from_utf8_lossy(text);
        assert!(!text.lines().filter(|l| !l.trim_start().starts_with("//")).any(|l| l.contains('$')), "{name:?} has a $ in it");
    }
}

#[test]
fn gen_into_a_file_exits_3() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    refused(&["gen", "--block", "mask_unit", "--out", file.to_str().unwrap()], 3, &["cannot write"]);
}

#[test]
fn a_capture_through_the_verilog_agrees_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (decisions, junit, json) = (path("decisions.jsonl"), path("junit.xml"), path("result.json"));
    let output = rtl(&[
        "cosim",
        "--block",
        "receive_registry",
        "--profile",
        "default",
        "--input",
        "tb/vectors/reordered.pcap",
        "--timing",
        "capture",
        "--decisions",
        &decisions,
        "--junit",
        &junit,
        "--json",
        &json,
    ]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("agrees with every decision"));
    let text = std::fs::read_to_string(&decisions).unwrap();
    assert!(text.lines().all(|l| serde_json::from_str::<serde_json::Value>(l).unwrap()["cycle"].is_u64()));
    assert!(text.contains("\"kind\":\"complete\""));
    let result: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!((result["agrees"].as_bool(), result["latency"][1].as_u64()), (Some(true), Some(4)));
    let junit = std::fs::read_to_string(junit).unwrap();
    assert!(junit.contains("failures=\"0\"") && junit.contains(&format!("[[ATTACHMENT|{decisions}]]")), "{junit}");
}

#[test]
fn a_wave_is_attached_to_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (wave, junit) = (path("run.vcd"), path("junit.xml"));
    let which = ["cosim", "--block", "receive_registry", "--profile", "small", "--engine", "native", "--packets", "20"];
    let output = rtl(&[&which[..], &["--wave", &wave, "--junit", &junit]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read_to_string(&wave).unwrap().contains("$enddefinitions"));
    let junit = std::fs::read_to_string(junit).unwrap();
    let property = format!("<property name=\"attachment\" value=\"{wave}\"/>");
    assert!(junit.contains(&format!("[[ATTACHMENT|{wave}]]")) && junit.contains(&property), "{junit}");
}

#[test]
fn plain_rocev2_through_the_receive_bitmap_agrees_and_reports() {
    let folder = tempfile::tempdir().unwrap();
    let decisions = folder.path().join("decisions.jsonl");
    let capture = "tb/vectors/soft_roce/loss5-send.b.pcap";
    let cosim = ["cosim", "--block", "receive_bitmap", "--profile", "small", "--input"];
    let with = |more: &[&str]| rtl(&[&cosim[..], more].concat());
    let output = with(&[capture, "--timing", "idle:64", "--decisions", decisions.to_str().unwrap(), "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let pair = &result["queue_pairs"][0];
    assert_eq!((pair["host"].as_str(), pair["qp"].as_u64(), pair["initial_psn"].as_u64()), (Some("10.9.0.2"), Some(0x11), Some(0x38_39d0)));
    assert_eq!((pair["new"].as_u64(), pair["packets"].as_u64(), result["ignored"].as_u64()), (Some(128), Some(446), Some(13)));
    let text = std::fs::read_to_string(&decisions).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).count();
    assert_eq!((of("packet"), of("ignored"), of("gap")), (446, 13, of("ffm")));
    assert!(lines.iter().any(|line| line["kind"] == "ffm" && line["start"] == 0x38_39d8 && line["path"].is_null()));
    assert!(lines.is_sorted_by_key(|line| line["cycle"].as_u64().unwrap()));
    // For people, and one of two hosts' queue pairs of the same number.
    let output = with(&["tb/vectors/soft_roce/clean-pingpong.b.pcap", "--qp", "10.9.0.1/0x1f"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("10.9.0.1/0x1f") && !text.contains("10.9.0.2/0x1f") && text.contains("60 frames"), "{text}");
}

#[test]
fn what_the_receive_bitmap_cannot_do_is_refused() {
    let capture = "tb/vectors/soft_roce/clean-pingpong.b.pcap";
    let refuse = |more: &[&str], parts: &[&str]| {
        let call = [&["cosim", "--block", "receive_bitmap", "--profile", "small"], more].concat();
        refused(&call, 2, parts);
    };
    refuse(&["--input", capture, "--qp", "0x20"], &["--qp 0x20 is not in it", "10.9.0.2/0x1f (60 requests), 10.9.0.1/0x1f (60 requests)"]);
    refuse(&["--input", capture, "--qp", "first"], &["`first`", "10.9.0.2/0x11"]);
    refuse(&["--input", capture, "--set", "speed=1"], &["no register `speed`", "refeedback"]);
    refuse(&["--input", capture, "--set", "mtu=1000"], &["mtu", "1024"]);
    refuse(&["--input", capture, "--set", "refeedback=1", "--set", "prescale=1"], &["`refeedback` from 1024"]);
    refuse(&["--input", capture, "--memory-latency", "3"], &["--memory-latency belongs to receive_registry"]);
    refuse(&["--input", "README.md"], &["README.md is no capture", "begins with the text"]);
    refuse(&["--packets", "10", "--set", "depth=1"], &["--set with --packets"]);
    refuse(&["--packets", "10", "--qp", "1"], &["--qp"]);
    // Frames of the registry are requests as well; those of another port are none.
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(capture)).unwrap();
    let other = folder.path().join("other.pcap");
    let port = 4791u16.to_be_bytes();
    let mut at = 24;
    while at < bytes.len() {
        let length = u32::from_le_bytes(bytes[at + 8..at + 12].try_into().unwrap()) as usize;
        assert_eq!(bytes[at + 16 + 36..at + 16 + 38], port);
        bytes[at + 16 + 37] ^= 1;
        at += 16 + length;
    }
    std::fs::write(&other, &bytes).unwrap();
    refuse(&["--input", other.to_str().unwrap()], &["none of its 160 frames is RoCEv2", "160 not_rocev2"]);
    std::fs::write(&other, &bytes[..bytes.len() - 9]).unwrap();
    refuse(&["--input", other.to_str().unwrap()], &["truncated", "frame 159"]);
    refused(&["cosim", "--block", "receive_registry", "--input", capture, "--qp", "1"], 2, &["--qp 0x1 belongs to receive_bitmap"]);
}

#[test]
fn a_capture_through_the_endpoint_compares_memory() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("result.json");
    let output = rtl(&[
        "cosim",
        "--block",
        "receive_endpoint",
        "--profile",
        "default",
        "--input",
        "tb/vectors/reordered.pcap",
        "--stall",
        "20",
        "--json",
        json.to_str().unwrap(),
    ]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("bytes of completed operations are what was sent"));
    let result: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(result["agrees"].as_bool(), Some(true));
    assert!(result["bytes_compared"].as_u64().unwrap() > 0 && result["counters"]["count_completed"].as_u64().unwrap() > 0);
}

#[test]
fn scenarios_that_cannot_be_run_exit_2_and_those_that_come_to_something_else_1() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let ends = "[sender]\nengine = \"golden\"\n[receiver]\nengine = \"golden\"\n";
    let golden = |more: &str| format!("title = \"x\"\n{ends}[[commands]]\ncount = 10\nmost = 5000\n{more}");
    refused(&["cosim", "--scenario", "no/such.toml"], 2, &["no/such.toml", "cannot read scenario"]);
    refused(&["cosim", "--scenario", &file("key.toml", &golden("colour = 3"))], 2, &["key.toml:9", "`commands[0].colour`"]);
    let sound = file("sound.toml", &golden(""));
    refused(&["cosim", "--scenario", &sound, "--commands", "0"], 2, &["--commands", "1 to 65536"]);
    refused(&["cosim", "--scenario", &sound, "--runs", "2"], 2, &["--runs"]);
    refused(&["cosim", "--scenario", &sound, "--profile", "tiny"], 2, &["no profile `tiny`"]);
    refused(&["cosim", "--scenario", &sound, "--wave", "out/run.vcd"], 2, &["--wave"]);
    refused(&["cosim", "--commands", "3"], 2, &["--scenario"]);
    let lossless = file("lossless.toml", &golden("[expect.bounds]\nretransmissions = { least = 1 }"));
    refused(&["cosim", "--scenario", &lossless], 1, &["retransmissions is 0, expected at least 1"]);
    let svg = folder.path().join("latency.svg");
    let output = rtl(&["cosim", "--scenario", &sound, "--commands", "7", "--seed", "5", "--json", "--svg", svg.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((json["report"]["completed"].as_u64(), json["report"]["seed"].as_u64()), (Some(7), Some(5)), "{json}");
    assert_eq!(json["as_expected"], true);
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("commands (7)") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for wrong in ["1.5", "-0.1", "NaN", "some"] {
        refused(&["cosim", "--scenario", &sound, &format!("--loss=0,{wrong}")], 2, &["--loss", wrong]);
    }
    refused(&["cosim", "--scenario", &sound, "--loss", "0", "--segments", "4096"], 2, &["--loss", "--segments"]);
    for wrong in ["0", "65", "70000", "some", "1.5"] {
        refused(&["cosim", "--scenario", &sound, &format!("--queue-pairs=1,{wrong}")], 2, &["--queue-pairs", wrong]);
    }
    refused(&["cosim", "--queue-pairs", "2"], 2, &["--scenario"]);
    refused(&["cosim", "--scenario", &sound, "--queue-pairs", "1,2"], 2, &["2 queue pairs", "`queue_pairs` is 2", "at both ends"]);
    let hardware = file("hardware.toml", "title = \"x\"\n[[commands]]\n");
    let many = ["cosim", "--scenario", &hardware, "--queue-pairs", "64"];
    refused(&many, 2, &["`queue_pairs` is 64", "1 to 16 are allowed", "profile `default`"]);
    let arrivals = ["cosim", "--scenario", &sound, "--transport", "bitmap"];
    refused(&arrivals, 2, &["bitmap", "`commands[0].arrivals` is 0.3", "0 is needed"]);
    let output = rtl(&["cosim", "--scenario", &sound, "--loss", "0,0.2", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let lost = |at: usize| json["losses"][at]["report"]["forward"]["lost_random"].as_u64();
    assert_eq!(lost(0), Some(0), "{json}");
    assert!(json["losses"][1]["loss"] == 0.2 && lost(1) > Some(0), "{json}");
}

#[test]
fn scenarios_of_packets_run_alone_and_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let ends = "[sender]\nengine = \"golden\"\n[receiver]\nengine = \"golden\"\n";
    let golden = |more: &str| format!("title = \"x\"\nends = \"bitmap\"\n{ends}{more}");
    let sound = file("sound.toml", &golden("[[network.both.path]]\nloss = 0.01\n"));
    refused(&["cosim", "--scenario", &file("key.toml", &golden("[traffic]\ncolour = 3"))], 2, &["key.toml:8", "`traffic.colour`"]);
    refused(&["cosim", "--scenario", &sound, "--packets", "0"], 2, &["--packets", "1 or more"]);
    refused(&["cosim", "--scenario", &sound, "--commands", "3"], 2, &["--commands", "--packets"]);
    refused(&["cosim", "--scenario", &sound, "--segments", "4096"], 2, &["--segments"]);
    refused(&["cosim", "--scenario", &sound, "--profile", "tiny"], 2, &["no profile `tiny`"]);
    refused(&["cosim", "--scenario", &sound, "--wave", "out/run.vcd"], 2, &["--wave"]);
    refused(&["cosim", "--scenario", &sound, "--compare", "bitmap,tcp"], 2, &["`tcp` is none of bitmap, go_back_n, timers"]);
    refused(&["cosim", "--scenario", &sound, "--loss", "2"], 2, &["--loss", "0 to 1"]);
    refused(&["cosim", "--scenario", &sound, "--jitter=-1"], 2, &["--jitter", "`-1` nanoseconds"]);
    for flag in [["--packets", "3"], ["--jitter", "3"], ["--compare", "bitmap"]] {
        refused(&["cosim", "--scenario", "tb/scenarios/clean.toml", flag[0], flag[1]], 2, &[flag[0], "a scenario of packets"]);
    }
    let none = file("none.toml", &golden("[expect.bounds]\nretransmissions = { least = 1 }"));
    refused(&["cosim", "--scenario", &none, "--seed", "3"], 1, &["retransmissions is 0, expected at least 1", "run it again", "--seed 3"]);
    let output = rtl(&["cosim", "--scenario", &sound, "--packets", "3000", "--seed", "5", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((json["report"]["packets"].as_u64(), json["report"]["seed"].as_u64()), (Some(3000), Some(5)), "{json}");
    assert_eq!((json["as_expected"].as_bool(), json["report"]["scheme"].as_str()), (Some(true), Some("bitmap")));
    let svg = folder.path().join("goodput.svg");
    let sides = ["--compare", "bitmap,go_back_n", "--loss", "0,0.02", "--json", "--svg", svg.to_str().unwrap()];
    let output = rtl(&[&["cosim", "--scenario", &sound][..], &sides].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let again = |at: usize| json["points"][at]["report"]["retransmissions"].as_u64();
    assert_eq!((again(0), again(2), json["points"][1]["loss"].as_f64()), (Some(0), Some(0), Some(0.02)), "{json}");
    assert!(again(3) > again(1) && again(1) > Some(0), "{json}");
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("go_back_n, golden") && svg.trim_end().ends_with("</svg>"), "{svg}");
}
