//! The header on the wire: every first byte, every length, every end.

use crate::congestion::header::plain;
use crate::congestion::{Form, Header, HeaderError, Heard, Level, Notice, Scene, Signal, Word, listen, notification, tell};
use crate::wire::{Aeth, Bth, Ceth, Control, Frame, FrameError, Lr2Eth, Opcode, Reader, parse, parse_judged};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn reader() -> Reader {
    Reader { congestion: true, lr2_eth: true, op_eth: true, ..Reader::default() }
}

fn acknowledgement(syndrome: u8, reserved6: u8) -> Frame {
    let mut frame = Frame::new(Bth::new(Opcode::ACKNOWLEDGE, 9, 4));
    frame.aeth = Some(Aeth { syndrome, msn: 8 });
    frame.bth.reserved6 = reserved6;
    frame
}

/// One frame of every kind that carries congestion state.
fn carriers() -> Vec<Frame> {
    let mut from_depot = acknowledgement(0x60, 0b100);
    from_depot.lr2_eth = Some(Lr2Eth { gap_start: 0x1112_1314, gap_length: 2, expected: 3 });
    let control = |opcode, control| {
        let mut frame = Frame::new(Bth::new(opcode, 9, 0));
        frame.control = Some(control);
        frame
    };
    let feedback =
        Control::Feedback { start: 1, length: 2, edge: 3, base: 4, timestamp: 5, path: 6, status: 7, depth: 8, repeat: 9, misjudged: 10 };
    vec![
        acknowledgement(0x1f, 0),
        acknowledgement(0x60, 0),
        // a Sentry-NACK, and an acknowledgement with the bits of a Depot-NACK, have no LR2ETH
        acknowledgement(0x60, 0b010),
        acknowledgement(0x1f, 0b100),
        from_depot,
        control(Opcode::FFM, feedback),
        control(Opcode::REMOTE_COMPLETION, Control::Completion { op: 1, status: 2, packets: 3 }),
        control(Opcode::OP_ACK, Control::OpAck { op: 1, index: 2, status: 3, mask: 4 }),
        control(Opcode::RANGE_ACK, Control::RangeAck { base: 1, start: 2, length: 3 }),
        Frame::new(Bth::new(Opcode::CNP, 9, 0)),
    ]
}

/// What the contract says of a header that begins with `first` where `room` bytes are left: its length, or why it is dropped.
fn expected(first: u8, second: u8, room: usize) -> Result<usize, HeaderError> {
    let length = match first & 0xf {
        1 => 4,
        2 => 8,
        3 => 12,
        4 => 16,
        _ => return Err(HeaderError::Length),
    };
    match first >> 4 {
        _ if length > room => Err(HeaderError::PastPacket),
        0 if length != 4 => Err(HeaderError::PlainLength),
        1 if second & 1 == 1 => Err(HeaderError::Reserved),
        _ => Ok(length),
    }
}

#[test]
fn every_version_length_and_end_is_read_or_dropped_and_its_frame_kept() {
    let mut kinds = [0u32; 3];
    for base in carriers() {
        let cnp = base.bth.opcode == Opcode::CNP;
        for (becn, first) in [false, true].into_iter().flat_map(|becn| (0..=u8::MAX).map(move |first| (becn, first))) {
            for room in 0..=20 {
                let mut frame = base.clone();
                frame.bth.becn = becn;
                let tail = [first, 0xe2 | first >> 7, 0, 0].into_iter().chain((4..).map(|at| at * 3));
                frame.payload = tail.take(room).collect();
                let bytes = frame.to_bytes();
                let read = parse_judged(&bytes, true, &reader()).expect("the frame is kept");
                // nothing is lost, whatever became of the header: the acknowledgement least of all
                assert_eq!(read.to_bytes(), bytes);
                assert_eq!((read.aeth, &read.control, read.lr2_eth), (base.aeth, &base.control, base.lr2_eth));
                assert_eq!(read.message(3), base.message(3));
                let told = room >= 4 && if cnp { first >> 4 != 0 } else { becn };
                let want = told.then(|| expected(first, frame.payload[1], room));
                let (ceth, error) = match want {
                    Some(Ok(length)) => (Some(Ceth(frame.payload[..length].to_vec())), None),
                    Some(Err(error)) => (None, Some(error)),
                    None => (None, None),
                };
                let rest = ceth.as_ref().map_or(0, |ceth| ceth.0.len());
                kinds[if ceth.is_some() { 0 } else { 1 + usize::from(error.is_none()) }] += 1;
                assert_eq!((read.ceth, read.ceth_error), (ceth, error), "first byte {first:#x}, {room} bytes");
                assert_eq!(read.payload, frame.payload[rest..]);
                // a plain peer's reader sees bytes and no header
                let plain = Reader { op_eth: true, lr2_eth: base.lr2_eth.is_some(), ..Reader::default() };
                let read = parse_judged(&bytes, true, &plain).expect("the frame is kept");
                assert_eq!((read.ceth, read.ceth_error, read.payload), (None, None, frame.payload));
            }
        }
    }
    assert!(kinds.iter().all(|&count| count > 1000), "{kinds:?}");
}

