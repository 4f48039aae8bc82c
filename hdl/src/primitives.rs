//! What blocks are made of.

pub mod block_ram;
pub mod lut_ram;
pub mod reg;

pub use block_ram::BlockRam;
pub use lut_ram::LutRam;
pub use reg::Reg;
