use crate::primitives::{LutRam, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Which writes have all their responses: AXI4 write responses in, in any order of their IDs, answers to writes out.
///
/// The ID of a burst is the tag of its write. What is told of each burst as it is issued says how many its write has; each response is
/// counted, and the one that makes the number full answers the write: `ok` is low if any of them was an error. A tag may be used again
/// after its answer.
/// Latency: 2 clocks. Throughput: one burst and one response per clock. Reset: forgets all; `ready` stays low for `2^WRITE_BITS` clocks,
/// until every count is zero. A response of a burst from before the reset must not come after it.
///
/// Parameters: `WRITE_BITS` bits of a tag, `WRITE_COUNT_BITS` = `WRITE_BITS + 1`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct WriteResponses<const WRITE_BITS: usize, const WRITE_COUNT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// bursts may be issued
    pub ready: Signal<Out, Bit>,
    /// a burst is issued
    pub issue_valid: Signal<In, Bit>,
    /// tag of its write
    pub issue_tag: Signal<In, Bits<WRITE_BITS>>,
    /// number of the burst in its write, from 0
    pub issue_index: Signal<In, Bits<2>>,
    /// the last of its write
    pub issue_final: Signal<In, Bit>,
    /// a response; always taken
    pub response_valid: Signal<In, Bit>,
    /// tag of its write
    pub response_tag: Signal<In, Bits<WRITE_BITS>>,
    /// as on the bus: 0 OKAY, 2 SLVERR, 3 DECERR
    pub response_code: Signal<In, Bits<2>>,
    /// a write has been answered
    pub done_valid: Signal<Out, Bit>,
    /// tag of `done`
    pub done_tag: Signal<Out, Bits<WRITE_BITS>>,
    /// without an error
    pub done_ok: Signal<Out, Bit>,
    /// a response came in the clock before
    pub seen: Signal<Out, Bit>,
    /// it was an error
    pub error: Signal<Out, Bit>,
    /// tag of its write
    pub error_tag: Signal<Out, Bits<WRITE_BITS>>,
    /// code of `error`
    pub error_code: Signal<Out, Bits<2>>,

    // number of the last burst issued, final
    issued: LutRam<3, WRITE_BITS>,
    // responses, error
    answered: LutRam<3, WRITE_BITS>,
    clearing: State<Bits<WRITE_COUNT_BITS>>,
    valid1: State<Bit>,
    tag1: Reg<Bits<WRITE_BITS>>,
    code1: Reg<Bits<2>>,
    full: Signal<Local, Bit>,
    failed: Signal<Local, Bit>,
    count: Signal<Local, Bits<2>>,
    valid2: State<Bit>,
    tag2: Reg<Bits<WRITE_BITS>>,
    ok2: Reg<Bit>,
    error1: Signal<Local, Bit>,
}

impl<const WRITE_BITS: usize, const WRITE_COUNT_BITS: usize> Logic for WriteResponses<WRITE_BITS, WRITE_COUNT_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.clearing.q.val().get_bit(WRITE_BITS);
        if !self.clearing.q.val().get_bit(WRITE_BITS) {
            self.clearing.d.next = self.clearing.q.val() + 1;
        }
        self.issued.write_enable.next = self.issue_valid.val();
        self.issued.write_address.next = self.issue_tag.val();
        self.issued.write_data.next = (bit_cast::<3, 2>(self.issue_index.val()) << 1) | bit_cast::<3, 1>(self.issue_final.val().into());

        self.valid1.d.next = self.response_valid.val() && self.clearing.q.val().get_bit(WRITE_BITS);
        self.tag1.d.next = self.response_tag.val();
        self.code1.d.next = self.response_code.val();
        self.issued.read_address.next = self.tag1.q.val();
        self.answered.read_address.next = self.tag1.q.val();
        self.error1.next = self.code1.q.val().any();
        self.failed.next = self.error1.val() || self.answered.read_data.val().get_bit(0);
        self.full.next = self.issued.read_data.val().get_bit(0)
            && self.issued.read_data.val().get_bits::<2>(1) == self.answered.read_data.val().get_bits::<2>(1);
        self.count.next = self.answered.read_data.val().get_bits::<2>(1) + 1;
        self.answered.write_enable.next = self.valid1.q.val() || !self.clearing.q.val().get_bit(WRITE_BITS);
        self.answered.write_address.next = self.clearing.q.val().get_bits::<WRITE_BITS>(0);
        self.answered.write_data.next = bits::<3>(0);
        if self.clearing.q.val().get_bit(WRITE_BITS) {
            self.answered.write_address.next = self.tag1.q.val();
            if !self.full.val() {
                self.answered.write_data.next = (bit_cast::<3, 2>(self.count.val()) << 1) | bit_cast::<3, 1>(self.failed.val().into());
            }
        }
        self.valid2.d.next = self.valid1.q.val() && self.full.val();
        self.tag2.d.next = self.tag1.q.val();
        self.ok2.d.next = !self.failed.val();
        self.done_valid.next = self.valid2.q.val();
        self.done_tag.next = self.tag2.q.val();
        self.done_ok.next = self.ok2.q.val();
        self.seen.next = self.valid1.q.val();
        self.error.next = self.valid1.q.val() && self.error1.val();
        self.error_tag.next = self.tag1.q.val();
        self.error_code.next = self.code1.q.val();
    }
}
