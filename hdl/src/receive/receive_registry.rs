use super::{
    CommitLogic, DoneTable, EntryTimer, EscapeChannel, FollowUp, Injector, RegistryTable, SourceCounter, StartCheck, ToldPath, VerdictCode,
};
use crate::csr::bundles::{RegistryConfig, RegistryEvents};
use crate::primitives::{FifoLut, InitialMask, Reg, State, TickCounter};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// Receive registry with escape channel and done table: where each packet belongs, whatever order, path or copy it comes by.
///
/// Headers come in when their payload lies in its slot; verdicts, writes, freed slots, completions for the host and notifications for the
/// sender go out. Headers, packets that wait for another try, op timeouts, sweeps of the done table and write errors pass one pipeline. Its
/// stage 3 decides, one packet at a time, so every verdict is that of one packet after the other in the order of `trace`. Rows begin and end
/// there; masks, missing packets, done words and queues follow at stage 4. What the packets in front have not yet stored is added on the way:
/// for the rows three packets, for the done table four.
///
/// ```text
///  header ─┐   1 find         2 compare     3 commit        4 act
///  replay ─┼─▶ [row, done  ─▶ [with the  ─▶ [verdict,   ─▶ [ring, write, slot_free,
///  pseudo ─┘    word]          row; checks]  live]           masks, escape, done word]
///     ▲                                                         │
///     └──────────── escape channel ◀────────────────────────────┘
/// ```
///
/// Outputs have queues with room for all that is under way; when one fills, `header_ready` falls and nothing is lost. A packet that must wait
/// for the shared path takes a header's clock at most 1 clock in 8; sweeps only use clocks that no header wants.
///
/// Latency: 4 clocks from header to verdict, at every size. Throughput: one header per clock, any mix.
/// Reset: synchronous; `header_ready` stays low until the done table is cleared (`2^DONE_KEY_BITS` clocks). Scan periods: entries `8 * ROWS` clocks, escape
/// `ESCAPE_SLOTS` clocks, done words `64 * 2^DONE_KEY_BITS` clocks.
///
/// Rules where the description leaves a choice: exactly half of the generations behind counts as older; a stored word of the packet's own
/// generation wins over a newer live entry; a malformed start never touches a live entry, though its done word is written; a body with
/// the op of a live entry but outside of its range waits; a superseding start is never blocked, for it frees its own place; a packet
/// whose write failed is not acknowledged.
/// Spec: receive registry, all of it.
#[derive(Default, Described, LogicBlock)]
pub struct ReceiveRegistry {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a packet whose payload is in its slot
    pub header_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `header_valid` is high too
    pub header_ready: Signal<Out, Bit>,
    /// 0 body, 1 start, 2 data arrival, 3 abort
    pub header_kind: Signal<In, Bits<2>>,
    /// sending node
    pub header_src: Signal<In, Bits<16>>,
    /// the sender's op number: generation ++ index
    pub header_op: Signal<In, Bits<OP_BITS>>,
    /// target address of this packet's payload
    pub header_addr: Signal<In, Bits<64>>,
    /// payload bytes of this packet
    pub header_bytes: Signal<In, Bits<16>>,
    /// start: bytes of the whole operation
    pub header_op_bytes: Signal<In, Bits<32>>,
    /// start: packets of the whole operation
    pub header_count: Signal<In, Bits<16>>,
    /// remote key, for the region check
    pub header_rkey: Signal<In, Bits<32>>,
    /// an immediate comes with it
    pub header_imm_valid: Signal<In, Bit>,
    /// the immediate
    pub header_imm: Signal<In, Bits<32>>,
    /// comes back with the verdict
    pub header_tag: Signal<In, Bits<16>>,
    /// handle of the payload in the packet buffer
    pub header_slot: Signal<In, Bits<SLOT_BITS>>,
    /// a payload goes to memory
    pub write_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `write_valid` is high too
    pub write_ready: Signal<In, Bit>,
    /// comes back with the answer
    pub write_tag: Signal<Out, Bits<WRITE_BITS>>,
    /// payload
    pub write_slot: Signal<Out, Bits<SLOT_BITS>>,
    /// where
    pub write_addr: Signal<Out, Bits<64>>,
    /// how many bytes
    pub write_bytes: Signal<Out, Bits<16>>,
    /// a write has been answered; always taken
    pub write_done_valid: Signal<In, Bit>,
    /// tag of `write_done`
    pub write_done_tag: Signal<In, Bits<WRITE_BITS>>,
    /// it succeeded
    pub write_done_ok: Signal<In, Bit>,
    /// a payload that is not written
    pub slot_free_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `slot_free_valid` is high too
    pub slot_free_ready: Signal<In, Bit>,
    /// handle of `slot_free`
    pub slot_free_slot: Signal<Out, Bits<SLOT_BITS>>,
    /// the host is told
    pub complete_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `complete_valid` is high too
    pub complete_ready: Signal<In, Bit>,
    /// 0: an operation ended, 1: data arrival
    pub complete_kind: Signal<Out, Bit>,
    /// sending node
    pub complete_src: Signal<Out, Bits<16>>,
    /// op number
    pub complete_op: Signal<Out, Bits<OP_BITS>>,
    /// target address
    pub complete_base: Signal<Out, Bits<64>>,
    /// bytes
    pub complete_bytes: Signal<Out, Bits<32>>,
    /// packets
    pub complete_packets: Signal<Out, Bits<16>>,
    /// status code
    pub complete_status: Signal<Out, Bits<8>>,
    /// an immediate came
    pub complete_imm_valid: Signal<Out, Bit>,
    /// the immediate
    pub complete_imm: Signal<Out, Bits<32>>,
    /// arrival mask at the end
    pub complete_mask: Signal<Out, Bits<MASK_BITS>>,
    /// the sender is told
    pub notify_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `notify_valid` is high too
    pub notify_ready: Signal<In, Bit>,
    /// 0xc1 remote completion, 0xc3 op acknowledgement
    pub notify_kind: Signal<Out, Bits<8>>,
    /// node to tell
    pub notify_src: Signal<Out, Bits<16>>,
    /// op number
    pub notify_op: Signal<Out, Bits<OP_BITS>>,
    /// first packet of the mask
    pub notify_index: Signal<Out, Bits<16>>,
    /// status code
    pub notify_status: Signal<Out, Bits<8>>,
    /// packets from the first on
    pub notify_mask: Signal<Out, Bits<64>>,
    /// packets of a finished operation
    pub notify_packets: Signal<Out, Bits<16>>,
    /// final verdict of a packet
    pub verdict_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `verdict_valid` is high too
    pub verdict_ready: Signal<In, Bit>,
    /// the header's tag
    pub verdict_tag: Signal<Out, Bits<16>>,
    /// 0 written, 1 duplicate, 2 stale, 3 rejected, 4 dropped
    pub verdict_code: Signal<Out, Bits<3>>,
    /// rejected: status code; dropped: 32 escape_timeout, 33 escape_full, 34 quota
    pub verdict_reason: Signal<Out, Bits<8>>,
    /// it went through the escape channel
    pub verdict_escaped: Signal<Out, Bit>,
    /// something passed stage 3 in the clock before
    pub trace_valid: Signal<Out, Bit>,
    /// 0 header: verdict, 1 header: escaped, 2 replay: verdict, 3 replay: stays, 4 op timeout, 5 swept, 6 write error, 7 no effect
    pub trace_kind: Signal<Out, Bits<3>>,
    /// source
    pub trace_src: Signal<Out, Bits<16>>,
    /// op
    pub trace_op: Signal<Out, Bits<OP_BITS>>,
    /// tag of the packet
    pub trace_tag: Signal<Out, Bits<16>>,
    /// clocks per tick
    pub cfg_prescale: Signal<In, Bits<16>>,
    #[port = "cfg"]
    pub cfg_registry: RegistryConfig,
    /// ticks that a done word lives
    pub cfg_t_life: Signal<In, Bits<32>>,
    /// load one memory region
    pub cfg_region_write: Signal<In, Bit>,
    #[port = "evt"]
    pub evt_registry: RegistryEvents,
    /// most entries ever live
    pub high_water_entries: Signal<Out, Bits<ROW_COUNT_BITS>>,
    /// most escape slots ever used
    pub high_water_escape: Signal<Out, Bits<ESCAPE_COUNT_BITS>>,
    /// live entries, two clocks ago
    pub entries_live: Signal<Out, Bits<ROW_COUNT_BITS>>,
    /// escape slots used
    pub escape_used: Signal<Out, Bits<ESCAPE_COUNT_BITS>>,
    /// current tick
    pub now: Signal<Out, Bits<32>>,
    /// nothing is under way but sweeps: no packet, nothing to tell
    pub idle: Signal<Out, Bit>,

