//! Writes of payload: which bursts they are on the bus, what they leave in memory, when they are over.

use std::collections::BTreeMap;
use std::ops::Range;

/// A burst of whole beats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Burst {
    pub tag: u32,
    /// of the first beat
    pub addr: u64,
    pub beats: u64,
}

impl Burst {
    /// The addresses of its beats.
    pub fn span(&self, beat: u64) -> Range<u64> {
        self.addr..self.addr + self.beats * beat
    }
}

/// The bursts of one write: as few as there can be when none has more than 256 beats and none crosses a multiple of 4 KB, or of 256 beats.
pub fn bursts(tag: u32, addr: u64, bytes: u64, beat: u64) -> Vec<Burst> {
    let block = 4096.min(256 * beat);
    let end = (addr + bytes.max(1)).div_ceil(beat) * beat;
    let mut from = addr / beat * beat;
    let mut found = Vec::new();
    while from < end {
        let to = end.min((from / block + 1) * block);
        found.push(Burst { tag, addr: from, beats: (to - from) / beat });
        from = to;
    }
    found
}

struct Write {
    addr: u64,
    payload: Vec<u8>,
    bursts: Vec<Burst>,
    answered: usize,
    failed: Vec<Range<u64>>,
}

/// Writes that are under way.
#[derive(Default)]
pub struct Writes {
    beat: u64,
    under_way: BTreeMap<u32, Write>,
    /// what all writes that are over have left
    memory: BTreeMap<u64, u8>,
}

impl Writes {
    /// On a bus with beats of so many bytes.
    pub fn new(beat: u64) -> Self {
        Writes { beat, ..Default::default() }
    }

    /// A write begins: its bursts, in the order in which they must come.
    pub fn begin(&mut self, tag: u32, addr: u64, payload: &[u8]) -> Vec<Burst> {
        let bursts = bursts(tag, addr, payload.len() as u64, self.beat);
        self.under_way.insert(tag, Write { addr, payload: payload.to_vec(), bursts: bursts.clone(), answered: 0, failed: Vec::new() });
        bursts
    }

    /// A burst of this tag was answered; responses of one tag come in the order of its bursts.
    /// # Errors
    /// No burst of the tag waits.
    pub fn answer(&mut self, tag: u32, ok: bool) -> Result<(), String> {
        let beat = self.beat;
        let write = self.under_way.get_mut(&tag).ok_or_else(|| format!("a response of tag {tag}, which nobody has"))?;
        let burst = write.bursts.get(write.answered).ok_or_else(|| format!("too many responses of tag {tag}"))?;
        write.answered += 1;
        if !ok {
            write.failed.push(burst.span(beat));
        }
        Ok(())
    }

    /// The hardware says that a write is over.
    /// # Errors
    /// It is not, or it is told wrongly how it went.
    pub fn done(&mut self, tag: u32, ok: bool) -> Result<(), String> {
        let write = self.under_way.remove(&tag).ok_or_else(|| format!("tag {tag} is done, which nobody has"))?;
        if write.answered < write.bursts.len() {
            return Err(format!("tag {tag} is done after {} of {} responses", write.answered, write.bursts.len()));
        }
        if ok != write.failed.is_empty() {
            return Err(format!("tag {tag} is done, ok {ok}, with {} failed bursts", write.failed.len()));
        }
        for (i, byte) in write.payload.iter().enumerate() {
            let at = write.addr + i as u64;
            if !write.failed.iter().any(|f| f.contains(&at)) {
                self.memory.insert(at, *byte);
            }
        }
        Ok(())
    }

    /// Writes under way.
    pub fn open(&self) -> usize {
        self.under_way.len()
    }

    /// What must be at an address; `None`: whatever was there.
    pub fn byte(&self, address: u64) -> Option<u8> {
        self.memory.get(&address).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_ends_at_4_kb_and_at_256_beats() {
        let all = |addr, bytes, beat| bursts(0, addr, bytes, beat).iter().map(|b| (b.addr, b.beats)).collect::<Vec<_>>();
        assert_eq!(all(0x1000, 4096, 64), [(0x1000, 64)]);
        assert_eq!(all(0x1040, 4096, 64), [(0x1040, 63), (0x2000, 1)]);
        assert_eq!(all(0xfff, 2, 64), [(0xfc0, 1), (0x1000, 1)]);
        assert_eq!(all(0x1000, 4096, 8), [(0x1000, 256), (0x1800, 256)]);
        assert_eq!(all(0x1004, 4096, 8), [(0x1000, 256), (0x1800, 256), (0x2000, 1)]);
        assert_eq!(all(0x1004, 0, 8), [(0x1000, 1)]);
    }

    #[test]
    fn a_write_is_over_with_its_last_response() {
        let mut writes = Writes::new(8);
        assert_eq!(writes.begin(3, 0xffc, &[1, 2, 3, 4, 5]).len(), 2);
        writes.answer(3, true).unwrap();
        writes.answer(3, false).unwrap();
        assert!(writes.answer(3, true).is_err());
        writes.done(3, false).unwrap();
        assert_eq!((writes.byte(0xfff), writes.byte(0x1000), writes.open()), (Some(4), None, 0));
        writes.begin(3, 0xffc, &[1, 2, 3, 4, 5]);
        writes.answer(3, true).unwrap();
        assert!(writes.done(3, true).unwrap_err().contains("1 of 2"));
        assert!(writes.done(3, true).is_err());
    }
}
