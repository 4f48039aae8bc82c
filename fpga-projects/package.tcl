# The endpoint as IP, so that a block design can have it: $rtl becomes an IP repository.
# Sourced by project.tcl and nonproject.tcl, behind settings.tcl. A component.xml that is there already is left as it is.

source [file join $root sources.tcl]
set rtl [file join $root rtl $top]
if {![file exists [file join $rtl component.xml]]} {
    create_project -force -part $part package [file join $root build package]
    add_files -norecurse [verilog_of $rtl $top]
    set_property top $top [current_fileset]
    update_compile_order -fileset sources_1
    # The attributes on the ports of the top say which buses, clocks and resets there are.
    ipx::package_project -root_dir $rtl -vendor rdma-rtl -library user -taxonomy /UserIP -force
    set_property name $top [ipx::current_core]
    set_property version 1.0 [ipx::current_core]
    set_property display_name $top [ipx::current_core]
    set_property description "RDMA over lossy Ethernet: $top at profile $profile" [ipx::current_core]
    ipx::update_checksums [ipx::current_core]
    ipx::save_core [ipx::current_core]
    close_project
}
