// Made from the description in `hdl/src/csr/combined_receive_endpoint.rs`: change that, and run `make registers`.

use super::combined_receive_endpoint::{Parameters, registers};
use crate::Described;
use crate::csr::{AxiLiteSlave, CounterBank, RegisterMap};
use crate::primitives::Reg;
use rust_hdl::prelude::*;

/// Registers of `combined_receive_endpoint` behind an AXI4-Lite slave; the map is in the documentation that is made from the same description.
///
/// `cfg_` is a value that software writes, `status_` one that it reads as it is, `set_` sets a bit that it clears, `do_` is one clock
/// high after a one was written, `evt_` counts its clocks. Holes and writes to what is only read are answered by SLVERR.
/// Latency: 5 clocks from address to answer, 4 from write address and data to `cfg_`. Throughput: one read per 2 clocks and one write per
/// 2 clocks at the same time. Reset: every register has its reset value, every counter is zero.
/// `A` = 12 bits of an address, `WA` = `A` - 2 of a word's: what the map needs.
/// What is read of one of the 64 counters lacks at most the events of the last 68 clocks.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct CombinedReceiveEndpointRegisters<const A: usize = 12, const WA: usize = 10> {
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
    /// ticks since reset
    pub status_now: Signal<In, Bits<32>>,
    /// clocks per tick; 322 is 1 us at 322 MHz, 0 counts as 1
    pub cfg_prescale: Signal<Out, Bits<16>>,
    /// ticks without a new packet until an operation is freed; less than 2^31
    pub cfg_op_timeout: Signal<Out, Bits<32>>,
    /// ticks that a packet may wait in the escape channel; less than 2^31
    pub cfg_escape_timeout: Signal<Out, Bits<32>>,
    /// ticks that the end of an operation is remembered; less than 2^31
    pub cfg_t_life: Signal<Out, Bits<32>>,
    /// ticks between two notifications of one finished operation; less than 2^31
    pub cfg_renotify: Signal<Out, Bits<32>>,
    /// ticks that acknowledgements of one operation may wait to merge; less than 2^31
    pub cfg_ack_wait: Signal<Out, Bits<32>>,
    /// operations that one source may have live
    pub cfg_entry_quota: Signal<Out, Bits<8>>,
    /// escape slots that one source may hold
    pub cfg_escape_quota: Signal<Out, Bits<16>>,
    /// most operations live at once since reset
    pub status_high_water_entries: Signal<In, Bits<16>>,
    /// most packets waiting at once since reset
    pub status_high_water_escape: Signal<In, Bits<16>>,
    /// operations live
    pub status_entries_live: Signal<In, Bits<16>>,
    /// packets waiting
    pub status_escape_used: Signal<In, Bits<16>>,
    /// memory region to load
    pub cfg_region_index: Signal<Out, Bits<4>>,
    /// its R_Key
    pub cfg_region_rkey: Signal<Out, Bits<32>>,
    /// its first address
    pub cfg_region_base: Signal<Out, Bits<64>>,
    /// its bytes, 0: it takes nothing
    pub cfg_region_length: Signal<Out, Bits<64>>,
    /// memory region table: the row at the index becomes the values
    pub do_region_load: Signal<Out, Bit>,
    /// place in the list of our queue pairs to load
    pub cfg_qp_index: Signal<Out, Bits<8>>,
    /// its value: queue pair
    pub cfg_qp_entry_number: Signal<Out, Bits<24>>,
    /// its value: it is one; with no valid place every queue pair is ours
    pub cfg_qp_entry_valid: Signal<Out, Bit>,
    /// list of our queue pairs: the row at the index becomes the values
    pub do_qp_load: Signal<Out, Bit>,
    /// sending node whose addresses to load
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
    /// its queue pair, and what is valid: control packets to it are sent
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
    /// template of control packets: UDP source port of control packets
    pub cfg_local_udp_source_port: Signal<Out, Bits<16>>,
    /// template of control packets: time to live, or hop limit
    pub cfg_local_udp_hop_limit: Signal<Out, Bits<8>>,
    /// template of control packets: type of service, or traffic class
    pub cfg_local_udp_traffic_class: Signal<Out, Bits<8>>,
    /// partition key of control packets
    pub cfg_local_pkey: Signal<Out, Bits<16>>,
    /// VLAN tag of control packets: tag control information
    pub cfg_local_vlan_tag: Signal<Out, Bits<16>>,
    /// VLAN tag of control packets: control packets carry a VLAN tag
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
    /// well-formed, but nothing for a receive endpoint
    pub evt_frame_foreign: Signal<In, Bit>,
    /// packets whose payload goes to memory
    pub evt_accepted: Signal<In, Bit>,
    /// packets that had arrived before
    pub evt_duplicate: Signal<In, Bit>,
    /// operations complete
    pub evt_completed: Signal<In, Bit>,
    /// operations registered
    pub evt_registered: Signal<In, Bit>,
    /// packets that went to the escape channel
    pub evt_escaped: Signal<In, Bit>,
    /// packets that came back from it
    pub evt_replayed: Signal<In, Bit>,
    /// packets whose wait in it ended
    pub evt_escape_timeout: Signal<In, Bit>,
    /// packets dropped because it was full
    pub evt_escape_full: Signal<In, Bit>,
    /// packets dropped because their source had its share of it
    pub evt_quota: Signal<In, Bit>,
    /// operations freed without progress
    pub evt_op_timeout: Signal<In, Bit>,
    /// packets of operations that are over
    pub evt_stale: Signal<In, Bit>,
    /// notifications sent again
    pub evt_renotified: Signal<In, Bit>,
    /// operations whose op number was used anew
    pub evt_superseded: Signal<In, Bit>,
    /// operations aborted by their sender
    pub evt_aborted: Signal<In, Bit>,
    /// data arrival instructions
    pub evt_arrivals: Signal<In, Bit>,
    /// operations with a payload write that failed
    pub evt_write_error: Signal<In, Bit>,
    /// starts without packets
    pub evt_reject_count_zero: Signal<In, Bit>,
    /// starts without bytes
    pub evt_reject_bytes_zero: Signal<In, Bit>,
    /// starts whose packets do not carry their bytes
    pub evt_reject_count_mismatch: Signal<In, Bit>,
    /// starts of more packets than the mask has bits
    pub evt_reject_oversize: Signal<In, Bit>,
    /// starts whose base is no multiple of the packet size
    pub evt_reject_misaligned_base: Signal<In, Bit>,
    /// starts whose range passes the end of memory
    pub evt_reject_wraps: Signal<In, Bit>,
    /// starts whose range meets a live operation of their source
    pub evt_reject_overlap: Signal<In, Bit>,
    /// packets that begin inside a position
    pub evt_reject_misaligned_offset: Signal<In, Bit>,
    /// packets of another length than their position has
    pub evt_reject_wrong_length: Signal<In, Bit>,
    /// packets of a source beyond the last
    pub evt_reject_unknown_source: Signal<In, Bit>,
    /// starts of a live operation with other values
    pub evt_reject_conflict: Signal<In, Bit>,
    /// starts outside of every memory region
    pub evt_reject_access: Signal<In, Bit>,
    /// bursts written to memory
    pub evt_memory_bursts: Signal<In, Bit>,
    /// write responses with an error
    pub evt_memory_errors: Signal<In, Bit>,
    /// completions written to the ring or given to the stream
    pub evt_completions: Signal<In, Bit>,
    /// control packets sent
    pub evt_control_frames: Signal<In, Bit>,
    /// control packets not sent, for the node table lacks their node
    pub evt_control_unknown_node: Signal<In, Bit>,
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
    slave: AxiLiteSlave<A, WA>,
    counters: CounterBank<64, 6, 7, 7>,
    events: Signal<Local, Bits<64>>,
    in_counters: Signal<Local, Bit>,
    pair_of_words: Signal<Local, Bits<9>>,
    counter_number: Signal<Local, Bits<6>>,
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
    prescale: Reg<Bits<16>>,
    prescale_reset: Constant<Bits<16>>,
    op_timeout: Reg<Bits<32>>,
    op_timeout_reset: Constant<Bits<32>>,
    escape_timeout: Reg<Bits<32>>,
    escape_timeout_reset: Constant<Bits<32>>,
    t_life: Reg<Bits<32>>,
    t_life_reset: Constant<Bits<32>>,
    renotify: Reg<Bits<32>>,
    renotify_reset: Constant<Bits<32>>,
    ack_wait: Reg<Bits<32>>,
    ack_wait_reset: Constant<Bits<32>>,
    entry_quota: Reg<Bits<8>>,
    entry_quota_reset: Constant<Bits<8>>,
    escape_quota: Reg<Bits<16>>,
    escape_quota_reset: Constant<Bits<16>>,
    region_index: Reg<Bits<4>>,
    region_index_reset: Constant<Bits<4>>,
    region_rkey: Reg<Bits<32>>,
    region_rkey_reset: Constant<Bits<32>>,
    region_base_low: Reg<Bits<32>>,
    region_base_low_reset: Constant<Bits<32>>,
    region_base_high: Reg<Bits<32>>,
    region_base_high_reset: Constant<Bits<32>>,
    region_length_low: Reg<Bits<32>>,
    region_length_low_reset: Constant<Bits<32>>,
    region_length_high: Reg<Bits<32>>,
    region_length_high_reset: Constant<Bits<32>>,
    region_load: Reg<Bit>,
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
    entry_quota_word: Signal<Local, Bits<32>>,
    escape_quota_word: Signal<Local, Bits<32>>,
    high_water_entries_word: Signal<Local, Bits<32>>,
    high_water_escape_word: Signal<Local, Bits<32>>,
    entries_live_word: Signal<Local, Bits<32>>,
    escape_used_word: Signal<Local, Bits<32>>,
    region_index_word: Signal<Local, Bits<32>>,
    region_word: Signal<Local, Bits<32>>,
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
    row: Signal<Local, Bits<6>>,
    column: Signal<Local, Bits<4>>,
    row_0: Reg<Bits<32>>,
    row_1: Reg<Bits<32>>,
    row_2: Reg<Bits<32>>,
    row_3: Reg<Bits<32>>,
    row_4: Reg<Bits<32>>,
    row_5: Reg<Bits<32>>,
    row_6: Reg<Bits<32>>,
    row_7: Reg<Bits<32>>,
    row_12: Reg<Bits<32>>,
    row_13: Reg<Bits<32>>,
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

