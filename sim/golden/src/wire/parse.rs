//! Bytes to a frame, or the first reason why not.

use super::{Aeth, AtomicEth, Bth, Ceth, Control, Feth, Frame, Ip, Lr2Eth, OpEth, Opcode, ROCE_PORT, Reth, Shape, WqeEth, icrc};
use crate::congestion::{self, Header};

/// Why a frame is dropped, in the order in which the checks apply. The text is the name in decision files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum FrameError {
    #[error("not_rocev2")]
    NotRocev2,
    #[error("truncated")]
    Truncated,
    #[error("bad_version")]
    BadVersion,
    #[error("bad_opcode")]
    BadOpcode,
    #[error("bad_pad")]
    BadPad,
    #[error("bad_length")]
    BadLength,
    #[error("bad_icrc")]
    BadIcrc,
    #[error("bad_extension")]
    BadExtension,
    #[error("unknown_qp")]
    UnknownQp,
    /// No frame is dropped for it: the packet is read and its number counts, but nobody knows what a reserved opcode asks for.
    #[error("reserved_opcode")]
    ReservedOpcode,
}

/// What the profile switches on, and which queue pairs are ours (none listed: all).
#[derive(Clone, Debug, Default)]
pub struct Reader {
    pub op_eth: bool,
    /// WqeETH on every SEND and RDMA WRITE, and 0xc2 as what it says; without it 0xc2 is its bytes
    pub wqe_eth: bool,
    pub lr2_eth: bool,
    /// CETH as the header parser in hardware has it: behind every 0x11, and a bad one condemns the frame
    pub ceth: bool,
    /// Congestion state as the contract has it, instead of `ceth`: CETH behind BECN alone, behind control messages and in CNPs too. A bad
    /// one is dropped and its frame is kept. LR2ETH then stands in a NAK of kind 10 alone.
    pub congestion: bool,
    pub queue_pairs: Vec<u32>,
}

impl Reader {
    /// The registry profile: OpETH on every RDMA WRITE ONLY.
    pub fn registry() -> Reader {
        Reader { op_eth: true, ..Reader::default() }
    }

    /// The transport with work queue elements: WqeETH on every SEND and RDMA WRITE, no OpETH.
    pub fn wqe() -> Reader {
        Reader { wqe_eth: true, ..Reader::default() }
    }
}

/// Big-endian reading of a slice; the caller has checked the length.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take(&mut self, bytes: usize) -> u64 {
        let (head, tail) = self.0.split_at(bytes);
        self.0 = tail;
        head.iter().fold(0, |value, &byte| value << 8 | u64::from(byte))
    }
    fn u8(&mut self) -> u8 {
        self.take(1) as u8
    }
    fn u24(&mut self) -> u32 {
        self.take(3) as u32
    }
    fn u16(&mut self) -> u16 {
        self.take(2) as u16
    }
    fn u32(&mut self) -> u32 {
        self.take(4) as u32
    }
    fn u64(&mut self) -> u64 {
        self.take(8)
    }
}

/// Link and network layer of a frame: where UDP starts and where the IP packet ends.
pub(super) struct Network {
    vlan: Option<u16>,
    ip: Ip,
    ip_options: Vec<u8>,
    traffic_class: u8,
    pub(super) ip_start: usize,
    pub(super) udp: usize,
    /// end of the IP packet by its own length field; may lie past the end of the bytes
    pub(super) end: usize,
}

/// Reads one captured frame. `cut` says that the capture holds fewer bytes than were on the wire.
///
/// Bytes that end before they can tell what they are count as `truncated`; only a byte that is there can say `not_rocev2`.
/// # Errors
/// The first check of the spec that fails.
pub fn parse(bytes: &[u8], cut: bool, reader: &Reader) -> Result<Frame, FrameError> {
    if cut {
        network(bytes)?;
        return Err(FrameError::Truncated);
    }
    read(bytes, None, reader)
}

/// Reads one whole frame whose ICRC somebody else has checked, as the MAC-side shell does for the parser: `icrc_ok` is what it found.
///
/// # Errors
/// The first check of the spec that fails.
pub fn parse_judged(bytes: &[u8], icrc_ok: bool, reader: &Reader) -> Result<Frame, FrameError> {
    read(bytes, Some(icrc_ok), reader)
}

