use crate::primitives::{LutRam, Reg};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Windows that move in steps: whether a packet that lies less than a window's length beyond the base lies in front of the window's end
/// too.
///
/// A window begins at a multiple of `step` from its first number, at its base or before; so its end is as much nearer to the base, see
/// `BitmapPipeline`, whose stages the numbers of the ports are those of. There are two bases of which one counts.
/// Latency: 3 clocks from the queue pair to the answer. Reset: none; `step` counts a clock later.
/// Spec: bitmap loss detection, "Receiver", slide step.
///
/// `SEGMENT_BITS` is the width of a position in a segment, `L` = `2^WINDOW_PSN_BITS` packets of a window.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct WindowSteps<const NODE_BITS: usize, const SEGMENT_BITS: usize, const WINDOW_PSN_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// packets of a step, a power of two up to those of a segment, else the one below
    pub step: Signal<In, Bits<7>>,
    /// a queue pair is opened
    pub open: Signal<In, Bit>,
    /// queue pair of `open`
    pub open_qp: Signal<In, Bits<NODE_BITS>>,
    /// first number of `open`
    pub open_psn: Signal<In, Bits<24>>,
    /// queue pair of a packet
    pub qp1: Signal<In, Bits<NODE_BITS>>,
    /// its base, 2 clocks later
    pub first3: Signal<In, Bits<24>>,
    /// the other one
    pub second3: Signal<In, Bits<24>>,
    /// that one counts
    pub second_counts4: Signal<In, Bit>,
    /// how far the packet lies beyond the base, less than half of all numbers
    pub beyond_first4: Signal<In, Bits<24>>,
    /// ... beyond the other one
    pub beyond_second4: Signal<In, Bits<24>>,
    /// it lies in front of the window's end, if it is less than a window's length beyond the base
    pub inside4: Signal<Out, Bit>,
    // Where the first number of each queue pair lies in a step.
    phases: LutRam<SEGMENT_BITS, NODE_BITS>,
    smeared: Signal<Local, Bits<7>>,
    mask: Reg<Bits<SEGMENT_BITS>>,
    phase2: Reg<Bits<SEGMENT_BITS>>,
    phase3: Reg<Bits<SEGMENT_BITS>>,
    // From the window's beginning to its base.
    done_first4: Reg<Bits<SEGMENT_BITS>>,
    done_second4: Reg<Bits<SEGMENT_BITS>>,
    from_first4: Signal<Local, Bits<24>>,
    from_second4: Signal<Local, Bits<24>>,
}

impl<const NODE_BITS: usize, const SEGMENT_BITS: usize, const WINDOW_PSN_BITS: usize> Logic
    for WindowSteps<NODE_BITS, SEGMENT_BITS, WINDOW_PSN_BITS>
{
    #[kernel]
    fn update(&mut self) {
        self.smeared.next = (self.step.val() >> 1)
            | (self.step.val() >> 2)
            | (self.step.val() >> 3)
            | (self.step.val() >> 4)
            | (self.step.val() >> 5)
            | (self.step.val() >> 6);
        self.mask.d.next = self.smeared.val().get_bits::<SEGMENT_BITS>(0);
        self.phases.write_enable.next = self.open.val();
        self.phases.write_address.next = self.open_qp.val();
        self.phases.write_data.next = self.open_psn.val().get_bits::<SEGMENT_BITS>(0);
        self.phases.read_address.next = self.qp1.val();
        self.phase2.d.next = self.phases.read_data.val();
        self.phase3.d.next = self.phase2.q.val();
        self.done_first4.d.next = (self.first3.val().get_bits::<SEGMENT_BITS>(0) - self.phase3.q.val()) & self.mask.q.val();
        self.done_second4.d.next = (self.second3.val().get_bits::<SEGMENT_BITS>(0) - self.phase3.q.val()) & self.mask.q.val();
        self.from_first4.next = bit_cast::<24, WINDOW_PSN_BITS>(self.beyond_first4.val().get_bits::<WINDOW_PSN_BITS>(0))
            + bit_cast::<24, SEGMENT_BITS>(self.done_first4.q.val());
        self.from_second4.next = bit_cast::<24, WINDOW_PSN_BITS>(self.beyond_second4.val().get_bits::<WINDOW_PSN_BITS>(0))
            + bit_cast::<24, SEGMENT_BITS>(self.done_second4.q.val());
        self.inside4.next = !self.from_first4.val().get_bit(WINDOW_PSN_BITS);
        if self.second_counts4.val() {
            self.inside4.next = !self.from_second4.val().get_bit(WINDOW_PSN_BITS);
        }
    }
}
