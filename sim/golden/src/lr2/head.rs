//! What the boxes read of a frame: whose it is, and what of it decides.

use super::packet::{Gap, Kind, Origin};
use crate::bitmap::psn;
use crate::wire::{Control, Frame, Ip, Opcode, Reader, parse_judged};
use std::net::IpAddr;

/// The longest READ that the standard knows: one that asks for more is refused by the receiving card.
pub const LONGEST_READ: u32 = 1 << 31;

/// The head of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub source: IpAddr,
    pub destination: IpAddr,
    /// destination queue pair
    pub qp: u32,
    pub kind: Kind,
    /// of a NAK
    pub origin: Origin,
    /// of a probe `ePSN_s`
    pub psn: u32,
    /// bytes that a READ request asks for
    pub read: u32,
    /// a SEND or WRITE that asks for an acknowledgement or is the last of its message
    pub asks: bool,
    /// 0 where the packet has none
    pub msn: u32,
    /// low five bits of the syndrome
    pub credits: u8,
    /// of a Depot-NACK
    pub gap: Gap,
}

/// The head of a frame that the boxes may act on; `None`: it passes untouched, or its last beat says that it is damaged.
///
/// A frame passes untouched whose lengths, versions or numbers cannot be. So does a packet that consumes no PSN of a flow and says nothing
/// of one.
pub fn head(bytes: &[u8], sound: bool) -> Option<Head> {
    // CETH is never looked at: it is payload here.
    let reader = Reader { lr2_eth: true, congestion: true, ..Reader::default() };
    let frame = parse_judged(bytes, sound, &reader).ok()?;
    let kind = kind(&frame)?;
    let bth = &frame.bth;
    let (source, destination) = match frame.ip {
        Ip::V4 { source, destination } => (IpAddr::V4(source), IpAddr::V4(destination)),
        Ip::V6 { source, destination } => (IpAddr::V6(source), IpAddr::V6(destination)),
    };
    let read = if bth.opcode == Opcode::READ_REQUEST { frame.reth?.length } else { 0 };
    let aeth = frame.aeth;
    let nak = aeth.is_some_and(|aeth| bth.opcode == Opcode::ACKNOWLEDGE && aeth.syndrome >> 5 == 3);
    let origin = match bth.reserved6 >> 1 & 3 {
        1 if nak => Origin::Sentry,
        2 if nak => Origin::Depot,
        _ => Origin::Card,
    };
    let gap = frame.lr2_eth.filter(|_| kind == Kind::Nak).map_or(Gap::default(), |eth| Gap {
        start: eth.gap_start,
        length: eth.gap_length,
        edge: eth.expected,
    });
    let (mut number, mut una) = (bth.psn, 0);
    if let (Kind::Probe, Some(Control::Other(body))) = (kind, &frame.control) {
        let word = |at: usize| body[at..at + 4].iter().fold(0, |value, &byte| value << 8 | u32::from(byte));
        (number, una) = (word(0), word(4));
    }
    if read > LONGEST_READ || [gap.start, gap.length, gap.edge, number, una].iter().any(|&number| number >= psn::SPACE) {
        return None;
    }
    let last = matches!(bth.opcode.0, 0x02..=0x05 | 0x08..=0x0b | 0x16 | 0x17);
    Some(Head {
        source,
        destination,
        qp: bth.destination_qp,
        kind,
        origin,
        psn: number,
        read,
        asks: kind == Kind::Data && (bth.ack_request || last),
        msn: aeth.map_or(0, |aeth| aeth.msn),
        credits: aeth.map_or(0, |aeth| aeth.syndrome & 0x1f),
        gap,
    })
}

