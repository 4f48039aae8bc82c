//! The send side: commands to segments, segments to operations, operations to frames, frames to acknowledged packets.

pub mod address_sum;
pub mod axi_lite_access;
pub mod cdma_control;
pub mod command_intake;
pub mod command_table;
pub mod descriptor_ring;
pub mod host_answers;
pub mod life_clock;
pub mod packet_scheduler;
pub mod split_config;
pub mod status_reader;
pub mod window_gate;

/// Bits of the number of a packet's try. Where a kernel needs a place behind it as a literal, or eight of them side by side, it has 5 for
/// it.
pub const TRY_BITS: usize = 5;

pub use address_sum::AddressSum;
pub use axi_lite_access::AxiLiteAccess;
pub use cdma_control::CdmaControl;
pub use command_intake::CommandIntake;
pub use command_table::CommandTable;
pub use descriptor_ring::DescriptorRing;
pub use host_answers::HostAnswers;
pub use life_clock::LifeClock;
pub use packet_scheduler::PacketScheduler;
pub use split_config::SplitConfig;
pub use status_reader::StatusReader;
pub use window_gate::WindowGate;
