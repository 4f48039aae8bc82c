//! The CDMA driver against the CDMA model, verilated at every ring size, in lockstep with the Rust at the small profile.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_gen::ir;
use rdma_rtl_sim::bus::Stalls;
use rdma_rtl_sim::cdma::{Data, Fault, Options};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue;
use rdma_rtl_tb::send::cdma_driver::{Load, Run, SOURCE, Seen, TARGET, Trouble, bench, hold, leave_in_the_middle, mixture, random_faults};
use rdma_rtl_tb::under_test::{design_at, seed, verilated};

/// A driver with a ring of `2^descriptor_bits` descriptors and lengths of `btt_bits` bits.
fn driver(descriptor_bits: u32, btt_bits: u64) -> ir::Design {
    design_at("cdma_driver", &[("ring", 1 << descriptor_bits), ("tag_bits", 16), ("btt_bits", btt_bits)])
}

/// The run, held to what is expected of it.
fn run(model: &mut dyn Model, run: &Run) -> Seen {
    hold(model, run).unwrap_or_else(|difference| panic!("{difference}\n{run:?}\nagain with RDMA_RTL_SEED={}", seed()))
}

fn loads(count: usize, most: u32, wide: bool) -> Vec<Load> {
    mixture(&mut ChaCha8Rng::seed_from_u64(seed()), count, most, wide)
}

fn one(source: u64, bytes: u32, destination: u64) -> Load {
    Load { pieces: [(source, bytes), (0, 0), (0, 0), (0, 0)], destination }
}

/// Engines that are quick, slow, that stall, that read ahead.
fn engines() -> Vec<Options> {
    let inside = |latency, rate| Options { data: Data::Inside { latency, rate }, ..Options::default() };
    vec![
        inside(1, 4096),
        inside(30, 8),
        Options { stalls: Stalls::all(40), prefetch: 3, ..inside(2, 64) },
        Options { stalls: Stalls { idle: 0, backpressure: 70 }, fetch_beats: 1, error_completes: true, ..inside(4, 64) },
        Options { stalls: Stalls { idle: 60, backpressure: 0 }, fetch_beats: 4, prefetch: 1, reset_clocks: 40, ..inside(4, 64) },
    ]
}

/// Offers x takes x engines x sizes x widths of addresses.
fn sweep(model: &mut dyn Model, count: usize) -> u64 {
    let mut most = 0;
    for (i, cdma) in engines().into_iter().enumerate() {
        for (offer, take) in [(100, 100), (5, 100), (100, 10), (40, 60)] {
            for wide in [false, true] {
                let size = [4000, 64, 1, 600][i % 4];
                let ring_base = if wide { 0x12_3456_0000 << 8 } else { 0x8000_0000 };
                let all = Run {
                    loads: loads(count, size, wide),
                    cdma: cdma.clone(),
                    offer,
                    take,
                    wide,
                    ring_base,
                    seed: seed(),
                    ..Run::default()
                };
                let seen = run(model, &all);
                assert_eq!((seen.errors, seen.resets, seen.refused), (0, 1, 0));
                most = most.max(seen.most);
            }
        }
    }
    most
}

#[test]
fn every_pace_and_engine() {
    assert_eq!(sweep(&mut verilated(&driver(4, 26)), 80), 15, "the ring is full but for one");
    assert_eq!(sweep(&mut verilated(&driver(2, 23)), 40), 3);
}

#[test]
fn the_rings_of_the_profiles() {
    for profile in ["default", "large"] {
        let design = catalogue::find("cdma_driver", profile).unwrap();
        let most = sweep(&mut verilated(&design.elaborate().unwrap()), 300);
        assert_eq!(most, design.parameter("ring").unwrap() - 1, "{profile}");
    }
}

/// Every kind of error at every descriptor of a ring, alone and twice in a row, with what may be in front of and behind it.
fn every_fault(model: &mut dyn Model, ring: u64, engines: &[Options]) {
    for cdma in engines {
        for fault in Fault::ERRORS {
            for place in 0..2 * ring {
                for twice in [false, true] {
                    let mut faults = vec![(place, fault)];
                    if twice {
                        faults.push((place + 1, fault));
                    }
                    let all = Run { loads: loads(ring as usize, 64, false), faults, cdma: cdma.clone(), seed: place, ..Run::default() };
                    let seen = run(model, &all);
                    assert_eq!(seen.errors, if twice { 2 } else { 1 }, "{fault:?} at {place}");
                    assert_eq!(seen.resets, seen.errors + 1);
                    // A fault of the data costs its load, one of the descriptor port alone costs nothing.
                    let failed = seen.statuses.iter().filter(|s| **s != 0).count();
                    assert_eq!(failed > 0, fault.in_status() || twice && !written(fault), "{fault:?} at {place}: {:?}", seen.statuses);
                }
            }
        }
    }
}

