//! Receive registry, escape channel and done table, one packet at a time.
//!
//! Spec: receive registry. Two ways to use [`Registry`]:
//! - beside hardware: the bench reports, in the order of the hardware's trace, what was committed and what came out; every
//!   method either agrees or returns a [`Mismatch`] that says in one sentence what is wrong. A decision that depends on order
//!   alone must be equal; one that depends on time must lie between its earliest and latest legal moment, and is then adopted;
//! - alone: [`Registry::due`] names what time alone makes happen next, [`Registry::perform`] lets it happen, and every
//!   question that hardware would have answered (`Seen`) is decided at its earliest moment.

mod alone;
mod commit;
mod escape;
mod params;
mod repeat;
mod reports;
#[cfg(test)]
mod tests;
mod time;
mod told;

pub use alone::{Alone, Due};
pub use commit::{Commit, Seen, Trace};
pub use params::{Complete, Config, Drop, Event, Header, Kind, Notify, Params, Region, Status, Verdict, VerdictBeat, Write};
pub use repeat::{CompletionRepeat, PLACES as REPEAT_PLACES, RESET as REPEAT_RESET};
pub use reports::{Report, Reports};
pub use time::Moment;

use bitvec::prelude::*;
use escape::Waiting;
use std::collections::{BTreeMap, VecDeque};
use told::Told;

/// Where hardware and golden model part, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Mismatch(pub String);

/// `Err(Mismatch)` with a formatted sentence.
macro_rules! mismatch {
    ($($text:tt)*) => { Err($crate::registry::Mismatch(format!($($text)*))) };
}
pub(crate) use mismatch;

/// One live operation.
#[derive(Clone, Debug)]
struct Entry {
    src: u16,
    op: u32,
    base: u64,
    op_bytes: u32,
    count: u16,
    mask: BitVec<u64>,
    imm: Option<u32>,
    /// when the last new bit was set
    progress: Moment,
}

impl Entry {
    fn holds(&self, addr: u64) -> bool {
        addr >= self.base && u128::from(addr) < u128::from(self.base) + u128::from(self.op_bytes)
    }

    fn complete(&self, status: Status) -> Complete {
        Complete {
            arrival: false,
            src: self.src,
            op: self.op,
            base: self.base,
            bytes: self.op_bytes,
            packets: self.count,
            status: status as u8,
            imm: self.imm,
            mask: words(&self.mask),
        }
    }
}

/// One word of the done table. The generation is that of `op`.
#[derive(Clone, Copy, Debug)]
struct Done {
    op: u32,
    status: Status,
    tick: Moment,
    notified: Moment,
}

/// A mask in words, zero above its width.
fn words(mask: &BitSlice<u64>) -> Vec<u64> {
    mask.chunks(64).map(|chunk| chunk.load_le()).collect()
}

/// The mask that a start of `count` packets loads: all ones shifted left by `count`, bit 0 set.
pub fn initial_mask(mask_bits: usize, count: u16) -> BitVec<u64> {
    let mut mask = bitvec![u64, Lsb0; 1; mask_bits];
    mask.shift_end(usize::from(count).min(mask_bits));
    mask.set(0, true);
    mask
}

/// The model.
#[derive(Clone, Debug)]
pub struct Registry {
    params: Params,
    config: Config,
    regions: Vec<Region>,
    now: Moment,
    entries: Vec<Entry>,
    done: BTreeMap<(u16, u16), Done>,
    /// in age order
    escape: Vec<Waiting>,
    /// clock of the verdict of the last try of a waiting packet
    tried: Option<u64>,
    told: Told,
    verdicts: VecDeque<VerdictBeat>,
    frees: Vec<u32>,
    /// events of the commit under way
    events: Vec<Event>,
}

impl Registry {
    /// The block after reset.
    pub fn new(params: Params, config: Config) -> Registry {
        Registry {
            params,
            config,
            regions: vec![Region::default(); params.regions],
            now: Moment::default(),
            entries: Vec::new(),
            done: BTreeMap::new(),
            escape: Vec::new(),
            tried: None,
            told: Told::default(),
            verdicts: VecDeque::new(),
            frees: Vec::new(),
            events: Vec::new(),
        }
    }

    /// Writes one memory region; an index that the block does not have changes nothing.
    pub fn set_region(&mut self, index: usize, region: Region) {
        if let Some(place) = self.regions.get_mut(index) {
            *place = region;
        }
    }

    pub fn params(&self) -> &Params {
        &self.params
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Live operations.
    pub fn entries_live(&self) -> usize {
        self.entries.len()
    }

    /// Packets in the escape channel.
    pub fn escape_used(&self) -> usize {
        self.escape.len()
    }

    /// Arrival mask of a live operation.
    pub fn mask(&self, src: u16, op: u32) -> Option<&BitSlice<u64>> {
        self.live(src, op).map(|at| self.entries[at].mask.as_bitslice())
    }

    /// Status in the done table, if the stored generation is that of `op`.
    pub fn done_status(&self, src: u16, op: u32) -> Option<Status> {
        self.done.get(&(src, self.params.index(op))).filter(|word| word.op == op).map(|word| word.status)
    }

    fn live(&self, src: u16, op: u32) -> Option<usize> {
        self.entries.iter().position(|entry| entry.src == src && entry.op == op)
    }

    /// The verdict stream gave `beat`: verdicts come in commit order.
    /// # Errors
    /// Another verdict was due, or none.
    pub fn verdict(&mut self, beat: VerdictBeat) -> Result<(), Mismatch> {
        match self.verdicts.pop_front() {
            Some(expected) if expected == beat => Ok(()),
            Some(expected) => mismatch!("verdict stream gave {beat:?}, but {expected:?} is due"),
            None => mismatch!("verdict stream gave {beat:?}, but no verdict is due"),
        }
    }

    /// The slot_free stream gave back `slot`.
    /// # Errors
    /// The slot is not one to give back.
    pub fn slot_free(&mut self, slot: u32) -> Result<(), Mismatch> {
        match self.frees.iter().position(|&due| due == slot) {
            Some(at) => {
                self.frees.remove(at);
                Ok(())
            }
            None => mismatch!("slot {slot} was given back, but the slots to give back are {:?}", self.frees),
        }
    }

    /// The next verdict that hardware owes.
    pub fn verdict_due(&self) -> Option<VerdictBeat> {
        self.verdicts.front().copied()
    }

    /// The next slot to give back.
    pub fn slot_due(&self) -> Option<u32> {
        self.frees.first().copied()
    }

    /// Whether nothing is owed: verdicts, slots, writes, answers and messages are all out. Packets may still wait.
    pub fn settled(&self) -> bool {
        self.verdicts.is_empty() && self.frees.is_empty() && self.told.settled() && self.rewrite_due().is_none()
    }

    /// To be called at the end of a run, when hardware has had the time to say everything.
    /// # Errors
    /// The first thing that it still owes.
    pub fn finish(&self) -> Result<(), Mismatch> {
        if let Some(beat) = self.verdicts.front() {
            return mismatch!("the run ended with a verdict missing: {beat:?}");
        }
        if !self.frees.is_empty() {
            return mismatch!("the run ended with slots not given back: {:?}", self.frees);
        }
        if let Some((src, op)) = self.rewrite_due() {
            return mismatch!("the run ended before the done word of src {src} op {op:#06x} was rewritten with write_error");
        }
        self.told.finish()
    }
}
