use crate::bus::{Frames, FramesSink};
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
    pub a: FramesSink<DATA_WIDTH, DATA_BYTES>,
    #[port = "b"]
    pub b_frames: FramesSink<DATA_WIDTH, DATA_BYTES>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
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
            self.b.next = self.b_frames.valid.val() && !(self.a.valid.val() && self.with_b.q.val());
        }
        self.valid.next = self.a.valid.val();
        self.last.next = self.a.last.val();
        self.out.data.next = self.a.data.val();
        self.out.keep.next = self.a.keep.val();
        if self.b.val() {
            self.valid.next = self.b_frames.valid.val();
            self.last.next = self.b_frames.last.val();
            self.out.data.next = self.b_frames.data.val();
            self.out.keep.next = self.b_frames.keep.val();
        }
        self.out.valid.next = self.valid.val();
        self.out.last.next = self.last.val();
        self.a.ready.next = self.out.ready.val() && !self.b.val();
        self.b_frames.ready.next = self.out.ready.val() && self.b.val();
        if self.valid.val() {
            self.inside.d.next = !(self.out.ready.val() && self.last.val());
            self.with_b.d.next = self.b.val();
        }
    }
}
