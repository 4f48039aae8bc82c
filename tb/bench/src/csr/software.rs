//! What software expects in a register bank: the description, executed.

use rdma_rtl_hdl::csr::{Access, Field, Register, RegisterMap};
use std::collections::BTreeMap;

/// The registers as software knows them.
#[derive(Clone, Debug)]
pub struct Expected {
    map: RegisterMap,
    /// by name of register
    values: BTreeMap<String, u64>,
    /// pulses that software has given, by port
    pulses: BTreeMap<String, u64>,
}

impl Expected {
    pub fn new(map: &RegisterMap) -> Self {
        let mut expected = Expected { map: map.clone(), values: BTreeMap::new(), pulses: BTreeMap::new() };
        expected.reset();
        expected
    }

    pub fn reset(&mut self) {
        self.values = self.map.registers.iter().map(|r| (r.name.clone(), r.reset())).collect();
        self.pulses.clear();
    }

    pub fn size(&self) -> u32 {
        self.map.size()
    }

    /// Offsets of all words where something is.
    pub fn words(&self) -> Vec<u32> {
        self.map.registers.iter().flat_map(|r| (r.offset..r.offset + r.size()).step_by(4)).collect()
    }

    fn at(&self, offset: u32) -> Option<(&Register, u32)> {
        let register = self.map.registers.iter().find(|r| (r.offset..r.offset + r.size()).contains(&offset))?;
        Some((register, 8 * (offset - register.offset)))
    }

    pub fn name(&self, offset: u32) -> String {
        self.at(offset).map_or("nothing".into(), |(r, _)| r.name.clone())
    }

    /// What a word reads as, and which of its bits are certain: those of a counter are not. `None` where nothing is.
    pub fn read(&self, offset: u32, status: &BTreeMap<String, u64>) -> Option<(u32, u32)> {
        let (register, shift) = self.at(offset)?;
        let mut value = self.values[&register.name];
        for field in register.fields.iter().filter(|f| f.access == Access::ReadOnly) {
            let port = register.port(field).unwrap_or_default();
            value |= status.get(&port).copied().unwrap_or(0) << field.low;
        }
        let mask = if register.is_counter() { 0 } else { u32::MAX };
        Some(((value >> shift) as u32, mask))
    }

    /// False where software may not write.
    pub fn write(&mut self, offset: u32, data: u32, strobe: u8) -> bool {
        let Some((register, shift)) = self.at(offset) else { return false };
        let register = register.clone();
        if !register.writable() {
            return false;
        }
        let bytes = (0..4).filter(|b| strobe >> b & 1 == 1).map(|b| 0xffu64 << (8 * b)).sum::<u64>() << shift;
        let data = u64::from(data) << shift;
        let value = self.values.entry(register.name.clone()).or_default();
        for field in &register.fields {
            let mask = field.mask() & bytes;
            match field.access {
                Access::ReadWrite => *value = *value & !mask | data & mask,
                Access::WriteOneToClear => *value &= !(data & mask),
                Access::Pulse if data & mask != 0 => {
                    *self.pulses.entry(register.port(field).unwrap_or_default()).or_default() += 1;
                }
                _ => {}
            }
        }
        true
    }

    /// The hardware has set these bits of a field that software clears.
    pub fn set_by_hardware(&mut self, register: &str, low: u32, bits: u64) {
        *self.values.entry(register.to_string()).or_default() |= bits << low;
    }

    /// Value of a field.
    pub fn field(&self, register: &Register, field: &Field) -> u64 {
        (self.values[&register.name] & field.mask()) >> field.low
    }

    /// Pulses given at a port.
    pub fn pulses(&self, port: &str) -> u64 {
        self.pulses.get(port).copied().unwrap_or(0)
    }

    pub fn map(&self) -> &RegisterMap {
        &self.map
    }
}
