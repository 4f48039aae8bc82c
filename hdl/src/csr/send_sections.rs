//! Parts of register maps that have a send path.

use super::description::{Access, Field, RegisterMap};
use super::sections::{Interrupt, RoundTrip, SEND_COUNTERS, constants};

/// Constants of the send path that tell software what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capability {
    pub ops: u32,
    pub slots: u32,
    pub commands: u32,
    pub ring: u32,
    pub length_bits: u32,
    /// bits of the DMA engine's memory bus
    pub dma_width: u32,
    /// 1: the DMA engine takes any alignment
    pub realign: u32,
    pub packet_size: u32,
    /// packets of the largest operation
    pub mask_bits: u32,
    pub round_trip: RoundTrip,
}

impl Capability {
    /// Reset values of `threshold` and `segment`: 16 KB or the largest operation, and 16 packets, 64 over a long way.
    fn cut(&self) -> (u64, u64) {
        let (packet, largest) = (u64::from(self.packet_size), u64::from(self.packet_size * self.mask_bits));
        (largest.min(16384), packet * u64::from(self.round_trip.segment(self.mask_bits)))
    }
}

/// What can interrupt for the sake of the send path.
pub const SEND_INTERRUPTS: [Interrupt; 3] = [
    (5, "cdma_dead", "the CDMA is given up: too many errors in a row, or no answer"),
    (6, "config_error", "a configuration that cannot be, of the splitter or of the CDMA driver: see send_state"),
    (7, "post_dropped", "a command was posted before the last one was taken"),
];

/// What can interrupt for the sake of packet sequence numbers.
pub const NUMBER_INTERRUPTS: [Interrupt; 1] = [(8, "connection_failed", "a queue pair has failed: see connection_failed")];

/// What is counted where packets are sent again by their number.
pub const NUMBER_COUNTERS: [(&str, &str); 13] = [
    ("number_ack", "acknowledgements by number that came in"),
    ("number_range", "range acknowledgements that came in"),
    ("number_ffm", "feedback messages that came in"),
    ("number_negative", "negative acknowledgements by number that came in; they change nothing"),
    ("number_malformed", "messages with a packet sequence number that is none"),
    ("number_unknown_qp", "messages for queue pairs that are not ours"),
    ("number_dropped", "feedback messages for which there was no room"),
    ("bad_ack", "acknowledgements that name what they cannot"),
    ("rto", "timers of queue pairs that have run out"),
    ("selective_retransmissions", "packets that the wire took again by their number"),
    ("void", "packets that went without a frame: their queue pair is closed or in error"),
    ("queue_pair_errors", "queue pairs whose retry limit was reached"),
    ("held", "clocks in which a first transmission waited for its window, for the rate, or for what goes again"),
];

/// Where these counters begin.
const NUMBER_COUNTERS_BASE: u32 = 0xa00;

/// What the send path counts.
pub const SEND_PATH_COUNTERS: [(&str, &str); 30] = [
    ("commands", "commands that are not refused"),
    ("segments", "segments cut, data arrivals among them"),
    ("packets", "packets that the wire took, retransmissions too"),
    ("acks", "messages that acknowledged something new"),
    ("duplicate_acks", "messages about packets that were acknowledged before"),
    ("nacks", "negative messages about packets that were not acknowledged"),
    ("stale_acks", "messages about anything else; they change nothing"),
    ("timeouts", "packets asked for because their timer ran out"),
    ("retransmissions", "retransmissions that the wire took"),
    ("failures", "operations that failed"),
    ("aborts", "aborts sent: the receiver is told that an operation will not go on"),
    ("arrival_failed", "data arrivals that were not acknowledged"),
    ("acks_dropped", "acknowledgements that found no room"),
    ("nacks_dropped", "negative acknowledgements that found no room; the timers of their packets repeat them"),
    ("refused_bytes_zero", "commands refused: an empty block"),
    ("refused_misaligned_target", "commands refused: target no multiple of the packet size"),
    ("refused_wraps", "commands refused: a range passes the end of memory, or too many bytes"),
    ("refused_misaligned_source", "commands refused: a source not aligned as the CDMA needs it"),
    ("refused_bad_configuration", "commands refused: threshold or segment not allowed"),
    ("refused_too_long", "commands refused: a segment of more bytes than the CDMA takes"),
    ("refused_loads", "loads that the CDMA driver refused"),
    ("descriptors", "descriptors completed"),
    ("cdma_errors", "errors of the CDMA"),
    ("cdma_resets", "soft resets of the CDMA, the one before the first start included"),
    ("data_frames", "data frames sent, aborts among them"),
    ("stale_packets", "retransmissions and aborts thrown away: their operation is over"),
    ("unknown_node", "packets and aborts not sent, for the node table lacks their node"),
    ("buffer_write_refused", "writes to the send buffer that were answered with an error"),
    ("buffer_read_refused", "reads of the send buffer by AXI, all of which are answered with an error"),
    ("posts_dropped", "commands posted before the last one was taken"),
];

