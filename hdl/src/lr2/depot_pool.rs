use super::DepotMap;
use crate::memory::SlotPool;
use crate::primitives::{ClearedRam, FindFirst, Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What a pool does.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum DepotPoolState {
    /// what comes next
    Idle,
    /// the table is read
    Table,
    /// the segment is read
    Read,
    /// its word is there
    Have,
    /// what of it is looked for
    Work,
    /// the first of that
    Pick,
    /// the word goes back
    Store,
    /// the next segment, or the next task
    Next,
    /// a place is taken
    Take,
    /// a run leaves
    Emit,
    /// what the flow uses is written
    Finish,
}

/// One pool of a Depot, for packets that are held or for copies: which PSNs of each flow have a place, and which place; places that are
/// free.
///
/// An order frees the places of the packets that begin in a range, the whole of each, then holds a packet: it takes a place, and as many
/// PSNs of the ring as the packet consumes. With `hold_clears` everything that the packet reaches into is free before, the whole of each
/// packet. A packet is held only where there is a place, and segments for its PSNs: the owner asks. A walk says the maximal runs of PSNs
/// without a place, lowest first, at most `walk_most`; what is `REACH` or more from its start has none.
/// Latency: 3 clocks from a question to its answer. An order takes 7 clocks per segment that it touches, 3 where none lies, 1 per packet
/// that becomes free, and 3; the segment behind a range that ends with one counts; a walk 6 per segment, 3 per run, and 2. Throughput: a
/// question per clock; orders and walks one after the other.
/// Questions: not of a flow whose order or walk is under way. Limits: a request needs as many free segments as it touches, those that the
/// flow has among them.
/// Reset: everything is free, `ready` comes `2^MAP_ADDRESS_BITS` clocks after it.
/// Spec: LR2, "Depot".
///
/// Parameters: `PLACES` packets, and as many segments; `PLACE_BITS` its log2, `ENTRY_BITS` one more, `POINTER_BITS` `MAP_SEGMENT_BITS`
/// more.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct DepotPool<const PLACES: usize, const PLACE_BITS: usize, const ENTRY_BITS: usize, const POINTER_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// an order or a walk is taken
    pub ready: Signal<Out, Bit>,
    /// places in use
    pub used: Signal<Out, Bits<ENTRY_BITS>>,
    /// segments in use
    pub segments_used: Signal<Out, Bits<ENTRY_BITS>>,
    /// question: flow
    pub ask_flow: Signal<In, Bits<FLOW_BITS>>,
    /// PSN
    pub ask_psn: Signal<In, Bits<24>>,
    /// PSNs of the packet
    pub ask_span: Signal<In, Bits<24>>,
    /// PSN where a packet may begin
    pub ask_behind: Signal<In, Bits<24>>,
    /// the PSN is taken
    pub there: Signal<Out, Bit>,
    /// a packet begins at the other one
    pub leads: Signal<Out, Bit>,
    /// its place
    pub leads_place: Signal<Out, Bits<PLACE_BITS>>,
    /// there is a place and there are segments for the packet
    pub room: Signal<Out, Bit>,
    /// there is no place, or no segment for its first PSN
    pub scarce: Signal<Out, Bit>,
    /// places of the flow
    pub flow_used: Signal<Out, Bits<ENTRY_BITS>>,

    /// an order: of `free` and `hold` one at least
    pub order: Signal<In, Bit>,
    /// flow of the order or walk
    pub flow: Signal<In, Bits<FLOW_BITS>>,
    /// places become free
    pub free: Signal<In, Bit>,
    /// of the packets from this PSN on
    pub free_start: Signal<In, Bits<24>>,
    /// in so many, 1 to `REACH`
    pub free_length: Signal<In, Bits<REACH_COUNT_BITS>>,
    /// a packet is held, afterwards
    pub hold: Signal<In, Bit>,
    /// what it reaches into becomes free
    pub hold_clears: Signal<In, Bit>,
    /// its PSN
    pub psn: Signal<In, Bits<24>>,
    /// PSNs that it consumes, 1 to `REACH`
    pub span: Signal<In, Bits<REACH_COUNT_BITS>>,
    /// it has its place
    pub placed: Signal<Out, Bit>,
    /// which
    pub place: Signal<Out, Bits<PLACE_BITS>>,

    /// a walk
    pub walk: Signal<In, Bit>,
    /// from this PSN on
    pub walk_start: Signal<In, Bits<24>>,
    /// so many
    pub walk_length: Signal<In, Bits<24>>,
    /// runs at most, 1 at least
    pub walk_most: Signal<In, Bits<8>>,
    /// a run of PSNs without a place
    pub run_valid: Signal<Out, Bit>,
    /// it is taken
    pub run_ready: Signal<In, Bit>,
    /// its first one
    pub run_start: Signal<Out, Bits<24>>,
    /// and their number
    pub run_length: Signal<Out, Bits<24>>,

    map: DepotMap<PLACE_BITS, ENTRY_BITS, POINTER_BITS>,
    places: SlotPool<PLACES, PLACE_BITS, ENTRY_BITS>,
    segments: SlotPool<PLACES, PLACE_BITS, ENTRY_BITS>,
    counts: ClearedRam<ENTRY_BITS, FLOW_BITS, 0>,
    asked_counts: ClearedRam<ENTRY_BITS, FLOW_BITS, 0>,
    places_used: State<Bits<ENTRY_BITS>>,
    segments_taken: State<Bits<ENTRY_BITS>>,

    // Questions.
    touched1: Reg<Bits<REACH_COUNT_BITS>>,
    single1: Reg<Bit>,
    single2: Reg<Bit>,
    single3: Reg<Bit>,
    enough2: Reg<Bit>,
    enough3: Reg<Bit>,
    has_place: Reg<Bit>,
    has_segment: Reg<Bit>,
    used2: Reg<Bits<ENTRY_BITS>>,
    used3: Reg<Bits<ENTRY_BITS>>,
    segments_left: Signal<Local, Bits<ENTRY_BITS>>,
    touched: Signal<Local, Bits<REACH_COUNT_BITS>>,

    // The order or walk at work.
    state: State<DepotPoolState>,
    of: Reg<Bits<FLOW_BITS>>,
    holds: Reg<Bit>,
    clears: Reg<Bit>,
    // One of these: the packets of a range go; those that a new one reaches into; the rest of the last of these; the new one comes; a walk.
    freeing: State<Bit>,
    vacating: State<Bit>,
    trailing: State<Bit>,
    marking: State<Bit>,
    walking: State<Bit>,
    // The rest is that of a packet whose first PSN was in the range.
    behind_range: Reg<Bit>,
    // PSNs of the ring that are not of the range.
    kept_span: Reg<Bits<REACH_COUNT_BITS>>,
    at: Reg<Bits<REACH_BITS>>,
    left: Reg<Bits<REACH_COUNT_BITS>>,
    hold_at: Reg<Bits<REACH_BITS>>,
    hold_span: Reg<Bits<REACH_COUNT_BITS>>,
    begins: Reg<Bit>,
    slot: Reg<Bits<PLACE_BITS>>,
    is_mapped: Reg<Bit>,
    taken: Reg<Bits<MAP_SEGMENT>>,
    heads: Reg<Bits<MAP_SEGMENT>>,
    wanted: Reg<Bits<MAP_SEGMENT>>,
    freed: Reg<Bits<ENTRY_BITS>>,
    got: Reg<Bit>,
    got_place: Reg<Bits<PLACE_BITS>>,
    gives: State<Bit>,
    tells: State<Bit>,
    // A walk: PSN at `at`, its end, runs that are left, the run that has begun.
    walk_psn: Reg<Bits<24>>,
    walk_end: Reg<Bits<24>>,
    walk_left: Reg<Bits<8>>,
    beyond: Reg<Bit>,
    in_run: Reg<Bit>,
    run_from: Reg<Bits<24>>,
    run_to: Reg<Bits<24>>,
    ends_walk: Reg<Bit>,

    offset: Signal<Local, Bits<MAP_SEGMENT_BITS>>,
    rest: Signal<Local, Bits<MAP_SEGMENT_COUNT_BITS>>,
    last: Signal<Local, Bit>,
    upto: Signal<Local, Bits<MAP_SEGMENT_COUNT_BITS>>,
    from_offset: ThermometerMask<MAP_SEGMENT, MAP_SEGMENT_COUNT_BITS, 1>,
    from_end: ThermometerMask<MAP_SEGMENT, MAP_SEGMENT_COUNT_BITS, 1>,
    from_found: ThermometerMask<MAP_SEGMENT, MAP_SEGMENT_COUNT_BITS, 1>,
    mask: Signal<Local, Bits<MAP_SEGMENT>>,
    first: FindFirst<MAP_SEGMENT, MAP_SEGMENT_BITS>,
    single: Signal<Local, Bits<MAP_SEGMENT>>,
    others: Signal<Local, Bits<MAP_SEGMENT>>,
    step: Signal<Local, Bits<MAP_SEGMENT_COUNT_BITS>>,
    found_psn: Signal<Local, Bits<24>>,
    empty: Signal<Local, Bit>,
    next_bit: Signal<Local, Bits<MAP_SEGMENT>>,
    range_tails: Signal<Local, Bit>,
    range_ends: Signal<Local, Bit>,
}

