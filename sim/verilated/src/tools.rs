//! Which Verilator and which C++ compiler, and what they can do.

use crate::process::{disk_full, run, text_of};
use crate::{Error, cache, shim};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

/// The oldest Verilator that this crate works with.
const OLDEST: (u32, u32) = (5, 6);

/// Part of the key of what tools answered: change it with what they are asked.
const ASKED: &str = "3";

/// Tools that this process has asked already.
type Known = HashMap<(PathBuf, String), Arc<Tools>>;

/// A Verilator and a C++ compiler that were found, run once and found good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tools {
    /// The program that was found.
    pub verilator: PathBuf,
    /// As it calls itself: `5.006 2023-01-22`, with the build where it tells.
    pub verilator_version: String,
    /// Directory of `include/verilated.h`.
    pub root: PathBuf,
    /// Whether the program is told `root`: a package's own program needs it, a distribution's knows better.
    pub(crate) tell_root: bool,
    /// The C++ compiler as called.
    pub compiler: PathBuf,
    /// First line of its `--version`.
    pub compiler_version: String,
    /// Libraries that FST waves are linked with, or the header that is missing.
    pub fst: Result<Vec<String>, String>,
    /// Compiler flags that only some compilers know.
    pub(crate) extra_flags: Vec<String>,
    /// Libraries of the compiler's own that a model needs.
    pub(crate) libraries: Vec<String>,
}

impl Tools {
    /// Finds both programs. What they answer is kept in `cache` until one of them changes, so that a second call starts no process.
    ///
    /// Verilator: `verilator` if given, else `$RDMA_RTL_VERILATOR`, else `bin/verilator` in `$RDMA_RTL_TOOLS` or in the nearest `.tools`
    /// directory at or above the working directory, else `PATH`. C++ compiler: `$CXX`, else `c++`, `g++`, `clang++` on `PATH`.
    pub fn find(verilator: Option<&Path>, cache: Option<&Path>) -> Result<Arc<Tools>, Error> {
        let verilator = find_verilator(verilator)?;
        let compiler = find_compiler()?;
        let directory = cache::directory(cache)?;
        let identity = format!("{}\n{}\n{:?}", stamp(&verilator), stamp(&compiler), env::var_os("VERILATOR_ROOT"));
        static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
        let mut known = KNOWN.lock().unwrap_or_else(|e| e.into_inner());
        let known = known.get_or_insert_default();
        let place = (directory.clone(), identity.clone());
        if let Some(tools) = known.get(&place) {
            return Ok(tools.clone());
        }
        let file = directory.join(format!("tools-{}.json", cache::key(&[shim::VERSION.as_bytes(), ASKED.as_bytes(), identity.as_bytes()])));
        let remembered = std::fs::read(&file).ok().and_then(|text| serde_json::from_slice::<Tools>(&text).ok());
        let tools = match remembered {
            Some(tools) => tools,
            None => {
                let tools = ask(verilator, compiler, &directory)?;
                let text = serde_json::to_vec_pretty(&tools).expect("paths and strings are always JSON");
                cache::write_atomically(&directory, &file, &text)?;
                tools
            }
        };
        let tools = Arc::new(tools);
        known.insert(place, tools.clone());
        Ok(tools)
    }

    /// What the tools answer decides what they make: part of every key.
    pub(crate) fn identity(&self) -> String {
        format!("{}\n{}\n{}\n{}", self.verilator_version, self.root.display(), self.compiler.display(), self.compiler_version)
    }

    /// Whether it is LLVM's compiler: its precompiled headers know the place where they were made, and serve in no other.
    pub(crate) fn is_clang(&self) -> bool {
        self.compiler_version.contains("clang")
    }

    /// The call of Verilator without arguments.
    pub fn verilator_command(&self) -> Command {
        let mut command = Command::new(&self.verilator);
        if self.tell_root {
            command.env("VERILATOR_ROOT", &self.root);
        }
        command
    }
}

/// Path, length and time of change of a program and of what it resolves to.
fn stamp(program: &Path) -> String {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_path_buf());
    let mut text = format!("{} {}", program.display(), real.display());
    // A `verilator` script stays the same while the program beside it is replaced.
    for path in [real.clone(), real.with_file_name("verilator_bin")] {
        if let Ok(meta) = path.metadata() {
            text.push_str(&format!(" {} {:?}", meta.len(), meta.modified().ok()));
        }
    }
    text
}

