//! `rdma-rtl project` as a user calls it, with the Verilog that the generator writes.

use std::path::Path;
use std::process::{Command, Output};

fn rtl(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rdma-rtl")).current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap()
}

/// Refused with exit code and one line that has these parts.
fn refused(args: &[&str], code: i32, parts: &[&str]) {
    let output = rtl(args);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    for part in parts {
        assert!(text.contains(part), "{args:?}: `{part}` is not in: {text}");
    }
    assert!(!text.contains("panicked") && !text.contains("internal error"), "{text}");
}

fn has_tclsh() -> bool {
    let found = Command::new(std::env::var("RDMA_RTL_TCLSH").unwrap_or("tclsh".into())).arg("/dev/null").output().is_ok();
    if !found {
        println!("skipped: no tclsh");
    }
    found
}

fn made(args: &[&str], out: &Path) {
    let mut all = vec!["project", "--out", out.to_str().unwrap()];
    all.extend(args);
    let output = rtl(&all);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn wrong_calls_exit_2_and_say_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new");
    let out = out.to_str().unwrap();
    refused(&["project"], 2, &["--out DIR is missing"]);
    refused(&["project", "--out", out], 2, &["--board BOARD is missing (--boards lists them)"]);
    refused(&["project", "--board", "u999", "--out", out], 2, &["unknown board `u999`", "u250, u280, u55c, u50, vcu118, zcu102, kcu1500"]);
    refused(&["project", "--board", "u250", "--block", "nothing", "--out", out], 2, &["unknown block `nothing`", "receive_endpoint"]);
    refused(&["project", "--board", "u250", "--profile", "nothing", "--out", out], 2, &["no profile `nothing`", "default"]);
    refused(&["project", "--board", "u250", "--profile", "large", "--out", out], 2, &["beats of 2048 bits", "--profile"]);
    refused(&["project", "--board", "u250", "--clock-mhz", "0", "--out", out], 2, &["--clock-mhz is 0; allowed is 10 to 500"]);
    refused(&["project", "--board", "u250", "--clock-mhz", "fast", "--out", out], 2, &["--clock-mhz"]);
    refused(&["project", "--board", "kcu1500", "--mac", "--out", out], 2, &["kcu1500 has no [mac]"]);
    refused(&["project", "--mac", "--out", out], 2, &["--board"]);
    refused(&["project", "--ooc", "--out", out], 2, &["--ooc wants a part"]);
    refused(&["project", "--ooc", "--part", "xc[exit]", "--out", out], 2, &["--part is `xc[exit]`"]);
    refused(&["project", "--ooc", "--board", "u250", "--period", "0", "--out", out], 2, &["--period is 0; allowed is 0.5 to 1000 ns"]);
    refused(&["project", "--part", "xcku3p-ffva676-2-e", "--out", out], 2, &["--ooc"]);
    refused(&["project", "--board", "no/board.toml", "--out", out], 2, &["no/board.toml: cannot be read"]);
    refused(&["project", "--check", out], 2, &["has no rdma-rtl-project.json"]);
    refused(&["project", "--check", out, "--board", "u250"], 2, &["--check"]);
    assert!(!Path::new(out).exists());

    std::fs::write(folder.path().join("mine.txt"), "mine").unwrap();
    let taken = folder.path().to_str().unwrap();
    refused(
        &["project", "--board", "u250", "--block", "receive_endpoint", "--profile", "small", "--out", taken],
        2,
        &["is not empty and no project of ours"],
    );
    let file = folder.path().join("mine.txt");
    refused(
        &["project", "--board", "u250", "--block", "receive_endpoint", "--profile", "small", "--out", file.to_str().unwrap()],
        2,
        &["is a file"],
    );
    assert_eq!(std::fs::read_to_string(file).unwrap(), "mine");
}

#[test]
fn boards_are_listed() {
    let output = rtl(&["project", "--boards", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["boards"].as_array().unwrap().len(), 7);
    assert!(String::from_utf8_lossy(&rtl(&["project", "--boards"]).stdout).contains("xczu9eg-ffvb1156-2-e"));
}

#[test]
fn every_board_and_top_passes_with_its_own_verilog() {
    if !has_tclsh() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // The boards differ in nothing that the Verilog sees: each top on some, each board with some top, both shipped profiles that fit.
    let boards = ["u250", "u280", "u55c", "u50", "vcu118", "zcu102", "kcu1500"];
    for (i, board) in boards.iter().enumerate() {
        let top = ["endpoint", "send_endpoint", "receive_endpoint"][i % 3];
        let profile = ["default", "small"][i / 3 % 2];
        let out = folder.path().join(board);
        made(&["--board", board, "--block", top, "--profile", profile], &out);
        let output = rtl(&["project", "--check", out.to_str().unwrap(), "--json"]);
        assert!(output.status.success(), "{board}, {top}: {}", String::from_utf8_lossy(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((report["block"].as_str(), report["runs"].as_array().map(Vec::len)), (Some(top), Some(9)));
    }
}

#[test]
fn boards_with_their_macs_pass_with_their_own_verilog() {
    if !has_tclsh() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // A CMAC at its own width and at a narrower one, and a MAC of 10G; what else differs between boards is data.
    for (board, top, profile) in
        [("u280", "endpoint", "default"), ("vcu118", "receive_endpoint", "small"), ("zcu102", "endpoint", "default")]
    {
        let out = folder.path().join(board);
        made(&["--board", board, "--mac", "--clock-mhz", "250", "--block", top, "--profile", profile], &out);
        let output = rtl(&["project", "--check", out.to_str().unwrap(), "--json"]);
        assert!(output.status.success(), "{board}, {top}: {}", String::from_utf8_lossy(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["runs"].as_array().map(Vec::len), Some(10));
        let settings = std::fs::read_to_string(out.join("settings.tcl")).unwrap();
        assert!(settings.contains("set crossings {line_fifo_async") && !settings.contains("line_mac_bridge}"), "{settings}");
    }
}

#[test]
fn a_fault_is_told_with_file_and_line_and_exits_1() {
    if !has_tclsh() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("p");
    made(&["--board", "u50", "--block", "receive_endpoint", "--profile", "small"], &out);
    let xdc = out.join("constraints/pblock_example.xdc");
    let text =
        std::fs::read_to_string(&xdc).unwrap().replace("system_i/receive_endpoint_0", "system_i/receive_endpoint_0/inst/no_such_cell");
    std::fs::write(&xdc, text).unwrap();
    refused(
        &["project", "--check", out.to_str().unwrap()],
        1,
        &["pblock_example.xdc:5: no cell `system_i/receive_endpoint_0/inst/no_such_cell`"],
    );
    refused(
        &["project", "--board", "u50", "--block", "receive_endpoint", "--profile", "small", "--out", out.to_str().unwrap()],
        2,
        &["was changed by hand"],
    );
}
