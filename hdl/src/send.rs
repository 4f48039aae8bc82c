//! The send side: commands to segments, segments to operations, operations to frames.

pub mod address_sum;
pub mod command_check;
pub mod command_table;
pub mod frame_beats;
pub mod host_answers;
pub mod packet_engine;
pub mod packet_header;
pub mod packet_jobs;
pub mod segment_cut;
pub mod segment_queues;
pub mod split_config;
pub mod splitter;

pub use address_sum::AddressSum;
pub use command_check::CommandCheck;
pub use command_table::CommandTable;
pub use frame_beats::FrameBeats;
pub use host_answers::HostAnswers;
pub use packet_engine::PacketEngine;
pub use packet_header::PacketHeader;
pub use packet_jobs::PacketJobs;
pub use segment_cut::SegmentCut;
pub use segment_queues::SegmentQueues;
pub use split_config::SplitConfig;
pub use splitter::Splitter;
pub mod axi_lite_access;
pub mod cdma_control;
pub mod cdma_driver;
pub mod descriptor_ring;
pub mod descriptor_writer;
pub mod status_reader;

pub use axi_lite_access::AxiLiteAccess;
pub use cdma_control::CdmaControl;
pub use cdma_driver::CdmaDriver;
pub use descriptor_ring::DescriptorRing;
pub use descriptor_writer::DescriptorWriter;
pub use status_reader::StatusReader;
