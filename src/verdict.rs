//! What a run came to. Exit code, text, JSON and JUnit are all read from here, so that they cannot say different things.

use crate::fail::Fail;
use crate::output::{Json, print, write_file};
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How one check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Passed,
    Failed(String),
    /// A tool failed: nothing is known of what was to be checked.
    Error(String),
    /// There was nothing to check.
    Nothing(String),
    /// Not come to, because of what ended before it.
    NotRun(String),
}

impl End {
    fn word(&self) -> &'static str {
        match self {
            End::Passed => "passed",
            End::Failed(_) => "failed",
            End::Error(_) => "error",
            End::Nothing(_) => "nothing tested",
            End::NotRun(_) => "not run",
        }
    }

    fn message(&self) -> Option<&str> {
        match self {
            End::Passed => None,
            End::Failed(text) | End::Error(text) | End::Nothing(text) | End::NotRun(text) => Some(text),
        }
    }
}

/// One check of one run.
#[derive(Clone, Debug)]
struct Case {
    name: String,
    seconds: f64,
    end: End,
}

/// Every check of a call.
#[derive(Clone, Debug)]
pub struct Verdict {
    suite: &'static str,
    class: String,
    cases: Vec<Case>,
    /// Files that a server shows beside the result.
    pub files: Vec<PathBuf>,
}

impl Verdict {
    /// `suite`: the verb; `class`: what is under test, as in `receive_registry.default`.
    pub fn new(suite: &'static str, class: impl Into<String>) -> Verdict {
        Verdict { suite, class: class.into(), cases: Vec::new(), files: Vec::new() }
    }

    /// The end of one check.
    pub fn check(&mut self, name: impl Into<String>, seconds: f64, result: Result<(), String>) {
        let end = result.map_or_else(End::Failed, |()| End::Passed);
        self.cases.push(Case { name: name.into(), seconds, end });
    }

    /// A check that was not come to.
    pub fn not_run(&mut self, name: impl Into<String>, why: impl Into<String>) {
        self.cases.push(Case { name: name.into(), seconds: 0.0, end: End::NotRun(why.into()) });
    }

    /// A verb that ended before its checks did.
    fn ended(&mut self, fail: &Fail) {
        let (name, end) = match fail {
            Fail::Tool(text) => ("tools", End::Error(text.clone())),
            Fail::Nothing(text) => ("something to test", End::Nothing(text.clone())),
            Fail::Check(text) | Fail::Call(text) => ("call", End::Failed(text.clone())),
        };
        self.cases.push(Case { name: name.into(), seconds: 0.0, end });
    }

