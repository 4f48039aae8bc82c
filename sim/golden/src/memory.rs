//! The memory side of a receive endpoint: payload slots, writes, completions.

mod slots;
mod writes;

pub use slots::{Fate, Frame, Slots};
pub use writes::{Burst, Writes, bursts};
