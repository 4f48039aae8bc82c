//! AXI4-Lite slave: one read and one write at a time.

use super::pins::Pins;
use super::registers::Registers;
use crate::bus::{Dice, Stalls};

pub(super) struct Lite {
    awvalid: usize,
    awready: usize,
    awaddr: usize,
    wvalid: usize,
    wready: usize,
    wdata: usize,
    bvalid: usize,
    bready: usize,
    bresp: usize,
    arvalid: usize,
    arready: usize,
    araddr: usize,
    rvalid: usize,
    rready: usize,
    rdata: usize,
    rresp: usize,
    address: Option<u64>,
    data: Option<u32>,
    /// a write has been done and is not answered yet
    written: bool,
    read: Option<u64>,
    pub deaf: bool,
    pub response: u8,
}

impl Lite {
    pub fn new(pins: &mut Pins, prefix: &str) -> Self {
        let p = |name: &str| format!("{prefix}{name}");
        Lite {
            awvalid: pins.input(p("awvalid"), 1),
            awready: pins.output(p("awready"), 1),
            awaddr: pins.input(p("awaddr"), 6),
            wvalid: pins.input(p("wvalid"), 1),
            wready: pins.output(p("wready"), 1),
            wdata: pins.input(p("wdata"), 32),
            bvalid: pins.output(p("bvalid"), 1),
            bready: pins.input(p("bready"), 1),
            bresp: pins.output(p("bresp"), 2),
            arvalid: pins.input(p("arvalid"), 1),
            arready: pins.output(p("arready"), 1),
            araddr: pins.input(p("araddr"), 6),
            rvalid: pins.output(p("rvalid"), 1),
            rready: pins.input(p("rready"), 1),
            rdata: pins.output(p("rdata"), 32),
            rresp: pins.output(p("rresp"), 2),
            address: None,
            data: None,
            written: false,
            read: None,
            deaf: false,
            response: 0,
        }
    }

    pub fn reset(&mut self, pins: &mut Pins) {
        for output in [self.awready, self.wready, self.bvalid, self.arready, self.rvalid] {
            pins.set(output, 0);
        }
        (self.address, self.data, self.written, self.read) = (None, None, false, None);
    }

    /// One clock; gives the register write that takes effect now.
    pub fn clock(&mut self, pins: &mut Pins, registers: &Registers, stalls: Stalls, dice: &mut Dice) -> Option<(u64, u32)> {
        if pins.fires(self.awvalid, self.awready) {
            self.address = Some(pins.get(self.awaddr));
        }
        if pins.fires(self.wvalid, self.wready) {
            self.data = Some(pins.get(self.wdata) as u32);
        }
        if pins.fires(self.bvalid, self.bready) {
            pins.set(self.bvalid, 0);
            (self.address, self.data, self.written) = (None, None, false);
        }
        if pins.fires(self.arvalid, self.arready) {
            self.read = Some(pins.get(self.araddr));
        }
        if pins.fires(self.rvalid, self.rready) {
            pins.set(self.rvalid, 0);
            self.read = None;
        }
        let ready = |free: bool, dice: &mut Dice| u64::from(free && !dice.chance(stalls.backpressure));
        let open = !self.deaf;
        pins.set(self.awready, ready(open && self.address.is_none(), dice));
        pins.set(self.wready, ready(open && self.data.is_none(), dice));
        pins.set(self.arready, ready(open && self.read.is_none(), dice));
        let mut effect = None;
        if let (Some(address), Some(data), false) = (self.address, self.data, self.written) {
            self.written = true;
            effect = (self.response == 0).then_some((address & !3, data));
        }
        if self.written && effect.is_none() && pins.get(self.bvalid) == 0 && !self.deaf && !dice.chance(stalls.idle) {
            pins.set(self.bvalid, 1);
            pins.set(self.bresp, u64::from(self.response));
        }
        if let Some(address) = self.read
            && pins.get(self.rvalid) == 0
            && !self.deaf
            && !dice.chance(stalls.idle)
        {
            pins.set(self.rvalid, 1);
            pins.set(self.rdata, u64::from(registers.read(address & !3)));
            pins.set(self.rresp, u64::from(self.response));
        }
        effect
    }
}
