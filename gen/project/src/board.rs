//! Boards as data: part, clocks with their pins, pins that must be held.

use crate::Error;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

/// A board that a design can be built for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// Name on the command line: the file's, without its ending.
    #[serde(skip)]
    pub name: String,
    pub title: String,
    /// Part with package and speed grade, as Vivado spells it.
    pub part: String,
    /// Volts of the configuration bank, where it is known.
    pub config_voltage: Option<String>,
    /// Differential clocks that run without software; the first one is used.
    pub clock: Vec<Clock>,
    #[serde(default)]
    pub tie: Vec<Tie>,
    #[serde(default)]
    pub note: Vec<Note>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    pub name: String,
    /// MHz.
    pub mhz: f64,
    pub p: String,
    pub n: String,
    pub iostandard: String,
}

/// An output that is held at a value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tie {
    pub port: String,
    pub value: u8,
    pub pin: String,
    pub iostandard: String,
    pub why: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    pub text: String,
}

const FILES: [(&str, &str); 7] = [
    ("u250", include_str!("../../../fpga-projects/boards/u250.toml")),
    ("u280", include_str!("../../../fpga-projects/boards/u280.toml")),
    ("u55c", include_str!("../../../fpga-projects/boards/u55c.toml")),
    ("u50", include_str!("../../../fpga-projects/boards/u50.toml")),
    ("vcu118", include_str!("../../../fpga-projects/boards/vcu118.toml")),
    ("zcu102", include_str!("../../../fpga-projects/boards/zcu102.toml")),
    ("kcu1500", include_str!("../../../fpga-projects/boards/kcu1500.toml")),
];

static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    FILES.iter().map(|(name, text)| parse(&format!("{name}.toml"), text).expect("shipped boards are parsed by a test")).collect()
});

/// Boards that are shipped.
pub fn boards() -> &'static [Board] {
    &BOARDS
}

/// A shipped board by its name, or one of the user's by its file, which ends in `.toml`.
/// # Errors
/// An unknown name; a file that cannot be read or says what cannot be.
pub fn find(name: &str) -> Result<Board, Error> {
    if let Some(board) = BOARDS.iter().find(|b| b.name == name) {
        return Ok(board.clone());
    }
    if Path::new(name).extension().is_some_and(|e| e == "toml") {
        let text =
            std::fs::read_to_string(name).map_err(|e| Error::Board { file: name.to_string(), what: format!("cannot be read: {e}") })?;
        return parse(name, &text);
    }
    let known = BOARDS.iter().map(|b| b.name.as_str()).collect::<Vec<_>>().join(", ");
    Err(Error::UnknownBoard { name: name.to_string(), known })
}

/// A board from TOML; `file` names it in errors, and names the board.
/// # Errors
/// Keys that are missing, unknown or of another type; values that no board has.
pub fn parse(file: &str, text: &str) -> Result<Board, Error> {
    let wrong = |what: String| Error::Board { file: file.to_string(), what };
    let mut board: Board = toml::from_str(text).map_err(|e| {
        let line = e.span().map_or(1, |s| text[..s.start.min(text.len())].lines().count().max(1));
        wrong(format!("line {line}: {}", e.message().replace('\n', " ")))
    })?;
    board.name = Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    // What lands in Tcl is of letters that mean nothing there.
    let name = |what: &str, value: &str, more: &str| match value.chars().find(|c| !c.is_ascii_alphanumeric() && !more.contains(*c)) {
        None if !value.is_empty() => Ok(()),
        _ => Err(wrong(format!("{what} = `{value}`: letters, digits and `{more}` only, and not empty"))),
    };
    name("name of the file", &board.name, "_-.")?;
    name("part", &board.part, "-_")?;
    if !board.part.starts_with("xc") {
        return Err(wrong(format!("part = `{}` is none of AMD's (xc...)", board.part)));
    }
    if let Some(volts) = &board.config_voltage
        && !["1.5", "1.8", "2.5", "3.3"].contains(&volts.as_str())
    {
        return Err(wrong(format!("config_voltage = `{volts}`; allowed are 1.5, 1.8, 2.5, 3.3")));
    }
    if board.clock.is_empty() {
        return Err(wrong("no [[clock]]: a design needs one that runs without software".into()));
    }
    let mut pins = BTreeSet::new();
    let mut pin = |key: &str, value: &str| {
        let letters = value.chars().take_while(char::is_ascii_uppercase).count();
        let digits = &value[letters..];
        if !(1..=2).contains(&letters) || digits.is_empty() || digits.len() > 2 || !digits.chars().all(|c| c.is_ascii_digit()) {
            return Err(wrong(format!("{key} = `{value}` is no package pin, like AY37")));
        }
        if pins.insert(value.to_string()) { Ok(()) } else { Err(wrong(format!("{key} = `{value}`: that pin is used twice"))) }
    };
    for clock in &board.clock {
        if !(10.0..=800.0).contains(&clock.mhz) {
            return Err(wrong(format!("clock `{}`: mhz = {}; allowed is 10 to 800", clock.name, clock.mhz)));
        }
        name("iostandard", &clock.iostandard, "_")?;
        pin("p", &clock.p)?;
        pin("n", &clock.n)?;
    }
    for tie in &board.tie {
        name("port of [[tie]]", &tie.port, "_")?;
        name("iostandard", &tie.iostandard, "_")?;
        pin("pin", &tie.pin)?;
        if tie.value > 1 {
            return Err(wrong(format!("tie `{}`: value = {}; allowed are 0 and 1", tie.port, tie.value)));
        }
    }
    for text in board
        .note
        .iter()
        .map(|n| &n.text)
        .chain(board.tie.iter().map(|t| &t.why))
        .chain([&board.title])
        .chain(board.clock.iter().map(|c| &c.name))
    {
        if text.chars().any(char::is_control) {
            return Err(wrong(format!("`{}`: one line without control characters", text.escape_debug())));
        }
    }
    Ok(board)
}
