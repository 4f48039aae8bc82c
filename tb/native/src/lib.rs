//! One block at one profile as code that runs: the one that `RDMA_RTL_NATIVE` names when this is compiled.
//!
//! The program that wants it compiles and loads it (`rdma_rtl_catalogue::Design::native`): all blocks at all profiles take longer to
//! compile than everything else, and a run needs one.

// Without a block, as where the whole workspace is checked, nothing is used.
#![allow(unused_imports)]

use rdma_rtl_hdl::csr::RegisterMap;
use rdma_rtl_sim::{Error, Model, Native};
use rust_hdl::prelude::clog2;
use std::path::Path;

macro_rules! designs {
    ($($kind:ident $module:ident { $block:literal, $profile:literal, $parameters:tt })*) => {$(
        /// The block under the native driver, with every signal in a VCD file if one is named. The caller was compiled by the same compiler
        /// from the same sources.
        ///
        /// # Errors
        /// See [`Native::new`]; the wave cannot be written.
        #[unsafe(no_mangle)]
        pub fn rdma_rtl_native(wave: Option<&Path>) -> Result<Box<dyn Model>, Error> {
            Native::boxed($module::make(), wave)
        }
    )*};
}

include!(concat!(env!("OUT_DIR"), "/catalogue.rs"));
