# The Verilog of a block: what its file list names, and nothing else that lies beside it.
proc verilog_of {folder top} {
    set channel [open [file join $folder $top.f]]
    set names [split [string trim [read $channel]] \n]
    close $channel
    return [lmap name $names { file join $folder $name }]
}

# Where IP integrator finds the endpoint: what `make package` has made with the packager of this Vivado, else the folder as it was written.
proc ip_repository {root} {
    set packaged [file join $root build ip]
    return [expr {[file exists [file join $packaged $::top component.xml]] ? $packaged : [file join $root rtl]}]
}

# Crossings of clocks in the MAC's bridge, each with the module that they are in. Their clocks come from cores, so they are read last.
proc add_crossings {root} {
    foreach module $::crossings {
        set file [file join $root rtl $::mac_top $module.xdc]
        add_files -fileset constrs_1 -norecurse [list $file]
        set_property SCOPED_TO_REF $module [get_files $file]
        set_property USED_IN implementation [get_files $file]
        set_property PROCESSING_ORDER LATE [get_files $file]
    }
}

# The name of one file as a list, which is what commands take that read files: a path with spaces would be several else.
proc one_file {name} {
    return [expr {[file exists $name] ? [list $name] : $name}]
}
