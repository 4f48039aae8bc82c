//! Every committed scenario with both ends verilated, small; scenarios that are wrong, and ends that are.

use rdma_rtl_golden::send::splitter::{Command, Completion};
use rdma_rtl_sim::verilated::{Library, Optimize, Options};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::scenario::{End, Engine, Frames, Outcome, Parts, Receiver, Report, Scenario, Sender, Told, Transport, posts, run};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

fn load(name: &str) -> Scenario {
    Scenario::load(&folder().join(name)).unwrap_or_else(|e| panic!("{e}"))
}

/// A top at profile `worked`.
fn library(design: Design) -> &'static Library {
    static LIBRARIES: Mutex<BTreeMap<&str, &Library>> = Mutex::new(BTreeMap::new());
    LIBRARIES.lock().unwrap().entry(design.block).or_insert_with(|| {
        let elaborated = design.elaborate().unwrap_or_else(|e| panic!("{e}"));
        let options = Options { optimize: Optimize::Quick, ..Default::default() };
        Box::leak(Box::new(Library::build(&catalogue::sources(&elaborated), &options).unwrap_or_else(|e| panic!("{e}"))))
    })
}

fn verilated(scenario: &Scenario) -> Result<Report, String> {
    let parts = Parts::new(scenario).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scenario.profile, "worked", "all use the same libraries");
    let [mut sending, mut receiving] = [parts.sending, parts.design].map(|design| library(design).instance().unwrap());
    let mut sender = parts.sender(scenario.sender.engine, Some(&mut sending))?;
    let mut receiver = parts.receiver(scenario.receiver.engine, Some(&mut receiving))?;
    run(scenario, &mut *sender, &mut *receiver, &parts.sender, &mut |_, _| {})
}

/// 20 commands of each, or `RDMA_RTL_COMMANDS`.
#[test]
fn every_scenario() {
    let count = std::env::var("RDMA_RTL_COMMANDS").ok().and_then(|s| s.parse().ok()).unwrap_or(20);
    let mut names: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".toml"));
    names.sort();
    assert!(names.len() >= 12, "{names:?}");
    for name in names {
        let mut scenario = load(&name);
        scenario.set_count(count).unwrap();
        let report = verilated(&scenario).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(scenario.expect.judge(&report), [] as [String; 0], "{name}: {report:?}");
        println!(
            "{name}: {:.2} Gb/s, {} frames, {} retransmissions",
            report.goodput_gbps,
            report.forward.sent,
            report.number("retransmissions")
        );
    }
}

/// What must fail does, as each file says; nothing of a command leaves after its host was told that it failed.
#[test]
fn every_scenario_of_a_failure() {
    let folder = folder().join("failures");
    let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names.len() >= 5, "{names:?}");
    for name in names {
        let scenario = load(&format!("failures/{name}"));
        let report = verilated(&scenario).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(scenario.expect.judge(&report), [] as [String; 0], "{name}: {report:?}");
        println!(
            "{name}: {} frames, {} completed, {} failed, {:?}",
            report.forward.sent, report.completed, report.failed, report.sender_counters
        );
    }
}

/// The queue pair fails while the link is down. What is posted when the link is up again fails without a packet; an abort of its operation
/// may go.
#[test]
fn a_failed_queue_pair_sends_no_packet() {
    for (transport, most) in [("bitmap", 0), ("combined", 2)] {
        let text = format!(
            "title = \"void\"\nprofile = \"worked\"\ntransport = \"{transport}\"\n[[commands]]\nname = \"fails\"\ncount = 1\nleast = 1024\nmost = 1024\narrivals = 0.0\n\
             immediates = 0.0\nblocks = 1\n[[commands]]\nname = \"void\"\ncount = 2\nleast = 8192\nmost = 8192\narrivals = 0.0\nimmediates = 1.0\nblocks = 1\n\
             start_ns = 400000\n[sender]\ntimeout = 50\nbackoff_cap = 200\nretry_limit = 3\nt_life = 200000\n[faults]\n\
             blackout = [{{ from_us = 0, for_us = 250 }}]\n[expect]\noutcome = \"all_fail\"\nstatus = 32\n[expect.bounds]\nframes = {{ most = {most} }}"
        );
        let scenario = Scenario::read("void", &text).unwrap_or_else(|e| panic!("{e}"));
        let report = verilated(&scenario).unwrap_or_else(|e| panic!("{transport}: {e}"));
        assert_eq!(scenario.expect.judge(&report), [] as [String; 0], "{transport}: {report:?}");
    }
}

