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
    /// a SEND or RDMA WRITE: carries payload of ours when the profile's extension headers are on
    pub data: bool,
    /// bytes of our control message after BTH, 0 for a standard packet
    pub control: usize,
}

impl Opcode {
    pub const WRITE_ONLY: Opcode = Opcode(0x0a);
    pub const WRITE_ONLY_IMM: Opcode = Opcode(0x0b);
    pub const ACKNOWLEDGE: Opcode = Opcode(0x11);
    pub const CNP: Opcode = Opcode(0x81);
    pub const FFM: Opcode = Opcode(0xc0);
    pub const REMOTE_COMPLETION: Opcode = Opcode(0xc1);
    pub const RETRANSMISSION: Opcode = Opcode(0xc2);
    pub const OP_ACK: Opcode = Opcode(0xc3);
    pub const DATA_ARRIVAL: Opcode = Opcode(0xc4);
    pub const RANGE_ACK: Opcode = Opcode(0xc5);
    pub const LR2_PROBE: Opcode = Opcode(0xc6);

    /// The headers of this opcode, or `None` when it is unknown.
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
            0x81 => Shape::default(),
            0xc0 => control(28),
            0xc1 => control(8),
            0xc2 | 0xc3 => control(16),
            0xc4 => control(24),
            0xc5 => control(12),
            0xc6 => control(8),
            _ => return None,
        };
        Some(shape)
    }

    /// The two opcodes of a data packet of the registry: RDMA WRITE ONLY, with or without immediate.
    pub fn is_write_only(self) -> bool {
        self == Opcode::WRITE_ONLY || self == Opcode::WRITE_ONLY_IMM
    }
}
