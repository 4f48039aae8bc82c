//! A name is a content: whatever block of a profile a module was emitted for, it is the same module.

use rdma_rtl_gen::{emit, emit_beside, ir};
use rdma_rtl_tb::catalogue::{Design, designs};
use std::collections::{BTreeMap, BTreeSet};

fn elaborated(design: &Design) -> ir::Design {
    design.elaborate().unwrap_or_else(|e| panic!("{} at {}: {e}", design.block, design.profile))
}

/// What `work` makes of each, on all processors.
fn each<T: Send, R: Send>(of: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let left = std::sync::Mutex::new(of.into_iter().enumerate());
    let done = std::sync::Mutex::new(Vec::new());
    let run = || {
        while let Some((at, item)) = { left.lock().unwrap().next() } {
            let result = work(item);
            done.lock().unwrap().push((at, result));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..cores).map(|_| std::thread::Builder::new().stack_size(64 << 20).spawn_scoped(scope, run).unwrap()).collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The modules of all designs of a profile as one call writes them: name and text.
fn modules(profile: &str) -> Vec<(Design, Vec<(String, String)>)> {
    let all: Vec<Design> = designs().iter().filter(|d| d.profile == profile).copied().collect();
    let elaborated: Vec<ir::Design> = each(all.clone(), |design| elaborated(&design));
    let tops: Vec<ir::Module> = elaborated.iter().filter_map(|design| design.top_module().cloned()).collect();
    let tops: Vec<&ir::Module> = tops.iter().collect();
    let names: Vec<String> = tops.iter().map(|top| top.name.clone()).collect();
    let texts = each(elaborated, |mut design| {
        design.give_way(&tops);
        let files = emit_beside(&design, &names).into_iter();
        files.map(|file| (file.name.trim_end_matches(".v").to_string(), file.text)).collect::<Vec<_>>()
    });
    all.into_iter().zip(texts).collect()
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
    let profiles: BTreeSet<&str> = designs().iter().map(|d| d.profile).collect();
    assert!(profiles.len() > 30 && profiles.contains("pool") && profiles.contains("large"), "{profiles:?}");
    let found: Vec<_> = profiles.into_iter().flat_map(modules).collect();
    let wrong = ambiguous(&found, |design| design.profile);
    assert!(wrong.is_empty(), "one name, several contents: {wrong:#?}");
    // The check sees what is there: tops of two profiles do differ.
    assert!(ambiguous(&found, |_| "any").contains_key("endpoint"));
    let hash = |name: &str| name.rsplit('_').next().is_some_and(|w| w.len() == 9 && w[1..].chars().all(|c| c.is_ascii_hexdigit()));
    let hashed: BTreeSet<&str> = found.iter().flat_map(|(_, m)| m).map(|(name, _)| name.as_str()).filter(|name| hash(name)).collect();
    assert!(hashed.is_empty(), "names with a hash: {hashed:?}");
}

/// A queue that is asked for has the sizes of the profile; one inside of another block is the module with parameters. Where both are
/// written in one call, the latter says so.
#[test]
fn a_primitive_gives_way_to_a_top_of_its_name() {
    let find = |block| rdma_rtl_tb::catalogue::find(block, "small").expect("a block of the catalogue");
    let buffer = find("packet_buffer").elaborate().unwrap_or_else(|e| panic!("{e}"));
    let names = |files: Vec<rdma_rtl_gen::SourceFile>| files.into_iter().map(|f| f.name).collect::<Vec<_>>();
    let (alone, beside) = (names(emit(&buffer)), names(emit_beside(&buffer, &["fifo_lut".into(), "packet_buffer".into()])));
    assert!(alone.contains(&"fifo_lut.v".into()) && !alone.contains(&"fifo_lut_sized.v".into()), "{alone:?}");
    assert!(beside.contains(&"fifo_lut_sized.v".into()) && !beside.contains(&"fifo_lut.v".into()), "{beside:?}");
}

/// A register block alone has no sizes of an endpoint: in one call with the endpoint it has the name, and that inside of the endpoint gives
/// way.
#[test]
fn a_child_gives_way_to_a_top_that_is_another() {
    let find = |block| rdma_rtl_tb::catalogue::find(block, "small").map(|design| elaborated(&design)).expect("a block of the catalogue");
    let (alone, mut endpoint) = (find("send_endpoint_registers"), find("send_endpoint"));
    let before = endpoint.clone();
    endpoint.give_way(&[before.top_module().unwrap(), before.modules.iter().find(|m| m.name == "send_path").unwrap()]);
    assert!(endpoint == before, "what is the same keeps its name");
    endpoint.give_way(&[before.top_module().unwrap(), alone.top_module().unwrap()]);
    let named = |design: &ir::Design, name: &str| design.modules.iter().any(|m| m.name == name);
    assert!(!named(&endpoint, "send_endpoint_registers") && named(&endpoint, "send_endpoint_registers_inner"));
    assert!(endpoint.top_module().unwrap().instances.iter().any(|i| i.module == "send_endpoint_registers_inner"));
    assert_eq!(endpoint.check(), Ok(()));
}
