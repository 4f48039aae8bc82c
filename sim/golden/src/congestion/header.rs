//! The congestion header CETH: its bytes behind an acknowledgement, and its second form in reserved bits of BTH.
//!
//! Follows the contract's wire format, "Extension headers" and "Reserved bits we use".

use crate::wire::Bth;

/// Version that a vendor's header of this project carries.
pub const VERSION: u8 = 1;

/// How congested the way is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    #[default]
    None,
    Light,
    Medium,
    Heavy,
}

impl Level {
    /// In ascending order; the index is the code on the wire.
    pub const ALL: [Level; 4] = [Level::None, Level::Light, Level::Medium, Level::Heavy];

    /// Of the low two bits.
    pub fn of(code: u8) -> Level {
        Level::ALL[usize::from(code & 3)]
    }
}

/// What the marked packet was: it decides whether an acknowledgement exists that could tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scene {
    /// no notification is made for it
    #[default]
    None,
    /// RDMA WRITE or SEND of RC, XRC or RD: its acknowledgement tells
    Message,
    /// READ response of RC or XRC: a CNP tells
    Response,
    /// SEND of UD: a CNP tells
    Datagram,
    /// 4 to 15, of which the contract says nothing
    Other(u8),
}

impl Scene {
    /// Four bits on the wire.
    pub fn code(self) -> u8 {
        match self {
            Scene::None => 0,
            Scene::Message => 1,
            Scene::Response => 2,
            Scene::Datagram => 3,
            Scene::Other(code) => code & 0xf,
        }
    }

    /// Of the low four bits.
    pub fn of(code: u8) -> Scene {
        match code & 0xf {
            0 => Scene::None,
            1 => Scene::Message,
            2 => Scene::Response,
            3 => Scene::Datagram,
            code => Scene::Other(code),
        }
    }

    /// The scene of a data packet, by its opcode.
    ///
    /// An atomic acknowledgement counts as a READ response: both are answers, which nobody acknowledges. A READ request, an atomic or a
    /// FLUSH is answered by a response and not by an acknowledgement, so nothing can tell: [`Scene::None`].
    pub fn of_opcode(opcode: u8) -> Scene {
        match (opcode >> 5, opcode & 0x1f) {
            // RC, RD, XRC
            (0 | 2 | 5, 0x00..=0x0b) | (0 | 5, 0x16 | 0x17) => Scene::Message,
            (0 | 5, 0x0d..=0x10 | 0x12) => Scene::Response,
            (3, 0x04 | 0x05) => Scene::Datagram,
            _ => Scene::None,
        }
    }
}

/// What a header of version 1 says. A field that is absent is all ones on the wire, or the header is too short for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notice {
    pub level: Level,
    pub scene: Scene,
    /// the `kind` bit: fields beyond the level follow
    pub enhanced: bool,
    /// queue depth in units of 256 bytes, below 0xffff
    pub depth: Option<u16>,
    /// congestion point, below 0xffff
    pub point: Option<u16>,
    /// nanoseconds, below 0xffff_ffff
    pub delay: Option<u32>,
}

/// A header that is sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Header {
    /// version 0: what a CNP says, and nothing more
    Plain,
    Notice(Notice),
    /// a version that is not ours, skipped by its length
    Unknown {
        version: u8,
    },
}

/// Why a header is dropped. Its acknowledgement is kept and counts as one with BECN alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
pub enum HeaderError {
    /// 0, or over 4
    #[error("ceth_length")]
    Length,
    /// it says more bytes than the packet has
    #[error("ceth_past_packet")]
    PastPacket,
    /// version 0 with a length that is not 1
    #[error("ceth_plain_length")]
    PlainLength,
    /// version 1 with bit 0 of byte 1, or of bytes 2 and 3 any bit, set
    #[error("ceth_reserved")]
    Reserved,
}

