//! What a scenario should come to.

use super::report::Report;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The outcome, and bounds on what was counted.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    pub outcome: Outcome,
    /// of every command that fails
    pub status: Option<u8>,
    /// numbers of the report by name
    pub bounds: BTreeMap<String, Range>,
}

/// How commands end. Each ends exactly once in any case, and memory of one that completes is right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    #[default]
    AllComplete,
    AllFail,
    /// some complete, some fail
    Mixed,
}

/// From `least` to `most`, each of which may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Range {
    pub least: Option<f64>,
    pub most: Option<f64>,
}

impl Expect {
    pub(super) fn check(&self) -> Result<(), String> {
        check_bounds(&self.bounds, &Report::NUMBERS)?;
        match (self.outcome, self.status) {
            (Outcome::AllComplete, Some(status)) => {
                Err(format!("`expect.status` is {status}; nothing fails where `outcome` is \"all_complete\""))
            }
            (_, Some(0)) => Err("`expect.status` is 0; that is success, 1 to 255 is allowed".into()),
            _ => Ok(()),
        }
    }

    /// What is not as expected, one sentence each.
    pub fn judge(&self, report: &Report) -> Vec<String> {
        let mut found = Vec::new();
        let (completed, failed) = (report.completed, report.failed);
        let wrong = match self.outcome {
            Outcome::AllComplete if failed > 0 => Some("all to complete"),
            Outcome::AllFail if completed > 0 => Some("all to fail"),
            Outcome::Mixed if failed == 0 || completed == 0 => Some("some to complete and some to fail"),
            _ => None,
        };
        let statuses =
            || report.statuses.iter().map(|(status, count)| format!("{count} with status {status}")).collect::<Vec<_>>().join(", ");
        if let Some(expected) = wrong {
            found.push(format!("expected {expected}, {completed} commands completed and {failed} failed: {}", statuses()));
        } else if let Some(status) = self.status.filter(|status| report.statuses.keys().any(|found| found != status)) {
            found.push(format!("expected failures with status {status}, found {}", statuses()));
        }
        found.extend(judge_bounds(&self.bounds, |name| report.number(name)));
        found
    }
}

/// Bounds of numbers that there are.
pub(crate) fn check_bounds(bounds: &BTreeMap<String, Range>, numbers: &[&str]) -> Result<(), String> {
    for (name, range) in bounds {
        if !numbers.contains(&name.as_str()) {
            return Err(format!("`expect.bounds.{name}`: no such number; there are {}", numbers.join(", ")));
        }
        let (least, most) = (range.least.unwrap_or(0.0), range.most.unwrap_or(f64::MAX));
        if range.least.is_none() && range.most.is_none() || most < least {
            return Err(format!("`expect.bounds.{name}`: `least`, `most` or both are needed, and no `most` below `least`"));
        }
    }
    Ok(())
}

/// The numbers that are not within their bounds, one sentence each.
pub(crate) fn judge_bounds(bounds: &BTreeMap<String, Range>, number: impl Fn(&str) -> f64) -> Vec<String> {
    let mut found = Vec::new();
    for (name, range) in bounds {
        let value = number(name);
        if let Some(least) = range.least.filter(|&least| value < least) {
            found.push(format!("{name} is {value}, expected at least {least}"));
        }
        if let Some(most) = range.most.filter(|&most| value > most) {
            found.push(format!("{name} is {value}, expected at most {most}"));
        }
    }
    found
}
