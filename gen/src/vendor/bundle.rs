//! The ports of a top, in the interfaces that they belong to.

use crate::interface::{belongs, handshakes, is_reset, pin};
use crate::ir::{Kind, Module, Signal};

/// What the ports of an interface have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Clock,
    Reset {
        active_low: bool,
    },
    Interrupt,
    /// AXI4-Stream
    Stream,
    Axi {
        lite: bool,
        writes: bool,
        reads: bool,
    },
    /// `valid`, and `ready` if it can wait, with everything that goes with them
    Handshake,
    /// values on their own, all in one direction
    Loose,
}

#[derive(Clone, Debug)]
pub struct Port<'a> {
    pub signal: &'a Signal,
    /// Name in the interface, in capitals for a bus: `AWADDR`.
    pub logical: String,
}

impl Port<'_> {
    pub fn is_input(&self) -> bool {
        self.signal.kind == Kind::Input
    }

    /// `name[7:0]`, or the name of one bit.
    pub fn with_range(&self) -> String {
        format!("{}{}", self.signal.name, crate::verilog::range(self.signal.width))
    }
}

#[derive(Clone, Debug)]
pub struct Interface<'a> {
    pub name: String,
    pub shape: Shape,
    /// The top gives: it is master of a bus, source of a stream, driver of a value.
    pub master: bool,
    pub ports: Vec<Port<'a>>,
}

impl Interface<'_> {
    pub fn port(&self, logical: &str) -> Option<&Port<'_>> {
        self.ports.iter().find(|p| p.logical == logical)
    }

    pub fn has(&self, logical: &str) -> bool {
        self.port(logical).is_some()
    }

    pub fn width(&self, logical: &str) -> usize {
        self.port(logical).map_or(0, |p| p.signal.width)
    }

    /// What it is, for people; empty if the name says it.
    pub fn kind(&self) -> String {
        let side = |master: &str, slave: &str| if self.master { master.to_string() } else { slave.to_string() };
        match self.shape {
            Shape::Clock => "clock".into(),
            Shape::Reset { active_low } => format!("reset, active {}", if active_low { "low" } else { "high" }),
            Shape::Interrupt => "interrupt, level".into(),
            Shape::Stream => format!("AXI4-Stream {}", side("master", "slave")),
            Shape::Axi { lite, writes, reads } => {
                let only = match (writes, reads) {
                    (true, false) => ", write only",
                    (false, true) => ", read only",
                    _ => "",
                };
                format!("{} {}{only}", if lite { "AXI4-Lite" } else { "AXI4" }, side("master", "slave"))
            }
            Shape::Handshake if self.has("ready") => format!("stream, {}", side("out", "in")),
            Shape::Handshake => format!("stream without backpressure, {}", side("out", "in")),
            Shape::Loose if SINGLE.contains(&self.name.as_str()) => String::new(),
            Shape::Loose => side(SINGLE[1], SINGLE[0]),
        }
    }

    /// Its ports belong together.
    pub fn is_group(&self) -> bool {
        self.ports.len() > 1 && !SINGLE.contains(&self.name.as_str())
    }

    /// It is a bus that a block design connects as one.
    pub fn is_bus(&self) -> bool {
        matches!(self.shape, Shape::Stream | Shape::Axi { .. })
    }
}

/// Ports that have nothing but their direction in common.
const SINGLE: [&str; 2] = ["inputs", "outputs"];

/// The interfaces of a module, in the order of their first ports. Each port is in exactly one.
pub fn interfaces(module: &Module) -> Vec<Interface<'_>> {
    let signals: Vec<&Signal> = module.signals.iter().filter(|s| s.kind != Kind::Net).collect();
    // Only what has a `valid` is a stream: `ready` alone says that a block is ready.
    let mut streams = handshakes(&signals);
    streams.retain(|prefix| signals.iter().any(|s| s.width == 1 && s.name.strip_suffix("_valid") == Some(prefix)));
    let mut found: Vec<Interface> = Vec::new();
    for signal in signals {
        let (name, logical, shape) = place(signal, &streams);
        let given = signal.kind == Kind::Output;
        let port = Port { signal, logical };
        let same = |i: &&mut Interface| i.name == name && i.shape == shape && (shape != Shape::Loose || i.master == given);
        match found.iter_mut().find(same) {
            Some(interface) => interface.ports.push(port),
            None => found.push(Interface { name, shape, master: given, ports: vec![port] }),
        }
    }
    for interface in &mut found {
        settle(interface);
    }
    found
}

