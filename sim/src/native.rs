//! The rust-hdl block itself, under a clocked driver of our own.

use crate::Error;
use crate::model::{Direction, Model, Port};
use crate::wave::BlockWave;
use rdma_rtl_hdl::ports::Ports;
use rdma_rtl_hdl::settle::{Pass, Settle, Why};
use rdma_rtl_hdl::signals::Shown;
use rust_hdl::prelude::{Atom, Block, Probe};
use std::io::BufWriter;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Passes over a design after which its logic counts as oscillating. Every level of hierarchy needs a few.
const PASSES: usize = 1000;

/// A rust-hdl block as a [`Model`].
///
/// It settles the logic before the rising edge and after it, by passes that evaluate only what can change (see
/// [`settle`](rdma_rtl_hdl::settle)). The falling edge, which no block uses, is there only where a wave shows it. An `eval` after no
/// change costs nothing.
pub struct Native<B> {
    block: B,
    pass: Pass,
    ports: Vec<Port>,
    /// Position in the block of each port of the model.
    index: Vec<usize>,
    clock: Option<usize>,
    cycle: u64,
    /// An input differs from what the logic has seen.
    stale: bool,
    failure: Option<String>,
    wave: Option<BlockWave>,
}

impl<B: Block + Ports + Settle> Native<B> {
    /// Takes a block as its `new()` or `default()` made it and connects it. All inputs are zero.
    ///
    /// Errors: more than one clock input.
    pub fn new(mut block: B) -> Result<Self, Error> {
        block.connect_all();
        let (mut ports, mut index, mut clocks) = (Vec::new(), Vec::new(), Vec::new());
        for (i, name) in B::port_names().into_iter().enumerate() {
            let Some(port) = block.port(i) else { continue };
            if port.is_clock() && port.is_input() {
                clocks.push((i, name));
            } else {
                let direction = if port.is_input() { Direction::Input } else { Direction::Output };
                ports.push(Port { name, width: port.width(), direction });
                index.push(i);
            }
        }
        if clocks.len() > 1 {
            let names = clocks.iter().map(|c| c.1.as_str()).collect::<Vec<_>>().join(", ");
            return Err(Error::Clocks { block: short_name::<B>(), count: clocks.len(), names });
        }
        let clock = clocks.first().map(|c| c.0);
        let mut native = Native { block, pass: Pass::default(), ports, index, clock, cycle: 0, stale: true, failure: None, wave: None };
        native.settle(Why::New);
        Ok(native)
    }

    /// The same, with every signal in a VCD file if one is named, as one of many models.
    ///
    /// # Errors
    /// Those of [`new`](Native::new) and [`open_wave`](Native::open_wave).
    pub fn boxed(block: B, wave: Option<&Path>) -> Result<Box<dyn Model>, Error>
    where
        B: 'static,
    {
        let mut native = Self::new(block)?;
        if let Some(path) = wave {
            native.open_wave(path)?;
        }
        Ok(Box::new(native))
    }

    /// The block, to look inside.
    pub fn block(&self) -> &B {
        &self.block
    }

    /// Writes a value change dump of every signal to `path` from now on, 10 ns a cycle.
    pub fn open_wave(&mut self, path: &Path) -> Result<(), Error> {
        let file = std::fs::File::create(path).map_err(|source| Error::Write { path: path.to_path_buf(), source })?;
        self.wave = Some(BlockWave::new(BufWriter::new(file), &Shown(&self.block), self.time()));
        Ok(())
    }

    /// Ends the wave, if one is open. Dropping the model does the same.
    pub fn close_wave(&mut self) {
        self.dump(0);
        self.wave = None;
    }

    /// In rust-hdl's unit, picoseconds.
    fn time(&self) -> u64 {
        self.cycle * 10_000
    }

    fn dump(&mut self, offset: u64) {
        let time = self.time() + offset;
        if let Some(wave) = &mut self.wave {
            wave.change(time, &Shown(&self.block));
        }
    }

    fn set_clock(&mut self, high: bool) {
        if let Some(port) = self.clock.and_then(|c| self.block.port_mut(c)) {
            self.stale |= port.set(&[u32::from(high)]);
        }
    }

    /// Passes until nothing changes.
    fn settle(&mut self, why: Why) {
        let (block, pass) = (&mut self.block, &mut self.pass);
        // rust-hdl panics on values that hardware would wrap: that is a finding about the block, not the end of the run.
        let settled = catch_unwind(AssertUnwindSafe(|| {
            (0..PASSES).any(|i| {
                let now = if why == Why::Edge && i > 0 { Why::Change } else { why };
                // What the kernels of a new design write in its first pass is taken over in the second.
                !pass.over(block, now) && (i > 0 || why != Why::New)
            })
        }));
        self.stale = false;
        match settled {
            Ok(true) => {}
            Ok(false) => {
                let mut changing = Changing::default();
                self.block.signals("", &mut changing);
                let list = changing.names.join(", ");
                self.failure = Some(format!("`{}` does not settle in {PASSES} passes; still changing: {list}", short_name::<B>()));
            }
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
                self.failure = Some(format!("`{}` panicked in its Rust: {}", short_name::<B>(), text.unwrap_or("no message")));
            }
        }
    }
}

/// Type name without its path.
fn short_name<B>() -> String {
    let name = std::any::type_name::<B>();
    let end = name.find('<').unwrap_or(name.len());
    let start = name[..end].rfind("::").map_or(0, |i| i + 2);
    name[start..].to_string()
}

/// Paths of the first signals that changed in the last pass.
#[derive(Default)]
struct Changing {
    path: Vec<String>,
    names: Vec<String>,
}

impl Probe for Changing {
    fn visit_start_scope(&mut self, name: &str, _: &dyn Block) {
        self.path.push(name.to_string());
    }
    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        if signal.changed() && self.names.len() < 8 {
            let scope = self.path.iter().filter(|p| !p.is_empty());
            self.names.push(scope.map(String::as_str).chain([name]).collect::<Vec<_>>().join("."));
        }
    }
    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.path.pop();
    }
}

impl<B: Block + Ports + Settle> Model for Native<B> {
    fn ports(&self) -> &[Port] {
        &self.ports
    }

    fn poke(&mut self, port: usize, words: &[u32]) {
        if let Some(port) = self.block.port_mut(self.index[port]) {
            self.stale |= port.set(words);
        }
    }

    fn peek(&self, port: usize, words: &mut [u32]) {
        if let Some(port) = self.block.port(self.index[port]) {
            port.get(words);
        }
    }

    fn eval(&mut self) {
        if self.stale && self.failure.is_none() {
            self.settle(Why::Change);
        }
    }

    fn clock(&mut self) {
        // A wave shows the clock in every block; and the first edge goes the way of the signals, so that a register which has no clock
        // stays without.
        let shown = self.wave.is_some() || self.cycle == 0;
        if shown {
            self.set_clock(false);
        }
        // Inputs first: a register takes what its input was before the rising edge.
        self.eval();
        self.dump(0);
        if self.failure.is_some() {
            return;
        }
        if self.clock.is_some() {
            if shown {
                self.set_clock(true);
                self.settle(Why::Change);
            } else {
                self.settle(Why::Edge);
            }
            self.dump(5_000);
        }
        self.cycle += 1;
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}
