//! Verilog text to a loadable file: Verilator, then the C++ compiler.
//!
//! Verilator's many small files are compiled as few large ones, with its header precompiled and its runtime compiled once for all
//! designs: a small design is built in half a second instead of five.

use crate::process::{disk_full, first_errors, run};
use crate::{Design, Direction, Error, Options, Tools, Trace, cache, shim};
use rdma_rtl_process::kept;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Verilator's output below this size is one translation unit.
const UNIT: u64 = 400_000;

/// In front of code that runs once per model, which is not worth the optimiser's time.
const UNOPTIMISED: &str = "#ifdef __clang__\n#pragma clang optimize off\n#else\n#pragma GCC optimize (\"O0\")\n#endif\n";

/// Verilator's flags, without directories.
pub(crate) fn verilator_flags(design: &Design, options: &Options) -> Vec<String> {
    // Lint is a job of its own: here a warning must not stop a simulation.
    let mut flags: Vec<String> =
        ["--cc", "-O3", "-Wno-fatal", "--x-assign", "0", "--x-initial", "unique", "--timescale-override", "1ns/1ns", "--assert"]
            .map(String::from)
            .into();
    flags.extend(["--prefix", shim::CLASS, "--top-module", &design.top].map(String::from));
    match options.trace {
        Trace::None => {}
        Trace::Vcd => flags.push("--trace".into()),
        Trace::Fst => flags.push("--trace-fst".into()),
    }
    if options.coverage {
        flags.push("--coverage".into());
    }
    flags
}

/// The compiler's flags, without directories.
pub(crate) fn compiler_flags(tools: &Tools, options: &Options) -> Vec<String> {
    let on = |b: bool| u8::from(b);
    let (vcd, fst) = (options.trace == Trace::Vcd, options.trace == Trace::Fst);
    let mut flags: Vec<String> = ["-std=gnu++17", "-fPIC", "-fvisibility=hidden", "-w", "-pthread"].map(String::from).into();
    flags.push(options.optimize.flag().into());
    flags.extend(["-DVL_TIME_CONTEXT", "-DVL_USER_FINISH", "-DVL_USER_STOP", "-DVL_USER_FATAL", "-DVM_SC=0"].map(String::from));
    flags.push(format!("-DVM_COVERAGE={}", on(options.coverage)));
    flags.push(format!("-DVM_TRACE={}", on(vcd || fst)));
    flags.push(format!("-DVM_TRACE_VCD={}", on(vcd)));
    flags.push(format!("-DVM_TRACE_FST={}", on(fst)));
    flags.extend(tools.extra_flags.iter().cloned());
    flags
}

/// Everything that is the same for all models of one kind.
pub(crate) struct Compilation<'a> {
    pub tools: &'a Tools,
    pub design: &'a Design,
    pub options: &'a Options,
    pub cache: &'a Path,
}

