//! The model between an AXI4-Lite master and two memories, with the checkers at every bus.

use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::{AxiCheck, AxiLiteCheck, AxiLiteMaster, AxiMemory, MemoryOptions, step};
use rdma_rtl_sim::cdma::registers::*;
use rdma_rtl_sim::cdma::{Cdma, Data, Options};

/// Where descriptors lie.
pub const RING: u64 = 0x8000;
/// Where data lies.
pub const SOURCE: u64 = 0x10_0000;
pub const TARGET: u64 = 0x20_0000;

pub struct Bench {
    pub cdma: Cdma,
    pub master: AxiLiteMaster,
    pub descriptors: AxiMemory,
    pub data: AxiMemory,
    checks: (AxiLiteCheck, AxiCheck, AxiCheck),
    base: u64,
    wide: bool,
}

/// A descriptor.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    pub source: u64,
    pub target: u64,
    pub bytes: u32,
}

pub fn inside() -> Options {
    Options { data: Data::Inside { latency: 10, rate: 64 }, ..Options::default() }
}

impl Bench {
    pub fn new(options: Options) -> Self {
        Self::at(options, RING)
    }

    /// With descriptors from `base` on.
    pub fn at(options: Options, base: u64) -> Self {
        let stalls = options.stalls;
        let wide = options.address_bits > 32;
        let memory = MemoryOptions { stalls, seed: options.seed, ..Default::default() };
        let mut cdma = Cdma::new(options);
        let master = AxiLiteMaster::new(&cdma, "s_axi_lite_", 3, stalls).unwrap();
        let mut descriptors = AxiMemory::new(&cdma, "m_axi_sg_", memory).unwrap();
        let mut data = AxiMemory::new(&cdma, "m_axi_", memory).unwrap();
        let checks = (
            AxiLiteCheck::new(&cdma, "s_axi_lite_").unwrap(),
            AxiCheck::new(&cdma, "m_axi_sg_").unwrap(),
            AxiCheck::new(&cdma, "m_axi_").unwrap(),
        );
        descriptors.region(base, 0x1000);
        data.region(SOURCE, 0x10000);
        data.region(TARGET, 0x10000);
        cdma.memory().region(SOURCE, 0x10000);
        cdma.memory().region(TARGET, 0x10000);
        let noise: Vec<u8> = (0..0x10000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        data.put(SOURCE, &noise);
        cdma.memory().put(SOURCE, &noise);
        Bench { cdma, master, descriptors, data, checks, base, wide }
    }

    pub fn clock(&mut self) {
        let mut violations = Vec::new();
        let Bench { cdma, master, descriptors, data, checks, .. } = self;
        step(cdma, &mut [master, descriptors, data, &mut checks.0, &mut checks.1, &mut checks.2], &mut violations);
        assert!(violations.is_empty(), "{}", violations[0]);
    }

    pub fn clocks(&mut self, count: usize) {
        for _ in 0..count {
            self.clock();
        }
    }

    fn until_answered(&mut self) {
        let mut waited = 0;
        while !self.master.idle() {
            self.clock();
            waited += 1;
            assert!(waited < 10_000, "no answer");
        }
    }

    /// A write over the bus, until it is answered.
    pub fn write(&mut self, offset: u64, value: u32) {
        self.master.write(offset, value);
        self.until_answered();
        assert!(self.master.answers().iter().all(|a| a.ok()));
    }

    /// A read over the bus.
    pub fn read(&mut self, offset: u64) -> u32 {
        self.master.read(offset);
        self.until_answered();
        self.master.answers().pop().unwrap().data
    }

    /// Puts a descriptor to its place in a ring of `count`.
    pub fn descriptor(&mut self, index: u64, count: u64, piece: Piece) {
        let next = self.base + 64 * ((index + 1) % count);
        let words = [
            next as u32,
            (next >> 32) as u32,
            piece.source as u32,
            (piece.source >> 32) as u32,
            piece.target as u32,
            (piece.target >> 32) as u32,
            piece.bytes,
            0,
        ];
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert!(self.descriptors.put(self.at_index(index), &bytes));
    }

    pub fn at_index(&self, index: u64) -> u64 {
        self.base + 64 * index
    }

    pub fn status(&self, index: u64) -> u32 {
        let bytes = self.descriptors.bytes(self.at_index(index) + 0x1c, 4).unwrap();
        u32::from_le_bytes(bytes.try_into().unwrap())
    }

    /// Starts at descriptor `first` and moves the tail to `last`, as the documentation says.
    pub fn start(&mut self, first: u64, last: u64) {
        self.write(CDMACR, 0);
        self.write(CDMACR, SG_MODE);
        self.write(CURDESC, self.at_index(first) as u32);
        if self.wide {
            self.write(CURDESC_MSB, (self.at_index(first) >> 32) as u32);
        }
        self.tail(last);
    }

    pub fn tail(&mut self, last: u64) {
        self.write(TAILDESC, self.at_index(last) as u32);
        if self.wide {
            self.write(TAILDESC_MSB, (self.at_index(last) >> 32) as u32);
        }
    }

    /// Clocks until CDMASR is idle, seen without the bus.
    pub fn until_idle(&mut self) {
        for _ in 0..100_000 {
            if self.cdma.register(CDMASR) & IDLE != 0 {
                return;
            }
            self.clock();
        }
        panic!("not idle after {} clocks", self.cdma.cycle());
    }

    pub fn reset(&mut self) {
        self.write(CDMACR, RESET);
        while self.read(CDMACR) & RESET != 0 {}
    }

    pub fn hard_reset(&mut self, clocks: usize) {
        let port = self.cdma.port("s_axi_lite_aresetn").unwrap();
        self.cdma.poke_u64(port, 0);
        self.clocks(clocks);
        self.cdma.poke_u64(port, 1);
    }

    /// Data of a piece lies at its target.
    pub fn moved(&mut self, piece: Piece) -> bool {
        let count = piece.bytes as usize;
        let ports = self.data.bytes(piece.source, count).unwrap() == self.data.bytes(piece.target, count).unwrap();
        let memory = self.cdma.memory();
        ports || memory.bytes(piece.source, count).unwrap() == memory.bytes(piece.target, count).unwrap()
    }
}

/// Pieces of odd sizes one behind the other.
pub fn pieces(count: u64) -> Vec<Piece> {
    let mut at = 1;
    let piece = |i: u64| {
        let bytes = (i * 97 + 1) % 700 + 1;
        let piece = Piece { source: SOURCE + at, target: TARGET + at + i % 3, bytes: bytes as u32 };
        at += bytes + 5;
        piece
    };
    (0..count).map(piece).collect()
}
