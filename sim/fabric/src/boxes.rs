//! Boxes that are not models of hardware: nothing at all, and two in the place of one.

use rdma_rtl_golden::lr2::packet::{Key, Packet};
use rdma_rtl_golden::lr2::table::Entry;
use rdma_rtl_golden::lr2::{Emit, Gate, Verdict};

/// No box: everything passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wire;

impl Gate for Wire {
    fn open(&mut self, _: &Entry) -> Result<(), String> {
        Ok(())
    }

    fn close(&mut self, _: Key) {}

    fn onward(&mut self, _: u64, packet: Packet, _: bool, out: &mut Vec<Emit>) -> Verdict {
        out.push(Emit::onward(packet));
        Verdict::Untouched
    }

    fn back(&mut self, _: u64, packet: Packet, _: bool, out: &mut Vec<Emit>) -> Verdict {
        out.push(Emit::back(packet));
        Verdict::Untouched
    }

    fn tick(&mut self, _: u64, _: &mut Vec<Emit>) {}

    fn wake(&self) -> Option<u64> {
        None
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

/// Two boxes that get the same and have to decide the same, to the packet: a golden one and, for example, the same as Verilog. The first
/// one's packets go on. A difference is an error, with everything that led to it known by the seed.
pub struct Compared<A: Gate, B: Gate> {
    pub first: A,
    pub second: B,
    /// decisions that were compared
    pub decisions: u64,
    /// the first that differed
    pub difference: Option<String>,
}

impl<A: Gate, B: Gate> Compared<A, B> {
    pub fn new(first: A, second: B) -> Compared<A, B> {
        Compared { first, second, decisions: 0, difference: None }
    }

    fn compare(&mut self, what: impl Fn() -> String, now: u64, one: (Option<Verdict>, &[Emit]), other: (Option<Verdict>, &[Emit])) {
        self.decisions += 1;
        if one != other && self.difference.is_none() {
            self.difference = Some(format!("{} at {now} ps, decision {}: {one:?} and {other:?}", what(), self.decisions));
        }
    }
}

impl<A: Gate, B: Gate> Gate for Compared<A, B> {
    fn open(&mut self, entry: &Entry) -> Result<(), String> {
        self.first.open(entry)?;
        self.second.open(entry)
    }

    fn close(&mut self, key: Key) {
        self.first.close(key);
        self.second.close(key);
    }

    fn onward(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict {
        let (from, mut other) = (out.len(), Vec::new());
        let verdict = self.first.onward(now, packet, sound, out);
        let second = self.second.onward(now, packet, sound, &mut other);
        self.compare(|| format!("{packet:?}, onward"), now, (Some(verdict), &out[from..]), (Some(second), &other));
        verdict
    }

    fn back(&mut self, now: u64, packet: Packet, sound: bool, out: &mut Vec<Emit>) -> Verdict {
        let (from, mut other) = (out.len(), Vec::new());
        let verdict = self.first.back(now, packet, sound, out);
        let second = self.second.back(now, packet, sound, &mut other);
        self.compare(|| format!("{packet:?}, back"), now, (Some(verdict), &out[from..]), (Some(second), &other));
        verdict
    }

    fn tick(&mut self, now: u64, out: &mut Vec<Emit>) {
        let (from, mut other) = (out.len(), Vec::new());
        self.first.tick(now, out);
        self.second.tick(now, &mut other);
        self.compare(|| "tick".into(), now, (None, &out[from..]), (None, &other));
    }

    fn wake(&self) -> Option<u64> {
        [self.first.wake(), self.second.wake()].into_iter().flatten().min()
    }

    fn held(&self) -> (u64, u64) {
        self.first.held()
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.first.counters()
    }
}