fn written(fault: Fault) -> bool {
    matches!(fault, Fault::StatusSlave { written: true } | Fault::StatusDecode { written: true })
}

#[test]
fn every_error_at_every_descriptor() {
    let mut model = verilated(&driver(4, 26));
    every_fault(&mut model, 16, &engines()[..4]);
}

/// Ticks that are more than the longest descriptor of these runs takes.
const PATIENCE: u64 = 300;

#[test]
fn a_transfer_that_hangs_is_tried_again_and_fails_at_the_second_time() {
    let mut model = verilated(&driver(4, 26));
    for cdma in engines() {
        for place in 0..32 {
            for (twice, errors, failed) in [(false, 1, 0), (true, 2, 1)] {
                let faults = (place..=place + u64::from(twice)).map(|at| (at, Fault::Hang)).collect();
                let (loads, cdma) = (loads(16, 64, false), cdma.clone());
                let seen = run(&mut model, &Run { loads, faults, cdma, load_timeout: PATIENCE, seed: place, ..Run::default() });
                assert_eq!((seen.errors, seen.resets), (errors, errors + 1), "at {place}");
                assert_eq!(seen.statuses.iter().filter(|s| **s != 0).count(), failed, "at {place}: {:?}", seen.statuses);
            }
        }
    }
}

#[test]
fn hangs_among_other_errors() {
    let mut model = verilated(&driver(4, 26));
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    for i in 0..20 {
        let mut faults = random_faults(&mut rng, 2000, [30, 200][i % 2]);
        faults.iter_mut().step_by(2).for_each(|(_, fault)| *fault = Fault::Hang);
        let (offer, take) = [(100, 100), (20, 100), (100, 30)][i % 3];
        let (loads, cdma) = (loads(80, 200, false), engines()[i % 5].clone());
        let all = Run { loads, faults, cdma, offer, take, load_timeout: PATIENCE, seed: seed() + i as u64, ..Run::default() };
        assert!(run(&mut model, &all).errors > 0);
    }
}

#[test]
fn the_time_of_a_descriptor_begins_with_the_end_of_the_one_before_it() {
    let mut model = verilated(&driver(4, 26));
    // 260 clocks, 65 ticks and the way to the status for each of them; the last of the 15 that are out has waited for 14 others.
    let cdma = Options { data: Data::Inside { latency: 4, rate: 4 }, ..Options::default() };
    for (load_timeout, hangs) in [(80, false), (50, true), (0, false)] {
        let loads = (0..40).map(|i| one(SOURCE + i, 1024, TARGET + 1024 * i)).collect();
        let all =
            Run { loads, cdma: cdma.clone(), load_timeout, error_limit: 255, trouble: Some((u64::MAX, Trouble::Deaf)), ..Run::default() };
        let seen = bench(&mut model, &all).unwrap();
        assert_eq!(seen.errors > 0, hangs, "{load_timeout} ticks: {seen:?}");
    }
}

#[test]
fn errors_in_a_row_end_it() {
    let mut model = verilated(&driver(4, 26));
    for fault in Fault::ERRORS {
        for limit in [0, 1, 2, 3, 8, 255] {
            // One fewer than the limit, then as many, from the first descriptor on and from one in the middle.
            for from in [0, 5, 20] {
                for count in [limit.max(1) - 1, limit.max(1), limit + 3] {
                    let faults = (from..from + count).map(|at| (at, fault)).collect();
                    let all = Run { loads: loads(30, 64, false), faults, error_limit: limit, seed: seed(), ..Run::default() };
                    let seen = run(&mut model, &all);
                    assert!(count == 0 || limit > 8 || written(fault) || seen.dead == (count >= limit.max(1)), "{fault:?}: {seen:?}");
                }
            }
        }
    }
}

#[test]
fn random_faults_at_any_pace() {
    let mut model = verilated(&driver(4, 26));
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    let (mut errors, mut dead) = (0, 0);
    for i in 0..60 {
        let faults = random_faults(&mut rng, 2000, [3, 30, 200, 600][i % 4]);
        let (offer, take) = [(100, 100), (20, 100), (100, 30)][i % 3];
        let cdma = engines()[i % 5].clone();
        let all = Run { loads: loads(120, 200, false), faults, cdma, offer, take, seed: seed() + i as u64, ..Run::default() };
        let seen = run(&mut model, &all);
        errors += seen.errors;
        dead += u64::from(seen.dead);
    }
    assert!(errors > 300 && dead > 0 && dead < 40, "{errors} errors, {dead} engines dead");
}

