//! Registers that software reads and writes: one description per top, and the hardware made of it.

pub mod axi_lite_slave;
pub mod counter_bank;
pub mod description;
pub mod receive_endpoint;

pub use axi_lite_slave::AxiLiteSlave;
pub use counter_bank::CounterBank;
pub use description::{Access, Field, Invalid, Register, RegisterMap};
