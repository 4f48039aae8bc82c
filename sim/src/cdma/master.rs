//! AXI4 master without IDs: bursts from queues, answers in order.

use super::pins::Pins;
use crate::bus::{Dice, Stalls};
use std::collections::VecDeque;

pub(super) struct Master {
    araddr: usize,
    arlen: usize,
    arvalid: usize,
    arready: usize,
    rdata: usize,
    rresp: usize,
    rlast: usize,
    rvalid: usize,
    rready: usize,
    awaddr: usize,
    awlen: usize,
    awvalid: usize,
    awready: usize,
    wdata: usize,
    wstrb: usize,
    wlast: usize,
    wvalid: usize,
    wready: usize,
    bresp: usize,
    bvalid: usize,
    bready: usize,
    /// bytes of a beat
    pub width: usize,
    read_addresses: VecDeque<(u64, usize)>,
    write_addresses: VecDeque<(u64, usize)>,
    beats: VecDeque<(Vec<u8>, Vec<u8>, bool)>,
    collecting: Vec<u8>,
    worst: u8,
    pub reads_open: usize,
    pub writes_open: usize,
    /// clocks for which no write begins
    pub hold_writes: u32,
    /// bytes and worst response
    reads_done: VecDeque<(Vec<u8>, u8)>,
    writes_done: VecDeque<u8>,
}

impl Master {
    pub fn new(pins: &mut Pins, prefix: &str, data_width: usize, address_bits: usize) -> Self {
        let p = |name: &str| format!("{prefix}{name}");
        let width = data_width / 8;
        let constants = |pins: &mut Pins, channel: &str| {
            let size = pins.output(p(&format!("{channel}size")), 3);
            // AXI4 has no number for 256 bytes: what stands at such a bus reads 7 as that
            pins.set(size, width.ilog2().min(7).into());
            let burst = pins.output(p(&format!("{channel}burst")), 2);
            pins.set(burst, 1);
            let protection = pins.output(p(&format!("{channel}prot")), 3);
            pins.set(protection, 0);
            let cache = pins.output(p(&format!("{channel}cache")), 4);
            pins.set(cache, 3);
        };
        let master = Master {
            araddr: pins.output(p("araddr"), address_bits),
            arlen: pins.output(p("arlen"), 8),
            arvalid: pins.output(p("arvalid"), 1),
            arready: pins.input(p("arready"), 1),
            rdata: pins.input(p("rdata"), data_width),
            rresp: pins.input(p("rresp"), 2),
            rlast: pins.input(p("rlast"), 1),
            rvalid: pins.input(p("rvalid"), 1),
            rready: pins.output(p("rready"), 1),
            awaddr: pins.output(p("awaddr"), address_bits),
            awlen: pins.output(p("awlen"), 8),
            awvalid: pins.output(p("awvalid"), 1),
            awready: pins.input(p("awready"), 1),
            wdata: pins.output(p("wdata"), data_width),
            wstrb: pins.output(p("wstrb"), width),
            wlast: pins.output(p("wlast"), 1),
            wvalid: pins.output(p("wvalid"), 1),
            wready: pins.input(p("wready"), 1),
            bresp: pins.input(p("bresp"), 2),
            bvalid: pins.input(p("bvalid"), 1),
            bready: pins.output(p("bready"), 1),
            width,
            read_addresses: VecDeque::new(),
            write_addresses: VecDeque::new(),
            beats: VecDeque::new(),
            collecting: Vec::new(),
            worst: 0,
            reads_open: 0,
            writes_open: 0,
            hold_writes: 0,
            reads_done: VecDeque::new(),
            writes_done: VecDeque::new(),
        };
        constants(pins, "ar");
        constants(pins, "aw");
        master
    }

    pub fn reset(&mut self, pins: &mut Pins) {
        for output in [self.arvalid, self.rready, self.awvalid, self.wvalid, self.bready] {
            pins.set(output, 0);
        }
        self.read_addresses.clear();
        self.write_addresses.clear();
        self.beats.clear();
        self.forget();
        (self.reads_open, self.writes_open, self.hold_writes) = (0, 0, 0);
    }

