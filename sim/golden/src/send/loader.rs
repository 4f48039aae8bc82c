//! Operations around their payload: op number and slot, fetch, packets, end; then both are free.
//!
//! Spec: send path, "Where payload lives", "DMA operation table". Decided: what ended well is told at once, a failure when nobody names the
//! operation any more, so that nothing of it leaves after its host knows. With `refetch` a pull of an operation may be under way when it
//! ends: then what ended well is told as late as a failure. The bench tells every event in the order in which it happened; the model
//! agrees, or says in one sentence what is wrong. What happens in the clock of its cause is asked of the bench, not of the model: there is
//! no time here.

use super::OpKind;
use super::splitter::{Block, Segment};
use crate::registry::{Mismatch, mismatch};
use std::collections::{BTreeMap, VecDeque};

/// Static parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// operations that may be in flight, a power of two
    pub ops: usize,
    pub slots: usize,
    /// bytes of a slot
    pub slot_bytes: u64,
    /// a slot is free when the wire has taken its packets once, the last one is for packets that are pulled again, and every end is told
    /// when the number is released
    pub refetch: bool,
}

/// What the CDMA is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    pub slot: usize,
    pub pieces: Vec<Block>,
    pub destination: u64,
}

/// Where an operation is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    /// the CDMA has its load
    Loading,
    /// the packet engine has it
    Sent,
    /// its payload was not fetched, and the op table knows
    Failed,
    /// its end was told
    Ended,
    /// the packet engine has its close
    Closing,
}

/// What the loader has to do with what was fetched, or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// the packet engine gets the operation
    Sends { op: u32, slot: usize, segment: Segment },
    /// the op table is told
    Fails { op: u32, status: u8 },
}

/// What the splitter is told of an operation that has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    pub command: u16,
    pub kind: OpKind,
    /// 0: it ended well
    pub status: u8,
}

#[derive(Clone, Debug)]
struct Entry {
    op: u32,
    segment: Segment,
    slot: Option<usize>,
    life: Life,
    /// nothing of it was sent
    failed: bool,
    /// with `refetch`: the wire has taken all its packets once
    first_done: bool,
    /// how it ended
    status: u8,
}

/// The model.
#[derive(Clone, Debug)]
pub struct Loader {
    params: Params,
    base: u64,
    /// by index
    entries: BTreeMap<usize, Entry>,
    /// by slot: the index of the operation that has it
    slots: Vec<Option<usize>>,
    /// ended and neither closed nor forgotten, oldest first
    over: VecDeque<usize>,
    /// released, and the splitter is to be told
    failures: VecDeque<Told>,
    /// failures of which the splitter has not been told
    owed: usize,
}

impl Loader {
    /// After reset every slot is free. `base`: address of slot 0 as the CDMA sees it.
    pub fn new(params: Params, base: u64) -> Loader {
        Loader {
            params,
            base,
            entries: BTreeMap::new(),
            slots: vec![None; params.slots - usize::from(params.refetch)],
            over: VecDeque::new(),
            failures: VecDeque::new(),
            owed: 0,
        }
    }

    fn index(&self, op: u32) -> usize {
        op as usize % self.params.ops
    }

    /// The splitter is told of an end with this status when the number is released.
    pub fn is_late(&self, status: u8) -> bool {
        status != 0 || self.params.refetch
    }

    /// The operation `op`, if it is at `life`.
    fn at(&mut self, op: u32, life: Life, event: &str) -> Result<&mut Entry, Mismatch> {
        let index = self.index(op);
        match self.entries.get_mut(&index) {
            Some(entry) if entry.op == op && entry.life == life => Ok(entry),
            Some(entry) => mismatch!("{event} of op {op:#06x}, but index {index} has op {:#06x}, which is {:?}", entry.op, entry.life),
            None => mismatch!("{event} of op {op:#06x}, which is free"),
        }
    }

    fn enter(&mut self, op: u32, segment: &Segment, slot: Option<usize>, life: Life) -> Result<(), Mismatch> {
        let index = self.index(op);
        if let Some(old) = self.entries.get(&index) {
            return mismatch!("op {op:#06x} begins, but index {index} has op {:#06x}, which is {:?}", old.op, old.life);
        }
        self.entries.insert(index, Entry { op, segment: segment.clone(), slot, life, failed: false, first_done: false, status: 0 });
        Ok(())
    }

    /// Slots that no operation has.
    pub fn free_slots(&self) -> usize {
        self.slots.iter().filter(|slot| slot.is_none()).count()
    }

