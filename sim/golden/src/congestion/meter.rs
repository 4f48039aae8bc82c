//! What a limiter of the rate is judged by: the worst window of all.

use super::rate::{FRACTION, Rate};
use std::collections::VecDeque;

/// Longest window that is judged, clocks.
const LONGEST: u64 = 100_000;

/// Packets of one queue pair at one rate, and the greatest of bytes - rate x length over all windows up to 100,000 clocks.
#[derive(Clone, Debug)]
pub struct Meter {
    /// units of 2^-20 byte per clock
    pub rate: i128,
    /// units of 2^-20 byte
    pub bytes: i128,
    /// clock, and bytes before it less rate x clock: those that could begin the worst window
    begins: VecDeque<(u64, i128)>,
    /// the most by which a window exceeds its rate, units of 2^-20 byte
    pub worst: i128,
    pub packets: u64,
    last: u64,
    /// longest time between two packets, clocks
    pub longest: u64,
}

impl Meter {
    pub fn new(rate: Rate) -> Meter {
        let rate = rate.steps().into();
        Meter { rate, bytes: 0, begins: VecDeque::new(), worst: 0, packets: 0, last: 0, longest: 0 }
    }

    /// A packet of `bytes` went at clock `now`.
    pub fn sent(&mut self, now: u64, bytes: u32) {
        let ahead = self.bytes - self.rate * i128::from(now);
        while self.begins.back().is_some_and(|&(_, other)| other >= ahead) {
            self.begins.pop_back();
        }
        self.begins.push_back((now, ahead));
        while self.begins.front().is_some_and(|&(begin, _)| now - begin > LONGEST) {
            self.begins.pop_front();
        }
        self.bytes += i128::from(bytes) << FRACTION;
        let begin = self.begins.front().map_or(ahead, |&(_, ahead)| ahead);
        self.worst = self.worst.max(self.bytes - self.rate * i128::from(now) - begin);
        self.longest = self.longest.max(now - self.last);
        (self.packets, self.last) = (self.packets + 1, now);
    }
}
