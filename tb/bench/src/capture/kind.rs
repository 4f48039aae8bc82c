//! What a frame is that is not RoCEv2, in words of those who captured it.

use super::{CapturedFrame, ETHERNET};

const TWO_TAGS: &str = "with two VLAN tags or more";

/// The name of a link type, as `tcpdump -L` and the list of link types at tcpdump.org have it.
fn link(link: u16) -> &'static str {
    match link {
        0 | 108 => "BSD loopback",
        12 | 14 | 101 => "raw IP",
        105 | 119 | 127 | 163 | 192 => "802.11",
        113 => "Linux cooked",
        197 => "ERF",
        204 | 205 => "PPP",
        228 => "raw IPv4",
        229 => "raw IPv6",
        247 => "InfiniBand",
        252 => "exported PDU",
        253 => "Netlink",
        274 => "Ethernet with preamble",
        276 => "Linux cooked v2",
        _ => "not Ethernet",
    }
}

/// EtherTypes of VLAN tags, those that the hardware does not read among them.
fn is_tag(ether_type: u16) -> bool {
    matches!(ether_type, 0x8100 | 0x88a8 | 0x9100 | 0x9200)
}

/// What the frame is.
pub fn name(frame: &CapturedFrame) -> String {
    if frame.link != ETHERNET {
        return format!("of link type {} ({})", frame.link, link(frame.link));
    }
    let at16 = |at: usize| Some(u16::from_be_bytes([*frame.bytes.get(at)?, *frame.bytes.get(at + 1)?]));
    let short = || "that end before they say what they are".to_string();
    let Some(outer) = at16(12) else { return short() };
    let (tagged, at) = if is_tag(outer) { (true, 16) } else { (false, 12) };
    let Some(ether_type) = at16(at) else { return short() };
    if tagged && is_tag(ether_type) {
        return format!("{TWO_TAGS} ({outer:#06x}, {ether_type:#06x})");
    }
    if tagged && !matches!(outer, 0x8100 | 0x88a8) {
        return format!("with a VLAN tag of type {outer:#06x}");
    }
    let byte = |offset: usize| frame.bytes.get(at + 2 + offset).copied();
    let (protocol, transport) = match ether_type {
        0x0800 => match (byte(0), byte(9)) {
            (Some(first), Some(protocol)) if first >> 4 == 4 && first & 15 >= 5 => (protocol, usize::from(first & 15) * 4),
            _ => return "with a damaged IPv4 header".into(),
        },
        0x86dd => match (byte(0), byte(6)) {
            (Some(first), Some(protocol)) if first >> 4 == 6 => (protocol, 40),
            _ => return "with a damaged IPv6 header".into(),
        },
        0x0806 => return "ARP".into(),
        0x8808 => return "MAC control (pause, PFC)".into(),
        0x8847 | 0x8848 => return "MPLS".into(),
        0x8863 | 0x8864 => return "PPPoE".into(),
        0x8915 => return "RoCE v1 (EtherType 0x8915)".into(),
        0x88cc => return "LLDP".into(),
        0x88e5 => return "MACsec".into(),
        0x88f7 => return "PTP".into(),
        0..=0x05ff => return "802.3 with LLC".into(),
        other => return format!("of EtherType {other:#06x}"),
    };
    match (protocol, at16(at + 2 + transport + 2)) {
        (1, _) => "ICMP".into(),
        (2, _) => "IGMP".into(),
        (6, _) => "TCP".into(),
        (47, _) => "GRE".into(),
        (50, _) => "ESP".into(),
        (58, _) => "ICMPv6".into(),
        (17, Some(4789)) => "VXLAN (UDP port 4789)".into(),
        (17, Some(6081)) => "Geneve (UDP port 6081)".into(),
        (17, Some(port)) => format!("to UDP port {port}"),
        (17, None) => short(),
        (other, _) => format!("of IP protocol {other}"),
    }
}

/// What can be done about a capture without RoCEv2.
pub fn advice(frames: &[CapturedFrame]) -> &'static str {
    let any = |part: &str| frames.iter().any(|frame| name(frame).contains(part));
    if any(TWO_TAGS) {
        "; the hardware reads one tag: take the outer one off with `editcap -L -C 12:4 IN OUT`"
    } else if any("RoCE v1") {
        "; RoCE v1 has no UDP: set the peers to RoCEv2"
    } else if any("VXLAN") || any("Geneve") {
        "; take the outer headers off, or record where the tunnel ends"
    } else {
        "; is the capture filter `udp port 4791`, and was there traffic?"
    }
}
