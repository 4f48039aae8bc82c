//! Texts of the design inside of other languages: whatever a doc comment says, it stays a text there.

/// XML and SVG: what would end a text or an attribute, and characters that XML 1.0 does not have.
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A line of Markdown: code spans stay, no HTML comes of the rest.
pub fn markdown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts: Vec<&str> = line.split('`').collect();
    let mut out = String::new();
    for (i, part) in parts.iter().enumerate() {
        // Every second part is code; a last one without its end is not.
        let closed = i + 1 < parts.len();
        if i % 2 == 1 && closed {
            out.push_str(&format!("`{part}`"));
        } else {
            if i % 2 == 1 {
                out.push_str("\\`");
            }
            out.push_str(&part.replace('&', "&amp;").replace('<', "&lt;"));
        }
    }
    out
}

/// A cell of a Markdown table: a line that cannot end the cell.
pub fn cell(text: &str) -> String {
    markdown(text).replace('|', "\\|")
}

/// A line in a comment of Verilog, VHDL, Tcl, XDC or YAML that reaches to the end of the line.
pub fn comment(text: &str) -> String {
    // A backslash at the end of a line would take the next line into a Tcl comment.
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches('\\').trim_end().to_string()
}

/// A word of Tcl.
pub fn tcl(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' | '$' | '[' | ']' | '{' | '}' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A string of JSON, which is one of YAML too.
pub fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a <b>&\"c\" ]]> | `x|<y>` ${z} [exit] \u{1} `open";

    #[test]
    fn a_text_stays_a_text() {
        assert_eq!(xml(HOSTILE), "a &lt;b&gt;&amp;&quot;c&quot; ]]&gt; | `x|&lt;y&gt;` ${z} [exit]   `open");
        assert_eq!(cell(HOSTILE), "a &lt;b>&amp;\"c\" ]]> \\| `x\\|<y>` ${z} [exit] \u{1} \\`open");
        assert_eq!(tcl(HOSTILE), "\"a <b>&\\\"c\\\" \\]\\]> | `x|<y>` \\$\\{z\\} \\[exit\\]   `open\"");
        assert_eq!(comment("one\ntwo \\"), "one two");
        assert_eq!(markdown("x `a` & `b` <c>"), "x `a` &amp; `b` &lt;c>");
    }
}
