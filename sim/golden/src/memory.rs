//! The memory side of a receive endpoint: payload slots, writes, completions.

mod slots;

pub use slots::{Fate, Frame, Slots};
