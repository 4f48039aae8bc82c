# The MACs that block designs may have: properties, pins and interfaces, as in catalogue.tcl.
#
# Sources: PG203 (UltraScale+ Devices Integrated 100G Ethernet Subsystem), PG210 (10G/25G High Speed Ethernet Subsystem), and the pins that public
# block designs connect of both cores without their registers. Statistics and transceiver pins are left out but for a few.

# The clock of a bus may be one that the core itself makes.
h::core xilinx.com:ip:cmac_usplus:3.1 {
    CMAC_CAUI4_MODE {0 {0 1}} NUM_LANES {10x10 {10x10 4x25}} USER_INTERFACE {LBUS {LBUS AXIS}} GT_REF_CLK_FREQ {156.25 {103.125 128.90625 156.25 161.1328125 195.3125 201.416015625 206.25 257.8125 312.5 322.265625}}
    GT_DRP_CLK {100.00 10..250} CMAC_CORE_SELECT {CMACE4_X0Y0 *} GT_GROUP_SELECT {X0Y0~X0Y3 *} LANE1_GT_LOC {X0Y0 *} LANE2_GT_LOC {X0Y1 *} LANE3_GT_LOC {X0Y2 *} LANE4_GT_LOC {X0Y3 *}
    TX_FLOW_CONTROL {1 {0 1}} RX_FLOW_CONTROL {1 {0 1}} RX_MIN_PACKET_LEN {64 64..255} RX_MAX_PACKET_LEN {9600 64..16383} INCLUDE_RS_FEC {0 {0 1}}
    ENABLE_PIPELINE_REG {0 {0 1}} ENABLE_AXI_INTERFACE {1 {0 1}} INCLUDE_STATISTICS_COUNTERS {1 {0 1}}
} {
    if {!$CMAC_CAUI4_MODE || $NUM_LANES ne "4x25" || $USER_INTERFACE ne "AXIS" || $TX_FLOW_CONTROL || $RX_FLOW_CONTROL || $ENABLE_AXI_INTERFACE} {
        set usual 0
    } else {
        set usual 1
    }
    pin init_clk in 1 clock
    pin rx_clk in 1 clock
    pin drp_clk in 1 data
    foreach name {gt_txusrclk2 gt_rxusrclk2 gt_ref_clk_out} { pin $name out 1 clock }
    pin sys_reset in 1 reset_any
    foreach name {core_rx_reset core_tx_reset core_drp_reset gtwiz_reset_tx_datapath gtwiz_reset_rx_datapath} { pin $name in 1 data }
    foreach name {usr_rx_reset usr_tx_reset stat_rx_aligned stat_rx_status tx_ovfout tx_unfout} { pin $name out 1 open }
    pin gt_powergoodout out 4 open
    pin gt_loopback_in in 12 data
    pin tx_preamblein in 56 data
    if {$usual} {
        foreach name {ctl_rx_enable ctl_rx_force_resync ctl_rx_test_pattern ctl_tx_enable ctl_tx_test_pattern ctl_tx_send_idle ctl_tx_send_rfi ctl_tx_send_lfi} { pin $name in 1 data }
        if {$INCLUDE_RS_FEC} {
            foreach name {ctl_tx_rsfec_enable ctl_rx_rsfec_enable ctl_rx_rsfec_enable_correction ctl_rx_rsfec_enable_indication ctl_rsfec_ieee_error_indication_mode} { pin $name in 1 data }
        }
        interface axis_tx slave axis gt_txusrclk2 512 0
        interface axis_rx master axis rx_clk 512 0
    }
    interface gt_ref_clk slave diff_clock "" 0 0
    interface gt_serial_port master gt "" 4 0
}

h::core xilinx.com:ip:xxv_ethernet {
    CORE {{Ethernet MAC+PCS/PMA 64-bit} {{Ethernet MAC+PCS/PMA 64-bit} {Ethernet MAC+PCS/PMA 32-bit} {Ethernet PCS/PMA 64-bit}}} DATA_PATH_INTERFACE {{AXI Stream} {{AXI Stream} MII}}
    BASE_R_KR {BASE-KR {BASE-R BASE-KR}} LINE_RATE {10 {10 25}} NUM_OF_CORES {1 1..4} GT_REF_CLK_FREQ {156.25 {156.25 161.1328125 312.5 322.265625}} GT_DRP_CLK {100.00 10..250}
    GT_GROUP_SELECT {Quad_X0Y0 *} LANE1_GT_LOC {X0Y0 *} INCLUDE_USER_FIFO {1 {0 1}} INCLUDE_AXI4_INTERFACE {1 {0 1}} INCLUDE_STATISTICS_COUNTERS {1 {0 1}}
} {
    pin dclk in 1 clock
    pin rx_core_clk_0 in 1 clock
    foreach name {tx_clk_out_0 rx_clk_out_0 gt_refclk_out} { pin $name out 1 clock }
    pin sys_reset in 1 reset_any
    foreach name {rx_reset_0 tx_reset_0 gtwiz_reset_rx_datapath_0 gtwiz_reset_tx_datapath_0} { pin $name in 1 data }
    foreach name {user_rx_reset_0 user_tx_reset_0 stat_rx_status_0 stat_rx_block_lock_0 tx_unfout_0 gtpowergood_out_0} { pin $name out 1 open }
    foreach name {txoutclksel_in_0 rxoutclksel_in_0 gt_loopback_in_0} { pin $name in 3 data }
    pin tx_preamblein_0 in 56 data
    foreach name {send_idle send_lfi send_rfi} { pin ctl_tx_${name}_0 in 1 data }
    if {!$INCLUDE_AXI4_INTERFACE} {
        foreach name {enable fcs_ins_enable ignore_fcs data_pattern_select test_pattern test_pattern_enable test_pattern_select} { pin ctl_tx_${name}_0 in 1 data }
        foreach name {enable check_preamble check_sfd delete_fcs ignore_fcs process_lfi force_resync data_pattern_select test_pattern test_pattern_enable} { pin ctl_rx_${name}_0 in 1 data }
        foreach name {a b} { pin ctl_tx_test_pattern_seed_${name}_0 in 58 data }
        pin ctl_rx_min_packet_len_0 in 8 data
        pin ctl_rx_max_packet_len_0 in 15 data
    }
    set width [expr {[string match *64-bit $CORE] ? 64 : 32}]
    interface axis_tx_0 slave axis tx_clk_out_0 $width 0
    interface axis_rx_0 master axis rx_core_clk_0 $width 0
    interface gt_ref_clk slave diff_clock "" 0 0
    interface gt_serial_port master gt "" 1 0
}

