//! The boxes of a long haul.

pub mod sentry_bits;
pub mod sentry_flows;
mod sentry_pins;
pub mod sentry_step;
