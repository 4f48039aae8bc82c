# The block design `system`: the endpoint, its CDMA, memory, interconnect, clocks, resets and addresses.
#
#   sysclk -> clk_wiz -> aclk, net_aclk
#   jtag_axi -+-> SmartConnect -+-> memory (block RAM)
#   m_axi    -+                 +-> s_axi_buffer
#   CDMA     -+                 +-> s_axi_ctrl
#   m_axis_tx -> tx_fifo -> net_aclk -> rx_fifo -> s_axis_rx, or a MAC and its bridge in the place of the FIFOs: mac.tcl
#
# To make it your own: replace `memory` by DDR4 or HBM, and `jtag_axi_0` by PCIe.
# Sourced by project.tcl and nonproject.tcl, behind settings.tcl.

proc cell {vlnv name args} {
    set cell [create_bd_cell -type ip -vlnv $vlnv $name]
    if {[llength $args] > 0} { set_property -dict $args $cell }
}

# One driver, any number of sinks.
proc wire {driver args} {
    foreach sink $args { connect_bd_net [get_bd_pins $driver] [get_bd_pins $sink] }
}

proc bus {master slave} {
    connect_bd_intf_net [get_bd_intf_pins $master] [get_bd_intf_pins $slave]
}

proc place {space segment offset range} {
    assign_bd_address -offset $offset -range $range -target_address_space [get_bd_addr_spaces $space] [get_bd_addr_segs $segment] -force
}

proc unreachable {space segment} {
    exclude_bd_addr_seg [get_bd_addr_segs $segment] -target_address_space [get_bd_addr_spaces $space]
}

if {[info exists design_folder]} {
    create_bd_design -dir $design_folder system
} else {
    create_bd_design system
}

# Clocks and resets

create_bd_intf_port -mode Slave -vlnv xilinx.com:interface:diff_clock_rtl:1.0 sysclk
set_property CONFIG.FREQ_HZ $input_hz [get_bd_intf_ports sysclk]

# net_aclk stands for the clock of a MAC: another frequency, so that the crossing is a real one. Where there is a MAC, it is the one by
# which its transceivers are brought up.
cell xilinx.com:ip:clk_wiz:6.0 clk_wiz_0 \
    CONFIG.PRIM_SOURCE Differential_clock_capable_pin \
    CONFIG.PRIM_IN_FREQ $input_mhz \
    CONFIG.CLKOUT1_REQUESTED_OUT_FREQ $clock_mhz \
    CONFIG.CLKOUT2_USED true \
    CONFIG.CLKOUT2_REQUESTED_OUT_FREQ $net_mhz \
    CONFIG.USE_LOCKED true \
    CONFIG.USE_RESET false
connect_bd_intf_net [get_bd_intf_ports sysclk] [get_bd_intf_pins clk_wiz_0/CLK_IN1_D]

# No reset pin: a design is in reset until its clocks are stable.
foreach {reset clock} {reset_0 clk_out1 net_reset_0 clk_out2} {
    cell xilinx.com:ip:proc_sys_reset:5.0 $reset
    wire clk_wiz_0/$clock $reset/slowest_sync_clk
    wire clk_wiz_0/locked $reset/dcm_locked $reset/ext_reset_in
}

# The endpoint

set endpoint ${top}_0
cell $vlnv $endpoint
wire clk_wiz_0/clk_out1 $endpoint/aclk
wire reset_0/peripheral_aresetn $endpoint/aresetn

# The CDMA of the send side: scatter-gather, its descriptors in the endpoint, its registers written by the endpoint

if {$has_cdma} {
    cell xilinx.com:ip:axi_cdma:4.1 axi_cdma_0 \
        CONFIG.C_INCLUDE_SG 1 \
        CONFIG.C_ADDR_WIDTH 64 \
        CONFIG.C_M_AXI_DATA_WIDTH $cdma_width \
        CONFIG.C_M_AXI_MAX_BURST_LEN $cdma_burst \
        CONFIG.C_INCLUDE_DRE $cdma_realign \
        CONFIG.C_USE_DATAMOVER_LITE 0
    wire clk_wiz_0/clk_out1 axi_cdma_0/m_axi_aclk axi_cdma_0/s_axi_lite_aclk
    wire reset_0/peripheral_aresetn axi_cdma_0/s_axi_lite_aresetn
    bus axi_cdma_0/M_AXI_SG $endpoint/s_axi_sg

    # Wire by wire: as a bus it would want an address range, and the 64 bytes that six address bits reach are less than the range of
    # the CDMA's registers.
    foreach signal {awvalid awaddr wvalid wdata bready arvalid araddr rready} {
        wire $endpoint/m_axi_cdma_$signal axi_cdma_0/s_axi_lite_$signal
    }
    foreach signal {awready wready bvalid bresp arready rvalid rdata rresp} {
        wire axi_cdma_0/s_axi_lite_$signal $endpoint/m_axi_cdma_$signal
    }
    # Commands come through registers.
    # left open: endpoint_0/s_axis_command send_endpoint_0/s_axis_command combined_endpoint_0/s_axis_command combined_send_endpoint_0/s_axis_command bitmap_endpoint_0/s_axis_command bitmap_send_endpoint_0/s_axis_command
}

