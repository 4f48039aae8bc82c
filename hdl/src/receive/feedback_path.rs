use super::VerdictRing;
use crate::bitmap::{ReceiveBitmap, WindowCredits, WindowLength, some};
use crate::bus::{Frames, LocalAddress, NodeEntry};
use crate::csr::bundles::GapConfig;
use crate::primitives::{FifoBlock, LutRam, Reg, State};
use crate::sizes::*;
use crate::wire::FeedbackBuilder;
use crate::{Described, kernel};
use rust_hdl::prelude::*;

/// What senders are told by packet sequence number, from the final verdicts of the registry to frames: acknowledgements, range
/// acknowledgements and fast feedback messages.
///
/// ```text
///  packet, verdict, write, answer ─▶ verdict ring ─▶ receive bitmap ─┬─ ack ─▶ feedback builder ─▶ out
///                                                                    ├─ range ─▶
///                                                                    └─ ffm ─▶
/// ```
///
/// With `settles` the receive bitmap knows two facts of a packet: *present* from the clock in which the registry takes it, *settled* from
/// its report on. A body that waits in the escape channel is present, and nobody asks for it. A packet that is dropped after all is asked
/// for at once, in a feedback message of its own with status 5; if that is lost, or what it brings, or if as many as there are payload
/// slots wait for the wire, the timer of the sender finds it. Then the base of a feedback message is that of the last acknowledgement that
/// left, or its start if that is before it. Windows from a pool know what is settled alone. What each part does is in its own
/// documentation. Queue pair `k` is that of node `k`: its frames go to that node, and to the queue pair that the node table has for it.
/// Each data packet is a message of its own, so an acknowledgement says as complete messages (MSN) how many numbers lie between the first
/// one and the base; its credits say how much of the window is open, rounded down to a power of two. Windows have one length, or, with a
/// pool, the one that `WindowLength` makes of the registers.
/// Latency: that of its blocks, and 1 clock for an acknowledgement; with a pool 5 more, or until something of its window is open.
/// Throughput: one packet per clock. Reset: all queue pairs are closed; `room` comes when the tables are clear.
/// Spec: overview, "Who acknowledges what", profile combined; bitmap loss detection, "Receiver"; wire format, "Control packets".
#[derive(Default, Described, LogicBlock)]
pub struct FeedbackPath {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// one more packet may be given to the registry, and three that are on their way
    pub room: Signal<Out, Bit>,
    /// the registry takes a packet
    pub packet_valid: Signal<In, Bit>,
    /// it has a packet sequence number
    pub packet_counts: Signal<In, Bit>,
    /// payload slot of `packet`
    pub packet_slot: Signal<In, Bits<SLOT_BITS>>,
    /// index of its queue pair
    pub packet_qp: Signal<In, Bits<NODE_BITS>>,
    /// packet sequence number of `packet`
    pub packet_psn: Signal<In, Bits<24>>,
    /// path that it took
    pub packet_path: Signal<In, Bits<4>>,
    /// it has been sent before
    pub packet_retransmission: Signal<In, Bit>,
    /// for `header_tag` of the registry
    pub packet_tag: Signal<Out, Bits<16>>,
    /// final verdict of a packet
    pub verdict_valid: Signal<In, Bit>,
    /// the tag that came with the packet
    pub verdict_tag: Signal<In, Bits<16>>,
    /// 0 written, 1 duplicate, 2 stale, 3 rejected, 4 dropped
    pub verdict_code: Signal<In, Bits<3>>,
    /// rejected: status code
    pub verdict_reason: Signal<In, Bits<8>>,
    /// the memory writer takes a write
    pub write_valid: Signal<In, Bit>,
    /// tag of `write`
    pub write_tag: Signal<In, Bits<WRITE_BITS>>,
    /// payload slot of `write`
    pub write_slot: Signal<In, Bits<SLOT_BITS>>,
    /// a write has been answered
    pub write_done_valid: Signal<In, Bit>,
    /// tag of `write_done`
    pub write_done_tag: Signal<In, Bits<WRITE_BITS>>,
    /// a command is offered
    pub command_valid: Signal<In, Bit>,
    /// a transfer happens in a clock in which `command_valid` is high too
    pub command_ready: Signal<Out, Bit>,
    /// open, else close
    pub command_open: Signal<In, Bit>,
    /// index of the queue pair
    pub command_qp: Signal<In, Bits<NODE_BITS>>,
    /// first packet sequence number of `command`
    pub command_psn: Signal<In, Bits<24>>,
    /// the command that was taken has been carried out
    pub command_done: Signal<Out, Bit>,
    pub out: Frames<DATA_WIDTH, DATA_BYTES>,
    /// clocks per tick, 0 as 1
    pub cfg_prescale: Signal<In, Bits<16>>,
    #[port = "cfg"]
    pub cfg_gap: GapConfig,
    /// depth is the later packets since the gap was seen, else highest number less the gap's first
    pub cfg_by_arrivals: Signal<In, Bit>,
    /// one length: a window moves in steps of so many packets, a power of two up to those of a segment, else the one below
    pub cfg_slide_step: Vec<Signal<In, Bits<7>>>,
    /// pool: segments of a window at least, beyond that of its base
    pub cfg_base_length: Vec<Signal<In, Bits<16>>>,
    /// pool: ... at most; less than `cfg_base_length` counts as that
    pub cfg_max_length: Vec<Signal<In, Bits<16>>>,
    /// pool: bytes per tick
    pub cfg_bandwidth: Vec<Signal<In, Bits<24>>>,
    /// pool: round trip in ticks
    pub cfg_rtt: Vec<Signal<In, Bits<24>>>,
    /// pool: payload bytes of a packet are 2 to the power of this
    pub cfg_packet_bits: Vec<Signal<In, Bits<4>>>,
    /// pool: what a window has beyond bandwidth and round trip, sixteenths
    pub cfg_headroom: Vec<Signal<In, Bits<8>>>,
    /// pool: what the load makes of that, sixteenths
    pub cfg_load: Vec<Signal<In, Bits<8>>>,
    /// pool: sixteenths that congestion takes away, 16 at most
    pub cfg_congestion: Vec<Signal<In, Bits<5>>>,
    /// pool: segments that a queue pair may hold, 0: any number
    pub cfg_qp_limit: Vec<Signal<In, Bits<16>>>,
    #[port = "cfg"]
    pub cfg_local: LocalAddress,
    /// partition key
    pub cfg_partition_key: Signal<In, Bits<16>>,
    pub cfg_node: NodeEntry<NODE_BITS>,
    /// queue pair of `cfg_node`
    pub cfg_node_qp: Signal<In, Bits<24>>,
    /// counts packets that were new
    pub evt_new: Signal<Out, Bit>,
    /// counts packets that had been reported before
    pub evt_duplicate: Signal<Out, Bit>,
    /// counts packets beyond the window
    pub evt_out_of_window: Signal<Out, Bit>,
    /// counts packets of closed queue pairs
    pub evt_closed: Signal<Out, Bit>,
    /// counts gaps
    pub evt_gap: Signal<Out, Bit>,
    /// gaps that are found lost in this clock
    pub evt_lost: Signal<Out, Bits<5>>,
    /// counts gaps that are told
    pub evt_report: Signal<Out, Bit>,
    /// ... of them those that were told before
    pub evt_repeat: Signal<Out, Bit>,
    /// counts packets that were told as missing and come without having been sent again
    pub evt_misjudged: Signal<Out, Bit>,
    /// counts records that were missing
    pub evt_folded: Signal<Out, Bit>,
    /// counts events that were dropped: their queue pair lags
    pub evt_dropped: Signal<Out, Bit>,
    /// counts queue pairs that begin to lag
    pub evt_falls_behind: Signal<Out, Bit>,
    /// counts queue pairs that have caught up
    pub evt_rebuilt: Signal<Out, Bit>,
    /// pool: the command that was carried out has opened nothing, for there was no segment
    pub command_refused: Vec<Signal<Out, Bit>>,
    /// pool: segments that no window has
    pub pool_free: Vec<Signal<Out, Bits<16>>>,
    /// pool: counts segments that a queue pair asked for while there was none
    pub evt_exhausted: Vec<Signal<Out, Bit>>,
    /// pool: counts windows that have become shorter by a segment
    pub evt_shrunk: Vec<Signal<Out, Bit>>,
    /// counts frames of acknowledgements
    pub evt_ack: Signal<Out, Bit>,
    /// counts frames of range acknowledgements
    pub evt_range: Signal<Out, Bit>,
    /// counts frames of feedback messages
    pub evt_ffm: Signal<Out, Bit>,
    /// counts messages dropped: no such node
    pub evt_unknown_node: Signal<Out, Bit>,
    /// nothing is under way
    pub idle: Signal<Out, Bit>,
    /// with `telling`: an acknowledgement leaves; for several clocks if it has to wait
    pub told_valid: Vec<Signal<Out, Bit>>,
    /// of this queue pair
    pub told_qp: Vec<Signal<Out, Bits<NODE_BITS>>>,
    /// everything up to this packet has arrived
    pub told_psn: Vec<Signal<Out, Bits<24>>>,

