//! `MacBridge`, with `MacSide` in it, between an endpoint and a MAC, each with its clock: frames whole and in order both ways, whatever the
//! clocks are to each other, who pauses, what is in reset and whether there is a line.

use crate::pins::{Pins, Words, chance, random};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::wire::{IcrcVerdict, icrc_inserted, icrc_verdict, padded};
use rdma_rtl_sim::Model;

/// A run: clocks, pauses, disturbances.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Periods in ps, of `aclk` and of `mac_aclk`.
    pub periods: [u64; 2],
    /// Percent of clocks in which the endpoint offers a beat and takes one, in which the MAC takes one and, between frames, begins one.
    pub offer: u32,
    pub take: u32,
    pub mac_take: u32,
    pub mac_begin: u32,
    /// One of so many clocks begins a reset of that side, or an end of the line; 0: none.
    pub reset_every: u32,
    pub mac_reset_every: u32,
    pub line_every: u32,
}

impl Plan {
    /// Nobody waits and nothing happens.
    pub const fn plain(periods: [u64; 2]) -> Plan {
        Plan { periods, offer: 100, take: 100, mac_take: 100, mac_begin: 100, reset_every: 0, mac_reset_every: 0, line_every: 0 }
    }

    fn disturbs(&self) -> bool {
        self.reset_every + self.mac_reset_every + self.line_every > 0
    }
}

/// What a run came by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub sent: u64,
    pub received: u64,
    pub not_sent: u64,
    pub not_received: u64,
    pub damaged: u64,
    pub wrong: u64,
    /// frames below the shortest of Ethernet
    pub short: u64,
}

const ENDPOINT: usize = 0;
const MAC: usize = 1;

/// A stream into the design.
struct Source {
    bus: &'static str,
    frames: Vec<Vec<u8>>,
    next: usize,
    /// bytes of the frame that have gone
    at: usize,
    offered: bool,
}

impl Source {
    fn new(bus: &'static str, frames: Vec<Vec<u8>>) -> Self {
        Source { bus, frames, next: 0, at: 0, offered: false }
    }

    /// The beat that is offered has gone.
    fn gone(&mut self, beat: usize) {
        self.at += beat;
        self.offered = false;
        if self.at >= self.frames[self.next].len() {
            (self.next, self.at) = (self.next + 1, 0);
        }
    }

    /// What has begun of a frame is given up.
    fn abort(&mut self) {
        if self.at > 0 {
            (self.next, self.at) = (self.next + 1, 0);
        }
        self.offered = false;
    }

    /// Sets the signals of the stream; all but `tvalid` are anything where nothing is offered.
    fn drive(&mut self, pins: &mut Pins, rng: &mut ChaCha8Rng, offer: bool) {
        let name = |signal: &str| format!("{}_{signal}", self.bus);
        let width = pins.width(&name("tdata"));
        self.offered |= offer && self.next < self.frames.len();
        let mut data = random(rng, width);
        let mut keep: Words = random(rng, width / 8);
        let mut last = rng.random_range(0..2);
        if self.offered {
            let rest = &self.frames[self.next][self.at..];
            let count = rest.len().min(width / 8);
            for (at, &byte) in rest[..count].iter().enumerate() {
                data[at / 4] = data[at / 4] & !(0xff << (8 * (at % 4))) | u32::from(byte) << (8 * (at % 4));
            }
            last = u64::from(rest.len() <= width / 8);
            for lane in 0..width / 8 {
                let (word, bit) = (lane / 32, 1 << (lane % 32));
                keep[word] = if lane < count { keep[word] | bit } else { keep[word] & !bit };
            }
        }
        pins.set(&name("tvalid"), self.offered.into());
        pins.set_words(&name("tdata"), &data);
        pins.set_words(&name("tkeep"), &keep);
        pins.set(&name("tlast"), last);
    }
}

/// A stream out of the design.
struct Sink {
    bus: &'static str,
    bytes: Vec<u8>,
    inside: bool,
    ready: bool,
    /// a beat has come
    moved: bool,
    /// position behind the last frame that has come, in the list of what may come
    next: usize,
}

impl Sink {
    fn new(bus: &'static str) -> Self {
        Sink { bus, bytes: Vec::new(), inside: false, ready: false, moved: false, next: 0 }
    }

    fn forget(&mut self) {
        self.bytes.clear();
        self.inside = false;
    }