    ticks: TickCounter,
    injector: Injector,
    table: RegistryTable,
    checks: StartCheck,
    initial: InitialMask<MASK_BITS, POSITION_COUNT_BITS, MASK_FORM>,
    done: DoneTable,
    timer: EntryTimer,
    escape: EscapeChannel,
    escape_quota: SourceCounter<NODE_BITS, NODES, ESCAPE_COUNT_BITS>,
    start_waiters: SourceCounter<NODE_BITS, NODES, ESCAPE_COUNT_BITS>,
    entry_quota: SourceCounter<NODE_BITS, NODES, ROW_COUNT_BITS>,
    commit: CommitLogic,
    follow: FollowUp,
    code: VerdictCode,
    told: ToldPath,
    verdicts: FifoLut<VERDICT_BITS, 5, 6>,
    writes: FifoLut<WRITE_REQUEST_BITS, 5, 6>,
    slots: FifoLut<SLOT_BITS, 5, 6>,
    v1: State<Bit>,
    header1: Reg<Bits<ESCAPE_HEADER_BITS>>,
    replay1: Reg<Bit>,
    expired1: Reg<Bit>,
    waited_full1: Reg<Bit>,
    v2: State<Bit>,
    header2: Reg<Bits<ESCAPE_HEADER_BITS>>,
    replay2: Reg<Bit>,
    expired2: Reg<Bit>,
    waited_full2: Reg<Bit>,
    v3: State<Bit>,
    header3: Reg<Bits<ESCAPE_HEADER_BITS>>,
    replay3: State<Bit>,
    expired3: State<Bit>,
    waited_full3: Reg<Bit>,
    v4: State<Bit>,
    header4: Reg<Bits<ESCAPE_HEADER_BITS>>,
    replay4: Reg<Bit>,
    settles4: State<Bit>,
    waited_full4: Reg<Bit>,
    single2: Reg<Bit>,
    single3: Reg<Bit>,
    misaligned2: Reg<Bit>,
    misaligned3: Reg<Bit>,
    unknown2: Reg<Bit>,
    packet2: Signal<Local, Bit>,
    body3: State<Bit>,
    start3: State<Bit>,
    arrival3: State<Bit>,
    abort3: State<Bit>,
    unknown3: State<Bit>,
    timeout3: State<Bit>,
    sweep3: State<Bit>,
    rewrite3: State<Bit>,
    payload3: Reg<Bit>,
    init3: Reg<Bits<MASK_BITS>>,
    packet3: State<Bit>,
    packet4: State<Bit>,
    payload4: Reg<Bit>,
    duplicate4: State<Bit>,
    unknown4: Reg<Bit>,
    off_grid4: State<Bit>,
    off_length4: State<Bit>,
    bad_start4: State<Bit>,
    check4: Reg<Bits<5>>,
    done_status4: Reg<Bits<5>>,
    conflict4: State<Bit>,
    overlapping4: State<Bit>,
    dropped4: Reg<Bit>,
    quota4: Reg<Bit>,
    write4: State<Bit>,
    register4: State<Bit>,
    accept4: State<Bit>,
    release4: State<Bit>,
    supersede4: State<Bit>,
    waits4: State<Bit>,
    full4: Reg<Bit>,
    done_other4: State<Bit>,
    completed4: State<Bit>,
    stale4: State<Bit>,
    timed_out4: State<Bit>,
    aborted4: State<Bit>,
    arrived4: State<Bit>,
    swept4: State<Bit>,
    write_error4: State<Bit>,
    position4: Reg<Bits<POSITION_BITS>>,
    due4: State<Bit>,
    used: State<Bits<ESCAPE_COUNT_BITS>>,
    waiting_full: State<Bits<ESCAPE_COUNT_BITS>>,
    most_entries: State<Bits<ROW_COUNT_BITS>>,
    most_escape: State<Bits<ESCAPE_COUNT_BITS>>,
    kind1: Signal<Local, Bits<3>>,
    src1: Signal<Local, Bits<16>>,
    op1: Signal<Local, Bits<OP_BITS>>,
    addr1: Signal<Local, Bits<64>>,
    bytes1: Signal<Local, Bits<16>>,
    op_bytes1: Signal<Local, Bits<32>>,
    count1: Signal<Local, Bits<16>>,
    rkey1: Signal<Local, Bits<32>>,
    kind2: Signal<Local, Bits<3>>,
    src2: Signal<Local, Bits<16>>,
    op2: Signal<Local, Bits<OP_BITS>>,
    count2: Signal<Local, Bits<16>>,
    kind3: Signal<Local, Bits<3>>,
    src3: Signal<Local, Bits<16>>,
    op3: Signal<Local, Bits<OP_BITS>>,
    kind4: Signal<Local, Bits<3>>,
    src4: Signal<Local, Bits<16>>,
    op4: Signal<Local, Bits<OP_BITS>>,
    addr4: Signal<Local, Bits<64>>,
    bytes4: Signal<Local, Bits<16>>,
    op_bytes4: Signal<Local, Bits<32>>,
    count4: Signal<Local, Bits<16>>,
    imm_valid4: Signal<Local, Bit>,
    imm4: Signal<Local, Bits<32>>,
    tag4: Signal<Local, Bits<16>>,
    slot4: Signal<Local, Bits<SLOT_BITS>>,
    key1: Signal<Local, Bits<DONE_KEY_BITS>>,
    key2: Signal<Local, Bits<DONE_KEY_BITS>>,
    key3: Signal<Local, Bits<DONE_KEY_BITS>>,
    key4: Signal<Local, Bits<DONE_KEY_BITS>>,
    space: Signal<Local, Bit>,
    output_room: State<Bit>,
    started: Signal<Local, Bit>,
    take_header: Signal<Local, Bit>,
    take_replay: Signal<Local, Bit>,
    beyond_op: Signal<Local, Bits<ESCAPE_HEADER_BITS>>,
    not_header: Signal<Local, Bit>,
    timer_settled: Signal<Local, Bit>,
    used_now: Signal<Local, Bits<ESCAPE_COUNT_BITS>>,
    full_step: State<Bit>,
    unstep: State<Bit>,
    start_push4: State<Bit>,
    start_leave4: State<Bit>,
    full_waiter: Signal<Local, Bit>,
    start4: Reg<Bit>,
    push4: State<Bit>,
    leave4: State<Bit>,
    escape_at_limit: State<Bit>,
    escape_below_limit: State<Bit>,
    waiting_full_now: Signal<Local, Bits<ESCAPE_COUNT_BITS>>,
    any_waits_full: State<Bit>,
    one_waits_full: State<Bit>,
    refused4: Signal<Local, Bit>,
    verdict_word: Signal<Local, Bits<VERDICT_BITS>>,
    v_out: Signal<Local, Bits<VERDICT_BITS>>,
    v_bypass: Signal<Local, Bit>,
}

