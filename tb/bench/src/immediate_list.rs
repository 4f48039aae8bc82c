//! `ImmediateList` against the golden list of immediates.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::immediates::{Immediate, Immediates, PLACES};
use rdma_rtl_golden::bitmap::psn;
use rdma_rtl_sim::Model;

/// Clocks in which nothing comes in and the host takes, from the acknowledgement until an immediate is told, at most: one for each that
/// waits, and one.
pub const LATENCY: u64 = PLACES as u64 + 1;

/// How a run goes: percent of the clocks.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a packet with an immediate is taken, while there is room
    pub take: u32,
    /// one that was taken is here
    pub arrive: u32,
    /// of these, nothing comes
    pub lost: u32,
    /// more of a queue pair is acknowledged
    pub acknowledge: u32,
    /// the host takes what is told
    pub host: u32,
    /// a queue pair is closed
    pub close: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub told: u64,
    /// clocks in which all places waited
    pub full: u64,
    /// of these, with none due: each goes round
    pub round: u64,
    pub closed: u64,
    /// acknowledgements in the clock in which another queue pair is opened or closed
    pub beside: u64,
    /// most clocks until one was told, see [`LATENCY`]
    pub latency: u64,
}

/// `count` immediates, each told once or forgotten with its queue pair.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let pairs = 1usize << pins.width("in_qp");
    let mut golden = Immediates::new(pairs);
    let mut seen = Seen::default();
    // Next packet, edge, and for how long the queue pair stays closed: until the list has forgotten what waits of it.
    let mut next = vec![0u32; pairs];
    let mut edge = vec![0u32; pairs];
    let mut shut = vec![0u64; pairs];
    let mut is_open = vec![false; pairs];
    // Of a queue pair that was not opened since the reset no packet comes.
    let mut opened = vec![false; pairs];
    let (mut coming, mut taken, mut waited, mut forgets) = (0u64, 0u64, 0u64, 0u64);
    pins.reset(2);
    let mut ends = 0;
    while ends < 40 {
        let left = taken < count;
        let reserve = left && pins.get("room") == 1 && chance(&mut rng, pace.take);
        let comes = coming > 0 && opened.iter().all(|&opened| opened) && chance(&mut rng, if left { pace.arrive } else { 100 });
        let lost = comes && chance(&mut rng, pace.lost);
        let qp = rng.random_range(0..pairs);
        let arrives = (comes && !lost).then(|| {
            // Of packets that come out of order, one lies up to three further on.
            let psn = psn::add(next[qp], rng.random_range(0..4));
            next[qp] = psn::add(next[qp], 1);
            Immediate { qp, psn, imm: rng.random(), addr: rng.random(), bytes: rng.random() }
        });
        let other = rng.random_range(0..pairs);
        let opens = !is_open[other] && shut[other] == 0 && arrives.is_none_or(|immediate| immediate.qp != other);
        let closes = is_open[other] && left && chance(&mut rng, pace.close);
        // Of any queue pair, in whatever clock; of one that is closed or opened now it is not of the new one, and changes nothing.
        let told = if left && chance(&mut rng, 50) { rng.random_range(0..pairs) } else { other };
        let current = is_open[told] && !((opens || closes) && told == other);
        let acknowledges = opened[told] && (current || left) && chance(&mut rng, if left { pace.acknowledge } else { 50 });
        let stale = acknowledges && !current;
        if opens {
            next[other] = rng.random_range(0..psn::SPACE);
            edge[other] = psn::sub(next[other], 1);
        }
        if acknowledges && !stale {
            let up = psn::add(next[told], 3);
            edge[told] = if left { psn::add(edge[told], rng.random_range(0..=psn::ahead(edge[told], up))) } else { up };
        }
        let told_psn = if stale { rng.random_range(0..psn::SPACE) } else { edge[told] };
        let host = chance(&mut rng, if left { pace.host } else { 100 });

        pins.set("reserve", reserve.into());
        pins.set("lost", lost.into());
        pins.set("in_valid", arrives.is_some().into());
        if let Some(immediate) = arrives {
            pins.set("in_qp", immediate.qp as u64);
            pins.set("in_psn", immediate.psn.into());
            pins.set("in_imm", immediate.imm.into());
            pins.set("in_addr", immediate.addr);
            pins.set("in_bytes", immediate.bytes.into());
        }
        pins.set("open_valid", (opens || closes).into());
        pins.set("open_open", opens.into());
        pins.set("open_qp", other as u64);
        pins.set("open_psn", next[other].into());
        pins.set("told_valid", acknowledges.into());
        pins.set("told_qp", told as u64);
        pins.set("told_psn", told_psn.into());
        pins.set("out_ready", host.into());
        pins.eval();

        // What the list says in this clock is about the clocks before.
        let wrong = |what: String| format!("cycle {}: {what}", pins.cycle());
        if pins.get("room") == 1 && golden.used() >= PLACES {
            return Err(wrong(format!("there is room with {} of {PLACES} places in use", golden.used())));
        }
        if pins.get("room") == 0 && golden.used() < PLACES && forgets == 0 {
            return Err(wrong(format!("there is no room with {} of {PLACES} places in use", golden.used())));
        }
        if pins.get("idle") == 1 && golden.used() > 0 {
            return Err(wrong(format!("idle with {} places in use", golden.used())));
        }
        seen.full += u64::from(coming == 0 && golden.used() == PLACES);
        seen.round += u64::from(coming == 0 && golden.used() == PLACES && golden.due() == 0);
        if pins.get("out_valid") == 1 {
            let told = Immediate {
                qp: pins.get("out_qp") as usize,
                psn: 0,
                imm: pins.get("out_imm") as u32,
                addr: pins.get("out_addr"),
                bytes: pins.get("out_bytes") as u16,
            };
            if host {
                golden.tell_any(&told).map_err(|difference| wrong(difference.0))?;
                (seen.told, waited) = (seen.told + 1, 0);
            }
        }
        // Without another one in between, a due one is told at the latest when the list has gone round.
        if golden.due() == 0 {
            waited = 0;
        } else if host && arrives.is_none() && forgets == 0 {
            waited += 1;
            seen.latency = seen.latency.max(waited);
            if waited > LATENCY {
                return Err(wrong(format!("{} are due, and none is told for {waited} clocks", golden.due())));
            }
        }

        if reserve {
            golden.reserve().map_err(|difference| wrong(difference.0))?;
            (coming, taken) = (coming + 1, taken + 1);
        }
        if lost {
            golden.lost();
        }
        if let Some(immediate) = arrives {
            golden.arrive(immediate);
            // One of a closed queue pair keeps its place until it is looked at.
            if !is_open[immediate.qp] {
                forgets = 3 * LATENCY;
            }
        }
        coming -= u64::from(comes);
        forgets = forgets.saturating_sub(u64::from(host && arrives.is_none()));
        for (shut, &open) in shut.iter_mut().zip(&is_open) {
            *shut = if open { *shut } else { shut.saturating_sub(u64::from(host && arrives.is_none())) };
        }
        if let Some(immediate) = arrives.filter(|immediate| !is_open[immediate.qp]) {
            shut[immediate.qp] = 3 * LATENCY;
        }
        if acknowledges {
            golden.acknowledged(told, told_psn);
            seen.beside += u64::from((opens || closes) && !stale);
        }
        if opens {
            golden.open(other, next[other]);
            (is_open[other], opened[other]) = (true, true);
        }
        if closes {
            golden.close(other);
            is_open[other] = false;
            (shut[other], forgets) = (3 * LATENCY, 3 * LATENCY);
            seen.closed += 1;
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
        ends = if !left && coming == 0 && golden.used() == 0 { ends + 1 } else { 0 };
        if pins.cycle() > 1000 * count + 100_000 {
            return Err(format!("{} immediates are not told at the end", golden.used()));
        }
    }
    pins.check("idle", 1)?;
    pins.check("room", 1)?;
    Ok(seen)
}

