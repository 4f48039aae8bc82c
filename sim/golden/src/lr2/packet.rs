//! A packet as the boxes see it.

/// An address: a number for an IP address.
pub type Address = u32;

/// What a flow is found by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub source: Address,
    pub destination: Address,
    /// destination queue pair
    pub qp: u32,
}

/// What of the opcode and the syndrome decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// SEND and WRITE, 0x00-0x0b, 0x16, 0x17
    #[default]
    Data,
    /// READ request, atomic, FLUSH, ATOMIC WRITE
    Request,
    /// READ response, atomic acknowledgement
    Response,
    Ack,
    /// NAK, sequence error
    Nak,
    /// NAK of another code
    Refusal,
    Rnr,
    Cnp,
    /// 0xe0, between the boxes
    Probe,
    /// a symbol of an erasure code, between the boxes
    Parity,
    /// says of each packet that it has arrived: the ideal card's own
    Sack,
    Other,
}

/// Who made a NAK: BTH byte 4, bits 2:1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    #[default]
    Card,
    Sentry,
    Depot,
}

/// LR2ETH.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gap {
    pub start: u32,
    pub length: u32,
    /// `ePSN_D`
    pub edge: u32,
}

/// One frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet {
    pub key: Key,
    pub kind: Kind,
    pub origin: Origin,
    pub psn: u32,
    /// PSNs that it consumes
    pub span: u32,
    /// bytes on the wire, with preamble and gap between frames
    pub bytes: u32,
    pub ack_request: bool,
    /// last packet of its message
    pub last: bool,
    /// BTH byte 4, bit 0: sent before
    pub again: bool,
    /// congestion experienced, in the IP header
    pub marked: bool,
    /// BECN, and CETH with it
    pub echo: bool,
    pub credits: u8,
    pub msn: u32,
    pub gap: Gap,
    /// what the payload is, or, between ideal cards, the number of the transmission
    pub tag: u64,
}

/// Bytes of a frame beyond payload and transport headers: preamble 8, Ethernet 14, IPv4 20, UDP 8, ICRC 4, FCS 4, gap 12.
pub const FRAME: u32 = 70;
/// BTH alone.
pub const BTH: u32 = 12;
/// A frame with acknowledgement: BTH and AETH.
pub const ACK_BYTES: u32 = FRAME + BTH + 4;
/// LR2ETH.
pub const LR2_BYTES: u32 = 12;
/// A CNP: BTH and 16 bytes.
pub const CNP_BYTES: u32 = FRAME + BTH + 16;
/// A probe: BTH and 8 bytes.
pub const PROBE_BYTES: u32 = FRAME + BTH + 8;

impl Packet {
    /// A data packet of `payload` bytes.
    pub fn data(key: Key, psn: u32, payload: u32) -> Packet {
        Packet { key, psn, span: 1, bytes: FRAME + BTH + payload, credits: 0x1f, ..Packet::default() }
    }

    /// The acknowledgement of everything up to `psn`.
    pub fn ack(key: Key, psn: u32, msn: u32) -> Packet {
        Packet { key, kind: Kind::Ack, psn, msn, credits: 0x1f, bytes: ACK_BYTES, ..Packet::default() }
    }

    pub fn nak(key: Key, psn: u32, msn: u32) -> Packet {
        Packet { kind: Kind::Nak, ..Packet::ack(key, psn, msn) }
    }

    pub fn cnp(key: Key) -> Packet {
        Packet { key, kind: Kind::Cnp, echo: true, bytes: CNP_BYTES, ..Packet::default() }
    }
}
