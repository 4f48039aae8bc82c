//! A name is a content: whatever block of a profile a module was emitted for, it is the same module.

use rdma_rtl_gen::{emit, emit_beside};
use rdma_rtl_tb::catalogue::{Design, designs};
use std::collections::{BTreeMap, BTreeSet};

/// The modules of a design, written beside `tops`: name and text.
fn modules(design: &Design, tops: &[String]) -> Vec<(String, String)> {
    let elaborated = design.elaborate().unwrap_or_else(|e| panic!("{} at {}: {e}", design.block, design.profile));
    emit_beside(&elaborated, tops).into_iter().map(|file| (file.name.trim_end_matches(".v").to_string(), file.text)).collect()
}

/// Names with more than one text, with the designs that have them; `place` says which designs stand in one folder.
fn ambiguous<'a>(
    found: &'a [(Design, Vec<(String, String)>)],
    place: impl Fn(&Design) -> &'static str,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut texts: BTreeMap<(&str, &str), (&'a str, &Design)> = BTreeMap::new();
    let mut wrong: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (design, modules) in found {
        for (name, text) in modules {
            let (first, of) = *texts.entry((place(design), name)).or_insert((text, design));
            if first != text {
                let both = [of, design].map(|d| format!("{} at {}", d.block, d.profile));
                wrong.entry(name.clone()).or_default().extend(both);
            }
        }
    }
    wrong
}

/// All blocks at all profiles of the catalogue, those of the tests as well: in one profile no name has two contents.
///
/// A module has the sizes of its profile and not its name. Two profiles in one design are told apart by `--prefix`.
#[test]
fn a_name_is_a_content_in_every_block_of_a_profile() {
    let all: Vec<Design> = designs().to_vec();
    let profiles: BTreeSet<&str> = all.iter().map(|d| d.profile).collect();
    assert!(profiles.len() > 30 && profiles.contains("pool") && profiles.contains("large"), "{profiles:?}");
    let tops: Vec<String> = all.iter().map(|d| d.block.to_string()).collect();
    let tops = &tops;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let found: Vec<(Design, Vec<(String, String)>)> = std::thread::scope(|scope| {
        let part = |at: usize| all.iter().skip(at).step_by(cores).map(|d| (*d, modules(d, tops))).collect::<Vec<_>>();
        let work = |at: usize| std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, move || part(at)).unwrap();
        let workers: Vec<_> = (0..cores).map(work).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    let wrong = ambiguous(&found, |design| design.profile);
    assert!(wrong.is_empty(), "one name, several contents: {wrong:#?}");
    // The check sees what is there: tops of two profiles do differ.
    assert!(ambiguous(&found, |_| "any").contains_key("endpoint"));
    let hash = |name: &str| name.rsplit('_').next().is_some_and(|w| w.len() == 9 && w[1..].chars().all(|c| c.is_ascii_hexdigit()));
    let hashed: BTreeSet<&str> = found.iter().flat_map(|(_, m)| m).map(|(name, _)| name.as_str()).filter(|name| hash(name)).collect();
    assert!(hashed.is_empty(), "names with a hash: {hashed:?}");
}

/// A queue that is asked for has the sizes of the profile; one inside of another block is the module with parameters. Where both are written in one
/// call, the latter says so.
#[test]
fn a_primitive_gives_way_to_a_top_of_its_name() {
    let find = |block| rdma_rtl_tb::catalogue::find(block, "small").expect("a block of the catalogue");
    let buffer = find("packet_buffer").elaborate().unwrap_or_else(|e| panic!("{e}"));
    let names = |files: Vec<rdma_rtl_gen::SourceFile>| files.into_iter().map(|f| f.name).collect::<Vec<_>>();
    let (alone, beside) = (names(emit(&buffer)), names(emit_beside(&buffer, &["fifo_lut".into(), "packet_buffer".into()])));
    assert!(alone.contains(&"fifo_lut.v".into()) && !alone.contains(&"fifo_lut_sized.v".into()), "{alone:?}");
    assert!(beside.contains(&"fifo_lut_sized.v".into()) && !beside.contains(&"fifo_lut.v".into()), "{beside:?}");
}