impl ReceiveRegistry {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for ReceiveRegistry {
    #[kernel]
    fn update(&mut self) {
        // Stage registers: header, and where a replay came from. Header, low bits first: kind 3, src 16, op 24, addr 64, bytes 16, op_bytes 32,
        // count 16, rkey 32, imm_valid 1, imm 32, tag 16, slot.
        self.v2.d.next = self.v1.q.val();
        self.header2.d.next = self.header1.q.val();
        self.replay2.d.next = self.replay1.q.val();
        self.expired2.d.next = self.expired1.q.val();
        self.waited_full2.d.next = self.waited_full1.q.val();
        self.v3.d.next = self.v2.q.val();
        self.header3.d.next = self.header2.q.val();
        self.replay3.d.next = self.replay2.q.val();
        self.expired3.d.next = self.expired2.q.val();
        self.waited_full3.d.next = self.waited_full2.q.val();
        self.v4.d.next = self.v3.q.val();
        self.header4.d.next = self.header3.q.val();
        self.replay4.d.next = self.replay3.q.val();
        self.settles4.d.next = self.v3.q.val() && self.replay3.q.val();
        self.waited_full4.d.next = self.waited_full3.q.val();
        self.kind1.next = self.header1.q.val().get_bits::<3>(0);
        self.src1.next = self.header1.q.val().get_bits::<16>(3);
        self.op1.next = self.header1.q.val().get_bits::<OP_BITS>(19);
        self.addr1.next = self.header1.q.val().get_bits::<64>(43);
        self.bytes1.next = self.header1.q.val().get_bits::<16>(107);
        self.op_bytes1.next = self.header1.q.val().get_bits::<32>(123);
        self.count1.next = self.header1.q.val().get_bits::<16>(155);
        self.rkey1.next = self.header1.q.val().get_bits::<32>(171);
        self.kind2.next = self.header2.q.val().get_bits::<3>(0);
        self.src2.next = self.header2.q.val().get_bits::<16>(3);
        self.op2.next = self.header2.q.val().get_bits::<OP_BITS>(19);
        self.count2.next = self.header2.q.val().get_bits::<16>(155);
        self.kind3.next = self.header3.q.val().get_bits::<3>(0);
        self.src3.next = self.header3.q.val().get_bits::<16>(3);
        self.op3.next = self.header3.q.val().get_bits::<OP_BITS>(19);
        self.kind4.next = self.header4.q.val().get_bits::<3>(0);
        self.src4.next = self.header4.q.val().get_bits::<16>(3);
        self.op4.next = self.header4.q.val().get_bits::<OP_BITS>(19);
        self.addr4.next = self.header4.q.val().get_bits::<64>(43);
        self.bytes4.next = self.header4.q.val().get_bits::<16>(107);
        self.op_bytes4.next = self.header4.q.val().get_bits::<32>(123);
        self.count4.next = self.header4.q.val().get_bits::<16>(155);
        self.imm_valid4.next = self.header4.q.val().get_bit(203);
        self.imm4.next = self.header4.q.val().get_bits::<32>(204);
        self.tag4.next = self.header4.q.val().get_bits::<16>(236);
        self.slot4.next = self.header4.q.val().get_bits::<SLOT_BITS>(252);
        self.key1.next = bit_cast::<DONE_KEY_BITS, NODE_BITS>(self.src1.val().get_bits::<NODE_BITS>(0))
            | (bit_cast::<DONE_KEY_BITS, OP_INDEX_BITS>(self.op1.val().get_bits::<OP_INDEX_BITS>(0)) << NODE_BITS.to_bits::<5>());
        self.key2.next = bit_cast::<DONE_KEY_BITS, NODE_BITS>(self.src2.val().get_bits::<NODE_BITS>(0))
            | (bit_cast::<DONE_KEY_BITS, OP_INDEX_BITS>(self.op2.val().get_bits::<OP_INDEX_BITS>(0)) << NODE_BITS.to_bits::<5>());
        self.key3.next = bit_cast::<DONE_KEY_BITS, NODE_BITS>(self.src3.val().get_bits::<NODE_BITS>(0))
            | (bit_cast::<DONE_KEY_BITS, OP_INDEX_BITS>(self.op3.val().get_bits::<OP_INDEX_BITS>(0)) << NODE_BITS.to_bits::<5>());
        self.key4.next = bit_cast::<DONE_KEY_BITS, NODE_BITS>(self.src4.val().get_bits::<NODE_BITS>(0))
            | (bit_cast::<DONE_KEY_BITS, OP_INDEX_BITS>(self.op4.val().get_bits::<OP_INDEX_BITS>(0)) << NODE_BITS.to_bits::<5>());
        self.ticks.prescale.next = self.cfg_prescale.val();
        self.now.next = self.ticks.now.val();

        // Entry: a header, unless something that waits takes the clock. Nothing enters without room for what it may cause.
        self.started.next = self.done.ready.val() && self.escape.ready.val();
        // Eight places in each queue are for what is on its way.
        self.output_room.d.next = self.started.val()
            && !(self.verdicts.count.val().get_bit(5) || (self.verdicts.count.val().get_bit(4) && self.verdicts.count.val().get_bit(3)))
            && !(self.writes.count.val().get_bit(5) || (self.writes.count.val().get_bit(4) && self.writes.count.val().get_bit(3)))
            && !(self.slots.count.val().get_bit(5) || (self.slots.count.val().get_bit(4) && self.slots.count.val().get_bit(3)));
        self.space.next = self.output_room.q.val() && self.told.room.val();
        self.injector.space.next = self.space.val();
        self.injector.output_room.next = self.output_room.q.val();
        self.injector.header_valid.next = self.header_valid.val();
        self.injector.replay_valid.next = self.escape.replay_valid.val();
        self.injector.replay_kind.next = self.escape.replay_header.val().get_bits::<3>(0);
        self.injector.replay_src.next = self.escape.replay_header.val().get_bits::<16>(3);
        self.injector.replay_op.next = self.escape.replay_header.val().get_bits::<OP_BITS>(19);
        self.injector.rewrite_valid.next = self.told.rewrite_valid.val();
        self.injector.rewrite_src.next = self.told.rewrite_src.val();
        self.injector.rewrite_op.next = self.told.rewrite_op.val();
        self.injector.timer_offer.next = self.timer.offer.val();
        self.injector.timer_settled.next = self.timer_settled.val();
        self.injector.timer_src.next = self.table.timer_src.val();
        self.injector.timer_generation.next = self.table.timer_generation.val();
        self.injector.timer_index.next = self.table.timer_index.val();
        self.told.rewrite_take.next = self.injector.rewrite_take.val();
        self.header_ready.next = self.space.val() && !self.injector.must_stall.val();
        self.take_header.next = self.header_valid.val() && self.space.val() && !self.injector.must_stall.val();
        self.take_replay.next = self.injector.take_replay.val();
        self.escape.replay_take.next = self.injector.take_replay.val();
        self.not_header.next = !self.header_valid.val() || self.injector.must_stall.val();
        self.v1.d.next = self.take_header.val() || self.injector.take.val();
        self.replay1.d.next = self.take_replay.val();
        self.expired1.d.next = self.escape.replay_expired.val();
        self.waited_full1.d.next = self.escape.replay_full.val() && self.take_replay.val();
        self.header1.d.next = (bit_cast::<ESCAPE_HEADER_BITS, 3>(bit_cast::<3, 2>(self.header_kind.val())))
            | (bit_cast::<ESCAPE_HEADER_BITS, 16>(self.header_src.val()) << 3)
            | (bit_cast::<ESCAPE_HEADER_BITS, OP_BITS>(self.header_op.val()) << 19)
            | (bit_cast::<ESCAPE_HEADER_BITS, 64>(self.header_addr.val()) << 43)
            | (bit_cast::<ESCAPE_HEADER_BITS, 16>(self.header_bytes.val()) << 107)
            | (bit_cast::<ESCAPE_HEADER_BITS, 32>(self.header_op_bytes.val()) << 123)
            | (bit_cast::<ESCAPE_HEADER_BITS, 16>(self.header_count.val()) << 155)
            | (bit_cast::<ESCAPE_HEADER_BITS, 32>(self.header_rkey.val()) << 171)
            | (bit_cast::<ESCAPE_HEADER_BITS, 1>(self.header_imm_valid.val().into()) << 203)
            | (bit_cast::<ESCAPE_HEADER_BITS, 32>(self.header_imm.val()) << 204)
            | (bit_cast::<ESCAPE_HEADER_BITS, 16>(self.header_tag.val()) << 236)
            | (bit_cast::<ESCAPE_HEADER_BITS, SLOT_BITS>(self.header_slot.val()) << 252);
        // Of a replay, what lies beyond the op comes from the escape channel's own register.
        self.beyond_op.next = bits::<ESCAPE_HEADER_BITS>(0);
        if self.injector.holds_replay.val() {
            self.beyond_op.next = (self.escape.replay_header.val() >> 43) << 43;
        }
        if self.not_header.val() {
            self.header1.d.next = self.beyond_op.val()
                | (bit_cast::<ESCAPE_HEADER_BITS, 3>(self.injector.held_kind.val()))
                | (bit_cast::<ESCAPE_HEADER_BITS, 16>(self.injector.held_src.val()) << 3)
                | (bit_cast::<ESCAPE_HEADER_BITS, OP_BITS>(self.injector.held_op.val()) << 19);
        }
        self.timer_settled.next = self.v4.q.val() && (self.kind4.val() == bits::<3>(4));
        self.timer.now.next = self.ticks.now.val();
        self.timer.cfg_op_timeout.next = self.cfg_registry.op_timeout.val();
        self.timer.live.next = self.table.live_rows.val();
        self.timer.touch.next = self.table.touch.val();
        self.timer.touch_row.next = self.table.item_row.val();
        self.timer.settle.next = self.timer_settled.val();
        self.table.timer_row.next = self.timer.row.val();
        self.table.fresh_rows.next = self.timer.fresh.val();

        // Stage 1: compare.
        self.table.s1_start.next = self.v1.q.val() && (self.kind1.val() == bits::<3>(1));
        self.table.s1_src.next = self.src1.val().get_bits::<NODE_BITS>(0);
        self.table.s1_generation.next = self.op1.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS);
        self.table.s1_index.next = self.op1.val().get_bits::<OP_INDEX_BITS>(0);
        self.table.s1_up.next = self.addr1.val().get_bits::<BLOCK_BITS>(PACKET_BITS + POSITION_BITS);
        self.table.s1_lo.next = self.addr1.val().get_bits::<POSITION_BITS>(PACKET_BITS);
        self.table.s1_offset.next = bit_cast::<PACKET_COUNT_BITS, PACKET_BITS>(self.addr1.val().get_bits::<PACKET_BITS>(0));
        self.table.s1_full_length.next =
            (self.bytes1.val() >> PACKET_BITS.to_bits::<5>()) == bits::<16>(1) && !self.bytes1.val().get_bits::<PACKET_BITS>(0).any();
        self.table.s1_length.next = self.bytes1.val().get_bits::<PACKET_COUNT_BITS>(0);
        if (self.bytes1.val() >> PACKET_COUNT_BITS.to_bits::<5>()).any() {
            self.table.s1_length.next = !bits::<PACKET_COUNT_BITS>(0);
        }
        self.table.s1_count.next = self.count1.val().get_bits::<POSITION_COUNT_BITS>(0);
        self.table.s1_last_length.next = bit_cast::<PACKET_COUNT_BITS, PACKET_BITS>(self.op_bytes1.val().get_bits::<PACKET_BITS>(0));
        if !self.op_bytes1.val().get_bits::<PACKET_BITS>(0).any() {
            self.table.s1_last_length.next = bits::<PACKET_COUNT_BITS>(1) << PACKET_BITS.to_bits::<5>();
        }
        self.table.s1_op_bytes.next = self.op_bytes1.val();
        self.checks.addr.next = self.addr1.val();
        self.checks.bytes.next = self.bytes1.val();
        self.checks.op_bytes.next = self.op_bytes1.val();
        self.checks.count.next = self.count1.val();
        self.checks.rkey.next = self.rkey1.val();
        self.checks.region_write.next = self.cfg_region_write.val();
        self.checks.region_index.next = self.cfg_registry.region_index.val();
        self.checks.region_rkey.next = self.cfg_registry.region_rkey.val();
        self.checks.region_base.next = self.cfg_registry.region_base.val();
        self.checks.region_length.next = self.cfg_registry.region_length.val();
        self.misaligned2.d.next = self.addr1.val().get_bits::<PACKET_BITS>(0).any();
        self.misaligned3.d.next = self.misaligned2.q.val();
        self.unknown2.d.next = self.src1.val().get_bits::<NODE_REST_BITS>(NODE_BITS).any();
        self.packet2.next = self.v2.q.val() && !self.kind2.val().get_bit(2);
        self.body3.d.next = self.packet2.val() && !self.unknown2.q.val() && (self.kind2.val() == bits::<3>(0));
        self.start3.d.next = self.packet2.val() && !self.unknown2.q.val() && (self.kind2.val() == bits::<3>(1));
        self.arrival3.d.next = self.packet2.val() && !self.unknown2.q.val() && (self.kind2.val() == bits::<3>(2));
        self.abort3.d.next = self.packet2.val() && !self.unknown2.q.val() && (self.kind2.val() == bits::<3>(3));
        self.packet3.d.next = self.packet2.val() && !self.unknown2.q.val();
        self.unknown3.d.next = self.packet2.val() && self.unknown2.q.val();
        self.timeout3.d.next = self.v2.q.val() && (self.kind2.val() == bits::<3>(4));
        self.sweep3.d.next = self.v2.q.val() && (self.kind2.val() == bits::<3>(5));
        self.rewrite3.d.next = self.v2.q.val() && (self.kind2.val() == bits::<3>(6));
        self.payload3.d.next = !self.kind2.val().get_bit(1);
        self.single2.d.next = self.count1.val() == bits::<16>(1);
        self.single3.d.next = self.single2.q.val();
        self.initial.count.next = self.count2.val().get_bits::<POSITION_COUNT_BITS>(0);
        self.init3.d.next = self.initial.mask.val();
        self.table.s3_initial_mask.next = self.init3.q.val();

