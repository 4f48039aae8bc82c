//! `StartGate` between an op table and a packet engine that are played, held to the golden model.

use crate::pins::{Pins, chance};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_golden::OP_BITS;
use rdma_rtl_golden::send::start_gate::{Goes, StartGate};
use rdma_rtl_sim::Model;

/// How a run goes: percent of the clocks.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// a packet is wanted
    pub offer: u32,
    /// packets are acknowledged
    pub ack: u32,
    /// what goes on is taken, each stream
    pub take: u32,
}

/// What a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub again: u64,
    pub restarts: u64,
    pub clocks: u64,
}

/// `count` packets are wanted, of few operations, so that generations of one index meet. What goes on is what the golden model says, one
/// clock later.
/// # Errors
/// The first difference.
pub fn bench(model: &mut dyn Model, index_bits: u32, count: u64, pace: Pace, seed: u64) -> Result<Seen, String> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pins = Pins::new(model);
    let packets = 1u16 << pins.width("wanted_packet");
    let tries = 1u8 << pins.width("wanted_try");
    pins.reset(2);
    ["ack_valid", "wanted_valid"].iter().for_each(|name| pins.set(name, 0));
    (0..1u32 << index_bits).for_each(|_| pins.clock());
    let mut golden = StartGate::new(index_bits);
    // The first life of an index is generation 0, the last one before it comes again is all ones.
    let mut live: Vec<u32> = (0..4.min(1u32 << index_bits)).collect();
    let mut seen = Seen::default();
    let mut offer: Option<(u32, u16, u8, bool)> = None;
    let mut held: Option<(Goes, (u32, u16, u8, bool))> = None;
    // An acknowledgement counts for what comes two clocks later.
    let mut written = None;
    let mut taken = 0;
    let start = pins.cycle();
    while taken < count || held.is_some() {
        let now = pins.cycle();
        if chance(&mut rng, 10) {
            let at = rng.random_range(0..live.len());
            live[at] = (live[at] + (1 << index_bits)) % (1 << OP_BITS);
        }
        let any = |rng: &mut ChaCha8Rng| live[rng.random_range(0..live.len())];
        if offer.is_none() && taken < count && chance(&mut rng, pace.offer) {
            let packet = if rng.random_bool(0.3) { 0 } else { rng.random_range(0..packets) };
            offer = Some((any(&mut rng), packet, rng.random_range(0..tries), rng.random_bool(0.8)));
        }
        let acked = chance(&mut rng, pace.ack).then(|| any(&mut rng));
        pins.set("ack_valid", acked.is_some().into());
        pins.set("ack_op", acked.unwrap_or_else(|| rng.random_range(0..1 << OP_BITS)).into());
        pins.set("wanted_valid", offer.is_some().into());
        if let Some((op, packet, attempt, expired)) = offer {
            let fields = [("op", op.into()), ("packet", packet.into()), ("try", attempt.into()), ("expired", u64::from(expired))];
            fields.into_iter().for_each(|(name, value)| pins.set(&format!("wanted_{name}"), value));
        }
        let takes = [0; 2].map(|_| chance(&mut rng, pace.take));
        pins.set("again_ready", takes[0].into());
        pins.set("restart_ready", takes[1].into());
        pins.eval();

        let goes = held.map(|(goes, _)| goes);
        pins.check("again_valid", (goes == Some(Goes::Again)).into())?;
        pins.check("restart_valid", (goes == Some(Goes::Restart)).into())?;
        pins.check("idle", held.is_none().into())?;
        if let Some((_, (op, packet, attempt, expired))) = held {
            for (name, value) in [("op", op.into()), ("packet", packet.into()), ("try", attempt.into()), ("expired", u64::from(expired))] {
                pins.check(&format!("out_{name}"), value).map_err(|what| format!("cycle {now}: {what}"))?;
            }
        }
        let leaves = match goes {
            Some(Goes::Again) => takes[0],
            Some(Goes::Restart) => takes[1],
            None => false,
        };
        if leaves {
            seen.again += u64::from(goes == Some(Goes::Again));
            seen.restarts += u64::from(goes == Some(Goes::Restart));
            held = None;
        }
        // One place: what comes takes it as what was there leaves.
        pins.check("wanted_ready", held.is_none().into())?;
        if held.is_none()
            && let Some(wanted) = offer.take()
        {
            held = Some((golden.wanted(wanted.0, wanted.1, wanted.3), wanted));
            taken += 1;
        }
        if let Some(op) = std::mem::replace(&mut written, acked) {
            golden.acknowledged(op);
        }
        pins.clock();
        if let Some(reason) = pins.failure() {
            return Err(reason);
        }
    }
    seen.clocks = pins.cycle() - start;
    Ok(seen)
}
