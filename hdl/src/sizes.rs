// Widths and numbers that follow from the facts of a profile, each with its name and its reason. The facts are constants of the same names
// as in the profile, in capitals; this file and those of `sizes/` are compiled behind them, once for every set of facts that a design is
// asked for at. See `docs/src/profiles.md`.

// Beats of the frames and of the memory bus.

/// Bytes of a beat.
pub const DATA_BYTES: usize = DATA_WIDTH / 8;
/// Bits of a byte lane's number.
pub const LANE_BITS: usize = clog2(DATA_BYTES);
/// Bits of a number of bytes in a beat, all of them included.
pub const LANE_COUNT_BITS: usize = LANE_BITS + 1;
/// Bits of a number of bits in a beat.
pub const LANE_SHIFT_BITS: usize = LANE_BITS + 4;
/// Bits of two beats side by side.
pub const DOUBLE_DATA_WIDTH: usize = 2 * DATA_WIDTH;
/// Data, strobe and last: a beat of the memory bus that waits.
pub const WRITE_BEAT_BITS: usize = DATA_WIDTH + DATA_BYTES + 1;
/// Data, keep, last and the MAC's verdict: a beat of a frame that waits.
pub const FRAME_BEAT_BITS: usize = DATA_WIDTH + DATA_BYTES + 2;
/// Data and last: a beat of payload that waits.
pub const PAYLOAD_BEAT_BITS: usize = DATA_WIDTH + 1;
/// What AXI4 calls the size of a beat; it has no number for 2048 bits.
pub const AXI_SIZE: usize = if LANE_BITS > 7 { 7 } else { LANE_BITS };

// Headers in the beats of a frame.

/// Beats of a window that holds every header: 144 bytes.
pub const HEADER_BEATS: usize = (1151 + DATA_WIDTH) / DATA_WIDTH;
/// Their bits.
pub const HEADER_WINDOW_BITS: usize = HEADER_BEATS * DATA_WIDTH;
/// Beat in which a VLAN tag begins, byte 12 of the frame.
pub const TAG_BEAT: usize = 96 / DATA_WIDTH;
/// Bit of that beat in which it begins.
pub const TAG_PLACE: usize = 96 % DATA_WIDTH;
/// Bits of a beat's number in a frame.
pub const FRAME_PLACE_BITS: usize = 17 - LANE_BITS;
/// A beat of payload with what is said of it, behind the header window.
pub const PAYLOAD_ALIGN_BITS: usize = DATA_WIDTH + 37 - LANE_BITS;
/// log2 of the beats that the parser's FIFO holds.
pub const PARSER_FIFO_BITS: usize = 5 + 64 / DATA_WIDTH;
/// Bits of the number of them.
pub const PARSER_FIFO_COUNT_BITS: usize = PARSER_FIFO_BITS + 1;
/// Bits of a shift by whole words of 32 bits.
pub const WORD_SHIFT_BITS: usize = LANE_BITS - 2;
/// Half of them, rounded up: one step of the shift.
pub const WORD_SHIFT_STEP: usize = (LANE_BITS - 1) / 2;
/// Bits of the shift in two steps.
pub const WORD_SHIFT_STEPS_BITS: usize = 2 * WORD_SHIFT_STEP;

// A MAC and what stands between it and the endpoint.

/// Bytes of a beat of the MAC.
pub const MAC_BYTES: usize = MAC_WIDTH / 8;
/// Data, keep, last and a mark: a beat on its way to the MAC or from it.
pub const MAC_BEAT_BITS: usize = MAC_WIDTH + MAC_BYTES + 2;
/// log2 of the beats that wait there each way: 32 KB, seven of the longest packets.
pub const MAC_STORE_BITS: usize = 15 - clog2(MAC_BYTES);
/// Bits of the number of them.
pub const MAC_STORE_COUNT_BITS: usize = MAC_STORE_BITS + 1;
/// Beats of the shortest frame, which has 60 bytes without its FCS.
pub const PAD_BEATS: usize = 59 / MAC_BYTES + 1;
/// Bytes of the last of them that it does not have.
pub const PAD_REST: usize = PAD_BEATS * MAC_BYTES - 60;
/// The wider one of the beats on both sides.
pub const MAC_WIDE: usize = if MAC_WIDTH > DATA_WIDTH { MAC_WIDTH } else { DATA_WIDTH };
/// Its bytes.
pub const MAC_WIDE_BYTES: usize = MAC_WIDE / 8;

