//! What flows write beside a plain report: several reports in one file, parts of a design, tables that are not known, options that leave
//! something out, files of other tools, files that are damaged. Each is read right, named and left, or refused with its line.

mod common;

use common::vivado::{fixture, names, read, text};
use rdma_rtl_report::vivado::{Files, Met, Parsed, Slack, Vivado, parse, read_folder};
use std::path::Path;

const MET: &str = "timing_2018.3_artix7_met.rpt";
const VIOLATED: &str = "timing_2022.2_violated.rpt";
const FLAT: &str = "utilization_2018.3_artix7_placed.rpt";
const BY_HIERARCHY: &str = "hierarchical_2018.3_artix7.rpt";
const DIES: &str = "utilization_2024.2_u55c_three_slr.rpt";

fn all(text: &str) -> Vec<Parsed> {
    parse("x.rpt", text).unwrap_or_else(|e| panic!("{e}"))
}

fn refused(text: &str, parts: &[&str]) {
    let error = parse("x.rpt", text).err().unwrap_or_else(|| panic!("was read, {parts:?} expected")).to_string();
    parts.iter().for_each(|p| assert!(error.contains(p), "`{p}` is not in: {error}"));
}

fn reports(text: &str) -> Vec<Vivado> {
    all(text).into_iter().filter_map(|p| if let Parsed::Report(r) = p { Some(*r) } else { None }).collect()
}

fn left(text: &str) -> String {
    match &all(text)[..] {
        [Parsed::Other(other)] => other.command.clone(),
        other => panic!("{other:?}"),
    }
}

fn is_met(report: &Vivado) -> bool {
    report.timing().is_some_and(|t| t.met == Met::Met)
}

/// The fixture with another command in its header.
fn with(name: &str, command: &str) -> String {
    let whole = text(name);
    let line = whole.lines().find(|l| l.starts_with("| Command")).unwrap();
    let key = line.split_once(':').unwrap().0;
    whole.replacen(line, &format!("{key}: {command}"), 1)
}

fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Result<Files, String>) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let files = read_folder(folder.path()).map_err(|e| e.to_string());
    (folder, files)
}

#[test]
fn each_timing_report_of_a_file_is_judged() {
    let (met, violated) = (text(MET), text(VIOLATED));
    for (file, verdicts) in [
        (met.clone() + &violated, vec![true, false]),
        (violated.clone() + &met, vec![false, true]),
        (met.clone() + &met + &violated, vec![true, true, false]),
        // As `-append` leaves them if the first ends without an empty line more, and with more of them.
        (met.trim_end().to_string() + "\n\n\n" + &violated, vec![true, false]),
        (met.clone() + "\n\n\n\n" + &violated, vec![true, false]),
        (("\n\n".to_string() + &met + &violated).replace('\n', "\r\n"), vec![true, false]),
    ] {
        let found = reports(&file);
        assert_eq!(found.iter().map(is_met).collect::<Vec<_>>(), verdicts);
        assert_eq!(found[1].file, "x.rpt (report 2)");
        assert!(found.iter().filter_map(Vivado::failure).any(|f| f.contains("WNS -0.412")));
    }
    // A release later in the same file, and of another design.
    assert_eq!(reports(&(met.clone() + &violated))[1].header.design, "receive_endpoint");
}

#[test]
fn reports_of_several_kinds_in_a_file() {
    let found = reports(&(text(FLAT) + &text(BY_HIERARCHY)));
    assert_eq!((found[0].utilization().unwrap().lut(), found[1].hierarchical().unwrap().rows.len()), (Some(812.0), 5));
    let drc = text(MET).replace("report_timing_summary", "report_drc");
    let found = all(&(drc.clone() + &text(FLAT) + &text(VIOLATED)));
    assert!(matches!(&found[..], [Parsed::Other(_), Parsed::Report(_), Parsed::Report(r)] if r.failure().is_some()), "{found:?}");
    // Without a header nobody knows of what it is; it is not passed over.
    let bare = |name: &str, title: &str| text(name).split_once(title).map(|(_, rest)| format!("{title}{rest}")).unwrap();
    let violated = bare(VIOLATED, "Timing Summary Report");
    for before in [text(MET), text(FLAT), drc, String::new(), "\n\n".to_string()] {
        let line = format!("x.rpt:{}:", before.matches('\n').count() + 1);
        refused(&(before + &violated), &[&line, "without -no_header"]);
    }
    refused(&(text(MET) + &bare(FLAT, "Utilization Design Information")), &["without -no_header"]);
    // The title is gone as well.
    refused(&(text(MET) + &bare(VIOLATED, "| Design Timing Summary")), &["a second `Design Timing Summary`"]);
}

