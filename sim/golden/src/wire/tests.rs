use super::*;
use crate::registry::{Header, Kind};

/// An acknowledgement that a Linux soft-RoCE responder sent: its ICRC is not of our making.
const SOFT_ROCE_ACK: &str = "0200000009010200000009020800450000306c7340004011ba350a0900020a090001c12112b7001c0000\
                             1100ffff000000110065ee741f00000190ffe520";

fn hex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn start() -> Header {
    Header { kind: Kind::Start, src: 3, op: 0x1234, addr: 0x1_0000_0200, bytes: 257, op_bytes: 257, count: 1, rkey: 0xdead_beef, imm: None }
}

fn body() -> Header {
    Header { kind: Kind::Body, bytes: 12, op_bytes: 12, count: 0, imm: Some(7), ..start() }
}

fn read(bytes: &[u8]) -> Result<Frame, FrameError> {
    parse(bytes, false, &Reader::registry())
}

/// Makes the ICRC right again after an edit of an untagged IPv4 frame without options.
fn seal(bytes: &mut Vec<u8>) {
    let end = bytes.len() - 4;
    let crc = icrc(&bytes[14..end], 20);
    bytes.truncate(end);
    bytes.extend(crc.to_le_bytes());
}

#[test]
fn a_frame_of_other_software_holds_and_is_rebuilt_byte_for_byte() {
    let bytes = hex(SOFT_ROCE_ACK);
    let frame = read(&bytes).unwrap();
    assert_eq!((frame.bth.opcode, frame.bth.destination_qp, frame.bth.psn), (Opcode::ACKNOWLEDGE, 0x11, 0x65ee74));
    assert_eq!(frame.aeth, Some(Aeth { syndrome: 0x1f, msn: 1 }));
    assert_eq!(frame.header(), None);
    let rebuilt = frame.to_bytes();
    // its IP identification, traffic class and so the checksum are its own; all else is the same, the ICRC included
    assert_eq!(rebuilt[34..rebuilt.len() - 4], bytes[34..bytes.len() - 4]);
    assert_eq!(icrc(&bytes[14..bytes.len() - 4], 20).to_le_bytes(), bytes[bytes.len() - 4..]);
}

#[test]
fn every_packet_survives_the_wire() {
    let arrival = Header { kind: Kind::Arrival, bytes: 0, op_bytes: 1 << 20, count: 0, rkey: 0, imm: None, ..start() };
    let abort = Header { kind: Kind::Abort, ..arrival };
    for header in [start(), body(), arrival, abort] {
        let plain = Frame::carrying(&header, 0x00_ff00);
        let mut tagged = plain.clone();
        tagged.vlan = Some(0x2064);
        tagged.ip_options = vec![1; 8];
        let mut six = plain.clone();
        six.ip = Ip::V6 { source: "fd00::1".parse().unwrap(), destination: "fd00::2".parse().unwrap() };
        six.traffic_class = 0x5b;
        for frame in [plain, tagged, six] {
            let mut bytes = frame.to_bytes();
            assert_eq!(read(&bytes).unwrap(), frame);
            assert_eq!(read(&bytes).unwrap().header(), Some(header));
            // Ethernet padding is no part of it
            bytes.extend([0; 9]);
            assert_eq!(read(&bytes).unwrap(), frame);
        }
    }
}

#[test]
fn icrc_covers_what_it_should_and_nothing_else() {
    let v4 = Frame::carrying(&start(), 1).to_bytes();
    let mut six = Frame::carrying(&start(), 1);
    six.ip = Ip::V6 { source: "fd00::1".parse().unwrap(), destination: "fd00::2".parse().unwrap() };
    let six = six.to_bytes();
    // type of service, time to live, IP checksum, UDP checksum, BTH byte 4
    let masked4 = [15, 22, 24, 25, 40, 41, 46];
    // traffic class, flow label, hop limit, UDP checksum, BTH byte 4
    let masked6 = [15, 16, 17, 21, 60, 61, 66];
    for (bytes, masked) in [(v4, masked4), (six, masked6)] {
        for at in masked {
            let mut changed = bytes.clone();
            changed[at] ^= 0x01;
            assert!(read(&changed).is_ok(), "byte {at}");
        }
        for at in (26..bytes.len()).filter(|at| !masked.contains(at)) {
            let mut changed = bytes.clone();
            changed[at] ^= 0x01;
            assert!(read(&changed).is_err(), "byte {at}");
        }
    }
}

