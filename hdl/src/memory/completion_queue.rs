use super::{CompletionEntry, InterruptCoalescer};
use crate::bus::{CompletionsSink, Writes};
use crate::primitives::{Reg, State, ThermometerMask};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Completions as a ring of 64-byte entries in host memory, with producer and consumer index and a coalesced interrupt.
///
/// An entry (`CompletionEntry`) goes to `cfg_ring_base + 64 * (number mod 2^cfg_ring_size_log2)`. The producer index and the interrupt move
/// when the memory has answered the write of the entry, not before. Software reads entries up to the producer index, or as long as their
/// phase bit is that of its pass (1 in the first, 0 in the second ...), and writes the number of entries that it has taken to the consumer
/// index; both indices count modulo 2^32. While `2^cfg_ring_size_log2` entries are not taken the next completion waits, and
/// `set_interrupt_status_ring_full` is high.
///
/// A write that is answered with an error is told by `set_interrupt_status_ring_error` and not counted; the producer index moves all the
/// same, and the number in the entry says that it is an old one. Base and size are to be set before the first completion; the low 6 bits of
/// the base are not looked at. Responses come in order: all writes have one ID.
/// Latency: 2 clocks from a completion to its address and first beat, 4 right after reset. Throughput: one entry per 3 clocks, or in as
/// many as it has beats; 64 entries wait for their response at most. Reset: empty, both indices begin at 0.
/// Spec: receive registry, "Ports".
#[derive(Described, LogicBlock)]
#[described(blank)]
pub struct CompletionQueue {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    pub complete: CompletionsSink<COMPLETION_MASK_BITS>,
    /// current tick, of the registry
    pub now: Signal<In, Bits<32>>,
    /// address of the ring, a multiple of 64
    pub cfg_ring_base: Signal<In, Bits<64>>,
    /// log2 of its entries
    pub cfg_ring_size_log2: Signal<In, Bits<5>>,
    /// entries that software has taken
    pub cfg_ring_consumer: Signal<In, Bits<32>>,
    /// entries that interrupt; 0: any number does not
    pub cfg_coalesce_count: Signal<In, Bits<16>>,
    /// ticks after which an entry interrupts; 0: never
    pub cfg_coalesce_delay: Signal<In, Bits<32>>,
    /// entries written
    pub status_ring_producer: Signal<Out, Bits<32>>,
    /// level: enough entries wait for software, or for long enough
    pub set_interrupt_status_completion: Signal<Out, Bit>,
    /// level: a completion waits for room
    pub set_interrupt_status_ring_full: Signal<Out, Bit>,
    /// an entry was answered with an error
    pub set_interrupt_status_ring_error: Signal<Out, Bit>,
    /// counts entries written
    pub evt_completions: Signal<Out, Bit>,
    /// no entry is under way
    pub idle: Signal<Out, Bit>,
    /// writes to memory
    pub m_axi: Writes<DATA_WIDTH, DATA_BYTES>,
    /// 1: INCR
    pub m_axi_awburst: Signal<Out, Bits<2>>,

    entry: CompletionEntry<COMPLETION_MASK_BITS>,
    coalescer: InterruptCoalescer,
    size: ThermometerMask<32, 6, 1>,

    // The completion that waits. Where it goes, and whether there is room, follows from the count before it in 3 clocks.
    waits: State<Bit>,
    told: Reg<Bits<512>>,
    issued: State<Bits<32>>,
    outside: Reg<Bits<32>>,
    used: Reg<Bits<32>>,
    room: State<Bit>,
    place: Reg<Bits<32>>,
    passes: Reg<Bits<32>>,
    even: Reg<Bit>,
    address: Reg<Bits<58>>,
    settle: Reg<Bits<2>>,
    open: State<Bits<7>>,
    step: Signal<Local, Bits<7>>,
    goes: Signal<Local, Bit>,
    aw_free: Signal<Local, Bit>,
    w_free: Signal<Local, Bit>,
    numbered: Signal<Local, Bits<512>>,
    lane: Signal<Local, Bits<2>>,
    copies: Vec<Signal<Local, Bits<COMPLETION_WORD_BITS>>>,
    distance: Vec<Constant<Bits<11>>>,
    own_strobe: Constant<Bits<DATA_BYTES>>,
    last_lane: Constant<Bits<2>>,
    last_beat: Constant<Bits<8>>,