    #[variant]
    _tells: usize,
    #[variant]
    _settles: usize,
    // What was dropped after it had come: sequence number, queue pair.
    dropped: Vec<FifoBlock<DROPPED_BITS, SLOT_BITS, SLOT_COUNT_BITS>>,
    // A message of the bitmap is offered, and not taken: what was dropped meanwhile waits.
    asking: Vec<State<Bit>>,
    asks: Vec<Signal<Local, Bit>>,
    // Behind the last number that was acknowledged, by queue pair.
    heard: Vec<LutRam<24, NODE_BITS>>,
    behind: Vec<Signal<Local, Bits<24>>>,
    ring: VerdictRing,
    bitmap: ReceiveBitmap,
    builder: FeedbackBuilder,
    // The number before the first one of each queue pair.
    firsts: LutRam<24, NODE_BITS>,
    takes: Signal<Local, Bit>,
    ack_valid: State<Bit>,
    ack_qp: Reg<Bits<NODE_BITS>>,
    ack_psn: Reg<Bits<24>>,
    ack_first: Reg<Bits<24>>,
    ack_msn: Signal<Local, Bits<24>>,
    steps: Vec<Signal<Local, Bits<7>>>,
    target: Vec<WindowLength>,
    credits: Vec<WindowCredits>,
    ack_credits: Vec<Reg<Bits<5>>>,
    _fixed: usize,
    #[variant]
    _pools: usize,
}