#[test]
fn an_error_that_is_told_before_its_status() {
    let mut model = verilated(&driver(4, 26));
    let mut failed = 0;
    for place in 0..20 {
        for fault in [Fault::DataInternal, Fault::DataSlave, Fault::DataDecode] {
            for early_error in [1, 20, 60, 75, 100, 140] {
                let cdma = Options { early_error, ..engines()[(place % 5) as usize].clone() };
                let all = Run { loads: loads(16, 64, false), faults: vec![(place, fault)], cdma, ..Run::default() };
                let seen = run(&mut model, &all);
                // Failed, or tried again: nothing else, and only the load that it was about.
                failed += seen.statuses.iter().filter(|s| **s != 0).count();
                assert!(seen.errors == 1 && seen.statuses.iter().filter(|s| **s != 0).count() <= 1, "{seen:?}");
                assert!(seen.statuses.iter().all(|s| [0, 34].contains(s)));
            }
        }
    }
    assert!((60..340).contains(&failed), "{failed} of 360");
}

#[test]
fn an_engine_that_is_gone() {
    let mut model = verilated(&driver(4, 26));
    for at in (0..900).step_by(37) {
        for trouble in [Trouble::HangsInReset, Trouble::Deaf, Trouble::Responds(2), Trouble::Responds(3)] {
            let faults = vec![(6, Fault::DataSlave)];
            let cdma = Options { data: Data::Inside { latency: 20, rate: 64 }, ..Options::default() };
            let all = Run { loads: loads(60, 64, false), trouble: Some((at, trouble)), faults, cdma, ..Run::default() };
            let seen = run(&mut model, &all);
            assert!(trouble == Trouble::HangsInReset || seen.dead, "{trouble:?} at {at}");
            // Some are done, one has failed, then all are told that the engine is gone.
            let first = seen.statuses.iter().position(|s| *s == 33).unwrap_or(60);
            assert_eq!(seen.dead, first < 60, "{seen:?}");
            assert!(seen.statuses[..first].iter().filter(|s| **s == 34).count() <= 1);
            assert!(seen.statuses[first..].iter().all(|s| *s == 33), "{trouble:?} at {at}: {:?}", seen.statuses);
        }
    }
}

#[test]
fn a_reset_may_take_its_time_and_no_longer() {
    let mut model = verilated(&driver(4, 26));
    for (reset_clocks, dead) in [(8, false), (350, false), (390, false), (450, true), (4000, true)] {
        let cdma = Options { reset_clocks, ..engines()[0].clone() };
        let all = Run { loads: loads(20, 64, false), cdma, trouble: Some((u64::MAX, Trouble::Deaf)), ..Run::default() };
        // 100 ticks of 4 clocks.
        assert_eq!(run(&mut model, &all).dead, dead, "{reset_clocks} clocks");
    }
}

#[test]
fn lengths_that_the_engine_has_and_has_not() {
    for (bits, model) in [(23, &mut verilated(&driver(4, 23))), (26, &mut verilated(&driver(4, 26)))] {
        let quick = Data::Inside { latency: 1, rate: 1 << 22 };
        let cdma = Options { length_bits: bits, data: quick, ..Options::default() };
        for (bytes, status) in [
            ((1 << 23) - 1, 0),
            (1 << 23, if bits == 23 { 35 } else { 0 }),
            ((1 << 23) + 1, if bits == 23 { 35 } else { 0 }),
            ((1 << 26) - 1, if bits == 23 { 35 } else { 0 }),
            (1 << 26, 35),
            ((1 << 26) + 1, 35),
            (u32::MAX, 35),
            (0, 35),
        ] {
            let good = one(SOURCE + 3, 100, TARGET);
            let mut loads = vec![good.clone(), one(SOURCE, bytes, TARGET + 128), good];
            // In the last place too.
            loads.push(Load { pieces: [(SOURCE, 1), (0, 0), (0, 0), (SOURCE, bytes)], destination: TARGET + 256 });
            let all = Run { loads, cdma: cdma.clone(), ..Run::default() };
            let seen = run(model, &all);
            let last = if bytes == 0 { 0 } else { status };
            assert_eq!(seen.statuses, [0, status, 0, last], "{bytes} bytes in {bits} bits");
        }
    }
}

