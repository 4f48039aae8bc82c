# The endpoint as IP: its component.xml against its Verilog, and the IP packager.

namespace eval h {
    # What ipx::package_project has made and ipx::save_core has not written yet.
    variable unsaved ""
}

# Texts inside of the elements NAME; none of those that are asked for stands in another of its kind.
proc h::elements {xml name} {
    set found {}
    set at 0
    while {[set at [string first "<spirit:$name" $xml $at]] >= 0} {
        set begin [expr {[string first > $xml $at] + 1}]
        # `port` is not `portMap`.
        if {[string index $xml [expr {$at + 8 + [string length $name]}]] ni {> " "}} { set at $begin; continue }
        set end [string first "</spirit:$name>" $xml $begin]
        if {$end < 0} { break }
        lappend found [string range $xml $begin $end-1]
        set at $end
    }
    return $found
}
proc h::element {xml name} { return [lindex [h::elements $xml $name] 0] }

# What a component.xml says, checked as far as Tcl alone goes: vlnv, top, and the segments of each slave.
proc h::component {file} {
    set channel [open $file]
    fconfigure $channel -encoding utf-8
    set xml [read $channel]
    close $channel
    set name [h::relative [file normalize $file]]
    if {![regexp {</spirit:component>\s*$} $xml]} { error "$name: it ends before </spirit:component>" }
    set vlnv {}
    foreach part {vendor library name version} {
        if {![regexp "<spirit:$part>(\[\\w.-\]+)</spirit:$part>" $xml -> text]} { error "$name has no sound spirit:$part" }
        lappend vlnv $text
    }
    set top [lindex $vlnv 2]
    foreach model [h::elements $xml modelName] { if {$model ne $top} { error "$name: the top of a view is $model, the core is $top" } }
    foreach text [h::elements $xml file] {
        set source [h::element $text name]
        if {![file isfile [file join [file dirname $file] $source]]} { error "$name names $source, which is not there[h::nearest $source [glob -nocomplain -tails -directory [file dirname $file] *]]" }
    }
    h::component_ports $name $xml $top
    set segments [dict create]
    foreach text [h::elements $xml memoryMap] {
        foreach block [h::elements $text addressBlock] { dict lappend segments [h::element $text name] [h::element $block name] }
    }
    return [dict create vlnv [join $vlnv :] top $top segments $segments]
}

# Ports and buses are those of the Verilog, in name, direction, width and attributes.
proc h::component_ports {name xml top} {
    if {![dict exists $::h::modules $top]} { error "$name: there is no module $top" }
    set ports [h::ports_of $top]
    set found {}
    foreach text [h::elements $xml port] {
        set port [h::element $text name]
        if {![dict exists $ports $port]} { error "$name: $top has no port `$port`[h::nearest $port [dict keys $ports]]" }
        lassign [dict get $ports $port] direction width
        if {[h::element $text direction] ne $direction} { error "$name: port $port is `[h::element $text direction]`, in the Verilog `$direction`" }
        set bits [expr {[regexp {<spirit:left[^>]*>(\d+)<} $text -> left] ? $left + 1 : 1}]
        if {$bits != $width} { error "$name: port $port has $bits bits, in the Verilog $width" }
        lappend found $port
    }
    foreach port [dict keys $ports] { if {$port ni $found} { error "$name lacks the port $port of $top" } }
    set known [h::interfaces_of $top]
    set found {}
    foreach text [h::elements $xml busInterface] {
        set bus [h::element $text name]
        if {![dict exists $known $bus]} { error "$name: no attribute in $top.v says `$bus`[h::nearest $bus [dict keys $known]]" }
        foreach map [h::elements $text portMap] {
            set port [h::element [h::element $map physicalPort] name]
            set pin "$bus [h::element [h::element $map logicalPort] name]"
            if {$pin ni [dict get $known $bus $port]} { error "$name: $port is $pin, which its attribute does not say" }
        }
        lappend found $bus
    }
    foreach bus [dict keys $known] { if {$bus ni $found} { error "$name lacks the interface $bus" } }
}

# Interfaces that the attributes of a top name: each a dictionary of its ports with what they are.
proc h::interfaces_of {top} {
    set found [dict create]
    dict for {port fact} [h::ports_of $top] {
        if {[regexp {^xilinx.com:\w+:\w+:1.0 (\w+) (\w+)$} [lindex $fact 3] -> bus signal]} { dict set found $bus $port [list "$bus $signal"] }
    }
    return $found
}