impl FeedbackPath {
    /// A new one.
    pub fn new() -> Self {
        Self::with(false, false, 0)
    }

    /// One where what is acknowledged is told here too, if it `tells`, with two facts of each packet, if it `settles`, and with windows of
    /// variable length from a pool of so many segments, 0: of one length. With a pool there is one fact of a packet.
    pub fn with(tells: bool, settles: bool, pool: usize) -> Self {
        let (tells, pools) = (usize::from(tells), usize::from(pool != 0));
        let (settles, fixed) = (usize::from(settles && pool == 0), 1 - pools);
        Self {
            ring: VerdictRing::new(),
            bitmap: if settles == 1 { ReceiveBitmap::with_settled() } else { ReceiveBitmap::with(1, 1, pool) },
            dropped: some(settles),
            asking: some(settles),
            asks: some(settles),
            heard: some(settles),
            behind: some(settles),
            builder: FeedbackBuilder::new(),
            told_valid: some(tells),
            told_qp: some(tells),
            told_psn: some(tells),
            cfg_slide_step: some(fixed),
            steps: some(fixed),
            cfg_base_length: some(pools),
            cfg_max_length: some(pools),
            cfg_bandwidth: some(pools),
            cfg_rtt: some(pools),
            cfg_packet_bits: some(pools),
            cfg_headroom: some(pools),
            cfg_load: some(pools),
            cfg_congestion: some(pools),
            cfg_qp_limit: some(pools),
            command_refused: some(pools),
            pool_free: some(pools),
            evt_exhausted: some(pools),
            evt_shrunk: some(pools),
            target: some(pools),
            credits: some(pools),
            ack_credits: some(pools),
            _tells: tells,
            _settles: settles,
            _fixed: fixed,
            _pools: pools,
            ..Self::default()
        }
    }
}