#[test]
fn a_frame_may_end_at_any_byte() {
    let mut tagged = Frame::carrying(&body(), 1);
    tagged.vlan = Some(5);
    for bytes in [tagged.to_bytes(), Frame::carrying(&start(), 1).to_bytes()] {
        for length in 0..bytes.len() {
            assert!(matches!(read(&bytes[..length]), Err(FrameError::Truncated | FrameError::BadLength | FrameError::BadPad)), "{length}");
        }
        assert_eq!(parse(&bytes, true, &Reader::registry()), Err(FrameError::Truncated));
    }
}

#[test]
fn every_error_has_its_reason() {
    let good = Frame::carrying(&start(), 1).to_bytes();
    type Edit = fn(&mut Vec<u8>);
    let cases: &[(FrameError, Edit)] = &[
        (FrameError::NotRocev2, |b| b[12..14].copy_from_slice(&[8, 6])),
        (FrameError::NotRocev2, |b| b[23] = 6),
        (FrameError::NotRocev2, |b| b[36..38].copy_from_slice(&[0, 53])),
        (FrameError::NotRocev2, |b| b[14] = 0x65),
        (FrameError::NotRocev2, |b| b[14] = 0x44),
        (FrameError::Truncated, |b| b[20] |= 0x20),
        (FrameError::Truncated, |b| b[21] = 1),
        (FrameError::Truncated, |b| b.truncate(14 + 20 + 8 + 12 + 16 + 8 + 3)),
        // the IP length ends before the headers do
        (FrameError::Truncated, |b| b[16..18].copy_from_slice(&60u16.to_be_bytes())),
        (FrameError::BadVersion, |b| b[43] |= 1),
        (FrameError::BadOpcode, |b| b[42] = 0x20),
        (FrameError::BadOpcode, |b| b[42] = 0xc6),
        (FrameError::BadLength, |b| b[39] ^= 4),
        (FrameError::BadLength, |b| b.truncate(b.len() - 4)),
        (FrameError::BadIcrc, |b| *b.last_mut().unwrap() ^= 1),
        (FrameError::BadExtension, |b| b[70] = 2),
        // a body with a count, although its length is wrong too
        (FrameError::BadExtension, |b| b[70] = 0),
        (FrameError::BadLength, |b| {
            b[69] ^= 8;
            b[70..78].fill(0);
        }),
    ];
    for (number, (reason, edit)) in cases.iter().enumerate() {
        let mut bytes = good.clone();
        edit(&mut bytes);
        if bytes.len() == good.len() && bytes[70..78] != good[70..78] {
            seal(&mut bytes);
        }
        assert_eq!(read(&bytes), Err(*reason), "case {number}");
    }
    let mut short = Frame::carrying(&Header { bytes: 2, op_bytes: 2, ..start() }, 1);
    short.payload.clear();
    short.bth.pad = 3;
    let mut bytes = short.to_bytes();
    bytes.drain(bytes.len() - 7..bytes.len() - 4);
    assert_eq!(read(&bytes), Err(FrameError::BadPad));
    let elsewhere = Reader { queue_pairs: vec![0x12], ..Reader::registry() };
    assert_eq!(parse(&good, false, &elsewhere), Err(FrameError::UnknownQp));
    let here = Reader { queue_pairs: vec![0x12, 0x11], ..Reader::registry() };
    assert!(parse(&good, false, &here).is_ok());
}

