use crate::bitmap::BitmapPipeline;
use crate::memory::SlotPool;
use crate::primitives::{FifoBlock, FifoLut, LutRam, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// In a registry's place where packets are judged by their sequence numbers alone: a packet that is new is written, every other one gives
/// its slot back.
///
/// ```text
///  packet ─▶ bitmap pipeline ─▶ verdict ─┬─ new ─▶ write
///                                        └─ duplicate, outside of the window, closed ─▶ slot free
/// ```
///
/// A packet that comes here has a slot, and whoever is new is written: nothing is marked and then thrown away. One that is not
/// `packet_good` passes in its order without being marked. Verdicts leave in the order of the packets; the codes are those of a registry: 0
/// written, 1 duplicate, 4 dropped. A packet with `packet_refused` asks for what cannot be done. Its number counts as that of any other. If
/// it is new it takes the way of a write that fails, but that memory does not see it: `refused_valid` stands for its write, and its slot
/// comes back at once. A write that fails closes its queue pair: here first, then behind the feedback commands; only then its answer goes
/// on by `done`, so that nobody tells its sender that it has arrived. `failed_valid` says so once per write. What software asks for is
/// carried out in the same way, one after the other, failures first: a queue pair is closed here first and opened here last, or not at all
/// if it is not opened behind the feedback commands.
/// Latency: 10 clocks from a packet to its verdict, 1 more to its write. Throughput: one packet, write and answer per clock. Reset: every
/// queue pair is closed; `ready` comes `2^NODE_BITS` clocks after it.
/// Spec: overview, "Who acknowledges what", profile bitmap; bitmap loss detection, "Receiver".
#[derive(Default, Described, LogicBlock)]
pub struct ArrivalGate {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// the tables are clear
    pub ready: Signal<Out, Bit>,
    /// a packet whose payload is in its slot
    pub packet_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `packet_valid` is high too
    pub packet_ready: Signal<Out, Bit>,
    /// it may be written
    pub packet_good: Signal<In, Bit>,
    /// what it asks for cannot be done
    pub packet_refused: Signal<In, Bit>,
    /// index of its queue pair
    pub packet_qp: Signal<In, Bits<NODE_BITS>>,
    /// packet sequence number of `packet`
    pub packet_psn: Signal<In, Bits<24>>,
    /// an immediate comes with it
    pub packet_imm_valid: Signal<In, Bit>,
    /// the immediate
    pub packet_imm: Signal<In, Bits<32>>,
    /// payload slot of `packet`
    pub packet_slot: Signal<In, Bits<SLOT_BITS>>,
    /// comes back with its verdict
    pub packet_tag: Signal<In, Bits<16>>,
    /// where its payload belongs
    pub packet_addr: Signal<In, Bits<64>>,
    /// bytes of it
    pub packet_bytes: Signal<In, Bits<16>>,
    /// a packet is judged
    pub verdict_valid: Signal<Out, Bit>,
    /// the tag that came with it
    pub verdict_tag: Signal<Out, Bits<16>>,
    /// 0 written, 1 duplicate, 4 dropped
    pub verdict_code: Signal<Out, Bits<3>>,
    /// a packet with an immediate is judged
    pub imm_valid: Signal<Out, Bit>,
    /// it is new: the immediate is to be told
    pub imm_new: Signal<Out, Bit>,
    /// index of its queue pair
    pub imm_qp: Signal<Out, Bits<NODE_BITS>>,
    /// packet sequence number of `imm`
    pub imm_psn: Signal<Out, Bits<24>>,
    /// the immediate
    pub imm: Signal<Out, Bits<32>>,
    /// where its payload belongs
    pub imm_addr: Signal<Out, Bits<64>>,
    /// bytes of it
    pub imm_bytes: Signal<Out, Bits<16>>,
    /// a payload goes to memory
    pub write_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `write_valid` is high too
    pub write_ready: Signal<In, Bit>,
    /// comes back with the answer
    pub write_tag: Signal<Out, Bits<WRITE_BITS>>,
    /// payload
    pub write_slot: Signal<Out, Bits<SLOT_BITS>>,
    /// in the place of a write: a packet that is refused and new
    pub refused_valid: Signal<Out, Bit>,
    /// where
    pub write_addr: Signal<Out, Bits<64>>,
    /// how many bytes
    pub write_bytes: Signal<Out, Bits<16>>,
    /// a payload that is not written comes back
    pub slot_free_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `slot_free_valid` is high too
    pub slot_free_ready: Signal<In, Bit>,
    /// slot of `slot_free`
    pub slot_free_slot: Signal<Out, Bits<SLOT_BITS>>,
    /// a write has been answered
    pub write_done_valid: Signal<In, Bit>,
    /// tag of `write_done`
    pub write_done_tag: Signal<In, Bits<WRITE_BITS>>,
    /// it succeeded
    pub write_done_ok: Signal<In, Bit>,
    /// the answer of a write goes on
    pub done_valid: Signal<Out, Bit>,
    /// tag of `done`
    pub done_tag: Signal<Out, Bits<WRITE_BITS>>,
    /// a command is offered
    pub command_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `command_valid` is high too
    pub command_ready: Signal<Out, Bit>,
    /// open, else close
    pub command_open: Signal<In, Bit>,
    /// index of the queue pair
    pub command_qp: Signal<In, Bits<NODE_BITS>>,
    /// first packet sequence number of `command`
    pub command_psn: Signal<In, Bits<24>>,
    /// the command that was taken has been carried out
    pub command_done: Signal<Out, Bit>,
    /// ... but has opened nothing, here neither
    pub command_refused: Signal<Out, Bit>,
    /// a command for who acknowledges
    pub feedback_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `feedback_valid` is high too
    pub feedback_ready: Signal<In, Bit>,
    /// open, else close
    pub feedback_open: Signal<Out, Bit>,
    /// index of the queue pair
    pub feedback_qp: Signal<Out, Bits<NODE_BITS>>,
    /// first packet sequence number of `feedback`
    pub feedback_psn: Signal<Out, Bits<24>>,
    /// that has been carried out
    pub feedback_done: Signal<In, Bit>,
    /// ... but has opened nothing
    pub feedback_refused: Signal<In, Bit>,
    /// a queue pair is closed because a write of it has failed
    pub failed_valid: Signal<Out, Bit>,
    /// queue pair of `failed`
    pub failed_qp: Signal<Out, Bits<NODE_BITS>>,
    /// counts packets that are written
    pub evt_new: Signal<Out, Bit>,
    /// counts packets that came before
    pub evt_duplicate: Signal<Out, Bit>,
    /// counts packets beyond the window
    pub evt_out_of_window: Signal<Out, Bit>,
    /// counts packets of closed queue pairs
    pub evt_closed: Signal<Out, Bit>,
    /// nothing is under way but writes
    pub idle: Signal<Out, Bit>,

    pipeline: BitmapPipeline<SEGMENT_ADDRESS_BITS, SEGMENT_ADDRESS_BITS, SEGMENT_ADDRESS_BITS>,
    tags: SlotPool<WRITES, WRITE_BITS, WRITE_COUNT_BITS>,
    // Low bits first: slot, queue pair, tag, address, bytes, number, immediate, whether there is one, refused.
    contexts: FifoLut<GATED_PACKET_BITS, 5, 6>,
    // The pipeline's code; 2 of what did not pass it.
    codes: FifoLut<2, 5, 6>,
    refused: State<Bits<9>>,
    room: Signal<Local, Bit>,
    takes: Signal<Local, Bit>,
    refuses: Signal<Local, Bit>,
    tells_imm: Signal<Local, Bit>,
    known: Signal<Local, Bit>,
    steps: Signal<Local, Bit>,
    is_new: Signal<Local, Bit>,
    full: State<Bit>,
    writes: Reg<Bit>,
    // What is left of it.
    item: Reg<Bits<GATED_PACKET_BITS>>,
    goes: Signal<Local, Bit>,
    // Queue pair of each write, and those that have failed.
    owners: LutRam<NODE_BITS, WRITE_BITS>,
    is_refused: Signal<Local, Bit>,
    refusal: Signal<Local, Bit>,
    fails_now: Signal<Local, Bit>,
    failures: FifoBlock<WRITE_BITS, WRITE_BITS, WRITE_COUNT_BITS>,
    // 0 idle, 1 offers the first side, 2 waits for it, 3 offers the second, 4 waits, 5 is done.
    step: State<Bits<3>>,
    fails: Reg<Bit>,
    opens: Reg<Bit>,
    denied: Reg<Bit>,
    qp: Reg<Bits<NODE_BITS>>,
    psn: Reg<Bits<24>>,
    offers_own: Signal<Local, Bit>,
    offers_other: Signal<Local, Bit>,
    taken: Signal<Local, Bit>,
    carried_out: Signal<Local, Bit>,
    tells: Signal<Local, Bit>,
}

impl ArrivalGate {
    /// A new one.
    pub fn new() -> Self {
        Self { pipeline: BitmapPipeline::new(), tags: SlotPool::new(), ..Self::default() }
    }
}

impl Logic for ArrivalGate {
    #[kernel]
    fn update(&mut self) {
        self.ready.next = self.pipeline.ready.val();

        // A packet: its number to the pipeline, the rest waits for what that says.
        self.room.next = !self.contexts.count.val().get_bit(5) && !self.contexts.count.val().get_bit(4) && self.pipeline.ready.val();
        self.packet_ready.next = self.room.val();
        self.takes.next = self.packet_valid.val() && self.room.val();
        self.pipeline.header_valid.next = self.takes.val() && self.packet_good.val();
        self.pipeline.header_qp.next = self.packet_qp.val();
        self.pipeline.header_psn.next = self.packet_psn.val();
        self.pipeline.header_path.next = bits::<4>(0);
        self.pipeline.header_retransmission.next = false;
        self.pipeline.hold.next = false;
        self.pipeline.peek_qp.next = bits::<NODE_BITS>(0);
        self.pipeline.word_segment.next = bits::<SEGMENT_ADDRESS_BITS>(0);
        // Whoever acknowledges may have windows that move later: what has come here is known there once it is sent again.
        self.pipeline.slide_step[0].next = bits::<7>(1);
        self.tells_imm.next = self.packet_imm_valid.val() && self.packet_good.val();
        self.contexts.in_valid.next = self.takes.val();
        self.contexts.in_data.next = bit_cast::<GATED_PACKET_BITS, SLOT_BITS>(self.packet_slot.val())
            | (bit_cast::<GATED_PACKET_BITS, NODE_BITS>(self.packet_qp.val()) << SLOT_BITS.to_bits::<8>())
            | (bit_cast::<GATED_PACKET_BITS, 16>(self.packet_tag.val()) << (SLOT_BITS + NODE_BITS).to_bits::<8>())
            | (bit_cast::<GATED_PACKET_BITS, 64>(self.packet_addr.val()) << (SLOT_BITS + NODE_BITS + 16).to_bits::<8>())
            | (bit_cast::<GATED_PACKET_BITS, 16>(self.packet_bytes.val()) << (SLOT_BITS + NODE_BITS + 80).to_bits::<8>())
            | (bit_cast::<GATED_PACKET_BITS, 24>(self.packet_psn.val()) << (SLOT_BITS + NODE_BITS + 96).to_bits::<8>())
            | (bit_cast::<GATED_PACKET_BITS, 32>(self.packet_imm.val()) << (SLOT_BITS + NODE_BITS + 120).to_bits::<8>())
            | (bit_cast::<GATED_PACKET_BITS, 1>(self.tells_imm.val().into()) << (SLOT_BITS + NODE_BITS + 152).to_bits::<8>())
            | (bit_cast::<GATED_PACKET_BITS, 1>(self.packet_refused.val().into()) << (SLOT_BITS + NODE_BITS + 153).to_bits::<8>());
        self.refuses.next = self.takes.val() && !self.packet_good.val();
        self.refused.d.next = (self.refused.q.val() << 1) | bit_cast::<9, 1>(self.refuses.val().into());
        self.codes.in_valid.next = self.pipeline.verdict_valid.val() || self.refused.q.val().get_bit(8);
        self.codes.in_data.next = self.pipeline.verdict_code.val();
        if self.refused.q.val().get_bit(8) {
            self.codes.in_data.next = bits::<2>(2);
        }
        self.evt_duplicate.next = self.pipeline.verdict_valid.val() && self.pipeline.verdict_code.val() == bits::<2>(1);
        self.evt_out_of_window.next = self.pipeline.verdict_valid.val() && self.pipeline.verdict_code.val() == bits::<2>(2);
        self.evt_closed.next = self.pipeline.verdict_valid.val() && self.pipeline.verdict_code.val() == bits::<2>(3);

        // Its verdict, and a clock later what follows.
        self.is_refused.next = self.item.q.val().get_bit(SLOT_BITS + NODE_BITS + 153);
        self.fails_now.next = self.write_done_valid.val() && !self.write_done_ok.val();
        self.refusal.next =
            self.full.q.val() && self.writes.q.val() && self.is_refused.val() && self.tags.out_valid.val() && !self.fails_now.val();
        self.goes.next = self.slot_free_ready.val();
        if self.writes.q.val() && self.is_refused.val() {
            self.goes.next = self.refusal.val() && self.slot_free_ready.val();
        } else if self.writes.q.val() {
            self.goes.next = self.write_ready.val() && self.tags.out_valid.val();
        }
        self.refused_valid.next = self.refusal.val() && self.slot_free_ready.val();
        self.known.next = self.contexts.out_valid.val() && self.codes.out_valid.val();
        self.steps.next = self.known.val() && (!self.full.q.val() || self.goes.val());
        self.is_new.next = !self.codes.out_data.val().any();
        self.evt_new.next = self.steps.val() && self.is_new.val() && !self.contexts.out_data.val().get_bit(SLOT_BITS + NODE_BITS + 153);
        self.contexts.out_ready.next = self.steps.val();
        self.codes.out_ready.next = self.steps.val();
        self.verdict_valid.next = self.steps.val();
        self.verdict_tag.next = self.contexts.out_data.val().get_bits::<16>(SLOT_BITS + NODE_BITS);
        self.verdict_code.next = bits::<3>(4);
        if self.is_new.val() {
            self.verdict_code.next = bits::<3>(0);
        } else if self.codes.out_data.val() == bits::<2>(1) {
            self.verdict_code.next = bits::<3>(1);
        }
        self.imm_valid.next = self.steps.val() && self.contexts.out_data.val().get_bit(SLOT_BITS + NODE_BITS + 152);
        self.imm_new.next = self.is_new.val();
        self.imm_qp.next = self.contexts.out_data.val().get_bits::<NODE_BITS>(SLOT_BITS);
        self.imm_addr.next = self.contexts.out_data.val().get_bits::<64>(SLOT_BITS + NODE_BITS + 16);
        self.imm_bytes.next = self.contexts.out_data.val().get_bits::<16>(SLOT_BITS + NODE_BITS + 80);
        self.imm_psn.next = self.contexts.out_data.val().get_bits::<24>(SLOT_BITS + NODE_BITS + 96);
        self.imm.next = self.contexts.out_data.val().get_bits::<32>(SLOT_BITS + NODE_BITS + 120);
        if !self.full.q.val() || self.goes.val() {
            self.full.d.next = self.known.val();
            self.writes.d.next = self.is_new.val();
            self.item.d.next = self.contexts.out_data.val();
        }
        self.write_valid.next = self.full.q.val() && self.writes.q.val() && !self.is_refused.val() && self.tags.out_valid.val();
        self.tags.out_ready.next = self.full.q.val() && self.writes.q.val() && self.goes.val();
        self.write_tag.next = self.tags.out_slot.val();
        self.write_slot.next = self.item.q.val().get_bits::<SLOT_BITS>(0);
        self.write_addr.next = self.item.q.val().get_bits::<64>(SLOT_BITS + NODE_BITS + 16);
        self.write_bytes.next = self.item.q.val().get_bits::<16>(SLOT_BITS + NODE_BITS + 80);
        self.slot_free_valid.next = (self.full.q.val() && !self.writes.q.val()) || self.refusal.val();
        self.slot_free_slot.next = self.item.q.val().get_bits::<SLOT_BITS>(0);
        self.owners.write_enable.next = self.full.q.val() && self.writes.q.val() && self.goes.val();
        self.owners.write_address.next = self.tags.out_slot.val();
        self.owners.write_data.next = self.item.q.val().get_bits::<NODE_BITS>(SLOT_BITS);

        // Answers. One that is an error waits until its queue pair is closed, everywhere.
        self.failures.in_valid.next = self.fails_now.val() || (self.refusal.val() && self.slot_free_ready.val());
        self.failures.in_data.next = self.tags.out_slot.val();
        if self.fails_now.val() {
            self.failures.in_data.next = self.write_done_tag.val();
        }
        self.owners.read_address.next = self.failures.out_data.val();
        self.tells.next =
            self.step.q.val() == bits::<3>(5) && self.fails.q.val() && !(self.write_done_valid.val() && self.write_done_ok.val());
        self.failures.out_ready.next = self.tells.val();
        self.done_valid.next = (self.write_done_valid.val() && self.write_done_ok.val()) || self.tells.val();
        self.done_tag.next = self.write_done_tag.val();
        if self.tells.val() {
            self.done_tag.next = self.failures.out_data.val();
        }
        self.tags.internal_valid.next = self.done_valid.val();
        self.tags.internal_slot.next = self.done_tag.val();
        self.tags.first_valid.next = false;
        self.tags.first_slot.next = bits::<WRITE_BITS>(0);
        self.tags.second_valid.next = false;
        self.tags.second_slot.next = bits::<WRITE_BITS>(0);
        self.failed_valid.next = self.tells.val();
        self.failed_qp.next = self.qp.q.val();

        // Queue pairs, one command after the other.
        self.offers_own.next =
            (self.step.q.val() == bits::<3>(1) && !self.opens.q.val()) || (self.step.q.val() == bits::<3>(3) && self.opens.q.val());
        self.offers_other.next =
            (self.step.q.val() == bits::<3>(1) && self.opens.q.val()) || (self.step.q.val() == bits::<3>(3) && !self.opens.q.val());
        self.pipeline.command_valid.next = self.offers_own.val();
        self.pipeline.command_open.next = self.opens.q.val();
        self.pipeline.command_qp.next = self.qp.q.val();
        self.pipeline.command_psn.next = self.psn.q.val();
        self.feedback_valid.next = self.offers_other.val();
        self.feedback_open.next = self.opens.q.val();
        self.feedback_qp.next = self.qp.q.val();
        self.feedback_psn.next = self.psn.q.val();
        self.taken.next =
            (self.offers_own.val() && self.pipeline.command_ready.val()) || (self.offers_other.val() && self.feedback_ready.val());
        self.carried_out.next = self.pipeline.command_done.val() || self.feedback_done.val();
        self.command_ready.next = !self.step.q.val().any() && !self.failures.out_valid.val();
        self.command_done.next = self.step.q.val() == bits::<3>(5) && !self.fails.q.val();
        self.command_refused.next = self.denied.q.val();
        if self.step.q.val() == bits::<3>(0) {
            self.denied.d.next = false;
            self.fails.d.next = self.failures.out_valid.val();
            self.opens.d.next = self.command_open.val() && !self.failures.out_valid.val();
            self.qp.d.next = self.command_qp.val();
            if self.failures.out_valid.val() {
                self.qp.d.next = self.owners.read_data.val();
            }
            self.psn.d.next = self.command_psn.val();
            if self.failures.out_valid.val() || self.command_valid.val() {
                self.step.d.next = bits::<3>(1);
            }
        } else if self.step.q.val() == bits::<3>(1) || self.step.q.val() == bits::<3>(3) {
            if self.taken.val() {
                self.step.d.next = self.step.q.val() + 1;
            }
        } else if self.step.q.val() == bits::<3>(5) {
            if self.tells.val() || !self.fails.q.val() {
                self.step.d.next = bits::<3>(0);
            }
        } else if self.carried_out.val() {
            self.step.d.next = self.step.q.val() + 1;
            if self.feedback_done.val() && self.feedback_refused.val() {
                self.denied.d.next = true;
                self.step.d.next = bits::<3>(5);
            }
        }
        self.idle.next = !self.contexts.out_valid.val() && !self.full.q.val() && !self.failures.out_valid.val() && !self.step.q.val().any();
    }
}
