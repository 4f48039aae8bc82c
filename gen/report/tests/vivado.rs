//! Vivado's report files: every variant of the format read exactly, everything damaged refused, and nothing unsure ever called met.

mod common;

use common::vivado::{fixture, fixtures, names, read, text};
use rdma_rtl_report::vivado::{Contents, Met, Parsed, Slack, Statement, Timing, parse, read_folder};
use std::path::Path;

fn timing(name: &str) -> Timing {
    fixture(name).timing().unwrap().clone()
}

fn refused(name: &str, text: &str, parts: &[&str]) {
    let error = read(name, text).err().unwrap_or_else(|| panic!("{name} was read, {parts:?} expected"));
    for part in parts {
        assert!(error.contains(part), "`{part}` is not in: {error}");
    }
}

#[test]
fn flat_utilization_of_every_release() {
    for (name, version, device, speed, state, figures) in [
        ("utilization_2018.3_artix7_placed.rpt", "2018.3", "7a35tcpg236-1", None, "Fully Placed", (812.0, 1000.0, 1.5, None, 4.0)),
        (
            "utilization_2020.2_u55c_synthesized.rpt",
            "2020.2",
            "xcu55c-fsvh2892-2L-e",
            None,
            "Synthesized",
            (5120.0, 9216.0, 29.5, Some(3.0), 0.0),
        ),
        (
            "utilization_2021.2_u55c_speed_file.rpt",
            "2021.2",
            "xcu55c-fsvh2892-2L-e",
            Some("-2L"),
            "Fully Placed",
            (5120.0, 9216.0, 29.5, Some(3.0), 0.0),
        ),
        (
            "utilization_2022.2_u55c_prohibited.rpt",
            "2022.2",
            "xcu55c-fsvh2892-2L-e",
            Some("-2L"),
            "Routed",
            (5120.0, 9216.0, 29.5, Some(3.0), 0.0),
        ),
        (
            "utilization_2024.2_u55c_three_slr.rpt",
            "2024.2",
            "xcu55c-fsvh2892-2L-e",
            Some("-2L"),
            "Physopt postRoute",
            (5120.0, 9216.0, 29.5, Some(3.0), 0.0),
        ),
    ] {
        let report = fixture(name);
        let (h, u) = (&report.header, report.utilization().unwrap());
        assert_eq!(
            (h.version.as_str(), h.device.as_str(), h.speed_file.as_deref(), h.design_state.as_deref()),
            (version, device, speed, Some(state))
        );
        assert!(h.is_tested(), "{name}");
        let (lut, ff, tiles, uram, dsp) = figures;
        assert_eq!((u.lut(), u.ff(), u.bram_tile(), u.uram(), u.dsp()), (Some(lut), Some(ff), Some(tiles), uram, Some(dsp)), "{name}");
        assert_eq!(u.estimate, name.contains("synthesized"), "{name}: a `*` stands at the LUTs");
    }
    let report = fixture("utilization_2022.2_u55c_prohibited.rpt");
    let u = report.utilization().unwrap();
    let blank = u.sites.iter().find(|s| s.site == "using O5 output only").unwrap();
    assert_eq!((blank.used, blank.available, blank.depth), (None, None, 1), "an empty cell is no zero");
    assert_eq!(u.lut_available(), Some(1_303_680.0), "the column after Prohibited");
    let report = fixture("utilization_2024.2_u55c_three_slr.rpt");
    let slr: Vec<_> = report.utilization().unwrap().slr_luts.iter().map(|(n, l)| (n.as_str(), *l)).collect();
    assert_eq!(slr, [("SLR0", Some(4000.0)), ("SLR1", Some(1120.0)), ("SLR2", Some(0.0))]);
    assert_eq!(report.utilization().unwrap().lut(), Some(5120.0), "not the row of the SLRs");
}

