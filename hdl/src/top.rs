//! Packaged tops, with the names that an integrator expects, and what only they need.

pub mod bus_drain;
pub mod frame_gate;

pub use bus_drain::BusDrain;
pub use frame_gate::FrameGate;
