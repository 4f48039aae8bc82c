use crate::primitives::{ClearedRam, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

const _: () = assert!(DEGREE_TIME_BITS <= 24 && DEGREE_TIME_BITS > RATE_PAIR_BITS + 2, "every queue pair is visited before its time wraps");

/// How congested the way of each queue pair is, for its acknowledgements: marks among its last 64 arrivals, or what telemetry says.
///
/// An arrival is a packet for which memory has answered; one that was sent before counts as any other. `due` says at once that its
/// acknowledgement must not wait: it was marked, and an acknowledgement exists for it (`arrive_scene` 1). READ responses and UD (2, 3)
/// count in the window, and a CNP tells them. An acknowledgement that goes out asks, and is answered with what it has to tell: BECN 1 if a
/// packet since the last one was marked, the level, and the fields of the worst telemetry since then, the latest of equals; fields that are
/// all ones are absent. An arrival of the same clock counts. Telemetry wins over the share of marks. `cfg_idle` clocks without a packet
/// empty the window, 0: it is never emptied so; `2^(DEGREE_TIME_BITS - 1)` at most. A time wraps; so every queue pair is visited once in
/// that time, in a clock without an arrival, or in one of each `2^DEGREE_PATROL_BITS` at the latest, in which `arrive_ready` is low.
/// Latency: `due` 1 clock from the arrival, `answer` 7 clocks from `ask`: 8 from a marked packet to the level in an acknowledgement.
/// Throughput: one arrival and one acknowledgement per clock.
/// Reset: windows are empty, nothing is untold; `ready` comes `2^RATE_PAIR_BITS` clocks after it.
/// Spec: congestion state on the acknowledgement, "Receiver". Decided here: what counts in the clock of an acknowledgement.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct CongestionDegree {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the memories are clear; no acknowledgement asks before
    pub ready: Signal<Out, Bit>,
    /// marks from which on the level is light
    pub cfg_marks_light: Signal<In, Bits<7>>,
    /// medium
    pub cfg_marks_medium: Signal<In, Bits<7>>,
    /// heavy
    pub cfg_marks_heavy: Signal<In, Bits<7>>,
    /// clocks without a packet that empty the window, 0: none do
    pub cfg_idle: Signal<In, Bits<DEGREE_TIME_BITS>>,
    /// queue depth from which on the level is light, units of 256 bytes
    pub cfg_depth_light: Signal<In, Bits<16>>,
    /// medium
    pub cfg_depth_medium: Signal<In, Bits<16>>,
    /// heavy
    pub cfg_depth_heavy: Signal<In, Bits<16>>,
    /// occupancy from which on the level is light, 1/256 of the buffer
    pub cfg_occupancy_light: Signal<In, Bits<8>>,
    /// medium
    pub cfg_occupancy_medium: Signal<In, Bits<8>>,
    /// heavy
    pub cfg_occupancy_heavy: Signal<In, Bits<8>>,
    /// a packet has arrived
    pub arrive_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `arrive_valid` is high too
    pub arrive_ready: Signal<Out, Bit>,
    /// its queue pair
    pub arrive_qp: Signal<In, Bits<RATE_PAIR_BITS>>,
    /// congestion was experienced
    pub arrive_marked: Signal<In, Bit>,
    /// 0 no notification is made for it, 1 its acknowledgement tells, 2 READ response, 3 UD
    pub arrive_scene: Signal<In, Bits<4>>,
    /// the following are known of it
    pub telemetry_valid: Signal<In, Bit>,
    /// what the network says itself
    pub telemetry_level: Signal<In, Bits<2>>,
    /// nanoseconds
    pub telemetry_delay: Signal<In, Bits<32>>,
    /// units of 256 bytes
    pub telemetry_depth: Signal<In, Bits<16>>,
    /// 1/256 of the buffer
    pub telemetry_occupancy: Signal<In, Bits<8>>,
    /// congestion point
    pub telemetry_point: Signal<In, Bits<16>>,
    /// an acknowledgement of the queue pair goes out now
    pub due_valid: Signal<Out, Bit>,
    /// queue pair of `due`
    pub due_qp: Signal<Out, Bits<RATE_PAIR_BITS>>,
    /// an acknowledgement goes out
    pub ask_valid: Signal<In, Bit>,
    /// queue pair of `ask`
    pub ask_qp: Signal<In, Bits<RATE_PAIR_BITS>>,
    /// an answer, 7 clocks after each `ask`
    pub answer_valid: Signal<Out, Bit>,
    /// queue pair of `answer`
    pub answer_qp: Signal<Out, Bits<RATE_PAIR_BITS>>,
    /// BECN: the others count
    pub answer_becn: Signal<Out, Bit>,
    /// 0 none to 3 heavy
    pub answer_level: Signal<Out, Bits<2>>,
    /// a field is there
    pub answer_enhanced: Signal<Out, Bit>,
    /// of the marked packet
    pub answer_scene: Signal<Out, Bits<4>>,
    /// units of 256 bytes
    pub answer_depth: Signal<Out, Bits<16>>,
    /// congestion point
    pub answer_point: Signal<Out, Bits<16>>,
    /// nanoseconds
    pub answer_delay: Signal<Out, Bits<32>>,

    // When the last packet came, its marks with their number, and what is untold: each for arrivals and for acknowledgements.
    lasts: ClearedRam<DEGREE_TIME_BITS, RATE_PAIR_BITS, 0>,
    lasts_told: ClearedRam<DEGREE_TIME_BITS, RATE_PAIR_BITS, 0>,
    windows: ClearedRam<71, RATE_PAIR_BITS, 0>,
    marks_told: ClearedRam<7, RATE_PAIR_BITS, 0>,
    untold: ClearedRam<73, RATE_PAIR_BITS, 0>,
    untold_told: ClearedRam<73, RATE_PAIR_BITS, 0>,
    // What is untold counts while its first bit is this one: an acknowledgement that tells changes it.
    epochs: LutRam<1, RATE_PAIR_BITS>,
    epochs_told: LutRam<1, RATE_PAIR_BITS>,
    clearing: State<Bits<RATE_PAIR_BITS>>,

    now: State<Bits<DEGREE_TIME_BITS>>,
    period: State<Bits<DEGREE_PATROL_BITS>>,
    visit_due: State<Bit>,
    visited: State<Bits<RATE_PAIR_BITS>>,
    open: Signal<Local, Bit>,
    late: Signal<Local, Bit>,
    visits: Signal<Local, Bit>,

    // Arrivals, stages 1 to 5.
    valid: [State<Bit>; 5],
    counts: [Reg<Bit>; 3],
    qp: [Reg<Bits<RATE_PAIR_BITS>>; 5],
    marked: [Reg<Bit>; 3],
    scene: [Reg<Bits<4>>; 3],
    known: [Reg<Bit>; 3],
    fields: [Reg<Bits<64>>; 3],
    now1: Reg<Bits<DEGREE_TIME_BITS>>,
    now2: Reg<Bits<DEGREE_TIME_BITS>>,
    occupancy1: Reg<Bits<8>>,
    level1: Reg<Bits<2>>,
    depth1: Signal<Local, Bits<16>>,
    light1: Signal<Local, Bit>,
    medium1: Signal<Local, Bit>,
    heavy1: Signal<Local, Bit>,
    level2: Reg<Bits<2>>,
    level3: Reg<Bits<2>>,
    last1: Signal<Local, Bits<DEGREE_TIME_BITS>>,
    elapsed2: Reg<Bits<DEGREE_TIME_BITS>>,
    window2: Reg<Bits<71>>,
    same2: Reg<Bit>,
    base2: Signal<Local, Bits<71>>,
    bits2: Signal<Local, Bits<64>>,
    marks2: Signal<Local, Bits<7>>,
    // With the arrival: apart, because rust-hdl's own Verilog shifts in the width of what it is put into.
    moved2: Signal<Local, Bits<64>>,
    count2: Signal<Local, Bits<7>>,
    stale2: Signal<Local, Bit>,
    window3: Reg<Bits<71>>,
    window4: Reg<Bits<71>>,
    untold3: Reg<Bits<73>>,
    same3: Reg<Bit>,
    old3: Signal<Local, Bits<73>>,
    live3: Signal<Local, Bit>,
    epoch3: Signal<Local, Bits<1>>,
    worse3: Signal<Local, Bit>,
    mine3: Signal<Local, Bit>,
    alive3: Signal<Local, Bits<73>>,
    first3: Signal<Local, Bits<6>>,
    new3: Signal<Local, Bits<73>>,
    untold4: Reg<Bits<73>>,
    untold5: Reg<Bits<73>>,
    due1: State<Bit>,

    // Acknowledgements, stages 1 to 7.
    asks: [State<Bit>; 7],
    ask: [Reg<Bits<RATE_PAIR_BITS>>; 7],
    asked: [Reg<Bits<DEGREE_TIME_BITS>>; 3],
    read3: Reg<Bits<73>>,
    told3: Signal<Local, Bits<73>>,
    told_epoch3: Signal<Local, Bits<1>>,
    told_live3: Signal<Local, Bit>,
    word: [Reg<Bits<73>>; 4],
    gone4: Reg<Bits<DEGREE_TIME_BITS>>,
    gone5: Reg<Bits<DEGREE_TIME_BITS>>,
    light6: Reg<Bit>,
    medium6: Reg<Bit>,
    heavy6: Reg<Bit>,
    share6: Signal<Local, Bits<2>>,
    level7: Reg<Bits<2>>,
    fields7: Signal<Local, Bits<64>>,
}

