//! What a register map is: plain data, from which hardware, texts and tests are made.
//!
//! It uses nothing of this crate, because the build script reads it too. A map is built in the order of its offsets:
//! ```
//! use rdma_rtl_hdl::csr::{Access, Field, RegisterMap};
//! let mut map = RegisterMap::new("sample", "Two registers and a counter.", 12);
//! map.constant("id", 0x1234, "what this is");
//! map.read_write("limit", 16, 100, "packets");
//! map.register("control", "what to do", vec![Field::new("start", 0, 1, Access::Pulse, 0, "begin")]);
//! map.counters_at(0x100);
//! map.counter("packets", "packets seen");
//! assert_eq!(map.check(), Ok(()));
//! assert_eq!(map.find("limit").unwrap().offset, 4);
//! ```

use std::fmt;

/// What software and hardware may do with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Software reads what the hardware says now.
    ReadOnly,
    /// Software reads and writes; the hardware sees the value.
    ReadWrite,
    /// The hardware sets bits; software reads them, and clears those that it writes as one. Setting wins over clearing.
    WriteOneToClear,
    /// A one written is one clock to the hardware, and gone: reads as zero.
    Pulse,
    /// Fixed for a design: read only.
    Constant,
    /// 64 bits that count the clocks in which an event is high. Reading the low word keeps the high word of that moment for the next
    /// read of a high word.
    Counter,
}

impl Access {
    /// Software changes something by writing.
    pub fn writable(self) -> bool {
        matches!(self, Access::ReadWrite | Access::WriteOneToClear | Access::Pulse)
    }

    /// As documentation has it.
    pub fn short(self) -> &'static str {
        match self {
            Access::ReadOnly => "ro",
            Access::ReadWrite => "rw",
            Access::WriteOneToClear => "w1c",
            Access::Pulse => "pulse",
            Access::Constant => "const",
            Access::Counter => "counter",
        }
    }
}

/// Some bits of a register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// lower case; `value` if it is the only one
    pub name: String,
    /// lowest bit in the register
    pub low: u32,
    /// width
    pub bits: u32,
    pub access: Access,
    /// value after reset; of a constant its value, of the others zero
    pub reset: u64,
    pub doc: String,
}

impl Field {
    pub fn new(name: &str, low: u32, bits: u32, access: Access, reset: u64, doc: &str) -> Self {
        Field { name: name.into(), low, bits, access, reset, doc: doc.into() }
    }

    /// Its bits in the register.
    pub fn mask(&self) -> u64 {
        let ones = if self.bits >= 64 { u64::MAX } else { (1 << self.bits) - 1 };
        ones.checked_shl(self.low).unwrap_or(0)
    }
}

/// A register of 32 or 64 bits. A 64-bit register is two words, the low one first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// lower case, unique in the map
    pub name: String,
    /// byte address
    pub offset: u32,
    /// 32 or 64
    pub width: u32,
    pub doc: String,
    pub fields: Vec<Field>,
}

impl Register {
    /// Value after reset of all fields.
    pub fn reset(&self) -> u64 {
        self.fields.iter().map(|f| f.reset << f.low).sum()
    }

    /// Some field changes by writing.
    pub fn writable(&self) -> bool {
        self.fields.iter().any(|f| f.access.writable())
    }

    /// Bits of the fields with this access.
    pub fn mask(&self, access: Access) -> u64 {
        self.fields.iter().filter(|f| f.access == access).map(Field::mask).sum()
    }

    pub fn is_counter(&self) -> bool {
        self.fields.iter().any(|f| f.access == Access::Counter)
    }

    /// Bytes.
    pub fn size(&self) -> u32 {
        self.width / 8
    }

    /// Name of the hardware's port for the field; a constant has none.
    ///
    /// `cfg_` is a value that software writes, `status_` one that it reads, `set_` sets bits that it clears, `do_` a pulse that it
    /// gives, `evt_` an event that is counted.
    pub fn port(&self, field: &Field) -> Option<String> {
        let name = if field.name == "value" { self.name.clone() } else { format!("{}_{}", self.name, field.name) };
        Some(match field.access {
            Access::ReadWrite => format!("cfg_{name}"),
            Access::ReadOnly => format!("status_{name}"),
            Access::WriteOneToClear => format!("set_{name}"),
            Access::Pulse => format!("do_{name}"),
            Access::Counter => format!("evt_{}", self.name.strip_prefix("count_").unwrap_or(&self.name)),
            Access::Constant => return None,
        })
    }
}