#[test]
fn addresses_out_of_reach() {
    let mut model = verilated(&driver(4, 26));
    let far = 1 << 32;
    for wide in [false, true] {
        let above = SOURCE + (1 << 40);
        let loads = vec![
            one(SOURCE, 10, TARGET),
            one(above, 10, TARGET + 16),
            Load { pieces: [(SOURCE, 5), (above, 0), (above, 5), (0, 0)], destination: TARGET + 32 },
            Load { pieces: [(SOURCE, 5), (above, 0), (SOURCE, 5), (far, 0)], destination: TARGET + 48 },
        ];
        let seen = run(&mut model, &Run { loads, wide, ..Run::default() });
        assert_eq!(seen.statuses, if wide { [0, 0, 0, 0] } else { [0, 35, 35, 0] });
    }
    let seen = run(&mut model, &Run { loads: vec![one(SOURCE, 10, far), one(SOURCE, 10, TARGET)], ..Run::default() });
    assert_eq!(seen.statuses, [35, 0]);
}

#[test]
fn interrupts_are_coalesced_by_the_engine() {
    let mut model = verilated(&driver(4, 26));
    let every = |threshold, delay| {
        let loads: Vec<Load> = (0..60).map(|i| one(SOURCE + i, 64, TARGET + 64 * i)).collect();
        let cdma = Options { data: Data::Inside { latency: 150, rate: 64 }, ..Options::default() };
        Run { loads, cdma, interrupt: (threshold, delay), ..Run::default() }
    };
    let all = run(&mut model, &every(1, 0)).interrupts;
    let tenth = run(&mut model, &every(10, 1)).interrupts;
    assert!((50..=60).contains(&all), "{all}");
    assert!((6..=8).contains(&tenth), "{tenth}");
    // What cannot be is told, and each descriptor interrupts.
    assert_eq!(run(&mut model, &every(10, 0)).interrupts, all);
    let error = model.port("status_config_error").unwrap();
    assert_eq!(model.peek_u64(error), 1);
    run(&mut model, &every(10, 2));
    assert_eq!(model.peek_u64(error), 0);
}

#[test]
fn configurations_that_cannot_be() {
    let mut model = verilated(&driver(4, 26));
    let error = model.port("status_config_error").unwrap();
    for (name, good, bad) in
        [("cfg_ring_base", 0x400, 0x440), ("cfg_ring_base", 0x400, 1 << 33), ("cfg_reset_timeout", 5, 0), ("cfg_irq_threshold", 1, 2)]
    {
        run(&mut model, &Run { loads: loads(1, 10, false), ..Run::default() });
        let port = model.port(name).unwrap();
        for (value, is) in [(good, 0), (bad, 1), (good, 0)] {
            model.poke_u64(port, value);
            model.clock();
            assert_eq!(model.peek_u64(error), is, "{name} = {value:#x}");
        }
    }
}

#[test]
fn a_reset_in_the_middle_forgets_all() {
    let mut model = verilated(&driver(4, 26));
    for clocks in [1, 2, 5, 10, 20, 40, 70, 100, 150, 200, 300, 400, 500, 700] {
        let faults = vec![(3, Fault::FetchSlave), (9, Fault::DataSlave)];
        let all = Run { loads: loads(60, 200, false), faults, ..Run::default() };
        leave_in_the_middle(&mut model, &all, clocks).unwrap();
        run(&mut model, &all);
    }
}

#[test]
fn native_in_lockstep() {
    let design = catalogue::find("cdma_driver", "small").unwrap();
    let verilated = verilated(&design.elaborate().unwrap());
    let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated)).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(seed());
    for (i, cdma) in engines().into_iter().enumerate() {
        let cdma = Options { length_bits: 23, ..cdma };
        let faults = random_faults(&mut rng, 200, [0, 100, 300][i % 3]);
        let all = Run { loads: loads(20, 100, i % 2 == 1), wide: i % 2 == 1, faults, cdma, seed: i as u64, ..Run::default() };
        run(&mut model, &all);
    }
}