impl Compilation<'_> {
    /// Builds in `work`: `src/` keeps the Verilog, `model.so` is the result, `verilator.log` what Verilator said.
    pub fn build(&self, work: &Path) -> Result<(), Error> {
        let failed = |e| Error::cache(self.cache, e);
        let (src, obj) = (work.join("src"), work.join("obj"));
        fs::create_dir(&src).map_err(failed)?;
        fs::create_dir(&obj).map_err(failed)?;
        for source in &self.design.sources {
            fs::write(src.join(&source.name), &source.text).map_err(failed)?;
        }
        self.verilate(work)?;
        let members = self.check_ports(&obj)?;
        let text = shim::text(self.design, &members, self.options.trace, self.options.coverage);
        fs::write(obj.join("shim.cpp"), text).map_err(failed)?;
        let lists = file_lists(&obj).map_err(failed)?;
        let runtime = self.runtime(&lists.runtime)?;
        let objects = self.compile(&obj, &lists, &runtime)?;
        let mut link = Command::new(&self.tools.compiler);
        link.args(["-shared", "-pthread", "-o"]).arg(work.join(cache::MODEL)).args(objects);
        link.args(lists.runtime.iter().map(|n| runtime.join(format!("{n}.o")))).args(&self.tools.libraries);
        if self.options.trace == Trace::Fst {
            link.args(self.tools.fst.as_ref().map_err(|missing| Error::NoFst { missing: missing.clone() })?);
        }
        self.check_compiler(run(link.env("TMPDIR", work))?, work)?;
        fs::remove_dir_all(&obj).map_err(failed)
    }

    fn verilate(&self, work: &Path) -> Result<(), Error> {
        let mut command = self.tools.verilator_command();
        command.current_dir(work).args(verilator_flags(self.design, self.options)).args(["--Mdir", "obj", "-Isrc"]);
        command.args(self.design.sources.iter().map(|s| format!("src/{}", s.name)));
        let output = run(&mut command)?;
        if !output.status.success() {
            if disk_full(&output, work) {
                return Err(Error::CacheFull { path: self.cache.to_path_buf() });
            }
            let log = kept::log(self.cache, &format!("verilator-{}", self.design.top), &output);
            return Err(Error::Verilator { top: self.design.top.clone(), lines: first_errors(&output), log });
        }
        if !work.join("obj").join(format!("{}.h", shim::CLASS)).is_file() {
            let reason = "it ended without an error and without a result".to_string();
            return Err(Error::Tool { program: self.tools.verilator.display().to_string(), reason });
        }
        fs::write(work.join("verilator.log"), crate::process::text_of(&output)).map_err(|e| Error::cache(self.cache, e))
    }

    /// Compares the declared ports with those of Verilator's class and gives their C++ names, the clock's first.
    fn check_ports(&self, obj: &Path) -> Result<Vec<String>, Error> {
        let header = fs::read_to_string(obj.join(format!("{}.h", shim::CLASS))).map_err(|e| Error::cache(self.cache, e))?;
        let present = class_ports(&header);
        let top = &self.design.top;
        let clock = self.design.clock.iter().map(|name| (name, 1, Direction::Input));
        let ports = self.design.ports.iter().map(|p| (&p.name, p.width, p.direction));
        let mut members = Vec::new();
        for (port, expected, direction) in clock.chain(ports) {
            let plain = shim::member(port);
            // A C++ keyword gets a prefix.
            let Some(found) = [plain.clone(), format!("__SYM__{plain}")].into_iter().find(|m| present.contains_key(m)) else {
                let list: Vec<_> = present.keys().map(|n| n.trim_start_matches("__SYM__").replace("___05F", "__")).collect();
                return Err(Error::NoPort { top: top.clone(), port: port.clone(), present: list.join(", ") });
            };
            let (actual, way) = present[&found];
            if actual != expected {
                return Err(Error::PortWidth { top: top.clone(), port: port.clone(), actual, expected });
            }
            if way != direction {
                let word = |d| if d == Direction::Input { "input" } else { "output" };
                return Err(Error::PortDirection { top: top.clone(), port: port.clone(), actual: word(way), expected: word(direction) });
            }
            members.push(found);
        }
        Ok(members)
    }

    /// Objects of Verilator's runtime and its precompiled header, shared by all designs built with the same flags.
    fn runtime(&self, names: &[String]) -> Result<PathBuf, Error> {
        let flags = compiler_flags(self.tools, self.options);
        let identity = self.tools.identity();
        let key = cache::key(&[
            b"runtime",
            shim::VERSION.as_bytes(),
            identity.as_bytes(),
            flags.join(" ").as_bytes(),
            names.join(" ").as_bytes(),
        ]);
        let _lock = cache::lock(self.cache, "runtime");
        if let Some(model) = cache::lookup(self.cache, &key) {
            return Ok(model.with_file_name(""));
        }
        let failed = |e| Error::cache(self.cache, e);
        let work = cache::workspace(self.cache)?;
        let mut commands = Vec::new();
        for name in names {
            let mut command = self.compiler(work.path());
            command
                .arg("-c")
                .arg(self.tools.root.join("include").join(format!("{name}.cpp")))
                .arg("-o")
                .arg(work.path().join(format!("{name}.o")));
            commands.push(command);
        }
        for output in run_all(commands) {
            self.check_compiler(output?, work.path())?;
        }
        // An optimisation only: a compiler that cannot do it reads the header itself.
        if !self.tools.is_clang() {
            fs::write(work.path().join("precompiled.h"), "#include \"verilated.h\"\n").map_err(failed)?;
            let mut command = self.compiler(work.path());
            let _ = run(command
                .args(["-x", "c++-header"])
                .arg(work.path().join("precompiled.h"))
                .arg("-o")
                .arg(work.path().join("precompiled.h.gch")));
        }
        // What the checksum of the entry covers.
        let mut all = Vec::new();
        for name in names {
            all.extend(fs::read(work.path().join(format!("{name}.o"))).map_err(failed)?);
        }
        fs::write(work.path().join(cache::MODEL), cache::key(&[&all])).map_err(failed)?;
        Ok(cache::publish(self.cache, &key, work)?.with_file_name(""))
    }

    /// Verilator's files and the shim as few translation units, compiled side by side.
    fn compile(&self, obj: &Path, lists: &FileLists, runtime: &Path) -> Result<Vec<PathBuf>, Error> {
        let failed = |e| Error::cache(self.cache, e);
        let jobs = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        let names = lists.fast.iter().map(String::as_str).chain(["shim"]).map(|name| (name, false));
        let names: Vec<(&str, bool)> = names.chain(lists.slow.iter().map(|name| (name.as_str(), true))).collect();
        // Half, because what is not optimised takes half as long.
        let size = |&(name, slow): &(&str, bool)| fs::metadata(obj.join(format!("{name}.cpp"))).map_or(0, |m| m.len() >> u8::from(slow));
        let total: u64 = names.iter().map(size).sum();
        let share = total / (total / UNIT + 1).min(jobs) + 1;
        let (mut units, mut text, mut filled, mut optimised) = (Vec::new(), String::new(), 0, true);
        for (i, name) in names.iter().enumerate() {
            if name.1 && optimised {
                text.push_str(UNOPTIMISED);
                optimised = false;
            }
            text.push_str(&format!("#include \"{}.cpp\"\n", name.0));
            filled += size(name);
            if filled >= share || i + 1 == names.len() {
                units.push(std::mem::take(&mut text));
                (filled, optimised) = (0, true);
            }
        }
        let (mut commands, mut objects) = (Vec::new(), Vec::new());
        for (i, text) in units.iter().enumerate() {
            let source = obj.join(format!("unit{i}.cpp"));
            fs::write(&source, text).map_err(failed)?;
            let object = source.with_extension("o");
            let mut command = self.compiler(obj);
            command.arg("-I").arg(obj);
            if runtime.join("precompiled.h.gch").exists() {
                command.arg("-include").arg(runtime.join("precompiled.h"));
            }
            command.arg("-c").arg(&source).arg("-o").arg(&object);
            commands.push(command);
            objects.push(object);
        }
        for output in run_all(commands) {
            self.check_compiler(output?, obj)?;
        }
        Ok(objects)
    }

    fn compiler(&self, work: &Path) -> Command {
        let mut command = Command::new(&self.tools.compiler);
        let include = self.tools.root.join("include");
        command.args(compiler_flags(self.tools, self.options)).arg("-I").arg(&include).arg("-I").arg(include.join("vltstd"));
        // Its temporary files end with the build, and a full disk is seen where it matters.
        command.env("TMPDIR", work);
        command
    }

    fn check_compiler(&self, output: Output, work: &Path) -> Result<(), Error> {
        if output.status.success() {
            return Ok(());
        }
        if disk_full(&output, work) {
            return Err(Error::CacheFull { path: self.cache.to_path_buf() });
        }
        let program = self.tools.compiler.display().to_string();
        let log = kept::log(self.cache, &format!("compiler-{}", self.design.top), &output);
        Err(Error::Compiler { program, top: self.design.top.clone(), lines: first_errors(&output), log })
    }
}

