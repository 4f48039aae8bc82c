//! `report` as a user calls it: what it writes, what fails, and what is wrong with a call.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FIXTURES: &str = "gen/report/tests/fixtures";
const ONE: [&str; 5] = ["report", "--block", "skid_buffer", "--flow", "xcup"];

fn rtl(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rdma-rtl"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args);
    command
}

fn ends(output: &Output, code: i32, parts: &[&str]) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{text}");
    parts.iter().for_each(|p| assert!(text.contains(p), "`{p}` is not in: {text}"));
    assert!(!text.contains("internal error"), "{text}");
}

fn refused(more: &[&str], code: i32, parts: &[&str]) {
    ends(&rtl(&[&["report"], more].concat()).output().unwrap(), code, parts);
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    std::fs::write(folder.join(name), text).unwrap();
    folder.join(name).to_str().unwrap().to_string()
}

#[test]
fn wrong_calls_exit_2() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().to_str().unwrap();
    refused(&[], 2, &["--block"]);
    refused(&["--block", "nothing"], 2, &["unknown block `nothing`"]);
    refused(&["--block", "skid_buffer,skid_buffer"], 2, &["`skid_buffer` is given twice"]);
    refused(&["--block", "skid_buffer", "--profile", "tiny"], 2, &["no profile `tiny`"]);
    refused(&["--block", "skid_buffer", "--flow", "xc9"], 2, &["xc9", "xcup"]);
    refused(&["--block", "skid_buffer", "--seeds", "1,2"], 2, &["--ecp5"]);
    refused(&["--block", "skid_buffer", "--ecp5", "--seeds", "1,x"], 2, &["--seeds", "x"]);
    refused(&["--block", "skid_buffer", "--ecp5", "--seeds", "3,3"], 2, &["--seeds", "twice"]);
    refused(&["--block", "skid_buffer", "--ecp5", "--seeds", "-1"], 2, &["-1"]);
    refused(&["--vivado", "no/such/folder"], 2, &["no/such/folder", "cannot be read"]);
    refused(&["--vivado", empty], 2, &["no *.rpt file", "report_timing_summary -file"]);
    refused(&["--block", "skid_buffer", "--budget", "no/such.toml"], 2, &["cannot read budget no/such.toml"]);
    let budget = |text: &str| write(folder.path(), "b.toml", text);
    refused(
        &["--block", "skid_buffer", "--budget", &budget("profile = \"default\"\nyosys = \"x\"\n[xcup.skid_buffer]\nluts = 3\n")],
        2,
        &["b.toml:4:", "xcup.skid_buffer.luts"],
    );
    refused(
        &["--block", "skid_buffer", "--budget", &budget("profile = \"large\"\nyosys = \"x\"\n[xcup.skid_buffer]\nlut = 3\n")],
        2,
        &["`large`", "`default`"],
    );
    refused(&["--block", "skid_buffer", "--baseline", "no/such.json"], 2, &["no/such.json"]);
    refused(&["--block", "skid_buffer", "--fail-on-growth", "5%"], 2, &["--baseline"]);
    for percent in ["-5%", "x", "5%%", "nan", ""] {
        refused(
            &["--block", "skid_buffer", "--baseline", "x.json", &format!("--fail-on-growth={percent}")],
            2,
            &["--fail-on-growth", "`5%`"],
        );
    }
    let baseline = |text: &str| write(folder.path(), "main.json", text);
    refused(&["--block", "skid_buffer", "--baseline", &baseline("{\"schema\": \"rdma-rtl-report/9\"}")], 2, &["rdma-rtl-report/9"]);
    let other = "{\"schema\": \"rdma-rtl-report/1\", \"profile\": \"large\", \"tools\": [], \"blocks\": []}";
    refused(&["--block", "skid_buffer", "--baseline", &baseline(other)], 2, &["is of profile `large`"]);
}

