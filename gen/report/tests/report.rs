//! Budgets, growth and what a report is written as.

mod common;

use common::{YOSYS, block, judged, report};
use rdma_rtl_report::budget::{Budget, Outcome, forgive_clocks, written};
use rdma_rtl_report::vivado::{Met, read_folder};
use rdma_rtl_report::{Error, Report, baseline, render};
use std::path::Path;

const BLOCKS: [&str; 3] = ["receive_registry", "frame_parser", "skid_buffer"];

fn budget(text: &str) -> Result<Budget, String> {
    let head = format!("profile = \"default\"\nyosys = \"{YOSYS}\"\nnextpnr = \"nextpnr-ecp5 0.8\"\n");
    Budget::parse("b.toml", &(head + text), &BLOCKS).map_err(|e| match e {
        Error::Call(text) => text,
        Error::Tool(text) | Error::Crash(text) => panic!("a budget that is wrong is a wrong call: {text}"),
    })
}

fn outcomes(text: &str, report: &Report) -> Vec<(String, Outcome)> {
    budget(text).unwrap().judge(report).checks.into_iter().map(|c| (format!("{}.{}.{}", c.flow, c.block, c.key), c.outcome)).collect()
}

fn vivado() -> Report {
    let files = read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")).unwrap();
    Report { vivado: files.reports, ..Report::new("default") }
}

#[test]
fn figures_over_a_limit_fail_and_no_others() {
    let text = "[xcup.receive_registry]\nlut = 9543\nff = 9381\nlevels = 5\n[xc7.skid_buffer]\nlut = 107\n[ecp5.frame_parser]\nleast_mhz = 184.3\n[ecp5.skid_buffer]\nleast_mhz = 184.2\n";
    let found = outcomes(text, &report());
    let failed: Vec<_> = found.iter().filter(|(_, o)| *o == Outcome::Over).map(|(n, _)| n.as_str()).collect();
    assert_eq!(failed, ["xcup.receive_registry.ff", "xcup.receive_registry.levels", "xc7.skid_buffer.lut", "ecp5.frame_parser.least_mhz"]);
    assert_eq!(found.len(), 6);
    let judged = budget(text).unwrap().judge(&report());
    assert_eq!(
        judged.without,
        ["receive_registry on xc7", "receive_registry on ecp5", "frame_parser on xcup", "frame_parser on xc7", "skid_buffer on xcup"]
    );
    let with = self::judged(Report { budget: Some(judged), ..report() });
    assert_eq!(with.verdict.failures()[0], "receive_registry on xcup: ff is 9382, the budget is at most 9381");
    assert_eq!(with.verdict.failures()[3], "frame_parser on ecp5: least_mhz is 184.2, the budget is at least 184.3");
    // A block that was not measured is no failure of this run.
    let mut small = report();
    small.blocks.remove(0);
    assert!(!outcomes(text, &small).iter().any(|(n, _)| n.contains("receive_registry")));
}

#[test]
fn figures_of_another_release_are_not_judged_and_that_is_said() {
    let text = "[xcup.receive_registry]\nlut = 1\n[ecp5.frame_parser]\nleast_mhz = 1900\n";
    let mut other = report();
    other.tools[0].version = "Yosys 0.33".into();
    let judged = budget(text).unwrap().judge(&other);
    assert!(judged.checks.iter().all(|c| c.outcome == Outcome::NotJudged && !c.failed()));
    assert_eq!(judged.not_judged, [format!("2 limits are not judged: they are of {YOSYS}, this is Yosys 0.33")]);
    let mut older = report();
    older.blocks[0].families.values_mut().for_each(|m| m.abc9 = false);
    let judged = budget(text).unwrap().judge(&older);
    assert_eq!((judged.checks[0].outcome, judged.checks[1].outcome), (Outcome::NotJudged, Outcome::Over));
    let page = self::judged(Report { budget: Some(judged), ..older });
    assert!(render::text(&page).contains("not judged: this Yosys cannot run -abc9"));
    assert!(render::html(&page).contains("cannot run -abc9"));
    assert!(render::junit(&page, &[]).unwrap().contains("<skipped message=\"not judged: receive_registry on xcup"));
}

