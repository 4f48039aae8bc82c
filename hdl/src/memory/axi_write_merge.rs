use crate::bus::{TaggedWrites, TaggedWritesSlave, WritesSlave};
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Two AXI4 write masters on one bus: `a` with IDs of its own, `b` without.
///
/// Addresses of `b` go first; it must be the one that has few. Data follows in the order of the addresses, so the data of a burst whose
/// address is not taken yet waits, and what `b` sends waits for all that `a` has announced. So `a` announces a burst only as it has a beat
/// to send, and at most two whose data has not all passed: `a` must offer its data without waiting for its address, as AXI4 asks. IDs on
/// the bus: `a`'s with a zero in front, `b`'s all zero with a one in front; responses go back by that bit.
/// Latency: 1 clock, data 1 clock behind its address at the earliest; responses 0. Throughput: one beat per clock, also from burst to
/// burst. At most 16 bursts whose data has not all passed. Reset: empty.
#[derive(Default, Described, LogicBlock)]
pub struct AxiWriteMerge {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    pub a_axi: TaggedWritesSlave<WRITE_BITS, DATA_WIDTH, DATA_BYTES>,
    pub b_axi: WritesSlave<DATA_WIDTH, DATA_BYTES>,
    /// writes to memory
    pub m_axi: TaggedWrites<WRITE_COUNT_BITS, DATA_WIDTH, DATA_BYTES>,
    /// 1: INCR
    pub m_axi_awburst: Signal<Out, Bits<2>>,

    // Whose data comes next: one bit per burst.
    order: FifoLut<1, 4, 5>,
    aw: Reg<Bits<MERGE_ADDRESS_BITS>>,
    aw_valid: State<Bit>,
    w: Reg<Bits<WRITE_BEAT_BITS>>,
    w_valid: State<Bit>,
    // Bursts of `a` whose data has not all passed.
    a_open: State<Bits<2>>,
    aw_moves: Signal<Local, Bit>,
    a_goes: Signal<Local, Bit>,
    a_ends: Signal<Local, Bit>,
    announced: Signal<Local, Bit>,
    w_moves: Signal<Local, Bit>,
    of_b: Signal<Local, Bit>,
    beat: Signal<Local, Bits<WRITE_BEAT_BITS>>,
    beat_valid: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    for_b: Signal<Local, Bit>,
}

