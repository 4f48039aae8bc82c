//! Every block in every flow that is asked for, on as many cores as there are.

use crate::Error;
use crate::by_module;
use crate::cache::Cache;
use crate::ecp5::{self, Ecp5};
use crate::flow::{Elaborated, Family, Hierarchy, Input, Mapped, Yosys, cached, elaborate, map, map_hierarchy};
use crate::model::{Block, Report};
use crate::signals::Names;
use crate::tools::Tool;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// What to measure.
#[derive(Clone, Debug)]
pub struct Options {
    pub families: Vec<Family>,
    /// Family of the figures per instance; none: no hierarchy
    pub hierarchy: Option<Family>,
    /// Family of the sums over modules; none: no sums
    pub by_module: Option<Family>,
    /// Seeds of the ECP5 runs; empty: no ECP5
    pub seeds: Vec<u32>,
    pub cache: Cache,
}

/// A step has begun or ended.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    pub done: usize,
    pub steps: usize,
    pub block: &'a str,
    pub what: &'a str,
}

#[derive(Clone, Copy)]
enum Step {
    Map(Family),
    Hierarchy(Family),
    Ecp5,
}

enum Made {
    Mapped(Family, Mapped),
    Hierarchy(Family, Hierarchy),
    Ecp5(Ecp5),
}

/// A block, read when the first step that is not in the cache needs it.
struct Work<'a> {
    input: &'a Input,
    names: Names,
    content: Vec<u8>,
    elaborated: OnceLock<Result<Elaborated, Error>>,
}

/// Figures of the blocks, in their order.
/// # Errors
/// A tool that is missing or fails, Verilog that it refuses. The first error ends the report.
pub fn measure(profile: &str, inputs: &[Input], options: &Options, progress: &(dyn Fn(Progress) + Sync)) -> Result<Report, Error> {
    let mut report = Report::new(profile);
    if inputs.is_empty() || (options.families.is_empty() && options.seeds.is_empty() && options.by_module.is_none()) {
        return Ok(report);
    }
    let yosys = Yosys::new(Tool::yosys()?);
    let nextpnr = if options.seeds.is_empty() { None } else { Some(Tool::nextpnr()?) };
    let mut works = Vec::new();
    for input in inputs {
        let names = Names::read(&input.folder.join("names.json"))?;
        works.push(Work { input, names, content: input.content()?, elaborated: OnceLock::new() });
    }
    let mut steps: Vec<(usize, Step)> = Vec::new();
    for i in 0..works.len() {
        steps.extend(options.families.iter().map(|f| (i, Step::Map(*f))));
        steps.extend(options.hierarchy.map(|f| (i, Step::Hierarchy(f))));
        steps.extend(nextpnr.iter().map(|_| (i, Step::Ecp5)));
    }
    // The long ones first, so that the last core to finish does not have a large block before it.
    let slow = |step: &Step| if matches!(step, Step::Ecp5) { 10 } else { 1 };
    steps.sort_by_key(|(i, step)| std::cmp::Reverse(works[*i].content.len() * slow(step)));
    let run = |step: &(usize, Step)| {
        let work = &works[step.0];
        one(work, step.1, &yosys, nextpnr.as_ref(), options).map_err(|e| Error::Tool(format!("{}: {e}", work.input.block)))
    };
    let label = |step: &(usize, Step)| {
        let what = match step.1 {
            Step::Map(f) => f.name(),
            Step::Hierarchy(_) => "hierarchy",
            Step::Ecp5 => "ecp5",
        };
        (works[step.0].input.block.as_str(), what)
    };
    let made = at_once(&steps, run, label, progress)?;
    report.blocks = inputs.iter().map(|i| Block { block: i.block.clone(), top: i.top.clone(), ..Block::default() }).collect();
    for ((i, _), made) in steps.iter().zip(made) {
        let block = &mut report.blocks[*i];
        match made {
            Made::Mapped(family, mapped) => drop(block.families.insert(family, mapped)),
            Made::Hierarchy(family, hierarchy) => block.hierarchy = Some((family, hierarchy)),
            Made::Ecp5(ecp5) => block.ecp5 = Some(ecp5),
        }
    }
    if let Some(family) = options.by_module {
        sums(inputs, family, &yosys, &options.cache, progress, &mut report)?;
    }
    report.tools = std::iter::once(yosys.tool).chain(nextpnr).collect();
    Ok(report)
}