/// Name of the interface, name of the port in it, shape.
fn place(signal: &Signal, streams: &[&str]) -> (String, String, Shape) {
    let name = signal.name.as_str();
    let own = |shape| (name.to_string(), name.to_string(), shape);
    let one_input = signal.kind == Kind::Input && signal.width == 1;
    if signal.clock {
        return own(Shape::Clock);
    }
    match name {
        _ if one_input && is_reset(name) => return own(Shape::Reset { active_low: true }),
        "rst" if one_input => return own(Shape::Reset { active_low: false }),
        "irq" if signal.kind == Kind::Output && signal.width == 1 => return own(Shape::Interrupt),
        _ => {}
    }
    if let Some(pin) = pin(name) {
        let shape = if pin.stream { Shape::Stream } else { Shape::Axi { lite: true, writes: false, reads: false } };
        return (pin.bus.to_string(), pin.signal.to_uppercase(), shape);
    }
    if let Some(prefix) = streams.iter().find(|p| belongs(name, p)) {
        return (prefix.to_string(), name[prefix.len() + 1..].to_string(), Shape::Handshake);
    }
    let family = [("cfg_", "configuration"), ("evt_", "events"), ("status_", "status")].iter().find(|(p, _)| name.starts_with(p));
    let single = if signal.kind == Kind::Output { SINGLE[1] } else { SINGLE[0] };
    (family.map_or(single, |(_, title)| title).to_string(), name.to_string(), Shape::Loose)
}

/// What only all ports of an interface together say.
fn settle(interface: &mut Interface) {
    let gives = |logical: &str| interface.port(logical).map(|p| !p.is_input());
    let first = match interface.shape {
        Shape::Stream => gives("TVALID").or(gives("TDATA")),
        Shape::Axi { .. } => gives("AWVALID").or(gives("ARVALID")),
        Shape::Handshake => gives("valid"),
        _ => None,
    };
    let master = first.unwrap_or(interface.master);
    if let Shape::Axi { .. } = interface.shape {
        let lite = !interface.has("AWLEN") && !interface.has("ARLEN");
        interface.shape = Shape::Axi { lite, writes: interface.has("AWVALID"), reads: interface.has("ARVALID") };
    }
    interface.master = master;
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn shapes(ports: &[(&str, usize, bool)]) -> Vec<(String, Shape, bool, usize)> {
        let module = sample::module("top", ports);
        interfaces(&module).into_iter().map(|i| (i.name, i.shape, i.master, i.ports.len())).collect()
    }

    #[test]
    fn every_port_has_its_interface() {
        let found = shapes(&[
            ("aclk", 1, true),
            ("aresetn", 1, true),
            ("s_axis_rx_tvalid", 1, true),
            ("s_axis_rx_tready", 1, false),
            ("m_axi_awvalid", 1, false),
            ("m_axi_awlen", 8, false),
            ("s_axi_ctrl_araddr", 12, true),
            ("s_axi_ctrl_arvalid", 1, true),
            ("irq", 1, false),
            ("header_valid", 1, true),
            ("header_imm_valid", 1, true),
            ("header_imm", 32, true),
            ("ready", 1, false),
            ("slot_ready", 1, false),
            ("slot_count", 4, false),
            ("cfg_limit", 16, true),
            ("evt_taken", 1, false),
        ]);
        let axi = |lite, writes, reads| Shape::Axi { lite, writes, reads };
        let expected = [
            ("aclk", Shape::Clock, false, 1),
            ("aresetn", Shape::Reset { active_low: true }, false, 1),
            ("s_axis_rx", Shape::Stream, false, 2),
            ("m_axi", axi(false, true, false), true, 2),
            ("s_axi_ctrl", axi(true, false, true), false, 2),
            ("irq", Shape::Interrupt, true, 1),
            ("header", Shape::Handshake, false, 3),
            ("outputs", Shape::Loose, true, 3),
            ("configuration", Shape::Loose, false, 1),
            ("events", Shape::Loose, true, 1),
        ];
        assert_eq!(found, expected.map(|(name, shape, master, ports)| (name.to_string(), shape, master, ports)));
    }
}