/// The link is cut behind the acknowledgement of the data, until the arrival is given up: the run ends, and the report says how many were.
#[test]
fn a_run_does_not_wait_for_an_arrival_that_was_given_up() {
    for transport in ["registry", "combined"] {
        let text = format!(
            "title = \"cut\"\nprofile = \"worked\"\ntransport = \"{transport}\"\n[[commands]]\ncount = 1\nleast = 1024\nmost = 1024\narrivals = 1.0\nimmediates = 0.0\nblocks = 1\n\
             [sender]\ntimeout = 50\nbackoff_cap = 200\nretry_limit = 3\n[faults]\nblackout = [{{ from_us = 2.3, for_us = 3000 }}]\n[network.both]\n\
             path = [{{ delay_ns = 1000, rate_gbps = 100 }}]\n[expect.bounds]\narrivals_failed = {{ least = 1, most = 1 }}"
        );
        let scenario = Scenario::read("cut", &text).unwrap_or_else(|e| panic!("{e}"));
        let report = verilated(&scenario).unwrap_or_else(|e| panic!("{transport}: {e}"));
        assert_eq!(scenario.expect.judge(&report), [] as [String; 0], "{transport}: {report:?}");
    }
}

/// The first packet is lost, and more immediates than the receiver has places for wait behind it: each is told once, and none of its
/// payload twice.
#[test]
fn more_immediates_than_places_wait_behind_a_lost_packet() {
    for (count, most) in [(40, 2), (33, 64), (70, 600)] {
        let text = format!(
            "title = \"waiting\"\nprofile = \"worked\"\ntransport = \"bitmap\"\n[[commands]]\ncount = {count}\nleast = 2\nmost = {most}\narrivals = 0.0\nimmediates = 1.0\nblocks = 1\n\
             in_flight = 64\n[sender]\ntimeout = 150\nbackoff_cap = 1200\nretry_limit = 30\n[network.both]\npath = [{{ delay_ns = 1000, rate_gbps = 100 }}]\n\
             [faults]\nblackout = [{{ from_us = 0, for_us = 0.9 }}]"
        );
        let scenario = Scenario::read("waiting", &text).unwrap_or_else(|e| panic!("{e}"));
        let report = verilated(&scenario).unwrap_or_else(|e| panic!("{count} of {most}: {e}"));
        assert_eq!((report.completed, report.failed), (count, 0), "{report:?}");
        assert!(report.blackout > 0, "{report:?}");
    }
}

/// Eight queue pairs with commands of mixed sizes, as many of each, all of them there from the beginning; twice as many may be in flight as
/// the sender has places for.
fn many_pairs(transport: &str, loss: f64) -> Scenario {
    let text = format!(
        "title = \"pairs\"\nprofile = \"worked\"\ntransport = \"{transport}\"\nqueue_pairs = 8\n[[commands]]\ncount = 320\nleast = 2048\nmost = 6144\n\
         distribution = \"uniform\"\nin_flight = 16\narrivals = 0.0\nimmediates = 0.5\nblocks = 2\n[network.both]\n\
         path = [{{ delay_ns = 1000, rate_gbps = 100, loss = {loss} }}]\n[expect.bounds]\nfairness = {{ least = 0.99 }}"
    );
    Scenario::read("pairs", &text).unwrap_or_else(|e| panic!("{e}"))
}

/// No queue pair has more of the wire than another, whatever the transport, and whether something is lost.
#[test]
fn queue_pairs_have_equal_parts() {
    for transport in ["registry", "combined", "bitmap"] {
        for loss in [0.0, 0.01] {
            let scenario = many_pairs(transport, loss);
            let report = verilated(&scenario).unwrap_or_else(|e| panic!("{transport}, loss {loss}: {e}"));
            println!("{transport}, loss {loss}: {:.4}, {:.2} Gb/s", report.fairness, report.steady_gbps);
            assert_eq!(scenario.expect.judge(&report), [] as [String; 0], "{transport}, loss {loss}: {report:?}");
            assert_eq!(report.number("lost") > 0.0, loss > 0.0);
        }
    }
}

