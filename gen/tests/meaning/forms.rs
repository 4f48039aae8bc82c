//! The forms. `W` is the width, `P` a position's, `D` twice the width, `H` half of it.
#![allow(clippy::nonminimal_bool, clippy::precedence, clippy::bool_comparison, clippy::single_match)]

use crate::harness::{FromBits, Inputs};
use num_bigint::BigUint;
use rdma_rtl_hdl::{Described, kernel};
use rust_hdl::prelude::*;

/// The inputs of a block: name, bits, number of legal values.
#[macro_export]
macro_rules! inputs {
    ($block:ident, $($name:ident: $bits:expr, $legal:expr);*) => {
        impl<const W: usize, const P: usize, const D: usize, const H: usize> Inputs for $block<W, P, D, H> {
            $crate::inputs!(@body $($name: $bits, $legal);*);
        }
    };
    (@body $($name:ident: $bits:expr, $legal:expr);*) => {
        fn inputs() -> Vec<(&'static str, usize, BigUint)> {
            vec![$( (stringify!($name), $bits, BigUint::from($legal)) ),*]
        }
        fn set(&mut self, values: &[BigUint]) {
            let mut values = values.iter().cloned();
            $( self.$name.next = FromBits::from_bits(values.next().expect("as many values as inputs")); )*
        }
    };
}

