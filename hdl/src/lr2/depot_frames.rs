use super::DepotMemory;
use crate::bus::{Frames, FramesSink};
use crate::memory::SlotPool;
use crate::primitives::{ClearedRam, FifoLut, QueueRam, Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Where the frames of a Depot lie: those that have come, those that are held, the copies, those that leave.
///
/// A frame is stored once and is never moved: a place of a pool owns a slot. A frame that comes is told by `stored`, in its order, when its
/// last beat is there; one that was bad, or longer than a slot, is told with `stored_bad` and has no slot. Each step of the Depot then says
/// what becomes of a frame: `step_from` says which one it is, `send` that it leaves, `hold` and `copy` that a pool has a place for it. The
/// places follow, in the order of the steps, as `DepotFlows` gives them out; a place that is given to another frame gives up the slot that
/// it had, so that nobody has to tell of a place that becomes free. Frames leave in the order of the steps, and a slot is given back behind
/// all that was sent from it.
/// Latency: 1 clock from the last beat to `stored`; 6 from a step to the first beat. Throughput: one beat per clock in and out, one step
/// per clock. `in_ready` falls while no slot is free, or 24 frames wait for their step.
/// Steps: while `room` is low no event may be taken whose step comes here; `TICKETS` of them, and as many frames that need no place, may be
/// under way when it falls. Limits: a frame has `PACKET_SIZE` + 256 bytes at most. Reset: empty, `ready` comes `2^DEPOT_PLACE_BITS` clocks
/// later; the next beat begins a frame.
/// Spec: LR2, "Depot", "Sizes".
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct DepotFrames {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// steps count
    pub ready: Signal<Out, Bit>,
    #[port = "in"]
    pub frames: FramesSink<DATA_WIDTH, DATA_BYTES>,
    /// with the last beat: the frame is bad
    pub in_bad: Signal<In, Bit>,
    /// a frame has come
    pub stored_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `stored_valid` is high too
    pub stored_ready: Signal<In, Bit>,
    /// its slot
    pub stored_slot: Signal<Out, Bits<FRAME_SLOT_BITS>>,
    /// it has none: it was bad, or longer than a slot
    pub stored_bad: Signal<Out, Bit>,

    /// a step is done
    pub step: Signal<In, Bit>,
    /// whose frame: `FRAME_CAME`, `FRAME_HELD`, `FRAME_COPY`, or `FRAME_NONE`
    pub step_from: Signal<In, Bits<2>>,
    /// slot of one that came
    pub step_slot: Signal<In, Bits<FRAME_SLOT_BITS>>,
    /// place of one that was held, or of a copy
    pub step_place: Signal<In, Bits<DEPOT_PLACE_BITS>>,
    /// it leaves
    pub send: Signal<In, Bit>,
    /// it gets a place of the reordering pool
    pub hold: Signal<In, Bit>,
    /// it gets a place of the backup pool, or none
    pub copy: Signal<In, Bit>,
    /// the oldest frame that is to be held has its place
    pub held: Signal<In, Bit>,
    /// which
    pub held_at: Signal<In, Bits<DEPOT_PLACE_BITS>>,
    /// the oldest frame that is to be copied has its place
    pub kept: Signal<In, Bit>,
    /// which
    pub kept_at: Signal<In, Bits<DEPOT_PLACE_BITS>>,
    /// it has none
    pub uncopied: Signal<In, Bit>,
    /// events may be taken
    pub room: Signal<Out, Bit>,
    /// nothing waits to leave
    pub line_free: Signal<Out, Bit>,
    /// in the second clock after its step: how long the frame is
    pub told: Signal<Out, Bit>,
    /// bytes of it, from the first of Ethernet on; 0: nothing leaves
    pub told_bytes: Signal<Out, Bits<16>>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// counts frames that were longer than a slot
    pub evt_long: Signal<Out, Bit>,

    memory: DepotMemory,
    slots: SlotPool<FRAME_SLOTS, FRAME_SLOT_BITS, FRAME_SLOT_COUNT_BITS>,
    lengths: QueueRam<FRAME_LENGTH_BITS, FRAME_SLOT_BITS>,
    held_slots: ClearedRam<FRAME_OWNED_BITS, DEPOT_PLACE_BITS, 0>,
    copy_slots: ClearedRam<FRAME_OWNED_BITS, DEPOT_PLACE_BITS, 0>,

    // A frame comes.
    hand: Reg<Bits<FRAME_SLOT_BITS>>,
    hand_valid: State<Bit>,
    has_room: State<Bit>,
    beat: State<Bits<FRAME_BEATS_COUNT_BITS>>,
    long: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
    bad: Signal<Local, Bit>,
    // Bit k of a thermometer's count is the parity of its bits 2^k - 1, 2 * 2^k - 1 and so on.
    every: [Constant<Bits<DATA_BYTES>>; LANE_COUNT_BITS],
    one: [Constant<Bits<LANE_COUNT_BITS>>; LANE_COUNT_BITS],
    counted: [Signal<Local, Bits<LANE_COUNT_BITS>>; FRAME_COUNT_STEPS],
    q_write: State<Bit>,
    q_slot: Reg<Bits<FRAME_SLOT_BITS>>,
    q_beat: Reg<Bits<FRAME_BEATS_BITS>>,
    q_data: Reg<Bits<DATA_WIDTH>>,
    q_last: State<Bit>,
    q_bytes: Reg<Bits<LANE_COUNT_BITS>>,
    q_long: State<Bit>,
    came: FifoLut<FRAME_OWNED_BITS, 5, 6>,

    // A step: whose slot, then how long.
    step1: State<Bit>,
    from1: Reg<Bits<2>>,
    slot1: Reg<Bits<FRAME_SLOT_BITS>>,
    place1: Reg<Bits<DEPOT_PLACE_BITS>>,
    send1: Reg<Bit>,
    hold1: Reg<Bit>,
    copy1: Reg<Bit>,
    whose: Signal<Local, Bits<FRAME_SLOT_BITS>>,
    frees1: Signal<Local, Bit>,
    step2: State<Bit>,
    slot2: Reg<Bits<FRAME_SLOT_BITS>>,
    send2: Reg<Bit>,
    frees2: Reg<Bit>,

    // Frames that wait for their places, and places for their frames.
    to_hold: FifoLut<FRAME_SLOT_BITS, 4, 5>,
    to_copy: FifoLut<FRAME_SLOT_BITS, 4, 5>,
    held_places: FifoLut<DEPOT_PLACE_BITS, 4, 5>,
    copy_places: FifoLut<DEPOT_PLACE_COUNT_BITS, 4, 5>,
    reads_held: Signal<Local, Bit>,
    reads_copy: Signal<Local, Bit>,
    holds: Signal<Local, Bit>,
    copies: Signal<Local, Bit>,
    hold_placed: State<Bit>,
    hold_place: Reg<Bits<DEPOT_PLACE_BITS>>,
    hold_slot: Reg<Bits<FRAME_SLOT_BITS>>,
    copy_placed: State<Bit>,
    copy_refused: State<Bit>,
    copy_place: Reg<Bits<DEPOT_PLACE_BITS>>,
    copy_slot: Reg<Bits<FRAME_SLOT_BITS>>,
    given_held: FifoLut<FRAME_SLOT_BITS, 4, 5>,
    given_copy: FifoLut<FRAME_SLOT_BITS, 4, 5>,

    // What leaves.
    leaves: FifoLut<FRAME_LEAVES_BITS, 6, 7>,
    leaving: Signal<Local, Bits<FRAME_LEAVES_BITS>>,
    front: Signal<Local, Bits<FRAME_LEAVES_BITS>>,
    front_slot: Signal<Local, Bits<FRAME_SLOT_BITS>>,
    front_last: Signal<Local, Bits<FRAME_BEATS_BITS>>,
    sends: Signal<Local, Bit>,
    reads: Signal<Local, Bit>,
    at_end: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    read_beat: State<Bits<FRAME_BEATS_BITS>>,
    reading: [State<Bit>; 2],
    reading_last: [Reg<Bit>; 2],
    reading_bytes: [Reg<Bits<LANE_COUNT_BITS>>; 2],
    beats: FifoLut<FRAME_BEAT_BITS, 4, 5>,
    space: State<Bit>,
    lanes: ThermometerMask<DATA_BYTES, LANE_COUNT_BITS, 1>,
    keep: Signal<Local, Bits<DATA_BYTES>>,
    q_room: State<Bit>,
}

impl Default for DepotFrames {
    fn default() -> Self {
        let every = |k: usize| {
            (1..=DATA_BYTES >> k).map(|m| (m << k) - 1).fold(Bits::default(), |mask: Bits<DATA_BYTES>, bit| mask.replace_bit(bit, true))
        };
        Self {
            slots: SlotPool::new(),
            every: std::array::from_fn(|k| Constant::new(every(k))),
            one: std::array::from_fn(|k| Constant::new(bits::<LANE_COUNT_BITS>(1 << k))),
            ..Self::blank()
        }
    }
}

impl DepotFrames {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for DepotFrames {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.held_slots.ready.val() && self.copy_slots.ready.val();

        // A frame comes. The slot in hand is its own until it has proved sound; a bad one leaves it to the next.
        self.has_room.d.next = !self.came.count.val().get_bit(5) && !self.came.count.val().get_bits::<2>(3).all();
        self.frames.ready.next = self.hand_valid.q.val() && self.has_room.q.val();
        self.takes.next = self.frames.valid.val() && self.hand_valid.q.val() && self.has_room.q.val();
        self.ends.next = self.takes.val() && self.frames.last.val();
        self.long.next = self.beat.q.val() >= FRAME_BEATS.to_bits::<FRAME_BEATS_COUNT_BITS>();
        self.bad.next = self.in_bad.val() || self.long.val();
        if self.takes.val() {
            if self.frames.last.val() {
                self.beat.d.next = bits::<FRAME_BEATS_COUNT_BITS>(0);
            } else if !self.long.val() {
                self.beat.d.next = self.beat.q.val() + 1;
            }
        }
        self.slots.out_ready.next = !self.hand_valid.q.val() || (self.ends.val() && !self.bad.val());
        if !self.hand_valid.q.val() || (self.ends.val() && !self.bad.val()) {
            self.hand.d.next = self.slots.out_slot.val();
            self.hand_valid.d.next = self.slots.out_valid.val();
        }
        self.counted[0].next = bits::<LANE_COUNT_BITS>(0);
        for k in 0..LANE_COUNT_BITS {
            self.counted[k + 1].next = self.counted[k].val();
            if (self.frames.keep.val() & self.every[k].val()).xor() {
                self.counted[k + 1].next = self.counted[k].val() | self.one[k].val();
            }
        }
        self.q_write.d.next = self.takes.val() && !self.long.val();
        self.q_slot.d.next = self.hand.q.val();
        self.q_beat.d.next = self.beat.q.val().get_bits::<FRAME_BEATS_BITS>(0);
        self.q_data.d.next = self.frames.data.val();
        self.q_last.d.next = self.ends.val() && !self.bad.val();
        self.q_bytes.d.next = self.counted[LANE_COUNT_BITS].val();
        self.q_long.d.next = self.ends.val() && self.long.val() && !self.in_bad.val();
        self.evt_long.next = self.q_long.q.val();
        self.memory.write.next = self.q_write.q.val();
        self.memory.write_slot.next = self.q_slot.q.val();
        self.memory.write_beat.next = self.q_beat.q.val();
        self.memory.write_data.next = self.q_data.q.val();
        self.lengths.write_enable.next = self.q_last.q.val();
        self.lengths.write_address.next = self.q_slot.q.val();
        self.lengths.write_data.next = bit_cast::<FRAME_LENGTH_BITS, FRAME_BEATS_BITS>(self.q_beat.q.val())
            | (bit_cast::<FRAME_LENGTH_BITS, LANE_COUNT_BITS>(self.q_bytes.q.val()) << FRAME_BEATS_BITS.to_bits::<4>());
        self.came.in_valid.next = self.ends.val();
        self.came.in_data.next = bit_cast::<FRAME_OWNED_BITS, FRAME_SLOT_BITS>(self.hand.q.val())
            | (bit_cast::<FRAME_OWNED_BITS, 1>(self.bad.val().into()) << FRAME_SLOT_BITS.to_bits::<5>());
        self.stored_valid.next = self.came.out_valid.val();
        self.came.out_ready.next = self.stored_ready.val();
        self.stored_slot.next = self.came.out_data.val().get_bits::<FRAME_SLOT_BITS>(0);
        self.stored_bad.next = self.came.out_data.val().get_bit(FRAME_SLOT_BITS);

        // A step. The place of a frame that was held, or of a copy, says its slot in the next clock.
        self.reads_held.next = self.step.val() && self.step_from.val() == FRAME_HELD.to_bits::<2>();
        self.reads_copy.next = self.step.val() && self.step_from.val() == FRAME_COPY.to_bits::<2>();
        self.step1.d.next = self.step.val() && !(self.step_from.val() == FRAME_NONE.to_bits::<2>());
        self.from1.d.next = self.step_from.val();
        self.slot1.d.next = self.step_slot.val();
        self.place1.d.next = self.step_place.val();
        self.send1.d.next = self.send.val();
        self.hold1.d.next = self.hold.val();
        self.copy1.d.next = self.copy.val();
        self.whose.next = self.slot1.q.val();
        if self.from1.q.val() == FRAME_HELD.to_bits::<2>() {
            self.whose.next = self.held_slots.read_data.val().get_bits::<FRAME_SLOT_BITS>(0);
        }
        if self.from1.q.val() == FRAME_COPY.to_bits::<2>() {
            self.whose.next = self.copy_slots.read_data.val().get_bits::<FRAME_SLOT_BITS>(0);
        }
        self.frees1.next = !(self.from1.q.val() == FRAME_COPY.to_bits::<2>()) && !self.hold1.q.val() && !self.copy1.q.val();
        self.lengths.read_address.next = self.whose.val();
        self.step2.d.next = self.step1.q.val();
        self.slot2.d.next = self.whose.val();
        self.send2.d.next = self.send1.q.val();
        self.frees2.d.next = self.frees1.val();
        self.told.next = self.step2.q.val();
        self.told_bytes.next = bits::<16>(0);
        if self.send2.q.val() {
            self.told_bytes.next = (bit_cast::<16, FRAME_BEATS_BITS>(self.lengths.read_data.val().get_bits::<FRAME_BEATS_BITS>(0))
                << LANE_BITS.to_bits::<4>())
                + bit_cast::<16, LANE_COUNT_BITS>(self.lengths.read_data.val().get_bits::<LANE_COUNT_BITS>(FRAME_BEATS_BITS));
        }

        // Frames and their places, in the order of the steps.
        self.to_hold.in_valid.next = self.step1.q.val() && self.hold1.q.val();
        self.to_hold.in_data.next = self.whose.val();
        self.to_copy.in_valid.next = self.step1.q.val() && self.copy1.q.val();
        self.to_copy.in_data.next = self.whose.val();
        self.held_places.in_valid.next = self.held.val();
        self.held_places.in_data.next = self.held_at.val();
        self.copy_places.in_valid.next = self.kept.val() || self.uncopied.val();
        self.copy_places.in_data.next = bit_cast::<DEPOT_PLACE_COUNT_BITS, DEPOT_PLACE_BITS>(self.kept_at.val())
            | (bit_cast::<DEPOT_PLACE_COUNT_BITS, 1>(self.uncopied.val().into()) << DEPOT_PLACE_BITS.to_bits::<4>());
        self.holds.next = self.to_hold.out_valid.val() && self.held_places.out_valid.val() && !self.reads_held.val();
        self.copies.next = self.to_copy.out_valid.val() && self.copy_places.out_valid.val() && !self.reads_copy.val();
        self.to_hold.out_ready.next = self.holds.val();
        self.held_places.out_ready.next = self.holds.val();
        self.to_copy.out_ready.next = self.copies.val();
        self.copy_places.out_ready.next = self.copies.val();
        self.hold_placed.d.next = self.holds.val();
        self.hold_place.d.next = self.held_places.out_data.val();
        self.hold_slot.d.next = self.to_hold.out_data.val();
        self.copy_refused.d.next = self.copies.val() && self.copy_places.out_data.val().get_bit(DEPOT_PLACE_BITS);
        self.copy_placed.d.next = self.copies.val() && !self.copy_places.out_data.val().get_bit(DEPOT_PLACE_BITS);
        self.copy_place.d.next = self.copy_places.out_data.val().get_bits::<DEPOT_PLACE_BITS>(0);
        self.copy_slot.d.next = self.to_copy.out_data.val();
        self.held_slots.read_address.next = self.held_places.out_data.val();
        if self.reads_held.val() {
            self.held_slots.read_address.next = self.step_place.val();
        }
        self.copy_slots.read_address.next = self.copy_places.out_data.val().get_bits::<DEPOT_PLACE_BITS>(0);
        if self.reads_copy.val() {
            self.copy_slots.read_address.next = self.step_place.val();
        }
        // The word of a place that is given to a frame owns its slot; the place of a frame that leaves owns none.
        self.held_slots.write_enable.next =
            self.hold_placed.q.val() || (self.step1.q.val() && self.from1.q.val() == FRAME_HELD.to_bits::<2>());
        self.held_slots.write_address.next = self.place1.q.val();
        self.held_slots.write_data.next = bits::<FRAME_OWNED_BITS>(0);
        if self.hold_placed.q.val() {
            self.held_slots.write_address.next = self.hold_place.q.val();
            self.held_slots.write_data.next = bit_cast::<FRAME_OWNED_BITS, FRAME_SLOT_BITS>(self.hold_slot.q.val())
                | (bits::<FRAME_OWNED_BITS>(1) << FRAME_SLOT_BITS.to_bits::<5>());
        }
        self.copy_slots.write_enable.next = self.copy_placed.q.val();
        self.copy_slots.write_address.next = self.copy_place.q.val();
        self.copy_slots.write_data.next = bit_cast::<FRAME_OWNED_BITS, FRAME_SLOT_BITS>(self.copy_slot.q.val())
            | (bits::<FRAME_OWNED_BITS>(1) << FRAME_SLOT_BITS.to_bits::<5>());
        self.given_held.in_valid.next = self.hold_placed.q.val() && self.held_slots.read_data.val().get_bit(FRAME_SLOT_BITS);
        self.given_held.in_data.next = self.held_slots.read_data.val().get_bits::<FRAME_SLOT_BITS>(0);
        self.given_copy.in_valid.next =
            self.copy_refused.q.val() || (self.copy_placed.q.val() && self.copy_slots.read_data.val().get_bit(FRAME_SLOT_BITS));
        self.given_copy.in_data.next = self.copy_slots.read_data.val().get_bits::<FRAME_SLOT_BITS>(0);
        if self.copy_refused.q.val() {
            self.given_copy.in_data.next = self.copy_slot.q.val();
        }

        // What leaves: a step first, then slots that were given up. A slot comes behind everything that is sent from it.
        self.leaving.next = bit_cast::<FRAME_LEAVES_BITS, FRAME_SLOT_BITS>(self.slot2.q.val())
            | (bit_cast::<FRAME_LEAVES_BITS, FRAME_LENGTH_BITS>(self.lengths.read_data.val()) << FRAME_SLOT_BITS.to_bits::<5>())
            | (bit_cast::<FRAME_LEAVES_BITS, 1>(self.send2.q.val().into()) << (FRAME_LEAVES_BITS - 2).to_bits::<6>())
            | (bit_cast::<FRAME_LEAVES_BITS, 1>(self.frees2.q.val().into()) << (FRAME_LEAVES_BITS - 1).to_bits::<6>());
        self.leaves.in_valid.next = self.step2.q.val() && (self.send2.q.val() || self.frees2.q.val());
        self.given_held.out_ready.next = false;
        self.given_copy.out_ready.next = false;
        if !self.step2.q.val() {
            self.leaves.in_valid.next = self.given_held.out_valid.val() || self.given_copy.out_valid.val();
            self.given_held.out_ready.next = self.leaves.in_ready.val();
            self.leaving.next = bit_cast::<FRAME_LEAVES_BITS, FRAME_SLOT_BITS>(self.given_held.out_data.val())
                | (bits::<FRAME_LEAVES_BITS>(1) << (FRAME_LEAVES_BITS - 1).to_bits::<6>());
            if !self.given_held.out_valid.val() {
                self.given_copy.out_ready.next = self.leaves.in_ready.val();
                self.leaving.next = bit_cast::<FRAME_LEAVES_BITS, FRAME_SLOT_BITS>(self.given_copy.out_data.val())
                    | (bits::<FRAME_LEAVES_BITS>(1) << (FRAME_LEAVES_BITS - 1).to_bits::<6>());
            }
        }
        self.leaves.in_data.next = self.leaving.val();
        self.q_room.d.next = !self.leaves.count.val().get_bit(6)
            && !self.leaves.count.val().get_bit(5)
            && !self.given_held.count.val().get_bits::<3>(2).any()
            && !self.given_copy.count.val().get_bits::<3>(2).any();
        self.room.next = self.q_room.q.val();
        self.line_free.next = !self.leaves.out_valid.val();

        // The one in front, beat by beat.
        self.front.next = self.leaves.out_data.val();
        self.front_slot.next = self.front.val().get_bits::<FRAME_SLOT_BITS>(0);
        self.front_last.next = self.front.val().get_bits::<FRAME_BEATS_BITS>(FRAME_SLOT_BITS);
        self.sends.next = self.front.val().get_bit(FRAME_LEAVES_BITS - 2);
        self.at_end.next = self.read_beat.q.val() == self.front_last.val();
        self.reads.next = self.leaves.out_valid.val() && self.sends.val() && self.space.q.val();
        self.done.next = self.leaves.out_valid.val() && (!self.sends.val() || (self.reads.val() && self.at_end.val()));
        self.leaves.out_ready.next = self.done.val();
        if self.reads.val() {
            self.read_beat.d.next = self.read_beat.q.val() + 1;
            if self.at_end.val() {
                self.read_beat.d.next = bits::<FRAME_BEATS_BITS>(0);
            }
        }
        self.slots.internal_valid.next = self.done.val() && self.front.val().get_bit(FRAME_LEAVES_BITS - 1);
        self.slots.internal_slot.next = self.front_slot.val();
        self.slots.first_valid.next = false;
        self.slots.first_slot.next = bits::<FRAME_SLOT_BITS>(0);
        self.slots.second_valid.next = false;
        self.slots.second_slot.next = bits::<FRAME_SLOT_BITS>(0);
        self.memory.read_slot.next = self.front_slot.val();
        self.memory.read_beat.next = self.read_beat.q.val();
        self.reading[0].d.next = self.reads.val();
        self.reading_last[0].d.next = self.at_end.val();
        self.reading_bytes[0].d.next = self.front.val().get_bits::<LANE_COUNT_BITS>(FRAME_SLOT_BITS + FRAME_BEATS_BITS);
        self.reading[1].d.next = self.reading[0].q.val();
        self.reading_last[1].d.next = self.reading_last[0].q.val();
        self.reading_bytes[1].d.next = self.reading_bytes[0].q.val();
        // Of 16 places 12 may be taken when a beat is read: three more are on their way by then.
        self.space.d.next = !self.beats.count.val().get_bit(4) && !self.beats.count.val().get_bits::<2>(2).all();
        self.lanes.count.next = self.reading_bytes[1].q.val();
        self.keep.next = !self.lanes.mask.val();
        if !self.reading_last[1].q.val() {
            self.keep.next = !bits::<DATA_BYTES>(0);
        }
        self.beats.in_valid.next = self.reading[1].q.val();
        self.beats.in_data.next = bit_cast::<FRAME_BEAT_BITS, DATA_WIDTH>(self.memory.read_data.val())
            | (bit_cast::<FRAME_BEAT_BITS, DATA_BYTES>(self.keep.val()) << DATA_WIDTH.to_bits::<12>())
            | (bit_cast::<FRAME_BEAT_BITS, 1>(self.reading_last[1].q.val().into()) << (DATA_WIDTH + DATA_BYTES).to_bits::<12>());
        self.out.valid.next = self.beats.out_valid.val();
        self.beats.out_ready.next = self.out.ready.val();
        self.out.data.next = self.beats.out_data.val().get_bits::<DATA_WIDTH>(0);
        self.out.keep.next = self.beats.out_data.val().get_bits::<DATA_BYTES>(DATA_WIDTH);
        self.out.last.next = self.beats.out_data.val().get_bit(DATA_WIDTH + DATA_BYTES);
    }
}
