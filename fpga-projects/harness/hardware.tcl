# The hardware manager: a board with a JTAG-to-AXI master behind the address map of system.tcl.
#
# Memory and registers remember what is written; a command that is posted ends at once, as it should on a board: see `h::host_writes`.

namespace eval h {
    variable hw_open 0
    variable hw_target 0
    variable programmed 0
    variable memory_words [dict create]
    variable transactions [dict create]
    variable answers [dict create]
}

h::command open_hw_manager {} 0 0 { set ::h::hw_open 1 }
h::command connect_hw_server {-url 1 -allow_non_jtag 0} 0 0 { if {!$::h::hw_open} { error "connect_hw_server: open_hw_manager comes first" } }
h::command open_hw_target {-jtag_mode 0} 0 1 { if {!$::h::hw_open} { error "open_hw_target: open_hw_manager comes first" }; set ::h::hw_target 1 }
h::command close_hw_target {} 0 1 { set ::h::hw_target 0 }
h::command get_hw_devices {} 0 1 { if {!$::h::hw_target} { error "get_hw_devices: no target is open" }; return [list [h::handle hw_device [lindex [split $::h::part -] 0]_0]] }
h::command current_hw_device {} 0 1 { return [lindex [h::do::get_hw_devices] 0] }
h::command program_hw_devices {} 1 1 {
    set device [h::names program_hw_devices hw_device [lindex $p 0]]
    if {![dict exists $::h::properties hw_device:$device PROGRAM.FILE]} { error "program_hw_devices: PROGRAM.FILE is not set" }
    set ::h::programmed 1
}
h::command refresh_hw_device {-update_hw_probes 1} 0 1 {}

# A bitstream that project.tcl would have made.
proc h::need_built {path} {
    set expected [list [file join $::h::folder build system.bit] [file join $::h::folder build system.ltx]]
    if {[file normalize $path] ni $expected} { error "[h::relative [file normalize $path]] is not what project.tcl writes" }
}
h::command get_hw_axis {} 0 1 {
    if {!$::h::programmed} { error "get_hw_axis: no device is programmed" }
    return [h::get hw_axi [expr {[llength $p] ? [lindex $p 0] : "*"}] {hw_axi_1} [info exists o(-quiet)]]
}
h::command reset_hw_axi {} 1 1 { h::names reset_hw_axi hw_axi [lindex $p 0] }
h::command create_hw_axi_txn {-type 1 -address 1 -data 1 -len 1 -size 1 -burst 1 -force 0} 2 2 {
    h::need create_hw_axi_txn o -type -address
    h::one_of "create_hw_axi_txn -type" $o(-type) {read write}
    h::names create_hw_axi_txn hw_axi [lindex $p 1]
    if {![regexp -nocase {^(0x)?[0-9a-f]{8}([0-9a-f]{8})?$} $o(-address)]} { error "create_hw_axi_txn: `$o(-address)` is no address of 32 or 64 bits" }
    if {$o(-type) eq "write"} { h::need "create_hw_axi_txn -type write" o -data }
    dict set ::h::transactions [lindex $p 0] [array get o]
    return [h::handle hw_axi_txn [lindex $p 0]]
}
h::command get_hw_axi_txns {} 0 1 { return [h::get hw_axi_txn [expr {[llength $p] ? [lindex $p 0] : "*"}] [dict keys $::h::transactions] [info exists o(-quiet)]] }
h::command delete_hw_axi_txn {} 1 1 { foreach name [h::names delete_hw_axi_txn hw_axi_txn [lindex $p 0]] { dict unset ::h::transactions $name } }
h::command run_hw_axi {} 1 1 {
    foreach name [h::names run_hw_axi hw_axi_txn [lindex $p 0]] {
        array set t [dict get $::h::transactions $name]
        scan [regsub {^0x} $t(-address) {}] %llx address
        h::need_mapped $address
        if {$t(-type) eq "write"} {
            scan [regsub {^0x} $t(-data) {}] %llx value
            dict set ::h::memory_words $address $value
            h::host_writes $address $value
        } else {
            dict set ::h::answers $name [format %08x [h::read_by_host $address]]
        }
    }
}

# What the JTAG master reaches in the block design.
proc h::need_mapped {address} {
    if {$address % 4} { error "access to [format 0x%llx $address], which is no multiple of 4" }
    foreach {base bytes} $::h::map { if {$address >= $base && $address < $base + $bytes} { return } }
    error "access to [format 0x%llx $address], where nothing is"
}
proc h::transaction_data {name} {
    if {![dict exists $::h::answers $name]} { error "transaction $name was not run" }
    return [dict get $::h::answers $name]
}
proc h::read_by_host {address} {
    if {![catch {vivado eval {uplevel #0 {expr {$control_base + $register(state)}}}} state] && $address == $state} { return 2 }
    # A MAC has a line at once: the second half of its status.
    if {![catch {vivado eval {uplevel #0 {set mac_base}}} base] && $address == $base + 8} { return 1 }
    return [h::word_at $address]
}
proc h::word_at {address} { return [expr {[dict exists $::h::memory_words $address] ? [dict get $::h::memory_words $address] : 0}] }
# What the endpoint does, as far as software sees it: ready at once, and a command is copied and completed.
proc h::host_writes {address value} {
    if {[catch {vivado eval {set ::control_base}} base] || [catch {vivado eval {array get ::register}} list]} { return }
    array set register $list
    if {![info exists register(command)] || $address != $base + $register(command) || !($value & 1)} { return }
    if {!([h::word_at [expr {$base + $register(control)}]] & 1)} { error "a command is posted before control.enable" }
    foreach name {buffer_base sg_base ring_base} {
        if {[h::word_at [expr {$base + $register($name)}]] == 0} { error "a command is posted before $name is set" }
    }
    foreach {name key} {source command_source_0 target command_target bytes command_bytes_0 ring ring_base number command_id} {
        set $name [h::word_at [expr {$base + $register($key)}]]
    }
    for {set at 0} {$at < $bytes} {incr at 4} { dict set ::h::memory_words [expr {$target + $at}] [h::word_at [expr {$source + $at}]] }
    dict set ::h::memory_words [expr {$ring + 16}] [expr {$number << 16}]
    dict set ::h::memory_words [expr {$ring + 20}] [expr {4 << 24}]
}
