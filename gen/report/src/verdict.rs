//! How a report ends: one list of cases that exit code, text, JSON, JUnit and page are made from.

use crate::budget::{BudgetCheck, Outcome};
use crate::cost::Stale;
use crate::model::Report;
use crate::render::number;
use crate::vivado::Vivado;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ends {
    Passed,
    Failed,
    /// It could not be judged, and that is allowed.
    NotJudged,
    /// A tool is missing or failed.
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    pub suite: String,
    pub name: String,
    pub ends: Ends,
    /// One line, if it did not pass
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Something was held against something. Figures that were measured are not.
    pub judges: bool,
}

/// What a report is judged by, beside itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms<'a> {
    /// What cannot be judged fails, and so does a block without a limit.
    pub strict: bool,
    /// The budget was asked for; if nothing is judged by it, that fails.
    pub budget_given: bool,
    /// The table of costs was held against what was measured.
    pub cost: Option<&'a Stale>,
    /// Why nothing was measured
    pub tool: Option<&'a str>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// 0: nothing fails; 1: a check fails; 3: a tool is missing or failed, whatever else fails
    pub exit_code: u8,
    pub cases: Vec<Case>,
}

impl Verdict {
    pub fn of(report: &Report, terms: &Terms) -> Verdict {
        let mut list = List { cases: Vec::new(), strict: terms.strict };
        if let Some(why) = terms.tool {
            list.add("tools", "blocks are measured", Ends::Error, Some(why.into()), true);
        }
        list.measured(report);
        list.budget(report, terms);
        list.growth(report, terms);
        list.vivado(report);
        list.cost(terms.cost);
        if terms.strict && terms.tool.is_none() {
            list.limited(report);
        }
        let any = |ends: Ends| list.cases.iter().any(|c| c.ends == ends);
        let exit_code = if any(Ends::Error) { 3 } else { u8::from(any(Ends::Failed)) };
        Verdict { exit_code, cases: list.cases }
    }

    pub fn count(&self, ends: Ends) -> usize {
        self.cases.iter().filter(|c| c.ends == ends).count()
    }

    /// Checks that passed, without those that only say that something was measured.
    pub fn kept(&self) -> usize {
        self.cases.iter().filter(|c| c.judges && c.ends == Ends::Passed).count()
    }

    /// Checks whose outcome is known.
    pub fn judged(&self) -> usize {
        self.cases.iter().filter(|c| c.judges && c.ends != Ends::NotJudged).count()
    }

    /// One line for each case that fails, tools first.
    pub fn failures(&self) -> Vec<&str> {
        let of = |ends: Ends| self.cases.iter().filter(move |c| c.ends == ends).filter_map(|c| c.why.as_deref());
        of(Ends::Error).chain(of(Ends::Failed)).collect()
    }
}

struct List {
    cases: Vec<Case>,
    strict: bool,
}

impl List {
    fn add(&mut self, suite: &str, name: impl Into<String>, ends: Ends, why: Option<String>, judges: bool) {
        self.cases.push(Case { suite: suite.to_string(), name: name.into(), ends, why, judges });
    }

    fn pass_or(&mut self, suite: &str, name: impl Into<String>, failure: Option<String>) {
        let ends = if failure.is_some() { Ends::Failed } else { Ends::Passed };
        self.add(suite, name, ends, failure, true);
    }

    /// Fails if this is strict.
    fn not_judged(&mut self, suite: &str, name: impl Into<String>, why: String) {
        match self.strict {
            true => self.add(suite, name, Ends::Failed, Some(format!("--strict: {why}")), true),
            false => self.add(suite, name, Ends::NotJudged, Some(why), true),
        }
    }

    fn measured(&mut self, report: &Report) {
        for block in &report.blocks {
            let name = || format!("{} is measured", block.block);
            for family in block.families.keys() {
                self.add(&suite(family.name()), name(), Ends::Passed, None, false);
            }
            if let Some(sum) = &block.by_module {
                self.add(&suite(&format!("{} by module", sum.family.name())), name(), Ends::Passed, None, false);
            }
            if block.ecp5.is_some() {
                self.add(&suite("ecp5"), name(), Ends::Passed, None, false);
            }
        }
    }

