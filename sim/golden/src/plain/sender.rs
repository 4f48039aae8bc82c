//! Our sender towards a plain peer.
//!
//! Spec: ready for a real wire, a peer that is not ours, sender; all of it this project's decision. A command becomes segments, a segment
//! one RDMA WRITE message, the immediate of the command that of its last message. An acknowledgement is asked for at the end of every
//! message and every `ack_every` packets. A NAK for a sequence error of packet k says that all before k has arrived and that the peer has
//! thrown the rest away: everything from k on is pending. A time-out makes everything from the base on pending. RNR NAKs and the other
//! tries are counted apart.
//!
//! Decided here beyond it:
//! - A NAK that names a packet which is pending already moves the base alone: a copy of a NAK does not make the sender go back twice.
//! - A NAK for a sequence error within the time of an RNR NAK moves the base alone, and the time goes on.
//! - The credits of a plain peer count its receives. They are no window: the sender keeps to its own.
//! - The time-out doubles with each try without progress, up to a cap, as towards a peer of ours.
//! - An answer about a packet that is not unacknowledged and a syndrome without meaning are counted and change nothing.

use super::flight::Flight;
use super::{Answer, Counters, Done, Fault, Handed, Kind, Message, Open, Outcome, Refusal, Syndrome};
use crate::bitmap::psn;
use crate::wire::Frame;

/// Runtime registers. Times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SenderConfig {
    /// bytes of a segment: a multiple of the peer's MTU
    pub segment: u32,
    /// packets that may be unacknowledged
    pub window: u32,
    /// packets of a message after which an acknowledgement is asked for: 1 up to the window
    pub ack_every: u32,
    pub rto: u32,
    /// most that `rto` is doubled to
    pub rto_cap: u32,
    /// NAKs and time-outs without progress that it survives
    pub retry_count: u32,
    /// RNR NAKs without progress that it survives, 7: all
    pub rnr_retry: u32,
    /// ticks in 10 microseconds, the unit of the times of RNR NAKs
    pub rnr_unit: u32,
    /// a mistake made on purpose
    pub fault: Option<Fault>,
}

impl Default for SenderConfig {
    fn default() -> SenderConfig {
        SenderConfig {
            segment: 1 << 16,
            window: 256,
            ack_every: 16,
            rto: 1000,
            rto_cap: 10_000,
            retry_count: 7,
            rnr_retry: 7,
            rnr_unit: 10,
            fault: None,
        }
    }
}

impl SenderConfig {
    /// # Errors
    /// What is not possible with this MTU, with what is.
    pub fn check(&self, mtu: u32) -> Result<(), String> {
        if !(1..psn::HALF).contains(&self.window) || !(1..=self.window).contains(&self.ack_every) {
            return Err(format!("window {} (1 to 2^23 - 1), ack_every {} (1 up to the window)", self.window, self.ack_every));
        }
        if self.segment == 0 || !self.segment.is_multiple_of(mtu) || self.segment > super::MAX_MESSAGE {
            return Err(format!("a segment of {} bytes; a multiple of the MTU of {mtu} up to 2^31 is possible", self.segment));
        }
        if self.rto == 0 {
            return Err("rto 0; at least 1 is possible".to_owned());
        }
        Ok(())
    }
}

/// An RDMA WRITE that the host wants; no bytes are one message all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    pub id: u64,
    pub address: u64,
    pub rkey: u32,
    pub bytes: u64,
    pub imm: Option<u32>,
}

/// The model of one queue pair.
#[derive(Clone, Debug)]
pub struct Sender {
    config: SenderConfig,
    flight: Flight,
    now: u64,
    /// when its timer was last started
    since: u64,
    /// tries without progress, and expiries of the timer among them
    tries: u32,
    expiries: u32,
    rnr_tries: u32,
    /// nothing is sent up to this tick
    rests_until: Option<u64>,
    error: bool,
    counters: Counters,
}

impl Sender {
    /// A queue pair as it is after opening.
    /// # Errors
    /// A configuration that is not possible.
    pub fn new(config: SenderConfig, open: Open) -> Result<Sender, String> {
        open.check()?;
        config.check(open.mtu)?;
        Ok(Sender {
            config,
            flight: Flight::new(open.peer, open.psn, open.mtu),
            now: 0,
            since: 0,
            tries: 0,
            expiries: 0,
            rnr_tries: 0,
            rests_until: None,
            error: false,
            counters: Counters::default(),
        })
    }

