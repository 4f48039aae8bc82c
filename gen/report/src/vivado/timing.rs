//! `report_timing_summary`: whether every path is constrained and fast enough.
//!
//! "Met" is said only if setup, hold and pulse width each have an endpoint and a worst slack that is a number and not negative, nothing
//! fails anywhere in the report, Vivado says so itself, there is a clock, and no register is without one. Everything else is violated or
//! unknown.

use super::command::Command;
use super::header::{Header, is_rule};
use super::slack::{Slack, number};
use super::timing_table::{aligned, section};
use super::{Refused, Source};
use serde::{Deserialize, Serialize};

/// One kind of check: setup, hold or pulse width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Check {
    pub worst: Slack,
    pub total: Slack,
    pub failing: Option<u64>,
    pub endpoints: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    pub name: String,
    /// Levels below the clock that it is generated from
    pub depth: usize,
    pub period_ns: Slack,
    pub mhz: Slack,
}

/// Paths of one clock, between two, or of a path group.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Group {
    pub group: Option<String>,
    pub from: String,
    pub to: String,
    pub setup: Check,
    pub hold: Check,
    pub pulse_width: Option<Check>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statement {
    Met,
    NotMet,
    /// There are no constraints, or the sentence is not there.
    None,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "verdict", content = "why")]
pub enum Met {
    Met,
    Violated(Vec<String>),
    Unknown(Vec<String>),
}

/// One path of the report.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PathEnd {
    pub slack: Slack,
    pub source: String,
    pub destination: String,
    pub group: String,
    pub delay: String,
    pub levels: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    pub met: Met,
    pub setup: Check,
    pub hold: Check,
    pub pulse_width: Check,
    pub statement: Statement,
    pub clocks: Vec<Clock>,
    pub groups: Vec<Group>,
    /// Counts of `check_timing`, by its names
    pub checks: Vec<(String, u64)>,
    pub worst_setup: Option<PathEnd>,
    pub worst_hold: Option<PathEnd>,
}

impl Timing {
    /// Of `check_timing`; None if the report has no such check
    pub fn check(&self, name: &str) -> Option<u64> {
        self.checks.iter().find(|(n, _)| n == name).map(|(_, count)| *count)
    }
}

/// What of `Timing Details` the command left out.
struct Shown {
    /// The section is there.
    details: bool,
    /// Each path is shown in full, up to the slack at its end.
    in_full: bool,
    /// Only paths with less slack are there.
    below: Option<f64>,
    /// No path of those that `-max_paths` asks for is left out.
    every: bool,
}

impl Shown {
    fn of(command: &Command) -> Shown {
        // A number that is none leaves nothing that must be there.
        let below = command.value("slack_lesser_than", 2).map(|v| v.parse().ok().filter(|n: &f64| n.is_finite()).unwrap_or(f64::MIN));
        let short = matches!(command.value("path_type", 2), Some("end" | "summary" | "short"));
        let every = !short && below.is_none() && !command.has("unique_pins", 2);
        Shown { details: !command.has("no_detailed_paths", 4), in_full: !short, below, every }
    }

    /// Whether the worst path of a group must be there.
    fn has(&self, slack: Slack) -> bool {
        self.in_full && slack.ns().is_some_and(|ns| self.below.is_none_or(|below| ns < below))
    }
}

/// Release since which `-report_unconstrained` adds tables before the details.
const WITH_UNCONSTRAINED: (u32, u32) = (2022, 1);

