//! Bus interfaces of a packaged top, as Vivado's IP integrator wants to be told of them.
//!
//! A top whose clock is `aclk` is packaged. Its ports say by their names what they are: `s_axis_<name>_t...`, `m_axi_<name>_aw...` and so on,
//! `aresetn`, `irq`. Attributes change nothing for anybody else.

use crate::ir::{Kind, Module};

/// A port of a bus: name of the bus, signal in it.
struct Pin<'a> {
    bus: &'a str,
    signal: &'a str,
    stream: bool,
}

const STREAM: [&str; 9] = ["tvalid", "tready", "tdata", "tkeep", "tstrb", "tlast", "tuser", "tid", "tdest"];
const ADDRESS: [&str; 12] = ["valid", "ready", "id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos", "region"];
const DATA: [&str; 16] = [
    "wvalid", "wready", "wdata", "wstrb", "wlast", "wuser", "bvalid", "bready", "bid", "bresp", "rvalid", "rready", "rid", "rdata",
    "rresp", "rlast",
];

/// The clock of a packaged top.
const CLOCK: &str = "aclk";

pub fn is_packaged(module: &Module) -> bool {
    module.signals.iter().any(|s| s.name == CLOCK && s.kind == Kind::Input && s.clock)
}

fn pin(name: &str) -> Option<Pin<'_>> {
    let (bus, signal) = name.rsplit_once('_')?;
    let is = |kind: &str| {
        ["s_", "m_"]
            .iter()
            .any(|d| bus.strip_prefix(d).and_then(|b| b.strip_prefix(kind)).is_some_and(|r| r.is_empty() || r.starts_with('_')))
    };
    let address = || ["aw", "ar"].iter().any(|c| signal.strip_prefix(c).is_some_and(|s| ADDRESS.contains(&s)));
    if is("axis") && STREAM.contains(&signal) {
        return Some(Pin { bus, signal, stream: true });
    }
    (is("axi") && (DATA.contains(&signal) || address())).then_some(Pin { bus, signal, stream: false })
}

/// The bus that a port of a packaged top belongs to.
pub fn bus(name: &str) -> Option<&str> {
    pin(name).map(|p| p.bus)
}

fn info(vlnv: &str, bus: &str, signal: &str) -> String {
    format!("(* X_INTERFACE_INFO = \"xilinx.com:{vlnv} {bus} {signal}\" *)")
}

fn parameter(text: &str) -> String {
    format!("(* X_INTERFACE_PARAMETER = \"{text}\" *)")
}

/// The attributes of one port of a packaged top, a line each.
pub fn attributes(module: &Module, name: &str) -> Vec<String> {
    let has = |port: String| module.signals.iter().any(|s| s.kind != Kind::Net && s.name == port);
    match name {
        CLOCK => {
            let mut buses: Vec<&str> = Vec::new();
            for bus in module.signals.iter().filter(|s| s.kind != Kind::Net).filter_map(|s| bus(&s.name)) {
                if !buses.contains(&bus) {
                    buses.push(bus);
                }
            }
            let mut associated = Vec::new();
            if !buses.is_empty() {
                associated.push(format!("ASSOCIATED_BUSIF {}", buses.join(":")));
            }
            if has("aresetn".into()) {
                associated.push("ASSOCIATED_RESET aresetn".into());
            }
            let mut lines = vec![info("signal:clock:1.0", CLOCK, "CLK")];
            if !associated.is_empty() {
                lines.push(parameter(&associated.join(", ")));
            }
            lines
        }
        "aresetn" => vec![info("signal:reset:1.0", name, "RST"), parameter("POLARITY ACTIVE_LOW")],
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_port_is() {
        let found = |name| pin(name).map(|p| (p.bus, p.signal, p.stream));
        assert_eq!(found("s_axis_rx_tdata"), Some(("s_axis_rx", "tdata", true)));
        assert_eq!(found("m_axi_awvalid"), Some(("m_axi", "awvalid", false)));
        assert_eq!(found("s_axi_ctrl_arprot"), Some(("s_axi_ctrl", "arprot", false)));
        for other in ["s_axis_rx_data", "s_axi_ctrl_level", "x_axi_awvalid", "m_axial_awvalid", "s_axis_awvalid", "s_axi_tdata", "irq"] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
