//! The hardware's side of a register bank: ports that it drives and ports that it sees.

use super::Expected;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rdma_rtl_hdl::csr::{Access, RegisterMap};
use rdma_rtl_sim::Model;
use rdma_rtl_sim::bus::{Agent, Violation};
use std::collections::BTreeMap;

/// Drives `status_`, `set_` and `evt_`, watches `do_`, compares `cfg_` and `irq`.
pub struct HardwarePins {
    /// port and its width
    status_ports: Vec<(String, usize, u32)>,
    set_ports: Vec<(String, usize)>,
    events: Vec<usize>,
    pulses: Vec<(String, usize)>,
    status: BTreeMap<String, u64>,
    set: BTreeMap<String, u64>,
    seen: BTreeMap<String, u64>,
    counts: Vec<u64>,
    /// of the clocks in which each event is high
    pub event_percent: u32,
    in_reset: bool,
    rng: ChaCha8Rng,
}

impl HardwarePins {
    /// # Errors
    /// A port is missing.
    pub fn new(model: &dyn Model, map: &RegisterMap, seed: u64) -> Result<Self, String> {
        let mut pins = HardwarePins {
            status_ports: Vec::new(),
            set_ports: Vec::new(),
            events: Vec::new(),
            pulses: Vec::new(),
            status: BTreeMap::new(),
            set: BTreeMap::new(),
            seen: BTreeMap::new(),
            counts: Vec::new(),
            event_percent: 0,
            in_reset: false,
            rng: ChaCha8Rng::seed_from_u64(seed),
        };
        for register in &map.registers {
            for field in &register.fields {
                let Some(name) = register.port(field) else { continue };
                let port = model.port(&name).ok_or_else(|| format!("{} has no port `{name}`", map.name))?;
                match field.access {
                    Access::ReadOnly => pins.status_ports.push((name, port, field.bits)),
                    Access::WriteOneToClear => pins.set_ports.push((name, port)),
                    Access::Counter => pins.events.push(port),
                    Access::Pulse => pins.pulses.push((name, port)),
                    _ => {}
                }
            }
        }
        pins.counts = vec![0; pins.events.len()];
        Ok(pins)
    }

    /// What the `status_` ports say.
    pub fn status(&self) -> &BTreeMap<String, u64> {
        &self.status
    }

    /// Other values at the `status_` ports from the next clock on.
    pub fn change_status(&mut self) {
        for (name, _, bits) in &self.status_ports {
            let value = self.rng.random::<u64>() & if *bits >= 64 { u64::MAX } else { (1 << bits) - 1 };
            self.status.insert(name.clone(), value);
        }
    }

    /// Holds a `set_` port at a value.
    pub fn hold_set(&mut self, port: &str, value: u64) {
        self.set.insert(port.to_string(), value);
    }

    /// Clocks in which each event has been high, in the order of the counters.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    pub fn forget_counts(&mut self) {
        self.counts.fill(0);
    }

    /// Nothing happens from now on, as while reset is on.
    pub fn begin_reset(&mut self) {
        (self.event_percent, self.in_reset) = (0, true);
        self.status.clear();
        self.set.clear();
    }

    pub fn end_reset(&mut self) {
        self.in_reset = false;
        self.seen.clear();
        self.forget_counts();
    }

    /// Every port that the hardware sees.
    /// # Errors
    /// The first that is not as expected.
    pub fn compare(&self, model: &dyn Model, expected: &Expected) -> Result<(), String> {
        let cycle = model.cycle();
        let port = |name: &str| model.port(name).map_or(0, |p| model.peek_u64(p));
        let map = expected.map();
        for register in &map.registers {
            for field in register.fields.iter().filter(|f| f.access == Access::ReadWrite) {
                let name = register.port(field).unwrap_or_default();
                let (found, wanted) = (port(&name), expected.field(register, field));
                if found != wanted {
                    return Err(format!("cycle {cycle}: `{name}` is {found:#x}, expected {wanted:#x}"));
                }
            }
        }
        for (name, _) in &self.pulses {
            let (found, wanted) = (self.seen.get(name).copied().unwrap_or(0), expected.pulses(name));
            if found != wanted {
                return Err(format!("cycle {cycle}: `{name}` was high for {found} clocks, {wanted} were asked for"));
            }
        }
        if let Some((status, enable)) = &map.interrupt {
            let value = |name: &str| map.find(name).map_or(0, |r| r.fields.iter().map(|f| expected.field(r, f) << f.low).sum::<u64>());
            let wanted = u64::from(value(status) & value(enable) != 0);
            if port("irq") != wanted {
                return Err(format!("cycle {cycle}: `irq` is {}, expected {wanted}", port("irq")));
            }
        }
        Ok(())
    }
}

impl Agent for HardwarePins {
    fn drive(&mut self, model: &mut dyn Model) {
        for (name, port, _) in &self.status_ports {
            model.poke_u64(*port, self.status.get(name).copied().unwrap_or(0));
        }
        for (name, port) in &self.set_ports {
            model.poke_u64(*port, self.set.get(name).copied().unwrap_or(0));
        }
        for (port, count) in self.events.iter().zip(&mut self.counts) {
            let event = !self.in_reset && self.rng.random_range(0..100) < self.event_percent;
            model.poke_u64(*port, u64::from(event));
            *count += u64::from(event);
        }
    }

    fn observe(&mut self, model: &dyn Model, _: &mut Vec<Violation>) {
        for (name, port) in &self.pulses {
            if !self.in_reset && model.peek_u64(*port) != 0 {
                *self.seen.entry(name.clone()).or_default() += 1;
            }
        }
    }
}