    /// Operations that are not over and released.
    pub fn live(&self) -> usize {
        self.entries.len()
    }

    /// A number is asked for on behalf of `segment`: what carries payload has a slot by then.
    /// # Errors
    /// There is none.
    pub fn number(&self, segment: &Segment) -> Result<(), Mismatch> {
        if segment.kind == OpKind::Data && self.free_slots() == 0 {
            return mismatch!("a number is asked for, but no slot is free");
        }
        Ok(())
    }

    /// `segment` has become operation `op`, and the CDMA is told this.
    /// # Errors
    /// The slot is not free, the load is another one, or the segment has no payload.
    pub fn load(&mut self, segment: &Segment, op: u32, load: &Load) -> Result<(), Mismatch> {
        let destination = self.base + load.slot as u64 * self.params.slot_bytes;
        if segment.kind != OpKind::Data {
            return mismatch!("a load for a data arrival, op {op:#06x}");
        }
        match self.slots.get(load.slot) {
            Some(None) => {}
            Some(Some(other)) => return mismatch!("a load of op {op:#06x} into slot {}, which the op at index {other} has", load.slot),
            None => return mismatch!("a load of op {op:#06x} into slot {}, of {}", load.slot, self.slots.len()),
        }
        if (load.destination, &load.pieces) != (destination, &segment.pieces) {
            return mismatch!("op {op:#06x} loads {load:x?}, expected {:x?} to {destination:#x}", segment.pieces);
        }
        self.enter(op, segment, Some(load.slot), Life::Loading)?;
        let index = self.index(op);
        self.slots[load.slot] = Some(index);
        Ok(())
    }

    /// A data arrival has become operation `op`, and the packet engine has it.
    /// # Errors
    /// It carries payload.
    pub fn arrival(&mut self, segment: &Segment, op: u32) -> Result<(), Mismatch> {
        if segment.kind != OpKind::Arrival {
            return mismatch!("op {op:#06x} goes to the packet engine before its payload is there");
        }
        self.enter(op, segment, None, Life::Sent)
    }

    /// The CDMA has answered the load of `slot`: what is to follow of it.
    /// # Errors
    /// Nothing is loaded there: a fault of whoever answers.
    pub fn loaded(&self, slot: usize, status: u8) -> Result<Fetched, Mismatch> {
        match self.slots.get(slot).copied().flatten().and_then(|index| self.entries.get(&index)) {
            Some(Entry { op, segment, life: Life::Loading, .. }) => Ok(match status {
                0 => Fetched::Sends { op: *op, slot, segment: segment.clone() },
                _ => Fetched::Fails { op: *op, status },
            }),
            _ => mismatch!("an answer for slot {slot}, into which nothing is loaded"),
        }
    }

    /// What [`Loader::loaded`] said was taken.
    /// # Errors
    /// It was taken before.
    pub fn fetched(&mut self, fetched: &Fetched) -> Result<(), Mismatch> {
        let (Fetched::Sends { op, .. } | Fetched::Fails { op, .. }) = *fetched;
        let entry = self.at(op, Life::Loading, "an answer")?;
        entry.failed = matches!(fetched, Fetched::Fails { .. });
        entry.life = if entry.failed { Life::Failed } else { Life::Sent };
        Ok(())
    }

    /// The wire has taken all packets of `op` once: its slot is free.
    /// # Errors
    /// It was not sent, or that was said before: a fault of whoever says it.
    pub fn first_done(&mut self, op: u32) -> Result<(), Mismatch> {
        let index = self.index(op);
        match self.entries.get_mut(&index) {
            Some(entry) if entry.op == op && entry.life != Life::Loading && !entry.failed && !entry.first_done => {
                entry.first_done = true;
                if let Some(slot) = entry.slot.take() {
                    self.slots[slot] = None;
                }
                Ok(())
            }
            entry => mismatch!("op {op:#06x} was sent once, but index {index} has {:?}", entry.map(|e| (e.op, e.life, e.first_done))),
        }
    }

    /// The wire has taken all packets of `op` once.
    pub fn is_first_done(&self, op: u32) -> bool {
        self.entries.get(&self.index(op)).is_some_and(|entry| entry.op == op && entry.first_done)
    }

