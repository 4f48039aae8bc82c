//! The registers of the receive endpoint in the transport profile *combined*.

use super::description::RegisterMap;
use super::sections::{self, Identification, RECEIVE_INTERRUPTS, RING_INTERRUPTS};

/// What software finds in `id`: "RDCX".
pub const ID: u32 = 0x5244_4358;

/// Static parameters that software can read, or that decide reset values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    pub entries: u32,
    pub mask_bits: u32,
    pub packet_size: u32,
    pub sources: u32,
    pub index_bits: u32,
    pub escape_slots: u32,
    pub writes: u32,
    /// bits of the frame stream and of the memory bus
    pub data_width: u32,
    pub regions: u32,
    /// queue pairs that can be told apart as ours
    pub queue_pairs: u32,
    /// 1: completions leave by a stream, 0: by the ring in host memory
    pub completion_stream: u32,
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
            window: 512,
            records: 8,
            pool: 0,
        }
    }
}

/// The register map at these static parameters. Names and offsets are the same for all; constants and reset values differ.
pub fn registers(p: &Parameters) -> RegisterMap {
    let mut map = RegisterMap::new("combined_receive_endpoint", "Receive endpoint, acknowledging by number: frames in, memory out.", 12);
    let identification = Identification {
        id: ID,
        id_doc: "receive endpoint: the letters RDCX",
        entries: p.entries,
        mask_bits: p.mask_bits,
        packet_size: p.packet_size,
        sources: p.sources,
        sources_doc: "sending nodes",
        escape_slots: p.escape_slots,
        writes: p.writes,
        data_width: p.data_width,
        index_bits: p.index_bits,
        regions: p.regions,
        queue_pairs: p.queue_pairs,
        completion_stream: p.completion_stream,
        counters: (sections::receive_counters_len() + sections::FEEDBACK_COUNTERS.len()) as u32,
    };
    sections::identification(&mut map, &identification);
    sections::control(&mut map, &[&RING_INTERRUPTS[..], &RECEIVE_INTERRUPTS].concat());
    sections::registry(&mut map, p.entries, p.escape_slots, "ticks that the end of an operation is remembered; less than 2^31");
    sections::regions(&mut map);
    sections::queue_pairs(&mut map);
    sections::nodes(&mut map, "sending node", "queue pair that control packets to it go to", "control packets");
    sections::local(&mut map, "control packets");
    sections::ring(&mut map);
    let capability = [
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
    sections::connections(&mut map, &capability);
    sections::gaps(&mut map);
    sections::windows(&mut map, p.pool / p.sources.max(1));
    sections::receive_counters(&mut map, "well-formed, but nothing for a receive endpoint", |_| true);
    sections::feedback_counters(&mut map);
    map
}
