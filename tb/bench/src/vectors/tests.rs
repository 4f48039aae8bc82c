use super::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors")
}

/// With `UPDATE_VECTORS=1` in the environment this writes them instead.
#[test]
fn the_committed_vectors_are_what_the_golden_model_says() {
    if std::env::var_os("UPDATE_VECTORS").is_some() {
        write(&folder()).unwrap();
    }
    let files = files().unwrap();
    for (name, bytes) in &files {
        let committed = std::fs::read(folder().join(name)).unwrap_or_default();
        assert!(committed == *bytes, "{name} differs from what is generated; UPDATE_VECTORS=1 cargo test -p rdma-rtl-tb vectors writes it");
    }
    // Folders hold what was recorded.
    let entries = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap()).filter(|entry| entry.path().is_file());
    let names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    let strangers: Vec<_> = names.iter().filter(|name| !files.contains_key(*name)).collect();
    assert!(strangers.is_empty(), "nothing makes {strangers:?}");
}

#[test]
fn the_vectors_are_small_and_made_the_same_twice() {
    let once = files().unwrap();
    assert!(once == files().unwrap());
    let bytes: usize = once.values().map(Vec::len).sum();
    // Some 700 packets of 4096 bytes.
    assert!(bytes < 3_500_000, "{bytes}");
}

#[test]
fn every_frame_of_every_vector_has_its_line() {
    for vector in all().unwrap() {
        let frames = capture::parse(&vector.pcap, Path::new("x")).unwrap().len();
        let mut seen: Vec<u64> = vector
            .expected
            .lines()
            .filter_map(|line| serde_json::from_str::<Value>(line).unwrap().get("frame").and_then(Value::as_u64))
            .collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..frames as u64).collect::<Vec<_>>(), "{}", vector.name);
    }
}

#[test]
fn the_frame_vector_shows_every_reason_that_needs_no_list() {
    let vector = all().unwrap().into_iter().find(|vector| vector.name == "frame_errors").unwrap();
    for reason in ["not_rocev2", "truncated", "bad_version", "bad_opcode", "bad_pad", "bad_length", "bad_icrc", "bad_extension"] {
        assert!(vector.expected.contains(&format!("\"reason\":\"{reason}\"")), "{reason}\n{}", vector.expected);
    }
    let packets = vector.expected.matches("\"verdict\":\"written\"").count();
    assert_eq!((packets, vector.expected.matches("\"kind\":\"ignored\"").count()), (3, 2), "{}", vector.expected);
}

#[test]
fn a_packet_of_each_opcode_of_rc_is_read() {
    let vector = all().unwrap().into_iter().find(|vector| vector.name == "rc_opcodes").unwrap();
    let frames = capture::parse(&vector.pcap, Path::new("x")).unwrap();
    let opcodes: Vec<u8> = frames.iter().map(|frame| frame.bytes[42]).collect();
    assert_eq!(opcodes, (0..0x20).collect::<Vec<u8>>());
    let found = |text: &str| vector.expected.matches(text).count();
    let seen = [found("\"verdict\":\"written\""), found("\"kind\":\"ignored\""), found("\"kind\":\"frame_error\"")];
    assert_eq!(seen, [2, 30, 0], "{}", vector.expected);
}

#[test]
fn a_difference_is_named_and_moments_do_not_matter() {
    let line = |cycle: &str, frame: u32, verdict: &str| {
        format!("{{\"cycle\":{cycle},\"kind\":\"packet\",\"frame\":{frame},\"verdict\":\"{verdict}\"}}\n")
    };
    let expected = line("null", 0, "written") + &line("null", 1, "stale");
    assert_eq!(difference(&expected, &(line("9", 1, "stale") + &line("3", 0, "written"))), None);
    assert!(difference(&expected, &line("3", 0, "written")).unwrap().starts_with("packet frame 1:"));
    assert!(difference(&expected, &(line("3", 0, "written") + &line("4", 1, "written"))).unwrap().contains("is expected"));
    assert!(difference(&expected, "nonsense").unwrap().contains("line 1"));
}

/// The bench, driven by the captures, decides what the model alone decided.
#[test]
fn a_bench_over_a_right_model_agrees_with_every_vector() {
    use crate::receive_registry::fake::{Fake, Fault};
    use crate::receive_registry::{Bench, Report};
    for vector in all().unwrap() {
        let run = |from: usize| {
            let mut offers = vector.offers().unwrap().into_iter().skip(from);
            let report = Bench::run(&mut Fake::new(&vector.params, Fault::None), &vector.params, vector.options(), &mut offers);
            report.unwrap_or_else(|failure| panic!("{}: {failure}", vector.name))
        };
        let text = |report: &Report| report.lines.iter().map(|line| line.to_json() + "\n").collect::<String>();
        let report = run(0);
        assert_eq!(difference(&vector.expected, &text(&report)), None, "{}", vector.name);
        assert!(report.lines.iter().all(|line| line.cycle.is_some()));
        assert!(difference(&vector.expected, &text(&run(1))).is_some(), "{}", vector.name);
    }
}
