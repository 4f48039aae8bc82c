//! The receive endpoint as a system: what senders, memory and software see of it, through its buses alone.

pub mod directed;
pub mod hostile;
pub mod replay;
pub mod saturation;
pub mod traffic;

pub use crate::endpoint::*;

use rdma_rtl_golden::wire::FrameError;

/// Counter of a reason.
fn counter(error: FrameError) -> &'static str {
    match error {
        FrameError::NotRocev2 => "count_frame_not_udp_4791",
        FrameError::Truncated => "count_frame_truncated",
        FrameError::BadVersion => "count_frame_bad_version",
        FrameError::BadOpcode => "count_frame_unknown_opcode",
        FrameError::BadPad => "count_frame_bad_pad",
        FrameError::BadLength => "count_frame_bad_length",
        FrameError::BadIcrc => "count_frame_icrc",
        FrameError::BadExtension => "count_frame_bad_extension",
        FrameError::UnknownQp => "count_frame_not_our_qp",
        FrameError::ReservedOpcode => "count_frame_foreign",
    }
}
