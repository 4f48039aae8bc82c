//! Parts that several register maps have: the same register has the same name and offset in each, so that a driver of one half runs on
//! both.

use super::description::{Access, Field, RegisterMap};

/// Version of the register maps: 8 bits major, 8 bits minor, 16 bits patch. A new major means that old software cannot use it.
pub const VERSION: u32 = 0x0100_0000;

/// Where the counters of frames, of the receive registry and of the outputs begin.
pub const RECEIVE_COUNTERS: u32 = 0x400;
/// Where those of the feedback path begin.
pub const FEEDBACK_COUNTERS_BASE: u32 = 0x600;
/// Where the counters of the send path begin.
pub const SEND_COUNTERS: u32 = 0x800;

/// Constants that tell software what it talks to. What a top has not is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identification<'a> {
    pub id: u32,
    pub id_doc: &'a str,
    pub entries: u32,
    pub mask_bits: u32,
    pub packet_size: u32,
    pub sources: u32,
    pub sources_doc: &'a str,
    pub escape_slots: u32,
    pub writes: u32,
    pub data_width: u32,
    pub index_bits: u32,
    pub regions: u32,
    pub queue_pairs: u32,
    pub completion_stream: u32,
    pub counters: u32,
}

/// Frames that the parser drops, in the order of its checks, and what it counts besides; the last one is `frame_foreign`, of which each top
/// says what it is.
pub const FRAME_COUNTERS: [(&str, &str); 12] = [
    ("frames", "frames that came in"),
    ("frame_not_udp_4791", "no IPv4 or IPv6 with UDP to port 4791"),
    ("frame_truncated", "ended before its headers did, or an IP fragment"),
    ("frame_bad_version", "header version not 0"),
    ("frame_unknown_opcode", "opcode that the profile does not know"),
    ("frame_bad_pad", "pad count larger than the payload"),
    ("frame_bad_length", "lengths of IP, UDP and RETH that disagree with the frame"),
    ("frame_icrc", "invariant CRC wrong, as the MAC side says"),
    ("frame_bad_extension", "extension header with impossible values"),
    ("frame_not_our_qp", "queue pair that is not in the list"),
    ("frame_no_slot", "well-formed, but no payload slot was free"),
    ("frame_mac_error", "frame that the MAC side marked as damaged; the first check that it fails counts it too, frame_icrc at the latest"),
];

/// What the receive registry counts.
pub const REGISTRY_COUNTERS: [(&str, &str); 28] = [
    ("accepted", "packets whose payload goes to memory"),
    ("duplicate", "packets that had arrived before"),
    ("completed", "operations complete"),
    ("registered", "operations registered"),
    ("escaped", "packets that went to the escape channel"),
    ("replayed", "packets that came back from it"),
    ("escape_timeout", "packets whose wait in it ended"),
    ("escape_full", "packets dropped because it was full"),
    ("quota", "packets dropped because their source had its share of it"),
    ("op_timeout", "operations freed without progress"),
    ("stale", "packets of operations that are over"),
    ("renotified", "notifications sent again"),
    ("superseded", "operations whose op number was used anew"),
    ("aborted", "operations aborted by their sender"),
    ("arrivals", "data arrival instructions"),
    ("write_error", "operations with a payload write that failed"),
    ("reject_count_zero", "starts without packets"),
    ("reject_bytes_zero", "starts without bytes"),
    ("reject_count_mismatch", "starts whose packets do not carry their bytes"),
    ("reject_oversize", "starts of more packets than the mask has bits"),
    ("reject_misaligned_base", "starts whose base is no multiple of the packet size"),
    ("reject_wraps", "starts whose range passes the end of memory"),
    ("reject_overlap", "starts whose range meets a live operation of their source"),
    ("reject_misaligned_offset", "packets that begin inside a position"),
    ("reject_wrong_length", "packets of another length than their position has"),
    ("reject_unknown_source", "packets of a source beyond the last"),
    ("reject_conflict", "starts of a live operation with other values"),
    ("reject_access", "starts outside of every memory region"),
];