#[test]
fn the_first_check_that_fails_names_the_reason() {
    let mut bytes = Frame::carrying(&start(), 1).to_bytes();
    let elsewhere = Reader { queue_pairs: vec![0x12], ..Reader::registry() };
    let reason = |bytes: &[u8]| parse(bytes, false, &elsewhere).unwrap_err();
    assert_eq!(reason(&bytes), FrameError::UnknownQp);
    bytes[70] = 9;
    assert_eq!(reason(&bytes), FrameError::BadIcrc);
    bytes[39] ^= 1;
    assert_eq!(reason(&bytes), FrameError::BadLength);
    bytes[42] = 0xff;
    assert_eq!(reason(&bytes), FrameError::BadOpcode);
    bytes[43] |= 0xf;
    assert_eq!(reason(&bytes), FrameError::BadVersion);
    bytes.truncate(50);
    assert_eq!(reason(&bytes), FrameError::Truncated);
    bytes[23] = 6;
    assert_eq!(reason(&bytes), FrameError::NotRocev2);
}

#[test]
fn control_messages_survive_the_wire() {
    let cases = [
        (Opcode::REMOTE_COMPLETION, Control::Completion { op: 0x102, status: 14, packets: 70_000 }),
        (Opcode::OP_ACK, Control::OpAck { op: 0x304, index: 64, status: 9, mask: 0x8000_0000_0000_0001 }),
        (
            Opcode::FFM,
            Control::Feedback {
                start: 0x0001_0203,
                length: 0x0405_0607,
                edge: 0x0809_0a0b,
                base: 0x0c0d_0e0f,
                timestamp: 0x1011_1213,
                path: 0x14,
                status: 0x15,
                depth: 0x1617,
                repeat: 0x18,
                misjudged: 0x19_1a1b,
            },
        ),
        (Opcode::RANGE_ACK, Control::RangeAck { base: 0x0001_0203, start: 0x0405_0607, length: 0x0809_0a0b }),
        (Opcode::RETRANSMISSION, Control::Other((0..16).collect())),
    ];
    for (opcode, control) in cases {
        let mut frame = Frame::new(Bth::new(opcode, 5, 0));
        frame.control = Some(control);
        let bytes = frame.to_bytes();
        assert_eq!(read(&bytes).unwrap(), frame);
        if opcode == Opcode::FFM || opcode == Opcode::RANGE_ACK {
            // Every byte says where it stands.
            let body = &bytes[54..bytes.len() - 4];
            assert!(body.iter().enumerate().all(|(at, &byte)| usize::from(byte) == at), "{body:02x?}");
        }
    }
    let mut frame = Frame::new(Bth::new(Opcode::DATA_ARRIVAL, 5, 0));
    frame.control = Some(Control::DataArrival { op: 1, src: 2, status: 2, address: 3, bytes: 4 });
    assert_eq!(read(&frame.to_bytes()), Err(FrameError::BadExtension));
    frame.control = Some(Control::DataArrival { op: 1, src: 2, status: 0, address: 3, bytes: 1 << 40 });
    assert_eq!(read(&frame.to_bytes()).unwrap().header().map(|header| header.op_bytes), Some(u32::MAX));
}

#[test]
fn the_other_extension_headers_survive_the_wire() {
    let all = Reader { op_eth: false, wqe_eth: true, lr2_eth: true, ceth: true, ..Reader::default() };
    let mut data = Frame::new(Bth::new(Opcode(0x07), 9, 4));
    data.wqe_eth = Some(WqeEth { sequence: 1, offset: 1024, total: 4096 });
    data.payload = vec![1, 2, 3, 4];
    assert_eq!(parse(&data.to_bytes(), false, &all).unwrap(), data);
    let mut nak = Frame::new(Bth::new(Opcode::ACKNOWLEDGE, 9, 4));
    nak.aeth = Some(Aeth { syndrome: 0x60, msn: 8 });
    nak.lr2_eth = Some(Lr2Eth { gap_start: 1, gap_length: 2, expected: 3 });
    nak.ceth = Some(Ceth(vec![0x12, 0x40, 0, 0, 0, 9, 0, 1]));
    assert_eq!(parse(&nak.to_bytes(), false, &all).unwrap(), nak);
    for bad in [vec![0x10u8], vec![0x15; 20], vec![0x11, 1, 0, 0], vec![0x11, 0, 0, 3]] {
        nak.ceth = Some(Ceth(bad.clone()));
        let reason = parse(&nak.to_bytes(), false, &all).unwrap_err();
        assert_eq!(reason, FrameError::BadExtension, "{bad:?}");
    }
}

