use super::*;
use crate::vectors;
use std::fmt::Write;

fn vector(name: &str) -> Vec<u8> {
    vectors::all().unwrap().into_iter().find(|vector| vector.name == name).unwrap().pcap
}

fn frames(bytes: &[u8]) -> Vec<CapturedFrame> {
    parse(bytes, Path::new("x.pcap")).unwrap()
}

fn complaint(bytes: &[u8]) -> String {
    parse(bytes, Path::new("x.pcap")).unwrap_err().to_string()
}

/// What [`read`] and [`read_headers`] say about a file.
fn refusals(bytes: &[u8]) -> [String; 2] {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    [read(file.path()), read_headers(file.path(), "the_block")].map(|result| result.map_or_else(|e| e.to_string(), |_| String::new()))
}

/// Writes numbers in either byte order.
#[derive(Clone, Copy)]
struct Writer {
    big: bool,
}

const BOTH: [Writer; 2] = [Writer { big: false }, Writer { big: true }];

impl Writer {
    fn u16(self, value: u16) -> Vec<u8> {
        if self.big { value.to_be_bytes().into() } else { value.to_le_bytes().into() }
    }

    fn u32(self, value: u32) -> Vec<u8> {
        if self.big { value.to_be_bytes().into() } else { value.to_le_bytes().into() }
    }

    fn words(self, words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|&word| self.u32(word)).collect()
    }

    fn pcap(self, magic: u32, link: u32, records: &[(u32, u32, u32, &[u8])]) -> Vec<u8> {
        let mut out = self.words(&[magic]);
        out.extend([self.u16(2), self.u16(4)].concat());
        out.extend(self.words(&[0, 0, 65_535, link]));
        for (seconds, fraction, original, bytes) in records {
            out.extend(self.words(&[*seconds, *fraction, bytes.len() as u32, *original]));
            out.extend(*bytes);
        }
        out
    }

    fn block(self, kind: u32, body: &[u8]) -> Vec<u8> {
        let mut body = body.to_vec();
        body.resize(body.len().next_multiple_of(4), 0);
        let length = body.len() as u32 + 12;
        [self.words(&[kind, length]), body, self.u32(length)].concat()
    }

    fn option(self, code: u16, value: &[u8]) -> Vec<u8> {
        let mut out = [self.u16(code), self.u16(value.len() as u16), value.to_vec()].concat();
        out.resize(out.len().next_multiple_of(4), 0);
        out
    }

    fn section(self) -> Vec<u8> {
        self.block(0x0a0d_0d0a, &[self.u32(0x1a2b_3c4d), self.u16(1), self.u16(0), vec![0xff; 8]].concat())
    }

    fn interface(self, link: u16, snap: u32, options: &[u8]) -> Vec<u8> {
        self.block(1, &[&self.u16(link)[..], &[0, 0], &self.u32(snap), options].concat())
    }

    fn enhanced(self, interface: u32, units: u64, original: u32, data: &[u8], options: &[u8]) -> Vec<u8> {
        let mut body = self.words(&[interface, (units >> 32) as u32, units as u32, data.len() as u32, original]);
        body.extend(data);
        body.resize(body.len().next_multiple_of(4), 0);
        body.extend(options);
        self.block(6, &body)
    }

    /// The block of the first versions of the format.
    fn obsolete(self, interface: u16, units: u64, original: u32, data: &[u8]) -> Vec<u8> {
        let head = [self.u16(interface), self.u16(0), self.words(&[(units >> 32) as u32, units as u32, data.len() as u32, original])];
        self.block(2, &[&head.concat()[..], data].concat())
    }

    fn simple(self, original: u32, data: &[u8]) -> Vec<u8> {
        self.block(3, &[&self.u32(original)[..], data].concat())
    }
}

fn pcapng(link: u16, resolution: Option<u8>, units: &[u64]) -> Vec<u8> {
    let to = BOTH[0];
    let options = resolution.map_or(Vec::new(), |code| to.option(9, &[code]));
    let packets = units.iter().flat_map(|&at| to.enhanced(0, at, 90, &[7; 64], &[]));
    [to.section(), to.interface(link, 0, &options)].concat().into_iter().chain(packets).collect()
}