/// As many values as `bits` bits have.
pub fn every(bits: usize) -> BigUint {
    BigUint::from(1u8) << bits
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Arithmetic<const W: usize, const P: usize, const D: usize, const H: usize> {
    a: Signal<In, Bits<W>>,
    b: Signal<In, Bits<W>>,
    c: Signal<In, Bit>,
    sum: Signal<Out, Bits<W>>,
    difference: Signal<Out, Bits<W>>,
    increment: Signal<Out, Bits<W>>,
    decrement: Signal<Out, Bits<W>>,
    literal_left: Signal<Out, Bits<W>>,
    literal_minus: Signal<Out, Bits<W>>,
    with_bool: Signal<Out, Bits<W>>,
    and: Signal<Out, Bits<W>>,
    or: Signal<Out, Bits<W>>,
    xor: Signal<Out, Bits<W>>,
    and_literal: Signal<Out, Bits<W>>,
    not: Signal<Out, Bits<W>>,
    not_zero: Signal<Out, Bits<W>>,
    all: Signal<Out, Bit>,
    any: Signal<Out, Bit>,
    odd: Signal<Out, Bit>,
    wraps: Signal<Out, Bit>,
    sum_halved: Signal<Out, Bits<W>>,
    increment_halved: Signal<Out, Bits<W>>,
    borrow: Signal<Out, Bit>,
    complement_is_zero: Signal<Out, Bit>,
    wide_sum: Signal<Out, Bits<D>>,
    wide_not: Signal<Out, Bits<D>>,
    wide_difference: Signal<Out, Bits<D>>,
    narrow_sum: Signal<Out, Bits<H>>,
    carry: Signal<Out, Bit>,
    precedence: Signal<Out, Bit>,
    mixed: Signal<Out, Bits<W>>,
    left_to_right: Signal<Out, Bits<W>>,
    grouped: Signal<Out, Bits<W>>,
    sum_parity: Signal<Out, Bit>,
    sum_all: Signal<Out, Bit>,
    logic: Signal<Out, Bit>,
    bit_logic: Signal<Out, Bit>,
    bit_xor: Signal<Out, Bit>,
}
inputs!(Arithmetic, a: W, every(W); b: W, every(W); c: 1, every(1));

impl<const W: usize, const P: usize, const D: usize, const H: usize> Logic for Arithmetic<W, P, D, H> {
    #[kernel]
    fn update(&mut self) {
        self.sum.next = self.a.val() + self.b.val();
        self.difference.next = self.a.val() - self.b.val();
        self.increment.next = self.a.val() + 1;
        self.decrement.next = self.a.val() - 1;
        self.literal_left.next = 1 + self.a.val();
        self.literal_minus.next = 1 - self.a.val();
        self.with_bool.next = self.a.val() + self.c.val();
        self.and.next = self.a.val() & self.b.val();
        self.or.next = self.a.val() | self.b.val();
        self.xor.next = self.a.val() ^ self.b.val();
        self.and_literal.next = self.a.val() & 1;
        self.not.next = !self.a.val();
        self.not_zero.next = !bits::<W>(0);
        self.all.next = self.a.val().all();
        self.any.next = self.a.val().any();
        self.odd.next = self.a.val().xor();
        self.wraps.next = (self.a.val() + 1) == 0;
        self.sum_halved.next = (self.a.val() + self.b.val()) >> 1;
        self.increment_halved.next = (self.a.val() + 1) >> 1;
        self.borrow.next = (self.a.val() - 1) > self.b.val();
        self.complement_is_zero.next = !self.a.val() == 0;
        self.wide_sum.next = bit_cast::<D, W>(self.a.val() + self.b.val());
        self.wide_not.next = bit_cast::<D, W>(!self.a.val());
        self.wide_difference.next = bit_cast::<D, W>(self.a.val() - self.b.val()) + bit_cast::<D, W>(self.b.val());
        self.narrow_sum.next = bit_cast::<H, W>(self.a.val() + self.b.val());
        self.carry.next = (self.a.val() + self.b.val()) < self.a.val();
        self.precedence.next = self.a.val() & self.b.val() == self.b.val();
        self.mixed.next = self.a.val() | self.b.val() ^ self.a.val() & self.b.val() + 1;
        self.left_to_right.next = self.a.val() - self.b.val() - 1;
        self.grouped.next = self.a.val() - (self.b.val() - 1);
        self.sum_parity.next = (self.a.val() + self.b.val()).xor();
        self.sum_all.next = (self.a.val() - self.b.val()).all() || !(self.a.val() | self.b.val()).any();
        self.logic.next = self.c.val() && !self.a.val().any() || self.b.val().all() && !(self.c.val() || self.a.val().all());
        self.bit_logic.next = self.c.val() & self.a.val().any() | !self.c.val() & self.b.val().xor();
        self.bit_xor.next = self.c.val() ^ (self.a.val() == self.b.val());
    }
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Comparisons<const W: usize, const P: usize, const D: usize, const H: usize> {
    a: Signal<In, Bits<W>>,
    b: Signal<In, Bits<W>>,
    equal: Signal<Out, Bit>,
    not_equal: Signal<Out, Bit>,
    less: Signal<Out, Bit>,
    less_equal: Signal<Out, Bit>,
    greater: Signal<Out, Bit>,
    greater_equal: Signal<Out, Bit>,
    is_one: Signal<Out, Bit>,
    one_is: Signal<Out, Bit>,
    not_one: Signal<Out, Bit>,
    below_zero: Signal<Out, Bit>,
    from_zero: Signal<Out, Bit>,
    zero_below: Signal<Out, Bit>,
    up_to_one: Signal<Out, Bit>,
    above_one: Signal<Out, Bit>,
    one_above: Signal<Out, Bit>,
    up_to_full: Signal<Out, Bit>,
    above_full: Signal<Out, Bit>,
    of_comparisons: Signal<Out, Bit>,
    is_true: Signal<Out, Bit>,
    is_not_false: Signal<Out, Bit>,
    signed_less: Signal<Out, Bit>,
    signed_less_equal: Signal<Out, Bit>,
    signed_greater: Signal<Out, Bit>,
    signed_greater_equal: Signal<Out, Bit>,
    signed_equal: Signal<Out, Bit>,
    signed_sum_less: Signal<Out, Bit>,
    wide_less: Signal<Out, Bit>,
}
inputs!(Comparisons, a: W, every(W); b: W, every(W));

impl<const W: usize, const P: usize, const D: usize, const H: usize> Logic for Comparisons<W, P, D, H> {
    #[kernel]
    fn update(&mut self) {
        self.equal.next = self.a.val() == self.b.val();
        self.not_equal.next = self.a.val() != self.b.val();
        self.less.next = self.a.val() < self.b.val();
        self.less_equal.next = self.a.val() <= self.b.val();
        self.greater.next = self.a.val() > self.b.val();
        self.greater_equal.next = self.a.val() >= self.b.val();
        self.is_one.next = self.a.val() == 1;
        self.one_is.next = 1 == self.a.val();
        self.not_one.next = self.a.val() != 1;
        self.below_zero.next = self.a.val() < 0;
        self.from_zero.next = self.a.val() >= 0;
        self.zero_below.next = 0 < self.a.val();
        self.up_to_one.next = self.a.val() <= 1;
        self.above_one.next = self.a.val() > 1;
        self.one_above.next = 1 > self.a.val();
        self.up_to_full.next = self.a.val() <= !bits::<W>(0);
        self.above_full.next = self.a.val() > !bits::<W>(0);
        self.of_comparisons.next = (self.a.val() < self.b.val()) == (self.a.val() == 1);
        self.is_true.next = (self.a.val() < self.b.val()) == true;
        self.is_not_false.next = (self.a.val() < self.b.val()) != false;
        self.signed_less.next = signed_cast::<W>(self.a.val()) < signed_cast::<W>(self.b.val());
        self.signed_less_equal.next = signed_cast::<W>(self.a.val()) <= signed_cast::<W>(self.b.val());
        self.signed_greater.next = signed_cast::<W>(self.a.val()) > signed_cast::<W>(self.b.val());
        self.signed_greater_equal.next = signed_cast::<W>(self.a.val()) >= signed_cast::<W>(self.b.val());
        self.signed_equal.next = signed_cast::<W>(self.a.val()) == signed_cast::<W>(self.b.val());
        self.signed_sum_less.next = (signed_cast::<W>(self.a.val()) + signed_cast::<W>(self.b.val())) < signed_cast::<W>(self.b.val());
        self.wide_less.next = bit_cast::<D, W>(self.a.val()) + bit_cast::<D, W>(self.b.val()) < bit_cast::<D, W>(self.a.val() + 1);
    }
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Shifts<const W: usize, const P: usize, const D: usize, const H: usize> {
    a: Signal<In, Bits<W>>,
    b: Signal<In, Bits<W>>,
    s: Signal<In, Bits<4>>,
    left: Signal<Out, Bits<W>>,
    right: Signal<Out, Bits<W>>,
    left_one: Signal<Out, Bits<W>>,
    right_one: Signal<Out, Bits<W>>,
    left_far: Signal<Out, Bits<W>>,
    right_far: Signal<Out, Bits<W>>,
    left_zero: Signal<Out, Bits<W>>,
    sum_left: Signal<Out, Bits<W>>,
    sum_right: Signal<Out, Bits<W>>,
    there_and_back: Signal<Out, Bits<W>>,
    by_sum: Signal<Out, Bits<W>>,
    wide_left: Signal<Out, Bits<D>>,
    wide_of_left: Signal<Out, Bits<D>>,
    narrow_of_right: Signal<Out, Bits<H>>,
    narrow_of_left: Signal<Out, Bits<H>>,
    one_hot: Signal<Out, Bits<W>>,
    literal: Signal<Out, Bits<64>>,
    not_shifted: Signal<Out, Bits<W>>,
    shifted_is: Signal<Out, Bit>,
}
inputs!(Shifts, a: W, every(W); b: W, every(W); s: 4, every(4));

impl<const W: usize, const P: usize, const D: usize, const H: usize> Logic for Shifts<W, P, D, H> {
    #[kernel]
    fn update(&mut self) {
        self.left.next = self.a.val() << self.s.val();
        self.right.next = self.a.val() >> self.s.val();
        self.left_one.next = self.a.val() << 1;
        self.right_one.next = self.a.val() >> 1;
        self.left_far.next = self.a.val() << 200;
        self.right_far.next = self.a.val() >> 200;
        self.left_zero.next = self.a.val() << 0;
        self.sum_left.next = (self.a.val() + self.b.val()) << self.s.val();
        self.sum_right.next = (self.a.val() + self.b.val()) >> self.s.val();
        self.there_and_back.next = self.a.val() << self.s.val() >> self.s.val();
        self.by_sum.next = self.a.val() << (self.s.val() + 1);
        self.wide_left.next = bit_cast::<D, W>(self.a.val()) << self.s.val();
        self.wide_of_left.next = bit_cast::<D, W>(self.a.val() << 1);
        self.narrow_of_right.next = bit_cast::<H, W>(self.a.val() >> 1);
        self.narrow_of_left.next = bit_cast::<H, W>(self.a.val() << 1);
        self.one_hot.next = bits::<W>(1) << self.s.val();
        self.literal.next = 5 << self.s.val();
        self.not_shifted.next = !(!self.a.val() << self.s.val());
        self.shifted_is.next = (self.a.val() >> self.s.val()) == 1;
    }
}

/// Amounts wider than simulators shift by.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct WideAmount {
    a: Signal<In, Bits<40>>,
    near: Signal<In, Bits<6>>,
    far: Signal<In, Bits<2>>,
    amount: Signal<Local, Bits<64>>,
    left: Signal<Out, Bits<40>>,
    right: Signal<Out, Bits<40>>,
}

impl Logic for WideAmount {
    #[kernel]
    fn update(&mut self) {
        self.amount.next = (bit_cast::<64, 2>(self.far.val()) << 32) | bit_cast::<64, 6>(self.near.val());
        self.left.next = self.a.val() << self.amount.val();
        self.right.next = self.a.val() >> self.amount.val();
    }
}

impl Inputs for WideAmount {
    inputs!(@body a: 40, every(40); near: 6, every(6); far: 2, every(2));
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Selections<const W: usize, const P: usize, const D: usize, const H: usize> {
    a: Signal<In, Bits<W>>,
    b: Signal<In, Bits<W>>,
    i: Signal<In, Bits<P>>,
    c: Signal<In, Bit>,
    first: Signal<Out, Bit>,
    last: Signal<Out, Bit>,
    at: Signal<Out, Bit>,
    of_sum: Signal<Out, Bit>,
    at_of_sum: Signal<Out, Bit>,
    low: Signal<Out, Bits<H>>,
    low_of_sum: Signal<Out, Bits<H>>,
    upper: Signal<Out, Bits<H>>,
    past_the_end: Signal<Out, Bits<W>>,
    wider: Signal<Out, Bits<D>>,
    slice_at: Signal<Out, Bits<H>>,
    slice_at_of_sum: Signal<Out, Bits<H>>,
    slice_of_slice: Signal<Out, Bits<1>>,
    replaced: Signal<Out, Bits<W>>,
    replaced_last: Signal<Out, Bits<W>>,
    replaced_at: Signal<Out, Bits<W>>,
    replaced_twice: Signal<Out, Bits<W>>,
    replaced_sum: Signal<Out, Bits<W>>,
    slice_sum: Signal<Out, Bits<H>>,
    wide_slice: Signal<Out, Bits<D>>,
    bit_of_slice: Signal<Out, Bit>,
}
inputs!(Selections, a: W, every(W); b: W, every(W); i: P, W; c: 1, every(1));

impl<const W: usize, const P: usize, const D: usize, const H: usize> Logic for Selections<W, P, D, H> {
    #[kernel]
    fn update(&mut self) {
        self.first.next = self.a.val().get_bit(0);
        self.last.next = self.a.val().get_bit(W - 1);
        self.at.next = self.a.val().get_bit(self.i.val().index());
        self.of_sum.next = (self.a.val() + self.b.val()).get_bit(W - 1);
        self.at_of_sum.next = (self.a.val() + self.b.val()).get_bit(self.i.val().index());
        self.low.next = self.a.val().get_bits::<H>(0);
        self.low_of_sum.next = (self.a.val() + self.b.val()).get_bits::<H>(0);
        self.upper.next = self.a.val().get_bits::<H>(W - H);
        self.past_the_end.next = self.a.val().get_bits::<W>(H);
        self.wider.next = self.a.val().get_bits::<D>(0);
        self.slice_at.next = self.a.val().get_bits::<H>(self.i.val().index());
        self.slice_at_of_sum.next = (self.a.val() - self.b.val()).get_bits::<H>(self.i.val().index());
        self.slice_of_slice.next = self.a.val().get_bits::<H>(W - H).get_bits::<1>(0);
        self.replaced.next = self.a.val().replace_bit(0, self.c.val());
        self.replaced_last.next = self.a.val().replace_bit(W - 1, self.c.val());
        self.replaced_at.next = self.a.val().replace_bit(self.i.val().index(), self.c.val());
        self.replaced_twice.next = self.a.val().replace_bit(0, self.c.val()).replace_bit(W - 1, !self.c.val());
        self.replaced_sum.next = (self.a.val() + self.b.val()).replace_bit(self.i.val().index(), self.c.val());
        self.slice_sum.next = self.a.val().get_bits::<H>(0) + self.b.val().get_bits::<H>(0);
        self.wide_slice.next = bit_cast::<D, H>(self.a.val().get_bits::<H>(W - H) + 1);
        self.bit_of_slice.next = (!self.a.val()).get_bits::<H>(0).get_bit(H - 1);
    }
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Casts<const W: usize, const P: usize, const D: usize, const H: usize> {
    a: Signal<In, Bits<W>>,
    x: Signal<In, Signed<W>>,
    c: Signal<In, Bit>,
    // rust-hdl's `signed_bit_cast` does not return for the least value: it negates for ever.
    small: Signal<Local, Signed<W>>,
    up: Signal<Out, Bits<D>>,
    down: Signal<Out, Bits<H>>,
    down_up: Signal<Out, Bits<D>>,
    up_down: Signal<Out, Bits<H>>,
    from_bool: Signal<Out, Bits<W>>,
    join: Signal<Out, Bits<D>>,
    literal: Signal<Out, Bits<D>>,
    sum: Signal<Out, Signed<W>>,
    difference: Signal<Out, Signed<W>>,
    negative: Signal<Out, Signed<W>>,
    as_bits: Signal<Out, Bits<W>>,
    sign_extended: Signal<Out, Signed<D>>,
    sign_extended_sum: Signal<Out, Signed<D>>,
    cut: Signal<Out, Signed<H>>,
    difference_as_bits: Signal<Out, Bits<D>>,
    wide_less: Signal<Out, Bit>,
    sign: Signal<Out, Bit>,
}
inputs!(Casts, a: W, every(W); x: W, every(W); c: 1, every(1));

impl<const W: usize, const P: usize, const D: usize, const H: usize> Logic for Casts<W, P, D, H> {
    #[kernel]
    fn update(&mut self) {
        self.up.next = bit_cast::<D, W>(self.a.val());
        self.down.next = bit_cast::<H, W>(self.a.val());
        self.down_up.next = bit_cast::<D, H>(bit_cast::<H, W>(self.a.val() + 1));
        self.up_down.next = bit_cast::<H, D>(bit_cast::<D, W>(self.a.val()) + 1);
        self.from_bool.next = bit_cast::<W, 1>(self.c.val().into());
        self.join.next = bit_cast::<D, W>(self.a.val()) | (bit_cast::<D, W>(!self.a.val()) << 3);
        self.literal.next = bits::<D>(3);
        self.sum.next = signed_cast::<W>(self.a.val()) + self.x.val();
        self.difference.next = signed_cast::<W>(self.a.val()) - self.x.val();
        self.negative.next = -self.x.val();
        self.as_bits.next = unsigned_cast::<W>(self.x.val());
        self.small.next = signed_cast::<W>(bits::<W>(0));
        if (unsigned_cast::<W>(self.x.val()) << 1).any() {
            self.small.next = self.x.val();
        }
        self.sign_extended.next = signed_bit_cast::<D, W>(self.small.val());
        self.sign_extended_sum.next = signed_bit_cast::<D, W>(self.small.val()) + signed_bit_cast::<D, W>(self.small.val());
        self.cut.next = signed_bit_cast::<H, W>(self.small.val());
        self.difference_as_bits.next = unsigned_cast::<D>(signed_bit_cast::<D, W>(self.small.val()));
        self.wide_less.next = self.x.val() < signed_cast::<W>(self.a.val());
        self.sign.next = self.x.val().get_bit(W - 1);
    }
}

#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct Products {
    a: Signal<In, Bits<16>>,
    b: Signal<In, Bits<16>>,
    x: Signal<In, Signed<16>>,
    product: Signal<Out, Bits<32>>,
    signed_product: Signal<Out, Signed<32>>,
    low: Signal<Out, Bits<16>>,
    of_sums: Signal<Out, Bits<32>>,
}

impl Logic for Products {
    #[kernel]
    fn update(&mut self) {
        self.product.next = self.a.val() * self.b.val();
        self.signed_product.next = self.x.val() * signed_cast::<16>(self.a.val());
        self.low.next = bit_cast::<16, 32>(self.a.val() * self.b.val());
        self.of_sums.next = (self.a.val() + 1) * (self.b.val() - self.a.val());
    }
}

impl Inputs for Products {
    inputs!(@body a: 16, every(16); b: 16, every(16); x: 16, every(16));
}

#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum State {
    Idle,
    Load,
    Run,
}

#[derive(Clone, Debug, Described, LogicBlock)]
pub struct Control<const W: usize, const P: usize, const D: usize, const H: usize> {
    a: Signal<In, Bits<W>>,
    b: Signal<In, Bits<W>>,
    k: Signal<In, Bits<2>>,
    chain: Signal<Out, Bits<W>>,
    nested: Signal<Out, Bits<W>>,
    overwritten: Signal<Out, Bits<W>>,
    by_literal: Signal<Out, Bits<W>>,
    by_bool: Signal<Out, Bits<W>>,
    state: Signal<Local, State>,
    state_out: Signal<Out, State>,
    by_state: Signal<Out, Bits<W>>,
    by_state_default: Signal<Out, Bits<W>>,
    is_run: Signal<Out, Bit>,
    steps: [Signal<Local, Bits<W>>; 4],
    last_step: Signal<Out, Bits<W>>,
    middle_step: Signal<Out, Bits<W>>,
    numbered: Signal<Out, Bits<8>>,
    early: Signal<Local, Bits<W>>,
    before: Signal<Out, Bits<W>>,
    between: Signal<Out, Bits<W>>,
    after: Signal<Out, Bits<W>>,
    late: Signal<Local, Bits<W>>,
    read_first: Signal<Out, Bits<W>>,
    accumulated: Signal<Out, Bits<W>>,
    reversed: Signal<Out, Bits<W>>,
    constant: Constant<Bits<W>>,
    enabled: Constant<Bit>,
    with_constant: Signal<Out, Bits<W>>,
    by_constant: Signal<Out, Bits<W>>,
    branch_read: Signal<Out, Bits<W>>,
    branch: Signal<Local, Bits<W>>,
}
inputs!(Control, a: W, every(W); b: W, every(W); k: 2, every(2));

impl<const W: usize, const P: usize, const D: usize, const H: usize> Default for Control<W, P, D, H> {
    fn default() -> Self {
        Self {
            a: Default::default(),
            b: Default::default(),
            k: Default::default(),
            chain: Default::default(),
            nested: Default::default(),
            overwritten: Default::default(),
            by_literal: Default::default(),
            by_bool: Default::default(),
            state: Default::default(),
            state_out: Default::default(),
            by_state: Default::default(),
            by_state_default: Default::default(),
            is_run: Default::default(),
            steps: Default::default(),
            last_step: Default::default(),
            middle_step: Default::default(),
            numbered: Default::default(),
            early: Default::default(),
            before: Default::default(),
            between: Default::default(),
            after: Default::default(),
            late: Default::default(),
            read_first: Default::default(),
            accumulated: Default::default(),
            reversed: Default::default(),
            constant: Constant::new(!bits::<W>(0)),
            enabled: Constant::new(true),
            with_constant: Default::default(),
            by_constant: Default::default(),
            branch_read: Default::default(),
            branch: Default::default(),
        }
    }
}

impl<const W: usize, const P: usize, const D: usize, const H: usize> Logic for Control<W, P, D, H> {
    #[kernel]
    fn update(&mut self) {
        if self.a.val() == self.b.val() {
            self.chain.next = self.a.val();
        } else if self.a.val() < self.b.val() {
            self.chain.next = self.b.val() - self.a.val();
        } else if self.k.val().any() {
            self.chain.next = self.a.val() - 1;
        } else {
            self.chain.next = !self.a.val();
        }

        self.nested.next = bits::<W>(0);
        if self.k.val().get_bit(0) {
            if self.k.val().get_bit(1) {
                self.nested.next = self.a.val();
            } else {
                self.nested.next = self.b.val();
            }
        }

        self.overwritten.next = self.a.val();
        if self.k.val() == 1 {
            self.overwritten.next = self.b.val();
        }
        if self.k.val() != 2 {
            self.overwritten.next = self.overwritten.val() + 1;
        }

        match self.k.val().index() {
            0 => self.by_literal.next = self.a.val(),
            1 => {
                self.by_literal.next = self.b.val();
            }
            0b11 => self.by_literal.next = self.a.val() & self.b.val(),
            _ => self.by_literal.next = !self.b.val(),
        }

        match self.a.val() < self.b.val() {
            true => self.by_bool.next = self.a.val(),
            false => {
                self.by_bool.next = self.b.val();
            }
        }

        self.state.next = State::Idle;
        if self.k.val() == 1 {
            self.state.next = State::Load;
        }
        if self.k.val().get_bit(1) {
            self.state.next = State::Run;
        }
        self.state_out.next = self.state.val();
        match self.state.val() {
            State::Idle => self.by_state.next = self.a.val(),
            State::Load => self.by_state.next = self.b.val(),
            State::Run => self.by_state.next = self.a.val() + self.b.val(),
        }
        self.by_state_default.next = self.b.val();
        match self.state.val() {
            State::Load => self.by_state_default.next = self.a.val(),
            _ => {}
        }
        self.is_run.next = self.state.val() == State::Run;

        self.steps[0].next = self.a.val();
        for n in 0..3 {
            self.steps[n + 1].next = self.steps[n].val() + self.b.val();
        }
        self.last_step.next = self.steps[3].val();
        self.middle_step.next = self.steps[2 * 3 - 4].val();
        self.numbered.next = bits::<8>(0);
        for n in 0..4_usize {
            if self.k.val() == n.to_bits::<2>() {
                self.numbered.next = n.to_bits::<8>();
            }
        }

        self.early.next = self.a.val();
        self.before.next = self.early.val();
        self.early.next = self.early.val() + self.b.val();
        if self.early.val() == 1 {
            self.early.next = self.b.val();
        }
        self.between.next = self.early.val();
        self.early.next = self.early.val() ^ self.a.val();
        self.after.next = self.early.val();

        self.read_first.next = self.late.val() + 1;
        self.late.next = self.a.val() + self.b.val();

        self.accumulated.next = bits::<W>(0);
        for n in 0..2_usize {
            if self.k.val().get_bit(n) {
                self.accumulated.next = self.accumulated.val() | (self.a.val() << n.to_bits::<2>());
            }
        }
        self.reversed.next = bits::<W>(0);
        for n in 0..W {
            if self.a.val().get_bit(W - 1 - n) {
                self.reversed.next = self.reversed.val().replace_bit(n, true);
            }
        }

        self.with_constant.next = self.a.val() - self.constant.val();
        if self.enabled.val() {
            self.by_constant.next = self.a.val();
        } else {
            self.by_constant.next = self.b.val();
        }

        self.branch_read.next = self.a.val();
        self.branch.next = self.b.val();
        if self.k.val().get_bit(0) {
            self.branch.next = self.branch.val() + 1;
            self.branch_read.next = self.branch.val();
            self.branch.next = self.branch.val() + 1;
        }
    }
}