#[test]
fn figures_budget_growth_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (json, html, junit, own) = (at("r.json"), at("r.html"), at("r.xml"), at("own.toml"));
    let output = rtl(&ONE).args(["--json", &json, "--html", &html, "--write-budget", &own]).output().unwrap();
    ends(&output, 0, &[]);
    assert!(output.stderr.is_empty(), "silent where nobody waits: {}", String::from_utf8_lossy(&output.stderr));
    let value: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let figures = &value["blocks"][0]["families"]["xcup"];
    assert_eq!((value["schema"].as_str(), figures["figures"]["ff"].as_u64()), (Some("rdma-rtl-report/1"), Some(130)));
    assert_eq!(figures["depth"]["lut_levels"], 1);
    assert!(std::fs::read_to_string(&html).unwrap().contains("skid_buffer"));
    // Its own budget holds, one LUT less does not, and the same with another Yosys is not judged.
    let strict = |budget: &str| rtl(&ONE).args(["--budget", budget, "--strict", "--junit", &junit, "--html", &html]).output().unwrap();
    ends(&strict(&own), 0, &[]);
    let text = std::fs::read_to_string(&own).unwrap();
    let lut = figures["figures"]["lut"].as_u64().unwrap();
    let limit = text.lines().find(|l| l.starts_with("lut = ")).unwrap();
    let tight = write(folder.path(), "tight.toml", &text.replace(limit, &format!("lut = {}", lut - 1)));
    let output = strict(&tight);
    ends(&output, 1, &["1 of the report's checks", &format!("skid_buffer on xcup: lut is {lut}, the budget is at most {}", lut - 1)]);
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert!(xml.contains("failures=\"1\"") && xml.contains("name=\"attachment\"") && xml.contains("r.html"), "{xml}");
    let yosys = text.lines().find(|l| l.starts_with("yosys = ")).unwrap();
    let other = write(folder.path(), "other.toml", &text.replace(yosys, "yosys = \"Yosys 9.99\"").replace(limit, "lut = 1"));
    ends(&strict(&other), 1, &["--strict", "not judged", "Yosys 9.99"]);
    ends(&rtl(&ONE).args(["--budget", &other]).output().unwrap(), 0, &["not judged", "Yosys 9.99"]);
    // Against itself nothing changed; against fewer LUTs it grew.
    let base = std::fs::read_to_string(&json).unwrap().replacen(&format!("\"lut\": {lut}"), &format!("\"lut\": {}", lut - 16), 1);
    let base = write(folder.path(), "main.json", &base);
    let output = rtl(&ONE).args(["--baseline", &base]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("1 differ") && text.contains("+16 (+") && text.contains("Verdict: "), "{text}");
    let growth = |most: &str| rtl(&ONE).args(["--baseline", &base, "--fail-on-growth", most, "--junit", &junit]).output().unwrap();
    ends(&growth("5%"), 1, &["1 of the report's checks", "skid_buffer on xcup: lut was", "at most 5 % is allowed"]);
    assert!(std::fs::read_to_string(&junit).unwrap().contains("failures=\"1\" errors=\"0\""));
    ends(&growth("900"), 0, &[]);
    // A budget of another block judges nothing, and who is strict wants a limit for each block.
    let foreign =
        write(folder.path(), "foreign.toml", &std::fs::read_to_string(&own).unwrap().replace("[xcup.skid_buffer]", "[xcup.fifo_lut]"));
    ends(&strict(&foreign), 1, &["limits is about what this report has", "skid_buffer: "]);
    ends(&rtl(&ONE).args(["--budget", &foreign]).output().unwrap(), 1, &["nothing was judged"]);
}