# Every component.xml of a repository, at most two folders down.
proc h::components_in {repository} {
    set found {}
    foreach pattern {component.xml */component.xml */*/component.xml} { lappend found {*}[glob -nocomplain -directory $repository $pattern] }
    return $found
}

# What the board's scripts ask for: the core that lies beside the Verilog.
proc h::own_vlnv {top} {
    set file [file join $::h::folder rtl $top component.xml]
    return [expr {[file isfile $file] ? [dict get [h::component $file] vlnv] : ""}]
}

h::command ipx::package_project {-root_dir 1 -vendor 1 -library 1 -taxonomy 1 -import_files 0 -force 0 -set_current 1} 0 0 {
    h::need ipx::package_project o -root_dir -vendor -library
    h::need_project
    if {$::h::top_module eq ""} { error "ipx::package_project: the top is not set" }
    h::need_file $o(-root_dir)
    h::need_sources $::h::top_module
    set ::h::core [dict create root $o(-root_dir) name $::h::top_module vendor $o(-vendor) library $o(-library)]
    set ::h::unsaved $::h::top_module
}
h::command ipx::current_core {} 0 1 {
    if {![info exists ::h::core]} { error "no core is open: ipx::package_project comes first" }
    return [h::handle core current]
}
h::command ipx::get_bus_interfaces {-of_objects 1 -filter 1} 0 1 {
    h::need ipx::get_bus_interfaces o -of_objects
    h::names "ipx::get_bus_interfaces -of_objects" core $o(-of_objects)
    # None is no error for Vivado either: the script looks at what it gets.
    return [h::get ipx_bus [expr {[llength $p] ? [lindex $p 0] : "*"}] [dict keys [h::interfaces_of $::h::top_module]] 1]
}
h::command ipx::get_memory_maps {-of_objects 1} 0 1 {
    h::need ipx::get_memory_maps o -of_objects
    h::names "ipx::get_memory_maps -of_objects" core $o(-of_objects)
    set slaves [lmap bus [dict keys [h::interfaces_of $::h::top_module]] { if {![string match s_axi_* $bus]} continue; set bus }]
    return [h::get memory_map [expr {[llength $p] ? [lindex $p 0] : "*"}] $slaves 0 "memory map"]
}
h::command ipx::get_address_blocks {-of_objects 1} 0 1 {
    h::need ipx::get_address_blocks o -of_objects
    return [lmap map [h::names "ipx::get_address_blocks -of_objects" memory_map $o(-of_objects)] { h::handle address_block $map/reg0 }]
}
# A range that the bus cannot reach, or that no address decoder has.
proc h::range_set {block bytes} {
    if {![string is wideinteger -strict $bytes] || $bytes < 1 || ($bytes & ($bytes - 1))} { error "range `$bytes` of $block is no power of two" }
    set bus [lindex [split $block /] 0]
    set bits 0
    foreach port [list ${bus}_awaddr ${bus}_araddr] {
        if {[dict exists [h::ports_of $::h::top_module] $port]} { set bits [lindex [dict get [h::ports_of $::h::top_module] $port] 1] }
    }
    if {$bits < 63 && $bytes > (1 << $bits)} { error "range $bytes of $block is more than its $bits address bits reach" }
}
h::command ipx::infer_bus_interface {} 3 3 { h::need_signal infer_bus_interface [lindex $p 0] }
h::command ipx::associate_bus_interfaces {-busif 1 -clock 1 -reset 1} 1 1 {
    foreach option {-clock -reset} { if {[info exists o($option)]} { h::need_signal associate_bus_interfaces $o($option) } }
}
proc h::need_signal {command name} {
    foreach one $name {
        if {![dict exists [h::ports_of $::h::top_module] $one]} { error "ipx::$command: $::h::top_module has no port `$one`[h::nearest $one [dict keys [h::ports_of $::h::top_module]]]" }
    }
}
foreach command {update_checksums check_integrity create_xgui_files} {
    h::command ipx::$command {} 1 1 "h::names ipx::$command core \[lindex \$p 0\]"
}
h::command ipx::save_core {} 1 1 {
    h::names ipx::save_core core [lindex $p 0]
    # What the packager takes where a script says nothing.
    set said [dict create name $::h::top_module version 1.0]
    foreach key {name version} { if {[dict exists $::h::properties core:current $key]} { dict set said $key [dict get $::h::properties core:current $key] } }
    set vlnv [dict get $::h::core vendor]:[dict get $::h::core library]:[dict get $said name]:[dict get $said version]
    set own [h::own_vlnv [dict get $::h::core name]]
    if {$vlnv ne $own} { error "ipx::save_core: this is $vlnv, and component.xml says $own" }
    h::made [file join [dict get $::h::core root] component.xml]
    set ::h::unsaved ""
}
