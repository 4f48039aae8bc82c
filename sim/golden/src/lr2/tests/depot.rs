//! Traces of the Depot alone, packet by packet, each with the rule of the contract that it holds the box to.

use super::*;
use crate::lr2::packet::{Key, Kind, Packet};
use crate::lr2::table::{Entry, Mode};
use crate::lr2::{Emit, Gate, Verdict};

const KEY: Key = Key { source: 1, destination: 2, qp: 3 };
const REVERSE: Key = Key { source: 2, destination: 1, qp: 9 };

/// A Depot with one flow, and what it has sent since the last step.
struct Rig {
    depot: Depot,
    now: u64,
    out: Vec<Emit>,
}

impl Rig {
    fn new(params: DepotParams, config: DepotConfig, mode: Mode, initial: u32) -> Result<Rig, String> {
        let mut depot = Depot::new(params, config)?;
        depot.open(&Entry { key: KEY, peer_qp: 9, mode, initial: Some(initial) })?;
        Ok(Rig { depot, now: 0, out: Vec::new() })
    }

    fn simple(fault: Option<Fault>) -> Result<Rig, String> {
        Rig::new(DepotParams { fault, ..DepotParams::default() }, DepotConfig::default(), Mode::Standard, 0)
    }

    fn put(&mut self, packet: Packet) -> Verdict {
        self.out.clear();
        self.depot.onward(self.now, packet, true, &mut self.out)
    }

    fn data(&mut self, psn: u32) -> Verdict {
        self.put(Packet::data(KEY, psn, 1024))
    }

    /// Data packets whose fate another step shows.
    fn each(&mut self, psns: &[u32]) {
        for &psn in psns {
            self.data(psn);
        }
    }

    fn request(&mut self, psn: u32, span: u32) -> Verdict {
        self.put(Packet { kind: Kind::Request, span, ..Packet::data(KEY, psn, 16) })
    }

    fn back(&mut self, packet: Packet) -> Verdict {
        self.out.clear();
        self.depot.back(self.now, packet, true, &mut self.out)
    }

    /// Time is `now`; timers first.
    fn tick(&mut self, now: u64) {
        self.now = now;
        self.out.clear();
        self.depot.tick(now, &mut self.out);
    }

    /// Everything that is still to go, from here to the end of time.
    fn drain(&mut self) -> Vec<u32> {
        let mut all = self.onward();
        while let Some(at) = self.depot.wake() {
            self.tick(at.max(self.now));
            all.extend(self.onward());
        }
        all
    }

    fn onward(&self) -> Vec<u32> {
        self.out.iter().filter(|emit| emit.onward).map(|emit| emit.packet.psn).collect()
    }

    /// Gaps of the Depot-NACKs.
    fn gaps(&self) -> Vec<(u32, u32)> {
        let nacks = self.out.iter().filter(|emit| !emit.onward && emit.packet.kind == Kind::Nak);
        nacks.map(|emit| (emit.packet.gap.start, emit.packet.gap.length)).collect()
    }

    fn registers(&self) -> Option<(u32, u32, u32)> {
        self.depot.registers(&KEY)
    }
}

fn several_gaps_in_one_window(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault)?;
    rig.data(0);
    rig.back(Packet::ack(REVERSE, 0, 1));
    same!((rig.data(3), rig.gaps()), (Verdict::Held, vec![(1, 2)]));
    same!((rig.out[0].packet.psn, rig.out[0].packet.msn, rig.out[0].packet.gap.edge, rig.out[0].priority), (1, 1, 4, true));
    same!((rig.data(6), rig.gaps()), (Verdict::Held, vec![(4, 2)]));
    same!(rig.out[0].packet.psn, 1);
    same!((rig.data(2), rig.gaps(), rig.data(2)), (Verdict::Held, vec![], Verdict::Duplicate));
    same!((rig.data(1), rig.onward(), rig.registers()), (Verdict::Forwarded, vec![1, 2, 3], Some((1, 4, 7))));
    same!((rig.data(5), rig.data(4), rig.onward()), (Verdict::Held, Verdict::Forwarded, vec![4, 5, 6]));
    same!((rig.registers(), rig.depot.in_use()), (Some((1, 7, 7)), (0, 6, 0)));
    Ok(())
}

