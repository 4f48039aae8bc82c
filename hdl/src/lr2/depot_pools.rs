use super::{DepotOrders, DepotPool};
use crate::primitives::{BlockRam, FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Both pools of a Depot, and what its steps order there, in the order of the steps.
///
/// Of each step the reordering pool does its walk, frees places, then holds the packet; the backup pool frees copies, then keeps a copy
/// if it has a place. Each pool takes the orders of one step after those of the one before, the two side by side. Copies and packets that
/// are held get their places in the order of the steps.
/// Latency: 3 clocks from a question to its answer, 1 to a record. Throughput: a question per clock, orders as `DepotPool` has it.
/// Limits: `TICKETS` steps may have orders that are not done. Reset: everything is free, `ready` comes as that of `DepotPool`.
/// Spec: LR2, "Depot".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotPools {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// nothing is ordered, and what was there at power-up is free
    pub ready: Signal<Out, Bit>,
    /// fewer places or segments are free than events can be under way
    pub tight: Signal<Out, Bit>,
    /// question: flow
    pub ask_flow: Signal<In, Bits<FLOW_BITS>>,
    /// PSN of a packet, or of a copy
    pub ask_psn: Signal<In, Bits<24>>,
    /// PSN of the copy, if it is another one
    pub ask_copy: Signal<In, Bits<24>>,
    /// PSNs of the packet
    pub ask_span: Signal<In, Bits<24>>,
    /// PSN where a packet may begin
    pub ask_behind: Signal<In, Bits<24>>,
    /// the packet is held
    pub there: Signal<Out, Bit>,
    /// a copy of it is there
    pub copied: Signal<Out, Bit>,
    /// a packet begins at the other PSN
    pub leads: Signal<Out, Bit>,
    /// its place
    pub held_place: Signal<Out, Bits<DEPOT_PLACE_BITS>>,
    /// place of the copy
    pub copy_place: Signal<Out, Bits<DEPOT_PLACE_BITS>>,
    /// there is a place and there are segments for the packet
    pub room: Signal<Out, Bit>,
    /// there is no place, or no segment for its first PSN
    pub scarce: Signal<Out, Bit>,
    /// places of the flow
    pub flow_used: Signal<Out, Bits<DEPOT_PLACE_COUNT_BITS>>,
    /// a place
    pub record_place: Signal<In, Bits<DEPOT_PLACE_BITS>>,
    /// what is held there: PSNs, a request, it asks for an acknowledgement
    pub record: Signal<Out, Bits<HELD_RECORD_BITS>>,

    /// a step is done
    pub step: Signal<In, Bit>,
    /// what it orders
    pub orders: DepotOrders,
    /// its ticket
    pub ticket: Signal<In, Bits<TICKET_BITS>>,
    /// flow
    pub flow: Signal<In, Bits<FLOW_BITS>>,
    /// cards that tell NACKs of the boxes
    pub aware: Signal<In, Bit>,
    /// first PSN that the receiving card has not acknowledged
    pub una: Signal<In, Bits<24>>,
    /// the packet: PSN
    pub psn: Signal<In, Bits<24>>,
    /// PSNs that it consumes
    pub span: Signal<In, Bits<24>>,
    /// it is a request
    pub request: Signal<In, Bit>,
    /// it asks for an acknowledgement
    pub asks: Signal<In, Bit>,
    /// runs of a walk, at most
    pub walk_most: Signal<In, Bits<8>>,
    /// the step orders something of the reordering pool
    pub step_held: Signal<Out, Bit>,
    /// and of the backup pool
    pub step_copies: Signal<Out, Bit>,
    /// an order of the reordering pool is done
    pub held_done: Signal<Out, Bit>,
    /// whose
    pub held_ticket: Signal<Out, Bits<TICKET_BITS>>,
    /// an order of the backup pool is done
    pub copies_done: Signal<Out, Bit>,
    /// whose
    pub copies_ticket: Signal<Out, Bits<TICKET_BITS>>,

    /// the oldest packet that is to be held has its place
    pub held: Signal<Out, Bit>,
    /// which
    pub held_at: Signal<Out, Bits<DEPOT_PLACE_BITS>>,
    /// the oldest packet that is to be copied has its place
    pub kept: Signal<Out, Bit>,
    /// which
    pub kept_at: Signal<Out, Bits<DEPOT_PLACE_BITS>>,
    /// it has none, for there is none
    pub uncopied: Signal<Out, Bit>,

    /// a Depot-NACK of a walk
    pub nack_valid: Signal<Out, Bit>,
    /// it is taken
    pub nack_ready: Signal<In, Bit>,
    /// its flow
    pub nack_flow: Signal<Out, Bits<FLOW_BITS>>,
    /// its PSN
    pub nack_psn: Signal<Out, Bits<24>>,
    /// its MSN
    pub nack_msn: Signal<Out, Bits<24>>,
    /// first PSN of its gap
    pub nack_start: Signal<Out, Bits<24>>,
    /// length of it
    pub nack_length: Signal<Out, Bits<24>>,
    /// `ePSN_D`
    pub nack_border: Signal<Out, Bits<24>>,

    places: DepotPool<PLACES, DEPOT_PLACE_BITS, DEPOT_PLACE_COUNT_BITS, DEPOT_POINTER_BITS>,
    copies: DepotPool<PLACES, DEPOT_PLACE_BITS, DEPOT_PLACE_COUNT_BITS, DEPOT_POINTER_BITS>,
    records: BlockRam<HELD_RECORD_BITS, DEPOT_PLACE_BITS, 0>,
    held_orders: FifoLut<HELD_ORDER_BITS, 3, 4>,
    copy_orders: FifoLut<COPY_ORDER_BITS, 3, 4>,
    held_order: Signal<Local, Bits<HELD_ORDER_BITS>>,
    copy_order: Signal<Local, Bits<COPY_ORDER_BITS>>,
    // The order in front: parts of it that the pool has taken.
    walked: State<Bit>,
    changed: State<Bit>,
    dropped: State<Bit>,
    stored: State<Bit>,
    wants_walk: Signal<Local, Bit>,
    wants_change: Signal<Local, Bit>,
    wants_drop: Signal<Local, Bit>,
    wants_copy: Signal<Local, Bit>,
    held_ends: Signal<Local, Bit>,
    copies_end: Signal<Local, Bit>,
    walk_span: Signal<Local, Bits<24>>,
    full: Signal<Local, Bit>,
    tight1: Reg<Bit>,
}

