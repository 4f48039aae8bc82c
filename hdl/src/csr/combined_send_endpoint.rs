//! The registers of the send endpoint in the transport profile *combined*.

use super::description::RegisterMap;
use super::sections::{self, FRAME_COUNTERS, Identification, RING_INTERRUPTS};
use super::send_sections::{self, Capability, NUMBER_COUNTERS, NUMBER_INTERRUPTS, SEND_INTERRUPTS, SEND_PATH_COUNTERS};

/// What software finds in `id`: "RDCT".
pub const ID: u32 = 0x5244_4354;
/// The same in the transport profile *bitmap*: "RDBT".
pub const PLAIN_ID: u32 = 0x5244_4254;

/// Static parameters that software can read, or that decide reset values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    pub commands: u32,
    pub packet_size: u32,
    pub mask_bits: u32,
    pub ops: u32,
    pub slots: u32,
    pub nodes: u32,
    pub ring: u32,
    pub length_bits: u32,
    /// bits of the frame stream and of the send buffer's bus
    pub data_width: u32,
    /// bits of the DMA engine's memory bus
    pub dma_width: u32,
    /// 1: the DMA engine takes any alignment
    pub realign: u32,
    /// queue pairs that can be told apart as ours
    pub queue_pairs: u32,
    /// packets of a window
    pub window: u32,
    /// the transport profile is *bitmap*
    pub plain: bool,
}

impl Default for Parameters {
    /// As the profile `default`.
    fn default() -> Self {
        Parameters {
            commands: 64,
            packet_size: 4096,
            mask_bits: 32,
            ops: 256,
            slots: 16,
            nodes: 16,
            ring: 64,
            length_bits: 26,
            data_width: 512,
            dma_width: 512,
            realign: 0,
            queue_pairs: 16,
            window: 512,
            plain: false,
        }
    }
}

/// The receive side's counters that are here too.
fn there(name: &str) -> bool {
    let of_frames = FRAME_COUNTERS.iter().any(|c| c.0 == name) && name != "frame_no_slot";
    of_frames || ["frame_foreign", "completions"].contains(&name)
}

/// The register map at these static parameters. Names and offsets are the same for all; constants and reset values differ.
pub fn registers(p: &Parameters) -> RegisterMap {
    let mut map =
        RegisterMap::new("combined_send_endpoint", "Send endpoint, retransmitting by number: commands in, memory read, frames out.", 12);
    map.variant = p.plain.then_some("plain");
    let identification = Identification {
        id: if p.plain { PLAIN_ID } else { ID },
        id_doc: if p.plain { "send endpoint: the letters RDBT" } else { "send endpoint: the letters RDCT" },
        mask_bits: p.mask_bits,
        packet_size: p.packet_size,
        sources: p.nodes,
        sources_doc: "places of the node table",
        data_width: p.data_width,
        index_bits: p.ops.trailing_zeros(),
        queue_pairs: p.queue_pairs,
        counters: (FRAME_COUNTERS.len() + 1 + SEND_PATH_COUNTERS.len() + NUMBER_COUNTERS.len()) as u32,
        ..Default::default()
    };
    sections::identification(&mut map, &identification);
    sections::control(&mut map, &[&RING_INTERRUPTS[..], &SEND_INTERRUPTS, &NUMBER_INTERRUPTS].concat());
    sections::prescale(&mut map);
    sections::t_life(&mut map, send_sections::T_LIFE);
    sections::queue_pairs(&mut map);
    sections::nodes(&mut map, "node", "not used: each command names its queue pair", "data packets");
    sections::local(&mut map, "data packets");
    sections::ring(&mut map);
    let capability = Capability {
        ops: p.ops,
        slots: p.slots,
        commands: p.commands,
        ring: p.ring,
        length_bits: p.length_bits,
        dma_width: p.dma_width,
        realign: p.realign,
        packet_size: p.packet_size,
        mask_bits: p.mask_bits,
    };
    send_sections::send(&mut map, &capability);
    send_sections::posting(&mut map);
    sections::connections(&mut map, &[("window", 0, 16, p.window, "packets of a window")]);
    send_sections::numbers(&mut map, send_sections::RETRY_FAILED, p.packet_size);
    sections::receive_counters(&mut map, "well-formed, but no remote completion, acknowledgement or feedback message", there);
    send_sections::counters(&mut map);
    send_sections::number_counters(&mut map);
    map
}
