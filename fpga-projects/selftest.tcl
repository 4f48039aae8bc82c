# The bitstream onto the first board that the cable finds, then a look at the endpoint. With `endpoint`, a transfer too: memory is
# sent through the CDMA, as frames over the loop, and back into memory, and is acknowledged.
#
#   vivado -mode batch -source selftest.tcl

set root [file normalize [file dirname [info script]]]
foreach file {settings.tcl registers.tcl axi.tcl} { source [file join $root $file] }

open_hw_manager
connect_hw_server
open_hw_target
set device [current_hw_device]
set_property PROGRAM.FILE [file join $root build system.bit] $device
set_property PROBES.FILE [file join $root build system.ltx] $device
program_hw_devices $device
refresh_hw_device $device
reset_hw_axi [get_hw_axis]

# Waits until bits of a register are what they should be.
proc wait_for {what address mask wanted} {
    for {set i 0} {$i < 1000} {incr i} {
        set value [axi_read $address]
        if {($value & $mask) == $wanted} { return }
        after 1
    }
    error "$what: [format 0x%08x $value] at [format 0x%08x $address] after 1000 reads"
}

set id [get_register id]
puts "id [format 0x%08x $id], version [format 0x%08x [get_register version]]"
set_register scratch 0x5a5aa5a5
if {[get_register scratch] != 0x5a5aa5a5} { error "scratch does not keep what is written: is the clock running?" }
wait_for "state.ready" [address_of state] 2 2

if {$mac ne "none"} {
    puts "MAC: status [format 0x%08x [axi_read [expr {$mac_base + 8}]]], frames without room [axi_read $mac_base]"
    wait_for "line of the MAC (a cable that comes back to this port, or mac_loopback 1 in settings.tcl)" [expr {$mac_base + 8}] 1 1
}

if {$top ne "endpoint"} {
    puts "registers answer; a transfer over the loop needs both directions (endpoint)"
    return
}

# Memory: source, ring of completions, target. One packet and a bit: two segments, two frames of data.
set source $memory_base
set ring [expr {$memory_base + 0x10000}]
set target [expr {$memory_base + 0x20000}]
set bytes [expr {$packet_size + 64}]
for {set at 0} {$at < $bytes} {incr at 4} {
    axi_write [expr {$source + $at}] [expr {0xc0de0000 + $at}]
    axi_write [expr {$target + $at}] 0
}
for {set at 0} {$at < 4 * 64} {incr at 4} { axi_write [expr {$ring + $at}] 0 }

# One tick is a microsecond.
set_register prescale [expr {int($clock_mhz)}]
set_register timeout 1000
set_register threshold $packet_size
set_register segment $packet_size
set_register_64 buffer_base $buffer_base
set_register_64 sg_base $ring_base
set_register_64 ring_base $ring
set_register ring_size_log2 2
set_register ring_consumer 0

# We are node 0, and the only one: what goes out comes back to us.
set mac 0x020000000001
set ip 0x0a000001
set_register_64 local_mac $mac
set_register local_ip_3 $ip
set_register source_node 0
set_register node_index 0
set_register_64 node_mac $mac
set_register node_ip_3 $ip
# Valid, queue pair 0x100.
set_register node_qp 0x80000100
set_register node 1
set_register control 1

set_register command_id 7
set_register_64 command_target $target
set_register command_node 0
set_register command_options 0x100
set_register_64 command_source_0 $source
set_register command_bytes_0 $bytes
set_register command 1

# One entry of the ring is the command's: bytes 18 and 19 its number, byte 22 the status, byte 23 the kind, 4.
proc entry_of_command {ring number} {
    for {set i 0} {$i < 1000} {incr i} {
        for {set entry 0} {$entry < 4} {incr entry} {
            set word [axi_read [expr {$ring + 64 * $entry + 20}]]
            if {($word >> 24) == 4 && ([axi_read [expr {$ring + 64 * $entry + 16}]] >> 16) == $number} { return [expr {($word >> 16) & 0xff}] }
        }
        after 1
    }
    error "no completion: send_state [format 0x%x [get_register send_state]], retransmissions [get_register count_retransmissions], frames [get_register count_frames]"
}

set status [entry_of_command $ring 7]
if {$status != 0} { error "the command ended with status $status: see docs/src/send.md, completions" }
for {set at 0} {$at < $bytes} {incr at 4} {
    set got [axi_read [expr {$target + $at}]]
    if {$got != 0xc0de0000 + $at} { error [format "byte %d: 0x%08x, sent was 0x%08x" $at $got [expr {0xc0de0000 + $at}]] }
}
puts "selftest: $bytes bytes from memory to memory, [get_register count_frames] frames over the loop, [get_register count_retransmissions] retransmissions"
