//! Frames for the parser: good ones of every kind, and what goes wrong with frames.

use crate::pins::chance;
use rand::{Rng, RngCore};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::wire::{Aeth, AtomicEth, Bth, Ceth, Control, Feth, Frame, Ip, Lr2Eth, OpEth, Opcode, Reader, Reth, WqeEth};

/// A frame on the wire, and what the MAC side says of its CRC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    pub bytes: Vec<u8>,
    pub crc_ok: bool,
}

impl Case {
    /// A frame whose CRC holds.
    pub fn good(bytes: Vec<u8>) -> Case {
        Case { bytes, crc_ok: true }
    }
}

/// Every opcode that a reader knows.
pub const OPCODES: [u8; 40] = [
    0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,
    0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0x81, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xe0,
];

/// A well-formed frame with `opcode` and `payload` bytes of payload; all else is random.
pub fn well_formed(rng: &mut ChaCha8Rng, reader: &Reader, opcode: u8, payload: usize) -> Frame {
    let code = Opcode(opcode);
    let shape = code.shape().unwrap_or_default();
    let mut frame = Frame::new(Bth::new(code, rng.random_range(0..1 << 24), rng.random_range(0..1 << 24)));
    let bth = &mut frame.bth;
    (bth.solicited, bth.migration, bth.fecn, bth.becn, bth.ack_request) =
        (rng.random(), rng.random(), rng.random(), rng.random(), rng.random());
    (bth.reserved6, bth.reserved7, bth.partition_key) = (rng.random_range(0..64), rng.random_range(0..128), rng.random());
    bth.pad = (payload.wrapping_neg() % 4) as u8;
    frame.traffic_class = rng.random();
    frame.vlan = rng.random_bool(0.3).then(|| rng.random());
    if rng.random_bool(0.4) {
        frame.ip = Ip::V6 { source: rng.random::<u128>().into(), destination: rng.random::<u128>().into() };
    } else if rng.random_bool(0.4) {
        frame.ip_options = vec![0; 4 * rng.random_range(1..=10)];
        rng.fill_bytes(&mut frame.ip_options);
    }
    frame.payload = vec![0; payload];
    rng.fill_bytes(&mut frame.payload);
    frame.feth = shape.feth.then(|| Feth {
        placement: rng.random_range(0..16),
        selectivity: rng.random_range(0..4),
        reserved: rng.random_range(0..1 << 26),
    });
    frame.reth = shape.reth.then(|| Reth { address: rng.random(), rkey: rng.random(), length: rng.random() });
    frame.aeth = shape.aeth.then(|| Aeth { syndrome: rng.random(), msn: rng.random_range(0..1 << 24) });
    frame.atomic =
        shape.atomic.then(|| AtomicEth { address: rng.random(), rkey: rng.random(), swap_or_add: rng.random(), compare: rng.random() });
    frame.atomic_ack = shape.atomic_ack.then(|| rng.random());
    frame.imm = shape.imm.then(|| rng.random());
    frame.ieth = shape.ieth.then(|| rng.random());
    if reader.op_eth && code.is_write_only() {
        let start = rng.random_bool(0.5);
        let count = if start { rng.random() } else { 0 };
        frame.op_eth = Some(OpEth {
            flags: u8::from(start) | rng.random_range(0..2) << 1,
            op: rng.random_range(0..1 << OP_BITS),
            count,
            src: rng.random(),
        });
        if let (false, Some(reth)) = (start, frame.reth.as_mut()) {
            reth.length = payload as u32;
        }
    }
    if reader.wqe_eth && shape.data {
        frame.wqe_eth = Some(WqeEth { sequence: rng.random(), offset: rng.random(), total: rng.random() });
    }
    if reader.lr2_eth && code == Opcode::ACKNOWLEDGE {
        frame.lr2_eth = Some(Lr2Eth { gap_start: rng.random(), gap_length: rng.random(), expected: rng.random() });
    }
    if reader.ceth && code == Opcode::ACKNOWLEDGE {
        let words = rng.random_range(1..=4);
        let mut bytes = vec![0; 4 * words];
        rng.fill_bytes(&mut bytes);
        bytes[0] = bytes[0] & 0xf0 | words as u8;
        bytes[1] &= 0xfe;
        bytes[2..4].fill(0);
        frame.ceth = Some(Ceth(bytes));
    }
    let bytes = if rng.random() { rng.random() } else { rng.random_range(0..1 << 33) };
    frame.control = match code {
        Opcode::REMOTE_COMPLETION => {
            Some(Control::Completion { op: rng.random_range(0..1 << OP_BITS), status: rng.random(), packets: rng.random() })
        }
        Opcode::OP_ACK => {
            Some(Control::OpAck { op: rng.random_range(0..1 << OP_BITS), index: rng.random(), status: rng.random(), mask: rng.random() })
        }
        Opcode::DATA_ARRIVAL => {
            let status = rng.random_range(0..2);
            Some(Control::DataArrival { op: rng.random_range(0..1 << OP_BITS), src: rng.random(), status, address: rng.random(), bytes })
        }
        Opcode::FFM => Some(Control::Feedback {
            start: rng.random(),
            length: rng.random(),
            edge: rng.random(),
            base: rng.random(),
            timestamp: rng.random(),
            path: rng.random(),
            status: rng.random(),
            depth: rng.random(),
            repeat: rng.random(),
            misjudged: rng.random_range(0..1 << 24),
        }),
        Opcode::RANGE_ACK => Some(Control::RangeAck { base: rng.random(), start: rng.random(), length: rng.random() }),
        _ if shape.control > 0 => {
            let mut bytes = vec![0; shape.control];
            rng.fill_bytes(&mut bytes);
            Some(Control::Other(bytes))
        }
        _ => None,
    };
    frame
}

