use crate::primitives::{FifoLut, LutRam, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Between `OpLoader` and the drivers of several CDMAs: hands loads to the engines in turn, and tells their answers in the order of the
/// loads.
///
/// Load `n` goes to engine `n` modulo `CDMAS`; while that engine takes none, the next one waits too, so that each has as many. Addresses and
/// lengths of a load do not pass through here: all engines see them, one sees it as valid. An answer that comes before its turn is held,
/// that of another engine at the engine, one that an engine gives out of turn (`CdmaDriver` does so with a load that it refuses) here. So
/// packets leave in the order of the segments, and the last packet of a command behind all others of it. Tags that are out must differ, as
/// those of slots do: `2^SEND_SLOT_BITS` loads are out at most, and a further one waits. An engine that never answers stops the others.
/// Latency: 0 clocks from a load to its engine, 0 from the answer that is due to `loaded`, 1 for one that was held here. Throughput: one
/// load and one answer per clock, half as many of answers that are held here. Reset: nothing is out, engine 0 is next.
/// Spec: send path, "Parameters", `cdmas`.
#[derive(Default, Described, LogicBlock)]
pub struct LoadTurns {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// bytes are to be fetched
    pub load_valid: Signal<In, Bit>,
    /// the load is taken
    pub load_ready: Signal<Out, Bit>,
    /// slot of `load`
    pub load_tag: Signal<In, Bits<SEND_SLOT_BITS>>,
    /// a bit for each engine: it is its load
    pub engine_load_valid: Signal<Out, Bits<CDMAS>>,
    /// the engine takes it
    pub engine_load_ready: Signal<In, Bits<CDMAS>>,
    /// a load of the engine has ended
    pub engine_loaded_valid: Signal<In, Bits<CDMAS>>,
    /// a transfer happens in a clock in which its bit of `engine_loaded_valid` is high too
    pub engine_loaded_ready: Signal<Out, Bits<CDMAS>>,
    /// tags of `engine_loaded`, engine 0 lowest
    pub engine_loaded_tag: Signal<In, Bits<CDMA_TAGS_BITS>>,
    /// statuses of `engine_loaded`
    pub engine_loaded_status: Signal<In, Bits<CDMA_STATUSES_BITS>>,
    /// a load has ended
    pub loaded_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `loaded_valid` is high too
    pub loaded_ready: Signal<In, Bit>,
    /// tag of `loaded`
    pub loaded_tag: Signal<Out, Bits<SEND_SLOT_BITS>>,
    /// 0: every byte is in the slot
    pub loaded_status: Signal<Out, Bits<8>>,

    turn: State<Bits<CDMA_BITS>>,
    // Engine and tag of each load that is out, the oldest first.
    order: FifoLut<LOAD_TURN_BITS, SEND_SLOT_BITS, SEND_SLOT_COUNT_BITS>,
    // Answers that have come out of turn, by their tag.
    held: State<Bits<SLOTS>>,
    statuses: LutRam<8, SEND_SLOT_BITS>,
    offers: Signal<Local, Bit>,
    ready_here: Signal<Local, Bits<CDMAS>>,
    free: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    due_tag: Signal<Local, Bits<SEND_SLOT_BITS>>,
    due_engine: Signal<Local, Bits<CDMA_BITS>>,
    held_due: Signal<Local, Bits<SLOTS>>,
    was_held: Signal<Local, Bit>,
    came: Signal<Local, Bit>,
    came_tag: Signal<Local, Bits<SEND_SLOT_BITS>>,
    came_status: Signal<Local, Bits<8>>,
    is_due: Signal<Local, Bit>,
    holds: Signal<Local, Bit>,
    tells: Signal<Local, Bit>,
    consumes: Signal<Local, Bit>,
    holds_here: Signal<Local, Bits<SLOTS>>,
    tells_here: Signal<Local, Bits<SLOTS>>,
}

impl Logic for LoadTurns {
    #[kernel]
    fn update(&mut self) {
        // A load goes to the engine whose turn it is.
        self.offers.next = self.load_valid.val() && self.order.in_ready.val();
        self.ready_here.next = self.engine_load_ready.val() >> self.turn.q.val();
        self.free.next = self.ready_here.val().get_bit(0);
        self.engine_load_valid.next = bits::<CDMAS>(0);
        if self.offers.val() {
            self.engine_load_valid.next = bits::<CDMAS>(1) << self.turn.q.val();
        }
        self.load_ready.next = self.free.val() && self.order.in_ready.val();
        self.takes.next = self.offers.val() && self.free.val();
        if self.takes.val() {
            self.turn.d.next = self.turn.q.val() + 1;
            if self.turn.q.val() == (CDMAS - 1).to_bits::<CDMA_BITS>() {
                self.turn.d.next = bits::<CDMA_BITS>(0);
            }
        }
        self.order.in_valid.next = self.takes.val();
        self.order.in_data.next = bit_cast::<LOAD_TURN_BITS, SEND_SLOT_BITS>(self.load_tag.val())
            | (bit_cast::<LOAD_TURN_BITS, CDMA_BITS>(self.turn.q.val()) << SEND_SLOT_BITS.to_bits::<4>());

        // Its answer is told when it is the oldest. Only the engine of the oldest load is heard.
        self.due_tag.next = self.order.out_data.val().get_bits::<SEND_SLOT_BITS>(0);
        self.due_engine.next = self.order.out_data.val().get_bits::<CDMA_BITS>(SEND_SLOT_BITS);
        self.held_due.next = self.held.q.val() >> self.due_tag.val();
        self.was_held.next = self.order.out_valid.val() && self.held_due.val().get_bit(0);
        self.came.next = false;
        self.came_tag.next = bits::<SEND_SLOT_BITS>(0);
        self.came_status.next = bits::<8>(0);
        for k in 0..CDMAS {
            if self.due_engine.val() == k.to_bits::<CDMA_BITS>() {
                self.came.next = self.order.out_valid.val() && self.engine_loaded_valid.val().get_bit(k);
                self.came_tag.next = self.engine_loaded_tag.val().get_bits::<SEND_SLOT_BITS>(k * SEND_SLOT_BITS);
                self.came_status.next = self.engine_loaded_status.val().get_bits::<8>(k * 8);
            }
        }
        self.is_due.next = self.came.val() && !self.was_held.val() && (self.came_tag.val() == self.due_tag.val());
        self.holds.next = self.came.val() && !self.was_held.val() && (self.came_tag.val() != self.due_tag.val());
        self.statuses.write_enable.next = self.holds.val();
        self.statuses.write_address.next = self.came_tag.val();
        self.statuses.write_data.next = self.came_status.val();
        self.statuses.read_address.next = self.due_tag.val();
        self.loaded_valid.next = self.was_held.val() || self.is_due.val();
        self.loaded_tag.next = self.due_tag.val();
        self.loaded_status.next = self.came_status.val();
        if self.was_held.val() {
            self.loaded_status.next = self.statuses.read_data.val();
        }
        self.tells.next = (self.was_held.val() || self.is_due.val()) && self.loaded_ready.val();
        self.order.out_ready.next = self.tells.val();
        self.consumes.next = self.holds.val() || (self.is_due.val() && self.loaded_ready.val());
        self.engine_loaded_ready.next = bits::<CDMAS>(0);
        if self.consumes.val() {
            self.engine_loaded_ready.next = bits::<CDMAS>(1) << self.due_engine.val();
        }
        self.holds_here.next = bits::<SLOTS>(0);
        if self.holds.val() {
            self.holds_here.next = bits::<SLOTS>(1) << self.came_tag.val();
        }
        self.tells_here.next = bits::<SLOTS>(0);
        if self.tells.val() {
            self.tells_here.next = bits::<SLOTS>(1) << self.due_tag.val();
        }
        self.held.d.next = (self.held.q.val() & !self.tells_here.val()) | self.holds_here.val();
    }
}
