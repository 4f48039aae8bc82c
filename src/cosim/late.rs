//! A model that begins its wave in a chosen clock.

use rdma_rtl_sim::verilated::Instance;
use rdma_rtl_sim::{Lockstep, Model};
use std::path::PathBuf;

/// What can begin a wave while it runs.
pub trait Opens: Model {
    fn open(&mut self, path: &std::path::Path) -> Result<(), String>;
}

impl Opens for Instance {
    fn open(&mut self, path: &std::path::Path) -> Result<(), String> {
        self.open_wave(path).map_err(|e| e.to_string())
    }
}

impl Opens for Lockstep<Box<dyn Model>, Instance> {
    fn open(&mut self, path: &std::path::Path) -> Result<(), String> {
        self.models().1.open(path)
    }
}

/// As the model in it; before clock `from` it writes no wave.
pub struct Late<M> {
    pub model: M,
    pub from: u64,
    /// Nothing once the wave has begun
    pub path: Option<PathBuf>,
    /// Why there is no wave
    pub failure: Option<String>,
}

impl<M: Opens> Model for Late<M> {
    fn ports(&self) -> &[rdma_rtl_sim::Port] {
        self.model.ports()
    }
    fn poke(&mut self, port: usize, words: &[u32]) {
        self.model.poke(port, words);
    }
    fn peek(&self, port: usize, words: &mut [u32]) {
        self.model.peek(port, words);
    }
    fn eval(&mut self) {
        self.model.eval();
    }
    fn clock(&mut self) {
        if self.model.cycle() >= self.from
            && let Some(path) = self.path.take()
        {
            self.failure = self.model.open(&path).err();
        }
        self.model.clock();
    }
    fn cycle(&self) -> u64 {
        self.model.cycle()
    }
    fn failure(&self) -> Option<&str> {
        self.failure.as_deref().or_else(|| self.model.failure())
    }
    fn poke_u64(&mut self, port: usize, value: u64) {
        self.model.poke_u64(port, value);
    }
    fn peek_u64(&self, port: usize) -> u64 {
        self.model.peek_u64(port)
    }
}
