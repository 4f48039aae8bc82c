use crate::primitives::State;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Limits of the tolerance times the factor by which they are relaxed while packets may have overtaken each other on different paths.
///
/// One addition per clock: a change of a register counts 2 times `relax` and 2 clocks later at most. What is too much for a comparison
/// stays at half of what can be told, which no gap reaches. Reset: zero, until the first sums are there.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct RelaxedLimits {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the factor, 1 to 16
    pub relax: Signal<In, Bits<5>>,
    /// packets that a gap may be deep
    pub depth: Signal<In, Bits<22>>,
    /// ticks that a gap may be open, less than 2^31
    pub wait_ticks: Signal<In, Bits<32>>,
    /// ticks that the gap at the base may hold it, less than 2^31
    pub stall: Signal<In, Bits<32>>,
    /// packets that may be accepted meanwhile
    pub stall_packets: Signal<In, Bits<22>>,
    /// depth, relaxed
    pub relaxed_depth: Signal<Out, Bits<24>>,
    /// ticks open, relaxed
    pub relaxed_wait: Signal<Out, Bits<32>>,
    /// ticks at the base, relaxed
    pub relaxed_stall: Signal<Out, Bits<32>>,
    /// packets meanwhile, relaxed
    pub relaxed_packets: Signal<Out, Bits<24>>,
    count: State<Bits<5>>,
    depth_sum: State<Bits<24>>,
    wait_sum: State<Bits<32>>,
    stall_sum: State<Bits<32>>,
    packets_sum: State<Bits<24>>,
    depth_next: Signal<Local, Bits<24>>,
    wait_next: Signal<Local, Bits<32>>,
    stall_next: Signal<Local, Bits<32>>,
    packets_next: Signal<Local, Bits<24>>,
    depth_out: State<Bits<24>>,
    wait_out: State<Bits<32>>,
    stall_out: State<Bits<32>>,
    packets_out: State<Bits<24>>,
}

impl Logic for RelaxedLimits {
    #[kernel]
    fn update(&mut self) {
        self.relaxed_depth.next = self.depth_out.q.val();
        self.relaxed_wait.next = self.wait_out.q.val();
        self.relaxed_stall.next = self.stall_out.q.val();
        self.relaxed_packets.next = self.packets_out.q.val();
        self.depth_next.next = self.depth_sum.q.val() + bit_cast::<24, 22>(self.depth.val());
        self.wait_next.next = self.wait_sum.q.val() + self.wait_ticks.val();
        self.stall_next.next = self.stall_sum.q.val() + self.stall.val();
        self.packets_next.next = self.packets_sum.q.val() + bit_cast::<24, 22>(self.stall_packets.val());
        self.count.d.next = self.count.q.val() + 1;
        self.depth_sum.d.next = self.depth_next.val();
        if self.depth_next.val().get_bit(23) {
            self.depth_sum.d.next = bits::<24>(0x7f_ffff);
        }
        self.wait_sum.d.next = self.wait_next.val();
        if self.wait_next.val().get_bit(31) {
            self.wait_sum.d.next = bits::<32>(0x7fff_ffff);
        }
        self.stall_sum.d.next = self.stall_next.val();
        if self.stall_next.val().get_bit(31) {
            self.stall_sum.d.next = bits::<32>(0x7fff_ffff);
        }
        self.packets_sum.d.next = self.packets_next.val();
        if self.packets_next.val().get_bit(23) {
            self.packets_sum.d.next = bits::<24>(0x7f_ffff);
        }
        if self.count.q.val() >= self.relax.val() {
            self.count.d.next = bits::<5>(0);
            self.depth_out.d.next = self.depth_sum.q.val();
            self.wait_out.d.next = self.wait_sum.q.val();
            self.stall_out.d.next = self.stall_sum.q.val();
            self.packets_out.d.next = self.packets_sum.q.val();
            self.depth_sum.d.next = bits::<24>(0);
            self.wait_sum.d.next = bits::<32>(0);
            self.stall_sum.d.next = bits::<32>(0);
            self.packets_sum.d.next = bits::<24>(0);
        }
    }
}
