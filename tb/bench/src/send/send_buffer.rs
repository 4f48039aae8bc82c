//! `SendBuffer` between a CDMA that writes and an engine that reads, every byte beside a copy.

use crate::pins::{Pins, chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_sim::Model;
use std::collections::VecDeque;

/// How a run goes: percentages of clocks.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a burst, and a beat, is offered
    pub write: u32,
    /// a response is taken
    pub response: u32,
    /// a request is offered
    pub read: u32,
    /// a beat of payload is taken
    pub take: u32,
    /// of 100 bursts, so many are of a kind that is refused
    pub wrong: u32,
}

impl Pace {
    /// Nobody waits for anybody, nothing is refused.
    pub const FULL: Pace = Pace { write: 100, response: 100, read: 100, take: 100, wrong: 0 };
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub bursts: u64,
    pub refused: u64,
    pub reads_refused: u64,
    pub written: u64,
    /// clocks, from the first beat to the last one, in which one was offered and not taken
    pub write_stalls: u64,
    pub payloads: u64,
    pub beats: u64,
    /// clocks, from the first beat to the last one, in which none was there
    pub read_idle: u64,
    /// least clocks from a request to its first beat
    pub latency: u64,
}

#[derive(Clone, Debug)]
struct Burst {
    addr: u64,
    len: u8,
    size: u8,
    burst: u8,
    /// WLAST one beat early, or late
    last: i64,
    refused: bool,
    /// first beat in the memory
    at: usize,
}

struct Payload {
    at: usize,
    left: usize,
    asked: u64,
    fresh: bool,
}

