//! What a receiver with bitmaps tells a sender, as frames.

use super::{Aeth, Bth, Control, Frame, Opcode};
use crate::bitmap::psn::SPACE;
use crate::bitmap::{Ack, Cause, Ffm, Message, RangeAck};

impl Message {
    /// The frame that tells it to queue pair `to` of the peer; an acknowledgement says `msn`, the messages that are complete.
    pub fn frame(&self, to: u32, msn: u32) -> Frame {
        match *self {
            Message::Ack(ack) => {
                let mut frame = Frame::new(Bth::new(Opcode::ACKNOWLEDGE, to, ack.psn));
                frame.aeth = Some(Aeth { syndrome: ack.credits, msn });
                frame
            }
            Message::Range(RangeAck { base, start, length, .. }) => {
                let mut frame = Frame::new(Bth::new(Opcode::RANGE_ACK, to, 0));
                frame.control = Some(Control::RangeAck { base, start, length });
                frame
            }
            Message::Ffm(Ffm { start, length, edge, base, timestamp, path, status, depth, repeat, misjudged, .. }) => {
                let mut frame = Frame::new(Bth::new(Opcode::FFM, to, 0));
                let status = status as u8;
                frame.control = Some(Control::Feedback { start, length, edge, base, timestamp, path, status, depth, repeat, misjudged });
                frame
            }
        }
    }
}

impl Frame {
    /// What it tells the sender of `qp`, or `None`: it is something else, it is negative, or a packet sequence number in it has more than
    /// 24 bits.
    ///
    /// A status of a feedback message that is not known counts as 0: it changes nothing at the sender.
    pub fn message(&self, qp: u32) -> Option<Message> {
        match (self.bth.opcode, self.aeth, &self.control) {
            (Opcode::ACKNOWLEDGE, Some(Aeth { syndrome, .. }), _) if syndrome >> 5 == 0 => {
                Some(Message::Ack(Ack { qp, psn: self.bth.psn, credits: syndrome & 0x1f }))
            }
            (_, _, &Some(Control::RangeAck { base, start, length })) if base.max(start) < SPACE => {
                Some(Message::Range(RangeAck { qp, base, start, length }))
            }
            (_, _, &Some(Control::Feedback { start, length, edge, base, timestamp, path, status, depth, repeat, misjudged }))
                if base.max(start) < SPACE =>
            {
                let status = [Cause::Depth, Cause::Age, Cause::Stall, Cause::Overtaken, Cause::Repeated, Cause::Dropped]
                    .into_iter()
                    .find(|&cause| cause as u8 == status)
                    .unwrap_or_default();
                Some(Message::Ffm(Ffm { qp, start, length, edge, base, timestamp, path, status, depth, repeat, misjudged }))
            }
            _ => None,
        }
    }
}
