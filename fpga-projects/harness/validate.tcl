# What validate_bd_design looks at: clocks, resets, interfaces, addresses.

# Segments that a master's address space can reach, through interconnects.
proc h::reachable {space} {
    lassign [split $space /] cell name
    return [h::behind $cell/[dict get [h::shape_of $cell] spaces $name]]
}

proc h::behind {master} {
    if {![dict exists $::h::joined $master]} { return {} }
    set peer [dict get $::h::joined $master]
    if {[string match .* $peer]} { return {} }
    lassign [split $peer /] cell interface
    set shape [h::shape_of $cell]
    set found {}
    dict for {segment fact} [dict get $shape segments] { if {[lindex $fact 0] eq $interface} { lappend found $cell/$segment } }
    if {[dict get $::h::cells $cell vlnv] eq "xilinx.com:ip:smartconnect:1.0"} {
        dict for {name fact} [dict get $shape interfaces] { if {[lindex $fact 0] eq "master"} { lappend found {*}[h::behind $cell/$name] } }
    }
    return $found
}

proc h::assign {space segment offset range} {
    if {$segment ni [h::reachable $space]} { error "assign_bd_address: $space does not reach $segment" }
    if {$range < 128 || $range & ($range - 1)} { error "assign_bd_address: range $range of $segment is no power of two from 128 on" }
    if {$offset % $range} { error "assign_bd_address: offset [format 0x%llx $offset] of $segment is no multiple of its range [format 0x%llx $range]" }
    lassign [split $space /] cell name
    set shape [h::shape_of $cell]
    set bits [lindex [dict get $shape interfaces [dict get $shape spaces $name]] 4]
    if {$bits && $offset + $range > 1 << $bits} { error "assign_bd_address: $segment at [format 0x%llx $offset] is beyond the $bits address bits of $space" }
    lassign [split $segment /] target first last
    set decoded [lindex [dict get [h::shape_of $target] segments $first/$last] 1]
    if {$decoded && $range > 1 << $decoded} { error "assign_bd_address: range [format 0x%llx $range] is more than the $decoded address bits of $segment" }
    if {[dict exists $::h::assigned $space]} {
        foreach {other begin size} [dict get $::h::assigned $space] {
            if {$other eq $segment} { error "assign_bd_address: $segment twice in $space" }
            if {$offset < $begin + $size && $begin < $offset + $range} { error "assign_bd_address: $segment overlaps $other in $space" }
        }
    }
    dict lappend ::h::assigned $space $segment $offset $range
}

# The clock that an input of a cell follows: the driver of the pin.
proc h::clock_at {cell pin} {
    # A clock that the cell makes is its own driver.
    if {[dict exists [h::shape_of $cell] pins $pin] && [lindex [dict get [h::shape_of $cell] pins $pin] 0] eq "out"} { return $cell/$pin }
    return [expr {[dict exists $::h::drivers $cell/$pin] ? [dict get $::h::drivers $cell/$pin] : ""}]
}

h::command validate_bd_design {-force 0} 0 1 {
    h::need_design
    dict for {cell fact} $::h::cells { h::validate_pins $cell; h::validate_interfaces $cell; h::validate_mac $cell }
    dict for {port fact} $::h::bd_ports {
        if {[lindex $fact 0] eq "out" && ![dict exists $::h::drivers .$port]} { error "port $port is not connected" }
    }
    dict for {port fact} $::h::bd_intf_ports {
        if {![dict exists $::h::joined .$port]} { error "interface port $port is not connected" }
    }
    foreach space [h::every spaces] {
        foreach segment [h::reachable $space] {
            set done [expr {[dict exists $::h::excluded $space] && $segment in [dict get $::h::excluded $space]}]
            if {!$done && [dict exists $::h::assigned $space]} { foreach {other begin size} [dict get $::h::assigned $space] { if {$other eq $segment} { set done 1 } } }
            if {!$done} { error "$segment is not assigned in $space, and not excluded" }
        }
    }
    h::validate_memory_views
    h::validate_frequencies
    set ::h::design_valid 1
}

# Hz of a clock at the edge of the design, as its interface port says.
proc h::frequency_of {port} {
    if {![dict exists $::h::properties bd_intf_port:$port CONFIG.FREQ_HZ]} { error "interface port $port: CONFIG.FREQ_HZ is not set" }
    set hertz [dict get $::h::properties bd_intf_port:$port CONFIG.FREQ_HZ]
    h::positive CONFIG.FREQ_HZ $hertz
    return $hertz
}

proc h::differ {a b} { return [expr {abs($a - $b) > 0.001 * $b}] }

proc h::validate_frequencies {} {
    dict for {cell fact} $::h::cells {
        if {[dict get $fact vlnv] ne "xilinx.com:ip:clk_wiz:6.0" || ![dict exists $::h::joined $cell/CLK_IN1_D]} { continue }
        set port [string range [dict get $::h::joined $cell/CLK_IN1_D] 1 end]
        set hertz [h::frequency_of $port]
        set wanted [dict get [h::config_of $cell] PRIM_IN_FREQ]
        if {[h::differ [expr {$wanted * 1e6}] $hertz]} { error "$cell: CONFIG.PRIM_IN_FREQ is $wanted MHz, and $port has [expr {$hertz / 1e6}] MHz" }
    }
}