/// `bursts` writes, and as many reads of what has been written and answered. `slots` slots of `slot_bytes` bytes, packets of `packet`
/// bytes.
/// # Errors
/// The first difference.
pub fn bench(
    model: &mut dyn Model,
    slots: usize,
    slot_bytes: usize,
    packet: usize,
    bursts: usize,
    pace: Pace,
    seed: u64,
) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let beat = pins.width("s_axi_wdata") / 8;
    let full = (beat.trailing_zeros() as u8).min(7);
    let total = slots * slot_bytes;
    let base = (rng.random::<u64>() / total as u64) * total as u64;
    pins.set("cfg_base", base | rng.random_range(0..total as u64));
    pins.reset(2);
    let mut memory = vec![0u8; total];
    // Beats whose writes are answered, and nobody writes any more.
    let mut valid = vec![false; total / beat];
    let mut waiting: VecDeque<Burst> = VecDeque::new();
    // Bursts whose beats are under way, with the beats that have gone.
    let mut open: VecDeque<(Burst, u16)> = VecDeque::new();
    let mut unanswered: VecDeque<(Burst, usize)> = VecDeque::new();
    let mut payloads: VecDeque<Payload> = VecDeque::new();
    let mut request: Option<(usize, usize)> = None;
    let (mut data, mut strobe): (Option<Vec<u32>>, Vec<u32>) = (None, vec![0]);
    let (mut read_len, mut read_left): (Option<u8>, Option<u16>) = (None, None);
    let mut held: Option<Vec<u32>> = None;
    let mut seen = Seen { latency: u64::MAX, ..Seen::default() };
    let (mut given, mut asked, mut counted, mut reads_counted, mut stalls, mut idle) = (0, 0, 0, 0, 0u64, 0u64);
    let mut quiet = 0;
    let mut clocks = 0u64;
    while quiet < 20 {
        if waiting.is_empty() && given < bursts && chance(&mut rng, pace.write) {
            let beats = match rng.random_range(0..4) {
                0 => 256,
                1 => 1,
                _ => rng.random_range(1..=64),
            }
            .min(4096 / beat)
            .min(total / beat);
            let at = rng.random_range(0..=total / beat - beats);
            let busy = |at: usize, end: usize| {
                payloads.iter().any(|p| p.at < end * beat && (p.at + p.left).div_ceil(beat) > at)
                    || request.is_some_and(|(from, bytes)| from < end * beat && from + bytes > at * beat)
            };
            if !busy(at, at + beats) {
                let mut one = Burst {
                    addr: base + (at * beat) as u64 + rng.random_range(0..beat as u64),
                    len: (beats - 1) as u8,
                    size: full,
                    burst: 1,
                    last: 0,
                    refused: false,
                    at,
                };
                if chance(&mut rng, pace.wrong) {
                    one.refused = true;
                    match rng.random_range(0..5) {
                        0 => one.addr ^= (total as u64) << rng.random_range(0..(64 - total.trailing_zeros())),
                        1 => one.size = full - 1,
                        2 => one.burst = [0, 2, 3][rng.random_range(0..3)],
                        3 if beats > 1 => one.last = -1,
                        _ => one.last = i64::from(at + beats < total / beat),
                    }
                    // At the end of the memory there is no beat more.
                    one.refused = one.last != 0 || one.size != full || one.burst != 1 || one.addr / total as u64 != base / total as u64;
                }
                given += 1;
                waiting.push_back(one);
            }
        }
        pins.set("s_axi_awvalid", (!waiting.is_empty()).into());
        if let Some(one) = waiting.front() {
            pins.set("s_axi_awaddr", one.addr);
            pins.set("s_axi_awlen", one.len.into());
            pins.set("s_axi_awsize", one.size.into());
            pins.set("s_axi_awburst", one.burst.into());
        }
        if data.is_none() && !open.is_empty() && chance(&mut rng, pace.write) {
            data = Some(random(&mut rng, 8 * beat));
            strobe = if rng.random() { random(&mut rng, beat) } else { crate::pins::from_bits(beat, |_| true) };
        }
        let beats_of = |one: &Burst| (i64::from(one.len) + 1 + one.last) as u16;
        pins.set("s_axi_wvalid", data.is_some().into());
        let last = open.front().is_some_and(|(one, gone)| gone + 1 == beats_of(one));
        if let Some(data) = &data {
            pins.set_words("s_axi_wdata", data);
            pins.set_words("s_axi_wstrb", &strobe);
            pins.set("s_axi_wlast", last.into());
        }
        let takes_response = chance(&mut rng, pace.response);
        pins.set("s_axi_bready", takes_response.into());
        if read_len.is_none() && pace.wrong > 0 && rng.random_range(0..50) == 0 && given < bursts {
            read_len = Some(rng.random());
        }
        pins.set("s_axi_arvalid", read_len.is_some().into());
        pins.set("s_axi_arlen", read_len.unwrap_or(0).into());
        let takes_read = chance(&mut rng, pace.response);
        pins.set("s_axi_rready", takes_read.into());
        if request.is_none() && asked < 2 * bursts && chance(&mut rng, pace.read) {
            let at = rng.random_range(0..total / packet) * packet;
            let bytes = match rng.random_range(0..3) {
                0 => packet,
                1 => rng.random_range(1..=packet),
                _ => rng.random_range(1..=packet.min(2 * beat)),
            };
            let beats = at / beat..(at + bytes).div_ceil(beat);
            // While something is on its way to it, it is not read.
            let meets = |one: &Burst| !one.refused && one.at < beats.end && one.at + usize::from(one.len) + 2 > beats.start;
            let written = waiting.iter().chain(open.iter().map(|o| &o.0)).chain(unanswered.iter().map(|u| &u.0)).any(meets);
            let loose = waiting.iter().chain(open.iter().map(|o| &o.0)).chain(unanswered.iter().map(|u| &u.0));
            let loose = loose.filter(|one| one.refused).any(|one| one.at < beats.end && one.at + usize::from(one.len) + 2 > beats.start);
            if !written && !loose && valid[beats].iter().all(|&v| v) {
                request = Some((at, bytes));
                asked += 1;
            } else if given == bursts {
                asked += 1;
            }
        }
        pins.set("read_valid", request.is_some().into());
        if let Some((at, bytes)) = request {
            pins.set("read_slot", (at / slot_bytes) as u64);
            pins.set("read_offset", (at % slot_bytes) as u64);
            pins.set("read_bytes", bytes as u64);
        }
        let takes = chance(&mut rng, pace.take);
        pins.set("payload_ready", takes.into());
        pins.eval();

        let now = pins.cycle();
        let fail = |text: String| Err(format!("cycle {now}: {text}"));
        let mut moved = false;
        counted += pins.get("evt_write_refused");
        reads_counted += pins.get("evt_read_refused");
        if pins.get("s_axi_bvalid") == 1 && takes_response {
            moved = true;
            let Some((one, _)) = unanswered.pop_front() else { return fail("a response too many".into()) };
            if pins.get("s_axi_bresp") != if one.refused { 2 } else { 0 } {
                return fail(format!("response {} to {one:x?}", pins.get("s_axi_bresp")));
            }
            seen.bursts += 1;
            seen.refused += u64::from(one.refused);
        }
        let accepts = pins.get("s_axi_awready") == 1;
        if data.is_some() && pins.get("s_axi_wready") == 1 {
            moved = true;
            seen.written += 1;
            seen.write_stalls += std::mem::take(&mut stalls);
            if let Some((one, gone)) = open.front_mut() {
                let place = one.at + usize::from(*gone);
                let lands = one.size == full
                    && one.burst == 1
                    && one.addr / total as u64 == base / total as u64
                    && place < valid.len()
                    && *gone <= u16::from(one.len);
                if lands && let Some(data) = &data {
                    for i in (0..beat).filter(|&i| strobe[i / 32] >> (i % 32) & 1 == 1) {
                        memory[place * beat + i] = (data[i / 4] >> (8 * (i % 4))) as u8;
                    }
                    valid[place] |= (0..beat).all(|i| strobe[i / 32] >> (i % 32) & 1 == 1);
                }
                *gone += 1;
                if last {
                    unanswered.extend(open.pop_front().map(|(one, gone)| (one, gone.into())));
                }
            }
            data = None;
        } else if data.is_some() && seen.written > 0 {
            stalls += 1;
        }
        if accepts && let Some(one) = waiting.pop_front() {
            open.push_back((one, 0));
        }
        if pins.get("s_axi_rvalid") == 1 && takes_read {
            let Some(left) = read_left.as_mut() else { return fail("an answer to no read".into()) };
            *left -= 1;
            let last = *left == 0;
            if pins.get("s_axi_rresp") != 2
                || (pins.get("s_axi_rlast") == 1) != last
                || pins.get_words("s_axi_rdata").iter().any(|&w| w != 0)
            {
                return fail(format!("{left} beats left of a read: {}, last {}", pins.get("s_axi_rresp"), pins.get("s_axi_rlast")));
            }
            if last {
                read_left = None;
            }
        }
        if pins.get("s_axi_arready") == 1
            && let Some(len) = read_len.take()
        {
            seen.reads_refused += 1;
            read_left = Some(u16::from(len) + 1);
        }
        let shows = pins.get("payload_valid") == 1;
        let what = shows.then(|| [pins.get_words("payload_data"), pins.get_words("payload_last")].concat());
        if held.is_some() && held != what {
            return fail("a beat that was offered has changed".into());
        }
        held = what.filter(|_| !takes);
        if shows && takes {
            moved = true;
            let Some(payload) = payloads.front_mut() else { return fail("payload that nobody asked for".into()) };
            let bytes: Vec<u8> = pins.get_words("payload_data").iter().flat_map(|w| w.to_le_bytes()).collect();
            let count = payload.left.min(beat);
            if payload.fresh {
                seen.latency = seen.latency.min(now - payload.asked);
                payload.fresh = false;
            }
            if bytes[..count] != memory[payload.at..payload.at + count] || (pins.get("payload_last") == 1) != (payload.left == count) {
                let (at, expected) = (payload.at, &memory[payload.at..payload.at + count]);
                return fail(format!("payload {bytes:02x?} of byte {at}, last {}, expected {expected:02x?}", pins.get("payload_last")));
            }
            (payload.at, payload.left) = (payload.at + count, payload.left - count);
            if payload.left == 0 {
                payloads.pop_front();
                seen.payloads += 1;
            }
            seen.beats += 1;
            seen.read_idle += std::mem::take(&mut idle);
        } else if takes && !payloads.is_empty() && seen.beats > 0 && payloads.front().is_some_and(|p| now - p.asked > 5) {
            idle += 1;
        }
        if pins.get("read_ready") == 1
            && let Some((at, bytes)) = request.take()
        {
            payloads.push_back(Payload { at, left: bytes, asked: now, fresh: true });
        }
        let rest = given < bursts
            || asked < 2 * bursts
            || !waiting.is_empty()
            || !open.is_empty()
            || !unanswered.is_empty()
            || !payloads.is_empty();
        quiet = if moved || rest || request.is_some() || read_left.is_some() || read_len.is_some() { 0 } else { quiet + 1 };
        pins.clock();
        clocks += 1;
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        if clocks > 20_000 * (bursts as u64 + 10) {
            return Err(format!("cycle {now}: nothing moves any more"));
        }
    }
    if pins.get("idle") != 1 {
        return Err("not idle at the end".into());
    }
    if (counted, reads_counted) != (seen.refused, seen.reads_refused) {
        return Err(format!("{counted} writes and {reads_counted} reads counted as refused: {seen:?}"));
    }
    Ok(seen)
}
