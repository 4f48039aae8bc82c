//! The programs that measure: where they are, which release they are, and whether they really finished.

use crate::Error;
use rdma_rtl_process::{Child, kept};
use serde::{Deserialize, Serialize};
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Longest run of one tool; a block of 100 000 LUTs takes some minutes.
const LIMIT: Duration = Duration::from_secs(3600);

/// A program and what it says it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    #[serde(skip)]
    pub program: PathBuf,
    pub name: String,
    /// The line of `--version` up to the compiler it was built with
    pub version: String,
}

impl Tool {
    /// `RDMA_RTL_YOSYS`; else what `scripts/tools.sh report` installed; else PATH; else what `make tools` installed.
    pub fn yosys() -> Result<Tool, Error> {
        let advice = "`scripts/tools.sh report` installs one in .tools, or set RDMA_RTL_YOSYS to the program";
        Tool::find("Yosys", "yosys", "RDMA_RTL_YOSYS", "-V", advice)
    }

    /// The same for lint, for which any release does: `RDMA_RTL_YOSYS`; else what `make tools` installed; else PATH.
    pub fn yosys_of_lint() -> Result<Tool, Error> {
        let advice = "`make tools` installs one in .tools, or set RDMA_RTL_YOSYS to the program";
        Tool::find_at("bin", "Yosys", "yosys", "RDMA_RTL_YOSYS", "-V", advice)
    }

    /// `RDMA_RTL_NEXTPNR_ECP5`; else what `scripts/tools.sh ecp5` installed; else PATH.
    pub fn nextpnr() -> Result<Tool, Error> {
        let advice = "`scripts/tools.sh ecp5` installs one in .tools, or set RDMA_RTL_NEXTPNR_ECP5 to the program";
        Tool::find("nextpnr-ecp5", "nextpnr-ecp5", "RDMA_RTL_NEXTPNR_ECP5", "--version", advice)
    }

    fn find(name: &str, program: &str, variable: &str, ask: &str, advice: &str) -> Result<Tool, Error> {
        Tool::find_at("report/bin", name, program, variable, ask, advice)
    }

    /// `first`: the folder of the tools that comes before PATH.
    fn find_at(first: &str, name: &str, program: &str, variable: &str, ask: &str, advice: &str) -> Result<Tool, Error> {
        let set = env::var_os(variable).filter(|v| !v.is_empty()).map(PathBuf::from);
        let folder = env::var_os("RDMA_RTL_TOOLS").filter(|v| !v.is_empty()).map_or(PathBuf::from(".tools"), PathBuf::from);
        let path = || env::var_os("PATH").and_then(|p| env::split_paths(&p).map(|d| d.join(program)).find(|f| f.is_file()));
        let local = |at: &str| Some(folder.join(at).join(program)).filter(|f| f.is_file());
        let found = set.or_else(|| local(first)).or_else(path).or_else(|| local("bin"));
        let Some(found) = found else { return Err(Error::Tool(format!("no {name}: {advice}"))) };
        Tool::ask(name, &found, ask).map_err(|e| Error::Tool(format!("{}: {e}; {advice}", found.display())))
    }

    fn ask(name: &str, program: &Path, question: &str) -> Result<Tool, String> {
        // The tools run in other folders.
        let program = match program.components().count() {
            1 => program.to_path_buf(),
            _ => std::path::absolute(program).map_err(|e| e.to_string())?,
        };
        let output = rdma_rtl_process::output(Command::new(&program).arg(question)).map_err(|e| e.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + "\n" + &String::from_utf8_lossy(&output.stderr);
        let version = said.lines().map(str::trim).find(|l| l.contains(char::is_numeric) && !l.starts_with("Preparing"));
        match version {
            Some(line) if output.status.success() => Ok(Tool { program, name: name.to_string(), version: short(line) }),
            _ => Err(format!("does not say which version it is ({})", output.status)),
        }
    }

    /// Runs in `folder` with all output in `log` there.
    /// # Errors
    /// A program that cannot be started, fails, or takes too long: with the end of the log.
    pub(crate) fn run(&self, folder: &Path, arguments: &[&str], log: &str) -> Result<String, Error> {
        let path = folder.join(log);
        let cannot = |e: std::io::Error| Error::io("cannot write", &path, e);
        let file = File::create(&path).map_err(cannot)?;
        let again = file.try_clone().map_err(cannot)?;
        let mut command = Command::new(&self.program);
        // ABC works in a folder of its own, which should go with ours.
        command.args(arguments).current_dir(folder).env("TMPDIR", folder).stdout(file).stderr(again);
        let mut child = Child::start(&mut command).map_err(|e| Error::io("cannot run", &self.program, e))?;
        let began = Instant::now();
        let mut pause = Duration::from_millis(2);
        let status = loop {
            match child.try_wait().map_err(|e| Error::io("cannot wait for", &self.program, e))? {
                Some(status) => break status,
                None if began.elapsed() > LIMIT => {
                    child.kill();
                    return Err(Error::Tool(format!("{}: stopped after {} minutes", self.name, LIMIT.as_secs() / 60)));
                }
                None => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(100));
        };
        let said = fs::read(&path).map(|b| String::from_utf8_lossy(&b).into_owned()).map_err(cannot)?;
        if !status.success() {
            let mut last: Vec<&str> = said.lines().filter(|l| !l.trim().is_empty()).rev().take(3).collect();
            last.reverse();
            let log = kept::root().map_or(String::new(), |root| kept::log_text(&root, &self.name, said.as_bytes()));
            let text = format!("{} ended with {status}: {}{log}", self.name, last.join(" | "));
            return Err(if status.code().is_none() { Error::Crash(text) } else { Error::Tool(text) });
        }
        Ok(said)
    }
}

/// Without the compiler and its options, which are no release.
fn short(version: &str) -> String {
    if let Some((_, rest)) = version.split_once("(Version ") {
        return rest.trim_end_matches(')').to_string();
    }
    version.split(", ").next().unwrap_or(version).trim().trim_end_matches(')').to_string() + if version.contains('(') { ")" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_compiler_is_no_part_of_the_version() {
        assert_eq!(short("Yosys 0.23 (git sha1 7ce5011c24b)"), "Yosys 0.23 (git sha1 7ce5011c24b)");
        assert_eq!(short("Yosys 0.23 (git sha1 UNKNOWN, ccache clang 14 -Os)"), "Yosys 0.23 (git sha1 UNKNOWN)");
        assert_eq!(short("\"nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)"), "nextpnr-0.11.1");
    }

    #[test]
    fn a_program_that_fails_or_says_nothing_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("yosys");
        let script = |text: &str| {
            fs::write(&program, format!("#!/bin/sh\n{text}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        };
        script("exit 0");
        assert!(Tool::ask("Yosys", &program, "-V").unwrap_err().contains("does not say"));
        script("[ \"$1\" = -V ] && echo Yosys 1 && exit\necho one; echo out of ideas; exit 3");
        let tool = Tool::ask("Yosys", &program, "-V").unwrap();
        assert_eq!(tool.version, "Yosys 1");
        let error = tool.run(folder.path(), &["-p"], "log").unwrap_err().to_string();
        assert!(error.contains("exit status: 3") && error.contains("out of ideas"), "{error}");
        assert!(Tool::ask("Yosys", &folder.path().join("none"), "-V").is_err());
    }
}
