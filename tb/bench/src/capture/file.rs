//! The two file formats. Fields and options are read by `pcap-parser`; what bounds a block or a frame is held against the file before, so
//! that the answer to a damaged one is the same whatever lies inside.

use super::{CaptureError, CapturedFrame, ETHERNET};
use pcap_parser::pcapng::{
    parse_enhancedpacketblock_be, parse_enhancedpacketblock_le, parse_interfacedescriptionblock_be, parse_interfacedescriptionblock_le,
    parse_sectionheaderblock, parse_simplepacketblock_be, parse_simplepacketblock_le,
};
use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{PcapNGOption, parse_pcap_frame, parse_pcap_frame_be, parse_pcap_frame_modified, parse_pcap_header};
use std::path::Path;

/// Bytes of an Ethernet FCS.
const FCS: usize = 4;

/// A capture that is being read.
struct Reading<'a> {
    path: &'a Path,
    /// bytes of the file
    size: usize,
    frames: Vec<Stamped>,
}

/// A frame whose time may lie before the epoch.
struct Stamped {
    time_ns: i128,
    frame: CapturedFrame,
}

/// Frames of a pcap or pcapng file.
pub fn frames(bytes: &[u8], path: &Path) -> Result<Vec<CapturedFrame>, CaptureError> {
    let mut reading = Reading { path, size: bytes.len(), frames: Vec::new() };
    match bytes.first_chunk::<4>() {
        None if bytes.is_empty() => return Err(CaptureError::Empty { path: path.into() }),
        Some([0x0a, 0x0d, 0x0d, 0x0a]) => reading.pcapng(bytes)?,
        Some(
            [0xa1, 0xb2, 0xc3, 0xd4]
            | [0xa1, 0xb2, 0x3c, 0x4d]
            | [0xd4, 0xc3, 0xb2, 0xa1]
            | [0x4d, 0x3c, 0xb2, 0xa1]
            | [0x34, 0xcd, 0xb2, 0xa1],
        ) => reading.pcap(bytes)?,
        _ => return Err(no_capture(bytes, path)),
    }
    Ok(reading.done())
}

fn no_capture(bytes: &[u8], path: &Path) -> CaptureError {
    let head = &bytes[..bytes.len().min(12)];
    let printable = head.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    let begins = if printable { format!("the text {:?}", String::from_utf8_lossy(head)) } else { format!("bytes {head:02x?}") };
    let advice = match head {
        [0x1f, 0x8b, ..] => "it is compressed: `gzip -d` first",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "it is compressed: `zstd -d` first",
        [0x04, 0x22, 0x4d, 0x18, ..] => "it is compressed: `lz4 -d` first",
        [0xfd, b'7', b'z', b'X', b'Z', ..] => "it is compressed: `xz -d` first",
        _ => "`editcap -F pcap IN OUT` converts what Wireshark reads",
    };
    CaptureError::NotACapture { path: path.into(), begins, advice }
}

/// What a frame is captured with.
#[derive(Clone, Copy)]
struct Interface {
    link: u16,
    /// bytes of FCS at the end of each frame
    fcs: usize,
    snap_length: u32,
    /// as `if_tsresol` has it
    resolution: u8,
    /// seconds
    offset: i64,
}

/// Byte order of a section.
#[derive(Clone, Copy)]
struct Order {
    big: bool,
}

impl Order {
    fn u16(self, bytes: [u8; 2]) -> u16 {
        if self.big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
    }

    fn u32(self, bytes: [u8; 4]) -> u32 {
        if self.big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    }

    fn i64(self, bytes: [u8; 8]) -> i64 {
        if self.big { i64::from_be_bytes(bytes) } else { i64::from_le_bytes(bytes) }
    }

    fn u32_at(self, bytes: &[u8], at: usize) -> Option<u32> {
        Some(self.u32(bytes.get(at..at + 4)?.try_into().ok()?))
    }
}

/// The value of an option, if its list has it before its end. A list may lack the option that ends it.
fn option<'a, const N: usize>(options: &'a [PcapNGOption], code: u16) -> Option<&'a [u8; N]> {
    let mut list = options.iter().take_while(|option| option.code.0 != 0);
    list.find(|option| option.code.0 == code)?.as_bytes().ok()?.try_into().ok()
}