impl Header {
    /// Reads the header that `bytes` begin with, and its length in bytes. `bytes` are all that the packet has left.
    ///
    /// The four reserved bytes of length 4 are ignored: a later revision may fill them.
    /// # Errors
    /// The header cannot be; see [`HeaderError`].
    pub fn read(bytes: &[u8]) -> Result<(Header, usize), HeaderError> {
        let first = *bytes.first().ok_or(HeaderError::PastPacket)?;
        let (version, words) = (first >> 4, first & 0xf);
        if !(1..=4).contains(&words) {
            return Err(HeaderError::Length);
        }
        let length = usize::from(words) * 4;
        let bytes = bytes.get(..length).ok_or(HeaderError::PastPacket)?;
        match version {
            0 if words != 1 => Err(HeaderError::PlainLength),
            0 => Ok((Header::Plain, length)),
            VERSION => Notice::read(bytes).map(|notice| (Header::Notice(notice), length)),
            version => Ok((Header::Unknown { version }, length)),
        }
    }
}

impl Notice {
    /// `bytes` are 4, 8, 12 or 16.
    fn read(bytes: &[u8]) -> Result<Notice, HeaderError> {
        if bytes[1] & 1 != 0 || bytes[2..4] != [0, 0] {
            return Err(HeaderError::Reserved);
        }
        let enhanced = bytes[1] >> 5 & 1 == 1;
        // A plain header says the level alone, whatever its length.
        let word = |at: usize| {
            let word = bytes.get(at..at + 4).filter(|_| enhanced)?;
            Some(word.iter().fold(0, |value, &byte| value << 8 | u32::from(byte)))
        };
        let half = |value: u32| u16::try_from(value & 0xffff).ok().filter(|&value| value != 0xffff);
        Ok(Notice {
            level: Level::of(bytes[1] >> 6),
            scene: Scene::of(bytes[1] >> 1),
            enhanced,
            depth: word(4).and_then(|word| half(word >> 16)),
            point: word(4).and_then(half),
            delay: word(8).filter(|&delay| delay != u32::MAX),
        })
    }

    /// The header with the shortest length that holds its fields, 4 to 12 bytes.
    ///
    /// A field makes the header an enhanced one, whatever `enhanced` says. A value that is all ones would read as absent: it saturates one
    /// below.
    pub fn to_bytes(&self) -> Vec<u8> {
        let words = if self.delay.is_some() {
            3
        } else if self.depth.is_some() || self.point.is_some() {
            2
        } else {
            1
        };
        let enhanced = u8::from(self.enhanced || words > 1);
        let mut out = vec![VERSION << 4 | words, (self.level as u8) << 6 | enhanced << 5 | self.scene.code() << 1, 0, 0];
        if words > 1 {
            for half in [self.depth, self.point] {
                out.extend(half.map_or(0xffff, |half| half.min(0xfffe)).to_be_bytes());
            }
        }
        if let Some(delay) = self.delay {
            out.extend(delay.min(u32::MAX - 1).to_be_bytes());
        }
        out
    }

    /// What reserved bits of an acknowledgement say: level, kind and the low three bits of the scene. It has no further fields.
    pub fn from_compact(bth: &Bth) -> Notice {
        Notice {
            level: Level::of(bth.reserved6 >> 4),
            scene: Scene::of(bth.reserved7 >> 4 & 7),
            enhanced: bth.reserved6 >> 3 & 1 == 1,
            ..Notice::default()
        }
    }

    /// Writes the second form into `bth`; all other bits stay.
    ///
    /// The kind bit is 0: no field can follow. A scene of 8 or more does not fit and is written as none.
    pub fn write_compact(&self, bth: &mut Bth) {
        let scene = self.scene.code();
        bth.reserved6 = bth.reserved6 & 0x07 | (self.level as u8) << 4;
        bth.reserved7 = bth.reserved7 & 0x0f | if scene < 8 { scene << 4 } else { 0 };
    }
}

/// A version-0 header, as bytes.
pub fn plain() -> Vec<u8> {
    vec![0x01, 0, 0, 0]
}