// The ICRC.

/// Words of 32 bits in a beat: the leaves of the tree that takes its CRC.
pub const CRC_WORDS: usize = DATA_WIDTH / 32;
/// Levels of that tree, a clock each.
pub const CRC_LEVELS: usize = LANE_BITS - 2;
/// Words and the sums of two, four and so on of them.
pub const CRC_NODES: usize = 2 * CRC_WORDS - 1;
/// Beats of a window with the first 32 bytes: all that says where the ICRC is, and what it does not cover.
pub const ICRC_WINDOW_BEATS: usize = if DATA_WIDTH < 256 { 256 / DATA_WIDTH } else { 1 };
/// Their bits.
pub const ICRC_WINDOW_BITS: usize = ICRC_WINDOW_BEATS * DATA_WIDTH;
/// Beats in which a byte lies that the ICRC does not cover: 96 bytes.
pub const ICRC_HEAD_BEATS: usize = 96_usize.div_ceil(DATA_BYTES);
/// Their bytes.
pub const ICRC_HEAD_BYTES: usize = ICRC_HEAD_BEATS * DATA_BYTES;
/// Words of a beat in which the UDP port may lie: up to the 21st of the frame.
pub const ICRC_PORT_WORDS: usize = if CRC_WORDS < 21 { CRC_WORDS } else { 21 };
/// What is known of a beat beside its CRC.
pub const ICRC_BEAT_BITS: usize = LANE_BITS + 13;
/// Clocks that take a CRC back by the bytes of a beat, two bits of their number in each.
pub const ICRC_BACK_STEPS: usize = LANE_BITS.div_ceil(2);
/// What is known of a beat on that way.
pub const ICRC_BACK_BITS: usize = 2 * ICRC_BACK_STEPS + 2;
/// Of its bits that which is in no number of a lane, and moves nothing as a 1.
pub const ICRC_BACK_ONES: usize = ((1 << (2 * ICRC_BACK_STEPS)) - (1 << LANE_BITS)) << 2;
/// What is to be written into a beat: a word, where the ICRC ends, and whether it ends in this beat or the next.
pub const ICRC_PATCH_BITS: usize = LANE_BITS + 34;

// Nodes and queue pairs.

/// Bits of a node's number.
pub const NODE_BITS: usize = if NODES > 1 { clog2(NODES) } else { 1 };
/// Bits of a number of nodes.
pub const NODE_COUNT_BITS: usize = NODE_BITS + 1;
/// log2 of the places of a queue that has one for every node: four at least.
pub const NODE_QUEUE_BITS: usize = if NODE_BITS > 2 { NODE_BITS } else { 2 };
/// Bits of the number of its places.
pub const NODE_QUEUE_COUNT_BITS: usize = NODE_QUEUE_BITS + 1;
/// What a number of 16 bits has beyond a node's.
pub const NODE_REST_BITS: usize = 16 - NODE_BITS;
/// What a queue pair's number has beyond a node's.
pub const QUEUE_PAIR_REST_BITS: usize = 24 - NODE_BITS;
/// Bits of a place in the list of queue pairs.
pub const QUEUE_PAIR_BITS: usize = clog2(QUEUE_PAIRS);

// Operations.

/// Bits of the index part of an op number.
pub const OP_INDEX_BITS: usize = clog2(OPS);
/// Bits of a number of operations.
pub const OP_COUNT_BITS: usize = OP_INDEX_BITS + 1;
/// Bits of the generation part of an op number.
pub const GENERATION_BITS: usize = OP_BITS - OP_INDEX_BITS;
/// Bits of an op number.
pub const OP_BITS: usize = rdma_rtl_hdl::wire::OP_BITS;
/// Bits of a number of generations.
pub const GENERATION_COUNT_BITS: usize = GENERATION_BITS + 1;
/// A generation with two bits of state.
pub const GENERATION_STATE_BITS: usize = GENERATION_BITS + 2;
/// A generation and 28 bits of what an operation's record says of it.
pub const OP_STATE_BITS: usize = GENERATION_BITS + 28;
/// Bits of a generation's life that are told apart.
pub const GENERATION_LIFE_BITS: usize = GENERATION_BITS - 3;
/// An op number, when it was freed, and whether.
pub const FREE_OP_BITS: usize = OP_BITS + 19;
/// Bits that count segments outstanding.
pub const OUTSTANDING_BITS: usize = OP_INDEX_BITS + 2;
/// Two of such counts and two flags.
pub const OUTSTANDING_PAIR_BITS: usize = 2 * OUTSTANDING_BITS + 2;
/// Such a count with what a command's end says.
pub const OUTSTANDING_END_BITS: usize = OUTSTANDING_BITS + 10;
/// Source and index: the address of a done word.
pub const DONE_KEY_BITS: usize = NODE_BITS + OP_INDEX_BITS;
/// Bits of a done word.
pub const DONE_BITS: usize = GENERATION_BITS + 70;

