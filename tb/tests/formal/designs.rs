//! The designs of the proofs, as small as a proof needs them.

use super::*;

pub fn fifo_async() -> String {
    by_steps(&verilog(FifoAsync::<2, 2, 3, 2>::default(), "fifo_async"))
}

/// Two queue pairs, segments of four packets.
pub fn advance_engine() -> String {
    emitted(sized("bitmap::AdvanceEngine", "default()", &[("NODE_BITS", 1), ("SEGMENT", 4), ("WINDOW_SEGMENTS_BITS", 1)]), "advance_engine")
}

/// Two queue pairs with windows of 16 packets in segments of 4.
pub fn bitmap_pipeline() -> String {
    emitted(
        sized("bitmap::BitmapPipeline::<3, 5, 4>", "new()", &[("NODE_BITS", 1), ("WINDOW_PSN_BITS", 4), ("SEGMENT", 4)]),
        "bitmap_pipeline",
    )
}

/// Two queue pairs, four segments in the pool, windows of four at most.
pub fn segment_pool() -> String {
    emitted(
        sized("bitmap::SegmentPool::<2, 4, 3>", "new()", &[("NODE_BITS", 1), ("SEGMENT_REST_BITS", 4), ("WINDOW_SEGMENTS_BITS", 2)]),
        "segment_pool",
    )
}

/// Two queue pairs, a time of four bits.
pub fn queue_pair_buckets() -> String {
    emitted(sized("congestion::QueuePairBuckets", "default()", &[("RATES", 2), ("TOKEN_TIME_BITS", 4)]), "queue_pair_buckets")
}

/// A ring of four descriptors, tags of two bits.
pub fn cdma_driver() -> String {
    emitted(sized("send::CdmaDriver", "new()", &[("DESCRIPTOR_BITS", 2), ("TAG_BITS", 2)]), "cdma_driver")
}

/// 64 bits, four slots of 16 bytes, four tags, two bursts without response.
pub fn memory_writer() -> String {
    emitted(
        sized(
            "memory::MemoryWriter",
            "new()",
            &[("DATA_WIDTH", 64), ("SLOT_BITS", 2), ("SLOT_PLACE_BITS", 1), ("WRITE_BITS", 2), ("BURSTS_BITS", 1)],
        ),
        "memory_writer",
    )
}

/// Beats of 8 bytes.
pub fn burst_splitter() -> String {
    emitted(
        sized("memory::BurstSplitter", "new()", &[("LANE_BITS", 3), ("BURST_BLOCK_BITS", 8), ("WRITE_BITS", 1), ("SLOT_BITS", 1)]),
        "burst_splitter",
    )
}

/// 64 bits, masks of 32.
pub fn completion_queue() -> String {
    emitted(sized("memory::CompletionQueue", "default()", &[("DATA_WIDTH", 64)]), "completion_queue")
}

/// Beats of 8 bytes, four nodes.
pub fn control_builder() -> String {
    emitted(sized("wire::ControlBuilder", "new()", &[("DATA_WIDTH", 64), ("NODES", 4)]), "control_builder")
}

/// Beats of one byte, two ID bits.
pub fn axi_write_merge() -> String {
    emitted(sized("memory::AxiWriteMerge", "new()", &[("DATA_WIDTH", 8), ("WRITE_BITS", 2)]), "axi_write_merge")
}

/// Beats of 8 bytes, OpETH alone.
pub fn frame_parser() -> String {
    let design = rdma_rtl_tb::catalogue::find("frame_parser", "small").unwrap().elaborate().unwrap();
    emit(&design).into_iter().map(|file| file.text).collect()
}

/// Beats of 8 bytes.
pub fn icrc_check() -> String {
    let design = rdma_rtl_tb::catalogue::find("icrc_check", "small").unwrap().elaborate().unwrap();
    emit(&design).into_iter().map(|file| file.text).collect()
}

/// Commit logic with what follows from it and the codes that it stands for.
pub fn commit_logic() -> String {
    verilog(CommitLogic::default(), "commit_logic")
        + &verilog(FollowUp::default(), "follow_up")
        + &verilog(VerdictCode::default(), "verdict_code")
}

/// One row: one source bit, one index bit, 2 + 3 bits of block number, 8 mask bits.
pub fn registry_row() -> String {
    emitted(
        sized("receive::RegistryRow", "default()", &[("NODE_BITS", 1), ("OP_INDEX_BITS", 1), ("BLOCK_BITS", 2), ("MASK_BITS", 8)]),
        "registry_row",
    )
}

/// Four slots, one source bit, one index bit, headers of three bits.
pub fn escape_channel() -> String {
    emitted(
        sized(
            "receive::EscapeChannel",
            "default()",
            &[("ESCAPE_SLOTS", 4), ("ESCAPE_HEADER_BITS", 3), ("NODE_BITS", 1), ("DONE_KEY_BITS", 2)],
        ),
        "escape_channel",
    )
}

