use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The `MASK_BITS` bits from position `count` up: bit `i` is set if `i >= count`, for a count from 0 (all) to `MASK_BITS` (none).
/// `COUNT_BITS` bits number 0 to `MASK_BITS`.
///
/// `FORM` 0 writes it as a shift, `all ones << count`; `FORM` 1 decodes a thermometer: every bit compares its own position
/// with `count`, one bit of the count at a time for all positions. Both have the same value (proven) and, up to six bits of count,
/// one level of logic. For arbitrary data take `BarrelShifter`; for the mask of a new operation `InitialMask`.
/// Latency: 0 clocks.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct ThermometerMask<const MASK_BITS: usize, const COUNT_BITS: usize, const FORM: usize> {
    /// first position that is set, 0 to `MASK_BITS`
    pub count: Signal<In, Bits<COUNT_BITS>>,
    /// the bits from there up
    pub mask: Signal<Out, Bits<MASK_BITS>>,
    // Only with FORM 1: positions that are not below the count's bits 0 to k.
    at_least: Vec<Signal<Local, Bits<MASK_BITS>>>,
    // Positions whose number has bit k set.
    position: Vec<Constant<Bits<MASK_BITS>>>,
    _last: usize,
    _last_end: usize,
}

impl<const MASK_BITS: usize, const COUNT_BITS: usize, const FORM: usize> Default for ThermometerMask<MASK_BITS, COUNT_BITS, FORM> {
    fn default() -> Self {
        let c = usize::BITS - MASK_BITS.leading_zeros();
        assert!(
            COUNT_BITS == c as usize,
            "ThermometerMask: COUNT_BITS = {COUNT_BITS} with MASK_BITS = {MASK_BITS}, must be {c}: the bits that number 0 to {MASK_BITS}"
        );
        assert!(FORM <= 1, "ThermometerMask: FORM = {FORM}, allowed are 0 (shift) and 1 (thermometer)");
        Self {
            count: Default::default(),
            mask: Default::default(),
            at_least: (0..COUNT_BITS * FORM).map(|_| Default::default()).collect(),
            position: (0..COUNT_BITS * FORM)
                .map(|k| Constant::new((0..MASK_BITS).fold(bits::<MASK_BITS>(0), |mask, i| mask.replace_bit(i, (i >> k) & 1 == 1))))
                .collect(),
            _last: COUNT_BITS - 1,
            _last_end: COUNT_BITS,
        }
    }
}

impl<const MASK_BITS: usize, const COUNT_BITS: usize, const FORM: usize> Logic for ThermometerMask<MASK_BITS, COUNT_BITS, FORM> {
    #[kernel]
    fn update(&mut self) {
        // Loops of one pass or none: a choice at generation time.
        for _shift in FORM..1 {
            self.mask.next = !bits::<MASK_BITS>(0) << self.count.val();
        }
        for _thermometer in 0..FORM {
            // From the lowest bit: a bit of the position that differs from the count's decides over all lower ones.
            self.at_least[0].next = !bits::<MASK_BITS>(0);
            if self.count.val().get_bit(0) {
                self.at_least[0].next = self.position[0].val();
            }
            for k in 1..COUNT_BITS {
                self.at_least[k].next = self.position[k].val() | self.at_least[k - 1].val();
                if self.count.val().get_bit(k) {
                    self.at_least[k].next = self.position[k].val() & self.at_least[k - 1].val();
                }
            }
            for last in self._last..self._last_end {
                self.mask.next = self.at_least[last].val();
            }
        }
    }
}
