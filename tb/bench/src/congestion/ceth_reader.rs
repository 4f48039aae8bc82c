//! `CethReader` held to the golden parser of frames and the golden listener: every version, length and end.

use crate::pins::Pins;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::congestion::{Form, HeaderError, Heard, Word, listen};
use rdma_rtl_golden::wire::{Aeth, Bth, Frame, Opcode, Reader, parse_judged};
use rdma_rtl_sim::Model;

/// Each with its code, which is its place.
pub const FORMS: [Form; 3] = [Form::None, Form::Extension, Form::Compact];

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub heard: Heard,
    /// by reason
    pub dropped: [u64; 4],
    /// clocks without a packet
    pub pauses: u64,
}

/// An acknowledgement or a CNP with these bytes behind it.
fn frame(acknowledges: bool, becn: bool, payload: Vec<u8>, rng: &mut ChaCha8Rng) -> Frame {
    let mut frame = Frame::new(Bth::new(if acknowledges { Opcode::ACKNOWLEDGE } else { Opcode::CNP }, 9, 4));
    frame.aeth = acknowledges.then_some(Aeth { syndrome: 0x1f, msn: 8 });
    frame.bth.becn = becn;
    frame.bth.reserved6 = rng.random_range(0..64);
    frame.bth.reserved7 = rng.random_range(0..128);
    frame.payload = payload;
    frame
}

fn drive(pins: &mut Pins, frame: &Frame, form: usize, rng: &mut ChaCha8Rng) {
    pins.set("in_form", form as u64);
    pins.set("in_acknowledges", (frame.bth.opcode == Opcode::ACKNOWLEDGE).into());
    pins.set("in_becn", frame.bth.becn.into());
    pins.set("in_level", (frame.bth.reserved6 >> 4 & 3).into());
    pins.set("in_kind", (frame.bth.reserved6 >> 3 & 1).into());
    pins.set("in_scene", (frame.bth.reserved7 >> 4 & 7).into());
    pins.set("in_room", frame.payload.len() as u64);
    // What stands behind the packet is anything.
    let mut bytes = frame.payload.clone();
    bytes.resize_with(bytes.len().max(16), || rng.random());
    let words: Vec<u32> = bytes[..16].rchunks(4).map(|word| word.iter().fold(0, |value, &byte| value << 8 | u32::from(byte))).collect();
    pins.set_words("in_ceth", &words);
}

/// What the golden models make of it, held against the outputs.
fn check(pins: &Pins, frame: &Frame, form: Form, seen: &mut Seen) -> Result<(), String> {
    let reader = Reader { congestion: true, ..Reader::default() };
    let read = parse_judged(&frame.to_bytes(), true, &reader).map_err(|e| format!("the golden parser drops a frame: {e}"))?;
    let mut heard = Heard::default();
    let signal = listen(&read, form, &mut heard).ok_or("the golden listener hears nothing")?;
    pins.check("out_length", read.ceth.as_ref().map_or(0, |ceth| ceth.0.len() as u64))?;
    pins.check("evt_dropped", heard.dropped)?;
    if let Some(error) = read.ceth_error {
        let reason = match error {
            HeaderError::Length => 0,
            HeaderError::PastPacket => 1,
            HeaderError::PlainLength => 2,
            HeaderError::Reserved => 3,
        };
        pins.check("evt_reason", reason)?;
        seen.dropped[reason as usize] += 1;
    }
    pins.check("evt_unknown", heard.unknown)?;
    pins.check("evt_skipped", heard.skipped)?;
    seen.heard.unknown += heard.unknown;
    seen.heard.skipped += heard.skipped;
    match signal.word {
        Word::Clear => {
            seen.heard.clear += 1;
            pins.check("out_word", 0)
        }
        Word::Plain => {
            seen.heard.plain += 1;
            pins.check("out_word", 1)
        }
        Word::Notice(notice) => {
            seen.heard.notices += 1;
            pins.check("out_word", 2)?;
            pins.check("out_level", notice.level as u64)?;
            pins.check("out_scene", notice.scene.code().into())?;
            pins.check("out_enhanced", notice.enhanced.into())?;
            pins.check("out_depth", notice.depth.unwrap_or(u16::MAX).into())?;
            pins.check("out_point", notice.point.unwrap_or(u16::MAX).into())?;
            pins.check("out_delay", notice.delay.unwrap_or(u32::MAX).into())
        }
    }
}

/// Every first byte with every number of bytes behind it up to 20, with and without BECN, in acknowledgements and CNPs, in every form.
/// `pause` percent of the clocks are without one.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, pause: u32, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    pins.reset(2);
    let mut seen = Seen::default();
    let all = (0..=u8::MAX).flat_map(|first| (0..=20).map(move |room| (first, room)));
    for (first, room) in all {
        for case in 0..12 {
            let (acknowledges, becn, form) = (case & 1 == 1, case & 2 == 2, case / 4);
            // Reserved bits are set now and then; fields are all ones now and then.
            let reserved: [u8; 3] = if rng.random_bool(0.3) { rng.random() } else { [0; 3] };
            let second = (rng.random::<u8>() & 0xfe) | (reserved[0] & 1);
            let mut payload = vec![first, second, reserved[1], reserved[2]];
            let ones = rng.random_bool(0.2);
            payload.resize_with(room.max(4), || if ones { 0xff } else { rng.random() });
            payload.truncate(room);
            let frame = frame(acknowledges, becn, payload, &mut rng);
            while rng.random_range(0..100) < pause {
                pins.set("in_valid", 0);
                pins.clock();
                for name in ["out_valid", "evt_dropped", "evt_unknown", "evt_skipped"] {
                    pins.check(name, 0)?;
                }
                seen.pauses += 1;
            }
            pins.set("in_valid", 1);
            drive(&mut pins, &frame, form, &mut rng);
            pins.clock();
            pins.check("out_valid", 1)?;
            check(&pins, &frame, FORMS[form], &mut seen).map_err(|e| format!("{e}: form {form}, {frame:?}"))?;
        }
    }
    pins.failure().map_or(Ok(seen), Err)
}