#[test]
fn a_file_with_one_report_that_cannot_be_read_is_refused() {
    let (met, violated) = (text(MET), text(VIOLATED));
    let line = met.matches('\n').count() + 3;
    refused(&(met.clone() + &violated.replacen("Vivado v.2022.2", "Quartus", 1)), &[&format!("x.rpt:{line}:"), "no report of Vivado"]);
    refused(&(met[..met.len() / 2].to_string() + &violated), &["x.rpt:", "cut short"]);
    refused(&("INFO: [Common 17] hello\n".to_string() + &met), &["x.rpt:1:", "no report of Vivado"]);
    // Cut behind every line: nothing that is met is left of a file whose last report is violated, unless that report is not there at all.
    let both = met.clone() + &violated;
    let lines: Vec<&str> = both.split_inclusive('\n').collect();
    let (first, filled) = (met.matches('\n').count(), both.trim_end().matches('\n').count());
    for n in 0..lines.len() {
        match parse("x.rpt", &lines[..n].concat()) {
            // A copyright alone is what a tool of Xilinx may leave.
            Ok(found) if n <= first => assert!(n >= met.trim_end().matches('\n').count(), "{n} {found:?}"),
            Ok(found) => assert!(n >= filled && found.len() == 2, "cut behind line {n} of {filled}: {found:?}"),
            Err(error) => assert!(error.file == "x.rpt" && error.line.is_some(), "{error}"),
        }
    }
}

#[test]
fn percentages_in_cells_are_no_part_of_a_count() {
    let plain = text(BY_HIERARCHY);
    let figures = fixture(BY_HIERARCHY).hierarchical().unwrap().rows.clone();
    let per_cent = |with: &str| {
        let cell = |cell: &str| match cell.trim().parse::<f64>() {
            Ok(_) => format!(" {}{with} ", cell.trim()),
            Err(_) => cell.to_string(),
        };
        let line = |line: &str| if line.starts_with('|') { line.split('|').map(cell).collect::<Vec<_>>().join("|") } else { line.into() };
        plain.lines().map(line).collect::<Vec<String>>().join("\n") + "\n"
    };
    for with in ["(6.01%)", "(<0.01%)", "(100.00%)", " (0%)"] {
        assert_eq!(reports(&per_cent(with))[0].hierarchical().unwrap().rows, figures, "{with}");
    }
    for with in ["(6.01)", "(%)", "(-1.00%)", "(6.01%", "(6.01%)(6.01%)", "%"] {
        refused(&per_cent(with), &["a count is expected"]);
    }
    // The same in a flat report.
    let flat = text(FLAT).replacen("|  812 |", "| 812(3.90%) |", 1);
    assert_eq!(reports(&flat)[0].utilization().unwrap().lut(), Some(812.0));
}

#[test]
fn figures_of_a_part_say_of_which() {
    for (command, part) in [
        ("report_utilization -cells [get_cells u_fifo] -file util.rpt", Some("-cells [get_cells u_fifo]")),
        ("report_utilization -cell u_fifo -file util.rpt", Some("-cells u_fifo")),
        ("report_utilization -file util.rpt -pblocks [get_pblocks pblock_1]", Some("-pblocks [get_pblocks pblock_1]")),
        ("report_utilization -file util.rpt -pb util.pb", None),
        ("report_utilization -file {my -cells/util.rpt}", None),
    ] {
        let report = &reports(&with(FLAT, command))[0];
        assert_eq!(report.part.as_deref(), part, "{command}");
        assert_eq!(report.subject(), part.map_or("mask_unit".to_string(), |p| format!("mask_unit ({p})")));
    }
    let timing = &reports(&with(MET, "report_timing_summary -cells u -file t.rpt"))[0];
    assert_eq!((timing.part.as_deref(), is_met(timing)), (Some("-cells u"), true));
    assert!(reports(&with(MET, "report_timing_summary -inter_slr any_crossing -file t.rpt"))[0].part.is_some());
    // Columns of an area are others: parent, child and what is not assigned.
    let area =
        with(FLAT, "report_utilization -pblocks p1 -file util.rpt").replace("Used", "Parent").replace("| Slice LUTs ", "| Area LUTs  ");
    assert_eq!(left(&area), "report_utilization -pblocks p1");
    // Of the dies alone: the sections of the design are not in it.
    assert_eq!(left(&with(DIES, "report_utilization -slr -file util.rpt")), "report_utilization -slr");
}

