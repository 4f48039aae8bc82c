use crate::primitives::State;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Two streams of frames as one, whole frames in turn.
///
/// Who has sent a frame lets the other go first. A frame that has been offered stays until its last beat is taken.
/// Latency: 0 clocks. Throughput: one beat per clock, frames back to back. Reset: the next beat begins a frame.
///
/// Parameters: `DATA_WIDTH` bits and `DATA_BYTES` bytes of a beat.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct FrameMerge<const DATA_WIDTH: usize, const DATA_BYTES: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat of a frame
    pub a_valid: Signal<In, Bit>,
    /// it is taken
    pub a_ready: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub a_data: Signal<In, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub a_keep: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub a_last: Signal<In, Bit>,
    /// a beat of a frame
    pub b_valid: Signal<In, Bit>,
    /// it is taken
    pub b_ready: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub b_data: Signal<In, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub b_keep: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub b_last: Signal<In, Bit>,
    /// a beat of a frame
    pub out_valid: Signal<Out, Bit>,
    /// it is taken
    pub out_ready: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub out_data: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub out_keep: Signal<Out, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub out_last: Signal<Out, Bit>,
    // A frame is under way or offered, and it is that of `b`.
    inside: State<Bit>,
    with_b: State<Bit>,
    b: Signal<Local, Bit>,
    valid: Signal<Local, Bit>,
    last: Signal<Local, Bit>,
}

impl<const DATA_WIDTH: usize, const DATA_BYTES: usize> Logic for FrameMerge<DATA_WIDTH, DATA_BYTES> {
    #[kernel]
    fn update(&mut self) {
        self.b.next = self.with_b.q.val();
        if !self.inside.q.val() {
            self.b.next = self.b_valid.val() && !(self.a_valid.val() && self.with_b.q.val());
        }
        self.valid.next = self.a_valid.val();
        self.last.next = self.a_last.val();
        self.out_data.next = self.a_data.val();
        self.out_keep.next = self.a_keep.val();
        if self.b.val() {
            self.valid.next = self.b_valid.val();
            self.last.next = self.b_last.val();
            self.out_data.next = self.b_data.val();
            self.out_keep.next = self.b_keep.val();
        }
        self.out_valid.next = self.valid.val();
        self.out_last.next = self.last.val();
        self.a_ready.next = self.out_ready.val() && !self.b.val();
        self.b_ready.next = self.out_ready.val() && self.b.val();
        if self.valid.val() {
            self.inside.d.next = !(self.out_ready.val() && self.last.val());
            self.with_b.d.next = self.b.val();
        }
    }
}
