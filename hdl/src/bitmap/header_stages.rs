use super::some;
use crate::primitives::Reg;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a header carries through the stages of `BitmapPipeline`.
///
/// With groups of packets, numbers are less by the phase of their queue pair from stage 3 to stage 8.
/// Latency: as many clocks as the number of an output. Throughput: one per clock. What has passed stays until something else does.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct HeaderStages<const NODE_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// queue pair
    pub qp0: Signal<In, Bits<NODE_BITS>>,
    /// packet sequence number
    pub psn0: Signal<In, Bits<24>>,
    /// path and retransmission flag
    pub tag0: Signal<In, Bits<5>>,
    /// packet sequence number, 3 clocks later
    pub psn3: Signal<Out, Bits<24>>,
    /// packet sequence number, 4 clocks later
    pub psn4: Signal<Out, Bits<24>>,
    /// packet sequence number, 5 clocks later
    pub psn5: Signal<Out, Bits<24>>,
    /// packet sequence number, 6 clocks later
    pub psn6: Signal<Out, Bits<24>>,
    /// packet sequence number, 9 clocks later
    pub psn9: Signal<Out, Bits<24>>,
    /// queue pair, 1 clock later
    pub qp1: Signal<Out, Bits<NODE_BITS>>,
    /// queue pair, 3 clocks later
    pub qp3: Signal<Out, Bits<NODE_BITS>>,
    /// queue pair, 8 clocks later
    pub qp8: Signal<Out, Bits<NODE_BITS>>,
    /// queue pair, 9 clocks later
    pub qp9: Signal<Out, Bits<NODE_BITS>>,
    /// path and retransmission flag, 9 clocks later
    pub tag9: Signal<Out, Bits<5>>,
    /// groups: phase of the queue pair of stage 1
    pub phase1: Vec<Signal<In, Bits<3>>>,
    /// groups: phase, 8 clocks later
    pub phase8: Vec<Signal<Out, Bits<24>>>,
    /// groups: phase, 9 clocks later
    pub phase9: Vec<Signal<Out, Bits<3>>>,
    /// groups: queue pair, 5 clocks later
    pub qp5: Vec<Signal<Out, Bits<NODE_BITS>>>,
    /// groups: packet sequence number, 7 clocks later
    pub psn7: Vec<Signal<Out, Bits<24>>>,
    qp_1: Reg<Bits<NODE_BITS>>,
    qp_2: Reg<Bits<NODE_BITS>>,
    qp_3: Reg<Bits<NODE_BITS>>,
    qp_4: Reg<Bits<NODE_BITS>>,
    qp_5: Reg<Bits<NODE_BITS>>,
    qp_6: Reg<Bits<NODE_BITS>>,
    qp_7: Reg<Bits<NODE_BITS>>,
    qp_8: Reg<Bits<NODE_BITS>>,
    qp_9: Reg<Bits<NODE_BITS>>,
    psn_1: Reg<Bits<24>>,
    psn_2: Reg<Bits<24>>,
    psn_3: Reg<Bits<24>>,
    psn_4: Reg<Bits<24>>,
    psn_5: Reg<Bits<24>>,
    psn_6: Reg<Bits<24>>,
    psn_7: Reg<Bits<24>>,
    psn_8: Reg<Bits<24>>,
    psn_9: Reg<Bits<24>>,
    tag_1: Reg<Bits<5>>,
    tag_2: Reg<Bits<5>>,
    tag_3: Reg<Bits<5>>,
    tag_4: Reg<Bits<5>>,
    tag_5: Reg<Bits<5>>,
    tag_6: Reg<Bits<5>>,
    tag_7: Reg<Bits<5>>,
    tag_8: Reg<Bits<5>>,
    tag_9: Reg<Bits<5>>,
    phase_2: Vec<Reg<Bits<3>>>,
    phase_3: Vec<Reg<Bits<3>>>,
    phase_4: Vec<Reg<Bits<3>>>,
    phase_5: Vec<Reg<Bits<3>>>,
    phase_6: Vec<Reg<Bits<3>>>,
    phase_7: Vec<Reg<Bits<3>>>,
    phase_8: Vec<Reg<Bits<3>>>,
    phase_9: Vec<Reg<Bits<3>>>,
    wide2: Vec<Signal<Local, Bits<24>>>,
    wide8: Vec<Signal<Local, Bits<24>>>,
    #[variant]
    _groups: usize,
}