/// What writer, builder and completion queue count.
pub const OUTPUT_COUNTERS: [(&str, &str); 5] = [
    ("memory_bursts", "bursts written to memory"),
    ("memory_errors", "write responses with an error"),
    ("completions", "completions written to the ring or given to the stream"),
    ("control_frames", "control packets sent"),
    ("control_unknown_node", "control packets not sent, for the node table lacks their node"),
];

/// What the feedback path counts.
pub const FEEDBACK_COUNTERS: [(&str, &str); 18] = [
    ("psn_new", "packets whose number was new"),
    ("psn_duplicate", "packets whose number had been reported before"),
    ("psn_out_of_window", "packets beyond the window"),
    ("psn_closed", "packets of closed queue pairs"),
    ("psn_gap", "gaps seen"),
    ("psn_report", "gaps told by a feedback message"),
    ("psn_repeat", "gaps told again"),
    ("psn_misjudged", "packets told as missing that came without having been sent again"),
    ("psn_folded", "gap records that were missing: the last one covers more"),
    ("psn_dropped", "gap events dropped, for their queue pair lagged"),
    ("psn_falls_behind", "queue pairs whose gap records began to lag"),
    ("psn_rebuilt", "queue pairs whose gap records have caught up"),
    ("psn_ack", "acknowledgements by number sent"),
    ("psn_ffm", "feedback messages sent"),
    ("psn_range", "range acknowledgements sent"),
    ("psn_unknown_node", "acknowledgements and feedback messages not sent, for the node table lacks their node"),
    ("psn_pool_exhausted", "segments that a window should have had while there was none"),
    ("psn_window_shrunk", "segments by which windows have become shorter"),
];

/// The feedback path's counters.
pub fn feedback_counters(map: &mut RegisterMap) {
    map.counters_at(FEEDBACK_COUNTERS_BASE);
    for (name, doc) in FEEDBACK_COUNTERS {
        map.counter(name, doc);
    }
}

/// Names of what `receive_counters` has.
pub fn receive_counter_names() -> impl Iterator<Item = &'static str> {
    let foreign = [("frame_foreign", "")];
    FRAME_COUNTERS.into_iter().chain(foreign).chain(REGISTRY_COUNTERS).chain(OUTPUT_COUNTERS).map(|(name, _)| name)
}

/// The receive side's counters for which `there` holds, each at its place. `foreign` says what `frame_foreign` counts.
pub fn receive_counters(map: &mut RegisterMap, foreign: &str, there: impl Fn(&str) -> bool) {
    let foreign = [("frame_foreign", foreign)];
    let all = FRAME_COUNTERS.iter().chain(&foreign).chain(&REGISTRY_COUNTERS).chain(&OUTPUT_COUNTERS);
    for (i, (name, doc)) in all.enumerate().filter(|(_, (name, _))| there(name)) {
        map.counters_at(RECEIVE_COUNTERS + 8 * i as u32);
        map.counter(name, doc);
    }
}

/// An interrupt: its bit, name and description.
pub type Interrupt = (u32, &'static str, &'static str);

/// What can interrupt for the sake of the completion ring.
pub const RING_INTERRUPTS: [Interrupt; 3] = [
    (0, "completion", "completions are in the ring, as many or as old as the coalescing registers say"),
    (1, "ring_full", "a completion had to wait for room in the ring"),
    (3, "ring_error", "a write of a completion was answered with an error"),
];

/// What can interrupt for the sake of the payload that comes in.
pub const RECEIVE_INTERRUPTS: [Interrupt; 2] =
    [(2, "write_error", "a payload write was answered with an error"), (4, "frame_dropped", "a frame found no payload slot")];

pub fn constants(name_low_bits_value: &[(&str, u32, u32, u32, &str)]) -> Vec<Field> {
    let field =
        |&(name, low, bits, value, doc): &(&str, u32, u32, u32, &str)| Field::new(name, low, bits, Access::Constant, u64::from(value), doc);
    name_low_bits_value.iter().map(field).collect()
}

