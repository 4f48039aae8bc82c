//! What blocks are made of.

pub mod block_ram;
pub mod cleared_ram;
pub mod fifo_lut;
pub mod find_first;
pub mod lut_ram;
pub mod reg;
pub mod register;
pub mod tick_counter;

pub use block_ram::BlockRam;
pub use cleared_ram::ClearedRam;
pub use fifo_lut::FifoLut;
pub use find_first::FindFirst;
pub use lut_ram::LutRam;
pub use reg::Reg;
pub use register::Register;
pub use tick_counter::TickCounter;