/// A payload size: often around a beat of `beat` bytes, or none.
pub fn payload_size(rng: &mut ChaCha8Rng, beat: usize) -> usize {
    match rng.random_range(0..8) {
        0 => 0,
        1 => rng.random_range(0..=2 * beat),
        2 => beat * rng.random_range(1..4usize) + rng.random_range(0..5usize),
        3 => (beat * rng.random_range(1..4usize)).saturating_sub(rng.random_range(0..5)),
        4 => rng.random_range(0..2000),
        _ => rng.random_range(0..160),
    }
}

/// What goes wrong with a frame, if anything does. `headers` bytes are those before the payload.
pub(crate) fn spoil(rng: &mut ChaCha8Rng, bytes: &mut Vec<u8>, headers: usize) {
    match rng.random_range(0..10) {
        0 => bytes.truncate(rng.random_range(0..=bytes.len())),
        1 => {
            let at = rng.random_range(12..headers.min(bytes.len()));
            bytes[at] ^= 1 << rng.random_range(0..8);
            bytes.truncate(at + rng.random_range(0..3usize));
        }
        2 => {
            let cut = rng.random_range(1..12);
            bytes.truncate(bytes.len().saturating_sub(cut));
        }
        3 | 4 => {
            let at = rng.random_range(0..headers.min(bytes.len()));
            bytes[at] ^= 1 << rng.random_range(0..8);
        }
        5 => {
            let at = rng.random_range(12..headers.min(bytes.len()));
            bytes[at] = [0, 1, 4, 6, 17, 44, 60, 0x45, 0x46, 0x60, 0x81, 0xff][rng.random_range(0..12)];
        }
        6 => {
            // Two faults: the first in the spec's order must name the reason.
            for _ in 0..2 {
                let at = rng.random_range(12..headers.min(bytes.len()));
                bytes[at] ^= 1 << rng.random_range(0..8);
            }
        }
        7 => {
            let at = rng.random_range(14..headers.min(bytes.len()));
            bytes[at..].iter_mut().for_each(|byte| *byte = rng.random());
        }
        8 => {
            *bytes = vec![0; rng.random_range(0..200)];
            rng.fill_bytes(bytes);
        }
        _ => {
            // as left over by hardware that pads: anything behind the IP packet
            let more = rng.random_range(1..150);
            bytes.extend((0..more).map(|_| rng.random::<u8>()));
        }
    }
}

