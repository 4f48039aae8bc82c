//! What a run came to. Exit code, text, JSON and JUnit are all read from here, so that they cannot say different things.

use crate::fail::Fail;
use crate::output::{Json, forget, print, write_file};
use rdma_rtl_report::junit::{self, Suite};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// How one check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Passed,
    Failed(String),
    /// A tool failed: nothing is known of what was to be checked.
    Error(String),
    /// There was nothing to check.
    Nothing(String),
    /// The call was wrong, which was only seen when its files were read.
    Call(String),
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
            End::Call(_) => "wrong call",
            End::NotRun(_) => "not run",
        }
    }

    fn message(&self) -> Option<&str> {
        match self {
            End::Passed => None,
            End::Failed(text) | End::Error(text) | End::Nothing(text) | End::Call(text) | End::NotRun(text) => Some(text),
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

    /// A check that had nothing to check.
    pub fn nothing(&mut self, name: impl Into<String>, why: impl Into<String>) {
        self.cases.push(Case { name: name.into(), seconds: 0.0, end: End::Nothing(why.into()) });
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
            Fail::Call(text) => ("call", End::Call(text.clone())),
            Fail::Check(text) => ("check", End::Failed(text.clone())),
        };
        self.cases.push(Case { name: name.into(), seconds: 0.0, end });
    }

    /// The worst of the checks: a tool's failure, then a wrong call, a failed check, nothing tested.
    fn worst(&self) -> &'static str {
        let any = |word: &str| self.cases.iter().any(|case| case.end.word() == word);
        let worst = ["error", "wrong call", "failed", "nothing tested", "passed"].into_iter().find(|word| any(word));
        worst.unwrap_or("nothing tested")
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
            "wrong call" => Err(Fail::Call(text)),
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
            word => format!("verdict: {word}\n"),
        }
    }

    fn json(&self) -> Value {
        let case =
            |case: &Case| json!({ "name": case.name, "verdict": case.end.word(), "seconds": case.seconds, "message": case.end.message() });
        self.cases.iter().map(case).collect()
    }

    fn junit(&self) -> Result<String, Fail> {
        let end = |end: &'_ End| match end {
            End::Passed => junit::End::Passed,
            End::Failed(text) => junit::End::Failed(text.clone()),
            End::Error(text) | End::Nothing(text) | End::Call(text) => junit::End::Error(text.clone()),
            End::NotRun(text) => junit::End::Skipped(text.clone()),
        };
        let case = |case: &Case| junit::Case {
            class: self.class.clone(),
            name: case.name.clone(),
            seconds: Some(case.seconds),
            end: end(&case.end),
            kind: case.end.word(),
        };
        let suite = Suite { name: self.suite.into(), properties: Vec::new(), cases: self.cases.iter().map(case).collect() };
        let files = self.files.iter().map(|file| std::path::absolute(file).unwrap_or(file.clone()).display().to_string());
        junit::text(self.suite, &[suite], &files.collect::<Vec<_>>()).map_err(Fail::from)
    }

    /// Runs a verb, writes what it came to everywhere that was asked for, and ends it. Files of an earlier call are removed first: if this
    /// one is killed, nobody takes them for its own.
    ///
    /// # Errors
    /// Whatever decides the exit code.
    pub fn of(mut self, junit: Option<&Path>, json: &Json, verb: impl FnOnce(&mut Verdict) -> Result<Done, Fail>) -> Result<(), Fail> {
        junit.into_iter().chain(json.file().map(PathBuf::as_path)).for_each(forget);
        let ended = catch_unwind(AssertUnwindSafe(|| verb(&mut self)));
        let ended = ended.unwrap_or_else(|_| Err(Fail::Tool("the program itself failed, see `internal error` above".into())));
        let quiet = matches!(ended, Err(Fail::Call(_)));
        let mut done = ended.unwrap_or_else(|fail| {
            self.ended(&fail);
            Done { json: json!({}), text: String::new() }
        });
        let result = self.result();
        done.json["verdict"] = json!(self.worst());
        done.json["exit_code"] = json!(result.as_ref().err().map_or(0, Fail::code));
        done.json["checks"] = self.json();
        done.json["files"] = json!(self.files);
        let written = junit.map_or(Ok(()), |path| write_file(path, self.junit()?.as_bytes()));
        json.write(&done.json)?;
        if !json.on_stdout() && !quiet {
            print(&(done.text + &self.text()))?;
        }
        written?;
        result
    }
}

/// What a verb has to show, whatever the verdict.
pub struct Done {
    /// An object; the verdict and its checks are put into it.
    pub json: Value,
    pub text: String,
}

/// The JUnit file of a verb that ended before it judged anything.
pub fn junit_of_end(suite: &'static str, class: &str, fail: &Fail, path: &Path) -> Result<(), Fail> {
    let mut verdict = Verdict::new(suite, class);
    verdict.ended(fail);
    write_file(path, verdict.junit()?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use quick_junit::Report;

    /// Exit code, text, and the numbers of failures, errors and skipped cases in what a parser reads back.
    fn all_of(verdict: &Verdict) -> (u8, &'static str, [usize; 3]) {
        let report = Report::deserialize_from_str(&verdict.junit().unwrap()).unwrap();
        let code = verdict.result().err().map_or(0, |fail| fail.code());
        assert!(verdict.text().starts_with(&format!("verdict: {}", verdict.worst())));
        (code, verdict.worst(), [report.failures, report.errors, report.skipped])
    }

    #[test]
    fn every_output_says_the_same() {
        let mut verdict = Verdict::new("cosim", "block.small");
        assert_eq!(all_of(&verdict), (2, "nothing tested", [0, 0, 0]), "no check is no pass");
        verdict.not_run("seeds 2 to 9", "seed 1 ended it");
        assert_eq!(all_of(&verdict), (2, "nothing tested", [0, 0, 1]), "nor is one that was not run");
        verdict.check("seed 1: agreement", 0.5, Ok(()));
        assert_eq!(all_of(&verdict), (0, "passed", [0, 0, 1]));
        let with = |verdict: &Verdict, fail: Fail| {
            let mut verdict = verdict.clone();
            verdict.ended(&fail);
            all_of(&verdict)
        };
        assert_eq!(with(&verdict, Fail::Nothing("no <frame> & no \"header\"\u{1}".into())), (2, "nothing tested", [0, 1, 1]));
        assert_eq!(with(&verdict, Fail::Call("no such file".into())), (2, "wrong call", [0, 1, 1]));
        verdict.check("coverage", 0.0, Err("never seen: a < b".into()));
        assert_eq!(all_of(&verdict), (1, "failed", [1, 0, 1]));
        assert_eq!(with(&verdict, Fail::Tool("no Verilator".into())), (3, "error", [1, 1, 1]));
    }

    #[test]
    fn a_file_of_an_earlier_call_does_not_outlive_a_panic() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.xml");
        std::fs::write(&path, "an earlier, green one").unwrap();
        let end = Verdict::new("cosim", "x").of(Some(&path), &Json::default(), |_| panic!("a fault of the program"));
        assert_eq!(end.unwrap_err().code(), 3);
        assert_eq!(Report::deserialize_from_str(&std::fs::read_to_string(&path).unwrap()).unwrap().errors, 1);
    }
}
