//! Traces of the whole way: cards, segments, both boxes, losses as told.

use super::*;
use crate::lr2::packet::Kind;
use crate::lr2::path::{FAR, HAUL, Loss, NEAR};

/// What becomes of `messages` when these are lost, for both kinds of cards and PSNs that wrap anywhere.
fn way(fault: Option<Fault>, messages: &[(u32, bool)], losses: &[(usize, bool, Kind, u32, u32)], check: Check) -> Result<(), String> {
    for aware in [false, true] {
        for initial in [0, 0xff_fff0, 0xff_fffa, 0xff_ffff] {
            let round = 22_000;
            let card = Card { timeout: 8 * round, aware, rnr_wait: 500, ..Card::default() };
            let delays = [500, 10_000, 500].map(|delay| Segment { delay, ..Segment::default() });
            let config = Config { segments: delays, interval: 100, card, posts: None, limit: 10_000_000 };
            let sentry = SentryConfig { local: 4000, filter: 3 * round, renack: 3000, follow: true, ..SentryConfig::default() };
            let depot = DepotConfig { renack: 2 * round, retry: 3000, ..DepotConfig::default() };
            let sentry = Sentry::new(SentryParams { fault, ..SentryParams::default() }, sentry)?;
            let mut path = Path::new(sentry, Depot::new(DepotParams { fault, ..DepotParams::default() }, depot)?, config, 1);
            path.flow(initial, messages)?;
            for &(segment, onward, kind, on, nth) in losses {
                let psn = if on == u32::MAX { on } else { (initial + on) & 0xff_ffff };
                path.lose(Loss { segment, onward, kind, psn, nth });
            }
            path.run()?;
            check(&path).map_err(|wrong| format!("aware {aware}, first PSN {initial:#x}: {wrong}"))?;
        }
    }
    Ok(())
}

type Check = fn(&Path<Sentry, Depot>) -> Result<(), String>;

/// The boxes did it: no time-out of the card, and the receiving card saw nothing missing.
fn unseen(path: &Path<Sentry, Depot>) -> Result<(), String> {
    same!((path.requester(0).stats.timeouts, path.responder(0).stats.beyond, path.responder(0).stats.naks), (0, 0, 0));
    Ok(())
}

fn losses_everywhere_at_once(fault: Option<Fault>) -> Result<(), String> {
    // in the order of the way, and against it
    for [near, haul, far] in [[10, 20, 30], [30, 20, 10], [20, 20, 20], [15, 16, 17], [17, 16, 15]] {
        let lost = [(NEAR, true, Kind::Data, near, 0), (HAUL, true, Kind::Data, haul, 0), (FAR, true, Kind::Data, far, 0)];
        way(fault, &[(100, false)], &lost, |path| {
            same!((path.requester(0).stats.timeouts, path.sentry.stats.sentry_nacks > 0, path.depot.stats.nacks > 0), (0, true, true));
            // nothing comes behind the last of these for so long that the card cannot see it
            same!(path.depot.stats.naks + path.depot.stats.timeouts, 1);
            Ok(())
        })
        .map_err(|wrong| format!("{near} {haul} {far}: {wrong}"))?;
    }
    Ok(())
}

fn several_gaps(fault: Option<Fault>) -> Result<(), String> {
    let lost = [5, 6, 9, 20, 40].map(|psn| (HAUL, true, Kind::Data, psn, 0));
    way(fault, &[(100, false)], &lost, |path| {
        unseen(path)?;
        // each lost packet crosses once more
        same!((path.crossed, path.sentry.stats.asked), (105, 5));
        Ok(())
    })
}

fn last_packet_lost(fault: Option<Fault>) -> Result<(), String> {
    way(fault, &[(50, false)], &[(FAR, true, Kind::Data, 49, 0)], |path| {
        same!((path.requester(0).stats.timeouts, path.depot.stats.timeouts), (0, 1));
        Ok(())
    })?;
    way(fault, &[(50, false)], &[(HAUL, true, Kind::Data, 49, 0)], |path| {
        same!((path.requester(0).stats.timeouts, path.responder(0).stats.beyond), (1, 0));
        Ok(())
    })
}

fn last_acknowledgement_lost(fault: Option<Fault>) -> Result<(), String> {
    way(fault, &[(16, false)], &[(HAUL, false, Kind::Ack, 15, 0)], |path| {
        same!((path.requester(0).stats.timeouts, path.depot.stats.reacks >= 1, path.responder(0).stats.duplicates), (1, true, 0));
        Ok(())
    })?;
    way(fault, &[(16, false)], &[(FAR, false, Kind::Ack, 15, 0)], |path| {
        same!((path.requester(0).stats.timeouts, path.depot.stats.timeouts), (0, 1));
        Ok(())
    })
}

fn retransmission_lost_twice(fault: Option<Fault>) -> Result<(), String> {
    let lost = [0, 1, 2].map(|nth| (HAUL, true, Kind::Data, 7, nth));
    way(fault, &[(64, false)], &lost, |path| {
        same!((path.depot.stats.renacks, path.crossed >= 67), (2, true));
        unseen(path)
    })
}

fn depot_nack_lost(fault: Option<Fault>) -> Result<(), String> {
    way(fault, &[(64, false)], &[(HAUL, true, Kind::Data, 7, 0), (HAUL, false, Kind::Nak, u32::MAX, 0)], |path| {
        same!((path.depot.stats.renacks, path.crossed), (1, 65));
        unseen(path)
    })
}

fn read_between_writes(fault: Option<Fault>) -> Result<(), String> {
    for (kind, psn) in [(Kind::Request, 5), (Kind::Data, 4), (Kind::Data, 13)] {
        way(fault, &[(5, false), (8, true), (60, false)], &[(HAUL, true, kind, psn, 0)], |path| {
            same!((path.requester(0).stats.timeouts, path.responder(0).stats.beyond), (0, 0));
            Ok(())
        })?;
    }
    Ok(())
}

pub(super) const ALL: &[(&str, Trace)] = &[
    ("losses everywhere at once", losses_everywhere_at_once),
    ("several gaps", several_gaps),
    ("last packet lost", last_packet_lost),
    ("last acknowledgement lost", last_acknowledgement_lost),
    ("retransmission lost twice", retransmission_lost_twice),
    ("Depot-NACK lost", depot_nack_lost),
    ("READ between WRITEs", read_between_writes),
];
