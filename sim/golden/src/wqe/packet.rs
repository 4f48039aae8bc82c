//! What a packet and a retransmission indication say, apart from the bytes they say it with.

use crate::bitmap::psn;
use crate::wire::{AtomicEth, Bth, Control, Frame, Opcode, Reth, WqeEth};

/// Bit of BTH's reserved six that says `retransmission`.
const RETRANSMISSION: u8 = 1;

/// Which packet of its WQE the opcode says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    First,
    Middle,
    Last,
    Only,
}

impl Part {
    /// The WQE begins with it.
    pub fn begins(self) -> bool {
        matches!(self, Part::First | Part::Only)
    }

    /// The WQE ends with it.
    pub fn ends(self) -> bool {
        matches!(self, Part::Last | Part::Only)
    }
}

/// Headers of a packet from requester to responder; its payload is apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// queue pair that it is sent to
    pub qp: u32,
    /// packet sequence number, 24 bits
    pub psn: u32,
    pub opcode: Opcode,
    /// it was sent before
    pub retransmission: bool,
    /// of a SEND or RDMA WRITE
    pub wqe: Option<WqeEth>,
    /// of the first packet of an RDMA WRITE, and of a READ request
    pub reth: Option<Reth>,
    /// of an atomic request
    pub atomic: Option<AtomicEth>,
    /// of the last packet of a WQE with immediate
    pub imm: Option<u32>,
    /// payload bytes
    pub bytes: u32,
}

impl Packet {
    /// The packet that a frame is, or `None`: it is no request, or a SEND or RDMA WRITE whose WqeETH nobody has read.
    pub fn from_frame(frame: &Frame) -> Option<Packet> {
        let &Frame { bth, wqe_eth, reth, atomic, imm, .. } = frame;
        let is_data = bth.opcode.shape()?.data;
        if !bth.opcode.is_request() || is_data != wqe_eth.is_some() {
            return None;
        }
        Some(Packet {
            qp: bth.destination_qp,
            psn: bth.psn,
            opcode: bth.opcode,
            retransmission: bth.reserved6 & RETRANSMISSION != 0,
            wqe: wqe_eth,
            reth,
            atomic,
            imm,
            bytes: frame.payload.len() as u32,
        })
    }

    /// The frame of this packet with its payload; `bytes` is taken from the payload.
    pub fn frame(&self, payload: &[u8]) -> Frame {
        let mut frame = Frame::new(Bth::new(self.opcode, self.qp, self.psn));
        frame.bth.reserved6 = if self.retransmission { RETRANSMISSION } else { 0 };
        frame.bth.ack_request = self.part().is_none_or(Part::ends);
        frame.bth.pad = (payload.len().wrapping_neg() % 4) as u8;
        (frame.wqe_eth, frame.reth, frame.atomic, frame.imm) = (self.wqe, self.reth, self.atomic, self.imm);
        frame.payload = payload.to_vec();
        frame
    }

    /// Which part of a SEND or RDMA WRITE it is; `None` of everything else.
    pub fn part(&self) -> Option<Part> {
        match self.opcode.0 {
            0x00 | 0x06 => Some(Part::First),
            0x01 | 0x07 => Some(Part::Middle),
            0x02 | 0x03 | 0x08 | 0x09 => Some(Part::Last),
            0x04 | 0x05 | 0x0a | 0x0b => Some(Part::Only),
            _ => None,
        }
    }

    /// The opcode of a part.
    pub fn opcode(is_send: bool, part: Part, immediate: bool) -> Opcode {
        let code = match (part, immediate) {
            (Part::First, _) => 0,
            (Part::Middle, _) => 1,
            (Part::Last, false) => 2,
            (Part::Last, true) => 3,
            (Part::Only, false) => 4,
            (Part::Only, true) => 5,
        };
        Opcode(if is_send { code } else { code + 6 })
    }

    /// A SEND; else an RDMA WRITE, if it has a part.
    pub fn is_send(&self) -> bool {
        self.opcode.0 < 6
    }

    /// A READ or atomic request.
    pub fn is_read_or_atomic(&self) -> bool {
        matches!(self.opcode.0, 0x0c | 0x13 | 0x14)
    }

    /// Sequence numbers of packets that it takes: a READ request one for each packet of its answer, everything else one.
    pub fn span(&self, mtu: u32) -> u32 {
        match self.reth {
            Some(reth) if self.opcode == Opcode::READ_REQUEST => reth.length.div_ceil(mtu.max(1)).max(1),
            _ => 1,
        }
    }
}

/// Retransmission indication (0xc2): packets that have failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indication {
    pub qp: u32,
    /// the WQE of the packets; `None`: no packet of it has arrived, so that nobody knows which it is
    pub wqe: Option<u32>,
    /// first packet, 24 bits
    pub first: u32,
    /// bit i: `first + i` is missing
    pub missing: u64,
}

/// Bit of the first PSN in 0xc2: the WQE is unknown.
const UNKNOWN: u32 = 1 << 31;

impl Indication {
    /// What a frame indicates to `qp`, or `None`: it is something else, or a packet sequence number with more than 24 bits.
    pub fn from_frame(frame: &Frame, qp: u32) -> Option<Indication> {
        let Some(Control::Retransmission { sequence, first, missing }) = frame.control else { return None };
        let number = first & !UNKNOWN;
        let wqe = (first & UNKNOWN == 0).then_some(sequence);
        (number < psn::SPACE).then_some(Indication { qp, wqe, first: number, missing })
    }

    /// The frame that tells it to queue pair `to` of the peer. Of an unknown WQE the field says 0, and nobody looks at it.
    pub fn frame(&self, to: u32) -> Frame {
        let mut frame = Frame::new(Bth::new(Opcode::RETRANSMISSION, to, 0));
        let first = self.first | if self.wqe.is_none() { UNKNOWN } else { 0 };
        frame.control = Some(Control::Retransmission { sequence: self.wqe.unwrap_or(0), first, missing: self.missing });
        frame
    }

    /// The packets that it names.
    pub fn packets(&self) -> impl Iterator<Item = u32> + use<> {
        let Indication { first, missing, .. } = *self;
        (0..64).filter(move |bit| missing >> bit & 1 != 0).map(move |bit| psn::add(first, bit))
    }
}