    fn budget(&mut self, report: &Report, terms: &Terms) {
        let Some(budget) = &report.budget else { return };
        for check in &budget.checks {
            let name = limit_name(check);
            match check.outcome {
                Outcome::Within => self.pass_or(&suite(&check.flow), name, None),
                Outcome::Over | Outcome::Missing => self.pass_or(&suite(&check.flow), name, Some(check.to_string())),
                Outcome::NotJudged => {
                    let why = check.why.as_deref().unwrap_or("of another release");
                    self.not_judged(&suite(&check.flow), name, format!("not judged: {check}: {why}"));
                }
            }
        }
        if budget.checks.is_empty() && terms.budget_given && terms.tool.is_none() {
            let which =
                if budget.limits == 1 { "its limit is not".to_string() } else { format!("none of its {} limits is", budget.limits) };
            let why = format!("{}: {which} about what this report has, so nothing was judged", budget.file);
            self.pass_or("budget", format!("{} judges something", budget.file), Some(why));
        }
    }

    fn growth(&mut self, report: &Report, terms: &Terms) {
        let Some((growth, most)) = report.baseline.as_ref().and_then(|g| Some((g, g.most_percent?))) else { return };
        for check in &growth.checks {
            let name = format!("{} {} grows by at most {most} %", check.change.block, check.change.key);
            let suite = suite(&check.change.flow);
            match (check.outcome, &check.why) {
                (Outcome::NotJudged, why) => {
                    self.not_judged(&suite, name, format!("not judged: {check}: {}", why.as_deref().unwrap_or("of another release")));
                }
                (Outcome::Within, _) => self.pass_or(&suite, name, None),
                (Outcome::Over | Outcome::Missing, _) => self.pass_or(&suite, name, Some(format!("{check}, at most {most} % is allowed"))),
            }
        }
        if growth.checks.is_empty() && terms.tool.is_none() {
            let why = format!("baseline {}: no figure is in it and in this report, so no growth was judged", growth.file);
            self.pass_or("growth", format!("{} judges something", growth.file), Some(why));
        }
        if self.strict {
            for what in &growth.only_now {
                self.not_judged("growth", format!("{what} is in the baseline"), format!("{what} is not in baseline {}", growth.file));
            }
        }
    }

    fn vivado(&mut self, report: &Report) {
        for file in &report.vivado {
            if file.timing().is_none() {
                continue;
            }
            let name = format!("timing of {} is met ({})", file.subject(), file.file);
            match (file.failure(), &file.part) {
                (None, Some(part)) => {
                    let why = format!("{}: timing of a part of {} alone, {part}", file.file, file.header.design);
                    let is_whole = |v: &&Vivado| v.part.is_none() && v.timing().is_some() && v.header.design == file.header.design;
                    if report.vivado.iter().any(|v| is_whole(&v)) {
                        self.not_judged("vivado", name, why);
                    } else {
                        self.pass_or("vivado", name, Some(format!("{why}; no report says it of the design")));
                    }
                }
                (failure, _) => self.pass_or("vivado", name, failure),
            }
        }
        for refused in &report.vivado_refused {
            self.pass_or("vivado", format!("{} is read", refused.file), Some(refused.to_string()));
        }
    }

    fn cost(&mut self, stale: Option<&Stale>) {
        let Some(stale) = stale else { return };
        match &stale.not_judged {
            Some(why) => self.not_judged("cost", "the table of costs is of this release", why.clone()),
            None if stale.rows.is_empty() => self.pass_or("cost", "the table of costs says what was measured", None),
            None => {}
        }
        for row in &stale.rows {
            self.pass_or("cost", "the table of costs says what was measured", Some(row.clone()));
        }
    }

    /// What strict asks for beyond the checks that are there: something is judged, and each block by one limit at least.
    fn limited(&mut self, report: &Report) {
        let limited: BTreeSet<&str> = report.budget.iter().flat_map(|b| &b.checks).map(|c| c.block.as_str()).collect();
        for block in report.blocks.iter().filter(|b| !limited.contains(b.block.as_str())) {
            let lacks = match &report.budget {
                Some(budget) => format!("{} has no limit for it in a flow that was measured", budget.file),
                None => "there is no budget".to_string(),
            };
            let why = format!("--strict: {}: {lacks}, so nothing could fail", block.block);
            self.pass_or("budget", format!("{} has a limit", block.block), Some(why));
        }
        if !self.cases.iter().any(|c| c.judges) {
            let why = "--strict: nothing was judged: there is no limit and no report of timing";
            self.pass_or("budget", "something is judged", Some(why.into()));
        }
    }
}

fn limit_name(check: &BudgetCheck) -> String {
    let bound = if check.is_least() { ">=" } else { "<=" };
    format!("{} {} {bound} {}", check.block, check.key, number(check.limit))
}

/// By the tool that a figure is from.
fn suite(flow: &str) -> String {
    match flow {
        "ecp5" => "nextpnr ecp5".to_string(),
        "vivado" => "vivado".to_string(),
        family => format!("yosys {family}"),
    }
}
