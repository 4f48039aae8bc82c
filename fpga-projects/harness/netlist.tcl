# The emitted Verilog as constraints see it: ports, cells, pins and clocks.
#
# Facts are a Tcl file of these lines; a module's lines follow its `module`:
#   parts PART ...                   what may be built for; the first one is the board's or the one that was asked for
#   top NAME
#   map BASE BYTES                   what the JTAG master reaches
#   extra FILE                       constraints that no script reads, to be checked as if the last one did
#   module NAME
#   port NAME in|out WIDTH CLOCK INFO PARAMETER     CLOCK 1: a clock enters there; INFO and PARAMETER: the X_INTERFACE attributes
#   instance NAME MODULE
#   register NAME WIDTH

namespace eval h {
    variable parts {}
    variable part ""
    variable top ""
    variable modules [dict create]
    variable root ""
    variable map {}
    variable extra {}
    variable clocks [dict create]
    variable pins_of_ports [dict create]
}

proc h::read_facts {file} {
    interp create -safe facts
    foreach word {parts top map extra module port instance register} { interp alias facts $word {} h::fact $word }
    set channel [open $file]
    fconfigure $channel -encoding utf-8
    set text [read $channel]
    close $channel
    facts eval $text
    interp delete facts
    if {![dict exists $::h::modules $::h::top]} { error "the top `$::h::top` is no module" }
}

proc h::fact {word args} {
    variable modules
    switch -- $word {
        parts { set ::h::parts $args }
        top { set ::h::top [lindex $args 0] }
        map { lappend ::h::map {*}$args }
        extra { lappend ::h::extra [lindex $args 0] }
        module {
            set ::h::reading [lindex $args 0]
            dict set modules $::h::reading [dict create ports {} instances {} registers {}]
        }
        port { dict set modules $::h::reading ports [lindex $args 0] [lrange $args 1 end] }
        instance { dict set modules $::h::reading instances [lindex $args 0] [lindex $args 1] }
        register { dict set modules $::h::reading registers [lindex $args 0] [lindex $args 1] }
    }
}

proc h::check_part {part} {
    if {$part ni $::h::parts} { error "part `$part` is not the board's; it is [lindex $::h::parts 0]" }
    set ::h::part $part
}

proc h::ports_of {module} { return [expr {[dict exists $::h::modules $module] ? [dict get $::h::modules $module ports] : {}}] }

# One bit has its name, more have `[i]`.
proc h::bits {name width} {
    if {$width == 1} { return [list $name] }
    set found {}
    for {set i 0} {$i < $width} {incr i} { lappend found "${name}\[$i\]" }
    return $found
}

proc h::port_bits {} {
    if {$::h::root eq ""} { error "no design: constraints are read before there is a netlist" }
    set found {}
    dict for {name fact} [h::ports_of $::h::root] { lappend found {*}[h::bits $name [lindex $fact 1]] }
    return $found
}

# Cells of one level: `name module`, registers with no module.
proc h::cells_in {module} {
    if {![dict exists $::h::modules $module]} { return {} }
    set found {}
    dict for {name child} [dict get $::h::modules $module instances] { lappend found $name $child }
    dict for {name width} [dict get $::h::modules $module registers] {
        foreach bit [h::bits ${name}_reg $width] { lappend found $bit "" }
    }
    return $found
}

proc h::module_at {path} {
    set module $::h::root
    foreach step [split $path /] {
        if {$step eq ""} { continue }
        set cells [h::cells_in $module]
        if {![dict exists $cells $step]} { return "" }
        set module [dict get $cells $step]
    }
    return $module
}

# Paths that a pattern with `/` names, level by level.
proc h::cell_paths {pattern} {
    set found [list [list "" $::h::root]]
    foreach step [split $pattern /] {
        set next {}
        foreach entry $found {
            lassign $entry path module
            set cells [h::cells_in $module]
            foreach name [h::matching $step [dict keys $cells]] {
                lappend next [list [string trimleft $path/$name /] [dict get $cells $name]]
            }
        }
        set found $next
    }
    return $found
}

proc h::every_cell {{path ""} {module ""}} {
    if {$path eq ""} { set module $::h::root }
    set found {}
    foreach {name child} [h::cells_in $module] {
        set here [string trimleft $path/$name /]
        lappend found [list $here $child]
        if {$child ne ""} { lappend found {*}[h::every_cell $here $child] }
    }
    return $found
}

