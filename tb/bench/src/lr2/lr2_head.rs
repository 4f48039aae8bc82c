//! `Lr2Head` against the golden reader of heads: one head for each frame, in order, every field; and the frames as they came.
//! `Lr2HeadRead` and `Lr2HeadJudge`, its parts, have no bench of their own.

use crate::pins::{Pins, Words, chance, random};
use crate::wire::frames::{self, Case, payload_size, well_formed};
use rand::seq::IndexedRandom as _;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::lr2::head::{Head, LONGEST_READ, head};
use rdma_rtl_golden::lr2::packet::{Gap, Kind, Origin};
use rdma_rtl_golden::wire::{Aeth, Control, Frame, Ip, Lr2Eth, Opcode, Reader, Reth};
use rdma_rtl_sim::Model;
use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;

/// Percent of the clocks in which a beat is offered, a beat goes on, a head is taken.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub offer: u32,
    pub out: u32,
    pub head: u32,
}

impl Pace {
    /// Nobody waits for anybody: `in_ready` must never fall.
    pub const FULL: Pace = Pace { offer: 100, out: 100, head: 100 };
}

/// What a run saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// heads by number of their kind
    pub kinds: BTreeMap<u64, u64>,
    pub beats: u64,
    pub clocks: u64,
    /// clocks from the last beat of a frame to its head, least and most
    pub latency: Option<(u64, u64)>,
    /// clocks in which a beat waited although `out` was ready
    pub held_up: u64,
}

/// Number of what passes untouched.
pub const ELSE: u64 = 12;

/// A packet's kind and who made it, by number.
fn number(kind: Kind, origin: Origin) -> u64 {
    match (kind, origin) {
        (Kind::Data, _) => 0,
        (Kind::Request, _) => 1,
        (Kind::Ack, _) => 2,
        (Kind::Response, _) => 3,
        (Kind::Nak, Origin::Depot) => 10,
        (Kind::Nak, _) => 4,
        (Kind::Refusal, _) => 5,
        (Kind::Probe, _) => 6,
        (Kind::Rnr, _) => 8,
        (Kind::Cnp, _) => 11,
        _ => ELSE,
    }
}

/// An address as it stands in a key.
pub fn words_of(address: IpAddr) -> Words {
    let value = match address {
        IpAddr::V4(four) => u128::from(four.to_bits()),
        IpAddr::V6(six) => six.to_bits(),
    };
    (0..4).map(|i| (value >> (32 * i)) as u32).collect()
}

/// Opcodes, those that the boxes act on more often than others.
const OPCODES: [u8; 28] = [
    0x00, 0x02, 0x04, 0x06, 0x07, 0x08, 0x0a, 0x0b, 0x16, 0x17, 0x0c, 0x0c, 0x13, 0x14, 0x1c, 0x1d, 0x0d, 0x0e, 0x10, 0x12, 0x11, 0x11,
    0x11, 0x11, 0x81, 0xe0, 0xe0, 0xc1,
];

/// A number of 24 bits in a field of 32, or sometimes one that is too large.
fn psn_word(rng: &mut ChaCha8Rng) -> u32 {
    if chance(rng, 10) { 1 << rng.random_range(24..32) | rng.random_range(0..1 << 24) } else { rng.random_range(0..1 << 24) }
}

