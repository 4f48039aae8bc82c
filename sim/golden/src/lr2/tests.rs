/// Ends a trace with what it has found.
macro_rules! same {
    ($is:expr, $want:expr) => {
        differ(&$is, &$want).map_or(Ok(()), |wrong| Err(format!("{}:{}: {}: {wrong}", file!(), line!(), stringify!($is))))?
    };
}

use super::card::Config as Card;
use super::depot::Depot;
use super::fault::Fault;
use super::params::{DepotConfig, DepotParams, SentryConfig, SentryParams};
use super::path::{Config, Path, Segment};
use super::sentry::Sentry;

/// A trace of boxes that have this fault, or none; what it finds.
type Trace = fn(Option<Fault>) -> Result<(), String>;

fn differ<T: PartialEq + std::fmt::Debug>(is: &T, want: &T) -> Option<String> {
    (is != want).then(|| format!("{is:?}, not {want:?}"))
}

mod boxes;
mod depot;
mod faults;
mod gateway;
mod random;
mod sentry;
mod way;