fn find_verilator(asked: Option<&Path>) -> Result<PathBuf, Error> {
    if let Some(path) = asked {
        return program(path).ok_or_else(|| Error::NoVerilator { searched: path.display().to_string() });
    }
    if let Some(path) = env::var_os("RDMA_RTL_VERILATOR").filter(|v| !v.is_empty()) {
        return program(Path::new(&path)).ok_or_else(|| Error::NoVerilator { searched: format!("RDMA_RTL_VERILATOR={}", path.display()) });
    }
    let tools = match env::var_os("RDMA_RTL_TOOLS").filter(|v| !v.is_empty()) {
        Some(path) => Some(PathBuf::from(path)),
        None => env::current_dir().ok().and_then(|d| d.ancestors().map(|a| a.join(".tools")).find(|t| t.join("bin/verilator").exists())),
    };
    if let Some(found) = tools.as_deref().and_then(|t| executable(&t.join("bin/verilator"))) {
        return Ok(found);
    }
    let place = tools.map_or(".tools/bin".to_string(), |t| t.join("bin").display().to_string());
    on_path("verilator").ok_or_else(|| Error::NoVerilator { searched: format!("{place} and PATH") })
}

fn find_compiler() -> Result<PathBuf, Error> {
    if let Some(asked) = env::var_os("CXX").filter(|v| !v.is_empty()) {
        return program(Path::new(&asked)).ok_or_else(|| Error::NoCompiler { searched: format!("CXX={}", asked.display()) });
    }
    let names = ["c++", "g++", "clang++"];
    names.iter().find_map(|n| on_path(n)).ok_or_else(|| Error::NoCompiler { searched: names.join(", ") + " on PATH" })
}

/// A path as it is, a bare name through `PATH`.
fn program(name: &Path) -> Option<PathBuf> {
    if name.components().count() > 1 { executable(name).map(|p| std::path::absolute(&p).unwrap_or(p)) } else { on_path(name.to_str()?) }
}

fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).find_map(|d| executable(&d.join(name)))
}

fn executable(path: &Path) -> Option<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    let meta = path.metadata().ok()?;
    (meta.is_file() && meta.permissions().mode() & 0o111 != 0).then(|| path.to_path_buf())
}

/// What a program said last, beside the text or, if it is long, below it.
fn said(output: &Output) -> String {
    let lines = crate::process::first_errors(output);
    if lines.lines().count() > 1 { format!("\n{lines}") } else { lines.trim().to_string() }
}

/// Runs both programs and tries what differs between versions.
fn ask(verilator: PathBuf, compiler: PathBuf, cache: &Path) -> Result<Tools, Error> {
    let tool = |reason: String| Error::Tool { program: verilator.display().to_string(), reason };
    let beside = verilator.canonicalize().ok().and_then(|p| Some(p.parent()?.parent()?.to_path_buf()));
    let beside = beside.filter(|r| r.join("include/verilated.h").exists());
    let tell_root = beside.is_some();
    let root = match beside {
        Some(root) => root,
        None => {
            let output = run(Command::new(&verilator).args(["--getenv", "VERILATOR_ROOT"]))?;
            if !output.status.success() {
                return Err(tool(format!("`--getenv VERILATOR_ROOT` failed: {}", said(&output))));
            }
            PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
        }
    };
    if !root.join("include/verilated.h").is_file() {
        return Err(tool(format!("its files are not where it says: no include/verilated.h in `{}`", root.display())));
    }
    let mut command = Command::new(&verilator);
    if tell_root {
        command.env("VERILATOR_ROOT", &root);
    }
    let output = run(command.arg("--version"))?;
    if !output.status.success() {
        return Err(tool(format!("`--version` failed: {}", said(&output))));
    }
    let answer = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().trim().to_string();
    let header = std::fs::read_to_string(root.join("include/verilated_config.h")).unwrap_or_default();
    // The Python package's program does not tell its number; its header does.
    let number =
        parse_version(&answer).or_else(|| header.lines().find_map(|l| parse_version(l.strip_prefix("#define VERILATOR_VERSION ")?)));
    let version = match number {
        Some(n) if n < OLDEST => return Err(Error::VerilatorTooOld { path: verilator, version: format!("{}.{:03}", n.0, n.1) }),
        Some(n) => format!("{}.{:03} ({answer})", n.0, n.1),
        None if answer.is_empty() => return Err(tool("`--version` says nothing".into())),
        None => answer,
    };
    let output = run(Command::new(&compiler).arg("--version"))?;
    if !output.status.success() {
        return Err(Error::Tool { program: compiler.display().to_string(), reason: format!("`--version` failed: {}", said(&output)) });
    }
    let compiler_version = text_of(&output).lines().next().unwrap_or_default().to_string();
    // What follows concludes from failures: they must not be those of a full disk or a broken installation.
    let probes = cache::workspace(cache)?;
    let probe = Probe { compiler: &compiler, directory: probes.path() };
    if let Some(output) = probe.failure("int x;", &[])? {
        if disk_full(&output, probes.path()) {
            return Err(Error::CacheFull { path: cache.to_path_buf() });
        }
        let reason = crate::process::first_errors(&output);
        return Err(Error::Tool {
            program: compiler.display().to_string(),
            reason: format!("it does not make a library of `int x;`:\n{reason}"),
        });
    }
    let extra_flags = [
        // Without it g++ shares inline statics between every loaded model, also of different Verilator versions.
        "-fno-gnu-unique",
        // g++ looks through up to a thousand stores for what a load reads. In Verilator's functions of megabytes that is half of the build,
        // and finds next to nothing behind the first thirty.
        "--param=sccvn-max-alias-queries-per-access=30",
    ];
    let extra_flags = extra_flags.into_iter().filter(|f| probe.works("int x;", &[f, "-Werror"])).map(String::from).collect();
    // Whether an atomic has no lock g++ knows; code of clang asks this library.
    let libraries = ["-latomic"].into_iter().filter(|l| compiler_version.contains("clang") && probe.works("int x;", &[l]));
    let libraries = libraries.map(String::from).collect();
    let fst = probe_fst(&probe, &root);
    Ok(Tools { verilator, verilator_version: version, root, tell_root, compiler, compiler_version, fst, extra_flags, libraries })
}

