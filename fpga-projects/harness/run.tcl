# Runs a Vivado script in a plain tclsh (8.6), with every Vivado command defined here to check what it is told.
#
#   tclsh run.tcl FACTS FOLDER SCRIPT ?ARGUMENT ...?
#
# FACTS describes the emitted Verilog (see netlist.tcl), FOLDER is the project. Nothing is written: files that Vivado would make exist in
# the harness alone. A script ends at its first fault, as in Vivado; constraints are read to their end. A fault is a line on standard
# output, tab-separated: file, line, text. Last comes `ok`, with what was done, or `faults`. Exit code 0, 1 if there are faults, 2 if the harness could not begin.

namespace eval h {
    variable faults {}
    variable recorded {}
    variable virtual [dict create]
    variable folder ""
    variable place [list "" 0]
    variable here [file dirname [file normalize [info script]]]
    # A script that never ends is a fault too.
    variable budget 20000000
}

foreach part {arguments objects netlist catalogue macs system validate project flow constraints ip hardware} {
    source [file join $::h::here $part.tcl]
}

proc h::fault {text} {
    variable faults
    variable place
    lassign $place file line
    set entry [list [h::relative $file] $line [regsub -all {\s+} $text { }]]
    if {$entry ni $faults} { lappend faults $entry }
}

proc h::relative {file} {
    variable folder
    if {[string first $folder/ $file] == 0} { return [string range $file [string length $folder/] end] }
    return $file
}

# Files: the real ones and those that Vivado would have made.
proc h::made {path} {
    variable virtual
    set path [file normalize $path]
    while {![dict exists $virtual $path]} {
        dict set virtual $path 1
        set path [file dirname $path]
    }
}

proc h::exists {path} {
    variable virtual
    set path [file normalize $path]
    return [expr {[dict exists $virtual $path] || [file exists $path]}]
}

proc h::need_file {path} {
    if {![h::exists $path]} { error "no such file: [h::relative [file normalize $path]]" }
}

# A file that a command writes: its folder must be there.
proc h::write_to {path} {
    if {$path eq ""} { error "an empty file name" }
    if {![h::exists [file dirname [file normalize $path]]]} { error "[h::relative [file normalize $path]]: its folder does not exist" }
    h::made $path
}

# The commands of a file, each with the line on which it begins.
proc h::commands {text} {
    set commands {}
    set command ""
    set start 0
    set number 0
    foreach line [split $text \n] {
        incr number
        if {$command eq ""} { set start $number }
        append command $line\n
        # A backslash at the end of a line goes on in the next.
        if {[regexp {(^|[^\\])(\\\\)*\\$} $line]} { continue }
        if {[info complete $command]} {
            if {[string trim $command] ne ""} { lappend commands [list $start $command] }
            set command ""
        }
    }
    if {[string trim $command] ne ""} { lappend commands [list $start $command] }
    return $commands
}

# `source` of the scripts: command by command, so that a fault has a line.
proc h::source {file {keep_going 0}} {
    variable place
    set file [file normalize $file]
    h::need_file $file
    set channel [open $file]
    fconfigure $channel -encoding utf-8
    set text [read $channel]
    close $channel
    h::marks $text
    set before $place
    set script [vivado eval {info script}]
    vivado eval [list info script $file]
    set result ""
    foreach entry [h::commands $text] {
        lassign $entry line command
        set place [list $file $line]
        # Inside of the interpreter, where a `return` of the script is still one.
        set code [vivado eval [list catch $command ::harness_result]]
        set result [vivado eval {set ::harness_result}]
        if {$code == 2} { break }
        if {$code != 0} {
            if {!$keep_going} {
                # The innermost place is the one that counts.
                if {![info exists ::h::stopped]} { h::fault $result; set ::h::stopped 1 }
                vivado eval [list info script $script]
                return -code error $result
            }
            h::fault $result
        }
    }
    set place $before
    vivado eval [list info script $script]
    return $result
}