#[test]
fn what_a_receiver_says_survives_the_wire() {
    use crate::bitmap::{Ack, Cause, Ffm, Message, RangeAck};
    let ffm = Ffm {
        qp: 3,
        start: 0xff_fffe,
        length: 5,
        edge: 0x10,
        base: 0xff_fff0,
        timestamp: 0x8765_4321,
        path: 15,
        status: Cause::Repeated,
        depth: 0xffff,
        repeat: 2,
        misjudged: 0xff_ffff,
    };
    let messages = [
        Message::Ack(Ack { qp: 3, psn: 0xff_ffff, credits: 7 }),
        Message::Range(RangeAck { qp: 3, base: 0xff_fffe, start: 1, length: 4 }),
        Message::Ffm(ffm),
    ];
    for message in messages {
        let frame = message.frame(0x12_3456, 9);
        assert_eq!(frame.bth.destination_qp, 0x12_3456);
        let acknowledges = matches!(message, Message::Ack(_));
        assert_eq!(frame.bth.psn, if acknowledges { 0xff_ffff } else { 0 });
        assert_eq!(frame.aeth, acknowledges.then_some(Aeth { syndrome: 7, msn: 9 }));
        assert_eq!(read(&frame.to_bytes()).unwrap().message(3), Some(message));
    }
    // Of another peer: no window is told, and what is negative says nothing.
    let mut frame = read(&hex(SOFT_ROCE_ACK)).unwrap();
    assert_eq!(frame.message(1), Some(Message::Ack(Ack { qp: 1, psn: 0x65_ee74, credits: 31 })));
    frame.aeth = Some(Aeth { syndrome: 0x60, msn: 1 });
    assert_eq!(frame.message(1), None);
    // A number with more than 24 bits is none.
    for control in [Control::RangeAck { base: 1 << 24, start: 0, length: 1 }, Control::RangeAck { base: 0, start: 1 << 24, length: 1 }] {
        let mut frame = Frame::new(Bth::new(Opcode::RANGE_ACK, 5, 0));
        frame.control = Some(control);
        assert_eq!(frame.message(0), None);
    }
    assert_eq!(Frame::carrying(&start(), 4).message(0), None);
}

/// What each of the 256 opcodes carries behind BTH, as the wire format has it: bytes before the payload, or `None`: it is unknown.
fn bytes_behind_bth(opcode: u8) -> Option<usize> {
    match opcode {
        // SEND and RDMA WRITE without another header; READ RESPONSE MIDDLE; reserved in RC
        0x00..=0x02 | 0x04 | 0x07 | 0x08 | 0x0e | 0x15 | 0x18..=0x1b | 0x1e | 0x1f => Some(0),
        // immediate, AETH, IETH
        0x03 | 0x05 | 0x09 | 0x0d | 0x0f..=0x11 | 0x16 | 0x17 => Some(4),
        // RETH
        0x06 | 0x0a | 0x0c | 0x1d => Some(16),
        0x0b => Some(16 + 4),
        0x12 => Some(4 + 8),
        0x13 | 0x14 => Some(28),
        0x1c => Some(4 + 16),
        0x81 => Some(0),
        0xc0 => Some(28),
        0xc1 | 0xe0 => Some(8),
        0xc2 | 0xc3 => Some(16),
        0xc4 => Some(24),
        0xc5 => Some(12),
        // UC, RD, UD, the base of CNP and what is reserved beside it, XRC, other manufacturers
        _ => None,
    }
}