impl AxiWriteMerge {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for AxiWriteMerge {
    #[kernel]
    fn update(&mut self) {
        self.aw_moves.next = (!self.aw_valid.q.val() || self.m_axi.awready.val()) && self.order.in_ready.val();
        self.b_axi.awready.next = self.aw_moves.val();
        self.a_goes.next = self.aw_moves.val() && !self.b_axi.awvalid.val() && self.a_axi.wvalid.val() && !self.a_open.q.val().get_bit(1);
        self.a_axi.awready.next = self.a_goes.val();
        self.announced.next = (self.a_axi.awvalid.val() && self.a_goes.val()) || (self.b_axi.awvalid.val() && self.aw_moves.val());
        if self.m_axi.awready.val() {
            self.aw_valid.d.next = false;
        }
        if self.aw_moves.val() {
            self.aw_valid.d.next = self.announced.val();
            self.aw.d.next = bit_cast::<MERGE_ADDRESS_BITS, 64>(self.a_axi.awaddr.val())
                | (bit_cast::<MERGE_ADDRESS_BITS, 8>(self.a_axi.awlen.val()) << 64)
                | (bit_cast::<MERGE_ADDRESS_BITS, WRITE_BITS>(self.a_axi.awid.val()) << 72);
            if self.b_axi.awvalid.val() {
                self.aw.d.next = bit_cast::<MERGE_ADDRESS_BITS, 64>(self.b_axi.awaddr.val())
                    | (bit_cast::<MERGE_ADDRESS_BITS, 8>(self.b_axi.awlen.val()) << 64)
                    | (bit_cast::<MERGE_ADDRESS_BITS, 1>(bits::<1>(1)) << (72 + WRITE_BITS).to_bits::<7>());
            }
        }
        self.m_axi.awvalid.next = self.aw_valid.q.val();
        self.m_axi.awaddr.next = self.aw.q.val().get_bits::<64>(0);
        self.m_axi.awlen.next = self.aw.q.val().get_bits::<8>(64);
        self.m_axi.awid.next = self.aw.q.val().get_bits::<WRITE_COUNT_BITS>(72);
        self.m_axi_awburst.next = bits::<2>(1);
        self.order.in_valid.next = self.announced.val();
        self.order.in_data.next = bit_cast::<1, 1>(self.b_axi.awvalid.val().into());

        self.of_b.next = self.order.out_data.val().any();
        self.beat.next = bit_cast::<WRITE_BEAT_BITS, DATA_WIDTH>(self.a_axi.wdata.val())
            | (bit_cast::<WRITE_BEAT_BITS, DATA_BYTES>(self.a_axi.wstrb.val()) << DATA_WIDTH.to_bits::<12>())
            | (bit_cast::<WRITE_BEAT_BITS, 1>(self.a_axi.wlast.val().into()) << (DATA_WIDTH + DATA_BYTES).to_bits::<12>());
        self.beat_valid.next = self.order.out_valid.val() && self.a_axi.wvalid.val();
        if self.of_b.val() {
            self.beat.next = bit_cast::<WRITE_BEAT_BITS, DATA_WIDTH>(self.b_axi.wdata.val())
                | (bit_cast::<WRITE_BEAT_BITS, DATA_BYTES>(self.b_axi.wstrb.val()) << DATA_WIDTH.to_bits::<12>())
                | (bit_cast::<WRITE_BEAT_BITS, 1>(self.b_axi.wlast.val().into()) << (DATA_WIDTH + DATA_BYTES).to_bits::<12>());
            self.beat_valid.next = self.order.out_valid.val() && self.b_axi.wvalid.val();
        }
        self.w_moves.next = !self.w_valid.q.val() || self.m_axi.wready.val();
        self.takes.next = self.beat_valid.val() && self.w_moves.val();
        self.order.out_ready.next = self.takes.val() && self.beat.val().get_bit(DATA_WIDTH + DATA_BYTES);
        self.a_axi.wready.next = self.w_moves.val() && self.order.out_valid.val() && !self.of_b.val();
        self.b_axi.wready.next = self.w_moves.val() && self.order.out_valid.val() && self.of_b.val();
        self.a_ends.next = self.order.out_ready.val() && !self.of_b.val();
        if self.a_axi.awvalid.val() && self.a_goes.val() && !self.a_ends.val() {
            self.a_open.d.next = self.a_open.q.val() + 1;
        }
        if self.a_ends.val() && !(self.a_axi.awvalid.val() && self.a_goes.val()) {
            self.a_open.d.next = self.a_open.q.val() - 1;
        }
        if self.w_moves.val() {
            self.w_valid.d.next = self.beat_valid.val();
            self.w.d.next = self.beat.val();
        }
        self.m_axi.wvalid.next = self.w_valid.q.val();
        self.m_axi.wdata.next = self.w.q.val().get_bits::<DATA_WIDTH>(0);
        self.m_axi.wstrb.next = self.w.q.val().get_bits::<DATA_BYTES>(DATA_WIDTH);
        self.m_axi.wlast.next = self.w.q.val().get_bit(DATA_WIDTH + DATA_BYTES);

        self.for_b.next = self.m_axi.bid.val().get_bit(WRITE_BITS);
        self.a_axi.bvalid.next = self.m_axi.bvalid.val() && !self.for_b.val();
        self.a_axi.bid.next = self.m_axi.bid.val().get_bits::<WRITE_BITS>(0);
        self.a_axi.bresp.next = self.m_axi.bresp.val();
        self.b_axi.bvalid.next = self.m_axi.bvalid.val() && self.for_b.val();
        self.b_axi.bresp.next = self.m_axi.bresp.val();
        self.m_axi.bready.next = self.a_axi.bready.val();
        if self.for_b.val() {
            self.m_axi.bready.next = self.b_axi.bready.val();
        }
    }
}