/// Figures that the documentation names.
#[test]
fn latency_and_rate() {
    let mut model = verilated(&driver(6, 26));
    let rate = |model: &mut dyn Model, bytes: u32, prefetch| {
        let loads: Vec<Load> = (0..200).map(|i| one(SOURCE + i, bytes, TARGET + u64::from(bytes) * i)).collect();
        let cdma = Options { data: Data::Inside { latency: 2, rate: 64 }, prefetch, ..Options::default() };
        run(model, &Run { loads, cdma, ..Run::default() })
    };
    let seen = rate(&mut model, 64, 4);
    println!("64 bytes: {} clocks per descriptor", seen.clocks as f64 / 200.0);
    assert!(seen.clocks < 200 * 22, "{seen:?}");
    let seen = rate(&mut model, 4096, 4);
    let share = 200.0 * 64.0 / seen.clocks as f64;
    println!("4096 bytes: {share:.3} of the data rate, {} clocks, first tail after {}", seen.clocks, seen.tail_latency);
    assert!(share > 0.8, "{share}");
}

/// A burst on the descriptor port: the beats that were read, or the response of the write.
struct Port<'a>(&'a mut dyn Model);

impl Port<'_> {
    fn set(&mut self, name: &str, value: u64) {
        let port = self.0.port(&format!("s_axi_sg_{name}")).expect(name);
        self.0.poke_u64(port, value);
        self.0.eval();
    }

    fn get(&self, name: &str) -> u64 {
        self.0.peek_u64(self.0.port(&format!("s_axi_sg_{name}")).expect(name))
    }

    /// Clocks until something passes on the channel, this clock included.
    fn pass(&mut self, channel: &str, ours: &str, theirs: &str) {
        self.set(&format!("{channel}{ours}"), 1);
        for _ in 0..20 {
            let passes = self.get(&format!("{channel}{theirs}")) == 1;
            if passes {
                return;
            }
            self.0.clock();
        }
        panic!("{channel}{theirs} does not come");
    }

    fn done(&mut self, channel: &str, ours: &str) {
        self.0.clock();
        self.set(&format!("{channel}{ours}"), 0);
    }

    fn read(&mut self, address: u64, beats: u64) -> Vec<u64> {
        self.set("araddr", address);
        self.set("arlen", beats - 1);
        self.pass("ar", "valid", "ready");
        self.done("ar", "valid");
        let mut data = Vec::new();
        for beat in 1..=beats {
            self.pass("r", "ready", "valid");
            data.push(self.get("rdata"));
            assert_eq!((self.get("rlast"), self.get("rresp")), (u64::from(beat == beats), 0));
            self.done("r", "ready");
        }
        data
    }

    fn write(&mut self, address: u64, beats: &[(u64, u64)]) -> u64 {
        self.set("awaddr", address);
        self.pass("aw", "valid", "ready");
        self.done("aw", "valid");
        for (i, (data, strobe)) in beats.iter().enumerate() {
            self.set("wdata", *data);
            self.set("wstrb", *strobe);
            self.set("wlast", u64::from(i + 1 == beats.len()));
            self.pass("w", "valid", "ready");
            self.done("w", "valid");
        }
        self.pass("b", "ready", "valid");
        let response = self.get("bresp");
        self.done("b", "ready");
        response
    }
}

#[test]
fn the_descriptor_port_takes_any_burst_and_no_wrong_write() {
    let mut model = verilated(&driver(4, 26));
    run(&mut model, &Run { loads: loads(40, 64, false), ..Run::default() });
    let mut port = Port(&mut model);
    let all: Vec<u64> = (0..16).flat_map(|i| port.read(64 * i, 8)).collect();
    for (i, descriptor) in all.chunks(8).enumerate() {
        assert_eq!(descriptor[0], 0x8000_0000 + 64 * ((i as u64 + 1) % 16));
        assert_eq!(descriptor[7], 0x8000_0000, "completed");
    }
    // One word, the end of a descriptor and what repeats it, over the end of the ring.
    assert_eq!(port.read(0x40 + 0x10, 1), all[12..13]);
    assert_eq!(port.read(0x40 + 0x18, 6), [&all[14..16], &all[8..12]].concat());
    assert_eq!(port.read(0x3e0, 10), [&all[120..128], &all[..2]].concat());
    assert_eq!(port.read(0, 256)[240..248], all[120..128]);
    // Not a status word, not all of it, more than it.
    assert_eq!(port.write(0x18, &[(1, 15)]), 2);
    assert_eq!(port.write(0x3c, &[(1, 15)]), 2);
    assert_eq!(port.write(0x1c, &[(1, 7)]), 2);
    assert_eq!(port.write(0x18, &[(1, 15), (0x4000_0000, 15)]), 2);
    assert_eq!(port.read(0, 8), [&all[..7], &[0x4000_0000]].concat());
    assert_eq!(port.write(0x1c, &[(0x8000_0000, 15)]), 0);
    assert_eq!(port.read(0, 8), all[..8]);
}
