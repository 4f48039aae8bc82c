//! Payload slots: which frames get one, what is in it, and that nobody else has it.

use std::collections::{BTreeMap, VecDeque};

/// What the packet buffer is told of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// the registry wants it
    pub registry: bool,
    /// 0 body, 1 start, 2 data arrival, 3 abort
    pub kind: u8,
    /// may be empty
    pub payload: Vec<u8>,
}

/// What becomes of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// goes on with its payload in a slot
    Kept,
    /// goes on without a slot
    Bare,
    /// is not for the registry
    Foreign,
    /// found no slot
    NoSlot,
}

impl Frame {
    /// A slot is held for it until somebody gives it back.
    pub fn keeps(&self) -> bool {
        self.registry && self.kind < 2
    }

    /// What becomes of it where slots are plenty.
    pub fn fate(&self) -> Fate {
        match (self.registry, self.kind) {
            (false, _) => Fate::Foreign,
            (true, 0 | 1) => Fate::Kept,
            (true, _) => Fate::Bare,
        }
    }
}

/// The slots of a packet buffer. Whether a slot was free in time is the hardware's to say: it is held to it by the count of frames that
/// could have had one.
#[derive(Clone, Debug)]
pub struct Slots {
    count: usize,
    /// longest payload that is kept
    bytes: usize,
    /// headers in order, with the number of slots that were surely free when each needed one
    waiting: VecDeque<(Frame, usize)>,
    held: BTreeMap<u32, Vec<u8>>,
}

impl Slots {
    /// `count` slots of `bytes`.
    pub fn new(count: usize, bytes: usize) -> Self {
        Slots { count, bytes, waiting: VecDeque::new(), held: BTreeMap::new() }
    }

    /// Slots that packets hold.
    pub fn held(&self) -> usize {
        self.held.len()
    }

    /// A frame whose header is next in order. `sure` is how many slots nobody could have had when it needed one.
    pub fn frame(&mut self, frame: Frame, sure: usize) {
        self.waiting.push_back((frame, sure));
    }

    /// The oldest frame that waits met this fate.
    /// # Errors
    /// It could not.
    pub fn fate(&mut self, fate: Fate) -> Result<Frame, String> {
        let Some((frame, sure)) = self.waiting.pop_front() else { return Err(format!("{fate:?} without a frame")) };
        // One slot is kept ready for the next payload.
        let needed = if frame.payload.is_empty() { 2 } else { 1 };
        let legal = match fate {
            Fate::NoSlot => frame.keeps() && sure < needed,
            other => other == frame.fate(),
        };
        if legal {
            Ok(frame)
        } else {
            Err(format!(
                "{fate:?}, with {sure} slots surely free: {:?} of {} bytes, kind {}",
                frame.fate(),
                frame.payload.len(),
                frame.kind
            ))
        }
    }

    /// A packet holds this slot now.
    /// # Errors
    /// There is no such slot, or another one holds it.
    pub fn hold(&mut self, slot: u32, frame: &Frame) -> Result<(), String> {
        if slot as usize >= self.count {
            return Err(format!("slot {slot} of {}", self.count));
        }
        let kept = frame.payload[..frame.payload.len().min(self.bytes)].to_vec();
        match self.held.insert(slot, kept) {
            None => Ok(()),
            Some(_) => Err(format!("slot {slot} is given to two packets")),
        }
    }

    /// What the slot must hold.
    pub fn payload(&self, slot: u32) -> &[u8] {
        self.held.get(&slot).map_or(&[], |bytes| bytes)
    }

    /// The slot is free again.
    pub fn free(&mut self, slot: u32) {
        self.held.remove(&slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_has_one_packet_and_what_fits_of_its_payload() {
        let mut slots = Slots::new(4, 3);
        let frame = Frame { registry: true, kind: 0, payload: vec![1, 2, 3, 4] };
        slots.frame(frame.clone(), 4);
        assert!(slots.clone().fate(Fate::NoSlot).is_err());
        assert!(slots.clone().fate(Fate::Foreign).is_err());
        assert_eq!(slots.fate(Fate::Kept).unwrap(), frame);
        slots.hold(2, &frame).unwrap();
        assert_eq!(slots.payload(2), [1, 2, 3]);
        assert!(slots.hold(2, &frame).unwrap_err().contains("two packets"));
        assert!(slots.hold(4, &frame).is_err());
        slots.free(2);
        assert_eq!((slots.held(), slots.payload(2)), (0, &[][..]));
    }

    #[test]
    fn a_frame_is_lost_only_where_slots_were_short() {
        let with = |payload: &[u8], kind, registry| Frame { registry, kind, payload: payload.to_vec() };
        for (frame, sure, legal) in [
            (with(&[1], 1, true), 0, true),
            (with(&[1], 1, true), 1, false),
            (with(&[], 1, true), 1, true),
            (with(&[], 1, true), 2, false),
            (with(&[1], 2, true), 0, false),
            (with(&[1], 0, false), 0, false),
        ] {
            let mut slots = Slots::new(4, 8);
            slots.frame(frame, sure);
            assert_eq!(slots.fate(Fate::NoSlot).is_ok(), legal);
        }
    }
}
