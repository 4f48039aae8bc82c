//! The golden models of both ends, with the network between them: what a sender and a receiver that keep to the contract do together.

use rdma_rtl_golden::registry::{self, Region};
use rdma_rtl_golden::send::op_table;
use rdma_rtl_golden::send::splitter::{self, Block, Command};
use rdma_rtl_golden::send::status;
use rdma_rtl_sim::network::{Network, Side};
use rdma_rtl_tb::scenario::{
    End, Ends, Engine, GoldenReceiver, GoldenSender, Parts, Receiver, Report, Scenario, SenderParams, run, source,
};
use std::collections::BTreeMap;

/// Picoseconds of a clock.
const CLOCK: u64 = 3103;

/// A scenario between golden ends, judged.
fn scenario(text: &str) -> Report {
    let mut scenario = Scenario::read("test", &format!("title = \"test\"\n{text}")).unwrap_or_else(|e| panic!("{e}"));
    (scenario.sender.engine, scenario.receiver.engine) = (Engine::Golden, Engine::Golden);
    let parts = Parts::new(&scenario).unwrap_or_else(|e| panic!("{e}"));
    let mut receiver = parts.receiver(Engine::Golden, None).unwrap();
    let report = run(&scenario, &mut *parts.sender(Engine::Golden, None).unwrap(), &mut *receiver, &parts.sender, &mut |_, _| {});
    let report = report.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scenario.expect.judge(&report), [] as [String; 0]);
    report
}

#[test]
fn nothing_is_repeated_where_nothing_is_lost() {
    let report = scenario("[[commands]]\ncount = 200\nmost = 65536");
    for name in ["retransmissions", "timeouts", "duplicate_acks", "failures", "escaped", "lost"] {
        assert_eq!(report.number(name), 0.0, "{name}: {report:?}");
    }
    assert!(report.goodput_gbps > 75.0, "{}", report.goodput_gbps);
}

/// 512 bytes there and the acknowledgement back: two ways of 1 us, and both frames on the wire.
#[test]
fn latency_is_that_of_the_network() {
    let report = scenario("[[commands]]\ncount = 50\nleast = 512\nmost = 512\nprocess = \"periodic\"\ninterval_ns = 20000\narrivals = 0");
    assert!(report.latency[0].least > 2040.0 && report.latency[0].most < 2100.0, "{:?}", report.latency);
}

#[test]
fn everything_arrives_through_a_network_that_loses_and_repeats_and_reorders() {
    for (loss, retry_limit) in [(0.001, 7), (0.01, 7), (0.05, 15), (0.2, 31)] {
        let report = scenario(&format!(
            "[[commands]]\ncount = 150\nmost = 32768\n[sender]\nretry_limit = {retry_limit}\nbackoff_cap = 300\n[network]\nseed = 9\n[network.both]\n\
             spread = \"random\"\npath = [{{ count = 4, loss = {loss}, duplicate = 0.05, corrupt = 0.001, jitter_ns = 3000 }}]"
        ));
        let repeated = report.number("retransmissions") > 0.0 || report.forward.lost_random == 0;
        assert!(repeated && report.forward.reordered > 100, "{report:?}");
        println!("loss {loss}: {:.1} Gb/s, {:?}", report.goodput_gbps, report.sender_counters);
    }
}

#[test]
fn a_network_that_loses_everything_fails_every_command_once() {
    let report = scenario(
        "[[commands]]\ncount = 20\nmost = 65536\n[network]\nboth.path = [{ loss = 1 }]\n[expect]\noutcome = \"all_fail\"\nstatus = 32",
    );
    assert_eq!((report.completed, report.failed), (0, 20));
}

const SENDER: SenderParams = SenderParams {
    splitter: splitter::Params::WORKED,
    table: op_table::Params::DEFAULT,
    cut: splitter::Config { threshold: 16384, segment: 4096 },
    timers: op_table::Config { prescale: 322, timeout: 20, backoff_cap: 200, retry_limit: 7, t_life: 20_000 },
    slots: 16,
    refetch: false,
    queue_pairs: 1,
    untold_window: 0,
    src: 1,
    clock: CLOCK,
    byte: 80.0,
};

