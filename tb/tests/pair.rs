//! `send_bitmap` and `receive_bitmap` with a network between them: every committed scenario, the spec's example from end to end, what only
//! a timer finds, numbers that wrap; and that the harness finds what it is there for.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn;
use rdma_rtl_sim::Verilated;
use rdma_rtl_sim::network::Side;
use rdma_rtl_sim::verilated::{Initial, Library, Optimize, Options};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::pair::{Decision, Note, Packet, Parts, Receiver, Report, Scenario, Sender, Thing, Told, Verdict, run};
use rdma_rtl_tb::scenario::Engine;
use rdma_rtl_tb::under_test::{seed, verilated};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/bitmap")
}

fn names() -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn load(name: &str) -> Scenario {
    Scenario::load(&folder().join(name)).unwrap_or_else(|e| panic!("{e}"))
}

fn read(text: &str) -> Scenario {
    Scenario::read("test", &format!("title = \"test\"\nends = \"bitmap\"\n{text}")).unwrap_or_else(|e| panic!("{e}"))
}

fn golden(mut scenario: Scenario) -> Scenario {
    (scenario.sender.engine, scenario.receiver.engine) = (Engine::Golden, Engine::Golden);
    scenario
}

fn model(design: Design, engine: Engine) -> Option<Verilated> {
    (engine == Engine::Verilator).then(|| verilated(&design.elaborate().unwrap()))
}

/// Runs it; `lost` is asked besides the network.
fn outcome(scenario: &Scenario, lost: &mut dyn FnMut(Side, u64, &Thing) -> bool) -> Result<Report, String> {
    let parts = Parts::new(scenario).unwrap_or_else(|e| panic!("{e}"));
    let mut sending = model(parts.sending, scenario.sender.engine);
    let mut receiving = model(parts.receiving, scenario.receiver.engine);
    let mut sender = parts.sender(scenario, sending.as_mut().map(|model| model as _))?;
    let mut receiver = parts.receiver(scenario, receiving.as_mut().map(|model| model as _))?;
    run(scenario, &parts, &mut *sender, &mut *receiver, lost, &mut |_, _| {})
}

fn report(scenario: &Scenario, name: &str) -> Report {
    let report = outcome(scenario, &mut |_, _, _| false).unwrap_or_else(|e| {
        panic!("{name}: {e}\nagain with rdma-rtl cosim --scenario tb/scenarios/bitmap/{name} --seed {}", scenario.seed)
    });
    assert_eq!(report.judge(&scenario.expect), [] as [String; 0], "{name}: {report:?}");
    println!(
        "{name}: {} packets in {} clocks, {:.2} Gb/s, {} lost, {} sent again, {} of them for nothing, {} timeouts, {:?}, {:?}",
        report.packets,
        report.clocks,
        report.goodput_gbps,
        report.lost,
        report.retransmissions,
        report.redundant,
        report.timeouts,
        report.sender_counters,
        report.receiver_counters
    );
    report
}

/// As they are, or with `RDMA_RTL_PACKETS` packets each, and with `RDMA_RTL_RUNS` seeds each.
fn every_scenario(change: impl Fn(Scenario) -> Scenario) {
    let number = |name: &str| std::env::var(name).ok().and_then(|s| s.parse::<u64>().ok());
    for name in names() {
        let mut scenario = change(load(&name));
        if let Some(packets) = number("RDMA_RTL_PACKETS") {
            scenario.set_packets(packets).unwrap();
        }
        for run in 0..number("RDMA_RTL_RUNS").unwrap_or(1) {
            (scenario.seed, scenario.network.seed) = (seed() + run, seed() + run);
            report(&scenario, &name);
        }
    }
}