/// An aware card may hear where the gap is.
fn a_nack_says_what_its_card_may_hear(fault: Option<Fault>) -> Result<(), String> {
    for (mode, psn) in [(Mode::Standard, 0), (Mode::Aware, 2)] {
        let mut rig = Rig::new(DepotParams { fault, ..DepotParams::default() }, DepotConfig::default(), mode, 0)?;
        rig.each(&[0, 1, 4]);
        same!((mode, rig.out[0].packet.psn), (mode, psn));
    }
    Ok(())
}

fn pool_full_with_the_tail_dropped(fault: Option<Fault>) -> Result<(), String> {
    let params = DepotParams { slots: 1, fault, ..DepotParams::default() };
    let mut rig = Rig::new(params, DepotConfig { renack: 100, ..DepotConfig::default() }, Mode::Standard, 0)?;
    same!((rig.data(1), rig.gaps()), (Verdict::Held, vec![(0, 1)]));
    same!((rig.data(3), rig.gaps(), rig.registers()), (Verdict::Full, vec![(2, 1)], Some((0, 0, 4))));
    same!((rig.data(4), rig.gaps(), rig.registers()), (Verdict::Full, vec![], Some((0, 0, 5))));
    rig.tick(100);
    same!(rig.gaps(), vec![(0, 1), (2, 3)]);
    same!((rig.data(0), rig.onward(), rig.depot.in_use().0), (Verdict::Forwarded, vec![0, 1], 0));
    Ok(())
}

fn a_lost_nack_is_sent_again_one_a_run_and_no_more_than_allowed(fault: Option<Fault>) -> Result<(), String> {
    let config = DepotConfig { renack: 100, renack_max: 3, ..DepotConfig::default() };
    let mut rig = Rig::new(DepotParams { fault, ..DepotParams::default() }, config, Mode::Standard, 0)?;
    for psn in [1, 3, 5, 7, 9] {
        rig.data(psn);
    }
    rig.tick(99);
    same!(rig.gaps(), vec![]);
    rig.tick(100);
    same!(rig.gaps(), vec![(0, 1), (2, 1), (4, 1)]);
    rig.now = 150;
    rig.data(0);
    rig.tick(249);
    same!(rig.gaps(), vec![]);
    rig.tick(250);
    same!(rig.gaps(), vec![(2, 1), (4, 1), (6, 1)]);
    Ok(())
}

fn local_loss_of_one_packet_with_many_behind(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault)?;
    for psn in 0..30 {
        same!(rig.data(psn), Verdict::Forwarded);
    }
    let nak = Packet { echo: true, ..Packet::nak(REVERSE, 4, 7) };
    same!((rig.back(nak), rig.onward()), (Verdict::Intercepted, (4..30).collect::<Vec<_>>()));
    let ack = rig.out[0].packet;
    same!((ack.kind, ack.psn, ack.msn, ack.echo, ack.credits), (Kind::Ack, 3, 7, true, 0x1f));
    same!((rig.depot.in_use().1, rig.data(3), rig.data(10)), (26, Verdict::Reacknowledged, Verdict::Duplicate));
    // coalesced: one acknowledgement for all
    rig.back(Packet::ack(REVERSE, 29, 8));
    same!((rig.registers(), rig.depot.in_use()), (Some((30, 30, 30)), (0, 0, 0)));
    Ok(())
}

