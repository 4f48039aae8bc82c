use super::*;

/// A network as a scenario would describe it.
fn network(text: &str) -> Network {
    Network::new(&toml::from_str(text).unwrap()).unwrap()
}

fn numbered(number: u32, bytes: usize) -> Vec<u8> {
    let mut frame = vec![0; bytes];
    frame[..4].copy_from_slice(&number.to_be_bytes());
    frame
}

fn number(frame: &[u8]) -> u32 {
    u32::from_be_bytes([frame[0], frame[1], frame[2], frame[3]])
}

/// Sends `count` frames of 1000 bytes, one each `gap` picoseconds, and waits for all of them.
fn run(network: &mut Network, count: u32, gap: u64) -> Vec<Arrival> {
    let mut there = Vec::new();
    for at in 0..count {
        let now = u64::from(at) * gap;
        there.extend(network.poll(now));
        network.send(now, Side::A, numbered(at, 1000));
    }
    there.extend(network.poll(u64::MAX));
    assert_eq!(network.in_flight(), 0);
    there
}

/// Within five standard deviations of a binomial distribution.
#[track_caller]
fn likely(seen: u64, trials: u64, probability: f64) {
    let mean = trials as f64 * probability;
    let bound = 5.0 * (mean * (1.0 - probability)).sqrt() + 1.0;
    assert!((seen as f64 - mean).abs() <= bound, "{seen} of {trials}, expected {mean} +- {bound}");
}

const WILD: &str = r#"
    seed = 5
    [both]
    spread = "random"
    [[both.path]]
    count = 3
    loss = 0.05
    duplicate = 0.05
    corrupt = 0.05
    jitter_ns = 500
    burst = { enter = 0.01, leave = 0.2 }
"#;

#[test]
fn a_plain_network_delivers_everything_in_order_at_the_rate_of_the_link() {
    let mut plain = network("");
    let there = run(&mut plain, 100, 0);
    // 100 Gbit/s are 80 ps per byte, and each frame occupies the link for 24 bytes more
    for (at, arrival) in (0..).zip(&there) {
        assert_eq!((number(&arrival.frame), arrival.at), (at, 1024 * 80 * (u64::from(at) + 1) + 1_000_000));
        assert_eq!((arrival.to, arrival.sent, arrival.path), (Side::B, 0, 0));
        assert!(!arrival.corrupted && !arrival.duplicate && !arrival.marked);
    }
    assert_eq!(plain.stats(Side::A), Stats { sent: 100, delivered: 100, most_queued: 102_400, ..Stats::default() });
    assert_eq!(plain.stats(Side::B), Stats::default());
}

#[test]
fn a_link_that_is_not_full_adds_its_delay_only() {
    let mut slow = network("[forward]\n[[forward.path]]\nrate_gbps = 10\ndelay_ns = 2.5\noverhead_bytes = 0\n");
    slow.send(1_000, Side::A, vec![0; 60]);
    slow.send(1_000_000, Side::A, vec![0; 100]);
    // short frames are padded
    slow.send(2_000_000, Side::A, vec![0; 1]);
    slow.send(2_000_000, Side::B, vec![0; 100]);
    let at: Vec<(u64, Side)> = slow.poll(u64::MAX).iter().map(|arrival| (arrival.at, arrival.to)).collect();
    // the other way has all defaults
    let other = 2_000_000 + 124 * 80 + 1_000_000;
    assert_eq!(
        at,
        [(1000 + 48_000 + 2500, Side::B), (1_000_000 + 80_000 + 2500, Side::B), (2_000_000 + 50_500, Side::B), (other, Side::A)]
    );
}

#[test]
fn a_delay_changes_with_the_last_bit_of_a_frame() {
    let changes = "delay_changes = [{ at_us = 1, delay_ns = 5000 }, { at_us = 2, delay_ns = 0 }]";
    let mut changing = network(&format!("[both]\npath = [{{ delay_ns = 100, overhead_bytes = 0, {changes} }}]"));
    // 100 bytes are 8 ns of the link.
    for begin in [0, 991_999, 992_000, 1_991_999, 1_992_000] {
        changing.send(begin, Side::A, vec![0; 100]);
    }
    let at: Vec<u64> = changing.poll(u64::MAX).iter().map(|arrival| arrival.at).collect();
    // The last frame overtakes those that have 5 us to go. What comes to a busy link waits for it.
    assert_eq!(at, [8_000 + 100_000, 999_999 + 100_000, 2_007_999, 1_007_999 + 5_000_000, 1_999_999 + 5_000_000]);
    assert_eq!(changing.stats(Side::A).delivered, 5);
}

