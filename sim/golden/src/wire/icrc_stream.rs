//! What `icrc_check` and `icrc_insert` do to a frame: the CRC taken bit by bit, as the specification writes it, with no table and no
//! library.

use super::parse::network;
use std::ops::Range;

/// What a check of the ICRC finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IcrcVerdict {
    /// Not RoCEv2, or a fragment: there is no ICRC, the frame passes as it is.
    Absent,
    /// The last four bytes of the IP packet are its ICRC.
    Holds,
    /// They are not, or the frame ends before the IP packet does or has no room for BTH and ICRC.
    Wrong,
}

/// Where the IP header, the UDP header and the ICRC of a RoCEv2 frame begin; no place of the ICRC if the frame is too short to have one.
fn places(frame: &[u8]) -> Option<(usize, usize, Option<usize>)> {
    let network = network(frame).ok()?;
    let room = network.end <= frame.len() && network.end >= network.udp + 8 + 12 + 4;
    Some((network.ip_start, network.udp, room.then(|| network.end - 4)))
}

/// Bits of the byte at `at` (from the first of the IP header) that the ICRC takes as ones, because routers or the network may change them.
fn masked(at: usize, version: u8, udp: usize) -> u8 {
    let whole = |range: Range<usize>| range.contains(&at);
    let network = if version == 4 {
        // type of service, time to live, header checksum
        whole(1..2) || whole(8..9) || whole(10..12)
    } else {
        // low half of the traffic class and flow label, hop limit
        whole(1..4) || whole(7..8)
    };
    // UDP checksum; FECN, BECN and reserved 6 of BTH
    if network || whole(udp + 6..udp + 8) || at == udp + 12 {
        0xff
    } else if version == 6 && at == 0 {
        // high half of the traffic class
        0x0f
    } else {
        0
    }
}

/// The CRC register after one more byte, least significant bit first.
fn step(crc: u32, byte: u8) -> u32 {
    (0..8).fold(crc, |crc, bit| {
        let out = (crc ^ u32::from(byte >> bit)) & 1;
        crc >> 1 ^ if out == 1 { 0xedb8_8320 } else { 0 }
    })
}

fn serial(frame: &[u8], ip: usize, udp: usize, end: usize) -> [u8; 4] {
    let version = frame[ip] >> 4;
    let link = (0..8).fold(u32::MAX, |crc, _| step(crc, 0xff));
    let crc = (ip..end).fold(link, |crc, at| step(crc, frame[at] | masked(at - ip, version, udp - ip)));
    (!crc).to_le_bytes()
}

/// Checks a frame; what follows the IP packet is Ethernet padding and does not count.
///
/// Spec: wire format, "ICRC".
pub fn icrc_verdict(frame: &[u8]) -> IcrcVerdict {
    match places(frame) {
        None => IcrcVerdict::Absent,
        Some((ip, udp, Some(at))) if serial(frame, ip, udp, at) == frame[at..at + 4] => IcrcVerdict::Holds,
        Some(_) => IcrcVerdict::Wrong,
    }
}