fn read(bytes: &[u8], icrc_ok: Option<bool>, reader: &Reader) -> Result<Frame, FrameError> {
    let network = network(bytes)?;
    let bth_start = network.udp + 8;
    let end = network.end.min(bytes.len());
    let transport = bytes.get(bth_start..end).filter(|rest| rest.len() >= 12).ok_or(FrameError::Truncated)?;
    let bth = read_bth(&transport[..12]);
    let shape = bth.opcode.shape();
    let (extensions, ceth_bytes) = shape.map_or(Ok((0, 0)), |shape| extension_bytes(shape, &bth, reader, &transport[12..]))?;
    // the ICRC is part of the least that a frame must have
    if transport.len() < 12 + extensions + 4 {
        return Err(FrameError::Truncated);
    }
    if transport[1] & 0x0f != 0 {
        return Err(FrameError::BadVersion);
    }
    let shape = shape.ok_or(FrameError::BadOpcode)?;
    let payload_and_pad = &transport[12 + extensions..transport.len() - 4];
    let pad = usize::from(bth.pad);
    if pad > payload_and_pad.len() {
        return Err(FrameError::BadPad);
    }
    let udp_bytes = usize::from(u16::from_be_bytes([bytes[network.udp + 4], bytes[network.udp + 5]]));
    if network.end > bytes.len() || network.udp + udp_bytes != network.end {
        return Err(FrameError::BadLength);
    }
    let holds = || {
        let stored = transport[transport.len() - 4..].iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
        icrc(&bytes[network.ip_start..end - 4], network.udp - network.ip_start) == stored
    };
    if !icrc_ok.unwrap_or_else(holds) {
        return Err(FrameError::BadIcrc);
    }
    let mut frame = Frame::new(bth);
    frame.destination_mac.copy_from_slice(&bytes[0..6]);
    frame.source_mac.copy_from_slice(&bytes[6..12]);
    frame.vlan = network.vlan;
    frame.ip = network.ip;
    frame.ip_options = network.ip_options;
    frame.traffic_class = network.traffic_class;
    frame.udp_source = u16::from_be_bytes([bytes[network.udp], bytes[network.udp + 1]]);
    frame.payload = payload_and_pad[..payload_and_pad.len() - pad].to_vec();
    read_extensions(&mut frame, shape, reader, ceth_bytes, &transport[12..])?;
    if reader.congestion {
        read_congestion(&mut frame);
    }
    if !reader.queue_pairs.is_empty() && !reader.queue_pairs.contains(&bth.destination_qp) {
        return Err(FrameError::UnknownQp);
    }
    Ok(frame)
}

pub(super) fn network(bytes: &[u8]) -> Result<Network, FrameError> {
    let at = |offset: usize| bytes.get(offset).copied().ok_or(FrameError::Truncated);
    let at16 = |offset: usize| Ok::<u16, FrameError>(u16::from(at(offset)?) << 8 | u16::from(at(offset + 1)?));
    let (vlan, type_at) = match at16(12)? {
        0x8100 | 0x88a8 => (Some(at16(14)?), 16),
        _ => (None, 12),
    };
    let ip_start = type_at + 2;
    let version = match at16(type_at)? {
        0x0800 => 4,
        0x86dd => 6,
        _ => return Err(FrameError::NotRocev2),
    };
    if at(ip_start)? >> 4 != version {
        return Err(FrameError::NotRocev2);
    }
    let network = if version == 4 {
        let header = usize::from(at(ip_start)? & 0x0f) * 4;
        if header < 20 || at(ip_start + 9)? != 17 {
            return Err(FrameError::NotRocev2);
        }
        if at16(ip_start + 6)? & 0x1fff != 0 {
            return Err(FrameError::Truncated);
        }
        let fixed: &[u8] = bytes.get(ip_start..ip_start + header).ok_or(FrameError::Truncated)?;
        let address = |from: usize| <[u8; 4]>::try_from(&fixed[from..from + 4]).unwrap_or_default().into();
        Network {
            vlan,
            ip: Ip::V4 { source: address(12), destination: address(16) },
            ip_options: fixed[20..].to_vec(),
            traffic_class: fixed[1],
            ip_start,
            udp: ip_start + header,
            end: ip_start + usize::from(u16::from_be_bytes([fixed[2], fixed[3]])),
        }
    } else {
        let next = at(ip_start + 6)?;
        if next == 44 && at(ip_start + 40)? == 17 {
            return Err(FrameError::Truncated);
        }
        if next != 17 {
            return Err(FrameError::NotRocev2);
        }
        let fixed: &[u8] = bytes.get(ip_start..ip_start + 40).ok_or(FrameError::Truncated)?;
        let address = |from: usize| <[u8; 16]>::try_from(&fixed[from..from + 16]).unwrap_or_default().into();
        Network {
            vlan,
            ip: Ip::V6 { source: address(8), destination: address(24) },
            ip_options: Vec::new(),
            traffic_class: fixed[0] << 4 | fixed[1] >> 4,
            ip_start,
            udp: ip_start + 40,
            end: ip_start + 40 + usize::from(u16::from_be_bytes([fixed[4], fixed[5]])),
        }
    };
    if at16(network.udp + 2)? != ROCE_PORT {
        return Err(FrameError::NotRocev2);
    }
    // a first fragment has its ports, but not the end of its payload
    if version == 4 && at(ip_start + 6)? & 0x20 != 0 {
        return Err(FrameError::Truncated);
    }
    Ok(network)
}