# What a comment says to the harness: `# left open: PIN ...` and `# not constrained: PORT ...`.
proc h::marks {text} {
    foreach line [split $text \n] {
        if {[regexp {^\s*# left open: (.*)$} $line -> names]} { lappend ::h::left_open {*}[split $names] }
        if {[regexp {^\s*# not constrained: ([^;]*)} $line -> names]} { lappend ::h::not_constrained {*}[string map {, " "} $names] }
    }
}
set ::h::left_open {}
set ::h::not_constrained {}

proc h::record {command arguments} {
    variable recorded
    lappend recorded [list $command {*}$arguments]
}

# The interpreter of the scripts: Tcl without the commands that change or leave this machine, and with Vivado's.
proc h::interpreter {} {
    interp create vivado
    foreach command {exec exit socket open load cd} { interp hide vivado $command }
    interp alias vivado open {} h::open_for_script
    interp alias vivado exit {} h::exit_of_script
    interp alias vivado source {} h::source_of_script
    interp hide vivado file
    interp alias vivado file {} h::file_of_script
    interp hide vivado glob
    interp alias vivado glob {} h::glob_of_script
    foreach command [info commands ::h::do::*] { interp alias vivado [namespace tail $command] {} h::call [namespace tail $command] }
    vivado eval {namespace eval ipx {}}
    foreach command [info commands ::h::ipx::*] { interp alias vivado ipx::[namespace tail $command] {} h::call_ipx [namespace tail $command] }
    interp alias vivado unknown {} h::unknown_command
    vivado eval {rename puts ""; proc puts {args} {}}
    interp limit vivado commands -value $::h::budget
    interp limit vivado time -seconds [expr {[clock seconds] + 60}]
    # Nobody waits here.
    vivado eval {proc after {args} {}}
}

proc h::call {name args} { h::record $name $args; h::do::$name {*}$args }
proc h::call_ipx {name args} { h::record ipx::$name $args; h::ipx::$name {*}$args }
proc h::unknown_command {name args} {
    # `a_reg[3]` without braces: Vivado takes it as it stands.
    if {[llength $args] == 0 && [regexp {^(\d+|\*)$} $name]} { return "\[$name\]" }
    error "unknown command `$name`"
}
proc h::source_of_script {args} { h::source [lindex $args end] }
proc h::exit_of_script {{code 0}} { if {$code ne 0} { error "the script ends with exit $code" } else { return -code return "" } }

proc h::open_for_script {path {access r} args} {
    if {[string match r* $access] && ![string match *+* $access] && ![string match |* $path]} {
        h::need_file $path
        set channel [open $path r]
    } else {
        error "a script may not open `$path` for writing, or run it"
    }
    interp transfer {} $channel vivado
    return $channel
}

proc h::file_of_script {option args} {
    switch -- $option {
        exists { return [h::exists [lindex $args 0]] }
        mkdir { foreach folder $args { h::made $folder } }
        isfile { return [h::exists [lindex $args 0]] }
        normalize - join - dirname - tail - rootname - extension - isdirectory - split - nativename { return [file $option {*}$args] }
        delete { foreach path $args { if {$path ni {-force --}} { dict unset ::h::virtual [file normalize $path] } } }
        default { error "file $option: not for a script of a project" }
    }
    return ""
}

proc h::glob_of_script {args} {
    set found [glob -nocomplain {*}[lsearch -all -inline -not -exact $args -nocomplain]]
    if {[llength $found] == 0 && "-nocomplain" ni $args} { error "no file matches [h::relative [lindex $args end]]" }
    return $found
}

proc h::main {arguments} {
    variable folder
    variable faults
    if {[llength $arguments] < 3} { puts stderr "usage: tclsh run.tcl FACTS FOLDER SCRIPT ?ARGUMENT ...?"; exit 2 }
    set rest [lassign $arguments facts folder script]
    set folder [file normalize $folder]
    if {[catch {h::read_facts $facts} problem]} { puts stderr "facts: $problem"; exit 2 }
    h::interpreter
    vivado eval [list set argv $rest]
    vivado eval [list set argc [llength $rest]]
    vivado eval [list set argv0 vivado]
    if {[catch {h::source [file join $folder $script]} problem]} {
        if {[llength $faults] == 0} { h::fault $problem }
    } else {
        h::finish
    }
    fconfigure stdout -encoding utf-8
    foreach fault $faults { puts [join $fault \t] }
    puts [expr {[llength $faults] ? "faults\t[llength $faults]" : "ok\t[llength $::h::recorded] commands\t[h::summary]"}]
    exit [expr {[llength $faults] > 0}]
}

h::main $argv