impl Logic for DepotPools {
    #[kernel]
    fn update(&mut self) {
        self.ready.next =
            self.places.ready.val() && self.copies.ready.val() && !self.held_orders.out_valid.val() && !self.copy_orders.out_valid.val();
        self.tight1.d.next = self.places.used.val() > (PLACES - TICKETS).to_bits::<DEPOT_PLACE_COUNT_BITS>()
            || self.places.segments_used.val() > (PLACES - TICKETS).to_bits::<DEPOT_PLACE_COUNT_BITS>();
        self.tight.next = self.tight1.q.val();

        self.places.ask_flow.next = self.ask_flow.val();
        self.places.ask_psn.next = self.ask_psn.val();
        self.places.ask_span.next = self.ask_span.val();
        self.places.ask_behind.next = self.ask_behind.val();
        self.copies.ask_flow.next = self.ask_flow.val();
        self.copies.ask_psn.next = self.ask_copy.val();
        self.copies.ask_span.next = bits::<24>(1);
        self.copies.ask_behind.next = self.ask_copy.val();
        self.there.next = self.places.there.val();
        self.leads.next = self.places.leads.val();
        self.held_place.next = self.places.leads_place.val();
        self.copied.next = self.copies.there.val();
        self.copy_place.next = self.copies.leads_place.val();
        self.room.next = self.places.room.val();
        self.scarce.next = self.places.scarce.val();
        self.flow_used.next = self.places.flow_used.val();

        // What a step orders waits here.
        self.step_held.next = self.orders.walk.val() || self.orders.free.val() || self.orders.hold.val();
        self.step_copies.next = self.orders.drop.val() || self.orders.copy.val();
        self.held_orders.in_valid.next = self.step.val() && (self.orders.walk.val() || self.orders.free.val() || self.orders.hold.val());
        self.walk_span.next = self.orders.walk_end.val() - self.orders.walk_start.val();
        self.held_orders.in_data.next = bit_cast::<HELD_ORDER_BITS, 24>(self.psn.val())
            | (bit_cast::<HELD_ORDER_BITS, 24>(self.span.val()) << 24)
            | (bit_cast::<HELD_ORDER_BITS, 24>(self.orders.free_start.val()) << 48)
            | (bit_cast::<HELD_ORDER_BITS, 24>(self.orders.walk_start.val()) << 72)
            | (bit_cast::<HELD_ORDER_BITS, 24>(self.orders.walk_end.val()) << 96)
            | (bit_cast::<HELD_ORDER_BITS, 24>(self.orders.walk_msn.val()) << 120)
            | (bit_cast::<HELD_ORDER_BITS, 24>(self.una.val()) << 144)
            | (bit_cast::<HELD_ORDER_BITS, 24>(self.walk_span.val()) << 168)
            | (bit_cast::<HELD_ORDER_BITS, 1>(self.orders.walk.val().into()) << 192)
            | (bit_cast::<HELD_ORDER_BITS, 1>(self.orders.free.val().into()) << 193)
            | (bit_cast::<HELD_ORDER_BITS, 1>(self.orders.hold.val().into()) << 194)
            | (bit_cast::<HELD_ORDER_BITS, 1>((self.orders.hold.val() && self.orders.hold_clears.val()).into()) << 195)
            | (bit_cast::<HELD_ORDER_BITS, 1>(self.request.val().into()) << 196)
            | (bit_cast::<HELD_ORDER_BITS, 1>(self.asks.val().into()) << 197)
            | (bit_cast::<HELD_ORDER_BITS, 1>(self.aware.val().into()) << 198)
            | (bit_cast::<HELD_ORDER_BITS, REACH_COUNT_BITS>(self.orders.free_length.val()) << 200)
            | (bit_cast::<HELD_ORDER_BITS, FLOW_BITS>(self.flow.val()) << (REACH_COUNT_BITS + 200).to_bits::<8>())
            | (bit_cast::<HELD_ORDER_BITS, TICKET_BITS>(self.ticket.val()) << (REACH_COUNT_BITS + FLOW_BITS + 200).to_bits::<8>());
        self.copy_orders.in_valid.next = self.step.val() && (self.orders.drop.val() || self.orders.copy.val());
        self.copy_orders.in_data.next = bit_cast::<COPY_ORDER_BITS, 24>(self.psn.val())
            | (bit_cast::<COPY_ORDER_BITS, 24>(self.orders.drop_start.val()) << 24)
            | (bit_cast::<COPY_ORDER_BITS, 1>(self.orders.drop.val().into()) << 48)
            | (bit_cast::<COPY_ORDER_BITS, 1>(self.orders.copy.val().into()) << 49)
            | (bit_cast::<COPY_ORDER_BITS, REACH_COUNT_BITS>(self.orders.drop_length.val()) << 50)
            | (bit_cast::<COPY_ORDER_BITS, FLOW_BITS>(self.flow.val()) << (REACH_COUNT_BITS + 50).to_bits::<7>())
            | (bit_cast::<COPY_ORDER_BITS, TICKET_BITS>(self.ticket.val()) << (REACH_COUNT_BITS + FLOW_BITS + 50).to_bits::<7>());

        // The reordering pool: first the walk, then what changes.
        self.held_order.next = self.held_orders.out_data.val();
        self.wants_walk.next = self.held_orders.out_valid.val()
            && self.held_order.val().get_bit(192)
            && self.held_order.val().get_bits::<24>(168).any()
            && !self.walked.q.val();
        self.wants_change.next = self.held_orders.out_valid.val()
            && (self.held_order.val().get_bit(193) || self.held_order.val().get_bit(194))
            && !self.changed.q.val()
            && !self.wants_walk.val();
        self.places.flow.next = self.held_order.val().get_bits::<FLOW_BITS>(REACH_COUNT_BITS + 200);
        self.places.walk.next = self.wants_walk.val();
        self.places.walk_start.next = self.held_order.val().get_bits::<24>(72);
        self.places.walk_length.next = self.held_order.val().get_bits::<24>(168);
        self.places.walk_most.next = self.walk_most.val();
        self.places.order.next = self.wants_change.val();
        self.places.free.next = self.held_order.val().get_bit(193);
        self.places.free_start.next = self.held_order.val().get_bits::<24>(48);
        self.places.free_length.next = self.held_order.val().get_bits::<REACH_COUNT_BITS>(200);
        self.places.hold.next = self.held_order.val().get_bit(194);
        self.places.hold_clears.next = self.held_order.val().get_bit(195);
        self.places.psn.next = self.held_order.val().get_bits::<24>(0);
        self.places.span.next = self.held_order.val().get_bits::<REACH_COUNT_BITS>(24);
        self.held_ends.next =
            self.places.ready.val() && self.held_orders.out_valid.val() && !self.wants_walk.val() && !self.wants_change.val();
        if self.places.ready.val() {
            self.walked.d.next = self.walked.q.val() || self.wants_walk.val();
            self.changed.d.next = self.changed.q.val() || self.wants_change.val();
        }
        if self.held_ends.val() {
            self.walked.d.next = false;
            self.changed.d.next = false;
        }
        self.held_orders.out_ready.next = self.held_ends.val();
        self.held_done.next = self.held_ends.val();
        self.held_ticket.next = self.held_order.val().get_bits::<TICKET_BITS>(REACH_COUNT_BITS + FLOW_BITS + 200);
        self.held.next = self.places.placed.val();
        self.held_at.next = self.places.place.val();
        self.records.write_enable.next = self.places.placed.val();
        self.records.write_address.next = self.places.place.val();
        self.records.write_data.next = bit_cast::<HELD_RECORD_BITS, 24>(self.held_order.val().get_bits::<24>(24))
            | (bit_cast::<HELD_RECORD_BITS, 2>(self.held_order.val().get_bits::<2>(196)) << 24);
        self.records.read_address.next = self.record_place.val();
        self.record.next = self.records.read_data.val();

        self.nack_valid.next = self.places.run_valid.val();
        self.places.run_ready.next = self.nack_ready.val();
        self.nack_flow.next = self.held_order.val().get_bits::<FLOW_BITS>(REACH_COUNT_BITS + 200);
        // To a standard card `una` and nothing else.
        self.nack_psn.next = self.held_order.val().get_bits::<24>(144);
        if self.held_order.val().get_bit(198) {
            self.nack_psn.next = self.places.run_start.val();
        }
        self.nack_msn.next = self.held_order.val().get_bits::<24>(120);
        self.nack_start.next = self.places.run_start.val();
        self.nack_length.next = self.places.run_length.val();
        self.nack_border.next = self.held_order.val().get_bits::<24>(96);

        // The backup pool: a copy may take the place of one that goes.
        self.copy_order.next = self.copy_orders.out_data.val();
        self.wants_drop.next = self.copy_orders.out_valid.val() && self.copy_order.val().get_bit(48) && !self.dropped.q.val();
        self.wants_copy.next =
            self.copy_orders.out_valid.val() && self.copy_order.val().get_bit(49) && !self.wants_drop.val() && !self.stored.q.val();
        self.full.next = self.copies.used.val() == PLACES.to_bits::<DEPOT_PLACE_COUNT_BITS>();
        self.copies.flow.next = self.copy_order.val().get_bits::<FLOW_BITS>(REACH_COUNT_BITS + 50);
        self.copies.order.next = self.wants_drop.val() || (self.wants_copy.val() && !self.full.val());
        self.copies.free.next = self.wants_drop.val();
        self.copies.free_start.next = self.copy_order.val().get_bits::<24>(24);
        self.copies.free_length.next = self.copy_order.val().get_bits::<REACH_COUNT_BITS>(50);
        self.copies.hold.next = !self.wants_drop.val();
        self.copies.hold_clears.next = false;
        self.copies.psn.next = self.copy_order.val().get_bits::<24>(0);
        self.copies.span.next = bits::<REACH_COUNT_BITS>(1);
        self.copies.walk.next = false;
        self.copies.walk_start.next = bits::<24>(0);
        self.copies.walk_length.next = bits::<24>(0);
        self.copies.walk_most.next = bits::<8>(1);
        self.copies.run_ready.next = true;
        self.uncopied.next = self.copies.ready.val() && self.wants_copy.val() && self.full.val();
        self.copies_end.next =
            self.copies.ready.val() && self.copy_orders.out_valid.val() && !self.wants_drop.val() && !self.wants_copy.val();
        if self.copies.ready.val() {
            self.dropped.d.next = self.dropped.q.val() || self.wants_drop.val();
            self.stored.d.next = self.stored.q.val() || self.wants_copy.val();
        }
        if self.copies_end.val() {
            self.dropped.d.next = false;
            self.stored.d.next = false;
        }
        self.copy_orders.out_ready.next = self.copies_end.val();
        self.copies_done.next = self.copies_end.val();
        self.copies_ticket.next = self.copy_order.val().get_bits::<TICKET_BITS>(REACH_COUNT_BITS + FLOW_BITS + 50);
        self.kept.next = self.copies.placed.val();
        self.kept_at.next = self.copies.place.val();
    }
}
