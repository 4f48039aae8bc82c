//! Remote completions that are told once more, before a sender that has not heard of one has to ask.
//!
//! Spec: receive registry, "Done table". Decided here: each is told again `wait` ticks after it was told, but one with status overlap,
//! which counts as a try; as many as there are places can wait.

use super::{Notify, Status};
use std::collections::VecDeque;

/// Completions that can wait to be told again.
pub const PLACES: usize = 256;

/// Ticks after a reset.
pub const RESET: u8 = 10;

/// The model.
#[derive(Clone, Debug, Default)]
pub struct CompletionRepeat {
    /// ticks, 0: none is told again
    wait: u8,
    waiting: VecDeque<(u64, Notify)>,
}

impl CompletionRepeat {
    /// One that waits for so many ticks.
    pub fn new(wait: u8) -> CompletionRepeat {
        CompletionRepeat { wait, waiting: VecDeque::new() }
    }

    /// A notification is told in this tick.
    pub fn tell(&mut self, tick: u64, notify: &Notify) {
        let counts = notify.kind == 0xc1 && notify.status != Status::Overlap as u8;
        if counts && self.wait > 0 && self.waiting.len() < PLACES {
            self.waiting.push_back((tick + u64::from(self.wait), *notify));
        }
    }

    /// Completions that wait to be told again.
    pub fn held(&self) -> usize {
        self.waiting.len()
    }

    /// The tick from which one may be told again.
    pub fn next(&self) -> Option<u64> {
        self.waiting.front().map(|&(due, _)| due)
    }

    /// The one that is told again in this tick, if it is due.
    pub fn again(&mut self, tick: u64) -> Option<Notify> {
        self.next().filter(|&due| due <= tick)?;
        self.waiting.pop_front().map(|(_, notify)| notify)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completion(op: u32, status: u8) -> Notify {
        Notify { kind: 0xc1, src: 3, op, index: 0, status, mask: 0, packets: 9 }
    }

    #[test]
    fn a_completion_is_told_once_more_and_nothing_else() {
        let mut repeat = CompletionRepeat::new(5);
        repeat.tell(10, &completion(1, 0));
        repeat.tell(11, &completion(2, Status::Overlap as u8));
        repeat.tell(11, &Notify { kind: 0xc3, ..completion(3, 0) });
        repeat.tell(12, &completion(4, 1));
        assert_eq!((repeat.next(), repeat.again(14)), (Some(15), None));
        assert_eq!(repeat.again(15), Some(completion(1, 0)));
        assert_eq!((repeat.again(16), repeat.again(20), repeat.next()), (None, Some(completion(4, 1)), None));
    }

    #[test]
    fn none_is_told_again_without_a_wait_and_no_more_than_there_are_places() {
        let mut never = CompletionRepeat::new(0);
        never.tell(1, &completion(1, 0));
        assert_eq!(never.again(1000), None);
        let mut full = CompletionRepeat::new(1);
        (0..300).for_each(|op| full.tell(0, &completion(op, 0)));
        assert_eq!((0..).map_while(|_| full.again(1)).count(), PLACES);
    }
}
