use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The first 144 bytes of each frame side by side, whatever number of beats they come in: room for every header of the wire format.
///
/// The window is there for one clock, the one after the beat that fills it or ends the frame. Bytes that the frame does not have are left
/// over from others: `out_seen` says how many are its own.
/// Latency: 1 clock from that beat. Throughput: one frame per clock.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct HeaderWindow {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat comes
    pub in_valid: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub in_data: Signal<In, Bits<DATA_WIDTH>>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// number of the beat in its frame
    pub in_index: Signal<In, Bits<FRAME_PLACE_BITS>>,
    /// bytes of the frame up to and with this beat
    pub in_length: Signal<In, Bits<18>>,
    /// a window is there
    pub out_valid: Signal<Out, Bit>,
    /// first byte of the frame in the lowest bits
    pub out_window: Signal<Out, Bits<1152>>,
    /// a VLAN tag comes first
    pub out_tagged: Signal<Out, Bit>,
    /// bytes of the frame so far; 511: there is more of it than the window
    pub out_seen: Signal<Out, Bits<9>>,
    slots: Vec<Reg<Bits<DATA_WIDTH>>>,
    tagged: Reg<Bit>,
    done: State<Bit>,
    seen: Reg<Bits<9>>,
    kind: Signal<Local, Bits<16>>,
    joined: Vec<Signal<Local, Bits<HEADER_WINDOW_BITS>>>,
    number: Vec<Constant<Bits<FRAME_PLACE_BITS>>>,
    place: Vec<Constant<Bits<11>>>,
}

impl Default for HeaderWindow {
    fn default() -> Self {
        Self {
            slots: (0..HEADER_BEATS).map(|_| Default::default()).collect(),
            number: (0..HEADER_BEATS).map(|k| Constant::new(bits::<FRAME_PLACE_BITS>(k as u64))).collect(),
            place: (0..HEADER_BEATS).map(|k| Constant::new(bits::<11>((k * DATA_WIDTH) as u64))).collect(),
            joined: (0..HEADER_BEATS).map(|_| Default::default()).collect(),
            ..Self::blank()
        }
    }
}

impl Logic for HeaderWindow {
    #[kernel]
    fn update(&mut self) {
        for k in 0..HEADER_BEATS {
            self.slots[k].d.next = self.slots[k].q.val();
            if self.in_valid.val() && self.in_index.val() == self.number[k].val() {
                self.slots[k].d.next = self.in_data.val();
            }
        }
        // 0x8100 and 0x88a8 as they lie in the beat.
        self.kind.next = self.in_data.val().get_bits::<16>(TAG_PLACE);
        if self.in_valid.val() && self.in_index.val() == TAG_BEAT.to_bits::<FRAME_PLACE_BITS>() {
            self.tagged.d.next = self.kind.val() == bits::<16>(0x0081) || self.kind.val() == bits::<16>(0xa888);
        }
        self.done.d.next = self.in_valid.val()
            && ((self.in_index.val() == (HEADER_BEATS - 1).to_bits::<FRAME_PLACE_BITS>())
                || (self.in_last.val() && self.in_index.val() < (HEADER_BEATS - 1).to_bits::<FRAME_PLACE_BITS>()));
        self.seen.d.next = !bits::<9>(0);
        if self.in_last.val() {
            self.seen.d.next = self.in_length.val().get_bits::<9>(0);
        }

        self.joined[0].next = self.slots[0].q.val().get_bits::<HEADER_WINDOW_BITS>(0);
        for k in 1..HEADER_BEATS {
            self.joined[k].next =
                self.joined[k - 1].val() | (self.slots[k].q.val().get_bits::<HEADER_WINDOW_BITS>(0) << self.place[k].val());
        }
        self.out_valid.next = self.done.q.val();
        self.out_window.next = self.joined[HEADER_BEATS - 1].val().get_bits::<1152>(0);
        self.out_tagged.next = self.tagged.q.val();
        self.out_seen.next = self.seen.q.val();
    }
}