/// A frame that a box may see.
fn frame(rng: &mut ChaCha8Rng, payload: usize) -> Frame {
    let opcode = if chance(rng, 75) { *OPCODES.choose(rng).unwrap_or(&0) } else { rng.random() };
    let mut frame = well_formed(rng, &Reader::default(), opcode, payload);
    if let Ip::V4 { source, destination } = &mut frame.ip {
        (*source, *destination) = (rng.random::<u32>().into(), rng.random::<u32>().into());
    }
    frame.reth = frame.reth.map(|reth| {
        let length = [0, 1, rng.random(), LONGEST_READ, LONGEST_READ + 1, LONGEST_READ + (1 << rng.random_range(0..31))];
        Reth { length: length[rng.random_range(0..6)], ..reth }
    });
    if frame.bth.opcode == Opcode::ACKNOWLEDGE {
        let syndrome =
            [rng.random_range(0..0x20), 0x60, 0x60, 0x60, rng.random_range(0x61..0x80), 0x20 | rng.random_range(0..0x20), rng.random()];
        let syndrome = syndrome[rng.random_range(0..7)];
        frame.aeth = Some(Aeth { syndrome, msn: rng.random_range(0..1 << 24) });
        frame.bth.reserved6 = rng.random_range(0..64);
        let from_depot = syndrome >> 5 == 3 && frame.bth.reserved6 >> 1 & 3 == 2;
        if from_depot != chance(rng, 10) {
            let mut word = || psn_word(rng);
            frame.lr2_eth = Some(Lr2Eth { gap_start: word(), gap_length: word(), expected: word() });
        }
    }
    if frame.bth.opcode == Opcode::LR2_PROBE {
        let (expected, una) = (psn_word(rng), psn_word(rng));
        frame.control = Some(Control::Other([expected.to_be_bytes(), una.to_be_bytes()].concat()));
    }
    frame
}

/// `count` frames, `bad` percent of which somebody has been at.
pub fn mixture(rng: &mut ChaCha8Rng, beat: usize, count: usize, bad: u32) -> Vec<Case> {
    (0..count)
        .map(|_| {
            let size = payload_size(rng, beat);
            let frame = frame(rng, size);
            let mut bytes = frame.to_bytes();
            let headers = (bytes.len() - size - 4 - usize::from(frame.bth.pad)).max(16);
            if frame.vlan.is_some() && chance(rng, 30) {
                bytes[12..14].copy_from_slice(&[0x88, 0xa8]);
            }
            if chance(rng, 50) && bytes.len() < 60 {
                bytes.resize(60, 0);
            }
            if chance(rng, bad) {
                frames::spoil(rng, &mut bytes, headers);
            }
            Case { bytes, crc_ok: !chance(rng, bad / 4) }
        })
        .collect()
}

/// Frames of which each lacks some bytes at its end, or has some more; lengths of IP and UDP that disagree with the frame by a little.
pub fn edges(rng: &mut ChaCha8Rng, count: usize) -> Vec<Case> {
    (0..count)
        .flat_map(|_| {
            let size = rng.random_range(0..9);
            let mut whole = frame(rng, size);
            whole.bth.pad = rng.random_range(0..4);
            if chance(rng, 30) {
                // A Depot-NACK that ends with its last header.
                whole = well_formed(rng, &Reader::default(), Opcode::ACKNOWLEDGE.0, 0);
                (whole.bth.reserved6, whole.aeth) = (4, Some(Aeth { syndrome: 0x60, msn: 1 }));
                whole.lr2_eth = Some(Lr2Eth { gap_start: 1, gap_length: 2, expected: 3 });
            }
            let bytes = whole.to_bytes();
            let ip = 14 + 4 * usize::from(whole.vlan.is_some());
            let (place, udp) = match bytes[ip] >> 4 {
                4 => (ip + 3, ip + 20 + whole.ip_options.len()),
                _ => (ip + 5, ip + 40),
            };
            let cuts = (0..6).map(|less| bytes[..bytes.len() - less].to_vec());
            let shifted = [(1, 1), (1, 0), (0, 1), (4, 4), (8, 8), (16, 16), (24, 24)].map(|(of_ip, of_udp)| {
                let mut other = bytes.clone();
                other[place] = other[place].wrapping_sub(of_ip);
                other[udp + 5] = other[udp + 5].wrapping_sub(of_udp);
                other
            });
            cuts.chain(shifted).map(Case::good).collect::<Vec<_>>()
        })
        .collect()
}