#[test]
fn what_is_hidden_is_not_looked_at() {
    let scratch = "p/.Xil/Vivado-1-host/realtime/dupFiles.rpt";
    let met = text(MET);
    let (base, files) =
        folder(&[(scratch, ""), ("p/.hidden.rpt", "x"), ("p/._p.rpt", "\0\u{5}"), ("p/p.runs/impl_1/top_timing_summary_routed.rpt", &met)]);
    let files = files.unwrap();
    assert_eq!((files.reports.len(), files.others.len(), files.refused.len()), (1, 0, 0), "{files:?}");
    assert_eq!(files.reports[0].file, "p/p.runs/impl_1/top_timing_summary_routed.rpt");
    // What is asked for is looked at, hidden or not.
    std::fs::write(base.path().join("p/.hidden.rpt"), &met).unwrap();
    assert_eq!(read_folder(&base.path().join("p/.hidden.rpt")).unwrap().reports.len(), 1);
    std::fs::write(base.path().join("p/.Xil/t.rpt"), &met).unwrap();
    assert_eq!(read_folder(&base.path().join("p/.Xil")).unwrap().reports.len(), 1);
}

const ROUTE_STATUS: &str = "Design Route Status\n                                               :      # nets :\n   \
    ------------------------------------------- : ----------- :\n   # of logical nets.......................... :         410 :\n       \
    # of nets with routing errors.......... :           0 :\n   ------------------------------------------- : ----------- :\n\n";

#[test]
fn reports_of_other_commands_are_named_and_left() {
    assert_eq!(left(ROUTE_STATUS), "report_route_status");
    assert_eq!(left(&("\n".to_string() + &ROUTE_STATUS.replace('\n', "\r\n"))), "report_route_status");
    let found = all(&(text(MET) + ROUTE_STATUS + &text(FLAT)));
    assert!(matches!(&found[..], [Parsed::Report(_), Parsed::Other(_), Parsed::Report(_)]), "{found:?}");
    for command in
        ["report_drc -file drc.rpt", "report_power", "report_methodology", "report_timing -file t.rpt", "report_bus_skew", "my_proc"]
    {
        assert_eq!(left(&with(MET, command)), command.split(' ').next().unwrap());
    }
    // Without a design (report_drc of 2015), and without a command (report_power of 2015).
    let head =
        |keys: &str| format!("Copyright\n-----\n| Tool Version : Vivado v.2015.4 (lin64)\n{keys}-----\n\nPower Report\n\n1. Summary\n");
    assert_eq!(left(&head("| Command      : report_drc\n")), "report_drc");
    assert_eq!(left(&head("| Command      : \n| Design : x\n")), "Power Report");
    refused(&head("").replace("Power Report", "Timing Summary Report"), &["no `| Command :`"]);
    refused(&head("| Command : report_timing_summary\n").replace("Power Report", "Timing Summary Report"), &["no `| Design :`"]);
    for title in ["Vitis HLS Report for 'top'", "Vivado HLS Report for 'top'", "Synthesis Summary Report of 'top'"] {
        let rule = "=".repeat(60);
        assert!(title.starts_with(&left(&format!("\n\n{rule}\n== {title}\n{rule}\n* Date: today\n"))));
    }
}