/// From 0x00: who this is and what it has.
pub fn identification(map: &mut RegisterMap, p: &Identification) {
    map.constant("id", p.id, p.id_doc);
    let version = [
        ("patch", 0, 16, VERSION & 0xffff, "nothing that software sees"),
        ("minor", 16, 8, VERSION >> 16 & 0xff, "old software still works"),
        ("major", 24, 8, VERSION >> 24, "old software does not work"),
    ];
    map.register("version", "version of this register map", constants(&version));
    let operation = [
        ("entries", 0, 16, p.entries, "operations that may live at once"),
        ("mask_bits", 16, 16, p.mask_bits, "packets of the largest operation"),
    ];
    map.register("capability_operation", "size of operations", constants(&operation));
    let source = [
        ("packet_size", 0, 16, p.packet_size, "payload bytes of every packet but the last"),
        ("sources", 16, 16, p.sources, p.sources_doc),
    ];
    map.register("capability_source", "packets and their senders", constants(&source));
    let buffer = [
        ("escape_slots", 0, 16, p.escape_slots, "packets that may wait for their registration"),
        ("writes", 16, 16, p.writes, "payload writes under way"),
    ];
    map.register("capability_buffer", "how much is held", constants(&buffer));
    let bus = [
        ("data_width", 0, 16, p.data_width, "bits of the frame stream and of the memory bus"),
        ("index_bits", 16, 8, p.index_bits, "index part of an op number"),
        ("regions", 24, 8, p.regions, "memory regions, 0: every address is allowed"),
    ];
    map.register("capability_bus", "widths", constants(&bus));
    let host = [
        ("queue_pairs", 0, 16, p.queue_pairs, "length of the queue pair list"),
        ("completion_stream", 16, 1, p.completion_stream, "completions leave by a stream; the ring's registers do nothing"),
        ("counters", 24, 8, p.counters, "64-bit counters"),
    ];
    map.register("capability_host", "what software works with", constants(&host));
    map.read_write("scratch", 32, 0, "any value: to see that reads and writes arrive");
}

/// From 0x40: on, off, state and interrupts.
pub fn control(map: &mut RegisterMap, interrupts: &[Interrupt]) {
    map.at(0x40);
    let control = vec![
        Field::new("enable", 0, 1, Access::ReadWrite, 0, "take frames; without it they are dropped uncounted"),
        Field::new(
            "soft_reset",
            8,
            1,
            Access::Pulse,
            0,
            "reset everything but these registers and the counters, once the buses are at rest; tables and ring indices begin anew",
        ),
        Field::new("clear_counters", 9, 1, Access::Pulse, 0, "every counter to zero"),
    ];
    map.register("control", "what the endpoint does", control);
    let status = vec![
        Field::new("idle", 0, 1, Access::ReadOnly, 0, "nothing is under way"),
        Field::new("ready", 1, 1, Access::ReadOnly, 0, "memories are cleared after reset: frames are taken"),
    ];
    map.register("state", "what the endpoint is in", status);
    let mut sorted = interrupts.to_vec();
    sorted.sort_unstable();
    let bits = |access| sorted.iter().map(|(bit, name, doc)| Field::new(name, *bit, 1, access, 0, doc)).collect();
    map.register("interrupt_status", "what has happened since it was cleared", bits(Access::WriteOneToClear));
    map.register("interrupt_enable", "which of it interrupts", bits(Access::ReadWrite));
    map.read_only("now", 32, "ticks since reset");
    map.interrupt = Some(("interrupt_status".into(), "interrupt_enable".into()));
    map.clear_counters = Some(("control".into(), "clear_counters".into()));
}

/// The round trip, in microseconds, that registers are made for which hold times or packets after a reset.
///
/// At 25, a data centre, most have what their own bounds ask for; beyond that they follow the round trip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundTrip(pub u32);