/// All places wait for the first packet; then it comes, and each is told once.
/// # Errors
/// One is lost, or told twice.
pub fn all_places(model: &mut dyn Model) -> Result<(), String> {
    let mut pins = Pins::new(model);
    let mut golden = Immediates::new(1);
    pins.reset(2);
    pins.set("open_valid", 1);
    pins.set("open_open", 1);
    pins.clock();
    golden.open(0, 0);
    pins.set("open_valid", 0);
    for psn in 1..=PLACES as u32 {
        pins.eval();
        pins.check("room", 1)?;
        pins.set("reserve", 1);
        pins.set("in_valid", 1);
        pins.set("in_psn", psn.into());
        pins.set("in_imm", psn.into());
        golden.reserve().map_err(|difference| difference.0)?;
        golden.arrive(Immediate { qp: 0, psn, imm: psn, addr: 0, bytes: 0 });
        pins.clock();
    }
    pins.set("reserve", 0);
    pins.set("in_valid", 0);
    for _ in 0..3 * PLACES {
        pins.eval();
        pins.check("room", 0)?;
        pins.check("out_valid", 0)?;
        pins.clock();
    }
    pins.set("told_valid", 1);
    pins.set("told_psn", PLACES as u64);
    pins.clock();
    golden.acknowledged(0, PLACES as u32);
    pins.set("told_valid", 0);
    pins.set("out_ready", 1);
    for _ in 0..LATENCY {
        pins.eval();
        if pins.get("out_valid") == 1 {
            let imm = pins.get("out_imm") as u32;
            golden.tell(&Immediate { qp: 0, psn: imm, imm, addr: 0, bytes: 0 }).map_err(|difference| difference.0)?;
        }
        pins.clock();
    }
    pins.eval();
    if golden.used() > 0 {
        return Err(format!("{} of {PLACES} immediates are not told", golden.used()));
    }
    pins.check("idle", 1)
}

