//! The receive registry at every back end: situations one by one, vectors, random mixture, streams of one header per clock.

use rdma_rtl_sim::verilated::{Initial, Library, Optimize, Options as Build};
use rdma_rtl_sim::{Lockstep, Model};
use rdma_rtl_tb::catalogue::{self, Design};
use rdma_rtl_tb::receive_registry::throughput::Pattern;
use rdma_rtl_tb::receive_registry::{Bench, Options, Params, Random, Report, random_options, scenario};
use rdma_rtl_tb::vectors;

fn design(profile: &str) -> Design {
    catalogue::find("receive_registry", profile).unwrap()
}

fn library(profile: &str) -> Library {
    let elaborated = design(profile).elaborate().unwrap();
    Library::build(&catalogue::sources(&elaborated), &Build { optimize: Optimize::Quick, ..Build::default() }).unwrap()
}

fn random(model: &mut dyn Model, params: &Params, packets: u64, seed: u64) -> Report {
    let replay = format!("rdma-rtl cosim --block receive_registry --packets {packets} --seed {seed}");
    let options = Options { replay, ..random_options(params, seed) };
    let mut offers = Random::new(params, &options, packets, seed);
    Bench::run(model, params, options, &mut offers).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"))
}

#[test]
fn every_situation_verilated() {
    for (profile, params) in [("small", Params::SMALL), ("default", Params::DEFAULT)] {
        let library = library(profile);
        for scenario in scenario::all(&params) {
            // those that need memory regions run at a profile that has them
            if scenario.params(&params) != params {
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

#[test]
fn random_mixture_verilated() {
    for (profile, params, seeds) in [("small", Params::SMALL, 0..4), ("default", Params::DEFAULT, 4..8)] {
        let library = library(profile);
        for seed in seeds {
            // what is not reset starts random: nothing may depend on it
            let mut model = library.instance_with(Initial::Random(seed as u32 + 1)).unwrap();
            assert_eq!(random(&mut model, &params, 10_000, seed).headers, 10_000);
        }
    }
}

#[test]
fn random_mixture_in_lockstep() {
    let native = design("small").native().unwrap();
    let mut both = Lockstep::new(("native", native), ("verilated", library("small").instance().unwrap())).unwrap();
    random(&mut both, &Params::SMALL, 1_000, 11);
    assert!(both.difference().is_none());
}

#[test]
fn one_header_per_clock() {
    let params = Params::DEFAULT;
    let library = library("default");
    for pattern in Pattern::ALL {
        let packets = 10_000;
        let mut offers = pattern.offers(&params, packets);
        let report = Bench::run(&mut library.instance().unwrap(), &params, pattern.options(&params), &mut offers)
            .unwrap_or_else(|failure| panic!("{pattern:?}: {failure}"));
        pattern.check(packets, &report).unwrap();
    }
}