/// A replay that is paced: what it loses itself, what is said twice, and what arrives meanwhile.
fn a_loss_in_the_replay_begins_another(fault: Option<Fault>) -> Result<(), String> {
    let config = DepotConfig { pace: 1 << 16, flow_pace: 1 << 16, ..DepotConfig::default() };
    let mut rig = Rig::new(DepotParams { fault, ..DepotParams::default() }, config, Mode::Standard, 0)?;
    for psn in 0..10 {
        rig.data(psn);
    }
    rig.back(Packet::nak(REVERSE, 2, 0));
    same!(rig.onward(), vec![2]);
    for on in 1..4 {
        rig.tick(on * 1106);
    }
    same!(rig.onward(), vec![5]);
    // the same again only counts
    same!((rig.back(Packet::nak(REVERSE, 2, 0)), rig.depot.stats.naks_in_replay), (Verdict::Intercepted, 1));
    same!((rig.data(10), rig.onward()), (Verdict::Held, vec![]));
    // the replay has lost its second packet
    rig.back(Packet::nak(REVERSE, 3, 0));
    same!(rig.drain(), (3..11).collect::<Vec<_>>());
    Ok(())
}

fn backup_full_and_its_packet_lost(fault: Option<Fault>) -> Result<(), String> {
    let params = DepotParams { backups: 2, fault, ..DepotParams::default() };
    let mut rig = Rig::new(params, DepotConfig::default(), Mode::Standard, 0)?;
    for psn in [0, 1, 2, 3, 5, 6] {
        rig.data(psn);
    }
    same!((rig.data(3), rig.data(1)), (Verdict::Replayed, Verdict::Duplicate));
    // the third has no copy: reopened, and what is held stays
    same!((rig.back(Packet::nak(REVERSE, 2, 0)), rig.gaps()), (Verdict::Intercepted, vec![(2, 2)]));
    same!((rig.registers(), rig.depot.in_use().0), (Some((2, 2, 7)), 2));
    rig.each(&[2, 3]);
    same!((rig.data(4), rig.onward()), (Verdict::Forwarded, vec![4, 5, 6]));
    Ok(())
}

fn last_packet_and_last_acknowledgement_lost_behind_the_depot(fault: Option<Fault>) -> Result<(), String> {
    let config = DepotConfig { retry: 50, retries: 2, reack: 20, ..DepotConfig::default() };
    let mut rig = Rig::new(DepotParams { fault, ..DepotParams::default() }, config, Mode::Standard, 0)?;
    rig.data(0);
    rig.put(Packet { last: true, ack_request: true, ..Packet::data(KEY, 1, 1024) });
    for at in [50, 100] {
        rig.tick(at);
        same!((at, rig.onward()), (at, vec![0, 1]));
    }
    rig.tick(150);
    same!((rig.gaps(), rig.registers()), (vec![(0, 2)], Some((0, 0, 2))));
    // it arrives, its acknowledgement does not reach the source, which sends all again
    rig.now = 200;
    rig.back(Packet { credits: 3, ..Packet::ack(REVERSE, 1, 1) });
    same!(rig.registers(), Some((2, 2, 2)));
    same!((rig.data(0), rig.out.len()), (Verdict::Reacknowledged, 1));
    let ack = rig.out[0].packet;
    same!((ack.kind, ack.psn, ack.msn, ack.credits), (Kind::Ack, 1, 1, 3));
    same!((rig.data(1), rig.out.len()), (Verdict::Reacknowledged, 0));
    rig.now = 220;
    same!((rig.data(1), rig.out.len()), (Verdict::Reacknowledged, 1));
    Ok(())
}

fn receiver_not_ready_and_refusal(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault)?;
    for psn in [0, 1, 2, 5] {
        rig.data(psn);
    }
    rig.back(Packet { kind: Kind::Rnr, ..Packet::ack(REVERSE, 1, 1) });
    same!((rig.out[0].packet.kind, rig.gaps().len(), rig.registers()), (Kind::Rnr, 0, Some((1, 1, 1))));
    same!((rig.depot.in_use(), rig.data(1), rig.data(2)), ((0, 0, 0), Verdict::Forwarded, Verdict::Forwarded));
    rig.data(4);
    rig.back(Packet { kind: Kind::Refusal, ..Packet::ack(REVERSE, 2, 1) });
    same!((rig.out[0].packet.kind, rig.data(9), rig.onward(), rig.depot.in_use()), (Kind::Refusal, Verdict::Untouched, vec![9], (0, 0, 0)));
    Ok(())
}

