//! Rates of queue pairs.

pub mod queue_pair_buckets;
pub mod token_gain;