/// A network, registers and traffic at random, of those that must deliver everything.
fn mixture(profile: &str, seed: u64) -> Scenario {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pick = |from: &[f64]| from[rng.random_range(0..from.len())];
    let most = if profile == "window128_q1" { 1.0 } else { 16.0 };
    let queue_pairs = pick(&[1.0, 2.0, 7.0, 16.0]).min(most);
    let (delay, jitter) = (pick(&[200.0, 1000.0, 8000.0]), pick(&[0.0, 0.0, 100.0, 1000.0, 5000.0]));
    // ticks of 100 clocks
    let rtt = (2.0 * delay + 2.0 * jitter) / 310.0;
    let dedup = pick(&[0.0, 0.5, 1.0]) * rtt;
    let burst = pick(&[0.0, 0.0, 0.01]);
    let text = format!(
        "profile = \"{profile}\"\nseed = {seed}\ntraffic = {{ queue_pairs = {queue_pairs}, flows = {}, least = 1, most = {}, one_by_one = {}, first = {}, payload = {} }}\n\
         sender = {{ prescale = 100, rto = {:.0}, rto_cap = {:.0}, retry_limit = 250, dedup = {dedup:.0}, mode = \"{}\", aggregate = {}, merge = {}, \
         rtx_window = {}, burst = {}{} }}\n\
         receiver.registers = {{ depth = {}, depth_mode = {}, wait = {}, stall = {}, feedback_threshold = {}, feedback_wait = {}, refeedback = {:.0} }}\n\
         [network]\nseed = {seed}\n[network.both]\nspread = \"random\"\n\
         path = [{{ count = {}, delay_ns = {delay}, jitter_ns = {jitter}, loss = {}, duplicate = {}, corrupt = {}{} }}]",
        pick(&[1.0, 5.0, 20.0]),
        pick(&[10.0, 100.0, 300.0]),
        pick(&[0.0, 1.0]) == 1.0,
        pick(&[0.0, 16_777_215.0, 16_777_100.0, 8_388_600.0]),
        pick(&[256.0, 1024.0]),
        3.0 * rtt + 20.0 + pick(&[0.0, 100.0]),
        6.0 * rtt + 150.0,
        ["single", "interval", "aggregated"][pick(&[0.0, 1.0, 2.0]) as usize],
        pick(&[0.0, 2.0, 10.0]),
        pick(&[0.0, 4.0, 20.0]),
        pick(&[1.0, 4.0, 64.0]),
        pick(&[1.0, 4.0, 64.0]),
        [", limit_gbps = 20", ", limit_gbps = 70", "", ""][pick(&[0.0, 1.0, 2.0, 3.0]) as usize],
        pick(&[0.0, 3.0, 8.0, 60.0]),
        pick(&[0.0, 1.0]),
        pick(&[0.0, 10.0, 150.0]),
        pick(&[0.0, 10.0, 150.0]),
        pick(&[1.0, 1.0, 5.0]),
        pick(&[0.0, 1.0, 20.0]),
        (rtt + dedup * 1.5).max(12.0) + pick(&[0.0, 50.0]),
        pick(&[1.0, 4.0]),
        pick(&[0.0, 0.002, 0.02, 0.2]),
        pick(&[0.0, 0.05, 0.3]),
        pick(&[0.0, 0.01]),
        if burst > 0.0 { ", burst = { enter = 0.01, leave = 0.2 }" } else { "" },
    );
    read(&text)
}

