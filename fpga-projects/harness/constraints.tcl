# Constraint files: what they name is there, and every port of the top is constrained, or said not to be.

namespace eval h {
    variable constraint_files {}
    variable constrained [dict create]
    variable pblocks {}
}

# Files are read when there is a netlist: each entry is file, module that it is scoped to, whether it is for out of context only.
proc h::apply_constraints {root out_of_context} {
    variable constraint_files
    set ::h::root $root
    set ::h::clocks [dict create]
    set ::h::constrained [dict create]
    set ::h::pins_of_ports [dict create]
    foreach clock [h::clocks_of_cores] { dict set ::h::clocks {*}$clock }
    foreach entry $constraint_files {
        lassign $entry file module only
        if {$only && !$out_of_context} { continue }
        if {$module eq ""} {
            h::source $file 1
        } else {
            if {![dict exists $::h::modules $module]} { h::fault "$file is scoped to `$module`, which is no module of the design"; continue }
            set ::h::root $module
            set ::h::scope $module
            h::source $file 1
            set ::h::scope ""
            set ::h::root $root
        }
    }
    if {!$out_of_context} { foreach file $::h::extra { h::source [file join $::h::folder $file] 1 } }
    h::check_coverage $out_of_context
    set constraint_files {}
}

proc h::pin_property {bit property value} {
    if {$property eq "LOC"} { set property PACKAGE_PIN }
    if {$property eq "PACKAGE_PIN"} {
        if {![regexp {^[A-Z]{1,2}[0-9]{1,2}$} $value]} { error "`$value` is no package pin" }
        dict for {other pins} $::h::pins_of_ports {
            if {$other ne $bit && [dict exists $pins PACKAGE_PIN] && [dict get $pins PACKAGE_PIN] eq $value} { error "pin $value is given to $other and to $bit" }
        }
    } else {
        h::one_of IOSTANDARD $value {LVCMOS12 LVCMOS15 LVCMOS18 LVCMOS25 LVCMOS33 LVDS LVDS_25 DIFF_SSTL12 DIFF_SSTL15 DIFF_HSTL_I_12 SSTL12 POD12 DIFF_POD12}
    }
    dict set ::h::pins_of_ports $bit $property $value
}

# Every port, bit by bit.
proc h::check_coverage {out_of_context} {
    dict for {name fact} [h::ports_of $::h::root] {
        lassign $fact direction width clock
        # Pins of transceivers follow from their sites, which are properties of the MAC; nothing there is timed.
        if {!$out_of_context && [h::is_transceiver $name]} { continue }
        set missing {}
        foreach bit [h::bits $name $width] {
            if {!$out_of_context} {
                foreach property [expr {[h::feeds_transceiver $name] ? "PACKAGE_PIN" : {PACKAGE_PIN IOSTANDARD}}] {
                    if {![dict exists $::h::pins_of_ports $bit $property] && $property ni $missing} { lappend missing $property }
                }
            }
            set timed [dict exists $::h::constrained port:$bit]
            if {!$timed && "timing" ni $missing && ![h::said_open $name] && ![h::other_half $name]} { lappend missing timing }
        }
        if {$clock && ![h::has_clock $name] && ![h::other_half $name]} { h::fault "port $name is a clock, and no create_clock is for it" }
        if {[llength $missing]} {
            set what [expr {$missing eq {timing} ? "is not constrained, and no line `# not constrained: $name; why` says so" : "has no [join $missing {, }]"}]
            h::fault "port $name $what"
        }
    }
    if {!$out_of_context} { h::check_periods }
    foreach name $::h::not_constrained {
        if {[llength [h::matching $name [dict keys [h::ports_of $::h::root]]]] == 0} { h::fault "`# not constrained: $name`: there is no such port" }
    }
}

proc h::is_transceiver {name} {
    return [expr {[regexp {^(.+)_g[rt]x_[pn]$} $name -> port] && [dict exists $::h::bd_intf_ports $port] && [lindex [dict get $::h::bd_intf_ports $port] 1] eq "gt"}]
}

# A reference clock of transceivers has pins of its own, and no I/O standard.
proc h::feeds_transceiver {name} {
    if {![regexp {^(.+)_clk_[pn]$} $name -> port] || ![dict exists $::h::joined .$port]} { return 0 }
    return [string match */gt_ref_clk [dict get $::h::joined .$port]]
}

# A clock at the edge of a block design has the period that the design was made for.
proc h::check_periods {} {
    dict for {port fact} $::h::bd_intf_ports {
        if {[lindex $fact 1] ne "diff_clock"} { continue }
        set hertz [h::frequency_of $port]
        dict for {name clock} $::h::clocks {
            if {"port:${port}_clk_p" in [dict get $clock sources] && [h::differ [expr {1e9 / [dict get $clock period]}] $hertz]} {
                h::fault "clock $name has a period of [dict get $clock period] ns, and $port has [expr {$hertz / 1e6}] MHz"
            }
        }
    }
}

proc h::said_open {name} {
    foreach pattern $::h::not_constrained { if {[llength [h::matching $pattern [list $name]]]} { return 1 } }
    return 0
}

# The second pin of a differential pair has the clock of the first.
proc h::other_half {name} {
    return [expr {[regexp {^(.*)_n$} $name -> stem] && [dict exists [h::ports_of $::h::root] ${stem}_p] && [h::has_clock ${stem}_p]}]
}

proc h::has_clock {name} {
    dict for {clock fact} $::h::clocks { if {"port:$name" in [dict get $fact sources]} { return 1 } }
    return 0
}

proc h::mark {objects} { foreach object $objects { dict set ::h::constrained $object 1 } }