#[test]
fn each_of_the_256_opcodes_has_its_answer() {
    for opcode in 0..=u8::MAX {
        let mut bytes = Frame::new(Bth::new(Opcode(0x04), 5, 0x12_3456)).to_bytes();
        bytes[42] = opcode;
        let known = bytes_behind_bth(opcode);
        let payload = [0xa5; 8];
        let end = bytes.len() - 4;
        bytes.splice(end.., std::iter::repeat_n(0, known.unwrap_or(0)).chain(payload).chain([0; 4]));
        let ip = (bytes.len() - 14) as u16;
        bytes[16..18].copy_from_slice(&ip.to_be_bytes());
        bytes[38..40].copy_from_slice(&(ip - 20).to_be_bytes());
        seal(&mut bytes);
        let frame = parse(&bytes, false, &Reader::default());
        let Some(behind) = known else {
            assert_eq!(frame, Err(FrameError::BadOpcode), "{opcode:#04x}");
            continue;
        };
        let frame = frame.unwrap_or_else(|reason| panic!("{opcode:#04x} is {reason}"));
        assert_eq!((frame.bth.psn, frame.payload.as_slice()), (0x12_3456, &payload[..]), "{opcode:#04x}");
        // Behind the checksum of the IP header, which nobody looks at.
        assert_eq!(frame.to_bytes()[26..], bytes[26..], "{opcode:#04x}");
        // A byte less than its headers have is a frame that was cut.
        let short = 54 + behind + 4 - 1;
        assert_eq!(parse(&bytes[..short], false, &Reader::default()), Err(FrameError::Truncated), "{opcode:#04x}");
    }
    // No opcode of RC is unknown, whatever it asks for: its packet has a number that somebody waits for.
    assert!((0..0x20).all(|opcode| bytes_behind_bth(opcode).is_some() && Opcode(opcode).is_rc()));
    let requests: Vec<u8> = (0..=u8::MAX).filter(|&opcode| Opcode(opcode).is_request()).collect();
    let expected: Vec<u8> = (0x00..=0x0c).chain(0x13..=0x1f).collect();
    assert_eq!(requests, expected);
    assert!((0..=u8::MAX).all(|opcode| !Opcode(opcode).is_reserved() || Opcode(opcode).is_request()));
}

#[test]
fn invalidate_flush_and_atomic_write_survive_the_wire() {
    let reth = Some(Reth { address: 0x0123_4567_89ab_cdef, rkey: 0x1122_3344, length: 8 });
    for opcode in [0x16, 0x17] {
        let mut frame = Frame::new(Bth::new(Opcode(opcode), 5, 9));
        frame.ieth = Some(0xdead_beef);
        frame.payload = vec![1, 2, 3, 4];
        let bytes = frame.to_bytes();
        assert_eq!(bytes[54..62], [0xde, 0xad, 0xbe, 0xef, 1, 2, 3, 4]);
        assert_eq!(read(&bytes).unwrap(), frame);
        // Our own header stands behind it.
        let all = Reader { wqe_eth: true, ..Reader::default() };
        frame.wqe_eth = Some(WqeEth { sequence: 1, offset: 1024, total: 4096 });
        assert_eq!(parse(&frame.to_bytes(), false, &all).unwrap(), frame);
    }
    let mut flush = Frame::new(Bth::new(Opcode::FLUSH, 5, 9));
    (flush.feth, flush.reth) = (Some(Feth { placement: 2, selectivity: 1, reserved: 0 }), reth);
    let bytes = flush.to_bytes();
    assert_eq!(bytes[54..60], [0, 0, 0, 0x12, 0x01, 0x23]);
    assert_eq!(bytes.len(), 54 + 20 + 4);
    assert_eq!(read(&bytes).unwrap(), flush);
    let mut write = Frame::new(Bth::new(Opcode::ATOMIC_WRITE, 5, 9));
    (write.reth, write.payload) = (reth, (1..=8).collect());
    let bytes = write.to_bytes();
    assert_eq!(bytes[70..78], [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(read(&bytes).unwrap(), write);
}
