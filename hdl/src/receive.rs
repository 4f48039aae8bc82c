//! The receive side.

pub mod done_table;
pub mod entry_timer;
pub mod escape_channel;
pub mod escape_queue;
pub mod mask_unit;
pub mod registry_row;
pub mod source_counter;
pub mod start_check;
pub mod told_ring;

pub use done_table::DoneTable;
pub use entry_timer::EntryTimer;
pub use escape_channel::EscapeChannel;
pub use escape_queue::EscapeQueue;
pub use mask_unit::MaskUnit;
pub use registry_row::RegistryRow;
pub use source_counter::SourceCounter;
pub use start_check::StartCheck;
pub use told_ring::ToldRing;
