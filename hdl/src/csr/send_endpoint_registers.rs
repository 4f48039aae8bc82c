// Made from the description in `hdl/src/csr/send_endpoint.rs`: change that, and run `make registers`.

use super::send_endpoint::{Parameters, registers};
use crate::Described;
use crate::csr::{AxiLiteSlave, CounterBank, RegisterMap};
use crate::primitives::Reg;
use rust_hdl::prelude::*;

/// Registers of `send_endpoint` behind an AXI4-Lite slave; the map is in the documentation that is made from the same description.
///
/// `cfg_` is a value that software writes, `status_` one that it reads as it is, `set_` sets a bit that it clears, `do_` is one clock
/// high after a one was written, `evt_` counts its clocks. Holes and writes to what is only read are answered by SLVERR.
/// Latency: 5 clocks from address to answer, 4 from write address and data to `cfg_`. Throughput: one read per 2 clocks and one write per
/// 2 clocks at the same time. Reset: every register has its reset value, every counter is zero.
/// `A` = 12 bits of an address, `WA` = `A` - 2 of a word's: what the map needs.
/// What is read of one of the 43 counters lacks at most the events of the last 68 clocks.
#[derive(Clone, Debug, Described, LogicBlock)]
pub struct SendEndpointRegisters<const A: usize = 12, const WA: usize = 10> {
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
    /// what has happened since it was cleared: a write of a completion was answered with an error
    pub set_interrupt_status_ring_error: Signal<In, Bit>,
    /// what has happened since it was cleared: the CDMA is given up: too many errors in a row, or no answer
    pub set_interrupt_status_cdma_dead: Signal<In, Bit>,
    /// what has happened since it was cleared: a configuration that cannot be, of the splitter or of the CDMA driver: see send_state
    pub set_interrupt_status_config_error: Signal<In, Bit>,
    /// what has happened since it was cleared: a command was posted before the last one was taken
    pub set_interrupt_status_post_dropped: Signal<In, Bit>,
    /// which of it interrupts: completions are in the ring, as many or as old as the coalescing registers say
    pub cfg_interrupt_enable_completion: Signal<Out, Bit>,
    /// which of it interrupts: a completion had to wait for room in the ring
    pub cfg_interrupt_enable_ring_full: Signal<Out, Bit>,
    /// which of it interrupts: a write of a completion was answered with an error
    pub cfg_interrupt_enable_ring_error: Signal<Out, Bit>,
    /// which of it interrupts: the CDMA is given up: too many errors in a row, or no answer
    pub cfg_interrupt_enable_cdma_dead: Signal<Out, Bit>,
    /// which of it interrupts: a configuration that cannot be, of the splitter or of the CDMA driver: see send_state
    pub cfg_interrupt_enable_config_error: Signal<Out, Bit>,
    /// which of it interrupts: a command was posted before the last one was taken
    pub cfg_interrupt_enable_post_dropped: Signal<Out, Bit>,
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
    /// its queue pair, and what is valid: not used: each command names its queue pair
    pub cfg_node_qp_number: Signal<Out, Bits<24>>,
    /// its queue pair, and what is valid: its address is IPv6
    pub cfg_node_qp_ipv6: Signal<Out, Bit>,
    /// its queue pair, and what is valid: data packets to it are sent
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
    /// template of data packets: UDP source port of data packets
    pub cfg_local_udp_source_port: Signal<Out, Bits<16>>,
    /// template of data packets: time to live, or hop limit
    pub cfg_local_udp_hop_limit: Signal<Out, Bits<8>>,
    /// template of data packets: type of service, or traffic class
    pub cfg_local_udp_traffic_class: Signal<Out, Bits<8>>,
    /// partition key of data packets
    pub cfg_local_pkey: Signal<Out, Bits<16>>,
    /// VLAN tag of data packets: tag control information
    pub cfg_local_vlan_tag: Signal<Out, Bits<16>>,
    /// VLAN tag of data packets: data packets carry a VLAN tag
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
    /// frame that the MAC side marked as damaged; the first check that it fails counts it too, frame_icrc at the latest
    pub evt_frame_mac_error: Signal<In, Bit>,
    /// well-formed, but neither acknowledgement nor remote completion
    pub evt_frame_foreign: Signal<In, Bit>,
    /// completions written to the ring or given to the stream
    pub evt_completions: Signal<In, Bit>,
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
    slave: AxiLiteSlave<A, WA>,
    counters: CounterBank<43, 6, 7, 7>,
    events: Signal<Local, Bits<43>>,
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
    interrupt_status_ring_error: Reg<Bit>,
    interrupt_status_cdma_dead: Reg<Bit>,
    interrupt_status_config_error: Reg<Bit>,
    interrupt_status_post_dropped: Reg<Bit>,
    interrupt_enable_completion: Reg<Bit>,
    interrupt_enable_completion_reset: Constant<Bit>,
    interrupt_enable_ring_full: Reg<Bit>,
    interrupt_enable_ring_full_reset: Constant<Bit>,
    interrupt_enable_ring_error: Reg<Bit>,
    interrupt_enable_ring_error_reset: Constant<Bit>,
    interrupt_enable_cdma_dead: Reg<Bit>,
    interrupt_enable_cdma_dead_reset: Constant<Bit>,
    interrupt_enable_config_error: Reg<Bit>,
    interrupt_enable_config_error_reset: Constant<Bit>,
    interrupt_enable_post_dropped: Reg<Bit>,
    interrupt_enable_post_dropped_reset: Constant<Bit>,
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

impl<const A: usize, const WA: usize> Default for SendEndpointRegisters<A, WA> {
    /// As the profile `default`.
    fn default() -> Self {
        Self::new(&Parameters::default())
    }
}

impl<const A: usize, const WA: usize> SendEndpointRegisters<A, WA> {
    /// The registers with the constants and reset values that these parameters give.
    pub fn new(parameters: &Parameters) -> Self {
        assert!(A == 12 && WA == 10, "SendEndpointRegisters: A = {A}, WA = {WA}; the map needs 12 and 10");
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
            set_interrupt_status_ring_error: Default::default(),
            set_interrupt_status_cdma_dead: Default::default(),
            set_interrupt_status_config_error: Default::default(),
            set_interrupt_status_post_dropped: Default::default(),
            cfg_interrupt_enable_completion: Default::default(),
            cfg_interrupt_enable_ring_full: Default::default(),
            cfg_interrupt_enable_ring_error: Default::default(),
            cfg_interrupt_enable_cdma_dead: Default::default(),
            cfg_interrupt_enable_config_error: Default::default(),
            cfg_interrupt_enable_post_dropped: Default::default(),
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
            evt_frame_mac_error: Default::default(),
            evt_frame_foreign: Default::default(),
            evt_completions: Default::default(),
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
            interrupt_status_ring_error: Default::default(),
            interrupt_status_cdma_dead: Default::default(),
            interrupt_status_config_error: Default::default(),
            interrupt_status_post_dropped: Default::default(),
            interrupt_enable_completion: Default::default(),
            interrupt_enable_completion_reset: Constant::new(map.reset_bits("interrupt_enable", 0, 1) == 1),
            interrupt_enable_ring_full: Default::default(),
            interrupt_enable_ring_full_reset: Constant::new(map.reset_bits("interrupt_enable", 1, 1) == 1),
            interrupt_enable_ring_error: Default::default(),
            interrupt_enable_ring_error_reset: Constant::new(map.reset_bits("interrupt_enable", 3, 1) == 1),
            interrupt_enable_cdma_dead: Default::default(),
            interrupt_enable_cdma_dead_reset: Constant::new(map.reset_bits("interrupt_enable", 5, 1) == 1),
            interrupt_enable_config_error: Default::default(),
            interrupt_enable_config_error_reset: Constant::new(map.reset_bits("interrupt_enable", 6, 1) == 1),
            interrupt_enable_post_dropped: Default::default(),
            interrupt_enable_post_dropped_reset: Constant::new(map.reset_bits("interrupt_enable", 7, 1) == 1),
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

impl<const A: usize, const WA: usize> Logic for SendEndpointRegisters<A, WA> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, scratch, control_enable, control_soft_reset, control_clear_counters, interrupt_status_completion, interrupt_status_ring_full, interrupt_status_ring_error, interrupt_status_cdma_dead);
        dff_setup!(self, clk, interrupt_status_config_error, interrupt_status_post_dropped, interrupt_enable_completion, interrupt_enable_ring_full, interrupt_enable_ring_error, interrupt_enable_cdma_dead, interrupt_enable_config_error, interrupt_enable_post_dropped);
        dff_setup!(self, clk, prescale, t_life, qp_index, qp_entry_number, qp_entry_valid, qp_load, node_index, node_mac_low);
        dff_setup!(self, clk, node_mac_high, node_ip_0, node_ip_1, node_ip_2, node_ip_3, node_qp_number, node_qp_ipv6, node_qp_valid);
        dff_setup!(self, clk, node_load, local_mac_low, local_mac_high, local_ip_0, local_ip_1, local_ip_2, local_ip_3, local_udp_source_port);
        dff_setup!(self, clk, local_udp_hop_limit, local_udp_traffic_class, local_pkey, local_vlan_tag, local_vlan_on, ring_base_low, ring_base_high, ring_size_log2);
        dff_setup!(self, clk, ring_consumer, coalesce_count, coalesce_delay, threshold, segment, timeout, backoff_cap, retry_limit);
        dff_setup!(self, clk, irq_threshold, irq_delay, reset_timeout, cdma_error_limit, cdma_wide, source_node, buffer_base_low, buffer_base_high);
        dff_setup!(self, clk, sg_base_low, sg_base_high, command_id, command_target_low, command_target_high, command_node, command_qp, command_rkey);
        dff_setup!(self, clk, command_imm, command_options_imm_valid, command_options_arrival, command_options_blocks, command_source_0_low, command_source_0_high, command_source_1_low, command_source_1_high);
        dff_setup!(self, clk, command_source_2_low, command_source_2_high, command_source_3_low, command_source_3_high, command_bytes_0, command_bytes_1, command_bytes_2, command_bytes_3);
        dff_setup!(self, clk, command_post, row_0, row_1, row_2, row_4, row_5, row_6, row_7);
        dff_setup!(self, clk, row_8, row_9, row_10, row_11, valid_1, write_1, allowed_1, word_1);
        dff_setup!(self, clk, data_1, mask_1, valid_2, write_2, error_2, data_2, irq_now);

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
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(3, self.interrupt_status_ring_error.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(5, self.interrupt_status_cdma_dead.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(6, self.interrupt_status_config_error.q.val());
        self.interrupt_status_word.next = self.interrupt_status_word.val().replace_bit(7, self.interrupt_status_post_dropped.q.val());
        self.interrupt_enable_word.next = bits::<32>(0);
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(0, self.interrupt_enable_completion.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(1, self.interrupt_enable_ring_full.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(3, self.interrupt_enable_ring_error.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(5, self.interrupt_enable_cdma_dead.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(6, self.interrupt_enable_config_error.q.val());
        self.interrupt_enable_word.next = self.interrupt_enable_word.val().replace_bit(7, self.interrupt_enable_post_dropped.q.val());
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
            342 => {
                self.allowed_1.d.next = !self.slave.command_write.val();
            }
            343 => {
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
            139 => {
                self.counter_number.next = bits::<6>(10);
            }
            140 => {
                self.counter_number.next = bits::<6>(11);
            }
            171 => {
                self.counter_number.next = bits::<6>(12);
            }
            256 => {
                self.counter_number.next = bits::<6>(13);
            }
            257 => {
                self.counter_number.next = bits::<6>(14);
            }
            258 => {
                self.counter_number.next = bits::<6>(15);
            }
            259 => {
                self.counter_number.next = bits::<6>(16);
            }
            260 => {
                self.counter_number.next = bits::<6>(17);
            }
            261 => {
                self.counter_number.next = bits::<6>(18);
            }
            262 => {
                self.counter_number.next = bits::<6>(19);
            }
            263 => {
                self.counter_number.next = bits::<6>(20);
            }
            264 => {
                self.counter_number.next = bits::<6>(21);
            }
            265 => {
                self.counter_number.next = bits::<6>(22);
            }
            266 => {
                self.counter_number.next = bits::<6>(23);
            }
            267 => {
                self.counter_number.next = bits::<6>(24);
            }
            268 => {
                self.counter_number.next = bits::<6>(25);
            }
            269 => {
                self.counter_number.next = bits::<6>(26);
            }
            270 => {
                self.counter_number.next = bits::<6>(27);
            }
            271 => {
                self.counter_number.next = bits::<6>(28);
            }
            272 => {
                self.counter_number.next = bits::<6>(29);
            }
            273 => {
                self.counter_number.next = bits::<6>(30);
            }
            274 => {
                self.counter_number.next = bits::<6>(31);
            }
            275 => {
                self.counter_number.next = bits::<6>(32);
            }
            276 => {
                self.counter_number.next = bits::<6>(33);
            }
            277 => {
                self.counter_number.next = bits::<6>(34);
            }
            278 => {
                self.counter_number.next = bits::<6>(35);
            }
            279 => {
                self.counter_number.next = bits::<6>(36);
            }
            280 => {
                self.counter_number.next = bits::<6>(37);
            }
            281 => {
                self.counter_number.next = bits::<6>(38);
            }
            282 => {
                self.counter_number.next = bits::<6>(39);
            }
            283 => {
                self.counter_number.next = bits::<6>(40);
            }
            284 => {
                self.counter_number.next = bits::<6>(41);
            }
            285 => {
                self.counter_number.next = bits::<6>(42);
            }
            _ => {}
        }
        self.counters.read_word.next = (bit_cast::<7, 6>(self.counter_number.val()) << 1) | bit_cast::<7, 1>(self.slave.command_word.val().get_bits::<1>(0));
        self.events.next = bits::<43>(0);
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
        self.events.next = self.events.val().replace_bit(10, self.evt_frame_mac_error.val());
        self.events.next = self.events.val().replace_bit(11, self.evt_frame_foreign.val());
        self.events.next = self.events.val().replace_bit(12, self.evt_completions.val());
        self.events.next = self.events.val().replace_bit(13, self.evt_commands.val());
        self.events.next = self.events.val().replace_bit(14, self.evt_segments.val());
        self.events.next = self.events.val().replace_bit(15, self.evt_packets.val());
        self.events.next = self.events.val().replace_bit(16, self.evt_acks.val());
        self.events.next = self.events.val().replace_bit(17, self.evt_duplicate_acks.val());
        self.events.next = self.events.val().replace_bit(18, self.evt_nacks.val());
        self.events.next = self.events.val().replace_bit(19, self.evt_stale_acks.val());
        self.events.next = self.events.val().replace_bit(20, self.evt_timeouts.val());
        self.events.next = self.events.val().replace_bit(21, self.evt_retransmissions.val());
        self.events.next = self.events.val().replace_bit(22, self.evt_failures.val());
        self.events.next = self.events.val().replace_bit(23, self.evt_aborts.val());
        self.events.next = self.events.val().replace_bit(24, self.evt_arrival_failed.val());
        self.events.next = self.events.val().replace_bit(25, self.evt_acks_dropped.val());
        self.events.next = self.events.val().replace_bit(26, self.evt_nacks_dropped.val());
        self.events.next = self.events.val().replace_bit(27, self.evt_refused_bytes_zero.val());
        self.events.next = self.events.val().replace_bit(28, self.evt_refused_misaligned_target.val());
        self.events.next = self.events.val().replace_bit(29, self.evt_refused_wraps.val());
        self.events.next = self.events.val().replace_bit(30, self.evt_refused_misaligned_source.val());
        self.events.next = self.events.val().replace_bit(31, self.evt_refused_bad_configuration.val());
        self.events.next = self.events.val().replace_bit(32, self.evt_refused_too_long.val());
        self.events.next = self.events.val().replace_bit(33, self.evt_refused_loads.val());
        self.events.next = self.events.val().replace_bit(34, self.evt_descriptors.val());
        self.events.next = self.events.val().replace_bit(35, self.evt_cdma_errors.val());
        self.events.next = self.events.val().replace_bit(36, self.evt_cdma_resets.val());
        self.events.next = self.events.val().replace_bit(37, self.evt_data_frames.val());
        self.events.next = self.events.val().replace_bit(38, self.evt_stale_packets.val());
        self.events.next = self.events.val().replace_bit(39, self.evt_unknown_node.val());
        self.events.next = self.events.val().replace_bit(40, self.evt_buffer_write_refused.val());
        self.events.next = self.events.val().replace_bit(41, self.evt_buffer_read_refused.val());
        self.events.next = self.events.val().replace_bit(42, self.evt_posts_dropped.val());
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
                16 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                17 => {
                    self.data_2.d.next = self.counters.read_data.val();
                }
                21 => {
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
                _ => {}
            }
        }
        self.keep.next = !self.mask_1.q.val();
        self.control_soft_reset.d.next = false;
        self.control_clear_counters.d.next = false;
        self.interrupt_status_completion.d.next = self.interrupt_status_completion.q.val() | self.set_interrupt_status_completion.val();
        self.interrupt_status_ring_full.d.next = self.interrupt_status_ring_full.q.val() | self.set_interrupt_status_ring_full.val();
        self.interrupt_status_ring_error.d.next = self.interrupt_status_ring_error.q.val() | self.set_interrupt_status_ring_error.val();
        self.interrupt_status_cdma_dead.d.next = self.interrupt_status_cdma_dead.q.val() | self.set_interrupt_status_cdma_dead.val();
        self.interrupt_status_config_error.d.next = self.interrupt_status_config_error.q.val() | self.set_interrupt_status_config_error.val();
        self.interrupt_status_post_dropped.d.next = self.interrupt_status_post_dropped.q.val() | self.set_interrupt_status_post_dropped.val();
        self.qp_load.d.next = false;
        self.node_load.d.next = false;
        self.command_post.d.next = false;
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
                    self.interrupt_status_ring_error.d.next = (self.interrupt_status_ring_error.q.val() & !self.data_1.q.val().get_bit(3)) | self.set_interrupt_status_ring_error.val();
                    self.interrupt_status_cdma_dead.d.next = (self.interrupt_status_cdma_dead.q.val() & !self.data_1.q.val().get_bit(5)) | self.set_interrupt_status_cdma_dead.val();
                    self.interrupt_status_config_error.d.next = (self.interrupt_status_config_error.q.val() & !self.data_1.q.val().get_bit(6)) | self.set_interrupt_status_config_error.val();
                    self.interrupt_status_post_dropped.d.next = (self.interrupt_status_post_dropped.q.val() & !self.data_1.q.val().get_bit(7)) | self.set_interrupt_status_post_dropped.val();
                }
                19 => {
                    self.interrupt_enable_completion.d.next = (self.interrupt_enable_completion.q.val() & self.keep.val().get_bit(0)) | self.data_1.q.val().get_bit(0);
                    self.interrupt_enable_ring_full.d.next = (self.interrupt_enable_ring_full.q.val() & self.keep.val().get_bit(1)) | self.data_1.q.val().get_bit(1);
                    self.interrupt_enable_ring_error.d.next = (self.interrupt_enable_ring_error.q.val() & self.keep.val().get_bit(3)) | self.data_1.q.val().get_bit(3);
                    self.interrupt_enable_cdma_dead.d.next = (self.interrupt_enable_cdma_dead.q.val() & self.keep.val().get_bit(5)) | self.data_1.q.val().get_bit(5);
                    self.interrupt_enable_config_error.d.next = (self.interrupt_enable_config_error.q.val() & self.keep.val().get_bit(6)) | self.data_1.q.val().get_bit(6);
                    self.interrupt_enable_post_dropped.d.next = (self.interrupt_enable_post_dropped.q.val() & self.keep.val().get_bit(7)) | self.data_1.q.val().get_bit(7);
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
                _ => {}
            }
        }

        self.cfg_scratch.next = self.scratch.q.val();
        self.cfg_control_enable.next = self.control_enable.q.val();
        self.do_control_soft_reset.next = self.control_soft_reset.q.val();
        self.do_control_clear_counters.next = self.control_clear_counters.q.val();
        self.cfg_interrupt_enable_completion.next = self.interrupt_enable_completion.q.val();
        self.cfg_interrupt_enable_ring_full.next = self.interrupt_enable_ring_full.q.val();
        self.cfg_interrupt_enable_ring_error.next = self.interrupt_enable_ring_error.q.val();
        self.cfg_interrupt_enable_cdma_dead.next = self.interrupt_enable_cdma_dead.q.val();
        self.cfg_interrupt_enable_config_error.next = self.interrupt_enable_config_error.q.val();
        self.cfg_interrupt_enable_post_dropped.next = self.interrupt_enable_post_dropped.q.val();
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
        self.irq_now.d.next = (self.interrupt_status_completion.q.val() && self.interrupt_enable_completion.q.val()) || (self.interrupt_status_ring_full.q.val() && self.interrupt_enable_ring_full.q.val()) || (self.interrupt_status_ring_error.q.val() && self.interrupt_enable_ring_error.q.val()) || (self.interrupt_status_cdma_dead.q.val() && self.interrupt_enable_cdma_dead.q.val()) || (self.interrupt_status_config_error.q.val() && self.interrupt_enable_config_error.q.val()) || (self.interrupt_status_post_dropped.q.val() && self.interrupt_enable_post_dropped.q.val());
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
            self.interrupt_status_ring_error.d.next = false;
            self.interrupt_status_cdma_dead.d.next = false;
            self.interrupt_status_config_error.d.next = false;
            self.interrupt_status_post_dropped.d.next = false;
            self.interrupt_enable_completion.d.next = self.interrupt_enable_completion_reset.val();
            self.interrupt_enable_ring_full.d.next = self.interrupt_enable_ring_full_reset.val();
            self.interrupt_enable_ring_error.d.next = self.interrupt_enable_ring_error_reset.val();
            self.interrupt_enable_cdma_dead.d.next = self.interrupt_enable_cdma_dead_reset.val();
            self.interrupt_enable_config_error.d.next = self.interrupt_enable_config_error_reset.val();
            self.interrupt_enable_post_dropped.d.next = self.interrupt_enable_post_dropped_reset.val();
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
            self.irq_now.d.next = false;
        }
    }
}
