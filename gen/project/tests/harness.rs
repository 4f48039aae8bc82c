//! Every script of every board and top passes the harness, and the harness sees what is wrong with a script.

mod common;

use common::faults::Broken;
use common::ip_faults::PACKAGE;
use common::*;
use rdma_rtl_project::{Kind, board, boards, check_with, tclsh};

const TOPS: [&str; 5] = ["receive_endpoint", "send_endpoint", "endpoint", "combined_endpoint", "bitmap_endpoint"];

#[test]
fn every_board_with_every_top_passes() {
    if !has_tclsh() {
        return;
    }
    for board in boards() {
        for top in TOPS {
            let report = Project::new(&request(top, 512, on(board.clone()))).check();
            assert!(report.ok(), "{top} on {}: {:#?}", board.name, report.faults());
            assert_eq!(report.runs.len(), 9);
            for run in &report.runs {
                assert!(run.done.contains("commands"), "{}: {}", run.script, run.done);
            }
            assert!(report.runs.iter().filter(|r| r.done.ends_with("bitstream")).count() == 2, "{:#?}", report.runs);
        }
    }
}

/// Commands of Vivado that read files take lists of them, as the harness does.
#[test]
fn scripts_run_in_a_path_with_spaces() {
    if !has_tclsh() {
        return;
    }
    let project = Project::new(&request("endpoint", 512, system("u250")));
    let path = project.path.with_file_name("of  a user's");
    std::fs::rename(&project.path, &path).unwrap();
    let scripts: [&[&str]; 4] = [&["project.tcl", "bit"], &["nonproject.tcl", "bit"], &["ooc.tcl", "impl"], &["selftest.tcl"]];
    let report = check_with(&path, &tclsh().unwrap(), &scripts).unwrap();
    assert!(report.ok(), "{:#?}", report.faults());
    let script = std::fs::read_to_string(path.join("nonproject.tcl")).unwrap();
    let (listed, plain) = ("[list [file join $root constraints board.xdc]]", "[file join $root constraints board.xdc]");
    assert!(script.contains(listed));
    std::fs::write(path.join("nonproject.tcl"), script.replace(listed, plain)).unwrap();
    let faults = check_with(&path, &tclsh().unwrap(), &[&["nonproject.tcl", "synth"]]).unwrap();
    assert!(faults.faults().iter().any(|f| f.text.contains("no such file")), "{:#?}", faults.faults());
}

#[test]
fn other_widths_pass() {
    if !has_tclsh() {
        return;
    }
    for width in [64, 128, 256, 1024] {
        let mut request = request("endpoint", width, system("vcu118"));
        request.parameters.iter_mut().filter(|(k, _)| k == "dma_width").for_each(|(_, v)| *v = width as u64);
        let report = Project::new(&request).check();
        assert!(report.ok(), "{width}: {:#?}", report.faults());
    }
}

#[test]
fn a_block_alone_passes_with_its_clock_or_without_one() {
    if !has_tclsh() {
        return;
    }
    let kind = || Kind::OutOfContext { part: "xcku3p-ffva676-2-e".into(), period: 3.103 };
    let report = Project::new(&request("endpoint", 512, kind())).check();
    assert!(report.ok(), "{:#?}", report.faults());
    assert_eq!(report.runs[1].done.split(", ").last(), Some("routed"));
    let mut wires = request("endpoint", 512, kind());
    wires.top = "byte_reverse_width16_byte_bits1".into();
    wires.sources = vec![(
        "byte_reverse_width16_byte_bits1.v".into(),
        "module byte_reverse_width16_byte_bits1 (\n    input  wire [15:0] word,\n    output wire [15:0] out\n);\n    assign out = {word[7:0], word[15:8]};\nendmodule\n".into(),
    )];
    wires.sources.push(("byte_reverse_width16_byte_bits1.f".into(), "byte_reverse_width16_byte_bits1.v\n".into()));
    let report = Project::new(&wires).check();
    assert!(report.ok(), "{:#?}", report.faults());
}