#[test]
fn a_budget_that_is_wrong_is_refused_with_its_line_and_key() {
    for (text, parts) in [
        ("[xcup.receive_registry]\nlut = 5\nluts = 5\n", &["b.toml:6:", "`xcup.receive_registry.luts`", "lutram_lut"][..]),
        ("[xcup.fifo]\nlut = 5\n", &["b.toml:4:", "no block `fifo`"]),
        ("[spartan.receive_registry]\nlut = 5\n", &["b.toml:4:", "unknown key `spartan`", "xcup"]),
        ("[xcup.receive_registry]\nlut = -5\n", &["b.toml:5:", "`xcup.receive_registry.lut`", "-5", "whole number"]),
        ("[xcup.receive_registry]\nlut = 5.5\n", &["b.toml:5:", "5.5", "whole number"]),
        ("[xcup.receive_registry]\nlut = \"5\"\n", &["b.toml:5:", "string", "a number is needed"]),
        ("[xcup.receive_registry]\nlut = 5000000000\n", &["b.toml:5:", "100000000"]),
        ("[xcup.receive_registry]\nlut = nan\n", &["b.toml:5:", "NaN"]),
        ("[xcup.receive_registry]\nlevels = 1001\n", &["b.toml:5:", "0 to 1000"]),
        ("[ecp5.receive_registry]\nleast_mhz = 0\n", &["b.toml:5:", "more than 0"]),
        ("[vivado.x]\nbram_tile = 29.3\n", &["b.toml:5:", "multiple of 0.5"]),
        ("[vivado.x]\nleast_wns_ns = inf\n", &["b.toml:5:", "-1000 to 1000"]),
        ("[xcup.receive_registry]\n", &["b.toml:4:", "has no limit"]),
        ("[xcup]\nlut = 5\n", &["b.toml:5:", "no block `lut`"]),
        ("xcup = 5\n", &["b.toml:4:", "`xcup` is a table"]),
        ("lut = 5\n", &["b.toml:4:", "unknown key `lut`"]),
        ("[xcup.receive_registry]\nlut = \n", &["b.toml:5:"]),
        ("[xcup.receive_registry]\nlut = 5\nlut = 6\n", &["b.toml:6:"]),
        ("", &["there is no limit in it"]),
    ] {
        let error = budget(text).expect_err(text);
        parts.iter().for_each(|p| assert!(error.contains(p), "{text}: `{p}` is not in: {error}"));
    }
    let parse = |text: &str| Budget::parse("b.toml", text, &BLOCKS).unwrap_err().to_string();
    assert!(parse("[xcup.skid_buffer]\nlut = 5\n").contains("`profile` is missing"));
    assert!(parse("profile = \"x\"\n[xcup.skid_buffer]\nlut = 5\n").contains("`yosys` is missing"));
    assert!(parse("profile = \"x\"\n[ecp5.skid_buffer]\nlut = 5\n").contains("`nextpnr` is missing"));
    assert!(parse("profile = 3\n").contains("b.toml:1: `profile` needs a text"));
    assert!(matches!(Budget::read(Path::new("no/such.toml"), &BLOCKS), Err(Error::Call(t)) if t.contains("no/such.toml")));
}

#[test]
fn a_written_budget_holds_what_it_was_written_from_and_not_one_level_more() {
    let text = written(&report(), 5.0);
    let own = Budget::parse("own.toml", &text, &BLOCKS).unwrap();
    let judged = own.judge(&report());
    assert!(judged.checks.len() > 40 && judged.checks.iter().all(|c| c.outcome == Outcome::Within), "{:?}", judged.checks);
    assert!(judged.without.is_empty());
    let mut grown = report();
    grown.blocks[2] = block("skid_buffer", 72, 130, 2);
    let failed: Vec<_> = own.judge(&grown).checks.into_iter().filter(|c| c.failed()).map(|c| format!("{}.{}", c.flow, c.key)).collect();
    assert_eq!(failed, ["xcup.lut", "xcup.levels", "xc7.levels", "ecp5.lut"], "71 LUT and 1 level were allowed");
}

