use super::*;
use rdma_rtl_golden::wire::{Bth, Opcode, Reth};

const LINE_RATE: Timing = Timing::LineRate { bytes_per_clock: 64 };

fn captured(frame: &Frame) -> CapturedFrame {
    CapturedFrame::ethernet(0, frame.to_bytes())
}

fn send(qp: u32, psn: u32) -> Frame {
    Frame::new(Bth::new(Opcode(0x04), qp, psn))
}

fn read(psn: u32, length: u32) -> Frame {
    let reth = Some(Reth { address: 0, rkey: 0, length });
    Frame { reth, ..Frame::new(Bth::new(Opcode(0x0c), 7, psn)) }
}

fn of(frames: &[Frame], choices: &[&str]) -> Result<Requests, RequestsError> {
    let frames: Vec<CapturedFrame> = frames.iter().map(captured).collect();
    let choices: Vec<Choice> = choices.iter().map(|text| text.parse().unwrap()).collect();
    Requests::of(&frames, LINE_RATE, 1024, &choices, 128, 2)
}

fn counts(requests: &Requests) -> Vec<Option<u32>> {
    let count = |offer: &Offer| if let What::Request(request) = &offer.what { Some(request.count) } else { None };
    requests.offers.iter().map(count).collect()
}

#[test]
fn a_read_request_consumes_the_numbers_of_its_responses() {
    let requests = of(&[read(0, 0), read(1, 1), read(2, 1024), read(3, 1025), send(7, 5), read(6, u32::MAX)], &[]).unwrap();
    assert_eq!(counts(&requests), [Some(1), Some(1), Some(1), Some(2), Some(1), Some(4_194_304)]);
    // As many as cannot be told apart: no number of packets that a window could follow.
    let frames = [captured(&send(7, 0)), captured(&read(1, u32::MAX))];
    let requests = Requests::of(&frames, LINE_RATE, 256, &[], 128, 2).unwrap();
    assert_eq!((counts(&requests), requests.errors.get(&FrameError::BadLength.into())), (vec![Some(1), None], Some(&1)));
}

#[test]
fn responses_and_what_is_not_rc_are_no_requests() {
    let others = [0x0du8, 0x10, 0x11, 0x12, 0x81, 0xc0].map(|opcode| Frame::new(Bth::new(Opcode(opcode), 7, 9)));
    let error = of(&others, &[]).unwrap_err();
    assert!(matches!(error, RequestsError::NoRequests { .. }) && error.to_string().contains("SEND, RDMA WRITE, READ"), "{error}");
    let unreliable = of(&[Frame::new(Bth::new(Opcode(0x64), 1, 0))], &[]);
    assert!(unreliable.unwrap_err().to_string().contains("1 bad_opcode"));
}

/// A target of NVMe over Fabrics ends its commands with SEND with invalidate; storage that persists sends FLUSH and ATOMIC WRITE.
#[test]
fn whatever_opcode_of_rc_a_frame_has_its_number_counts() {
    let frames: Vec<Frame> = (0..0x20u8)
        .map(|opcode| {
            let reader = Reader::default();
            let mut rng = <rand_chacha::ChaCha8Rng as rand::SeedableRng>::seed_from_u64(opcode.into());
            let mut frame = crate::wire::frames::well_formed(&mut rng, &reader, opcode, 8);
            (frame.bth.destination_qp, frame.bth.psn) = (7, opcode.into());
            frame.ip = send(7, 0).ip;
            frame.ip_options.clear();
            if let Some(reth) = &mut frame.reth {
                reth.length = 8;
            }
            frame
        })
        .collect();
    let requests = of(&frames, &[]).unwrap();
    let found: Vec<u32> = requests
        .offers
        .iter()
        .filter_map(|offer| if let What::Request(request) = &offer.what { Some(request.psn) } else { None })
        .collect();
    let expected: Vec<u32> = (0x00..=0x0c).chain(0x13..=0x1f).collect();
    assert_eq!(found, expected);
    assert_eq!(requests.ignored, 6);
    let errors: Vec<_> = requests.errors.into_iter().collect();
    assert_eq!(errors, [(FrameError::ReservedOpcode.into(), 7)]);
}

