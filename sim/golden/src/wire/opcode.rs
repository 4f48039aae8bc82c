//! Opcodes and the headers that each one carries.

/// BTH opcode, `0x00`-`0xff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Opcode(pub u8);

/// Which standard extension headers follow BTH, and how many bytes of a control message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    pub reth: bool,
    pub aeth: bool,
    pub atomic: bool,
    pub atomic_ack: bool,
    pub imm: bool,
    /// R_Key to invalidate
    pub ieth: bool,
    /// before RETH
    pub feth: bool,
    /// a SEND or RDMA WRITE: carries payload of ours when the profile's extension headers are on
    pub data: bool,
    /// bytes of our control message after BTH, 0 for a standard packet
    pub control: usize,
}

impl Opcode {
    pub const WRITE_ONLY: Opcode = Opcode(0x0a);
    pub const WRITE_ONLY_IMM: Opcode = Opcode(0x0b);
    pub const READ_REQUEST: Opcode = Opcode(0x0c);
    pub const ACKNOWLEDGE: Opcode = Opcode(0x11);
    pub const FLUSH: Opcode = Opcode(0x1c);
    pub const ATOMIC_WRITE: Opcode = Opcode(0x1d);
    pub const CNP: Opcode = Opcode(0x81);
    pub const FFM: Opcode = Opcode(0xc0);
    pub const REMOTE_COMPLETION: Opcode = Opcode(0xc1);
    pub const RETRANSMISSION: Opcode = Opcode(0xc2);
    pub const OP_ACK: Opcode = Opcode(0xc3);
    pub const DATA_ARRIVAL: Opcode = Opcode(0xc4);
    pub const RANGE_ACK: Opcode = Opcode(0xc5);
    pub const LR2_PROBE: Opcode = Opcode(0xe0);

    /// The headers of this opcode, or `None` when it is unknown.
    ///
    /// Every opcode of RC has a shape, because its packet takes a sequence number. One that the standard reserves has no header that is
    /// known: all that follows BTH counts as payload.
    pub fn shape(self) -> Option<Shape> {
        let control = |bytes| Shape { control: bytes, ..Shape::default() };
        let shape = match self.0 {
            0x00..=0x0b => Shape {
                reth: matches!(self.0, 0x06 | 0x0a | 0x0b),
                imm: matches!(self.0, 0x03 | 0x05 | 0x09 | 0x0b),
                data: true,
                ..Shape::default()
            },
            0x0c => Shape { reth: true, ..Shape::default() },
            0x0d..=0x11 => Shape { aeth: self.0 != 0x0e, ..Shape::default() },
            0x12 => Shape { aeth: true, atomic_ack: true, ..Shape::default() },
            0x13 | 0x14 => Shape { atomic: true, ..Shape::default() },
            0x16 | 0x17 => Shape { ieth: true, data: true, ..Shape::default() },
            0x1c => Shape { feth: true, reth: true, ..Shape::default() },
            0x1d => Shape { reth: true, ..Shape::default() },
            0x15 | 0x18..=0x1b | 0x1e | 0x1f => Shape::default(),
            0x81 => Shape::default(),
            0xc0 => control(28),
            0xc1 => control(8),
            0xc2 | 0xc3 => control(16),
            0xc4 => control(24),
            0xc5 => control(12),
            0xe0 => control(8),
            _ => return None,
        };
        Some(shape)
    }

    /// A reliable connection's packet: 0x00 to 0x1f.
    pub fn is_rc(self) -> bool {
        self.0 < 0x20
    }

    /// What an RC responder answers: each has a number of its own. The others of RC are answers, with the numbers of their requests.
    pub fn is_request(self) -> bool {
        self.is_rc() && !matches!(self.0, 0x0d..=0x12)
    }

    /// An opcode of RC that the standard reserves: nobody can serve it.
    pub fn is_reserved(self) -> bool {
        matches!(self.0, 0x15 | 0x18..=0x1b | 0x1e | 0x1f)
    }

    /// The two opcodes of a data packet of the registry: RDMA WRITE ONLY, with or without immediate.
    pub fn is_write_only(self) -> bool {
        self == Opcode::WRITE_ONLY || self == Opcode::WRITE_ONLY_IMM
    }
}
