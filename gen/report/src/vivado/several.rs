//! Reports one behind the other in a file, as `-append` leaves them, and reports that begin without a header.

use super::header::is_rule;

/// Titles behind the header of what is read. `-no_header` leaves the header out.
pub(super) const TITLES: [&str; 2] = ["Timing Summary Report", "Utilization Design Information"];

/// Where a report begins. The first one begins with the file.
pub(super) fn begins(lines: &[&str]) -> Vec<usize> {
    let mut begins = vec![0];
    let mut in_header = false;
    for (i, line) in lines.iter().enumerate() {
        let above = |n: usize| i.checked_sub(n).and_then(|at| lines.get(at)).copied().unwrap_or_default();
        if line.starts_with("| Tool Version") {
            in_header = true;
            let rule = usize::from(is_rule(above(1)));
            let copyright = if rule == 1 && above(2).starts_with("Copyright") { 1 } else { 0 };
            begins.push(i - rule - copyright);
        } else if TITLES.contains(&line.trim_end()) {
            if !in_header {
                begins.push(i);
            }
            in_header = false;
        } else if is_route_status(&lines[i..]) {
            in_header = false;
            begins.push(i);
        } else if !line.trim().is_empty() && !line.starts_with('|') && !is_rule(line) {
            in_header = false;
        }
    }
    // Nothing but empty lines and a copyright may stand before the first.
    if let [0, first, ..] = begins[..]
        && lines[..first].iter().all(|l| l.trim().is_empty() || l.starts_with("Copyright"))
    {
        begins.remove(1);
    }
    begins
}

/// `report_route_status` writes no header, whatever the release.
fn is_route_status(lines: &[&str]) -> bool {
    lines.first().is_some_and(|l| l.trim_end() == "Design Route Status") && lines.get(1).is_some_and(|l| l.contains("# nets"))
}

/// The command of a report that is known without a header. Folders of high-level synthesis have `*.rpt` files too.
pub(super) fn without_header(lines: &[&str]) -> Option<String> {
    let first = lines.iter().position(|l| !l.trim().is_empty())?;
    if is_route_status(&lines[first..]) {
        return Some("report_route_status".into());
    }
    let synthesis = lines[first..].iter().take(4).find_map(|l| l.strip_prefix("== "))?;
    let kinds = ["Vitis HLS Report", "Vivado HLS Report", "Synthesis Summary Report"];
    kinds.iter().find(|k| synthesis.starts_with(**k)).map(|k| k.trim_end_matches(" Report").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_header_begins_a_report_with_its_copyright() {
        let lines = ["", "Copyright 1986", "-----", "| Tool Version : Vivado v.2019.2", "-----", "", "Timing Summary Report", "a", "", ""];
        assert_eq!(begins(&lines), [0]);
        let twice = [lines, lines].concat();
        assert_eq!(begins(&twice), [0, 11]);
        let mut bare = twice.clone();
        bare.drain(11..16);
        assert_eq!(begins(&bare), [0, 11], "the second without a header");
        let mut status = lines.to_vec();
        status.extend(["Design Route Status", "      :      # nets :"]);
        assert_eq!(begins(&status), [0, 10]);
        let drc = ["Copyright 1986", "-----", "| Tool Version : Vivado v.2019.2", "-----", "", "Report DRC", "", "Timing Summary Report"];
        assert_eq!(begins(&drc), [0, 7], "one of another command, then one without a header");
        assert_eq!(begins(&["noise", "Copyright", "-----", "| Tool Version : x"]), [0, 1], "what comes first is no report");
        assert_eq!(begins(&[]), [0]);
    }
}