/// Many networks, registers and kinds of traffic; `RDMA_RTL_RUNS` seeds each instead of a few.
#[test]
fn everything_mixed() {
    let runs = std::env::var("RDMA_RTL_RUNS").ok().and_then(|s| s.parse().ok()).unwrap_or(5);
    let (mut packets, mut again, mut timeouts, mut folded) = (0, 0, 0, 0);
    for profile in ["window128_q1", "small"] {
        let parts = Parts::new(&mixture(profile, 0)).unwrap();
        let libraries = [parts.sending, parts.receiving].map(|design| {
            let options = Options { optimize: Optimize::Quick, ..Default::default() };
            Library::build(&catalogue::sources(&design.elaborate().unwrap()), &options).unwrap_or_else(|e| panic!("{e}"))
        });
        for seed in (0..runs).map(|run| seed() + run) {
            let scenario = mixture(profile, seed);
            let parts = Parts::new(&scenario).unwrap();
            // what is not reset begins at random, by the seed too
            let [mut sending, mut receiving] = [0, 1].map(|at: usize| libraries[at].instance_with(Initial::Random(seed as u32)).unwrap());
            let report = parts.sender(&scenario, Some(&mut sending)).and_then(|mut sender| {
                let mut receiver = parts.receiver(&scenario, Some(&mut receiving))?;
                run(&scenario, &parts, &mut *sender, &mut *receiver, &mut |_, _, _| false, &mut |_, _| {})
            });
            let report = report.unwrap_or_else(|e| {
                panic!("{profile}: {e}\n{scenario:#?}\nagain with RDMA_RTL_SEED={seed} RDMA_RTL_RUNS=1 cargo nextest run -p rdma-rtl-tests pair::everything_mixed")
            });
            packets += report.packets;
            again += report.retransmissions;
            timeouts += report.timeouts;
            folded += report.number("folded") as u64;
        }
    }
    println!("{packets} packets, {again} sent again, {timeouts} timeouts, {folded} gaps without a record");
    assert!(again > 0 && timeouts > 0);
}

#[test]
fn every_scenario_verilated() {
    assert!(names().len() >= 5, "{:?}", names());
    every_scenario(|scenario| scenario);
}

#[test]
fn every_scenario_between_golden_models() {
    every_scenario(golden);
}

/// Both ends of the hardware, which keep what they decided.
struct Log<'a, T: ?Sized> {
    inner: &'a mut T,
    decided: Vec<(u64, Decision)>,
    told: Vec<(u64, Told)>,
}

impl<'a, T: ?Sized> Log<'a, T> {
    fn of(inner: &'a mut T) -> Self {
        Log { inner, decided: Vec::new(), told: Vec::new() }
    }
}

impl Sender for Log<'_, dyn Sender + '_> {
    fn offer(&mut self, qp: u32, packets: u64) {
        self.inner.offer(qp, packets);
    }
    fn receive(&mut self, note: Note) {
        self.inner.receive(note);
    }
    fn step(&mut self, clock: u64, queued: u64) -> Result<Vec<Decision>, String> {
        let decisions = self.inner.step(clock, queued)?;
        self.decided.extend(decisions.iter().map(|&decision| (clock, decision)));
        Ok(decisions)
    }
    fn next(&self) -> Option<u64> {
        self.inner.next()
    }
    fn window(&self, qp: u32) -> Option<(u32, u32)> {
        self.inner.window(qp)
    }
    fn finish(&mut self) -> Result<(), String> {
        self.inner.finish()
    }
    fn counters(&self) -> BTreeMap<String, u64> {
        self.inner.counters()
    }
}

impl Receiver for Log<'_, dyn Receiver + '_> {
    fn receive(&mut self, packet: Packet) {
        self.inner.receive(packet);
    }
    fn step(&mut self, clock: u64) -> Result<Vec<Told>, String> {
        let told = self.inner.step(clock)?;
        self.told.extend(told.iter().map(|&told| (clock, told)));
        Ok(told)
    }
    fn next(&self) -> Option<u64> {
        self.inner.next()
    }
    fn base(&self, qp: u32) -> Option<u32> {
        self.inner.base(qp)
    }
    fn finish(&mut self) -> Result<(), String> {
        self.inner.finish()
    }
    fn counters(&self) -> BTreeMap<String, u64> {
        self.inner.counters()
    }
}

/// What both ends decided, each with its clock.
type Logged = (Report, Vec<(u64, Decision)>, Vec<(u64, Told)>);

