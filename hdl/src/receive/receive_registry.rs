use super::{
    CommitLogic, CommitTrace, DoneRewrites, DoneTable, EndedEntry, EntryTimer, EscapeChannel, FollowUp, FreedSlots, Injector,
    Notifications, OperationsTold, PacketVerdicts, PayloadWrites, RegistryHeaders, RegistryTable, SourceCounter, StartCheck, TimedEntry,
    ToldPath, VerdictCode, WriteAnswers,
};
use crate::Described;
use crate::csr::bundles::{RegistryConfig, RegistryEvents};
use crate::primitives::{FifoLut, InitialMask, Reg, State, TickCounter};
use crate::sizes::*;
use rust_hdl::prelude::*;

super::registry_effects! {
    /// Receive registry with escape channel and done table: where each packet belongs, whatever order, path or copy it comes by.
    ///
    /// Headers come in when their payload lies in its slot; verdicts, writes, freed slots, completions for the host and notifications for
    /// the sender go out. Headers, packets that wait for another try, op timeouts, sweeps of the done table and write errors pass one
    /// pipeline. Its stage 3 decides, one packet at a time, so every verdict is that of one packet after the other in the order of `trace`.
    /// Rows begin and end there; masks, missing packets, done words and queues follow at stage 4. What the packets in front have not yet
    /// stored is added on the way: for the rows three packets, for the done table four.
    ///
    /// ```text
    ///  header ─┐   1 find         2 compare     3 commit        4 act
    ///  replay ─┼─▶ [row, done  ─▶ [with the  ─▶ [verdict,   ─▶ [ring, write, slot_free,
    ///  pseudo ─┘    word]          row; checks]  live]           masks, escape, done word]
    ///     ▲                                                         │
    ///     └──────────── escape channel ◀────────────────────────────┘
    /// ```
    ///
    /// Outputs have queues with room for all that is under way; when one fills, `header_ready` falls and nothing is lost. A packet that
    /// must wait for the shared path takes a header's clock at most 1 clock in 8; sweeps only use clocks that no header wants.
    ///
    /// Latency: 4 clocks from header to verdict, at every size. Throughput: one header per clock, any mix.
    /// Reset: synchronous; `header_ready` stays low until the done table is cleared (`2^DONE_KEY_BITS` clocks).
    /// Scan periods: entries `8 * ROWS` clocks, escape `ESCAPE_SLOTS` clocks, done words `64 * 2^DONE_KEY_BITS` clocks.
    ///
    /// Rules where the description leaves a choice: exactly half of the generations behind counts as older; a stored word of the packet's
    /// own generation wins over a newer live entry; a malformed start never touches a live entry, though its done word is written; a body
    /// with the op of a live entry but outside of its range waits; a superseding start is never blocked, for it frees its own place; a
    /// packet whose write failed is not acknowledged.
    /// Spec: receive registry, all of it.
    #[derive(Default, Described, LogicBlock)]
    pub struct ReceiveRegistry {
        /// clock
        pub clk: Signal<In, Clock>,
        /// synchronous, active high
        pub rst: Signal<In, Bit>,
        pub header: RegistryHeaders,
        pub write: PayloadWrites,
        pub write_done: WriteAnswers,
        pub slot_free: FreedSlots,
        pub complete: OperationsTold,
        pub notify: Notifications,
        pub verdict: PacketVerdicts,
        pub trace: CommitTrace,
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

    {
        // Stage registers: header, and where a replay came from. Header, low bits first: kind 3, src 16, op 24, addr 64, bytes 16,
        // op_bytes 32, count 16, rkey 32, imm_valid 1, imm 32, tag 16, slot.
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
        self.injector.header_valid.next = self.header.valid.val();
        self.injector.replay_valid.next = self.escape.replay_valid.val();
        self.injector.replay_kind.next = self.escape.replay_header.val().get_bits::<3>(0);
        self.injector.replay_src.next = self.escape.replay_header.val().get_bits::<16>(3);
        self.injector.replay_op.next = self.escape.replay_header.val().get_bits::<OP_BITS>(19);
        DoneRewrites::join(&mut self.told.rewrite, &mut self.injector.rewrite);
        self.injector.timer_offer.next = self.timer.offer.val();
        self.injector.timer_settled.next = self.timer_settled.val();
        TimedEntry::join(&mut self.table.timer, &mut self.injector.timer);
        self.header.ready.next = self.space.val() && !self.injector.must_stall.val();
        self.take_header.next = self.header.valid.val() && self.space.val() && !self.injector.must_stall.val();
        self.take_replay.next = self.injector.take_replay.val();
        self.escape.replay_take.next = self.injector.take_replay.val();
        self.not_header.next = !self.header.valid.val() || self.injector.must_stall.val();
        self.v1.d.next = self.take_header.val() || self.injector.take.val();
        self.replay1.d.next = self.take_replay.val();
        self.expired1.d.next = self.escape.replay_expired.val();
        self.waited_full1.d.next = self.escape.replay_full.val() && self.take_replay.val();
        self.header1.d.next = (bit_cast::<ESCAPE_HEADER_BITS, 3>(bit_cast::<3, 2>(self.header.kind.val())))
            | (bit_cast::<ESCAPE_HEADER_BITS, 16>(self.header.src.val()) << 3)
            | (bit_cast::<ESCAPE_HEADER_BITS, OP_BITS>(self.header.op.val()) << 19)
            | (bit_cast::<ESCAPE_HEADER_BITS, 64>(self.header.addr.val()) << 43)
            | (bit_cast::<ESCAPE_HEADER_BITS, 16>(self.header.bytes.val()) << 107)
            | (bit_cast::<ESCAPE_HEADER_BITS, 32>(self.header.op_bytes.val()) << 123)
            | (bit_cast::<ESCAPE_HEADER_BITS, 16>(self.header.count.val()) << 155)
            | (bit_cast::<ESCAPE_HEADER_BITS, 32>(self.header.rkey.val()) << 171)
            | (bit_cast::<ESCAPE_HEADER_BITS, 1>(self.header.imm_valid.val().into()) << 203)
            | (bit_cast::<ESCAPE_HEADER_BITS, 32>(self.header.imm.val()) << 204)
            | (bit_cast::<ESCAPE_HEADER_BITS, 16>(self.header.tag.val()) << 236)
            | (bit_cast::<ESCAPE_HEADER_BITS, SLOT_BITS>(self.header.slot.val()) << 252);
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
        self.done.read_key.next = bit_cast::<DONE_KEY_BITS, NODE_BITS>(self.header.src.val().get_bits::<NODE_BITS>(0))
            | (bit_cast::<DONE_KEY_BITS, OP_INDEX_BITS>(self.header.op.val().get_bits::<OP_INDEX_BITS>(0)) << NODE_BITS.to_bits::<5>());
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
        self.done.s4_generation.next = self.table.ended_entry.generation.val();

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

        // The rest of stage 4 is in `registry_effects`.
    }
}

impl ReceiveRegistry {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}
