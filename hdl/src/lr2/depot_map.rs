use crate::primitives::{BlockRam, ClearedRam, Reg};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Where the packets of all flows lie in one pool of a Depot: a ring of `REACH` PSNs for each flow, in segments of `MAP_SEGMENT` from a
/// shared pool.
///
/// A table says where a segment of a flow's ring lies, if it lies anywhere. The segment has two bits for each of its PSNs, taken and
/// first of a packet, and the place of the packet beside them. A segment that is mapped has been written. Questions do not look at what
/// is written in the same clock or the two before.
/// Latency: 3 clocks from a question to its answer; for the owner 1 to the table's entry, 2 to the word, 1 to a place. Throughput: a
/// question, a read and a write of the owner per clock.
/// Reset: no segment lies anywhere, `ready` comes `2^MAP_ADDRESS_BITS` clocks after it.
/// Spec: LR2, "Depot": "map segments of 64 pointers from a shared pool, keyed (flow, psn >> 6)".
///
/// Parameters: `PLACE_BITS` log2 of the packets and of the segments, `ENTRY_BITS` one more, `POINTER_BITS` `MAP_SEGMENT_BITS` more.
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotMap<const PLACE_BITS: usize, const ENTRY_BITS: usize, const POINTER_BITS: usize> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// no segment of before is mapped
    pub ready: Signal<Out, Bit>,
    /// question: flow
    pub ask_flow: Signal<In, Bits<FLOW_BITS>>,
    /// whether this PSN is taken
    pub ask_psn: Signal<In, Bits<REACH_BITS>>,
    /// and whether a packet begins here
    pub ask_behind: Signal<In, Bits<REACH_BITS>>,
    /// the PSN is taken
    pub there: Signal<Out, Bit>,
    /// it has a segment
    pub mapped: Signal<Out, Bit>,
    /// a packet begins there
    pub leads: Signal<Out, Bit>,
    /// its place
    pub place: Signal<Out, Bits<PLACE_BITS>>,

    /// the owner reads: flow
    pub read_flow: Signal<In, Bits<FLOW_BITS>>,
    /// and segment
    pub read_segment: Signal<In, Bits<MAP_RING_BITS>>,
    /// it lies somewhere
    pub read_mapped: Signal<Out, Bit>,
    /// where
    pub read_slot: Signal<Out, Bits<PLACE_BITS>>,
    /// its bits: taken, then first
    pub read_word: Signal<Out, Bits<MAP_WORD_BITS>>,
    /// a pointer: slot and PSN
    pub read_pointer: Signal<In, Bits<POINTER_BITS>>,
    /// the place that it names
    pub read_place: Signal<Out, Bits<PLACE_BITS>>,

    /// the entry of `read_flow` and `read_segment` is written
    pub map_write: Signal<In, Bit>,
    /// it lies somewhere
    pub map_mapped: Signal<In, Bit>,
    /// bits are written
    pub word_write: Signal<In, Bit>,
    /// of the segment that lies here, and what is mapped
    pub write_slot: Signal<In, Bits<PLACE_BITS>>,
    /// which
    pub write_word: Signal<In, Bits<MAP_WORD_BITS>>,
    /// a place is written, of `read_pointer`
    pub place_write: Signal<In, Bit>,
    /// which
    pub write_place: Signal<In, Bits<PLACE_BITS>>,

    psn_table: ClearedRam<ENTRY_BITS, MAP_ADDRESS_BITS, 0>,
    behind_table: ClearedRam<ENTRY_BITS, MAP_ADDRESS_BITS, 0>,
    own_table: ClearedRam<ENTRY_BITS, MAP_ADDRESS_BITS, 0>,
    psn_words: BlockRam<MAP_WORD_BITS, PLACE_BITS, 0>,
    behind_words: BlockRam<MAP_WORD_BITS, PLACE_BITS, 0>,
    own_words: BlockRam<MAP_WORD_BITS, PLACE_BITS, 0>,
    behind_places: BlockRam<PLACE_BITS, POINTER_BITS, 0>,
    own_places: BlockRam<PLACE_BITS, POINTER_BITS, 0>,
    own_address: Signal<Local, Bits<MAP_ADDRESS_BITS>>,
    entry: Signal<Local, Bits<ENTRY_BITS>>,
    psn1: Reg<Bits<MAP_SEGMENT_BITS>>,
    behind1: Reg<Bits<MAP_SEGMENT_BITS>>,
    psn2: Reg<Bits<MAP_SEGMENT_BITS>>,
    behind2: Reg<Bits<MAP_SEGMENT_BITS>>,
    psn_bit: Signal<Local, Bits<MAP_SEGMENT>>,
    behind_bit: Signal<Local, Bits<MAP_SEGMENT>>,
    psn_mapped2: Reg<Bit>,
    behind_mapped2: Reg<Bit>,
    there3: Reg<Bit>,
    mapped3: Reg<Bit>,
    leads3: Reg<Bit>,
    place3: Reg<Bits<PLACE_BITS>>,
}

impl<const PLACE_BITS: usize, const ENTRY_BITS: usize, const POINTER_BITS: usize> DepotMap<PLACE_BITS, ENTRY_BITS, POINTER_BITS> {
    /// A new one.
    /// # Panics
    /// A parameter that does not follow from the others.
    pub fn new() -> Self {
        assert!(
            ENTRY_BITS == PLACE_BITS + 1 && POINTER_BITS == PLACE_BITS + MAP_SEGMENT_BITS,
            "DepotMap: ENTRY_BITS = {ENTRY_BITS} and POINTER_BITS = {POINTER_BITS} with PLACE_BITS = {PLACE_BITS}, must be 1 and \
             {MAP_SEGMENT_BITS} more"
        );
        Self::default()
    }
}

