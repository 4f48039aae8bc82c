//! The data mover: a copy as bursts, reads ahead of writes, no burst over a 4 KB boundary.

use super::master::Master;
use super::memory::CopyMemory;
use super::registers::{DMA_DECODE, DMA_SLAVE};
use std::collections::VecDeque;

/// Bursts of one direction that wait for their answer at most.
const OPEN: usize = 4;

pub(super) struct Mover {
    source: u64,
    target: u64,
    to_read: usize,
    to_write: usize,
    burst: usize,
    buffer: VecDeque<u8>,
    /// of each read under way: bytes to skip, bytes to keep
    reads: VecDeque<(usize, usize)>,
    /// no read goes to the port
    inside: bool,
    errors: u32,
}

/// Error bits of a response.
fn error(response: u8) -> u32 {
    match response {
        2 => DMA_SLAVE,
        3 => DMA_DECODE,
        _ => 0,
    }
}

impl Mover {
    pub fn new(source: u64, target: u64, bytes: usize, burst: usize, inside: bool) -> Self {
        let (buffer, reads) = (VecDeque::new(), VecDeque::new());
        Mover { source, target, to_read: bytes, to_write: bytes, burst, buffer, reads, inside, errors: 0 }
    }

    /// Bytes from `address` on that one burst takes.
    fn piece(&self, address: u64, bytes: usize, width: usize) -> usize {
        let of_burst = self.burst * width - (address % width as u64) as usize;
        bytes.min(of_burst).min(4096 - (address % 4096) as usize)
    }

    /// A beat of `width` bytes that does not come from the port.
    pub fn fetch(&mut self, memory: &CopyMemory, width: usize) {
        let bytes = self.to_read.min(width);
        if bytes == 0 || self.buffer.len() >= OPEN * self.burst * width {
            return;
        }
        match memory.read(self.source, bytes) {
            Ok(found) => self.buffer.extend(found),
            Err(bits) => self.errors |= bits,
        }
        self.source = self.source.wrapping_add(bytes as u64);
        self.to_read -= bytes;
    }

    /// One clock; gives the error bits when all is done.
    pub fn clock(&mut self, port: &mut Master) -> Option<u32> {
        while let Some((bytes, response)) = port.read_done() {
            self.errors |= error(response);
            if let Some((skip, keep)) = self.reads.pop_front() {
                self.buffer.extend(&bytes[skip..skip + keep]);
            }
        }
        while let Some(response) = port.write_done() {
            self.errors |= error(response);
        }
        let ended = self.errors != 0 || self.to_write == 0;
        if ended {
            return port.quiet().then_some(self.errors);
        }
        let room = self.buffer.len() < OPEN * self.burst * port.width;
        if !self.inside && self.to_read > 0 && self.reads.len() < OPEN && room {
            let bytes = self.piece(self.source, self.to_read, port.width);
            let skip = (self.source % port.width as u64) as usize;
            port.read(self.source - skip as u64, (skip + bytes).div_ceil(port.width));
            self.reads.push_back((skip, bytes));
            self.source = self.source.wrapping_add(bytes as u64);
            self.to_read -= bytes;
        }
        let bytes = self.piece(self.target, self.to_write, port.width);
        if self.buffer.len() >= bytes && port.writes_open < OPEN {
            let piece: Vec<u8> = self.buffer.drain(..bytes).collect();
            port.write(self.target, &piece);
            self.target = self.target.wrapping_add(bytes as u64);
            self.to_write -= bytes;
        }
        None
    }
}