fn receiver(regions: usize) -> GoldenReceiver {
    let params = registry::Params { regions, ..registry::Params::WORKED };
    let config = registry::Config { t_life: 20_000, renotify: 10, escape_timeout: 100, ..registry::Config::defaults(&params) };
    let mut receiver = GoldenReceiver::new(params, config);
    receiver.furnish(0, 1 << 20);
    receiver
}

/// Commands as they are, until nothing is under way; what the sender's host was told, and at which targets the receiver's of an arrival.
fn posted(commands: &[Command], receiver: &mut GoldenReceiver, loss: f64) -> (BTreeMap<u16, u8>, Vec<u64>, BTreeMap<String, u64>) {
    posted_by(SENDER, commands, receiver, loss)
}

fn posted_by(
    sender: SenderParams,
    commands: &[Command],
    receiver: &mut GoldenReceiver,
    loss: f64,
) -> (BTreeMap<u16, u8>, Vec<u64>, BTreeMap<String, u64>) {
    let mut sender = GoldenSender::new(sender);
    let config = toml::from_str(&format!("[both]\npath = [{{ loss = {loss} }}]")).unwrap();
    let mut ends = Ends::new(&mut sender, receiver, Network::new(&config).unwrap(), CLOCK);
    let (mut told, mut arrivals, mut commands) = (BTreeMap::new(), Vec::new(), commands.iter().peekable());
    loop {
        while let Some(command) = commands.peek()
            && ends.sender.post(ends.now(), command).unwrap()
        {
            commands.next();
        }
        ends.step(&mut |_: Side, _, _| false).unwrap();
        for completion in ends.sender.completions().unwrap() {
            assert_eq!(told.insert(completion.id, completion.status), None, "{completion:?} is the second");
        }
        arrivals.extend(ends.receiver.completions().unwrap().iter().filter(|told| told.arrival).map(|told| told.base));
        if commands.peek().is_none() && ends.idle() || !ends.advance(None) {
            break;
        }
    }
    sender.finish().unwrap();
    receiver.finish().unwrap();
    (told, arrivals, sender.counters().unwrap())
}

fn command(id: u16, target: u64, sources: &[(u64, u32)]) -> Command {
    let blocks = sources.iter().map(|&(source, bytes)| Block { source, bytes }).collect();
    Command { id, target, node: 2, qp: 0x11, rkey: 0, imm: None, arrival: id.is_multiple_of(3), blocks }
}

#[test]
fn what_the_receiver_does_not_allow_fails_with_its_reason_and_leaves_the_others_alone() {
    let commands: Vec<Command> =
        (0..40).map(|id| command(id, u64::from(id) * 0x4000, &[(u64::from(id) << 16, 1 + 397 * u32::from(id))])).collect();
    let border = commands[20].target;
    let mut receiver = receiver(1);
    receiver.registry().set_region(0, Region { rkey: 0, base: 0, length: border });
    let (told, arrivals, _) = posted(&commands, &mut receiver, 0.02);
    let access = registry::Status::Access as u8;
    assert_eq!(told, (0..40).map(|id| (id, if id < 20 { status::DONE } else { access })).collect());
    assert!(receiver.memory(border, (1 << 20) - border as usize).unwrap().iter().all(|&byte| byte == 0));
    for Command { target, blocks, .. } in &commands[..20] {
        let expected: Vec<u8> = (blocks[0].source..blocks[0].source + u64::from(blocks[0].bytes)).map(source).collect();
        assert!(receiver.memory(*target, expected.len()).unwrap() == expected);
    }
    assert_eq!(arrivals.len(), commands[..20].iter().filter(|command| command.arrival).count());
}