# Frames: to the MAC and from it; or out, across the clock of the network, and back in

if {$mac ne "none"} {
    source [file join $root mac.tcl]
} else {
    foreach {fifo from to reset} {tx_fifo clk_out1 clk_out2 reset_0 rx_fifo clk_out2 clk_out1 net_reset_0} {
        cell xilinx.com:ip:axis_data_fifo:2.0 $fifo \
            CONFIG.TDATA_NUM_BYTES [expr {$data_width / 8}] \
            CONFIG.HAS_TKEEP 1 \
            CONFIG.HAS_TLAST 1 \
            CONFIG.FIFO_DEPTH 512 \
            CONFIG.FIFO_MODE 2 \
            CONFIG.IS_ACLK_ASYNC 1
        wire clk_wiz_0/$from $fifo/s_axis_aclk
        wire clk_wiz_0/$to $fifo/m_axis_aclk
        wire $reset/peripheral_aresetn $fifo/s_axis_aresetn
    }
    bus $endpoint/m_axis_tx tx_fifo/S_AXIS
    bus tx_fifo/M_AXIS rx_fifo/S_AXIS
    bus rx_fifo/M_AXIS $endpoint/s_axis_rx
}

# Host, memory and interconnect

set masters [list jtag_axi_0/M_AXI $endpoint/m_axi]
set slaves [list memory_ctrl/S_AXI $endpoint/s_axi_ctrl]
if {$has_cdma} {
    lappend masters axi_cdma_0/M_AXI
    lappend slaves $endpoint/s_axi_buffer
}
if {$mac ne "none"} { lappend slaves mac_status/S_AXI }

cell xilinx.com:ip:jtag_axi:1.2 jtag_axi_0 \
    CONFIG.PROTOCOL 0 \
    CONFIG.M_AXI_ADDR_WIDTH 32 \
    CONFIG.M_AXI_DATA_WIDTH 32
wire clk_wiz_0/clk_out1 jtag_axi_0/aclk
wire reset_0/peripheral_aresetn jtag_axi_0/aresetn

cell xilinx.com:ip:axi_bram_ctrl:4.1 memory_ctrl \
    CONFIG.DATA_WIDTH $data_width \
    CONFIG.SINGLE_PORT_BRAM 1 \
    CONFIG.ECC_TYPE 0
wire clk_wiz_0/clk_out1 memory_ctrl/s_axi_aclk
wire reset_0/peripheral_aresetn memory_ctrl/s_axi_aresetn

cell xilinx.com:ip:blk_mem_gen:8.4 memory \
    CONFIG.Memory_Type Single_Port_RAM \
    CONFIG.use_bram_block BRAM_Controller
bus memory_ctrl/BRAM_PORTA memory/BRAM_PORTA

cell xilinx.com:ip:smartconnect:1.0 interconnect \
    CONFIG.NUM_SI [llength $masters] \
    CONFIG.NUM_MI [llength $slaves] \
    CONFIG.NUM_CLKS 1
wire clk_wiz_0/clk_out1 interconnect/aclk
wire reset_0/interconnect_aresetn interconnect/aresetn
for {set i 0} {$i < [llength $masters]} {incr i} { bus [lindex $masters $i] interconnect/[format S%02d_AXI $i] }
for {set i 0} {$i < [llength $slaves]} {incr i} { bus interconnect/[format M%02d_AXI $i] [lindex $slaves $i] }

# Pins that must be held while nothing drives them

foreach {port value} $ties {
    cell xilinx.com:ip:xlconstant:1.1 ${port}_tie CONFIG.CONST_WIDTH 1 CONFIG.CONST_VAL $value
    create_bd_port -dir O $port
    connect_bd_net [get_bd_pins ${port}_tie/dout] [get_bd_ports $port]
}

# Addresses: what each master reaches, and what it is kept from

place jtag_axi_0/Data memory_ctrl/S_AXI/Mem0 $memory_base $memory_bytes
place jtag_axi_0/Data $endpoint/s_axi_ctrl/* $control_base 0x1000
place $endpoint/m_axi memory_ctrl/S_AXI/Mem0 $memory_base $memory_bytes
unreachable $endpoint/m_axi $endpoint/s_axi_ctrl/*
if {$has_cdma} {
    place axi_cdma_0/Data memory_ctrl/S_AXI/Mem0 $memory_base $memory_bytes
    place axi_cdma_0/Data $endpoint/s_axi_buffer/* $buffer_base $buffer_bytes
    place axi_cdma_0/Data_SG $endpoint/s_axi_sg/* $ring_base $ring_bytes
    unreachable axi_cdma_0/Data $endpoint/s_axi_ctrl/*
    unreachable jtag_axi_0/Data $endpoint/s_axi_buffer/*
    unreachable $endpoint/m_axi $endpoint/s_axi_buffer/*
}
if {$mac ne "none"} {
    place jtag_axi_0/Data mac_status/S_AXI/Reg $mac_base 0x1000
    unreachable $endpoint/m_axi mac_status/S_AXI/Reg
    if {$has_cdma} { unreachable axi_cdma_0/Data mac_status/S_AXI/Reg }
}

validate_bd_design
save_bd_design