#[test]
fn hierarchical_utilization() {
    let report = fixture("hierarchical_2018.3_artix7.rpt");
    let rows = &report.hierarchical().unwrap().rows;
    let shown: Vec<_> = rows.iter().map(|r| (r.instance.as_str(), r.depth, r.own, r.lut, r.dsp, r.uram)).collect();
    assert_eq!(
        shown,
        [
            ("soc", 0, false, Some(1250.0), Some(4.0), None),
            ("soc", 1, true, Some(50.0), Some(0.0), None),
            ("u_mask", 1, false, Some(812.0), Some(4.0), None),
            ("fifo", 2, false, Some(20.0), Some(0.0), None),
            ("u_rest", 1, false, Some(388.0), Some(0.0), None),
        ]
    );
    assert_eq!(report.hierarchical().unwrap().of_module("mask_unit").count(), 1);
    let report = fixture("hierarchical_2023.2_u55c_uram.rpt");
    let h = report.hierarchical().unwrap();
    let endpoint: Vec<_> = h.of_module("receive_endpoint").collect();
    assert_eq!(endpoint.len(), 1, "not the row of its own logic");
    assert_eq!((endpoint[0].uram, endpoint[0].bram_tile(), endpoint[0].srl), (Some(4.0), Some(22.5), Some(100.0)));
    assert_eq!(h.rows.last().unwrap().uram, None, "an empty cell is no zero");
    assert_eq!(h.rows.last().unwrap().depth, 3);
}

#[test]
fn timing_that_is_met() {
    let t = timing("timing_2018.3_artix7_met.rpt");
    assert_eq!((t.met.clone(), t.statement), (Met::Met, Statement::Met));
    assert_eq!((t.setup.worst, t.hold.worst, t.pulse_width.worst), (Slack::Ns(0.184), Slack::Ns(0.033), Slack::Ns(1.468)));
    assert_eq!((t.setup.failing, t.setup.endpoints, t.pulse_width.endpoints), (Some(0), Some(2374), Some(1024)));
    assert_eq!((t.clocks[0].name.as_str(), t.clocks[0].period_ns, t.clocks[0].mhz), ("clk", Slack::Ns(4.0), Slack::Ns(250.0)));
    let worst = t.worst_setup.unwrap();
    assert_eq!((worst.slack, worst.source.as_str(), worst.levels.as_str()), (Slack::Ns(0.184), "u/first_reg[0]/C", "5  (LUT3=1 LUT6=4)"));
    assert_eq!(t.worst_hold.unwrap().slack, Slack::Ns(0.033));
    assert_eq!(timing("timing_2025.2_no_detailed_paths.rpt").met, Met::Met);
}

#[test]
fn clocks_without_paths_are_blank_and_long_names_do_not_shift_columns() {
    let report = fixture("timing_2023.2_four_clocks.rpt");
    assert_eq!(report.header.design_state.as_deref(), Some("Physopt postRoute"));
    let t = report.timing().unwrap();
    assert_eq!(t.met, Met::Met);
    let clocks: Vec<_> = t.clocks.iter().map(|c| (c.name.as_str(), c.depth)).collect();
    let long = "clk_out1_a_very_long_generated_clock_name_0_0";
    assert_eq!(clocks, [("refclk_p", 0), ("inst_shell/xclk", 0), (long, 1), ("clkfbout_0", 1)]);
    let group = |i: usize| (t.groups[i].from.as_str(), t.groups[i].to.as_str(), t.groups[i].setup.worst);
    assert_eq!(group(0), ("refclk_p", "refclk_p", Slack::Blank));
    assert_eq!(t.groups[0].pulse_width.unwrap().worst, Slack::Ns(1.468));
    assert_eq!(group(2), (long, long, Slack::Ns(3.1)));
    assert_eq!(group(4), ("inst_shell/xclk", long, Slack::Ns(0.5)));
    assert_eq!((t.groups[5].group.as_deref(), t.groups[5].hold.worst), (Some("**async_default**"), Slack::Ns(0.264)));
}

#[test]
fn timing_that_is_violated() {
    let t = timing("timing_2022.2_violated.rpt");
    let Met::Violated(why) = &t.met else { panic!("{:?}", t.met) };
    assert_eq!(why.len(), 2, "{why:?}");
    assert!(why[0].contains("WNS -0.412") && why[0].contains("118") && why[1].contains("WHS -0.012"), "{why:?}");
    assert_eq!(t.worst_setup.unwrap().slack, Slack::Ns(-0.412));
}