/// What `cfg_t_life` is to a sender.
pub const T_LIFE: &str = "ticks that a packet may live in the network: limits how often an op index is used; less than 2^31";

/// From 0x200: what the send path has, its state, its configuration.
pub fn send(map: &mut RegisterMap, p: &Capability) {
    map.at(0x200);
    let send = [
        ("ops", 0, 16, p.ops, "operations that may be in flight"),
        ("slots", 16, 7, p.slots, "operations whose payload can be in the send buffer"),
        ("commands", 23, 9, p.commands, "commands under way"),
    ];
    map.register("capability_send", "size of the send path", constants(&send));
    let alignment = if p.realign == 1 { 1 } else { p.dma_width / 8 };
    let dma = [
        ("ring", 0, 16, p.ring, "descriptors; one less is out at most"),
        ("btt_bits", 16, 8, p.length_bits, "width of the CDMA's bytes to transfer"),
        ("source_alignment", 24, 8, alignment, "bytes that a source, and each block but the last, is a multiple of"),
    ];
    map.register("capability_send_dma", "what the CDMA is driven with", constants(&dma));
    let state = vec![
        Field::new("config_error", 0, 1, Access::ReadOnly, 0, "threshold and segment are not allowed: commands are refused"),
        Field::new("cdma_config_error", 1, 1, Access::ReadOnly, 0, "what the CDMA driver is to work with cannot be"),
        Field::new("cdma_dead", 2, 1, Access::ReadOnly, 0, "the CDMA is given up; a reset begins anew"),
    ];
    map.register("send_state", "what the send path is in", state);
    map.read_only("commands_live", 16, "commands under way");
    map.read_only("ops_live", 16, "operations in flight");
    map.read_only("ops_live_max", 16, "most operations in flight at once since reset");
    map.read_only("descriptors_out", 16, "descriptors that the CDMA has not completed");

    map.at(0x234);
    let doc = "ticks that a descriptor of the CDMA may take from when it is the oldest, more than the longest takes; 0: any number";
    map.read_write("load_timeout", 32, 50_000, doc);
    let doc = "1: a node knows us by `source_node` and its own number added, so that places of the node table may be queue pairs between the same two ends";
    map.read_write("source_each", 1, 0, doc);
    let doc =
        "ticks that every try waits beside its timeout, for a receiver may hold an answer back: its `ack_wait` and `repeat_completion`";
    map.read_write("ack_delay", 16, 18, doc);
    let (threshold, segment) = p.cut();
    map.read_write("threshold", 32, threshold, "bytes above which a command is large: cut into segments");
    map.read_write(
        "segment",
        32,
        segment,
        "bytes of a segment of a large command: a multiple of the packet size, as many packets as the mask has bits at most",
    );
    map.read_write(
        "timeout",
        32,
        p.round_trip.patience(),
        "ticks that the first try of a packet waits for its acknowledgement before its node has answered once; less than 2^29",
    );
    map.read_write("backoff_cap", 32, 10_000, "ticks that any try waits at most; less than 2^29");
    map.read_write("retry_limit", 5, 7, "tries after the first until the operation fails");
    map.read_write("irq_threshold", 8, 1, "descriptors until the CDMA interrupts");
    map.read_write("irq_delay", 8, 0, "units of 125 clocks after which it does for fewer; 0: never");
    map.read_write("reset_timeout", 32, 100, "ticks that a reset of the CDMA or an access to its registers may take; not 0");
    map.read_write("cdma_error_limit", 8, 8, "errors in a row, without a descriptor completed, that end the CDMA");
    let cdma = vec![Field::new("wide", 0, 1, Access::ReadWrite, 1, "it has addresses of more than 32 bits")];
    map.register("cdma", "how the CDMA was made", cdma);
    map.read_write("source_node", 16, 0, "our own node number");
    map.read_write("timeout_floor", 32, 10, "ticks that a try waits at least when the round trip is measured; less than 2^29");
    map.read_write("buffer_base", 64, 0, "address of the send buffer as the CDMA sees it, a multiple of its size");
    map.read_write("sg_base", 64, 0, "address of the descriptor ring as the CDMA sees it, a multiple of its size");
}

