use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The CRC-32 register after bytes of zero, or before them: a matrix of 32 rows, made from the polynomial.
///
/// The register is that of the reflected CRC of Ethernet: bit 0 leaves first. A CRC is linear, so that the register after any bytes is the
/// sum of this and of theirs.
/// Latency: 0 clocks; each bit is the sum of about 15, at most 24, in four parts of six that a LUT holds.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct CrcAdvance {
    /// the register
    pub state: Signal<In, Bits<32>>,
    /// the register so many bytes further
    pub moved: Signal<Out, Bits<32>>,
    // Four for each bit: which bits of the register are in each part of its sum.
    row: Vec<Constant<Bits<32>>>,
    part: Vec<Signal<Local, Bits<32>>>,
    #[variant]
    _bytes: usize,
    #[variant]
    _back: usize,
}

impl CrcAdvance {
    /// After `bytes` bytes of zero, or before them if it is negative.
    pub fn by(bytes: isize) -> Self {
        let column: Vec<u32> = (0..32).map(|bit| advanced(1 << bit, bytes)).collect();
        let row = |place: usize| {
            let bits = (0..32).filter(|&from| column[from] >> (place / 4) & 1 == 1);
            bits.skip(place % 4 * 6).take(if place % 4 == 3 { 32 } else { 6 }).fold(0, |row: u64, from| row | 1 << from)
        };
        Self {
            state: Default::default(),
            moved: Default::default(),
            row: (0..128).map(|place| Constant::new(bits::<32>(row(place)))).collect(),
            part: (0..4).map(|_| Default::default()).collect(),
            _bytes: bytes.unsigned_abs(),
            _back: usize::from(bytes < 0),
        }
    }
}

impl Default for CrcAdvance {
    fn default() -> Self {
        Self::by(4)
    }
}

/// The register after `bytes` bytes of zero, or before them if it is negative.
pub fn advanced(state: u32, bytes: isize) -> u32 {
    (0..bytes.unsigned_abs() * 8).fold(state, |state, _| {
        if bytes > 0 {
            let sum = if state & 1 == 1 { POLYNOMIAL } else { 0 };
            state >> 1 ^ sum
        } else {
            // The highest bit of the polynomial tells whether it was added.
            let sum = if state >> 31 == 1 { POLYNOMIAL << 1 | 1 } else { 0 };
            state << 1 ^ sum
        }
    })
}

/// Of Ethernet, least significant bit first.
const POLYNOMIAL: u32 = 0xedb8_8320;

impl Logic for CrcAdvance {
    #[kernel]
    fn update(&mut self) {
        for p in 0..4 {
            self.part[p].next = bits::<32>(0);
            for i in 0..32 {
                self.part[p].next = self.part[p].val().replace_bit(i, (self.state.val() & self.row[4 * i + p].val()).xor());
            }
        }
        self.moved.next = (self.part[0].val() ^ self.part[1].val()) ^ (self.part[2].val() ^ self.part[3].val());
    }
}