    /// The worst of the checks: a tool's failure, then a failed check, then nothing tested.
    fn worst(&self) -> &'static str {
        let any = |word: &str| self.cases.iter().any(|case| case.end.word() == word);
        match () {
            () if any("error") => "error",
            () if any("failed") => "failed",
            () if any("nothing tested") || !any("passed") => "nothing tested",
            () => "passed",
        }
    }

    pub fn passed(&self) -> bool {
        self.worst() == "passed"
    }

    /// What ends the program: exit code 0 only if something was checked and all of it is good.
    ///
    /// # Errors
    /// The messages of the checks that decide.
    pub fn result(&self) -> Result<(), Fail> {
        let worst = self.worst();
        let decisive = self.cases.iter().filter(|case| case.end.word() == worst);
        let text = decisive.filter_map(|case| case.end.message()).collect::<Vec<_>>().join("\n");
        match worst {
            "passed" => Ok(()),
            "error" => Err(Fail::Tool(text)),
            "failed" => Err(Fail::Check(text)),
            _ => Err(Fail::Nothing(text)),
        }
    }

    /// One line.
    fn text(&self) -> String {
        let (all, worst) = (self.cases.len(), self.worst());
        let names: Vec<&str> = self.cases.iter().filter(|case| case.end.word() == worst).map(|case| case.name.as_str()).collect();
        match worst {
            "passed" => format!("verdict: passed, {} of {all} checks\n", names.len()),
            "failed" => format!("verdict: failed, {} of {all} checks: {}\n", names.len(), names.join(", ")),
            "error" => "verdict: error, a tool failed\n".into(),
            _ => "verdict: nothing tested\n".into(),
        }
    }

    fn json(&self) -> Value {
        let case =
            |case: &Case| json!({ "name": case.name, "verdict": case.end.word(), "seconds": case.seconds, "message": case.end.message() });
        self.cases.iter().map(case).collect()
    }

    /// Servers show `files` by a property of the first case, or by a marker in its output.
    fn junit(&self) -> Result<String, Fail> {
        let mut suite = TestSuite::new(self.suite);
        for (number, case) in self.cases.iter().enumerate() {
            let mut status = match case.end {
                End::Passed => TestCaseStatus::success(),
                End::Failed(_) => TestCaseStatus::non_success(NonSuccessKind::Failure),
                End::Error(_) | End::Nothing(_) => TestCaseStatus::non_success(NonSuccessKind::Error),
                End::NotRun(_) => TestCaseStatus::skipped(),
            };
            if let Some(message) = case.end.message() {
                status.set_message(message.lines().next().unwrap_or_default()).set_type(case.end.word()).set_description(message);
            }
            let mut one = TestCase::new(case.name.as_str(), status);
            one.set_classname(self.class.as_str()).set_time(Duration::from_secs_f64(case.seconds.max(0.0)));
            if number == 0 && !self.files.is_empty() {
                let shown = self.files.iter().map(|file| std::path::absolute(file).unwrap_or(file.clone()).display().to_string());
                let shown: Vec<String> = shown.collect();
                one.add_properties(shown.iter().map(|file| Property::new("attachment", file.as_str())));
                one.set_system_out(shown.iter().map(|file| format!("[[ATTACHMENT|{file}]]\n")).collect::<String>());
            }
            suite.add_test_case(one);
        }
        let mut report = Report::new(self.suite);
        report.add_test_suite(suite);
        report.to_string().map_err(Fail::tool)
    }

    /// Writes the result of a verb everywhere it was asked for, and ends the verb. `ended`: JSON object and text of a run that came to an end.
    ///
    /// # Errors
    /// Whatever decides the exit code.
    pub fn publish(mut self, ended: Result<Done, Fail>, junit: Option<&Path>, json: &Json) -> Result<(), Fail> {
        let mut done = match ended {
            Ok(done) => done,
            // A wrong call has no result.
            Err(Fail::Call(text)) => return Err(Fail::Call(text)),
            Err(fail) => {
                self.ended(&fail);
                Done { json: json!({}), text: String::new() }
            }
        };
        done.json["verdict"] = json!(self.worst());
        done.json["checks"] = self.json();
        if let Some(path) = junit {
            write_file(path, self.junit()?.as_bytes())?;
        }
        json.write(&done.json)?;
        if !json.on_stdout() {
            print(&(done.text + &self.text()))?;
        }
        self.result()
    }
}

/// What a verb has to show, whatever the verdict.
pub struct Done {
    /// An object; the verdict and its checks are put into it.
    pub json: Value,
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exit code, text, and the numbers of failures, errors and skipped cases in what a parser reads back.
    fn all_of(verdict: &Verdict) -> (u8, &'static str, [usize; 3]) {
        let report = Report::deserialize_from_str(&verdict.junit().unwrap()).unwrap();
        let code = verdict.result().err().map_or(0, |fail| fail.code());
        assert!(verdict.text().starts_with(&format!("verdict: {}", verdict.worst())));
        (code, verdict.worst(), [report.failures, report.errors, report.test_suites[0].skipped])
    }

    #[test]
    fn every_output_says_the_same() {
        let mut verdict = Verdict::new("cosim", "block.small");
        assert_eq!(all_of(&verdict), (2, "nothing tested", [0, 0, 0]), "no check is no pass");
        verdict.not_run("seeds 2 to 9", "seed 1 ended it");
        assert_eq!(all_of(&verdict), (2, "nothing tested", [0, 0, 1]), "nor is one that was not run");
        verdict.check("seed 1: agreement", 0.5, Ok(()));
        assert_eq!(all_of(&verdict), (0, "passed", [0, 0, 1]));
        let mut empty = verdict.clone();
        empty.ended(&Fail::Nothing("no <frame> & no \"header\"\u{1}".into()));
        assert_eq!(all_of(&empty), (2, "nothing tested", [0, 1, 1]));
        verdict.check("coverage", 0.0, Err("never seen: a < b".into()));
        assert_eq!(all_of(&verdict), (1, "failed", [1, 0, 1]));
        verdict.ended(&Fail::Tool("no Verilator".into()));
        assert_eq!(all_of(&verdict), (3, "error", [1, 1, 1]));
    }
}
