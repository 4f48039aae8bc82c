//! Memory of a golden receiver, which answers at once.

use std::ops::Range;

/// Bytes before and behind the memory that nobody may touch, and what is in them.
const GUARD: usize = 4096;
const GUARD_BYTE: u8 = 0xa5;

pub(super) struct Memory {
    base: u64,
    bytes: Vec<u8>,
    failing: Range<u64>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory { base: 0, bytes: vec![GUARD_BYTE; 2 * GUARD], failing: 0..0 }
    }

    /// Zeros, with guard bytes around.
    pub(super) fn furnish(&mut self, base: u64, bytes: usize) {
        self.base = base;
        self.bytes = vec![GUARD_BYTE; bytes + 2 * GUARD];
        self.bytes[GUARD..GUARD + bytes].fill(0);
    }

    /// Writes to these addresses are answered with an error.
    pub(super) fn fail(&mut self, addresses: Range<u64>) {
        self.failing = addresses;
    }

    fn inside(&self, address: u64, bytes: usize) -> Option<Range<usize>> {
        let at = usize::try_from(address.checked_sub(self.base)?).ok()?.checked_add(GUARD)?;
        let end = at.checked_add(bytes)?;
        (end + GUARD <= self.bytes.len()).then_some(at..end)
    }

    /// Writes, or answers with an error: which of them. `None`: there is no such memory.
    pub(super) fn write(&mut self, address: u64, payload: &[u8]) -> Option<bool> {
        let place = self.inside(address, payload.len())?;
        let fails = self.failing.start < address + payload.len() as u64 && address < self.failing.end;
        if !fails {
            self.bytes[place].copy_from_slice(payload);
        }
        Some(!fails)
    }

    pub(super) fn bytes(&self, address: u64, bytes: usize) -> Option<&[u8]> {
        self.inside(address, bytes).map(|place| &self.bytes[place])
    }

    /// As a host writes that has nothing to do with the network.
    pub(super) fn put(&mut self, address: u64, bytes: &[u8]) {
        if let Some(place) = self.inside(address, bytes.len()) {
            self.bytes[place].copy_from_slice(bytes);
        }
    }

    /// Nobody has touched what is around it.
    pub(super) fn is_guarded(&self) -> bool {
        let end = self.bytes.len() - GUARD;
        self.bytes[..GUARD].iter().chain(&self.bytes[end..]).all(|&byte| byte == GUARD_BYTE)
    }
}
