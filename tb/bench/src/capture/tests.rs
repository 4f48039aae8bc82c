use super::*;
use crate::vectors;
use pcap_file::pcapng::PcapNgWriter;
use pcap_file::pcapng::blocks::enhanced_packet::EnhancedPacketBlock;
use pcap_file::pcapng::blocks::interface_description::InterfaceDescriptionBlock;
use std::borrow::Cow;
use std::time::Duration;

fn vector(name: &str) -> Vec<u8> {
    vectors::all().unwrap().into_iter().find(|vector| vector.name == name).unwrap().pcap
}

fn complaint(bytes: &[u8]) -> String {
    parse(bytes, Path::new("x.pcap")).unwrap_err().to_string()
}

/// A pcapng file with one interface, whose time unit is 10^-`resolution` s.
fn pcapng(link: DataLink, resolution: Option<u8>, units: &[u64]) -> Vec<u8> {
    let mut writer = PcapNgWriter::new(Vec::new()).unwrap();
    let mut interface = InterfaceDescriptionBlock::new(link, 64);
    interface.options.extend(resolution.map(InterfaceDescriptionOption::IfTsResol));
    writer.write_pcapng_block(interface).unwrap();
    for &unit in units {
        let packet = EnhancedPacketBlock {
            interface_id: 0,
            timestamp: Duration::from_nanos(unit),
            original_len: 90,
            data: Cow::Owned(vec![7; 64]),
            options: Vec::new(),
        };
        writer.write_pcapng_block(packet).unwrap();
    }
    writer.into_inner()
}

#[test]
fn what_is_no_capture_is_refused_in_one_line() {
    let good = vector("in_order");
    let mut other_link = good.clone();
    other_link[20] = 101;
    let cases = [
        (complaint(b""), "x.pcap is an empty file"),
        (complaint(b"frame 1: hello\n"), "begins with the text \"frame 1: hel\""),
        (complaint(&[0x7f, b'E', b'L', b'F', 2, 1]), "begins with bytes [7f, 45"),
        (complaint(b"ab"), "is no capture"),
        (complaint(&good[..24]), "holds no frames"),
        (complaint(&good[..20]), "ends inside frame 0"),
        (complaint(&good[..good.len() - 1]), "ends inside frame 7 (0-based), after"),
        (complaint(&good[..good.len() - 700]), "ends inside frame 6"),
        (complaint(&other_link), "has link type 101"),
        (complaint(&pcapng(DataLink::RAW, None, &[1])), "has link type"),
        (complaint(&pcapng(DataLink::ETHERNET, None, &[1, 2])[..200]), "ends inside frame 1"),
        (complaint(&pcapng(DataLink::ETHERNET, None, &[])), "holds no frames"),
    ];
    for (text, words) in cases {
        assert!(text.contains(words) && !text.contains('\n'), "{text} / {words}");
    }
    let missing = read(Path::new("/nonexistent/x.pcap")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read capture /nonexistent/x.pcap"), "{missing}");
}

#[test]
fn time_stamps_are_nanoseconds_whatever_the_file_counts_in() {
    for (resolution, expected) in [(None, 5000), (Some(6), 5000), (Some(9), 5), (Some(3), 5_000_000), (Some(0x8a), 4_882_812)] {
        let frames = parse(&pcapng(DataLink::ETHERNET, resolution, &[5]), Path::new("x")).unwrap();
        assert_eq!((frames[0].time_ns, frames[0].cut, frames[0].bytes.len()), (expected, true, 64), "{resolution:?}");
    }
    let mut micro = vector("in_order");
    let nano = parse(&micro, Path::new("x")).unwrap();
    micro[..4].copy_from_slice(&[0xd4, 0xc3, 0xb2, 0xa1]);
    let micro = parse(&micro, Path::new("x")).unwrap();
    assert!(nano[1].time_ns > 0 && micro[1].time_ns == 1000 * nano[1].time_ns);
}

#[test]
fn timing_places_the_frames() {
    let frames = parse(&vector("in_order"), Path::new("x")).unwrap();
    let clocks = |timing| {
        let offers = offers(&frames, &Reader::registry(), timing);
        offers.iter().map(|offer| offer.when).take(3).collect::<Vec<_>>()
    };
    assert_eq!(clocks(Timing::Capture { clock_hz: Timing::CLOCK_HZ }), [0, 12, 24].map(When::At));
    // 594 bytes: Ethernet 14, IP 20, UDP 8, BTH 12, RETH 16, OpETH 8, payload 512, ICRC 4
    assert_eq!(frames[0].bytes.len(), 594);
    assert_eq!(clocks(Timing::LineRate { bytes_per_clock: 64 }), [0, 10, 20].map(When::At));
    assert_eq!(clocks(Timing::Idle(3)), [3, 3, 3].map(When::After));
}

#[test]
fn damage_anywhere_is_an_error_or_a_frame_and_never_a_panic() {
    let pcap = vector("frame_errors");
    let ng = pcapng(DataLink::ETHERNET, Some(9), &[1, 2, 3]);
    for file in [pcap, ng] {
        for at in 0..file.len().min(700) {
            for value in [0x00, 0x01, 0x7f, 0xff] {
                let mut damaged = file.clone();
                damaged[at] = value;
                if let Ok(frames) = parse(&damaged, Path::new("x")) {
                    offers(&frames, &Reader::registry(), Timing::Idle(0));
                }
            }
            let _ = parse(&file[..at], Path::new("x"));
        }
    }
}
