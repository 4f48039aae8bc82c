# The IP that block designs may use: properties, pins, interfaces, address spaces and segments.
#
# Sources: PG034 (AXI CDMA), PG065 (Clocking Wizard), PG164 (Processor System Reset), PG078 (AXI BRAM Controller), PG058 (Block Memory
# Generator), PG247 (SmartConnect), PG174 (JTAG to AXI), PG085 (AXI4-Stream infrastructure), and the names that public block-design scripts use.
# MACs are in macs.tcl.
#
# `properties` maps a property, without CONFIG., to `default allowed`: `*` for anything, `a..b` for a range of numbers, or the words themselves.
# `shape` is a script that runs with the properties as variables and calls `pin`, `interface`, `space` and `segment`.

namespace eval h {
    variable catalogue [dict create]
    variable repositories {}
    variable catalogue_current 0
    # Version numbers of cores that this repository packages, by VLNV.
    variable own [dict create]
}

namespace eval h::shape {}

proc h::core {vlnv properties shape} { dict set ::h::catalogue $vlnv [dict create properties $properties shape $shape] }

# NAME DIRECTION WIDTH KIND ?CLOCK?: KIND is data, open (may stay unconnected), clock, reset (active low, of CLOCK) or reset_any (of no clock).
proc h::shape::pin {name direction width kind {clock ""}} { dict set ::h::shaped pins $name [list $direction $width $kind $clock] }
# NAME MODE KIND CLOCK DATA ADDRESS: widths, 0 where any will do.
proc h::shape::interface {name mode kind clock data address} { dict set ::h::shaped interfaces $name [list $mode $kind $clock $data $address] }
# An address space of a master interface.
proc h::shape::space {name interface} { dict set ::h::shaped spaces $name $interface }
# A segment of a slave interface, and the address bits that it decodes; 0: as many as it is given.
proc h::shape::segment {name interface bits} { dict set ::h::shaped segments $name [list $interface $bits] }

h::core xilinx.com:ip:clk_wiz:6.0 {
    PRIM_SOURCE {Single_ended_clock_capable_pin {Single_ended_clock_capable_pin Differential_clock_capable_pin No_buffer Global_buffer}}
    PRIM_IN_FREQ {100.000 10..1066} CLKOUT1_REQUESTED_OUT_FREQ {100.000 4.687..775} CLKOUT2_REQUESTED_OUT_FREQ {100.000 4.687..775}
    CLKOUT2_USED {false {true false}} USE_LOCKED {true {true false}} USE_RESET {true {true false}} NUM_OUT_CLKS {1 1..7}
} {
    if {$PRIM_SOURCE eq "Differential_clock_capable_pin"} { interface CLK_IN1_D slave diff_clock "" 0 0 } else { pin clk_in1 in 1 clock }
    pin clk_out1 out 1 clock
    if {$CLKOUT2_USED} { pin clk_out2 out 1 clock }
    if {$USE_LOCKED} { pin locked out 1 open }
    if {$USE_RESET} { pin reset in 1 reset_any }
}

h::core xilinx.com:ip:proc_sys_reset:5.0 {
    C_EXT_RST_WIDTH {4 1..16} C_AUX_RST_WIDTH {4 1..16} C_EXT_RESET_HIGH {0 {0 1}} C_NUM_PERP_ARESETN {1 1..16} C_NUM_INTERCONNECT_ARESETN {1 1..16}
} {
    pin slowest_sync_clk in 1 clock
    pin ext_reset_in in 1 reset_any
    pin aux_reset_in in 1 open
    pin mb_debug_sys_rst in 1 open
    pin dcm_locked in 1 data
    foreach name {mb_reset bus_struct_reset peripheral_reset} { pin $name out 1 open }
    foreach name {interconnect_aresetn peripheral_aresetn} { pin $name out 1 reset slowest_sync_clk }
}

h::core xilinx.com:ip:xlconstant:1.1 {CONST_WIDTH {1 1..4096} CONST_VAL {1 *}} { pin dout out $CONST_WIDTH open }

h::core xilinx.com:ip:jtag_axi:1.2 {
    PROTOCOL {0 {0 2}} M_AXI_ADDR_WIDTH {32 {32 64}} M_AXI_DATA_WIDTH {32 {32 64}} M_AXI_ID_WIDTH {1 1..4}
} {
    pin aclk in 1 clock
    pin aresetn in 1 reset aclk
    interface M_AXI master aximm aclk $M_AXI_DATA_WIDTH $M_AXI_ADDR_WIDTH
    space Data M_AXI
}

