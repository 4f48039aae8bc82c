# Projects, file sets, runs.

namespace eval h {
    variable project ""
    variable project_folder ""
    variable files [dict create]
    variable runs [dict create]
    variable top_module ""
    variable sources {}
}

h::command create_project {-part 1 -force 0 -in_memory 0} 0 2 {
    if {$::h::project ne ""} { error "create_project: `$::h::project` is open" }
    # Without one it is Vivado's default part: good for packaging, and for nothing else.
    set ::h::part ""
    if {[info exists o(-part)]} { h::check_part $o(-part) }
    set name [lindex $p 0]
    if {[info exists o(-in_memory)]} {
        set ::h::project_folder [file join $::h::folder .in_memory]
        h::made $::h::project_folder
    } else {
        if {[llength $p] != 2} { error "create_project NAME FOLDER" }
        set ::h::project_folder [lindex $p 1]
        if {[h::exists [file join $::h::project_folder $name.xpr]] && ![info exists o(-force)]} { error "create_project: [lindex $p 1] has a project; -force would replace it" }
        h::made [file join $::h::project_folder $name.xpr]
    }
    set ::h::project $name
    set ::h::files [dict create]
    set ::h::sources {}
    set ::h::top_module ""
    set ::h::repositories {}
    set ::h::runs [dict create synth_1 0 impl_1 0]
    return [h::handle project $name]
}
h::command open_project {} 1 1 { h::need_file [lindex $p 0]; error "open_project: the harness begins with no project on disk" }
h::command close_project {-delete 0} 0 0 {
    h::need_project
    if {$::h::unsaved ne ""} { error "close_project: the core $::h::unsaved was packaged and never saved" }
    set ::h::project ""
    set ::h::design ""
}
proc h::need_project {} { if {$::h::project eq ""} { error "no project is open" } }

h::command current_project {} 0 1 { h::need_project; return [h::handle project $::h::project] }
h::command current_fileset {-simset 0 -srcset 0 -constrset 0} 0 1 { h::need_project; return [h::handle fileset sources_1] }
h::command get_filesets {} 0 1 { return [h::get fileset [expr {[llength $p] ? [lindex $p 0] : "*"}] {sources_1 constrs_1 sim_1 utils_1} [info exists o(-quiet)] {file set}] }

h::command update_ip_catalog {-rebuild 0 -repo_path 1} 0 0 {
    h::need_project
    if {![llength $::h::repositories]} { error "update_ip_catalog: no ip_repo_paths is set" }
    set ::h::catalogue_current 1
    set found 0
    foreach repository $::h::repositories {
        foreach file [h::components_in $repository] {
            h::own_core [h::component $file]
            set found 1
        }
    }
    if {!$found} { error "ip_repo_paths: [join [lmap r $::h::repositories {h::relative $r}] {, }] has no component.xml" }
}

h::command add_files {-fileset 1 -norecurse 0 -copy_to 1} 1 1 {
    h::need_project
    set set [expr {[info exists o(-fileset)] ? $o(-fileset) : "sources_1"}]
    regsub {^fileset:} $set {} set
    h::one_of "add_files -fileset" $set {sources_1 constrs_1 sim_1 utils_1}
    set found {}
    foreach file [lindex $p 0] {
        h::need_file $file
        dict set ::h::files [file normalize $file] $set
        if {[file extension $file] eq ".xdc"} {
            if {$set ne "constrs_1"} { error "add_files: [file tail $file] is for -fileset constrs_1" }
            lappend ::h::constraint_files [list [file normalize $file] "" 0]
        } else {
            h::add_source $file
        }
        lappend found [h::handle file [file normalize $file]]
    }
    return $found
}

# A constraint file is for a module, wherever that is.
proc h::scope_file {name module} {
    set ::h::constraint_files [lmap entry $::h::constraint_files {
        expr {[lindex $entry 0] eq $name ? [lreplace $entry 1 1 $module] : $entry}
    }]
}

