use crate::primitives::{FifoLut, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What the host is told of its commands: ends and refusals, in turn.
///
/// Who takes a command asks first (`ready`): there is room for the answer to every command that was taken, so neither an end nor a refusal
/// waits to enter. A refusal has status 48 + reason and 0 bytes, and gives its command's place back as it leaves the queue.
/// Latency: 2 clocks. Throughput: one answer per clock. Reset: nothing is owed.
/// Spec: send path, "Decided".
///
/// Parameters: `COMMAND_BITS` bits of a place, `2^COMMAND_BITS` answers, `COMMAND_COUNT_BITS` = `COMMAND_BITS + 1`, `COMMAND_ANSWER_BITS` =
/// `COMMAND_BITS + 19`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct HostAnswers<const COMMAND_BITS: usize, const COMMAND_COUNT_BITS: usize, const COMMAND_ANSWER_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a command may be taken
    pub ready: Signal<Out, Bit>,
    /// one is taken
    pub accept: Signal<In, Bit>,
    /// a command is over
    pub over_valid: Signal<In, Bit>,
    /// number of `over`
    pub over_id: Signal<In, Bits<16>>,
    /// status of `over`
    pub over_status: Signal<In, Bits<8>>,
    /// bytes of `over`
    pub over_total: Signal<In, Bits<32>>,
    /// a command is refused
    pub refused_valid: Signal<In, Bit>,
    /// place of `refused`
    pub refused_index: Signal<In, Bits<COMMAND_BITS>>,
    /// number of `refused`
    pub refused_id: Signal<In, Bits<16>>,
    /// why
    pub refused_reason: Signal<In, Bits<3>>,
    /// a place comes back
    pub back_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `back_valid` is high too
    pub back_ready: Signal<In, Bit>,
    /// index of `back`
    pub back_index: Signal<Out, Bits<COMMAND_BITS>>,
    /// the host is to be told
    pub completion_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `completion_valid` is high too
    pub completion_ready: Signal<In, Bit>,
    /// the host's number of the command
    pub completion_id: Signal<Out, Bits<16>>,
    /// 0 done, 48 to 53 refused, else why its first operation failed
    pub completion_status: Signal<Out, Bits<8>>,
    /// bytes of the command, 0 if it was refused
    pub completion_bytes: Signal<Out, Bits<32>>,

    // status 8, number 16, bytes 32
    overs: FifoLut<56, COMMAND_BITS, COMMAND_COUNT_BITS>,
    // reason 3, number 16, place CW
    refusals: FifoLut<COMMAND_ANSWER_BITS, COMMAND_BITS, COMMAND_COUNT_BITS>,
    // Commands taken whose answer is not.
    owed: State<Bits<COMMAND_COUNT_BITS>>,
    step: Signal<Local, Bits<COMMAND_COUNT_BITS>>,
    full: Signal<Local, Bit>,
    out: State<Bit>,
    out_id: Reg<Bits<16>>,
    out_status: Reg<Bits<8>>,
    out_bytes: Reg<Bits<32>>,
    refusal_next: State<Bit>,
    leaves: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    refuses: Signal<Local, Bit>,
}

impl<const COMMAND_BITS: usize, const COMMAND_COUNT_BITS: usize, const COMMAND_ANSWER_BITS: usize>
    HostAnswers<COMMAND_BITS, COMMAND_COUNT_BITS, COMMAND_ANSWER_BITS>
{
    /// A new one.
    /// # Panics
    /// A parameter does not follow from the others.
    pub fn new() -> Self {
        assert!(
            COMMAND_COUNT_BITS == COMMAND_BITS + 1 && COMMAND_ANSWER_BITS == COMMAND_BITS + 19,
            "HostAnswers: COMMAND_COUNT_BITS = {COMMAND_COUNT_BITS}, COMMAND_ANSWER_BITS = {COMMAND_ANSWER_BITS} with COMMAND_BITS = {COMMAND_BITS}, must be {}, {}",
            COMMAND_BITS + 1,
            COMMAND_BITS + 19
        );
        Self::default()
    }
}

impl<const COMMAND_BITS: usize, const COMMAND_COUNT_BITS: usize, const COMMAND_ANSWER_BITS: usize> Logic
    for HostAnswers<COMMAND_BITS, COMMAND_COUNT_BITS, COMMAND_ANSWER_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.overs.in_valid.next = self.over_valid.val();
        self.overs.in_data.next = bit_cast::<56, 8>(self.over_status.val())
            | (bit_cast::<56, 16>(self.over_id.val()) << 8)
            | (bit_cast::<56, 32>(self.over_total.val()) << 24);
        self.refusals.in_valid.next = self.refused_valid.val();
        self.refusals.in_data.next = bit_cast::<COMMAND_ANSWER_BITS, 3>(self.refused_reason.val())
            | (bit_cast::<COMMAND_ANSWER_BITS, 16>(self.refused_id.val()) << 3)
            | (bit_cast::<COMMAND_ANSWER_BITS, COMMAND_BITS>(self.refused_index.val()) << 19);

        self.loads.next = !self.out.q.val() || self.completion_ready.val();
        self.refuses.next =
            self.refusals.out_valid.val() && self.back_ready.val() && (self.refusal_next.q.val() || !self.overs.out_valid.val());
        self.refusals.out_ready.next = self.loads.val() && self.refuses.val();
        self.overs.out_ready.next = self.loads.val() && !self.refuses.val();
        self.back_valid.next = self.loads.val() && self.refuses.val();
        self.back_index.next = self.refusals.out_data.val().get_bits::<COMMAND_BITS>(19);
        if self.loads.val() {
            self.out.d.next = self.overs.out_valid.val() || self.refuses.val();
            self.out_status.d.next = self.overs.out_data.val().get_bits::<8>(0);
            self.out_id.d.next = self.overs.out_data.val().get_bits::<16>(8);
            self.out_bytes.d.next = self.overs.out_data.val().get_bits::<32>(24);
            if self.overs.out_valid.val() {
                self.refusal_next.d.next = true;
            }
            if self.refuses.val() {
                self.refusal_next.d.next = false;
                self.out_status.d.next = bit_cast::<8, 3>(self.refusals.out_data.val().get_bits::<3>(0)) | bits::<8>(48);
                self.out_id.d.next = self.refusals.out_data.val().get_bits::<16>(3);
                self.out_bytes.d.next = bits::<32>(0);
            }
        }
        self.completion_valid.next = self.out.q.val();
        self.completion_id.next = self.out_id.q.val();
        self.completion_status.next = self.out_status.q.val();
        self.completion_bytes.next = self.out_bytes.q.val();

        // Full is 2^CW, the only count with its top bit set. One adder for both directions: plus one, or plus all ones.
        self.full.next = self.owed.q.val().get_bit(COMMAND_BITS);
        self.ready.next = !self.full.val();
        self.leaves.next = self.out.q.val() && self.completion_ready.val();
        self.step.next = bits::<COMMAND_COUNT_BITS>(1);
        if self.leaves.val() {
            self.step.next = !bits::<COMMAND_COUNT_BITS>(0);
        }
        if self.accept.val() != self.leaves.val() {
            self.owed.d.next = self.owed.q.val() + self.step.val();
        }
    }
}