impl<const PLACE_BITS: usize, const ENTRY_BITS: usize, const POINTER_BITS: usize> Logic for DepotMap<PLACE_BITS, ENTRY_BITS, POINTER_BITS> {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.psn_table.ready.val() && self.behind_table.ready.val() && self.own_table.ready.val();

        // Questions: the table, the word and the place, the bit.
        self.psn_table.read_address.next =
            bit_cast::<MAP_ADDRESS_BITS, MAP_RING_BITS>(self.ask_psn.val().get_bits::<MAP_RING_BITS>(MAP_SEGMENT_BITS))
                | (bit_cast::<MAP_ADDRESS_BITS, FLOW_BITS>(self.ask_flow.val()) << MAP_RING_BITS.to_bits::<6>());
        self.behind_table.read_address.next =
            bit_cast::<MAP_ADDRESS_BITS, MAP_RING_BITS>(self.ask_behind.val().get_bits::<MAP_RING_BITS>(MAP_SEGMENT_BITS))
                | (bit_cast::<MAP_ADDRESS_BITS, FLOW_BITS>(self.ask_flow.val()) << MAP_RING_BITS.to_bits::<6>());
        self.psn1.d.next = self.ask_psn.val().get_bits::<MAP_SEGMENT_BITS>(0);
        self.behind1.d.next = self.ask_behind.val().get_bits::<MAP_SEGMENT_BITS>(0);
        self.psn_words.read_address.next = self.psn_table.read_data.val().get_bits::<PLACE_BITS>(0);
        self.behind_words.read_address.next = self.behind_table.read_data.val().get_bits::<PLACE_BITS>(0);
        self.behind_places.read_address.next = bit_cast::<POINTER_BITS, MAP_SEGMENT_BITS>(self.behind1.q.val())
            | (bit_cast::<POINTER_BITS, PLACE_BITS>(self.behind_table.read_data.val().get_bits::<PLACE_BITS>(0))
                << MAP_SEGMENT_BITS.to_bits::<6>());
        self.psn2.d.next = self.psn1.q.val();
        self.behind2.d.next = self.behind1.q.val();
        self.psn_mapped2.d.next = self.psn_table.read_data.val().get_bit(PLACE_BITS);
        self.behind_mapped2.d.next = self.behind_table.read_data.val().get_bit(PLACE_BITS);
        self.psn_bit.next = bits::<MAP_SEGMENT>(1) << self.psn2.q.val();
        self.behind_bit.next = bits::<MAP_SEGMENT>(1) << self.behind2.q.val();
        self.there3.d.next =
            self.psn_mapped2.q.val() && (self.psn_words.read_data.val().get_bits::<MAP_SEGMENT>(0) & self.psn_bit.val()).any();
        self.mapped3.d.next = self.psn_mapped2.q.val();
        self.leads3.d.next = self.behind_mapped2.q.val()
            && (self.behind_words.read_data.val().get_bits::<MAP_SEGMENT>(MAP_SEGMENT) & self.behind_bit.val()).any();
        self.place3.d.next = self.behind_places.read_data.val();
        self.there.next = self.there3.q.val();
        self.mapped.next = self.mapped3.q.val();
        self.leads.next = self.leads3.q.val();
        self.place.next = self.place3.q.val();

        // The owner.
        self.own_address.next = bit_cast::<MAP_ADDRESS_BITS, MAP_RING_BITS>(self.read_segment.val())
            | (bit_cast::<MAP_ADDRESS_BITS, FLOW_BITS>(self.read_flow.val()) << MAP_RING_BITS.to_bits::<6>());
        self.own_table.read_address.next = self.own_address.val();
        self.read_mapped.next = self.own_table.read_data.val().get_bit(PLACE_BITS);
        self.read_slot.next = self.own_table.read_data.val().get_bits::<PLACE_BITS>(0);
        self.own_words.read_address.next = self.own_table.read_data.val().get_bits::<PLACE_BITS>(0);
        self.read_word.next = self.own_words.read_data.val();
        self.own_places.read_address.next = self.read_pointer.val();
        self.read_place.next = self.own_places.read_data.val();

        self.entry.next = bit_cast::<ENTRY_BITS, PLACE_BITS>(self.write_slot.val())
            | (bit_cast::<ENTRY_BITS, 1>(self.map_mapped.val().into()) << PLACE_BITS.to_bits::<6>());
        self.psn_table.write_enable.next = self.map_write.val();
        self.psn_table.write_address.next = self.own_address.val();
        self.psn_table.write_data.next = self.entry.val();
        self.behind_table.write_enable.next = self.map_write.val();
        self.behind_table.write_address.next = self.own_address.val();
        self.behind_table.write_data.next = self.entry.val();
        self.own_table.write_enable.next = self.map_write.val();
        self.own_table.write_address.next = self.own_address.val();
        self.own_table.write_data.next = self.entry.val();
        self.psn_words.write_enable.next = self.word_write.val();
        self.psn_words.write_address.next = self.write_slot.val();
        self.psn_words.write_data.next = self.write_word.val();
        self.behind_words.write_enable.next = self.word_write.val();
        self.behind_words.write_address.next = self.write_slot.val();
        self.behind_words.write_data.next = self.write_word.val();
        self.own_words.write_enable.next = self.word_write.val();
        self.own_words.write_address.next = self.write_slot.val();
        self.own_words.write_data.next = self.write_word.val();
        self.behind_places.write_enable.next = self.place_write.val();
        self.behind_places.write_address.next = self.read_pointer.val();
        self.behind_places.write_data.next = self.write_place.val();
        self.own_places.write_enable.next = self.place_write.val();
        self.own_places.write_address.next = self.read_pointer.val();
        self.own_places.write_data.next = self.write_place.val();
    }
}