        self.done.now.next = self.ticks.now.val();
        self.done.cfg_renotify.next = self.cfg_registry.renotify.val();
        self.done.cfg_t_life.next = self.cfg_t_life.val();
        self.done.read_key.next = bit_cast::<DONE_KEY_BITS, NODE_BITS>(self.header_src.val().get_bits::<NODE_BITS>(0))
            | (bit_cast::<DONE_KEY_BITS, OP_INDEX_BITS>(self.header_op.val().get_bits::<OP_INDEX_BITS>(0)) << NODE_BITS.to_bits::<5>());
        if self.not_header.val() {
            self.done.read_key.next = bit_cast::<DONE_KEY_BITS, NODE_BITS>(self.injector.held_src.val().get_bits::<NODE_BITS>(0))
                | (bit_cast::<DONE_KEY_BITS, OP_INDEX_BITS>(self.injector.held_op.val().get_bits::<OP_INDEX_BITS>(0))
                    << NODE_BITS.to_bits::<5>());
        }
        self.done.s1_key.next = self.key1.val();
        self.done.s2_key.next = self.key2.val();
        self.done.s2_generation.next = self.op2.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS);
        self.done.s3_key.next = self.key3.val();
        self.done.s3_generation.next = self.op3.val().get_bits::<GENERATION_BITS>(OP_INDEX_BITS);

