# The MAC of the board between the endpoint's frames and its cage: `cmac`, the 100G MAC of UltraScale+ (PG203), or `xxv`, the 10G/25G MAC (PG210).
#
#   m_axis_tx -> bridge -> axis_tx   the bridge: ICRC, width, the MAC's clock, frames that are whole
#   s_axis_rx <- bridge <- axis_rx
#
# Neither core has its registers here: what they want to be told is wired. Both want a licence before a bitstream is written.
# Sourced by system.tcl, behind the endpoint.

proc constant {name width value args} {
    cell xilinx.com:ip:xlconstant:1.1 $name CONFIG.CONST_WIDTH $width CONFIG.CONST_VAL $value
    wire $name/dout {*}$args
}

create_bd_intf_port -mode Slave -vlnv xilinx.com:interface:diff_clock_rtl:1.0 mac_refclk
set_property CONFIG.FREQ_HZ $mac_refclk_hz [get_bd_intf_ports mac_refclk]
create_bd_intf_port -mode Master -vlnv xilinx.com:interface:gt_rtl:1.0 mac_gt

set bridge ${mac_top}_0
cell $mac_vlnv $bridge
wire clk_wiz_0/clk_out1 $bridge/aclk
wire reset_0/peripheral_aresetn $bridge/aresetn
bus $endpoint/m_axis_tx $bridge/s_axis_tx
bus $bridge/m_axis_rx $endpoint/s_axis_rx

