//! Congestion of queue pairs, what acknowledgements say of it, and rates.

pub mod ceth_builder;
pub mod ceth_reader;
pub mod congestion_degree;
pub mod queue_pair_buckets;
pub mod token_gain;
