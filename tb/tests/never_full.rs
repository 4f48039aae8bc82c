//! Queues that nobody asks for room: the list of them is whole, and a word that one refuses is seen.

use rdma_rtl_hdl::receive::ImmediateList;
use rdma_rtl_sim::verilated::Source;
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::never_full::guarded;
use rdma_rtl_tb::under_test::{elaborated, soon};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Every Rust file of a folder and those in it.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// `block fifo` of each FIFO whose `in_ready` its owner does not read.
fn unasked() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/src");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    let mut queues = BTreeSet::new();
    let read = |path: &PathBuf| std::fs::read_to_string(path).unwrap();
    let is_top = |path: &&PathBuf| path.parent().is_some_and(|folder| folder.ends_with("top"));
    // The packaged tops are one block in several files.
    let tops: String = paths.iter().filter(is_top).map(read).collect();
    for path in &paths {
        let text = read(path);
        // Parts of a kernel stand in a folder called as the block.
        let parts: String = paths.iter().filter(|part| part.parent() == Some(&path.with_extension(""))).map(read).collect();
        // What blocks share of their kernels stands beside them, in the file of the macro that has it.
        let shared = |line: &str| Some(read(&path.with_file_name(format!("{}.rs", line.strip_prefix("super::")?.strip_suffix("! {")?))));
        let shared: String = text.lines().filter_map(shared).collect();
        let kernel = if is_top(&path) { tops.clone() } else { format!("{text}{parts}{shared}") };
        let block = path.file_stem().unwrap().to_string_lossy().into_owned();
        for line in text.lines() {
            let Some((name, kind)) = line.trim().trim_start_matches("pub ").split_once(": ") else { continue };
            let kind = kind.trim_start_matches("Vec<").trim_start_matches('[');
            let queue = ["FifoLut<", "FifoBlock<", "SkidBuffer<"].iter().any(|queue| kind.starts_with(queue)) && line.ends_with(',');
            let element = |rest: &str| rest.split_once(']').is_some_and(|(_, port)| port.starts_with(".in_ready."));
            let asked = kernel.contains(&format!("self.{name}.in_ready.")) || kernel.split(&format!("self.{name}[")).skip(1).any(element);
            if queue && !asked && !name.contains(' ') {
                queues.insert(format!("{block} {name}"));
            }
        }
    }
    queues
}

#[test]
fn the_list_is_whole() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/never_full.md");
    let text = std::fs::read_to_string(page).unwrap();
    let listed: BTreeSet<String> = text
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.strip_prefix("| `")?.split(" | ").collect();
            let [block, queues, why, shown] = cells.as_slice() else { return None };
            assert!(!why.is_empty() && !shown.trim_end_matches(" |").is_empty(), "{line}");
            let names = queues.split(", ").map(|queue| queue.trim_matches('`'));
            Some(names.map(|name| format!("{} {name}", block.trim_matches('`'))).collect::<Vec<_>>())
        })
        .flatten()
        .collect();
    let queues = unasked();
    let missing: Vec<_> = queues.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&queues).collect();
    assert!(missing.is_empty() && gone.is_empty(), "not in docs/src/never_full.md: {missing:?}; there, and no longer in hdl/src: {gone:?}");
}

#[test]
fn a_word_that_is_refused_is_seen() {
    let good = catalogue::sources(&elaborated(ImmediateList::<2, 4, 138>::default()));
    let run = |push: &str, pop: &str| {
        let mut design = good.clone();
        for Source { text, .. } in &mut design.sources {
            *text = text.replace("waiting_in_valid = in_valid || returns;", &format!("waiting_in_valid = {push};"));
            *text = text.replace("waiting_out_ready = leaves || returns;", &format!("waiting_out_ready = {pop};"));
        }
        let mut model = soon(&guarded(design));
        let rst = model.ports().iter().position(|port| port.name == "rst").unwrap();
        model.poke_u64(rst, 1);
        model.clock();
        model.poke_u64(rst, 0);
        for _ in 0..64 {
            model.clock();
        }
        model.failure().map(String::from)
    };
    assert_eq!(run("in_valid || returns", "leaves || returns"), None);
    assert_eq!(run("1'b1", "1'b1"), None);
    let said = run("1'b1", "1'b0").unwrap();
    assert!(said.contains("immediate_list"), "{said}");
}
