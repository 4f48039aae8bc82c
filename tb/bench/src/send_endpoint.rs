//! The send endpoint as a system: what software, the CDMA, the wire and the receivers see of it, through its buses alone.

pub mod addresses;
pub mod directed;
pub mod peer;
pub mod rates;
pub mod traffic;

pub use crate::endpoint::*;
