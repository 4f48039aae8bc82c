//! What is found about a run that failed: it is run again with a wave of its last clocks, and what the hardware decided in it is written.

use super::late::{BEHIND, Window};
use super::scenario::of_end;
use super::{Args, Engine};
use crate::fail::Fail;
use crate::output::{progress, shell, write_file};
use rdma_rtl_golden::decision::Line;
use rdma_rtl_sim::Model;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use vcd::{Command, ScopeItem, SimulationCommand, TimescaleUnit, Var};

/// Clocks of a native run of which a wave is written: it has every clock before it is cut.
const NATIVE: u64 = 500_000;
/// Signals that a save file shows; more are in the wave.
const SHOWN: usize = 400;

/// An end of what runs.
pub struct End {
    /// Nothing if there is one alone
    name: &'static str,
    clocks: u64,
    /// The clock that is marked
    failing: u64,
}

impl End {
    /// `said`: why the run failed. A rule that was broken names its clock (`cycle 4145: m_axi_w: …`); else the run ended where it failed.
    pub fn new(name: &'static str, clocks: u64, said: &str) -> End {
        let digits = said.split("cycle ").skip(1).find_map(|rest| rest.split_once(':')).and_then(|(number, _)| number.parse().ok());
        // A rule that is broken before the edge counts the clocks before it.
        let named = digits.map(|clock: u64| clock + 1).filter(|clock| *clock <= clocks);
        End { name, clocks, failing: named.unwrap_or(clocks) }
    }

    fn window(&self, last: u64) -> Window {
        Window { from: self.failing.saturating_sub(last), until: self.failing.saturating_add(BEHIND) }
    }
}

/// What a second run gave: the clocks of each end, and decisions.
pub struct Second {
    pub clocks: Vec<u64>,
    pub lines: Vec<Line>,
}

/// The run again.
pub type Run<'a> = dyn FnMut(&Args, &[Window]) -> Result<Second, Fail> + 'a;

/// A model that stopped by itself (`$fatal`, a difference between two in lockstep) stands still, and the bench sees only that: what it says
/// comes first, and a run over it is no pass.
pub fn or_stopped<T>(result: Result<T, String>, model: &dyn Model) -> Result<T, String> {
    let Some(text) = model.failure() else { return result };
    let after = result.err().map_or(String::new(), |then| format!("\nafter that: {then}"));
    Err(format!("the hardware stopped in clock {} of the model: {}{after}", model.cycle(), text.trim_end()))
}

/// For the message of the check that failed, and the files that it names.
#[derive(Default)]
pub struct Found {
    pub text: String,
    pub files: Vec<PathBuf>,
}

impl Found {
    fn line(&mut self, line: String) {
        self.text += "\n";
        self.text += &line;
    }
}

/// Runs a failed run again. `name`: of its files. `run`: the run, with arguments that have a wave, each end's of its window.
///
/// What goes wrong here is a line of the message: the failure itself is what counts.
pub fn look(args: &Args, name: &str, ends: &[End], run: &mut Run) -> Found {
    let mut found = Found::default();
    if args.last == 0 || ends.iter().all(|end| end.clocks == 0) {
        return found;
    }
    let native = args.engine == Engine::Native && args.scenario.is_none();
    if let Some(end) = ends.iter().find(|end| native && end.clocks > NATIVE) {
        found.line(format!("no wave: {} clocks are too many for the native engine; --engine verilator", end.clocks));
        return found;
    }
    let bar = progress("run it again with a wave of its last clocks".to_string());
    let wave = args.failure.join(format!("{name}.vcd"));
    let again = Args { wave: Some(wave), ..args.clone() };
    let windows: Vec<Window> = ends.iter().map(|end| end.window(args.last)).collect();
    let second = std::fs::create_dir_all(&args.failure)
        .map_err(|e| Fail::Tool(format!("cannot make the folder {}: {e}", args.failure.display())))
        .and_then(|()| run(&again, &windows));
    bar.finish_and_clear();
    let second = match second {
        Ok(second) => second,
        Err(fail) => {
            found.line(format!("no wave of the failure: {fail}"));
            return found;
        }
    };
    for (at, end) in ends.iter().enumerate() {
        let Some(wave) = (if end.name.is_empty() { again.wave.clone() } else { of_end(&again, end.name).wave }) else { continue };
        if !wave.is_file() {
            continue;
        }
        let clocks = second.clocks.get(at).copied().unwrap_or_default();
        if clocks != end.clocks {
            found.line(format!("the second run, with the wave, ended in another clock ({clocks} instead of {})", end.clocks));
        }
        match saved(&wave, windows[at].from, end.failing, native) {
            Ok((files, nanoseconds)) => {
                let [wave, gtkwave, surfer] = [&files[0], &files[1], &files[2]].map(|file| shell(file));
                let last = end.failing - windows[at].from;
                found.line(format!(
                    "wave of the {last} clocks up to the failing one at {nanoseconds} ns: gtkwave {gtkwave}, or surfer --command-file {surfer} {wave}"
                ));
                found.files.extend(files);
            }
            Err(e) => found.line(format!("{}: {e}", wave.display())),
        }
    }
    if !second.lines.is_empty() {
        let path = args.failure.join(format!("{name}.decisions.jsonl"));
        match written(&path, &second.lines) {
            Ok(()) => {
                found.line(format!("decisions up to it: {}", path.display()));
                found.files.push(path);
            }
            Err(fail) => found.line(fail.to_string()),
        }
    }
    found
}

