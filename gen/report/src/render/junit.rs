//! For a CI server: one case per limit and per timing report, so that what fails is a line of its own.

use crate::Error;
use crate::junit::{Case, End, Suite, text};
use crate::model::Report;
use crate::verdict::Ends;

/// `attachments`: files that belong to the report.
///
/// # Errors
/// A text that cannot be made into XML.
pub fn junit(report: &Report, attachments: &[String]) -> Result<String, Error> {
    let mut suites: Vec<Suite> = Vec::new();
    for case in &report.verdict.cases {
        let why = case.why.clone().unwrap_or_default();
        let (end, kind) = match case.ends {
            Ends::Passed => (End::Passed, ""),
            Ends::Failed => (End::Failed(why), "failed"),
            Ends::Error => (End::Error(why), "error"),
            Ends::NotJudged => (End::Skipped(why), "not judged"),
        };
        let class = format!("report.{}.{}", report.profile, case.suite.replace(' ', "."));
        let one = Case { class, name: case.name.clone(), seconds: None, end, kind };
        match suites.iter_mut().find(|suite| suite.name == case.suite) {
            Some(suite) => suite.cases.push(one),
            None => {
                let tools = report.tools.iter().map(|tool| (tool.name.clone(), tool.version.clone()));
                let properties = [("profile".to_string(), report.profile.clone())].into_iter().chain(tools).collect();
                suites.push(Suite { name: case.suite.clone(), properties, cases: vec![one] });
            }
        }
    }
    text("rdma-rtl report", &suites, attachments)
}