// Packets of an operation.

/// log2 of the bytes of a packet.
pub const PACKET_BITS: usize = clog2(PACKET_SIZE);
/// Bits of a number of bytes in a packet.
pub const PACKET_COUNT_BITS: usize = PACKET_BITS + 1;
/// What a length has beyond a packet's bytes.
pub const PACKET_LENGTH_REST_BITS: usize = 32 - PACKET_BITS;
/// What an address has beyond a packet's bytes.
pub const PACKET_ADDRESS_REST_BITS: usize = 64 - PACKET_BITS;
/// Bits of a packet's number in its operation.
pub const POSITION_BITS: usize = clog2(MASK_BITS);
/// Bits of a number of packets.
pub const POSITION_COUNT_BITS: usize = POSITION_BITS + 1;
/// Bits of the sum of two numbers of packets.
pub const POSITION_SUM_BITS: usize = POSITION_BITS + 2;
/// Bits of the number of eight packets in their operation.
pub const POSITION_OCTET_BITS: usize = POSITION_BITS - 3;
/// What an address has beyond the bytes of an operation: the number of a block.
pub const BLOCK_BITS: usize = 64 - OPERATION_BITS;
/// log2 of the bytes of an operation.
pub const OPERATION_BITS: usize = PACKET_BITS + POSITION_BITS;
/// Bits of a number of bytes in an operation.
pub const OPERATION_COUNT_BITS: usize = OPERATION_BITS + 1;

// Masks of an operation, in words of at most 64 packets.

/// Words of a mask.
pub const MASK_WORDS: usize = MASK_BITS.div_ceil(64);
/// Bits of a word's number, at least 1.
pub const MASK_WORD_NUMBER_BITS: usize = if MASK_WORDS > 1 { clog2(MASK_WORDS) } else { 1 };
/// Packets of a word.
pub const MASK_WORD_BITS: usize = MASK_BITS / MASK_WORDS;
/// Bits of a packet's number in its word.
pub const MASK_PLACE_BITS: usize = clog2(MASK_WORD_BITS);
/// Bits of a number of packets in a word.
pub const MASK_PLACE_COUNT_BITS: usize = MASK_PLACE_BITS + 1;
/// What a number of packets has beyond those of a word.
pub const MASK_WORD_COUNT_BITS: usize = POSITION_COUNT_BITS - MASK_PLACE_BITS;
/// log2 of the eighths of a word.
pub const MASK_OCTET_BITS: usize = MASK_PLACE_BITS - 3;
/// Address of a mask word in the memory of all operations.
pub const MASK_ADDRESS_BITS: usize = OP_INDEX_BITS + MASK_WORD_NUMBER_BITS;
/// Which words of a mask are complete, twice, and a flag.
pub const MASK_STATE_BITS: usize = 2 * MASK_WORDS + 1;

// The registry.