impl RoundTrip {
    fn us(self) -> u64 {
        u64::from(self.0)
    }

    /// What was sent again may be under way for one round trip.
    pub fn dedup(self) -> u64 {
        self.us()
    }

    /// The sender's `dedup`, and a round trip until what it sends then is here.
    pub fn refeedback(self) -> u64 {
        2 * self.us()
    }

    /// Of a try whose round trip is not measured yet, and between two tellings of one end.
    pub fn patience(self) -> u64 {
        4 * self.us()
    }

    /// Of a queue pair without progress: a lost packet that is lost again, and half a round trip.
    pub fn progress(self) -> u64 {
        (5 * self.us() / 2).max(200)
    }

    /// A packet that waits for its start is there until the start has been lost several times.
    pub fn escape(self) -> u64 {
        (25 * self.us() / 3).max(1000)
    }

    /// Three times 5 % of the packets of 4096 bytes that 100 Gb/s carry in a round trip.
    pub fn retransmissions(self) -> u64 {
        (3 * self.us() / 8).next_power_of_two().max(64)
    }

    /// Packets of an operation: over a long way few operations are to be open at the receiver at once.
    pub fn segment(self, mask_bits: u32) -> u32 {
        mask_bits.min(if self.0 > 100 { 64 } else { 16 })
    }
}

/// At 0x80: what all that waits is counted in.
pub fn prescale(map: &mut RegisterMap) {
    map.at(0x80);
    map.read_write("prescale", 16, 322, "clocks per tick; 322 is 1 us at 322 MHz, 0 counts as 1");
}

/// At 0x8c: how long a packet lives.
pub fn t_life(map: &mut RegisterMap, doc: &str) {
    map.at(0x8c);
    map.read_write("t_life", 32, 1_000_000, doc);
}

/// From 0x80: times, quotas and levels of the receive registry.
pub fn registry(map: &mut RegisterMap, entries: u32, escape_slots: u32, t_life_doc: &str, round_trip: RoundTrip) {
    prescale(map);
    map.read_write("op_timeout", 32, 100_000, "ticks without a new packet until an operation is freed; less than 2^31");
    map.read_write("escape_timeout", 32, round_trip.escape(), "ticks that a packet may wait in the escape channel; less than 2^31");
    t_life(map, t_life_doc);
    let doc = "ticks between two notifications of one finished operation; less than 2^31";
    map.read_write("renotify", 32, round_trip.patience(), doc);
    map.read_write(
        "ack_wait",
        32,
        8,
        "ticks that the acknowledgement of a packet may wait for those of the next ones of its operation; less than 2^31",
    );
    map.read_write("entry_quota", 8, u64::from(entries), "operations that one source may have live");
    map.read_write("escape_quota", 16, u64::from(escape_slots), "escape slots that one source may hold");
    map.read_only("high_water_entries", 16, "most operations live at once since reset");
    map.read_only("high_water_escape", 16, "most packets waiting at once since reset");
    map.read_only("entries_live", 16, "operations live");
    map.read_only("escape_used", 16, "packets waiting");
    let doc = "ticks after which a remote completion is told once more, for the network may have lost it; 0: it is told once";
    map.read_write("repeat_completion", 7, 10, doc);
}

/// A one to it loads a row of a table: software fills index and values first.
fn load() -> Vec<Field> {
    vec![Field::new("load", 0, 1, Access::Pulse, 0, "the row at the index becomes the values")]
}

/// From 0xc0: the memory region table.
pub fn regions(map: &mut RegisterMap) {
    map.at(0xc0);
    map.read_write("region_index", 4, 0, "memory region to load");
    map.read_write("region_rkey", 32, 0, "its R_Key");
    map.read_write("region_base", 64, 0, "its first address");
    map.read_write("region_length", 64, 0, "its bytes, 0: it takes nothing");
    map.register("region", "memory region table", load());
}