# REF_NAME == a || NAME =~ b: the terms that constraint files use.
proc h::filtered {filter cells} {
    if {$filter eq ""} { return $cells }
    set found {}
    foreach entry $cells {
        lassign $entry path module
        set values [dict create REF_NAME $module ORIG_REF_NAME $module NAME $path IS_SEQUENTIAL [expr {$module eq ""}]]
        set any 0
        foreach term [split [string map {|| \x01} [string map {( {} ) {}} $filter]] \x01] {
            set all 1
            foreach factor [split [string map {&& \x01} $term] \x01] {
                if {![regexp {^\s*(\w+)\s*(==|!=|=~)\s*"?([^"\s]+)"?\s*$} $factor -> key operator wanted]} { error "-filter: `$factor` is no comparison" }
                if {![dict exists $values $key]} { error "-filter: a cell has no property `$key` that the harness knows" }
                set value [dict get $values $key]
                set true [switch -- $operator { == { expr {$value eq $wanted} } != { expr {$value ne $wanted} } =~ { string match $wanted $value } }]
                if {!$true} { set all 0 }
            }
            if {$all} { set any 1 }
        }
        if {$any} { lappend found $entry }
    }
    return $found
}

h::command get_ports {-scoped_to_current_instance 0 -filter 1} 0 1 {
    set names [h::port_bits]
    set patterns [expr {[llength $p] ? [lindex $p 0] : "*"}]
    set buses [dict keys [h::ports_of $::h::root]]
    set found {}
    foreach pattern $patterns {
        # The name of a bus is all its bits.
        if {$pattern in $buses} { set pattern [list $pattern "${pattern}\[*\]"] } else { set pattern [list $pattern] }
        set some {}
        foreach one $pattern { lappend some {*}[h::get port [list $one] $names 1] }
        if {[llength $some] == 0 && ![info exists o(-quiet)]} { error "no port `[lindex $pattern 0]`[h::nearest [lindex $pattern 0] $names]" }
        lappend found {*}$some
    }
    return $found
}

h::command all_inputs {} 0 0 { return [lmap n [h::port_bits] { if {[h::port_direction $n] ne "in"} continue; h::handle port $n }] }
h::command all_outputs {} 0 0 { return [lmap n [h::port_bits] { if {[h::port_direction $n] ne "out"} continue; h::handle port $n }] }

proc h::port_direction {bit} {
    regsub {\[\d+\]$} $bit {} name
    return [lindex [dict get [h::ports_of $::h::root] $name] 0]
}

h::command get_cells {-hierarchical 0 -hier 0 -filter 1 -of_objects 1 -include_replicated_objects 0} 0 1 {
    if {$::h::root eq ""} { error "no design: constraints are read before there is a netlist" }
    set filter [expr {[info exists o(-filter)] ? $o(-filter) : ""}]
    set deep [expr {[info exists o(-hierarchical)] || [info exists o(-hier)]}]
    set found {}
    foreach pattern [expr {[llength $p] ? [lindex $p 0] : "*"}] {
        if {$deep} {
            set all [h::every_cell]
            set cells [lmap c $all { if {![llength [h::matching $pattern [list [lindex $c 0]]]] && ![llength [h::matching $pattern [list [lindex [split [lindex $c 0] /] end]]]]} continue; set c }]
        } else {
            set cells [h::cell_paths $pattern]
        }
        set cells [h::filtered $filter $cells]
        if {[llength $cells] == 0 && ![info exists o(-quiet)]} {
            error "no cell `$pattern`[expr {$filter eq {} ? {} : " with $filter"}][h::nearest_cell $pattern]"
        }
        foreach cell $cells { lappend found [h::handle cell [lindex $cell 0]] }
    }
    return $found
}

# What there is where the first step of a path leads nowhere.
proc h::nearest_cell {pattern} {
    set path {}
    foreach step [split $pattern /] {
        set names [dict keys [h::cells_in [h::module_at [join $path /]]]]
        if {[llength [h::matching $step $names]] == 0} { return [h::nearest $step $names] }
        lappend path $step
    }
    return ""
}

# Pins of a cell: those of a flip-flop, or the ports of a module.
proc h::pins_of {path} {
    set module [h::module_at $path]
    if {$module eq ""} { return {C CE D Q R S CLR PRE} }
    set found {}
    dict for {name fact} [h::ports_of $module] { lappend found {*}[h::bits $name [lindex $fact 1]] }
    return $found
}

h::command get_pins {-hierarchical 0 -hier 0 -filter 1 -of_objects 1 -leaf 0} 0 1 {
    set found {}
    if {[info exists o(-of_objects)]} {
        foreach cell [h::names "get_pins -of_objects" cell $o(-of_objects)] {
            foreach pin [h::pins_of $cell] { lappend found [h::handle pin $cell/$pin] }
        }
        return $found
    }
    foreach pattern [lindex $p 0] {
        set some {}
        foreach cell [h::cell_paths [file dirname $pattern]] {
            foreach pin [h::matching [file tail $pattern] [h::pins_of [lindex $cell 0]]] { lappend some [h::handle pin [lindex $cell 0]/$pin] }
        }
        if {[llength $some] == 0 && ![info exists o(-quiet)]} { error "no pin `$pattern`" }
        lappend found {*}$some
    }
    return $found
}

h::command get_nets {-hierarchical 0 -hier 0 -of_objects 1 -segments 0} 0 1 {
    if {[info exists o(-of_objects)]} { return [list [h::handle net [lindex [split [lindex $o(-of_objects) 0] :] 1]]] }
    # Names of nets are those of ports and instances' connections; synthesis keeps few of the others.
    return [h::get net [lindex $p 0] [h::port_bits] [info exists o(-quiet)]]
}

h::command get_clocks {-of_objects 1 -include_generated_clocks 0} 0 1 {
    if {[info exists o(-of_objects)]} {
        set found {}
        foreach handle $o(-of_objects) {
            set source [string range $handle [expr {[string first : $handle] + 1}] end]
            dict for {name clock} $::h::clocks { if {$handle in [dict get $clock sources]} { lappend found [h::handle clock $name] } }
            # A port of a module that a file is scoped to: its clock is the owner's business.
            set ports [h::ports_of $::h::root]
            if {[llength $found] == 0 && $::h::scope ne "" && [dict exists $ports $source] && [lindex [dict get $ports $source] 2]} { lappend found [h::handle clock scoped/$source] }
        }
        if {[llength $found] == 0 && ![info exists o(-quiet)]} { error "no clock at `[join [lmap n $o(-of_objects) {string range $n [expr {[string first : $n] + 1}] end}] {, }]`" }
        return $found
    }
    return [h::get clock [expr {[llength $p] ? [lindex $p 0] : "*"}] [dict keys $::h::clocks] [info exists o(-quiet)]]
}

h::command current_design {} 0 1 {
    if {$::h::root eq ""} { error "no design is open" }
    return [h::handle design $::h::root]
}
set ::h::scope ""

proc h::period_of {clock} {
    if {[dict exists $::h::clocks $clock]} { return [dict get $::h::clocks $clock period] }
    return 10.0
}
