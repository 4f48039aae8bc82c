//! Benches, one per block, each written once against [`rdma_rtl_sim::Model`].

pub mod capture;
pub mod catalogue;
pub mod csr;
#[cfg(doctest)]
mod docs;
pub mod memory;
pub mod pins;
pub mod primitives;
pub mod receive_endpoint;
pub mod receive_registry;
pub mod vectors;
pub mod wire;
