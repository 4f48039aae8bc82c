# The same design without a project on disk: one run from the sources to the bitstream.
#
#   vivado -mode batch -source nonproject.tcl -tclargs STAGE   STAGE: synth, impl or bit

set root [file normalize [file dirname [info script]]]
set stage [expr {$argc > 0 ? [lindex $argv 0] : "bit"}]
set stages {synth impl bit}
if {$stage ni $stages} { error "unknown stage `$stage`; stages are [join $stages {, }]" }

source [file join $root settings.tcl]
source [file join $root reports.tcl]
source [file join $root sources.tcl]

set folder [file join $root build nonproject]
file mkdir $folder
create_project -in_memory -part $part system
set_property ip_repo_paths [list [ip_repository $root]] [current_project]
update_ip_catalog

set design_folder [file join $folder bd]
file mkdir $design_folder
source [file join $root system.tcl]
# All in one synthesis, with no checkpoint for each core.
set_property synth_checkpoint_mode None [get_files system.bd]
generate_target all [get_files system.bd]
read_verilog [one_file [make_wrapper -files [get_files system.bd] -top]]
read_xdc [list [file join $root constraints board.xdc]]
foreach module $crossings { read_xdc -ref $module [list [file join $root rtl $mac_top $module.xdc]] }

synth_design -top system_wrapper -part $part -flatten_hierarchy rebuilt
write_checkpoint -force [file join $folder post_synth.dcp]
if {$stage eq "synth"} { return }

opt_design
place_design
phys_opt_design
route_design
write_checkpoint -force [file join $folder post_route.dcp]
write_reports [file join $folder reports]
if {$stage eq "impl"} { return }

check_timing_met
write_bitstream -force [file join $folder system.bit]
write_debug_probes -force [file join $folder system.ltx]
