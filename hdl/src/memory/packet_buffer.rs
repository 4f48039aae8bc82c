use super::SlotPool;
use crate::primitives::{FifoLut, QueueRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Where payload waits until the registry has said where it belongs: `PAYLOAD_SLOTS` slots of one packet each, in block RAM.
///
/// Payload comes before its header, as the parser sends it, and is stored as it comes, one beat per clock. A payload that ends with
/// `payload_drop` leaves its slot to the next one. The header of a payload that is stored goes on as a packet, with the number of its slot.
/// The registry gives that number back by `slot_free`, or the memory writer by `slot_read` once it has read the payload.
///
/// Rules:
/// * No slot is free when a payload begins: all of it is thrown away, its header too, and `evt_frame_no_slot` counts.
/// * A packet without payload needs a slot as well, if its kind is one that the registry frees (0 and 1); it is given one with nothing in
///   it, or is thrown away and counted like any other. One free slot is kept for the next payload: what has no payload finds one if two are
///   free.
/// * A payload that is longer than a slot is cut at the end of the slot, and its packet goes on with the bytes that it had: more than a
///   packet has, so that the registry rejects it (`wrong_length`) and gives the slot back.
/// * What is not for the registry (`header_registry` low) is thrown away with its payload, and `evt_foreign` counts. A data arrival goes on
///   without a slot, whatever payload it had.
///
/// `payload_ready` falls only while packets are not taken: a payload that has been stored waits for its header, and 24 may. Frees may come
/// at any time, both in one clock: then one of them waits for a clock.
/// Latency: 3 clocks from a header, or the last beat of its payload, to its packet; 2 from `read_slot` to `read_data`. Throughput: one beat
/// and one header per clock. Reset: every slot is free, at once; the next beat begins a payload.
/// Spec: receive registry, "Ports".
#[derive(Default, Described, LogicBlock)]
pub struct PacketBuffer {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat of payload
    pub payload_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `payload_valid` is high too
    pub payload_ready: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub payload_data: Signal<In, Bits<DATA_WIDTH>>,
    /// last beat of this payload
    pub payload_last: Signal<In, Bit>,
    /// with the last beat: this payload has no header
    pub payload_drop: Signal<In, Bit>,
    /// a header is there
    pub header_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `header_valid` is high too
    pub header_ready: Signal<Out, Bit>,
    /// it is for the receive registry
    pub header_registry: Signal<In, Bit>,
    /// 0 body, 1 start, 2 data arrival, 3 abort
    pub header_kind: Signal<In, Bits<2>>,
    /// sending node
    pub header_src: Signal<In, Bits<16>>,
    /// the sender's op number
    pub header_op: Signal<In, Bits<OP_BITS>>,
    /// target address
    pub header_addr: Signal<In, Bits<64>>,
    /// payload bytes; if there are any, one payload belongs to it
    pub header_bytes: Signal<In, Bits<16>>,
    /// start: bytes of the whole operation
    pub header_op_bytes: Signal<In, Bits<32>>,
    /// start: packets of the whole operation
    pub header_count: Signal<In, Bits<16>>,
    /// remote key
    pub header_rkey: Signal<In, Bits<32>>,
    /// an immediate comes with it
    pub header_imm_valid: Signal<In, Bit>,
    /// the immediate, and above it what else goes with the packet
    pub header_imm: Signal<In, Bits<IMMEDIATE_BITS>>,
    /// a packet whose payload is in its slot
    pub packet_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `packet_valid` is high too
    pub packet_ready: Signal<In, Bit>,
    /// 0 body, 1 start, 2 data arrival, 3 abort
    pub packet_kind: Signal<Out, Bits<2>>,
    /// sending node
    pub packet_src: Signal<Out, Bits<16>>,
    /// the sender's op number
    pub packet_op: Signal<Out, Bits<OP_BITS>>,
    /// target address
    pub packet_addr: Signal<Out, Bits<64>>,
    /// payload bytes
    pub packet_bytes: Signal<Out, Bits<16>>,
    /// start: bytes of the whole operation
    pub packet_op_bytes: Signal<Out, Bits<32>>,
    /// start: packets of the whole operation
    pub packet_count: Signal<Out, Bits<16>>,
    /// remote key
    pub packet_rkey: Signal<Out, Bits<32>>,
    /// an immediate comes with it
    pub packet_imm_valid: Signal<Out, Bit>,
    /// the immediate, and above it what else goes with the packet
    pub packet_imm: Signal<Out, Bits<IMMEDIATE_BITS>>,
    /// payload of `packet`; of kinds 2 and 3 without meaning
    pub packet_slot: Signal<Out, Bits<SLOT_BITS>>,
    /// a payload that is not written comes back
    pub slot_free_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `slot_free_valid` is high too
    pub slot_free_ready: Signal<Out, Bit>,
    /// slot of `slot_free`
    pub slot_free_slot: Signal<In, Bits<SLOT_BITS>>,
    /// a payload that has been read comes back
    pub slot_read_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `slot_read_valid` is high too
    pub slot_read_ready: Signal<Out, Bit>,
    /// slot of `slot_read`
    pub slot_read_slot: Signal<In, Bits<SLOT_BITS>>,
    /// slot to read
    pub read_slot: Signal<In, Bits<SLOT_BITS>>,
    /// beat in the slot
    pub read_beat: Signal<In, Bits<SLOT_PLACE_BITS>>,
    /// the beat, two clocks later
    pub read_data: Signal<Out, Bits<DATA_WIDTH>>,
    /// counts packets thrown away: no slot was free
    pub evt_frame_no_slot: Signal<Out, Bit>,
    /// counts headers thrown away: not for the registry
    pub evt_foreign: Signal<Out, Bit>,
    /// no payload and no header is under way; slots may be held
    pub idle: Signal<Out, Bit>,

    pool: SlotPool<PAYLOAD_SLOTS, SLOT_BITS, SLOT_COUNT_BITS>,
    memory: QueueRam<DATA_WIDTH, SLOT_ADDRESS_BITS>,
    read: Reg<Bits<DATA_WIDTH>>,

    // A beat, and what becomes of it.
    q_ready: State<Bit>,
    beat: Reg<Bits<DATA_WIDTH>>,
    beat_valid: State<Bit>,
    beat_last: Reg<Bit>,
    beat_drop: Reg<Bit>,
    // The slot of this payload or the next one.
    hand: Reg<Bits<SLOT_BITS>>,
    hand_valid: State<Bit>,
    inside: State<Bit>,
    stored: Reg<Bit>,
    place: State<Bits<SLOT_BEATS_COUNT_BITS>>,
    has_slot: Signal<Local, Bit>,
    lands: Signal<Local, Bit>,
    refill: Signal<Local, Bit>,
    // Payloads that wait for their header: slot, and whether there is one.
    landed: FifoLut<SLOT_COUNT_BITS, 5, 6>,

    header: Reg<Bits<BUFFER_HEADER_BITS>>,
    kind: Reg<Bits<2>>,
    bytes: Reg<Bits<16>>,
    header_full: State<Bit>,
    ours: Reg<Bit>,
    keeps: Reg<Bit>,
    empty: Reg<Bit>,
    found: Signal<Local, Bit>,
    found_slot: Signal<Local, Bits<SLOT_BITS>>,
    known: Signal<Local, Bit>,
    passes: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    draws: Signal<Local, Bit>,

    out_header: Reg<Bits<BUFFER_HEADER_BITS>>,
    out_kind: Reg<Bits<2>>,
    out_bytes: Reg<Bits<16>>,
    out_slot: Reg<Bits<SLOT_BITS>>,
    out_full: State<Bit>,
    no_slot: State<Bit>,
    foreign: State<Bit>,
    unwanted: State<Bit>,
    unwanted_slot: Reg<Bits<SLOT_BITS>>,
}

impl PacketBuffer {
    /// A new one.
    pub fn new() -> Self {
        Self { pool: SlotPool::new(), ..Default::default() }
    }
}

impl Logic for PacketBuffer {
    #[kernel]
    fn update(&mut self) {
        self.pool.first_valid.next = self.slot_free_valid.val();
        self.pool.first_slot.next = self.slot_free_slot.val();
        self.slot_free_ready.next = self.pool.first_ready.val();
        self.pool.second_valid.next = self.slot_read_valid.val();
        self.pool.second_slot.next = self.slot_read_slot.val();
        self.slot_read_ready.next = self.pool.second_ready.val();
        self.pool.internal_valid.next = self.unwanted.q.val();
        self.pool.internal_slot.next = self.unwanted_slot.q.val();

        // Payload. Eight places of the queue are more than what may still be on its way when `payload_ready` falls.
        self.q_ready.d.next = !self.landed.count.val().get_bit(5) && !self.landed.count.val().get_bits::<2>(3).all();
        self.payload_ready.next = self.q_ready.q.val();
        self.beat.d.next = self.payload_data.val();
        self.beat_valid.d.next = self.payload_valid.val() && self.q_ready.q.val();
        self.beat_last.d.next = self.payload_last.val();
        self.beat_drop.d.next = self.payload_drop.val();
        self.has_slot.next = self.hand_valid.q.val();
        if self.inside.q.val() {
            self.has_slot.next = self.stored.q.val();
        }
        self.memory.write_enable.next = self.beat_valid.q.val() && self.has_slot.val() && !self.place.q.val().get_bit(SLOT_BEATS_BITS);
        self.memory.write_address.next = (bit_cast::<SLOT_ADDRESS_BITS, SLOT_BITS>(self.hand.q.val()) << SLOT_BEATS_BITS.to_bits::<4>())
            | bit_cast::<SLOT_ADDRESS_BITS, SLOT_PLACE_BITS>(self.place.q.val().get_bits::<SLOT_PLACE_BITS>(0));
        self.memory.write_data.next = self.beat.q.val();
        self.lands.next = self.beat_valid.q.val() && self.beat_last.q.val() && !self.beat_drop.q.val();
        if self.beat_valid.q.val() {
            self.inside.d.next = !self.beat_last.q.val();
            self.stored.d.next = self.has_slot.val();
            if self.beat_last.q.val() {
                self.place.d.next = bits::<SLOT_BEATS_COUNT_BITS>(0);
            } else if !self.place.q.val().get_bit(SLOT_BEATS_BITS) {
                self.place.d.next = self.place.q.val() + 1;
            }
        }
        self.landed.in_valid.next = self.lands.val();
        self.landed.in_data.next = bit_cast::<SLOT_COUNT_BITS, SLOT_BITS>(self.hand.q.val())
            | (bit_cast::<SLOT_COUNT_BITS, 1>(self.has_slot.val().into()) << SLOT_BITS.to_bits::<5>());
        // A payload that goes on without a slot must not be given one in its middle: `stored` says so until its end.
        self.refill.next = !self.hand_valid.q.val() || (self.lands.val() && self.has_slot.val());
        if self.refill.val() {
            self.hand.d.next = self.pool.out_slot.val();
            self.hand_valid.d.next = self.pool.out_valid.val();
        }

        self.memory.read_address.next = (bit_cast::<SLOT_ADDRESS_BITS, SLOT_BITS>(self.read_slot.val()) << SLOT_BEATS_BITS.to_bits::<4>())
            | bit_cast::<SLOT_ADDRESS_BITS, SLOT_PLACE_BITS>(self.read_beat.val());
        self.read.d.next = self.memory.read_data.val();
        self.read_data.next = self.read.q.val();

        // Headers.
        self.done.next = self.known.val() && (self.moves.val() || !self.passes.val());
        self.header_ready.next = !self.header_full.q.val() || self.done.val();
        if !self.header_full.q.val() || self.done.val() {
            self.header_full.d.next = self.header_valid.val();
            self.kind.d.next = self.header_kind.val();
            self.bytes.d.next = self.header_bytes.val();
            self.ours.d.next = self.header_registry.val();
            self.empty.d.next = !self.header_bytes.val().any();
            self.keeps.d.next = self.header_registry.val() && !self.header_kind.val().get_bit(1);
            self.header.d.next = bit_cast::<BUFFER_HEADER_BITS, 16>(self.header_src.val())
                | (bit_cast::<BUFFER_HEADER_BITS, OP_BITS>(self.header_op.val()) << 16)
                | (bit_cast::<BUFFER_HEADER_BITS, 64>(self.header_addr.val()) << 40)
                | (bit_cast::<BUFFER_HEADER_BITS, 32>(self.header_op_bytes.val()) << 104)
                | (bit_cast::<BUFFER_HEADER_BITS, 16>(self.header_count.val()) << 136)
                | (bit_cast::<BUFFER_HEADER_BITS, 32>(self.header_rkey.val()) << 152)
                | (bit_cast::<BUFFER_HEADER_BITS, 1>(self.header_imm_valid.val().into()) << 184)
                | (bit_cast::<BUFFER_HEADER_BITS, IMMEDIATE_BITS>(self.header_imm.val()) << 185);
        }
        // What its slot is: from its payload, or from the pool in a clock in which no payload takes one.
        self.found.next = self.landed.out_data.val().get_bit(SLOT_BITS);
        self.found_slot.next = self.landed.out_data.val().get_bits::<SLOT_BITS>(0);
        self.known.next = self.header_full.q.val() && self.landed.out_valid.val();
        if self.empty.q.val() {
            self.found.next = self.pool.out_valid.val();
            self.found_slot.next = self.pool.out_slot.val();
            self.known.next = self.header_full.q.val() && !(self.keeps.q.val() && self.refill.val());
        }
        self.passes.next = self.ours.q.val() && (self.found.val() || !self.keeps.q.val());
        self.moves.next = !self.out_full.q.val() || self.packet_ready.val();
        self.landed.out_ready.next = self.header_full.q.val() && !self.empty.q.val() && (self.moves.val() || !self.passes.val());
        self.draws.next = self.empty.q.val() && self.keeps.q.val() && self.done.val();
        self.pool.out_ready.next = self.refill.val() || self.draws.val();
        if self.moves.val() {
            self.out_full.d.next = self.known.val() && self.passes.val();
            self.out_header.d.next = self.header.q.val();
            self.out_kind.d.next = self.kind.q.val();
            self.out_bytes.d.next = self.bytes.q.val();
            self.out_slot.d.next = self.found_slot.val();
        }
        self.no_slot.d.next = self.known.val() && self.keeps.q.val() && !self.found.val();
        self.foreign.d.next = self.known.val() && !self.ours.q.val();
        self.unwanted.d.next = self.done.val() && !self.empty.q.val() && self.found.val() && !self.keeps.q.val();
        self.unwanted_slot.d.next = self.found_slot.val();

        self.packet_valid.next = self.out_full.q.val();
        self.packet_kind.next = self.out_kind.q.val();
        self.packet_bytes.next = self.out_bytes.q.val();
        self.packet_slot.next = self.out_slot.q.val();
        self.packet_src.next = self.out_header.q.val().get_bits::<16>(0);
        self.packet_op.next = self.out_header.q.val().get_bits::<OP_BITS>(16);
        self.packet_addr.next = self.out_header.q.val().get_bits::<64>(40);
        self.packet_op_bytes.next = self.out_header.q.val().get_bits::<32>(104);
        self.packet_count.next = self.out_header.q.val().get_bits::<16>(136);
        self.packet_rkey.next = self.out_header.q.val().get_bits::<32>(152);
        self.packet_imm_valid.next = self.out_header.q.val().get_bit(184);
        self.packet_imm.next = self.out_header.q.val().get_bits::<IMMEDIATE_BITS>(185);
        self.evt_frame_no_slot.next = self.no_slot.q.val();
        self.evt_foreign.next = self.foreign.q.val();
        self.idle.next = !self.beat_valid.q.val()
            && !self.inside.q.val()
            && !self.landed.out_valid.val()
            && !self.header_full.q.val()
            && !self.out_full.q.val()
            && !self.unwanted.q.val();
    }
}