#[test]
fn limits_on_vivados_reports() {
    let report = vivado();
    let text = "[vivado.receive_endpoint]\nlut = 5120\nbram_tile = 29.0\nuram = 3\nleast_wns_ns = 0.0\nleast_whs_ns = 0.0\n\
                [vivado.receive_registry]\nlut = 7000\nff = 8999\n[vivado.mask_unit]\nuram = 0\nleast_wns_ns = 0.1\n[vivado.nothing]\nlut = 5\n";
    let found = outcomes(text, &report);
    let of = |name: &str| found.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("{name}")).1;
    assert_eq!(of("vivado.receive_endpoint.lut"), Outcome::Within);
    assert_eq!(of("vivado.receive_endpoint.bram_tile"), Outcome::Over, "29.5");
    // One of its timing reports has `inf`: the worst slack is not known.
    assert_eq!(of("vivado.receive_endpoint.least_wns_ns"), Outcome::Missing);
    assert_eq!(of("vivado.receive_registry.lut"), Outcome::Within, "a module in a hierarchical report");
    assert_eq!(of("vivado.receive_registry.ff"), Outcome::Over);
    assert_eq!(of("vivado.mask_unit.uram"), Outcome::Missing, "a 7 series part has none");
    assert_eq!(of("vivado.mask_unit.least_wns_ns"), Outcome::Within);
    assert_eq!(of("vivado.nothing.lut"), Outcome::Missing);
    assert!(outcomes(text, &Report::new("default")).is_empty(), "without --vivado nothing of it is judged");
    // Timing that is not met fails without any budget.
    let report = judged(report);
    let failures = report.verdict.failures();
    assert_eq!(failures.len(), 5, "{failures:?}");
    assert!(failures.iter().any(|f| f.contains("WNS -0.412")) && failures.iter().any(|f| f.contains("WNS is inf")), "{failures:?}");
}

#[test]
fn registers_without_a_clock_are_forgiven_up_to_a_number() {
    for (most, met) in [(6, false), (7, true), (1024, true)] {
        let mut report = vivado();
        forgive_clocks(
            &mut report,
            &budget(&format!("[vivado.receive_registry]\nno_clock = {most}\n[vivado.receive_endpoint]\nno_clock = 5000\n")).unwrap(),
        );
        let of = |name: &str| report.vivado.iter().find(|v| v.file == name).unwrap().timing().unwrap().met == Met::Met;
        assert_eq!(of("timing_2025.2_no_clock_pins.rpt"), met, "{most}");
        assert!(!of("timing_2021.2_unconstrained_inf.rpt"), "only that reason is forgiven");
    }
}

#[test]
fn growth_shows_what_changed_the_worst_first() {
    let mut now = report();
    now.blocks[1] = block("frame_parser", 4712, 7776, 5);
    now.blocks[2] = block("skid_buffer", 60, 130, 2);
    now.blocks.push(block("mask_unit", 77, 32, 4));
    now.blocks[0].ecp5 = None;
    now.tools[0].version = "Yosys 0.33".into();
    let growth = baseline::growth("main.json", &report(), &now, None);
    let first = &growth.changes[0];
    assert_eq!(
        (first.block.as_str(), first.key.as_str(), first.before, first.now, first.percent()),
        ("skid_buffer", "levels", 1.0, 2.0, Some(100.0))
    );
    let better = growth.changes.iter().position(|c| !c.is_worse()).unwrap();
    assert!(growth.changes[better..].iter().all(|c| !c.is_worse()));
    assert!(growth.changes.iter().any(|c| c.block == "frame_parser" && c.key == "lut" && c.difference() == 429.0));
    assert_eq!(growth.only_now, ["mask_unit on xcup", "mask_unit on xc7", "mask_unit on xcup by module", "mask_unit on ecp5"]);
    assert_eq!(growth.only_before, ["receive_registry on ecp5"]);
    assert!(growth.tools[0].contains("Yosys 0.33"));
    let page = Report { baseline: Some(growth), ..now };
    assert!(render::text(&page).contains("+429 (+10.0 %)"), "{}", render::text(&page));
    assert!(render::html(&page).contains("+429 (+10.0 %)"));
    assert!(baseline::growth("main.json", &report(), &report(), None).changes.is_empty());
}