#[test]
fn nothing_is_there_before_its_time() {
    let mut plain = network("");
    plain.send(0, Side::A, vec![0; 1000]);
    let at = plain.next_arrival().unwrap();
    assert_eq!((plain.poll(at - 1).len(), plain.in_flight()), (0, 1));
    assert_eq!((plain.poll(at).len(), plain.in_flight(), plain.next_arrival()), (1, 0, None));
}

#[test]
fn the_same_seed_gives_the_same_network() {
    let [first, second, other] = [WILD, WILD, &WILD.replace("seed = 5", "seed = 6")].map(|text| run(&mut network(text), 2000, 100_000));
    assert_eq!(first, second);
    assert_ne!(first, other);
}

#[test]
fn a_kind_of_fault_does_not_change_another() {
    let lost = |text: &str| {
        let there = run(&mut network(text), 2000, 100_000);
        let mut numbers: Vec<u32> =
            there.iter().filter(|arrival| !arrival.duplicate && !arrival.corrupted).map(|a| number(&a.frame)).collect();
        numbers.sort_unstable();
        (0..2000).filter(|at| numbers.binary_search(at).is_err()).collect::<Vec<u32>>()
    };
    let plain = lost("seed = 3\n[both]\npath = [{ loss = 0.1 }]");
    assert_eq!(plain, lost("seed = 3\n[both]\npath = [{ loss = 0.1, duplicate = 0.3, jitter_ns = 9000 }]"));
    assert_ne!(plain, lost("seed = 4\n[both]\npath = [{ loss = 0.1 }]"));
}

#[test]
fn paths_and_ways_lose_independently() {
    let text = "[both]\npath = [{ count = 2, loss = 0.5 }]";
    let mut lossy = network(text);
    for at in 0..400 {
        lossy.send(u64::from(at) * 100_000, Side::A, numbered(at, 100));
        lossy.send(u64::from(at) * 100_000, Side::B, numbered(at, 100));
    }
    let there = lossy.poll(u64::MAX);
    let came = |to, path| there.iter().filter(|a| (a.to, a.path) == (to, path)).map(|a| number(&a.frame) / 2).collect::<Vec<u32>>();
    let all = [came(Side::B, 0), came(Side::B, 1), came(Side::A, 0), came(Side::A, 1)];
    for (at, one) in all.iter().enumerate() {
        assert!(all[..at].iter().all(|other| other != one));
    }
    // what one way is like does not change the other
    let mut same = network(&text.replace("both", "backward"));
    (0..400).for_each(|at| same.send(u64::from(at) * 100_000, Side::B, numbered(at, 100)));
    let there = same.poll(u64::MAX);
    assert_eq!(there.iter().filter(|a| a.path == 1).map(|a| number(&a.frame) / 2).collect::<Vec<u32>>(), all[3]);
}

#[test]
fn faults_come_as_often_as_they_should() {
    let frames = 40_000;
    let mut faulty = network("[both]\npath = [{ loss = 0.01, duplicate = 0.05, corrupt = 0.02 }]");
    let there = run(&mut faulty, frames as u32, 82_000);
    let Stats { sent, lost_random, duplicated, corrupted, delivered, reordered, .. } = faulty.stats(Side::A);
    assert_eq!((sent, delivered, reordered), (frames, there.len() as u64, 0));
    assert_eq!(delivered, frames - lost_random + duplicated);
    likely(lost_random, frames, 0.01);
    likely(duplicated, frames - lost_random, 0.05);
    likely(corrupted, delivered, 0.02);
    assert_eq!(there.iter().filter(|arrival| arrival.duplicate).count() as u64, duplicated);
    for arrival in &there {
        let flipped: u32 = arrival.frame[4..].iter().map(|byte| byte.count_ones()).sum();
        assert!(flipped <= 1 && (arrival.corrupted || flipped == 0));
    }
    for sure in ["loss = 1", "burst = { enter = 1, leave = 0 }"] {
        assert!(run(&mut network(&format!("[both]\npath = [{{ {sure} }}]")), 1000, 0).is_empty(), "{sure}");
    }
}

#[test]
fn bits_are_flipped_as_many_as_asked_for() {
    let mut faulty = network("[both]\npath = [{ corrupt = 1, corrupt_bits = 12 }]");
    faulty.send(0, Side::A, vec![0; 100]);
    faulty.send(0, Side::A, vec![0; 1]);
    faulty.send(0, Side::A, vec![]);
    let flipped: Vec<u32> = faulty.poll(u64::MAX).iter().map(|a| a.frame.iter().map(|byte| byte.count_ones()).sum()).collect();
    assert_eq!((flipped, faulty.stats(Side::A).corrupted), (vec![12, 8, 0], 2));
}

