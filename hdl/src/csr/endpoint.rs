//! The registers of every packaged top: one description, of which a top has the sections that its directions and its transport ask for.
//! Names and offsets are the same in all.

use super::description::RegisterMap;
use super::sections::{
    self, FEEDBACK_COUNTERS, FRAME_COUNTERS, Identification, Interrupt, OUTPUT_COUNTERS, RECEIVE_INTERRUPTS, RING_INTERRUPTS, RoundTrip,
};
use super::send_sections::{self, Capability, NUMBER_COUNTERS, NUMBER_INTERRUPTS, SEND_INTERRUPTS, SEND_PATH_COUNTERS};

/// A packaged top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Top {
    ReceiveEndpoint,
    CombinedReceiveEndpoint,
    BitmapReceiveEndpoint,
    SendEndpoint,
    CombinedSendEndpoint,
    /// the block of `CombinedSendEndpoint`, with an `id` of its own
    BitmapSendEndpoint,
    Endpoint,
    CombinedEndpoint,
    BitmapEndpoint,
}

use Top::*;

/// Those that are blocks of their own.
pub const TOPS: [Top; 8] = [
    ReceiveEndpoint,
    CombinedReceiveEndpoint,
    BitmapReceiveEndpoint,
    SendEndpoint,
    CombinedSendEndpoint,
    Endpoint,
    CombinedEndpoint,
    BitmapEndpoint,
];

impl Top {
    /// Payload comes to our memory.
    fn receives(self) -> bool {
        !matches!(self, SendEndpoint | CombinedSendEndpoint | BitmapSendEndpoint)
    }

    /// Commands move memory to other nodes.
    fn sends(self) -> bool {
        !matches!(self, ReceiveEndpoint | CombinedReceiveEndpoint | BitmapReceiveEndpoint)
    }

    /// Operations are entries of a receive registry.
    fn registry(self) -> bool {
        !matches!(self, BitmapReceiveEndpoint | BitmapEndpoint)
    }

    /// Packets are acknowledged by number.
    fn numbers(self) -> bool {
        !matches!(self, ReceiveEndpoint | SendEndpoint | Endpoint)
    }

    /// Name, what it is, and the letters in `id`.
    fn says(self) -> (&'static str, &'static str, &'static str) {
        match self {
            ReceiveEndpoint => ("receive_endpoint", "Receive endpoint: frames in, memory out.", "RDRX"),
            CombinedReceiveEndpoint => {
                ("combined_receive_endpoint", "Receive endpoint, acknowledging by number: frames in, memory out.", "RDCX")
            }
            BitmapReceiveEndpoint => {
                ("bitmap_receive_endpoint", "Receive endpoint by number alone: RDMA WRITE ONLY of any RoCEv2 peer in, memory out.", "RDBX")
            }
            SendEndpoint => ("send_endpoint", "Send endpoint: commands in, memory read, frames out.", "RDTX"),
            CombinedSendEndpoint => {
                ("combined_send_endpoint", "Send endpoint, retransmitting by number: commands in, memory read, frames out.", "RDCT")
            }
            BitmapSendEndpoint => {
                ("combined_send_endpoint", "Send endpoint, retransmitting by number: commands in, memory read, frames out.", "RDBT")
            }
            Endpoint => ("endpoint", "Endpoint: commands and frames in, frames and memory out.", "RDEP"),
            CombinedEndpoint => (
                "combined_endpoint",
                "Endpoint, acknowledging and retransmitting by number: commands and frames in, frames and memory out.",
                "RDCE",
            ),
            BitmapEndpoint => (
                "bitmap_endpoint",
                "Endpoint by number alone: commands and RDMA WRITE ONLY of any RoCEv2 peer in, frames and memory out.",
                "RDBE",
            ),
        }
    }

