//! What is set of the paths, and what is refused.

use super::Fault;
use crate::bitmap::{PathMode, psn, sender};

/// Most paths there are.
pub const MOST: u8 = 16;

/// Most paths that a tag can name: 4 bits, one value of which is *none*.
pub const MOST_TAGGED: u8 = 15;

/// Why a setting is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("paths {0}; 1 to 16 are possible")]
    Paths(u8),
    #[error("{0} tagged paths; 15 is the most, as a tag has 4 bits and 0 says none; striped mode has up to 16")]
    Tagged(u8),
    #[error("UDP source ports from {base} for {paths} paths; the last one must not be above 65535")]
    Ports { base: u16, paths: u8 },
    #[error("a window of {0} packets; 1 to 8388607 are possible")]
    Window(u32),
    #[error("slide_step {step}; powers of two up to the window of {window} packets are possible")]
    SlideStep { step: u32, window: u32 },
    #[error("window length from {base} to {max} packets; multiples of slide_step from 1 up to {window} are possible")]
    Length { base: u32, max: u32, window: u32 },
    #[error("stripe {0}; from 1 on is possible")]
    Stripe(u32),
    #[error("path_bad {0}; 0 to 63 of the last 64 packets are possible")]
    PathBad(u32),
    #[error("share {0}; 0 to 255 of 256 are possible")]
    Share(u16),
    #[error("{0}")]
    Receiver(String),
    #[error("queue pair {0}: no more queue pairs or no segment of the pool is left")]
    Full(u32),
}

/// Whether so many paths can be in that mode.
///
/// # Errors
/// No paths, more than 16, or more than 15 that are tagged.
pub fn check_mode(paths: u8, mode: PathMode) -> Result<(), Refused> {
    match mode {
        _ if !(1..=MOST).contains(&paths) => Err(Refused::Paths(paths)),
        PathMode::Tagged if paths > MOST_TAGGED => Err(Refused::Tagged(paths)),
        _ => Ok(()),
    }
}

/// How a packet gets its path where its number does not say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Choice {
    /// the next path that is in
    #[default]
    RoundRobin,
    /// the path that is in with the fewest unacknowledged packets; of several the next in turn
    LeastUnacknowledged,
}

/// What a queue pair does with its paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spread {
    /// Packets take several paths and none says which: the receiver has its global bitmap alone. Its mode is *off*.
    Untagged(Choice),
    Tagged(Choice),
    /// the number of a packet says its path
    Striped,
}

impl Spread {
    /// The mode of the receiver that fits.
    pub fn mode(self) -> PathMode {
        match self {
            Spread::Untagged(_) => PathMode::Off,
            Spread::Tagged(_) => PathMode::Tagged,
            Spread::Striped => PathMode::Striped,
        }
    }
}

/// Settings of the sender. All but `paths` and `window` are runtime registers; times are in ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SenderConfig {
    pub sender: sender::Config,
    /// 1 to 16
    pub paths: u8,
    /// packets of the longest window
    pub window: u32,
    /// UDP source port of path 0; path k has the k-th after it
    pub udp_base: u16,
    /// PSNs of a path before the next path has its turn
    pub stripe: u32,
    /// most losses of the last 64 packets of a path that stays in
    pub path_bad: u32,
    /// ticks that a path is left out
    pub path_rest: u32,
    /// the window's start moves in multiples of it; a power of two
    pub slide_step: u32,
    /// packets of a window of which no demand is known, and least of one that is derived
    pub base_length: u32,
    /// most packets of a window that is derived
    pub max_length: u32,
    /// share of repeated packets while constrained and new ones wait, of 256
    pub share: u16,
    /// what is left of a derived window while constrained, in sixteenths
    pub load: u32,
    /// what is wrong on purpose
    pub fault: Option<Fault>,
}

impl SenderConfig {
    /// `paths` paths and windows of `window` packets.
    pub fn new(paths: u8, window: u32) -> SenderConfig {
        SenderConfig {
            sender: sender::Config::DEFAULT,
            paths,
            window,
            udp_base: 0xc000,
            stripe: 1,
            path_bad: 4,
            path_rest: 10_000,
            slide_step: 1,
            base_length: window,
            max_length: window,
            share: 128,
            load: 16,
            fault: None,
        }
    }

    /// # Errors
    /// The first setting that is not possible.
    pub fn check(&self) -> Result<(), Refused> {
        check_mode(self.paths, PathMode::Off)?;
        let &SenderConfig { paths, window, udp_base, slide_step, base_length, max_length, .. } = self;
        if u16::MAX - udp_base < u16::from(paths) - 1 {
            return Err(Refused::Ports { base: udp_base, paths });
        }
        if !(1..psn::HALF).contains(&window) {
            return Err(Refused::Window(window));
        }
        if !slide_step.is_power_of_two() || slide_step > window {
            return Err(Refused::SlideStep { step: slide_step, window });
        }
        let is_whole = base_length.is_multiple_of(slide_step) && max_length.is_multiple_of(slide_step);
        if !is_whole || base_length == 0 || base_length > max_length || max_length > window {
            return Err(Refused::Length { base: base_length, max: max_length, window });
        }
        match self {
            SenderConfig { stripe: 0, .. } => Err(Refused::Stripe(0)),
            &SenderConfig { path_bad: bad @ 64.., .. } => Err(Refused::PathBad(bad)),
            &SenderConfig { share: share @ 256.., .. } => Err(Refused::Share(share)),
            _ => Ok(()),
        }
    }
}