    /// The end of `op` was taken; if it ended well the splitter was told.
    /// # Errors
    /// It has neither been sent nor failed: a fault of whoever ends it. As many failures wait to be told as there are operations.
    pub fn ended(&mut self, op: u32, status: u8) -> Result<(), Mismatch> {
        let is_late = self.is_late(status);
        if is_late && self.owed == self.params.ops {
            return mismatch!("a failure of op {op:#06x} is taken, and {} wait to be told", self.owed);
        }
        let index = self.index(op);
        let life = if self.entries.get(&index).is_some_and(|entry| entry.failed) { Life::Failed } else { Life::Sent };
        let entry = self.at(op, life, "an end")?;
        entry.life = Life::Ended;
        entry.status = status;
        self.owed += usize::from(is_late);
        self.over.push_back(index);
        Ok(())
    }

    /// Failures of which the splitter is to be told: the oldest.
    pub fn failure(&self) -> Option<Told> {
        self.failures.front().copied()
    }

    /// The splitter was told of the oldest failure.
    pub fn told(&mut self) {
        self.owed -= usize::from(self.failures.pop_front().is_some());
    }

    /// How many.
    pub fn failures(&self) -> usize {
        self.failures.len()
    }

    /// The segment that has become `op`, until it is released.
    pub fn segment(&self, op: u32) -> Option<&Segment> {
        self.entries.get(&self.index(op)).filter(|entry| entry.op == op).map(|entry| &entry.segment)
    }

    /// Failures that were taken and not told.
    pub fn owed(&self) -> usize {
        self.owed
    }

    /// A close of `op` is offered, while the op table offers an abort of `abort`.
    /// # Errors
    /// The operation has not ended, was never sent, is not the oldest that has ended, or its abort has not been taken.
    pub fn close(&mut self, op: u32, abort: Option<u32>) -> Result<(), Mismatch> {
        if abort == Some(op) {
            return mismatch!("a close of op {op:#06x} before its abort is taken");
        }
        let index = self.index(op);
        if self.at(op, Life::Ended, "a close")?.failed {
            return mismatch!("a close of op {op:#06x}, which was never sent");
        }
        if self.over.front() != Some(&index) {
            return mismatch!("a close of op {op:#06x}, but {} have ended before it", self.over.len() - 1);
        }
        Ok(())
    }

    /// The close of `op` was taken.
    /// # Errors
    /// It was not offered.
    pub fn closing(&mut self, op: u32) -> Result<(), Mismatch> {
        self.at(op, Life::Ended, "a close")?.life = Life::Closing;
        self.over.pop_front();
        Ok(())
    }

    /// The packet engine answers the close of `op`.
    /// # Errors
    /// There was none.
    pub fn closed(&mut self, op: u32) -> Result<(), Mismatch> {
        if !self.at(op, Life::Closing, "the answer of a close")?.first_done && self.params.refetch {
            return mismatch!("the answer of a close of op {op:#06x}, not all of which was sent once");
        }
        self.free(self.index(op));
        Ok(())
    }

    /// An index is given back for which no close was answered in this clock.
    /// # Errors
    /// Its operation is not the oldest that has ended, or was sent.
    pub fn forgotten(&mut self, index: usize) -> Result<(), Mismatch> {
        match self.entries.get(&index) {
            Some(entry) if entry.life == Life::Ended && entry.failed && self.over.front() == Some(&index) => {
                self.over.pop_front();
                self.free(index);
                Ok(())
            }
            entry => mismatch!(
                "index {index} is released, but its op is {:?}, and no close was answered",
                entry.map(|e| (e.op, e.life, e.failed))
            ),
        }
    }

    /// The oldest operation that has ended, and whether something of it was sent.
    pub fn oldest_over(&self) -> Option<(u32, bool)> {
        self.over.front().and_then(|index| self.entries.get(index)).map(|entry| (entry.op, !entry.failed))
    }

