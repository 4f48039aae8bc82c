//! Benches, one per block, each written once against [`rdma_rtl_sim::Model`].

pub mod receive_registry;
