use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What an acknowledgement says of congestion, as bytes behind it or as reserved bits of BTH.
///
/// With form 1 a header CETH of version 1 follows, the shortest that holds its fields: 4 bytes, 8 with a queue depth or a congestion point,
/// 12 with a delay. A field that is all ones is absent; a field makes the header an enhanced one. With form 2 the level and the scene stand
/// in BTH; a scene of 8 or more does not fit and is 0 there. With form 0 BECN says all. Without BECN nothing follows, and the bits of the
/// second form are 0. `CethReader` is the other end.
/// Latency: 1 clock. Throughput: one per clock. Reset: nothing comes.
/// Spec: congestion state on the acknowledgement, "CETH"; wire format, "Extension headers", "Reserved bits we use".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CethBuilder {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an acknowledgement comes
    pub in_valid: Signal<In, Bit>,
    /// 0 none, 1 extension, 2 compact: a setting of the queue pair
    pub in_form: Signal<In, Bits<2>>,
    /// it says that there is congestion: the following count
    pub in_becn: Signal<In, Bit>,
    /// 0 none to 3 heavy
    pub in_level: Signal<In, Bits<2>>,
    /// of the marked packet
    pub in_scene: Signal<In, Bits<4>>,
    /// queue depth, units of 256 bytes
    pub in_depth: Signal<In, Bits<16>>,
    /// congestion point
    pub in_point: Signal<In, Bits<16>>,
    /// nanoseconds
    pub in_delay: Signal<In, Bits<32>>,
    /// it goes out
    pub out_valid: Signal<Out, Bit>,
    /// BTH byte 4, bit 6
    pub out_becn: Signal<Out, Bit>,
    /// words of four bytes of CETH, 0: none follows
    pub out_words: Signal<Out, Bits<2>>,
    /// CETH, its first byte in the highest bits, zeros behind it
    pub out_ceth: Signal<Out, Bits<96>>,
    /// BTH byte 4, bits 5 and 4
    pub out_level: Signal<Out, Bits<2>>,
    /// BTH byte 8, bits 6 to 4
    pub out_scene: Signal<Out, Bits<3>>,

    valid: State<Bit>,
    becn: Reg<Bit>,
    words: Reg<Bits<2>>,
    ceth: Reg<Bits<96>>,
    level: Reg<Bits<2>>,
    scene: Reg<Bits<3>>,
    with_queue: Signal<Local, Bit>,
    with_delay: Signal<Local, Bit>,
    length: Signal<Local, Bits<2>>,
    head: Signal<Local, Bits<32>>,
    queue: Signal<Local, Bits<32>>,
    delay: Signal<Local, Bits<32>>,
}

impl Logic for CethBuilder {
    #[kernel]
    fn update(&mut self) {
        self.with_delay.next = !self.in_delay.val().all();
        self.with_queue.next = self.with_delay.val() || !self.in_depth.val().all() || !self.in_point.val().all();
        self.length.next = bits::<2>(1);
        self.queue.next = bits::<32>(0);
        self.delay.next = bits::<32>(0);
        if self.with_queue.val() {
            self.length.next = bits::<2>(2);
            self.queue.next = (bit_cast::<32, 16>(self.in_depth.val()) << 16) | bit_cast::<32, 16>(self.in_point.val());
        }
        if self.with_delay.val() {
            self.length.next = bits::<2>(3);
            self.delay.next = self.in_delay.val();
        }
        // Version 1.
        self.head.next = bits::<32>(0x10000000)
            | (bit_cast::<32, 2>(self.length.val()) << 24)
            | (bit_cast::<32, 2>(self.in_level.val()) << 22)
            | (bit_cast::<32, 1>(self.with_queue.val().into()) << 21)
            | (bit_cast::<32, 4>(self.in_scene.val()) << 17);

        self.valid.d.next = self.in_valid.val();
        self.becn.d.next = self.in_becn.val();
        self.words.d.next = bits::<2>(0);
        self.ceth.d.next = bits::<96>(0);
        self.level.d.next = bits::<2>(0);
        self.scene.d.next = bits::<3>(0);
        if self.in_becn.val() && (self.in_form.val() == bits::<2>(1)) {
            self.words.d.next = self.length.val();
            self.ceth.d.next = (bit_cast::<96, 32>(self.head.val()) << 64)
                | (bit_cast::<96, 32>(self.queue.val()) << 32)
                | bit_cast::<96, 32>(self.delay.val());
        }
        if self.in_becn.val() && (self.in_form.val() == bits::<2>(2)) {
            self.level.d.next = self.in_level.val();
            if !self.in_scene.val().get_bit(3) {
                self.scene.d.next = self.in_scene.val().get_bits::<3>(0);
            }
        }
        self.out_valid.next = self.valid.q.val();
        self.out_becn.next = self.becn.q.val();
        self.out_words.next = self.words.q.val();
        self.out_ceth.next = self.ceth.q.val();
        self.out_level.next = self.level.q.val();
        self.out_scene.next = self.scene.q.val();
    }
}
