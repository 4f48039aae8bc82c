use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Brings the buses to rest before what drives them is reset: a master that forgets its bursts leaves an interconnect that waits for ever.
///
/// From `request` on no burst and no frame begins; when every burst has been answered, no frame is half out and `hold` is low, `restart` is
/// high for one clock and all goes on. It waits as long as the bus, or the taker of frames, does. `restart` is a register, fit to be the
/// reset of everything behind; it is high in `rst` too, and one clock longer.
/// Latency: at least 2 clocks from `request` to `restart`. Reset: at rest.
///
/// Parameter: `COUNT_BITS` bits of the number of bursts without response.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct BusDrain<const COUNT_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// bring it to rest and restart
    pub request: Signal<In, Bit>,
    /// it is being brought to rest: no burst may begin
    pub draining: Signal<Out, Bit>,
    /// reset what drives the buses
    pub restart: Signal<Out, Bit>,
    /// a bus of which other blocks know is not at rest
    pub hold: Signal<In, Bit>,
    /// a burst begins
    pub begins: Signal<In, Bit>,
    /// a burst is answered
    pub answered: Signal<In, Bit>,
    /// a beat of a frame is there
    pub frame_valid: Signal<In, Bit>,
    /// the bus takes one
    pub frame_ready: Signal<In, Bit>,
    /// it is the last of its frame
    pub frame_last: Signal<In, Bit>,
    /// the beat goes to the bus
    pub frame_passes: Signal<Out, Bit>,
    waits: State<Bit>,
    fires: Reg<Bit>,
    open: State<Bits<COUNT_BITS>>,
    // The bus has seen a beat of a frame and not its end: it may not be taken back.
    inside: State<Bit>,
    passes: Signal<Local, Bit>,
}

impl<const COUNT_BITS: usize> Logic for BusDrain<COUNT_BITS> {
    #[kernel]
    fn update(&mut self) {
        if self.begins.val() && !self.answered.val() {
            self.open.d.next = self.open.q.val() + 1;
        }
        if !self.begins.val() && self.answered.val() {
            self.open.d.next = self.open.q.val() - 1;
        }
        self.passes.next = self.frame_valid.val() && (self.inside.q.val() || !self.waits.q.val());
        self.frame_passes.next = self.passes.val();
        if self.passes.val() {
            self.inside.d.next = !(self.frame_ready.val() && self.frame_last.val());
        }
        self.fires.d.next =
            self.waits.q.val() && !self.fires.q.val() && !self.open.q.val().any() && !self.inside.q.val() && !self.hold.val();
        if self.request.val() {
            self.waits.d.next = true;
        }
        if self.fires.q.val() {
            self.waits.d.next = false;
        }
        self.draining.next = self.waits.q.val();
        self.restart.next = self.fires.q.val();
        if self.rst.val() {
            self.fires.d.next = true;
        }
    }
}
