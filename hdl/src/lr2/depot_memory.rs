use crate::primitives::{QueueRam, Reg};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Memory of the frames of a Depot: `FRAME_SLOTS` slots of `PACKET_SIZE` + 256 bytes, a beat per word.
///
/// A slot's first `PACKET_SIZE` bytes lie in one memory and the rest, for which headers are the reason, in a second one: no slot has to
/// be a power of two. Slots from `2 * PLACES` on, those of frames that come and go, have memories of their own for the same reason.
/// A beat that is written is read in the next clock at the earliest.
/// Latency: 2 clocks. Throughput: one write and one read per clock: line rate in and out at once.
/// Spec: LR2, "Sizes".
#[derive(Clone, Debug, Default, Described, LogicBlock)]
pub struct DepotMemory {
    /// clock
    pub clk: Signal<In, Clock>,
    /// a beat is written
    pub write: Signal<In, Bit>,
    /// into this slot
    pub write_slot: Signal<In, Bits<FRAME_SLOT_BITS>>,
    /// number of the beat
    pub write_beat: Signal<In, Bits<FRAME_BEATS_BITS>>,
    /// the beat
    pub write_data: Signal<In, Bits<DATA_WIDTH>>,
    /// slot to read
    pub read_slot: Signal<In, Bits<FRAME_SLOT_BITS>>,
    /// number of the beat
    pub read_beat: Signal<In, Bits<FRAME_BEATS_BITS>>,
    /// the beat, two clocks later
    pub read_data: Signal<Out, Bits<DATA_WIDTH>>,

    body: QueueRam<DATA_WIDTH, FRAME_BODY_ADDRESS_BITS>,
    rest: QueueRam<DATA_WIDTH, FRAME_REST_ADDRESS_BITS>,
    spare_body: QueueRam<DATA_WIDTH, SPARE_BODY_ADDRESS_BITS>,
    spare_rest: QueueRam<DATA_WIDTH, SPARE_REST_ADDRESS_BITS>,
    from_spare: Reg<Bit>,
    from_rest: Reg<Bit>,
    read: Reg<Bits<DATA_WIDTH>>,
    writes_spare: Signal<Local, Bit>,
    writes_rest: Signal<Local, Bit>,
    write_place: Signal<Local, Bits<FRAME_PLACED_BITS>>,
    read_place: Signal<Local, Bits<FRAME_PLACED_BITS>>,
    write_spare: Signal<Local, Bits<SPARE_SLOT_BITS>>,
    read_spare: Signal<Local, Bits<SPARE_SLOT_BITS>>,
    write_body: Signal<Local, Bits<FRAME_BODY_BITS>>,
    read_body: Signal<Local, Bits<FRAME_BODY_BITS>>,
    write_tail: Signal<Local, Bits<FRAME_REST_BITS>>,
    read_tail: Signal<Local, Bits<FRAME_REST_BITS>>,
}