/// A sender that keeps each command of one queue pair for a while.
struct Unfair<'a> {
    inner: Box<dyn Sender + 'a>,
    kept: VecDeque<(u64, Command)>,
}

/// Clocks.
const KEPT: u64 = 20_000;

impl End for Unfair<'_> {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        self.inner.run_to(clock)?;
        while let Some((due, command)) = self.kept.front() {
            if *due > clock || !self.inner.post(clock, command)? {
                break;
            }
            self.kept.pop_front();
        }
        Ok(())
    }
    fn next(&self) -> Option<u64> {
        self.inner.next()
    }
    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        self.inner.receive(clock, frame, corrupted)
    }
    fn transmit(&mut self) -> Frames {
        self.inner.transmit()
    }
    fn idle(&self) -> bool {
        self.inner.idle() && self.kept.is_empty()
    }
    fn finish(&mut self) -> Result<(), String> {
        self.inner.finish()
    }
    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        self.inner.counters()
    }
}

impl Sender for Unfair<'_> {
    fn post(&mut self, clock: u64, command: &Command) -> Result<bool, String> {
        if command.node == 3 {
            self.kept.push_back((clock + KEPT, command.clone()));
            return Ok(true);
        }
        self.inner.post(clock, command)
    }
    fn completions(&mut self) -> Result<Vec<Completion>, String> {
        self.inner.completions()
    }
    fn given_up(&mut self) -> Result<Option<u64>, String> {
        self.inner.given_up()
    }
}

/// The bound of `fairness` is broken by one queue pair that waits.
#[test]
fn a_queue_pair_that_gets_less_is_seen() {
    let scenario = many_pairs("registry", 0.0);
    let parts = Parts::new(&scenario).unwrap();
    let [mut sending, mut receiving] = [parts.sending, parts.design].map(|design| library(design).instance().unwrap());
    let inner = parts.sender(Engine::Verilator, Some(&mut sending)).unwrap();
    let mut sender = Unfair { inner, kept: VecDeque::new() };
    let mut receiver = parts.receiver(Engine::Verilator, Some(&mut receiving)).unwrap();
    let report = run(&scenario, &mut sender, &mut *receiver, &parts.sender, &mut |_, _| {}).unwrap();
    let said = scenario.expect.judge(&report).join("\n");
    assert!(said.contains("fairness is ") && said.contains("expected at least 0.99"), "{said}; {}", report.fairness);
}

/// One thing that a receiver does wrong, once.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wrong {
    Byte,
    Beside,
    Late,
    Twice,
    NoArrival,
    ArrivalTwice,
    Immediate,
    Lost,
}

struct Faulty {
    inner: Box<dyn Receiver>,
    wrong: Wrong,
    done: bool,
}

impl End for Faulty {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        self.inner.run_to(clock)
    }
    fn next(&self) -> Option<u64> {
        self.inner.next()
    }
    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        self.inner.receive(clock, frame, corrupted)
    }
    fn transmit(&mut self) -> Frames {
        self.inner.transmit()
    }
    fn idle(&self) -> bool {
        self.inner.idle()
    }
    fn finish(&mut self) -> Result<(), String> {
        self.inner.finish()
    }
    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        self.inner.counters()
    }
}

impl Receiver for Faulty {
    fn furnish(&mut self, base: u64, bytes: usize) {
        self.inner.furnish(base, bytes);
    }
    fn fail(&mut self, addresses: std::ops::Range<u64>) {
        self.inner.fail(addresses);
    }
    fn memory(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        self.inner.memory(address, bytes)
    }
    fn put(&mut self, address: u64, bytes: &[u8]) {
        self.inner.put(address, bytes);
        if self.wrong == Wrong::Late && bytes.len() > 600 {
            // a packet that comes when software has taken the place back
            self.inner.put(address + 512, &[7]);
            self.done = true;
        }
    }
    fn completions(&mut self) -> Result<Vec<Told>, String> {
        let mut told = self.inner.completions()?;
        let operation = told.iter().position(|told| !told.arrival);
        let arrival = told.iter().position(|told| told.arrival);
        if self.done {
            return Ok(told);
        }
        self.done = true;
        match (self.wrong, operation, arrival) {
            (Wrong::Byte, Some(at), _) => {
                let place = told[at].base + u64::from(told[at].bytes) - 1;
                let byte = self.inner.memory(place, 1).unwrap()[0];
                self.inner.put(place, &[byte ^ 1]);
            }
            (Wrong::Beside, Some(at), _) => self.inner.put(told[at].base - 1, &[1]),
            (Wrong::Twice, Some(at), _) => told.push(told[at]),
            (Wrong::Lost, Some(at), _) => {
                told.remove(at);
            }
            (Wrong::Immediate, Some(at), _) => told[at].imm = Some(told[at].imm.map_or(5, |imm| imm ^ 1)),
            (Wrong::NoArrival, _, Some(at)) => {
                told.remove(at);
            }
            (Wrong::ArrivalTwice, _, Some(at)) => told.push(told[at]),
            _ => self.done = false,
        }
        Ok(told)
    }
}