#[test]
fn a_connection_begins_before_its_first_packet_if_that_was_overtaken() {
    let of = |numbers: &[u32]| initial(numbers, 128);
    assert_eq!(of(&[5, 6, 7]), 5);
    assert_eq!(of(&[7, 5, 6, 8]), 5);
    assert_eq!(of(&[1, 2, 0xff_fffe, 3]), 0xff_fffe);
    // Too far away for one window, or too late.
    assert_eq!(of(&[500, 501, 300]), 500);
    let late: Vec<u32> = (500..700).chain([499]).collect();
    assert_eq!(of(&late), 500);
    assert_eq!(of(&[]), 0);
}

#[test]
fn the_same_number_at_two_hosts_is_two_queue_pairs() {
    let back = |psn| {
        let mut frame = send(7, psn);
        frame.ip = Ip::V4 { source: [10, 0, 0, 2].into(), destination: [10, 0, 0, 1].into() };
        frame
    };
    let frames = [send(7, 5), back(900), send(7, 6), back(901)];
    let requests = of(&frames, &[]).unwrap();
    let found: Vec<(String, u32, u64)> = requests.connections.iter().map(|at| (at.connection.to_string(), at.initial, at.frames)).collect();
    assert_eq!(found, [("10.0.0.2/0x7".into(), 5, 2), ("10.0.0.1/0x7".into(), 900, 2)]);
    // One of them: the other's frames are those of a queue pair that is not known.
    let requests = of(&frames, &["10.0.0.1/7"]).unwrap();
    assert_eq!(counts(&requests), [None, Some(1), None, Some(1)]);
    assert_eq!(requests.errors.get(&FrameError::UnknownQp.into()), Some(&2));
    assert!(requests.offers.iter().all(|offer| !matches!(&offer.what, What::Request(request) if request.index != 0)));
    assert_eq!(of(&frames, &["0x7"]).unwrap().connections.len(), 2);
}

#[test]
fn what_is_wanted_and_absent_names_what_there_is() {
    let frames = [send(7, 5), send(8, 5), send(9, 5)];
    let error = of(&frames[..2], &["7", "0xa"]).unwrap_err().to_string();
    assert!(error.contains("--qp 0xa") && error.contains("10.0.0.2/0x7 (1 requests), 10.0.0.2/0x8 (1 requests)"), "{error}");
    let error = of(&frames, &[]).unwrap_err();
    assert!(matches!(error, RequestsError::TooMany { there: 3, holds: 2, .. }), "{error}");
    assert_eq!(of(&frames, &["7", "9"]).unwrap().connections.len(), 2);
    for wrong in ["", "0x", "seven", "0x1000000", "host/7", "10.0.0.1/", "-1", "10.0.0.1/7/7"] {
        let error = wrong.parse::<Choice>().unwrap_err();
        assert!(error.contains(&format!("`{wrong}`")) && error.contains("10.9.0.2/0x11"), "{error}");
    }
    assert_eq!("fe80::1/0x11".parse::<Choice>().unwrap().to_string(), "fe80::1/0x11");
}

#[test]
fn captures_without_roce_say_what_they_hold() {
    let mut other = captured(&send(7, 5));
    other.bytes[36] ^= 1;
    let of = |frames: &[CapturedFrame]| Requests::of(frames, LINE_RATE, 1024, &[], 128, 2).unwrap_err().to_string();
    assert!(of(&[other.clone(), other.clone()]).contains("none of its 2 frames is RoCEv2"));
    let cut = CapturedFrame { cut: true, ..captured(&send(7, 5)) };
    let text = of(&[other, cut]);
    assert!(text.contains("1 truncated") && text.contains("tcpdump -s 0"), "{text}");
}

#[test]
fn path_and_retransmission_are_where_this_project_has_them() {
    let mut frame = send(7, 5);
    (frame.bth.reserved6, frame.bth.reserved7) = (1, 0x73);
    let requests = of(&[frame], &[]).unwrap();
    let expected = Request { index: 0, psn: 5, count: 1, path: 3, retransmission: true };
    assert_eq!(requests.offers[0].what, What::Request(expected));
}
