use super::Lr2Hash;
use crate::primitives::{BlockRam, ClearedRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// The keys of one direction of all flows: which flow a key is of.
///
/// Four slots may have a key, one in each way: `low ^ slice` of its hash, where the slice of the first way is nothing. A slot has a flow
/// and the rest of the hash, so that a slot and a way give the hash back. No two keys in the memory have the same hash: at most one slot
/// answers, and the key of its flow, which is compared whole, is the one that is meant or none is.
///
/// A new key gets the first way whose slot is free, and stays there. `ways` has twice as many slots as there are flows in each way, so
/// that a key for which no way is free is rare: about 1 of 4,000,000 full tables of 1024 flows whose hashes are random.
///
/// To write: `erase` a flow, `store` its new key, `probe` with it; 3 clocks later `taken` and `free` say whether it has a place, which it
/// gets with `place` in that clock.
/// Latency: 5 clocks. Throughput: one key per clock; it never stalls. Reset: no flow has a key, `ready` comes after twice as many clocks as
/// there are flows. Spec: LR2, "Flows"; the memory is *decided* here.
#[derive(Clone, Debug, Described, LogicBlock)]
#[described(blank)]
pub struct Lr2KeySide {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// what was there at power-up is gone
    pub ready: Signal<Out, Bit>,
    /// a key comes
    pub ask: Signal<In, Bit>,
    /// queue pair, destination, source, version of IP
    pub ask_key: Signal<In, Bits<FLOW_KEY_BITS>>,
    /// its answer is there
    pub done: Signal<Out, Bit>,
    /// it is of a flow
    pub known: Signal<Out, Bit>,
    /// number of the flow
    pub flow: Signal<Out, Bits<FLOW_BITS>>,
    /// path MTU of the flow, a clock before `flow`
    pub mtu: Signal<Out, Bits<3>>,
    /// number of the flow that is written
    pub write_flow: Signal<In, Bits<FLOW_BITS>>,
    /// its key
    pub write_key: Signal<In, Bits<FLOW_KEY_BITS>>,
    /// its path MTU
    pub write_mtu: Signal<In, Bits<3>>,
    /// the flow has no slot any more; `write_flow` was there in the clock before
    pub erase: Signal<In, Bit>,
    /// its key is written
    pub store: Signal<In, Bit>,
    /// in place of a key that is asked for: is there a place
    pub probe: Signal<In, Bit>,
    /// 3 clocks after `probe`: another key has its hash
    pub taken: Signal<Out, Bit>,
    /// one of its slots is free
    pub free: Signal<Out, Bit>,
    /// the flow gets the slot
    pub place: Signal<In, Bit>,

    hash: Lr2Hash,
    ways: [ClearedRam<FLOW_SLOT_WORD_BITS, FLOW_SLOT_BITS, 0>; 4],
    keys: BlockRam<FLOW_KEY_WORD_BITS, FLOW_BITS, 0>,
    slots: ClearedRam<FLOW_WHERE_BITS, FLOW_BITS, 0>,
    valid: [State<Bit>; 5],
    hashes: [Reg<Bits<FLOW_HASH_BITS>>; 3],
    asked: [Reg<Bits<FLOW_KEY_BITS>>; 4],
    matches: [Reg<Bit>; 4],
    frees: [Reg<Bit>; 4],
    flows: [Reg<Bits<FLOW_BITS>>; 4],
    hit4: Reg<Bit>,
    flow4: Reg<Bits<FLOW_BITS>>,
    hit5: Reg<Bit>,
    flow5: Reg<Bits<FLOW_BITS>>,
    same5: [Reg<Bit>; FLOW_KEY_PARTS],

    key: Signal<Local, Bits<FLOW_KEY_BITS>>,
    low: Signal<Local, Bits<FLOW_SLOT_BITS>>,
    tag: Signal<Local, Bits<FLOW_TAG_BITS>>,
    tag2: Signal<Local, Bits<FLOW_TAG_BITS>>,
    low3: Signal<Local, Bits<FLOW_SLOT_BITS>>,
    tag3: Signal<Local, Bits<FLOW_TAG_BITS>>,
    own: Signal<Local, Bits<FLOW_WHERE_BITS>>,
    own_way: Signal<Local, Bits<2>>,
    own_slot: Signal<Local, Bits<FLOW_SLOT_BITS>>,
    erases: Signal<Local, Bit>,
    chosen: Signal<Local, Bits<2>>,
    chosen_slot: Signal<Local, Bits<FLOW_SLOT_BITS>>,
    word: Signal<Local, Bits<FLOW_SLOT_WORD_BITS>>,
    found: Signal<Local, Bits<FLOW_BITS>>,
    held: Signal<Local, Bits<FLOW_KEY_BITS>>,
    differ: Signal<Local, Bits<FLOW_KEY_PARTS_BITS>>,
    all_same: Signal<Local, Bit>,
    number: [Constant<Bits<2>>; 4],
}

impl Default for Lr2KeySide {
    fn default() -> Self {
        Self { number: std::array::from_fn(|way| Constant::new(bits::<2>(way as u64))), ..Self::blank() }
    }
}

impl Logic for Lr2KeySide {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.slots.ready.val()
            && self.ways[0].ready.val()
            && self.ways[1].ready.val()
            && self.ways[2].ready.val()
            && self.ways[3].ready.val();

        // Clock 1: the hash.
        self.key.next = self.ask_key.val();
        if self.probe.val() {
            self.key.next = self.write_key.val();
        }
        self.hash.key.next = self.key.val();
        self.hashes[0].d.next = self.hash.hash.val();
        self.asked[0].d.next = self.key.val();
        self.valid[0].d.next = self.ask.val() && !self.probe.val();
        for k in 1..3 {
            self.hashes[k].d.next = self.hashes[k - 1].q.val();
        }
        for k in 1..4 {
            self.asked[k].d.next = self.asked[k - 1].q.val();
        }
        for k in 1..5 {
            self.valid[k].d.next = self.valid[k - 1].q.val();
        }

        // Clock 2: its slots are read.
        self.low.next = self.hashes[0].q.val().get_bits::<FLOW_SLOT_BITS>(0);
        self.tag.next = self.hashes[0].q.val().get_bits::<FLOW_TAG_BITS>(FLOW_SLOT_BITS);
        self.ways[0].read_address.next = self.low.val();
        self.ways[1].read_address.next = self.low.val() ^ self.tag.val().get_bits::<FLOW_SLOT_BITS>(0);
        self.ways[2].read_address.next = self.low.val() ^ self.tag.val().get_bits::<FLOW_SLOT_BITS>(FLOW_SLICE_2);
        self.ways[3].read_address.next = self.low.val() ^ self.tag.val().get_bits::<FLOW_SLOT_BITS>(FLOW_SLICE_3);

        // Clock 3: which of them has the hash, which of them nobody has.
        self.tag2.next = self.hashes[1].q.val().get_bits::<FLOW_TAG_BITS>(FLOW_SLOT_BITS);
        for w in 0..4 {
            self.matches[w].d.next = self.ways[w].read_data.val().get_bit(FLOW_BITS + FLOW_TAG_BITS)
                && self.ways[w].read_data.val().get_bits::<FLOW_TAG_BITS>(FLOW_BITS) == self.tag2.val();
            self.frees[w].d.next = !self.ways[w].read_data.val().get_bit(FLOW_BITS + FLOW_TAG_BITS);
            self.flows[w].d.next = self.ways[w].read_data.val().get_bits::<FLOW_BITS>(0);
        }

        // Clock 4: its flow, of which the key is read.
        self.found.next = self.flows[0].q.val();
        for w in 1..4 {
            if self.matches[w].q.val() {
                self.found.next = self.flows[w].q.val();
            }
        }
        self.keys.read_address.next = self.found.val();
        self.flow4.d.next = self.found.val();
        self.hit4.d.next = self.matches[0].q.val() || self.matches[1].q.val() || self.matches[2].q.val() || self.matches[3].q.val();

        // Clock 5: whether it is that key.
        self.held.next = self.keys.read_data.val().get_bits::<FLOW_KEY_BITS>(0);
        self.differ.next = bit_cast::<FLOW_KEY_PARTS_BITS, FLOW_KEY_BITS>(self.held.val() ^ self.asked[3].q.val());
        for k in 0..FLOW_KEY_PARTS {
            self.same5[k].d.next = !self.differ.val().get_bits::<16>(16 * k).any();
        }
        self.mtu.next = self.keys.read_data.val().get_bits::<3>(FLOW_KEY_BITS);
        self.flow5.d.next = self.flow4.q.val();
        self.hit5.d.next = self.hit4.q.val();
        self.all_same.next = self.hit5.q.val();
        for k in 0..FLOW_KEY_PARTS {
            if !self.same5[k].q.val() {
                self.all_same.next = false;
            }
        }
        self.done.next = self.valid[4].q.val();
        self.known.next = self.all_same.val();
        self.flow.next = self.flow5.q.val();

        // Writing. A flow's slot is known by its number.
        self.taken.next = self.matches[0].q.val() || self.matches[1].q.val() || self.matches[2].q.val() || self.matches[3].q.val();
        self.free.next = self.frees[0].q.val() || self.frees[1].q.val() || self.frees[2].q.val() || self.frees[3].q.val();
        self.low3.next = self.hashes[2].q.val().get_bits::<FLOW_SLOT_BITS>(0);
        self.tag3.next = self.hashes[2].q.val().get_bits::<FLOW_TAG_BITS>(FLOW_SLOT_BITS);
        self.chosen.next = bits::<2>(0);
        self.chosen_slot.next = self.low3.val();
        if !self.frees[0].q.val() {
            self.chosen.next = bits::<2>(1);
            self.chosen_slot.next = self.low3.val() ^ self.tag3.val().get_bits::<FLOW_SLOT_BITS>(0);
            if !self.frees[1].q.val() {
                self.chosen.next = bits::<2>(2);
                self.chosen_slot.next = self.low3.val() ^ self.tag3.val().get_bits::<FLOW_SLOT_BITS>(FLOW_SLICE_2);
                if !self.frees[2].q.val() {
                    self.chosen.next = bits::<2>(3);
                    self.chosen_slot.next = self.low3.val() ^ self.tag3.val().get_bits::<FLOW_SLOT_BITS>(FLOW_SLICE_3);
                }
            }
        }
        self.word.next = bits::<FLOW_SLOT_WORD_BITS>(0);
        if self.place.val() {
            self.word.next = bit_cast::<FLOW_SLOT_WORD_BITS, FLOW_BITS>(self.write_flow.val())
                | (bit_cast::<FLOW_SLOT_WORD_BITS, FLOW_TAG_BITS>(self.tag3.val()) << FLOW_BITS.to_bits::<6>())
                | (bits::<FLOW_SLOT_WORD_BITS>(1) << (FLOW_BITS + FLOW_TAG_BITS).to_bits::<6>());
        }
        self.slots.read_address.next = self.write_flow.val();
        self.own.next = self.slots.read_data.val();
        self.own_slot.next = self.own.val().get_bits::<FLOW_SLOT_BITS>(0);
        self.own_way.next = self.own.val().get_bits::<2>(FLOW_SLOT_BITS);
        self.erases.next = self.erase.val() && self.own.val().get_bit(FLOW_SLOT_BITS + 2);
        for w in 0..4 {
            self.ways[w].write_enable.next = (self.place.val() && self.chosen.val() == self.number[w].val())
                || (self.erases.val() && self.own_way.val() == self.number[w].val());
            self.ways[w].write_address.next = self.own_slot.val();
            if self.place.val() {
                self.ways[w].write_address.next = self.chosen_slot.val();
            }
            self.ways[w].write_data.next = self.word.val();
        }
        self.slots.write_enable.next = self.place.val() || self.erase.val();
        self.slots.write_address.next = self.write_flow.val();
        self.slots.write_data.next = bits::<FLOW_WHERE_BITS>(0);
        if self.place.val() {
            self.slots.write_data.next = bit_cast::<FLOW_WHERE_BITS, FLOW_SLOT_BITS>(self.chosen_slot.val())
                | (bit_cast::<FLOW_WHERE_BITS, 2>(self.chosen.val()) << FLOW_SLOT_BITS.to_bits::<6>())
                | (bits::<FLOW_WHERE_BITS>(1) << (FLOW_SLOT_BITS + 2).to_bits::<6>());
        }
        self.keys.write_enable.next = self.store.val();
        self.keys.write_address.next = self.write_flow.val();
        self.keys.write_data.next = bit_cast::<FLOW_KEY_WORD_BITS, FLOW_KEY_BITS>(self.write_key.val())
            | (bit_cast::<FLOW_KEY_WORD_BITS, 3>(self.write_mtu.val()) << FLOW_KEY_BITS.to_bits::<10>());
    }
}