#[test]
fn paths_that_the_command_leaves_out_are_no_sign_of_a_cut() {
    // As it stands with one kind of paths, or both, left out.
    let emptied = |command: &str, titles: &[&str]| {
        let mut out = with(MET, command);
        for title in titles {
            let at = out.find(&format!("\n{title}\n")).unwrap() + title.len() + 2;
            let from = at + out[at..].find('\n').unwrap() + 1;
            let to =
                ["\nMin Delay Paths\n", "\nPulse Width Checks\n"].iter().filter_map(|t| Some(from + out[from..].find(t)?)).min().unwrap();
            out.replace_range(from..to, "\n\n\n\n");
        }
        out
    };
    let (max, min) = ("Max Delay Paths", "Min Delay Paths");
    for command in [
        "report_timing_summary -slack_lesser_than 0.000 -max_paths 10 -file t.rpt",
        "report_timing_summary -slack_lesser_than 0 -file t.rpt",
        "report_timing_summary -slack_less -0.5 -file t.rpt",
        "report_timing_summary -path_type end -file t.rpt",
        "report_timing_summary -path_type summary -max_paths 10 -file t.rpt",
    ] {
        let report = &reports(&emptied(command, &[max, min]))[0];
        assert!(is_met(report) && report.timing().unwrap().setup.worst == Slack::Ns(0.184), "{command}");
    }
    let without = with(MET, "report_timing_summary -no_detailed_paths -file t.rpt");
    let details = without.find("\n| Timing Details\n").unwrap();
    let without = &without[..without[..details].rfind('\n').unwrap()];
    assert!(is_met(&reports(without)[0]), "-no_detailed_paths");
    // Not what the option leaves out: 0.033 is less than 0.1, and a plain report has them all.
    refused(
        &emptied("report_timing_summary -slack_lesser_than 0.1 -file t.rpt", &[max, min]),
        &["`Min Delay Paths` from clk to clk is missing"],
    );
    assert!(is_met(&reports(&emptied("report_timing_summary -slack_lesser_than 0.1 -file t.rpt", &[max]))[0]));
    refused(&emptied("report_timing_summary -max_paths 10 -file t.rpt", &[max]), &["`Max Delay Paths` from clk to clk is missing"]);
    refused(&emptied("report_timing_summary -path_type full -file t.rpt", &[max]), &["is missing"]);
    // The summary that such a report leans on is there, or it is not read; and what it says counts.
    refused(
        &with(MET, "report_timing_summary -slack_lesser_than 0 -file t.rpt").replace("| Clock Summary", "| Clock Sommary"),
        &["cut short"],
    );
    let violated = with(VIOLATED, "report_timing_summary -path_type summary -file t.rpt");
    assert!(reports(&violated)[0].failure().unwrap().contains("WNS -0.412"));
    let contradicts = with(MET, "report_timing_summary -path_type end -file t.rpt").replacen("Slack (MET)", "Slack (VIOLATED)", 1);
    assert!(matches!(reports(&contradicts)[0].timing().unwrap().met, Met::Violated(_)));
}

#[test]
fn a_list_of_paths_that_lacks_some_is_cut() {
    let whole = text("timing_2024.1_unconstrained_paths.rpt");
    assert!(is_met(&reports(&whole)[0]), "{:?}", reports(&whole)[0].timing().unwrap().met);
    let one_less = |from: &str| {
        let at = whole.find(from).unwrap();
        let end = at + whole[at..].find("\n\nSlack").or(whole[at..].find("\n\n\n")).unwrap();
        format!("{}{}", &whole[..at], &whole[end + 2..])
    };
    refused(&one_less("Slack (MET) :             0.184ns"), &["`Max Delay Paths` from clk to clk has 1 of 2 paths"]);
    let at = whole.find("Path Group:  (none)\nFrom Clock:  clk").unwrap();
    refused(&(whole[..at - 87].trim_end().to_string() + "\n\n\n\n"), &["paths from `clk` to `` are missing"]);
    refused(&whole.replace("Unconstrained Path Table", "Unconstrained Tath Pable"), &["section `Unconstrained Path Table` is missing"]);
    // -unique_pins shows fewer of them.
    let unique = one_less("Slack (MET) :             0.184ns").replace("-max_paths 2 -report_unconstrained", "-max_paths 2 -unique_pins");
    assert!(is_met(&reports(&unique)[0]));
    let sheet = with(MET, "report_timing_summary -datasheet -file t.rpt");
    refused(&sheet, &["section `Data sheet` is missing"]);
}