proc h::add_source {file} {
    lappend ::h::sources [file rootname [file tail $file]]
}

h::command get_files {-of_objects 1 -filter 1} 0 1 {
    set names [dict keys $::h::files]
    if {$::h::design ne ""} { lappend names [file join $::h::project_folder $::h::design.bd] }
    set pattern [expr {[llength $p] ? [lindex $p 0] : "*"}]
    set found [lmap n $names { if {![string match $pattern $n] && ![string match $pattern [file tail $n]]} continue; h::handle file $n }]
    if {[llength $found] == 0 && ![info exists o(-quiet)]} { error "no file `$pattern` in the project" }
    return $found
}

h::command make_wrapper {-files 1 -top 0 -import 0} 0 0 {
    h::need make_wrapper o -files -top
    set file [lindex [h::names "make_wrapper -files" file $o(-files)] 0]
    if {[file extension $file] ne ".bd"} { error "make_wrapper: $file is no block design" }
    if {!$::h::design_valid} { error "make_wrapper: the design was not validated since its last change" }
    h::wrapper_module
    set wrapper [file join $::h::project_folder hdl ${h::design}_wrapper.v]
    h::made $wrapper
    return $wrapper
}

h::command generate_target {} 2 2 {
    h::names generate_target {file} [lindex $p 1]
    h::one_of generate_target [lindex $p 0] {all synthesis simulation instantiation_template}
    if {!$::h::design_valid} { error "generate_target: the design was not validated since its last change" }
}

h::command update_compile_order {-fileset 1} 0 0 {
    h::need_project
    if {[info exists o(-fileset)]} { h::one_of "update_compile_order -fileset" $o(-fileset) {sources_1 sim_1} }
}

proc h::check_top {top} {
    if {$top ni $::h::sources} { error "top `$top` is in no source[h::nearest $top [lsort -unique $::h::sources]]" }
    set ::h::top_module $top
}

h::command get_runs {} 0 1 { return [h::get run [expr {[llength $p] ? [lindex $p 0] : "*"}] [dict keys $::h::runs] [info exists o(-quiet)]] }

proc h::run_names {what list} {
    return [lmap entry $list {
        regsub {^run:} $entry {} name
        if {![dict exists $::h::runs $name]} { error "$what: no run `$name`; runs are [join [dict keys $::h::runs] {, }]" }
        set name
    }]
}
proc h::run_done {name} { return [expr {[dict get $::h::runs $name] == 2}] }

h::command launch_runs {-jobs 1 -to_step 1 -scripts_only 0} 1 8 {
    h::need_project
    if {[info exists o(-jobs)]} { h::positive "launch_runs -jobs" $o(-jobs) }
    if {[info exists o(-to_step)]} { h::one_of "launch_runs -to_step" $o(-to_step) {synth_design opt_design place_design phys_opt_design route_design write_bitstream} }
    foreach name [h::run_names launch_runs [concat {*}$p]] {
        if {$::h::top_module eq ""} { error "launch_runs $name: the top is not set" }
        if {$name eq "impl_1" && [dict get $::h::runs synth_1] != 2} { error "launch_runs impl_1: synth_1 was not waited for" }
        dict set ::h::runs $name 1
    }
}
foreach command {wait_on_run wait_on_runs} {
    h::command $command {-timeout 1} 1 8 {
        foreach name [h::run_names wait_on_run [concat {*}$p]] {
            if {[dict get $::h::runs $name] == 0} { error "wait_on_run $name: it was not launched" }
            dict set ::h::runs $name 2
            if {$name eq "synth_1"} { h::apply_constraints $::h::top_module 0 }
        }
    }
}
h::command reset_run {} 1 1 { h::run_names reset_run $p }
h::command open_run {-name 1} 1 1 {
    set name [lindex [h::run_names open_run $p] 0]
    if {![h::run_done $name]} { error "open_run $name: it is not done" }
    set ::h::stage [expr {$name eq "synth_1" ? "synthesised" : "routed"}]
}
