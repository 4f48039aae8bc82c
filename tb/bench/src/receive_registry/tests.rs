use super::fake::{Fake, Fault};
use super::*;
use rdma_rtl_golden::registry::Event;

fn random(params: &Params, fault: Fault, packets: u64, seed: u64) -> Result<Report, Failure> {
    let options = Options { replay: format!("seed {seed}"), ..random_options(params, seed) };
    let mut offers = Random::new(params, &options, packets, seed);
    Bench::run(&mut Fake::new(params, fault), params, options, &mut offers)
}

#[test]
fn a_right_model_passes_the_random_mixture() {
    for (params, seeds) in [(Params::SMALL, 0..6), (Params { regions: 4, ..Params::DEFAULT }, 6..12), (Params::LARGE, 12..14)] {
        for seed in seeds {
            let report = random(&params, Fault::None, 2000, seed).unwrap_or_else(|failure| panic!("{failure}"));
            assert_eq!(report.headers, 2000);
        }
    }
}

#[test]
fn a_right_model_passes_every_scenario() {
    for params in [Params::SMALL, Params::DEFAULT] {
        for scenario in scenario::all(&params) {
            let params = scenario.params(&params);
            let report = Bench::run(&mut Fake::new(&params, Fault::None), &params, scenario.options(&params), &mut scenario.offers())
                .unwrap_or_else(|failure| panic!("{}: {failure}", scenario.name));
            scenario.check(|event| report.event(event)).unwrap();
            assert_eq!(report.latency.map(|(_, most)| most), Some(4), "{}", scenario.name);
        }
    }
}

#[test]
fn every_fault_is_found() {
    for fault in Fault::ALL {
        let found = (0..8).find_map(|seed| random(&Params::SMALL, fault, 1500, seed).err());
        let failure = found.unwrap_or_else(|| panic!("{fault:?} was not found"));
        assert!(!failure.text.is_empty() && failure.to_string().contains("run it again: seed"), "{failure}");
        println!("{fault:?}: {}", failure.text);
    }
}

#[test]
fn a_model_of_something_else_is_refused() {
    struct Other;
    impl Model for Other {
        fn ports(&self) -> &[rdma_rtl_sim::Port] {
            &[]
        }
        fn poke(&mut self, _: usize, _: &[u32]) {}
        fn peek(&self, _: usize, _: &mut [u32]) {}
        fn eval(&mut self) {}
        fn clock(&mut self) {}
        fn cycle(&self) -> u64 {
            0
        }
    }
    let failure = Bench::run(&mut Other, &Params::SMALL, Options::new(&Params::SMALL), &mut std::iter::empty()).unwrap_err();
    assert!(failure.text.contains("no port `evt_accepted`"), "{failure}");
}

#[test]
fn one_header_per_clock_is_measured() {
    for params in [Params::SMALL, Params::DEFAULT, Params::LARGE] {
        for pattern in throughput::Pattern::ALL {
            let run = |fault, packets| {
                let mut offers = pattern.offers(&params, packets);
                Bench::run(&mut Fake::new(&params, fault), &params, pattern.options(&params), &mut offers)
            };
            let report = run(Fault::None, 2000).unwrap_or_else(|failure| panic!("{pattern:?}: {failure}"));
            pattern.check(2000, &report).unwrap();
            assert!(report.event(Event::Completed) > 2, "{pattern:?}");
            if params.entries <= 16 {
                assert!(run(Fault::Slow, 500).unwrap_err().text.contains("4 are allowed"));
            }
            assert!(run(Fault::Stalls, 500).unwrap_err().text.contains("stalled twice"));
        }
    }
}
