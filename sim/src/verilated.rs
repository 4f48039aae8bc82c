//! Verilog under Verilator as a [`Model`].

use crate::Error;
use crate::model::{Model, Port};
pub use rdma_rtl_verilated::{Design, Initial, Instance, Library, Optimize, Options, Source, Tools, Trace};

/// A model of emitted or hand-written Verilog. Waves and coverage: [`Instance::open_wave`], [`Instance::write_coverage`].
pub type Verilated = Instance;

/// Builds a design, or takes it from the cache, and makes one model of it, everything zero.
pub fn verilate(design: &Design, options: &Options) -> Result<Verilated, Error> {
    Ok(Library::build(design, options)?.instance()?)
}

impl Model for Verilated {
    fn ports(&self) -> &[Port] {
        Instance::ports(self)
    }
    #[inline]
    fn poke(&mut self, port: usize, words: &[u32]) {
        Instance::poke(self, port, words);
    }
    #[inline]
    fn peek(&self, port: usize, words: &mut [u32]) {
        Instance::peek(self, port, words);
    }
    #[inline]
    fn eval(&mut self) {
        Instance::eval(self);
    }
    #[inline]
    fn clock(&mut self) {
        Instance::clock(self);
    }
    fn cycle(&self) -> u64 {
        Instance::cycle(self)
    }
    fn failure(&self) -> Option<&str> {
        Instance::failure(self)
    }
    #[inline]
    fn poke_u64(&mut self, port: usize, value: u64) {
        Instance::poke_u64(self, port, value);
    }
    #[inline]
    fn peek_u64(&self, port: usize) -> u64 {
        Instance::peek_u64(self, port)
    }
}
