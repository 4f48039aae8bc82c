# Objects that commands hand to each other. A Vivado command that wants an object does not take its name, so a handle is `class:name`.

namespace eval h {
    variable properties [dict create]
}

proc h::handle {class name} { return $class:$name }

# Names behind handles of one of the classes.
proc h::names {what classes handles} {
    set found {}
    foreach handle $handles {
        set class [lindex [split $handle :] 0]
        if {$class ni $classes} {
            set getters [lmap c $classes {set c "get_[expr {$c eq {project} ? {current_project} : "${c}s"}]"}]
            error "$what: `$handle` is no object; ask for it with [join $getters { or }]"
        }
        lappend found [string range $handle [string length $class:] end]
    }
    if {[llength $found] == 0} { error "$what: nothing was found for it" }
    return $found
}

# Names that match a Vivado pattern: `*` and `?` are wild, brackets are not.
proc h::matching {pattern names} {
    set pattern [string map {[ \\[ ] \\]} [string trim $pattern]]
    return [lsearch -all -inline -glob $names $pattern]
}

# What a `get_...` answers: handles of the names that match, or an error that says what there is.
proc h::get {class patterns names quiet {what ""}} {
    set found {}
    foreach pattern $patterns {
        if {[string match $class:* $pattern]} { set pattern [string range $pattern [string length $class:] end] }
        set matched [h::matching $pattern $names]
        if {[llength $matched] == 0 && !$quiet} {
            set label [expr {$what eq "" ? [string map {_ " "} $class] : $what}]
            error "no $label `$pattern`[h::nearest $pattern $names]"
        }
        foreach name $matched { if {[h::handle $class $name] ni $found} { lappend found [h::handle $class $name] } }
    }
    return $found
}

proc h::nearest {pattern names} {
    if {[llength $names] == 0} { return "; there is none" }
    set scored {}
    foreach name $names { lappend scored [list [h::distance $pattern $name] $name] }
    set best [lrange [lmap s [lsort -integer -index 0 $scored] {lindex $s 1}] 0 2]
    return "; near it: [join $best {, }]"
}

# How many letters in a row the two do not share at their ends: cheap, and good enough to suggest a name.
proc h::distance {a b} {
    set least [expr {min([string length $a], [string length $b])}]
    for {set i 0} {$i < $least && [string index $a $i] eq [string index $b $i]} {incr i} {}
    for {set j 0} {$j < $least - $i && [string index $a end-$j] eq [string index $b end-$j]} {incr j} {}
    return [expr {max([string length $a], [string length $b]) - $i - $j}]
}

# Properties by class: spelled as in Vivado. A value of `*` is free.
set ::h::known_properties {
    project {part * default_lib * target_language {Verilog VHDL} simulator_language {Verilog VHDL Mixed} ip_repo_paths * board_part *}
    fileset {top * ip_repo_paths * verilog_define * include_dirs * generic *}
    file {USED_IN * SCOPED_TO_REF * SCOPED_TO_CELLS * PROCESSING_ORDER {EARLY NORMAL LATE} synth_checkpoint_mode {None Singular Hierarchical} FILE_TYPE * IS_ENABLED {true false 0 1}}
    run {strategy * STEPS.SYNTH_DESIGN.ARGS.FLATTEN_HIERARCHY {none full rebuilt} STEPS.PHYS_OPT_DESIGN.IS_ENABLED {true false 0 1} STEPS.OPT_DESIGN.ARGS.DIRECTIVE * STEPS.PLACE_DESIGN.ARGS.DIRECTIVE * STEPS.ROUTE_DESIGN.ARGS.DIRECTIVE *}
    port {PACKAGE_PIN * LOC * IOSTANDARD * SLEW {SLOW MEDIUM FAST} DRIVE * PULLTYPE {PULLUP PULLDOWN KEEPER NONE} PULLUP * PULLDOWN * DIFF_TERM_ADV * HD.CLK_SRC * HD.PARTPIN_LOCS *}
    cell {ASYNC_REG {TRUE FALSE true false} DONT_TOUCH {TRUE FALSE true false} KEEP_HIERARCHY * LOC * BEL * IOB * SHREG_EXTRACT * CLOCK_DELAY_GROUP * USER_SLR_ASSIGNMENT *}
    net {CLOCK_DEDICATED_ROUTE {TRUE FALSE BACKBONE SAME_CMT_COLUMN ANY_CMT_COLUMN} DONT_TOUCH * CLOCK_ROOT * USER_CLOCK_ROOT * MAX_FANOUT *}
    design {CONFIG_VOLTAGE {1.0 1.2 1.35 1.5 1.8 2.5 3.3} CFGBVS {GND VCCO} CONFIG_MODE * BITSTREAM.GENERAL.COMPRESS {TRUE FALSE true false} BITSTREAM.CONFIG.OVERTEMPSHUTDOWN {ENABLE DISABLE Enable Disable}
        BITSTREAM.CONFIG.UNUSEDPIN {PULLUP PULLDOWN PULLNONE} BITSTREAM.CONFIG.CONFIGFALLBACK {ENABLE DISABLE} BITSTREAM.CONFIG.CONFIGRATE * BITSTREAM.CONFIG.SPI_BUSWIDTH {1 2 4 8} BITSTREAM.CONFIG.SPI_32BIT_ADDR {YES NO} BITSTREAM.CONFIG.SPI_FALL_EDGE {YES NO}}
    pblock {CONTAIN_ROUTING {TRUE FALSE true false 0 1} IS_SOFT {TRUE FALSE true false 0 1} EXCLUDE_PLACEMENT {TRUE FALSE true false 0 1} SNAPPING_MODE {ON OFF ROUTING NESTED}}
    address_block {range * usage * base_address *}
    core {name * vendor * library * version * display_name * description * supported_families * core_revision * company_url * vendor_display_name *}
    bd_port {CONFIG.FREQ_HZ * CONFIG.POLARITY {ACTIVE_LOW ACTIVE_HIGH} CONFIG.ASSOCIATED_BUSIF * CONFIG.ASSOCIATED_RESET *}
    bd_intf_port {CONFIG.FREQ_HZ * CONFIG.PROTOCOL * CONFIG.DATA_WIDTH * CONFIG.ADDR_WIDTH *}
    hw_device {PROGRAM.FILE * PROBES.FILE * FULL_PROBES.FILE *}
}