    aw_valid: State<Bit>,
    aw_address: Reg<Bits<58>>,
    w_valid: State<Bit>,
    w_data: Reg<Bits<COMPLETION_WORD_BITS>>,
    w_strobe: Reg<Bits<DATA_BYTES>>,
    w_left: Reg<Bits<8>>,
    producer: State<Bits<32>>,
    waiting: State<Bits<32>>,
    answered: State<Bit>,
    failed: State<Bit>,
}

impl Default for CompletionQueue {
    fn default() -> Self {
        Self {
            copies: (0..COMPLETION_WORD_ENTRIES).map(|_| Default::default()).collect(),
            distance: (0..COMPLETION_WORD_ENTRIES).map(|i| Constant::new(bits::<11>(512 * i as u64))).collect(),
            own_strobe: Constant::new(!bits::<DATA_BYTES>(0) >> DATA_BYTES.saturating_sub(64) as u64),
            last_lane: Constant::new(bits::<2>(COMPLETION_WORD_ENTRIES as u64 - 1)),
            last_beat: Constant::new(bits::<8>((COMPLETION_WORD_BITS / DATA_WIDTH).saturating_sub(1) as u64)),
            ..Self::blank()
        }
    }
}

impl Logic for CompletionQueue {
    #[kernel]
    fn update(&mut self) {
        self.entry.kind.next = self.complete.kind.val();
        self.entry.src.next = self.complete.src.val();
        self.entry.op.next = self.complete.op.val();
        self.entry.base.next = self.complete.base.val();
        self.entry.bytes.next = self.complete.bytes.val();
        self.entry.packets.next = self.complete.packets.val();
        self.entry.status.next = self.complete.status.val();
        self.entry.imm_valid.next = self.complete.imm_valid.val();
        self.entry.imm.next = self.complete.imm.val();
        self.entry.mask.next = self.complete.mask.val();
        self.entry.number.next = bits::<32>(0);
        self.entry.phase.next = false;
        self.complete.ready.next = !self.waits.q.val() || self.goes.val();
        if !self.waits.q.val() || self.goes.val() {
            self.waits.d.next = self.complete.valid.val();
            self.told.d.next = self.entry.entry.val();
        }

        self.size.count.next = bit_cast::<6, 5>(self.cfg_ring_size_log2.val());
        self.outside.d.next = self.size.mask.val();
        self.used.d.next = self.issued.q.val() - self.cfg_ring_consumer.val();
        self.room.d.next = !(self.used.q.val() & self.outside.q.val()).any();
        self.place.d.next = self.issued.q.val() & !self.outside.q.val();
        self.address.d.next = self.cfg_ring_base.val().get_bits::<58>(6) + bit_cast::<58, 32>(self.place.q.val());
        // The number's bit that counts passes: the lowest that is outside of the ring.
        self.passes.d.next = self.issued.q.val() & self.outside.q.val() & !(self.outside.q.val() << 1);
        self.even.d.next = !self.passes.q.val().any();

        self.aw_free.next = !self.aw_valid.q.val() || self.m_axi.awready.val();
        self.w_free.next = !self.w_valid.q.val() || (self.m_axi.wready.val() && !self.w_left.q.val().any());
        self.goes.next = self.waits.q.val()
            && self.room.q.val()
            && !self.settle.q.val().any()
            && self.aw_free.val()
            && self.w_free.val()
            && !self.open.q.val().get_bit(6);
        if self.settle.q.val().any() {
            self.settle.d.next = self.settle.q.val() + 3;
        }
        self.numbered.next =
            self.told.q.val() | (bit_cast::<512, 32>(self.issued.q.val()) << 448) | (bit_cast::<512, 1>(self.even.q.val().into()) << 511);
        self.copies[0].next = bit_cast::<COMPLETION_WORD_BITS, 512>(self.numbered.val());
        for i in 1..COMPLETION_WORD_ENTRIES {
            self.copies[i].next =
                self.copies[i - 1].val() | (bit_cast::<COMPLETION_WORD_BITS, 512>(self.numbered.val()) << self.distance[i].val());
        }
        self.lane.next = self.address.q.val().get_bits::<2>(0) & self.last_lane.val();
        if self.m_axi.awready.val() {
            self.aw_valid.d.next = false;
        }
        if self.m_axi.wready.val() && self.w_valid.q.val() {
            self.w_data.d.next = self.w_data.q.val() >> DATA_WIDTH.to_bits::<12>();
            self.w_left.d.next = self.w_left.q.val() + !bits::<8>(0);
            self.w_valid.d.next = self.w_left.q.val().any();
        }
        if self.goes.val() {
            self.issued.d.next = self.issued.q.val() + 1;
            self.settle.d.next = bits::<2>(2);
            self.aw_valid.d.next = true;
            self.aw_address.d.next = self.address.q.val();
            self.w_valid.d.next = true;
            self.w_data.d.next = self.copies[COMPLETION_WORD_ENTRIES - 1].val();
            self.w_strobe.d.next = self.own_strobe.val() << (bit_cast::<8, 2>(self.lane.val()) << 6);
            self.w_left.d.next = self.last_beat.val();
        }

        // One adder for both directions: plus one, or plus all ones.
        self.answered.d.next = self.m_axi.bvalid.val();
        self.failed.d.next = self.m_axi.bvalid.val() && self.m_axi.bresp.val().any();
        self.step.next = bits::<7>(1);
        if self.answered.q.val() {
            self.step.next = !bits::<7>(0);
            self.producer.d.next = self.producer.q.val() + 1;
        }
        if self.goes.val() != self.answered.q.val() {
            self.open.d.next = self.open.q.val() + self.step.val();
        }
        self.waiting.d.next = self.producer.q.val() - self.cfg_ring_consumer.val();
        self.coalescer.waiting.next = self.waiting.q.val();
        self.coalescer.now.next = self.now.val();
        self.coalescer.cfg_count.next = self.cfg_coalesce_count.val();
        self.coalescer.cfg_delay.next = self.cfg_coalesce_delay.val();

        self.status_ring_producer.next = self.producer.q.val();
        self.set_interrupt_status_completion.next = self.coalescer.due.val();
        self.set_interrupt_status_ring_full.next = self.waits.q.val() && !self.room.q.val() && !self.settle.q.val().any();
        self.set_interrupt_status_ring_error.next = self.failed.q.val();
        self.evt_completions.next = self.answered.q.val() && !self.failed.q.val();
        self.idle.next = !self.waits.q.val() && !self.open.q.val().any();
        self.m_axi.awvalid.next = self.aw_valid.q.val();
        self.m_axi.awaddr.next = bit_cast::<64, 58>(self.aw_address.q.val()) << 6;
        self.m_axi.awlen.next = self.last_beat.val();
        self.m_axi_awburst.next = bits::<2>(1);
        self.m_axi.wvalid.next = self.w_valid.q.val();
        self.m_axi.wdata.next = self.w_data.q.val().get_bits::<DATA_WIDTH>(0);
        self.m_axi.wstrb.next = self.w_strobe.q.val();
        self.m_axi.wlast.next = !self.w_left.q.val().any();
        self.m_axi.bready.next = true;
        if self.rst.val() {
            self.settle.d.next = bits::<2>(3);
        }
    }
}