fn golden() -> (Scenario, Parts) {
    let mut scenario = load("clean.toml");
    (scenario.sender.engine, scenario.receiver.engine) = (Engine::Golden, Engine::Golden);
    // in the order in which they are posted, so that what goes wrong is seen by the check that is there for it
    scenario.commands[0].least = 100;
    scenario.commands[0].most = 20_000;
    let parts = Parts::new(&scenario).unwrap();
    (scenario, parts)
}

/// Each fault is seen, by the check that is there for it.
#[test]
fn a_receiver_that_is_wrong_is_seen() {
    let (scenario, parts) = golden();
    for (wrong, part) in [
        (Wrong::Byte, "sent was"),
        (Wrong::Beside, "where no command lies"),
        (Wrong::Late, ""),
        (Wrong::Twice, "told of these bytes before"),
        (Wrong::NoArrival, "no data arrival"),
        (Wrong::ArrivalTwice, "told before"),
        (Wrong::Immediate, "the immediate should be"),
        (Wrong::Lost, "bytes at the receiver's"),
    ] {
        let inner = parts.receiver(Engine::Golden, None).unwrap();
        let mut receiver = Faulty { inner, wrong, done: false };
        let found = run(&scenario, &mut *parts.sender(Engine::Golden, None).unwrap(), &mut receiver, &parts.sender, &mut |_, _| {});
        assert!(receiver.done, "{wrong:?} did not come to pass");
        let text = found.map(|_| ()).expect_err(&format!("{wrong:?}"));
        assert!(text.contains(part), "{wrong:?}: {text}");
    }
}

/// A sender that tells its host twice, or never.
struct Forgetful<'a> {
    inner: Box<dyn Sender + 'a>,
    twice: bool,
    seen: u64,
}

impl End for Forgetful<'_> {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        self.inner.run_to(clock)
    }
    fn next(&self) -> Option<u64> {
        self.inner.next()
    }
    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        self.inner.receive(clock, frame, corrupted)
    }
    fn transmit(&mut self) -> Frames {
        self.inner.transmit()
    }
    fn idle(&self) -> bool {
        self.inner.idle()
    }
    fn finish(&mut self) -> Result<(), String> {
        self.inner.finish()
    }
    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        self.inner.counters()
    }
}

impl Sender for Forgetful<'_> {
    fn post(&mut self, clock: u64, command: &Command) -> Result<bool, String> {
        self.inner.post(clock, command)
    }
    fn completions(&mut self) -> Result<Vec<Completion>, String> {
        let mut told = self.inner.completions()?;
        self.seen += told.len() as u64;
        if !told.is_empty() && self.seen >= 5 {
            self.seen = 0;
            if self.twice {
                told.push(told[0]);
            } else {
                told.remove(0);
            }
        }
        Ok(told)
    }
    fn given_up(&mut self) -> Result<Option<u64>, String> {
        self.inner.given_up()
    }
}

#[test]
fn a_sender_that_is_wrong_is_seen() {
    let (scenario, parts) = golden();
    for (twice, part) in [(true, "completed twice"), (false, "host not told")] {
        let mut sender = Forgetful { inner: parts.sender(Engine::Golden, None).unwrap(), twice, seen: 0 };
        let mut receiver = parts.receiver(Engine::Golden, None).unwrap();
        let found = run(&scenario, &mut sender, &mut *receiver, &parts.sender, &mut |_, _| {});
        let text = found.map(|_| ()).expect_err(part);
        assert!(text.contains(part), "{text}");
    }
}

