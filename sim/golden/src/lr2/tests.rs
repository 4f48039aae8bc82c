use super::card::Config as Card;
use super::depot::Depot;
use super::params::{DepotConfig, DepotParams, SentryConfig, SentryParams};
use super::path::{Config, Path, Segment};
use super::sentry::Sentry;

mod boxes;
mod random;
