use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The head of a frame once its end has come: one whose frame is bad, or shorter than its IP packet, says `LR2_ELSE`.
///
/// Latency: 1 clock. Throughput: one head per clock. Reset: nothing comes.
/// Spec: LR2, "Flows", "Depot": a frame whose last beat says that it is bad moves nothing; wire format, "Reading frames".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Lr2HeadJudge {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a frame has ended
    pub in_valid: Signal<In, Bit>,
    /// bytes that came
    pub in_length: Signal<In, Bits<18>>,
    /// its last beat has said nothing bad
    pub in_sound: Signal<In, Bit>,
    /// nothing is wrong with its headers
    pub in_good: Signal<In, Bit>,
    /// bytes up to the end of its IP packet
    pub in_end: Signal<In, Bits<18>>,
    /// its head, the kind in the lowest four bits, the highest bit 0
    pub in_head: Signal<In, Bits<LR2_HEAD_BITS>>,
    /// a head is there
    pub out_valid: Signal<Out, Bit>,
    /// the head, in the highest bit whether the frame is bad
    pub out_head: Signal<Out, Bits<LR2_HEAD_BITS>>,

    valid: State<Bit>,
    whole: Reg<Bit>,
    sound: Reg<Bit>,
    good: Reg<Bit>,
    head: Reg<Bits<LR2_HEAD_BITS>>,
    kind: Signal<Local, Bits<4>>,
    rest: Signal<Local, Bits<LR2_HEAD_BITS>>,
    bad: Signal<Local, Bit>,
}

impl Logic for Lr2HeadJudge {
    #[kernel]
    fn update(&mut self) {
        self.valid.d.next = self.in_valid.val();
        self.whole.d.next = self.in_length.val() >= self.in_end.val();
        self.sound.d.next = self.in_sound.val();
        self.good.d.next = self.in_good.val();
        self.head.d.next = self.in_head.val();
        self.kind.next = self.head.q.val().get_bits::<4>(0);
        if !self.whole.q.val() || !self.sound.q.val() || !self.good.q.val() {
            self.kind.next = LR2_ELSE.to_bits::<4>();
        }
        self.out_valid.next = self.valid.q.val();
        self.rest.next = self.head.q.val() >> 4;
        self.bad.next = !self.sound.q.val();
        self.out_head.next = (self.rest.val() << 4)
            | bit_cast::<LR2_HEAD_BITS, 4>(self.kind.val())
            | (bit_cast::<LR2_HEAD_BITS, 1>(self.bad.val().into()) << (LR2_HEAD_BITS - 1).to_bits::<9>());
    }
}
