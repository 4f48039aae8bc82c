use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What an opcode says: how many words of extension headers or control message follow BTH, and which checks they need.
///
/// Every opcode of RC exists, so that its packet sequence number counts; one that the standard reserves has no words.
/// Latency: 0 clocks; a table of 256 places. Spec: wire format, "BTH", "Extension headers", "Control packets".
/// Parameters: `OP_ETH`, `WQE_ETH`, `LR2_ETH` (0 or 1) say whether OpETH, WqeETH and LR2ETH are on; CETH has its length in itself and is
/// not counted.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct OpcodeShape<const OP_ETH: usize, const WQE_ETH: usize, const LR2_ETH: usize> {
    /// opcode
    pub opcode: Signal<In, Bits<8>>,
    /// it exists
    pub known: Signal<Out, Bit>,
    /// words of four bytes
    pub words: Signal<Out, Bits<4>>,
    /// RDMA WRITE ONLY, with immediate or without: the data packet of the registry
    pub only: Signal<Out, Bit>,
    /// acknowledgement
    pub ack: Signal<Out, Bit>,
    /// data arrival
    pub arrival: Signal<Out, Bit>,
    words_data: Constant<Bits<4>>,
    words_imm: Constant<Bits<4>>,
    words_first: Constant<Bits<4>>,
    words_only: Constant<Bits<4>>,
    words_only_imm: Constant<Bits<4>>,
    words_ack: Constant<Bits<4>>,
}

impl<const OP_ETH: usize, const WQE_ETH: usize, const LR2_ETH: usize> Default for OpcodeShape<OP_ETH, WQE_ETH, LR2_ETH> {
    fn default() -> Self {
        for (name, value) in [("OP", OP_ETH), ("WQ", WQE_ETH), ("LR", LR2_ETH)] {
            assert!(value <= 1, "OpcodeShape: {name} = {value}, allowed are 0 and 1");
        }
        let words = |words: usize| Constant::new(bits::<4>(words as u64));
        Self {
            words_data: words(3 * WQE_ETH),
            words_imm: words(1 + 3 * WQE_ETH),
            words_first: words(4 + 3 * WQE_ETH),
            words_only: words(4 + 2 * OP_ETH + 3 * WQE_ETH),
            words_only_imm: words(5 + 2 * OP_ETH + 3 * WQE_ETH),
            words_ack: words(1 + 3 * LR2_ETH),
            ..Self::blank()
        }
    }
}

impl<const OP_ETH: usize, const WQE_ETH: usize, const LR2_ETH: usize> Logic for OpcodeShape<OP_ETH, WQE_ETH, LR2_ETH> {
    #[kernel]
    fn update(&mut self) {
        self.only.next = (self.opcode.val() >> 1) == bits::<8>(0x05);
        self.ack.next = self.opcode.val() == bits::<8>(0x11);
        self.arrival.next = self.opcode.val() == bits::<8>(0xc4);
        self.known.next = self.opcode.val() < bits::<8>(0x20)
            || self.opcode.val() == bits::<8>(0x81)
            || (self.opcode.val() >= bits::<8>(0xc0) && self.opcode.val() <= bits::<8>(0xc5))
            || self.opcode.val() == bits::<8>(0xe0);
        self.words.next = bits::<4>(0);
        if self.opcode.val() == bits::<8>(0x0a) {
            self.words.next = self.words_only.val();
        } else if self.opcode.val() == bits::<8>(0x0b) {
            self.words.next = self.words_only_imm.val();
        } else if self.opcode.val() == bits::<8>(0x06) {
            self.words.next = self.words_first.val();
        } else if self.opcode.val() == bits::<8>(0x03)
            || self.opcode.val() == bits::<8>(0x05)
            || self.opcode.val() == bits::<8>(0x09)
            || self.opcode.val() == bits::<8>(0x16)
            || self.opcode.val() == bits::<8>(0x17)
        {
            self.words.next = self.words_imm.val();
        } else if self.opcode.val() < bits::<8>(0x0a) {
            self.words.next = self.words_data.val();
        } else if self.opcode.val() == bits::<8>(0x0c) || self.opcode.val() == bits::<8>(0x1d) {
            self.words.next = bits::<4>(4);
        } else if self.opcode.val() == bits::<8>(0x1c) {
            self.words.next = bits::<4>(5);
        } else if self.opcode.val() == bits::<8>(0x0d) || self.opcode.val() == bits::<8>(0x0f) || self.opcode.val() == bits::<8>(0x10) {
            self.words.next = bits::<4>(1);
        } else if self.opcode.val() == bits::<8>(0x11) {
            self.words.next = self.words_ack.val();
        } else if self.opcode.val() == bits::<8>(0x12) {
            self.words.next = bits::<4>(3);
        } else if self.opcode.val() == bits::<8>(0x13) || self.opcode.val() == bits::<8>(0x14) || self.opcode.val() == bits::<8>(0xc0) {
            self.words.next = bits::<4>(7);
        } else if self.opcode.val() == bits::<8>(0xc1) || self.opcode.val() == bits::<8>(0xe0) {
            self.words.next = bits::<4>(2);
        } else if self.opcode.val() == bits::<8>(0xc2) || self.opcode.val() == bits::<8>(0xc3) {
            self.words.next = bits::<4>(4);
        } else if self.opcode.val() == bits::<8>(0xc4) {
            self.words.next = bits::<4>(6);
        } else if self.opcode.val() == bits::<8>(0xc5) {
            self.words.next = bits::<4>(3);
        }
    }
}
