# Block designs: cells, nets, interfaces, addresses.

namespace eval h {
    variable design ""
    variable design_valid 0
    # name -> vlnv, config
    variable cells [dict create]
    # name -> what h::shape_of said last
    variable shapes [dict create]
    # name -> direction, or mode and kind
    variable bd_ports [dict create]
    variable bd_intf_ports [dict create]
    # sink -> driver; both are `cell/pin`, or `.port`
    variable drivers [dict create]
    # interface pin -> its peer, both ways
    variable joined [dict create]
    # space -> {segment offset range ...}, space -> {segment ...}
    variable assigned [dict create]
    variable excluded [dict create]
}

h::command create_bd_design {-dir 1} 1 1 {
    if {$::h::part eq ""} { error "create_bd_design: no project with a part is open" }
    if {[info exists o(-dir)]} { h::need_file $o(-dir) }
    if {$::h::design ne ""} { error "block design `$::h::design` is there already" }
    set ::h::design [lindex $p 0]
    h::made [file join $::h::project_folder $::h::design.bd]
}
h::command current_bd_design {} 0 1 { return [h::handle bd_design $::h::design] }

h::command create_bd_cell {-type 1 -vlnv 1 -reference 1} 1 1 {
    h::need create_bd_cell o -type
    h::need_design
    h::one_of "create_bd_cell -type" $o(-type) {ip module hier}
    if {$o(-type) ne "ip"} { error "create_bd_cell -type $o(-type): designs here are of IP" }
    h::need create_bd_cell o -vlnv
    h::need_core $o(-vlnv)
    set name [lindex $p 0]
    if {![regexp {^[A-Za-z]\w*$} $name]} { error "create_bd_cell: `$name` is no name" }
    if {[dict exists $::h::cells $name]} { error "cell `$name` twice" }
    dict set ::h::cells $name [dict create vlnv $o(-vlnv) config {}]
    set ::h::design_valid 0
    return [h::handle bd_cell $name]
}

proc h::need_design {} { if {$::h::design eq ""} { error "no block design: create_bd_design comes first" } }

proc h::configure {cell property value} {
    set name [h::check_property [dict get $::h::cells $cell vlnv] $property $value]
    set before [h::shape_of $cell]
    dict set ::h::cells $cell config $name $value
    dict unset ::h::shapes $cell
    # What is connected may not vanish.
    set now [h::shape_of $cell]
    foreach what {pins interfaces} {
        foreach gone [dict keys [dict get $before $what]] {
            if {![dict exists $now $what $gone] && ([dict exists $::h::drivers $cell/$gone] || [dict exists $::h::joined $cell/$gone])} { error "$property $value takes $cell/$gone away, which is connected" }
        }
    }
    set ::h::design_valid 0
}

proc h::config_of {cell} {
    set vlnv [dict get $::h::cells $cell vlnv]
    set values [dict create]
    dict for {name fact} [dict get $::h::catalogue $vlnv properties] { dict set values $name [lindex $fact 0] }
    return [dict merge $values [dict get $::h::cells $cell config]]
}

# Pins, interfaces, spaces and segments of a cell as it is configured.
proc h::shape_of {cell} {
    if {[dict exists $::h::shapes $cell]} { return [dict get $::h::shapes $cell] }
    set ::h::shaped [dict create pins {} interfaces {} spaces {} segments {}]
    set script [dict get $::h::catalogue [dict get $::h::cells $cell vlnv] shape]
    set values [h::config_of $cell]
    apply [list values "dict with values {}; $script" ::h::shape] $values
    dict set ::h::shapes $cell $::h::shaped
    return $::h::shaped
}

proc h::every {what} {
    set found {}
    dict for {cell fact} $::h::cells {
        foreach name [dict keys [dict get [h::shape_of $cell] $what]] { lappend found $cell/$name }
    }
    return $found
}

