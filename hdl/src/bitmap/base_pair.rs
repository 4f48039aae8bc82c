use crate::primitives::BlockRam;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The base of each queue pair's window: two words, of which the later in serial order counts.
///
/// Two writers, each with a memory of its own, so that neither ever waits: the pipeline writes `first` as packets arrive, the engine that
/// moves the window over whole segments writes `second`. Either writes only what is later than both.
/// Latency: 2 clocks. Throughput: one read and a write of each per clock. Contents are unknown until written.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct BasePair<const NODE_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// queue pair to read
    pub read_address: Signal<In, Bits<NODE_BITS>>,
    /// what the pipeline has written, 2 clocks later
    pub first: Signal<Out, Bits<24>>,
    /// what the engine has written
    pub second: Signal<Out, Bits<24>>,
    /// `second` counts
    pub second_counts: Signal<Out, Bit>,
    /// the pipeline writes
    pub first_write: Signal<In, Bit>,
    /// queue pair
    pub first_address: Signal<In, Bits<NODE_BITS>>,
    /// base of `first`
    pub first_data: Signal<In, Bits<24>>,
    /// the engine writes
    pub second_write: Signal<In, Bit>,
    /// queue pair
    pub second_address: Signal<In, Bits<NODE_BITS>>,
    /// base of `second`
    pub second_data: Signal<In, Bits<24>>,
    firsts: BlockRam<24, NODE_BITS, 1>,
    seconds: BlockRam<24, NODE_BITS, 1>,
    ahead: Signal<Local, Bits<24>>,
}

impl<const NODE_BITS: usize> Logic for BasePair<NODE_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.firsts.read_address.next = self.read_address.val();
        self.firsts.write_enable.next = self.first_write.val();
        self.firsts.write_address.next = self.first_address.val();
        self.firsts.write_data.next = self.first_data.val();
        self.seconds.read_address.next = self.read_address.val();
        self.seconds.write_enable.next = self.second_write.val();
        self.seconds.write_address.next = self.second_address.val();
        self.seconds.write_data.next = self.second_data.val();
        self.first.next = self.firsts.read_data.val();
        self.second.next = self.seconds.read_data.val();
        self.ahead.next = self.seconds.read_data.val() - self.firsts.read_data.val();
        self.second_counts.next = !self.ahead.val().get_bit(23);
    }
}
