use crate::wire::OP_BITS;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What the host is told, as the 64 bytes that it reads. Byte 0 is in the lowest bits, numbers are little-endian.
///
/// | byte | bits | what |
/// | --- | --- | --- |
/// | 0 | 64 | base: target address |
/// | 8 | 32 | bytes |
/// | 12 | 32 | immediate, zero if none came |
/// | 16 | 16 | source |
/// | 18 | 16 | packets |
/// | 20 | 24 | op |
/// | 23 | 8 | bit 0: data arrival, bit 2: a command of this host ended, `op` is its number; neither: an operation ended; bit 1: an immediate came |
/// | 24 | 256 | arrival mask, zero from bit `COMPLETION_MASK_BITS` on |
/// | 56 | 32 | number of the completion since reset, from 0 |
/// | 60 | 32 | bits 7:0: status code, bit 31: phase, the others zero |
///
/// Latency: 0 clocks. Parameter: `COMPLETION_MASK_BITS` bits of a mask, up to 256.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CompletionEntry<const COMPLETION_MASK_BITS: usize> {
    /// 0: an operation ended, 1: data arrival, 2: a command of this host ended
    pub kind: Signal<In, Bits<2>>,
    /// sending node
    pub src: Signal<In, Bits<16>>,
    /// op number
    pub op: Signal<In, Bits<OP_BITS>>,
    /// target address
    pub base: Signal<In, Bits<64>>,
    /// bytes
    pub bytes: Signal<In, Bits<32>>,
    /// packets
    pub packets: Signal<In, Bits<16>>,
    /// status code
    pub status: Signal<In, Bits<8>>,
    /// an immediate came
    pub imm_valid: Signal<In, Bit>,
    /// the immediate
    pub imm: Signal<In, Bits<32>>,
    /// arrival mask at the end
    pub mask: Signal<In, Bits<COMPLETION_MASK_BITS>>,
    /// completions before it
    pub number: Signal<In, Bits<32>>,
    /// high in every other pass through the ring, the first one included
    pub phase: Signal<In, Bit>,
    /// the 64 bytes
    pub entry: Signal<Out, Bits<512>>,
    shown: Signal<Local, Bits<32>>,
}

impl<const COMPLETION_MASK_BITS: usize> Logic for CompletionEntry<COMPLETION_MASK_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.shown.next = bits::<32>(0);
        if self.imm_valid.val() {
            self.shown.next = self.imm.val();
        }
        self.entry.next = bit_cast::<512, 64>(self.base.val())
            | (bit_cast::<512, 32>(self.bytes.val()) << 64)
            | (bit_cast::<512, 32>(self.shown.val()) << 96)
            | (bit_cast::<512, 16>(self.src.val()) << 128)
            | (bit_cast::<512, 16>(self.packets.val()) << 144)
            | (bit_cast::<512, OP_BITS>(self.op.val()) << 160)
            | (bit_cast::<512, 1>(self.kind.val().get_bit(0).into()) << 184)
            | (bit_cast::<512, 1>(self.imm_valid.val().into()) << 185)
            | (bit_cast::<512, 1>(self.kind.val().get_bit(1).into()) << 186)
            | (bit_cast::<512, COMPLETION_MASK_BITS>(self.mask.val()) << 192)
            | (bit_cast::<512, 32>(self.number.val()) << 448)
            | (bit_cast::<512, 8>(self.status.val()) << 480)
            | (bit_cast::<512, 1>(self.phase.val().into()) << 511);
    }
}
