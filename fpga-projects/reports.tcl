# Reports of a stage.

proc write_reports {folder} {
    file mkdir $folder
    report_utilization -file [file join $folder utilization.rpt]
    report_utilization -hierarchical -hierarchical_depth 8 -file [file join $folder utilization_hierarchical.rpt]
    report_timing_summary -max_paths 10 -report_unconstrained -file [file join $folder timing_summary.rpt]
    report_clock_interaction -file [file join $folder clock_interaction.rpt]
    report_cdc -details -file [file join $folder cdc.rpt]
    report_methodology -file [file join $folder methodology.rpt]
}

# Timing that is not met, or that nothing constrains, is no result.
proc check_timing_met {} {
    set paths [get_timing_paths -max_paths 1 -nworst 1 -setup]
    if {[llength $paths] == 0} { error "no timing path: are the clocks constrained?" }
    set slack [get_property SLACK $paths]
    puts "worst setup slack: $slack ns"
    if {![string is double -strict $slack] || $slack == Inf} { error "worst path is not constrained" }
    if {$slack < 0} { error "timing is not met: see the reports, or ask for a lower clock (rdma-rtl project --clock-mhz)" }
}