pub(super) fn timing(source: &Source, body: usize, header: &Header, command: &Command) -> Result<Timing, Refused> {
    let need = |title: &str| section(source, body, title).ok_or_else(|| source.cut(format!("section `{title}` is missing")));
    let summary = need("Design Timing Summary")?;
    if let Some(again) = section(source, summary.1, "Design Timing Summary") {
        return Err(source.error(again.0 - 2, "a second `Design Timing Summary` in one report"));
    }
    let ([setup, hold, pulse_width], statement) = design(source, summary)?;
    let clocks = clocks(source, need("Clock Summary")?)?;
    let mut groups = groups(source, need("Intra Clock Table")?, "Clock", 1)?;
    groups.extend(self::groups(source, need("Inter Clock Table")?, "From Clock", 2)?);
    groups.extend(self::groups(source, need("Other Path Groups Table")?, "Path Group", 3)?);
    if command.has("report_unconstrained", 3) && header.release().is_some_and(|r| r >= WITH_UNCONSTRAINED) {
        need("Unconstrained Path Table")?;
    }
    let shown = Shown::of(command);
    let (mut paths, mut ends, mut violated) = (Vec::new(), 1, None);
    if shown.details {
        let details = need("Timing Details")?;
        complete(source, details, body, &groups, &shown)?;
        if shown.in_full {
            paths = self::paths(source, details)?;
        } else {
            violated = (details.0..details.1).find(|i| source.lines[*i].contains("VIOLATED"));
        }
        ends = 2;
    }
    if command.has("datasheet", 3) {
        need("Data sheet")?;
    }
    if source.empty_at_end() < ends {
        return Err(source.cut("it ends inside a table or a path"));
    }
    let worst = |max: bool| {
        let of_kind = paths.iter().filter(|(is_max, p)| *is_max == max && p.slack.ns().is_some());
        of_kind.min_by(|a, b| a.1.slack.ns().unwrap_or(0.0).total_cmp(&b.1.slack.ns().unwrap_or(0.0))).map(|(_, p)| p.clone())
    };
    let (worst_setup, worst_hold) = (worst(true), worst(false));
    let mut timing = Timing {
        met: Met::Met,
        setup,
        hold,
        pulse_width,
        statement,
        clocks,
        groups,
        checks: checks(source, body),
        worst_setup,
        worst_hold,
    };
    let negative = paths.iter().find(|(_, p)| p.slack.is_negative()).map(|(_, p)| p);
    timing.met = verdict(&timing, negative);
    if let (Some(line), Met::Met | Met::Unknown(_)) = (violated, &timing.met) {
        let line = source.first + line + 1;
        timing.met = Met::Violated(vec![format!("the path in line {line} is violated, which the summary of the design does not say")]);
    }
    Ok(timing)
}

fn verdict(t: &Timing, negative: Option<&PathEnd>) -> Met {
    let kinds = [("setup", "WNS", &t.setup), ("hold", "WHS", &t.hold), ("pulse width", "WPWS", &t.pulse_width)];
    let mut why = Vec::new();
    for (kind, name, check) in kinds {
        if check.worst.is_negative() || check.total.is_negative() || check.failing.unwrap_or(0) > 0 {
            why.push(format!("{kind}: {name} {} ns, {} endpoints fail", check.worst, check.failing.map_or("?".into(), |n| n.to_string())));
        }
    }
    for group in &t.groups {
        let checks = [Some(&group.setup), Some(&group.hold), group.pulse_width.as_ref()];
        if why.is_empty() && checks.into_iter().flatten().any(|c| c.worst.is_negative() || c.failing.unwrap_or(0) > 0) {
            why.push(format!("paths from {} to {} fail, which the summary of the design does not say", group.from, group.to));
        }
    }
    if let (true, Some(path)) = (why.is_empty(), negative) {
        why.push(format!("the path to {} has slack {} ns, which the summary of the design does not say", path.destination, path.slack));
    }
    if t.statement == Statement::NotMet && why.is_empty() {
        why.push("the report says that the constraints are not met".into());
    }
    if !why.is_empty() {
        return Met::Violated(why);
    }
    for (kind, name, check) in kinds {
        match (check.worst, check.endpoints) {
            (Slack::Ns(_), Some(n)) if n > 0 && check.failing.is_some() => {}
            (Slack::Ns(_), _) => why.push(format!("{kind}: no endpoint is checked")),
            (slack, _) => why.push(format!("{kind}: {name} is {slack}: nothing is constrained or nothing was analysed")),
        }
    }
    for (kind, name, design, of) in [
        ("setup", "WNS", t.setup, (|g: &Group| Some(g.setup.worst)) as fn(&Group) -> Option<Slack>),
        ("hold", "WHS", t.hold, |g| Some(g.hold.worst)),
        ("pulse width", "WPWS", t.pulse_width, |g| Some(g.pulse_width?.worst)),
    ] {
        let least = t.groups.iter().filter_map(|g| of(g)?.ns()).reduce(f64::min);
        if let (Some(design), Some(least)) = (design.worst.ns(), least)
            && least < design
        {
            why.push(format!("{kind}: {name} is {design:.3}, and {least:.3} in one of the tables below it"));
        }
    }
    if t.statement == Statement::None {
        why.push("the report does not say that the constraints are met".into());
    }
    if t.clocks.is_empty() {
        why.push("no clock is defined".into());
    }
    match t.check("no_clock") {
        Some(0) => {}
        Some(n) => why.push(format!("{n} register pins have no clock (check_timing, no_clock)")),
        None => why.push("the report has no check_timing, so registers without a clock would not be seen".into()),
    }
    if why.is_empty() { Met::Met } else { Met::Unknown(why) }
}