/// A sender that sends a packet of a command again when its host has been told that the command failed.
struct Unstoppable<'a> {
    inner: Box<dyn Sender + 'a>,
    now: u64,
    /// the first frame that left
    first: Option<Vec<u8>>,
    told: bool,
    done: bool,
}

impl End for Unstoppable<'_> {
    fn run_to(&mut self, clock: u64) -> Result<(), String> {
        self.now = clock;
        self.inner.run_to(clock)
    }
    fn next(&self) -> Option<u64> {
        if self.told && !self.done { Some(self.now + 1) } else { self.inner.next() }
    }
    fn receive(&mut self, clock: u64, frame: Vec<u8>, corrupted: bool) -> Result<(), String> {
        self.inner.receive(clock, frame, corrupted)
    }
    fn transmit(&mut self) -> Frames {
        let mut frames = self.inner.transmit();
        self.first = self.first.take().or(frames.first().map(|(_, frame)| frame.clone()));
        if self.told && !self.done {
            self.done = true;
            frames.extend(self.first.clone().map(|frame| (self.now, frame)));
        }
        frames
    }
    fn idle(&self) -> bool {
        self.inner.idle() && self.told == self.done
    }
    fn finish(&mut self) -> Result<(), String> {
        self.inner.finish()
    }
    fn counters(&mut self) -> Result<BTreeMap<String, u64>, String> {
        self.inner.counters()
    }
}

impl Sender for Unstoppable<'_> {
    fn post(&mut self, clock: u64, command: &Command) -> Result<bool, String> {
        self.inner.post(clock, command)
    }
    fn completions(&mut self) -> Result<Vec<Completion>, String> {
        let told = self.inner.completions()?;
        self.told |= told.iter().any(|completion| completion.status != 0);
        Ok(told)
    }
    fn given_up(&mut self) -> Result<Option<u64>, String> {
        self.inner.given_up()
    }
}

/// Whatever the transport, and whether the command is one packet or several; also where the packet could not arrive.
#[test]
fn a_packet_behind_the_failure_of_its_command_is_seen() {
    let cut = |clocks: u64| format!("blackout = [{{ from_us = 0, for_us = {clocks} }}]");
    let transports = [
        ("registry", 32, vec![cut(3000), cut(200)]),
        ("bitmap", 32, vec![cut(3000), cut(200)]),
        ("combined", 13, vec!["bad_places = 1".into()]),
    ];
    for (transport, status, causes) in transports {
        for (bytes, cause) in [300, 9000].into_iter().flat_map(|bytes| causes.iter().map(move |cause| (bytes, cause))) {
            let text = format!(
                "title = \"late\"\ntransport = \"{transport}\"\n[[commands]]\ncount = 1\nleast = {bytes}\nmost = {bytes}\narrivals = 0.0\nimmediates = 0.0\n\
                 blocks = 1\n[sender]\nengine = \"golden\"\ntimeout = 50\nbackoff_cap = 200\nretry_limit = 3\nt_life = 200000\n[receiver]\n\
                 engine = \"golden\"\n[faults]\n{cause}\n[expect]\noutcome = \"all_fail\"\nstatus = {status}"
            );
            let scenario = Scenario::read("late", &text).unwrap_or_else(|e| panic!("{e}"));
            let parts = Parts::new(&scenario).unwrap();
            let attempt = |told| {
                let inner = parts.sender(Engine::Golden, None).unwrap();
                let mut sender = Unstoppable { inner, now: 0, first: None, told: false, done: told };
                let mut receiver = parts.receiver(Engine::Golden, None).unwrap();
                let found = run(&scenario, &mut sender, &mut *receiver, &parts.sender, &mut |_, _| {});
                assert!(sender.told, "{transport}, {bytes} bytes, {cause}: nothing failed: {found:?}");
                found.map(|report| scenario.expect.judge(&report))
            };
            let text = attempt(false).map(|_| ()).expect_err(transport);
            assert!(
                text.contains("sender: a packet to ") && text.contains(&format!("has failed with {status}")),
                "{transport}, {bytes} bytes: {text}"
            );
            assert_eq!(attempt(true), Ok(Vec::new()), "{transport}, {bytes} bytes: without the packet");
        }
    }
}

