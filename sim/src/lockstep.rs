//! Two models side by side: every output compared every cycle.

use crate::Error;
use crate::model::{Direction, Model, Port};
use crate::wave::{Recorded, write_recorded};
use std::collections::VecDeque;
use std::fmt;
use std::path::{Path, PathBuf};

/// Two models with the same ports, driven alike. It is a [`Model`] itself, so that every bench runs on it unchanged.
///
/// Outputs are compared after every `clock` and after every `eval`. At the first difference it stops: [`Lockstep::difference`] has
/// the report, [`Model::failure`] its text. Its own outputs are those of the left model.
pub struct Lockstep<L, R> {
    left: L,
    right: R,
    names: [String; 2],
    /// Per port of the left model: its position in the right one, and where its words are in `now`.
    right_index: Vec<usize>,
    offset: Vec<usize>,
    /// Words of all ports: of the left model, and of the right one in the left one's order.
    now: [Vec<u32>; 2],
    /// The last cycles, oldest first; of the right model the outputs count, inputs are the same.
    history: VecDeque<[Vec<u32>; 2]>,
    depth: usize,
    wave: Option<PathBuf>,
    difference: Option<Box<Difference>>,
    failure: Option<String>,
}

/// Where two models first differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The cycle in which they differ, the first one being 1.
    pub cycle: u64,
    /// Names of the models.
    pub models: [String; 2],
    /// Every output that differs: name and both values, little-endian words.
    pub outputs: Vec<(String, Vec<u32>, Vec<u32>)>,
    /// The last cycles as text.
    pub table: String,
    /// Both models' ports over those cycles, if it was asked for: the file, or why it could not be written.
    pub wave: Option<Result<PathBuf, String>>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [left, right] = &self.models;
        for (i, (name, a, b)) in self.outputs.iter().enumerate() {
            let start = if i == 0 { format!("cycle {}: ", self.cycle) } else { "  and ".to_string() };
            writeln!(f, "{start}`{name}` is {} in {left}, {} in {right}", hex(a), hex(b))?;
        }
        write!(f, "\n{}", self.table)?;
        match &self.wave {
            Some(Ok(path)) => write!(f, "\nwave: {}", path.display()),
            Some(Err(reason)) => write!(f, "\nno wave: {reason}"),
            None => Ok(()),
        }
    }
}

/// Hexadecimal with all leading zeros dropped.
fn hex(words: &[u32]) -> String {
    let mut text = String::new();
    for word in words.iter().rev() {
        text.push_str(&format!("{word:08x}"));
    }
    let digits = text.trim_start_matches('0');
    if digits.is_empty() { "0".into() } else { digits.into() }
}

impl<L: Model, R: Model> Lockstep<L, R> {
    /// Joins two models that have seen the same inputs so far. The names appear in the report: `native`, `verilated`.
    ///
    /// Errors: ports that are not the same in name, width and direction; their order is free.
    pub fn new(left: (&str, L), right: (&str, R)) -> Result<Self, Error> {
        let names = [left.0.to_string(), right.0.to_string()];
        let (left, right) = (left.1, right.1);
        let mut right_index = Vec::new();
        for port in left.ports() {
            let found = right.ports().iter().position(|p| p == port);
            right_index.push(found.ok_or_else(|| Error::DifferentPorts { detail: mismatch(port, &names, right.ports()) })?);
        }
        if let Some(extra) = right.ports().iter().find(|p| !left.ports().contains(p)) {
            return Err(Error::DifferentPorts { detail: mismatch(extra, &[names[1].clone(), names[0].clone()], left.ports()) });
        }
        let mut offset = vec![0];
        for port in left.ports() {
            offset.push(offset[offset.len() - 1] + port.words());
        }
        let words = offset[offset.len() - 1];
        Ok(Lockstep {
            left,
            right,
            names,
            right_index,
            offset,
            now: [vec![0; words], vec![0; words]],
            history: VecDeque::new(),
            depth: 16,
            wave: None,
            difference: None,
            failure: None,
        })
    }

    /// How many cycles the report shows; 16 unless set. Every cycle is recorded, so many cost time.
    pub fn history(mut self, cycles: usize) -> Self {
        self.depth = cycles.max(1);
        self
    }

    /// Where a difference's wave goes: both models' ports over the cycles of the report.
    pub fn wave(mut self, path: impl Into<PathBuf>) -> Self {
        self.wave = Some(path.into());
        self
    }

    /// The first difference, if there is one.
    pub fn difference(&self) -> Option<&Difference> {
        self.difference.as_deref()
    }

    /// Both models, to open waves or look inside.
    pub fn models(&mut self) -> (&mut L, &mut R) {
        (&mut self.left, &mut self.right)
    }

