//! Behavioural AXI CDMA: Xilinx's central DMA (PG034, version 4.1) as software and the buses see it, clock by clock.
//!
//! [`Cdma`] is a [`Model`] with the ports of the IP, so bus models and checkers stand at it as at any design:
//!
//! | ports | what stands there |
//! | --- | --- |
//! | `s_axi_lite_*` | registers: an AXI4-Lite master |
//! | `m_axi_sg_*` | descriptors: an AXI4 memory of 32 bits |
//! | `m_axi_*` | data: an AXI4 memory; quiet if the data moves inside of the model ([`Options::data`]) |
//! | `cdma_introut` | interrupt |
//! | `s_axi_lite_aresetn` | hard reset, active low |
//!
//! Every output is a register. [`bus::Joined`](crate::bus::Joined) puts the ports of one model to those of another.
//!
//! Simple and scatter-gather transfers, tail pointer, cyclic mode, interrupts with threshold and delay, every error of the IP, soft and
//! hard reset, addresses of 32 or more bits, 23 or 26 bits of length. What the documentation leaves open is decided like this: an error
//! halts the engine until a reset, and it is idle then; error bits do not go away by being written; after a soft reset all registers have
//! their default; a descriptor counts as completed when its status write has been answered. What software does against the documentation is
//! told by [`Cdma::complaints`]. Key hole transfers are not modelled: one that is started is an internal error and a complaint.

mod engine;
mod fault;
mod lite;
mod master;
mod memory;
mod mover;
mod pins;
pub mod registers;

pub use fault::Fault;
pub use memory::CopyMemory;

use crate::bus::{Dice, Stalls};
use crate::{Model, Port};
use engine::Engine;
use lite::Lite;
use pins::Pins;
use registers::Registers;

/// How the core was built, and how its surroundings behave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// C_ADDR_WIDTH: 32 to 64; above 32 the `_MSB` registers are there, and a write to TAILDESC_PNTR_MSB starts
    pub address_bits: u32,
    /// bits of bytes-to-transfer: 26, or 23 before version 4.1
    pub length_bits: u32,
    /// C_INCLUDE_SG
    pub scatter_gather: bool,
    /// C_INCLUDE_DRE: source and destination may lie differently in a beat
    pub realign: bool,
    /// C_M_AXI_DATA_WIDTH: bits of `m_axi_*data`
    pub data_width: usize,
    /// C_M_AXI_MAX_BURST_LEN: beats of a burst
    pub burst: u32,
    /// C_SOFT_RST_TIME_CLKS: clocks of a soft reset at least
    pub reset_clocks: u32,
    /// descriptors that are fetched ahead of the one in work, up to the tail
    pub prefetch: usize,
    /// beats of a read of a descriptor: 8, or several reads of 4, 2 or 1
    pub fetch_beats: u32,
    /// a descriptor whose data failed has Cmplt beside its error bits
    pub error_completes: bool,
    /// clocks by which CDMASR tells of an error of the data before the status of the descriptor goes to the bus
    pub early_error: u32,
    /// who moves the data
    pub data: Data,
    pub seed: u64,
    /// of the register and descriptor ports, and of `m_axi_*`
    pub stalls: Stalls,
}

/// Who moves the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Data {
    /// bursts on `m_axi_*`
    Ports,
    /// read from the [`memory`](Cdma::memory) of the model, one beat per clock after so many clocks, written as bursts on `m_axi_*`; the
    /// writes may be 2048 bits wide, as behind a converter
    Written { latency: u64 },
    /// a copy in the [`memory`](Cdma::memory) of the model, after so many clocks and so many bytes per clock
    Inside { latency: u64, rate: u64 },
}

impl Default for Options {
    fn default() -> Self {
        Options {
            address_bits: 32,
            length_bits: 26,
            scatter_gather: true,
            realign: true,
            data_width: 32,
            burst: 16,
            reset_clocks: 8,
            prefetch: 0,
            fetch_beats: 8,
            error_completes: false,
            early_error: 0,
            data: Data::Ports,
            seed: 1,
            stalls: Stalls::NONE,
        }
    }
}

/// The core.
pub struct Cdma {
    pins: Pins,
    introut: usize,
    resetn: usize,
    lite: Lite,
    registers: Registers,
    engine: Engine,
    dice: Dice,
    options: Options,
    cycle: u64,
}

