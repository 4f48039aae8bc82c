# One block by itself, out of context: synthesis, implementation, reports. No pins, no buffers.
#
#   vivado -mode batch -source ooc.tcl -tclargs STAGE          STAGE: synth or impl

set root [file normalize [file dirname [info script]]]
set stage [expr {$argc > 0 ? [lindex $argv 0] : "impl"}]
set stages {synth impl}
if {$stage ni $stages} { error "unknown stage `$stage`; stages are [join $stages {, }]" }

source [file join $root settings.tcl]
source [file join $root reports.tcl]
source [file join $root sources.tcl]

set folder [file join $root build ooc_$top]
file mkdir $folder

read_verilog [verilog_of [file join $root rtl $top] $top]
read_xdc -mode out_of_context [list [file join $root constraints ${top}_ooc.xdc]]
# Crossings of clocks, each with the module that they are in.
foreach module $scoped {
    set file [file join $root rtl $top $module.xdc]
    if {$module eq $top} { read_xdc [list $file] } else { read_xdc -ref $module [list $file] }
}

synth_design -mode out_of_context -top $top -part $part -flatten_hierarchy rebuilt
write_checkpoint -force [file join $folder post_synth.dcp]
write_reports [file join $folder reports_synth]
if {$stage eq "synth"} { return }

opt_design
place_design
phys_opt_design
route_design
write_checkpoint -force [file join $folder post_route.dcp]
write_reports [file join $folder reports]
check_timing_met