impl<const PLACES: usize, const PLACE_BITS: usize, const ENTRY_BITS: usize, const POINTER_BITS: usize>
    DepotPool<PLACES, PLACE_BITS, ENTRY_BITS, POINTER_BITS>
{
    /// A new one.
    /// # Panics
    /// A parameter that does not follow from the others.
    pub fn new() -> Self {
        Self { map: DepotMap::new(), places: SlotPool::new(), segments: SlotPool::new(), ..Self::blank() }
    }
}

impl<const PLACES: usize, const PLACE_BITS: usize, const ENTRY_BITS: usize, const POINTER_BITS: usize> Default
    for DepotPool<PLACES, PLACE_BITS, ENTRY_BITS, POINTER_BITS>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<const PLACES: usize, const PLACE_BITS: usize, const ENTRY_BITS: usize, const POINTER_BITS: usize> Logic
    for DepotPool<PLACES, PLACE_BITS, ENTRY_BITS, POINTER_BITS>
{
    #[kernel]
    fn update(&mut self) {
        // Questions. A packet of several PSNs may need each segment that it touches.
        self.map.ask_flow.next = self.ask_flow.val();
        self.map.ask_psn.next = self.ask_psn.val().get_bits::<REACH_BITS>(0);
        self.map.ask_behind.next = self.ask_behind.val().get_bits::<REACH_BITS>(0);
        self.touched.next = bit_cast::<REACH_COUNT_BITS, MAP_SEGMENT_BITS>(self.ask_psn.val().get_bits::<MAP_SEGMENT_BITS>(0))
            + self.ask_span.val().get_bits::<REACH_COUNT_BITS>(0)
            + (MAP_SEGMENT - 1).to_bits::<REACH_COUNT_BITS>();
        self.touched1.d.next = self.touched.val() >> MAP_SEGMENT_BITS.to_bits::<4>();
        self.single1.d.next = self.ask_span.val() == bits::<24>(1);
        self.segments_left.next = PLACES.to_bits::<ENTRY_BITS>() - self.segments_taken.q.val();
        self.enough2.d.next =
            bit_cast::<24, REACH_COUNT_BITS>(self.touched1.q.val()) <= bit_cast::<24, ENTRY_BITS>(self.segments_left.val());
        self.single2.d.next = self.single1.q.val();
        self.single3.d.next = self.single2.q.val();
        self.enough3.d.next = self.enough2.q.val();
        self.has_place.d.next = !(self.places_used.q.val() == PLACES.to_bits::<ENTRY_BITS>());
        self.has_segment.d.next = self.segments_left.val().any();
        self.asked_counts.read_address.next = self.ask_flow.val();
        self.used2.d.next = self.asked_counts.read_data.val();
        self.used3.d.next = self.used2.q.val();
        self.there.next = self.map.there.val();
        self.leads.next = self.map.leads.val();
        self.leads_place.next = self.map.place.val();
        self.room.next = self.has_place.q.val()
            && ((self.single3.q.val() && (self.map.mapped.val() || self.has_segment.q.val()))
                || (!self.single3.q.val() && self.enough3.q.val()));
        self.scarce.next = !self.has_place.q.val() || (!self.has_segment.q.val() && !self.map.mapped.val());
        self.flow_used.next = self.used3.q.val();
        self.used.next = self.places_used.q.val();
        self.segments_used.next = self.segments_taken.q.val();

        // The bits of the word that the task is about, from its place to its end or the range's.
        self.offset.next = self.at.q.val().get_bits::<MAP_SEGMENT_BITS>(0);
        self.rest.next =
            MAP_SEGMENT.to_bits::<MAP_SEGMENT_COUNT_BITS>() - bit_cast::<MAP_SEGMENT_COUNT_BITS, MAP_SEGMENT_BITS>(self.offset.val());
        self.last.next = self.left.q.val() <= bit_cast::<REACH_COUNT_BITS, MAP_SEGMENT_COUNT_BITS>(self.rest.val());
        self.upto.next = MAP_SEGMENT.to_bits::<MAP_SEGMENT_COUNT_BITS>();
        if self.last.val() {
            self.upto.next = bit_cast::<MAP_SEGMENT_COUNT_BITS, MAP_SEGMENT_BITS>(self.offset.val())
                + self.left.q.val().get_bits::<MAP_SEGMENT_COUNT_BITS>(0);
        }
        self.from_offset.count.next = bit_cast::<MAP_SEGMENT_COUNT_BITS, MAP_SEGMENT_BITS>(self.offset.val());
        self.from_end.count.next = self.upto.val();
        self.mask.next = self.from_offset.mask.val() & !self.from_end.mask.val();
        self.first.request.next = self.wanted.q.val();
        self.from_found.count.next = bit_cast::<MAP_SEGMENT_COUNT_BITS, MAP_SEGMENT_BITS>(self.first.index.val());
        self.single.next = self.wanted.q.val() & !(self.wanted.q.val() - 1);
        self.others.next = self.wanted.q.val() & (self.wanted.q.val() - 1);
        self.step.next = bit_cast::<MAP_SEGMENT_COUNT_BITS, MAP_SEGMENT_BITS>(self.first.index.val())
            - bit_cast::<MAP_SEGMENT_COUNT_BITS, MAP_SEGMENT_BITS>(self.offset.val());
        self.found_psn.next = self.walk_psn.q.val() + bit_cast::<24, MAP_SEGMENT_COUNT_BITS>(self.step.val());
        self.empty.next = !self.taken.q.val().any();
        // Behind a range lies the rest of a packet that began in it, or it may, in the next segment.
        self.next_bit.next = self.from_end.mask.val() & !(self.from_end.mask.val() << 1);
        self.range_tails.next = self.freeing.q.val()
            && self.kept_span.q.val().any()
            && (self.upto.val() == MAP_SEGMENT.to_bits::<MAP_SEGMENT_COUNT_BITS>()
                || (self.is_mapped.q.val() && (self.taken.q.val() & !self.heads.q.val() & self.next_bit.val()).any()));
        self.range_ends.next = self.freeing.q.val() || (self.trailing.q.val() && self.behind_range.q.val());

        // What a state does not say.
        self.ready.next = false;
        self.map.read_flow.next = self.of.q.val();
        self.map.read_segment.next = self.at.q.val().get_bits::<MAP_RING_BITS>(MAP_SEGMENT_BITS);
        self.map.read_pointer.next = bit_cast::<POINTER_BITS, MAP_SEGMENT_BITS>(self.first.index.val())
            | (bit_cast::<POINTER_BITS, PLACE_BITS>(self.slot.q.val()) << MAP_SEGMENT_BITS.to_bits::<6>());
        self.map.map_write.next = false;
        self.map.map_mapped.next = false;
        self.map.word_write.next = false;
        self.map.write_slot.next = self.slot.q.val();
        self.map.write_word.next = bit_cast::<MAP_WORD_BITS, MAP_SEGMENT>(self.taken.q.val())
            | (bit_cast::<MAP_WORD_BITS, MAP_SEGMENT>(self.heads.q.val()) << MAP_SEGMENT.to_bits::<8>());
        self.map.place_write.next = false;
        self.map.write_place.next = self.got_place.q.val();
        self.places.out_ready.next = false;
        self.segments.out_ready.next = false;
        self.segments.internal_valid.next = false;
        self.segments.internal_slot.next = self.slot.q.val();
        self.segments.first_valid.next = false;
        self.segments.first_slot.next = bits::<PLACE_BITS>(0);
        self.segments.second_valid.next = false;
        self.segments.second_slot.next = bits::<PLACE_BITS>(0);
        self.places.first_valid.next = false;
        self.places.first_slot.next = bits::<PLACE_BITS>(0);
        self.places.second_valid.next = false;
        self.places.second_slot.next = bits::<PLACE_BITS>(0);
        self.gives.d.next = false;
        self.places.internal_valid.next = self.gives.q.val();
        self.places.internal_slot.next = self.map.read_place.val();
        self.tells.d.next = false;
        self.placed.next = self.tells.q.val();
        self.place.next = self.got_place.q.val();
        self.run_valid.next = false;
        self.run_start.next = self.run_from.q.val();
        self.run_length.next = self.run_to.q.val() - self.run_from.q.val();
        self.counts.read_address.next = self.of.q.val();
        self.counts.write_enable.next = false;
        self.counts.write_address.next = self.of.q.val();
        self.counts.write_data.next = self.counts.read_data.val() - self.freed.q.val() + bit_cast::<ENTRY_BITS, 1>(self.got.q.val().into());
        self.asked_counts.write_enable.next = false;
        self.asked_counts.write_address.next = self.of.q.val();
        self.asked_counts.write_data.next =
            self.counts.read_data.val() - self.freed.q.val() + bit_cast::<ENTRY_BITS, 1>(self.got.q.val().into());

        match self.state.q.val() {
            DepotPoolState::Table => {
                self.state.d.next = DepotPoolState::Read;
            }
            DepotPoolState::Read => {
                self.slot.d.next = self.map.read_slot.val();
                self.is_mapped.d.next = self.map.read_mapped.val();
                self.state.d.next = DepotPoolState::Have;
                // Where no segment lies nothing becomes free, a run goes on, and a request does not.
                if !self.map.read_mapped.val() && !self.marking.q.val() && (!self.walking.q.val() || self.in_run.q.val()) {
                    self.state.d.next = DepotPoolState::Next;
                    if self.trailing.q.val() {
                        self.left.d.next = bits::<REACH_COUNT_BITS>(0);
                    }
                }
            }
            DepotPoolState::Have => {
                self.taken.d.next = bits::<MAP_SEGMENT>(0);
                self.heads.d.next = bits::<MAP_SEGMENT>(0);
                if self.is_mapped.q.val() {
                    self.taken.d.next = self.map.read_word.val().get_bits::<MAP_SEGMENT>(0);
                    self.heads.d.next = self.map.read_word.val().get_bits::<MAP_SEGMENT>(MAP_SEGMENT);
                }
                self.state.d.next = DepotPoolState::Work;
            }
            DepotPoolState::Work => {
                self.wanted.d.next = self.heads.q.val() & self.mask.val();
                if self.trailing.q.val() {
                    self.wanted.d.next = (self.heads.q.val() | !self.taken.q.val()) & self.mask.val();
                }
                if self.walking.q.val() {
                    self.wanted.d.next = !self.taken.q.val() & self.mask.val();
                    if self.in_run.q.val() {
                        self.wanted.d.next = self.taken.q.val() & self.mask.val();
                    }
                }
                self.state.d.next = DepotPoolState::Pick;
                if self.marking.q.val() {
                    // The segment that is mapped anew is written with its word.
                    if self.is_mapped.q.val() || self.segments.out_valid.val() {
                        self.taken.d.next = self.taken.q.val() | self.mask.val();
                        if self.begins.q.val() {
                            self.heads.d.next = self.heads.q.val() | (self.mask.val() & !(self.mask.val() - 1));
                        }
                        self.state.d.next = DepotPoolState::Store;
                    }
                    if !self.is_mapped.q.val() {
                        self.state.d.next = DepotPoolState::Work;
                        if self.segments.out_valid.val() {
                            self.segments.out_ready.next = true;
                            self.slot.d.next = self.segments.out_slot.val();
                            self.segments_taken.d.next = self.segments_taken.q.val() + 1;
                            self.state.d.next = DepotPoolState::Store;
                        }
                    }
                }
            }
            DepotPoolState::Pick => {
                self.state.d.next = DepotPoolState::Store;
                if self.walking.q.val() {
                    self.state.d.next = DepotPoolState::Next;
                    if self.first.any.val() {
                        self.at.d.next = self.at.q.val() + bit_cast::<REACH_BITS, MAP_SEGMENT_COUNT_BITS>(self.step.val());
                        self.left.d.next = self.left.q.val() - bit_cast::<REACH_COUNT_BITS, MAP_SEGMENT_COUNT_BITS>(self.step.val());
                        self.walk_psn.d.next = self.found_psn.val();
                        self.in_run.d.next = !self.in_run.q.val();
                        self.run_to.d.next = self.found_psn.val();
                        self.state.d.next = DepotPoolState::Emit;
                        if !self.in_run.q.val() {
                            self.run_from.d.next = self.found_psn.val();
                            self.state.d.next = DepotPoolState::Work;
                        }
                    }
                } else if self.trailing.q.val() {
                    // Up to the first PSN that is not of the packet before.
                    self.taken.d.next = self.taken.q.val() & !self.mask.val();
                    if self.first.any.val() {
                        self.taken.d.next = self.taken.q.val() & (!self.from_offset.mask.val() | self.from_found.mask.val());
                        self.left.d.next = bits::<REACH_COUNT_BITS>(0);
                    }
                } else if self.first.any.val() {
                    self.gives.d.next = true;
                    self.heads.d.next = self.heads.q.val() & !self.single.val();
                    self.freed.d.next = self.freed.q.val() + 1;
                    self.wanted.d.next = self.others.val();
                    self.state.d.next = DepotPoolState::Pick;
                    if !self.others.val().any() {
                        self.taken.d.next = self.taken.q.val() & !self.mask.val();
                        self.state.d.next = DepotPoolState::Store;
                    }
                } else {
                    self.taken.d.next = self.taken.q.val() & !self.mask.val();
                }
            }
            DepotPoolState::Store => {
                self.state.d.next = DepotPoolState::Next;
                self.map.word_write.next = self.is_mapped.q.val() || self.marking.q.val();
                self.map.map_mapped.next = !self.empty.val();
                self.map.map_write.next = (self.marking.q.val() && !self.is_mapped.q.val()) || (self.is_mapped.q.val() && self.empty.val());
                self.map.read_pointer.next = bit_cast::<POINTER_BITS, MAP_SEGMENT_BITS>(self.offset.val())
                    | (bit_cast::<POINTER_BITS, PLACE_BITS>(self.slot.q.val()) << MAP_SEGMENT_BITS.to_bits::<6>());
                self.map.place_write.next = self.marking.q.val() && self.begins.q.val();
                if self.is_mapped.q.val() && self.empty.val() {
                    self.segments.internal_valid.next = true;
                    self.segments_taken.d.next = self.segments_taken.q.val() - 1;
                }
            }
            DepotPoolState::Next => {
                self.begins.d.next = false;
                self.at.d.next = (self.at.q.val() | (MAP_SEGMENT - 1).to_bits::<REACH_BITS>()) + 1;
                self.left.d.next = self.left.q.val() - bit_cast::<REACH_COUNT_BITS, MAP_SEGMENT_COUNT_BITS>(self.rest.val());
                self.walk_psn.d.next = self.walk_psn.q.val() + bit_cast::<24, MAP_SEGMENT_COUNT_BITS>(self.rest.val());
                self.state.d.next = DepotPoolState::Table;
                if self.last.val() {
                    self.state.d.next = DepotPoolState::Finish;
                    if self.walking.q.val() {
                        // What lies beyond the ring, or from the last one that is taken on, is the last run.
                        self.ends_walk.d.next = true;
                        self.run_to.d.next = self.walk_end.q.val();
                        if !self.in_run.q.val() {
                            self.run_from.d.next = self.walk_psn.q.val() + bit_cast::<24, REACH_COUNT_BITS>(self.left.q.val());
                        }
                        if self.in_run.q.val() || self.beyond.q.val() {
                            self.state.d.next = DepotPoolState::Emit;
                        }
                    } else if self.range_tails.val() {
                        self.freeing.d.next = false;
                        self.trailing.d.next = true;
                        self.behind_range.d.next = true;
                        self.at.d.next = self.at.q.val() + self.left.q.val().get_bits::<REACH_BITS>(0);
                        self.left.d.next = self.kept_span.q.val();
                        self.state.d.next = DepotPoolState::Table;
                    } else if self.range_ends.val() && self.holds.q.val() {
                        self.freeing.d.next = false;
                        self.trailing.d.next = false;
                        self.behind_range.d.next = false;
                        self.vacating.d.next = self.clears.q.val();
                        self.marking.d.next = !self.clears.q.val();
                        self.at.d.next = self.hold_at.q.val();
                        self.left.d.next = self.hold_span.q.val();
                        self.begins.d.next = true;
                        self.state.d.next = DepotPoolState::Table;
                        if !self.clears.q.val() {
                            self.state.d.next = DepotPoolState::Take;
                        }
                    } else if self.vacating.q.val() {
                        self.vacating.d.next = false;
                        self.trailing.d.next = true;
                        self.at.d.next = self.hold_at.q.val() + self.hold_span.q.val().get_bits::<REACH_BITS>(0);
                        self.left.d.next = REACH.to_bits::<REACH_COUNT_BITS>() - self.hold_span.q.val();
                        self.state.d.next = DepotPoolState::Table;
                    } else if self.trailing.q.val() && self.holds.q.val() {
                        self.trailing.d.next = false;
                        self.marking.d.next = true;
                        self.at.d.next = self.hold_at.q.val();
                        self.left.d.next = self.hold_span.q.val();
                        self.begins.d.next = true;
                        self.state.d.next = DepotPoolState::Take;
                    }
                }
            }
            DepotPoolState::Take => {
                if self.places.out_valid.val() {
                    self.places.out_ready.next = true;
                    self.got.d.next = true;
                    self.got_place.d.next = self.places.out_slot.val();
                    self.tells.d.next = true;
                    self.state.d.next = DepotPoolState::Table;
                }
            }
            DepotPoolState::Emit => {
                self.run_valid.next = true;
                if self.run_ready.val() {
                    self.walk_left.d.next = self.walk_left.q.val() - 1;
                    self.state.d.next = DepotPoolState::Work;
                    if self.ends_walk.q.val() || self.walk_left.q.val() == bits::<8>(1) {
                        self.state.d.next = DepotPoolState::Finish;
                    }
                }
            }
            DepotPoolState::Finish => {
                self.counts.write_enable.next = true;
                self.asked_counts.write_enable.next = true;
                self.places_used.d.next =
                    self.places_used.q.val() - self.freed.q.val() + bit_cast::<ENTRY_BITS, 1>(self.got.q.val().into());
                self.state.d.next = DepotPoolState::Idle;
            }
            _ => {
                self.ready.next = self.map.ready.val() && self.counts.ready.val() && self.asked_counts.ready.val();
                self.of.d.next = self.flow.val();
                self.holds.d.next = self.hold.val();
                self.clears.d.next = self.hold_clears.val();
                self.hold_at.d.next = self.psn.val().get_bits::<REACH_BITS>(0);
                self.hold_span.d.next = self.span.val();
                self.freed.d.next = bits::<ENTRY_BITS>(0);
                self.got.d.next = false;
                self.freeing.d.next = false;
                self.vacating.d.next = false;
                self.trailing.d.next = false;
                self.marking.d.next = false;
                self.walking.d.next = false;
                self.behind_range.d.next = false;
                self.kept_span.d.next = REACH.to_bits::<REACH_COUNT_BITS>() - self.free_length.val();
                self.begins.d.next = true;
                self.at.d.next = self.psn.val().get_bits::<REACH_BITS>(0);
                self.left.d.next = self.span.val();
                self.walk_psn.d.next = self.walk_start.val();
                self.walk_end.d.next = self.walk_start.val() + self.walk_length.val();
                self.walk_left.d.next = self.walk_most.val();
                self.in_run.d.next = false;
                self.ends_walk.d.next = false;
                self.beyond.d.next = self.walk_length.val() > REACH.to_bits::<24>();
                if self.map.ready.val() && self.counts.ready.val() && self.asked_counts.ready.val() {
                    if self.order.val() {
                        self.state.d.next = DepotPoolState::Table;
                        if self.free.val() {
                            self.freeing.d.next = true;
                            self.at.d.next = self.free_start.val().get_bits::<REACH_BITS>(0);
                            self.left.d.next = self.free_length.val();
                        } else if self.hold_clears.val() {
                            self.vacating.d.next = true;
                        } else {
                            self.marking.d.next = true;
                            self.state.d.next = DepotPoolState::Take;
                        }
                    } else if self.walk.val() {
                        self.walking.d.next = true;
                        self.at.d.next = self.walk_start.val().get_bits::<REACH_BITS>(0);
                        self.left.d.next = REACH.to_bits::<REACH_COUNT_BITS>();
                        if self.walk_length.val() < REACH.to_bits::<24>() {
                            self.left.d.next = self.walk_length.val().get_bits::<REACH_COUNT_BITS>(0);
                        }
                        self.state.d.next = DepotPoolState::Table;
                    }
                }
            }
        }
    }
}
