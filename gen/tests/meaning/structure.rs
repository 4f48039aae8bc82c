//! Children, links and structures.

use crate::forms::every;
use crate::harness::{FromBits, Inputs};
use crate::inputs;
use num_bigint::BigUint;
use rdma_rtl_hdl::{Described, kernel};
use rust_hdl::prelude::*;

#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Step<const W: usize> {
    from: Signal<In, Bits<W>>,
    by: Signal<In, Bits<W>>,
    to: Signal<Out, Bits<W>>,
    odd: Signal<Out, Bit>,
}

impl<const W: usize> Logic for Step<W> {
    #[kernel]
    fn update(&mut self) {
        self.to.next = self.from.val() + self.by.val();
        self.odd.next = (self.from.val() + self.by.val()).get_bit(0);
    }
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Links<const W: usize, const P: usize, const D: usize, const H: usize> {
    a: Signal<In, Bits<W>>,
    b: Signal<In, Bits<W>>,
    first: Step<W>,
    second: Step<W>,
    row: [Step<W>; 2],
    linked: Signal<Out, Bits<W>>,
    joined: Signal<Out, Bits<W>>,
    rows: Signal<Out, Bits<W>>,
    chosen: Signal<Out, Bits<W>>,
    read_back: Signal<Out, Bits<W>>,
}
inputs!(Links, a: W, every(W); b: W, every(W));

impl<const W: usize, const P: usize, const D: usize, const H: usize> Logic for Links<W, P, D, H> {
    #[kernel]
    fn update(&mut self) {
        Signal::<In, Bits<W>>::link(&mut self.a, &mut self.first.from);
        Signal::<In, Bits<W>>::link(&mut self.b, &mut self.first.by);
        Signal::<Out, Bits<W>>::link(&mut self.linked, &mut self.first.to);
        Signal::<Out, Bits<W>>::join(&mut self.first.to, &mut self.second.from);
        self.second.by.next = self.a.val() + 1;
        self.joined.next = self.second.to.val();
        for i in 0..2 {
            self.row[i].from.next = self.first.to.val() - self.b.val();
            self.row[i].by.next = bits::<W>(1);
            if self.first.odd.val() {
                self.row[i].by.next = self.b.val();
            }
        }
        self.rows.next = self.row[0].to.val() ^ self.row[1].to.val() ^ self.row[0].by.val();
        self.chosen.next = self.a.val();
        if self.second.odd.val() {
            self.chosen.next = self.second.to.val();
        }
        self.read_back.next = self.second.by.val();
    }
}

#[derive(Copy, Clone, Debug, Default, PartialEq, LogicStruct)]
pub struct Pair {
    low: Bits<5>,
    flag: Bit,
    high: Bits<7>,
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Fields {
    a: Signal<In, Bits<5>>,
    b: Signal<In, Bits<7>>,
    pair: Signal<Local, Pair>,
    copy: Signal<Out, Pair>,
    low: Signal<Out, Bits<5>>,
    high: Signal<Out, Bits<7>>,
    flag: Signal<Out, Bit>,
}

impl Logic for Fields {
    #[kernel]
    fn update(&mut self) {
        self.pair.next.low = self.a.val() + 1;
        self.pair.next.high = self.b.val() - 1;
        self.pair.next.flag = self.a.val().any();
        self.copy.next = self.pair.val();
        self.low.next = self.pair.val().low;
        self.high.next = self.pair.val().high + 1;
        self.flag.next = self.pair.val().flag;
    }
}

impl Inputs for Fields {
    inputs!(@body a: 5, every(5); b: 7, every(7));
}
