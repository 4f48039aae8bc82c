// Sentry and Depot.

/// What a Sentry is told of: a SEND or WRITE,
pub const LR2_DATA: usize = 0;
/// a READ request, atomic, FLUSH or ATOMIC WRITE,
pub const LR2_REQUEST: usize = 1;
/// an acknowledgement,
pub const LR2_ACK: usize = 2;
/// a READ response or atomic acknowledgement,
pub const LR2_RESPONSE: usize = 3;
/// a sequence error or RNR NAK of the receiving card,
pub const LR2_NAK: usize = 4;
/// another NAK,
pub const LR2_REFUSAL: usize = 5;
/// a Depot-NACK,
pub const LR2_DEPOT_NACK: usize = 6;
/// and a visit without a packet, for what has run out.
pub const LR2_VISIT: usize = 7;
/// A Depot is told of these with one bit more. In place of a Depot-NACK it has a probe,
pub const LR2_PROBE: usize = 6;
/// and two more: an RNR NAK,
pub const LR2_RNR: usize = 8;
/// and a packet that its pools let go.
pub const LR2_RELEASE: usize = 9;
/// What a Sentry decides: on as it came,
pub const SENTRY_UNTOUCHED: usize = 0;
/// in order, on,
pub const SENTRY_FORWARDED: usize = 1;
/// repeated, asked for, on with priority,
pub const SENTRY_ASKED: usize = 2;
/// repeated, not of an episode, on,
pub const SENTRY_REPLAYED: usize = 3;
/// repeated, of an episode, not asked for, dropped,
pub const SENTRY_FILTERED: usize = 4;
/// behind a loss, dropped,
pub const SENTRY_GAP: usize = 5;
/// a Depot-NACK that goes to the card,
pub const SENTRY_PASSED: usize = 6;
/// that is marked alone,
pub const SENTRY_NOTED: usize = 7;
/// that says nothing new,
pub const SENTRY_STALE: usize = 8;
/// and a packet that may be of a new life of its queue pair, on.
pub const SENTRY_STRANGE: usize = 9;
/// log2 of the PSNs of which a Sentry knows whether they were asked for.
pub const FILTER_PLACE_BITS: usize = clog2(FILTER_BITS);
/// Bits of a number of them.
pub const FILTER_COUNT_BITS: usize = FILTER_PLACE_BITS + 1;
/// Bits of a flow's number.
pub const FLOW_BITS: usize = clog2(FLOWS);
/// Bits of a number of flows.
pub const FLOW_COUNT_BITS: usize = FLOW_BITS + 1;
/// Bits of a word of those.
pub const FILTER_WORD: usize = 64;
/// log2 of them.
pub const FILTER_WORD_BITS: usize = clog2(FILTER_WORD);
/// Bits of a number of them.
pub const FILTER_WORD_COUNT_BITS: usize = FILTER_WORD_BITS + 1;
/// log2 of the words of a flow.
pub const FILTER_WORDS_BITS: usize = FILTER_PLACE_BITS - FILTER_WORD_BITS;
/// Address of a word of all flows.
pub const FILTER_ADDRESS_BITS: usize = FLOW_BITS + FILTER_WORDS_BITS;
/// A flow's state.
pub const SENTRY_STATE_BITS: usize = 373;
/// The same with what its cards are.
pub const SENTRY_FLOW_BITS: usize = SENTRY_STATE_BITS + 1;
/// A change of a flow's bits: flow, two flags, two PSNs and two lengths.
pub const SENTRY_CHANGE_BITS: usize = FLOW_BITS + 2 * FILTER_COUNT_BITS + 50;
/// What a Depot decides: on as it came,
pub const DEPOT_UNTOUCHED: usize = 0;
/// in order, on,
pub const DEPOT_FORWARDED: usize = 1;
/// held until its turn,
pub const DEPOT_HELD: usize = 2;
/// dropped, for there is no room,
pub const DEPOT_FULL: usize = 3;
/// dropped, for it is held already, or a copy of it is,
pub const DEPOT_DUPLICATE: usize = 4;
/// sent again, on,
pub const DEPOT_REPLAYED: usize = 5;
/// dropped, for the receiving card has it,
pub const DEPOT_REACKNOWLEDGED: usize = 6;
/// for the Depot itself,
pub const DEPOT_CONSUMED: usize = 7;
/// a NAK that became an acknowledgement,
pub const DEPOT_INTERCEPTED: usize = 8;
/// a NAK that says nothing new, on,
pub const DEPOT_STALE: usize = 9;
/// a packet that may be of a new life of its queue pair, on,
pub const DEPOT_STRANGE: usize = 10;
/// and one that waits at the input until its flow has let something go.
pub const DEPOT_WAITS: usize = 11;
/// log2 of the PSNs that a Depot can hold of a flow, `R`.
pub const REACH_BITS: usize = clog2(REACH);
/// Bits of a number of them.
pub const REACH_COUNT_BITS: usize = REACH_BITS + 1;
/// A flow's state at a Depot.
pub const DEPOT_STATE_BITS: usize = 366;
/// PSNs of a segment of a Depot's map.
pub const MAP_SEGMENT: usize = 64;
/// log2 of them.
pub const MAP_SEGMENT_BITS: usize = clog2(MAP_SEGMENT);
/// Bits of a number of them.
pub const MAP_SEGMENT_COUNT_BITS: usize = MAP_SEGMENT_BITS + 1;
/// log2 of the segments of a flow's ring.
pub const MAP_RING_BITS: usize = REACH_BITS - MAP_SEGMENT_BITS;
/// Address of a flow's segment in the table of all flows.
pub const MAP_ADDRESS_BITS: usize = FLOW_BITS + MAP_RING_BITS;
/// A segment: for each PSN whether it is taken, and whether a packet begins there.
pub const MAP_WORD_BITS: usize = 2 * MAP_SEGMENT;
/// Events that are under way in a Depot, and their changes of the pools,
pub const TICKETS: usize = 8;
/// by number.
pub const TICKET_BITS: usize = clog2(TICKETS);
/// Bits of the place of a packet in one of a Depot's pools.
pub const DEPOT_PLACE_BITS: usize = clog2(PLACES);
/// Bits of a number of them.
pub const DEPOT_PLACE_COUNT_BITS: usize = DEPOT_PLACE_BITS + 1;
/// A place and a PSN of a segment.
pub const DEPOT_POINTER_BITS: usize = DEPOT_PLACE_BITS + MAP_SEGMENT_BITS;
/// What is kept of a packet that is held: its PSNs, whether it is a request, whether it asks for an acknowledgement.
pub const HELD_RECORD_BITS: usize = 26;
/// What is to be done in the reordering pool: ticket, flow, flags, PSNs and lengths.
pub const HELD_ORDER_BITS: usize = TICKET_BITS + FLOW_BITS + REACH_COUNT_BITS + 200;
/// In the backup pool: ticket, flow, two flags, two PSNs, a length.
pub const COPY_ORDER_BITS: usize = TICKET_BITS + FLOW_BITS + REACH_COUNT_BITS + 50;
/// A flow's state at a Depot, with what its cards are.
pub const DEPOT_FLOW_BITS: usize = DEPOT_STATE_BITS + 1;
/// A Depot looks at a flow before it does something with it: not an event of a flow.
pub const LR2_PEEK: usize = 15;
/// A time in 1/65536 ticks.
pub const PACE_CLOCK_BITS: usize = 48;
/// When the bucket of a flow is free, and whether it was charged since.
pub const PACE_WORD_BITS: usize = PACE_CLOCK_BITS + 1;
/// log2 of the slots of frames that are held or copied, a place of either pool each.
pub const FRAME_PLACED_BITS: usize = DEPOT_PLACE_BITS + 1;
/// log2 of the slots of frames that come and go: as many as are on their way in 64 clocks, but never more than the others.
pub const SPARE_SLOT_BITS: usize = if FRAME_PLACED_BITS < 6 { FRAME_PLACED_BITS } else { 6 };
/// Slots of frames.
pub const FRAME_SLOTS: usize = (1 << FRAME_PLACED_BITS) + (1 << SPARE_SLOT_BITS);
/// Bits of the number of one.
pub const FRAME_SLOT_BITS: usize = FRAME_PLACED_BITS + 1;
/// Bits of the number of them.
pub const FRAME_SLOT_COUNT_BITS: usize = FRAME_SLOT_BITS + 1;
/// log2 of the beats of a frame's first `PACKET_SIZE` bytes, 2 beats at least.
pub const FRAME_BODY_BITS: usize = SLOT_PLACE_BITS;
/// log2 of the beats behind them, 256 bytes, 2 beats at least.
pub const FRAME_REST_BITS: usize = if LANE_BITS < 7 { 8 - LANE_BITS } else { 1 };
/// Bits of the number of a beat in a frame.
pub const FRAME_BEATS_BITS: usize = FRAME_BODY_BITS + 1;
/// Bits of one that may be one too many.
pub const FRAME_BEATS_COUNT_BITS: usize = FRAME_BODY_BITS + 2;
/// Beats of a slot.
pub const FRAME_BEATS: usize = (1 << FRAME_BODY_BITS) + (1 << FRAME_REST_BITS);
/// Addresses of beats.
pub const FRAME_BODY_ADDRESS_BITS: usize = FRAME_PLACED_BITS + FRAME_BODY_BITS;
/// Of those behind `PACKET_SIZE` bytes.
pub const FRAME_REST_ADDRESS_BITS: usize = FRAME_PLACED_BITS + FRAME_REST_BITS;
/// Of frames that come and go.
pub const SPARE_BODY_ADDRESS_BITS: usize = SPARE_SLOT_BITS + FRAME_BODY_BITS;
/// And behind `PACKET_SIZE` bytes of those.
pub const SPARE_REST_ADDRESS_BITS: usize = SPARE_SLOT_BITS + FRAME_REST_BITS;
/// How long a frame is: number of its last beat, bytes in that.
pub const FRAME_LENGTH_BITS: usize = FRAME_BEATS_BITS + LANE_COUNT_BITS;
/// A slot, and whether a place has one.
pub const FRAME_OWNED_BITS: usize = FRAME_SLOT_BITS + 1;
/// A slot that leaves: its length, whether it is sent, whether it is free afterwards.
pub const FRAME_LEAVES_BITS: usize = FRAME_SLOT_BITS + FRAME_LENGTH_BITS + 2;
/// Steps of the count of a beat's bytes.
pub const FRAME_COUNT_STEPS: usize = LANE_COUNT_BITS + 1;
/// Whose frame a Depot's step is about: one that has come,
pub const FRAME_CAME: usize = 0;
/// one that was held,
pub const FRAME_HELD: usize = 1;
/// a copy,
pub const FRAME_COPY: usize = 2;
/// none.
pub const FRAME_NONE: usize = 3;
/// A frame that waits for its step: slot, flow, kind, PSN, PSNs that it consumes, whether it asks for an acknowledgement.
pub const WAITING_HEAD_BITS: usize = FRAME_SLOT_BITS + FLOW_BITS + 53;
/// What a Depot sends to the source: PSNs, MSN, gap, credits, which of both it is, flow.
pub const DEPOT_REPLY_BITS: usize = 151 + FLOW_BITS;
/// Bytes on the wire that a frame does not have: preamble 8, FCS 4, gap 12.
pub const FRAME_OVERHEAD: usize = 24;
/// What the head of a frame says beyond what a Depot or a Sentry is told of: a Depot-NACK,
pub const LR2_GAP: usize = 10;
/// a CNP,
pub const LR2_CNP: usize = 11;
/// and a frame that passes untouched.
pub const LR2_ELSE: usize = 12;
/// Who made a NAK, as BTH says it: a Depot.
pub const LR2_FROM_DEPOT: usize = 2;
/// Head of a frame, and whether it is bad: kind, origin, version of IP, whether it asks, credits, place of UDP, PSN, queue pair, MSN, bytes
/// to read, gap, two addresses.
pub const LR2_HEAD_BITS: usize = 453;
/// Clocks from a frame's end at the intake to the head that is judged with it.
pub const LR2_HEAD_CLOCKS: usize = 8;
/// Clocks in which the addresses of a frame wait for the rest of its head.
pub const LR2_ADDRESS_CLOCKS: usize = 5;
/// Key of a flow: destination queue pair 24, destination 128, source 128, version of IP.
pub const FLOW_KEY_BITS: usize = 281;
/// The same with the path MTU.
pub const FLOW_KEY_WORD_BITS: usize = FLOW_KEY_BITS + 3;
/// Parts of 16 bits in which keys are compared.
pub const FLOW_KEY_PARTS: usize = FLOW_KEY_BITS.div_ceil(16);
/// Bits of these.
pub const FLOW_KEY_PARTS_BITS: usize = 16 * FLOW_KEY_PARTS;
/// Bits of the hash of a key.
pub const FLOW_HASH_BITS: usize = 36;
/// log2 of the slots of each of four ways, twice as many as flows.
pub const FLOW_SLOT_BITS: usize = FLOW_BITS + 1;
/// Bits of the hash that a slot does not say.
pub const FLOW_TAG_BITS: usize = FLOW_HASH_BITS - FLOW_SLOT_BITS;
/// Which of them choose the slot of the third way.
pub const FLOW_SLICE_2: usize = (FLOW_TAG_BITS - FLOW_SLOT_BITS) / 2;
/// And of the fourth.
pub const FLOW_SLICE_3: usize = FLOW_TAG_BITS - FLOW_SLOT_BITS;
/// A slot: flow, tag, whether it is taken.
pub const FLOW_SLOT_WORD_BITS: usize = FLOW_BITS + FLOW_TAG_BITS + 1;
/// Where a flow's slot is: slot, way, whether it has one.
pub const FLOW_WHERE_BITS: usize = FLOW_SLOT_BITS + 3;
/// What frames for the sender of a flow are made of: peer's queue pair, P_Key, UDP port, MACs, version of IP, source, destination.
pub const FLOW_ENTRY_BITS: usize = 409;
/// What a box makes itself: an acknowledgement,
pub const LR2_MAKES_ACK: usize = 0;
/// a Sentry-NACK,
pub const LR2_MAKES_SENTRY_NACK: usize = 1;
/// a Depot-NACK,
pub const LR2_MAKES_DEPOT_NACK: usize = 2;
/// the same for a card: without LR2ETH,
pub const LR2_MAKES_CARD_NACK: usize = 3;
/// and a CNP.
pub const LR2_MAKES_CNP: usize = 4;
/// An order of a frame: kind, credits, PSN, MSN, gap.
pub const LR2_ORDER_BITS: usize = 128;
/// A frame that is made: its order, what it is made of, the checksum.
pub const LR2_MADE_BITS: usize = LR2_ORDER_BITS + FLOW_ENTRY_BITS + 16;
/// Bytes of a beat that may be written over, which are among the first 128 of a frame.
pub const EDIT_LANES: usize = if DATA_BYTES < 128 { DATA_BYTES } else { 128 };
/// Bits of these.
pub const EDIT_BITS: usize = 8 * EDIT_LANES;
/// What a Depot is told of a frame of the onward side: kind, PSN, whether it asks, PSNs that it consumes, whether it is of a flow, which.
pub const DEPOT_HEAD_BITS: usize = 54 + FLOW_BITS;
/// And of one of the back side: kind, PSN, MSN, credits, place of UDP, whether it is bad, whether it is of a flow, which.
pub const DEPOT_BACK_BITS: usize = 66 + FLOW_BITS;