/// `None`: the boxes do not act on such a packet.
fn kind(frame: &Frame) -> Option<Kind> {
    Some(match frame.bth.opcode.0 {
        0x00..=0x0b | 0x16 | 0x17 => Kind::Data,
        0x0c | 0x13 | 0x14 | 0x1c | 0x1d => Kind::Request,
        0x0d..=0x10 | 0x12 => Kind::Response,
        0x11 => match frame.aeth?.syndrome {
            0x00..=0x1f => Kind::Ack,
            0x20..=0x3f => Kind::Rnr,
            0x60 => Kind::Nak,
            0x61..=0x7f => Kind::Refusal,
            _ => return None,
        },
        0x81 => Kind::Cnp,
        0xe0 => Kind::Probe,
        _ => return None,
    })
}

/// PSNs that a packet consumes: of a READ request one for each packet of its answer.
pub fn span(read: u32, mtu: u32) -> u32 {
    read.div_ceil(mtu).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Aeth, Bth, Lr2Eth, Reth};

    fn acknowledgement(syndrome: u8, reserved6: u8) -> Frame {
        let mut frame = Frame::new(Bth { reserved6, ..Bth::new(Opcode::ACKNOWLEDGE, 7, 5) });
        frame.aeth = Some(Aeth { syndrome, msn: 9 });
        frame
    }

    #[test]
    fn the_syndrome_and_the_origin_say_what_an_acknowledgement_is() {
        let of = |syndrome, reserved6| head(&acknowledgement(syndrome, reserved6).to_bytes(), true).map(|head| (head.kind, head.origin));
        assert_eq!(of(0x1f, 0), Some((Kind::Ack, Origin::Card)));
        assert_eq!(of(0x05, 4), Some((Kind::Ack, Origin::Card)), "the bits say something of a NAK alone");
        assert_eq!(of(0x2a, 0), Some((Kind::Rnr, Origin::Card)));
        assert_eq!(of(0x60, 2), Some((Kind::Nak, Origin::Sentry)));
        assert_eq!(of(0x62, 0), Some((Kind::Refusal, Origin::Card)));
        assert_eq!(of(0x40, 0), None);
        assert_eq!(of(0x60, 4), None, "LR2ETH is missing");
    }

    #[test]
    fn a_depot_nack_says_its_gap() {
        let mut frame = acknowledgement(0x60, 4);
        frame.lr2_eth = Some(Lr2Eth { gap_start: 0xff_fffe, gap_length: 3, expected: 8 });
        let found = head(&frame.to_bytes(), true).unwrap();
        assert_eq!((found.kind, found.origin), (Kind::Nak, Origin::Depot));
        assert_eq!((found.msn, found.psn, found.gap), (9, 5, Gap { start: 0xff_fffe, length: 3, edge: 8 }));
        assert_eq!(head(&frame.to_bytes(), false), None, "damaged");
        frame.lr2_eth = Some(Lr2Eth { gap_start: 1 << 24, gap_length: 3, expected: 8 });
        assert_eq!(head(&frame.to_bytes(), true), None, "no PSN has more than 24 bits");
    }

    #[test]
    fn a_read_consumes_what_its_answer_has_packets() {
        let mut frame = Frame::new(Bth::new(Opcode::READ_REQUEST, 7, 5));
        frame.reth = Some(Reth { address: 0, rkey: 0, length: 1025 });
        let found = head(&frame.to_bytes(), true).unwrap();
        assert_eq!((found.kind, span(found.read, 1024), span(found.read, 4096), span(0, 256)), (Kind::Request, 2, 1, 1));
        assert_eq!(span(LONGEST_READ, 256), 1 << 23);
        frame.reth = Some(Reth { address: 0, rkey: 0, length: LONGEST_READ + 1 });
        assert_eq!(head(&frame.to_bytes(), true), None);
    }

    #[test]
    fn the_last_packet_of_a_message_asks() {
        let asks = |opcode| head(&Frame::new(Bth::new(Opcode(opcode), 7, 5)).to_bytes(), true).map(|head| head.asks);
        let asking: Vec<u8> = (0..=255).filter(|&opcode| asks(opcode) == Some(true)).collect();
        assert_eq!(asking, [0x02, 0x04, 0x08], "those of them that need no further header");
    }
}
