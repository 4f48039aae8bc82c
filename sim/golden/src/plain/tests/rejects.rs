//! What a responder of the peer and our receiver refuse, with the same codes; and what neither hears.

use super::receiving::receiver;
use super::responding::responder;
use super::*;
use crate::wire::{FrameError, Reader, Reth, parse};

pub const ALL: &[(&str, Trace)] = &[
    ("every bad request has its code", every_bad_request_has_its_code),
    ("a bad request within a message", a_bad_request_within_a_message),
    ("above a hole nothing is refused", above_a_hole_nothing_is_refused),
    ("a first packet that contradicts", a_first_packet_that_contradicts),
    ("a frame that cannot be read does nothing", a_frame_that_cannot_be_read_does_nothing),
];

/// Requests that a new queue pair refuses, whoever it is.
fn bad() -> Vec<(&'static str, Frame, NakCode)> {
    let with = |opcode, bytes: usize, change: &dyn Fn(&mut Reth)| {
        let mut frame = request(opcode, 0, bytes);
        frame.reth.iter_mut().for_each(change);
        frame
    };
    let only = |bytes, change: &dyn Fn(&mut Reth)| with(0x0a, bytes, change);
    let end = PLACE + REGION.bytes;
    let access = vec![
        ("another R_Key", only(4, &|reth| reth.rkey = 8)),
        ("a region that may only be read", only(4, &|reth| reth.rkey = 10)),
        ("one byte beyond the region", only(4, &|reth| reth.address = end - 3)),
        ("one byte before the region", only(4, &|reth| reth.address = PLACE - 1)),
        ("around the end of all addresses", only(4, &|reth| reth.address = u64::MAX - 1)),
        ("a message that leaves the region", with(0x06, 256, &|reth| (reth.address, reth.length) = (end - 511, 512))),
    ];
    let mut padded = request(0x0a, 0, 5);
    padded.bth.pad = 0;
    let mut invalid = vec![
        ("an ONLY that is not its DMA length", only(4, &|reth| reth.length = 5)),
        ("an ONLY longer than the MTU", only(260, &|_| ())),
        ("a FIRST shorter than the MTU", with(0x06, 252, &|reth| reth.length = 512)),
        ("a FIRST that is all", with(0x06, 256, &|reth| reth.length = 256)),
        ("a FIRST of no bytes", with(0x06, 0, &|reth| reth.length = 0)),
        ("a message longer than 2^31 bytes", with(0x06, 256, &|reth| reth.length = MAX_MESSAGE + 1)),
        ("a MIDDLE without a FIRST", request(0x07, 0, 256)),
        ("a LAST without a FIRST", request(0x08, 0, 4)),
        ("a LAST with immediate without a FIRST", request(0x09, 0, 4)),
        ("a pad that does not fit", padded),
    ];
    // READ, atomics, SENDs that invalidate, FLUSH, ATOMIC WRITE and everything reserved.
    for opcode in [0x0c, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f] {
        invalid.push(("an opcode that is not served", request(opcode, 0, 0)));
    }
    let access = access.into_iter().map(|(name, frame)| (name, frame, NakCode::RemoteAccess));
    access.chain(invalid.into_iter().map(|(name, frame)| (name, frame, NakCode::InvalidRequest))).collect()
}

fn every_bad_request_has_its_code(fault: Option<Fault>) -> Result<(), String> {
    let good = request(0x0a, 0, 4);
    for (name, frame, code) in bad() {
        let named = |wrong: String| format!("{name}, {:#x}: {wrong}", frame.bth.opcode.0);
        let check = || -> Result<(), String> {
            let mut peer = responder(fault, 1, false)?;
            same!(peer.arrive(&frame), Verdict::Refused(code));
            same!(peer.reply().as_ref().map(told), Some((0, 0x60 | code as u8, 0)));
            same!((peer.arrive(&good), peer.reply(), peer.in_error()), (Verdict::Closed, None, true));
            let mut ours = receiver(fault)?;
            same!(ours.arrive(&frame), Verdict::Refused(code));
            same!(ours.reply().as_ref().map(told), Some((0, 0x60 | code as u8, 0)));
            ours.tick(10_000);
            same!((ours.arrive(&good), ours.reply(), ours.in_error()), (Verdict::Closed, None, true));
            Ok(())
        };
        check().map_err(named)?;
    }
    // To ours a SEND is as bad as a READ.
    for opcode in 0..6 {
        let mut ours = receiver(fault)?;
        same!(ours.arrive(&request(opcode, 0, 256)), Verdict::Refused(NakCode::InvalidRequest));
    }
    // A message of no bytes needs no region, whatever its R_Key.
    let mut empty = request(0x0a, 0, 0);
    empty.reth.iter_mut().for_each(|reth| reth.rkey = 1);
    let placed = Verdict::Placed { address: PLACE };
    same!((receiver(fault)?.arrive(&empty), responder(fault, 1, false)?.arrive(&empty)), (placed, placed));
    Ok(())
}

