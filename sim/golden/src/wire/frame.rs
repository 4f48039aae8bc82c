//! A frame as typed headers.

use super::Opcode;
use crate::congestion::HeaderError;
use crate::registry::{Header, Kind};
use std::net::{Ipv4Addr, Ipv6Addr};

/// IP addresses, and with them the version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ip {
    V4 { source: Ipv4Addr, destination: Ipv4Addr },
    V6 { source: Ipv6Addr, destination: Ipv6Addr },
}

/// Base transport header. `reserved6` is byte 4 bits 5:0, `reserved7` byte 8 bits 6:0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bth {
    pub opcode: Opcode,
    pub solicited: bool,
    pub migration: bool,
    /// bytes of padding after the payload, 0-3
    pub pad: u8,
    pub partition_key: u16,
    pub fecn: bool,
    pub becn: bool,
    pub reserved6: u8,
    pub destination_qp: u32,
    pub ack_request: bool,
    pub reserved7: u8,
    pub psn: u32,
}

impl Bth {
    /// A header with `opcode`, default partition, all flags clear.
    pub fn new(opcode: Opcode, destination_qp: u32, psn: u32) -> Bth {
        Bth {
            opcode,
            solicited: false,
            migration: false,
            pad: 0,
            partition_key: 0xffff,
            fecn: false,
            becn: false,
            reserved6: 0,
            destination_qp,
            ack_request: false,
            reserved7: 0,
            psn,
        }
    }

    /// Path of a data packet, 0 to 14, from byte 8 bits 3:0; `None`: the packet names none.
    pub fn path(&self) -> Option<u8> {
        (self.reserved7 & 0xf).checked_sub(1)
    }

    /// Names a path, 0 to 14, or none. One that the four bits cannot name is none; the other bits of byte 8 stay.
    pub fn set_path(&mut self, path: Option<u8>) {
        let code = path.filter(|&path| path < 15).map_or(0, |path| path + 1);
        self.reserved7 = self.reserved7 & !0xf | code;
    }
}

/// RDMA extended transport header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reth {
    pub address: u64,
    pub rkey: u32,
    /// bytes of the whole operation in a start packet, of the packet in a body
    pub length: u32,
}

/// Acknowledgement header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aeth {
    pub syndrome: u8,
    pub msn: u32,
}

/// Atomic request header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicEth {
    pub address: u64,
    pub rkey: u32,
    pub swap_or_add: u64,
    pub compare: u64,
}

/// Flush header: what has to be visible or persistent, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feth {
    /// bits 3:0: 1 global visibility, 2 persistence
    pub placement: u8,
    /// bits 5:4: 0 the range of RETH, 1 the whole memory region
    pub selectivity: u8,
    /// bits 31:6
    pub reserved: u32,
}

/// Op extension header (ours). Of `flags` bit 0 is set in a start, bit 1 in a segment of a large transfer, and no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpEth {
    pub flags: u8,
    pub op: u32,
    pub count: u16,
    pub src: u16,
}

impl OpEth {
    /// Whether the packet is a start; else it is a body.
    pub fn is_start(&self) -> bool {
        self.flags & 1 == 1
    }
}

/// Work-queue-element extension header (ours): where in the data of which work queue element a packet lies.
///
/// Reading a frame does not judge it: what a number means is for the receiver that knows the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WqeEth {
    /// WQE sequence number
    pub sequence: u32,
    /// bytes of the element before this packet
    pub offset: u32,
    /// bits 24:0 bytes of the element, bit 31 `fence`, the others 0
    pub total: u32,
}

impl WqeEth {
    /// The bit of `total` that says `fence`.
    pub const FENCE: u32 = 1 << 31;
    /// The bits of `total` that are bytes.
    pub const BYTES: u32 = (1 << 25) - 1;

    /// A header with all its fields in their places.
    pub fn new(sequence: u32, offset: u32, bytes: u32, fence: bool) -> WqeEth {
        WqeEth { sequence, offset, total: bytes & WqeEth::BYTES | if fence { WqeEth::FENCE } else { 0 } }
    }

    /// Bytes of the whole element.
    pub fn bytes(&self) -> u32 {
        self.total & WqeEth::BYTES
    }

    /// Whether it has no place before all earlier elements are complete.
    pub fn fence(&self) -> bool {
        self.total & WqeEth::FENCE != 0
    }

    /// Whether a bit is set that has no meaning.
    pub fn is_reserved(&self) -> bool {
        self.total & !(WqeEth::BYTES | WqeEth::FENCE) != 0
    }
}

/// In-network retransmission header (ours).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lr2Eth {
    pub gap_start: u32,
    pub gap_length: u32,
    pub expected: u32,
}

/// Congestion header (ours): its bytes, `4 x length` of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ceth(pub Vec<u8>);

/// Body of a control packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    /// 0xc1
    Completion { op: u32, status: u8, packets: u32 },
    /// 0xc3
    OpAck { op: u32, index: u16, status: u8, mask: u64 },
    /// 0xc4: status 0 arrived, 1 aborted
    DataArrival { op: u32, src: u16, status: u8, address: u64, bytes: u64 },
    /// 0xc0: the numbers of packets have four bytes here
    Feedback {
        start: u32,
        length: u32,
        edge: u32,
        base: u32,
        timestamp: u32,
        path: u8,
        status: u8,
        depth: u16,
        repeat: u8,
        /// 24 bits
        misjudged: u32,
    },
    /// 0xc2, where the reader knows WqeETH: bit i of `missing` is the packet `first + i`. Of `first` bits 23:0 are a packet sequence
    /// number, bit 31 says that nobody knows its work queue element, the others are 0.
    Retransmission { sequence: u32, first: u32, missing: u64 },
    /// 0xc5
    RangeAck { base: u32, start: u32, length: u32 },
    /// any other control message, as its bytes
    Other(Vec<u8>),
}

