//! Runtime registers of a receive bitmap, by the names that the command line knows.

use rdma_rtl_golden::bitmap::{Config, DepthMode, Params};

/// Everything that is set before the first packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    pub config: Config,
    /// clocks per tick
    pub prescale: u16,
    /// payload bytes of a READ response's packets: a READ request consumes as many numbers as it has such packets
    pub mtu: u32,
}

impl Default for Registers {
    fn default() -> Self {
        Self { config: Config { range_ack: false, ..Config::defaults(1) }, prescale: 322, mtu: 1024 }
    }
}

impl Registers {
    pub const NAMES: [&str; 13] = [
        "prescale",
        "mtu",
        "depth",
        "depth_mode",
        "wait",
        "stall",
        "stall_packets",
        "feedback_threshold",
        "feedback_wait",
        "refeedback",
        "range_ack",
        "ack_hold",
        "slide_step",
    ];

    /// Sets the register `name`.
    /// # Errors
    /// An unknown name, or a value that the register cannot hold; the text says what is allowed.
    pub fn set(&mut self, name: &str, value: u64) -> Result<(), String> {
        if !Self::NAMES.contains(&name) {
            return Err(format!("no register `{name}`; the receive bitmap has {}", Self::NAMES.join(", ")));
        }
        let (low, high) = match name {
            "prescale" | "feedback_threshold" => (1, 0xffff),
            "mtu" => (256, 4096),
            "slide_step" => (1, 64),
            "ack_hold" => (0, (1 << 15) - 1),
            "depth" | "stall_packets" => (0, (1 << 22) - 1),
            "depth_mode" | "range_ack" => (0, 1),
            _ => (0, (1 << 31) - 1),
        };
        if !(low..=high).contains(&value) {
            return Err(format!("register `{name}`: {value} is out of range; {low} to {high} is allowed"));
        }
        if name == "mtu" && !value.is_power_of_two() {
            return Err(format!("register `mtu`: {value} is no packet size; 256, 512, 1024, 2048 and 4096 are"));
        }
        if name == "slide_step" && !value.is_power_of_two() {
            return Err(format!("register `slide_step`: {value} is no power of two; 1, 2, 4, 8, 16, 32 and 64 are allowed"));
        }
        let (config, value) = (&mut self.config, value as u32);
        match name {
            "prescale" => self.prescale = value as u16,
            "mtu" => self.mtu = value,
            "depth" => config.depth = value,
            "depth_mode" => config.depth_mode = if value == 1 { DepthMode::Arrivals } else { DepthMode::Distance },
            "wait" => config.wait = value,
            "stall" => config.stall = value,
            "stall_packets" => config.stall_packets = value,
            "feedback_threshold" => config.feedback_threshold = value,
            "feedback_wait" => config.feedback_wait = value,
            "range_ack" => config.range_ack = value == 1,
            "slide_step" => config.slide_step = value,
            "ack_hold" => config.ack_hold = value,
            _ => config.refeedback = value,
        }
        Ok(())
    }

    /// Clocks that `refeedback` must be at least, so that repetitions leave the engine time for what is new.
    pub fn least_refeedback(params: &Params) -> u64 {
        64 * params.queue_pairs as u64
    }

    /// # Errors
    /// Registers that contradict each other; the text says what is allowed.
    pub fn check(&self, params: &Params) -> Result<(), String> {
        let most = params.segment_packets();
        if self.config.slide_step > most {
            return Err(format!(
                "register `slide_step`: {}; a segment has {most} packets, which is the most that is allowed",
                self.config.slide_step
            ));
        }
        let (prescale, refeedback, least) = (self.prescale, self.config.refeedback, Self::least_refeedback(params));
        if u64::from(prescale) * u64::from(refeedback) < least {
            return Err(format!(
                "registers `prescale` {prescale} x `refeedback` {refeedback}: {} clocks between repetitions; with {} queue pairs {least} are needed, \
                 so `refeedback` from {}",
                u64::from(prescale) * u64::from(refeedback),
                params.queue_pairs,
                least.div_ceil(prescale.into()),
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_sets_its_register_and_refuses_what_it_cannot_hold() {
        for name in Registers::NAMES {
            let mut registers = Registers::default();
            let other = match name {
                "mtu" => 2048,
                "depth_mode" | "range_ack" => 1,
                _ => 2,
            };
            registers.set(name, other).unwrap();
            assert_ne!(registers, Registers::default(), "{name}");
            let error = registers.set(name, 1 << 40).unwrap_err();
            assert!(error.contains(name) && error.contains("is allowed"), "{error}");
        }
        assert!(Registers::default().set("mtu", 1000).unwrap_err().contains("512"));
        assert!(Registers::default().set("range", 1).unwrap_err().contains("feedback_wait"));
    }

    #[test]
    fn repetitions_leave_time_for_what_is_new() {
        let params = Params::new(256, 128);
        let mut registers = Registers::default();
        registers.check(&params).unwrap();
        registers.set("prescale", 1).unwrap();
        let error = registers.check(&params).unwrap_err();
        assert!(error.contains("`refeedback` from 16384"), "{error}");
        registers.set("refeedback", 16384).unwrap();
        registers.check(&params).unwrap();
    }
}
