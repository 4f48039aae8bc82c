//! Packets and indications as frames: every field survives, a frame may end anywhere, and without the option nothing changes.

use super::*;
use crate::wire::{AtomicEth, Control, Frame, FrameError, Opcode, Reader, Reth, WqeEth, parse};

fn data(opcode: u8) -> Packet {
    let opcode = Opcode(opcode);
    let shape = opcode.shape().unwrap();
    Packet {
        qp: 0x12_3456,
        psn: 0xff_fffe,
        opcode,
        retransmission: true,
        wqe: shape.data.then_some(WqeEth { sequence: 0x0102_0304, offset: 0x0506_0700, total: 0x8100_0009 }),
        reth: shape.reth.then_some(Reth { address: 0x1122_3344_5566_7788, rkey: 0x99aa_bbcc, length: 0xddee_ff01 }),
        atomic: shape.atomic.then_some(AtomicEth { address: 1, rkey: 2, swap_or_add: 3, compare: 4 }),
        imm: shape.imm.then_some(0xcafe_f00d),
        bytes: 7,
    }
}

#[test]
fn every_packet_survives_the_wire() {
    for opcode in (0x00..=0x0c).chain([0x13, 0x14]) {
        let packet = Packet { bytes: if opcode < 0x0c { 7 } else { 0 }, ..data(opcode) };
        let payload = &[1, 2, 3, 4, 5, 6, 7][..packet.bytes as usize];
        let bytes = packet.frame(payload).to_bytes();
        let frame = parse(&bytes, false, &Reader::wqe()).unwrap();
        assert_eq!(frame.payload, payload, "{opcode:#04x}");
        assert_eq!(Packet::from_frame(&frame), Some(packet), "{opcode:#04x}");
        assert_eq!(packet.is_read_or_atomic(), packet.wqe.is_none());
        // It may end at any byte.
        for end in 0..bytes.len() {
            let reason = parse(&bytes[..end], false, &Reader::wqe()).unwrap_err();
            assert!(matches!(reason, FrameError::Truncated | FrameError::BadLength | FrameError::BadPad), "{opcode:#04x}, {end}: {reason}");
        }
    }
}

#[test]
fn the_header_stands_behind_the_standards_own() {
    let at = |opcode: u8, behind: usize| {
        let bytes = data(opcode).frame(&[7; 7]).to_bytes();
        assert_eq!(bytes[54 + behind..54 + behind + 12], [1, 2, 3, 4, 5, 6, 7, 0, 0x81, 0, 0, 9], "{opcode:#04x}");
    };
    [(0x00, 0), (0x03, 4), (0x06, 16), (0x0b, 20), (0x09, 4)].into_iter().for_each(|(opcode, behind)| at(opcode, behind));
    let eth = WqeEth::new(1, 2, u32::MAX, true);
    assert_eq!((eth.bytes(), eth.fence(), eth.is_reserved()), (0x1ff_ffff, true, false));
    assert!((25..31).all(|bit| WqeEth { total: 1 << bit, ..eth }.is_reserved()));
    assert!(!WqeEth::new(1, 2, 3, false).fence());
}

#[test]
fn an_indication_survives_the_wire() {
    for wqe in [Some(0x0102_0304), None] {
        let indication = Indication { qp: 5, wqe, first: 0x05_0607, missing: 0x0809_0a0b_0c0d_0e0f };
        let bytes = indication.frame(5).to_bytes();
        let expected = if wqe.is_some() { [1, 2, 3, 4, 0x00, 5, 6, 7] } else { [0, 0, 0, 0, 0x80, 5, 6, 7] };
        assert_eq!((bytes[42], &bytes[54..62], &bytes[62..70]), (0xc2, &expected[..], &[8, 9, 10, 11, 12, 13, 14, 15][..]));
        let frame = parse(&bytes, false, &Reader::wqe()).unwrap();
        assert_eq!(frame.to_bytes(), bytes);
        assert_eq!(Indication::from_frame(&frame, 5), Some(indication));
        for end in 0..bytes.len() {
            assert!(parse(&bytes[..end], false, &Reader::wqe()).is_err(), "{end}");
        }
        // Without the option it is bytes, as it was.
        let bare = parse(&bytes, false, &Reader::registry()).unwrap();
        assert_eq!(bare.control, Some(Control::Other(bytes[54..70].to_vec())));
        assert_eq!((Indication::from_frame(&bare, 5), bare.to_bytes()), (None, bytes));
    }
    let mut frame = Indication { qp: 5, wqe: None, first: 1, missing: 1 }.frame(5);
    // A packet sequence number has 24 bits.
    for first in [1 << 24, 1 << 30, u32::MAX] {
        frame.control = Some(Control::Retransmission { sequence: 1, first, missing: 1 });
        let read = parse(&frame.to_bytes(), false, &Reader::wqe()).unwrap();
        assert_eq!((read.control.clone(), Indication::from_frame(&read, 5)), (frame.control.clone(), None));
    }
    let named: Vec<u32> = Indication { qp: 5, wqe: None, first: psn::SPACE - 1, missing: 1 << 63 | 0b101 }.packets().collect();
    assert_eq!(named, [psn::SPACE - 1, 1, 62]);
}

#[test]
fn what_is_no_request_is_no_packet() {
    for opcode in [0x0d, 0x0e, 0x11, 0x12, 0xc2] {
        let frame = Frame::new(crate::wire::Bth::new(Opcode(opcode), 5, 9));
        assert_eq!(Packet::from_frame(&frame), None, "{opcode:#04x}");
    }
    // A WRITE whose header nobody has read.
    let mut frame = data(0x0a).frame(&[1, 2, 3]);
    assert!(Packet::from_frame(&frame).is_some());
    frame.wqe_eth = None;
    assert_eq!(Packet::from_frame(&frame), None);
    // Any value of the header is read as it is.
    for total in [0, 1 << 25, u32::MAX] {
        frame.wqe_eth = Some(WqeEth { sequence: u32::MAX, offset: u32::MAX, total });
        let read = parse(&frame.to_bytes(), false, &Reader::wqe()).unwrap();
        assert_eq!(read.wqe_eth, frame.wqe_eth);
    }
}