/// Blocks as sums of their modules.
fn sums(
    inputs: &[Input],
    family: Family,
    yosys: &Yosys,
    cache: &Cache,
    progress: &(dyn Fn(Progress) + Sync),
    report: &mut Report,
) -> Result<(), Error> {
    let modules = by_module::modules(inputs, family)?;
    let mut mapped = modules.known(yosys, cache);
    let batches = modules.batches(&mapped);
    let label = |batch: &Vec<String>| (modules.name(batch), "and others");
    let found = at_once(&batches, |batch| modules.map(batch, yosys, cache), label, progress)?;
    mapped.extend(found.into_iter().flatten());
    for (i, input) in inputs.iter().enumerate() {
        report.blocks[i].by_module = Some(modules.sum(i, &input.top, &mapped)?);
    }
    Ok(())
}

fn one(work: &Work, step: Step, yosys: &Yosys, nextpnr: Option<&Tool>, options: &Options) -> Result<Made, Error> {
    let elaborated = || match work.elaborated.get_or_init(|| elaborate(yosys, work.input)) {
        Ok(e) => Ok(e),
        Err(e) => Err(e.clone()),
    };
    let version = yosys.tool.version.as_bytes();
    let cache = &options.cache;
    match step {
        Step::Map(family) => {
            let key: [&[u8]; 4] = [b"map", version, family.name().as_bytes(), &work.content];
            Ok(Made::Mapped(family, cached(cache, &key, || map(yosys, elaborated()?, family, &work.names))?))
        }
        Step::Hierarchy(family) => {
            let key: [&[u8]; 4] = [b"hierarchy", version, family.name().as_bytes(), &work.content];
            let make = || map_hierarchy(yosys, elaborated()?, family, &work.input.top);
            Ok(Made::Hierarchy(family, cached(cache, &key, make)?))
        }
        Step::Ecp5 => {
            let nextpnr = nextpnr.ok_or_else(|| Error::Tool("nextpnr-ecp5 was not looked for".into()))?;
            let seeds = options.seeds.iter().flat_map(|s| s.to_le_bytes()).collect::<Vec<_>>();
            let key: [&[u8]; 5] = [b"ecp5", version, nextpnr.version.as_bytes(), &seeds, &work.content];
            let make = || ecp5::measure(yosys, nextpnr, elaborated()?, &work.names, &options.seeds);
            Ok(Made::Ecp5(cached(cache, &key, make)?))
        }
    }
}

/// `job` for each item, as many at once as there are cores; results in the order of the items. After an error nothing new begins.
fn at_once<'a, T: Sync, R: Send>(
    items: &'a [T],
    job: impl Fn(&T) -> Result<R, Error> + Sync,
    label: impl Fn(&'a T) -> (&'a str, &'a str) + Sync,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<R>, Error> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    let failed: Mutex<Option<Error>> = Mutex::new(None);
    let work = || {
        while failed.lock().is_ok_and(|f| f.is_none()) {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(i) else { return };
            let (block, what) = label(item);
            progress(Progress { done: done.load(Ordering::Relaxed), steps: items.len(), block, what });
            match job(item) {
                Ok(result) => drop(results.lock().map(|mut r| r[i] = Some(result))),
                Err(e) => drop(failed.lock().map(|mut f| f.get_or_insert(e).clone())),
            }
            progress(Progress { done: done.fetch_add(1, Ordering::Relaxed) + 1, steps: items.len(), block, what });
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get()).min(items.len());
    std::thread::scope(|scope| {
        for _ in 1..cores {
            scope.spawn(work);
        }
        work();
    });
    if let Ok(Some(error)) = failed.into_inner() {
        return Err(error);
    }
    let results = results.into_inner().map_err(|_| Error::Tool("a step of the report failed".into()))?;
    results.into_iter().map(|r| r.ok_or_else(|| Error::Tool("a step of the report has no result".into()))).collect()
}