proc h::set_one {class name property value} {
    variable properties
    if {$class eq "bd_cell"} {
        h::configure $name $property $value
    } else {
        if {![dict exists $::h::known_properties $class]} { error "set_property: a $class has no property that may be set" }
        set known [dict get $::h::known_properties $class]
        set spelled [lsearch -inline -nocase -exact [dict keys $known] $property]
        if {$spelled eq ""} { error "a $class has no property `$property`[h::nearest $property [dict keys $known]]" }
        if {$spelled ne $property} { error "property `$property` is spelled $spelled" }
        if {[dict get $known $spelled] ne "*"} { h::one_of $property $value [dict get $known $spelled] }
        h::property_set $class $name $property $value
    }
    dict set properties $class:$name $property $value
}

# What some properties mean to what is checked later.
proc h::property_set {class name property value} {
    switch -- $class:$property {
        project:ip_repo_paths - fileset:ip_repo_paths {
            foreach path $value { h::need_file $path }
            set ::h::repositories $value
            set ::h::catalogue_current 0
        }
        project:board_part { error "board_part: no board file is assumed; the part is `$::h::part`" }
        project:part { h::check_part $value }
        file:SCOPED_TO_REF { h::scope_file $name $value }
        address_block:range { h::range_set $name $value }
        fileset:top { h::check_top $value }
        port:PACKAGE_PIN - port:LOC - port:IOSTANDARD { h::pin_property $name $property $value }
        hw_device:PROGRAM.FILE - hw_device:PROBES.FILE - hw_device:FULL_PROBES.FILE { h::need_built $value }
    }
}

h::command set_property {-dict 1} 1 3 {
    if {[info exists o(-dict)]} {
        if {[llength $p] != 1} { error "set_property -dict LIST OBJECTS" }
        set pairs $o(-dict)
        set objects [lindex $p 0]
    } else {
        if {[llength $p] != 3} { error "set_property NAME VALUE OBJECTS: the objects are missing" }
        set pairs [lrange $p 0 1]
        set objects [lindex $p 2]
    }
    if {[llength $pairs] % 2} { error "set_property -dict: a list of names and values, not `$pairs`" }
    if {[llength $objects] == 0} { error "set_property [lindex $pairs 0]: no object" }
    foreach object $objects {
        if {![regexp {^([a-z_]+):(.+)$} $object -> class name]} { error "set_property: `$object` is no object" }
        foreach {property value} $pairs { h::set_one $class $name $property $value }
    }
}

h::command get_property {-min 0 -max 0} 2 2 {
    lassign $p property object
    if {[llength $object] != 1 || ![regexp {^([a-z_]+):(.+)$} $object -> class name]} { error "get_property $property: `$object` is not one object" }
    if {[dict exists $::h::properties $object $property]} { return [dict get $::h::properties $object $property] }
    switch -- $class:$property {
        run:PROGRESS { return [expr {[h::run_done $name] ? "100%" : "0%"}] }
        run:DIRECTORY { return [file join $::h::folder build $name] }
        run:STATUS { return Complete }
        timing_path:SLACK { return 0.1 }
        clock:PERIOD { return [h::period_of $name] }
        hw_axi_txn:DATA { return [h::transaction_data $name] }
        default {
            if {$property eq "NAME"} { return $name }
            error "get_property: a $class has no property `$property` that the harness knows"
        }
    }
}
