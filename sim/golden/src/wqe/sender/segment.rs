//! Work requests into packets: what is handed to the packet builder next.

use super::work::{Job, Refusal, Slot, Work, WorkKind};
use super::{QueuePair, Sender};
use crate::bitmap::psn;
use crate::wire::{AtomicEth, Reth, WqeEth};
use crate::wqe::{Fault, MAX_PACKETS, Packet, Part};

/// A packet for the builder, and where its payload comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handed {
    pub packet: Packet,
    /// work request
    pub id: u64,
    /// bytes of the work request before this packet
    pub offset: u32,
}

impl Sender {
    /// The host posts a work request.
    /// # Errors
    /// It is refused, and nothing has changed.
    pub fn post(&mut self, qp: u32, work: Work) -> Result<(), Refusal> {
        let unlimited = self.is(Fault::SenderTooLongTaken);
        let queue = self.config.queue;
        let at = self.queue_pairs.get_mut(&qp).ok_or(Refusal::Closed)?;
        if at.error {
            return Err(Refusal::Error);
        }
        if !work.is_data() && (work.imm.is_some() || work.fence) {
            return Err(Refusal::NoData);
        }
        let mtu = at.open.mtu;
        if work.bytes > MAX_PACKETS * mtu && !unlimited {
            return Err(Refusal::TooLong);
        }
        if at.jobs.len() >= queue {
            return Err(Refusal::Full);
        }
        let packets = work.bytes.div_ceil(mtu).max(1);
        let (count, span) = match work.kind {
            WorkKind::Send | WorkKind::Write { .. } => (packets, packets),
            WorkKind::Read { .. } => (1, packets),
            WorkKind::FetchAdd { .. } => (1, 1),
        };
        at.jobs.push_back(Job { work, count, span, sequence: None, begin: None, sent: 0 });
        Ok(())
    }

    /// The builder has room: the next packet, if there is one. Queue pairs take turns, and of each what is to be sent again goes first.
    pub fn hand(&mut self) -> Option<Handed> {
        let after = self.queue_pairs.range(self.turn + 1..).map(|(&qp, _)| qp);
        let order: Vec<u32> = after.chain(self.queue_pairs.range(..=self.turn).map(|(&qp, _)| qp)).collect();
        let (qp, handed) = order.into_iter().find_map(|qp| self.hand_of(qp).map(|handed| (qp, handed)))?;
        self.turn = qp;
        Some(handed)
    }

    /// As [`Sender::hand`], of the queue pair that somebody else has chosen.
    pub fn hand_of(&mut self, qp: u32) -> Option<Handed> {
        let (now, config) = (self.now, self.config);
        let at = self.queue_pairs.get_mut(&qp).filter(|at| !at.error)?;
        let pending = at.pending.first().copied();
        let new_first = config.fault == Some(Fault::SenderNewGoesFirst) && at.next_is_allowed(config.window, config.open);
        if let Some(position) = pending.filter(|_| !new_first) {
            at.pending.remove(&position);
            self.counters.retransmitted += 1;
            if let Some(slot) = at.slots.get_mut((position - at.count) as usize) {
                slot.again = Some(now);
            }
            return at.packet((position - at.count) as u32, true, config.fault);
        }
        if !at.next_is_allowed(config.window, config.open) {
            return None;
        }
        if at.slots.is_empty() {
            at.started = now;
        }
        self.counters.sent += 1;
        at.new_packet(config.fault)
    }
}

impl QueuePair {
    /// The windows of packets and of WQEs have room for the next packet.
    fn next_is_allowed(&self, window: u32, open: u32) -> bool {
        let Some(job) = self.jobs.get(self.next_job) else { return false };
        let needed = if job.sent == 0 { job.span.div_ceil(job.count) } else { 1 };
        // A request of many numbers is never longer than a window: it goes at least when nothing else is under way.
        if !self.slots.is_empty() && self.slots.len() + needed as usize > window.min(self.allowed) as usize {
            return false;
        }
        // A WQE is begun when the receiver can have it open.
        let oldest = self.jobs.iter().find_map(|job| job.sequence).unwrap_or(self.next_sequence);
        job.sent > 0 || !job.work.is_data() || self.next_sequence.wrapping_sub(oldest) < open
    }