    /// The frame that ends with this beat. `steady`: a frame that has begun has no pause.
    fn sample(&mut self, pins: &Pins, steady: bool) -> Result<Option<Vec<u8>>, String> {
        let name = |signal: &str| format!("{}_{signal}", self.bus);
        let valid = pins.get(&name("tvalid")) == 1;
        if !valid && self.inside && steady {
            return Err(format!("{} pauses after {} bytes of a frame", self.bus, self.bytes.len()));
        }
        self.inside |= valid;
        self.moved = valid && self.ready;
        if !self.moved {
            return Ok(None);
        }
        let last = pins.get(&name("tlast")) == 1;
        let (data, keep) = (pins.get_words(&name("tdata")), pins.get_words(&name("tkeep")));
        let lanes = pins.width(&name("tkeep"));
        let count = (0..lanes).find(|lane| keep[lane / 32] >> (lane % 32) & 1 == 0).unwrap_or(lanes);
        if (count..lanes).any(|lane| keep[lane / 32] >> (lane % 32) & 1 == 1) || count == 0 || (!last && count < lanes) {
            return Err(format!("{}: `tkeep` is {keep:x?}, `tlast` {last}", self.bus));
        }
        self.bytes.extend((0..count).map(|at| (data[at / 4] >> (8 * (at % 4))) as u8));
        if !last {
            return Ok(None);
        }
        self.inside = false;
        Ok(Some(std::mem::take(&mut self.bytes)))
    }

    /// The frame is one of those that may come, behind the one before; how many were left out.
    fn place(&mut self, frame: &[u8], may: &[Vec<u8>]) -> Result<(usize, u64), String> {
        let place = may.iter().skip(self.next).position(|other| other == frame).map(|skipped| self.next + skipped);
        let place = place.ok_or_else(|| format!("{}: {} bytes that are no frame behind {}", self.bus, frame.len(), self.next))?;
        let skipped = (place - self.next) as u64;
        self.next = place + 1;
        Ok((place, skipped))
    }
}