    /// Reads all ports of both and compares the outputs; `edge` keeps them as the record of a cycle.
    fn compare(&mut self, edge: bool) {
        let ports = self.left.ports();
        let mut equal = true;
        for (i, port) in ports.iter().enumerate() {
            let words = self.offset[i]..self.offset[i + 1];
            self.left.peek(i, &mut self.now[0][words.clone()]);
            self.right.peek(self.right_index[i], &mut self.now[1][words.clone()]);
            equal &= port.direction == Direction::Input || self.now[0][words.clone()] == self.now[1][words];
        }
        if edge || !equal {
            let mut record = if self.history.len() >= self.depth { self.history.pop_front() } else { None }.unwrap_or_default();
            for (kept, now) in record.iter_mut().zip(&self.now) {
                kept.clone_from(now);
            }
            self.history.push_back(record);
        }
        if !equal {
            self.report(self.left.cycle() + u64::from(!edge));
        } else if let Some((name, text)) =
            [(&self.names[0], self.left.failure()), (&self.names[1], self.right.failure())].into_iter().find_map(|(n, f)| Some((n, f?)))
        {
            self.failure = Some(format!("{name}: {text}"));
        }
    }

    #[cold]
    fn report(&mut self, cycle: u64) {
        let ports = self.left.ports();
        let words = |side: usize, i: usize| &self.now[side][self.offset[i]..self.offset[i + 1]];
        let differs = |i: &usize| ports[*i].direction == Direction::Output && words(0, *i) != words(1, *i);
        let outputs =
            (0..ports.len()).filter(differs).map(|i| (ports[i].name.clone(), words(0, i).to_vec(), words(1, i).to_vec())).collect();
        let first = (cycle + 1).saturating_sub(self.history.len() as u64);
        let table = self.table(first);
        let wave = self
            .wave
            .as_deref()
            .map(|path| self.write_wave(path, first).map(|()| path.to_path_buf()).map_err(|e| format!("{}: {e}", path.display())));
        let difference = Difference { cycle, models: self.names.clone(), outputs, table, wave };
        self.failure = Some(difference.to_string());
        self.difference = Some(Box::new(difference));
    }

    fn write_wave(&self, path: &Path, first: u64) -> std::io::Result<()> {
        let file = std::fs::File::create(path)?;
        let ports = self.left.ports();
        let scope =
            |side: usize| Recorded { scope: &self.names[side], ports, cycles: self.history.iter().map(|c| c[side].as_slice()).collect() };
        write_recorded(file, first, &[scope(0), scope(1)])
    }

    /// One row per cycle, one column per port; an output that differs shows both values.
    fn table(&self, first: u64) -> String {
        let ports = self.left.ports();
        let order =
            || [Direction::Input, Direction::Output].into_iter().flat_map(|d| (0..ports.len()).filter(move |i| ports[*i].direction == d));
        let mark = |d| if d == Direction::Input { "<" } else { ">" };
        let mut rows = vec![vec!["cycle".to_string()]];
        rows[0].extend(order().map(|i| format!("{}{}", mark(ports[i].direction), ports[i].name)));
        for (n, record) in self.history.iter().enumerate() {
            let mut row = vec![(first + n as u64).to_string()];
            for i in order() {
                let range = self.offset[i]..self.offset[i + 1];
                let (a, b) = (&record[0][range.clone()], &record[1][range]);
                row.push(if ports[i].direction == Direction::Output && a != b { format!("{}!={}", hex(a), hex(b)) } else { hex(a) });
            }
            rows.push(row);
        }
        let widths: Vec<usize> = (0..rows[0].len()).map(|c| rows.iter().map(|r| r[c].len()).max().unwrap_or(0)).collect();
        let mut text = String::new();
        for row in rows {
            let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
            text.push_str(cells.join("  ").trim_end());
            text.push('\n');
        }
        text
    }
}

/// Why `port` of the first model has no match in the second.
fn mismatch(port: &Port, names: &[String; 2], other: &[Port]) -> String {
    let text = |p: &Port| format!("{:?} of {} bits", p.direction, p.width).to_lowercase();
    let found = other.iter().find(|p| p.name == port.name).map_or("not there".to_string(), text);
    format!("`{}` is {} in {}, {} in {}", port.name, text(port), names[0], found, names[1])
}

impl<L: Model, R: Model> Model for Lockstep<L, R> {
    fn ports(&self) -> &[Port] {
        self.left.ports()
    }
    fn poke(&mut self, port: usize, words: &[u32]) {
        self.left.poke(port, words);
        self.right.poke(self.right_index[port], words);
    }
    fn peek(&self, port: usize, words: &mut [u32]) {
        self.left.peek(port, words);
    }
    fn eval(&mut self) {
        if self.failure.is_none() {
            self.left.eval();
            self.right.eval();
            self.compare(false);
        }
    }
    fn clock(&mut self) {
        if self.failure.is_none() {
            self.left.clock();
            self.right.clock();
            self.compare(true);
        }
    }
    fn cycle(&self) -> u64 {
        self.left.cycle()
    }
    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}