#[test]
fn what_is_not_constrained_is_not_met() {
    for (name, parts) in [
        (
            "timing_2021.2_unconstrained_inf.rpt",
            &["WNS is inf", "WHS is inf", "WPWS is NA", "does not say", "no clock is defined", "1024 register pins"][..],
        ),
        ("timing_2024.2_unconstrained_na.rpt", &["WNS is NA", "no clock is defined", "1024 register pins"]),
        // The report itself says that the constraints are met.
        ("timing_2020.2_setup_only_blank.rpt", &["WHS is blank", "WPWS is blank"]),
        ("timing_2025.2_no_clock_pins.rpt", &["7 register pins have no clock"]),
    ] {
        let t = timing(name);
        let Met::Unknown(why) = &t.met else { panic!("{name}: {:?}", t.met) };
        let all = why.join("; ");
        parts.iter().for_each(|p| assert!(all.contains(p), "{name}: `{p}` is not in: {all}"));
        assert!(fixture(name).failure().unwrap().contains("cannot be called met"));
    }
    let t = timing("timing_2021.2_unconstrained_inf.rpt");
    assert_eq!((t.worst_setup.clone(), t.check("no_clock"), t.check("unconstrained_internal_endpoints")), (None, Some(1024), Some(1289)));
}

/// One place in a report that is met is made another; none of these may be met.
#[test]
fn a_report_that_contradicts_itself_is_not_met() {
    let name = "timing_2018.3_artix7_met.rpt";
    let whole = text(name);
    assert_eq!(timing(name).met, Met::Met);
    let values = whole.lines().find(|l| l.trim_start().starts_with("0.184 ")).unwrap();
    let edit = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        whole.replacen(from, to, 1)
    };
    let one = |new: &str| edit(values, new);
    for (what, changed) in [
        ("WNS", one(&values.replacen(" 0.184", "-0.184", 1))),
        ("WNS that rounds to zero", one(&values.replacen(" 0.184", "-0.000", 1))),
        ("WHS", one(&values.replacen(" 0.033", "-0.033", 1))),
        ("WPWS", one(&values.replacen(" 1.468", "-1.468", 1))),
        ("TNS", one(&values.replacen(" 0.000", "-9.000", 1))),
        ("failing endpoints", one(&values.replacen("                      0 ", "                      3 ", 1))),
        ("no endpoints", one(&values.replacen("2374", "   0", 1))),
        ("inf", one(&values.replacen("0.184", "  inf", 1))),
        ("NA", one(&values.replacen("0.033", "   NA", 1))),
        ("blank", one(&values.replacen("1.468", "     ", 1))),
        ("the sentence", edit("All user specified timing constraints are met.", "")),
        ("the other sentence", edit("All user specified timing constraints are met.", "Timing constraints are not met.")),
        ("no clock", edit("clk    {0.000 2.000}        4.000           250.000         \n", "")),
        (
            "a register without a clock",
            edit("There are 0 register/latch pins with no clock.", "There are 9 register/latch pins with no clock."),
        ),
        ("no check_timing", edit("1. checking no_clock\n--------------------\n", "")),
        ("a clock that fails", edit("clk          0.184", "clk         -0.184")),
        ("a path that fails", edit("Slack (MET) :             0.184ns", "Slack (VIOLATED) :       -0.184ns")),
    ] {
        let met = read(name, &changed).map(|r| r.timing().unwrap().met.clone());
        assert_ne!(met, Ok(Met::Met), "{what}");
    }
}

