//! Packaged tops, with the names that an integrator expects, and what only they need.

pub mod bus_drain;
pub mod endpoint;
pub mod frame_gate;
pub mod frame_merge;
pub mod receive_endpoint;
pub mod send_endpoint;

pub use bus_drain::BusDrain;
pub use endpoint::Endpoint;
pub use frame_gate::FrameGate;
pub use frame_merge::FrameMerge;
pub use receive_endpoint::ReceiveEndpoint;
pub use send_endpoint::SendEndpoint;
