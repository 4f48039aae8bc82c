use super::{AckMerge, DoneRewrites, EndedEntryReader, Notifications, OperationsTold, ToldRing, WriteAnswers};
use crate::primitives::{FifoLut, Reg, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// From stage 4 to what the host and the sender are told.
///
/// What a commit causes to be told becomes one item of `ToldRing`; when its turn comes, the host gets a completion and the sender a
/// notification, as two independent streams that both keep the order. An operation that was superseded is reported right before what
/// superseded it. An item is put together in one clock and enters the ring in the next; the tag of its write is there at once. Item: see
/// `ToldRing`; behind its status src 16, op 16, position 16, packets 16, bytes 32, imm_valid 1, imm 32, base 64, mask M, row RW.
/// Latency: 3 clocks from the answer of the write. Throughput: one item per clock. Reset: nothing is to be told.
/// Spec: receive registry, "What is sent, and when".
#[derive(Default, Described, LogicBlock)]
pub struct ToldPath {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// current tick
    pub now: Signal<In, Bits<32>>,
    /// ticks that an acknowledgement may wait to merge
    pub cfg_ack_wait: Signal<In, Bits<32>>,
    /// write the payload
    pub write: Signal<In, Bit>,
    /// tell the sender by 0xc3
    pub ack: Signal<In, Bit>,
    /// tell the sender by 0xc1
    pub finish: Signal<In, Bit>,
    /// tell the host
    pub host: Signal<In, Bit>,
    /// an older operation ended too
    pub supersede: Signal<In, Bit>,
    /// it is a data arrival
    pub arrived: Signal<In, Bit>,
    /// the operation has a row
    pub in_row: Signal<In, Bit>,
    /// and ends with this
    pub row_ended: Signal<In, Bit>,
    /// base, bytes, packets, mask and immediate are the row's
    pub from_row: Signal<In, Bit>,
    /// status code
    pub status: Signal<In, Bits<5>>,
    /// source
    pub src: Signal<In, Bits<16>>,
    /// op
    pub op: Signal<In, Bits<OP_BITS>>,
    /// position of the packet
    pub position: Signal<In, Bits<POSITION_BITS>>,
    /// address of the packet
    pub addr: Signal<In, Bits<64>>,
    /// bytes that the packet names
    pub op_bytes: Signal<In, Bits<32>>,
    /// packets that the packet names
    pub count: Signal<In, Bits<16>>,
    /// the packet carries an immediate
    pub imm_valid: Signal<In, Bit>,
    /// the immediate
    pub imm: Signal<In, Bits<32>>,
    /// row of the packet
    pub item_row: Signal<In, Bits<ROW_BITS>>,
    #[port = "ended"]
    pub ended_entry: EndedEntryReader,
    /// tag of the write
    pub push_tag: Signal<Out, Bits<WRITE_BITS>>,
    /// room for what is on its way here, and one more
    pub room: Signal<Out, Bit>,
    pub done: WriteAnswers,
    pub complete: OperationsTold,
    pub notify: Notifications,
    pub rewrite: DoneRewrites,
    /// nothing is to be told
    pub idle: Signal<Out, Bit>,

    ring: ToldRing,
    superseded: FifoLut<FOLLOW_UP_BITS, 4, 5>,
    merge: AckMerge,
    filling: Signal<Local, Bits<WRITE_COUNT_BITS>>,
    q_room: State<Bit>,
    push: Signal<Local, Bit>,
    pushed: State<Bit>,
    pushed_item: Reg<Bits<TOLD_ROW_BITS>>,
    tag: State<Bits<WRITE_BITS>>,
    c_valid: State<Bit>,
    c_kind: Reg<Bit>,
    c_src: Reg<Bits<16>>,
    c_op: Reg<Bits<OP_BITS>>,
    c_base: Reg<Bits<64>>,
    c_bytes: Reg<Bits<32>>,
    c_packets: Reg<Bits<16>>,
    c_status: Reg<Bits<5>>,
    c_imm_valid: Reg<Bit>,
    c_imm: Reg<Bits<32>>,
    c_mask: Reg<Bits<MASK_BITS>>,
    q_rewrite: State<Bit>,
    q_rewrite_src: Reg<Bits<16>>,
    q_rewrite_op: Reg<Bits<OP_BITS>>,
    item: Signal<Local, Bits<TOLD_ROW_BITS>>,
    item_packets: Signal<Local, Bits<16>>,
    item_base: Signal<Local, Bits<64>>,
    item_bytes: Signal<Local, Bits<32>>,
    item_mask: Signal<Local, Bits<MASK_BITS>>,
    item_imm_valid: Signal<Local, Bit>,
    item_imm: Signal<Local, Bits<32>>,
    ended_base: Signal<Local, Bits<64>>,
    told: Signal<Local, Bit>,
    host_wants: Signal<Local, Bit>,
    host_room: Signal<Local, Bit>,
    sender_wants: Signal<Local, Bit>,
    leaves: Signal<Local, Bit>,
    sup_now: Signal<Local, Bit>,
}

impl Logic for ToldPath {
    #[kernel]
    fn update(&mut self) {
        self.push_tag.next = self.tag.q.val();
        self.ended_base.next = (bit_cast::<64, BLOCK_BITS>(self.ended_entry.up.val()) << (PACKET_BITS + POSITION_BITS).to_bits::<7>())
            | (bit_cast::<64, POSITION_BITS>(self.ended_entry.lo.val()) << PACKET_BITS.to_bits::<7>());
        self.item_base.next = self.addr.val();
        self.item_bytes.next = self.op_bytes.val();
        self.item_packets.next = self.count.val();
        self.item_mask.next = !bits::<MASK_BITS>(0);
        self.item_imm_valid.next = self.imm_valid.val();
        self.item_imm.next = self.imm.val();
        if self.arrived.val() {
            self.item_packets.next = bits::<16>(0);
        }
        if self.from_row.val() {
            self.item_base.next = self.ended_base.val();
            self.item_bytes.next = self.ended_entry.op_bytes.val();
            self.item_packets.next = bit_cast::<16, POSITION_COUNT_BITS>(self.ended_entry.count.val());
            self.item_mask.next = self.ended_entry.mask.val();
            self.item_imm_valid.next = self.ended_entry.imm_valid.val();
            self.item_imm.next = self.ended_entry.imm.val();
        }
        self.item.next = bit_cast::<TOLD_ROW_BITS, 1>(self.write.val().into())
            | (bit_cast::<TOLD_ROW_BITS, 1>(self.ack.val().into()) << 1)
            | (bit_cast::<TOLD_ROW_BITS, 1>(self.finish.val().into()) << 2)
            | (bit_cast::<TOLD_ROW_BITS, 1>(self.host.val().into()) << 3)
            | (bit_cast::<TOLD_ROW_BITS, 1>(self.supersede.val().into()) << 4)
            | (bit_cast::<TOLD_ROW_BITS, 1>(self.arrived.val().into()) << 5)
            | (bit_cast::<TOLD_ROW_BITS, 1>(self.in_row.val().into()) << 6)
            | (bit_cast::<TOLD_ROW_BITS, 1>(self.row_ended.val().into()) << 7)
            | (bit_cast::<TOLD_ROW_BITS, 5>(self.status.val()) << 8)
            | (bit_cast::<TOLD_ROW_BITS, 16>(self.src.val()) << 13)
            | (bit_cast::<TOLD_ROW_BITS, OP_BITS>(self.op.val()) << 29)
            | (bit_cast::<TOLD_ROW_BITS, POSITION_BITS>(self.position.val()) << 53)
            | (bit_cast::<TOLD_ROW_BITS, 16>(self.item_packets.val()) << 69)
            | (bit_cast::<TOLD_ROW_BITS, 32>(self.item_bytes.val()) << 85)
            | (bit_cast::<TOLD_ROW_BITS, 1>(self.item_imm_valid.val().into()) << 117)
            | (bit_cast::<TOLD_ROW_BITS, 32>(self.item_imm.val()) << 118)
            | (bit_cast::<TOLD_ROW_BITS, 64>(self.item_base.val()) << 150)
            | (bit_cast::<TOLD_ROW_BITS, MASK_BITS>(self.item_mask.val()) << 214)
            | (bit_cast::<TOLD_ROW_BITS, ROW_BITS>(self.item_row.val()) << (MASK_BITS.to_bits::<10>() + 214));
        // What is told comes late and is wide: it is stored one clock later, at the place whose number the write has taken with it.
        self.push.next = self.write.val() || self.ack.val() || self.finish.val() || self.host.val();
        self.pushed.d.next = self.push.val();
        self.pushed_item.d.next = self.item.val();
        if self.push.val() {
            self.tag.d.next = self.tag.q.val() + 1;
        }
        self.ring.push.next = self.pushed.q.val();
        self.ring.push_item.next = self.pushed_item.q.val();
        WriteAnswers::link(&mut self.done, &mut self.ring.done);
        // Eight places: six packets may have entered that the ring does not count yet, and one more enters.
        self.filling.next = self.ring.held.val() + 7;
        self.q_room.d.next =
            !self.filling.val().get_bit(WRITE_BITS) && !self.superseded.count.val().get_bit(4) && !self.superseded.count.val().get_bit(3);
        self.room.next = self.q_room.q.val();
        self.superseded.in_valid.next = self.supersede.val();
        self.superseded.in_data.next = bit_cast::<FOLLOW_UP_BITS, 64>(self.ended_base.val())
            | (bit_cast::<FOLLOW_UP_BITS, 32>(self.ended_entry.op_bytes.val()) << 64)
            | (bit_cast::<FOLLOW_UP_BITS, POSITION_COUNT_BITS>(self.ended_entry.count.val()) << 96)
            | (bit_cast::<FOLLOW_UP_BITS, 1>(self.ended_entry.imm_valid.val().into()) << 112)
            | (bit_cast::<FOLLOW_UP_BITS, 32>(self.ended_entry.imm.val()) << 113)
            | (bit_cast::<FOLLOW_UP_BITS, OP_INDEX_BITS>(self.op.val().get_bits::<OP_INDEX_BITS>(0)) << 145)
            | (bit_cast::<FOLLOW_UP_BITS, GENERATION_BITS>(self.ended_entry.generation.val()) << (OP_INDEX_BITS.to_bits::<10>() + 145))
            | (bit_cast::<FOLLOW_UP_BITS, MASK_BITS>(self.ended_entry.mask.val()) << 169)
            | (bit_cast::<FOLLOW_UP_BITS, ROW_BITS>(self.ended_entry.row.val()) << (MASK_BITS.to_bits::<10>() + 169));

        // The oldest item: first what it superseded, then host and sender together.
        self.sup_now.next = self.ring.out_superseded.val();
        self.host_room.next = !self.c_valid.q.val() || self.complete.ready.val();
        self.host_wants.next = self.ring.out_item.val().get_bit(3);
        self.sender_wants.next = self.ring.out_tells.val();
        self.told.next = self.ring.out_valid.val()
            && !self.sup_now.val()
            && (!self.host_wants.val() || self.host_room.val())
            && (!self.ring.out_item.val().get_bit(2) || !self.q_rewrite.q.val());
        self.merge.now.next = self.now.val();
        self.merge.cfg_ack_wait.next = self.cfg_ack_wait.val();
        self.merge.in_valid.next = self.told.val() && self.sender_wants.val();
        self.merge.in_final.next = self.ring.out_item.val().get_bit(2);
        self.merge.in_src.next = self.ring.out_item.val().get_bits::<16>(13);
        self.merge.in_op.next = self.ring.out_item.val().get_bits::<OP_BITS>(29);
        self.merge.in_position.next = self.ring.out_item.val().get_bits::<16>(53);
        self.merge.in_status.next = self.ring.out_item.val().get_bits::<5>(8);
        if self.ring.out_error.val() {
            self.merge.in_status.next = bits::<5>(13);
        }
        self.merge.in_packets.next = bits::<16>(0);
        if self.host_wants.val() && !self.ring.out_item.val().get_bits::<5>(8).any() {
            self.merge.in_packets.next = self.ring.out_item.val().get_bits::<16>(69);
        }
        self.leaves.next = self.told.val() && (!self.sender_wants.val() || self.merge.in_ready.val());
        self.ring.out_ready.next = self.leaves.val();
        self.superseded.out_ready.next = self.sup_now.val() && self.host_room.val();
        self.ring.clear.next = self.sup_now.val() && self.host_room.val();
        self.ring.clear_row.next = self.superseded.out_data.val().get_bits::<ROW_BITS>(169 + MASK_BITS);
        if self.leaves.val() && self.ring.out_error.val() {
            self.q_rewrite.d.next = true;
        }
        if !self.q_rewrite.q.val() {
            self.q_rewrite_src.d.next = self.ring.out_item.val().get_bits::<16>(13);
            self.q_rewrite_op.d.next = self.ring.out_item.val().get_bits::<OP_BITS>(29);
        }
        if self.host_room.val() {
            self.c_valid.d.next = self.sup_now.val() || (self.leaves.val() && self.host_wants.val());
            self.c_src.d.next = self.ring.out_item.val().get_bits::<16>(13);
            if self.sup_now.val() {
                self.c_kind.d.next = false;
                self.c_op.d.next = self.superseded.out_data.val().get_bits::<OP_BITS>(145);
                self.c_base.d.next = self.superseded.out_data.val().get_bits::<64>(0);
                self.c_bytes.d.next = self.superseded.out_data.val().get_bits::<32>(64);
                self.c_packets.d.next = self.superseded.out_data.val().get_bits::<16>(96);
                self.c_status.d.next = bits::<5>(12);
                self.c_imm_valid.d.next = self.superseded.out_data.val().get_bit(112);
                self.c_imm.d.next = self.superseded.out_data.val().get_bits::<32>(113);
                self.c_mask.d.next = self.superseded.out_data.val().get_bits::<MASK_BITS>(169);
            } else {
                self.c_kind.d.next = self.ring.out_item.val().get_bit(5);
                self.c_op.d.next = self.ring.out_item.val().get_bits::<OP_BITS>(29);
                self.c_base.d.next = self.ring.out_item.val().get_bits::<64>(150);
                self.c_bytes.d.next = self.ring.out_item.val().get_bits::<32>(85);
                self.c_packets.d.next = self.ring.out_item.val().get_bits::<16>(69);
                self.c_status.d.next = self.merge.in_status.val();
                self.c_imm_valid.d.next = self.ring.out_item.val().get_bit(117);
                self.c_imm.d.next = self.ring.out_item.val().get_bits::<32>(118);
                self.c_mask.d.next = self.ring.out_item.val().get_bits::<MASK_BITS>(214);
            }
        }
        self.complete.valid.next = self.c_valid.q.val();
        self.complete.kind.next = self.c_kind.q.val();
        self.complete.src.next = self.c_src.q.val();
        self.complete.op.next = self.c_op.q.val();
        self.complete.base.next = self.c_base.q.val();
        self.complete.bytes.next = self.c_bytes.q.val();
        self.complete.packets.next = self.c_packets.q.val();
        self.complete.status.next = bit_cast::<8, 5>(self.c_status.q.val());
        self.complete.imm_valid.next = self.c_imm_valid.q.val();
        self.complete.imm.next = self.c_imm.q.val();
        self.complete.mask.next = self.c_mask.q.val();
        self.merge.notify_ready.next = self.notify.ready.val();
        self.notify.valid.next = self.merge.notify_valid.val();
        self.notify.kind.next = self.merge.notify_kind.val();
        self.notify.src.next = self.merge.notify_src.val();
        self.notify.op.next = self.merge.notify_op.val();
        self.notify.index.next = self.merge.notify_index.val();
        self.notify.status.next = self.merge.notify_status.val();
        self.notify.mask.next = self.merge.notify_mask.val();
        self.notify.packets.next = self.merge.notify_packets.val();

        if self.rewrite.take.val() {
            self.q_rewrite.d.next = false;
        }
        self.rewrite.valid.next = self.q_rewrite.q.val();
        self.rewrite.src.next = self.q_rewrite_src.q.val();
        self.rewrite.op.next = self.q_rewrite_op.q.val();
        self.idle.next = !self.q_rewrite.q.val()
            && !self.pushed.q.val()
            && !self.ring.held.val().any()
            && !self.ring.out_valid.val()
            && !self.c_valid.q.val()
            && self.merge.idle.val();
    }
}