/// Two entries of eight packets, two sources, two indices, eight generations.
pub fn registry_pipeline() -> String {
    emitted(
        sized(
            "receive::RegistryTable",
            "default()",
            &[
                ("NODE_BITS", 1),
                ("GENERATION_BITS", 3),
                ("OP_INDEX_BITS", 1),
                ("BLOCK_BITS", 2),
                ("PACKET_COUNT_BITS", 60),
                ("MASK_BITS", 8),
                ("ROWS", 6),
                ("ROW_COUNT_BITS", 2),
            ],
        ),
        "registry_table",
    ) + &verilog(CommitLogic::default(), "commit_logic")
        + &verilog(InitialMask::<8, 4, 0>::default(), "initial_mask")
}

/// The same table at the width of real block numbers, for what is found of them in parts.
pub fn registry_neighbour() -> String {
    emitted(
        sized(
            "receive::RegistryTable",
            "default()",
            &[
                ("NODE_BITS", 1),
                ("GENERATION_BITS", 3),
                ("OP_INDEX_BITS", 1),
                ("BLOCK_BITS", 50),
                ("PACKET_COUNT_BITS", 12),
                ("MASK_BITS", 8),
                ("ROWS", 6),
                ("ROW_COUNT_BITS", 2),
            ],
        ),
        "registry_table",
    )
}

pub fn range_meet() -> String {
    verilog(RangeMeet::<50, 5, 6>::default(), "range_meet")
}

pub fn sentry_step() -> String {
    emitted(sized("lr2::SentryStep", "default()", &[]), "sentry_step")
}

/// Two flows, 16 bits of each, words of four.
pub fn sentry_bits() -> String {
    emitted(sized("lr2::SentryBits", "default()", &[("FLOWS", 2), ("FILTER_BITS", 16), ("FILTER_WORD", 4)]), "sentry_bits")
}

/// Two flows. The bits are small, and what they answer is anything for the proof.
pub fn sentry_flows() -> String {
    emitted(sized("lr2::SentryFlows", "default()", &[("FLOWS", 2), ("FILTER_BITS", 16), ("FILTER_WORD", 4)]), "sentry_flows")
}

pub fn depot_step() -> String {
    emitted(sized("lr2::DepotStep", "default()", &[]), "depot_step")
}

/// Four places, counts of three bits.
pub fn command_table() -> String {
    verilog(CommandTable::<2, 3, 8, 13>::new(), "command_table")
}

/// Two op numbers at a time, four slots of 8 bytes.
pub fn op_loader() -> String {
    emitted(
        sized(
            "send::OpLoader",
            "new()",
            &[("COMMAND_BITS", 1), ("POSITION_COUNT_BITS", 2), ("OP_INDEX_BITS", 1), ("SLOTS", 4), ("OPERATION_BITS", 3)],
        ),
        "op_loader",
    )
}

/// Two operations of one or two packets, two nodes.
pub fn op_records() -> String {
    emitted(
        sized("send::OpRecords", "new()", &[("OP_INDEX_BITS", 1), ("POSITION_BITS", 1), ("OP_RECORD_BITS", 3), ("NODE_BITS", 1)]),
        "op_records",
    )
}

/// Two queue pairs, operations of one or two packets.
pub fn window_gate() -> String {
    verilog(WindowGate::<1, 1>::default(), "window_gate")
}

/// Two nodes, keys of 3 bits, ticks of 8, samples of 3.
pub fn round_trip() -> String {
    emitted(sized("send::RoundTrip", "default()", &[("NODES", 2), ("KEY_BITS", 3), ("TICK_BITS", 8), ("SAMPLE_BITS", 3)]), "round_trip")
}

/// Beats of two bytes.
pub fn frame_merge() -> String {
    verilog(FrameMerge::<16, 2>::default(), "frame_merge")
}

/// Two indices, two mask words of four packets, op numbers of three bits.
pub fn ack_mask() -> String {
    emitted(
        sized(
            "send::AckMask",
            "new()",
            &[("OP_INDEX_BITS", 1), ("OP_BITS", 3), ("COMMAND_BITS", 1), ("MASK_WORD_BITS", 4), ("MASK_WORDS", 2)],
        ),
        "ack_mask",
    )
}

/// Four queue pairs.
pub fn immediate_list() -> String {
    verilog(ImmediateList::<2, 4, 138>::default(), "immediate_list")
}

/// Two queue pairs, sixteen slots.
pub fn verdict_ring() -> String {
    emitted(sized("receive::VerdictRing", "new()", &[("NODE_BITS", 1), ("SLOT_BITS", 4), ("WRITE_BITS", 2)]), "verdict_ring")
}

/// Four indices, generations of three bits, four packets.
pub fn start_gate() -> String {
    emitted(
        sized("send::StartGate", "default()", &[("OP_INDEX_BITS", 2), ("OP_BITS", 5), ("GENERATION_BITS", 3), ("POSITION_BITS", 2)]),
        "start_gate",
    )
}

pub fn frame_store() -> String {
    emitted(sized("wire::FrameStore", "new()", &[("MAC_WIDTH", 64), ("MAC_BEAT_BITS", 4), ("MAC_STORE_BITS", 2)]), "frame_store")
}