impl Logic for FeedbackPath {
    #[kernel]
    fn update(&mut self) {
        self.room.next = self.ring.room.val() && self.bitmap.ready.val();
        self.ring.packet_valid.next = self.packet_valid.val();
        self.ring.packet_counts.next = self.packet_counts.val();
        self.ring.packet_slot.next = self.packet_slot.val();
        self.ring.packet_qp.next = self.packet_qp.val();
        self.ring.packet_psn.next = self.packet_psn.val();
        self.ring.packet_path.next = self.packet_path.val();
        self.ring.packet_retransmission.next = self.packet_retransmission.val();
        self.ring.verdict_valid.next = self.verdict_valid.val();
        self.ring.verdict_tag.next = self.verdict_tag.val();
        self.ring.verdict_code.next = self.verdict_code.val();
        self.ring.verdict_reason.next = self.verdict_reason.val();
        self.ring.write_valid.next = self.write_valid.val();
        self.ring.write_tag.next = self.write_tag.val();
        self.ring.write_slot.next = self.write_slot.val();
        self.ring.write_done_valid.next = self.write_done_valid.val();
        self.ring.write_done_tag.next = self.write_done_tag.val();
        self.packet_tag.next = self.ring.packet_tag.val();

        // What has its verdict.
        self.bitmap.header_valid.next = self.ring.report_valid.val();
        self.bitmap.header_qp.next = self.ring.report_qp.val();
        self.bitmap.header_psn.next = self.ring.report_psn.val();
        self.bitmap.header_path.next = self.ring.report_path.val();
        self.bitmap.header_retransmission.next = self.ring.report_retransmission.val();
        self.bitmap.prescale.next = self.cfg_prescale.val();
        self.bitmap.depth.next = self.cfg_gap.depth.val();
        self.bitmap.by_arrivals.next = self.cfg_by_arrivals.val();
        self.bitmap.wait_ticks.next = self.cfg_gap.wait.val();
        self.bitmap.stall.next = self.cfg_gap.stall.val();
        self.bitmap.stall_packets.next = self.cfg_gap.stall_packets.val();
        self.bitmap.feedback_threshold.next = self.cfg_gap.feedback_threshold.val();
        self.bitmap.feedback_wait.next = self.cfg_gap.feedback_wait.val();
        self.bitmap.refeedback.next = self.cfg_gap.refeedback.val();
        self.bitmap.range_ack.next = self.cfg_gap.range_ack.val();
        self.bitmap.ack_hold.next = self.cfg_gap.ack_hold.val();
        self.bitmap.command_valid.next = self.command_valid.val();
        self.bitmap.command_open.next = self.command_open.val();
        self.bitmap.command_qp.next = self.command_qp.val();
        self.bitmap.command_psn.next = self.command_psn.val();
        self.command_ready.next = self.bitmap.command_ready.val();
        self.command_done.next = self.bitmap.command_done.val();
        self.evt_new.next = self.bitmap.verdict_valid.val() && self.bitmap.verdict_code.val() == bits::<2>(0);
        self.evt_duplicate.next = self.bitmap.verdict_valid.val() && self.bitmap.verdict_code.val() == bits::<2>(1);
        self.evt_out_of_window.next = self.bitmap.verdict_valid.val() && self.bitmap.verdict_code.val() == bits::<2>(2);
        self.evt_closed.next = self.bitmap.verdict_valid.val() && self.bitmap.verdict_code.val() == bits::<2>(3);
        self.evt_gap.next = self.bitmap.evt_gap.val();
        self.evt_lost.next = self.bitmap.evt_lost.val();
        self.evt_report.next = self.bitmap.evt_report.val();
        self.evt_repeat.next = self.bitmap.evt_repeat.val();
        self.evt_misjudged.next = self.bitmap.evt_misjudged.val();
        self.evt_folded.next = self.bitmap.evt_folded.val();
        self.evt_dropped.next = self.bitmap.evt_dropped.val();
        self.evt_falls_behind.next = self.bitmap.evt_falls_behind.val();
        self.evt_rebuilt.next = self.bitmap.evt_rebuilt.val();

        // Each data packet is a message of its own: so many are complete as numbers lie between the first one and the base.
        self.firsts.write_enable.next = self.command_valid.val() && self.bitmap.command_ready.val() && self.command_open.val();
        self.firsts.write_address.next = self.command_qp.val();
        self.firsts.write_data.next = self.command_psn.val() - 1;
        self.firsts.read_address.next = self.bitmap.ack_qp.val();
        self.takes.next = !self.ack_valid.q.val() || self.builder.ack_ready.val();
        self.bitmap.ack_ready.next = self.takes.val();
        if self.takes.val() {
            self.ack_valid.d.next = self.bitmap.ack_valid.val();
            self.ack_qp.d.next = self.bitmap.ack_qp.val();
            self.ack_psn.d.next = self.bitmap.ack_psn.val();
            self.ack_first.d.next = self.firsts.read_data.val();
        }
        self.builder.ack_valid.next = self.ack_valid.q.val();
        self.builder.ack_node.next = bit_cast::<16, NODE_BITS>(self.ack_qp.q.val());
        self.builder.ack_psn.next = self.ack_psn.q.val();
        self.ack_msn.next = self.ack_psn.q.val() - self.ack_first.q.val();
        self.builder.ack_msn.next = self.ack_msn.val();
        self.builder.ack_credits.next = WINDOW_PSN_BITS.to_bits::<5>();
        self.builder.range_valid.next = self.bitmap.range.valid.val();
        self.bitmap.range.ready.next = self.builder.range_ready.val();
        self.builder.range_node.next = bit_cast::<16, NODE_BITS>(self.bitmap.range.qp.val());
        self.builder.range_base.next = self.bitmap.range.base.val();
        self.builder.range_start.next = self.bitmap.range.start.val();
        self.builder.range_length.next = self.bitmap.range.length.val();
        self.builder.ffm_valid.next = self.bitmap.ffm.valid.val();
        self.bitmap.ffm.ready.next = self.builder.ffm_ready.val();
        self.builder.ffm_node.next = bit_cast::<16, NODE_BITS>(self.bitmap.ffm.qp.val());
        self.builder.ffm_start.next = self.bitmap.ffm.start.val();
        self.builder.ffm_length.next = self.bitmap.ffm.length.val();
        self.builder.ffm_edge.next = self.bitmap.ffm.highest.val();
        self.builder.ffm_base.next = self.bitmap.ffm.base.val();
        self.builder.ffm_timestamp.next = self.bitmap.ffm.timestamp.val();
        self.builder.ffm_status.next = self.bitmap.ffm.status.val();
        self.builder.ffm_depth.next = self.bitmap.ffm.depth.val();
        self.builder.ffm_repeat.next = self.bitmap.ffm.repeat.val();
        self.builder.ffm_misjudged.next = self.bitmap.ffm.misjudged.val();
        self.builder.ffm_path.next = bits::<4>(0);
        // A packet is present when the registry takes it, and settled when it is reported. What it drops is asked for here; a message that
        // is offered stays.
        for s in 0..self._settles {
            self.bitmap.header_valid.next = self.packet_valid.val() && self.packet_counts.val();
            self.bitmap.header_qp.next = self.packet_qp.val();
            self.bitmap.header_psn.next = self.packet_psn.val();
            self.bitmap.header_path.next = self.packet_path.val();
            self.bitmap.header_retransmission.next = self.packet_retransmission.val();
            self.bitmap.settle_valid[s].next = self.ring.report_valid.val();
            self.bitmap.settle_qp[s].next = self.ring.report_qp.val();
            self.bitmap.settle_psn[s].next = self.ring.report_psn.val();
            self.bitmap.settle_retransmission[s].next = self.ring.report_retransmission.val();
            self.dropped[s].in_valid.next = self.ring.dropped_valid.val() && self.dropped[s].in_ready.val();
            self.dropped[s].in_data.next = bit_cast::<DROPPED_BITS, 24>(self.ring.dropped_psn.val())
                | (bit_cast::<DROPPED_BITS, NODE_BITS>(self.ring.dropped_qp.val()) << 24);
            self.asking[s].d.next = self.bitmap.ffm.valid.val() && !self.asks[s].val() && !self.builder.ffm_ready.val();
            self.asks[s].next = self.dropped[s].out_valid.val() && !self.asking[s].q.val();
            self.dropped[s].out_ready.next = self.asks[s].val() && self.builder.ffm_ready.val();
            self.heard[s].write_enable.next = self.takes.val() && self.bitmap.ack_valid.val();
            self.heard[s].write_address.next = self.bitmap.ack_qp.val();
            self.heard[s].write_data.next = self.bitmap.ack_psn.val() + 1;
            if self.firsts.write_enable.val() {
                self.heard[s].write_enable.next = true;
                self.heard[s].write_address.next = self.command_qp.val();
                self.heard[s].write_data.next = self.command_psn.val();
            }
            self.heard[s].read_address.next = self.bitmap.ffm.qp.val();
            if self.asks[s].val() {
                self.bitmap.ffm.ready.next = false;
                self.heard[s].read_address.next = self.dropped[s].out_data.val().get_bits::<NODE_BITS>(24);
                self.builder.ffm_valid.next = true;
                self.builder.ffm_node.next = bit_cast::<16, NODE_BITS>(self.dropped[s].out_data.val().get_bits::<NODE_BITS>(24));
                self.builder.ffm_start.next = self.dropped[s].out_data.val().get_bits::<24>(0);
                self.builder.ffm_length.next = bits::<24>(1);
                self.builder.ffm_edge.next = self.dropped[s].out_data.val().get_bits::<24>(0);
                self.builder.ffm_timestamp.next = self.bitmap.now.val();
                self.builder.ffm_status.next = bits::<3>(5);
                self.builder.ffm_depth.next = bits::<16>(0);
                self.builder.ffm_repeat.next = bits::<8>(0);
                self.builder.ffm_misjudged.next = bits::<24>(0);
            }
            // A message may have waited while what it is about has come and been acknowledged.
            self.behind[s].next = self.builder.ffm_start.val() - self.heard[s].read_data.val();
            self.builder.ffm_base.next = self.heard[s].read_data.val();
            if self.behind[s].val().get_bit(23) {
                self.builder.ffm_base.next = self.builder.ffm_start.val();
            }
        }
        LocalAddress::link(&mut self.cfg_local, &mut self.builder.cfg_local);
        self.builder.cfg_partition_key.next = self.cfg_partition_key.val();
        NodeEntry::link(&mut self.cfg_node, &mut self.builder.cfg_node);
        self.builder.cfg_node_qp.next = self.cfg_node_qp.val();
        Frames::link(&mut self.out, &mut self.builder.out);
        self.evt_ack.next = self.builder.evt_ack.val();
        self.evt_range.next = self.builder.evt_range.val();
        self.evt_ffm.next = self.builder.evt_ffm.val();
        self.evt_unknown_node.next = self.builder.evt_unknown_node.val();
        for t in 0..self._tells {
            self.told_valid[t].next = self.ack_valid.q.val();
            self.told_qp[t].next = self.ack_qp.q.val();
            self.told_psn[t].next = self.ack_psn.q.val();
        }
        // A window that begins before its base ends before a whole length beyond it, but not before half of it.
        for w in 0..self._fixed {
            self.bitmap.slide_step[w].next = self.cfg_slide_step[w].val();
            self.steps[w].next = (self.cfg_slide_step[w].val() >> 1)
                | (self.cfg_slide_step[w].val() >> 2)
                | (self.cfg_slide_step[w].val() >> 3)
                | (self.cfg_slide_step[w].val() >> 4)
                | (self.cfg_slide_step[w].val() >> 5)
                | (self.cfg_slide_step[w].val() >> 6);
            if (self.steps[w].val() & self.ack_msn.val().get_bits::<7>(0)).any() {
                self.builder.ack_credits.next = (WINDOW_PSN_BITS - 1).to_bits::<5>();
            }
        }
        for w in 0..self._pools {
            self.target[w].bandwidth.next = self.cfg_bandwidth[w].val();
            self.target[w].rtt.next = self.cfg_rtt[w].val();
            self.target[w].packet_bits.next = self.cfg_packet_bits[w].val();
            self.target[w].headroom.next = self.cfg_headroom[w].val();
            self.target[w].load.next = self.cfg_load[w].val();
            self.target[w].congestion.next = self.cfg_congestion[w].val();
            self.target[w].base_length.next = self.cfg_base_length[w].val();
            self.target[w].max_length.next = self.cfg_max_length[w].val();
            self.bitmap.length[w].next = self.target[w].length.val();
            self.bitmap.limit[w].next = self.cfg_qp_limit[w].val();
            self.command_refused[w].next = self.bitmap.command_refused[w].val();
            self.pool_free[w].next = self.bitmap.free[w].val();
            self.evt_exhausted[w].next = self.bitmap.evt_exhausted[w].val();
            self.evt_shrunk[w].next = self.bitmap.evt_shrunk[w].val();
            self.credits[w].edge_valid.next = self.bitmap.edge_valid[w].val();
            self.credits[w].edge_qp.next = self.bitmap.edge_qp[w].val();
            self.credits[w].edge_segment.next = self.bitmap.edge_segment[w].val();
            self.credits[w].in_valid.next = self.bitmap.ack_valid.val();
            self.bitmap.ack_ready.next = self.credits[w].in_ready.val();
            self.credits[w].in_qp.next = self.bitmap.ack_qp.val();
            self.credits[w].in_psn.next = self.bitmap.ack_psn.val();
            self.credits[w].out_ready.next = self.takes.val();
            self.firsts.read_address.next = self.credits[w].out_qp.val();
            self.ack_credits[w].d.next = self.ack_credits[w].q.val();
            if self.takes.val() {
                self.ack_valid.d.next = self.credits[w].out_valid.val();
                self.ack_qp.d.next = self.credits[w].out_qp.val();
                self.ack_psn.d.next = self.credits[w].out_psn.val();
                self.ack_credits[w].d.next = self.credits[w].out_credits.val();
            }
            self.builder.ack_credits.next = self.ack_credits[w].q.val();
        }
        self.idle.next = !self.ring.held.val().any()
            && !self.bitmap.ack_valid.val()
            && !self.bitmap.range.valid.val()
            && !self.bitmap.ffm.valid.val()
            && !self.ack_valid.q.val()
            && !self.builder.out.valid.val();
        for w in 0..self._pools {
            if !self.credits[w].in_ready.val() {
                self.idle.next = false;
            }
        }
        for s in 0..self._settles {
            if self.dropped[s].count.val() != 0 {
                self.idle.next = false;
            }
        }
    }
}