#[test]
fn bursts_have_their_length_and_their_share() {
    let frames = 200_000;
    let burst = Burst { enter: 0.002, leave: 0.1, good_loss: 0.0, bad_loss: 1.0 };
    let mut bursty = network("[both]\npath = [{ burst = { enter = 0.002, leave = 0.1 } }]");
    let there = run(&mut bursty, frames, 82_000);
    let mut gaps = Vec::new();
    let mut next = 0;
    for arrival in &there {
        let at = number(&arrival.frame);
        if at > next {
            gaps.push(at - next);
        }
        next = at + 1;
    }
    let lost = bursty.stats(Side::A).lost_burst;
    assert!((burst.mean_loss() - 0.002 / 0.102).abs() < 1e-12);
    // the number of bursts is nearly binomial, their length geometric
    likely(gaps.len() as u64, frames.into(), 0.002 * (1.0 - burst.mean_loss()));
    let mean = lost as f64 / gaps.len() as f64;
    assert!((8.0..12.5).contains(&mean), "{mean}");
    // half of the frames in bad times
    let mut halved = network("[both]\npath = [{ burst = { enter = 1, leave = 0, bad_loss = 0.5 } }]");
    run(&mut halved, 10_000, 0);
    likely(halved.stats(Side::A).lost_burst, 10_000, 0.5);
    let mut good = network("[both]\npath = [{ burst = { enter = 0, leave = 1, good_loss = 0.25 } }]");
    run(&mut good, 10_000, 0);
    likely(good.stats(Side::A).lost_burst, 10_000, 0.25);
}

#[test]
fn jitter_reorders_and_stays_within_its_bounds() {
    let mut jittery = network("[both]\npath = [{ jitter_ns = 500 }]");
    let there = run(&mut jittery, 10_000, 82_000);
    let mut late: Vec<u64> = there.iter().map(|arrival| arrival.at - arrival.sent - 1_000_000 - 81_920).collect();
    late.sort_unstable();
    assert!(late[0] < 5_000 && late[9_999] > 495_000 && late[9_999] <= 500_000, "{} {}", late[0], late[9_999]);
    likely(late.iter().filter(|&&late| late < 125_000).count() as u64, 10_000, 0.25);
    assert!(there.is_sorted_by_key(|arrival| arrival.at));
    assert!(jittery.stats(Side::A).reordered > 1000);
    // less than the distance between two frames reorders nothing
    let mut little = network("[both]\npath = [{ jitter_ns = 80 }]");
    run(&mut little, 10_000, 82_000);
    assert_eq!(little.stats(Side::A).reordered, 0);
}

#[test]
fn parallel_paths_reorder_and_share_the_load() {
    let paths = "path = [{ count = 3 }, { delay_ns = 1500 }]";
    for (spread, even) in [("round_robin", true), ("random", false)] {
        let mut spread_out = network(&format!("[both]\nspread = \"{spread}\"\n{paths}"));
        let there = run(&mut spread_out, 8000, 82_000);
        assert_eq!(there.len(), 8000);
        assert!(spread_out.stats(Side::A).reordered > 1000);
        for (at, stats) in spread_out.path_stats(Side::A).iter().enumerate() {
            assert_eq!(there.iter().filter(|arrival| arrival.path == at).count() as u64, stats.sent);
            likely(stats.sent, 8000, 0.25);
            assert_eq!(stats.sent == 2000, even, "{spread}");
            // within a path the order stays
            let on_it = there.iter().filter(|arrival| arrival.path == at);
            assert!(on_it.is_sorted_by_key(|arrival| number(&arrival.frame)));
        }
    }
}

