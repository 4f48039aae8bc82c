//! What the packets of an operation are: headers and frames, and where their payload comes from.
//!
//! Spec: wire format: every data packet is an RDMA WRITE ONLY of its own, with its own target address, and OpETH in the registry and
//! combined profiles.

use super::OpKind;
use super::splitter::{Block, Segment, pieces};
use crate::registry::{Header, Kind};
use crate::wire::Frame;

/// BTH byte 4 bit 0: this packet has been sent before.
const RETRANSMISSION: u8 = 1;

/// OpETH flags bit 1: segment of a large transfer.
const LARGE: u8 = 2;

/// Payload bytes of every packet but the last, and the number of the node that sends: what all packets of a sender have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sender {
    pub packet_size: u32,
    pub src: u16,
    /// a node knows us by `src` and its own number added: a queue pair of its own
    pub each: bool,
}

impl Sender {
    /// Our number, as the node knows it.
    pub fn src(&self, node: u16) -> u16 {
        if self.each { self.src.wrapping_add(node) } else { self.src }
    }

    /// Where in its segment the payload of `packet` begins, and its bytes; an arrival has none.
    pub fn place(&self, segment: &Segment, packet: u16) -> (u32, u32) {
        if segment.kind == OpKind::Arrival {
            return (0, 0);
        }
        let at = u32::from(packet) * self.packet_size;
        (at, self.packet_size.min(segment.bytes.saturating_sub(at)))
    }

    /// What the packet's headers say.
    pub fn header(&self, segment: &Segment, op: u32, packet: u16) -> Header {
        let &Segment { kind, target, bytes, count, rkey, imm, .. } = segment;
        let (at, size) = self.place(segment, packet);
        let common = Header {
            kind: Kind::Body,
            src: self.src(segment.node),
            op,
            addr: target + u64::from(at),
            bytes: size as u16,
            op_bytes: size,
            count: 0,
            rkey,
            imm: None,
        };
        match (kind, packet) {
            (OpKind::Arrival, _) => Header { kind: Kind::Arrival, op_bytes: bytes, rkey: 0, ..common },
            (OpKind::Data, 0) => Header { kind: Kind::Start, op_bytes: bytes, count, imm: imm.filter(|_| count == 1), ..common },
            (OpKind::Data, _) => Header { imm: imm.filter(|_| packet + 1 == count), ..common },
        }
    }

    /// The frame. Addresses are those of [`Frame::new`]; the queue pair is the segment's, the PSN 0 in an arrival.
    ///
    /// `payload`: of this packet.
    pub fn frame(&self, segment: &Segment, op: u32, packet: u16, again: bool, psn: u32, payload: Vec<u8>) -> Frame {
        let header = self.header(segment, op, packet);
        let mut frame = Frame::carrying(&header, psn);
        frame.bth.destination_qp = segment.qp;
        frame.bth.reserved6 = if again { RETRANSMISSION } else { 0 };
        if let Some(op_eth) = &mut frame.op_eth {
            op_eth.flags |= if segment.large { LARGE } else { 0 };
            frame.payload = payload;
        }
        frame
    }

    /// The frame in the transport profile *bitmap*: a message of its own, of which any RoCEv2 peer knows what to do with it.
    ///
    /// `payload`: of this packet.
    pub fn message(&self, segment: &Segment, packet: u16, again: bool, psn: u32, payload: Vec<u8>) -> Frame {
        let mut frame = self.frame(segment, 0, packet, again, psn, payload);
        frame.op_eth = None;
        if let Some(reth) = &mut frame.reth {
            reth.length = self.place(segment, packet).1;
        }
        frame
    }

    /// The frame that tells the receiver that the operation will not go on.
    pub fn abort(&self, segment: &Segment, op: u32) -> Frame {
        let header = Header {
            kind: Kind::Abort,
            src: self.src(segment.node),
            op,
            addr: segment.target,
            bytes: 0,
            op_bytes: segment.bytes,
            count: 0,
            rkey: 0,
            imm: None,
        };
        let mut frame = Frame::carrying(&header, 0);
        frame.bth.destination_qp = segment.qp;
        frame
    }

