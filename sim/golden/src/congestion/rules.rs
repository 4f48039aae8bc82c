//! What a notice asks for: the three rules and the smallest of their results.
//!
//! Follows the contract, "Congestion state on the acknowledgement", "Sender". Every field is a runtime register.

use super::fault::Fault;
use super::header::{Level, Notice};
use super::rate::{Rate, Window};

/// Rule (1): the rate from the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelRule {
    /// by [`Level`], in 1/256; the first entry is never read, because BECN with level none counts as light
    pub factors: [u16; 4],
    /// of the present rate, which is that at the beginning of the window; else of the preset rate
    pub of_present: bool,
}

/// Rule (2): packets in a window, from the congestion point and the queue depth there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthRule {
    /// bytes, by the low four bits of the point; the last is that of an absent point
    pub limits: [u32; 16],
    /// log2 of the packet size in bytes
    pub packet_bits: u32,
    /// packets in a window
    pub least: u16,
    pub most: u16,
}

/// Rule (3): the rate from the delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayRule {
    /// nanoseconds with nothing in queues; 0 switches the rule off
    pub base: u32,
    /// in 1/256, by the whole part of log2(delay / base); below 1 counts as 1, from 128 on as 128
    pub factors: [u16; 8],
    pub of_present: bool,
}

/// The rules of a queue pair. One that is `None` is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    pub level: Option<LevelRule>,
    pub depth: Option<DepthRule>,
    pub delay: Option<DelayRule>,
    /// what a plain CNP multiplies the rate by, in 1/256
    pub step: u16,
    /// No rule goes below it, so that nobody stops for ever.
    pub floor: Rate,
}

impl Default for LevelRule {
    fn default() -> LevelRule {
        LevelRule { factors: [192, 192, 128, 64], of_present: false }
    }
}

impl Default for DelayRule {
    fn default() -> DelayRule {
        DelayRule { base: 0, factors: [192, 128, 64, 32, 16, 8, 4, 2], of_present: false }
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { level: Some(LevelRule::default()), depth: None, delay: None, step: 128, floor: Rate::from_steps(1) }
    }
}

/// What the rules multiply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base {
    pub preset: Rate,
    /// at the beginning of the window: notices of one window do not multiply each other
    pub present: Rate,
}

impl Base {
    fn of(&self, present: bool) -> Rate {
        if present { self.present } else { self.preset }
    }
}

impl DepthRule {
    /// Packets in the next window, or `None`: neither point nor depth is known.
    fn packets(&self, notice: &Notice, fault: Option<Fault>) -> Option<u32> {
        if notice.point.is_none() && notice.depth.is_none() {
            return None;
        }
        let absent = if fault == Some(Fault::AbsentPointIsFirst) { 0 } else { 15 };
        let limit = self.limits[notice.point.map_or(absent, |point| usize::from(point & 15))];
        let unit = if fault == Some(Fault::DepthInBytes) { 1 } else { 256 };
        let room = limit.saturating_sub(u32::from(notice.depth.unwrap_or(0)) * unit);
        Some((room >> self.packet_bits.min(31)).min(self.most.into()).max(self.least.into()))
    }
}

impl DelayRule {
    fn rate(&self, notice: &Notice, base: &Base, fault: Option<Fault>) -> Option<Rate> {
        let delay = notice.delay.filter(|_| self.base != 0)?;
        // compared with the base shifted: no division
        let reached = (1..8).filter(|&shift| u64::from(delay) >= u64::from(self.base) << shift).count();
        let index = if fault == Some(Fault::DelayIndexRoundsUp) { (reached + 1).min(7) } else { reached };
        Some(base.of(self.of_present).scaled(self.factors[index]))
    }
}

impl Rules {
    /// What `notice` asks for, or `None`: every rule is off or lacks its field.
    ///
    /// The contract compares bytes per window; a rate is compared here, which is the same because all share one window.
    pub fn asked(&self, notice: &Notice, base: &Base, window: Window, fault: Option<Fault>) -> Option<Rate> {
        let level = match notice.level {
            Level::None if fault != Some(Fault::LevelNoneIsTableEntry) => Level::Light,
            level => level,
        };
        let by_level = self.level.map(|rule| base.of(rule.of_present).scaled(rule.factors[level as usize]));
        let by_depth = self.depth.and_then(|rule| {
            let packets = rule.packets(notice, fault)?;
            Some(window.rate(packets.saturating_mul(1 << rule.packet_bits.min(31))))
        });
        let by_delay = self.delay.and_then(|rule| rule.rate(notice, base, fault));
        let results = [by_level, by_depth, by_delay].into_iter().flatten();
        let smallest = if fault == Some(Fault::GreatestWins) { results.max() } else { results.min() };
        smallest.map(|rate| rate.max(self.floor))
    }

    /// What a plain CNP asks for.
    pub fn stepped(&self, base: &Base) -> Rate {
        base.present.scaled(self.step).max(self.floor)
    }
}