/// Every register of a top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterMap {
    /// name of the top
    pub name: String,
    pub doc: String,
    /// byte address bits of the bus
    pub address_bits: u32,
    /// by offset
    pub registers: Vec<Register>,
    /// Registers of interrupts: status, enable. The hardware's `irq` is high while a bit is set in both.
    pub interrupt: Option<(String, String)>,
    /// Register and field of the pulse that sets every counter to zero.
    pub clear_counters: Option<(String, String)>,
    /// A word for what other registers of the same name, in the same profile, are not: it goes into the name of the hardware's module.
    pub variant: Option<&'static str>,
    next: u32,
}

impl RegisterMap {
    /// An empty map.
    pub fn new(name: &str, doc: &str, address_bits: u32) -> Self {
        let (name, doc) = (name.into(), doc.into());
        RegisterMap { name, doc, address_bits, registers: Vec::new(), interrupt: None, clear_counters: None, variant: None, next: 0 }
    }

    /// The next register comes at this byte address; one of 64 bits at the next multiple of 8.
    pub fn at(&mut self, offset: u32) {
        self.next = offset;
    }

    fn push(&mut self, name: &str, width: u32, doc: &str, fields: Vec<Field>) {
        self.next = self.next.next_multiple_of(width / 8);
        self.registers.push(Register { name: name.into(), offset: self.next, width, doc: doc.into(), fields });
        self.next += width / 8;
    }

    /// A 32-bit register with these fields.
    pub fn register(&mut self, name: &str, doc: &str, fields: Vec<Field>) {
        self.push(name, 32, doc, fields);
    }

    /// A register of one field, 32 bits or, beyond that, 64.
    pub fn single(&mut self, name: &str, bits: u32, access: Access, reset: u64, doc: &str) {
        let width = if bits > 32 { 64 } else { 32 };
        self.push(name, width, doc, vec![Field::new("value", 0, bits, access, reset, doc)]);
    }

    pub fn constant(&mut self, name: &str, value: u32, doc: &str) {
        self.single(name, 32, Access::Constant, u64::from(value), doc);
    }

    pub fn read_write(&mut self, name: &str, bits: u32, reset: u64, doc: &str) {
        self.single(name, bits, Access::ReadWrite, reset, doc);
    }

    pub fn read_only(&mut self, name: &str, bits: u32, doc: &str) {
        self.single(name, bits, Access::ReadOnly, 0, doc);
    }

    /// The counters follow from here on, one behind the other. Other counters may lie elsewhere; no 64 bytes, from a multiple of 64, hold
    /// both counters and other registers.
    pub fn counters_at(&mut self, offset: u32) {
        self.at(offset);
    }

    /// A counter of the event: register `count_<event>`, port `evt_<event>`.
    pub fn counter(&mut self, event: &str, doc: &str) {
        self.push(&format!("count_{event}"), 64, doc, vec![Field::new("value", 0, 64, Access::Counter, 0, doc)]);
    }

    pub fn find(&self, name: &str) -> Option<&Register> {
        self.registers.iter().find(|r| r.name == name)
    }

    /// The counters in order.
    pub fn counters(&self) -> impl Iterator<Item = &Register> {
        self.registers.iter().filter(|r| r.is_counter())
    }

    /// Bits of a register's reset value; zero for a register that is not there.
    pub fn reset_bits(&self, register: &str, low: u32, bits: u32) -> u64 {
        let value = self.find(register).map_or(0, Register::reset) >> low;
        if bits >= 64 { value } else { value & ((1 << bits) - 1) }
    }

    /// The constant bits of the 32-bit word at a byte address; zero where nothing is.
    pub fn constant_word(&self, offset: u32) -> u64 {
        let Some(register) = self.registers.iter().find(|r| (r.offset..r.offset + r.size()).contains(&offset)) else { return 0 };
        let fields = register.fields.iter().filter(|f| f.access == Access::Constant);
        let value: u64 = fields.map(|f| f.reset << f.low).sum();
        value >> (8 * (offset - register.offset)) & 0xffff_ffff
    }

    /// What the bus can address, in bytes.
    pub fn size(&self) -> u32 {
        1 << self.address_bits
    }
}

/// Why a map cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    pub map: String,
    /// register, or register and field
    pub what: String,
    pub reason: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "register map `{}`, `{}`: {}", self.map, self.what, self.reason)
    }
}

impl std::error::Error for Invalid {}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