#[test]
fn every_pair_of_first_bytes_is_read_as_the_contract_says() {
    for (first, second) in (0..=u8::MAX).flat_map(|first| (0..=u8::MAX).map(move |second| (first, second))) {
        let bytes: Vec<u8> =
            [first, second, 0, 0].into_iter().chain([0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 1, 2, 3, 4]).collect();
        for room in [1, 3, 4, 7, 8, 12, 15, 16] {
            let want = expected(first, second, room).map(|length| {
                let has = |words: usize| second >> 5 & 1 == 1 && length >= 4 * words;
                let notice = Notice {
                    level: Level::ALL[usize::from(second / 64)],
                    scene: Scene::of(second >> 1 & 15),
                    enhanced: second & 32 != 0,
                    depth: has(2).then_some(0x1234),
                    point: has(2).then_some(0x5678),
                    delay: has(3).then_some(0x9abc_def0),
                };
                let header = match first >> 4 {
                    0 => Header::Plain,
                    1 => Header::Notice(notice),
                    version => Header::Unknown { version },
                };
                (header, length)
            });
            assert_eq!(Header::read(&bytes[..room]), want, "{first:#x} {second:#x}, {room} bytes");
        }
    }
    assert_eq!(Header::read(&[]), Err(HeaderError::PastPacket));
    for at in [2, 3] {
        let mut bytes = [0x11, 0x40, 0, 0];
        bytes[at] = 0x80;
        assert_eq!(Header::read(&bytes), Err(HeaderError::Reserved));
    }
}

