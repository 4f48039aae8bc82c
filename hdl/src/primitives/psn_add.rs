use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Packet sequence number some packets further on: `psn + packets` modulo 2^24.
///
/// The way back is the addition of the two's complement. To compare, or for the distance of two numbers, take `PsnCompare`.
/// Latency: 0 clocks, one 24-bit addition. Spec: Terms, "PSN".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct PsnAdd {
    /// packet sequence number
    pub psn: Signal<In, Bits<24>>,
    /// how many packets further
    pub packets: Signal<In, Bits<24>>,
    /// packet sequence number
    pub sum: Signal<Out, Bits<24>>,
}

impl Logic for PsnAdd {
    #[kernel]
    fn update(&mut self) {
        self.sum.next = self.psn.val() + self.packets.val();
    }
}
