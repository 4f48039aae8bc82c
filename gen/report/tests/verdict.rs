//! One verdict: exit code, text, JSON, JUnit and page say the same, whatever happened.

mod common;

use common::vivado::{fixtures, text};
use common::{YOSYS, block, report};
use rdma_rtl_report::budget::Budget;
use rdma_rtl_report::cost::Stale;
use rdma_rtl_report::verdict::{Ends, Terms, Verdict};
use rdma_rtl_report::vivado::{Files, read_folder};
use rdma_rtl_report::{Report, baseline, render};

const BLOCKS: [&str; 3] = ["receive_registry", "frame_parser", "skid_buffer"];
const GIVEN: Terms = Terms { strict: false, budget_given: true, cost: None, tool: None };
const STRICT: Terms = Terms { strict: true, ..GIVEN };

fn budget(text: &str) -> Budget {
    Budget::parse("b.toml", &format!("profile = \"default\"\nyosys = \"{YOSYS}\"\nnextpnr = \"nextpnr-ecp5 0.8\"\n{text}"), &BLOCKS)
        .unwrap()
}

/// The report with a verdict, after every output was held against it.
fn ends(mut report: Report, terms: &Terms, code: u8, parts: &[&str]) -> Report {
    report.verdict = Verdict::of(&report, terms);
    let verdict = &report.verdict;
    let failures = verdict.failures().join("\n");
    assert_eq!(verdict.exit_code, code, "{failures}");
    parts.iter().for_each(|p| assert!(failures.contains(p), "`{p}` is not in: {failures}"));
    assert_eq!(code == 0, failures.is_empty());
    let (failed, errors, skipped) = (verdict.count(Ends::Failed), verdict.count(Ends::Error), verdict.count(Ends::NotJudged));
    assert_eq!((code == 3, code == 1), (errors > 0, errors == 0 && failed > 0));
    let junit = render::junit(&report, &[]).unwrap();
    let read = quick_junit::Report::deserialize_from_str(&junit).unwrap();
    assert_eq!([read.tests, read.failures, read.errors, read.skipped], [verdict.cases.len(), failed, errors, skipped], "{junit}");
    for (what, n) in [("<testcase ", verdict.cases.len()), ("<failure ", failed), ("<error ", errors), ("<skipped ", skipped)] {
        assert_eq!(junit.matches(what).count(), n, "{what}");
    }
    let json: serde_json::Value = serde_json::from_str(&render::json(&report)).unwrap();
    assert_eq!(json["verdict"]["exit_code"].as_u64(), Some(u64::from(code)));
    let of = |ends: &str| json["verdict"]["cases"].as_array().unwrap().iter().filter(|c| c["ends"] == ends).count();
    assert_eq!((of("failed"), of("error"), of("not_judged")), (failed, errors, skipped));
    let shown = render::text(&report);
    let last = shown.lines().find(|l| l.starts_with("Verdict: ")).unwrap();
    let word = match (code, verdict.judged()) {
        (3, _) => "a tool failed",
        (0, 0) => "nothing was judged",
        (0, _) => "pass, ",
        _ => "fail, ",
    };
    assert!(last.contains(word), "{last}");
    assert_eq!(shown.matches("\nFAIL  ").count(), failed + errors, "{shown}");
    let page = render::html(&report);
    let badge = match (code, skipped, verdict.kept()) {
        (3, ..) => "ERROR",
        (1.., ..) => "FAIL",
        (0, 1.., _) => "NOT JUDGED",
        (0, 0, 1..) => "PASS",
        _ => "NO BUDGET",
    };
    assert!(page.contains(&format!("<strong>{badge}</strong>")), "{badge}");
    report
}

fn under(text: &str, report: Report) -> Report {
    let judged = budget(text).judge(&report);
    Report { budget: Some(judged), ..report }
}

fn against(before: &Report, now: Report, most: Option<f64>) -> Report {
    let growth = baseline::growth("main.json", before, &now, most);
    Report { baseline: Some(growth), ..now }
}

