//! Memory inside of the model: what is copied there passes no bus.

use super::registers::{DMA_DECODE, DMA_SLAVE};
use std::ops::Range;

/// Regions of bytes, and addresses that fail. What is in no region is a decode error.
#[derive(Default)]
pub struct CopyMemory {
    regions: Vec<(u64, Vec<u8>)>,
    failing: Vec<(Range<u64>, bool)>,
}

impl CopyMemory {
    /// So many zeros at `base`.
    pub fn region(&mut self, base: u64, bytes: usize) {
        self.regions.push((base, vec![0; bytes]));
    }

    /// Transfers that touch these addresses are answered by SLVERR, or by DECERR.
    pub fn fail(&mut self, addresses: Range<u64>, decode: bool) {
        self.failing.push((addresses, decode));
    }

    fn place(&self, address: u64, count: usize) -> Option<(usize, usize)> {
        let fits = |(base, bytes): &(u64, Vec<u8>)| {
            let at = address.checked_sub(*base)?;
            (at.checked_add(count as u64)? <= bytes.len() as u64).then_some(at as usize)
        };
        self.regions.iter().enumerate().find_map(|(i, region)| fits(region).map(|at| (i, at)))
    }

    /// The bytes at an address; `None` where no region has them all.
    pub fn bytes(&self, address: u64, count: usize) -> Option<&[u8]> {
        self.place(address, count).map(|(i, at)| &self.regions[i].1[at..at + count])
    }

    /// Puts bytes there, as software would. False where no region has room for them all.
    pub fn put(&mut self, address: u64, bytes: &[u8]) -> bool {
        let Some((i, at)) = self.place(address, bytes.len()) else { return false };
        self.regions[i].1[at..at + bytes.len()].copy_from_slice(bytes);
        true
    }

    /// Error bits of CDMASR for an access where it was asked for.
    fn fails(&self, address: u64, count: usize) -> u32 {
        let end = address.saturating_add(count as u64);
        match self.failing.iter().find(|(f, _)| f.start < end && address < f.end) {
            None => 0,
            Some((_, true)) => DMA_DECODE,
            Some((_, false)) => DMA_SLAVE,
        }
    }

    /// The bytes at an address, or the error bits of CDMASR.
    pub(super) fn read(&self, address: u64, count: usize) -> Result<&[u8], u32> {
        match self.fails(address, count) {
            0 => self.bytes(address, count).ok_or(DMA_DECODE),
            bits => Err(bits),
        }
    }

    /// A copy, upwards; gives the error bits of CDMASR, and moves nothing if there is one.
    pub(super) fn copy(&mut self, from: u64, to: u64, count: usize) -> u32 {
        if count == 0 {
            return 0;
        }
        for address in [from, to] {
            let bits = self.fails(address, count);
            if bits != 0 {
                return bits;
            }
        }
        let (Some((i, source)), Some((j, target))) = (self.place(from, count), self.place(to, count)) else { return DMA_DECODE };
        if i == j {
            self.regions[i].1.copy_within(source..source + count, target);
        } else {
            let (low, high) = self.regions.split_at_mut(i.max(j));
            let (a, b) = if i < j { (&low[i].1, &mut high[0].1) } else { (&high[0].1, &mut low[j].1) };
            b[target..target + count].copy_from_slice(&a[source..source + count]);
        }
        0
    }
}
