//! Every test of the blocks as one program: each would link the catalogue of all blocks.
//!
//! A file is a block's, or a group's, and its tests run alone with its name: `cargo test -p rdma-rtl-tests receive_registry::`.

mod bitmap_pipeline;
mod bitmap_pipeline_faults;
mod bitmap_requests;
mod cdma_driver;
mod cdma_driver_faults;
mod ceth;
mod completion_queue;
mod completion_repeat;
mod congestion_degree;
mod control_builder;
mod csr;
mod depot_flows;
mod depot_frames;
mod depot_heads;
mod depot_pace;
mod depot_path;
mod depot_pool;
mod depot_step;
mod emitted;
mod endpoint;
mod ends;
mod feedback_builder;
mod feedback_intake;
mod feedback_path;
mod formal;
mod frame_parser;
mod golden_ends;
mod icrc;
mod immediate_list;
mod lr2_flow_table;
mod lr2_frame_edit;
mod lr2_frame_maker;
mod lr2_head;
mod mac_bridge;
mod memory_writer;
mod merge;
mod never_full;
mod numbered;
mod op_gate;
mod op_loader;
mod op_table;
mod op_table_faults;
mod packet_buffer;
mod packet_engine;
mod packet_timeout;
mod pair;
mod plain_captures;
mod primitives;
mod queue_pair_buckets;
mod receive_bitmap;
mod receive_bitmap_captures;
mod receive_bitmap_faults;
mod receive_endpoint;
mod receive_registry;
mod receive_registry_faults;
mod refetch;
mod round_trip;
mod scenario;
mod send_bitmap;
mod send_bitmap_faults;
mod send_buffer;
mod send_endpoint;
mod send_endpoint_faults;
mod send_endpoint_plan;
mod sent_packets;
mod sentry_bits;
mod sentry_flows;
mod sentry_step;
mod splitter;
mod start_gate;
mod verdict_ring;
mod window_credits;
mod window_gate;
mod window_length;

/// Of texts in their order, as 64 hexadecimal digits.
fn hash_of(texts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    for text in texts {
        let text = text.as_ref();
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A file that nobody names is a test that nobody runs.
#[test]
fn every_file_is_part_of_it() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let named = |name: &str| include_str!("main.rs").lines().any(|line| line == format!("mod {name};"));
    let forgotten: Vec<_> = names.filter(|n| n != "main.rs" && n != "snapshots" && !named(n.trim_end_matches(".rs"))).collect();
    assert!(forgotten.is_empty(), "not in tests/main.rs: {}", forgotten.join(", "));
}

/// A name that no test has would leave its test, and its reason, behind.
#[test]
fn every_long_test_is_one() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let names = include_str!("../long_tests.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let unknown: Vec<_> = names
        .filter(|name| {
            let (module, test) = name.rsplit_once("::").unwrap_or_default();
            let file = |folder: &std::path::Path| folder.join(module.replace("::", "/")).with_extension("rs");
            // Golden models are a package of their own.
            let golden = folder.join("../../sim/golden/src");
            let text = [&folder, &golden].iter().find_map(|folder| std::fs::read_to_string(file(folder)).ok()).unwrap_or_default();
            !text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == test)
        })
        .collect();
    assert!(unknown.is_empty(), "tb/long_tests.txt names what is no test: {}", unknown.join(", "));
}
