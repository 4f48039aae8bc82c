use crate::bus::BufferBus;
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What the CDMA writes over AXI4, as writes of one memory word each; whatever else comes is refused.
///
/// The memory lies at `cfg_base`, a multiple of its size; lower bits of `cfg_base` do not count. A burst is taken if it is INCR, of full
/// width, and begins in the memory. What it has beyond the end of the memory or beyond its length is not written. Every other burst, one
/// that ends in another beat than its length says, and every read are answered with SLVERR. A word is in the memory three clocks after its
/// beat. Bursts have no identifiers and are answered in order.
/// Latency: 2 clocks from the last beat to its response. Throughput: one beat per clock, across bursts. Reset: empty; a burst under way is
/// forgotten.
/// Spec: send path, "Where payload lives".
#[derive(Default, Described, LogicBlock)]
pub struct BufferWrite {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// address of the memory's first byte
    pub cfg_base: Signal<In, Bits<64>>,
    pub s_axi: BufferBus<DATA_WIDTH, DATA_BYTES>,
    /// bytes of the word that are written
    pub write_enable: Signal<Out, Bits<DATA_BYTES>>,
    /// which word
    pub write_address: Signal<Out, Bits<SEND_ADDRESS_BITS>>,
    /// what is written
    pub write_data: Signal<Out, Bits<DATA_WIDTH>>,
    /// counts writes answered with SLVERR
    pub evt_write_refused: Signal<Out, Bit>,
    /// counts reads, all of which are answered with SLVERR
    pub evt_read_refused: Signal<Out, Bit>,
    /// no burst and no read is under way
    pub idle: Signal<Out, Bit>,

    // Bursts that wait: beat address, refused, length.
    bursts: FifoLut<SEND_BURST_BITS, 2, 3>,
    base: Reg<Bits<SEND_BASE_BITS>>,
    refused: Signal<Local, Bit>,
    active: State<Bit>,
    // One bit more than the address has: set beyond the end.
    place: Reg<Bits<SEND_ADDRESS_COUNT_BITS>>,
    left: Reg<Bits<8>>,
    bad: Reg<Bit>,
    beat: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    next: Signal<Local, Bit>,
    wrong: Signal<Local, Bit>,
    responses: FifoLut<1, 2, 3>,
    enable: State<Bits<DATA_BYTES>>,
    // The beat before this one was taken: a word for `idle`, which would else look at every strobe.
    writing: State<Bit>,
    address: Reg<Bits<SEND_ADDRESS_BITS>>,
    data: Reg<Bits<DATA_WIDTH>>,
    write_counted: State<Bit>,
    reading: State<Bit>,
    read_left: Reg<Bits<8>>,
    read_counted: State<Bit>,
}

impl BufferWrite {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for BufferWrite {
    #[kernel]
    fn update(&mut self) {
        self.base.d.next = self.cfg_base.val().get_bits::<SEND_BASE_BITS>(LANE_BITS + SEND_ADDRESS_BITS);
        self.refused.next = self.s_axi.awaddr.val().get_bits::<SEND_BASE_BITS>(LANE_BITS + SEND_ADDRESS_BITS) != self.base.q.val()
            || self.s_axi.awburst.val() != bits::<2>(1)
            || self.s_axi.awsize.val() != AXI_SIZE.to_bits::<3>();
        self.bursts.in_valid.next = self.s_axi.awvalid.val();
        self.bursts.in_data.next = bit_cast::<SEND_BURST_BITS, 8>(self.s_axi.awlen.val())
            | (bit_cast::<SEND_BURST_BITS, 1>(self.refused.val().into()) << 8)
            | (bit_cast::<SEND_BURST_BITS, SEND_ADDRESS_BITS>(self.s_axi.awaddr.val().get_bits::<SEND_ADDRESS_BITS>(LANE_BITS)) << 9);
        self.s_axi.awready.next = self.bursts.in_ready.val();

        self.s_axi.wready.next = self.active.q.val() && self.responses.in_ready.val();
        self.beat.next = self.s_axi.wvalid.val() && self.active.q.val() && self.responses.in_ready.val();
        self.ends.next = self.beat.val() && self.s_axi.wlast.val();
        self.wrong.next =
            self.bad.q.val() || self.place.q.val().get_bit(SEND_ADDRESS_BITS) || (self.s_axi.wlast.val() == self.left.q.val().any());
        self.writing.d.next = self.beat.val();
        self.enable.d.next = bits::<DATA_BYTES>(0);
        self.data.d.next = self.s_axi.wdata.val();
        self.address.d.next = self.place.q.val().get_bits::<SEND_ADDRESS_BITS>(0);
        if self.beat.val() {
            if !self.bad.q.val() && !self.place.q.val().get_bit(SEND_ADDRESS_BITS) {
                self.enable.d.next = self.s_axi.wstrb.val();
            }
            self.bad.d.next = self.wrong.val();
            self.left.d.next = self.left.q.val() - 1;
            if !self.place.q.val().get_bit(SEND_ADDRESS_BITS) {
                self.place.d.next = self.place.q.val() + 1;
            }
        }
        // A burst begins behind the last beat of the one before it.
        self.next.next = !self.active.q.val() || (self.s_axi.wvalid.val() && self.s_axi.wlast.val() && self.responses.in_ready.val());
        self.bursts.out_ready.next = self.next.val();
        if self.next.val() {
            self.active.d.next = self.bursts.out_valid.val();
            self.left.d.next = self.bursts.out_data.val().get_bits::<8>(0);
            self.bad.d.next = self.bursts.out_data.val().get_bit(8);
            self.place.d.next =
                bit_cast::<SEND_ADDRESS_COUNT_BITS, SEND_ADDRESS_BITS>(self.bursts.out_data.val().get_bits::<SEND_ADDRESS_BITS>(9));
        }
        self.responses.in_valid.next = self.ends.val();
        self.responses.in_data.next = self.wrong.val().into();
        self.write_counted.d.next = self.ends.val() && self.wrong.val();
        self.s_axi.bvalid.next = self.responses.out_valid.val();
        self.s_axi.bresp.next = bit_cast::<2, 1>(self.responses.out_data.val()) << 1;
        self.responses.out_ready.next = self.s_axi.bready.val();
        self.write_enable.next = self.enable.q.val();
        self.write_address.next = self.address.q.val();
        self.write_data.next = self.data.q.val();

        self.s_axi.arready.next = !self.reading.q.val();
        self.read_counted.d.next = false;
        if !self.reading.q.val() {
            self.reading.d.next = self.s_axi.arvalid.val();
            self.read_counted.d.next = self.s_axi.arvalid.val();
            self.read_left.d.next = self.s_axi.arlen.val();
        } else if self.s_axi.rready.val() {
            self.reading.d.next = self.read_left.q.val().any();
            self.read_left.d.next = self.read_left.q.val() - 1;
        }
        self.s_axi.rvalid.next = self.reading.q.val();
        self.s_axi.rdata.next = bits::<DATA_WIDTH>(0);
        self.s_axi.rresp.next = bits::<2>(2);
        self.s_axi.rlast.next = !self.read_left.q.val().any();
        self.evt_write_refused.next = self.write_counted.q.val();
        self.evt_read_refused.next = self.read_counted.q.val();
        self.idle.next = !self.active.q.val()
            && !self.bursts.out_valid.val()
            && !self.responses.out_valid.val()
            && !self.reading.q.val()
            && !self.writing.q.val();
    }
}
