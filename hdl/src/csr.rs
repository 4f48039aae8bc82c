//! Registers that software reads and writes: one description for all tops, and the hardware made of it.
//!
//! The build script makes the hardware: a kernel knows no names but its block's own fields, so a block that has a port for each register is
//! text of its own. `make registers` writes these texts where they can be read.

pub mod axi_lite_slave;
pub mod counter_bank;
pub mod description;
pub mod endpoint;
pub mod sections;
pub mod send_sections;

/// What the parts of a top are set with and have counted, from the same descriptions.
pub mod bundles {
    include!(concat!(env!("OUT_DIR"), "/bundles.rs"));
}

/// Blocks that the build script makes from the description, each with the sections of its top.
macro_rules! made {
    ($($module:ident)*) => {$(
        // A column with one register is a match like the others.
        #[allow(clippy::single_match)]
        pub mod $module {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($module), ".rs"));
        }
    )*};
}

made! {
    bitmap_endpoint_registers
    bitmap_receive_endpoint_registers
    combined_endpoint_registers
    combined_receive_endpoint_registers
    combined_send_endpoint_registers
    endpoint_registers
    receive_endpoint_registers
    send_endpoint_registers
}

pub use axi_lite_slave::AxiLiteSlave;
pub use bitmap_endpoint_registers::BitmapEndpointRegisters;
pub use bitmap_receive_endpoint_registers::BitmapReceiveEndpointRegisters;
pub use combined_endpoint_registers::CombinedEndpointRegisters;
pub use combined_receive_endpoint_registers::CombinedReceiveEndpointRegisters;
pub use combined_send_endpoint_registers::CombinedSendEndpointRegisters;
pub use counter_bank::CounterBank;
pub use description::{Access, Field, Invalid, Register, RegisterMap};
pub use endpoint::{Parameters, Top, registers};
pub use endpoint_registers::EndpointRegisters;
pub use receive_endpoint_registers::ReceiveEndpointRegisters;
pub use send_endpoint_registers::SendEndpointRegisters;