fn pack(bytes: &[u8], width: usize) -> Words {
    let mut packed: Words = bytes.chunks(4).map(|chunk| chunk.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte))).collect();
    packed.resize(width.div_ceil(32), 0);
    packed
}

/// The fields of a head that is not there for nothing.
fn compare(pins: &Pins<'_>, expected: &Head) -> Result<(), String> {
    pins.check("head_origin", expected.origin as u64)?;
    pins.check("head_six", expected.source.is_ipv6().into())?;
    pins.check_words("head_source", &words_of(expected.source))?;
    pins.check_words("head_destination", &words_of(expected.destination))?;
    pins.check("head_qp", expected.qp.into())?;
    pins.check("head_psn", expected.psn.into())?;
    pins.check("head_read", expected.read.into())?;
    pins.check("head_asks", expected.asks.into())?;
    if matches!(expected.kind, Kind::Ack | Kind::Nak | Kind::Rnr | Kind::Refusal) {
        pins.check("head_msn", expected.msn.into())?;
        pins.check("head_credits", expected.credits.into())?;
    }
    if (expected.kind, expected.origin) == (Kind::Nak, Origin::Depot) {
        let Gap { start, length, edge } = expected.gap;
        pins.check("head_gap_start", start.into())?;
        pins.check("head_gap_length", length.into())?;
        pins.check("head_gap_border", edge.into())?;
    }
    Ok(())
}

/// Place of UDP in a frame that is good.
fn offset(bytes: &[u8]) -> u64 {
    let ip = 14 + 4 * usize::from(matches!(bytes[12..14], [0x81, 0x00] | [0x88, 0xa8]));
    (if bytes[ip] >> 4 == 6 { ip + 40 } else { ip + 4 * usize::from(bytes[ip] & 15) }) as u64
}

/// The ports of a head.
const HEAD: [&str; 16] = [
    "head_bad",
    "head_kind",
    "head_origin",
    "head_six",
    "head_source",
    "head_destination",
    "head_qp",
    "head_psn",
    "head_read",
    "head_asks",
    "head_msn",
    "head_credits",
    "head_gap_start",
    "head_gap_length",
    "head_gap_border",
    "head_offset",
];