/// A RoCEv2 frame, as far as the network looks at it.
fn rocev2(v6: bool, tag: bool, traffic_class: u8, source_port: u16, path_id: u8) -> Vec<u8> {
    let mut frame = vec![2; 12];
    if tag {
        frame.extend([0x81, 0, 0, 5]);
    }
    if v6 {
        frame.extend([0x86, 0xdd, 0x60 | traffic_class >> 4, traffic_class << 4 | 0xa, 0xbc, 0xde, 0, 40, 17, 64]);
        frame.extend([7; 32]);
    } else {
        frame.extend([0x08, 0x00]);
        let start = frame.len();
        frame.extend([0x45, traffic_class, 0, 60, 0x12, 0x34, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
        let sum = !ones_complement(&frame[start..]);
        frame[start + 10..start + 12].copy_from_slice(&sum.to_be_bytes());
    }
    frame.extend(source_port.to_be_bytes());
    frame.extend([0x12, 0xb7, 0, 40, 0, 0]);
    let mut bth = [0; 32];
    bth[8] = 0x80 | path_id;
    frame.extend(bth);
    frame
}

fn ones_complement(header: &[u8]) -> u16 {
    let sum: u32 = header.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    ((folded & 0xffff) + (folded >> 16)) as u16
}

#[test]
fn marks_change_the_congestion_bits_and_the_checksum_alone() {
    for traffic_class in 0..=255u8 {
        for (v6, tag) in [(false, false), (false, true), (true, false), (true, true)] {
            let mut frame = rocev2(v6, tag, traffic_class, 1, 0);
            assert_eq!(ecn(&frame), Some(traffic_class & 3));
            let capable = traffic_class & 3 != 0;
            assert_eq!(mark(&mut frame), capable);
            // as if it had been built so
            let expected = if capable { traffic_class | 3 } else { traffic_class };
            assert_eq!(frame, rocev2(v6, tag, expected, 1, 0), "{traffic_class:#x} {v6} {tag}");
            if !v6 {
                let start = if tag { 18 } else { 14 };
                assert_eq!(ones_complement(&frame[start..start + 20]), 0xffff);
            }
        }
    }
    // no frame is too short or too strange
    let whole = rocev2(false, false, 1, 1, 3);
    for bytes in 0..whole.len() {
        let mut cut = whole[..bytes].to_vec();
        assert_eq!(mark(&mut cut), bytes >= 34);
        assert_eq!(path_id(&cut), if bytes > 14 + 20 + 16 { 3 } else { 0 });
        flow(&cut);
    }
    assert_eq!(ecn(&[0xff; 64]), None);
}

#[test]
fn flows_and_path_ids_keep_their_path() {
    let send = |spread: &str, frame: &dyn Fn(u16) -> Vec<u8>| {
        let mut network = network(&format!("[both]\nspread = \"{spread}\"\npath = [{{ count = 4 }}]"));
        (0..64).for_each(|at| network.send(0, Side::A, frame(at)));
        network.path_stats(Side::A).iter().map(|stats| stats.sent).collect::<Vec<u64>>()
    };
    for v6 in [false, true] {
        let flows = send("flow", &|at| rocev2(v6, false, 0, 0xc000 + at, at as u8));
        assert!(flows.iter().all(|&sent| sent > 4), "{flows:?}");
        let one = send("flow", &|at| rocev2(v6, false, at as u8, 0xc000, at as u8));
        assert_eq!(one.iter().filter(|&&sent| sent > 0).count(), 1);
        assert_eq!(send("path_id", &|at| rocev2(v6, at % 2 == 0, 0, at, (at % 16) as u8)), [16; 4]);
        assert_eq!(send("path_id", &|at| rocev2(v6, false, 0, at, 6)), [0, 0, 64, 0]);
    }
}

#[test]
fn a_full_queue_marks_and_then_drops() {
    // 1024 bytes each; nothing leaves meanwhile
    let text = "[both]\npath = [{ queue_bytes = 10240, overhead_bytes = 0, ecn = { from_bytes = 4096, to_bytes = 4096 } }]";
    let mut queue = network(text);
    let frame = |traffic_class| {
        let mut frame = rocev2(false, false, traffic_class, 1, 0);
        frame.resize(1024, 0);
        frame
    };
    (0..12).for_each(|at| queue.send(0, Side::A, frame(if at == 6 { 0 } else { 2 })));
    let Stats { queue_dropped, marked, most_queued, .. } = queue.stats(Side::A);
    assert_eq!((queue_dropped, marked, most_queued), (2, 5, 10240));
    let there = queue.poll(u64::MAX);
    let bits: Vec<u8> = there.iter().filter_map(|arrival| ecn(&arrival.frame)).collect();
    assert_eq!(bits, [2, 2, 2, 2, 3, 3, 0, 3, 3, 3]);
    assert!(there.iter().all(|arrival| arrival.marked == (ecn(&arrival.frame) == Some(3))));
    // it drains at the rate of the link
    let later = 8 * 1024 * 80;
    queue.send(later, Side::A, frame(2));
    assert!(!queue.poll(u64::MAX)[0].marked);
}

#[test]
fn marks_become_likelier_as_the_queue_fills() {
    let text = "[both]\npath = [{ overhead_bytes = 0, ecn = { from_bytes = 0, to_bytes = 4000, probability = 0.4 } }]";
    let mut queue = network(text);
    let rounds = 4000;
    let mut marked = [0; 6];
    for round in 0..rounds {
        for place in &mut marked {
            let before = queue.stats(Side::A).marked;
            queue.send(round * 1_000_000, Side::A, [rocev2(false, false, 1, 1, 0), vec![0; 1000 - 74]].concat());
            *place += queue.stats(Side::A).marked - before;
        }
    }
    for (place, chance) in marked.into_iter().zip([0.0, 0.1, 0.2, 0.3, 1.0, 1.0]) {
        likely(place, rounds, chance);
    }
}

#[test]
fn impossible_values_are_refused() {
    for (text, said) in [
        ("[both]\npath = [{ loss = 1.5 }]", "`both.path[0].loss` is 1.5; 0 to 1 is allowed"),
        ("[forward]\npath = [{}, { loss = -0.1 }]", "`forward.path[1].loss` is -0.1; 0 to 1 is allowed"),
        ("[both]\npath = [{ duplicate = nan }]", "`both.path[0].duplicate` is NaN; 0 to 1 is allowed"),
        ("[both]\npath = [{ corrupt = 2 }]", "`both.path[0].corrupt` is 2; 0 to 1"),
        ("[both]\npath = [{ corrupt_bits = 0 }]", "`both.path[0].corrupt_bits` is 0; 1 to 1024"),
        ("[backward]\npath = [{ rate_gbps = 0 }]", "`backward.path[0].rate_gbps` is 0; 0.001 to 10000 is allowed"),
        ("[both]\npath = [{ delay_ns = inf }]", "`both.path[0].delay_ns` is inf; 0 to 1000000000 is allowed"),
        (
            "[both]\npath = [{ delay_changes = [{ at_us = 5, delay_ns = 1 }, { at_us = 4, delay_ns = 1 }] }]",
            "`both.path[0].delay_changes[1].at_us` is 4; 5 to 1000000 is allowed",
        ),
        (
            "[both]\npath = [{ delay_changes = [{ at_us = 5, delay_ns = -1 }] }]",
            "`both.path[0].delay_changes[0].delay_ns` is -1; 0 to 1000000000 is allowed",
        ),
        ("[both]\npath = [{ jitter_ns = -1 }]", "`both.path[0].jitter_ns` is -1;"),
        ("[both]\npath = [{ overhead_bytes = 2000 }]", "`both.path[0].overhead_bytes` is 2000;"),
        ("[both]\npath = [{ count = 0 }]", "`both.path[0].count` is 0; 1 to 64 is allowed"),
        ("[both]\npath = [{ count = 60 }, { count = 5 }]", "`both.path[1].count` is 5; all paths together are at most 64"),
        ("[both]\npath = [{ count = 4294967295 }]", "`both.path[0].count` is 4294967295;"),
        ("[both]\npath = [{ burst = { enter = 0, leave = 0 } }]", "`both.path[0].burst.leave` is 0; with `enter` 0"),
        ("[both]\npath = [{ burst = { enter = 2, leave = 0 } }]", "`both.path[0].burst.enter` is 2"),
        ("[both]\npath = [{ burst = { enter = 0, leave = 2 } }]", "`both.path[0].burst.leave` is 2"),
        ("[both]\npath = [{ burst = { enter = 0, leave = 1, good_loss = 2 } }]", "`both.path[0].burst.good_loss` is 2"),
        ("[both]\npath = [{ burst = { enter = 0, leave = 1, bad_loss = 2 } }]", "`both.path[0].burst.bad_loss` is 2"),
        ("[both]\npath = [{ ecn = { from_bytes = 5, to_bytes = 4 } }]", "`both.path[0].ecn.to_bytes` is 4; `from_bytes` (5) or more"),
        ("[both]\npath = [{ ecn = { from_bytes = 5, to_bytes = 9, probability = 3 } }]", "`both.path[0].ecn.probability` is 3"),
        (
            "[both]\npath = [{ queue_bytes = 5, ecn = { from_bytes = 5, to_bytes = 9 } }]",
            "`both.path[0].ecn.from_bytes` is 5; less than `queue_bytes` (5)",
        ),
        ("[both]\n[backward]", "`backward` is given beside `both`; give either"),
    ] {
        let refused = Network::<Vec<u8>>::new(&toml::from_str(text).unwrap()).map(drop).unwrap_err().to_string();
        assert!(refused.starts_with("network: ") && refused.contains(said), "{refused}");
    }
    for (text, said) in [
        ("speed = 1", "unknown field `speed`"),
        ("[both]\npath = [{ los = 1 }]", "unknown field `los`"),
        ("[both]\nspread = \"hash\"", "unknown variant `hash`"),
        ("[both]\npath = [{ burst = { enter = 1 } }]", "missing field `leave`"),
    ] {
        let refused = toml::from_str::<Config>(text).unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    }
}