    fn new_packet(&mut self, fault: Option<Fault>) -> Option<Handed> {
        let (position, sequence) = (self.slots.len() as u32, self.next_sequence);
        let job = self.jobs.get_mut(self.next_job)?;
        if job.sent == 0 {
            job.begin = Some(self.count + u64::from(position));
            if job.work.is_data() {
                job.sequence = Some(sequence);
                let saturates = fault == Some(Fault::SenderSequenceSaturates);
                self.next_sequence = if saturates { sequence.saturating_add(1) } else { sequence.wrapping_add(1) };
            }
        }
        let number = self.first_job + self.next_job as u64;
        let spans = job.count == 1;
        let one = spans && fault == Some(Fault::SenderReadTakesOne);
        let indices = if one {
            0..1
        } else if spans {
            0..job.span
        } else {
            job.sent..job.sent + 1
        };
        if one {
            job.span = 1;
        }
        self.slots.extend(indices.map(|index| Slot { job: number, index, spans, again: None }));
        job.sent += 1;
        if job.sent == job.count {
            self.next_job += 1;
        }
        self.packet(position, false, fault)
    }

    /// The packet whose first number is so many after the base.
    fn packet(&self, offset: u32, again: bool, fault: Option<Fault>) -> Option<Handed> {
        let slot = self.slots.get(offset as usize)?;
        let job = self.jobs.get((slot.job - self.first_job) as usize)?;
        let mtu = self.open.mtu;
        let number = match job.work.is_data() {
            true => psn::add(self.base, offset),
            // The first number may be acknowledged, if a peer says so.
            false => psn::sub(psn::add(self.base, offset), slot.index),
        };
        let mut packet = Packet {
            qp: self.open.qp,
            psn: number,
            opcode: job.opcode(),
            retransmission: again,
            wqe: None,
            reth: None,
            atomic: None,
            imm: None,
            bytes: 0,
        };
        let (last, index) = (job.count - 1, slot.index);
        let mut offset = index * mtu;
        match job.work.kind {
            WorkKind::Read { address, rkey } => packet.reth = Some(Reth { address, rkey, length: job.work.bytes }),
            WorkKind::FetchAdd { address, rkey, add } => {
                packet.atomic = Some(AtomicEth { address, rkey, swap_or_add: add, compare: 0 });
            }
            WorkKind::Send | WorkKind::Write { .. } => {
                let part = match (index == 0, index == last) {
                    (true, true) => Part::Only,
                    (true, false) => Part::First,
                    (false, true) => Part::Last,
                    (false, false) => Part::Middle,
                };
                let imm = job.work.imm.filter(|_| part.ends() && fault != Some(Fault::SenderImmediateLost));
                packet.opcode = Packet::opcode(job.work.kind == WorkKind::Send, part, imm.is_some());
                packet.imm = imm;
                if let (WorkKind::Write { address, rkey }, true) = (job.work.kind, part.begins()) {
                    packet.reth = Some(Reth { address, rkey, length: job.work.bytes });
                }
                packet.bytes = (job.work.bytes - offset).min(mtu);
                packet.wqe = Some(header(job, offset, mtu, again, fault));
                if fault == Some(Fault::SenderWrongPayload) && again {
                    offset = 0;
                }
            }
        }
        Some(Handed { packet, id: job.work.id, offset })
    }
}

fn header(job: &Job, offset: u32, mtu: u32, again: bool, fault: Option<Fault>) -> WqeEth {
    let sequence = job.sequence.unwrap_or(0);
    let (bytes, fence) = (job.work.bytes, job.work.fence);
    match fault {
        Some(Fault::SenderOffsetInPackets) => WqeEth::new(sequence, offset / mtu, bytes, fence),
        Some(Fault::SenderOffsetFromOne) => WqeEth::new(sequence, offset + mtu, bytes, fence),
        Some(Fault::SenderTotalOfRest) => WqeEth::new(sequence, offset, bytes - offset, fence),
        Some(Fault::SenderFenceLost) => WqeEth::new(sequence, offset, bytes, false),
        Some(Fault::SenderSequenceOfPast) if again => WqeEth::new(sequence.wrapping_sub(1), offset, bytes, fence),
        _ => WqeEth::new(sequence, offset, bytes, fence),
    }
}