#[test]
fn what_is_pulled_again_needs_no_slot() {
    let commands: Vec<Command> = (0..40).map(|id| command(id, u64::from(id) * 0x4000, &[(u64::from(id) << 20, 16_000)])).collect();
    let mut most = Vec::new();
    for refetch in [false, true] {
        let mut receiver = receiver(0);
        let (told, _, counters) = posted_by(SenderParams { slots: 4, refetch, ..SENDER }, &commands, &mut receiver, 0.02);
        assert_eq!(told, (0..40).map(|id| (id, status::DONE)).collect());
        assert!(counters["retransmissions"] > 0, "{counters:?}");
        for Command { target, blocks, .. } in &commands {
            let expected: Vec<u8> = (blocks[0].source..blocks[0].source + u64::from(blocks[0].bytes)).map(source).collect();
            assert!(receiver.memory(*target, expected.len()).unwrap() == expected);
        }
        most.push(counters["high_water"]);
    }
    // Bound by slots, and by what the wire takes in a round trip.
    assert!(most[0] == 4 && most[1] > 4, "{most:?}");
}

#[test]
fn commands_to_one_place_wait_for_each_other() {
    // large ones, each with its first segment where that of the others is
    let commands: Vec<Command> = (0..4).map(|id| command(id, 0x4000, &[(u64::from(id + 1) << 20, 20_000)])).collect();
    let mut receiver = receiver(0);
    let (told, _, counters) = posted(&commands, &mut receiver, 0.01);
    assert_eq!(told, (0..4).map(|id| (id, status::DONE)).collect());
    assert!(counters["nacks"] > 0, "{counters:?}");
    // each packet is one command's, whole
    for packet in 0..20_000 / 512 {
        let found = receiver.memory(0x4000 + packet * 512, 512).unwrap();
        let from = |id: u64| (0..512).all(|byte| found[byte as usize] == source((id << 20) + packet * 512 + byte));
        assert!((1..=4).any(from), "packet {packet}");
    }
}

/// Both ends combined: what is sent again is asked for by its number. `rest` is of the network and what follows.
fn combined(rest: &str) -> Report {
    scenario(&format!(
        "transport = \"combined\"\n[[commands]]\ncount = 60\nmost = 65536\narrivals = 0.3\nimmediates = 0.2\n[sender]\nengine = \"golden\"\n\
         retry_limit = 31\n[receiver]\nengine = \"golden\"\n{rest}"
    ))
}

#[test]
fn combined_ends_deliver_everything_at_any_loss() {
    for loss in [0.0, 0.01, 0.05, 0.2] {
        let report = combined(&format!("[network]\nseed = 3\n[[network.both.path]]\nloss = {loss}"));
        let again = report.number("selective_retransmissions");
        println!(
            "loss {loss}: {:.1} Gb/s, {} frames, {:?}, {:?}",
            report.goodput_gbps, report.forward.sent, report.sender_counters, report.receiver_counters
        );
        assert_eq!((report.completed, report.failed), (60, 0), "{loss}");
        assert_eq!(again > 0.0, loss > 0.0, "{loss}: {again}");
    }
}

#[test]
fn combined_ends_over_four_paths_that_overtake_lose_and_repeat() {
    let report = combined(
        "[network]\nseed = 5\n[network.both]\nspread = \"random\"\npath = [{ count = 4, loss = 0.05, duplicate = 0.05, corrupt = 0.001, jitter_ns = 500 }]",
    );
    assert!(report.number("selective_retransmissions") > 0.0 && report.number("feedback_messages") > 0.0);
}

#[test]
fn combined_ends_after_the_network_was_cut() {
    let report = combined("[network.both]\npath = [{ loss = 0.01 }]\n[faults]\nblackout = [{ from_us = 50, for_us = 60 }]");
    assert!(report.number("bitmap_timeouts") > 0.0, "{:?}", report.sender_counters);
}

#[test]
fn combined_ends_between_which_only_acknowledgements_are_lost() {
    let report = combined("[network]\nbackward.path = [{ loss = 0.2 }]\nforward.path = [{}]");
    assert_eq!((report.completed, report.failed), (60, 0));
}

/// Both ends speak plain RoCEv2, and what is told by number. `rest` is of the network and what follows.
fn bitmap(rest: &str) -> Report {
    scenario(&format!(
        "transport = \"bitmap\"\n[[commands]]\ncount = 60\nmost = 65536\narrivals = 0\nimmediates = 0.3\n[sender]\nengine = \"golden\"\nretry_limit = 12\n\
         backoff_cap = 300\n[receiver]\nengine = \"golden\"\n{rest}"
    ))
}

