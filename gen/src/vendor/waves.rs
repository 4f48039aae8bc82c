//! One waveform per interface, as WaveDrom JSON: the order of its handshakes, with the names that the ports have.

use super::bundle::{Interface, Shape};
use rdma_rtl_hdl::csr::RegisterMap;
use serde_json::{Value, json};

/// What a signal is in one clock.
#[derive(Clone, PartialEq, Eq)]
enum Is {
    Any,
    Bit(bool),
    /// a text, and the number of the item that it belongs to, for its colour
    Shown(String, usize),
}

/// The wave of one signal.
fn lane(name: &str, clocks: &[Is]) -> Value {
    let (mut wave, mut data, mut last) = (String::new(), Vec::new(), None);
    for now in clocks {
        if last == Some(now) {
            wave.push('.');
            continue;
        }
        last = Some(now);
        wave.push(match now {
            Is::Any => 'x',
            Is::Bit(bit) => char::from(b'0' + u8::from(*bit)),
            Is::Shown(text, item) => {
                data.push(text.clone());
                // WaveDrom's colours are 3 to 9.
                char::from(b'3' + (item % 7) as u8)
            }
        });
    }
    if data.is_empty() { json!({ "name": name, "wave": wave }) } else { json!({ "name": name, "wave": wave, "data": data }) }
}

fn bits(pattern: &str) -> Vec<Is> {
    pattern.chars().map(|c| Is::Bit(c == '1')).collect()
}

/// A channel of `valid` and `ready`: which item is there in each clock. `.` is none, a digit is its number, and a `*` behind it says that
/// it waits.
struct Channel {
    items: Vec<Option<usize>>,
    ready: Vec<bool>,
}

impl Channel {
    /// `early` is what `ready` is while nothing is there.
    fn new(pattern: &str, early: bool) -> Self {
        let (mut items, mut ready) = (Vec::new(), Vec::new());
        for c in pattern.chars() {
            match c {
                '*' => *ready.last_mut().expect("a clock before it") = false,
                c => {
                    items.push(c.to_digit(10).map(|d| d as usize));
                    ready.push(items.last() != Some(&None) || early);
                }
            }
        }
        Channel { items, ready }
    }

    fn valid(&self) -> Vec<Is> {
        self.items.iter().map(|i| Is::Bit(i.is_some())).collect()
    }

    fn ready(&self) -> Vec<Is> {
        self.ready.iter().map(|r| Is::Bit(*r)).collect()
    }

    fn each(&self, shown: impl Fn(usize) -> Is) -> Vec<Is> {
        self.items.iter().map(|i| i.map_or(Is::Any, &shown)).collect()
    }

    fn last(&self) -> usize {
        self.items.iter().flatten().max().copied().unwrap_or_default()
    }
}

fn shown(text: impl Into<String>, item: usize) -> Is {
    Is::Shown(text.into(), item)
}

/// The WaveDrom description of an interface; `None` for one that has no order to show.
pub fn wave(interface: &Interface, clock: Option<&str>, map: Option<&RegisterMap>) -> Option<Value> {
    let (clocks, groups) = match interface.shape {
        Shape::Stream => (STREAM_CLOCKS, stream(interface, "TVALID", "TREADY", "TLAST")),
        Shape::Handshake => (STREAM_CLOCKS, stream(interface, "valid", "ready", "last")),
        Shape::Axi { lite, writes, reads } => {
            let mut groups = Vec::new();
            if writes {
                groups.extend(write(interface, lite));
            }
            if reads {
                groups.extend(read(interface, lite));
            }
            (axi_clocks(lite), groups)
        }
        Shape::Interrupt => (8, interrupt(interface, map)),
        Shape::Clock | Shape::Reset { .. } | Shape::Loose => return None,
    };
    let mut signal: Vec<Value> =
        clock.map(|name| json!({ "name": name, "wave": format!("p{}", ".".repeat(clocks - 1)) })).into_iter().collect();
    for (title, lanes) in groups.into_iter().filter(|(_, lanes)| !lanes.is_empty()) {
        if !signal.is_empty() {
            signal.push(json!({}));
        }
        if title.is_empty() {
            signal.extend(lanes);
        } else {
            signal.push(Value::Array(std::iter::once(json!(title)).chain(lanes).collect()));
        }
    }
    Some(json!({
        "signal": signal,
        "head": { "text": format!("{}: {}", interface.name, interface.kind()) },
        "foot": { "text": "order of the handshakes; not how many clocks lie between them" },
    }))
}

const STREAM_CLOCKS: usize = 8;

fn axi_clocks(lite: bool) -> usize {
    if lite { 7 } else { 12 }
}

/// An address waits a clock for `ready`.
const ADDRESS: &str = ".0*0";

