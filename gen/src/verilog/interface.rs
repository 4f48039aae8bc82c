//! Bus interfaces of a packaged top, as Vivado's IP integrator wants to be told of them.
//!
//! Its ports say by their names what they are (`crate::interface`), `aresetn` and `irq` as well. Attributes change nothing for anybody
//! else.

use crate::interface::{bus, clock_of, is_reset, pin, reset_of};
use crate::ir::{Kind, Module};

fn info(vlnv: &str, bus: &str, signal: &str) -> String {
    format!("(* X_INTERFACE_INFO = \"xilinx.com:{vlnv} {bus} {signal}\" *)")
}

fn parameter(text: &str) -> String {
    format!("(* X_INTERFACE_PARAMETER = \"{text}\" *)")
}

/// The attributes of one port of a packaged top, a line each.
pub fn attributes(module: &Module, name: &str) -> Vec<String> {
    let has = |port: String| module.signals.iter().any(|s| s.kind != Kind::Net && s.name == port);
    let clocks = || module.signals.iter().filter(|s| s.kind == Kind::Input && s.clock).map(|s| s.name.as_str());
    match name {
        clock if clocks().any(|c| c == clock) => {
            let mut buses: Vec<&str> = Vec::new();
            for bus in module.signals.iter().filter(|s| s.kind != Kind::Net).filter_map(|s| bus(&s.name)) {
                if !buses.contains(&bus) && clock_of(bus, clocks()) == clock {
                    buses.push(bus);
                }
            }
            let mut associated = Vec::new();
            if !buses.is_empty() {
                associated.push(format!("ASSOCIATED_BUSIF {}", buses.join(":")));
            }
            let reset = reset_of(clock);
            if has(reset.clone()) {
                associated.push(format!("ASSOCIATED_RESET {reset}"));
            }
            let mut lines = vec![info("signal:clock:1.0", clock, "CLK")];
            if !associated.is_empty() {
                lines.push(parameter(&associated.join(", ")));
            }
            lines
        }
        _ if is_reset(name) => vec![info("signal:reset:1.0", name, "RST"), parameter("POLARITY ACTIVE_LOW")],
        "irq" => vec![info("signal:interrupt:1.0", name, "INTERRUPT"), parameter("SENSITIVITY LEVEL_HIGH")],
        _ => {
            let Some(pin) = pin(name) else { return Vec::new() };
            let vlnv = if pin.stream { "interface:axis:1.0" } else { "interface:aximm:1.0" };
            let mut lines = vec![info(vlnv, pin.bus, &pin.signal.to_uppercase())];
            // What the ports that are there do not say goes with one that every such bus has.
            let (writes, reads) = (has(format!("{}_awvalid", pin.bus)), has(format!("{}_arvalid", pin.bus)));
            let first = if writes { "awvalid" } else { "arvalid" };
            if !pin.stream && pin.signal == first {
                let bursts = has(format!("{}_awlen", pin.bus)) || has(format!("{}_arlen", pin.bus));
                let protocol = if bursts { "AXI4" } else { "AXI4LITE" };
                let mode = match (reads, writes) {
                    (true, true) => "READ_WRITE",
                    (true, false) => "READ_ONLY",
                    _ => "WRITE_ONLY",
                };
                lines.push(parameter(&format!("PROTOCOL {protocol}, READ_WRITE_MODE {mode}")));
            }
            lines
        }
    }
}
