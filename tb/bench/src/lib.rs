//! Benches, one per block, each written once against [`rdma_rtl_sim::Model`].

pub use rdma_rtl_catalogue as catalogue;

pub mod bitmap;
pub mod capture;
pub mod completion_repeat;
pub mod congestion;
pub mod csr;
#[cfg(doctest)]
mod docs;
pub mod endpoint;
pub mod faults;
pub mod feedback_path;
pub mod immediate_list;
pub mod lr2;
pub mod memory;
pub mod merge;
pub mod never_full;
pub mod pair;
pub mod pins;
pub mod primitives;
pub mod receive_endpoint;
pub mod receive_registry;
pub mod scenario;
pub mod send;
pub mod send_bitmap;
pub mod send_endpoint;
pub mod under_test;
pub mod vectors;
pub mod verdict_ring;
pub mod wire;