fn read_bth(bytes: &[u8]) -> Bth {
    let mut fields = Fields(bytes);
    let opcode = Opcode(fields.u8());
    let flags = fields.u8();
    let partition_key = fields.u16();
    let (word1, word2) = (fields.u32(), fields.u32());
    Bth {
        opcode,
        solicited: flags & 0x80 != 0,
        migration: flags & 0x40 != 0,
        pad: flags >> 4 & 3,
        partition_key,
        fecn: word1 >> 31 != 0,
        becn: word1 >> 30 & 1 != 0,
        reserved6: (word1 >> 24 & 0x3f) as u8,
        destination_qp: word1 & 0xff_ffff,
        ack_request: word2 >> 31 != 0,
        reserved7: (word2 >> 24 & 0x7f) as u8,
        psn: word2 & 0xff_ffff,
    }
}

/// Which of our extension headers a packet carries: OpETH, WqeETH, LR2ETH, CETH.
///
/// `rest` is what follows BTH.
fn ours(shape: Shape, bth: &Bth, reader: &Reader, rest: &[u8]) -> [bool; 4] {
    let acknowledges = shape.aeth && bth.opcode == Opcode::ACKNOWLEDGE;
    let from_depot = bth.reserved6 >> 1 & 3 == 2 && rest.first().is_some_and(|syndrome| syndrome >> 5 == 3);
    [
        reader.op_eth && bth.opcode.is_write_only(),
        reader.wqe_eth && shape.data,
        reader.lr2_eth && acknowledges && (from_depot || !reader.congestion),
        reader.ceth && acknowledges && !reader.congestion,
    ]
}

/// Bytes of everything between BTH and payload, and those of CETH among them, whose length is in its first byte.
fn extension_bytes(shape: Shape, bth: &Bth, reader: &Reader, rest: &[u8]) -> Result<(usize, usize), FrameError> {
    let [op, wqe, lr2, ceth] = ours(shape, bth, reader, rest);
    let of = |present: bool, bytes: usize| if present { bytes } else { 0 };
    let standard = of(shape.reth, 16)
        + of(shape.aeth, 4)
        + of(shape.atomic, 28)
        + of(shape.atomic_ack, 8)
        + of(shape.imm, 4)
        + of(shape.ieth, 4)
        + of(shape.feth, 4);
    let fixed = standard + of(op, 8) + of(wqe, 12) + of(lr2, 12) + shape.control;
    let ceth_bytes = if ceth { usize::from(rest.get(fixed).ok_or(FrameError::Truncated)? & 0x0f) * 4 } else { 0 };
    Ok((fixed + ceth_bytes, ceth_bytes))
}

/// Takes the congestion header from the front of what follows the last header. A bad one stays there, so that no byte is lost.
///
/// Fewer than 4 bytes are no header: BECN alone is what a standard peer sends. Padding is no part of one. A CNP of a standard peer begins
/// with a byte of zeros: version 0 is nothing more than a CNP, so none of a CNP is read before version 1.
fn read_congestion(frame: &mut Frame) {
    let (bth, rest) = (&frame.bth, &frame.payload);
    let told = match bth.opcode {
        Opcode::CNP => rest.first().is_some_and(|first| first >> 4 != 0),
        opcode => bth.becn && congestion::carries(opcode),
    };
    if !told || rest.len() < 4 {
        return;
    }
    match Header::read(rest) {
        Ok((_, length)) => frame.ceth = Some(Ceth(frame.payload.drain(..length).collect())),
        Err(error) => frame.ceth_error = Some(error),
    }
}

