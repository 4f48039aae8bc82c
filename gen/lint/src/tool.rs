//! A program, and what it prints.

use crate::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A program with the line by which it names its release: results are kept by it.
#[derive(Clone, Debug)]
pub struct Tool {
    pub program: PathBuf,
    pub version: String,
}

impl Tool {
    /// Everything that it prints but for what newer releases of Verilator report after every run; a clean run prints nothing.
    pub(crate) fn said(&self, arguments: &[&str], folder: &Path) -> Result<String, Error> {
        let mut command = Command::new(&self.program);
        let output = rdma_rtl_process::output(command.args(arguments).current_dir(folder));
        let output = output.map_err(|error| Error::Run { program: self.program.clone(), error })?;
        if output.status.code().is_none() {
            return Err(Error::Ended { program: self.program.clone(), status: output.status });
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let report = ["- V e r i l a t i o n", "- Verilator:", "- verilator:"];
        let lines = text.lines().filter(|l| !report.iter().any(|r| l.starts_with(r)));
        let text = lines.collect::<Vec<_>>().join("\n").trim().to_string();
        if !output.status.success() && text.is_empty() {
            return Ok(format!("{} ended with {}", self.program.display(), output.status));
        }
        Ok(text)
    }
}

/// `job` for each item, as many at once as there are cores; results in the order of the items.
pub(crate) fn at_once<T: Sync, R: Send>(items: &[T], job: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let work = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else { return done };
            done.push((i, job(item)));
        }
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..cores.min(items.len())).map(|_| scope.spawn(work)).collect();
        let mut done = work();
        for worker in workers {
            done.extend(worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}