h::core xilinx.com:ip:axi_bram_ctrl:4.1 {
    DATA_WIDTH {32 {32 64 128 256 512 1024}} SINGLE_PORT_BRAM {0 {0 1}} ECC_TYPE {0 {0 1}} PROTOCOL {AXI4 {AXI4 AXI4LITE}} READ_LATENCY {1 1..128}
} {
    pin s_axi_aclk in 1 clock
    pin s_axi_aresetn in 1 reset s_axi_aclk
    interface S_AXI slave aximm s_axi_aclk $DATA_WIDTH 0
    interface BRAM_PORTA master bram "" 0 0
    if {!$SINGLE_PORT_BRAM} { interface BRAM_PORTB master bram "" 0 0 }
    segment S_AXI/Mem0 S_AXI 0
}

h::core xilinx.com:ip:blk_mem_gen:8.4 {
    Memory_Type {Single_Port_RAM {Single_Port_RAM Simple_Dual_Port_RAM True_Dual_Port_RAM}} use_bram_block {Stand_Alone {Stand_Alone BRAM_Controller}}
    EN_SAFETY_CKT {false {true false}} PRIM_type_to_Implement {BRAM {BRAM URAM}}
} {
    interface BRAM_PORTA slave bram "" 0 0
    if {$Memory_Type ne "Single_Port_RAM"} { interface BRAM_PORTB slave bram "" 0 0 }
}

h::core xilinx.com:ip:smartconnect:1.0 {NUM_SI {1 1..16} NUM_MI {1 1..16} NUM_CLKS {1 1..4} HAS_ARESETN {1 {0 1}}} {
    pin aclk in 1 clock
    for {set i 1} {$i < $NUM_CLKS} {incr i} { pin aclk$i in 1 clock }
    if {$HAS_ARESETN} { pin aresetn in 1 reset aclk }
    for {set i 0} {$i < $NUM_SI} {incr i} { interface [format S%02d_AXI $i] slave aximm aclk 0 0 }
    for {set i 0} {$i < $NUM_MI} {incr i} { interface [format M%02d_AXI $i] master aximm aclk 0 0 }
}

h::core xilinx.com:ip:axi_cdma:4.1 {
    C_INCLUDE_SG {1 {0 1}} C_ADDR_WIDTH {32 32..64} C_M_AXI_DATA_WIDTH {32 {32 64 128 256 512 1024}} C_M_AXI_MAX_BURST_LEN {16 {2 4 8 16 32 64 128 256}}
    C_INCLUDE_DRE {0 {0 1}} C_USE_DATAMOVER_LITE {0 {0 1}} C_INCLUDE_SF {0 {0 1}} C_AXI_LITE_IS_ASYNC {0 {0 1}}
} {
    pin m_axi_aclk in 1 clock
    pin s_axi_lite_aclk in 1 clock
    pin s_axi_lite_aresetn in 1 reset s_axi_lite_aclk
    pin cdma_introut out 1 open
    foreach {name width} {awvalid 1 awaddr 6 wvalid 1 wdata 32 bready 1 arvalid 1 araddr 6 rready 1} { pin s_axi_lite_$name in $width open }
    foreach {name width} {awready 1 wready 1 bvalid 1 bresp 2 arready 1 rvalid 1 rdata 32 rresp 2} { pin s_axi_lite_$name out $width open }
    interface S_AXI_LITE slave aximm s_axi_lite_aclk 32 6
    segment S_AXI_LITE/Reg S_AXI_LITE 16
    interface M_AXI master aximm m_axi_aclk $C_M_AXI_DATA_WIDTH $C_ADDR_WIDTH
    space Data M_AXI
    if {$C_INCLUDE_SG} {
        interface M_AXI_SG master aximm m_axi_aclk 32 $C_ADDR_WIDTH
        space Data_SG M_AXI_SG
    }
}

h::core xilinx.com:ip:axis_data_fifo:2.0 {
    TDATA_NUM_BYTES {1 1..512} TUSER_WIDTH {0 0..4096} HAS_TKEEP {0 {0 1}} HAS_TLAST {0 {0 1}} FIFO_DEPTH {512 {16 32 64 128 256 512 1024 2048 4096 8192 16384 32768}}
    FIFO_MODE {1 {1 2}} IS_ACLK_ASYNC {0 {0 1}} FIFO_MEMORY_TYPE {auto {auto block distributed ultra}}
} {
    pin s_axis_aclk in 1 clock
    pin s_axis_aresetn in 1 reset s_axis_aclk
    set out s_axis_aclk
    if {$IS_ACLK_ASYNC} { pin m_axis_aclk in 1 clock; set out m_axis_aclk }
    interface S_AXIS slave axis s_axis_aclk [expr {8 * $TDATA_NUM_BYTES}] 0
    interface M_AXIS master axis $out [expr {8 * $TDATA_NUM_BYTES}] 0
}