/// What both ends decided while `lost` was asked of everything on the wire.
fn logged(scenario: &Scenario, lost: &mut dyn FnMut(Side, u64, &Thing) -> bool) -> Logged {
    let parts = Parts::new(scenario).unwrap_or_else(|e| panic!("{e}"));
    let mut sending = model(parts.sending, scenario.sender.engine);
    let mut receiving = model(parts.receiving, scenario.receiver.engine);
    let mut sender = parts.sender(scenario, sending.as_mut().map(|model| model as _)).unwrap();
    let mut receiver = parts.receiver(scenario, receiving.as_mut().map(|model| model as _)).unwrap();
    let (mut sender, mut receiver) = (Log::of(&mut *sender), Log::of(&mut *receiver));
    let report = run(scenario, &parts, &mut sender, &mut receiver, lost, &mut |_, _| {}).unwrap_or_else(|e| panic!("{e}"));
    (report, sender.decided, receiver.told)
}

/// With hardware of one queue pair, of 16 and of 256, and with golden models.
const EVERY: [&str; 3] = ["window128_q1", "small", "worked"];

fn at(profiles: &[&str], scenario: &Scenario, mut check: impl FnMut(&str, &Scenario)) {
    for &profile in profiles {
        let mut sized = scenario.clone();
        sized.profile = profile.into();
        check(profile, &sized);
    }
    check("golden", &golden(scenario.clone()));
}

/// The spec's example: PSN 1000 to 1015 are sent; 1000, 1001, 1002, 1004 and 1005 arrive; a gap of one packet at 1003, told when it is too
/// old; 1003 alone is sent again; with it the base moves to 1006, and the acknowledgement releases the sender's window up to there.
#[test]
fn worked_example_of_the_sender_from_end_to_end() {
    // what is lost behind 1005 is the timer's business, after everything that the example is about
    let scenario = read("traffic = { first = 1000, least = 16, most = 16 }\nsender = { rto = 400, rto_cap = 400, prescale = 322 }");
    at(&EVERY, &scenario, |name, scenario| {
        let mut lose = |side: Side, number: u64, _: &Thing| side == Side::A && (number == 3 || (6..16).contains(&number));
        let (report, decided, told) = logged(scenario, &mut lose);
        let sent: Vec<u32> =
            decided.iter().filter_map(|(_, at)| if let Decision::Send { psn, .. } = at { Some(*psn) } else { None }).collect();
        assert_eq!(sent, (1000..=1015).collect::<Vec<_>>(), "{name}");
        let verdicts: Vec<(u32, Verdict)> = told
            .iter()
            .filter_map(|(_, at)| if let Told::Verdict(packet, verdict) = at { Some((packet.psn, *verdict)) } else { None })
            .collect();
        let first = [1000, 1001, 1002, 1004, 1005, 1003].map(|psn| (psn, Verdict::New));
        assert_eq!(verdicts[..6], first, "{name}");
        // one message before the timer, about this gap, for its age of more than 50 ticks
        let clock_of = |psn: u32| told.iter().find(|(_, at)| matches!(at, Told::Verdict(packet, _) if packet.psn == psn)).unwrap().0;
        let messages: Vec<(u64, Note)> = told
            .iter()
            .filter_map(|&(clock, at)| if let Told::Note(note @ Note::Feedback { .. }) = at { Some((clock, note)) } else { None })
            .collect();
        let (clock, message) = messages[0];
        let Note::Feedback { qp, base, start, length, edge, status, repeat } = message else { panic!("{message:?}") };
        assert_eq!((qp, base, start, length, edge, status, repeat), (0, 1003, 1003, 1, 1005, 1, 0), "{name}");
        let age = (clock - clock_of(1004)) as f64 / 322.0;
        assert!((50.0..90.0).contains(&age), "{name}: told after {age} ticks");
        assert!(messages[1..].iter().all(|&(clock, _)| clock > clock_of(1003)), "{name}: {messages:?}");
        // the sender sends it again, alone, and has not been told of anything but 1002 before
        let from = decided
            .iter()
            .position(|(_, at)| *at == Decision::Applied { note: message, pending: 1 })
            .unwrap_or_else(|| panic!("{name}: {decided:?}"));
        let before = decided[..from].iter().filter_map(|(_, at)| match at {
            Decision::Applied { note: Note::Ack { psn, .. }, .. } => Some(*psn),
            Decision::Send { .. } => None,
            other => panic!("{name}: {other:?} before the message"),
        });
        assert_eq!(before.max(), Some(1002), "{name}");
        assert_eq!(decided[from + 1].1, Decision::Again { qp: 0, start: 1003, length: 1 }, "{name}");
        let acknowledged = Decision::Applied { note: Note::Ack { qp: 0, psn: 1005, credits: 31 }, pending: 0 };
        assert_eq!(decided[from + 2].1, acknowledged, "{name}: the window is released up to 1006");
        // the rest is the timer's: first and last of what nobody has heard of
        let runs: Vec<(u32, u32)> = decided[from + 3..]
            .iter()
            .filter_map(|(_, at)| if let Decision::Again { start, length, .. } = at { Some((*start, *length)) } else { None })
            .collect();
        assert_eq!(runs[..2], [(1006, 1), (1015, 1)], "{name}");
        assert_eq!((report.packets, report.timeouts, report.duplicates, report.redundant), (16, 1, 0, 0), "{name}: {report:?}");
    });
}

