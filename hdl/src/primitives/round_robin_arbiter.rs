use crate::primitives::{FindFirst, Reg};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Round-robin choice among `N` requests, combinational. `A` is the width of a requester's number: the least with `2^A >= N`.
///
/// The lowest requester above the last one that was accepted goes first, then from the bottom. Work-conserving: some request, some
/// grant. Fair: a request that stays up is granted after at most `N - 1` accepted grants to others. The grant may change from clock to
/// clock until `accept`; it is meant for a choice per clock, so a stream with several beats per packet must hold it outside. For a
/// fixed order take `FindFirst` or `PriorityEncoder`.
/// Latency: 0 clocks. Throughput: one grant per clock. Reset: requester 0 first.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct RoundRobinArbiter<const N: usize, const A: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// one bit per requester
    pub request: Signal<In, Bits<N>>,
    /// the grant is used in this clock: the next choice begins behind it
    pub accept: Signal<In, Bit>,
    /// some request is granted
    pub any: Signal<Out, Bit>,
    /// the granted requester as one bit, zero without a request
    pub grant: Signal<Out, Bits<N>>,
    /// its number; without `any` it means nothing
    pub index: Signal<Out, Bits<A>>,
    // The last one accepted; after reset a number without a requester above it.
    last: Reg<Bits<A>>,
    first_above: FindFirst<N, A>,
    first: FindFirst<N, A>,
    chosen: Signal<Local, Bits<A>>,
}

impl<const N: usize, const A: usize> Logic for RoundRobinArbiter<N, A> {
    #[kernel]
    fn update(&mut self) {
        self.first_above.request.next = self.request.val() & ((!bits::<N>(1)) << self.last.q.val());
        self.first.request.next = self.request.val();
        self.chosen.next = self.first.index.val();
        if self.first_above.any.val() {
            self.chosen.next = self.first_above.index.val();
        }
        self.any.next = self.first.any.val();
        self.index.next = self.chosen.val();
        self.grant.next = bits::<N>(0);
        if self.first.any.val() {
            self.grant.next = bits::<N>(1) << self.chosen.val();
        }
        if self.accept.val() && self.first.any.val() {
            self.last.d.next = self.chosen.val();
        }
        if self.rst.val() {
            self.last.d.next = !bits::<A>(0);
        }
    }
}
