//! Bench of the receive registry: drives every stream, plays the memory and the packet buffer, and holds the hardware to the
//! golden model, commit by commit in the order of the trace.
//!
//! One bench for every back end and every static parameter: [`Bench::run`] takes a [`Model`] and the [`Params`] that it was
//! made with. Stimulus is any iterator of [`Offer`]s: [`Random`] makes a seeded mixture of everything that can happen,
//! [`scenario::all`] the situations one by one, and a capture's frames come through [`crate::capture`].

mod bench;
mod failure;
#[cfg(test)]
pub(crate) mod fake;
mod follow;
pub mod layouts;
mod measure;
mod memory;
mod options;
mod ports;
mod random;
pub mod scenario;
#[cfg(test)]
mod tests;
pub mod throughput;

pub use bench::Bench;
pub use failure::Failure;
pub use measure::Report;
pub use options::{Memory, Offer, Options, Stall, What, When};
pub use random::{Random, expected_events, random_options};

pub use rdma_rtl_golden::registry::{Config, Params, Region};
pub use rdma_rtl_sim::Model;
