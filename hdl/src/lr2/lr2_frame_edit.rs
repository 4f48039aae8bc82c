use crate::bus::{Frames, FramesSink};
use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What becomes of frames that pass a Depot or a Sentry: they go on, they go, or a NAK becomes an acknowledgement.
///
/// One order for each frame of `in`, in their order; the frame waits for it. An acknowledgement is the NAK with another PSN, syndrome and
/// MSN, seven bytes in a row that begin 17 bytes behind the first of UDP: no length changes, and neither does the IP header's checksum.
/// The ICRC is left as it was: `IcrcInsert` behind it makes it anew. BECN and CETH stay as the card has said.
///
/// Latency: 0 clocks for a frame whose order came in a clock before. Throughput: one beat per clock, frames of one beat and their orders
/// back to back. Reset: no order is there; the next beat begins a frame.
/// Spec: LR2, "Depot": the NAK goes on as an acknowledgement.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct Lr2FrameEdit {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    #[port = "in"]
    pub frames: FramesSink<DATA_WIDTH, DATA_BYTES>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// what becomes of the next frame
    pub order_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `order_valid` is high too
    pub order_ready: Signal<Out, Bit>,
    /// it does not go on
    pub order_drop: Signal<In, Bit>,
    /// it is a NAK and becomes an acknowledgement
    pub order_ack: Signal<In, Bit>,
    /// of this PSN
    pub order_psn: Signal<In, Bits<24>>,
    /// with this MSN
    pub order_msn: Signal<In, Bits<24>>,
    /// and these credits
    pub order_credits: Signal<In, Bits<5>>,
    /// byte of the frame at which UDP begins, 78 at most
    pub order_offset: Signal<In, Bits<7>>,

    armed: State<Bit>,
    drops: Reg<Bit>,
    // What is written over the frame, and which bytes of it; the next beat's in the lowest bits.
    bytes: Reg<Bits<1024>>,
    lanes: Reg<Bits<128>>,
    takes: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    said: Signal<Local, Bits<56>>,
    place: Signal<Local, Bits<7>>,
    shift: Signal<Local, Bits<10>>,
    // The bits of a byte that is written.
    lane: Vec<Constant<Bits<DATA_WIDTH>>>,
    mask: Vec<Signal<Local, Bits<DATA_WIDTH>>>,
    fresh: Signal<Local, Bits<DATA_WIDTH>>,
    all: Constant<Bits<DATA_WIDTH>>,
    kept: Signal<Local, Bits<DATA_WIDTH>>,
}

impl Default for Lr2FrameEdit {
    fn default() -> Self {
        let byte = |k: usize| (8 * k..8 * k + 8).fold(Bits::default(), |mask: Bits<DATA_WIDTH>, bit| mask.replace_bit(bit, true));
        Self {
            lane: (0..EDIT_LANES).map(|k| Constant::new(byte(k))).collect(),
            mask: (0..=EDIT_LANES).map(|_| Default::default()).collect(),
            all: Constant::new(!Bits::<DATA_WIDTH>::default()),
            ..Self::blank()
        }
    }
}

impl Logic for Lr2FrameEdit {
    #[kernel]
    fn update(&mut self) {
        self.moves.next = self.frames.valid.val() && self.armed.q.val() && (self.out.ready.val() || self.drops.q.val());
        self.ends.next = self.moves.val() && self.frames.last.val();
        self.frames.ready.next = self.armed.q.val() && (self.out.ready.val() || self.drops.q.val());
        self.order_ready.next = !self.armed.q.val() || self.ends.val();
        self.takes.next = self.order_valid.val() && (!self.armed.q.val() || self.ends.val());

        // PSN, syndrome, MSN as they lie in the frame.
        self.said.next = bit_cast::<56, 8>(self.order_psn.val().get_bits::<8>(16))
            | (bit_cast::<56, 8>(self.order_psn.val().get_bits::<8>(8)) << 8)
            | (bit_cast::<56, 8>(self.order_psn.val().get_bits::<8>(0)) << 16)
            | (bit_cast::<56, 5>(self.order_credits.val()) << 24)
            | (bit_cast::<56, 8>(self.order_msn.val().get_bits::<8>(16)) << 32)
            | (bit_cast::<56, 8>(self.order_msn.val().get_bits::<8>(8)) << 40)
            | (bit_cast::<56, 8>(self.order_msn.val().get_bits::<8>(0)) << 48);
        self.place.next = self.order_offset.val() + 17;
        self.shift.next = bit_cast::<10, 7>(self.place.val()) << 3;
        if self.ends.val() {
            self.armed.d.next = false;
        } else if self.moves.val() {
            self.bytes.d.next = self.bytes.q.val() >> DATA_WIDTH.to_bits::<12>();
            self.lanes.d.next = self.lanes.q.val() >> DATA_BYTES.to_bits::<9>();
        }
        if self.takes.val() {
            self.armed.d.next = true;
            self.drops.d.next = self.order_drop.val();
            self.bytes.d.next = bit_cast::<1024, 56>(self.said.val()) << self.shift.val();
            self.lanes.d.next = bits::<128>(0);
            if self.order_ack.val() {
                self.lanes.d.next = bits::<128>(0x7f) << self.place.val();
            }
        }

        self.mask[0].next = bits::<DATA_WIDTH>(0);
        for k in 0..EDIT_LANES {
            self.mask[k + 1].next = self.mask[k].val();
            if self.lanes.q.val().get_bit(k) {
                self.mask[k + 1].next = self.mask[k].val() | self.lane[k].val();
            }
        }
        self.fresh.next = bit_cast::<DATA_WIDTH, EDIT_BITS>(self.bytes.q.val().get_bits::<EDIT_BITS>(0)) & self.mask[EDIT_LANES].val();
        self.kept.next = self.mask[EDIT_LANES].val() ^ self.all.val();
        self.out.valid.next = self.frames.valid.val() && self.armed.q.val() && !self.drops.q.val();
        self.out.data.next = (self.frames.data.val() & self.kept.val()) | self.fresh.val();
        self.out.keep.next = self.frames.keep.val();
        self.out.last.next = self.frames.last.val();
    }
}
