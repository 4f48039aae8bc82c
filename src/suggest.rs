//! What somebody who has mistyped a name may have meant.

/// The name that is nearest to `text`, if one is near enough to be meant.
pub fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const NEAR: f64 = 0.75;
    let text = text.to_lowercase().replace('-', "_");
    let rated = names.into_iter().map(|name| (strsim::jaro_winkler(&text, name), name)).filter(|(near, _)| *near >= NEAR);
    rated.max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, name)| name)
}

/// `; did you mean ...?`, or nothing.
pub fn question<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(text, names).map_or(String::new(), |name| format!("; did you mean `{name}`?"))
}

/// The same for the message of a TOML file's unknown key: ``unknown field `X`, expected one of `A`, `B` ``.
pub fn of_key(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("unknown field `")?;
    let (key, allowed) = rest.split_once("`, expected ")?;
    let allowed = allowed.lines().next()?.split('`').skip(1).step_by(2);
    nearest(key, allowed).map(|name| format!("; did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_what_was_meant_and_a_far_one_is_not() {
        let names = ["receive_registry", "receive_endpoint", "send_endpoint", "fifo_lut"];
        for (text, meant) in [("recieve_registry", "receive_registry"), ("send-endpoint", "send_endpoint"), ("fifolut", "fifo_lut")] {
            assert_eq!(nearest(text, names), Some(meant));
        }
        assert_eq!(nearest("zzz", names), None);
    }

    #[test]
    fn a_key_is_held_against_those_that_the_message_allows() {
        let message = "x.toml: network: unknown field `lss`, expected one of `loss`, `rate`, `jitter`\nin line 3";
        assert_eq!(of_key(message).as_deref(), Some("; did you mean `loss`?"));
        assert_eq!(of_key("unknown field `q`, expected `loss`"), None);
        assert_eq!(of_key("no such file"), None);
    }
}
