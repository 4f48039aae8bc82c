//! The command in a report's header: which report it is, and which options change what stands in it.

/// A Tcl command as Vivado repeats it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub name: String,
    /// Name without its dash, and what follows up to the next option
    options: Vec<(String, String)>,
}

/// Options by which a report is about a part of the design, with the fewest letters that Tcl takes for them. `-pb` is the name of a file.
const PARTS: [(&str, usize); 3] = [("cells", 2), ("pblocks", 3), ("inter_slr", 3)];

impl Command {
    pub fn of(text: &str) -> Command {
        let mut words = words(text).into_iter();
        let mut command = Command { name: words.next().unwrap_or_default(), options: Vec::new() };
        for word in words {
            match (word.strip_prefix('-'), command.options.last_mut()) {
                // A number is a value.
                (Some(name), _) if name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                    command.options.push((name.to_string(), String::new()));
                }
                (_, Some((_, value))) => {
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(&word);
                }
                (_, None) => {}
            }
        }
        command
    }

    /// The value of an option, which may be shortened to its first `least` letters.
    pub fn value(&self, option: &str, least: usize) -> Option<&str> {
        let is = |name: &str| name.len() >= least && option.starts_with(name);
        self.options.iter().find(|(name, _)| is(name)).map(|(_, value)| value.as_str())
    }

    pub fn has(&self, option: &str, least: usize) -> bool {
        self.value(option, least).is_some()
    }

    /// The options by which it is about a part of the design.
    pub fn part(&self) -> Option<String> {
        let given = PARTS.iter().filter_map(|(option, least)| Some(format!("-{option} {}", self.value(option, *least)?)));
        let given: Vec<String> = given.map(|o| o.trim_end().to_string()).collect();
        (!given.is_empty()).then(|| given.join(" "))
    }
}

/// Words as Tcl sees them: what is in brackets, braces or quotes is one.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut depth, mut quoted) = (Vec::new(), String::new(), 0usize, false);
    for c in text.chars() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            '"' => quoted = !quoted,
            _ => {}
        }
        if c.is_whitespace() && depth == 0 && !quoted {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        } else {
            word.push(c);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_make_it_a_part_of_the_design() {
        for (text, part) in [
            ("report_utilization -file util.rpt", None),
            ("report_utilization -file top.rpt -pb top.pb", None),
            ("report_utilization -cells [get_cells u_fifo] -file util.rpt", Some("-cells [get_cells u_fifo]")),
            ("report_utilization -cell u_fifo", Some("-cells u_fifo")),
            ("report_utilization -pblocks [get_pblocks -filter {NAME =~ p* }]", Some("-pblocks [get_pblocks -filter {NAME =~ p* }]")),
            ("report_utilization -pblock p1 -file u.rpt", Some("-pblocks p1")),
            ("report_utilization -file {a -cells b.rpt}", None),
            ("report_utilization -file \"a -cells b.rpt\" -hierarchical", None),
            ("report_timing_summary -cells u -file t.rpt", Some("-cells u")),
            ("report_timing_summary -check_timing_verbose -input_pins -file t.rpt", None),
            ("report_timing_summary -inter_slr any_crossing", Some("-inter_slr any_crossing")),
            ("", None),
            ("-", None),
            ("report_utilization ]]]} -cells", Some("-cells")),
        ] {
            assert_eq!(Command::of(text).part().as_deref(), part, "{text}");
        }
    }

    #[test]
    fn a_negative_number_is_a_value() {
        let command = Command::of("report_timing_summary -slack_lesser_than -0.5 -max_paths 10");
        assert_eq!((command.value("slack_lesser_than", 2), command.value("max_paths", 5)), (Some("-0.5"), Some("10")));
        assert_eq!(Command::of("report_timing_summary -slack_less 0 -no_detailed").value("slack_lesser_than", 2), Some("0"));
    }
}
