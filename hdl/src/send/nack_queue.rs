use crate::primitives::{FifoLut, Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Negative acknowledgements that wait for the scanner, taken apart into words of eight packets.
///
/// Room for 16 and the one at work; those that find it full are dropped, and their packets wait for their timers. Words without a packet are passed over, one per clock.
/// Latency: 3 clocks from `in_valid` to `wants`. Throughput: one word in two clocks. Reset: empty.
///
/// Parameters as of `DeadlineScan`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct NackQueue<
    const A: usize,
    const GW: usize,
    const OW: usize,
    const WB: usize,
    const AW: usize,
    const MW: usize,
    const VB: usize,
    const RB: usize,
    const NW: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// packets are to be repeated at once
    pub in_valid: Signal<In, Bit>,
    /// op number
    pub in_op: Signal<In, Bits<OW>>,
    /// mask word
    pub in_word: Signal<In, Bits<RB>>,
    /// packets of it
    pub in_bits: Signal<In, Bits<MW>>,
    /// counts negative acknowledgements that found the queue full
    pub evt_dropped: Signal<Out, Bit>,
    /// a word is to be visited
    pub wants: Signal<Out, Bit>,
    /// it is visited
    pub goes: Signal<In, Bit>,
    /// which
    pub place: Signal<Out, Bits<AW>>,
    /// its packets
    pub lanes: Signal<Out, Bits<8>>,
    /// generation of the op
    pub generation: Signal<Out, Bits<GW>>,

    // low bits first: bits, mask word, op number
    queue: FifoLut<NW, 4, 5>,
    busy: State<Bit>,
    current: Reg<Bits<NW>>,
    left: Reg<Bits<MW>>,
    eighth: Reg<Bits<VB>>,
    any: Signal<Local, Bit>,
    steps: Signal<Local, Bit>,
    loads: Signal<Local, Bit>,
    dropped: State<Bit>,
    offers: State<Bit>,
    out_lanes: Reg<Bits<8>>,
    out_generation: Reg<Bits<GW>>,
    out_place: Reg<Bits<AW>>,
}

impl<
    const A: usize,
    const GW: usize,
    const OW: usize,
    const WB: usize,
    const AW: usize,
    const MW: usize,
    const VB: usize,
    const RB: usize,
    const NW: usize,
> Logic for NackQueue<A, GW, OW, WB, AW, MW, VB, RB, NW>
{
    #[kernel]
    fn update(&mut self) {
        self.queue.in_valid.next = self.in_valid.val();
        self.queue.in_data.next = bit_cast::<NW, MW>(self.in_bits.val())
            | (bit_cast::<NW, RB>(self.in_word.val()) << MW.to_bits::<7>())
            | (bit_cast::<NW, OW>(self.in_op.val()) << (MW + RB).to_bits::<7>());
        self.dropped.d.next = self.in_valid.val() && !self.queue.in_ready.val();
        self.evt_dropped.next = self.dropped.q.val();

        // The word that is offered; the next one follows in the clock after it has gone.
        self.any.next = self.left.q.val().get_bits::<8>(0).any();
        self.steps.next = self.busy.q.val() && (!self.offers.q.val() || !self.any.val());
        self.loads.next = !self.busy.q.val() || (self.steps.val() && !(self.left.q.val() >> 8).any());
        if self.goes.val() {
            self.offers.d.next = false;
        }
        if self.busy.q.val() && !self.offers.q.val() {
            self.offers.d.next = self.any.val();
            self.out_lanes.d.next = self.left.q.val().get_bits::<8>(0);
            self.out_generation.d.next = self.current.q.val().get_bits::<GW>(MW + RB + A);
            self.out_place.d.next = (bit_cast::<AW, A>(self.current.q.val().get_bits::<A>(MW + RB)) << WB.to_bits::<4>())
                | (bit_cast::<AW, RB>(self.current.q.val().get_bits::<RB>(MW)) << VB.to_bits::<3>())
                | bit_cast::<AW, VB>(self.eighth.q.val());
        }
        self.wants.next = self.offers.q.val();
        self.lanes.next = self.out_lanes.q.val();
        self.generation.next = self.out_generation.q.val();
        self.place.next = self.out_place.q.val();
        self.queue.out_ready.next = self.loads.val();
        if self.steps.val() {
            self.left.d.next = self.left.q.val() >> 8;
            self.eighth.d.next = self.eighth.q.val() + 1;
        }
        if self.loads.val() {
            self.busy.d.next = self.queue.out_valid.val();
            self.current.d.next = self.queue.out_data.val();
            self.left.d.next = self.queue.out_data.val().get_bits::<MW>(0);
            self.eighth.d.next = bits::<VB>(0);
        }
    }
}