h::core xilinx.com:ip:axi_gpio:2.0 {
    C_GPIO_WIDTH {32 1..32} C_GPIO2_WIDTH {32 1..32} C_IS_DUAL {0 {0 1}} C_ALL_INPUTS {0 {0 1}} C_ALL_INPUTS_2 {0 {0 1}}
} {
    pin s_axi_aclk in 1 clock
    pin s_axi_aresetn in 1 reset s_axi_aclk
    interface S_AXI slave aximm s_axi_aclk 32 9
    segment S_AXI/Reg S_AXI 0
    if {$C_ALL_INPUTS} { pin gpio_io_i in $C_GPIO_WIDTH data } else { pin gpio_io_o out $C_GPIO_WIDTH open }
    if {$C_IS_DUAL} { if {$C_ALL_INPUTS_2} { pin gpio2_io_i in $C_GPIO2_WIDTH data } else { pin gpio2_io_o out $C_GPIO2_WIDTH open } }
}

# A core of ours: what its component.xml says, and the attributes on the ports of its top.
proc h::own_core {component} {
    dict with component {}
    dict set ::h::own $vlnv $top
    dict set ::h::catalogue $vlnv [dict create properties {} shape [list h::own_shape $top $segments]]
}

proc h::own_shape {top segments} {
    set buses [dict create]
    set associated [dict create]
    dict for {name fact} [h::ports_of $top] {
        lassign $fact direction width clock info parameter
        if {[regexp {^xilinx.com:signal:clock:1.0 } $info]} {
            h::shape::pin $name $direction $width clock
            if {[regexp {ASSOCIATED_BUSIF ([\w:]+)} $parameter -> list]} { foreach bus [split $list :] { dict set associated $bus $name } }
            if {[regexp {ASSOCIATED_RESET (\w+)} $parameter -> reset]} { dict set associated $reset $name }
        } elseif {[regexp {^xilinx.com:signal:reset:1.0 } $info]} {
            if {![string match *ACTIVE_LOW* $parameter]} { error "$top: reset $name is not ACTIVE_LOW" }
            set resets($name) $width
        } elseif {[regexp {^xilinx.com:interface:(aximm|axis):1.0 (\w+) (\w+)$} $info -> kind bus signal]} {
            dict set buses $bus kind $kind
            dict set buses $bus signals $signal [list $direction $width]
            h::shape::pin $name $direction $width open
        } else {
            h::shape::pin $name $direction $width [expr {$direction eq "in" ? "data" : "open"}]
        }
    }
    foreach {name width} [array get resets] {
        if {![dict exists $associated $name]} { error "$top: reset $name is associated with no clock" }
        h::shape::pin $name in $width reset [dict get $associated $name]
    }
    dict for {bus fact} $buses {
        if {![dict exists $associated $bus]} { error "$top: interface $bus is associated with no clock" }
        set signals [dict get $fact signals]
        set first [lindex [lmap s {TVALID AWVALID ARVALID} { if {![dict exists $signals $s]} continue; set s }] 0]
        set mode [expr {[lindex [dict get $signals $first] 0] eq "out" ? "master" : "slave"}]
        set data 0
        foreach s {TDATA WDATA RDATA} { if {[dict exists $signals $s]} { set data [lindex [dict get $signals $s] 1] } }
        set address 0
        foreach s {AWADDR ARADDR} { if {[dict exists $signals $s]} { set address [lindex [dict get $signals $s] 1] } }
        h::shape::interface $bus $mode [dict get $fact kind] [dict get $associated $bus] $data $address
        if {[dict get $fact kind] eq "aximm"} {
            if {$mode eq "master"} {
                h::shape::space $bus $bus
            } elseif {![dict exists $segments $bus]} {
                error "$top: component.xml has no memory map for the slave $bus"
            } else {
                foreach segment [dict get $segments $bus] { h::shape::segment $bus/$segment $bus $address }
            }
        }
    }
}

proc h::need_core {vlnv} {
    if {![dict exists $::h::catalogue $vlnv]} {
        if {[string match rdma-rtl:* $vlnv] && ![llength $::h::repositories]} { error "VLNV `$vlnv`: no ip_repo_paths is set" }
        if {[string match rdma-rtl:* $vlnv] && !$::h::catalogue_current} { error "VLNV `$vlnv`: update_ip_catalog was not called" }
        error "unknown VLNV `$vlnv`[h::nearest $vlnv [dict keys $::h::catalogue]]"
    }
}

proc h::check_property {vlnv property value} {
    set known [dict get $::h::catalogue $vlnv properties]
    if {![string match CONFIG.* $property]} { error "property `$property` of a cell begins with CONFIG." }
    set name [string range $property 7 end]
    if {![dict exists $known $name]} { error "$vlnv has no property `$property`[h::nearest $name [dict keys $known]]" }
    set allowed [lindex [dict get $known $name] 1]
    if {$allowed eq "*"} { return $name }
    if {[regexp {^([\d.]+)\.\.([\d.]+)$} $allowed -> low high]} {
        h::a_number $property $value
        if {$value < $low || $value > $high} { error "$property: $value is not in $low to $high" }
    } else {
        h::one_of $property $value $allowed
    }
    return $name
}
