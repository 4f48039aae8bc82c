//! The boxes of a long haul.

pub mod depot_events;
pub mod depot_flows;
pub mod depot_frames;
pub mod depot_heads;
pub mod depot_pace;
pub mod depot_path;
pub mod depot_pool;
pub mod depot_pools;
pub mod depot_rates;
pub mod depot_step;
pub mod lr2_flow_table;
pub mod lr2_frames;
pub mod lr2_head;
pub mod sentry_bits;
pub mod sentry_flows;
mod sentry_pins;
pub mod sentry_step;
