//! What belongs together among the ports of a module: AXI buses by the names that AXI gives their signals, streams by `valid` and `ready`.

use crate::ir::{Kind, Module, Signal};

/// A port of a bus: name of the bus, signal in it.
#[derive(Clone, Copy)]
pub struct Pin<'a> {
    pub bus: &'a str,
    pub signal: &'a str,
    /// AXI4-Stream; else AXI4 or AXI4-Lite
    pub stream: bool,
}

const STREAM: [&str; 9] = ["tvalid", "tready", "tdata", "tkeep", "tstrb", "tlast", "tuser", "tid", "tdest"];
const ADDRESS: [&str; 12] = ["valid", "ready", "id", "addr", "len", "size", "burst", "lock", "cache", "prot", "qos", "region"];
const DATA: [&str; 16] = [
    "wvalid", "wready", "wdata", "wstrb", "wlast", "wuser", "bvalid", "bready", "bid", "bresp", "rvalid", "rready", "rid", "rdata",
    "rresp", "rlast",
];

/// The clock of a packaged top.
pub const CLOCK: &str = "aclk";
/// Its reset.
const RESET: &str = "aresetn";

/// The clock of a bus of a packaged top that has several: `NAME_aclk` of the buses that are called NAME, `aclk` of the others.
pub fn clock_of<'a>(bus: &str, clocks: impl Iterator<Item = &'a str>) -> &'a str {
    let named =
        |clock: &str| clock.strip_suffix(CLOCK).is_some_and(|name| !name.is_empty() && format!("{bus}_").ends_with(&format!("_{name}")));
    clocks.into_iter().find(|clock| named(clock)).unwrap_or(CLOCK)
}

/// The reset of a clock of a packaged top, if the port is there: `NAME_aresetn` of `NAME_aclk`.
pub fn reset_of(clock: &str) -> String {
    format!("{}{RESET}", clock.strip_suffix(CLOCK).unwrap_or_default())
}

/// Whether the port is a reset of a packaged top.
pub fn is_reset(name: &str) -> bool {
    name.strip_suffix(RESET).is_some_and(|rest| rest.is_empty() || rest.ends_with('_'))
}

/// A top whose clock is `aclk` is packaged: it is made to be placed in a block design.
pub fn is_packaged(module: &Module) -> bool {
    module.signals.iter().any(|s| s.name == CLOCK && s.kind == Kind::Input && s.clock)
}

/// What the name of a port says of a bus: `s_axis_<name>_t...`, `m_axi_<name>_aw...` and so on.
pub fn pin(name: &str) -> Option<Pin<'_>> {
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

/// The bus that a port belongs to.
pub fn bus(name: &str) -> Option<&str> {
    pin(name).map(|p| p.bus)
}

/// Prefixes that a `_valid` or `_ready` port has in common with another port, the longest first.
pub fn handshakes<'a>(ports: &[&'a Signal]) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for signal in ports {
        let prefix = signal.name.strip_suffix("_valid").or_else(|| signal.name.strip_suffix("_ready"));
        if let Some(prefix) = prefix
            && ports.iter().filter(|s| belongs(&s.name, prefix)).count() > 1
            && !found.contains(&prefix)
        {
            found.push(prefix);
        }
    }
    longest_first(&mut found);
    found
}

/// The longest prefix that fits is the interface of a port.
pub fn longest_first(prefixes: &mut [&str]) {
    prefixes.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
}

/// Whether the port's name is the prefix, `_` and something more.
pub fn belongs(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bus_goes_by_the_clock_of_its_name() {
        let of = |bus| clock_of(bus, ["aclk", "mac_aclk"].into_iter());
        for (bus, clock) in
            [("m_axis_mac", "mac_aclk"), ("s_axi_mac", "mac_aclk"), ("m_axis_rx", "aclk"), ("m_axis_emac", "aclk"), ("m_axi", "aclk")]
        {
            assert_eq!(of(bus), clock, "{bus}");
        }
        assert_eq!((reset_of("aclk").as_str(), reset_of("mac_aclk").as_str()), ("aresetn", "mac_aresetn"));
        assert!(is_reset("aresetn") && is_reset("mac_aresetn") && !is_reset("xaresetn") && !is_reset("rst"));
    }

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
