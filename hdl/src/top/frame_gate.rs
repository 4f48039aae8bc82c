use crate::primitives::State;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Lets whole frames pass, or none: the switch in front of a parser.
///
/// Whether a frame passes is decided by `enable` at its first beat; what does not pass is taken and thrown away. `cut` throws away the rest
/// of the frame that is passing: what stands behind is about to be reset. The beat of the clock with `cut` may still pass.
/// Latency: 0 clocks; `in_ready` depends on registers, `enable` and `out_ready`. Throughput: one beat per clock. Reset: the next beat
/// begins a frame.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct FrameGate {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// frames may pass
    pub enable: Signal<In, Bit>,
    /// the frame that is passing ends here
    pub cut: Signal<In, Bit>,
    /// a beat of a frame
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// the beat passes
    pub out_valid: Signal<Out, Bit>,
    /// it is taken behind the gate
    pub out_ready: Signal<In, Bit>,
    /// in the clock after: a frame has passed
    pub passed: Signal<Out, Bit>,
    // A frame is under way.
    inside: State<Bit>,
    // It passes.
    passing: State<Bit>,
    counted: State<Bit>,
    passes: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
}

impl Logic for FrameGate {
    #[kernel]
    fn update(&mut self) {
        self.passes.next = self.enable.val();
        if self.inside.q.val() {
            self.passes.next = self.passing.q.val();
        }
        self.out_valid.next = self.in_valid.val() && self.passes.val();
        self.taken.next = self.out_ready.val() || !self.passes.val();
        self.in_ready.next = self.taken.val();
        if self.in_valid.val() && self.taken.val() {
            self.inside.d.next = !self.in_last.val();
            self.passing.d.next = self.passes.val();
        }
        if self.cut.val() {
            self.passing.d.next = false;
        }
        self.counted.d.next = self.in_valid.val() && self.out_ready.val() && self.passes.val() && self.in_last.val();
        self.passed.next = self.counted.q.val();
    }
}
