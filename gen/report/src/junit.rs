//! JUnit files: every verb that judges writes its own with this.

use crate::Error;
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// How a case ended, each with the whole message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Passed,
    Failed(String),
    /// Nothing is known of what was to be checked.
    Error(String),
    Skipped(String),
}

#[derive(Clone, Debug)]
pub struct Case {
    /// What is under test, as in `receive_registry.default`
    pub class: String,
    pub name: String,
    pub seconds: Option<f64>,
    pub end: End,
    /// What kind of failure it is, in a word or two
    pub kind: &'static str,
}

#[derive(Clone, Debug)]
pub struct Suite {
    pub name: String,
    pub properties: Vec<(String, String)>,
    pub cases: Vec<Case>,
}

/// A file with these suites. `attachments`: files that a server shows beside each case that fails, or beside the first of a suite without
/// one: by a property of the case, or by a marker in its output.
///
/// # Errors
/// A text that cannot be made into XML.
pub fn text(name: &str, suites: &[Suite], attachments: &[String]) -> Result<String, Error> {
    let mut report = Report::new(name);
    for of in suites {
        let mut suite = TestSuite::new(of.name.as_str());
        for (name, value) in &of.properties {
            suite.add_property(Property::new(name.as_str(), value.as_str()));
        }
        let bad = |case: &Case| matches!(case.end, End::Failed(_) | End::Error(_));
        let any = of.cases.iter().any(bad);
        for (number, case) in of.cases.iter().enumerate() {
            let mut one = written(case);
            if !attachments.is_empty() && if any { bad(case) } else { number == 0 } {
                one.add_properties(attachments.iter().map(|file| Property::new("attachment", file.as_str())));
                one.set_system_out(attachments.iter().map(|file| format!("[[ATTACHMENT|{file}]]\n")).collect::<String>());
            }
            suite.add_test_case(one);
        }
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|e| Error::Tool(format!("JUnit: {e}")))
}

/// quick-junit leaves out control characters; two more are none that XML can hold.
fn sound(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "")
}

fn written(case: &Case) -> TestCase {
    let (mut status, message) = match &case.end {
        End::Passed => (TestCaseStatus::success(), None),
        End::Failed(text) => (TestCaseStatus::non_success(NonSuccessKind::Failure), Some(text)),
        End::Error(text) => (TestCaseStatus::non_success(NonSuccessKind::Error), Some(text)),
        End::Skipped(text) => (TestCaseStatus::skipped(), Some(text)),
    };
    if let Some(message) = message {
        let message = sound(message);
        status.set_message(message.lines().next().unwrap_or_default()).set_type(case.kind).set_description(message.as_str());
    }
    let mut one = TestCase::new(sound(&case.name), status);
    one.set_classname(case.class.as_str());
    if let Some(seconds) = case.seconds.filter(|seconds| seconds.is_finite()) {
        one.set_time(Duration::from_secs_f64(seconds.max(0.0)));
    }
    one
}
