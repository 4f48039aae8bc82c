//! The requester of a plain peer.
//!
//! Source: the InfiniBand transport, reliable connection. An acknowledgement speaks for all packets before it. A NAK for a sequence error
//! sends it back to the packet that it names; an RNR NAK too, after its time. A time-out sends it back to the oldest packet that is not
//! acknowledged. NAKs and time-outs without progress in between count as retries; RNR NAKs have a count of their own, for which 7 means for
//! ever. Any other NAK, and a count that is used up, puts the queue pair in error: what is posted ends with a code.
//!
//! Where the specification leaves a choice: a NAK for a sequence error that comes while the time of an RNR NAK runs does not shorten it
//! (soft-RoCE sends one behind each RNR NAK); an answer about a packet that is not unacknowledged and a syndrome without meaning are
//! counted and change nothing.

use super::flight::Flight;
use super::{Answer, Counters, Done, Fault, Handed, Message, Open, Outcome, Refusal};
use crate::wire::Frame;

/// Attributes of the queue pair. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequesterConfig {
    /// packets that may be unacknowledged
    pub window: u32,
    /// packets of a message after which an acknowledgement is asked for, 0: at its end alone; at most the window
    pub ack_every: u32,
    /// without progress for longer it goes back to the base, 0: never
    pub timeout: u32,
    /// NAKs and time-outs without progress that it survives
    pub retry_count: u32,
    /// RNR NAKs without progress that it survives, 7: all
    pub rnr_retry: u32,
    /// ticks in 10 microseconds, the unit of the times of RNR NAKs
    pub rnr_unit: u32,
    /// a mistake made on purpose
    pub fault: Option<Fault>,
}

impl Default for RequesterConfig {
    fn default() -> RequesterConfig {
        RequesterConfig { window: 256, ack_every: 16, timeout: 1000, retry_count: 7, rnr_retry: 7, rnr_unit: 10, fault: None }
    }
}

impl RequesterConfig {
    /// # Errors
    /// What is not possible, with what is.
    pub fn check(&self) -> Result<(), String> {
        if self.window == 0 || self.window >= 1 << 23 || self.ack_every > self.window {
            return Err(format!("window {} (1 to 2^23 - 1), ack_every {} (up to the window)", self.window, self.ack_every));
        }
        Ok(())
    }
}

/// A work request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// the host's own name for it
    pub id: u64,
    pub message: Message,
}

/// The model of one queue pair.
#[derive(Clone, Debug)]
pub struct Requester {
    config: RequesterConfig,
    flight: Flight,
    now: u64,
    /// when its timer was last started
    since: u64,
    retries: u32,
    rnr_tries: u32,
    /// nothing is sent up to this tick
    rests_until: Option<u64>,
    error: bool,
    counters: Counters,
}

impl Requester {
    /// A queue pair that is ready to send.
    /// # Errors
    /// A configuration that is not possible.
    pub fn new(config: RequesterConfig, open: Open) -> Result<Requester, String> {
        config.check()?;
        open.check()?;
        Ok(Requester {
            config,
            flight: Flight::new(open.peer, open.psn, open.mtu),
            now: 0,
            since: 0,
            retries: 0,
            rnr_tries: 0,
            rests_until: None,
            error: false,
            counters: Counters::default(),
        })
    }

    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    pub fn in_error(&self) -> bool {
        self.error
    }

    /// Everything posted is done.
    pub fn is_idle(&self) -> bool {
        self.flight.is_empty()
    }

    /// The next work request that is done, in the order of posting.
    pub fn done(&mut self) -> Option<Done> {
        self.flight.done()
    }

    /// # Errors
    /// It is refused, with nothing done.
    pub fn post(&mut self, work: Work) -> Result<(), Refusal> {
        if self.error {
            return Err(Refusal::Error);
        }
        self.flight.post(work.id, work.message, 0, true)
    }

    fn is(&self, fault: Fault) -> bool {
        self.config.fault == Some(fault)
    }

    /// The next packet, if one may be sent now.
    pub fn take(&mut self) -> Option<Handed> {
        let rests = self.rests_until.is_some_and(|until| self.now <= until);
        if self.error || rests || !self.flight.is_ready(self.config.window.into()) {
            return None;
        }
        if self.flight.in_flight() == 0 {
            self.since = self.now;
        }
        let handed = self.flight.take(self.config.ack_every, self.config.fault)?;
        *if handed.again { &mut self.counters.sent_again } else { &mut self.counters.sent } += 1;
        Some(handed)
    }