/// The packet of an immediate is acknowledged in the clock in which another queue pair is opened, or closed: the immediate is told. One of
/// a queue pair that is closed is not, though its packet is acknowledged a clock later.
/// # Errors
/// It is not told, or what was forgotten is.
pub fn beside_an_opening(model: &mut dyn Model) -> Result<(), String> {
    // Behind whatever a run before may have left.
    const FIRST: u64 = 0x10_0000;
    let mut pins = Pins::new(model);
    for (opens, closed) in [(1, false), (0, false), (0, true)] {
        pins.reset(2);
        pins.set("out_ready", 1);
        pins.set("open_valid", 1);
        pins.set("open_open", 1);
        for qp in 0..2 {
            pins.set("open_qp", qp);
            pins.set("open_psn", FIRST);
            pins.clock();
        }
        pins.set("open_valid", 0);
        pins.set("reserve", 1);
        pins.set("in_valid", 1);
        pins.set("in_qp", 0);
        pins.set("in_psn", FIRST + 1);
        pins.set("in_imm", 77);
        pins.clock();
        pins.set("reserve", 0);
        pins.set("in_valid", 0);
        pins.set("open_valid", 1);
        pins.set("open_open", opens);
        pins.set("open_qp", u64::from(!closed));
        pins.set("told_valid", u64::from(!closed));
        pins.set("told_qp", 0);
        pins.set("told_psn", FIRST + 1);
        pins.clock();
        pins.set("open_valid", 0);
        pins.set("told_valid", closed.into());
        let mut told = 0;
        for _ in 0..LATENCY {
            pins.eval();
            told += pins.get("out_valid");
            pins.clock();
            pins.set("told_valid", 0);
        }
        if told != u64::from(!closed) {
            return Err(format!("an immediate was told {told} times beside an opening of {opens}, with its queue pair closed: {closed}"));
        }
        pins.check("idle", 1)?;
    }
    Ok(())
}