# What the placement of a MAC must agree about, and the clocks that its constraints make.
proc h::validate_mac {cell} {
    set config [h::config_of $cell]
    switch -glob -- [dict get $::h::cells $cell vlnv] {
        xilinx.com:ip:cmac_usplus:* {
            dict with config {}
            foreach {name value} [list CMAC_CAUI4_MODE 1 NUM_LANES 4x25 USER_INTERFACE AXIS TX_FLOW_CONTROL 0 RX_FLOW_CONTROL 0 ENABLE_AXI_INTERFACE 0] {
                if {[set $name] ne $value} { error "$cell: CONFIG.$name is [set $name]; the harness knows the pins of this core with $value alone" }
            }
            if {![regexp {^CMACE4_X\d+Y\d+$} $CMAC_CORE_SELECT]} { error "$cell: CONFIG.CMAC_CORE_SELECT `$CMAC_CORE_SELECT` is no site of a CMAC, like CMACE4_X0Y7" }
            set lanes [list $LANE1_GT_LOC $LANE2_GT_LOC $LANE3_GT_LOC $LANE4_GT_LOC]
            if {![regexp {^(X\d+Y)(\d+)$} $LANE1_GT_LOC -> column row] || $row % 4 || $lanes ne [lmap i {0 1 2 3} { set _ $column[expr {$row + $i}] }]} {
                error "$cell: lanes $lanes are not the four transceivers of a quad in a row"
            }
            if {$GT_GROUP_SELECT ne "$LANE1_GT_LOC~$LANE4_GT_LOC"} { error "$cell: CONFIG.GT_GROUP_SELECT is $GT_GROUP_SELECT, its lanes are $LANE1_GT_LOC to $LANE4_GT_LOC" }
            h::validate_mac_clocks $cell $GT_REF_CLK_FREQ init_clk $GT_DRP_CLK
        }
        xilinx.com:ip:xxv_ethernet {
            dict with config {}
            if {$NUM_OF_CORES != 1} { error "$cell: CONFIG.NUM_OF_CORES is $NUM_OF_CORES; the harness knows one" }
            if {![regexp {^Quad_X(\d+)Y(\d+)$} $GT_GROUP_SELECT -> column row] || ![regexp {^X(\d+)Y(\d+)$} $LANE1_GT_LOC -> x y] || $x != $column || $y / 4 != $row} {
                error "$cell: the transceiver $LANE1_GT_LOC is none of $GT_GROUP_SELECT"
            }
            if {!$INCLUDE_USER_FIFO && [h::clock_at $cell rx_core_clk_0] ne "$cell/rx_clk_out_0"} { error "$cell: without its FIFO rx_core_clk_0 must be driven by rx_clk_out_0" }
            h::validate_mac_clocks $cell $GT_REF_CLK_FREQ dclk $GT_DRP_CLK
        }
    }
}

proc h::validate_mac_clocks {cell refclk_mhz pin drp_mhz} {
    if {[dict exists $::h::joined $cell/gt_ref_clk]} {
        set port [string range [dict get $::h::joined $cell/gt_ref_clk] 1 end]
        set hertz [h::frequency_of $port]
        if {[h::differ [expr {$refclk_mhz * 1e6}] $hertz]} { error "$cell: CONFIG.GT_REF_CLK_FREQ is $refclk_mhz MHz, and $port has [expr {$hertz / 1e6}] MHz" }
    }
    set mhz [h::made_mhz [h::clock_at $cell $pin]]
    if {$mhz ne "" && [h::differ $drp_mhz $mhz]} { error "$cell: CONFIG.GT_DRP_CLK is $drp_mhz MHz, and $pin has $mhz MHz" }
}

# MHz of an output of a clocking wizard.
proc h::made_mhz {driver} {
    lassign [split $driver /] cell out
    if {$cell eq "" || [dict get $::h::cells $cell vlnv] ne "xilinx.com:ip:clk_wiz:6.0"} { return "" }
    return [dict get [h::config_of $cell] [dict get {clk_out1 CLKOUT1_REQUESTED_OUT_FREQ clk_out2 CLKOUT2_REQUESTED_OUT_FREQ} $out]]
}

# Name, pin and MHz of the clock by which a MAC's frames go.
proc h::mac_clock {cell} {
    set config [h::config_of $cell]
    switch -glob -- [dict get $::h::cells $cell vlnv] {
        xilinx.com:ip:cmac_usplus:* { return [list gt_txusrclk2 322.265625] }
        xilinx.com:ip:xxv_ethernet { return [list tx_clk_out_0 [expr {[dict get $config LINE_RATE] == 25 ? 390.625 : 156.25}]] }
    }
    return {}
}