#[test]
fn what_is_not_as_expected_is_said() {
    let (mut scenario, parts) = golden();
    let mut receiver = parts.receiver(Engine::Golden, None).unwrap();
    let report = run(&scenario, &mut *parts.sender(Engine::Golden, None).unwrap(), &mut *receiver, &parts.sender, &mut |_, _| {}).unwrap();
    assert!(scenario.expect.judge(&report).is_empty());
    scenario.expect.outcome = Outcome::AllFail;
    let range = toml::from_str("frames = { most = 3 }\nretransmissions = { least = 1 }").unwrap();
    scenario.expect.bounds = range;
    let said = scenario.expect.judge(&report).join("\n");
    for part in ["expected all to fail, 60 commands completed", "expected at most 3", "retransmissions is 0, expected at least 1"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn commands_are_the_same_for_the_same_seed_and_as_they_were_asked_for() {
    let scenario = load("small_behind_large.toml");
    let all = posts(&scenario, 1);
    assert_eq!(all, posts(&scenario, 1));
    assert_eq!(all.len() as u64, scenario.count());
    for post in &all {
        let group = &scenario.commands[post.group];
        assert!((group.least..=group.most).contains(&post.bytes) && post.command.bytes() == u64::from(post.bytes));
        assert!(post.command.blocks.len() <= group.blocks && post.command.blocks.iter().all(|block| block.bytes > 0));
    }
    let mut large = scenario.clone();
    large.set_count(10_000).unwrap();
    assert_eq!((large.commands[0].count, large.commands[1].count), (2500, 7500));
    assert!(large.set_count(1).is_err() && large.set_count(65_537).is_err());
    let sizes = posts(&load("clean.toml"), 1);
    assert!(sizes.iter().any(|post| post.bytes < 64) && sizes.iter().any(|post| post.bytes > 1 << 19));
    // As many for each queue pair, which is a node, and has a number where the receiver's have.
    let mut pairs = load("clean.toml");
    (pairs.queue_pairs, pairs.transport) = (3, Transport::Bitmap);
    for (at, post) in posts(&pairs, 1).iter().enumerate() {
        let pair = at % 3;
        assert_eq!((post.pair, post.command.node, post.command.qp), (pair, pair as u16, 0x40 + pair as u32));
    }
}

/// The report of golden ends, where no number depends on how fast hardware is.
#[test]
fn the_report_as_json() {
    let (mut scenario, parts) = golden();
    scenario.set_count(12).unwrap();
    let mut receiver = parts.receiver(Engine::Golden, None).unwrap();
    let report = run(&scenario, &mut *parts.sender(Engine::Golden, None).unwrap(), &mut *receiver, &parts.sender, &mut |_, _| {}).unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&report).unwrap());
}

