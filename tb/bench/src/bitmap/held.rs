//! Acknowledgements that wait for the next packets of their queue pairs.
//! `HoldGate` has no bench of its own: this is the one, of acknowledgements and of ranges.

use super::follow::Follow;
use super::situations::{PRESCALE, defaults};
use super::{Command, Header};
use rdma_rtl_golden::bitmap::{Config, Params, psn};
use rdma_rtl_sim::Model;

const FIRST: u32 = psn::SPACE - 20;
const PACKETS: u32 = 200;

fn begin<'a>(model: &'a mut dyn Model, params: Params, hold: u32, range_ack: bool) -> Result<Follow<'a>, String> {
    let mut follow = Follow::new(model, params, Config { ack_hold: hold, range_ack, ..defaults() }, PRESCALE)?;
    follow.run(Command::Open { qp: 0, psn: FIRST })?;
    Ok(follow)
}

fn packet(follow: &mut Follow, number: u32) -> Result<(), String> {
    follow.step(Some(Header { psn: (FIRST + number) % psn::SPACE, ..Header::default() }), None).map(|_| ())
}

/// A packet a tick: as many acknowledgements as there are times to wait.
pub(super) fn steady(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for hold in [1, 4, 8, 20] {
        let mut follow = begin(model, params, hold, false)?;
        for number in 0..PACKETS {
            packet(&mut follow, number)?;
            follow.idle(PRESCALE - 1)?;
        }
        let (least, most) = (u64::from(PACKETS / (hold + 2)) / u64::from(params.granularity), u64::from(PACKETS / hold) + 1);
        let acks = follow.counts.acks;
        if !(least..=most).contains(&acks) {
            return Err(format!(
                "{acks} acknowledgements for {PACKETS} packets, each held for {hold} ticks; {least} to {most} are expected"
            ));
        }
        follow.settle(PRESCALE)?;
    }
    Ok(())
}

/// Behind a missing packet one comes a tick: as many ranges as there are times to wait.
pub(super) fn behind_a_gap(model: &mut dyn Model, params: Params) -> Result<(), String> {
    if params.granularity > 1 {
        // A group is told when its packets have all come: another count.
        return Ok(());
    }
    let packets = PACKETS.min(params.packets() - 1);
    for hold in [0, 4, 8] {
        let mut follow = begin(model, params, hold, true)?;
        for number in 1..=packets {
            packet(&mut follow, number)?;
            follow.idle(PRESCALE - 1)?;
        }
        // A packet comes in fewer clocks than a range takes: some are told together even if none waits.
        let times = |hold: u32| u64::from(packets / hold.max(1));
        let least = if hold == 0 { times(2) } else { times(hold + 2) };
        let most = 2 * times(hold) + 2;
        let ranges = follow.counts.ranges;
        if !(least..=most).contains(&ranges) {
            return Err(format!("{ranges} ranges for {packets} packets, each held for {hold} ticks; {least} to {most} are expected"));
        }
        follow.settle(PRESCALE)?;
    }
    Ok(())
}

/// The acknowledgement of the only packet, and that of the next one behind it: each waits as long, and no longer.
pub(super) fn alone(model: &mut dyn Model, params: Params) -> Result<(), String> {
    for hold in [0, 1, 3, 50] {
        let mut follow = begin(model, params, hold, false)?;
        for round in 1..=3 {
            for number in 0..params.granularity {
                packet(&mut follow, (round - 1) * params.granularity + number)?;
            }
            let mut clocks = 0;
            while follow.counts.acks < u64::from(round) {
                follow.idle(1)?;
                clocks += 1;
                if clocks > 100 * PRESCALE {
                    return Err(format!("acknowledgement {round} has not come {clocks} clocks behind its packet, hold {hold}"));
                }
            }
            let (least, most) = (u64::from(hold.saturating_sub(1)) * PRESCALE, u64::from(hold) * PRESCALE + 40);
            if !(least..=most).contains(&clocks) {
                return Err(format!("acknowledgement {round} comes {clocks} clocks behind its packet; {least} to {most} are expected"));
            }
            follow.idle(7 * u64::from(round))?;
        }
        follow.settle(PRESCALE)?;
    }
    Ok(())
}