/// One RoCEv2 frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub destination_mac: [u8; 6],
    pub source_mac: [u8; 6],
    /// tag control information of the one VLAN tag
    pub vlan: Option<u16>,
    pub ip: Ip,
    /// IPv4 options, a multiple of 4 bytes, at most 40
    pub ip_options: Vec<u8>,
    /// type of service or traffic class
    pub traffic_class: u8,
    pub udp_source: u16,
    pub bth: Bth,
    pub feth: Option<Feth>,
    pub reth: Option<Reth>,
    pub aeth: Option<Aeth>,
    pub atomic: Option<AtomicEth>,
    pub atomic_ack: Option<u64>,
    pub imm: Option<u32>,
    /// R_Key that the receiver invalidates
    pub ieth: Option<u32>,
    pub op_eth: Option<OpEth>,
    pub wqe_eth: Option<WqeEth>,
    pub lr2_eth: Option<Lr2Eth>,
    pub ceth: Option<Ceth>,
    /// why a congestion header was dropped; its bytes are in `payload`
    pub ceth_error: Option<HeaderError>,
    pub control: Option<Control>,
    /// payload without padding
    pub payload: Vec<u8>,
}

impl Frame {
    /// A frame with `bth` alone, between two fixed private addresses.
    pub fn new(bth: Bth) -> Frame {
        Frame {
            destination_mac: [2, 0, 0, 0, 0, 2],
            source_mac: [2, 0, 0, 0, 0, 1],
            vlan: None,
            ip: Ip::V4 { source: Ipv4Addr::new(10, 0, 0, 1), destination: Ipv4Addr::new(10, 0, 0, 2) },
            ip_options: Vec::new(),
            traffic_class: 2,
            udp_source: 0xc000,
            bth,
            feth: None,
            reth: None,
            aeth: None,
            atomic: None,
            atomic_ack: None,
            imm: None,
            ieth: None,
            op_eth: None,
            wqe_eth: None,
            lr2_eth: None,
            ceth: None,
            ceth_error: None,
            control: None,
            payload: Vec::new(),
        }
    }

    /// The frame that carries `header` to a receive registry; its payload is `header.bytes` bytes of a pattern.
    ///
    /// A data packet is RDMA WRITE ONLY (with immediate if it has one), data arrival and abort are 0xc4.
    pub fn carrying(header: &Header, psn: u32) -> Frame {
        const QP: u32 = 0x11;
        match header.kind {
            Kind::Body | Kind::Start => {
                let opcode = if header.imm.is_some() { Opcode::WRITE_ONLY_IMM } else { Opcode::WRITE_ONLY };
                let mut frame = Frame::new(Bth::new(opcode, QP, psn));
                let start = header.kind == Kind::Start;
                let length = if start { header.op_bytes } else { u32::from(header.bytes) };
                frame.reth = Some(Reth { address: header.addr, rkey: header.rkey, length });
                frame.imm = header.imm;
                let count = if start { header.count } else { 0 };
                frame.op_eth = Some(OpEth { flags: start.into(), op: header.op, count, src: header.src });
                // payload that names its place, so that a write to the wrong one shows
                frame.payload = (0..header.bytes).map(|i| (header.addr.wrapping_add(i.into()) as u8) ^ (header.op as u8)).collect();
                frame.bth.pad = (4 - header.bytes % 4) as u8 % 4;
                frame
            }
            Kind::Arrival | Kind::Abort => {
                let mut frame = Frame::new(Bth::new(Opcode::DATA_ARRIVAL, QP, 0));
                frame.control = Some(Control::DataArrival {
                    op: header.op,
                    src: header.src,
                    status: (header.kind == Kind::Abort).into(),
                    address: header.addr,
                    bytes: header.op_bytes.into(),
                });
                frame
            }
        }
    }

    /// The header beat for a receive registry, or `None` when the frame is none of its business.
    ///
    /// A byte count of 0xc4 beyond 32 bits saturates, as counters in messages do.
    pub fn header(&self) -> Option<Header> {
        if let Some(Control::DataArrival { op, src, status, address, bytes }) = self.control {
            return Some(Header {
                kind: if status == 0 { Kind::Arrival } else { Kind::Abort },
                src,
                op,
                addr: address,
                bytes: 0,
                op_bytes: u32::try_from(bytes).unwrap_or(u32::MAX),
                count: 0,
                rkey: 0,
                imm: None,
            });
        }
        let (op_eth, reth) = (self.op_eth?, self.reth?);
        Some(Header {
            kind: if op_eth.is_start() { Kind::Start } else { Kind::Body },
            src: op_eth.src,
            op: op_eth.op,
            addr: reth.address,
            bytes: self.payload.len() as u16,
            op_bytes: reth.length,
            count: op_eth.count,
            rkey: reth.rkey,
            imm: self.imm,
        })
    }
}
