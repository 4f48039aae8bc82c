use super::{BthDecode, FrameIntake, FrameVerdict, HeaderFields, HeaderWindow, IpUdpCheck, PayloadAlign};
use crate::bus::FrameHeaders;
use crate::primitives::{FifoLut, State};
use crate::sizes::*;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

const _: () =
    assert!(HEADER_BEATS + 12 <= (3 << PARSER_FIFO_BITS) / 4, "three quarters of the FIFO must hold a header window and 12 beats more");

/// Ethernet frames in, one header and one payload stream per good frame out: the front of every receive side.
///
/// Ethernet with one VLAN tag, IPv4 with options or IPv6, UDP port 4791, BTH and every extension header of the wire format. A frame begins
/// at the start of a beat and may end at any byte. A frame that does not fit is dropped and counted by the first check of the spec that
/// fails, and the next one is not affected. The CRC is the MAC side's: `in_crc_ok` counts with the last beat.
///
/// ```text
///  frame ─▶ intake ─┬─▶ beats (FIFO) ────────────────┬─▶ payload align ─▶ FIFO ─▶ payload
///                   └─▶ window ─▶ IP, UDP ─▶ BTH ─▶ records (FIFO) ─▶ verdict ─▶ FIFO ─▶ fields ─▶ header
/// ```
///
/// Payload goes out as it comes, from byte 0 of its beats, without pad and ICRC; the beat in which it ends waits for the end of the frame.
/// A good frame with `header_bytes` over 0 has exactly one payload, which ends with `payload_drop` low; headers and payloads are in the
/// order of the frames. A payload that ends with `payload_drop` belongs to a dropped frame and has no header; a frame that its headers
/// condemn has none. The header comes with the last byte of its frame or later: who takes a payload only after its header waits for ever.
///
/// Latency: from the last beat of a frame at most `15 + HEADER_BEATS` clocks to its header and `14 + HEADER_BEATS + WORD_SHIFT_STEP` to the
/// end of its payload; a frame whose beats did not come back to back has waited for them already, and takes 7 at least. Throughput: one
/// beat per clock, whatever the frames; `in_ready` falls only when an output stalls. Reset: empty; the next beat begins a frame, so that
/// what is left of one under way is a frame of its own. Spec: wire format, all of it but the builder's side.
#[derive(Default, Described, LogicBlock)]
pub struct FrameParser {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// a beat of a frame
    pub in_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `in_valid` is high too
    pub in_ready: Signal<Out, Bit>,
    /// first byte in the lowest bits
    pub in_data: Signal<In, Bits<DATA_WIDTH>>,
    /// bytes that count: contiguous from bit 0; read with the last beat alone
    pub in_keep: Signal<In, Bits<DATA_BYTES>>,
    /// last beat of its frame
    pub in_last: Signal<In, Bit>,
    /// with the last beat: the CRC of the frame held
    pub in_crc_ok: Signal<In, Bit>,
    /// a beat of payload
    pub payload_valid: Signal<Out, Bit>,
    /// a transfer happens in a clock in which `payload_valid` is high too
    pub payload_ready: Signal<In, Bit>,
    /// first byte in the lowest bits
    pub payload_data: Signal<Out, Bits<DATA_WIDTH>>,
    /// bytes that count
    pub payload_keep: Signal<Out, Bits<DATA_BYTES>>,
    /// last beat of this payload
    pub payload_last: Signal<Out, Bit>,
    /// with the last beat: the frame is dropped, this payload has no header
    pub payload_drop: Signal<Out, Bit>,
    pub header: FrameHeaders,
    /// set one place of the queue-pair list; while none is valid, all queue pairs are ours
    pub cfg_qp_write: Signal<In, Bit>,
    /// index of `cfg_qp`
    pub cfg_qp_index: Signal<In, Bits<QUEUE_PAIR_BITS>>,
    /// queue pair
    pub cfg_qp_number: Signal<In, Bits<24>>,
    /// the place counts
    pub cfg_qp_valid: Signal<In, Bit>,
    /// counts good frames
    pub evt_good: Signal<Out, Bit>,
    /// counts frames dropped: not IP, UDP port 4791
    pub evt_not_rocev2: Signal<Out, Bit>,
    /// counts frames dropped: ends before its headers do, or a fragment
    pub evt_truncated: Signal<Out, Bit>,
    /// counts frames dropped: header version
    pub evt_bad_version: Signal<Out, Bit>,
    /// counts frames dropped: unknown opcode
    pub evt_bad_opcode: Signal<Out, Bit>,
    /// counts frames dropped: more pad than payload
    pub evt_bad_pad: Signal<Out, Bit>,
    /// counts frames dropped: lengths disagree
    pub evt_bad_length: Signal<Out, Bit>,
    /// counts frames dropped: CRC
    pub evt_bad_icrc: Signal<Out, Bit>,
    /// counts frames dropped: impossible values in an extension header
    pub evt_bad_extension: Signal<Out, Bit>,
    /// counts frames dropped: queue pair is not ours
    pub evt_unknown_qp: Signal<Out, Bit>,

