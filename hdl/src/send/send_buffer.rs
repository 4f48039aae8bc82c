use super::BufferWrite;
use crate::bus::{BufferBus, SlotPayload, SlotReadsSink};
use crate::primitives::{ByteRam, FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

const _: () = assert!(
    OPERATION_BITS >= LANE_BITS && OPERATION_BITS <= 20,
    "an operation has at least a beat and at most 1 MB: lower `mask_bits` or `packet_size`"
);

/// Where a segment's payload lies from its fetch to its last acknowledgement: slots in block RAM, written by the CDMA, read packet by
/// packet.
///
/// The write side is `BufferWrite`: an AXI4 slave without identifiers, in which slot `n` begins `n` times its size behind `cfg_base`. The
/// read side gives the payload of one request after the other, each from byte 0 of a beat on; what its last beat has beyond the payload is
/// whatever the slot has there. The owner of a slot sees to it that nobody writes what is read: a request counts for words whose writes
/// have been answered.
/// Latency: 4 clocks from a request to its first beat. Throughput: one beat in and one out per clock, across bursts and requests.
/// Reset: nothing under way; what the slots hold stays.
/// Spec: send path, "Where payload lives".
#[derive(Default, Described, LogicBlock)]
pub struct SendBuffer {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// address of slot 0, a multiple of the size of all slots
    pub cfg_base: Signal<In, Bits<64>>,
    pub s_axi: BufferBus<DATA_WIDTH, DATA_BYTES>,
    pub read: SlotReadsSink<SEND_SLOT_BITS, OPERATION_BITS>,
    pub payload: SlotPayload<DATA_WIDTH>,
    /// last beat of its payload
    pub payload_last: Signal<Out, Bit>,
    /// counts writes answered with SLVERR
    pub evt_write_refused: Signal<Out, Bit>,
    /// counts reads by AXI, all of which are answered with SLVERR
    pub evt_read_refused: Signal<Out, Bit>,
    /// nothing is under way
    pub idle: Signal<Out, Bit>,
    /// nothing is under way on the AXI bus, whatever the packet engine has asked for
    pub bus_idle: Signal<Out, Bit>,

    write: BufferWrite,
    memory: ByteRam<DATA_WIDTH, DATA_BYTES, SEND_ADDRESS_BITS>,
    busy: State<Bit>,
    place: Reg<Bits<SEND_ADDRESS_BITS>>,
    left: Reg<Bits<13>>,
    beat: Signal<Local, Bits<13>>,
    last: Signal<Local, Bit>,
    go: Signal<Local, Bit>,
    next: Signal<Local, Bit>,
    // Beats on their way to the queue or in it: never more than it holds.
    held: State<Bits<5>>,
    taken: Signal<Local, Bit>,
    valid1: State<Bit>,
    last1: Reg<Bit>,
    valid2: State<Bit>,
    last2: Reg<Bit>,
    data2: Reg<Bits<DATA_WIDTH>>,
    queue: FifoLut<PAYLOAD_BEAT_BITS, 4, 5>,
}

impl SendBuffer {
    /// A new one.
    pub fn new() -> Self {
        Self { write: BufferWrite::new(), ..Default::default() }
    }
}

impl Logic for SendBuffer {
    #[kernel]
    fn update(&mut self) {
        self.write.cfg_base.next = self.cfg_base.val();
        BufferBus::link(&mut self.s_axi, &mut self.write.s_axi);
        self.evt_write_refused.next = self.write.evt_write_refused.val();
        self.evt_read_refused.next = self.write.evt_read_refused.val();

        self.memory.write_enable.next = self.write.write_enable.val();
        self.memory.write_address.next = self.write.write_address.val();
        self.memory.write_data.next = self.write.write_data.val();
        self.memory.read_address.next = self.place.q.val();

        // One request at a time, the next one behind its last beat.
        self.beat.next = bits::<13>(1) << LANE_BITS.to_bits::<4>();
        self.last.next = self.left.q.val() <= self.beat.val();
        self.go.next = self.busy.q.val() && !self.held.q.val().get_bit(4);
        self.next.next = !self.busy.q.val() || (self.go.val() && self.last.val());
        self.read.ready.next = self.next.val();
        if self.go.val() {
            self.place.d.next = self.place.q.val() + 1;
            self.left.d.next = self.left.q.val() - self.beat.val();
        }
        if self.next.val() {
            self.busy.d.next = self.read.valid.val();
            self.left.d.next = self.read.bytes.val();
            self.place.d.next = (bit_cast::<SEND_ADDRESS_BITS, SEND_SLOT_BITS>(self.read.slot.val())
                << SEND_SLOT_BEATS_BITS.to_bits::<5>())
                | bit_cast::<SEND_ADDRESS_BITS, OPERATION_BITS>(self.read.offset.val() >> LANE_BITS.to_bits::<4>());
        }
        self.valid1.d.next = self.go.val();
        self.last1.d.next = self.last.val();
        self.valid2.d.next = self.valid1.q.val();
        self.last2.d.next = self.last1.q.val();
        self.data2.d.next = self.memory.read_data.val();
        self.queue.in_valid.next = self.valid2.q.val();
        self.queue.in_data.next = bit_cast::<PAYLOAD_BEAT_BITS, DATA_WIDTH>(self.data2.q.val())
            | (bit_cast::<PAYLOAD_BEAT_BITS, 1>(self.last2.q.val().into()) << DATA_WIDTH.to_bits::<12>());
        self.payload.valid.next = self.queue.out_valid.val();
        self.payload.data.next = self.queue.out_data.val().get_bits::<DATA_WIDTH>(0);
        self.payload_last.next = self.queue.out_data.val().get_bit(DATA_WIDTH);
        self.queue.out_ready.next = self.payload.ready.val();
        self.taken.next = self.queue.out_valid.val() && self.payload.ready.val();
        if self.go.val() && !self.taken.val() {
            self.held.d.next = self.held.q.val() + 1;
        }
        if self.taken.val() && !self.go.val() {
            self.held.d.next = self.held.q.val() - 1;
        }
        self.bus_idle.next = self.write.idle.val();
        self.idle.next = self.write.idle.val() && !self.busy.q.val() && !self.held.q.val().any();
    }
}