/// The frame with its ICRC written over the last four bytes of the IP packet.
///
/// Its length stays. A frame that has no ICRC, or no room for one, is left as it is.
pub fn icrc_inserted(frame: &[u8]) -> Vec<u8> {
    let mut out = frame.to_vec();
    if let Some((ip, udp, Some(at))) = places(frame) {
        out[at..at + 4].copy_from_slice(&serial(frame, ip, udp, at));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Header, Kind};
    use crate::wire::{Frame, FrameError, Ip, Reader, parse};
    use rand::{Rng as _, RngCore as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;
    use std::path::{Path, PathBuf};

    fn hex(text: &str) -> Vec<u8> {
        (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
    }

    /// A frame of every form: IPv4 with and without options, IPv6, each with and without a tag.
    fn forms(random: &mut ChaCha8Rng, bytes: u16) -> Vec<Frame> {
        let header = Header { kind: Kind::Start, src: 3, op: 9, addr: 0x1000, bytes, op_bytes: bytes.into(), count: 1, rkey: 7, imm: None };
        let mut plain = Frame::carrying(&header, random.random_range(0..1 << 24));
        plain.payload.iter_mut().for_each(|byte| *byte = random.random());
        plain.traffic_class = random.random();
        let mut options = plain.clone();
        options.ip_options = vec![1; 12];
        let mut six = plain.clone();
        six.ip = Ip::V6 { source: "fd00::1".parse().unwrap(), destination: "fd00::2".parse().unwrap() };
        [plain, options, six].into_iter().flat_map(|frame| [frame.clone(), Frame { vlan: Some(0x2064), ..frame }]).collect()
    }

    #[test]
    fn a_frame_of_linux_holds_and_its_icrc_is_written_again() {
        let ack = hex("0200000009010200000009020800450000306c7340004011ba350a0900020a090001c12112b7001c0000\
                       1100ffff000000110065ee741f00000190ffe520");
        assert_eq!(icrc_verdict(&ack), IcrcVerdict::Holds);
        let mut blank = ack.clone();
        let end = blank.len();
        blank[end - 4..].fill(0);
        assert_eq!(icrc_verdict(&blank), IcrcVerdict::Wrong);
        assert_eq!(icrc_inserted(&blank), ack);
    }

    /// The pcap files of a folder, by name.
    fn captures(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let files = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "pcap"));
        files.sort();
        files.into_iter().map(|file| (file.clone(), std::fs::read(file).unwrap())).collect()
    }

    /// The frames of a little-endian pcap file, as much of each as was captured.
    fn frames(pcap: &[u8]) -> Vec<&[u8]> {
        let (mut rest, mut frames) = (&pcap[24..], Vec::new());
        while !rest.is_empty() {
            let length = u32::from_le_bytes(rest[8..12].try_into().unwrap()) as usize;
            frames.push(&rest[16..16 + length]);
            rest = &rest[16 + length..];
        }
        frames
    }

    fn vectors() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tb/vectors")
    }

    /// A congestion notification as a ConnectX-4 Lx sent it.
    #[test]
    fn a_notification_of_a_card_holds() {
        let notification = hex("e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201000012b70028000081\
                                00ffff40000118000000000000000000000000000000000000000082fd002a");
        assert_eq!(icrc_verdict(&notification), IcrcVerdict::Holds);
        let mut blank = notification.clone();
        blank[70..].fill(0);
        assert_eq!(icrc_inserted(&blank), notification);
    }

    /// How many frames of a folder hold: all of them must, and an ICRC that was overwritten comes back.
    fn all_hold(folder: &Path) -> usize {
        let captures = captures(folder);
        let all = captures.iter().flat_map(|(file, pcap)| frames(pcap).into_iter().map(move |frame| (file, frame)));
        let each = all.map(|(file, frame)| {
            assert_eq!(icrc_verdict(frame), IcrcVerdict::Holds, "{}", file.display());
            let end = network(frame).unwrap().end;
            let mut blank = frame.to_vec();
            blank[end - 4..end].iter_mut().for_each(|byte| *byte = !*byte);
            assert_eq!(icrc_verdict(&blank), IcrcVerdict::Wrong, "{}", file.display());
            assert_eq!(icrc_inserted(&blank), frame, "{}", file.display());
        });
        each.count()
    }

    /// The frames of the repository, and those of a folder that `RDMA_RTL_CAPTURES` names, if it does.
    #[test]
    fn every_frame_that_linux_sent_holds() {
        assert_eq!(all_hold(&vectors().join("soft_roce")), 1749);
        if let Some(more) = std::env::var_os("RDMA_RTL_CAPTURES") {
            let count = all_hold(Path::new(&more));
            assert_ne!(count, 0, "no frame in {}", Path::new(&more).display());
            println!("{count} more frames hold");
        }
    }

    /// The reader takes the CRC from a library: what it says of the ICRC of each frame is what the serial CRC says.
    #[test]
    fn every_frame_of_the_vectors_is_what_its_reader_says() {
        let (mut holds, mut wrong) = (0, 0);
        for (file, capture) in captures(&vectors()) {
            for frame in frames(&capture) {
                let (verdict, read) = (icrc_verdict(frame), parse(frame, false, &Reader::registry()));
                match read {
                    Ok(_) | Err(FrameError::BadExtension) => assert_eq!(verdict, IcrcVerdict::Holds, "{}", file.display()),
                    Err(FrameError::BadIcrc) => assert_eq!(verdict, IcrcVerdict::Wrong, "{}", file.display()),
                    Err(FrameError::NotRocev2) => assert_eq!(verdict, IcrcVerdict::Absent, "{}", file.display()),
                    Err(_) => {}
                }
                holds += usize::from(verdict == IcrcVerdict::Holds);
                wrong += usize::from(verdict == IcrcVerdict::Wrong);
            }
        }
        assert_eq!((holds, wrong), (401, 7));
    }

    #[test]
    fn the_serial_crc_is_that_of_frames_built_otherwise() {
        let mut random = ChaCha8Rng::seed_from_u64(33);
        for bytes in 1..300 {
            for frame in forms(&mut random, bytes) {
                let mut built = frame.to_bytes();
                let end = built.len();
                // bytes behind the IP packet change nothing
                built.extend((0..random.random_range(0..50)).map(|_| 0xa5));
                assert_eq!(icrc_verdict(&built), IcrcVerdict::Holds, "{frame:?}");
                let mut blank = built.clone();
                random.fill_bytes(&mut blank[end - 4..end]);
                assert_eq!(icrc_inserted(&blank), built, "{frame:?}");
            }
        }
    }

    #[test]
    fn every_bit_counts_but_the_masked() {
        let mut random = ChaCha8Rng::seed_from_u64(34);
        for frame in forms(&mut random, 41) {
            let built = frame.to_bytes();
            let (ip, udp, at) = places(&built).unwrap();
            let version = built[ip] >> 4;
            for bit in ip * 8..at.unwrap() * 8 + 32 {
                let mut changed = built.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                let free = masked(bit / 8 - ip, version, udp - ip) >> (bit % 8) & 1 == 1;
                assert_eq!(icrc_verdict(&changed) == IcrcVerdict::Holds, free, "bit {bit} of {frame:?}");
            }
        }
    }

    #[test]
    fn what_has_no_icrc_passes_and_what_is_cut_is_wrong() {
        let mut random = ChaCha8Rng::seed_from_u64(35);
        for frame in forms(&mut random, 41) {
            let built = frame.to_bytes();
            let (_, udp, at) = places(&built).unwrap();
            let mut elsewhere = built.clone();
            elsewhere[udp + 3] ^= 1;
            assert_eq!((icrc_verdict(&elsewhere), icrc_inserted(&elsewhere)), (IcrcVerdict::Absent, elsewhere.clone()));
            for length in 0..at.unwrap() + 4 {
                let cut = &built[..length];
                let must = if length < udp + 4 { IcrcVerdict::Absent } else { IcrcVerdict::Wrong };
                assert_eq!((icrc_verdict(cut), icrc_inserted(cut)), (must, cut.to_vec()), "{length} bytes of {frame:?}");
            }
        }
    }
}