    intake: FrameIntake,
    window: HeaderWindow,
    network: IpUdpCheck,
    transport: BthDecode,
    beats: FifoLut<PAYLOAD_ALIGN_BITS, PARSER_FIFO_BITS, PARSER_FIFO_COUNT_BITS>,
    records: FifoLut<DECODED_BITS, PARSER_FIFO_BITS, PARSER_FIFO_COUNT_BITS>,
    align: PayloadAlign,
    verdict: FrameVerdict<DECODED_BITS, PACKET_HEADER_BITS>,
    payloads: FifoLut<FRAME_BEAT_BITS, 4, 5>,
    headers: FifoLut<PACKET_HEADER_BITS, 4, 5>,
    fields: HeaderFields,
    q_ready: State<Bit>,
    q_room: State<Bit>,
    take: Signal<Local, Bit>,
    ends: Signal<Local, Bit>,
}

impl FrameParser {
    /// A new one.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Logic for FrameParser {
    #[kernel]
    fn update(&mut self) {
        self.intake.in_valid.next = self.in_valid.val() && self.q_ready.q.val();
        self.intake.in_data.next = self.in_data.val();
        self.intake.in_keep.next = self.in_keep.val();
        self.intake.in_last.next = self.in_last.val();
        self.intake.in_crc_ok.next = self.in_crc_ok.val();

        self.window.in_valid.next = self.intake.out_valid.val();
        self.window.in_data.next = self.intake.out_data.val();
        self.window.in_last.next = self.intake.out_last.val();
        self.window.in_index.next = self.intake.out_index.val();
        self.window.in_length.next = self.intake.out_length.val();

        self.network.in_valid.next = self.window.out_valid.val();
        self.network.in_window.next = self.window.out_window.val();
        self.network.in_tagged.next = self.window.out_tagged.val();
        self.network.in_seen.next = self.window.out_seen.val();

        self.transport.in_valid.next = self.network.out_valid.val();
        self.transport.in_transport.next = self.network.out_transport.val();
        self.transport.in_not_rocev2.next = self.network.out_not_rocev2.val();
        self.transport.in_truncated.next = self.network.out_truncated.val();
        self.transport.in_more_fragments.next = self.network.out_more_fragments.val();
        self.transport.in_bytes.next = self.network.out_bytes.val();
        self.transport.in_offset.next = self.network.out_offset.val();
        self.transport.in_traffic_class.next = self.network.out_traffic_class.val();
        self.transport.cfg_qp_write.next = self.cfg_qp_write.val();
        self.transport.cfg_qp_index.next = self.cfg_qp_index.val();
        self.transport.cfg_qp_number.next = self.cfg_qp_number.val();
        self.transport.cfg_qp_valid.next = self.cfg_qp_valid.val();

        // Beats wait for the record of their frame. A record waits no longer than the last beat of its frame: one FIFO cannot overflow
        // while the other does not.
        self.beats.in_valid.next = self.intake.out_valid.val();
        self.beats.in_data.next = bit_cast::<PAYLOAD_ALIGN_BITS, DATA_WIDTH>(self.intake.out_data.val())
            | (bit_cast::<PAYLOAD_ALIGN_BITS, 1>(self.intake.out_last.val().into()) << DATA_WIDTH.to_bits::<12>())
            | (bit_cast::<PAYLOAD_ALIGN_BITS, 1>(self.intake.out_crc_ok.val().into()) << (DATA_WIDTH + 1).to_bits::<12>())
            | (bit_cast::<PAYLOAD_ALIGN_BITS, 18>(self.intake.out_length.val()) << (DATA_WIDTH + 2).to_bits::<12>())
            | (bit_cast::<PAYLOAD_ALIGN_BITS, FRAME_PLACE_BITS>(self.intake.out_index.val()) << (DATA_WIDTH + 20).to_bits::<12>());
        self.q_ready.d.next =
            !self.beats.count.val().get_bit(PARSER_FIFO_BITS) && !self.beats.count.val().get_bits::<2>(PARSER_FIFO_BITS - 2).all();
        self.in_ready.next = self.q_ready.q.val();
        self.records.in_valid.next = self.transport.out_valid.val();
        self.records.in_data.next = self.transport.out_record.val();

        // What is taken here arrives: there are eight places for the seven clocks that it takes.
        self.q_room.d.next = !self.payloads.count.val().get_bits::<2>(3).any() && !self.headers.count.val().get_bits::<2>(3).any();
        self.take.next = self.beats.out_valid.val() && self.records.out_valid.val() && self.q_room.q.val();
        self.ends.next = self.take.val() && self.beats.out_data.val().get_bit(DATA_WIDTH);
        self.beats.out_ready.next = self.records.out_valid.val() && self.q_room.q.val();
        self.records.out_ready.next = self.ends.val();

        self.align.in_valid.next = self.take.val();
        self.align.in_data.next = self.beats.out_data.val().get_bits::<DATA_WIDTH>(0);
        self.align.in_last.next = self.beats.out_data.val().get_bit(DATA_WIDTH);
        self.align.in_index.next = self.beats.out_data.val().get_bits::<FRAME_PLACE_BITS>(DATA_WIDTH + 20);
        self.align.in_payload.next = self.records.out_data.val().get_bit(10);
        self.align.in_start.next = self.records.out_data.val().get_bits::<8>(11) - 4;
        self.align.in_end_beat.next = self.records.out_data.val().get_bits::<FRAME_PLACE_BITS>(61);
        self.align.in_end_bytes.next = self.records.out_data.val().get_bits::<LANE_BITS>(45);
        self.align.in_drop.next = self.verdict.out_drop.val();

        self.verdict.in_valid.next = self.ends.val();
        self.verdict.in_record.next = self.records.out_data.val();
        self.verdict.in_length.next = self.beats.out_data.val().get_bits::<18>(DATA_WIDTH + 2);
        self.verdict.in_crc_ok.next = self.beats.out_data.val().get_bit(DATA_WIDTH + 1);

        self.payloads.in_valid.next = self.align.out_valid.val();
        self.payloads.in_data.next = bit_cast::<FRAME_BEAT_BITS, DATA_WIDTH>(self.align.out_data.val())
            | (bit_cast::<FRAME_BEAT_BITS, DATA_BYTES>(self.align.out_keep.val()) << DATA_WIDTH.to_bits::<12>())
            | (bit_cast::<FRAME_BEAT_BITS, 1>(self.align.out_last.val().into()) << (DATA_WIDTH + DATA_BYTES).to_bits::<12>())
            | (bit_cast::<FRAME_BEAT_BITS, 1>(self.align.out_drop.val().into()) << (DATA_WIDTH + DATA_BYTES + 1).to_bits::<12>());
        self.payloads.out_ready.next = self.payload_ready.val();
        self.payload_valid.next = self.payloads.out_valid.val();
        self.payload_data.next = self.payloads.out_data.val().get_bits::<DATA_WIDTH>(0);
        self.payload_keep.next = self.payloads.out_data.val().get_bits::<DATA_BYTES>(DATA_WIDTH);
        self.payload_last.next = self.payloads.out_data.val().get_bit(DATA_WIDTH + DATA_BYTES);
        self.payload_drop.next = self.payloads.out_data.val().get_bit(DATA_WIDTH + DATA_BYTES + 1);

        self.headers.in_valid.next = self.verdict.out_good.val();
        self.headers.in_data.next = self.verdict.out_header.val();
        self.headers.out_ready.next = self.fields.in_ready.val();
        self.fields.in_valid.next = self.headers.out_valid.val();
        self.fields.in_header.next = self.headers.out_data.val();
        FrameHeaders::link(&mut self.header, &mut self.fields.header);

        self.evt_good.next = self.verdict.out_good.val();
        self.evt_not_rocev2.next = self.verdict.evt_not_rocev2.val();
        self.evt_truncated.next = self.verdict.evt_truncated.val();
        self.evt_bad_version.next = self.verdict.evt_bad_version.val();
        self.evt_bad_opcode.next = self.verdict.evt_bad_opcode.val();
        self.evt_bad_pad.next = self.verdict.evt_bad_pad.val();
        self.evt_bad_length.next = self.verdict.evt_bad_length.val();
        self.evt_bad_icrc.next = self.verdict.evt_bad_icrc.val();
        self.evt_bad_extension.next = self.verdict.evt_bad_extension.val();
        self.evt_unknown_qp.next = self.verdict.evt_unknown_qp.val();
    }
}