/// Frames both ways. At the end the disturbances stop, and the last `calm` frames each way must come whatever was before.
///
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, frames: [Vec<Vec<u8>>; 2], calm: usize, plan: Plan, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let sent: Vec<Vec<u8>> = frames[0].iter().map(|frame| padded(&icrc_inserted(frame))).collect();
    let received = frames[1].clone();
    let damaged: Vec<bool> = received.iter().map(|_| rng.random_bool(0.05)).collect();
    let (calm_tx, calm_rx) = (sent.len() - calm, received.len() - calm);
    let mut seen = Seen { short: frames[0].iter().filter(|frame| frame.len() < 60).count() as u64, ..Seen::default() };
    let [to_send, to_receive] = frames;
    let (mut tx, mut rx) = (Source::new("s_axis_tx", to_send), Source::new("s_axis_mac", to_receive));
    let (mut out, mut wire) = (Sink::new("m_axis_rx"), Sink::new("m_axis_mac"));
    let beats = [pins.width("s_axis_tx_tdata") / 8, pins.width("s_axis_mac_tdata") / 8];
    let mut next = [plan.periods[0], plan.periods[1] + rng.random_range(0..plan.periods[1])];
    // Clocks for which each side stays in reset, and the line down. The line is slow to come.
    let (mut resets, mut down) = ([20u32, 20], 60u32);
    // Clocks of the MAC since the line came or went; clocks of the endpoint with a line.
    let (mut up_for, mut down_for, mut warm) = (0u32, 0u32, 0u32);
    // A frame that a reset of the MAC left without an end takes the next one with it.
    let must = [calm_tx, calm_rx + usize::from(plan.mac_reset_every > 0)];
    let (mut idle, mut lost, mut settled) = (0u64, 0, false);
    pins.set("aresetn", 0);
    loop {
        let time = next[0].min(next[1]);
        let ticks = [next[0] == time, next[1] == time];
        pins.eval();
        idle = if out.moved || wire.moved { 0 } else { idle + 1 };
        (out.moved, wire.moved) = (false, false);
        // What the last beats of a side come to, before the edge.
        if ticks[ENDPOINT] {
            if tx.offered && pins.get("s_axis_tx_tready") == 1 {
                tx.gone(beats[ENDPOINT]);
                idle = 0;
            }
            let user = pins.get("m_axis_rx_tuser");
            if resets[ENDPOINT] == 0
                && let Some(frame) = out.sample(&pins, false)?
            {
                let (place, skipped) = out.place(&frame, &received)?;
                let wrong = icrc_verdict(&frame) == IcrcVerdict::Wrong;
                if user != u64::from(damaged[place]) | u64::from(wrong) << 1 {
                    return Err(format!(
                        "{time} ps: `m_axis_rx_tuser` is {user} of a frame that is damaged: {}, wrong: {wrong}",
                        damaged[place]
                    ));
                }
                if plan.disturbs() && skipped > 0 && place > must[MAC] {
                    return Err(format!("{time} ps: frames from the MAC are missing before {place}"));
                }
                seen.received += 1;
                seen.not_received += skipped;
                seen.damaged += u64::from(damaged[place]);
                seen.wrong += u64::from(wrong);
                idle = 0;
            }
            lost = pins.get("receive_lost");
        }
        if ticks[MAC] {
            if rx.offered {
                rx.gone(beats[MAC]);
                idle = 0;
            }
            if resets[MAC] == 0
                && let Some(frame) = wire.sample(&pins, true).map_err(|e| format!("{time} ps: {e}"))?
            {
                let (place, skipped) = wire.place(&frame, &sent)?;
                if skipped > 0 && (place > must[ENDPOINT] || !plan.disturbs()) {
                    return Err(format!("{time} ps: frames for the MAC are missing before {place}"));
                }
                seen.sent += 1;
                seen.not_sent += skipped;
                idle = 0;
            }
            let told = (pins.get("tx_enable"), pins.get("tx_send_rfi"));
            if told.0 == told.1 || (up_for > 4 && told.0 == 0) || (down_for > 4 && told.0 == 1) {
                return Err(format!("{time} ps: `tx_enable` is {}, `tx_send_rfi` {}", told.0, told.1));
            }
        }
        for (port, tick) in [("aclk", ticks[0]), ("mac_aclk", ticks[1])] {
            pins.set(port, tick.into());
        }
        pins.eval();
        pins.set("aclk", 0);
        pins.set("mac_aclk", 0);
        pins.eval();
        if let Some(failure) = pins.failure() {
            return Err(failure);
        }

        // Behind the edge: what the sides do next.
        let quiet = tx.next >= calm_tx || rx.next >= calm_rx;
        let once = |rng: &mut ChaCha8Rng, every: u32| every > 0 && !quiet && rng.random_range(0..every) == 0;
        if ticks[ENDPOINT] {
            resets[ENDPOINT] = resets[ENDPOINT].saturating_sub(1);
            if once(&mut rng, plan.reset_every) {
                resets[ENDPOINT] = rng.random_range(2..60);
                tx.abort();
                out.forget();
            }
            let runs = resets[ENDPOINT] == 0;
            pins.set("aresetn", runs.into());
            warm += u32::from(up_for > 8);
            let waits = tx.next >= calm_tx && !settled;
            let offer = runs && !waits && warm > 20 && chance(&mut rng, plan.offer);
            tx.drive(&mut pins, &mut rng, offer);
            out.ready = runs && chance(&mut rng, plan.take);
            pins.set("m_axis_rx_tready", out.ready.into());
            next[ENDPOINT] += plan.periods[ENDPOINT];
        }
        if ticks[MAC] {
            resets[MAC] = resets[MAC].saturating_sub(1);
            down = down.saturating_sub(1);
            if once(&mut rng, plan.mac_reset_every) {
                resets[MAC] = rng.random_range(2..60);
                rx.abort();
                wire.forget();
            }
            if once(&mut rng, plan.line_every) {
                down = rng.random_range(2..400);
            }
            let runs = resets[MAC] == 0;
            let up = runs && down == 0;
            (up_for, down_for) = if up { (up_for + 1, 0) } else { (0, down_for + 1) };
            pins.set("mac_aresetn", runs.into());
            pins.set("line_up", (down == 0).into());
            // Before the calm at the end both wait until what was under way is through. Else the MAC goes on where the line is down.
            settled |= tx.next >= calm_tx && rx.next >= calm_rx && up_for > 20 && idle > 1500;
            let waits = rx.next >= calm_rx && rx.at == 0 && !settled;
            let heard = up_for > 8 || (plan.disturbs() && runs);
            let begins = heard && !waits && (rx.at > 0 || chance(&mut rng, plan.mac_begin));
            rx.drive(&mut pins, &mut rng, begins);
            let ends = rx.offered && rx.at + beats[MAC] >= received[rx.next].len();
            let user = if ends { damaged[rx.next].into() } else { rng.random_range(0..2) };
            pins.set("s_axis_mac_tuser", user);
            wire.ready = runs && chance(&mut rng, plan.mac_take);
            pins.set("m_axis_mac_tready", wire.ready.into());
            next[MAC] += plan.periods[MAC];
        }
        if tx.next == sent.len() && rx.next == received.len() && idle > 2000 {
            break;
        }
        if idle > 40_000 {
            return Err(format!(
                "{time} ps: it stands still: {} of {} sent, {} of {} received",
                tx.next,
                sent.len(),
                rx.next,
                received.len()
            ));
        }
    }
    seen.not_sent += (sent.len() - wire.next) as u64;
    seen.not_received += (received.len() - out.next) as u64;
    if !plan.disturbs() && (seen.not_sent > 0 || seen.not_received != lost) {
        return Err(format!("{seen:?}, and {lost} are counted"));
    }
    if wire.next < sent.len() || (plan.disturbs() && out.next < received.len()) {
        return Err(format!("the last frames are missing: {seen:?}"));
    }
    pins.check("status", 1)?;
    Ok(seen)
}
