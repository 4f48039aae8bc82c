use crate::primitives::{Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// First registers in front of the ICRC: each beat waits until the first 32 bytes of its frame are there, or its end.
///
/// Above 128 bits no beat waits. A beat that comes is always taken: when all places are full, one leaves.
/// Latency: 1 clock from the beat that makes the 32 bytes whole; the first beat of a frame whose beats come one per clock takes
/// `ICRC_WINDOW_BEATS` clocks, as do the others. Throughput: one beat per clock. Reset: empty; the next beat begins a frame.
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct IcrcWindow {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat comes
    pub in_valid: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub in_data: Signal<In, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub in_keep: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// a beat leaves
    pub out_valid: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub out_data: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub out_keep: Signal<Out, Bits<DATA_BYTES>>,
    /// first beat of its frame
    pub out_first: Signal<Out, Bit>,
    /// last beat of its frame
    pub out_last: Signal<Out, Bit>,
    /// with the first beat: 32 bytes of the frame, or what it has of them with anything behind
    pub out_head: Signal<Out, Bits<256>>,
    // The oldest beat is that of place 0.
    valid: [State<Bit>; ICRC_WINDOW_BEATS],
    data: [Reg<Bits<DATA_WIDTH>>; ICRC_WINDOW_BEATS],
    keep: [Reg<Bits<DATA_BYTES>>; ICRC_WINDOW_BEATS],
    last: [Reg<Bit>; ICRC_WINDOW_BEATS],
    inside: State<Bit>,
    // From the newest place to the oldest: it and all newer ones hold what they must.
    whole: [Signal<Local, Bit>; ICRC_WINDOW_BEATS],
    leaves: [Signal<Local, Bit>; ICRC_WINDOW_BEATS],
    joined: [Signal<Local, Bits<ICRC_WINDOW_BITS>>; ICRC_WINDOW_BEATS],
    place: [Constant<Bits<12>>; ICRC_WINDOW_BEATS],
}

impl Default for IcrcWindow {
    fn default() -> Self {
        Self { place: std::array::from_fn(|k| Constant::new(bits::<12>((k * DATA_WIDTH) as u64))), ..Self::blank() }
    }
}

impl Logic for IcrcWindow {
    #[kernel]
    fn update(&mut self) {
        self.whole[0].next = self.valid[ICRC_WINDOW_BEATS - 1].q.val();
        for k in 1..ICRC_WINDOW_BEATS {
            self.whole[k].next =
                self.valid[ICRC_WINDOW_BEATS - 1 - k].q.val() && (self.last[ICRC_WINDOW_BEATS - 1 - k].q.val() || self.whole[k - 1].val());
        }
        self.leaves[0].next = self.whole[ICRC_WINDOW_BEATS - 1].val();
        for i in 1..ICRC_WINDOW_BEATS {
            self.leaves[i].next = self.valid[i].q.val() && (!self.valid[i - 1].q.val() || self.leaves[i - 1].val());
            self.valid[i - 1].d.next = self.leaves[i].val() || (self.valid[i - 1].q.val() && !self.leaves[i - 1].val());
            if self.leaves[i].val() {
                self.data[i - 1].d.next = self.data[i].q.val();
                self.keep[i - 1].d.next = self.keep[i].q.val();
                self.last[i - 1].d.next = self.last[i].q.val();
            }
        }
        self.valid[ICRC_WINDOW_BEATS - 1].d.next =
            self.in_valid.val() || (self.valid[ICRC_WINDOW_BEATS - 1].q.val() && !self.leaves[ICRC_WINDOW_BEATS - 1].val());
        if self.in_valid.val() {
            self.data[ICRC_WINDOW_BEATS - 1].d.next = self.in_data.val();
            self.keep[ICRC_WINDOW_BEATS - 1].d.next = self.in_keep.val();
            self.last[ICRC_WINDOW_BEATS - 1].d.next = self.in_last.val();
        }
        if self.leaves[0].val() {
            self.inside.d.next = !self.last[0].q.val();
        }

        self.joined[0].next = bit_cast::<ICRC_WINDOW_BITS, DATA_WIDTH>(self.data[0].q.val());
        for k in 1..ICRC_WINDOW_BEATS {
            self.joined[k].next =
                self.joined[k - 1].val() | (bit_cast::<ICRC_WINDOW_BITS, DATA_WIDTH>(self.data[k].q.val()) << self.place[k].val());
        }
        self.out_valid.next = self.leaves[0].val();
        self.out_data.next = self.data[0].q.val();
        self.out_keep.next = self.keep[0].q.val();
        self.out_first.next = !self.inside.q.val();
        self.out_last.next = self.last[0].q.val();
        self.out_head.next = self.joined[ICRC_WINDOW_BEATS - 1].val().get_bits::<256>(0);
    }
}