#[test]
fn a_baseline_is_the_json_of_the_same_profile_and_schema() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.json");
    let mut whole = report();
    whole.vivado = vivado().vivado;
    let text = render::json(&whole);
    let read = |text: &str, profile: &str| {
        std::fs::write(&path, text).unwrap();
        baseline::read(&path, profile)
    };
    let back = read(&text, "default").unwrap();
    assert_eq!(render::json(&back), text, "nothing is lost");
    assert_eq!(back.vivado, whole.vivado);
    for (text, profile, part) in [
        (text.clone(), "large", "is of profile `default`, this report is of `large`"),
        (text.replace("rdma-rtl-report/1", "rdma-rtl-report/2"), "default", "schema `rdma-rtl-report/2`"),
        (text.replacen("\"schema\"", "\"scheme\"", 1), "default", "has no `schema`"),
        (text[..text.len() / 2].to_string(), "default", "no JSON"),
        (String::new(), "default", "no JSON"),
        ("[]".into(), "default", "no JSON"),
        (text.replacen("\"lut\": 9543", "\"lut\": \"many\"", 1), "default", "not as `rdma-rtl report --json` writes it"),
    ] {
        let error = read(&text, profile).unwrap_err();
        assert!(matches!(&error, Error::Call(t) if t.contains(part) && t.contains("base.json")), "{part}: {error}");
    }
    assert!(baseline::read(&folder.path().join("none.json"), "default").unwrap_err().to_string().contains("cannot be read"));
}

#[test]
fn junit_counts_what_it_says_and_names_its_attachments() {
    let judged = budget("[xcup.receive_registry]\nlut = 1\nff = 9999\n").unwrap().judge(&report());
    let text = render::junit(
        &self::judged(Report { budget: Some(judged), vivado: vivado().vivado, ..report() }),
        &["/out/report.html".into(), "/out/<a>&b.vcd".into()],
    )
    .unwrap();
    let read = quick_junit::Report::deserialize_from_str(&text).unwrap();
    assert_eq!((read.name.as_deref(), read.tests, read.failures, read.errors, read.skipped), (Some("rdma-rtl report"), 23, 6, 0, 0));
    assert_eq!(text.matches("<testcase ").count(), 23);
    assert_eq!(text.matches("<failure ").count(), 6);
    let cases = || read.test_suites.iter().flat_map(|suite| &suite.test_cases);
    assert_eq!(cases().filter(|case| case.system_out.is_some()).count(), cases().filter(|case| case.properties.len() == 2).count());
    assert!(read.test_suites.iter().all(|suite| suite.test_cases.iter().any(|case| case.system_out.is_some())));
    assert!(
        text.contains("<property name=\"attachment\" value=\"/out/report.html\"/>")
            && text.contains("[[ATTACHMENT|/out/&lt;a&gt;&amp;b.vcd]]")
    );
    assert!(text.contains("<failure message=\"receive_registry on xcup: lut is 9543, the budget is at most 1\""));
}

#[test]
fn the_page_needs_nothing_but_itself_and_believes_no_name() {
    let mut hostile = report();
    hostile.blocks[0].block = "<script>alert(1)</script>\"'&".into();
    hostile.profile = "</title><img src=x onerror=alert(1)>".into();
    hostile.vivado = vivado().vivado;
    hostile.vivado[0].header.design = "<b>".into();
    let page = render::html(&hostile);
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("<b>"));
    let page = render::html(&Report { vivado: vivado().vivado, ..report() });
    for address in ["http:", "https:", "src=", "url(", "@import", "<link", "<iframe"] {
        assert!(!page.contains(address), "{address} loads something");
    }
    assert!(page.contains("No frequency of an UltraScale+ or 7 series part is known without Vivado"));
    let empty = render::html(&Report::new("default"));
    assert!(empty.contains("NO BUDGET") && empty.ends_with("</html>"));
}

#[test]
fn tools_stay_apart() {
    let text = render::text(&Report { vivado: vivado().vivado, ..report() });
    let heads: Vec<&str> =
        text.lines().filter(|l| l.starts_with("Yosys, ") || l.starts_with("nextpnr, ") || l.starts_with("Vivado, ")).collect();
    assert_eq!(heads.len(), 5, "{heads:?}");
    assert!(heads[0].contains("no frequency") && heads[2].contains("sums over modules") && heads[3].contains("ECP5"));
    assert!(text.contains("NOT KNOWN TO BE MET") && text.contains("5,120*"));
    assert!(text.contains("table.row.q[3] -> lookup.compare.hit.q[17] -> commit_logic.v:77"), "{text}");
}
