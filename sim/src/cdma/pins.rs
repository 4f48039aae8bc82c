//! Ports of a model that is written in Rust, with their values.

use crate::{Direction, Port};

#[derive(Default)]
pub(super) struct Pins {
    ports: Vec<Port>,
    values: Vec<Vec<u32>>,
}

impl Pins {
    fn add(&mut self, name: String, width: usize, direction: Direction) -> usize {
        let port = Port { name, width, direction };
        self.values.push(vec![0; port.words()]);
        self.ports.push(port);
        self.ports.len() - 1
    }

    pub fn input(&mut self, name: impl Into<String>, width: usize) -> usize {
        self.add(name.into(), width, Direction::Input)
    }

    pub fn output(&mut self, name: impl Into<String>, width: usize) -> usize {
        self.add(name.into(), width, Direction::Output)
    }

    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    pub fn poke(&mut self, port: usize, words: &[u32]) {
        if self.ports[port].direction == Direction::Input {
            self.store(port, words);
        }
    }

    pub fn peek(&self, port: usize, words: &mut [u32]) {
        words.copy_from_slice(&self.values[port]);
    }

    fn store(&mut self, port: usize, words: &[u32]) {
        let width = self.ports[port].width;
        let value = &mut self.values[port];
        value.copy_from_slice(words);
        if let Some(last) = value.last_mut().filter(|_| !width.is_multiple_of(32)) {
            *last &= (1 << (width % 32)) - 1;
        }
    }

    pub fn get(&self, port: usize) -> u64 {
        let value = &self.values[port];
        u64::from(value[0]) | value.get(1).map_or(0, |high| u64::from(*high) << 32)
    }

    /// Sets the low 64 bits; the others become zero.
    pub fn set(&mut self, port: usize, value: u64) {
        let mut words = vec![0; self.values[port].len()];
        words[0] = value as u32;
        if let Some(high) = words.get_mut(1) {
            *high = (value >> 32) as u32;
        }
        self.store(port, &words);
    }

    pub fn bytes(&self, port: usize) -> Vec<u8> {
        self.values[port].iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    pub fn set_bytes(&mut self, port: usize, bytes: &[u8]) {
        let mut words = vec![0u32; self.values[port].len()];
        for (i, byte) in bytes.iter().enumerate().take(4 * words.len()) {
            words[i / 4] |= u32::from(*byte) << (8 * (i % 4));
        }
        self.store(port, &words);
    }

    /// Both are high: something passes at this edge.
    pub fn fires(&self, valid: usize, ready: usize) -> bool {
        self.get(valid) == 1 && self.get(ready) == 1
    }
}