#[test]
fn vivados_verdict_is_the_exit_code() {
    let with = |file: &str| rtl(&["report", "--vivado", &format!("{FIXTURES}/{file}")]).output().unwrap();
    ends(&with("timing_2018.3_artix7_met.rpt"), 0, &[]);
    ends(&with("utilization_2024.2_u55c_three_slr.rpt"), 0, &[]);
    ends(&with("timing_2022.2_violated.rpt"), 1, &["violated", "WNS -0.412"]);
    ends(&with("timing_2021.2_unconstrained_inf.rpt"), 1, &["cannot be called met", "WNS is inf"]);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let fixture = |name: &str| std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(FIXTURES).join(name)).unwrap();
    let whole = fixture("timing_2018.3_artix7_met.rpt");
    let reports = at("reports");
    std::fs::create_dir_all(folder.path().join("reports/.Xil")).unwrap();
    let file = |name: &str, text: &str| drop(write(&folder.path().join("reports"), name, text));
    file(".Xil/dupFiles.rpt", "");
    file("cut.rpt", &whole[..whole.len() / 2]);
    refused(&["--vivado", &reports], 1, &["cut.rpt:", "cut short"]);
    file("cut.rpt", "Quartus\n");
    refused(&["--vivado", &reports], 1, &["cut.rpt:1:", "no report of Vivado"]);
    // The others are read, and every output is written.
    file("met.rpt", &whole);
    file("power.rpt", &whole.replace("report_timing_summary", "report_power"));
    let (json, junit, html) = (at("r.json"), at("r.xml"), at("r.html"));
    let run = || rtl(&["report", "--vivado", &reports, "--json", &json, "--junit", &junit, "--html", &html]).output().unwrap();
    let value = || serde_json::from_str::<serde_json::Value>(&std::fs::read_to_string(&json).unwrap()).unwrap();
    let output = run();
    ends(&output, 1, &["1 of the report's checks", "cut.rpt:1:", "power.rpt: a report of report_power is not read"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("met.rpt  mask_unit") && text.contains("REFUSED  cut.rpt:1:") && text.contains("Verdict: fail, 1 of 2 checks"),
        "{text}"
    );
    let read = value();
    assert_eq!((read["vivado"][0]["file"].as_str(), read["vivado_refused"][0]["file"].as_str()), (Some("met.rpt"), Some("cut.rpt")));
    assert_eq!((read["vivado_left"][0]["command"].as_str(), read["verdict"]["exit_code"].as_u64()), (Some("report_power"), Some(1)));
    assert!(std::fs::read_to_string(&junit).unwrap().contains("tests=\"2\" skipped=\"0\" failures=\"1\""));
    std::fs::remove_file(folder.path().join("reports/cut.rpt")).unwrap();
    ends(&run(), 0, &["power.rpt"]);
    assert_eq!(value()["verdict"]["exit_code"], 0);
    // A second report in the file, which is not met.
    file("met.rpt", &(whole.clone() + &fixture("timing_2022.2_violated.rpt")));
    ends(&run(), 1, &["met.rpt (report 2)", "WNS -0.412"]);
    assert_eq!((value()["vivado"].as_array().unwrap().len(), value()["verdict"]["exit_code"].as_u64()), (2, Some(1)));
    // Figures of a cell are not the design's.
    let part =
        fixture("utilization_2018.3_artix7_placed.rpt").replace("report_utilization -file", "report_utilization -cells u_fifo -file");
    let (part, budget) =
        (write(folder.path(), "part.rpt", &part), write(folder.path(), "b.toml", "profile = \"default\"\n[vivado.mask_unit]\nlut = 900\n"));
    refused(&["--vivado", &part, "--budget", &budget], 1, &["mask_unit on vivado: lut is not in the reports"]);
    refused(&["--vivado", &format!("{FIXTURES}/utilization_2018.3_artix7_placed.rpt"), "--budget", &budget], 0, &[]);
}

