use crate::primitives::{Reg, State};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Shift of a stream of words, `WIDTH` bits by a variable amount of `AMOUNT_BITS` bits; zeros come in. `LEFT` = 1 towards the top bit, 0
/// towards bit 0. A register follows every `STAGES_PER_REGISTER` stages of two bits of the amount, and the last stage.
///
/// `STAGES_PER_REGISTER` = 1 has one level of logic between registers; each register more costs `WIDTH` flip-flops. The pipeline moves as a
/// whole: it stands while a word waits at the output, and gaps between words stay. `BarrelShifter` is the same without a clock.
/// Latency: `AMOUNT_BITS / 2 / STAGES_PER_REGISTER` clocks, both quotients rounded up. Throughput: one per clock. Reset: empty; words
/// offered during `rst` are lost.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct BarrelShifterPipelined<const WIDTH: usize, const AMOUNT_BITS: usize, const LEFT: usize, const STAGES_PER_REGISTER: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a word is offered
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// the word
    pub in_data: Signal<In, Bits<WIDTH>>,
    /// by how many bits to shift it
    pub in_amount: Signal<In, Bits<AMOUNT_BITS>>,
    /// a shifted word is there
    pub out_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `out_valid` is high too
    pub out_ready: Signal<In, Bit>,
    /// the shifted word
    pub out_data: Signal<Out, Bits<WIDTH>>,
    data: Vec<Reg<Bits<WIDTH>>>,
    amount: Vec<Reg<Bits<AMOUNT_BITS>>>,
    valid: Vec<State<Bit>>,
    // What goes into a stage and what comes out of it.
    before: Vec<Signal<Local, Bits<WIDTH>>>,
    by: Vec<Signal<Local, Bits<AMOUNT_BITS>>>,
    after: Vec<Signal<Local, Bits<WIDTH>>>,
    moving: Signal<Local, Bit>,
    once: Vec<Constant<Bits<AMOUNT_BITS>>>,
    twice: Vec<Constant<Bits<AMOUNT_BITS>>>,
    thrice: Vec<Constant<Bits<AMOUNT_BITS>>>,
    _pairs: usize,
    _stages: usize,
    // With stages that do nothing, to fill the last group.
    _padded: usize,
    _registers: usize,
    _last: usize,
    _per_end: usize,
}

impl<const WIDTH: usize, const AMOUNT_BITS: usize, const LEFT: usize, const STAGES_PER_REGISTER: usize> Default
    for BarrelShifterPipelined<WIDTH, AMOUNT_BITS, LEFT, STAGES_PER_REGISTER>
{
    fn default() -> Self {
        assert!(LEFT <= 1, "BarrelShifterPipelined: LEFT = {LEFT}, allowed are 0 (right) and 1 (left)");
        assert!((1..=16).contains(&AMOUNT_BITS), "BarrelShifterPipelined: AMOUNT_BITS = {AMOUNT_BITS}, allowed are 1 to 16 bits of amount");
        assert!(
            STAGES_PER_REGISTER >= 1,
            "BarrelShifterPipelined: STAGES_PER_REGISTER = {STAGES_PER_REGISTER}, must be 1 or more stages between registers"
        );
        let stages = AMOUNT_BITS.div_ceil(2);
        let registers = stages.div_ceil(STAGES_PER_REGISTER);
        let step = |times: u64| move |i: usize| Constant::new(bits::<AMOUNT_BITS>(times << (2 * i)));
        Self {
            data: (0..registers).map(|_| Default::default()).collect(),
            amount: (1..registers).map(|_| Default::default()).collect(),
            valid: (0..registers).map(|_| Default::default()).collect(),
            before: (0..registers * STAGES_PER_REGISTER).map(|_| Default::default()).collect(),
            by: (0..registers * STAGES_PER_REGISTER).map(|_| Default::default()).collect(),
            after: (0..registers * STAGES_PER_REGISTER).map(|_| Default::default()).collect(),
            once: (0..stages).map(step(1)).collect(),
            twice: (0..AMOUNT_BITS / 2).map(step(2)).collect(),
            thrice: (0..AMOUNT_BITS / 2).map(step(3)).collect(),
            _pairs: AMOUNT_BITS / 2,
            _stages: stages,
            _padded: registers * STAGES_PER_REGISTER,
            _registers: registers,
            _last: registers - 1,
            _per_end: STAGES_PER_REGISTER + 1,
            ..Self::blank()
        }
    }
}

