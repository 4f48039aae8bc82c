use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Queue pairs that are ours, set at run time. While none is valid, all are ours.
///
/// A change counts for the look-ups that begin after it.
/// Latency: 2 clocks. Throughput: one look-up per clock. Reset: none valid. Spec: wire format, "Reading frames".
///
/// Parameters: `QUEUE_PAIRS` = `2^QUEUE_PAIR_BITS` places; each costs a comparator of 24 bits.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct QueuePairList<const QUEUE_PAIRS: usize, const QUEUE_PAIR_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// set one place
    pub cfg_write: Signal<In, Bit>,
    /// index of `cfg`
    pub cfg_index: Signal<In, Bits<QUEUE_PAIR_BITS>>,
    /// queue pair
    pub cfg_number: Signal<In, Bits<24>>,
    /// the place counts
    pub cfg_valid: Signal<In, Bit>,
    /// queue pair that is looked up
    pub number: Signal<In, Bits<24>>,
    /// it is not ours
    pub unknown: Signal<Out, Bit>,
    numbers: Vec<Reg<Bits<24>>>,
    valids: State<Bits<QUEUE_PAIRS>>,
    equal: Reg<Bits<QUEUE_PAIRS>>,
    miss: Reg<Bit>,
    found: Vec<Signal<Local, Bits<QUEUE_PAIRS>>>,
    one: Vec<Constant<Bits<QUEUE_PAIRS>>>,
    place: Signal<Local, Bits<QUEUE_PAIRS>>,
}

impl<const QUEUE_PAIRS: usize, const QUEUE_PAIR_BITS: usize> Default for QueuePairList<QUEUE_PAIRS, QUEUE_PAIR_BITS> {
    fn default() -> Self {
        assert!(
            QUEUE_PAIRS == 1 << QUEUE_PAIR_BITS,
            "QueuePairList: QUEUE_PAIRS = {QUEUE_PAIRS}, must be 2^QUEUE_PAIR_BITS = {}",
            1 << QUEUE_PAIR_BITS
        );
        Self {
            numbers: (0..QUEUE_PAIRS).map(|_| Default::default()).collect(),
            found: (0..=QUEUE_PAIRS).map(|_| Default::default()).collect(),
            one: (0..QUEUE_PAIRS).map(|i| Constant::new(bits::<QUEUE_PAIRS>(1 << i))).collect(),
            ..Self::blank()
        }
    }
}

impl<const QUEUE_PAIRS: usize, const QUEUE_PAIR_BITS: usize> Logic for QueuePairList<QUEUE_PAIRS, QUEUE_PAIR_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.place.next = bits::<QUEUE_PAIRS>(1) << self.cfg_index.val();
        self.found[0].next = bits::<QUEUE_PAIRS>(0);
        for i in 0..QUEUE_PAIRS {
            self.numbers[i].d.next = self.numbers[i].q.val();
            if self.cfg_write.val() && self.place.val().get_bit(i) {
                self.numbers[i].d.next = self.cfg_number.val();
            }
            self.found[i + 1].next = self.found[i].val();
            if self.numbers[i].q.val() == self.number.val() {
                self.found[i + 1].next = self.found[i].val() | self.one[i].val();
            }
        }
        if self.cfg_write.val() {
            self.valids.d.next = self.valids.q.val() & !self.place.val();
            if self.cfg_valid.val() {
                self.valids.d.next = self.valids.q.val() | self.place.val();
            }
        }
        self.equal.d.next = self.found[QUEUE_PAIRS].val();
        self.miss.d.next = self.valids.q.val().any() && !(self.equal.q.val() & self.valids.q.val()).any();
        self.unknown.next = self.miss.q.val();
    }
}
