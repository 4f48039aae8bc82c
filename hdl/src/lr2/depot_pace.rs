use crate::primitives::{ClearedRam, FifoBlock, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What the pace of a drain is busy with.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DepotPaceState {
    /// what comes next
    Idle,
    /// the bits of the flow in front are there
    Bits,
    /// its bucket is known
    Bucket,
    /// it is offered
    Offer,
    /// it goes behind the others
    Back,
    /// the bytes of its packet come
    Bytes,
    /// they are multiplied, two bits of them per clock
    Charge,
    /// both buckets are charged
    Write,
    /// an old bucket is there
    Old,
    /// it is free
    Free,
}

/// Which flow of a Depot lets something go next, and when: the drain is paced by one token bucket for all of it and one per flow.
///
/// `step` follows what leaves `DepotFlows`; flows that have something are served in turn, one packet each. A bucket saves up nothing: it
/// says when the next packet may go. A flow is offered when its bucket and that of all are free, and `line_free`; then both are charged
/// with the `sent_bytes` of what it has let go, from the clock in which it was taken. `sent` answers each flow that is taken, also with 0
/// bytes: a flow that has had nothing more to let go. A flow whose entry is written anew keeps its bucket, which is busy for one packet at
/// most.
/// Latency: 7 clocks from a step to the flow's offer, if no other flow has its turn; 4 per flow in front whose bucket is busy. 12 from
/// `sent` to the next offer. Throughput: a step per clock, of one flow one per 3 clocks.
/// Limits: a packet takes less than 2^24 ticks of either bucket. Reset: no flow has anything, and every bucket is free; `ready` comes
/// `2^FLOW_BITS` clocks later.
/// Spec: LR2, "Depot": "The drain is paced."
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotPace {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// steps count
    pub ready: Signal<Out, Bit>,
    /// now
    pub tick: Signal<In, Bits<32>>,
    /// ticks per byte of all that leaves the pools, 16 bits of it a fraction; 0: as fast as it goes
    pub cfg_pace: Signal<In, Bits<24>>,
    /// the same of one flow
    pub cfg_flow_pace: Signal<In, Bits<24>>,
    /// a step of a flow is done
    pub step: Signal<In, Bit>,
    /// which
    pub step_flow: Signal<In, Bits<FLOW_BITS>>,
    /// it has something to let go
    pub step_works: Signal<In, Bit>,
    /// nothing that arrived in order waits for the output
    pub line_free: Signal<In, Bit>,
    /// a flow is to let something go
    pub release_valid: Signal<Out, Bit>,
    /// it will
    pub release_ready: Signal<In, Bit>,
    /// which
    pub release_flow: Signal<Out, Bits<FLOW_BITS>>,
    /// it has
    pub sent: Signal<In, Bit>,
    /// so many bytes; 0: nothing
    pub sent_bytes: Signal<In, Bits<16>>,

    // Flows that have something, each once; one that has nothing any more leaves when it has its turn.
    list: FifoBlock<FLOW_BITS, FLOW_BITS, FLOW_COUNT_BITS>,
    // Written by steps: works, and how often it was listed, its lowest bit. `left`: how often it has left the list.
    asked_bits: ClearedRam<2, FLOW_BITS, 0>,
    own_bits: ClearedRam<2, FLOW_BITS, 0>,
    asked_left: ClearedRam<1, FLOW_BITS, 0>,
    own_left: ClearedRam<1, FLOW_BITS, 0>,
    // When the bucket of a flow is free, in 1/65536 ticks, and whether it was charged since it was free the last time.
    buckets: ClearedRam<PACE_WORD_BITS, FLOW_BITS, 0>,

    step1: State<Bit>,
    flow1: Reg<Bits<FLOW_BITS>>,
    works1: Reg<Bit>,
    step2: State<Bit>,
    flow2: Reg<Bits<FLOW_BITS>>,
    listed: Signal<Local, Bit>,
    enlists: Signal<Local, Bit>,
    changed: Signal<Local, Bits<2>>,
    touched: Signal<Local, Bit>,

    state: State<DepotPaceState>,
    whole: Reg<Bits<PACE_CLOCK_BITS>>,
    whole_owes: State<Bit>,
    whole_ahead: Signal<Local, Bits<PACE_CLOCK_BITS>>,
    whole_busy: Reg<Bit>,
    now: Signal<Local, Bits<PACE_CLOCK_BITS>>,
    ahead: Signal<Local, Bits<PACE_CLOCK_BITS>>,
    owes: Reg<Bit>,
    busy: Reg<Bit>,
    flow: Reg<Bits<FLOW_BITS>>,
    taken: Reg<Bit>,
    base: Reg<Bits<PACE_CLOCK_BITS>>,
    told: State<Bit>,
    bytes: Reg<Bits<16>>,
    digits: Reg<Bits<3>>,
    cost: Reg<Bits<40>>,
    flow_cost: Reg<Bits<40>>,
    triple: Reg<Bits<40>>,
    flow_triple: Reg<Bits<40>>,
    digit: Signal<Local, Bits<2>>,
    part: Signal<Local, Bits<40>>,
    flow_part: Signal<Local, Bits<40>>,
    leaves: Signal<Local, Bit>,
    pause: State<Bits<6>>,
    old: State<Bits<FLOW_BITS>>,
}

impl Logic for DepotPace {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.asked_bits.ready.val()
            && self.own_bits.ready.val()
            && self.asked_left.ready.val()
            && self.own_left.ready.val()
            && self.buckets.ready.val();

        // Steps: a flow that has something is listed, unless it is.
        self.step1.d.next = self.step.val();
        self.flow1.d.next = self.step_flow.val();
        self.works1.d.next = self.step_works.val();
        self.step2.d.next = self.step1.q.val();
        self.flow2.d.next = self.flow1.q.val();
        self.asked_bits.read_address.next = self.step_flow.val();
        self.asked_left.read_address.next = self.step_flow.val();
        self.listed.next = self.asked_bits.read_data.val().get_bit(1) ^ self.asked_left.read_data.val().get_bit(0);
        self.enlists.next = self.step1.q.val() && self.works1.q.val() && !self.listed.val();
        self.changed.next = bit_cast::<2, 1>(self.works1.q.val().into())
            | (bit_cast::<2, 1>((self.asked_bits.read_data.val().get_bit(1) ^ self.enlists.val()).into()) << 1);
        self.asked_bits.write_enable.next = self.step1.q.val();
        self.asked_bits.write_address.next = self.flow1.q.val();
        self.asked_bits.write_data.next = self.changed.val();
        self.own_bits.write_enable.next = self.step1.q.val();
        self.own_bits.write_address.next = self.flow1.q.val();
        self.own_bits.write_data.next = self.changed.val();

        // The flow in front.
        self.own_bits.read_address.next = self.list.out_data.val();
        self.own_left.read_address.next = self.list.out_data.val();
        self.buckets.read_address.next = self.list.out_data.val();
        // A step whose word was not written when the flow's was read: what it says of the flow is not known.
        self.touched.next = (self.step.val() && self.step_flow.val() == self.list.out_data.val())
            || (self.step1.q.val() && self.flow1.q.val() == self.list.out_data.val())
            || (self.step2.q.val() && self.flow2.q.val() == self.list.out_data.val());
        self.leaves.next = self.state.q.val() == DepotPaceState::Bits && !self.own_bits.read_data.val().get_bit(0) && !self.touched.val();
        self.asked_left.write_enable.next = self.leaves.val();
        self.asked_left.write_address.next = self.list.out_data.val();
        self.asked_left.write_data.next = !self.own_left.read_data.val();
        self.own_left.write_enable.next = self.leaves.val();
        self.own_left.write_address.next = self.list.out_data.val();
        self.own_left.write_data.next = !self.own_left.read_data.val();

        // What is before a time that is less than half the space ahead is busy.
        self.now.next = bit_cast::<PACE_CLOCK_BITS, 32>(self.tick.val()) << 16;
        self.whole_ahead.next = self.now.val() - self.whole.q.val();
        self.whole_busy.d.next = self.whole_owes.q.val() && self.whole_ahead.val().get_bit(PACE_CLOCK_BITS - 1);
        if self.whole_owes.q.val() && !self.whole_ahead.val().get_bit(PACE_CLOCK_BITS - 1) {
            self.whole_owes.d.next = false;
        }
        self.ahead.next = self.now.val() - self.buckets.read_data.val().get_bits::<PACE_CLOCK_BITS>(0);
        self.owes.d.next = self.buckets.read_data.val().get_bit(PACE_CLOCK_BITS);
        self.busy.d.next = self.buckets.read_data.val().get_bit(PACE_CLOCK_BITS) && self.ahead.val().get_bit(PACE_CLOCK_BITS - 1);

        // Two bits of the packet's bytes, the upper ones first.
        self.triple.d.next = bit_cast::<40, 24>(self.cfg_pace.val()) + (bit_cast::<40, 24>(self.cfg_pace.val()) << 1);
        self.flow_triple.d.next = bit_cast::<40, 24>(self.cfg_flow_pace.val()) + (bit_cast::<40, 24>(self.cfg_flow_pace.val()) << 1);
        self.digit.next = self.bytes.q.val().get_bits::<2>(14);
        self.part.next = bits::<40>(0);
        self.flow_part.next = bits::<40>(0);
        if self.digit.val() == bits::<2>(1) {
            self.part.next = bit_cast::<40, 24>(self.cfg_pace.val());
            self.flow_part.next = bit_cast::<40, 24>(self.cfg_flow_pace.val());
        }
        if self.digit.val() == bits::<2>(2) {
            self.part.next = bit_cast::<40, 24>(self.cfg_pace.val()) << 1;
            self.flow_part.next = bit_cast::<40, 24>(self.cfg_flow_pace.val()) << 1;
        }
        if self.digit.val() == bits::<2>(3) {
            self.part.next = self.triple.q.val();
            self.flow_part.next = self.flow_triple.q.val();
        }

        // What a state does not say.
        if !self.pause.q.val().all() {
            self.pause.d.next = self.pause.q.val() + 1;
        }
        if self.sent.val() {
            self.told.d.next = true;
            self.bytes.d.next = self.sent_bytes.val();
        }
        self.release_valid.next = false;
        self.release_flow.next = self.list.out_data.val();
        self.list.out_ready.next = false;
        self.list.in_valid.next = self.enlists.val();
        self.list.in_data.next = self.flow1.q.val();
        self.buckets.write_enable.next = false;
        self.buckets.write_address.next = self.flow.q.val();
        self.buckets.write_data.next =
            bit_cast::<PACE_WORD_BITS, PACE_CLOCK_BITS>(self.base.q.val() + bit_cast::<PACE_CLOCK_BITS, 40>(self.flow_cost.q.val()))
                | (bits::<PACE_WORD_BITS>(1) << PACE_CLOCK_BITS.to_bits::<6>());

        match self.state.q.val() {
            DepotPaceState::Bits => {
                self.state.d.next = DepotPaceState::Bucket;
                if self.leaves.val() {
                    self.list.out_ready.next = true;
                    self.state.d.next = DepotPaceState::Idle;
                }
            }
            DepotPaceState::Bucket => {
                self.flow.d.next = self.list.out_data.val();
                self.taken.d.next = false;
                self.state.d.next = DepotPaceState::Offer;
                if self.busy.q.val() {
                    self.list.out_ready.next = true;
                    self.state.d.next = DepotPaceState::Back;
                }
            }
            DepotPaceState::Offer => {
                self.release_valid.next = true;
                self.base.d.next = self.now.val();
                self.told.d.next = false;
                if self.release_ready.val() {
                    self.taken.d.next = true;
                    self.list.out_ready.next = true;
                    self.state.d.next = DepotPaceState::Back;
                }
            }
            DepotPaceState::Back => {
                if !self.enlists.val() {
                    self.list.in_valid.next = true;
                    self.list.in_data.next = self.flow.q.val();
                    self.state.d.next = DepotPaceState::Idle;
                    if self.taken.q.val() {
                        self.state.d.next = DepotPaceState::Bytes;
                    }
                }
            }
            DepotPaceState::Bytes => {
                self.cost.d.next = bits::<40>(0);
                self.flow_cost.d.next = bits::<40>(0);
                self.digits.d.next = bits::<3>(7);
                if self.told.q.val() {
                    self.state.d.next = DepotPaceState::Charge;
                    if !self.bytes.q.val().any() {
                        self.state.d.next = DepotPaceState::Idle;
                    }
                }
            }
            DepotPaceState::Charge => {
                self.cost.d.next = (self.cost.q.val() << 2) + self.part.val();
                self.flow_cost.d.next = (self.flow_cost.q.val() << 2) + self.flow_part.val();
                self.bytes.d.next = self.bytes.q.val() << 2;
                self.digits.d.next = self.digits.q.val() - 1;
                if !self.digits.q.val().any() {
                    self.state.d.next = DepotPaceState::Write;
                }
            }
            DepotPaceState::Write => {
                self.whole.d.next = self.base.q.val() + bit_cast::<PACE_CLOCK_BITS, 40>(self.cost.q.val());
                self.whole_owes.d.next = true;
                // Until the bucket of all is compared with the clock it counts as busy.
                self.whole_busy.d.next = true;
                self.buckets.write_enable.next = true;
                self.state.d.next = DepotPaceState::Idle;
            }
            DepotPaceState::Old => {
                self.flow.d.next = self.old.q.val();
                self.state.d.next = DepotPaceState::Free;
            }
            DepotPaceState::Free => {
                // A time that is long past would lie ahead once the ticks have wrapped.
                self.buckets.write_enable.next = self.owes.q.val() && !self.busy.q.val();
                self.buckets.write_data.next = bits::<PACE_WORD_BITS>(0);
                self.old.d.next = self.old.q.val() + 1;
                self.pause.d.next = bits::<6>(0);
                self.state.d.next = DepotPaceState::Idle;
            }
            _ => {
                if self.pause.q.val().all() {
                    self.buckets.read_address.next = self.old.q.val();
                    self.state.d.next = DepotPaceState::Old;
                } else if self.list.out_valid.val() && self.line_free.val() && !self.whole_busy.q.val() {
                    self.state.d.next = DepotPaceState::Bits;
                }
            }
        }
    }
}