#[test]
fn tables_that_are_not_known_are_skipped_and_named() {
    let report = fixture(DIES);
    assert_eq!(report.skipped, ["SLR Connectivity", "SLR Connectivity Matrix", "SLR IO Utilization"]);
    assert_eq!((report.utilization().unwrap().lut(), report.utilization().unwrap().slr_luts.len()), (Some(5120.0), 3));
    assert!(fixture(FLAT).skipped.is_empty() && fixture(BY_HIERARCHY).skipped.is_empty());
    let whole = text(DIES);
    let matrix = "+-----------+------+------+------+\n| FROM \\ TO | SLR2 | SLR1 | SLR0 |\n+-----------+------+------+------+\n";
    assert!(whole.contains(matrix));
    for odd in [
        // Frames with other columns than the rows.
        "+-----------+--------------------+\n| FROM \\ TO | SLR2 | SLR1 | SLR0 |\n+-----------+------+------+------+\n",
        "+--------------------------------+\n| FROM \\ TO | SLR2 | SLR1 | SLR0 |\n+-----------+--------------------+\n",
        "| FROM \\ TO | SLR2 | SLR1 | SLR0 |\n+-----------+------+------+------+\n",
        "+-----------+------+------+------+\n|           |         TO         |\n| FROM      | SLR2 | SLR1 | SLR0 |\n+-----------+------+------+------+\n",
        "+-----------+\n",
    ] {
        let report = &reports(&whole.replacen(matrix, odd, 1))[0];
        assert_eq!((report.skipped.len(), report.utilization().unwrap().lut()), (3, Some(5120.0)), "{odd}");
    }
    // The one that LUTs by die are from, in a form that is not known.
    let other = whole.replacen("| CLB LUTs      | 4000 | 1120 |    0 |", "| CLB LUTs      | many | 1120 |    0 |", 1);
    let report = &reports(&other)[0];
    assert!(
        report.utilization().unwrap().slr_luts.is_empty()
            && report.skipped.contains(&"SLR CLB Logic and Dedicated Block Utilization".into())
    );
    // A section of a later release.
    let later = whole.replace("12. SLR IO Utilization", "12. NoC Utilization");
    assert!(reports(&later)[0].skipped.contains(&"NoC Utilization".to_string()));
    // What is known stays as strict as it was, and an open table is a cut wherever it is.
    refused(
        &whole.replacen("| CLB LUTs                   | 5120 ", "| CLB LUTs                   | 5120 | 0 ", 1),
        &["columns in a table of"],
    );
    let open = whole.trim_end().rsplit_once('\n').unwrap().0;
    refused(&(open.to_string() + "\n\n\n"), &["is not closed"]);
}

#[test]
fn releases_before_2018() {
    // 2014: another name of a column, a device without its package, a row with `(Lost)`, a copyright of years.
    let flat = text(FLAT);
    let row = flat.lines().find(|l| l.starts_with("| Bonded IOB")).unwrap();
    let lost = row.replacen(row.split('|').nth(2).unwrap(), " 20(Lost) ", 1);
    let old = flat
        .replace("Copyright 1986-2018", "Copyright 1986-1999, 2001-2014")
        .replace("Vivado v.2018.3", "Vivado v.2014.4")
        .replace("| Fixed |", "| Loced |")
        .replace(": 7a35tcpg236-1", ": xc7a35t")
        .replacen(row, &lost, 1);
    let report = &reports(&old)[0];
    let u = report.utilization().unwrap();
    assert_eq!((u.lut(), u.ff(), u.bram_tile(), u.dsp()), (Some(812.0), Some(1000.0), Some(1.5), Some(4.0)));
    assert_eq!(u.sites.iter().find(|s| s.site == "Bonded IOB").unwrap().used, Some(20.0));
    assert!(!report.header.is_tested() && report.header.device == "xc7a35t");
    // A row that nothing is taken from is no reason to refuse the others; one that figures are from is.
    let odd = |label: &str| {
        let row = flat.lines().find(|l| l.starts_with(&format!("| {label}"))).unwrap();
        let used = row.split('|').nth(2).unwrap();
        flat.replacen(row, &row.replacen(used, " 5 of 6 ", 1), 1)
    };
    assert_eq!(reports(&odd("Bonded IOB"))[0].utilization().unwrap().lut(), Some(812.0));
    for label in ["Slice LUTs", "Slice Registers", "Block RAM Tile", "DSPs"] {
        refused(&odd(label), &["`Used` is `5 of 6`", "a count is expected"]);
    }
}

#[test]
fn line_ends_and_characters_of_windows() {
    for name in names() {
        let report = fixture(&name);
        let whole = text(&name);
        for ends in ["\r\n", "\r\r\n"] {
            assert_eq!(read(&name, &whole.replace('\n', ends)).unwrap(), report, "{name}");
        }
    }
    // A shell there writes two bytes for each character, lowest first.
    let wide: Vec<u8> = format!("\u{feff}{}", text(VIOLATED).replace('\n', "\r\n")).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let base = tempfile::tempdir().unwrap();
    std::fs::write(base.path().join("t.rpt"), &wide).unwrap();
    std::fs::write(base.path().join("cut.rpt"), &wide[..wide.len() / 2 + 1]).unwrap();
    let files = read_folder(base.path()).unwrap();
    assert!(files.reports[0].failure().unwrap().contains("WNS -0.412"));
    assert!(files.refused[0].to_string().starts_with("cut.rpt:"), "{:?}", files.refused);
}