    /// A frame arrives.
    pub fn receive(&mut self, frame: &Frame) {
        if self.error {
            return;
        }
        match Answer::of(frame) {
            Answer::Ack { psn } => self.ack(psn),
            Answer::Nak { psn } => {
                let named = if self.is(Fault::RequesterNakFromNext) { psn + 1 } else { psn };
                if let Some(at) = self.before(named) {
                    self.nak(at);
                }
            }
            Answer::NotReady { psn, wait } => {
                if let Some(at) = self.before(psn) {
                    self.not_ready(at, wait);
                }
            }
            Answer::Refused { psn, code } => {
                if let Some(at) = self.before(psn) {
                    if self.is(Fault::RequesterRefusalRetried) {
                        return self.nak(at);
                    }
                    self.fail(Outcome::Refused(code));
                }
            }
            Answer::Reserved if self.is(Fault::RequesterReservedAcknowledges) => self.ack(frame.bth.psn),
            Answer::Reserved => self.counters.bad_syndrome += 1,
            Answer::Other => self.counters.unexpected += 1,
        }
    }

    fn ack(&mut self, number: u32) {
        let edge = number.wrapping_add(1) % crate::bitmap::psn::SPACE;
        match self.flight.position(edge) {
            Some(at) if self.is(Fault::RequesterAckOfOne) && at > self.flight.base => self.progress(self.flight.base + 1),
            Some(at) => self.progress(at),
            None if self.flight.is_old(edge) => {}
            None if self.is(Fault::RequesterAckBelieved) => {
                let all = self.flight.next;
                self.progress(all);
            }
            None => self.counters.bad_answer += 1,
        }
    }

    /// The position of a packet that is unacknowledged; all before it has arrived.
    fn before(&mut self, number: u32) -> Option<u64> {
        let known = self.flight.position(number).filter(|&at| at < self.flight.next);
        match known {
            Some(at) if !self.is(Fault::RequesterNakAcknowledgesNothing) => self.progress(at),
            Some(_) => return Some(self.flight.base),
            None if self.flight.is_old(number) => {}
            None => self.counters.bad_answer += 1,
        }
        known
    }

    fn progress(&mut self, to: u64) {
        if self.flight.acknowledge(to) {
            self.since = self.now;
            if !self.is(Fault::RequesterRetriesStay) {
                (self.retries, self.rnr_tries) = (0, 0);
            }
            self.rests_until = None;
        }
    }

    fn nak(&mut self, at: u64) {
        let rests = self.rests_until.is_some_and(|until| self.now <= until);
        if rests && !self.is(Fault::RequesterNakEndsRest) {
            return;
        }
        self.rests_until = None;
        self.counters.naks += 1;
        self.retry(at);
    }

    fn not_ready(&mut self, at: u64, wait: u32) {
        self.counters.rnr_naks += 1;
        if self.is(Fault::RequesterRnrCountsAsRetry) {
            self.retry(at);
        } else {
            self.rnr_tries += 1;
            let for_ever = self.config.rnr_retry == 7 && !self.is(Fault::RequesterSevenIsSeven);
            if !for_ever && self.rnr_tries > self.config.rnr_retry {
                return self.fail(Outcome::RnrRetryLimit);
            }
            self.go_back(at);
        }
        if !self.is(Fault::RequesterRnrUnheard) {
            self.rests_until = Some(self.now + u64::from(wait) * u64::from(self.config.rnr_unit));
        }
    }

    /// One more try without progress.
    fn retry(&mut self, at: u64) {
        self.retries += 1;
        if self.retries > self.config.retry_count && !self.is(Fault::RequesterRetriesForEver) {
            return self.fail(Outcome::RetryLimit);
        }
        self.go_back(at);
    }

    fn go_back(&mut self, at: u64) {
        (self.flight.cursor, self.since) = (at, self.now);
        self.counters.go_backs += 1;
    }

    fn fail(&mut self, outcome: Outcome) {
        self.error = true;
        if !self.is(Fault::RequesterErrorUnsaid) {
            self.flight.fail(outcome);
        }
    }

    /// Time is `now` ticks.
    pub fn tick(&mut self, now: u64) {
        self.now = self.now.max(now);
        let from = self.since.max(self.rests_until.unwrap_or(0));
        let runs = self.config.timeout > 0 && self.flight.in_flight() > 0 && !self.error;
        if runs && self.now.saturating_sub(from) > self.config.timeout.into() {
            self.counters.timeouts += 1;
            self.rests_until = None;
            let newest = self.is(Fault::RequesterTimeoutFromNewest);
            let at = if newest { self.flight.next - 1 } else { self.flight.base };
            self.retry(at);
        }
    }
}