impl<const A: usize, const WA: usize> Default for CombinedReceiveEndpointRegisters<A, WA> {
    /// As the profile `default`.
    fn default() -> Self {
        Self::new(&Parameters::default())
    }
}

impl<const A: usize, const WA: usize> CombinedReceiveEndpointRegisters<A, WA> {
    /// The registers with the constants and reset values that these parameters give.
    pub fn new(parameters: &Parameters) -> Self {
        assert!(A == 12 && WA == 10, "CombinedReceiveEndpointRegisters: A = {A}, WA = {WA}; the map needs 12 and 10");
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
            cfg_interrupt_enable_completion: Default::default(),
            cfg_interrupt_enable_ring_full: Default::default(),
            cfg_interrupt_enable_write_error: Default::default(),
            cfg_interrupt_enable_ring_error: Default::default(),
            cfg_interrupt_enable_frame_dropped: Default::default(),
            status_now: Default::default(),
            cfg_prescale: Default::default(),
            cfg_op_timeout: Default::default(),
            cfg_escape_timeout: Default::default(),
            cfg_t_life: Default::default(),
            cfg_renotify: Default::default(),
            cfg_ack_wait: Default::default(),
            cfg_entry_quota: Default::default(),
            cfg_escape_quota: Default::default(),
            status_high_water_entries: Default::default(),
            status_high_water_escape: Default::default(),
            status_entries_live: Default::default(),
            status_escape_used: Default::default(),
            cfg_region_index: Default::default(),
            cfg_region_rkey: Default::default(),
            cfg_region_base: Default::default(),
            cfg_region_length: Default::default(),
            do_region_load: Default::default(),
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
            evt_completed: Default::default(),
            evt_registered: Default::default(),
            evt_escaped: Default::default(),
            evt_replayed: Default::default(),
            evt_escape_timeout: Default::default(),
            evt_escape_full: Default::default(),
            evt_quota: Default::default(),
            evt_op_timeout: Default::default(),
            evt_stale: Default::default(),
            evt_renotified: Default::default(),
            evt_superseded: Default::default(),
            evt_aborted: Default::default(),
            evt_arrivals: Default::default(),
            evt_write_error: Default::default(),
            evt_reject_count_zero: Default::default(),
            evt_reject_bytes_zero: Default::default(),
            evt_reject_count_mismatch: Default::default(),
            evt_reject_oversize: Default::default(),
            evt_reject_misaligned_base: Default::default(),
            evt_reject_wraps: Default::default(),
            evt_reject_overlap: Default::default(),
            evt_reject_misaligned_offset: Default::default(),
            evt_reject_wrong_length: Default::default(),
            evt_reject_unknown_source: Default::default(),
            evt_reject_conflict: Default::default(),
            evt_reject_access: Default::default(),
            evt_memory_bursts: Default::default(),
            evt_memory_errors: Default::default(),
            evt_completions: Default::default(),
            evt_control_frames: Default::default(),
            evt_control_unknown_node: Default::default(),
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
            prescale: Default::default(),
            prescale_reset: Constant::new(map.reset_bits("prescale", 0, 16).to_bits()),
            op_timeout: Default::default(),
            op_timeout_reset: Constant::new(map.reset_bits("op_timeout", 0, 32).to_bits()),
            escape_timeout: Default::default(),
            escape_timeout_reset: Constant::new(map.reset_bits("escape_timeout", 0, 32).to_bits()),
            t_life: Default::default(),
            t_life_reset: Constant::new(map.reset_bits("t_life", 0, 32).to_bits()),
            renotify: Default::default(),
            renotify_reset: Constant::new(map.reset_bits("renotify", 0, 32).to_bits()),
            ack_wait: Default::default(),
            ack_wait_reset: Constant::new(map.reset_bits("ack_wait", 0, 32).to_bits()),
            entry_quota: Default::default(),
            entry_quota_reset: Constant::new(map.reset_bits("entry_quota", 0, 8).to_bits()),
            escape_quota: Default::default(),
            escape_quota_reset: Constant::new(map.reset_bits("escape_quota", 0, 16).to_bits()),
            region_index: Default::default(),
            region_index_reset: Constant::new(map.reset_bits("region_index", 0, 4).to_bits()),
            region_rkey: Default::default(),
            region_rkey_reset: Constant::new(map.reset_bits("region_rkey", 0, 32).to_bits()),
            region_base_low: Default::default(),
            region_base_low_reset: Constant::new(map.reset_bits("region_base", 0, 32).to_bits()),
            region_base_high: Default::default(),
            region_base_high_reset: Constant::new(map.reset_bits("region_base", 32, 32).to_bits()),
            region_length_low: Default::default(),
            region_length_low_reset: Constant::new(map.reset_bits("region_length", 0, 32).to_bits()),
            region_length_high: Default::default(),
            region_length_high_reset: Constant::new(map.reset_bits("region_length", 32, 32).to_bits()),
            region_load: Default::default(),
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
            entry_quota_word: Default::default(),
            escape_quota_word: Default::default(),
            high_water_entries_word: Default::default(),
            high_water_escape_word: Default::default(),
            entries_live_word: Default::default(),
            escape_used_word: Default::default(),
            region_index_word: Default::default(),
            region_word: Default::default(),
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
            row: Default::default(),
            column: Default::default(),
            row_0: Default::default(),
            row_1: Default::default(),
            row_2: Default::default(),
            row_3: Default::default(),
            row_4: Default::default(),
            row_5: Default::default(),
            row_6: Default::default(),
            row_7: Default::default(),
            row_12: Default::default(),
            row_13: Default::default(),
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

impl<const A: usize, const WA: usize> Logic for CombinedReceiveEndpointRegisters<A, WA> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, scratch, control_enable, control_soft_reset, control_clear_counters, interrupt_status_completion, interrupt_status_ring_full, interrupt_status_write_error, interrupt_status_ring_error);
        dff_setup!(self, clk, interrupt_status_frame_dropped, interrupt_enable_completion, interrupt_enable_ring_full, interrupt_enable_write_error, interrupt_enable_ring_error, interrupt_enable_frame_dropped, prescale, op_timeout);
        dff_setup!(self, clk, escape_timeout, t_life, renotify, ack_wait, entry_quota, escape_quota, region_index, region_rkey);
        dff_setup!(self, clk, region_base_low, region_base_high, region_length_low, region_length_high, region_load, qp_index, qp_entry_number, qp_entry_valid);
        dff_setup!(self, clk, qp_load, node_index, node_mac_low, node_mac_high, node_ip_0, node_ip_1, node_ip_2, node_ip_3);
        dff_setup!(self, clk, node_qp_number, node_qp_ipv6, node_qp_valid, node_load, local_mac_low, local_mac_high, local_ip_0, local_ip_1);
        dff_setup!(self, clk, local_ip_2, local_ip_3, local_udp_source_port, local_udp_hop_limit, local_udp_traffic_class, local_pkey, local_vlan_tag, local_vlan_on);
        dff_setup!(self, clk, ring_base_low, ring_base_high, ring_size_log2, ring_consumer, coalesce_count, coalesce_delay, connection_index, connection_psn);
        dff_setup!(self, clk, connection_open, connection_close, depth, depth_mode, wait, stall, stall_packets, feedback_threshold);
        dff_setup!(self, clk, feedback_wait, refeedback, range_ack, slide_step, window_length_base, window_length_most, bandwidth, round_trip);
        dff_setup!(self, clk, window_factors_headroom, window_factors_load, window_factors_congestion, qp_limit, row_0, row_1, row_2, row_3);
        dff_setup!(self, clk, row_4, row_5, row_6, row_7, row_12, row_13, valid_1, write_1);
        dff_setup!(self, clk, allowed_1, word_1, data_1, mask_1, valid_2, write_2, error_2, data_2);
        dff_setup!(self, clk, irq_now);

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
        self.interrupt_enable_word.next = bits::<32>(0);
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(0, self.interrupt_enable_completion.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(1, self.interrupt_enable_ring_full.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(2, self.interrupt_enable_write_error.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(3, self.interrupt_enable_ring_error.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(4, self.interrupt_enable_frame_dropped.q.val());
        self.prescale_word.next = bit_cast::<32, 16>(self.prescale.q.val());
        self.entry_quota_word.next = bit_cast::<32, 8>(self.entry_quota.q.val());
        self.escape_quota_word.next = bit_cast::<32, 16>(self.escape_quota.q.val());
        self.high_water_entries_word.next = bit_cast::<32, 16>(self.status_high_water_entries.val());
        self.high_water_escape_word.next = bit_cast::<32, 16>(self.status_high_water_escape.val());
        self.entries_live_word.next = bit_cast::<32, 16>(self.status_entries_live.val());
        self.escape_used_word.next = bit_cast::<32, 16>(self.status_escape_used.val());
        self.region_index_word.next = bit_cast::<32, 4>(self.region_index.q.val());
        self.region_word.next = bits::<32>(0);
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
            1 => {
                self.row_2.d.next = self.op_timeout.q.val();
            }
            2 => {
                self.row_2.d.next = self.escape_timeout.q.val();
            }
            3 => {
                self.row_2.d.next = self.t_life.q.val();
            }
            4 => {
                self.row_2.d.next = self.renotify.q.val();
            }
            5 => {
                self.row_2.d.next = self.ack_wait.q.val();
            }
            6 => {
                self.row_2.d.next = self.entry_quota_word.val();
            }
            7 => {
                self.row_2.d.next = self.escape_quota_word.val();
            }
            8 => {
                self.row_2.d.next = self.high_water_entries_word.val();
            }
            9 => {
                self.row_2.d.next = self.high_water_escape_word.val();
            }
            10 => {
                self.row_2.d.next = self.entries_live_word.val();
            }
            11 => {
                self.row_2.d.next = self.escape_used_word.val();
            }
            _ => {}
        }
        self.row_3.d.next = bits::<32>(0);
        match self.column.val().index() {
            0 => {
                self.row_3.d.next = self.region_index_word.val();
            }
            1 => {
                self.row_3.d.next = self.region_rkey.q.val();
            }
            2 => {
                self.row_3.d.next = self.region_base_low.q.val();
            }
            3 => {
                self.row_3.d.next = self.region_base_high.q.val();
            }
            4 => {
                self.row_3.d.next = self.region_length_low.q.val();
            }
            5 => {
                self.row_3.d.next = self.region_length_high.q.val();
            }
            6 => {
                self.row_3.d.next = self.region_word.val();
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
            33 => {
                self.allowed_1.d.next = true;
            }
            34 => {
                self.allowed_1.d.next = true;
            }
            35 => {
                self.allowed_1.d.next = true;
            }
            36 => {
                self.allowed_1.d.next = true;
            }
            37 => {
                self.allowed_1.d.next = true;
            }
            38 => {
                self.allowed_1.d.next = true;
            }
            39 => {
                self.allowed_1.d.next = true;
            }
            40 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            41 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            42 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            43 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            48 => {
                self.allowed_1.d.next = true;
            }
            49 => {
                self.allowed_1.d.next = true;
            }
            50 => {
                self.allowed_1.d.next = true;
            }
            51 => {
                self.allowed_1.d.next = true;
            }
            52 => {
                self.allowed_1.d.next = true;
            }
            53 => {
                self.allowed_1.d.next = true;
            }
            54 => {
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
            286 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            287 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            288 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            289 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            290 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            291 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            292 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            293 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            294 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            295 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            296 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            297 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            298 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            299 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            300 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            301 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            302 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            303 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            304 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            305 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            306 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            307 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            308 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            309 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            310 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            311 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            312 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            313 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            314 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            315 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            316 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            317 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            318 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            319 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            320 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            321 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            322 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            323 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            324 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            325 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            326 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            327 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            328 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            329 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            330 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            331 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            332 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            333 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            334 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            335 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            336 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            337 => {
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
            344 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            345 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            346 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            347 => {
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
            18 => {
                self.in_counters.next = true;
            }
            19 => {
                self.in_counters.next = true;
            }
            20 => {
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
            _ => {}
        }
        self.counters.clk.next = self.clk.val();
        self.counters.rst.next = self.rst.val();
        self.counters.clear.next = self.control_clear_counters.q.val();
        self.counters.read.next = self.slave.command_valid.val() && !self.slave.command_write.val() && self.in_counters.val();
        self.pair_of_words.next = self.slave.command_word.val().get_bits::<9>(1);
        self.counter_number.next = bits::<6>(0);
        match self.pair_of_words.val().index() {
            128 => {
                self.counter_number.next = bits::<6>(0);
            }
            129 => {
                self.counter_number.next = bits::<6>(1);
            }
            130 => {
                self.counter_number.next = bits::<6>(2);
            }
            131 => {
                self.counter_number.next = bits::<6>(3);
            }
            132 => {
                self.counter_number.next = bits::<6>(4);
            }
            133 => {
                self.counter_number.next = bits::<6>(5);
            }
            134 => {
                self.counter_number.next = bits::<6>(6);
            }
            135 => {
                self.counter_number.next = bits::<6>(7);
            }
            136 => {
                self.counter_number.next = bits::<6>(8);
            }
            137 => {
                self.counter_number.next = bits::<6>(9);
            }
            138 => {
                self.counter_number.next = bits::<6>(10);
            }
            139 => {
                self.counter_number.next = bits::<6>(11);
            }
            140 => {
                self.counter_number.next = bits::<6>(12);
            }
            141 => {
                self.counter_number.next = bits::<6>(13);
            }
            142 => {
                self.counter_number.next = bits::<6>(14);
            }
            143 => {
                self.counter_number.next = bits::<6>(15);
            }
            144 => {
                self.counter_number.next = bits::<6>(16);
            }
            145 => {
                self.counter_number.next = bits::<6>(17);
            }
            146 => {
                self.counter_number.next = bits::<6>(18);
            }
            147 => {
                self.counter_number.next = bits::<6>(19);
            }
            148 => {
                self.counter_number.next = bits::<6>(20);
            }
            149 => {
                self.counter_number.next = bits::<6>(21);
            }
            150 => {
                self.counter_number.next = bits::<6>(22);
            }
            151 => {
                self.counter_number.next = bits::<6>(23);
            }
            152 => {
                self.counter_number.next = bits::<6>(24);
            }
            153 => {
                self.counter_number.next = bits::<6>(25);
            }
            154 => {
                self.counter_number.next = bits::<6>(26);
            }
            155 => {
                self.counter_number.next = bits::<6>(27);
            }
            156 => {
                self.counter_number.next = bits::<6>(28);
            }
            157 => {
                self.counter_number.next = bits::<6>(29);
            }
            158 => {
                self.counter_number.next = bits::<6>(30);
            }
            159 => {
                self.counter_number.next = bits::<6>(31);
            }
            160 => {
                self.counter_number.next = bits::<6>(32);
            }
            161 => {
                self.counter_number.next = bits::<6>(33);
            }
            162 => {
                self.counter_number.next = bits::<6>(34);
            }
            163 => {
                self.counter_number.next = bits::<6>(35);
            }
            164 => {
                self.counter_number.next = bits::<6>(36);
            }
            165 => {
                self.counter_number.next = bits::<6>(37);
            }
            166 => {
                self.counter_number.next = bits::<6>(38);
            }
            167 => {
                self.counter_number.next = bits::<6>(39);
            }
            168 => {
                self.counter_number.next = bits::<6>(40);
            }
            169 => {
                self.counter_number.next = bits::<6>(41);
            }
            170 => {
                self.counter_number.next = bits::<6>(42);
            }
            171 => {
                self.counter_number.next = bits::<6>(43);
            }
            172 => {
                self.counter_number.next = bits::<6>(44);
            }
            173 => {
                self.counter_number.next = bits::<6>(45);
            }
            192 => {
                self.counter_number.next = bits::<6>(46);
            }
            193 => {
                self.counter_number.next = bits::<6>(47);
            }
            194 => {
                self.counter_number.next = bits::<6>(48);
            }
            195 => {
                self.counter_number.next = bits::<6>(49);
            }
            196 => {
                self.counter_number.next = bits::<6>(50);
            }
            197 => {
                self.counter_number.next = bits::<6>(51);
            }
            198 => {
                self.counter_number.next = bits::<6>(52);
            }
            199 => {
                self.counter_number.next = bits::<6>(53);
            }
            200 => {
                self.counter_number.next = bits::<6>(54);
            }
            201 => {
                self.counter_number.next = bits::<6>(55);
            }
            202 => {
                self.counter_number.next = bits::<6>(56);
            }
            203 => {
                self.counter_number.next = bits::<6>(57);
            }
            204 => {
                self.counter_number.next = bits::<6>(58);
            }
            205 => {
                self.counter_number.next = bits::<6>(59);
            }
            206 => {
                self.counter_number.next = bits::<6>(60);
            }
            207 => {
                self.counter_number.next = bits::<6>(61);
            }
            208 => {
                self.counter_number.next = bits::<6>(62);
            }
            209 => {
                self.counter_number.next = bits::<6>(63);
            }
            _ => {}
        }
        self.counters.read_word.next = (bit_cast::<7, 6>(self.counter_number.val()) << 1) | bit_cast::<7, 1>(self.slave.command_word.val().get_bits::<1>(0));
        self.events.next = bits::<64>(0);
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
        self.events.next = self.events.val().replace_bit(15, self.evt_completed.val());
        self.events.next = self.events.val().replace_bit(16, self.evt_registered.val());
        self.events.next = self.events.val().replace_bit(17, self.evt_escaped.val());
        self.events.next = self.events.val().replace_bit(18, self.evt_replayed.val());
        self.events.next = self.events.val().replace_bit(19, self.evt_escape_timeout.val());
        self.events.next = self.events.val().replace_bit(20, self.evt_escape_full.val());
        self.events.next = self.events.val().replace_bit(21, self.evt_quota.val());
        self.events.next = self.events.val().replace_bit(22, self.evt_op_timeout.val());
        self.events.next = self.events.val().replace_bit(23, self.evt_stale.val());
        self.events.next = self.events.val().replace_bit(24, self.evt_renotified.val());
        self.events.next = self.events.val().replace_bit(25, self.evt_superseded.val());
        self.events.next = self.events.val().replace_bit(26, self.evt_aborted.val());
        self.events.next = self.events.val().replace_bit(27, self.evt_arrivals.val());
        self.events.next = self.events.val().replace_bit(28, self.evt_write_error.val());
        self.events.next = self.events.val().replace_bit(29, self.evt_reject_count_zero.val());
        self.events.next = self.events.val().replace_bit(30, self.evt_reject_bytes_zero.val());
        self.events.next = self.events.val().replace_bit(31, self.evt_reject_count_mismatch.val());
        self.events.next = self.events.val().replace_bit(32, self.evt_reject_oversize.val());
        self.events.next = self.events.val().replace_bit(33, self.evt_reject_misaligned_base.val());
        self.events.next = self.events.val().replace_bit(34, self.evt_reject_wraps.val());
        self.events.next = self.events.val().replace_bit(35, self.evt_reject_overlap.val());
        self.events.next = self.events.val().replace_bit(36, self.evt_reject_misaligned_offset.val());
        self.events.next = self.events.val().replace_bit(37, self.evt_reject_wrong_length.val());
        self.events.next = self.events.val().replace_bit(38, self.evt_reject_unknown_source.val());
        self.events.next = self.events.val().replace_bit(39, self.evt_reject_conflict.val());
        self.events.next = self.events.val().replace_bit(40, self.evt_reject_access.val());
        self.events.next = self.events.val().replace_bit(41, self.evt_memory_bursts.val());
        self.events.next = self.events.val().replace_bit(42, self.evt_memory_errors.val());
        self.events.next = self.events.val().replace_bit(43, self.evt_completions.val());
        self.events.next = self.events.val().replace_bit(44, self.evt_control_frames.val());
        self.events.next = self.events.val().replace_bit(45, self.evt_control_unknown_node.val());
        self.events.next = self.events.val().replace_bit(46, self.evt_psn_new.val());
        self.events.next = self.events.val().replace_bit(47, self.evt_psn_duplicate.val());
        self.events.next = self.events.val().replace_bit(48, self.evt_psn_out_of_window.val());
        self.events.next = self.events.val().replace_bit(49, self.evt_psn_closed.val());
        self.events.next = self.events.val().replace_bit(50, self.evt_psn_gap.val());
        self.events.next = self.events.val().replace_bit(51, self.evt_psn_report.val());
        self.events.next = self.events.val().replace_bit(52, self.evt_psn_repeat.val());
        self.events.next = self.events.val().replace_bit(53, self.evt_psn_misjudged.val());
        self.events.next = self.events.val().replace_bit(54, self.evt_psn_folded.val());
        self.events.next = self.events.val().replace_bit(55, self.evt_psn_dropped.val());
        self.events.next = self.events.val().replace_bit(56, self.evt_psn_falls_behind.val());
        self.events.next = self.events.val().replace_bit(57, self.evt_psn_rebuilt.val());
        self.events.next = self.events.val().replace_bit(58, self.evt_psn_ack.val());
        self.events.next = self.events.val().replace_bit(59, self.evt_psn_ffm.val());
        self.events.next = self.events.val().replace_bit(60, self.evt_psn_range.val());
        self.events.next = self.events.val().replace_bit(61, self.evt_psn_unknown_node.val());
        self.events.next = self.events.val().replace_bit(62, self.evt_psn_pool_exhausted.val());
        self.events.next = self.events.val().replace_bit(63, self.evt_psn_window_shrunk.val());
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
                3 => {
                    self.data_2.d.next = self.row_3.q.val();
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
                12 => {
                    self.data_2.d.next = self.row_12.q.val();
                }
                13 => {
                    self.data_2.d.next = self.row_13.q.val();
                }
                16 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                17 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                18 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                19 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                20 => {
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
        self.region_load.d.next = false;
        self.qp_load.d.next = false;
        self.node_load.d.next = false;
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
                }
                19 => {
                    self.interrupt_enable_completion.d.next = (self.interrupt_enable_completion.q.val() & self.keep.val().get_bit(0)) | self.data_1.q.val().get_bit(0);
                    self.interrupt_enable_ring_full.d.next = (self.interrupt_enable_ring_full.q.val() & self.keep.val().get_bit(1)) | self.data_1.q.val().get_bit(1);
                    self.interrupt_enable_write_error.d.next = (self.interrupt_enable_write_error.q.val() & self.keep.val().get_bit(2)) | self.data_1.q.val().get_bit(2);
                    self.interrupt_enable_ring_error.d.next = (self.interrupt_enable_ring_error.q.val() & self.keep.val().get_bit(3)) | self.data_1.q.val().get_bit(3);
                    self.interrupt_enable_frame_dropped.d.next = (self.interrupt_enable_frame_dropped.q.val() & self.keep.val().get_bit(4)) | self.data_1.q.val().get_bit(4);
                }
                32 => {
                    self.prescale.d.next = (self.prescale.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                33 => {
                    self.op_timeout.d.next = (self.op_timeout.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                34 => {
                    self.escape_timeout.d.next = (self.escape_timeout.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                35 => {
                    self.t_life.d.next = (self.t_life.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                36 => {
                    self.renotify.d.next = (self.renotify.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                37 => {
                    self.ack_wait.d.next = (self.ack_wait.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                38 => {
                    self.entry_quota.d.next = (self.entry_quota.q.val() & self.keep.val().get_bits::<8>(0)) | self.data_1.q.val().get_bits::<8>(0);
                }
                39 => {
                    self.escape_quota.d.next = (self.escape_quota.q.val() & self.keep.val().get_bits::<16>(0)) | self.data_1.q.val().get_bits::<16>(0);
                }
                48 => {
                    self.region_index.d.next = (self.region_index.q.val() & self.keep.val().get_bits::<4>(0)) | self.data_1.q.val().get_bits::<4>(0);
                }
                49 => {
                    self.region_rkey.d.next = (self.region_rkey.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                50 => {
                    self.region_base_low.d.next = (self.region_base_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                51 => {
                    self.region_base_high.d.next = (self.region_base_high.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                52 => {
                    self.region_length_low.d.next = (self.region_length_low.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                53 => {
                    self.region_length_high.d.next = (self.region_length_high.q.val() & self.keep.val()) | self.data_1.q.val();
                }
                54 => {
                    self.region_load.d.next = self.data_1.q.val().get_bit(0);
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
        self.cfg_prescale.next = self.prescale.q.val();
        self.cfg_op_timeout.next = self.op_timeout.q.val();
        self.cfg_escape_timeout.next = self.escape_timeout.q.val();
        self.cfg_t_life.next = self.t_life.q.val();
        self.cfg_renotify.next = self.renotify.q.val();
        self.cfg_ack_wait.next = self.ack_wait.q.val();
        self.cfg_entry_quota.next = self.entry_quota.q.val();
        self.cfg_escape_quota.next = self.escape_quota.q.val();
        self.cfg_region_index.next = self.region_index.q.val();
        self.cfg_region_rkey.next = self.region_rkey.q.val();
        self.cfg_region_base.next = bit_cast::<64, 32>(self.region_base_low.q.val()) | (bit_cast::<64, 32>(self.region_base_high.q.val()) << 32);
        self.cfg_region_length.next = bit_cast::<64, 32>(self.region_length_low.q.val()) | (bit_cast::<64, 32>(self.region_length_high.q.val()) << 32);
        self.do_region_load.next = self.region_load.q.val();
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
        self.irq_now.d.next = (self.interrupt_status_completion.q.val() && self.interrupt_enable_completion.q.val()) || (self.interrupt_status_ring_full.q.val() && self.interrupt_enable_ring_full.q.val()) || (self.interrupt_status_write_error.q.val() && self.interrupt_enable_write_error.q.val()) || (self.interrupt_status_ring_error.q.val() && self.interrupt_enable_ring_error.q.val()) || (self.interrupt_status_frame_dropped.q.val() && self.interrupt_enable_frame_dropped.q.val());
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
            self.interrupt_enable_completion.d.next = self.interrupt_enable_completion_reset.val();
            self.interrupt_enable_ring_full.d.next = self.interrupt_enable_ring_full_reset.val();
            self.interrupt_enable_write_error.d.next = self.interrupt_enable_write_error_reset.val();
            self.interrupt_enable_ring_error.d.next = self.interrupt_enable_ring_error_reset.val();
            self.interrupt_enable_frame_dropped.d.next = self.interrupt_enable_frame_dropped_reset.val();
            self.prescale.d.next = self.prescale_reset.val();
            self.op_timeout.d.next = self.op_timeout_reset.val();
            self.escape_timeout.d.next = self.escape_timeout_reset.val();
            self.t_life.d.next = self.t_life_reset.val();
            self.renotify.d.next = self.renotify_reset.val();
            self.ack_wait.d.next = self.ack_wait_reset.val();
            self.entry_quota.d.next = self.entry_quota_reset.val();
            self.escape_quota.d.next = self.escape_quota_reset.val();
            self.region_index.d.next = self.region_index_reset.val();
            self.region_rkey.d.next = self.region_rkey_reset.val();
            self.region_base_low.d.next = self.region_base_low_reset.val();
            self.region_base_high.d.next = self.region_base_high_reset.val();
            self.region_length_low.d.next = self.region_length_low_reset.val();
            self.region_length_high.d.next = self.region_length_high_reset.val();
            self.region_load.d.next = false;
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
            self.irq_now.d.next = false;
        }
    }
}