    /// Answers that nobody has taken are nobody's.
    pub fn forget(&mut self) {
        self.collecting.clear();
        self.reads_done.clear();
        self.writes_done.clear();
        self.worst = 0;
    }

    /// Asks for whole beats.
    pub fn read(&mut self, address: u64, beats: usize) {
        self.read_addresses.push_back((address, beats));
        self.reads_open += 1;
    }

    /// Writes `bytes` from `address` on; they lie in one burst.
    pub fn write(&mut self, address: u64, bytes: &[u8]) {
        let skip = (address % self.width as u64) as usize;
        let beats = (skip + bytes.len()).div_ceil(self.width);
        self.write_addresses.push_back((address - skip as u64, beats));
        self.writes_open += 1;
        for beat in 0..beats {
            let byte = |lane: usize| (beat * self.width + lane).checked_sub(skip).and_then(|i| bytes.get(i));
            let data = (0..self.width).map(|lane| byte(lane).copied().unwrap_or(0)).collect();
            let mut strobe = vec![0u8; self.width.div_ceil(8)];
            for lane in (0..self.width).filter(|lane| byte(*lane).is_some()) {
                strobe[lane / 8] |= 1 << (lane % 8);
            }
            self.beats.push_back((data, strobe, beat + 1 == beats));
        }
    }

    /// The oldest read that has all its data.
    pub fn read_done(&mut self) -> Option<(Vec<u8>, u8)> {
        self.reads_done.pop_front()
    }

    /// The response of the oldest write that has one.
    pub fn write_done(&mut self) -> Option<u8> {
        self.writes_done.pop_front()
    }

    /// Everything asked for has been answered.
    pub fn quiet(&self) -> bool {
        self.reads_open == 0 && self.writes_open == 0
    }

    pub fn clock(&mut self, pins: &mut Pins, stalls: Stalls, dice: &mut Dice) {
        if pins.fires(self.rvalid, self.rready) {
            self.collecting.extend(&pins.bytes(self.rdata)[..self.width]);
            self.worst = self.worst.max(pins.get(self.rresp) as u8);
            if pins.get(self.rlast) == 1 {
                self.reads_done.push_back((std::mem::take(&mut self.collecting), std::mem::take(&mut self.worst)));
                self.reads_open -= 1;
            }
        }
        if pins.fires(self.bvalid, self.bready) {
            self.writes_done.push_back(pins.get(self.bresp) as u8);
            self.writes_open -= 1;
        }
        // What has passed makes room for the next.
        for (valid, ready) in [(self.arvalid, self.arready), (self.awvalid, self.awready), (self.wvalid, self.wready)] {
            if pins.fires(valid, ready) {
                pins.set(valid, 0);
            }
        }
        let mut go = |valid: usize, pins: &Pins| pins.get(valid) == 0 && !dice.chance(stalls.idle);
        if go(self.arvalid, pins)
            && let Some((address, beats)) = self.read_addresses.pop_front()
        {
            pins.set(self.araddr, address);
            pins.set(self.arlen, beats as u64 - 1);
            pins.set(self.arvalid, 1);
        }
        let writes = self.hold_writes == 0;
        self.hold_writes = self.hold_writes.saturating_sub(1);
        if go(self.awvalid, pins)
            && writes
            && let Some((address, beats)) = self.write_addresses.pop_front()
        {
            pins.set(self.awaddr, address);
            pins.set(self.awlen, beats as u64 - 1);
            pins.set(self.awvalid, 1);
        }
        if go(self.wvalid, pins)
            && writes
            && let Some((data, strobe, last)) = self.beats.pop_front()
        {
            pins.set_bytes(self.wdata, &data);
            pins.set_bytes(self.wstrb, &strobe);
            pins.set(self.wlast, last.into());
            pins.set(self.wvalid, 1);
        }
        for ready in [self.rready, self.bready] {
            let takes = !dice.chance(stalls.backpressure);
            pins.set(ready, takes.into());
        }
    }
}