if {$mac eq "cmac"} {
    cell xilinx.com:ip:cmac_usplus:3.1 mac_0 \
        CONFIG.CMAC_CAUI4_MODE 1 \
        CONFIG.NUM_LANES 4x25 \
        CONFIG.USER_INTERFACE AXIS \
        CONFIG.GT_REF_CLK_FREQ $mac_refclk_mhz \
        CONFIG.GT_DRP_CLK $net_mhz \
        CONFIG.CMAC_CORE_SELECT $mac_core \
        CONFIG.GT_GROUP_SELECT $mac_group \
        CONFIG.LANE1_GT_LOC [lindex $mac_lanes 0] \
        CONFIG.LANE2_GT_LOC [lindex $mac_lanes 1] \
        CONFIG.LANE3_GT_LOC [lindex $mac_lanes 2] \
        CONFIG.LANE4_GT_LOC [lindex $mac_lanes 3] \
        CONFIG.TX_FLOW_CONTROL 0 \
        CONFIG.RX_FLOW_CONTROL 0 \
        CONFIG.RX_MIN_PACKET_LEN 64 \
        CONFIG.RX_MAX_PACKET_LEN 9600 \
        CONFIG.INCLUDE_RS_FEC $mac_fec \
        CONFIG.ENABLE_PIPELINE_REG 1 \
        CONFIG.ENABLE_AXI_INTERFACE 0 \
        CONFIG.INCLUDE_STATISTICS_COUNTERS 0
    # One clock for both directions: the core has what its receiver's own clock needs.
    set mac_clock mac_0/gt_txusrclk2
    wire $mac_clock mac_0/rx_clk
    wire clk_wiz_0/clk_out2 mac_0/init_clk
    # Its receiver is on always; until it is aligned its sender tells a remote fault, and then sends frames.
    constant mac_high 1 1 mac_0/ctl_rx_enable
    wire $bridge/tx_enable mac_0/ctl_tx_enable
    wire $bridge/tx_send_rfi mac_0/ctl_tx_send_rfi
    wire mac_0/stat_rx_aligned $bridge/line_up
    constant mac_low 1 0 mac_0/drp_clk mac_0/core_rx_reset mac_0/core_tx_reset mac_0/core_drp_reset \
        mac_0/gtwiz_reset_tx_datapath mac_0/gtwiz_reset_rx_datapath mac_0/ctl_tx_test_pattern mac_0/ctl_tx_send_idle mac_0/ctl_tx_send_lfi \
        mac_0/ctl_rx_force_resync mac_0/ctl_rx_test_pattern
    if {$mac_fec} {
        wire mac_high/dout mac_0/ctl_tx_rsfec_enable mac_0/ctl_rx_rsfec_enable mac_0/ctl_rx_rsfec_enable_correction \
            mac_0/ctl_rx_rsfec_enable_indication
        wire mac_low/dout mac_0/ctl_rsfec_ieee_error_indication_mode
    }
    # 2 for each lane: what is sent comes back before it gets to the cage.
    constant mac_loop 12 [expr {$mac_loopback ? 0x492 : 0}] mac_0/gt_loopback_in
    constant mac_preamble 56 0 mac_0/tx_preamblein
    set mac_reset usr_tx_reset
    bus $bridge/m_axis_mac mac_0/axis_tx
    bus mac_0/axis_rx $bridge/s_axis_mac
} else {
    cell xilinx.com:ip:xxv_ethernet mac_0 \
        CONFIG.CORE {Ethernet MAC+PCS/PMA 64-bit} \
        CONFIG.DATA_PATH_INTERFACE {AXI Stream} \
        CONFIG.BASE_R_KR BASE-R \
        CONFIG.LINE_RATE $mac_gbps \
        CONFIG.NUM_OF_CORES 1 \
        CONFIG.GT_REF_CLK_FREQ $mac_refclk_mhz \
        CONFIG.GT_DRP_CLK $net_mhz \
        CONFIG.GT_GROUP_SELECT $mac_group \
        CONFIG.LANE1_GT_LOC [lindex $mac_lanes 0] \
        CONFIG.INCLUDE_USER_FIFO 1 \
        CONFIG.INCLUDE_AXI4_INTERFACE 0 \
        CONFIG.INCLUDE_STATISTICS_COUNTERS 0
    # One clock for both directions: its FIFO brings what it receives into it.
    set mac_clock mac_0/tx_clk_out_0
    wire $mac_clock mac_0/rx_core_clk_0
    wire clk_wiz_0/clk_out2 mac_0/dclk
    constant mac_high 1 1 mac_0/ctl_rx_enable_0 mac_0/ctl_rx_check_preamble_0 mac_0/ctl_rx_check_sfd_0 mac_0/ctl_rx_delete_fcs_0 \
        mac_0/ctl_tx_fcs_ins_enable_0
    wire $bridge/tx_enable mac_0/ctl_tx_enable_0
    wire $bridge/tx_send_rfi mac_0/ctl_tx_send_rfi_0
    wire mac_0/stat_rx_status_0 $bridge/line_up
    constant mac_low 1 0 mac_0/rx_reset_0 mac_0/tx_reset_0 mac_0/gtwiz_reset_rx_datapath_0 mac_0/gtwiz_reset_tx_datapath_0 \
        mac_0/ctl_rx_force_resync_0 mac_0/ctl_rx_ignore_fcs_0 mac_0/ctl_rx_process_lfi_0 mac_0/ctl_rx_data_pattern_select_0 \
        mac_0/ctl_rx_test_pattern_0 mac_0/ctl_rx_test_pattern_enable_0 mac_0/ctl_tx_ignore_fcs_0 mac_0/ctl_tx_send_idle_0 \
        mac_0/ctl_tx_send_lfi_0 mac_0/ctl_tx_data_pattern_select_0 mac_0/ctl_tx_test_pattern_0 mac_0/ctl_tx_test_pattern_enable_0 \
        mac_0/ctl_tx_test_pattern_select_0
    constant mac_seed 58 0 mac_0/ctl_tx_test_pattern_seed_a_0 mac_0/ctl_tx_test_pattern_seed_b_0
    constant mac_shortest 8 64 mac_0/ctl_rx_min_packet_len_0
    constant mac_longest 15 9600 mac_0/ctl_rx_max_packet_len_0
    constant mac_outclk 3 5 mac_0/txoutclksel_in_0 mac_0/rxoutclksel_in_0
    constant mac_loop 3 [expr {$mac_loopback ? 2 : 0}] mac_0/gt_loopback_in_0
    constant mac_preamble 56 0 mac_0/tx_preamblein_0
    set mac_reset user_tx_reset_0
    bus $bridge/m_axis_mac mac_0/axis_tx_0
    bus mac_0/axis_rx_0 $bridge/s_axis_mac
}
connect_bd_intf_net [get_bd_intf_ports mac_refclk] [get_bd_intf_pins mac_0/gt_ref_clk]
connect_bd_intf_net [get_bd_intf_ports mac_gt] [get_bd_intf_pins mac_0/gt_serial_port]
wire net_reset_0/peripheral_reset mac_0/sys_reset

# The MAC says when its clock is there; the bridge is told in that clock.
cell xilinx.com:ip:proc_sys_reset:5.0 mac_reset_0 CONFIG.C_EXT_RESET_HIGH 1
wire $mac_clock mac_reset_0/slowest_sync_clk $bridge/mac_aclk
wire clk_wiz_0/locked mac_reset_0/dcm_locked
wire mac_0/$mac_reset mac_reset_0/ext_reset_in
wire mac_reset_0/peripheral_aresetn $bridge/mac_aresetn

# For software: frames that were lost, and whether there is a line.
cell xilinx.com:ip:axi_gpio:2.0 mac_status \
    CONFIG.C_GPIO_WIDTH 32 \
    CONFIG.C_ALL_INPUTS 1 \
    CONFIG.C_IS_DUAL 1 \
    CONFIG.C_GPIO2_WIDTH 32 \
    CONFIG.C_ALL_INPUTS_2 1
wire clk_wiz_0/clk_out1 mac_status/s_axi_aclk
wire reset_0/peripheral_aresetn mac_status/s_axi_aresetn
wire $bridge/receive_lost mac_status/gpio_io_i
wire $bridge/status mac_status/gpio2_io_i