#[test]
fn a_file_that_cannot_be_read_takes_no_other_with_it() {
    let met = text(MET);
    let cut = &met[..met.len() / 2];
    let (base, files) = folder(&[("a/empty.rpt", ""), ("b.rpt", &met), ("c.rpt", cut), ("d.rpt", "Quartus\n"), ("e.rpt", &text(FLAT))]);
    let files = files.unwrap();
    assert_eq!(files.reports.iter().map(|r| r.file.as_str()).collect::<Vec<_>>(), ["b.rpt", "e.rpt"]);
    let lines: Vec<String> = files.refused.iter().map(|r| r.to_string()).collect();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(
        lines[0].starts_with("a/empty.rpt:1: the file is empty") && lines[1].starts_with("c.rpt:") && lines[2].starts_with("d.rpt:1:"),
        "{lines:?}"
    );
    assert!(lines.iter().all(|l| l.lines().count() == 1));
    // Only such files: that is a result too, and no wrong call.
    let (_base, alone) = folder(&[("x.rpt", "rubbish")]);
    assert_eq!(alone.unwrap().refused.len(), 1);
    // More than memory is good for, and links to nothing and in a circle.
    std::fs::File::create(base.path().join("f.rpt")).unwrap().set_len(300 << 20).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere.rpt", base.path().join("g.rpt")).unwrap();
        std::os::unix::fs::symlink(".", base.path().join("circle")).unwrap();
        std::os::unix::fs::symlink("b.rpt", base.path().join("h.rpt")).unwrap();
    }
    let files = read_folder(base.path()).unwrap();
    let of = |name: &str| files.refused.iter().find(|r| r.file == name).map(|r| r.to_string()).unwrap_or_default();
    assert!(of("f.rpt").contains("300 MB is more than a report has"), "{:?}", files.refused);
    #[cfg(unix)]
    assert!(of("g.rpt").contains("cannot be read") && files.reports.iter().any(|r| r.file == "h.rpt"));
    let mut deep = base.path().to_path_buf();
    (0..70).for_each(|_| deep.push("d"));
    std::fs::create_dir_all(&deep).unwrap();
    assert!(read_folder(base.path()).unwrap().refused.iter().any(|r| r.why.contains("nest deeper than 64")));
}

/// Bytes of every class at places all over every fixture: no panic, nothing that was not met becomes met, and no figure of a report that is
/// read is another one because of a byte that is none of its digits.
#[test]
fn any_byte_anywhere() {
    let classes = "\0\n\r\t |+-:()[]{}%*<>\"'\\0129.,;nN_eE\u{7f}\u{a0}\u{2028}\u{feff}\u{1f600}";
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let classes: Vec<char> = classes.chars().collect();
    let mut tried = 0;
    for name in names() {
        let whole = text(&name);
        let was_met = is_met(&fixture(&name));
        for _ in 0..250 {
            let mut changed = whole.clone();
            for _ in 0..1 + random(3) {
                let at = changed.floor_char_boundary(random(changed.len()));
                let end = (at + random(3)).min(changed.len());
                let class = classes[random(classes.len())];
                changed.replace_range(at..changed.floor_char_boundary(end).max(at), &class.to_string().repeat(1 + random(4)));
            }
            tried += 1;
            for report in parse(&name, &changed).map(|p| p.into_iter()).into_iter().flatten() {
                if let Parsed::Report(report) = report {
                    assert!(was_met || !is_met(&report), "{name}: met by noise\n{changed}");
                }
            }
        }
    }
    assert!(tried >= 4000, "{tried}");
}