        // Stage 3: commit.
        self.commit.body.next = self.body3.q.val();
        self.commit.start.next = self.start3.q.val();
        self.commit.arrival.next = self.arrival3.q.val();
        self.commit.aborts.next = self.abort3.q.val();
        self.commit.timeout.next = self.timeout3.q.val();
        self.commit.sweep.next = self.sweep3.q.val();
        self.commit.rewrite.next = self.rewrite3.q.val();
        self.commit.payload.next = self.payload3.q.val();
        self.commit.replay.next = self.replay3.q.val();
        self.commit.expired.next = self.expired3.q.val();
        self.commit.unknown_source.next = self.unknown3.q.val();
        self.commit.packet.next = self.packet3.q.val();
        self.commit.single.next = self.single3.q.val();
        self.commit.bad.next = self.checks.bad.val();
        self.commit.misaligned.next = self.misaligned3.q.val();
        self.commit.live.next = self.table.live.val();
        self.commit.in_range.next = self.table.in_range.val();
        self.commit.length_ok.next = self.table.length_ok.val();
        self.commit.same_start.next = self.table.same_start.val();
        self.commit.duplicate.next = self.table.duplicate.val();
        self.commit.last.next = self.table.last.val();
        self.commit.fresh.next = self.table.fresh.val();
        self.commit.other_live.next = self.table.other_live.val();
        self.commit.live_behind.next = self.table.live_behind.val();
        self.commit.done_equal.next = self.done.equal.val();
        self.commit.done_known.next = self.done.known.val();
        self.commit.renotify_due.next = self.done.renotify_due.val();
        self.commit.done_old.next = self.done.old.val();
        self.commit.overlap.next = self.table.overlap.val();
        self.commit.full.next = self.table.full.val();
        self.commit.at_quota.next = self.entry_quota.at_quota.val();
        self.commit.full_waiter.next = self.full_waiter.val();
        self.commit.source_waiter.next = self.start_waiters.at_quota.val();
        self.commit.escape_full.next =
            (self.escape_at_limit.q.val() && !self.leave4.q.val()) || (self.escape_below_limit.q.val() && self.push4.q.val());
        self.commit.at_escape_quota.next = self.escape_quota.at_quota.val();
        self.table.register.next = self.commit.register.val();
        self.table.accept.next = self.commit.accept.val();
        self.table.release.next = self.commit.release.val();
        self.table.supersede.next = self.commit.supersede.val();
        self.table.completes.next = self.commit.accept.val() && self.table.last.val();
        self.table.s4_imm_valid.next = self.imm_valid4.val();
        self.table.s4_imm.next = self.imm4.val();
        self.done.write.next = self.commit.done_write.val();
        self.done.write_valid.next = self.commit.done_write_valid.val();
        self.done.write_notified_only.next = self.commit.done_notified_only.val();
        self.done.s4_status.next = self.code.status.val();
        if self.done_other4.q.val() {
            self.done.s4_status.next = bits::<5>(12);
        }
        self.done.s4_other_generation.next = self.done_other4.q.val();
        self.done.s4_generation.next = self.table.ended_generation.val();

