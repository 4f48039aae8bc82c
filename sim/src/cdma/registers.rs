//! Registers of the CDMA.

use super::Options;

pub const CDMACR: u64 = 0x00;
pub const CDMASR: u64 = 0x04;
pub const CURDESC: u64 = 0x08;
pub const CURDESC_MSB: u64 = 0x0c;
pub const TAILDESC: u64 = 0x10;
pub const TAILDESC_MSB: u64 = 0x14;
pub const SA: u64 = 0x18;
pub const SA_MSB: u64 = 0x1c;
pub const DA: u64 = 0x20;
pub const DA_MSB: u64 = 0x24;
pub const BTT: u64 = 0x28;

/// CDMACR: always on where scatter-gather is built in.
pub const TAIL_ENABLE: u32 = 1 << 1;
pub const RESET: u32 = 1 << 2;
pub const SG_MODE: u32 = 1 << 3;
pub const KEY_HOLE_READ: u32 = 1 << 4;
pub const KEY_HOLE_WRITE: u32 = 1 << 5;
pub const CYCLIC: u32 = 1 << 6;
/// Interrupts: enables in CDMACR, flags in CDMASR.
pub const IRQ_COMPLETE: u32 = 1 << 12;
pub const IRQ_DELAY: u32 = 1 << 13;
pub const IRQ_ERROR: u32 = 1 << 14;
pub const IRQ_ALL: u32 = IRQ_COMPLETE | IRQ_DELAY | IRQ_ERROR;
/// CDMASR.
pub const IDLE: u32 = 1 << 1;
pub const SG_INCLUDED: u32 = 1 << 3;
pub const DMA_INTERNAL: u32 = 1 << 4;
pub const DMA_SLAVE: u32 = 1 << 5;
pub const DMA_DECODE: u32 = 1 << 6;
pub const SG_INTERNAL: u32 = 1 << 8;
pub const SG_SLAVE: u32 = 1 << 9;
pub const SG_DECODE: u32 = 1 << 10;
pub const ERRORS: u32 = DMA_INTERNAL | DMA_SLAVE | DMA_DECODE | SG_INTERNAL | SG_SLAVE | SG_DECODE;
/// Descriptor status: the descriptor is done. Bits 4 to 6 of CDMASR are bits 28 to 30 there.
pub const COMPLETED: u32 = 1 << 31;

/// What a write means for the engine.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Told {
    pub simple: bool,
    pub tail: bool,
    pub reset: bool,
    pub sg_on: bool,
    pub threshold: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Registers {
    wide: bool,
    scatter_gather: bool,
    length_mask: u32,
    address_mask: u64,
    pub control: u32,
    pub interrupts: u32,
    pub errors: u32,
    pub idle: bool,
    pub resetting: bool,
    pub current: u64,
    pub tail: u64,
    pub source: u64,
    pub destination: u64,
    pub bytes: u32,
    /// descriptors until the next interrupt
    pub threshold_left: u8,
    /// delay units for which the engine has been idle
    pub delay_count: u8,
    pub complaints: Vec<String>,
    /// writes of the tail after an error
    pub ignored_tails: u64,
}

impl Registers {
    pub fn new(options: &Options) -> Self {
        let sg = options.scatter_gather;
        Registers {
            wide: options.address_bits > 32,
            scatter_gather: sg,
            length_mask: (1 << options.length_bits) - 1,
            address_mask: u64::MAX >> (64 - options.address_bits),
            control: if sg { 1 << 16 | TAIL_ENABLE } else { 0 },
            interrupts: 0,
            errors: 0,
            idle: true,
            resetting: false,
            current: 0,
            tail: 0,
            source: 0,
            destination: 0,
            bytes: 0,
            threshold_left: 1,
            delay_count: 0,
            complaints: Vec::new(),
            ignored_tails: 0,
        }
    }

    pub fn reset(&mut self, options: &Options) {
        let (complaints, ignored_tails) = (std::mem::take(&mut self.complaints), self.ignored_tails);
        *self = Registers { complaints, ignored_tails, ..Registers::new(options) };
    }

    pub fn is_wide(&self) -> bool {
        self.wide
    }

    pub fn length_mask(&self) -> u32 {
        self.length_mask
    }

    /// An address as the core keeps it.
    pub fn address(&self, low: u32, high: u32) -> u64 {
        (u64::from(high) << 32 | u64::from(low)) & self.address_mask
    }

    pub fn sg_mode(&self) -> bool {
        self.control & SG_MODE != 0
    }

    pub fn cyclic(&self) -> bool {
        self.control & CYCLIC != 0
    }

    pub fn threshold(&self) -> u8 {
        (self.control >> 16) as u8
    }

    pub fn delay(&self) -> u8 {
        (self.control >> 24) as u8
    }

    pub fn complain(&mut self, text: impl Into<String>) {
        self.complaints.push(text.into());
    }