/// The line of twelve values, and the sentence below it.
fn design(source: &Source, range: (usize, usize)) -> Result<([Check; 3], Statement), Refused> {
    let table = aligned(source, range, "WNS(ns)")?;
    let &[(line, text), ..] = table.rows.as_slice() else { return Err(source.cut("`Design Timing Summary` has no values")) };
    if table.width() != 12 {
        return Err(source.error(line - 2, format!("{} columns; `Design Timing Summary` has 12", table.width())));
    }
    let (_, values) = table.row(source, line, text, 0)?;
    let check = |from: usize| check(source, line, &values[from..from + 4]);
    let says = |sentence: &str| source.lines[range.0..range.1].iter().any(|l| l.trim().starts_with(sentence));
    let statement = match (says("All user specified timing constraints are met."), says("Timing constraints are not met.")) {
        (true, false) => Statement::Met,
        (_, true) => Statement::NotMet,
        (false, false) => Statement::None,
    };
    Ok(([check(0)?, check(4)?, check(8)?], statement))
}

fn check(source: &Source, line: usize, values: &[Slack]) -> Result<Check, Refused> {
    let count = |value: Slack| match value {
        Slack::Ns(n) if n >= 0.0 && n.fract() == 0.0 => Ok(Some(n as u64)),
        Slack::Ns(n) => Err(source.error(line, format!("{n} endpoints: a count is expected"))),
        _ => Ok(None),
    };
    Ok(Check { worst: values[0], total: values[1], failing: count(values[2])?, endpoints: count(values[3])? })
}

fn clocks(source: &Source, range: (usize, usize)) -> Result<Vec<Clock>, Refused> {
    // A design without clocks has no table there, or an empty one.
    let Ok(table) = aligned(source, range, "Clock") else { return Ok(Vec::new()) };
    let mut clocks = Vec::new();
    for (line, text) in &table.rows {
        // `name {edges} period MHz`
        let shape = || source.error(*line, "`name {edges} period frequency` is expected for a clock");
        let (name, rest) = text.rsplit_once('{').ok_or_else(shape)?;
        let (_, numbers) = rest.split_once('}').ok_or_else(shape)?;
        let mut numbers = numbers.split_whitespace().map(|w| Slack::parse(w).ok_or_else(shape));
        let mut next = || numbers.next().unwrap_or(Ok(Slack::Blank));
        let depth = (name.len() - name.trim_start().len()) / 2;
        clocks.push(Clock { name: name.trim().to_string(), depth, period_ns: next()?, mhz: next()? });
    }
    Ok(clocks)
}

fn groups(source: &Source, range: (usize, usize), first: &str, names: usize) -> Result<Vec<Group>, Refused> {
    let table = aligned(source, range, first)?;
    let checks = if names == 1 { 3 } else { 2 };
    if table.width() != names + 4 * checks {
        let line = table.rows.first().map_or(range.0, |r| r.0 - 2);
        return Err(source.error(line, format!("{} columns; {} are expected", table.width(), names + 4 * checks)));
    }
    let mut groups = Vec::new();
    for (line, text) in &table.rows {
        let (parts, values) = table.row(source, *line, text, names)?;
        let check = |n: usize| check(source, *line, &values[4 * n..4 * n + 4]);
        let (from, to) = if names == 1 { (parts[0], parts[0]) } else { (parts[names - 2], parts[names - 1]) };
        groups.push(Group {
            group: (names == 3).then(|| parts[0].trim().to_string()),
            from: from.trim().to_string(),
            to: to.trim().to_string(),
            setup: check(0)?,
            hold: check(1)?,
            pulse_width: if checks == 3 { Some(check(2)?) } else { None },
        });
    }
    Ok(groups)
}