#[test]
fn a_yosys_that_is_missing_or_fails_or_stops_in_the_middle() {
    let folder = tempfile::tempdir().unwrap();
    let run = |yosys: &str| rtl(&ONE).args(["--no-cache"]).env("RDMA_RTL_YOSYS", yosys).output().unwrap();
    ends(&run("/no/such/yosys"), 3, &["/no/such/yosys", "scripts/tools.sh report"]);
    ends(&run("/bin/false"), 3, &["/bin/false"]);
    let program = |text: &str| {
        let path = write(folder.path(), "yosys", &format!("#!/bin/sh\n[ \"$1\" = -V ] && echo 'Yosys 9.99 (x)' && exit\n{text}\n"));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    ends(&run(&program("echo 'ERROR: out of ideas'; exit 1")), 3, &["skid_buffer", "out of ideas"]);
    ends(&run(&program("exit 0")), 3, &["ended in the middle with exit code 0"]);
    // Every output says that a tool failed.
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (json, junit, budget) = (at("r.json"), at("r.xml"), at("own.toml"));
    let outputs = ["--json", &json, "--junit", &junit, "--write-budget", &budget];
    let output = rtl(&ONE).args(["--no-cache"]).args(outputs).env("RDMA_RTL_YOSYS", "/no/such/yosys").output().unwrap();
    ends(&output, 3, &["/no/such/yosys"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("Verdict: a tool failed"));
    assert!(std::fs::read_to_string(&junit).unwrap().contains("failures=\"0\" errors=\"1\""));
    let value: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(value["verdict"]["exit_code"], 3);
    assert!(!Path::new(&budget).exists(), "a budget of nothing");
    // What `scripts/tools.sh report` installed finishes; the one that `make tools` put on PATH may not.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = std::env::var_os("RDMA_RTL_TOOLS").map_or(root.join(".tools"), PathBuf::from);
    let path = std::env::var_os("PATH").unwrap();
    let real = std::iter::once(tools.join("report/bin")).chain(std::env::split_paths(&path)).map(|d| d.join("yosys")).find(|p| p.exists());
    let Some(real) = real else { panic!("no Yosys: call through `make test`") };
    // What the newest WebAssembly build does: nothing more is said inside -abc9, and the exit code is 0.
    let silent = program(&format!("case \"$*\" in *-abc9*) exit 0;; esac\nexec {} \"$@\"", real.display()));
    let output = run(&silent);
    ends(&output, 0, &["did not finish inside -abc9 with skid_buffer on xcup", "not judged"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("the figures of skid_buffer on xcup are those of the older mapper"));
    // A crash there; and one without it.
    let crash = program(&format!("case \"$*\" in *-abc9*) kill -ABRT $$;; esac\nexec {} \"$@\"", real.display()));
    ends(&run(&crash), 0, &["did not finish inside -abc9 with skid_buffer on xcup", "not judged"]);
    ends(&run(&program("kill -ABRT $$")), 3, &["skid_buffer", "signal: 6"]);
}

#[test]
fn a_table_of_costs_is_written_and_a_stale_row_exits_1() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("cost.md").to_str().unwrap().to_string();
    ends(&rtl(&ONE).args(["--write-cost", &page]).output().unwrap(), 0, &[]);
    let text = std::fs::read_to_string(&page).unwrap();
    let row = text.lines().find(|l| l.starts_with("| `skid_buffer` |")).unwrap().to_string();
    assert!(row.contains("| 130 |") && text.contains("| `endpoint` | *not measured* |"), "{text}");
    let check = || rtl(&ONE).args(["--check-cost", &page]).output().unwrap();
    ends(&check(), 0, &[]);
    std::fs::write(&page, text.replace("| 130 |", "| 131 |")).unwrap();
    ends(&check(), 1, &["the row of `skid_buffer` is stale", &row]);
    std::fs::write(&page, text.replace("| `endpoint` |", "| `endpiont` |")).unwrap();
    ends(&check(), 1, &["no row for `endpoint`", "a row for `endpiont`, which is no block"]);
    // What is wrong with the call is said before anything is measured.
    std::fs::write(&page, "# Cost\n").unwrap();
    ends(&check(), 2, &["has no table of ours", "<!-- end of the table -->"]);
    refused(&["--block", "skid_buffer", "--check-cost", "no/such.md"], 2, &["cannot read no/such.md"]);
    refused(&["--block", "skid_buffer", "--flow", "xc7", "--write-cost", &page], 2, &["--flow xcup"]);
    refused(&["--block", "skid_buffer", "--write-cost", &page, "--check-cost", &page], 2, &["--check-cost"]);
}

#[test]
fn a_block_as_the_sum_of_its_modules() {
    let output = rtl(&["report", "--block", "fifo_lut", "--flow", "xcup", "--by-module", "--json"]).output().unwrap();
    ends(&output, 0, &[]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let sum = &value["blocks"][0]["by_module"];
    let memory = sum["modules"].as_array().unwrap().iter().find(|m| m["module"].as_str().unwrap().starts_with("lut_ram_")).unwrap();
    assert_eq!((memory["instances"].as_u64(), memory["figures"]["lutram"].as_u64()), (Some(1), Some(5)), "{sum}");
    assert_eq!((sum["total"]["lutram"].as_u64(), sum["total"]["ff"].as_u64()), (Some(5), Some(17)), "{sum}");
    assert!(value["blocks"][0]["families"].as_object().unwrap().is_empty(), "nothing is flattened");
    refused(&["--block", "fifo_lut", "--by-module", "--hierarchy"], 2, &["--hierarchy"]);
    refused(&["--block", "fifo_lut", "--by-module", "--write-budget", "b.toml"], 2, &["--write-budget"]);
}
