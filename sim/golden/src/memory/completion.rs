//! Completions as bytes in a ring.

/// What has happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum What {
    /// an operation that this node received ended
    #[default]
    Operation,
    /// the data of a command has arrived
    Arrival,
    /// a command of this host ended: `op` is its number
    Command,
}

/// What the host is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    pub what: What,
    pub src: u16,
    pub op: u32,
    pub base: u64,
    pub bytes: u32,
    pub packets: u16,
    pub status: u8,
    pub imm: Option<u32>,
    /// arrival mask, 32 bits a word, lowest first; up to 8
    pub mask: Vec<u32>,
}

/// Bytes of an entry.
pub const ENTRY: usize = 64;

impl Completion {
    /// The entry of the completion before which `number` others were told, in a ring of `2^size` entries.
    pub fn entry(&self, number: u32, size: u32) -> [u8; ENTRY] {
        let mut entry = [0; ENTRY];
        let mut put = |at: usize, bytes: &[u8]| entry[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &self.base.to_le_bytes());
        put(8, &self.bytes.to_le_bytes());
        put(12, &self.imm.unwrap_or(0).to_le_bytes());
        put(16, &self.src.to_le_bytes());
        put(18, &self.packets.to_le_bytes());
        put(20, &self.op.to_le_bytes()[..3]);
        let flags = u8::from(self.what == What::Arrival) | u8::from(self.imm.is_some()) << 1 | u8::from(self.what == What::Command) << 2;
        put(23, &[flags]);
        for (i, word) in self.mask.iter().take(8).enumerate() {
            put(24 + 4 * i, &word.to_le_bytes());
        }
        put(56, &number.to_le_bytes());
        let odd_pass = number.checked_shr(size).unwrap_or(0) & 1 == 1;
        put(60, &(u32::from(!odd_pass) << 31 | u32::from(self.status)).to_le_bytes());
        entry
    }
}

/// Where an entry lies.
pub fn entry_address(base: u64, number: u32, size: u32) -> u64 {
    let place = number & 1u32.checked_shl(size).map_or(u32::MAX, |entries| entries - 1);
    (base & !63).wrapping_add(ENTRY as u64 * u64::from(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_its_fields_in_their_places() {
        let completion = Completion {
            what: What::Command,
            src: 0x1122,
            op: 0x55_3344,
            base: 0x0102_0304_0506_0708,
            bytes: 4096,
            packets: 8,
            status: 13,
            imm: Some(0xdead_beef),
            mask: vec![0xffff_ffff, 1],
        };
        let entry = completion.entry(5, 2);
        assert_eq!(entry[..8], [8, 7, 6, 5, 4, 3, 2, 1]);
        assert_eq!(entry[8..16], [0, 16, 0, 0, 0xef, 0xbe, 0xad, 0xde]);
        assert_eq!(entry[16..24], [0x22, 0x11, 8, 0, 0x44, 0x33, 0x55, 6]);
        assert_eq!(entry[24..32], [255, 255, 255, 255, 1, 0, 0, 0]);
        assert_eq!(entry[56..], [5, 0, 0, 0, 13, 0, 0, 0], "the second pass");
        assert_eq!(completion.entry(3, 2)[63], 0x80, "the first one");
        assert_eq!(completion.entry(8, 2)[63], 0x80, "the third one");
        assert_eq!((entry_address(0x1000, 5, 2), entry_address(0x103f, 3, 2), entry_address(0, 7, 31)), (0x1040, 0x10c0, 0x1c0));
    }
}