#[test]
fn damaged_figures_are_refused_with_their_line() {
    let name = "timing_2018.3_artix7_met.rpt";
    let whole = text(name);
    let line = |part: &str| whole.lines().position(|l| l.contains(part)).unwrap() + 1;
    let at = |part: &str| format!("{name}:{}:", line(part));
    let values = at("0.184        0.000                      0                 2374        0.033");
    for word in ["  nan", "0,184", "0.1e4", "met  ", "0.1.4"] {
        refused(name, &whole.replacen("0.184", word, 1), &[&values, word.trim()]);
    }
    refused(name, &whole.replacen("2374", "23.4", 1), &[&values, "a count is expected"]);
    refused(
        name,
        &whole.replacen("Slack (MET) :             0.184ns", "Slack (MET) :            -0.184ns", 1),
        &[&at("Slack (MET) :             0.184ns"), "contradicts itself"],
    );
    refused(name, &whole.replacen("Slack (MET) :             0.184ns", "Slack (MET) :             fastns", 1), &["`fastns`"]);
    refused(name, &whole.replacen("{0.000 2.000}", "0.000 2.000", 1), &[&at("clk    {0.000 2.000}"), "for a clock"]);
    let name = "utilization_2022.2_u55c_prohibited.rpt";
    let whole = text(name);
    let line = whole.lines().position(|l| l.starts_with("| CLB LUTs")).unwrap() + 1;
    let at = format!("{name}:{line}:");
    for word in ["51x0", "-120", "5e20", "1.25"] {
        refused(name, &whole.replacen("| 5120 |", &format!("| {word} |"), 1), &[&at, word, "a count is expected"]);
    }
    refused(name, &whole.replacen("| 5120 |", "| 5120 ", 1), &[&at, "columns"]);
    refused(name, &whole.replacen("| CLB LUTs ", "| CLB Cats ", 1), &["CLB LUTs", "Slice LUTs"]);
    let name = "hierarchical_2018.3_artix7.rpt";
    let whole = text(name);
    refused(name, &whole.replacen("|     fifo ", "|       fifo ", 1).replacen("fifo_lut_w64_a5 |", "fifo_lut_w64_a |", 1), &["level 3"]);
    refused(name, &whole.replace("Total LUTs", "Total Cats"), &["no column `Total LUTs`"]);
}

#[test]
fn what_is_no_report_is_said_so() {
    refused("x.rpt", "", &["x.rpt:1:", "empty"]);
    refused("x.rpt", "\n\n\n", &["x.rpt:1:", "empty"]);
    refused("x.rpt", "hello\nworld\n", &["x.rpt:1:", "no report of Vivado"]);
    refused("x.rpt", "\0\u{1}\u{fffd}PNG\r\n\u{1a}", &["x.rpt:1:", "no report of Vivado"]);
    refused(
        "fit.rpt",
        "Fitter report for top\nTue Feb  3 10:11:12 2026\nQuartus Prime Version 21.1.0\n",
        &["fit.rpt:1:", "no report of Vivado"],
    );
    refused("x.rpt", "Copyright\n-----\n| Tool Version : Vitis HLS v.2022.2\n-----\n", &["x.rpt:3:", "no report of Vivado"]);
    refused("x.rpt", "Copyright\n-----\n| Tool Version : Vivado v.2022.2 (lin64)\n-----\n", &["no `| Command :`"]);
    refused("x.rpt", "Copyright\n-----\n| Tool Version : Vivado v.2022.2 (lin64)\n| nothing\n", &["x.rpt:4:", "Key : value"]);
    let other = text("timing_2018.3_artix7_met.rpt").replace("report_timing_summary", "report_drc");
    assert!(matches!(&parse("x.rpt", &other).unwrap()[..], [Parsed::Other(o)] if o.command == "report_drc"));
    // The header of one report on the body of another.
    let mixed = text("utilization_2022.2_u55c_prohibited.rpt").replace("report_utilization -file", "report_timing_summary -file");
    refused("x.rpt", &mixed, &["`Design Timing Summary` is missing"]);
    let mixed = text("timing_2018.3_artix7_met.rpt").replace("report_timing_summary -max_paths", "report_utilization -max_paths");
    assert!(read("x.rpt", &mixed).is_err());
}

