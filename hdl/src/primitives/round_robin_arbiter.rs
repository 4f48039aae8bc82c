use crate::primitives::{FindFirst, Reg};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Round-robin choice among `REQUESTERS` requests, combinational. `INDEX_BITS` is the width of a requester's number: the least with
/// `2^INDEX_BITS >= REQUESTERS`.
///
/// The lowest requester above the last one that was accepted goes first, then from the bottom. Work-conserving: some request, some
/// grant. Fair: a request that stays up is granted after at most `REQUESTERS - 1` accepted grants to others. The grant may change from
/// clock to clock until `accept`; it is meant for a choice per clock, so a stream with several beats per packet must hold it outside. For a
/// fixed order take `FindFirst` or `PriorityEncoder`.
/// Latency: 0 clocks. Throughput: one grant per clock. Reset: requester 0 first.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct RoundRobinArbiter<const REQUESTERS: usize, const INDEX_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// one bit per requester
    pub request: Signal<In, Bits<REQUESTERS>>,
    /// the grant is used in this clock: the next choice begins behind it
    pub accept: Signal<In, Bit>,
    /// some request is granted
    pub any: Signal<Out, Bit>,
    /// the granted requester as one bit, zero without a request
    pub grant: Signal<Out, Bits<REQUESTERS>>,
    /// its number; without `any` it means nothing
    pub index: Signal<Out, Bits<INDEX_BITS>>,
    // The last one accepted; after reset a number without a requester above it.
    last: Reg<Bits<INDEX_BITS>>,
    first_above: FindFirst<REQUESTERS, INDEX_BITS>,
    first: FindFirst<REQUESTERS, INDEX_BITS>,
    chosen: Signal<Local, Bits<INDEX_BITS>>,
}

impl<const REQUESTERS: usize, const INDEX_BITS: usize> Logic for RoundRobinArbiter<REQUESTERS, INDEX_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.first_above.request.next = self.request.val() & ((!bits::<REQUESTERS>(1)) << self.last.q.val());
        self.first.request.next = self.request.val();
        self.chosen.next = self.first.index.val();
        if self.first_above.any.val() {
            self.chosen.next = self.first_above.index.val();
        }
        self.any.next = self.first.any.val();
        self.index.next = self.chosen.val();
        self.grant.next = bits::<REQUESTERS>(0);
        if self.first.any.val() {
            self.grant.next = bits::<REQUESTERS>(1) << self.chosen.val();
        }
        if self.accept.val() && self.first.any.val() {
            self.last.d.next = self.chosen.val();
        }
        if self.rst.val() {
            self.last.d.next = !bits::<INDEX_BITS>(0);
        }
    }
}
