//! The sender of one queue pair: its rate from what acknowledgements and CNPs tell.
//!
//! Follows the contract, "Congestion state on the acknowledgement", "Sender". Windows of `T_w` clocks follow one another without a pause
//! from the moment at which the queue pair opens, so that a slower rate does not move them.

use super::fault::Fault;
use super::rate::{Rate, Window};
use super::rules::{Base, Rules};
use super::signal::{Signal, Word};

/// What the rate does at the end of a window that was clear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Recovery {
    /// up to the preset rate, in one step
    #[default]
    Preset,
    /// it stays until software writes the preset rate
    Hold,
}

/// Runtime registers of a queue pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    pub rules: Rules,
    /// `T_w`; by default the round trip with nothing in queues
    pub window: Window,
    /// the high rate
    pub preset: Rate,
    pub recovery: Recovery,
    /// Nobody acknowledges what it sends: READ responses, UD. A window without a CNP is then clear if packets went out in the window
    /// before it, whose CNPs would have come.
    pub unacknowledged: bool,
    /// what is wrong on purpose
    pub fault: Option<Fault>,
}

/// What a sender counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// notices that took effect
    pub slowed: u64,
    /// plain notifications that took effect
    pub stepped: u64,
    /// notifications that changed nothing: not lower, or counted already
    pub without_effect: u64,
    /// windows at whose end the rate rose
    pub recovered: u64,
    /// windows that ended without an acknowledgement
    pub silent: u64,
}

/// What has happened in the present window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Seen {
    acknowledged: bool,
    notified: bool,
    notice: bool,
    sent: bool,
}

/// The rate of one queue pair.
#[derive(Clone, Debug)]
pub struct Sender {
    settings: Settings,
    rate: Rate,
    /// at the beginning of the window
    present: Rate,
    began: u64,
    seen: Seen,
    sent_before: bool,
    pub counters: Counters,
}

impl Sender {
    /// A queue pair that opens at clock `now` with its preset rate.
    pub fn new(settings: Settings, now: u64) -> Sender {
        let rate = settings.preset;
        let (seen, counters) = (Seen::default(), Counters::default());
        Sender { settings, rate, present: rate, began: now, seen, sent_before: false, counters }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The end of the present window: the next clock at which the rate may change by itself.
    pub fn window_end(&self) -> u64 {
        self.began + u64::from(self.settings.window.clocks())
    }

    /// The rate at clock `now`.
    pub fn rate(&mut self, now: u64) -> Rate {
        self.advance(now);
        self.rate
    }

    /// Software writes the preset rate: it counts at once.
    pub fn set_preset(&mut self, now: u64, preset: Rate) {
        self.advance(now);
        self.settings.preset = preset;
        (self.rate, self.present) = (preset, preset);
    }

    /// A packet went out.
    pub fn sent(&mut self, now: u64) {
        self.advance(now);
        self.seen.sent = true;
    }

    /// An acknowledgement or a CNP arrives.
    pub fn heard(&mut self, now: u64, signal: &Signal) {
        self.advance(now);
        self.seen.acknowledged |= signal.acknowledges;
        let fault = self.settings.fault;
        let base = Base { preset: self.settings.preset, present: self.base() };
        let rules = &self.settings.rules;
        let (asked, is_notice) = match signal.word {
            Word::Clear => return,
            Word::Plain => (rules.stepped(&base), false),
            // A notice that no rule can read says what a CNP says.
            Word::Notice(notice) => match rules.asked(&notice, &base, self.settings.window, fault) {
                Some(rate) => (rate, true),
                None => (rules.stepped(&base), false),
            },
        };
        let known = self.seen.notice && !is_notice && fault != Some(Fault::CountsTwice);
        self.seen.notified = true;
        self.seen.notice |= is_notice;
        let first_may_rise = fault == Some(Fault::LaterRaises) && asked != self.rate;
        if known || !(asked < self.rate || first_may_rise) || (fault == Some(Fault::PlainIgnored) && !is_notice) {
            self.counters.without_effect += 1;
            return;
        }
        self.rate = asked;
        if is_notice {
            self.counters.slowed += 1;
        } else {
            self.counters.stepped += 1;
        }
    }

    /// What of the rate a rule may multiply.
    fn base(&self) -> Rate {
        match self.settings.fault {
            Some(Fault::NoticesCompound | Fault::CountsTwice) => self.rate,
            _ => self.present,
        }
    }

    /// Ends the windows that are over by `now`.
    fn advance(&mut self, now: u64) {
        let window = u64::from(self.settings.window.clocks());
        // after two windows in which nothing happened, another changes nothing
        for _ in 0..3 {
            if now < self.window_end() {
                return;
            }
            self.end_window();
            self.began += window;
        }
        if now >= self.window_end() {
            let passed = (now - self.began) / window;
            self.began += passed * window;
            self.counters.silent += passed;
        }
    }

    fn end_window(&mut self) {
        let seen = std::mem::take(&mut self.seen);
        let fault = self.settings.fault;
        self.counters.silent += u64::from(!seen.acknowledged);
        let heard = seen.acknowledged || (self.settings.unacknowledged && self.sent_before) || fault == Some(Fault::RisesInSilence);
        let clear = heard && (!seen.notified || fault == Some(Fault::RisesInMarkedWindow));
        let rises = self.settings.recovery == Recovery::Preset || fault == Some(Fault::HoldRises);
        if clear && rises && self.rate < self.settings.preset && fault != Some(Fault::NeverRises) {
            self.rate = self.settings.preset;
            self.counters.recovered += 1;
        }
        (self.present, self.sent_before) = (self.rate, seen.sent);
    }
}
