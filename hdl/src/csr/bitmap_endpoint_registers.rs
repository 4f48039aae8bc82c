// Made from the description in `hdl/src/csr/bitmap_endpoint.rs`: change that, and run `make registers`.

use super::bitmap_endpoint::{Parameters, registers};
use crate::Described;
use crate::csr::{AxiLiteSlave, CounterBank, RegisterMap};
use crate::primitives::Reg;
use rust_hdl::prelude::*;

/// Registers of `bitmap_endpoint` behind an AXI4-Lite slave; the map is in the documentation that is made from the same description.
///
/// `cfg_` is a value that software writes, `status_` one that it reads as it is, `set_` sets a bit that it clears, `do_` is one clock
/// high after a one was written, `evt_` counts its clocks. Holes and writes to what is only read are answered by SLVERR.
/// Latency: 5 clocks from address to answer, 4 from write address and data to `cfg_`. Throughput: one read per 2 clocks and one write per
/// 2 clocks at the same time. Reset: every register has its reset value, every counter is zero.
/// `A` = 12 bits of an address, `WA` = `A` - 2 of a word's: what the map needs.
/// What is read of one of the 79 counters lacks at most the events of the last 132 clocks.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct BitmapEndpointRegisters<const A: usize = 12, const WA: usize = 10> {
    /// clock
    pub clk: Signal<In, Clock>,
    /// synchronous, active high
    pub rst: Signal<In, Bit>,
    /// write address is there
    pub s_axi_awvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_awready: Signal<Out, Bit>,
    /// byte address
    pub s_axi_awaddr: Signal<In, Bits<A>>,
    /// not looked at
    pub s_axi_awprot: Signal<In, Bits<3>>,
    /// write data is there
    pub s_axi_wvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_wready: Signal<Out, Bit>,
    /// value
    pub s_axi_wdata: Signal<In, Bits<32>>,
    /// which bytes count
    pub s_axi_wstrb: Signal<In, Bits<4>>,
    /// a write is done
    pub s_axi_bvalid: Signal<Out, Bit>,
    /// that is taken
    pub s_axi_bready: Signal<In, Bit>,
    /// 0 OKAY, 2 SLVERR
    pub s_axi_bresp: Signal<Out, Bits<2>>,
    /// read address is there
    pub s_axi_arvalid: Signal<In, Bit>,
    /// it is taken
    pub s_axi_arready: Signal<Out, Bit>,
    /// byte address
    pub s_axi_araddr: Signal<In, Bits<A>>,
    /// not looked at
    pub s_axi_arprot: Signal<In, Bits<3>>,
    /// a value is there
    pub s_axi_rvalid: Signal<Out, Bit>,
    /// it is taken
    pub s_axi_rready: Signal<In, Bit>,
    /// the value
    pub s_axi_rdata: Signal<Out, Bits<32>>,
    /// 0 OKAY, 2 SLVERR
    pub s_axi_rresp: Signal<Out, Bits<2>>,
    /// an interrupt is set and enabled
    pub irq: Signal<Out, Bit>,
    /// any value: to see that reads and writes arrive
    pub cfg_scratch: Signal<Out, Bits<32>>,
    /// what the endpoint does: take frames; without it they are dropped uncounted
    pub cfg_control_enable: Signal<Out, Bit>,
    /// what the endpoint does: reset everything but these registers and the counters, once the buses are at rest; tables and ring indices begin anew
    pub do_control_soft_reset: Signal<Out, Bit>,
    /// what the endpoint does: every counter to zero
    pub do_control_clear_counters: Signal<Out, Bit>,
    /// what the endpoint is in: nothing is under way
    pub status_state_idle: Signal<In, Bit>,
    /// what the endpoint is in: memories are cleared after reset: frames are taken
    pub status_state_ready: Signal<In, Bit>,
    /// what has happened since it was cleared: completions are in the ring, as many or as old as the coalescing registers say
    pub set_interrupt_status_completion: Signal<In, Bit>,
    /// what has happened since it was cleared: a completion had to wait for room in the ring
    pub set_interrupt_status_ring_full: Signal<In, Bit>,
    /// what has happened since it was cleared: a payload write was answered with an error
    pub set_interrupt_status_write_error: Signal<In, Bit>,
    /// what has happened since it was cleared: a write of a completion was answered with an error
    pub set_interrupt_status_ring_error: Signal<In, Bit>,
    /// what has happened since it was cleared: a frame found no payload slot
    pub set_interrupt_status_frame_dropped: Signal<In, Bit>,
    /// what has happened since it was cleared: the CDMA is given up: too many errors in a row, or no answer
    pub set_interrupt_status_cdma_dead: Signal<In, Bit>,
    /// what has happened since it was cleared: a configuration that cannot be, of the splitter or of the CDMA driver: see send_state
    pub set_interrupt_status_config_error: Signal<In, Bit>,
    /// what has happened since it was cleared: a command was posted before the last one was taken
    pub set_interrupt_status_post_dropped: Signal<In, Bit>,
    /// what has happened since it was cleared: a queue pair has failed, sending or receiving: see connection_failed
    pub set_interrupt_status_connection_failed: Signal<In, Bit>,
    /// which of it interrupts: completions are in the ring, as many or as old as the coalescing registers say
    pub cfg_interrupt_enable_completion: Signal<Out, Bit>,
    /// which of it interrupts: a completion had to wait for room in the ring
    pub cfg_interrupt_enable_ring_full: Signal<Out, Bit>,
    /// which of it interrupts: a payload write was answered with an error
    pub cfg_interrupt_enable_write_error: Signal<Out, Bit>,
    /// which of it interrupts: a write of a completion was answered with an error
    pub cfg_interrupt_enable_ring_error: Signal<Out, Bit>,
    /// which of it interrupts: a frame found no payload slot
    pub cfg_interrupt_enable_frame_dropped: Signal<Out, Bit>,
    /// which of it interrupts: the CDMA is given up: too many errors in a row, or no answer
    pub cfg_interrupt_enable_cdma_dead: Signal<Out, Bit>,
    /// which of it interrupts: a configuration that cannot be, of the splitter or of the CDMA driver: see send_state
    pub cfg_interrupt_enable_config_error: Signal<Out, Bit>,
    /// which of it interrupts: a command was posted before the last one was taken
    pub cfg_interrupt_enable_post_dropped: Signal<Out, Bit>,
    /// which of it interrupts: a queue pair has failed, sending or receiving: see connection_failed
    pub cfg_interrupt_enable_connection_failed: Signal<Out, Bit>,
    /// ticks since reset
    pub status_now: Signal<In, Bits<32>>,
    /// clocks per tick; 322 is 1 us at 322 MHz, 0 counts as 1
    pub cfg_prescale: Signal<Out, Bits<16>>,
    /// ticks that a packet may live in the network: limits how often an op index is used; less than 2^31
    pub cfg_t_life: Signal<Out, Bits<32>>,
    /// place in the list of our queue pairs to load
    pub cfg_qp_index: Signal<Out, Bits<8>>,
    /// its value: queue pair
    pub cfg_qp_entry_number: Signal<Out, Bits<24>>,
    /// its value: it is one; with no valid place every queue pair is ours
    pub cfg_qp_entry_valid: Signal<Out, Bit>,
    /// list of our queue pairs: the row at the index becomes the values
    pub do_qp_load: Signal<Out, Bit>,
    /// node whose addresses to load
    pub cfg_node_index: Signal<Out, Bits<8>>,
    /// its MAC address, first byte in the highest 8 bits
    pub cfg_node_mac: Signal<Out, Bits<48>>,
    /// first 4 bytes of its IPv6 address, first byte highest; IPv4: the last 4 alone
    pub cfg_node_ip_0: Signal<Out, Bits<32>>,
    /// second 4 bytes of its IPv6 address, first byte highest; IPv4: the last 4 alone
    pub cfg_node_ip_1: Signal<Out, Bits<32>>,
    /// third 4 bytes of its IPv6 address, first byte highest; IPv4: the last 4 alone
    pub cfg_node_ip_2: Signal<Out, Bits<32>>,
    /// last 4 bytes of its IPv6 address, first byte highest; IPv4: the last 4 alone
    pub cfg_node_ip_3: Signal<Out, Bits<32>>,
    /// its queue pair, and what is valid: queue pair that control packets to it go to
    pub cfg_node_qp_number: Signal<Out, Bits<24>>,
    /// its queue pair, and what is valid: its address is IPv6
    pub cfg_node_qp_ipv6: Signal<Out, Bit>,
    /// its queue pair, and what is valid: packets to it are sent
    pub cfg_node_qp_valid: Signal<Out, Bit>,
    /// node table: the row at the index becomes the values
    pub do_node_load: Signal<Out, Bit>,
    /// our MAC address, first byte in the highest 8 bits
    pub cfg_local_mac: Signal<Out, Bits<48>>,
    /// first 4 bytes of our IPv6 address, first byte highest; IPv4: the last 4 alone
    pub cfg_local_ip_0: Signal<Out, Bits<32>>,
    /// second 4 bytes of our IPv6 address, first byte highest; IPv4: the last 4 alone
    pub cfg_local_ip_1: Signal<Out, Bits<32>>,
    /// third 4 bytes of our IPv6 address, first byte highest; IPv4: the last 4 alone
    pub cfg_local_ip_2: Signal<Out, Bits<32>>,
    /// last 4 bytes of our IPv6 address, first byte highest; IPv4: the last 4 alone
    pub cfg_local_ip_3: Signal<Out, Bits<32>>,
    /// template of packets: UDP source port of packets
    pub cfg_local_udp_source_port: Signal<Out, Bits<16>>,
    /// template of packets: time to live, or hop limit
    pub cfg_local_udp_hop_limit: Signal<Out, Bits<8>>,
    /// template of packets: type of service, or traffic class
    pub cfg_local_udp_traffic_class: Signal<Out, Bits<8>>,
    /// partition key of packets
    pub cfg_local_pkey: Signal<Out, Bits<16>>,
    /// VLAN tag of packets: tag control information
    pub cfg_local_vlan_tag: Signal<Out, Bits<16>>,
    /// VLAN tag of packets: packets carry a VLAN tag
    pub cfg_local_vlan_on: Signal<Out, Bit>,
    /// address of the completion ring, a multiple of 64
    pub cfg_ring_base: Signal<Out, Bits<64>>,
    /// its places are 2 to the power of this
    pub cfg_ring_size_log2: Signal<Out, Bits<5>>,
    /// completions that software has taken, modulo 2^32
    pub cfg_ring_consumer: Signal<Out, Bits<32>>,
    /// completions written, modulo 2^32
    pub status_ring_producer: Signal<In, Bits<32>>,
    /// completions that wait until they interrupt
    pub cfg_coalesce_count: Signal<Out, Bits<16>>,
    /// ticks that the oldest waits at most until it interrupts; 0: none
    pub cfg_coalesce_delay: Signal<Out, Bits<32>>,
    /// what the send path is in: threshold and segment are not allowed: commands are refused
    pub status_send_state_config_error: Signal<In, Bit>,
    /// what the send path is in: what the CDMA driver is to work with cannot be
    pub status_send_state_cdma_config_error: Signal<In, Bit>,
    /// what the send path is in: the CDMA is given up; a reset begins anew
    pub status_send_state_cdma_dead: Signal<In, Bit>,
    /// commands under way
    pub status_commands_live: Signal<In, Bits<16>>,
    /// operations in flight
    pub status_ops_live: Signal<In, Bits<16>>,
    /// most operations in flight at once since reset
    pub status_ops_live_max: Signal<In, Bits<16>>,
    /// descriptors that the CDMA has not completed
    pub status_descriptors_out: Signal<In, Bits<16>>,
    /// bytes above which a command is large: cut into segments
    pub cfg_threshold: Signal<Out, Bits<32>>,
    /// bytes of a segment of a large command: a multiple of the packet size, as many packets as the mask has bits at most
    pub cfg_segment: Signal<Out, Bits<32>>,
    /// ticks that the first try of a packet waits for its acknowledgement; less than 2^29
    pub cfg_timeout: Signal<Out, Bits<32>>,
    /// ticks that any try waits at most; less than 2^29
    pub cfg_backoff_cap: Signal<Out, Bits<32>>,
    /// tries after the first until the operation fails
    pub cfg_retry_limit: Signal<Out, Bits<5>>,
    /// descriptors until the CDMA interrupts
    pub cfg_irq_threshold: Signal<Out, Bits<8>>,
    /// units of 125 clocks after which it does for fewer; 0: never
    pub cfg_irq_delay: Signal<Out, Bits<8>>,
    /// ticks that a reset of the CDMA or an access to its registers may take; not 0
    pub cfg_reset_timeout: Signal<Out, Bits<32>>,
    /// errors in a row, without a descriptor completed, that end the CDMA
    pub cfg_cdma_error_limit: Signal<Out, Bits<8>>,
    /// how the CDMA was made: it has addresses of more than 32 bits
    pub cfg_cdma_wide: Signal<Out, Bit>,
    /// our own node number
    pub cfg_source_node: Signal<Out, Bits<16>>,
    /// address of the send buffer as the CDMA sees it, a multiple of its size
    pub cfg_buffer_base: Signal<Out, Bits<64>>,
    /// address of the descriptor ring as the CDMA sees it, a multiple of its size
    pub cfg_sg_base: Signal<Out, Bits<64>>,
    /// number that comes back with the completion
    pub cfg_command_id: Signal<Out, Bits<16>>,
    /// address at the receiver, a multiple of the packet size
    pub cfg_command_target: Signal<Out, Bits<64>>,
    /// the receiver
    pub cfg_command_node: Signal<Out, Bits<16>>,
    /// queue pair there
    pub cfg_command_qp: Signal<Out, Bits<24>>,
    /// R_Key there
    pub cfg_command_rkey: Signal<Out, Bits<32>>,
    /// immediate
    pub cfg_command_imm: Signal<Out, Bits<32>>,
    /// what else it says: the last packet carries the immediate
    pub cfg_command_options_imm_valid: Signal<Out, Bit>,
    /// what else it says: the receiver's host is told when the data has arrived
    pub cfg_command_options_arrival: Signal<Out, Bit>,
    /// what else it says: source blocks, 1 to 4
    pub cfg_command_options_blocks: Signal<Out, Bits<3>>,
    /// address of the first source block
    pub cfg_command_source_0: Signal<Out, Bits<64>>,
    /// address of the second source block
    pub cfg_command_source_1: Signal<Out, Bits<64>>,
    /// address of the third source block
    pub cfg_command_source_2: Signal<Out, Bits<64>>,
    /// address of the fourth source block
    pub cfg_command_source_3: Signal<Out, Bits<64>>,
    /// bytes of the first source block
    pub cfg_command_bytes_0: Signal<Out, Bits<32>>,
    /// bytes of the second source block
    pub cfg_command_bytes_1: Signal<Out, Bits<32>>,
    /// bytes of the third source block
    pub cfg_command_bytes_2: Signal<Out, Bits<32>>,
    /// bytes of the fourth source block
    pub cfg_command_bytes_3: Signal<Out, Bits<32>>,
    /// posts a command: the values are a command; if the last one has not been taken, it is dropped
    pub do_command_post: Signal<Out, Bit>,
    /// whether a command can be posted: the last command posted has not been taken: another one would be dropped and counted
    pub status_command_state_busy: Signal<In, Bit>,
    /// node whose queue pair is opened or closed
    pub cfg_connection_index: Signal<Out, Bits<8>>,
    /// open: its first packet sequence number
    pub cfg_connection_psn: Signal<Out, Bits<24>>,
    /// opens and closes queue pairs: the queue pair is opened; nothing happens while `busy` is set
    pub do_connection_open: Signal<Out, Bit>,
    /// opens and closes queue pairs: it is closed; nothing happens while `busy` is set
    pub do_connection_close: Signal<Out, Bit>,
    /// what the queue pairs are in: an open or close is under way: index and number must stay
    pub status_connection_state_busy: Signal<In, Bit>,
    /// packets that a gap may be deep
    pub cfg_depth: Signal<Out, Bits<22>>,
    /// depth is 0: highest number less the gap's first, 1: the later packets since the gap was seen
    pub cfg_depth_mode: Signal<Out, Bit>,
    /// ticks that a gap may be open; less than 2^31
    pub cfg_wait: Signal<Out, Bits<32>>,
    /// ticks that the gap at the base may hold it; less than 2^31
    pub cfg_stall: Signal<Out, Bits<32>>,
    /// packets that may be accepted meanwhile; 0: any number
    pub cfg_stall_packets: Signal<Out, Bits<22>>,
    /// missing packets in lost gaps from which on they are told
    pub cfg_feedback_threshold: Signal<Out, Bits<16>>,
    /// ticks after which they are told all the same; less than 2^31
    pub cfg_feedback_wait: Signal<Out, Bits<32>>,
    /// ticks after which a gap that is still open is told again; less than 2^31
    pub cfg_refeedback: Signal<Out, Bits<32>>,
    /// 1: what has arrived above a gap is told by range acknowledgements
    pub cfg_range_ack: Signal<Out, Bit>,
    /// windows of one length: packets that a window moves by, a power of two up to those of a segment; set while no queue pair is open
    pub cfg_slide_step: Signal<Out, Bits<7>>,
    /// bounds of a window's length: pool: segments of a window at least, beyond that of its base
    pub cfg_window_length_base: Signal<Out, Bits<16>>,
    /// bounds of a window's length: pool: at most; never more than the longest window has
    pub cfg_window_length_most: Signal<Out, Bits<16>>,
    /// pool: bytes per tick; 0: windows have their base length
    pub cfg_bandwidth: Signal<Out, Bits<24>>,
    /// pool: round trip in ticks
    pub cfg_round_trip: Signal<Out, Bits<24>>,
    /// what a window's length is multiplied by: pool: length beyond bandwidth and round trip, sixteenths
    pub cfg_window_factors_headroom: Signal<Out, Bits<8>>,
    /// what a window's length is multiplied by: pool: what the load makes of that, sixteenths
    pub cfg_window_factors_load: Signal<Out, Bits<8>>,
    /// what a window's length is multiplied by: pool: sixteenths that congestion takes away, 16 at most
    pub cfg_window_factors_congestion: Signal<Out, Bits<5>>,
    /// pool: segments that a queue pair may hold; 0: any number
    pub cfg_qp_limit: Signal<Out, Bits<16>>,
    /// what the pool is at: segments that no window has
    pub status_pool_free: Signal<In, Bits<16>>,
    /// what the pool is at: the last command has opened no queue pair, for there was no segment
    pub status_pool_refused: Signal<In, Bit>,
    /// queue pair that has failed last: its retry limit was reached, or a write of it had failed
    pub status_connection_failed: Signal<In, Bits<8>>,
    /// number of our queue pair 0, to which node 0 tells; that of node k is k more. Its low bits are zero
    pub cfg_feedback_qp: Signal<Out, Bits<24>>,
    /// ticks for which a packet that was sent again is not asked for again
    pub cfg_dedup: Signal<Out, Bits<32>>,
    /// retransmissions: 0 single packets, 1 intervals, 2 aggregated
    pub cfg_rtx_mode: Signal<Out, Bits<2>>,
    /// ticks for which more packets may come until retransmissions begin, in mode 2
    pub cfg_aggregate: Signal<Out, Bits<32>>,
    /// packets between two that go together, in mode 2
    pub cfg_merge: Signal<Out, Bits<8>>,
    /// packets of a queue pair that are sent again and not acknowledged at most
    pub cfg_rtx_window: Signal<Out, Bits<16>>,
    /// ticks without progress until the timer of a queue pair runs out
    pub cfg_rto: Signal<Out, Bits<32>>,
    /// most of them, after doubling
    pub cfg_rto_cap: Signal<Out, Bits<32>>,
    /// times that it may run out in a row until the queue pair has failed
    pub cfg_rto_limit: Signal<Out, Bits<8>>,
    /// limit of the rate of all queue pairs: the rate of packets is limited
    pub cfg_rate_limit_on: Signal<Out, Bit>,
    /// limit of the rate of all queue pairs: packets that may be saved up
    pub cfg_rate_limit_burst: Signal<Out, Bits<16>>,
    /// bytes per tick
    pub cfg_rate: Signal<Out, Bits<24>>,
    /// bytes that each packet counts as
    pub cfg_rate_packet: Signal<Out, Bits<16>>,
    /// packets of a queue pair that may be open while its receiver has not told its window; 0: all of the window
    pub cfg_untold_window: Signal<Out, Bits<16>>,
    /// number of our queue pair 0, to which node 0 sends; that of node k is k more. Its low bits are zero
    pub cfg_data_qp: Signal<Out, Bits<24>>,
    /// queue pair whose receiving side was closed last because a write of it had failed
    pub status_write_failed: Signal<In, Bits<8>>,
    /// frames that came in
    pub evt_frames: Signal<In, Bit>,
    /// no IPv4 or IPv6 with UDP to port 4791
    pub evt_frame_not_udp_4791: Signal<In, Bit>,
    /// ended before its headers did, or an IP fragment
    pub evt_frame_truncated: Signal<In, Bit>,
    /// header version not 0
    pub evt_frame_bad_version: Signal<In, Bit>,
    /// opcode that the profile does not know
    pub evt_frame_unknown_opcode: Signal<In, Bit>,
    /// pad count larger than the payload
    pub evt_frame_bad_pad: Signal<In, Bit>,
    /// lengths of IP, UDP and RETH that disagree with the frame
    pub evt_frame_bad_length: Signal<In, Bit>,
    /// invariant CRC wrong, as the MAC side says
    pub evt_frame_icrc: Signal<In, Bit>,
    /// extension header with impossible values
    pub evt_frame_bad_extension: Signal<In, Bit>,
    /// queue pair that is not in the list
    pub evt_frame_not_our_qp: Signal<In, Bit>,
    /// well-formed, but no payload slot was free
    pub evt_frame_no_slot: Signal<In, Bit>,
    /// frame that the MAC side marked as damaged; the first check that it fails counts it too, frame_icrc at the latest
    pub evt_frame_mac_error: Signal<In, Bit>,
    /// well-formed, but no RDMA WRITE ONLY of at most a packet to one of our queue pairs, nor what a receiver tells
    pub evt_frame_foreign: Signal<In, Bit>,
    /// packets whose payload goes to memory
    pub evt_accepted: Signal<In, Bit>,
    /// packets that had arrived before
    pub evt_duplicate: Signal<In, Bit>,
    /// bursts written to memory
    pub evt_memory_bursts: Signal<In, Bit>,
    /// write responses with an error
    pub evt_memory_errors: Signal<In, Bit>,
    /// completions written to the ring or given to the stream
    pub evt_completions: Signal<In, Bit>,
    /// packets whose number was new
    pub evt_psn_new: Signal<In, Bit>,
    /// packets whose number had been reported before
    pub evt_psn_duplicate: Signal<In, Bit>,
    /// packets beyond the window
    pub evt_psn_out_of_window: Signal<In, Bit>,
    /// packets of closed queue pairs
    pub evt_psn_closed: Signal<In, Bit>,
    /// gaps seen
    pub evt_psn_gap: Signal<In, Bit>,
    /// gaps told by a feedback message
    pub evt_psn_report: Signal<In, Bit>,
    /// gaps told again
    pub evt_psn_repeat: Signal<In, Bit>,
    /// packets told as missing that came without having been sent again
    pub evt_psn_misjudged: Signal<In, Bit>,
    /// gap records that were missing: the last one covers more
    pub evt_psn_folded: Signal<In, Bit>,
    /// gap events dropped, for their queue pair lagged
    pub evt_psn_dropped: Signal<In, Bit>,
    /// queue pairs whose gap records began to lag
    pub evt_psn_falls_behind: Signal<In, Bit>,
    /// queue pairs whose gap records have caught up
    pub evt_psn_rebuilt: Signal<In, Bit>,
    /// acknowledgements by number sent
    pub evt_psn_ack: Signal<In, Bit>,
    /// feedback messages sent
    pub evt_psn_ffm: Signal<In, Bit>,
    /// range acknowledgements sent
    pub evt_psn_range: Signal<In, Bit>,
    /// acknowledgements and feedback messages not sent, for the node table lacks their node
    pub evt_psn_unknown_node: Signal<In, Bit>,
    /// segments that a window should have had while there was none
    pub evt_psn_pool_exhausted: Signal<In, Bit>,
    /// segments by which windows have become shorter
    pub evt_psn_window_shrunk: Signal<In, Bit>,
    /// packets dropped, for as many immediates wait as can
    pub evt_immediate_full: Signal<In, Bit>,
    /// commands that are not refused
    pub evt_commands: Signal<In, Bit>,
    /// segments cut, data arrivals among them
    pub evt_segments: Signal<In, Bit>,
    /// packets that the wire took, retransmissions too
    pub evt_packets: Signal<In, Bit>,
    /// messages that acknowledged something new
    pub evt_acks: Signal<In, Bit>,
    /// messages about packets that were acknowledged before
    pub evt_duplicate_acks: Signal<In, Bit>,
    /// negative messages about packets that were not acknowledged
    pub evt_nacks: Signal<In, Bit>,
    /// messages about anything else; they change nothing
    pub evt_stale_acks: Signal<In, Bit>,
    /// packets asked for because their timer ran out
    pub evt_timeouts: Signal<In, Bit>,
    /// retransmissions that the wire took
    pub evt_retransmissions: Signal<In, Bit>,
    /// operations that failed
    pub evt_failures: Signal<In, Bit>,
    /// aborts sent: the receiver is told that an operation will not go on
    pub evt_aborts: Signal<In, Bit>,
    /// data arrivals that were not acknowledged
    pub evt_arrival_failed: Signal<In, Bit>,
    /// acknowledgements that found no room
    pub evt_acks_dropped: Signal<In, Bit>,
    /// negative acknowledgements that found no room; the timers of their packets repeat them
    pub evt_nacks_dropped: Signal<In, Bit>,
    /// commands refused: an empty block
    pub evt_refused_bytes_zero: Signal<In, Bit>,
    /// commands refused: target no multiple of the packet size
    pub evt_refused_misaligned_target: Signal<In, Bit>,
    /// commands refused: a range passes the end of memory, or too many bytes
    pub evt_refused_wraps: Signal<In, Bit>,
    /// commands refused: a source not aligned as the CDMA needs it
    pub evt_refused_misaligned_source: Signal<In, Bit>,
    /// commands refused: threshold or segment not allowed
    pub evt_refused_bad_configuration: Signal<In, Bit>,
    /// commands refused: a segment of more bytes than the CDMA takes
    pub evt_refused_too_long: Signal<In, Bit>,
    /// loads that the CDMA driver refused
    pub evt_refused_loads: Signal<In, Bit>,
    /// descriptors completed
    pub evt_descriptors: Signal<In, Bit>,
    /// errors of the CDMA
    pub evt_cdma_errors: Signal<In, Bit>,
    /// soft resets of the CDMA, the one before the first start included
    pub evt_cdma_resets: Signal<In, Bit>,
    /// data frames sent, aborts among them
    pub evt_data_frames: Signal<In, Bit>,
    /// retransmissions and aborts thrown away: their operation is over
    pub evt_stale_packets: Signal<In, Bit>,
    /// packets and aborts not sent, for the node table lacks their node
    pub evt_unknown_node: Signal<In, Bit>,
    /// writes to the send buffer that were answered with an error
    pub evt_buffer_write_refused: Signal<In, Bit>,
    /// reads of the send buffer by AXI, all of which are answered with an error
    pub evt_buffer_read_refused: Signal<In, Bit>,
    /// commands posted before the last one was taken
    pub evt_posts_dropped: Signal<In, Bit>,
    /// acknowledgements by number that came in
    pub evt_number_ack: Signal<In, Bit>,
    /// range acknowledgements that came in
    pub evt_number_range: Signal<In, Bit>,
    /// feedback messages that came in
    pub evt_number_ffm: Signal<In, Bit>,
    /// negative acknowledgements by number that came in; they change nothing
    pub evt_number_negative: Signal<In, Bit>,
    /// messages with a packet sequence number that is none
    pub evt_number_malformed: Signal<In, Bit>,
    /// messages for queue pairs that are not ours
    pub evt_number_unknown_qp: Signal<In, Bit>,
    /// feedback messages for which there was no room
    pub evt_number_dropped: Signal<In, Bit>,
    /// acknowledgements that name what they cannot
    pub evt_bad_ack: Signal<In, Bit>,
    /// timers of queue pairs that have run out
    pub evt_rto: Signal<In, Bit>,
    /// packets that the wire took again by their number
    pub evt_selective_retransmissions: Signal<In, Bit>,
    /// packets that went without a frame: their queue pair is closed or in error
    pub evt_void: Signal<In, Bit>,
    /// queue pairs whose retry limit was reached
    pub evt_queue_pair_errors: Signal<In, Bit>,
    slave: AxiLiteSlave<A, WA>,
    counters: CounterBank<79, 7, 8, 8>,
    events: Signal<Local, Bits<79>>,
    in_counters: Signal<Local, Bit>,
    pair_of_words: Signal<Local, Bits<9>>,
    counter_number: Signal<Local, Bits<7>>,
    scratch: Reg<Bits<32>>,
    scratch_reset: Constant<Bits<32>>,
    control_enable: Reg<Bit>,
    control_enable_reset: Constant<Bit>,
    control_soft_reset: Reg<Bit>,
    control_clear_counters: Reg<Bit>,
    interrupt_status_completion: Reg<Bit>,
    interrupt_status_ring_full: Reg<Bit>,
    interrupt_status_write_error: Reg<Bit>,
    interrupt_status_ring_error: Reg<Bit>,
    interrupt_status_frame_dropped: Reg<Bit>,
    interrupt_status_cdma_dead: Reg<Bit>,
    interrupt_status_config_error: Reg<Bit>,
    interrupt_status_post_dropped: Reg<Bit>,
    interrupt_status_connection_failed: Reg<Bit>,
    interrupt_enable_completion: Reg<Bit>,
    interrupt_enable_completion_reset: Constant<Bit>,
    interrupt_enable_ring_full: Reg<Bit>,
    interrupt_enable_ring_full_reset: Constant<Bit>,
    interrupt_enable_write_error: Reg<Bit>,
    interrupt_enable_write_error_reset: Constant<Bit>,
    interrupt_enable_ring_error: Reg<Bit>,
    interrupt_enable_ring_error_reset: Constant<Bit>,
    interrupt_enable_frame_dropped: Reg<Bit>,
    interrupt_enable_frame_dropped_reset: Constant<Bit>,
    interrupt_enable_cdma_dead: Reg<Bit>,
    interrupt_enable_cdma_dead_reset: Constant<Bit>,
    interrupt_enable_config_error: Reg<Bit>,
    interrupt_enable_config_error_reset: Constant<Bit>,
    interrupt_enable_post_dropped: Reg<Bit>,
    interrupt_enable_post_dropped_reset: Constant<Bit>,
    interrupt_enable_connection_failed: Reg<Bit>,
    interrupt_enable_connection_failed_reset: Constant<Bit>,
    prescale: Reg<Bits<16>>,
    prescale_reset: Constant<Bits<16>>,
    t_life: Reg<Bits<32>>,
    t_life_reset: Constant<Bits<32>>,
    qp_index: Reg<Bits<8>>,
    qp_index_reset: Constant<Bits<8>>,
    qp_entry_number: Reg<Bits<24>>,
    qp_entry_number_reset: Constant<Bits<24>>,
    qp_entry_valid: Reg<Bit>,
    qp_entry_valid_reset: Constant<Bit>,
    qp_load: Reg<Bit>,
    node_index: Reg<Bits<8>>,
    node_index_reset: Constant<Bits<8>>,
    node_mac_low: Reg<Bits<32>>,
    node_mac_low_reset: Constant<Bits<32>>,
    node_mac_high: Reg<Bits<16>>,
    node_mac_high_reset: Constant<Bits<16>>,
    node_ip_0: Reg<Bits<32>>,
    node_ip_0_reset: Constant<Bits<32>>,
    node_ip_1: Reg<Bits<32>>,
    node_ip_1_reset: Constant<Bits<32>>,
    node_ip_2: Reg<Bits<32>>,
    node_ip_2_reset: Constant<Bits<32>>,
    node_ip_3: Reg<Bits<32>>,
    node_ip_3_reset: Constant<Bits<32>>,
    node_qp_number: Reg<Bits<24>>,
    node_qp_number_reset: Constant<Bits<24>>,
    node_qp_ipv6: Reg<Bit>,
    node_qp_ipv6_reset: Constant<Bit>,
    node_qp_valid: Reg<Bit>,
    node_qp_valid_reset: Constant<Bit>,
    node_load: Reg<Bit>,
    local_mac_low: Reg<Bits<32>>,
    local_mac_low_reset: Constant<Bits<32>>,
    local_mac_high: Reg<Bits<16>>,
    local_mac_high_reset: Constant<Bits<16>>,
    local_ip_0: Reg<Bits<32>>,
    local_ip_0_reset: Constant<Bits<32>>,
    local_ip_1: Reg<Bits<32>>,
    local_ip_1_reset: Constant<Bits<32>>,
    local_ip_2: Reg<Bits<32>>,
    local_ip_2_reset: Constant<Bits<32>>,
    local_ip_3: Reg<Bits<32>>,
    local_ip_3_reset: Constant<Bits<32>>,
    local_udp_source_port: Reg<Bits<16>>,
    local_udp_source_port_reset: Constant<Bits<16>>,
    local_udp_hop_limit: Reg<Bits<8>>,
    local_udp_hop_limit_reset: Constant<Bits<8>>,
    local_udp_traffic_class: Reg<Bits<8>>,
    local_udp_traffic_class_reset: Constant<Bits<8>>,
    local_pkey: Reg<Bits<16>>,
    local_pkey_reset: Constant<Bits<16>>,
    local_vlan_tag: Reg<Bits<16>>,
    local_vlan_tag_reset: Constant<Bits<16>>,
    local_vlan_on: Reg<Bit>,
    local_vlan_on_reset: Constant<Bit>,
    ring_base_low: Reg<Bits<32>>,
    ring_base_low_reset: Constant<Bits<32>>,
    ring_base_high: Reg<Bits<32>>,
    ring_base_high_reset: Constant<Bits<32>>,
    ring_size_log2: Reg<Bits<5>>,
    ring_size_log2_reset: Constant<Bits<5>>,
    ring_consumer: Reg<Bits<32>>,
    ring_consumer_reset: Constant<Bits<32>>,
    coalesce_count: Reg<Bits<16>>,
    coalesce_count_reset: Constant<Bits<16>>,
    coalesce_delay: Reg<Bits<32>>,
    coalesce_delay_reset: Constant<Bits<32>>,
    threshold: Reg<Bits<32>>,
    threshold_reset: Constant<Bits<32>>,
    segment: Reg<Bits<32>>,
    segment_reset: Constant<Bits<32>>,
    timeout: Reg<Bits<32>>,
    timeout_reset: Constant<Bits<32>>,
    backoff_cap: Reg<Bits<32>>,
    backoff_cap_reset: Constant<Bits<32>>,
    retry_limit: Reg<Bits<5>>,
    retry_limit_reset: Constant<Bits<5>>,
    irq_threshold: Reg<Bits<8>>,
    irq_threshold_reset: Constant<Bits<8>>,
    irq_delay: Reg<Bits<8>>,
    irq_delay_reset: Constant<Bits<8>>,
    reset_timeout: Reg<Bits<32>>,
    reset_timeout_reset: Constant<Bits<32>>,
    cdma_error_limit: Reg<Bits<8>>,
    cdma_error_limit_reset: Constant<Bits<8>>,
    cdma_wide: Reg<Bit>,
    cdma_wide_reset: Constant<Bit>,
    source_node: Reg<Bits<16>>,
    source_node_reset: Constant<Bits<16>>,
    buffer_base_low: Reg<Bits<32>>,
    buffer_base_low_reset: Constant<Bits<32>>,
    buffer_base_high: Reg<Bits<32>>,
    buffer_base_high_reset: Constant<Bits<32>>,
    sg_base_low: Reg<Bits<32>>,
    sg_base_low_reset: Constant<Bits<32>>,
    sg_base_high: Reg<Bits<32>>,
    sg_base_high_reset: Constant<Bits<32>>,
    command_id: Reg<Bits<16>>,
    command_id_reset: Constant<Bits<16>>,
    command_target_low: Reg<Bits<32>>,
    command_target_low_reset: Constant<Bits<32>>,
    command_target_high: Reg<Bits<32>>,
    command_target_high_reset: Constant<Bits<32>>,
    command_node: Reg<Bits<16>>,
    command_node_reset: Constant<Bits<16>>,
    command_qp: Reg<Bits<24>>,
    command_qp_reset: Constant<Bits<24>>,
    command_rkey: Reg<Bits<32>>,
    command_rkey_reset: Constant<Bits<32>>,
    command_imm: Reg<Bits<32>>,
    command_imm_reset: Constant<Bits<32>>,
    command_options_imm_valid: Reg<Bit>,
    command_options_imm_valid_reset: Constant<Bit>,
    command_options_arrival: Reg<Bit>,
    command_options_arrival_reset: Constant<Bit>,
    command_options_blocks: Reg<Bits<3>>,
    command_options_blocks_reset: Constant<Bits<3>>,
    command_source_0_low: Reg<Bits<32>>,
    command_source_0_low_reset: Constant<Bits<32>>,
    command_source_0_high: Reg<Bits<32>>,
    command_source_0_high_reset: Constant<Bits<32>>,
    command_source_1_low: Reg<Bits<32>>,
    command_source_1_low_reset: Constant<Bits<32>>,
    command_source_1_high: Reg<Bits<32>>,
    command_source_1_high_reset: Constant<Bits<32>>,
    command_source_2_low: Reg<Bits<32>>,
    command_source_2_low_reset: Constant<Bits<32>>,
    command_source_2_high: Reg<Bits<32>>,
    command_source_2_high_reset: Constant<Bits<32>>,
    command_source_3_low: Reg<Bits<32>>,
    command_source_3_low_reset: Constant<Bits<32>>,
    command_source_3_high: Reg<Bits<32>>,
    command_source_3_high_reset: Constant<Bits<32>>,
    command_bytes_0: Reg<Bits<32>>,
    command_bytes_0_reset: Constant<Bits<32>>,
    command_bytes_1: Reg<Bits<32>>,
    command_bytes_1_reset: Constant<Bits<32>>,
    command_bytes_2: Reg<Bits<32>>,
    command_bytes_2_reset: Constant<Bits<32>>,
    command_bytes_3: Reg<Bits<32>>,
    command_bytes_3_reset: Constant<Bits<32>>,
    command_post: Reg<Bit>,
    connection_index: Reg<Bits<8>>,
    connection_index_reset: Constant<Bits<8>>,
    connection_psn: Reg<Bits<24>>,
    connection_psn_reset: Constant<Bits<24>>,
    connection_open: Reg<Bit>,
    connection_close: Reg<Bit>,
    depth: Reg<Bits<22>>,
    depth_reset: Constant<Bits<22>>,
    depth_mode: Reg<Bit>,
    depth_mode_reset: Constant<Bit>,
    wait: Reg<Bits<32>>,
    wait_reset: Constant<Bits<32>>,
    stall: Reg<Bits<32>>,
    stall_reset: Constant<Bits<32>>,
    stall_packets: Reg<Bits<22>>,
    stall_packets_reset: Constant<Bits<22>>,
    feedback_threshold: Reg<Bits<16>>,
    feedback_threshold_reset: Constant<Bits<16>>,
    feedback_wait: Reg<Bits<32>>,
    feedback_wait_reset: Constant<Bits<32>>,
    refeedback: Reg<Bits<32>>,
    refeedback_reset: Constant<Bits<32>>,
    range_ack: Reg<Bit>,
    range_ack_reset: Constant<Bit>,
    slide_step: Reg<Bits<7>>,
    slide_step_reset: Constant<Bits<7>>,
    window_length_base: Reg<Bits<16>>,
    window_length_base_reset: Constant<Bits<16>>,
    window_length_most: Reg<Bits<16>>,
    window_length_most_reset: Constant<Bits<16>>,
    bandwidth: Reg<Bits<24>>,
    bandwidth_reset: Constant<Bits<24>>,
    round_trip: Reg<Bits<24>>,
    round_trip_reset: Constant<Bits<24>>,
    window_factors_headroom: Reg<Bits<8>>,
    window_factors_headroom_reset: Constant<Bits<8>>,
    window_factors_load: Reg<Bits<8>>,
    window_factors_load_reset: Constant<Bits<8>>,
    window_factors_congestion: Reg<Bits<5>>,
    window_factors_congestion_reset: Constant<Bits<5>>,
    qp_limit: Reg<Bits<16>>,
    qp_limit_reset: Constant<Bits<16>>,
    feedback_qp: Reg<Bits<24>>,
    feedback_qp_reset: Constant<Bits<24>>,
    dedup: Reg<Bits<32>>,
    dedup_reset: Constant<Bits<32>>,
    rtx_mode: Reg<Bits<2>>,
    rtx_mode_reset: Constant<Bits<2>>,
    aggregate: Reg<Bits<32>>,
    aggregate_reset: Constant<Bits<32>>,
    merge: Reg<Bits<8>>,
    merge_reset: Constant<Bits<8>>,
    rtx_window: Reg<Bits<16>>,
    rtx_window_reset: Constant<Bits<16>>,
    rto: Reg<Bits<32>>,
    rto_reset: Constant<Bits<32>>,
    rto_cap: Reg<Bits<32>>,
    rto_cap_reset: Constant<Bits<32>>,
    rto_limit: Reg<Bits<8>>,
    rto_limit_reset: Constant<Bits<8>>,
    rate_limit_on: Reg<Bit>,
    rate_limit_on_reset: Constant<Bit>,
    rate_limit_burst: Reg<Bits<16>>,
    rate_limit_burst_reset: Constant<Bits<16>>,
    rate: Reg<Bits<24>>,
    rate_reset: Constant<Bits<24>>,
    rate_packet: Reg<Bits<16>>,
    rate_packet_reset: Constant<Bits<16>>,
    untold_window: Reg<Bits<16>>,
    untold_window_reset: Constant<Bits<16>>,
    data_qp: Reg<Bits<24>>,
    data_qp_reset: Constant<Bits<24>>,
    id_constant: Constant<Bits<32>>,
    version_constant: Constant<Bits<32>>,
    capability_operation_constant: Constant<Bits<32>>,
    capability_source_constant: Constant<Bits<32>>,
    capability_buffer_constant: Constant<Bits<32>>,
    capability_bus_constant: Constant<Bits<32>>,
    capability_host_constant: Constant<Bits<32>>,
    control_word: Signal<Local, Bits<32>>,
    state_word: Signal<Local, Bits<32>>,
    interrupt_status_word: Signal<Local, Bits<32>>,
    interrupt_enable_word: Signal<Local, Bits<32>>,
    prescale_word: Signal<Local, Bits<32>>,
    qp_index_word: Signal<Local, Bits<32>>,
    qp_entry_word: Signal<Local, Bits<32>>,
    qp_word: Signal<Local, Bits<32>>,
    node_index_word: Signal<Local, Bits<32>>,
    node_mac_high_word: Signal<Local, Bits<32>>,
    node_qp_word: Signal<Local, Bits<32>>,
    node_word: Signal<Local, Bits<32>>,
    local_mac_high_word: Signal<Local, Bits<32>>,
    local_udp_word: Signal<Local, Bits<32>>,
    local_pkey_word: Signal<Local, Bits<32>>,
    local_vlan_word: Signal<Local, Bits<32>>,
    ring_size_log2_word: Signal<Local, Bits<32>>,
    coalesce_count_word: Signal<Local, Bits<32>>,
    capability_send_constant: Constant<Bits<32>>,
    capability_send_dma_constant: Constant<Bits<32>>,
    send_state_word: Signal<Local, Bits<32>>,
    commands_live_word: Signal<Local, Bits<32>>,
    ops_live_word: Signal<Local, Bits<32>>,
    ops_live_max_word: Signal<Local, Bits<32>>,
    descriptors_out_word: Signal<Local, Bits<32>>,
    retry_limit_word: Signal<Local, Bits<32>>,
    irq_threshold_word: Signal<Local, Bits<32>>,
    irq_delay_word: Signal<Local, Bits<32>>,
    cdma_error_limit_word: Signal<Local, Bits<32>>,
    cdma_word: Signal<Local, Bits<32>>,
    source_node_word: Signal<Local, Bits<32>>,
    command_id_word: Signal<Local, Bits<32>>,
    command_node_word: Signal<Local, Bits<32>>,
    command_qp_word: Signal<Local, Bits<32>>,
    command_options_word: Signal<Local, Bits<32>>,
    command_word: Signal<Local, Bits<32>>,
    command_state_word: Signal<Local, Bits<32>>,
    capability_connection_constant: Constant<Bits<32>>,
    connection_index_word: Signal<Local, Bits<32>>,
    connection_psn_word: Signal<Local, Bits<32>>,
    connection_word: Signal<Local, Bits<32>>,
    connection_state_word: Signal<Local, Bits<32>>,
    depth_word: Signal<Local, Bits<32>>,
    depth_mode_word: Signal<Local, Bits<32>>,
    stall_packets_word: Signal<Local, Bits<32>>,
    feedback_threshold_word: Signal<Local, Bits<32>>,
    range_ack_word: Signal<Local, Bits<32>>,
    slide_step_word: Signal<Local, Bits<32>>,
    window_length_word: Signal<Local, Bits<32>>,
    bandwidth_word: Signal<Local, Bits<32>>,
    round_trip_word: Signal<Local, Bits<32>>,
    window_factors_word: Signal<Local, Bits<32>>,
    qp_limit_word: Signal<Local, Bits<32>>,
    pool_word: Signal<Local, Bits<32>>,
    connection_failed_word: Signal<Local, Bits<32>>,
    feedback_qp_word: Signal<Local, Bits<32>>,
    rtx_mode_word: Signal<Local, Bits<32>>,
    merge_word: Signal<Local, Bits<32>>,
    rtx_window_word: Signal<Local, Bits<32>>,
    rto_limit_word: Signal<Local, Bits<32>>,
    rate_limit_word: Signal<Local, Bits<32>>,
    rate_word: Signal<Local, Bits<32>>,
    rate_packet_word: Signal<Local, Bits<32>>,
    untold_window_word: Signal<Local, Bits<32>>,
    data_qp_word: Signal<Local, Bits<32>>,
    write_failed_word: Signal<Local, Bits<32>>,
    row: Signal<Local, Bits<6>>,
    column: Signal<Local, Bits<4>>,
    row_0: Reg<Bits<32>>,
    row_1: Reg<Bits<32>>,
    row_2: Reg<Bits<32>>,
    row_4: Reg<Bits<32>>,
    row_5: Reg<Bits<32>>,
    row_6: Reg<Bits<32>>,
    row_7: Reg<Bits<32>>,
    row_8: Reg<Bits<32>>,
    row_9: Reg<Bits<32>>,
    row_10: Reg<Bits<32>>,
    row_11: Reg<Bits<32>>,
    row_12: Reg<Bits<32>>,
    row_13: Reg<Bits<32>>,
    row_14: Reg<Bits<32>>,
    row_15: Reg<Bits<32>>,
    valid_1: Reg<Bit>,
    write_1: Reg<Bit>,
    allowed_1: Reg<Bit>,
    word_1: Reg<Bits<WA>>,
    data_1: Reg<Bits<32>>,
    mask_1: Reg<Bits<32>>,
    valid_2: Reg<Bit>,
    write_2: Reg<Bit>,
    error_2: Reg<Bit>,
    data_2: Reg<Bits<32>>,
    keep: Signal<Local, Bits<32>>,
    row_of_1: Signal<Local, Bits<6>>,
    irq_now: Reg<Bit>,
    #[variant]
    _map: RegisterMap,
}