fn with(files: Files) -> Report {
    Report { vivado: files.reports, vivado_left: files.others, vivado_refused: files.refused, ..Report::new("default") }
}

fn vivado(files: &[(&str, &str)]) -> Report {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    with(read_folder(folder.path()).unwrap())
}

fn one(lut: u64) -> Report {
    Report { blocks: vec![block("skid_buffer", lut, 130, 1)], ..report() }
}

#[test]
fn a_pass_a_failure_a_tool_that_fails_nothing_to_judge() {
    let all = "[xcup.receive_registry]\nlut = 9543\n[xcup.frame_parser]\nlut = 4283\n[xcup.skid_buffer]\nlut = 68\n";
    ends(under(all, report()), &STRICT, 0, &[]);
    ends(under(all, report()), &GIVEN, 0, &[]);
    ends(under(&all.replace("= 68", "= 67"), report()), &GIVEN, 1, &["skid_buffer on xcup: lut is 68, the budget is at most 67"]);
    ends(report(), &Terms::default(), 0, &[]);
    let missing = Terms { tool: Some("no Yosys: install one"), ..STRICT };
    let report = ends(under(all, Report::new("default")), &missing, 3, &["no Yosys: install one"]);
    assert_eq!(report.verdict.cases.len(), 1, "what was not measured is judged by nothing else");
    // A tool that is missing hides no verdict of Vivado, and none hides it.
    let violated = text("timing_2022.2_violated.rpt");
    let both = ends(vivado(&[("t.rpt", &violated)]), &missing, 3, &["no Yosys", "WNS -0.412"]);
    assert_eq!(both.verdict.count(Ends::Failed), 1);
}

#[test]
fn green_on_nothing_is_a_failure() {
    // A budget of another block, or of flows that were not measured.
    let other = "[xcup.receive_registry]\nlut = 20000\nff = 20000\n";
    let about = &["b.toml: none of its 2 limits is about what this report has"][..];
    ends(under(other, one(68)), &GIVEN, 1, about);
    ends(under(other, one(68)), &STRICT, 1, about);
    ends(under("[vivado.x]\nlut = 5\n", one(68)), &GIVEN, 1, &["b.toml: its limit is not about"]);
    // The one that is shipped is of all blocks; that it has none of this one fails who is strict.
    ends(under(other, one(68)), &Terms::default(), 0, &[]);
    ends(under(other, one(68)), &Terms { strict: true, ..Terms::default() }, 1, &["skid_buffer: b.toml has no limit for it"]);
    // One of two blocks has limits.
    let two = Report { blocks: vec![block("skid_buffer", 68, 130, 1), block("frame_parser", 10, 10, 1)], ..report() };
    ends(under("[xcup.skid_buffer]\nlut = 68\n", two.clone()), &GIVEN, 0, &[]);
    ends(under("[xcup.skid_buffer]\nlut = 68\n", two), &STRICT, 1, &["frame_parser: b.toml has no limit for it"]);
    // No budget at all, and nothing but utilization.
    ends(report(), &STRICT, 1, &["skid_buffer: there is no budget"]);
    let files = read_folder(&fixtures().join("utilization_2018.3_artix7_placed.rpt")).unwrap();
    ends(with(files.clone()), &Terms::default(), 0, &[]);
    ends(with(files), &STRICT, 1, &["nothing was judged"]);
    ends(vivado(&[("t.rpt", &text("timing_2018.3_artix7_met.rpt"))]), &STRICT, 0, &[]);
}

