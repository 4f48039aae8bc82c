use crate::primitives::{BlockRam, Reg, State, ThermometerMask};
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// First half of an acknowledgement's way: what the allocator and the transmitter know of its op, and which of its bits name packets that were sent.
///
/// Words are read in stage 3: what was sent in an earlier clock than the acknowledgement came has then reached its memory.
/// Latency: 4 clocks. Throughput: one per clock. Reset: nothing is under way.
///
/// Parameters: `A` bits of an index, `GW` of a generation, `OW` = `A + GW`, `CW` of a command, `PB` of a packet, `CB` = `PB + 1`, `MW` bits of a mask word,
/// `MB` = log2 of it, `MC` = `MB + 1`, `HB` = `CB - MB`, `R` words of an op, `RB` bits of their number (1 at least),
/// `RW` = `GW + CB + CW + 3`, `SC` = `CB + 1`.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct AckFacts<
    const A: usize,
    const GW: usize,
    const OW: usize,
    const CW: usize,
    const PB: usize,
    const CB: usize,
    const MW: usize,
    const MB: usize,
    const MC: usize,
    const HB: usize,
    const R: usize,
    const RB: usize,
    const RW: usize,
    const SC: usize,
> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// stage 2: something passes
    pub s2_valid: Signal<In, Bit>,
    /// stage 2: 0 op acknowledgement, 1 remote completion, 2 retry limit, 3 payload not fetched
    pub s2_what: Signal<In, Bits<2>>,
    /// stage 2: op number
    pub s2_op: Signal<In, Bits<OW>>,
    /// stage 2: mask word of the op
    pub s2_word: Signal<In, Bits<RB>>,
    /// stage 2: status code
    pub s2_status: Signal<In, Bits<8>>,
    /// stage 2: packets of that word
    pub s2_bits: Signal<In, Bits<MW>>,
    /// an index has been given out
    pub record_write: Signal<In, Bit>,
    /// which
    pub record_index: Signal<In, Bits<A>>,
    /// `{command, count, generation, kind, base, phase}`
    pub record_data: Signal<In, Bits<RW>>,
    /// the count of sent packets of an index changes
    pub count_write: Signal<In, Bit>,
    /// of which
    pub count_index: Signal<In, Bits<A>>,
    /// `{packets, phase}`
    pub count_data: Signal<In, Bits<SC>>,

    /// stage 5: index
    pub s5_index: Signal<Out, Bits<A>>,
    /// stage 5: mask word of the op
    pub s5_word: Signal<Out, Bits<RB>>,
    /// stage 6: something passes
    pub s6_valid: Signal<Out, Bit>,
    /// stage 6: 0 op acknowledgement, 1 remote completion, 2 retry limit, 3 payload not fetched
    pub s6_what: Signal<Out, Bits<2>>,
    /// stage 6: op number
    pub s6_op: Signal<Out, Bits<OW>>,
    /// stage 6: mask word of the op
    pub s6_word: Signal<Out, Bits<RB>>,
    /// stage 6: status code
    pub s6_status: Signal<Out, Bits<8>>,
    /// stage 6: the generation is the current one
    pub s6_current: Signal<Out, Bit>,
    /// stage 6: phase of the op
    pub s6_phase: Signal<Out, Bit>,
    /// stage 6: kind of the op
    pub s6_kind: Signal<Out, Bit>,
    /// stage 6: its command
    pub s6_command: Signal<Out, Bits<CW>>,
    /// stage 6: packets that are named and were sent
    pub s6_bits: Signal<Out, Bits<MW>>,
    /// stage 6: bits of the word that are no packet of the op
    pub s6_outside: Signal<Out, Bits<MW>>,
    /// stage 6: mask words that the op does not need
    pub s6_unneeded: Signal<Out, Bits<R>>,
    /// stage 6: all packets have been sent
    pub s6_all_sent: Signal<Out, Bit>,

    records: BlockRam<RW, A, 0>,
    counts: BlockRam<SC, A, 0>,

    valid3: State<Bit>,
    what3: Reg<Bits<2>>,
    op3: Reg<Bits<OW>>,
    word3: Reg<Bits<RB>>,
    status3: Reg<Bits<8>>,
    bits3: Reg<Bits<MW>>,
    valid4: State<Bit>,
    what4: Reg<Bits<2>>,
    op4: Reg<Bits<OW>>,
    word4: Reg<Bits<RB>>,
    status4: Reg<Bits<8>>,
    bits4: Reg<Bits<MW>>,
    valid5: State<Bit>,
    what5: Reg<Bits<2>>,
    op5: Reg<Bits<OW>>,
    word5: Reg<Bits<RB>>,
    status5: Reg<Bits<8>>,
    bits5: Reg<Bits<MW>>,
    current5: Reg<Bit>,
    phase5: Reg<Bit>,
    kind5: Reg<Bit>,
    command5: Reg<Bits<CW>>,
    count5: Reg<Bits<CB>>,
    sent5: Reg<Bits<CB>>,
    unsent: ThermometerMask<MW, MC, 0>,
    beyond: ThermometerMask<MW, MC, 0>,
    sent_high: Signal<Local, Bits<HB>>,
    count_high: Signal<Local, Bits<HB>>,
    place: Signal<Local, Bits<HB>>,
    unneeded: Signal<Local, Bits<R>>,
    valid6: State<Bit>,
    what6: Reg<Bits<2>>,
    op6: Reg<Bits<OW>>,
    word6: Reg<Bits<RB>>,
    status6: Reg<Bits<8>>,
    bits6: Reg<Bits<MW>>,
    current6: Reg<Bit>,
    phase6: Reg<Bit>,
    kind6: Reg<Bit>,
    command6: Reg<Bits<CW>>,
    outside6: Reg<Bits<MW>>,
    unneeded6: Reg<Bits<R>>,
    all_sent6: Reg<Bit>,
}