/// One JSON object per line.
pub fn written(path: &Path, lines: &[Line]) -> Result<(), Fail> {
    let text: String = lines.iter().map(|line| line.to_json() + "\n").collect();
    write_file(path, text.as_bytes())
}

/// The wave, cut if it has every clock, with a save file for GTKWave and commands for Surfer beside it, and when the failing clock rises.
fn saved(wave: &Path, from: u64, failing: u64, whole: bool) -> Result<([PathBuf; 3], u64), String> {
    let said = |e: std::io::Error| e.to_string();
    let header = vcd::Parser::new(BufReader::new(File::open(wave).map_err(said)?)).parse_header().map_err(said)?;
    // Both engines give a clock 10 ns and let it rise in the middle.
    let scale = match header.timescale {
        Some((number, TimescaleUnit::PS)) => 1000 / u64::from(number.max(1)),
        _ => 1,
    };
    if whole {
        cut(wave, from * 10 * scale).map_err(said)?;
    }
    let rises = (failing * 10).saturating_sub(5);
    let begins = (from * 10).max(rises.saturating_sub(200));
    let (scope, signals) = ports(&header.items, String::new()).unwrap_or_default();
    let wave = std::path::absolute(wave).map_err(said)?;
    let (gtkw, sucl) = (wave.with_extension("gtkw"), wave.with_extension("sucl"));
    let [marker, start] = [rises, begins].map(|time| time * scale);
    for (path, text) in [(&gtkw, gtkwave(&wave, marker, start, scale, &scope, &signals)), (&sucl, surfer(marker, &scope, &signals))] {
        write_file(path, text.as_bytes()).map_err(|fail| fail.to_string())?;
    }
    Ok(([wave, gtkw, sucl], rises))
}

/// The first scope with signals: the top's ports are there, and what it has beside them.
fn ports(items: &[ScopeItem], path: String) -> Option<(String, Vec<Var>)> {
    let signals: Vec<Var> = items.iter().filter_map(|item| if let ScopeItem::Var(var) = item { Some(var.clone()) } else { None }).collect();
    if !signals.is_empty() && !path.is_empty() {
        return Some((path, signals));
    }
    items.iter().find_map(|item| match item {
        ScopeItem::Scope(scope) => {
            let dot = if path.is_empty() { "" } else { "." };
            ports(&scope.children, format!("{path}{dot}{}", scope.identifier))
        }
        ScopeItem::Var(_) => None,
    })
}

/// A save file of GTKWave: primary marker and marker A on the failing clock.
fn gtkwave(wave: &Path, marker: u64, start: u64, scale: u64, scope: &str, signals: &[Var]) -> String {
    // 200 pixels are 2^-zoom units of time, here 64 ns. A `timestart` that is less than a screen before the end is passed over: a screen of
    // this size is less than what is behind the marker.
    let zoom = -6.0 - (scale as f64).log2();
    let unset = " -1".repeat(25);
    let mut text = format!(
        "[*] written by rdma-rtl: the failing clock is marked\n[dumpfile] \"{}\"\n[timestart] {start}\n[size] 1600 900\n[pos] -1 -1\n\
         *{zoom:.6} {marker} {marker}{unset}\n[treeopen] {scope}.\n[sst_expanded] 1\n",
        wave.display()
    );
    for var in signals.iter().take(SHOWN) {
        let index = var.index.map_or(String::new(), |index| index.to_string());
        text += &format!("@{}\n{scope}.{}{index}\n", if var.size == 1 { "28" } else { "22" }, var.reference);
    }
    text
}

/// Commands of Surfer, which runs them when it has read the wave: cursor and a marker on the failing clock.
fn surfer(marker: u64, scope: &str, signals: &[Var]) -> String {
    let mut text = String::new();
    for var in signals.iter().take(SHOWN) {
        text += &format!("variable_add {scope}.{}\n", var.reference);
    }
    text + &format!("cursor_set {marker}\nmarker_set failing_clock {marker}\ngoto_cursor\n")
}