/// Rows of the registry's table: entries and those that are being freed.
pub const ROWS: usize = ENTRIES + 4;
/// Bits of a row's number.
pub const ROW_BITS: usize = clog2(ROWS);
/// Bits of a number of rows.
pub const ROW_COUNT_BITS: usize = clog2(ROWS + 1);
/// What an entry keeps beside its mask.
pub const ENTRY_BITS: usize = GENERATION_BITS + BLOCK_BITS + 2 * POSITION_BITS + POSITION_COUNT_BITS + PACKET_COUNT_BITS + 33;
/// Bits of a verdict that go with the packet's row.
pub const VERDICT_BITS: usize = 28;
/// Bits of an escape slot's number.
pub const ESCAPE_BITS: usize = clog2(ESCAPE_SLOTS);
/// Bits of a number of escape slots.
pub const ESCAPE_COUNT_BITS: usize = ESCAPE_BITS + 1;
/// A header that waits in the escape channel.
pub const ESCAPE_HEADER_BITS: usize = 252 + SLOT_BITS;
/// What is told of an operation, behind its writes.
pub const TOLD_BITS: usize = 214 + MASK_BITS;
/// The same with its row.
pub const TOLD_ROW_BITS: usize = TOLD_BITS + ROW_BITS;
/// What a follow-up says of an operation, with its row.
pub const FOLLOW_UP_BITS: usize = 169 + MASK_BITS + ROW_BITS;
/// A completion on its way to the queue.
pub const COMPLETION_BITS: usize = 194 + MASK_BITS;

// Payload slots of the receive side, and the way to memory.

/// Bits of a payload slot's number.
pub const SLOT_BITS: usize = clog2(PAYLOAD_SLOTS);
/// Bits of a number of payload slots.
pub const SLOT_COUNT_BITS: usize = SLOT_BITS + 1;
/// log2 of the words of the ring of verdicts: two for every slot.
pub const VERDICT_RING_BITS: usize = SLOT_BITS + 1;
/// Bits of a number of words in it.
pub const VERDICT_RING_COUNT_BITS: usize = SLOT_BITS + 2;
/// log2 of the beats of a slot.
pub const SLOT_BEATS_BITS: usize = PACKET_BITS - LANE_BITS;
/// Bits of a beat's number in its slot, at least 1.
pub const SLOT_PLACE_BITS: usize = if SLOT_BEATS_BITS > 0 { SLOT_BEATS_BITS } else { 1 };
/// Bits of a number of beats in a slot.
pub const SLOT_BEATS_COUNT_BITS: usize = SLOT_BEATS_BITS + 1;
/// Address of a beat in the packet buffer.
pub const SLOT_ADDRESS_BITS: usize = SLOT_BITS + SLOT_BEATS_BITS;
/// A packet of the registry transport on its way through the receive path.
pub const REGISTRY_PACKET_BITS: usize = 235 + SLOT_BITS;
/// A packet of the combined transport on the same way.
pub const COMBINED_PACKET_BITS: usize = 264 + SLOT_BITS;
/// A packet of the bitmap transport on the same way.
pub const BITMAP_PACKET_BITS: usize = 143 + NODE_BITS + SLOT_BITS;
/// The same where it waits for its arrival.
pub const GATED_PACKET_BITS: usize = 154 + NODE_BITS + SLOT_BITS;
/// An immediate that waits for its turn.
pub const WAITING_IMMEDIATE_BITS: usize = 136 + NODE_BITS;
/// A write that is asked for: address, bytes, slot and tag.
pub const WRITE_REQUEST_BITS: usize = 80 + WRITE_BITS + SLOT_BITS;
/// Bits of a write's tag.
pub const WRITE_BITS: usize = clog2(WRITES);
/// Bits of a number of writes.
pub const WRITE_COUNT_BITS: usize = WRITE_BITS + 1;
/// log2 of the beats of a block that a burst does not leave: 4 KB, and 128 beats at most.
pub const BURST_BLOCK_BITS: usize = 12 - LANE_BITS - 64 / DATA_WIDTH;
/// What an address has beyond such a block.
pub const BURST_BLOCK_NUMBER_BITS: usize = 64 - LANE_BITS - BURST_BLOCK_BITS;
/// Bits of a number of beats in 4 KB.
pub const BURST_COUNT_BITS: usize = 13 - LANE_BITS;
/// A burst that waits for its beats.
pub const BURST_BITS: usize = 11 + 2 * LANE_BITS + SLOT_BITS;
/// A burst's address with its tag.
pub const BURST_ADDRESS_BITS: usize = 72 - LANE_BITS + WRITE_BITS;
/// An address of either master of the merge, with its tag.
pub const MERGE_ADDRESS_BITS: usize = 73 + WRITE_BITS;
/// Bits of a burst's number among those without response.
pub const BURSTS_BITS: usize = clog2(BURSTS);
/// Bits of a number of them.
pub const BURSTS_COUNT_BITS: usize = BURSTS_BITS + 1;
/// A step of the shift that lines bytes up with memory.
pub const BYTE_SHIFT_STEP: usize = LANE_BITS.div_ceil(2);
/// Bits of the shift in two steps.
pub const BYTE_SHIFT_STEPS_BITS: usize = 2 * BYTE_SHIFT_STEP;
/// Bits of a step's number of places.
pub const BYTE_SHIFT_COUNT_BITS: usize = BYTE_SHIFT_STEP + 1;
/// Bits of a word of completions: a beat, and one entry of 512 bits at least.
pub const COMPLETION_WORD_BITS: usize = if DATA_WIDTH > 512 { DATA_WIDTH } else { 512 };
/// Entries in it.
pub const COMPLETION_WORD_ENTRIES: usize = COMPLETION_WORD_BITS / 512;

