//! The registers of the receive endpoint in the transport profile *bitmap*.

use super::description::RegisterMap;
use super::sections::{self, FRAME_COUNTERS, Identification, OUTPUT_COUNTERS, RECEIVE_INTERRUPTS, RING_INTERRUPTS};
use super::send_sections::NUMBER_INTERRUPTS;

/// What software finds in `id`: "RDBX".
pub const ID: u32 = 0x5244_4258;

/// Static parameters that software can read, or that decide reset values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    pub packet_size: u32,
    pub nodes: u32,
    pub writes: u32,
    /// bits of the frame stream and of the memory bus
    pub data_width: u32,
    /// queue pairs that can be told apart as ours
    pub queue_pairs: u32,
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
        Parameters { packet_size: 4096, nodes: 16, writes: 64, data_width: 512, queue_pairs: 16, window: 512, records: 8, pool: 0 }
    }
}

/// What is counted where a packet is judged.
pub const ARRIVAL_COUNTERS: [(&str, &str); 1] = [("immediate_full", "packets dropped, for as many immediates wait as can")];

/// The receive side's counters that are here too.
pub fn there(name: &str) -> bool {
    let of_frames = FRAME_COUNTERS.iter().any(|c| c.0 == name);
    let of_memory = OUTPUT_COUNTERS[..3].iter().any(|c| c.0 == name);
    of_frames || of_memory || ["frame_foreign", "accepted", "duplicate"].contains(&name)
}

/// The register map at these static parameters. Names and offsets are the same for all; constants and reset values differ.
pub fn registers(p: &Parameters) -> RegisterMap {
    let mut map = RegisterMap::new(
        "bitmap_receive_endpoint",
        "Receive endpoint by number alone: RDMA WRITE ONLY of any RoCEv2 peer in, memory out.",
        12,
    );
    let identification = Identification {
        id: ID,
        id_doc: "receive endpoint: the letters RDBX",
        packet_size: p.packet_size,
        sources: p.nodes,
        sources_doc: "nodes, each with a queue pair",
        writes: p.writes,
        data_width: p.data_width,
        queue_pairs: p.queue_pairs,
        counters: (FRAME_COUNTERS.len() + 6 + sections::FEEDBACK_COUNTERS.len() + ARRIVAL_COUNTERS.len()) as u32,
        ..Default::default()
    };
    sections::identification(&mut map, &identification);
    sections::control(&mut map, &[&RING_INTERRUPTS[..], &RECEIVE_INTERRUPTS, &NUMBER_INTERRUPTS].concat());
    sections::prescale(&mut map);
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
    sections::windows(&mut map, p.pool / p.nodes.max(1));
    map.at(0x380);
    map.read_only("connection_failed", 8, "queue pair that was closed last because a write of it had failed");
    map.at(0x3c0);
    map.read_write("data_qp", 24, 0, "number of our queue pair 0, to which node 0 sends; that of node k is k more. Its low bits are zero");
    sections::receive_counters(&mut map, "well-formed, but no RDMA WRITE ONLY of at most a packet to one of our queue pairs", there);
    sections::feedback_counters(&mut map);
    for (name, doc) in ARRIVAL_COUNTERS {
        map.counter(name, doc);
    }
    map
}