    fn free(&mut self, index: usize) {
        let Some(entry) = self.entries.remove(&index) else { return };
        if let Some(slot) = entry.slot {
            self.slots[slot] = None;
        }
        if self.is_late(entry.status) {
            self.failures.push_back(Told { command: entry.segment.command, kind: entry.segment.kind, status: entry.status });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: Params = Params { ops: 4, slots: 2, slot_bytes: 0x1000, refetch: false };

    fn data() -> Segment {
        Segment {
            command: 0,
            kind: OpKind::Data,
            last: true,
            large: false,
            target: 0x4000,
            node: 1,
            qp: 2,
            rkey: 3,
            imm: None,
            bytes: 9,
            count: 1,
            pieces: vec![Block { source: 64, bytes: 9 }],
        }
    }

    fn load(slot: usize) -> Load {
        Load { slot, pieces: data().pieces, destination: 0x7000_0000 + 0x1000 * slot as u64 }
    }

    #[test]
    fn a_life_of_each_kind() {
        let mut loader = Loader::new(PARAMS, 0x7000_0000);
        loader.load(&data(), 4, &load(1)).unwrap();
        loader.load(&data(), 9, &load(0)).unwrap();
        assert!(loader.number(&data()).is_err(), "no slot is free");
        let arrival = Segment { kind: OpKind::Arrival, pieces: Vec::new(), ..data() };
        loader.number(&arrival).unwrap();
        loader.arrival(&arrival, 2).unwrap();
        let sends = loader.loaded(1, 0).unwrap();
        assert_eq!(sends, Fetched::Sends { op: 4, slot: 1, segment: data() });
        let fails = loader.loaded(0, 34).unwrap();
        assert_eq!(fails, Fetched::Fails { op: 9, status: 34 });
        assert!(loader.ended(9, 34).is_err(), "not before it failed");
        for fetched in [sends, fails] {
            loader.fetched(&fetched).unwrap();
            assert!(loader.fetched(&fetched).is_err());
        }
        for (op, status) in [(9, 34), (4, 32), (2, 0)] {
            loader.ended(op, status).unwrap();
            assert!(loader.ended(op, status).is_err());
        }
        assert_eq!((loader.failure(), loader.owed()), (None, 2), "nobody is told before it is released");
        assert!(loader.close(9, None).is_err(), "it was never sent");
        assert!(loader.close(4, None).is_err(), "another one ended before");
        assert!(loader.forgotten(0).is_err(), "it was sent");
        loader.forgotten(1).unwrap();
        assert_eq!(loader.failure(), Some(Told { command: 0, kind: OpKind::Data, status: 34 }));
        loader.told();
        assert_eq!((loader.failure(), loader.owed()), (None, 1));
        assert!(loader.close(4, Some(4)).is_err(), "its abort comes first");
        loader.close(4, Some(2)).unwrap();
        assert!(loader.closed(4).is_err(), "its close was not taken");
        loader.closing(4).unwrap();
        loader.closed(4).unwrap();
        assert!(loader.closed(4).is_err());
        assert_eq!(loader.failure().map(|told| told.status), Some(32));
        assert_eq!((loader.free_slots(), loader.live(), loader.oldest_over()), (2, 1, Some((2, true))));
    }

    #[test]
    fn a_slot_is_free_once_its_packets_are_on_the_wire() {
        let mut loader = Loader::new(Params { refetch: true, ..PARAMS }, 0x7000_0000);
        assert_eq!(loader.free_slots(), 1, "the last one is for what is pulled again");
        assert!(loader.load(&data(), 4, &load(1)).is_err());
        loader.load(&data(), 4, &load(0)).unwrap();
        assert!(loader.first_done(4).is_err(), "it was not sent");
        let sends = loader.loaded(0, 0).unwrap();
        loader.fetched(&sends).unwrap();
        loader.ended(4, 0).unwrap();
        loader.close(4, None).unwrap();
        loader.closing(4).unwrap();
        assert_eq!((loader.free_slots(), loader.is_first_done(4)), (0, false));
        loader.first_done(4).unwrap();
        assert_eq!((loader.free_slots(), loader.is_first_done(4)), (1, true));
        assert!(loader.first_done(4).is_err(), "twice");
        loader.load(&data(), 5, &load(0)).unwrap();
        assert_eq!((loader.failure(), loader.owed()), (None, 1), "a pull of it may be under way");
        loader.closed(4).unwrap();
        assert_eq!((loader.failure().map(|told| told.status), loader.free_slots()), (Some(0), 0));
    }

    #[test]
    fn what_cannot_be() {
        let mut loader = Loader::new(PARAMS, 0x7000_0000);
        assert!(loader.load(&data(), 4, &Load { destination: 0, ..load(1) }).is_err());
        assert!(loader.load(&data(), 4, &Load { pieces: Vec::new(), ..load(1) }).is_err());
        assert!(loader.arrival(&data(), 4).is_err(), "its payload is not there");
        assert!(loader.loaded(1, 0).is_err(), "nothing is loaded there");
        loader.load(&data(), 4, &load(1)).unwrap();
        assert!(loader.load(&data(), 5, &load(1)).is_err(), "the slot is not free");
        assert!(loader.load(&data(), 8, &load(0)).is_err(), "the index is not free");
        assert!(loader.loaded(9, 0).is_err(), "no such slot");
    }
}