// Windows of packets and their segments.

/// log2 of the packets of a window.
pub const WINDOW_BITS: usize = clog2(WINDOW);
/// log2 of the PSNs of a window, of which each packet of it has several with groups.
pub const WINDOW_PSN_BITS: usize = clog2(WINDOW * GRANULARITY);
/// What a PSN has beyond its place in the window.
pub const WINDOW_REST_BITS: usize = 24 - WINDOW_PSN_BITS;
/// Bits of a number of packets in a window.
pub const WINDOW_COUNT_BITS: usize = WINDOW_BITS + 1;
/// log2 of the packets of a segment.
pub const SEGMENT_BITS: usize = clog2(SEGMENT);
/// Bits of a number of packets in a segment.
pub const SEGMENT_COUNT_BITS: usize = SEGMENT_BITS + 1;
/// What a PSN has beyond its place in its segment.
pub const SEGMENT_REST_BITS: usize = 24 - SEGMENT_BITS;
/// log2 of the segments of a window.
pub const WINDOW_SEGMENTS_BITS: usize = WINDOW_PSN_BITS - SEGMENT_BITS;
/// Bits of a number of segments in a window.
pub const WINDOW_SEGMENTS_COUNT_BITS: usize = WINDOW_SEGMENTS_BITS + 1;
/// Address of a segment in the memory of all windows.
pub const SEGMENT_ADDRESS_BITS: usize = NODE_BITS + WINDOW_SEGMENTS_BITS;
/// Address of a packet in the memory of all windows.
pub const WINDOW_ADDRESS_BITS: usize = NODE_BITS + WINDOW_BITS;
/// Address of a segment in the pool, or in the memory of all windows where there is no pool.
pub const POOL_ADDRESS_BITS: usize = if POOL == 0 { SEGMENT_ADDRESS_BITS } else { clog2(POOL) };
/// The same with a flag.
pub const POOL_FREE_BITS: usize = POOL_ADDRESS_BITS + 1;
/// The same with two.
pub const POOL_ENTRY_BITS: usize = POOL_ADDRESS_BITS + 2;
/// Three masks of a segment and a PSN.
pub const SEGMENT_WORD_BITS: usize = 3 * SEGMENT + 24;
/// A packet that was dropped: queue pair and PSN.
pub const DROPPED_BITS: usize = NODE_BITS + 24;
/// What the ring keeps of a verdict.
pub const RING_VERDICT_BITS: usize = NODE_BITS + 29;
/// A feedback message that waits.
pub const FEEDBACK_BITS: usize = NODE_BITS + 81;
/// A packet that was sent: op number and its packet.
pub const SENT_BITS: usize = OP_BITS + POSITION_BITS;
/// The same with whether it is there.
pub const SENT_ENTRY_BITS: usize = SENT_BITS + 1;

// The measured round trip.

/// Bits of what a packet is known by whose round trip is timed: a PSN, or an op number.
pub const KEY_BITS: usize = 24;
/// Bits of a number of ticks, modulo which they are.
pub const TICK_BITS: usize = 32;
/// Bits of a sample of the round trip, in ticks.
pub const SAMPLE_BITS: usize = 24;
/// Bits of the difference of two, with a sign.
pub const ERROR_BITS: usize = SAMPLE_BITS + 1;
/// Bits of the smoothed round trip, in eighths of a tick. A timeout without its limits, five samples at most, has as many.
pub const SMOOTHED_BITS: usize = SAMPLE_BITS + 3;
/// Bits of the deviation, which is one sample at most, in quarters of a tick.
pub const DEVIATION_BITS: usize = SAMPLE_BITS + 2;
/// Both.
pub const ESTIMATE_BITS: usize = SMOOTHED_BITS + DEVIATION_BITS;
/// Bits of a timeout that is doubled seven times.
pub const DOUBLED_BITS: usize = TICK_BITS + 7;

