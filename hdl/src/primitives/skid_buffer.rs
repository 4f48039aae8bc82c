use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Two words between two ends of a stream, so that no path runs through: `in_ready`, `out_valid` and `out_data` depend on registers
/// only.
///
/// One word is the output; the other takes what arrives in the clock in which the output stalls. It stores no more than that: for a
/// queue take `FifoLut` or `FifoBlock`; where `ready` may stay combinational, `Register` costs half.
/// Latency: 1 clock. Throughput: one per clock. Reset: empty; words offered during `rst` are lost.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct SkidBuffer<const WIDTH: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a word is offered
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// the word
    pub in_data: Signal<In, Bits<WIDTH>>,
    /// a word is there
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// the word
    pub out_data: Signal<Out, Bits<WIDTH>>,
    first: Reg<Bits<WIDTH>>,
    first_valid: State<Bit>,
    second: Reg<Bits<WIDTH>>,
    second_valid: State<Bit>,
}

impl<const WIDTH: usize> Logic for SkidBuffer<WIDTH> {
    #[kernel]
    fn update(&mut self) {
        self.in_ready.next = !self.second_valid.q.val();
        self.out_valid.next = self.first_valid.q.val();
        self.out_data.next = self.first.q.val();
        // Loaded in every clock in which it is free: whether the word counts is for `second_valid` to say.
        if !self.second_valid.q.val() {
            self.second.d.next = self.in_data.val();
        }
        if self.out_ready.val() || !self.first_valid.q.val() {
            self.first.d.next = self.in_data.val();
            if self.second_valid.q.val() {
                self.first.d.next = self.second.q.val();
            }
            self.first_valid.d.next = self.in_valid.val() || self.second_valid.q.val();
            self.second_valid.d.next = false;
        } else if self.in_valid.val() {
            self.second_valid.d.next = true;
        }
    }
}
