//! The send side: commands to segments, segments to operations, operations to frames.

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