impl<const NODE_BITS: usize> HeaderStages<NODE_BITS> {
    /// With groups of packets (1) or without (0).
    pub fn with_groups(groups: usize) -> Self {
        Self {
            phase1: some(groups),
            phase8: some(groups),
            phase9: some(groups),
            qp5: some(groups),
            psn7: some(groups),
            phase_2: some(groups),
            phase_3: some(groups),
            phase_4: some(groups),
            phase_5: some(groups),
            phase_6: some(groups),
            phase_7: some(groups),
            phase_8: some(groups),
            phase_9: some(groups),
            wide2: some(groups),
            wide8: some(groups),
            _groups: groups,
            ..Self::default()
        }
    }
}

impl<const NODE_BITS: usize> Logic for HeaderStages<NODE_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.qp_1.d.next = self.qp0.val();
        self.qp_2.d.next = self.qp_1.q.val();
        self.qp_3.d.next = self.qp_2.q.val();
        self.qp_4.d.next = self.qp_3.q.val();
        self.qp_5.d.next = self.qp_4.q.val();
        self.qp_6.d.next = self.qp_5.q.val();
        self.qp_7.d.next = self.qp_6.q.val();
        self.qp_8.d.next = self.qp_7.q.val();
        self.qp_9.d.next = self.qp_8.q.val();
        self.psn_1.d.next = self.psn0.val();
        self.psn_2.d.next = self.psn_1.q.val();
        self.psn_3.d.next = self.psn_2.q.val();
        self.psn_4.d.next = self.psn_3.q.val();
        self.psn_5.d.next = self.psn_4.q.val();
        self.psn_6.d.next = self.psn_5.q.val();
        self.psn_7.d.next = self.psn_6.q.val();
        self.psn_8.d.next = self.psn_7.q.val();
        self.psn_9.d.next = self.psn_8.q.val();
        self.tag_1.d.next = self.tag0.val();
        self.tag_2.d.next = self.tag_1.q.val();
        self.tag_3.d.next = self.tag_2.q.val();
        self.tag_4.d.next = self.tag_3.q.val();
        self.tag_5.d.next = self.tag_4.q.val();
        self.tag_6.d.next = self.tag_5.q.val();
        self.tag_7.d.next = self.tag_6.q.val();
        self.tag_8.d.next = self.tag_7.q.val();
        self.tag_9.d.next = self.tag_8.q.val();
        self.psn3.next = self.psn_3.q.val();
        self.psn4.next = self.psn_4.q.val();
        self.psn5.next = self.psn_5.q.val();
        self.psn6.next = self.psn_6.q.val();
        self.psn9.next = self.psn_9.q.val();
        self.qp1.next = self.qp_1.q.val();
        self.qp3.next = self.qp_3.q.val();
        self.qp8.next = self.qp_8.q.val();
        self.qp9.next = self.qp_9.q.val();
        self.tag9.next = self.tag_9.q.val();

        for g in 0..self._groups {
            self.phase_2[g].d.next = self.phase1[g].val();
            self.phase_3[g].d.next = self.phase_2[g].q.val();
            self.phase_4[g].d.next = self.phase_3[g].q.val();
            self.phase_5[g].d.next = self.phase_4[g].q.val();
            self.phase_6[g].d.next = self.phase_5[g].q.val();
            self.phase_7[g].d.next = self.phase_6[g].q.val();
            self.phase_8[g].d.next = self.phase_7[g].q.val();
            self.phase_9[g].d.next = self.phase_8[g].q.val();
            self.wide2[g].next = bits::<24>(0);
            self.wide8[g].next = bits::<24>(0);
            for b in 0..3 {
                self.wide2[g].next = self.wide2[g].val().replace_bit(b, self.phase_2[g].q.val().get_bit(b));
                self.wide8[g].next = self.wide8[g].val().replace_bit(b, self.phase_8[g].q.val().get_bit(b));
            }
            self.psn_3.d.next = self.psn_2.q.val() - self.wide2[g].val();
            self.psn_9.d.next = self.psn_8.q.val() + self.wide8[g].val();
            self.phase8[g].next = self.wide8[g].val();
            self.phase9[g].next = self.phase_9[g].q.val();
            self.qp5[g].next = self.qp_5.q.val();
            self.psn7[g].next = self.psn_7.q.val();
        }
    }
}
