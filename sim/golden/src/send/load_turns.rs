//! Loads of several CDMAs: which engine each goes to, and the order in which their answers are told.
//!
//! Spec: send path, "Parameters", `cdmas`: segments go to the engines in turn.
//!
//! Decided: answers are told in the order of the loads, so that the last packet of a command is sent behind all others of it.

use std::collections::VecDeque;

/// A load that is out.
#[derive(Clone, Debug)]
struct Out {
    tag: u32,
    engine: usize,
    status: Option<u8>,
}

/// The model.
#[derive(Clone, Debug)]
pub struct Turns {
    engines: usize,
    next: usize,
    out: VecDeque<Out>,
}

impl Turns {
    pub fn new(engines: usize) -> Turns {
        Turns { engines, next: 0, out: VecDeque::new() }
    }

    /// The engine that the next load goes to.
    pub fn engine(&self) -> usize {
        self.next
    }

    /// Loads that are out.
    pub fn out(&self) -> usize {
        self.out.len()
    }

    /// It goes there.
    pub fn load(&mut self, tag: u32) {
        self.out.push_back(Out { tag, engine: self.next, status: None });
        self.next = (self.next + 1) % self.engines;
    }

    /// An engine answers.
    /// # Errors
    /// It has no such load.
    pub fn answer(&mut self, engine: usize, tag: u32, status: u8) -> Result<(), String> {
        let one = self.out.iter_mut().find(|one| one.engine == engine && one.tag == tag && one.status.is_none());
        one.ok_or_else(|| format!("engine {engine} has no load {tag}"))?.status = Some(status);
        Ok(())
    }

    /// Tag and status of what is told next, if that may be told.
    pub fn due(&self) -> Option<(u32, u8)> {
        self.out.front().and_then(|one| Some((one.tag, one.status?)))
    }

    /// It was told.
    pub fn told(&mut self) {
        self.out.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_go_in_turn_and_answers_come_in_order() {
        let mut turns = Turns::new(2);
        let engines: Vec<usize> = (10..14)
            .map(|tag| {
                let engine = turns.engine();
                turns.load(tag);
                engine
            })
            .collect();
        assert_eq!(engines, [0, 1, 0, 1]);
        turns.answer(1, 11, 0).unwrap();
        turns.answer(0, 12, 35).unwrap();
        assert_eq!(turns.due(), None, "the first load has no answer");
        assert!(turns.answer(0, 11, 0).is_err() && turns.answer(0, 12, 0).is_err());
        turns.answer(0, 10, 0).unwrap();
        turns.answer(1, 13, 0).unwrap();
        let told: Vec<_> = std::iter::from_fn(|| {
            let due = turns.due();
            turns.told();
            due
        })
        .collect();
        assert_eq!(told, [(10, 0), (11, 0), (12, 35), (13, 0)]);
        assert_eq!(turns.out(), 0);
    }
}
