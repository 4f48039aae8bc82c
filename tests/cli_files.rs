//! Files of the user: captures of other tools, folders that are written into twice, paths with spaces, names that are mistyped.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn rtl(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rdma-rtl"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("COLUMNS", "100").args(args).output().unwrap()
}

fn succeeds(args: &[&str]) -> String {
    let output = rtl(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The one line of a call that is wrong.
fn refusal(args: &[&str], code: i32) -> String {
    let output = rtl(args);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    let shown = String::from_utf8(output.stdout).unwrap();
    let nothing = text.starts_with("rdma-rtl: nothing was tested: ");
    assert_eq!(shown, if nothing { "verdict: nothing tested\n" } else { "" }, "{args:?}");
    text
}

fn words(bytes: &mut Vec<u8>, words: &[u32]) {
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

/// Frames of one of the project's own captures, which are pcap files.
fn frames(capture: &str) -> Vec<Vec<u8>> {
    let file = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tb/vectors").join(capture)).unwrap();
    let (mut rest, mut frames) = (&file[24..], Vec::new());
    while !rest.is_empty() {
        let length = u32::from_le_bytes(rest[8..12].try_into().unwrap()) as usize;
        frames.push(rest[16..16 + length].to_vec());
        rest = &rest[16 + length..];
    }
    frames
}

fn pcap(link: u32, frames: &[Vec<u8>]) -> Vec<u8> {
    let mut file = Vec::new();
    words(&mut file, &[0xa1b2_c3d4, 0x0004_0002, 0, 0, 65_535, link]);
    for (time, frame) in (0..).zip(frames) {
        words(&mut file, &[1, time, frame.len() as u32, frame.len() as u32]);
        file.extend(frame);
    }
    file
}

fn block(file: &mut Vec<u8>, kind: u32, body: &[u8]) {
    let padded = body.len().next_multiple_of(4);
    words(file, &[kind, padded as u32 + 12]);
    file.extend(body);
    file.resize(file.len() + padded - body.len(), 0);
    words(file, &[padded as u32 + 12]);
}

/// A pcapng file whose option lists have no end, with an interface of each of `links`; each frame with its interface.
fn pcapng(links: &[u16], frames: &[(u32, &[u8])]) -> Vec<u8> {
    let mut file = Vec::new();
    let option = |text: &[u8; 4]| [&[1, 0, 4, 0][..], text].concat();
    block(&mut file, 0x0a0d_0d0a, &[&[0x4d, 0x3c, 0x2b, 0x1a, 1, 0, 0, 0][..], &[0xff; 8], &option(b"tool")].concat());
    for link in links {
        block(&mut file, 1, &[&link.to_le_bytes()[..], &[0; 6], &option(b"port")].concat());
    }
    for (interface, frame) in frames {
        let mut body = Vec::new();
        words(&mut body, &[*interface, 0, 1, frame.len() as u32, frame.len() as u32]);
        body.extend(*frame);
        body.resize(body.len().next_multiple_of(4), 0);
        block(&mut file, 6, &[body, option(b"note")].concat());
    }
    file
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path: PathBuf = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_string()
}

fn bitmap(capture: &str) -> serde_json::Value {
    let text = succeeds(&["cosim", "--block", "receive_bitmap", "--profile", "small", "--engine", "native", "--json", "--input", capture]);
    serde_json::from_str(&text).unwrap()
}

/// As another tool writes the same frames: what is decided is the same.
#[test]
fn the_same_frames_in_other_files_come_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let plain = frames("soft_roce/clean-pingpong.b.pcap");
    let with_fcs: Vec<Vec<u8>> = plain.iter().map(|frame| [&frame[..], &[0xaa; 4]].concat()).collect();
    let on = |interface| plain.iter().map(move |frame| (interface, &frame[..]));
    let cooked = (0, &[0; 60][..]);
    let expected = bitmap("tb/vectors/soft_roce/clean-pingpong.b.pcap");
    let cases = [
        ("fcs", pcap(0x2400_0001, &with_fcs), 0),
        ("no end", pcapng(&[1], &on(0).collect::<Vec<_>>()), 0),
        ("two links", pcapng(&[113, 1], &on(1).chain([cooked, cooked]).collect::<Vec<_>>()), 2),
        ("two ports", pcapng(&[1, 1], &on(1).collect::<Vec<_>>()), 0),
    ];
    for (name, bytes, others) in cases {
        let found = bitmap(&written(folder.path(), name, &bytes));
        assert_eq!(found["queue_pairs"], expected["queue_pairs"], "{name}");
        let errors = if others == 0 { serde_json::json!({}) } else { serde_json::json!({ "not_ethernet": others }) };
        assert_eq!(found["frame_errors"], errors, "{name}");
        let named = found["stimulus"].as_str().unwrap().contains("2 of link type 113 (Linux cooked)");
        assert_eq!(named, others > 0, "{name}: {}", found["stimulus"]);
    }
}

#[test]
fn a_file_that_no_block_can_use_gets_the_same_line_from_every_block() {
    let folder = tempfile::tempdir().unwrap();
    let tour = frames("tour.pcap");
    let behind = |tags: &[u8]| -> Vec<Vec<u8>> { tour.iter().map(|frame| [&frame[..12], tags, &frame[12..]].concat()).collect() };
    let cases = [
        ("two tags", pcap(1, &behind(&[0x88, 0xa8, 0, 5, 0x81, 0, 0, 6])), "with two VLAN tags or more (0x88a8, 0x8100)"),
        ("old tag", pcap(1, &behind(&[0x91, 0, 0, 5])), "with a VLAN tag of type 0x9100"),
        ("cooked", pcap(113, &tour), "of link type 113 (Linux cooked)"),
        ("cooked 2", pcap(276, &tour), "of link type 276 (Linux cooked v2)"),
        ("cut", pcap(1, &tour)[..1000].to_vec(), "truncated"),
    ];
    for (name, bytes, words) in cases {
        let path = written(folder.path(), name, &bytes);
        let junit = folder.path().join("out.xml");
        let lines = ["receive_registry", "receive_bitmap", "receive_endpoint"]
            .map(|block| refusal(&["cosim", "--block", block, "--input", &path], 2));
        assert!(lines[0].contains(&path) && lines[0].contains(words) && lines.iter().all(|line| *line == lines[0]), "{name}: {lines:?}");
        refusal(&["cosim", "--block", "receive_registry", "--input", &path, "--junit", junit.to_str().unwrap()], 2);
        let junit = std::fs::read_to_string(junit).unwrap();
        assert!(junit.contains("tests=\"1\"") && junit.contains("errors=\"1\"") && junit.contains(words), "{name}: {junit}");
    }
}

#[test]
fn rocev2_without_a_frame_for_the_block_is_no_pass() {
    let capture = "tb/vectors/soft_roce/clean-pingpong.b.pcap";
    for block in ["receive_registry", "receive_endpoint"] {
        let line = refusal(&["cosim", "--block", block, "--input", capture], 2);
        assert!(line.contains(&format!("{capture} has nothing for {block}")) && line.contains("of other opcodes"), "{line}");
    }
}

#[test]
fn gen_twice_leaves_what_a_second_call_would_alone() {
    let root = tempfile::tempdir().unwrap();
    let out = root.path().join("a folder with spaces");
    let gen_with = |profile: &'static str| ["gen", "--block", "mask_unit", "--out", out.to_str().unwrap(), "--profile", profile];
    succeeds(&gen_with("large"));
    let folder = out.join("mask_unit");
    let file = folder.join("mask_unit.v");
    std::fs::write(folder.join("mine.v"), "module mine; endmodule\n").unwrap();
    let text = succeeds(&gen_with("small"));
    assert!(text.contains("kept, not of this call: mine.v"), "{text}");
    let small = std::fs::read(&file).unwrap();
    std::fs::write(&file, "changed").unwrap();
    let line = refusal(&gen_with("large"), 1);
    assert!(line.contains("mask_unit.v: changed by hand") && line.contains("--force"), "{line}");
    assert_eq!(std::fs::read(&file).unwrap(), b"changed");
    let text = succeeds(&[&gen_with("small")[..], &["--force"]].concat());
    assert!(text.contains("put aside: mask_unit.v as mask_unit.v.kept"), "{text}");
    assert_eq!((std::fs::read(&file).unwrap(), std::fs::read(folder.join("mask_unit.v.kept")).unwrap()), (small, b"changed".to_vec()));
}

#[test]
fn a_path_with_spaces_passes_everywhere() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join("of  a user's").join(name).to_str().unwrap().to_string();
    std::fs::create_dir_all(at("")).unwrap();
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tb/vectors/tour.pcap"), at("a capture.pcap")).unwrap();
    let cosim = ["cosim", "--block", "receive_registry", "--profile", "small", "--engine", "native", "--input"];
    let (wave, junit, json) = (at("a wave.vcd"), at("a result.xml"), at("a result.json"));
    succeeds(&[&cosim[..], &[&at("a capture.pcap"), "--wave", &wave, "--junit", &junit, "--json", &json]].concat());
    assert!([wave, junit, json].iter().all(|file| Path::new(file).exists()));
    let project = at("a project");
    succeeds(&["project", "--ooc", "--block", "mask_unit", "--profile", "small", "--part", "xcku3p-ffva676-2-e", "--out", &project]);
    if Command::new("tclsh").stdin(std::process::Stdio::null()).output().is_ok() {
        succeeds(&["project", "--check", &project]);
    }
}

#[test]
fn list_fits_and_says_what_was_meant() {
    let text = succeeds(&["list"]);
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    let at = |section: &str| text.find(&format!("{section}\n")).unwrap_or_else(|| panic!("{section}: {text}"));
    assert!(at("tops") < at("receive side") && at("receive side") < at("primitives") && !text.contains("others\n"));
    let facts = succeeds(&["list", "--facts"]);
    let head: Vec<&str> = facts.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(head, ["fact", "small", "default", "large", "longhaul", "meaning"]);
    assert!(refusal(&["list", "--profile", "smal"], 2).contains("did you mean `small`?"));
    assert!(refusal(&["list", "--profile", "nope"], 2).contains("no block has a profile `nope`; profiles are "));
    assert!(refusal(&["list", "--block", "recieve_registry"], 2).contains("did you mean `receive_registry`?"));
    assert!(refusal(&["list", "--block", "mask_unit", "--profile", "defualt"], 2).contains("did you mean `default`?"));
    let folder = tempfile::tempdir().unwrap();
    let clean = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tb/scenarios/clean.toml")).unwrap();
    let scenario = written(folder.path(), "x.toml", (String::from("profil = \"small\"\n") + &clean).as_bytes());
    let output = rtl(&["cosim", "--scenario", &scenario]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("did you mean `profile`?"), "{text}");
}
