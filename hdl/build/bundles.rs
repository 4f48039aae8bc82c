//! Ports of register blocks that belong together: what one part of a top is set with, or has counted.
//!
//! A part has the bundle, and so has every register block whose map has all of it: one statement connects them.

use crate::description::{Access, RegisterMap};
use crate::sections::{FEEDBACK_COUNTERS, REGISTRY_COUNTERS};
use crate::send_sections::{NUMBER_COUNTERS, SEND_PATH_COUNTERS};
use std::fmt::Write;

pub struct Bundle {
    /// as a part of a top has it
    pub name: &'static str,
    /// as a register block has it
    pub mirror: &'static str,
    /// field of both
    pub field: &'static str,
    /// what its ports begin with
    pub port: &'static str,
    about: &'static str,
    pub signals: Vec<Signal>,
}

pub struct Signal {
    pub name: String,
    bits: u32,
    doc: String,
}

/// All bundles; widths and comments are those of a map that has every register.
pub fn bundles(map: &RegisterMap) -> Vec<Bundle> {
    let events = |counters: &[(&str, &str)]| {
        let signal = |&(name, doc): &(&str, &str)| Signal { name: name.into(), bits: 1, doc: doc.into() };
        counters.iter().map(signal).collect::<Vec<_>>()
    };
    let settings = |names: &[&str]| {
        let fields = map.registers.iter().flat_map(|register| register.fields.iter().map(move |field| (register, field)));
        let fields = fields.filter(|(_, field)| field.access == Access::ReadWrite);
        let named = fields.filter_map(|(register, field)| Some((register.port(field)?.strip_prefix("cfg_")?.to_string(), register, field)));
        let all: Vec<_> = named.collect();
        let find = |name: &&str| {
            let (name, register, field) = all.iter().find(|(known, _, _)| known == name)?;
            let doc = if field.name == "value" { register.doc.clone() } else { format!("{}: {}", register.doc, field.doc) };
            Some(Signal { name: name.clone(), bits: field.bits, doc })
        };
        names.iter().filter_map(find).collect::<Vec<_>>()
    };
    let bundle =
        |[name, mirror, field, about]: [&'static str; 4], signals| Bundle { name, mirror, field, port: &field[..3], about, signals };
    // What only a top with a pool of segments counts stands apart.
    let numbered: Vec<_> =
        FEEDBACK_COUNTERS.iter().copied().filter(|(name, _)| !["psn_pool_exhausted", "psn_window_shrunk"].contains(name)).collect();
    // The registers themselves see a command that is lost.
    let sent: Vec<_> = SEND_PATH_COUNTERS.iter().copied().filter(|(name, _)| *name != "posts_dropped").collect();
    vec![
        bundle(["RegistryEvents", "RegistryEventsSink", "evt_registry", "What the receive registry counts."], events(&REGISTRY_COUNTERS)),
        bundle(["PsnEvents", "PsnEventsSink", "evt_psn", "What the feedback path counts."], events(&numbered)),
        bundle(["SendEvents", "SendEventsSink", "evt_send", "What the send path counts."], events(&sent)),
        bundle(
            ["NumberEvents", "NumberEventsSink", "evt_number", "What is counted where packets are sent again by their number."],
            events(&NUMBER_COUNTERS),
        ),
        bundle(
            ["RegistryConfig", "RegistryConfigSource", "cfg_registry", "Times, quotas and regions of the receive registry."],
            settings(&[
                "op_timeout",
                "escape_timeout",
                "renotify",
                "ack_wait",
                "entry_quota",
                "escape_quota",
                "region_index",
                "region_rkey",
                "region_base",
                "region_length",
            ]),
        ),
        bundle(
            ["GapConfig", "GapConfigSource", "cfg_gap", "When a gap is a loss, and when that is told."],
            settings(&[
                "depth",
                "wait",
                "stall",
                "stall_packets",
                "feedback_threshold",
                "feedback_wait",
                "refeedback",
                "range_ack",
                "ack_hold",
            ]),
        ),
        bundle(
            ["SendConfig", "SendConfigSource", "cfg_send", "How commands are cut, sent again and loaded."],
            settings(&[
                "threshold",
                "segment",
                "timeout",
                "timeout_floor",
                "ack_delay",
                "source_each",
                "backoff_cap",
                "retry_limit",
                "irq_threshold",
                "irq_delay",
                "reset_timeout",
                "load_timeout",
                "cdma_error_limit",
                "buffer_base",
            ]),
        ),
        bundle(
            ["NumberConfig", "NumberConfigSource", "cfg_number", "When packets are sent again by their number."],
            settings(&[
                "feedback_qp",
                "dedup",
                "rtx_mode",
                "aggregate",
                "merge",
                "rtx_window",
                "untold_window",
                "rto",
                "rto_cap",
                "rto_limit",
                "rate",
            ]),
        ),
    ]
}

/// Their source.
pub fn source(bundles: &[Bundle]) -> String {
    let mut out = String::from("// Made from the descriptions in `hdl/src/csr`.\n\nuse crate::Bundle;\nuse rust_hdl::prelude::*;\n");
    for bundle in bundles {
        let direction = if bundle.port == "cfg" { "In" } else { "Out" };
        let _ = write!(
            out,
            "\n/// {}\n#[derive(Clone, Debug, Default, Bundle, LogicInterface)]\n#[join = {:?}]\n#[mirror]\npub struct {} {{\n",
            bundle.about, bundle.mirror, bundle.name
        );
        for Signal { name, bits, doc } in &bundle.signals {
            let kind = if *bits == 1 { "Bit".into() } else { format!("Bits<{bits}>") };
            let _ = writeln!(out, "    /// {doc}\n    pub {name}: Signal<{direction}, {kind}>,");
        }
        out.push_str("}\n");
    }
    out
}