impl Reading<'_> {
    fn damaged(&self, text: impl Into<String>) -> CaptureError {
        CaptureError::Damaged { path: self.path.into(), frame: self.frames.len(), text: text.into() }
    }

    fn truncated(&self, needs: String) -> CaptureError {
        CaptureError::Truncated { path: self.path.into(), frame: self.frames.len(), bytes: self.size, needs }
    }

    /// Keeps a frame of which `original` bytes were on the wire, FCS included if the interface gives it.
    fn keep(&mut self, interface: &Interface, fcs: Option<usize>, time_ns: i128, original: u32, data: &[u8]) -> Result<(), CaptureError> {
        let fcs = if interface.link == ETHERNET { fcs.unwrap_or(interface.fcs) } else { 0 };
        if fcs != 0 && fcs != FCS {
            return Err(self.damaged(format!("an FCS of {fcs} bytes is given for it; Ethernet's has {FCS}")));
        }
        let whole = (original as usize).max(data.len()) - fcs.min(data.len());
        let bytes = data[..data.len().min(whole)].to_vec();
        let cut = bytes.len() < whole;
        self.frames.push(Stamped { time_ns, frame: CapturedFrame { time_ns: 0, cut, link: interface.link, bytes } });
        Ok(())
    }

    /// Frames with times from zero or the epoch on, whichever is the earlier.
    fn done(self) -> Vec<CapturedFrame> {
        let begin = self.frames.iter().map(|at| at.time_ns).min().unwrap_or(0).min(0);
        let time = |at: i128| u64::try_from(at - begin).unwrap_or(u64::MAX);
        self.frames.into_iter().map(|at| CapturedFrame { time_ns: time(at.time_ns), ..at.frame }).collect()
    }

    fn pcap(&mut self, bytes: &[u8]) -> Result<(), CaptureError> {
        let short = |_| self.truncated("24 bytes of file header are needed".into());
        let (mut rest, header) = parse_pcap_header(bytes).map_err(short)?;
        let word = header.network.0 as u32;
        // bits 15:0 link type, 26 the FCS length is given, 31:28 it, in units of 16 bits
        let fcs = if word & 1 << 26 == 0 { 0 } else { 2 * (word >> 28) as usize };
        let interface = Interface { link: word as u16, fcs, snap_length: header.snaplen, resolution: 0, offset: 0 };
        let record = if header.is_modified_format() { 24 } else { 16 };
        let order = Order { big: header.is_bigendian() };
        let unit = if header.is_nanosecond_precision() { 1 } else { 1000 };
        while !rest.is_empty() {
            let Some(captured) = order.u32_at(rest, 8).filter(|_| rest.len() >= record) else {
                return Err(self.truncated(format!("{record} bytes of record header are needed and {} left", rest.len())));
            };
            if captured as usize > rest.len() - record {
                return Err(self.truncated(format!("{captured} bytes of frame are needed and {} left", rest.len() - record)));
            }
            let read = match header {
                _ if header.is_modified_format() => parse_pcap_frame_modified(rest),
                _ if header.is_bigendian() => parse_pcap_frame_be(rest),
                _ => parse_pcap_frame(rest),
            };
            let (after, block) = read.map_err(|_| self.damaged("its record cannot be read"))?;
            let time_ns = i128::from(block.ts_sec) * 1_000_000_000 + i128::from(block.ts_usec) * unit;
            self.keep(&interface, None, time_ns, block.origlen, block.data)?;
            rest = after;
        }
        Ok(())
    }

    fn pcapng(&mut self, bytes: &[u8]) -> Result<(), CaptureError> {
        const SECTION: u32 = 0x0a0d_0d0a;
        let mut rest = bytes;
        let mut order = Order { big: false };
        let mut interfaces: Vec<Interface> = Vec::new();
        while !rest.is_empty() {
            let header = |order: Order, at| order.u32_at(rest, at);
            let Some(mut kind) = header(order, 0).filter(|_| rest.len() >= 12) else {
                return Err(self.truncated(format!("12 bytes of block are needed and {} left", rest.len())));
            };
            // the same in either order, and so it names itself before the order is known
            if kind == SECTION {
                order.big = match header(Order { big: true }, 8) {
                    Some(0x1a2b_3c4d) => true,
                    Some(0x4d3c_2b1a) => false,
                    _ => return Err(self.damaged(format!("the byte-order magic of its section is {:02x?}", &rest[8..12]))),
                };
                kind = SECTION;
            }
            let length = header(order, 4).unwrap_or(0);
            if length < 12 || length % 4 != 0 {
                return Err(
                    self.damaged(format!("a block (type {kind:#x}) has a length of {length}; 12 or more and a multiple of 4 is allowed"))
                );
            }
            let Some(block) = rest.get(..length as usize) else {
                return Err(self.truncated(format!("a block (type {kind:#x}) has a length of {length} and {} bytes are left", rest.len())));
            };
            let trailer = order.u32_at(block, block.len() - 4).unwrap_or(0);
            if trailer != length {
                return Err(self.damaged(format!("a block (type {kind:#x}) has a length of {length} before and {trailer} behind it")));
            }
            match kind {
                SECTION => {
                    let (_, section) = parse_sectionheaderblock(block).map_err(|_| self.damaged("its section header is too short"))?;
                    if section.major_version != 1 {
                        let version = (section.major_version, section.minor_version);
                        return Err(self.damaged(format!("its section is of version {}.{}; 1.x is read", version.0, version.1)));
                    }
                    interfaces.clear();
                }
                1 => interfaces.push(self.interface(block, order)?),
                2 => self.obsolete_packet(block, order, &interfaces)?,
                3 => self.simple_packet(block, order, &interfaces)?,
                6 => self.enhanced_packet(block, order, &interfaces)?,
                _ => {}
            }
            rest = &rest[block.len()..];
        }
        Ok(())
    }

    fn interface(&self, block: &[u8], order: Order) -> Result<Interface, CaptureError> {
        let parse = if order.big { parse_interfacedescriptionblock_be } else { parse_interfacedescriptionblock_le };
        let (_, description) = parse(block).map_err(|_| self.damaged("an interface description is too short"))?;
        let options = &description.options;
        // The format says bits; writers have given bytes too.
        let fcs = match option::<1>(options, 13) {
            Some([4 | 32]) => FCS,
            _ => 0,
        };
        Ok(Interface {
            link: description.linktype.0 as u16,
            fcs,
            snap_length: description.snaplen,
            resolution: option::<1>(options, 9).map_or(6, |value| value[0]),
            offset: option::<8>(options, 14).map_or(0, |value| order.i64(*value)),
        })
    }

    fn described(&self, interfaces: &[Interface], id: u32) -> Result<Interface, CaptureError> {
        interfaces.get(id as usize).copied().ok_or_else(|| {
            self.damaged(format!("it names interface {id}, which is not described; its section has described {}", interfaces.len()))
        })
    }

    fn enhanced_packet(&mut self, block: &[u8], order: Order, interfaces: &[Interface]) -> Result<(), CaptureError> {
        let parse = if order.big { parse_enhancedpacketblock_be } else { parse_enhancedpacketblock_le };
        let (_, packet) = parse(block).map_err(|_| self.does_not_fit(block.len()))?;
        let interface = self.described(interfaces, packet.if_id)?;
        // bits 8:5 of the flags: bytes of FCS, 0 where they are not given
        let flags = option::<4>(&packet.options, 2).map_or(0, |value| order.u32(*value));
        let fcs = Some((flags >> 5 & 15) as usize).filter(|&fcs| fcs > 0);
        let units = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
        self.keep(&interface, fcs, time(units, &interface), packet.origlen, packet.packet_data())
    }

    /// It has no time: as late as the one before. It is of the first interface.
    fn simple_packet(&mut self, block: &[u8], order: Order, interfaces: &[Interface]) -> Result<(), CaptureError> {
        let parse = if order.big { parse_simplepacketblock_be } else { parse_simplepacketblock_le };
        let (_, packet) = parse(block).map_err(|_| self.does_not_fit(block.len()))?;
        let interface = self.described(interfaces, 0)?;
        let limit = if interface.snap_length == 0 { u32::MAX } else { interface.snap_length };
        let captured = packet.origlen.min(limit) as usize;
        let data = packet.data.get(..captured).ok_or_else(|| self.does_not_fit(block.len()))?;
        let time_ns = self.frames.last().map_or(0, |at| at.time_ns);
        self.keep(&interface, None, time_ns, packet.origlen, data)
    }

    /// The block that was there before the enhanced one, which the library does not know.
    fn obsolete_packet(&mut self, block: &[u8], order: Order, interfaces: &[Interface]) -> Result<(), CaptureError> {
        let field = |at| order.u32_at(block, at).ok_or_else(|| self.does_not_fit(block.len()));
        let (high, low, captured, original) = (field(12)?, field(16)?, field(20)?, field(24)?);
        let id = order.u16([block[8], block[9]]);
        let data = block[..block.len() - 4].get(28..).and_then(|data| data.get(..captured as usize));
        let data = data.ok_or_else(|| self.does_not_fit(block.len()))?;
        let interface = self.described(interfaces, id.into())?;
        self.keep(&interface, None, time(u64::from(high) << 32 | u64::from(low), &interface), original, data)
    }

    fn does_not_fit(&self, length: usize) -> CaptureError {
        self.damaged(format!("its block of {length} bytes does not hold the bytes that it says were captured"))
    }
}

/// Nanoseconds of `units`, whose size is a negative power of ten, or of two if the top bit is set.
fn time(units: u64, interface: &Interface) -> i128 {
    let power = u32::from(interface.resolution & 0x7f);
    let per_second = if interface.resolution & 0x80 == 0 { 10i128.checked_pow(power) } else { 2i128.checked_pow(power) };
    let fraction = per_second.map_or(0, |per_second| i128::from(units) * 1_000_000_000 / per_second);
    fraction + i128::from(interface.offset) * 1_000_000_000
}
