//! The send endpoint through its buses: random commands in lockstep and verilated, with every bus stalling and a bad network behind it.

use crate::send_endpoint_plan::{endpoint, find, parameter, plan};
use rand::SeedableRng;
use rdma_rtl_golden::send::op_table::Config as Timers;
use rdma_rtl_golden::send::splitter::{Command, Config as Cut};
use rdma_rtl_sim::bus::{MemoryOptions, Stalls};
use rdma_rtl_sim::{Lockstep, Model, Verilated};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::faults::missed;
use rdma_rtl_tb::send_endpoint::addresses::{Addresses, set_up};
use rdma_rtl_tb::send_endpoint::directed::{self, Lost};
use rdma_rtl_tb::send_endpoint::peer::Mix;
use rdma_rtl_tb::send_endpoint::rates::{self, Latency};
use rdma_rtl_tb::send_endpoint::traffic::{Done, Plan, Traffic};
use rdma_rtl_tb::send_endpoint::{Endpoint, Pace};
use rdma_rtl_tb::under_test::{self, seed};

fn verilated(design: &Design) -> Verilated {
    let elaborated = design.elaborate().unwrap_or_else(|e| panic!("{e}"));
    under_test::verilated(&elaborated)
}

fn traffic(model: &mut dyn Model, design: &Design, plan: &Plan, pace: Pace) -> Done {
    let mut endpoint = endpoint(model, design, pace);
    let mut traffic = Traffic::new(&mut endpoint, plan);
    traffic.set_up(&mut endpoint).unwrap();
    traffic.run(&mut endpoint, None).unwrap_or_else(|e| panic!("seed {}: {e}\n{:?}", plan.seed, traffic.done));
    println!("{:?}", traffic.done);
    traffic.done
}

/// Commands at one width of the buses: so many, or `RDMA_RTL_COMMANDS`.
fn commands(count: usize) -> usize {
    std::env::var("RDMA_RTL_COMMANDS").ok().and_then(|s| s.parse().ok()).unwrap_or(count)
}

/// Everything that can go wrong did.
fn eventful(done: &Done) {
    let seen = [done.refused, done.failed, done.arrivals, done.again, done.forged, done.cdma_errors, done.aborts];
    assert!(seen.iter().all(|&n| n > 0), "{done:?}");
}

#[test]
fn random_commands_on_64_bits() {
    let design = find("small");
    let mut model = verilated(&design);
    traffic(&mut model, &design, &plan(&design, commands(200), Mix::CLEAN), Pace::full(seed()));
    let done = traffic(&mut model, &design, &plan(&design, commands(500), Mix::BAD), Pace::random(seed(), 20));
    eventful(&done);
}

#[test]
fn random_commands_on_512_bits() {
    let design = find("worked");
    let mut model = verilated(&design);
    traffic(&mut model, &design, &plan(&design, commands(200), Mix::CLEAN), Pace::full(seed()));
    let done = traffic(&mut model, &design, &plan(&design, commands(800), Mix::BAD), Pace::random(seed(), 20));
    eventful(&done);
}

/// What goes again has the bytes of the first try, though its slot is another operation's, and nothing is pulled behind a completion: the
/// host writes noise into that memory at once.
#[test]
fn random_commands_that_are_pulled_again() {
    let design = find("refetch");
    let mut model = verilated(&design);
    traffic(&mut model, &design, &plan(&design, commands(200), Mix::CLEAN), Pace::full(seed()));
    let done = traffic(&mut model, &design, &plan(&design, commands(500), Mix::BAD), Pace::random(seed(), 20));
    eventful(&done);
}

/// The start of an operation waits for its pull each time before it goes again, and has all its tries nevertheless: the timers of the
/// packets behind it use up none.
#[test]
fn operations_that_nobody_answers_are_pulled_again() {
    let design = find("refetch");
    let plan = plan(&design, commands(40), Mix { dead: 40, ..Mix::CLEAN });
    let hold = |model: &mut dyn Model| {
        // Which timer runs out first is chance.
        (seed()..).take(3).try_for_each(|seed| {
            let mut endpoint = endpoint(model, &design, Pace::random(seed, 20));
            let mut traffic = Traffic::new(&mut endpoint, &plan);
            traffic.set_up(&mut endpoint)?;
            traffic.run(&mut endpoint, None)?;
            println!("{:?}", traffic.done);
            if traffic.done.aborts > 5 { Ok(()) } else { Err(format!("{:?}", traffic.done)) }
        })
    };
    let edits = [("send_path.v", "timeout_in_try = 5'd1", "timeout_in_try = gate_out_try")];
    let missed = missed(&catalogue::sources(&design.elaborate().unwrap()), &edits, |model| hold(model));
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}

