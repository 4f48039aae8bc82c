use super::fake::{Fake, Fault};
use super::*;

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
