//! Congestion of queue pairs, and their rates.

pub mod congestion_degree;
pub mod queue_pair_buckets;
pub mod token_gain;
