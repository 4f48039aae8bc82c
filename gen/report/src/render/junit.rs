//! For a CI server: one case per limit and per timing report, so that what fails is a line of its own.

use crate::model::Report;
use crate::verdict::{Case, Ends};

/// `attachments`: files that belong to the report; servers show them by a property or by a marker in the output of a suite.
pub fn junit(report: &Report, attachments: &[String]) -> String {
    let cases = &report.verdict.cases;
    let mut suites: Vec<&str> = Vec::new();
    for case in cases {
        if !suites.contains(&case.suite.as_str()) {
            suites.push(&case.suite);
        }
    }
    let counts = |of: &[&Case]| {
        let count = |ends: Ends| of.iter().filter(|c| c.ends == ends).count();
        format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
            of.len(),
            count(Ends::Failed),
            count(Ends::Error),
            count(Ends::NotJudged)
        )
    };
    let all: Vec<&Case> = cases.iter().collect();
    let mut out = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rdma-rtl report\" {}>\n", counts(&all));
    for suite in suites {
        let ours: Vec<&Case> = cases.iter().filter(|c| c.suite == suite).collect();
        out += &format!("  <testsuite name=\"{}\" {}>\n    <properties>\n", escaped(suite), counts(&ours));
        let tools = report.tools.iter().map(|t| (t.name.as_str(), t.version.as_str()));
        let files = attachments.iter().map(|a| ("attachment", a.as_str()));
        for (name, value) in [("profile", report.profile.as_str())].into_iter().chain(tools).chain(files) {
            out += &format!("      <property name=\"{}\" value=\"{}\"/>\n", escaped(name), escaped(value));
        }
        out += "    </properties>\n";
        for case in ours {
            let class = format!("report.{}.{}", report.profile, suite.replace(' ', "."));
            out += &format!("    <testcase classname=\"{}\" name=\"{}\"", escaped(&class), escaped(&case.name));
            let text = escaped(case.why.as_deref().unwrap_or_default());
            out += &match case.ends {
                Ends::Passed => "/>\n".to_string(),
                Ends::Failed => format!("><failure message=\"{text}\">{text}</failure></testcase>\n"),
                Ends::Error => format!("><error message=\"{text}\">{text}</error></testcase>\n"),
                Ends::NotJudged => format!("><skipped message=\"{text}\">{text}</skipped></testcase>\n"),
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

/// A line break in an attribute is a reference, as a reader takes it for a blank otherwise; what XML cannot hold is left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}