    /// Where in the sender's memory the payload of `packet` lies.
    pub fn sources(&self, segment: &Segment, packet: u16) -> Vec<Block> {
        let (at, bytes) = self.place(segment, packet);
        pieces(&segment.pieces, at.into(), bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Reader, parse};

    const SENDER: Sender = Sender { packet_size: 512, src: 9, each: false };

    fn segment(bytes: u32) -> Segment {
        Segment {
            command: 3,
            kind: OpKind::Data,
            last: true,
            large: true,
            target: 0x1_0000,
            node: 2,
            qp: 77,
            rkey: 5,
            imm: Some(6),
            bytes,
            count: bytes.div_ceil(512) as u16,
            pieces: vec![Block { source: 0x100, bytes: 600 }, Block { source: 0x9000, bytes: bytes - 600 }],
        }
    }

    #[test]
    fn a_start_describes_the_operation_and_a_body_itself() {
        let segment = segment(1025);
        let headers: Vec<Header> = (0..3).map(|packet| SENDER.header(&segment, 0x1234, packet)).collect();
        let common =
            Header { kind: Kind::Body, src: 9, op: 0x1234, addr: 0x1_0000, bytes: 512, op_bytes: 512, count: 0, rkey: 5, imm: None };
        assert_eq!(headers[0], Header { kind: Kind::Start, op_bytes: 1025, count: 3, ..common });
        assert_eq!(headers[1], Header { addr: 0x1_0200, ..common });
        assert_eq!(headers[2], Header { addr: 0x1_0400, bytes: 1, op_bytes: 1, imm: Some(6), ..common });
        // the only packet is the last too
        let single = SENDER.header(&Segment { bytes: 5, count: 1, ..segment }, 0, 0);
        assert_eq!(single, Header { kind: Kind::Start, op: 0, bytes: 5, op_bytes: 5, count: 1, imm: Some(6), ..common });
    }

    /// To itself a sender has one number, to a node the one that belongs to its queue pair.
    #[test]
    fn a_node_may_know_us_by_a_number_of_its_own() {
        let sender = Sender { each: true, ..SENDER };
        for (src, node, known) in [(9, 2, 11), (0, 63, 63), (0xffff, 2, 1)] {
            let sender = Sender { src, ..sender };
            let segment = Segment { node, ..segment(1025) };
            let arrival = Segment { kind: OpKind::Arrival, count: 1, ..segment.clone() };
            for header in [sender.header(&segment, 7, 0), sender.header(&segment, 7, 2), sender.header(&arrival, 7, 0)] {
                assert_eq!(header.src, known);
            }
            let abort = parse(&sender.abort(&segment, 7).to_bytes(), false, &Reader::registry()).unwrap();
            assert_eq!(abort.header().map(|header| header.src), Some(known));
        }
    }

    #[test]
    fn payload_comes_from_where_the_blocks_are() {
        let segment = segment(1025);
        let block = |source, bytes| Block { source, bytes };
        assert_eq!(SENDER.sources(&segment, 0), [block(0x100, 512)]);
        assert_eq!(SENDER.sources(&segment, 1), [block(0x300, 88), block(0x9000, 424)]);
        assert_eq!(SENDER.sources(&segment, 2), [block(0x9000 + 424, 1)]);
    }

    #[test]
    fn frames_are_read_as_they_were_meant() {
        let data = segment(1025);
        let read = |frame: Frame| parse(&frame.to_bytes(), false, &Reader::registry()).unwrap();
        for (packet, again) in [(0, false), (1, true), (2, true)] {
            let payload = vec![packet as u8; SENDER.place(&data, packet).1 as usize];
            let frame = read(SENDER.frame(&data, 7, packet, again, 123, payload.clone()));
            assert_eq!(frame.header(), Some(SENDER.header(&data, 7, packet)));
            assert_eq!((frame.bth.destination_qp, frame.bth.psn, frame.bth.reserved6), (77, 123, again.into()));
            assert_eq!((frame.op_eth.map(|op_eth| op_eth.flags), frame.payload), (Some(2 | u8::from(packet == 0)), payload));
        }
        for packet in 0..3 {
            let payload = vec![packet as u8; SENDER.place(&data, packet).1 as usize];
            let bytes = SENDER.message(&data, packet, true, 123, payload.clone()).to_bytes();
            let frame = parse(&bytes, false, &Reader::default()).unwrap();
            let reth = frame.reth.unwrap();
            assert_eq!((reth.address, reth.rkey, reth.length), (0x1_0000 + 512 * u64::from(packet), 5, payload.len() as u32));
            assert_eq!((frame.op_eth, frame.imm, frame.bth.psn), (None, (packet == 2).then_some(6), 123));
            assert_eq!((frame.bth.destination_qp, frame.bth.reserved6, frame.payload), (77, 1, payload));
        }
        let small = read(SENDER.frame(&Segment { large: false, ..data.clone() }, 7, 0, false, 0, vec![0; 512]));
        assert_eq!(small.op_eth.map(|op_eth| op_eth.flags), Some(1));
        let arrival = Segment { kind: OpKind::Arrival, count: 1, imm: None, pieces: Vec::new(), ..data.clone() };
        for (frame, kind) in [(SENDER.frame(&arrival, 7, 0, true, 123, Vec::new()), Kind::Arrival), (SENDER.abort(&data, 7), Kind::Abort)] {
            let frame = read(frame);
            let expected = Header { kind, src: 9, op: 7, addr: 0x1_0000, bytes: 0, op_bytes: 1025, count: 0, rkey: 0, imm: None };
            assert_eq!(frame.header(), Some(expected));
            assert_eq!((frame.bth.destination_qp, frame.bth.psn), (77, 0));
            assert_eq!(frame.bth.reserved6, u8::from(kind == Kind::Arrival));
        }
        assert!(SENDER.sources(&arrival, 0).is_empty());
    }
}
