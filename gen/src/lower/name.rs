//! Names of the kernel: `row[2*k+1]$take$next` becomes `row[5]$take`.

use crate::error::What;

/// Loop variables, innermost last, and const generics.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    values: Vec<(String, i128)>,
}

impl Environment {
    pub fn new(params: &[(&'static str, u64)]) -> Self {
        Self { values: params.iter().map(|(n, v)| (n.to_string(), i128::from(*v))).collect() }
    }

    pub fn get(&self, name: &str) -> Option<i128> {
        self.values.iter().rev().find(|(n, _)| n == name).map(|(_, v)| *v)
    }

    pub fn push(&mut self, name: &str, value: i128) {
        self.values.push((name.to_string(), value));
    }

    pub fn pop(&mut self) {
        self.values.pop();
    }
}

/// The name with evaluated indices, without `$next`.
pub fn resolve(text: &str, env: &Environment) -> Result<String, What> {
    let text = text.trim_start_matches('.').replace("::", "$").replace('.', "$");
    let text = text.strip_suffix("$next").unwrap_or(&text);
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let fail = |reason: &str| What::Index { name: text.to_string(), reason: reason.to_string() };
        out.push_str(&rest[..open]);
        let mut depth = 0;
        let close = rest[open..]
            .find(|c| {
                depth += i32::from(c == '[') - i32::from(c == ']');
                depth == 0
            })
            .ok_or_else(|| fail("a bracket is missing"))?;
        let index = &rest[open + 1..open + close];
        let value = Parser { text: index.as_bytes(), at: 0, env }.all().map_err(|reason| fail(&reason))?;
        let value = usize::try_from(value).map_err(|_| fail(&format!("{value} is negative")))?;
        out.push_str(&format!("[{value}]"));
        rest = &rest[open + close + 1..];
    }
    out.push_str(rest);
    Ok(out)
}

/// Integer arithmetic with `+ - * / %`, parentheses, and names from the environment.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    env: &'a Environment,
}

impl Parser<'_> {
    fn all(mut self) -> Result<i128, String> {
        let value = self.sum()?;
        match self.text.get(self.at) {
            None => Ok(value),
            Some(_) => Err(format!(
                "{} is not known before the design runs; only literals, loop variables and const generics are",
                String::from_utf8_lossy(self.text)
            )),
        }
    }

    fn take(&mut self, allowed: &[u8]) -> Option<u8> {
        let c = *self.text.get(self.at)?;
        allowed.contains(&c).then(|| {
            self.at += 1;
            c
        })
    }

    fn sum(&mut self) -> Result<i128, String> {
        let mut value = self.product()?;
        while let Some(op) = self.take(b"+-") {
            let right = self.product()?;
            value = if op == b'+' { value + right } else { value - right };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<i128, String> {
        let mut value = self.atom()?;
        while let Some(op) = self.take(b"*/%") {
            let right = self.atom()?;
            value = match op {
                b'*' => value.checked_mul(right),
                b'/' => value.checked_div(right),
                _ => value.checked_rem(right),
            }
            .ok_or_else(|| format!("{value} {} {right} has no value", char::from(op)))?;
        }
        Ok(value)
    }

    fn atom(&mut self) -> Result<i128, String> {
        if self.take(b"(").is_some() {
            let value = self.sum()?;
            return self.take(b")").map(|_| value).ok_or_else(|| "a parenthesis is missing".to_string());
        }
        let start = self.at;
        while self.text.get(self.at).is_some_and(|c| c.is_ascii_alphanumeric() || *c == b'_') {
            self.at += 1;
        }
        let word = String::from_utf8_lossy(&self.text[start..self.at]).to_string();
        if let Some(value) = integer(&word) {
            return Ok(value);
        }
        self.env.get(&word).ok_or_else(|| format!("{word} is neither a loop variable nor a const generic"))
    }
}

/// A Rust integer literal, with underscores, base and type suffix.
pub fn integer(text: &str) -> Option<i128> {
    let text = text.replace('_', "");
    let suffixes = ["usize", "u128", "i128", "isize", "u64", "i64", "u32", "i32", "u16", "i16", "u8", "i8"];
    let digits = suffixes.iter().find_map(|s| text.strip_suffix(s)).unwrap_or(&text);
    let (digits, radix) = match digits.get(..2) {
        Some("0x") => (&digits[2..], 16),
        Some("0b") => (&digits[2..], 2),
        Some("0o") => (&digits[2..], 8),
        _ => (digits, 10),
    };
    i128::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_evaluated() {
        let mut env = Environment::new(&[("N", 4)]);
        env.push("i", 3);
        for (text, expected) in [
            ("x", "x"),
            ("x$next", "x"),
            ("row[i]$take$next", "row[3]$take"),
            ("a[2*i+1]$q", "a[7]$q"),
            ("a[N-1-(i-1)][i%2]", "a[1][1]"),
            (".x.y", "x$y"),
            ("State::Idle", "State$Idle"),
        ] {
            assert_eq!(resolve(text, &env), Ok(expected.to_string()), "{text}");
        }
        for text in ["a[j]", "a[i", "a[i-4]", "a[x$val()]", "a[i/0]"] {
            assert!(matches!(resolve(text, &env), Err(What::Index { .. })), "{text}");
        }
    }

    #[test]
    fn literals_of_rust() {
        for (text, expected) in
            [("12", Some(12)), ("0x1f_u8", Some(31)), ("0b1_01", Some(5)), ("7usize", Some(7)), ("x1", None), ("", None)]
        {
            assert_eq!(integer(text), expected, "{text}");
        }
    }
}
