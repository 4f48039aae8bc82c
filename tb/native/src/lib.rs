//! Every block at every profile as code that runs: [`natives`].
//!
//! Apart from the catalogue, which describes the same blocks, so that each is compiled as it is used: what runs for millions of clocks with
//! optimisation, what is asked once without.

use rdma_rtl_hdl::csr::RegisterMap;
use rdma_rtl_sim::{Error, Model, Native};
use rust_hdl::prelude::clog2;
use std::path::Path;

/// Makes a block under the native driver, with every signal in a VCD file if one is named.
pub type Make = fn(Option<&Path>) -> Result<Box<dyn Model>, Error>;

macro_rules! designs {
    ($($module:ident { $block:literal, $profile:literal, $parameters:tt, native: $native:tt })*) => {
        /// By profile and block, those that are there for their Verilog alone left out.
        pub mod natives {
            use super::*;
            $(native!($module, $native);)*
        }
    };
}

macro_rules! native {
    ($module:ident, true) => {
        /// # Errors
        /// See [`Native::new`]; the wave cannot be written.
        pub fn $module(wave: Option<&Path>) -> Result<Box<dyn Model>, Error> {
            let mut native = Native::new(super::$module::make())?;
            if let Some(path) = wave {
                native.open_wave(path)?;
            }
            Ok(Box::new(native))
        }
    };
    ($module:ident, false) => {};
}

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
