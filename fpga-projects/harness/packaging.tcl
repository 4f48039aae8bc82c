# The IP packager.

h::command ipx::package_project {-root_dir 1 -vendor 1 -library 1 -taxonomy 1 -import_files 0 -force 0 -set_current 1} 0 0 {
    h::need ipx::package_project o -root_dir -vendor -library
    h::need_project
    if {$::h::top_module eq ""} { error "ipx::package_project: the top is not set" }
    h::need_file $o(-root_dir)
    h::need_sources $::h::top_module
    set ::h::core [dict create root $o(-root_dir) name $::h::top_module vendor $o(-vendor) library $o(-library)]
}
h::command ipx::current_core {} 0 1 {
    if {![info exists ::h::core]} { error "no core is open: ipx::package_project comes first" }
    return [h::handle core current]
}
h::command ipx::infer_bus_interface {} 3 3 { h::need_signal infer_bus_interface [lindex $p 0] }
h::command ipx::associate_bus_interfaces {-busif 1 -clock 1 -reset 1} 1 1 {
    foreach option {-clock -reset} { if {[info exists o($option)]} { h::need_signal associate_bus_interfaces $o($option) } }
}
proc h::need_signal {command name} {
    foreach one $name {
        if {![dict exists [h::ports_of $::h::top_module] $one]} { error "ipx::$command: $::h::top_module has no port `$one`[h::nearest $one [dict keys [h::ports_of $::h::top_module]]]" }
    }
}
h::command ipx::update_checksums {} 1 1 { h::names ipx::update_checksums core [lindex $p 0] }
h::command ipx::check_integrity {} 1 1 { h::names ipx::check_integrity core [lindex $p 0] }
h::command ipx::create_xgui_files {} 1 1 { h::names ipx::create_xgui_files core [lindex $p 0] }
h::command ipx::save_core {} 1 1 {
    h::names ipx::save_core core [lindex $p 0]
    set version [expr {[dict exists $::h::properties core:current version] ? [dict get $::h::properties core:current version] : "1.0"}]
    set vlnv [dict get $::h::core vendor]:[dict get $::h::core library]:[dict get $::h::core name]:$version
    if {$vlnv ne "rdma-rtl:user:[dict get $::h::core name]:1.0"} { error "ipx::save_core: block designs ask for rdma-rtl:user:[dict get $::h::core name]:1.0, this is $vlnv" }
    h::made [file join [dict get $::h::core root] component.xml]
}
