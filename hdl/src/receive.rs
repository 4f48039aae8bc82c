//! The receive side.

pub mod mask_unit;
pub mod registry_row;

pub use mask_unit::MaskUnit;
pub use registry_row::RegistryRow;
