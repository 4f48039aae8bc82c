//! Packets and messages as frames.
//!
//! Follows the contract, "Wire format", "Reserved bits we use" and "Control packets". Data packets are RDMA WRITE MIDDLE, which carries
//! nothing but payload: what else a packet says belongs to other parts of a frame.

use super::Fault;
use crate::bitmap::{Ack, Cause, Ffm, Message, RangeAck};
use crate::wire::{Aeth, Bth, Control, Frame, Opcode};

/// Opcode of a data packet without further headers.
const DATA: Opcode = Opcode(0x07);

/// Bit of BTH's reserved six that says `retransmission`.
const RETRANSMISSION: u8 = 1;

/// ECN "congestion experienced" in the traffic class.
const MARKED: u8 = 3;

/// A data packet, its payload apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    pub qp: u32,
    /// packet sequence number, 24 bits
    pub psn: u32,
    /// path that it takes; of a packet that was read, the one that its port says
    pub path: u8,
    /// path that it names, 0 to 14; `None`: none
    pub tag: Option<u8>,
    pub udp_source: u16,
    /// it was sent before
    pub retransmission: bool,
    /// the network has marked it as congested
    pub marked: bool,
}

impl Packet {
    /// Its frame.
    pub fn frame(&self, payload: &[u8], fault: Option<Fault>) -> Frame {
        let mut frame = Frame::new(Bth::new(DATA, self.qp, self.psn));
        frame.bth.reserved6 = if self.retransmission { RETRANSMISSION } else { 0 };
        frame.bth.set_path(self.tag);
        if fault == Some(Fault::FrameTagInScene) {
            frame.bth.reserved7 = frame.bth.reserved7 << 4 & 0x7f;
        }
        frame.bth.pad = (payload.len().wrapping_neg() % 4) as u8;
        frame.udp_source = self.udp_source;
        frame.traffic_class |= if self.marked { MARKED } else { 0 };
        frame.payload = payload.to_vec();
        frame
    }

    /// The data packet that a frame is; `udp_base` is the sender's port of path 0. `None`: it is no request.
    pub fn from_frame(frame: &Frame, udp_base: u16) -> Option<Packet> {
        let bth = &frame.bth;
        bth.opcode.is_request().then(|| Packet {
            qp: bth.destination_qp,
            psn: bth.psn,
            path: frame.udp_source.wrapping_sub(udp_base).min(u8::MAX.into()) as u8,
            tag: bth.path(),
            udp_source: frame.udp_source,
            retransmission: bth.reserved6 & RETRANSMISSION != 0,
            marked: frame.traffic_class & MARKED == MARKED,
        })
    }
}

/// The frame of a message of a receiver; `msn` is the messages that it has completed.
pub fn message_frame(message: &Message, msn: u32, fault: Option<Fault>) -> Frame {
    let to = |opcode, qp, psn| Frame::new(Bth::new(opcode, qp, psn));
    match *message {
        Message::Ack(ack) => {
            let aeth = Some(Aeth { syndrome: ack.credits & 0x1f, msn });
            Frame { aeth, ..to(Opcode::ACKNOWLEDGE, ack.qp, ack.psn) }
        }
        Message::Range(range) => {
            let control = Some(Control::RangeAck { base: range.base, start: range.start, length: range.length });
            Frame { control, ..to(Opcode::RANGE_ACK, range.qp, 0) }
        }
        Message::Ffm(ffm) => {
            let status = ffm.status as u8;
            let (path, status) = if fault == Some(Fault::FramePathIsStatus) { (status, ffm.path) } else { (ffm.path, status) };
            let (edge, base) = if fault == Some(Fault::FrameEdgeIsBase) { (ffm.base, ffm.edge) } else { (ffm.edge, ffm.base) };
            let Ffm { start, length, timestamp, depth, repeat, misjudged, .. } = ffm;
            let control = Some(Control::Feedback { start, length, edge, base, timestamp, path, status, depth, repeat, misjudged });
            Frame { control, ..to(Opcode::FFM, ffm.qp, 0) }
        }
    }
}

/// The message that a frame is. `None`: it is none, a NAK, or a feedback message with a status that does not exist.
pub fn read_message(frame: &Frame) -> Option<Message> {
    let (qp, bth) = (frame.bth.destination_qp, &frame.bth);
    match frame.control {
        Some(Control::RangeAck { base, start, length }) => Some(Message::Range(RangeAck { qp, base, start, length })),
        Some(Control::Feedback { start, length, edge, base, timestamp, path, status, depth, repeat, misjudged }) => {
            let status = Cause::from_code(status)?;
            Some(Message::Ffm(Ffm { qp, start, length, edge, base, timestamp, path, status, depth, repeat, misjudged }))
        }
        _ => {
            let aeth = frame.aeth.filter(|aeth| bth.opcode == Opcode::ACKNOWLEDGE && aeth.syndrome >> 5 == 0)?;
            Some(Message::Ack(Ack { qp, psn: bth.psn, credits: aeth.syndrome }))
        }
    }
}
