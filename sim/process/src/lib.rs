//! Programs that this one runs and folders that it works in. They end with it, also when a signal ends it.
//!
//! Each program leads a process group of its own, so that what it starts in turn (a script its program, a compiler driver its compiler)
//! ends with it. Folders and half-written files are known by name. After [`end_on_signals`] an INT, TERM or HUP kills the groups, removes
//! the names and ends this process by the same signal.

pub mod kept;

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;
use tempfile::TempDir;

/// What has to go. Whoever holds the lock while the process ends keeps it: nothing new begins.
static OURS: Mutex<Ours> = Mutex::new(Ours { groups: Vec::new(), paths: Vec::new() });

struct Ours {
    groups: Vec<u32>,
    paths: Vec<PathBuf>,
}

fn ours() -> MutexGuard<'static, Ours> {
    OURS.lock().unwrap_or_else(|e| e.into_inner())
}

/// A running program.
pub struct Child {
    child: std::process::Child,
}

impl Child {
    /// Starts a program at the head of a process group of its own, without standard input.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Child> {
        command.stdin(Stdio::null()).process_group(0);
        let mut ours = ours();
        let child = command.spawn()?;
        ours.groups.push(child.id());
        Ok(Child { child })
    }

    /// Whether it has ended, and how.
    ///
    /// # Errors
    /// Those of the system.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Ends it and all that it started.
    pub fn kill(&mut self) {
        kill_group(self.child.id());
        let _ = self.child.wait();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            self.kill();
        }
        let id = self.child.id();
        ours().groups.retain(|group| *group != id);
    }
}

/// Runs a program to its end, with its output captured and without standard input.
///
/// # Errors
/// It cannot be started.
pub fn output(command: &mut Command) -> io::Result<Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = Child::start(command)?;
    let (out, err) = (child.child.stdout.take(), child.child.stderr.take());
    // Both at a time: a program that fills one while the other is read stands still.
    let (stdout, stderr) = std::thread::scope(|scope| {
        let stderr = scope.spawn(|| all_of(err));
        (all_of(out), stderr.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    Ok(Output { stdout: stdout?, stderr: stderr?, status: child.child.wait()? })
}

fn all_of(stream: Option<impl io::Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    stream.map_or(Ok(0), |mut stream| stream.read_to_end(&mut bytes)).map(|_| bytes)
}

/// A temporary folder.
pub struct Folder {
    /// Nothing only while it is dropped
    folder: Option<TempDir>,
}

impl Folder {
    /// In the system's folder for such.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn new() -> io::Result<Folder> {
        Folder::made(&std::env::temp_dir(), "rdma-rtl-")
    }

    /// In `directory`, its name with `prefix`.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn made(directory: &Path, prefix: &str) -> io::Result<Folder> {
        let mut ours = ours();
        let folder = tempfile::Builder::new().prefix(prefix).tempdir_in(directory)?;
        ours.paths.push(folder.path().to_path_buf());
        Ok(Folder { folder: Some(folder) })
    }

    pub fn path(&self) -> &Path {
        self.folder.as_ref().map_or(Path::new(""), TempDir::path)
    }

    /// Lets go of it: it has another name now, or is to stay.
    pub fn keep(mut self) {
        if let Some(folder) = self.folder.take() {
            forget(&folder.keep());
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(folder) = self.folder.take() {
            let path = folder.path().to_path_buf();
            drop(folder);
            forget(&path);
        }
    }
}

fn forget(path: &Path) {
    ours().paths.retain(|known| known != path);
}

/// Writes a file whole or not at all: beside its place first, then renamed. Everybody may read it.
///
/// # Errors
/// It cannot be written or renamed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = {
        let mut ours = ours();
        let file = tempfile::NamedTempFile::new_in(folder)?;
        ours.paths.push(file.path().to_path_buf());
        file
    };
    let name = file.path().to_path_buf();
    let done = write_into(file.as_file(), bytes).and_then(|()| file.persist(path).map(|_| ()).map_err(|e| e.error));
    forget(&name);
    done
}

fn write_into(mut file: &File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

fn kill_group(group: u32) {
    let Ok(group) = i32::try_from(group) else { return };
    // SAFETY: a plain system call; a group that is gone is an error without effect.
    unsafe { libc::kill(-group, libc::SIGKILL) };
}

/// Whether whoever started us has a signal ignored: `nohup` does, and a shell for what it runs in the background.
fn is_ignored(signal: i32) -> bool {
    // SAFETY: asks for the present action and sets none; the value is written by the call, and zero is a sound one.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
    }
}

/// From now on INT, TERM and HUP end what this program started and remove what it works in, before they end it.
///
/// # Errors
/// No handler or thread can be made.
pub fn end_on_signals() -> io::Result<()> {
    let signals = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
    let mut signals = signal_hook::iterator::Signals::new(signals)?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            let ours = ours();
            ours.groups.iter().for_each(|group| kill_group(*group));
            for path in &ours.paths {
                remove(path);
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// What was killed a moment ago may still write.
fn remove(path: &Path) {
    for _ in 0..50 {
        let gone = match fs::symlink_metadata(path) {
            Err(_) => return,
            Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
            Ok(_) => fs::remove_file(path),
        };
        if gone.is_ok() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_streams_come_back_whole() {
        let script = "i=0; while [ $i -lt 3000 ]; do echo out$i-------------------------; echo err$i >&2; i=$((i+1)); done; exit 3";
        let output = output(&mut shell(script)).unwrap();
        assert_eq!(output.status.code(), Some(3));
        let lines = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
        assert_eq!((lines(&output.stdout), lines(&output.stderr)), (3000, 3000));
        assert!(super::output(&mut Command::new("/no/such/program")).is_err());
    }

    #[test]
    fn what_a_program_started_ends_with_it() {
        let folder = Folder::new().unwrap();
        let pid = folder.path().join("pid");
        let script = format!("sleep 1000 & echo $! > '{0}.part'; mv '{0}.part' '{0}'; wait", pid.display());
        let child = Child::start(&mut shell(&script)).unwrap();
        while !pid.exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let sleeper: i32 = fs::read_to_string(&pid).unwrap().trim().parse().unwrap();
        drop(child);
        // A process that nobody has waited for yet is still there, as a zombie.
        let alive = || fs::read_to_string(format!("/proc/{sleeper}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
        for _ in 0..200 {
            if !alive() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the program that the script started still runs");
    }

    #[test]
    fn a_file_is_whole_and_a_folder_goes() {
        let folder = Folder::new().unwrap();
        let (path, file) = (folder.path().to_path_buf(), folder.path().join("a"));
        write_whole(&file, b"one").unwrap();
        write_whole(&file, b"two").unwrap();
        assert_eq!((fs::read(&file).unwrap(), fs::read_dir(&path).unwrap().count()), (b"two".to_vec(), 1));
        assert!(write_whole(&path.join("none/a"), b"x").is_err());
        drop(folder);
        assert!(!path.exists() && !ours().paths.contains(&path));
    }
}
