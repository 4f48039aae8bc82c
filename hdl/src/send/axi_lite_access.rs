use crate::bus::CdmaBus;
use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// AXI4-Lite master for one access at a time to registers of 32 bits: reads and writes in the order in which they are asked for, the next
/// after the answer of the one before.
///
/// What is offered on the bus stays until it is taken, whatever happens to the asker.
/// Latency: 1 clock to the bus, 1 from the bus. Throughput: one access per 4 clocks. Reset: nothing under way; a bus that was in the middle
/// of an access must be reset too.
///
/// Parameter: `OFFSET_BITS` bits of an offset.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct AxiLiteAccess<const OFFSET_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an access
    pub access_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `access_valid` is high too
    pub access_ready: Signal<Out, Bit>,
    /// write, else read
    pub access_write: Signal<In, Bit>,
    /// byte address of the register
    pub access_offset: Signal<In, Bits<OFFSET_BITS>>,
    /// value to write
    pub access_data: Signal<In, Bits<32>>,
    /// the access is done; always taken
    pub answer_valid: Signal<Out, Bit>,
    /// value read
    pub answer_data: Signal<Out, Bits<32>>,
    /// the bus answered SLVERR or DECERR
    pub answer_error: Signal<Out, Bit>,
    pub m_axi_lite: CdmaBus<OFFSET_BITS>,
    aw: State<Bit>,
    w: State<Bit>,
    ar: State<Bit>,
    offset: Reg<Bits<OFFSET_BITS>>,
    data: Reg<Bits<32>>,
    writes: State<Bit>,
    reads: State<Bit>,
    answered: State<Bit>,
    value: Reg<Bits<32>>,
    failed: Reg<Bit>,
    takes_b: Signal<Local, Bit>,
    takes_r: Signal<Local, Bit>,
}

impl<const OFFSET_BITS: usize> Logic for AxiLiteAccess<OFFSET_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.access_ready.next = !self.writes.q.val() && !self.reads.q.val();
        if self.m_axi_lite.awready.val() {
            self.aw.d.next = false;
        }
        if self.m_axi_lite.wready.val() {
            self.w.d.next = false;
        }
        if self.m_axi_lite.arready.val() {
            self.ar.d.next = false;
        }
        // Nothing is answered before it has been asked.
        self.takes_b.next = self.writes.q.val() && !self.aw.q.val() && !self.w.q.val();
        self.takes_r.next = self.reads.q.val() && !self.ar.q.val();
        self.answered.d.next = false;
        self.value.d.next = self.m_axi_lite.rdata.val();
        self.failed.d.next = self.m_axi_lite.rresp.val().get_bit(1);
        if self.takes_r.val() && self.m_axi_lite.rvalid.val() {
            self.reads.d.next = false;
            self.answered.d.next = true;
        }
        if self.takes_b.val() && self.m_axi_lite.bvalid.val() {
            self.writes.d.next = false;
            self.answered.d.next = true;
            self.failed.d.next = self.m_axi_lite.bresp.val().get_bit(1);
        }
        if self.access_valid.val() && !self.writes.q.val() && !self.reads.q.val() {
            self.offset.d.next = self.access_offset.val();
            self.data.d.next = self.access_data.val();
            self.writes.d.next = self.access_write.val();
            self.reads.d.next = !self.access_write.val();
            self.aw.d.next = self.access_write.val();
            self.w.d.next = self.access_write.val();
            self.ar.d.next = !self.access_write.val();
        }
        self.answer_valid.next = self.answered.q.val();
        self.answer_data.next = self.value.q.val();
        self.answer_error.next = self.failed.q.val();
        self.m_axi_lite.awvalid.next = self.aw.q.val();
        self.m_axi_lite.awaddr.next = self.offset.q.val();
        self.m_axi_lite.wvalid.next = self.w.q.val();
        self.m_axi_lite.wdata.next = self.data.q.val();
        self.m_axi_lite.bready.next = self.takes_b.val();
        self.m_axi_lite.arvalid.next = self.ar.q.val();
        self.m_axi_lite.araddr.next = self.offset.q.val();
        self.m_axi_lite.rready.next = self.takes_r.val();
    }
}
