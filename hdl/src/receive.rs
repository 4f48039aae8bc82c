//! The receive side.

pub mod ack_merge;
pub mod beside_part;
pub mod commit_logic;
pub mod completion_repeat;
pub mod follow_up;
pub mod immediate_list;
pub mod mask_unit;
pub mod position_check;
pub mod range_meet;
pub mod source_counter;
pub mod verdict_code;

pub use ack_merge::AckMerge;
pub use beside_part::BesidePart;
pub use commit_logic::CommitLogic;
pub use completion_repeat::CompletionRepeat;
pub use follow_up::FollowUp;
pub use immediate_list::ImmediateList;
pub use mask_unit::MaskUnit;
pub use position_check::PositionCheck;
pub use range_meet::RangeMeet;
pub use source_counter::SourceCounter;
pub use verdict_code::VerdictCode;
