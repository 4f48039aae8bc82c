# Reading, synthesis, implementation, reports.

namespace eval h {
    # nothing, synthesised, optimised, placed, routed
    variable stage nothing
    variable written {}
}

h::command read_verilog {-sv 0 -library 1} 1 1 {
    if {[llength [lindex $p 0]] == 0} { error "read_verilog: no file" }
    foreach file [lindex $p 0] {
        h::need_file $file
        if {[file extension $file] ni {.v .sv .vh}} { error "read_verilog: [file tail $file] is no Verilog" }
        h::add_source $file
    }
    return [lindex $p 0]
}

h::command read_xdc {-mode 1 -ref 1 -cells 1 -unmanaged 0} 1 1 {
    if {[info exists o(-mode)]} { h::one_of "read_xdc -mode" $o(-mode) {default out_of_context} }
    foreach file [lindex $p 0] {
        h::need_file $file
        set module [expr {[info exists o(-ref)] ? $o(-ref) : ""}]
        lappend ::h::constraint_files [list [file normalize $file] $module [expr {[info exists o(-mode)] && $o(-mode) eq "out_of_context"}]]
    }
}

h::command synth_design {-top 1 -part 1 -mode 1 -flatten_hierarchy 1 -directive 1 -generic 2 -verilog_define 2 -shreg_min_size 1 -srl_style 1
    -max_bram 1 -max_uram 1 -max_dsp 1 -retiming 0 -global_retiming 1 -keep_equivalent_registers 0 -no_lc 0 -fanout_limit 1} 0 0 {
    h::need synth_design o -top -part
    h::check_part $o(-part)
    if {$o(-top) ni $::h::sources} { error "synth_design -top $o(-top): no source has it[h::nearest $o(-top) [lsort -unique $::h::sources]]" }
    if {[info exists o(-flatten_hierarchy)]} { h::one_of "synth_design -flatten_hierarchy" $o(-flatten_hierarchy) {rebuilt full none} }
    if {[info exists o(-mode)]} { h::one_of "synth_design -mode" $o(-mode) {default out_of_context} }
    h::need_sources $o(-top)
    h::apply_constraints $o(-top) [expr {[info exists o(-mode)] && $o(-mode) eq "out_of_context"}]
    set ::h::stage synthesised
}

# Every module under the top was read, but for those that cores bring.
proc h::need_sources {top} {
    if {$top eq "${h::design}_wrapper"} { return }
    set open [list $top]
    set seen {}
    while {[llength $open]} {
        set open [lassign $open module]
        if {$module in $seen} { continue }
        lappend seen $module
        if {$module ni $::h::sources} { error "synth_design: the module $module was not read" }
        dict for {name child} [dict get $::h::modules $module instances] { lappend open $child }
    }
}

proc h::after {name stages to} {
    if {$::h::stage ni $stages} { error "$name: the design is $::h::stage, it must be [join $stages { or }]" }
    set ::h::stage $to
}
h::command opt_design {-directive 1 -retarget 0 -propconst 0 -sweep 0} 0 0 { h::after opt_design {synthesised optimised} optimised }
h::command place_design {-directive 1 -timing_summary 0} 0 0 { h::after place_design {synthesised optimised} placed }
h::command phys_opt_design {-directive 1} 0 0 { h::after phys_opt_design {placed routed} $::h::stage }
h::command route_design {-directive 1 -tns_cleanup 0} 0 0 { h::after route_design {placed} routed }

h::command write_checkpoint {-force 0} 1 1 {
    if {$::h::stage eq "nothing"} { error "write_checkpoint: there is no design" }
    h::write_to [lindex $p 0]
}
h::command write_bitstream {-force 0 -bin_file 0} 1 1 {
    if {$::h::stage ne "routed"} { error "write_bitstream: the design is $::h::stage, it must be routed" }
    if {[file extension [lindex $p 0]] ne ".bit"} { error "write_bitstream: [file tail [lindex $p 0]] does not end in .bit" }
    h::write_to [lindex $p 0]
    lappend ::h::written [lindex $p 0]
}
h::command write_debug_probes {-force 0} 1 1 { h::write_to [lindex $p 0] }

proc h::report {name options} {
    h::command $name [list -file 1 -append 0 {*}$options] 0 0 "
        if {\$::h::stage eq {nothing}} { error {$name: there is no design} }
        if {\[info exists o(-file)\]} { h::write_to \$o(-file) }
        if {\[info exists o(-max_paths)\]} { h::positive {$name -max_paths} \$o(-max_paths) }
        if {\[info exists o(-hierarchical_depth)\] && !\[info exists o(-hierarchical)\]} { error {$name -hierarchical_depth without -hierarchical} }"
}
h::report report_utilization {-hierarchical 0 -hierarchical_depth 1 -cells 1 -pblocks 1}
h::report report_timing_summary {-max_paths 1 -report_unconstrained 0 -delay_type 1 -warn_on_violation 0}
h::report report_timing {-max_paths 1 -nworst 1 -setup 0 -hold 0 -from 1 -to 1}
h::report report_clock_interaction {-delay_type 1 -significant_digits 1}
h::report report_cdc {-details 0 -severity 1}
h::report report_methodology {}
h::report report_drc {}
h::report report_power {}
h::report report_clock_utilization {}
h::report report_design_analysis {-logic_level_distribution 0 -congestion 0}
h::report report_bus_skew {-max_paths 1}

h::command get_timing_paths {-max_paths 1 -nworst 1 -setup 0 -hold 0 -from 1 -to 1} 0 0 {
    if {$::h::stage eq "nothing"} { error "get_timing_paths: there is no design" }
    return [expr {[dict size $::h::clocks] ? [list [h::handle timing_path worst]] : {}}]
}
h::command version {-short 0} 0 0 { return 2024.2 }
h::command set_msg_config {-id 1 -severity 1 -new_severity 1 -suppress 0 -limit 1 -string 1} 0 0 {}

# What a script has come to, for the last line.
proc h::summary {} {
    set done {}
    if {[dict size $::h::cells]} { lappend done "[dict size $::h::cells] cells" "[dict size $::h::joined] interface ends" }
    if {[dict size $::h::clocks]} { lappend done "[dict size $::h::clocks] clocks" }
    if {$::h::stage ne "nothing"} { lappend done $::h::stage }
    if {[llength $::h::written]} { lappend done bitstream }
    return [join $done {, }]
}

# What must hold when a script has ended.
proc h::finish {} {
    if {[llength $::h::constraint_files] && $::h::stage ne "nothing"} { h::fault "[h::relative [lindex $::h::constraint_files 0 0]] is read too late: no synthesis comes after it" }
    if {$::h::design ne "" && !$::h::design_valid} { h::fault "the block design was not validated" }
    if {$::h::unsaved ne ""} { h::fault "the core $::h::unsaved was packaged and never saved" }
    dict for {run state} $::h::runs { if {$state == 1} { h::fault "run $run was launched and never waited for" } }
}
