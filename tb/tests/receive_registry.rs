//! The receive registry at every back end: situations one by one, vectors, random mixture, streams of one header per clock.

use rdma_rtl_sim::verilated::{Initial, Library, Optimize, Options as Build};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::never_full::guarded;
use rdma_rtl_tb::receive_registry::layouts::Layout;
use rdma_rtl_tb::receive_registry::throughput::{Backlog, Pattern};
use rdma_rtl_tb::receive_registry::{Bench, Options, Params, Random, Report, random_options, scenario};
use rdma_rtl_tb::vectors;

fn design(profile: &str) -> Design {
    catalogue::find("receive_registry", profile).unwrap()
}

fn library(profile: &str) -> Library {
    let elaborated = design(profile).elaborate().unwrap();
    Library::build(&guarded(catalogue::sources(&elaborated)), &Build { optimize: Optimize::Quick, ..Build::default() }).unwrap()
}

fn params(profile: &str) -> Params {
    design(profile).registry_params().unwrap()
}

fn random(model: &mut dyn Model, profile: &str, packets: u64, seed: u64) -> Report {
    let params = params(profile);
    let replay = format!("rdma-rtl cosim --block receive_registry --profile {profile} --packets {packets} --seed {seed}");
    let options = Options { replay, ..random_options(&params, seed) };
    let mut offers = Random::new(&params, &options, packets, seed);
    Bench::run(model, &params, options, &mut offers).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"))
}

#[test]
fn every_situation_verilated() {
    for profile in ["small", "e4_m256", "default"] {
        let (library, params) = (library(profile), params(profile));
        for scenario in scenario::all(&params) {
            // those that need memory regions run at the profile that has them, where the others would be refused
            if scenario.regions.is_empty() != (params.regions == 0) {
                continue;
            }
            let report = Bench::run(&mut library.instance().unwrap(), &params, scenario.options(&params), &mut scenario.offers())
                .unwrap_or_else(|failure| panic!("{profile}, {}: {failure}", scenario.name));
            scenario.check(|event| report.event(event)).unwrap();
            assert_eq!(report.latency.map(|(_, most)| most), Some(4), "{profile}, {}", scenario.name);
        }
    }
}

#[test]
fn every_vector_verilated() {
    let library = library("default");
    for vector in vectors::all().unwrap() {
        if vector.params != Params::DEFAULT {
            continue;
        }
        let mut offers = vector.offers().unwrap().into_iter();
        Bench::run(&mut library.instance().unwrap(), &vector.params, vector.options(), &mut offers)
            .unwrap_or_else(|failure| panic!("{}: {failure}", vector.name));
    }
}

/// With the registry full, a start, its copy and a body of it come to wait in every order, for one operation and for two: they are replayed
/// in it.
#[test]
fn copied_starts_in_every_order_verilated() {
    let (library, params) = (library("small"), params("small"));
    let layouts = Layout::all(1, 0..=12).into_iter().chain(Layout::all(2, 3..=4));
    let wrong: Vec<String> = layouts
        .filter_map(|layout| {
            let report = Bench::run(&mut library.instance().unwrap(), &params, layout.options(&params), &mut layout.offers(&params));
            let report = report.map_err(|failure| format!("{layout:?}: clock {}: {}", failure.cycle, failure.text));
            report.and_then(|report| layout.check(&params, &report)).err()
        })
        .collect();
    assert!(wrong.is_empty(), "{} orders are not kept, the first: {}", wrong.len(), wrong[0]);
}

/// Packets of the random mixture under Verilator, in two runs.
fn random_verilated(profile: &str, packets: u64) {
    let library = library(profile);
    for seed in [1, 2] {
        // what is not reset starts random: nothing may depend on it
        let mut model = library.instance_with(Initial::Random(seed)).unwrap();
        assert_eq!(random(&mut model, profile, packets / 2, seed.into()).headers, packets / 2);
    }
}

#[test]
fn random_mixture_verilated() {
    for (profile, packets) in [("small", 40_000), ("e4_m256", 20_000), ("default", 40_000)] {
        random_verilated(profile, packets);
    }
}

#[test]
fn random_mixture_verilated_large() {
    random_verilated("large", 10_000);
}

/// Packets of the random mixture through the Rust and its Verilog, every output compared in every clock.
fn random_in_lockstep(profile: &str, packets: u64) {
    let native = design(profile).native().unwrap();
    let mut both = Lockstep::new(("native", native), ("verilated", library(profile).instance().unwrap())).unwrap();
    assert_eq!(random(&mut both, profile, packets, 11).headers, packets);
    assert!(both.difference().is_none());
}

#[test]
fn random_mixture_in_lockstep_small() {
    random_in_lockstep("small", 10_000);
}

#[test]
fn random_mixture_in_lockstep_with_regions() {
    random_in_lockstep("e4_m256", 10_000);
}

#[test]
fn random_mixture_in_lockstep_default() {
    random_in_lockstep("default", 10_000);
}

/// Other numbers of entries and mask widths, which take long to compile.
#[cfg(feature = "sweep")]
#[test]
fn random_mixture_of_the_sweep() {
    for profile in ["e16_m256", "e64_m32"] {
        random_verilated(profile, 10_000);
        random_in_lockstep(profile, 1_000);
    }
}

fn one_header_per_clock_at(profile: &str) {
    let (library, params) = (library(profile), params(profile));
    for pattern in Pattern::ALL {
        let packets = 10_000;
        let mut offers = pattern.offers(&params, packets);
        let report = Bench::run(&mut library.instance().unwrap(), &params, pattern.options(&params), &mut offers)
            .unwrap_or_else(|failure| panic!("{profile}, {pattern:?}: {failure}"));
        pattern.check(packets, &report).unwrap();
        println!("{profile}, {pattern:?}: {} clocks, {} stalls, latency {:?}", report.header_span, report.stalls, report.latency);
        // neither mixes: nothing waits, and only ends of operations and sweeps come between
        assert_eq!(report.latency, Some((4, 4)), "{profile}, {pattern:?}");
    }
}

/// What waits in a full escape channel is tried at the pace at which headers may be stalled for it.
fn backlog_at(profile: &str) {
    let (library, params) = (library(profile), params(profile));
    for backlog in Backlog::ALL {
        let report = Bench::run(&mut library.instance().unwrap(), &params, backlog.options(&params), &mut backlog.offers(&params))
            .unwrap_or_else(|failure| panic!("{profile}, {backlog:?}: {failure}"));
        let clocks = backlog.check(&params, &report).unwrap_or_else(|error| panic!("{profile}: {error}"));
        println!("{profile}, {backlog:?}: {} packets in {clocks} clocks, {} stalls", params.escape_slots, report.stalls);
    }
}

#[test]
fn one_header_per_clock() {
    for profile in ["small", "e4_m256", "default"] {
        one_header_per_clock_at(profile);
        backlog_at(profile);
    }
}

#[test]
fn one_header_per_clock_large() {
    one_header_per_clock_at("large");
    backlog_at("large");
}