/// From 0x100: the list of our queue pairs.
pub fn queue_pairs(map: &mut RegisterMap) {
    map.at(0x100);
    map.read_write("qp_index", 8, 0, "place in the list of our queue pairs to load");
    let entry = vec![
        Field::new("number", 0, 24, Access::ReadWrite, 0, "queue pair"),
        Field::new("valid", 31, 1, Access::ReadWrite, 0, "it is one; with no valid place every queue pair is ours"),
    ];
    map.register("qp_entry", "its value", entry);
    map.register("qp", "list of our queue pairs", load());
}

/// From 0x140: the node table. `node` says what a node is here, `number` what its queue pair is for, `packets` what goes out.
pub fn nodes(map: &mut RegisterMap, node: &str, number: &str, packets: &str) {
    map.at(0x140);
    map.read_write("node_index", 8, 0, &format!("{node} whose addresses to load"));
    map.read_write("node_mac", 48, 0, "its MAC address, first byte in the highest 8 bits");
    for (word, which) in ["first", "second", "third", "last"].iter().enumerate() {
        let doc = format!("{which} 4 bytes of its IPv6 address, first byte highest; IPv4: the last 4 alone");
        map.read_write(&format!("node_ip_{word}"), 32, 0, &doc);
    }
    let qp = vec![
        Field::new("number", 0, 24, Access::ReadWrite, 0, number),
        Field::new("ipv6", 30, 1, Access::ReadWrite, 0, "its address is IPv6"),
        Field::new("valid", 31, 1, Access::ReadWrite, 0, &format!("{packets} to it are sent")),
    ];
    map.register("node_qp", "its queue pair, and what is valid", qp);
    map.register("node", "node table", load());
}

/// From 0x180: our own addresses. `packets` says what goes out with them.
pub fn local(map: &mut RegisterMap, packets: &str) {
    map.at(0x180);
    map.read_write("local_mac", 48, 0, "our MAC address, first byte in the highest 8 bits");
    for (word, which) in ["first", "second", "third", "last"].iter().enumerate() {
        let doc = format!("{which} 4 bytes of our IPv6 address, first byte highest; IPv4: the last 4 alone");
        map.read_write(&format!("local_ip_{word}"), 32, 0, &doc);
    }
    let udp = vec![
        Field::new("source_port", 0, 16, Access::ReadWrite, 0xc000, &format!("UDP source port of {packets}")),
        Field::new("hop_limit", 16, 8, Access::ReadWrite, 64, "time to live, or hop limit"),
        Field::new("traffic_class", 24, 8, Access::ReadWrite, 0, "type of service, or traffic class"),
    ];
    map.register("local_udp", &format!("template of {packets}"), udp);
    map.read_write("local_pkey", 16, 0xffff, &format!("partition key of {packets}"));
    let vlan = vec![
        Field::new("tag", 0, 16, Access::ReadWrite, 0, "tag control information"),
        Field::new("on", 31, 1, Access::ReadWrite, 0, &format!("{packets} carry a VLAN tag")),
    ];
    map.register("local_vlan", &format!("VLAN tag of {packets}"), vlan);
}

/// From 0x1c0: the completion ring and its coalescing.
pub fn ring(map: &mut RegisterMap) {
    map.at(0x1c0);
    map.read_write("ring_base", 64, 0, "address of the completion ring, a multiple of 64");
    map.read_write("ring_size_log2", 5, 0, "its places are 2 to the power of this");
    map.read_write("ring_consumer", 32, 0, "completions that software has taken, modulo 2^32");
    map.read_only("ring_producer", 32, "completions written, modulo 2^32");
    map.read_write("coalesce_count", 16, 1, "completions that wait until they interrupt");
    map.read_write("coalesce_delay", 32, 0, "ticks that the oldest waits at most until it interrupts; 0: none");
}