/// `count` frames of all kinds, `bad` percent of which somebody has been at.
pub fn mixture(rng: &mut ChaCha8Rng, reader: &Reader, beat: usize, count: usize, bad: u32) -> Vec<Case> {
    (0..count)
        .map(|_| {
            let opcode =
                if rng.random() { [0x0a, 0x0b, 0xc4][rng.random_range(0..3)] } else { OPCODES[rng.random_range(0..OPCODES.len())] };
            let size = payload_size(rng, beat);
            let mut frame = well_formed(rng, reader, opcode, size);
            if !reader.queue_pairs.is_empty() && rng.random_bool(0.8) {
                frame.bth.destination_qp = reader.queue_pairs[rng.random_range(0..reader.queue_pairs.len())];
            }
            let mut bytes = frame.to_bytes();
            let headers = (bytes.len() - size - 4 - usize::from(frame.bth.pad)).max(16);
            // the other kind of tag
            if frame.vlan.is_some() && rng.random_bool(0.3) {
                bytes[12..14].copy_from_slice(&[0x88, 0xa8]);
            }
            // Ethernet's least is 60 bytes without FCS; shorter ones come too
            if rng.random() && bytes.len() < 60 {
                bytes.resize(60, 0);
            }
            if chance(rng, bad) {
                spoil(rng, &mut bytes, headers);
            }
            Case { bytes, crc_ok: !chance(rng, bad / 8) }
        })
        .collect()
}

/// `frame` cut at every byte of its headers and of the ends around, a good frame behind each.
pub fn cut_at_every_byte(frame: &Frame) -> Vec<Case> {
    let bytes = frame.to_bytes();
    let whole = Case::good(bytes.clone());
    (0..bytes.len()).flat_map(|length| [Case::good(bytes[..length].to_vec()), whole.clone()]).collect()
}

/// `frame` with each byte wrong that says what kind of frame it is, cut at every byte up to the UDP port: a byte that is there and wrong
/// and a byte that is missing have different reasons.
pub fn foreign_and_cut(frame: &Frame) -> Vec<Case> {
    let bytes = frame.to_bytes();
    let ip = 14 + 4 * usize::from(frame.vlan.is_some());
    let (protocol, udp) = match frame.ip {
        Ip::V4 { .. } => (ip + 9, ip + 20 + frame.ip_options.len()),
        Ip::V6 { .. } => (ip + 6, ip + 40),
    };
    let wrongs: [&[(usize, u8)]; 10] = [
        &[(ip - 1, 0xff)],
        &[(ip, 0x44)],
        &[(ip, 0x65)],
        &[(ip, 0x75)],
        &[(protocol, 6)],
        &[(protocol, 44)],
        // an IPv6 fragment of UDP
        &[(protocol, 44), (ip + 40, 17)],
        &[(ip + 7, 1)],
        &[(ip + 6, 0x20)],
        &[(udp + 3, 0)],
    ];
    wrongs
        .into_iter()
        .flat_map(|edits| {
            let mut wrong = bytes.clone();
            edits.iter().for_each(|&(at, value)| wrong[at] = value);
            (12..udp + 6).map(move |length| Case::good(wrong[..length].to_vec()))
        })
        .collect()
}

/// `frame` with every bit of its headers flipped, one at a time, a good frame behind each.
pub fn every_header_bit(frame: &Frame) -> Vec<Case> {
    let bytes = frame.to_bytes();
    let headers = bytes.len() - frame.payload.len() - 4 - usize::from(frame.bth.pad);
    let whole = Case::good(bytes.clone());
    (0..8 * headers)
        .flat_map(|bit| {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 0x80 >> (bit % 8);
            [Case::good(flipped), whole.clone()]
        })
        .collect()
}
