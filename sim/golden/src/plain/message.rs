//! A message and its packets.

use super::Fault;
use crate::wire::{Bth, Frame, Opcode, Reth};
use crate::wqe::Part;

/// Longest message of the transport, in bytes.
pub const MAX_MESSAGE: u32 = 1 << 31;

/// What a message does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Send,
    /// RDMA WRITE to this place
    Write {
        address: u64,
        rkey: u32,
    },
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    pub kind: Kind,
    /// at most [`MAX_MESSAGE`]
    pub bytes: u32,
    pub imm: Option<u32>,
}

/// What the opcode of a SEND or RDMA WRITE says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Data {
    pub write: bool,
    pub part: Part,
}

impl Data {
    /// `None`: it is neither SEND nor RDMA WRITE, or it is a SEND that invalidates an R_Key.
    pub fn of(opcode: Opcode) -> Option<Data> {
        let part = match opcode.0 % 6 {
            0 => Part::First,
            1 => Part::Middle,
            2 | 3 => Part::Last,
            _ => Part::Only,
        };
        (opcode.0 < 12).then_some(Data { write: opcode.0 >= 6, part })
    }
}

/// Whether pad count and payload of a packet fit: the pad fills up to a multiple of 4 bytes.
pub(super) fn is_padded(frame: &Frame) -> bool {
    usize::from(frame.bth.pad) == frame.payload.len().wrapping_neg() % 4
}

/// Packets of `bytes` bytes. No bytes are one packet all the same.
pub(super) fn packets(bytes: u32, mtu: u32) -> u32 {
    bytes.div_ceil(mtu).max(1)
}

/// Which packet of so many the `index`-th is.
pub(super) fn part(index: u32, packets: u32) -> Part {
    match (index == 0, index + 1 == packets) {
        (true, true) => Part::Only,
        (true, false) => Part::First,
        (false, true) => Part::Last,
        (false, false) => Part::Middle,
    }
}

impl Message {
    /// The `index`-th packet without its payload, to queue pair `to`, with the first byte and the bytes of the payload.
    pub(super) fn packet(&self, index: u32, mtu: u32, to: (u32, u32), fault: Option<Fault>) -> (Frame, u32, u32) {
        let count = packets(self.bytes, mtu);
        let mut part = part(index, count);
        if fault == Some(Fault::MessageFirstForOnly) && part == Part::Only {
            part = Part::First;
        }
        let imm = self.imm.filter(|_| part.ends() && fault != Some(Fault::MessageImmediateLost));
        let step = match part {
            Part::First => 0,
            Part::Middle => 1,
            Part::Last => 2 + u8::from(imm.is_some()),
            Part::Only => 4 + u8::from(imm.is_some()),
        };
        let kind = if self.kind == Kind::Send { 0 } else { 6 };
        let mut frame = Frame::new(Bth::new(Opcode(kind + step), to.0, to.1));
        let offset = if fault == Some(Fault::MessageOffsetByOne) && index > 1 { (index - 1) * mtu } else { index * mtu };
        let bytes = (self.bytes - index * mtu).min(mtu);
        frame.bth.pad = (bytes.wrapping_neg() % 4) as u8;
        if let Kind::Write { address, rkey } = self.kind
            && part.begins()
        {
            let length = if fault == Some(Fault::MessageLengthOfPacket) { bytes } else { self.bytes };
            frame.reth = Some(Reth { address, rkey, length });
        }
        frame.imm = imm;
        (frame, offset, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_are_those_of_the_standard() {
        let write = |bytes, imm| Message { kind: Kind::Write { address: 0x1000, rkey: 9 }, bytes, imm };
        let opcodes = |message: Message| {
            (0..packets(message.bytes, 256)).map(|index| message.packet(index, 256, (1, 2), None).0.bth.opcode.0).collect::<Vec<u8>>()
        };
        assert_eq!(opcodes(write(1024, None)), [6, 7, 7, 8]);
        assert_eq!(opcodes(write(257, Some(1))), [6, 9]);
        assert_eq!((opcodes(write(0, None)), opcodes(write(256, Some(1)))), (vec![0x0a], vec![0x0b]));
        let send = |bytes, imm| Message { kind: Kind::Send, bytes, imm };
        assert_eq!((opcodes(send(513, None)), opcodes(send(513, Some(1)))), (vec![0, 1, 2], vec![0, 1, 3]));
        assert_eq!((opcodes(send(1, None)), opcodes(send(0, Some(1)))), (vec![4], vec![5]));
        let (frame, offset, bytes) = write(515, None).packet(2, 256, (1, 2), None);
        assert_eq!((frame.bth.pad, offset, bytes, frame.reth, is_padded(&frame)), (1, 512, 3, None, false));
    }
}
