//! Both ends by themselves and over a network.

/// Ends a trace with what it has found.
macro_rules! same {
    ($is:expr, $want:expr) => {
        differ(&$is, &$want).map_or(Ok(()), |wrong| Err(format!("{}:{}: {}: {wrong}", file!(), line!(), stringify!($is))))?
    };
}

use super::*;
use crate::bitmap::{Ack, psn};

/// A trace of ends that have this fault, or none; what it finds.
type Trace = fn(Option<Fault>) -> Result<(), String>;

fn differ<T: PartialEq + std::fmt::Debug>(is: &T, want: &T) -> Option<String> {
    (is != want).then(|| format!("{is:?}, not {want:?}"))
}

mod cells;
mod faults;
mod follow;
mod harness;
pub(crate) mod memory;
pub(crate) mod network;
mod pages;
mod rejects;
mod rig;
mod wire;

mod order;
mod recovery;
