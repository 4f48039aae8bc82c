//! Sees every decision of both ends and everything on the wire, and knows what must not be.

use super::ends::{Decision, Told, Verdict};
use super::{Note, Packet};
use rdma_rtl_golden::bitmap::psn;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A run of packets that belong together.
#[derive(Clone, Copy, Debug)]
struct Flow {
    end: u64,
    posted: u64,
}

/// What is known of a queue pair. Packets are counted from 0 and never wrap.
#[derive(Clone, Debug, Default)]
struct QueuePair {
    offered: u64,
    sent: u64,
    /// the sender has been told that everything before has arrived, and these beyond
    floor: u64,
    above: BTreeSet<u64>,
    /// everything before has arrived, and these beyond
    reached: u64,
    beyond: BTreeSet<u64>,
    /// copies that wait for the wire or are on their way and will arrive
    copies: BTreeMap<u64, u64>,
    /// packets beyond `reached` of which a copy has been at the receiver, whatever became of it
    seen: BTreeSet<u64>,
    flows: VecDeque<Flow>,
}

impl QueuePair {
    fn has(&self, at: u64) -> bool {
        at < self.reached || self.beyond.contains(&at)
    }
}

/// What a token bucket allows.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// bytes per clock, most that are saved up, bytes of a packet
    rate: f64,
    burst: f64,
    packet: f64,
    /// bytes of the ticks by which the block may be ahead
    slack: f64,
    level: f64,
    since: u64,
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub sent: u64,
    pub again: u64,
    /// of these, a copy had been at the receiver, waited for the wire or was on its way and to arrive
    pub redundant: u64,
    pub timeouts: u64,
    /// packets that were new, a second time, of no use
    pub verdicts: [u64; 3],
    pub acknowledgements: u64,
    pub feedback: u64,
    /// packets that feedback has made pending
    pub pending: u64,
}

/// All of it.
pub struct Watch {
    first: u32,
    window: u64,
    bucket: Option<Bucket>,
    /// a packet beyond the receiver's window is none that a sender may send
    bitmap: bool,
    queue_pairs: Vec<QueuePair>,
    pub counts: Counts,
    /// clocks that each flow took until its sender knew
    pub flows: Vec<u64>,
    /// clocks of the first and of the last new packet
    pub span: Option<(u64, u64)>,
    /// of the last step forward
    pub moved: u64,
}

/// The packet that a number names, close to `near`.
fn unwrap(first: u32, near: u64, number: u32) -> i64 {
    let at = psn::add(first, (near % u64::from(psn::SPACE)) as u32);
    let ahead = i64::from(psn::ahead(at, number));
    near as i64 + if ahead < i64::from(psn::HALF) { ahead } else { ahead - i64::from(psn::SPACE) }
}

impl Watch {
    /// `limit`: bytes per tick, packets that may be saved up, bytes of a packet, clocks of a tick.
    pub fn new(queue_pairs: u32, first: u32, window: u32, bitmap: bool, limit: Option<(u32, u16, u32, u64)>) -> Watch {
        let bucket = limit.map(|(rate, burst, packet, prescale)| {
            let burst = f64::from(burst) * f64::from(packet);
            Bucket {
                rate: f64::from(rate) / prescale as f64,
                burst,
                packet: packet.into(),
                slack: 2.0 * f64::from(rate),
                level: burst,
                since: 0,
            }
        });
        let queue_pairs = vec![QueuePair::default(); queue_pairs as usize];
        let (counts, flows) = (Counts::default(), Vec::new());
        Watch { first, window: window.into(), bucket, bitmap, queue_pairs, counts, flows, span: None, moved: 0 }
    }

    /// A flow of so many packets is posted.
    pub fn post(&mut self, clock: u64, qp: u32, packets: u64) {
        let at = &mut self.queue_pairs[qp as usize];
        at.offered += packets;
        at.flows.push_back(Flow { end: at.offered, posted: clock });
    }

    /// Everything that was offered has been acknowledged.
    pub fn done(&self) -> bool {
        self.queue_pairs.iter().all(|at| at.floor == at.offered)
    }

    /// Nothing is under way on a queue pair.
    pub fn idle(&self, qp: u32) -> bool {
        self.queue_pairs[qp as usize].flows.is_empty()
    }

    /// Packets that have arrived, and those that were offered.
    pub fn progress(&self) -> (u64, u64) {
        (self.counts.verdicts[0], self.queue_pairs.iter().map(|at| at.offered).sum())
    }