/// A frame of EtherType `at` and what follows it.
fn ethernet(rest: &[u8]) -> Vec<u8> {
    let mut bytes = [&[2; 12][..], rest].concat();
    bytes.resize(bytes.len().max(60), 0);
    bytes
}

#[test]
fn what_is_no_capture_is_refused_in_one_line() {
    let good = vector("in_order");
    let cases = [
        (complaint(b""), "x.pcap is an empty file"),
        (complaint(b"frame 1: hello\n"), "begins with the text \"frame 1: hel\""),
        (complaint(&[0x7f, b'E', b'L', b'F', 2, 1]), "begins with bytes [7f, 45"),
        (complaint(&[0x1f, 0x8b, 8, 0]), "`gzip -d` first"),
        (complaint(b"snoop\0\0\0"), "editcap -F pcap"),
        (complaint(b"ab"), "is no capture"),
        (complaint(&good[..24]), "holds no frames"),
        (complaint(&good[..20]), "ends inside frame 0"),
        (complaint(&good[..good.len() - 1]), "ends inside frame 7 (0-based), after"),
        (complaint(&good[..good.len() - 700]), "ends inside frame 6"),
        (complaint(&pcapng(1, None, &[1, 2])[..200]), "ends inside frame 1"),
        (complaint(&pcapng(1, None, &[])), "holds no frames"),
    ];
    for (text, words) in cases {
        assert!(text.contains(words) && !text.contains('\n'), "{text} / {words}");
    }
    let missing = read(Path::new("/nonexistent/x.pcap")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read capture /nonexistent/x.pcap"), "{missing}");
}

#[test]
fn time_stamps_are_nanoseconds_whatever_the_file_counts_in() {
    for (resolution, expected) in
        [(None, 5000), (Some(6), 5000), (Some(9), 5), (Some(3), 5_000_000), (Some(0x8a), 4_882_812), (Some(0xff), 0)]
    {
        let frames = frames(&pcapng(1, resolution, &[5]));
        assert_eq!((frames[0].time_ns, frames[0].cut, frames[0].bytes.len()), (expected, true, 64), "{resolution:?}");
    }
    for to in BOTH {
        let record = |at| (1, at, 60, &[7u8; 60][..]);
        let time = |magic| frames(&to.pcap(magic, 1, &[record(5), record(9)]))[1].time_ns - 1_000_000_000;
        assert_eq!((time(0xa1b2_c3d4), time(0xa1b2_3c4d)), (9000, 9));
    }
}

#[test]
fn offsets_of_interfaces_are_seconds_and_may_be_negative() {
    for to in BOTH {
        let offset = |seconds: i64| if to.big { seconds.to_be_bytes() } else { seconds.to_le_bytes() };
        let with = |seconds| to.interface(1, 0, &to.option(14, &offset(seconds)));
        let packet = |interface| to.enhanced(interface, 7, 60, &[7; 60], &[]);
        let file = [to.section(), with(0), with(3), with(-2), packet(0), packet(1), packet(2)].concat();
        let times: Vec<u64> = frames(&file).iter().map(|frame| frame.time_ns).collect();
        let second = 1_000_000_000;
        // from the earliest on, which lies before the epoch
        assert_eq!(times, [2 * second, 5 * second, 0]);
    }
    let far = [BOTH[0].section(), BOTH[0].interface(1, 0, &BOTH[0].option(14, &i64::MAX.to_le_bytes()))].concat();
    let far = [far, BOTH[0].enhanced(0, u64::MAX, 60, &[7; 60], &[])].concat();
    assert_eq!(frames(&far)[0].time_ns, u64::MAX);
}

#[test]
fn an_option_list_ends_with_its_block_or_before() {
    for to in BOTH {
        let comment = to.option(1, b"without an end");
        let lists = [comment.clone(), [comment.clone(), to.option(0, &[])].concat(), Vec::new(), to.option(0, &[])];
        for list in &lists {
            let resolution = [to.option(9, &[9]), list.clone()].concat();
            let file = [to.section(), to.interface(1, 0, &resolution), to.enhanced(0, 5, 60, &[7; 60], list)].concat();
            assert_eq!(frames(&file), [CapturedFrame::ethernet(5, vec![7; 60])]);
        }
        // what stands behind the end is no option, and one that is longer than its block is none either
        let behind = [to.option(0, &[]), to.option(9, &[3])].concat();
        let beyond = [to.u16(1), to.u16(400), vec![0; 4]].concat();
        for list in [behind, beyond] {
            let file = [to.section(), to.interface(1, 0, &list), to.enhanced(0, 5, 60, &[7; 60], &[])].concat();
            assert_eq!(frames(&file)[0].time_ns, 5000);
        }
    }
}

#[test]
fn blocks_of_every_kind_in_either_byte_order_and_both_in_one_file() {
    let mut whole = Vec::new();
    for to in [BOTH[1], BOTH[0]] {
        let section = [
            to.section(),
            to.block(0x0bad, b"custom, and not for copying"),
            to.block(10, &to.words(&[0x544c_534b, 4, 0x0102_0304])),
            to.block(4, &[&to.u16(1)[..], &to.u16(6), &[192, 0, 2, 1], b"a\0", &[0; 6]].concat()),
            to.interface(1, 64, &[]),
            to.block(5, &to.words(&[0, 0, 0])),
            to.block(9, b"__REALTIME_TIMESTAMP=1\n"),
            to.block(0x7fff_ffff, &[]),
            to.simple(61, &[1; 61]),
            to.simple(90, &[2; 64]),
            to.obsolete(0, 1 << 32, 61, &[3; 61]),
            to.enhanced(0, 1 << 32, 63, &[4; 63], &[]),
            to.block(0x4000_0bad, &[0xff; 5]),
        ];
        whole.extend(section.concat());
    }
    let stamp = 4_294_967_296_000;
    let expected = [(0, 1, 61, false), (0, 2, 64, true), (stamp, 3, 61, false), (stamp, 4, 63, false)];
    let found: Vec<_> = frames(&whole).iter().map(|f| (f.time_ns, f.bytes[0], f.bytes.len(), f.cut)).collect();
    // a packet without a time is as late as the one before
    let second = [(stamp, 1, 61, false), (stamp, 2, 64, true), expected[2], expected[3]];
    assert_eq!(found, [expected, second].concat());
}

#[test]
fn the_fcs_is_no_part_of_a_frame_wherever_the_file_says_that_there_is_one() {
    let frame = [vec![7; 60], vec![0xfc; 4]].concat();
    let expected = CapturedFrame::ethernet(5000, vec![7; 60]);
    for to in BOTH {
        let pcap = |link| to.pcap(0xa1b2_c3d4, link, &[(0, 5, 64, &frame)]);
        assert_eq!(frames(&pcap(0x2400_0001)), std::slice::from_ref(&expected));
        // without bit 26 the length is not given; reserved bits mean nothing
        assert_eq!(frames(&pcap(0x2000_0001))[0].bytes.len(), 64);
        assert_eq!(frames(&pcap(0x0400_0001))[0].bytes.len(), 64);
        assert!(complaint(&pcap(0xf400_0001)).contains("an FCS of 30 bytes is given for it; Ethernet's has 4"));
        // cut within the FCS the frame is whole, before it it is not
        let cut = |bytes: usize| frames(&to.pcap(0xa1b2_c3d4, 0x2400_0001, &[(0, 5, 64, &frame[..bytes])])).remove(0);
        assert_eq!((cut(60), cut(62)), (expected.clone(), expected.clone()));
        assert_eq!((cut(59).cut, cut(59).bytes.len()), (true, 59));

        let pcapng = |interface: &[u8], packet: &[u8]| {
            frames(&[to.section(), to.interface(1, 0, interface), to.enhanced(0, 5, 64, &frame, packet)].concat())
        };
        let flags = to.option(2, &to.u32(4 << 5 | 1));
        let of_interface = [4, 32].map(|length| to.option(13, &[length]));
        assert_eq!(pcapng(&[], &flags), std::slice::from_ref(&expected));
        assert_eq!(pcapng(&of_interface[0], &[]), std::slice::from_ref(&expected));
        assert_eq!(pcapng(&of_interface[1], &to.option(2, &to.u32(1))), std::slice::from_ref(&expected));
        assert_eq!(pcapng(&to.option(13, &[0]), &[])[0].bytes.len(), 64);
    }
    assert_eq!(frames(&BOTH[0].pcap(0xa1b2_c3d4, 0x2400_0001, &[(0, 0, 3, &[1; 3])]))[0].bytes.len(), 0);
}

#[test]
fn frames_of_other_link_types_are_named_and_counted_and_only_alone_refused() {
    let to = BOTH[0];
    let good = frames(&vector("in_order")).remove(0).bytes;
    let packet = |interface, data: &[u8]| to.enhanced(interface, 1, data.len() as u32, data, &[]);
    let links = [to.interface(113, 0, &[]), to.interface(1, 0, &[]), to.interface(276, 0, &[]), to.interface(101, 0, &[])].concat();
    let others = [packet(0, &[0; 60]), packet(2, &[0; 60]), packet(3, &good[14..]), packet(0, &[0; 60])].concat();
    let mixed = frames(&[to.section(), links.clone(), others.clone(), packet(1, &good)].concat());
    let words = stimulus(&mixed, Path::new("x"));
    assert_eq!(
        words,
        "5 frames of x, of them not RoCEv2: 2 of link type 113 (Linux cooked), 1 of link type 101 (raw IP), 1 of link type 276 (Linux cooked v2)"
    );
    let offered = offers(&mixed, &Reader::registry(), Timing::Idle(0));
    let dropped = |offer: &Offer| matches!(&offer.what, What::Line(Decision::FrameError { reason, .. }) if reason == "not_ethernet");
    assert_eq!(offered.iter().filter(|offer| dropped(offer)).count(), 4);
    assert!(matches!(offered[4].what, What::Header(_)) && offered[4].frame == 4);

    for text in refusals(&[to.section(), links, others].concat()) {
        assert!(text.contains("has no Ethernet frame") && text.contains("2 of link type 113") && !text.contains('\n'), "{text}");
    }
    for (link, name) in [(0, "BSD loopback"), (101, "raw IP"), (113, "Linux cooked"), (276, "Linux cooked v2"), (9999, "not Ethernet")] {
        let [text, other] = refusals(&to.pcap(0xa1b2_c3d4, link, &[(0, 0, 60, &[0; 60])]));
        assert!(text.contains(&format!("1 of link type {link} ({name})")) && text == other, "{text}");
    }
}

#[test]
fn frames_that_are_not_rocev2_are_said_to_be_what_they_are() {
    let good = frames(&vector("in_order")).remove(0).bytes;
    let tagged = |tags: &[u16]| {
        let tags: Vec<u8> = tags.iter().flat_map(|tag| [tag.to_be_bytes(), [0, 5]].concat()).collect();
        [&good[..12], &tags, &good[12..]].concat()
    };
    let port = |port: u16| [&good[..36], &port.to_be_bytes(), &good[38..]].concat();
    let protocol = |protocol: u8| [&good[..23], &[protocol], &good[24..]].concat();
    let cases = [
        (
            tagged(&[0x88a8, 0x8100]),
            "1 with two VLAN tags or more (0x88a8, 0x8100)); the hardware reads one tag: take the outer one off with `editcap",
        ),
        (tagged(&[0x8100, 0x8100]), "two VLAN tags or more (0x8100, 0x8100)"),
        (tagged(&[0x88a8, 0x8100, 0x8100]), "two VLAN tags or more (0x88a8, 0x8100)"),
        (tagged(&[0x9100, 0x8100]), "two VLAN tags or more (0x9100, 0x8100)"),
        (tagged(&[0x9100]), "1 with a VLAN tag of type 0x9100"),
        (port(4789), "1 VXLAN (UDP port 4789)); take the outer headers off"),
        (port(53), "1 to UDP port 53); is the capture filter"),
        (protocol(6), "1 TCP"),
        (protocol(200), "1 of IP protocol 200"),
        (ethernet(&[0x89, 0x15, 0x60]), "1 RoCE v1 (EtherType 0x8915)); RoCE v1 has no UDP"),
        (ethernet(&[0x08, 0x06]), "1 ARP"),
        (ethernet(&[0x88, 0x08]), "1 MAC control (pause, PFC)"),
        (ethernet(&[0x00, 0x26]), "1 802.3 with LLC"),
        (ethernet(&[0x12, 0x34]), "1 of EtherType 0x1234"),
        (ethernet(&[0x08, 0x00, 0x61]), "1 with a damaged IPv4 header"),
    ];
    for (bytes, words) in cases {
        let [text, other] = refusals(&BOTH[0].pcap(0xa1b2_c3d4, 1, &[(0, 0, bytes.len() as u32, &bytes)]));
        assert!(
            text.contains("none of its 1 frames is RoCEv2") && text.contains("1 not_rocev2") && text.contains(words),
            "{words}: {text}"
        );
        assert_eq!(text, other);
    }
    for tag in [0x8100, 0x88a8] {
        let bytes = tagged(&[tag]);
        assert_eq!(refusals(&BOTH[0].pcap(0xa1b2_c3d4, 1, &[(0, 0, bytes.len() as u32, &bytes)])), [String::new(), String::new()]);
    }
}

#[test]
fn rocev2_without_a_header_for_the_block_is_refused_with_the_reasons() {
    let mut damaged = frames(&vector("in_order")).remove(0).bytes;
    *damaged.last_mut().unwrap() ^= 1;
    let [plain, text] = refusals(&BOTH[0].pcap(0xa1b2_c3d4, 1, &[(0, 0, damaged.len() as u32, &damaged)]));
    assert!(plain.is_empty() && text.contains("has nothing for the_block") && text.contains("1 frames are 1 bad_icrc"), "{text}");
}

#[test]
fn what_a_block_or_a_record_contradicts_is_said_of_the_frame() {
    for to in BOTH {
        let start = [to.section(), to.interface(1, 0, &[]), to.enhanced(0, 1, 60, &[7; 60], &[])].concat();
        let after = |block: Vec<u8>| complaint(&[start.clone(), block].concat());
        let longer = |kind, at: usize| {
            let mut block = match kind {
                2 => to.obsolete(0, 1, 60, &[7; 60]),
                3 => to.simple(60, &[7; 60]),
                _ => to.enhanced(0, 1, 60, &[7; 60], &[]),
            };
            block[at..at + 4].copy_from_slice(&to.u32(0xffff_fff0));
            block
        };
        let mut trailer = to.enhanced(0, 1, 60, &[7; 60], &[]);
        let end = trailer.len() - 4;
        trailer[end..].copy_from_slice(&to.u32(12));
        let mut version = to.section();
        version[12..14].copy_from_slice(&to.u16(2));
        let mut magic = to.section();
        magic[8..12].copy_from_slice(&[1, 2, 3, 4]);
        let cases = [
            (
                after(to.enhanced(3, 1, 60, &[7; 60], &[])),
                "damaged at frame 1 (0-based): it names interface 3, which is not described; its section has described 1",
            ),
            (after([to.section(), to.simple(60, &[7; 60])].concat()), "interface 0, which is not described"),
            (after(longer(6, 20)), "does not hold the bytes that it says were captured"),
            (after(longer(2, 20)), "does not hold the bytes"),
            (after(longer(3, 8)), "does not hold the bytes"),
            (after(longer(6, 4)), "truncated: it ends inside frame 1 (0-based)"),
            (after(to.words(&[6, 0, 0])), "has a length of 0; 12 or more and a multiple of 4 is allowed"),
            (after(to.words(&[6, 13, 0, 13])), "has a length of 13"),
            (after(trailer), "before and 12 behind it"),
            (after(version), "version 2.0; 1.x is read"),
            (after(magic), "the byte-order magic of its section is [01, 02, 03, 04]"),
            (after(to.block(6, &[0; 4])), "does not hold the bytes"),
            (after(to.block(1, &[])), "an interface description is too short"),
            (after(to.block(2, &[])), "does not hold the bytes"),
            (after(to.block(3, &[])), "does not hold the bytes"),
            (after(to.words(&[6])), "12 bytes of block are needed and 4 left"),
        ];
        for (text, words) in cases {
            assert!(text.contains(words) && text.contains("frame 1 (0-based)") && !text.contains('\n'), "{text} / {words}");
        }
        let record = |captured| [to.pcap(0xa1b2_c3d4, 1, &[]), to.words(&[0, 0, captured, 60]), vec![7; 60]].concat();
        assert!(complaint(&record(0xffff_ffff)).contains("4294967295 bytes of frame are needed and 60 left"));
        // more kept than there was: what was kept counts; nothing kept is a frame too
        assert_eq!(
            frames(&to.pcap(0xa1b2_c3d4, 1, &[(0, 0, 10, &[7; 60]), (0, 0, 60, &[])])).iter().map(|f| f.cut).collect::<Vec<_>>(),
            [false, true]
        );
    }
}

#[test]
fn timing_places_the_frames() {
    let frames = frames(&vector("in_order"));
    let clocks = |timing| {
        let offers = offers(&frames, &Reader::registry(), timing);
        offers.iter().map(|offer| offer.when).take(3).collect::<Vec<_>>()
    };
    assert_eq!(clocks(Timing::Capture { clock_hz: Timing::CLOCK_HZ }), [0, 68, 136].map(When::At));
    // 4178 bytes: Ethernet 14, IP 20, UDP 8, BTH 12, RETH 16, OpETH 8, payload 4096, ICRC 4
    assert_eq!(frames[0].bytes.len(), 4178);
    assert_eq!(clocks(Timing::LineRate { bytes_per_clock: 64 }), [0, 66, 132].map(When::At));
    assert_eq!(clocks(Timing::Idle(3)), [3, 3, 3].map(When::After));
}

#[test]
fn damage_anywhere_is_an_error_or_a_frame_and_never_a_panic() {
    let mut files = vec![vector("frame_errors")];
    for to in BOTH {
        let options = [to.option(9, &[9]), to.option(14, &[0; 8]), to.option(13, &[4]), to.option(0, &[])].concat();
        let blocks = [
            to.section(),
            to.interface(1, 64, &options),
            to.interface(113, 0, &[]),
            to.enhanced(0, 1, 90, &[7; 62], &to.option(2, &to.u32(4 << 5))),
            to.simple(70, &[7; 64]),
            to.obsolete(1, 2, 61, &[7; 61]),
            to.block(4, &[0; 20]),
            to.section(),
        ];
        files.push(blocks.concat());
        files.push(to.pcap(0xa1b2_3c4d, 0x2400_0001, &[(1, 2, 64, &[7; 64]), (1, 2, 90, &[7; 30])]));
    }
    let mut text = String::new();
    for file in files {
        for at in 0..file.len().min(700) {
            for value in [0x00, 0x01, 0x04, 0x7f, 0x80, 0xff] {
                let mut damaged = file.clone();
                damaged[at] = value;
                match parse(&damaged, Path::new("x")) {
                    Ok(frames) => {
                        offers(&frames, &Reader::registry(), Timing::Idle(0));
                        text.push_str(&stimulus(&frames, Path::new("x")));
                    }
                    Err(error) => write!(text, "{error}").unwrap(),
                }
            }
            if let Err(error) = parse(&file[..at], Path::new("x")) {
                write!(text, "{error}").unwrap();
            }
        }
    }
    assert!(text.len() > 100_000 && !text.contains('\n'));
}