#[test]
fn bitmap_ends_deliver_everything_at_any_loss() {
    for loss in [0.0, 0.01, 0.05, 0.2] {
        let report = bitmap(&format!("[network]\nseed = 3\n[[network.both.path]]\nloss = {loss}"));
        println!("loss {loss}: {:.1} Gb/s, {} frames, {:?}", report.goodput_gbps, report.forward.sent, report.sender_counters);
        assert_eq!((report.completed, report.failed), (60, 0), "{loss}");
        assert_eq!(report.number("selective_retransmissions") > 0.0, loss > 0.0, "{loss}");
    }
}

#[test]
fn bitmap_ends_over_paths_that_overtake_lose_repeat_and_damage() {
    let report = bitmap(
        "[network]\nseed = 5\n[network.both]\nspread = \"random\"\npath = [{ count = 4, loss = 0.05, duplicate = 0.05, corrupt = 0.001, jitter_ns = 500 }]",
    );
    assert!(report.number("feedback_messages") > 0.0 && report.receiver_counters["duplicate"] > 0, "{report:?}");
}

#[test]
fn bitmap_ends_after_the_network_was_cut() {
    let report = bitmap("[network.both]\npath = [{ loss = 0.01 }]\n[faults]\nblackout = [{ from_us = 50, for_us = 60 }]");
    assert!(report.number("bitmap_timeouts") > 0.0, "{:?}", report.sender_counters);
}

#[test]
fn bitmap_ends_between_which_nothing_arrives_fail_every_command_once() {
    let report = bitmap("[network]\nboth.path = [{ loss = 1 }]\n[expect]\noutcome = \"all_fail\"\nstatus = 32");
    assert_eq!((report.completed, report.failed), (0, 60));
}

/// Nothing is acknowledged any more, so that everything fails, once. With one bad place alone, what went out before its first packet would
/// complete.
#[test]
fn a_write_that_fails_ends_a_queue_pair_of_the_bitmap() {
    let report = bitmap("[network]\nboth.path = [{}]\n[faults]\nbad_places = 60\n[expect]\noutcome = \"all_fail\"\nstatus = 32");
    assert!(report.failed == 60 && report.receiver_counters["write_error"] == 1, "{report:?}");
}

#[test]
fn what_no_top_can_do_is_refused() {
    let refused = Scenario::read("file", "title = \"t\"\ntransport = \"bitmap\"\n[[commands]]\ncount = 1").unwrap_err().to_string();
    assert!(refused.contains("commands[0].arrivals") && refused.contains("0 is needed"), "{refused}");
    let text = "title = \"t\"\ntransport = \"combined\"\n[[commands]]\ncount = 1\n[sender]\nretry_limit = 31";
    let refused = Scenario::read("file", text).unwrap_err().to_string();
    assert!(refused.contains("retry_limit") && refused.contains("30"), "{refused}");
}

/// Every command's data is acknowledged and every arrival behind it lost: the network is cut between both, until the arrival is given up.
#[test]
fn a_run_ends_when_its_arrivals_were_given_up() {
    for transport in ["registry", "combined"] {
        let report = scenario(&format!(
            "transport = \"{transport}\"\n[[commands]]\ncount = 3\nleast = 2048\nmost = 2048\nblocks = 1\narrivals = 1.0\nimmediates = 0.5\nin_flight = 1\n\
             process = \"periodic\"\ninterval_ns = 2500000\n[sender]\ntimeout = 50\nbackoff_cap = 200\nretry_limit = 3\n[network.both]\n\
             path = [{{ delay_ns = 1000, rate_gbps = 100 }}]\n[faults]\nblackout = [{{ from_us = 1.8, for_us = 2000 }}]\n[expect.bounds]\n\
             arrivals_failed = {{ least = 1, most = 1 }}"
        ));
        assert_eq!((report.completed, report.failed), (3, 0), "{transport}: {report:?}");
    }
}
