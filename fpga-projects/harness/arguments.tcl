# Arguments of a Vivado command against what it takes.

namespace eval h::do {}
namespace eval h::ipx {}

# Defines a command. `options` is a list of names with the number of values that each takes (0 or 1; 2 for one that may come more than
# once), `least` and `most` bound what comes without an option. The body sees the array `o` and the list `p`.
proc h::command {name options least most body} {
    set namespace [expr {[string match ipx::* $name] ? "::h::ipx" : "::h::do"}]
    proc ${namespace}::[namespace tail $name] {args} "h::parse [list $name $options $least $most] \$args o p\n$body"
}

proc h::parse {name options least most arguments into_options into_places} {
    upvar 1 $into_options o $into_places p
    array set o {}
    set p {}
    dict set options -quiet 0
    dict set options -verbose 0
    for {set i 0} {$i < [llength $arguments]} {incr i} {
        set argument [lindex $arguments $i]
        if {[regexp {^-[a-zA-Z_]\w*$} $argument]} {
            if {![dict exists $options $argument]} {
                error "$name has no option `$argument`; it has [join [lsort [dict keys $options]] {, }]"
            }
            if {[dict get $options $argument] == 0} {
                set o($argument) 1
                continue
            }
            incr i
            if {$i >= [llength $arguments]} { error "$name: $argument wants a value" }
            if {[dict get $options $argument] == 2} {
                lappend o($argument) [lindex $arguments $i]
            } elseif {[info exists o($argument)]} {
                error "$name: $argument twice"
            } else {
                set o($argument) [lindex $arguments $i]
            }
        } else {
            lappend p $argument
        }
    }
    set count [llength $p]
    if {$count < $least} { error "$name wants [h::number $least $most] beside its options, not $count" }
    if {$count > $most} { error "$name wants [h::number $least $most] beside its options, not $count: [lrange $p $most end]" }
}

proc h::number {least most} {
    if {$least == $most} { return "$least argument[expr {$least == 1 ? {} : {s}}]" }
    return "$least to $most arguments"
}

proc h::need {name array args} {
    upvar 1 $array o
    foreach option $args {
        if {![info exists o($option)]} { error "$name without $option" }
    }
}

# One of a few words.
proc h::one_of {what value allowed} {
    if {$value ni $allowed} { error "$what: `$value`; allowed are [join $allowed {, }]" }
}

proc h::a_number {what value} {
    if {![string is double -strict $value]} { error "$what: `$value` is no number" }
}

proc h::positive {what value} {
    h::a_number $what $value
    if {$value <= 0} { error "$what: $value must be more than 0" }
}
