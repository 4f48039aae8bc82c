//! The CDMA model against what its documentation says, register by register, and against the sequences of the public drivers.

mod bench;
mod drivers;
mod errors;
mod interrupts;
mod lengths;
mod registers;
mod transfers;
