//! The memory side of a receive endpoint: payload slots, writes, completions.

mod completion;
mod slots;
mod writes;

pub use completion::{Completion, ENTRY, What, entry_address};
pub use slots::{Fate, Frame, Slots};
pub use writes::{Burst, Writes, bursts};