/// Every report cut behind every line: refused, or without any loss but that of empty lines at the end.
#[test]
fn no_report_that_is_cut_is_read() {
    let mut cuts = 0;
    for name in names() {
        let whole = text(&name);
        let report = read(&name, &whole).unwrap();
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let filled = whole.trim_end().split_inclusive('\n').count();
        for n in 0..lines.len() {
            let cut = lines[..n].concat();
            // Also in the middle of the next line.
            let half = cut.clone() + &lines[n][..lines[n].len() / 2];
            for cut in [cut, half] {
                cuts += 1;
                match read(&name, &cut) {
                    Err(error) => assert!(error.starts_with(&format!("{name}:")), "{error}"),
                    // Without constraints there are no paths that could be missing; that is never met.
                    Ok(read) if read.timing().is_some_and(|t| matches!(t.met, Met::Unknown(_)) && t.clocks.is_empty()) => {}
                    Ok(read) => assert!(n >= filled && read == report, "{name} cut behind line {n} was read"),
                }
            }
        }
        for (from, to) in [("\n", "\r\n"), ("", "")] {
            let changed = if from.is_empty() { format!("\u{feff}{whole}") } else { whole.replace(from, to) };
            assert_eq!(read(&name, &changed).unwrap(), report, "line ends of Windows, byte order mark");
        }
    }
    assert!(cuts > 4000, "{cuts}");
}

/// Lines that vanish from the middle, and bytes that are others: whatever comes out, no panic; and a report that is not met does not become
/// met.
#[test]
fn holes_and_noise_do_not_make_it_met() {
    for name in names() {
        let whole = text(&name);
        let was_met = read(&name, &whole).unwrap().timing().is_some_and(|t| t.met == Met::Met);
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        for n in 0..lines.len() {
            let hole = [&lines[..n], &lines[(n + 5).min(lines.len())..]].concat().concat();
            let noise = [&lines[..n], &["\u{fffd}|+-: 1e5 inf\t| {\n"], &lines[n + 1..]].concat().concat();
            for changed in [hole, noise] {
                if let Ok(report) = read(&name, &changed) {
                    let met = report.timing().is_some_and(|t| t.met == Met::Met);
                    assert!(was_met || !met, "{name}, line {n}");
                }
            }
        }
    }
}

#[test]
fn a_folder_is_read_with_what_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let error = |path: &Path| read_folder(path).err().unwrap();
    assert!(error(&at("none")).to_string().contains("cannot be read"));
    assert!(error(folder.path()).to_string().contains("no *.rpt file"));
    let drc = text("timing_2018.3_artix7_met.rpt").replace("report_timing_summary", "report_drc");
    std::fs::write(at("drc.rpt"), drc).unwrap();
    assert!(error(folder.path()).to_string().contains("1 reports in it, none of report_utilization"));
    std::fs::create_dir(at("run")).unwrap();
    std::fs::copy(fixtures().join("timing_2018.3_artix7_met.rpt"), at("run/timing.rpt")).unwrap();
    std::fs::write(at("run/notes.txt"), "not looked at").unwrap();
    let files = read_folder(folder.path()).unwrap();
    assert_eq!(
        (files.reports.len(), files.reports[0].file.as_str(), files.others[0].command.as_str()),
        (1, "run/timing.rpt", "report_drc")
    );
    let one = read_folder(&at("run/timing.rpt")).unwrap();
    assert_eq!((one.reports.len(), one.reports[0].file.as_str()), (1, "timing.rpt"), "one file, by its name");
    // One that cannot be read is named; the others are read.
    std::fs::write(at("run/broken.rpt"), "rubbish").unwrap();
    let files = read_folder(folder.path()).unwrap();
    assert_eq!((files.reports.len(), files.others.len()), (1, 1));
    let refused = &files.refused[..];
    assert!(refused.len() == 1 && refused[0].to_string().starts_with("run/broken.rpt:1: no report of Vivado"), "{refused:?}");
}

/// Who reads a fixture is told that it is no result of Vivado.
#[test]
fn each_fixture_says_that_it_is_made_by_hand() {
    assert!(names().len() > 14);
    for name in names() {
        let host = text(&name).lines().find(|l| l.starts_with("| Host")).unwrap_or_default().to_string();
        assert!(host.contains("made by hand, no result of Vivado"), "{name}: {host}");
    }
}