/// As [`the_harness_notices`], for a project of the kind.
fn noticed(kind: impl Fn() -> Kind, faults: &[Broken]) {
    let mut missed = Vec::new();
    for Broken(file, from, to, at, says) in faults {
        let project = Project::new(&request("endpoint", 512, kind()));
        // The file says it once for each of the MACs: the one of this project is the last that is there.
        if *file == "mac.tcl" && from.starts_with('{') {
            project.change("mac.tcl", "CONFIG.CORE {Ethernet MAC+PCS/PMA 64-bit}", &format!("CONFIG.CORE {to}"));
        } else {
            project.change(file, from, to);
        }
        let script: &[&str] = match *at {
            "nonproject.tcl" => &["nonproject.tcl", "bit"],
            "selftest.tcl" => &["selftest.tcl"],
            _ => &["project.tcl", "bit"],
        };
        let report = check_with(&project.path, &tclsh().unwrap(), &[script]).unwrap();
        if !report.faults().iter().any(|f| f.file == *at && f.text.contains(says) && f.line > 0) {
            missed.push(format!("{file}: `{from}` -> `{to}`: wanted {at}: {says}\n   got {:?}", report.faults()));
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn the_harness_notices_what_is_wrong_about_a_mac() {
    if has_tclsh() {
        noticed(|| with_mac(board("u280").unwrap(), 512), mac_faults::CMAC);
        noticed(|| with_mac(board("zcu102").unwrap(), 512), mac_faults::XXV);
    }
}

#[test]
fn every_board_with_its_mac_passes() {
    if !has_tclsh() {
        return;
    }
    for board in boards().iter().filter(|board| board.mac.is_some()) {
        for (top, width) in [("receive_endpoint", 512), ("endpoint", 512), ("endpoint", 256)] {
            let report = Project::new(&request(top, width, with_mac(board.clone(), width))).check();
            assert!(report.ok(), "{top} on {}: {:#?}", board.name, report.faults());
            // The bridge is packaged too.
            assert_eq!(report.runs.len(), 10);
            assert!(report.runs.iter().filter(|r| r.done.ends_with("bitstream")).count() == 2, "{:#?}", report.runs);
        }
    }
    // Other optics want no FEC; a loop inside of the transceivers tries the design without a cable.
    let mut board = board("u280").unwrap();
    board.mac.as_mut().unwrap().fec = false;
    let project = Project::new(&request("endpoint", 512, with_mac(board, 512)));
    project.change("settings.tcl", "set mac_loopback 0", "set mac_loopback 1");
    assert!(project.check().ok());
}

#[test]
fn the_harness_notices() {
    if !has_tclsh() {
        return;
    }
    let mut missed = Vec::new();
    for Broken(file, from, to, at, says) in faults::FAULTS.iter().chain(ip_faults::FAULTS) {
        let project = Project::new(&request("endpoint", 512, system("u280")));
        if *says == "no cell `drain/count_reg[3]`; near it: drainage" {
            project.change("constraints/endpoint_ooc.xdc", "\n# Where", "set_false_path -from [get_cells drain/count_reg[3]]\n# Where");
        }
        project.change(file, from, to);
        let script: &[&str] = match *at {
            "ooc.tcl" | "constraints/endpoint_ooc.xdc" => &["ooc.tcl", "impl"],
            "nonproject.tcl" => &["nonproject.tcl", "bit"],
            "selftest.tcl" => &["selftest.tcl"],
            PACKAGE => &[PACKAGE, "build/ip"],
            _ => &["project.tcl", "bit"],
        };
        let report = check_with(&project.path, &tclsh().unwrap(), &[script]).unwrap();
        if !report.faults().iter().any(|f| f.file == *at && f.text.contains(says) && (f.line > 0)) {
            missed.push(format!("{file}: `{from}` -> `{to}`: wanted {at}: {says}\n   got {:?}", report.faults()));
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn constraints_are_read_to_their_end() {
    if !has_tclsh() {
        return;
    }
    let project = Project::new(&request("endpoint", 512, system("u280")));
    project.change("constraints/board.xdc", "[get_ports sysclk_clk_n]", "[get_ports a]");
    project.change("constraints/board.xdc", "set_false_path -to [get_ports hbm_cattrip]", "set_false_path -to [get_ports b]");
    let report = project.check();
    let lines: Vec<(usize, &str)> =
        report.faults().iter().filter(|f| f.file == "constraints/board.xdc").map(|f| (f.line, f.text.as_str())).collect();
    assert!(
        lines.iter().any(|(l, t)| *l == 5 && t.contains("`a`")) && lines.iter().any(|(l, t)| *l == 11 && t.contains("`b`")),
        "{lines:?}"
    );
}
