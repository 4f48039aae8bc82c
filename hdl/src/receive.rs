//! The receive side.

pub mod ack_merge;
pub mod commit_logic;
pub mod done_table;
pub mod entry_timer;
pub mod escape_channel;
pub mod escape_queue;
pub mod injector;
pub mod mask_unit;
pub mod position_check;
pub mod receive_registry;
pub mod registry_row;
pub mod registry_table;
pub mod source_counter;
pub mod start_check;
pub mod told_path;
pub mod told_ring;
pub mod verdict_code;

pub use ack_merge::AckMerge;
pub use commit_logic::CommitLogic;
pub use done_table::DoneTable;
pub use entry_timer::EntryTimer;
pub use escape_channel::EscapeChannel;
pub use escape_queue::EscapeQueue;
pub use injector::Injector;
pub use mask_unit::MaskUnit;
pub use position_check::PositionCheck;
pub use receive_registry::ReceiveRegistry;
pub use registry_row::RegistryRow;
pub use registry_table::RegistryTable;
pub use source_counter::SourceCounter;
pub use start_check::StartCheck;
pub use told_path::ToldPath;
pub use told_ring::ToldRing;
pub use verdict_code::VerdictCode;