impl<
    const A: usize,
    const GW: usize,
    const OW: usize,
    const CW: usize,
    const PB: usize,
    const CB: usize,
    const MW: usize,
    const MB: usize,
    const MC: usize,
    const HB: usize,
    const R: usize,
    const RB: usize,
    const RW: usize,
    const SC: usize,
> AckFacts<A, GW, OW, CW, PB, CB, MW, MB, MC, HB, R, RB, RW, SC>
{
    /// A new one.
    /// # Panics
    /// A parameter that does not follow from the others.
    pub fn new() -> Self {
        for (name, value, must) in [
            ("OW", OW, A + GW),
            ("CB", CB, PB + 1),
            ("MW", MW, (1 << PB).min(64)),
            ("MB", MB, PB.min(6)),
            ("MC", MC, MB + 1),
            ("HB", HB, CB - MB),
            ("R", R, (1 << PB) / MW),
            ("RB", RB, (PB - MB).max(1)),
            ("RW", RW, GW + CB + CW + 3),
            ("SC", SC, CB + 1),
        ] {
            assert!(value == must, "AckFacts: {name} = {value} with A = {A}, GW = {GW}, CW = {CW}, PB = {PB}, must be {must}");
        }
        Self::default()
    }
}

impl<
    const A: usize,
    const GW: usize,
    const OW: usize,
    const CW: usize,
    const PB: usize,
    const CB: usize,
    const MW: usize,
    const MB: usize,
    const MC: usize,
    const HB: usize,
    const R: usize,
    const RB: usize,
    const RW: usize,
    const SC: usize,