impl<const A: usize, const WA: usize> Default for BitmapEndpointRegisters<A, WA> {
    /// As the profile `default`.
    fn default() -> Self {
        Self::new(&Parameters::default())
    }
}

impl<const A: usize, const WA: usize> BitmapEndpointRegisters<A, WA> {
    /// The registers with the constants and reset values that these parameters give.
    pub fn new(parameters: &Parameters) -> Self {
        assert!(A == 12 && WA == 10, "BitmapEndpointRegisters: A = {A}, WA = {WA}; the map needs 12 and 10");
        let map = registers(parameters);
        Self {
            clk: Default::default(),
            rst: Default::default(),
            s_axi_awvalid: Default::default(),
            s_axi_awready: Default::default(),
            s_axi_awaddr: Default::default(),
            s_axi_awprot: Default::default(),
            s_axi_wvalid: Default::default(),
            s_axi_wready: Default::default(),
            s_axi_wdata: Default::default(),
            s_axi_wstrb: Default::default(),
            s_axi_bvalid: Default::default(),
            s_axi_bready: Default::default(),
            s_axi_bresp: Default::default(),
            s_axi_arvalid: Default::default(),
            s_axi_arready: Default::default(),
            s_axi_araddr: Default::default(),
            s_axi_arprot: Default::default(),
            s_axi_rvalid: Default::default(),
            s_axi_rready: Default::default(),
            s_axi_rdata: Default::default(),
            s_axi_rresp: Default::default(),
            irq: Default::default(),
            cfg_scratch: Default::default(),
            cfg_control_enable: Default::default(),
            do_control_soft_reset: Default::default(),
            do_control_clear_counters: Default::default(),
            status_state_idle: Default::default(),
            status_state_ready: Default::default(),
            set_interrupt_status_completion: Default::default(),
            set_interrupt_status_ring_full: Default::default(),
            set_interrupt_status_write_error: Default::default(),
            set_interrupt_status_ring_error: Default::default(),
            set_interrupt_status_frame_dropped: Default::default(),
            set_interrupt_status_cdma_dead: Default::default(),
            set_interrupt_status_config_error: Default::default(),
            set_interrupt_status_post_dropped: Default::default(),
            set_interrupt_status_connection_failed: Default::default(),
            cfg_interrupt_enable_completion: Default::default(),
            cfg_interrupt_enable_ring_full: Default::default(),
            cfg_interrupt_enable_write_error: Default::default(),
            cfg_interrupt_enable_ring_error: Default::default(),
            cfg_interrupt_enable_frame_dropped: Default::default(),
            cfg_interrupt_enable_cdma_dead: Default::default(),
            cfg_interrupt_enable_config_error: Default::default(),
            cfg_interrupt_enable_post_dropped: Default::default(),
            cfg_interrupt_enable_connection_failed: Default::default(),
            status_now: Default::default(),
            cfg_prescale: Default::default(),
            cfg_t_life: Default::default(),
            cfg_qp_index: Default::default(),
            cfg_qp_entry_number: Default::default(),
            cfg_qp_entry_valid: Default::default(),
            do_qp_load: Default::default(),
            cfg_node_index: Default::default(),
            cfg_node_mac: Default::default(),
            cfg_node_ip_0: Default::default(),
            cfg_node_ip_1: Default::default(),
            cfg_node_ip_2: Default::default(),
            cfg_node_ip_3: Default::default(),
            cfg_node_qp_number: Default::default(),
            cfg_node_qp_ipv6: Default::default(),
            cfg_node_qp_valid: Default::default(),
            do_node_load: Default::default(),
            cfg_local_mac: Default::default(),
            cfg_local_ip_0: Default::default(),
            cfg_local_ip_1: Default::default(),
            cfg_local_ip_2: Default::default(),
            cfg_local_ip_3: Default::default(),
            cfg_local_udp_source_port: Default::default(),
            cfg_local_udp_hop_limit: Default::default(),
            cfg_local_udp_traffic_class: Default::default(),
            cfg_local_pkey: Default::default(),
            cfg_local_vlan_tag: Default::default(),
            cfg_local_vlan_on: Default::default(),
            cfg_ring_base: Default::default(),
            cfg_ring_size_log2: Default::default(),
            cfg_ring_consumer: Default::default(),
            status_ring_producer: Default::default(),
            cfg_coalesce_count: Default::default(),
            cfg_coalesce_delay: Default::default(),
            status_send_state_config_error: Default::default(),
            status_send_state_cdma_config_error: Default::default(),
            status_send_state_cdma_dead: Default::default(),
            status_commands_live: Default::default(),
            status_ops_live: Default::default(),
            status_ops_live_max: Default::default(),
            status_descriptors_out: Default::default(),
            cfg_threshold: Default::default(),
            cfg_segment: Default::default(),
            cfg_timeout: Default::default(),
            cfg_backoff_cap: Default::default(),
            cfg_retry_limit: Default::default(),
            cfg_irq_threshold: Default::default(),
            cfg_irq_delay: Default::default(),
            cfg_reset_timeout: Default::default(),
            cfg_cdma_error_limit: Default::default(),
            cfg_cdma_wide: Default::default(),
            cfg_source_node: Default::default(),
            cfg_buffer_base: Default::default(),
            cfg_sg_base: Default::default(),
            cfg_command_id: Default::default(),
            cfg_command_target: Default::default(),
            cfg_command_node: Default::default(),
            cfg_command_qp: Default::default(),
            cfg_command_rkey: Default::default(),
            cfg_command_imm: Default::default(),
            cfg_command_options_imm_valid: Default::default(),
            cfg_command_options_arrival: Default::default(),
            cfg_command_options_blocks: Default::default(),
            cfg_command_source_0: Default::default(),
            cfg_command_source_1: Default::default(),
            cfg_command_source_2: Default::default(),
            cfg_command_source_3: Default::default(),
            cfg_command_bytes_0: Default::default(),
            cfg_command_bytes_1: Default::default(),
            cfg_command_bytes_2: Default::default(),
            cfg_command_bytes_3: Default::default(),
            do_command_post: Default::default(),
            status_command_state_busy: Default::default(),
            cfg_connection_index: Default::default(),
            cfg_connection_psn: Default::default(),
            do_connection_open: Default::default(),
            do_connection_close: Default::default(),
            status_connection_state_busy: Default::default(),
            cfg_depth: Default::default(),
            cfg_depth_mode: Default::default(),
            cfg_wait: Default::default(),
            cfg_stall: Default::default(),
            cfg_stall_packets: Default::default(),
            cfg_feedback_threshold: Default::default(),
            cfg_feedback_wait: Default::default(),
            cfg_refeedback: Default::default(),
            cfg_range_ack: Default::default(),
            cfg_slide_step: Default::default(),
            cfg_window_length_base: Default::default(),
            cfg_window_length_most: Default::default(),
            cfg_bandwidth: Default::default(),
            cfg_round_trip: Default::default(),
            cfg_window_factors_headroom: Default::default(),
            cfg_window_factors_load: Default::default(),
            cfg_window_factors_congestion: Default::default(),
            cfg_qp_limit: Default::default(),
            status_pool_free: Default::default(),
            status_pool_refused: Default::default(),
            status_connection_failed: Default::default(),
            cfg_feedback_qp: Default::default(),
            cfg_dedup: Default::default(),
            cfg_rtx_mode: Default::default(),
            cfg_aggregate: Default::default(),
            cfg_merge: Default::default(),
            cfg_rtx_window: Default::default(),
            cfg_rto: Default::default(),
            cfg_rto_cap: Default::default(),
            cfg_rto_limit: Default::default(),
            cfg_rate_limit_on: Default::default(),
            cfg_rate_limit_burst: Default::default(),
            cfg_rate: Default::default(),
            cfg_rate_packet: Default::default(),
            cfg_untold_window: Default::default(),
            cfg_data_qp: Default::default(),
            status_write_failed: Default::default(),
            evt_frames: Default::default(),
            evt_frame_not_udp_4791: Default::default(),
            evt_frame_truncated: Default::default(),
            evt_frame_bad_version: Default::default(),
            evt_frame_unknown_opcode: Default::default(),
            evt_frame_bad_pad: Default::default(),
            evt_frame_bad_length: Default::default(),
            evt_frame_icrc: Default::default(),
            evt_frame_bad_extension: Default::default(),
            evt_frame_not_our_qp: Default::default(),
            evt_frame_no_slot: Default::default(),
            evt_frame_mac_error: Default::default(),
            evt_frame_foreign: Default::default(),
            evt_accepted: Default::default(),
            evt_duplicate: Default::default(),
            evt_memory_bursts: Default::default(),
            evt_memory_errors: Default::default(),
            evt_completions: Default::default(),
            evt_psn_new: Default::default(),
            evt_psn_duplicate: Default::default(),
            evt_psn_out_of_window: Default::default(),
            evt_psn_closed: Default::default(),
            evt_psn_gap: Default::default(),
            evt_psn_report: Default::default(),
            evt_psn_repeat: Default::default(),
            evt_psn_misjudged: Default::default(),
            evt_psn_folded: Default::default(),
            evt_psn_dropped: Default::default(),
            evt_psn_falls_behind: Default::default(),
            evt_psn_rebuilt: Default::default(),
            evt_psn_ack: Default::default(),
            evt_psn_ffm: Default::default(),
            evt_psn_range: Default::default(),
            evt_psn_unknown_node: Default::default(),
            evt_psn_pool_exhausted: Default::default(),
            evt_psn_window_shrunk: Default::default(),
            evt_immediate_full: Default::default(),
            evt_commands: Default::default(),
            evt_segments: Default::default(),
            evt_packets: Default::default(),
            evt_acks: Default::default(),
            evt_duplicate_acks: Default::default(),
            evt_nacks: Default::default(),
            evt_stale_acks: Default::default(),
            evt_timeouts: Default::default(),
            evt_retransmissions: Default::default(),
            evt_failures: Default::default(),
            evt_aborts: Default::default(),
            evt_arrival_failed: Default::default(),
            evt_acks_dropped: Default::default(),
            evt_nacks_dropped: Default::default(),
            evt_refused_bytes_zero: Default::default(),
            evt_refused_misaligned_target: Default::default(),
            evt_refused_wraps: Default::default(),
            evt_refused_misaligned_source: Default::default(),
            evt_refused_bad_configuration: Default::default(),
            evt_refused_too_long: Default::default(),
            evt_refused_loads: Default::default(),
            evt_descriptors: Default::default(),
            evt_cdma_errors: Default::default(),
            evt_cdma_resets: Default::default(),
            evt_data_frames: Default::default(),
            evt_stale_packets: Default::default(),
            evt_unknown_node: Default::default(),
            evt_buffer_write_refused: Default::default(),
            evt_buffer_read_refused: Default::default(),
            evt_posts_dropped: Default::default(),
            evt_number_ack: Default::default(),
            evt_number_range: Default::default(),
            evt_number_ffm: Default::default(),
            evt_number_negative: Default::default(),
            evt_number_malformed: Default::default(),
            evt_number_unknown_qp: Default::default(),
            evt_number_dropped: Default::default(),
            evt_bad_ack: Default::default(),
            evt_rto: Default::default(),
            evt_selective_retransmissions: Default::default(),
            evt_void: Default::default(),
            evt_queue_pair_errors: Default::default(),
            slave: Default::default(),
            counters: Default::default(),
            events: Default::default(),
            in_counters: Default::default(),
            pair_of_words: Default::default(),
            counter_number: Default::default(),
            scratch: Default::default(),
            scratch_reset: Constant::new(map.reset_bits("scratch", 0, 32).to_bits()),
            control_enable: Default::default(),
            control_enable_reset: Constant::new(map.reset_bits("control", 0, 1) == 1),
            control_soft_reset: Default::default(),
            control_clear_counters: Default::default(),
            interrupt_status_completion: Default::default(),
            interrupt_status_ring_full: Default::default(),
            interrupt_status_write_error: Default::default(),
            interrupt_status_ring_error: Default::default(),
            interrupt_status_frame_dropped: Default::default(),
            interrupt_status_cdma_dead: Default::default(),
            interrupt_status_config_error: Default::default(),
            interrupt_status_post_dropped: Default::default(),
            interrupt_status_connection_failed: Default::default(),
            interrupt_enable_completion: Default::default(),
            interrupt_enable_completion_reset: Constant::new(map.reset_bits("interrupt_enable", 0, 1) == 1),
            interrupt_enable_ring_full: Default::default(),
            interrupt_enable_ring_full_reset: Constant::new(map.reset_bits("interrupt_enable", 1, 1) == 1),
            interrupt_enable_write_error: Default::default(),
            interrupt_enable_write_error_reset: Constant::new(map.reset_bits("interrupt_enable", 2, 1) == 1),
            interrupt_enable_ring_error: Default::default(),
            interrupt_enable_ring_error_reset: Constant::new(map.reset_bits("interrupt_enable", 3, 1) == 1),
            interrupt_enable_frame_dropped: Default::default(),
            interrupt_enable_frame_dropped_reset: Constant::new(map.reset_bits("interrupt_enable", 4, 1) == 1),
            interrupt_enable_cdma_dead: Default::default(),
            interrupt_enable_cdma_dead_reset: Constant::new(map.reset_bits("interrupt_enable", 5, 1) == 1),
            interrupt_enable_config_error: Default::default(),
            interrupt_enable_config_error_reset: Constant::new(map.reset_bits("interrupt_enable", 6, 1) == 1),
            interrupt_enable_post_dropped: Default::default(),
            interrupt_enable_post_dropped_reset: Constant::new(map.reset_bits("interrupt_enable", 7, 1) == 1),
            interrupt_enable_connection_failed: Default::default(),
            interrupt_enable_connection_failed_reset: Constant::new(map.reset_bits("interrupt_enable", 8, 1) == 1),
            prescale: Default::default(),
            prescale_reset: Constant::new(map.reset_bits("prescale", 0, 16).to_bits()),
            t_life: Default::default(),
            t_life_reset: Constant::new(map.reset_bits("t_life", 0, 32).to_bits()),
            qp_index: Default::default(),
            qp_index_reset: Constant::new(map.reset_bits("qp_index", 0, 8).to_bits()),
            qp_entry_number: Default::default(),
            qp_entry_number_reset: Constant::new(map.reset_bits("qp_entry", 0, 24).to_bits()),
            qp_entry_valid: Default::default(),
            qp_entry_valid_reset: Constant::new(map.reset_bits("qp_entry", 31, 1) == 1),
            qp_load: Default::default(),
            node_index: Default::default(),
            node_index_reset: Constant::new(map.reset_bits("node_index", 0, 8).to_bits()),
            node_mac_low: Default::default(),
            node_mac_low_reset: Constant::new(map.reset_bits("node_mac", 0, 32).to_bits()),
            node_mac_high: Default::default(),
            node_mac_high_reset: Constant::new(map.reset_bits("node_mac", 32, 16).to_bits()),
            node_ip_0: Default::default(),
            node_ip_0_reset: Constant::new(map.reset_bits("node_ip_0", 0, 32).to_bits()),
            node_ip_1: Default::default(),
            node_ip_1_reset: Constant::new(map.reset_bits("node_ip_1", 0, 32).to_bits()),
            node_ip_2: Default::default(),
            node_ip_2_reset: Constant::new(map.reset_bits("node_ip_2", 0, 32).to_bits()),
            node_ip_3: Default::default(),
            node_ip_3_reset: Constant::new(map.reset_bits("node_ip_3", 0, 32).to_bits()),
            node_qp_number: Default::default(),
            node_qp_number_reset: Constant::new(map.reset_bits("node_qp", 0, 24).to_bits()),
            node_qp_ipv6: Default::default(),
            node_qp_ipv6_reset: Constant::new(map.reset_bits("node_qp", 30, 1) == 1),
            node_qp_valid: Default::default(),
            node_qp_valid_reset: Constant::new(map.reset_bits("node_qp", 31, 1) == 1),
            node_load: Default::default(),
            local_mac_low: Default::default(),
            local_mac_low_reset: Constant::new(map.reset_bits("local_mac", 0, 32).to_bits()),
            local_mac_high: Default::default(),
            local_mac_high_reset: Constant::new(map.reset_bits("local_mac", 32, 16).to_bits()),
            local_ip_0: Default::default(),
            local_ip_0_reset: Constant::new(map.reset_bits("local_ip_0", 0, 32).to_bits()),
            local_ip_1: Default::default(),
            local_ip_1_reset: Constant::new(map.reset_bits("local_ip_1", 0, 32).to_bits()),
            local_ip_2: Default::default(),
            local_ip_2_reset: Constant::new(map.reset_bits("local_ip_2", 0, 32).to_bits()),
            local_ip_3: Default::default(),
            local_ip_3_reset: Constant::new(map.reset_bits("local_ip_3", 0, 32).to_bits()),
            local_udp_source_port: Default::default(),
            local_udp_source_port_reset: Constant::new(map.reset_bits("local_udp", 0, 16).to_bits()),
            local_udp_hop_limit: Default::default(),
            local_udp_hop_limit_reset: Constant::new(map.reset_bits("local_udp", 16, 8).to_bits()),
            local_udp_traffic_class: Default::default(),
            local_udp_traffic_class_reset: Constant::new(map.reset_bits("local_udp", 24, 8).to_bits()),
            local_pkey: Default::default(),
            local_pkey_reset: Constant::new(map.reset_bits("local_pkey", 0, 16).to_bits()),
            local_vlan_tag: Default::default(),
            local_vlan_tag_reset: Constant::new(map.reset_bits("local_vlan", 0, 16).to_bits()),
            local_vlan_on: Default::default(),
            local_vlan_on_reset: Constant::new(map.reset_bits("local_vlan", 31, 1) == 1),
            ring_base_low: Default::default(),
            ring_base_low_reset: Constant::new(map.reset_bits("ring_base", 0, 32).to_bits()),
            ring_base_high: Default::default(),
            ring_base_high_reset: Constant::new(map.reset_bits("ring_base", 32, 32).to_bits()),
            ring_size_log2: Default::default(),
            ring_size_log2_reset: Constant::new(map.reset_bits("ring_size_log2", 0, 5).to_bits()),
            ring_consumer: Default::default(),
            ring_consumer_reset: Constant::new(map.reset_bits("ring_consumer", 0, 32).to_bits()),
            coalesce_count: Default::default(),
            coalesce_count_reset: Constant::new(map.reset_bits("coalesce_count", 0, 16).to_bits()),
            coalesce_delay: Default::default(),
            coalesce_delay_reset: Constant::new(map.reset_bits("coalesce_delay", 0, 32).to_bits()),
            threshold: Default::default(),
            threshold_reset: Constant::new(map.reset_bits("threshold", 0, 32).to_bits()),
            segment: Default::default(),
            segment_reset: Constant::new(map.reset_bits("segment", 0, 32).to_bits()),
            timeout: Default::default(),
            timeout_reset: Constant::new(map.reset_bits("timeout", 0, 32).to_bits()),
            backoff_cap: Default::default(),
            backoff_cap_reset: Constant::new(map.reset_bits("backoff_cap", 0, 32).to_bits()),
            retry_limit: Default::default(),
            retry_limit_reset: Constant::new(map.reset_bits("retry_limit", 0, 5).to_bits()),
            irq_threshold: Default::default(),
            irq_threshold_reset: Constant::new(map.reset_bits("irq_threshold", 0, 8).to_bits()),
            irq_delay: Default::default(),
            irq_delay_reset: Constant::new(map.reset_bits("irq_delay", 0, 8).to_bits()),
            reset_timeout: Default::default(),
            reset_timeout_reset: Constant::new(map.reset_bits("reset_timeout", 0, 32).to_bits()),
            cdma_error_limit: Default::default(),
            cdma_error_limit_reset: Constant::new(map.reset_bits("cdma_error_limit", 0, 8).to_bits()),
            cdma_wide: Default::default(),
            cdma_wide_reset: Constant::new(map.reset_bits("cdma", 0, 1) == 1),
            source_node: Default::default(),
            source_node_reset: Constant::new(map.reset_bits("source_node", 0, 16).to_bits()),
            buffer_base_low: Default::default(),
            buffer_base_low_reset: Constant::new(map.reset_bits("buffer_base", 0, 32).to_bits()),
            buffer_base_high: Default::default(),
            buffer_base_high_reset: Constant::new(map.reset_bits("buffer_base", 32, 32).to_bits()),
            sg_base_low: Default::default(),
            sg_base_low_reset: Constant::new(map.reset_bits("sg_base", 0, 32).to_bits()),
            sg_base_high: Default::default(),
            sg_base_high_reset: Constant::new(map.reset_bits("sg_base", 32, 32).to_bits()),
            command_id: Default::default(),
            command_id_reset: Constant::new(map.reset_bits("command_id", 0, 16).to_bits()),
            command_target_low: Default::default(),
            command_target_low_reset: Constant::new(map.reset_bits("command_target", 0, 32).to_bits()),
            command_target_high: Default::default(),
            command_target_high_reset: Constant::new(map.reset_bits("command_target", 32, 32).to_bits()),
            command_node: Default::default(),
            command_node_reset: Constant::new(map.reset_bits("command_node", 0, 16).to_bits()),
            command_qp: Default::default(),
            command_qp_reset: Constant::new(map.reset_bits("command_qp", 0, 24).to_bits()),
            command_rkey: Default::default(),
            command_rkey_reset: Constant::new(map.reset_bits("command_rkey", 0, 32).to_bits()),
            command_imm: Default::default(),
            command_imm_reset: Constant::new(map.reset_bits("command_imm", 0, 32).to_bits()),
            command_options_imm_valid: Default::default(),
            command_options_imm_valid_reset: Constant::new(map.reset_bits("command_options", 0, 1) == 1),
            command_options_arrival: Default::default(),
            command_options_arrival_reset: Constant::new(map.reset_bits("command_options", 1, 1) == 1),
            command_options_blocks: Default::default(),
            command_options_blocks_reset: Constant::new(map.reset_bits("command_options", 8, 3).to_bits()),
            command_source_0_low: Default::default(),
            command_source_0_low_reset: Constant::new(map.reset_bits("command_source_0", 0, 32).to_bits()),
            command_source_0_high: Default::default(),
            command_source_0_high_reset: Constant::new(map.reset_bits("command_source_0", 32, 32).to_bits()),
            command_source_1_low: Default::default(),
            command_source_1_low_reset: Constant::new(map.reset_bits("command_source_1", 0, 32).to_bits()),
            command_source_1_high: Default::default(),
            command_source_1_high_reset: Constant::new(map.reset_bits("command_source_1", 32, 32).to_bits()),
            command_source_2_low: Default::default(),
            command_source_2_low_reset: Constant::new(map.reset_bits("command_source_2", 0, 32).to_bits()),
            command_source_2_high: Default::default(),
            command_source_2_high_reset: Constant::new(map.reset_bits("command_source_2", 32, 32).to_bits()),
            command_source_3_low: Default::default(),
            command_source_3_low_reset: Constant::new(map.reset_bits("command_source_3", 0, 32).to_bits()),
            command_source_3_high: Default::default(),
            command_source_3_high_reset: Constant::new(map.reset_bits("command_source_3", 32, 32).to_bits()),
            command_bytes_0: Default::default(),
            command_bytes_0_reset: Constant::new(map.reset_bits("command_bytes_0", 0, 32).to_bits()),
            command_bytes_1: Default::default(),
            command_bytes_1_reset: Constant::new(map.reset_bits("command_bytes_1", 0, 32).to_bits()),
            command_bytes_2: Default::default(),
            command_bytes_2_reset: Constant::new(map.reset_bits("command_bytes_2", 0, 32).to_bits()),
            command_bytes_3: Default::default(),
            command_bytes_3_reset: Constant::new(map.reset_bits("command_bytes_3", 0, 32).to_bits()),
            command_post: Default::default(),
            connection_index: Default::default(),
            connection_index_reset: Constant::new(map.reset_bits("connection_index", 0, 8).to_bits()),
            connection_psn: Default::default(),
            connection_psn_reset: Constant::new(map.reset_bits("connection_psn", 0, 24).to_bits()),
            connection_open: Default::default(),
            connection_close: Default::default(),
            depth: Default::default(),
            depth_reset: Constant::new(map.reset_bits("depth", 0, 22).to_bits()),
            depth_mode: Default::default(),
            depth_mode_reset: Constant::new(map.reset_bits("depth_mode", 0, 1) == 1),
            wait: Default::default(),
            wait_reset: Constant::new(map.reset_bits("wait", 0, 32).to_bits()),
            stall: Default::default(),
            stall_reset: Constant::new(map.reset_bits("stall", 0, 32).to_bits()),
            stall_packets: Default::default(),
            stall_packets_reset: Constant::new(map.reset_bits("stall_packets", 0, 22).to_bits()),
            feedback_threshold: Default::default(),
            feedback_threshold_reset: Constant::new(map.reset_bits("feedback_threshold", 0, 16).to_bits()),
            feedback_wait: Default::default(),
            feedback_wait_reset: Constant::new(map.reset_bits("feedback_wait", 0, 32).to_bits()),
            refeedback: Default::default(),
            refeedback_reset: Constant::new(map.reset_bits("refeedback", 0, 32).to_bits()),
            range_ack: Default::default(),
            range_ack_reset: Constant::new(map.reset_bits("range_ack", 0, 1) == 1),
            slide_step: Default::default(),
            slide_step_reset: Constant::new(map.reset_bits("slide_step", 0, 7).to_bits()),
            window_length_base: Default::default(),
            window_length_base_reset: Constant::new(map.reset_bits("window_length", 0, 16).to_bits()),
            window_length_most: Default::default(),
            window_length_most_reset: Constant::new(map.reset_bits("window_length", 16, 16).to_bits()),
            bandwidth: Default::default(),
            bandwidth_reset: Constant::new(map.reset_bits("bandwidth", 0, 24).to_bits()),
            round_trip: Default::default(),
            round_trip_reset: Constant::new(map.reset_bits("round_trip", 0, 24).to_bits()),
            window_factors_headroom: Default::default(),
            window_factors_headroom_reset: Constant::new(map.reset_bits("window_factors", 0, 8).to_bits()),
            window_factors_load: Default::default(),
            window_factors_load_reset: Constant::new(map.reset_bits("window_factors", 8, 8).to_bits()),
            window_factors_congestion: Default::default(),
            window_factors_congestion_reset: Constant::new(map.reset_bits("window_factors", 16, 5).to_bits()),
            qp_limit: Default::default(),
            qp_limit_reset: Constant::new(map.reset_bits("qp_limit", 0, 16).to_bits()),
            feedback_qp: Default::default(),
            feedback_qp_reset: Constant::new(map.reset_bits("feedback_qp", 0, 24).to_bits()),
            dedup: Default::default(),
            dedup_reset: Constant::new(map.reset_bits("dedup", 0, 32).to_bits()),
            rtx_mode: Default::default(),
            rtx_mode_reset: Constant::new(map.reset_bits("rtx_mode", 0, 2).to_bits()),
            aggregate: Default::default(),
            aggregate_reset: Constant::new(map.reset_bits("aggregate", 0, 32).to_bits()),
            merge: Default::default(),
            merge_reset: Constant::new(map.reset_bits("merge", 0, 8).to_bits()),
            rtx_window: Default::default(),
            rtx_window_reset: Constant::new(map.reset_bits("rtx_window", 0, 16).to_bits()),
            rto: Default::default(),
            rto_reset: Constant::new(map.reset_bits("rto", 0, 32).to_bits()),
            rto_cap: Default::default(),
            rto_cap_reset: Constant::new(map.reset_bits("rto_cap", 0, 32).to_bits()),
            rto_limit: Default::default(),
            rto_limit_reset: Constant::new(map.reset_bits("rto_limit", 0, 8).to_bits()),
            rate_limit_on: Default::default(),
            rate_limit_on_reset: Constant::new(map.reset_bits("rate_limit", 0, 1) == 1),
            rate_limit_burst: Default::default(),
            rate_limit_burst_reset: Constant::new(map.reset_bits("rate_limit", 16, 16).to_bits()),
            rate: Default::default(),
            rate_reset: Constant::new(map.reset_bits("rate", 0, 24).to_bits()),
            rate_packet: Default::default(),
            rate_packet_reset: Constant::new(map.reset_bits("rate_packet", 0, 16).to_bits()),
            untold_window: Default::default(),
            untold_window_reset: Constant::new(map.reset_bits("untold_window", 0, 16).to_bits()),
            data_qp: Default::default(),
            data_qp_reset: Constant::new(map.reset_bits("data_qp", 0, 24).to_bits()),
            id_constant: Constant::new(map.constant_word(0x0).to_bits()),
            version_constant: Constant::new(map.constant_word(0x4).to_bits()),
            capability_operation_constant: Constant::new(map.constant_word(0x8).to_bits()),
            capability_source_constant: Constant::new(map.constant_word(0xc).to_bits()),
            capability_buffer_constant: Constant::new(map.constant_word(0x10).to_bits()),
            capability_bus_constant: Constant::new(map.constant_word(0x14).to_bits()),
            capability_host_constant: Constant::new(map.constant_word(0x18).to_bits()),
            control_word: Default::default(),
            state_word: Default::default(),
            interrupt_status_word: Default::default(),
            interrupt_enable_word: Default::default(),
            prescale_word: Default::default(),
            qp_index_word: Default::default(),
            qp_entry_word: Default::default(),
            qp_word: Default::default(),
            node_index_word: Default::default(),
            node_mac_high_word: Default::default(),
            node_qp_word: Default::default(),
            node_word: Default::default(),
            local_mac_high_word: Default::default(),
            local_udp_word: Default::default(),
            local_pkey_word: Default::default(),
            local_vlan_word: Default::default(),
            ring_size_log2_word: Default::default(),
            coalesce_count_word: Default::default(),
            capability_send_constant: Constant::new(map.constant_word(0x200).to_bits()),
            capability_send_dma_constant: Constant::new(map.constant_word(0x204).to_bits()),
            send_state_word: Default::default(),
            commands_live_word: Default::default(),
            ops_live_word: Default::default(),
            ops_live_max_word: Default::default(),
            descriptors_out_word: Default::default(),
            retry_limit_word: Default::default(),
            irq_threshold_word: Default::default(),
            irq_delay_word: Default::default(),
            cdma_error_limit_word: Default::default(),
            cdma_word: Default::default(),
            source_node_word: Default::default(),
            command_id_word: Default::default(),
            command_node_word: Default::default(),
            command_qp_word: Default::default(),
            command_options_word: Default::default(),
            command_word: Default::default(),
            command_state_word: Default::default(),
            capability_connection_constant: Constant::new(map.constant_word(0x320).to_bits()),
            connection_index_word: Default::default(),
            connection_psn_word: Default::default(),
            connection_word: Default::default(),
            connection_state_word: Default::default(),
            depth_word: Default::default(),
            depth_mode_word: Default::default(),
            stall_packets_word: Default::default(),
            feedback_threshold_word: Default::default(),
            range_ack_word: Default::default(),
            slide_step_word: Default::default(),
            window_length_word: Default::default(),
            bandwidth_word: Default::default(),
            round_trip_word: Default::default(),
            window_factors_word: Default::default(),
            qp_limit_word: Default::default(),
            pool_word: Default::default(),
            connection_failed_word: Default::default(),
            feedback_qp_word: Default::default(),
            rtx_mode_word: Default::default(),
            merge_word: Default::default(),
            rtx_window_word: Default::default(),
            rto_limit_word: Default::default(),
            rate_limit_word: Default::default(),
            rate_word: Default::default(),
            rate_packet_word: Default::default(),
            untold_window_word: Default::default(),
            data_qp_word: Default::default(),
            write_failed_word: Default::default(),
            row: Default::default(),
            column: Default::default(),
            row_0: Default::default(),
            row_1: Default::default(),
            row_2: Default::default(),
            row_4: Default::default(),
            row_5: Default::default(),
            row_6: Default::default(),
            row_7: Default::default(),
            row_8: Default::default(),
            row_9: Default::default(),
            row_10: Default::default(),
            row_11: Default::default(),
            row_12: Default::default(),
            row_13: Default::default(),
            row_14: Default::default(),
            row_15: Default::default(),
            valid_1: Default::default(),
            write_1: Default::default(),
            allowed_1: Default::default(),
            word_1: Default::default(),
            data_1: Default::default(),
            mask_1: Default::default(),
            valid_2: Default::default(),
            write_2: Default::default(),
            error_2: Default::default(),
            data_2: Default::default(),
            keep: Default::default(),
            row_of_1: Default::default(),
            irq_now: Default::default(),
            _map: map,
        }
    }