impl Cdma {
    /// One of these options, out of reset.
    /// # Panics
    /// An option that the IP does not have.
    pub fn new(options: Options) -> Self {
        assert!((32..=64).contains(&options.address_bits), "address_bits = {}, allowed are 32 to 64", options.address_bits);
        assert!([23, 26].contains(&options.length_bits), "length_bits = {}, allowed are 23 and 26", options.length_bits);
        assert!([1, 2, 4, 8].contains(&options.fetch_beats), "fetch_beats = {}, allowed are 1, 2, 4, 8", options.fetch_beats);
        assert!((2..=256).contains(&options.burst), "burst = {}, allowed are 2 to 256", options.burst);
        let widths = [32, 64, 128, 256, 512, 1024];
        let converted = options.data_width == 2048 && matches!(options.data, Data::Written { .. });
        assert!(converted || widths.contains(&options.data_width), "data_width = {}, allowed are {widths:?}", options.data_width);
        let mut pins = Pins::default();
        let resetn = pins.input("s_axi_lite_aresetn", 1);
        pins.set(resetn, 1);
        let lite = Lite::new(&mut pins, "s_axi_lite_");
        let engine = Engine::new(&mut pins, &options);
        let introut = pins.output("cdma_introut", 1);
        let registers = Registers::new(&options);
        Cdma { pins, introut, resetn, lite, registers, engine, dice: Dice::new(options.seed), options, cycle: 0 }
    }

    /// The next transfer or descriptor but `after` fails like this; 0 is the next one to be begun. Transfers and descriptors are counted as
    /// they are begun, those that are begun again too.
    pub fn inject(&mut self, after: u64, fault: Fault) {
        self.engine.inject(after, fault);
    }

    /// Faults that come anew and anew: one of `kinds`, in so many of a thousand descriptors.
    pub fn inject_at_random(&mut self, permille: u32, kinds: &[Fault]) {
        self.engine.inject_at_random(permille, kinds);
    }

    /// From now on a soft reset does not end.
    pub fn hang_in_reset(&mut self, hang: bool) {
        self.engine.hang_in_reset = hang;
    }

    /// From now on no register access is answered.
    pub fn deafen(&mut self, deaf: bool) {
        self.lite.deaf = deaf;
    }

    /// From now on register accesses are answered with this response.
    pub fn respond(&mut self, response: u8) {
        self.lite.response = response;
    }

    /// Memory of a model whose data moves inside.
    pub fn memory(&mut self) -> &mut CopyMemory {
        &mut self.engine.memory
    }

    /// What software did against the documentation, in order.
    pub fn complaints(&self) -> &[String] {
        &self.registers.complaints
    }

    /// Writes of the tail after an error: without effect, but no mistake, because software hears of the error later.
    pub fn ignored_tails(&self) -> u64 {
        self.registers.ignored_tails
    }

    /// Soft resets that have been asked for.
    pub fn resets(&self) -> u64 {
        self.engine.resets
    }

    /// Descriptors begun, those of simple transfers included.
    pub fn begun(&self) -> u64 {
        self.engine.begun
    }

    /// Descriptors completed without an error.
    pub fn completed(&self) -> u64 {
        self.engine.completed
    }

    /// Writes of TAILDESC that counted: the address of each.
    pub fn tails(&self) -> &[u64] {
        &self.engine.tails
    }

    /// A register as software reads it now, without a clock.
    pub fn register(&self, offset: u64) -> u32 {
        self.registers.read(offset)
    }

    fn hard_reset(&mut self) {
        self.registers.reset(&self.options);
        self.lite.reset(&mut self.pins);
        self.engine.hard_reset(&mut self.pins);
        self.pins.set(self.introut, 0);
    }
}

impl Model for Cdma {
    fn ports(&self) -> &[Port] {
        self.pins.ports()
    }

    fn poke(&mut self, port: usize, words: &[u32]) {
        self.pins.poke(port, words);
    }

    fn peek(&self, port: usize, words: &mut [u32]) {
        self.pins.peek(port, words);
    }

    fn eval(&mut self) {}

    fn clock(&mut self) {
        self.cycle += 1;
        if self.pins.get(self.resetn) == 0 {
            self.hard_reset();
            return;
        }
        let stalls = self.options.stalls;
        if let Some((offset, value)) = self.lite.clock(&mut self.pins, &self.registers, stalls, &mut self.dice) {
            let told = self.registers.write(offset, value);
            self.engine.told(told, &mut self.registers);
        }
        self.engine.clock(&mut self.pins, &mut self.registers, &mut self.dice, self.cycle);
        self.pins.set(self.introut, u64::from(self.registers.interrupts & self.registers.control & registers::IRQ_ALL != 0));
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }
}