fn a_bad_request_within_a_message(fault: Option<Fault>) -> Result<(), String> {
    let frames = packets(&[write(0, 4 * MTU, None)]);
    let at = |opcode, bytes| request(opcode, 1, bytes);
    let bad = [at(0x06, 256), at(0x0a, 4), at(0x08, 256), at(0x07, 252), at(0x07, 0), at(0x07, 260), at(0x01, 256), at(0x04, 4)];
    for mut frame in bad {
        frame.reth.iter_mut().for_each(|reth| reth.length = reth.length.max(512 * u32::from(frame.bth.opcode.0 == 6)));
        let refused = Verdict::Refused(NakCode::InvalidRequest);
        let named = |wrong: String| format!("{:#x} of {}: {wrong}", frame.bth.opcode.0, frame.payload.len());
        let check = || -> Result<(), String> {
            let (mut peer, mut ours) = (responder(fault, 1, false)?, receiver(fault)?);
            peer.arrive(&frames[0]);
            ours.arrive(&frames[0]);
            same!((peer.arrive(&frame), ours.arrive(&frame)), (refused, refused));
            same!(peer.reply().as_ref().map(told), Some((1, 0x61, 0)));
            same!(ours.reply().as_ref().map(told), Some((1, 0x61, 0)));
            Ok(())
        };
        check().map_err(named)?;
    }
    Ok(())
}

fn above_a_hole_nothing_is_refused(fault: Option<Fault>) -> Result<(), String> {
    for (name, frame, code) in bad() {
        let mut late = frame;
        late.bth.psn = number(2);
        // Without its FIRST a packet is not known to be wrong.
        let unplaced = matches!(late.bth.opcode.0, 7..=9);
        let want = if unplaced { Verdict::Unplaced } else { Verdict::Deferred(code) };
        let check = || -> Result<(), String> {
            let mut ours = receiver(fault)?;
            same!((ours.arrive(&late), ours.reply(), ours.in_error()), (want, None, false));
            same!(ours.arrive(&request(0x0a, 0, 4)), Verdict::Placed { address: PLACE });
            same!(ours.arrive(&request(0x0a, 1, 4)), Verdict::Placed { address: PLACE });
            same!(ours.reply().as_ref().map(told), Some((1, ACK, 2)));
            // It is asked for when nothing comes, and refused in its turn.
            ours.tick(60);
            same!(ours.reply().as_ref().map(told), Some((2, NAK, 2)));
            same!(ours.arrive(&late), Verdict::Refused(code));
            same!(ours.reply().as_ref().map(told), Some((2, 0x60 | code as u8, 2)));
            Ok(())
        };
        check().map_err(|wrong| format!("{name}: {wrong}"))?;
    }
    Ok(())
}

fn a_first_packet_that_contradicts(fault: Option<Fault>) -> Result<(), String> {
    let mut ours = receiver(fault)?;
    let frames = packets(&[write(0, 4 * MTU, None)]);
    // Packet 2 is a message of its own, and 0 says that it belongs to another.
    same!(ours.arrive(&request(0x0a, 2, 4)), Verdict::Placed { address: PLACE });
    same!(ours.arrive(&frames[0]), Verdict::Refused(NakCode::InvalidRequest));
    Ok(())
}

fn a_frame_that_cannot_be_read_does_nothing(_: Option<Fault>) -> Result<(), String> {
    let bytes = request(0x0a, 0, 100).to_bytes();
    for end in 0..bytes.len() {
        let cut = parse(&bytes[..end], false, &Reader::default());
        same!(cut.is_err(), true);
    }
    // What is cut and sealed anew is a frame again, with another length than its DMA length.
    let mut short = request(0x0a, 0, 100);
    short.payload.truncate(50);
    let sealed = parse(&short.to_bytes(), false, &Reader::default());
    same!(sealed.as_ref().err(), None);
    let frame = sealed.unwrap_or(short);
    let refused = Verdict::Refused(NakCode::InvalidRequest);
    same!((receiver(None)?.arrive(&frame), responder(None, 1, false)?.arrive(&frame)), (refused, refused));
    // Opcodes of other transports are no frames.
    for opcode in [0x20u8, 0x2a, 0x64, 0x80, 0xff] {
        let mut frame = request(0x0a, 0, 4);
        frame.bth.opcode = Opcode(opcode);
        same!(parse(&frame.to_bytes(), false, &Reader::default()).err(), Some(FrameError::BadOpcode));
    }
    Ok(())
}
