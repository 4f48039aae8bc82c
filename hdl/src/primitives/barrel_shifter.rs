use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Shift of `WIDTH` bits by a variable amount of `AMOUNT_BITS` bits, combinational; zeros come in. `LEFT` = 1 towards the top bit, 0
/// towards bit 0.
///
/// Each stage does two bits of the amount: a four-way multiplexer is one six-input LUT, as large as a two-way one. An amount of `WIDTH` or
/// more gives zero. Where one clock is too short take `BarrelShifterPipelined`; a shifted constant is cheaper by `ThermometerMask`.
/// Latency: 0 clocks, `AMOUNT_BITS / 2` levels of logic.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct BarrelShifter<const WIDTH: usize, const AMOUNT_BITS: usize, const LEFT: usize> {
    /// what to shift
    pub data: Signal<In, Bits<WIDTH>>,
    /// by how many bits
    pub amount: Signal<In, Bits<AMOUNT_BITS>>,
    /// result
    pub shifted: Signal<Out, Bits<WIDTH>>,
    stage: Vec<Signal<Local, Bits<WIDTH>>>,
    once: Vec<Constant<Bits<AMOUNT_BITS>>>,
    twice: Vec<Constant<Bits<AMOUNT_BITS>>>,
    thrice: Vec<Constant<Bits<AMOUNT_BITS>>>,
    _pairs: usize,
    _stages: usize,
    _end: usize,
}

impl<const WIDTH: usize, const AMOUNT_BITS: usize, const LEFT: usize> Default for BarrelShifter<WIDTH, AMOUNT_BITS, LEFT> {
    fn default() -> Self {
        assert!(LEFT <= 1, "BarrelShifter: LEFT = {LEFT}, allowed are 0 (right) and 1 (left)");
        assert!((1..=16).contains(&AMOUNT_BITS), "BarrelShifter: AMOUNT_BITS = {AMOUNT_BITS}, allowed are 1 to 16 bits of amount");
        let stages = AMOUNT_BITS.div_ceil(2);
        let step = |times: u64| move |i: usize| Constant::new(bits::<AMOUNT_BITS>(times << (2 * i)));
        Self {
            data: Default::default(),
            amount: Default::default(),
            shifted: Default::default(),
            stage: (0..=stages).map(|_| Default::default()).collect(),
            once: (0..stages).map(step(1)).collect(),
            twice: (0..AMOUNT_BITS / 2).map(step(2)).collect(),
            thrice: (0..AMOUNT_BITS / 2).map(step(3)).collect(),
            _pairs: AMOUNT_BITS / 2,
            _stages: stages,
            _end: stages + 1,
        }
    }
}

impl<const WIDTH: usize, const AMOUNT_BITS: usize, const LEFT: usize> Logic for BarrelShifter<WIDTH, AMOUNT_BITS, LEFT> {
    #[kernel]
    fn update(&mut self) {
        self.stage[0].next = self.data.val();
        // A loop over 0..LEFT or LEFT..1 has one pass or none: a choice at generation time.
        for _left in 0..LEFT {
            for i in 0..self._pairs {
                self.stage[i + 1].next = self.stage[i].val();
                if self.amount.val().get_bit(2 * i + 1) {
                    self.stage[i + 1].next = self.stage[i].val() << self.twice[i].val();
                    if self.amount.val().get_bit(2 * i) {
                        self.stage[i + 1].next = self.stage[i].val() << self.thrice[i].val();
                    }
                } else if self.amount.val().get_bit(2 * i) {
                    self.stage[i + 1].next = self.stage[i].val() << self.once[i].val();
                }
            }
            for i in self._pairs..self._stages {
                self.stage[i + 1].next = self.stage[i].val();
                if self.amount.val().get_bit(2 * i) {
                    self.stage[i + 1].next = self.stage[i].val() << self.once[i].val();
                }
            }
        }
        for _right in LEFT..1 {
            for i in 0..self._pairs {
                self.stage[i + 1].next = self.stage[i].val();
                if self.amount.val().get_bit(2 * i + 1) {
                    self.stage[i + 1].next = self.stage[i].val() >> self.twice[i].val();
                    if self.amount.val().get_bit(2 * i) {
                        self.stage[i + 1].next = self.stage[i].val() >> self.thrice[i].val();
                    }
                } else if self.amount.val().get_bit(2 * i) {
                    self.stage[i + 1].next = self.stage[i].val() >> self.once[i].val();
                }
            }
            for i in self._pairs..self._stages {
                self.stage[i + 1].next = self.stage[i].val();
                if self.amount.val().get_bit(2 * i) {
                    self.stage[i + 1].next = self.stage[i].val() >> self.once[i].val();
                }
            }
        }
        for last in self._stages..self._end {
            self.shifted.next = self.stage[last].val();
        }
    }
}