h::command get_bd_cells {-hierarchical 0 -filter 1} 0 1 { return [h::get bd_cell [expr {[llength $p] ? [lindex $p 0] : "*"}] [dict keys $::h::cells] [info exists o(-quiet)] cell] }
h::command get_bd_pins {-of_objects 1 -filter 1} 1 1 { return [h::get bd_pin [h::unrooted [lindex $p 0]] [h::every pins] [info exists o(-quiet)] pin] }
h::command get_bd_intf_pins {-of_objects 1 -filter 1} 1 1 { return [h::get bd_intf_pin [h::unrooted [lindex $p 0]] [h::every interfaces] [info exists o(-quiet)] interface] }
h::command get_bd_ports {} 0 1 { return [h::get bd_port [expr {[llength $p] ? [lindex $p 0] : "*"}] [dict keys $::h::bd_ports] [info exists o(-quiet)] port] }
h::command get_bd_intf_ports {} 0 1 { return [h::get bd_intf_port [expr {[llength $p] ? [lindex $p 0] : "*"}] [dict keys $::h::bd_intf_ports] [info exists o(-quiet)] {interface port}] }
h::command get_bd_addr_spaces {} 1 1 { return [h::get bd_addr_space [h::unrooted [lindex $p 0]] [h::every spaces] [info exists o(-quiet)] {address space}] }
h::command get_bd_addr_segs {} 1 1 { return [h::get bd_addr_seg [h::unrooted [lindex $p 0]] [h::every segments] [info exists o(-quiet)] {address segment}] }

proc h::unrooted {patterns} { return [lmap p $patterns {string trimleft $p /}] }

h::command create_bd_port {-dir 1 -type 1 -from 1 -to 1 -freq_hz 1} 1 1 {
    h::need_design
    h::need create_bd_port o -dir
    h::one_of "create_bd_port -dir" $o(-dir) {I O IO}
    set width [expr {[info exists o(-from)] ? $o(-from) - $o(-to) + 1 : 1}]
    if {[dict exists $::h::bd_ports [lindex $p 0]]} { error "port `[lindex $p 0]` twice" }
    dict set ::h::bd_ports [lindex $p 0] [list [expr {$o(-dir) eq "I" ? "in" : "out"}] $width]
    return [h::handle bd_port [lindex $p 0]]
}

h::command create_bd_intf_port {-mode 1 -vlnv 1} 1 1 {
    h::need_design
    h::need create_bd_intf_port o -mode -vlnv
    h::one_of "create_bd_intf_port -mode" $o(-mode) {Master Slave}
    if {![regexp {^xilinx\.com:interface:(diff_clock|gt|aximm|axis)_rtl:1\.0$} $o(-vlnv) -> kind]} { error "unknown interface VLNV `$o(-vlnv)`" }
    if {[dict exists $::h::bd_intf_ports [lindex $p 0]]} { error "interface port `[lindex $p 0]` twice" }
    dict set ::h::bd_intf_ports [lindex $p 0] [list [string tolower $o(-mode)] $kind]
    return [h::handle bd_intf_port [lindex $p 0]]
}

# Direction and width of an end of a net. A port of the design drives inwards if it is an input.
proc h::end {name} {
    if {[string match .* $name]} {
        lassign [dict get $::h::bd_ports [string range $name 1 end]] direction width
        return [list [expr {$direction eq "in" ? "out" : "in"}] $width]
    }
    lassign [split $name /] cell pin
    return [lrange [dict get [h::shape_of $cell] pins $pin] 0 1]
}