/// What Verilator's makefile fragment lists, without suffix.
struct FileLists {
    fast: Vec<String>,
    slow: Vec<String>,
    runtime: Vec<String>,
}

fn file_lists(obj: &Path) -> std::io::Result<FileLists> {
    let text = fs::read_to_string(obj.join(format!("{}_classes.mk", shim::CLASS)))?.replace("\\\n", " ");
    let list = |names: [&str; 2]| {
        let lines = text.lines().filter_map(|l| l.split_once("+=")).filter(|(n, _)| names.contains(&n.trim()));
        lines.flat_map(|(_, files)| files.split_whitespace().map(String::from)).collect::<Vec<_>>()
    };
    Ok(FileLists {
        fast: list(["VM_CLASSES_FAST", "VM_SUPPORT_FAST"]),
        slow: list(["VM_CLASSES_SLOW", "VM_SUPPORT_SLOW"]),
        runtime: list(["VM_GLOBAL_FAST", "VM_GLOBAL_SLOW"]),
    })
}

/// Ports of Verilator's class: `VL_IN8(&name,msb,lsb);`, `VL_OUTW(&name,msb,lsb,words);`.
fn class_ports(header: &str) -> BTreeMap<String, (usize, Direction)> {
    let mut ports = BTreeMap::new();
    for line in header.lines() {
        let line = line.trim();
        let direction = match line {
            l if l.starts_with("VL_IN") && !l.starts_with("VL_INOUT") => Direction::Input,
            l if l.starts_with("VL_OUT") => Direction::Output,
            _ => continue,
        };
        let Some(inside) = line.split_once("(&").and_then(|(_, r)| r.split_once(')')) else { continue };
        let mut parts = inside.0.split(',').map(str::trim);
        let (Some(name), Some(msb), Some(lsb)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let (Ok(msb), Ok(lsb)) = (msb.parse::<i64>(), lsb.parse::<i64>()) else { continue };
        ports.insert(name.to_string(), ((msb - lsb).unsigned_abs() as usize + 1, direction));
    }
    ports
}

/// As many at a time as there are processors; results in the order of the commands.
fn run_all(mut commands: Vec<Command>) -> Vec<Result<Output, Error>> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut results = Vec::new();
    for batch in commands.chunks_mut(jobs.max(1)) {
        std::thread::scope(|scope| {
            let handles: Vec<_> = batch.iter_mut().map(|c| scope.spawn(|| run(c))).collect();
            results.extend(handles.into_iter().map(|h| h.join().expect("running a program does not panic")));
        });
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_a_class() {
        let header = "    VL_IN8(&clk,0,0);\n    VL_OUTW(&q,511,0,16);\n  VL_INOUT8(&pad,0,0);\n    VL_IN(&a___05Fb,16,0);\n";
        let ports = class_ports(header);
        assert_eq!(ports.len(), 3);
        assert_eq!(ports["q"], (512, Direction::Output));
        assert_eq!(ports["a___05Fb"], (17, Direction::Input));
    }
}
