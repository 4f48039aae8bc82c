//! The registers of the endpoint that sends and receives in the transport profile *bitmap*.

use super::bitmap_receive_endpoint::{ARRIVAL_COUNTERS, there};
use super::description::RegisterMap;
use super::sections::{self, FEEDBACK_COUNTERS, FRAME_COUNTERS, Identification, Interrupt, RECEIVE_INTERRUPTS, RING_INTERRUPTS};
use super::send_sections::{self, Capability, NUMBER_COUNTERS, SEND_INTERRUPTS, SEND_PATH_COUNTERS};

/// What software finds in `id`: "RDBE".
pub const ID: u32 = 0x5244_4245;

/// Static parameters that software can read, or that decide reset values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    pub packet_size: u32,
    pub mask_bits: u32,
    pub nodes: u32,
    pub writes: u32,
    /// bits of the frame streams, of the memory bus and of the send buffer's
    pub data_width: u32,
    /// queue pairs that can be told apart as ours
    pub queue_pairs: u32,
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
            packet_size: 4096,
            mask_bits: 32,
            nodes: 16,
            writes: 64,
            data_width: 512,
            queue_pairs: 16,
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

/// What can interrupt for the sake of queue pairs, at the place that it has in the registers of either direction.
const FAILED_INTERRUPTS: [Interrupt; 1] =
    [(8, "connection_failed", "a queue pair has failed, sending or receiving: see connection_failed")];

/// The register map at these static parameters. Names and offsets are the same for all; constants and reset values differ.
pub fn registers(p: &Parameters) -> RegisterMap {
    let mut map = RegisterMap::new(
        "bitmap_endpoint",
        "Endpoint by number alone: commands and RDMA WRITE ONLY of any RoCEv2 peer in, frames and memory out.",
        12,
    );
    let received = FRAME_COUNTERS.len() + 6 + FEEDBACK_COUNTERS.len() + ARRIVAL_COUNTERS.len();
    let identification = Identification {
        id: ID,
        id_doc: "endpoint that sends and receives: the letters RDBE",
        mask_bits: p.mask_bits,
        packet_size: p.packet_size,
        sources: p.nodes,
        sources_doc: "nodes, each with a queue pair, and places of the node table",
        writes: p.writes,
        data_width: p.data_width,
        index_bits: p.ops.trailing_zeros(),
        queue_pairs: p.queue_pairs,
        counters: (received + SEND_PATH_COUNTERS.len() + NUMBER_COUNTERS.len()) as u32,
        ..Default::default()
    };
    sections::identification(&mut map, &identification);
    sections::control(&mut map, &[&RING_INTERRUPTS[..], &RECEIVE_INTERRUPTS, &SEND_INTERRUPTS, &FAILED_INTERRUPTS].concat());
    sections::prescale(&mut map);
    sections::t_life(&mut map, send_sections::T_LIFE);
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
    sections::windows(&mut map, p.pool / p.nodes.max(1));
    send_sections::numbers(
        &mut map,
        "queue pair that has failed last: its retry limit was reached, or a write of it had failed",
        p.packet_size,
    );
    map.at(0x3c0);
    map.read_write("data_qp", 24, 0, "number of our queue pair 0, to which node 0 sends; that of node k is k more. Its low bits are zero");
    map.read_only("write_failed", 8, "queue pair whose receiving side was closed last because a write of it had failed");
    sections::receive_counters(
        &mut map,
        "well-formed, but no RDMA WRITE ONLY of at most a packet to one of our queue pairs, nor what a receiver tells",
        there,
    );
    sections::feedback_counters(&mut map);
    for (name, doc) in ARRIVAL_COUNTERS {
        map.counter(name, doc);
    }
    send_sections::counters(&mut map);
    send_sections::number_counters(&mut map);
    map
}
