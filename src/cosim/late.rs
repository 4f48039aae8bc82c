//! A model that writes a wave of some clocks.

use rdma_rtl_sim::verilated::Instance;
use rdma_rtl_sim::{Lockstep, Model};
use std::path::{Path, PathBuf};

/// Clocks of a wave behind the failing one.
pub const BEHIND: u64 = 50;

/// The clocks of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub from: u64,
    pub until: u64,
}

impl Window {
    pub const ALL: Window = Window { from: 0, until: u64::MAX };
}

/// What can begin a wave while it runs, and end it.
pub trait Opens: Model {
    fn open(&mut self, path: &Path) -> Result<(), String>;
    fn close(&mut self) -> Result<(), String>;
}

impl Opens for Instance {
    fn open(&mut self, path: &Path) -> Result<(), String> {
        self.open_wave(path).map_err(|e| e.to_string())
    }
    fn close(&mut self) -> Result<(), String> {
        self.close_wave().map_err(|e| e.to_string())
    }
}

impl Opens for Lockstep<Box<dyn Model>, Instance> {
    fn open(&mut self, path: &Path) -> Result<(), String> {
        self.models().1.open(path)
    }
    fn close(&mut self) -> Result<(), String> {
        self.models().1.close()
    }
}

/// As the model in it, with a wave of a window.
pub struct Late<M> {
    pub model: M,
    pub window: Window,
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
        if self.model.cycle() >= self.window.from
            && let Some(path) = self.path.take()
        {
            self.failure = self.model.open(&path).err();
        } else if self.model.cycle() == self.window.until {
            self.failure = self.failure.take().or(self.model.close().err());
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

/// A model that goes on when its bench has left it, inputs as they were: what a wave shows behind the failing clock.
pub struct Beyond {
    pub model: Box<dyn Model>,
    pub until: u64,
}

impl Drop for Beyond {
    fn drop(&mut self) {
        // One that has stopped by itself stands still.
        for _ in 0..self.until.saturating_sub(self.model.cycle()).min(BEHIND) {
            self.model.clock();
        }
    }
}

impl Model for Beyond {
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
        self.model.clock();
    }
    fn cycle(&self) -> u64 {
        self.model.cycle()
    }
    fn failure(&self) -> Option<&str> {
        self.model.failure()
    }
    fn poke_u64(&mut self, port: usize, value: u64) {
        self.model.poke_u64(port, value);
    }
    fn peek_u64(&self, port: usize) -> u64 {
        self.model.peek_u64(port)
    }
}
