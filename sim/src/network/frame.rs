//! What the network reads in a frame, and the bits that it may change.

use std::hash::{Hash, Hasher};
use std::ops::Range;

/// What a network carries: bytes, or what a bench of blocks that know no frames has instead.
pub trait Carried: Clone + Ord {
    /// for which it occupies a link, besides those of the link itself
    fn bytes(&self) -> u64;

    /// Marks it with "congestion experienced"; whether its sender understands that.
    fn mark(&mut self) -> bool {
        false
    }

    /// The same for everything that is to keep its path.
    fn flow(&self) -> u64 {
        0
    }

    /// Path that its sender has chosen.
    fn path_id(&self) -> u64 {
        0
    }

    /// A bit is flipped; what has no bits is told by [`Arrival::corrupted`](super::Arrival::corrupted) alone.
    fn flip(&mut self, _bit: u64) {}
}

impl Carried for Vec<u8> {
    fn bytes(&self) -> u64 {
        self.len() as u64
    }

    fn mark(&mut self) -> bool {
        mark(self)
    }

    fn flow(&self) -> u64 {
        flow(self)
    }

    fn path_id(&self) -> u64 {
        path_id(self)
    }

    fn flip(&mut self, bit: u64) {
        self[(bit / 8) as usize] ^= 1 << (bit % 8);
    }
}

/// Congestion bits of an IP header.
const CONGESTION_EXPERIENCED: u8 = 0b11;

/// Where things are in an Ethernet frame with at most one VLAN tag.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ip {
    V4 { start: usize, addresses: Range<usize>, udp: usize },
    V6 { start: usize, addresses: Range<usize>, udp: usize },
}

fn ip(frame: &[u8]) -> Option<Ip> {
    let tagged = matches!(frame.get(12..14)?, [0x81, 0x00]);
    let start = if tagged { 18 } else { 14 };
    let (header, udp) = match frame.get(start - 2..start)? {
        [0x08, 0x00] => (20, start + usize::from(frame.get(start)? & 0xf) * 4),
        [0x86, 0xdd] => (40, start + 40),
        _ => return None,
    };
    frame.get(start..start + header)?;
    Some(match header {
        20 => Ip::V4 { start, addresses: start + 12..start + 20, udp },
        _ => Ip::V6 { start, addresses: start + 8..start + 40, udp },
    })
}

/// The ECN bits; `None`: not IP.
pub fn ecn(frame: &[u8]) -> Option<u8> {
    Some(match ip(frame)? {
        Ip::V4 { start, .. } => frame[start + 1] & 3,
        Ip::V6 { start, .. } => frame[start + 1] >> 4 & 3,
    })
}

/// Marks the frame with "congestion experienced" if its sender says that it understands; whether it did.
pub fn mark(frame: &mut [u8]) -> bool {
    if ecn(frame).is_none_or(|bits| bits == 0) {
        return false;
    }
    match ip(frame) {
        Some(Ip::V4 { start, .. }) => {
            let word = |frame: &[u8]| u16::from_be_bytes([frame[start], frame[start + 1]]);
            let old = word(frame);
            frame[start + 1] |= CONGESTION_EXPERIENCED;
            let sum = u16::from_be_bytes([frame[start + 10], frame[start + 11]]);
            // the checksum is the complement of a ones'-complement sum: exchange one summand
            let mut total = u32::from(!sum) + u32::from(!old) + u32::from(word(frame));
            while total > 0xffff {
                total = (total & 0xffff) + (total >> 16);
            }
            frame[start + 10..start + 12].copy_from_slice(&(!(total as u16)).to_be_bytes());
        }
        Some(Ip::V6 { start, .. }) => frame[start + 1] |= CONGESTION_EXPERIENCED << 4,
        None => return false,
    }
    true
}

/// A number that is the same for all frames of a flow: its addresses and UDP source port, or all addresses of a frame that is not IP.
pub fn flow(frame: &[u8]) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    match ip(frame) {
        Some(Ip::V4 { addresses, udp, .. } | Ip::V6 { addresses, udp, .. }) => {
            frame[addresses].hash(&mut hasher);
            frame.get(udp..udp + 2).hash(&mut hasher);
        }
        None => frame.get(..12).hash(&mut hasher),
    }
    hasher.finish()
}

/// The path id in the base transport header; 0 where there is none.
pub fn path_id(frame: &[u8]) -> u64 {
    match ip(frame) {
        Some(Ip::V4 { udp, .. } | Ip::V6 { udp, .. }) => frame.get(udp + 16).map_or(0, |byte| u64::from(byte & 0xf)),
        None => 0,
    }
}

/// FNV-1a, which is the same on every machine and with every later version.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        // the low bits alone choose the path
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}