    /// What passes the parser and is for nobody.
    fn foreign(self) -> &'static str {
        match self {
            ReceiveEndpoint | CombinedReceiveEndpoint => "well-formed, but nothing for a receive endpoint",
            BitmapReceiveEndpoint => "well-formed, but no RDMA WRITE ONLY of at most a packet to one of our queue pairs",
            SendEndpoint => "well-formed, but neither acknowledgement nor remote completion",
            CombinedSendEndpoint | BitmapSendEndpoint => "well-formed, but no remote completion, acknowledgement or feedback message",
            Endpoint | CombinedEndpoint => "well-formed, but nothing for an endpoint",
            BitmapEndpoint => {
                "well-formed, but no RDMA WRITE ONLY of at most a packet to one of our queue pairs, nor what a receiver tells"
            }
        }
    }

    /// Whether it has a counter of `sections::receive_counters`.
    fn counts(self, name: &str) -> bool {
        let of_frames = FRAME_COUNTERS.iter().any(|c| c.0 == name);
        match (self.receives(), self.registry()) {
            (true, true) => true,
            (true, false) => {
                of_frames || OUTPUT_COUNTERS[..3].iter().any(|c| c.0 == name) || ["frame_foreign", "accepted", "duplicate"].contains(&name)
            }
            (false, _) => of_frames && name != "frame_no_slot" || ["frame_foreign", "completions"].contains(&name),
        }
    }

    fn interrupts(self) -> Vec<Interrupt> {
        let mut all = RING_INTERRUPTS.to_vec();
        if self.receives() {
            all.extend(RECEIVE_INTERRUPTS);
        }
        if self.sends() {
            all.extend(SEND_INTERRUPTS);
        }
        if self == BitmapEndpoint {
            all.extend(FAILED_INTERRUPTS);
        } else if self.numbers() && (self.sends() || !self.registry()) {
            all.extend(NUMBER_INTERRUPTS);
        }
        all
    }

    fn counters(self) -> usize {
        let receive = sections::receive_counter_names().filter(|name| self.counts(name)).count();
        let feedback = if self.receives() && self.numbers() { FEEDBACK_COUNTERS.len() } else { 0 };
        let arrivals = if self.registry() { 0 } else { ARRIVAL_COUNTERS.len() };
        let send = if self.sends() { SEND_PATH_COUNTERS.len() } else { 0 };
        let numbers = if self.sends() && self.numbers() { NUMBER_COUNTERS.len() } else { 0 };
        receive + feedback + arrivals + send + numbers
    }
}

/// What is counted where a packet is judged without a registry.
const ARRIVAL_COUNTERS: [(&str, &str); 1] = [("immediate_full", "packets dropped, for as many immediates wait as can")];

/// What `t_life` is for both directions.
const T_LIFE_BOTH: &str = "ticks that a packet may live in the network: the end of an operation is remembered, and the use of an op index limited; less than 2^31";

/// What can interrupt for the sake of queue pairs, at the place that it has in the registers of either direction.
const FAILED_INTERRUPTS: [Interrupt; 1] =
    [(8, "connection_failed", "a queue pair has failed, sending or receiving: see connection_failed")];

/// Static parameters that software can read, or that decide reset values; those that a top has no use for do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    pub entries: u32,
    pub mask_bits: u32,
    pub packet_size: u32,
    /// nodes that send to us, and places of the node table
    pub nodes: u32,
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
    /// microseconds there and back that reset values are for
    pub round_trip_us: u32,
}

impl Default for Parameters {
    /// As the profile `default`.
    fn default() -> Self {
        Parameters {
            entries: 16,
            mask_bits: 32,
            packet_size: 4096,
            nodes: 16,
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
            round_trip_us: 25,
        }
    }
}