/// Nothing behind the loss shows it: the timer sends the first and the last of it again, and feedback names the rest.
#[test]
fn a_loss_at_the_end_is_found_by_the_timer() {
    for lost in [1, 2, 7] {
        let scenario =
            read("traffic = { least = 300, most = 300 }\nsender = { rto = 100, dedup = 8 }\nreceiver.registers = { refeedback = 60 }");
        at(if lost == 7 { &EVERY } else { &EVERY[..2] }, &scenario, |name, scenario| {
            let (report, decided, _) = logged(scenario, &mut |side, number, _| side == Side::A && (300 - lost..300).contains(&number));
            let end = psn::add(scenario.traffic.first, 300);
            let from = decided
                .iter()
                .position(|(_, at)| *at == Decision::Timeout { qp: 0 })
                .unwrap_or_else(|| panic!("{name}: no timer has run out"));
            assert!(decided[..from].iter().all(|(_, at)| !matches!(at, Decision::Again { .. })), "{name}");
            let again: Vec<u32> = decided
                .iter()
                .filter_map(|(_, at)| {
                    if let Decision::Again { start, length, .. } = at { Some((0..*length).map(|at| psn::add(*start, at))) } else { None }
                })
                .flatten()
                .collect();
            let tail: Vec<u32> = (1..=lost as u32).rev().map(|back| psn::sub(end, back)).collect();
            assert_eq!(again[0], tail[0], "{name}");
            assert_eq!(again.get(1), tail.last().filter(|_| lost > 1), "{name}");
            let mut sorted = again.clone();
            sorted.sort_by_key(|&number| psn::ahead(tail[0], number));
            assert_eq!(sorted, tail, "{name}: each once");
            assert_eq!((report.timeouts, report.redundant), (1, 0), "{name}");
        });
    }
}

/// Everything that a receiver says is lost for a while: only timers go on, and what they send for nothing is told to be known.
#[test]
fn acknowledgements_that_are_all_lost_for_a_while() {
    let scenario = read("traffic = { least = 100, most = 100 }\nsender = { rto = 50, rto_cap = 200 }");
    at(&EVERY[..2], &scenario, |name, scenario| {
        // those of all packets, and of the first two timers
        let (report, ..) = logged(scenario, &mut |side, number, _| side == Side::B && number < 104);
        assert!(report.timeouts >= 2 && report.duplicates == report.retransmissions, "{name}: {report:?}");
        assert_eq!((report.packets, report.lost), (100, 0), "{name}");
    });
}