// Commands, their segments and the send buffer.

/// Bits of a command's place.
pub const COMMAND_BITS: usize = clog2(COMMANDS);
/// Bits of a number of commands.
pub const COMMAND_COUNT_BITS: usize = COMMAND_BITS + 1;
/// A command's place with 32 bits of length.
pub const COMMAND_LENGTH_BITS: usize = COMMAND_BITS + 32;
/// The same with a flag.
pub const COMMAND_RESULT_BITS: usize = COMMAND_BITS + 33;
/// An answer to the host.
pub const COMMAND_ANSWER_BITS: usize = COMMAND_BITS + 19;
/// The end of an operation, with its command.
pub const OP_END_BITS: usize = OP_BITS + COMMAND_BITS + 10;
/// A segment whose operation is under way.
pub const SEGMENT_UNDER_WAY_BITS: usize = COMMAND_BITS + POSITION_BITS + 35;
/// A segment of a command.
pub const COMMAND_SEGMENT_BITS: usize = COMMAND_BITS + POSITION_COUNT_BITS + 4 * OPERATION_COUNT_BITS + 460;
/// log2 of the bytes of a beat of the CDMA's memory bus.
pub const DMA_LANE_BITS: usize = clog2(DMA_WIDTH / 8);
/// What a length has beyond the CDMA's byte counter.
pub const BTT_REST_BITS: usize = 32 - BTT_BITS;
/// log2 of the descriptors of the ring.
pub const DESCRIPTOR_BITS: usize = clog2(RING);
/// A word's address in the ring: eight are written of each descriptor.
pub const DESCRIPTOR_WORD_BITS: usize = DESCRIPTOR_BITS + 3;
/// A byte's address in the ring: a descriptor has 64.
pub const DESCRIPTOR_BYTE_BITS: usize = DESCRIPTOR_BITS + 6;
/// Bits of the number of a slot of the send buffer.
pub const SEND_SLOT_BITS: usize = clog2(SLOTS);
/// Bits of a number of such slots.
pub const SEND_SLOT_COUNT_BITS: usize = SEND_SLOT_BITS + 1;
/// log2 of the beats of such a slot.
pub const SEND_SLOT_BEATS_BITS: usize = OPERATION_BITS - LANE_BITS;
/// Address of a beat in the send buffer.
pub const SEND_ADDRESS_BITS: usize = SEND_SLOT_BITS + SEND_SLOT_BEATS_BITS;
/// Bits of a number of beats in the send buffer.
pub const SEND_ADDRESS_COUNT_BITS: usize = SEND_ADDRESS_BITS + 1;
/// A burst that waits: beat address, refused, length.
pub const SEND_BURST_BITS: usize = SEND_ADDRESS_BITS + 9;
/// Slots of the send buffer that operations are loaded into: with `refetch` the last one is for packets that are pulled again.
pub const LOAD_SLOTS: usize = SLOTS - REFETCH;
/// The answer of a load: its slot, its status.
pub const LOADED_BITS: usize = SEND_SLOT_BITS + 8;
/// Packets that may be pulled again at a time; a slot has room for as many.
pub const PULL_PLACES: usize = 32;
/// Bits of the place of one in the last slot.
pub const PULL_PLACE_BITS: usize = clog2(PULL_PLACES);
/// Bits of a number of them.
pub const PULL_PLACE_COUNT_BITS: usize = PULL_PLACE_BITS + 1;
/// Bits of the difference of two numbers of bytes of an operation, with a sign.
pub const OPERATION_DIFFERENCE_BITS: usize = OPERATION_COUNT_BITS + 1;
/// Where an operation comes from in the host's memory: four addresses and lengths, its generation, and whether it has payload.
pub const KEPT_BITS: usize = 385 + GENERATION_BITS;
/// A packet that is pulled again: operation, its number there, its try.
pub const PULL_BITS: usize = OP_BITS + POSITION_BITS + 5;
/// The same, an abort or a close, as it waits for its turn.
pub const WANTED_BITS: usize = PULL_BITS + 2;
/// What an address has beyond the send buffer.
pub const SEND_BASE_BITS: usize = 64 - SEND_SLOT_BITS - OPERATION_BITS;
/// What a packet engine reads of the send buffer: slot, offset, bytes.
pub const SEND_READ_BITS: usize = SEND_SLOT_BITS + OPERATION_BITS + 13;
/// An operation's record in the packet engine.
pub const OP_RECORD_BITS: usize = 203 + SEND_SLOT_BITS + POSITION_COUNT_BITS;
/// An operation that waits for its load.
pub const LOAD_BITS: usize = 226 + POSITION_COUNT_BITS;
/// A first pass over the packets of an operation.
pub const FIRST_PASS_BITS: usize = 41 + POSITION_COUNT_BITS;
/// A packet that is sent again.
pub const AGAIN_BITS: usize = 29 + POSITION_BITS;
/// A packet's headers, before they are a frame.
pub const HEADERS_BITS: usize = 913 + POSITION_BITS;

