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
    /// Where a MAC can be, where that is known.
    pub mac: Option<Mac>,
}

/// A MAC of the board: its core, the transceivers at its cage and their reference clock.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mac {
    pub kind: MacKind,
    /// The cage, as the board's guide calls it.
    pub cage: String,
    /// Site of a CMAC.
    pub core: Option<String>,
    /// Its transceivers: four of a quad in a row for a CMAC, one for a 10G or 25G MAC.
    pub lanes: Vec<String>,
    /// Gb/s of a lane: 25 of a CMAC, 10 or 25 else.
    pub gbps: u64,
    /// RS-FEC: on for the short cables and optics that want it, off for LR4 and the like.
    #[serde(default)]
    pub fec: bool,
    /// MHz of the reference clock.
    pub refclk_mhz: f64,
    pub refclk_p: String,
    pub refclk_n: String,
    /// Pins of the cage that are held.
    #[serde(default)]
    pub tie: Vec<Tie>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MacKind {
    /// The integrated 100G MAC of UltraScale+.
    Cmac,
    /// The 10G/25G MAC in logic.
    Xxv,
}

impl MacKind {
    /// Bits of a beat of its frames.
    pub fn width(self) -> u64 {
        match self {
            MacKind::Cmac => 512,
            MacKind::Xxv => 64,
        }
    }

    /// The block that stands between an endpoint and it.
    pub fn bridge(self) -> &'static str {
        match self {
            MacKind::Cmac => "mac_bridge",
            MacKind::Xxv => "mac_bridge_25g",
        }
    }
}

impl Board {
    /// Outputs that are held, those of the MAC's cage with them where there is one in the design.
    pub fn ties(&self, with_mac: bool) -> impl Iterator<Item = &Tie> {
        self.tie.iter().chain(self.mac.iter().filter(move |_| with_mac).flat_map(|mac| &mac.tie))
    }
}

impl Mac {
    /// Quad of its transceivers as its core wants it.
    pub fn group(&self) -> Option<String> {
        let (first, last) = (self.lanes.first()?, self.lanes.last()?);
        let (column, row) = site("", first)?;
        Some(match self.kind {
            MacKind::Cmac => format!("{first}~{last}"),
            MacKind::Xxv => format!("Quad_X{column}Y{}", row / 4),
        })
    }
}

/// Column and row of a site like `X1Y44`, behind a prefix.
fn site(prefix: &str, name: &str) -> Option<(u32, u32)> {
    let (column, row) = name.strip_prefix(prefix)?.strip_prefix('X')?.split_once('Y')?;
    let number = |text: &str| (text.len() <= 3 && text.chars().all(|c| c.is_ascii_digit())).then(|| text.parse().ok()).flatten();
    Some((number(column)?, number(row)?))
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
    if let Some(mac) = &board.mac {
        pin("refclk_p", &mac.refclk_p)?;
        pin("refclk_n", &mac.refclk_n)?;
        sites(mac).map_err(&wrong)?;
    }
    for tie in board.tie.iter().chain(board.mac.iter().flat_map(|mac| &mac.tie)) {
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
        .chain(board.tie.iter().chain(board.mac.iter().flat_map(|mac| &mac.tie)).map(|t| &t.why))
        .chain(board.mac.iter().map(|mac| &mac.cage))
        .chain([&board.title])
        .chain(board.clock.iter().map(|c| &c.name))
    {
        if text.chars().any(char::is_control) {
            return Err(wrong(format!("`{}`: one line without control characters", text.escape_debug())));
        }
    }
    Ok(board)
}

/// What the cores have: sites that fit, rates and reference clocks that there are.
fn sites(mac: &Mac) -> Result<(), String> {
    let places: Vec<(u32, u32)> = mac.lanes.iter().map_while(|lane| site("", lane)).collect();
    if places.len() != mac.lanes.len() || places.is_empty() {
        return Err(format!("lanes = {:?}: sites of transceivers, like X1Y44", mac.lanes));
    }
    let clocks: &[f64] = match mac.kind {
        MacKind::Cmac => {
            let (column, row) = places[0];
            if row % 4 != 0 || places != [0, 1, 2, 3].map(|lane| (column, row + lane)) {
                return Err(format!("lanes = {:?}: a CMAC has the four of a quad, in a row", mac.lanes));
            }
            if mac.core.as_deref().and_then(|core| site("CMACE4_", core)).is_none() {
                return Err(format!("core = {:?}: the site of a CMAC, like CMACE4_X0Y7", mac.core.as_deref().unwrap_or_default()));
            }
            &[156.25, 161.132_812_5, 195.312_5, 312.5, 322.265_625]
        }
        MacKind::Xxv => {
            if places.len() != 1 || mac.core.is_some() || mac.fec {
                return Err("mac.kind = \"xxv\": one lane, no `core` and no `fec`".into());
            }
            &[156.25, 161.132_812_5, 312.5, 322.265_625]
        }
    };
    let rates: &[u64] = if mac.kind == MacKind::Cmac { &[25] } else { &[10, 25] };
    if !rates.contains(&mac.gbps) {
        return Err(format!("gbps = {}; allowed are {rates:?}", mac.gbps));
    }
    if !clocks.contains(&mac.refclk_mhz) {
        return Err(format!("refclk_mhz = {}; allowed are {clocks:?}", mac.refclk_mhz));
    }
    Ok(())
}