/// From 0x320: the queue pairs whose packets are acknowledged by number; each is that of a node. `capability` says what each has.
pub fn connections(map: &mut RegisterMap, capability: &[(&str, u32, u32, u32, &str)]) {
    map.at(0x320);
    map.register("capability_connection", "what each queue pair has", constants(capability));
    map.read_write("connection_index", 8, 0, "node whose queue pair is opened or closed");
    map.read_write("connection_psn", 24, 0, "open: its first packet sequence number");
    let connection = vec![
        Field::new("open", 0, 1, Access::Pulse, 0, "the queue pair is opened; nothing happens while `busy` is set"),
        Field::new("close", 1, 1, Access::Pulse, 0, "it is closed; nothing happens while `busy` is set"),
    ];
    map.register("connection", "opens and closes queue pairs", connection);
    let state = vec![Field::new("busy", 0, 1, Access::ReadOnly, 0, "an open or close is under way: index and number must stay")];
    map.register("connection_state", "what the queue pairs are in", state);
}

/// From 0x33c: when a gap is a loss, and when that is told.
pub fn gaps(map: &mut RegisterMap, round_trip: RoundTrip) {
    map.at(0x33c);
    let hold =
        "ticks that acknowledgements and ranges by number wait for the next packets of their queue pairs; less than 2^15; 0: none waits";
    map.read_write("ack_hold", 16, 4, hold);
    map.read_write("depth", 22, 8, "packets that a gap may be deep");
    map.read_write("depth_mode", 1, 0, "depth is 0: highest number less the gap's first, 1: the later packets since the gap was seen");
    map.read_write("wait", 32, 50, "ticks that a gap may be open; less than 2^31");
    map.read_write("stall", 32, 80, "ticks that the gap at the base may hold it; less than 2^31");
    map.read_write("stall_packets", 22, 0, "packets that may be accepted meanwhile; 0: any number");
    map.read_write("feedback_threshold", 16, 1, "missing packets in lost gaps from which on they are told");
    map.read_write("feedback_wait", 32, 1, "ticks after which they are told all the same; less than 2^31");
    map.read_write(
        "refeedback",
        32,
        round_trip.refeedback(),
        "ticks after which a gap that is still open is told again: the sender's `dedup` and a round trip at least; less than 2^31",
    );
    map.read_write("range_ack", 1, 1, "1: what has arrived above a gap is told by range acknowledgements");
}

/// From 0x364: how windows move, and how long they are. With a `pool` of segments `share` of them are those of a queue pair.
pub fn windows(map: &mut RegisterMap, share: u32) {
    map.at(0x364);
    map.read_write(
        "slide_step",
        7,
        1,
        "windows of one length: packets that a window moves by, a power of two up to those of a segment; set while no queue pair is open",
    );
    let base = u64::from(share.max(2) - 1) * u64::from(share != 0);
    let length = vec![
        Field::new("base", 0, 16, Access::ReadWrite, base, "pool: segments of a window at least, beyond that of its base"),
        Field::new("most", 16, 16, Access::ReadWrite, 0xffff, "pool: at most; never more than the longest window has"),
    ];
    map.register("window_length", "bounds of a window's length", length);
    map.read_write("bandwidth", 24, 0, "pool: bytes per tick; 0: windows have their base length");
    map.read_write("round_trip", 24, 0, "pool: round trip in ticks");
    let factors = vec![
        Field::new("headroom", 0, 8, Access::ReadWrite, 16, "pool: length beyond bandwidth and round trip, sixteenths"),
        Field::new("load", 8, 8, Access::ReadWrite, 16, "pool: what the load makes of that, sixteenths"),
        Field::new("congestion", 16, 5, Access::ReadWrite, 0, "pool: sixteenths that congestion takes away, 16 at most"),
    ];
    map.register("window_factors", "what a window's length is multiplied by", factors);
    map.read_write("qp_limit", 16, 0, "pool: segments that a queue pair may hold; 0: any number");
    let pool = vec![
        Field::new("free", 0, 16, Access::ReadOnly, 0, "segments that no window has"),
        Field::new("refused", 31, 1, Access::ReadOnly, 0, "the last command has opened no queue pair, for there was no segment"),
    ];
    map.register("pool", "what the pool is at", pool);
}
