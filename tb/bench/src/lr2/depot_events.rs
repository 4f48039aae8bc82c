//! Events of a Depot's flows, and what the golden Depot makes of them: what the benches of a step and of the flows have in common.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::bitmap::psn::{add, ahead, sub};
use rdma_rtl_golden::lr2::depot::Stats;
use rdma_rtl_golden::lr2::fault::Fault;
use rdma_rtl_golden::lr2::packet::{Gap, Key, Kind, Origin, Packet};
use rdma_rtl_golden::lr2::params::DepotConfig;
use rdma_rtl_golden::lr2::{Emit, Verdict};
use std::collections::BTreeMap;

/// Kind of the event of a visit, and of what is let go.
pub(super) const VISIT: u64 = 7;
pub(super) const RELEASE: u64 = 9;

/// How a run goes.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    pub flows: u32,
    /// clocks with an event, in percent
    pub offer: u32,
    /// events that let something go, in percent, of flows that have something
    pub drain: u32,
    pub aware: bool,
    pub config: DepotConfig,
    /// flows start unset
    pub unset: bool,
    pub slots: usize,
    pub backups: usize,
    pub segments: usize,
    /// the golden model has this fault
    pub fault: Option<Fault>,
}

impl Mix {
    /// Everything has a time.
    pub const CONFIG: DepotConfig = DepotConfig {
        tolerance_packets: 0,
        tolerance: 0,
        renack: 40,
        renack_max: 4,
        retry: 30,
        retries: 2,
        reack: 15,
        quota: 0,
        idle: 0,
        pace: 0,
        flow_pace: 0,
        line: 0,
    };
    pub const PLAIN: Mix = Mix {
        flows: 16,
        offer: 100,
        drain: 40,
        aware: false,
        config: Mix::CONFIG,
        unset: false,
        slots: 200,
        backups: 80,
        segments: 40,
        fault: None,
    };
}

/// What a run saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub verdicts: BTreeMap<Verdict, u64>,
    /// Depot-NACKs for a gap, and of a walk
    pub gaps: u64,
    pub walked: u64,
    pub reacks: u64,
    pub replayed: u64,
    pub drained: u64,
    pub timeouts: u64,
    pub reopened: u64,
    pub again: u64,
    pub lives: u64,
    pub flushed: u64,
    /// requests that were held
    pub requests: u64,
    pub events: u64,
    pub clocks: u64,
}

impl Seen {
    /// Both together.
    #[must_use]
    pub fn and(mut self, other: &Seen) -> Seen {
        for (verdict, count) in &other.verdicts {
            *self.verdicts.entry(*verdict).or_default() += count;
        }
        self.gaps += other.gaps;
        self.walked += other.walked;
        self.reacks += other.reacks;
        self.replayed += other.replayed;
        self.drained += other.drained;
        self.timeouts += other.timeouts;
        self.reopened += other.reopened;
        self.again += other.again;
        self.lives += other.lives;
        self.flushed += other.flushed;
        self.requests += other.requests;
        self.events += other.events;
        self.clocks += other.clocks;
        self
    }
}

/// A Depot-NACK: PSN, MSN and gap.
pub(super) type Nack = (u32, u32, Gap);

/// What the golden model has decided about an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Expect {
    /// what goes on
    pub forward: Option<Packet>,
    /// a NAK goes on as this acknowledgement: PSN, MSN, credits
    pub intercepted: Option<(u32, u32, u8)>,
    /// an acknowledgement for the source
    pub reack: Option<(u32, u32, u8)>,
    pub nacks: Vec<Nack>,
    pub life: bool,
    pub timeout: bool,
    pub reopened: bool,
    pub again: bool,
}

pub(super) fn code(verdict: Verdict) -> Option<u64> {
    Some(match verdict {
        Verdict::Untouched => 0,
        Verdict::Forwarded => 1,
        Verdict::Held => 2,
        Verdict::Full => 3,
        Verdict::Duplicate => 4,
        Verdict::Replayed => 5,
        Verdict::Reacknowledged => 6,
        Verdict::Consumed => 7,
        Verdict::Intercepted => 8,
        Verdict::Stale => 9,
        Verdict::Strange => 10,
        Verdict::Waits => 11,
        _ => return None,
    })
}

pub(super) fn kind(packet: &Packet) -> u64 {
    match packet.kind {
        Kind::Data => 0,
        Kind::Request => 1,
        Kind::Ack => 2,
        Kind::Response => 3,
        Kind::Nak => 4,
        Kind::Probe => 6,
        Kind::Rnr => 8,
        _ => 5,
    }
}