/// Takes what was before a time out of a wave: values as they are then, and what changes from then on.
fn cut(wave: &Path, from: u64) -> std::io::Result<()> {
    let part = wave.with_extension("part");
    let done = cut_into(wave, from, &part).and_then(|()| std::fs::rename(&part, wave));
    if done.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    done
}

fn cut_into(wave: &Path, from: u64, part: &Path) -> std::io::Result<()> {
    let mut parser = vcd::Parser::new(BufReader::new(File::open(wave)?));
    let mut out = BufWriter::new(File::create(part)?);
    let mut writer = vcd::Writer::new(&mut out);
    writer.header(&parser.parse_header()?)?;
    let (mut last, mut begun) = (BTreeMap::new(), false);
    for command in parser {
        let command = command?;
        if begun {
            writer.command(&command)?;
            continue;
        }
        match command {
            Command::Timestamp(time) if time >= from => {
                writer.timestamp(from)?;
                writer.begin(SimulationCommand::Dumpvars)?;
                last.values().try_for_each(|value| writer.command(value))?;
                writer.end()?;
                writer.timestamp(time)?;
                begun = true;
            }
            Command::ChangeScalar(id, _) | Command::ChangeVector(id, _) | Command::ChangeReal(id, _) | Command::ChangeString(id, _) => {
                last.insert(id, command);
            }
            _ => {}
        }
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WAVE: &str = "$timescale 1 ps $end\n$scope module top $end\n$var wire 1 ! clk $end\n$var wire 4 \" q [3:0] $end\n$upscope $end\n\
        $enddefinitions $end\n#0\n$dumpvars\n0!\nb0000 \"\n$end\n#5000\n1!\nb0001 \"\n#10000\n0!\n#15000\n1!\nb0010 \"\n#20000\n0!\n";

    #[test]
    fn a_run_over_a_model_that_stopped_is_no_pass() {
        struct Stopped(Option<&'static str>);
        impl Model for Stopped {
            fn ports(&self) -> &[rdma_rtl_sim::Port] {
                &[]
            }
            fn poke(&mut self, _: usize, _: &[u32]) {}
            fn peek(&self, _: usize, _: &mut [u32]) {}
            fn eval(&mut self) {}
            fn clock(&mut self) {}
            fn cycle(&self) -> u64 {
                7
            }
            fn failure(&self) -> Option<&str> {
                self.0
            }
        }
        let stopped = Stopped(Some("they differ"));
        assert_eq!(or_stopped(Ok(3), &stopped), Err("the hardware stopped in clock 7 of the model: they differ".into()));
        assert!(or_stopped(Err::<(), _>("nothing came".into()), &stopped).unwrap_err().ends_with("they differ\nafter that: nothing came"));
        assert_eq!(or_stopped(Ok(3), &Stopped(None)), Ok(3));
    }

    #[test]
    fn the_clock_of_a_broken_rule_is_the_one() {
        let failing = |said: &str| End::new("", 5000, said).failing;
        assert_eq!(failing("1 rules broken, the first: cycle 4145: m_axi_w: outside of memory"), 4146);
        assert_eq!((failing("cycle 9000: of another count"), failing("a cycle later: nothing"), failing("")), (5000, 5000, 5000));
        let window = End::new("", 300, "").window(2000);
        assert_eq!((window.from, window.until), (0, 350));
    }

    #[test]
    fn a_wave_is_cut_and_marked() {
        let folder = tempfile::tempdir().unwrap();
        let wave = folder.path().join("w.vcd");
        std::fs::write(&wave, WAVE).unwrap();
        let ([_, gtkw, sucl], rises) = saved(&wave, 1, 2, true).unwrap();
        assert_eq!(rises, 15);
        let text = std::fs::read_to_string(&wave).unwrap();
        let values = text.split_once("$enddefinitions $end\n").unwrap().1;
        assert_eq!(values, "#10000\n$dumpvars\n1!\nb0001 \"\n$end\n#10000\n0!\n#15000\n1!\nb0010 \"\n#20000\n0!\n");
        let text = std::fs::read_to_string(gtkw).unwrap();
        assert!(text.contains(" 15000 15000 -1") && text.contains("@28\ntop.clk\n@22\ntop.q[3:0]\n"), "{text}");
        let marks = text.lines().find(|line| line.starts_with('*')).unwrap();
        assert_eq!(marks.split_whitespace().count(), 28, "zoom, primary, A to Z");
        let zoom: f64 = marks[1..].split(' ').next().unwrap().parse().unwrap();
        assert!((50.0..80.0).contains(&(2f64.powf(-zoom) / 1000.0)), "nanoseconds in 200 pixels, of a wave in picoseconds: {marks}");
        let text = std::fs::read_to_string(sucl).unwrap();
        assert!(text.contains("variable_add top.q\n") && text.contains("cursor_set 15000\nmarker_set failing_clock 15000\n"), "{text}");
    }
}