#[test]
fn what_cannot_be_judged_is_skipped_or_fails_who_is_strict() {
    let mut other = one(68);
    other.tools[0].version = "Yosys 0.33".into();
    let limits = "[xcup.skid_buffer]\nlut = 1\nff = 1\n";
    let report = ends(under(limits, other.clone()), &GIVEN, 0, &[]);
    assert_eq!(report.verdict.count(Ends::NotJudged), 2);
    ends(under(limits, other), &STRICT, 1, &["--strict: not judged: skid_buffer on xcup: lut is 68", "this is Yosys 0.33"]);
    let stale = Stale { rows: Vec::new(), not_judged: Some("the table is of Yosys 1".into()) };
    let of = |strict: bool| Terms { strict, cost: Some(&stale), ..Terms::default() };
    assert_eq!(ends(one(68), &of(false), 0, &[]).verdict.count(Ends::NotJudged), 1);
    ends(one(68), &of(true), 1, &["--strict: the table is of Yosys 1"]);
    let rows = Stale { rows: vec!["p.md: no row for `a`".into(), "p.md: the row of `b` is stale".into()], not_judged: None };
    ends(one(68), &Terms { cost: Some(&rows), ..Terms::default() }, 1, &["no row for `a`", "the row of `b` is stale"]);
    let fresh = Stale::default();
    assert_eq!(ends(one(68), &Terms { cost: Some(&fresh), ..Terms::default() }, 0, &[]).verdict.kept(), 1);
}

#[test]
fn growth_fails_where_a_limit_is_given() {
    let (before, twice) = (one(1000), one(2000));
    // Without a limit it is shown.
    let shown = ends(against(&before, twice.clone(), None), &Terms::default(), 0, &[]);
    assert!(render::text(&shown).contains("(+100.0 %)"));
    ends(
        against(&before, twice, Some(5.0)),
        &Terms::default(),
        1,
        &["skid_buffer on xcup: lut was 1000, is 2000 (+100.0 %), at most 5 % is allowed"],
    );
    for (lut, most, code) in [(1050, 5.0, 0), (1051, 5.0, 1), (1001, 0.0, 1), (1000, 0.0, 0), (900, 0.0, 0), (1999, 100.0, 0)] {
        // LUT RAM and carry cells are a share of the LUTs here.
        let of = |mut report: Report| {
            report.blocks[0].families.retain(|f, _| f.name() == "xcup");
            let figures = &mut report.blocks[0].families.values_mut().next().unwrap().figures;
            (figures.bram18, figures.bram36, figures.lutram_lut) = (0, 0, 0);
            (report.blocks[0].ecp5, report.blocks[0].by_module) = (None, None);
            report
        };
        ends(against(&of(before.clone()), of(one(lut)), Some(most)), &Terms::default(), code, &[]);
    }
    // From nothing to something is more than any percentage.
    let mut more = before.clone();
    more.blocks[0].families.values_mut().for_each(|m| m.figures.dsp = 1);
    ends(against(&before, more, Some(1000.0)), &Terms::default(), 1, &["dsp was 0, is 1 (from nothing)"]);
    // Less frequency is growth, more is none.
    let mhz = |mhz: f64| {
        let mut report = before.clone();
        report.blocks[0].ecp5.as_mut().unwrap().median_mhz = mhz;
        report
    };
    ends(against(&mhz(200.0), mhz(189.0), Some(5.0)), &Terms::default(), 1, &["median_mhz was 200, is 189 (-5.5 %)"]);
    ends(against(&mhz(200.0), mhz(400.0), Some(5.0)), &Terms::default(), 0, &[]);
    // Sums over modules, and Vivado's figures.
    let mut sum = before.clone();
    sum.blocks[0].by_module.as_mut().unwrap().total.ff = 900;
    ends(against(&before, sum, Some(5.0)), &Terms::default(), 1, &["skid_buffer on xcup by module: ff was 130, is 900"]);
    let flat = text("utilization_2018.3_artix7_placed.rpt");
    let grown = flat.replacen("|  812 |", "|  912 |", 1);
    let (then, now) = (vivado(&[("u.rpt", &flat)]), vivado(&[("u.rpt", &grown)]));
    ends(against(&then, now, Some(5.0)), &Terms::default(), 1, &["mask_unit (u.rpt) on vivado: lut was 812, is 912"]);
    // Slack is not a matter of percent: a budget has limits for it.
    let met = text("timing_2018.3_artix7_met.rpt");
    let less = met.replace("0.184", "0.104");
    let (then, now) = (vivado(&[("t.rpt", &met), ("u.rpt", &flat)]), vivado(&[("t.rpt", &less), ("u.rpt", &flat)]));
    ends(against(&then, now, Some(0.0)), &Terms::default(), 0, &[]);
}

