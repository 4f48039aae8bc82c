//! Both ends by themselves, and over a network of paths.

use super::*;

/// A trace of ends that have this fault, or none; what it finds.
type Trace = fn(Option<Fault>) -> Result<(), String>;

/// Ends a trace with what it has found.
macro_rules! same {
    ($is:expr, $want:expr) => {
        differ(&$is, &$want).map_or(Ok(()), |wrong| Err(format!("{}:{}: {}: {wrong}", file!(), line!(), stringify!($is))))?
    };
}

fn differ<T: PartialEq<U> + std::fmt::Debug, U: std::fmt::Debug>(is: &T, want: &U) -> Option<String> {
    (is != want).then(|| format!("{is:?}, not {want:?}"))
}

mod faults;
mod harness;
mod modes;
mod network;
mod receiving;
mod sending;
mod sums;