// The op table.

/// An operation as the table keeps it.
pub const TABLE_RECORD_BITS: usize = GENERATION_BITS + POSITION_COUNT_BITS + COMMAND_BITS + 3;
/// A mask word that an acknowledgement brings, with its op number.
pub const TABLE_ACK_BITS: usize = OP_BITS + MASK_WORD_NUMBER_BITS + MASK_WORD_BITS;
/// The same as it waits.
pub const TABLE_ACK_QUEUE_BITS: usize = TABLE_ACK_BITS + 9;
/// Address of eight deadlines.
pub const DEADLINE_ADDRESS_BITS: usize = OP_INDEX_BITS + POSITION_OCTET_BITS;
/// Eight packets of an operation whose time is over.
pub const DEADLINE_HIT_BITS: usize = OP_BITS + POSITION_OCTET_BITS + 64;
/// A packet that is to be sent again, with its tries.
pub const RETRY_BITS: usize = OP_BITS + POSITION_BITS + 6;
/// log2 of the packets that wait to be sent again.
pub const RETRIES_BITS: usize = clog2(RETRIES);
/// Bits of a number of them.
pub const RETRIES_COUNT_BITS: usize = RETRIES_BITS + 1;

// Extended headers, and what differs between the transports (0 registry, 1 bitmap, 2 combined).

/// Extended headers beyond those of RoCE, as many words of 96 bits as the profile has.
pub const EXTENSION_BITS: usize = 96 * (WQE_ETH + LR2_ETH + CETH).div_ceil(3);
/// The transport headers of a packet as they lie in its frame.
pub const TRANSPORT_HEADER_BITS: usize = 224 + EXTENSION_BITS;
/// What is known of a packet's headers once they are decoded.
pub const DECODED_BITS: usize = 403 + EXTENSION_BITS;
/// What the parser says of a packet.
pub const PACKET_HEADER_BITS: usize = 344 + EXTENSION_BITS;
/// An immediate and what goes with it: its PSN, path and whether it is sent again.
pub const IMMEDIATE_BITS: usize = if TRANSPORT == 0 { 32 } else { 61 };
/// What the packet buffer keeps of a header beside its slot.
pub const BUFFER_HEADER_BITS: usize = 185 + IMMEDIATE_BITS;
/// Bits of a load's tag at the CDMA's driver, and one more.
pub const TAG_COUNT_BITS: usize = TAG_BITS + 1;

// Congestion.

/// Bits of the number of a queue pair with a rate of its own.
pub const RATE_PAIR_BITS: usize = clog2(RATES);
/// Bits of the clock in which a bucket was changed last.
pub const TOKEN_TIME_BITS: usize = 24;
/// A rate and such a clock.
pub const RATE_WORD_BITS: usize = 28 + TOKEN_TIME_BITS;
/// log2 of the clocks between two visits of buckets: each has its visit before half of the time is over.
pub const PATROL_BITS: usize = TOKEN_TIME_BITS - 1 - RATE_PAIR_BITS;
/// Bits of the clock in which a packet of a queue pair came last.
pub const DEGREE_TIME_BITS: usize = 24;
/// log2 of the clocks between two visits of windows.
pub const DEGREE_PATROL_BITS: usize = DEGREE_TIME_BITS - 1 - RATE_PAIR_BITS;