fn a_read_between_writes(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault)?;
    rig.each(&[0, 1]);
    same!((rig.request(2, 4), rig.registers(), rig.depot.in_use().1), (Verdict::Forwarded, Some((0, 6, 6)), 2));
    same!((rig.data(6), rig.request(2, 4), rig.onward()), (Verdict::Forwarded, Verdict::Replayed, vec![2]));
    // its answer was lost, and what follows has been acknowledged
    rig.back(Packet::ack(REVERSE, 6, 3));
    same!((rig.request(2, 4), rig.onward()), (Verdict::Replayed, vec![2]));
    // held in order like data: the next write is lost
    same!((rig.request(8, 3), rig.gaps(), rig.registers()), (Verdict::Held, vec![(7, 1)], Some((7, 7, 11))));
    same!((rig.data(11), rig.data(7), rig.onward()), (Verdict::Held, Verdict::Forwarded, vec![7, 8, 11]));
    same!((rig.registers(), rig.depot.in_use()), (Some((7, 12, 12)), (0, 2, 0)));
    Ok(())
}

/// A READ asked for again from further back takes the slots of the one that is held.
fn a_wider_request_takes_the_slots_of_a_narrow_one(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault)?;
    same!((rig.request(70, 2), rig.depot.in_use()), (Verdict::Held, (1, 0, 1)));
    same!((rig.request(60, 11), rig.depot.in_use()), (Verdict::Held, (1, 0, 2)));
    same!(rig.depot.held().0, 98);
    // what was pushed out is absent, up to its end
    same!(rig.data(71), Verdict::Held);
    for psn in 0..60 {
        rig.data(psn);
    }
    same!((rig.onward(), rig.registers(), rig.depot.held().0), (vec![59, 60, 71], Some((0, 72, 72)), 0));
    same!((rig.depot.in_use().0, rig.depot.in_use().2), (0, 0));
    Ok(())
}

fn what_is_not_sound_moves_nothing(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::simple(fault)?;
    rig.data(0);
    rig.out.clear();
    same!(rig.depot.onward(0, Packet::data(KEY, 5, 1024), false, &mut rig.out), Verdict::Unsound);
    same!(rig.depot.back(0, Packet::ack(REVERSE, 0, 1), false, &mut rig.out), Verdict::Unsound);
    same!((rig.out.len(), rig.registers()), (0, Some((0, 1, 1))));
    Ok(())
}

/// The pools let go what the buckets allow, in order, and what arrives goes behind it.
fn a_drain_is_paced_and_nothing_overtakes_it(fault: Option<Fault>) -> Result<(), String> {
    let config = DepotConfig { pace: 1 << 16, flow_pace: 1 << 16, ..DepotConfig::default() };
    let mut rig = Rig::new(DepotParams { fault, ..DepotParams::default() }, config, Mode::Standard, 0)?;
    rig.each(&[1, 2, 3]);
    same!((rig.data(0), rig.onward()), (Verdict::Forwarded, vec![0, 1]));
    same!((rig.data(4), rig.onward()), (Verdict::Held, vec![]));
    rig.tick(1105);
    same!(rig.onward(), vec![]);
    rig.tick(1106);
    same!((rig.onward(), rig.drain()), (vec![2], vec![2, 3, 4]));
    Ok(())
}

