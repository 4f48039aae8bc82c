//! The world around the block: a memory that answers writes, and the packet buffer's slots.

use super::Memory;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, VecDeque};

/// Writes under way.
#[derive(Debug)]
pub(super) struct Writes {
    memory: Memory,
    /// answers by the clock in which they are due
    due: BTreeMap<u64, VecDeque<Answer>>,
}

/// An answer of the memory, and the slot that the writer then frees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub tag: u16,
    pub slot: u32,
    pub ok: bool,
}

impl Writes {
    pub fn new(memory: Memory) -> Writes {
        Writes { memory, due: BTreeMap::new() }
    }

    pub fn write(&mut self, cycle: u64, tag: u16, slot: u32, frame: Option<u64>, rng: &mut ChaCha8Rng) {
        let failing = frame.is_some_and(|frame| self.memory.failing.contains(&frame));
        let unlucky = self.memory.fail_permille > 0 && rng.random_range(0..1000) < self.memory.fail_permille;
        let ok = !failing && !unlucky;
        let at = cycle + rng.random_range(self.memory.latency.clone()).max(1);
        self.due.entry(at).or_default().push_back(Answer { tag, slot, ok });
    }

    /// The answer that goes to the block in this clock, one at most.
    pub fn answer(&mut self, cycle: u64) -> Option<Answer> {
        let mut first = self.due.first_entry().filter(|first| *first.key() <= cycle)?;
        let answer = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        answer
    }
}

/// Payload slots of the packet buffer.
#[derive(Debug)]
pub(super) struct Slots {
    free: VecDeque<u32>,
    /// the frame in each slot
    frames: Vec<Option<u64>>,
}

impl Slots {
    pub fn new(count: usize) -> Slots {
        Slots { free: (0..count as u32).collect(), frames: vec![None; count] }
    }

    pub fn take(&mut self, frame: u64) -> Option<u32> {
        let slot = self.free.pop_front()?;
        self.frames[slot as usize] = Some(frame);
        Some(slot)
    }

    pub fn frame(&self, slot: u32) -> Option<u64> {
        self.frames.get(slot as usize).copied().flatten()
    }

    /// # Errors
    /// The slot holds nothing.
    pub fn free(&mut self, slot: u32) -> Result<(), String> {
        match self.frames.get_mut(slot as usize).and_then(Option::take) {
            Some(_) => {
                self.free.push_back(slot);
                Ok(())
            }
            None => Err(format!("slot {slot} was freed, but it holds no packet")),
        }
    }

    pub fn used(&self) -> usize {
        self.frames.len() - self.free.len()
    }
}