> Logic for AckFacts<A, GW, OW, CW, PB, CB, MW, MB, MC, HB, R, RB, RW, SC>
{
    #[kernel]
    fn update(&mut self) {
        self.valid3.d.next = self.s2_valid.val();
        self.what3.d.next = self.s2_what.val();
        self.op3.d.next = self.s2_op.val();
        self.word3.d.next = self.s2_word.val();
        self.status3.d.next = self.s2_status.val();
        self.bits3.d.next = self.s2_bits.val();
        self.valid4.d.next = self.valid3.q.val();
        self.what4.d.next = self.what3.q.val();
        self.op4.d.next = self.op3.q.val();
        self.word4.d.next = self.word3.q.val();
        self.status4.d.next = self.status3.q.val();
        self.bits4.d.next = self.bits3.q.val();
        self.records.write_enable.next = self.record_write.val();
        self.records.write_address.next = self.record_index.val();
        self.records.write_data.next = self.record_data.val();
        self.records.read_address.next = self.op3.q.val().get_bits::<A>(0);
        self.counts.write_enable.next = self.count_write.val();
        self.counts.write_address.next = self.count_index.val();
        self.counts.write_data.next = self.count_data.val();
        self.counts.read_address.next = self.op3.q.val().get_bits::<A>(0);

        // Stage 4. Record, low bits first: phase 1, base 1, kind 1, generation, count, command.
        self.valid5.d.next = self.valid4.q.val();
        self.what5.d.next = self.what4.q.val();
        self.op5.d.next = self.op4.q.val();
        self.word5.d.next = self.word4.q.val();
        self.status5.d.next = self.status4.q.val();
        self.bits5.d.next = self.bits4.q.val();
        self.phase5.d.next = self.records.read_data.val().get_bit(0);
        self.kind5.d.next = self.records.read_data.val().get_bit(2);
        self.current5.d.next = self.records.read_data.val().get_bits::<GW>(3) == self.op4.q.val().get_bits::<GW>(A);
        self.count5.d.next = self.records.read_data.val().get_bits::<CB>(3 + GW);
        self.command5.d.next = self.records.read_data.val().get_bits::<CW>(3 + GW + CB);
        self.sent5.d.next = bits::<CB>(0);
        if self.counts.read_data.val().get_bit(0) != self.records.read_data.val().get_bit(1) {
            self.sent5.d.next = self.counts.read_data.val().get_bits::<CB>(1);
        }

        // Stage 5. Of the word: what was not sent, and what is no packet of the op.
        self.place.next = bit_cast::<HB, RB>(self.word5.q.val());
        self.sent_high.next = self.sent5.q.val().get_bits::<HB>(MB);
        self.count_high.next = self.count5.q.val().get_bits::<HB>(MB);
        self.unsent.count.next = bits::<MC>(0);
        if self.place.val() < self.sent_high.val() {
            self.unsent.count.next = bits::<MC>(1) << MB.to_bits::<4>();
        } else if self.place.val() == self.sent_high.val() {
            self.unsent.count.next = bit_cast::<MC, MB>(self.sent5.q.val().get_bits::<MB>(0));
        }
        self.beyond.count.next = bits::<MC>(0);
        if self.place.val() < self.count_high.val() {
            self.beyond.count.next = bits::<MC>(1) << MB.to_bits::<4>();
        } else if self.place.val() == self.count_high.val() {
            self.beyond.count.next = bit_cast::<MC, MB>(self.count5.q.val().get_bits::<MB>(0));
        }
        self.unneeded.next = bits::<R>(0);
        for i in 0..R {
            if (self.count_high.val() < i.to_bits::<HB>())
                || ((self.count_high.val() == i.to_bits::<HB>()) && !self.count5.q.val().get_bits::<MB>(0).any())
            {
                self.unneeded.next = self.unneeded.val().replace_bit(i, true);
            }
        }
        self.s5_index.next = self.op5.q.val().get_bits::<A>(0);
        self.s5_word.next = self.word5.q.val();
        self.valid6.d.next = self.valid5.q.val();
        self.what6.d.next = self.what5.q.val();
        self.op6.d.next = self.op5.q.val();
        self.word6.d.next = self.word5.q.val();
        self.status6.d.next = self.status5.q.val();
        self.bits6.d.next = self.bits5.q.val() & !self.unsent.mask.val();
        self.current6.d.next = self.current5.q.val();
        self.phase6.d.next = self.phase5.q.val();
        self.kind6.d.next = self.kind5.q.val();
        self.command6.d.next = self.command5.q.val();
        self.outside6.d.next = self.beyond.mask.val();
        self.unneeded6.d.next = self.unneeded.val();
        self.all_sent6.d.next = self.sent5.q.val() == self.count5.q.val();

        self.s6_valid.next = self.valid6.q.val();
        self.s6_what.next = self.what6.q.val();
        self.s6_op.next = self.op6.q.val();
        self.s6_word.next = self.word6.q.val();
        self.s6_status.next = self.status6.q.val();
        self.s6_current.next = self.current6.q.val();
        self.s6_phase.next = self.phase6.q.val();
        self.s6_kind.next = self.kind6.q.val();
        self.s6_command.next = self.command6.q.val();
        self.s6_bits.next = self.bits6.q.val();
        self.s6_outside.next = self.outside6.q.val();
        self.s6_unneeded.next = self.unneeded6.q.val();
        self.s6_all_sent.next = self.all_sent6.q.val();
    }
}