/// What draws on its own flow's slots waits; what does not is dropped.
fn a_full_pool_that_drains_holds_up_its_input(fault: Option<Fault>) -> Result<(), String> {
    let config = DepotConfig { pace: 1 << 16, flow_pace: 1 << 16, ..DepotConfig::default() };
    let mut rig = Rig::new(DepotParams { slots: 2, fault, ..DepotParams::default() }, config, Mode::Standard, 0)?;
    let other = Key { qp: 4, ..KEY };
    rig.depot.open(&Entry { key: other, peer_qp: 10, mode: Mode::Standard, initial: Some(0) })?;
    rig.each(&[1, 2, 0, 3]);
    same!(rig.put(Packet::data(other, 1, 1024)), Verdict::Full);
    same!((rig.data(4), rig.data(5)), (Verdict::Waits, Verdict::Waits));
    same!(rig.put(Packet::data(other, 0, 1024)), Verdict::Waits);
    same!((rig.drain(), rig.depot.stats.full, rig.depot.stats.waited), (vec![2, 3, 0, 4, 5], 1, 3));
    Ok(())
}

fn a_quota_is_a_flows_own(fault: Option<Fault>) -> Result<(), String> {
    let config = DepotConfig { quota: 2, ..DepotConfig::default() };
    let mut rig = Rig::new(DepotParams { fault, ..DepotParams::default() }, config, Mode::Standard, 0)?;
    same!((rig.data(1), rig.data(2), rig.data(3)), (Verdict::Held, Verdict::Held, Verdict::Full));
    Ok(())
}

fn tolerance_waits_and_a_late_packet_ends_the_wait(fault: Option<Fault>) -> Result<(), String> {
    let config = DepotConfig { tolerance_packets: 2, tolerance: 10, ..DepotConfig::default() };
    let mut rig = Rig::new(DepotParams { fault, ..DepotParams::default() }, config, Mode::Standard, 0)?;
    same!((rig.data(1), rig.gaps()), (Verdict::Held, vec![]));
    same!((rig.data(0), rig.onward(), rig.gaps()), (Verdict::Forwarded, vec![0, 1], vec![]));
    rig.each(&[2, 4, 5, 6]);
    rig.tick(20);
    same!(rig.gaps(), vec![(3, 1)]);
    // late, in the long haul: held packets of before are not asked for
    rig.data(3);
    rig.each(&[9, 8]);
    rig.data(7);
    rig.tick(60);
    same!((rig.data(10), rig.gaps(), rig.depot.stats.nacks), (Verdict::Forwarded, vec![], 1));
    Ok(())
}

/// A slot map of one segment: it comes back, packet for packet.
fn segments_come_back(fault: Option<Fault>) -> Result<(), String> {
    let mut rig = Rig::new(DepotParams { segments: 1, fault, ..DepotParams::default() }, DepotConfig::default(), Mode::Standard, 0)?;
    for psn in (0..40).step_by(2) {
        same!((rig.data(psn + 1), rig.data(psn)), (Verdict::Held, Verdict::Forwarded));
    }
    same!(rig.depot.in_use().2, 0);
    Ok(())
}

pub(super) const ALL: &[(&str, Trace)] = &[
    ("several gaps in one window", several_gaps_in_one_window),
    ("a NACK says what its card may hear", a_nack_says_what_its_card_may_hear),
    ("pool full with the tail dropped", pool_full_with_the_tail_dropped),
    ("lost Depot-NACKs", a_lost_nack_is_sent_again_one_a_run_and_no_more_than_allowed),
    ("local loss of one packet with many behind", local_loss_of_one_packet_with_many_behind),
    ("loss in a replay", a_loss_in_the_replay_begins_another),
    ("backup full and its packet lost", backup_full_and_its_packet_lost),
    ("last packet and last acknowledgement lost", last_packet_and_last_acknowledgement_lost_behind_the_depot),
    ("RNR, refusal", receiver_not_ready_and_refusal),
    ("READ between WRITEs", a_read_between_writes),
    ("a wider request", a_wider_request_takes_the_slots_of_a_narrow_one),
    ("unsound frames", what_is_not_sound_moves_nothing),
    ("paced drain", a_drain_is_paced_and_nothing_overtakes_it),
    ("full pool that drains", a_full_pool_that_drains_holds_up_its_input),
    ("quota", a_quota_is_a_flows_own),
    ("tolerance", tolerance_waits_and_a_late_packet_ends_the_wait),
    ("segments", segments_come_back),
];
