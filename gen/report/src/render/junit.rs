//! For a CI server: one case per limit and per timing report, so that what fails is a line of its own.

use super::number;
use crate::budget::Outcome;
use crate::model::Report;
use crate::vivado::Met;

struct Case {
    suite: String,
    name: String,
    /// `failure` or `skipped`, with its text
    body: Option<(&'static str, String)>,
}

/// `attachments`: files that belong to the report; servers show them by a property or by a marker in the output of a suite.
pub fn junit(report: &Report, attachments: &[String]) -> String {
    let mut cases: Vec<Case> = Vec::new();
    for block in &report.blocks {
        for family in block.families.keys() {
            cases.push(Case { suite: format!("yosys {}", family.name()), name: format!("{} is measured", block.block), body: None });
        }
        if let Some(m) = &block.by_module {
            cases.push(Case {
                suite: format!("yosys {} by module", m.family.name()),
                name: format!("{} is measured", block.block),
                body: None,
            });
        }
        if block.ecp5.is_some() {
            cases.push(Case { suite: "nextpnr ecp5".into(), name: format!("{} is measured", block.block), body: None });
        }
    }
    for check in report.budget.iter().flat_map(|b| &b.checks) {
        let suite = match check.flow.as_str() {
            "ecp5" => "nextpnr ecp5".to_string(),
            "vivado" => "vivado".to_string(),
            family => format!("yosys {family}"),
        };
        let bound = if check.is_least() { ">=" } else { "<=" };
        let body = match check.outcome {
            Outcome::Within => None,
            Outcome::Over | Outcome::Missing => Some(("failure", check.to_string())),
            Outcome::NotJudged => Some(("skipped", format!("not judged: {check}"))),
        };
        cases.push(Case { suite, name: format!("{} {} {bound} {}", check.block, check.key, number(check.limit)), body });
    }
    for file in &report.vivado {
        let Some(timing) = file.timing() else { continue };
        let body = match &timing.met {
            Met::Met => None,
            Met::Violated(_) | Met::Unknown(_) => file.failure().map(|text| ("failure", text)),
        };
        cases.push(Case { suite: "vivado".into(), name: format!("timing of {} is met ({})", file.header.design, file.file), body });
    }
    let mut suites: Vec<&str> = Vec::new();
    for case in &cases {
        if !suites.contains(&case.suite.as_str()) {
            suites.push(&case.suite);
        }
    }
    let of = |suite: &str, what: &str| {
        cases.iter().filter(|c| (suite.is_empty() || c.suite == suite) && c.body.as_ref().is_some_and(|b| b.0 == what)).count()
    };
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rdma-rtl report\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n",
        cases.len(),
        of("", "failure"),
        of("", "skipped")
    );
    for suite in suites {
        let ours: Vec<&Case> = cases.iter().filter(|c| c.suite == suite).collect();
        out += &format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n    <properties>\n",
            escaped(suite),
            ours.len(),
            of(suite, "failure"),
            of(suite, "skipped")
        );
        let tools = report.tools.iter().map(|t| (t.name.as_str(), t.version.as_str()));
        let files = attachments.iter().map(|a| ("attachment", a.as_str()));
        for (name, value) in [("profile", report.profile.as_str())].into_iter().chain(tools).chain(files) {
            out += &format!("      <property name=\"{}\" value=\"{}\"/>\n", escaped(name), escaped(value));
        }
        out += "    </properties>\n";
        for case in ours {
            let class = format!("report.{}.{}", report.profile, suite.replace(' ', "."));
            out += &format!("    <testcase classname=\"{}\" name=\"{}\"", escaped(&class), escaped(&case.name));
            out += &match &case.body {
                None => "/>\n".to_string(),
                Some((what, text)) => format!("><{what} message=\"{0}\">{0}</{what}></testcase>\n", escaped(text)),
            };
        }
        if !attachments.is_empty() {
            let marks: String = attachments.iter().map(|a| format!("[[ATTACHMENT|{}]]\n", escaped(a))).collect();
            out += &format!("    <system-out>{marks}</system-out>\n");
        }
        out += "  </testsuite>\n";
    }
    out + "</testsuites>\n"
}

fn escaped(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_control() || *c == '\n');
    kept.collect::<String>().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