impl Logic for CongestionDegree {
    #[kernel]
    fn update(&mut self) {
        // Stage 0: an arrival, or a visit, which is one that changes nothing but a window that is idle.
        self.now.d.next = self.now.q.val() + 1;
        self.period.d.next = self.period.q.val() + 1;
        self.open.next = self.lasts.ready.val()
            && self.lasts_told.ready.val()
            && self.windows.ready.val()
            && self.marks_told.ready.val()
            && self.untold.ready.val()
            && self.untold_told.ready.val();
        self.ready.next = self.open.val();
        self.late.next = self.visit_due.q.val() && self.period.q.val().all();
        self.visits.next = self.visit_due.q.val() && (self.late.val() || !self.arrive_valid.val());
        self.arrive_ready.next = self.open.val() && !self.late.val();
        if self.visits.val() {
            self.visited.d.next = self.visited.q.val() + 1;
            self.visit_due.d.next = false;
        }
        if self.period.q.val().all() {
            self.visit_due.d.next = true;
        }
        for i in 0..4 {
            self.valid[i + 1].d.next = self.valid[i].q.val();
            self.qp[i + 1].d.next = self.qp[i].q.val();
        }
        for i in 0..2 {
            self.counts[i + 1].d.next = self.counts[i].q.val();
            self.marked[i + 1].d.next = self.marked[i].q.val();
            self.scene[i + 1].d.next = self.scene[i].q.val();
            self.known[i + 1].d.next = self.known[i].q.val();
            self.fields[i + 1].d.next = self.fields[i].q.val();
            self.asked[i + 1].d.next = self.asked[i].q.val();
        }
        for i in 0..6 {
            self.asks[i + 1].d.next = self.asks[i].q.val();
            self.ask[i + 1].d.next = self.ask[i].q.val();
        }
        self.valid[0].d.next = self.open.val() && (self.visits.val() || self.arrive_valid.val());
        self.counts[0].d.next = !self.visits.val();
        self.qp[0].d.next = self.arrive_qp.val();
        self.lasts.read_address.next = self.arrive_qp.val();
        self.windows.read_address.next = self.arrive_qp.val();
        if self.visits.val() {
            self.qp[0].d.next = self.visited.q.val();
            self.lasts.read_address.next = self.visited.q.val();
            self.windows.read_address.next = self.visited.q.val();
        }
        self.marked[0].d.next = self.arrive_marked.val() && !self.visits.val();
        self.scene[0].d.next = self.arrive_scene.val();
        self.known[0].d.next = self.telemetry_valid.val();
        self.fields[0].d.next = bit_cast::<64, 16>(self.telemetry_depth.val())
            | (bit_cast::<64, 16>(self.telemetry_point.val()) << 16)
            | (bit_cast::<64, 32>(self.telemetry_delay.val()) << 32);
        self.occupancy1.d.next = self.telemetry_occupancy.val();
        self.level1.d.next = self.telemetry_level.val();
        self.now1.d.next = self.now.q.val();
        self.due1.d.next = self.open.val()
            && self.arrive_valid.val()
            && !self.late.val()
            && self.arrive_marked.val()
            && (self.arrive_scene.val() == bits::<4>(1));
        self.due_valid.next = self.due1.q.val();
        self.due_qp.next = self.qp[0].q.val();

        // Stage 3 of the window: what the one in front has made of it.
        self.window4.d.next = self.window3.q.val();
        self.windows.write_enable.next = self.valid[2].q.val();
        self.windows.write_address.next = self.qp[2].q.val();
        self.windows.write_data.next = self.window3.q.val();
        self.marks_told.write_enable.next = self.valid[2].q.val();
        self.marks_told.write_address.next = self.qp[2].q.val();
        self.marks_told.write_data.next = self.window3.q.val().get_bits::<7>(64);

        // Stage 1: when the one before came; what telemetry comes to.
        self.last1.next = self.lasts.read_data.val();
        if self.valid[1].q.val() && self.counts[1].q.val() && (self.qp[1].q.val() == self.qp[0].q.val()) {
            self.last1.next = self.now2.q.val();
        }
        self.elapsed2.d.next = self.now1.q.val() - self.last1.val();
        self.now2.d.next = self.now1.q.val();
        self.lasts.write_enable.next = self.valid[0].q.val() && self.counts[0].q.val();
        self.lasts.write_address.next = self.qp[0].q.val();
        self.lasts.write_data.next = self.now1.q.val();
        self.lasts_told.write_enable.next = self.valid[0].q.val() && self.counts[0].q.val();
        self.lasts_told.write_address.next = self.qp[0].q.val();
        self.lasts_told.write_data.next = self.now1.q.val();
        self.window2.d.next = self.windows.read_data.val();
        if self.valid[2].q.val() && (self.qp[2].q.val() == self.qp[0].q.val()) {
            self.window2.d.next = self.window3.q.val();
        } else if self.valid[3].q.val() && (self.qp[3].q.val() == self.qp[0].q.val()) {
            self.window2.d.next = self.window4.q.val();
        }
        self.same2.d.next = self.valid[1].q.val() && (self.qp[1].q.val() == self.qp[0].q.val());
        self.depth1.next = self.fields[0].q.val().get_bits::<16>(0);
        self.light1.next = (!(self.depth1.val() < self.cfg_depth_light.val()) && !self.depth1.val().all())
            || !(self.occupancy1.q.val() < self.cfg_occupancy_light.val());
        self.medium1.next = (!(self.depth1.val() < self.cfg_depth_medium.val()) && !self.depth1.val().all())
            || !(self.occupancy1.q.val() < self.cfg_occupancy_medium.val());
        self.heavy1.next = (!(self.depth1.val() < self.cfg_depth_heavy.val()) && !self.depth1.val().all())
            || !(self.occupancy1.q.val() < self.cfg_occupancy_heavy.val());
        self.level2.d.next = self.level1.q.val();
        if self.heavy1.val() {
            self.level2.d.next = bits::<2>(3);
        } else if self.medium1.val() && !self.level1.q.val().get_bit(1) {
            self.level2.d.next = bits::<2>(2);
        } else if self.light1.val() && !self.level1.q.val().any() {
            self.level2.d.next = bits::<2>(1);
        }
        self.untold.read_address.next = self.qp[0].q.val();

        // Stage 2: the window; nothing is left of one that is idle.
        self.base2.next = self.window2.q.val();
        if self.same2.q.val() {
            self.base2.next = self.window3.q.val();
        }
        self.stale2.next = self.cfg_idle.val().any() && !(self.elapsed2.q.val() < self.cfg_idle.val());
        self.bits2.next = self.base2.val().get_bits::<64>(0);
        self.marks2.next = self.base2.val().get_bits::<7>(64);
        if self.stale2.val() {
            self.bits2.next = bits::<64>(0);
            self.marks2.next = bits::<7>(0);
        }
        self.moved2.next = self.bits2.val();
        self.count2.next = self.marks2.val();
        if self.counts[1].q.val() {
            self.moved2.next = (self.bits2.val() << 1) | bit_cast::<64, 1>(self.marked[1].q.val().into());
            self.count2.next = (self.marks2.val() + bit_cast::<7, 1>(self.marked[1].q.val().into()))
                - bit_cast::<7, 1>(self.bits2.val().get_bit(63).into());
        }
        self.window3.d.next = bit_cast::<71, 64>(self.moved2.val()) | (bit_cast::<71, 7>(self.count2.val()) << 64);
        self.level3.d.next = self.level2.q.val();
        self.untold3.d.next = self.untold.read_data.val();
        if self.valid[3].q.val() && (self.qp[3].q.val() == self.qp[1].q.val()) {
            self.untold3.d.next = self.untold4.q.val();
        } else if self.valid[4].q.val() && (self.qp[4].q.val() == self.qp[1].q.val()) {
            self.untold3.d.next = self.untold5.q.val();
        }
        self.same3.d.next = self.valid[2].q.val() && (self.qp[2].q.val() == self.qp[1].q.val());

        // Stage 3: what is untold. Its bits: 0 epoch, 1 marked, 2 to 5 scene, 6 telemetry, 7 and 8 its level, 9 to 72 its fields.
        self.epochs.read_address.next = self.qp[2].q.val();
        self.epoch3.next = self.epochs.read_data.val();
        self.old3.next = self.untold3.q.val();
        if self.same3.q.val() {
            self.old3.next = self.untold4.q.val();
        }
        self.live3.next = self.old3.val().get_bits::<1>(0) == self.epoch3.val();
        self.mine3.next = self.counts[2].q.val() && !((self.scene[2].q.val() == bits::<4>(2)) || (self.scene[2].q.val() == bits::<4>(3)));
        // The level of what has no telemetry is 0.
        self.worse3.next = self.known[2].q.val() && (!self.live3.val() || !(self.level3.q.val() < self.old3.val().get_bits::<2>(7)));
        self.alive3.next = bit_cast::<73, 1>(self.epoch3.val());
        if self.live3.val() {
            self.alive3.next = self.old3.val();
        }
        self.first3.next = self.alive3.val().get_bits::<6>(0);
        if self.marked[2].q.val() {
            self.first3.next = bit_cast::<6, 1>(self.epoch3.val()) | bits::<6>(2) | (bit_cast::<6, 4>(self.scene[2].q.val()) << 2);
        }
        self.new3.next = self.old3.val();
        if self.mine3.val() && self.worse3.val() {
            self.new3.next = bit_cast::<73, 6>(self.first3.val())
                | bits::<73>(64)
                | (bit_cast::<73, 2>(self.level3.q.val()) << 7)
                | (bit_cast::<73, 64>(self.fields[2].q.val()) << 9);
        } else if self.mine3.val() {
            self.new3.next = bit_cast::<73, 6>(self.first3.val()) | (bit_cast::<73, 67>(self.alive3.val().get_bits::<67>(6)) << 6);
        }
        self.untold4.d.next = self.new3.val();
        self.untold5.d.next = self.untold4.q.val();
        self.untold.write_enable.next = self.valid[3].q.val();
        self.untold.write_address.next = self.qp[3].q.val();
        self.untold.write_data.next = self.untold4.q.val();
        self.untold_told.write_enable.next = self.valid[3].q.val();
        self.untold_told.write_address.next = self.qp[3].q.val();
        self.untold_told.write_data.next = self.untold4.q.val();

        // Acknowledgements meet arrivals of their clock in stage 3.
        self.asks[0].d.next = self.ask_valid.val() && self.open.val();
        self.ask[0].d.next = self.ask_qp.val();
        self.asked[0].d.next = self.now.q.val();
        self.untold_told.read_address.next = self.ask[0].q.val();
        self.lasts_told.read_address.next = self.ask[1].q.val();
        self.read3.d.next = self.untold_told.read_data.val();
        if self.valid[3].q.val() && (self.qp[3].q.val() == self.ask[1].q.val()) {
            self.read3.d.next = self.untold4.q.val();
        } else if self.valid[4].q.val() && (self.qp[4].q.val() == self.ask[1].q.val()) {
            self.read3.d.next = self.untold5.q.val();
        }
        self.told3.next = self.read3.q.val();
        if self.valid[2].q.val() && (self.qp[2].q.val() == self.ask[2].q.val()) {
            self.told3.next = self.new3.val();
        } else if self.valid[3].q.val() && (self.qp[3].q.val() == self.ask[2].q.val()) {
            self.told3.next = self.untold4.q.val();
        }
        self.epochs_told.read_address.next = self.ask[2].q.val();
        self.told_epoch3.next = self.epochs_told.read_data.val();
        self.told_live3.next = self.told3.val().get_bits::<1>(0) == self.told_epoch3.val();
        self.epochs.write_enable.next = self.asks[2].q.val() && self.told_live3.val();
        self.epochs.write_address.next = self.ask[2].q.val();
        self.epochs.write_data.next = self.told_epoch3.val() ^ bits::<1>(1);
        if !self.open.val() {
            self.epochs.write_enable.next = true;
            self.epochs.write_address.next = self.clearing.q.val();
            self.epochs.write_data.next = bits::<1>(0);
            self.clearing.d.next = self.clearing.q.val() + 1;
        }
        self.epochs_told.write_enable.next = self.epochs.write_enable.val();
        self.epochs_told.write_address.next = self.epochs.write_address.val();
        self.epochs_told.write_data.next = self.epochs.write_data.val();
        self.word[0].d.next = bits::<73>(0);
        if self.told_live3.val() {
            self.word[0].d.next = self.told3.val();
        }
        for i in 0..3 {
            self.word[i + 1].d.next = self.word[i].q.val();
        }

        // The level: the share of marks, unless telemetry is there.
        self.gone4.d.next = self.asked[2].q.val() - self.lasts_told.read_data.val();
        self.gone5.d.next = self.gone4.q.val();
        self.marks_told.read_address.next = self.ask[3].q.val();
        self.light6.d.next = !(self.marks_told.read_data.val() < self.cfg_marks_light.val());
        self.medium6.d.next = !(self.marks_told.read_data.val() < self.cfg_marks_medium.val());
        self.heavy6.d.next = !(self.marks_told.read_data.val() < self.cfg_marks_heavy.val());
        if self.cfg_idle.val().any() && !(self.gone5.q.val() < self.cfg_idle.val()) {
            self.light6.d.next = !self.cfg_marks_light.val().any();
            self.medium6.d.next = !self.cfg_marks_medium.val().any();
            self.heavy6.d.next = !self.cfg_marks_heavy.val().any();
        }
        self.share6.next = bits::<2>(0);
        if self.heavy6.q.val() {
            self.share6.next = bits::<2>(3);
        } else if self.medium6.q.val() {
            self.share6.next = bits::<2>(2);
        } else if self.light6.q.val() {
            self.share6.next = bits::<2>(1);
        }
        self.level7.d.next = self.share6.val();
        if self.word[2].q.val().get_bit(6) {
            self.level7.d.next = self.word[2].q.val().get_bits::<2>(7);
        }
        self.answer_valid.next = self.asks[6].q.val();
        self.answer_qp.next = self.ask[6].q.val();
        self.answer_becn.next = self.word[3].q.val().get_bit(1);
        self.answer_level.next = self.level7.q.val();
        self.answer_scene.next = self.word[3].q.val().get_bits::<4>(2);
        self.fields7.next = self.word[3].q.val().get_bits::<64>(9);
        if !self.word[3].q.val().get_bit(6) {
            self.fields7.next = bits::<64>(0) - 1;
        }
        self.answer_depth.next = self.fields7.val().get_bits::<16>(0);
        self.answer_point.next = self.fields7.val().get_bits::<16>(16);
        self.answer_delay.next = self.fields7.val().get_bits::<32>(32);
        self.answer_enhanced.next = !self.fields7.val().get_bits::<16>(0).all()
            || !self.fields7.val().get_bits::<16>(16).all()
            || !self.fields7.val().get_bits::<32>(32).all();
    }
}