/// 1, 16 and 256 queue pairs, each over the end of the numbers, with everything lost and repeated both ways.
#[test]
fn numbers_wrap_at_every_count_of_queue_pairs() {
    for (profile, queue_pairs, packets) in [("window128_q1", 1, 1500), ("small", 16, 100), ("worked", 256, 12)] {
        let text = format!(
            "profile = \"{profile}\"\ntraffic = {{ queue_pairs = {queue_pairs}, first = {}, least = {packets}, most = {packets} }}\n\
             sender = {{ rto = 150, rto_cap = 600, retry_limit = 60, dedup = 20 }}\nreceiver.registers = {{ refeedback = 60 }}\n\
             [network.both]\nspread = \"random\"\npath = [{{ count = 4, loss = 0.05, duplicate = 0.05, jitter_ns = 300 }}]",
            psn::SPACE - packets / 2
        );
        for scenario in [read(&text), golden(read(&text))] {
            let report = report(&scenario, profile);
            assert_eq!(report.packets, u64::from(queue_pairs * packets));
            assert!(report.retransmissions > 0 && report.duplicates > 0, "{report:?}");
        }
    }
}

/// One thing that an end does wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wrong {
    Acknowledged,
    NeverSent,
    Skipped,
    Forgotten,
    New,
    Twice,
    Duplicate,
    TooFar,
    Range,
    Silent,
    Beyond,
}

struct Faulty<T> {
    inner: T,
    wrong: Wrong,
}

impl Sender for Faulty<Box<dyn Sender + '_>> {
    fn offer(&mut self, qp: u32, packets: u64) {
        self.inner.offer(qp, packets);
    }
    fn receive(&mut self, note: Note) {
        self.inner.receive(note);
    }
    fn step(&mut self, clock: u64, queued: u64) -> Result<Vec<Decision>, String> {
        let mut decisions = self.inner.step(clock, queued)?;
        for at in 0..decisions.len() {
            match (self.wrong, decisions[at]) {
                (Wrong::Acknowledged, Decision::Applied { note: Note::Ack { qp, psn, .. }, .. }) => {
                    decisions.push(Decision::Again { qp, start: psn, length: 1 });
                }
                (Wrong::NeverSent, Decision::Again { qp, start, length }) => {
                    decisions[at] = Decision::Again { qp, start, length: length + 500 }
                }
                (Wrong::Skipped, Decision::Send { qp, psn }) if clock > 20_000 => decisions[at] = Decision::Send { qp, psn: psn + 1 },
                _ => {}
            }
        }
        decisions.retain(|decision| self.wrong != Wrong::Forgotten || !matches!(decision, Decision::Again { .. }));
        Ok(decisions)
    }
    fn next(&self) -> Option<u64> {
        self.inner.next()
    }
    fn window(&self, qp: u32) -> Option<(u32, u32)> {
        self.inner.window(qp)
    }
    fn finish(&mut self) -> Result<(), String> {
        self.inner.finish()
    }
    fn counters(&self) -> BTreeMap<String, u64> {
        self.inner.counters()
    }
}

impl Receiver for Faulty<Box<dyn Receiver + '_>> {
    fn receive(&mut self, packet: Packet) {
        self.inner.receive(packet);
    }
    fn step(&mut self, clock: u64) -> Result<Vec<Told>, String> {
        let mut told = self.inner.step(clock)?;
        for at in 0..told.len() {
            match (self.wrong, told[at]) {
                (Wrong::New, Told::Verdict(packet, Verdict::Duplicate)) => told[at] = Told::Verdict(packet, Verdict::New),
                (Wrong::Twice, Told::Verdict(..)) => told.push(told[at]),
                (Wrong::Duplicate, Told::Verdict(packet, _)) => told[at] = Told::Verdict(packet, Verdict::Duplicate),
                (Wrong::Beyond, Told::Verdict(packet, Verdict::Duplicate)) => told[at] = Told::Verdict(packet, Verdict::Dropped),
                (Wrong::TooFar, Told::Note(Note::Ack { qp, psn, credits })) => {
                    told[at] = Told::Note(Note::Ack { qp, psn: psn + 1, credits })
                }
                (Wrong::Range, Told::Note(Note::Ack { qp, psn, .. })) => {
                    told[at] = Told::Note(Note::Range { qp, base: psn + 1, start: psn + 1, length: 60 });
                }
                _ => {}
            }
        }
        told.retain(|told| self.wrong != Wrong::Silent || !matches!(told, Told::Note(_)));
        Ok(told)
    }
    fn next(&self) -> Option<u64> {
        self.inner.next()
    }
    fn base(&self, qp: u32) -> Option<u32> {
        self.inner.base(qp)
    }
    fn finish(&mut self) -> Result<(), String> {
        self.inner.finish()
    }
    fn counters(&self) -> BTreeMap<String, u64> {
        self.inner.counters()
    }
}

