//! The token bucket of one queue pair, shared by packets and by what is sent again.
//!
//! Tokens are bytes with 20 bits behind the binary point, so that no clock at any rate rounds. A packet goes when its bytes are there,
//! which makes the bound exact: no window exceeds rate x length + burst. A burst of the largest packet and the bytes of one clock keeps the
//! rate too: a bucket of the packet alone overflows for up to a clock before each of the largest packets, 2 % at 400 Gb/s.

use super::fault::Fault;
use super::rate::{FRACTION, Rate};

/// Tokens of one queue pair. The state in hardware: tokens (burst bits + 20), the clock of the last update, the rate (28 bits).
#[derive(Clone, Debug)]
pub struct Bucket {
    rate: Rate,
    /// units of 2^-20 byte
    tokens: u64,
    burst: u64,
    at: u64,
    fault: Option<Fault>,
}

/// Longest time that one update counts: a stamp of 32 bits. A block visits every queue pair more often.
const LONGEST: u64 = u32::MAX as u64;

impl Bucket {
    /// A bucket that is full at clock `now`; `burst` is in bytes.
    pub fn new(rate: Rate, burst: u32, now: u64, fault: Option<Fault>) -> Bucket {
        let burst = u64::from(burst) << FRACTION;
        Bucket { rate, tokens: burst, burst, at: now, fault }
    }

    fn update(&mut self, now: u64) {
        let elapsed = now.saturating_sub(self.at).min(LONGEST);
        let mut gained = self.rate.over(elapsed as u32);
        if self.fault == Some(Fault::FractionLost) {
            gained = gained >> FRACTION << FRACTION;
        }
        self.tokens = self.tokens.saturating_add(gained);
        if self.fault != Some(Fault::TokensUnbounded) {
            self.tokens = self.tokens.min(self.burst);
        }
        self.at = self.at.max(now);
    }

    /// The rate from clock `now` on; tokens until then grew at the old one.
    pub fn set_rate(&mut self, now: u64, rate: Rate) {
        if self.fault != Some(Fault::RateBackdated) {
            self.update(now);
        }
        self.rate = rate;
    }

    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// What a packet of `bytes` needs. One beyond the burst goes from a full bucket, so that none waits for ever.
    fn need(&self, bytes: u32) -> u64 {
        let need = (u64::from(bytes) << FRACTION).min(self.burst);
        if self.fault == Some(Fault::GoesIntoDebt) { need.min(1) } else { need }
    }

    /// Takes the tokens of a packet of `bytes`, if they are there.
    pub fn take(&mut self, now: u64, bytes: u32) -> bool {
        self.update(now);
        if self.tokens < self.need(bytes) {
            return false;
        }
        self.tokens = self.tokens.saturating_sub(u64::from(bytes) << FRACTION);
        true
    }

    /// Bytes that were taken are not sent after all.
    pub fn give_back(&mut self, now: u64, bytes: u32) {
        self.update(now);
        self.tokens = (self.tokens + (u64::from(bytes) << FRACTION)).min(self.burst);
    }

    /// Whole bytes that are there.
    pub fn left(&mut self, now: u64) -> u32 {
        self.update(now);
        (self.tokens >> FRACTION) as u32
    }

    /// The first clock from `now` on at which a packet of `bytes` may go, at the present rate; `None` if that is 0.
    pub fn ready(&mut self, now: u64, bytes: u32) -> Option<u64> {
        self.update(now);
        let missing = self.need(bytes).saturating_sub(self.tokens);
        match (missing, u64::from(self.rate.steps())) {
            (0, _) => Some(now),
            (_, 0) => None,
            (missing, rate) => Some(now + missing.div_ceil(rate)),
        }
    }
}