    /// What is to come, for an error.
    pub fn waiting(&self) -> String {
        let open = self.queue_pairs.iter().enumerate().filter(|(_, at)| at.floor < at.offered);
        let texts = open.take(4).map(|(qp, at)| {
            format!(
                "queue pair {qp}: {} of {} sent, up to {} arrived and {} beyond, up to {} acknowledged",
                at.sent,
                at.offered,
                at.reached,
                at.beyond.len(),
                at.floor
            )
        });
        texts.collect::<Vec<_>>().join("; ")
    }

    fn take(&mut self, clock: u64, packets: u64) -> Result<(), String> {
        let Some(bucket) = &mut self.bucket else { return Ok(()) };
        bucket.level = (bucket.level + bucket.rate * (clock - bucket.since) as f64).min(bucket.burst) - bucket.packet * packets as f64;
        bucket.since = clock;
        if bucket.level < -bucket.slack {
            return Err(format!("{} bytes more than the token bucket has", -bucket.level));
        }
        Ok(())
    }

    /// A decision of the sender; the packets that it gives to the wire, in order.
    /// # Errors
    /// What must not be.
    pub fn decided(&mut self, clock: u64, decision: Decision, payload: u32) -> Result<Vec<Packet>, String> {
        let error = |why: String| format!("sender: {decision:?}: {why}");
        let (first, window) = (self.first, self.window);
        match decision {
            Decision::Send { qp, psn: number } => {
                let at = &mut self.queue_pairs[qp as usize];
                if unwrap(first, at.sent, number) != at.sent as i64 || at.sent >= at.offered {
                    return Err(error(format!("{} of {} packets were sent before", at.sent, at.offered)));
                }
                if at.sent >= at.floor + window {
                    return Err(error(format!("beyond the window of {window} from packet {} on", at.floor)));
                }
                *at.copies.entry(at.sent).or_default() += 1;
                at.sent += 1;
                self.counts.sent += 1;
                self.take(clock, 1).map_err(error)?;
                Ok(vec![Packet { qp, psn: number, again: false, payload }])
            }
            Decision::Again { qp, start, length } => {
                let at = &mut self.queue_pairs[qp as usize];
                let mut packets = Vec::new();
                for number in (0..length).map(|offset| psn::add(start, offset)) {
                    let index = unwrap(first, at.floor, number);
                    if index < at.floor as i64 || at.above.contains(&(index as u64)) {
                        return Err(error(format!("{number:#x} is acknowledged")));
                    }
                    if index >= at.sent as i64 {
                        return Err(error(format!("{number:#x} was never sent")));
                    }
                    let copies = at.copies.entry(index as u64).or_default();
                    let redundant = *copies > 0 || at.reached > index as u64 || at.seen.contains(&(index as u64));
                    *copies += 1;
                    self.counts.redundant += u64::from(redundant);
                    packets.push(Packet { qp, psn: number, again: true, payload });
                }
                self.counts.again += u64::from(length);
                self.take(clock, length.into()).map_err(error)?;
                Ok(packets)
            }
            Decision::Applied { note, pending } => {
                self.counts.pending += u64::from(pending);
                self.applied(clock, note);
                Ok(Vec::new())
            }
            Decision::Timeout { .. } => {
                self.counts.timeouts += 1;
                Ok(Vec::new())
            }
            Decision::Error { .. } => Err(error("the retry limit has ended it".into())),
        }
    }

    /// A note has taken effect at the sender.
    fn applied(&mut self, clock: u64, note: Note) {
        let (edge, range) = match note {
            Note::Ack { psn, .. } => (Some(psn::add(psn, 1)), None),
            Note::Range { base, start, length, .. } => (Some(base), Some((start, length))),
            Note::Single { psn, .. } => (None, Some((psn, 1))),
            Note::Feedback { base, .. } => (Some(base), None),
            Note::Nak { psn, .. } => (Some(psn), None),
        };
        let at = &mut self.queue_pairs[note.qp() as usize];
        let before = at.floor;
        let edge = edge.map_or(at.floor as i64, |edge| unwrap(self.first, at.floor, edge));
        // One that is older than what is known changes nothing, a range with it.
        if edge >= at.floor as i64 && edge <= at.sent as i64 {
            at.floor = edge as u64;
            for number in range.into_iter().flat_map(|(start, length)| (0..length).map(move |offset| psn::add(start, offset))) {
                let index = unwrap(self.first, at.floor, number);
                if (at.floor as i64..at.sent as i64).contains(&index) {
                    at.above.insert(index as u64);
                }
            }
        }
        while at.above.remove(&at.floor) {
            at.floor += 1;
        }
        at.above = at.above.split_off(&at.floor);
        if at.floor > before {
            self.moved = clock;
        }
        while let Some(flow) = at.flows.front().filter(|flow| flow.end <= at.floor) {
            self.flows.push(clock - flow.posted);
            at.flows.pop_front();
        }
    }