#[test]
fn ends_that_are_wrong_are_seen() {
    let scenario = golden(read(
        "traffic = { first = 0, least = 2000, most = 2000 }\nsender = { rto = 100, dedup = 8, retry_limit = 255, rto_cap = 100 }\n\
         [network.both]\npath = [{ loss = 0.02, duplicate = 0.05 }]",
    ));
    let parts = Parts::new(&scenario).unwrap();
    let found = |sender: &mut dyn Sender, receiver: &mut dyn Receiver, scenario: &Scenario, parts: &Parts| {
        run(scenario, parts, sender, receiver, &mut |_, _, _| false, &mut |_, _| {}).map(|_| ())
    };
    let ends = || (parts.sender(&scenario, None).unwrap(), parts.receiver(&scenario, None).unwrap());
    let (mut sender, mut receiver) = ends();
    assert_eq!(found(&mut *sender, &mut *receiver, &scenario, &parts), Ok(()));
    for (wrong, part) in [
        (Wrong::Acknowledged, "is acknowledged"),
        (Wrong::NeverSent, "was never sent"),
        (Wrong::Skipped, "packets were sent before"),
        (Wrong::Forgotten, "nothing has moved"),
    ] {
        let (inner, mut receiver) = ends();
        let text = found(&mut Faulty { inner, wrong }, &mut *receiver, &scenario, &parts).expect_err(part);
        assert!(text.contains(part), "{wrong:?}: {text}");
    }
    for (wrong, part) in [
        (Wrong::New, "it had arrived before"),
        (Wrong::Twice, "it had arrived before"),
        (Wrong::Duplicate, "it had never arrived"),
        (Wrong::Beyond, "sends nothing beyond"),
        (Wrong::TooFar, "has not arrived"),
        (Wrong::Range, "has not arrived"),
        (Wrong::Silent, "nothing has moved"),
    ] {
        let (mut sender, inner) = ends();
        let text = found(&mut *sender, &mut Faulty { inner, wrong }, &scenario, &parts).expect_err(part);
        assert!(text.contains(part), "{wrong:?}: {text}");
    }
    // one that has a longer window than it may, and one that knows of no limit of its rate
    let (mut sender, mut receiver) = ends();
    let mut short = parts;
    short.shape.window = 32;
    let text = found(&mut *sender, &mut *receiver, &scenario, &short).unwrap_err();
    assert!(text.contains("beyond the window of 32"), "{text}");
    let (mut sender, mut receiver) = ends();
    let mut limited = scenario.clone();
    limited.sender.limit_gbps = Some(70.0);
    let text = found(&mut *sender, &mut *receiver, &limited, &parts).unwrap_err();
    assert!(text.contains("more than the token bucket has"), "{text}");
}

/// The schemes that bitmaps are compared with deliver everything too, and what they cost is seen.
#[test]
fn everything_arrives_by_the_other_schemes() {
    let mut scenario = golden(read(
        "traffic = { queue_pairs = 4, flows = 5, least = 10, most = 400, one_by_one = true }\nsender = { rto = 60, rto_cap = 240 }\n\
         [network.both]\npath = [{ loss = 0.02, duplicate = 0.01 }]",
    ));
    let mut again = BTreeMap::new();
    for scheme in rdma_rtl_tb::pair::Scheme::ALL {
        scenario.scheme = scheme;
        let report = report(&scenario, scheme.name());
        assert_eq!((report.latency.commands, report.sender), (20, "golden"));
        again.insert(scheme.name(), report.per_lost);
    }
    assert!(again["bitmap"] < 1.2 && again["timers"] > 1.2 && again["go_back_n"] > 3.0, "{again:?}");
}