impl Logic for DepotMemory {
    #[kernel]
    fn update(&mut self) {
        self.writes_spare.next = self.write_slot.val().get_bit(FRAME_PLACED_BITS);
        self.writes_rest.next = self.write_beat.val().get_bit(FRAME_BODY_BITS);
        self.write_place.next = self.write_slot.val().get_bits::<FRAME_PLACED_BITS>(0);
        self.write_spare.next = self.write_slot.val().get_bits::<SPARE_SLOT_BITS>(0);
        self.write_body.next = self.write_beat.val().get_bits::<FRAME_BODY_BITS>(0);
        self.write_tail.next = self.write_beat.val().get_bits::<FRAME_REST_BITS>(0);
        self.read_place.next = self.read_slot.val().get_bits::<FRAME_PLACED_BITS>(0);
        self.read_spare.next = self.read_slot.val().get_bits::<SPARE_SLOT_BITS>(0);
        self.read_body.next = self.read_beat.val().get_bits::<FRAME_BODY_BITS>(0);
        self.read_tail.next = self.read_beat.val().get_bits::<FRAME_REST_BITS>(0);

        self.body.write_enable.next = self.write.val() && !self.writes_spare.val() && !self.writes_rest.val();
        self.body.write_address.next = (bit_cast::<FRAME_BODY_ADDRESS_BITS, FRAME_PLACED_BITS>(self.write_place.val())
            << FRAME_BODY_BITS.to_bits::<4>())
            | bit_cast::<FRAME_BODY_ADDRESS_BITS, FRAME_BODY_BITS>(self.write_body.val());
        self.body.write_data.next = self.write_data.val();
        self.body.read_address.next = (bit_cast::<FRAME_BODY_ADDRESS_BITS, FRAME_PLACED_BITS>(self.read_place.val())
            << FRAME_BODY_BITS.to_bits::<4>())
            | bit_cast::<FRAME_BODY_ADDRESS_BITS, FRAME_BODY_BITS>(self.read_body.val());
        self.rest.write_enable.next = self.write.val() && !self.writes_spare.val() && self.writes_rest.val();
        self.rest.write_address.next = (bit_cast::<FRAME_REST_ADDRESS_BITS, FRAME_PLACED_BITS>(self.write_place.val())
            << FRAME_REST_BITS.to_bits::<4>())
            | bit_cast::<FRAME_REST_ADDRESS_BITS, FRAME_REST_BITS>(self.write_tail.val());
        self.rest.write_data.next = self.write_data.val();
        self.rest.read_address.next = (bit_cast::<FRAME_REST_ADDRESS_BITS, FRAME_PLACED_BITS>(self.read_place.val())
            << FRAME_REST_BITS.to_bits::<4>())
            | bit_cast::<FRAME_REST_ADDRESS_BITS, FRAME_REST_BITS>(self.read_tail.val());
        self.spare_body.write_enable.next = self.write.val() && self.writes_spare.val() && !self.writes_rest.val();
        self.spare_body.write_address.next = (bit_cast::<SPARE_BODY_ADDRESS_BITS, SPARE_SLOT_BITS>(self.write_spare.val())
            << FRAME_BODY_BITS.to_bits::<4>())
            | bit_cast::<SPARE_BODY_ADDRESS_BITS, FRAME_BODY_BITS>(self.write_body.val());
        self.spare_body.write_data.next = self.write_data.val();
        self.spare_body.read_address.next = (bit_cast::<SPARE_BODY_ADDRESS_BITS, SPARE_SLOT_BITS>(self.read_spare.val())
            << FRAME_BODY_BITS.to_bits::<4>())
            | bit_cast::<SPARE_BODY_ADDRESS_BITS, FRAME_BODY_BITS>(self.read_body.val());
        self.spare_rest.write_enable.next = self.write.val() && self.writes_spare.val() && self.writes_rest.val();
        self.spare_rest.write_address.next = (bit_cast::<SPARE_REST_ADDRESS_BITS, SPARE_SLOT_BITS>(self.write_spare.val())
            << FRAME_REST_BITS.to_bits::<4>())
            | bit_cast::<SPARE_REST_ADDRESS_BITS, FRAME_REST_BITS>(self.write_tail.val());
        self.spare_rest.write_data.next = self.write_data.val();
        self.spare_rest.read_address.next = (bit_cast::<SPARE_REST_ADDRESS_BITS, SPARE_SLOT_BITS>(self.read_spare.val())
            << FRAME_REST_BITS.to_bits::<4>())
            | bit_cast::<SPARE_REST_ADDRESS_BITS, FRAME_REST_BITS>(self.read_tail.val());

        self.from_spare.d.next = self.read_slot.val().get_bit(FRAME_PLACED_BITS);
        self.from_rest.d.next = self.read_beat.val().get_bit(FRAME_BODY_BITS);
        self.read.d.next = self.body.read_data.val();
        if self.from_rest.q.val() {
            self.read.d.next = self.rest.read_data.val();
        }
        if self.from_spare.q.val() {
            self.read.d.next = self.spare_body.read_data.val();
            if self.from_rest.q.val() {
                self.read.d.next = self.spare_rest.read_data.val();
            }
        }
        self.read_data.next = self.read.q.val();
    }
}