    /// So many copies of a packet will arrive that had waited for the wire.
    pub fn left(&mut self, packet: Packet, copies: usize) {
        let at = &mut self.queue_pairs[packet.qp as usize];
        let index = unwrap(self.first, at.reached, packet.psn) as u64;
        let known = at.copies.entry(index).or_default();
        *known = *known + copies as u64 - 1;
        if *known == 0 {
            at.copies.remove(&index);
        }
    }

    /// A copy has arrived, whole or broken.
    pub fn arrived(&mut self, packet: Packet, whole: bool) {
        self.left(packet, 0);
        let at = &mut self.queue_pairs[packet.qp as usize];
        let index = unwrap(self.first, at.reached, packet.psn) as u64;
        if whole && index >= at.reached {
            at.seen.insert(index);
        }
    }

    /// What the receiver says.
    /// # Errors
    /// What must not be.
    pub fn told(&mut self, clock: u64, told: Told) -> Result<(), String> {
        let error = |why: String| format!("receiver: {told:?}: {why}");
        match told {
            Told::Verdict(packet, verdict) => {
                let at = &mut self.queue_pairs[packet.qp as usize];
                let index = unwrap(self.first, at.reached, packet.psn);
                if index >= at.sent as i64 {
                    return Err(error("it was never sent".into()));
                }
                let had = index < 0 || at.has(index as u64);
                self.counts.verdicts[verdict as usize] += 1;
                match verdict {
                    Verdict::New if had => return Err(error("it had arrived before".into())),
                    Verdict::Duplicate if !had => return Err(error("it had never arrived".into())),
                    Verdict::Dropped if self.bitmap => return Err(error("a sender that keeps to its window sends nothing beyond".into())),
                    Verdict::New => {
                        at.beyond.insert(index as u64);
                        while at.beyond.remove(&at.reached) {
                            at.seen.remove(&at.reached);
                            at.reached += 1;
                        }
                        self.span = Some((self.span.map_or(clock, |(first, _)| first), clock));
                        self.moved = clock;
                    }
                    _ => {}
                }
                Ok(())
            }
            Told::Note(note) => {
                let at = &self.queue_pairs[note.qp() as usize];
                let unwrap = |number| unwrap(self.first, at.reached, number);
                let (edge, range) = match note {
                    Note::Ack { psn, .. } => (psn::add(psn, 1), None),
                    Note::Range { base, start, length, .. } => (base, Some((start, length))),
                    Note::Single { psn, .. } => (psn::add(self.first, (at.reached % u64::from(psn::SPACE)) as u32), Some((psn, 1))),
                    Note::Feedback { base, .. } => (base, None),
                    Note::Nak { psn, .. } => (psn, None),
                };
                if unwrap(edge) > at.reached as i64 {
                    return Err(error(format!("packet {} has not arrived", at.reached)));
                }
                let mut range = range.into_iter().flat_map(|(start, length)| (0..length).map(move |offset| psn::add(start, offset)));
                if let Some(number) = range.find(|&number| unwrap(number) >= 0 && !at.has(unwrap(number) as u64)) {
                    return Err(error(format!("{number:#x} has not arrived")));
                }
                match note {
                    Note::Feedback { .. } | Note::Nak { .. } => self.counts.feedback += 1,
                    _ => self.counts.acknowledgements += 1,
                }
                Ok(())
            }
        }
    }

    /// At the end: everything has arrived once, and both ends know. `window` and `base` as the ends have them.
    /// # Errors
    /// What is left.
    pub fn finish(&self, window: impl Fn(u32) -> Option<(u32, u32)>, base: impl Fn(u32) -> Option<u32>) -> Result<(), String> {
        for (qp, at) in (0..).zip(&self.queue_pairs) {
            let end = psn::add(self.first, (at.offered % u64::from(psn::SPACE)) as u32);
            if (at.reached, at.floor) != (at.offered, at.offered) {
                return Err(self.waiting());
            }
            if window(qp) != Some((end, end)) || base(qp) != Some(end) {
                return Err(format!(
                    "queue pair {qp}: everything up to {end:#x} has arrived; the sender has {:x?}, the receiver {:x?}",
                    window(qp),
                    base(qp)
                ));
            }
        }
        match self.counts.verdicts[0] == self.progress().1 {
            true => Ok(()),
            false => Err(format!("{} packets were new of {}", self.counts.verdicts[0], self.progress().1)),
        }
    }
}