#[test]
fn bytes_stand_where_the_wire_format_has_them() {
    let full = Notice {
        level: Level::Medium,
        scene: Scene::Response,
        enhanced: true,
        depth: Some(0x0102),
        point: Some(0x0304),
        delay: Some(0x0506_0708),
    };
    assert_eq!(full.to_bytes(), [0x13, 0b1010_0100, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let point = Notice { depth: None, delay: None, ..full };
    assert_eq!(point.to_bytes(), [0x12, 0b1010_0100, 0, 0, 0xff, 0xff, 3, 4]);
    let level = Notice { level: Level::Light, scene: Scene::Message, ..Notice::default() };
    assert_eq!(level.to_bytes(), [0x11, 0b0100_0010, 0, 0]);
    assert_eq!(Header::read(&plain()), Ok((Header::Plain, 4)));
    // all ones would be absent
    let ends = Notice { depth: Some(u16::MAX), point: Some(u16::MAX), delay: Some(u32::MAX), ..full };
    let (read, _) = Header::read(&ends.to_bytes()).expect("it is sound");
    assert_eq!(read, Header::Notice(Notice { depth: Some(0xfffe), point: Some(0xfffe), delay: Some(u32::MAX - 1), ..full }));
}

#[test]
fn every_notice_survives_both_forms() {
    let values = [None, Some(0), Some(0x1234), Some(0xfffe)];
    for (level, scene) in Level::ALL.into_iter().flat_map(|level| (0..16).map(move |code| (level, Scene::of(code)))) {
        for (depth, point) in values.into_iter().flat_map(|depth| values.map(|point| (depth, point))) {
            for delay in [None, Some(0), Some(0xffff_fffe)] {
                let enhanced = depth.is_some() || point.is_some() || delay.is_some();
                let notice = Notice { level, scene, enhanced, depth, point, delay };
                let bytes = notice.to_bytes();
                assert_eq!(Header::read(&bytes), Ok((Header::Notice(notice), bytes.len())));
            }
        }
        let mut bth = Bth::new(Opcode::ACKNOWLEDGE, 1, 2);
        (bth.reserved6, bth.reserved7) = (0x3f, 0x7f);
        let notice = Notice { level, scene, ..Notice::default() };
        notice.write_compact(&mut bth);
        let scene = if scene.code() < 8 { scene } else { Scene::None };
        assert_eq!(Notice::from_compact(&bth), Notice { scene, ..notice });
        // retransmission, the kind of a NAK and the path are others' bits
        assert_eq!((bth.reserved6 & 0x07, bth.reserved7 & 0x0f), (0x07, 0x0f));
        assert_eq!((bth.reserved6 >> 4, bth.reserved7 >> 4), (level as u8, scene.code()));
    }
}

#[test]
fn becn_decides_whether_anything_is_told() {
    let notice = Notice { level: Level::Heavy, scene: Scene::Message, ..Notice::default() };
    let mut heard = Heard::default();
    let mut say = |frame: &Frame, form| {
        let read = parse(&frame.to_bytes(), false, &reader()).expect("the frame is sound");
        listen(&read, form, &mut heard)
    };
    let told = |word| Some(Signal { word, acknowledges: true });
    let mut frame = acknowledgement(0x1f, 0);
    for form in [Form::None, Form::Extension, Form::Compact] {
        tell(&mut frame, None, form);
        assert_eq!(say(&frame, form), told(Word::Clear));
    }
    tell(&mut frame, Some(&notice), Form::Extension);
    assert_eq!(say(&frame, Form::Extension), told(Word::Notice(notice)));
    // where the queue pair has another form, it is what a standard peer says
    assert_eq!(say(&frame, Form::None), told(Word::Plain));
    tell(&mut frame, Some(&notice), Form::Compact);
    assert_eq!(say(&frame, Form::Compact), told(Word::Notice(notice)));
    assert_eq!(say(&frame, Form::Extension), told(Word::Plain));
    tell(&mut frame, None, Form::Compact);
    assert_eq!((frame.bth.reserved6, frame.bth.reserved7), (0, 0));
    // a header behind BECN 0 is none
    tell(&mut frame, Some(&notice), Form::Extension);
    frame.bth.becn = false;
    assert_eq!(say(&frame, Form::Extension), told(Word::Clear));
    // version 0, an unknown version, a bad one, and fewer than 4 bytes
    frame.bth.becn = true;
    for bytes in [plain(), vec![0x21, 9, 9, 9], vec![0x10, 0, 0, 0], vec![0x1f, 0, 0, 0], vec![0x12, 0, 0, 0], vec![0x11]] {
        frame.ceth = Some(Ceth(bytes));
        assert_eq!(say(&frame, Form::Extension), told(Word::Plain));
    }
    // a header after it is skipped
    frame.ceth = Some(Ceth(notice.to_bytes()));
    frame.payload = vec![0x77; 12];
    assert_eq!(say(&frame, Form::Extension), told(Word::Notice(notice)));
    assert_eq!(heard, Heard { clear: 4, plain: 8, notices: 3, dropped: 3, unknown: 1, skipped: 1 });
    // what is no answer says nothing
    let mut data = Frame::new(Bth::new(Opcode(0x04), 9, 4));
    data.bth.becn = true;
    assert_eq!(listen(&data, Form::Extension, &mut heard), None);
}

#[test]
fn a_cnp_has_sixteen_bytes_and_may_begin_with_a_header() {
    let notice = Notice { level: Level::Light, scene: Scene::Datagram, enhanced: true, delay: Some(7), ..Notice::default() };
    for (notice, word) in [(None, Word::Plain), (Some(notice), Word::Notice(notice))] {
        let frame = notification(5, notice.as_ref());
        let bytes = frame.to_bytes();
        assert_eq!((bytes.len(), frame.bth.psn, frame.bth.becn), (14 + 20 + 8 + 12 + 16 + 4, 0, true));
        for form in [Form::Extension, Form::Compact] {
            let mut heard = Heard::default();
            let read = parse(&bytes, false, &reader()).expect("the frame is sound");
            assert_eq!(read, frame);
            assert_eq!(listen(&read, form, &mut heard), Some(Signal { word, acknowledges: false }));
            assert_eq!(heard, Heard { plain: u64::from(notice.is_none()), notices: u64::from(notice.is_some()), ..Heard::default() });
        }
    }
}

#[test]
fn a_frame_that_was_cut_tells_nothing() {
    let notice = Notice { level: Level::Heavy, scene: Scene::Message, enhanced: true, depth: Some(1), point: Some(2), delay: Some(3) };
    for mut frame in carriers() {
        if frame.bth.opcode != Opcode::CNP {
            tell(&mut frame, Some(&notice), Form::Extension);
        } else {
            frame = notification(9, Some(&notice));
        }
        let bytes = frame.to_bytes();
        assert_eq!(parse(&bytes, false, &reader()).as_ref(), Ok(&frame));
        for length in 0..bytes.len() {
            let reason = parse(&bytes[..length], false, &reader());
            assert!(matches!(reason, Err(FrameError::Truncated | FrameError::BadLength)), "{length}: {reason:?}");
        }
    }
}

#[test]
fn nothing_that_is_sent_wedges_or_is_misread() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let carriers = carriers();
    for _ in 0..200_000 {
        let mut frame = carriers[random.random_range(0..carriers.len())].clone();
        frame.bth.becn = random.random();
        frame.bth.pad = random.random_range(0..4);
        let room = random.random_range(0..40);
        frame.payload = (0..room).map(|_| random.random()).collect();
        // mostly of our version and of a length that can be
        if random.random_bool(0.7) && room > 3 {
            frame.payload[..4].copy_from_slice(&[0x10 | random.random_range(0..6), random.random(), 0, 0]);
        }
        let bytes = frame.to_bytes();
        let read = parse_judged(&bytes, true, &reader()).expect("the frame is kept");
        assert_eq!(read.to_bytes(), bytes);
        let mut heard = Heard::default();
        let form = [Form::None, Form::Extension, Form::Compact][random.random_range(0..3)];
        let signal = listen(&read, form, &mut heard).expect("it carries");
        assert_eq!(heard.clear + heard.plain + heard.notices, 1);
        assert!(heard.dropped + heard.unknown <= 1);
        if let (Word::Notice(notice), Form::Extension) = (signal.word, form) {
            let ceth = read.ceth.expect("a header was there");
            assert_eq!(Header::read(&ceth.0), Ok((Header::Notice(notice), ceth.0.len())));
        }
    }
}

#[test]
fn scenes_are_those_of_the_opcodes() {
    let count = |scene| (0..=u8::MAX).filter(|&opcode| Scene::of_opcode(opcode) == scene).count();
    // RC and XRC 14 each, RD 12; responses and atomic acknowledgement of RC and XRC; UD SEND with and without immediate
    assert_eq!((count(Scene::Message), count(Scene::Response), count(Scene::Datagram)), (2 * 14 + 12, 2 * 5, 2));
    for (opcode, scene) in [(0x0a, Scene::Message), (0xaa, Scene::Message), (0x44, Scene::Message), (0x10, Scene::Response)] {
        assert_eq!(Scene::of_opcode(opcode), scene);
    }
    for (opcode, scene) in [(0x64, Scene::Datagram), (0x0c, Scene::None), (0x11, Scene::None), (0x81, Scene::None)] {
        assert_eq!(Scene::of_opcode(opcode), scene);
    }
}