impl<const WIDTH: usize, const AMOUNT_BITS: usize, const LEFT: usize, const STAGES_PER_REGISTER: usize> Logic
    for BarrelShifterPipelined<WIDTH, AMOUNT_BITS, LEFT, STAGES_PER_REGISTER>
{
    #[kernel]
    fn update(&mut self) {
        for last in self._last..self._registers {
            self.moving.next = self.out_ready.val() || !self.valid[last].q.val();
            self.out_valid.next = self.valid[last].q.val();
            self.out_data.next = self.data[last].q.val();
        }
        self.in_ready.next = self.moving.val();

        // The stages in groups, a register behind each. A loop of one pass is how a kernel says `STAGES_PER_REGISTER` in an index.
        self.before[0].next = self.in_data.val();
        self.by[0].next = self.in_amount.val();
        for per in STAGES_PER_REGISTER..self._per_end {
            for group in 0..self._registers {
                for i in 1..STAGES_PER_REGISTER {
                    self.before[group * per + i].next = self.after[group * per + i - 1].val();
                    self.by[group * per + i].next = self.by[group * per + i - 1].val();
                }
                self.data[group].d.next = self.data[group].q.val();
                self.valid[group].d.next = self.valid[group].q.val();
                if self.moving.val() {
                    self.data[group].d.next = self.after[group * per + per - 1].val();
                }
            }
            for group in 1..self._registers {
                self.before[group * per].next = self.data[group - 1].q.val();
                self.by[group * per].next = self.amount[group - 1].q.val();
                self.amount[group - 1].clock.next = self.clk.val();
                self.amount[group - 1].d.next = self.amount[group - 1].q.val();
                if self.moving.val() {
                    self.amount[group - 1].d.next = self.by[group * per - 1].val();
                    self.valid[group].d.next = self.valid[group - 1].q.val();
                }
            }
        }
        if self.moving.val() {
            self.valid[0].d.next = self.in_valid.val();
        }

        // A loop over 0..LEFT or LEFT..1 has one pass or none: a choice at generation time.
        for _left in 0..LEFT {
            for i in 0..self._pairs {
                self.after[i].next = self.before[i].val();
                if self.by[i].val().get_bit(2 * i + 1) {
                    self.after[i].next = self.before[i].val() << self.twice[i].val();
                    if self.by[i].val().get_bit(2 * i) {
                        self.after[i].next = self.before[i].val() << self.thrice[i].val();
                    }
                } else if self.by[i].val().get_bit(2 * i) {
                    self.after[i].next = self.before[i].val() << self.once[i].val();
                }
            }
            for i in self._pairs..self._stages {
                self.after[i].next = self.before[i].val();
                if self.by[i].val().get_bit(2 * i) {
                    self.after[i].next = self.before[i].val() << self.once[i].val();
                }
            }
        }
        for _right in LEFT..1 {
            for i in 0..self._pairs {
                self.after[i].next = self.before[i].val();
                if self.by[i].val().get_bit(2 * i + 1) {
                    self.after[i].next = self.before[i].val() >> self.twice[i].val();
                    if self.by[i].val().get_bit(2 * i) {
                        self.after[i].next = self.before[i].val() >> self.thrice[i].val();
                    }
                } else if self.by[i].val().get_bit(2 * i) {
                    self.after[i].next = self.before[i].val() >> self.once[i].val();
                }
            }
            for i in self._pairs..self._stages {
                self.after[i].next = self.before[i].val();
                if self.by[i].val().get_bit(2 * i) {
                    self.after[i].next = self.before[i].val() >> self.once[i].val();
                }
            }
        }
        for i in self._stages..self._padded {
            self.after[i].next = self.before[i].val();
        }
    }
}