impl RegisterMap {
    /// Whether hardware can be made of it.
    /// # Errors
    /// The first register or field that is wrong, with its values and what is allowed.
    pub fn check(&self) -> Result<(), Invalid> {
        let wrong = |what: &str, reason: String| Err(Invalid { map: self.name.clone(), what: what.into(), reason });
        if !(4..=20).contains(&self.address_bits) {
            return wrong("address_bits", format!("{}: 4 to 20 are allowed", self.address_bits));
        }
        let mut end = 0;
        for (i, register) in self.registers.iter().enumerate() {
            let name = register.name.as_str();
            if !is_name(name) {
                return wrong(name, "a name is lower-case letters, digits and `_`, a letter first".into());
            }
            if self.registers[..i].iter().any(|r| r.name == name) {
                return wrong(name, "there are two of this name; rename one".into());
            }
            if ![32, 64].contains(&register.width) || register.offset % register.size() != 0 {
                let reason = format!("{} bits at {:#x}: 32 or 64 bits at a multiple of their bytes", register.width, register.offset);
                return wrong(name, reason);
            }
            if register.offset < end || register.offset + register.size() > self.size() {
                let reason = format!(
                    "at {:#x}, allowed are {end:#x} to {:#x}: in the order of offsets",
                    register.offset,
                    self.size() - register.size()
                );
                return wrong(name, reason);
            }
            end = register.offset + register.size();
            self.check_fields(register)?;
        }
        // The counters' part of an address is its upper part.
        for counter in self.counters() {
            let row = counter.offset / 64;
            if let Some(other) = self.registers.iter().find(|r| r.offset / 64 == row && !r.is_counter()) {
                let reason =
                    format!("at {:#x}: the 64 bytes from {:#x} belong to counters, as `{}` is one", other.offset, 64 * row, counter.name);
                return wrong(&other.name, reason);
            }
        }
        if let Some((status, enable)) = &self.interrupt {
            for (name, access) in [(status, Access::WriteOneToClear), (enable, Access::ReadWrite)] {
                if self.find(name).is_none_or(|r| r.fields.is_empty() || r.fields.iter().any(|f| f.access != access)) {
                    return wrong(name, format!("an interrupt register has fields of access {} only", access.short()));
                }
            }
        }
        if let Some((name, field)) = &self.clear_counters {
            let found = self.find(name).and_then(|r| r.fields.iter().find(|f| f.name == *field));
            if found.is_none_or(|f| f.access != Access::Pulse || f.bits != 1) {
                return wrong(name, format!("what clears the counters is a pulse of one bit, and `{field}` is none"));
            }
        }
        Ok(())
    }

    fn check_fields(&self, register: &Register) -> Result<(), Invalid> {
        let mut used = 0u64;
        if register.fields.is_empty() {
            return Err(Invalid { map: self.name.clone(), what: register.name.clone(), reason: "it has no field".into() });
        }
        for field in &register.fields {
            let wrong = |reason: String| Err(Invalid { map: self.name.clone(), what: format!("{}.{}", register.name, field.name), reason });
            if !is_name(&field.name) || register.fields.iter().filter(|f| f.name == field.name).count() > 1 {
                return wrong("a name is lower-case letters, digits and `_`, a letter first, and unique in the register".into());
            }
            if field.bits == 0 || field.low + field.bits > register.width {
                return wrong(format!("bits {} from {} do not lie in {}", field.bits, field.low, register.width));
            }
            if used & field.mask() != 0 {
                return wrong("its bits belong to another field as well".into());
            }
            used |= field.mask();
            if field.reset & !(field.mask() >> field.low) != 0 {
                return wrong(format!("reset value {:#x} has more than {} bits", field.reset, field.bits));
            }
            if field.reset != 0 && !matches!(field.access, Access::ReadWrite | Access::Constant) {
                return wrong(format!("reset value {:#x}: with access {} it is zero", field.reset, field.access.short()));
            }
            let wide = register.width == 64;
            if wide && (register.fields.len() > 1 || field.low > 0) {
                return wrong("a 64-bit register has one field, from bit 0".into());
            }
            if wide && !matches!(field.access, Access::Counter | Access::ReadWrite | Access::ReadOnly | Access::Constant) {
                return wrong(format!("64 bits cannot have access {}", field.access.short()));
            }
            if field.access == Access::Counter && field.bits != 64 {
                return wrong(format!("a counter has 64 bits, not {}", field.bits));
            }
            // A bus reads the words of a 64-bit value one after the other.
            if wide && field.access == Access::ReadOnly {
                return wrong("64 bits that change cannot be read as one: take a counter or two registers".into());
            }
        }
        Ok(())
    }
}