fn read_extensions(frame: &mut Frame, shape: Shape, reader: &Reader, ceth_bytes: usize, rest: &[u8]) -> Result<(), FrameError> {
    let [op, wqe, lr2, ceth] = ours(shape, &frame.bth, reader, rest);
    let mut fields = Fields(rest);
    if shape.feth {
        let word = fields.u32();
        frame.feth = Some(Feth { placement: (word & 0xf) as u8, selectivity: (word >> 4 & 3) as u8, reserved: word >> 6 });
    }
    if shape.reth {
        frame.reth = Some(Reth { address: fields.u64(), rkey: fields.u32(), length: fields.u32() });
    }
    if shape.aeth {
        let word = fields.u32();
        frame.aeth = Some(Aeth { syndrome: (word >> 24) as u8, msn: word & 0xff_ffff });
    }
    if shape.atomic {
        frame.atomic = Some(AtomicEth { address: fields.u64(), rkey: fields.u32(), swap_or_add: fields.u64(), compare: fields.u64() });
    }
    if shape.atomic_ack {
        frame.atomic_ack = Some(fields.u64());
    }
    if shape.imm {
        frame.imm = Some(fields.u32());
    }
    if shape.ieth {
        frame.ieth = Some(fields.u32());
    }
    if op {
        let eth = OpEth { flags: fields.u8(), op: fields.u24(), count: fields.u16(), src: fields.u16() };
        if eth.flags > 3 || (!eth.is_start() && eth.count != 0) {
            return Err(FrameError::BadExtension);
        }
        if !eth.is_start() && frame.reth.is_some_and(|reth| reth.length as usize != frame.payload.len()) {
            return Err(FrameError::BadLength);
        }
        frame.op_eth = Some(eth);
    }
    if wqe {
        frame.wqe_eth = Some(WqeEth { sequence: fields.u32(), offset: fields.u32(), total: fields.u32() });
    }
    if lr2 {
        frame.lr2_eth = Some(Lr2Eth { gap_start: fields.u32(), gap_length: fields.u32(), expected: fields.u32() });
    }
    if ceth {
        let bytes = fields.0[..ceth_bytes].to_vec();
        if !(4..=16).contains(&ceth_bytes) || bytes[1] & 1 != 0 || bytes[2..4] != [0, 0] {
            return Err(FrameError::BadExtension);
        }
        frame.ceth = Some(Ceth(bytes));
    }
    frame.control = match (frame.bth.opcode, shape.control) {
        (_, 0) => None,
        (Opcode::REMOTE_COMPLETION, _) => {
            let (op, status) = (fields.u24(), fields.u8());
            Some(Control::Completion { op, status, packets: fields.u32() })
        }
        (Opcode::OP_ACK, _) => {
            let (op, status, index) = (fields.u24(), fields.u8(), (fields.u32() >> 16) as u16);
            Some(Control::OpAck { op, index, status, mask: fields.u64() })
        }
        (Opcode::DATA_ARRIVAL, _) => {
            let (op, status, src) = (fields.u24(), fields.u8(), (fields.u32() >> 16) as u16);
            if status > 1 {
                return Err(FrameError::BadExtension);
            }
            Some(Control::DataArrival { op, src, status, address: fields.u64(), bytes: fields.u64() })
        }
        (Opcode::FFM, _) => {
            let (start, length, edge, base, timestamp) = (fields.u32(), fields.u32(), fields.u32(), fields.u32(), fields.u32());
            let (path, status, depth, last) = (fields.u8(), fields.u8(), fields.u16(), fields.u32());
            let (repeat, misjudged) = ((last >> 24) as u8, last & 0xff_ffff);
            Some(Control::Feedback { start, length, edge, base, timestamp, path, status, depth, repeat, misjudged })
        }
        (Opcode::RETRANSMISSION, _) if reader.wqe_eth => {
            Some(Control::Retransmission { sequence: fields.u32(), first: fields.u32(), missing: fields.u64() })
        }
        (Opcode::RANGE_ACK, _) => Some(Control::RangeAck { base: fields.u32(), start: fields.u32(), length: fields.u32() }),
        (_, bytes) => Some(Control::Other(fields.0[..bytes].to_vec())),
    };
    Ok(())
}