#[test]
fn random_commands_in_lockstep() {
    for profile in ["small", "refetch"] {
        let design = find(profile);
        let mut model = Lockstep::new(("native", design.native().unwrap()), ("verilated", verilated(&design))).unwrap();
        let mut plan = plan(&design, 60, Mix { dead: 0, ..Mix::BAD });
        plan.largest = 3000;
        traffic(&mut model, &design, &plan, Pace::random(seed(), 20));
    }
}

/// Nothing of what went on before is left, whether `aresetn` or software ended it.
#[test]
fn resets_in_the_middle() {
    let design = find("small");
    let mut model = verilated(&design);
    let plan = plan(&design, 1000, Mix::BAD);
    let mut endpoint = endpoint(&mut model, &design, Pace::random(seed(), 20));
    let mut traffic = Traffic::new(&mut endpoint, &plan);
    traffic.set_up(&mut endpoint).unwrap();
    for round in 0..31 {
        let clocks = 150 + 311 * round;
        traffic.run(&mut endpoint, Some(clocks)).unwrap_or_else(|e| panic!("round {round}: {e}"));
        let soft = round % 3 != 0;
        if soft {
            endpoint.soft_reset().unwrap_or_else(|e| panic!("round {round}: {e}"));
        } else {
            endpoint.reset();
        }
        traffic.forget(&endpoint);
        traffic.set_up(&mut endpoint).unwrap();
    }
    endpoint.write("control", 1 << 9 | 1).unwrap();
    traffic.change(&mut endpoint, 60, Mix::BAD);
    traffic.run(&mut endpoint, None).unwrap_or_else(|e| panic!("after the resets: {e}"));
    println!("{:?}", traffic.done);
}

/// A soft reset while the bus has the data of a completion and not yet their address: the next entry is its own.
#[test]
fn a_soft_reset_leaves_no_data_behind() {
    let design = find("small");
    soft_resets(&mut verilated(&design), &design).unwrap();
    let edits = [
        ("send_endpoint.v", "flows = begun || !queue_m_axi_awvalid", "flows = 1'b1"),
        ("send_endpoint.v", "(seen || !drain_draining)", "!drain_draining"),
        ("send_endpoint.v", "!send_bus_idle || seen", "!send_bus_idle"),
    ];
    let missed = missed(&catalogue::sources(&design.elaborate().unwrap()), &edits, |model| soft_resets(model, &design));
    assert!(missed.is_empty(), "not noticed: {missed:#?}");
}

/// Soft resets so many clocks behind a command, and what the next command's completion is.
fn soft_resets(model: &mut dyn Model, design: &Design) -> Result<(), String> {
    let plan = plan(design, 0, Mix::CLEAN);
    let mut endpoint = endpoint(model, design, Pace::full(seed()));
    let traffic = Traffic::new(&mut endpoint, &plan);
    directed::furnish(&mut endpoint);
    let slow = |endpoint: &mut Endpoint, backpressure: u32| {
        let stalls = Stalls { idle: 0, backpressure };
        endpoint.memory.set_options(MemoryOptions { seed: seed(), stalls, ..Default::default() });
    };
    // A frame that the MAC does not take keeps the buses from their rest: completions come while that is waited for.
    for (clocks, busy) in (20..80).map(|clocks| (clocks, false)).chain((0..40).map(|clocks| (clocks, true))) {
        let at = |e: String| format!("a soft reset after {clocks} clocks, {busy}: {e}");
        traffic.set_up(&mut endpoint).map_err(at)?;
        if busy {
            endpoint.wire(false, Stalls::NONE);
            endpoint.command(&directed::command(6, 0, 64));
            (0..1000).for_each(|_| endpoint.clock());
        }
        slow(&mut endpoint, 90);
        // It is refused, and needs nothing but its completion.
        endpoint.command(&Command { target: 1, ..directed::command(7, 0, 64) });
        (0..clocks).for_each(|_| endpoint.clock());
        endpoint.write("control", 1 << 8).map_err(at)?;
        (0..60).for_each(|_| endpoint.clock());
        endpoint.wire(true, Stalls::NONE);
        endpoint.soft_reset().map_err(at)?;
        slow(&mut endpoint, 0);
        traffic.set_up(&mut endpoint).map_err(at)?;
        endpoint.command(&Command { target: 1, ..directed::command(8, 0, 64) });
        let found = directed::completions(&mut endpoint, 1).map_err(at)?;
        if found[0].0 != 8 {
            return Err(at(format!("the completion of command 8 is {:?}", found[0])));
        }
        endpoint.sound().map_err(at)?;
        endpoint.soft_reset().map_err(at)?;
    }
    Ok(())
}

