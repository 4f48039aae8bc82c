//! Selective repeat between data centres, for cards that can only go back: the parts of Sentry and Depot.

pub mod lr2_hash;

pub use lr2_hash::Lr2Hash;