/// What came out of the golden model for `packet`, or for what was let go.
pub(super) fn expected(packet: Option<&Packet>, out: &[Emit], stats: (&Stats, &Stats)) -> Result<Expect, String> {
    let (old, new) = stats;
    let mut expect = Expect {
        life: new.lives != old.lives,
        timeout: new.timeouts != old.timeouts,
        reopened: new.reopened != old.reopened,
        again: new.naks_in_replay != old.naks_in_replay,
        ..Expect::default()
    };
    for Emit { packet: made, onward, .. } in out {
        let acks = (made.psn, made.msn, made.credits);
        match made.kind {
            _ if packet.is_none_or(|packet| packet == made) && made.origin == Origin::Card && (*onward || packet.is_some()) => {
                expect.forward = Some(*made);
            }
            Kind::Nak if made.origin == Origin::Depot => expect.nacks.push((made.psn, made.msn, made.gap)),
            Kind::Ack if packet.is_some_and(|packet| packet.kind == Kind::Nak) => expect.intercepted = Some(acks),
            Kind::Ack => expect.reack = Some(acks),
            _ => return Err(format!("the bench does not know what {made:?} is")),
        }
    }
    Ok(expect)
}

/// A packet of a flow that is likely, or on an edge, or nonsense. `begun`: `R`, once a packet has been there; the first is near `first`.
pub(super) fn likely(rng: &mut ChaCha8Rng, registers: (u32, u32, u32), keys: (Key, Key), begun: Option<u32>, first: u32) -> Packet {
    let ((una, expected, edge), (key, reverse)) = (registers, keys);
    let plain = Packet { ack_request: rng.random_bool(0.3), last: rng.random_bool(0.1), ..Packet::data(key, expected, 1024) };
    let of = |psn: u32| Packet { psn, ..plain };
    let Some(reach) = begun else {
        return of(if rng.random_bool(0.5) { expected } else { add(first, rng.random_range(0..4)) });
    };
    let sent = ahead(una, expected).min(1 << 20);
    let open = ahead(expected, edge).min(1 << 20);
    let near = add(una, rng.random_range(0..=sent.min(24)));
    let ack = Packet { credits: rng.random_range(0..32), ..Packet::ack(reverse, sub(near, 1), rng.random_range(0..1 << 24)) };
    match rng.random_range(0..1000) {
        0..200 => plain,
        200..340 => of(edge),
        340..440 => of(add(edge, rng.random_range(1..5))),
        440..520 => of(add(expected, rng.random_range(0..=open))),
        520..570 => of(add(una, rng.random_range(0..=sent))),
        570..590 => of(sub(una, rng.random_range(0..4))),
        590..600 => of(add([expected, edge][rng.random_range(0..2)], reach - 1 + rng.random_range(0..3))),
        600..604 => of(sub(una, reach - 1 + rng.random_range(0..3))),
        604..607 => of(add([una, expected, edge][rng.random_range(0..3)], (1 << 23) - 1 + rng.random_range(0..3))),
        607..609 => of(rng.random_range(0..1 << 24)),
        609..680 => {
            let around = [expected, edge, add(expected, rng.random_range(0..=open)), sub(expected, rng.random_range(0..9)), una];
            let span = [1, 2, rng.random_range(1..9), rng.random_range(1..80), rng.random_range(1..reach + 20)][rng.random_range(0..5)];
            Packet { kind: Kind::Request, span, ..of(around[rng.random_range(0..5)]) }
        }
        680..830 => ack,
        830..850 => Packet { psn: sub(add(expected, rng.random_range(0..3)), 1), ..ack },
        850..852 => Packet { psn: add(una, (1 << 23) - 2 + rng.random_range(0..3)), ..ack },
        852..854 => Packet { psn: sub(una, reach + rng.random_range(0..3)), ..ack },
        854 => Packet { psn: rng.random_range(0..1 << 24), ..ack },
        855..875 => Packet { kind: Kind::Response, ..ack },
        875..955 => {
            let psn = [una, near, near, add(una, rng.random_range(0..=sent)), sub(una, 1)][rng.random_range(0..5)];
            Packet { kind: Kind::Nak, psn, ..ack }
        }
        955..962 => Packet { kind: Kind::Rnr, psn: near, ..ack },
        962 => Packet { kind: Kind::Refusal, ..ack },
        _ => {
            let edge = match rng.random_range(0..8) {
                0..5 => add(edge, rng.random_range(0..6)),
                5 => add(edge, reach - 1 + rng.random_range(0..3)),
                6 => sub(edge, rng.random_range(0..4)),
                _ => rng.random_range(0..1 << 24),
            };
            Packet { kind: Kind::Probe, psn: 0, gap: Gap { start: una, length: 0, edge }, ..plain }
        }
    }
}
