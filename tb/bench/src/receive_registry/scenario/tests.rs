use super::*;
use rdma_rtl_golden::registry::{Due, Registry, Seen};

/// The golden model alone must see what each scenario is for; with hardware the bench asks the same.
#[test]
fn every_scenario_shows_its_situation() {
    for params in [Params::SMALL, Params::DEFAULT, Params::LARGE] {
        for scenario in all(&params) {
            let params = scenario.params(&params);
            let mut model = Registry::new(params, scenario.config(&params));
            scenario.regions.iter().enumerate().for_each(|(at, region)| model.set_region(at, *region));
            let mut counts = std::collections::HashMap::new();
            let mut frames = scenario.frames.iter().enumerate();
            let mut next = frames.next();
            loop {
                let due = model.due().filter(|(_, due)| !matches!(due, Due::Sweep { .. }));
                let commit = match (due, next) {
                    (Some((at, due)), next) if next.is_none_or(|(_, (clock, _))| at <= *clock) => {
                        model.advance(at.saturating_sub(model.now().clock), false);
                        model.perform(due).unwrap()
                    }
                    (_, Some((frame, (clock, header)))) => {
                        model.advance(clock - model.now().clock, false);
                        next = frames.next();
                        model.header(frame as u64, 0, header, Seen::default()).unwrap()
                    }
                    _ => break,
                };
                for event in commit.events {
                    *counts.entry(event).or_insert(0) += 1;
                }
                while let Some(write) = model.write_due() {
                    model.write(0, write).unwrap();
                    model.write_done(0, !scenario.failing.contains(&commit.frame)).unwrap();
                }
            }
            scenario.check(|event| counts.get(&event).copied().unwrap_or(0)).unwrap();
        }
    }
}
