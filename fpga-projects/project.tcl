# The design as a Vivado project, for those who go on in the window.
#
#   vivado -mode batch -source project.tcl -tclargs STAGE      STAGE: create, synth, impl, bit or reports; each does what is missing before it
#   vivado build/project/system.xpr                            afterwards

set root [file normalize [file dirname [info script]]]
set stage [expr {$argc > 0 ? [lindex $argv 0] : "create"}]
set stages {create synth impl bit reports}
if {$stage ni $stages} { error "unknown stage `$stage`; stages are [join $stages {, }]" }

source [file join $root settings.tcl]
source [file join $root reports.tcl]

set folder [file join $root build project]
set xpr [file join $folder system.xpr]

if {[file exists $xpr]} {
    open_project $xpr
} else {
    source [file join $root sources.tcl]
    create_project -part $part system $folder
    set_property target_language Verilog [current_project]
    set_property ip_repo_paths [list [ip_repository $root]] [current_project]
    update_ip_catalog
    source [file join $root system.tcl]
    set wrapper [one_file [make_wrapper -files [get_files system.bd] -top]]
    add_files -norecurse $wrapper
    add_files -fileset constrs_1 -norecurse [list [file join $root constraints board.xdc]]
    add_crossings $root
    set_property top system_wrapper [current_fileset]
    update_compile_order -fileset sources_1
}

proc run {name args} {
    if {[get_property PROGRESS [get_runs $name]] ne "100%"} {
        reset_run $name
        launch_runs $name -jobs $::jobs {*}$args
        wait_on_run $name
        if {[get_property PROGRESS [get_runs $name]] ne "100%"} { error "$name failed: see [get_property DIRECTORY [get_runs $name]]/runme.log" }
    }
}

if {$stage in {synth impl bit reports}} { run synth_1 }
if {$stage in {impl bit reports}} {
    run impl_1
    open_run impl_1
    write_reports [file join $root build reports]
}
if {$stage eq "bit"} {
    check_timing_met
    file mkdir [file join $root build]
    write_bitstream -force [file join $root build system.bit]
    write_debug_probes -force [file join $root build system.ltx]
    puts "bitstream: [file join $root build system.bit]"
}
