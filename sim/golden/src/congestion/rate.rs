//! Rates and windows of time, as the numbers that hardware holds.

/// Bits behind the binary point of a rate.
pub const FRACTION: u32 = 20;

/// Bytes per clock with 8 bits before the binary point and [`FRACTION`] behind it, 28 bits in all.
///
/// At 322.27 MHz one step is 2.46 kb/s, so that at 1 Mb/s steps are 0.25 %; the greatest value is 660 Gb/s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(u32);

impl Rate {
    pub const MOST: Rate = Rate((1 << 28) - 1);

    /// The rate with these 28 bits; more saturate.
    pub fn from_steps(steps: u64) -> Rate {
        Rate(steps.min(u64::from(Rate::MOST.0)) as u32)
    }

    /// The nearest rate to `bits` per second at a clock of `hertz`.
    pub fn from_bits(bits: u64, hertz: u64) -> Rate {
        let steps = (u128::from(bits) << FRACTION).div_ceil(8);
        let hertz = u128::from(hertz.max(1));
        Rate::from_steps(u64::try_from((steps + hertz / 2) / hertz).unwrap_or(u64::MAX))
    }

    pub fn steps(self) -> u32 {
        self.0
    }

    /// Bits per second at a clock of `hertz`.
    pub fn bits(self, hertz: u64) -> f64 {
        f64::from(self.0) * hertz as f64 * 8.0 / f64::from(1 << FRACTION)
    }

    /// The rate times `factor` / 256, rounded down.
    pub fn scaled(self, factor: u16) -> Rate {
        Rate::from_steps((u64::from(self.0) * u64::from(factor)) >> 8)
    }

    /// Bytes in `clocks`, in units of 2^-20 byte.
    pub fn over(self, clocks: u32) -> u64 {
        u64::from(self.0) * u64::from(clocks)
    }
}

/// The window of time `T_w` and its reciprocal, both of which software writes: hardware then divides by a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    clocks: u32,
    reciprocal: u32,
}

impl Window {
    /// Windows of at least two clocks: the reciprocal is the whole part of 2^32 / `clocks`.
    pub fn new(clocks: u32) -> Window {
        let clocks = clocks.max(2);
        Window { clocks, reciprocal: ((1u64 << 32) / u64::from(clocks)) as u32 }
    }

    pub fn clocks(self) -> u32 {
        self.clocks
    }

    /// The rate that sends at most `bytes` in the window.
    ///
    /// The rounded reciprocal makes it lower by up to `clocks` / 2^32: 0.05 % at 6.4 ms and 322 MHz.
    pub fn rate(self, bytes: u32) -> Rate {
        Rate::from_steps((u64::from(bytes) * u64::from(self.reciprocal)) >> (32 - FRACTION))
    }
}
