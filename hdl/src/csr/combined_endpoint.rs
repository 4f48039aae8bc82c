//! The registers of the endpoint that sends and receives in the transport profile *combined*.

use super::description::RegisterMap;
use super::sections::{self, FEEDBACK_COUNTERS, Identification, RECEIVE_INTERRUPTS, RING_INTERRUPTS};
use super::send_sections::{self, Capability, NUMBER_COUNTERS, NUMBER_INTERRUPTS, SEND_INTERRUPTS, SEND_PATH_COUNTERS};

/// What software finds in `id`: "RDCE".
pub const ID: u32 = 0x5244_4345;

/// Static parameters that software can read, or that decide reset values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    pub entries: u32,
    pub mask_bits: u32,
    pub packet_size: u32,
    /// nodes that send to us, and places of the node table
    pub sources: u32,
    pub index_bits: u32,
    pub escape_slots: u32,
    pub writes: u32,
    /// bits of the frame streams, of the memory bus and of the send buffer's
    pub data_width: u32,
    pub regions: u32,
    /// queue pairs that can be told apart as ours
    pub queue_pairs: u32,
    /// 1: completions leave by a stream, 0: by the ring in host memory
    pub completion_stream: u32,
    pub commands: u32,
    pub ops: u32,
    pub slots: u32,
    pub ring: u32,
    pub length_bits: u32,
    /// bits of the DMA engine's memory bus
    pub dma_width: u32,
    /// 1: the DMA engine takes any alignment
    pub realign: u32,
    /// packets of a window
    pub window: u32,
    /// gap records of a queue pair
    pub records: u32,
    /// segments of all windows together, a power of two; 0: windows have one length
    pub pool: u32,
}

impl Default for Parameters {
    /// As the profile `default`.
    fn default() -> Self {
        Parameters {
            entries: 16,
            mask_bits: 32,
            packet_size: 4096,
            sources: 16,
            index_bits: 8,
            escape_slots: 64,
            writes: 64,
            data_width: 512,
            regions: 0,
            queue_pairs: 16,
            completion_stream: 0,
            commands: 64,
            ops: 256,
            slots: 16,
            ring: 64,
            length_bits: 26,
            dma_width: 512,
            realign: 0,
            window: 512,
            records: 8,
            pool: 0,
        }
    }
}

/// The register map at these static parameters. Names and offsets are the same for all; constants and reset values differ.
pub fn registers(p: &Parameters) -> RegisterMap {
    let mut map = RegisterMap::new(
        "combined_endpoint",
        "Endpoint, acknowledging and retransmitting by number: commands and frames in, frames and memory out.",
        12,
    );
    let identification = Identification {
        id: ID,
        id_doc: "endpoint that sends and receives: the letters RDCE",
        entries: p.entries,
        mask_bits: p.mask_bits,
        packet_size: p.packet_size,
        sources: p.sources,
        sources_doc: "sending nodes, and places of the node table",
        escape_slots: p.escape_slots,
        writes: p.writes,
        data_width: p.data_width,
        index_bits: p.index_bits,
        regions: p.regions,
        queue_pairs: p.queue_pairs,
        completion_stream: p.completion_stream,
        counters: (sections::receive_counters_len() + FEEDBACK_COUNTERS.len() + SEND_PATH_COUNTERS.len() + NUMBER_COUNTERS.len()) as u32,
    };
    sections::identification(&mut map, &identification);
    sections::control(&mut map, &[&RING_INTERRUPTS[..], &RECEIVE_INTERRUPTS, &SEND_INTERRUPTS, &NUMBER_INTERRUPTS].concat());
    let t_life = "ticks that a packet may live in the network: the end of an operation is remembered, and the use of an op index limited; less than 2^31";
    sections::registry(&mut map, p.entries, p.escape_slots, t_life);
    sections::regions(&mut map);
    sections::queue_pairs(&mut map);
    sections::nodes(&mut map, "node", "queue pair that control packets to it go to", "packets");
    sections::local(&mut map, "packets");
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
    let window = [
        ("window", 0, 16, p.window, "packets of a window"),
        ("records", 16, 8, p.records, "gap records of a queue pair"),
        (
            "pool",
            24,
            5,
            p.pool.checked_ilog2().unwrap_or(0),
            "2 to the power of this are the segments of all windows together; 0: windows have one length",
        ),
    ];
    sections::connections(&mut map, &window);
    sections::gaps(&mut map);
    sections::windows(&mut map, p.pool / p.sources.max(1));
    send_sections::numbers(&mut map, send_sections::RETRY_FAILED, p.packet_size);
    sections::receive_counters(&mut map, "well-formed, but nothing for an endpoint", |_| true);
    sections::feedback_counters(&mut map);
    send_sections::counters(&mut map);
    send_sections::number_counters(&mut map);
    map
}
