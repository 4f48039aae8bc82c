//! Messages of a requester between posting and acknowledgement, and the packets of them that are under way.
//!
//! A position counts packets from the opening of the queue pair, without wrap. Packets from `base` to `next` are unacknowledged; those from
//! `cursor` to `next` are pending: they are to be sent again.

use super::{Fault, MAX_MESSAGE, Message, NakCode, message};
use crate::bitmap::psn;
use crate::wire::Frame;
use std::collections::VecDeque;

/// How a work request or command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// the peer has all of it
    Success,
    /// too many tries without progress
    RetryLimit,
    /// the receiver was not ready too often
    RnrRetryLimit,
    /// the peer has refused it
    Refused(NakCode),
    /// one before it has failed
    Flushed,
}

/// A work request or command is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    pub id: u64,
    pub outcome: Outcome,
}

/// Why nothing is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    #[error("the queue pair is in error")]
    Error,
    /// more than 2^31 bytes
    #[error("longer than 2^31 bytes")]
    TooLong,
}

/// A packet for the wire: `bytes` bytes of work request or command `id` from `offset` on are its payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handed {
    pub frame: Frame,
    pub id: u64,
    pub offset: u64,
    pub bytes: u32,
    /// it was sent before
    pub again: bool,
}

/// How often things happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// new packets
    pub sent: u64,
    /// packets sent again
    pub sent_again: u64,
    /// times that it went back, for whatever reason
    pub go_backs: u64,
    /// NAKs for a sequence error that moved it
    pub naks: u64,
    pub rnr_naks: u64,
    pub timeouts: u64,
    /// answers about packets that were never sent, or not about those that are unacknowledged
    pub bad_answer: u64,
    /// syndromes without meaning
    pub bad_syndrome: u64,
    /// frames that are no acknowledgement
    pub unexpected: u64,
}

/// A message that is not acknowledged.
#[derive(Clone, Copy, Debug)]
struct Job {
    id: u64,
    message: Message,
    /// bytes of the work request or command before it
    before: u64,
    /// its first packet, and how many there are
    begin: u64,
    packets: u32,
    /// the work request or command ends with it
    ends: bool,
}

impl Job {
    fn end(&self) -> u64 {
        self.begin + u64::from(self.packets)
    }
}

/// Everything that is posted and not acknowledged.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    mtu: u32,
    to: u32,
    first: u32,
    pub base: u64,
    pub cursor: u64,
    pub next: u64,
    end: u64,
    jobs: VecDeque<Job>,
    done: VecDeque<Done>,
}

impl Flight {
    pub fn new(to: u32, first: u32, mtu: u32) -> Flight {
        Flight { mtu, to, first, base: 0, cursor: 0, next: 0, end: 0, jobs: VecDeque::new(), done: VecDeque::new() }
    }

    pub fn post(&mut self, id: u64, message: Message, before: u64, ends: bool) -> Result<(), Refusal> {
        if message.bytes > MAX_MESSAGE {
            return Err(Refusal::TooLong);
        }
        let packets = message::packets(message.bytes, self.mtu);
        self.jobs.push_back(Job { id, message, before, begin: self.end, packets, ends });
        self.end += u64::from(packets);
        Ok(())
    }

    /// The number of the packet at a position.
    pub fn number(&self, position: u64) -> u32 {
        psn::add(self.first, (position % u64::from(psn::SPACE)) as u32)
    }

    /// The position of a packet from `base` to `next`, both included.
    pub fn position(&self, number: u32) -> Option<u64> {
        let position = self.base + u64::from(psn::ahead(self.number(self.base), number));
        (position <= self.next).then_some(position)
    }

    /// A number that was acknowledged before: an answer that was overtaken names one.
    pub fn is_old(&self, number: u32) -> bool {
        psn::before(number, self.number(self.base))
    }

    /// Packets that are unacknowledged.
    pub fn in_flight(&self) -> u64 {
        self.next - self.base
    }

    /// Whether there is a packet to be sent, with at most `window` unacknowledged.
    pub fn is_ready(&self, window: u64) -> bool {
        self.cursor < self.next || (self.cursor < self.end && self.in_flight() < window)
    }

    /// The packet at the cursor; an acknowledgement is asked for at the end of a message and every `ack_every` packets of it, 0: at the end
    /// alone.
    pub fn take(&mut self, ack_every: u32, fault: Option<Fault>) -> Option<Handed> {
        let at = self.jobs.partition_point(|job| job.end() <= self.cursor);
        let job = *self.jobs.get(at)?;
        let index = (self.cursor - job.begin) as u32;
        let to = (self.to, self.number(self.cursor));
        let (mut frame, offset, bytes) = job.message.packet(index, self.mtu, to, fault);
        let last = index + 1 == job.packets && fault != Some(Fault::MessageEndUnasked);
        frame.bth.ack_request = last || (ack_every > 0 && index % ack_every == ack_every - 1);
        let again = self.cursor < self.next;
        self.cursor += 1;
        self.next = self.next.max(self.cursor);
        Some(Handed { frame, id: job.id, offset: job.before + u64::from(offset), bytes, again })
    }

    /// Everything before `to` has arrived: whether anything of that is news.
    pub fn acknowledge(&mut self, to: u64) -> bool {
        let moved = to > self.base;
        self.base = self.base.max(to);
        self.cursor = self.cursor.max(self.base);
        while let Some(job) = self.jobs.front().filter(|job| job.end() <= self.base) {
            if job.ends {
                self.done.push_back(Done { id: job.id, outcome: Outcome::Success });
            }
            self.jobs.pop_front();
        }
        moved
    }

    /// Ends everything: the oldest with this outcome, the others flushed.
    pub fn fail(&mut self, outcome: Outcome) {
        let mut outcome = Some(outcome);
        for job in self.jobs.drain(..).filter(|job| job.ends) {
            self.done.push_back(Done { id: job.id, outcome: outcome.take().unwrap_or(Outcome::Flushed) });
        }
        (self.cursor, self.end) = (self.next, self.next);
    }

    /// The next work request or command that is done, in the order of posting.
    pub fn done(&mut self) -> Option<Done> {
        self.done.pop_front()
    }

    /// Nothing is left that was posted.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }
}
