//! Verilog under Verilator as a [`Model`].

use crate::Error;
use crate::model::{Direction, Model, Port};
use rdma_rtl_gen::ir;
use rdma_rtl_hdl::describe::Described;
pub use rdma_rtl_verilated::{Design, Initial, Instance, Library, Optimize, Options, Source, Tools, Trace, cache};
use rust_hdl::prelude::Block;

/// A model of emitted or hand-written Verilog. Waves and coverage: [`Instance::open_wave`], [`Instance::write_coverage`].
pub type Verilated = Instance;

/// Builds a design, or takes it from the cache, and makes one model of it, everything zero.
pub fn verilate(design: &Design, options: &Options) -> Result<Verilated, Error> {
    Ok(Library::build(design, options)?.instance()?)
}

/// The emitted text of an elaborated design, ready to be built.
///
/// Errors: more than one clock.
pub fn design_of(elaborated: &ir::Design) -> Result<Design, Error> {
    let (clocks, ports): (Vec<_>, Vec<_>) = elaborated.ports().into_iter().partition(|p| p.clock);
    if clocks.len() > 1 {
        let names = clocks.iter().map(|c| c.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(Error::Clocks { block: elaborated.top.clone(), count: clocks.len(), names });
    }
    let port = |p: ir::Port| Port {
        name: p.name,
        width: p.width,
        direction: if p.direction == ir::Direction::Input { Direction::Input } else { Direction::Output },
    };
    Ok(Design {
        sources: rdma_rtl_gen::emit(elaborated).into_iter().map(|f| Source::new(f.name, f.text)).collect(),
        top: elaborated.top.clone(),
        clock: clocks.into_iter().next().map(|c| c.name),
        ports: ports.into_iter().map(port).collect(),
    })
}

/// The Verilog of a rust-hdl block: connected, described, elaborated, emitted.
pub fn design_of_block<B: Block + Described>(mut block: B) -> Result<Design, Error> {
    block.connect_all();
    design_of(&rdma_rtl_gen::elaborate(&block.describe(), &rdma_rtl_gen::Options::default())?)
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
