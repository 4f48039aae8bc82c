//! Packaged tops, with the names that an integrator expects, and what only they need.

pub mod bitmap_endpoint;
pub mod bitmap_receive_endpoint;
pub mod bus_drain;
pub mod combined_endpoint;
pub mod combined_receive_endpoint;
pub mod combined_send_endpoint;
pub mod endpoint;
pub mod frame_gate;
pub mod frame_merge;
pub mod receive_endpoint;
pub mod send_endpoint;

pub use bitmap_endpoint::BitmapEndpoint;
pub use bitmap_receive_endpoint::BitmapReceiveEndpoint;
pub use bus_drain::BusDrain;
pub use combined_endpoint::CombinedEndpoint;
pub use combined_receive_endpoint::CombinedReceiveEndpoint;
pub use combined_send_endpoint::CombinedSendEndpoint;
pub use endpoint::Endpoint;
pub use frame_gate::FrameGate;
pub use frame_merge::FrameMerge;
pub use receive_endpoint::ReceiveEndpoint;
pub use send_endpoint::SendEndpoint;