/// Runs all `cases` through the block.
///
/// Every clock: `out` shows the beat of `in`, both transfer or neither, a beat or head that is offered stays. At [`Pace::FULL`] `in_ready`
/// never falls.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, cases: &[Case], pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let width = pins.width("in_data");
    let beat = width / 8;
    pins.reset(1);
    pins.clock();
    let began = pins.cycle();
    let mut seen = Seen::default();
    let mut owed: VecDeque<(usize, u64)> = VecDeque::new();
    let (mut next, mut place, mut spare, mut offered) = (0, 0, false, false);
    let (mut out_shown, mut head_shown): (bool, Option<Vec<Words>>) = (false, None);
    let mut quiet = 0;
    while next < cases.len() || !owed.is_empty() || quiet < 40 {
        let now = pins.cycle();
        let fail = |what: String| Err(format!("cycle {now}: {what}"));
        if !offered && next < cases.len() && chance(&mut rng, pace.offer) {
            offered = true;
            // A frame that fills its beats may end with one more beat that has no byte.
            spare = if place == 0 { chance(&mut rng, 25) } else { spare };
            let bytes = &cases[next].bytes;
            let part = &bytes[place.min(bytes.len())..bytes.len().min(place + beat)];
            let last = if spare && bytes.len().is_multiple_of(beat) { place >= bytes.len() } else { place + beat >= bytes.len() };
            // What does not count is anything.
            let mut data = random(&mut rng, width);
            for (i, byte) in part.iter().enumerate() {
                data[i / 4] = data[i / 4] & !(0xff << (8 * (i % 4))) | u32::from(*byte) << (8 * (i % 4));
            }
            let keep: Vec<u8> = (0..beat.div_ceil(8)).map(|i| (0..8).fold(0, |k, b| k | u8::from(8 * i + b < part.len()) << b)).collect();
            pins.set_words("in_data", &data);
            pins.set_words("in_keep", &pack(&keep, beat));
            pins.set("in_last", last.into());
            pins.set("in_bad", if last { !cases[next].crc_ok } else { chance(&mut rng, 50) }.into());
        }
        let (takes_beat, takes_head) = (chance(&mut rng, pace.out), chance(&mut rng, pace.head));
        pins.set("in_valid", offered.into());
        pins.set("out_ready", takes_beat.into());
        pins.set("head_ready", takes_head.into());
        pins.eval();

        let (ready, shows) = (pins.get("in_ready") == 1, pins.get("out_valid") == 1);
        if (offered && ready) != (shows && takes_beat) {
            return fail(format!("a beat transfers on one side: in {offered} {ready}, out {shows} {takes_beat}"));
        }
        if shows
            && ["data", "keep", "last", "bad"]
                .iter()
                .any(|port| pins.get_words(&format!("out_{port}")) != pins.get_words(&format!("in_{port}")))
        {
            return fail("`out` shows another beat than `in`".into());
        }
        if out_shown && !shows {
            return fail("a beat that was offered is gone".into());
        }
        out_shown = shows && !takes_beat;
        seen.held_up += u64::from(offered && takes_beat && !ready);
        if pace.offer == 100 && pace.out == 100 && pace.head == 100 && offered && !ready {
            return fail("`in_ready` falls although nothing stalls".into());
        }

        let head_now = (pins.get("head_valid") == 1).then(|| HEAD.map(|port| pins.get_words(port)).to_vec());
        if head_shown.is_some() && head_now != head_shown {
            return fail("a head that was offered has changed".into());
        }
        if head_now.is_some() && takes_head {
            let Some((frame, ended)) = owed.pop_front() else { return fail("a head without a frame".into()) };
            let Case { bytes, crc_ok } = &cases[frame];
            let expected = head(bytes, *crc_ok);
            let kind = expected.as_ref().map_or(ELSE, |head| number(head.kind, head.origin));
            let about = |difference| format!("{difference} of frame {frame}: {expected:?} ({bytes:02x?}, sound {crc_ok})");
            pins.check("head_kind", kind).map_err(about)?;
            pins.check("head_bad", (!crc_ok).into()).map_err(about)?;
            if let Some(expected) = &expected {
                compare(&pins, expected).map_err(about)?;
                pins.check("head_offset", offset(bytes)).map_err(about)?;
            }
            *seen.kinds.entry(kind).or_default() += 1;
            let latency = now - ended;
            let (least, most) = seen.latency.unwrap_or((latency, latency));
            seen.latency = Some((least.min(latency), most.max(latency)));
        }
        head_shown = head_now.filter(|_| !takes_head);

        quiet = if offered && ready || head_shown.is_some() { 0 } else { quiet + 1 };
        if offered && ready {
            seen.beats += 1;
            place += beat;
            offered = false;
            if pins.get("in_last") == 1 {
                owed.push_back((next, now));
                (next, place) = (next + 1, 0);
            }
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        if quiet > 5000 {
            return fail(format!("nothing moves any more, at frame {next}"));
        }
    }
    seen.clocks = pins.cycle() - began;
    Ok(seen)
}

/// Some beats, and then a reset in the middle of whatever is under way: what it must forget.
pub fn leave_in_the_middle(model: &mut dyn Model, clocks: u64, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    for _ in 0..clocks {
        pins.set("in_valid", 1);
        pins.set_words("in_data", &random(&mut rng, pins.width("in_data")));
        pins.set_words("in_keep", &vec![u32::MAX; pins.width("in_keep").div_ceil(32)]);
        pins.set("in_last", chance(&mut rng, 30).into());
        pins.set("out_ready", 1);
        pins.clock();
    }
}