h::command connect_bd_net {-net 1 -boundary_type 1} 2 64 {
    set ends {}
    foreach object $p {
        foreach handle $object {
            set name [h::names connect_bd_net {bd_pin bd_port} [list $handle]]
            lappend ends [expr {[string match bd_port:* $handle] ? ".$name" : $name}]
        }
    }
    set outs [lmap e $ends { if {[lindex [h::end $e] 0] ne "out"} continue; set e }]
    if {[llength $outs] == 0} {
        foreach e $ends { if {[dict exists $::h::drivers $e]} { lappend outs [dict get $::h::drivers $e] } }
    }
    if {[llength $outs] == 0} { error "connect_bd_net: nothing drives [join $ends {, }]" }
    if {[llength [lsort -unique $outs]] > 1} { error "connect_bd_net: two drivers, [join $outs { and }]" }
    set driver [lindex $outs 0]
    foreach e $ends {
        if {$e eq $driver} { continue }
        if {[dict exists $::h::drivers $e]} { error "connect_bd_net: $e is driven by [dict get $::h::drivers $e] already" }
        set widths [list [lindex [h::end $driver] 1] [lindex [h::end $e] 1]]
        if {[lindex $widths 0] != [lindex $widths 1]} { error "connect_bd_net: $driver has [lindex $widths 0] bits, $e has [lindex $widths 1]" }
        dict set ::h::drivers $e $driver
    }
    set ::h::design_valid 0
}

proc h::interface_end {handle} {
    set name [h::names connect_bd_intf_net {bd_intf_pin bd_intf_port} [list $handle]]
    if {[string match bd_intf_port:* $handle]} {
        lassign [dict get $::h::bd_intf_ports $name] mode kind
        # Seen from inside, a slave port of the design is a master.
        return [list .$name [expr {$mode eq "slave" ? "master" : "slave"}] $kind "" 0 0]
    }
    lassign [split $name /] cell interface
    return [list $name {*}[dict get [h::shape_of $cell] interfaces $interface]]
}

h::command connect_bd_intf_net {-intf_net 1 -boundary_type 1} 2 2 {
    set a [h::interface_end [lindex $p 0]]
    set b [h::interface_end [lindex $p 1]]
    foreach end [list $a $b] {
        if {[dict exists $::h::joined [lindex $end 0]]} { error "connect_bd_intf_net: [lindex $end 0] is connected to [dict get $::h::joined [lindex $end 0]] already" }
    }
    if {[lindex $a 2] ne [lindex $b 2]} { error "connect_bd_intf_net: [lindex $a 0] is [lindex $a 2], [lindex $b 0] is [lindex $b 2]" }
    if {[lindex $a 1] eq [lindex $b 1]} { error "connect_bd_intf_net: [lindex $a 0] and [lindex $b 0] are both [lindex $a 1]s" }
    dict set ::h::joined [lindex $a 0] [lindex $b 0]
    dict set ::h::joined [lindex $b 0] [lindex $a 0]
    set ::h::design_valid 0
}

# 4096, 0x1000, 4K, 1M.
proc h::bytes {what value} {
    if {[regexp {^(\d+)([KMG])$} $value -> n unit]} { return [expr {$n << [dict get {K 10 M 20 G 30} $unit]}] }
    if {![string is wideinteger -strict $value] || $value < 0} { error "$what: `$value` is no number of bytes" }
    return [expr {$value}]
}

h::command assign_bd_address {-offset 1 -range 1 -target_address_space 1 -force 0 -with_name 1} 1 1 {
    h::need assign_bd_address o -offset -range -target_address_space
    set space [h::names "assign_bd_address -target_address_space" bd_addr_space $o(-target_address_space)]
    set offset [h::bytes "assign_bd_address -offset" $o(-offset)]
    set range [h::bytes "assign_bd_address -range" $o(-range)]
    foreach segment [h::names assign_bd_address bd_addr_seg [lindex $p 0]] { h::assign $space $segment $offset $range }
    set ::h::design_valid 0
}

h::command exclude_bd_addr_seg {-target_address_space 1} 1 1 {
    h::need exclude_bd_addr_seg o -target_address_space
    set space [h::names "exclude_bd_addr_seg -target_address_space" bd_addr_space $o(-target_address_space)]
    foreach segment [h::names exclude_bd_addr_seg bd_addr_seg [lindex $p 0]] {
        if {$segment ni [h::reachable $space]} { error "exclude_bd_addr_seg: $space does not reach $segment" }
        dict lappend ::h::excluded $space $segment
    }
    set ::h::design_valid 0
}
h::command regenerate_bd_layout {} 0 0 { h::need_design }
h::command save_bd_design {} 0 1 { h::need_design }