/// Libraries of Verilator's FST writer, or the header that is missing: its text is tried whole, because releases include others.
fn probe_fst(probe: &Probe, root: &Path) -> Result<Vec<String>, String> {
    let include = root.join("include");
    let text = format!("#include \"{}\"\n", include.join("verilated_fst_c.cpp").display());
    let [include, more] = [include.clone(), include.join("vltstd")].map(|path| path.display().to_string());
    let flags = ["-fsyntax-only", "-std=gnu++17", "-w", "-I", &include, "-I", &more, "-DVM_TRACE=1", "-DVM_TRACE_FST=1", "-DVM_SC=0"];
    match probe.failure(&text, &flags) {
        Ok(None) => {}
        Ok(Some(output)) => return Err(missing_header(&text_of(&output)).unwrap_or_else(|| "of its own writer".into())),
        Err(e) => return Err(e.to_string()),
    }
    let writer = std::fs::read_to_string(root.join("include/fstcpp/fstcpp_writer.cpp")).unwrap_or_default();
    let mut libraries = Vec::new();
    for (header, library, needed) in [("zlib.h", "-lz", true), ("lz4.h", "-llz4", writer.contains("<lz4.h>"))] {
        if needed {
            if !probe.works(&format!("#include <{header}>\n"), &[library]) {
                return Err(header.to_string());
            }
            libraries.push(library.to_string());
        }
    }
    Ok(libraries)
}

/// The header that g++ (`fatal error: lz4.h: No such file`) or clang (`fatal error: 'lz4.h' file not found`) did not find.
fn missing_header(said: &str) -> Option<String> {
    let (_, what) = said.split_once("fatal error: ")?;
    let what = what.lines().next()?;
    let name = if what.contains("file not found") { what.split('\'').nth(1)? } else { what.strip_suffix(": No such file or directory")? };
    Some(name.to_string())
}

/// Tries what the compiler can do, in a directory of the cache.
struct Probe<'a> {
    compiler: &'a Path,
    directory: &'a Path,
}

impl Probe<'_> {
    /// Whether `text` becomes a shared library.
    fn works(&self, text: &str, flags: &[&str]) -> bool {
        self.failure(text, flags).is_ok_and(|f| f.is_none())
    }

    /// Makes a shared library of `text`; what the compiler said if it could not.
    fn failure(&self, text: &str, flags: &[&str]) -> Result<Option<Output>, Error> {
        let source = self.directory.join("probe.cpp");
        std::fs::write(&source, text).map_err(|e| Error::cache(self.directory, e))?;
        let mut command = Command::new(self.compiler);
        command.args(["-fPIC", "-shared", "-o"]).arg(self.directory.join("probe.out")).arg(&source).args(flags);
        let output = run(command.env("TMPDIR", self.directory))?;
        Ok((!output.status.success()).then_some(output))
    }
}

/// `Verilator 5.006 2023-01-22` or `"5.49"` to (5, 6), (5, 49).
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let text = text.trim().trim_start_matches("Verilator").trim().trim_matches('"');
    let number = text.split_whitespace().next()?;
    let (major, minor) = number.split_once('.')?;
    let minor: String = minor.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::{missing_header, parse_version};

    #[test]
    fn the_missing_header_has_a_name() {
        let gcc = "In file included from a.cpp:1:\nw.cpp:18:10: fatal error: lz4.h: No such file or directory\n   18 | #include <lz4.h>\n";
        assert_eq!(missing_header(gcc).as_deref(), Some("lz4.h"));
        assert_eq!(missing_header("w.cpp:18:10: fatal error: 'zlib.h' file not found\n").as_deref(), Some("zlib.h"));
        assert_eq!(missing_header("w.cpp:18:10: error: expected ';'\n"), None);
    }

    #[test]
    fn versions() {
        assert_eq!(parse_version("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)"), Some((5, 6)));
        assert_eq!(parse_version("Verilator 4.228 2022-10-01"), Some((4, 228)));
        assert_eq!(parse_version("\"5.49\""), Some((5, 49)));
        assert_eq!(parse_version("rev vUNKNOWN-built20260516-4e853d8"), None);
        assert_eq!(parse_version(""), None);
    }
}
