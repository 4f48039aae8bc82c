//! Two gateways, cards that send in both directions, a long haul that loses both ways.

use super::*;
use crate::lr2::card::{Requester, Responder};
use crate::lr2::gateway::{Gateway, Side};
use crate::lr2::packet::{Key, Kind, Packet};
use crate::lr2::table::{Entry, Mode};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

const DELAY: u64 = 5_000;
const ROUND: u64 = 2 * DELAY;

/// Packets each way until both cards have everything; loss in thousandths; `swapped`: entries of the wrong role.
fn both_ways(loss: u32, packets: u32, seed: u64, swapped: bool) -> Result<[Gateway; 2], String> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let sentry = SentryConfig { local: 400, filter: 3 * ROUND, renack: 400, follow: true, ..SentryConfig::default() };
    let depot = DepotConfig { renack: 2 * ROUND, retry: 1000, ..DepotConfig::default() };
    let gateway = || -> Result<Gateway, String> {
        Ok(Gateway::new(Sentry::new(SentryParams::default(), sentry)?, Depot::new(DepotParams::default(), depot)?))
    };
    let mut gateways = [gateway()?, gateway()?];
    let card = Card { timeout: 8 * ROUND, retries: 1000, ..Card::default() };
    let keys = [Key { source: 1, destination: 2, qp: 20 }, Key { source: 2, destination: 1, qp: 10 }];
    // the same two queue pairs in both directions
    let mut cards = Vec::new();
    for side in 0..2 {
        let entry = Entry { key: keys[side], peer_qp: keys[1 - side].qp, mode: Mode::Standard, initial: Some(0xff_fff0) };
        gateways[side].open(&entry, !swapped)?;
        gateways[1 - side].open(&entry, swapped)?;
        let mut requester = Requester::new(keys[side], 0xff_fff0, card);
        requester.write(packets);
        // answers of one direction have the key of the other
        cards.push((requester, Responder::new(keys[side], keys[1 - side].qp, 0xff_fff0, card)));
    }
    let mut hauls = [VecDeque::<(u64, Packet)>::new(), VecDeque::new()];
    for now in (0..20_000_000).step_by(100) {
        for side in 0..2 {
            let (mut out, mut local) = (Vec::new(), Vec::new());
            while hauls[side].front().is_some_and(|(at, _)| *at <= now) {
                let Some((_, packet)) = hauls[side].pop_front() else { break };
                gateways[side].haul(now, packet, true, &mut out);
            }
            gateways[side].tick(now, &mut out);
            cards[side].0.tick(now);
            local.extend(cards[side].0.take(now));
            loop {
                for packet in local.drain(..) {
                    gateways[side].local(now, packet, true, &mut out);
                }
                for leave in std::mem::take(&mut out) {
                    if leave.side == Side::Haul {
                        if random.random_range(0..1000) >= loss {
                            hauls[1 - side].push_back((now + DELAY, leave.packet));
                        }
                    } else if leave.packet.kind == Kind::Data {
                        cards[side].1.receive(now, &leave.packet, &mut local);
                    } else {
                        cards[side].0.receive(now, &leave.packet);
                    }
                }
                if local.is_empty() {
                    break;
                }
            }
        }
        if cards.iter().all(|card| card.0.finished()) {
            let wrong: u64 = cards.iter().map(|card| card.1.stats.wrong).sum();
            let beyond: u64 = cards.iter().map(|card| card.1.stats.beyond).sum();
            same!((seed, wrong, beyond), (seed, 0, 0));
            return Ok(gateways);
        }
    }
    Err(format!("seed {seed}: not finished, {:?} {:?}", cards[0].0.stats, cards[1].0.stats))
}

#[test]
fn both_directions_are_rebuilt_at_once() {
    for seed in 1..=20 {
        let gateways = both_ways(20, 1000, seed, false).expect("both directions");
        for gateway in gateways {
            assert!(gateway.depot.stats.nacks > 0 && gateway.sentry.stats.asked > 0, "seed {seed}");
        }
    }
}

#[test]
fn roles_that_are_mistaken_rebuild_nothing() {
    // the receiving cards see every gap
    assert!(both_ways(20, 1000, 1, true).is_err());
}