proc h::validate_pins {cell} {
    dict for {pin fact} [dict get [h::shape_of $cell] pins] {
        lassign $fact direction width kind clock
        if {$direction ne "in" || $kind eq "open"} { continue }
        if {![dict exists $::h::drivers $cell/$pin]} {
            error "[dict get {data input clock clock reset reset reset_any reset} $kind] $cell/$pin is not connected"
        }
        set driver [dict get $::h::drivers $cell/$pin]
        if {[string match .* $driver]} { continue }
        lassign [split $driver /] source out
        lassign [dict get [h::shape_of $source] pins $out] - - made of
        if {$kind eq "clock" && $made ne "clock"} { error "clock $cell/$pin is driven by $driver, which is no clock" }
        if {$kind eq "reset"} {
            if {$made ne "reset"} { error "reset $cell/$pin is driven by $driver, which is no reset" }
            if {[h::clock_at $source $of] ne [h::clock_at $cell $clock]} { error "reset $cell/$pin is of the clock [h::clock_at $source $of], the pin is of [h::clock_at $cell $clock]" }
        }
    }
}

proc h::validate_interfaces {cell} {
    set shape [h::shape_of $cell]
    dict for {name fact} [dict get $shape interfaces] {
        lassign $fact mode kind clock data address
        if {![dict exists $::h::joined $cell/$name]} {
            if {"$cell/$name" in $::h::left_open || [h::wired $cell $name]} { continue }
            error "interface $cell/$name is not connected; where that is meant, say `# left open: $cell/$name`"
        }
        set peer [dict get $::h::joined $cell/$name]
        if {$mode ne "master" || [string match .* $peer]} { continue }
        lassign [split $peer /] other their
        lassign [dict get [h::shape_of $other] interfaces $their] - - their_clock their_data
        if {$data && $their_data && $data != $their_data} { error "$cell/$name has $data data bits, $peer has $their_data" }
        if {$clock ne "" && $their_clock ne "" && [h::clock_at $cell $clock] ne [h::clock_at $other $their_clock]} {
            error "$cell/$name is of the clock [h::clock_at $cell $clock], $peer of [h::clock_at $other $their_clock]"
        }
    }
}

# A bus whose signals are connected one by one: every input of it has a driver.
proc h::wired {cell name} {
    set prefix [string tolower $name]_
    set some 0
    dict for {pin fact} [dict get [h::shape_of $cell] pins] {
        if {[string first $prefix $pin] != 0 || [lindex $fact 0] ne "in" || [lindex $fact 2] ne "open"} { continue }
        # m_axi is no part of m_axi_cdma.
        if {[regexp {_} [string range $pin [string length $prefix] end]]} { continue }
        set some 1
        if {![dict exists $::h::drivers $cell/$pin]} { return 0 }
    }
    return $some
}

# Memory that two masters share is at one address for both.
proc h::validate_memory_views {} {
    set seen [dict create]
    dict for {space list} $::h::assigned {
        foreach {segment offset range} $list {
            if {[dict exists $seen $segment] && [dict get $seen $segment] ne [list $offset $range]} { error "$segment is at [format 0x%llx $offset] in $space and elsewhere for another master" }
            dict set seen $segment [list $offset $range]
        }
    }
}

# Ports of the wrapper that make_wrapper writes, and its cells.
proc h::wrapper_module {} {
    set ports [dict create]
    dict for {name fact} $::h::bd_ports { dict set ports $name [list {*}$fact 0 "" ""] }
    dict for {name fact} $::h::bd_intf_ports {
        switch -- [lindex $fact 1] {
            diff_clock { foreach half {p n} { dict set ports ${name}_clk_$half [list in 1 1 "" ""] } }
            gt {
                set lanes [h::lanes_of .$name]
                foreach half {p n} {
                    dict set ports ${name}_gtx_$half [list out $lanes 0 "" ""]
                    dict set ports ${name}_grx_$half [list in $lanes 0 "" ""]
                }
            }
            default { error "interface port $name: the harness knows only clocks and transceivers at the edge of a design" }
        }
    }
    set instances [dict create]
    dict for {cell fact} $::h::cells {
        set vlnv [dict get $fact vlnv]
        set module ${h::design}_${cell}_0
        dict set instances $cell $module
        set inner [expr {[dict exists $::h::own $vlnv] ? [dict create inst [dict get $::h::own $vlnv]] : [dict create]}]
        set pins [dict create]
        dict for {pin f} [dict get [h::shape_of $cell] pins] { dict set pins $pin [list [lindex $f 0] [lindex $f 1] 0 "" ""] }
        dict set ::h::modules $module [dict create ports $pins instances $inner registers {}]
    }
    dict set ::h::modules $::h::design [dict create ports $ports instances $instances registers {}]
    dict set ::h::modules ${h::design}_wrapper [dict create ports $ports instances [dict create ${h::design}_i $::h::design] registers {}]
}

# Transceivers behind an interface port.
proc h::lanes_of {port} {
    lassign [split [dict get $::h::joined $port] /] cell interface
    return [lindex [dict get [h::shape_of $cell] interfaces $interface] 3]
}

# Clocks that the constraints of the cores make: name and fact.
proc h::clocks_of_cores {} {
    set found {}
    dict for {cell fact} $::h::cells {
        foreach {pin mhz} [h::mac_clock $cell] {
            lappend found [list ${pin}_${h::design}_${cell}_0 [dict create period [expr {1000.0 / $mhz}] sources [list pin:${h::design}_i/$cell/$pin]]]
        }
        if {[dict get $fact vlnv] ne "xilinx.com:ip:clk_wiz:6.0"} { continue }
        set config [h::config_of $cell]
        foreach {out key} {clk_out1 CLKOUT1_REQUESTED_OUT_FREQ clk_out2 CLKOUT2_REQUESTED_OUT_FREQ} {
            if {![dict exists [h::shape_of $cell] pins $out]} { continue }
            set period [expr {1000.0 / [dict get $config $key]}]
            lappend found [list ${out}_${h::design}_${cell}_0 [dict create period $period sources [list pin:${h::design}_i/$cell/$out]]]
        }
    }
    return $found
}