/// The register map of a top at these static parameters. Constants and reset values differ with them.
pub fn registers(top: Top, p: &Parameters) -> RegisterMap {
    let (receives, sends, registry, numbers) = (top.receives(), top.sends(), top.registry(), top.numbers());
    let (name, about, _) = top.says();
    let round_trip = RoundTrip(p.round_trip_us);
    let mut map = RegisterMap::new(name, about, 12);
    map.variant = (top == BitmapSendEndpoint).then_some("plain");
    identification(&mut map, top, p);
    sections::control(&mut map, &top.interrupts());
    match (receives && registry, sends) {
        (true, true) => {
            sections::registry(&mut map, p.entries, p.escape_slots, T_LIFE_BOTH, round_trip);
        }
        (true, false) => {
            let t_life = "ticks that the end of an operation is remembered; less than 2^31";
            sections::registry(&mut map, p.entries, p.escape_slots, t_life, round_trip);
        }
        (false, true) => {
            sections::prescale(&mut map);
            sections::t_life(&mut map, send_sections::T_LIFE);
        }
        (false, false) => sections::prescale(&mut map),
    }
    if receives && registry {
        sections::regions(&mut map);
    }
    sections::queue_pairs(&mut map);
    let told = "queue pair that control packets to it go to";
    let [node, number, packets] = match (receives, sends) {
        (true, false) => ["sending node", told, "control packets"],
        (false, _) => ["node", "not used: each command names its queue pair", "data packets"],
        (true, true) => ["node", told, "packets"],
    };
    sections::nodes(&mut map, node, number, packets);
    sections::local(&mut map, packets);
    sections::ring(&mut map);
    if sends {
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
            round_trip,
        };
        send_sections::send(&mut map, &capability);
        send_sections::posting(&mut map);
    }
    if numbers {
        let pool = p.pool.checked_ilog2().unwrap_or(0);
        let window = [
            ("window", 0, 16, p.window, "packets of a window"),
            ("records", 16, 8, p.records, "gap records of a queue pair"),
            ("pool", 24, 5, pool, "2 to the power of this are the segments of all windows together; 0: windows have one length"),
        ];
        sections::connections(&mut map, if receives { &window } else { &window[..1] });
    }
    if numbers && receives {
        sections::gaps(&mut map, round_trip);
        sections::windows(&mut map, p.pool / p.nodes.max(1));
    }
    if numbers && sends {
        let both = "queue pair that has failed last: its retry limit was reached, or a write of it had failed";
        let failed = if registry { send_sections::RETRY_FAILED } else { both };
        send_sections::numbers(&mut map, failed, p.packet_size, round_trip);
    }
    if !registry {
        if !sends {
            map.at(0x380);
            map.read_only("connection_failed", 8, "queue pair that was closed last because a write of it had failed");
        }
        map.at(0x3c0);
        map.read_write(
            "data_qp",
            24,
            0,
            "number of our queue pair 0, to which node 0 sends; that of node k is k more. Its low bits are zero",
        );
        if sends {
            map.read_only("write_failed", 8, "queue pair whose receiving side was closed last because a write of it had failed");
        }
    }
    sections::receive_counters(&mut map, top.foreign(), |name| top.counts(name));
    if numbers && receives {
        sections::feedback_counters(&mut map);
    }
    if !registry {
        for (name, doc) in ARRIVAL_COUNTERS {
            map.counter(name, doc);
        }
    }
    if sends {
        send_sections::counters(&mut map);
    }
    if numbers && sends {
        send_sections::number_counters(&mut map);
    }
    map
}

fn identification(map: &mut RegisterMap, top: Top, p: &Parameters) {
    let (receives, sends, registry) = (top.receives(), top.sends(), top.registry());
    let (_, _, letters) = top.says();
    let what = match (receives, sends) {
        (true, false) => "receive endpoint",
        (false, _) => "send endpoint",
        (true, true) => "endpoint that sends and receives",
    };
    let sources_doc = match (receives, sends, registry) {
        (true, false, true) => "sending nodes",
        (true, false, false) => "nodes, each with a queue pair",
        (false, ..) => "places of the node table",
        (true, true, true) => "sending nodes, and places of the node table",
        (true, true, false) => "nodes, each with a queue pair, and places of the node table",
    };
    let of = |there: bool, value: u32| if there { value } else { 0 };
    let live = receives && registry;
    let identification = Identification {
        id: letters.bytes().fold(0, |id, letter| id << 8 | u32::from(letter)),
        id_doc: &format!("{what}: the letters {letters}"),
        entries: of(live, p.entries),
        mask_bits: of(sends || registry, p.mask_bits),
        packet_size: p.packet_size,
        sources: p.nodes,
        sources_doc,
        escape_slots: of(live, p.escape_slots),
        writes: of(receives, p.writes),
        data_width: p.data_width,
        index_bits: of(sends || registry, p.ops.trailing_zeros()),
        regions: of(live, p.regions),
        queue_pairs: p.queue_pairs,
        completion_stream: of(live, p.completion_stream),
        counters: top.counters() as u32,
    };
    sections::identification(map, &identification);
}