/// `1. checking no_clock (263)`; older releases have the number only in the sentences below.
fn checks(source: &Source, body: usize) -> Vec<(String, u64)> {
    let mut found: Vec<(String, u64)> = Vec::new();
    for (i, line) in source.lines.iter().enumerate().skip(body) {
        let Some((order, name)) = line.split_once(". checking ") else { continue };
        if number(order).is_none() || !source.lines.get(i + 1).is_some_and(|l| is_rule(l)) {
            continue;
        }
        let (name, count) = name.split_once(" (").map_or((name.trim(), None), |(n, rest)| (n, rest.trim_end().strip_suffix(')')));
        let sentences = source.lines[i + 2..].iter().take_while(|l| !l.contains(". checking ") && !l.starts_with("----"));
        let said = sentences.filter_map(|l| {
            let mut words = l.split_whitespace();
            let are = words.next() == Some("There") && matches!(words.next(), Some("are" | "is"));
            words.next().filter(|_| are).and_then(|n| n.parse::<u64>().ok())
        });
        let said: Vec<u64> = said.collect();
        let count = count.and_then(|c| c.parse().ok()).or_else(|| said.iter().copied().reduce(u64::saturating_add));
        // A check without its number is as good as not there.
        if let Some(count) = count {
            found.push((name.to_string(), count.max(said.iter().copied().max().unwrap_or(0))));
        }
    }
    found
}

/// Every row of the tables has its paths in the details, up to the last, unless the command leaves them out: a report that was cut lacks
/// some.
///
/// Each list has as many paths as the longest in the report, or as there are endpoints.
fn complete(source: &Source, range: (usize, usize), body: usize, groups: &[Group], shown: &Shown) -> Result<(), Refused> {
    let blocks = blocks(&source.lines[range.0..range.1]);
    let longest = blocks.iter().flat_map(|b| [b.count(MAX), b.count(MIN)]).max().unwrap_or(0) as u64;
    let longest = if shown.every { longest } else { 1 };
    let holds = |ours: &[&Block], from: &str, to: &str, title: &str, endpoints: u64| {
        let (count, least) = (ours.iter().map(|b| b.count(title) as u64).sum::<u64>(), longest.min(endpoints).max(1));
        match count {
            0 => Err(source.cut(format!("`{title}` from {from} to {to} is missing in `Timing Details`"))),
            n if n < least => Err(source.cut(format!("`{title}` from {from} to {to} has {n} of {least} paths"))),
            _ => Ok(()),
        }
    };
    let is = |b: &Block, group: Option<&str>, from: &str, to: &str| b.group.as_deref() == group && b.from == from && b.to == to;
    for group in groups {
        let ours: Vec<&Block> = blocks.iter().filter(|b| is(b, group.group.as_deref(), &group.from, &group.to)).collect();
        let pulse_width = group.pulse_width.unwrap_or_default();
        for (check, title) in [(group.setup, MAX), (group.hold, MIN), (pulse_width, PULSE_WIDTH)] {
            if shown.has(check.worst) {
                let endpoints = if title == PULSE_WIDTH { 1 } else { check.endpoints.unwrap_or(1) };
                holds(&ours, &group.from, &group.to, title, endpoints)?;
            }
        }
    }
    // Paths without a constraint have no slack; their lists say how many endpoints there are. The same clocks can be in both tables.
    let mut others: Vec<&Block> = blocks.iter().collect();
    for title in if shown.every { &["User Ignored Path Table", "Unconstrained Path Table"][..] } else { &[] } {
        let table = section(source, body, title).and_then(|range| aligned(source, range, "Path Group").ok());
        for (line, text) in table.iter().flat_map(|t| &t.rows) {
            let (parts, _) = table.as_ref().map_or(Ok(Default::default()), |t| t.row(source, *line, text, 3))?;
            let &[group, from, to] = parts.as_slice() else { continue };
            let (group, from, to) = (group.trim(), from.trim(), to.trim());
            let Some(at) = others.iter().position(|b| is(b, Some(group), from, to)) else {
                return Err(source.cut(format!("paths from `{from}` to `{to}` are missing in `Timing Details`")));
            };
            let block = others.remove(at);
            for (kind, title) in [("Max Delay", MAX), ("Min Delay", MIN)] {
                if let Some(endpoints) = block.endpoints(kind).filter(|n| *n > 0) {
                    holds(&[block], from, to, title, endpoints)?;
                }
            }
        }
    }
    Ok(())
}

const MAX: &str = "Max Delay Paths";
const MIN: &str = "Min Delay Paths";
const PULSE_WIDTH: &str = "Pulse Width Checks";

