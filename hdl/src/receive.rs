//! The receive side.

pub mod mask_unit;

pub use mask_unit::MaskUnit;
