use crate::Described;
use crate::primitives::Reg;
use rust_hdl::prelude::*;

/// Eight queue pairs that are ours, set at run time. While none is valid, all are ours.
///
/// A change counts for the look-ups that begin after it.
/// Latency: 2 clocks. Throughput: one look-up per clock. Reset: none valid. Spec: wire format, "Reading frames".
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct QueuePairList {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// set one place
    pub cfg_write: Signal<In, Bit>,
    /// which
    pub cfg_index: Signal<In, Bits<3>>,
    /// queue pair
    pub cfg_number: Signal<In, Bits<24>>,
    /// the place counts
    pub cfg_valid: Signal<In, Bit>,
    /// queue pair that is looked up
    pub number: Signal<In, Bits<24>>,
    /// it is not ours
    pub unknown: Signal<Out, Bit>,
    numbers: [Reg<Bits<24>>; 8],
    valids: Reg<Bits<8>>,
    equal: Reg<Bits<8>>,
    miss: Reg<Bit>,
    found: [Signal<Local, Bits<8>>; 9],
    one: Vec<Constant<Bits<8>>>,
    place: Signal<Local, Bits<8>>,
}

impl Default for QueuePairList {
    fn default() -> Self {
        Self {
            clk: Default::default(),
            rst: Default::default(),
            cfg_write: Default::default(),
            cfg_index: Default::default(),
            cfg_number: Default::default(),
            cfg_valid: Default::default(),
            number: Default::default(),
            unknown: Default::default(),
            numbers: Default::default(),
            valids: Default::default(),
            equal: Default::default(),
            miss: Default::default(),
            found: Default::default(),
            one: (0..8).map(|i| Constant::new(bits::<8>(1 << i))).collect(),
            place: Default::default(),
        }
    }
}

impl Logic for QueuePairList {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, valids, equal, miss);
        self.place.next = bits::<8>(1) << self.cfg_index.val();
        self.found[0].next = bits::<8>(0);
        for i in 0..8 {
            self.numbers[i].clock.next = self.clk.val();
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
        self.equal.d.next = self.found[8].val();
        self.miss.d.next = self.valids.q.val().any() && !(self.equal.q.val() & self.valids.q.val()).any();
        self.unknown.next = self.miss.q.val();
        if self.rst.val() {
            self.valids.d.next = bits::<8>(0);
        }
    }
}
