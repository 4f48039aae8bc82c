//! Host memory: buffers between guard bytes, each written once, none after its completion.

use std::collections::BTreeMap;

/// Bytes before and behind every buffer that nobody may write.
const GUARD: usize = 64;
/// What a byte is that nobody has written.
const BLANK: u8 = 0xa5;

/// Payload of a work request from `offset`, a multiple of 8, on: a function of both, so that a byte at a wrong place shows.
pub fn pattern(id: u64, offset: u32, bytes: usize) -> Vec<u8> {
    let words = (u64::from(offset) / 8..).map(|word| {
        let mixed = (id.wrapping_add(1)).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (word + 1).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        (mixed ^ mixed >> 29).to_le_bytes()
    });
    let mut out: Vec<u8> = words.take(bytes.div_ceil(8)).flatten().collect();
    out.truncate(bytes);
    out
}

struct Buffer {
    bytes: Vec<u8>,
    written: u64,
}

/// Buffers by the address of their first guard byte.
#[derive(Default)]
pub struct Memory {
    live: BTreeMap<u64, Buffer>,
    next: u64,
}

impl Memory {
    /// A buffer of `bytes` bytes; its address is no multiple of anything.
    pub fn allocate(&mut self, bytes: u32) -> u64 {
        let start = self.next + 0x1_0000_0003;
        let length = bytes as usize + 2 * GUARD;
        self.live.insert(start, Buffer { bytes: vec![BLANK; length], written: 0 });
        self.next += length as u64 + 7;
        start + GUARD as u64
    }

    fn find(&mut self, address: u64, bytes: usize) -> Result<(&mut Buffer, usize), String> {
        let found = self.live.range_mut(..=address).next_back();
        found
            .and_then(|(&start, buffer)| {
                let at = (address - start) as usize;
                (at + bytes <= buffer.bytes.len()).then_some((buffer, at))
            })
            .ok_or_else(|| format!("{bytes} bytes at {address:#x}, where no buffer is, or no more"))
    }

    /// # Errors
    /// No buffer is there.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), String> {
        let (buffer, at) = self.find(address, bytes.len())?;
        buffer.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        buffer.written += bytes.len() as u64;
        Ok(())
    }

    /// Bytes that were written to a buffer.
    pub fn written(&mut self, address: u64) -> Result<u64, String> {
        self.find(address, 0).map(|(buffer, _)| buffer.written)
    }

    /// The buffer is complete and goes: `bytes` bytes of `id` are in it, each was written once, and nothing else was written.
    /// # Errors
    /// What is wrong.
    pub fn complete(&mut self, address: u64, id: u64, bytes: u32) -> Result<(), String> {
        let Some(buffer) = self.live.remove(&(address - GUARD as u64)) else { return Err(format!("no buffer at {address:#x}")) };
        let end = GUARD + bytes as usize;
        if buffer.written != u64::from(bytes) {
            return Err(format!("work request {id}: {} bytes were written, not {bytes}", buffer.written));
        }
        if buffer.bytes[GUARD..end] != pattern(id, 0, bytes as usize)[..] {
            let wrong = buffer.bytes[GUARD..end].iter().zip(pattern(id, 0, bytes as usize)).position(|(is, want)| *is != want);
            return Err(format!("work request {id}: byte {wrong:?} of {bytes} is wrong"));
        }
        let around = buffer.bytes[..GUARD].iter().chain(&buffer.bytes[end..]);
        match around.clone().position(|&byte| byte != BLANK) {
            Some(at) => Err(format!("work request {id}: guard byte {at} was written")),
            None => Ok(()),
        }
    }
}

#[test]
fn what_is_wrong_is_found() {
    let mut memory = Memory::default();
    let at = memory.allocate(100);
    let good = pattern(7, 0, 100);
    memory.write(at, &good[..64]).unwrap();
    memory.write(at + 64, &pattern(7, 64, 36)).unwrap();
    memory.complete(at, 7, 100).unwrap();
    assert!(memory.write(at, &[1]).is_err(), "it is complete");
    type Wrong = fn(&mut Memory, u64) -> Result<(), String>;
    let wrong: [Wrong; 4] = [
        |memory, at| memory.write(at + 50, &[0]),
        |memory, at| memory.write(at + 100, &[0]),
        |memory, at| memory.write(at - 1, &[0]),
        |memory, at| memory.write(at, &pattern(7, 0, 8)),
    ];
    for wrong in wrong {
        let mut memory = Memory::default();
        let at = memory.allocate(100);
        memory.write(at, &good).unwrap();
        wrong(&mut memory, at).unwrap();
        assert!(memory.complete(at, 7, 100).is_err());
    }
    assert_ne!(pattern(1, 0, 16), pattern(2, 0, 16));
    assert_eq!(pattern(1, 0, 24)[8..], pattern(1, 8, 16)[..]);
}
