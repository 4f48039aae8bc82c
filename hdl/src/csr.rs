//! Registers that software reads and writes: one description per top, and the hardware made of it.

pub mod axi_lite_slave;
pub mod bitmap_endpoint;
#[rustfmt::skip]
#[allow(clippy::single_match)]
pub mod bitmap_endpoint_registers;
pub mod bitmap_receive_endpoint;
#[rustfmt::skip]
// Generated: a column with one register is a match like the others.
#[allow(clippy::single_match)]
pub mod bitmap_receive_endpoint_registers;
pub mod combined_endpoint;
#[rustfmt::skip]
pub mod combined_endpoint_registers;
pub mod combined_receive_endpoint;
#[rustfmt::skip]
pub mod combined_receive_endpoint_registers;
pub mod combined_send_endpoint;
#[rustfmt::skip]
pub mod combined_send_endpoint_registers;
pub mod counter_bank;
pub mod description;
pub mod endpoint;
#[rustfmt::skip]
pub mod endpoint_registers;
pub mod receive_endpoint;
#[rustfmt::skip]
pub mod receive_endpoint_registers;
pub mod sections;
pub mod send_endpoint;
#[rustfmt::skip]
pub mod send_endpoint_registers;
pub mod send_sections;

pub use axi_lite_slave::AxiLiteSlave;
pub use bitmap_endpoint_registers::BitmapEndpointRegisters;
pub use bitmap_receive_endpoint_registers::BitmapReceiveEndpointRegisters;
pub use combined_endpoint_registers::CombinedEndpointRegisters;
pub use combined_receive_endpoint_registers::CombinedReceiveEndpointRegisters;
pub use combined_send_endpoint_registers::CombinedSendEndpointRegisters;
pub use counter_bank::CounterBank;
pub use description::{Access, Field, Invalid, Register, RegisterMap};
pub use endpoint_registers::EndpointRegisters;
pub use receive_endpoint_registers::ReceiveEndpointRegisters;
pub use send_endpoint_registers::SendEndpointRegisters;