/// Files that Vivado wrote for other people, with the values that are known of them. They are no part of this project:
/// `RDMA_RTL_VIVADO_REPORTS` names the folder that holds them. Public at olofk/edalize, `tests/test_reporting/data` (7014995f), and
/// mzybest/MDC-NTT, `reports` (c3382913).
#[test]
fn reports_that_vivado_wrote() {
    let Some(folder) = std::env::var_os("RDMA_RTL_VIVADO_REPORTS").map(std::path::PathBuf::from).filter(|f| f.is_dir()) else {
        eprintln!("skipped: RDMA_RTL_VIVADO_REPORTS names no folder of real reports");
        return;
    };
    let files = read_folder(&folder).unwrap();
    let reports = files.reports;
    assert!(files.refused.is_empty(), "{:?}", files.refused);
    let of = |name: &str| reports.iter().find(|r| r.file == name).unwrap_or_else(|| panic!("{name} is not there"));
    let r = of("edalize-2019.2-xcku3p-utilization_placed.rpt");
    let u = r.utilization().unwrap();
    assert_eq!(
        (r.header.device.as_str(), r.header.design_state.as_deref(), r.header.speed_file.as_deref()),
        ("xcku3pffva676-2", Some("Fully Placed"), None)
    );
    assert_eq!((u.lut(), u.ff(), u.bram_tile(), u.uram(), u.dsp()), (Some(999.0), Some(920.0), Some(0.0), Some(0.0), Some(0.0)));
    let r = of("edalize-2019.2-xcku3p-timing_summary_routed.rpt");
    let t = r.timing().unwrap();
    assert_eq!((r.header.device.as_str(), &t.met), ("xcku3p-ffva676", &Met::Met));
    assert_eq!((t.setup.worst, t.setup.total, t.setup.failing, t.setup.endpoints), (Slack::Ns(0.184), Slack::Ns(0.0), Some(0), Some(2374)));
    assert_eq!((t.hold.worst, t.pulse_width.worst), (Slack::Ns(0.033), Slack::Ns(1.968)));
    assert_eq!((t.clocks[0].name.as_str(), t.clocks[0].period_ns, t.clocks[0].mhz), ("clk", Slack::Ns(5.0), Slack::Ns(200.0)));
    let r = of("edalize-2019.2-xc7a35t-utilization_place.rpt");
    let u = r.utilization().unwrap();
    assert_eq!(
        (r.header.device.as_str(), u.lut(), u.ff(), u.bram_tile(), u.dsp()),
        ("7a35ticsg324-1L", Some(8297.0), Some(5434.0), Some(29.5), Some(4.0))
    );
    let r = of("mdc-ntt-2022.2-xc7a200t-utilization_hierarchical.rpt");
    let top = r.hierarchical().unwrap().top().unwrap();
    assert_eq!(
        (r.header.device.as_str(), r.header.design_state.as_deref(), top.instance.as_str()),
        ("xc7a200tsbg484-1", Some("Synthesized"), "gs_mdc_core")
    );
    let figures = [top.lut, top.logic_lut, top.lutram, top.srl, top.ff, top.ramb36, top.ramb18, top.dsp];
    assert_eq!(figures, [34407.0, 30939.0, 0.0, 3468.0, 22031.0, 10.0, 0.0, 364.0].map(Some));
    assert_eq!(top.uram, None, "7 series");
    // Cut behind every line, as the ones of our own.
    for report in &reports {
        let text = std::fs::read_to_string(folder.join(&report.file)).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let filled = text.trim_end().split_inclusive('\n').count();
        for n in (0..filled).step_by(if lines.len() > 1000 { 7 } else { 1 }) {
            let cut = read("cut", &lines[..n].concat());
            assert!(cut.is_err(), "{} cut behind line {n} was read", report.file);
        }
    }
    assert!(matches!(reports[0].contents, Contents::Utilization(_)));
}