h::command create_clock {-period 1 -name 1 -waveform 1 -add 0} 0 1 {
    h::need create_clock o -period
    h::positive "create_clock -period" $o(-period)
    set sources [expr {[llength $p] ? [lindex $p 0] : {}}]
    if {[llength $sources]} { h::names create_clock {port pin net} $sources }
    if {![llength $sources] && ![info exists o(-name)]} { error "create_clock with neither a source nor a name" }
    set name [expr {[info exists o(-name)] ? $o(-name) : [lindex [split [lindex $sources 0] :] 1]}]
    foreach source $sources {
        if {[string match port:* $source] && [h::port_direction [string range $source 5 end]] ne "in"} { error "create_clock: $source is an output" }
        dict for {other clock} $::h::clocks {
            if {$source in [dict get $clock sources] && ![info exists o(-add)] && $other ne $name} { error "create_clock: $source has the clock $other already" }
        }
    }
    dict set ::h::clocks $name [dict create period $o(-period) sources $sources]
    h::mark $sources
}

h::command create_generated_clock {-name 1 -source 1 -divide_by 1 -multiply_by 1 -master_clock 1 -invert 0 -combinational 0} 1 1 {
    h::need create_generated_clock o -source
    h::names "create_generated_clock -source" {port pin net} $o(-source)
    h::names create_generated_clock {port pin net} [lindex $p 0]
    set name [expr {[info exists o(-name)] ? $o(-name) : [lindex [split [lindex $p 0] :] 1]}]
    dict set ::h::clocks $name [dict create period 10.0 sources [lindex $p 0]]
}

proc h::ends {command array} {
    upvar 1 $array o
    set some 0
    foreach option {-from -to -through} {
        if {![info exists o($option)]} { continue }
        set some 1
        h::names "$command $option" {port pin cell clock net} $o($option)
        h::mark $o($option)
    }
    if {!$some} { error "$command with neither -from, -to nor -through" }
}

foreach command {set_false_path} {
    h::command $command {-from 1 -to 1 -through 2 -setup 0 -hold 0 -reset_path 0} 0 0 "h::ends $command o"
}
foreach command {set_max_delay set_min_delay} {
    h::command $command {-from 1 -to 1 -through 2 -datapath_only 0 -reset_path 0} 1 1 "h::ends $command o; h::a_number $command \[lindex \$p 0\]
        if {\[info exists o(-datapath_only)\] && !\[info exists o(-from)\]} { error {$command -datapath_only needs -from} }"
}
h::command set_multicycle_path {-from 1 -to 1 -through 2 -setup 0 -hold 0 -start 0 -end 0} 1 1 { h::ends set_multicycle_path o; h::positive set_multicycle_path [lindex $p 0] }
h::command set_bus_skew {-from 1 -to 1} 1 1 {
    h::need set_bus_skew o -from -to
    h::ends set_bus_skew o
    h::positive set_bus_skew [lindex $p 0]
}
foreach command {set_input_delay set_output_delay} {
    h::command $command {-clock 1 -min 0 -max 0 -add_delay 0 -clock_fall 0} 2 2 "
        h::need $command o -clock
        if {\[string match clock:* \$o(-clock)\]} { h::names {$command -clock} clock \$o(-clock) } elseif {!\[dict exists \$::h::clocks \$o(-clock)\]} { error \"$command: no clock `\$o(-clock)`\[h::nearest \$o(-clock) \[dict keys \$::h::clocks\]\]\" }
        h::a_number $command \[lindex \$p 0\]
        h::names $command port \[lindex \$p 1\]
        h::mark \[lindex \$p 1\]"
}
h::command set_clock_groups {-asynchronous 0 -physically_exclusive 0 -logically_exclusive 0 -name 1 -group 2} 0 0 {
    if {![info exists o(-group)]} { error "set_clock_groups without -group" }
    foreach group $o(-group) { h::names "set_clock_groups -group" clock $group }
}
h::command set_clock_uncertainty {-setup 0 -hold 0 -from 1 -to 1} 1 2 { h::a_number set_clock_uncertainty [lindex $p 0] }
h::command set_clock_latency {-source 0 -min 0 -max 0} 2 2 { h::names set_clock_latency {clock port pin} [lindex $p 1] }
h::command set_input_jitter {} 2 2 { h::names set_input_jitter clock [lindex $p 0]; h::a_number set_input_jitter [lindex $p 1] }
h::command set_case_analysis {} 2 2 { h::names set_case_analysis {port pin} [lindex $p 1]; h::mark [lindex $p 1] }

h::command create_pblock {} 1 1 {
    if {[lindex $p 0] in $::h::pblocks} { error "pblock [lindex $p 0] twice" }
    lappend ::h::pblocks [lindex $p 0]
    return [h::handle pblock [lindex $p 0]]
}
h::command get_pblocks {} 0 1 { return [h::get pblock [expr {[llength $p] ? [lindex $p 0] : "*"}] $::h::pblocks [info exists o(-quiet)]] }
h::command add_cells_to_pblock {-top 0 -clear_locs 0} 1 2 {
    h::names add_cells_to_pblock pblock [lindex $p 0]
    if {[llength $p] == 2} { h::names add_cells_to_pblock cell [lindex $p 1] } elseif {![info exists o(-top)]} { error "add_cells_to_pblock without cells" }
}
h::command resize_pblock {-add 1 -remove 1} 1 1 {
    h::names resize_pblock pblock [lindex $p 0]
    h::need resize_pblock o -add
    foreach range $o(-add) {
        if {![regexp {^(SLR\d+(:SLR\d+)?|([A-Z][A-Z0-9_]*)_?X\d+Y\d+:([A-Z][A-Z0-9_]*)_?X\d+Y\d+|CLOCKREGION_X\d+Y\d+)$} $range]} { error "resize_pblock: `$range` is no range" }
    }
}
