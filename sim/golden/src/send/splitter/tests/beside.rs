//! A random mix: a second model stands for the hardware, and what it decides comes out some clocks later.

use super::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

struct Mix {
    dice: ChaCha8Rng,
    hardware: Splitter,
    model: Splitter,
    /// clocks on the way from a decision to its port
    delay: u64,
    /// decided and not yet offered
    pipeline: VecDeque<(u64, Segment)>,
    /// operations under way
    ops: Vec<Segment>,
    told: Vec<Completion>,
}

impl Mix {
    fn chance(&mut self, percent: u32) -> bool {
        self.dice.random_range(0..100) < percent
    }

    fn command(&mut self, id: u16) -> bool {
        let blocks = (0..self.dice.random_range(1..=4)).map(|_| block(self.dice.random(), self.dice.random_range(0..5000)));
        let blocks: Vec<Block> = blocks.map(|block| Block { source: block.source >> 8, ..block }).collect();
        let mut command = Command { id, arrival: self.chance(30), imm: self.chance(30).then_some(7), blocks, ..command(id, 0) };
        command.target = u64::from(id) << 20 | u64::from(self.chance(5));
        let refused = self.hardware.command(&command).unwrap();
        assert_eq!(self.model.command(&command).unwrap(), refused);
        refused.is_some()
    }

    fn clock(&mut self, clock: u64) {
        self.hardware.advance(1, false);
        self.model.advance(1, false);
        if let Some(segment) = self.hardware.next_segment().filter(|_| self.chance(90)) {
            self.hardware.segment(&segment).unwrap();
            self.pipeline.push_back((clock + self.delay, segment));
        }
        if self.pipeline.front().is_some_and(|(at, _)| *at <= clock)
            && let Some((_, segment)) = self.pipeline.pop_front()
        {
            self.model.segment(&segment).unwrap();
            assert!(self.model.clone().segment(&segment).is_err(), "{segment:?} came twice");
            self.ops.push(segment);
        }
        if !self.ops.is_empty() && self.chance(60) {
            let at = self.dice.random_range(0..self.ops.len());
            let op = self.ops.swap_remove(at);
            let status = if self.chance(4) { self.dice.random_range(1..35) } else { 0 };
            self.hardware.ended(op.command, op.kind, status).unwrap();
            self.model.ended(op.command, op.kind, status).unwrap();
        }
        if let Some(completion) = self.hardware.next_completion().filter(|_| self.chance(50)) {
            self.hardware.completion(completion).unwrap();
            self.model.completion(completion).unwrap();
            assert!(self.model.clone().completion(completion).is_err(), "{completion:?} came twice");
            self.told.push(completion);
        }
        self.model.overdue().unwrap();
    }
}

#[test]
fn a_random_mix_completes_every_command_once() {
    let mut totals = Counters::default();
    for delay in 0..=IN_FLIGHT {
        let params = Params { commands: 16, ..Params::WORKED };
        let new = || Splitter::new(params, CONFIG);
        let dice = ChaCha8Rng::seed_from_u64(delay);
        let mut mix = Mix { dice, hardware: new(), model: new(), delay, pipeline: VecDeque::new(), ops: vec![], told: vec![] };
        let (mut posted, mut refused, mut clock) = (0, 0, 0);
        while posted < 300 || mix.hardware.open() > 0 || mix.hardware.next_completion().is_some() {
            clock += 1;
            if posted < 300 && mix.hardware.open() < params.commands && mix.chance(30) {
                refused += u64::from(mix.command(posted));
                posted += 1;
            }
            mix.clock(clock);
        }
        mix.model.finish().unwrap();
        let mut ids: Vec<u16> = mix.told.iter().map(|told| told.id).collect();
        ids.sort_unstable();
        assert_eq!(ids, (0..300).collect::<Vec<u16>>());
        let counters = mix.model.counters();
        assert_eq!(counters.commands + refused, 300);
        assert_eq!((counters.completed + counters.failed, counters.refused.iter().sum::<u64>()), (counters.commands, refused));
        totals.failed += counters.failed;
        totals.completed += counters.completed;
        totals.arrivals_failed += counters.arrivals_failed;
    }
    assert!(totals.failed > 100 && totals.completed > 1000 && totals.arrivals_failed > 10, "{totals:?}");
}