#[test]
fn growth_that_was_not_judged() {
    let before = one(1000);
    // Nothing is in both.
    let other = Report { blocks: vec![block("frame_parser", 5, 5, 1)], ..report() };
    ends(against(&before, other, Some(5.0)), &Terms::default(), 1, &["baseline main.json: no figure is in it and in this report"]);
    // Another release of the tool, or its other mapper.
    let mut newer = one(9000);
    newer.tools[0].version = "Yosys 0.33".into();
    let report = ends(against(&before, newer.clone(), Some(5.0)), &Terms::default(), 0, &[]);
    assert!(report.verdict.count(Ends::NotJudged) > 9 && report.verdict.judged() == 0);
    ends(
        against(&before, newer, Some(5.0)),
        &Terms { strict: true, ..Terms::default() },
        1,
        &["it was of Yosys 0.23", "this is Yosys 0.33"],
    );
    let mut older = one(9000);
    older.blocks[0].families.values_mut().for_each(|m| m.abc9 = false);
    let report = ends(against(&before, older, Some(5.0)), &Terms::default(), 1, &["on ecp5"]);
    assert!(!report.verdict.failures().iter().any(|f| f.contains("on xcup:")), "{:?}", report.verdict.failures());
    let flat = text("utilization_2018.3_artix7_placed.rpt");
    let (then, now) =
        (vivado(&[("u.rpt", &flat)]), vivado(&[("u.rpt", &flat.replace("v.2018.3", "v.2024.2").replace("|  812 |", "|  912 |"))]));
    let report = ends(against(&then, now, Some(5.0)), &Terms::default(), 0, &[]);
    assert!(report.verdict.cases.iter().any(|c| c.why.as_ref().is_some_and(|w| w.contains("it was of Vivado 2018.3, this is 2024.2"))));
    // A block that the baseline does not know.
    let mut two = one(1000);
    two.blocks.push(block("frame_parser", 5, 5, 1));
    ends(against(&before, two.clone(), Some(5.0)), &Terms::default(), 0, &[]);
    ends(
        against(&before, two, Some(5.0)),
        &Terms { strict: true, ..Terms::default() },
        1,
        &["frame_parser on xcup is not in baseline main.json"],
    );
    for (text, value) in [("5%", Some(5.0)), ("5", Some(5.0)), ("0.5 %", Some(0.5)), ("0", Some(0.0)), ("1000%", Some(1000.0))] {
        assert_eq!(baseline::percent(text).ok(), value, "{text}");
    }
    for text in ["", "%", "-5%", "5%%", "nan", "inf", "1e3", "1001", "x", ".", "5 percent"] {
        assert!(baseline::percent(text).unwrap_err().contains("`5%`"), "{text}");
    }
}

#[test]
fn files_of_vivado_in_the_verdict() {
    let (met, violated) = (text("timing_2018.3_artix7_met.rpt"), text("timing_2022.2_violated.rpt"));
    let strict = Terms { strict: true, ..Terms::default() };
    ends(vivado(&[("a.rpt", &met)]), &strict, 0, &[]);
    // One file that cannot be read fails, and takes nothing with it.
    let report = ends(vivado(&[("a.rpt", &met), ("b.rpt", &met[..met.len() / 2])]), &Terms::default(), 1, &["b.rpt:", "cut short"]);
    assert_eq!((report.vivado.len(), report.verdict.kept()), (1, 1));
    assert!(render::text(&report).contains("REFUSED  b.rpt:") && render::html(&report).contains("Not read:"));
    // The second of two in one file.
    let report = ends(vivado(&[("a.rpt", &(met.clone() + &violated))]), &Terms::default(), 1, &["a.rpt (report 2)", "WNS -0.412"]);
    assert_eq!(report.vivado.len(), 2);
    let failed = ends(vivado(&[("a.rpt", &(met.clone() + &violated[..violated.len() / 2]))]), &Terms::default(), 1, &["a.rpt:"]);
    assert!(failed.vivado.is_empty(), "nothing of a file that is damaged is believed");
}