    /// The description that the block was made from, with its constants and reset values.
    pub fn map(&self) -> &RegisterMap {
        &self._map
    }
}

impl<const A: usize, const WA: usize> Logic for BitmapEndpointRegisters<A, WA> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, scratch, control_enable, control_soft_reset, control_clear_counters, interrupt_status_completion, interrupt_status_ring_full, interrupt_status_write_error, interrupt_status_ring_error);
        dff_setup!(self, clk, interrupt_status_frame_dropped, interrupt_status_cdma_dead, interrupt_status_config_error, interrupt_status_post_dropped, interrupt_status_connection_failed, interrupt_enable_completion, interrupt_enable_ring_full, interrupt_enable_write_error);
        dff_setup!(self, clk, interrupt_enable_ring_error, interrupt_enable_frame_dropped, interrupt_enable_cdma_dead, interrupt_enable_config_error, interrupt_enable_post_dropped, interrupt_enable_connection_failed, prescale, t_life);
        dff_setup!(self, clk, qp_index, qp_entry_number, qp_entry_valid, qp_load, node_index, node_mac_low, node_mac_high, node_ip_0);
        dff_setup!(self, clk, node_ip_1, node_ip_2, node_ip_3, node_qp_number, node_qp_ipv6, node_qp_valid, node_load, local_mac_low);
        dff_setup!(self, clk, local_mac_high, local_ip_0, local_ip_1, local_ip_2, local_ip_3, local_udp_source_port, local_udp_hop_limit, local_udp_traffic_class);
        dff_setup!(self, clk, local_pkey, local_vlan_tag, local_vlan_on, ring_base_low, ring_base_high, ring_size_log2, ring_consumer, coalesce_count);
        dff_setup!(self, clk, coalesce_delay, threshold, segment, timeout, backoff_cap, retry_limit, irq_threshold, irq_delay);
        dff_setup!(self, clk, reset_timeout, cdma_error_limit, cdma_wide, source_node, buffer_base_low, buffer_base_high, sg_base_low, sg_base_high);
        dff_setup!(self, clk, command_id, command_target_low, command_target_high, command_node, command_qp, command_rkey, command_imm, command_options_imm_valid);
        dff_setup!(self, clk, command_options_arrival, command_options_blocks, command_source_0_low, command_source_0_high, command_source_1_low, command_source_1_high, command_source_2_low, command_source_2_high);
        dff_setup!(self, clk, command_source_3_low, command_source_3_high, command_bytes_0, command_bytes_1, command_bytes_2, command_bytes_3, command_post, connection_index);
        dff_setup!(self, clk, connection_psn, connection_open, connection_close, depth, depth_mode, wait, stall, stall_packets);
        dff_setup!(self, clk, feedback_threshold, feedback_wait, refeedback, range_ack, slide_step, window_length_base, window_length_most, bandwidth);
        dff_setup!(self, clk, round_trip, window_factors_headroom, window_factors_load, window_factors_congestion, qp_limit, feedback_qp, dedup, rtx_mode);
        dff_setup!(self, clk, aggregate, merge, rtx_window, rto, rto_cap, rto_limit, rate_limit_on, rate_limit_burst);
        dff_setup!(self, clk, rate, rate_packet, untold_window, data_qp, row_0, row_1, row_2, row_4);
        dff_setup!(self, clk, row_5, row_6, row_7, row_8, row_9, row_10, row_11, row_12);
        dff_setup!(self, clk, row_13, row_14, row_15, valid_1, write_1, allowed_1, word_1, data_1);
        dff_setup!(self, clk, mask_1, valid_2, write_2, error_2, data_2, irq_now);

        self.slave.clk.next = self.clk.val();
        self.slave.rst.next = self.rst.val();
        self.slave.s_axi_awvalid.next = self.s_axi_awvalid.val();
        self.s_axi_awready.next = self.slave.s_axi_awready.val();
        self.slave.s_axi_awaddr.next = self.s_axi_awaddr.val();
        self.slave.s_axi_awprot.next = self.s_axi_awprot.val();
        self.slave.s_axi_wvalid.next = self.s_axi_wvalid.val();
        self.s_axi_wready.next = self.slave.s_axi_wready.val();
        self.slave.s_axi_wdata.next = self.s_axi_wdata.val();
        self.slave.s_axi_wstrb.next = self.s_axi_wstrb.val();
        self.s_axi_bvalid.next = self.slave.s_axi_bvalid.val();
        self.slave.s_axi_bready.next = self.s_axi_bready.val();
        self.s_axi_bresp.next = self.slave.s_axi_bresp.val();
        self.slave.s_axi_arvalid.next = self.s_axi_arvalid.val();
        self.s_axi_arready.next = self.slave.s_axi_arready.val();
        self.slave.s_axi_araddr.next = self.s_axi_araddr.val();
        self.slave.s_axi_arprot.next = self.s_axi_arprot.val();
        self.s_axi_rvalid.next = self.slave.s_axi_rvalid.val();
        self.slave.s_axi_rready.next = self.s_axi_rready.val();
        self.s_axi_rdata.next = self.slave.s_axi_rdata.val();
        self.s_axi_rresp.next = self.slave.s_axi_rresp.val();
        self.slave.answer_valid.next = self.valid_2.q.val();
        self.slave.answer_write.next = self.write_2.q.val();
        self.slave.answer_error.next = self.error_2.q.val();
        self.slave.answer_data.next = self.data_2.q.val();

        // What each word reads as.
        self.control_word.next = bits::<32>(0);
        self.control_word.next = self.control_word.val().replace_bit(0, self.control_enable.q.val());
        self.state_word.next = bits::<32>(0);
        self.state_word.next = self.state_word.val().replace_bit(0, self.status_state_idle.val());
        self.state_word.next = self.state_word.val().replace_bit(1, self.status_state_ready.val());
        self.interrupt_status_word.next = bits::<32>(0);
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(0, self.interrupt_status_completion.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(1, self.interrupt_status_ring_full.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(2, self.interrupt_status_write_error.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(3, self.interrupt_status_ring_error.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(4, self.interrupt_status_frame_dropped.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(5, self.interrupt_status_cdma_dead.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(6, self.interrupt_status_config_error.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(7, self.interrupt_status_post_dropped.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(8, self.interrupt_status_connection_failed.q.val());
        self.interrupt_enable_word.next = bits::<32>(0);
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(0, self.interrupt_enable_completion.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(1, self.interrupt_enable_ring_full.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(2, self.interrupt_enable_write_error.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(3, self.interrupt_enable_ring_error.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(4, self.interrupt_enable_frame_dropped.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(5, self.interrupt_enable_cdma_dead.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(6, self.interrupt_enable_config_error.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(7, self.interrupt_enable_post_dropped.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(8, self.interrupt_enable_connection_failed.q.val());
        self.prescale_word.next = bit_cast::<32, 16>(self.prescale.q.val());
        self.qp_index_word.next = bit_cast::<32, 8>(self.qp_index.q.val());
        self.qp_entry_word.next = bit_cast::<32, 24>(self.qp_entry_number.q.val());
        self.qp_entry_word.next = self.qp_entry_word.val().replace_bit(31, self.qp_entry_valid.q.val());
        self.qp_word.next = bits::<32>(0);
        self.node_index_word.next = bit_cast::<32, 8>(self.node_index.q.val());
        self.node_mac_high_word.next = bit_cast::<32, 16>(self.node_mac_high.q.val());
        self.node_qp_word.next = bit_cast::<32, 24>(self.node_qp_number.q.val());
        self.node_qp_word.next = self.node_qp_word.val().replace_bit(30, self.node_qp_ipv6.q.val());
        self.node_qp_word.next = self.node_qp_word.val().replace_bit(31, self.node_qp_valid.q.val());
        self.node_word.next = bits::<32>(0);
        self.local_mac_high_word.next = bit_cast::<32, 16>(self.local_mac_high.q.val());
        self.local_udp_word.next = bit_cast::<32, 16>(self.local_udp_source_port.q.val()) | (bit_cast::<32, 8>(self.local_udp_hop_limit.q.val()) << 16) | (bit_cast::<32, 8>(self.local_udp_traffic_class.q.val()) << 24);
        self.local_pkey_word.next = bit_cast::<32, 16>(self.local_pkey.q.val());
        self.local_vlan_word.next = bit_cast::<32, 16>(self.local_vlan_tag.q.val());
        self.local_vlan_word.next = self.local_vlan_word.val().replace_bit(31, self.local_vlan_on.q.val());
        self.ring_size_log2_word.next = bit_cast::<32, 5>(self.ring_size_log2.q.val());
        self.coalesce_count_word.next = bit_cast::<32, 16>(self.coalesce_count.q.val());
        self.send_state_word.next = bits::<32>(0);
        self.send_state_word.next = self.send_state_word.val().replace_bit(0, self.status_send_state_config_error.val());
        self.send_state_word.next = self.send_state_word.val().replace_bit(1, self.status_send_state_cdma_config_error.val());
        self.send_state_word.next = self.send_state_word.val().replace_bit(2, self.status_send_state_cdma_dead.val());
        self.commands_live_word.next = bit_cast::<32, 16>(self.status_commands_live.val());
        self.ops_live_word.next = bit_cast::<32, 16>(self.status_ops_live.val());
        self.ops_live_max_word.next = bit_cast::<32, 16>(self.status_ops_live_max.val());
        self.descriptors_out_word.next = bit_cast::<32, 16>(self.status_descriptors_out.val());
        self.retry_limit_word.next = bit_cast::<32, 5>(self.retry_limit.q.val());
        self.irq_threshold_word.next = bit_cast::<32, 8>(self.irq_threshold.q.val());
        self.irq_delay_word.next = bit_cast::<32, 8>(self.irq_delay.q.val());
        self.cdma_error_limit_word.next = bit_cast::<32, 8>(self.cdma_error_limit.q.val());
        self.cdma_word.next = bits::<32>(0);
        self.cdma_word.next = self.cdma_word.val().replace_bit(0, self.cdma_wide.q.val());
        self.source_node_word.next = bit_cast::<32, 16>(self.source_node.q.val());
        self.command_id_word.next = bit_cast::<32, 16>(self.command_id.q.val());
        self.command_node_word.next = bit_cast::<32, 16>(self.command_node.q.val());
        self.command_qp_word.next = bit_cast::<32, 24>(self.command_qp.q.val());
        self.command_options_word.next = bit_cast::<32, 3>(self.command_options_blocks.q.val()) << 8;
        self.command_options_word.next = self.command_options_word.val().replace_bit(0, self.command_options_imm_valid.q.val());
        self.command_options_word.next = self.command_options_word.val().replace_bit(1, self.command_options_arrival.q.val());
        self.command_word.next = bits::<32>(0);
        self.command_state_word.next = bits::<32>(0);
        self.command_state_word.next = self.command_state_word.val().replace_bit(0, self.status_command_state_busy.val());
        self.connection_index_word.next = bit_cast::<32, 8>(self.connection_index.q.val());
        self.connection_psn_word.next = bit_cast::<32, 24>(self.connection_psn.q.val());
        self.connection_word.next = bits::<32>(0);
        self.connection_state_word.next = bits::<32>(0);
        self.connection_state_word.next = self.connection_state_word.val().replace_bit(0, self.status_connection_state_busy.val());
        self.depth_word.next = bit_cast::<32, 22>(self.depth.q.val());
        self.depth_mode_word.next = bits::<32>(0);
        self.depth_mode_word.next = self.depth_mode_word.val().replace_bit(0, self.depth_mode.q.val());
        self.stall_packets_word.next = bit_cast::<32, 22>(self.stall_packets.q.val());
        self.feedback_threshold_word.next = bit_cast::<32, 16>(self.feedback_threshold.q.val());
        self.range_ack_word.next = bits::<32>(0);
        self.range_ack_word.next = self.range_ack_word.val().replace_bit(0, self.range_ack.q.val());
        self.slide_step_word.next = bit_cast::<32, 7>(self.slide_step.q.val());
        self.window_length_word.next = bit_cast::<32, 16>(self.window_length_base.q.val()) | (bit_cast::<32, 16>(self.window_length_most.q.val()) << 16);
        self.bandwidth_word.next = bit_cast::<32, 24>(self.bandwidth.q.val());
        self.round_trip_word.next = bit_cast::<32, 24>(self.round_trip.q.val());
        self.window_factors_word.next = bit_cast::<32, 8>(self.window_factors_headroom.q.val()) | (bit_cast::<32, 8>(self.window_factors_load.q.val()) << 8) | (bit_cast::<32, 5>(self.window_factors_congestion.q.val()) << 16);
        self.qp_limit_word.next = bit_cast::<32, 16>(self.qp_limit.q.val());
        self.pool_word.next = bit_cast::<32, 16>(self.status_pool_free.val());
        self.pool_word.next = self.pool_word.val().replace_bit(31, self.status_pool_refused.val());
        self.connection_failed_word.next = bit_cast::<32, 8>(self.status_connection_failed.val());
        self.feedback_qp_word.next = bit_cast::<32, 24>(self.feedback_qp.q.val());
        self.rtx_mode_word.next = bit_cast::<32, 2>(self.rtx_mode.q.val());
        self.merge_word.next = bit_cast::<32, 8>(self.merge.q.val());
        self.rtx_window_word.next = bit_cast::<32, 16>(self.rtx_window.q.val());
        self.rto_limit_word.next = bit_cast::<32, 8>(self.rto_limit.q.val());
        self.rate_limit_word.next = bit_cast::<32, 16>(self.rate_limit_burst.q.val()) << 16;
        self.rate_limit_word.next = self.rate_limit_word.val().replace_bit(0, self.rate_limit_on.q.val());
        self.rate_word.next = bit_cast::<32, 24>(self.rate.q.val());
        self.rate_packet_word.next = bit_cast::<32, 16>(self.rate_packet.q.val());
        self.untold_window_word.next = bit_cast::<32, 16>(self.untold_window.q.val());
        self.data_qp_word.next = bit_cast::<32, 24>(self.data_qp.q.val());
        self.write_failed_word.next = bit_cast::<32, 8>(self.status_write_failed.val());

        // Stage 0: one register for each row of 16 words, and whether the command may be.
        self.row.next = self.slave.command_word.val().get_bits::<6>(4);
        self.column.next = self.slave.command_word.val().get_bits::<4>(0);
        self.row_0.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_0.d.next = self.id_constant.val();
            }
            1 => {
                self.row_0.d.next = self.version_constant.val();
            }
            2 => {
                self.row_0.d.next = self.capability_operation_constant.val();
            }
            3 => {
                self.row_0.d.next = self.capability_source_constant.val();
            }
            4 => {
                self.row_0.d.next = self.capability_buffer_constant.val();
            }
            5 => {
                self.row_0.d.next = self.capability_bus_constant.val();
            }
            6 => {
                self.row_0.d.next = self.capability_host_constant.val();
            }
            7 => {
                self.row_0.d.next = self.scratch.q.val();
            }
            _ => {}
        }
        self.row_1.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_1.d.next = self.control_word.val();
            }
            1 => {
                self.row_1.d.next = self.state_word.val();
            }
            2 => {
                self.row_1.d.next = self.interrupt_status_word.val();
            }
            3 => {
                self.row_1.d.next = self.interrupt_enable_word.val();
            }
            4 => {
                self.row_1.d.next = self.status_now.val();
            }
            _ => {}
        }
        self.row_2.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_2.d.next = self.prescale_word.val();
            }
            3 => {
                self.row_2.d.next = self.t_life.q.val();
            }
            _ => {}
        }
        self.row_4.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_4.d.next = self.qp_index_word.val();
            }
            1 => {
                self.row_4.d.next = self.qp_entry_word.val();
            }
            2 => {
                self.row_4.d.next = self.qp_word.val();
            }
            _ => {}
        }
        self.row_5.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_5.d.next = self.node_index_word.val();
            }
            2 => {
                self.row_5.d.next = self.node_mac_low.q.val();
            }
            3 => {
                self.row_5.d.next = self.node_mac_high_word.val();
            }
            4 => {
                self.row_5.d.next = self.node_ip_0.q.val();
            }
            5 => {
                self.row_5.d.next = self.node_ip_1.q.val();
            }
            6 => {
                self.row_5.d.next = self.node_ip_2.q.val();
            }
            7 => {
                self.row_5.d.next = self.node_ip_3.q.val();
            }
            8 => {
                self.row_5.d.next = self.node_qp_word.val();
            }
            9 => {
                self.row_5.d.next = self.node_word.val();
            }
            _ => {}
        }
        self.row_6.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_6.d.next = self.local_mac_low.q.val();
            }
            1 => {
                self.row_6.d.next = self.local_mac_high_word.val();
            }
            2 => {
                self.row_6.d.next = self.local_ip_0.q.val();
            }
            3 => {
                self.row_6.d.next = self.local_ip_1.q.val();
            }
            4 => {
                self.row_6.d.next = self.local_ip_2.q.val();
            }
            5 => {
                self.row_6.d.next = self.local_ip_3.q.val();
            }
            6 => {
                self.row_6.d.next = self.local_udp_word.val();
            }
            7 => {
                self.row_6.d.next = self.local_pkey_word.val();
            }
            8 => {
                self.row_6.d.next = self.local_vlan_word.val();
            }
            _ => {}
        }
        self.row_7.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_7.d.next = self.ring_base_low.q.val();
            }
            1 => {
                self.row_7.d.next = self.ring_base_high.q.val();
            }
            2 => {
                self.row_7.d.next = self.ring_size_log2_word.val();
            }
            3 => {
                self.row_7.d.next = self.ring_consumer.q.val();
            }
            4 => {
                self.row_7.d.next = self.status_ring_producer.val();
            }
            5 => {
                self.row_7.d.next = self.coalesce_count_word.val();
            }
            6 => {
                self.row_7.d.next = self.coalesce_delay.q.val();
            }
            _ => {}
        }
        self.row_8.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_8.d.next = self.capability_send_constant.val();
            }
            1 => {
                self.row_8.d.next = self.capability_send_dma_constant.val();
            }
            2 => {
                self.row_8.d.next = self.send_state_word.val();
            }
            3 => {
                self.row_8.d.next = self.commands_live_word.val();
            }
            4 => {
                self.row_8.d.next = self.ops_live_word.val();
            }
            5 => {
                self.row_8.d.next = self.ops_live_max_word.val();
            }
            6 => {
                self.row_8.d.next = self.descriptors_out_word.val();
            }
            _ => {}
        }
        self.row_9.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_9.d.next = self.threshold.q.val();
            }
            1 => {
                self.row_9.d.next = self.segment.q.val();
            }
            2 => {
                self.row_9.d.next = self.timeout.q.val();
            }
            3 => {
                self.row_9.d.next = self.backoff_cap.q.val();
            }
            4 => {
                self.row_9.d.next = self.retry_limit_word.val();
            }
            5 => {
                self.row_9.d.next = self.irq_threshold_word.val();
            }
            6 => {
                self.row_9.d.next = self.irq_delay_word.val();
            }
            7 => {
                self.row_9.d.next = self.reset_timeout.q.val();
            }
            8 => {
                self.row_9.d.next = self.cdma_error_limit_word.val();
            }
            9 => {
                self.row_9.d.next = self.cdma_word.val();
            }
            10 => {
                self.row_9.d.next = self.source_node_word.val();
            }
            12 => {
                self.row_9.d.next = self.buffer_base_low.q.val();
            }
            13 => {
                self.row_9.d.next = self.buffer_base_high.q.val();
            }
            14 => {
                self.row_9.d.next = self.sg_base_low.q.val();
            }
            15 => {
                self.row_9.d.next = self.sg_base_high.q.val();
            }
            _ => {}
        }
        self.row_10.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_10.d.next = self.command_id_word.val();
            }
            2 => {
                self.row_10.d.next = self.command_target_low.q.val();
            }
            3 => {
                self.row_10.d.next = self.command_target_high.q.val();
            }
            4 => {
                self.row_10.d.next = self.command_node_word.val();
            }
            5 => {
                self.row_10.d.next = self.command_qp_word.val();
            }
            6 => {
                self.row_10.d.next = self.command_rkey.q.val();
            }
            7 => {
                self.row_10.d.next = self.command_imm.q.val();
            }
            8 => {
                self.row_10.d.next = self.command_options_word.val();
            }
            _ => {}
        }
        self.row_11.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_11.d.next = self.command_source_0_low.q.val();
            }
            1 => {
                self.row_11.d.next = self.command_source_0_high.q.val();
            }
            2 => {
                self.row_11.d.next = self.command_source_1_low.q.val();
            }
            3 => {
                self.row_11.d.next = self.command_source_1_high.q.val();
            }
            4 => {
                self.row_11.d.next = self.command_source_2_low.q.val();
            }
            5 => {
                self.row_11.d.next = self.command_source_2_high.q.val();
            }
            6 => {
                self.row_11.d.next = self.command_source_3_low.q.val();
            }
            7 => {
                self.row_11.d.next = self.command_source_3_high.q.val();
            }
            8 => {
                self.row_11.d.next = self.command_bytes_0.q.val();
            }
            9 => {
                self.row_11.d.next = self.command_bytes_1.q.val();
            }
            10 => {
                self.row_11.d.next = self.command_bytes_2.q.val();
            }
            11 => {
                self.row_11.d.next = self.command_bytes_3.q.val();
            }
            12 => {
                self.row_11.d.next = self.command_word.val();
            }
            13 => {
                self.row_11.d.next = self.command_state_word.val();
            }
            _ => {}
        }
        self.row_12.d.next = bits::<32>(0);
        match self.column.val().index() {
            8 => {
                self.row_12.d.next = self.capability_connection_constant.val();
            }
            9 => {
                self.row_12.d.next = self.connection_index_word.val();
            }
            10 => {
                self.row_12.d.next = self.connection_psn_word.val();
            }
            11 => {
                self.row_12.d.next = self.connection_word.val();
            }
            12 => {
                self.row_12.d.next = self.connection_state_word.val();
            }
            _ => {}
        }
        self.row_13.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_13.d.next = self.depth_word.val();
            }
            1 => {
                self.row_13.d.next = self.depth_mode_word.val();
            }
            2 => {
                self.row_13.d.next = self.wait.q.val();
            }
            3 => {
                self.row_13.d.next = self.stall.q.val();
            }
            4 => {
                self.row_13.d.next = self.stall_packets_word.val();
            }
            5 => {
                self.row_13.d.next = self.feedback_threshold_word.val();
            }
            6 => {
                self.row_13.d.next = self.feedback_wait.q.val();
            }
            7 => {
                self.row_13.d.next = self.refeedback.q.val();
            }
            8 => {
                self.row_13.d.next = self.range_ack_word.val();
            }
            9 => {
                self.row_13.d.next = self.slide_step_word.val();
            }
            10 => {
                self.row_13.d.next = self.window_length_word.val();
            }
            11 => {
                self.row_13.d.next = self.bandwidth_word.val();
            }
            12 => {
                self.row_13.d.next = self.round_trip_word.val();
            }
            13 => {
                self.row_13.d.next = self.window_factors_word.val();
            }
            14 => {
                self.row_13.d.next = self.qp_limit_word.val();
            }
            15 => {
                self.row_13.d.next = self.pool_word.val();
            }
            _ => {}
        }
        self.row_14.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_14.d.next = self.connection_failed_word.val();
            }
            1 => {
                self.row_14.d.next = self.feedback_qp_word.val();
            }
            2 => {
                self.row_14.d.next = self.dedup.q.val();
            }
            3 => {
                self.row_14.d.next = self.rtx_mode_word.val();
            }
            4 => {
                self.row_14.d.next = self.aggregate.q.val();
            }
            5 => {
                self.row_14.d.next = self.merge_word.val();
            }
            6 => {
                self.row_14.d.next = self.rtx_window_word.val();
            }
            7 => {
                self.row_14.d.next = self.rto.q.val();
            }
            8 => {
                self.row_14.d.next = self.rto_cap.q.val();
            }
            9 => {
                self.row_14.d.next = self.rto_limit_word.val();
            }
            10 => {
                self.row_14.d.next = self.rate_limit_word.val();
            }
            11 => {
                self.row_14.d.next = self.rate_word.val();
            }
            12 => {
                self.row_14.d.next = self.rate_packet_word.val();
            }
            13 => {
                self.row_14.d.next = self.untold_window_word.val();
            }
            _ => {}
        }
        self.row_15.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_15.d.next = self.data_qp_word.val();
            }
            1 => {
                self.row_15.d.next = self.write_failed_word.val();
            }
            _ => {}
        }
        self.valid_1.d.next = self.slave.command_valid.val();
        self.write_1.d.next = self.slave.command_write.val();
        self.word_1.d.next = self.slave.command_word.val();
        self.data_1.d.next = self.slave.command_data.val();
        self.mask_1.d.next = self.slave.command_mask.val();
        self.allowed_1.d.next = false;
        match self.slave.command_word.val().index() {
            0 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            1 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            2 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            3 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            4 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            5 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            6 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            7 => {
                self.allowed_1.d.next = true;
            }
            16 => {
                self.allowed_1.d.next = true;
            }
            17 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            18 => {
                self.allowed_1.d.next = true;
            }
            19 => {
                self.allowed_1.d.next = true;
            }
            20 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            32 => {
                self.allowed_1.d.next = true;
            }
            35 => {
                self.allowed_1.d.next = true;
            }
            64 => {
                self.allowed_1.d.next = true;
            }
            65 => {
                self.allowed_1.d.next = true;
            }
            66 => {
                self.allowed_1.d.next = true;
            }
            80 => {
                self.allowed_1.d.next = true;
            }
            82 => {
                self.allowed_1.d.next = true;
            }
            83 => {
                self.allowed_1.d.next = true;
            }
            84 => {
                self.allowed_1.d.next = true;
            }
            85 => {
                self.allowed_1.d.next = true;
            }
            86 => {
                self.allowed_1.d.next = true;
            }
            87 => {
                self.allowed_1.d.next = true;
            }
            88 => {
                self.allowed_1.d.next = true;
            }
            89 => {
                self.allowed_1.d.next = true;
            }
            96 => {
                self.allowed_1.d.next = true;
            }
            97 => {
                self.allowed_1.d.next = true;
            }
            98 => {
                self.allowed_1.d.next = true;
            }
            99 => {
                self.allowed_1.d.next = true;
            }
            100 => {
                self.allowed_1.d.next = true;
            }
            101 => {
                self.allowed_1.d.next = true;
            }
            102 => {
                self.allowed_1.d.next = true;
            }
            103 => {
                self.allowed_1.d.next = true;
            }
            104 => {
                self.allowed_1.d.next = true;
            }
            112 => {
                self.allowed_1.d.next = true;
            }
            113 => {
                self.allowed_1.d.next = true;
            }
            114 => {
                self.allowed_1.d.next = true;
            }
            115 => {
                self.allowed_1.d.next = true;
            }
            116 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            117 => {
                self.allowed_1.d.next = true;
            }
            118 => {
                self.allowed_1.d.next = true;
            }
            128 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            129 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            130 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            131 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            132 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            133 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            134 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            144 => {
                self.allowed_1.d.next = true;
            }
            145 => {
                self.allowed_1.d.next = true;
            }
            146 => {
                self.allowed_1.d.next = true;
            }
            147 => {
                self.allowed_1.d.next = true;
            }
            148 => {
                self.allowed_1.d.next = true;
            }
            149 => {
                self.allowed_1.d.next = true;
            }
            150 => {
                self.allowed_1.d.next = true;
            }
            151 => {
                self.allowed_1.d.next = true;
            }
            152 => {
                self.allowed_1.d.next = true;
            }
            153 => {
                self.allowed_1.d.next = true;
            }
            154 => {
                self.allowed_1.d.next = true;
            }
            156 => {
                self.allowed_1.d.next = true;
            }
            157 => {
                self.allowed_1.d.next = true;
            }
            158 => {
                self.allowed_1.d.next = true;
            }
            159 => {
                self.allowed_1.d.next = true;
            }
            160 => {
                self.allowed_1.d.next = true;
            }
            162 => {
                self.allowed_1.d.next = true;
            }
            163 => {
                self.allowed_1.d.next = true;
            }
            164 => {
                self.allowed_1.d.next = true;
            }
            165 => {
                self.allowed_1.d.next = true;
            }
            166 => {
                self.allowed_1.d.next = true;
            }
            167 => {
                self.allowed_1.d.next = true;
            }
            168 => {
                self.allowed_1.d.next = true;
            }
            176 => {
                self.allowed_1.d.next = true;
            }
            177 => {
                self.allowed_1.d.next = true;
            }
            178 => {
                self.allowed_1.d.next = true;
            }
            179 => {
                self.allowed_1.d.next = true;
            }
            180 => {
                self.allowed_1.d.next = true;
            }
            181 => {
                self.allowed_1.d.next = true;
            }
            182 => {
                self.allowed_1.d.next = true;
            }
            183 => {
                self.allowed_1.d.next = true;
            }
            184 => {
                self.allowed_1.d.next = true;
            }
            185 => {
                self.allowed_1.d.next = true;
            }
            186 => {
                self.allowed_1.d.next = true;
            }
            187 => {
                self.allowed_1.d.next = true;
            }
            188 => {
                self.allowed_1.d.next = true;
            }
            189 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            200 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            201 => {
                self.allowed_1.d.next = true;
            }
            202 => {
                self.allowed_1.d.next = true;
            }
            203 => {
                self.allowed_1.d.next = true;
            }
            204 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            208 => {
                self.allowed_1.d.next = true;
            }
            209 => {
                self.allowed_1.d.next = true;
            }
            210 => {
                self.allowed_1.d.next = true;
            }
            211 => {
                self.allowed_1.d.next = true;
            }
            212 => {
                self.allowed_1.d.next = true;
            }
            213 => {
                self.allowed_1.d.next = true;
            }
            214 => {
                self.allowed_1.d.next = true;
            }
            215 => {
                self.allowed_1.d.next = true;
            }
            216 => {
                self.allowed_1.d.next = true;
            }
            217 => {
                self.allowed_1.d.next = true;
            }
            218 => {
                self.allowed_1.d.next = true;
            }
            219 => {
                self.allowed_1.d.next = true;
            }
            220 => {
                self.allowed_1.d.next = true;
            }
            221 => {
                self.allowed_1.d.next = true;
            }
            222 => {
                self.allowed_1.d.next = true;
            }
            223 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            224 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            225 => {
                self.allowed_1.d.next = true;
            }
            226 => {
                self.allowed_1.d.next = true;
            }
            227 => {
                self.allowed_1.d.next = true;
            }
            228 => {
                self.allowed_1.d.next = true;
            }
            229 => {
                self.allowed_1.d.next = true;
            }
            230 => {
                self.allowed_1.d.next = true;
            }
            231 => {
                self.allowed_1.d.next = true;
            }
            232 => {
                self.allowed_1.d.next = true;
            }
            233 => {
                self.allowed_1.d.next = true;
            }
            234 => {
                self.allowed_1.d.next = true;
            }
            235 => {
                self.allowed_1.d.next = true;
            }
            236 => {
                self.allowed_1.d.next = true;
            }
            237 => {
                self.allowed_1.d.next = true;
            }
            240 => {
                self.allowed_1.d.next = true;
            }
            241 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            256 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            257 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            258 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            259 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            260 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            261 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            262 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            263 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            264 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            265 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            266 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            267 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            268 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            269 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            270 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            271 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            272 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            273 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            274 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            275 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            276 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            277 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            278 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            279 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            280 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            281 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            282 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            283 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            284 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            285 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            338 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            339 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            340 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            341 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            342 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            343 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            384 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            385 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            386 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            387 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            388 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            389 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            390 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            391 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            392 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            393 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            394 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            395 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            396 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            397 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            398 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            399 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            400 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            401 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            402 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            403 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            404 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            405 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            406 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            407 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            408 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            409 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            410 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            411 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            412 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            413 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            414 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            415 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            416 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            417 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            418 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            419 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            420 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            421 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            512 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            513 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            514 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            515 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            516 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            517 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            518 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            519 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            520 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            521 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            522 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            523 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            524 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            525 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            526 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            527 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            528 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            529 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            530 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            531 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            532 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            533 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            534 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            535 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            536 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            537 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            538 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            539 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            540 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            541 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            542 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            543 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            544 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            545 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            546 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            547 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            548 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            549 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            550 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            551 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            552 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            553 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            554 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            555 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            556 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            557 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            558 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            559 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            560 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            561 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            562 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            563 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            564 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            565 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            566 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            567 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            568 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            569 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            570 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            571 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            640 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            641 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            642 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            643 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            644 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            645 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            646 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            647 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            648 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            649 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            650 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            651 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            652 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            653 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            654 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            655 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            656 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            657 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            658 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            659 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            660 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            661 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            662 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            663 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            _ => {}
        }
        self.in_counters.next = false;
        match self.row.val().index() {
            16 => {
                self.in_counters.next = true;
            }
            17 => {
                self.in_counters.next = true;
            }
            21 => {
                self.in_counters.next = true;
            }
            24 => {
                self.in_counters.next = true;
            }
            25 => {
                self.in_counters.next = true;
            }
            26 => {
                self.in_counters.next = true;
            }
            32 => {
                self.in_counters.next = true;
            }
            33 => {
                self.in_counters.next = true;
            }
            34 => {
                self.in_counters.next = true;
            }
            35 => {
                self.in_counters.next = true;
            }
            40 => {
                self.in_counters.next = true;
            }
            41 => {
                self.in_counters.next = true;
            }
            _ => {}
        }
        self.counters.clk.next = self.clk.val();
        self.counters.rst.next = self.rst.val();
        self.counters.clear.next = self.control_clear_counters.q.val();
        self.counters.read.next = self.slave.command_valid.val() && !self.slave.command_write.val() && self.in_counters.val();
        self.pair_of_words.next = self.slave.command_word.val().get_bits::<9>(1);
        self.counter_number.next = bits::<7>(0);
        match self.pair_of_words.val().index() {
            128 => {
                self.counter_number.next = bits::<7>(0);
            }
            129 => {
                self.counter_number.next = bits::<7>(1);
            }
            130 => {
                self.counter_number.next = bits::<7>(2);
            }
            131 => {
                self.counter_number.next = bits::<7>(3);
            }
            132 => {
                self.counter_number.next = bits::<7>(4);
            }
            133 => {
                self.counter_number.next = bits::<7>(5);
            }
            134 => {
                self.counter_number.next = bits::<7>(6);
            }
            135 => {
                self.counter_number.next = bits::<7>(7);
            }
            136 => {
                self.counter_number.next = bits::<7>(8);
            }
            137 => {
                self.counter_number.next = bits::<7>(9);
            }
            138 => {
                self.counter_number.next = bits::<7>(10);
            }
            139 => {
                self.counter_number.next = bits::<7>(11);
            }
            140 => {
                self.counter_number.next = bits::<7>(12);
            }
            141 => {
                self.counter_number.next = bits::<7>(13);
            }
            142 => {
                self.counter_number.next = bits::<7>(14);
            }
            169 => {
                self.counter_number.next = bits::<7>(15);
            }
            170 => {
                self.counter_number.next = bits::<7>(16);
            }
            171 => {
                self.counter_number.next = bits::<7>(17);
            }
            192 => {
                self.counter_number.next = bits::<7>(18);
            }
            193 => {
                self.counter_number.next = bits::<7>(19);
            }
            194 => {
                self.counter_number.next = bits::<7>(20);
            }
            195 => {
                self.counter_number.next = bits::<7>(21);
            }
            196 => {
                self.counter_number.next = bits::<7>(22);
            }
            197 => {
                self.counter_number.next = bits::<7>(23);
            }
            198 => {
                self.counter_number.next = bits::<7>(24);
            }
            199 => {
                self.counter_number.next = bits::<7>(25);
            }
            200 => {
                self.counter_number.next = bits::<7>(26);
            }
            201 => {
                self.counter_number.next = bits::<7>(27);
            }
            202 => {
                self.counter_number.next = bits::<7>(28);
            }
            203 => {
                self.counter_number.next = bits::<7>(29);
            }
            204 => {
                self.counter_number.next = bits::<7>(30);
            }
            205 => {
                self.counter_number.next = bits::<7>(31);
            }
            206 => {
                self.counter_number.next = bits::<7>(32);
            }
            207 => {
                self.counter_number.next = bits::<7>(33);
            }
            208 => {
                self.counter_number.next = bits::<7>(34);
            }
            209 => {
                self.counter_number.next = bits::<7>(35);
            }
            210 => {
                self.counter_number.next = bits::<7>(36);
            }
            256 => {
                self.counter_number.next = bits::<7>(37);
            }
            257 => {
                self.counter_number.next = bits::<7>(38);
            }
            258 => {
                self.counter_number.next = bits::<7>(39);
            }
            259 => {
                self.counter_number.next = bits::<7>(40);
            }
            260 => {
                self.counter_number.next = bits::<7>(41);
            }
            261 => {
                self.counter_number.next = bits::<7>(42);
            }
            262 => {
                self.counter_number.next = bits::<7>(43);
            }
            263 => {
                self.counter_number.next = bits::<7>(44);
            }
            264 => {
                self.counter_number.next = bits::<7>(45);
            }
            265 => {
                self.counter_number.next = bits::<7>(46);
            }
            266 => {
                self.counter_number.next = bits::<7>(47);
            }
            267 => {
                self.counter_number.next = bits::<7>(48);
            }
            268 => {
                self.counter_number.next = bits::<7>(49);
            }
            269 => {
                self.counter_number.next = bits::<7>(50);
            }
            270 => {
                self.counter_number.next = bits::<7>(51);
            }
            271 => {
                self.counter_number.next = bits::<7>(52);
            }
            272 => {
                self.counter_number.next = bits::<7>(53);
            }
            273 => {
                self.counter_number.next = bits::<7>(54);
            }
            274 => {
                self.counter_number.next = bits::<7>(55);
            }
            275 => {
                self.counter_number.next = bits::<7>(56);
            }
            276 => {
                self.counter_number.next = bits::<7>(57);
            }
            277 => {
                self.counter_number.next = bits::<7>(58);
            }
            278 => {
                self.counter_number.next = bits::<7>(59);
            }
            279 => {
                self.counter_number.next = bits::<7>(60);
            }
            280 => {
                self.counter_number.next = bits::<7>(61);
            }
            281 => {
                self.counter_number.next = bits::<7>(62);
            }
            282 => {
                self.counter_number.next = bits::<7>(63);
            }
            283 => {
                self.counter_number.next = bits::<7>(64);
            }
            284 => {
                self.counter_number.next = bits::<7>(65);
            }
            285 => {
                self.counter_number.next = bits::<7>(66);
            }
            320 => {
                self.counter_number.next = bits::<7>(67);
            }
            321 => {
                self.counter_number.next = bits::<7>(68);
            }
            322 => {
                self.counter_number.next = bits::<7>(69);
            }
            323 => {
                self.counter_number.next = bits::<7>(70);
            }
            324 => {
                self.counter_number.next = bits::<7>(71);
            }
            325 => {
                self.counter_number.next = bits::<7>(72);
            }
            326 => {
                self.counter_number.next = bits::<7>(73);
            }
            327 => {
                self.counter_number.next = bits::<7>(74);
            }
            328 => {
                self.counter_number.next = bits::<7>(75);
            }
            329 => {
                self.counter_number.next = bits::<7>(76);
            }
            330 => {
                self.counter_number.next = bits::<7>(77);
            }
            331 => {
                self.counter_number.next = bits::<7>(78);
            }
            _ => {}
        }
        self.counters.read_word.next = (bit_cast::<8, 7>(self.counter_number.val()) << 1) | bit_cast::<8, 1>(self.slave.command_word.val().get_bits::<1>(0));
        self.events.next = bits::<79>(0);
        self.events.next = self.events.val().replace_bit(0, self.evt_frames.val());
        self.events.next = self.events.val().replace_bit(1, self.evt_frame_not_udp_4791.val());
        self.events.next = self.events.val().replace_bit(2, self.evt_frame_truncated.val());
        self.events.next = self.events.val().replace_bit(3, self.evt_frame_bad_version.val());
        self.events.next = self.events.val().replace_bit(4, self.evt_frame_unknown_opcode.val());
        self.events.next = self.events.val().replace_bit(5, self.evt_frame_bad_pad.val());
        self.events.next = self.events.val().replace_bit(6, self.evt_frame_bad_length.val());
        self.events.next = self.events.val().replace_bit(7, self.evt_frame_icrc.val());
        self.events.next = self.events.val().replace_bit(8, self.evt_frame_bad_extension.val());
        self.events.next = self.events.val().replace_bit(9, self.evt_frame_not_our_qp.val());
        self.events.next = self.events.val().replace_bit(10, self.evt_frame_no_slot.val());
        self.events.next = self.events.val().replace_bit(11, self.evt_frame_mac_error.val());
        self.events.next = self.events.val().replace_bit(12, self.evt_frame_foreign.val());
        self.events.next = self.events.val().replace_bit(13, self.evt_accepted.val());
        self.events.next = self.events.val().replace_bit(14, self.evt_duplicate.val());
        self.events.next = self.events.val().replace_bit(15, self.evt_memory_bursts.val());
        self.events.next = self.events.val().replace_bit(16, self.evt_memory_errors.val());
        self.events.next = self.events.val().replace_bit(17, self.evt_completions.val());
        self.events.next = self.events.val().replace_bit(18, self.evt_psn_new.val());
        self.events.next = self.events.val().replace_bit(19, self.evt_psn_duplicate.val());
        self.events.next = self.events.val().replace_bit(20, self.evt_psn_out_of_window.val());
        self.events.next = self.events.val().replace_bit(21, self.evt_psn_closed.val());
        self.events.next = self.events.val().replace_bit(22, self.evt_psn_gap.val());
        self.events.next = self.events.val().replace_bit(23, self.evt_psn_report.val());
        self.events.next = self.events.val().replace_bit(24, self.evt_psn_repeat.val());
        self.events.next = self.events.val().replace_bit(25, self.evt_psn_misjudged.val());
        self.events.next = self.events.val().replace_bit(26, self.evt_psn_folded.val());
        self.events.next = self.events.val().replace_bit(27, self.evt_psn_dropped.val());
        self.events.next = self.events.val().replace_bit(28, self.evt_psn_falls_behind.val());
        self.events.next = self.events.val().replace_bit(29, self.evt_psn_rebuilt.val());
        self.events.next = self.events.val().replace_bit(30, self.evt_psn_ack.val());
        self.events.next = self.events.val().replace_bit(31, self.evt_psn_ffm.val());
        self.events.next = self.events.val().replace_bit(32, self.evt_psn_range.val());
        self.events.next = self.events.val().replace_bit(33, self.evt_psn_unknown_node.val());
        self.events.next = self.events.val().replace_bit(34, self.evt_psn_pool_exhausted.val());
        self.events.next = self.events.val().replace_bit(35, self.evt_psn_window_shrunk.val());
        self.events.next = self.events.val().replace_bit(36, self.evt_immediate_full.val());
        self.events.next = self.events.val().replace_bit(37, self.evt_commands.val());
        self.events.next = self.events.val().replace_bit(38, self.evt_segments.val());
        self.events.next = self.events.val().replace_bit(39, self.evt_packets.val());
        self.events.next = self.events.val().replace_bit(40, self.evt_acks.val());
        self.events.next = self.events.val().replace_bit(41, self.evt_duplicate_acks.val());
        self.events.next = self.events.val().replace_bit(42, self.evt_nacks.val());
        self.events.next = self.events.val().replace_bit(43, self.evt_stale_acks.val());
        self.events.next = self.events.val().replace_bit(44, self.evt_timeouts.val());
        self.events.next = self.events.val().replace_bit(45, self.evt_retransmissions.val());
        self.events.next = self.events.val().replace_bit(46, self.evt_failures.val());
        self.events.next = self.events.val().replace_bit(47, self.evt_aborts.val());
        self.events.next = self.events.val().replace_bit(48, self.evt_arrival_failed.val());
        self.events.next = self.events.val().replace_bit(49, self.evt_acks_dropped.val());
        self.events.next = self.events.val().replace_bit(50, self.evt_nacks_dropped.val());
        self.events.next = self.events.val().replace_bit(51, self.evt_refused_bytes_zero.val());
        self.events.next = self.events.val().replace_bit(52, self.evt_refused_misaligned_target.val());
        self.events.next = self.events.val().replace_bit(53, self.evt_refused_wraps.val());
        self.events.next = self.events.val().replace_bit(54, self.evt_refused_misaligned_source.val());
        self.events.next = self.events.val().replace_bit(55, self.evt_refused_bad_configuration.val());
        self.events.next = self.events.val().replace_bit(56, self.evt_refused_too_long.val());
        self.events.next = self.events.val().replace_bit(57, self.evt_refused_loads.val());
        self.events.next = self.events.val().replace_bit(58, self.evt_descriptors.val());
        self.events.next = self.events.val().replace_bit(59, self.evt_cdma_errors.val());
        self.events.next = self.events.val().replace_bit(60, self.evt_cdma_resets.val());
        self.events.next = self.events.val().replace_bit(61, self.evt_data_frames.val());
        self.events.next = self.events.val().replace_bit(62, self.evt_stale_packets.val());
        self.events.next = self.events.val().replace_bit(63, self.evt_unknown_node.val());
        self.events.next = self.events.val().replace_bit(64, self.evt_buffer_write_refused.val());
        self.events.next = self.events.val().replace_bit(65, self.evt_buffer_read_refused.val());
        self.events.next = self.events.val().replace_bit(66, self.evt_posts_dropped.val());
        self.events.next = self.events.val().replace_bit(67, self.evt_number_ack.val());
        self.events.next = self.events.val().replace_bit(68, self.evt_number_range.val());
        self.events.next = self.events.val().replace_bit(69, self.evt_number_ffm.val());
        self.events.next = self.events.val().replace_bit(70, self.evt_number_negative.val());
        self.events.next = self.events.val().replace_bit(71, self.evt_number_malformed.val());
        self.events.next = self.events.val().replace_bit(72, self.evt_number_unknown_qp.val());
        self.events.next = self.events.val().replace_bit(73, self.evt_number_dropped.val());
        self.events.next = self.events.val().replace_bit(74, self.evt_bad_ack.val());
        self.events.next = self.events.val().replace_bit(75, self.evt_rto.val());
        self.events.next = self.events.val().replace_bit(76, self.evt_selective_retransmissions.val());
        self.events.next = self.events.val().replace_bit(77, self.evt_void.val());
        self.events.next = self.events.val().replace_bit(78, self.evt_queue_pair_errors.val());
        self.counters.events.next = self.events.val();

        // Stage 1: the row that was meant; writes.
        self.row_of_1.next = self.word_1.q.val().get_bits::<6>(4);
        self.valid_2.d.next = self.valid_1.q.val();
        self.write_2.d.next = self.write_1.q.val();
        self.error_2.d.next = !self.allowed_1.q.val();
        self.data_2.d.next = bits::<32>(0);
        if self.allowed_1.q.val() {
            match self.row_of_1.val().index() {
                0 => {
                    self.data_2.d.next = self.row_0.q.val();
                }
                1 => {
                    self.data_2.d.next = self.row_1.q.val();
                }
                2 => {
                    self.data_2.d.next = self.row_2.q.val();
                }
                4 => {
                    self.data_2.d.next = self.row_4.q.val();
                }
                5 => {
                    self.data_2.d.next = self.row_5.q.val();
                }
                6 => {
                    self.data_2.d.next = self.row_6.q.val();
                }
                7 => {
                    self.data_2.d.next = self.row_7.q.val();
                }
                8 => {
                    self.data_2.d.next = self.row_8.q.val();
                }
                9 => {
                    self.data_2.d.next = self.row_9.q.val();
                }
                10 => {
                    self.data_2.d.next = self.row_10.q.val();
                }
                11 => {
                    self.data_2.d.next = self.row_11.q.val();
                }
                12 => {
                    self.data_2.d.next = self.row_12.q.val();
                }
                13 => {
                    self.data_2.d.next = self.row_13.q.val();
                }
                14 => {
                    self.data_2.d.next = self.row_14.q.val();
                }
                15 => {
                    self.data_2.d.next = self.row_15.q.val();
                }
                16 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                17 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                21 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                24 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                25 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                26 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                32 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                33 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                34 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                35 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                40 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                41 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                _ => {}
            }
        }
        self.keep.next = !self.mask_1.q.val();
        self.control_soft_reset.d.next = false;
        self.control_clear_counters.d.next = false;
        self.interrupt_status_completion.d.next = self.interrupt_status_completion.q.val() | self.set_interrupt_status_completion.val();
        self.interrupt_status_ring_full.d.next = self.interrupt_status_ring_full.q.val() | self.set_interrupt_status_ring_full.val();
        self.interrupt_status_write_error.d.next = self.interrupt_status_write_error.q.val() | self.set_interrupt_status_write_error.val();
        self.interrupt_status_ring_error.d.next = self.interrupt_status_ring_error.q.val() | self.set_interrupt_status_ring_error.val();
        self.interrupt_status_frame_dropped.d.next = self.interrupt_status_frame_dropped.q.val() | self.set_interrupt_status_frame_dropped.val();
        self.interrupt_status_cdma_dead.d.next = self.interrupt_status_cdma_dead.q.val() | self.set_interrupt_status_cdma_dead.val();
        self.interrupt_status_config_error.d.next = self.interrupt_status_config_error.q.val() | self.set_interrupt_status_config_error.val();
        self.interrupt_status_post_dropped.d.next = self.interrupt_status_post_dropped.q.val() | self.set_interrupt_status_post_dropped.val();
        self.interrupt_status_connection_failed.d.next = self.interrupt_status_connection_failed.q.val() | self.set_interrupt_status_connection_failed.val();
        self.qp_load.d.next = false;
        self.node_load.d.next = false;
        self.command_post.d.next = false;
        self.connection_open.d.next = false;
        self.connection_close.d.next = false;
        if self.valid_1.q.val() && self.write_1.q.val() {
            match self.word_1.q.val().index() {
                7 => {
                    self.scratch.d.next = (self.scratch.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                16 => {
                    self.control_enable.d.next = (self.control_enable.q.val() & self.keep.val().get_bit(0)) | self.data_1.q.val().get_bit(0);
                    self.control_soft_reset.d.next = self.data_1.q.val().get_bit(8);
                    self.control_clear_counters.d.next = self.data_1.q.val().get_bit(9);
                }
                18 => {
                    self.interrupt_status_completion.d.next = (self.interrupt_status_completion.q.val() & !self.data_1.q.val().get_bit(0)) | self.set_interrupt_status_completion.val();
                    self.interrupt_status_ring_full.d.next = (self.interrupt_status_ring_full.q.val() & !self.data_1.q.val().get_bit(1)) | self.set_interrupt_status_ring_full.val();
                    self.interrupt_status_write_error.d.next = (self.interrupt_status_write_error.q.val() & !self.data_1.q.val().get_bit(2)) | self.set_interrupt_status_write_error.val();
                    self.interrupt_status_ring_error.d.next = (self.interrupt_status_ring_error.q.val() & !self.data_1.q.val().get_bit(3)) | self.set_interrupt_status_ring_error.val();
                    self.interrupt_status_frame_dropped.d.next = (self.interrupt_status_frame_dropped.q.val() & !self.data_1.q.val().get_bit(4)) | self.set_interrupt_status_frame_dropped.val();
                    self.interrupt_status_cdma_dead.d.next = (self.interrupt_status_cdma_dead.q.val() & !self.data_1.q.val().get_bit(5)) | self.set_interrupt_status_cdma_dead.val();
                    self.interrupt_status_config_error.d.next = (self.interrupt_status_config_error.q.val() & !self.data_1.q.val().get_bit(6)) | self.set_interrupt_status_config_error.val();
                    self.interrupt_status_post_dropped.d.next = (self.interrupt_status_post_dropped.q.val() & !self.data_1.q.val().get_bit(7)) | self.set_interrupt_status_post_dropped.val();
                    self.interrupt_status_connection_failed.d.next = (self.interrupt_status_connection_failed.q.val() & !self.data_1.q.val().get_bit(8)) | self.set_interrupt_status_connection_failed.val();
                }
                19 => {
                    self.interrupt_enable_completion.d.next = (self.interrupt_enable_completion.q.val() & self.keep.val().get_bit(0)) | self.data_1.q.val().get_bit(0);
                    self.interrupt_enable_ring_full.d.next = (self.interrupt_enable_ring_full.q.val() & self.keep.val().get_bit(1)) | self.data_1.q.val().get_bit(1);
                    self.interrupt_enable_write_error.d.next = (self.interrupt_enable_write_error.q.val() & self.keep.val().get_bit(2)) | self.data_1.q.val().get_bit(2);
                    self.interrupt_enable_ring_error.d.next = (self.interrupt_enable_ring_error.q.val() & self.keep.val().get_bit(3)) | self.data_1.q.val().get_bit(3);
                    self.interrupt_enable_frame_dropped.d.next = (self.interrupt_enable_frame_dropped.q.val() & self.keep.val().get_bit(4)) | self.data_1.q.val().get_bit(4);
                    self.interrupt_enable_cdma_dead.d.next = (self.interrupt_enable_cdma_dead.q.val() & self.keep.val().get_bit(5)) | self.data_1.q.val().get_bit(5);
                    self.interrupt_enable_config_error.d.next = (self.interrupt_enable_config_error.q.val() & self.keep.val().get_bit(6)) | self.data_1.q.val().get_bit(6);
                    self.interrupt_enable_post_dropped.d.next = (self.interrupt_enable_post_dropped.q.val() & self.keep.val().get_bit(7)) | self.data_1.q.val().get_bit(7);
                    self.interrupt_enable_connection_failed.d.next = (self.interrupt_enable_connection_failed.q.val() & self.keep.val().get_bit(8)) | self.data_1.q.val().get_bit(8);
                }
                32 => {
                    self.prescale.d.next = (self.prescale.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                35 => {
                    self.t_life.d.next = (self.t_life.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                64 => {
                    self.qp_index.d.next = (self.qp_index.q.val() & self.keep.val().get_bits::<8>(0)) | self.data_1.q.val().get_bits::<8>(0);
                }
                65 => {
                    self.qp_entry_number.d.next = (self.qp_entry_number.q.val() & self.keep.val().get_bits::<24>(0)) | self.data_1.q.val().get_bits::<24>(0);
                    self.qp_entry_valid.d.next = (self.qp_entry_valid.q.val() & self.keep.val().get_bit(31)) | self.data_1.q.val().get_bit(31);
                }
                66 => {
                    self.qp_load.d.next = self.data_1.q.val().get_bit(0);
                }
                80 => {
                    self.node_index.d.next = (self.node_index.q.val() & self.keep.val().get_bits::<8>(0)) | self.data_1.q.val().get_bits::<8>(0);
                }
                82 => {
                    self.node_mac_low.d.next = (self.node_mac_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                83 => {
                    self.node_mac_high.d.next = (self.node_mac_high.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                84 => {
                    self.node_ip_0.d.next = (self.node_ip_0.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                85 => {
                    self.node_ip_1.d.next = (self.node_ip_1.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                86 => {
                    self.node_ip_2.d.next = (self.node_ip_2.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                87 => {
                    self.node_ip_3.d.next = (self.node_ip_3.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                88 => {
                    self.node_qp_number.d.next = (self.node_qp_number.q.val() & self.keep.val().get_bits::<24>(0)) | self.data_1.q.val().get_bits::<24>(0);
                    self.node_qp_ipv6.d.next = (self.node_qp_ipv6.q.val() & self.keep.val().get_bit(30)) | self.data_1.q.val().get_bit(30);
                    self.node_qp_valid.d.next = (self.node_qp_valid.q.val() & self.keep.val().get_bit(31)) | self.data_1.q.val().get_bit(31);
                }
                89 => {
                    self.node_load.d.next = self.data_1.q.val().get_bit(0);
                }
                96 => {
                    self.local_mac_low.d.next = (self.local_mac_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                97 => {
                    self.local_mac_high.d.next = (self.local_mac_high.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                98 => {
                    self.local_ip_0.d.next = (self.local_ip_0.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                99 => {
                    self.local_ip_1.d.next = (self.local_ip_1.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                100 => {
                    self.local_ip_2.d.next = (self.local_ip_2.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                101 => {
                    self.local_ip_3.d.next = (self.local_ip_3.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                102 => {
                    self.local_udp_source_port.d.next = (self.local_udp_source_port.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                    self.local_udp_hop_limit.d.next = (self.local_udp_hop_limit.q.val() & self.keep.val().get_bits::<8>(16)) | self.data_1.q.val().get_bits::<8>(16);
                    self.local_udp_traffic_class.d.next = (self.local_udp_traffic_class.q.val() & self.keep.val().get_bits::<8>(24)) | self.data_1.q.val().get_bits::<8>(24);
                }
                103 => {
                    self.local_pkey.d.next = (self.local_pkey.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                104 => {
                    self.local_vlan_tag.d.next = (self.local_vlan_tag.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                    self.local_vlan_on.d.next = (self.local_vlan_on.q.val() & self.keep.val().get_bit(31)) | self.data_1.q.val().get_bit(31);
                }
                112 => {
                    self.ring_base_low.d.next = (self.ring_base_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                113 => {
                    self.ring_base_high.d.next = (self.ring_base_high.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                114 => {
                    self.ring_size_log2.d.next = (self.ring_size_log2.q.val() & self.keep.val().get_bits::<5>(0)) | self.data_1.q.val().get_bits::<5>(0);
                }
                115 => {
                    self.ring_consumer.d.next = (self.ring_consumer.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                117 => {
                    self.coalesce_count.d.next = (self.coalesce_count.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                118 => {
                    self.coalesce_delay.d.next = (self.coalesce_delay.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                144 => {
                    self.threshold.d.next = (self.threshold.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                145 => {
                    self.segment.d.next = (self.segment.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                146 => {
                    self.timeout.d.next = (self.timeout.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                147 => {
                    self.backoff_cap.d.next = (self.backoff_cap.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                148 => {
                    self.retry_limit.d.next = (self.retry_limit.q.val() & self.keep.val().get_bits::<5>(0)) | self.data_1.q.val().get_bits::<5>(0);
                }
                149 => {
                    self.irq_threshold.d.next = (self.irq_threshold.q.val() & self.keep.val().get_bits::<8>(0)) | self.data_1.q.val().get_bits::<8>(0);
                }
                150 => {
                    self.irq_delay.d.next = (self.irq_delay.q.val() & self.keep.val().get_bits::<8>(0)) | self.data_1.q.val().get_bits::<8>(0);
                }
                151 => {
                    self.reset_timeout.d.next = (self.reset_timeout.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                152 => {
                    self.cdma_error_limit.d.next = (self.cdma_error_limit.q.val() & self.keep.val().get_bits::<8>(0)) | self.data_1.q.val().get_bits::<8>(0);
                }
                153 => {
                    self.cdma_wide.d.next = (self.cdma_wide.q.val() & self.keep.val().get_bit(0)) | self.data_1.q.val().get_bit(0);
                }
                154 => {
                    self.source_node.d.next = (self.source_node.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                156 => {
                    self.buffer_base_low.d.next = (self.buffer_base_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                157 => {
                    self.buffer_base_high.d.next = (self.buffer_base_high.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                158 => {
                    self.sg_base_low.d.next = (self.sg_base_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                159 => {
                    self.sg_base_high.d.next = (self.sg_base_high.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                160 => {
                    self.command_id.d.next = (self.command_id.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                162 => {
                    self.command_target_low.d.next = (self.command_target_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                163 => {
                    self.command_target_high.d.next = (self.command_target_high.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                164 => {
                    self.command_node.d.next = (self.command_node.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                165 => {
                    self.command_qp.d.next = (self.command_qp.q.val() & self.keep.val().get_bits::<24>(0)) | self.data_1.q.val().get_bits::<24>(0);
                }
                166 => {
                    self.command_rkey.d.next = (self.command_rkey.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                167 => {
                    self.command_imm.d.next = (self.command_imm.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                168 => {
                    self.command_options_imm_valid.d.next = (self.command_options_imm_valid.q.val() & self.keep.val().get_bit(0)) | self.data_1.q.val().get_bit(0);
                    self.command_options_arrival.d.next = (self.command_options_arrival.q.val() & self.keep.val().get_bit(1)) | self.data_1.q.val().get_bit(1);
                    self.command_options_blocks.d.next = (self.command_options_blocks.q.val() & self.keep.val().get_bits::<3>(8)) | self.data_1.q.val().get_bits::<3>(8);
                }
                176 => {
                    self.command_source_0_low.d.next = (self.command_source_0_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                177 => {
                    self.command_source_0_high.d.next = (self.command_source_0_high.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                178 => {
                    self.command_source_1_low.d.next = (self.command_source_1_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                179 => {
                    self.command_source_1_high.d.next = (self.command_source_1_high.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                180 => {
                    self.command_source_2_low.d.next = (self.command_source_2_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                181 => {
                    self.command_source_2_high.d.next = (self.command_source_2_high.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                182 => {
                    self.command_source_3_low.d.next = (self.command_source_3_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                183 => {
                    self.command_source_3_high.d.next = (self.command_source_3_high.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                184 => {
                    self.command_bytes_0.d.next = (self.command_bytes_0.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                185 => {
                    self.command_bytes_1.d.next = (self.command_bytes_1.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                186 => {
                    self.command_bytes_2.d.next = (self.command_bytes_2.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                187 => {
                    self.command_bytes_3.d.next = (self.command_bytes_3.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                188 => {
                    self.command_post.d.next = self.data_1.q.val().get_bit(0);
                }
                201 => {
                    self.connection_index.d.next = (self.connection_index.q.val() & self.keep.val().get_bits::<8>(0)) | self.data_1.q.val().get_bits::<8>(0);
                }
                202 => {
                    self.connection_psn.d.next = (self.connection_psn.q.val() & self.keep.val().get_bits::<24>(0)) | self.data_1.q.val().get_bits::<24>(0);
                }
                203 => {
                    self.connection_open.d.next = self.data_1.q.val().get_bit(0);
                    self.connection_close.d.next = self.data_1.q.val().get_bit(1);
                }
                208 => {
                    self.depth.d.next = (self.depth.q.val() & self.keep.val().get_bits::<22>(0)) | self.data_1.q.val().get_bits::<22>(0);
                }
                209 => {
                    self.depth_mode.d.next = (self.depth_mode.q.val() & self.keep.val().get_bit(0)) | self.data_1.q.val().get_bit(0);
                }
                210 => {
                    self.wait.d.next = (self.wait.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                211 => {
                    self.stall.d.next = (self.stall.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                212 => {
                    self.stall_packets.d.next = (self.stall_packets.q.val() & self.keep.val().get_bits::<22>(0)) | self.data_1.q.val().get_bits::<22>(0);
                }
                213 => {
                    self.feedback_threshold.d.next = (self.feedback_threshold.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                214 => {
                    self.feedback_wait.d.next = (self.feedback_wait.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                215 => {
                    self.refeedback.d.next = (self.refeedback.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                216 => {
                    self.range_ack.d.next = (self.range_ack.q.val() & self.keep.val().get_bit(0)) | self.data_1.q.val().get_bit(0);
                }
                217 => {
                    self.slide_step.d.next = (self.slide_step.q.val() & self.keep.val().get_bits::<7>(0)) | self.data_1.q.val().get_bits::<7>(0);
                }
                218 => {
                    self.window_length_base.d.next = (self.window_length_base.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                    self.window_length_most.d.next = (self.window_length_most.q.val() & self.keep.val().get_bits::<16>(16)) | self.data_1.q.val().get_bits::<16>(16);
                }
                219 => {
                    self.bandwidth.d.next = (self.bandwidth.q.val() & self.keep.val().get_bits::<24>(0)) | self.data_1.q.val().get_bits::<24>(0);
                }
                220 => {
                    self.round_trip.d.next = (self.round_trip.q.val() & self.keep.val().get_bits::<24>(0)) | self.data_1.q.val().get_bits::<24>(0);
                }
                221 => {
                    self.window_factors_headroom.d.next = (self.window_factors_headroom.q.val() & self.keep.val().get_bits::<8>(0)) | self.data_1.q.val().get_bits::<8>(0);
                    self.window_factors_load.d.next = (self.window_factors_load.q.val() & self.keep.val().get_bits::<8>(8)) | self.data_1.q.val().get_bits::<8>(8);
                    self.window_factors_congestion.d.next = (self.window_factors_congestion.q.val() & self.keep.val().get_bits::<5>(16)) | self.data_1.q.val().get_bits::<5>(16);
                }
                222 => {
                    self.qp_limit.d.next = (self.qp_limit.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                225 => {
                    self.feedback_qp.d.next = (self.feedback_qp.q.val() & self.keep.val().get_bits::<24>(0)) | self.data_1.q.val().get_bits::<24>(0);
                }
                226 => {
                    self.dedup.d.next = (self.dedup.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                227 => {
                    self.rtx_mode.d.next = (self.rtx_mode.q.val() & self.keep.val().get_bits::<2>(0)) | self.data_1.q.val().get_bits::<2>(0);
                }
                228 => {
                    self.aggregate.d.next = (self.aggregate.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                229 => {
                    self.merge.d.next = (self.merge.q.val() & self.keep.val().get_bits::<8>(0)) | self.data_1.q.val().get_bits::<8>(0);
                }
                230 => {
                    self.rtx_window.d.next = (self.rtx_window.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                231 => {
                    self.rto.d.next = (self.rto.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                232 => {
                    self.rto_cap.d.next = (self.rto_cap.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                233 => {
                    self.rto_limit.d.next = (self.rto_limit.q.val() & self.keep.val().get_bits::<8>(0)) | self.data_1.q.val().get_bits::<8>(0);
                }
                234 => {
                    self.rate_limit_on.d.next = (self.rate_limit_on.q.val() & self.keep.val().get_bit(0)) | self.data_1.q.val().get_bit(0);
                    self.rate_limit_burst.d.next = (self.rate_limit_burst.q.val() & self.keep.val().get_bits::<16>(16)) | self.data_1.q.val().get_bits::<16>(16);
                }
                235 => {
                    self.rate.d.next = (self.rate.q.val() & self.keep.val().get_bits::<24>(0)) | self.data_1.q.val().get_bits::<24>(0);
                }
                236 => {
                    self.rate_packet.d.next = (self.rate_packet.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                237 => {
                    self.untold_window.d.next = (self.untold_window.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                240 => {
                    self.data_qp.d.next = (self.data_qp.q.val() & self.keep.val().get_bits::<24>(0)) | self.data_1.q.val().get_bits::<24>(0);
                }
                _ => {}
            }
        }

        self.cfg_scratch.next = self.scratch.q.val();
        self.cfg_control_enable.next = self.control_enable.q.val();
        self.do_control_soft_reset.next = self.control_soft_reset.q.val();
        self.do_control_clear_counters.next = self.control_clear_counters.q.val();
        self.cfg_interrupt_enable_completion.next = self.interrupt_enable_completion.q.val();
        self.cfg_interrupt_enable_ring_full.next = self.interrupt_enable_ring_full.q.val();
        self.cfg_interrupt_enable_write_error.next = self.interrupt_enable_write_error.q.val();
        self.cfg_interrupt_enable_ring_error.next = self.interrupt_enable_ring_error.q.val();
        self.cfg_interrupt_enable_frame_dropped.next = self.interrupt_enable_frame_dropped.q.val();
        self.cfg_interrupt_enable_cdma_dead.next = self.interrupt_enable_cdma_dead.q.val();
        self.cfg_interrupt_enable_config_error.next = self.interrupt_enable_config_error.q.val();
        self.cfg_interrupt_enable_post_dropped.next = self.interrupt_enable_post_dropped.q.val();
        self.cfg_interrupt_enable_connection_failed.next = self.interrupt_enable_connection_failed.q.val();
        self.cfg_prescale.next = self.prescale.q.val();
        self.cfg_t_life.next = self.t_life.q.val();
        self.cfg_qp_index.next = self.qp_index.q.val();
        self.cfg_qp_entry_number.next = self.qp_entry_number.q.val();
        self.cfg_qp_entry_valid.next = self.qp_entry_valid.q.val();
        self.do_qp_load.next = self.qp_load.q.val();
        self.cfg_node_index.next = self.node_index.q.val();
        self.cfg_node_mac.next = bit_cast::<48, 32>(self.node_mac_low.q.val()) | (bit_cast::<48, 16>(self.node_mac_high.q.val()) << 32);
        self.cfg_node_ip_0.next = self.node_ip_0.q.val();
        self.cfg_node_ip_1.next = self.node_ip_1.q.val();
        self.cfg_node_ip_2.next = self.node_ip_2.q.val();
        self.cfg_node_ip_3.next = self.node_ip_3.q.val();
        self.cfg_node_qp_number.next = self.node_qp_number.q.val();
        self.cfg_node_qp_ipv6.next = self.node_qp_ipv6.q.val();
        self.cfg_node_qp_valid.next = self.node_qp_valid.q.val();
        self.do_node_load.next = self.node_load.q.val();
        self.cfg_local_mac.next = bit_cast::<48, 32>(self.local_mac_low.q.val()) | (bit_cast::<48, 16>(self.local_mac_high.q.val()) << 32);
        self.cfg_local_ip_0.next = self.local_ip_0.q.val();
        self.cfg_local_ip_1.next = self.local_ip_1.q.val();
        self.cfg_local_ip_2.next = self.local_ip_2.q.val();
        self.cfg_local_ip_3.next = self.local_ip_3.q.val();
        self.cfg_local_udp_source_port.next = self.local_udp_source_port.q.val();
        self.cfg_local_udp_hop_limit.next = self.local_udp_hop_limit.q.val();
        self.cfg_local_udp_traffic_class.next = self.local_udp_traffic_class.q.val();
        self.cfg_local_pkey.next = self.local_pkey.q.val();
        self.cfg_local_vlan_tag.next = self.local_vlan_tag.q.val();
        self.cfg_local_vlan_on.next = self.local_vlan_on.q.val();
        self.cfg_ring_base.next = bit_cast::<64, 32>(self.ring_base_low.q.val()) | (bit_cast::<64, 32>(self.ring_base_high.q.val()) << 32);
        self.cfg_ring_size_log2.next = self.ring_size_log2.q.val();
        self.cfg_ring_consumer.next = self.ring_consumer.q.val();
        self.cfg_coalesce_count.next = self.coalesce_count.q.val();
        self.cfg_coalesce_delay.next = self.coalesce_delay.q.val();
        self.cfg_threshold.next = self.threshold.q.val();
        self.cfg_segment.next = self.segment.q.val();
        self.cfg_timeout.next = self.timeout.q.val();
        self.cfg_backoff_cap.next = self.backoff_cap.q.val();
        self.cfg_retry_limit.next = self.retry_limit.q.val();
        self.cfg_irq_threshold.next = self.irq_threshold.q.val();
        self.cfg_irq_delay.next = self.irq_delay.q.val();
        self.cfg_reset_timeout.next = self.reset_timeout.q.val();
        self.cfg_cdma_error_limit.next = self.cdma_error_limit.q.val();
        self.cfg_cdma_wide.next = self.cdma_wide.q.val();
        self.cfg_source_node.next = self.source_node.q.val();
        self.cfg_buffer_base.next = bit_cast::<64, 32>(self.buffer_base_low.q.val()) | (bit_cast::<64, 32>(self.buffer_base_high.q.val()) << 32);
        self.cfg_sg_base.next = bit_cast::<64, 32>(self.sg_base_low.q.val()) | (bit_cast::<64, 32>(self.sg_base_high.q.val()) << 32);
        self.cfg_command_id.next = self.command_id.q.val();
        self.cfg_command_target.next = bit_cast::<64, 32>(self.command_target_low.q.val()) | (bit_cast::<64, 32>(self.command_target_high.q.val()) << 32);
        self.cfg_command_node.next = self.command_node.q.val();
        self.cfg_command_qp.next = self.command_qp.q.val();
        self.cfg_command_rkey.next = self.command_rkey.q.val();
        self.cfg_command_imm.next = self.command_imm.q.val();
        self.cfg_command_options_imm_valid.next = self.command_options_imm_valid.q.val();
        self.cfg_command_options_arrival.next = self.command_options_arrival.q.val();
        self.cfg_command_options_blocks.next = self.command_options_blocks.q.val();
        self.cfg_command_source_0.next = bit_cast::<64, 32>(self.command_source_0_low.q.val()) | (bit_cast::<64, 32>(self.command_source_0_high.q.val()) << 32);
        self.cfg_command_source_1.next = bit_cast::<64, 32>(self.command_source_1_low.q.val()) | (bit_cast::<64, 32>(self.command_source_1_high.q.val()) << 32);
        self.cfg_command_source_2.next = bit_cast::<64, 32>(self.command_source_2_low.q.val()) | (bit_cast::<64, 32>(self.command_source_2_high.q.val()) << 32);
        self.cfg_command_source_3.next = bit_cast::<64, 32>(self.command_source_3_low.q.val()) | (bit_cast::<64, 32>(self.command_source_3_high.q.val()) << 32);
        self.cfg_command_bytes_0.next = self.command_bytes_0.q.val();
        self.cfg_command_bytes_1.next = self.command_bytes_1.q.val();
        self.cfg_command_bytes_2.next = self.command_bytes_2.q.val();
        self.cfg_command_bytes_3.next = self.command_bytes_3.q.val();
        self.do_command_post.next = self.command_post.q.val();
        self.cfg_connection_index.next = self.connection_index.q.val();
        self.cfg_connection_psn.next = self.connection_psn.q.val();
        self.do_connection_open.next = self.connection_open.q.val();
        self.do_connection_close.next = self.connection_close.q.val();
        self.cfg_depth.next = self.depth.q.val();
        self.cfg_depth_mode.next = self.depth_mode.q.val();
        self.cfg_wait.next = self.wait.q.val();
        self.cfg_stall.next = self.stall.q.val();
        self.cfg_stall_packets.next = self.stall_packets.q.val();
        self.cfg_feedback_threshold.next = self.feedback_threshold.q.val();
        self.cfg_feedback_wait.next = self.feedback_wait.q.val();
        self.cfg_refeedback.next = self.refeedback.q.val();
        self.cfg_range_ack.next = self.range_ack.q.val();
        self.cfg_slide_step.next = self.slide_step.q.val();
        self.cfg_window_length_base.next = self.window_length_base.q.val();
        self.cfg_window_length_most.next = self.window_length_most.q.val();
        self.cfg_bandwidth.next = self.bandwidth.q.val();
        self.cfg_round_trip.next = self.round_trip.q.val();
        self.cfg_window_factors_headroom.next = self.window_factors_headroom.q.val();
        self.cfg_window_factors_load.next = self.window_factors_load.q.val();
        self.cfg_window_factors_congestion.next = self.window_factors_congestion.q.val();
        self.cfg_qp_limit.next = self.qp_limit.q.val();
        self.cfg_feedback_qp.next = self.feedback_qp.q.val();
        self.cfg_dedup.next = self.dedup.q.val();
        self.cfg_rtx_mode.next = self.rtx_mode.q.val();
        self.cfg_aggregate.next = self.aggregate.q.val();
        self.cfg_merge.next = self.merge.q.val();
        self.cfg_rtx_window.next = self.rtx_window.q.val();
        self.cfg_rto.next = self.rto.q.val();
        self.cfg_rto_cap.next = self.rto_cap.q.val();
        self.cfg_rto_limit.next = self.rto_limit.q.val();
        self.cfg_rate_limit_on.next = self.rate_limit_on.q.val();
        self.cfg_rate_limit_burst.next = self.rate_limit_burst.q.val();
        self.cfg_rate.next = self.rate.q.val();
        self.cfg_rate_packet.next = self.rate_packet.q.val();
        self.cfg_untold_window.next = self.untold_window.q.val();
        self.cfg_data_qp.next = self.data_qp.q.val();
        self.irq_now.d.next = (self.interrupt_status_completion.q.val() && self.interrupt_enable_completion.q.val()) || (self.interrupt_status_ring_full.q.val() && self.interrupt_enable_ring_full.q.val()) || (self.interrupt_status_write_error.q.val() && self.interrupt_enable_write_error.q.val()) || (self.interrupt_status_ring_error.q.val() && self.interrupt_enable_ring_error.q.val()) || (self.interrupt_status_frame_dropped.q.val() && self.interrupt_enable_frame_dropped.q.val()) || (self.interrupt_status_cdma_dead.q.val() && self.interrupt_enable_cdma_dead.q.val()) || (self.interrupt_status_config_error.q.val() && self.interrupt_enable_config_error.q.val()) || (self.interrupt_status_post_dropped.q.val() && self.interrupt_enable_post_dropped.q.val()) || (self.interrupt_status_connection_failed.q.val() && self.interrupt_enable_connection_failed.q.val());
        self.irq.next = self.irq_now.q.val();

        if self.rst.val() {
            self.valid_1.d.next = false;
            self.valid_2.d.next = false;
            self.scratch.d.next = self.scratch_reset.val();
            self.control_enable.d.next = self.control_enable_reset.val();
            self.control_soft_reset.d.next = false;
            self.control_clear_counters.d.next = false;
            self.interrupt_status_completion.d.next = false;
            self.interrupt_status_ring_full.d.next = false;
            self.interrupt_status_write_error.d.next = false;
            self.interrupt_status_ring_error.d.next = false;
            self.interrupt_status_frame_dropped.d.next = false;
            self.interrupt_status_cdma_dead.d.next = false;
            self.interrupt_status_config_error.d.next = false;
            self.interrupt_status_post_dropped.d.next = false;
            self.interrupt_status_connection_failed.d.next = false;
            self.interrupt_enable_completion.d.next = self.interrupt_enable_completion_reset.val();
            self.interrupt_enable_ring_full.d.next = self.interrupt_enable_ring_full_reset.val();
            self.interrupt_enable_write_error.d.next = self.interrupt_enable_write_error_reset.val();
            self.interrupt_enable_ring_error.d.next = self.interrupt_enable_ring_error_reset.val();
            self.interrupt_enable_frame_dropped.d.next = self.interrupt_enable_frame_dropped_reset.val();
            self.interrupt_enable_cdma_dead.d.next = self.interrupt_enable_cdma_dead_reset.val();
            self.interrupt_enable_config_error.d.next = self.interrupt_enable_config_error_reset.val();
            self.interrupt_enable_post_dropped.d.next = self.interrupt_enable_post_dropped_reset.val();
            self.interrupt_enable_connection_failed.d.next = self.interrupt_enable_connection_failed_reset.val();
            self.prescale.d.next = self.prescale_reset.val();
            self.t_life.d.next = self.t_life_reset.val();
            self.qp_index.d.next = self.qp_index_reset.val();
            self.qp_entry_number.d.next = self.qp_entry_number_reset.val();
            self.qp_entry_valid.d.next = self.qp_entry_valid_reset.val();
            self.qp_load.d.next = false;
            self.node_index.d.next = self.node_index_reset.val();
            self.node_mac_low.d.next = self.node_mac_low_reset.val();
            self.node_mac_high.d.next = self.node_mac_high_reset.val();
            self.node_ip_0.d.next = self.node_ip_0_reset.val();
            self.node_ip_1.d.next = self.node_ip_1_reset.val();
            self.node_ip_2.d.next = self.node_ip_2_reset.val();
            self.node_ip_3.d.next = self.node_ip_3_reset.val();
            self.node_qp_number.d.next = self.node_qp_number_reset.val();
            self.node_qp_ipv6.d.next = self.node_qp_ipv6_reset.val();
            self.node_qp_valid.d.next = self.node_qp_valid_reset.val();
            self.node_load.d.next = false;
            self.local_mac_low.d.next = self.local_mac_low_reset.val();
            self.local_mac_high.d.next = self.local_mac_high_reset.val();
            self.local_ip_0.d.next = self.local_ip_0_reset.val();
            self.local_ip_1.d.next = self.local_ip_1_reset.val();
            self.local_ip_2.d.next = self.local_ip_2_reset.val();
            self.local_ip_3.d.next = self.local_ip_3_reset.val();
            self.local_udp_source_port.d.next = self.local_udp_source_port_reset.val();
            self.local_udp_hop_limit.d.next = self.local_udp_hop_limit_reset.val();
            self.local_udp_traffic_class.d.next = self.local_udp_traffic_class_reset.val();
            self.local_pkey.d.next = self.local_pkey_reset.val();
            self.local_vlan_tag.d.next = self.local_vlan_tag_reset.val();
            self.local_vlan_on.d.next = self.local_vlan_on_reset.val();
            self.ring_base_low.d.next = self.ring_base_low_reset.val();
            self.ring_base_high.d.next = self.ring_base_high_reset.val();
            self.ring_size_log2.d.next = self.ring_size_log2_reset.val();
            self.ring_consumer.d.next = self.ring_consumer_reset.val();
            self.coalesce_count.d.next = self.coalesce_count_reset.val();
            self.coalesce_delay.d.next = self.coalesce_delay_reset.val();
            self.threshold.d.next = self.threshold_reset.val();
            self.segment.d.next = self.segment_reset.val();
            self.timeout.d.next = self.timeout_reset.val();
            self.backoff_cap.d.next = self.backoff_cap_reset.val();
            self.retry_limit.d.next = self.retry_limit_reset.val();
            self.irq_threshold.d.next = self.irq_threshold_reset.val();
            self.irq_delay.d.next = self.irq_delay_reset.val();
            self.reset_timeout.d.next = self.reset_timeout_reset.val();
            self.cdma_error_limit.d.next = self.cdma_error_limit_reset.val();
            self.cdma_wide.d.next = self.cdma_wide_reset.val();
            self.source_node.d.next = self.source_node_reset.val();
            self.buffer_base_low.d.next = self.buffer_base_low_reset.val();
            self.buffer_base_high.d.next = self.buffer_base_high_reset.val();
            self.sg_base_low.d.next = self.sg_base_low_reset.val();
            self.sg_base_high.d.next = self.sg_base_high_reset.val();
            self.command_id.d.next = self.command_id_reset.val();
            self.command_target_low.d.next = self.command_target_low_reset.val();
            self.command_target_high.d.next = self.command_target_high_reset.val();
            self.command_node.d.next = self.command_node_reset.val();
            self.command_qp.d.next = self.command_qp_reset.val();
            self.command_rkey.d.next = self.command_rkey_reset.val();
            self.command_imm.d.next = self.command_imm_reset.val();
            self.command_options_imm_valid.d.next = self.command_options_imm_valid_reset.val();
            self.command_options_arrival.d.next = self.command_options_arrival_reset.val();
            self.command_options_blocks.d.next = self.command_options_blocks_reset.val();
            self.command_source_0_low.d.next = self.command_source_0_low_reset.val();
            self.command_source_0_high.d.next = self.command_source_0_high_reset.val();
            self.command_source_1_low.d.next = self.command_source_1_low_reset.val();
            self.command_source_1_high.d.next = self.command_source_1_high_reset.val();
            self.command_source_2_low.d.next = self.command_source_2_low_reset.val();
            self.command_source_2_high.d.next = self.command_source_2_high_reset.val();
            self.command_source_3_low.d.next = self.command_source_3_low_reset.val();
            self.command_source_3_high.d.next = self.command_source_3_high_reset.val();
            self.command_bytes_0.d.next = self.command_bytes_0_reset.val();
            self.command_bytes_1.d.next = self.command_bytes_1_reset.val();
            self.command_bytes_2.d.next = self.command_bytes_2_reset.val();
            self.command_bytes_3.d.next = self.command_bytes_3_reset.val();
            self.command_post.d.next = false;
            self.connection_index.d.next = self.connection_index_reset.val();
            self.connection_psn.d.next = self.connection_psn_reset.val();
            self.connection_open.d.next = false;
            self.connection_close.d.next = false;
            self.depth.d.next = self.depth_reset.val();
            self.depth_mode.d.next = self.depth_mode_reset.val();
            self.wait.d.next = self.wait_reset.val();
            self.stall.d.next = self.stall_reset.val();
            self.stall_packets.d.next = self.stall_packets_reset.val();
            self.feedback_threshold.d.next = self.feedback_threshold_reset.val();
            self.feedback_wait.d.next = self.feedback_wait_reset.val();
            self.refeedback.d.next = self.refeedback_reset.val();
            self.range_ack.d.next = self.range_ack_reset.val();
            self.slide_step.d.next = self.slide_step_reset.val();
            self.window_length_base.d.next = self.window_length_base_reset.val();
            self.window_length_most.d.next = self.window_length_most_reset.val();
            self.bandwidth.d.next = self.bandwidth_reset.val();
            self.round_trip.d.next = self.round_trip_reset.val();
            self.window_factors_headroom.d.next = self.window_factors_headroom_reset.val();
            self.window_factors_load.d.next = self.window_factors_load_reset.val();
            self.window_factors_congestion.d.next = self.window_factors_congestion_reset.val();
            self.qp_limit.d.next = self.qp_limit_reset.val();
            self.feedback_qp.d.next = self.feedback_qp_reset.val();
            self.dedup.d.next = self.dedup_reset.val();
            self.rtx_mode.d.next = self.rtx_mode_reset.val();
            self.aggregate.d.next = self.aggregate_reset.val();
            self.merge.d.next = self.merge_reset.val();
            self.rtx_window.d.next = self.rtx_window_reset.val();
            self.rto.d.next = self.rto_reset.val();
            self.rto_cap.d.next = self.rto_cap_reset.val();
            self.rto_limit.d.next = self.rto_limit_reset.val();
            self.rate_limit_on.d.next = self.rate_limit_on_reset.val();
            self.rate_limit_burst.d.next = self.rate_limit_burst_reset.val();
            self.rate.d.next = self.rate_reset.val();
            self.rate_packet.d.next = self.rate_packet_reset.val();
            self.untold_window.d.next = self.untold_window_reset.val();
            self.data_qp.d.next = self.data_qp_reset.val();
            self.irq_now.d.next = false;
        }
    }
}