    /// Opens it anew: nothing of before acts on it but what has ended and was not asked for.
    /// # Errors
    /// A configuration that is not possible.
    pub fn reopen(&mut self, open: Open) -> Result<(), String> {
        let fresh = Sender { now: self.now, since: self.now, ..Sender::new(self.config, open)? };
        let before = std::mem::replace(self, fresh);
        if self.is(Fault::SenderReopenKeepsRest) {
            self.rests_until = before.rests_until;
        }
        Ok(())
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

    /// The next command that is done, in the order of posting.
    pub fn done(&mut self) -> Option<Done> {
        self.flight.done()
    }

    fn is(&self, fault: Fault) -> bool {
        self.config.fault == Some(fault)
    }

    /// # Errors
    /// It is refused, with nothing done.
    pub fn post(&mut self, command: Command) -> Result<(), Refusal> {
        if self.error {
            return Err(Refusal::Error);
        }
        let segment = u64::from(self.config.segment);
        let count = command.bytes.div_ceil(segment).max(1);
        for index in 0..count {
            let (before, last) = (index * segment, index + 1 == count);
            let kind = Kind::Write { address: command.address.wrapping_add(before), rkey: command.rkey };
            let bytes = (command.bytes - before).min(segment) as u32;
            let imm = command.imm.filter(|_| last || self.is(Fault::SenderImmediateRepeated));
            self.flight.post(command.id, Message { kind, bytes, imm }, before, last)?;
        }
        Ok(())
    }

    fn rests(&self) -> bool {
        self.rests_until.is_some_and(|until| self.now <= until)
    }

    /// The next packet, if one may be sent now.
    pub fn take(&mut self) -> Option<Handed> {
        if self.error || self.rests() || !self.flight.is_ready(self.config.window.into()) {
            return None;
        }
        if self.flight.in_flight() == 0 {
            self.since = self.now;
        }
        let every = if self.is(Fault::SenderAsksAtEndAlone) { 0 } else { self.config.ack_every };
        let mut handed = self.flight.take(every, self.config.fault)?;
        if handed.again && self.is(Fault::SenderFlagsRepeats) {
            handed.frame.bth.reserved6 |= 1;
        }
        if handed.again && self.is(Fault::SenderSendsOneAgain) {
            self.flight.cursor = self.flight.next;
        }
        *if handed.again { &mut self.counters.sent_again } else { &mut self.counters.sent } += 1;
        Some(handed)
    }

    /// A frame arrives.
    pub fn receive(&mut self, frame: &Frame) {
        if self.error {
            return;
        }
        if self.is(Fault::SenderCreditsAreWindow)
            && let Some(Syndrome::Ack { credits }) = frame.aeth.map(|aeth| Syndrome::read(aeth.syndrome))
            && credits < 23
        {
            self.config.window = self.config.window.min(1 << credits);
        }
        match Answer::of(frame) {
            Answer::Ack { psn: number } => {
                let edge = psn::add(number, 1);
                match self.flight.position(edge) {
                    Some(at) => self.progress(at),
                    None => self.counters.bad_answer += u64::from(!self.flight.is_old(edge)),
                }
            }
            Answer::Nak { psn } => {
                if let Some(at) = self.before(psn) {
                    self.nak(at);
                }
            }
            Answer::NotReady { psn, wait } => {
                if let Some(at) = self.before(psn) {
                    self.not_ready(at, wait);
                }
            }
            Answer::Refused { psn, code } => {
                if self.before(psn).is_some() {
                    self.fail(Outcome::Refused(code));
                }
            }
            Answer::Reserved => self.counters.bad_syndrome += 1,
            Answer::Other => self.counters.unexpected += 1,
        }
    }

    /// The position of a packet that is unacknowledged; all before it has arrived.
    fn before(&mut self, number: u32) -> Option<u64> {
        let known = self.flight.position(number).filter(|&at| at < self.flight.next);
        match known {
            Some(_) if self.is(Fault::SenderNakAcknowledgesNothing) => return Some(self.flight.base),
            Some(at) => self.progress(at),
            None => self.counters.bad_answer += u64::from(!self.flight.is_old(number)),
        }
        known
    }

    fn progress(&mut self, to: u64) {
        if self.flight.acknowledge(to) {
            (self.since, self.tries, self.expiries, self.rnr_tries) = (self.now, 0, 0, 0);
            self.rests_until = None;
        }
    }

    fn nak(&mut self, at: u64) {
        if self.rests() && !self.is(Fault::SenderNakEndsRest) {
            return;
        }
        self.rests_until = None;
        let pending = at >= self.flight.cursor && !self.is(Fault::SenderGoesBackTwice);
        if pending {
            return;
        }
        self.counters.naks += 1;
        self.again(at);
    }

    fn not_ready(&mut self, at: u64, wait: u32) {
        self.counters.rnr_naks += 1;
        if self.is(Fault::SenderRnrCountsAsRetry) {
            self.again(at);
        } else {
            self.rnr_tries += 1;
            let for_ever = self.config.rnr_retry == 7 && !self.is(Fault::SenderSevenIsSeven);
            if !for_ever && self.rnr_tries > self.config.rnr_retry {
                return self.fail(Outcome::RnrRetryLimit);
            }
            self.go_back(at);
        }
        if !self.is(Fault::SenderRnrUnheard) {
            self.rests_until = Some(self.now + u64::from(wait) * u64::from(self.config.rnr_unit));
        }
    }

    /// One more try without progress.
    fn again(&mut self, at: u64) {
        self.tries += 1;
        if self.tries > self.config.retry_count && !self.is(Fault::SenderRetriesForEver) {
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
        self.flight.fail(outcome);
    }

    /// Ticks without progress after which it goes back.
    fn patience(&self) -> u64 {
        let doubled = u128::from(self.config.rto) << self.expiries.min(64);
        doubled.min(self.config.rto_cap.max(self.config.rto).into()) as u64
    }

    /// Time is `now` ticks.
    pub fn tick(&mut self, now: u64) {
        self.now = self.now.max(now);
        let from = self.since.max(self.rests_until.unwrap_or(0));
        if self.flight.in_flight() > 0 && !self.error && self.now.saturating_sub(from) > self.patience() {
            self.counters.timeouts += 1;
            self.expiries += u32::from(!self.is(Fault::SenderTimeoutConstant));
            self.rests_until = None;
            if self.is(Fault::SenderTimeoutSendsNewest) {
                let newest = self.flight.next - 1;
                return self.again(newest);
            }
            let base = self.flight.base;
            self.again(base);
        }
    }
}