#[test]
fn what_is_wrong_with_a_file_is_one_line() {
    let refused = |text: &str, parts: &[&str]| {
        let error = Scenario::read("x.toml", &format!("title = \"x\"\nends = \"bitmap\"\n{text}")).map(|_| ()).expect_err(text).to_string();
        assert!(error.starts_with("x.toml") && !error.contains('\n'), "{error}");
        for part in parts {
            assert!(error.contains(part), "`{part}` is not in: {error}");
        }
    };
    refused("traffic = { packets = 3 }", &["x.toml:3", "`traffic.packets`", "`queue_pairs`"]);
    refused("scheme = \"tcp\"", &["x.toml:3", "`tcp`", "`go_back_n`"]);
    refused("traffic = { queue_pairs = 0 }", &["`traffic.queue_pairs` is 0", "1 to 1024"]);
    refused("traffic = { least = 5, most = 4 }", &["`traffic.most` is 4", "`least` (5)"]);
    refused("traffic = { first = 16777216 }", &["`traffic.first` is 16777216"]);
    refused("traffic = { payload = 9 }", &["`traffic.payload` is 9"]);
    refused("sender = { rto = 9, rto_cap = 8 }", &["`sender.rto_cap` is 8", "9 to"]);
    refused("sender = { limit_gbps = 0 }", &["`sender.limit_gbps` is 0"]);
    refused("sender = { limit_gbps = 1000, prescale = 65535 }", &["limit_gbps", "to 16777215"]);
    refused("sender = { retry_limit = 300 }", &["`sender.retry_limit` is 300"]);
    refused("receiver.registers = { depht = 3 }", &["`receiver.registers.depht` is 3", "depth"]);
    refused("receiver.registers = { prescale = 3 }", &["`receiver.registers.prescale`", "`sender.prescale`"]);
    refused("sizes = { window = 256 }", &["`sizes`", "golden"]);
    refused("scheme = \"timers\"\nsizes = { window = 100 }", &["`sizes.window` is 100", "multiple of 64"]);
    refused("[[network.both.path]]\nloss = 2", &["`network.both.path[0].loss` is 2"]);
    refused("[expect.bounds]\nescaped = { most = 1 }", &["`expect.bounds.escaped`", "per_lost"]);
    let error = Scenario::read("x.toml", "title = \"x\"\n").unwrap_err().to_string();
    assert!(error.contains("missing field `ends`"), "{error}");
    let parts = |text: &str| Parts::new(&read(text)).map(|_| ()).expect_err(text).to_string();
    assert!(parts("traffic = { queue_pairs = 17 }").contains("`traffic.queue_pairs` is 17; the profile `small` has 16"));
    assert!(parts("profile = \"tiny\"").contains("tiny"));
    assert!(parts("profile = \"default\"\nreceiver.registers = { refeedback = 5 }").contains("`refeedback` from 51"));
}

/// The scenarios of the comparison, short: over 1 ms and with one packet in a hundred lost, bitmaps carry ten times what Go-Back-N does,
/// and what they send again is little more than what was lost.
#[test]
fn the_comparison_in_short() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios/compare");
    let mut seen = 0;
    for file in std::fs::read_dir(&folder).unwrap() {
        let mut scenario = golden(Scenario::load(&file.unwrap().path()).unwrap_or_else(|e| panic!("{e}")));
        scenario.set_packets(2000).unwrap();
        report(&scenario, &scenario.title);
        seen += 1;
    }
    assert!(seen >= 7, "{seen}");
    let mut long = Scenario::load(&folder.join("one_long.toml")).unwrap();
    long.set_packets(12_000).unwrap();
    long.network.set_loss(0.01);
    let bitmap = report(&long, "one_long, bitmap");
    long.scheme = rdma_rtl_tb::pair::Scheme::GoBackN;
    let other = report(&long, "one_long, go_back_n");
    assert!(bitmap.per_lost <= 1.05 && bitmap.goodput_gbps >= 10.0 * other.goodput_gbps, "{bitmap:?}\n{other:?}");
}