#[test]
fn what_is_wrong_with_a_file_is_one_line() {
    let refused = |text: &str, parts: &[&str]| {
        let error = Scenario::read("x.toml", text).map(|_| ()).expect_err(text).to_string();
        assert!(error.starts_with("x.toml") && !error.contains('\n'), "{error}");
        for part in parts {
            assert!(error.contains(part), "`{part}` is not in: {error}");
        }
    };
    let with = |more: &str| format!("title = \"x\"\n[[commands]]\n{more}");
    refused("", &["empty file", "title"]);
    refused(" \n\n", &["empty file"]);
    refused("title = ", &["x.toml:1"]);
    refused("title = \"x\"", &["missing field `commands`"]);
    refused("title = \"x\"\ncommands = []", &["`commands` is empty"]);
    refused(&with("cuont = 3"), &["x.toml:3", "`commands[0].cuont`", "unknown field", "`count`"]);
    refused(&with("count = \"3\""), &["x.toml:3", "`commands[0].count`", "string \"3\""]);
    refused(&with("count = -3"), &["`commands[0].count`", "-3"]);
    refused(&with("count = 0"), &["`commands[0].count` is 0", "1 to 65536"]);
    refused(&with("count = 70000"), &["`commands[0].count` is 70000"]);
    refused(&with("count = 40000\n[[commands]]\ncount = 40000"), &["80000 in all", "65536"]);
    refused(&with("least = 9\nmost = 8"), &["`commands[0].most` is 8", "`least` (9)"]);
    refused(&with("arrivals = nan"), &["`commands[0].arrivals` is NaN", "0 to 1"]);
    refused(&with("interval_ns = 5"), &["`commands[0].interval_ns` is 5", "poisson"]);
    refused(&with("process = \"poisson\""), &["`commands[0].interval_ns` is 0"]);
    refused(&with("distribution = \"pareto\""), &["`pareto`", "`log_uniform` or `uniform`"]);
    let pairs = |value: &str| format!("title = \"x\"\nqueue_pairs = {value}\n[[commands]]\n");
    refused(&pairs("0"), &["`queue_pairs` is 0", "1 to 64"]);
    refused(&pairs("65"), &["`queue_pairs` is 65", "1 to 64"]);
    refused(&pairs("70000"), &["x.toml:2", "`queue_pairs`", "70000"]);
    refused(&pairs("\"many\""), &["x.toml:2", "`queue_pairs`", "string \"many\""]);
    for end in ["sender", "receiver"] {
        let golden = format!("{}[{end}]\nengine = \"golden\"", pairs("2"));
        refused(&golden, &["`queue_pairs` is 2", "`engine` \"verilator\" at both ends"]);
    }
    refused(&with("[sender]\nslots = 4"), &["`sender.slots` is 4", "profile"]);
    refused(&with("[sender]\nbackoff_cap = 3"), &["`sender.backoff_cap` is 3", "150 to"]);
    refused(&with("[sender]\nbackoff_cap = 536870912"), &["`sender.backoff_cap` is 536870912", "150 to 536870911"]);
    refused(&with("[sender]\nretry_limit = 32"), &["`sender.retry_limit` is 32", "0 to 31"]);
    refused(&with("[receiver]\nstalls = 95"), &["`receiver.stalls` is 95", "0 to 90"]);
    refused(&with("[receiver]\nmemory_latency = [5, 2]"), &["`receiver.memory_latency` is [5, 2]"]);
    refused(&with("[receiver.registers]\nspeed = 1"), &["`receiver.registers.speed` is 1", "prescale"]);
    refused(&with("[receiver.registers]\nprescale = 0"), &["`receiver.registers.prescale` is 0", "1 to 65535"]);
    refused(&with("[[network.both.path]]\nlos = 0.1"), &["x.toml:4", "`network.both.path[0].los`", "`loss`"]);
    refused(&with("[[network.both.path]]\nloss = 2"), &["`network.both.path[0].loss` is 2", "0 to 1"]);
    refused(&with("[faults]\nbad_places = 5"), &["`faults.bad_places` is 5", "mixed"]);
    refused(&with("[expect.bounds]\nspeed = { most = 1 }"), &["`expect.bounds.speed`", "goodput_gbps"]);
    refused(&with("[expect.bounds]\nlost = { least = 2, most = 1 }"), &["`expect.bounds.lost`"]);
    refused(&with("[expect]\nstatus = 32"), &["`expect.status` is 32"]);
    let whole = std::fs::read_to_string(folder().join("everything.toml")).unwrap();
    let cut = whole.find("]]").unwrap();
    refused(&whole[..cut], &["x.toml:4"]);

    let place = |name: &str, bytes: &[u8]| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Scenario::load(&path).map(|_| ()).expect_err(name).to_string()
    };
    assert!(place("huge.toml", &vec![b'#'; (1 << 20) + 1]).contains("1048577 bytes are no scenario"));
    assert!(place("bytes.toml", &[0xff, 0xfe, 0]).contains("not a text file"));
    assert!(Scenario::load(Path::new("no/such.toml")).unwrap_err().to_string().contains("no/such.toml: cannot read scenario"));
}

/// A profile that there is not, and what a profile has no room for.
#[test]
fn what_does_not_go_with_the_profile_is_said() {
    let with = |text: &str| {
        let scenario = Scenario::read("x.toml", &format!("title = \"x\"\n{text}[[commands]]\n")).unwrap();
        Parts::new(&scenario).map(|_| ()).expect_err(text).to_string()
    };
    assert!(with("profile = \"tiny\"\n").contains("no profile `tiny`"));
    assert!(with("queue_pairs = 17\n").contains("`queue_pairs` is 17; 1 to 16 are allowed: each is a node, and profile `default`"));
    assert!(with("profile = \"small\"\nqueue_pairs = 5\n").contains("1 to 4 are allowed"));
    let text = with("sender.threshold = 131073\n");
    assert!(text.contains("131073") && text.contains("at most 131072 bytes"), "{text}");
    assert!(with("sender.segment = 700\n").contains("steps of 4096"));
}