    pub fn read(&self, offset: u64) -> u32 {
        let high = |value: u64| if self.wide { (value >> 32) as u32 } else { 0 };
        let sg = |value: u32| if self.scatter_gather { value } else { 0 };
        match offset {
            CDMACR => self.control | if self.resetting { RESET } else { 0 },
            CDMASR => {
                let counts = u32::from(self.delay_count) << 24 | u32::from(self.threshold_left) << 16;
                sg(counts | SG_INCLUDED) | self.interrupts | self.errors | if self.idle { IDLE } else { 0 }
            }
            CURDESC => sg(self.current as u32),
            CURDESC_MSB => sg(high(self.current)),
            TAILDESC => sg(self.tail as u32),
            TAILDESC_MSB => sg(high(self.tail)),
            SA => self.source as u32,
            SA_MSB => high(self.source),
            DA => self.destination as u32,
            DA_MSB => high(self.destination),
            BTT => self.bytes,
            _ => 0,
        }
    }

    pub fn write(&mut self, offset: u64, value: u32) -> Told {
        let mut told = Told::default();
        if self.resetting {
            self.complain(format!("write of {value:#x} to {offset:#04x} during a soft reset"));
            return told;
        }
        let low = |old: u64, mask: u32| old >> 32 << 32 | u64::from(value & mask);
        let high = |old: u64| u64::from(value) << 32 | old & 0xffff_ffff;
        if !self.wide && [CURDESC_MSB, TAILDESC_MSB, SA_MSB, DA_MSB].contains(&offset) {
            if value != 0 {
                self.complain(format!("write of {value:#x} to {offset:#04x}: this build has addresses of 32 bits"));
            }
            return told;
        }
        match offset {
            CDMACR => return self.write_control(value),
            CDMASR => self.interrupts &= !(value & IRQ_ALL),
            CURDESC | CURDESC_MSB | TAILDESC | TAILDESC_MSB if !self.scatter_gather => {}
            CURDESC | CURDESC_MSB | TAILDESC | TAILDESC_MSB if !self.sg_mode() => {
                self.complain(format!("write of {value:#x} to {offset:#04x} with SGMode 0"));
            }
            CURDESC | CURDESC_MSB if !self.idle => {
                self.complain(format!("write of {value:#x} to {offset:#04x} while the engine is not idle"));
            }
            // Software cannot know yet.
            TAILDESC | TAILDESC_MSB if self.errors != 0 => self.ignored_tails += 1,
            CURDESC => self.current = low(self.current, !0x3f),
            CURDESC_MSB => self.current = high(self.current) & self.address_mask,
            TAILDESC => {
                self.tail = low(self.tail, !0x3f);
                told.tail = !self.wide;
            }
            TAILDESC_MSB => {
                self.tail = high(self.tail) & self.address_mask;
                told.tail = true;
            }
            SA | SA_MSB | DA | DA_MSB | BTT if self.sg_mode() || !self.idle || self.errors != 0 => {
                self.complain(format!("write of {value:#x} to {offset:#04x}, with SGMode 1, after an error or while not idle"));
            }
            SA => self.source = low(self.source, !0),
            SA_MSB => self.source = high(self.source) & self.address_mask,
            DA => self.destination = low(self.destination, !0),
            DA_MSB => self.destination = high(self.destination) & self.address_mask,
            BTT => {
                if value & !self.length_mask != 0 {
                    self.complain(format!("{value:#x} bytes to transfer: this build keeps the bits of {:#x}", self.length_mask));
                }
                self.bytes = value & self.length_mask;
                told.simple = true;
            }
            _ => self.complain(format!("write of {value:#x} to {offset:#04x}, where no register is")),
        }
        if offset == CURDESC && value & 0x3f != 0 {
            self.complain(format!("descriptor at {value:#x}, which is no multiple of 64"));
        }
        told
    }

    fn write_control(&mut self, value: u32) -> Told {
        let mut told = Told::default();
        if value & RESET != 0 {
            told.reset = true;
            return told;
        }
        let mut writable = IRQ_ALL | KEY_HOLE_READ | KEY_HOLE_WRITE;
        if self.scatter_gather {
            writable |= 0xff00_0000 | CYCLIC | SG_MODE;
            // A threshold of 0 has no effect.
            if value >> 16 & 0xff != 0 {
                writable |= 0x00ff_0000;
                told.threshold = true;
            }
        }
        let before = self.control;
        self.control = self.control & !writable | value & writable;
        let changed = (before ^ self.control) & SG_MODE != 0;
        if changed && !self.idle {
            self.complain("SGMode changed while the engine is not idle");
        }
        told.sg_on = changed && self.sg_mode();
        if !self.sg_mode() {
            (self.current, self.tail) = (0, 0);
            self.interrupts &= !IRQ_DELAY;
        }
        told
    }
}