/// Paths between two clocks in `Timing Details`.
struct Block<'a> {
    group: Option<String>,
    from: String,
    to: String,
    lines: &'a [&'a str],
}

fn blocks<'a>(lines: &'a [&'a str]) -> Vec<Block<'a>> {
    let begins: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].starts_with("From Clock:")).collect();
    let after = |line: &str, key: &str| line.trim_start().strip_prefix(key).map(|v| v.trim().to_string());
    let block = |(n, &at): (usize, &usize)| Block {
        group: at.checked_sub(1).and_then(|before| after(lines[before], "Path Group:")),
        from: after(lines[at], "From Clock:").unwrap_or_default(),
        to: lines.get(at + 1).and_then(|l| after(l, "To Clock:")).unwrap_or_default(),
        lines: &lines[at..begins.get(n + 1).copied().unwrap_or(lines.len())],
    };
    begins.iter().enumerate().map(block).collect()
}

impl Block<'_> {
    /// Paths below the title and its rule, or rows of the table there.
    fn count(&self, title: &str) -> usize {
        let Some(at) = self.lines.iter().position(|l| l.trim() == title) else { return 0 };
        let below = self.lines[at + 1..].iter().skip_while(|l| is_rule(l)).take_while(|l| !is_title(l));
        let filled: Vec<&&str> = below.filter(|l| !l.trim().is_empty()).collect();
        match title {
            PULSE_WIDTH => filled.iter().position(|l| l.starts_with("Check Type")).map_or(0, |head| filled.len() - head - 1),
            _ => filled.iter().filter(|l| is_slack(l)).count(),
        }
    }

    /// `Max Delay            92 Endpoints`
    fn endpoints(&self, kind: &str) -> Option<u64> {
        let rest = self.lines.iter().take_while(|l| !is_title(l)).find_map(|l| l.trim_start().strip_prefix(kind))?;
        rest.split_whitespace().next()?.parse().ok()
    }
}

/// The line that a path begins with.
fn is_slack(line: &str) -> bool {
    line.starts_with("Slack") && line.contains(':')
}

fn is_title(line: &str) -> bool {
    matches!(line.trim(), MAX | MIN | PULSE_WIDTH)
}

/// Every path, and whether it is one of the longest (setup) or shortest (hold).
fn paths(source: &Source, range: (usize, usize)) -> Result<Vec<(bool, PathEnd)>, Refused> {
    let mut found: Vec<(bool, PathEnd)> = Vec::new();
    let (mut max, mut open, mut inside) = (true, None, false);
    for i in range.0..range.1 {
        let line = source.lines[i];
        match line.trim() {
            MAX => max = true,
            MIN => max = false,
            _ => {}
        }
        if is_slack(line) {
            if let Some(begin) = open {
                return Err(source.error(begin, "a path without its slack at the end: the report is cut or damaged"));
            }
            let (head, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.split_whitespace().next().unwrap_or_default();
            let slack = Slack::parse(value).filter(|s| *s != Slack::Blank);
            let slack = slack.ok_or_else(|| source.error(i, format!("slack `{value}`: a number of ns or `inf` is expected")))?;
            let says_met = head.contains("(MET)");
            if (says_met && slack.is_negative()) || (head.contains("(VIOLATED)") && slack.ns().is_some_and(|ns| ns > 0.0)) {
                return Err(source.error(i, format!("`{}` with a slack of {slack} ns contradicts itself", head.trim())));
            }
            // An unconstrained path has no required time, and so no slack at its end.
            open = slack.ns().map(|_| i);
            inside = true;
            found.push((max, PathEnd { slack, ..PathEnd::default() }));
        } else if let (true, Some((_, path))) = (inside, found.last_mut()) {
            let text = line.trim();
            let fields: [(&str, &mut String); 5] = [
                ("Source:", &mut path.source),
                ("Destination:", &mut path.destination),
                ("Path Group:", &mut path.group),
                ("Data Path Delay:", &mut path.delay),
                ("Logic Levels:", &mut path.levels),
            ];
            for (key, field) in fields {
                if let Some(value) = text.strip_prefix(key) {
                    *field = value.trim().to_string();
                }
            }
            if text.starts_with("slack ") {
                (open, inside) = (None, false);
            }
        }
    }
    match open {
        Some(begin) => Err(source.error(begin, "a path without its slack at the end: the report is cut or damaged")),
        None => Ok(found),
    }
}