#[test]
fn figures_of_a_part_are_not_judged_as_the_designs() {
    let put = |name: &str, from: &str, to: &str| text(name).replacen(from, to, 1);
    let flat =
        put("utilization_2018.3_artix7_placed.rpt", "report_utilization -file", "report_utilization -cells [get_cells u_fifo] -file");
    let hier = put("hierarchical_2018.3_artix7.rpt", "report_utilization -hierarchical", "report_utilization -cells u -hierarchical");
    let limit = "[vivado.mask_unit]\nlut = 900\n";
    for (what, part, whole) in
        [("flat", &flat, text("utilization_2018.3_artix7_placed.rpt")), ("by hierarchy", &hier, text("hierarchical_2018.3_artix7.rpt"))]
    {
        ends(under(limit, vivado(&[("u.rpt", &whole)])), &GIVEN, 0, &[]);
        let report = ends(under(limit, vivado(&[("u.rpt", part)])), &GIVEN, 1, &["mask_unit on vivado: lut is not in the reports"]);
        assert!(render::text(&report).contains(&report.vivado[0].subject()), "{what}");
    }
    // Beside the whole design the part changes nothing.
    let small = flat.replacen("|  812 |", "|  912 |", 1);
    ends(under(limit, vivado(&[("u.rpt", &text("utilization_2018.3_artix7_placed.rpt")), ("p.rpt", &small)])), &GIVEN, 0, &[]);
    // Timing of a part says nothing of the design, unless it is violated.
    let met = put("timing_2018.3_artix7_met.rpt", "report_timing_summary -max", "report_timing_summary -cells u -max");
    ends(
        vivado(&[("p.rpt", &met)]),
        &Terms::default(),
        1,
        &["timing of a part of mask_unit alone, -cells u; no report says it of the design"],
    );
    let whole = text("timing_2018.3_artix7_met.rpt");
    let report = ends(vivado(&[("p.rpt", &met), ("t.rpt", &whole)]), &Terms::default(), 0, &[]);
    assert_eq!((report.verdict.count(Ends::NotJudged), report.verdict.kept()), (1, 1));
    assert!(render::text(&report).contains("met in this part; the design is not judged by it"));
    let violated = put("timing_2022.2_violated.rpt", "report_timing_summary -max", "report_timing_summary -cells u -max");
    ends(vivado(&[("p.rpt", &violated)]), &Terms::default(), 1, &["receive_endpoint (-cells u) is violated"]);
    ends(under("[vivado.mask_unit]\nleast_wns_ns = 0.1\n", vivado(&[("p.rpt", &met)])), &GIVEN, 1, &["least_wns_ns is not in the reports"]);
    // A limit on what only a file holds that cannot be read is over too.
    ends(under(limit, vivado(&[("u.rpt", "rubbish")])), &GIVEN, 1, &["lut is not in the reports", "u.rpt:1:"]);
}

#[test]
fn junit_holds_whatever_a_message_has_in_it() {
    let why = "a < b && c > \"d\"\nnext \u{1b}[31m\u{0}\u{ffff} line";
    let report = ends(Report::new("<p>&"), &Terms { tool: Some(why), ..Terms::default() }, 3, &["next"]);
    let junit = render::junit(&report, &["<a>&.html".into()]).unwrap();
    let read = quick_junit::Report::deserialize_from_str(&junit).unwrap();
    let quick_junit::TestCaseStatus::NonSuccess { message, description, .. } = &read.test_suites[0].test_cases[0].status else {
        panic!("{junit}");
    };
    assert_eq!(message.as_deref(), Some("a < b && c > \"d\""));
    assert_eq!(description.as_deref(), Some("a < b && c > \"d\"\nnext  line"));
    assert!(
        junit.contains("<property name=\"profile\" value=\"&lt;p&gt;&amp;\"/>") && junit.contains("[[ATTACHMENT|&lt;a&gt;&amp;.html]]")
    );
}