        self.packet4.d.next = self.packet3.q.val() || self.unknown3.q.val();
        self.payload4.d.next = self.payload3.q.val();
        self.duplicate4.d.next = self.commit.duplicate_packet.val();
        self.unknown4.d.next = self.unknown3.q.val();
        self.off_grid4.d.next = self.commit.off_grid.val();
        self.off_length4.d.next = self.commit.off_length.val();
        self.bad_start4.d.next = self.commit.bad_start.val();
        self.check4.d.next = self.checks.code.val();
        self.done_status4.d.next = self.done.status.val();
        self.conflict4.d.next = self.commit.conflict.val();
        self.overlapping4.d.next = self.commit.overlapping.val();
        self.dropped4.d.next = self.commit.dropped.val();
        self.quota4.d.next = self.escape_quota.at_quota.val();
        self.write4.d.next = self.commit.write.val();
        self.register4.d.next = self.commit.register.val();
        self.accept4.d.next = self.commit.accept.val();
        self.release4.d.next = self.commit.release.val();
        self.supersede4.d.next = self.commit.supersede.val();
        self.waits4.d.next = self.commit.waits.val();
        self.full4.d.next = self.commit.waits_full.val();
        self.done_other4.d.next = self.commit.done_superseded.val();
        self.completed4.d.next = self.commit.completed.val();
        self.stale4.d.next = self.commit.stale.val();
        self.timed_out4.d.next = self.commit.timed_out.val();
        self.aborted4.d.next = self.commit.aborted.val();
        self.arrived4.d.next = self.commit.arrived.val();
        self.swept4.d.next = self.commit.swept.val();
        self.write_error4.d.next = self.commit.write_error.val();
        self.due4.d.next = self.commit.done_notified_only.val();
        self.position4.d.next = self.table.position.val();
        if self.kind3.val() != bits::<3>(0) {
            self.position4.d.next = bits::<POSITION_BITS>(0);
        }