/// Reports of two files mixed line by line, lines twice, lines in another order.
#[test]
fn lines_of_other_reports_do_not_make_it_met() {
    let violated = text(VIOLATED);
    let met = text(MET);
    let (a, b): (Vec<&str>, Vec<&str>) = (violated.split_inclusive('\n').collect(), met.split_inclusive('\n').collect());
    for n in 0..a.len() {
        let mixed = a[..n].concat() + &b[n.min(b.len())..].concat();
        let twice = a[..n].concat() + &a[n.saturating_sub(7)..].concat();
        let swapped = a[n..].concat() + &a[..n].concat();
        for text in [twice, swapped] {
            for report in parse("x.rpt", &text).into_iter().flatten() {
                assert!(!matches!(&report, Parsed::Report(r) if is_met(r)), "line {n}");
            }
        }
        // The head of the one with the summary of the other is the other's verdict; with its own it is not met.
        if n > a.iter().position(|l| l.contains("-0.412")).unwrap() {
            for report in parse("x.rpt", &mixed).into_iter().flatten() {
                assert!(!matches!(&report, Parsed::Report(r) if is_met(r)), "line {n}");
            }
        }
    }
}

#[test]
fn hostile_files_end_soon_and_without_a_panic() {
    let head = "Copyright\n-----\n| Tool Version : Vivado v.2022.2 (lin64)\n| Command : COMMAND\n| Design : d\n| Device : x\n-----\n\n";
    let util = head.replace("COMMAND", "report_utilization") + "Table of Contents\n-----\n1. CLB Logic\n\n1. CLB Logic\n-----\n\n";
    let timing = head.replace("COMMAND", "report_timing_summary");
    let wide = format!("+{}\n|{}\n+{}\n", "-+".repeat(200_000), " a |".repeat(200_000), "-+".repeat(200_000));
    let sections: String = (1..20_000).map(|n| format!("{n}. S\n")).collect();
    let cases = [
        "x".repeat(8 << 20),
        "\n".repeat(4 << 20),
        "-".repeat(4 << 20),
        "| Tool Version : Vivado v.2022.2\n".repeat(100_000),
        "Copyright\n-----\n| Tool Version : Vivado v.2022.2\n".repeat(50_000),
        "Timing Summary Report\n".repeat(100_000),
        "Design Route Status\n # nets\n".repeat(100_000),
        util.clone() + &wide,
        util.clone() + &wide + "\n\n",
        util.clone() + &"+-+\n".repeat(200_000),
        util.clone() + &"| a |\n".repeat(200_000),
        util.replace("1. CLB Logic\n\n", &(sections + "\n")),
        head.replace("COMMAND", &"[".repeat(1 << 20)),
        head.replace("COMMAND", &("report_timing_summary ".to_string() + &"-a ".repeat(1 << 18))),
        timing.clone() + &"| Design Timing Summary\n| ---------------------\n-----\n".repeat(20_000),
        timing.clone() + &"From Clock:  a\n".repeat(200_000),
        timing + &"99999999999999999999 ".repeat(100_000),
        "\u{1b}[31m\u{7}\0".repeat(100_000),
        "Design Route Status".into(),
        "Copyright".into(),
        "|".into(),
        "+".into(),
    ];
    for (n, case) in cases.iter().enumerate() {
        let began = std::time::Instant::now();
        for report in parse("x.rpt", case).into_iter().flatten() {
            assert!(matches!(report, Parsed::Other(_)), "case {n}");
        }
        assert!(began.elapsed().as_secs() < 20, "case {n} took {:?}", began.elapsed());
    }
    // Names are shown as they are, and nothing of them is believed.
    let odd = text(MET).replace("| Design       : mask_unit", "| Design       : <script>alert(1)</script> \u{202e}");
    assert!(reports(&odd)[0].header.design.starts_with("<script>"));
}

#[test]
fn what_contradicts_itself_is_not_met() {
    let whole = text(MET);
    let table = whole.lines().find(|l| l.starts_with("clk          0.184")).unwrap();
    for (from, to) in [("0.184", "0.104"), ("0.033", "0.003"), ("1.468", "0.468")] {
        let changed = whole.replacen(table, &table.replacen(from, to, 1), 1);
        let report = reports(&changed).remove(0);
        let Met::Unknown(why) = &report.timing().unwrap().met else { panic!("{to}") };
        assert!(why.len() == 1 && why[0].contains(&format!("and {to} in one of the tables below it")), "{why:?}");
    }
    let twice = whole.replacen(
        "All user specified timing constraints are met.",
        "All user specified timing constraints are met.\nTiming constraints are not met.",
        1,
    );
    assert!(!is_met(&reports(&twice)[0]));
    let clocks = whole.replace("1. checking no_clock\n", "1. checking no_clock (3)\n");
    assert!(!reports(&clocks).iter().any(is_met));
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/README.md").is_file());
}