type Group = (&'static str, Vec<Value>);

/// Three items; the second one waits a clock for `ready`.
fn stream(interface: &Interface, valid: &str, ready: &str, last: &str) -> Vec<Group> {
    let channel = if interface.has(ready) { Channel::new(".01*12", true) } else { Channel::new(".01..2", true) };
    let channel = cut(channel, STREAM_CLOCKS);
    let packets = interface.has(last);
    let lanes = interface.ports.iter().map(|port| {
        let logical = port.logical.as_str();
        let name = port.signal.name.as_str();
        match logical {
            _ if logical == valid => lane(name, &channel.valid()),
            _ if logical == ready => lane(name, &channel.ready()),
            _ if logical == last => lane(name, &channel.each(|i| Is::Bit(i == channel.last()))),
            "TKEEP" | "TSTRB" if packets => lane(name, &channel.each(|i| shown(if i == channel.last() { "tail" } else { "all" }, i))),
            "TUSER" if packets => lane(name, &channel.each(|i| if i == channel.last() { shown("flags", i) } else { Is::Any })),
            _ if packets => lane(name, &channel.each(|i| shown(format!("D{i}"), i))),
            _ => lane(name, &channel.each(|i| shown(["A", "B", "C"][i % 3], i))),
        }
    });
    vec![("", lanes.collect())]
}

/// The lanes of the ports that begin with the channel's letters.
fn channel(interface: &Interface, letters: &str, channel: &Channel, text: impl Fn(&str, usize) -> Is) -> Vec<Value> {
    let of = interface.ports.iter().filter_map(|p| Some((p, p.logical.strip_prefix(letters)?)));
    of.map(|(port, signal)| {
        let clocks = match signal {
            "VALID" => channel.valid(),
            "READY" => channel.ready(),
            "LAST" => channel.each(|i| Is::Bit(i == channel.last())),
            _ => channel.each(|i| text(signal, i)),
        };
        lane(&port.signal.name, &clocks)
    })
    .collect()
}

/// An address of a burst of four beats, or of one word.
fn address(signal: &str, i: usize) -> Is {
    match signal {
        "LEN" => shown("3", i),
        "BURST" => shown("INCR", i),
        other => shown(other.to_lowercase(), i),
    }
}

fn answer(signal: &str, i: usize) -> Is {
    match signal {
        "RESP" => shown("OKAY", i),
        "ID" => shown("id", i),
        "STRB" => shown("strb", i),
        _ => shown(format!("D{i}"), i),
    }
}

fn write(interface: &Interface, lite: bool) -> Vec<Group> {
    let (data, back) = if lite { (".0*0", "....0") } else { ("...01*123", ".........0") };
    let cut = |pattern: &str, early| cut(Channel::new(pattern, early), axi_clocks(lite));
    vec![
        ("write address", channel(interface, "AW", &cut(ADDRESS, false), address)),
        ("write data", channel(interface, "W", &cut(data, !lite), answer)),
        ("response", channel(interface, "B", &cut(back, true), answer)),
    ]
}

fn read(interface: &Interface, lite: bool) -> Vec<Group> {
    let back = if lite { "....0" } else { "....01*123" };
    let cut = |pattern: &str, early| cut(Channel::new(pattern, early), axi_clocks(lite));
    vec![
        ("read address", channel(interface, "AR", &cut(ADDRESS, false), address)),
        ("read data", channel(interface, "R", &cut(back, true), answer)),
    ]
}

/// The rest of the picture: nothing is there.
fn cut(mut channel: Channel, clocks: usize) -> Channel {
    channel.items.resize(clocks, None);
    let resting = channel.ready.first().copied().unwrap_or_default();
    channel.ready.resize(clocks, resting);
    channel
}

/// From the event to the write that takes the interrupt back.
fn interrupt(interface: &Interface, map: Option<&RegisterMap>) -> Vec<Group> {
    let status = map.and_then(|m| m.interrupt.as_ref()).map(|(status, _)| status.as_str());
    let mut lanes = vec![lane("event", &bits("01000000"))];
    if let Some(status) = status {
        lanes.push(lane(&format!("bit of {status}"), &bits("00111100")));
    }
    lanes.extend(interface.ports.iter().map(|p| lane(&p.signal.name, &bits("00011110"))));
    if let Some(status) = status {
        let one = |i| if i == 5 { shown("1", 0) } else { Is::Any };
        lanes.push(lane(&format!("write to {status}"), &(0..8).map(one).collect::<Vec<_>>()));
    }
    vec![("", lanes)]
}

#[cfg(test)]
mod tests {
    use super::super::bundle::interfaces;
    use super::super::sample;
    use super::*;

    fn lanes(ports: &[(&str, usize, bool)]) -> Vec<String> {
        let module = sample::module("top", ports);
        let all = interfaces(&module);
        let wave = wave(&all[0], None, None).expect("an interface with a wave");
        let flat = |v: &Value| match v {
            Value::Array(group) => group[1..].to_vec(),
            one => vec![one.clone()],
        };
        let signals = wave["signal"].as_array().expect("signals").iter().flat_map(flat);
        signals.filter(|s| s["name"].is_string()).map(|s| format!("{} {} {}", s["name"], s["wave"], s["data"]).replace('"', "")).collect()
    }

    #[test]
    fn a_stream_waits_for_ready() {
        let axis =
            [("s_axis_rx_tvalid", 1, true), ("s_axis_rx_tready", 1, false), ("s_axis_rx_tdata", 8, true), ("s_axis_rx_tlast", 1, true)];
        assert_eq!(
            lanes(&axis),
            [
                "s_axis_rx_tvalid 01...0.. null",
                "s_axis_rx_tready 1.01.... null",
                "s_axis_rx_tdata x34.5x.. [D0,D1,D2]",
                "s_axis_rx_tlast x0..1x.. null"
            ]
        );
        assert_eq!(lanes(&[("told_valid", 1, false), ("told_op", 8, false)]), ["told_valid 01.0.10. null", "told_op x34x.5x. [A,B,C]"]);
    }
}