/// Every field of a command, by registers.
#[test]
fn commands_by_registers() {
    let design = find("small");
    let mut model = verilated(&design);
    let plan = plan(&design, 0, Mix { refused: 10, ..Mix::CLEAN });
    let mut endpoint = endpoint(&mut model, &design, Pace::random(seed(), 10));
    let mut traffic = Traffic::new(&mut endpoint, &plan);
    traffic.set_up(&mut endpoint).unwrap();
    for _ in 0..30 {
        traffic.post_by_registers(&mut endpoint).unwrap();
        traffic.run(&mut endpoint, None).unwrap_or_else(|e| panic!("{e}"));
    }
    assert_eq!(traffic.done.commands, 30);
}

#[test]
fn one_thing_at_a_time() {
    for profile in ["small", "aligned"] {
        let design = find(profile);
        let mut model = verilated(&design);
        let mut plan = plan(&design, 0, Mix::CLEAN);
        plan.timers.timeout = 100;
        let mut endpoint = endpoint(&mut model, &design, Pace::random(seed(), 10));
        directed::furnish(&mut endpoint);
        let mut traffic = Traffic::new(&mut endpoint, &plan);
        traffic.set_up(&mut endpoint).unwrap();
        directed::posts(&mut endpoint).unwrap();
        directed::refusals(&mut endpoint, &plan).unwrap();
        directed::configurations(&mut endpoint, &plan).unwrap();
        directed::retries(&mut endpoint, &plan).unwrap();
        directed::unknown_nodes(&mut endpoint, &plan).unwrap();
        for lost in [Lost::Deaf, Lost::Refuses, Lost::HangsInReset] {
            directed::lost_cdma(&mut endpoint, lost).unwrap_or_else(|e| panic!("{profile}, {lost:?}: {e}"));
            traffic.forget(&endpoint);
            traffic.set_up(&mut endpoint).unwrap();
            endpoint.write("control", 1 << 9 | 1).unwrap();
            traffic.change(&mut endpoint, 20, Mix { refused: 20, ..Mix::CLEAN });
            traffic.run(&mut endpoint, None).unwrap_or_else(|e| panic!("{profile}, after {lost:?}: {e}"));
        }
    }
}

/// An endpoint at full speed, set up for segments of `segment` bytes.
fn fast<'a>(model: &'a mut dyn Model, design: &Design, segment: u32) -> Endpoint<'a> {
    let plan = plan(design, 0, Mix::CLEAN);
    let mut endpoint = endpoint(model, design, Pace::full(seed()));
    endpoint.ring(0x7_8000_0000, 12);
    rates::furnish(&mut endpoint, 1 << 20);
    let timers = Timers { timeout: 100_000, backoff_cap: 100_000, ..plan.timers };
    set_up(&mut endpoint, &Addresses::random(&mut rand_chacha::ChaCha8Rng::seed_from_u64(seed()), 2), Cut { segment, ..plan.cut }, timers)
        .unwrap();
    endpoint
}

/// What the documentation of the top says.
#[test]
fn latencies() {
    for profile in ["small", "worked"] {
        let design = find(profile);
        let mut model = verilated(&design);
        let mut endpoint = fast(&mut model, &design, plan(&design, 0, Mix::CLEAN).cut.segment);
        let latency = rates::latency(&mut endpoint).unwrap_or_else(|e| panic!("{profile}: {e}"));
        println!("{profile}: {latency:?}");
        assert_eq!(latency, Latency { to_tail: 25, to_frame: 16 }, "{profile}");
    }
}

/// A wire of 512 bits is full as long as the CDMA brings more than it can carry.
#[test]
fn saturated() {
    let design = find("worked");
    let mut model = verilated(&design);
    for segment in [1024, 2048, 4096, 16384] {
        let mut endpoint = fast(&mut model, &design, segment);
        let rate = rates::saturate(&mut endpoint, 40, 1 << 16, segment, parameter(&design, "slots").into()).unwrap();
        println!(
            "segments of {segment}: {:.1} % of the clocks, {:.3} beats of payload per clock, the CDMA alone {:.3}: {rate:?}",
            100.0 * rate.share(),
            rate.goodput(),
            rate.alone
        );
        if segment >= 4096 {
            assert!(rate.share() >= 0.95 || rate.goodput() >= 0.95 * rate.alone, "{segment}: {rate:?}");
        }
    }
}

/// Nobody waits for a packet engine that a reset has stopped.
#[test]
fn a_reset_behind_a_slow_wire() {
    for (profile, arrivals) in [("worked", 14), ("aligned", 0)] {
        let design = find(profile);
        let mut model = verilated(&design);
        let mut endpoint = fast(&mut model, &design, plan(&design, 0, Mix::CLEAN).cut.segment);
        rates::reset_behind_the_wire(&mut endpoint, parameter(&design, "slots") as u16, arrivals)
            .unwrap_or_else(|e| panic!("{profile}: {e}"));
    }
}