/// From 0x280: commands that software posts, values first.
pub fn posting(map: &mut RegisterMap) {
    map.at(0x280);
    map.read_write("command_id", 16, 0, "number that comes back with the completion");
    map.read_write("command_target", 64, 0, "address at the receiver, a multiple of the packet size");
    map.read_write("command_node", 16, 0, "the receiver");
    map.read_write("command_qp", 24, 0, "queue pair there");
    map.read_write("command_rkey", 32, 0, "R_Key there");
    map.read_write("command_imm", 32, 0, "immediate");
    let options = vec![
        Field::new("imm_valid", 0, 1, Access::ReadWrite, 0, "the last packet carries the immediate"),
        Field::new("arrival", 1, 1, Access::ReadWrite, 0, "the receiver's host is told when the data has arrived"),
        Field::new("blocks", 8, 3, Access::ReadWrite, 1, "source blocks, 1 to 4"),
    ];
    map.register("command_options", "what else it says", options);
    map.at(0x2c0);
    let blocks = ["first", "second", "third", "fourth"];
    for (i, which) in blocks.iter().enumerate() {
        map.read_write(&format!("command_source_{i}"), 64, 0, &format!("address of the {which} source block"));
    }
    for (i, which) in blocks.iter().enumerate() {
        map.read_write(&format!("command_bytes_{i}"), 32, 0, &format!("bytes of the {which} source block"));
    }
    let post =
        vec![Field::new("post", 0, 1, Access::Pulse, 0, "the values are a command; if the last one has not been taken, it is dropped")];
    map.register("command", "posts a command", post);
    let busy = vec![Field::new(
        "busy",
        0,
        1,
        Access::ReadOnly,
        0,
        "the last command posted has not been taken: another one would be dropped and counted",
    )];
    map.register("command_state", "whether a command can be posted", busy);
}

/// From 0x800: what the send path counts.
pub fn counters(map: &mut RegisterMap) {
    map.counters_at(SEND_COUNTERS);
    for (name, doc) in SEND_PATH_COUNTERS {
        map.counter(name, doc);
    }
}

/// From 0xa00: what is counted of packet sequence numbers.
pub fn number_counters(map: &mut RegisterMap) {
    map.counters_at(NUMBER_COUNTERS_BASE);
    for (name, doc) in NUMBER_COUNTERS {
        map.counter(name, doc);
    }
}

/// What `connection_failed` is to a sender.
pub const RETRY_FAILED: &str = "queue pair whose retry limit was reached last";

/// From 0x380: when packets are sent again by their number. After a reset `dedup` is a round trip, and a gap is told again after
/// twice that: a packet that is lost twice costs a round trip more and is not sent again for nothing. `failed` says which queue pair
/// `connection_failed` names.
pub fn numbers(map: &mut RegisterMap, failed: &str, packet_size: u32, round_trip: RoundTrip) {
    map.at(0x380);
    map.read_only("connection_failed", 8, failed);
    map.read_write(
        "feedback_qp",
        24,
        0,
        "number of our queue pair 0, to which node 0 tells; that of node k is k more. Its low bits are zero",
    );
    let doc = "ticks for which a packet that was sent again is not asked for again";
    map.read_write("dedup", 32, round_trip.dedup(), doc);
    // An aggregated run has packets between those that are asked for, most of which have arrived.
    map.read_write("rtx_mode", 2, 1, "retransmissions: 0 single packets, 1 intervals, 2 aggregated");
    map.read_write("aggregate", 32, 2, "ticks for which more packets may come until retransmissions begin, in mode 2");
    map.read_write("merge", 8, 4, "packets between two that go together, in mode 2");
    let doc = "packets of a queue pair that are sent again and not acknowledged at most";
    map.read_write("rtx_window", 16, round_trip.retransmissions(), doc);
    map.read_write("rto", 32, round_trip.progress(), "ticks without progress until the timer of a queue pair runs out");
    map.read_write("rto_cap", 32, 10_000, "most of them, after doubling");
    map.read_write("rto_limit", 8, 7, "times that it may run out in a row until the queue pair has failed");
    let limit = vec![
        Field::new("on", 0, 1, Access::ReadWrite, 0, "the rate of packets is limited"),
        Field::new("burst", 16, 16, Access::ReadWrite, 16, "packets that may be saved up"),
    ];
    map.register("rate_limit", "limit of the rate of all queue pairs", limit);
    map.read_write("rate", 24, 0, "bytes per tick");
    map.read_write("rate_packet", 16, u64::from(packet_size), "bytes that each packet counts as");
    map.read_write(
        "untold_window",
        16,
        0,
        "packets of a queue pair that may be open while its receiver has not told its window; 0: all of the window",
    );
}