        // Stage 4: verdict, trace, counters.
        self.follow.packet.next = self.packet4.q.val();
        self.follow.payload.next = self.payload4.q.val();
        self.follow.waits.next = self.waits4.q.val();
        self.follow.write.next = self.write4.q.val();
        self.follow.duplicate_packet.next = self.duplicate4.q.val();
        self.follow.off_grid.next = self.off_grid4.q.val();
        self.follow.off_length.next = self.off_length4.q.val();
        self.follow.bad_start.next = self.bad_start4.q.val();
        self.follow.conflict.next = self.conflict4.q.val();
        self.follow.overlapping.next = self.overlapping4.q.val();
        self.follow.register.next = self.register4.q.val();
        self.follow.accept.next = self.accept4.q.val();
        self.follow.release.next = self.release4.q.val();
        self.follow.completed.next = self.completed4.q.val();
        self.follow.arrived.next = self.arrived4.q.val();
        self.follow.aborted.next = self.aborted4.q.val();
        self.follow.timed_out.next = self.timed_out4.q.val();
        self.follow.renotify.next = self.due4.q.val();
        self.follow.write_error.next = self.write_error4.q.val();
        self.code.duplicate.next = self.duplicate4.q.val();
        self.code.stale.next = self.stale4.q.val();
        self.code.renotify.next = self.due4.q.val();
        self.code.done_status.next = self.done_status4.q.val();
        self.code.unknown_source.next = self.unknown4.q.val();
        self.code.misaligned_offset.next = self.off_grid4.q.val();
        self.code.wrong_length.next = self.off_length4.q.val();
        self.code.bad_start.next = self.bad_start4.q.val();
        self.code.check.next = self.check4.q.val();
        self.code.conflict.next = self.conflict4.q.val();
        self.code.overlap.next = self.overlapping4.q.val();
        self.code.dropped.next = self.dropped4.q.val();
        self.code.expired.next = self.replay4.q.val();
        self.code.quota.next = self.quota4.q.val();
        self.code.timed_out.next = self.timed_out4.q.val();
        self.code.write_error.next = self.write_error4.q.val();
        self.code.aborted.next = self.aborted4.q.val();
        self.verdict_word.next = bit_cast::<VERDICT_BITS, 16>(self.tag4.val())
            | (bit_cast::<VERDICT_BITS, 3>(self.code.verdict.val()) << 16)
            | (bit_cast::<VERDICT_BITS, 8>(self.code.reason.val()) << 19)
            | (bit_cast::<VERDICT_BITS, 1>(self.replay4.q.val().into()) << 27);
        self.v_bypass.next = !self.verdicts.out_valid.val() && self.verdict_ready.val();
        self.verdicts.in_valid.next = self.follow.verdict_final.val() && !self.v_bypass.val();
        self.verdicts.in_data.next = self.verdict_word.val();
        self.verdicts.out_ready.next = self.verdict_ready.val();
        self.verdict_valid.next = self.follow.verdict_final.val() || self.verdicts.out_valid.val();
        self.v_out.next = self.verdict_word.val();
        if self.verdicts.out_valid.val() {
            self.v_out.next = self.verdicts.out_data.val();
        }
        self.verdict_tag.next = self.v_out.val().get_bits::<16>(0);
        self.verdict_code.next = self.v_out.val().get_bits::<3>(16);
        self.verdict_reason.next = self.v_out.val().get_bits::<8>(19);
        self.verdict_escaped.next = self.v_out.val().get_bit(27);
        self.trace_valid.next = self.v4.q.val();
        self.trace_src.next = self.src4.val();
        self.trace_op.next = self.op4.val();
        self.trace_tag.next = self.tag4.val();
        self.trace_kind.next = bits::<3>(7);
        if self.follow.verdict_final.val() {
            if self.replay4.q.val() {
                self.trace_kind.next = bits::<3>(2);
            } else {
                self.trace_kind.next = bits::<3>(0);
            }
        }
        if self.waits4.q.val() {
            if self.replay4.q.val() {
                self.trace_kind.next = bits::<3>(3);
            } else {
                self.trace_kind.next = bits::<3>(1);
            }
        }
        if self.timed_out4.q.val() {
            self.trace_kind.next = bits::<3>(4);
        }
        if self.swept4.q.val() {
            self.trace_kind.next = bits::<3>(5);
        }
        if self.write_error4.q.val() {
            self.trace_kind.next = bits::<3>(6);
        }
        self.evt_registry.accepted.next = self.write4.q.val();
        self.evt_registry.duplicate.next = self.follow.verdict_final.val() && (self.code.verdict.val() == bits::<3>(1));
        self.evt_registry.completed.next = self.completed4.q.val();
        self.evt_registry.registered.next = self.register4.q.val();
        self.evt_registry.escaped.next = self.push4.q.val();
        self.evt_registry.replayed.next = self.leave4.q.val() && (self.code.verdict.val() != bits::<3>(4));
        self.evt_registry.escape_timeout.next = self.follow.verdict_final.val() && (self.code.reason.val() == bits::<8>(32));
        self.evt_registry.escape_full.next = self.follow.verdict_final.val() && (self.code.reason.val() == bits::<8>(33));
        self.evt_registry.quota.next = self.follow.verdict_final.val() && (self.code.reason.val() == bits::<8>(34));
        self.evt_registry.op_timeout.next = self.timed_out4.q.val();
        self.evt_registry.stale.next = self.stale4.q.val();
        self.evt_registry.renotified.next = self.due4.q.val();
        self.evt_registry.superseded.next = self.supersede4.q.val();
        self.evt_registry.aborted.next = self.aborted4.q.val();
        self.evt_registry.arrivals.next = self.arrived4.q.val();
        self.evt_registry.write_error.next = self.write_error4.q.val();
        // From the cases, of which at most one is set: the reason itself comes through all of them.
        self.refused4.next = self.follow.verdict_final.val() && self.bad_start4.q.val();
        self.evt_registry.reject_count_zero.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(1));
        self.evt_registry.reject_bytes_zero.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(2));
        self.evt_registry.reject_count_mismatch.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(3));
        self.evt_registry.reject_oversize.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(4));
        self.evt_registry.reject_misaligned_base.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(5));
        self.evt_registry.reject_wraps.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(6));
        self.evt_registry.reject_overlap.next = self.follow.verdict_final.val() && self.overlapping4.q.val();
        self.evt_registry.reject_misaligned_offset.next = self.follow.verdict_final.val() && self.off_grid4.q.val();
        self.evt_registry.reject_wrong_length.next =
            (self.follow.verdict_final.val() && self.off_length4.q.val()) || (self.refused4.val() && (self.check4.q.val() == bits::<5>(9)));
        self.evt_registry.reject_unknown_source.next = self.follow.verdict_final.val() && self.unknown4.q.val();
        self.evt_registry.reject_conflict.next = self.follow.verdict_final.val() && self.conflict4.q.val();
        self.evt_registry.reject_access.next = self.refused4.val() && (self.check4.q.val() == bits::<5>(16));

        // Stage 4: the escape channel.
        self.push4.d.next = self.commit.waits.val() && !self.replay3.q.val();
        self.leave4.d.next = self.v3.q.val() && self.replay3.q.val() && !self.commit.waits.val();
        self.start_push4.d.next = self.commit.waits.val() && !self.replay3.q.val() && self.start3.q.val();
        self.start_leave4.d.next = self.v3.q.val() && self.replay3.q.val() && !self.commit.waits.val() && self.start3.q.val();
        self.full_step.d.next = self.commit.waits.val() && self.commit.waits_full.val() && !self.waited_full3.q.val();
        self.unstep.d.next = self.v3.q.val() && self.waited_full3.q.val() && !(self.commit.waits.val() && self.commit.waits_full.val());
        self.start4.d.next = self.kind3.val() == bits::<3>(1);
        self.escape.now.next = self.ticks.now.val();
        self.escape.cfg_escape_timeout.next = self.cfg_registry.escape_timeout.val();
        self.escape.push.next = self.push4.q.val();
        self.escape.push_header.next = self.header4.q.val();
        self.escape.push_key.next = self.key4.val();
        self.escape.push_start.next = self.start4.q.val();
        self.escape.push_full.next = self.full4.q.val();
        self.escape.settle.next = self.settles4.q.val();
        self.escape.settle_stays.next = self.waits4.q.val();
        self.escape.settle_full.next = self.full4.q.val();
        self.escape.wake.next = self.follow.wake.val();
        // An entry became free, or a waiting start left or now waits for its quota only: the next one may try.
        self.escape.room.next = self.follow.row_ended.val()
            || self.supersede4.q.val()
            || self.start_leave4.q.val()
            || (self.waits4.q.val() && self.start4.q.val() && self.waited_full4.q.val() && !self.full4.q.val());

        self.used_now.next = self.used.q.val();
        if self.push4.q.val() {
            self.used_now.next = self.used.q.val() + 1;
        }
        if self.leave4.q.val() {
            self.used_now.next = self.used.q.val() - 1;
        }
        self.used.d.next = self.used_now.val();
        if self.push4.q.val() {
            self.escape_at_limit.d.next = self.escape_below_limit.q.val();
            self.escape_below_limit.d.next = (self.used.q.val() + 2) == bits::<ESCAPE_COUNT_BITS>(1) << ESCAPE_BITS.to_bits::<4>();
        }
        if self.leave4.q.val() {
            self.escape_at_limit.d.next = false;
            self.escape_below_limit.d.next = self.escape_at_limit.q.val();
        }
        self.escape_used.next = self.used.q.val();
        self.full_waiter.next =
            self.full_step.q.val() || (self.any_waits_full.q.val() && !(self.unstep.q.val() && self.one_waits_full.q.val()));
        self.waiting_full_now.next = self.waiting_full.q.val();
        if self.full_step.q.val() {
            self.waiting_full_now.next = self.waiting_full.q.val() + 1;
        }
        if self.unstep.q.val() {
            self.waiting_full_now.next = self.waiting_full.q.val() - 1;
        }
        self.waiting_full.d.next = self.waiting_full_now.val();
        self.any_waits_full.d.next = self.waiting_full.q.val().any();
        self.one_waits_full.d.next = self.waiting_full.q.val() == bits::<ESCAPE_COUNT_BITS>(1);
        if self.full_step.q.val() {
            self.any_waits_full.d.next = true;
            self.one_waits_full.d.next = !self.waiting_full.q.val().any();
        }
        if self.unstep.q.val() {
            self.any_waits_full.d.next = (self.waiting_full.q.val() >> 1).any();
            self.one_waits_full.d.next = self.waiting_full.q.val() == bits::<ESCAPE_COUNT_BITS>(2);
        }
        self.escape_quota.s1_src.next = self.src1.val().get_bits::<NODE_BITS>(0);
        self.escape_quota.s2_src.next = self.src2.val().get_bits::<NODE_BITS>(0);
        self.escape_quota.s3_src.next = self.src3.val().get_bits::<NODE_BITS>(0);
        self.escape_quota.s4_src.next = self.src4.val().get_bits::<NODE_BITS>(0);
        self.escape_quota.s4_add.next = self.push4.q.val();
        self.escape_quota.s4_remove.next = self.leave4.q.val();
        self.escape_quota.quota.next = self.cfg_registry.escape_quota.val();
        self.entry_quota.s1_src.next = self.src1.val().get_bits::<NODE_BITS>(0);
        self.entry_quota.s2_src.next = self.src2.val().get_bits::<NODE_BITS>(0);
        self.entry_quota.s3_src.next = self.src3.val().get_bits::<NODE_BITS>(0);
        self.entry_quota.s4_src.next = self.src4.val().get_bits::<NODE_BITS>(0);
        self.entry_quota.s4_add.next = self.table.one_more.val();
        self.entry_quota.s4_remove.next = self.table.one_less.val();
        self.entry_quota.quota.next = bit_cast::<16, 8>(self.cfg_registry.entry_quota.val());
        self.start_waiters.s1_src.next = self.src1.val().get_bits::<NODE_BITS>(0);
        self.start_waiters.s2_src.next = self.src2.val().get_bits::<NODE_BITS>(0);
        self.start_waiters.s3_src.next = self.src3.val().get_bits::<NODE_BITS>(0);
        self.start_waiters.s4_src.next = self.src4.val().get_bits::<NODE_BITS>(0);
        self.start_waiters.s4_add.next = self.start_push4.q.val();
        self.start_waiters.s4_remove.next = self.start_leave4.q.val();
        self.start_waiters.quota.next = bits::<16>(1);

        // Stage 4: payloads, and what is to be told.
        self.writes.in_valid.next = self.write4.q.val();
        self.writes.in_data.next = bit_cast::<WRITE_REQUEST_BITS, 64>(self.addr4.val())
            | (bit_cast::<WRITE_REQUEST_BITS, 16>(self.bytes4.val()) << 64)
            | (bit_cast::<WRITE_REQUEST_BITS, WRITE_BITS>(self.told.push_tag.val()) << 80)
            | (bit_cast::<WRITE_REQUEST_BITS, SLOT_BITS>(self.slot4.val()) << (WRITE_BITS.to_bits::<8>() + 80));
        self.writes.out_ready.next = self.write_ready.val();
        self.write_valid.next = self.writes.out_valid.val();
        self.write_addr.next = self.writes.out_data.val().get_bits::<64>(0);
        self.write_bytes.next = self.writes.out_data.val().get_bits::<16>(64);
        self.write_tag.next = self.writes.out_data.val().get_bits::<WRITE_BITS>(80);
        self.write_slot.next = self.writes.out_data.val().get_bits::<SLOT_BITS>(80 + WRITE_BITS);
        self.slots.in_valid.next = self.follow.slot_free.val();
        self.slots.in_data.next = self.slot4.val();
        self.slots.out_ready.next = self.slot_free_ready.val();
        self.slot_free_valid.next = self.slots.out_valid.val();
        self.slot_free_slot.next = self.slots.out_data.val();

        self.told.now.next = self.ticks.now.val();
        self.told.cfg_ack_wait.next = self.cfg_registry.ack_wait.val();
        self.told.write.next = self.write4.q.val();
        self.told.ack.next = self.follow.tell_ack.val();
        self.told.finish.next = self.follow.tell_final.val();
        self.told.host.next = self.follow.tell_host.val();
        self.told.supersede.next = self.supersede4.q.val();
        self.told.arrived.next = self.arrived4.q.val();
        self.told.in_row.next = self.register4.q.val() || self.accept4.q.val() || self.release4.q.val();
        self.told.row_ended.next = self.follow.row_ended.val();
        self.told.from_row.next = self.follow.from_row.val();
        self.told.status.next = self.code.status.val();
        self.told.src.next = self.src4.val();
        self.told.op.next = self.op4.val();
        self.told.position.next = self.position4.q.val();
        self.told.addr.next = self.addr4.val();
        self.told.op_bytes.next = self.op_bytes4.val();
        self.told.count.next = self.count4.val();
        self.told.imm_valid.next = self.imm_valid4.val();
        self.told.imm.next = self.imm4.val();
        self.told.item_row.next = self.table.item_row.val();
        self.told.ended_row.next = self.table.ended_row.val();
        self.told.ended_generation.next = self.table.ended_generation.val();
        self.told.ended_up.next = self.table.ended_up.val();
        self.told.ended_lo.next = self.table.ended_lo.val();
        self.told.ended_count.next = self.table.ended_count.val();
        self.told.ended_op_bytes.next = self.table.ended_op_bytes.val();
        self.told.ended_imm_valid.next = self.table.ended_imm_valid.val();
        self.told.ended_imm.next = self.table.ended_imm.val();
        self.told.ended_mask.next = self.table.ended_mask.val();
        self.told.done_valid.next = self.write_done_valid.val();
        self.told.done_tag.next = self.write_done_tag.val();
        self.told.done_ok.next = self.write_done_ok.val();
        self.complete_valid.next = self.told.complete_valid.val();
        self.told.complete_ready.next = self.complete_ready.val();
        self.complete_kind.next = self.told.complete_kind.val();
        self.complete_src.next = self.told.complete_src.val();
        self.complete_op.next = self.told.complete_op.val();
        self.complete_base.next = self.told.complete_base.val();
        self.complete_bytes.next = self.told.complete_bytes.val();
        self.complete_packets.next = self.told.complete_packets.val();
        self.complete_status.next = self.told.complete_status.val();
        self.complete_imm_valid.next = self.told.complete_imm_valid.val();
        self.complete_imm.next = self.told.complete_imm.val();
        self.complete_mask.next = self.told.complete_mask.val();
        self.notify_valid.next = self.told.notify_valid.val();
        self.told.notify_ready.next = self.notify_ready.val();
        self.notify_kind.next = self.told.notify_kind.val();
        self.notify_src.next = self.told.notify_src.val();
        self.notify_op.next = self.told.notify_op.val();
        self.notify_index.next = self.told.notify_index.val();
        self.notify_status.next = self.told.notify_status.val();
        self.notify_mask.next = self.told.notify_mask.val();
        self.notify_packets.next = self.told.notify_packets.val();

        // Levels for software.
        self.entries_live.next = self.table.live_count.val();
        if self.table.live_count.val() > self.most_entries.q.val() {
            self.most_entries.d.next = self.table.live_count.val();
        }
        if self.used.q.val() > self.most_escape.q.val() {
            self.most_escape.d.next = self.used.q.val();
        }
        self.high_water_entries.next = self.most_entries.q.val();
        self.high_water_escape.next = self.most_escape.q.val();
        self.idle.next = self.started.val()
            && !(self.v1.q.val() && (self.kind1.val() != bits::<3>(5)))
            && !(self.v2.q.val() && (self.kind2.val() != bits::<3>(5)))
            && !(self.v3.q.val() && (self.kind3.val() != bits::<3>(5)))
            && !(self.v4.q.val() && (self.kind4.val() != bits::<3>(5)))
            && self.injector.idle.val()
            && self.told.idle.val()
            && !self.verdicts.out_valid.val()
            && !self.writes.out_valid.val()
            && !self.slots.out_valid.val();
    }
}
